//! Answers of the pages: what every one of them says to the browser.

use askama::Template;
use poem::{
    Response,
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
};

use super::trouble::Trouble;

/// Nothing but our stylesheet and our pictures; nobody may frame the page (A-170, D-268).
const POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; \
    frame-ancestors 'none'; form-action 'self'";

/// A page.
pub(super) fn page<T: Template>(status: StatusCode, template: &T) -> Result<Response, Trouble> {
    page_posting_to(status, template, None)
}

/// A page whose form may end at another address. Chromium holds the redirect that answers a form against the page's
/// `form-action` (D-265), so where an agreement leads must be named there.
pub(super) fn page_posting_to<T: Template>(
    status: StatusCode,
    template: &T,
    target: Option<&str>,
) -> Result<Response, Trouble> {
    let text = template.render().map_err(|error| {
        Trouble::server(StatusCode::INTERNAL_SERVER_ERROR, format!("a template: {error}"))
    })?;
    let mut response = Response::from(poem::Body::from(text));
    response.set_status(status);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    common(headers);
    if let Some(source) = target.and_then(policy_source)
        && let Ok(policy) = HeaderValue::from_str(&format!("{POLICY} {source}"))
    {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    Ok(response)
}

/// A line of plain text.
pub(super) fn plain(status: StatusCode, text: &'static str) -> Response {
    let mut response = Response::from(poem::Body::from(text));
    response.set_status(status);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    common(headers);
    response
}

/// Sends the browser to an address, always with 302 (D-263).
pub(super) fn redirect(address: &str) -> Response {
    let mut response = Response::default();
    response.set_status(StatusCode::FOUND);
    let headers = response.headers_mut();
    common(headers);
    // the addresses are paths of ours and registered redirect URIs with encoded parameters, so they are ASCII
    let location = HeaderValue::from_str(address).unwrap_or_else(|_| HeaderValue::from_static("/"));
    headers.insert(header::LOCATION, location);
    response
}

/// The headers of every answer. `no-referrer` for whatever the page leads to; the page itself relaxes it to its own
/// site with a `meta` element, or browsers would post our forms with `Origin: null`.
fn common(headers: &mut HeaderMap) {
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
        (HeaderName::from_static("x-robots-tag"), "noindex"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
}

/// The policy source that allows a redirect URI: its origin, or the scheme alone where it has none. An IPv6 address
/// cannot be written in a policy, so its scheme stands for it (CSP3 §2.3.1).
fn policy_source(uri: &str) -> Option<String> {
    let (scheme, rest) = uri.split_once(':')?;
    let is_scheme = scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    if !is_scheme || scheme.is_empty() {
        return None;
    }
    let is_web = scheme.eq_ignore_ascii_case("https") || scheme.eq_ignore_ascii_case("http");
    let host = rest.strip_prefix("//").unwrap_or_default().split(['/', '?', '#']).next().unwrap_or_default();
    let is_host = |byte: u8| byte.is_ascii_alphanumeric() || b"-.:".contains(&byte);
    if is_web && !host.is_empty() && host.bytes().all(is_host) {
        Some(format!("{scheme}://{host}"))
    } else {
        Some(format!("{scheme}:"))
    }
}

#[cfg(test)]
mod tests {
    use super::policy_source;

    #[test]
    fn sources_of_redirect_uris() {
        for (uri, source) in [
            ("https://app.example/cb?x=1", Some("https://app.example")),
            ("https://app.example:8443/cb", Some("https://app.example:8443")),
            ("https://app.example?x=1", Some("https://app.example")),
            ("http://127.0.0.1:3334/cb", Some("http://127.0.0.1:3334")),
            ("http://localhost/cb", Some("http://localhost")),
            ("http://[::1]:3334/cb", Some("http:")),
            ("com.example.app:/cb", Some("com.example.app:")),
            ("cursor://anysphere/cb", Some("cursor:")),
            ("no scheme", None),
            ("; script-src *:x", None),
        ] {
            assert_eq!(policy_source(uri).as_deref(), source, "{uri}");
        }
    }
}
