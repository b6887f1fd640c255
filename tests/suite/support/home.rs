//! The processes of one deployment. A test can kill them and start them again.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use switchboard::domain::token::{self, TokenKind};
use switchboard::platform::tls::install_provider;

use super::{Api, Process, process::Starting};

/// The database, the files and the settings of a deployment's processes.
pub struct Home {
    folder: PathBuf,
    operator_key: String,
    http: reqwest::Client,
    settings: Vec<(&'static str, String)>,
}

impl Home {
    /// Configures processes on SQLite in a folder, with rate limits a million times as high as those of the contract.
    pub fn sqlite(folder: &Path) -> Self {
        install_provider();
        Self {
            folder: folder.to_owned(),
            operator_key: token::mint(TokenKind::Operator, &[9; 32]),
            // every `Api` of this `Home` uses this client, because creating an HTTP client is slow
            http: reqwest::Client::builder().no_proxy().build().unwrap(),
            settings: vec![("SWITCHBOARD_LIMITS_SCALE", "1000000".to_owned())],
        }
    }

    /// Configures processes on an existing database, with their files in a folder.
    pub fn on(folder: &Path, database_url: String) -> Self {
        Self::sqlite(folder).with("SWITCHBOARD_DATABASE_URL", database_url)
    }

    /// Adds an environment variable to the processes.
    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.settings.push((name, value.into()));
        self
    }

    /// Starts a process, and waits until it listens.
    pub fn start(&self) -> Process {
        self.spawn().listening()
    }

    /// Starts a process, and does not wait until it listens.
    pub fn spawn(&self) -> Starting {
        let settings: Vec<_> = self.settings.iter().map(|(name, value)| (*name, value.as_str())).collect();
        Process::spawn(&self.folder, &self.operator_key, &settings)
    }

    /// Runs a command of the program to its end. The command has the files folder and the variables of [`Home::with`],
    /// but not the SQLite database of [`Home::sqlite`]. Returns the exit code and the standard output.
    pub fn run(&self, arguments: &[&str]) -> (Option<i32>, String) {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_switchboard"))
            .args(arguments)
            .env_clear()
            .env("SWITCHBOARD_ENVIRONMENT", "sandbox")
            .env("SWITCHBOARD_FILES_DIR", self.folder.join("files"))
            .envs(self.settings.iter().map(|(name, value)| (*name, value.as_str())))
            .output()
            .unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Returns a client of a process, with a bearer token.
    pub fn api(&self, process: &Process, bearer: &str) -> Api {
        Api {
            base: process.base.clone(),
            http: self.http.clone(),
            authorization: Some(format!("Bearer {bearer}")),
            seen: Arc::default(),
        }
    }

    pub fn operator(&self, process: &Process) -> Api {
        self.api(process, &self.operator_key)
    }
}
