//! The secrets that the server must read back: the signing secrets of apps, and the master key. They are stored as
//! ciphertext ([`encryption`](crate::platform::encryption)) or as plain text. If a key is configured, the secrets of a
//! new database are encrypted. The secrets of an existing database remain as they are until [`rotate`] encrypts or
//! decrypts them.
//!
//! The row `secret_keys` of `server_secrets` lists the keys with which the database's secrets are encrypted
//! ([`KeysInUse`]). A transaction that writes a secret locks and reads this row. So all nodes encrypt with the same
//! key, even if their configurations list the keys in different orders. After a change of the row was committed, no
//! secret is written with the previous key. So [`rotate`] can rewrite the stored secrets while nodes serve.
//!
//! A version of the server that does not support encryption would sign events with the ciphertext. So if a database has
//! encrypted secrets, only versions that know the migration [`MIGRATION`] can use the database. The table
//! `schema_compatibility` records this requirement.

mod keys;
pub mod rotate;

use std::fmt;

pub use self::keys::KeysInUse;
use crate::domain::{ids::AppId, time::Timestamp};
use crate::platform::encryption::{KeyId, Keyring, KeyringError, is_encrypted, key_of};
use crate::platform::rng::Rng;
use crate::platform::secrets::Secret;
use crate::store::Migrations;
use crate::store::server::{INSERT_SECRET, SECRET, SET_SECRET};
use crate::store::{Col, Row, Val, op};
use crate::store::{ReadSql, Result, Sql, StoreError, args, statements};

/// The name of the row in `server_secrets` that lists the keys in use.
pub(in crate::store) const KEYS: &str = "secret_keys";
/// The name of the row in `server_secrets` that has the master key.
const MASTER: &str = "master";
/// The name of the migration that introduced encrypted secrets.
pub const MIGRATION: &str = "encrypted secrets";

statements! {
    KEYS_FOR_UPDATE: LockingQuery =
        sqlite "SELECT value FROM server_secrets WHERE name = $1"
        postgres "SELECT value FROM server_secrets WHERE name = $1 FOR UPDATE";
    // a server can use a database that has the migration $1 only if the server knows the migration $2
    SET_OLDEST_COMPATIBLE: Command = "UPDATE schema_compatibility SET oldest_compatible = $2 WHERE version = $1 AND oldest_compatible <> $2";
    // On PostgreSQL, an app is skipped if a concurrent transaction has locked the app's row, for example to replace the
    // secret. The next run of the maintenance job checks the app again.
    ERASE_SUPERSEDED: Command =
        sqlite "UPDATE apps SET previous_signing_secret = NULL
            WHERE id IN (SELECT id FROM apps WHERE previous_signing_secret IS NOT NULL AND signing_rotated_at <= $1
                ORDER BY signing_rotated_at LIMIT $2)"
        postgres "UPDATE apps SET previous_signing_secret = NULL
            WHERE id = ANY(ARRAY(SELECT id FROM apps WHERE previous_signing_secret IS NOT NULL
                AND signing_rotated_at <= $1 ORDER BY signing_rotated_at LIMIT $2 FOR UPDATE SKIP LOCKED))";
}

/// A secret as it is stored in its column: ciphertext or plain text. Its `Debug` output shows neither of them.
#[derive(Clone, PartialEq, Eq)]
pub struct StoredSecret(String);

impl StoredSecret {
    /// Wraps a secret in plain text.
    #[must_use]
    pub fn plain(secret: &str) -> Self {
        Self(secret.to_owned())
    }

    /// Returns the key with which the secret is encrypted; `None` if it is in plain text.
    #[must_use]
    pub fn key(&self) -> Option<KeyId> {
        key_of(&self.0)
    }
}

impl fmt::Debug for StoredSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("StoredSecret(hidden)")
    }
}

impl Col for StoredSecret {
    const NULL: Val<'static> = Val::Text(None);

    fn val(&self) -> Val<'_> {
        Val::Text(Some(&self.0))
    }

    fn get(row: &Row<'_>, index: usize) -> std::result::Result<Self, String> {
        String::get(row, index).map(Self)
    }
}

impl<'a> From<&'a StoredSecret> for Val<'a> {
    fn from(secret: &'a StoredSecret) -> Self {
        Val::Text(Some(&secret.0))
    }
}

impl<'a> From<Option<&'a StoredSecret>> for Val<'a> {
    fn from(secret: Option<&'a StoredSecret>) -> Self {
        Val::Text(secret.map(|secret| secret.0.as_str()))
    }
}

