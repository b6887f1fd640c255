use std::time::Duration;

use futures_util::stream;
use poem::{Endpoint, EndpointExt, Request, Response, endpoint::make};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::*;
use crate::platform::net::{
    ServeOptions,
    progress::STALL_TIMEOUT,
    tests::{OPTIONS, SOON, Server, start, start_by},
};

/// A part of a body: text, or an error.
type Part = Result<Bytes, io::Error>;

/// Returns an endpoint and a channel. The first request to `/stream` gets a long-lived response with the parts that are
/// sent to the channel; every other request gets the body `plain`.
fn endpoint() -> (impl Endpoint<Output = Response>, mpsc::UnboundedSender<Part>) {
    let (sender, parts) = mpsc::unbounded_channel::<Part>();
    let parts = Mutex::new(Some(parts));
    let endpoint = make(move |request: Request| {
        let parts = (request.uri().path() == "/stream").then(|| parts.lock().take()).flatten();
        async move {
            let Some(parts) = parts else { return Ok::<_, poem::Error>(Response::from("plain")) };
            let body = stream::unfold(parts, |mut parts| async move { Some((parts.recv().await?, parts)) });
            let mut answer = Response::from(poem::Body::from_bytes_stream(body));
            answer.extensions_mut().insert(LongLivedBody);
            Ok(answer)
        }
    });
    (endpoint.map_to_response(), sender)
}

fn text(text: &'static str) -> Part {
    Ok(Bytes::from_static(text.as_bytes()))
}

