//! Queues for writes that need the same exclusive lock. The writes wait here before they take a connection.
//!
//! Messages of one conversation are written one after another. Without the queue, a busy conversation would fill the
//! pool with writes that all wait for its lock. Writes to other conversations would wait behind these.
//!
//! An operation that [declares](crate::store::Op::locks) its exclusive lock waits before it takes a connection. Another
//! operation takes the lock [within its transaction](crate::store::engine::locks::acquire), after it has checked the
//! caller's permissions. It enters the queue only if the queue is empty. Otherwise its transaction is rolled back. Then
//! the operation waits without a connection, and is run again, without entering further queues.
//!
//! So usually at most one connection of the process waits for a lock, and a caller without permission never delays the
//! queue. An operation that waits in a queue holds no lock and no slot of another queue, so it cannot deadlock.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Mutex, OwnedMutexGuard};

use crate::store::engine::error::StoreError;
use crate::store::engine::lock_key::{LockKey, Locks};

/// Number of queues. Different locks may share a queue. Then the writes under these locks are also serialized.
const QUEUES: usize = 1024;

/// The slot of a queue, held by one write at a time.
pub(super) type QueueSlot = OwnedMutexGuard<()>;

/// The write queues of a process.
pub(super) struct WriteQueue(Vec<Arc<Mutex<()>>>);

impl Default for WriteQueue {
    fn default() -> Self {
        Self(std::iter::repeat_with(Arc::default).take(QUEUES).collect())
    }
}

impl WriteQueue {
    /// Waits for the slot of the exclusive lock that a write declares, in FIFO order. Returns `None` at once for a
    /// write without an exclusive lock, or with [`Locks::if_free`]. Also returns `None` for a write with more than one
    /// exclusive lock, because waiting in several queues could deadlock.
    /// [`Locks::if_free`].
    ///
    /// # Errors
    /// Unavailable after waiting for `wait`.
    pub(super) async fn wait_for_declared(
        &self,
        locks: &Locks,
        wait: Duration,
    ) -> Result<Option<QueueSlot>, StoreError> {
        match locks.exclusive[..] {
            [key] if !locks.if_free => self.wait(key, wait).await.map(Some),
            _ => Ok(None),
        }
    }

    /// Waits until no other write of this process is in the queue of a lock, in FIFO order.
    ///
    /// # Errors
    /// Unavailable after waiting for `wait`.
    pub(super) async fn wait(&self, key: LockKey, wait: Duration) -> Result<QueueSlot, StoreError> {
        match tokio::time::timeout(wait, Arc::clone(&self.0[index(key)]).lock_owned()).await {
            Ok(slot) => Ok(slot),
            Err(_) => Err(StoreError::unavailable("timed out waiting for another write with the same lock")),
        }
    }
}

/// Returns the number of the queue of a lock.
fn index(key: LockKey) -> usize {
    // mixes the bits of ids, which differ in their low bits and in their milliseconds
    let spread = key.number().cast_unsigned().wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
    usize::try_from(spread).unwrap_or_default() % QUEUES
}

/// The queues that one attempt of a write is in.
pub(super) struct Queued {
    queue: Arc<WriteQueue>,
    /// Whether the write has waited in a queue. If so, it enters no other queue, and waits for locks while it
    /// occupies its connection.
    has_waited: bool,
    /// The slots that the attempt occupies, each with the number of its queue.
    slots: Vec<(usize, QueueSlot)>,
    /// The lock whose queue was not empty.
    awaited_lock: Option<LockKey>,
}

impl Queued {
    pub(super) const fn new(queue: Arc<WriteQueue>, has_waited: bool) -> Self {
        Self { queue, has_waited, slots: Vec::new(), awaited_lock: None }
    }

    /// Enters the queues of locks that the operation is about to take.
    ///
    /// # Errors
    /// Unavailable if one of the queues is not empty. Then the operation has to wait in that queue without a
    /// connection.
    pub(super) fn enter(&mut self, keys: &[LockKey]) -> Result<(), StoreError> {
        if self.has_waited {
            return Ok(());
        }
        for key in keys {
            let index = index(*key);
            if self.slots.iter().any(|(entered, _)| *entered == index) {
                continue;
            }
            let Ok(slot) = Arc::clone(&self.queue.0[index]).try_lock_owned() else {
                self.awaited_lock = Some(*key);
                return Err(StoreError::unavailable("another write is in the queue of the lock"));
            };
            self.slots.push((index, slot));
        }
        Ok(())
    }

    /// Returns the lock in whose queue the operation has to wait before it is run again.
    pub(super) const fn awaited_lock(&self) -> Option<LockKey> {
        self.awaited_lock
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::ids::{ConversationId, InstallationId, WorkspaceId};

    const SOON: Duration = Duration::from_millis(5);

    fn conversation(id: i64) -> LockKey {
        LockKey::conversation(WorkspaceId(2), ConversationId(id))
    }

    #[tokio::test]
    async fn writes_to_one_conversation_are_serialized() {
        let queue = WriteQueue::default();
        let of =
            |id| Locks::shared([LockKey::installation(InstallationId(1))]).and_exclusive(conversation(id));
        let first = queue.wait_for_declared(&of(7), SOON).await.unwrap();
        assert!(first.is_some());
        assert!(queue.wait_for_declared(&of(7), SOON).await.is_err(), "the second write waits for the first");
        assert!(
            queue.wait_for_declared(&of(8), SOON).await.unwrap().is_some(),
            "a write to another conversation does not wait"
        );
        let shared = Locks::shared([LockKey::installation(InstallationId(1))]);
        assert!(
            queue.wait_for_declared(&shared, SOON).await.unwrap().is_none(),
            "shared locks are not queued"
        );
        drop(first);
        assert!(queue.wait_for_declared(&of(7), SOON).await.unwrap().is_some());
    }

    #[tokio::test]
    async fn an_operation_enters_a_queue_once() {
        let queue = Arc::new(WriteQueue::default());
        let attempt = |has_waited| Queued::new(Arc::clone(&queue), has_waited);
        let (mut first, mut second) = (attempt(false), attempt(false));
        for _ in 0..2 {
            first.enter(&[conversation(7)]).unwrap();
        }
        assert!(second.enter(&[conversation(8), conversation(7)]).is_err());
        assert_eq!(second.awaited_lock(), Some(conversation(7)));
        drop(second);
        drop(first);
        let slot = queue.wait(conversation(7), SOON).await.unwrap();
        let _other = queue.wait(conversation(8), SOON).await.unwrap();
        let mut retry = attempt(true);
        retry.enter(&[conversation(8), conversation(7)]).unwrap();
        assert_eq!(retry.awaited_lock(), None, "an operation waits in one queue at most");
        drop(slot);
    }
}
