//! Answers of the MCP endpoints: JSON-RPC messages, and plain refusals of HTTP.

use poem::{
    Body, Response,
    http::{HeaderMap, HeaderValue, StatusCode, header},
};
use rmcp::model::ErrorData;
use serde::Serialize;
use serde_json::Value;

use crate::contract::{Fault, reply};

pub(super) const SESSION_ID: &str = "mcp-session-id";
pub(super) const PROTOCOL_VERSION: &str = "mcp-protocol-version";
pub(super) const METHOD: &str = "mcp-method";
pub(super) const NAME: &str = "mcp-name";

/// Room for a usual answer, so that it is written without growing.
const USUAL: usize = 1024;

/// Why a request goes no further.
pub(super) enum Refused {
    /// With an answer of its own.
    With(Box<Response>),
    /// With an answer that the envelope writes.
    Fault(Fault),
}

impl Refused {
    /// As the routes want it.
    pub(super) fn settle(self) -> poem::Result<Response> {
        match self {
            Self::With(response) => Ok(*response),
            Self::Fault(fault) => Err(fault.into()),
        }
    }
}

impl From<Response> for Refused {
    fn from(response: Response) -> Self {
        Self::With(Box::new(response))
    }
}

impl From<Fault> for Refused {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl From<crate::store::Error> for Refused {
    fn from(error: crate::store::Error) -> Self {
        Self::Fault(error.into())
    }
}

/// A step of the gate.
pub(super) type Step<T> = Result<T, Refused>;

#[derive(Serialize)]
struct Success<'a, T> {
    jsonrpc: &'static str,
    id: &'a Value,
    result: &'a T,
}

#[derive(Serialize)]
struct Failure<'a> {
    jsonrpc: &'static str,
    /// Not there when the message had none that could be read: MCP knows an error without it, but none with null.
    #[serde(skip_serializing_if = "Value::is_null")]
    id: &'a Value,
    error: &'a ErrorData,
}

/// The result of a request.
pub(super) fn result<T: Serialize>(id: &Value, result: &T) -> Response {
    written(StatusCode::OK, &Success { jsonrpc: "2.0", id, result })
}

/// A result that is JSON already.
pub(super) fn ready(id: &Value, result: &str) -> Response {
    let mut text = String::with_capacity(result.len() + 64);
    text.push_str(r#"{"jsonrpc":"2.0","id":"#);
    // an id is a string or a number, whose text is its JSON
    text.push_str(&id.to_string());
    text.push_str(r#","result":"#);
    text.push_str(result);
    text.push('}');
    json(StatusCode::OK, text.into_bytes())
}

/// An error of JSON-RPC.
pub(super) fn error(status: StatusCode, id: &Value, error: &ErrorData) -> Response {
    written(status, &Failure { jsonrpc: "2.0", id, error })
}

fn written(status: StatusCode, message: &impl Serialize) -> Response {
    let mut text = Vec::with_capacity(USUAL);
    match serde_json::to_writer(&mut text, message) {
        Ok(()) => json(status, text),
        Err(error) => {
            // values of JSON are written to memory without failing; the envelope words the 500
            tracing::error!(%error, "an MCP answer could not be written");
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

/// `{"error": "…"}` (D-325).
pub(super) fn plain(status: StatusCode, error: &'static str) -> Response {
    reply::json(status.as_u16(), &Plain { error })
}

/// 202 without a body, for messages that nobody waits for an answer to (A-303).
pub(super) fn accepted() -> Response {
    reply::empty(202)
}

/// What a header says that may be sent once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Said<'a> {
    Nothing,
    Text(&'a str),
    /// Twice, or in other than visible ASCII.
    Garbled,
}

/// Reads a header that may be sent once.
pub(super) fn said<'a>(headers: &'a HeaderMap, name: &str) -> Said<'a> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Said::Nothing,
        (Some(value), None) => value.to_str().map_or(Said::Garbled, Said::Text),
        _ => Said::Garbled,
    }
}
