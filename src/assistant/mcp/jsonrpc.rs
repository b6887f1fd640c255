//! Parses the JSON-RPC 2.0 messages that MCP clients send. The body of an HTTP request contains one message, never a
//! batch (A-304). Parameters are passed by name.

use rmcp::model::{ErrorCode, ErrorData};
use serde_json::{Map, Value};

use crate::contract::strict_json;

/// A JSON-RPC message from a client.
#[derive(Debug, PartialEq)]
pub enum JsonRpcMessage {
    Request(JsonRpcRequest),
    Notification {
        method: String,
        params: Map<String, Value>,
    },
    /// The client's response to a request of this server. The server sends only the request `elicitation/create`, and
    /// discards the response to it.
    Response,
}

/// A message that requires a response.
#[derive(Debug, PartialEq)]
pub struct JsonRpcRequest {
    /// A string or a number, repeated in the response.
    pub id: Value,
    pub method: String,
    pub params: Map<String, Value>,
    /// Whether `params` of the message is an array. For an array, the field `params` is empty, and the response is the
    /// error −32602. The checks of version, session, rate limit and method take precedence over this error (D-323).
    pub is_positional: bool,
}

impl JsonRpcMessage {
    /// Returns the id for an error response: the id of a request, null for a notification or a response.
    pub fn id(&self) -> &Value {
        match self {
            Self::Request(request) => &request.id,
            _ => &Value::Null,
        }
    }

    /// Returns the method and the parameters of a request or notification; `None` for a response.
    pub fn call(&self) -> Option<(&str, &Map<String, Value>)> {
        match self {
            Self::Request(JsonRpcRequest { method, params, .. }) | Self::Notification { method, params } => {
                Some((method, params))
            }
            Self::Response => None,
        }
    }
}

/// An invalid message.
#[derive(Debug, PartialEq)]
pub struct Malformed {
    /// The id of the message; null if it is missing or invalid.
    pub id: Value,
    pub error: ErrorData,
}

/// Parses the body of an MCP request (A-304, A-305).
///
/// # Errors
/// −32700 with the id null if `strict_json::read` rejects the body. −32600 if the body is a batch or not a JSON-RPC
/// message. The error −32600 has the id of the message, or null if that id is missing or invalid.
pub fn read(body: &[u8]) -> Result<JsonRpcMessage, Malformed> {
    let value = strict_json::read(body).map_err(|why| {
        let error = ErrorData::new(ErrorCode::PARSE_ERROR, why, None);
        Malformed { id: Value::Null, error }
    })?;
    let Value::Object(mut members) = value else {
        let why =
            if value.is_array() { "batches are not supported" } else { "the message must be an object" };
        return Err(invalid(Value::Null, why));
    };
    // an invalid id is returned as `null`
    let id = members.remove("id");
    let echoed_id = id.as_ref().filter(|id| is_id(id) && !has_nul(id)).cloned().unwrap_or(Value::Null);
    if members.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return Err(invalid(echoed_id, "`jsonrpc` must be \"2.0\""));
    }
    let has_outcome = members.contains_key("result") || members.contains_key("error");
    let method = match members.remove("method") {
        Some(Value::String(method)) if !has_outcome => method,
        Some(_) => {
            return Err(invalid(
                echoed_id,
                "`method` must be a string, and the message must have neither `result` nor `error`",
            ));
        }
        None => return response(&members, id, echoed_id),
    };
    let (params, is_positional) = match members.remove("params") {
        None | Some(Value::Null) => (Map::new(), false),
        Some(Value::Object(params)) => (params, false),
        // JSON-RPC 2.0 §4.2 allows parameters by position, but every method of MCP takes parameters by name
        Some(Value::Array(_)) => (Map::new(), true),
        Some(_) => return Err(invalid(echoed_id, "`params` must be an object")),
    };
    match id {
        None => Ok(JsonRpcMessage::Notification { method, params }),
        Some(id) if has_nul(&id) => Err(invalid(Value::Null, "`id` must not contain U+0000")),
        Some(id) if is_id(&id) => {
            Ok(JsonRpcMessage::Request(JsonRpcRequest { id, method, params, is_positional }))
        }
        Some(_) => Err(invalid(Value::Null, "`id` must be a string or a number")),
    }
}

fn is_id(id: &Value) -> bool {
    id.is_string() || id.is_number()
}

fn has_nul(id: &Value) -> bool {
    id.as_str().is_some_and(|id| id.contains('\0'))
}

/// Parses a message without `method`, which must be a response. The id of a result must be a string or a number. The id
/// of an error can also be missing or null, because a client that cannot parse a request does not know the id of the
/// request. No id may contain U+0000.
fn response(
    members: &Map<String, Value>,
    id: Option<Value>,
    echoed_id: Value,
) -> Result<JsonRpcMessage, Malformed> {
    let has_nul = id.as_ref().is_some_and(has_nul);
    let is_response = match (members.get("result"), members.get("error")) {
        (Some(_), None) => id.is_some_and(|id| is_id(&id)),
        (None, Some(error)) => error.is_object(),
        _ => false,
    };
    match is_response && !has_nul {
        true => Ok(JsonRpcMessage::Response),
        false => Err(invalid(echoed_id, "the message is not a request, notification or response")),
    }
}

