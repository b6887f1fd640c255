//! Maintenance: what is due by the clock and belongs to no request. Contents of deleted files, uploads that were never
//! finished, expired sessions, codes, keys, MCP sessions, connections, drafts, rows of the audit and events; limits that
//! are whole again; people and messages that search does not know yet.
//!
//! Each [`Job`] runs by itself, with an interval and a timeout of its own, so that a slow object store delays only its own
//! jobs. The process runs them; [`sandbox`](super::sandbox) runs all of them when the clock was moved, and then waits for
//! the deliveries that became due.
//! Nothing here changes an answer: what has expired is refused whether it is still stored or not.

mod job;

use std::time::Duration;

use parking_lot::Mutex;

pub use self::job::Job;
use super::{World, outbox::APP_UNINSTALLED};
use crate::{
    domain::{
        delivery::{DropReason, LOG_LIFE},
        ids::{AppId, UserId},
        message::KEY_LIFE,
        time::Timestamp,
    },
    platform::metrics::{EVENTS_DROPPED, EVENTS_PENDING},
    store::{
        Engine, Error, Op, Result, Sql, StoreError, accounts, apps, assistant_clients,
        deliveries::{self, Dropped, DueApp},
        delivery_log, job_leases, keys,
    },
};

/// How much earlier than a whole interval after the last run the next one may begin: the timers of a process drift.
const EARLY: Duration = Duration::from_secs(6);
/// How long a lease outlasts the timeout of its job.
const LEASE_MARGIN: Duration = Duration::from_secs(30);
/// Most pending events that are counted.
const MOST_COUNTED: i64 = 100_000;
/// How long a metadata document is kept after it is out of date: longer than an authorization takes, so that the
/// client is still there when it connects somebody.
const DOCUMENT_GRACE: Duration = Duration::from_secs(60 * 60);
/// How many keys are read in one go.
const KEYS_AT_ONCE: i64 = 500;
/// How many goes a run makes in any case.
const GOES: usize = 20;
/// How many goes a run makes at most, while at least half of what it reads is old: so the walk forgets more in a minute
/// than a server takes in, and what is stored stays below twice what is needed.
const GOES_BEHIND: usize = 2_000;

/// How many events are removed in one transaction. A run goes on until it finds fewer: up to 33,000 a second.
const EVENTS_AT_ONCE: i64 = 1000;

/// How far the walk through the bots' keys has come; they are kept by bot and not by age, so that sending is cheap.
#[derive(Debug, Default)]
pub struct KeyWalk(Mutex<Option<(UserId, Vec<u8>)>>);

impl World {
    /// Runs a job once.
    ///
    /// # Errors
    /// The first failure; what was not done is tried again by the next run.
    pub async fn run_job(&self, job: Job, now: Timestamp) -> Result<()> {
        match job {
            Job::Files => self.purge_files(now).await,
            Job::Uploads => self.sweep_uploads(now).await,
            Job::Sessions => self.db.write(DeleteExpired(now)).await,
            Job::Keys => self.forget_keys(now).await,
            Job::Deliveries => self.forget_deliveries(now).await,
            Job::PendingEvents => self.expire_events(now).await,
            Job::EventBacklog => self.count_pending_events().await,
            Job::McpSessions => self.tidy_mcp_sessions(now).await,
            Job::Connections => self.tidy_connections(now).await,
            Job::EndedConnections => self.forget_ended_connections(now).await,
            Job::ToolCalls => self.forget_tool_calls(now).await,
            Job::People => self.give_words().await,
            Job::Drafts => self.forget_drafts(now).await,
            Job::Limits => {
                // the time now: the jobs before may have taken long, and to an older time newer keys look set back
                let done = self.limits.forget_idle(self.clock.now()).await;
                done.map_err(|why| Error::from(StoreError::Unavailable(why.to_string().into())))
            }
        }
    }

