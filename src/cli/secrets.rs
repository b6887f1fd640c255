//! `switchboard secrets`: the key that encrypts the secrets in the database.

use clap::{Args, Subcommand};
use serde_json::json;

use super::answer::Answer;
use super::data::{database, failed, ready};
use super::failure::{Failure, Result};
use super::settings::SettingArgs;
use crate::app;
use crate::config::Config;
use crate::platform::clock::Clock;
use crate::platform::encryption::{EncryptionKey, KeyId};
use crate::platform::rng::Rng;
use crate::store::secrets::{Encryption, rotate};
use crate::store::{self, Db, DbOptions};

/// The key that encrypts the secrets in the database.
///
/// docs/operations.md describes setting and changing the key.
#[derive(Clone, Debug, Subcommand)]
pub enum SecretsCommand {
    /// Make a key for secrets.key and print it
    #[command(after_help = "Examples:
  (umask 077; switchboard secrets new-key > /etc/switchboard/secrets-key)")]
    NewKey,
    /// Encrypt every secret in the database with secrets.key
    ///
    /// The secrets are the signing secrets of apps and the master key. From the master key the server derives the keys
    /// for file links, cursors, forms and assistants' tokens. The command encrypts secrets that are in plain text or
    /// encrypted with one of secrets.old_keys. Nodes on PostgreSQL can keep running if all of them have secrets.key and
    /// every old key in use. On SQLite the command is not needed, because the server encrypts the secrets itself when
    /// it starts. If the command is interrupted, run it again.
    #[command(after_help = "Examples:
  switchboard secrets rotate --config /etc/switchboard.toml")]
    Rotate(SecretsArgs),
    /// Decrypt every secret in the database to plain text
    ///
    /// Required before downgrading to a version that cannot decrypt them. Remove secrets.key afterwards.
    #[command(after_help = "Examples:
  switchboard secrets decrypt --config /etc/switchboard.toml")]
    Decrypt(SecretsArgs),
}

/// Selects the deployment.
#[derive(Args, Clone, Debug)]
pub struct SecretsArgs {
    #[command(flatten)]
    settings: Box<SettingArgs>,
}

impl SecretsCommand {
    /// Makes a key, or rewrites the secrets in the database.
    ///
    /// # Errors
    /// [`Failure::Usage`] if the configuration is invalid or lacks the key to encrypt with, and [`Failure::Local`] for
    /// every other error.
    pub async fn run(self) -> Result<Answer> {
        match self {
            Self::NewKey => Ok(new_key(&Rng::os())),
            Self::Rotate(args) => {
                let config = args.settings.load()?.config;
                let Some(key) = config.secrets.keyring().preferred() else {
                    let why = "secrets.key (SWITCHBOARD_SECRETS_KEY_FILE) is not set: make a key with `switchboard secrets \
                               new-key`, and give it to all nodes first";
                    return Err(Failure::Usage(why.to_owned()));
                };
                rewrite(&config, Some(key)).await
            }
            Self::Decrypt(args) => rewrite(&args.settings.load()?.config, None).await,
        }
    }
}

/// Returns a new key, in the format of the key file.
#[must_use]
pub fn make_key(rng: &Rng) -> String {
    EncryptionKey::new(rng.bytes()).expose()
}

fn new_key(rng: &Rng) -> Answer {
    let key = EncryptionKey::new(rng.bytes());
    Answer::new(json!({"key": key.expose(), "key_id": key.id().to_string()}), key.expose())
}

async fn rewrite(config: &Config, key: Option<KeyId>) -> Result<Answer> {
    ready(&database(config)?).await?;
    let invalid_url = |error: store::BadDatabaseUrl| Failure::Usage(format!("the database URL: {error}"));
    let url = app::database_url(&config.database.url).map_err(invalid_url)?;
    let options =
        DbOptions { connections: 2, ..app::database_options(&config.database).map_err(invalid_url)? };
    // on SQLite, this keeps servers from opening the database until the command ends
    let _owner = store::own(&url).map_err(failed_store)?;
    let db = Db::open(&url, options).await.map_err(failed_store)?;
    let encryption = Encryption::new(config.secrets.keyring(), Rng::os());
    let clock = Clock::system();
    // called after old versions of the server were excluded: gives their nodes time to notice that they must stop
    let notice = async || clock.sleep_until_real(clock.instant() + rotate::NOTICE).await;
    let done = db.rotate_secrets(&encryption, key, notice).await;
    // the database is closed after a failure too: closing checkpoints the SQLite WAL, which contains pages with the old
    // secrets
    let closed = db.close().await;
    let done = done.map_err(failed_store)?;
    closed.map_err(failed_store)?;
    let document = json!({
        "ok": true,
        "key_id": key.map(|key| key.to_string()),
        "secrets": done.secrets,
        "rewritten": done.rewritten,
    });
    let how = match key {
        Some(key) => format!("encrypted with the key {key}. secrets.old_keys is no longer needed"),
        None => "in plain text. Remove secrets.key: as long as it is set, a SQLite server encrypts the secrets again \
                 when it starts, and a PostgreSQL node warns at every start"
            .to_owned(),
    };
    let text = format!("{} of {} secrets were rewritten; all are {how}.", done.rewritten, done.secrets);
    Ok(Answer::new(document, text))
}

fn failed_store(error: store::Error) -> Failure {
    match error {
        store::Error::Store(error) => failed(error),
        store::Error::Refused(refusal) => Failure::Local(refusal.to_string()),
    }
}
