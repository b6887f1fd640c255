//! Many concurrent connections. Hostile connections are closed, and the number of connections from one address is
//! limited.

use std::{io::ErrorKind, sync::Arc, time::Duration};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
};

use crate::support::{BotFixture, Options, Server, fresh_key, server, to_conversation, until};

/// A time longer than the server waits for the next byte of a body, or for the client to read.
const PATIENCE: Duration = Duration::from_secs(31);
/// Number of hostile connections of each kind.
const EACH: usize = 50;

fn address(server: &Server) -> std::net::SocketAddr {
    server.base.trim_start_matches("http://").parse().expect("an address")
}

/// Opens a connection with a small receive buffer, and sends these bytes on it.
async fn connect_and_send(server: &Server, bytes: &[u8]) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(16 << 10).unwrap();
    let mut socket = socket.connect(address(server)).await.unwrap();
    socket.write_all(bytes).await.unwrap();
    socket
}

/// Returns whether the server has closed a connection. Each call reads at most 4 KiB of what the server has sent. A
/// connection with unread bytes counts as open.
fn is_closed(socket: &TcpStream) -> bool {
    match socket.try_read(&mut [0; 4096]) {
        Ok(0) => true,
        Ok(_) => false,
        Err(error) => error.kind() != ErrorKind::WouldBlock,
    }
}

/// Returns whether the server has reset a connection. Does not read from the connection, because the server would keep
/// the connection of a client that reads.
fn is_reset(socket: &TcpStream) -> bool {
    socket.take_error().unwrap().is_some()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hostile_connections_leave_capacity_and_are_closed() {
    let configure: server::Configure = Arc::new(|config| {
        // 300 hostile connections and a few more
        config.max_connections = 320;
        config.keep_alive_seconds = 3;
    });
    let options = Options { configure: Some(configure), ..Options::default() };
    let server = Server::with(options).await.expect("SQLite is always there");
    let fixture = BotFixture::new(&server).await;
    let document = b"GET /openapi/admin.json HTTP/1.1\r\nhost: x\r\n\r\n".repeat(20);
    let (mut ending, mut greedy) = (Vec::new(), Vec::new());
    for _ in 0..EACH {
        for bytes in [
            &b""[..],
            b"GET /v1/users HTTP/1.1\r\nhost: x\r\nx-slow",
            b"POST /oauth/token HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{",
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
            b"POST /token HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n3\r\nab",
        ] {
            ending.push(connect_and_send(&server, bytes).await);
        }
        greedy.push(connect_and_send(&server, &document).await);
    }
    // while the hostile connections are open, the server serves other clients
    for n in 0..5 {
        assert_eq!(server.api().get("/healthz").send().await.status, 200);
        let body = to_conversation(
            &fixture.group,
            &format!("another client is served beside the hostile connections: {n}"),
        );
        fixture.bot.api.post("/v1/messages").key(&fresh_key()).json(&body).ok(201).await;
    }
    until(async || {
        server.clock.advance(PATIENCE);
        ending.retain(|socket| !is_closed(socket));
        greedy.retain(|socket| !is_reset(socket));
        ending.is_empty() && greedy.is_empty()
    })
    .await;
    // the slots of the hostile connections are released, so the server serves as many other clients simultaneously
    let mut polite = Vec::new();
    for _ in 0..6 * EACH {
        let mut socket = connect_and_send(&server, b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n").await;
        let mut answer = [0; 12];
        socket.read_exact(&mut answer).await.unwrap();
        assert_eq!(&answer, b"HTTP/1.1 200");
        polite.push(socket);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_has_a_bounded_number_of_connections() {
    let configure: server::Configure = Arc::new(|config| config.max_connections_per_address = 3);
    let options = Options { configure: Some(configure), ..Options::default() };
    let server = Server::with(options).await.expect("SQLite is always there");
    let mut held = Vec::new();
    for _ in 0..3 {
        held.push(connect_and_send(&server, b"").await);
    }
    let post = |path: &'static str| {
        let base = server.base.clone();
        async move { crate::support::wire::request(&base, &format!("POST {path}"), &[], b"").await }
    };
    // the error has the format of the API to which the path belongs
    let answer = post("/v1/messages").await;
    answer.refused(429, "rate_limited");
    assert!(answer.json()["error"]["message"].as_str().unwrap().starts_with("too many connections"));
    assert_eq!(answer.header("retry-after"), Some("5"));
    let answer = post("/token").await;
    assert_eq!((answer.status, answer.json()), (429, serde_json::json!({"error": "slow_down"})));
    assert_eq!(answer.header("retry-after"), Some("5"));
    // clients with other addresses are not affected
    let elsewhere = server.api_from(std::net::Ipv4Addr::new(127, 0, 0, 2));
    assert_eq!(elsewhere.get("/healthz").send().await.status, 200);
    drop(held);
    // After the connections are closed, the server handles requests from the address again. The status is 405, because
    // `/healthz` has no POST.
    until(async || post("/healthz").await.status == 405).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_of_trusted_proxies_are_not_counted() {
    let configure: server::Configure = Arc::new(|config| {
        config.max_connections_per_address = 1;
        config.trusted_proxies = vec!["127.0.0.1/32".parse().unwrap()];
    });
    let options = Options { configure: Some(configure), ..Options::default() };
    let server = Server::with(options).await.expect("SQLite is always there");
    let mut held = Vec::new();
    for _ in 0..5 {
        held.push(connect_and_send(&server, b"").await);
    }
    assert_eq!(server.api().get("/healthz").send().await.status, 200);
}
