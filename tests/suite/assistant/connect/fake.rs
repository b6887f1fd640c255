//! Servers that behave differently from Switchboard, for tests of `switchboard connect`. The MCP endpoint of [`Fake`]
//! accepts the tokens of a real server, and validates the client's requests. In the protocol versions with sessions,
//! the endpoint sends every result as an event stream. Its list of tools has two pages. The server that [`terse`]
//! starts announces only what the standards require.

use std::sync::{Arc, Mutex};

use bytes::Bytes;
use futures_util::FutureExt;
use http::{Method, request::Parts};
use serde_json::{Value, json};
use switchboard::config::BaseUrl;

use crate::support::{
    proxy::{OwnAnswer, Proxy, ProxyBehaviour},
    server::Options,
    *,
};

const SESSION: &str = "mcps_test";

/// A server whose public address is a proxy. The proxy answers requests to `/mcp` itself.
pub struct Fake {
    pub server: Server,
    pub url: String,
    /// The methods of the requests to `/mcp` with a valid token: the JSON-RPC method of a POST request, or `DELETE`.
    pub methods: Arc<Mutex<Vec<String>>>,
}

impl Fake {
    pub async fn start() -> Self {
        Self::with_session(SESSION).await
    }

    /// Starts a server whose response to `initialize` has this session id, or no session id if `session` is empty.
    pub async fn with_session(session: &'static str) -> Self {
        let proxy = Proxy::start(ProxyBehaviour::good()).await;
        let url = proxy.url.clone();
        let base = url.clone();
        let configure = move |config: &mut switchboard::config::Config| {
            config.base_url = BaseUrl::parse(&base).unwrap();
        };
        let options = Options { configure: Some(Arc::new(configure)), ..Options::default() };
        let server = Server::with(options).await.expect("a server on SQLite starts");
        proxy.to(&server.base);
        let methods = Arc::<Mutex<Vec<String>>>::default();
        // the tokens with which the tool `last` was called; the endpoint rejects them from then on
        let rejected = Arc::<Mutex<Vec<String>>>::default();
        let (world, seen, base) = (Arc::clone(server.running().world()), Arc::clone(&methods), url.clone());
        proxy.answering(Arc::new(move |parts: Parts, body: Bytes| {
            let (world, seen, base) = (Arc::clone(&world), Arc::clone(&seen), base.clone());
            let rejected = Arc::clone(&rejected);
            async move {
                if parts.uri.path() != "/mcp" {
                    return None;
                }
                let token =
                    header(&parts, "authorization").strip_prefix("Bearer ").unwrap_or_default().to_owned();
                let is_rejected = rejected.lock().unwrap().contains(&token);
                if is_rejected || world.connection_for_token(&token).await.unwrap().is_none() {
                    let error = if token.is_empty() { "" } else { "error=\"invalid_token\", " };
                    let metadata = format!("{base}/.well-known/oauth-protected-resource/mcp");
                    let challenge = format!(
                        "Bearer {error}resource_metadata=\"{metadata}\", scope=\"service:read service:write\""
                    );
                    let body = json!({"error": "invalid_token"}).to_string();
                    return Some((401, vec![("www-authenticate", challenge)], body));
                }
                if calls(&body, "last") {
                    rejected.lock().unwrap().push(token);
                }
                Some(answer(&parts, &body, &seen, session))
            }
            .boxed()
        }));
        Self { server, url, methods }
    }

    /// Returns the recorded methods and clears the record.
    pub fn recorded_methods(&self) -> Vec<String> {
        std::mem::take(&mut self.methods.lock().unwrap())
    }
}

/// Starts a proxy that answers every request itself, as an MCP server and its authorization server would. The proxy
/// announces only what the standards require: its challenge lacks `resource_metadata`, and its authorization responses
/// lack `iss`. `registered` is the response to a registration. If `registered` is `None`, the server supports no
/// registration. If `registered` has the client secret `s`, the client must authenticate by HTTP Basic with the client
/// id `a` and this secret.
pub async fn terse(registered: Option<Value>) -> Proxy {
    let proxy = Proxy::start(ProxyBehaviour::good()).await;
    proxy.to("http://127.0.0.1:9");
    let base = proxy.url.clone();
    let answer = move |parts: Parts| -> OwnAnswer {
        match parts.uri.path() {
            "/mcp" => (401, vec![("www-authenticate", "Bearer realm=\"mcp\"".to_owned())], String::new()),
            "/.well-known/oauth-protected-resource/mcp" => {
                let resource = json!({"resource": format!("{base}/mcp"), "authorization_servers": [base]});
                (200, Vec::new(), resource.to_string())
            }
            "/.well-known/oauth-authorization-server" => {
                let endpoint = |path: &str| format!("{base}/{path}");
                let mut server = json!({
                    "issuer": base,
                    "authorization_endpoint": endpoint("authorize"),
                    "token_endpoint": endpoint("token"),
                    "response_types_supported": ["code"],
                    "code_challenge_methods_supported": ["S256"],
                });
                if registered.is_some() {
                    server["registration_endpoint"] = json!(endpoint("register"));
                }
                (200, Vec::new(), server.to_string())
            }
            "/register" => (201, Vec::new(), registered.as_ref().expect("a response").to_string()),
            "/authorize" => {
                let query = parts.uri.query().unwrap_or_default().as_bytes();
                let find = |wanted: &str| {
                    let mut pairs = url::form_urlencoded::parse(query);
                    pairs.find(|(name, _)| name == wanted).expect("a parameter").1.into_owned()
                };
                let to = format!("{}?code=c&state={}", find("redirect_uri"), find("state"));
                (302, vec![("location", to)], String::new())
            }
            // `YTpz` is the base64 encoding of `a:s`
            "/token"
                if registered.as_ref().is_some_and(|client| client["client_secret"] == "s")
                    && header(&parts, "authorization") != "Basic YTpz" =>
            {
                (401, Vec::new(), json!({"error": "invalid_client"}).to_string())
            }
            "/token" => {
                let token = json!({"access_token": "t", "token_type": "Bearer"});
                (200, vec![("cache-control", "no-store".to_owned())], token.to_string())
            }
            _ => (404, Vec::new(), String::new()),
        }
    };
    proxy.answering(Arc::new(move |parts: Parts, _: Bytes| {
        let answer = answer(parts);
        async move { Some(answer) }.boxed()
    }));
    proxy
}

