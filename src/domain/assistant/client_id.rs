//! Client ids that are URLs of metadata documents (OAuth Client ID Metadata Document, draft-01 §3).

use crate::domain::redirect::WebUri;

/// Why a client id is not a valid URL of a metadata document. `Display` returns a sentence for the error page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClientIdError {
    /// The client id does not begin with `https://`.
    Scheme,
    /// The client id is longer than 2048 bytes, has a fragment or a user name, or violates the grammar of RFC 3986.
    Malformed,
    /// The host is not in canonical form.
    Host,
    /// The path is missing (D-204).
    NoPath,
    /// A path segment is `.` or `..`, plain or percent-encoded.
    DotSegment,
}

impl std::fmt::Display for ClientIdError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Scheme => "The client id is neither a registered id nor an https URL.",
            Self::Malformed => {
                "The client id is not a valid URL: it must have at most 2048 bytes, and no fragment, user name, \
                 backslash, space, control or non-ASCII character."
            }
            Self::Host => {
                "The host of the client id is not in canonical form: it must be a name in lower case, without a dot at \
                 its end and with valid A-labels, or an address in its usual spelling."
            }
            Self::NoPath => "The client id is a URL without a path.",
            Self::DotSegment => "The client id is a URL with a dot segment in its path.",
        })
    }
}

/// Parses a client id as the URL of a metadata document. Query and port are allowed (D-205).
///
/// # Errors
/// The first [`ClientIdError`] found.
pub fn parse(client_id: &str) -> Result<WebUri<'_>, ClientIdError> {
    if !client_id.starts_with("https://") {
        return Err(ClientIdError::Scheme);
    }
    let uri = WebUri::parse(client_id).map_err(|_| ClientIdError::Malformed)?;
    // only the canonical spelling of a host is allowed, so that a host has only one block key (D-243)
    if super::hosts::canonical_host(uri.host).as_deref() != Some(uri.host) {
        return Err(ClientIdError::Host);
    }
    if uri.path.split('/').all(str::is_empty) {
        return Err(ClientIdError::NoPath);
    }
    let is_dots =
        |segment: &str| matches!(segment.to_ascii_lowercase().replace("%2e", ".").as_str(), "." | "..");
    if uri.path.split('/').any(is_dots) {
        return Err(ClientIdError::DotSegment);
    }
    Ok(uri)
}

/// Returns the authority of a URL: `host`, or `host:port` if the port is not the default port of the scheme. The host
/// is in canonical form. Two URLs of the same server have the same authority.
#[must_use]
pub fn authority(uri: &WebUri<'_>) -> String {
    let host = super::hosts::normal_host(uri.host);
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
    fn only_canonical_https_urls_are_client_ids() {
        // an `https` URL with a path; a query and a port are allowed
        for url in [
            "https://client.example/a",
            "https://client.example:8443/a/b?x=1",
            "https://client.example//a",
            "https://xn--bcher-kva.example/a",
            "https://my_host-1.example/a",
            "https://8.8.8.8/a",
            "https://1.1.1.1:8443/a",
            "https://client.example/a..b/...",
            "https://[2001:db8::1]/a",
            "https://[2001:db8:0:1:1:1:1:1]/a",
        ] {
            assert!(parse(url).is_ok(), "{url}");
        }
        for (url, error) in [
            // another scheme, or no path
            ("http://client.example/a", ClientIdError::Scheme),
            ("HTTPS://client.example/a", ClientIdError::Scheme),
            ("mcpc_x", ClientIdError::Scheme),
            ("", ClientIdError::Scheme),
            ("https://client.example", ClientIdError::NoPath),
            ("https://client.example/", ClientIdError::NoPath),
            ("https://client.example//", ClientIdError::NoPath),
            ("https://client.example?x=/a", ClientIdError::NoPath),
            // fragments, user names, a missing host, and characters that a URL or its host must not have
            ("https://client.example/a#", ClientIdError::Malformed),
            ("https://client.example/a#b", ClientIdError::Malformed),
            ("https://me@client.example/a", ClientIdError::Malformed),
            ("https://me:pw@client.example/a", ClientIdError::Malformed),
            ("https://client.example/a\\b", ClientIdError::Malformed),
            ("https://client.example/a b", ClientIdError::Malformed),
            ("https://client.example/a\n", ClientIdError::Malformed),
            ("https://client.example/\u{e9}", ClientIdError::Malformed),
            ("https:///a", ClientIdError::Malformed),
            ("https://client%2Eexample/a", ClientIdError::Malformed),
            ("https://cl%69ent.example/a", ClientIdError::Malformed),
            // hosts that are not in canonical form (D-243)
            ("https://CLIENT.example/a", ClientIdError::Host),
            ("https://client.example./a", ClientIdError::Host),
            ("https://1.1.1/a", ClientIdError::Host),
            ("https://1.1/a", ClientIdError::Host),
            ("https://16843009/a", ClientIdError::Host),
            ("https://0x01010101/a", ClientIdError::Host),
            ("https://0x7f.1/a", ClientIdError::Host),
            ("https://0X7F.1/a", ClientIdError::Host),
            ("https://01.1.1.1/a", ClientIdError::Host),
            ("https://0x1.1.1.1/a", ClientIdError::Host),
            ("https://1.1.1.1./a", ClientIdError::Host),
            ("https://1.1.1.256/a", ClientIdError::Host),
            ("https://client.1/a", ClientIdError::Host),
            ("https://[2001:DB8::1]/a", ClientIdError::Host),
            ("https://[2001:db8::0:1]/a", ClientIdError::Host),
            ("https://[2001:0db8::1]/a", ClientIdError::Host),
            ("https://[2001:db8:0:0:0:0:0:1]/a", ClientIdError::Host),
            ("https://[2001:db8::1:1:1:1:1]/a", ClientIdError::Host),
            ("https://[::ffff:1.1.1.1]/a", ClientIdError::Host),
            // an A-label with an upper-case letter, an A-label of an ASCII name, an invalid A-label
            ("https://xn--Bcher-kva.example/a", ClientIdError::Host),
            ("https://xn--client-.example/a", ClientIdError::Host),
            ("https://xn--999999999.example/a", ClientIdError::Host),
            // dot segments
            ("https://client.example/./a", ClientIdError::DotSegment),
            ("https://client.example/../a", ClientIdError::DotSegment),
            ("https://client.example/a/..", ClientIdError::DotSegment),
            ("https://client.example/%2e/a", ClientIdError::DotSegment),
            ("https://client.example/a/.%2E/b", ClientIdError::DotSegment),
        ] {
            assert_eq!(parse(url).err(), Some(error), "{url}");
        }
        // a client id has at most 2,048 bytes
        let longest = format!("https://client.example/{}", "a".repeat(2048 - 23));
        assert!(longest.len() == 2048 && parse(&longest).is_ok());
        assert_eq!(parse(&format!("{longest}a")).err(), Some(ClientIdError::Malformed));
    }

    #[test]
    fn the_default_port_is_left_out_of_an_authority() {
        let of = |url: &str| authority(&WebUri::parse(url).unwrap());
        assert_eq!(of("https://A.example.:443/x"), "a.example");
        assert_eq!(of("https://a.example:444/x"), "a.example:444");
    }
}
