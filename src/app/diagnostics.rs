//! Two endpoints for `switchboard doctor`. The command calls them at the server's public URLs, so its requests pass
//! through all proxies in front of the server.
//!
//! Both are read-only and require the operator key. `/diagnostics/request` returns the addresses and selected headers
//! with which the request arrived at the server. `/diagnostics/stream` returns a short event stream. From the times of
//! its events the caller sees whether a proxy buffers responses. See `docs/operations.md`.

use std::{
    collections::BTreeMap,
    io,
    net::{IpAddr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use bytes::Bytes;
use futures_util::stream;
use ipnet::IpNet;
use poem::{
    Body, Endpoint, Request, Response,
    endpoint::make,
    http::{HeaderMap, HeaderName, HeaderValue, header},
};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    api::{bearer, caller_address},
    contract::{ApiError, reply},
    domain::refusal::Code,
    platform::clock::Clock,
    service::World,
};

/// Value of `Mcp-Session-Id` in the response. If a proxy forwards it, the proxy also forwards the ids of MCP sessions.
pub const SESSION: &str = "diagnostic";
/// Default number of seconds between the two events of the stream.
const STREAM_SECONDS: u64 = 2;
/// Maximum number of seconds between the two events.
const MAX_STREAM_SECONDS: u64 = 30;
/// Request headers whose values are returned: headers that proxies set, and headers that bots and assistants need. None
/// of them contains credentials.
const RETURNED_HEADERS: [&str; 15] = [
    "host",
    "forwarded",
    "via",
    "x-forwarded-for",
    "x-forwarded-host",
    "x-forwarded-port",
    "x-forwarded-proto",
    "x-real-ip",
    "accept",
    "origin",
    "idempotency-key",
    "mcp-method",
    "mcp-name",
    "mcp-protocol-version",
    "mcp-session-id",
];

/// The addresses and selected headers with which a request arrived, and the server's version, URLs and time.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct ReceivedRequest {
    /// Always true.
    pub ok: bool,
    /// Version of the server.
    pub version: String,
    /// Address of the peer that opened the connection.
    pub peer: IpAddr,
    /// Whether the peer is a trusted proxy.
    pub peer_is_trusted: bool,
    /// The caller's address by which rate limits count requests.
    pub caller: IpAddr,
    /// The values of all lines of the headers in `RETURNED_HEADERS`, by lower-case name. A header that did not arrive
    /// is absent.
    pub headers: BTreeMap<String, Vec<String>>,
    /// Base URL of the server.
    pub base_url: String,
    /// URL of the assistant server. It is the base URL if the configuration has no separate URL.
    pub mcp_url: String,
    /// Server time in RFC 3339. If the test clock was moved, this is the moved time.
    pub now: String,
    /// Number of seconds by which the test clock was moved forward.
    pub clock_moved_seconds: u64,
}

/// The two endpoints. Clones are cheap.
#[derive(Clone)]
pub(super) struct Diagnostics {
    world: Arc<World>,
    trusted: Arc<[IpNet]>,
}

impl Diagnostics {
    pub(super) fn new(world: Arc<World>, trusted: Vec<IpNet>) -> Self {
        Self { world, trusted: trusted.into() }
    }

    /// Returns the endpoint `GET /diagnostics/request`.
    pub(super) fn request(self) -> impl Endpoint<Output = Response> {
        make(move |request: Request| {
            let answer = self.seen(&request);
            async move { answer }
        })
    }

    /// Returns the endpoint `GET /diagnostics/stream?seconds=2`: the stream sends one event, sends a second event after
    /// the given time, and ends.
    pub(super) fn stream(self) -> impl Endpoint<Output = Response> {
        make(move |request: Request| {
            let answer = self.admit(&request).map(|()| {
                let query = request.uri().query().unwrap_or_default();
                events(self.world.clock.clone(), Duration::from_secs(seconds(query)))
            });
            async move { answer }
        })
    }

    /// Checks that the request has the operator key.
    ///
    /// # Errors
    /// Those of [`bearer`]; `invalid_auth` if the token is not the operator key.
    fn admit(&self, request: &Request) -> poem::Result<()> {
        let key = bearer(request.headers()).map_err(ApiError::from)?;
        match self.world.operator_by_key(key) {
            Some(_) => Ok(()),
            None => Err(ApiError::from(Code::InvalidAuth).into()),
        }
    }

    fn seen(&self, request: &Request) -> poem::Result<Response> {
        self.admit(request)?;
        let caller = caller_address(request);
        let peer = request.remote_addr().as_socket_addr().map_or(caller, SocketAddr::ip);
        let peer = peer.to_canonical();
        let (settings, clock) = (&self.world.settings, &self.world.clock);
        let seen = ReceivedRequest {
            ok: true,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            peer,
            peer_is_trusted: self.trusted.iter().any(|network| network.contains(&peer)),
            caller: caller.to_canonical(),
            headers: returned_headers(request.headers()),
            base_url: settings.base_url.clone(),
            mcp_url: settings.mcp_url.clone(),
            now: clock.now().to_rfc3339(),
            clock_moved_seconds: clock.offset().as_secs(),
        };
        let mut response = reply::json(200, &seen);
        let session = (HeaderName::from_static("mcp-session-id"), HeaderValue::from_static(SESSION));
        response.headers_mut().insert(session.0, session.1);
        Ok(response)
    }
}

fn returned_headers(headers: &HeaderMap) -> BTreeMap<String, Vec<String>> {
    let lines = |name: &str| -> Vec<String> {
        let values = headers.get_all(name).iter();
        values.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned()).collect()
    };
    let found = RETURNED_HEADERS.into_iter().map(|name| (name.to_owned(), lines(name)));
    found.filter(|(_, lines)| !lines.is_empty()).collect()
}

/// Returns the parameter `seconds` of a query, clamped to the allowed range. Returns the default if it is missing or
/// invalid.
fn seconds(query: &str) -> u64 {
    let asked = query.split('&').find_map(|pair| pair.strip_prefix("seconds="));
    asked.and_then(|text| text.parse().ok()).unwrap_or(STREAM_SECONDS).clamp(1, MAX_STREAM_SECONDS)
}

/// Returns a response with two events, which are `apart` from each other. The response has the headers and the format
/// of the MCP event stream.
fn events(clock: Clock, apart: Duration) -> Response {
    let parts = stream::unfold(0, move |sent| {
        let clock = clock.clone();
        async move {
            if sent == 1 {
                clock.pause(apart).await;
            }
            (sent < 2).then(|| (Ok::<_, io::Error>(event(sent + 1)), sent + 1))
        }
    });
    let mut response = Response::from(Body::from_bytes_stream(parts));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}

fn event(number: u8) -> Bytes {
    Bytes::from(format!("event: diagnostic\ndata: {}\n\n", json!({"number": number, "of": 2})))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_clamped() {
        for (query, expected) in
            [("", 2), ("seconds=5", 5), ("a=1&seconds=0", 1), ("seconds=99", 30), ("seconds=x", 2)]
        {
            assert_eq!(seconds(query), expected, "{query}");
        }
    }

    #[test]
    fn credentials_are_not_returned() {
        let mut headers = HeaderMap::new();
        for name in ["authorization", "cookie", "x-forwarded-for", "proxy-authorization"] {
            headers.append(HeaderName::from_static(name), HeaderValue::from_static("v"));
        }
        assert_eq!(returned_headers(&headers).into_keys().collect::<Vec<_>>(), ["x-forwarded-for"]);
    }
}
