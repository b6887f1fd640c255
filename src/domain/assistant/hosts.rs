//! The canonical form of hosts in client ids, redirect URIs and block keys.

/// Returns the canonical form of a host, so that all spellings of a host have the same block key (D-243). A text that
/// is not a valid host is only converted to lower case, without a dot at its end.
#[must_use]
pub fn normal_host(host: &str) -> String {
    canonical_host(host).unwrap_or_else(|| host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase())
}

/// Returns the canonical form of a host (WHATWG URL, "host parsing"): lower case, A-labels, IPv4 addresses in dotted
/// decimal, IPv6 addresses as in RFC 5952, no trailing dot. Returns `None` if the text is not a valid host.
#[must_use]
pub fn canonical_host(host: &str) -> Option<String> {
    let host = url::Host::parse(host.strip_suffix('.').unwrap_or(host)).ok()?;
    let text = host.to_string();
    (!text.ends_with('.')).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_spellings_of_a_host_have_one_form() {
        assert_eq!(normal_host("Client.EXAMPLE."), "client.example");
        for (spelling, host) in [
            ("1.1.1", "1.1.0.1"),
            ("0x7f.1", "127.0.0.1"),
            ("16843009", "1.1.1.1"),
            ("[2001:DB8:0::1]", "[2001:db8::1]"),
            ("xn--BCHER-KVA.example", "xn--bcher-kva.example"),
        ] {
            assert_eq!(normal_host(spelling), host, "all spellings of a host have one form (A-122)");
        }
    }
}
