//! Checks and encrypts the stored secrets: the master key and the signing secrets of apps. At the start, rejects a
//! database whose secrets need a key that is not configured. On SQLite, also encrypts the secrets with the configured
//! key. On PostgreSQL, checks regularly after the start whether this node has the keys that the database uses.

use std::{sync::Arc, time::Duration};

use super::StartError;
use crate::{
    config::{Config, Environment},
    platform::{health::Readiness, shutdown::Stop},
    service::World,
    store::{
        Db, Engine,
        secrets::{Encryption, KeysInUse, ReadKeysInUse},
    },
};

/// Name of the part of `/readyz` that reports whether a key is missing. The part is absent until a key is missing for
/// the first time.
const PART: &str = "secrets";
/// Interval at which a PostgreSQL node checks whether it has the keys that the database uses.
const WATCH_INTERVAL: Duration = Duration::from_secs(5);

/// Whether stored secrets were changed.
pub(super) enum SecretsChange {
    Unchanged,
    Rewritten,
}

/// Checks that every key that the stored secrets need is configured. If `secrets.key` is set, also encrypts the secrets
/// with this key on SQLite, where no other process serves the database. On PostgreSQL, other nodes possibly do not have
/// the key yet. So the operator encrypts the secrets by `switchboard secrets rotate`, as soon as every node has the
/// key.
///
/// # Errors
/// - [`StartError::Secrets`] if a key that the stored secrets need is not configured. Without the key, the server could
///   not create valid links and cursors, or could not sign the events of some apps.
/// - Store errors if the secrets cannot be encrypted.
pub(super) async fn prepare(
    config: &Config,
    db: &Db,
    encryption: &Encryption,
    keys: &KeysInUse,
) -> Result<SecretsChange, StartError> {
    keys.check(encryption.keys())?;
    let Some(key) = encryption.keys().preferred() else {
        if config.environment == Environment::Production {
            tracing::warn!(
                "secrets.key is not set: signing secrets of apps and the master key are stored in plain text"
            );
        }
        return Ok(SecretsChange::Unchanged);
    };
    if keys.uses_only(Some(key)) {
        return Ok(SecretsChange::Unchanged);
    }
    if db.engine() == Engine::Postgres {
        tracing::warn!(
            %key,
            "not every secret in the database is encrypted with secrets.key: run `switchboard secrets rotate` when all \
             nodes have this key"
        );
        return Ok(SecretsChange::Unchanged);
    }
    let done = db.rotate_secrets(encryption, Some(key), async || ()).await?;
    tracing::info!(%key, secrets = done.rewritten, "encrypted the secrets in the database with secrets.key");
    Ok(SecretsChange::Rewritten)
}

/// Makes a PostgreSQL node unready while the database uses a key that the node does not have. Such a node cannot
/// store secrets, or cannot sign the events of some apps.
pub(super) async fn watch(world: Arc<World>, readiness: Readiness, stop: Stop) {
    if world.db.engine() == Engine::Sqlite {
        return; // on SQLite no other process changes the keys in use
    }
    let mut is_key_missing = false;
    loop {
        tokio::select! {
            () = stop.draining() => return,
            () = world.clock.pause(WATCH_INTERVAL) => {}
        }
        let keys = tokio::select! {
            () = stop.draining() => return,
            keys = world.db.read(ReadKeysInUse) => keys,
        };
        // if the database does not respond, the part `store` of `/readyz` reports it
        let Ok(keys) = keys else { continue };
        match keys.check(world.encryption.keys()) {
            Err(error) if !is_key_missing => {
                tracing::error!(%error, "secrets in the database can no longer be decrypted");
                readiness.set(PART, Err(error.to_string()));
                is_key_missing = true;
            }
            Ok(()) if is_key_missing => {
                tracing::warn!("secrets in the database can be decrypted again");
                readiness.set(PART, Ok(()));
                is_key_missing = false;
            }
            _ => {}
        }
    }
}
