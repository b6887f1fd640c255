//! What `switchboard doctor` asks a server that runs, through everything that stands in front of it.
//!
//! Two paths, both for the holder of the operator key alone, and both reading only: `/diagnostics/request` tells what
//! of a request arrived, `/diagnostics/stream` is a short event stream, to see whether it arrives as it is sent.
//! `docs/operations.md` describes them.

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
    contract::{Fault, reply},
    domain::refusal::Code,
    platform::clock::Clock,
    room::{bearer, caller_address, is_operator},
    workspace::World,
};

/// What the answer's `Mcp-Session-Id` is: a proxy that lets this through lets a session's through.
pub const SESSION: &str = "diagnostic";
/// Seconds between the two events of the stream, unless the query says otherwise.
const STREAM_SECONDS: u64 = 2;
/// The most they may be apart.
const MOST_STREAM_SECONDS: u64 = 30;
/// Headers whose values are told back: what proxies write, and what clients of assistants need. Never a credential.
const TOLD: [&str; 15] = [
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

/// What arrived of a request.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Seen {
    /// Always true.
    pub ok: bool,
    /// Of the server.
    pub version: String,
    /// The address that the connection came from.
    pub peer: IpAddr,
    /// Whether that is one of the trusted proxies.
    pub peer_is_trusted: bool,
    /// The address that rate limits count for.
    pub caller: IpAddr,
    /// By lower-case name, with the values of every line; of other headers nothing is told.
    pub headers: BTreeMap<String, Vec<String>>,
    /// The bot API's address, as configured.
    pub base_url: String,
    /// The assistant connection server's address, as configured.
    pub mcp_url: String,
    /// The server's time, RFC 3339, with what a test installation moved it by.
    pub now: String,
    /// Seconds a test installation moved the clock by.
    pub clock_moved_seconds: u64,
}

/// The two paths over one world. Cheap to clone.
#[derive(Clone)]
pub(super) struct Diagnostics {
    world: Arc<World>,
    trusted: Arc<[IpNet]>,
}

impl Diagnostics {
    pub(super) fn new(world: Arc<World>, trusted: Vec<IpNet>) -> Self {
        Self { world, trusted: trusted.into() }
    }

    /// `GET /diagnostics/request`.
    pub(super) fn request(self) -> impl Endpoint<Output = Response> {
        make(move |request: Request| {
            let answer = self.seen(&request);
            async move { answer }
        })
    }

    /// `GET /diagnostics/stream?seconds=2`: an event at once, another after so many seconds, and the end.
    pub(super) fn stream(self) -> impl Endpoint<Output = Response> {
        make(move |request: Request| {
            let answer = self.admit(&request).map(|()| {
                let query = request.uri().query().unwrap_or_default();
                events(self.world.clock.clone(), Duration::from_secs(seconds(query)))
            });
            async move { answer }
        })
    }

    fn admit(&self, request: &Request) -> poem::Result<()> {
        let key = bearer(request.headers()).map_err(Fault::from)?;
        if is_operator(key, self.world.settings.operator_key_sha256.as_ref()) {
            Ok(())
        } else {
            Err(Fault::from(Code::InvalidAuth).into())
        }
    }

    fn seen(&self, request: &Request) -> poem::Result<Response> {
        self.admit(request)?;
        let caller = caller_address(request);
        let peer = request.remote_addr().as_socket_addr().map_or(caller, SocketAddr::ip);
        let peer = peer.to_canonical();
        let (settings, clock) = (&self.world.settings, &self.world.clock);
        let seen = Seen {
            ok: true,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            peer,
            peer_is_trusted: self.trusted.iter().any(|network| network.contains(&peer)),
            caller: caller.to_canonical(),
            headers: told(request.headers()),
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

fn told(headers: &HeaderMap) -> BTreeMap<String, Vec<String>> {
    let lines = |name: &str| -> Vec<String> {
        let values = headers.get_all(name).iter();
        values.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned()).collect()
    };
    let found = TOLD.into_iter().map(|name| (name.to_owned(), lines(name)));
    found.filter(|(_, lines)| !lines.is_empty()).collect()
}

fn seconds(query: &str) -> u64 {
    let asked = query.split('&').find_map(|pair| pair.strip_prefix("seconds="));
    asked.and_then(|text| text.parse().ok()).unwrap_or(STREAM_SECONDS).clamp(1, MOST_STREAM_SECONDS)
}

/// Headers and shape are those of the stream that assistants hold open.
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
    fn seconds_are_bounded() {
        for (query, expected) in
            [("", 2), ("seconds=5", 5), ("a=1&seconds=0", 1), ("seconds=99", 30), ("seconds=x", 2)]
        {
            assert_eq!(seconds(query), expected, "{query}");
        }
    }

    #[test]
    fn no_credential_is_told() {
        let mut headers = HeaderMap::new();
        for name in ["authorization", "cookie", "x-forwarded-for", "proxy-authorization"] {
            headers.append(HeaderName::from_static(name), HeaderValue::from_static("v"));
        }
        assert_eq!(told(&headers).into_keys().collect::<Vec<_>>(), ["x-forwarded-for"]);
    }
}
