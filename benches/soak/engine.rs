//! A process of `switchboard serve` on one database engine, with its receiver of events. Dropping the [`Engine`] kills
//! the process.

use std::{net::SocketAddr, path::PathBuf};

use switchboard::{
    domain::token::{self, TokenKind},
    platform::secrets::hex,
};
use tempfile::TempDir;

use super::{
    database::Database,
    options::Options,
    receiver::Receiver,
    support::{
        in_process,
        postgres::{Durability, Server},
        process::{self, Process},
    },
};

pub struct Engine {
    pub name: &'static str,
    pub address: SocketAddr,
    pub metrics: SocketAddr,
    pub operator_key: String,
    pub receiver: Receiver,
    database: Database,
    log: PathBuf,
    process: Process,
    _folder: TempDir,
    _postgres: Option<Server>,
}

/// The process and the database that the sampler measures.
#[derive(Clone)]
pub struct Watched {
    pub engine: &'static str,
    pub process: u32,
    pub metrics: SocketAddr,
    pub database: Database,
}

impl Engine {
    pub async fn start(name: &str, options: &Options) -> Self {
        std::fs::create_dir_all(&options.folder).unwrap();
        let folder = in_process::folder(None);
        let (name, database, postgres) = match name {
            "sqlite" => ("SQLite", Database::Sqlite(folder.path().join("data.db")), None),
            "postgres" => {
                let server = tokio::task::spawn_blocking(|| {
                    Server::start_with(Durability::Full, &in_process::shared_buffers())
                });
                let server = server.await.unwrap().expect("PostgreSQL is installed");
                server.create("soak", None).await;
                ("PostgreSQL", Database::Postgres(server.url("soak")), Some(server))
            }
            other => panic!("no engine is called {other}"),
        };
        let receiver = Receiver::start().await;
        let address = process::free_port();
        let metrics = process::free_port();
        let operator_key = token::mint(TokenKind::Operator, &[9; 32]);
        let log = options.folder.join(format!("{}.log", name.to_lowercase()));
        let settings = [
            ("SWITCHBOARD_ENVIRONMENT", "dev".to_owned()),
            ("SWITCHBOARD_TEST_CLOCK", "true".to_owned()),
            ("SWITCHBOARD_BASE_URL", format!("http://{address}")),
            ("SWITCHBOARD_METRICS_LISTEN", metrics.to_string()),
            ("SWITCHBOARD_DATABASE_URL", database.url()),
            ("SWITCHBOARD_FILES_DIR", folder.path().join("files").display().to_string()),
            ("SWITCHBOARD_OPERATOR_KEY_SHA256", hex(&token::hash(&operator_key))),
            ("SWITCHBOARD_ALLOW_PRIVATE_HOSTS", receiver.address.to_string()),
            ("SWITCHBOARD_TRUSTED_PROXIES", "127.0.0.1/32".to_owned()),
            ("SWITCHBOARD_LOG_LEVEL", "warn".to_owned()),
        ];
        // removes the log of an earlier run, whose panics must not be reported
        let _ = std::fs::remove_file(&log);
        let mut process = Process::start(address, &settings, Some(&log));
        process.listens().await;
        Self {
            name,
            address,
            metrics,
            operator_key,
            receiver,
            database,
            log,
            process,
            _folder: folder,
            _postgres: postgres,
        }
    }

    pub fn watched(&self) -> Watched {
        let (engine, process) = (self.name, self.process.id());
        Watched { engine, process, metrics: self.metrics, database: self.database.clone() }
    }

    /// Returns the lines of the log that report a panic.
    pub fn panics(&self) -> Vec<String> {
        process::panics(&self.log)
    }
}
