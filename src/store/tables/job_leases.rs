//! Leases of maintenance jobs, so that only one node at a time runs a job. A lease is timed by the database's
//! clock, which all nodes share and tests cannot change.

use crate::store::{Result, Sql, args, statements};

macro_rules! claim {
    ($now:literal) => {
        concat!(
            "INSERT INTO job_leases (job, holder, until, next_at) VALUES ($1, $2, ",
            $now,
            " + $3, ",
            $now,
            " + $4)
            ON CONFLICT (job) DO UPDATE SET holder = excluded.holder, until = excluded.until, next_at = excluded.next_at
            WHERE (job_leases.until <= ",
            $now,
            " AND job_leases.next_at <= ",
            $now,
            ") OR job_leases.holder = excluded.holder
            RETURNING until"
        )
    };
}

statements! {
    CLAIM: Command =
        sqlite claim!("CAST(unixepoch('subsec') * 1000000 AS INTEGER)")
        postgres claim!("CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)");
    CANCEL: Command = "UPDATE job_leases SET until = 0, next_at = 0 WHERE job = $1 AND holder = $2";
    RELEASE: Command = "UPDATE job_leases SET until = 0 WHERE job = $1 AND holder = $2";
}

/// Claims a run of a job for at most `term` microseconds. The next run may start `interval` microseconds from now.
/// Returns whether the holder may run the job. The holder of the last run may always claim another run. Other holders
/// may claim one only after the lease has ended and when the next run is due.
pub async fn claim<C: Sql>(c: &mut C, job: &str, holder: i64, term: i64, interval: i64) -> Result<bool> {
    let until: Option<i64> = c.exec_opt(&CLAIM, args![job, holder, term, interval]).await?;
    Ok(until.is_some())
}

/// Cancels an interrupted or failed run of a job if the holder still has the lease. Then any node may run the job at
/// once.
pub async fn cancel<C: Sql>(c: &mut C, job: &str, holder: i64) -> Result<()> {
    c.exec(&CANCEL, args![job, holder]).await?;
    Ok(())
}

/// Releases the lease after a run, if the holder still has it.
pub async fn release<C: Sql>(c: &mut C, job: &str, holder: i64) -> Result<()> {
    c.exec(&RELEASE, args![job, holder]).await?;
    Ok(())
}
