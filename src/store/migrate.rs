//! Bringing the schema up to date: the files of `migrations/`, embedded, one folder per engine.
//!
//! A migration is never edited once released; a new one is added. On SQLite all that are missing run in one
//! transaction with foreign keys off (checked before the commit), so a table may be rebuilt. On PostgreSQL each runs in
//! a transaction of its own, under an advisory lock; several nodes may start at once.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use sqlx::migrate::Migrator;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection};

use super::error::{Error, StoreError};
use super::lite::{class_of as lite_class, create_file, open_for_migration};
use super::pg::{class_of as pg_class, connect};
use super::url::{DatabaseUrl, PostgresUrl};

static SQLITE: Migrator = sqlx::migrate!("migrations/sqlite");
static POSTGRES: Migrator = sqlx::migrate!("migrations/postgres");

/// The migration that makes the schema of the first release.
const FIRST: i64 = 1;

/// How long to wait for another process that migrates.
const WAIT: Duration = Duration::from_secs(120);

/// Why a schema cannot be used or brought up to date.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MigrateError {
    /// A newer version of the server has migrated this database.
    #[error(
        "the database has migration {found} and this version of the server knows none after {known}: \
         run the newer version, or restore a backup from before the upgrade"
    )]
    TooNew { found: i64, known: i64 },
    /// The first migration, which no release changes, is another one.
    #[error(
        "the database was made by a build from before the first release: no release can use it or migrate it"
    )]
    Unreleased,
    /// What the database has been through is not what this server would do.
    #[error(
        "migration {0} of the database differs from the one this server holds: was it made by another build?"
    )]
    Changed(i64),
    /// The database cannot be reached or read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A migration does not run.
    #[error("migrating failed: {0}")]
    Failed(String),
}

impl MigrateError {
    /// What an operator can do about it.
    #[must_use]
    pub const fn remedy(&self) -> &'static str {
        match self {
            Self::TooNew { .. } => {
                "run the newer version of the program, or restore a backup from before the upgrade"
            }
            Self::Unreleased => {
                "make a new database: name an empty one, or a file that does not exist yet. The old one stays as it is, \
                 and only the build that made it can read it"
            }
            Self::Changed(_) => "run the build that migrated it, or restore a backup from before",
            Self::Store(_) => "see that the database runs and that its address, user and password are right",
            Self::Failed(_) => "look at what failed, here and in the database's log",
        }
    }
}

type Result<T> = std::result::Result<T, MigrateError>;

/// Runs the migrations that are missing; quick when none is. Creates a SQLite file that does not exist.
pub async fn migrate(url: &DatabaseUrl) -> Result<()> {
    match url {
        DatabaseUrl::Sqlite(path) => migrate_sqlite(path, &SQLITE).await,
        DatabaseUrl::Postgres(url) => migrate_postgres(url, &POSTGRES).await,
    }
}

/// The versions of the migrations that are missing, in order. Changes nothing.
pub async fn pending(url: &DatabaseUrl) -> Result<Vec<i64>> {
    match url {
        DatabaseUrl::Sqlite(path) => missing(&SQLITE, &applied_sqlite(path)?),
        DatabaseUrl::Postgres(url) => {
            let mut connection = connect(url).await?;
            let applied = applied_postgres(&mut connection).await?;
            let _ = connection.close().await;
            missing(&POSTGRES, &applied)
        }
    }
}

/// Whether the database has been through any migration. Changes nothing.
pub(super) async fn is_begun(url: &DatabaseUrl) -> Result<bool> {
    let applied = match url {
        DatabaseUrl::Sqlite(path) => applied_sqlite(path)?,
        DatabaseUrl::Postgres(options) => {
            let mut connection = connect(options).await?;
            let applied = applied_postgres(&mut connection).await?;
            let _ = connection.close().await;
            applied
        }
    };
    Ok(!applied.is_empty())
}

/// The version of the newest migration of this program: that of the schema it works on.
#[must_use]
pub fn schema_version() -> i64 {
    SQLITE.iter().map(|migration| migration.version).max().unwrap_or(0)
}

/// Version and checksum of each migration the database has been through.
type Applied = BTreeMap<i64, Vec<u8>>;

