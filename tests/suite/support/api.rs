//! An HTTP client that checks every response against the rules for all responses.

use std::sync::{Arc, Mutex};

use reqwest::{Method, RequestBuilder, header::HeaderMap};
use serde_json::{Value, json};

/// A caller of a server: the base URL of the server and the caller's `Authorization` header.
#[derive(Clone)]
pub struct Api {
    pub base: String,
    pub http: reqwest::Client,
    pub authorization: Option<String>,
    /// The request ids of all responses so far. They must be unique (B-006).
    pub seen: Arc<Mutex<std::collections::HashSet<String>>>,
}

impl Api {
    pub fn with(&self, authorization: impl Into<String>) -> Self {
        Self { authorization: Some(authorization.into()), ..self.clone() }
    }

    pub fn bearer(&self, token: &str) -> Self {
        self.with(format!("Bearer {token}"))
    }

    pub fn anonymous(&self) -> Self {
        Self { authorization: None, ..self.clone() }
    }

    pub fn get(&self, path: &str) -> Call {
        self.call(Method::GET, path)
    }

    pub fn post(&self, path: &str) -> Call {
        self.call(Method::POST, path)
    }

    pub fn patch(&self, path: &str) -> Call {
        self.call(Method::PATCH, path)
    }

    pub fn put(&self, path: &str) -> Call {
        self.call(Method::PUT, path)
    }

    pub fn delete(&self, path: &str) -> Call {
        self.call(Method::DELETE, path)
    }

    pub fn call(&self, method: Method, path: &str) -> Call {
        let mut request = self.http.request(method.clone(), format!("{}{path}", self.base));
        if let Some(value) = &self.authorization {
            request = request.header("authorization", value);
        }
        Call {
            request,
            seen: Arc::clone(&self.seen),
            name: format!("{method} {path}"),
            head: method == Method::HEAD,
        }
    }
}

/// A request under construction.
pub struct Call {
    request: RequestBuilder,
    seen: Arc<Mutex<std::collections::HashSet<String>>>,
    name: String,
    head: bool,
}

impl Call {
    pub fn header(mut self, name: &str, value: impl AsRef<[u8]>) -> Self {
        let value = reqwest::header::HeaderValue::from_bytes(value.as_ref()).expect("a header value");
        self.request = self.request.header(name, value);
        self
    }

    pub fn key(self, key: &str) -> Self {
        self.header("idempotency-key", key)
    }

    pub fn json(self, body: &Value) -> Self {
        self.header("content-type", "application/json").body(body.to_string())
    }

    pub fn form(self, fields: &[(&str, &str)]) -> Self {
        let text = serde_urlencoded::to_string(fields).expect("form fields");
        self.header("content-type", "application/x-www-form-urlencoded").body(text)
    }

    pub fn body(mut self, body: impl Into<reqwest::Body>) -> Self {
        self.request = self.request.body(body);
        self
    }

    pub async fn send(self) -> Answer {
        let response = self.request.send().await.unwrap_or_else(|e| panic!("{}: {e}", self.name));
        let status = response.status().as_u16();
        let headers = response.headers().clone();
        let bytes = response.bytes().await.unwrap_or_else(|e| panic!("{}: {e}", self.name)).to_vec();
        let answer = Answer { name: self.name, status, headers, bytes };
        answer.check(&self.seen, self.head);
        answer
    }

    /// Asserts a success with this status, and returns the body.
    pub async fn ok(self, status: u16) -> Value {
        self.send().await.ok(status)
    }

    /// Asserts an OAuth error (RFC 6749 §5.2) with this status and `error`.
    pub async fn denied(self, status: u16, error: &str) -> Answer {
        self.send().await.denied(status, error)
    }

    /// Asserts an error with this status and code.
    pub async fn refused(self, status: u16, code: &str) -> Answer {
        self.send().await.refused(status, code)
    }
}

/// Returns whether a request, `METHOD /path`, is for an OAuth or metadata endpoint of the assistant server.
fn is_oauth_endpoint(name: &str) -> bool {
    let path = name.split(' ').nth(1).unwrap_or_default();
    let path = path.split('?').next().unwrap_or_default();
    path.starts_with("/.well-known/") || ["/token", "/register", "/revoke"].contains(&path)
}

