//! Content negotiation: `Accept`, and the media types of bodies. B-013 … B-020, B-391, B-395.

use serde_json::json;

use crate::support::{
    BotFixture, OPERATIONS, Operation, Server,
    api::{Api, Call},
    fresh_key, to_conversation, wire,
};

/// Returns the two operations below `/v1` that take a body: `POST /v1/messages` and `PATCH /v1/messages/{message}`.
fn operations_with_body() -> impl Iterator<Item = &'static Operation> {
    OPERATIONS.iter().filter(|o| o.takes_body())
}

/// Returns a valid request of an operation, without content type and body.
async fn without_body(fixture: &BotFixture, api: &Api, operation: &Operation) -> Call {
    let path = fixture.path(operation).await;
    api.call(operation.method.clone(), &path).key(&fresh_key())
}

fn body_of(fixture: &BotFixture, operation: &Operation) -> String {
    fixture.body(operation).expect("a body").to_string()
}

#[tokio::test]
async fn unsupported_media_types_are_refused() {
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    for operation in operations_with_body() {
        for media_type in [
            // B-013: not `application/json`
            "text/plain",
            "text/plain; charset=utf-8",
            "application/x-www-form-urlencoded",
            "multipart/form-data; boundary=x",
            "application/merge-patch+json",
            "application/problem+json",
            "application/vnd.api+json",
            "text/json",
            "application/jsonx",
            "application/xml",
            "application/*",
            "*/*",
            "json",
            "application/",
            // B-015, D-009: JSON in another encoding
            "application/json; charset=utf-16",
            "application/json; charset=utf-32",
            "application/json; charset=iso-8859-1",
            "application/json; charset=us-ascii",
        ] {
            let call =
                without_body(&fixture, &fixture.bot.api, operation).await.header("content-type", media_type);
            call.body(body_of(&fixture, operation)).refused(415, "unsupported_media_type").await;
        }
        // B-014, D-008: a body without a media type
        let call = without_body(&fixture, &fixture.bot.api, operation).await;
        call.body(body_of(&fixture, operation)).refused(415, "unsupported_media_type").await;
    }
    for path in crate::support::OAUTH_PATHS {
        // D-146: the OAuth endpoints accept only JSON and forms
        let app = &fixture.bot.app;
        for media_type in ["text/plain", "multipart/form-data; boundary=x", "application/xml"] {
            let body = json!({"client_id": app.client_id, "client_secret": app.client_secret}).to_string();
            let call = server.api().post(path).header("content-type", media_type).body(body);
            call.refused(415, "unsupported_media_type").await;
        }
    }
}

#[tokio::test]
async fn json_in_utf8_is_accepted() {
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    for operation in operations_with_body() {
        for media_type in [
            "application/json",
            "application/json; charset=utf-8",
            "application/json;charset=UTF-8",
            "application/json ; charset=Utf-8",
            "application/json; charset=\"utf-8\"",
            "Application/JSON",
            "APPLICATION/JSON; CHARSET=UTF-8",
        ] {
            // B-015, D-009: media type and charset are compared without regard to case
            let call =
                without_body(&fixture, &fixture.bot.api, operation).await.header("content-type", media_type);
            call.body(body_of(&fixture, operation)).ok(operation.status).await;
        }
    }
}

#[tokio::test]
async fn an_empty_body_is_an_invalid_request() {
    // D-008: an empty body is an invalid request, with and without `Content-Type`
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    for operation in operations_with_body() {
        without_body(&fixture, &fixture.bot.api, operation).await.refused(400, "invalid_request").await;
        let call = without_body(&fixture, &fixture.bot.api, operation)
            .await
            .header("content-type", "application/json");
        call.body("").refused(400, "invalid_request").await;
    }
}

#[tokio::test]
async fn encoded_bodies_are_refused() {
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    for operation in operations_with_body() {
        for (encoding, accepted) in [
            ("gzip", false),
            ("deflate", false),
            ("br", false),
            ("zstd", false),
            ("identity, gzip", false),
            ("anything", false),
            ("identity", true),
            ("Identity", true),
        ] {
            // B-016, D-010: only `identity` is accepted
            let call = without_body(&fixture, &fixture.bot.api, operation).await;
            let call = call.header("content-type", "application/json").header("content-encoding", encoding);
            let answer = call.body(body_of(&fixture, operation)).send().await;
            if accepted {
                answer.ok(operation.status);
            } else {
                answer.refused(415, "unsupported_media_type");
            }
        }
    }
}

#[tokio::test]
async fn bodies_of_get_and_delete_are_ignored() {
    // D-014: `GET` and `DELETE` define no body, so the media type of their body is not checked
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    for operation in OPERATIONS.iter().filter(|o| !o.takes_body()) {
        let call = fixture.call(&fixture.bot.api, operation).await.header("content-type", "text/plain");
        call.body("what is this?").ok(operation.status).await;
    }
}

