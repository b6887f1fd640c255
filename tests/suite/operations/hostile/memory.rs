//! Clients that read large responses slowly. The responses share the bytes of one body.

use switchboard::domain::token::{self, TokenKind};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
};

use crate::support::{Process, wire};

/// Number of slow clients that read the same response.
const CLIENTS: usize = 40;

/// The setting that multiplies the rate limits. With it, the downloads of all clients stay below the rate limit of one
/// address.
const SCALE: (&str, &str) = ("SWITCHBOARD_LIMITS_SCALE", "10");

/// Sends a request and reads only the beginning of the response.
async fn slow_reader(process: &Process, path: &str) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(16 << 10).unwrap();
    let address = process.base.trim_start_matches("http://").parse().expect("an address");
    let mut socket = socket.connect(address).await.unwrap();
    let head = format!("GET {path} HTTP/1.1\r\nhost: x\r\naccept-encoding: identity\r\n\r\n");
    socket.write_all(head.as_bytes()).await.unwrap();
    let mut start = [0; 12];
    socket.read_exact(&mut start).await.unwrap();
    assert_eq!(&start, b"HTTP/1.1 200", "{path}");
    socket
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slow_readers_of_a_large_response_share_its_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let process = Process::start(folder.path(), &token::mint(TokenKind::Operator, &[9; 32]), &[SCALE]);
    let page = wire::request(&process.base, "GET /docs", &[], b"").await;
    let page = String::from_utf8(page.body).expect("UTF-8");
    let script = page.split('"').find(|part| part.starts_with("/docs/scalar-")).expect("the script's path");
    for path in [script, "/openapi/bot.json", "/openapi/admin.json"] {
        // this first request makes the server create the body, so that the creation is not measured
        let whole =
            wire::request(&process.base, &format!("GET {path}"), &["accept-encoding: identity"], b"").await;
        let before = process.reset_peak_memory();
        let mut held = Vec::new();
        for _ in 0..CLIENTS {
            held.push(slow_reader(&process, path).await);
        }
        let grown = process.peak_memory().saturating_sub(before);
        // each connection needs memory for its buffers, but not for a copy of the body
        let bound = CLIENTS as u64 * (whole.body.len() as u64 / 8).max(128 << 10);
        assert!(
            grown < bound,
            "{path}: {CLIENTS} slow readers take less than {} KiB of memory, not {} KiB",
            bound >> 10,
            grown >> 10
        );
    }
}
