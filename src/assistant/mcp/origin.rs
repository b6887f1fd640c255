//! The check of the header `Origin` at the MCP endpoints, which prevents DNS rebinding. In this attack, an attacker's
//! host name resolves to the address of this server, so the attacker's page can call the server as its own origin. This
//! is possible only over `http`: over `https`, the browser rejects this server's certificate for the attacker's name.
//! So every `https` origin is allowed. Of the `http` origins, only those of the employee's own computer are allowed.

use poem::http::{HeaderMap, HeaderValue, header};
use url::Url;

/// Host names of the employee's own computer.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// The sender of a request, according to the request's headers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequestOrigin {
    /// A program that is not a browser.
    Program,
    /// A page in a browser, with an allowed origin.
    Page(HeaderValue),
    /// A page in a browser, with an origin that is not allowed or is not known (D-335).
    Rejected,
}

/// Determines the sender of a request. `is_reading` is `true` for GET.
///
/// Browsers omit `Origin` in some GET requests, for example in same-origin requests and in navigations. The origin of
/// such a request cannot be checked. So a GET without `Origin` is rejected if it has `Sec-Fetch-Site`, which only
/// browsers send (D-335). `Sec-Fetch-Mode` would not identify a browser, because Node's `fetch` sends it too.
pub fn of(headers: &HeaderMap, is_reading: bool) -> RequestOrigin {
    let mut values = headers.get_all(header::ORIGIN).iter();
    match (values.next(), values.next()) {
        (None, _) if is_reading && headers.contains_key("sec-fetch-site") => RequestOrigin::Rejected,
        (None, _) => RequestOrigin::Program,
        (Some(value), None) if value.to_str().is_ok_and(is_allowed) => RequestOrigin::Page(value.clone()),
        _ => RequestOrigin::Rejected,
    }
}

/// Returns whether the text is an allowed origin (D-337), serialized as browsers send it (RFC 6454 §6.2).
fn is_allowed(origin: &str) -> bool {
    let Ok(url) = Url::parse(origin) else { return false };
    let may_call = match url.scheme() {
        "https" => true,
        "http" => url.host_str().is_some_and(|host| LOOPBACK.contains(&host)),
        _ => false,
    };
    may_call && url.origin().ascii_serialization() == origin
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sender_of(lines: &[(&'static str, &'static str)], is_reading: bool) -> RequestOrigin {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(*name, HeaderValue::from_static(value));
        }
        of(&headers, is_reading)
    }

    /// The value of `Origin` must be one `https` origin or one loopback `http` origin, without a path (A-274 … A-276,
    /// D-337).
    #[test]
    fn only_https_and_loopback_origins_are_allowed() {
        for good in [
            "https://any.example",
            "https://any.example:8443",
            "https://xn--bcher-kva.example",
            "https://192.0.2.1",
            "http://localhost:1234",
            "http://localhost",
            "http://127.0.0.1",
            "http://[::1]:9",
        ] {
            assert_eq!(
                sender_of(&[("origin", good)], false),
                RequestOrigin::Page(HeaderValue::from_static(good)),
                "{good}"
            );
        }
        for bad in [
            "",
            "null",
            "file://",
            "chrome-extension://x",
            "http://example.com",
            "http://localhost.example",
            "http://127.0.0.1.example",
            "http://127.0.0.2",
            "http://user@localhost",
            "https://user@any.example",
            "https://any.example/",
            "https://any.example/path",
            "https://any.example?x",
            "https://any.example#x",
            "https://any.example:443",
            "HTTPS://any.example",
            "https://Any.example",
            "https://a.example, https://b.example",
            "https://a.example https://b.example",
            "https://",
            "any.example",
            "ws://localhost",
        ] {
            assert_eq!(sender_of(&[("origin", bad)], false), RequestOrigin::Rejected, "{bad}");
        }
        let one = ("origin", "https://any.example");
        assert_eq!(sender_of(&[one, one], false), RequestOrigin::Rejected, "two values are rejected");
    }

    /// A GET without `Origin` is rejected if its `Sec-Fetch-Site` shows that a browser sent it (D-335).
    #[test]
    fn a_get_from_a_browser_needs_an_origin() {
        let site = ("sec-fetch-site", "same-origin");
        assert_eq!(sender_of(&[], true), RequestOrigin::Program);
        assert_eq!(sender_of(&[("sec-fetch-mode", "cors")], true), RequestOrigin::Program);
        assert_eq!(sender_of(&[site], true), RequestOrigin::Rejected);
        assert_eq!(sender_of(&[site], false), RequestOrigin::Program);
        let page = ("origin", "https://any.example");
        assert!(matches!(sender_of(&[site, page], true), RequestOrigin::Page(_)));
    }
}
