//! A complete server in the test's process: real routes on a real socket, with a database of its own.

use std::{
    collections::HashSet,
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::Duration,
};

use switchboard::{
    app::{self, Running, StartError, StartOptions},
    config::{self, Config, Environment},
    domain::{
        time::Timestamp,
        token::{self, TokenKind},
    },
    platform::clock::Clock,
    store::Engine,
};
use tempfile::TempDir;

use super::{api::Api, database::TestDatabase, receiver::authority_pem};

/// 2026-11-20T12:00:00Z, the initial time of a server's clock, unless the server starts with a given clock.
pub const START: Timestamp = Timestamp(1_795_176_000_000_000);

/// The term of the lease with which a process delivers an app's events. When the process dies, another process waits at
/// most this long before it delivers these events. The term is longer than an attempt takes.
pub const LEASE: Duration = Duration::from_secs(8);

/// Changes a configuration.
pub type Configure = Arc<dyn Fn(&mut Config) + Send + Sync>;

/// The options of a server.
#[derive(Clone)]
pub struct Options {
    pub engine: Engine,
    /// Whether the contract's rate limits apply. If not, the limits are a thousand times as high.
    pub limits: bool,
    pub production: bool,
    /// Further changes to the configuration.
    pub configure: Option<Configure>,
    /// The public URL, if it differs from the address at which the server listens.
    pub base_url: Option<&'static str>,
    /// How long a request waits for PostgreSQL to return the shared state of a rate limit, in milliseconds. After that,
    /// the node decides by its own state. The default is long, because the machine that runs the tests may be busy.
    pub shared_wait_ms: u32,
    /// Whether events are delivered. If not, they stay pending.
    pub events: bool,
    /// Private addresses `host:port` that callback URLs and URLs of metadata documents may have. If the list is not
    /// empty, the environment is `dev`.
    pub exempt: Vec<String>,
    /// The name servers that resolve the hosts of callbacks and of metadata documents.
    pub name_servers: Vec<SocketAddr>,
    /// Maximum number of apps whose events are delivered at the same time.
    pub event_apps: usize,
    /// SQLite: the maximum number of pages of the database, which simulates a full disk.
    pub max_pages: Option<u32>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            engine: Engine::Sqlite,
            limits: false,
            production: false,
            configure: None,
            base_url: None,
            shared_wait_ms: 20_000,
            events: false,
            exempt: Vec::new(),
            name_servers: Vec::new(),
            event_apps: switchboard::events::MAX_ACTIVE_APPS,
            max_pages: None,
        }
    }
}

/// A server and everything that it uses.
pub struct Server {
    pub base: String,
    pub clock: Clock,
    running: Running,
    operator_key: String,
    http: reqwest::Client,
    seen: Arc<Mutex<HashSet<String>>>,
    options: Options,
    files: Arc<TempDir>,
    pub database: Arc<TestDatabase>,
}

impl Server {
    /// Starts a sandbox on SQLite.
    pub async fn sqlite() -> Self {
        Self::with(Options::default()).await.expect("SQLite is always there")
    }

    /// Starts a sandbox on PostgreSQL. Returns `None` if PostgreSQL is not installed on this machine.
    pub async fn postgres() -> Option<Self> {
        Self::with(Options { engine: Engine::Postgres, ..Options::default() }).await
    }

    /// Starts a sandbox on SQLite, with the limits of the contract.
    pub async fn limited() -> Self {
        Self::with(Options { limits: true, ..Options::default() }).await.expect("SQLite is always there")
    }

    /// Starts a production server on SQLite.
    pub async fn production() -> Self {
        Self::with(Options { production: true, ..Options::default() }).await.expect("SQLite is always there")
    }

    pub async fn with(options: Options) -> Option<Self> {
        let database = Arc::new(TestDatabase::new(options.engine).await?);
        let files = Arc::new(tempfile::tempdir().unwrap());
        Some(Self::start(options, database, files, Clock::manual(START), |_| {}).await.unwrap())
    }

    /// Starts a server on an existing database.
    pub async fn on(database: TestDatabase, options: Options) -> Result<Self, StartError> {
        let files = Arc::new(tempfile::tempdir().unwrap());
        Self::start(options, Arc::new(database), files, Clock::manual(START), |_| {}).await
    }

    /// Starts another node on the same database, with this clock and these changes to its configuration.
    pub async fn another_node_with(
        &self,
        clock: Clock,
        change: impl FnOnce(&mut Config),
    ) -> Result<Self, StartError> {
        Self::start(self.options.clone(), self.database.clone(), self.files.clone(), clock, change).await
    }

    /// Starts another node on the same database. The node has a clock of its own, which begins at the time of this
    /// server's clock.
    pub async fn another_node(&self) -> Self {
        self.another_node_with(Clock::manual(self.clock.now()), |_| {}).await.unwrap()
    }

