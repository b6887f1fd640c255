//! Turns of writes that would wait for each other in the database: they wait here, where waiting costs no connection.
//!
//! The messages of one conversation are written one after another. Without turns a busy conversation would fill the
//! pool with writes that all wait for its lock, and writes to other conversations would wait behind them.

use std::time::Duration;

use tokio::sync::{Mutex, MutexGuard};

use crate::store::error::StoreError;
use crate::store::locks::Locks;

/// Different locks may share a place; their writes then take turns, too.
const PLACES: usize = 1024;

/// The turns of one process.
pub(super) struct Turns(Vec<Mutex<()>>);

impl Default for Turns {
    fn default() -> Self {
        Self(std::iter::repeat_with(Mutex::default).take(PLACES).collect())
    }
}

impl Turns {
    /// Waits until no write of this process that takes the same exclusive lock is under way; first come, first served.
    /// `None` at once for a write that takes none, or more than one (several places could be waited for in a circle), and
    /// for one that does not wait for locks.
    ///
    /// # Errors
    /// Unavailable when the turn did not come within `wait`.
    pub(super) async fn wait(
        &self,
        locks: &Locks,
        wait: Duration,
    ) -> Result<Option<MutexGuard<'_, ()>>, StoreError> {
        let [key] = locks.exclusive[..] else { return Ok(None) };
        if locks.if_free {
            return Ok(None);
        }
        // ids differ in their low bits and in their milliseconds
        let spread = key.number().cast_unsigned().wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
        let place = usize::try_from(spread).unwrap_or_default() % PLACES;
        match tokio::time::timeout(wait, self.0[place].lock()).await {
            Ok(turn) => Ok(Some(turn)),
            Err(_) => Err(StoreError::unavailable("too many writes wait for one conversation")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::ids::{ConversationId, InstallationId, WorkspaceId};
    use crate::store::locks::LockKey;

    #[tokio::test]
    async fn writes_to_one_conversation_take_turns() {
        let turns = Turns::default();
        let of = |id: i64| {
            Locks::shared([LockKey::installation(InstallationId(1))])
                .and_exclusive(LockKey::conversation(WorkspaceId(2), ConversationId(id)))
        };
        let soon = Duration::from_millis(5);
        let first = turns.wait(&of(7), soon).await.unwrap();
        assert!(first.is_some());
        assert!(turns.wait(&of(7), soon).await.is_err(), "the second waits for the first");
        assert!(turns.wait(&of(8), soon).await.unwrap().is_some(), "another conversation does not");
        let shared = Locks::shared([LockKey::installation(InstallationId(1))]);
        assert!(turns.wait(&shared, soon).await.unwrap().is_none(), "shared locks need no turn");
        drop(first);
        assert!(turns.wait(&of(7), soon).await.unwrap().is_some());
    }
}
