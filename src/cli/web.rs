//! HTTP as `connect` and `doctor` speak it: one exchange at a time, nothing followed, the whole answer kept; and, when
//! asked for, each exchange shown as it went over the wire, with the secrets cut.

mod redact;

use std::{
    io::Write as _,
    time::{Duration, Instant},
};

use bytes::Bytes;
use http::{HeaderMap, Method, StatusCode};
use reqwest::{Certificate, Client, ClientBuilder, RequestBuilder, Response};
use serde_json::Value;

pub use redact::{cut, cut_header};

use super::failure::{Failure, Result};
use crate::platform::clock::Clock;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Between two reads, so that a loaded server and a slow stream may take their time.
const READ_TIMEOUT: Duration = Duration::from_secs(60);
/// Characters of a body that a trace shows.
const SHOWN: usize = 4_000;

/// How requests are sent.
#[derive(Clone, Debug, Default)]
pub struct WebOptions {
    /// PEM certificates of authorities to trust besides the system's.
    pub extra_ca: Option<Vec<u8>>,
    /// Whether a proxy of the environment (`HTTPS_PROXY`) may be asked.
    pub env_proxy: bool,
    /// Show every exchange on standard error.
    pub trace: bool,
}

/// An HTTP client.
#[derive(Clone)]
pub struct Web {
    client: Client,
    clock: Clock,
    trace: bool,
}

/// An answer, read to its end.
#[derive(Clone, Debug)]
pub struct Got {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Bytes,
    /// From before the request to the end of the answer.
    pub elapsed: Duration,
}

impl Got {
    /// The first value of a header, as text.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// The body, if it is JSON.
    #[must_use]
    pub fn json(&self) -> Option<Value> {
        serde_json::from_slice(&self.body).ok()
    }

    /// Whether Switchboard itself answered, not something in front of it.
    #[must_use]
    pub fn is_ours(&self) -> bool {
        self.header("x-request-id").is_some_and(|id| id.starts_with("req_"))
    }
}

impl Web {
    /// # Errors
    /// [`Failure::Usage`] for certificates that cannot be read.
    pub fn new(options: &WebOptions, clock: Clock) -> Result<Self> {
        let extra = match &options.extra_ca {
            None => Vec::new(),
            Some(pem) => Certificate::from_pem_bundle(pem).map_err(|error| {
                Failure::Usage(format!("the certificate authorities cannot be read: {error}"))
            })?,
        };
        let trusting = builder(options).tls_certs_merge(extra.clone()).build();
        // a machine without any authorities: nobody is trusted but whom the user named
        let client = trusting.or_else(|_| builder(options).tls_certs_only(extra).build());
        Ok(Self { client: client.map_err(Failure::from)?, clock, trace: options.trace })
    }

    /// The clock that answers are timed by.
    #[must_use]
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// A request being put together; [`Web::send`] sends it.
    pub fn request(&self, method: Method, url: &str) -> RequestBuilder {
        self.client.request(method, url)
    }

    /// A GET of `url`.
    ///
    /// # Errors
    /// As [`Web::send`].
    pub async fn get(&self, url: &str) -> Result<Got> {
        self.send(self.request(Method::GET, url)).await
    }

    /// Sends a request and reads the whole answer, whatever its status.
    ///
    /// # Errors
    /// [`Failure::Unreachable`] when there is none, [`Failure::Usage`] for a request that cannot be made.
    pub async fn send(&self, request: RequestBuilder) -> Result<Got> {
        let (begun, mut response) = self.begin(request).await?;
        let (status, headers) = (response.status(), std::mem::take(response.headers_mut()));
        let body = response.bytes().await.map_err(Failure::from)?;
        if self.trace {
            show(&format!("< {}", shown(&body)));
        }
        Ok(Got { status, headers, body, elapsed: begun.elapsed() })
    }

    /// Sends a request and hands the answer over when its head has come.
    ///
    /// # Errors
    /// As [`Web::send`].
    pub async fn open(&self, request: RequestBuilder) -> Result<Response> {
        self.begin(request).await.map(|(_, response)| response)
    }

    async fn begin(&self, request: RequestBuilder) -> Result<(Instant, Response)> {
        let request = request.build().map_err(Failure::from)?;
        if self.trace {
            let mut lines = vec![format!("> {} {}", request.method(), cut(request.url().as_str()))];
            lines.extend(headers("> ", request.headers()));
            if let Some(body) = request.body().and_then(reqwest::Body::as_bytes) {
                lines.push(format!("> {}", shown(body)));
            }
            show(&lines.join("\n"));
        }
        let begun = self.clock.instant();
        let response = self.client.execute(request).await.map_err(Failure::from)?;
        if self.trace {
            let mut lines = vec![format!("< {}", response.status())];
            lines.extend(headers("< ", response.headers()));
            show(&lines.join("\n"));
        }
        Ok((begun, response))
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the address rule is for the server's requests, not for its operator's and developers'"
)]
fn builder(options: &WebOptions) -> ClientBuilder {
    let builder = Client::builder()
        .user_agent(concat!("switchboard-cli/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(CONNECT_TIMEOUT)
        .read_timeout(READ_TIMEOUT)
        .http1_only()
        // a connection that lies idle may be closed under the next request
        .pool_max_idle_per_host(0)
        .redirect(reqwest::redirect::Policy::none());
    if options.env_proxy { builder } else { builder.no_proxy() }
}

fn headers(mark: &str, headers: &HeaderMap) -> Vec<String> {
    let line = |(name, value): (&http::HeaderName, &http::HeaderValue)| {
        let value = String::from_utf8_lossy(value.as_bytes()).into_owned();
        format!("{mark}{name}: {}", cut_header(name.as_str(), &value))
    };
    headers.iter().map(line).collect()
}

/// A body as a trace shows it.
#[must_use]
pub fn shown(body: &[u8]) -> String {
    let text = cut(&String::from_utf8_lossy(body));
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}… ({} bytes)", &text[..end], body.len()),
        None => text,
    }
}

/// Writes to standard error; when that is closed there is nobody to show it to.
fn show(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}