/// Where a secret is stored. The location is a part of the associated data of the encryption, so ciphertext that is
/// copied to another location cannot be decrypted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SecretLocation {
    /// `apps.signing_secret`.
    SigningSecret(AppId),
    /// `apps.previous_signing_secret`.
    PreviousSigningSecret(AppId),
    /// The row of the master key in `server_secrets`.
    MasterKey,
}

impl SecretLocation {
    /// Returns the table, the column and the row.
    fn parts(self) -> [String; 3] {
        let (table, column, row) = match self {
            Self::SigningSecret(app) => ("apps", "signing_secret", app.0.to_string()),
            Self::PreviousSigningSecret(app) => ("apps", "previous_signing_secret", app.0.to_string()),
            Self::MasterKey => ("server_secrets", "value", MASTER.to_owned()),
        };
        [table.to_owned(), column.to_owned(), row]
    }
}

impl fmt::Display for SecretLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SigningSecret(app) => write!(f, "the signing secret of {}", app.encode()),
            Self::PreviousSigningSecret(app) => write!(f, "the previous signing secret of {}", app.encode()),
            Self::MasterKey => f.write_str("the master key"),
        }
    }
}

/// Why a secret of a database cannot be read or written.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SecretsError {
    /// These keys are in use, but not configured.
    #[error("secrets in the database are encrypted with the key {}", missing(.0))]
    MissingKeys(Vec<KeyId>),
    /// A secret cannot be decrypted.
    #[error("{0} cannot be read: {1}")]
    Unreadable(SecretLocation, KeyringError),
}

/// Returns the rest of the text of [`SecretsError::MissingKeys`].
fn missing(keys: &[KeyId]) -> String {
    let list = keys.iter().map(ToString::to_string).collect::<Vec<_>>().join(" and the key ");
    let rest = match keys.len() {
        1 => "which is not configured: set secrets.key to it, or add it to secrets.old_keys",
        _ => {
            "which are not configured: add them to secrets.old_keys, or set secrets.key to one of them and add the \
             others"
        }
    };
    format!("{list}, {rest}")
}

impl From<SecretsError> for crate::store::Error {
    fn from(error: SecretsError) -> Self {
        let why = error.to_string();
        match error {
            SecretsError::Unreadable(_, KeyringError::Damaged) => StoreError::bug(why),
            // A key is missing in the configuration of this node. The same request succeeds when the node has the same
            // keys as the other nodes.
            _ => StoreError::unavailable(why),
        }
        .into()
    }
}

/// Encrypts and decrypts secrets with the configured keys. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Encryption {
    keys: Keyring,
    rng: Rng,
}

impl Encryption {
    /// Creates an `Encryption` with the configured keys. The first key encrypts the secrets of a new database. If there
    /// are no keys, the secrets of a new database are stored as plain text.
    #[must_use]
    pub fn new(keys: Keyring, rng: Rng) -> Self {
        Self { keys, rng }
    }

    /// Returns the configured keys.
    #[must_use]
    pub fn keys(&self) -> &Keyring {
        &self.keys
    }

    /// Decrypts a stored secret. If the secret is stored as plain text, returns it unchanged.
    ///
    /// # Errors
    /// [`SecretsError::Unreadable`] if the secret cannot be decrypted.
    pub fn decrypt(
        &self,
        location: SecretLocation,
        stored: &StoredSecret,
    ) -> std::result::Result<Secret, SecretsError> {
        if !is_encrypted(&stored.0) {
            return Ok(Secret::new(stored.0.clone()));
        }
        let damaged = SecretsError::Unreadable(location, KeyringError::Damaged);
        let bytes = self.decrypt_text(location, &stored.0)?;
        String::from_utf8(bytes).map(Secret::new).map_err(|_| damaged)
    }

    /// Decrypts the stored master key. If the master key is stored as plain text, returns it unchanged.
    ///
    /// # Errors
    /// [`SecretsError::Unreadable`] if the master key cannot be decrypted.
    pub fn master_key(&self, stored: &[u8]) -> std::result::Result<[u8; 32], SecretsError> {
        let location = SecretLocation::MasterKey;
        let damaged = || SecretsError::Unreadable(location, KeyringError::Damaged);
        if let Ok(plain) = stored.try_into() {
            return Ok(plain);
        }
        let text = std::str::from_utf8(stored).map_err(|_| damaged())?;
        self.decrypt_text(location, text)?.try_into().map_err(|_| damaged())
    }

