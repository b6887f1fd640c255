//! Which web pages may call the MCP endpoints: those of `https` origins, and those on the employee's own computer. So a
//! page cannot use a name of its own that leads to this server (DNS rebinding).

use poem::http::{HeaderMap, HeaderValue, header};
use url::Url;

/// The hosts of the employee's own computer.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// Where a request comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum From {
    /// From no browser.
    Program,
    /// From a page that may; its origin.
    Page(HeaderValue),
    /// From a page that may not, or a browser that does not say.
    Refused,
}

/// Reads `Origin`. `is_reading` for GET, which browsers send without it to the server that the page came from: such a
/// request is known by `Sec-Fetch-Site` and refused (D-335). Not by `Sec-Fetch-Mode`, which Node's `fetch` sends too.
pub(super) fn of(headers: &HeaderMap, is_reading: bool) -> From {
    let mut values = headers.get_all(header::ORIGIN).iter();
    match (values.next(), values.next()) {
        (None, _) if is_reading && headers.contains_key("sec-fetch-site") => From::Refused,
        (None, _) => From::Program,
        (Some(value), None) if value.to_str().is_ok_and(may) => From::Page(value.clone()),
        _ => From::Refused,
    }
}

/// Whether the text is an origin as browsers write them (RFC 6454 §6.1), and one that may (D-337).
fn may(origin: &str) -> bool {
    let Ok(url) = Url::parse(origin) else { return false };
    let is_open = match url.scheme() {
        "https" => true,
        "http" => url.host_str().is_some_and(|host| LOOPBACK.contains(&host)),
        _ => false,
    };
    is_open && url.origin().ascii_serialization() == origin
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lines: &[(&'static str, &'static str)], is_reading: bool) -> From {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(*name, HeaderValue::from_static(value));
        }
        of(&headers, is_reading)
    }

    /// A-273 … A-276
    #[test]
    fn origins() {
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
                read(&[("origin", good)], false),
                From::Page(HeaderValue::from_static(good)),
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
            assert_eq!(read(&[("origin", bad)], false), From::Refused, "{bad}");
        }
        let one = ("origin", "https://any.example");
        assert_eq!(read(&[one, one], false), From::Refused, "two values");
    }

    /// D-335
    #[test]
    fn browsers_must_say() {
        let site = ("sec-fetch-site", "same-origin");
        assert_eq!(read(&[], true), From::Program);
        assert_eq!(read(&[("sec-fetch-mode", "cors")], true), From::Program);
        assert_eq!(read(&[site], true), From::Refused);
        assert_eq!(read(&[site], false), From::Program);
        let page = ("origin", "https://any.example");
        assert!(matches!(read(&[site, page], true), From::Page(_)));
    }
}
