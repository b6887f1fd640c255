//! Reads and writes of the delivery workers: due apps and events, leases, results, and drops.
//!
//! The workers in `crate::events` call these methods. The workers act for the server, so the methods check no rights.

use std::{collections::HashMap, sync::Arc, time::Duration};

use super::{confirm::SendRight, signing::AppSecrets};
use crate::{
    domain::{
        delivery::{Attempt, Dropped, EventQueue, LeaseClaim, NewEvents, ReadPosition},
        ids::{AppId, EventId, InstallationId},
        time::Timestamp,
    },
    service::{World, callers::confirm::ReadTime, outbox::APP_UNINSTALLED, view},
    store::{
        Engine, ReadOp, ReadSql, Result,
        deliveries::{self, Due, DueApp},
        event_drops, event_leases, op,
    },
};

/// Maximum number of events that one transaction drops. A larger transaction would delay other writes.
const DROP_BATCH: i64 = 500;

view! {
    /// An app with due events.
    DueAppView of DueApp {
        app_id: AppId,
        /// Whether another process holds the delivery lease of the app.
        elsewhere: bool,
    }
}

/// A due event with the current state of its installation and app.
#[derive(Clone, Debug)]
pub struct DueEvent {
    pub id: EventId,
    pub installation_id: InstallationId,
    /// The exact bytes that are signed and sent.
    pub body: String,
    /// Number of finished attempts.
    pub attempts: i64,
    /// Number of attempts that had finished when the latest redelivery was requested; 0 without a redelivery. The retry
    /// schedule counts only later attempts, because a redelivery restarts it.
    pub earlier: i64,
    pub next_at: Timestamp,
    /// The callback URL. If the event cannot be sent, the error selects the pending events to drop. This event is one
    /// of them.
    pub destination: std::result::Result<String, Dropped>,
    /// The facts by which [`World::may_send`] decides, immediately before the body is sent, whether the event may be
    /// sent.
    pub right: SendRight,
    /// The stored signing secrets of the app.
    pub secrets: AppSecrets,
}

impl DueEvent {
    fn new(row: Due, app: AppId, as_of: ReadTime) -> Self {
        let destination = if !row.connected && row.kind != APP_UNINSTALLED {
            Err(Dropped::Disconnected(row.installation_id))
        } else {
            row.callback_url.ok_or(Dropped::Unreachable)
        };
        Self {
            id: row.id,
            installation_id: row.installation_id,
            body: row.body,
            attempts: row.attempts,
            earlier: row.earlier,
            next_at: row.next_at,
            destination,
            right: SendRight::new(app, &row.kind, row.installation_id, as_of),
            secrets: AppSecrets {
                current: row.signing_secret,
                previous: row.previous_signing_secret,
                rotated_at: row.signing_rotated_at,
            },
        }
    }
}

/// What to read from one of the two queues of an app ([`EventQueue`]).
#[derive(Clone, Default)]
pub struct QueueRead {
    /// The start positions, one for each installation whose events are read.
    pub after: Vec<ReadPosition>,
    /// Maximum number of events to read for each installation.
    pub limit: usize,
    /// For a search for installations with pending events: the id above which the search begins, and the maximum number
    /// of installations to find. `None` if no search is needed.
    pub search: Option<(InstallationId, usize)>,
}

/// What was read from a queue.
pub struct QueuePage {
    pub events: Vec<DueEvent>,
    /// The installations that the search found, in id order, and whether each of them has a due event.
    pub installations: Vec<(InstallationId, bool)>,
}

impl World {
    /// Returns the apps with events that are due at `now`. `holder` is the id with which this process holds leases.
    ///
    /// # Errors
    /// Store errors.
    pub async fn due_apps(&self, now: Timestamp, holder: i64) -> Result<Vec<DueAppView>> {
        let due = self.db.read(DueApps { now, holder }).await?;
        Ok(due.into_iter().map(DueAppView::from).collect())
    }

    /// Waits until this process has committed new events. Returns the apps and installations of all events that were
    /// committed since the last call of this method. Only one task at a time may call it.
    pub async fn new_events(&self) -> HashMap<AppId, NewEvents> {
        self.db.commit_notices().next().await
    }

    /// Reads due events of an app, and searches for installations of the app with pending events. `first` says what to
    /// read from the queue of first attempts, `retries` from the queue of retries. Returns one page for each queue, in
    /// this order.
    ///
    /// # Errors
    /// Store errors.
    pub async fn next_due_events(
        &self,
        app: AppId,
        first: QueueRead,
        retries: QueueRead,
    ) -> Result<(QueuePage, QueuePage)> {
        self.db.read(NextDueEvents { app, now: self.clock.now(), as_of: self.as_of(), first, retries }).await
    }

