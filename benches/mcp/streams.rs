//! Measures the memory of `switchboard serve` per idle stream. The clients' sockets are in this process, so they are
//! not measured. The kernel's memory for the server's sockets is not resident memory, so it is not measured either.

use std::io::{ErrorKind, Read};
use std::net::SocketAddr;
use std::time::Duration;

use futures_util::future::join_all;
use serde_json::json;
use switchboard::platform::descriptors::{fitting, limits};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::{CLIENTS, client::Connection, database::BenchDatabase, requests, sessions};

pub const NAME: &str = "idle streams";
/// The goal for the resident memory per stream, in KB (10^3 bytes).
pub const GOAL: f64 = 10.0;
/// The pause in which the server releases the memory of the connections that the clients have closed.
const REST: Duration = Duration::from_secs(2);
/// The time for which the streams are idle. The server sends a comment every 15 seconds, so each stream gets at least
/// two comments.
const IDLE: Duration = Duration::from_secs(33);
const COMMENT: &[u8] = b": alive";
/// Number of files that each process may have open besides the sockets of the streams.
const OTHER_FILES: usize = 300;

/// The measurements.
pub struct Seen {
    pub wanted: usize,
    pub open: usize,
    /// Resident memory with the sessions and without streams, in MB (10^6 bytes).
    pub before: f64,
    /// Resident memory with all streams open, after comments were sent, in MB.
    pub after: f64,
}

impl Seen {
    /// Returns the memory per stream in KB.
    pub fn each(&self) -> f64 {
        (self.after - self.before) * 1e3 / self.open as f64
    }
}

/// Starts a server, opens streams to it, each in a session of its own, and measures the server's memory. Opens fewer
/// than `wanted` streams if the limits of open files do not allow so many ([`affordable`]).
pub async fn measure(database: &BenchDatabase, wanted: usize) -> Seen {
    let count = affordable(wanted);
    let mut process = database.serve(count);
    let address = process.address;
    process.first_answer(&requests::tool_call(address, &database.tokens[0], "whoami", &json!({})));
    let token = |n: usize| &*database.tokens[n % database.tokens.len()];

    let begun = join_all((0..CLIENTS).map(|caller| async move {
        let mut connection = Connection::open(address).await;
        let mut begun = Vec::new();
        for n in (caller..count).step_by(CLIENTS) {
            begun.push((n, sessions::begin(&mut connection, address, token(n)).await));
        }
        begun
    }));
    let begun = begun.await;
    tokio::time::sleep(REST).await;
    let before = process.resident();

    let streams = join_all(begun.into_iter().map(|of_caller| async move {
        let mut streams = Vec::new();
        for (n, session) in of_caller {
            streams.push(open(address, token(n), &session).await);
        }
        streams
    }));
    let streams: Vec<TcpStream> = streams.await.into_iter().flatten().collect();
    eprintln!("{} streams are open; they stay idle for {} s", streams.len(), IDLE.as_secs());
    tokio::time::sleep(IDLE).await;
    let after = process.resident();
    for stream in streams {
        assert_alive(stream);
    }
    Seen { wanted, open: count, before, after }
}

/// Opens a stream and waits for its first comment.
async fn open(address: SocketAddr, token: &str, session: &str) -> TcpStream {
    let mut socket = TcpStream::connect(address).await.unwrap();
    socket.write_all(&requests::stream(address, token, session)).await.unwrap();
    let mut received = Vec::new();
    let mut chunk = [0; 1024];
    while comments(&received) == 0 {
        let read = socket.read(&mut chunk).await.unwrap();
        assert!(read > 0, "the server keeps the stream open: {}", String::from_utf8_lossy(&received));
        received.extend_from_slice(&chunk[..read]);
        let head = &received[..received.len().min(12)];
        assert!(
            b"HTTP/1.1 200".starts_with(head),
            "the stream opens with 200: {}",
            String::from_utf8_lossy(&received)
        );
    }
    socket
}

/// Checks that a stream is still open and has received comments. The memory of a closed stream would not be measured.
fn assert_alive(stream: TcpStream) {
    // the socket remains non-blocking, so the read returns `WouldBlock` after everything that was received
    let mut socket = stream.into_std().unwrap();
    let mut received = Vec::new();
    match socket.read_to_end(&mut received) {
        Err(error) if error.kind() == ErrorKind::WouldBlock => {}
        ended => panic!("every stream stays open: {ended:?}, {}", String::from_utf8_lossy(&received)),
    }
    assert!(
        comments(&received) > 0,
        "an idle stream receives comments: {}",
        String::from_utf8_lossy(&received)
    );
}

fn comments(received: &[u8]) -> usize {
    received.windows(COMMENT.len()).filter(|part| *part == COMMENT).count()
}

/// Returns `wanted`. If the limits of open files allow fewer streams, returns the number that they allow. The server
/// inherits the limits, raises its soft limit to the hard limit, and accepts only as many connections as fit within
/// that limit. This process, which has the clients' sockets, keeps its soft limit.
fn affordable(wanted: usize) -> usize {
    let (soft, hard) = limits().expect("the limits of open files can be read");
    let accepted = fitting(wanted + OTHER_FILES, hard).saturating_sub(OTHER_FILES);
    let own = usize::try_from(soft).unwrap().saturating_sub(OTHER_FILES);
    let count = accepted.min(own);
    if count < wanted {
        println!(
            "Only {count} of {wanted} streams: the limits of open files are {soft} (`ulimit -Sn`) and {hard} \
             (`ulimit -Hn`).\n"
        );
    }
    assert!(count > 0, "the limits of open files allow at least one stream");
    count
}