    /// Starts another node on the same database, with a clock at the initial time.
    pub async fn another_node_at_start(&self) -> Self {
        self.another_node_with(Clock::manual(START), |_| {}).await.unwrap()
    }

    /// Starts another node on the same database. The node shares this server's clock.
    pub async fn another_node_with_same_clock(&self) -> Self {
        self.another_node_with(self.clock.clone(), |_| {}).await.unwrap()
    }

    async fn start(
        options: Options,
        database: Arc<TestDatabase>,
        files: Arc<TempDir>,
        clock: Clock,
        change: impl FnOnce(&mut Config),
    ) -> Result<Self, StartError> {
        let operator_key = token::mint(TokenKind::Operator, &[7; 32]);
        let mut config = config(&options, &database, &files, &operator_key);
        change(&mut config);
        let start = StartOptions {
            signals: false,
            event_lease: LEASE,
            event_apps: options.event_apps,
            max_pages: options.max_pages,
            ..StartOptions::default()
        };
        let running = app::start(config, clock.clone(), start).await?;
        let http = reqwest::Client::builder()
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .unwrap();
        Ok(Self {
            base: format!("http://{}", running.address()),
            clock,
            running,
            operator_key,
            http,
            seen: Arc::default(),
            options,
            files,
            database,
        })
    }

    /// Returns a client without credentials.
    pub fn api(&self) -> Api {
        Api {
            base: self.base.clone(),
            http: self.http.clone(),
            authorization: None,
            seen: Arc::clone(&self.seen),
        }
    }

    /// Returns a client without credentials at another address of this machine.
    pub fn api_from(&self, address: std::net::Ipv4Addr) -> Api {
        let http =
            reqwest::Client::builder().no_proxy().local_address(std::net::IpAddr::from(address)).build();
        Api { http: http.unwrap(), ..self.api() }
    }

    pub fn operator(&self) -> Api {
        self.api().bearer(&self.operator_key)
    }

    /// Moves the clock. Then runs every maintenance job once. If the server delivers events, also waits until the due
    /// events were attempted.
    pub async fn advance(&self, by: Duration) {
        self.clock.advance(by);
        let world = self.running.world();
        world.catch_up(world.clock.now()).await.unwrap();
    }

    /// Does what [`Server::advance`] does, but does not move the clock.
    pub async fn settle(&self) {
        self.advance(Duration::ZERO).await;
    }

    /// Shuts down gracefully and starts again.
    pub async fn restarted(self) -> Self {
        self.running.drain();
        self.running.wait().await;
        Self::start(self.options, self.database, self.files, self.clock, |_| {}).await.unwrap()
    }

    /// Shuts down gracefully, and starts again with these changes to the configuration.
    pub async fn restarted_with(self, change: impl FnOnce(&mut Config)) -> Self {
        self.running.drain();
        self.running.wait().await;
        Self::start(self.options, self.database, self.files, self.clock, change).await.unwrap()
    }

    /// Shuts down gracefully, and returns the database.
    pub async fn stopped(self) -> Arc<TestDatabase> {
        self.running.drain();
        self.running.wait().await;
        self.database
    }

    /// Starts a server on the database of a server that was stopped. The new server has an empty folder for files.
    pub async fn again(database: &Arc<TestDatabase>, options: Options) -> Result<Self, StartError> {
        let files = Arc::new(tempfile::tempdir().unwrap());
        Self::start(options, Arc::clone(database), files, Clock::manual(START), |_| {}).await
    }

    /// Stops immediately, as [`Server::kill`] does, and starts again.
    pub async fn killed(self) -> Self {
        self.running.stop();
        self.running.wait().await;
        Self::start(self.options, self.database, self.files, self.clock, |_| {}).await.unwrap()
    }

    /// Stops immediately: aborts running work and discards rows that wait to be written, such as rows of the audit.
    /// Releases the node number if the store can be closed.
    pub async fn kill(self) {
        self.running.stop();
        self.running.wait().await;
    }

    /// Shuts down gracefully.
    pub async fn stop(self) {
        self.running.drain();
        self.running.wait().await;
    }

    /// Returns the folder with the contents of uploaded files.
    pub fn files(&self) -> &std::path::Path {
        self.files.path()
    }

    /// Returns the running server, for tests that call the service layer directly.
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
    // tests hold locks during several steps, and on a busy machine these steps may take long
    config.database.lock_timeout_seconds = 60;
    config.database.statement_timeout_seconds = 60;
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
    if let Some(base_url) = options.base_url {
        config.base_url = config::BaseUrl::parse(base_url).expect("an address");
    }
    config.limits.scale = if options.limits { 1 } else { 1000 };
    config.limits.shared_wait_ms = options.shared_wait_ms;
    if let Some(configure) = &options.configure {
        configure(&mut config);
    }
    config
}
