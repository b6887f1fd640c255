//! Fuzzes `Framing`, which parses the bytes of a connection in parallel with hyper to detect a request with both
//! `Content-Length` and `Transfer-Encoding`. Asserts:
//!
//! - The result does not depend on how the bytes are split into pieces.
//! - If httparse can parse the first request, `Framing` reports this request if and only if httparse finds both
//!   headers.
//! - If `Framing` reports no request, it counts every request that hyper serves.
//!
//! The first byte of an input is the size of the pieces. The rest are the bytes of the connection.

#![no_main]

use std::{cell::Cell, convert::Infallible, sync::LazyLock};

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::{BodyExt as _, Empty};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use libfuzzer_sys::fuzz_target;
use switchboard::platform::net::framing::Framing;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _, duplex, split},
    runtime::{Builder, Runtime},
};

static RUNTIME: LazyLock<Runtime> =
    LazyLock::new(|| Builder::new_current_thread().enable_time().build().expect("a runtime"));

fuzz_target!(|input: &[u8]| {
    let Some((size, bytes)) = input.split_first() else { return };
    let mut whole = Framing::default();
    let found = whole.read(bytes);
    let mut pieces = Framing::default();
    for piece in bytes.chunks(usize::from(*size).max(1)) {
        pieces.read(piece);
    }
    assert_eq!((pieces.read(b""), pieces.heads()), (found, whole.heads()));
    assert_eq!(pieces.begun(), whole.begun());
    if let Some(path) = whole.begun().path {
        assert!(path.starts_with('/') && !path.contains(['?', '#', ' ']), "{path}");
    }
    first_request(bytes, found);
    let served = RUNTIME.block_on(served(bytes));
    let text = String::from_utf8_lossy(bytes);
    assert!(
        found.is_some() || served <= whole.heads(),
        "every request that hyper serves is counted: {served} served, {} counted: {text}",
        whole.heads()
    );
});

/// Asserts that `Framing` reports the first request if and only if httparse finds both headers in it. Does nothing if
/// httparse, the parser of hyper, cannot parse the first request.
fn first_request(bytes: &[u8], found: Option<u64>) {
    let mut headers = [httparse::EMPTY_HEADER; 100];
    let mut request = httparse::Request::new(&mut headers);
    let Ok(httparse::Status::Complete(_)) = request.parse(bytes) else { return };
    let has = |name: &str| request.headers.iter().any(|header| header.name.eq_ignore_ascii_case(name));
    let is_both = has("content-length") && has("transfer-encoding");
    assert_eq!(found == Some(1), is_both, "{:?}", String::from_utf8_lossy(bytes));
}

/// Returns the number of requests that hyper serves on a connection with these bytes.
async fn served(bytes: &[u8]) -> u64 {
    let count = Cell::new(0);
    let service = service_fn(|request: Request<Incoming>| {
        count.set(count.get() + 1);
        async {
            // hyper reads the next request only after the service has read this body
            let _ = request.into_body().collect().await;
            Ok::<_, Infallible>(Response::new(Empty::<Bytes>::new()))
        }
    });
    let (client, server) = duplex(1 << 16);
    let connection =
        http1::Builder::new().header_read_timeout(None).serve_connection(TokioIo::new(server), service);
    let (mut reader, mut writer) = split(client);
    let send = async {
        // this fails if hyper has closed the connection, for example after an invalid request
        let _ = writer.write_all(bytes).await;
        let _ = writer.shutdown().await;
    };
    let receive = async {
        let _ = reader.read_to_end(&mut Vec::new()).await;
    };
    let _ = tokio::join!(connection, send, receive);
    count.get()
}
