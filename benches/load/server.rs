//! Starts the measured servers and the floors in this process. The databases are filled before the measurement. A floor
//! is a minimal program with which the server is compared (`docs/performance.md`). The servers and the floors have a
//! runtime of their own. Floor B is the exception: the load generator calls it on the load generator's runtime.

use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use switchboard::{
    app::Running,
    config::Config,
    platform::{clock::Clock, shutdown},
};
use tempfile::TempDir;
use tokio::runtime::Runtime;

use super::{
    CLIENTS, bulk,
    client::Work,
    connections, cpu,
    data::{self, Data},
    floor_axum, floor_json, floor_rows, floor_select,
    options::Options,
    support::{in_process, postgres},
};

/// Factor of every rate limit, so high that no request is rejected. Requests are still counted.
pub const LIMITS: u32 = 100_000;

/// The runtime of the servers and the folder of their files.
pub struct Servers {
    runtime: Runtime,
    folder: TempDir,
    postgres: Option<postgres::Server>,
    /// The standby of `postgres`. If there is one, the servers also read from it.
    replica: Option<postgres::Server>,
    /// Number of servers on each database.
    nodes: usize,
    _trigger: shutdown::Trigger,
    stop: shutdown::Stop,
}

/// The servers on one filled database.
pub struct Ready {
    /// The server that has filled the database.
    pub running: Running,
    /// The other servers on the same database.
    others: Vec<Running>,
    pub data: Data,
    /// Access tokens of assistants, one for each connection of the load generator.
    pub assistants: Vec<String>,
    messages: usize,
    storage: Storage,
}

/// What the measurement of a server in another process needs: a filled database, its files and a token.
pub struct Storage {
    /// The URL of the database.
    pub database: String,
    /// The folder of the files.
    pub files: PathBuf,
    /// The token of a bot in the database.
    pub token: String,
}

impl Servers {
    pub fn new(options: &Options) -> Self {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().thread_name("server").enable_all().build().unwrap();
        let folder = in_process::folder(options.dir.as_ref());
        let postgres = options.postgres.as_deref().map(in_process::postgres);
        let replica = options.replica.then(|| postgres.as_ref().unwrap().standby());
        if options.postgres.as_deref() == Some("start") {
            [&postgres, &replica].into_iter().flatten().for_each(cpu::watch_database);
        }
        let (trigger, stop) = shutdown::channel();
        Self { runtime, folder, postgres, replica, nodes: options.nodes, _trigger: trigger, stop }
    }

    /// Measures `fdatasync` on the disk of the folder: the median time to sync 4 KiB that were just written.
    pub fn fsync(&self) -> Duration {
        let path = self.folder.path().join("fsync");
        let mut file = std::fs::File::create(path).unwrap();
        let mut times: Vec<Duration> = (0..200)
            .map(|_| {
                file.write_all(&[1; 4096]).unwrap();
                let begun = Instant::now();
                file.sync_data().unwrap();
                begun.elapsed()
            })
            .collect();
        times.sort_unstable();
        times[times.len() / 2]
    }

    /// Shuts the runtime down in the background. Dropping the runtime inside another runtime would panic.
    pub fn end(self) {
        self.runtime.shutdown_background();
    }

    async fn database(&self, name: &str) -> String {
        in_process::database(self.postgres.as_ref(), &self.folder.path().join(name), name).await
    }

