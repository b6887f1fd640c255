use std::sync::atomic::{AtomicUsize, Ordering};

use poem::endpoint::make_sync;
use poem::http::StatusCode;
use poem::{EndpointExt, Request};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::heads::MAX_HEAD_BUFFER;
use super::*;
use crate::platform::shutdown::{self, Trigger};

mod greedy;

pub(super) const SOON: Duration = Duration::from_secs(5);
pub(super) const OPTIONS: ServeOptions = ServeOptions {
    max_connections: 8,
    max_per_address: 8,
    exempt: Vec::new(),
    keep_alive: Duration::from_secs(30),
    drain: Duration::from_secs(30),
};

pub(super) struct Server {
    address: SocketAddr,
    pub(super) trigger: Trigger,
    task: JoinHandle<()>,
}

pub(super) async fn start<E>(endpoint: E, options: ServeOptions) -> Server
where
    E: Endpoint + 'static,
    E::Output: IntoResponse,
{
    start_by(Clock::system(), endpoint, options).await
}

/// Starts a server with the given clock.
pub(super) async fn start_by<E>(clock: Clock, endpoint: E, options: ServeOptions) -> Server
where
    E: Endpoint + 'static,
    E::Output: IntoResponse,
{
    let (trigger, stop) = shutdown::channel();
    let listener = bind("127.0.0.1:0".parse().unwrap()).await.unwrap();
    let address = listener.local_addr();
    let task = tokio::spawn(listener.serve(endpoint, options, clock, stop));
    Server { address, trigger, task }
}

impl Server {
    pub(super) async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.unwrap()
    }

    pub(super) async fn ended(self) {
        timeout(SOON, self.task).await.expect("the server ends").unwrap();
    }
}

async fn send_head(socket: &mut TcpStream, head: &str) {
    socket.write_all(format!("{head}\r\nhost: x\r\n\r\n").as_bytes()).await.unwrap();
}

/// Reads until the received text contains `end`.
async fn read_until(socket: &mut TcpStream, end: &str) -> String {
    let mut text = String::new();
    let mut buffer = [0; 4096];
    while !text.contains(end) {
        let count = timeout(SOON, socket.read(&mut buffer)).await.expect("a response arrives").unwrap();
        assert!(count > 0, "the connection closed after {text:?}");
        text.push_str(std::str::from_utf8(&buffer[..count]).unwrap());
    }
    text
}

async fn assert_closed(socket: &mut TcpStream) {
    let mut rest = Vec::new();
    let read = timeout(SOON, socket.read_to_end(&mut rest)).await.expect("the connection closes");
    assert!(read.is_err() || rest.is_empty(), "the connection closes without further bytes: {rest:?}");
}

/// An endpoint whose handler waits for `go_on`. Reports when the handler was called and dropped.
#[derive(Clone, Default)]
struct Hanging {
    begun: Arc<Notify>,
    go_on: Arc<Notify>,
    dropped: Arc<Notify>,
}

struct NotifyOnDrop(Arc<Notify>);

impl Drop for NotifyOnDrop {
    fn drop(&mut self) {
        self.0.notify_one();
    }
}

impl Endpoint for Hanging {
    type Output = &'static str;

    async fn call(&self, _: Request) -> poem::Result<&'static str> {
        let _dropped = NotifyOnDrop(Arc::clone(&self.dropped));
        self.begun.notify_one();
        self.go_on.notified().await;
        Ok("done")
    }
}

#[tokio::test]
async fn one_connection_serves_many_requests_and_knows_its_peer() {
    let server = start(make_sync(|request: Request| format!("<{}>", request.remote_addr())), OPTIONS).await;
    let mut socket = server.connect().await;
    let peer = format!("<socket://{}>", socket.local_addr().unwrap());
    for _ in 0..3 {
        send_head(&mut socket, "GET / HTTP/1.1").await;
        assert!(read_until(&mut socket, &peer).await.starts_with("HTTP/1.1 200 OK"));
    }
}

#[tokio::test]
async fn a_disconnect_drops_the_handler() {
    let hanging = Hanging::default();
    let server = start(hanging.clone(), OPTIONS).await;
    let mut socket = server.connect().await;
    send_head(&mut socket, "GET / HTTP/1.1").await;
    timeout(SOON, hanging.begun.notified()).await.unwrap();
    drop(socket);
    timeout(SOON, hanging.dropped.notified()).await.expect("the handler is dropped");
}

