//! Rotates the key of stored secrets ([`rotate`](super::tables::secrets::rotate)).

use super::db::Db;
use super::engine::error::Result;
use super::engine::op::Engine;
use super::tables::secrets::Encryption;
use super::tables::secrets::rotate::{
    ExcludeOldVersions, RemoveOldKeys, RewriteApps, RewriteMaster, Rotated, UseKey,
};
use crate::domain::ids::AppId;
use crate::platform::encryption::KeyId;

impl Db {
    /// Encrypts all stored secrets with `key`. If `key` is `None`, decrypts the secrets and stores them in plain text.
    ///
    /// If `key` is set, first excludes versions of the server that cannot read encrypted secrets. If no secret was
    /// encrypted before, nodes of such versions may still be running on PostgreSQL. In this case, the function awaits
    /// `notice()` before it encrypts secrets. `notice` must wait until these nodes have noticed the exclusion and
    /// stopped.
    ///
    /// # Errors
    /// - Unavailable if a key in use is not configured, or if a concurrent rotation chooses another key.
    /// - An internal error if a secret is damaged.
    pub async fn rotate_secrets(
        &self,
        encryption: &Encryption,
        key: Option<KeyId>,
        notice: impl AsyncFnOnce(),
    ) -> Result<Rotated> {
        let encryption = encryption.clone();
        let needs_notice = self.write(ExcludeOldVersions { encryption: encryption.clone(), key }).await?;
        if needs_notice && self.engine() == Engine::Postgres {
            notice().await;
        }
        self.write(UseKey { encryption: encryption.clone(), key }).await?;
        let mut done = self.write(RewriteMaster { encryption: encryption.clone(), key }).await?;
        let mut after = Some(AppId(0));
        while let Some(from) = after {
            let batch = self.write(RewriteApps { encryption: encryption.clone(), key, after: from }).await?;
            done.rewritten += batch.done.rewritten;
            done.secrets += batch.done.secrets;
            after = batch.next;
        }
        self.write(RemoveOldKeys { key }).await?;
        Ok(done)
    }
}
