//! The list of the keys with which the secrets of a database are encrypted. It is stored in one row of
//! `server_secrets`, as the ids of the keys (8 bytes each), beginning with the current key.

use super::SecretsError;
use crate::platform::encryption::{KeyId, Keyring};

/// The entry that stands for plain text, in place of the id of a key.
const PLAIN: [u8; 8] = [0; 8];

/// The keys with which the secrets of a database are encrypted. `None` means plain text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct KeysInUse {
    /// The key with which new secrets are encrypted.
    pub current: Option<KeyId>,
    /// The previous keys, with which some secrets are possibly still encrypted. Empty after a completed rotation.
    pub earlier: Vec<Option<KeyId>>,
}

impl KeysInUse {
    /// Parses the value of the row. An empty value means that nothing is encrypted.
    #[must_use]
    pub fn parse(bytes: &[u8]) -> Self {
        let (ids, _) = bytes.as_chunks();
        let mut ids = ids.iter().map(|id| (*id != PLAIN).then_some(KeyId(*id)));
        Self { current: ids.next().flatten(), earlier: ids.collect() }
    }

    /// Returns the value of the row.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let all = std::iter::once(&self.current).chain(&self.earlier);
        all.flat_map(|key| key.map_or(PLAIN, |key| key.0)).collect()
    }

    /// Returns every key that is needed to read the secrets.
    pub fn needed(&self) -> impl Iterator<Item = KeyId> {
        std::iter::once(self.current).chain(self.earlier.iter().copied()).flatten()
    }

    /// Returns whether at least one secret is possibly encrypted.
    #[must_use]
    pub fn is_encrypted(&self) -> bool {
        self.needed().next().is_some()
    }

    /// Returns whether every secret is encrypted with `key`. If `key` is `None`, returns whether every secret is in
    /// plain text.
    #[must_use]
    pub fn uses_only(&self, key: Option<KeyId>) -> bool {
        self.current == key && self.earlier.is_empty()
    }

    /// Checks that every key that is needed to read the secrets is configured.
    ///
    /// # Errors
    /// [`SecretsError::MissingKeys`] if a needed key is not configured.
    pub fn check(&self, keys: &Keyring) -> Result<(), SecretsError> {
        let missing: Vec<_> = self.needed().filter(|key| !keys.has(*key)).collect();
        if missing.is_empty() { Ok(()) } else { Err(SecretsError::MissingKeys(missing)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::encryption::EncryptionKey;

    fn key(byte: u8) -> EncryptionKey {
        EncryptionKey::new([byte; 32])
    }

    fn ring(bytes: &[u8]) -> Keyring {
        let keys: Vec<_> = bytes.iter().map(|byte| key(*byte)).collect();
        Keyring::new(&keys)
    }

    #[test]
    fn keys_in_use_are_parsed_from_their_bytes() {
        let (one, two) = (key(1).id(), key(2).id());
        for keys in [
            KeysInUse::default(),
            KeysInUse { current: Some(one), earlier: vec![] },
            KeysInUse { current: Some(one), earlier: vec![None, Some(two)] },
            KeysInUse { current: None, earlier: vec![Some(one)] },
        ] {
            assert_eq!(KeysInUse::parse(&keys.bytes()), keys);
        }
        assert_eq!(KeysInUse::parse(&[]), KeysInUse::default(), "an empty value means no encryption");
    }

    #[test]
    fn every_key_in_use_must_be_configured() {
        let (one, two) = (key(1).id(), key(2).id());
        let keys = KeysInUse { current: Some(one), earlier: vec![None, Some(two)] };
        assert_eq!(keys.check(&ring(&[2, 1])), Ok(()));
        let error = |configured: &[u8]| keys.check(&ring(configured)).unwrap_err().to_string();
        assert!(error(&[1]).contains(&two.to_string()));
        assert!(error(&[]).contains(&format!("{one} and the key {two}")), "{}", error(&[]));
        assert_eq!(KeysInUse::default().check(&ring(&[])), Ok(()));
    }
}
