//! Slow installations, and the number of attempt slots that they may use. An open attempt occupies one attempt slot
//! ([`app_slots`](super::app_slots)). An installation is slow if its latest attempt got no response within
//! [`PROMPT`](super::app_slots::PROMPT).

use std::{collections::HashSet, sync::Arc};

use parking_lot::{Mutex, MutexGuard};

use super::OPEN_PER_APP;
use crate::domain::ids::InstallationId;

/// The slow installations of all apps. The set outlives the workers that deliver the apps' events, so the next worker
/// of an app still knows its slow installations. Clones share the set.
#[derive(Clone, Debug, Default)]
pub(super) struct Slow(Arc<Mutex<HashSet<InstallationId>>>);

impl Slow {
    /// Returns the set, which is locked until the guard is dropped.
    pub(super) fn lock(&self) -> MutexGuard<'_, HashSet<InstallationId>> {
        self.0.lock()
    }

    /// Records whether the app's server responded promptly to the latest attempt of an installation.
    pub(super) fn note(&self, id: InstallationId, is_prompt: bool) {
        let mut slow = self.lock();
        if is_prompt {
            slow.remove(&id);
        } else {
            slow.insert(id);
        }
    }
}

/// Returns the maximum number of open attempts for the slow installations of one app. `slots` is the number of attempt
/// slots that the app has now. If the pool of slots that all apps share is exhausted, the result is three quarters of
/// `slots`. If not, the app can get up to [`OPEN_PER_APP`] slots, so the result is three quarters of [`OPEN_PER_APP`].
pub(super) const fn max_slow(slots: usize, is_pool_exhausted: bool) -> usize {
    let most = if is_pool_exhausted { slots } else { OPEN_PER_APP };
    most * 3 / 4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_installations_leave_a_quarter_of_the_slots_that_the_app_can_get() {
        assert_eq!(
            (max_slow(4, false), max_slow(32, false)),
            (24, 24),
            "while the pool has free slots, the result is three quarters of `OPEN_PER_APP`"
        );
        assert_eq!((max_slow(32, true), max_slow(12, true), max_slow(4, true)), (24, 9, 3));
    }
}
