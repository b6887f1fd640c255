//! The outer middleware of all APIs and pages:
//!
//! - It generates the id of every request.
//! - It writes an error in the error format of the OpenAPI document to which the path belongs. Pages render their own
//!   errors.
//! - It answers HEAD as GET without the body (D-005), and lists the allowed methods in a 405 (D-004).
//! - It answers a path that has a doubled slash with 404 (B-012).
//! - It confirms before a response is sent that the caller still has its permissions.
//! - It converts panics to 500.
//! - It forbids caching of JSON responses that have no `Cache-Control` (D-018).
//! - It sets `X-Request-Id`, `nosniff` and, if the base URL is `https://`, `Strict-Transport-Security`.

#![allow(
    clippy::disallowed_methods,
    reason = "the duration of a request is real time, independent of the adjustable clock"
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
    ApiError, Dialect, OperationInfo,
    answer::{self, AnswerState, LoggedCaller, PageAction, PageChange, REQUEST_ID_LEN, Rejection},
    failure, reply,
};
use crate::domain::refusal::Code;

/// The prefix of well-known URIs (RFC 8615).
const WELL_KNOWN: &str = "/.well-known/";

/// The value of `Strict-Transport-Security`: one year. It has no `includeSubDomains`, because subdomains may belong to
/// other services.
const HTTPS_ONLY: &str = "max-age=31536000";

/// The source of request ids, and the observer of every request and its response.
pub trait Observer: Send + Sync + 'static {
    /// The data that the observer keeps from a request until its response.
    type Seen: Send;

    /// Returns random bits for a request id.
    fn random(&self) -> u128;

    /// Called before each request is handled. May replace the body by another body with the same content.
    fn seen(&self, request: &mut Request) -> Self::Seen;

    /// Called with the response of each request. May replace the body by another body with the same content.
    fn done(&self, answered: &Answered<'_>, seen: Self::Seen, response: &mut Response);
}

/// A request and its response.
#[derive(Clone, Copy, Debug)]
pub struct Answered<'a> {
    /// The request id `req_…` as sent to the client.
    pub request_id: &'a str,
    /// The operation; `None` for a request that reaches no operation, such as a request to a page or an unknown path.
    pub operation: Option<&'static OperationInfo>,
    /// The logged action of a page.
    pub page_action: Option<PageAction>,
    /// What the form of a page has changed, if the page recorded it.
    pub page_change: Option<&'a PageChange>,
    /// The caller, if an API module recorded it.
    pub caller: Option<&'a LoggedCaller>,
    /// The path, without the query.
    pub path: &'a str,
    pub status: u16,
    /// The error code, if the middleware wrote the response as an error.
    pub code: Option<&'static str>,
    pub elapsed: Duration,
}

/// A method and path that are served.
struct ServedRoute {
    method: &'static str,
    path: &'static str,
    dialect: Dialect,
}

/// The middleware; see the documentation of the module.
pub struct Envelope<O> {
    observer: Arc<O>,
    routes: Vec<ServedRoute>,
    /// Pages that belong to the OAuth server.
    oauth_pages: Vec<&'static str>,
    https_only: bool,
}