/// Asserts the rules for every response of the endpoints for which [`is_oauth_endpoint`] returns true.
fn check_oauth(answer: &Answer, head: bool) {
    let name = &answer.name;
    // scripts of any origin may read these responses, without cookies (A-037, D-311)
    assert_eq!(answer.header("access-control-allow-origin"), Some("*"), "{name}");
    assert_eq!(answer.header("access-control-allow-credentials"), None, "{name}");
    if answer.status == 204 || head {
        return;
    }
    assert_eq!(answer.header("content-type"), Some("application/json"), "{name}: {}", answer.text());
    let body = answer.json();
    for member in ["ok", "request_id"] {
        assert!(
            body.get(member).is_none(),
            "{name}: OAuth responses have no envelope of the bot API (A-010): {body}"
        );
    }
    if answer.status < 400 {
        return;
    }
    assert!(body["error"].is_string(), "{name}: OAuth errors have the format of RFC 6749 (A-010): {body}");
    for (member, value) in body.as_object().expect("an object") {
        assert!(
            ["error", "error_description"].contains(&member.as_str()),
            "{name}: OAuth errors have the format of RFC 6749 (A-010): {body}"
        );
        // RFC 6749 §5.2 allows only printable ASCII characters except `"` and `\` (A-011)
        let is_allowed = |c: char| matches!(c, ' '..='!' | '#'..='[' | ']'..='~');
        assert!(
            value.as_str().expect("a text").chars().all(is_allowed),
            "{name}: OAuth errors have only characters that RFC 6749 §5.2 allows (A-011): {body}"
        );
    }
    assert_eq!(
        answer.header("cache-control"),
        Some("no-store"),
        "{name}: errors of `/token` (A-219) and of the other OAuth endpoints are not cached"
    );
    match answer.status {
        401 => assert!(
            answer.header("www-authenticate").expect("a challenge").starts_with("Basic"),
            "{name}: a failed client authentication gets a Basic challenge (A-214)"
        ),
        429 => {
            assert_eq!(body, json!({"error": "slow_down"}), "{name}: a rate limit returns slow_down (D-376)");
            let wait: u64 = answer
                .header("retry-after")
                .expect("slow_down has Retry-After (D-376)")
                .parse()
                .expect("seconds");
            assert!(wait >= 1, "{name}: Retry-After is at least 1 second");
        }
        _ => {}
    }
}

/// A response.
#[derive(Debug)]
pub struct Answer {
    pub name: String,
    pub status: u16,
    pub headers: HeaderMap,
    pub bytes: Vec<u8>,
}

