//! `switchboard serve` as a process of its own over an existing database: how soon it answers, and how much memory it takes.

use std::io::Write;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::{
    client::{self, Work},
    options::Options,
    server::{self, Place},
};

/// What was seen of one process.
pub struct Seen {
    pub messages: usize,
    /// From its start to its first answer; the median of several starts.
    pub first_answer: Duration,
    /// Resident memory after the first answer and a rest, in MB (10^6 bytes).
    pub idle: f64,
    /// The same after some seconds of token checks.
    pub after_work: f64,
}

/// Starts the process several times.
pub async fn measure(place: &Place, messages: usize, options: &Options) -> Seen {
    let request = client::get("/v1/auth/test", &place.token);
    let mut times = Vec::new();
    let mut memory = (0.0, 0.0);
    let starts = if options.quick { 3 } else { 9 };
    for n in 0..starts {
        let mut process = Process::start(place);
        times.push(process.first_answer(&request));
        if n + 1 == starts {
            tokio::time::sleep(Duration::from_secs(2)).await;
            let idle = process.resident();
            let again = request.clone();
            let work = Work::Http {
                address: process.address,
                expected: 200,
                request: std::sync::Arc::new(move |_, out| out.extend_from_slice(&again)),
            };
            client::measure(&work, Duration::ZERO, options.window).await;
            tokio::time::sleep(Duration::from_secs(2)).await;
            memory = (idle, process.resident());
        }
    }
    times.sort_unstable();
    Seen { messages, first_answer: times[times.len() / 2], idle: memory.0, after_work: memory.1 }
}

struct Process {
    child: Child,
    address: SocketAddr,
    begun: Instant,
}

impl Process {
    fn start(place: &Place) -> Self {
        // a free port; nobody else takes it in this short time
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let begun = Instant::now();
        let child = Command::new(env!("CARGO_BIN_EXE_switchboard"))
            .args(["serve", "--environment", "sandbox", "--log-level", "warn"])
            .args(["--listen", &address.to_string()])
            .args(["--database-url", &place.database])
            .arg("--files-dir")
            .arg(&place.files)
            .env("SWITCHBOARD_LIMITS_SCALE", server::LIMITS.to_string())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        Self { child, address, begun }
    }

    /// Asks until it answers.
    fn first_answer(&mut self, request: &[u8]) -> Duration {
        use std::io::Read;
        loop {
            assert!(self.begun.elapsed() < Duration::from_secs(30), "the process does not answer");
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

    fn resident(&self) -> f64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
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
