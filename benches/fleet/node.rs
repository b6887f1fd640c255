//! A node: `switchboard serve` in a process of its own, behind a proxy, with proxies before its databases.

use std::{
    fs::File,
    net::SocketAddr,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::Value;

use super::{
    clock::Shift,
    cpu::Processes,
    tcp_proxy::{TcpProxy, Upstream},
};

const PATIENCE: Duration = Duration::from_secs(60);

pub struct Node {
    pub name: &'static str,
    /// Where the balancer and the clients find it, whichever process it is.
    pub front: TcpProxy,
    /// Before the first and the second database of its URL.
    pub databases: [TcpProxy; 2],
    pub clock: Shift,
    settings: Vec<(String, String)>,
    log: PathBuf,
    child: Option<Child>,
    processes: Processes,
}

impl Node {
    /// A node that does not run yet; `folders` are those of the databases' sockets.
    pub async fn new(
        name: &'static str,
        folder: &Path,
        sockets: [&Path; 2],
        settings: &[(&str, String)],
        processes: Processes,
    ) -> Self {
        let databases = [TcpProxy::of_socket(sockets[0]).await, TcpProxy::of_socket(sockets[1]).await];
        let [first, second] = databases.each_ref().map(|proxy| proxy.address);
        let clock = Shift::new(folder.join(format!("clock-{name}")));
        let url = format!("postgres://postgres@{first},{second}/fleet?target_session_attrs=read-write");
        let mut settings: Vec<_> =
            settings.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        settings.push(("SWITCHBOARD_DATABASE_URL".into(), url));
        settings.push(("CLOCK_SHIFT".into(), clock.0.display().to_string()));
        // until it runs nobody answers there
        let front = TcpProxy::start(Upstream::Unix(folder.join("nobody"))).await;
        let log = folder.join(format!("node-{name}.log"));
        Self { name, front, databases, clock, settings, log, child: None, processes }
    }

    /// Starts a process and returns when it listens.
    pub async fn start(&mut self) {
        let log = File::options().create(true).append(true).open(&self.log).unwrap();
        let read_from = log.metadata().unwrap().len();
        let child = Command::new(env!("CARGO_BIN_EXE_switchboard"))
            .arg("serve")
            .env_clear()
            .envs(self.settings.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .unwrap();
        self.processes.add(child.id());
        self.child = Some(child);
        let begun = Instant::now();
        let address = loop {
            if let Some(address) = self.address(read_from) {
                break address;
            }
            let ended = self.child.as_mut().unwrap().try_wait().unwrap();
            assert!(ended.is_none(), "node {} ended: {ended:?}, see {}", self.name, self.log.display());
            assert!(begun.elapsed() < PATIENCE, "node {} does not listen: {}", self.name, self.log.display());
            tokio::time::sleep(Duration::from_millis(20)).await;
        };
        self.front.lead_to(Upstream::Tcp(address));
    }

    /// The address that the process whose log begins there listens on.
    fn address(&self, read_from: u64) -> Option<SocketAddr> {
        let log = std::fs::read(&self.log).ok()?;
        let text = String::from_utf8_lossy(&log[read_from as usize..]).into_owned();
        text.lines().find_map(|line| {
            let entry: Value = serde_json::from_str(line).ok()?;
            entry.get("fields").unwrap_or(&entry)["address"].as_str()?.parse().ok()
        })
    }

    /// `kill -9`.
    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    /// Lines of the log that tell of a panic.
    pub fn panics(&self) -> Vec<String> {
        let log = std::fs::read(&self.log).unwrap_or_default();
        let text = String::from_utf8_lossy(&log).into_owned();
        text.lines().filter(|line| line.contains("panicked")).map(str::to_owned).collect()
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        self.kill();
    }
}
