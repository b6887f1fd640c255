//! The HTTP client of `connect`, `doctor` and `health`. It follows no redirects. It reads whole responses, except in
//! [`Web::open`]. If requested, it prints each request and response with shortened secrets.

mod redact;

use std::{io::Write as _, time::Duration};

use bytes::Bytes;
use http::{HeaderMap, Method, StatusCode};
use reqwest::{Certificate, Client, ClientBuilder, RequestBuilder, Response};
use serde_json::Value;

pub use redact::{cut, cut_header};

use super::failure::{Failure, Result, chain};
use crate::platform::clock::Clock;
use crate::platform::tls::install_provider;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum time from the start of a request to the arrival of the response's head, and maximum time of each later read
/// of the response's body. The first of these times includes sending the request's body; `doctor` sends bodies of up
/// to about 1 MiB. The response as a whole has no timeout, so that a slow stream does not time out. If
/// [`WebOptions::timeout`] is set, `READ_TIMEOUT` does not apply.
const READ_TIMEOUT: Duration = Duration::from_secs(60);
/// Maximum number of characters of a body in a trace.
const SHOWN: usize = 4_000;

/// Options of the client.
#[derive(Clone, Debug, Default)]
pub struct WebOptions {
    /// PEM certificates of authorities that are trusted in addition to the system's authorities.
    pub extra_ca: Option<Vec<u8>>,
    /// Whether to use a proxy of the environment (`HTTPS_PROXY`).
    pub env_proxy: bool,
    /// Whether to print each request and response on standard error.
    pub trace: bool,
    /// Timeout of a request together with its response. If it is `None`, connecting and each read have timeouts of
    /// their own.
    pub timeout: Option<Duration>,
}

/// An HTTP client.
#[derive(Clone)]
pub struct Web {
    client: Client,
    clock: Clock,
    trace: bool,
}

/// A complete response.
#[derive(Clone, Debug)]
pub struct HttpResponse {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl HttpResponse {
    /// Returns the first value of a header; `None` if it is missing or not ASCII text.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// Returns the parsed body; `None` if it is not JSON.
    #[must_use]
    pub fn json(&self) -> Option<Value> {
        serde_json::from_slice(&self.body).ok()
    }

    /// Returns whether Switchboard created the response, and not a proxy in front of it.
    #[must_use]
    pub fn is_from_switchboard(&self) -> bool {
        self.header("x-request-id").is_some_and(|id| id.starts_with("req_"))
    }
}

impl Web {
    /// Creates a client.
    ///
    /// # Errors
    /// [`Failure::Usage`] if the certificates cannot be read, or if the client cannot be built.
    pub fn new(options: &WebOptions, clock: Clock) -> Result<Self> {
        let unreadable = |error: reqwest::Error| {
            Failure::Usage(format!("the certificate authorities cannot be read: {}", chain(&error)))
        };
        let extra = match &options.extra_ca {
            None => Vec::new(),
            Some(pem) => Certificate::from_pem_bundle(pem).map_err(unreadable)?,
        };
        let has_extra = !extra.is_empty();
        let trusting = builder(options, CONNECT_TIMEOUT, READ_TIMEOUT).tls_certs_merge(extra.clone()).build();
        // without certificate authorities on the machine, building fails; the client then trusts only those in `extra`
        let client = trusting
            .or_else(|_| builder(options, CONNECT_TIMEOUT, READ_TIMEOUT).tls_certs_only(extra).build());
        let client = client.map_err(|error| match has_extra {
            // a client that trusts `extra` alone fails to build only if a certificate in `extra` is malformed
            true => unreadable(error),
            false => Failure::of_builder(&error),
        })?;
        Ok(Self { client, clock, trace: options.trace })
    }

    /// Returns the clock with which callers measure times.
    #[must_use]
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Returns a request builder for [`Web::send`].
    pub fn request(&self, method: Method, url: &str) -> RequestBuilder {
        self.client.request(method, url)
    }

    /// Sends a GET of `url`.
    ///
    /// # Errors
    /// Errors of [`Web::send`].
    pub async fn get(&self, url: &str) -> Result<HttpResponse> {
        self.send(self.request(Method::GET, url)).await
    }

    /// Sends a request and reads the whole response, even if its status is an error.
    ///
    /// # Errors
    /// [`Failure::Usage`] if the request cannot be built, [`Failure::Unreachable`] if there is no complete response.
    pub async fn send(&self, request: RequestBuilder) -> Result<HttpResponse> {
        let mut response = self.open(request).await?;
        let (status, headers) = (response.status(), std::mem::take(response.headers_mut()));
        let body = response.bytes().await.map_err(Failure::from)?;
        if self.trace {
            show(&format!("< {}", shown(&body)));
        }
        Ok(HttpResponse { status, headers, body })
    }

