//! Servers in this process, on a runtime of their own, over databases that are filled first.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use switchboard::{
    app::{self, Running, StartOptions},
    config::{Config, DatabaseUrl, Environment},
    platform::{clock::Clock, secrets::Secret, shutdown},
};
use tempfile::TempDir;
use tokio::runtime::Runtime;

use super::{
    bulk,
    client::Work,
    data::{self, Data},
    floor_axum, floor_json, floor_rows, floor_select,
    options::Options,
};
use crate::postgres;

/// Limits are never met, and are still counted.
pub const LIMITS: u32 = 100_000;

/// The runtime of the servers and the folder of their files.
pub struct Servers {
    runtime: Runtime,
    folder: TempDir,
    postgres: Option<postgres::Server>,
    _trigger: shutdown::Trigger,
    stop: shutdown::Stop,
}

/// One server, filled and serving.
pub struct Ready {
    pub running: Running,
    pub data: Data,
    messages: usize,
    place: Place,
}

/// Where a server keeps everything.
pub struct Place {
    pub database: String,
    pub files: PathBuf,
    pub token: String,
}

/// What a server of the benchmark is started with.
fn config(database: &str, files: &Path) -> Config {
    let mut config = Config::default();
    config.listen = ([127, 0, 0, 1], 0).into();
    config.environment = Environment::Sandbox;
    config.database.url = match database.strip_prefix("sqlite://") {
        Some(path) => DatabaseUrl::Sqlite(path.into()),
        None => DatabaseUrl::Postgres(Secret::new(database)),
    };
    config.files.dir = files.to_owned();
    config.limits.scale = LIMITS;
    config
}

impl Servers {
    pub fn new(options: &Options) -> Self {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().thread_name("server").enable_all().build().unwrap();
        let mut folder = tempfile::Builder::new();
        folder.prefix("switchboard-bench-");
        let folder = match &options.dir {
            Some(dir) => folder.tempdir_in(dir),
            None => folder.tempdir(),
        };
        let postgres = options.postgres.as_deref().map(|url| match url {
            "start" => postgres::Server::start(postgres::Durability::Full).expect("PostgreSQL is installed"),
            url => postgres::Server::at(url),
        });
        let (trigger, stop) = shutdown::channel();
        Self { runtime, folder: folder.unwrap(), postgres, _trigger: trigger, stop }
    }

    /// How long the disk takes for a commit: the median of writing 4 KiB and waiting until they are safe.
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

    /// Ends the runtime; inside another one it cannot be dropped.
    pub fn end(self) {
        self.runtime.shutdown_background();
    }

    async fn database(&self, name: &str) -> String {
        match &self.postgres {
            None => format!("sqlite://{}", self.folder.path().join(name).join("data.db").display()),
            Some(server) => {
                let name = format!("switchboard_bench_{name}_{}", std::process::id());
                server.create(&name, None).await;
                server.url(&name)
            }
        }
    }

    /// A server over a new database with so many messages.
    pub async fn start(&self, name: &str, messages: usize) -> Ready {
        let database = self.database(name).await;
        let files = self.folder.path().join(name).join("files");
        let mut config = config(&database, &files);
        if name == "small" {
            // recording is for the whole process, so both servers pay for it
            config.metrics.listen = Some(([127, 0, 0, 1], 0).into());
        }
        let options = StartOptions { signals: false, ..StartOptions::default() };
        let by_server = (self.postgres.is_some() && messages > 100_000).then(|| database.clone());
        let starting = self.runtime.spawn(async move {
            let running = app::start(config, Clock::system(), options).await.unwrap();
            let begun = Instant::now();
            let data = match by_server {
                Some(url) => bulk::fill(running.world(), &url, messages).await,
                None => data::fill(running.world(), messages).await,
            };
            // or the index would be at work while the paths are measured
            while running.world().index_some().await.unwrap() {}
            eprintln!("{messages} messages written and indexed in {:.1} s", begun.elapsed().as_secs_f64());
            (running, data)
        });
        let (running, data) = starting.await.unwrap();
        let place = Place { database, files, token: data.tokens[0].clone() };
        Ready { running, data, messages, place }
    }

    /// Waits until a server has done what the requests left it to do: a process over its database is to find it idle.
    pub async fn settle(&self, ready: &Ready) {
        let world = Arc::clone(ready.running.world());
        let settling = async move { while world.index_some().await.unwrap() {} };
        self.runtime.spawn(settling).await.unwrap();
    }

    /// Whether the databases are on PostgreSQL.
    pub fn is_on_postgres(&self) -> bool {
        self.postgres.is_some()
    }

    /// Where the bare axum listens.
    pub async fn hello(&self) -> std::net::SocketAddr {
        self.runtime.spawn(floor_axum::start()).await.unwrap()
    }

    /// Where floors S and P listen, over the database of a server.
    pub async fn floor_select(&self, ready: &Ready) -> std::net::SocketAddr {
        let options = ready.place.database.parse().unwrap();
        let connections = Config::default().database.max_connections;
        self.runtime.spawn(floor_select::start(options, connections, self.stop.clone())).await.unwrap()
    }

    /// Floor A, and where it listens.
    pub async fn floor_json(&self) -> std::net::SocketAddr {
        self.runtime.spawn(floor_json::start(self.stop.clone())).await.unwrap()
    }

    /// Floor B.
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
                    Made::Postgres(options.first().clone())
                }
            }
        });
        match made.await.unwrap() {
            Made::Sqlite(path) => floor_rows::on_sqlite(&path),
            Made::Postgres(options) => floor_rows::on_postgres(options, connections).await,
        }
    }
}

enum Made {
    Sqlite(PathBuf),
    Postgres(sqlx::postgres::PgConnectOptions),
}

impl Ready {
    /// Ends the server and leaves its files.
    pub fn close(self) -> (Place, usize) {
        self.running.drain();
        (self.place, self.messages)
    }
}
