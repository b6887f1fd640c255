//! Fairness between apps. This module limits how many apps this process serves at the same time, and ensures that apps
//! with unresponsive servers leave slots for other apps.
//!
//! There are two kinds of slots. An app is served while it has an app slot. An attempt needs an attempt slot. Four
//! attempt slots are reserved for each served app. An app with several busy installations gets more attempt slots from
//! a pool that all apps share.
//!
//! The latest attempt of an app decides whether the app is responsive. Before its first attempt, an
//! app counts as responsive. All unresponsive apps together get at most three quarters of the app slots, and three
//! quarters of the pool. If an app becomes unresponsive while other unresponsive apps use three quarters of the app
//! slots, the app must release its app slot.

use std::{collections::HashSet, sync::Arc, time::Duration};

use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::domain::ids::AppId;

/// A server is responsive if it sends any response within this time.
pub(super) const PROMPT: Duration = Duration::from_secs(1);

/// Number of attempt slots in the shared pool per app slot.
const SHARED_PER_APP: usize = 2;

/// The app slots of a process.
#[derive(Debug)]
pub(super) struct AppSlots {
    /// One permit for each app slot.
    all: Arc<Semaphore>,
    /// One permit for each app slot that unresponsive apps may use.
    unresponsive: Arc<Semaphore>,
    /// Apps whose latest attempt got no prompt response.
    unresponsive_apps: Mutex<HashSet<AppId>>,
    /// One permit for each attempt slot of the shared pool.
    extra: Arc<Semaphore>,
    /// One permit for each attempt slot of the pool that unresponsive apps may use.
    unresponsive_extra: Arc<Semaphore>,
}

/// The permit of an attempt slot from the shared pool. Dropping the value releases the slot.
#[derive(Debug)]
pub(super) struct ExtraSlot {
    _any: OwnedSemaphorePermit,
    _unresponsive: Option<OwnedSemaphorePermit>,
}

/// The app slot of a served app. Dropping the value releases the slot.
#[derive(Debug)]
pub(super) struct AppSlot {
    app: AppId,
    _any: OwnedSemaphorePermit,
    unresponsive: Option<OwnedSemaphorePermit>,
}

impl AppSlots {
    /// Creates `count` app slots, but at least 2.
    pub(super) fn new(count: usize) -> Self {
        let count = count.max(2);
        let unresponsive = (count * 3 / 4).max(1);
        Self {
            all: Arc::new(Semaphore::new(count)),
            unresponsive: Arc::new(Semaphore::new(unresponsive)),
            unresponsive_apps: Mutex::default(),
            extra: Arc::new(Semaphore::new(count * SHARED_PER_APP)),
            unresponsive_extra: Arc::new(Semaphore::new(count * SHARED_PER_APP * 3 / 4)),
        }
    }

    /// Acquires an attempt slot from the shared pool, if one is free that the app may use.
    pub(super) fn try_extra(&self, slot: &AppSlot) -> Option<ExtraSlot> {
        let unresponsive = match slot.unresponsive {
            Some(_) => Some(Arc::clone(&self.unresponsive_extra).try_acquire_owned().ok()?),
            None => None,
        };
        Some(ExtraSlot {
            _any: Arc::clone(&self.extra).try_acquire_owned().ok()?,
            _unresponsive: unresponsive,
        })
    }

    /// Waits for an app slot. Responsive apps get slots in FIFO order. Unresponsive apps have a FIFO order of their
    /// own.
    pub(super) async fn acquire(&self, app: AppId) -> AppSlot {
        let is_unresponsive = self.unresponsive_apps.lock().contains(&app);
        let unresponsive = if is_unresponsive { Some(acquire(&self.unresponsive).await) } else { None };
        AppSlot { app, _any: acquire(&self.all).await, unresponsive }
    }

