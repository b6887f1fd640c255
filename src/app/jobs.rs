//! Background tasks of a process: they run the maintenance jobs, index messages for search, checkpoint SQLite, clear
//! the token cache, exchange rate limits between nodes, and follow the shared test clock.

use std::{sync::Arc, time::Duration};

use tokio::task::JoinHandle;

use crate::{
    platform::{
        clock::Clock,
        metrics::{JOB_FAILURES, JOB_LAST_SUCCESS, JOB_SECONDS},
        shutdown::Stop,
    },
    service::{World, maintenance::Job},
    store::Engine,
};

/// Reasons of failed runs; values of the label `reason` of the metric [`JOB_FAILURES`].
const FAILED: &str = "failed";
const TIMED_OUT: &str = "timeout";

/// Runs every maintenance job until shutdown, each in its own task.
pub(super) fn maintain(world: &Arc<World>, stop: &Stop) -> Vec<JoinHandle<()>> {
    // a random number identifies this process as the holder of job leases; it is positive, so that people can read it
    // easily in the table
    let holder = i64::from_le_bytes(world.rng.bytes()) & i64::MAX;
    let start = |(index, job): (usize, Job)| {
        // the counters start at 0, so that monitoring sees the first failure as an increase
        for reason in [FAILED, TIMED_OUT] {
            metrics::counter!(JOB_FAILURES, "job" => job.name(), "reason" => reason).increment(0);
        }
        // Unless a job runs at the start, its first run is delayed by a part of its interval. Each job has a different
        // part, so that the jobs do not all need a database connection at the same time.
        let part = u32::try_from(index + 1).unwrap_or(1);
        let first = match job.runs_at_start() {
            true => Duration::ZERO,
            false => job.interval() * part / u32::try_from(Job::ALL.len()).unwrap_or(1),
        };
        tokio::spawn(repeat(Arc::clone(world), job, holder, first, stop.clone()))
    };
    Job::ALL.into_iter().enumerate().map(start).collect()
}

/// Runs a job after an initial delay and then at its interval, until shutdown. If the test clock is moved, all jobs
/// except [`Job::PendingEvents`] run immediately. [`Job::PendingEvents`] is then run by `World::catch_up`, after the
/// due events were attempted.
async fn repeat(world: Arc<World>, job: Job, holder: i64, first: Duration, stop: Stop) {
    let mut pause = first;
    loop {
        let next = async {
            match job {
                // moving the clock does not run this job: events that become due by the move could expire before
                // `World::catch_up` attempts them
                Job::PendingEvents => world.clock.sleep_until_real(world.clock.instant() + pause).await,
                _ => world.clock.pause(pause).await,
            }
        };
        tokio::select! {
            () = stop.draining() => return,
            () = next => {}
        }
        pause = job.interval();
        tokio::select! {
            () = after_lease_timeout(&stop) => return,
            () = run(&world, job, holder, &stop) => {}
        }
    }
}

/// How long a shutdown waits for claims and releases of job leases.
const LEASE_TIMEOUT: Duration = Duration::from_secs(1);

/// Waits until the shutdown begins, and then for [`LEASE_TIMEOUT`].
async fn after_lease_timeout(stop: &Stop) {
    stop.draining().await;
    // in real time, because moving the test clock does not make the database faster
    let _ = tokio::time::timeout(LEASE_TIMEOUT, std::future::pending::<()>()).await;
}

