//! A minimal MCP client over HTTP for three protocol versions. In 2026-07-28 every request is self-contained. In
//! 2025-11-25 and 2025-06-18 the request `initialize` creates a session.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use clap::ValueEnum;
use http::{HeaderMap, Method, StatusCode};
use reqwest::RequestBuilder;
use serde_json::{Value, json};

use super::challenge;
use crate::cli::{
    failure::{Failure, Result},
    web::{HttpResponse, Web},
};

/// Maximum number of pages of a list.
const MAX_PAGES: usize = 100;
const MODERN: &str = "2026-07-28";
const VERSION: &str = "mcp-protocol-version";
const SESSION: &str = "mcp-session-id";

/// A version of MCP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Protocol {
    /// Without sessions: each request is self-contained
    #[value(name = "2026-07-28")]
    Modern,
    /// With a session
    #[value(name = "2025-11-25")]
    November2025,
    /// With a session
    #[value(name = "2025-06-18")]
    June2025,
}

impl Protocol {
    /// Returns the version as it is written in requests and responses.
    #[must_use]
    pub const fn wire(self) -> &'static str {
        match self {
            Self::Modern => MODERN,
            Self::November2025 => "2025-11-25",
            Self::June2025 => "2025-06-18",
        }
    }
}

/// An MCP client of one endpoint, with its token, protocol version and session.
pub struct McpClient<'a> {
    web: &'a Web,
    mcp: &'a str,
    token: &'a str,
    protocol: Protocol,
    session: Option<String>,
    /// Whether `initialize` has negotiated the version, which all later requests name.
    is_initialized: bool,
    last_id: u64,
}

/// What the server says about itself when the client connects.
#[derive(Clone, Debug)]
pub struct ServerHandshake {
    /// The versions that the server supports; with a session, only the negotiated version.
    pub versions: Vec<String>,
    /// `serverInfo`: name and version of the implementation; null if the server does not report them.
    pub server: Value,
    pub session: Option<String>,
}

impl<'a> McpClient<'a> {
    /// Connects to the endpoint: sends `server/discover`, or `initialize` and then `notifications/initialized`.
    ///
    /// # Errors
    /// A failure to reach the server; an error response; a violation of the protocol by the server.
    pub async fn begin(
        web: &'a Web,
        mcp: &'a str,
        token: &'a str,
        protocol: Protocol,
    ) -> Result<(Self, ServerHandshake)> {
        let mut client = Self { web, mcp, token, protocol, session: None, is_initialized: false, last_id: 0 };
        let handshake = match protocol {
            Protocol::Modern => client.discover().await?,
            _ => client.initialize().await?,
        };
        Ok((client, handshake))
    }

    async fn discover(&mut self) -> Result<ServerHandshake> {
        let found = self.call("server/discover", None, json!({})).await?;
        let versions = found["supportedVersions"].as_array().into_iter().flatten();
        let versions: Vec<_> = versions.filter_map(Value::as_str).map(str::to_owned).collect();
        if !versions.iter().any(|version| version == MODERN) {
            return Err(Failure::Local(format!(
                "the server does not support the version {MODERN}: server/discover returns {versions:?}"
            )));
        }
        let server = found["_meta"]["io.modelcontextprotocol/serverInfo"].clone();
        let server = if server.is_null() { found["serverInfo"].clone() } else { server };
        Ok(ServerHandshake { versions, server, session: None })
    }

    async fn initialize(&mut self) -> Result<ServerHandshake> {
        let params = json!({
            "protocolVersion": self.protocol.wire(),
            "capabilities": {},
            "clientInfo": client_info(),
        });
        let (headers, answer) = self.exchange("initialize", None, params).await?;
        let result = result_of(&answer)?;
        let version = result["protocolVersion"].as_str().unwrap_or_default().to_owned();
        if version != self.protocol.wire() {
            return Err(Failure::Local(format!(
                "the server answers initialize with the version {version:?} instead of {:?}: choose the server's \
                 version with --version, if this command supports it",
                self.protocol.wire()
            )));
        }
        self.is_initialized = true;
        self.session = headers.get(SESSION).and_then(|id| id.to_str().ok()).map(str::to_owned);
        let note = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        let got = self.web.send(self.legacy(self.web.request(Method::POST, self.mcp)).json(&note)).await?;
        if got.status != StatusCode::ACCEPTED {
            return Err(refused(got.status, &got.headers, got.json().as_ref()));
        }
        Ok(ServerHandshake {
            versions: vec![version],
            server: result["serverInfo"].clone(),
            session: self.session.clone(),
        })
    }

    /// Lists all tools.
    ///
    /// # Errors
    /// A failure to reach the server; an error response; more than 100 pages.
    pub async fn tools(&mut self) -> Result<Vec<Value>> {
        let (mut tools, mut cursor) = (Vec::new(), None::<String>);
        for _ in 0..MAX_PAGES {
            let params = cursor.map_or_else(|| json!({}), |cursor| json!({"cursor": cursor}));
            let page = self.call("tools/list", None, params).await?;
            tools.extend(page["tools"].as_array().cloned().unwrap_or_default());
            cursor = page["nextCursor"].as_str().map(str::to_owned);
            if cursor.is_none() {
                return Ok(tools);
            }
        }
        Err(Failure::Local("tools/list returns too many pages".to_owned()))
    }

