//! Database checks of `switchboard doctor` besides the schema: clock, settings, and whether writes
//! succeed.

use crate::store::{Op, ReadOp, ReadSql, Result, Sql, StoreError, args, op, server, statements};

statements! {
    NOW: Query =
        sqlite "SELECT CAST((julianday('now') - 2440587.5) * 86400000000.0 AS INTEGER)"
        postgres "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)";
    SETTINGS: Query =
        sqlite "SELECT 'journal_mode', journal_mode FROM pragma_journal_mode
            UNION ALL SELECT 'synchronous', CAST(synchronous AS TEXT) FROM pragma_synchronous
            UNION ALL SELECT 'version', sqlite_version()"
        postgres "SELECT name, setting FROM pg_settings WHERE name IN
            ('fsync', 'full_page_writes', 'max_connections', 'server_version_num', 'superuser_reserved_connections',
             'synchronous_commit', 'synchronous_standby_names') ORDER BY name";
    FORGET: Command = "DELETE FROM server_state WHERE name = $1";
}

/// The `server_state` name of the test write.
const PROBE: &str = "doctor_probe";

/// Clock and settings of a database.
#[derive(Clone, Debug)]
pub struct About {
    /// Microseconds since 1970 by the database's clock; by this machine's clock on SQLite.
    pub now_micros: i64,
    /// Names and values of the settings that affect durability.
    pub settings: Vec<(String, String)>,
}

impl About {
    /// Returns the value of a setting.
    #[must_use]
    pub fn setting(&self, name: &str) -> Option<&str> {
        self.settings.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// Reads clock and settings.
pub struct ReadAbout;

impl ReadOp for ReadAbout {
    const NAME: &'static str = "diagnose_about";
    type Out = About;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<About> {
        let settings = c.all::<(String, String)>(&SETTINGS, args![]).await?;
        Ok(About { now_micros: c.one(&NOW, args![]).await?, settings })
    }
}

/// Writes a test value that nothing else reads.
pub struct WriteProbe(pub i64);

op! { Op "diagnose_write": WriteProbe -> () = |op, c| server::set_state(c, PROBE, op.0) }

/// Deletes the test value.
pub struct RemoveProbe(pub i64);

impl Op for RemoveProbe {
    const NAME: &'static str = "diagnose_remove";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        let found = server::state(c, PROBE).await?;
        c.exec(&FORGET, args![PROBE]).await?;
        // two concurrent runs may delete each other's value
        if found.is_some_and(|found| found != self.0) {
            return Err(StoreError::bug("the test value read back differs from the one written").into());
        }
        Ok(())
    }
}
