//! Redirect URIs of bot apps, and strict parsing of web URIs.
//!
//! This module parses the raw bytes of a URI by the grammar of RFC 3986. Attacks on redirect checks use a text that two
//! programs parse differently (RFC 9700 §4.1). So this module does not repair invalid URIs. A URI with bytes that RFC
//! 3986 does not allow is rejected at registration. A later OAuth request is accepted only if its redirect URI is
//! identical to the registered text ([`is_same`]).

use std::fmt;
use std::net::Ipv6Addr;

/// Maximum length of a URI in bytes.
pub const MAX_LEN: usize = 2_048;

/// Hosts of the user's own computer, compared literally (D-238).
const LOOPBACK_HOSTS: [&str; 3] = ["127.0.0.1", "[::1]", "localhost"];

/// An absolute `http` or `https` URI.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WebUri<'a> {
    /// `true` for `https`, `false` for `http`.
    pub is_https: bool,
    /// The host as written. An IPv6 address has its brackets.
    pub host: &'a str,
    /// The port, if the URI has one.
    pub port: Option<u16>,
    /// The path, beginning with its first `/`, without the query. It is empty if the URI has no path.
    pub path: &'a str,
    /// The query without `?`.
    pub query: Option<&'a str>,
}

/// Why a URI is rejected. `Display` completes a sentence that begins with the name of the URI, for example "redirect
/// URI …".
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WebUriError {
    /// The URI has more than [`MAX_LEN`] bytes.
    TooLong,
    /// The URI contains a character or `%` sequence that RFC 3986 does not allow at its position.
    Character,
    /// The URI begins with neither `https://` nor `http://`.
    Scheme,
    /// A user name precedes the host.
    UserInfo,
    /// The host is missing, or is none of these: a DNS name, an IPv4 address, an IPv6 address in brackets.
    Host,
    /// The port is not a number from 1 to 65535, or has leading zeros.
    Port,
    /// The URI contains a `#`, even if nothing follows it.
    Fragment,
    /// The scheme is `http`, and the host is not a loopback host.
    Insecure,
}

impl fmt::Display for WebUriError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TooLong => "must have at most 2048 bytes",
            Self::Character => "has a character or % sequence that is not allowed at its position",
            Self::Scheme => "must be absolute and begin with https:// or http://",
            Self::UserInfo => "must not have a user name",
            Self::Host => "must have a host name or address",
            Self::Port => "must have a port from 1 to 65535 or none",
            Self::Fragment => "must not have a fragment",
            Self::Insecure => "must use https unless its host is 127.0.0.1, [::1] or localhost",
        })
    }
}

impl std::error::Error for WebUriError {}

impl<'a> WebUri<'a> {
    /// Parses an absolute `http` or `https` URI without user name and fragment.
    ///
    /// # Errors
    /// The first [`WebUriError`] found.
    pub fn parse(uri: &'a str) -> Result<Self, WebUriError> {
        Self::parse_within(uri, MAX_LEN)
    }

    /// Parses a URI like [`WebUri::parse`], but with `max_len` as the maximum length in bytes.
    ///
    /// # Errors
    /// Those of [`WebUri::parse`].
    pub(super) fn parse_within(uri: &'a str, max_len: usize) -> Result<Self, WebUriError> {
        if uri.len() > max_len {
            return Err(WebUriError::TooLong);
        }
        if uri.contains('#') {
            return Err(WebUriError::Fragment);
        }
        let (scheme, rest) = uri.split_once("://").ok_or(WebUriError::Scheme)?;
        let is_https = scheme.eq_ignore_ascii_case("https");
        if !is_https && !scheme.eq_ignore_ascii_case("http") {
            return Err(WebUriError::Scheme);
        }
        let (authority, rest) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
        let (path, query) = match rest.split_once('?') {
            Some((path, query)) => (path, Some(query)),
            None => (rest, None),
        };
        if !is_allowed(authority, b":@[]")
            || !is_allowed(path, b":@/")
            || !is_allowed(query.unwrap_or(""), b":@/?")
        {
            return Err(WebUriError::Character);
        }
        if authority.contains('@') {
            return Err(WebUriError::UserInfo);
        }
        let (host, port) = split_port(authority);
        if !is_host(host) {
            return Err(WebUriError::Host);
        }
        let port = port.map(|port| parse_port(port).ok_or(WebUriError::Port)).transpose()?;
        Ok(Self { is_https, host, port, path, query })
    }

