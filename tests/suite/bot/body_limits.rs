//! The maximum sizes of bodies (B-021, B-394), request lines and headers (B-023, B-399), and the response to malformed
//! HTTP (B-371).

use bytes::Bytes;
use reqwest::Body;
use serde_json::json;

use crate::support::{BotFixture, Server, api::Call, fresh_key, to_conversation, wire};

/// The maximum size of a body in bytes (D-013).
const MAXIMUM: usize = 1_048_576;

/// Returns `json`, padded with spaces to exactly `size` bytes. JSON allows white space at the end.
fn padded(json: &str, size: usize) -> Vec<u8> {
    let mut body = json.as_bytes().to_vec();
    body.resize(size, b' ');
    body
}

/// Returns a body that is sent in chunks, without `Content-Length`.
fn chunked(body: Vec<u8>) -> Body {
    let chunks: Vec<_> =
        body.chunks(100_000).map(|c| Ok::<_, std::io::Error>(Bytes::copy_from_slice(c))).collect();
    Body::wrap_stream(futures_util::stream::iter(chunks))
}

fn send(fixture: &BotFixture) -> Call {
    fixture.bot.api.post("/v1/messages").key(&fresh_key()).header("content-type", "application/json")
}

#[tokio::test]
async fn a_body_of_one_mebibyte_is_read() {
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    let json = to_conversation(&fixture.group, "just fits").to_string();
    // B-021: the size is in `Content-Length`, or the server counts the bytes of a chunked body
    send(&fixture).body(padded(&json, MAXIMUM)).ok(201).await;
    send(&fixture).body(chunked(padded(&json, MAXIMUM))).ok(201).await;
    let path = format!("/v1/messages/{}", fixture.message().await);
    let edit = json!({"text": "fits too"}).to_string();
    let call = || fixture.bot.api.patch(&path).header("content-type", "application/json");
    call().body(padded(&edit, MAXIMUM)).ok(200).await;
    call().body(chunked(padded(&edit, MAXIMUM))).ok(200).await;
}

#[tokio::test]
async fn a_body_above_one_mebibyte_is_refused() {
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    let json = to_conversation(&fixture.group, "too large").to_string();
    send(&fixture).body(padded(&json, MAXIMUM + 1)).refused(413, "payload_too_large").await;
    send(&fixture).body(chunked(padded(&json, MAXIMUM + 1))).refused(413, "payload_too_large").await;
    send(&fixture).body(chunked(padded(&json, 4 * MAXIMUM))).refused(413, "payload_too_large").await;

    let path = format!("/v1/messages/{}", fixture.message().await);
    let edit = json!({"text": "too large"}).to_string();
    let call = || fixture.bot.api.patch(&path).header("content-type", "application/json");
    call().body(padded(&edit, MAXIMUM + 1)).refused(413, "payload_too_large").await;
    call().body(chunked(padded(&edit, MAXIMUM + 1))).refused(413, "payload_too_large").await;

    for path in crate::support::OAUTH_PATHS {
        // B-083: the size is checked before the client's credentials
        let call = || server.api().post(path).header("content-type", "application/json");
        call().body(padded("{}", MAXIMUM + 1)).refused(413, "payload_too_large").await;
        call().body(chunked(padded("{}", MAXIMUM + 1))).refused(413, "payload_too_large").await;
    }
    let texts = fixture.texts().await;
    assert!(!texts.iter().any(|text| text == "too large"), "a refused request has no effect: {texts:?}");
}

#[tokio::test]
async fn a_delete_ignores_a_body_up_to_the_limit() {
    // B-256, D-015: the body of a DELETE is ignored, but a body above the maximum size is refused
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    let path = format!("/v1/messages/{}", fixture.message().await);
    for body in [Body::from(vec![b'x'; MAXIMUM + 1]), chunked(vec![b'x'; MAXIMUM + 1])] {
        fixture.bot.api.delete(&path).body(body).refused(413, "payload_too_large").await;
    }
    fixture.bot.api.delete(&path).body(vec![b'x'; MAXIMUM]).ok(200).await;
}

#[tokio::test]
async fn an_announced_size_above_the_limit_is_refused_before_the_body_is_sent() {
    // B-021: `Content-Length` alone is enough to refuse the request. With `Expect: 100-continue` (RFC 9110 §10.1.1), a
    // client waits for the server's response before it sends the body.
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    let authorization = format!("authorization: Bearer {}", fixture.bot.token);
    for length in ["1048577", "99999999999"] {
        let length = format!("content-length: {length}");
        let headers = [
            authorization.as_str(),
            "content-type: application/json",
            "idempotency-key: k",
            "expect: 100-continue",
            &length,
        ];
        let answer = wire::request(&server.base, "POST /v1/messages", &headers, b"").await;
        answer.refused(413, "payload_too_large");
    }
}

