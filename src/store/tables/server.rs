//! Two tables of named values, which the nodes of a deployment share. `server_secrets` has byte strings, such as the
//! master key. `server_state` has numbers.

use crate::store::{Op, ReadSql, Result, Sql, args, statements};

statements! {
    pub(in crate::store) SECRET: Query = "SELECT value FROM server_secrets WHERE name = $1";
    pub(in crate::store) INSERT_SECRET: Command = "INSERT INTO server_secrets (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING";
    pub(in crate::store) STATE: Query = "SELECT value FROM server_state WHERE name = $1";
    COUNT: Command = "INSERT INTO server_state (name, value) VALUES ($1, 1)
        ON CONFLICT (name) DO UPDATE SET value = server_state.value + 1 RETURNING value";
    // if the sum would overflow, the maximum is stored instead
    ADD_STATE: Command = "INSERT INTO server_state (name, value) VALUES ($1, $2)
        ON CONFLICT (name) DO UPDATE SET value =
            CASE WHEN server_state.value > 9223372036854775807 - excluded.value THEN 9223372036854775807
            ELSE server_state.value + excluded.value END
        RETURNING value";
    pub(in crate::store) SET_STATE: Command = "INSERT INTO server_state (name, value) VALUES ($1, $2)
        ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    pub(in crate::store) SET_SECRET: Command = "INSERT INTO server_secrets (name, value) VALUES ($1, $2)
        ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    pub(in crate::store) FORGET_SECRET: Command = "DELETE FROM server_secrets WHERE name = $1";
    pub(in crate::store) FORGET_STATE: Command = "DELETE FROM server_state WHERE name = $1";
}

/// The name of the number in `server_state` that is the offset of the sandbox's clock, in microseconds.
pub const CLOCK_OFFSET: &str = "clock_offset";

/// The name of the number in `server_state` that counts the starts of server processes on this database.
pub const STARTS: &str = "starts";

/// The name of the row in `server_secrets` that [`InsertWriteProbe`] writes.
const PROBE: &str = "write_probe";

/// Tests whether the database accepts writes: inserts a row of 16 KB, which needs new space on the disk, as most writes
/// do. A test write that only changed a number could succeed on a full disk.
pub struct InsertWriteProbe;

impl Op for InsertWriteProbe {
    const NAME: &'static str = "insert_write_probe";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        c.exec(&SET_SECRET, args![PROBE, [0_u8; 16 * 1024].as_slice()]).await?;
        Ok(())
    }
}

/// Deletes the row that [`InsertWriteProbe`] has written.
pub struct DeleteWriteProbe;

impl Op for DeleteWriteProbe {
    const NAME: &'static str = "delete_write_probe";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        c.exec(&FORGET_SECRET, args![PROBE]).await?;
        Ok(())
    }
}

/// Returns the number with this name; `None` if there is no such number.
pub async fn state<C: ReadSql>(c: &mut C, name: &str) -> Result<Option<i64>> {
    Ok(c.opt::<(i64,)>(&STATE, args![name]).await?.map(|(value,)| value))
}

/// Sets the number with this name.
pub async fn set_state<C: Sql>(c: &mut C, name: &str, value: i64) -> Result<()> {
    c.exec(&SET_STATE, args![name, value]).await?;
    Ok(())
}

/// Adds `more` to the number with this name, and returns the sum. A missing number counts as 0. `more` must not be
/// negative.
pub async fn add_state<C: Sql>(c: &mut C, name: &str, more: i64) -> Result<i64> {
    c.exec_one(&ADD_STATE, args![name, more]).await
}

/// Increments the number with this name, and returns the new number. A missing number counts as 0.
pub async fn count<C: Sql>(c: &mut C, name: &str) -> Result<i64> {
    c.exec_one(&COUNT, args![name]).await
}
