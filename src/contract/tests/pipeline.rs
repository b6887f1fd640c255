//! Tests which error takes precedence when several apply (D-001), and how bodies and parameters are read.

use std::sync::Arc;

use poem::{
    Body,
    http::{HeaderName, Method},
};
use serde_json::Value;

use super::tiny::{Notes, client};

type Headers<'a> = &'a [(&'static str, &'a str)];

async fn call(method: Method, path: &str, headers: Headers<'_>, body: impl Into<Body>) -> (u16, Value) {
    let client = client(Arc::new(Notes::default()));
    let mut request = client.request(method, path).body(body);
    for (name, value) in headers {
        request = request.header(HeaderName::from_static(name), *value);
    }
    let mut response = request.send().await.0;
    let text = response.take_body().into_string().await.expect("text");
    (response.status().as_u16(), serde_json::from_str(&text).expect("JSON"))
}

async fn code(method: Method, path: &str, headers: Headers<'_>, body: impl Into<Body>) -> String {
    let (status, body) = call(method, path, headers, body).await;
    match body["error"]["code"].as_str() {
        Some(code) => format!("{status} {code}"),
        None => format!("{status} ok"),
    }
}

const AUTH: (&str, &str) = ("authorization", "all");
const NO_SCOPE: (&str, &str) = ("authorization", "none");
const KEY: (&str, &str) = ("idempotency-key", "k");
const TYPE: (&str, &str) = ("content-type", "application/json");
const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");
const HTML: (&str, &str) = ("accept", "text/html");
const PLAIN: (&str, &str) = ("content-type", "text/plain");
const LIMITED: (&str, &str) = ("x-limited", "1");
const BODY: &str = r#"{"text":"x"}"#;

