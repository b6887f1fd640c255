//! Maintenance jobs, which run periodically; [`Job`] lists them.
//!
//! Each [`Job`] runs in a task of its own with an interval and a timeout, so that a slow object store delays only the
//! jobs that use it. The module `app` runs the jobs. When the clock of a sandbox is moved, [`sandbox`](super::sandbox)
//! also runs all jobs, and waits for the deliveries that have become due.
//!
//! A late job does not prolong the life of credentials, codes and sessions: they are rejected when they have expired,
//! even if their rows still exist. In the same way, expired idempotency keys are ignored, and expired rows of the audit
//! are not listed. But unattached files, sent drafts, rows of delivery logs and overdue events remain available until a
//! job deletes or drops them.

mod job;

use std::time::{Duration, Instant};

use parking_lot::Mutex;

pub use self::job::Job;
use super::{
    World,
    batches::{MAX_BATCHES, RETENTION_BATCH},
    outbox::APP_UNINSTALLED,
};
use crate::{
    domain::{
        delivery::{DropReason, Dropped, LOG_LIFE},
        ids::{AppId, UserId},
        message::KEY_LIFE,
        signature::ROTATION_OVERLAP,
        time::Timestamp,
    },
    platform::metrics::{EVENTS_DROPPED, EVENTS_PENDING},
    store::{
        Engine, Error, Op, ReadOp, ReadSql, Result, Sql, StoreError, accounts, apps, assistant_clients,
        button_presses, changes,
        deliveries::{self, DueApp},
        delivery_log, event_drops, job_leases, keys, op, secrets,
    },
};

/// Another process may claim the next run of a job this much earlier than one interval after the start of the last run.
/// Without this tolerance, a process whose timer fires a little early would try again only after another interval.
const INTERVAL_TOLERANCE: Duration = Duration::from_secs(6);
/// How much longer the lease of a job lasts than the timeout of the job. So a run ends before its lease expires.
const LEASE_MARGIN: Duration = Duration::from_secs(30);
/// Maximum number of pending events that [`Job::EventBacklog`] counts. If more events are pending, the metric shows
/// this number.
const MAX_COUNTED: i64 = 100_000;
/// Maximum time, in real time, that [`World::catch_up`] waits for attempts of due events.
const CATCH_UP_TIMEOUT: Duration = Duration::from_secs(30);
/// Maximum time, in real time, that [`World::finish_attempts`] waits. It is longer than the timeout of a delivery
/// attempt (B-426).
const FINISH_ATTEMPTS_TIMEOUT: Duration = Duration::from_secs(5);
/// How long the cached metadata document of a client that never completed a connection is kept after the document has
/// expired. This is longer than an authorization takes, so that the client still exists when its connection is created.
const DOCUMENT_GRACE: Duration = Duration::from_secs(60 * 60);
/// Batch size for scanning idempotency keys.
const KEY_BATCH: i64 = 500;
/// Number of batches of idempotency keys that every run scans, unless the run reaches the end of the table first. After
/// these batches, the run continues only while at least half of the keys in the last batch have expired. So a run scans
/// more if many expired keys have accumulated.
const MIN_BATCHES: usize = 20;
/// Batch size for deleting old events, and for dropping overdue events of one app. In a run, the deletion ends after a
/// batch that is not full, or after [`MAX_BATCHES`] batches. The same holds for the drops of each app. With one run per
/// minute, at most about 33,000 events per second are deleted on average.
const EVENT_BATCH: i64 = 1000;
/// How long message changes and button presses are kept. A window of the web client that was offline for less than this
/// time can read the message changes that it missed. If the form of a button is submitted again within this time, the
/// second press is recognized as a repetition.
pub const WINDOW_LIFE: Duration = Duration::from_secs(24 * 60 * 60);
/// Batch size for erasing superseded signing secrets.
const SECRET_BATCH: i64 = 100;
/// Position of the scan of idempotency keys. [`Job::Keys`] has to scan the keys, because they have no index by age.
/// Such an index would make sends more expensive.
#[derive(Debug, Default)]
pub struct KeyScan(Mutex<Option<(UserId, Vec<u8>)>>);

