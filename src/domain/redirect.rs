//! Redirect URIs of bot apps, and the strict reading of web URIs they rest on.
//!
//! The grammar is RFC 3986 on the raw bytes. Nothing is repaired: two programs that read one text differently are
//! the classic way around a redirect check (RFC 9700 §4.1), so what a browser would have to mend is refused when
//! it is registered, and later only the identical text is accepted ([`is_same`]).

use std::fmt;
use std::net::Ipv6Addr;

/// Longest URI, in bytes.
pub const MAX_LEN: usize = 2_048;

/// Hosts that are the user's own computer, compared literally (D-238).
const LOOPBACK_HOSTS: [&str; 3] = ["127.0.0.1", "[::1]", "localhost"];

/// An absolute `http` or `https` URI.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WebUri<'a> {
    /// `https`, else `http`.
    pub is_https: bool,
    /// The host as written; an IPv6 address with its brackets.
    pub host: &'a str,
    /// The port when written.
    pub port: Option<u16>,
    /// From the first `/` on, or empty; without the query.
    pub path: &'a str,
    /// What follows `?`.
    pub query: Option<&'a str>,
}

/// Why a URI is refused; `Display` ends the sentence "redirect URI …".
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Over [`MAX_LEN`] bytes.
    TooLong,
    /// A character or `%` sequence RFC 3986 does not allow there.
    Character,
    /// Not `https://…` or `http://…`.
    Scheme,
    /// A user name before the host.
    UserInfo,
    /// No host, or not a DNS name, an IPv4 address or an IPv6 address in brackets.
    Host,
    /// Not 1 to 65535 without leading zeros.
    Port,
    /// A `#`, even with nothing behind it.
    Fragment,
    /// `http` to another host than the loopback.
    Insecure,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TooLong => "must have at most 2048 bytes",
            Self::Character => "has a character that a URI cannot have there",
            Self::Scheme => "must be absolute and begin with https:// or http://",
            Self::UserInfo => "must not have a user name",
            Self::Host => "must have a host name or address",
            Self::Port => "must have a port from 1 to 65535 or none",
            Self::Fragment => "must not have a fragment",
            Self::Insecure => "must use https unless its host is 127.0.0.1, [::1] or localhost",
        })
    }
}

impl std::error::Error for Fault {}

impl<'a> WebUri<'a> {
    /// Reads an absolute `http` or `https` URI without user name and fragment.
    ///
    /// # Errors
    /// The first [`Fault`] found.
    pub fn parse(uri: &'a str) -> Result<Self, Fault> {
        if uri.len() > MAX_LEN {
            return Err(Fault::TooLong);
        }
        if uri.contains('#') {
            return Err(Fault::Fragment);
        }
        let (scheme, rest) = uri.split_once("://").ok_or(Fault::Scheme)?;
        let is_https = scheme.eq_ignore_ascii_case("https");
        if !is_https && !scheme.eq_ignore_ascii_case("http") {
            return Err(Fault::Scheme);
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
            return Err(Fault::Character);
        }
        if authority.contains('@') {
            return Err(Fault::UserInfo);
        }
        let (host, port) = split_port(authority);
        if !is_host(host) {
            return Err(Fault::Host);
        }
        let port = port.map(|port| parse_port(port).ok_or(Fault::Port)).transpose()?;
        Ok(Self { is_https, host, port, path, query })
    }

    /// Whether the host is one of the three names of the user's own computer.
    #[must_use]
    pub fn is_loopback(&self) -> bool {
        LOOPBACK_HOSTS.contains(&self.host)
    }
}

/// Whether a bot app may register the redirect URI: `https` to any host, or `http` to the loopback.
///
/// # Errors
/// The first [`Fault`] found.
pub fn check_registration(uri: &str) -> Result<(), Fault> {
    let uri = WebUri::parse(uri)?;
    if uri.is_https || uri.is_loopback() { Ok(()) } else { Err(Fault::Insecure) }
}

/// Whether a redirect URI is the registered one: byte by byte, nothing normalised.
#[must_use]
pub fn is_same(registered: &str, given: &str) -> bool {
    registered == given
}

