//! Keeps the node's number among several on one PostgreSQL database, for as long as the process lives, and holds its clock
//! against the database's.
//!
//! While the number cannot be confirmed the node goes on until the last confirmation runs out; then it gives no ids, so
//! whatever would write a new row is refused with 503, `/readyz` says so, and reads go on. The same holds while the clock
//! is off. It recovers by itself.
//!
//! With each confirmation the node learns whether the schema still suits it. Where a newer version has taken away what this
//! one needs, every operation on the database is refused and `/readyz` says so, until the process is replaced.
//!
//! The number's connection is asked every second and answers without waiting for a disk or a standby, so it is also the
//! first to learn that connections died without a word; the store is told.

use std::{sync::Arc, time::Duration};

use tokio::{sync::oneshot, task::JoinHandle};

use super::HighestId;
use crate::{
    platform::{
        clock::Clock,
        health::Readiness,
        ids::{IdGen, StrayId},
    },
    store::{Db, NodeNumber, schema_version},
};

/// The part of `/readyz`.
pub(super) const PART: &str = "node";

/// The part of `/readyz` that is there while the schema does not suit this program.
const SCHEMA: &str = "schema";

/// How often the number is confirmed.
const EVERY: Duration = Duration::from_secs(1);

/// The task that keeps the number.
pub(super) struct Keeper {
    end: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl Keeper {
    /// Begins to confirm a number just taken.
    pub(super) fn start(
        number: NodeNumber,
        ids: Arc<IdGen>,
        db: Db,
        clock: Clock,
        readiness: Readiness,
    ) -> Self {
        let known = number.held().0;
        let last = number.held().1;
        let mut confirmer = Confirmer {
            number,
            known,
            ids,
            db,
            clock,
            readiness,
            is_failing: false,
            clock_is_off: false,
            is_outdated: false,
        };
        confirmer.report_clock();
        confirmer.judge_schema(last.oldest_compatible);
        let (end, ended) = oneshot::channel();
        Self { end, task: tokio::spawn(confirmer.keep(ended)) }
    }

    /// Gives the number back; to be called when nothing needs an id any more.
    pub(super) async fn end(self) {
        let _ = self.end.send(());
        let _ = self.task.await;
    }
}

/// Reports an id in the store that a wrong clock has given.
pub(super) fn report_stray(stray: Option<StrayId>) {
    if let Some(StrayId { id, ahead }) = stray {
        let seconds_ahead = ahead.as_secs();
        tracing::error!(
            id,
            seconds_ahead,
            "an id in the store is far ahead of the database's clock, so a clock was wrong; it is passed over"
        );
    }
}

/// A number and what depends on it.
struct Confirmer {
    number: NodeNumber,
    /// The number whose ids so far are known.
    known: u8,
    ids: Arc<IdGen>,
    db: Db,
    clock: Clock,
    readiness: Readiness,
    is_failing: bool,
    clock_is_off: bool,
    is_outdated: bool,
}

impl Confirmer {
    async fn keep(mut self, mut ended: oneshot::Receiver<()>) {
        loop {
            tokio::select! {
                _ = &mut ended => break,
                () = self.clock.pause(EVERY) => {}
            }
            // whatever it is at can be left: the connection ends with the number
            tokio::select! {
                _ = &mut ended => break,
                () = self.confirm() => {}
            }
        }
        self.number.release().await;
    }

    async fn confirm(&mut self) {
        let (before, last) = self.number.held();
        match self.number.confirm().await {
            Ok(()) => self.confirmed(before).await,
            Err(why) => {
                if !self.is_failing {
                    tracing::error!(%why, "failed to confirm the node number; trying again");
                }
                self.is_failing = true;
                if self.clock.instant() >= last.until() {
                    self.readiness.set(PART, Err("no number of its own".to_owned()));
                }
            }
        }
    }

    async fn confirmed(&mut self, before: u8) {
        let (held, confirmed) = self.number.held();
        self.db.follow(&self.number);
        self.judge_schema(confirmed.oldest_compatible);
        if confirmed.silently_lost {
            self.db.suspect_connections();
        }
        self.ids.compare(confirmed.database_micros, confirmed.begun);
        if held != self.known {
            // ids go on behind those that another node gave with this number, whatever its clock said
            match self.db.read(HighestId).await {
                Ok(highest) => report_stray(self.ids.seed(highest)),
                Err(why) => {
                    tracing::warn!(%why, number = held, "failed to read the ids given with the new node number");
                    return;
                }
            }
            self.known = held;
        }
        self.ids.hold(held, confirmed.until());
        if self.is_failing || held != before {
            tracing::warn!(number = held, "the node has a number again");
        }
        self.is_failing = false;
        self.judge_clock();
    }

    fn judge_schema(&mut self, oldest_compatible: i64) {
        let known = schema_version();
        let is_outdated = oldest_compatible > known;
        if is_outdated != self.is_outdated {
            self.db.set_outdated(is_outdated);
            if is_outdated {
                tracing::error!(
                    known,
                    oldest_compatible,
                    "a newer version has migrated the database and this one does not work on its schema: every request is \
                     refused; replace this process by the newer version"
                );
                let why = format!("the database needs a version that knows migration {oldest_compatible}");
                self.readiness.set(SCHEMA, Err(why));
            } else {
                tracing::warn!(known, "this version works on the database's schema again");
                self.readiness.set(SCHEMA, Ok(()));
            }
        }
        self.is_outdated = is_outdated;
    }

    fn judge_clock(&mut self) {
        let is_off = self.ids.clock_error().is_some();
        if is_off != self.clock_is_off {
            let seconds_ahead = self.ids.clock_error().unwrap_or(0) / 1_000_000;
            if is_off {
                tracing::error!(
                    seconds_ahead,
                    "the clock is too far from the database's: no new ids are given"
                );
            } else {
                tracing::warn!("the clock agrees with the database's again");
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
