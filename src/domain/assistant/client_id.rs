//! Client ids that are the URL of a metadata document (Client ID Metadata Documents, draft-01 §3).

use crate::domain::redirect::WebUri;

/// Why a text is no URL of a metadata document; `Display` is a sentence for the error page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Another scheme than `https`.
    Scheme,
    /// Over 2048 bytes, a fragment, a user name, or what RFC 3986 does not allow.
    Malformed,
    /// Only a host (D-204).
    NoPath,
    /// A segment `.` or `..`, plain or encoded.
    DotSegment,
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Scheme => "The client id is neither a registered id nor an https URL.",
            Self::Malformed => {
                "The client id is not a valid URL: it has at most 2048 bytes, and no fragment, user name, backslash, \
                 space, control or non-ASCII character."
            }
            Self::NoPath => "The client id is a URL without a path.",
            Self::DotSegment => "The client id is a URL with a dot segment in its path.",
        })
    }
}

/// Reads a client id as the URL of a metadata document. Query and port are allowed (D-205).
///
/// # Errors
/// The first [`Fault`] found.
pub fn parse(client_id: &str) -> Result<WebUri<'_>, Fault> {
    if !client_id.starts_with("https://") {
        return Err(Fault::Scheme);
    }
    let uri = WebUri::parse(client_id).map_err(|_| Fault::Malformed)?;
    if uri.path.split('/').all(str::is_empty) {
        return Err(Fault::NoPath);
    }
    let is_dots =
        |segment: &str| matches!(segment.to_ascii_lowercase().replace("%2e", ".").as_str(), "." | "..");
    if uri.path.split('/').any(is_dots) {
        return Err(Fault::DotSegment);
    }
    Ok(uri)
}

/// `host` or `host:port` in lower case, the default port left out: what two URLs of one server share.
#[must_use]
pub fn authority(uri: &WebUri<'_>) -> String {
    let host = super::keys::normal_host(uri.host);
    let default = if uri.is_https { 443 } else { 80 };
    match uri.port.filter(|port| *port != default) {
        Some(port) => format!("{host}:{port}"),
        None => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_of_documents() {
        //
        for url in [
            "https://client.example/a",
            "https://client.example:8443/a/b?x=1",
            "https://client.example//a",
            "https://CLIENT.example/a",
            "https://client.example/a..b/...",
            "https://[2001:db8::1]/a",
        ] {
            assert!(parse(url).is_ok(), "{url}");
        }
        for (url, fault) in [
            //
            ("http://client.example/a", Fault::Scheme),
            ("HTTPS://client.example/a", Fault::Scheme),
            ("mcpc_x", Fault::Scheme),
            ("", Fault::Scheme),
            ("https://client.example", Fault::NoPath),
            ("https://client.example/", Fault::NoPath),
            ("https://client.example//", Fault::NoPath),
            ("https://client.example?x=/a", Fault::NoPath),
            //
            ("https://client.example/a#", Fault::Malformed),
            ("https://client.example/a#b", Fault::Malformed),
            ("https://me@client.example/a", Fault::Malformed),
            ("https://me:pw@client.example/a", Fault::Malformed),
            ("https://client.example/a\\b", Fault::Malformed),
            ("https://client.example/a b", Fault::Malformed),
            ("https://client.example/a\n", Fault::Malformed),
            ("https://client.example/\u{e9}", Fault::Malformed),
            ("https:///a", Fault::Malformed),
            ("https://client.example/./a", Fault::DotSegment),
            ("https://client.example/../a", Fault::DotSegment),
            ("https://client.example/a/..", Fault::DotSegment),
            ("https://client.example/%2e/a", Fault::DotSegment),
            ("https://client.example/a/.%2E/b", Fault::DotSegment),
        ] {
            assert_eq!(parse(url).err(), Some(fault), "{url}");
        }
        //
        let longest = format!("https://client.example/{}", "a".repeat(2048 - 23));
        assert!(longest.len() == 2048 && parse(&longest).is_ok());
        assert_eq!(parse(&format!("{longest}a")).err(), Some(Fault::Malformed));
    }

    #[test]
    fn authorities() {
        let of = |url: &str| authority(&parse(url).unwrap());
        assert_eq!(of("https://A.example.:443/x"), "a.example");
        assert_eq!(of("https://a.example:444/x"), "a.example:444");
    }
}
