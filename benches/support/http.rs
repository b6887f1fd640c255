//! Sends requests and returns their outcome: a response, or no response. Only [`Http::admin_until_definite`] retries.

use std::{
    net::SocketAddr,
    sync::Arc,
    time::{Duration, Instant},
};

use reqwest::{Method, redirect};
use serde_json::Value;

use super::stats::{End, Stats};

/// The default timeout of a request. It is longer than a node waits for a response on a database connection that died
/// silently.
const PATIENCE: Duration = Duration::from_secs(15);

/// A client of a server, or of the balancer in front of several nodes.
#[derive(Clone)]
pub struct Http {
    /// `http://…`, without a slash at the end.
    pub base: String,
    client: reqwest::Client,
    stats: Arc<Stats>,
    operator_key: String,
    /// The client address for `X-Forwarded-For`. The server uses this address if the server trusts this machine as a
    /// proxy.
    address: Option<String>,
}

/// A request under construction.
pub struct RequestBuilder<'a> {
    operation: &'static str,
    method: Method,
    path: String,
    token: Option<&'a str>,
    headers: Vec<(&'static str, String)>,
    body: Option<Vec<u8>>,
    base: Option<String>,
    timeout: Duration,
}

/// The outcome of a request: a response, or no response.
#[derive(Clone, Debug)]
pub struct Reply {
    pub begun: Instant,
    pub ended: Instant,
    /// The status, or 0 if there was no response.
    pub status: u16,
    /// The body if it is JSON; otherwise null.
    pub body: Value,
    /// The body if it is not JSON, such as a page's HTML; empty if it is JSON.
    pub text: String,
    pub headers: reqwest::header::HeaderMap,
}

pub fn new_request(
    operation: &'static str,
    method: Method,
    path: impl Into<String>,
) -> RequestBuilder<'static> {
    RequestBuilder {
        operation,
        method,
        path: path.into(),
        token: None,
        headers: Vec::new(),
        body: None,
        base: None,
        timeout: PATIENCE,
    }
}

impl<'a> RequestBuilder<'a> {
    pub fn token(self, token: &str) -> RequestBuilder<'_> {
        RequestBuilder {
            token: Some(token),
            headers: self.headers,
            body: self.body,
            base: self.base,
            timeout: self.timeout,
            path: self.path,
            method: self.method,
            operation: self.operation,
        }
    }

    pub fn header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    pub fn json(self, body: &Value) -> Self {
        self.body("application/json", body.to_string())
    }

    pub fn form(self, fields: &[(&str, &str)]) -> Self {
        self.body("application/x-www-form-urlencoded", serde_urlencoded::to_string(fields).unwrap())
    }

    pub fn body(mut self, media_type: &str, text: String) -> Self {
        self.body = Some(text.into_bytes());
        self.header("content-type", media_type)
    }

    /// Sets the time for which the client waits for the response.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Sends the request to a node directly, not through the balancer.
    pub fn at(mut self, node: SocketAddr) -> Self {
        self.base = Some(format!("http://{node}"));
        self
    }
}

impl Http {
    pub fn new(address: SocketAddr, stats: Arc<Stats>, operator_key: String) -> Self {
        // idle connections are closed soon, so that the requests of this client go to all nodes behind the balancer
        let client = reqwest::Client::builder()
            .no_proxy()
            .redirect(redirect::Policy::none())
            .pool_idle_timeout(Duration::from_secs(2))
            .build()
            .unwrap();
        Self { base: format!("http://{address}"), client, stats, operator_key, address: None }
    }

    /// Returns a copy of this value that sends `address` in `X-Forwarded-For`, as a proxy does.
    pub fn behind_proxy(&self, address: String) -> Self {
        Self { address: Some(address), ..self.clone() }
    }

    /// Returns the operator's key.
    pub fn operator_key(&self) -> &str {
        &self.operator_key
    }

    /// Sends a request of the admin API as the operator.
    pub async fn admin(&self, builder: RequestBuilder<'_>) -> Reply {
        let RequestBuilder { operation, method, path, headers, body, base, timeout, .. } = builder;
        self.send(RequestBuilder {
            operation,
            method,
            path,
            headers,
            body,
            base,
            timeout,
            token: Some(&self.operator_key),
        })
        .await
    }

