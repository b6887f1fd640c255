//! What the process does beside answering: the maintenance jobs, keeping the search index up to date, writing SQLite's
//! log back into the file, looking anew at the owners of tokens, sharing rate limits with other nodes, and following the
//! test clock.

use std::{sync::Arc, time::Duration};

use tokio::task::JoinHandle;

use crate::{
    platform::{
        clock::Clock,
        metrics::{JOB_FAILURES, JOB_LAST_SUCCESS, JOB_SECONDS},
        shutdown::Stop,
    },
    store::Engine,
    workspace::{World, upkeep::Job},
};

/// Why a run of a job failed: the values of a metric's label.
const FAILED: &str = "failed";
const TIMED_OUT: &str = "timeout";

/// Runs every maintenance job until the process ends, each in a task of its own.
pub(super) fn maintain(world: &Arc<World>, stop: &Stop) -> Vec<JoinHandle<()>> {
    // any number does that no other process has; positive, so that it reads well in the table
    let holder = i64::from_le_bytes(world.rng.bytes()) & i64::MAX;
    let start = |(index, job): (usize, Job)| {
        // from the start, so that the first failure is a change
        for reason in [FAILED, TIMED_OUT] {
            metrics::counter!(JOB_FAILURES, "job" => job.name(), "reason" => reason).increment(0);
        }
        // spread over the interval, so that they do not all ask for a connection at once
        let part = u32::try_from(index + 1).unwrap_or(1);
        let first = match job.runs_at_start() {
            true => Duration::ZERO,
            false => job.interval() * part / u32::try_from(Job::ALL.len()).unwrap_or(1),
        };
        tokio::spawn(repeat(Arc::clone(world), job, holder, first, stop.clone()))
    };
    Job::ALL.into_iter().enumerate().map(start).collect()
}

/// Runs a job after a pause and then at its interval until the process ends.
async fn repeat(world: Arc<World>, job: Job, holder: i64, first: Duration, stop: Stop) {
    let mut pause = first;
    loop {
        tokio::select! {
            () = stop.draining() => return,
            () = world.clock.pause(pause) => {}
        }
        pause = job.interval();
        tokio::select! {
            () = shortly_after(&stop) => return,
            () = run(&world, job, holder, &stop) => {}
        }
    }
}

/// How long the end of the process waits for leases that are claimed or given back.
const GIVE_BACK: Duration = Duration::from_secs(1);

async fn shortly_after(stop: &Stop) {
    stop.draining().await;
    // of real time: the database's answer does not come sooner when the clock is moved
    let _ = tokio::time::timeout(GIVE_BACK, std::future::pending::<()>()).await;
}

/// Runs a job once, unless another node runs it. At the end of the process it is cut off, whatever it is at: each step is
/// whole by itself.
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
            if let Err(error) = world.give_back_job(job, holder).await {
                tracing::debug!(job = job.name(), %error, "a lease was not given back and ends by itself");
            }
            return;
        }
    };
    metrics::histogram!(JOB_SECONDS, "job" => job.name()).record(begun.elapsed().as_secs_f64());
    match reason {
        #[expect(clippy::cast_precision_loss, reason = "seconds of our time are exact")]
        None => metrics::gauge!(JOB_LAST_SUCCESS, "job" => job.name()).set(now.seconds() as f64),
        Some(reason) => {
            metrics::counter!(JOB_FAILURES, "job" => job.name(), "reason" => reason).increment(1);
        }
    }
    if let Err(error) = world.release_job(job, holder).await {
        tracing::debug!(job = job.name(), %error, "a lease was not given back and ends by itself");
    }
}

/// Waits, whatever happens to the clock.
async fn real_time(clock: &Clock, span: Duration) {
    let begun = clock.instant();
    while let Some(left) = span.checked_sub(begun.elapsed()).filter(|left| !left.is_zero()) {
        clock.pause(left).await;
    }
}

/// How often what search does not know yet is looked for.
const INDEX_EVERY: Duration = Duration::from_secs(1);

/// Keeps the search index up to date.
pub(super) async fn index(world: Arc<World>, stop: Stop) {
    loop {
        let more = tokio::select! {
            () = stop.draining() => return,
            more = world.index_some() => more,
        };
        if let Err(error) = &more {
            tracing::warn!(%error, "messages were not indexed and are tried again");
        }
        if !matches!(more, Ok(true)) {
            tokio::select! {
                () = stop.draining() => return,
                () = world.clock.pause(INDEX_EVERY) => {}
            }
        }
    }
}

/// How often it is looked whether the log is to be written back.
const WRITE_BACK_EVERY: Duration = Duration::from_secs(1);

/// Has the store write its log back beside everything else.
pub(super) async fn write_back(world: Arc<World>, stop: Stop) {
    loop {
        tokio::select! {
            () = stop.draining() => return,
            () = world.clock.pause(WRITE_BACK_EVERY) => {}
        }
        if let Err(error) = world.db.write_back().await {
            tracing::debug!(%error, "the log was not written back and is tried again");
        }
    }
}

/// How long an owner of a token is known without a look into the database, should it be changed past this process.
const OWNERS_LIFE: Duration = Duration::from_secs(1);

/// Has the store look anew at whose tokens it knows.
pub(super) async fn forget_owners(world: Arc<World>, stop: Stop) {
    if world.db.engine() == Engine::Postgres {
        return; // nothing is remembered there
    }
    loop {
        tokio::select! {
            () = stop.draining() => return,
            () = world.clock.pause(OWNERS_LIFE) => world.db.forget_owners(),
        }
    }
}

/// How often another node's move of the test clock is looked for.
const CLOCK_EVERY: Duration = Duration::from_secs(1);

/// Goes by the test clock that all nodes share.
pub(super) async fn follow_clock(world: Arc<World>, stop: Stop) {
    loop {
        tokio::select! {
            () = stop.draining() => return,
            () = world.clock.pause(CLOCK_EVERY) => {}
        }
        let followed = tokio::select! {
            () = stop.draining() => return,
            followed = world.follow_clock() => followed,
        };
        if let Err(error) = followed {
            tracing::warn!(%error, "the test clock of the other nodes was not read and is tried again");
        }
    }
}

/// Shares what the rate limits let pass with other nodes on the same database.
pub(super) async fn share_limits(world: Arc<World>, stop: Stop) {
    tokio::select! {
        // what was not told yet is to the callers' good
        () = stop.draining() => {}
        () = world.limits.keep_exchanging() => {}
    }
}
