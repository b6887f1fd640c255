//! Which process delivers the events of an app. A lease runs by the database's own clock, which all nodes share and
//! no test moves.

use super::{Result, Sql, args, statements};
use crate::domain::ids::AppId;

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
    HOLDER = "SELECT holder FROM event_leases WHERE app_id = $1";
    CLAIM =
        sqlite claim!("CAST(unixepoch('subsec') * 1000000 AS INTEGER)")
        postgres claim!("CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)");
    RELEASE = "DELETE FROM event_leases WHERE app_id = $1 AND holder = $2";
    CLEAR = "DELETE FROM event_leases";
}

/// What came of asking for a lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// Free, or held by the asker already.
    Held,
    /// Left behind by a holder whose time ran out.
    TakenOver,
    /// Another process has it.
    Refused,
}

/// Takes or renews a lease for so many microseconds.
pub async fn claim<C: Sql>(c: &mut C, app: AppId, holder: i64, micros: i64) -> Result<Claim> {
    let before: Option<i64> = c.opt(&HOLDER, args![app]).await?;
    let until: Option<i64> = c.opt(&CLAIM, args![app, holder, micros]).await?;
    Ok(match (until, before) {
        (None, _) => Claim::Refused,
        (Some(_), Some(before)) if before != holder => Claim::TakenOver,
        (Some(_), _) => Claim::Held,
    })
}

/// Gives a lease back, if it is still the holder's.
pub async fn release<C: Sql>(c: &mut C, app: AppId, holder: i64) -> Result<()> {
    c.exec(&RELEASE, args![app, holder]).await?;
    Ok(())
}

/// Forgets every lease: for the one process of an SQLite file, whose predecessor is gone.
pub async fn clear<C: Sql>(c: &mut C) -> Result<()> {
    c.exec(&CLEAR, args![]).await?;
    Ok(())
}
