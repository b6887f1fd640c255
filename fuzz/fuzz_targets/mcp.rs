//! Fuzzes the parser of JSON-RPC messages, the choice of the protocol version by headers and body, and the validation
//! of tool arguments.
//!
//! An input consists of header lines, an empty line, and the body.

#![no_main]

use std::{collections::HashMap, sync::LazyLock};

use libfuzzer_sys::fuzz_target;
use regex::Regex;
use serde_json::{Map, Value};
use switchboard::{
    assistant::mcp::{
        jsonrpc::{self, JsonRpcMessage, JsonRpcRequest},
        mode::{self, ProtocolMode},
        tools::{self, Tool},
    },
    contract::strict_json,
};
use switchboard_fuzz::head;

fuzz_target!(|input: &[u8]| {
    let (headers, body) = head(input);
    let message = match jsonrpc::read(body) {
        Ok(message) => message,
        Err(bad) => {
            assert!(bad.id.is_string() || bad.id.is_number() || bad.id.is_null(), "{}", bad.id);
            assert!([-32700, -32600].contains(&bad.error.code.0), "{:?}", bad.error);
            assert_eq!(
                bad.error.code.0 == -32700,
                strict_json::read(body).is_err(),
                "the error is a parse error (-32700) if and only if the body is invalid JSON"
            );
            return;
        }
    };
    let sent = strict_json::read(body).expect("a message is JSON");
    if let JsonRpcMessage::Request(request) = &message {
        assert_eq!(request.id, sent["id"], "a parsed request has the id of the message");
        assert!(!request.is_positional || request.params.is_empty());
    }
    assert_eq!(matches!(message, JsonRpcMessage::Response), sent.get("method").is_none());
    match mode::mode_of(&headers, &message) {
        Ok(mode) => check_mode(mode, &message, &sent),
        Err(error) => {
            assert!([-32020, -32022, -32602].contains(&error.code.0), "{error:?}");
            assert!(error.message.len() < 400, "{}", error.message);
        }
    }
    if let JsonRpcMessage::Request(JsonRpcRequest { method, params, .. }) = &message
        && method == "tools/call"
    {
        check_call(params);
    }
});

fn check_mode(mode: ProtocolMode, message: &JsonRpcMessage, sent: &Value) {
    // a JSON-RPC response has no protocol version in its body
    if message.call().is_none() {
        return;
    }
    let method = sent.get("method").and_then(Value::as_str);
    let claimed = sent["params"]["_meta"].get("io.modelcontextprotocol/protocolVersion");
    match mode {
        ProtocolMode::Modern => assert!(claimed.is_none_or(|version| version == "2026-07-28"), "{sent}"),
        ProtocolMode::Handshake => assert_eq!(method, Some("initialize")),
        ProtocolMode::Session => assert!(claimed != Some(&Value::from("2026-07-28")), "{sent}"),
    }
    if mode == ProtocolMode::Modern && matches!(message, JsonRpcMessage::Request(_)) {
        assert!(claimed.is_some(), "a request of 2026-07-28 names its version in the body: {sent}");
    }
}

fn check_call(params: &Map<String, Value>) {
    let Some(tool) = params.get("name").and_then(Value::as_str).and_then(tools::find) else { return };
    let Some(arguments) = params.get("arguments").and_then(Value::as_object) else { return };
    let fits = fits_schema(tool, arguments);
    match tool.check(arguments) {
        Ok(()) => {
            assert!(
                fits,
                "{}: only arguments that match the schema are accepted: {arguments:?}",
                tool.name()
            );
        }
        Err(why) => {
            assert!(why.len() < 1_000, "{why}");
            // the published JSON Schema does not express these rules
            let is_beyond = arguments.values().any(strict_json::has_nul)
                || arguments.contains_key("conversation") && arguments.contains_key("person")
                || why.contains("RFC 3339");
            assert!(
                !fits || is_beyond,
                "{}: arguments that match the schema are accepted, but the error is: {why}",
                tool.name()
            );
        }
    }
}

/// The keywords of JSON Schema that the schemas of arguments use. [`fits`] ignores `description` and `default`, which
/// restrict nothing, and `format`. It implements all other keywords.
const KEYWORDS: [&str; 12] = [
    "default",
    "description",
    "enum",
    "format",
    "items",
    "maxLength",
    "maximum",
    "minItems",
    "minLength",
    "minimum",
    "pattern",
    "type",
];

/// Returns whether arguments match a tool's schema.
fn fits_schema(tool: &Tool, arguments: &Map<String, Value>) -> bool {
    let properties = tool.input["properties"].as_object().expect("a schema of an object");
    let required = tool.input.get("required").and_then(Value::as_array).into_iter().flatten();
    let has_all = required.filter_map(Value::as_str).all(|name| arguments.contains_key(name));
    has_all
        && arguments
            .iter()
            .all(|(name, value)| properties.get(name).is_some_and(|schema| fits(schema, value)))
}

fn fits(schema: &Value, value: &Value) -> bool {
    for keyword in schema.as_object().expect("a schema is an object").keys() {
        assert!(KEYWORDS.contains(&keyword.as_str()), "this target does not implement the keyword {keyword}");
    }
    let number = |name: &str| schema.get(name).and_then(Value::as_f64);
    let is_listed = |value: &Value| match schema.get("enum") {
        Some(listed) => listed.as_array().is_some_and(|all| all.contains(value)),
        None => true,
    };
    match schema["type"].as_str().expect("every argument has a type") {
        "boolean" => value.is_boolean(),
        "integer" => value.as_f64().is_some_and(|n| {
            n.fract() == 0.0
                && number("minimum").is_none_or(|m| n >= m)
                && number("maximum").is_none_or(|m| n <= m)
        }),
        "array" => value.as_array().is_some_and(|items| {
            items.len() as f64 >= number("minItems").unwrap_or(0.0)
                && items.iter().all(|item| fits(&schema["items"], item))
        }),
        "string" => value.as_str().is_some_and(|text| {
            let length = text.chars().count() as f64;
            is_listed(value)
                && number("minLength").is_none_or(|least| length >= least)
                && number("maxLength").is_none_or(|most| length <= most)
                && schema
                    .get("pattern")
                    .and_then(Value::as_str)
                    .is_none_or(|pattern| matches_pattern(pattern, text))
        }),
        other => panic!("this target does not implement the type {other}"),
    }
}

fn matches_pattern(pattern: &str, text: &str) -> bool {
    static PATTERNS: LazyLock<HashMap<String, Regex>> = LazyLock::new(|| {
        let properties = tools::catalog().iter().filter_map(|tool| tool.input["properties"].as_object());
        let patterns = properties.flat_map(Map::values).filter_map(|schema| schema.get("pattern")?.as_str());
        patterns.map(|pattern| (pattern.to_owned(), Regex::new(pattern).expect("a pattern"))).collect()
    });
    PATTERNS[pattern].is_match(text)
}
