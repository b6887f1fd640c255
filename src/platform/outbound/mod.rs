//! Requests to untrusted servers: callbacks of apps, and metadata documents of clients.
//!
//! A URL chosen by someone else must not make this server send requests to hosts that only this server can reach
//! (server-side request forgery; D-188, D-220). So requests use HTTPS and public addresses only. This module resolves a
//! name, checks every resolved address, and connects to one of the checked addresses ([`resolver`]). Hosts that the
//! operator has exempted are not checked and do not require HTTPS. Requests follow no redirects, use no proxy, and
//! require TLS 1.2 or later for HTTPS.
//!
//! The timeouts of [`ResponseLimits`] use the [`Clock`], so a waiting request ends when a test advances the clock. The
//! timeouts of connections and of name resolution run in real time.

mod failure;
mod guarded_body;
mod resolver;

use std::error::Error as _;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::{HeaderMap, Method, StatusCode};
use reqwest::{Body, Certificate, Client, ClientBuilder, Response, Url, redirect::Policy};
use thiserror::Error;

pub use self::failure::OutboundFailure;
use self::guarded_body::GuardedBody;
use self::resolver::{Names, Rule, Unresolved};
use crate::domain::address::is_public_host;
use crate::platform::clock::Clock;
use crate::platform::tls;

/// Idle timeout of a connection. Many servers close idle connections after five seconds. The timeout is shorter, so
/// that a request rarely uses a connection that is being closed.
const IDLE: Duration = Duration::from_secs(4);
/// Maximum number of idle connections per host and port. Many apps can share a host.
const IDLE_PER_HOST: usize = 32;
/// Timeout of a connection attempt in real time. Without this timeout, an attempt could continue indefinitely after its
/// request has ended.
const ABANDONED: Duration = Duration::from_secs(30);

/// Settings of outbound requests.
#[derive(Clone, Debug, Default)]
pub struct OutboundSettings {
    /// PEM certificates of additional trusted authorities.
    pub extra_ca: Option<Vec<u8>>,
    /// Hosts, as `host:port`, to which requests may use private addresses and plain HTTP.
    pub exempt: Vec<String>,
    /// Name servers to use; if empty, the system's name servers are used.
    pub name_servers: Vec<SocketAddr>,
}

/// Why outbound requests cannot be set up.
#[derive(Debug, Error)]
pub enum OutboundError {
    #[error("extra_ca_file cannot be used: {0}")]
    ExtraCa(String),
    #[error("outbound requests cannot be set up: {0}")]
    Client(String),
}

/// A request to send.
#[derive(Clone, Debug)]
pub struct OutboundRequest {
    pub method: Method,
    pub url: String,
    pub headers: HeaderMap,
    pub body: Bytes,
}

/// Limits on the time and the size of a server's response.
#[derive(Clone, Copy, Debug)]
pub struct ResponseLimits {
    /// Timeout until the response head has arrived, including name resolution, connecting and TLS.
    pub head: Duration,
    /// Timeout of the response body. It begins when the head has arrived.
    pub body: Duration,
    /// Maximum number of bytes of the body that are read.
    pub most: usize,
}

/// A response.
#[derive(Clone, Debug)]
pub struct OutboundResponse {
    pub status: StatusCode,
    pub headers: HeaderMap,
    /// The bytes of the body that were read, at most [`ResponseLimits::most`].
    pub body: Bytes,
    /// Whether `body` is the complete body: it was not too long, not too slow and not interrupted.
    pub is_whole: bool,
    /// Time from the start of the request to the end of the response head.
    pub latency: Duration,
}

/// A request without a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnansweredRequest {
    pub why: OutboundFailure,
    /// Time from the start of the request to its failure.
    pub latency: Duration,
}

/// The HTTP client for outbound requests. Clones share connections.
#[derive(Clone)]
pub struct Outbound {
    clock: Clock,
    names: Names,
    checked: Client,
    unchecked: Client,
    has_authorities: bool,
    exempt: Arc<[String]>,
}