fn header<'a>(parts: &'a Parts, name: &str) -> &'a str {
    parts.headers.get(name).map_or("", |value| value.to_str().unwrap())
}

/// Returns whether the body is a call of this tool.
fn calls(body: &[u8], tool: &str) -> bool {
    let message: Value = serde_json::from_slice(body).unwrap_or_default();
    message["method"] == "tools/call" && message["params"]["name"] == tool
}

fn answer(parts: &Parts, body: &[u8], seen: &Mutex<Vec<String>>, session: &str) -> OwnAnswer {
    if parts.method == Method::DELETE {
        seen.lock().unwrap().push("DELETE".to_owned());
        return (
            if header(parts, "mcp-session-id") == session { 204 } else { 404 },
            Vec::new(),
            String::new(),
        );
    }
    let message: Value = serde_json::from_slice(body).unwrap();
    let method = message["method"].as_str().unwrap().to_owned();
    seen.lock().unwrap().push(method.clone());
    let accept = header(parts, "accept");
    if !accept.contains("application/json") || !accept.contains("text/event-stream") {
        return (406, Vec::new(), String::new());
    }
    let is_sessionless =
        message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] == "2026-07-28";
    if let Some(violation) = violation(parts, &message, &method, is_sessionless, session) {
        let error =
            json!({"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32020, "message": violation}});
        return (400, vec![("content-type", "application/json".to_owned())], error.to_string());
    }
    if message["id"].is_null() {
        return (202, Vec::new(), String::new());
    }
    let mut response = result(&message, &method);
    response["jsonrpc"] = json!("2.0");
    response["id"] = message["id"].clone();
    let mut headers = Vec::new();
    if method == "initialize" && !session.is_empty() {
        headers.push(("mcp-session-id", session.to_owned()));
    }
    // results are JSON in the protocol version without sessions, and an event stream in the other versions
    if is_sessionless {
        headers.push(("content-type", "application/json".to_owned()));
        return (200, headers, response.to_string());
    }
    headers.push(("content-type", "text/event-stream".to_owned()));
    let notification = json!({"jsonrpc": "2.0", "method": "notifications/message", "params": {}});
    (200, headers, format!(": hello\n\ndata: {notification}\n\nevent: message\ndata: {response}\n\n"))
}

/// Describes the first header that violates the protocol. Returns `None` if every header is valid. `is_sessionless` is
/// whether the request has the protocol version without sessions.
fn violation(
    parts: &Parts,
    message: &Value,
    method: &str,
    is_sessionless: bool,
    session: &str,
) -> Option<String> {
    let expect = |name: &str, value: &str| {
        (header(parts, name) != value).then(|| format!("{name} is {:?}, not {value:?}", header(parts, name)))
    };
    if is_sessionless {
        let named = message["params"]["name"].as_str().and_then(|name| expect("mcp-name", name));
        return expect("mcp-protocol-version", "2026-07-28").or(expect("mcp-method", method)).or(named);
    }
    if method == "initialize" {
        return None;
    }
    let version = header(parts, "mcp-protocol-version");
    let known = ["2025-11-25", "2025-06-18"].contains(&version);
    (!known).then(|| format!("the version is {version:?}")).or(expect("mcp-session-id", session))
}

fn result(message: &Value, method: &str) -> Value {
    let text = |text: String| json!({"result": {"content": [{"type": "text", "text": text}]}});
    match (method, message["params"]["name"].as_str()) {
        ("server/discover", _) => json!({"result": {
            "resultType": "complete",
            "supportedVersions": ["2026-07-28", "2025-11-25", "2025-06-18"],
            "capabilities": {"tools": {}},
            "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "Fake", "version": "1"}},
        }}),
        ("initialize", _) => json!({"result": {
            "protocolVersion": message["params"]["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "Fake", "version": "1"},
        }}),
        ("tools/list", _) if message["params"]["cursor"].is_null() => {
            json!({"result": {"tools": [{"name": "whoami", "description": "Who is connected"}], "nextCursor": "2"}})
        }
        ("tools/list", _) => {
            json!({"result": {"tools": [{"name": "refuse", "description": "Always fails"}]}})
        }
        ("tools/call", Some("whoami")) => text(format!("Ada, asked with {}", message["params"]["arguments"])),
        ("tools/call", Some("last")) => text("the last call with this token".to_owned()),
        ("tools/call", Some("refuse")) => {
            json!({"result": {"isError": true, "content": [{"type": "text", "text": "no"}]}})
        }
        ("tools/call", _) => json!({"error": {"code": -32602, "message": "unknown tool"}}),
        _ => json!({"error": {"code": -32601, "message": "unknown method"}}),
    }
}
