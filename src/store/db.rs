//! The open database. [`Db`] runs operations on the engine that the database's URL selects: SQLite or PostgreSQL.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::engine::as_of::{self, AsOf};
use super::engine::commit_notices::CommitNotices;
use super::engine::error::{Error, Result, StoreError};
use super::engine::lite::{self, FileOwner};
use super::engine::op::{Engine, Op, ReadOp};
use super::engine::pg::{self, NoNumber, NodeChoice, NodeNumber, ReplicaReport};
use super::engine::revocation_watch::RevocationWatchers;
use super::engine::signals::Signals;
use super::engine::stmt::Stmt;
use super::engine::url::{DatabaseUrl, PostgresUrl};
use super::engine::work::Pending;
use super::engine::{Availability, meters};
use super::shared_lookups::SharedLookups;
use super::tables::server::{DeleteWriteProbe, InsertWriteProbe};
use crate::platform::limits::SharedLimits;

/// Options for opening a [`Db`]. The default values suit a server.
#[derive(Clone, Debug)]
pub struct DbOptions {
    /// PostgreSQL: maximum number of connections in the pool. Less than 2 counts as 2. Writes use at most about four
    /// fifths of the connections, and so do reads. [`Db::scan`] uses at most half of them.
    pub connections: u32,
    /// PostgreSQL: a URL that bypasses the pooler. To be set if, and only if, the main URL leads through a pooler in
    /// transaction mode.
    pub direct: Option<DatabaseUrl>,
    /// PostgreSQL: whether the pooler supports named prepared statements in transaction mode.
    pub pooler_prepares: bool,
    /// PostgreSQL: standbys that may answer reads whose [`ReadOp::REPLICA`] is `true`.
    pub replica: Option<PostgresUrl>,
    /// PostgreSQL: maximum number of connections of this process to a replica. Less than 2 counts as 2.
    pub replica_connections: u32,
    /// SQLite: maximum number of read connections. Less than 2 counts as 2. [`Db::scan`] uses at most half of them.
    pub readers: usize,
    /// SQLite: maximum number of operations in one commit.
    pub batch: usize,
    /// SQLite: maximum number of operations queued for the writer.
    pub queue: usize,
    /// How long an operation waits for a connection or for a slot in the queue. After this time, the operation fails as
    /// unavailable.
    pub wait: Duration,
    /// PostgreSQL: how long a statement waits for a lock. After this time, the operation fails as unavailable. 0 means
    /// no limit.
    pub lock_timeout: Duration,
    /// PostgreSQL: how long a statement may run. After this time, the operation fails as unavailable. 0 means that the
    /// database server has no limit, and that this process stops waiting after a minute.
    pub statement_timeout: Duration,
    /// PostgreSQL: the same as `statement_timeout`, for the statements of [`Db::scan`].
    pub scan_timeout: Duration,
    /// SQLite: maximum size of the file in pages of 4 KiB. Tests set this limit to simulate a full disk.
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

/// The open database. All clones use the same connections.
#[derive(Clone)]
pub struct Db {
    pub(super) backend: Arc<Backend>,
    commit_notices: Arc<CommitNotices>,
    pub(super) shared: Arc<SharedLookups>,
}

pub(super) enum Backend {
    Lite(lite::SqliteStore),
    Pg(pg::PgStore),
}

/// An operation with an erased type that runs on either engine.
trait AnyWork: lite::SqliteWork + pg::PostgresWork {}

impl<W: lite::SqliteWork + pg::PostgresWork> AnyWork for W {}

impl Db {
    /// Opens the database without checking its schema; see [`migrate`](super::migrate()) and
    /// [`pending`](super::pending).
    ///
    /// # Errors
    /// Unavailable if the file cannot be opened, if the server cannot be reached or rejects the credentials, or if
    /// `replica` leads to another database.
    pub async fn open(url: &DatabaseUrl, options: DbOptions) -> Result<Self> {
        let commit_notices = Arc::<CommitNotices>::default();
        let backend = match url {
            DatabaseUrl::Sqlite(path) => {
                let settings = lite::SqliteSettings {
                    path: path.clone(),
                    readers: options.readers,
                    batch: options.batch,
                    queue: options.queue,
                    wait: options.wait,
                    max_pages: options.max_pages,
                };
                Backend::Lite(lite::SqliteStore::open(settings, Arc::clone(&commit_notices))?)
            }
            DatabaseUrl::Postgres(url) => {
                let settings = pg::PgSettings {
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
                Backend::Pg(pg::PgStore::open(settings, Arc::clone(&commit_notices)).await?)
            }
        };
        Ok(Self { backend: Arc::new(backend), commit_notices, shared: Arc::default() })
    }

    /// Returns the notifications that committed writes of this process publish, for example about new events of apps.
    #[must_use]
    pub fn commit_notices(&self) -> &CommitNotices {
        &self.commit_notices
    }

    /// Returns the signals for the browser windows that this process serves.
    #[must_use]
    pub fn signals(&self) -> &Signals {
        self.commit_notices.signals()
    }

    /// Exchanges signals with the other nodes of the database until the returned future is dropped. `process` is a
    /// random number that identifies this process. On SQLite, returns at once, because only one process serves from the
    /// database.
    pub async fn exchange_signals(&self, process: u64) {
        match &*self.backend {
            Backend::Lite(_) => {}
            Backend::Pg(store) => store.exchange_signals(self.signals(), process).await,
        }
    }

    /// Returns the watchers that are notified when a committed write of this process revokes an assistant's connection
    /// or ends an MCP session.
    #[must_use]
    pub fn revocation_watchers(&self) -> &RevocationWatchers {
        self.commit_notices.revocation_watchers()
    }

    /// Returns the engine.
    #[must_use]
    pub fn engine(&self) -> Engine {
        match &*self.backend {
            Backend::Lite(_) => Engine::Sqlite,
            Backend::Pg(_) => Engine::Postgres,
        }
    }

    /// Runs a fast read-only operation, for example one that reads a row by its key or a page of a list. On SQLite, the
    /// operation runs on the calling thread.
    pub async fn read<O: ReadOp>(&self, op: O) -> Result<O::Out> {
        let pending = Pending::read(op);
        self.run_read(&pending).await?;
        pending.take()
    }

    async fn run_read(&self, work: &dyn AnyWork) -> Result<()> {
        let begun = Instant::now();
        let result = match &*self.backend {
            Backend::Lite(store) => store.read(work).await,
            Backend::Pg(store) => store.read(work).await,
        };
        meters::operation(work.facts().name, "read", begun.elapsed(), &result);
        result
    }

    /// Runs a read-only operation that can be slow, such as an export or a sum over a table.
    pub async fn scan<O: ReadOp>(&self, op: O) -> Result<O::Out> {
        let pending = Arc::new(Pending::read(op));
        self.run_scan(pending.clone()).await?;
        pending.take()
    }

    async fn run_scan(&self, work: Arc<dyn AnyWork>) -> Result<()> {
        let (begun, name) = (Instant::now(), work.facts().name);
        let result = match &*self.backend {
            Backend::Lite(store) => store.scan(work).await,
            Backend::Pg(store) => store.scan(&*work).await,
        };
        meters::operation(name, "scan", begun.elapsed(), &result);
        result
    }

    /// Runs an operation in a transaction. Returns after the commit is durable.
    ///
    /// An operation that has started completes even if the returned future is dropped.
    pub async fn write<O: Op>(&self, op: O) -> Result<O::Out> {
        let pending = Arc::new(Pending::write(op));
        self.run_write(pending.clone()).await?;
        pending.take()
    }

    /// On PostgreSQL, runs a read operation under its [locks](ReadOp::locks), and holds the locks for another 20 ms.
    /// Within these 20 ms, the caller must send the response that depends on the result. A revocation waits for these
    /// locks. So the revocation is acknowledged only after the response was sent.
    ///
    /// On SQLite, runs nothing and returns `None`, because reads hold no locks.
    pub async fn hold<O: ReadOp>(&self, op: O) -> Result<Option<O::Out>> {
        let Backend::Pg(store) = &*self.backend else { return Ok(None) };
        let pending = Pending::read(op);
        let begun = Instant::now();
        let result = store.hold(&pending).await;
        meters::operation(<O as ReadOp>::NAME, "hold", begun.elapsed(), &result);
        result.and_then(|()| pending.take()).map(Some)
    }

    async fn run_write(&self, work: Arc<dyn AnyWork>) -> Result<()> {
        let (begun, name) = (Instant::now(), work.facts().name);
        let result = match &*self.backend {
            Backend::Lite(store) => store.write(work).await,
            Backend::Pg(store) => store.write(work).await,
        };
        meters::operation(name, "write", begun.elapsed(), &result);
        result
    }

    /// Returns the current time and the current revocation counter. To be called just before permissions are read. With
    /// the result, [`Db::is_current`] later decides whether these permissions are still current.
    #[must_use]
    pub fn as_of(&self) -> AsOf {
        AsOf::now(self.commit_notices.revocations())
    }

    /// Returns whether permissions that were read at `as_of` are certainly still current. Current permissions reflect
    /// every revocation that was acknowledged until now. If the result is `false`, the caller must read the permissions
    /// again before it responds.
    #[must_use]
    pub fn is_current(&self, as_of: &AsOf) -> bool {
        as_of.is_current(self.commit_notices.revocations(), self.engine() == Engine::Postgres)
    }

    /// On PostgreSQL, waits until every revocation that was committed before `as_of` is effective on all nodes. Does
    /// nothing on SQLite, which has one node.
    pub async fn after_revocations(&self, as_of: &AsOf) {
        if self.engine() == Engine::Postgres {
            tokio::time::sleep(as_of::FINAL.saturating_sub(as_of.age())).await;
        }
    }

    /// Clears the token cache on SQLite, in case another process has changed the file. No effect on PostgreSQL.
    pub fn clear_token_cache(&self) {
        if let Backend::Lite(store) = &*self.backend {
            store.owners().clear();
        }
    }

    /// Returns the rate limits that all nodes of this database count together; `None` on SQLite, which has a single
    /// node. `wait` is how long a caller waits for the database to count a request.
    #[must_use]
    pub fn shared_limits(&self, wait: Duration) -> Option<Arc<dyn SharedLimits>> {
        match &*self.backend {
            Backend::Lite(_) => None,
            Backend::Pg(store) => Some(Arc::new(store.shared_state(wait))),
        }
    }

    /// Checks whether the database accepts reads and writes. A readiness probe can call this every second. On SQLite, a
    /// test write is made only if the last writes failed.
    ///
    /// # Errors
    /// Unavailable if the database does not respond.
    pub async fn ping(&self) -> Result<Availability> {
        match &*self.backend {
            // two commits, because a row that is inserted and deleted in one commit need not be written to the disk
            Backend::Lite(store) => {
                store
                    .ping([
                        Arc::new(Pending::write(InsertWriteProbe)),
                        Arc::new(Pending::write(DeleteWriteProbe)),
                    ])
                    .await
            }
            Backend::Pg(store) => store.ping().await,
        }
    }

    /// Closes the idle connections of the pool and shortens the timeout of running statements. To be called if a
    /// connection outside the pool was lost without an error and new connections work: the connections of the pool may
    /// then be lost too. No effect on SQLite, and none if the database's URL leads through a pooler.
    pub fn suspect_connections(&self) {
        match &*self.backend {
            Backend::Lite(_) => {}
            Backend::Pg(store) => store.suspect_connections(),
        }
    }

    /// Records whether the schema requires a newer version of the server. If `outdated` is `true`, every operation is
    /// rejected as unavailable until a call with `false`. No effect on SQLite, where no other process changes the
    /// schema.
    pub fn set_outdated(&self, outdated: bool) {
        match &*self.backend {
            Backend::Lite(_) => {}
            Backend::Pg(store) => store.set_outdated(outdated),
        }
    }

    /// Rejects every write as unavailable from `end` on. A later call replaces `end`. To be called with the time at
    /// which the last confirmation of the node number expires: after that, another node may use the number. No effect
    /// on SQLite, where only one process serves from the file.
    pub fn write_until(&self, end: Instant) {
        match &*self.backend {
            Backend::Lite(_) => {}
            Backend::Pg(store) => store.write_until(end),
        }
    }

    /// Makes new connections outside the pool first try the host on which this process has reserved its node number. To
    /// be called after the number was confirmed there: this shows that the host accepts writes. No effect on SQLite.
    pub fn follow(&self, number: &NodeNumber) {
        match &*self.backend {
            Backend::Lite(_) => {}
            Backend::Pg(store) => store.follow(number),
        }
    }

    /// Checkpoints SQLite's write-ahead log if a checkpoint is due. Other operations continue during the checkpoint. To
    /// be called about every second. No effect on PostgreSQL.
    pub async fn checkpoint(&self) -> Result<()> {
        match &*self.backend {
            Backend::Lite(store) => store.checkpoint().await,
            Backend::Pg(_) => Ok(()),
        }
    }

    /// Closes the database for every clone. Later calls fail as unavailable.
    ///
    /// On SQLite, first commits the queued writes, or rejects them if commits fail. Then checkpoints the write-ahead
    /// log. On PostgreSQL, first waits up to 5 seconds for the operations in progress.
    ///
    /// # Errors
    /// - Unavailable on PostgreSQL if an operation is still in progress after 5 seconds.
    /// - [`StoreError::Bug`] on SQLite if the writer thread panicked.
    pub async fn close(&self) -> Result<()> {
        match &*self.backend {
            Backend::Lite(store) => store.close().await,
            Backend::Pg(store) => store.close().await,
        }
    }
}

/// Locks a SQLite database, so that only this process serves from it or changes its schema. If the database's folder is
/// missing, creates the folder. If the file system does not support locks, logs a warning and succeeds. Returns `None`
/// on PostgreSQL, which several processes can use.
///
/// # Errors
/// Unavailable if:
///
/// - the folder cannot be created;
/// - the database is not a regular file, or has several hard links;
/// - the lock file cannot be opened;
/// - another process has the lock.
pub fn own(url: &DatabaseUrl) -> Result<Option<FileOwner>> {
    match url {
        DatabaseUrl::Sqlite(path) => FileOwner::of(path).map(Some),
        DatabaseUrl::Postgres(_) => Ok(None),
    }
}

/// Returns whether a process holds the lock of a SQLite database ([`own`]). Such a process serves from the database or
/// changes its schema. Creates no file and does not wait. On PostgreSQL, the result is always `false`.
#[must_use]
pub fn is_served(url: &DatabaseUrl) -> bool {
    match url {
        DatabaseUrl::Sqlite(path) => FileOwner::is_locked(path),
        DatabaseUrl::Postgres(_) => false,
    }
}

/// Reads the state of a replica from the primary (`url`) and from the replica. The URLs must not lead through a pooler
/// in transaction mode.
///
/// # Errors
/// Unavailable if one of the servers does not respond. Always unavailable on SQLite, which has no replicas.
pub async fn inspect_replica(url: &DatabaseUrl, replica: &PostgresUrl) -> Result<ReplicaReport> {
    match url {
        DatabaseUrl::Sqlite(_) => Err(StoreError::unavailable("SQLite has no replicas").into()),
        DatabaseUrl::Postgres(url) => Ok(pg::inspect_replica(url, replica).await?),
    }
}

/// Reserves a node number of the range `numbers` that no other process on this database uses. Returns `None` on SQLite,
/// which needs no number. The URL must not lead through a pooler in transaction mode.
///
/// # Errors
/// [`NoNumber`] if no suitable number is free, or if the database does not respond.
pub async fn acquire_node_number(
    url: &DatabaseUrl,
    wanted: NodeChoice,
    numbers: RangeInclusive<u8>,
) -> std::result::Result<Option<NodeNumber>, NoNumber> {
    match url {
        DatabaseUrl::Sqlite(_) => Ok(None),
        DatabaseUrl::Postgres(url) => NodeNumber::acquire(url, wanted, numbers).await.map(Some),
    }
}

/// Prepares every statement against the schema without running it. For tests.
///
/// If the rows of a statement are read into a struct, compares the statement's column names with the struct's fields.
/// The rows of a statement with three or more columns must be read into a struct. A text that begins with `SELECT $1`
/// and has no `FROM` is the placeholder for a statement that only the other engine runs, so its columns are not
/// compared.
///
/// # Errors
///
/// - A [`StoreError::Bug`] that lists every statement that cannot be prepared, whose columns differ from the struct, or
///   that needs a struct and declares none.
/// - Unavailable if the database does not respond.
pub async fn prepare_all(db: &Db, stmts: &[&'static Stmt]) -> Result<()> {
    let mut wrong = Vec::new();
    for &stmt in stmts {
        let (text, prepared) = match &*db.backend {
            Backend::Lite(store) => (stmt.sqlite, store.prepare(stmt).await),
            Backend::Pg(store) => (stmt.postgres, store.prepare(stmt).await),
        };
        match prepared {
            Ok(_) if text.starts_with("SELECT $1") && !text.contains("FROM") => {}
            Ok(columns) if !stmt.columns.is_empty() && columns != stmt.columns => {
                let (name, fields) = (stmt.name, stmt.columns);
                wrong.push(format!("{name} has the columns {columns:?}, its struct has {fields:?}").into());
            }
            Ok(columns) if stmt.columns.is_empty() && columns.len() > 2 => {
                let name = stmt.name;
                wrong.push(format!("{name} has the columns {columns:?} and declares no struct").into());
            }
            Ok(_) => {}
            Err(Error::Store(StoreError::Bug(what))) => wrong.push(what),
            Err(other) => return Err(other),
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(StoreError::bug(wrong.join("\n")).into()) }
}
