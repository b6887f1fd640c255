//! Injected delivery failures. With them the developer of an app can see retries. They are set in the sandbox console
//! and kept in the memory of the process. In production they are not available.

use std::{collections::HashMap, time::Duration};

use parking_lot::Mutex;

use crate::domain::ids::AppId;

/// How a delivery fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InjectedFailure {
    /// The app is not called; the attempt is recorded with this response status.
    Status(u16),
    /// The app is called, and its response counts as received after this delay. Three seconds or more are a timeout.
    Delay(Duration),
    /// The app is called, and its response is discarded, as if the connection had been closed before the response.
    Cut,
}

/// For each app, how its next delivery attempts fail, and how many of them fail.
#[derive(Debug, Default)]
pub struct InjectedFailures(Mutex<HashMap<AppId, (InjectedFailure, u32)>>);

impl InjectedFailures {
    /// Injects `failure` into the next `count` delivery attempts of an app, in place of an earlier injection. If
    /// `count` is 0, only removes the earlier injection.
    pub fn set(&self, app: AppId, failure: InjectedFailure, count: u32) {
        let mut failures = self.0.lock();
        match count {
            0 => failures.remove(&app),
            _ => failures.insert(app, (failure, count)),
        };
    }

    /// Returns how the next delivery attempts of an app fail, and how many of them fail. `None` if none fails.
    pub fn left(&self, app: AppId) -> Option<(InjectedFailure, u32)> {
        self.0.lock().get(&app).copied()
    }

    /// Counts the attempt that begins now, and returns how the attempt fails; `None` if it does not fail.
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
