//! What `switchboard doctor` asks of a database besides its schema: the clock, the settings, whether it takes writes.

use super::{Op, Result, Sql, StoreError, args, server, statements};

statements! {
    NOW =
        sqlite "SELECT CAST((julianday('now') - 2440587.5) * 86400000000.0 AS INTEGER)"
        postgres "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)";
    SETTINGS =
        sqlite "SELECT 'journal_mode', journal_mode FROM pragma_journal_mode
            UNION ALL SELECT 'synchronous', CAST(synchronous AS TEXT) FROM pragma_synchronous
            UNION ALL SELECT 'version', sqlite_version()"
        postgres "SELECT name, setting FROM pg_settings WHERE name IN
            ('fsync', 'full_page_writes', 'max_connections', 'server_version_num', 'superuser_reserved_connections',
             'synchronous_commit') ORDER BY name";
    FORGET = "DELETE FROM server_state WHERE name = $1";
}

/// State name of what is written to see that writes are taken.
const PROBE: &str = "doctor_probe";

/// What a database says of itself.
#[derive(Clone, Debug)]
pub struct About {
    /// Microseconds since 1970, by the database's clock. On SQLite this machine's.
    pub now_micros: i64,
    /// Names and values of the settings that matter for not losing data.
    pub settings: Vec<(String, String)>,
}

impl About {
    /// The value of a setting.
    #[must_use]
    pub fn setting(&self, name: &str) -> Option<&str> {
        self.settings.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// Asks what the database says of itself.
pub struct ReadAbout;

impl Op for ReadAbout {
    const NAME: &'static str = "diagnose_about";
    type Out = About;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<About> {
        let settings = c.all::<(String, String)>(&SETTINGS, args![]).await?;
        Ok(About { now_micros: c.one(&NOW, args![]).await?, settings })
    }
}

/// Writes a number where nothing else reads it.
pub struct WriteProbe(pub i64);

impl Op for WriteProbe {
    const NAME: &'static str = "diagnose_write";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        server::set_state(c, PROBE, self.0).await
    }
}

/// Takes the number away again; fails unless it is the one that was written.
pub struct RemoveProbe(pub i64);

impl Op for RemoveProbe {
    const NAME: &'static str = "diagnose_remove";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        let found = server::state(c, PROBE).await?;
        c.exec(&FORGET, args![PROBE]).await?;
        // two doctors at once may take each other's away
        if found.is_some_and(|found| found != self.0) {
            return Err(StoreError::bug("what was written is not what was read").into());
        }
        Ok(())
    }
}
