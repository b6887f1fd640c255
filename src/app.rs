//! One process put together: the store, the world, the rooms, the routes; started and stopped.
//!
//! Called by the command line's `serve` and `dev`, and by the tests.

mod database;
pub mod diagnostics;
mod error;
mod jobs;
mod node;
mod routes;
mod watch;

use std::{
    net::SocketAddr,
    path::PathBuf,
    sync::{Arc, OnceLock},
    time::Duration,
};

use futures_util::future::BoxFuture;
use http::HeaderValue;
use tokio::task::JoinHandle;

pub use self::database::{addresses, database_options, database_url, replica_url, session_url};
use self::database::{id_gen, server_options};
pub use self::error::StartError;
use crate::{
    config::{self, Config, Environment},
    domain::assistant::{keys::WellKnown, names::Reserved},
    events,
    platform::{
        blobs::Blobs,
        clock::Clock,
        health::Readiness,
        limits::Limits,
        metrics::{Metrics, RATE_LIMIT_KEYS},
        net,
        outbound::{self, Outbound},
        passwords::Passwords,
        rng::Rng,
        secrets::MasterKey,
        shutdown::{self, Stop, Trigger},
    },
    store::{
        self, Db, DbOptions, Newer, NodeNumber, Op, Owner, Result as StoreResult, Sql, StoreError, Wanted,
        messages, server,
        transfer::marks::{self, Marked},
    },
    workspace::{
        Keys, Settings, World,
        assistants::{documents::Documents, mcp_sessions::SessionUses, tidy::TokenWalk},
        sandbox::ClockMoves,
        send::{RecentKeys, RecentRefusals, Together},
        tool_calls::Queue,
        upkeep::KeyWalk,
    },
};

/// How to start, besides the configuration.
#[derive(Clone, Debug)]
pub struct StartOptions {
    /// Apply pending migrations first.
    pub migrate: bool,
    /// End at the process's signals.
    pub signals: bool,
    /// How long the apps of a process that died wait for another to deliver their events.
    pub event_lease: Duration,
    /// How many apps' events are delivered at the same time.
    pub event_apps: usize,
    /// SQLite: most pages (of 4 KiB) the database may have, so that tests can fill the disk.
    pub max_pages: Option<u32>,
}

impl Default for StartOptions {
    fn default() -> Self {
        Self {
            migrate: true,
            signals: true,
            event_lease: events::LEASE,
            event_apps: events::APPS_AT_ONCE,
            max_pages: None,
        }
    }
}

/// What the store gets at least to write what is noted and to close, after requests have used up the time to end.
const LAST_STEPS: Duration = Duration::from_secs(1);

/// A process that serves.
pub struct Running {
    address: SocketAddr,
    base_url: String,
    world: Arc<World>,
    trigger: Trigger,
    stop: Stop,
    clock: Clock,
    /// How long everything may take to end once that has begun.
    drain: Duration,
    tasks: Vec<JoinHandle<()>>,
    /// None where this process is alone on its database.
    number: Option<node::Keeper>,
    /// On SQLite: keeps others from serving from the file.
    _owner: Option<Owner>,
}

impl Running {
    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The bot API's configured address.
    #[must_use]
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// What the rooms share, for the command line's own needs and for tests.
    #[must_use]
    pub fn world(&self) -> &Arc<World> {
        &self.world
    }

