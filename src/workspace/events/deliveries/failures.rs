//! Which deliveries fail on purpose, so that the developer of an app sees its retries. Set by the sandbox console, in the
//! memory of a process; production has none.

use std::{collections::HashMap, time::Duration};

use parking_lot::Mutex;

use crate::domain::ids::AppId;

/// How a delivery fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InjectedFailure {
    /// The app is not called; its answer is taken to have this status.
    Status(u16),
    /// The app is called, and its answer counts after this time: from three seconds on it is too late.
    Delay(Duration),
    /// The app is called, and the connection is cut before its answer.
    Cut,
}

/// The number of deliveries of each app that fail next.
#[derive(Debug, Default)]
pub struct InjectedFailures(Mutex<HashMap<AppId, (InjectedFailure, u32)>>);

impl InjectedFailures {
    /// Lets the next `count` deliveries of an app fail, instead of those set before; 0 for none.
    pub fn set(&self, app: AppId, failure: InjectedFailure, count: u32) {
        let mut failures = self.0.lock();
        match count {
            0 => failures.remove(&app),
            _ => failures.insert(app, (failure, count)),
        };
    }

    /// Returns how the next deliveries of an app fail, and how many.
    pub fn left(&self, app: AppId) -> Option<(InjectedFailure, u32)> {
        self.0.lock().get(&app).copied()
    }

    /// Returns how the delivery that begins now fails.
    pub fn take(&self, app: AppId) -> Option<InjectedFailure> {
        let mut failures = self.0.lock();
        let (failure, left) = failures.get_mut(&app)?;
        let failure = *failure;
        *left -= 1;
        if *left == 0 {
            failures.remove(&app);
        }
        Some(failure)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_deliveries_of_one_app_fail() {
        let failures = InjectedFailures::default();
        let (app, failure) = (AppId(1), InjectedFailure::Status(500));
        failures.set(app, failure, 2);
        assert_eq!(failures.take(AppId(2)), None, "another app");
        assert_eq!((failures.take(app), failures.left(app)), (Some(failure), Some((failure, 1))));
        assert_eq!((failures.take(app), failures.take(app)), (Some(failure), None));
        failures.set(app, failure, 9);
        failures.set(app, InjectedFailure::Cut, 0);
        assert_eq!(failures.take(app), None);
    }
}