impl<O: Observer> Envelope<O> {
    /// Creates the middleware. `operations` are the operations that are served. A 405 response lists the methods of its
    /// path, from these operations and the routes of [`Envelope::and`]. If the path has no methods, the 405 becomes
    /// 404.
    pub fn new(observer: Arc<O>, operations: impl IntoIterator<Item = &'static OperationInfo>) -> Self {
        let route_of = |operation: &'static OperationInfo| ServedRoute {
            method: operation.method,
            path: operation.path,
            dialect: operation.dialect,
        };
        let routes = operations.into_iter().map(route_of).collect();
        Self { observer, routes, oauth_pages: Vec::new(), https_only: false }
    }

    /// Sets whether responses have `Strict-Transport-Security`. A browser that has received this header no longer
    /// connects by plain HTTP (RFC 6797), so the header must be sent only if all clients use HTTPS.
    #[must_use]
    pub fn https_only(self, https_only: bool) -> Self {
        Self { https_only, ..self }
    }

    /// Adds a route that is not part of an API, so that a 405 response for its path lists its method.
    #[must_use]
    pub fn and(mut self, method: &'static str, path: &'static str) -> Self {
        let dialect = self.dialect(path);
        self.routes.push(ServedRoute { method, path, dialect });
        self
    }

    /// Adds a page of the OAuth server. The page renders its own errors. Errors that are returned before the page is
    /// reached, such as 414, have the format of RFC 6749, not the envelope of the bot API.
    #[must_use]
    pub fn and_oauth_page(mut self, path: &'static str) -> Self {
        self.oauth_pages.push(path);
        self
    }

    /// Wraps an endpoint.
    pub fn around<E: Endpoint>(self, inner: E) -> Enveloped<O, E> {
        Enveloped { envelope: self, inner }
    }

    /// Returns the error format of a path. It is the same for every method of the path.
    fn dialect(&self, path: &str) -> Dialect {
        let served = self.routes.iter().find(|route| matches(route.path, path)).map(|route| route.dialect);
        // OAuth clients request metadata below `/.well-known/` even if this server does not have it. They expect the
        // error format of OAuth.
        let is_oauth = path.starts_with(WELL_KNOWN) || self.oauth_pages.contains(&path);
        served.unwrap_or(if is_oauth { Dialect::Oauth } else { Dialect::Envelope })
    }

    /// Returns the value of `Allow` for a path, such as `GET, HEAD, POST`; `None` for a path without methods.
    fn allowed(&self, path: &str) -> Option<HeaderValue> {
        // a literal path takes precedence over a pattern, as in the router
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

/// A wrapped endpoint; it never fails.
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
        let seen = self.envelope.observer.seen(&mut request);
        let head = *request.method() == Method::HEAD;
        if head {
            request.set_method(Method::GET);
            // `Range` applies to GET only (RFC 9110 §14.2), so the response to HEAD must describe the whole content
            request.headers_mut().remove(header::RANGE);
        }
        let inside = async {
            // the router accepts empty path parameters, but a path with a doubled slash must be 404 (B-012)
            if request.uri().path().contains("//") {
                return Err(ApiError::from(Code::NotFound).into());
            }
            let response = self.inner.call(request).await?.into_response();
            // A server error contains no data, so the caller need not be confirmed. Other responses with an error
            // status, and redirects, can contain data, for example a page with form errors, or a redirect to a file.
            if response.status().is_server_error() {
                return Ok(response);
            }
            match answer::confirmed(response.status().is_redirection()).await {
                Ok(()) => Ok(response),
                Err(Rejection::ApiError(error)) => Err(error.into()),
                Err(Rejection::Response(rejection)) => Ok(*rejection),
            }
        };
        let inside = AssertUnwindSafe(inside).catch_unwind();
        let (outcome, record) = AnswerState::new(id).scope(inside).await;
        let id = std::str::from_utf8(&id).unwrap_or("req_");
        let outcome = match outcome {
            Ok(Ok(answer)) => into_result(answer.into_response()),
            Ok(Err(error)) => Err(classify(error)),
            Err(panic) => Err(ApiError::internal(format_args!("panic: {}", panic_text(&*panic)))),
        };
        let mut allowed = None;
        let outcome = outcome.map_err(|error| match error.status {
            StatusCode::METHOD_NOT_ALLOWED => {
                allowed = self.envelope.allowed(uri.path());
                if allowed.is_some() { error } else { Code::NotFound.into() }
            }
            _ => error,
        });
        let code = outcome.as_ref().err().map(|error| error.code.as_str());
        let mut response = match outcome {
            Ok(response) => response,
            Err(error) => {
                if let Some(log) = &error.log {
                    let (api, operation) = record.operation.map(|it| (it.api, it.id)).unzip();
                    tracing::error!(request_id = id, api, operation, status = error.status.as_u16(), "{log}");
                }
                let mut response = match self.envelope.dialect(uri.path()) {
                    Dialect::Envelope => failure::envelope(&error, id),
                    Dialect::Oauth => failure::oauth(&error),
                };
                if let Some(methods) = allowed {
                    response.headers_mut().insert(header::ALLOW, methods);
                }
                response
            }
        };
        let headers = response.headers_mut();
        headers.extend(record.headers.into_iter().map(|(name, value)| (Some(name), value)));
        if let Ok(id) = HeaderValue::from_str(id) {
            headers.insert("x-request-id", id);
        }
        let is_json = headers
            .get(header::CONTENT_TYPE)
            .is_some_and(|v| v.as_bytes().starts_with(reply::JSON.as_bytes()));
        if is_json && !headers.contains_key(header::CACHE_CONTROL) {
            headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        }
        // responses can contain text of callers, such as a client's name, so browsers must not guess the media type
        headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        if self.envelope.https_only {
            headers.insert(header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static(HTTPS_ONLY));
        }
        if head {
            remove_body(&mut response).await;
        }
        let answered = Answered {
            request_id: id,
            operation: record.operation,
            page_action: record.page_action,
            page_change: record.page_change.as_ref(),
            caller: record.caller.as_ref(),
            path: uri.path(),
            status: response.status().as_u16(),
            code,
            elapsed: started.elapsed(),
        };
        self.envelope.observer.done(&answered, seen, &mut response);
        Ok(response)
    }
}