    /// Returns whether the host is one of the three loopback hosts.
    #[must_use]
    pub fn is_loopback(&self) -> bool {
        LOOPBACK_HOSTS.contains(&self.host)
    }
}

/// Checks whether a bot app may register a redirect URI: `https` with any host, or `http` with a loopback host.
///
/// # Errors
/// The first [`WebUriError`] found.
pub fn check_registration(uri: &str) -> Result<(), WebUriError> {
    let uri = WebUri::parse(uri)?;
    if uri.is_https || uri.is_loopback() { Ok(()) } else { Err(WebUriError::Insecure) }
}

/// Returns whether a redirect URI is the registered redirect URI. Compares bytes, without normalization.
#[must_use]
pub fn is_same(registered: &str, given: &str) -> bool {
    registered == given
}

/// Appends parameters to the query of a redirect URI. The URI's own parameters stay unchanged (RFC 6749 §3.1.2, A-156).
/// Values may be any bytes.
///
/// All characters except unreserved characters are percent-encoded. A space becomes `%20` and not `+`: form decoders
/// and URI parsers read `%20` as a space, but only form decoders read `+` as a space.
#[must_use]
pub fn with_parameters(uri: &str, parameters: &[(&str, &[u8])]) -> String {
    let mut address = uri.to_owned();
    for (name, value) in parameters {
        // the first question mark begins the query; further question marks are part of the query
        match address.find('?') {
            None => address.push('?'),
            Some(at) if at + 1 == address.len() || address.ends_with('&') => {}
            Some(_) => address.push('&'),
        }
        push_encoded(&mut address, name.as_bytes());
        address.push('=');
        push_encoded(&mut address, value);
    }
    address
}

fn push_encoded(address: &mut String, text: &[u8]) {
    for &byte in text {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            address.push(char::from(byte));
        } else {
            push_escape(address, byte);
        }
    }
}

/// Appends a byte as `%` and two upper-case hex digits.
pub fn push_escape(address: &mut String, byte: u8) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let digit = |nibble: u8| char::from(DIGITS[usize::from(nibble)]);
    address.extend(['%', digit(byte >> 4), digit(byte & 15)]);
}

/// Returns whether every byte is unreserved, a sub-delimiter, one of `more`, or part of a percent-encoding.
pub(super) fn is_allowed(text: &str, more: &[u8]) -> bool {
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        let allowed = match byte {
            b'%' => {
                let mut is_hex = || bytes.next().is_some_and(|digit| digit.is_ascii_hexdigit());
                is_hex() && is_hex()
            }
            _ => byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=".contains(&byte) || more.contains(&byte),
        };
        if !allowed {
            return false;
        }
    }
    true
}

/// Splits an authority into host and port. Colons inside brackets belong to an IPv6 address.
pub(super) fn split_port(authority: &str) -> (&str, Option<&str>) {
    let address_end = authority.rfind(']').unwrap_or(0);
    match authority[address_end..].find(':') {
        Some(colon) => (&authority[..address_end + colon], Some(&authority[address_end + colon + 1..])),
        None => (authority, None),
    }
}

fn parse_port(port: &str) -> Option<u16> {
    if port.starts_with('0') || !port.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    port.parse().ok()
}

