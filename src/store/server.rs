//! What the nodes of one server share: keys and small numbers.

use super::{Op, Result, Sql, args, statements};

statements! {
    pub(super) SECRET = "SELECT value FROM server_secrets WHERE name = $1";
    INSERT_SECRET = "INSERT INTO server_secrets (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING";
    pub(super) STATE = "SELECT value FROM server_state WHERE name = $1";
    COUNT = "INSERT INTO server_state (name, value) VALUES ($1, 1)
        ON CONFLICT (name) DO UPDATE SET value = server_state.value + 1 RETURNING value";
    // a sum that fits no number stays at the highest of them
    ADD_STATE = "INSERT INTO server_state (name, value) VALUES ($1, $2)
        ON CONFLICT (name) DO UPDATE SET value =
            CASE WHEN server_state.value > 9223372036854775807 - excluded.value THEN 9223372036854775807
            ELSE server_state.value + excluded.value END
        RETURNING value";
    pub(super) SET_STATE = "INSERT INTO server_state (name, value) VALUES ($1, $2)
        ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    pub(super) SET_SECRET = "INSERT INTO server_secrets (name, value) VALUES ($1, $2)
        ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    pub(super) FORGET_SECRET = "DELETE FROM server_secrets WHERE name = $1";
    pub(super) FORGET_STATE = "DELETE FROM server_state WHERE name = $1";
}

/// State name of the sandbox clock's offset in microseconds.
pub const CLOCK_OFFSET: &str = "clock_offset";

/// State name of how often a process was started on this database.
pub const STARTS: &str = "starts";

/// Name of what is written to learn whether writing works again.
const PROBE: &str = "write_probe";

/// Writes what needs room of its own, as most writes do: a full disk may still take a changed number.
pub struct PutProbe;

impl Op for PutProbe {
    const NAME: &'static str = "put_probe";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        c.exec(&SET_SECRET, args![PROBE, [0_u8; 16 * 1024].as_slice()]).await?;
        Ok(())
    }
}

/// Takes it away again.
pub struct TakeProbe;

impl Op for TakeProbe {
    const NAME: &'static str = "take_probe";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        c.exec(&FORGET_SECRET, args![PROBE]).await?;
        Ok(())
    }
}

/// The secret of a name; `fresh` becomes it when there is none yet, on whichever node comes first.
pub async fn secret<C: Sql>(c: &mut C, name: &str, fresh: &[u8]) -> Result<Vec<u8>> {
    c.exec(&INSERT_SECRET, args![name, fresh]).await?;
    Ok(c.one::<(Vec<u8>,)>(&SECRET, args![name]).await?.0)
}

/// A number of a name.
pub async fn state<C: Sql>(c: &mut C, name: &str) -> Result<Option<i64>> {
    Ok(c.opt::<(i64,)>(&STATE, args![name]).await?.map(|(value,)| value))
}

/// Sets a number of a name.
pub async fn set_state<C: Sql>(c: &mut C, name: &str, value: i64) -> Result<()> {
    c.exec(&SET_STATE, args![name, value]).await?;
    Ok(())
}

/// Adds to a number of a name, from 0; tells the sum. `more` is not negative.
pub async fn add_state<C: Sql>(c: &mut C, name: &str, more: i64) -> Result<i64> {
    c.one(&ADD_STATE, args![name, more]).await
}

/// Counts one more of a name, from 1.
pub async fn count<C: Sql>(c: &mut C, name: &str) -> Result<i64> {
    c.one(&COUNT, args![name]).await
}