impl Outbound {
    /// Creates the client and the resolver of names.
    ///
    /// # Errors
    /// - [`OutboundError::ExtraCa`] if `extra_ca` is not valid PEM, contains no certificate, or contains an invalid
    ///   certificate.
    /// - [`OutboundError::Client`] if the HTTP client cannot be created for another reason.
    pub fn new(settings: OutboundSettings, clock: Clock) -> Result<Self, OutboundError> {
        let extra = match &settings.extra_ca {
            Some(pem) => {
                Certificate::from_pem_bundle(pem).map_err(|e| OutboundError::ExtraCa(e.to_string()))?
            }
            None => Vec::new(),
        };
        if settings.extra_ca.is_some() && extra.is_empty() {
            return Err(OutboundError::ExtraCa("it contains no PEM certificate".to_owned()));
        }
        let names = Names::new(&settings.name_servers);
        let build = |rule: Rule, has_authorities: bool| {
            let (builder, extra) = (builder(names.with_rule(rule), rule), extra.clone());
            match has_authorities {
                true => builder.tls_certs_merge(extra).build(),
                false => builder.tls_certs_only(extra).build(),
            }
        };
        let failed = |error: reqwest::Error| {
            // the text of the error itself is only "builder error"
            let why = error.source().map_or_else(|| error.to_string(), ToString::to_string);
            match extra.is_empty() {
                true => OutboundError::Client(why),
                // a client that trusts only the certificates in `extra` cannot be built if one of them is invalid
                false => OutboundError::ExtraCa(why),
            }
        };
        let (checked, has_authorities) = match build(Rule::Public, true) {
            Ok(client) => (client, true),
            Err(error) => {
                // The usual cause is that there is no certificate authority, neither the system's nor an additional
                // one. A client without authorities can still send plain HTTP to exempt hosts.
                let client = build(Rule::Public, false).map_err(failed)?;
                tracing::warn!(
                    %error,
                    "no CA certificates found; outbound HTTPS requests will fail until the system's certificates or extra_ca_file are configured"
                );
                (client, false)
            }
        };
        Ok(Self {
            clock,
            checked,
            unchecked: build(Rule::Any, has_authorities).map_err(failed)?,
            has_authorities,
            names,
            exempt: settings.exempt.iter().map(|host| host.to_ascii_lowercase()).collect(),
        })
    }

    /// Returns whether there is a certificate authority, either the system's or an additional one. Without an authority
    /// every HTTPS request fails.
    #[must_use]
    pub const fn has_authorities(&self) -> bool {
        self.has_authorities
    }

    /// Sends one request and returns the response, whatever its status. Does not follow redirects.
    ///
    /// # Errors
    /// [`UnansweredRequest`] if the URL is invalid or not allowed, if the request fails, or if no response head is
    /// received within `limits.head`.
    pub async fn send(
        &self,
        request: OutboundRequest,
        limits: ResponseLimits,
    ) -> Result<OutboundResponse, UnansweredRequest> {
        self.exchange(request, Body::from, limits).await
    }

    /// Sends one request, but sends its body only if `permitted` resolves to `true`. `permitted` is first polled after
    /// the connection is established, right before the body is written. The request head is possibly sent while
    /// `permitted` is still pending.
    ///
    /// # Errors
    /// [`UnansweredRequest`] in the cases of [`Outbound::send`], and if the body was not permitted.
    pub async fn send_if(
        &self,
        permitted: impl Future<Output = bool> + Send + 'static,
        request: OutboundRequest,
        limits: ResponseLimits,
    ) -> Result<OutboundResponse, UnansweredRequest> {
        self.exchange(request, |body| Body::wrap(GuardedBody::new(permitted, body)), limits).await
    }

    async fn exchange(
        &self,
        request: OutboundRequest,
        body: impl FnOnce(Bytes) -> Body,
        limits: ResponseLimits,
    ) -> Result<OutboundResponse, UnansweredRequest> {
        let (begun, watch) = (self.clock.instant(), self.clock.stopwatch());
        let head = self.head(request, body);
        let mut answered = tokio::select! {
            biased;
            answered = head => answered,
            () = watch.sleep_until_elapsed(limits.head) => Err(OutboundFailure::Timeout),
        };
        let latency = begun.elapsed();
        if watch.elapsed() >= limits.head {
            // if both the head and the timer are ready, `select!` takes the head, even if it arrived after the timeout
            answered = Err(OutboundFailure::Timeout);
        }
        let mut response = answered.map_err(|why| UnansweredRequest { why, latency })?;
        let (status, headers) = (response.status(), std::mem::take(response.headers_mut()));
        let mut body = BytesMut::new();
        let over = self.clock.sleep(limits.body);
        let is_whole = tokio::select! {
            biased;
            is_whole = read(&mut response, &mut body, limits.most) => is_whole,
            () = over => false,
        };
        Ok(OutboundResponse { status, headers, body: body.freeze(), is_whole, latency })
    }