/// Returns whether a text is a host. The check is stricter than RFC 3986: in RFC 3986 a `reg-name` can contain
/// characters such as `*` and `%`, but no host name contains them.
fn is_host(host: &str) -> bool {
    if let Some(address) = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return address.parse::<Ipv6Addr>().is_ok();
    }
    let name = host.strip_suffix('.').unwrap_or(host);
    host.len() <= 253
        && name.split('.').all(|label| {
            (1..=63).contains(&label.len())
                && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
        })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn valid_uris_can_be_registered() {
        for uri in [
            "https://example.com",
            "https://example.com/",
            "https://example.com:8443/cb/a%20b;c=d?x=1&y=/?@:",
            "https://EXAMPLE.com/Cb",
            "https://example.com?x=1",
            "https://example.com.",
            "https://192.0.2.1/cb",
            "https://[2001:db8::1]:444/cb",
            "https://my_host-1/cb",
            "http://127.0.0.1/cb",
            "http://127.0.0.1:65535/cb",
            "http://localhost:1",
            "http://[::1]:8080/cb?a",
            "HTTPS://example.com/",
        ] {
            assert_eq!(check_registration(uri), Ok(()), "{uri}");
        }
        let longest = format!("https://example.com/{}", "a".repeat(MAX_LEN - 20));
        assert_eq!(check_registration(&longest), Ok(()));
        assert_eq!(check_registration(&format!("{longest}a")), Err(WebUriError::TooLong));
    }

    #[test]
    fn invalid_uris_are_rejected_with_a_reason() {
        for (uri, error) in [
            ("", WebUriError::Scheme),
            ("/cb", WebUriError::Scheme),
            ("//example.com/cb", WebUriError::Scheme),
            ("example.com/cb", WebUriError::Scheme),
            ("https:example.com", WebUriError::Scheme),
            ("https:/example.com", WebUriError::Scheme),
            ("javascript:alert(1)//://x", WebUriError::Scheme),
            ("javascript://example.com/%0aalert(1)", WebUriError::Scheme),
            ("data:text/html,x", WebUriError::Scheme),
            ("com.example.app:/cb", WebUriError::Scheme),
            (" https://example.com", WebUriError::Scheme),
            ("ftp://example.com", WebUriError::Scheme),
            ("https://", WebUriError::Host),
            ("https:///cb", WebUriError::Host),
            ("https://?x", WebUriError::Host),
            ("https://:443/cb", WebUriError::Host),
            ("https://*.example.com/", WebUriError::Host),
            ("https://ex%61mple.com/", WebUriError::Host),
            ("https://a..b/", WebUriError::Host),
            ("https://.a/", WebUriError::Host),
            ("https://[::1/", WebUriError::Host),
            ("https://::1]/", WebUriError::Host),
            ("https://[::1]x/", WebUriError::Host),
            ("https://[v1.a]/", WebUriError::Host),
            ("https://[fe80::1%25eth0]/", WebUriError::Host),
            ("https://[127.0.0.1]/", WebUriError::Host),
            ("https://a:b:1/", WebUriError::Port),
            ("https://a:/", WebUriError::Port),
            ("https://a:0/", WebUriError::Port),
            ("https://a:080/", WebUriError::Port),
            ("https://a:65536/", WebUriError::Port),
            ("https://a:+1/", WebUriError::Port),
            ("https://a:99999999999999999999/", WebUriError::Port),
            ("https://user@a/", WebUriError::UserInfo),
            ("https://user:pw@a/", WebUriError::UserInfo),
            ("https://@a/", WebUriError::UserInfo),
            ("https://a/#", WebUriError::Fragment),
            ("https://a/#x", WebUriError::Fragment),
            ("https://a#@b/", WebUriError::Fragment),
            ("https://a\\@b/", WebUriError::Character),
            ("https://a/\\b", WebUriError::Character),
            ("https://a/ b", WebUriError::Character),
            ("https://a/\n", WebUriError::Character),
            ("https://a/\u{e9}", WebUriError::Character),
            ("https://\u{e9}.com/", WebUriError::Character),
            ("https://a/%", WebUriError::Character),
            ("https://a/%2", WebUriError::Character),
            ("https://a/%zz", WebUriError::Character),
            ("https://a/[x]", WebUriError::Character),
            ("https://a/?x=[1]", WebUriError::Character),
            ("https://a/?x=<1>", WebUriError::Character),
            ("http://example.com/cb", WebUriError::Insecure),
            ("http://127.0.0.2/", WebUriError::Insecure),
            ("http://10.0.0.1/", WebUriError::Insecure),
            ("http://0x7f.1/", WebUriError::Insecure),
            ("http://LOCALHOST/", WebUriError::Insecure),
            ("http://localhost./", WebUriError::Insecure),
            ("http://localhost.evil.com/", WebUriError::Insecure),
            ("http://[0:0:0:0:0:0:0:1]/", WebUriError::Insecure),
        ] {
            assert_eq!(check_registration(uri), Err(error), "{uri}");
        }
    }

    #[test]
    fn uris_are_split_into_their_parts() {
        let uri = WebUri::parse("http://[::1]:8080/a/b?c=d?e").unwrap();
        assert_eq!(
            uri,
            WebUri { is_https: false, host: "[::1]", port: Some(8080), path: "/a/b", query: Some("c=d?e") }
        );
        assert!(!is_same("https://a/", "https://a") && is_same("https://a/", "https://a/"));
    }

    #[test]
    fn parameters_are_appended_to_the_query() {
        for (uri, expected) in [
            ("https://a/cb", "https://a/cb?code=x&state=a%20b%26%2B%25%C3%A9"),
            ("https://a/cb?x=1", "https://a/cb?x=1&code=x&state=a%20b%26%2B%25%C3%A9"),
            ("https://a/cb?", "https://a/cb?code=x&state=a%20b%26%2B%25%C3%A9"),
            ("com.example.app:/cb", "com.example.app:/cb?code=x&state=a%20b%26%2B%25%C3%A9"),
        ] {
            assert_eq!(
                with_parameters(uri, &[("code", b"x"), ("state", "a b&+%\u{e9}".as_bytes())]),
                expected
            );
        }
        assert_eq!(with_parameters("https://a/cb", &[]), "https://a/cb");
        // a second question mark is part of the query
        assert_eq!(with_parameters("https://a/cb?x=1?", &[("code", b"y")]), "https://a/cb?x=1?&code=y");
        assert_eq!(with_parameters("https://a/cb??", &[("code", b"y")]), "https://a/cb??&code=y");
    }

    proptest! {
        #[test]
        fn added_parameters_are_read_back(state in ".{0,40}", query in "(\\?x=1)?") {
            let text = with_parameters(&format!("https://a/cb{query}"), &[("state", state.as_bytes())]);
            let read = url::Url::parse(&text).unwrap();
            let found = read.query_pairs().find(|(name, _)| name == "state").unwrap();
            prop_assert_eq!(found.1, state.as_str());
        }

        #[test]
        fn the_parser_of_browsers_agrees_on_the_host(uri in "https?://[a-z0-9.:@%\\[\\]\\\\/?#_-]{1,30}") {
            // if a browser's parser (WHATWG) accepts a URI that this module accepts, both return the same scheme and
            // port, and the same host if the host is a domain name
            if let (Ok(ours), Ok(theirs)) = (WebUri::parse(&uri), url::Url::parse(&uri)) {
                let default = if ours.is_https { 443 } else { 80 };
                prop_assert_eq!(ours.is_https, theirs.scheme() == "https");
                prop_assert_eq!(Some(ours.port.unwrap_or(default)), theirs.port_or_known_default());
                prop_assert_eq!(theirs.username(), "");
                if matches!(theirs.host(), Some(url::Host::Domain(_))) {
                    prop_assert_eq!(theirs.host_str(), Some(ours.host));
                }
            }
        }

        #[test]
        fn parsing_never_panics(uri in "(https?://)?.{0,40}") {
            let _ = check_registration(&uri);
        }
    }
}
