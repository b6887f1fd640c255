//! Migrations of the schema. They are the files of `migrations/`, which has one folder per engine. The files are
//! embedded in the program. The number in the name of a migration's file is the migration's *version*.
//!
//! A released migration is never edited. A change of the schema is a new migration. The header of a migration
//! ([`Header`]) names its *oldest compatible* migration: every server that knows that migration works on the resulting
//! schema. The table `schema_compatibility` records the oldest compatible migration of each migration. So if a server
//! finds a migration that it does not know, the server can decide whether it works on the schema. `docs/upgrading.md`
//! has the rules, and a test checks every migration against them.
//!
//! - `set`: the migrations of this version of the server, and their headers.
//! - `script`: splits a migration into statements.
//! - `lite`: on SQLite, runs all missing migrations in one transaction. Foreign keys are not enforced during the
//!   transaction, so that a migration can rebuild a table. They are checked before the commit.
//! - `pg`: on PostgreSQL, runs the missing migrations while nodes serve. Only one process at a time runs migrations.

mod lite;
mod pg;
mod script;
mod set;

use std::collections::BTreeMap;
use std::time::Duration;

pub(in crate::store) use self::pg::LOCK_KEY as MIGRATION_LOCK;
pub use self::script::{Statement, StatementKind, statements_of};
pub use self::set::{Header, HeaderError, Migration, MigrationStep, Migrations};
use super::error::StoreError;
use super::op::Engine;
use super::url::DatabaseUrl;

/// The version of the migration that creates the schema of the first release.
const FIRST: i64 = 1;

/// How long a process waits for a concurrent migration, and for locks of other database sessions.
const WAIT: Duration = Duration::from_secs(120);

/// Why a schema cannot be used or migrated.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MigrateError {
    /// A newer version of the server has migrated this database or is about to migrate it, and this server does not
    /// work on the resulting schema.
    #[error(
        "the database has migration {found} and needs a version of the server that knows migration \
         {oldest_compatible} or later; this version knows no migration after {known}: run the newer version, or \
         restore a backup from before the upgrade"
    )]
    TooNew {
        /// The newest applied migration of the database, or `oldest_compatible` if that is higher.
        found: i64,
        /// The newest migration that this server knows.
        known: i64,
        /// A server can work on the schema if it knows this migration.
        oldest_compatible: i64,
    },
    /// A newer version of the server has migrated this database, and the operation needs exactly the schema of this
    /// server.
    #[error(
        "the database has migration {found} and this version of the server knows no migration after {known}: backup, \
         restore and move need the version that migrated the database"
    )]
    Newer {
        /// The newest migration of the database.
        found: i64,
        /// The newest migration that this server knows.
        known: i64,
    },
    /// The first migration of the database differs from the first migration of this server. All releases have the same
    /// first migration, so no release made the database.
    #[error(
        "the database was made by a build from before the first release: no release can use it or migrate it"
    )]
    Unreleased,
    /// A migration of the database differs from this server's migration with the same number.
    #[error(
        "migration {0} of the database differs from migration {0} of this version of the server: another build \
         migrated the database"
    )]
    Changed(i64),
    /// The database has a migration that this server does not know, although this server knows later migrations.
    #[error(
        "the database has migration {0}, which this version of the server lacks although it has later migrations: \
         another build migrated the database"
    )]
    Unknown(i64),
    /// The database has migrations that are newer than those of this server, but lacks a migration of this server.
    #[error(
        "the database has migrations that are newer than this version of the server, but lacks migration {0} of this \
         version: another build migrated the database"
    )]
    NotApplied(i64),
    /// The database cannot be reached or read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A migration failed.
    #[error("migrating failed: {0}")]
    Failed(String),
}

impl MigrateError {
    /// Returns what an operator can do about the error.
    #[must_use]
    pub const fn remedy(&self) -> &'static str {
        match self {
            Self::TooNew { .. } => {
                "run the newer version of the server, or restore a backup from before the upgrade"
            }
            Self::Newer { .. } => "run the version of the server that migrated the database",
            Self::Unreleased => {
                "make a new database: name an empty one, or a file that does not exist yet. The old database stays \
                 as it is, and only the build that made it can read it"
            }
            Self::Changed(_) | Self::Unknown(_) | Self::NotApplied(_) => {
                "run the build that migrated the database, or restore a backup from before that migration"
            }
            Self::Store(_) => {
                "check that the database is running and that its address, user and password are correct"
            }
            Self::Failed(_) => "read the error above and the database's log",
        }
    }
}

type Result<T> = std::result::Result<T, MigrateError>;

/// The migrations of a database, compared with the migrations that this server knows.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SchemaState {
    /// The versions of the missing migrations, in order.
    pub missing: Vec<i64>,
    /// Set if the database has newer migrations than this server knows. This server works on the schema nevertheless.
    pub newer: Option<Newer>,
}

/// A schema that is newer than this server, and on which this server still works.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Newer {
    /// The newest migration of the database.
    pub found: i64,
    /// The newest migration that this server knows.
    pub known: i64,
    /// A server can work on the schema if it knows this migration.
    pub oldest_compatible: i64,
}

