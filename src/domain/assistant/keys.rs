//! Block keys and display names of assistant clients. A company blocks a client by its block key; users see the display
//! name.

use std::collections::BTreeMap;

use unicode_normalization::UnicodeNormalization as _;

use super::{
    hosts::normal_host,
    names::{self, Reserved},
    redirect::{RedirectCombination, RedirectKind},
};

/// Maximum length of a block key in characters (D-251).
pub const MAX_KEY_CHARS: usize = 255;

/// Normalizes a block key for comparison: lower case and NFC.
#[must_use]
pub fn normal_key(key: &str) -> String {
    key.to_lowercase().nfc().collect()
}

/// Returns the block key of a client that is identified by its metadata document. The key depends on the kind of the
/// redirect URI (D-244). Returns `None` if the key is too long to be blocked: `local:` and a host of more than 249
/// characters.
#[must_use]
pub fn document_key(client_host: &str, redirect: RedirectKind) -> Option<String> {
    let key = match redirect {
        RedirectKind::Https => client_host.to_owned(),
        RedirectKind::Loopback | RedirectKind::PrivateUse => format!("local:{client_host}"),
    };
    Some(key).filter(|key| key.chars().nth(MAX_KEY_CHARS).is_none())
}

/// Returns the block key of a registered client.
#[must_use]
pub fn registered_key(combination: &RedirectCombination, client_name: &str) -> String {
    match combination {
        RedirectCombination::Https(host) => host.clone(),
        // the name in Unicode lower case and in NFC (D-245)
        RedirectCombination::Loopback => normal_key(&format!("local:{client_name}")),
        RedirectCombination::LoopbackAndHttps => normal_key(&format!("local:{client_name}@web")),
        RedirectCombination::PrivateUse(scheme) => scheme.clone(),
    }
}

/// The display names that the operator has assigned to hosts (`well_known_clients`).
#[derive(Clone, Debug, Default)]
pub struct WellKnown {
    /// The assigned names by canonical host.
    names: BTreeMap<String, String>,
    /// The assigned names as reserved names. A client of another host must not use them.
    reserved: Reserved,
}

impl WellKnown {
    /// Creates the map from hosts and their names.
    #[must_use]
    pub fn new(names: impl IntoIterator<Item = (String, String)>) -> Self {
        let names: BTreeMap<_, _> =
            names.into_iter().map(|(host, name)| (normal_host(&host), name)).collect();
        Self { reserved: Reserved::of(names.values().map(String::as_str)), names }
    }

    /// Returns the display name of a client that is identified by its metadata document:
    ///
    /// - the name that the operator assigned to the client's host, if there is one;
    /// - the client's host, if the client has no name (D-218), or if its name contains, or seems to contain, a name
    ///   assigned to another host (D-247);
    /// - otherwise the client's own name.
    #[must_use]
    pub fn of_document(&self, client_host: &str, client_name: Option<&str>) -> String {
        if let Some(fixed) = self.names.get(client_host) {
            return fixed.clone();
        }
        let own = client_name.filter(|name| self.reserved.found_in(name).is_none());
        own.map_or_else(|| names::shown_host(client_host), names::shown)
    }

    /// Returns the display name of a registered client. If all its redirect URIs are `https` on one host, only this
    /// host receives its authorization codes. The client then has the name assigned to the host, if there is one. In
    /// all other cases the client has its own name (D-247): other redirect URIs do not prove a host.
    #[must_use]
    pub fn of_registered(&self, combination: &RedirectCombination, client_name: &str) -> String {
        let fixed = match combination {
            RedirectCombination::Https(host) => self.names.get(host).cloned(),
            RedirectCombination::Loopback
            | RedirectCombination::LoopbackAndHttps
            | RedirectCombination::PrivateUse(_) => None,
        };
        fixed.unwrap_or_else(|| names::shown(client_name))
    }

    /// Returns whether `name` is the name that the operator assigned to `host`. Any other display name is the client's
    /// own name or a host.
    #[must_use]
    pub fn is_fixed(&self, host: &str, name: &str) -> bool {
        self.names.get(host).is_some_and(|fixed| fixed == name)
    }

