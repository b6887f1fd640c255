//! Composition of a server process: opens the store, creates the [`World`] (the state that all APIs share), the APIs
//! and the routes, and starts and stops the server.
//!
//! The commands `serve` and `dev`, the tests and the benchmarks start servers with [`start`]. Other commands start no
//! server. They use [`documents`], [`diagnostics`], [`HighestId`], and the functions that convert the configuration for
//! the store and for the HTTP client.

mod database;
pub mod diagnostics;
pub mod documents;
mod error;
mod files;
mod jobs;
mod listeners;
mod node;
mod open;
mod reference;
mod request_log;
mod routes;
mod secrets;

use std::{net::SocketAddr, path::PathBuf, sync::Arc, time::Duration};

use futures_util::future::BoxFuture;
use http::HeaderValue;
use tokio::task::JoinHandle;

pub use self::database::{addresses, database_options, database_url, replica_url, session_url};
pub use self::error::StartError;
pub use self::node::HighestId;
use self::{
    open::{OpenedWorld, open_world},
    reference::SandboxToken,
};
pub use crate::pages::console::{Fact, FactGroup, SandboxFacts};
use crate::{
    config::Config,
    events,
    pages::console::ConsoleHandle,
    platform::{
        clock::Clock,
        health::Readiness,
        metrics::{Metrics, RATE_LIMIT_KEYS},
        net,
        outbound::{self, Outbound},
        shutdown::{self, Stop, Trigger},
    },
    service::World,
    store::FileOwner,
};

/// Start options in addition to the configuration.
#[derive(Clone, Debug)]
pub struct StartOptions {
    /// Whether [`start`] applies pending migrations.
    pub migrate: bool,
    /// Whether the server shuts down on SIGTERM and SIGINT.
    pub signals: bool,
    /// Term of the lease with which a process delivers an app's events. If the process crashes, the events wait up to
    /// this long for another process.
    pub event_lease: Duration,
    /// Maximum number of apps whose events are delivered concurrently.
    pub event_apps: usize,
    /// SQLite: maximum size of the database, in pages of 4 KiB. With a low maximum, tests simulate a full disk.
    pub max_pages: Option<u32>,
}

impl Default for StartOptions {
    fn default() -> Self {
        Self {
            migrate: true,
            signals: true,
            event_lease: events::LEASE,
            event_apps: events::MAX_ACTIVE_APPS,
            max_pages: None,
        }
    }
}

/// The minimum timeout for writing queued rows and closing the store. It applies if open requests have used up
/// `drain_seconds`.
const MIN_CLOSE_TIME: Duration = Duration::from_secs(1);

/// A running server.
pub struct Running {
    address: SocketAddr,
    base_url: String,
    world: Arc<World>,
    token: SandboxToken,
    /// `None` in production.
    console: Option<ConsoleHandle>,
    trigger: Trigger,
    stop: Stop,
    clock: Clock,
    /// How long a shutdown waits for open requests (`drain_seconds`).
    drain: Duration,
    tasks: Vec<JoinHandle<()>>,
    /// The task that keeps the node number. `None` on SQLite, because this process is alone on its database.
    number: Option<node::NodeNumberKeeper>,
    /// SQLite: the lock that keeps other processes from serving the file.
    _owner: Option<FileOwner>,
}

impl Running {
    /// Returns the address on which the server listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the configured base URL. If the base URL is the default and the configured port is 0, returns the URL of
    /// the address on which the server listens.
    #[must_use]
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// If the server listens on a loopback address, fills a bot token into the API reference at `/docs`, for browsers
    /// on this machine. Only the first call has an effect.
    pub fn fill_in_token(&self, token: &str) {
        if self.address.ip().is_loopback() {
            let _ = self.token.set(token.to_owned());
        }
    }

    /// Returns the URL of a new one-time link that signs in to the console; `None` in production. The link is valid for
    /// an hour. The previous link becomes invalid.
    #[must_use]
    pub fn console_link(&self) -> Option<String> {
        let path = self.console.as_ref()?.new_link(&self.world);
        Some(format!("{}{path}", self.base_url))
    }

