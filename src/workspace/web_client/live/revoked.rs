//! Closing the windows of people who lost a right, on the node that revoked it and on the others.
//!
//! Until such a window is closed, nothing is sent to it, because a window is confirmed before anything is sent.

use std::{sync::Arc, time::Duration};

use parking_lot::Mutex;
use tokio::sync::Notify;

use super::{audience::WindowBatch, log_failure};
use crate::workspace::World;

/// Delay before a failed confirmation is retried.
const RETRY_PAUSE: Duration = Duration::from_secs(1);

/// The rows of windows that have to be confirmed because one of their people may have lost a right.
#[derive(Debug, Default)]
pub(super) struct Revoked {
    rows: Mutex<Vec<Arc<WindowBatch>>>,
    added: Notify,
}

impl Revoked {
    pub(super) fn add(&self, rows: Vec<Arc<WindowBatch>>) {
        if rows.is_empty() {
            return;
        }
        let mut waiting = self.rows.lock();
        for row in rows {
            if !waiting.iter().any(|other| Arc::ptr_eq(other, &row)) {
                waiting.push(row);
            }
        }
        drop(waiting);
        self.added.notify_one();
    }

    async fn next(&self) -> Arc<WindowBatch> {
        loop {
            if let Some(row) = self.rows.lock().pop() {
                return row;
            }
            self.added.notified().await;
        }
    }
}

impl World {
    /// Confirms the added rows, which closes the windows whose person has lost the right to them. Never returns.
    pub(super) async fn close_revoked(&self) {
        let revoked = &self.live.revoked;
        loop {
            let row = revoked.next().await;
            if let Err(error) = row.confirm_again(self).await {
                log_failure(&error, "failed to confirm the rights of open windows");
                self.clock.pause(RETRY_PAUSE).await;
                revoked.add(vec![row]);
            }
        }
    }
}
