//! Origin check of submitted forms against CSRF (D-269).
//!
//! Browsers set the headers `Sec-Fetch-Site` and `Origin`, and scripts of a page cannot change them. A request that has
//! neither of the two does not come from a recent browser. This check accepts such a request, because the token in the
//! form still protects it against CSRF.

use poem::http::{HeaderMap, HeaderValue, header};
use url::Url;

const FETCH_SITE: &str = "sec-fetch-site";

/// Returns the origin of a configured URL as browsers send it in `Origin`; `None` if the URL is invalid.
pub(super) fn of_url(url: &str) -> Option<String> {
    Url::parse(url).ok().map(|url| url.origin().ascii_serialization())
}

/// Returns whether the request's origin is allowed to submit forms. `Sec-Fetch-Site` must be missing, `same-origin` or
/// `none`. `Origin` must be missing or one of the configured origins `ours`.
///
/// The first of `ours` is the origin of the base URL. If it begins with `http://`, as in development, `Origin` may also
/// be `http://` followed by the value of `Host`: a developer's browser can use `localhost` where `127.0.0.1` is
/// configured.
pub(super) fn is_allowed_origin(headers: &HeaderMap, ours: &[String]) -> bool {
    let text = |name| headers.get(name).map(|value: &HeaderValue| value.to_str().unwrap_or("?"));
    if text(FETCH_SITE).is_some_and(|site| !matches!(site, "same-origin" | "none")) {
        return false;
    }
    let Some(origin) = text(header::ORIGIN.as_str()) else { return true };
    let is_plain = ours.first().is_some_and(|first| first.starts_with("http://"));
    let is_requested_host = || {
        let host = origin.strip_prefix("http://");
        host.is_some() && host == text(header::HOST.as_str())
    };
    ours.iter().any(|known| known == origin) || (is_plain && is_requested_host())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_allowed(base: &str, lines: &[(&'static str, &str)]) -> bool {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.insert(*name, value.parse().unwrap());
        }
        is_allowed_origin(&headers, &[of_url(base).unwrap()])
    }

    #[test]
    fn forms_are_accepted_from_our_own_origins_only() {
        let https = "https://chat.example";
        for lines in [
            &[][..],
            &[("origin", "https://chat.example")],
            &[("origin", "https://chat.example"), ("sec-fetch-site", "same-origin")],
            &[("sec-fetch-site", "same-origin")],
            &[("sec-fetch-site", "none")],
        ] {
            assert!(is_allowed(https, lines), "{lines:?}");
        }
        for lines in [
            &[("origin", "null")][..],
            &[("origin", "https://evil.example")],
            &[("origin", "http://chat.example")],
            &[("origin", "https://chat.example.evil.example")],
            &[("origin", "https://chat.example:444")],
            &[("origin", "https://evil.example"), ("host", "evil.example")],
            &[("sec-fetch-site", "cross-site")],
            &[("sec-fetch-site", "same-site")],
            &[("origin", "https://chat.example"), ("sec-fetch-site", "cross-site")],
        ] {
            assert!(!is_allowed(https, lines), "{lines:?}");
        }
        let plain = "http://127.0.0.1:8080";
        assert!(is_allowed(plain, &[("origin", "http://localhost:8080"), ("host", "localhost:8080")]));
        assert!(!is_allowed(plain, &[("origin", "http://localhost:9000"), ("host", "localhost:8080")]));
        assert!(!is_allowed(plain, &[("origin", "null"), ("host", "localhost:8080")]));
    }
}
