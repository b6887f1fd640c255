//! Redirect URIs of assistant clients: their three kinds, the combinations of kinds that a client may register, and the
//! comparison of a requested URI with the registered URIs.
//!
//! URIs are parsed by the grammar of RFC 3986 on the raw bytes, as in [`domain::redirect`](crate::domain::redirect),
//! and never corrected (D-238).

use std::fmt;

use crate::domain::{
    conversation::coded,
    redirect::{MAX_LEN, WebUri, WebUriError, is_allowed, split_port},
};

coded! {
    /// What a redirect URI leads to.
    RedirectKind {
        /// A website.
        Https = 0 "https",
        /// An app that listens on the employee's computer.
        Loopback = 1 "loopback",
        /// An app that handles a URI scheme on the employee's computer.
        PrivateUse = 2 "private_use",
    }
}

impl RedirectKind {
    /// Returns whether the authorization code is sent to an app on the employee's computer. The consent page warns
    /// about such an app.
    #[must_use]
    pub const fn is_local(self) -> bool {
        matches!(self, Self::Loopback | Self::PrivateUse)
    }
}

/// A valid redirect URI.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Redirect<'a> {
    pub kind: RedirectKind,
    /// The canonical host; for a private-use URI, the scheme in lower case.
    pub host: String,
    /// The URI as given.
    pub uri: &'a str,
    /// The form of the URI for comparisons. The key of a loopback URI has no port, so that it is the same for every
    /// port.
    pub key: String,
}

/// Maximum length of `:` and a port in bytes.
const MAX_PORT: usize = 6;
/// Maximum length of a private-use scheme in characters.
const MAX_SCHEME: usize = 255;

/// Why a redirect URI is rejected. `Display` completes the sentence "redirect URI …".
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RedirectUriError {
    /// The URI violates a rule that also applies to web URIs.
    Web(WebUriError),
    /// The scheme is missing or invalid, or it has no period and is not a configured editor scheme.
    Scheme,
    /// The private-use URI has neither a host nor a path.
    Empty,
    /// The private-use scheme is longer than a block key may be.
    LongScheme,
}

impl fmt::Display for RedirectUriError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Web(error) => error.fmt(f),
            Self::Scheme => f.write_str(
                "must begin with https://, with http:// and a loopback host, or with a private-use scheme that has a \
                 period or is configured for an editor",
            ),
            Self::Empty => f.write_str("must have a host or a path"),
            Self::LongScheme => f.write_str("must have a scheme of at most 255 characters"),
        }
    }
}

impl std::error::Error for RedirectUriError {}

impl<'a> Redirect<'a> {
    /// Parses a redirect URI. `editors` are the lower-case schemes that are accepted although they have no period
    /// (D-237).
    ///
    /// # Errors
    /// The first [`RedirectUriError`] found.
    pub fn parse(uri: &'a str, editors: &[String]) -> Result<Self, RedirectUriError> {
        let scheme = uri.split(':').next().filter(|scheme| scheme.len() < uri.len()).unwrap_or_default();
        let scheme = scheme.to_ascii_lowercase();
        match scheme.as_str() {
            "https" | "http" => Self::web(uri, MAX_LEN),
            scheme if is_private_use(scheme, editors) => Self::private(uri, scheme),
            _ => Err(RedirectUriError::Scheme),
        }
    }

    /// Parses a redirect URI that a client sends to `/authorize`. The port of a loopback URI does not count towards the
    /// maximum length, because the registered URI can have another port or none.
    ///
    /// # Errors
    /// Those of [`Redirect::parse`].
    pub fn requested(uri: &'a str, editors: &[String]) -> Result<Self, RedirectUriError> {
        match Self::web(uri, MAX_LEN + MAX_PORT) {
            Ok(web) if web.kind == RedirectKind::Loopback && web.key.len() <= MAX_LEN => Ok(web),
            _ => Self::parse(uri, editors),
        }
    }

