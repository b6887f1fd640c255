//! The store: every SQL statement of the server runs through here, on SQLite or on PostgreSQL.
//!
//! Callers write an [`Op`] (what to do, against [`Sql`]) and give it to [`Db::read`] or [`Db::write`]; they never see
//! the engine. Statements are written once, by [`statements!`], with the texts of both engines where they differ.
//!
//! - SQLite: reads run inline on the calling thread, writes share commits on one writer thread (`lite`).
//! - PostgreSQL: a pool; a transaction per write, tried again where that is safe (`pg`).
//! - [`migrate`] brings the schema up to date, on both engines from `migrations/`.
//!
//! ```
//! use switchboard::store::{Op, Result, Sql, args, statements};
//!
//! statements! { NAME = "SELECT name FROM users WHERE id = $1"; }
//!
//! struct UserName(i64);
//!
//! impl Op for UserName {
//!     const NAME: &'static str = "user_name";
//!     type Out = Option<String>;
//!
//!     async fn run<C: Sql>(&self, c: &mut C) -> Result<Option<String>> {
//!         c.opt(&NAME, args![self.0]).await
//!     }
//! }
//! ```

#![allow(
    clippy::disallowed_methods,
    reason = "the store stands beside the platform: it times its own work and waits between tries"
)]

pub mod accounts;
pub mod apps;
pub mod assistant_clients;
pub mod authorizations;
pub mod bot_tokens;
pub mod candidates;
pub mod client_blocks;
mod columns;
pub mod connection_lists;
pub mod connections;
pub mod conversation_lists;
pub mod conversations;
pub mod deliveries;
pub mod delivery_log;
pub mod destinations;
pub mod diagnose;
pub mod drafts;
pub mod employee;
pub mod ended_connections;
mod endings;
mod error;
pub mod event_leases;
pub mod events;
pub mod files;
pub mod job_leases;
pub mod keys;
mod known_owners;
mod lite;
pub mod locks;
pub mod log_heads;
mod lookups;
pub mod mcp_sessions;
pub mod messages;
mod meters;
mod migrate;
mod op;
pub mod outlived_connections;
mod pg;
pub mod position;
pub mod search;
pub mod sends;
pub mod server;
pub mod spent_tokens;
mod stmt;
pub mod tool_calls;
pub mod transfer;
mod url;
pub mod user_words;
pub mod users;
mod values;
mod woken;
pub mod workspaces;

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::{Duration, Instant};

use self::bot_tokens::TokenOwner;
use self::connections::Presented;
pub use self::endings::{Endings, MostWatching, Watching};
pub use self::error::{Error, Result, StoreError};
pub use self::lite::Owner;
pub use self::locks::{LockKey, Locks};
use self::lookups::{Lookup, Lookups};
pub use self::migrate::{
    Header, HeaderError, MigrateError, Migrated, Migration, MigrationStep, Migrations, Newer, SchemaState,
    Statement, StatementKind, inspect, migrate, pending, schema_version, statements_of,
};
pub use self::op::{Engine, Op, Sql};
pub use self::pg::{Confirmed, NoNumber, NodeNumber, ReplicaReport, Wanted};
use self::position::LogPosition;
pub use self::stmt::Stmt;
pub use self::url::{BadDatabaseUrl, BadPostgresUrl, DatabaseUrl, PostgresUrl, SessionAttributes};
use self::users::{Introduced, User};
pub use self::values::{Col, FromRow, Row, Val};
pub use self::woken::{Fresh, News, Woken};
use self::workspaces::Workspace;
use crate::domain::ids::UserId;
use crate::platform::limits::SharedLimits;
pub use crate::{args, row, statements};