    /// Sends a request, and returns the response when its headers have arrived. Does not read the body.
    ///
    /// # Errors
    /// Errors of [`Web::send`].
    pub async fn open(&self, request: RequestBuilder) -> Result<Response> {
        let request = request.build().map_err(Failure::from)?;
        if self.trace {
            let mut lines = vec![format!("> {} {}", request.method(), cut(request.url().as_str()))];
            lines.extend(headers("> ", request.headers()));
            if let Some(body) = request.body().and_then(reqwest::Body::as_bytes) {
                lines.push(format!("> {}", shown(body)));
            }
            show(&lines.join("\n"));
        }
        let response = self.client.execute(request).await.map_err(Failure::from)?;
        if self.trace {
            let mut lines = vec![format!("< {}", response.status())];
            lines.extend(headers("< ", response.headers()));
            show(&lines.join("\n"));
        }
        Ok(response)
    }
}

/// Returns a client builder. `connect` is the timeout of connecting, and `read` the timeout of each read. If
/// [`WebOptions::timeout`] is set, it replaces both.
#[expect(
    clippy::disallowed_methods,
    reason = "the address rule of platform::outbound applies to requests that the server sends, and this \
              client sends requests for operators and developers"
)]
fn builder(options: &WebOptions, connect: Duration, read: Duration) -> ClientBuilder {
    install_provider();
    let timed = match options.timeout {
        Some(timeout) => Client::builder().timeout(timeout),
        None => Client::builder().connect_timeout(connect).read_timeout(read),
    };
    let builder = timed
        .user_agent(concat!("switchboard-cli/", env!("CARGO_PKG_VERSION")))
        .http1_only()
        // a request on an idle connection fails if the server closes the connection at that moment
        .pool_max_idle_per_host(0)
        .redirect(reqwest::redirect::Policy::none());
    if options.env_proxy { builder } else { builder.no_proxy() }
}

fn headers(prefix: &str, headers: &HeaderMap) -> Vec<String> {
    let line = |(name, value): (&http::HeaderName, &http::HeaderValue)| {
        let value = String::from_utf8_lossy(value.as_bytes()).into_owned();
        format!("{prefix}{name}: {}", cut_header(name.as_str(), &value))
    };
    headers.iter().map(line).collect()
}

/// Formats a body for a trace. Secrets are shortened, and only the first 4,000 characters are kept.
#[must_use]
pub fn shown(body: &[u8]) -> String {
    let text = cut(&String::from_utf8_lossy(body));
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}… ({} bytes)", &text[..end], body.len()),
        None => text,
    }
}

/// Writes a text and a line break to standard error. Ignores errors, because standard error can be closed.
fn show(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_error_of_an_interrupted_response_says_that_the_response_cannot_be_read() {
        use std::io::{Read as _, Write as _};

        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        std::thread::spawn(move || {
            let (mut socket, _) = listener.accept().unwrap();
            let _ = socket.read(&mut [0; 1024]);
            let _ = socket.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf");
        });
        let web = Web::new(&WebOptions::default(), Clock::system()).unwrap();
        let failure = web.get(&url).await.unwrap_err();
        assert!(matches!(failure, Failure::Unreachable(_)));
        let text = failure.to_string();
        assert!(text.starts_with(&format!("cannot read the response of {url}: ")), "{text}");
    }

    #[tokio::test]
    async fn an_invalid_certificate_authority_is_reported_as_such() {
        let pem = b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n".to_vec();
        let options = WebOptions { extra_ca: Some(pem), ..WebOptions::default() };
        let failure = Web::new(&options, Clock::system()).err().expect("the certificate is invalid");
        assert!(matches!(failure, Failure::Usage(_)));
        let text = failure.to_string();
        assert!(text.starts_with("the certificate authorities cannot be read: "), "{text}");
    }

    #[tokio::test]
    async fn the_timeout_of_a_request_replaces_the_timeouts_of_connecting_and_reading() {
        let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", silent.local_addr().unwrap());
        let part = Duration::from_millis(50);
        for timeout in [None, Some(8 * part)] {
            let options = WebOptions { timeout, ..WebOptions::default() };
            let client = builder(&options, part, part).build().unwrap();
            let begun = Clock::system().instant();
            let failure = client.get(&url).send().await.unwrap_err();
            assert!(failure.is_timeout(), "{failure:?}");
            let has_waited = begun.elapsed() >= 8 * part;
            assert!(
                has_waited || timeout.is_none(),
                "the timeout of the request replaces the timeouts of connecting and reading: {:?}",
                begun.elapsed()
            );
        }
    }
}
