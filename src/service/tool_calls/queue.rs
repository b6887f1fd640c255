//! Queue of tool calls that are not in the audit yet. The calls are written in batches, so that one commit is enough
//! for many calls.
//!
//! A call is queued without waiting for the store, so that tools that only read keep working while writes are slow or
//! fail. The queue is in memory, so its size is bounded. While the queue has [`PACED`] calls or more, responses wait
//! until calls have been written, so that assistants cannot make calls faster than the store accepts them. Responses do
//! not wait while writes fail, and wait at most [`MAX_WAIT`] while writes hang. While the queue has [`CAPACITY`] calls,
//! further calls are lost. The metric [`AUDIT_LOST`] counts lost calls, and the first loss since the last successful
//! write is logged.
//!
//! A failed batch is retried. If a call is written twice, the audit has it once.

use std::{
    collections::VecDeque,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use parking_lot::Mutex;
use tokio::{
    sync::{Mutex as AsyncMutex, Notify},
    time::timeout,
};

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
/// If the queue has this number of calls or more, the responses of further calls wait.
const PACED: usize = CAPACITY / 2;
/// Maximum time that a response waits for writes, in case the store hangs. Measured in real time, because tests can
/// move the clock of the server.
const MAX_WAIT: Duration = Duration::from_secs(3);
/// Batch size. When the queue reaches this size, the calls are written without the delay [`LINGER`].
const BATCH: usize = 256;
/// Batch size while responses wait.
const LARGE_BATCH: usize = 2_048;
/// Number of consecutive failed writes after which responses no longer wait. A single write can fail because the store
/// is busy.
const MIN_FAILURES: usize = 2;
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
    writing: AsyncMutex<()>,
    /// Notified when a call arrives in the empty queue, and when calls are left in the queue after a write.
    first: Notify,
    /// Notified when the queue has enough calls for a full batch.
    full: Notify,
    /// Notified after each write, whether it succeeded or failed.
    written: Notify,
    /// Whether the loss of calls was logged. The next successful write resets the flag.
    is_losing: AtomicBool,
    /// Number of failed writes since the last successful write. The first of them is logged.
    failures: AtomicUsize,
    /// Whether [`World::write_tool_calls`] has ended.
    has_stopped: AtomicBool,
}

/// A call that is queued when this value is dropped, unless it was written before. So the call is recorded even if the
/// task that records it is dropped, for example because the client disconnected.
pub(super) struct UnwrittenCall<'a> {
    pub(super) call: Arc<ToolCall>,
    pub(super) is_written: bool,
    pub(super) queue: &'a ToolCallQueue,
}

impl Drop for UnwrittenCall<'_> {
    fn drop(&mut self) {
        if !self.is_written {
            self.queue.add(Arc::clone(&self.call));
        }
    }
}

