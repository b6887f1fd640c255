//! Encryption of secrets that the server stores in the database and later needs as plain text, such as signing secrets.
//! The cipher is XChaCha20-Poly1305, with a configured key.
//!
//! An encrypted secret is a text, `enc:v1:<key id>:<nonce and ciphertext>`. The key id has 16 hexadecimal digits. The
//! rest is the unpadded base64url of the nonce (24 random bytes), the ciphertext and its tag. The associated data is
//! the header, which is everything before the nonce, and the location of the secret (table, column, row). So a
//! ciphertext is rejected if its header is changed, or if it is copied to another row or column.
//!
//! The probability that random nonces of 192 bits repeat is negligible, however many secrets a key encrypts
//! (draft-irtf-cfrg-xchacha §1).

use std::fmt;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chacha20poly1305::aead::{Aead as _, KeyInit as _, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};

use super::secrets::{constant_time_eq, hex, hmac_sha256, parse_hex};

/// The prefix of encrypted secrets. No plain text secret begins with it.
const PREFIX: &str = "enc:v1:";
const NONCE_LEN: usize = 24;
/// Number of hexadecimal digits of a key id.
const ID_DIGITS: usize = 16;

/// The public id of a key. It identifies the key that a ciphertext needs, without revealing the key.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyId(pub [u8; 8]);

impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

impl fmt::Debug for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeyId({self})")
    }
}

/// A key: 32 random bytes, written as 64 hexadecimal digits.
#[derive(Clone)]
pub struct EncryptionKey([u8; 32]);

impl EncryptionKey {
    /// Creates a key from 32 random bytes.
    #[must_use]
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Parses 64 hexadecimal digits.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        parse_hex(text).map(Self)
    }

    /// Returns the 64 hexadecimal digits.
    #[must_use]
    pub fn expose(&self) -> String {
        hex(&self.0)
    }

    /// Returns the key id, derived from the key.
    #[must_use]
    pub fn id(&self) -> KeyId {
        let mut id = [0; 8];
        id.copy_from_slice(&hmac_sha256(&self.0, &[b"key id of secrets at rest"])[..8]);
        KeyId(id)
    }

    fn cipher(&self) -> XChaCha20Poly1305 {
        let key = hmac_sha256(&self.0, &[b"encryption of secrets at rest"]);
        XChaCha20Poly1305::new(&key.into())
    }
}

impl fmt::Debug for EncryptionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("EncryptionKey(hidden)")
    }
}

impl PartialEq for EncryptionKey {
    fn eq(&self, other: &Self) -> bool {
        constant_time_eq(&self.0, &other.0)
    }
}

impl Eq for EncryptionKey {}

/// Why a secret cannot be encrypted or decrypted.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum KeyringError {
    /// The key is not configured.
    #[error("it is encrypted with the key {0}, which is neither secrets.key nor one of secrets.old_keys")]
    UnknownKey(KeyId),
    /// The text was changed, truncated, or copied from another location.
    #[error("its ciphertext is damaged, or belongs to another row or column")]
    Damaged,
}

/// The configured keys. Cheap to clone.
#[derive(Clone, Default)]
pub struct Keyring(Arc<[IdentifiedKey]>);

struct IdentifiedKey {
    id: KeyId,
    cipher: XChaCha20Poly1305,
}

impl fmt::Debug for Keyring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Keyring").field(&self.ids()).finish()
    }
}

impl Keyring {
    /// Creates a keyring. The first key encrypts new secrets.
    #[must_use]
    pub fn new<'a>(keys: impl IntoIterator<Item = &'a EncryptionKey>) -> Self {
        Self(keys.into_iter().map(|key| IdentifiedKey { id: key.id(), cipher: key.cipher() }).collect())
    }

    /// Returns the id of the key that encrypts new secrets, if there is one.
    #[must_use]
    pub fn preferred(&self) -> Option<KeyId> {
        self.0.first().map(|known| known.id)
    }

    /// Returns the ids of all keys.
    #[must_use]
    pub fn ids(&self) -> Vec<KeyId> {
        self.0.iter().map(|known| known.id).collect()
    }

    /// Returns whether the keyring contains the key.
    #[must_use]
    pub fn has(&self, id: KeyId) -> bool {
        self.find(id).is_ok()
    }

    fn find(&self, id: KeyId) -> Result<&IdentifiedKey, KeyringError> {
        self.0.iter().find(|known| known.id == id).ok_or(KeyringError::UnknownKey(id))
    }

    /// Encrypts a secret with the key `id`, for a location. `nonce` must be new random bytes.
    ///
    /// # Errors
    /// - [`KeyringError::UnknownKey`] if the keyring does not contain the key `id`.
    /// - [`KeyringError::Damaged`] if the secret is larger than the cipher supports (256 GiB).
    pub fn encrypt(
        &self,
        id: KeyId,
        location: &[&str],
        nonce: [u8; NONCE_LEN],
        secret: &[u8],
    ) -> Result<String, KeyringError> {
        let known = self.find(id)?;
        let header = format!("{PREFIX}{id}:");
        let payload = Payload { msg: secret, aad: &associated(&header, location) };
        let sealed =
            known.cipher.encrypt(&XNonce::from(nonce), payload).map_err(|_| KeyringError::Damaged)?;
        Ok(format!("{header}{}", URL_SAFE_NO_PAD.encode([&nonce[..], &sealed].concat())))
    }

    /// Decrypts a result of [`Keyring::encrypt`] for the same location.
    ///
    /// # Errors
    /// - [`KeyringError::Damaged`] if the text does not begin with a valid header.
    /// - [`KeyringError::UnknownKey`] if the key of the text is not configured.
    /// - [`KeyringError::Damaged`] if the text was changed or belongs to another location.
    pub fn decrypt(&self, location: &[&str], text: &str) -> Result<Vec<u8>, KeyringError> {
        let id = key_of(text).ok_or(KeyringError::Damaged)?;
        let known = self.find(id)?;
        let (header, rest) = text.split_at(PREFIX.len() + ID_DIGITS + 1);
        let bytes = URL_SAFE_NO_PAD.decode(rest).map_err(|_| KeyringError::Damaged)?;
        let (nonce, sealed) = bytes.split_first_chunk::<NONCE_LEN>().ok_or(KeyringError::Damaged)?;
        let payload = Payload { msg: sealed, aad: &associated(header, location) };
        known.cipher.decrypt(&XNonce::from(*nonce), payload).map_err(|_| KeyringError::Damaged)
    }
}

