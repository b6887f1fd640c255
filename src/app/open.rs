//! Opens the database when a server starts, and creates the [`World`], the state that all APIs share.

use std::{
    net::SocketAddr,
    sync::{Arc, OnceLock},
    time::Duration,
};

use super::{
    StartError, StartOptions,
    database::{database_url, id_gen, server_options, session_url},
    files, node,
    secrets::{self, SecretsChange},
};
use crate::{
    config::{self, Config, Environment},
    domain::assistant::{keys::WellKnown, names::Reserved},
    platform::{
        blobs::Blobs, clock::Clock, ids::far_ahead, limits::Limits, outbound::Outbound, passwords::Passwords,
        rng::Rng, secrets::MasterKey,
    },
    service::{
        Keys, ServiceSettings, World,
        bot::send::{GroupCommit, RecentKeys, RecentRefusals},
        callers::console::ConsoleAccess,
        events::deliveries::failures::InjectedFailures,
        files::open_uploads::OpenUploads,
        maintenance::KeyScan,
        oauth::{
            cleanup::TokenScan, decisions::RecentDecisions, documents::Documents, mcp_sessions::SessionUses,
        },
        sandbox::ClockOffset,
        tool_calls::ToolCallQueue,
    },
    store::{
        self, Db, DbOptions, FileOwner, Newer, NodeChoice, NodeNumber, Op, Result as StoreResult, Sql, op,
        secrets::{Encryption, KeysInUse},
        server,
        transfer::marks::{self, Marked},
    },
};

/// The [`World`], and what the process holds while it uses the database: on SQLite a lock, on PostgreSQL a node number.
pub(super) struct OpenedWorld {
    pub(super) world: World,
    /// The lock that keeps other processes from serving the SQLite database; `None` on PostgreSQL.
    pub(super) owner: Option<FileOwner>,
    /// The node number on PostgreSQL; `None` on SQLite.
    pub(super) number: Option<NodeNumber>,
}

/// Opens the database and creates the [`World`] on it. If `options.migrate` is true, applies pending migrations first.
///
/// # Errors
/// - If a database URL is invalid.
/// - SQLite: if the database cannot be locked, for example because another process serves it.
/// - If the database was moved away, or if a move or a restore into it is unfinished.
/// - If the schema is incompatible with this version, or lacks migrations and `options.migrate` is false.
/// - If a migration fails, or if the database cannot be opened, read or written.
/// - PostgreSQL: if another process has the configured node number, or, without a configured number, if no number in
///   `nodes` is free.
/// - If a key with which stored secrets are encrypted is not configured, or if the master key cannot be decrypted.
/// - If other settings are invalid, or if the storage of files cannot be opened.
pub(super) async fn open_world(
    config: &Config,
    clock: &Clock,
    options: &StartOptions,
    address: SocketAddr,
    outbound: Outbound,
) -> Result<OpenedWorld, StartError> {
    let url = database_url(&config.database.url)?;
    let session_url = session_url(&config.database)?;
    // on SQLite the lock is taken first, so that the following steps cannot disturb a process that serves the database
    let owner = store::own(&url)?;
    refuse_marked(&session_url).await?;
    prepare_schema(&session_url, options.migrate).await?;
    let database = DbOptions { max_pages: options.max_pages, ..server_options(&config.database)? };
    let db = Db::open(&url, database.clone()).await?;
    // The number is taken before the start counter and the secrets are written. `switchboard move` and `switchboard
    // restore` hold all node numbers of a PostgreSQL database. So a start during a move or a restore fails here.
    let number = take_number(config, &db, &session_url).await?;
    let opening =
        Opening { config, clock, address, url: &url, session_url: &session_url, number: number.as_ref() };
    match opening.world(db, database, outbound).await {
        Ok(world) => Ok(OpenedWorld { world, owner, number }),
        Err(error) => {
            if let Some(number) = number {
                number.release().await;
            }
            Err(error)
        }
    }
}

/// Takes the configured node number, or a free number if none is configured. Returns `None` on SQLite.
async fn take_number(
    config: &Config,
    db: &Db,
    session_url: &store::DatabaseUrl,
) -> Result<Option<NodeNumber>, StartError> {
    // each start begins its search at a different number, so that a number is rarely reused soon after its release
    let from = NodeChoice::From(u8::try_from(db.read(Starts).await?.rem_euclid(256)).unwrap_or(0));
    let wanted = config.node.map_or(from, NodeChoice::Only);
    Ok(store::acquire_node_number(session_url, wanted, config.nodes.0.clone()).await?)
}

