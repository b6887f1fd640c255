//! Calls tools through MCP.

use reqwest::Method;
use serde_json::{Value, json};

use super::http::{Http, Reply, new_request};

/// The protocol version without sessions.
const VERSION: &str = "2026-07-28";

/// Calls a tool.
pub async fn call(http: &Http, access: &str, tool: &'static str, arguments: &Value) -> Reply {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": VERSION,
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({"name": tool, "arguments": arguments, "_meta": meta});
    let message = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params});
    let request = new_request(tool, Method::POST, "/mcp").json(&message);
    let request = request.header("accept", "application/json, text/event-stream");
    let request = request.header("mcp-protocol-version", VERSION).header("mcp-method", "tools/call");
    http.send(request.header("mcp-name", tool).token(access)).await
}
