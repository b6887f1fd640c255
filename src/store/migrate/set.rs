//! The migrations of a program, and what their headers say.

use std::borrow::Cow;
use std::sync::LazyLock;

use sqlx::SqlSafeStr;
use sqlx::migrate::{MigrationType, Migrator};

use super::{Migrated, Result, SchemaState, applied, compare, lite, pg};
use crate::store::op::Engine;
use crate::store::url::DatabaseUrl;

static SQLITE: Migrator = sqlx::migrate!("migrations/sqlite");
static POSTGRES: Migrator = sqlx::migrate!("migrations/postgres");

/// The first line of a migration that does not run in a transaction; sqlx reads it too.
const NO_TRANSACTION: &str = "-- no-transaction";

/// One half of a change that is spread over two releases.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MigrationStep {
    /// Adds what the new version needs. The version before works on.
    Expand,
    /// Takes away what no version uses any more that may run on the schema.
    Contract,
}

/// The header of a migration: comments before its first statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Header {
    /// `-- expand` or `-- contract`.
    pub step: MigrationStep,
    /// `-- oldest compatible: 0001`: a program works on the schema if it knows this migration.
    pub oldest_compatible: i64,
}

/// What is wrong with a header.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum HeaderError {
    /// Neither step, or both.
    #[error("the header needs a line `-- expand` or `-- contract`")]
    Step,
    /// No version, or no number.
    #[error("the header needs a line `-- oldest compatible: NNNN`, with the version of a migration")]
    OldestCompatible,
}

impl Header {
    /// Reads the header of a migration.
    ///
    /// # Errors
    /// [`HeaderError`].
    pub fn parse(sql: &str) -> std::result::Result<Self, HeaderError> {
        let lines: Vec<_> = sql.lines().map_while(|line| line.strip_prefix("--").map(str::trim)).collect();
        let step = match (lines.contains(&"expand"), lines.contains(&"contract")) {
            (true, false) => MigrationStep::Expand,
            (false, true) => MigrationStep::Contract,
            _ => return Err(HeaderError::Step),
        };
        let mut numbers = lines.iter().filter_map(|line| line.strip_prefix("oldest compatible:"));
        match (numbers.next().map(|number| number.trim().parse()), numbers.next()) {
            (Some(Ok(oldest_compatible)), None) => Ok(Self { step, oldest_compatible }),
            _ => Err(HeaderError::OldestCompatible),
        }
    }

    /// The header of a migration; without one it is taken to be compatible with nothing before it.
    fn of(version: i64, sql: &str) -> Self {
        let none = Self { step: MigrationStep::Contract, oldest_compatible: version };
        Self::parse(sql).unwrap_or(none)
    }
}

/// A migration.
#[derive(Clone, Debug)]
pub struct Migration {
    /// The number of its file.
    pub version: i64,
    /// The name of its file.
    pub name: Cow<'static, str>,
    /// The contents of its file.
    pub sql: Cow<'static, str>,
    /// What its header says.
    pub header: Header,
    /// Whether PostgreSQL runs it in a transaction; SQLite always does.
    pub in_transaction: bool,
    pub(super) checksum: Cow<'static, [u8]>,
}

impl Migration {
    fn new(migration: &sqlx::migrate::Migration) -> Self {
        let sql = migration.sql.as_str().to_owned();
        Self {
            version: migration.version,
            name: migration.description.clone(),
            header: Header::of(migration.version, &sql),
            in_transaction: !migration.no_tx,
            checksum: migration.checksum.clone(),
            sql: sql.into(),
        }
    }
}

/// The migrations that a program knows, in order of their versions.
#[derive(Clone, Debug, Default)]
pub struct Migrations(Vec<Migration>);

impl Migrations {
    /// Those of this program.
    #[must_use]
    pub fn of(engine: Engine) -> Self {
        static ALL: LazyLock<[Migrations; 2]> = LazyLock::new(|| {
            [&SQLITE, &POSTGRES].map(|migrator| Migrations(migrator.iter().map(Migration::new).collect()))
        });
        let [sqlite, postgres] = &*ALL;
        match engine {
            Engine::Sqlite => sqlite.clone(),
            Engine::Postgres => postgres.clone(),
        }
    }

    /// Those of a program that knows none after a version.
    #[must_use]
    pub fn up_to(mut self, version: i64) -> Self {
        self.0.retain(|migration| migration.version <= version);
        self
    }

    /// Those of a program that knows one more, the newest.
    #[must_use]
    pub fn with(mut self, version: i64, name: &str, sql: &str) -> Self {
        let no_transaction = sql.starts_with(NO_TRANSACTION);
        let text = sqlx::AssertSqlSafe(sql.to_owned()).into_sql_str();
        let (name, kind) = (name.to_owned().into(), MigrationType::Simple);
        let migration = sqlx::migrate::Migration::new(version, name, kind, text, no_transaction);
        self.0.push(Migration::new(&migration));
        self
    }

    /// In order of their versions.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Migration> {
        self.0.iter()
    }

    /// The migration of a version.
    #[must_use]
    pub fn get(&self, version: i64) -> Option<&Migration> {
        self.0.iter().find(|migration| migration.version == version)
    }

    /// The version of the newest one; 0 without any.
    #[must_use]
    pub fn newest(&self) -> i64 {
        self.0.last().map_or(0, |migration| migration.version)
    }

    /// As [`migrate`](super::migrate), for a program that knows these.
    ///
    /// # Errors
    /// The same.
    pub async fn migrate(&self, url: &DatabaseUrl) -> Result<Migrated> {
        match url {
            DatabaseUrl::Sqlite(path) => lite::migrate(path, self).await,
            DatabaseUrl::Postgres(url) => pg::migrate(url, self).await,
        }
    }

    /// As [`inspect`](super::inspect), for a program that knows these.
    ///
    /// # Errors
    /// The same.
    pub async fn inspect(&self, url: &DatabaseUrl) -> Result<SchemaState> {
        compare(self, &applied(url).await?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_has_a_step_and_a_version() {
        let parsed = Header::parse("-- no-transaction\n-- expand\n-- oldest compatible: 0007\n--\n-- Why.\n");
        assert_eq!(parsed, Ok(Header { step: MigrationStep::Expand, oldest_compatible: 7 }));
        let parsed = Header::parse("-- Why.\n-- contract\n-- oldest compatible: 12\nDROP TABLE x;");
        assert_eq!(parsed, Ok(Header { step: MigrationStep::Contract, oldest_compatible: 12 }));
    }

    #[test]
    fn a_header_that_says_too_little_is_refused() {
        for sql in ["", "SELECT 1;\n-- expand\n-- oldest compatible: 1", "-- expand\n-- contract"] {
            assert_eq!(Header::parse(sql), Err(HeaderError::Step), "{sql}");
        }
        let twice = "-- expand\n-- oldest compatible: 1\n-- oldest compatible: 2";
        for sql in ["-- expand", "-- expand\n-- oldest compatible: last", twice] {
            assert_eq!(Header::parse(sql), Err(HeaderError::OldestCompatible), "{sql}");
        }
    }

    #[test]
    fn both_engines_have_the_same_versions_and_headers() {
        let of = |engine| -> Vec<_> {
            let migrations = Migrations::of(engine);
            migrations.iter().map(|it| (it.version, it.name.clone(), it.header)).collect()
        };
        assert_eq!(of(Engine::Sqlite), of(Engine::Postgres));
    }
}
