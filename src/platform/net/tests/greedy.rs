//! Clients that do not read a response, that stop sending, that open too many connections, or that send a request with
//! both `Content-Length` and `Transfer-Encoding`.

use futures_util::StreamExt;
use poem::endpoint::make;
use tokio::net::TcpSocket;

use super::*;
use crate::domain::time::Timestamp;
use crate::platform::net::progress::STALL_TIMEOUT;

/// Size of a response that does not fit into the buffers of the kernel, in bytes.
const LARGE: usize = 32 << 20;

fn manual_clock() -> Clock {
    Clock::manual(Timestamp(0))
}

/// Returns an endpoint. `/large` returns [`LARGE`] bytes. `/body` reads the request body and returns `whole`, or the
/// kind of the error that ended the reading. Every other path returns `done`.
fn endpoint() -> impl Endpoint {
    make(|mut request: Request| async move {
        let body = match request.uri().path() {
            "/large" => vec![b'x'; LARGE],
            "/body" => {
                let mut chunks = std::pin::pin!(request.take_body().into_bytes_stream());
                let mut ended = "whole".to_owned();
                while let Some(chunk) = chunks.next().await {
                    if let Err(error) = chunk {
                        ended = format!("{:?}", error.kind());
                        break;
                    }
                }
                ended.into_bytes()
            }
            _ => b"done".to_vec(),
        };
        Ok::<_, poem::Error>(body)
    })
}

/// Connects a client with a small receive buffer.
async fn connect_with_small_buffer(server: &Server) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(64 << 10).unwrap();
    socket.connect(server.address).await.unwrap()
}

/// Advances the clock repeatedly until a future completes.
async fn advancing_the_clock<T>(clock: &Clock, happened: impl Future<Output = T>) -> T {
    let passing = async {
        loop {
            clock.advance(STALL_TIMEOUT);
            tokio::task::yield_now().await;
        }
    };
    tokio::select! {
        happened = timeout(SOON, happened) => happened.expect("the future completes after `STALL_TIMEOUT`"),
        () = passing => unreachable!("the clock is advanced without end"),
    }
}

#[tokio::test]
async fn a_client_that_does_not_read_is_disconnected() {
    let clock = manual_clock();
    let server = start_by(clock.clone(), endpoint(), ServeOptions { max_connections: 1, ..OPTIONS }).await;
    let mut greedy = connect_with_small_buffer(&server).await;
    send_head(&mut greedy, "GET /large HTTP/1.1").await;
    greedy.readable().await.unwrap();
    let mut next = server.connect().await;
    send_head(&mut next, "GET / HTTP/1.1").await;
    advancing_the_clock(&clock, read_until(&mut next, "done")).await;
    // the server resets the connection, so the kernel discards the unsent bytes and the client cannot read them
    let mut read = Vec::new();
    let ended = timeout(SOON, greedy.read_to_end(&mut read)).await.expect("the connection is reset");
    assert!(ended.is_err() && read.len() < LARGE, "{ended:?}");
}

#[tokio::test]
async fn a_slow_reader_gets_the_whole_response() {
    let clock = manual_clock();
    let server = start_by(clock.clone(), endpoint(), OPTIONS).await;
    let mut slow = connect_with_small_buffer(&server).await;
    send_head(&mut slow, "GET /large HTTP/1.1").await;
    // each part is larger than all buffers together, so the server has to write while the client reads the part
    let mut part = vec![0; 4 << 20];
    for _ in 0..LARGE / part.len() {
        let read = timeout(SOON, slow.read_exact(&mut part)).await.expect("the response continues");
        assert!(read.is_ok(), "a client that keeps reading is served: {read:?}");
        clock.advance(STALL_TIMEOUT.saturating_sub(Duration::from_secs(1)));
    }
}