/// Runs a job once. Does nothing if `World::claim_job` does not allow the run, for example because another node is
/// running the job. A shutdown can interrupt the job at any point. This is harmless, because no transaction of a job
/// depends on the next one.
async fn run(world: &World, job: Job, holder: i64, stop: &Stop) {
    match world.claim_job(job, holder).await {
        Ok(true) => {}
        Ok(false) => return,
        Err(error) => {
            tracing::warn!(job = job.name(), %error, "failed to claim a maintenance job; retrying");
            return;
        }
    }
    let begun = world.clock.instant();
    let now = world.clock.now();
    let reason = tokio::select! {
        done = world.run_job(job, now) => match done {
            Ok(()) => None,
            Err(error) => {
                tracing::warn!(job = job.name(), %error, "a maintenance job failed; retrying");
                Some(FAILED)
            }
        },
        () = real_time(&world.clock, job.timeout()) => {
            tracing::warn!(job = job.name(), "a maintenance job took too long; retrying");
            Some(TIMED_OUT)
        }
        () = stop.draining() => {
            if let Err(error) = world.cancel_job(job, holder).await {
                tracing::debug!(job = job.name(), %error, "failed to release a job's lease; it will expire");
            }
            return;
        }
    };
    metrics::histogram!(JOB_SECONDS, "job" => job.name()).record(begun.elapsed().as_secs_f64());
    match reason {
        #[expect(clippy::cast_precision_loss, reason = "seconds of the present are exact in f64")]
        None => metrics::gauge!(JOB_LAST_SUCCESS, "job" => job.name()).set(now.seconds() as f64),
        Some(reason) => {
            metrics::counter!(JOB_FAILURES, "job" => job.name(), "reason" => reason).increment(1);
        }
    }
    // after a failure, another node may run the job at once, because this node is possibly the cause of the failure
    let released = match reason {
        None => world.release_job(job, holder).await,
        Some(_) => world.cancel_job(job, holder).await,
    };
    if let Err(error) = released {
        tracing::debug!(job = job.name(), %error, "failed to release a job's lease; it will expire");
    }
}

/// Waits for `span` of real time, even if the test clock is moved.
async fn real_time(clock: &Clock, span: Duration) {
    let begun = clock.instant();
    while let Some(left) = span.checked_sub(begun.elapsed()).filter(|left| !left.is_zero()) {
        clock.pause(left).await;
    }
}

/// Interval at which the process looks for messages to index.
const INDEX_INTERVAL: Duration = Duration::from_secs(1);

/// Keeps the search index up to date.
pub(super) async fn index(world: Arc<World>, stop: Stop) {
    loop {
        let more = tokio::select! {
            () = stop.draining() => return,
            more = world.index_some() => more,
        };
        if let Err(error) = &more {
            tracing::warn!(%error, "failed to index messages for search; retrying");
        }
        if !matches!(more, Ok(true)) {
            tokio::select! {
                () = stop.draining() => return,
                () = world.clock.pause(INDEX_INTERVAL) => {}
            }
        }
    }
}

/// Interval at which the process checks whether a checkpoint is due.
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(1);

/// Checkpoints the SQLite WAL in the background.
pub(super) async fn checkpoint_wal(world: Arc<World>, stop: Stop) {
    loop {
        tokio::select! {
            () = stop.draining() => return,
            () = world.clock.pause(CHECKPOINT_INTERVAL) => {}
        }
        if let Err(error) = world.db.checkpoint().await {
            tracing::debug!(%error, "failed to checkpoint the WAL; retrying");
        }
    }
}

/// Interval at which the cache of token owners is cleared on SQLite. If another program, such as `sqlite3`, changes an
/// owner in the database, this process notices the change only after the cache was cleared.
const OWNER_CACHE_TTL: Duration = Duration::from_secs(1);

/// Clears the cache of token owners regularly.
pub(super) async fn clear_token_cache_regularly(world: Arc<World>, stop: Stop) {
    if world.db.engine() == Engine::Postgres {
        return; // on PostgreSQL the store itself limits the age of cached owners
    }
    loop {
        tokio::select! {
            () = stop.draining() => return,
            () = world.clock.pause(OWNER_CACHE_TTL) => world.db.clear_token_cache(),
        }
    }
}

/// Interval at which the process reads the test clock's offset.
const CLOCK_INTERVAL: Duration = Duration::from_secs(1);

/// Follows the test clock that all nodes share.
pub(super) async fn follow_clock(world: Arc<World>, stop: Stop) {
    loop {
        tokio::select! {
            () = stop.draining() => return,
            () = world.clock.pause(CLOCK_INTERVAL) => {}
        }
        let followed = tokio::select! {
            () = stop.draining() => return,
            followed = world.follow_clock() => followed,
        };
        if let Err(error) = followed {
            tracing::warn!(%error, "failed to read the shared test clock; retrying");
        }
    }
}

/// Exchanges the counts of rate limits with other nodes on the same database.
pub(super) async fn share_limits(world: Arc<World>, stop: Stop) {
    tokio::select! {
        // Counts that were not exchanged before the shutdown are lost. The other nodes then allow as many additional
        // requests as the lost counts contain.
        () = stop.draining() => {}
        () = world.limits.keep_exchanging() => {}
    }
}
