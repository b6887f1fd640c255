//! A server in a process of its own: `switchboard serve`, to be killed.

use std::{
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::Arc,
};

use serde_json::Value;
use switchboard::domain::token::{self, Kind};

use super::Api;

/// Where a server's processes keep everything.
pub struct Home {
    folder: PathBuf,
    database_url: String,
    operator_key: String,
    http: reqwest::Client,
    variables: Vec<(&'static str, String)>,
}

impl Home {
    /// On SQLite, in a folder.
    pub fn sqlite(folder: &Path) -> Self {
        Self::on(folder, format!("sqlite://{}", folder.join("data.db").display()))
    }

    /// On another database, with files in a folder.
    pub fn on(folder: &Path, database_url: String) -> Self {
        Self {
            folder: folder.to_owned(),
            database_url,
            operator_key: token::mint(Kind::Operator, &[9; 32]),
            // one for all: making it takes longer than a round of sends
            http: reqwest::Client::builder().no_proxy().build().unwrap(),
            variables: Vec::new(),
        }
    }

    /// With one more variable in the environment of its processes.
    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.variables.push((name, value.into()));
        self
    }

    /// Starts a process and returns when it listens.
    pub fn start(&self) -> Process {
        self.spawn().listening()
    }

    /// Starts a process.
    pub fn spawn(&self) -> Starting {
        let hash = switchboard::platform::secrets::hex(&token::hash(&self.operator_key));
        let child = Command::new(env!("CARGO_BIN_EXE_switchboard"))
            .arg("serve")
            .env_clear()
            .env("SWITCHBOARD_ENVIRONMENT", "sandbox")
            .env("SWITCHBOARD_LISTEN", "127.0.0.1:0")
            .env("SWITCHBOARD_DATABASE_URL", &self.database_url)
            .env("SWITCHBOARD_FILES_DIR", self.folder.join("files"))
            .env("SWITCHBOARD_OPERATOR_KEY_SHA256", hash)
            .env("SWITCHBOARD_LIMITS_SCALE", "1000000")
            .env("SWITCHBOARD_LOG_FORMAT", "json")
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        Starting { child }
    }

    /// A client of a process.
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

/// A process that may not listen yet.
pub struct Starting {
    child: Child,
}

impl Starting {
    /// Waits until it listens.
    pub fn listening(mut self) -> Process {
        let log = BufReader::new(self.child.stderr.take().unwrap());
        let mut lines = log.lines();
        let mut said = Vec::new();
        let address = lines
            .by_ref()
            .map(|line| line.expect("the server writes its log"))
            .inspect(|line| said.push(line.clone()))
            .find_map(|line| {
                let entry: Value = serde_json::from_str(&line).ok()?;
                let fields = entry.get("fields").unwrap_or(&entry);
                Some(fields["address"].as_str()?.to_owned())
            })
            .unwrap_or_else(|| panic!("the server does not tell its address: {said:?}"));
        // somebody must read on, or the server would stop at a full pipe
        std::thread::spawn(move || lines.for_each(drop));
        Process { child: self.child, base: format!("http://{address}") }
    }
}

/// A process that listens; killed when dropped.
pub struct Process {
    child: Child,
    pub base: String,
}

impl Process {
    /// SIGKILL.
    pub fn kill(self) {
        drop(self);
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