/// How to open a [`Db`]. [`Default`] suits a server.
#[derive(Clone, Debug)]
pub struct DbOptions {
    /// PostgreSQL: most connections of this process. At least 2. Writes and reads can each have about four fifths of
    /// them, [`Db::scan`] half.
    pub connections: u32,
    /// PostgreSQL: past the pooler, where the URL leads through one in transaction mode.
    pub direct: Option<DatabaseUrl>,
    /// PostgreSQL: that pooler keeps named prepared statements of its clients apart.
    pub pooler_prepares: bool,
    /// PostgreSQL: standbys that may answer reads of [`Op::REPLICA`].
    pub replica: Option<PostgresUrl>,
    /// PostgreSQL: most connections of this process to a replica. At least 2.
    pub replica_connections: u32,
    /// SQLite: most connections for reading; [`Db::scan`] uses at most half of them. At least 2.
    pub readers: usize,
    /// SQLite: most operations in one commit.
    pub batch: usize,
    /// SQLite: most operations that wait for the writer.
    pub queue: usize,
    /// How long an operation waits for a connection or a place in the queue before it fails as unavailable.
    pub wait: Duration,
    /// PostgreSQL: how long a statement waits for a lock, then the operation fails as unavailable. 0: for ever.
    pub lock_timeout: Duration,
    /// PostgreSQL: how long a statement may take, then the operation fails as unavailable. 0: for ever as far as the
    /// server is concerned, and a minute until it is taken for lost.
    pub statement_timeout: Duration,
    /// PostgreSQL: the same for the statements of [`Db::scan`].
    pub scan_timeout: Duration,
    /// SQLite: most pages (of 4 KiB) the file may have, so that tests can fill the disk.
    pub max_pages: Option<u32>,
}

impl Default for DbOptions {
    fn default() -> Self {
        Self {
            connections: 10,
            direct: None,
            pooler_prepares: false,
            replica: None,
            replica_connections: 10,
            readers: 8,
            batch: 256,
            queue: 4096,
            wait: Duration::from_secs(5),
            lock_timeout: Duration::from_secs(5),
            statement_timeout: Duration::from_secs(10),
            scan_timeout: Duration::from_secs(30),
            max_pages: None,
        }
    }
}

/// What a database that answers takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// Everything.
    ReadsAndWrites,
    /// A full disk, a file that another process holds on to, or a PostgreSQL server that only reads.
    ReadsOnly,
}

/// The open database. Cloning shares it.
#[derive(Clone)]
pub struct Db {
    backend: Arc<Backend>,
    woken: Arc<Woken>,
    shared: Arc<SharedLookups>,
}

/// Look-ups that share round trips; PostgreSQL only.
#[derive(Default)]
struct SharedLookups {
    owners: Lookups<bot_tokens::Owners>,
    introductions: Lookups<users::Introductions>,
    profiles: Lookups<users::Profiles>,
    presented: Lookups<connections::PresentedMany>,
}

enum Backend {
    Lite(lite::Store),
    Pg(pg::Store),
}

impl Db {
    /// Opens the database without looking at its schema; see [`migrate`] and [`pending`].
    ///
    /// Fails as unavailable when the file cannot be opened or the server not be reached.
    pub async fn open(url: &DatabaseUrl, options: DbOptions) -> Result<Self> {
        let woken = Arc::<Woken>::default();
        let backend = match url {
            DatabaseUrl::Sqlite(path) => {
                let settings = lite::Settings {
                    path: path.clone(),
                    readers: options.readers,
                    batch: options.batch,
                    queue: options.queue,
                    wait: options.wait,
                    max_pages: options.max_pages,
                };
                Backend::Lite(lite::Store::open(settings, Arc::clone(&woken))?)
            }
            DatabaseUrl::Postgres(url) => {
                let settings = pg::Settings {
                    url: (**url).clone(),
                    direct: match options.direct {
                        Some(DatabaseUrl::Postgres(direct)) => Some(*direct),
                        Some(DatabaseUrl::Sqlite(_)) | None => None,
                    },
                    pooler_prepares: options.pooler_prepares,
                    connections: options.connections,
                    wait: options.wait,
                    lock_timeout: options.lock_timeout,
                    statement_timeout: options.statement_timeout,
                    scan_timeout: options.scan_timeout,
                    replica: options
                        .replica
                        .map(|url| pg::ReplicaSettings { url, connections: options.replica_connections }),
                };
                Backend::Pg(pg::Store::open(settings, Arc::clone(&woken)).await?)
            }
        };
        Ok(Self { backend: Arc::new(backend), woken, shared: Arc::default() })
    }

    /// The apps for which committed writes of this process made events.
    #[must_use]
    pub fn woken(&self) -> &Woken {
        &self.woken
    }

    /// Tells of connections, and of sessions on them, that committed writes of this process ended.
    #[must_use]
    pub fn endings(&self) -> &Endings {
        self.woken.endings()
    }

    /// Which engine this is.
    #[must_use]
    pub fn engine(&self) -> Engine {
        match &*self.backend {
            Backend::Lite(_) => Engine::Sqlite,
            Backend::Pg(_) => Engine::Postgres,
        }
    }

