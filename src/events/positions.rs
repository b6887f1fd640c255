//! The progress of the search for an app's installations with due events, and the position at which the app's next
//! worker continues.
//!
//! A worker can end before it has reached every installation with due events, for example when other apps wait for its
//! slot ([`app_slots`](super::app_slots)), or when the store fails. If each worker began with the lowest ids, possibly
//! no worker would ever reach the installations with the highest ids.

use std::collections::HashMap;

use parking_lot::Mutex;

use crate::domain::ids::{AppId, InstallationId};

/// Progress of the search for installations, in id order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct InstallationSearch {
    /// The installation that was examined last.
    pub(super) after: InstallationId,
    /// Whether every installation was examined.
    pub(super) done: bool,
    /// Whether installations that the search has passed may have due events now.
    pub(super) stale: bool,
}

impl InstallationSearch {
    const START: Self = Self { after: InstallationId(0), done: false, stale: false };

    /// Returns a search that begins after this id. If the id is above zero, the search has skipped the installations up
    /// to this id. So when the search reaches its end, it begins again and examines all installations.
    pub(super) const fn starting_after(after: InstallationId) -> Self {
        Self { after, done: false, stale: after.0 > 0 }
    }

    /// Makes the search examine all installations again: at once if it has examined every installation, and otherwise
    /// after it has reached its end.
    pub(super) const fn restart(&mut self) {
        if self.done {
            *self = Self::START;
        } else {
            self.stale = true;
        }
    }

    /// Records the installation that was examined last, and whether the search has reached its end. `last` is `None` if
    /// no installation was examined.
    pub(super) fn advance_past(&mut self, last: Option<InstallationId>, is_end: bool) {
        if let Some(last) = last {
            self.after = last;
        }
        if is_end {
            let is_stale = std::mem::take(&mut self.stale);
            *self = Self { done: !is_stale, ..Self::START };
        }
    }
}

/// The position at which the next worker of an app continues, as ids of installations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ServicePosition {
    /// The search for first attempts continues after this installation.
    pub(super) first: InstallationId,
    /// The search for retries continues after this installation.
    pub(super) retries: InstallationId,
    /// The installation that was served last.
    pub(super) last_served: InstallationId,
}

impl ServicePosition {
    /// The position of an app whose last worker reached all installations.
    pub(super) const START: Self =
        Self { first: InstallationId(0), retries: InstallationId(0), last_served: InstallationId(0) };
}

/// The positions of apps. An app whose last worker reached every installation has no entry.
#[derive(Debug, Default)]
pub(super) struct ServicePositions(Mutex<HashMap<AppId, ServicePosition>>);

impl ServicePositions {
    /// Returns the position at which a new worker of an app begins.
    pub(super) fn of(&self, app: AppId) -> ServicePosition {
        self.0.lock().get(&app).copied().unwrap_or(ServicePosition::START)
    }

    /// Stores the position at which the next worker of an app begins.
    pub(super) fn store(&self, app: AppId, position: ServicePosition) {
        let mut positions = self.0.lock();
        if position == ServicePosition::START {
            positions.remove(&app);
        } else {
            positions.insert(app, position);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_that_continues_examines_every_installation() {
        let mut search = InstallationSearch::starting_after(InstallationId(7));
        search.advance_past(Some(InstallationId(9)), true);
        assert_eq!(
            search,
            InstallationSearch::START,
            "the search begins again, because it has skipped ids up to 7"
        );
        search.advance_past(Some(InstallationId(9)), true);
        assert!(search.done);
        assert_eq!(InstallationSearch::starting_after(InstallationId(0)), InstallationSearch::START);
    }

    #[test]
    fn only_positions_of_interrupted_workers_are_kept() {
        let positions = ServicePositions::default();
        let position = ServicePosition { retries: InstallationId(7), ..ServicePosition::START };
        positions.store(AppId(1), position);
        assert_eq!((positions.of(AppId(1)), positions.of(AppId(2))), (position, ServicePosition::START));
        positions.store(AppId(1), ServicePosition::START);
        assert!(positions.0.lock().is_empty());
    }
}
