//! A node: `switchboard serve` in its own process. There is a proxy in front of the node, and a proxy between the node
//! and each PostgreSQL server.

use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
    process::Child,
    time::{Duration, Instant},
};

use super::{
    clock::Shift,
    cpu::Processes,
    support::{
        listening, process,
        tcp_proxy::{TcpProxy, Upstream},
    },
};

pub struct Node {
    pub name: &'static str,
    /// The proxy in front of the node. Its address stays the same when the node is restarted.
    pub front: TcpProxy,
    /// The proxies in front of the PostgreSQL servers: the first and the second host of the node's database URL.
    pub databases: [TcpProxy; 2],
    pub clock: Shift,
    settings: Vec<(&'static str, String)>,
    log: PathBuf,
    child: Option<Child>,
    processes: Processes,
}

impl Node {
    /// Creates a node and does not start it. `folder` is for the log and the clock file of the node. `sockets` are the
    /// folders of the PostgreSQL servers' sockets.
    pub async fn new(
        name: &'static str,
        folder: &Path,
        sockets: [&Path; 2],
        settings: &[(&'static str, String)],
        processes: Processes,
    ) -> Self {
        let databases = [TcpProxy::of_socket(sockets[0]).await, TcpProxy::of_socket(sockets[1]).await];
        let [first, second] = databases.each_ref().map(|proxy| proxy.address);
        let clock = Shift::new(folder.join(format!("clock-{name}")));
        let url = format!("postgres://postgres@{first},{second}/fleet?target_session_attrs=read-write");
        let mut settings = settings.to_vec();
        settings.push(("SWITCHBOARD_DATABASE_URL", url));
        settings.push(("CLOCK_SHIFT", clock.0.display().to_string()));
        // no process listens on this socket; `start` replaces the socket by the address of the node
        let front = TcpProxy::start(Upstream::Unix(folder.join("nobody"))).await;
        let log = folder.join(format!("node-{name}.log"));
        Self { name, front, databases, clock, settings, log, child: None, processes }
    }

    /// Starts the node's process and returns when it listens.
    pub async fn start(&mut self) {
        let read_from = std::fs::metadata(&self.log).map_or(0, |log| log.len());
        let child = process::spawn(&self.settings, Some(&self.log));
        self.processes.add(child.id());
        self.child = Some(child);
        let begun = Instant::now();
        let address = loop {
            if let Some(address) = self.address(read_from) {
                break address;
            }
            let ended = self.child.as_mut().unwrap().try_wait().unwrap();
            assert!(
                ended.is_none(),
                "node {} does not exit before it listens: {ended:?}, see {}",
                self.name,
                self.log.display()
            );
            assert!(
                begun.elapsed() < process::PATIENCE,
                "node {} listens in time: see {}",
                self.name,
                self.log.display()
            );
            tokio::time::sleep(Duration::from_millis(20)).await;
        };
        self.front.set_upstream(Upstream::Tcp(address));
    }

    /// Returns the listening address that the node's current process has logged; `None` if there is no such line yet.
    /// The log file also has the lines of earlier processes. The current process's lines start at the byte offset
    /// `read_from`.
    fn address(&self, read_from: u64) -> Option<SocketAddr> {
        let log = std::fs::read(&self.log).ok()?;
        let text = String::from_utf8_lossy(&log[read_from as usize..]).into_owned();
        text.lines().find_map(|line| listening::address_in(line)?.parse().ok())
    }

    /// Sends SIGKILL and waits until the process has ended.
    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    /// Returns the lines of the log that report a panic.
    pub fn panics(&self) -> Vec<String> {
        process::panics(&self.log)
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        self.kill();
    }
}
