//! An MCP client that speaks one of the three protocol versions.

use reqwest::Method;
use serde_json::{Value, json};

use super::http::{Http, Reply, RequestBuilder, new_request};

/// The protocol versions: first the version without sessions, then the versions with sessions.
pub const VERSIONS: [&str; 3] = ["2026-07-28", "2025-11-25", "2025-06-18"];
const MODERN: &str = VERSIONS[0];

/// A client, with a session if its protocol version has sessions.
pub struct Mcp {
    pub version: &'static str,
    pub session: Option<String>,
}

impl Mcp {
    /// Begins a session if the version has sessions. Returns `None` if `initialize` returned no session.
    pub async fn begin(http: &Http, access: &str, version: &'static str) -> Option<Self> {
        let mut mcp = Self { version, session: None };
        if version == MODERN {
            return Some(mcp);
        }
        let params = json!({
            "protocolVersion": version,
            "capabilities": {},
            "clientInfo": {"name": "Soak", "version": "1.0"},
        });
        let message = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params});
        let request = new_request("mcp: initialize", Method::POST, "/mcp").json(&message);
        let reply = http.send(request.header("accept", ACCEPT).token(access)).await;
        mcp.session = Some(reply.header("mcp-session-id")?.to_owned());
        let note = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        http.send(
            mcp.headers(new_request("mcp: initialized", Method::POST, "/mcp").json(&note)).token(access),
        )
        .await;
        Some(mcp)
    }

    /// Calls a tool.
    pub async fn call(&self, http: &Http, access: &str, tool: &'static str, arguments: &Value) -> Reply {
        let params = json!({"name": tool, "arguments": arguments});
        self.request(http, access, tool, "tools/call", params).await
    }

    /// Sends a JSON-RPC request of any method.
    pub async fn request(
        &self,
        http: &Http,
        access: &str,
        operation: &'static str,
        method: &'static str,
        mut params: Value,
    ) -> Reply {
        let tool = params["name"].as_str().map(str::to_owned);
        let mut request = new_request(operation, Method::POST, "/mcp");
        if self.version == MODERN {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": MODERN,
                "io.modelcontextprotocol/clientCapabilities": {},
            });
            request = request.header("mcp-method", method);
            if let Some(tool) = tool {
                request = request.header("mcp-name", tool);
            }
        }
        let message = json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params});
        http.send(self.headers(request.json(&message)).token(access)).await
    }

    /// Ends the session, if there is one.
    pub async fn end(self, http: &Http, access: &str) {
        if self.session.is_some() {
            http.send(self.headers(new_request("mcp: end", Method::DELETE, "/mcp")).token(access)).await;
        }
    }

    /// Returns the HTTP request that opens the stream of the session. Returns `None` if there is no session.
    pub fn stream(&self, access: &str) -> Option<String> {
        let session = self.session.as_ref()?;
        Some(format!(
            "GET /mcp HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {access}\r\naccept: text/event-stream\r\n\
             mcp-protocol-version: {}\r\nmcp-session-id: {session}\r\n\r\n",
            self.version
        ))
    }

    fn headers<'a>(&self, request: RequestBuilder<'a>) -> RequestBuilder<'a> {
        let request = request.header("accept", ACCEPT).header("mcp-protocol-version", self.version);
        match &self.session {
            Some(session) => request.header("mcp-session-id", session),
            None => request,
        }
    }
}

const ACCEPT: &str = "application/json, text/event-stream";