#[tokio::test]
async fn a_drain_closes_idle_connections_and_finishes_open_requests() {
    let hanging = Hanging::default();
    let server = start(hanging.clone(), OPTIONS).await;
    let (mut never_used, mut busy) = (server.connect().await, server.connect().await);
    send_head(&mut busy, "GET / HTTP/1.1").await;
    timeout(SOON, hanging.begun.notified()).await.unwrap();
    server.trigger.drain();
    assert_closed(&mut never_used).await;
    hanging.go_on.notify_one();
    let answer = read_until(&mut busy, "done").await;
    assert!(answer.contains("connection: close"), "{answer}");
    assert_closed(&mut busy).await;
    server.ended().await;
}

#[tokio::test]
async fn a_drain_closes_idle_connections_that_were_used() {
    let server = start(make_sync(|_| "done"), OPTIONS).await;
    let mut socket = server.connect().await;
    send_head(&mut socket, "GET / HTTP/1.1").await;
    read_until(&mut socket, "done").await;
    server.trigger.drain();
    assert_closed(&mut socket).await;
    server.ended().await;
}

#[tokio::test]
async fn the_second_signal_and_the_end_of_the_drain_drop_open_requests() {
    for drain in [OPTIONS.drain, Duration::ZERO] {
        let hanging = Hanging::default();
        let server = start(hanging.clone(), ServeOptions { drain, ..OPTIONS }).await;
        let mut socket = server.connect().await;
        send_head(&mut socket, "GET / HTTP/1.1").await;
        timeout(SOON, hanging.begun.notified()).await.unwrap();
        server.trigger.drain();
        if !drain.is_zero() {
            server.trigger.stop();
        }
        timeout(SOON, hanging.dropped.notified()).await.expect("the handler is dropped");
        server.ended().await;
    }
}

#[tokio::test]
async fn connections_over_the_limit_wait_for_a_slot() {
    let served = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&served);
    let endpoint = make_sync(move |_| format!("number {}", count.fetch_add(1, Ordering::Relaxed)));
    let server = start(endpoint, ServeOptions { max_connections: 1, ..OPTIONS }).await;
    let mut first = server.connect().await;
    send_head(&mut first, "GET / HTTP/1.1").await;
    read_until(&mut first, "number 0").await;
    let mut second = server.connect().await;
    send_head(&mut second, "GET / HTTP/1.1").await;
    // the second connection is not served while the first connection occupies the only slot
    send_head(&mut first, "GET / HTTP/1.1").await;
    read_until(&mut first, "number 1").await;
    drop(first);
    read_until(&mut second, "number 2").await;
}

#[tokio::test]
async fn silent_connections_are_closed() {
    let keeping = |keep_alive| ServeOptions { keep_alive, ..OPTIONS };
    let server = start(make_sync(|_| "done"), keeping(Duration::from_millis(50))).await;
    let mut silent = server.connect().await;
    assert_closed(&mut silent).await;
    // the timeout `SOON` is long enough for a request, even on a busy machine
    let server = start(make_sync(|_| "done"), keeping(SOON)).await;
    let mut idle = server.connect().await;
    send_head(&mut idle, "GET / HTTP/1.1").await;
    read_until(&mut idle, "done").await;
    let closed = timeout(10 * SOON, idle.read(&mut [0])).await.expect("the connection closes");
    assert!(matches!(closed, Ok(0) | Err(_)), "{closed:?}");
}

#[tokio::test]
async fn large_heads_are_rejected_with_414_or_431() {
    let server = start(make_sync(|_| "done").around(refuse_bad_heads), OPTIONS).await;
    let (path, value) = (|size: usize| "a".repeat(size), |size: usize| "v".repeat(size));
    let cases = [
        (format!("GET /{} HTTP/1.1", path(MAX_REQUEST_LINE - 14)), "200"),
        (format!("GET /{} HTTP/1.1", path(MAX_REQUEST_LINE - 13)), "414"),
        (format!("GET / HTTP/1.1\r\nx: {}", value(MAX_HEADERS - 14)), "200"),
        (format!("GET / HTTP/1.1\r\nx: {}", value(MAX_HEADERS - 13)), "431"),
        (format!("GET / HTTP/1.1\r\nx: {}", value(MAX_HEAD_BUFFER)), "431"),
        (format!("GET /{} HTTP/1.1", path(MAX_HEAD_BUFFER - 100)), "414"),
        (format!("GET /{} HTTP/1.1", path(MAX_HEAD_BUFFER + 100_000)), "414"),
        (format!("GET /{} HTTP/1.1\r\nx: {}", path(MAX_REQUEST_LINE), value(MAX_HEAD_BUFFER)), "414"),
    ];
    for (head, status) in cases {
        let mut socket = server.connect().await;
        // the server possibly rejects a head, and closes the connection, before the client has written the whole head
        let _ = socket.write_all(format!("{head}\r\nhost: x\r\n\r\n").as_bytes()).await;
        let answer = read_until(&mut socket, "\r\n\r\n").await;
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status}")),
            "the response to a head of {} bytes has the status {status}: {answer}",
            head.len()
        );
    }
}

