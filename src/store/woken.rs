//! What each committed write of this process tells the rest of it: which apps have events to be delivered, so that
//! delivery begins at the commit and not at the next look at the table, and which connections ended ([`Endings`]).

use std::collections::HashSet;

use parking_lot::Mutex;
use tokio::sync::Notify;

use super::endings::Endings;
use super::locks::LockKey;
use crate::domain::ids::{AppId, ConnectionId};
use crate::platform::metrics::EVENTS_QUEUED;

/// What one operation has to tell when it is committed.
#[derive(Debug, Default)]
pub struct News {
    /// Apps, each once for every event.
    pub due: Vec<AppId>,
    /// Connections that ended, or lost a session.
    pub ended: Vec<ConnectionId>,
    /// Locks to be drained before the operation is answered; PostgreSQL only.
    pub drained: Vec<LockKey>,
}

impl News {
    /// Forgets it all, for an operation that is run again.
    pub(super) fn clear(&mut self) {
        self.due.clear();
        self.ended.clear();
        self.drained.clear();
    }
}

/// The apps, for one listener. Holds each app once, so it stays small when nobody listens.
#[derive(Debug, Default)]
pub struct Woken {
    apps: Mutex<HashSet<AppId>>,
    news: Notify,
    endings: Endings,
}

impl Woken {
    /// Who waits for connections to end.
    pub(super) fn endings(&self) -> &Endings {
        &self.endings
    }

    /// Tells what a committed write did.
    pub(super) fn add(&self, News { due: apps, ended, .. }: &News) {
        self.endings.tell(ended);
        if !apps.is_empty() {
            metrics::counter!(EVENTS_QUEUED).increment(apps.len() as u64);
            self.apps.lock().extend(apps);
            self.news.notify_one();
        }
    }

    /// Waits for apps and takes them all. Only for one listener at a time.
    pub async fn next(&self) -> HashSet<AppId> {
        loop {
            let apps = std::mem::take(&mut *self.apps.lock());
            if !apps.is_empty() {
                return apps;
            }
            self.news.notified().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn each_app_is_told_once() {
        let woken = Woken::default();
        assert!(woken.next().now_or_never().is_none());
        let due = |apps: &[i64]| News { due: apps.iter().copied().map(AppId).collect(), ended: Vec::new() };
        woken.add(&due(&[1, 2]));
        woken.add(&due(&[1]));
        woken.add(&due(&[]));
        assert_eq!(woken.next().await, HashSet::from([AppId(1), AppId(2)]));
        assert!(woken.next().now_or_never().is_none());
    }
}
