//! Queues for writes that need the same exclusive lock. A write that waits in a queue occupies no database connection.
//!
//! Messages of one conversation are written one after another, under the conversation's lock. Without the queues, each
//! write to a busy conversation would occupy a connection while it waits for the lock. These writes could occupy all
//! connections that are available to writes. Writes to other conversations would then wait for a connection.
//!
//! There are two ways to enter a queue:
//!
//! - An operation that [declares](crate::store::Op::locks) its exclusive lock waits in the queue before it takes a
//!   connection.
//! - An operation that does not declare the lock takes it [within its
//!   transaction](crate::store::engine::locks::acquire), after it has checked the caller's permissions. If the queue is
//!   empty, the operation enters the queue and continues. If the queue is not empty, the transaction is rolled back,
//!   and the operation waits in the queue without a connection. Then the operation is run again, and enters no other
//!   queue.
//!
//! So usually at most one connection of the process waits for a certain lock. In the second way, a caller without
//! permission enters no queue, and so delays no other write. An operation that waits in a queue holds no lock, and has
//! entered no other queue, so it cannot cause a deadlock.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Mutex, OwnedMutexGuard};

use crate::store::engine::error::StoreError;
use crate::store::engine::lock_key::{LockKey, Locks};

/// Number of queues, a power of two. Several locks can share a queue. The writes under any of these locks then wait for
/// each other.
const QUEUES: usize = 1024;

/// The slot of a queue. Only one write at a time has the slot, until it is committed or fails.
pub(super) type QueueSlot = OwnedMutexGuard<()>;

/// The write queues of a process.
pub(super) struct WriteQueue(Vec<Arc<Mutex<()>>>);

impl Default for WriteQueue {
    fn default() -> Self {
        Self(std::iter::repeat_with(Arc::default).take(QUEUES).collect())
    }
}

impl WriteQueue {
    /// Waits in FIFO order in the queue of the exclusive lock that a write declares, and returns the queue's slot.
    /// Returns `None` at once if the write declares no exclusive lock, or takes its locks only
    /// [if they are free](Locks::if_free). Also returns `None` at once if the write declares more than one exclusive
    /// lock, because a wait in several queues could cause a deadlock.
    ///
    /// # Errors
    /// Unavailable if the write has no slot after the time `wait`.
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

    /// Waits in FIFO order in the queue of a lock, and returns the queue's slot.
    ///
    /// # Errors
    /// Unavailable if the write has no slot after the time `wait`.
    pub(super) async fn wait(&self, key: LockKey, wait: Duration) -> Result<QueueSlot, StoreError> {
        match tokio::time::timeout(wait, Arc::clone(&self.0[index(key)]).lock_owned()).await {
            Ok(slot) => Ok(slot),
            Err(_) => Err(StoreError::unavailable("timed out waiting for another write with the same lock")),
        }
    }
}

/// Returns the index of the queue of a lock.
fn index(key: LockKey) -> usize {
    // The numbers of two locks can differ in any of their bits. Only the upper bits of the product depend on all bits
    // of the lock's number.
    let product = key.number().cast_unsigned().wrapping_mul(0x9E37_79B9_7F4A_7C15);
    usize::try_from(product >> (u64::BITS - QUEUES.ilog2())).unwrap_or_default()
}

/// The queues that one attempt of a write has entered.
pub(super) struct Queued {
    queue: Arc<WriteQueue>,
    /// Whether the write waited in a queue before this attempt. If so, the write enters no other queue, and keeps its
    /// connection while it waits for locks.
    has_waited: bool,
    /// The slots that the attempt occupies, each with the index of its queue.
    slots: Vec<(usize, QueueSlot)>,
    /// The lock whose queue was not empty when the attempt tried to enter it; `None` if there is no such lock.
    awaited_lock: Option<LockKey>,
}

impl Queued {
    pub(super) const fn new(queue: Arc<WriteQueue>, has_waited: bool) -> Self {
        Self { queue, has_waited, slots: Vec::new(), awaited_lock: None }
    }