    /// Claims a run of a job for this process, `holder`; returns whether it may run it now. On PostgreSQL one node runs a
    /// job at a time, and once in an interval, however many nodes there are; none whose clock is off, which would delete
    /// what has not expired.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn claim_job(&self, job: Job, holder: i64) -> Result<bool> {
        if self.trusted_now().is_err() {
            return Ok(false);
        }
        if job.is_of_each_node() || self.db.engine() == Engine::Sqlite {
            return Ok(true);
        }
        self.db.write(ClaimJob { job, holder }).await
    }

    /// Ends a run that was claimed.
    ///
    /// # Errors
    /// Those of the store; the lease then ends by itself.
    pub async fn release_job(&self, job: Job, holder: i64) -> Result<()> {
        if job.is_of_each_node() || self.db.engine() == Engine::Sqlite {
            return Ok(());
        }
        self.db.write(ReleaseJob { job, holder, is_done: true }).await
    }

    /// Gives up a run that was claimed and cut off: another node, or this one after a restart, may begin it at once.
    ///
    /// # Errors
    /// Those of the store; the lease then ends by itself.
    pub async fn give_back_job(&self, job: Job, holder: i64) -> Result<()> {
        if job.is_of_each_node() || self.db.engine() == Engine::Sqlite {
            return Ok(());
        }
        self.db.write(ReleaseJob { job, holder, is_done: false }).await
    }

    /// Runs every job once, and writes and indexes what waits. A job that fails does not keep the others from running.
    ///
    /// # Errors
    /// The first failure.
    pub async fn run_due(&self, now: Timestamp) -> Result<()> {
        let mut done = self.flush_tool_calls().await;
        for job in Job::ALL {
            let result = self.run_job(job, now).await;
            done = done.and(result);
        }
        let indexed = self.index_messages().await;
        done.and(indexed)
    }

    /// Drops events that were due for longer than the configured time without an attempt: their app's server is gone, or
    /// nobody delivers. Without it a backlog would grow without bound.
    async fn expire_events(&self, now: Timestamp) -> Result<()> {
        let before = now - self.settings.event_life;
        for DueApp { app_id, .. } in self.db.read(OverdueApps(before)).await? {
            for _ in 0..GOES_BEHIND {
                let dropped = self.db.write(ExpireEvents { app_id, before, now }).await?;
                metrics::counter!(EVENTS_DROPPED, "reason" => DropReason::Expired.name()).increment(dropped);
                if i64::try_from(dropped).is_ok_and(|dropped| dropped < EVENTS_AT_ONCE) {
                    break;
                }
            }
        }
        Ok(())
    }

    async fn count_pending_events(&self) -> Result<()> {
        let pending = self.db.scan(CountPending).await?;
        #[expect(clippy::cast_precision_loss, reason = "bounded by what is counted")]
        metrics::gauge!(EVENTS_PENDING).set(pending as f64);
        Ok(())
    }

    /// The same, and waits until the events that are due at `now` were tried, if this process delivers events.
    ///
    /// # Errors
    /// As [`World::run_due`]; an event that could not be delivered is none.
    pub async fn catch_up(&self, now: Timestamp) -> Result<()> {
        let done = self.run_due(now).await;
        if let Some(delivery) = self.delivery.get() {
            delivery.catch_up(now).await;
        }
        done
    }

    /// Forgets events that were finished two weeks ago, with their attempts.
    async fn forget_deliveries(&self, now: Timestamp) -> Result<()> {
        for _ in 0..GOES_BEHIND {
            let removed = self.db.write(ForgetDeliveries(now - LOG_LIFE)).await?;
            if i64::try_from(removed).is_ok_and(|removed| removed < EVENTS_AT_ONCE) {
                break;
            }
        }
        Ok(())
    }

    /// Goes on with the walk through the bots' keys, and forgets those that are a day old (B-421).
    async fn forget_keys(&self, now: Timestamp) -> Result<()> {
        let cutoff = now - KEY_LIFE;
        for go in 0..GOES_BEHIND {
            let after = self.key_walk.0.lock().clone().unwrap_or((UserId(0), Vec::new()));
            let found = self.db.read(ReadKeys(after.clone())).await?;
            let old = found.iter().filter(|(_, _, created_at)| *created_at <= cutoff).count();
            let is_end = found.len() < usize::try_from(KEYS_AT_ONCE).unwrap_or(usize::MAX);
            let is_behind = old * 2 >= found.len();
            let last = found.into_iter().next_back().map(|(bot, key, _)| (bot, key));
            if let Some(last) = last.clone().filter(|_| old > 0) {
                self.db.write(ForgetKeys { after, last, cutoff }).await?;
            }
            *self.key_walk.0.lock() = last.filter(|_| !is_end);
            if is_end || (go + 1 >= GOES && !is_behind) {
                return Ok(());
            }
        }
        Ok(())
    }
}