#[tokio::test]
async fn each_check_takes_precedence_over_later_ones() {
    let long = "x".repeat(101);
    let cases: &[(&str, Headers<'_>, &str, &str)] = &[
        ("/v1/nothing?token=x", &[HTML, PLAIN], "", "404 not_found"),
        ("/v1/things?token=x", &[("x-before", "1")], "", "403 forbidden"),
        ("/v1/things?token=x", &[HTML, PLAIN], "", "400 token_in_query"),
        ("/v1/things?token=x", &[AUTH, KEY, TYPE], BODY, "400 token_in_query"),
        ("/v1/things", &[HTML, PLAIN], &long, "401 not_authed"),
        ("/v1/things", &[("authorization", "x"), HTML], &long, "401 invalid_auth"),
        ("/v1/things", &[NO_SCOPE, HTML, PLAIN], &long, "406 not_acceptable"),
        ("/v1/things", &[NO_SCOPE, PLAIN], &long, "415 unsupported_media_type"),
        ("/v1/things", &[NO_SCOPE], &long, "415 unsupported_media_type"),
        ("/v1/things", &[NO_SCOPE], "x", "415 unsupported_media_type"),
        ("/v1/things", &[NO_SCOPE, TYPE, ("content-encoding", "gzip")], &long, "415 unsupported_media_type"),
        ("/v1/things", &[NO_SCOPE, TYPE], &long, "413 payload_too_large"),
        ("/v1/things", &[NO_SCOPE, TYPE, ("content-length", "101")], "x", "413 payload_too_large"),
        ("/v1/things", &[NO_SCOPE, TYPE, LIMITED], "", "403 missing_scope"),
        ("/v1/things", &[AUTH, TYPE, LIMITED], "", "429 rate_limited"),
        ("/v1/things", &[AUTH, TYPE], "", "400 missing_idempotency_key"),
        ("/v1/things", &[AUTH, TYPE, ("idempotency-key", "")], "", "400 invalid_request"),
        ("/v1/things", &[AUTH, TYPE, KEY, KEY], BODY, "400 invalid_request"),
        ("/v1/things", &[AUTH, KEY], "", "400 invalid_request"),
        ("/v1/things", &[AUTH, TYPE, KEY], "", "400 invalid_request"),
        ("/v1/things", &[AUTH, TYPE, KEY], "{", "400 invalid_request"),
        ("/v1/things", &[AUTH, TYPE, KEY], BODY, "200 ok"),
        ("/open", &[HTML, PLAIN], &long, "406 not_acceptable"),
        ("/open", &[PLAIN], &long, "415 unsupported_media_type"),
        ("/open", &[TYPE], &long, "413 payload_too_large"),
        ("/open", &[TYPE, LIMITED], "", "429 rate_limited"),
        ("/open", &[TYPE], BODY, "200 ok"),
        // credentials in the body are checked after the body was read (B-083)
        ("/oauth/things", &[PLAIN], "client_id=app", "415 unsupported_media_type"),
        ("/oauth/things", &[FORM], &long, "413 payload_too_large"),
        ("/oauth/things", &[FORM], "text=x", "401 invalid_client"),
        ("/oauth/things", &[TYPE], "{", "401 invalid_client"),
        ("/oauth/things", &[TYPE], r#"{"client_id":1}"#, "401 invalid_client"),
        ("/oauth/things", &[FORM], "client_id=app", "400 invalid_request"),
        ("/oauth/things", &[FORM], "client_id=app&text=a+%C3%A9", "200 ok"),
        ("/oauth/things", &[TYPE], r#"{"client_id":"app","text":"x"}"#, "200 ok"),
        // a body that cannot be parsed has no credentials
        ("/oauth/things", &[FORM], "client_id=app&text=a&text=b", "401 invalid_client"),
        ("/oauth/things", &[FORM], "client_id=app&text=%FF", "401 invalid_client"),
    ];
    let mut wrong = Vec::new();
    for (path, headers, body, expected) in cases {
        let got = code(Method::POST, path, headers, (*body).to_owned()).await;
        if got != *expected {
            wrong.push(format!("{path} {headers:?}: {got}, not {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn a_body_of_exactly_the_limit_passes_also_in_chunks() {
    let exact = format!(r#"{{"text":"x"{}}}"#, " ".repeat(100 - 12));
    assert_eq!(exact.len(), 100);
    let chunks = |text: &str| {
        let parts: Vec<_> = text.as_bytes().chunks(30).map(|c| Ok::<_, std::io::Error>(c.to_vec())).collect();
        Body::from_bytes_stream(futures_util::stream::iter(parts))
    };
    let headers = &[AUTH, TYPE, KEY];
    assert_eq!(code(Method::POST, "/v1/things", headers, exact.clone()).await, "200 ok");
    assert_eq!(code(Method::POST, "/v1/things", headers, chunks(&exact)).await, "200 ok");
    assert_eq!(
        code(Method::POST, "/v1/things", headers, chunks(&(exact + " "))).await,
        "413 payload_too_large"
    );
    // without a Content-Type, an empty body counts as a missing body, and any other body is rejected with 415 (D-008)
    assert_eq!(code(Method::POST, "/v1/things", &[AUTH, KEY], chunks("")).await, "400 invalid_request");
    assert_eq!(
        code(Method::POST, "/v1/things", &[AUTH, KEY], chunks("{}")).await,
        "415 unsupported_media_type"
    );
}

#[tokio::test]
async fn a_stalled_body_gets_408_and_an_interrupted_body_400() {
    let never = Body::from_bytes_stream(futures_util::stream::pending::<Result<Vec<u8>, std::io::Error>>());
    assert_eq!(code(Method::POST, "/v1/things", &[AUTH, TYPE, KEY], never).await, "408 client_error");
    let cut = Body::from_bytes_stream(futures_util::stream::iter([Err::<Vec<u8>, _>(
        std::io::Error::other("cut"),
    )]));
    assert_eq!(code(Method::POST, "/v1/things", &[AUTH, TYPE, KEY], cut).await, "400 client_error");
}

#[tokio::test]
async fn the_body_reaches_the_handler_with_unknown_members() {
    let (_, body) =
        call(Method::POST, "/v1/things", &[AUTH, TYPE, KEY], r#"{"text":"x","unknown":[1.50]}"#).await;
    assert_eq!(body["more"], "[1.50]");
}

#[tokio::test]
async fn parameters_are_parsed_by_their_rules() {
    // The handler returns the id, the limit (200 by default) and the flag. A limit above 1000 is lowered to 1000, and a
    // limit of more than 20 digits is invalid.
    for (query, expected) in [
        ("", "200 a 200 None"),
        ("?limit=5&flag=1", "200 a 5 Some(true)"),
        ("?limit=1001&flag=false", "200 a 1000 Some(false)"),
        ("?limit=99999999999999999999", "200 a 1000 None"),
        ("?limit=999999999999999999999", "400 invalid_request"),
        ("?limit=0", "400 invalid_request"),
        ("?limit=", "400 invalid_request"),
        ("?limit=%2B1", "400 invalid_request"),
        ("?limit=1.0", "400 invalid_request"),
        ("?limit=1&limit=1", "400 invalid_request"),
        ("?flag=yes", "400 invalid_request"),
        ("?flag=%00", "400 invalid_request"),
        ("?flag=%FF", "400 invalid_request"),
        ("?Limit=0&other=%FF", "200 a 200 None"),
    ] {
        let (status, body) = call(Method::GET, &format!("/v1/things/a{query}"), &[AUTH], "").await;
        let got = body["text"].as_str().or(body["error"]["code"].as_str()).expect("a text or an error code");
        assert_eq!(format!("{status} {got}"), expected, "{query}");
    }
    // in place of an id with invalid characters, the handler gets U+FFFD
    for path in ["/v1/things/a%FF", "/v1/things/a%00"] {
        let (status, body) = call(Method::GET, path, &[AUTH], "").await;
        assert_eq!((status, body["text"].as_str()), (200, Some("\u{fffd} 200 None")), "{path}");
    }
}
