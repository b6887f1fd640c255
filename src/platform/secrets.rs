//! Secret values: types whose `Debug` output hides the value, comparison in constant time, and the hashes under which
//! tokens are stored (D-378).

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// A secret text. Its `Debug` output does not contain the text, so logs and error messages do not show it. Code that
/// reads the text must call [`Secret::expose`], so reviewers can search for these calls.
#[derive(Clone, Default)]
pub struct Secret(String);

impl Secret {
    /// Wraps a secret text.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Returns the text.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Compares with `other` in constant time.
    #[must_use]
    pub fn matches(&self, other: &str) -> bool {
        constant_time_eq(self.0.as_bytes(), other.as_bytes())
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(hidden)")
    }
}

impl PartialEq for Secret {
    fn eq(&self, other: &Self) -> bool {
        self.matches(&other.0)
    }
}

impl Eq for Secret {}

impl From<String> for Secret {
    fn from(text: String) -> Self {
        Self(text)
    }
}

/// Compares in constant time. The time reveals only the lengths.
#[must_use]
pub fn constant_time_eq(left: &[u8], right: &[u8]) -> bool {
    left.ct_eq(right).into()
}

/// Returns the SHA-256 of `bytes`. The database stores tokens as their SHA-256. Every token contains at least 160 random
/// bits. So a token cannot be guessed from its hash, and no slow hash is needed.
#[must_use]
pub fn sha256(bytes: impl AsRef<[u8]>) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

/// Returns the first half of the SHA-256 of `bytes`, for two uses for which 128 bits are sufficient: keys of rate
/// limits, and the digests under which sign-in attempts are counted.
#[must_use]
pub fn sha256_16(bytes: impl AsRef<[u8]>) -> [u8; 16] {
    let mut half = [0; 16];
    half.copy_from_slice(&sha256(bytes)[..16]);
    half
}

/// Returns the HMAC-SHA256 of the concatenation of `parts` (RFC 2104).
#[must_use]
pub fn hmac_sha256(key: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of every length");
    for part in parts {
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}

/// Formats as lower-case hexadecimal.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |nibble: u8| char::from(DIGITS[usize::from(nibble)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// Parses lower- or upper-case hexadecimal of exactly `N` bytes.
#[must_use]
pub fn parse_hex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    if text.len() != 2 * N {
        return None;
    }
    for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
        let high = char::from(pair[0]).to_digit(16)?;
        let low = char::from(pair[1]).to_digit(16)?;
        *byte = u8::try_from(high << 4 | low).ok()?;
    }
    Some(bytes)
}

/// A 32-byte secret from which a separate key is derived for each purpose.
#[derive(Clone)]
pub struct MasterKey([u8; 32]);

impl MasterKey {
    /// Wraps 32 random bytes.
    #[must_use]
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Derives the key for the purpose `name`: the HMAC-SHA256 of `name` with the master key. Changing a name
    /// invalidates everything that its key protects.
    #[must_use]
    pub fn subkey(&self, name: &str) -> [u8; 32] {
        hmac_sha256(&self.0, &[name.as_bytes()])
    }
}

impl fmt::Debug for MasterKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MasterKey(hidden)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_not_printed() {
        let secret = Secret::new("svc_op_abc");
        assert_eq!(format!("{secret:?} {:?}", MasterKey::new([7; 32])), "Secret(hidden) MasterKey(hidden)");
        assert!(secret.matches("svc_op_abc") && !secret.matches("svc_op_abd") && !secret.matches(""));
        assert_eq!(secret, Secret::from("svc_op_abc".to_owned()));
    }

    #[test]
    fn digests_match_published_vectors() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(hex(&sha256("")), empty);
        assert!(empty.starts_with(&hex(&sha256_16(""))));
        // RFC 4231, test case 2
        assert_eq!(
            hex(&hmac_sha256(b"Jefe", &[b"what do ya want ", b"for nothing?"])),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        );
    }

    #[test]
    fn only_hexadecimal_of_the_expected_length_is_parsed() {
        assert_eq!(parse_hex::<4>("00ffA5b1"), Some([0, 255, 0xa5, 0xb1]));
        for bad in ["", "00ff", "00ffa5b", "00ffa5bg", "00ffa5b1 ", "+0ffa5b1"] {
            assert_eq!(parse_hex::<4>(bad), None, "{bad}");
        }
    }

    #[test]
    fn each_purpose_and_each_master_key_has_its_own_subkey() {
        let master = MasterKey::new([1; 32]);
        assert_ne!(master.subkey("cursors"), master.subkey("links"));
        assert_ne!(master.subkey("cursors"), MasterKey::new([2; 32]).subkey("cursors"));
        assert_eq!(master.subkey("cursors"), master.subkey("cursors"));
    }
}
