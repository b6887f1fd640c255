//! The operations that rotate the key of stored secrets: they rewrite every stored secret with another key, or in plain
//! text. Nodes continue to serve. [`Db::rotate_secrets`](crate::store::Db::rotate_secrets) runs the operations in
//! this order:
//!
//! 1. Unless the secrets are rewritten in plain text, versions of the server that cannot read encrypted secrets are
//!    excluded from the database. On PostgreSQL, nodes that run such versions get time to notice that they must stop.
//! 2. The current key is changed. After this commit, new secrets are encrypted with the new key, and older secrets can
//!    still be read.
//! 3. The stored secrets are rewritten: first the master key, then the signing secrets of the apps. One transaction
//!    rewrites the secrets of a bounded number of apps.
//! 4. The previous keys are removed from the row that lists the keys in use.
//!
//! After an interrupted rotation, a node can serve if its configuration has all keys in use. Another rotation with the
//! same new key continues the interrupted rotation.

use std::time::Duration;

use super::{
    Encryption, KeysInUse, MASTER, SecretLocation, StoredSecret, lift_version_requirement, lock_keys,
    require_this_version, set_keys,
};
use crate::domain::ids::AppId;
use crate::platform::encryption::KeyId;
use crate::store::engine::pg::NODE_VALIDITY;
use crate::store::server::{INSERT_SECRET, SECRET, SET_SECRET};
use crate::store::{Op, Result, Sql, StoreError, args, row, statements};

/// The time that nodes of older versions get to notice that they must stop. A node notices this at the next
/// confirmation of its node number. A node that cannot confirm its number stops writing at the latest after this time.
pub const NOTICE: Duration = NODE_VALIDITY;
/// Maximum number of apps whose secrets are rewritten in one transaction.
const BATCH_SIZE: i64 = 100;

statements! {
    APPS: LockingQuery -> StoredApp =
        sqlite "SELECT id, signing_secret, previous_signing_secret FROM apps WHERE id > $1 ORDER BY id LIMIT $2"
        postgres "SELECT id, signing_secret, previous_signing_secret FROM apps WHERE id > $1 ORDER BY id LIMIT $2
            FOR UPDATE";
    SET_SECRETS: Command = "UPDATE apps SET signing_secret = $2, previous_signing_secret = $3 WHERE id = $1";
}

/// The result of a rotation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Rotated {
    /// Number of rewritten secrets.
    pub rewritten: u64,
    /// Number of all secrets.
    pub secrets: u64,
}

/// Excludes versions of the server that cannot read encrypted secrets, and returns whether nodes of such versions may
/// still be running. They may be running as long as no secret is encrypted, even if an interrupted rotation has already
/// excluded them. If `key` is `None`, which stands for plain text, excludes no version and returns `false`. Fails if a
/// key in use is not configured.
pub(in crate::store) struct ExcludeOldVersions {
    pub(in crate::store) encryption: Encryption,
    pub(in crate::store) key: Option<KeyId>,
}

impl Op for ExcludeOldVersions {
    const NAME: &'static str = "demand_encryption";
    type Out = bool;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<bool> {
        let keys = super::keys_in_use(c).await?;
        keys.check(self.encryption.keys())?;
        if self.key.is_none() {
            return Ok(false);
        }
        require_this_version(c).await?;
        Ok(!keys.is_encrypted())
    }
}

/// Makes `key` the current key; `None` stands for plain text.
pub(in crate::store) struct UseKey {
    pub(in crate::store) encryption: Encryption,
    pub(in crate::store) key: Option<KeyId>,
}

impl Op for UseKey {
    const NAME: &'static str = "choose_secret_key";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        // if no server has used the database yet, the row that `lock_keys` locks is missing
        c.exec(&INSERT_SECRET, args![super::KEYS, &[0_u8; 0]]).await?;
        let before = lock_keys(c).await?;
        before.check(self.encryption.keys())?;
        if before.current == self.key {
            return Ok(());
        }
        let mut earlier = vec![before.current];
        earlier.extend(before.earlier);
        earlier.retain(|key| *key != self.key);
        set_keys(c, &KeysInUse { current: self.key, earlier }).await
    }
}

/// Removes the previous keys from the row that lists the keys in use. If `key` is `None`, also readmits the versions
/// of the server that [`require_this_version`] excluded.
pub(in crate::store) struct RemoveOldKeys {
    pub(in crate::store) key: Option<KeyId>,
}