    /// Calls a tool and returns its result. The result can be an error of the tool (`isError`).
    ///
    /// # Errors
    /// A failure to reach the server, or an error response.
    pub async fn call_tool(&mut self, name: &str, arguments: &Value) -> Result<Value> {
        self.call("tools/call", Some(name), json!({"name": name, "arguments": arguments})).await
    }

    /// Ends the session. Returns false if there is no session, or if the server does not allow clients to end sessions
    /// (405).
    ///
    /// # Errors
    /// A failure to reach the server, or another error response.
    pub async fn end(self) -> Result<bool> {
        if self.session.is_none() {
            return Ok(false);
        }
        let got = self.web.send(self.legacy(self.web.request(Method::DELETE, self.mcp))).await?;
        match got.status {
            status if status.is_success() => Ok(true),
            StatusCode::METHOD_NOT_ALLOWED => Ok(false),
            status => Err(refused(status, &got.headers, got.json().as_ref())),
        }
    }

    async fn call(&mut self, method: &str, name: Option<&str>, params: Value) -> Result<Value> {
        let (_, answer) = self.exchange(method, name, params).await?;
        Ok(result_of(&answer)?.clone())
    }

    async fn exchange(
        &mut self,
        method: &str,
        name: Option<&str>,
        params: Value,
    ) -> Result<(HeaderMap, Value)> {
        self.last_id += 1;
        let id = self.last_id;
        let request = self.web.request(Method::POST, self.mcp);
        let request = match self.protocol {
            Protocol::Modern => modern(request.bearer_auth(self.token), method, name, &params, id),
            _ => self.legacy(request).json(&message(method, &params, id)),
        };
        let got = self.web.send(request).await?;
        let answer = answer(&got, id);
        match answer {
            Some(answer) if got.status.is_success() || answer.get("error").is_some() => {
                Ok((got.headers, answer))
            }
            answer => Err(refused(got.status, &got.headers, answer.or_else(|| got.json()).as_ref())),
        }
    }

    fn legacy(&self, request: RequestBuilder) -> RequestBuilder {
        let mut request =
            request.bearer_auth(self.token).header("accept", "application/json, text/event-stream");
        if self.is_initialized {
            request = request.header(VERSION, self.protocol.wire());
        }
        match &self.session {
            Some(session) => request.header(SESSION, session),
            None => request,
        }
    }
}

/// Completes a request of the protocol version 2026-07-28. `_meta` contains the version, and the client's name and
/// capabilities. The headers repeat the version, the method and the name of the tool, because proxies route by headers.
pub(super) fn modern(
    request: RequestBuilder,
    method: &str,
    name: Option<&str>,
    params: &Value,
    id: u64,
) -> RequestBuilder {
    let mut params = params.clone();
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientInfo": client_info(),
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let mut request = request
        .header("accept", "application/json, text/event-stream")
        .header(VERSION, MODERN)
        .header("mcp-method", method);
    if let Some(name) = name {
        request = request.header("mcp-name", header_text(name));
    }
    request.json(&message(method, &params, id))
}

/// Encodes a header value. A text of visible ASCII characters and inner spaces stays as it is, unless the text begins
/// with `=?base64?`. Any other text is encoded as `=?base64?…?=`.
fn header_text(text: &str) -> String {
    let plain = text.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ');
    if plain && text.trim() == text && !text.starts_with("=?base64?") {
        text.to_owned()
    } else {
        format!("=?base64?{}?=", STANDARD.encode(text))
    }
}

fn message(method: &str, params: &Value, id: u64) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

fn client_info() -> Value {
    json!({"name": "switchboard-connect", "version": env!("CARGO_PKG_VERSION")})
}

/// Returns the JSON-RPC response to the request `id`. In an event stream, this is the first message with this `id`. Any
/// other body must be the response itself, and its `id` is not checked. Returns `None` if the event stream has no such
/// message, or if the body is not a JSON-RPC message.
fn answer(got: &HttpResponse, id: u64) -> Option<Value> {
    let is_stream = got.header("content-type").is_some_and(|kind| kind.starts_with("text/event-stream"));
    if !is_stream {
        return got.json().filter(|answer| answer["jsonrpc"] == "2.0");
    }
    let text = String::from_utf8_lossy(&got.body).replace("\r\n", "\n");
    let data = |event: &str| -> String {
        let lines = event.lines().filter_map(|line| line.strip_prefix("data:"));
        lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect::<Vec<_>>().join("\n")
    };
    let messages = text.split("\n\n").filter_map(|event| serde_json::from_str::<Value>(&data(event)).ok());
    messages.into_iter().find(|message| message["id"] == id)
}

