//! A whole server in the test's process: real routes on a real socket over a database of its own.

use std::{
    collections::HashSet,
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::Duration,
};

use switchboard::{
    app::{self, Running, StartOptions},
    config::{self, Config, Environment},
    domain::{
        time::Timestamp,
        token::{self, Kind},
    },
    platform::clock::Clock,
    store::Engine,
};
use tempfile::TempDir;

use super::{api::Api, database::TestDatabase, receiver::authority_pem};

/// 2026-11-20T12:00:00Z: where every test's clock begins.
pub const START: Timestamp = Timestamp(1_795_176_000_000_000);

/// How long another process waits for the events of one that died. An attempt and a bit.
pub const LEASE: Duration = Duration::from_secs(8);

/// What a server is started with.
#[derive(Clone)]
pub struct Options {
    pub engine: Engine,
    /// The contract's rate limits; otherwise a thousand times as many.
    pub limits: bool,
    pub production: bool,
    /// Whether events are delivered. Tests of other things let them lie.
    pub events: bool,
    /// Pairs `host:port` that callbacks may lead to although they are on this machine.
    pub exempt: Vec<String>,
    /// Asked for the hosts of callbacks.
    pub name_servers: Vec<SocketAddr>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            engine: Engine::Sqlite,
            limits: false,
            production: false,
            events: false,
            exempt: Vec::new(),
            name_servers: Vec::new(),
        }
    }
}

/// A server and everything that must live as long as it.
pub struct Server {
    pub base: String,
    pub clock: Clock,
    running: Running,
    operator_key: String,
    http: reqwest::Client,
    seen: Arc<Mutex<HashSet<String>>>,
    files: Arc<TempDir>,
    pub database: Arc<TestDatabase>,
    options: Options,
}

impl Server {
    /// A sandbox on SQLite.
    pub async fn sqlite() -> Self {
        Self::with(Options::default()).await.expect("SQLite is always there")
    }

    /// A sandbox on PostgreSQL, when the machine can start one.
    pub async fn postgres() -> Option<Self> {
        Self::with(Options { engine: Engine::Postgres, ..Options::default() }).await
    }

    pub async fn with(options: Options) -> Option<Self> {
        let database = Arc::new(TestDatabase::new(options.engine).await?);
        let files = Arc::new(tempfile::tempdir().unwrap());
        Some(Self::on(options, database, files, Clock::manual(START)).await)
    }

    /// Another process on the same database, with the same files and the same clock.
    pub async fn beside(&self) -> Self {
        let (database, files) = (Arc::clone(&self.database), Arc::clone(&self.files));
        Self::on(self.options.clone(), database, files, self.clock.clone()).await
    }

    async fn on(options: Options, database: Arc<TestDatabase>, files: Arc<TempDir>, clock: Clock) -> Self {
        let operator_key = token::mint(Kind::Operator, &[7; 32]);
        let config = config(&options, &database, &files, &operator_key);
        let start = StartOptions { signals: false, event_lease: LEASE, ..StartOptions::default() };
        let running = app::start(config, clock.clone(), start).await.unwrap();
        let http = reqwest::Client::builder()
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .unwrap();
        Self {
            base: format!("http://{}", running.address()),
            clock,
            running,
            operator_key,
            http,
            seen: Arc::default(),
            files,
            database,
            options,
        }
    }

    /// Nobody in particular.
    pub fn api(&self) -> Api {
        Api {
            base: self.base.clone(),
            http: self.http.clone(),
            authorization: None,
            seen: Arc::clone(&self.seen),
        }
    }

    pub fn operator(&self) -> Api {
        self.api().bearer(&self.operator_key)
    }

    /// Moves the clock and does what has become due.
    pub async fn advance(&self, by: Duration) {
        self.clock.advance(by);
        let world = self.running.world();
        world.catch_up(world.clock.now()).await.unwrap();
    }

    /// Waits until what is due was done, deliveries included.
    pub async fn settle(&self) {
        self.advance(Duration::ZERO).await;
    }

    /// Ends in order and starts again.
    pub async fn restarted(self) -> Self {
        self.running.drain();
        self.running.wait().await;
        Self::on(self.options, self.database, self.files, self.clock).await
    }

    /// Ends as if killed, with nothing that has begun finished or given back, and starts again.
    pub async fn killed(self) -> Self {
        self.running.stop();
        self.running.wait().await;
        Self::on(self.options, self.database, self.files, self.clock).await
    }

    /// Ends as if killed.
    pub async fn kill(self) {
        self.running.stop();
        self.running.wait().await;
    }

    /// The process under test.
    pub fn running(&self) -> &Running {
        &self.running
    }
}

fn config(options: &Options, database: &TestDatabase, files: &TempDir, operator_key: &str) -> Config {
    let mut config = Config::default();
    config.listen = ([127, 0, 0, 1], 0).into();
    config.environment = if options.production { Environment::Production } else { Environment::Sandbox };
    config.operator_key_sha256 = Some(config::Sha256Hex(token::hash(operator_key)));
    config.test_clock = !options.production;
    config.database.url = database.config_url();
    config.files.dir = files.path().to_owned();
    config.events.enabled = options.events;
    if !options.exempt.is_empty() {
        config.environment = Environment::Dev;
        config.allow_private_hosts =
            options.exempt.iter().map(|host| config::HostPort::parse(host).unwrap()).collect();
    }
    config.name_servers = options.name_servers.clone();
    let authority = files.path().join("authority.pem");
    std::fs::write(&authority, authority_pem()).unwrap();
    config.extra_ca_file = Some(authority);
    config.limits.scale = if options.limits { 1 } else { 1000 };
    config
}
