//! Shared code of the commands that open a database themselves instead of calling a server, such as `backup`,
//! `restore`, `move` and `secrets`: the configured deployment, and checks of databases before a command uses them.

use super::failure::{Failure, Result};
use super::settings::SettingArgs;
use crate::app;
use crate::config::Config;
use crate::platform::blobs::{BlobLocation, Blobs};
use crate::platform::clock::Clock;
use crate::platform::encryption::Keyring;
use crate::store::transfer::marks::{self, Mark, Marked};
use crate::store::transfer::{Database, Isolation, RowSource, Shape, TransferError, Value};
use crate::store::{self, DatabaseUrl};

/// The data of a configured deployment.
pub struct Deployment {
    /// The database.
    pub url: DatabaseUrl,
    /// The keys that encrypt the stored secrets.
    pub keys: Keyring,
    /// Where the file contents are stored.
    location: BlobLocation,
    clock: Clock,
}

impl Deployment {
    /// Returns the configured deployment. Opens neither its database nor its storage.
    ///
    /// # Errors
    /// [`Failure::Usage`] if the configuration is invalid.
    pub fn new(settings: &SettingArgs, clock: &Clock) -> Result<Self> {
        let config = settings.load()?.config;
        let (url, keys) = (database(&config)?, config.secrets.keyring());
        Ok(Self { url, keys, location: config.files.location(), clock: clock.clone() })
    }

    /// Opens the storage of the file contents. Creates the folder if it is missing. A command checks the database
    /// first, so that it creates no folder if a check fails.
    ///
    /// # Errors
    /// [`Failure::Local`] if the storage cannot be opened.
    pub fn open_storage(&self) -> Result<Blobs> {
        let blobs = Blobs::open(self.location.clone(), self.clock.clone());
        blobs.map_err(|error| Failure::Local(format!("the file storage: {error}")))
    }
}

/// Returns the URL of the configured database. If `database.direct_url` is set, returns the direct URL: the commands
/// need PostgreSQL sessions that last as long as the command, and a pooler in transaction mode does not provide them.
///
/// # Errors
/// [`Failure::Usage`] if the PostgreSQL client cannot parse the URL.
pub fn database(config: &Config) -> Result<DatabaseUrl> {
    app::session_url(&config.database).map_err(|error| Failure::Usage(format!("the database URL: {error}")))
}

/// Converts the error of a transfer to the failure of the command.
pub fn failed(error: impl Into<TransferError>) -> Failure {
    Failure::Local(error.into().to_string())
}

/// Rejects a database that must not be copied or rewritten: it does not exist, its schema is newer than this version,
/// it lacks migrations, or it has a [`Mark`] of a move or of an unfinished restore.
///
/// # Errors
/// [`Failure::Local`] with the reason.
pub async fn ready(url: &DatabaseUrl) -> Result<()> {
    if let DatabaseUrl::Sqlite(path) = url
        && !path.try_exists().map_err(|error| Failure::file("read", path, &error))?
    {
        return Err(Failure::Local(format!("there is no database at {}", path.display())));
    }
    let missing = store::pending(url).await.map_err(failed)?;
    if !missing.is_empty() {
        return Err(Failure::Local(format!(
            "{url} lacks {} migrations of this version: run the version of switchboard that serves this database, or \
             run `switchboard migrate` first",
            missing.len()
        )));
    }
    match marks::of(url).await.map_err(failed)? {
        Some(mark) => Err(Failure::Local(Marked::from(mark).to_string())),
        None => Ok(()),
    }
}

/// Checks that the target database of a restore or a move is empty, and changes nothing in it. Also accepts a database
/// that does not exist. Returns [`Mark::Restoring`] if an earlier restore into the database is unfinished.
///
/// # Errors
/// [`Failure::Local`] if the database has rows, a schema newer than this version, tables of other programs, or a mark
/// other than [`Mark::Restoring`].
pub async fn refuse_filled(url: &DatabaseUrl) -> Result<Option<Mark>> {
    if matches!(url, DatabaseUrl::Sqlite(path) if !path.exists()) {
        return Ok(None);
    }
    // fails if the schema is newer than this version
    store::pending(url).await.map_err(failed)?;
    let mut database = Database::open(url, Isolation::Exclusive).await.map_err(failed)?;
    let tables = database.tables().await.map_err(failed)?;
    if !tables.iter().any(|table| table == "server_state") {
        // the migrator first creates its own table, `_sqlx_migrations`. If this is the only table, the database is
        // still empty: another process is running the first migration, or the first migration was interrupted
        let other = tables.iter().find(|table| *table != "_sqlx_migrations");
        return other.map_or(Ok(None), |other| {
            Err(Failure::Local(format!("{url} is not empty: it has a table {other} of another program")))
        });
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

/// A table whose rows are copied to another database.
pub struct SourceTable<'a> {
    /// The source database.
    pub database: &'a mut Database,
    /// The table.
    pub shape: &'a Shape,
}

impl RowSource for SourceTable<'_> {
    async fn each(
        &mut self,
        row: impl AsyncFnMut(&[Value<'_>]) -> std::result::Result<(), TransferError>,
    ) -> std::result::Result<(), TransferError> {
        self.database.each(self.shape, row).await
    }
}
