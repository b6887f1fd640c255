//! Waiting for what another process, a peer or a job in the background brings about: the one place of the suite that sleeps.

use std::{panic::Location, time::Duration};

/// A guard against waiting for ever; nothing is timed by it.
pub const GUARD: Duration = Duration::from_secs(120);
/// Between two looks.
const PAUSE: Duration = Duration::from_millis(10);

/// Waits until something holds. A guard ends the wait; nothing is timed by it.
#[track_caller]
pub fn until(what: impl AsyncFnMut() -> bool) -> impl Future<Output = ()> {
    let caller = Location::caller();
    async move { assert!(comes(what).await, "{caller}: it never came") }
}

/// The same, for those who have something to say when it never comes: whether it came.
pub async fn comes(mut what: impl AsyncFnMut() -> bool) -> bool {
    let looking = async {
        while !what().await {
            tokio::time::sleep(PAUSE).await;
        }
    };
    tokio::time::timeout(GUARD, looking).await.is_ok()
}

/// Holds something up, as a slow network does. Not for tests to wait with.
pub async fn hold_up(by: Duration) {
    tokio::time::sleep(by).await;
}
