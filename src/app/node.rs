//! Keeps this process's node number on PostgreSQL, where several nodes can use one database, and compares the clock of
//! this node with the clock of the database.
//!
//! This module confirms the number in the database every second. A confirmation expires after a few seconds. If the
//! number cannot be confirmed, the node continues until the last confirmation expires. After that it generates no ids
//! and writes nothing: writes fail with 503, `/readyz` reports the state, and reads continue.
//!
//! If the two clocks differ by more than `database.max_clock_skew_seconds`, the node generates no ids, so operations
//! that need a new id fail. In both cases the node recovers automatically when the cause has ended.
//!
//! Each confirmation also checks that the schema is compatible. If a newer version has applied a migration that is
//! incompatible with this version, every database operation is rejected and the part `schema` of `/readyz` fails.
//!
//! A confirmation is a query on a connection that only the node number uses. The query waits neither for a disk nor for
//! a standby, so its timeout is short. If connections to the database are lost without being closed, this query is
//! therefore the first to time out. As soon as a new connection responds, this module notifies the store, and the store
//! replaces its idle connections.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use tokio::{sync::oneshot, task::JoinHandle};

use crate::{
    platform::{
        clock::Clock,
        health::Readiness,
        ids::{IdGen, ImplausibleId},
    },
    store::{Db, NodeNumber, messages, op, schema_version},
};

/// Name of the part of `/readyz` that reports the node number and the clock.
pub(super) const PART: &str = "node";

/// Name of the part of `/readyz` that reports whether the schema is compatible; the part is absent until the schema is
/// incompatible for the first time.
const SCHEMA: &str = "schema";

/// The state in `/readyz` of a node without a valid number: another node possibly uses its number, or the node does not
/// yet generate ids with a new number.
const NO_NUMBER: &str = "no number of its own";

/// Interval of confirmations.
const CONFIRM_INTERVAL: Duration = Duration::from_secs(1);

/// Reads the highest id in the database. New ids must be greater than this id.
pub struct HighestId;

op! { ReadOp "highest_id": HighestId -> i64 = |_, c| messages::highest_id(c) }

/// The task that keeps the node number.
pub(super) struct NodeNumberKeeper {
    end: oneshot::Sender<()>,
    task: JoinHandle<NodeNumber>,
}

impl NodeNumberKeeper {
    /// Starts the task that confirms `number` regularly. This process has just taken the number.
    pub(super) fn start(
        number: NodeNumber,
        ids: Arc<IdGen>,
        db: Db,
        clock: Clock,
        readiness: Readiness,
    ) -> Self {
        let (known, last) = number.held();
        let mut confirmer = Confirmer {
            number,
            known: Some(known),
            writes_until: last.until(),
            ids,
            db,
            clock,
            readiness,
            is_failing: false,
            clock_is_off: false,
            is_outdated: false,
        };
        confirmer.db.write_until(last.until());
        confirmer.report_clock();
        confirmer.check_schema(last.oldest_compatible);
        let (end, ended) = oneshot::channel();
        Self { end, task: tokio::spawn(confirmer.keep(ended)) }
    }

    /// Stops the confirmations, and makes all later writes of this process fail. The caller must not generate ids after
    /// this call. Returns the number; `None` if the task panicked. The caller has to release the number as soon as no
    /// transaction is in progress.
    pub(super) async fn end(self) -> Option<NodeNumber> {
        let _ = self.end.send(());
        self.task.await.ok()
    }
}

/// Logs a stored id whose timestamp is too far in the future.
pub(super) fn report_implausible_id(implausible: Option<ImplausibleId>) {
    if let Some(ImplausibleId { id, ahead }) = implausible {
        let seconds_ahead = ahead.as_secs();
        tracing::error!(
            id,
            seconds_ahead,
            "found an id far ahead of the database's clock, generated while a clock was wrong; ignoring it"
        );
    }
}

/// Awaits `work`. `end` is the time until which the node may write ([`Confirmer::writes_until`]). If `end` passes
/// first, reports in `/readyz` that the node has no number, and continues to wait.
async fn report_expiry<T>(
    clock: &Clock,
    readiness: &Readiness,
    end: Instant,
    work: impl Future<Output = T>,
) -> T {
    let mut work = std::pin::pin!(work);
    tokio::select! {
        done = &mut work => done,
        () = clock.sleep_until_real(end) => {
            readiness.set(PART, Err(NO_NUMBER.to_owned()));
            work.await
        }
    }
}