/// The result of a migration run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Migrated {
    /// The versions of the migrations that this process applied, in order.
    pub applied: Vec<i64>,
    /// Set if the schema is newer than this server. Then nothing was applied.
    pub newer: Option<Newer>,
}

impl Migrations {
    /// Applies the migrations of `self` that the database lacks. Does the same as [`migrate`](migrate()) does with the
    /// server's own migrations.
    ///
    /// # Errors
    /// The errors of [`migrate`](migrate()).
    pub async fn migrate(&self, url: &DatabaseUrl) -> Result<Migrated> {
        match url {
            DatabaseUrl::Sqlite(path) => lite::migrate(path, self).await,
            DatabaseUrl::Postgres(url) => pg::migrate(url, self).await,
        }
    }

    /// Compares the migrations of a database with these migrations. Does the same as [`inspect`](inspect()) does with
    /// the server's own migrations.
    ///
    /// # Errors
    /// The errors of [`inspect`](inspect()).
    pub async fn inspect(&self, url: &DatabaseUrl) -> Result<SchemaState> {
        compare(self, &applied(url).await?)
    }
}

/// Applies the missing migrations. If a SQLite file is missing, creates the file. Does not change a database whose
/// schema is newer than this server.
///
/// # Errors
/// - Errors of [`inspect`](inspect()).
/// - [`MigrateError::Failed`] if a migration fails, or if another process migrates the database for longer than two
///   minutes. On PostgreSQL, also if another process moves or restores the database for longer than two minutes, or if
///   the database was moved to another one.
pub async fn migrate(url: &DatabaseUrl) -> Result<Migrated> {
    Migrations::of(engine(url)).migrate(url).await
}

/// Compares the migrations of a database with the migrations of this server. Changes nothing.
///
/// # Errors
/// - [`MigrateError::Store`] if the database cannot be read.
/// - [`MigrateError::Unreleased`], [`MigrateError::Changed`] and [`MigrateError::Unknown`] if the migration histories
///   differ.
/// - [`MigrateError::TooNew`] if this server does not work on the schema.
/// - [`MigrateError::NotApplied`] if a newer schema lacks a migration of this server.
pub async fn inspect(url: &DatabaseUrl) -> Result<SchemaState> {
    Migrations::of(engine(url)).inspect(url).await
}

/// Returns the versions of the missing migrations, in order. For operations that need exactly the schema of this
/// server. Changes nothing.
///
/// # Errors
/// Errors of [`inspect`](inspect()). [`MigrateError::Newer`] if the schema is newer than this server, even if this
/// server works on the schema.
pub async fn pending(url: &DatabaseUrl) -> Result<Vec<i64>> {
    match inspect(url).await? {
        SchemaState { newer: Some(Newer { found, known, .. }), .. } => {
            Err(MigrateError::Newer { found, known })
        }
        SchemaState { missing, newer: None } => Ok(missing),
    }
}

/// Returns whether any migration was applied to the database. Changes nothing.
pub(in crate::store) async fn has_migrations(url: &DatabaseUrl) -> Result<bool> {
    Ok(!applied(url).await?.checksums.is_empty())
}

/// Returns the version of the newest migration of this program.
#[must_use]
pub fn schema_version() -> i64 {
    Migrations::of(Engine::Postgres).newest()
}

const fn engine(url: &DatabaseUrl) -> Engine {
    match url {
        DatabaseUrl::Sqlite(_) => Engine::Sqlite,
        DatabaseUrl::Postgres(_) => Engine::Postgres,
    }
}

/// The applied migrations of a database.
#[derive(Clone, Debug, Default)]
struct Applied {
    /// The checksums of the applied migrations, by version.
    checksums: BTreeMap<i64, Vec<u8>>,
    /// The oldest compatible migration that is recorded for each migration. On PostgreSQL, a migration can be recorded
    /// before it is applied: it is *announced*, so that incompatible servers stop before it runs.
    oldest_compatible: BTreeMap<i64, i64>,
}

impl Applied {
    /// Returns the version of the migration that a server must know to work on the schema: the highest of the recorded
    /// oldest compatible migrations. An applied migration without a record counts as its own oldest compatible
    /// migration.
    fn oldest_compatible(&self) -> i64 {
        let unrecorded =
            self.checksums.keys().filter(|version| !self.oldest_compatible.contains_key(version));
        unrecorded.chain(self.oldest_compatible.values()).copied().max().unwrap_or(0)
    }

    /// Returns the highest of the oldest compatible migrations that are recorded for applied migrations; 0 if there is
    /// no record. Migrations that were announced and not applied do not count.
    fn oldest_compatible_applied(&self) -> i64 {
        let applied = self.checksums.keys().filter_map(|version| self.oldest_compatible.get(version));
        applied.copied().max().unwrap_or(0)
    }
}