/// Returns whether a stored text is an encrypted secret, not plain text.
#[must_use]
pub fn is_encrypted(text: &str) -> bool {
    text.starts_with(PREFIX)
}

/// Returns the id of the key that an encrypted secret needs; `None` for any other text.
#[must_use]
pub fn key_of(text: &str) -> Option<KeyId> {
    let (id, _) = text.strip_prefix(PREFIX)?.split_once(':')?;
    // accepts only the canonical form, which `encrypt` writes: lower-case digits
    let id = KeyId(parse_hex(id)?);
    text[PREFIX.len()..].starts_with(&id.to_string()).then_some(id)
}

/// Returns the associated data: the header and the parts of the location. Each of them is prefixed with its length, so
/// different headers or locations always have different associated data.
fn associated(header: &str, location: &[&str]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for part in [header].iter().chain(location) {
        bytes.extend((part.len() as u64).to_be_bytes());
        bytes.extend(part.as_bytes());
    }
    bytes
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const LOCATION: &[&str] = &["apps", "signing_secret", "17"];

    fn ring(keys: &[u8]) -> Keyring {
        let keys: Vec<_> = keys.iter().map(|byte| EncryptionKey::new([*byte; 32])).collect();
        Keyring::new(&keys)
    }

    fn id(byte: u8) -> KeyId {
        EncryptionKey::new([byte; 32]).id()
    }

    proptest! {
        #[test]
        fn encryption_round_trips_with_the_same_key(secret: Vec<u8>, nonce: [u8; 24]) {
            let text = ring(&[1]).encrypt(id(1), LOCATION, nonce, &secret).unwrap();
            prop_assert_eq!(ring(&[2, 1]).decrypt(LOCATION, &text), Ok(secret));
            prop_assert_eq!(key_of(&text), Some(id(1)));
            prop_assert_eq!(ring(&[2]).decrypt(LOCATION, &text), Err(KeyringError::UnknownKey(id(1))));
        }

        #[test]
        fn a_text_with_a_changed_character_is_rejected(at in 0usize..1_000, to in 0x21u8..0x7f) {
            let text = ring(&[1]).encrypt(id(1), LOCATION, [7; 24], b"whsec_of_some_length_or_other").unwrap();
            let mut changed = text.clone().into_bytes();
            let at = at % changed.len();
            changed[at] = to;
            let changed = String::from_utf8(changed).unwrap();
            let opened = ring(&[1]).decrypt(LOCATION, &changed);
            prop_assert_eq!(opened.is_ok(), changed == text, "{}", changed);
        }

        #[test]
        fn arbitrary_texts_are_rejected_without_a_panic(text in ".{0,80}", rest in "[A-Za-z0-9_-]{0,60}") {
            prop_assert!(ring(&[1]).decrypt(LOCATION, &text).is_err());
            let forged = format!("{PREFIX}{}:{rest}", id(1));
            prop_assert!(ring(&[1]).decrypt(LOCATION, &forged).is_err());
        }
    }

    #[test]
    fn a_ciphertext_is_bound_to_its_table_column_and_row() {
        let text = ring(&[1]).encrypt(id(1), LOCATION, [7; 24], b"whsec_x").unwrap();
        for other in [
            ["apps", "signing_secret", "18"],
            ["apps", "previous_signing_secret", "17"],
            ["other", "signing_secret", "17"],
            ["appss", "igning_secret", "17"],
        ] {
            assert_eq!(ring(&[1]).decrypt(&other, &text), Err(KeyringError::Damaged), "{other:?}");
        }
    }

    #[test]
    fn neither_the_text_nor_debug_output_contains_the_secret_or_the_key() {
        let key = EncryptionKey::new([0xab; 32]);
        let text = Keyring::new([&key]).encrypt(key.id(), LOCATION, [7; 24], b"whsec_x").unwrap();
        assert!(!text.contains("whsec_x") && !text.contains(&key.expose()[..16]), "{text}");
        assert!(!format!("{key:?} {:?}", Keyring::new([&key])).contains("abab"));
    }

    #[test]
    fn keys_are_64_hexadecimal_digits() {
        let key = EncryptionKey::parse(&"0f".repeat(32)).unwrap();
        assert_eq!(key, EncryptionKey::new([15; 32]));
        assert_eq!(EncryptionKey::parse(&key.expose()), Some(key));
        for bad in ["", "0f", &"0g".repeat(32), &"0f".repeat(33)] {
            assert_eq!(EncryptionKey::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn plain_and_encrypted_secrets_are_distinguished() {
        for plain in ["", "whsec_abc", "enc", "ENC:v1:"] {
            assert!(!is_encrypted(plain) && key_of(plain).is_none(), "{plain}");
        }
        assert!(key_of("enc:v1:00:x").is_none());
        assert!(key_of(&format!("enc:v1:{}:", "A".repeat(16))).is_none(), "upper case is not canonical");
    }
}
