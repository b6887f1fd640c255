//! The load generator: keep-alive connections over plain sockets. The requests are prepared as bytes. The
//! `Content-Length` of a response determines where the response ends.

use std::cell::{Cell, RefCell};
use std::net::SocketAddr;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::future::LocalBoxFuture;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::LocalSet;

use super::cpu;

/// Writes the next request into an empty buffer. The first argument is the index of the connection, from 0.
pub type Writer = Arc<dyn Fn(usize, &mut Vec<u8>)>;

/// The work whose throughput is measured.
#[derive(Clone)]
pub enum Work {
    Http {
        /// The addresses of the servers. Connections are distributed round-robin over them.
        addresses: Vec<SocketAddr>,
        expected: u16,
        request: Writer,
    },
    /// A function that performs one operation, and that each caller calls repeatedly. The argument is the caller's
    /// index, from 0.
    Calls(Rc<dyn Fn(usize) -> LocalBoxFuture<'static, ()>>),
}

/// The result of one measuring window.
pub struct Window {
    pub seconds: f64,
    /// Latencies of the requests or calls that ended within the window, in µs, unsorted.
    pub latencies: Vec<u32>,
    /// CPU time that the server used within the window.
    pub server_cpu: Duration,
    /// CPU time used within the window, for each watched PostgreSQL server ([`cpu::watch_database`]).
    pub database_cpu: Vec<Duration>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    WarmUp,
    Measured,
    Ended,
}

struct Shared {
    phase: Cell<Phase>,
    latencies: RefCell<Vec<u32>>,
}

impl Shared {
    /// Records the latency of a finished request or call, if the measuring window has begun and has not ended. Returns
    /// whether the caller continues.
    fn note(&self, begun: Instant, ended: Instant) -> bool {
        match self.phase.get() {
            Phase::WarmUp => true,
            Phase::Measured => {
                self.latencies.borrow_mut().push((ended - begun).as_micros() as u32);
                true
            }
            Phase::Ended => false,
        }
    }
}

/// Keeps `clients` callers busy, first for `warm_up` and then for `window`. Only requests and calls that end within the
/// window are counted.
pub async fn measure(work: &Work, clients: usize, warm_up: Duration, window: Duration) -> Window {
    let shared = Rc::new(Shared {
        phase: Cell::new(Phase::WarmUp),
        latencies: RefCell::new(Vec::with_capacity(1 << 18)),
    });
    let local = LocalSet::new();
    let mut callers = Vec::new();
    for caller in 0..clients {
        let (work, shared) = (work.clone(), Rc::clone(&shared));
        callers.push(local.spawn_local(async move {
            match work {
                Work::Http { addresses, expected, request } => {
                    let mut connection = Connection::open(addresses[caller % addresses.len()]).await;
                    let mut begun = Instant::now();
                    loop {
                        connection.out.clear();
                        request(caller, &mut connection.out);
                        connection.exchange(expected).await;
                        let ended = Instant::now();
                        if !shared.note(begun, ended) {
                            return;
                        }
                        begun = ended;
                    }
                }
                Work::Calls(call) => {
                    let mut begun = Instant::now();
                    loop {
                        call(caller).await;
                        let ended = Instant::now();
                        if !shared.note(begun, ended) {
                            return;
                        }
                        begun = ended;
                    }
                }
            }
        }));
    }
    local
        .run_until(async {
            tokio::time::sleep(warm_up).await;
            let (begun, cpu, databases) = (Instant::now(), cpu::server_nanos(), cpu::database_nanos());
            shared.phase.set(Phase::Measured);
            tokio::time::sleep(window).await;
            shared.phase.set(Phase::Ended);
            let (ended, used) = (Instant::now(), cpu::server_nanos() - cpu);
            let databases = cpu::database_nanos()
                .into_iter()
                .zip(databases)
                .map(|(after, before)| Duration::from_nanos(after.saturating_sub(before)));
            for caller in callers {
                caller.await.unwrap();
            }
            Window {
                seconds: (ended - begun).as_secs_f64(),
                latencies: shared.latencies.take(),
                server_cpu: Duration::from_nanos(used),
                database_cpu: databases.collect(),
            }
        })
        .await
}

/// A keep-alive connection.
pub struct Connection {
    socket: TcpStream,
    /// The bytes of the next request.
    pub out: Vec<u8>,
    buffer: Vec<u8>,
    /// Length of the head of the latest response in bytes, including the empty line.
    head: usize,
}

impl Connection {
    pub async fn open(address: SocketAddr) -> Self {
        let socket = TcpStream::connect(address).await.unwrap();
        socket.set_nodelay(true).unwrap();
        Self { socket, out: Vec::with_capacity(1024), buffer: vec![0; 1 << 17], head: 0 }
    }

    /// Sends `out`, reads one response and returns its body. Panics if the status is not `expected`.
    pub async fn exchange(&mut self, expected: u16) -> &[u8] {
        self.socket.write_all(&self.out).await.unwrap();
        let mut filled = 0;
        let mut whole = None;
        loop {
            if filled == self.buffer.len() {
                self.buffer.resize(filled * 2, 0);
            }
            let read = self.socket.read(&mut self.buffer[filled..]).await.unwrap();
            assert!(read > 0, "the server keeps the connection open");
            filled += read;
            if whole.is_none() {
                whole = head(&self.buffer[..filled]);
            }
            if let Some((head, body)) = whole
                && filled >= head + body
            {
                self.head = head;
                let text = &self.buffer[head..head + body];
                assert!(
                    status(&self.buffer) == expected,
                    "expected {expected}: {}{}",
                    String::from_utf8_lossy(&self.buffer[..head]),
                    String::from_utf8_lossy(text)
                );
                return text;
            }
        }
    }

    /// Returns a header of the latest response. `name` is not case-sensitive.
    pub fn header(&self, name: &str) -> Option<&str> {
        let lines = std::str::from_utf8(&self.buffer[..self.head]).ok()?.lines();
        let mut pairs = lines.filter_map(|line| line.split_once(':'));
        pairs.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
    }
}

/// Parses the status of a response that begins with a status line, `HTTP/1.1 200 …`.
fn status(bytes: &[u8]) -> u16 {
    bytes[9..12].iter().fold(0, |status, digit| status * 10 + u16::from(*digit) - u16::from(b'0'))
}

/// Returns the length of the head and the length of the body in bytes. Returns `None` if the head is incomplete or has
/// no `Content-Length`.
fn head(bytes: &[u8]) -> Option<(usize, usize)> {
    let head = bytes.windows(4).position(|four| four == b"\r\n\r\n")? + 4;
    let name = b"\ncontent-length: ";
    let at = bytes[..head].windows(name.len()).position(|part| part.eq_ignore_ascii_case(name))? + name.len();
    let digits = bytes[at..head].iter().take_while(|b| b.is_ascii_digit());
    Some((head, digits.fold(0, |length, digit| length * 10 + usize::from(digit - b'0'))))
}

/// Sends one request on a connection of its own, to prepare a measurement. Returns the body of the response. Panics if
/// the status is not `expected`.
pub async fn once(address: SocketAddr, request: Vec<u8>, expected: u16) -> Vec<u8> {
    let mut connection = Connection::open(address).await;
    connection.out = request;
    connection.exchange(expected).await.to_vec()
}

/// Returns the bytes of a GET request with a bearer token.
pub fn get(path: &str, token: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer {token}\r\naccept: application/json\r\n\r\n")
        .into_bytes()
}
