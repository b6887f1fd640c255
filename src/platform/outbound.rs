//! Requests to servers that strangers chose: callbacks of apps, and documents that clients publish.
//!
//! Such a URL must not make this server talk to what only this server can reach (D-188, D-220). So a request goes out
//! only over HTTPS and only to addresses on the public Internet: a name is resolved here, every address it has is
//! checked, and the connection is made to one of exactly those ([`resolver`]). Hosts that the operator exempted are
//! neither checked nor need HTTPS. Redirects are never followed, no proxy is asked, TLS is 1.2 or later.
//!
//! Time is taken by the [`Clock`], so that a moved clock ends a request that waits.

mod failure;
mod resolver;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::{HeaderMap, Method, StatusCode};
use reqwest::{Certificate, Client, ClientBuilder, Response, Url, redirect::Policy};
use thiserror::Error;

pub use self::failure::Failure;
use self::resolver::{Names, Rule, Unresolved};
use crate::domain::address::is_public_host;
use crate::platform::clock::Clock;

/// How long a connection may lie idle before it is closed. Shorter than the five seconds after which many servers
/// close theirs, so that a request rarely meets a connection that is being closed.
const IDLE: Duration = Duration::from_secs(4);
/// Idle connections to one host and port, where many apps may live.
const IDLE_PER_HOST: usize = 32;
/// When a connection that nobody waits for any more is given up, in real time.
const ABANDONED: Duration = Duration::from_secs(30);

/// How requests are sent.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// PEM certificates of authorities to trust besides the usual ones.
    pub extra_ca: Option<Vec<u8>>,
    /// Pairs `host:port` that the address rule and the HTTPS rule do not hold for.
    pub exempt: Vec<String>,
    /// Name servers to ask instead of the system's.
    pub name_servers: Vec<SocketAddr>,
}

/// What cannot be started with.
#[derive(Debug, Error)]
pub enum OutboundError {
    #[error("extra_ca_file holds no certificates that can be read: {0}")]
    ExtraCa(String),
    #[error("requests to others cannot be set up: {0}")]
    Client(String),
}

/// What is sent.
#[derive(Clone, Debug)]
pub struct Outgoing {
    pub method: Method,
    pub url: String,
    pub headers: HeaderMap,
    pub body: Bytes,
}

/// How long and how much a server may answer.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// For the connection, TLS, and the answer up to the end of its head.
    pub head: Duration,
    /// For the answer's body, from then on.
    pub body: Duration,
    /// Bytes of the body that are read.
    pub most: usize,
}

/// What a server answered.
#[derive(Clone, Debug)]
pub struct Reply {
    pub status: StatusCode,
    pub headers: HeaderMap,
    /// As much as was read.
    pub body: Bytes,
    /// Whether that is all of it: it was not too long, not too slow, and not broken off.
    pub is_whole: bool,
    /// Until the end of the head.
    pub latency: Duration,
}

/// Why a server did not answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoReply {
    pub why: Failure,
    pub latency: Duration,
}

/// Sends requests. Cloning shares connections.
#[derive(Clone)]
pub struct Outbound {
    clock: Clock,
    names: Names,
    checked: Client,
    unchecked: Client,
    exempt: Arc<[String]>,
}

impl Outbound {
    /// Sets up connections and name resolution.
    ///
    /// # Errors
    /// Certificates that cannot be read.
    pub fn new(settings: Settings, clock: Clock) -> Result<Self, OutboundError> {
        let extra = match &settings.extra_ca {
            Some(pem) => {
                Certificate::from_pem_bundle(pem).map_err(|e| OutboundError::ExtraCa(e.to_string()))?
            }
            None => Vec::new(),
        };
        if settings.extra_ca.is_some() && extra.is_empty() {
            return Err(OutboundError::ExtraCa("no PEM certificate in it".to_owned()));
        }
        let names = Names::new(&settings.name_servers);
        let client = |rule: Rule| {
            let build = |trust: fn(ClientBuilder, Vec<Certificate>) -> ClientBuilder| {
                trust(builder(names.under(rule), rule), extra.clone()).build()
            };
            build(ClientBuilder::tls_certs_merge).or_else(|error| {
                // a machine without any authorities: nobody is trusted but whom the operator named
                tracing::warn!(%error, "no certificate authorities of the system are used");
                build(ClientBuilder::tls_certs_only)
            })
        };
        let failed = |error: reqwest::Error| OutboundError::Client(error.to_string());
        Ok(Self {
            clock,
            checked: client(Rule::Public).map_err(failed)?,
            unchecked: client(Rule::Any).map_err(failed)?,
            names,
            exempt: settings.exempt.iter().map(|host| host.to_ascii_lowercase()).collect(),
        })
    }

