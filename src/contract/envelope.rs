//! The one outer middleware: every request gets an id, and whatever went wrong inside leaves as a failure
//! of its document's shape.
//!
//! It also answers HEAD as GET without the body (D-005), names the methods of a 405 (D-004), and keeps JSON answers
//! out of caches (D-018).

#![allow(
    clippy::disallowed_methods,
    reason = "the length of a request is real time, whatever the clock of the world says"
)]

use std::{panic::AssertUnwindSafe, sync::Arc, time::Duration};

use futures_util::FutureExt;
use poem::{
    Endpoint, Error, IntoResponse, Request, Response,
    error::{MethodNotAllowedError, NotFoundError, ParsePathError},
    http::{HeaderValue, Method, StatusCode, header},
};
use tokio::time::Instant;

use super::{
    Dialect, Fault, OperationInfo,
    answer::{Answer, Caller, Deed, REQUEST_ID_LEN},
    failure, reply,
};
use crate::domain::refusal::Code;

/// Paths of metadata (RFC 8615).
const WELL_KNOWN: &str = "/.well-known/";

/// Where request ids come from, and who is told of every answer.
pub trait Observer: Send + Sync + 'static {
    /// Random bits for a request id.
    fn random(&self) -> u128;

    /// A request was answered.
    fn done(&self, answered: &Answered<'_>);
}

/// A request and how it was answered.
#[derive(Clone, Copy, Debug)]
pub struct Answered<'a> {
    /// `req_…`, as the client was told.
    pub request_id: &'a str,
    /// Unknown for a path outside the documents.
    pub operation: Option<&'static OperationInfo>,
    /// What a page did that is to be told.
    pub deed: Option<Deed>,
    /// For whom, where a room noted it.
    pub caller: Option<&'a Caller>,
    /// Without the query.
    pub path: &'a str,
    pub status: u16,
    /// The error code of a failure.
    pub code: Option<&'static str>,
    pub elapsed: Duration,
}

/// A method and a path that are served.
struct Offered {
    method: &'static str,
    path: &'static str,
    dialect: Dialect,
}

/// The middleware; see the module.
pub struct Envelope<O> {
    observer: Arc<O>,
    routes: Vec<Offered>,
}

impl<O: Observer> Envelope<O> {
    /// `operations` are those that are offered: a 405 names them, and a path where only others are is 404.
    pub fn new(observer: Arc<O>, operations: impl IntoIterator<Item = &'static OperationInfo>) -> Self {
        let offered = |operation: &'static OperationInfo| Offered {
            method: operation.method,
            path: operation.path,
            dialect: operation.dialect,
        };
        Self { observer, routes: operations.into_iter().map(offered).collect() }
    }

    /// A route outside the documents that knows a 405.
    #[must_use]
    pub fn and(mut self, method: &'static str, path: &'static str) -> Self {
        let dialect = self.dialect(path);
        self.routes.push(Offered { method, path, dialect });
        self
    }

    /// Puts `inner` inside.
    pub fn around<E: Endpoint>(self, inner: E) -> Enveloped<O, E> {
        Enveloped { envelope: self, inner }
    }

    /// How failures under a path are written, whatever the method.
    fn dialect(&self, path: &str) -> Dialect {
        let served = self.routes.iter().find(|route| matches(route.path, path)).map(|route| route.dialect);
        // clients look here for documents of other servers
        let looked_for = path.starts_with(WELL_KNOWN).then_some(Dialect::Oauth);
        served.or(looked_for).unwrap_or(Dialect::Envelope)
    }

    /// `GET, HEAD, POST`; none for a path without methods.
    fn allowed(&self, path: &str) -> Option<HeaderValue> {
        // a path spelled out wins over a pattern, as in the routes
        let exact = self.routes.iter().any(|route| route.path == path);
        let here = |pattern: &str| if exact { pattern == path } else { matches(pattern, path) };
        let mut methods: Vec<&str> = Vec::new();
        for method in self.routes.iter().filter(|route| here(route.path)).map(|route| route.method) {
            for name in [method, if method == "GET" { "HEAD" } else { method }] {
                if !methods.contains(&name) {
                    methods.push(name);
                }
            }
        }
        HeaderValue::from_str(&methods.join(", ")).ok().filter(|value| !value.is_empty())
    }
}