impl World {
    /// Runs a job once. An error in one step of the job does not stop the other steps. The exception is
    /// [`Job::McpSessions`]: if the last uses of the sessions cannot be stored, no session is deleted.
    ///
    /// # Errors
    /// The first error of the run. The next run continues with the rest.
    pub async fn run_job(&self, job: Job, now: Timestamp) -> Result<()> {
        match job {
            Job::Files => {
                let deleted = self.delete_unattached_files(now).await;
                let purged = self.purge_files(now).await;
                deleted.and(purged).and(self.count_files().await)
            }
            Job::Uploads => self.sweep_uploads(now).await,
            Job::Sessions => {
                let done = self.delete_expired(now).await;
                done.and(self.delete_old_guesses(now).await)
            }
            Job::Keys => self.delete_expired_keys(now).await,
            Job::Deliveries => {
                let done = self.delete_old_deliveries(now).await;
                done.and(self.erase_event_content(now).await)
            }
            Job::PendingEvents => self.expire_events(now).await,
            Job::EventBacklog => self.count_pending_events().await,
            Job::McpSessionUses => self.store_session_uses().await,
            Job::McpSessions => self.delete_idle_mcp_sessions(now).await,
            Job::Connections => self.clean_up_connections(now).await,
            Job::EndedConnections => self.purge_ended_connections(now).await,
            Job::ToolCalls => self.delete_expired_tool_calls(now).await,
            Job::People => self.index_people().await,
            Job::Drafts => self.delete_old_drafts(now).await,
            Job::Windows => {
                let until = now - WINDOW_LIFE;
                let done = self.in_batches(RETENTION_BATCH, || ForgetChanges(until)).await;
                done.and(self.in_batches(RETENTION_BATCH, || ForgetPresses(until)).await)
            }
            Job::Limits => {
                // The clock is read again, because `run_due` passes the same `now` to all jobs, and the earlier jobs
                // can take long. If a limit was used after `now`, the clock could seem to have been set back, and the
                // counts of the limit would then be deleted.
                let done = self.limits.purge_idle(self.clock.now()).await;
                done.map_err(|why| Error::from(StoreError::Unavailable(why.to_string().into())))
            }
        }
    }

    /// Claims a run of a job for this process. Returns whether the process is allowed to run the job now. `holder` is
    /// the id of the process in the lease.
    ///
    /// On PostgreSQL only one node at a time runs a job. After a completed run, another node cannot claim a run before
    /// the next run is due. The exceptions are the jobs that [every node runs](Job::runs_on_every_node). A node whose
    /// clock differs too much from the database's clock runs no job, because the node could delete rows that have not
    /// expired.
    ///
    /// # Errors
    /// Store errors.
    pub async fn claim_job(&self, job: Job, holder: i64) -> Result<bool> {
        if self.trusted_now().is_err() {
            return Ok(false);
        }
        if job.runs_on_every_node() || self.db.engine() == Engine::Sqlite {
            return Ok(true);
        }
        self.db.write(ClaimJob { job, holder }).await
    }

    /// Releases the claim of a run that has completed. Another node can run the job only when the next run is due.
    ///
    /// # Errors
    /// Store errors; after such an error the claim ends when its lease expires.
    pub async fn release_job(&self, job: Job, holder: i64) -> Result<()> {
        if job.runs_on_every_node() || self.db.engine() == Engine::Sqlite {
            return Ok(());
        }
        self.db.write(ReleaseJob { job, holder, is_done: true }).await
    }

    /// Releases the claim of a run that was interrupted or has failed. After that, any node can run the job
    /// immediately.
    ///
    /// # Errors
    /// Store errors; after such an error the claim ends when its lease expires.
    pub async fn cancel_job(&self, job: Job, holder: i64) -> Result<()> {
        if job.runs_on_every_node() || self.db.engine() == Engine::Sqlite {
            return Ok(());
        }
        self.db.write(ReleaseJob { job, holder, is_done: false }).await
    }

    /// Writes the queued tool calls to the audit, runs every job once, and indexes pending messages. An error in one of
    /// these steps does not stop the next steps.
    ///
    /// # Errors
    /// The first error.
    pub async fn run_due(&self, now: Timestamp) -> Result<()> {
        let mut done = self.flush_tool_calls().await;
        for job in Job::ALL {
            let result = self.run_job(job, now).await;
            done = done.and(result);
        }
        let indexed = self.index_messages().await;
        done.and(indexed)
    }

