//! A server in a process of its own, as operators run it: to be killed, measured and scraped.

use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
    sync::Arc,
    thread::JoinHandle,
};

use serde_json::Value;
use switchboard::domain::token;

use super::api::Api;

/// A running `switchboard serve`, killed when dropped.
pub struct Process {
    child: Child,
    pub base: String,
    /// Where `GET /metrics` is served, when it was asked for.
    pub metrics: Option<String>,
    /// Reads the log to its end, and has all of it if it was to be kept.
    reader: Option<JoinHandle<String>>,
}

impl Process {
    /// Starts a sandbox on SQLite with its data in a folder; `settings` are environment variables over that.
    pub fn start(folder: &Path, operator_key: &str, settings: &[(&str, &str)]) -> Self {
        Self::spawn(folder, operator_key, settings).listening()
    }

    /// The same without waiting until it listens.
    pub fn spawn(folder: &Path, operator_key: &str, settings: &[(&str, &str)]) -> Starting {
        let hash = switchboard::platform::secrets::hex(&token::hash(operator_key));
        let child = Command::new(env!("CARGO_BIN_EXE_switchboard"))
            .arg("serve")
            .env_clear()
            .env("SWITCHBOARD_ENVIRONMENT", "sandbox")
            .env("SWITCHBOARD_LISTEN", "127.0.0.1:0")
            .env("SWITCHBOARD_DATABASE_URL", format!("sqlite://{}", folder.join("data.db").display()))
            .env("SWITCHBOARD_FILES_DIR", folder.join("files"))
            .env("SWITCHBOARD_OPERATOR_KEY_SHA256", hash)
            .env("SWITCHBOARD_LOG_FORMAT", "json")
            .envs(settings.iter().copied())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        Starting { child, keep: false }
    }

    /// A caller with a bearer token.
    pub fn api(&self, bearer: &str) -> Api {
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        let authorization = Some(format!("Bearer {bearer}"));
        Api { base: self.base.clone(), http, authorization, seen: Arc::default() }
    }

    /// The most memory it ever had, in bytes.
    pub fn most_memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("VmHWM");
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
    }

    /// `kill -9`.
    pub fn kill(self) {
        drop(self);
    }

    /// Ends it with SIGTERM and waits for that; everything that it logged, if it was started so that its log is kept.
    pub fn terminated_log(mut self) -> String {
        let asked = Command::new("sh").arg("-c").arg(format!("kill -TERM {}", self.child.id())).status();
        assert!(asked.unwrap().success());
        self.child.wait().unwrap();
        let reader = self.reader.take().expect("a reader");
        reader.join().expect("the log is text")
    }

    /// Ends it with SIGTERM: its exit code, `None` if a signal ended it. Waits no longer than `wait`.
    pub fn terminated_within(mut self, wait: std::time::Duration) -> Option<i32> {
        let asked = Command::new("sh").arg("-c").arg(format!("kill -TERM {}", self.child.id())).status();
        assert!(asked.unwrap().success());
        let (tell, told) = std::sync::mpsc::channel();
        // the log ends when the process does
        let reader = self.reader.take().expect("a reader");
        std::thread::spawn(move || {
            let _ = reader.join();
            let _ = tell.send(());
        });
        assert!(told.recv_timeout(wait).is_ok(), "SIGTERM must end the process within {wait:?}");
        self.child.wait().unwrap().code()
    }

    /// `kill -9`; everything that it logged, if it was started so that its log is kept.
    pub fn killed_log(mut self) -> String {
        let reader = self.reader.take().expect("a reader");
        drop(self);
        reader.join().expect("the log is text")
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A process that may not listen yet.
pub struct Starting {
    child: Child,
    keep: bool,
}

impl Starting {
    /// Keeps what it logs, for [`Process::killed_log`].
    pub fn keeping_log(self) -> Self {
        Self { keep: true, ..self }
    }

    /// Waits until it has ended without serving: what it logged.
    pub fn refused(mut self) -> String {
        let mut log = String::new();
        std::io::Read::read_to_string(&mut self.child.stderr.take().unwrap(), &mut log).unwrap();
        assert!(!self.child.wait().unwrap().success(), "it served: {log}");
        log
    }

    /// Waits until it listens.
    pub fn listening(mut self) -> Process {
        let mut lines = BufReader::new(self.child.stderr.take().unwrap()).lines();
        let (mut metrics, mut said) = (None, Vec::new());
        let address = lines
            .by_ref()
            .map(|line| line.expect("the server writes its log"))
            .inspect(|line| said.push(line.clone()))
            .find_map(|line| {
                let Ok(entry) = serde_json::from_str::<Value>(&line) else {
                    // the other format: `address=127.0.0.1:8080`
                    let (_, address) = line.split_once(" address=")?;
                    return address.split_whitespace().next().map(str::to_owned);
                };
                let fields = entry.get("fields").unwrap_or(&entry);
                if let Some(address) = fields["metrics_address"].as_str() {
                    metrics = Some(format!("http://{address}/metrics"));
                }
                Some(fields["address"].as_str()?.to_owned())
            })
            .unwrap_or_else(|| panic!("the server does not tell its address: {said:?}"));
        // somebody must read on, or the server would stop at a full pipe
        let keep = self.keep;
        let reader = std::thread::spawn(move || {
            let mut log = if keep { said.join("\n") } else { String::new() };
            for line in lines {
                let line = line.expect("the server writes its log");
                if keep {
                    log.push('\n');
                    log.push_str(&line);
                }
            }
            log
        });
        Process { child: self.child, base: format!("http://{address}"), metrics, reader: Some(reader) }
    }
}