/// Returns the response; an error response without a Content-Type is converted to an [`ApiError`].
fn into_result(response: Response) -> Result<Response, ApiError> {
    let status = response.status();
    let is_bare = response.headers().get(header::CONTENT_TYPE).is_none();
    match status.is_client_error() || status.is_server_error() {
        true if is_bare => Err(by_status(status, String::new())),
        _ => Ok(response),
    }
}

/// Converts an error of a handler, an extractor or the router.
fn classify(error: Error) -> ApiError {
    let error = match error.downcast::<ApiError>() {
        Ok(error) => return error,
        Err(error) => error,
    };
    // `ParsePathError` means that the decoded path is not UTF-8; such a path matches no route
    if error.is::<NotFoundError>() || error.is::<ParsePathError>() {
        return Code::NotFound.into();
    }
    if error.is::<MethodNotAllowedError>() {
        return ApiError::client(StatusCode::METHOD_NOT_ALLOWED);
    }
    by_status(error.status(), error.to_string())
}

fn by_status(status: StatusCode, log: String) -> ApiError {
    match status {
        StatusCode::BAD_REQUEST => Code::InvalidRequest.into(),
        StatusCode::NOT_FOUND => Code::NotFound.into(),
        StatusCode::PAYLOAD_TOO_LARGE => Code::PayloadTooLarge.into(),
        StatusCode::UNSUPPORTED_MEDIA_TYPE => Code::UnsupportedMediaType.into(),
        status if status.is_client_error() => ApiError::client(status),
        StatusCode::INTERNAL_SERVER_ERROR => ApiError::internal(log),
        status if status.is_server_error() => {
            ApiError { status, log: Some(log), ..ApiError::from(Code::ServerError) }
        }
        status => ApiError::internal(format_args!("an error with status {status}: {log}")),
    }
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}

/// Removes the body of a response to HEAD, and sets Content-Length to the body's length (RFC 9110 §8.6).
async fn remove_body(response: &mut Response) {
    let body = response.take_body();
    // an event stream has no length, and reading it would wait for its end
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

/// Returns a request id: `req_` and 26 Crockford base32 characters, which encode the 128 bits (D-003).
fn request_id(bits: u128) -> [u8; REQUEST_ID_LEN] {
    const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
    let mut id = *b"req_00000000000000000000000000";
    let mut rest = bits;
    for digit in id[4..].iter_mut().rev() {
        *digit = ALPHABET[(rest & 31) as usize];
        rest >>= 5;
    }
    id
}

#[cfg(test)]
mod unit {
    use super::*;

    #[test]
    fn the_message_of_a_panic_is_logged() {
        assert_eq!(panic_text(&"static"), "static");
        assert_eq!(panic_text(&"formatted".to_owned()), "formatted");
        assert_eq!(panic_text(&7), "no message");
    }

    #[test]
    fn request_ids_are_crockford_base32() {
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
    fn a_literal_path_has_its_own_methods() {
        struct NoObserver;
        impl Observer for NoObserver {
            type Seen = ();
            fn random(&self) -> u128 {
                0
            }
            fn seen(&self, _: &mut Request) {}
            fn done(&self, _: &Answered<'_>, (): (), _: &mut Response) {}
        }
        let envelope = Envelope::new(Arc::new(NoObserver), [])
            .and("GET", "/users/{id}")
            .and("DELETE", "/users/{id}")
            .and("GET", "/users/lookup");
        let allowed = |path| envelope.allowed(path).map(|value| value.to_str().unwrap().to_owned());
        assert_eq!(allowed("/users/lookup").as_deref(), Some("GET, HEAD"));
        assert_eq!(allowed("/users/x").as_deref(), Some("GET, HEAD, DELETE"));
        assert_eq!(allowed("/users"), None);
    }
}