/// Starts a server, requests `/stream` from it, and sends the part `one` to the channel.
async fn start_stream(options: ServeOptions) -> (Server, TcpStream, mpsc::UnboundedSender<Part>) {
    let (endpoint, sender) = endpoint();
    let server = start(endpoint, options).await;
    let mut client = server.connect().await;
    client.write_all(b"GET /stream HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
    sender.send(text("one")).unwrap();
    (server, client, sender)
}

/// Reads up to and including the text `end`.
async fn read_until(socket: &mut TcpStream, end: &str) -> String {
    let mut received = Vec::new();
    while !received.ends_with(end.as_bytes()) {
        let byte = timeout(SOON, socket.read_u8()).await.expect("data arrives").unwrap();
        received.push(byte);
    }
    String::from_utf8(received).unwrap()
}

/// Reads until the server closes the connection.
async fn rest(socket: &mut TcpStream) -> Vec<u8> {
    let mut rest = Vec::new();
    timeout(SOON, socket.read_to_end(&mut rest)).await.expect("the server closes the connection").unwrap();
    rest
}

#[tokio::test]
async fn later_data_is_sent_in_chunks() {
    let (_server, mut client, sender) = start_stream(OPTIONS).await;
    let head = read_until(&mut client, "\r\n\r\n3\r\none\r\n").await.to_lowercase();
    assert!(head.starts_with("http/1.1 200 ok\r\n"), "{head}");
    for line in ["\r\nconnection: close\r\n", "\r\ntransfer-encoding: chunked\r\n", "\r\ndate: "] {
        assert!(head.contains(line), "{head}");
    }
    sender.send(text("and twenty bytes more")).unwrap();
    read_until(&mut client, "15\r\nand twenty bytes more\r\n").await;
    // an empty part does not end the body, although an empty chunk would end it
    sender.send(text("")).unwrap();
    sender.send(text("three")).unwrap();
    assert_eq!(read_until(&mut client, "\r\nthree\r\n").await, "5\r\nthree\r\n");
    // data that the client sends during the response is discarded
    client.write_all(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
    sender.send(text("four")).unwrap();
    assert_eq!(read_until(&mut client, "four\r\n").await, "4\r\nfour\r\n");
    drop(sender);
    assert_eq!(rest(&mut client).await, b"0\r\n\r\n");
}

#[tokio::test]
async fn a_failed_body_has_no_last_chunk() {
    let (_server, mut client, sender) = start_stream(OPTIONS).await;
    read_until(&mut client, "one\r\n").await;
    sender.send(Err(ErrorKind::Other.into())).unwrap();
    assert_eq!(rest(&mut client).await, b"");
}

#[tokio::test]
async fn data_before_a_failure_or_the_end_is_sent() {
    let texts = |number: u8| format!("part {number}").repeat(usize::from(number) + 1);
    for fails in [false, true] {
        let (_server, mut client, sender) = start_stream(OPTIONS).await;
        read_until(&mut client, "one\r\n").await;
        // sends without a pause, so that the server finds several parts at the same time
        for number in 0..50 {
            sender.send(Ok(texts(number).into())).unwrap();
        }
        if fails {
            sender.send(Err(ErrorKind::Other.into())).unwrap();
        }
        drop(sender);
        let mut expected = String::new();
        for part in (0..50).map(texts) {
            expected += &[&format!("{:x}", part.len()), "\r\n", &part, "\r\n"].concat();
        }
        if !fails {
            expected += "0\r\n\r\n";
        }
        assert_eq!(String::from_utf8(rest(&mut client).await).unwrap(), expected, "fails: {fails}");
    }
}

#[tokio::test]
async fn the_body_is_dropped_with_a_disconnected_client() {
    let (_server, mut client, sender) = start_stream(OPTIONS).await;
    read_until(&mut client, "one\r\n").await;
    drop(client);
    timeout(SOON, sender.closed()).await.expect("the body is dropped when the client disconnects");
}

#[tokio::test]
async fn the_body_is_dropped_with_a_client_that_does_not_read() {
    let clock = Clock::manual(crate::domain::time::Timestamp(0));
    let (endpoint, sender) = endpoint();
    let server = start_by(clock.clone(), endpoint, OPTIONS).await;
    let mut client = server.connect().await;
    client.write_all(b"GET /stream HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
    sender.send(text("one")).unwrap();
    read_until(&mut client, "one\r\n").await;
    // now the connection is detached from hyper; the next part is larger than the buffers of the kernel
    sender.send(Ok(Bytes::from(vec![b'x'; 24 << 20]))).unwrap();
    let passing = async {
        loop {
            clock.advance(STALL_TIMEOUT);
            tokio::task::yield_now().await;
        }
    };
    tokio::select! {
        closed = timeout(SOON, sender.closed()) => closed.expect("the body is dropped"),
        () = passing => {}
    }
}

#[tokio::test]
async fn no_data_is_lost_if_the_client_reads_late() {
    const LARGE: usize = 24 << 20;
    let (endpoint, sender) = endpoint();
    let server = start(endpoint, OPTIONS).await;
    let mut client = server.connect().await;
    // two pipelined requests; the server reads the request for `/stream` while it sends the previous response
    client
        .write_all(b"GET / HTTP/1.1\r\nhost: x\r\n\r\nGET /stream HTTP/1.1\r\nhost: x\r\n\r\n")
        .await
        .unwrap();
    sender.send(Ok(Bytes::from(vec![b'x'; LARGE]))).unwrap();
    sender.send(text("two")).unwrap();
    // the first part is larger than the buffers of the kernel, so the server still waits to write the rest of this part
    client.readable().await.unwrap();
    sender.send(text("three")).unwrap();
    drop(sender);
    let received = rest(&mut client).await;
    let received = std::str::from_utf8(&received).unwrap();
    let (first, second) = received.split_once("plain").unwrap();
    assert!(first.starts_with("HTTP/1.1 200") && second.starts_with("HTTP/1.1 200"), "{first}");
    let (_, body) = second.split_once("\r\n\r\n").unwrap();
    let expected = format!("{LARGE:x}\r\n{}\r\n3\r\ntwo\r\n5\r\nthree\r\n0\r\n\r\n", "x".repeat(LARGE));
    assert!(body == expected, "{} of {} bytes", body.len(), expected.len());
}

#[tokio::test]
async fn http_1_0_gets_no_chunks() {
    let (endpoint, sender) = endpoint();
    let server = start(endpoint, OPTIONS).await;
    let mut client = server.connect().await;
    client.write_all(b"GET /stream HTTP/1.0\r\n\r\n").await.unwrap();
    sender.send(text("one")).unwrap();
    let head = read_until(&mut client, "\r\n\r\none").await;
    assert!(!head.to_lowercase().contains("transfer-encoding"), "{head}");
    sender.send(text("two")).unwrap();
    drop(sender);
    assert_eq!(rest(&mut client).await, b"two");
}

#[tokio::test]
async fn shutdown_ends_a_long_lived_response() {
    let options = ServeOptions { drain: Duration::from_millis(50), ..OPTIONS };
    let (server, mut client, _sender) = start_stream(options).await;
    read_until(&mut client, "one\r\n").await;
    server.trigger.drain();
    // the response is allowed to continue until the end of the drain time, like the response to an ordinary request
    assert_eq!(rest(&mut client).await, b"");
    server.ended().await;
}

#[tokio::test]
async fn a_body_is_taken_only_while_it_has_no_data() {
    let handoff = StreamHandoff::default();
    let mut answer =
        hyper::Response::new(BodyExt::boxed(http_body_util::StreamBody::new(stream::iter([Ok::<
            _,
            io::Error,
        >(
            Frame::data(Bytes::from_static(b"one")),
        )]))));
    assert!(handoff.take_idle().is_none());
    answer.extensions_mut().insert(LongLivedBody);
    let mut answer = handoff.prepare(Version::HTTP_11, answer);
    assert_eq!(answer.headers()[header::CONNECTION], "close");
    assert!(handoff.take_idle().is_none(), "a body that was not polled yet is not taken");
    assert!(answer.body_mut().frame().await.is_some());
    assert!(handoff.take_idle().is_none(), "a body that may have more data is not taken");
    assert!(answer.body_mut().frame().await.is_none());
    assert!(handoff.take_idle().is_none(), "a body that has ended is not taken");
}

#[tokio::test]
async fn a_body_without_data_is_taken_once() {
    let handoff = StreamHandoff::default();
    let body = http_body_util::StreamBody::new(stream::pending::<io::Result<Frame<Bytes>>>());
    let mut answer = hyper::Response::new(BodyExt::boxed(body));
    answer.extensions_mut().insert(LongLivedBody);
    let mut answer = handoff.prepare(Version::HTTP_11, answer);
    assert!(answer.body_mut().frame().now_or_never().is_none());
    assert!(handoff.take_idle().is_some(), "a body without data at the moment is taken");
    assert!(answer.body_mut().frame().now_or_never().is_none(), "for hyper, a taken body stays pending");
    assert!(handoff.take_idle().is_none(), "a body is taken only once");
}

#[tokio::test]
async fn a_connection_is_detached_from_hyper() {
    let (_server, mut client, sender) = start_stream(OPTIONS).await;
    read_until(&mut client, "one\r\n").await;
    sender.send(text("ten bytes.")).unwrap();
    // hyper writes the size of a chunk with the digits A to F, and `write_rest` with the digits a to f
    assert_eq!(read_until(&mut client, "ten bytes.\r\n").await, "a\r\nten bytes.\r\n");
}