/// The inputs for creating the [`World`] on an open database.
struct Opening<'a> {
    config: &'a Config,
    clock: &'a Clock,
    address: SocketAddr,
    url: &'a store::DatabaseUrl,
    /// The URL of the same database for sessions that must not lead through a pooler.
    session_url: &'a store::DatabaseUrl,
    /// `None` on SQLite.
    number: Option<&'a NodeNumber>,
}

impl Opening<'_> {
    /// Prepares the database's secrets and the id generator, and creates the [`World`]. On PostgreSQL, first makes the
    /// check of [`refuse_marked`] again.
    async fn world(&self, db: Db, database: DbOptions, outbound: Outbound) -> Result<World, StartError> {
        let Self { config, clock, address, url, session_url, number } = *self;
        // A move or a restore may have begun, and marked the database, after the first check and before this process
        // took its node number. From now on neither can begin, because both have to take all node numbers.
        if number.is_some() && db.read(marks::IsMarked).await? {
            refuse_marked(session_url).await?;
        }
        let days = |days: u32| Duration::from_secs(u64::from(days) * 24 * 60 * 60);
        let rng = Rng::os();
        let encryption = Encryption::new(config.secrets.keyring(), rng.clone());
        let begin = BeginStart { fresh_key: rng.bytes(), encryption: encryption.clone() };
        let begun = db.write(begin).await?;
        let db = match secrets::prepare(config, &db, &encryption, &begun.keys).await? {
            SecretsChange::Unchanged => db,
            SecretsChange::Rewritten => reopen(db, url, database).await?,
        };
        let master = MasterKey::new(encryption.master_key(&begun.master)?);
        let clock_offset = if config.test_clock { begun.clock_offset } else { 0 };
        clock.shift(clock_offset);
        let ids = id_gen(config, clock, number);
        // Every new id must be higher than all ids that the previous holder of the node number generated with it. So
        // the highest id is read after this process took the number: from then on the previous holder generates no ids.
        let highest = db.read(node::HighestId).await?;
        node::report_implausible_id(ids.seed(highest));
        // On PostgreSQL no warning is needed, because new ids do not continue after an id that is far ahead of the
        // clock. A test clock needs no warning either, because it is moved on purpose.
        if number.is_none() && !config.test_clock {
            report_far_ahead(highest, clock);
        }
        let wait = Duration::from_millis(config.limits.shared_wait_ms.into());
        let limits = match db.shared_limits(wait).filter(|_| config.limits.scale == 1) {
            None => Limits::in_memory(config.limits.scale),
            Some(state) => Limits::shared(state, i64::from_be_bytes(rng.bytes()), wait, clock.clone()),
        };
        let settings = ServiceSettings {
            base_url: base_url(config, address),
            mcp_url: mcp_url(config, address),
            service_name: config.service_name.to_string(),
            editor_schemes: config.editor_schemes.iter().map(ToString::to_string).collect(),
            reserved_names: Reserved::new(&config.service_name.to_string(), &config.maker_name.to_string()),
            well_known_clients: WellKnown::new(config.well_known_clients()?),
            production: config.environment == Environment::Production,
            test_clock: config.test_clock,
            operator_key_sha256: config.operator_key_sha256.as_ref().map(|hash| hash.0),
            audit_life: days(config.audit_days),
            event_life: days(config.events.pending_days),
            refresh_overlap: Duration::from_secs(config.assistant.refresh_overlap_seconds.into()),
            quotas: files::quotas(&config.files),
            unattached_life: files::unattached_life(&config.files),
            uploads: files::uploads(&config.files),
            mcp_requests_per_minute: config.limits.mcp_requests_per_minute,
            allow_private_hosts: config.allow_private_hosts.iter().map(ToString::to_string).collect(),
        };
        Ok(World {
            db,
            clock: clock.clone(),
            ids: Arc::new(ids),
            limits: Arc::new(limits),
            documents: Documents::new(outbound),
            blobs: Blobs::open(config.files.location(), clock.clone())?,
            open_uploads: OpenUploads::default(),
            passwords: Passwords::new(rng.clone()),
            keys: Keys {
                cursors: master.subkey("cursors"),
                links: master.subkey("links"),
                csrf: master.subkey("csrf"),
                connection_tokens: master.subkey("connection tokens"),
            },
            encryption,
            rng,
            settings,
            clock_offset: ClockOffset::new(clock_offset),
            key_scan: KeyScan::default(),
            tool_calls: ToolCallQueue::default(),
            token_scan: TokenScan::default(),
            recent_keys: RecentKeys::default(),
            sends: GroupCommit::default(),
            refused_sends: RecentRefusals::default(),
            recent_decisions: RecentDecisions::default(),
            live: Arc::default(),
            session_uses: SessionUses::default(),
            console_access: ConsoleAccess::default(),
            injected_failures: (config.environment != Environment::Production)
                .then(InjectedFailures::default),
            delivery: OnceLock::new(),
        })
    }
}