fn invalid(id: Value, why: &'static str) -> Malformed {
    Malformed { id, error: ErrorData::new(ErrorCode::INVALID_REQUEST, why, None) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Returns the code and the id of the error for an invalid message.
    fn error_of(body: &str) -> (i32, Value) {
        let malformed = read(body.as_bytes()).expect_err(body);
        (malformed.error.code.0, malformed.id)
    }

    #[test]
    fn requests_notifications_and_responses_are_distinguished() {
        let read = |value: Value| read(value.to_string().as_bytes()).unwrap();
        let request =
            JsonRpcRequest { id: json!(1), method: "ping".into(), params: Map::new(), is_positional: false };
        assert_eq!(
            read(json!({"jsonrpc": "2.0", "id": 1, "method": "ping"})),
            JsonRpcMessage::Request(request)
        );
        for id in [json!("a"), json!(0), json!(-7), json!(1.5)] {
            let message = read(json!({"jsonrpc": "2.0", "id": id, "method": "x", "params": {"a": 1}}));
            assert_eq!(message.id(), &id);
            assert_eq!(message.call().unwrap().1["a"], 1);
        }
        let notification =
            read(json!({"jsonrpc": "2.0", "method": "notifications/initialized", "params": null}));
        assert!(matches!(notification, JsonRpcMessage::Notification { .. }));
        for response in [
            json!({"jsonrpc": "2.0", "id": 1, "result": {}}),
            json!({"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "x"}}),
            json!({"jsonrpc": "2.0", "id": null, "error": {"code": 1, "message": "x"}}),
            json!({"jsonrpc": "2.0", "error": {"code": 1, "message": "x"}}),
        ] {
            assert_eq!(read(response), JsonRpcMessage::Response);
        }
    }

    /// These bodies are rejected: a batch (A-304), and invalid JSON or JSON that is not a JSON-RPC message (A-305).
    #[test]
    fn invalid_messages_are_rejected() {
        for text in ["", "{", "nonsense", "{} {}", r#"{"a":1,"a":2}"#, "\u{feff}{}", "{\"a\":\"\0\"}"] {
            assert_eq!(error_of(text), (-32700, Value::Null), "{text}");
        }
        for text in [
            "[]",
            r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#,
            "1",
            "null",
            "{}",
            r#"{"jsonrpc":"2.0"}"#,
            r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":true,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":"a\u0000","method":"ping"}"#,
            r#"{"jsonrpc":"1.0","id":"a\u0000","method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":"a\u0000","method":1}"#,
            r#"{"jsonrpc":"2.0","id":"a\u0000","method":"x","params":"y"}"#,
            r#"{"jsonrpc":"2.0","id":"a\u0000"}"#,
            r#"{"jsonrpc":"2.0","id":"a\u0000","result":{}}"#,
            r#"{"jsonrpc":"2.0","id":"a\u0000","error":{}}"#,
            r#"{"jsonrpc":"2.0","result":{}}"#,
            r#"{"jsonrpc":"2.0","error":"x"}"#,
        ] {
            assert_eq!(error_of(text), (-32600, Value::Null), "{text}");
        }
        for text in [
            r#"{"id":5,"method":"ping"}"#,
            r#"{"jsonrpc":"1.0","id":5,"method":"ping"}"#,
            r#"{"jsonrpc":2.0,"id":5,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":5}"#,
            r#"{"jsonrpc":"2.0","id":5,"method":1}"#,
            r#"{"jsonrpc":"2.0","id":5,"method":"x","params":"y"}"#,
            r#"{"jsonrpc":"2.0","id":5,"method":"x","result":{}}"#,
            r#"{"jsonrpc":"2.0","id":5,"result":{},"error":{}}"#,
        ] {
            assert_eq!(error_of(text), (-32600, json!(5)), "{text}");
        }
    }

    #[test]
    fn a_message_with_positional_parameters_is_a_request() {
        let positional = json!({"jsonrpc": "2.0", "id": 5, "method": "x", "params": [1]});
        let Ok(JsonRpcMessage::Request(request)) = read(positional.to_string().as_bytes()) else {
            panic!("a message with positional parameters is a request")
        };
        assert!(request.is_positional && request.params.is_empty());
        let named = json!({"jsonrpc": "2.0", "id": 5, "method": "x", "params": {"a": "\0"}});
        let Ok(JsonRpcMessage::Request(request)) = read(named.to_string().as_bytes()) else {
            panic!("a message with named parameters is a request")
        };
        assert!(!request.is_positional);
        assert_eq!(request.params["a"], "\0", "an escaped U+0000 is valid JSON (D-025)");
    }
}
