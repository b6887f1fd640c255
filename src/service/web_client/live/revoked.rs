//! Closing the windows of people who have lost a right. Every node closes its own windows, even if another node revoked
//! the right.
//!
//! Even before such a window is closed, no change is sent to it, because each window is confirmed before a change is
//! sent.

use std::{sync::Arc, time::Duration};

use parking_lot::Mutex;
use tokio::sync::Notify;

use super::{audience::WindowBatch, log_failure};
use crate::service::World;

/// Delay before a failed confirmation is retried.
const RETRY_PAUSE: Duration = Duration::from_secs(1);

/// The batches of windows that have to be confirmed, because the person of one of their windows has possibly lost a
/// right.
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
    /// Confirms the added batches. The confirmation closes the windows whose person has lost a right. Never returns.
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