async fn applied(url: &DatabaseUrl) -> Result<Applied> {
    match url {
        DatabaseUrl::Sqlite(path) => lite::applied(path),
        DatabaseUrl::Postgres(url) => pg::applied_at(url).await,
    }
}

/// Compares the applied migrations of a database with the migrations that a server knows.
fn compare(migrations: &Migrations, applied: &Applied) -> Result<SchemaState> {
    let known = migrations.newest();
    for (&version, checksum) in &applied.checksums {
        match migrations.get(version) {
            Some(migration) if *migration.checksum == **checksum => {}
            None if version > known => {}
            _ if version == FIRST => return Err(MigrateError::Unreleased),
            Some(_) => return Err(MigrateError::Changed(version)),
            None => return Err(MigrateError::Unknown(version)),
        }
    }
    let versions = migrations.iter().map(|migration| migration.version);
    let missing: Vec<_> = versions.filter(|version| !applied.checksums.contains_key(version)).collect();
    let found = applied.checksums.keys().next_back().copied().unwrap_or(0);
    let oldest_compatible = applied.oldest_compatible();
    if oldest_compatible > known {
        return Err(MigrateError::TooNew { found: found.max(oldest_compatible), known, oldest_compatible });
    }
    let newer = (found > known).then_some(Newer { found, known, oldest_compatible });
    match missing.first() {
        // a newer server applied its migrations but not this one, so the two servers have different migration histories
        Some(version) if newer.is_some() => Err(MigrateError::NotApplied(*version)),
        _ => Ok(SchemaState { missing, newer }),
    }
}

fn failed(error: impl std::fmt::Display) -> MigrateError {
    MigrateError::Failed(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn applied(versions: &[(i64, Option<i64>)], migrations: &Migrations) -> Applied {
        let mut applied = Applied::default();
        for &(version, oldest_compatible) in versions {
            let checksum = migrations.get(version).map_or_else(Vec::new, |known| known.checksum.clone());
            applied.checksums.insert(version, checksum);
            if let Some(oldest) = oldest_compatible {
                applied.oldest_compatible.insert(version, oldest);
            }
        }
        applied
    }

    /// The migrations of a server that knows the versions 1 and 2.
    fn program() -> Migrations {
        let expand = |number: i64| format!("-- expand\n-- oldest compatible: {number}\nSELECT 1;");
        Migrations::default().with(1, "init", "SELECT 1;").with(2, "two", &expand(1))
    }

    #[test]
    fn a_newer_schema_is_accepted_by_versions_that_know_its_oldest_compatible_migration() {
        let program = program();
        let compare_applied =
            |versions: &[(i64, Option<i64>)]| compare(&program, &applied(versions, &program));
        assert_eq!(compare_applied(&[]).unwrap().missing, [1, 2]);
        assert_eq!(compare_applied(&[(1, Some(1))]).unwrap(), SchemaState { missing: vec![2], newer: None });
        assert_eq!(compare_applied(&[(1, Some(1)), (2, Some(1))]).unwrap(), SchemaState::default());
        let newer = compare_applied(&[(1, Some(1)), (2, Some(1)), (3, Some(1)), (4, Some(2))]).unwrap().newer;
        assert_eq!(newer, Some(Newer { found: 4, known: 2, oldest_compatible: 2 }));
    }

    #[test]
    fn a_newer_schema_is_rejected_if_it_requires_a_newer_version_or_records_no_requirement() {
        let program = program();
        let compare_applied =
            |versions: &[(i64, Option<i64>)]| compare(&program, &applied(versions, &program));
        let too_new =
            |found, oldest_compatible| Err(MigrateError::TooNew { found, known: 2, oldest_compatible });
        assert_eq!(compare_applied(&[(1, Some(1)), (2, Some(1)), (4, Some(3))]), too_new(4, 3));
        // the requirement of migration 4 remains, although the later migration 5 requires less
        assert_eq!(compare_applied(&[(1, Some(1)), (2, Some(1)), (4, Some(3)), (5, Some(1))]), too_new(5, 3));
        assert_eq!(compare_applied(&[(1, Some(1)), (2, Some(1)), (3, None)]), too_new(3, 3));
        // migration 4 was announced, but not yet applied
        let mut announced = applied(&[(1, Some(1)), (2, Some(1))], &program);
        announced.oldest_compatible.insert(4, 3);
        assert_eq!(compare(&program, &announced), too_new(3, 3));
    }

    #[test]
    fn a_diverging_migration_history_is_rejected() {
        let program = program();
        let compare_applied =
            |versions: &[(i64, Option<i64>)]| compare(&program, &applied(versions, &program));
        assert_eq!(compare_applied(&[(1, Some(1)), (3, Some(1))]), Err(MigrateError::NotApplied(2)));
        assert_eq!(compare_applied(&[(0, Some(0)), (1, Some(1))]), Err(MigrateError::Unknown(0)));
        let other = program.clone().up_to(1).with(2, "two", "SELECT 2;");
        assert_eq!(
            compare(&other, &applied(&[(1, Some(1)), (2, Some(1))], &program)),
            Err(MigrateError::Changed(2))
        );
    }
}