#[tokio::test]
async fn a_response_before_the_end_of_the_body_reaches_the_client() {
    let server = start(make_sync(|_| StatusCode::PAYLOAD_TOO_LARGE), OPTIONS).await;
    let mut socket = server.connect().await;
    // twice on one connection, which stays usable
    for _ in 0..2 {
        let body = vec![b'x'; 8 << 20];
        let head = format!("POST / HTTP/1.1\r\nhost: x\r\ncontent-length: {}\r\n\r\n", body.len());
        socket.write_all(head.as_bytes()).await.unwrap();
        timeout(SOON, socket.write_all(&body)).await.expect("the rest of the body is read").unwrap();
        let answer = read_until(&mut socket, "\r\n\r\n").await;
        assert!(answer.starts_with("HTTP/1.1 413"), "{answer}");
    }
    // a client that expects `100 Continue` gets the final response instead
    let head = "POST / HTTP/1.1\r\nexpect: 100-continue\r\ncontent-length: 9000000";
    send_head(&mut socket, head).await;
    let answer = read_until(&mut socket, "\r\n\r\n").await;
    assert!(answer.starts_with("HTTP/1.1 413"), "{answer}");
}

/// An endpoint that reads the first bytes of a body and responds with 413.
struct ReadsTheBeginning;

impl Endpoint for ReadsTheBeginning {
    type Output = StatusCode;

    async fn call(&self, mut request: Request) -> poem::Result<StatusCode> {
        let mut body = request.take_body().into_async_read();
        body.read_exact(&mut [0; 10]).await.unwrap();
        Ok(StatusCode::PAYLOAD_TOO_LARGE)
    }
}

#[tokio::test]
async fn a_response_after_100_continue_and_before_the_end_of_the_body_reaches_the_client() {
    let server = start(ReadsTheBeginning, OPTIONS).await;
    let mut socket = server.connect().await;
    // twice on one connection, which stays usable
    for _ in 0..2 {
        let body = vec![b'x'; 8 << 20];
        let head = format!("POST / HTTP/1.1\r\nexpect: 100-continue\r\ncontent-length: {}", body.len());
        send_head(&mut socket, &head).await;
        assert_eq!(read_until(&mut socket, "\r\n\r\n").await, "HTTP/1.1 100 Continue\r\n\r\n");
        timeout(SOON, socket.write_all(&body)).await.expect("the rest of the body is read").unwrap();
        let answer = read_until(&mut socket, "\r\n\r\n").await;
        assert!(answer.starts_with("HTTP/1.1 413"), "{answer}");
    }
}

#[tokio::test]
async fn invalid_heads_are_rejected_for_any_endpoint() {
    for has_middleware in [true, false] {
        let server = match has_middleware {
            true => start(make_sync(|_| "done").around(refuse_bad_heads), OPTIONS).await,
            false => start(make_sync(|_| "done"), OPTIONS).await,
        };
        for (head, is_accepted) in [
            ("GET / HTTP/1.1\r\nhost: x", true),
            ("GET / HTTP/1.1\r\nhost:", true),
            ("GET / HTTP/1.0", true),
            ("GET / HTTP/1.0\r\nhost: x", true),
            ("GET / HTTP/1.1", false),
            ("GET http://x/ HTTP/1.1", false),
            ("GET / HTTP/1.1\r\nhost: x\r\nhost: x", false),
            ("GET / HTTP/1.0\r\nhost: x\r\nhost: y", false),
            ("POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: Chunked", true),
            ("POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: gzip, chunked", false),
            ("POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked", false),
            ("POST / HTTP/1.1\r\nhost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 5", false),
            ("POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: gzip\r\ntransfer-encoding: chunked", false),
        ] {
            let mut socket = server.connect().await;
            let content = if head.starts_with("POST") { "0\r\n\r\n" } else { "" };
            socket.write_all(format!("{head}\r\n\r\n{content}").as_bytes()).await.unwrap();
            let answer = read_until(&mut socket, "\r\n\r\n").await;
            let status = answer.split(' ').nth(1).unwrap_or_default();
            assert_eq!(status, if is_accepted { "200" } else { "400" }, "{head}: {answer}");
            assert!(
                is_accepted || answer.contains("connection: close"),
                "the connection of a rejected head is closed: {head}: {answer}"
            );
        }
    }
}