    /// Drops events whose next attempt has been due for longer than the configured time, for example because no process
    /// delivers events. If such events were never dropped, the backlog would grow without bound.
    async fn expire_events(&self, now: Timestamp) -> Result<()> {
        let before = now - self.settings.event_life;
        let mut done = Ok(());
        for DueApp { app_id, .. } in self.db.read(OverdueApps(before)).await? {
            let expired = self.expire_events_of(app_id, before, now).await;
            done = done.and(expired);
        }
        done
    }

    async fn expire_events_of(&self, app_id: AppId, before: Timestamp, now: Timestamp) -> Result<()> {
        for _ in 0..MAX_BATCHES {
            let dropped = self.db.write(ExpireEvents { app_id, before, now }).await?;
            metrics::counter!(EVENTS_DROPPED, "reason" => DropReason::Expired.name()).increment(dropped);
            if i64::try_from(dropped).is_ok_and(|dropped| dropped < EVENT_BATCH) {
                break;
            }
        }
        Ok(())
    }

    /// Deletes expired sessions, expired install codes and expired clients that never completed a connection. Erases
    /// signing secrets that were replaced at least a day ago, because they no longer sign anything.
    async fn delete_expired(&self, now: Timestamp) -> Result<()> {
        let sessions = self.in_batches(RETENTION_BATCH, || DeleteSessions(now)).await;
        let codes = self.in_batches(RETENTION_BATCH, || DeleteInstallCodes(now)).await;
        let clients = self.in_batches(RETENTION_BATCH, || DeleteUnusedClients(now)).await;
        let secrets = self.in_batches(SECRET_BATCH, || EraseSuperseded(now - ROTATION_OVERLAP)).await;
        sessions.and(codes).and(clients).and(secrets)
    }

    async fn count_pending_events(&self) -> Result<()> {
        let pending = self.db.scan(CountPending).await?;
        #[expect(clippy::cast_precision_loss, reason = "at most MAX_COUNTED, which f64 represents exactly")]
        metrics::gauge!(EVENTS_PENDING).set(pending as f64);
        Ok(())
    }

    /// Runs every job once. If this process delivers events, also waits until the events that are due at `now` were
    /// attempted, but not longer than [`CATCH_UP_TIMEOUT`].
    ///
    /// # Errors
    /// Errors of [`World::run_due`]; failed deliveries are not errors.
    pub async fn catch_up(&self, now: Timestamp) -> Result<()> {
        // Attempts are also made before the jobs run. If the clock is moved by days, an event becomes due for a retry
        // and expires at the same moment. Without these attempts, a job would drop the event before the retry.
        let deadline = self.clock.instant() + CATCH_UP_TIMEOUT;
        self.attempt_due_events(now, deadline).await;
        let done = self.run_due(now).await;
        self.attempt_due_events(now, deadline).await;
        done
    }

    /// Waits until every event that is due now was attempted and no attempt is open, but at most five seconds of real
    /// time. The sandbox calls this before it moves the clock. If the clock were moved during an attempt, the attempt
    /// would time out, and the delay before its retry would be counted from the new time.
    pub(super) async fn finish_attempts(&self) {
        self.attempt_due_events(self.clock.now(), self.clock.instant() + FINISH_ATTEMPTS_TIMEOUT).await;
    }

    async fn attempt_due_events(&self, now: Timestamp, deadline: Instant) {
        if let Some(delivery) = self.delivery.get() {
            delivery.catch_up(now, deadline).await;
        }
    }

    /// Deletes events that were delivered, failed or dropped more than two weeks ago, with their attempts.
    async fn delete_old_deliveries(&self, now: Timestamp) -> Result<()> {
        self.in_batches(EVENT_BATCH, || ForgetDeliveries(now - LOG_LIFE)).await
    }