impl Answer {
    /// Asserts the rules for every response.
    fn check(&self, seen: &Mutex<std::collections::HashSet<String>>, head: bool) {
        let name = &self.name;
        let ids: Vec<_> = self.headers.get_all("x-request-id").iter().collect();
        assert_eq!(ids.len(), 1, "{name}: every response has exactly one X-Request-Id (B-004)");
        let id = ids[0].to_str().expect("ASCII").to_owned();
        assert!(!id.is_empty(), "{name}: every response has a request id (B-004)");
        let sniffing = self.headers.get("x-content-type-options").map(|value| value.as_bytes());
        assert_eq!(
            sniffing,
            Some(&b"nosniff"[..]),
            "{name}: every response has X-Content-Type-Options: nosniff"
        );
        assert!(seen.lock().unwrap().insert(id.clone()), "{name}: request ids are unique (B-006): {id}");
        if is_oauth_endpoint(name) {
            return check_oauth(self, head);
        }
        if head || self.status == 204 || (300..400).contains(&self.status) {
            assert!(
                self.bytes.is_empty(),
                "{name}: responses to HEAD, 204 and redirects have no body: {}",
                self.text()
            );
            return;
        }
        let path = name.split(' ').nth(1).unwrap_or_default();
        let is_json =
            self.headers.get("content-type").is_some_and(|v| v.as_bytes().starts_with(b"application/json"));
        if (200..300).contains(&self.status) {
            // successes outside the APIs, such as pages and downloads, need not be JSON
            let is_page = path.starts_with("/oauth/authorize");
            let is_api = !is_page && ["/v1/", "/oauth/", "/admin/v1/"].iter().any(|at| path.starts_with(at));
            assert!(is_json || !is_api, "{name}: a success of an API is JSON (B-007)");
            if is_json && self.json().get("openapi").is_none() {
                assert_eq!(
                    self.json()["ok"],
                    Value::Bool(true),
                    "{name}: a success has `ok: true` (B-002): {}",
                    self.text()
                );
            }
            return;
        }
        assert!(is_json, "{name}: a failure is JSON (B-003, B-007): {}", self.text());
        let body = self.json();
        let members: Vec<_> =
            body.as_object().expect("a failure has the error envelope (B-003)").keys().cloned().collect();
        assert_eq!(
            members,
            ["error", "ok", "request_id"],
            "{name}: a failure has the error envelope (B-003): {body}"
        );
        assert_eq!(body["ok"], Value::Bool(false), "{name}: a failure has the error envelope (B-003)");
        assert_eq!(
            body["request_id"],
            id.as_str(),
            "{name}: header and body have the same request id (B-005)"
        );
        assert!(
            body["error"]["message"].as_str().is_some_and(|m| !m.is_empty()),
            "{name}: a failure has a message (B-008): {body}"
        );
        let code = body["error"]["code"].as_str().expect("a failure has the error envelope (B-003)");
        match fixed_status(code, path.starts_with("/admin/")) {
            Some(status) => assert_eq!(self.status, status, "{name}: a code has one status (B-025): {body}"),
            None if code == "client_error" => {
                assert!((400..500).contains(&self.status), "{name}: client_error is a 4xx (B-023)")
            }
            None if code == "server_error" => {
                assert!((500..600).contains(&self.status), "{name}: server_error is a 5xx (B-024)")
            }
            None => panic!("{name}: the contract defines no error code {code} (B-400)"),
        }
        if self.status == 401 {
            let challenge = self.header("www-authenticate").expect("a 401 has a challenge (B-050)");
            let expected = if code == "invalid_client" { "Basic" } else { "Bearer" };
            assert!(
                challenge.starts_with(expected),
                "{name}: the challenge of a 401 is {expected} (B-050): {challenge}"
            );
        }
        if self.status == 429 {
            let wait: u64 = self
                .header("retry-after")
                .expect("a 429 has Retry-After (B-401)")
                .parse()
                .expect("Retry-After is a whole number of seconds (B-401)");
            assert!(wait >= 1, "{name}: Retry-After is at least 1 second (B-401)");
        }
        if self.status == 405 {
            assert!(self.header("allow").is_some(), "{name}: a 405 names the allowed methods (B-010)");
        }
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|v| v.to_str().expect("ASCII"))
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes)
            .unwrap_or_else(|e| panic!("{}: {e}: {}", self.name, String::from_utf8_lossy(&self.bytes)))
    }

    #[track_caller]
    pub fn ok(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}: {}", self.name, self.text());
        self.json()
    }

    /// Asserts an OAuth error (RFC 6749 §5.2) with this status and `error`.
    #[track_caller]
    pub fn denied(self, status: u16, error: &str) -> Self {
        assert_eq!(self.status, status, "{}: {}", self.name, self.text());
        assert_eq!(self.json()["error"], error, "{}: {}", self.name, self.text());
        self
    }

    #[track_caller]
    pub fn refused(self, status: u16, code: &str) -> Self {
        assert_eq!(self.status, status, "{}: {}", self.name, self.text());
        assert_eq!(self.json()["error"]["code"], code, "{}: {}", self.name, self.text());
        self
    }
}

/// Returns the status of an error code of the contract (B-025, B-371 … B-398) or of the admin API. Returns `None` for
/// `client_error` and `server_error`, which have several statuses, and for unknown codes (B-400).
fn fixed_status(code: &str, is_admin: bool) -> Option<u16> {
    Some(match code {
        "forbidden" if is_admin => 403,
        "conflict" if is_admin => 409,
        "invalid_request"
        | "invalid_blocks"
        | "invalid_cursor"
        | "missing_idempotency_key"
        | "token_in_query"
        | "invalid_grant"
        | "unsupported_grant_type" => 400,
        "not_authed" | "invalid_auth" | "token_revoked" | "invalid_client" => 401,
        "missing_scope" | "cannot_dm_user" | "not_in_conversation" | "not_allowed_in_conversation" => 403,
        "user_not_found"
        | "conversation_not_found"
        | "message_not_found"
        | "file_not_found"
        | "not_found" => 404,
        "not_acceptable" => 406,
        "conversation_archived" | "user_deactivated" => 409,
        "payload_too_large" => 413,
        "unsupported_media_type" => 415,
        "idempotency_key_reused" => 422,
        "rate_limited" => 429,
        "internal_error" => 500,
        _ => return None,
    })
}