struct ForgetDeliveries(Timestamp);

impl Op for ForgetDeliveries {
    const NAME: &'static str = "forget_deliveries";
    type Out = usize;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<usize> {
        delivery_log::forget(c, self.0, EVENTS_AT_ONCE).await
    }
}

struct ClaimJob {
    job: Job,
    holder: i64,
}

impl Op for ClaimJob {
    const NAME: &'static str = "claim_job";
    type Out = bool;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<bool> {
        let micros = |span: Duration| i64::try_from(span.as_micros()).unwrap_or(i64::MAX);
        let (term, interval) = (self.job.timeout() + LEASE_MARGIN, self.job.interval().saturating_sub(EARLY));
        job_leases::claim(c, self.job.name(), self.holder, micros(term), micros(interval)).await
    }
}

struct ReleaseJob {
    job: Job,
    holder: i64,
    /// Else it was cut off.
    is_done: bool,
}

impl Op for ReleaseJob {
    const NAME: &'static str = "release_job";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        match self.is_done {
            true => job_leases::release(c, self.job.name(), self.holder).await,
            false => job_leases::give_back(c, self.job.name(), self.holder).await,
        }
    }
}

/// The apps with events that were due before a moment.
struct OverdueApps(Timestamp);

impl Op for OverdueApps {
    const NAME: &'static str = "overdue_apps";
    type Out = Vec<DueApp>;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Vec<DueApp>> {
        deliveries::due_apps(c, self.0, 0).await
    }
}

struct ExpireEvents {
    app_id: AppId,
    before: Timestamp,
    now: Timestamp,
}

impl Op for ExpireEvents {
    const NAME: &'static str = "expire_events";
    type Out = u64;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<u64> {
        let which = Dropped::Expired(self.before);
        deliveries::drop_pending(c, self.app_id, which, APP_UNINSTALLED, self.now, EVENTS_AT_ONCE).await
    }
}

struct CountPending;

impl Op for CountPending {
    const NAME: &'static str = "count_pending_events";
    type Out = i64;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<i64> {
        deliveries::pending(c, MOST_COUNTED).await
    }
}

struct DeleteExpired(Timestamp);

impl Op for DeleteExpired {
    const NAME: &'static str = "delete_expired";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        accounts::delete_expired_sessions(c, self.0).await?;
        apps::delete_codes(c, self.0).await?;
        assistant_clients::delete_unused(c, self.0, self.0 - DOCUMENT_GRACE).await?;
        Ok(())
    }
}

struct ReadKeys((UserId, Vec<u8>));

impl Op for ReadKeys {
    const NAME: &'static str = "read_send_keys";
    type Out = Vec<(UserId, Vec<u8>, Timestamp)>;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Self::Out> {
        let (bot, key) = &self.0;
        keys::walk(c, (*bot, key), KEYS_AT_ONCE).await
    }
}

/// Forgets the old ones of a stretch that was read.
struct ForgetKeys {
    after: (UserId, Vec<u8>),
    last: (UserId, Vec<u8>),
    cutoff: Timestamp,
}

impl Op for ForgetKeys {
    const NAME: &'static str = "forget_send_keys";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        let Self { after, last, cutoff } = self;
        keys::forget(c, (after.0, &after.1), (last.0, &last.1), *cutoff).await
    }
}
