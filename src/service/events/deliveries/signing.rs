//! Signatures of events with the secrets of their app (B-432 … B-437).

use std::sync::Arc;

use crate::{
    domain::{
        ids::AppId,
        signature::{self, ROTATION_OVERLAP},
        time::Timestamp,
    },
    platform::secrets::Secret,
    service::World,
    store::{
        Result,
        secrets::{SecretLocation, StoredSecret},
    },
};

/// The stored signing secrets of an app.
#[derive(Clone, Debug, PartialEq)]
pub struct AppSecrets {
    pub(super) current: StoredSecret,
    pub(super) previous: Option<StoredSecret>,
    pub(super) rotated_at: Option<Timestamp>,
}

/// The decrypted signing secrets of an app.
#[derive(Clone, Debug)]
pub struct SigningSecrets {
    current: Secret,
    previous: Option<Secret>,
    rotated_at: Option<Timestamp>,
}

impl SigningSecrets {
    /// Decrypts the signing secrets of an app.
    ///
    /// # Errors
    /// A store error if the secrets cannot be decrypted.
    pub(super) fn decrypt(world: &World, app: AppId, stored: &AppSecrets) -> Result<Self> {
        let decrypt = |location, secret| world.encryption.decrypt(location, secret);
        let previous = |secret| decrypt(SecretLocation::PreviousSigningSecret(app), secret);
        Ok(Self {
            current: decrypt(SecretLocation::SigningSecret(app), &stored.current)?,
            previous: stored.previous.as_ref().map(previous).transpose()?,
            rotated_at: stored.rotated_at,
        })
    }

    /// Returns which secret verifies the signature of a request; `None` if neither does. `timestamp` is the time of the
    /// signature in Unix seconds. Its age is not checked.
    #[must_use]
    pub fn verified_by(&self, timestamp: i64, signature: &str, body: &[u8]) -> Option<SecretVersion> {
        let sent = Timestamp::from_seconds(timestamp);
        let verifies = |secret: &Secret| {
            let text = timestamp.to_string();
            signature::verify(secret.expose(), &text, signature, body, sent, ROTATION_OVERLAP).is_ok()
        };
        if verifies(&self.current) {
            return Some(SecretVersion::Current);
        }
        self.previous.as_ref().is_some_and(verifies).then_some(SecretVersion::Previous)
    }

    /// Returns which of the app's secrets `secret` is; `None` if it is neither.
    #[must_use]
    pub fn version_of(&self, secret: &str) -> Option<SecretVersion> {
        if self.current.matches(secret) {
            return Some(SecretVersion::Current);
        }
        self.previous
            .as_ref()
            .is_some_and(|previous| previous.matches(secret))
            .then_some(SecretVersion::Previous)
    }

    /// Returns the value of the signature header for a body that is sent at `at`. The body is signed with the current
    /// secret. For 24 hours after a rotation, it is also signed with the previous secret.
    #[must_use]
    pub fn sign(&self, at: Timestamp, body: &str) -> String {
        let overlaps = self.rotated_at.is_some_and(|rotated_at| at < rotated_at + ROTATION_OVERLAP);
        let previous = self.previous.as_ref().filter(|_| overlaps).map(Secret::expose);
        signature::header(self.current.expose(), previous, at.seconds(), body.as_bytes())
    }
}

/// Names one of the signing secrets of an app.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SecretVersion {
    Current,
    /// The secret that the latest rotation has replaced.
    Previous,
}

/// Caches the decrypted signing secrets of one app, so that they are not decrypted for each event.
#[derive(Debug, Default)]
pub struct SecretsCache(Option<(AppSecrets, Arc<SigningSecrets>)>);

impl SecretsCache {
    /// Returns the decrypted secrets of the app. Decrypts them only if the stored secrets have changed.
    ///
    /// # Errors
    /// A store error if the secrets cannot be decrypted.
    pub fn of(&mut self, world: &World, app: AppId, stored: &AppSecrets) -> Result<Arc<SigningSecrets>> {
        if let Some((cached, decrypted)) = &self.0
            && cached == stored
        {
            return Ok(Arc::clone(decrypted));
        }
        let decrypted = Arc::new(SigningSecrets::decrypt(world, app, stored)?);
        self.0 = Some((stored.clone(), Arc::clone(&decrypted)));
        Ok(decrypted)
    }
}