    fn decrypt_text(
        &self,
        location: SecretLocation,
        text: &str,
    ) -> std::result::Result<Vec<u8>, SecretsError> {
        let parts = location.parts();
        let decrypted = self.keys.decrypt(&parts.each_ref().map(String::as_str), text);
        decrypted.map_err(|why| SecretsError::Unreadable(location, why))
    }

    fn encrypt_text(
        &self,
        key: KeyId,
        location: SecretLocation,
        secret: &[u8],
    ) -> std::result::Result<String, SecretsError> {
        let parts = location.parts();
        let location = parts.each_ref().map(String::as_str);
        let encrypted = self.keys.encrypt(key, &location, self.rng.bytes(), secret);
        encrypted.map_err(|_| SecretsError::MissingKeys(vec![key]))
    }

    fn encrypt(
        &self,
        key: Option<KeyId>,
        location: SecretLocation,
        secret: &str,
    ) -> std::result::Result<StoredSecret, SecretsError> {
        match key {
            None => Ok(StoredSecret::plain(secret)),
            Some(key) => self.encrypt_text(key, location, secret.as_bytes()).map(StoredSecret),
        }
    }

    fn encrypt_master(
        &self,
        key: Option<KeyId>,
        master: &[u8; 32],
    ) -> std::result::Result<Vec<u8>, SecretsError> {
        match key {
            None => Ok(master.to_vec()),
            Some(key) => Ok(self.encrypt_text(key, SecretLocation::MasterKey, master)?.into_bytes()),
        }
    }
}

/// Returns the keys in use.
pub async fn keys_in_use<C: ReadSql>(c: &mut C) -> Result<KeysInUse> {
    let row = c.opt::<(Vec<u8>,)>(&SECRET, args![KEYS]).await?;
    Ok(row.map_or_else(KeysInUse::default, |(bytes,)| KeysInUse::parse(&bytes)))
}

/// Reads the keys in use.
pub struct ReadKeysInUse;

op! { ReadOp "read_keys_in_use": ReadKeysInUse -> KeysInUse = |_, c| keys_in_use(c) }

/// Returns the keys in use, and locks the row that lists them until the transaction ends.
async fn lock_keys<C: Sql>(c: &mut C) -> Result<KeysInUse> {
    let row = c.lock_opt::<(Vec<u8>,)>(&KEYS_FOR_UPDATE, args![KEYS]).await?;
    Ok(row.map_or_else(KeysInUse::default, |(bytes,)| KeysInUse::parse(&bytes)))
}

async fn set_keys<C: Sql>(c: &mut C, keys: &KeysInUse) -> Result<()> {
    c.exec(&SET_SECRET, args![KEYS, &keys.bytes()]).await?;
    Ok(())
}

/// Encrypts a secret with the current key, or returns it as plain text if the database's secrets are not encrypted. The
/// caller must store the result in the same transaction. The row that lists the keys is locked until the transaction
/// ends.
///
/// # Errors
/// Unavailable if the current key is not configured on this node.
pub async fn protect<C: Sql>(
    c: &mut C,
    encryption: &Encryption,
    location: SecretLocation,
    secret: &str,
) -> Result<StoredSecret> {
    let keys = lock_keys(c).await?;
    Ok(encryption.encrypt(keys.current, location, secret)?)
}

/// Returns the master key as it is stored (as ciphertext or plain text), and the keys in use. If the database has no
/// master key, it is new, and `fresh` is stored as its master key. If several nodes start at the same time, only the
/// master key of the first node is stored. If keys are configured, the secrets of a new database are encrypted with the
/// preferred key.
///
/// # Errors
/// Unavailable if the database is new and its secrets must be encrypted with a key that another node or a rotation has
/// already chosen, but that is not configured on this node.
pub async fn begin<C: Sql>(
    c: &mut C,
    encryption: &Encryption,
    fresh: &[u8; 32],
) -> Result<(Vec<u8>, KeysInUse)> {
    let is_new = c.opt::<(Vec<u8>,)>(&SECRET, args![MASTER]).await?.is_none();
    let wanted = KeysInUse { current: encryption.keys.preferred().filter(|_| is_new), earlier: Vec::new() };
    let bytes = if wanted.current.is_some() { wanted.bytes() } else { Vec::new() };
    c.exec(&INSERT_SECRET, args![KEYS, &bytes]).await?;
    let keys = lock_keys(c).await?;
    if is_new {
        let master = encryption.encrypt_master(keys.current, fresh)?;
        c.exec(&INSERT_SECRET, args![MASTER, &master]).await?;
    }
    if keys.is_encrypted() {
        require_this_version(c).await?;
    }
    let (master,) = c.one::<(Vec<u8>,)>(&SECRET, args![MASTER]).await?;
    Ok((master, keys))
}