    /// Waits until it was told to end and everything has ended; then closes the store. Whatever the database does, that
    /// is over seconds after `drain_seconds`: closing the store gets what is left of them, and [`LAST_STEPS`] at least.
    pub async fn wait(self) {
        let Self { stop, clock, drain, world, trigger, number, tasks, .. } = self;
        stop.draining().await;
        let begun = clock.instant();
        // requests are cut off by then; a job that still waits for the database is left
        let joined = tokio::time::timeout(drain + LAST_STEPS, async {
            for task in tasks {
                // a task that panicked has said so; the others still end in order
                let _ = task.await;
            }
        });
        if joined.await.is_err() {
            tracing::error!("jobs did not end in time; leaving them");
        }
        let ending = async {
            // nothing is noted any more
            if !trigger.is_stopping() {
                world.end_tool_calls().await;
                world.end_session_uses().await;
            }
            if let Some(number) = number {
                number.end().await;
            }
            if let Err(error) = world.db.close().await {
                tracing::warn!(%error, "the store did not close in order");
            }
        };
        let left = drain.saturating_sub(begun.elapsed()).max(LAST_STEPS);
        if tokio::time::timeout(left, ending).await.is_err() {
            tracing::error!("the store did not close in time; leaving it as it is");
        }
    }

    /// Begins the end: no new work, what has begun is finished.
    pub fn drain(&self) {
        self.trigger.drain();
    }

    /// Ends at once: what has begun is cut off.
    pub fn stop(&self) {
        self.trigger.stop();
    }
}

/// Starts to serve.
///
/// # Errors
/// [`StartError`], before anything is served.
pub fn start(
    config: Config,
    clock: Clock,
    options: StartOptions,
) -> BoxFuture<'static, Result<Running, StartError>> {
    // boxed, so that the server is compiled here alone and not once more in each program that starts one
    Box::pin(started(config, clock, options))
}

async fn started(config: Config, clock: Clock, options: StartOptions) -> Result<Running, StartError> {
    let (trigger, stop) = shutdown::channel();
    let listener = net::bind(config.listen).await.map_err(|e| StartError::Listen(config.listen, e))?;
    let address = listener.local_addr();
    // before the store, whose first work counts too
    let metrics = config.metrics.listen.map(|_| Metrics::install()).transpose()?;
    let outbound = open_outbound(&config, &clock)?;
    let Opened { world, owner, number } =
        open_world(&config, &clock, &options, address, outbound.clone()).await?;
    let world = Arc::new(world);
    let parts: &[&str] = if number.is_some() { &["store", node::PART] } else { &["store"] };
    let readiness = Readiness::new(parts, stop.clone());

    let mut tasks = Vec::new();
    if options.signals {
        let signals = trigger.clone();
        tokio::spawn(async move {
            if let Err(error) = signals.follow_signals().await {
                tracing::error!(%error, "signals are not heard");
            }
        });
    }
    if let (Some(metrics), Some(wanted)) = (metrics, config.metrics.listen) {
        let listener = net::bind(wanted).await.map_err(|e| StartError::Listen(wanted, e))?;
        tracing::info!(metrics_address = %listener.local_addr(), "serving metrics");
        let limits = Arc::clone(&world.limits);
        let metrics = metrics.before_scrape(move || {
            #[expect(clippy::cast_precision_loss, reason = "so many keys fit no memory")]
            metrics::gauge!(RATE_LIMIT_KEYS).set(limits.len() as f64);
        });
        tokio::spawn(metrics.clone().keep_up(clock.clone(), stop.clone()));
        tasks.push(tokio::spawn(listener.serve(
            metrics,
            config.serve_options(),
            clock.clone(),
            stop.clone(),
        )));
    }
    if config.events.enabled {
        let settings = events::Settings {
            agent: agent(config.service_name.as_str()),
            lease: options.event_lease,
            apps_at_once: options.event_apps,
            drain: Duration::from_secs(config.drain_seconds.into()),
        };
        let (delivery, task) = events::start(Arc::clone(&world), outbound, settings, stop.clone());
        // this world is new, so nothing was set before
        let _ = world.delivery.set(Box::new(delivery));
        tasks.push(task);
    }
    tasks.extend(jobs::maintain(&world, &stop));
    tasks.push(tokio::spawn(jobs::index(Arc::clone(&world), stop.clone())));
    tasks.push(tokio::spawn(jobs::write_back(Arc::clone(&world), stop.clone())));
    tasks.push(tokio::spawn(jobs::forget_owners(Arc::clone(&world), stop.clone())));
    tasks.push(tokio::spawn(jobs::share_limits(Arc::clone(&world), stop.clone())));
    if config.test_clock && number.is_some() {
        tasks.push(tokio::spawn(jobs::follow_clock(Arc::clone(&world), stop.clone())));
    }
    tasks.push(tokio::spawn(Arc::clone(&world).keep_tool_calls(stop.clone())));
    let base_url = world.settings.base_url.clone();
    let number = number.map(|it| {
        node::Keeper::start(it, Arc::clone(&world.ids), world.db.clone(), clock.clone(), readiness.clone())
    });
    let endpoint = routes::all(&world, &config, readiness, stop.clone());
    let drain = Duration::from_secs(config.drain_seconds.into());
    tasks.push(tokio::spawn(listener.serve(endpoint, config.serve_options(), clock.clone(), stop.clone())));
    tracing::info!(%address, %base_url, environment = %config.environment, "serving");
    Ok(Running { address, base_url, world, trigger, stop, clock, drain, tasks, number, _owner: owner })
}

