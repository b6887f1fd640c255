//! What `backup`, `restore` and `move` share: the configured deployment, and the preconditions of databases.

use super::failure::{Failure, Result};
use super::server::SettingArgs;
use crate::app;
use crate::config::Config;
use crate::platform::blobs::Blobs;
use crate::platform::clock::Clock;
use crate::store::transfer::marks::{self, Mark, Marked};
use crate::store::transfer::{Database, Feed, Isolation, Shape, TransferError, Value};
use crate::store::{self, DatabaseUrl};

/// A configured deployment's data.
pub struct Deployment {
    /// Its database.
    pub url: DatabaseUrl,
    /// The contents of its files.
    pub blobs: Blobs,
}

/// The configured database, past a pooler in transaction mode: a transfer is one long session.
///
/// # Errors
/// [`Failure::Usage`].
pub fn database(config: &Config) -> Result<DatabaseUrl> {
    app::session_url(&config.database)
        .map_err(|error| Failure::Usage(format!("the database's address: {error}")))
}

/// The configured deployment.
///
/// # Errors
/// [`Failure::Usage`] for the configuration, [`Failure::Local`] when the storage cannot be opened.
pub fn deployment(settings: &SettingArgs, clock: &Clock) -> Result<Deployment> {
    let config = settings.load()?.config;
    let blobs = Blobs::open(config.files.place(), clock.clone());
    let blobs = blobs.map_err(|error| Failure::Local(format!("the file storage: {error}")))?;
    Ok(Deployment { url: database(&config)?, blobs })
}

/// How a transfer that failed ends the command.
pub fn failed(error: impl Into<TransferError>) -> Failure {
    Failure::Local(error.into().to_string())
}

/// Refuses a database that is not to be copied: one that is not there, lacks migrations or is marked.
///
/// # Errors
/// [`Failure::Local`].
pub async fn ready(url: &DatabaseUrl) -> Result<()> {
    if let DatabaseUrl::Sqlite(path) = url
        && !path.exists()
    {
        return Err(Failure::Local(format!("there is no database at {}", path.display())));
    }
    let missing = store::pending(url).await.map_err(failed)?;
    if !missing.is_empty() {
        return Err(Failure::Local(format!(
            "{url} lacks {} migrations of this version: use the version that serves it, or run `switchboard migrate` \
             first",
            missing.len()
        )));
    }
    match marks::of(url).await.map_err(failed)? {
        Some(mark) => Err(Failure::Local(Marked::from(mark).to_string())),
        None => Ok(()),
    }
}

/// Opens the database that a transfer goes into, before anything is changed in it. `None` when it does not exist yet.
///
/// # Errors
/// [`Failure::Local`] when it has rows, tables of other programs, or a mark other than that of a restore.
pub async fn refuse_filled(url: &DatabaseUrl) -> Result<Option<Mark>> {
    if matches!(url, DatabaseUrl::Sqlite(path) if !path.exists()) {
        return Ok(None);
    }
    // newer schemas are refused here
    store::pending(url).await.map_err(failed)?;
    let mut database = Database::open(url, Isolation::Exclusive).await.map_err(failed)?;
    let tables = database.tables().await.map_err(failed)?;
    if tables.is_empty() {
        return Ok(None);
    }
    if !tables.iter().any(|table| table == "_sqlx_migrations") {
        let other = tables.first().map_or("", String::as_str);
        return Err(Failure::Local(format!("{url} is not empty: it has a table {other} of another program")));
    }
    let mark = database.mark().await.map_err(failed)?;
    if let Some(other @ (Mark::Moved { .. } | Mark::Moving { .. })) = mark {
        return Err(Failure::Local(Marked::from(other).to_string()));
    }
    let filled = database.filled().await.map_err(failed)?;
    if filled.is_empty() {
        return Ok(mark);
    }
    Err(Failure::Local(format!(
        "{url} is not empty: it has rows in {}. Name an empty database",
        filled.join(", ")
    )))
}

/// A table of a database as rows to be loaded into another.
pub struct SourceTable<'a> {
    /// The database.
    pub database: &'a mut Database,
    /// The table.
    pub shape: &'a Shape,
}

impl Feed for SourceTable<'_> {
    async fn each(
        &mut self,
        row: impl AsyncFnMut(&[Value<'_>]) -> std::result::Result<(), TransferError>,
    ) -> std::result::Result<(), TransferError> {
        self.database.each(self.shape, row).await
    }
}
