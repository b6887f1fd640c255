//! CORS for the MCP endpoints (D-366). Only pages of allowed origins may read responses. So a response names the origin
//! of the requesting page, and not `*`.

use poem::{
    Response,
    http::{HeaderMap, HeaderValue, StatusCode, header},
};

use crate::contract::{answer, reply};

/// Methods that scripts may use.
pub(super) const METHODS: &str = "POST, GET, DELETE";
/// All methods of the endpoints.
const ALLOW: &str = "POST, GET, HEAD, DELETE, OPTIONS";
/// Response headers that scripts may read.
const EXPOSED: &str = "Mcp-Session-Id, WWW-Authenticate, MCP-Protocol-Version, Retry-After, X-Request-Id";
/// Request headers that scripts may send.
const HEADERS: [&str; 8] = [
    "accept",
    "authorization",
    "content-type",
    "last-event-id",
    "mcp-method",
    "mcp-name",
    "mcp-protocol-version",
    "mcp-session-id",
];

/// Adds the headers that allow pages of this origin to read the response, whatever the status of the response.
pub(super) fn permit(origin: HeaderValue) {
    answer::header(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    answer::header(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(EXPOSED));
    answer::header(header::VARY, HeaderValue::from_static("Origin"));
}

/// Returns the response to OPTIONS. `Allow` lists the methods of the endpoint. If a page sent the request, the response
/// also lists the methods and the request headers that scripts may use.
pub(super) fn preflight(request: &HeaderMap, is_page: bool) -> Response {
    let mut response = reply::empty(StatusCode::NO_CONTENT.as_u16());
    let headers = response.headers_mut();
    headers.insert(header::ALLOW, HeaderValue::from_static(ALLOW));
    if is_page {
        headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static(METHODS));
        headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("86400"));
        if let Ok(allowed) = HeaderValue::from_str(&allowed_headers(request)) {
            headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, allowed);
        }
    }
    response
}

/// Returns the allowed headers among the headers that the preflight names. If the preflight names none, returns all
/// allowed headers.
fn allowed_headers(request: &HeaderMap) -> String {
    let asked = request.get_all(header::ACCESS_CONTROL_REQUEST_HEADERS).iter();
    let names = asked.filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(','));
    let mut asked = names.map(str::trim).filter(|name| !name.is_empty()).peekable();
    if asked.peek().is_none() {
        return HEADERS.join(", ");
    }
    let allowed = |name: &str| HEADERS.into_iter().find(|known| name.eq_ignore_ascii_case(known));
    asked.filter_map(allowed).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_preflight_that_names_no_headers_gets_all_allowed_headers() {
        let allowed = |requested: Option<&'static str>| {
            let mut request = HeaderMap::new();
            if let Some(names) = requested {
                request.insert(header::ACCESS_CONTROL_REQUEST_HEADERS, HeaderValue::from_static(names));
            }
            allowed_headers(&request)
        };
        for none in [None, Some(""), Some(" , ")] {
            assert_eq!(allowed(none), HEADERS.join(", "), "{none:?}");
        }
        assert_eq!(allowed(Some("Authorization, x-other")), "authorization");
    }
}
