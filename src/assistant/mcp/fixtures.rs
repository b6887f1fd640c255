//! Tools that the MCP conformance suite calls, compiled only with the feature `conformance`. `.ci/run conformance`
//! builds a binary with these tools. The command also checks that an ordinary binary does not have the tools
//! (`tests/conformance/run.js`).
//!
//! [`super::endpoint`] lists these tools, and [`super::server`] looks for a tool here before it looks in the catalog.
//! The tools have no effect and read no data. Each tool returns the fixed result that a scenario of the suite expects.
//! There are no tools for features that the endpoints do not offer; `tests/conformance/baseline.yaml` lists the missing
//! features.

use std::sync::Arc;

use rmcp::model::{CallToolResult, ContentBlock, ResourceContents, Tool};
use serde_json::{Value, json};

/// One red pixel.
const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4z8AAAAMBAQD3A0FDAAAAAElFTkSuQmCC";
/// One sample of silence.
const WAV: &str = "UklGRiUAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQEAAACA";

/// The tool whose input schema `tools/list` must return unchanged (SEP-1613, SEP-2106).
const SCHEMA: &str = "json_schema_2020_12_tool";

const NAMES: [&str; 9] = [
    "test_simple_text",
    "test_image_content",
    "test_audio_content",
    "test_embedded_resource",
    "test_multiple_content_types",
    "test_error_handling",
    // Despite their names, the next two tools send the client no log message and no elicitation request. Their
    // scenarios check that the client gets neither: no log messages for a call without a log level, and no JSON-RPC
    // requests in the response to a call (SEP-2575).
    "test_logging_tool",
    "test_streaming_elicitation",
    SCHEMA,
];

/// Returns the tools in the form of `tools/list`.
pub(super) fn listed() -> impl Iterator<Item = Tool> {
    NAMES.into_iter().map(|name| {
        let input = if name == SCHEMA { rich_schema() } else { json!({"type": "object"}) };
        let input = input.as_object().cloned().unwrap_or_default();
        Tool::new(name, "For the conformance suite.", Arc::new(input))
    })
}

/// Returns the result of a tool; `None` if no tool of this module has the name.
pub(super) fn call(name: &str) -> Option<CallToolResult> {
    if !NAMES.contains(&name) {
        return None;
    }
    let text = ContentBlock::text;
    let image = || ContentBlock::image(PNG, "image/png");
    Some(CallToolResult::success(match name {
        "test_image_content" => vec![image()],
        "test_audio_content" => vec![ContentBlock::audio(WAV, "audio/wav")],
        "test_embedded_resource" => {
            let resource = "This is an embedded resource content.";
            vec![ContentBlock::resource(ResourceContents::text(resource, "test://embedded-resource"))]
        }
        "test_multiple_content_types" => {
            let resource = json!({"test": "data", "value": 123}).to_string();
            let resource = ResourceContents::text(resource, "test://mixed-content-resource");
            let resource = ContentBlock::resource(resource.with_mime_type("application/json"));
            vec![text("Multiple content types test:"), image(), resource]
        }
        "test_error_handling" => {
            let failure = text("This tool intentionally returns an error for testing");
            return Some(CallToolResult::error(vec![failure]));
        }
        _ => vec![text("This is a simple text response for testing.")],
    }))
}

fn rich_schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
            },
        },
        "properties": {
            "name": {"type": "string"},
            "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
            "phone": {"type": "string"},
            "email": {"type": "string"},
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": false,
    })
}
