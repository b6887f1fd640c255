//! Errors of request heads that are malformed or too large. Each error has the format of the API to which the path
//! belongs.

use serde_json::json;

use crate::support::{BotFixture, Server, fresh_key, to_conversation, wire};

/// Paths whose errors have the format of RFC 6749, each with the method of the request.
const OAUTH: [(&str, &str); 8] = [
    ("GET", "/authorize"),
    ("POST", "/authorize/consent"),
    ("POST", "/token"),
    ("POST", "/register"),
    ("POST", "/revoke"),
    ("POST", "/mcp"),
    ("GET", "/mcp/readonly"),
    ("GET", "/.well-known/oauth-authorization-server"),
];
/// Paths whose errors have the envelope of the bot API and the admin API, each with the method of the request.
const ENVELOPE: [(&str, &str); 4] =
    [("GET", "/v1/users"), ("POST", "/oauth/token"), ("GET", "/admin/v1/workspaces"), ("GET", "/nothing")];

/// Asserts that a response has the status `status` and the error format of its path.
#[track_caller]
fn assert_error_format(answer: &wire::Wire, path: &str, status: u16) {
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{path}");
    if OAUTH.iter().any(|(_, known)| *known == path) {
        assert_eq!(answer.status, status, "{path}");
        assert_eq!(answer.header("content-type"), Some("application/json"), "{path}");
        assert_eq!(answer.json()["error"], "invalid_request", "{path}");
        assert!(answer.json().get("ok").is_none(), "{path}: an error of RFC 6749 has no envelope");
    } else {
        answer.refused(status, if status == 400 { "invalid_request" } else { "client_error" });
    }
}

#[tokio::test]
async fn request_heads_that_are_too_large_are_rejected() {
    // Hyper itself rejects a head of more than 64 KiB, and the server replaces hyper's response by one in the error
    // format of the path. In the error envelope, 414 and 431 have the code `client_error` (B-023).
    let server = Server::sqlite().await;
    for (method, path) in OAUTH.into_iter().chain(ENVELOPE) {
        for size in [17_000, 60_000, 100_000, 1_000_000] {
            let line = format!("{method} {path}?x={}", "x".repeat(size));
            assert_error_format(&wire::request(&server.base, &line, &[], b"").await, path, 414);
        }
        for size in [33_000, 60_000, 100_000, 1_000_000] {
            let large = format!("x-large: {}", "x".repeat(size));
            let answer = wire::request(&server.base, &format!("{method} {path}"), &[&large], b"").await;
            assert_error_format(&answer, path, 431);
        }
    }
}

#[tokio::test]
async fn malformed_request_heads_are_rejected() {
    let server = Server::sqlite().await;
    for (method, path) in OAUTH.into_iter().chain(ENVELOPE) {
        for head in [
            format!("{method} {path} HTTP/1.1\r\nhost: x\r\nno colon\r\n\r\n"),
            format!("{method} {path} HTTP/1.1\r\nhost: x\r\ncontent-length: ten\r\n\r\n"),
            format!("{method} {path} HTTP/1.1\r\n\r\n"),
        ] {
            assert_error_format(&wire::exchange(&server.base, head.as_bytes()).await, path, 400);
        }
    }
}

#[tokio::test]
async fn a_request_with_content_length_and_transfer_encoding_is_rejected() {
    // such a request may be an attempt at request smuggling (RFC 9112 §6.3)
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    for (method, path) in OAUTH.into_iter().chain(ENVELOPE) {
        for lines in [
            "content-length: 3\r\ntransfer-encoding: chunked",
            "Transfer-Encoding: chunked\r\nContent-Length: 3",
        ] {
            let request = format!("{method} {path} HTTP/1.1\r\nhost: x\r\n{lines}\r\n\r\n0\r\n\r\n");
            let answer = wire::exchange(&server.base, request.as_bytes()).await;
            assert_error_format(&answer, path, 400);
            assert_eq!(answer.header("connection"), Some("close"), "{path}");
        }
    }
    // this send is valid in every other respect, and the server does not carry it out
    let body = to_conversation(&fixture.group, "smuggled").to_string();
    let request = format!(
        "POST /v1/messages HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\nidempotency-key: {}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\ntransfer-encoding: chunked\r\n\r\n{:x}\r\n{body}\r\n0\r\n\r\n",
        fixture.bot.token,
        fresh_key(),
        body.len(),
        body.len()
    );
    let answer = wire::exchange(&server.base, request.as_bytes()).await;
    assert_eq!(answer.envelope(400), "invalid_request");
    let why = "Content-Length and Transfer-Encoding must not be sent together";
    assert_eq!(answer.json()["error"]["message"], json!(why));
    assert!(!fixture.texts().await.iter().any(|text| text == "smuggled"));
}