fn matches(pattern: &str, path: &str) -> bool {
    let (mut pattern, mut path) = (pattern.split('/'), path.split('/'));
    loop {
        match (pattern.next(), path.next()) {
            (None, None) => return true,
            (Some(expected), Some(found)) if expected == found => {}
            (Some(expected), Some(found)) if expected.starts_with('{') && !found.is_empty() => {}
            _ => return false,
        }
    }
}

/// An endpoint under the envelope; it never fails.
pub struct Enveloped<O, E> {
    envelope: Envelope<O>,
    inner: E,
}

impl<O: Observer, E: Endpoint> Endpoint for Enveloped<O, E> {
    type Output = Response;

    async fn call(&self, mut request: Request) -> poem::Result<Response> {
        let started = Instant::now();
        let id = request_id(self.envelope.observer.random());
        let uri = request.uri().clone();
        let head = *request.method() == Method::HEAD;
        if head {
            request.set_method(Method::GET);
            // only GET has ranges (RFC 9110 §14.2): HEAD tells of the whole
            request.headers_mut().remove(header::RANGE);
        }
        let inside = async {
            // a parameter of the router may be empty, a segment of ours may not (D-007)
            if request.uri().path().contains("//") {
                return Err(Fault::from(Code::NotFound).into());
            }
            self.inner.call(request).await
        };
        let inside = AssertUnwindSafe(inside).catch_unwind();
        let (outcome, noted) = Answer::new(id).scope(inside).await;
        let id = std::str::from_utf8(&id).unwrap_or("req_");
        let outcome = match outcome {
            Ok(Ok(answer)) => settled(answer.into_response()),
            Ok(Err(error)) => Err(classify(error)),
            Err(panic) => Err(Fault::internal(format_args!("panic: {}", panic_text(&*panic)))),
        };
        let mut allowed = None;
        let outcome = outcome.map_err(|fault| match fault.status {
            StatusCode::METHOD_NOT_ALLOWED => {
                allowed = self.envelope.allowed(uri.path());
                if allowed.is_some() { fault } else { Code::NotFound.into() }
            }
            _ => fault,
        });
        let code = outcome.as_ref().err().map(|fault| fault.code.as_str());
        let mut response = match outcome {
            Ok(response) => response,
            Err(fault) => {
                if let Some(log) = &fault.log {
                    let (api, operation) = noted.operation.map(|it| (it.api, it.id)).unzip();
                    tracing::error!(request_id = id, api, operation, status = fault.status.as_u16(), "{log}");
                }
                let mut response = match self.envelope.dialect(uri.path()) {
                    Dialect::Envelope => failure::envelope(&fault, id),
                    Dialect::Oauth => failure::oauth(&fault),
                };
                if let Some(methods) = allowed {
                    response.headers_mut().insert(header::ALLOW, methods);
                }
                response
            }
        };
        let headers = response.headers_mut();
        headers.extend(noted.headers.into_iter().map(|(name, value)| (Some(name), value)));
        if let Ok(id) = HeaderValue::from_str(id) {
            headers.insert("x-request-id", id);
        }
        let is_json = headers
            .get(header::CONTENT_TYPE)
            .is_some_and(|v| v.as_bytes().starts_with(reply::JSON.as_bytes()));
        if is_json && !headers.contains_key(header::CACHE_CONTROL) {
            headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        }
        if head {
            behead(&mut response).await;
        }
        self.envelope.observer.done(&Answered {
            request_id: id,
            operation: noted.operation,
            deed: noted.deed,
            caller: noted.caller.as_ref(),
            path: uri.path(),
            status: response.status().as_u16(),
            code,
            elapsed: started.elapsed(),
        });
        Ok(response)
    }
}

