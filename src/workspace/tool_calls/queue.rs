//! Calls that were noted and wait to be written together: a commit for each would cost more than the calls.
//!
//! Bounded: while the store is broken or slow, the oldest [`CAPACITY`] wait and newer ones are lost, counted by
//! [`AUDIT_LOST`] and told in the log once, so that reading goes on. What was tried and failed is tried again; a row is
//! kept once however often it is written.

use std::{
    collections::VecDeque,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use parking_lot::Mutex;
use tokio::sync::{Mutex as TurnMutex, Notify};

use super::{KeepToolCalls, ToolCall};
use crate::{
    platform::{
        metrics::{AUDIT_LOST, AUDIT_WAITING},
        shutdown::Stop,
    },
    store::{Db, Result},
    workspace::World,
};

/// Most rows that wait.
const CAPACITY: usize = 10_000;
/// Rows of one commit; so many are written without waiting for more.
const BATCH: usize = 256;
/// How long a row waits for others.
const LINGER: Duration = Duration::from_millis(200);
/// How long after a failure the rows are tried again.
const REST: Duration = Duration::from_secs(1);
/// How long the end of the process waits for the last rows.
const LAST: Duration = Duration::from_secs(10);

/// The calls of this process that wait.
#[derive(Debug, Default)]
pub struct Queue {
    waiting: Mutex<VecDeque<Arc<ToolCall>>>,
    /// Held by who writes: rows leave in the order they came, and who has waited for it knows that earlier ones left.
    turn: TurnMutex<()>,
    /// There is one.
    first: Notify,
    /// There is a batch.
    full: Notify,
    /// Rows are being lost, and the log says so.
    is_losing: AtomicBool,
    /// Rows cannot be written, and the log says so.
    is_stuck: AtomicBool,
}

impl Queue {
    /// Adds a call to those that wait.
    pub(super) fn add(&self, call: Arc<ToolCall>) {
        let number = {
            let mut waiting = self.waiting.lock();
            if waiting.len() < CAPACITY {
                waiting.push_back(call);
                waiting.len()
            } else {
                CAPACITY + 1
            }
        };
        match number {
            1 => self.first.notify_one(),
            BATCH => self.full.notify_one(),
            more if more > CAPACITY => self.lose(1, &"too many wait to be written"),
            _ => {}
        }
    }

    /// Counts rows that will never be written.
    pub(super) fn lose(&self, number: usize, why: &impl std::fmt::Display) {
        metrics::counter!(AUDIT_LOST).increment(number as u64);
        if !self.is_losing.swap(true, Ordering::Relaxed) {
            tracing::error!(%why, "rows of the audit are being lost");
        }
    }

    /// Writes what waited when this was called.
    ///
    /// # Errors
    /// Those of the store; what was not written still waits.
    pub(super) async fn flush(&self, db: &Db) -> Result<()> {
        let _turn = self.turn.lock().await;
        let mut left = self.waiting.lock().len();
        while left > 0 && !self.waiting.lock().is_empty() {
            // they stay where they are until they are written, or a caller that goes away would take them along
            let batch: Vec<_> = self.waiting.lock().iter().take(left.min(BATCH)).cloned().collect();
            let number = batch.len();
            let written = db.write(KeepToolCalls(batch)).await;
            self.report(&written);
            written?;
            // nobody else takes rows away before the end
            let mut waiting = self.waiting.lock();
            let number = number.min(waiting.len());
            waiting.drain(..number);
            left -= number;
        }
        self.gauge();
        Ok(())
    }

    fn report(&self, written: &Result<()>) {
        match written {
            Ok(()) => {
                self.is_losing.store(false, Ordering::Relaxed);
                if self.is_stuck.swap(false, Ordering::Relaxed) {
                    tracing::info!("the audit is written again");
                }
            }
            Err(error) => {
                self.gauge();
                if !self.is_stuck.swap(true, Ordering::Relaxed) {
                    tracing::warn!(%error, "the audit cannot be written and is tried again");
                }
            }
        }
    }

    fn gauge(&self) {
        #[expect(clippy::cast_precision_loss, reason = "bounded by the queue's capacity")]
        metrics::gauge!(AUDIT_WAITING).set(self.waiting.lock().len() as f64);
    }

    /// Gives up what waits.
    fn give_up(&self, why: &impl std::fmt::Display) {
        let left = std::mem::take(&mut *self.waiting.lock()).len();
        if left > 0 {
            self.lose(left, why);
            tracing::error!(rows = left, "the end of the audit was not written");
        }
    }
}

impl World {
    /// Writes the calls that are noted, a moment after each, until the process ends. Spawn it.
    pub async fn keep_tool_calls(self: Arc<Self>, stop: Stop) {
        let queue = &self.tool_calls;
        loop {
            tokio::select! {
                () = stop.draining() => return,
                () = queue.first.notified() => {}
            }
            tokio::select! {
                () = stop.draining() => return,
                () = queue.full.notified() => {}
                () = self.clock.pause(LINGER) => {}
            }
            // a failure leaves rows behind, of which the next one to come does not tell
            loop {
                tokio::select! {
                    // rows leave the queue only once they are written, so what is cut off here is written at the end
                    () = stop.draining() => return,
                    again = self.flush_and_ask(&stop) => if !again { break },
                }
                tokio::select! {
                    () = stop.draining() => return,
                    () = self.clock.pause(REST) => {}
                }
            }
        }
    }

    /// Whether it has to be tried again.
    async fn flush_and_ask(&self, stop: &Stop) -> bool {
        match self.flush_tool_calls().await {
            // what came while that was written: more than a batch of it tells itself
            Ok(()) => {
                if !self.tool_calls.waiting.lock().is_empty() {
                    self.tool_calls.first.notify_one();
                }
                false
            }
            Err(_) => !stop.is_draining(),
        }
    }

    /// Writes what waits when everything else has ended, before the store is closed. What is then left is lost.
    pub async fn end_tool_calls(&self) {
        tokio::select! {
            written = self.flush_tool_calls() => {
                if let Err(error) = written {
                    self.tool_calls.give_up(&error);
                }
            }
            () = self.clock.pause(LAST) => self.tool_calls.give_up(&"the store does not answer"),
        }
    }
}