/// The state of the task that confirms the node number.
struct Confirmer {
    number: NodeNumber,
    /// The number for which the highest stored id was read. After another number was taken, it is `None` until the
    /// highest id is read again.
    known: Option<u8>,
    /// Until when the node may write: until its last confirmation expires. The confirmations of a new number count only
    /// after the highest id was read.
    writes_until: Instant,
    ids: Arc<IdGen>,
    db: Db,
    clock: Clock,
    readiness: Readiness,
    is_failing: bool,
    clock_is_off: bool,
    is_outdated: bool,
}

impl Confirmer {
    async fn keep(mut self, mut ended: oneshot::Receiver<()>) -> NodeNumber {
        loop {
            tokio::select! {
                _ = &mut ended => break,
                () = self.clock.pause(CONFIRM_INTERVAL) => {}
            }
            // the confirmation can be interrupted at any point, because afterwards its connection is only used to
            // release the number
            tokio::select! {
                _ = &mut ended => break,
                () = self.confirm() => {}
            }
        }
        self.db.write_until(self.clock.instant());
        self.number
    }

    async fn confirm(&mut self) {
        let (before, _) = self.number.held();
        let confirming = self.number.confirm();
        let confirmed = report_expiry(&self.clock, &self.readiness, self.writes_until, confirming).await;
        match confirmed {
            Ok(()) => self.confirmed(before).await,
            Err(why) => {
                if !self.is_failing {
                    tracing::error!(%why, "failed to confirm the node number; retrying");
                }
                self.is_failing = true;
                self.check_expiry();
            }
        }
    }

    async fn confirmed(&mut self, before: u8) {
        let (held, confirmed) = self.number.held();
        self.db.follow(&self.number);
        self.check_schema(confirmed.oldest_compatible);
        if confirmed.silently_lost {
            self.db.suspect_connections();
        }
        self.ids.compare(confirmed.database_micros, confirmed.begun);
        if self.known != Some(held) {
            // Another node can use the previous number from now on. So if this node gets that number again, it must
            // read the highest id again.
            self.known = None;
            // new ids must be greater than the ids that another node generated with this number, even if that node's
            // clock was wrong
            let reading = self.db.read(HighestId);
            match report_expiry(&self.clock, &self.readiness, self.writes_until, reading).await {
                Ok(highest) => report_implausible_id(self.ids.seed(highest)),
                Err(why) => {
                    tracing::warn!(%why, number = held, "failed to read the highest id for the new node number");
                    self.check_expiry();
                    return;
                }
            }
            self.known = Some(held);
        }
        self.ids.hold(held, confirmed.until());
        self.writes_until = confirmed.until();
        self.db.write_until(self.writes_until);
        if self.is_failing || held != before {
            tracing::warn!(number = held, "confirmed a node number again");
        }
        self.is_failing = false;
        self.check_clock();
    }

    /// Reports in `/readyz` that the node has no number, if the node may no longer write.
    fn check_expiry(&self) {
        if self.clock.instant() >= self.writes_until {
            self.readiness.set(PART, Err(NO_NUMBER.to_owned()));
        }
    }

    fn check_schema(&mut self, oldest_compatible: i64) {
        let known = schema_version();
        let is_outdated = oldest_compatible > known;
        if is_outdated != self.is_outdated {
            self.db.set_outdated(is_outdated);
            if is_outdated {
                tracing::error!(
                    known,
                    oldest_compatible,
                    "the database was migrated by a newer version, and its schema is incompatible with this version: every \
                     database operation is rejected; replace this process by the newer version"
                );
                let why = format!("the database requires a version with migration {oldest_compatible}");
                self.readiness.set(SCHEMA, Err(why));
            } else {
                tracing::warn!(known, "the database's schema is compatible with this version again");
                self.readiness.set(SCHEMA, Ok(()));
            }
        }
        self.is_outdated = is_outdated;
    }

    fn check_clock(&mut self) {
        let is_off = self.ids.clock_error().is_some();
        if is_off != self.clock_is_off {
            let seconds_ahead = self.ids.clock_error().unwrap_or(0) / 1_000_000;
            if is_off {
                tracing::error!(
                    seconds_ahead,
                    "this node's clock is too far from the database's; generating no new ids"
                );
            } else {
                tracing::warn!("this node's clock agrees with the database's again");
            }
        }
        self.clock_is_off = is_off;
        self.report_clock();
    }

    fn report_clock(&self) {
        let state = match self.ids.clock_error() {
            None => Ok(()),
            Some(error) => {
                let (seconds, side) =
                    (error.unsigned_abs() / 1_000_000, if error > 0 { "ahead of" } else { "behind" });
                Err(format!("its clock is {seconds} s {side} the database's"))
            }
        };
        self.readiness.set(PART, state);
    }
}