impl Op for RemoveOldKeys {
    const NAME: &'static str = "settle_secret_key";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        still_chosen(c, self.key).await?;
        set_keys(c, &KeysInUse { current: self.key, earlier: Vec::new() }).await?;
        if self.key.is_none() { lift_version_requirement(c).await } else { Ok(()) }
    }
}

/// Fails if a concurrent rotation has changed the current key. If both rotations continued, each would undo the other's
/// work.
async fn still_chosen<C: Sql>(c: &mut C, key: Option<KeyId>) -> Result<()> {
    if lock_keys(c).await?.current == key {
        return Ok(());
    }
    Err(StoreError::unavailable("a concurrent rotation has chosen another key").into())
}

pub(in crate::store) struct RewriteMaster {
    pub(in crate::store) encryption: Encryption,
    pub(in crate::store) key: Option<KeyId>,
}

impl Op for RewriteMaster {
    const NAME: &'static str = "rewrite_master_key";
    type Out = Rotated;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Rotated> {
        still_chosen(c, self.key).await?;
        let Some((stored,)) = c.opt::<(Vec<u8>,)>(&SECRET, args![MASTER]).await? else {
            return Ok(Rotated::default());
        };
        let stored_key = std::str::from_utf8(&stored).ok().and_then(crate::platform::encryption::key_of);
        if stored_key == self.key {
            return Ok(Rotated { rewritten: 0, secrets: 1 });
        }
        let master = self.encryption.master_key(&stored)?;
        let fresh = self.encryption.encrypt_master(self.key, &master)?;
        c.exec(&SET_SECRET, args![MASTER, &fresh]).await?;
        Ok(Rotated { rewritten: 1, secrets: 1 })
    }
}

/// Rewrites the secrets of a batch of apps.
pub(in crate::store) struct RewriteApps {
    pub(in crate::store) encryption: Encryption,
    pub(in crate::store) key: Option<KeyId>,
    pub(in crate::store) after: AppId,
}

/// An app with its signing secret and its previous signing secret.
struct StoredApp {
    id: AppId,
    signing_secret: StoredSecret,
    previous_signing_secret: Option<StoredSecret>,
}
row!(StoredApp { id, signing_secret, previous_signing_secret });

pub(in crate::store) struct RotationBatch {
    pub(in crate::store) done: Rotated,
    /// The last app of this batch. The next batch begins after this app. `None` if there is no next batch.
    pub(in crate::store) next: Option<AppId>,
}

impl Op for RewriteApps {
    const NAME: &'static str = "rewrite_signing_secrets";
    type Out = RotationBatch;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<RotationBatch> {
        still_chosen(c, self.key).await?;
        let apps = c.lock_all::<StoredApp>(&APPS, args![self.after, BATCH_SIZE]).await?;
        let is_end = apps.len() < usize::try_from(BATCH_SIZE).unwrap_or(usize::MAX);
        let next = apps.last().map(|app| app.id).filter(|_| !is_end);
        let mut done = Rotated::default();
        for app in apps {
            let StoredApp { id, signing_secret: signing, previous_signing_secret: previous } = app;
            let stored = 1 + u64::from(previous.is_some());
            let is_done =
                |secret: Option<&StoredSecret>| secret.is_none_or(|secret| secret.key() == self.key);
            let left = u64::from(!is_done(Some(&signing))) + u64::from(!is_done(previous.as_ref()));
            done.secrets += stored;
            done.rewritten += left;
            if left == 0 {
                continue;
            }
            let signing = self.rewrite(SecretLocation::SigningSecret(id), &signing)?;
            let location = SecretLocation::PreviousSigningSecret(id);
            let previous = previous.map(|secret| self.rewrite(location, &secret)).transpose()?;
            c.exec(&SET_SECRETS, args![id, &signing, previous.as_ref()]).await?;
        }
        Ok(RotationBatch { done, next })
    }
}

impl RewriteApps {
    fn rewrite(&self, location: SecretLocation, stored: &StoredSecret) -> Result<StoredSecret> {
        let secret = self.encryption.decrypt(location, stored)?;
        Ok(self.encryption.encrypt(self.key, location, secret.expose())?)
    }
}
