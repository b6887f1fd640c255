//! Waiting for effects of another process, a peer or a background job: the only place of the suite that sleeps.

use std::{panic::Location, time::Duration};

/// A guard against waiting for ever; nothing is timed by it.
pub const GUARD: Duration = Duration::from_secs(120);
/// The polling interval.
const PAUSE: Duration = Duration::from_millis(10);

/// Waits until a condition holds, and panics after [`GUARD`]; nothing is timed by it.
#[track_caller]
pub fn until(what: impl AsyncFnMut() -> bool) -> impl Future<Output = ()> {
    let caller = Location::caller();
    async move { assert!(comes(what).await, "{caller}: the condition was never met") }
}

/// The same for callers with a message of their own: returns whether the condition held in time.
pub async fn comes(mut what: impl AsyncFnMut() -> bool) -> bool {
    let looking = async {
        while !what().await {
            tokio::time::sleep(PAUSE).await;
        }
    };
    tokio::time::timeout(GUARD, looking).await.is_ok()
}

/// Sleeps, to simulate a slow network. Tests do not wait with it.
pub async fn hold_up(by: Duration) {
    tokio::time::sleep(by).await;
}
