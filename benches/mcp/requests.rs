//! MCP requests as bytes. All measured servers get tool calls of the same form. Only Switchboard gets the other
//! requests.

use std::io::Write as _;
use std::net::SocketAddr;

use serde_json::{Value, json};

/// The MCP version without sessions.
const MODERN: &str = "2026-07-28";
/// The latest MCP version with sessions.
const LEGACY: &str = "2025-11-25";

/// Returns a tool call in the MCP version without sessions.
pub fn tool_call(address: SocketAddr, token: &str, tool: &str, arguments: &Value) -> Vec<u8> {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({"name": tool, "arguments": arguments, "_meta": meta});
    let message = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params});
    let headers = format!("mcp-protocol-version: {MODERN}\r\nmcp-method: tools/call\r\nmcp-name: {tool}\r\n");
    let mut request = Vec::new();
    post(&mut request, address, token, &headers, &message);
    request
}

/// Appends the `initialize` request that begins a session.
pub fn initialize(out: &mut Vec<u8>, address: SocketAddr, token: &str) {
    let params = json!({
        "protocolVersion": LEGACY,
        "capabilities": {},
        "clientInfo": {"name": "Bench", "version": "1.0"},
    });
    let message = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params});
    post(out, address, token, "", &message);
}

/// Appends the notification that completes the initialization.
pub fn initialized(out: &mut Vec<u8>, address: SocketAddr, token: &str, session: &str) {
    let message = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    post(out, address, token, &of_session(session), &message);
}

/// Returns the request that opens the stream of a session.
pub fn stream(address: SocketAddr, token: &str, session: &str) -> Vec<u8> {
    let headers = of_session(session);
    format!(
        "GET /mcp HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {token}\r\naccept: text/event-stream\r\n\
         {headers}\r\n"
    )
    .into_bytes()
}

fn of_session(session: &str) -> String {
    format!("mcp-protocol-version: {LEGACY}\r\nmcp-session-id: {session}\r\n")
}

fn post(out: &mut Vec<u8>, address: SocketAddr, token: &str, headers: &str, message: &Value) {
    let body = message.to_string();
    // writing to memory does not fail
    let _ = write!(
        out,
        "POST /mcp HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {token}\r\n\
         accept: application/json, text/event-stream\r\ncontent-type: application/json\r\n{headers}\
         content-length: {}\r\n\r\n{body}",
        body.len()
    );
}
