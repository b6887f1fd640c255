//! A whole server in the test's process: real routes on a real socket over a database of its own.

use std::{
    collections::HashSet,
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

use super::{api::Api, database::TestDatabase};

/// 2026-11-20T12:00:00Z: where every test's clock begins.
pub const START: Timestamp = Timestamp(1_795_176_000_000_000);

/// Changes a configuration.
pub type Configure = Arc<dyn Fn(&mut Config) + Send + Sync>;

/// What a server is started with.
#[derive(Clone)]
pub struct Options {
    pub engine: Engine,
    /// The contract's rate limits; otherwise a thousand times as many.
    pub limits: bool,
    pub production: bool,
    /// What else the configuration says.
    pub configure: Option<Configure>,
}

impl Default for Options {
    fn default() -> Self {
        Self { engine: Engine::Sqlite, limits: false, production: false, configure: None }
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
        Some(Self::start(options, database, files, Clock::manual(START)).await)
    }

    /// Another process over the same database, with the same clock.
    pub async fn twin(&self) -> Self {
        let (database, files) = (Arc::clone(&self.database), Arc::clone(&self.files));
        Self::start(self.options.clone(), database, files, self.clock.clone()).await
    }

    async fn start(options: Options, database: Arc<TestDatabase>, files: Arc<TempDir>, clock: Clock) -> Self {
        let operator_key = token::mint(Kind::Operator, &[7; 32]);
        let config = config(&options, &database, &files, &operator_key);
        let start = StartOptions { signals: false, ..StartOptions::default() };
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
        world.run_due(world.clock.now()).await.unwrap();
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
    config.limits.scale = if options.limits { 1 } else { 1000 };
    if let Some(configure) = &options.configure {
        configure(&mut config);
    }
    config
}
