//! The migrations of this version of the server, and their headers.

use std::borrow::Cow;
use std::sync::LazyLock;

use sha2::{Digest, Sha384};

use crate::store::engine::op::Engine;

/// The files of `migrations/`, which `build.rs` embeds. `SQLITE` and `POSTGRES` are lists of file names and contents,
/// ordered by name.
mod files {
    include!(concat!(env!("OUT_DIR"), "/migrations.rs"));
}

/// The first line of a migration that PostgreSQL does not run in a transaction.
const NO_TRANSACTION: &str = "-- no-transaction";

/// Whether a migration expands or contracts the schema. An incompatible change of the schema takes two releases: the
/// first release expands the schema, and a later release contracts it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MigrationStep {
    /// Adds what the new version of the server needs. The previous version of the server also works on the changed
    /// schema.
    Expand,
    /// Removes what no compatible version of the server uses any more.
    Contract,
}

/// The header of a migration: the comment lines at the beginning of its file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Header {
    /// `-- expand` or `-- contract`.
    pub step: MigrationStep,
    /// `-- oldest compatible: 0001`: the version of a migration. Only servers that know this migration work on the
    /// changed schema.
    pub oldest_compatible: i64,
}

/// Why a header is invalid.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum HeaderError {
    /// The header names no step, or both steps.
    #[error("the header needs a line `-- expand` or `-- contract`")]
    Step,
    /// The header has no line `-- oldest compatible: NNNN`, or several such lines, or the version is not a number.
    #[error("the header needs a line `-- oldest compatible: NNNN`, with the version of a migration")]
    OldestCompatible,
}

impl Header {
    /// Parses the header of a migration.
    ///
    /// # Errors
    /// - [`HeaderError::Step`] if the header does not name exactly one step.
    /// - [`HeaderError::OldestCompatible`] if the header does not have exactly one line with a valid oldest compatible
    ///   version.
    pub fn parse(sql: &str) -> Result<Self, HeaderError> {
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

    /// Returns the header of a migration. If a migration has no valid header, only versions of the server that know
    /// this migration count as compatible.
    fn of(version: i64, sql: &str) -> Self {
        let none = Self { step: MigrationStep::Contract, oldest_compatible: version };
        Self::parse(sql).unwrap_or(none)
    }
}

/// A migration.
#[derive(Clone, Debug)]
pub struct Migration {
    /// The number at the beginning of its file's name, such as 1 for `0001_topic.sql`.
    pub version: i64,
    /// The topic in the name of its file, with spaces instead of underscores.
    pub name: Cow<'static, str>,
    /// The contents of its file.
    pub sql: Cow<'static, str>,
    /// Its header.
    pub header: Header,
    /// Whether PostgreSQL runs the migration in a transaction. SQLite runs every migration in a transaction.
    pub in_transaction: bool,
    /// The SHA-384 of `sql`.
    pub(super) checksum: Vec<u8>,
}

impl Migration {
    fn new(version: i64, name: Cow<'static, str>, sql: Cow<'static, str>) -> Self {
        Self {
            version,
            name,
            header: Header::of(version, &sql),
            in_transaction: !sql.starts_with(NO_TRANSACTION),
            checksum: Sha384::digest(sql.as_bytes()).to_vec(),
            sql,
        }
    }

    /// Creates the migration of a file with a name such as `0001_topic.sql`. Returns `None` for any other file name. A
    /// test ensures that all files have such names.
    fn from_file((name, sql): &(&'static str, &'static str)) -> Option<Self> {
        let (version, topic) = name.strip_suffix(".sql")?.split_once('_')?;
        Some(Self::new(version.parse().ok()?, topic.replace('_', " ").into(), (*sql).into()))
    }
}

/// The migrations that a version of the server knows, ordered by version.
#[derive(Clone, Debug, Default)]
pub struct Migrations(Vec<Migration>);

impl Migrations {
    /// Returns the migrations of this version of the server.
    #[must_use]
    pub fn of(engine: Engine) -> Self {
        static ALL: LazyLock<[Migrations; 2]> = LazyLock::new(|| {
            [files::SQLITE, files::POSTGRES]
                .map(|files| Migrations(files.iter().filter_map(Migration::from_file).collect()))
        });
        let [sqlite, postgres] = &*ALL;
        match engine {
            Engine::Sqlite => sqlite.clone(),
            Engine::Postgres => postgres.clone(),
        }
    }

    /// Returns the migrations up to `version`, as an older server knows them. For tests.
    #[must_use]
    pub fn up_to(mut self, version: i64) -> Self {
        self.0.retain(|migration| migration.version <= version);
        self
    }

    /// Adds a newer migration, as a newer server knows it. For tests.
    #[must_use]
    pub fn with(mut self, version: i64, name: &str, sql: &str) -> Self {
        self.0.push(Migration::new(version, name.to_owned().into(), sql.to_owned().into()));
        self
    }

    /// Iterates over the migrations in order of their versions.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Migration> {
        self.0.iter()
    }

    /// Returns the migration with this version.
    #[must_use]
    pub fn get(&self, version: i64) -> Option<&Migration> {
        self.0.iter().find(|migration| migration.version == version)
    }

    /// Returns the version of the newest migration; 0 if there are no migrations.
    #[must_use]
    pub fn newest(&self) -> i64 {
        self.0.last().map_or(0, |migration| migration.version)
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
    fn an_incomplete_or_ambiguous_header_is_rejected() {
        for sql in ["", "SELECT 1;\n-- expand\n-- oldest compatible: 1", "-- expand\n-- contract"] {
            assert_eq!(Header::parse(sql), Err(HeaderError::Step), "{sql}");
        }
        let twice = "-- expand\n-- oldest compatible: 1\n-- oldest compatible: 2";
        for sql in ["-- expand", "-- expand\n-- oldest compatible: last", twice] {
            assert_eq!(Header::parse(sql), Err(HeaderError::OldestCompatible), "{sql}");
        }
    }

    #[test]
    fn every_file_is_a_migration_with_the_next_version() {
        for (engine, files) in [(Engine::Sqlite, files::SQLITE), (Engine::Postgres, files::POSTGRES)] {
            let versions: Vec<_> = Migrations::of(engine).iter().map(|migration| migration.version).collect();
            let expected: Vec<_> = (1..=i64::try_from(files.len()).unwrap()).collect();
            assert_eq!(versions, expected, "versions of {engine:?}");
        }
    }

    #[test]
    fn the_checksum_of_a_migration_is_the_sha_384_of_its_text() {
        let migrations = Migrations::of(Engine::Sqlite);
        let checksum = &migrations.get(1).unwrap().checksum;
        assert_eq!(checksum.len(), 48);
        assert_eq!(
            **checksum,
            *Sha384::digest(files::SQLITE[0].1),
            "the checksum is the SHA-384 of the text"
        );
    }

    #[test]
    fn both_engines_have_the_same_versions_and_headers() {
        let of = |engine| -> Vec<_> {
            let migrations = Migrations::of(engine);
            migrations.iter().map(|one| (one.version, one.name.clone(), one.header)).collect()
        };
        assert_eq!(of(Engine::Sqlite), of(Engine::Postgres));
    }
}