    /// Returns the name assigned to the host in a block key. Returns `None` if the key contains no host, or if no name
    /// is assigned to the host.
    #[must_use]
    pub fn of_key(&self, key: &str) -> Option<&str> {
        self.names.get(key.strip_prefix("local:").unwrap_or(key)).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn https() -> RedirectCombination {
        RedirectCombination::Https("client.example".into())
    }

    fn scheme() -> RedirectCombination {
        RedirectCombination::PrivateUse("com.example.app".into())
    }

    #[test]
    fn block_keys_are_derived_from_the_host_the_name_or_the_scheme() {
        // the key of a client with a metadata document is the document's host if the redirect URI is `https`, and
        // `local:` with this host for other redirect URIs
        let document = |redirect| document_key("client.example", redirect).unwrap();
        assert_eq!(document(RedirectKind::Https), "client.example");
        assert_eq!(document(RedirectKind::Loopback), "local:client.example");
        assert_eq!(document(RedirectKind::PrivateUse), "local:client.example");
        assert_eq!(
            registered_key(&https(), "Any"),
            "client.example",
            "the key of `https` redirect URIs is their host (A-118)"
        );
        assert_eq!(
            registered_key(&RedirectCombination::Loopback, "My ÄPP"),
            "local:my äpp",
            "the key of loopback redirect URIs is `local:` and the name in lower case (A-119)"
        );
        assert_eq!(
            registered_key(&RedirectCombination::LoopbackAndHttps, "My App"),
            "local:my app@web",
            "the key of loopback and `https` redirect URIs also has `@web` (A-120)"
        );
        assert_eq!(
            registered_key(&scheme(), "Any"),
            "com.example.app",
            "a private-use scheme is the key (A-121)"
        );
    }

    #[test]
    fn block_keys_have_at_most_255_characters() {
        let (fits, long) = ("a".repeat(249), "a".repeat(250));
        for local in [RedirectKind::Loopback, RedirectKind::PrivateUse] {
            assert_eq!(document_key(&fits, local).map(|key| key.len()), Some(255));
            assert_eq!(document_key(&long, local), None);
        }
        // no valid host has more than 253 characters, so a key without `local:` always fits
        assert!(document_key(&"a".repeat(253), RedirectKind::Https).is_some());
        // U+0130 has two characters in lower case, so the key is longer than the name
        let name = "\u{130}".repeat(names::MAX_CHARS);
        assert!(
            registered_key(&RedirectCombination::LoopbackAndHttps, &name).chars().count() <= MAX_KEY_CHARS
        );
    }

    #[test]
    fn typed_keys_are_normalized() {
        for (typed, key) in [
            ("Client.EXAMPLE", "client.example"),
            ("LOCAL:My App@Web", "local:my app@web"),
            ("local:E\u{301}lan", "local:\u{e9}lan"),
            ("COM.example.App", "com.example.app"),
        ] {
            assert_eq!(normal_key(typed), key);
        }
        for name in ["My \u{c4}PP", "\u{130}\u{327}x", "\u{39f}\u{394}\u{39f}\u{3a3}", "\u{1e9e}\u{fb01}"] {
            for combination in [RedirectCombination::Loopback, RedirectCombination::LoopbackAndHttps] {
                let key = registered_key(&combination, name);
                assert_eq!(normal_key(&key), key, "normalization does not change a normalized key");
            }
        }
    }

    #[test]
    fn assigned_names_are_reserved_for_their_hosts() {
        let known = WellKnown::new([("Client.example".to_owned(), "The Client".to_owned())]);
        // a client of another host is shown under its own host if it has the assigned name or a similar name (D-247)
        for name in ["The Client", "the client", "THE-CLIENT", "Th\u{435} Cl\u{456}ent", "The Client Desktop"]
        {
            assert_eq!(known.of_document("other.example", Some(name)), "other.example", "{name}");
            assert_eq!(known.of_document("client.example", Some(name)), "The Client", "{name}");
        }
        assert_eq!(known.of_document("other.example", Some("A Client")), "A Client");
    }

    #[test]
    fn assigned_names_take_precedence() {
        let known = WellKnown::new([("Client.example".to_owned(), "The Client".to_owned())]);
        // a client whose key is a well-known host, or `local:` and a well-known host, has the fixed name
        assert_eq!(known.of_document("client.example", Some("Anything")), "The Client");
        assert_eq!(known.of_registered(&https(), "Anything"), "The Client");
        assert!(known.is_fixed("client.example", "The Client"));
        assert!(
            !known.is_fixed("client.example", "Anything") && !known.is_fixed("other.example", "The Client")
        );
        // a registered client whose key contains its own name, or is a scheme, never has a fixed name
        for combination in [RedirectCombination::Loopback, RedirectCombination::LoopbackAndHttps, scheme()] {
            assert_eq!(known.of_registered(&combination, "client.example"), "client.example");
        }
        // any other client has its own name, cut to 40 characters
        assert_eq!(known.of_document("other.example", Some(&"x".repeat(41))), "x".repeat(40));
        assert_eq!(known.of_registered(&RedirectCombination::Loopback, &"x".repeat(41)), "x".repeat(40));
        assert_eq!(known.of_document("other.example", None), "other.example");
        assert_eq!(known.of_key("local:client.example"), Some("The Client"));
        assert_eq!(known.of_key("client.example"), Some("The Client"));
        assert_eq!(known.of_key("other"), None);
    }
}
