//! Block keys and display names: what a client is called when a company keeps it out, and when people meet it.

use std::collections::BTreeMap;

use super::{
    names,
    redirect::{Mix, RedirectKind},
};

/// A host as keys have it: lower case, without the dot at the end (D-243). URIs hold A-labels only.
#[must_use]
pub fn normal_host(host: &str) -> String {
    host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase()
}

/// The key of a client known by its metadata document, for one redirect (D-244).
#[must_use]
pub fn document_key(client_host: &str, redirect: RedirectKind) -> String {
    match redirect {
        RedirectKind::Https => client_host.to_owned(),
        RedirectKind::Loopback | RedirectKind::PrivateUse => format!("local:{client_host}"),
    }
}

/// The key of a registered client.
#[must_use]
pub fn registered_key(mix: &Mix, client_name: &str) -> String {
    match mix {
        Mix::Https(host) => host.clone(),
        // Unicode's lower case of a name in normal form C (D-245)
        Mix::Loopback => format!("local:{}", client_name.to_lowercase()),
        Mix::LoopbackAndHttps => format!("local:{}@web", client_name.to_lowercase()),
        Mix::PrivateUse(scheme) => scheme.clone(),
    }
}

/// Names that the operator has fixed for hosts.
#[derive(Clone, Debug, Default)]
pub struct WellKnown(BTreeMap<String, String>);

impl WellKnown {
    /// Of hosts and their names.
    #[must_use]
    pub fn new(names: impl IntoIterator<Item = (String, String)>) -> Self {
        Self(names.into_iter().map(|(host, name)| (normal_host(&host), name)).collect())
    }

    /// What a client known by its document is called: its host's fixed name, its own name if it may have one, or its
    /// host (D-218).
    #[must_use]
    pub fn of_document(&self, client_host: &str, client_name: Option<&str>) -> String {
        let own = || client_name.map_or_else(|| names::shown_host(client_host), names::shown);
        self.0.get(client_host).cloned().unwrap_or_else(own)
    }

    /// What a registered client is called. A fixed name is for those only whose codes go to that host; `local:` keys
    /// prove nothing (D-247).
    #[must_use]
    pub fn of_registered(&self, mix: &Mix, client_name: &str) -> String {
        let fixed = match mix {
            Mix::Https(host) => self.0.get(host).cloned(),
            Mix::Loopback | Mix::LoopbackAndHttps | Mix::PrivateUse(_) => None,
        };
        fixed.unwrap_or_else(|| names::shown(client_name))
    }

    /// What a blocked key is called, where that is known: the name of the host it holds.
    #[must_use]
    pub fn of_key(&self, key: &str) -> Option<&str> {
        self.0.get(key.strip_prefix("local:").unwrap_or(key)).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn https() -> Mix {
        Mix::Https("client.example".into())
    }

    fn scheme() -> Mix {
        Mix::PrivateUse("com.example.app".into())
    }

    #[test]
    fn keys() {
        // A-115 …
        assert_eq!(document_key("client.example", RedirectKind::Https), "client.example");
        assert_eq!(document_key("client.example", RedirectKind::Loopback), "local:client.example");
        assert_eq!(document_key("client.example", RedirectKind::PrivateUse), "local:client.example");
        // A-118 … A-121
        assert_eq!(registered_key(&https(), "Any"), "client.example");
        assert_eq!(registered_key(&Mix::Loopback, "My ÄPP"), "local:my äpp");
        assert_eq!(registered_key(&Mix::LoopbackAndHttps, "My App"), "local:my app@web");
        assert_eq!(registered_key(&scheme(), "Any"), "com.example.app");
        //
        assert_eq!(normal_host("Client.EXAMPLE."), "client.example");
    }

    #[test]
    fn display_names() {
        let known = WellKnown::new([("Client.example".to_owned(), "The Client".to_owned())]);
        //
        assert_eq!(known.of_document("client.example", Some("Anything")), "The Client");
        assert_eq!(known.of_registered(&https(), "Anything"), "The Client");
        //
        for mix in [Mix::Loopback, Mix::LoopbackAndHttps, scheme()] {
            assert_eq!(known.of_registered(&mix, "client.example"), "client.example");
        }
        //
        assert_eq!(known.of_document("other.example", Some(&"x".repeat(41))), "x".repeat(40));
        assert_eq!(known.of_registered(&Mix::Loopback, &"x".repeat(41)), "x".repeat(40));
        assert_eq!(known.of_document("other.example", None), "other.example");
        assert_eq!(known.of_key("local:client.example"), Some("The Client"));
        assert_eq!(known.of_key("client.example"), Some("The Client"));
        assert_eq!(known.of_key("other"), None);
    }
}
