//! Proof key for code exchange (RFC 7636), method `S256` only.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

/// Returns whether the text has the form of an `S256` challenge: 43 base64url characters, as many as encode a SHA-256
/// hash.
#[must_use]
pub fn is_challenge(text: &str) -> bool {
    text.len() == 43 && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

/// Returns whether the text has the form of a verifier: 43 to 128 unreserved characters (§4.1).
#[must_use]
pub fn is_verifier(text: &str) -> bool {
    (43..=128).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~'))
}

/// Returns whether the verifier is well formed and matches the challenge: `BASE64URL(SHA256(verifier)) == challenge`
/// (§4.6). Compares in constant time.
#[must_use]
pub fn matches(challenge: &str, verifier: &str) -> bool {
    let expected = URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes()));
    is_verifier(verifier) && bool::from(expected.as_bytes().ct_eq(challenge.as_bytes()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The verifier of the example in RFC 7636 appendix B.
    const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    /// The challenge of the same example.
    const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

    #[test]
    fn the_example_of_the_rfc_matches() {
        assert!(is_challenge(CHALLENGE) && is_verifier(VERIFIER));
        assert!(matches(CHALLENGE, VERIFIER));
        // with the method `plain`, the challenge would be the verifier itself
        assert!(!matches(VERIFIER, VERIFIER));
        assert!(!matches(&format!("{CHALLENGE}="), VERIFIER));
        assert!(!matches("", VERIFIER));
    }

    #[test]
    fn the_format_of_challenges_and_verifiers_is_checked() {
        assert!(is_verifier(&"~".repeat(43)) && is_verifier(&"a".repeat(128)));
        for bad in ["a".repeat(42), "a".repeat(129), "+".repeat(43), " ".repeat(43), String::new()] {
            assert!(!is_verifier(&bad), "{bad}");
        }
        for bad in ["a".repeat(42), "a".repeat(44), ".".repeat(43), "=".repeat(43), "é".repeat(21) + "a"] {
            assert!(!is_challenge(&bad), "{bad}");
        }
        // a malformed verifier is rejected even if its hash matches the challenge
        let short = "a".repeat(42);
        assert!(!matches(&URL_SAFE_NO_PAD.encode(Sha256::digest(&short)), &short));
    }

    proptest! {
        #[test]
        fn only_the_verifier_matches(a in "[A-Za-z0-9._~-]{43,128}", b in "[A-Za-z0-9._~-]{43,128}") {
            let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(&a));
            prop_assert!(is_challenge(&challenge) && matches(&challenge, &a));
            prop_assert_eq!(matches(&challenge, &b), a == b);
        }
    }
}
