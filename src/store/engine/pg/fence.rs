//! The time limit of writes. After this time, the process must not write.
//!
//! A node that can no longer confirm its node number is possibly cut off from the database that the other nodes use.
//! For example, its connections can still lead to the old primary after a failover, and writes to the old primary would
//! be lost. So the node stops writing before another node can take its node number. Reads continue.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::store::engine::error::StoreError;

/// The time after which the process must not write. A process without a node number, such as a command, has no time
/// limit.
pub(super) struct Fence {
    /// The instant from which `until` is counted.
    base: Instant,
    /// Milliseconds after `base`; [`u64::MAX`] if the process may write without a time limit.
    until: AtomicU64,
}

impl Default for Fence {
    fn default() -> Self {
        Self { base: Instant::now(), until: AtomicU64::new(u64::MAX) }
    }
}

impl Fence {
    /// Allows writes until `end`. `end` can be earlier or later than the previous limit.
    pub(super) fn allow_writes_until(&self, end: Instant) {
        let millis = end.saturating_duration_since(self.base).as_millis();
        self.until.store(u64::try_from(millis).unwrap_or(u64::MAX), Ordering::Release);
    }

    /// Checks that the process may still write.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] after the time limit.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        let until = self.until.load(Ordering::Acquire);
        if until == u64::MAX || self.base.elapsed() < Duration::from_millis(until) {
            return Ok(());
        }
        Err(StoreError::unavailable("this node does not write, because its node number is not confirmed"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_are_rejected_after_the_time_limit() {
        let fence = Fence::default();
        assert!(fence.check().is_ok(), "a process without a node number may write");
        let now = Instant::now();
        fence.allow_writes_until(now + Duration::from_secs(3600));
        assert!(fence.check().is_ok());
        fence.allow_writes_until(now);
        assert!(fence.check().is_err());
        fence.allow_writes_until(now + Duration::from_secs(3600));
        assert!(fence.check().is_ok(), "a node that has confirmed its number again may write");
    }
}