fn result_of(answer: &Value) -> Result<&Value> {
    match answer.get("result") {
        Some(result) => Ok(result),
        None => Err(rpc_error(&answer["error"], "")),
    }
}

fn rpc_error(error: &Value, request_id: &str) -> Failure {
    Failure::Refused {
        code: error["code"].to_string(),
        message: error["message"].as_str().unwrap_or("the server gave no message").to_owned(),
        request_id: request_id.to_owned(),
    }
}

/// Returns the failure for an error response or an unexpected response of the endpoint.
fn refused(status: StatusCode, headers: &HeaderMap, body: Option<&Value>) -> Failure {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let request_id = text("x-request-id").to_owned();
    let challenge = challenge::bearer(headers).unwrap_or_default();
    // if the token was rejected, the challenge has `error` (RFC 6750 §3), which takes precedence over a JSON-RPC error
    // in the body
    let error = body.and_then(|body| body.get("error")).filter(|error| error.is_object());
    if let Some(error) = error.filter(|_| !challenge.contains_key("error")) {
        return rpc_error(error, &request_id);
    }
    let named = body.and_then(|body| body["error"].as_str()).map(str::to_owned);
    let code = challenge.get("error").cloned().or(named).unwrap_or_else(|| status.as_u16().to_string());
    let mut message = match status.as_u16() {
        401 => "the access token is not valid for this endpoint".to_owned(),
        403 => "the access token does not allow this request".to_owned(),
        404 => "there is no such endpoint, or the session has ended".to_owned(),
        429 => "too many requests".to_owned(),
        other => format!("the endpoint answers {other}"),
    };
    if let Some(scope) = challenge.get("scope").filter(|_| status == 403) {
        message = format!("{message}, which requires the scopes {scope}");
    }
    if !text("retry-after").is_empty() {
        message = format!("{message}; try again in {} s", text("retry-after"));
    }
    Failure::Refused { code, message, request_id }
}

/// Returns the texts of a tool's result, for display. Other content is replaced by its type in parentheses. A result
/// without content is returned as JSON.
#[must_use]
pub fn text_of(answer: &Value) -> String {
    let parts = answer["content"].as_array().into_iter().flatten();
    let texts: Vec<_> = parts
        .map(|part| match part["text"].as_str() {
            Some(text) => text.to_owned(),
            None => format!("({})", part["type"].as_str().unwrap_or("unknown content")),
        })
        .collect();
    if texts.is_empty() { format!("{answer:#}") } else { texts.join("\n") }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn response(kind: &'static str, body: &str) -> HttpResponse {
        let mut headers = HeaderMap::new();
        headers.insert("content-type", HeaderValue::from_static(kind));
        HttpResponse { status: StatusCode::OK, headers, body: body.to_owned().into() }
    }

    #[test]
    fn responses_are_read_from_json_and_event_streams() {
        let json = r#"{"jsonrpc":"2.0","id":2,"result":{"a":1}}"#;
        assert_eq!(answer(&response("application/json", json), 2).unwrap()["result"]["a"], 1);
        let stream = format!(
            ": hello\r\n\r\ndata: {{\"jsonrpc\":\"2.0\",\"method\":\"n\"}}\r\n\r\nevent: message\r\ndata:{json}\r\n\r\n"
        );
        assert_eq!(answer(&response("text/event-stream", &stream), 2).unwrap()["result"]["a"], 1);
        assert_eq!(answer(&response("text/event-stream", &stream), 3), None);
        assert_eq!(answer(&response("application/json", r#"{"error":"x"}"#), 2), None);
    }

    #[test]
    fn error_responses_are_described() {
        let mut headers = HeaderMap::new();
        let challenge = r#"Bearer error="insufficient_scope", scope="service:read service:write""#;
        headers.insert("www-authenticate", HeaderValue::from_static(challenge));
        let failure = refused(StatusCode::FORBIDDEN, &headers, Some(&json!({"error": "insufficient_scope"})));
        assert!(failure.is_refused_with("insufficient_scope"));
        assert!(failure.to_string().contains("service:read service:write"), "{failure}");
        let body = json!({"jsonrpc": "2.0", "id": 1, "error": {"code": -32602, "message": "no"}});
        assert!(refused(StatusCode::FORBIDDEN, &headers, Some(&body)).is_refused_with("insufficient_scope"));
        let failure = refused(StatusCode::BAD_REQUEST, &HeaderMap::new(), Some(&body));
        assert_eq!(failure.to_string(), "-32602: no");
        assert!(refused(StatusCode::BAD_GATEWAY, &HeaderMap::new(), None).to_string().contains("502"));
    }

    #[test]
    fn names_that_are_not_plain_ascii_are_encoded_for_headers() {
        assert_eq!(header_text("send_draft"), "send_draft");
        assert_eq!(header_text("größe"), "=?base64?Z3LDtsOfZQ==?=");
        assert!(header_text(" x").starts_with("=?base64?"));
    }
}
