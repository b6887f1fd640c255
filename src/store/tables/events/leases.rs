//! Leases of apps. The process that has the lease of an app delivers the app's events. A lease expires by the
//! database's clock, because this clock is the same for all nodes, and is not moved with the sandbox's test clock.

use crate::domain::delivery::LeaseClaim;
use crate::domain::ids::AppId;
use crate::store::{Result, Sql, args, named_args, statements};

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

/// Claims or renews the lease of an app for the next `micros` microseconds. Returns whether `holder` now has the lease,
/// and whether another holder had the lease before and let it expire.
pub async fn claim<C: Sql>(c: &mut C, app: AppId, holder: i64, micros: i64) -> Result<LeaseClaim> {
    let before: Option<i64> = c.opt(&HOLDER, args![app]).await?;
    let until: Option<i64> =
        c.exec_opt(&CLAIM, named_args!(CLAIM { app_id: app, holder: holder, micros: micros })).await?;
    Ok(match (until, before) {
        (None, _) => LeaseClaim::Refused,
        (Some(_), Some(before)) if before != holder => LeaseClaim::TakenOver,
        (Some(_), _) => LeaseClaim::Held,
    })
}

/// Releases the lease of an app. Does nothing if `holder` no longer has the lease.
pub async fn release<C: Sql>(c: &mut C, app: AppId, holder: i64) -> Result<()> {
    c.exec(&RELEASE, args![app, holder]).await?;
    Ok(())
}

/// Deletes every lease. To be called only on SQLite, when a process starts to deliver events. Only one process at a
/// time serves from a SQLite file, so the process that had the leases has ended.
pub async fn clear<C: Sql>(c: &mut C) -> Result<()> {
    c.exec(&CLEAR, args![]).await?;
    Ok(())
}