#[tokio::test]
async fn a_text_that_is_too_long_fits_into_the_largest_body() {
    // D-013: a text above the maximum of 4,000 characters gets `invalid_request` and not 413, even if every character
    // is escaped
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    let text = "\\ud83d\\ude00".repeat(4001);
    let body = format!(r#"{{"to":{{"type":"conversation","id":"{}"}},"text":"{text}"}}"#, fixture.group);
    send(&fixture).body(body).refused(400, "invalid_request").await;
}

#[tokio::test]
async fn a_request_line_that_is_too_long_gets_414() {
    // B-023: no error code exists for this status, so the response has the status with the general code `client_error`
    let server = Server::sqlite().await;
    for size in [17_000, 40_000, 60_000] {
        let line = format!("GET /v1/users?x={}", "x".repeat(size));
        let answer = wire::request(&server.base, &line, &[], b"").await;
        answer.refused(414, "client_error");
    }
    // request lines that exceed hyper's read buffer (64 KiB) are tested in `operations::hostile::dialects`
}

#[tokio::test]
async fn headers_that_are_too_large_get_431() {
    // B-023: no error code exists for this status, so the response has the status with the general code `client_error`
    let server = Server::sqlite().await;
    for size in [33_000, 60_000, 100_000, 1_000_000] {
        let large = format!("x-large: {}", "x".repeat(size));
        wire::request(&server.base, "GET /v1/users", &[&large], b"").await.refused(431, "client_error");
    }
    let many: Vec<_> = (0..5_000).map(|n| format!("x-{n}: 1")).collect();
    let many: Vec<_> = many.iter().map(String::as_str).collect();
    wire::request(&server.base, "GET /v1/users", &many, b"").await.refused(431, "client_error");
}

#[tokio::test]
async fn requests_that_are_not_http_get_400() {
    // B-003, B-004: errors of malformed HTTP have the error envelope, like all other errors
    let server = Server::sqlite().await;
    for request in [
        "GET /v1/users HTTP/1.1\r\nhost: x\r\nthis is no header\r\n\r\n",
        "GET /v1/users HTTP/1.1\r\nhost: x\r\nbad name: x\r\n\r\n",
        "GET  /v1/users HTTP/1.1\r\nhost: x\r\n\r\n",
        "GET /v1/users\r\n\r\n",
        "nonsense\r\n\r\n",
        "POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: ten\r\n\r\n",
        "POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello",
    ] {
        let answer = wire::exchange(&server.base, request.as_bytes()).await;
        assert_eq!(
            answer.envelope(400),
            "invalid_request",
            "malformed HTTP is an invalid request (B-371): {request:?}"
        );
    }
}

#[tokio::test]
async fn heads_that_violate_http_get_400() {
    // a head that violates RFC 9112 §3.2 or §6.1 is rejected on every kind of path, with the error envelope (B-003)
    let server = Server::sqlite().await;
    for path in ["/v1/users", "/admin/v1/workspaces", "/healthz", "/signin", "/docs", "/nothing", "/files/x"]
    {
        for (lines, why) in [
            ("", "the header Host is missing"),
            ("host: x\r\nhost: x\r\n", "the header Host was sent more than once"),
            (
                "host: x\r\ntransfer-encoding: gzip, chunked\r\n",
                "the only supported Transfer-Encoding is chunked",
            ),
        ] {
            let request = format!("GET {path} HTTP/1.1\r\n{lines}\r\n0\r\n\r\n");
            let answer = wire::exchange(&server.base, request.as_bytes()).await;
            assert_eq!(
                answer.envelope(400),
                "invalid_request",
                "the error has the envelope (B-003): {path}: {lines}"
            );
            assert_eq!(answer.json()["error"]["message"], why, "the error names the violation: {path}");
        }
    }
    // errors on these paths have the format of OAuth
    for path in ["/token", "/mcp", "/mcp/readonly"] {
        let request = format!("POST {path} HTTP/1.1\r\n\r\n");
        let answer = wire::exchange(&server.base, request.as_bytes()).await;
        assert_eq!(answer.status, 400, "the request is refused: {path}");
        let problem = json!({"error": "invalid_request", "error_description": "the header Host is missing"});
        assert_eq!(answer.json(), problem, "the error has the format of OAuth: {path}");
    }
    // HTTP/1.0 does not require the header Host
    let answer = wire::exchange(&server.base, b"GET /healthz HTTP/1.0\r\n\r\n").await;
    assert_eq!(answer.status, 200);
}

#[tokio::test]
async fn a_body_that_ends_early_posts_nothing() {
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    let json = to_conversation(&fixture.group, "half").to_string();
    let address = server.base.trim_start_matches("http://").trim_end_matches('/').to_owned();
    for framing in [format!("content-length: {}", json.len() + 1), "transfer-encoding: chunked".to_owned()] {
        let body =
            if framing.starts_with('t') { format!("{:x}\r\n{json}\r\n", json.len()) } else { json.clone() };
        let request = format!(
            "POST /v1/messages HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\nidempotency-key: {}\r\n\
             content-type: application/json\r\n{framing}\r\n\r\n{body}",
            fixture.bot.token,
            fresh_key()
        );
        let socket = tokio::net::TcpStream::connect(&address).await.expect("the server listens");
        let (mut reading, mut writing) = socket.into_split();
        tokio::io::AsyncWriteExt::write_all(&mut writing, request.as_bytes()).await.expect("sent");
        tokio::io::AsyncWriteExt::shutdown(&mut writing).await.expect("closed");
        let mut answer = Vec::new();
        // the server may send an error, or only close the connection
        let _ = tokio::io::AsyncReadExt::read_to_end(&mut reading, &mut answer).await;
        assert!(
            !answer.starts_with(b"HTTP/1.1 2"),
            "an incomplete request does not succeed: {}",
            String::from_utf8_lossy(&answer)
        );
    }
    assert!(!fixture.texts().await.iter().any(|text| text == "half"));
}
