//! Error responses: in the error envelope of the bot and admin APIs, and in the format of RFC 6749 of the assistant
//! server.

use poem::{
    Response,
    http::{HeaderValue, StatusCode, header},
};
use serde::Serialize;

use super::{ApiError, reply};
use crate::domain::refusal::Code;

/// Maximum number of characters of a message.
const MESSAGE_LIMIT: usize = 300;

#[derive(Serialize)]
struct Body<'a> {
    ok: bool,
    error: Detail<'a>,
    request_id: &'a str,
}

#[derive(Serialize)]
struct Detail<'a> {
    code: &'a str,
    message: &'a str,
}

/// Returns the response `{ok: false, error: {code, message}, request_id}`.
pub(super) fn envelope(fault: &ApiError, id: &str) -> Response {
    let error = Detail { code: fault.code.as_str(), message: cut(fault.text()) };
    let body = Body { ok: false, error, request_id: id };
    with_headers(reply::json(fault.status.as_u16(), &body), fault)
}

#[derive(Serialize)]
struct OauthBody<'a> {
    error: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    error_description: Option<String>,
}

/// Returns the response `{error, error_description?}` (RFC 6749 §5.2). Codes of the other APIs are mapped to OAuth
/// error codes, and 415 to 400.
pub(super) fn oauth(fault: &ApiError) -> Response {
    let (status, error) = match fault.code {
        Code::PayloadTooLarge => (fault.status, Code::RequestTooLarge.as_str()),
        Code::RateLimited => (fault.status, Code::SlowDown.as_str()),
        // RFC 6749 has no 415 (D-279)
        Code::UnsupportedMediaType => (StatusCode::BAD_REQUEST, Code::InvalidRequest.as_str()),
        Code::ClientError => (fault.status, Code::InvalidRequest.as_str()),
        Code::InternalError => (fault.status, Code::ServerError.as_str()),
        code => (fault.status, code.as_str()),
    };
    // these two errors have no description, because their names say enough (D-376)
    let is_plain = matches!(
        fault.code,
        Code::PayloadTooLarge | Code::RequestTooLarge | Code::RateLimited | Code::SlowDown
    );
    let error_description = (!is_plain).then(|| cut(fault.text()).chars().map(allowed).collect());
    with_headers(reply::json(status.as_u16(), &OauthBody { error, error_description }), fault)
}

/// Replaces characters outside %x20-21 / %x23-5B / %x5D-7E, as RFC 6749 §5.2 requires (D-377).
fn allowed(c: char) -> char {
    match c {
        '"' => '\'',
        '\\' => '/',
        ' '..='~' => c,
        _ => '?',
    }
}

fn cut(text: &str) -> &str {
    text.char_indices().nth(MESSAGE_LIMIT).map_or(text, |(end, _)| &text[..end])
}

fn with_headers(mut response: Response, fault: &ApiError) -> Response {
    let headers = response.headers_mut();
    if let Some(seconds) = fault.retry_after {
        headers.insert(header::RETRY_AFTER, seconds.max(1).into());
    }
    // RFC 9110 §15.5.2: a 401 requires a challenge (D-016)
    if fault.status == StatusCode::UNAUTHORIZED {
        let challenge = match fault.code {
            Code::InvalidClient => "Basic realm=\"oauth\"",
            _ => "Bearer",
        };
        headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static(challenge));
    }
    // RFC 9110 §15.5.9: the connection is closed, because the rest of the request is not read
    if fault.status == StatusCode::REQUEST_TIMEOUT {
        headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

#[cfg(test)]
mod tests {
    use poem::http::StatusCode;
    use serde_json::{Value, json};

    use super::*;

    async fn written(fault: ApiError) -> (u16, Value) {
        let mut response = oauth(&fault);
        let text = response.take_body().into_string().await.unwrap();
        (response.status().as_u16(), serde_json::from_str(&text).unwrap())
    }

    ///
    #[tokio::test]
    async fn oauth_errors_follow_rfc_6749() {
        for (fault, status, body) in [
            (ApiError::from(Code::RateLimited), 429, json!({"error": "slow_down"})),
            (ApiError::from(Code::PayloadTooLarge), 413, json!({"error": "request_too_large"})),
            (
                ApiError::because(Code::UnsupportedMediaType, "x"),
                400,
                json!({"error": "invalid_request", "error_description": "x"}),
            ),
            (
                ApiError::because(Code::InvalidRequest, "a \"b\" \\ \u{e9}\n`~ !"),
                400,
                json!({"error": "invalid_request", "error_description": "a 'b' / ??`~ !"}),
            ),
            (
                ApiError::client(StatusCode::METHOD_NOT_ALLOWED),
                405,
                json!({"error": "invalid_request", "error_description": "method not allowed"}),
            ),
            (
                ApiError::internal("secret"),
                500,
                json!({"error": "server_error", "error_description": "server fault"}),
            ),
        ] {
            assert_eq!(written(fault).await, (status, body));
        }
    }
}