    fn web(uri: &'a str, max_len: usize) -> Result<Self, RedirectUriError> {
        let web = WebUri::parse_within(uri, max_len).map_err(RedirectUriError::Web)?;
        let host = super::hosts::normal_host(web.host);
        if web.is_https {
            return Ok(Self { kind: RedirectKind::Https, host, uri, key: uri.to_owned() });
        }
        if !web.is_loopback() {
            return Err(RedirectUriError::Web(WebUriError::Insecure));
        }
        let query = web.query.map(|query| format!("?{query}")).unwrap_or_default();
        // the scheme and the host stay as written, because a requested URI may differ from the registered URI only in
        // the port
        let scheme = uri.split(':').next().unwrap_or_default();
        let key = format!("{scheme}://{}{}{query}", web.host, web.path);
        Ok(Self { kind: RedirectKind::Loopback, host, uri, key })
    }

    /// Parses a private-use URI such as `com.example.app:/callback`. The URI may have an authority (D-240).
    fn private(uri: &'a str, scheme: &str) -> Result<Self, RedirectUriError> {
        if uri.len() > MAX_LEN {
            return Err(RedirectUriError::Web(WebUriError::TooLong));
        }
        // the scheme is the client's block key, and a block key has at most 255 characters (D-251)
        if scheme.len() > MAX_SCHEME {
            return Err(RedirectUriError::LongScheme);
        }
        if uri.contains('#') {
            return Err(RedirectUriError::Web(WebUriError::Fragment));
        }
        let rest = &uri[scheme.len() + 1..];
        let (authority, path) = match rest.strip_prefix("//") {
            Some(rest) => rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len())),
            None => ("", rest),
        };
        if !is_allowed(authority, b":@[]") || !is_allowed(path, b":@/?") {
            return Err(RedirectUriError::Web(WebUriError::Character));
        }
        if authority.contains('@') {
            return Err(RedirectUriError::Web(WebUriError::UserInfo));
        }
        let (host, port) = split_port(authority);
        if host.is_empty() && (path.is_empty() || path.starts_with('?')) {
            return Err(RedirectUriError::Empty);
        }
        if host.contains(['[', ']', ':']) && !host.starts_with('[') {
            return Err(RedirectUriError::Web(WebUriError::Host));
        }
        if port.is_some_and(|port| !is_port(port)) {
            return Err(RedirectUriError::Web(WebUriError::Port));
        }
        Ok(Self { kind: RedirectKind::PrivateUse, host: scheme.to_owned(), uri, key: uri.to_owned() })
    }

    /// Returns whether this URI, which a client requests at `/authorize`, is one of the registered URIs. The bytes must
    /// be equal, except for the port of a loopback URI (RFC 8252 §7.3). If a metadata document lists a URI that is too
    /// long to be registered, no requested URI matches it.
    #[must_use]
    pub fn is_one_of(&self, registered: &[String]) -> bool {
        registered.iter().filter(|known| known.len() <= MAX_LEN).any(|known| {
            known == self.uri
                || self.kind == RedirectKind::Loopback
                    && Redirect::web(known, MAX_LEN)
                        .is_ok_and(|known| known.kind == RedirectKind::Loopback && known.key == self.key)
        })
    }
}

fn is_port(port: &str) -> bool {
    !port.starts_with('0') && port.bytes().all(|b| b.is_ascii_digit()) && port.parse::<u16>().is_ok()
}

/// Returns whether a scheme is valid (RFC 3986 §3.1), and has a period or is a configured editor scheme.
fn is_private_use(scheme: &str, editors: &[String]) -> bool {
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b));
    is_scheme && (scheme.contains('.') || editors.iter().any(|editor| editor == scheme))
}

/// An allowed combination of the redirect URIs of a client.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RedirectCombination {
    /// All URIs are `https` on this host. Their ports may differ (D-239).
    Https(String),
    /// All URIs are loopback URIs.
    Loopback,
    /// Loopback and `https` URIs, on any hosts.
    LoopbackAndHttps,
    /// All URIs have this private-use scheme.
    PrivateUse(String),
}

