//! An MCP client that sends single JSON-RPC messages in one of three protocol versions. It sends the headers that the
//! version requires; a test can replace, remove and add headers.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use reqwest::{Method, header::HeaderMap};
use serde_json::{Value, json};

use super::{
    Server,
    assistant::{Client, Employee, Tokens},
};

/// The protocol version without sessions.
pub const MODERN: &str = "2026-07-28";
pub const NOVEMBER: &str = "2025-11-25";
pub const JUNE: &str = "2025-06-18";
/// The protocol versions with sessions.
pub const LEGACY: [&str; 2] = [NOVEMBER, JUNE];

pub const META_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
pub const META_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

/// An assistant that has a connection of an employee.
pub struct ConnectedAssistant {
    pub employee: Employee,
    pub client: Client,
    pub tokens: Tokens,
}

impl Server {
    /// Creates an employee of a new company, and connects an assistant of the employee.
    pub async fn connected_assistant(&self) -> ConnectedAssistant {
        self.connected_assistant_with(&[]).await
    }

    /// Creates an employee of a new company, and connects an assistant, which also sends the parameters `more` to
    /// `/authorize`.
    pub async fn connected_assistant_with(&self, more: &[(&str, &str)]) -> ConnectedAssistant {
        let employee = self.employee().await;
        self.connected_assistant_of(&employee, more).await
    }

    /// Registers a client, and connects it for an employee. The client also sends the parameters `more` to
    /// `/authorize`.
    pub async fn connected_assistant_of(
        &self,
        employee: &Employee,
        more: &[(&str, &str)],
    ) -> ConnectedAssistant {
        let client = self.client().await;
        let tokens = employee.connect_with(self, &client, more).await;
        ConnectedAssistant { employee: employee.clone(), client, tokens }
    }

    /// Returns an MCP client of `/mcp` with this token and protocol version. The token need not be valid.
    pub fn mcp(&self, token: &str, version: &'static str) -> Mcp {
        Mcp {
            http: self.api().http,
            url: format!("{}/mcp", self.base),
            token: token.to_owned(),
            version,
            session: None,
        }
    }

    /// Does the same as [`Server::mcp`]. If the protocol version has sessions, also begins a session.
    pub async fn mcp_session(&self, token: &str, version: &'static str) -> Mcp {
        self.mcp(token, version).initialized().await
    }
}

impl Server {
    /// Returns MCP clients of `/mcp` and `/mcp/readonly` with this access token.
    fn endpoints(&self, access: &str) -> [Mcp; 2] {
        let full = self.mcp(access, MODERN);
        [full.clone(), full.readonly()]
    }

    /// Asserts that at least one of the two MCP endpoints accepts an access token.
    pub async fn assert_accepts(&self, access: &str) {
        let [full, readonly] = self.endpoints(access);
        let got = full.list_tools().await;
        let got = if got.status == 401 { readonly.list_tools().await } else { got };
        assert!(got.result()["tools"].is_array(), "the access token must be valid: {got:?}");
    }

    /// Asserts that an access token is invalid: each endpoint returns 401 with the challenge `invalid_token`.
    pub async fn assert_rejects(&self, access: &str) {
        for endpoint in self.endpoints(access) {
            let got = endpoint.list_tools().await;
            assert_eq!(got.status, 401, "an invalid access token gets 401: {}: {got:?}", endpoint.url);
            got.invalid_token();
        }
    }

    /// Asserts that a connection is active.
    pub async fn assert_active(&self, tokens: &Tokens) {
        self.assert_accepts(&tokens.access).await;
    }

    /// Asserts that a connection is revoked: the next MCP request and the next refresh are rejected.
    pub async fn assert_revoked(&self, client: &Client, tokens: &Tokens) {
        self.assert_rejects(&tokens.access).await;
        client.refresh(&tokens.refresh).await.refused(400, "invalid_grant");
    }
}

/// An MCP client of one MCP endpoint.
#[derive(Clone)]
pub struct Mcp {
    pub http: reqwest::Client,
    pub url: String,
    pub token: String,
    pub version: &'static str,
    pub session: Option<String>,
}

impl Mcp {
    /// Returns the same client at `/mcp/readonly`.
    pub fn readonly(mut self) -> Self {
        self.url.push_str("/readonly");
        self
    }

    /// Returns the same client with another token.
    pub fn with(&self, token: &str) -> Self {
        Self { token: token.to_owned(), ..self.clone() }
    }

    /// Returns the same client at another server.
    pub fn at(&self, server: &Server) -> Self {
        let path = &self.url[self.url.find("/mcp").expect("an MCP path")..];
        Self { url: format!("{}{path}", server.base), ..self.clone() }
    }

