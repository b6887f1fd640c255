//! Responses of the pages and their security headers.

use askama::Template;
use poem::{
    Response,
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
};

use super::error_page::PageError;

// allows only stylesheets of this site and images of this site or in `data:` URLs, and forbids framing (A-170, D-268)
macro_rules! policy {
    ($more:literal) => {
        concat!(
            "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'",
            $more
        )
    };
}

/// Policy of every response except assets and the responses of [`page_leading_away`] and [`client_page`]. Forms are
/// submitted to this site only.
const POLICY: &str = policy!("; form-action 'self'");

/// Policy of a page whose form may redirect to an app. The policy has no `form-action`: Chromium checks every redirect
/// after a form submission against `form-action`, including the redirects of the app's own sites (D-265). So any value
/// could block an app that redirects further.
const LEADING_AWAY: &str = policy!("");

/// Policy of the pages of the web client and of the console. These pages load scripts of this site.
const SCRIPTED: &str = policy!("; form-action 'self'; script-src 'self'; connect-src 'self'");

/// Renders a page of the web client or of the console.
pub(super) fn client_page<T: Template>(status: StatusCode, template: &T) -> Result<Response, PageError> {
    let mut response = page(status, template)?;
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(SCRIPTED));
    Ok(response)
}

/// Sets the headers of an event stream.
pub(super) fn event_stream(response: &mut Response, media_type: &'static str) {
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
    common(headers);
    // nginx would buffer the stream without this header
    headers.insert(HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));
}

/// Renders a page.
pub(super) fn page<T: Template>(status: StatusCode, template: &T) -> Result<Response, PageError> {
    let text = template.render().map_err(|error| {
        PageError::server(StatusCode::INTERNAL_SERVER_ERROR, format!("failed to render a template: {error}"))
    })?;
    let mut response = Response::from(poem::Body::from(text));
    response.set_status(status);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    common(headers);
    Ok(response)
}

/// Renders a page whose form redirects to an app (A-158, A-159, D-161). The app may redirect further.
pub(super) fn page_leading_away<T: Template>(
    status: StatusCode,
    template: &T,
) -> Result<Response, PageError> {
    let mut response = page(status, template)?;
    let policy = HeaderValue::from_static(LEADING_AWAY);
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    Ok(response)
}

/// Returns a response with a line of plain text.
pub(super) fn plain(status: StatusCode, text: &'static str) -> Response {
    let mut response = Response::from(poem::Body::from(text));
    response.set_status(status);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    common(headers);
    response
}

/// Redirects the browser with 302 (D-263). Forms of the web client use [`see_other`].
pub(super) fn redirect(address: &str) -> Response {
    redirect_with(StatusCode::FOUND, address)
}

/// Redirects the browser with 303 after a form of the web client, to the page that the form changed.
pub(super) fn see_other(address: &str) -> Response {
    redirect_with(StatusCode::SEE_OTHER, address)
}

fn redirect_with(status: StatusCode, address: &str) -> Response {
    let mut response = Response::default();
    response.set_status(status);
    let headers = response.headers_mut();
    common(headers);
    // an address is one of our paths or a registered redirect URI with encoded parameters, so it is ASCII
    let location = HeaderValue::from_str(address).unwrap_or_else(|_| HeaderValue::from_static("/"));
    headers.insert(header::LOCATION, location);
    response
}

/// Sets the headers that all responses except assets have. The policy `no-referrer` applies to links to other sites. A
/// `meta` element of the pages relaxes this policy for requests to this site. Without the `meta` element, browsers
/// would submit forms with the header `Origin: null`, which the server rejects.
pub(super) fn common(headers: &mut HeaderMap) {
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        // another site that opens the page in a window gets no reference to the window
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (header::CACHE_CONTROL, "no-store"),
        (HeaderName::from_static("x-robots-tag"), "noindex"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
}