/// The redirect URI with parameters added, whose values may be any bytes, to its query, which stays as it is (RFC 6749 §3.1.2, A-156).
///
/// Everything but unreserved characters is percent-encoded, a space too: `%20` is read as a space by readers of
/// forms and of URIs alike, `+` only by the first.
#[must_use]
pub fn with_parameters(uri: &str, parameters: &[(&str, &[u8])]) -> String {
    let mut address = uri.to_owned();
    for (name, value) in parameters {
        match address.rfind('?') {
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

/// Adds a byte as `%` and two digits.
pub fn push_escape(address: &mut String, byte: u8) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let digit = |nibble: u8| char::from(DIGITS[usize::from(nibble)]);
    address.extend(['%', digit(byte >> 4), digit(byte & 15)]);
}

/// Whether every byte is unreserved, a sub-delimiter, one of `more`, or part of a `%` and two hexadecimal digits.
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

/// Host and the text after its colon; colons inside brackets belong to the address.
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

/// Narrower than RFC 3986, whose `reg-name` also has `*`, `%` and the like, which no host has.
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
    fn good_uris() {
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
        assert_eq!(check_registration(&format!("{longest}a")), Err(Fault::TooLong));
    }

    #[test]
    fn bad_uris() {
        for (uri, fault) in [
            ("", Fault::Scheme),
            ("/cb", Fault::Scheme),
            ("//example.com/cb", Fault::Scheme),
            ("example.com/cb", Fault::Scheme),
            ("https:example.com", Fault::Scheme),
            ("https:/example.com", Fault::Scheme),
            ("javascript:alert(1)//://x", Fault::Scheme),
            ("javascript://example.com/%0aalert(1)", Fault::Scheme),
            ("data:text/html,x", Fault::Scheme),
            ("com.example.app:/cb", Fault::Scheme),
            (" https://example.com", Fault::Scheme),
            ("ftp://example.com", Fault::Scheme),
            ("https://", Fault::Host),
            ("https:///cb", Fault::Host),
            ("https://?x", Fault::Host),
            ("https://:443/cb", Fault::Host),
            ("https://*.example.com/", Fault::Host),
            ("https://ex%61mple.com/", Fault::Host),
            ("https://a..b/", Fault::Host),
            ("https://.a/", Fault::Host),
            ("https://[::1/", Fault::Host),
            ("https://::1]/", Fault::Host),
            ("https://[::1]x/", Fault::Host),
            ("https://[v1.a]/", Fault::Host),
            ("https://[fe80::1%25eth0]/", Fault::Host),
            ("https://[127.0.0.1]/", Fault::Host),
            ("https://a:b:1/", Fault::Port),
            ("https://a:/", Fault::Port),
            ("https://a:0/", Fault::Port),
            ("https://a:080/", Fault::Port),
            ("https://a:65536/", Fault::Port),
            ("https://a:+1/", Fault::Port),
            ("https://a:99999999999999999999/", Fault::Port),
            ("https://user@a/", Fault::UserInfo),
            ("https://user:pw@a/", Fault::UserInfo),
            ("https://@a/", Fault::UserInfo),
            ("https://a/#", Fault::Fragment),
            ("https://a/#x", Fault::Fragment),
            ("https://a#@b/", Fault::Fragment),
            ("https://a\\@b/", Fault::Character),
            ("https://a/\\b", Fault::Character),
            ("https://a/ b", Fault::Character),
            ("https://a/\n", Fault::Character),
            ("https://a/\u{e9}", Fault::Character),
            ("https://\u{e9}.com/", Fault::Character),
            ("https://a/%", Fault::Character),
            ("https://a/%2", Fault::Character),
            ("https://a/%zz", Fault::Character),
            ("https://a/[x]", Fault::Character),
            ("https://a/?x=[1]", Fault::Character),
            ("https://a/?x=<1>", Fault::Character),
            ("http://example.com/cb", Fault::Insecure),
            ("http://127.0.0.2/", Fault::Insecure),
            ("http://10.0.0.1/", Fault::Insecure),
            ("http://0x7f.1/", Fault::Insecure),
            ("http://LOCALHOST/", Fault::Insecure),
            ("http://localhost./", Fault::Insecure),
            ("http://localhost.evil.com/", Fault::Insecure),
            ("http://[0:0:0:0:0:0:0:1]/", Fault::Insecure),
        ] {
            assert_eq!(check_registration(uri), Err(fault), "{uri}");
        }
    }

    #[test]
    fn parts() {
        let uri = WebUri::parse("http://[::1]:8080/a/b?c=d?e").unwrap();
        assert_eq!(
            uri,
            WebUri { is_https: false, host: "[::1]", port: Some(8080), path: "/a/b", query: Some("c=d?e") }
        );
        assert!(!is_same("https://a/", "https://a") && is_same("https://a/", "https://a/"));
    }

    #[test]
    fn parameters_are_added() {
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
        fn other_readers_agree_on_the_host(uri in "https?://[a-z0-9.:@%\\[\\]\\\\/?#_-]{1,30}") {
            // whatever we accept, a browser's reader (WHATWG) reads with the same scheme, host and port, or refuses
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
        fn no_text_panics(uri in "(https?://)?.{0,40}") {
            let _ = check_registration(&uri);
        }
    }
}
