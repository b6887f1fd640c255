//! Bodies of requests whose sender is not authenticated before the body is read.
//!
//! Sign-ins, and forms that need no session, may have only a small body. Operations such as `/oauth/token` accept
//! bodies of up to 1 MiB (B-021). A body of more than 16 KiB is *large*, and a rate limit counts the large bodies from
//! each address. The server applies the rate limits of sign-ins, forms and large bodies before it reads the body.

use serde_json::json;
use switchboard::{
    domain::token::{self, TokenKind},
    pages::ROUTES,
};

use crate::support::{BotFixture, Server, assistant::PASSWORD, both_engines, wire};

/// Maximum size in bytes of a small body: of a sign-in, or of a form that needs no session.
const SMALL: usize = 16 << 10;

/// Maximum number of bytes that the server reads of a message form that is posted without a session.
const WITH_TEXT: usize = 64 << 10;

/// Sends a request that declares a body of `length` bytes and never sends it. Returns the response.
async fn without_body(server: &Server, line: &str, kind: &str, length: usize) -> wire::Wire {
    let length = format!("content-length: {length}");
    let kind = format!("content-type: {kind}");
    let own = format!("origin: {}", server.running().base_url());
    wire::request(&server.base, line, &[&length, &kind, &own], b"").await
}

#[tokio::test]
async fn a_sign_in_with_a_large_body_is_rejected() {
    let server = Server::sqlite().await;
    let company = server.company().await;
    let email = "small@example.com";
    company.person_with(json!({"name": "Sam Small", "email": email, "password": PASSWORD})).await;
    let mut body = json!({"email": email, "password": PASSWORD}).to_string().into_bytes();
    body.resize(SMALL, b' ');
    let post = |body: Vec<u8>| {
        server.api().post("/admin/v1/sessions").header("content-type", "application/json").body(body)
    };
    post(body.clone()).ok(201).await;
    body.push(b' ');
    post(body).refused(413, "payload_too_large").await;
    // The Unicode normalization of this long text would take long, so the server must reject the body before that. The
    // body is smaller than the maximum for other operations, 1 MiB.
    let hostile = json!({"email": "\u{fb2c}".repeat(340_000), "password": "x"}).to_string();
    assert!(hostile.len() < 1 << 20);
    post(hostile.into_bytes()).refused(413, "payload_too_large").await;
}

#[tokio::test]
async fn sign_ins_are_counted_before_they_are_read() {
    for (line, kind) in [
        ("POST /admin/v1/sessions", "application/json"),
        ("POST /signin", "application/x-www-form-urlencoded"),
    ] {
        let server = Server::limited().await;
        // 60 sign-ins a minute are allowed from one address, and invalid sign-ins count too
        for _ in 0..60 {
            let answer = wire::request(&server.base, line, &["content-type: text/plain"], b"").await;
            assert!(
                (400..=415).contains(&answer.status),
                "a sign-in within the limit is rejected because it is invalid: {line}: {}",
                answer.status
            );
        }
        let refused = without_body(&server, line, kind, 100).await;
        assert_eq!(refused.status, 429, "the limit rejects a sign-in before its body arrives: {line}");
        assert!(refused.header("retry-after").is_some(), "a status 429 has Retry-After: {line}");
    }
}

#[tokio::test]
async fn large_bodies_without_credentials_are_limited() {
    let server = Server::limited().await;
    let body = |size: usize| {
        let mut body = json!({"grant_type": "x"}).to_string().into_bytes();
        body.resize(size, b' ');
        body
    };
    let post = |path: &str, size: usize| {
        server.api().post(path).header("content-type", "application/json").body(body(size))
    };
    // an address may send 20 large bodies at once, each of up to 1,048,576 bytes (B-021), and then one per second
    for _ in 0..10 {
        post("/oauth/token", 1 << 20).refused(401, "invalid_client").await;
        post("/oauth/revoke", SMALL + 1).refused(401, "invalid_client").await;
    }
    post("/oauth/token", 1 << 20).refused(429, "rate_limited").await;
    let refused = without_body(&server, "POST /oauth/revoke", "application/json", SMALL + 1).await;
    refused.refused(429, "rate_limited");
    // small bodies are not affected, nor are large bodies from other addresses
    post("/oauth/token", SMALL).refused(401, "invalid_client").await;
    let elsewhere = server.api_from(std::net::Ipv4Addr::new(127, 0, 0, 2));
    let call = elsewhere.post("/oauth/token").header("content-type", "application/json").body(body(1 << 20));
    call.refused(401, "invalid_client").await;
    server.clock.advance(std::time::Duration::from_secs(1));
    post("/oauth/token", 1 << 20).refused(401, "invalid_client").await;
}