    /// Begins a session if the version has sessions.
    pub async fn initialized(mut self) -> Self {
        if self.version == MODERN {
            return self;
        }
        let got = self.initialize(self.version).send().await;
        assert_eq!(got.result()["protocolVersion"], self.version);
        self.session =
            Some(got.header("mcp-session-id").expect("`initialize` returns a session id (A-279)").to_owned());
        let note = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        assert_eq!(self.post(&note).send().await.status, 202);
        self
    }

    /// Returns an `initialize` request for a protocol version, without `mcp-session-id` and `mcp-protocol-version`.
    pub fn initialize(&self, version: &str) -> Call {
        let params = json!({
            "protocolVersion": version,
            "capabilities": {},
            "clientInfo": {"name": "Test Client", "version": "1.0"},
        });
        let message = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params});
        self.call(Method::POST)
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream")
            .body(message.to_string())
    }

    /// Returns a request with all headers and members that the protocol version requires.
    pub fn request(&self, method: &str, params: Value) -> Call {
        self.post(&self.message(method, params))
    }

    /// Returns the JSON-RPC message of [`Mcp::request`].
    pub fn message(&self, method: &str, mut params: Value) -> Value {
        if self.version == MODERN {
            params["_meta"] = json!({META_VERSION: MODERN, META_CAPABILITIES: {}});
        }
        json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params})
    }

    /// Returns a POST of a message with the headers that the protocol version requires.
    pub fn post(&self, message: &Value) -> Call {
        let mut call = self
            .call(Method::POST)
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream")
            .header("mcp-protocol-version", self.version);
        if let Some(session) = &self.session {
            call = call.header("mcp-session-id", session);
        }
        if self.version == MODERN {
            if let Some(method) = message["method"].as_str() {
                call = call.header("mcp-method", method);
            }
            if let Some(name) = message["params"]["name"].as_str() {
                let is_plain = name.bytes().all(|byte| (0x20..0x7f).contains(&byte));
                let encoded = || format!("=?base64?{}?=", BASE64_STANDARD.encode(name));
                call = call.header("mcp-name", if is_plain { name.to_owned() } else { encoded() });
            }
        }
        call.body(message.to_string())
    }

    /// Calls a tool.
    pub async fn tool(&self, name: &str, arguments: Value) -> Got {
        self.request("tools/call", json!({"name": name, "arguments": arguments})).send().await
    }

    /// Sends `tools/list`, which every valid access token of the endpoint permits, and returns the response.
    pub async fn list_tools(&self) -> Got {
        self.request("tools/list", json!({})).send().await
    }

    /// Returns the names of the tools that are listed.
    pub async fn tools(&self) -> Vec<String> {
        let list = self.list_tools().await.result();
        list["tools"].as_array().expect("tools").iter().map(|t| t["name"].as_str().unwrap().into()).collect()
    }

    /// Returns a GET or DELETE request of the session.
    pub fn bare(&self, method: Method) -> Call {
        let mut call = self.call(method).header("mcp-protocol-version", self.version);
        if let Some(session) = &self.session {
            call = call.header("mcp-session-id", session);
        }
        call.header("accept", "text/event-stream")
    }

    /// Opens the event stream of the session.
    pub async fn stream(&self) -> Stream {
        Stream(self.bare(Method::GET).response().await)
    }

    /// Returns a request with the token and no other header.
    pub fn call(&self, method: Method) -> Call {
        let headers = vec![("authorization".to_owned(), format!("Bearer {}", self.token).into_bytes())];
        Call { http: self.http.clone(), method, url: self.url.clone(), headers, body: None }
    }
}

/// A request under construction.
#[derive(Clone)]
pub struct Call {
    http: reqwest::Client,
    pub method: Method,
    url: String,
    headers: Vec<(String, Vec<u8>)>,
    body: Option<Vec<u8>>,
}

impl Call {
    /// Sets or replaces a header.
    pub fn header(self, name: &str, value: impl AsRef<[u8]>) -> Self {
        self.without(name).also(name, value)
    }

    /// Adds a header, even if the request already has a header of this name.
    pub fn also(mut self, name: &str, value: impl AsRef<[u8]>) -> Self {
        self.headers.push((name.to_owned(), value.as_ref().to_vec()));
        self
    }