    /// Records whether the server of an app responded promptly to the app's latest attempt. Returns whether the app may
    /// keep its app slot.
    pub(super) fn note(&self, slot: &mut AppSlot, is_prompt: bool) -> bool {
        if is_prompt {
            self.unresponsive_apps.lock().remove(&slot.app);
            slot.unresponsive = None;
            return true;
        }
        self.unresponsive_apps.lock().insert(slot.app);
        if slot.unresponsive.is_none() {
            slot.unresponsive = Arc::clone(&self.unresponsive).try_acquire_owned().ok();
        }
        slot.unresponsive.is_some()
    }

    /// Returns whether other apps may be waiting for the app slot of this app.
    pub(super) fn is_contended(&self, slot: &AppSlot) -> bool {
        self.all.available_permits() == 0
            || (slot.unresponsive.is_some() && self.unresponsive.available_permits() == 0)
    }
}

async fn acquire(semaphore: &Arc<Semaphore>) -> OwnedSemaphorePermit {
    match Arc::clone(semaphore).acquire_owned().await {
        Ok(permit) => permit,
        // the semaphore is never closed
        Err(_) => std::future::pending().await,
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    fn take(app_slots: &AppSlots, app: i64) -> Option<AppSlot> {
        app_slots.acquire(AppId(app)).now_or_never()
    }

    #[test]
    fn unresponsive_apps_leave_a_quarter_of_the_app_slots() {
        let app_slots = AppSlots::new(8);
        // all eight apps become unresponsive; only six of them may keep their app slots
        let mut unresponsive_slots: Vec<AppSlot> = (0..8).map(|app| take(&app_slots, app).unwrap()).collect();
        assert!(take(&app_slots, 100).is_none(), "apps that have had no attempt can take all slots");
        let kept: Vec<bool> = unresponsive_slots.iter_mut().map(|slot| app_slots.note(slot, false)).collect();
        assert_eq!(kept.iter().filter(|kept| **kept).count(), 6);
        unresponsive_slots.retain(|slot| slot.unresponsive.is_some());
        // two slots remain for responsive apps, even if more unresponsive apps request a slot
        assert!(take(&app_slots, 7).is_none());
        let responsive = [take(&app_slots, 100).unwrap(), take(&app_slots, 101).unwrap()];
        assert!(take(&app_slots, 102).is_none());
        drop(responsive);
        assert!(take(&app_slots, 102).is_some());
        // an app that responds promptly again counts as responsive
        assert!(app_slots.note(&mut unresponsive_slots[0], true));
        assert!(take(&app_slots, 7).is_some());
    }

    #[test]
    fn unresponsive_apps_leave_a_quarter_of_the_shared_pool() {
        let app_slots = AppSlots::new(4);
        let (mut unresponsive_slot, good) = (take(&app_slots, 1).unwrap(), take(&app_slots, 2).unwrap());
        assert!(app_slots.note(&mut unresponsive_slot, false));
        let unresponsive: Vec<_> = std::iter::from_fn(|| app_slots.try_extra(&unresponsive_slot)).collect();
        let others: Vec<_> = std::iter::from_fn(|| app_slots.try_extra(&good)).collect();
        assert_eq!((unresponsive.len(), others.len()), (6, 2));
        drop(unresponsive);
        assert!(app_slots.try_extra(&good).is_some());
    }

    #[test]
    fn contention_is_detected_among_all_apps_and_among_unresponsive_apps() {
        let app_slots = AppSlots::new(4);
        let mut slots: Vec<AppSlot> = (0..3).map(|app| take(&app_slots, app).unwrap()).collect();
        assert!(!app_slots.is_contended(&slots[0]));
        for slot in &mut slots {
            assert!(app_slots.note(slot, false));
        }
        assert!(app_slots.is_contended(&slots[0]));
        let good = take(&app_slots, 100).unwrap();
        assert!(app_slots.is_contended(&good), "a responsive app's slot is contended if no slot is free");
        slots.truncate(2);
        assert!(!app_slots.is_contended(&good) && !app_slots.is_contended(&slots[0]));
    }
}