/// Closes and reopens a SQLite database whose secrets were rewritten. Its WAL still contains pages with the secrets in
/// plain text or encrypted with an old key. Closing the database checkpoints and truncates the WAL.
async fn reopen(db: Db, url: &store::DatabaseUrl, options: DbOptions) -> Result<Db, StartError> {
    db.close().await?;
    Ok(Db::open(url, options).await?)
}

/// If `migrate` is true, applies pending migrations. If `migrate` is false, rejects a database with pending migrations.
async fn prepare_schema(url: &store::DatabaseUrl, migrate: bool) -> Result<(), StartError> {
    let newer = if migrate {
        store::migrate(url).await?.newer
    } else {
        let schema = store::inspect(url).await?;
        if !schema.missing.is_empty() {
            return Err(StartError::Pending);
        }
        schema.newer
    };
    if let Some(Newer { found, known, oldest_compatible }) = newer {
        tracing::warn!(
            found,
            known,
            oldest_compatible,
            "a newer version has migrated the database; this version is compatible with its schema"
        );
    }
    Ok(())
}

/// Rejects a database with a mark: it was moved away, or a move or a restore into it is unfinished.
async fn refuse_marked(url: &store::DatabaseUrl) -> Result<(), StartError> {
    match marks::of(url).await? {
        Some(mark) => Err(Marked::from(mark).into()),
        None => Ok(()),
    }
}

/// Logs a warning if the highest id is far ahead of the clock, probably because it was generated under a wrong clock.
/// New ids continue after the highest id, so their times are ahead of the clock too.
fn report_far_ahead(highest: i64, clock: &Clock) {
    if let Some(ahead) = far_ahead(highest, clock.now()) {
        let seconds_ahead = ahead.as_secs();
        tracing::warn!(
            id = highest,
            seconds_ahead,
            "the highest id is far ahead of the clock, probably generated while the clock was wrong; new ids \
             continue after it"
        );
    }
}

/// Returns the configured base URL. If it is the default and the configured port is 0, returns the URL of `address`.
fn base_url(config: &Config, address: SocketAddr) -> String {
    let configured = config.base_url.as_str();
    if config.listen.port() == 0 && configured == config::BaseUrl::local().as_str() {
        return format!("http://{address}");
    }
    configured.to_owned()
}

/// Returns the configured URL of the assistant server. If there is none, returns the base URL.
fn mcp_url(config: &Config, address: SocketAddr) -> String {
    config.mcp_url.as_ref().map_or_else(|| base_url(config, address), |url| url.as_str().to_owned())
}

/// The stored data that every start reads.
struct StartState {
    /// The master key as stored.
    master: Vec<u8>,
    keys: KeysInUse,
    /// Offset of the test clock in microseconds.
    clock_offset: i64,
}

/// Reads how many times servers have started on this database.
struct Starts;

op! { ReadOp "count_starts": Starts -> i64 = |_, c| Ok(server::state(c, server::STARTS).await?.unwrap_or(0)) }

/// Counts the start and reads [`StartState`]. If the database has no master key, stores `fresh_key` as its master key.
struct BeginStart {
    fresh_key: [u8; 32],
    encryption: Encryption,
}

impl Op for BeginStart {
    const NAME: &'static str = "begin";
    type Out = StartState;

    async fn run<C: Sql>(&self, c: &mut C) -> StoreResult<StartState> {
        let (master, keys) = store::secrets::begin(c, &self.encryption, &self.fresh_key).await?;
        let offset = server::state(c, server::CLOCK_OFFSET).await?.unwrap_or(0);
        server::count(c, server::STARTS).await?;
        Ok(StartState { master, keys, clock_offset: offset })
    }
}
