//! Publishes what committed writes of this process have changed:
//!
//! - apps with new events, so that delivery starts at the commit and does not wait for the next poll;
//! - assistants' connections and MCP sessions that ended ([`RevocationWatchers`]);
//! - data that open browser windows must read again ([`Signals`]);
//! - the number of operations that revoked something. If this number changes while a request runs, the request reads
//!   its permissions again ([`as_of`](super::as_of)).

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;
use tokio::sync::Notify;

use super::notices::Notices;
use super::revocation_watch::RevocationWatchers;
use super::signals::Signals;
use crate::domain::delivery::{DropReason, NewEvents};
use crate::domain::ids::AppId;
use crate::platform::metrics::{EVENTS_DROPPED, EVENTS_QUEUED};

/// Publishes the notifications of committed operations.
#[derive(Debug, Default)]
pub struct CommitNotices {
    /// The apps with new events, for the one task that calls [`CommitNotices::next`]. Each app has one entry, so that
    /// the map stays small even if no task calls this method.
    apps: Mutex<HashMap<AppId, NewEvents>>,
    added: Notify,
    revocation_watchers: RevocationWatchers,
    revocations: AtomicU64,
    signals: Signals,
}

impl CommitNotices {
    /// Returns the watchers of assistants' connections and of their MCP sessions.
    pub(in crate::store) fn revocation_watchers(&self) -> &RevocationWatchers {
        &self.revocation_watchers
    }

    /// Returns the signals for open browser windows.
    pub(in crate::store) fn signals(&self) -> &Signals {
        &self.signals
    }

    /// Returns the number of operations of this process that revoked something.
    pub(in crate::store) fn revocations(&self) -> u64 {
        self.revocations.load(Ordering::Acquire)
    }

    /// Publishes the notifications of a committed operation. Must be called before the operation's result is returned
    /// to its caller.
    pub(in crate::store) fn add(&self, notices: &Notices) {
        let Notices { due, dropped, ended, .. } = notices;
        if notices.has_revoked() {
            self.revocations.fetch_add(1, Ordering::AcqRel);
        }
        self.signals.committed(notices);
        self.revocation_watchers.notify(ended);
        if *dropped > 0 {
            let reason = DropReason::Disconnected.name();
            metrics::counter!(EVENTS_DROPPED, "reason" => reason).increment(*dropped);
        }
        if !due.is_empty() {
            metrics::counter!(EVENTS_QUEUED).increment(due.len() as u64);
            let mut apps = self.apps.lock();
            for &(app, installation) in due {
                apps.entry(app).or_default().add(installation);
            }
            drop(apps);
            self.added.notify_one();
        }
    }

    /// Publishes only the signals of an operation whose COMMIT failed or got no response. The operation may have been
    /// committed. If it was not committed, windows read their data once more than necessary.
    pub(in crate::store) fn add_unconfirmed(&self, notices: &Notices) {
        self.signals.committed(notices);
    }

    /// Waits until apps have new events, and takes all of these apps. Only one task at a time may call this method.
    pub async fn next(&self) -> HashMap<AppId, NewEvents> {
        loop {
            let apps = std::mem::take(&mut *self.apps.lock());
            if !apps.is_empty() {
                return apps;
            }
            self.added.notified().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;
    use crate::domain::ids::InstallationId;

    #[tokio::test]
    async fn each_app_is_reported_once_with_its_installations() {
        let commit_notices = CommitNotices::default();
        assert!(commit_notices.next().now_or_never().is_none());
        let due = |events: &[(i64, i64)]| Notices {
            due: events
                .iter()
                .map(|&(app, installation)| (AppId(app), InstallationId(installation)))
                .collect(),
            ..Notices::default()
        };
        commit_notices.add(&due(&[(1, 10), (2, 20)]));
        commit_notices.add(&due(&[(1, 11)]));
        commit_notices.add(&due(&[]));
        let of = |ids: &[i64]| NewEvents::Of(ids.iter().copied().map(InstallationId).collect());
        assert_eq!(
            commit_notices.next().await,
            HashMap::from([(AppId(1), of(&[10, 11])), (AppId(2), of(&[20]))])
        );
        assert!(commit_notices.next().now_or_never().is_none());
    }
}
