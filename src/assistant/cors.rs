//! CORS for the server's metadata, `/register`, `/token` and `/revoke`: scripts of every origin may call them, but not
//! with cookies (D-200, D-311). Responses with error statuses have the CORS headers too, so that scripts can read the
//! errors.

use poem::{
    Endpoint, IntoResponse, Request, Response,
    http::{HeaderName, HeaderValue, Method, StatusCode, header},
};

use crate::contract::answer;

/// Paths that respond to `OPTIONS`, with the methods that they allow.
pub const PATHS: [(&str, &str); 7] = [
    ("/.well-known/oauth-protected-resource", GET),
    ("/.well-known/oauth-protected-resource/mcp", GET),
    ("/.well-known/oauth-protected-resource/mcp/readonly", GET),
    ("/.well-known/oauth-authorization-server", GET),
    ("/register", POST),
    ("/token", POST),
    ("/revoke", POST),
];
const GET: &str = "GET, HEAD, OPTIONS";
const POST: &str = "POST, OPTIONS";

const ALLOW_ORIGIN: HeaderName = header::ACCESS_CONTROL_ALLOW_ORIGIN;

/// Wraps an endpoint. Adds CORS headers that allow scripts of every origin to read its responses. Also responds to
/// `OPTIONS` for [`PATHS`].
pub(super) fn open<E: Endpoint>(inner: E) -> impl Endpoint<Output = Response> {
    AllowAnyOrigin(inner)
}

struct AllowAnyOrigin<E>(E);

impl<E: Endpoint> Endpoint for AllowAnyOrigin<E> {
    type Output = Response;

    async fn call(&self, request: Request) -> poem::Result<Response> {
        answer::header(ALLOW_ORIGIN, HeaderValue::from_static("*"));
        let preflight =
            (*request.method() == Method::OPTIONS).then(|| methods(request.uri().path())).flatten();
        if let Some(methods) = preflight {
            return Ok(preflight_response(methods));
        }
        let exposed = HeaderValue::from_static("Retry-After, WWW-Authenticate, X-Request-Id");
        answer::header(header::ACCESS_CONTROL_EXPOSE_HEADERS, exposed);
        Ok(self.0.call(request).await?.into_response())
    }
}

fn methods(path: &str) -> Option<&'static str> {
    PATHS.iter().find(|(known, _)| *known == path).map(|(_, methods)| *methods)
}

fn preflight_response(methods: &'static str) -> Response {
    let mut response = Response::default();
    response.set_status(StatusCode::NO_CONTENT);
    for (name, value) in [
        (header::ALLOW, methods),
        (header::ACCESS_CONTROL_ALLOW_METHODS, methods),
        // the headers that clients send are listed, because `*` does not cover Authorization
        (header::ACCESS_CONTROL_ALLOW_HEADERS, "Authorization, Content-Type, MCP-Protocol-Version"),
        (header::ACCESS_CONTROL_MAX_AGE, "86400"),
    ] {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}