    /// Sends one request and reads the answer, redirects included, as it is.
    ///
    /// # Errors
    /// [`NoReply`] when no head of an answer came in time.
    pub async fn send(&self, request: Outgoing, patience: Patience) -> Result<Reply, NoReply> {
        let (begun, watch) = (self.clock.instant(), self.clock.stopwatch());
        let head = self.head(request);
        let mut answered = tokio::select! {
            biased;
            answered = head => answered,
            () = watch.reaches(patience.head) => Err(Failure::Timeout),
        };
        let latency = begun.elapsed();
        if watch.elapsed() >= patience.head {
            // what came too late is not in time because it was looked at before the clock
            answered = Err(Failure::Timeout);
        }
        let mut response = answered.map_err(|why| NoReply { why, latency })?;
        let (status, headers) = (response.status(), std::mem::take(response.headers_mut()));
        let mut body = BytesMut::new();
        let over = self.clock.pass(patience.body);
        let is_whole = tokio::select! {
            biased;
            is_whole = read(&mut response, &mut body, patience.most) => is_whole,
            () = over => false,
        };
        Ok(Reply { status, headers, body: body.freeze(), is_whole, latency })
    }

    async fn head(&self, request: Outgoing) -> Result<Response, Failure> {
        let url = Url::parse(&request.url).map_err(|_| Failure::Url)?;
        let client = self.client(&url)?;
        let sent = client.request(request.method, url).headers(request.headers).body(request.body).send();
        sent.await.map_err(|error| Failure::of(&error))
    }

    /// Where a connection for a URL would go, by the rules of [`Outbound::send`]. Nothing is connected to.
    ///
    /// # Errors
    /// [`Failure`]: what a request would come to before it connects.
    pub async fn addresses(&self, url: &str) -> Result<Vec<SocketAddr>, Failure> {
        let url = Url::parse(url).map_err(|_| Failure::Url)?;
        let rule = self.rule(&url)?;
        let port = url.port_or_known_default().ok_or(Failure::Url)?;
        let addresses = match url.host() {
            Some(url::Host::Ipv4(address)) => vec![address.into()],
            Some(url::Host::Ipv6(address)) => vec![address.into()],
            Some(url::Host::Domain(name)) => {
                self.names.under(rule).addresses(name).await.map_err(|error| match error {
                    Unresolved::NotFound => Failure::Dns,
                    Unresolved::Forbidden => Failure::ForbiddenAddress,
                })?
            }
            None => return Err(Failure::Url),
        };
        Ok(addresses.into_iter().map(|address| SocketAddr::new(address, port)).collect())
    }

    /// The client for a URL, by the rules that hold for it.
    fn client(&self, url: &Url) -> Result<&Client, Failure> {
        Ok(match self.rule(url)? {
            Rule::Public => &self.checked,
            Rule::Any => &self.unchecked,
        })
    }

    fn rule(&self, url: &Url) -> Result<Rule, Failure> {
        let (Some(host), Some(port)) = (url.host_str(), url.port_or_known_default()) else {
            return Err(Failure::Url);
        };
        let place = format!("{host}:{port}");
        if self.exempt.iter().any(|exempt| exempt.eq_ignore_ascii_case(&place)) {
            return Ok(Rule::Any);
        }
        if url.scheme() != "https" {
            return Err(Failure::Url);
        }
        // addresses in a URL are never resolved, so they are judged here; names again where they are resolved
        if is_public_host(host) { Ok(Rule::Public) } else { Err(Failure::ForbiddenAddress) }
    }
}

/// Reads up to `most` bytes; whether that is all there is.
async fn read(response: &mut Response, body: &mut BytesMut, most: usize) -> bool {
    loop {
        match response.chunk().await {
            Ok(Some(chunk)) => {
                let room = most - body.len();
                body.extend_from_slice(&chunk[..chunk.len().min(room)]);
                if chunk.len() > room {
                    return false;
                }
            }
            Ok(None) => return true,
            Err(_) => return false,
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "the one place that obeys the address rule")]
fn builder(names: resolver::Resolver, rule: Rule) -> ClientBuilder {
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