#[tokio::test]
async fn an_accept_that_excludes_json_is_refused_everywhere() {
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    for operation in &OPERATIONS {
        for accept in ["text/html", "application/xml", "image/*"] {
            // B-017: every operation refuses the header; B-019: `refused` asserts the JSON envelope
            let call = fixture.call(&fixture.bot.api, operation).await.header("accept", accept);
            let answer = call.refused(406, "not_acceptable").await;
            assert_eq!(
                answer.header("content-type"),
                Some("application/json"),
                "a 406 is JSON although Accept excludes JSON (B-019)"
            );
        }
    }
    for path in crate::support::OAUTH_PATHS {
        let app = &fixture.bot.app;
        let fields =
            [("client_id", app.client_id.as_str()), ("client_secret", &app.client_secret), ("token", "x")];
        server
            .api()
            .post(path)
            .form(&fields)
            .header("accept", "text/html")
            .refused(406, "not_acceptable")
            .await;
    }
}

#[tokio::test]
async fn accept_is_negotiated() {
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    for accept in [
        // B-018, D-011: JSON is excluded if no media range covers JSON, or if the most specific range that covers JSON
        // has `q=0`
        "application/json;q=0",
        "application/json;q=0, */*",
        "application/json; q=0.0, */*;q=1",
        "application/*, application/json;q=0.000",
        "APPLICATION/JSON;Q=0, */*",
        "application/*;q=0, */*",
        "*/*;q=0",
        "text/html, */*;q=0",
        "text/html, application/xhtml+xml, application/xml;q=0.9, image/webp",
        "text/*",
        "application/problem+json",
        "application/jsonx",
    ] {
        let call = fixture.bot.api.get("/v1/auth/test").header("accept", accept);
        call.refused(406, "not_acceptable").await;
    }
    for accept in [
        "",
        "*/*",
        "application/*",
        "text/html, */*;q=0.1",
        "application/json",
        "Application/Json",
        "application/json; charset=utf-8",
        "application/json;q=0.001",
        "text/html, application/json;q=0.1",
        "*/*;q=0, application/json",
        "application/*;q=0, application/json;q=0.5",
        "text/html,\tapplication/json",
        // D-011: a malformed header is ignored
        "json",
        ";;;",
        "/",
    ] {
        let answer = fixture.bot.api.get("/v1/auth/test").header("accept", accept).send().await;
        assert_eq!(
            answer.status,
            200,
            "an Accept that does not exclude JSON is accepted (B-018): {accept:?}: {}",
            answer.text()
        );
    }
    // several `Accept` lines are one list (RFC 9110 §5.3)
    let call = fixture.bot.api.get("/v1/auth/test").header("accept", "text/html");
    call.header("accept", "application/json").ok(200).await;
    let call = fixture.bot.api.get("/v1/auth/test").header("accept", "application/json;q=0");
    call.header("accept", "*/*").refused(406, "not_acceptable").await;
    // B-018: a request without `Accept`; sent as raw bytes, because the client library always adds the header
    let authorization = format!("authorization: Bearer {}", fixture.bot.token);
    let answer = wire::request(&server.base, "GET /v1/auth/test", &[&authorization], b"").await;
    assert_eq!(answer.status, 200, "a request without Accept is accepted (B-018)");
}

#[tokio::test]
async fn a_refused_request_has_no_effect() {
    // B-020: a request that gets 406 or 415 changes nothing
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    let message = fixture.message().await;
    let path = format!("/v1/messages/{message}");
    let api = &fixture.bot.api;
    let key = fresh_key();
    let body = to_conversation(&fixture.group, "never posted");

    let send = || api.post("/v1/messages").key(&key);
    send().json(&body).header("accept", "text/html").refused(406, "not_acceptable").await;
    send()
        .header("content-type", "text/plain")
        .body(body.to_string())
        .refused(415, "unsupported_media_type")
        .await;
    assert!(!fixture.texts().await.iter().any(|text| text == "never posted"));

    let edit = json!({"text": "never edited"});
    api.patch(&path).json(&edit).header("accept", "text/html").refused(406, "not_acceptable").await;
    let call = api.patch(&path).header("content-type", "text/plain").body(edit.to_string());
    call.refused(415, "unsupported_media_type").await;
    assert!(!fixture.texts().await.iter().any(|text| text == "never edited"));

    api.delete(&path).header("accept", "text/html").refused(406, "not_acceptable").await;
    assert!(fixture.texts().await.iter().any(|text| text == "as sent"));

    let app = &fixture.bot.app;
    let fields = [
        ("client_id", app.client_id.as_str()),
        ("client_secret", app.client_secret.as_str()),
        ("token", fixture.bot.token.as_str()),
    ];
    let revoke = server.api().post("/oauth/revoke").form(&fields).header("accept", "text/html");
    revoke.refused(406, "not_acceptable").await;
    let text = serde_urlencoded::to_string(fields).expect("form fields");
    let revoke = server.api().post("/oauth/revoke").header("content-type", "text/plain").body(text);
    revoke.refused(415, "unsupported_media_type").await;
    api.get("/v1/auth/test").ok(200).await;

    // the rejected sends have not stored their idempotency key
    send().json(&to_conversation(&fixture.group, "another body")).ok(201).await;
}