/// The world, and what this process alone has of its database.
struct Opened {
    world: World,
    /// The file, on SQLite.
    owner: Option<Owner>,
    /// A number among the nodes, on PostgreSQL.
    number: Option<NodeNumber>,
}

async fn open_world(
    config: &Config,
    clock: &Clock,
    options: &StartOptions,
    address: SocketAddr,
    outbound: Outbound,
) -> Result<Opened, StartError> {
    let url = database_url(&config.database.url)?;
    let session_url = session_url(&config.database)?;
    // first: what a process that runs works on is not changed under it
    let owner = store::own(&url)?;
    refuse_marked(&session_url).await?;
    prepare_schema(&session_url, options.migrate).await?;
    let days = |days: u32| Duration::from_secs(u64::from(days) * 24 * 60 * 60);
    let database = DbOptions { max_pages: options.max_pages, ..server_options(&config.database)? };
    let db = Db::open(&url, database).await?;
    let rng = Rng::os();
    let begun = db.write(Begin { fresh_key: rng.bytes() }).await?;
    let master = MasterKey::new(begun.master);
    let clock_offset = if config.test_clock { begun.clock_offset } else { 0 };
    clock.shift(clock_offset);
    // each start looks from another number on, so that few meet one that was just given up
    let from = Wanted::From(u8::try_from(begun.starts.rem_euclid(256)).unwrap_or(0));
    let numbers = config.nodes.0.clone();
    let wanted = config.node.map_or(from, Wanted::Only);
    let number = store::take_node_number(&session_url, wanted, numbers).await?;
    // a move may have marked the database since the first look; it needs all numbers, so none has begun after this
    if number.is_some() && db.read(marks::IsMarked).await? {
        refuse_marked(&session_url).await?;
    }
    let ids = id_gen(config, clock, number.as_ref());
    // read after the number was taken: whoever had it before gives no more ids
    node::report_stray(ids.seed(db.read(HighestId).await?));
    let limits = match db.shared_limits().filter(|_| config.limits.scale == 1) {
        None => Limits::in_memory(config.limits.scale),
        Some(state) => {
            let patience = Duration::from_millis(config.limits.shared_wait_ms.into());
            Limits::shared(state, i64::from_be_bytes(rng.bytes()), patience, clock.clone())
        }
    };
    let settings = Settings {
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
        mcp_requests_per_minute: config.limits.mcp_requests_per_minute,
        allow_private_hosts: config.allow_private_hosts.iter().map(ToString::to_string).collect(),
    };
    let world = World {
        db,
        clock: clock.clone(),
        ids: Arc::new(ids),
        limits: Arc::new(limits),
        documents: Documents::new(outbound),
        blobs: Blobs::open(config.files.place(), clock.clone())?,
        passwords: Passwords::new(rng.clone()),
        keys: Keys {
            cursors: master.subkey("cursors"),
            links: master.subkey("links"),
            csrf: master.subkey("csrf"),
            connection_tokens: master.subkey("connection tokens"),
        },
        rng,
        settings,
        clock_moves: ClockMoves::begun(clock_offset),
        key_walk: KeyWalk::default(),
        tool_calls: Queue::default(),
        token_walk: TokenWalk::default(),
        recent_keys: RecentKeys::default(),
        sends: Together::default(),
        refused_sends: RecentRefusals::default(),
        session_uses: SessionUses::default(),
        delivery: OnceLock::new(),
    };
    Ok(Opened { world, owner, number })
}

