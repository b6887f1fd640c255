//! Failures of commands. A failure has a message for standard error, and an exit code.

use std::{fmt, io, path::Path, process::ExitCode};

use progenitor_client::Error as ClientError;
use serde::Deserialize;

use switchboard_clients::admin::types::ErrorEnvelope;

/// Why a command failed.
#[derive(Debug)]
pub enum Failure {
    /// The usage is invalid: exit code 2, as for arguments that clap rejects.
    Usage(String),
    /// The server returned an error: exit code 1.
    Refused {
        /// Stable error code, for programs.
        code: String,
        /// Message for people.
        message: String,
        /// Request id in the server's log; empty if the response had none.
        request_id: String,
    },
    /// There is no response, or the response does not have the format of this version of Switchboard: exit code 3.
    Unreachable(String),
    /// There is a problem on this machine, for example with a file, a database or a server that does not start: exit
    /// code 1. Also a protocol violation by the server that `switchboard connect` calls.
    Local(String),
    /// `switchboard events verify` found an invalid signature. The exit code depends on the reason.
    Unverified {
        /// The exit code, 4 to 7.
        code: u8,
        /// The reason, and what would be valid.
        text: String,
    },
    /// A check of `doctor` failed, or `health` found a server that is not ready: exit code 8.
    Unhealthy(String),
}

/// Result of a command.
pub type Result<T> = std::result::Result<T, Failure>;

impl Failure {
    /// Returns the failure of an operation on a file or folder. `what` is the text between "cannot" and the path in the
    /// message, such as "read" or "create the folder".
    pub fn file(what: &str, path: &Path, error: &io::Error) -> Self {
        Self::Local(format!("cannot {what} {}: {error}", path.display()))
    }

    /// Returns the failure of building an HTTP client.
    pub fn of_builder(error: &reqwest::Error) -> Self {
        Self::Usage(format!("the HTTP client cannot be built: {}", chain(error)))
    }

    /// Returns the process's exit code.
    #[must_use]
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            Self::Refused { .. } | Self::Local(_) => 1,
            Self::Usage(_) => 2,
            Self::Unreachable(_) => 3,
            Self::Unverified { code, .. } => *code,
            Self::Unhealthy(_) => 8,
        })
    }

    /// Returns whether the server returned this error code.
    #[must_use]
    pub fn is_refused_with(&self, wanted: &str) -> bool {
        matches!(self, Self::Refused { code, .. } if code == wanted)
    }

    /// Reads the body of an error response, and returns the failure for the response.
    pub async fn of_response(response: reqwest::Response) -> Self {
        let (status, url) = (response.status(), response.url().clone());
        let body = match response.bytes().await {
            Ok(body) => body,
            Err(error) => return error.into(),
        };
        match serde_json::from_slice::<ReceivedEnvelope>(&body) {
            Ok(envelope) => envelope.into(),
            Err(_) => Self::Unreachable(format!(
                "{url} returned {status}, which is not a response of Switchboard: check --url"
            )),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(text)
            | Self::Unreachable(text)
            | Self::Local(text)
            | Self::Unhealthy(text)
            | Self::Unverified { text, .. } => f.write_str(text),
            Self::Refused { code, message, request_id } if request_id.is_empty() => {
                write!(f, "{code}: {message}")
            }
            Self::Refused { code, message, request_id } => write!(f, "{code}: {message} ({request_id})"),
        }
    }
}

/// The error envelope of the bot API and the admin API.
#[derive(Deserialize)]
struct ReceivedEnvelope {
    error: ErrorDetail,
    #[serde(default)]
    request_id: String,
}

#[derive(Deserialize)]
struct ErrorDetail {
    code: String,
    message: String,
}

impl From<ReceivedEnvelope> for Failure {
    fn from(ReceivedEnvelope { error: ErrorDetail { code, message }, request_id }: ReceivedEnvelope) -> Self {
        Self::Refused { code, message, request_id }
    }
}

impl From<reqwest::Error> for Failure {
    fn from(error: reqwest::Error) -> Self {
        if error.is_builder() {
            return Self::Usage(format!("the request cannot be built: {}", chain(&error)));
        }
        let server = error.url().map_or("the server".to_owned(), |url| url.origin().ascii_serialization());
        // a decoding error means that the response was interrupted, or that its body is malformed
        let what = if error.is_decode() { "cannot read the response of" } else { "cannot reach" };
        Self::Unreachable(format!("{what} {server}: {}", chain(&error.without_url())))
    }
}

impl Failure {
    /// Returns the failure for an error of the generated client. If the error contains a response with an unread
    /// body, reads the body.
    pub async fn of_client(error: ClientError<ErrorEnvelope>) -> Self {
        match error {
            ClientError::ErrorResponse(answer) => {
                let ErrorEnvelope { error, request_id, .. } = answer.into_inner();
                Self::Refused { code: error.code, message: error.message, request_id }
            }
            ClientError::UnexpectedResponse(response) => Self::of_response(response).await,
            ClientError::CommunicationError(error)
            | ClientError::ResponseBodyError(error)
            | ClientError::InvalidUpgrade(error) => error.into(),
            ClientError::InvalidResponsePayload(_, error) => Self::Unreachable(format!(
                "the response does not have the format of this version of Switchboard: {error}"
            )),
            ClientError::InvalidRequest(text) | ClientError::Custom(text) => {
                Self::Usage(format!("the request cannot be built: {text}"))
            }
        }
    }
}

/// Returns the text of an error, followed by the texts of its sources. A source's text that is already part of the
/// result is not repeated.
pub(super) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(source) = next {
        let cause = source.to_string();
        if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
        next = source.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_response_includes_the_request_id() {
        let envelope = r#"{"ok":false,"error":{"code":"forbidden","message":"no"},"request_id":"req_1"}"#;
        let failure: Failure = serde_json::from_str::<ReceivedEnvelope>(envelope).unwrap().into();
        assert_eq!(failure.to_string(), "forbidden: no (req_1)");
        assert!(failure.is_refused_with("forbidden") && !failure.is_refused_with("conflict"));
    }

    #[test]
    fn each_cause_is_appended_once() {
        #[derive(Debug, thiserror::Error)]
        #[error("{0}")]
        struct ErrorWithCause(&'static str, #[source] io::Error);

        for text in ["cannot connect", "cannot connect: connection refused"] {
            let error = ErrorWithCause(text, io::Error::other("connection refused"));
            assert_eq!(chain(&error), "cannot connect: connection refused", "{text}");
        }
    }
}
