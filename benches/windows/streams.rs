//! Open streams of server-sent events, and the messages that arrive in them. The text of each message contains the
//! message's number. A message has arrived in a stream when its number is found in the bytes of the stream.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Instant;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;

/// The text before the number of a message.
const PREFIX: &[u8] = b"|fan-out-";
const DIGITS: usize = 12;

/// Returns a text that contains the number of a message.
pub fn numbered_text(number: u64) -> String {
    format!("|fan-out-{number:012}")
}

/// The messages that have not arrived in every stream yet, and measurements of all arrivals.
#[derive(Default)]
pub struct Arrivals {
    streams: Cell<usize>,
    flights: RefCell<HashMap<u64, Flight>>,
    next: Cell<u64>,
    /// Number of arrivals: each message is counted once for each stream in which it has arrived.
    pub count: Cell<u64>,
    /// Number of bytes that arrived in all streams.
    pub bytes: Cell<u64>,
    /// Times from the start of a send to the arrival in each stream, in µs.
    pub latencies: RefCell<Vec<u32>>,
}

struct Flight {
    begun: Instant,
    /// For each stream, whether the message has arrived in it.
    seen: Vec<bool>,
    /// Number of streams in which the message has not arrived.
    left: usize,
    arrived: Option<oneshot::Sender<()>>,
}

impl Arrivals {
    /// Returns the number of a new message, and a receiver that resolves when the message has arrived in every stream.
    pub fn depart(&self) -> (u64, oneshot::Receiver<()>) {
        let number = self.next.get();
        self.next.set(number + 1);
        let (arrived, all) = oneshot::channel();
        let left = self.streams.get();
        let seen = vec![false; left];
        let flight = Flight { begun: Instant::now(), seen, left, arrived: Some(arrived) };
        self.flights.borrow_mut().insert(number, flight);
        (number, all)
    }

    /// Resets the counts and the latencies.
    pub fn reset(&self) {
        self.count.set(0);
        self.bytes.set(0);
        self.latencies.borrow_mut().clear();
    }

    fn arrive(&self, stream: usize, number: u64) {
        let mut flights = self.flights.borrow_mut();
        // no entry: the message has already arrived in every stream
        let flight = flights.get_mut(&number).filter(|flight| !flight.seen[stream]);
        let flight = flight.unwrap_or_else(|| panic!("message {number} arrived twice in a stream"));
        flight.seen[stream] = true;
        self.count.set(self.count.get() + 1);
        self.latencies.borrow_mut().push(flight.begun.elapsed().as_micros() as u32);
        flight.left -= 1;
        if flight.left == 0 {
            // the sender may have stopped waiting
            let _ = flight.arrived.take().unwrap().send(());
            flights.remove(&number);
        }
    }
}

/// Opens a stream, and waits until the server has sent the field `retry`. Returns the socket, and the bytes that were
/// read so far.
pub async fn open(address: SocketAddr, path: &str, cookie: &str) -> (TcpStream, Vec<u8>) {
    let mut socket = TcpStream::connect(address).await.unwrap();
    let head = format!(
        "GET {path} HTTP/1.1\r\nhost: bench\r\naccept: text/event-stream\r\ncookie: {cookie}\r\n\r\n"
    );
    socket.write_all(head.as_bytes()).await.unwrap();
    let mut received = Vec::new();
    let mut chunk = [0; 2048];
    while !received.windows(7).any(|part| part == b"retry: ") {
        let read = socket.read(&mut chunk).await.unwrap();
        received.extend_from_slice(&chunk[..read]);
        let is_ok = b"HTTP/1.1 200".starts_with(&received[..received.len().min(12)]);
        assert!(read > 0 && is_ok, "the stream opens with 200: {}", String::from_utf8_lossy(&received));
    }
    (socket, received)
}

/// Counts the messages of a stream until the runtime ends. Must be called for every stream before the first call of
/// [`Arrivals::depart`].
pub fn follow(mut socket: TcpStream, arrivals: &Rc<Arrivals>) {
    let stream = arrivals.streams.get();
    arrivals.streams.set(stream + 1);
    let arrivals = Rc::clone(arrivals);
    tokio::task::spawn_local(async move {
        let mut buffer = vec![0; 16 << 10];
        let mut kept = 0;
        loop {
            let read = socket.read(&mut buffer[kept..]).await.unwrap();
            assert!(read > 0, "every stream stays open");
            arrivals.bytes.set(arrivals.bytes.get() + read as u64);
            let filled = kept + read;
            let scanned = scan(&buffer[..filled], |number| arrivals.arrive(stream, number));
            buffer.copy_within(scanned..filled, 0);
            kept = filled - scanned;
        }
    });
}

/// Finds the messages whose numbers are complete in `bytes`, and passes each number to `arrive`. Returns how many bytes
/// at the start of `bytes` need not be scanned again.
fn scan(bytes: &[u8], mut arrive: impl FnMut(u64)) -> usize {
    let mut at = 0;
    while let Some(found) = bytes[at..].iter().position(|byte| *byte == PREFIX[0]) {
        let start = at + found;
        let Some(candidate) = bytes.get(start..start + PREFIX.len() + DIGITS) else { return start };
        if candidate.starts_with(PREFIX) {
            let digits = std::str::from_utf8(&candidate[PREFIX.len()..]).unwrap();
            arrive(digits.parse().unwrap());
        }
        at = start + 1;
    }
    bytes.len()
}
