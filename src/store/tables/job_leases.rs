//! The leases of maintenance jobs on PostgreSQL. A lease ensures that only one node at a time runs a job. On SQLite
//! there is only one process, which takes no leases.
//!
//! The times of leases are read from the database's clock. All nodes share this clock, and the adjustable clock of a
//! sandbox does not move it.

use crate::store::{Result, Sql, args, named_args, statements};

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

/// Claims a run of a job for the process `holder`, with a lease of `term` microseconds. Returns whether the claim
/// succeeded. If the claim succeeded, the next run is due `interval` microseconds from now. If the claim did not
/// succeed, the process must not run the job.
///
/// The process that claimed the previous run can claim another run at any time. Any other process can claim a run only
/// if the lease has ended and the run is due.
pub async fn claim<C: Sql>(c: &mut C, job: &str, holder: i64, term: i64, interval: i64) -> Result<bool> {
    let until: Option<i64> = c
        .exec_opt(&CLAIM, named_args!(CLAIM { job: job, holder: holder, term: term, interval: interval }))
        .await?;
    Ok(until.is_some())
}

/// Cancels an interrupted or failed run of a job. After that, any node can claim a run at once. Does nothing if another
/// process has claimed a run in the meantime.
pub async fn cancel<C: Sql>(c: &mut C, job: &str, holder: i64) -> Result<()> {
    c.exec(&CANCEL, args![job, holder]).await?;
    Ok(())
}

/// Releases the lease after a completed run. Another process can claim a run when the next run is due. Does nothing if
/// another process has claimed a run in the meantime.
pub async fn release<C: Sql>(c: &mut C, job: &str, holder: i64) -> Result<()> {
    c.exec(&RELEASE, args![job, holder]).await?;
    Ok(())
}
