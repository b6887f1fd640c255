//! Servers in processes of their own. A process is killed when its [`Process`] is dropped. This module also measures
//! the memory of a process, and the time to its first response.

use std::{
    fs::File,
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use super::in_process::BASE_URL;

/// Maximum time from the start of a process until it accepts connections.
pub const PATIENCE: Duration = Duration::from_secs(60);

pub struct Process {
    child: Child,
    pub address: SocketAddr,
    begun: Instant,
}

/// Starts `switchboard serve` with only these environment variables. Its log is appended to the file `log`. If `log` is
/// `None`, the log goes to the standard error of the benchmark.
pub fn spawn(settings: &[(&str, String)], log: Option<&Path>) -> Child {
    let log = match log {
        Some(path) => File::options().create(true).append(true).open(path).unwrap().into(),
        None => Stdio::inherit(),
    };
    Command::new(env!("CARGO_BIN_EXE_switchboard"))
        .arg("serve")
        .env_clear()
        .envs(settings.iter().map(|(name, value)| (*name, value)))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(log)
        .spawn()
        .unwrap()
}

/// Returns a loopback address with a free port. It is unlikely that another process takes the port before the server
/// does.
pub fn free_port() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

/// Returns the lines of a log that report a panic.
pub fn panics(log: &Path) -> Vec<String> {
    let log = std::fs::read(log).unwrap_or_default();
    let text = String::from_utf8_lossy(&log).into_owned();
    text.lines().filter(|line| line.contains("panicked")).map(str::to_owned).collect()
}

impl Process {
    /// Starts a server at an address.
    pub fn start(address: SocketAddr, settings: &[(&str, String)], log: Option<&Path>) -> Self {
        let listen = [("SWITCHBOARD_LISTEN", address.to_string())];
        let begun = Instant::now();
        Self { child: spawn(&[settings, &listen].concat(), log), address, begun }
    }

    /// Starts a production server on an existing database.
    pub fn serve(database: &str, files: &Path, settings: &[(&str, String)]) -> Self {
        let defaults = [
            ("SWITCHBOARD_BASE_URL", BASE_URL.to_owned()),
            ("SWITCHBOARD_LOG_LEVEL", "warn".to_owned()),
            ("SWITCHBOARD_DATABASE_URL", database.to_owned()),
            ("SWITCHBOARD_FILES_DIR", files.display().to_string()),
        ];
        Self::start(free_port(), &[&defaults, settings].concat(), None)
    }

    /// Starts a program that prints its port on the first line of standard output. Returns `None` if the program cannot
    /// be started or prints something else.
    pub fn with_port(command: &mut Command) -> Option<Self> {
        let begun = Instant::now();
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().ok()?;
        let mut line = String::new();
        BufReader::new(child.stdout.take()?).read_line(&mut line).ok()?;
        let Ok(port) = line.trim().parse::<u16>() else {
            let _ = child.kill();
            let _ = child.wait();
            return None;
        };
        Some(Self { child, address: ([127, 0, 0, 1], port).into(), begun })
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits until the process accepts connections.
    pub async fn listens(&mut self) {
        while TcpStream::connect(self.address).is_err() {
            let ended = self.child.try_wait().unwrap();
            assert!(ended.is_none(), "the server keeps running until it listens: {ended:?}");
            assert!(self.begun.elapsed() < PATIENCE, "the server listens within {PATIENCE:?}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Tries to connect until the process accepts connections. Then sends the request, which must get 200. Returns the
    /// time from the start of the process to the response.
    pub fn first_answer(&mut self, request: &[u8]) -> Duration {
        loop {
            assert!(self.begun.elapsed() < PATIENCE, "the process accepts connections within {PATIENCE:?}");
            if let Ok(mut socket) = TcpStream::connect(self.address) {
                socket.write_all(request).unwrap();
                let mut answer = [0; 1024];
                let read = socket.read(&mut answer).unwrap();
                assert!(answer[..read].starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&answer));
                return self.begun.elapsed();
            }
            std::thread::sleep(Duration::from_micros(500));
        }
    }

    /// Returns the resident memory in MB (10^6 bytes).
    pub fn resident(&self) -> f64 {
        memory(&self.id().to_string(), "VmRSS:") / 1e6
    }

    /// Returns the resident memory in MB (10^6 bytes), without pages of files. SQLite maps the database file. The pages
    /// that were read are resident, but the kernel can drop them at any time.
    pub fn anonymous(&self) -> f64 {
        memory(&self.id().to_string(), "RssAnon:") / 1e6
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns a measure of a process's memory in bytes. `process` is `self` or the id of the process. `name` is the name
/// of the measure in `/proc/…/status`.
pub fn memory(process: &str, name: &str) -> f64 {
    status(process, name) * 1024.0
}

/// Returns the number in the line of `/proc/…/status` that begins with `name`.
pub fn status(process: &str, name: &str) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with(name)).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}
