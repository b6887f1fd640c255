//! Leases that decide which process delivers the events of an app. A lease is timed by the
//! database's clock, which all nodes share and tests cannot change.

use crate::domain::delivery::LeaseClaim;
use crate::domain::ids::AppId;
use crate::store::{Result, Sql, args, statements};

macro_rules! claim {
    ($now:literal) => {
        concat!(
            "INSERT INTO event_leases (app_id, holder, until) VALUES ($1, $2, ",
            $now,
            " + $3)
            ON CONFLICT (app_id) DO UPDATE SET holder = excluded.holder, until = excluded.until
            WHERE event_leases.holder = excluded.holder OR event_leases.until <= ",
            $now,
            " RETURNING until"
        )
    };
}

statements! {
    HOLDER: Query = "SELECT holder FROM event_leases WHERE app_id = $1";
    CLAIM: Command =
        sqlite claim!("CAST(unixepoch('subsec') * 1000000 AS INTEGER)")
        postgres claim!("CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)");
    RELEASE: Command = "DELETE FROM event_leases WHERE app_id = $1 AND holder = $2";
    CLEAR: Command = "DELETE FROM event_leases";
}

/// Claims or renews the lease of an app for `micros` microseconds. Returns whether `holder` now has the lease, and
/// whether another holder had it before.
pub async fn claim<C: Sql>(c: &mut C, app: AppId, holder: i64, micros: i64) -> Result<LeaseClaim> {
    let before: Option<i64> = c.opt(&HOLDER, args![app]).await?;
    let until: Option<i64> = c.exec_opt(&CLAIM, args![app, holder, micros]).await?;
    Ok(match (until, before) {
        (None, _) => LeaseClaim::Refused,
        (Some(_), Some(before)) if before != holder => LeaseClaim::TakenOver,
        (Some(_), _) => LeaseClaim::Held,
    })
}

/// Releases a lease if the holder still has it.
pub async fn release<C: Sql>(c: &mut C, app: AppId, holder: i64) -> Result<()> {
    c.exec(&RELEASE, args![app, holder]).await?;
    Ok(())
}

/// Deletes every lease. Called at the start of the only process that uses an SQLite file. The process that held the
/// leases has ended.
pub async fn clear<C: Sql>(c: &mut C) -> Result<()> {
    c.exec(&CLEAR, args![]).await?;
    Ok(())
}