#[tokio::test]
async fn a_stalled_request_body_fails() {
    let clock = manual_clock();
    let server = start_by(clock.clone(), endpoint(), OPTIONS).await;
    for framing in ["content-length: 10", "transfer-encoding: chunked"] {
        let mut stalled = server.connect().await;
        send_head(&mut stalled, &format!("POST /body HTTP/1.1\r\n{framing}")).await;
        stalled.write_all(b"3\r\nabc").await.unwrap();
        advancing_the_clock(&clock, read_until(&mut stalled, "TimedOut")).await;
    }
    let mut whole = server.connect().await;
    send_head(&mut whole, "POST /body HTTP/1.1\r\ncontent-length: 3").await;
    clock.advance(STALL_TIMEOUT.saturating_sub(Duration::from_secs(1)));
    whole.write_all(b"abc").await.unwrap();
    read_until(&mut whole, "whole").await;
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn accepted_connections_inherit_the_limit_of_unsent_bytes() {
    let listener = bind("127.0.0.1:0".parse().unwrap()).await.unwrap();
    let _client = TcpStream::connect(listener.local_addr()).await.unwrap();
    let (accepted, _) = listener.socket.accept().await.unwrap();
    assert_eq!(socket2::SockRef::from(&accepted).tcp_notsent_lowat().unwrap(), 128 << 10);
}

#[tokio::test]
async fn connections_per_address_are_limited() {
    let options = || ServeOptions { max_per_address: 2, ..OPTIONS };
    let server = start(make_sync(|_| "done").around(refuse_bad_heads), options()).await;
    let (mut first, mut second) = (server.connect().await, server.connect().await);
    for socket in [&mut first, &mut second] {
        send_head(socket, "GET / HTTP/1.1").await;
        read_until(socket, "done").await;
    }
    let mut third = server.connect().await;
    send_head(&mut third, "GET / HTTP/1.1").await;
    let rejection = read_until(&mut third, "\r\n\r\n").await;
    assert!(rejection.starts_with("HTTP/1.1 429 ") && rejection.contains("connection: close"), "{rejection}");
    // another address has its own limit
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.2:0".parse().unwrap()).unwrap();
    let mut other = socket.connect(server.address).await.unwrap();
    send_head(&mut other, "GET / HTTP/1.1").await;
    read_until(&mut other, "done").await;
    // a closed connection no longer counts
    drop(first);
    loop {
        let mut next = server.connect().await;
        send_head(&mut next, "GET / HTTP/1.1").await;
        if !read_until(&mut next, "\r\n\r\n").await.starts_with("HTTP/1.1 429 ") {
            break;
        }
    }
    // the addresses of proxies are exempt from the limit
    let exempt = vec!["127.0.0.0/8".parse().unwrap()];
    let server = start(make_sync(|_| "done"), ServeOptions { exempt, ..options() }).await;
    let mut many = Vec::new();
    for _ in 0..6 {
        let mut socket = server.connect().await;
        send_head(&mut socket, "GET / HTTP/1.1").await;
        read_until(&mut socket, "done").await;
        many.push(socket);
    }
}

#[tokio::test]
async fn rejected_connections_occupy_no_slot_and_are_closed() {
    let options = ServeOptions { max_connections: 2, max_per_address: 1, ..OPTIONS };
    let server = start(make_sync(|_| "done"), options).await;
    let mut first = server.connect().await;
    send_head(&mut first, "GET / HTTP/1.1").await;
    read_until(&mut first, "done").await;
    // These clients send nothing. The server waits for a request on at most `MAX_REJECTING` of the connections.
    let mut rejected = Vec::new();
    for _ in 0..2 * MAX_REJECTING {
        rejected.push(server.connect().await);
    }
    let closed = |socket: TcpStream| async move {
        let mut socket = socket;
        // the server closes a rejected connection without a response, either immediately or after a timeout
        assert_closed(&mut socket).await;
    };
    futures_util::future::join_all(rejected.into_iter().map(closed)).await;
    send_head(&mut first, "GET / HTTP/1.1").await;
    read_until(&mut first, "done").await;
}

#[tokio::test]
async fn rejections_that_wait_for_a_request_are_limited() {
    let options = ServeOptions { max_per_address: 1, ..OPTIONS };
    let server = start(make_sync(|_| "done").around(refuse_bad_heads), options).await;
    let mut first = server.connect().await;
    send_head(&mut first, "GET / HTTP/1.1").await;
    read_until(&mut first, "done").await;
    let mut waiting = Vec::new();
    for _ in 0..MAX_REJECTING {
        waiting.push(server.connect().await);
    }
    // the server closes further connections at once, while it waits for requests on the connections in `waiting`
    for _ in 0..8 {
        assert_closed(&mut server.connect().await).await;
    }
    for socket in &mut waiting {
        send_head(socket, "GET / HTTP/1.1").await;
    }
    for socket in &mut waiting {
        assert!(read_until(socket, "\r\n\r\n").await.starts_with("HTTP/1.1 429 "));
    }
}

#[tokio::test]
async fn a_request_with_two_lengths_closes_its_connection() {
    let served = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&served);
    let endpoint = make_sync(move |_| format!("number {}", count.fetch_add(1, Ordering::Relaxed)));
    let server = start(endpoint.around(refuse_bad_heads), OPTIONS).await;
    let mut socket = server.connect().await;
    // the invalid request follows two valid requests, whose bodies look like the invalid request
    let both = "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n";
    let first = format!("POST / HTTP/1.1\r\nhost: x\r\ncontent-length: {}\r\n\r\n{both}", both.len());
    let chunk = format!("{:x}\r\n{both}\r\n0\r\n\r\n", both.len());
    let second = format!("POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n{chunk}");
    let all = format!("{first}{second}{both}0\r\n\r\nGET / HTTP/1.1\r\nhost: x\r\n\r\n");
    socket.write_all(all.as_bytes()).await.unwrap();
    let mut received = String::new();
    timeout(SOON, socket.read_to_string(&mut received)).await.expect("the connection closes").unwrap();
    let statuses: Vec<_> = received.split("HTTP/1.1 ").skip(1).map(|answer| &answer[..3]).collect();
    assert_eq!(statuses, ["200", "200", "400"], "{received}");
    assert_eq!(served.load(Ordering::Relaxed), 2);
}
