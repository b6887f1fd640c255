//! Queues for writes that need the same exclusive lock: they wait here before they take a connection.
//!
//! Messages of one conversation are written one after another. Without the queue, writes to a busy
//! conversation that wait for its lock would occupy all connections of the pool, and writes to other
//! conversations would wait for a connection.

use std::time::Duration;

use tokio::sync::{Mutex, MutexGuard};

use crate::store::engine::error::StoreError;
use crate::store::engine::locks::Locks;

/// Number of queues. Different locks may share a queue; writes under these locks are then serialized
/// as well.
const QUEUES: usize = 1024;

/// The write queues of a process.
pub(super) struct WriteQueue(Vec<Mutex<()>>);

impl Default for WriteQueue {
    fn default() -> Self {
        Self(std::iter::repeat_with(Mutex::default).take(QUEUES).collect())
    }
}

impl WriteQueue {
    /// Waits in FIFO order until no other write of this process with the same exclusive lock is
    /// running. The write holds the returned guard while it runs. Returns `None` at once for a write
    /// without an exclusive lock, with several (waiting in several queues could deadlock), or with
    /// [`Locks::if_free`].
    ///
    /// # Errors
    /// Unavailable if the wait takes longer than `wait`.
    pub(super) async fn wait(
        &self,
        locks: &Locks,
        wait: Duration,
    ) -> Result<Option<MutexGuard<'_, ()>>, StoreError> {
        let [key] = locks.exclusive[..] else { return Ok(None) };
        if locks.if_free {
            return Ok(None);
        }
        // a multiplicative hash, because ids differ in their low bits and in their milliseconds: both
        // affect the index
        let spread = key.number().cast_unsigned().wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
        let index = usize::try_from(spread).unwrap_or_default() % QUEUES;
        match tokio::time::timeout(wait, self.0[index].lock()).await {
            Ok(guard) => Ok(Some(guard)),
            Err(_) => Err(StoreError::unavailable("too many writes are waiting for one conversation")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::ids::{ConversationId, InstallationId, WorkspaceId};
    use crate::store::engine::locks::LockKey;

    #[tokio::test]
    async fn writes_to_one_conversation_are_serialized() {
        let queue = WriteQueue::default();
        let of = |id: i64| {
            Locks::shared([LockKey::installation(InstallationId(1))])
                .and_exclusive(LockKey::conversation(WorkspaceId(2), ConversationId(id)))
        };
        let soon = Duration::from_millis(5);
        let first = queue.wait(&of(7), soon).await.unwrap();
        assert!(first.is_some());
        assert!(queue.wait(&of(7), soon).await.is_err(), "the second write waits for the first");
        assert!(
            queue.wait(&of(8), soon).await.unwrap().is_some(),
            "a write to another conversation does not wait"
        );
        let shared = Locks::shared([LockKey::installation(InstallationId(1))]);
        assert!(queue.wait(&shared, soon).await.unwrap().is_none(), "shared locks are not queued");
        drop(first);
        assert!(queue.wait(&of(7), soon).await.unwrap().is_some());
    }
}