fn missing(migrator: &Migrator, applied: &Applied) -> Result<Vec<i64>> {
    let known = migrator.iter().map(|migration| migration.version).max().unwrap_or(0);
    for (&version, checksum) in applied {
        match migrator.iter().find(|migration| migration.version == version) {
            Some(migration) if *migration.checksum == **checksum => {}
            None if version > known => return Err(MigrateError::TooNew { found: version, known }),
            _ if version == FIRST => return Err(MigrateError::Unreleased),
            _ => return Err(MigrateError::Changed(version)),
        }
    }
    let versions = migrator.iter().map(|migration| migration.version);
    Ok(versions.filter(|version| !applied.contains_key(version)).collect())
}

fn failed(error: impl std::fmt::Display) -> MigrateError {
    MigrateError::Failed(error.to_string())
}

fn applied_sqlite(path: &Path) -> Result<Applied> {
    if !path.exists() {
        return Ok(Applied::new());
    }
    let connection = open_for_migration(path).map_err(|error| match error {
        Error::Store(failure) => failure,
        Error::Refused(refusal) => StoreError::bug(refusal.code.as_str()),
    })?;
    let read = || {
        let exists = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = '_sqlx_migrations')";
        if !connection.query_row(exists, [], |row| row.get::<_, bool>(0))? {
            return Ok(Applied::new());
        }
        let mut applied = connection.prepare("SELECT version, checksum FROM _sqlx_migrations")?;
        applied.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
    };
    read().map_err(|error| lite_class(&error).into())
}

async fn migrate_sqlite(path: &Path, migrator: &Migrator) -> Result<()> {
    if let Err(Error::Store(failure)) = create_file(path) {
        return Err(failure.into());
    }
    // Also turns a new file to WAL.
    if missing(migrator, &applied_sqlite(path)?)?.is_empty() {
        return Ok(());
    }
    let options = SqliteConnectOptions::new().filename(path).foreign_keys(false).busy_timeout(WAIT);
    let options = options.pragma("synchronous", "FULL");
    let mut connection = options.disable_statement_logging().connect().await.map_err(failed)?;
    // sqlx takes no lock on SQLite. Inside this transaction its own become savepoints, and another process that
    // migrates waits here, then finds nothing left to do.
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await.map_err(failed)?;
    migrator.run_direct(None, &mut *transaction, false).await.map_err(failed)?;
    let broken: Vec<(String, Option<i64>, String, i64)> =
        sqlx::query_as("PRAGMA foreign_key_check").fetch_all(&mut *transaction).await.map_err(failed)?;
    if let Some((table, row, parent, _)) = broken.first() {
        return Err(failed(format!("row {row:?} of {table} refers to a missing row of {parent}")));
    }
    transaction.commit().await.map_err(failed)?;
    connection.close().await.map_err(failed)
}

async fn applied_postgres(connection: &mut sqlx::PgConnection) -> Result<Applied> {
    let (exists,): (bool,) = sqlx::query_as("SELECT to_regclass('_sqlx_migrations') IS NOT NULL")
        .fetch_one(&mut *connection)
        .await
        .map_err(|error| pg_class(&error))?;
    if !exists {
        return Ok(Applied::new());
    }
    let rows: Vec<(i64, Vec<u8>)> = sqlx::query_as("SELECT version, checksum FROM _sqlx_migrations")
        .fetch_all(connection)
        .await
        .map_err(|error| pg_class(&error))?;
    Ok(rows.into_iter().collect())
}

async fn migrate_postgres(url: &PostgresUrl, migrator: &Migrator) -> Result<()> {
    let mut connection = connect(url).await?;
    if !missing(migrator, &applied_postgres(&mut connection).await?)?.is_empty() {
        let timeout = format!("SET lock_timeout = {}", WAIT.as_millis());
        sqlx::raw_sql(sqlx::AssertSqlSafe(timeout)).execute(&mut connection).await.map_err(failed)?;
        // An advisory lock lets one node at a time in; the others then find nothing left to do.
        migrator.run_direct(None, &mut connection, false).await.map_err(failed)?;
    }
    let _ = connection.close().await;
    Ok(())
}
