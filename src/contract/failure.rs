//! Error responses. The bot API and the admin API use the error envelope. The assistant server uses the format of RFC
//! 6749.

use poem::{
    Response,
    http::{HeaderValue, StatusCode, header},
};
use serde::Serialize;

use super::{ApiError, reply};
use crate::domain::refusal::Code;

/// Maximum length of an error message in characters. A longer message is cut.
const MESSAGE_LIMIT: usize = 300;

#[derive(Serialize)]
struct FailureBody<'a> {
    ok: bool,
    error: FailureDetail<'a>,
    request_id: &'a str,
}

#[derive(Serialize)]
struct FailureDetail<'a> {
    code: &'a str,
    message: &'a str,
}

/// Returns the response `{ok: false, error: {code, message}, request_id}`.
pub(super) fn envelope(api_error: &ApiError, id: &str) -> Response {
    let error = FailureDetail { code: api_error.code.as_str(), message: cut(api_error.text()) };
    let body = FailureBody { ok: false, error, request_id: id };
    with_headers(reply::json(api_error.status.as_u16(), &body), api_error)
}

#[derive(Serialize)]
struct OauthBody<'a> {
    error: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    error_description: Option<String>,
}

/// Returns the response `{error, error_description?}` (RFC 6749 §5.2). Replaces some codes of the error envelope by the
/// codes of `openapi/assistant.yaml`, for example `rate_limited` by `slow_down`. Replaces the status 415 by 400.
pub(super) fn oauth(api_error: &ApiError) -> Response {
    let (status, error) = match api_error.code {
        Code::PayloadTooLarge => (api_error.status, Code::RequestTooLarge.as_str()),
        Code::RateLimited => (api_error.status, Code::SlowDown.as_str()),
        // RFC 6749 has no 415 (D-279)
        Code::UnsupportedMediaType => (StatusCode::BAD_REQUEST, Code::InvalidRequest.as_str()),
        Code::ClientError => (api_error.status, Code::InvalidRequest.as_str()),
        Code::InternalError => (api_error.status, Code::ServerError.as_str()),
        code => (api_error.status, code.as_str()),
    };
    // errors with these codes have no description, because the codes are clear by themselves (for 429: D-376)
    let is_plain = matches!(
        api_error.code,
        Code::PayloadTooLarge | Code::RequestTooLarge | Code::RateLimited | Code::SlowDown
    );
    let error_description = (!is_plain).then(|| cut(api_error.text()).chars().map(allowed).collect());
    with_headers(reply::json(status.as_u16(), &OauthBody { error, error_description }), api_error)
}

/// Replaces a character that RFC 6749 §5.2 does not allow in a description (D-377). The allowed characters are %x20-21
/// / %x23-5B / %x5D-7E.
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

fn with_headers(mut response: Response, api_error: &ApiError) -> Response {
    let headers = response.headers_mut();
    if let Some(seconds) = api_error.retry_after {
        headers.insert(header::RETRY_AFTER, seconds.max(1).into());
    }
    // RFC 9110 §15.5.2: a 401 requires a challenge (D-016)
    if api_error.status == StatusCode::UNAUTHORIZED {
        let challenge = match api_error.code {
            Code::InvalidClient => "Basic realm=\"oauth\"",
            _ => "Bearer",
        };
        headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static(challenge));
    }
    // RFC 9110 §15.5.9: the connection is closed, because the rest of the request is not read
    if api_error.status == StatusCode::REQUEST_TIMEOUT {
        headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

#[cfg(test)]
mod tests {
    use poem::http::StatusCode;
    use serde_json::{Value, json};

    use super::*;

    async fn written(api_error: ApiError) -> (u16, Value) {
        let mut response = oauth(&api_error);
        let text = response.take_body().into_string().await.unwrap();
        (response.status().as_u16(), serde_json::from_str(&text).unwrap())
    }

    /// Errors of the OAuth endpoints have the format of RFC 6749. Their descriptions consist of the ASCII
    /// characters that RFC 6749 §5.2 allows.
    #[tokio::test]
    async fn oauth_errors_follow_rfc_6749() {
        for (api_error, status, body) in [
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
            assert_eq!(written(api_error).await, (status, body));
        }
    }
}
