//! Constructors of the failures of `switchboard connect`.

use serde_json::Value;

use crate::cli::{failure::Failure, web::HttpResponse};

/// Returns the failure for a server, or a metadata document, that violates a rule of OAuth or MCP.
pub(super) fn violation(what: impl Into<String>) -> Failure {
    Failure::Local(what.into())
}

/// Returns the failure for an error response of an OAuth endpoint. If the body has no `error` (RFC 6749 §5.2), the
/// failure is [`Failure::Unreachable`].
pub(super) fn oauth_error(got: &HttpResponse, endpoint: &str) -> Failure {
    let body = got.json().unwrap_or(Value::Null);
    let Some(code) = body["error"].as_str() else {
        return Failure::Unreachable(format!(
            "{endpoint} returns {} without an OAuth error",
            got.status.as_u16()
        ));
    };
    let wait =
        got.header("retry-after").map(|seconds| format!("; try again in {seconds} s")).unwrap_or_default();
    let message = body["error_description"].as_str().unwrap_or("the server gave no description");
    Failure::Refused {
        code: code.to_owned(),
        message: format!("{message}{wait}"),
        request_id: got.header("x-request-id").unwrap_or_default().to_owned(),
    }
}