impl ToolCallQueue {
    /// Returns a call that is queued when it is dropped.
    pub(super) fn unwritten(&self, call: Arc<ToolCall>) -> UnwrittenCall<'_> {
        UnwrittenCall { call, is_written: false, queue: self }
    }

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

    /// Waits while the queue has [`PACED`] or more calls, but at most [`MAX_WAIT`]. Does not wait while writes fail, or
    /// after the writer has stopped.
    pub(super) async fn wait_for_writes(&self) {
        if !self.is_paced() {
            return;
        }
        let below_half = async {
            loop {
                // created before the check, so that no notification is missed
                let written = self.written.notified();
                if !self.is_paced() {
                    return;
                }
                written.await;
            }
        };
        // after the timeout the call is queued if the queue has space, and is lost if not
        let _ = timeout(MAX_WAIT, below_half).await;
    }

    /// Returns whether responses wait for writes.
    fn is_paced(&self) -> bool {
        self.waiting.lock().len() >= PACED
            && self.failures.load(Ordering::Relaxed) < MIN_FAILURES
            && !self.has_stopped.load(Ordering::Relaxed)
    }

    /// Counts lost calls, and logs the first loss since the last successful write.
    pub(super) fn lose(&self, number: usize, why: &impl std::fmt::Display) {
        metrics::counter!(AUDIT_LOST).increment(number as u64);
        if !self.is_losing.swap(true, Ordering::Relaxed) {
            tracing::error!(%why, "tool calls are lost and will be missing from the audit");
        }
    }

    /// Waits until the write in progress has ended. Then writes the calls that are queued at that moment.
    ///
    /// # Errors
    /// Store errors. Calls that were not written stay queued.
    pub(super) async fn flush(&self, db: &Db) -> Result<()> {
        let _guard = self.writing.lock().await;
        let mut left = self.waiting.lock().len();
        while left > 0 && !self.waiting.lock().is_empty() {
            // calls stay queued until they are written, so that no call is lost if this future is dropped
            let size = if left >= PACED { LARGE_BATCH } else { BATCH };
            let batch: Vec<_> = self.waiting.lock().iter().take(left.min(size)).cloned().collect();
            let number = batch.len();
            let written = db.write(InsertToolCalls(batch)).await;
            self.report(&written);
            if written.is_ok() {
                // `give_up` has possibly removed all calls in the meantime
                let mut waiting = self.waiting.lock();
                let number = number.min(waiting.len());
                waiting.drain(..number);
                left -= number;
            }
            self.written.notify_waiters();
            written?;
        }
        self.gauge();
        Ok(())
    }

    fn report(&self, written: &Result<()>) {
        match written {
            Ok(()) => {
                self.is_losing.store(false, Ordering::Relaxed);
                if self.failures.swap(0, Ordering::Relaxed) > 0 {
                    tracing::info!("writing to the audit works again");
                }
            }
            Err(error) => {
                self.gauge();
                if self.failures.fetch_add(1, Ordering::Relaxed) == 0 {
                    tracing::warn!(%error, "failed to write tool calls to the audit; retrying");
                }
            }
        }
    }

    /// Notifies [`first`](Self::first) and [`full`](Self::full) about calls that arrived during a write. [`Self::add`]
    /// has not notified about them, because the queue was not empty, and possibly had a full batch already.
    fn notify_left(&self) {
        let left = self.waiting.lock().len();
        if left > 0 {
            self.first.notify_one();
        }
        if left >= BATCH {
            self.full.notify_one();
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
            tracing::error!(
                rows = left,
                "queued tool calls were lost at shutdown and will be missing from the audit"
            );
        }
    }
}

impl World {
    /// Writes queued calls in batches until shutdown. Spawn it as a task.
    pub async fn write_tool_calls(self: Arc<Self>, stop: Stop) {
        self.keep_writing_tool_calls(&stop).await;
        self.tool_calls.has_stopped.store(true, Ordering::Relaxed);
        self.tool_calls.written.notify_waiters();
    }