impl RedirectCombination {
    /// Returns the combination of redirect URIs; `None` if the combination is not allowed, or if the list is empty.
    #[must_use]
    pub fn of(redirects: &[Redirect<'_>]) -> Option<Self> {
        let has = |kind| redirects.iter().any(|redirect| redirect.kind == kind);
        let first = redirects.first()?;
        let one_host = redirects.iter().all(|redirect| redirect.host == first.host);
        match (has(RedirectKind::Https), has(RedirectKind::Loopback), has(RedirectKind::PrivateUse)) {
            (true, false, false) if one_host => Some(Self::Https(first.host.clone())),
            (false, true, false) => Some(Self::Loopback),
            (true, true, false) => Some(Self::LoopbackAndHttps),
            (false, false, true) if one_host => Some(Self::PrivateUse(first.host.clone())),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn editors() -> Vec<String> {
        ["vscode", "vscode-insiders", "cursor", "windsurf", "zed"].map(String::from).to_vec()
    }

    fn parse(uri: &str) -> Result<Redirect<'_>, RedirectUriError> {
        Redirect::parse(uri, &editors())
    }

    #[test]
    fn redirect_uris_are_classified() {
        for (uri, kind, host) in [
            // `https` with any host
            ("https://client.example/cb", RedirectKind::Https, "client.example"),
            ("https://Client.Example.:8443/cb?x=1", RedirectKind::Https, "client.example"),
            ("https://localhost/cb", RedirectKind::Https, "localhost"),
            // `http` with one of the three loopback hosts, with any port and any path (A-087 … A-089)
            ("http://127.0.0.1/cb", RedirectKind::Loopback, "127.0.0.1"),
            ("http://127.0.0.1:3000", RedirectKind::Loopback, "127.0.0.1"),
            ("http://localhost:65535/cb?a=b", RedirectKind::Loopback, "localhost"),
            ("http://[::1]:1/cb", RedirectKind::Loopback, "[::1]"),
            // private-use schemes with a period; after the colon, one slash or two (D-240), or another path
            ("com.example.app:/callback", RedirectKind::PrivateUse, "com.example.app"),
            ("com.example.app://callback", RedirectKind::PrivateUse, "com.example.app"),
            ("Com.Example.App:/callback", RedirectKind::PrivateUse, "com.example.app"),
            ("com.example.app://host:80/cb?x", RedirectKind::PrivateUse, "com.example.app"),
            ("com.example.app:///cb", RedirectKind::PrivateUse, "com.example.app"),
            ("com.example.app:cb", RedirectKind::PrivateUse, "com.example.app"),
            // the schemes of five editors, without a period
            ("vscode://publisher.extension/cb", RedirectKind::PrivateUse, "vscode"),
            ("vscode-insiders:/cb", RedirectKind::PrivateUse, "vscode-insiders"),
            ("cursor://anysphere.cursor-retrieval/oauth", RedirectKind::PrivateUse, "cursor"),
            ("windsurf:/cb", RedirectKind::PrivateUse, "windsurf"),
            ("zed:/cb", RedirectKind::PrivateUse, "zed"),
        ] {
            let redirect = parse(uri).unwrap_or_else(|error| panic!("{uri}: {error}"));
            assert_eq!((redirect.kind, redirect.host.as_str()), (kind, host), "{uri}");
        }
    }

    #[test]
    fn invalid_redirect_uris_are_rejected_with_a_reason() {
        for (uri, error) in [
            // `http` with a host that is not a loopback host
            ("http://example.com/cb", RedirectUriError::Web(WebUriError::Insecure)),
            ("http://127.0.0.2/", RedirectUriError::Web(WebUriError::Insecure)),
            ("http://10.0.0.1/", RedirectUriError::Web(WebUriError::Insecure)),
            ("http://localhost.evil.com/", RedirectUriError::Web(WebUriError::Insecure)),
            // schemes without a period, among them six schemes whose URIs a browser would open itself
            ("myapp:/cb", RedirectUriError::Scheme),
            ("javascript:alert(1)", RedirectUriError::Scheme),
            ("data:text/html,x", RedirectUriError::Scheme),
            ("file:///etc/passwd", RedirectUriError::Scheme),
            ("vbscript:x", RedirectUriError::Scheme),
            ("blob:https://a.example/x", RedirectUriError::Scheme),
            ("about:blank", RedirectUriError::Scheme),
            ("vscodex:/cb", RedirectUriError::Scheme),
            // a fragment, even an empty one, and a user name
            ("https://a.example/#", RedirectUriError::Web(WebUriError::Fragment)),
            ("com.example:/cb#", RedirectUriError::Web(WebUriError::Fragment)),
            ("https://user@a.example/", RedirectUriError::Web(WebUriError::UserInfo)),
            ("com.example://user@host/cb", RedirectUriError::Web(WebUriError::UserInfo)),
            // relative URIs, and invalid hosts, ports and characters
            ("/cb", RedirectUriError::Scheme),
            ("a.example/cb", RedirectUriError::Scheme),
            ("//a.example/cb", RedirectUriError::Scheme),
            ("", RedirectUriError::Scheme),
            (":", RedirectUriError::Scheme),
            ("com.example.app", RedirectUriError::Scheme),
            ("1.example:/cb", RedirectUriError::Scheme),
            ("com.ex\u{e4}mple:/cb", RedirectUriError::Scheme),
            ("com.example.app:", RedirectUriError::Empty),
            ("com.example.app:?x", RedirectUriError::Empty),
            ("com.example.app://", RedirectUriError::Empty),
            ("com.example.app://?x", RedirectUriError::Empty),
            ("com.example.app://:80", RedirectUriError::Empty),
            ("com.example.app://:80?x", RedirectUriError::Empty),
            ("com.example:/a\\b", RedirectUriError::Web(WebUriError::Character)),
            ("com.example:/a b", RedirectUriError::Web(WebUriError::Character)),
            ("com.example:/\u{e9}", RedirectUriError::Web(WebUriError::Character)),
            ("com.example:/\u{7f}", RedirectUriError::Web(WebUriError::Character)),
            ("com.example:/%zz", RedirectUriError::Web(WebUriError::Character)),
            ("com.example://h:0/cb", RedirectUriError::Web(WebUriError::Port)),
            ("com.example://h:65536/cb", RedirectUriError::Web(WebUriError::Port)),
            ("https://*.a.example/", RedirectUriError::Web(WebUriError::Host)),
            ("https://a.example:0/", RedirectUriError::Web(WebUriError::Port)),
            ("https://a.example:65536/", RedirectUriError::Web(WebUriError::Port)),
            ("https:a.example", RedirectUriError::Web(WebUriError::Scheme)),
            // a scheme that is too long for a block key (D-251)
            (format!("a.{}:/cb", "b".repeat(254)).as_str(), RedirectUriError::LongScheme),
        ] {
            assert_eq!(parse(uri).err(), Some(error), "{uri}");
        }
        let longest = format!("com.example:/{}", "a".repeat(MAX_LEN - 13));
        assert!(parse(&longest).is_ok());
        assert_eq!(parse(&format!("{longest}a")).err(), Some(RedirectUriError::Web(WebUriError::TooLong)));
    }

    #[test]
    fn the_error_for_a_scheme_names_every_accepted_scheme() {
        let message = RedirectUriError::Scheme.to_string();
        for accepted in ["https://", "http:// and a loopback host", "a period", "configured for an editor"] {
            assert!(message.contains(accepted), "{message}");
        }
    }

    #[test]
    fn only_some_combinations_may_be_registered() {
        let combination = |uris: &[&str]| {
            let redirects: Vec<_> = uris.iter().map(|uri| parse(uri).unwrap()).collect();
            RedirectCombination::of(&redirects)
        };
        let (web, loopback, private) = ("https://a.example/1", "http://127.0.0.1/cb", "com.example:/cb");
        // `https` URIs of one host; hosts are compared without ports and letter case
        assert_eq!(
            combination(&[web, "https://A.example:8443/2"]),
            Some(RedirectCombination::Https("a.example".into()))
        );
        // `https` URIs of two hosts are refused
        assert_eq!(combination(&[web, "https://b.example/1"]), None);
        // one private-use scheme is allowed, but not two
        assert_eq!(
            combination(&[private, "com.example://x"]),
            Some(RedirectCombination::PrivateUse("com.example".into()))
        );
        assert_eq!(combination(&[private, "org.example:/cb"]), None);
        assert_eq!(
            combination(&["vscode:/a", "vscode:/b"]),
            Some(RedirectCombination::PrivateUse("vscode".into()))
        );
        assert_eq!(combination(&["vscode:/a", private]), None);
        // a private-use scheme with URIs of another kind is refused
        assert_eq!(combination(&[private, web]), None);
        assert_eq!(combination(&[private, loopback]), None);
        assert_eq!(combination(&[private, loopback, web]), None);
        // loopback URIs of several hosts are allowed
        assert_eq!(
            combination(&[loopback, "http://localhost:9/x", "http://[::1]/"]),
            Some(RedirectCombination::Loopback)
        );
        // loopback URIs with `https` URIs of any hosts are allowed
        assert_eq!(combination(&[loopback, web]), Some(RedirectCombination::LoopbackAndHttps));
        assert_eq!(
            combination(&[web, loopback, "https://b.example/1"]),
            Some(RedirectCombination::LoopbackAndHttps)
        );
        assert_eq!(combination(&[]), None);
    }

    #[test]
    fn only_the_loopback_port_may_differ() {
        let is_same = |registered: &str, given: &str| {
            parse(given).is_ok_and(|given| given.is_one_of(&[registered.to_owned()]))
        };
        // an equal URI matches, and so does a loopback URI with another port
        for (registered, given) in [
            ("https://a.example/cb?x=1", "https://a.example/cb?x=1"),
            ("http://127.0.0.1/cb", "http://127.0.0.1:5000/cb"),
            ("http://127.0.0.1:80/cb", "http://127.0.0.1:5000/cb"),
            ("http://127.0.0.1:80/cb", "http://127.0.0.1/cb"),
            ("http://localhost/cb?x", "http://localhost:1/cb?x"),
            ("http://[::1]:7", "http://[::1]"),
            ("com.example:/cb", "com.example:/cb"),
            ("HTTP://127.0.0.1/cb", "HTTP://127.0.0.1:5000/cb"),
        ] {
            assert!(is_same(registered, given), "{registered} {given}");
        }
        // with any other difference a URI does not match: for example another port of `https`
        for (registered, given) in [
            ("https://a.example/cb", "http://a.example/cb"),
            ("https://a.example/cb", "https://A.example/cb"),
            ("https://a.example/cb", "https://a.example/CB"),
            ("https://a.example/cb", "https://a.example/cb/"),
            ("https://a.example/cb", "https://a.example/cb?"),
            ("https://a.example/cb?x=1", "https://a.example/cb?x=2"),
            ("https://a.example/c%62", "https://a.example/cb"),
            ("https://a.example/cb", "https://a.example:443/cb"),
            ("https://a.example:8443/cb", "https://a.example/cb"),
            ("https://localhost/cb", "https://localhost:1/cb"),
            ("http://127.0.0.1/cb", "http://127.0.0.1/other"),
            ("http://127.0.0.1/cb", "http://127.0.0.1/cb?x"),
            ("http://127.0.0.1/cb", "http://localhost/cb"),
            ("http://127.0.0.1/cb", "https://127.0.0.1/cb"),
            ("http://127.0.0.1/", "http://127.0.0.1"),
            ("http://127.0.0.1/cb", "HTTP://127.0.0.1/cb"),
            ("http://127.0.0.1/cb", "Http://127.0.0.1:5000/cb"),
            ("HTTP://127.0.0.1/cb", "http://127.0.0.1:5000/cb"),
            ("com.example:/cb", "com.example://cb"),
            ("com.example:/cb", "Com.example:/cb"),
        ] {
            assert!(!is_same(registered, given), "{registered} {given}");
        }
        assert_eq!(parse("http://[::1]:7/cb?x").unwrap().key, "http://[::1]/cb?x");
        assert_eq!(parse("https://a.example:7/cb").unwrap().key, "https://a.example:7/cb");
    }

    proptest! {
        #[test]
        fn parsing_never_panics(uri in "([a-z.]{1,6}:/{0,2})?.{0,40}") {
            let _ = parse(&uri);
        }

        #[test]
        fn the_key_of_a_loopback_uri_has_itself_as_key(port in 1u16.., path in "(/[a-z]{0,5}){0,3}") {
            let uri = format!("http://localhost:{port}{path}");
            let key = parse(&uri).unwrap().key;
            prop_assert_eq!(parse(&key).unwrap().key, key.clone());
            prop_assert!(parse(&uri).unwrap().is_one_of(&[key]));
        }
    }
}