    /// Shows ids and secrets of this sandbox in its console. Only the first call has an effect.
    pub fn show_in_console(&self, facts: SandboxFacts) {
        if let Some(console) = &self.console {
            console.show(facts);
        }
    }

    /// Returns the shared state, for commands and tests.
    #[must_use]
    pub fn world(&self) -> &Arc<World> {
        &self.world
    }

    /// Waits until a shutdown has begun and all tasks have ended, and then closes the store. Even if the database
    /// hangs, the shutdown takes at most `drain_seconds` plus twice [`MIN_CLOSE_TIME`].
    pub async fn wait(self) {
        let Self { stop, clock, drain, world, trigger, number, tasks, .. } = self;
        stop.draining().await;
        let begun = clock.instant();
        // all requests are aborted before this timeout; a job that still waits for the database is abandoned
        let joined = tokio::time::timeout(drain + MIN_CLOSE_TIME, async {
            for task in tasks {
                // an error is a panic, which the panic hook has reported; the other tasks are awaited nevertheless
                let _ = task.await;
            }
        });
        if joined.await.is_err() {
            tracing::error!("jobs did not end in time; abandoning them");
        }
        let ending = async {
            // no request is running, so nothing is added to the queues that are written here
            if !trigger.is_stopping() {
                world.finish_tool_calls().await;
                world.finish_session_uses().await;
                world.finish_marks().await;
            }
            let number = match number {
                Some(keeper) => keeper.end().await,
                None => None,
            };
            let closed = world.db.close().await;
            match (&closed, number) {
                (Ok(()), Some(number)) => number.release().await,
                // If the store could not be closed, a write is possibly still in progress, so the node number is not
                // released. So another node uses the number only after this node's last confirmation of the number has
                // certainly expired.
                (Err(_), Some(_)) | (_, None) => {}
            }
            if let Err(error) = closed {
                tracing::warn!(%error, "failed to close the store");
            }
        };
        let left = drain.saturating_sub(begun.elapsed()).max(MIN_CLOSE_TIME);
        if tokio::time::timeout(left, ending).await.is_err() {
            tracing::error!("timed out closing the store");
        }
    }

    /// Waits until the shutdown has begun, by a signal or by [`Running::drain`].
    pub async fn draining(&self) {
        self.stop.draining().await;
    }

    /// Begins a graceful shutdown: accepts no new work and finishes the work in progress.
    pub fn drain(&self) {
        self.trigger.drain();
    }

    /// Stops immediately and aborts the work in progress.
    pub fn stop(&self) {
        self.trigger.stop();
    }
}

/// Starts a server.
///
/// # Errors
/// [`StartError`]; in this case the server has served no request.
pub fn start(
    config: Config,
    clock: Clock,
    options: StartOptions,
) -> BoxFuture<'static, Result<Running, StartError>> {
    // boxed, so that this code is compiled once here, and not again in every program that starts a server
    Box::pin(started(config, clock, options))
}