    /// Repeats the request until there is a definite response. Also returns the number of earlier attempts. Each of
    /// them had an unknown outcome or was rejected by a rate limit.
    pub async fn admin_until_definite(&self, make: impl Fn() -> RequestBuilder<'static>) -> (Reply, u32) {
        for earlier_attempts in 0.. {
            let reply = self.admin(make()).await;
            if reply.is_definite() {
                return (reply, earlier_attempts);
            }
            tokio::time::sleep(Duration::from_millis(300)).await;
        }
        unreachable!("the loop ends with a definite response")
    }

    /// Returns the number of 5xx responses that no injected fault explains, by operation and code.
    pub fn unexpected(&self) -> Vec<(String, u64)> {
        self.stats.unexpected()
    }

    pub async fn send(&self, builder: RequestBuilder<'_>) -> Reply {
        let url = format!("{}{}", builder.base.as_ref().unwrap_or(&self.base), builder.path);
        let mut request = self.client.request(builder.method, url).timeout(builder.timeout);
        if let Some(token) = builder.token {
            request = request.bearer_auth(token);
        }
        if let Some(address) = &self.address {
            request = request.header("x-forwarded-for", address);
        }
        for (name, value) in builder.headers {
            request = request.header(name, value);
        }
        if let Some(body) = builder.body {
            request = request.body(body);
        }
        let begun = Instant::now();
        let reply = match receive(request, begun).await {
            Ok(reply) => reply,
            Err(error) => {
                let ended = Instant::now();
                self.stats.record(builder.operation, begun, ended, End::NoResponse(error_name(&error)));
                let (body, text, headers) = (Value::Null, String::new(), reqwest::header::HeaderMap::new());
                return Reply { begun, ended, status: 0, body, text, headers };
            }
        };
        self.stats.record(builder.operation, begun, reply.ended, reply.end());
        reply
    }
}

async fn receive(request: reqwest::RequestBuilder, begun: Instant) -> reqwest::Result<Reply> {
    let answer = request.send().await?;
    let (status, headers) = (answer.status().as_u16(), answer.headers().clone());
    let bytes = answer.bytes().await?;
    let ended = Instant::now();
    let body: Value = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
    let text = if body.is_null() { String::from_utf8_lossy(&bytes).into_owned() } else { String::new() };
    Ok(Reply { begun, ended, status, body, text, headers })
}

fn error_name(error: &reqwest::Error) -> &'static str {
    match () {
        () if error.is_timeout() => "no response in time",
        () if error.is_connect() => "no connection",
        () => "connection lost",
    }
}

impl Reply {
    fn end(&self) -> End {
        match self.status {
            ..400 => End::Ok,
            400..500 => End::Refused(self.code().to_owned()),
            // while the database fails, the status is 503; if the response is an HTML page, it has no error code
            503 if self.body.is_null() => End::Failed("server_error".to_owned()),
            503 => End::Failed(self.code().to_owned()),
            status => End::Failed(format!("{status} {}", self.code())),
        }
    }

    pub fn is_ok(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// Returns whether the response is definite. No response and a 5xx are not definite, because the outcome of the
    /// request is unknown. A 429 is not definite, because a later attempt can succeed.
    pub fn is_definite(&self) -> bool {
        self.status != 0 && self.status < 500 && self.status != 429
    }

    /// Returns the error code of the body, in either error format.
    pub fn code(&self) -> &str {
        let error = &self.body["error"];
        error["code"].as_str().or(error.as_str()).unwrap_or("no code")
    }

    /// Returns the string at this JSON pointer of the body, or an empty string.
    pub fn text_at(&self, pointer: &str) -> String {
        self.body.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned()
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// Returns the time in `Retry-After`. If the header is missing, returns one second.
    pub fn retry_after(&self) -> Duration {
        let seconds = self.header("retry-after").and_then(|value| value.parse().ok()).unwrap_or(1);
        Duration::from_secs(seconds)
    }

    /// Panics if the request did not succeed.
    #[track_caller]
    pub fn expect_success(self, what: &str) -> Self {
        assert!(self.is_ok(), "{what} succeeds: {} {} {}", self.status, self.body, self.text);
        self
    }
}
