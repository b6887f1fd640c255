//! Which apps have events to be delivered since somebody last looked: told by each committed write that made some,
//! so that delivery begins at the commit and not at the next look at the table.

use std::collections::HashSet;

use parking_lot::Mutex;
use tokio::sync::Notify;

use crate::domain::ids::AppId;
use crate::platform::metrics::EVENTS_QUEUED;

/// The apps, for one listener. Holds each app once, so it stays small when nobody listens.
#[derive(Debug, Default)]
pub struct Woken {
    apps: Mutex<HashSet<AppId>>,
    news: Notify,
}

impl Woken {
    /// Adds the apps of a committed write, each once for every event.
    pub(super) fn add(&self, apps: &[AppId]) {
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
        woken.add(&[AppId(1), AppId(2)]);
        woken.add(&[AppId(1)]);
        woken.add(&[]);
        assert_eq!(woken.next().await, HashSet::from([AppId(1), AppId(2)]));
        assert!(woken.next().now_or_never().is_none());
    }
}
