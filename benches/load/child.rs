//! A server in a process of its own: when it answers first, and how much memory it takes. Killed when dropped.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long a process may take to its first answer.
const PATIENCE: Duration = Duration::from_secs(30);

pub struct Process {
    child: Child,
    pub address: SocketAddr,
    begun: Instant,
}

impl Process {
    /// `switchboard serve` over a database that is there; `settings` are environment variables.
    pub fn serve(database: &str, files: &Path, settings: &[(&str, String)]) -> Self {
        // a free port; nobody else takes it in this short time
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let begun = Instant::now();
        let child = Command::new(env!("CARGO_BIN_EXE_switchboard"))
            .args(["serve", "--environment", "sandbox", "--log-level", "warn"])
            .args(["--listen", &address.to_string()])
            .args(["--database-url", database])
            .arg("--files-dir")
            .arg(files)
            .envs(settings.iter().map(|(name, value)| (*name, value)))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        Self { child, address, begun }
    }

    /// A program that tells its port on the first line of standard output; none when it ends without.
    pub fn told(command: &mut Command) -> Option<Self> {
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

    /// Asks until it answers 200; how long after its start.
    pub fn first_answer(&mut self, request: &[u8]) -> Duration {
        loop {
            assert!(self.begun.elapsed() < PATIENCE, "the process does not answer");
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

    /// Resident memory in MB (10^6 bytes).
    pub fn resident(&self) -> f64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
        let kilobytes: f64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
        kilobytes * 1024.0 / 1e6
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
