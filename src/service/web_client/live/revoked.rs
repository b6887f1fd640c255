//! Closes browser windows whose person has lost the right to see what the window shows. Every node closes its own
//! windows, even if another node revoked the right.
//!
//! To confirm a window means to check this right ([`audience`](super::audience)). A window receives no change between
//! the loss of the right and the closing, because a window is also confirmed before a change is sent to it.

use std::{sync::Arc, time::Duration};

use parking_lot::Mutex;
use tokio::sync::Notify;

use super::{audience::WindowBatch, log_failure};
use crate::service::World;

/// Delay before a failed confirmation is retried.
const RETRY_PAUSE: Duration = Duration::from_secs(1);

/// Batches of windows that have to be confirmed. A batch is added if the person of one of its windows has possibly lost
/// the right to see what the window shows.
#[derive(Debug, Default)]
pub(super) struct Revoked {
    batches: Mutex<Vec<Arc<WindowBatch>>>,
    added: Notify,
}

impl Revoked {
    pub(super) fn add(&self, batches: Vec<Arc<WindowBatch>>) {
        if batches.is_empty() {
            return;
        }
        let mut waiting = self.batches.lock();
        for batch in batches {
            if !waiting.iter().any(|other| Arc::ptr_eq(other, &batch)) {
                waiting.push(batch);
            }
        }
        drop(waiting);
        self.added.notify_one();
    }

    async fn next(&self) -> Arc<WindowBatch> {
        loop {
            if let Some(batch) = self.batches.lock().pop() {
                return batch;
            }
            self.added.notified().await;
        }
    }
}

impl World {
    /// Confirms each added batch. The confirmation closes the windows whose person has lost the right. Never returns.
    pub(super) async fn close_revoked(&self) {
        let revoked = &self.live.revoked;
        loop {
            let batch = revoked.next().await;
            if let Err(error) = batch.confirm_again(self).await {
                log_failure(&error, "failed to confirm the rights of open windows");
                self.clock.pause(RETRY_PAUSE).await;
                revoked.add(vec![batch]);
            }
        }
    }
}
