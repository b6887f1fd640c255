//! Whether a form was posted from a page of ours (D-269): the browser says where it stood.
//!
//! `Sec-Fetch-Site` and `Origin` are set by the browser and cannot be changed by a page. A request with neither is not
//! from a browser of the last years; it still needs the form's token.

use poem::http::{HeaderMap, HeaderValue, header};
use url::Url;

const FETCH_SITE: &str = "sec-fetch-site";

/// The origin of an address of ours, as browsers write it.
pub(super) fn of_url(url: &str) -> Option<String> {
    Url::parse(url).ok().map(|url| url.origin().ascii_serialization())
}

/// Whether a request that changes something may come from where it says. `ours` are the configured origins; with
/// plain `http` (development) the host that was asked counts too, since `localhost` and `127.0.0.1` are one server
/// and only one of them is configured.
pub(super) fn is_ours(headers: &HeaderMap, ours: &[String]) -> bool {
    let text = |name| headers.get(name).map(|value: &HeaderValue| value.to_str().unwrap_or("?"));
    if text(FETCH_SITE).is_some_and(|site| !matches!(site, "same-origin" | "none")) {
        return false;
    }
    let Some(origin) = text(header::ORIGIN.as_str()) else { return true };
    let is_plain = ours.first().is_some_and(|first| first.starts_with("http://"));
    let is_asked = || {
        let host = origin.strip_prefix("http://");
        host.is_some() && host == text(header::HOST.as_str())
    };
    ours.iter().any(|known| known == origin) || (is_plain && is_asked())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(base: &str, lines: &[(&'static str, &str)]) -> bool {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.insert(*name, value.parse().unwrap());
        }
        is_ours(&headers, &[of_url(base).unwrap()])
    }

    #[test]
    fn where_forms_may_come_from() {
        let https = "https://chat.example";
        for lines in [
            &[][..],
            &[("origin", "https://chat.example")],
            &[("origin", "https://chat.example"), ("sec-fetch-site", "same-origin")],
            &[("sec-fetch-site", "same-origin")],
            &[("sec-fetch-site", "none")],
        ] {
            assert!(judge(https, lines), "{lines:?}");
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
            assert!(!judge(https, lines), "{lines:?}");
        }
        let plain = "http://127.0.0.1:8080";
        assert!(judge(plain, &[("origin", "http://localhost:8080"), ("host", "localhost:8080")]));
        assert!(!judge(plain, &[("origin", "http://localhost:9000"), ("host", "localhost:8080")]));
        assert!(!judge(plain, &[("origin", "null"), ("host", "localhost:8080")]));
    }
}