    /// Runs an operation that only reads and is quick (index look-ups, a page): on SQLite it runs on the calling
    /// thread.
    pub async fn read<O: Op>(&self, op: O) -> Result<O::Out> {
        let begun = Instant::now();
        let result = match &*self.backend {
            Backend::Lite(store) => store.read(&op).await,
            Backend::Pg(store) => store.read(&op).await,
        };
        meters::operation(O::NAME, "read", begun.elapsed(), &result);
        result
    }

    /// Runs an operation that only reads and may take long (exports, sums over a table).
    pub async fn scan<O: Op>(&self, op: O) -> Result<O::Out> {
        let begun = Instant::now();
        let result = match &*self.backend {
            Backend::Lite(store) => store.scan(op).await,
            Backend::Pg(store) => store.scan(&op).await,
        };
        meters::operation(O::NAME, "scan", begun.elapsed(), &result);
        result
    }

    /// Runs an operation in a transaction; returns after it is durable. All or nothing.
    ///
    /// Once begun it is carried out even if the caller is dropped.
    pub async fn write<O: Op>(&self, op: O) -> Result<O::Out> {
        let begun = Instant::now();
        let result = match &*self.backend {
            Backend::Lite(store) => store.write(op).await,
            Backend::Pg(store) => store.write(op).await,
        };
        meters::operation(O::NAME, "write", begun.elapsed(), &result);
        result
    }

    /// What the SHA-256 of a bot's token stands for, connected or not, with all that was committed before the call; and
    /// the position in the log of after the call, where replicas can use it.
    ///
    /// On SQLite it is remembered until a commit may have changed it.
    pub async fn token_owner(
        &self,
        token_hash: [u8; 32],
    ) -> Result<Option<(TokenOwner, Option<LogPosition>)>> {
        let known = match &*self.backend {
            Backend::Pg(store) => return self.shared.owners.find(store, token_hash).await,
            Backend::Lite(store) => store.owners(),
        };
        match known.find(&token_hash) {
            Ok(owner) => Ok(Some((owner, None))),
            Err(before) => {
                let found = self.read(bot_tokens::Owner(token_hash)).await?;
                if let Some(owner) = found {
                    known.keep(token_hash, owner, before);
                }
                Ok(found.map(|owner| (owner, None)))
            }
        }
    }

    /// A person or bot with their company, by name; `None` when there is nobody of this id.
    pub async fn introduction(&self, id: UserId) -> Result<Option<Introduced>> {
        match &*self.backend {
            Backend::Pg(store) => self.shared.introductions.find(store, id).await,
            Backend::Lite(_) => self.read(users::Introduction(id)).await,
        }
    }

    /// A person or bot and their company; `None` when there is nobody of this id.
    pub async fn profile(&self, id: UserId) -> Result<Option<(User, Workspace)>> {
        match &*self.backend {
            Backend::Pg(store) => self.shared.profiles.find(store, id).await,
            Backend::Lite(_) => {
                let found = self.read(<users::Profiles as Lookup>::of(vec![id])).await?;
                Ok(found.into_iter().next().map(|(_, profile)| profile))
            }
        }
    }

    /// The connection token of a SHA-256 with everything its use depends on, as of now.
    pub async fn presented(&self, token_hash: [u8; 32]) -> Result<Option<Presented>> {
        match &*self.backend {
            Backend::Pg(store) => self.shared.presented.find(store, token_hash).await,
            Backend::Lite(_) => self.read(connections::FindPresented(token_hash)).await,
        }
    }

    /// Forgets which tokens stand for what, where that is remembered: what somebody changed in the file past this process
    /// counts from then on.
    pub fn forget_owners(&self) {
        if let Backend::Lite(store) = &*self.backend {
            store.owners().forget();
        }
    }

    /// Where the nodes on this database keep the state of the rate limits together; none on SQLite, which is one
    /// process's.
    #[must_use]
    pub fn shared_limits(&self) -> Option<Arc<dyn SharedLimits>> {
        match &*self.backend {
            Backend::Lite(_) => None,
            Backend::Pg(store) => Some(Arc::new(store.shared_state())),
        }
    }

    /// What the database takes; for readiness checks, and cheap enough for one every second. On SQLite nothing is
    /// written unless the last writes failed.
    ///
    /// Fails as unavailable when the database does not answer.
    pub async fn ping(&self) -> Result<Takes> {
        match &*self.backend {
            Backend::Lite(store) => store.ping().await,
            Backend::Pg(store) => store.ping().await,
        }
    }