    pub fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(known, _)| known != name);
        self
    }

    pub fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = Some(body.into());
        self
    }

    pub fn query(mut self, query: &str) -> Self {
        self.url = format!("{}?{query}", self.url);
        self
    }

    pub fn without_query(mut self) -> Self {
        self.url.truncate(self.url.find('?').unwrap_or(self.url.len()));
        self
    }

    pub fn method(mut self, method: Method) -> Self {
        self.method = method;
        self
    }

    /// Returns the path without the query.
    pub fn path(&self) -> &str {
        let (_, rest) = self.url.split_once("://").expect("a URL");
        let path = rest.find('/').map_or("", |at| &rest[at..]);
        path.split('?').next().unwrap_or_default()
    }

    pub async fn response(self) -> reqwest::Response {
        let mut request = self.http.request(self.method, &self.url);
        for (name, value) in &self.headers {
            request = request.header(name, reqwest::header::HeaderValue::from_bytes(value).unwrap());
        }
        if let Some(body) = self.body {
            request = request.body(body);
        }
        request.send().await.unwrap_or_else(|e| panic!("{}: {e}", self.url))
    }

    pub async fn send(self) -> Got {
        let name = format!("{} {}", self.method, self.url);
        let response = self.response().await;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let bytes = response.bytes().await.unwrap_or_else(|e| panic!("{name}: {e}")).to_vec();
        let got = Got { name, status, headers, bytes };
        got.check();
        got
    }
}

/// A response.
#[derive(Debug)]
pub struct Got {
    pub name: String,
    pub status: u16,
    pub headers: HeaderMap,
    pub bytes: Vec<u8>,
}

impl Got {
    /// Asserts the rules for every response of the MCP endpoints.
    fn check(&self) {
        let name = &self.name;
        assert_eq!(self.headers.get_all("x-request-id").iter().count(), 1, "{name}");
        if self.bytes.is_empty() {
            return;
        }
        assert_eq!(self.header("content-type"), Some("application/json"), "{name}");
        assert_eq!(self.header("cache-control"), Some("no-store"), "{name}");
        let body = self.json();
        assert!(
            body.get("ok").is_none() && body.get("request_id").is_none(),
            "{name}: responses of MCP have no envelope: {body}"
        );
        if self.status == 401 {
            let challenges: Vec<_> = self.headers.get_all("www-authenticate").iter().collect();
            assert_eq!(challenges.len(), 1, "{name}: a 401 has exactly one challenge (A-258)");
        }
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().expect("ASCII"))
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes)
            .unwrap_or_else(|e| panic!("{}: {e}: {}", self.name, String::from_utf8_lossy(&self.bytes)))
    }

    /// Asserts a success, and returns the JSON-RPC result.
    #[track_caller]
    pub fn result(&self) -> Value {
        let body = self.json();
        assert_eq!(self.status, 200, "{}: {body}", self.name);
        assert_eq!(body["jsonrpc"], "2.0", "{body}");
        assert!(body.get("error").is_none(), "{}: {body}", self.name);
        body["result"].clone()
    }

    /// Asserts a JSON-RPC error with this HTTP status and error code, and returns the error.
    #[track_caller]
    pub fn error(&self, status: u16, code: i64) -> Value {
        let body = self.json();
        assert_eq!((self.status, &body["error"]["code"]), (status, &json!(code)), "{}: {body}", self.name);
        assert_eq!(body["jsonrpc"], "2.0", "{body}");
        assert!(body["error"]["message"].as_str().is_some_and(|text| !text.is_empty()), "{body}");
        // MCP allows errors without an id, but not the id `null`
        assert!(body.get("id").is_none_or(|id| !id.is_null()) && body.get("result").is_none(), "{body}");
        body["error"].clone()
    }

    /// Asserts an HTTP error with this status, whose body is `{"error": …}` and not a JSON-RPC message (D-325).
    #[track_caller]
    pub fn refused(&self, status: u16, error: &str) -> &Self {
        let body = self.json();
        assert_eq!((self.status, body["error"].as_str()), (status, Some(error)), "{}: {body}", self.name);
        self
    }

    /// Asserts a 401 with the challenge for an invalid token.
    #[track_caller]
    pub fn invalid_token(&self) -> &Self {
        self.refused(401, "invalid_token");
        let challenge = self.header("www-authenticate").expect("a challenge");
        assert!(challenge.starts_with("Bearer error=\"invalid_token\", "), "{challenge}");
        self
    }

    #[track_caller]
    pub fn is(&self, status: u16) -> &Self {
        assert_eq!(self.status, status, "{}: {}", self.name, String::from_utf8_lossy(&self.bytes));
        self
    }
}

/// The longest wait for an event or for the end of a stream. After this time the test fails.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(60);

/// An open stream of a session.
pub struct Stream(pub reqwest::Response);

impl Stream {
    /// Returns the next chunk of the stream, with one event or several; `None` at the end of the stream.
    pub async fn next(&mut self) -> Option<String> {
        let chunk = tokio::time::timeout(PATIENCE, self.0.chunk())
            .await
            .expect("the stream sends an event or ends in time");
        chunk.expect("the stream can be read").map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Waits for the end of the stream, and skips its events.
    pub async fn ended(mut self) {
        while self.next().await.is_some() {}
    }
}