/// An answer of the inside, unless it is a failure without words.
fn settled(response: Response) -> Result<Response, Fault> {
    let status = response.status();
    let is_bare = response.headers().get(header::CONTENT_TYPE).is_none();
    match status.is_client_error() || status.is_server_error() {
        true if is_bare => Err(by_status(status, String::new())),
        _ => Ok(response),
    }
}

/// What a failure of any origin means to the client.
fn classify(error: Error) -> Fault {
    let error = match error.downcast::<Fault>() {
        Ok(fault) => return fault,
        Err(error) => error,
    };
    // a path that is not UTF-8 after decoding is no path of ours
    if error.is::<NotFoundError>() || error.is::<ParsePathError>() {
        return Code::NotFound.into();
    }
    if error.is::<MethodNotAllowedError>() {
        return Fault::client(StatusCode::METHOD_NOT_ALLOWED);
    }
    by_status(error.status(), error.to_string())
}

fn by_status(status: StatusCode, log: String) -> Fault {
    match status {
        StatusCode::BAD_REQUEST => Code::InvalidRequest.into(),
        StatusCode::NOT_FOUND => Code::NotFound.into(),
        StatusCode::PAYLOAD_TOO_LARGE => Code::PayloadTooLarge.into(),
        StatusCode::UNSUPPORTED_MEDIA_TYPE => Code::UnsupportedMediaType.into(),
        status if status.is_client_error() => Fault::client(status),
        StatusCode::INTERNAL_SERVER_ERROR => Fault::internal(log),
        status if status.is_server_error() => {
            Fault { status, log: Some(log), ..Fault::from(Code::ServerError) }
        }
        status => Fault::internal(format_args!("an error with status {status}: {log}")),
    }
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("without words")
}

/// Takes the body off an answer to HEAD and leaves its length (RFC 9110 §8.6).
async fn behead(response: &mut Response) {
    let body = response.take_body();
    // a stream has no end to wait for
    let is_stream = response
        .headers()
        .get(header::CONTENT_TYPE)
        .is_some_and(|v| v.as_bytes() == reply::EVENT_STREAM.as_bytes());
    if is_stream || response.headers().contains_key(header::CONTENT_LENGTH) {
        return;
    }
    if let Ok(bytes) = body.into_bytes().await {
        response.headers_mut().insert(header::CONTENT_LENGTH, bytes.len().into());
    }
}

/// `req_` and 26 Crockford base32 characters, which hold the bits with two to spare (D-003).
fn request_id(bits: u128) -> [u8; REQUEST_ID_LEN] {
    const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
    let mut id = *b"req_00000000000000000000000000";
    let mut rest = bits;
    for place in id[4..].iter_mut().rev() {
        *place = ALPHABET[(rest & 31) as usize];
        rest >>= 5;
    }
    id
}

#[cfg(test)]
mod unit {
    use super::*;

    #[test]
    fn ids_are_crockford() {
        assert_eq!(&request_id(0), b"req_00000000000000000000000000");
        assert_eq!(&request_id(u128::MAX), b"req_7zzzzzzzzzzzzzzzzzzzzzzzzz");
    }

    #[test]
    fn patterns_match_by_segment() {
        assert!(matches("/v1/users/{id}", "/v1/users/x"));
        for path in ["/v1/users", "/v1/users/", "/v1/users/x/", "/v1//users/x", "/V1/users/x"] {
            assert!(!matches("/v1/users/{id}", path), "{path}");
        }
    }

    #[test]
    fn a_path_spelled_out_has_its_own_methods() {
        struct Nobody;
        impl Observer for Nobody {
            fn random(&self) -> u128 {
                0
            }
            fn done(&self, _: &Answered<'_>) {}
        }
        let envelope = Envelope::new(Arc::new(Nobody), [])
            .and("GET", "/users/{id}")
            .and("DELETE", "/users/{id}")
            .and("GET", "/users/lookup");
        let allowed = |path| envelope.allowed(path).map(|value| value.to_str().unwrap().to_owned());
        assert_eq!(allowed("/users/lookup").as_deref(), Some("GET, HEAD"));
        assert_eq!(allowed("/users/x").as_deref(), Some("GET, HEAD, DELETE"));
        assert_eq!(allowed("/users"), None);
    }
}
