//! Delivery failures that the developer of an app injects in the sandbox console, for example to see retries. They are
//! kept in the memory of the process. In production no failure can be injected.

use std::{collections::HashMap, time::Duration};

use parking_lot::Mutex;

use crate::domain::ids::AppId;

/// How a delivery attempt fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InjectedFailure {
    /// No request is sent to the app. The attempt is recorded with this response status.
    Status(u16),
    /// The request is sent, and the app's response counts as received after this delay. A delay of three seconds or
    /// more is recorded as a timeout.
    Delay(Duration),
    /// The request is sent, and the app's response is discarded, as if the connection had been closed before the
    /// response.
    Cut,
}

/// The injected failures: for each app, how its next delivery attempts fail, and the number of these attempts.
#[derive(Debug, Default)]
pub struct InjectedFailures(Mutex<HashMap<AppId, (InjectedFailure, u32)>>);

impl InjectedFailures {
    /// Injects `failure` into the next `count` delivery attempts of an app. Replaces an earlier injection. If `count`
    /// is 0, only removes the earlier injection.
    pub fn set(&self, app: AppId, failure: InjectedFailure, count: u32) {
        let mut failures = self.0.lock();
        match count {
            0 => failures.remove(&app),
            _ => failures.insert(app, (failure, count)),
        };
    }

    /// Returns how the next delivery attempts of an app fail, and the number of these attempts. `None` if no failure is
    /// injected.
    pub fn left(&self, app: AppId) -> Option<(InjectedFailure, u32)> {
        self.0.lock().get(&app).copied()
    }

    /// Counts the attempt that begins now, and returns how this attempt fails. `None` if no failure is injected.
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
    fn a_failure_applies_to_the_next_attempts_of_one_app() {
        let failures = InjectedFailures::default();
        let (app, failure) = (AppId(1), InjectedFailure::Status(500));
        failures.set(app, failure, 2);
        assert_eq!(failures.take(AppId(2)), None, "the attempts of other apps do not fail");
        assert_eq!((failures.take(app), failures.left(app)), (Some(failure), Some((failure, 1))));
        assert_eq!((failures.take(app), failures.take(app)), (Some(failure), None));
        failures.set(app, failure, 9);
        failures.set(app, InjectedFailure::Cut, 0);
        assert_eq!(failures.take(app), None);
    }
}