    async fn keep_writing_tool_calls(&self, stop: &Stop) {
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
                    must_retry = self.try_flush(stop) => if !must_retry { break },
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
            Ok(()) => {
                self.tool_calls.notify_left();
                false
            }
            Err(_) => !stop.is_draining(),
        }
    }

    /// Writes the queued calls at shutdown, after all requests have ended and before the store is closed. Calls that
    /// cannot be written are lost.
    pub async fn finish_tool_calls(&self) {
        match timeout(SHUTDOWN_TIMEOUT, self.flush_tool_calls()).await {
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
            time::Timestamp,
            tool_calls::ToolEnd,
        },
        platform::shutdown,
        service::testing,
    };

    fn call(id: i64, at: Timestamp) -> Arc<ToolCall> {
        Arc::new(ToolCall {
            id: ToolCallId(id),
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
            at,
            log_seq: 0,
        })
    }

    fn fill(queue: &ToolCallQueue, ids: std::ops::Range<usize>) {
        for id in ids {
            queue.add(call(i64::try_from(id).unwrap(), Timestamp(0)));
        }
    }

    #[tokio::test]
    async fn a_call_waits_until_the_half_full_queue_is_written() {
        let world = testing::world().await;
        let held = world.hold_writes().await;
        let queue = &world.tool_calls;
        fill(queue, 0..PACED - 1);
        assert!(queue.wait_for_writes().now_or_never().is_some());
        fill(queue, PACED..PACED + 1);
        let mut waiting = std::pin::pin!(queue.wait_for_writes());
        assert!(
            waiting.as_mut().now_or_never().is_none(),
            "a call waits while the queue is half full and the store accepts no writes"
        );
        drop(held);
        let (flushed, ()) = tokio::join!(queue.flush(&world.db), waiting);
        flushed.unwrap();
        assert_eq!(queue.waiting.lock().len(), 0);
    }

    #[tokio::test]
    async fn a_full_batch_that_arrived_during_a_write_is_written_without_delay() {
        let queue = ToolCallQueue::default();
        let is_notified = |of: &Notify| of.notified().now_or_never().is_some();
        fill(&queue, 0..BATCH - 1);
        assert!(is_notified(&queue.first), "the first call notifies `first`");
        queue.notify_left();
        assert!(
            is_notified(&queue.first) && !is_notified(&queue.full),
            "an incomplete batch that is left notifies `first` only"
        );
        fill(&queue, BATCH..BATCH + 10);
        assert!(is_notified(&queue.full), "the call that completes a batch notifies `full`");
        queue.notify_left();
        assert!(
            is_notified(&queue.first) && is_notified(&queue.full),
            "a full batch that is left notifies `first` and `full`"
        );
    }

    #[tokio::test]
    async fn no_call_waits_while_writes_fail() {
        let world = testing::world().await;
        let queue = &world.tool_calls;
        fill(queue, 0..PACED);
        let mut waiting = std::pin::pin!(queue.wait_for_writes());
        assert!(waiting.as_mut().now_or_never().is_none());
        world.db.close().await.unwrap();
        assert!(queue.flush(&world.db).await.is_err());
        assert!(waiting.as_mut().now_or_never().is_none(), "a call still waits after one failed write");
        assert!(queue.flush(&world.db).await.is_err());
        assert!(waiting.now_or_never().is_some(), "the second failed write ends the wait");
        assert!(queue.wait_for_writes().now_or_never().is_some(), "the next call does not wait");
        assert_eq!(queue.waiting.lock().len(), PACED, "no call is lost");
    }

    #[tokio::test]
    async fn no_call_waits_after_the_writer_has_stopped() {
        let world = testing::world().await;
        let queue = &world.tool_calls;
        fill(queue, 0..PACED);
        let mut waiting = std::pin::pin!(queue.wait_for_writes());
        assert!(waiting.as_mut().now_or_never().is_none());
        let (trigger, stop) = shutdown::channel();
        trigger.drain();
        Arc::clone(&world).write_tool_calls(stop).await;
        assert!(waiting.now_or_never().is_some());
    }

    #[tokio::test]
    async fn a_call_is_queued_even_if_its_task_is_dropped() {
        let world = testing::world().await;
        let queue = &world.tool_calls;
        let mut written = queue.unwritten(call(1, Timestamp(0)));
        written.is_written = true;
        drop(written);
        assert!(queue.waiting.lock().is_empty());
        drop(queue.unwritten(call(2, Timestamp(0))));
        assert_eq!(queue.waiting.lock().len(), 1);
    }

    #[tokio::test]
    async fn a_moved_clock_does_not_end_the_writes_of_a_shutdown() {
        let world = testing::world().await;
        let held = world.hold_writes().await;
        world.tool_calls.add(call(1, world.clock.now()));
        let mut finishing = std::pin::pin!(world.finish_tool_calls());
        assert!(finishing.as_mut().now_or_never().is_none());
        world.clock.advance(SHUTDOWN_TIMEOUT);
        assert!(finishing.as_mut().now_or_never().is_none(), "the timeout is measured in real time");
        drop(held);
        finishing.await;
        assert!(world.tool_calls.waiting.lock().is_empty(), "the queue is empty");
        assert!(!world.tool_calls.is_losing.load(Ordering::Relaxed), "the call is written and not lost");
    }
}
