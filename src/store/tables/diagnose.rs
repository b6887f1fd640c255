//! Statements of `switchboard doctor`. They read the clock and the settings of the database, and test whether a write
//! succeeds.

use crate::store::{Op, ReadOp, ReadSql, Result, Sql, args, op, server, statements};

statements! {
    NOW: Query =
        sqlite "SELECT CAST((julianday('now') - 2440587.5) * 86400000000.0 AS INTEGER)"
        postgres "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)";
    SETTINGS: Query =
        sqlite "SELECT 'journal_mode', journal_mode FROM pragma_journal_mode
            UNION ALL SELECT 'synchronous', CAST(synchronous AS TEXT) FROM pragma_synchronous
            UNION ALL SELECT 'version', sqlite_version()"
        postgres "SELECT name, setting FROM pg_settings WHERE name IN
            ('fsync', 'full_page_writes', 'max_connections', 'reserved_connections', 'server_version_num',
             'superuser_reserved_connections', 'synchronous_commit', 'synchronous_standby_names')
            ORDER BY name";
    DELETE: Command = "DELETE FROM server_state WHERE name = $1";
}

/// The prefix of the names of the rows that test writes insert into `server_state`. The number of the test write
/// follows. `src/store/transfer/tables.rs` relies on the prefix: copies of the whole database omit these rows.
const PROBE: &str = "doctor_probe_";

/// The clock and the settings of a database.
#[derive(Clone, Debug)]
pub struct DatabaseInfo {
    /// The time, in microseconds since the beginning of 1970. On PostgreSQL it is from the clock of the database
    /// server, on SQLite from the clock of this machine.
    pub now_micros: i64,
    /// Names and values: the version of the database, and the settings that affect durability. On PostgreSQL also the
    /// settings that limit connections.
    pub settings: Vec<(String, String)>,
}

impl DatabaseInfo {
    /// Returns the value of the setting `name`; `None` if it was not read.
    #[must_use]
    pub fn setting(&self, name: &str) -> Option<&str> {
        self.settings.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// Reads the clock and the settings of the database.
pub struct ReadDatabaseInfo;

impl ReadOp for ReadDatabaseInfo {
    const NAME: &'static str = "read_database_info";
    type Out = DatabaseInfo;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<DatabaseInfo> {
        let settings = c.all::<(String, String)>(&SETTINGS, args![]).await?;
        Ok(DatabaseInfo { now_micros: c.one(&NOW, args![]).await?, settings })
    }
}

/// Inserts the row of a test write with this number. The number must be random, so that concurrent test writes have
/// different rows.
pub struct WriteProbe(pub i64);

op! { Op "diagnose_write": WriteProbe -> () = |op, c| server::set_state(c, &probe(op.0), op.0) }

/// Deletes the row of the test write with this number. Returns whether the row existed and had the written value.
pub struct RemoveProbe(pub i64);

impl Op for RemoveProbe {
    const NAME: &'static str = "diagnose_remove";
    type Out = bool;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<bool> {
        let name = probe(self.0);
        let found = server::state(c, &name).await?;
        c.exec(&DELETE, args![name.as_str()]).await?;
        Ok(found == Some(self.0))
    }
}

fn probe(number: i64) -> String {
    format!("{PROBE}{number}")
}