    /// Stores the results of attempts. If `bare` is `false`, also stores their entries in the delivery log. Returns the
    /// number of stored results. A result is not stored if the event's state is already `delivered` or `failed`, or if
    /// another process has already stored an attempt of the event with the same number.
    ///
    /// # Errors
    /// Store errors.
    pub async fn record_attempts(&self, app: AppId, batch: Arc<[Attempt]>, bare: bool) -> Result<usize> {
        self.db.write(RecordAttempts { app, batch, bare }).await
    }

    /// Drops a batch of the pending events that `which` selects, and returns their number. The number is 0 if none of
    /// these events is left, or if the reason for the drop no longer applies.
    ///
    /// # Errors
    /// Store errors.
    pub async fn drop_events(&self, app: AppId, which: Dropped) -> Result<u64> {
        self.db.write(DropEvents { app, which, now: self.clock.now() }).await
    }

    /// Claims or renews the delivery lease of an app for the duration `term`.
    ///
    /// # Errors
    /// Store errors.
    pub async fn claim_event_lease(&self, app: AppId, holder: i64, term: Duration) -> Result<LeaseClaim> {
        let micros = i64::try_from(term.as_micros()).unwrap_or(i64::MAX);
        self.db.write(ClaimLease { app, holder, micros }).await
    }

    /// Releases the delivery lease of an app. Does nothing if `holder` no longer has the lease.
    ///
    /// # Errors
    /// Store errors.
    pub async fn release_event_lease(&self, app: AppId, holder: i64) -> Result<()> {
        self.db.write(ReleaseLease { app, holder }).await
    }

    /// On SQLite, deletes all delivery leases. Call this when event delivery starts. Only one process can use the
    /// database, so the process that held the leases has ended. Does nothing on PostgreSQL.
    ///
    /// # Errors
    /// Store errors.
    pub async fn clear_event_leases(&self) -> Result<()> {
        match self.db.engine() {
            Engine::Sqlite => self.db.write(ClearLeases).await,
            Engine::Postgres => Ok(()),
        }
    }
}

struct DueApps {
    now: Timestamp,
    holder: i64,
}

op! { ReadOp "due_apps": DueApps -> Vec<DueApp> = |op, c| deliveries::due_apps(c, op.now, op.holder) }

struct NextDueEvents {
    app: AppId,
    now: Timestamp,
    as_of: ReadTime,
    first: QueueRead,
    retries: QueueRead,
}

impl NextDueEvents {
    async fn read<C: ReadSql>(&self, c: &mut C, queue: EventQueue, reads: &QueueRead) -> Result<QueuePage> {
        let as_limit = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        let events = match reads.after.is_empty() {
            true => Vec::new(),
            false => {
                deliveries::due(c, self.app, queue, &reads.after, self.now, as_limit(reads.limit)).await?
            }
        };
        let installations = match reads.search {
            None => Vec::new(),
            Some((after, most)) => {
                deliveries::installations(c, self.app, queue, after, self.now, as_limit(most)).await?
            }
        };
        let events = events.into_iter().map(|row| DueEvent::new(row, self.app, self.as_of)).collect();
        Ok(QueuePage { events, installations })
    }
}

impl ReadOp for NextDueEvents {
    const NAME: &'static str = "next_due_events";
    /// The pages of first attempts and of retries.
    type Out = (QueuePage, QueuePage);

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Self::Out> {
        let first = self.read(c, EventQueue::FirstAttempts, &self.first).await?;
        let retries = self.read(c, EventQueue::Retries, &self.retries).await?;
        Ok((first, retries))
    }
}

struct RecordAttempts {
    app: AppId,
    batch: Arc<[Attempt]>,
    bare: bool,
}

op! {
    Op "record_attempts": RecordAttempts -> usize = |op, c| deliveries::record(c, op.app, &op.batch, op.bare)
}

struct DropEvents {
    app: AppId,
    which: Dropped,
    now: Timestamp,
}

op! {
    Op "drop_events": DropEvents -> u64 =
        |op, c| event_drops::drop_pending(c, op.app, op.which, APP_UNINSTALLED, op.now, DROP_BATCH)
}

struct ClaimLease {
    app: AppId,
    holder: i64,
    micros: i64,
}

op! {
    Op "claim_event_lease": ClaimLease -> LeaseClaim = |op, c| event_leases::claim(c, op.app, op.holder, op.micros)
}

struct ReleaseLease {
    app: AppId,
    holder: i64,
}

op! { Op "release_event_lease": ReleaseLease -> () = |op, c| event_leases::release(c, op.app, op.holder) }

struct ClearLeases;

op! { Op "clear_event_leases": ClearLeases -> () = |_, c| event_leases::clear(c) }
