//! Starts Switchboard servers in the benchmark's own process, and creates their databases.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use switchboard::{
    app::{self, Running, StartOptions},
    config::{BaseUrl, Config, DatabaseUrlSetting, Environment},
    platform::{clock::Clock, secrets::Secret},
    service::World,
};
use tempfile::TempDir;

use super::postgres::{Durability, Server};

/// Returns the value of `shared_buffers` for a PostgreSQL server that the benchmark starts: a quarter of this machine's
/// memory, as the PostgreSQL manual recommends.
pub fn shared_buffers() -> String {
    let memory = std::fs::read_to_string("/proc/meminfo").unwrap();
    let kib: u64 = memory.lines().next().unwrap().split_whitespace().nth(1).unwrap().parse().unwrap();
    format!("{}MB", kib / 1024 / 4)
}

/// Creates a folder in `dir`, or in the system's temporary folder. The folder is for databases and stored files.
pub fn folder(dir: Option<&PathBuf>) -> TempDir {
    let mut folder = tempfile::Builder::new();
    folder.prefix("switchboard-bench-");
    let folder = match dir {
        Some(dir) => folder.tempdir_in(dir),
        None => folder.tempdir(),
    };
    folder.unwrap()
}

/// Returns the PostgreSQL server for a value of the option `--postgres`. For the value `start`, starts a server that
/// stops when this process ends. Any other value is the URL of a running server.
pub fn postgres(option: &str) -> Server {
    match option {
        "start" => Server::start_with(Durability::Full, &shared_buffers()).expect("PostgreSQL is installed"),
        url => Server::at(url),
    }
}

/// Creates a database on the PostgreSQL server, if one is given, and returns the database's URL. Without a PostgreSQL
/// server, returns the URL of a SQLite database in `folder`.
pub async fn database(postgres: Option<&Server>, folder: &Path, name: &str) -> String {
    match postgres {
        None => sqlite(folder),
        Some(server) => {
            let name = postgres_name(name);
            server.create(&name, None).await;
            server.url(&name)
        }
    }
}

/// Returns the name of the database that [`database`] creates on PostgreSQL.
pub fn postgres_name(name: &str) -> String {
    format!("switchboard_bench_{name}_{}", std::process::id())
}

/// Returns the URL of a SQLite database in a folder.
pub fn sqlite(folder: &Path) -> String {
    format!("sqlite://{}", folder.join("data.db").display())
}

/// The base URL of the servers that [`config`] and the module `process` configure. It is an `https` URL, because
/// production servers require one.
pub const BASE_URL: &str = "https://switchboard.example";

/// Returns the configuration of a production server on a free port, with its files in `folder`. It is not a sandbox,
/// because a sandbox records every request for its console.
pub fn config(database: &str, folder: &Path) -> Config {
    let mut config = Config {
        listen: ([127, 0, 0, 1], 0).into(),
        environment: Environment::Production,
        base_url: BaseUrl::parse(BASE_URL).unwrap(),
        ..Config::default()
    };
    config.database.url = url(database);
    config.files.dir = folder.join("files");
    config
}

/// Parses a database URL into the type of the setting `database.url`.
pub fn url(database: &str) -> DatabaseUrlSetting {
    match database.strip_prefix("sqlite://") {
        Some(path) => DatabaseUrlSetting::Sqlite(path.into()),
        None => DatabaseUrlSetting::Postgres(Secret::new(database)),
    }
}

/// Starts a server on the current runtime.
pub async fn start(config: Config, clock: Clock) -> Running {
    let options = StartOptions { signals: false, ..StartOptions::default() };
    app::start(config, clock, options).await.unwrap()
}

/// Starts a server on a new database, fills the database with `fill`, and closes the database. After that, another
/// process can serve from the database. Returns the result of `fill`.
pub fn fill<T>(config: Config, fill: impl AsyncFnOnce(&World) -> T) -> T {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let filled = runtime.block_on(async {
        let running = start(config, Clock::system()).await;
        let filled = fill(running.world()).await;
        running.drain();
        running.wait().await;
        filled
    });
    // waits for at most ten seconds until the database is closed
    runtime.shutdown_timeout(Duration::from_secs(10));
    filled
}
