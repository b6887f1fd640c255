//! What each committed write of this process tells the rest of it: which apps have events to be delivered, so that
//! delivery begins at the commit and not at the next look at the table, and which connections ended ([`Endings`]).

use std::collections::{HashMap, HashSet};

use parking_lot::Mutex;
use tokio::sync::Notify;

use super::endings::Endings;
use super::locks::LockKey;
use crate::domain::ids::{AppId, ConnectionId, InstallationId};
use crate::platform::metrics::EVENTS_QUEUED;

/// What one operation has to tell when it is committed.
#[derive(Debug, Default)]
pub struct News {
    /// App and installation of every event.
    pub due: Vec<(AppId, InstallationId)>,
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

/// Most installations of an app that are remembered by name, so that the memory is bounded when nobody listens.
const NAMED: usize = 64;

/// Which installations of an app have new events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fresh {
    /// These.
    Of(HashSet<InstallationId>),
    /// More than are remembered.
    Many,
}

impl Default for Fresh {
    fn default() -> Self {
        Self::Of(HashSet::new())
    }
}

impl Fresh {
    /// Adds an installation.
    pub fn add(&mut self, installation: InstallationId) {
        if let Self::Of(known) = self {
            known.insert(installation);
            if known.len() > NAMED {
                *self = Self::Many;
            }
        }
    }

    /// Adds what another one has.
    pub fn merge(&mut self, other: Self) {
        match other {
            Self::Of(installations) => installations.into_iter().for_each(|id| self.add(id)),
            Self::Many => *self = Self::Many,
        }
    }
}

/// The apps, for one listener. Holds each app once, so it stays small when nobody listens.
#[derive(Debug, Default)]
pub struct Woken {
    apps: Mutex<HashMap<AppId, Fresh>>,
    news: Notify,
    endings: Endings,
}

impl Woken {
    /// Who waits for connections to end.
    pub(super) fn endings(&self) -> &Endings {
        &self.endings
    }

    /// Tells what a committed write did.
    pub(super) fn add(&self, News { due, ended, .. }: &News) {
        self.endings.tell(ended);
        if !due.is_empty() {
            metrics::counter!(EVENTS_QUEUED).increment(due.len() as u64);
            let mut apps = self.apps.lock();
            for &(app, installation) in due {
                apps.entry(app).or_default().add(installation);
            }
            drop(apps);
            self.news.notify_one();
        }
    }

    /// Waits for apps and takes them all. Only for one listener at a time.
    pub async fn next(&self) -> HashMap<AppId, Fresh> {
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
    async fn each_app_is_reported_once_with_its_installations() {
        let woken = Woken::default();
        assert!(woken.next().now_or_never().is_none());
        let due = |events: &[(i64, i64)]| News {
            due: events.iter().map(|&(app, id)| (AppId(app), InstallationId(id))).collect(),
            ..News::default()
        };
        woken.add(&due(&[(1, 10), (2, 20)]));
        woken.add(&due(&[(1, 11)]));
        woken.add(&due(&[]));
        let of = |ids: &[i64]| Fresh::Of(ids.iter().copied().map(InstallationId).collect());
        assert_eq!(woken.next().await, HashMap::from([(AppId(1), of(&[10, 11])), (AppId(2), of(&[20]))]));
        assert!(woken.next().now_or_never().is_none());
    }

    #[test]
    fn the_memory_is_bounded() {
        let mut fresh = Fresh::default();
        (0..=64).for_each(|id| fresh.add(InstallationId(id)));
        assert_eq!(fresh, Fresh::Many);
        fresh.merge(Fresh::default());
        assert_eq!(fresh, Fresh::Many);
    }
}
