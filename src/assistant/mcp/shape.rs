//! Messages of JSON-RPC 2.0 as MCP sends them: one to a request, never a batch (A-304), parameters by name.

use rmcp::model::{ErrorCode, ErrorData};
use serde_json::{Map, Value};

use crate::contract::json;

/// A message of a client.
#[derive(Debug, PartialEq)]
pub(super) enum Message {
    Request(Request),
    Notification {
        method: String,
        params: Map<String, Value>,
    },
    /// To a request of ours; we make none.
    Response,
}

/// A message that wants an answer.
#[derive(Debug, PartialEq)]
pub(super) struct Request {
    /// A string or a number; the answer repeats it.
    pub(super) id: Value,
    pub(super) method: String,
    pub(super) params: Map<String, Value>,
}

impl Message {
    /// What an error repeats; null for messages without.
    pub(super) fn id(&self) -> &Value {
        match self {
            Self::Request(request) => &request.id,
            _ => &Value::Null,
        }
    }

    /// The method and its parameters.
    pub(super) fn call(&self) -> Option<(&str, &Map<String, Value>)> {
        match self {
            Self::Request(Request { method, params, .. }) | Self::Notification { method, params } => {
                Some((method, params))
            }
            Self::Response => None,
        }
    }
}

/// What is no message.
#[derive(Debug, PartialEq)]
pub(super) struct Malformed {
    /// As far as it could be read.
    pub(super) id: Value,
    pub(super) error: ErrorData,
}

/// Reads a body (A-304, A-305).
pub(super) fn read(body: &[u8]) -> Result<Message, Malformed> {
    let value = json::read(body).map_err(|why| {
        let error = ErrorData::new(ErrorCode::PARSE_ERROR, why, None);
        Malformed { id: Value::Null, error }
    })?;
    let Value::Object(mut members) = value else {
        let why =
            if value.is_array() { "batches are not supported" } else { "the message must be an object" };
        return Err(invalid(Value::Null, why));
    };
    // what is no id is told as none, so that nobody waits for it
    let id = members.remove("id");
    let known = id.as_ref().filter(|id| is_id(id)).cloned().unwrap_or(Value::Null);
    if members.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return Err(invalid(known, "`jsonrpc` must be \"2.0\""));
    }
    let is_answer = members.contains_key("result") || members.contains_key("error");
    let method = match members.remove("method") {
        Some(Value::String(method)) if !is_answer => method,
        Some(_) => {
            return Err(invalid(known, "`method` must be a string, beside no `result` and no `error`"));
        }
        None => return response(&members, id, known),
    };
    let params = match members.remove("params") {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(params)) => params,
        // by position: a message of JSON-RPC 2.0 (§4.2), of which no method here knows what to make
        Some(Value::Array(_)) => {
            let error = ErrorData::new(ErrorCode::INVALID_PARAMS, "`params` must be an object", None);
            return Err(Malformed { id: known, error });
        }
        Some(_) => return Err(invalid(known, "`params` must be an object")),
    };
    match id {
        None => Ok(Message::Notification { method, params }),
        Some(id) if is_id(&id) => Ok(Message::Request(Request { id, method, params })),
        Some(_) => Err(invalid(Value::Null, "`id` must be a string or a number")),
    }
}

fn is_id(id: &Value) -> bool {
    id.is_string() || id.is_number()
}

/// A result has an id; an error may have none, when our message could not be read.
fn response(members: &Map<String, Value>, id: Option<Value>, known: Value) -> Result<Message, Malformed> {
    let is_response = match (members.get("result"), members.get("error")) {
        (Some(_), None) => id.is_some_and(|id| is_id(&id)),
        (None, Some(error)) => error.is_object(),
        _ => false,
    };
    match is_response {
        true => Ok(Message::Response),
        false => Err(invalid(known, "the message is no request, notification or response")),
    }
}

fn invalid(id: Value, why: &'static str) -> Malformed {
    Malformed { id, error: ErrorData::new(ErrorCode::INVALID_REQUEST, why, None) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn code(body: &str) -> (i32, Value) {
        let malformed = read(body.as_bytes()).expect_err(body);
        (malformed.error.code.0, malformed.id)
    }

    #[test]
    fn messages_are_told_apart() {
        let read = |value: Value| read(value.to_string().as_bytes()).unwrap();
        let request = Request { id: json!(1), method: "ping".into(), params: Map::new() };
        assert_eq!(read(json!({"jsonrpc": "2.0", "id": 1, "method": "ping"})), Message::Request(request));
        for id in [json!("a"), json!(0), json!(-7), json!(1.5)] {
            let message = read(json!({"jsonrpc": "2.0", "id": id, "method": "x", "params": {"a": 1}}));
            assert_eq!(message.id(), &id);
            assert_eq!(message.call().unwrap().1["a"], 1);
        }
        let note = read(json!({"jsonrpc": "2.0", "method": "notifications/initialized", "params": null}));
        assert!(matches!(note, Message::Notification { .. }));
        for answer in [
            json!({"jsonrpc": "2.0", "id": 1, "result": {}}),
            json!({"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "x"}}),
            json!({"jsonrpc": "2.0", "id": null, "error": {"code": 1, "message": "x"}}),
            json!({"jsonrpc": "2.0", "error": {"code": 1, "message": "x"}}),
        ] {
            assert_eq!(read(answer), Message::Response);
        }
    }

    /// A-304, A-305
    #[test]
    fn what_is_no_message_is_refused() {
        for text in ["", "{", "nonsense", "{} {}", r#"{"a":1,"a":2}"#, "\u{feff}{}"] {
            assert_eq!(code(text), (-32700, Value::Null), "{text}");
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
            r#"{"jsonrpc":"2.0","result":{}}"#,
            r#"{"jsonrpc":"2.0","error":"x"}"#,
        ] {
            assert_eq!(code(text), (-32600, Value::Null), "{text}");
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
            assert_eq!(code(text), (-32600, json!(5)), "{text}");
        }
        assert_eq!(code(r#"{"jsonrpc":"2.0","id":5,"method":"x","params":[1]}"#), (-32602, json!(5)));
    }
}