async fn started(config: Config, clock: Clock, options: StartOptions) -> Result<Running, StartError> {
    let (trigger, stop) = shutdown::channel();
    let listener = net::bind(config.listen).await.map_err(|e| StartError::Listen(config.listen, e))?;
    let address = listener.local_addr();
    // The metrics are installed before the store is opened, so that the first operations of the store are counted. The
    // addresses are bound before the store is opened too, so that a start whose address is in use takes no node number.
    let metrics = match config.metrics.listen {
        Some(wanted) => {
            let listener = net::bind(wanted).await.map_err(|e| StartError::Listen(wanted, e))?;
            Some((Metrics::install()?, listener))
        }
        None => None,
    };
    let outbound = open_outbound(&config, &clock)?;
    let OpenedWorld { world, owner, number } =
        open_world(&config, &clock, &options, address, outbound.clone()).await?;
    let world = Arc::new(world);
    let parts: &[&str] = if number.is_some() { &["store", node::PART] } else { &["store"] };
    let readiness = Readiness::new(parts, stop.clone());

    let mut tasks = Vec::new();
    if options.signals {
        let signals = trigger.clone();
        tokio::spawn(async move {
            if let Err(error) = signals.follow_signals().await {
                tracing::error!(%error, "failed to install signal handlers");
            }
        });
    }
    if let Some((metrics, listener)) = metrics {
        tracing::info!(metrics_address = %listener.local_addr(), "serving metrics");
        let limits = Arc::clone(&world.limits);
        let metrics = metrics.before_scrape(move || {
            #[expect(clippy::cast_precision_loss, reason = "the number of keys is far below 2^52")]
            metrics::gauge!(RATE_LIMIT_KEYS).set(limits.len() as f64);
        });
        tokio::spawn(metrics.clone().keep_up(clock.clone(), stop.clone()));
        let options = listeners::for_metrics(&config);
        tasks.push(tokio::spawn(listener.serve(metrics, options, clock.clone(), stop.clone())));
    }
    if config.events.enabled {
        let settings = events::DeliverySettings {
            agent: agent(config.service_name.as_str()),
            lease: options.event_lease,
            max_active_apps: options.event_apps,
            drain: Duration::from_secs(config.drain_seconds.into()),
        };
        let (delivery, task) = events::start(Arc::clone(&world), outbound, settings, stop.clone());
        // this cannot fail, because `world` is new and has no delivery yet
        let _ = world.delivery.set(Box::new(delivery));
        tasks.push(task);
    }
    tasks.extend(jobs::maintain(&world, &stop));
    tasks.push(tokio::spawn(Arc::clone(&world).run_live(stop.clone())));
    tasks.push(tokio::spawn(jobs::index(Arc::clone(&world), stop.clone())));
    tasks.push(tokio::spawn(jobs::checkpoint_wal(Arc::clone(&world), stop.clone())));
    tasks.push(tokio::spawn(jobs::clear_token_cache_regularly(Arc::clone(&world), stop.clone())));
    tasks.push(tokio::spawn(jobs::share_limits(Arc::clone(&world), stop.clone())));
    if config.test_clock && number.is_some() {
        tasks.push(tokio::spawn(jobs::follow_clock(Arc::clone(&world), stop.clone())));
    }
    tasks.push(tokio::spawn(Arc::clone(&world).write_tool_calls(stop.clone())));
    tasks.push(tokio::spawn(secrets::watch(Arc::clone(&world), readiness.clone(), stop.clone())));
    let base_url = world.settings.base_url.clone();
    let number = number.map(|it| {
        node::NodeNumberKeeper::start(
            it,
            Arc::clone(&world.ids),
            world.db.clone(),
            clock.clone(),
            readiness.clone(),
        )
    });
    let token = SandboxToken::default();
    let (endpoint, console) = routes::all(&world, &config, readiness, stop.clone(), Arc::clone(&token));
    let drain = Duration::from_secs(config.drain_seconds.into());
    tasks.push(tokio::spawn(listener.serve(
        endpoint,
        listeners::options(&config),
        clock.clone(),
        stop.clone(),
    )));
    tracing::info!(%address, %base_url, environment = %config.environment, "serving");
    Ok(Running {
        address,
        base_url,
        world,
        token,
        console,
        trigger,
        stop,
        clock,
        drain,
        tasks,
        number,
        _owner: owner,
    })
}

/// Opens the HTTP client for requests to other servers.
///
/// # Errors
/// If the additional certificate authorities cannot be read or parsed, or if the client cannot be created.
pub fn open_outbound(config: &Config, clock: &Clock) -> Result<Outbound, StartError> {
    let read =
        |path: &PathBuf| std::fs::read(path).map_err(|why| StartError::ExtraCa { path: path.clone(), why });
    let extra_ca = config.extra_ca_file.as_ref().map(read).transpose()?;
    let settings = outbound::OutboundSettings {
        extra_ca,
        exempt: config.allow_private_hosts.iter().map(ToString::to_string).collect(),
        name_servers: config.name_servers.clone(),
    };
    Ok(Outbound::new(settings, clock.clone())?)
}

/// Returns the `User-Agent` of event deliveries (D-167): `<service>-events/1`.
fn agent(service: &str) -> HeaderValue {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let name: String = service.chars().map(plain).collect();
    HeaderValue::from_str(&format!("{name}-events/1"))
        .unwrap_or_else(|_| HeaderValue::from_static("switchboard-events/1"))
}
