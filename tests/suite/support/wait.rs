//! Waits for effects of another process, a peer or a background job. No other module of the suite sleeps.

use std::{panic::Location, time::Duration};

/// The longest wait for a condition. After this time a test fails.
pub const GUARD: Duration = Duration::from_secs(120);
/// The polling interval.
const PAUSE: Duration = Duration::from_millis(10);

/// Waits until a condition is true. Panics if the condition is still false after [`GUARD`].
#[track_caller]
pub fn until(what: impl AsyncFnMut() -> bool) -> impl Future<Output = ()> {
    let caller = Location::caller();
    async move { assert!(becomes_true(what).await, "{caller}: the condition becomes true in time") }
}

/// Waits until a condition is true, at most for [`GUARD`]. Returns whether the condition became true, so that callers
/// can panic with a message of their own.
pub async fn becomes_true(mut what: impl AsyncFnMut() -> bool) -> bool {
    let looking = async {
        while !what().await {
            tokio::time::sleep(PAUSE).await;
        }
    };
    tokio::time::timeout(GUARD, looking).await.is_ok()
}

/// Sleeps, for example to simulate a slow network. To wait for an effect, tests use [`until`].
pub async fn delay(by: Duration) {
    tokio::time::sleep(by).await;
}