    /// Starts the servers on a new database that contains `messages` messages.
    pub async fn start(&self, name: &str, messages: usize) -> Ready {
        let database = self.database(name).await;
        let mut config = in_process::config(&database, &self.folder.path().join(name));
        config.limits.scale = LIMITS;
        config.database.replica_url = self
            .replica
            .as_ref()
            .map(|server| in_process::url(&server.url(&in_process::postgres_name(name))));
        let files = config.files.dir.clone();
        if name == "small" {
            // A process can install only one metrics recorder, so a second start with a listener for metrics would
            // fail. The server on the database `small` starts first, and installs the recorder of all servers.
            config.metrics.listen = Some(([127, 0, 0, 1], 0).into());
        }
        let bulk_url = (self.postgres.is_some() && messages > 100_000).then(|| database.clone());
        let nodes = self.nodes;
        let starting = self.runtime.spawn(async move {
            let running = in_process::start(config.clone(), Clock::system()).await;
            let begun = Instant::now();
            let data = match bulk_url {
                Some(url) => bulk::fill(running.world(), &url, messages).await,
                None => data::fill(running.world(), messages).await,
            };
            // builds the search index now, so that it is not built during the measurement
            while running.world().index_some().await.unwrap() {}
            eprintln!("{messages} messages written and indexed in {:.1} s", begun.elapsed().as_secs_f64());
            let employees = &data.people[..CLIENTS];
            let assistants = connections::connect(running.world(), data.workspace, employees).await;
            config.metrics.listen = None;
            let mut others = Vec::new();
            for _ in 1..nodes {
                others.push(in_process::start(config.clone(), Clock::system()).await);
            }
            (running, others, data, assistants)
        });
        let (running, others, data, assistants) = starting.await.unwrap();
        let storage = Storage { database, files, token: data.tokens[0].clone() };
        Ready { running, others, data, assistants, messages, storage }
    }

    /// Indexes the messages that are still queued, so that a process that opens the database later has nothing to
    /// index.
    pub async fn settle(&self, ready: &Ready) {
        let world = Arc::clone(ready.running.world());
        let settling = async move { while world.index_some().await.unwrap() {} };
        self.runtime.spawn(settling).await.unwrap();
    }

    /// Returns whether the databases are on PostgreSQL.
    pub fn is_on_postgres(&self) -> bool {
        self.postgres.is_some()
    }

    /// Starts the bare axum server and returns its address.
    pub async fn hello(&self) -> SocketAddr {
        self.runtime.spawn(floor_axum::start()).await.unwrap()
    }

    /// Starts floors S (one SELECT) and P (one page) on the database of `ready`. Returns their common address.
    pub async fn floor_select(&self, ready: &Ready) -> SocketAddr {
        let options = ready.storage.database.parse().unwrap();
        let connections = Config::default().database.max_connections;
        self.runtime.spawn(floor_select::start(options, connections, self.stop.clone())).await.unwrap()
    }

    /// Starts floor A (bare JSON) and returns its address.
    pub async fn floor_json(&self) -> SocketAddr {
        self.runtime.spawn(floor_json::start(self.stop.clone())).await.unwrap()
    }

    /// Prepares floor B (bare commits) on a database of its own. Returns the work that the load generator measures.
    pub async fn floor_rows(&self) -> Work {
        let database = self.database("floor").await;
        let url: switchboard::store::DatabaseUrl = database.parse().unwrap();
        let connections = Config::default().database.max_connections;
        let made = self.runtime.spawn(async move {
            match &url {
                switchboard::store::DatabaseUrl::Sqlite(path) => {
                    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                    switchboard::store::migrate(&url).await.unwrap();
                    Made::Sqlite(path.clone())
                }
                switchboard::store::DatabaseUrl::Postgres(options) => {
                    switchboard::store::migrate(&url).await.unwrap();
                    Made::Postgres(Box::new(options.first().clone()))
                }
            }
        });
        match made.await.unwrap() {
            Made::Sqlite(path) => floor_rows::on_sqlite(&path),
            Made::Postgres(options) => floor_rows::on_postgres(*options, connections).await,
        }
    }
}

enum Made {
    Sqlite(PathBuf),
    Postgres(Box<sqlx::postgres::PgConnectOptions>),
}

impl Ready {
    /// Returns the addresses of all servers on the database.
    pub fn addresses(&self) -> Vec<SocketAddr> {
        [&self.running].into_iter().chain(&self.others).map(Running::address).collect()
    }

    /// Begins a graceful shutdown of the servers. Returns their storage, and the number of messages with which the
    /// database was filled.
    pub fn close(self) -> (Storage, usize) {
        self.running.drain();
        self.others.iter().for_each(Running::drain);
        (self.storage, self.messages)
    }
}
