//! Which apps have a lane in this process, and how a lane is woken.

use std::{collections::HashMap, sync::Arc};

use parking_lot::Mutex;
use tokio::sync::Notify;

use crate::{domain::ids::AppId, platform::metrics::EVENT_LANES, store::Fresh};

/// Wakes a lane.
#[derive(Debug, Default)]
struct Bell {
    fresh: Mutex<Option<Fresh>>,
    news: Notify,
}

impl Bell {
    fn ring(&self, fresh: Fresh) {
        self.fresh.lock().get_or_insert_default().merge(fresh);
        self.news.notify_one();
    }
}

/// The lanes there are. Cloning shares them.
#[derive(Clone, Debug, Default)]
pub(super) struct Lanes(Arc<Mutex<HashMap<AppId, Arc<Bell>>>>);

/// A lane's entry among them. It goes with the lane, however that ends.
#[derive(Debug)]
pub(super) struct Registration {
    lanes: Lanes,
    app: AppId,
    bell: Arc<Bell>,
}

impl Lanes {
    /// Wakes the lane of an app for installations that may have due events. Returns an entry for a new lane if there is none.
    pub(super) fn wake(&self, app: AppId, fresh: Fresh) -> Option<Registration> {
        let mut lanes = self.0.lock();
        if let Some(bell) = lanes.get(&app) {
            bell.ring(fresh);
            return None;
        }
        let bell = Arc::<Bell>::default();
        lanes.insert(app, Arc::clone(&bell));
        gauge(lanes.len());
        drop(lanes);
        Some(Registration { lanes: self.clone(), app, bell })
    }
}

impl Registration {
    pub(super) const fn app(&self) -> AppId {
        self.app
    }

    /// Waits until the lane is woken; returns for which installations.
    pub(super) async fn heard(&self) -> Fresh {
        loop {
            if let Some(fresh) = self.bell.fresh.lock().take() {
                return fresh;
            }
            self.bell.news.notified().await;
        }
    }

    /// Takes the lane off, unless somebody has just woken it and `always` is not set. From then on the next event of
    /// the app opens a new one.
    pub(super) fn leave(&self, always: bool) -> bool {
        let mut lanes = self.lanes.0.lock();
        // rung under the same lock, so that no wake is lost
        if !always && self.bell.fresh.lock().is_some() {
            return false;
        }
        if lanes.get(&self.app).is_some_and(|bell| Arc::ptr_eq(bell, &self.bell)) {
            lanes.remove(&self.app);
            gauge(lanes.len());
        }
        true
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        self.leave(true);
    }
}

fn gauge(lanes: usize) {
    #[expect(clippy::cast_precision_loss, reason = "there are never so many apps")]
    metrics::gauge!(EVENT_LANES).set(lanes as f64);
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    const APP: AppId = AppId(1);

    #[tokio::test]
    async fn a_lane_is_woken_until_it_leaves() {
        let lanes = Lanes::default();
        let lane = lanes.wake(APP, Fresh::Many).expect("there is none");
        assert!(lane.heard().now_or_never().is_none());
        assert!(lanes.wake(APP, Fresh::Many).is_none(), "there is one");
        assert!(!lane.leave(false), "there is news");
        assert!(lane.heard().now_or_never().is_some());
        assert!(lane.leave(false));
        // the entry of the next one is not its own
        let next = lanes.wake(APP, Fresh::Many).expect("there is none");
        drop(lane);
        assert!(lanes.wake(APP, Fresh::Many).is_none(), "there is one");
        drop(next);
    }

    #[tokio::test]
    async fn a_lane_that_panics_is_forgotten() {
        let lanes = Lanes::default();
        let lane = lanes.wake(APP, Fresh::Many).expect("there is none");
        let panicked = tokio::spawn(async move {
            assert_ne!(lane.app(), APP);
        });
        assert!(panicked.await.is_err());
        assert!(lanes.wake(APP, Fresh::Many).is_some(), "the next event opens a new one");
    }
}
