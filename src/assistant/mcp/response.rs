//! Responses of the MCP endpoints: JSON-RPC messages, and plain HTTP errors.

use poem::{
    Body, Response,
    http::{HeaderMap, HeaderValue, StatusCode, header},
};
use rmcp::model::ErrorData;
use serde::Serialize;
use serde_json::Value;

use crate::contract::{ApiError, reply};

pub(super) const SESSION_ID: &str = "mcp-session-id";
pub(super) const PROTOCOL_VERSION: &str = "mcp-protocol-version";
pub(super) const METHOD: &str = "mcp-method";
pub(super) const NAME: &str = "mcp-name";

/// Initial capacity of a response buffer, in bytes.
const INITIAL_CAPACITY: usize = 1024;

/// A rejection of a request.
pub(super) enum RejectedRequest {
    /// A complete response.
    With(Box<Response>),
    /// An error; the response middleware writes the response.
    ApiError(ApiError),
}

impl RejectedRequest {
    /// Converts the rejection to the result of a route.
    pub(super) fn into_result(self) -> poem::Result<Response> {
        match self {
            Self::With(response) => Ok(*response),
            Self::ApiError(error) => Err(error.into()),
        }
    }
}

impl From<Response> for RejectedRequest {
    fn from(response: Response) -> Self {
        Self::With(Box::new(response))
    }
}

impl From<ApiError> for RejectedRequest {
    fn from(error: ApiError) -> Self {
        Self::ApiError(error)
    }
}

impl From<crate::service::Error> for RejectedRequest {
    fn from(error: crate::service::Error) -> Self {
        Self::ApiError(error.into())
    }
}

/// Result of a step of the request handling, such as a check.
pub(super) type Step<T> = Result<T, RejectedRequest>;

#[derive(Serialize)]
struct Success<'a, T> {
    jsonrpc: &'static str,
    id: &'a Value,
    result: &'a T,
}

#[derive(Serialize)]
struct JsonRpcFailure<'a> {
    jsonrpc: &'static str,
    /// Absent if the message had no valid id. MCP allows an error without an id, but not an error with a null id.
    #[serde(skip_serializing_if = "Value::is_null")]
    id: &'a Value,
    error: &'a ErrorData,
}

/// Returns the response with the result of a request.
pub(super) fn result<T: Serialize>(id: &Value, result: &T) -> Response {
    written(StatusCode::OK, &Success { jsonrpc: "2.0", id, result })
}

/// Returns the response with a result that is already JSON text.
pub(super) fn ready(id: &Value, result: &str) -> Response {
    let mut text = String::with_capacity(result.len() + 64);
    text.push_str(r#"{"jsonrpc":"2.0","id":"#);
    // `to_string` of a `Value` writes JSON, so a string has its quotes
    text.push_str(&id.to_string());
    text.push_str(r#","result":"#);
    text.push_str(result);
    text.push('}');
    json(StatusCode::OK, text.into_bytes())
}

/// Returns the response with a JSON-RPC error. `id` is `null` if the message had no valid id.
pub(super) fn error(status: StatusCode, id: &Value, error: &ErrorData) -> Response {
    written(status, &JsonRpcFailure { jsonrpc: "2.0", id, error })
}

fn written(status: StatusCode, message: &impl Serialize) -> Response {
    let mut text = Vec::with_capacity(INITIAL_CAPACITY);
    match serde_json::to_writer(&mut text, message) {
        Ok(()) => json(status, text),
        Err(error) => {
            // this does not occur, because JSON values serialize without errors; the response middleware writes the
            // body of the 500
            tracing::error!(%error, "failed to serialize an MCP response");
            reply::empty(500)
        }
    }
}

fn json(status: StatusCode, text: Vec<u8>) -> Response {
    let mut response = Response::from(Body::from(text));
    response.set_status(status);
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(reply::JSON));
    response
}

#[derive(Serialize)]
struct Plain {
    error: &'static str,
}

/// Returns a response with the body `{"error": "…"}` (D-325).
pub(super) fn plain(status: StatusCode, error: &'static str) -> Response {
    reply::json(status.as_u16(), &Plain { error })
}

/// Returns 202 without a body, for JSON-RPC notifications and responses that the client sent (A-303).
pub(super) fn accepted() -> Response {
    reply::empty(202)
}

/// Value of a header that must not be repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SentHeader<'a> {
    Absent,
    Text(&'a str),
    /// Repeated, or not ASCII.
    Invalid,
}

/// Reads a header that must not be repeated.
pub(super) fn header_text<'a>(headers: &'a HeaderMap, name: &str) -> SentHeader<'a> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => SentHeader::Absent,
        (Some(value), None) => value.to_str().map_or(SentHeader::Invalid, SentHeader::Text),
        _ => SentHeader::Invalid,
    }
}
