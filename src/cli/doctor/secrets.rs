//! Checks whether the secrets in the database are encrypted, and whether the configured keys can decrypt them.

use super::{DoctorContext, Finding};
use crate::{
    config::Environment,
    store::{
        Db, Engine,
        secrets::{KeysInUse, ReadKeysInUse},
    },
};

const CHECK: &str = "secrets";
const KEY: &str = "SWITCHBOARD_SECRETS_KEY_FILE";
const OLD_KEYS: &str = "SWITCHBOARD_SECRETS_OLD_KEYS_FILE";

/// Returns a warning if a production server has no key to encrypt secrets.
pub fn configured(context: &DoctorContext) -> Option<Finding> {
    let config = &context.config;
    let is_missing = config.environment == Environment::Production && config.secrets.key.is_none();
    is_missing.then(|| {
        let found = "without secrets.key, the server stores signing secrets of apps and the master key in plain text: \
                     whoever reads the database or a backup can forge events and links";
        let remedy = "make a key with `switchboard secrets new-key`, and keep a copy separate from the backups";
        Finding::warning(CHECK, found).of(KEY).remedy(remedy)
    })
}

/// Returns whether a finding is a failure to read or decrypt the secrets in the database.
pub fn is_failure(finding: &Finding) -> bool {
    finding.check == CHECK && finding.is_failure()
}

/// Checks that the configured keys can decrypt the secrets in an open database, and that every secret is encrypted with
/// `secrets.key`. Returns `None` if no key is configured and no secret is encrypted.
pub async fn stored(context: &DoctorContext, db: &Db) -> Option<Finding> {
    match db.read(ReadKeysInUse).await {
        Ok(keys) => check_keys(context, db.engine(), &keys),
        Err(error) => Some(
            Finding::failure(
                CHECK,
                format!("the list of keys that encrypt the database's secrets cannot be read: {error}"),
            )
            .remedy("check the database's log"),
        ),
    }
}

fn check_keys(context: &DoctorContext, engine: Engine, keys: &KeysInUse) -> Option<Finding> {
    let ring = context.config.secrets.keyring();
    if let Err(error) = keys.check(&ring) {
        let remedy = "configure every key that the database needs; if a key is lost, restore a backup that was made \
                      before that key was configured";
        return Some(Finding::failure(CHECK, error.to_string()).of(KEY).remedy(remedy));
    }
    let Some(key) = ring.preferred() else {
        // without a key, `keys.check` succeeds only if no secret is encrypted; in production, `configured` then warns
        return None;
    };
    if !keys.uses_only(Some(key)) {
        let found = format!("not every secret in the database is encrypted with secrets.key ({key})");
        let remedy = match engine {
            Engine::Sqlite => "start the server, or run `switchboard secrets rotate`",
            Engine::Postgres => "run `switchboard secrets rotate` once all nodes have the key",
        };
        return Some(Finding::warning(CHECK, found).of(KEY).remedy(remedy));
    }
    if !context.config.secrets.old_keys.is_empty() {
        let found =
            format!("every secret is encrypted with secrets.key ({key}); the old keys are not needed");
        return Some(Finding::ok(CHECK, found).of(OLD_KEYS));
    }
    Some(Finding::ok(CHECK, format!("every secret is encrypted with secrets.key ({key})")))
}
