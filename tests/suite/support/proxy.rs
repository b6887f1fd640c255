//! An HTTP proxy in front of a server, over real sockets. Its [`ProxyBehaviour`] is a correct or a wrong configuration.

use std::{
    convert::Infallible,
    sync::{Arc, OnceLock},
};

use bytes::Bytes;
use futures_util::{TryStreamExt, future::BoxFuture};
use http::{HeaderValue, Request, Response, header};
use http_body_util::{BodyExt, Full, StreamBody, combinators::BoxBody};
use hyper::{
    body::{Frame, Incoming},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

/// A function that returns the proxy's own response to a request, or `None` to forward the request to the server.
pub type Own =
    Arc<dyn Fn(http::request::Parts, Bytes) -> BoxFuture<'static, Option<OwnAnswer>> + Send + Sync>;
/// Status, headers and body.
pub type OwnAnswer = (u16, Vec<(&'static str, String)>, String);

/// The behaviour of the proxy.
#[derive(Clone, Debug, Default)]
pub struct ProxyBehaviour {
    /// Whether the proxy receives the server's whole response before it sends the first byte to the client.
    pub buffers: bool,
    /// Headers removed from requests.
    pub removed_request_headers: Vec<&'static str>,
    /// Headers removed from responses.
    pub removed_response_headers: Vec<&'static str>,
    /// Headers added to responses.
    pub added_response_headers: Vec<(&'static str, &'static str)>,
    /// Maximum length of a request body in bytes. The proxy responds with 413 to a request with a longer body.
    pub largest_body: Option<usize>,
    /// The address that the proxy appends to the request's `X-Forwarded-For`. If this address is empty, the header is
    /// forwarded unchanged.
    pub forwarded_for: &'static str,
    /// The proxy itself responds with 404 to every path that has this prefix.
    pub own_404_prefix: Option<&'static str>,
}

impl ProxyBehaviour {
    /// Returns a correct configuration.
    pub fn good() -> Self {
        Self { forwarded_for: "198.51.100.9", ..Self::default() }
    }
}

/// A running proxy. It stops when its runtime is dropped.
pub struct Proxy {
    pub url: String,
    upstream: Arc<OnceLock<String>>,
    own: Arc<OnceLock<Own>>,
}

type Answer = Response<BoxBody<Bytes, reqwest::Error>>;

impl Proxy {
    /// Starts a proxy without TLS. Until [`Proxy::to`] sets the server, the proxy responds with 502.
    pub async fn start(behaviour: ProxyBehaviour) -> Self {
        Self::over(behaviour, None).await
    }

    /// Starts a proxy. If an acceptor is given, the proxy terminates TLS. Until [`Proxy::to`] sets the server, the
    /// proxy responds with 502.
    pub async fn over(behaviour: ProxyBehaviour, tls: Option<TlsAcceptor>) -> Self {
        switchboard::platform::tls::install_provider();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let scheme = if tls.is_some() { "https" } else { "http" };
        let url = format!("{scheme}://{}", listener.local_addr().unwrap());
        let (upstream, own) = (Arc::<OnceLock<String>>::default(), Arc::<OnceLock<Own>>::default());
        let shared = Arc::new(Shared {
            behaviour,
            upstream: Arc::clone(&upstream),
            own: Arc::clone(&own),
            http: reqwest::Client::builder()
                .no_proxy()
                .pool_max_idle_per_host(0)
                .redirect(reqwest::redirect::Policy::none())
                .build()
                .unwrap(),
        });
        tokio::spawn(async move {
            loop {
                let Ok((socket, _)) = listener.accept().await else { continue };
                let (shared, tls) = (Arc::clone(&shared), tls.clone());
                tokio::spawn(async move {
                    let service = service_fn(|request| shared.forward(request));
                    match tls {
                        None => {
                            drop(http1::Builder::new().serve_connection(TokioIo::new(socket), service).await)
                        }
                        Some(tls) => {
                            let Ok(socket) = tls.accept(socket).await else { return };
                            drop(http1::Builder::new().serve_connection(TokioIo::new(socket), service).await);
                        }
                    }
                });
            }
        });
        Self { url, upstream, own }
    }

    /// Sets the function that returns the proxy's own responses. Panics if a function is already set.
    pub fn answering(&self, own: Own) {
        assert!(self.own.set(own).is_ok(), "the function for the proxy's own responses is set once");
    }

    /// Sets the base URL of the server to which the proxy forwards requests. Panics if a server is already set.
    pub fn to(&self, upstream: &str) {
        self.upstream.set(upstream.to_owned()).unwrap();
    }
}

struct Shared {
    behaviour: ProxyBehaviour,
    upstream: Arc<OnceLock<String>>,
    own: Arc<OnceLock<Own>>,
    http: reqwest::Client,
}

fn own(status: u16, text: &'static str) -> Answer {
    let mut response = Response::new(Full::from(text).map_err(|never: Infallible| match never {}).boxed());
    *response.status_mut() = http::StatusCode::from_u16(status).unwrap();
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html"));
    response
}

impl Shared {
    async fn forward(&self, request: Request<Incoming>) -> Result<Answer, Infallible> {
        let behaviour = &self.behaviour;
        let Some(upstream) = self.upstream.get() else { return Ok(own(502, "<h1>Bad gateway</h1>")) };
        let (parts, body) = request.into_parts();
        let path = parts.uri.path_and_query().map_or("/", |path| path.as_str());
        if behaviour.own_404_prefix.is_some_and(|prefix| path.starts_with(prefix)) {
            return Ok(own(404, "<h1>Not found</h1>"));
        }
        let Ok(body) = body.collect().await else { return Ok(own(400, "<h1>Bad request</h1>")) };
        let body = body.to_bytes();
        if behaviour.largest_body.is_some_and(|largest| body.len() > largest) {
            return Ok(own(413, "<h1>Request entity too large</h1>"));
        }
        if let Some(own) = self.own.get()
            && let Some((status, headers, text)) = own(parts.clone(), body.clone()).await
        {
            let body = Full::from(text).map_err(|never: Infallible| match never {}).boxed();
            let mut response = Response::builder().status(status);
            for (name, value) in headers {
                response = response.header(name, value);
            }
            return Ok(response.body(body).unwrap());
        }
        let mut headers = parts.headers;
        for name in ["connection", "transfer-encoding", "content-length"]
            .iter()
            .chain(&behaviour.removed_request_headers)
        {
            headers.remove(*name);
        }
        if !behaviour.forwarded_for.is_empty() {
            let before = headers.get("x-forwarded-for").map(|value| format!("{}, ", value.to_str().unwrap()));
            let all = format!("{}{}", before.unwrap_or_default(), behaviour.forwarded_for);
            headers.insert("x-forwarded-for", all.parse().unwrap());
        }
        let sent = self.http.request(parts.method, format!("{upstream}{path}")).headers(headers).body(body);
        let Ok(answer) = sent.send().await else { return Ok(own(502, "<h1>Bad gateway</h1>")) };
        let mut response = Response::builder().status(answer.status());
        for (name, value) in answer.headers() {
            let hop = name == header::TRANSFER_ENCODING || name == header::CONNECTION;
            if !hop && !behaviour.removed_response_headers.contains(&name.as_str()) {
                response = response.header(name, value);
            }
        }
        for (name, value) in &behaviour.added_response_headers {
            response = response.header(*name, *value);
        }
        let body = if behaviour.buffers {
            let whole = answer.bytes().await.unwrap_or_default();
            Full::from(whole).map_err(|never: Infallible| match never {}).boxed()
        } else {
            BodyExt::boxed(StreamBody::new(answer.bytes_stream().map_ok(Frame::data)))
        };
        Ok(response.body(body).unwrap())
    }
}