/// Excludes versions of the server that do not support encryption.
async fn require_this_version<C: Sql>(c: &mut C) -> Result<()> {
    let (version, _) = migration(c)?;
    c.exec(&SET_OLDEST_COMPATIBLE, args![version, version]).await?;
    Ok(())
}

/// Removes the requirement of [`require_this_version`]. After that, every version of the server that is compatible with
/// the schema can use the database.
async fn lift_version_requirement<C: Sql>(c: &mut C) -> Result<()> {
    let (version, oldest_compatible) = migration(c)?;
    c.exec(&SET_OLDEST_COMPATIBLE, args![version, oldest_compatible]).await?;
    Ok(())
}

/// Returns the version of the migration that introduced encrypted secrets, and its oldest compatible version
/// ([`Header`](crate::store::Header)).
fn migration<C: ReadSql>(c: &C) -> Result<(i64, i64)> {
    let migrations = Migrations::of(c.engine());
    let found = migrations.iter().find(|migration| migration.name == MIGRATION);
    let found = found.map(|migration| (migration.version, migration.header.oldest_compatible));
    found.ok_or_else(|| StoreError::bug("no migration for encrypted secrets was found").into())
}

/// Erases up to `limit` previous signing secrets that were replaced at or before `until`. Returns the number of erased
/// secrets.
pub async fn erase_superseded<C: Sql>(c: &mut C, until: Timestamp, limit: i64) -> Result<u64> {
    c.exec(&ERASE_SUPERSEDED, args![until, limit]).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::encryption::EncryptionKey;

    fn key(byte: u8) -> EncryptionKey {
        EncryptionKey::new([byte; 32])
    }

    fn encryption_with(bytes: &[u8]) -> Encryption {
        let keys: Vec<_> = bytes.iter().map(|byte| key(*byte)).collect();
        Encryption::new(Keyring::new(&keys), Rng::os())
    }

    #[test]
    fn the_error_for_missing_keys_names_each_key() {
        let (one, other) = (key(1).id(), key(2).id());
        assert_eq!(
            SecretsError::MissingKeys(vec![one]).to_string(),
            format!(
                "secrets in the database are encrypted with the key {one}, which is not configured: set secrets.key \
                 to it, or add it to secrets.old_keys"
            )
        );
        assert_eq!(
            SecretsError::MissingKeys(vec![one, other]).to_string(),
            format!(
                "secrets in the database are encrypted with the key {one} and the key {other}, which are not \
                 configured: add them to secrets.old_keys, or set secrets.key to one of them and add the others"
            )
        );
    }

    #[test]
    fn ciphertext_is_bound_to_its_location() {
        let (encryption, id) = (encryption_with(&[1]), Some(key(1).id()));
        let location = SecretLocation::SigningSecret(AppId(7));
        let stored = encryption.encrypt(id, location, "whsec_x").unwrap();
        assert_eq!(encryption.decrypt(location, &stored), Ok(Secret::new("whsec_x")));
        for other in
            [SecretLocation::PreviousSigningSecret(AppId(7)), SecretLocation::SigningSecret(AppId(8))]
        {
            let error = encryption.decrypt(other, &stored).unwrap_err();
            assert_eq!(error, SecretsError::Unreadable(other, KeyringError::Damaged));
        }
        assert_ne!(
            encryption.encrypt(id, location, "whsec_x").unwrap(),
            stored,
            "each ciphertext has its own nonce"
        );
    }

    #[test]
    fn an_encrypted_and_a_plain_text_master_key_can_be_read() {
        let encryption = encryption_with(&[1]);
        for id in [None, Some(key(1).id())] {
            let stored = encryption.encrypt_master(id, &[9; 32]).unwrap();
            assert_eq!(encryption.master_key(&stored), Ok([9; 32]));
            assert_eq!(encryption_with(&[2]).master_key(&stored).is_ok(), id.is_none());
        }
        assert!(encryption.master_key(b"short").is_err());
    }
}