    /// Continues the scan of bots' idempotency keys, and deletes keys that are older than a day (B-421).
    async fn delete_expired_keys(&self, now: Timestamp) -> Result<()> {
        let cutoff = now - KEY_LIFE;
        for batch in 0..MAX_BATCHES {
            let after = self.key_scan.0.lock().clone().unwrap_or((UserId(0), Vec::new()));
            let found = self.db.read(ReadKeys(after.clone())).await?;
            let old = found.iter().filter(|key| key.created_at <= cutoff).count();
            let is_end = found.len() < usize::try_from(KEY_BATCH).unwrap_or(usize::MAX);
            let is_behind = old * 2 >= found.len();
            let last = found.into_iter().next_back().map(|key| (key.bot_id, key.key_hash));
            if let Some(last) = last.clone().filter(|_| old > 0) {
                self.db.write(ForgetSendKeys { after, last, cutoff }).await?;
            }
            *self.key_scan.0.lock() = last.filter(|_| !is_end);
            if is_end || (batch + 1 >= MIN_BATCHES && !is_behind) {
                return Ok(());
            }
        }
        Ok(())
    }
}

struct ForgetChanges(Timestamp);

op! {
    Op "forget_message_changes": ForgetChanges -> u64 =
        |op, c| changes::delete_old(c, op.0, RETENTION_BATCH)
}

struct ForgetPresses(Timestamp);

op! {
    Op "forget_button_presses": ForgetPresses -> u64 =
        |op, c| button_presses::delete_old(c, op.0, RETENTION_BATCH)
}

struct ForgetDeliveries(Timestamp);

op! {
    Op "delete_old_deliveries": ForgetDeliveries -> u64 = |op, c| delivery_log::purge(c, op.0, EVENT_BATCH)
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
        let (term, interval) =
            (self.job.timeout() + LEASE_MARGIN, self.job.interval().saturating_sub(INTERVAL_TOLERANCE));
        job_leases::claim(c, self.job.name(), self.holder, micros(term), micros(interval)).await
    }
}

struct ReleaseJob {
    job: Job,
    holder: i64,
    /// `true` if the run completed, `false` if it was interrupted or has failed.
    is_done: bool,
}

impl Op for ReleaseJob {
    const NAME: &'static str = "release_job";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        match self.is_done {
            true => job_leases::release(c, self.job.name(), self.holder).await,
            false => job_leases::cancel(c, self.job.name(), self.holder).await,
        }
    }
}

/// Finds apps with events that were due at or before a time.
struct OverdueApps(Timestamp);

op! { ReadOp "overdue_apps": OverdueApps -> Vec<DueApp> = |op, c| deliveries::due_apps(c, op.0, 0) }

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
        event_drops::drop_pending(c, self.app_id, which, APP_UNINSTALLED, self.now, EVENT_BATCH).await
    }
}

struct CountPending;

op! { ReadOp "count_pending_events": CountPending -> i64 = |_, c| deliveries::pending(c, MAX_COUNTED) }

struct DeleteSessions(Timestamp);

op! {
    Op "delete_expired_sessions": DeleteSessions -> u64 =
        |op, c| accounts::delete_expired_sessions(c, op.0, RETENTION_BATCH)
}

struct DeleteInstallCodes(Timestamp);

op! {
    Op "delete_install_codes": DeleteInstallCodes -> u64 = |op, c| apps::delete_codes(c, op.0, RETENTION_BATCH)
}

struct DeleteUnusedClients(Timestamp);

op! {
    Op "delete_unused_clients": DeleteUnusedClients -> u64 =
        |op, c| assistant_clients::delete_unused(c, op.0, op.0 - DOCUMENT_GRACE, RETENTION_BATCH)
}

struct EraseSuperseded(Timestamp);

op! {
    Op "erase_superseded_secrets": EraseSuperseded -> u64 =
        |op, c| secrets::erase_superseded(c, op.0, SECRET_BATCH)
}

struct ReadKeys((UserId, Vec<u8>));

impl ReadOp for ReadKeys {
    const NAME: &'static str = "read_send_keys";
    type Out = Vec<keys::ClaimedKey>;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Self::Out> {
        let (bot, key) = &self.0;
        keys::walk(c, (*bot, key), KEY_BATCH).await
    }
}

/// Deletes the expired keys between `after` (exclusive) and `last` (inclusive).
struct ForgetSendKeys {
    after: (UserId, Vec<u8>),
    last: (UserId, Vec<u8>),
    cutoff: Timestamp,
}

impl Op for ForgetSendKeys {
    const NAME: &'static str = "forget_send_keys";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        let Self { after, last, cutoff } = self;
        keys::purge(c, (after.0, &after.1), (last.0, &last.1), *cutoff).await
    }
}
