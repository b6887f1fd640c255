//! Tests of the outer middleware: the error format, the request id, allowed methods, HEAD and response headers.

use std::sync::Arc;

use poem::{Response, http::Method};
use serde_json::Value;

use super::tiny::{Notes, Recorded, client};

async fn call(method: Method, path: &str) -> (Response, Value, Recorded) {
    let notes = Arc::new(Notes::default());
    let client = client(notes.clone());
    let mut response = client.request(method, path).header("authorization", "all").send().await.0;
    let text = response.take_body().into_string().await.expect("text");
    let recorded = notes.0.lock().expect("no panic").pop().expect("the observer was called");
    (response, serde_json::from_str(&text).unwrap_or(Value::Null), recorded)
}

#[tokio::test]
async fn errors_of_any_origin_have_one_format() {
    for (path, status, code) in [
        ("/v1/things/none", 404, "user_not_found"),
        ("/v1/things/undocumented", 500, "internal_error"),
        ("/v1/things/fault", 500, "internal_error"),
        ("/v1/things/outage", 503, "server_error"),
        ("/v1/things/panic", 500, "internal_error"),
        ("/v1/things/a?limit=x", 400, "invalid_request"),
        ("/v1/nothing", 404, "not_found"),
        ("/hidden", 404, "not_found"),
    ] {
        let (response, body, recorded) = call(Method::GET, path).await;
        assert_eq!(
            (response.status().as_u16(), body["error"]["code"].as_str()),
            (status, Some(code)),
            "{path}"
        );
        assert_eq!(body["ok"], false);
        assert_eq!(body["request_id"], response.headers()["x-request-id"].to_str().expect("text"));
        assert_eq!(body["request_id"].as_str().map(str::len), Some(30));
        assert_eq!(response.headers()["content-type"], "application/json");
        assert_eq!(response.headers()["cache-control"], "no-store");
        assert_eq!(response.headers().contains_key("retry-after"), status == 503);
        assert!(!body.to_string().contains("secret"), "{body}");
        assert_eq!((recorded.1, recorded.2), (status, Some(code)));
    }
}

#[tokio::test]
async fn paths_match_exactly() {
    for path in [
        "/v1/things/",
        "/v1//things",
        "//v1/things/a",
        "/V1/things/a",
        "/v1/Things/a",
        "/v1/things/a/",
        "/v1/things//",
        "/",
    ] {
        let (response, body, _) = call(Method::GET, path).await;
        assert_eq!(
            (response.status().as_u16(), body["error"]["code"].as_str()),
            (404, Some("not_found")),
            "{path}"
        );
    }
}

#[tokio::test]
async fn a_405_lists_the_allowed_methods() {
    let (response, body, recorded) = call(Method::DELETE, "/v1/things/a").await;
    assert_eq!(response.status(), 405);
    assert_eq!(body["error"]["code"], "client_error");
    assert_eq!(response.headers()["allow"], "GET, HEAD");
    assert_eq!(recorded, (None, 405, Some("client_error")));
    for method in [Method::GET, Method::HEAD, Method::OPTIONS, Method::TRACE] {
        let (response, ..) = call(method, "/v1/things").await;
        assert_eq!(
            (response.status().as_u16(), response.headers()["allow"].as_bytes()),
            (405, b"POST".as_slice())
        );
    }
    // the only operation of this path is unavailable outside the sandbox, so the path gets 404, not 405
    let (response, ..) = call(Method::POST, "/hidden").await;
    assert_eq!(response.status(), 404);
}

#[tokio::test]
async fn head_is_get_without_the_body() {
    let (get, body, recorded) = call(Method::GET, "/v1/things/a").await;
    assert_eq!(recorded, (Some("get"), 200, None));
    let (head, nothing, recorded) = call(Method::HEAD, "/v1/things/a").await;
    assert_eq!((head.status(), nothing, recorded), (get.status(), Value::Null, (Some("get"), 200, None)));
    assert_eq!(head.headers()["content-length"], body.to_string().len().to_string());
    assert_eq!(head.headers()["content-type"], get.headers()["content-type"]);
    let (head, ..) = call(Method::HEAD, "/v1/things/none").await;
    assert_eq!(head.status(), 404);
}

#[tokio::test]
async fn headers_set_by_request_checks_are_in_success_and_error_responses() {
    let (response, ..) = call(Method::GET, "/v1/things/a").await;
    assert_eq!(response.headers()["ratelimit"], "\"list\";r=3");
    assert_eq!(response.headers()["cache-control"], "no-store");
    let (response, ..) = call(Method::GET, "/v1/things/none").await;
    assert_eq!(response.headers()["ratelimit"], "\"list\";r=3");
}

#[tokio::test]
async fn challenges_match_the_security_scheme() {
    let client = client(Arc::new(Notes::default()));
    let bearer = client.get("/v1/things/a").send().await.0;
    assert_eq!(bearer.headers()["www-authenticate"], "Bearer");
    let basic = client.post("/oauth/things").content_type("application/json").body("{}").send().await.0;
    assert_eq!(basic.headers()["www-authenticate"], "Basic realm=\"oauth\"");
}

#[tokio::test]
async fn long_messages_are_truncated() {
    let (_, body, _) = call(Method::GET, "/v1/things/long").await;
    assert_eq!(body["error"]["message"].as_str().map(|m| m.chars().count()), Some(300));
}