    async fn head(
        &self,
        request: OutboundRequest,
        body: impl FnOnce(Bytes) -> Body,
    ) -> Result<Response, OutboundFailure> {
        let url = Url::parse(&request.url).map_err(|_| OutboundFailure::Url)?;
        let client = self.client(&url)?;
        let body = body(request.body);
        let sent = client.request(request.method, url).headers(request.headers).body(body).send();
        sent.await.map_err(|error| OutboundFailure::of(&error))
    }

    /// Returns the addresses to which [`Outbound::send`] may connect for a URL, without connecting.
    ///
    /// # Errors
    /// The [`OutboundFailure`] with which a request would fail before it connects.
    pub async fn addresses(&self, url: &str) -> Result<Vec<SocketAddr>, OutboundFailure> {
        let url = Url::parse(url).map_err(|_| OutboundFailure::Url)?;
        let rule = self.rule(&url)?;
        let port = url.port_or_known_default().ok_or(OutboundFailure::Url)?;
        let addresses = match url.host() {
            Some(url::Host::Ipv4(address)) => vec![address.into()],
            Some(url::Host::Ipv6(address)) => vec![address.into()],
            Some(url::Host::Domain(name)) => {
                self.names.with_rule(rule).addresses(name).await.map_err(|error| match error {
                    Unresolved::NotFound => OutboundFailure::Dns,
                    Unresolved::Forbidden => OutboundFailure::ForbiddenAddress,
                })?
            }
            None => return Err(OutboundFailure::Url),
        };
        Ok(addresses.into_iter().map(|address| SocketAddr::new(address, port)).collect())
    }

    /// Returns the HTTP client for a URL.
    ///
    /// # Errors
    /// Those of [`Outbound::rule`].
    fn client(&self, url: &Url) -> Result<&Client, OutboundFailure> {
        Ok(match self.rule(url)? {
            Rule::Public => &self.checked,
            Rule::Any => &self.unchecked,
        })
    }

    /// Returns which addresses are allowed for a URL.
    ///
    /// # Errors
    /// - [`OutboundFailure::Url`] for a URL without a host, or without HTTPS unless the host is exempt.
    /// - [`OutboundFailure::ForbiddenAddress`] for a host that is neither public nor exempt.
    fn rule(&self, url: &Url) -> Result<Rule, OutboundFailure> {
        let (Some(host), Some(port)) = (url.host_str(), url.port_or_known_default()) else {
            return Err(OutboundFailure::Url);
        };
        let authority = format!("{host}:{port}");
        if self.exempt.iter().any(|exempt| exempt.eq_ignore_ascii_case(&authority)) {
            return Ok(Rule::Any);
        }
        if url.scheme() != "https" {
            return Err(OutboundFailure::Url);
        }
        // an IP address in a URL is checked here, because it is never resolved; the resolver checks the addresses of a
        // name
        if is_public_host(host) { Ok(Rule::Public) } else { Err(OutboundFailure::ForbiddenAddress) }
    }
}

/// Reads up to `most` bytes of the body. Returns whether `body` is complete.
async fn read(response: &mut Response, body: &mut BytesMut, most: usize) -> bool {
    loop {
        match response.chunk().await {
            Ok(Some(chunk)) => {
                let remaining = most - body.len();
                body.extend_from_slice(&chunk[..chunk.len().min(remaining)]);
                if chunk.len() > remaining {
                    return false;
                }
            }
            Ok(None) => return true,
            Err(_) => return false,
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "only this function, which sets up the checks, builds clients")]
fn builder(names: resolver::Resolver, rule: Rule) -> ClientBuilder {
    tls::install_provider();
    Client::builder()
        .tls_backend_rustls()
        .tls_version_min(reqwest::tls::Version::TLS_1_2)
        .https_only(rule == Rule::Public)
        .http1_only()
        .redirect(Policy::none())
        .no_proxy()
        .referer(false)
        .dns_resolver(names)
        .pool_idle_timeout(IDLE)
        .pool_max_idle_per_host(IDLE_PER_HOST)
        .connect_timeout(ABANDONED)
        .tcp_nodelay(true)
}

#[cfg(test)]
mod tests;
