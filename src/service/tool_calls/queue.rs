//! Queue of tool calls that are not in the audit yet. The calls are written in batches, so that one commit is enough
//! for many calls.
//!
//! A call is queued without waiting for the store, so that tools that only read keep working while writes are slow or
//! fail. The queue is in memory, so it is bounded: while it has [`CAPACITY`] calls, further calls are lost. The metric
//! [`AUDIT_LOST`] counts lost calls, and the first loss is logged. A failed batch is retried. A call that is written
//! twice is stored once.

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

use super::InsertToolCalls;
use crate::{
    platform::{
        metrics::{AUDIT_LOST, AUDIT_WAITING},
        shutdown::Stop,
    },
    service::World,
    store::{Db, Result, tool_calls::ToolCall},
};

/// Maximum number of queued calls.
const CAPACITY: usize = 10_000;
/// Batch size; a full batch is written without delay.
const BATCH: usize = 256;
/// Delay before an incomplete batch is written.
const LINGER: Duration = Duration::from_millis(200);
/// Delay before a failed batch is retried.
const RETRY_DELAY: Duration = Duration::from_secs(1);
/// Timeout for writing the queued calls at shutdown. Measured in real time, because tests can move the clock of the
/// server.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(10);

/// The queued calls of this process.
#[derive(Debug, Default)]
pub struct ToolCallQueue {
    waiting: Mutex<VecDeque<Arc<ToolCall>>>,
    /// Held while calls are written. Without this lock, two tasks could write the same calls, and the second task could
    /// remove calls from the queue that are not written yet. When a task gets the lock, earlier writes have ended.
    writing: TurnMutex<()>,
    /// Notified when a call arrives in the empty queue, and when calls are left in the queue after a write.
    first: Notify,
    /// Notified when the queue has enough calls for a full batch.
    full: Notify,
    /// Whether the loss of calls was logged. The next successful write resets the flag.
    is_losing: AtomicBool,
    /// Whether the failure of writes was logged. The next successful write resets the flag.
    is_failing: AtomicBool,
}

impl ToolCallQueue {
    /// Queues a call.
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
            more if more > CAPACITY => self.lose(1, &"the queue is full"),
            _ => {}
        }
    }

    /// Counts lost calls, and logs the first loss.
    pub(super) fn lose(&self, number: usize, why: &impl std::fmt::Display) {
        metrics::counter!(AUDIT_LOST).increment(number as u64);
        if !self.is_losing.swap(true, Ordering::Relaxed) {
            tracing::error!(%why, "tool calls are lost and will be missing from the audit");
        }
    }

    /// Waits for writes in progress. Then writes the calls that are queued at that moment.
    ///
    /// # Errors
    /// Store errors. Calls that were not written stay queued.
    pub(super) async fn flush(&self, db: &Db) -> Result<()> {
        let _turn = self.writing.lock().await;
        let mut left = self.waiting.lock().len();
        while left > 0 && !self.waiting.lock().is_empty() {
            // calls stay queued until they are written, so that no call is lost if this future is dropped
            let batch: Vec<_> = self.waiting.lock().iter().take(left.min(BATCH)).cloned().collect();
            let number = batch.len();
            let written = db.write(InsertToolCalls(batch)).await;
            self.report(&written);
            written?;
            // `give_up` has possibly removed all calls in the meantime
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
                if self.is_failing.swap(false, Ordering::Relaxed) {
                    tracing::info!("writing to the audit works again");
                }
            }
            Err(error) => {
                self.gauge();
                if !self.is_failing.swap(true, Ordering::Relaxed) {
                    tracing::warn!(%error, "failed to write tool calls to the audit; retrying");
                }
            }
        }
    }

    fn gauge(&self) {
        #[expect(clippy::cast_precision_loss, reason = "bounded by the queue's capacity")]
        metrics::gauge!(AUDIT_WAITING).set(self.waiting.lock().len() as f64);
    }

    /// Drops the queued calls and counts them as lost.
    fn give_up(&self, why: &impl std::fmt::Display) {
        let left = std::mem::take(&mut *self.waiting.lock()).len();
        if left > 0 {
            self.lose(left, why);
            tracing::error!(rows = left, "lost queued tool calls of the audit at shutdown");
        }
    }
}

impl World {
    /// Writes queued calls in batches until shutdown. Spawn it as a task.
    pub async fn write_tool_calls(self: Arc<Self>, stop: Stop) {
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
            // retried here, because the calls of a failed write cause no further notification
            loop {
                tokio::select! {
                    // calls stay queued until they are written, so `finish_tool_calls` writes an interrupted batch
                    () = stop.draining() => return,
                    must_retry = self.try_flush(&stop) => if !must_retry { break },
                }
                tokio::select! {
                    () = stop.draining() => return,
                    () = self.clock.pause(RETRY_DELAY) => {}
                }
            }
        }
    }

    /// Writes the queued calls and returns whether the write has to be retried.
    async fn try_flush(&self, stop: &Stop) -> bool {
        match self.flush_tool_calls().await {
            // calls that arrived during the write caused no notification of `first`, because the queue was not empty
            Ok(()) => {
                if !self.tool_calls.waiting.lock().is_empty() {
                    self.tool_calls.first.notify_one();
                }
                false
            }
            Err(_) => !stop.is_draining(),
        }
    }

    /// Writes the queued calls at shutdown, after all requests have ended and before the store is closed. Calls that
    /// cannot be written are lost.
    pub async fn finish_tool_calls(&self) {
        match tokio::time::timeout(SHUTDOWN_TIMEOUT, self.flush_tool_calls()).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => self.tool_calls.give_up(&error),
            Err(_) => self.tool_calls.give_up(&"the store does not answer"),
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;
    use crate::{
        domain::{
            ids::{ConnectionId, ToolCallId, UserId, WorkspaceId},
            tool_calls::ToolEnd,
        },
        service::testing,
    };

    #[tokio::test]
    async fn a_moved_clock_does_not_end_the_writes_of_a_shutdown() {
        let world = testing::world().await;
        let call = ToolCall {
            id: ToolCallId(1),
            workspace_id: WorkspaceId(2),
            user_id: UserId(3),
            connection_id: ConnectionId(4),
            client_id: "mcpc_1".to_owned(),
            display_name: "Client".to_owned(),
            tool: "whoami".to_owned(),
            outcome: ToolEnd::Ok,
            error_code: None,
            targets: String::new(),
            more_targets: 0,
            took: 0,
            at: world.clock.now(),
            log_seq: 0,
        };
        let held = world.hold_writes().await;
        world.tool_calls.add(Arc::new(call));
        let mut finishing = std::pin::pin!(world.finish_tool_calls());
        assert!(finishing.as_mut().now_or_never().is_none());
        world.clock.advance(SHUTDOWN_TIMEOUT);
        assert!(finishing.as_mut().now_or_never().is_none(), "the timeout is measured in real time");
        drop(held);
        finishing.await;
        assert!(world.tool_calls.waiting.lock().is_empty(), "every call is written");
    }
}
