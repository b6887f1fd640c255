//! A server in its own process, as operators run it. Tests kill it, measure it, or scrape its metrics.

use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
    sync::Arc,
    thread::JoinHandle,
};

use serde_json::Value;
use switchboard::domain::token;
use switchboard::platform::tls::install_provider;

use super::{
    api::Api,
    listening::{address_in, fields_of},
};

/// A running `switchboard serve`. It is killed when this value is dropped.
pub struct Process {
    child: Child,
    pub base: String,
    /// The URL of `GET /metrics`, if the process serves metrics.
    pub metrics: Option<String>,
    /// The thread that reads the log to its end. It returns the log if the log is kept, and an empty text if not.
    reader: Option<JoinHandle<String>>,
}

impl Process {
    /// Starts a sandbox on SQLite with its data in a folder, and waits until it listens. `settings` are additional
    /// environment variables.
    pub fn start(folder: &Path, operator_key: &str, settings: &[(&str, &str)]) -> Self {
        Self::spawn(folder, operator_key, settings).listening()
    }

    /// Starts the sandbox of [`Process::start`], and does not wait until it listens.
    pub fn spawn(folder: &Path, operator_key: &str, settings: &[(&str, &str)]) -> Starting {
        let mut command = Command::new(env!("CARGO_BIN_EXE_switchboard"));
        command.arg("serve");
        Self::spawned(command, folder, operator_key, settings)
    }

    /// Starts the sandbox of [`Process::start`] from a shell, and does not wait until it listens. The shell first runs
    /// the commands `limits`, such as `ulimit -n 512`.
    pub fn spawn_under(
        limits: &str,
        folder: &Path,
        operator_key: &str,
        settings: &[(&str, &str)],
    ) -> Starting {
        let mut command = Command::new("/bin/sh");
        let program = env!("CARGO_BIN_EXE_switchboard");
        command.args(["-c", &format!("{limits}; exec \"$0\" serve"), program]);
        Self::spawned(command, folder, operator_key, settings)
    }

    fn spawned(
        mut command: Command,
        folder: &Path,
        operator_key: &str,
        settings: &[(&str, &str)],
    ) -> Starting {
        let hash = switchboard::platform::secrets::hex(&token::hash(operator_key));
        let child = command
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

    /// Returns a client with a bearer token.
    pub fn api(&self, bearer: &str) -> Api {
        install_provider();
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        let authorization = Some(format!("Bearer {bearer}"));
        Api { base: self.base.clone(), http, authorization, seen: Arc::default() }
    }

    /// Returns the sum of all series whose name starts with `name` and that contain `label`. The sum of no series is 0.
    pub async fn metric(&self, name: &str, label: &str) -> f64 {
        let address = self.metrics.as_ref().expect("metrics are served");
        let scraped = reqwest::get(address).await.unwrap().text().await.unwrap();
        let series = scraped.lines().filter(|line| line.starts_with(name) && line.contains(label));
        series.map(|line| line.rsplit_once(' ').unwrap().1.parse::<f64>().unwrap()).sum()
    }

    /// Resets the peak resident memory of the process to the current resident memory (`clear_refs` in proc(5)). Returns
    /// the new peak in bytes.
    pub fn reset_peak_memory(&self) -> u64 {
        std::fs::write(format!("/proc/{}/clear_refs", self.child.id()), "5").unwrap();
        self.peak_memory()
    }

    /// Returns the peak resident memory of the process in bytes (`VmHWM`). The peak counts from the start or the last
    /// reset.
    pub fn peak_memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("VmHWM");
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
    }

    /// Returns the soft and the hard limit of open files of the process.
    pub fn open_files(&self) -> (String, String) {
        let limits = std::fs::read_to_string(format!("/proc/{}/limits", self.child.id())).unwrap();
        let line = limits.lines().find(|line| line.starts_with("Max open files")).expect("the limit");
        let mut words = line.split_whitespace().skip(3).map(str::to_owned);
        (words.next().unwrap(), words.next().unwrap())
    }

    /// Kills the process with SIGKILL (`kill -9`).
    pub fn kill(self) {
        drop(self);
    }

    /// Stops the process with SIGTERM and waits for its end. Returns the log, which is empty if the log is not kept.
    pub fn terminated_log(mut self) -> String {
        let asked = Command::new("sh").arg("-c").arg(format!("kill -TERM {}", self.child.id())).status();
        assert!(asked.unwrap().success());
        self.child.wait().unwrap();
        let reader = self.reader.take().expect("a reader");
        reader.join().expect("the log is text")
    }

    /// Stops the process with SIGTERM, and returns its exit code; `None` if a signal ended the process. Panics if the
    /// process has not ended within `wait`.
    pub fn terminated_within(mut self, wait: std::time::Duration) -> Option<i32> {
        let asked = Command::new("sh").arg("-c").arg(format!("kill -TERM {}", self.child.id())).status();
        assert!(asked.unwrap().success());
        let (sender, reported) = std::sync::mpsc::channel();
        // the reader thread ends at the end of the log, and the log ends when the process ends
        let reader = self.reader.take().expect("a reader");
        std::thread::spawn(move || {
            let _ = reader.join();
            let _ = sender.send(());
        });
        assert!(reported.recv_timeout(wait).is_ok(), "SIGTERM ends the process within {wait:?}");
        self.child.wait().unwrap().code()
    }

    /// Stops the process with `kill -9`. Returns the log, which is empty if the log is not kept.
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

/// A process that has started, and possibly does not listen yet.
pub struct Starting {
    child: Child,
    keep: bool,
}

impl Starting {
    /// Keeps the log, for [`Process::killed_log`] and [`Process::terminated_log`].
    pub fn keeping_log(self) -> Self {
        Self { keep: true, ..self }
    }

    /// Waits until the process has exited, asserts that it failed, and returns its log.
    pub fn refused(mut self) -> String {
        let mut log = String::new();
        std::io::Read::read_to_string(&mut self.child.stderr.take().unwrap(), &mut log).unwrap();
        assert!(!self.child.wait().unwrap().success(), "the process must exit with an error: {log}");
        log
    }

    /// Waits until the process listens.
    pub fn listening(mut self) -> Process {
        let mut lines = BufReader::new(self.child.stderr.take().unwrap()).lines();
        let (mut metrics, mut said) = (None, Vec::new());
        let address = lines
            .by_ref()
            .map(|line| line.expect("the server writes its log"))
            .inspect(|line| said.push(line.clone()))
            .find_map(|line| {
                let entry: Value = serde_json::from_str(&line).unwrap_or_default();
                if let Some(address) = fields_of(&entry)["metrics_address"].as_str() {
                    metrics = Some(format!("http://{address}/metrics"));
                }
                address_in(&line)
            })
            .unwrap_or_else(|| panic!("the server ended without logging its address: {said:?}"));
        // if nothing read the log, the server would block on a full pipe
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