    /// Tells that a connection beside those of the store died without a word and that new ones work: idle connections
    /// are given up, and what waits on the others is not waited for much longer. Nothing on SQLite.
    pub fn suspect_connections(&self) {
        match &*self.backend {
            Backend::Lite(_) => {}
            Backend::Pg(store) => store.suspect_connections(),
        }
    }

    /// Refuses every operation as unavailable while the schema needs a newer version of the server. Nothing on SQLite, whose
    /// schema no other process changes.
    pub fn set_outdated(&self, outdated: bool) {
        match &*self.backend {
            Backend::Lite(_) => {}
            Backend::Pg(store) => store.set_outdated(outdated),
        }
    }

    /// New connections lead first to the host of the URL that the node number's connection found.
    pub fn follow(&self, number: &NodeNumber) {
        match &*self.backend {
            Backend::Lite(_) => {}
            Backend::Pg(store) => store.follow(number),
        }
    }

    /// Writes SQLite's write-ahead log back into the file where that is due, beside everything else. To be called every
    /// second or so; PostgreSQL does the like by itself.
    pub async fn write_back(&self) -> Result<()> {
        match &*self.backend {
            Backend::Lite(store) => store.write_back().await,
            Backend::Pg(_) => Ok(()),
        }
    }

    /// Finishes the writes that wait, checkpoints (SQLite) and closes, for every clone. Later calls fail as
    /// unavailable.
    pub async fn close(&self) -> Result<()> {
        match &*self.backend {
            Backend::Lite(store) => store.close().await,
            Backend::Pg(store) => {
                store.close().await;
                Ok(())
            }
        }
    }
}

/// Makes this process the one that serves from a SQLite database or changes its schema, and makes the database's folder;
/// on PostgreSQL several may.
///
/// # Errors
/// Unavailable when another process does, and when folder or lock cannot be made.
pub fn own(url: &DatabaseUrl) -> Result<Option<Owner>> {
    match url {
        DatabaseUrl::Sqlite(path) => Owner::of(path).map(Some),
        DatabaseUrl::Postgres(_) => Ok(None),
    }
}

/// Whether a process serves from a SQLite database now. Makes no file and waits for nobody; on PostgreSQL several may,
/// and it is false.
#[must_use]
pub fn is_served(url: &DatabaseUrl) -> bool {
    match url {
        DatabaseUrl::Sqlite(path) => Owner::is_there(path),
        DatabaseUrl::Postgres(_) => false,
    }
}

/// Looks at a replica of a database, for those who ask how it does. Neither URL leads through a pooler in transaction mode.
///
/// # Errors
/// Unavailable when one of the two does not answer; on SQLite, which has none.
pub async fn inspect_replica(url: &DatabaseUrl, replica: &PostgresUrl) -> Result<ReplicaReport> {
    match url {
        DatabaseUrl::Sqlite(_) => Err(StoreError::unavailable("SQLite has no replicas").into()),
        DatabaseUrl::Postgres(url) => Ok(pg::inspect_replica(url, replica).await?),
    }
}

/// Takes one of `numbers` that no other process on this database has; none is needed on SQLite, which is one process's.
/// The URL must not lead through a pooler in transaction mode.
///
/// # Errors
/// [`NoNumber`] when none is free that will do.
pub async fn take_node_number(
    url: &DatabaseUrl,
    wanted: Wanted,
    numbers: RangeInclusive<u8>,
) -> std::result::Result<Option<NodeNumber>, NoNumber> {
    match url {
        DatabaseUrl::Sqlite(_) => Ok(None),
        DatabaseUrl::Postgres(url) => NodeNumber::take(url, wanted, numbers).await.map(Some),
    }
}

/// Prepares every statement against the real schema, without running any: for tests.
///
/// # Errors
///
/// One [`StoreError::Bug`] that names all statements that cannot be prepared.
pub async fn prepare_all(db: &Db, stmts: &[&'static Stmt]) -> Result<()> {
    let mut wrong = Vec::new();
    for &stmt in stmts {
        let prepared = match &*db.backend {
            Backend::Lite(store) => store.prepare(stmt).await,
            Backend::Pg(store) => store.prepare(stmt).await,
        };
        match prepared {
            Err(Error::Store(StoreError::Bug(what))) => wrong.push(what),
            other => other?,
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(StoreError::bug(wrong.join("\n")).into()) }
}
