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
    let (say, said) = mpsc::unbounded_channel::<Part>();
    let said = Mutex::new(Some(said));
    let endpoint = make(move |request: Request| {
        let said = (request.uri().path() == "/stream").then(|| said.lock().take()).flatten();
        async move {
            let Some(said) = said else { return Ok::<_, poem::Error>(Response::from("plain")) };
            let parts = stream::unfold(said, |mut said| async move { Some((said.recv().await?, said)) });
            let mut answer = Response::from(poem::Body::from_bytes_stream(parts));
            answer.extensions_mut().insert(LongLivedBody);
            Ok(answer)
        }
    });
    (endpoint.map_to_response(), say)
}

fn text(text: &'static str) -> Part {
    Ok(Bytes::from_static(text.as_bytes()))
}

/// Starts a server, requests `/stream` from it, and sends the part `one` to the channel.
async fn listening(options: ServeOptions) -> (Server, TcpStream, mpsc::UnboundedSender<Part>) {
    let (endpoint, say) = endpoint();
    let server = start(endpoint, options).await;
    let mut client = server.connect().await;
    client.write_all(b"GET /stream HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
    say.send(text("one")).unwrap();
    (server, client, say)
}

/// Reads up to and including the text `end`.
async fn read_until(socket: &mut TcpStream, end: &str) -> String {
    let mut said = Vec::new();
    while !said.ends_with(end.as_bytes()) {
        let byte = timeout(SOON, socket.read_u8()).await.expect("data arrives").unwrap();
        said.push(byte);
    }
    String::from_utf8(said).unwrap()
}

/// Reads until the server closes the connection.
async fn rest(socket: &mut TcpStream) -> Vec<u8> {
    let mut rest = Vec::new();
    timeout(SOON, socket.read_to_end(&mut rest)).await.expect("the server closes the connection").unwrap();
    rest
}

#[tokio::test]
async fn later_data_is_sent_in_chunks() {
    let (_server, mut client, say) = listening(OPTIONS).await;
    let head = read_until(&mut client, "\r\n\r\n3\r\none\r\n").await.to_lowercase();
    assert!(head.starts_with("http/1.1 200 ok\r\n"), "{head}");
    for line in ["\r\nconnection: close\r\n", "\r\ntransfer-encoding: chunked\r\n", "\r\ndate: "] {
        assert!(head.contains(line), "{head}");
    }
    say.send(text("and twenty bytes more")).unwrap();
    read_until(&mut client, "15\r\nand twenty bytes more\r\n").await;
    // an empty part does not end the body, although an empty chunk would end it
    say.send(text("")).unwrap();
    say.send(text("three")).unwrap();
    assert_eq!(read_until(&mut client, "\r\nthree\r\n").await, "5\r\nthree\r\n");
    // data that the client sends during the response is discarded
    client.write_all(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
    say.send(text("four")).unwrap();
    assert_eq!(read_until(&mut client, "four\r\n").await, "4\r\nfour\r\n");
    drop(say);
    assert_eq!(rest(&mut client).await, b"0\r\n\r\n");
}

#[tokio::test]
async fn a_failed_body_has_no_last_chunk() {
    let (_server, mut client, say) = listening(OPTIONS).await;
    read_until(&mut client, "one\r\n").await;
    say.send(Err(ErrorKind::Other.into())).unwrap();
    assert_eq!(rest(&mut client).await, b"");
}

#[tokio::test]
async fn data_before_a_failure_or_the_end_is_sent() {
    let texts = |number: u8| format!("part {number}").repeat(usize::from(number) + 1);
    for fails in [false, true] {
        let (_server, mut client, say) = listening(OPTIONS).await;
        read_until(&mut client, "one\r\n").await;
        // sends without a pause, so that the server finds several parts at the same time
        for number in 0..50 {
            say.send(Ok(texts(number).into())).unwrap();
        }
        if fails {
            say.send(Err(ErrorKind::Other.into())).unwrap();
        }
        drop(say);
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
    let (_server, mut client, say) = listening(OPTIONS).await;
    read_until(&mut client, "one\r\n").await;
    drop(client);
    timeout(SOON, say.closed()).await.expect("the body is dropped when the client disconnects");
}

#[tokio::test]
async fn the_body_is_dropped_with_a_client_that_does_not_read() {
    let clock = Clock::manual(crate::domain::time::Timestamp(0));
    let (endpoint, say) = endpoint();
    let server = start_by(clock.clone(), endpoint, OPTIONS).await;
    let mut client = server.connect().await;
    client.write_all(b"GET /stream HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
    say.send(text("one")).unwrap();
    read_until(&mut client, "one\r\n").await;
    // at this point the connection is detached from hyper; the part is larger than the buffers of the kernel
    say.send(Ok(Bytes::from(vec![b'x'; 24 << 20]))).unwrap();
    let passing = async {
        loop {
            clock.advance(STALL_TIMEOUT);
            tokio::task::yield_now().await;
        }
    };
    tokio::select! {
        closed = timeout(SOON, say.closed()) => closed.expect("the body is dropped"),
        () = passing => {}
    }
}

#[tokio::test]
async fn no_data_is_lost_if_the_client_reads_late() {
    const LARGE: usize = 24 << 20;
    let (endpoint, say) = endpoint();
    let server = start(endpoint, OPTIONS).await;
    let mut client = server.connect().await;
    // two pipelined requests; the server reads the request for `/stream` while it sends the previous response
    client
        .write_all(b"GET / HTTP/1.1\r\nhost: x\r\n\r\nGET /stream HTTP/1.1\r\nhost: x\r\n\r\n")
        .await
        .unwrap();
    say.send(Ok(Bytes::from(vec![b'x'; LARGE]))).unwrap();
    say.send(text("two")).unwrap();
    // the first part is larger than the buffers of the kernel, so the server still waits to write the rest of this part
    client.readable().await.unwrap();
    say.send(text("three")).unwrap();
    drop(say);
    let said = rest(&mut client).await;
    let said = std::str::from_utf8(&said).unwrap();
    let (first, second) = said.split_once("plain").unwrap();
    assert!(first.starts_with("HTTP/1.1 200") && second.starts_with("HTTP/1.1 200"), "{first}");
    let (_, body) = second.split_once("\r\n\r\n").unwrap();
    let expected = format!("{LARGE:x}\r\n{}\r\n3\r\ntwo\r\n5\r\nthree\r\n0\r\n\r\n", "x".repeat(LARGE));
    assert!(body == expected, "{} of {} bytes", body.len(), expected.len());
}

#[tokio::test]
async fn http_1_0_gets_no_chunks() {
    let (endpoint, say) = endpoint();
    let server = start(endpoint, OPTIONS).await;
    let mut client = server.connect().await;
    client.write_all(b"GET /stream HTTP/1.0\r\n\r\n").await.unwrap();
    say.send(text("one")).unwrap();
    let head = read_until(&mut client, "\r\n\r\none").await;
    assert!(!head.to_lowercase().contains("transfer-encoding"), "{head}");
    say.send(text("two")).unwrap();
    drop(say);
    assert_eq!(rest(&mut client).await, b"two");
}

#[tokio::test]
async fn shutdown_ends_a_long_lived_response() {
    let options = ServeOptions { drain: Duration::from_millis(50), ..OPTIONS };
    let (server, mut client, _say) = listening(options).await;
    read_until(&mut client, "one\r\n").await;
    server.trigger.drain();
    // the response is allowed to continue until the end of the drain time, like the response to an ordinary request
    assert_eq!(rest(&mut client).await, b"");
    server.ended().await;
}

#[tokio::test]
async fn a_response_is_detached_only_while_it_has_no_data() {
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
    assert!(handoff.take_idle().is_none(), "the body was not polled yet");
    assert!(answer.body_mut().frame().await.is_some());
    assert!(handoff.take_idle().is_none(), "the body may have more data");
    assert!(answer.body_mut().frame().await.is_none());
    assert!(handoff.take_idle().is_none(), "the body has ended");
}