/// Applies pending migrations, or refuses a database that lacks any.
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
            "a newer version has migrated the database; this one works on its schema until it is upgraded"
        );
    }
    Ok(())
}

/// Refuses a database that was moved away, or into which a restore was not finished.
async fn refuse_marked(url: &store::DatabaseUrl) -> Result<(), StartError> {
    match marks::of(url).await? {
        Some(mark) => Err(Marked::from(mark).into()),
        None => Ok(()),
    }
}

/// Requests to others' servers, as configured.
///
/// # Errors
/// When the authorities to trust cannot be read.
pub fn open_outbound(config: &Config, clock: &Clock) -> Result<Outbound, StartError> {
    let read =
        |path: &PathBuf| std::fs::read(path).map_err(|why| StartError::ExtraCa { path: path.clone(), why });
    let extra_ca = config.extra_ca_file.as_ref().map(read).transpose()?;
    let settings = outbound::Settings {
        extra_ca,
        exempt: config.allow_private_hosts.iter().map(ToString::to_string).collect(),
        name_servers: config.name_servers.clone(),
    };
    Ok(Outbound::new(settings, clock.clone())?)
}

/// How events name their sender (D-167): `<service>-events/1`.
fn agent(service: &str) -> HeaderValue {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let name: String = service.chars().map(plain).collect();
    HeaderValue::from_str(&format!("{name}-events/1"))
        .unwrap_or_else(|_| HeaderValue::from_static("switchboard-events/1"))
}

/// The configured address; where that is the default of a port still to be chosen, the one chosen.
fn base_url(config: &Config, address: SocketAddr) -> String {
    let configured = config.base_url.as_str();
    if config.listen.port() == 0 && configured == config::BaseUrl::local().as_str() {
        return format!("http://{address}");
    }
    configured.to_owned()
}

/// The assistant connection server's address: its own, or the base address.
fn mcp_url(config: &Config, address: SocketAddr) -> String {
    config.mcp_url.as_ref().map_or_else(|| base_url(config, address), |url| url.as_str().to_owned())
}

/// What every start reads first.
struct Begun {
    master: [u8; 32],
    /// Microseconds.
    clock_offset: i64,
    /// How often a process was started on this database: tells nodes apart that are not given numbers.
    starts: i64,
}

struct Begin {
    fresh_key: [u8; 32],
}

impl Op for Begin {
    const NAME: &'static str = "begin";
    type Out = Begun;

    async fn run<C: Sql>(&self, c: &mut C) -> StoreResult<Begun> {
        let master = server::secret(c, "master", &self.fresh_key).await?;
        let master = master.try_into().map_err(|_| StoreError::bug("the master key is not 32 bytes"))?;
        let offset = server::state(c, server::CLOCK_OFFSET).await?.unwrap_or(0);
        let starts = server::count(c, server::STARTS).await?;
        Ok(Begun { master, clock_offset: offset, starts })
    }
}

struct HighestId;

impl Op for HighestId {
    const NAME: &'static str = "highest_id";
    type Out = i64;

    async fn run<C: Sql>(&self, c: &mut C) -> StoreResult<i64> {
        messages::highest_id(c).await
    }
}