#[tokio::test]
async fn large_bodies_with_a_token_are_not_limited() {
    let server = Server::limited().await;
    let fixture = BotFixture::new(&server).await;
    for _ in 0..25 {
        // the server reads the body, and then rejects the request because `Idempotency-Key` is missing
        let call = fixture.bot.api.post("/v1/messages").header("content-type", "application/json");
        call.body(vec![b' '; 1 << 20]).refused(400, "missing_idempotency_key").await;
    }
}

#[tokio::test]
async fn forms_are_counted_before_they_are_read() {
    let server = Server::limited().await;
    let form = "application/x-www-form-urlencoded";
    let mut accepted = 0;
    loop {
        let own = format!("origin: {}", server.running().base_url());
        let kind = format!("content-type: {form}");
        let answer = wire::request(&server.base, "POST /settings/privacy", &[&own, &kind], b"").await;
        if answer.status == 429 {
            break;
        }
        accepted += 1;
        assert!(accepted < 1_000, "the number of forms from one address is limited");
    }
    assert_eq!(accepted, 400, "an address may post 400 forms at once");
    let refused = without_body(&server, "POST /settings/privacy", form, 100).await;
    assert_eq!(refused.status, 429, "the limit rejects a form before its body arrives");
}

/// Paths of forms that need no session.
const PUBLIC_FORMS: [&str; 4] = ["/signin", "/signout", "/oauth/authorize", "/authorize/consent"];

#[both_engines]
async fn large_forms_without_a_session_are_not_read_completely(server: Server) {
    let own = format!("origin: {}", server.running().base_url());
    let length = format!("content-length: {}", 1 << 20);
    let unknown = format!("cookie: session={}", token::mint(TokenKind::Session, &[1; 32]));
    let form = "content-type: application/x-www-form-urlencoded";
    let files = "content-type: multipart/form-data; boundary=x";
    // Without a session, the server reads nothing of these large forms, except the beginning of a form with a message
    // and files. It reads the beginning to show the typed text again.
    let beginning = vec![b'a'; WITH_TEXT];
    let forms =
        ROUTES.iter().filter(|(path, methods)| methods.contains(&"POST") && !PUBLIC_FORMS.contains(path));
    for (route, _) in forms {
        let path: Vec<_> =
            route.split('/').map(|part| if part.starts_with('{') { "x" } else { part }).collect();
        let path = path.join("/");
        for kind in [form, files] {
            for more in ["x-a: b", &*unknown] {
                let line = format!("POST {path}");
                let is_read = kind == files && path.ends_with("/messages");
                let body: &[u8] = if is_read { &beginning } else { b"" };
                let answer = wire::request(&server.base, &line, &[&own, &length, kind, more], body).await;
                assert_eq!(answer.status, 302, "{path}: a form without a session leads to the sign-in page");
                let to = answer.header("location").expect("a location");
                assert!(to.starts_with("/signin?next="), "{path}: {to}");
                let script = [&*own, &*length, kind, more, "x-switchboard-script: 1"];
                let answer = wire::request(&server.base, &line, &script, b"").await;
                assert_eq!(answer.status, 401, "{path}: a script gets an error, not a redirect");
            }
        }
    }
}

#[tokio::test]
async fn large_bodies_of_forms_that_need_no_session_are_rejected() {
    let server = Server::sqlite().await;
    let form = "application/x-www-form-urlencoded";
    for path in PUBLIC_FORMS {
        let line = format!("POST {path}");
        let answer = without_body(&server, &line, form, SMALL + 1).await;
        assert_eq!(
            answer.status, 413,
            "{path}: a declared length over 16 KiB is rejected before the body arrives"
        );
        let own = format!("origin: {}", server.running().base_url());
        let kind = format!("content-type: {form}");
        let chunked = format!("{:x}\r\n{}\r\n0\r\n\r\n", SMALL + 1, "a".repeat(SMALL + 1));
        let headers = [&*own, &*kind, "transfer-encoding: chunked"];
        let answer = wire::request(&server.base, &line, &headers, chunked.as_bytes()).await;
        assert_eq!(answer.status, 413, "{path}: a chunked body over 16 KiB is refused");
    }
}
