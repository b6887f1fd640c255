//! The measured clients. A monitor opens a new connection for each request to `/healthz`. All bots send on one
//! connection.

use std::fmt;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::database::BenchDatabase;

/// The interval of the monitor's requests, and of the sends of all bots together.
const EVERY: Duration = Duration::from_millis(25);
/// A timeout longer than any acceptable response time.
const PATIENCE: Duration = Duration::from_secs(60);

/// The number of the next send.
static SENDS: AtomicUsize = AtomicUsize::new(0);

pub struct Seen {
    pub health: Latencies,
    pub send: Latencies,
}

/// Latencies in milliseconds, in ascending order.
pub struct Latencies(Vec<f64>);

impl Latencies {
    /// Returns the latency that this share of the requests did not exceed. A share of 1 returns the highest latency.
    pub fn at(&self, share: f64) -> f64 {
        let last = self.0.len() - 1;
        self.0[((self.0.len() as f64 * share) as usize).min(last)]
    }
}

impl fmt::Display for Latencies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1} / {:.1} / {:.1}", self.at(0.5), self.at(0.99), self.at(1.0))
    }
}

/// Measures health checks and sends at the same time. `window` is the duration of the measurement.
pub fn measure(database: &BenchDatabase, address: SocketAddr, window: Duration) -> Seen {
    std::thread::scope(|scope| {
        let health = scope.spawn(|| {
            repeat(window, || {
                let mut socket = open(address);
                exchange(&mut socket, b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n", "200");
            })
        });
        let mut socket = open(address);
        let send = repeat(window, || {
            let request = database.send(SENDS.fetch_add(1, Ordering::Relaxed));
            exchange(&mut socket, &request, "201");
        });
        Seen { health: health.join().unwrap(), send }
    })
}

/// Calls `ask` once every [`EVERY`]. If a call takes longer than [`EVERY`], the next call starts at once, and the
/// schedule continues from that time. Returns the duration of each call.
fn repeat(window: Duration, mut ask: impl FnMut()) -> Latencies {
    let begun = Instant::now();
    let mut latencies = Vec::new();
    let mut next = begun;
    while begun.elapsed() < window {
        std::thread::sleep(next.saturating_duration_since(Instant::now()));
        let asked = Instant::now();
        ask();
        latencies.push(asked.elapsed().as_secs_f64() * 1e3);
        next = (next + EVERY).max(Instant::now());
    }
    latencies.sort_by(f64::total_cmp);
    Latencies(latencies)
}

fn open(address: SocketAddr) -> TcpStream {
    let socket = TcpStream::connect_timeout(&address, PATIENCE).unwrap();
    socket.set_nodelay(true).unwrap();
    socket.set_read_timeout(Some(PATIENCE)).unwrap();
    socket
}

fn exchange(socket: &mut TcpStream, request: &[u8], status: &str) {
    socket.write_all(request).unwrap();
    let (mut answer, mut chunk) = (Vec::new(), [0; 8192]);
    loop {
        let read = socket.read(&mut chunk).unwrap();
        assert!(read > 0, "the response is not cut off: {}", String::from_utf8_lossy(&answer));
        answer.extend_from_slice(&chunk[..read]);
        let text = String::from_utf8_lossy(&answer);
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        assert_eq!(&head[9..12], status, "{text}");
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
        if body.len() >= length.parse().unwrap() {
            return;
        }
    }
}
