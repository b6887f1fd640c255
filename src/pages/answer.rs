//! Answers of the pages: what every one of them says to the browser.

use askama::Template;
use poem::{
    Response,
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
};

use super::trouble::Trouble;

// Nothing but our stylesheet and our pictures; nobody may frame the page (A-170, D-268).
macro_rules! policy {
    ($more:literal) => {
        concat!(
            "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'",
            $more
        )
    };
}

/// Of every answer but those of [`page_leading_away`]: forms are posted to ourselves and stay here.
const POLICY: &str = policy!("; form-action 'self'");

/// Of a page whose form may end at an app. Chromium holds every redirect that follows a form against `form-action`,
/// those of the app's own sites too (D-265): whatever stood there, an app that leads on elsewhere would not be reached.
const LEADING_AWAY: &str = policy!("");

/// A page.
pub(super) fn page<T: Template>(status: StatusCode, template: &T) -> Result<Response, Trouble> {
    let text = template.render().map_err(|error| {
        Trouble::server(StatusCode::INTERNAL_SERVER_ERROR, format!("a template: {error}"))
    })?;
    let mut response = Response::from(poem::Body::from(text));
    response.set_status(status);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    common(headers);
    Ok(response)
}

/// A page whose form is answered by a redirect to an app (A-158, A-159, D-161), from where the app may lead on.
pub(super) fn page_leading_away<T: Template>(status: StatusCode, template: &T) -> Result<Response, Trouble> {
    let mut response = page(status, template)?;
    let policy = HeaderValue::from_static(LEADING_AWAY);
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
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