    /// Enters the queues of the locks `keys`, which the operation takes next. Does nothing if the write waited in a
    /// queue before this attempt.
    ///
    /// # Errors
    /// Unavailable if one of the queues is not empty. Then the operation must wait in that queue without a connection.
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

    /// Returns the lock in whose queue the operation must wait before it is run again; `None` if it need not wait.
    pub(super) const fn awaited_lock(&self) -> Option<LockKey> {
        self.awaited_lock
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::ids::{ConversationId, InstallationId, UserId, WorkspaceId};
    use crate::domain::time::Timestamp;
    use crate::platform::clock::Clock;
    use crate::platform::ids::IdGen;

    const SOON: Duration = Duration::from_millis(5);

    fn conversation(id: i64) -> LockKey {
        LockKey::conversation(WorkspaceId(2), ConversationId(id))
    }

    #[tokio::test]
    async fn writes_to_one_conversation_are_serialized() {
        let queue = WriteQueue::default();
        let locks_of =
            |id| Locks::shared([LockKey::installation(InstallationId(1))]).and_exclusive(conversation(id));
        let first = queue.wait_for_declared(&locks_of(7), SOON).await.unwrap();
        assert!(first.is_some());
        assert!(
            queue.wait_for_declared(&locks_of(7), SOON).await.is_err(),
            "the second write waits for the first"
        );
        assert!(
            queue.wait_for_declared(&locks_of(8), SOON).await.unwrap().is_some(),
            "a write to another conversation does not wait"
        );
        let shared = Locks::shared([LockKey::installation(InstallationId(1))]);
        assert!(
            queue.wait_for_declared(&shared, SOON).await.unwrap().is_none(),
            "shared locks are not queued"
        );
        drop(first);
        assert!(queue.wait_for_declared(&locks_of(7), SOON).await.unwrap().is_some());
    }

    #[tokio::test]
    async fn an_operation_enters_a_queue_once_and_waits_in_one_queue_at_most() {
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
        assert_eq!(retry.awaited_lock(), None, "an operation that has waited waits in no other queue");
        drop(slot);
    }

    #[test]
    fn locks_are_spread_over_the_queues_at_any_rate_of_new_ids() {
        let ms = Duration::from_millis;
        // the pause between two groups of ids, and the number of ids that are generated at once
        for (pause, at_once) in
            [(ms(0), 4000), (ms(1), 1), (ms(1), 10), (ms(7), 1), (ms(1_000), 1), (ms(600_000), 1)]
        {
            let clock = Clock::manual(Timestamp(1_795_800_000_000_000));
            let ids = IdGen::among_nodes(clock.clone());
            ids.hold(3, clock.instant() + Duration::from_hours(24 * 365));
            let company = WorkspaceId(ids.next().unwrap());
            clock.advance(Duration::from_hours(24));
            let created: Vec<i64> = (0..4000)
                .map(|n| {
                    if n % at_once == 0 {
                        clock.advance(pause);
                    }
                    ids.next().unwrap()
                })
                .collect();
            let first = UserId(created[0]);
            let kinds: [(&str, &dyn Fn(i64) -> LockKey); 3] = [
                ("conversations", &|id| LockKey::conversation(company, ConversationId(id))),
                ("drafts", &|id| LockKey::drafts(UserId(id))),
                ("pairs", &|id| LockKey::pair(first, UserId(id))),
            ];
            for (kind, key) in kinds {
                let mut lengths = vec![0; QUEUES];
                for id in &created {
                    lengths[index(key(*id))] += 1;
                }
                let used = lengths.iter().filter(|length| **length > 0).count();
                let longest = lengths.iter().max().unwrap();
                assert!(
                    used >= QUEUES / 2 && *longest <= 32,
                    "at least half of the queues are used, by at most 32 locks each; {at_once} {kind} every {pause:?}: \
                     {used} queues are used, one by {longest} locks"
                );
            }
        }
    }
}
