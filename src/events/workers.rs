//! The registry of the delivery workers of this process, through which workers are woken.

use std::{collections::HashMap, sync::Arc};

use parking_lot::Mutex;
use tokio::sync::Notify;

use crate::{
    domain::{delivery::NewEvents, ids::AppId},
    platform::metrics::EVENT_WORKERS,
};

/// The wake-up signal of a worker.
#[derive(Debug, Default)]
struct WakeSignal {
    new_events: Mutex<Option<NewEvents>>,
    changed: Notify,
}

impl WakeSignal {
    fn notify(&self, new_events: NewEvents) {
        self.new_events.lock().get_or_insert_default().merge(new_events);
        self.changed.notify_one();
    }
}

/// The running workers, by app. Clones share the registry.
#[derive(Clone, Debug, Default)]
pub(super) struct Workers(Arc<Mutex<HashMap<AppId, Arc<WakeSignal>>>>);

/// A worker's entry in the registry. Dropping the value removes the entry.
#[derive(Debug)]
pub(super) struct Registration {
    workers: Workers,
    app: AppId,
    signal: Arc<WakeSignal>,
}

impl Workers {
    /// Wakes the worker of an app, and passes the installations that may have due events. If the app has no worker,
    /// returns the entry for a new worker, which the caller must start.
    pub(super) fn wake(&self, app: AppId, new_events: NewEvents) -> Option<Registration> {
        let mut workers = self.0.lock();
        if let Some(signal) = workers.get(&app) {
            signal.notify(new_events);
            return None;
        }
        let signal = Arc::<WakeSignal>::default();
        workers.insert(app, Arc::clone(&signal));
        gauge(workers.len());
        drop(workers);
        Some(Registration { workers: self.clone(), app, signal })
    }
}

impl Registration {
    pub(super) const fn app(&self) -> AppId {
        self.app
    }

    /// Waits until the worker is woken. Returns the installations that may have due events.
    pub(super) async fn next_wake(&self) -> NewEvents {
        loop {
            if let Some(new_events) = self.signal.new_events.lock().take() {
                return new_events;
            }
            self.signal.changed.notified().await;
        }
    }

    /// Removes the worker's entry and returns `true`. The worker must then exit, and the next event of the app starts a
    /// new worker. If a wake-up is pending and `always` is `false`, keeps the entry and returns `false`.
    pub(super) fn deregister(&self, always: bool) -> bool {
        let mut workers = self.workers.0.lock();
        // `Workers::wake` holds the same lock when it signals, so no wake-up is lost
        if !always && self.signal.new_events.lock().is_some() {
            return false;
        }
        if workers.get(&self.app).is_some_and(|signal| Arc::ptr_eq(signal, &self.signal)) {
            workers.remove(&self.app);
            gauge(workers.len());
        }
        true
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        self.deregister(true);
    }
}

fn gauge(workers: usize) {
    #[expect(clippy::cast_precision_loss, reason = "the number of apps is far below 2^53")]
    metrics::gauge!(EVENT_WORKERS).set(workers as f64);
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    const APP: AppId = AppId(1);

    #[tokio::test]
    async fn a_worker_is_woken_until_it_deregisters() {
        let workers = Workers::default();
        let worker = workers.wake(APP, NewEvents::Any).expect("an app without a worker gets an entry");
        assert!(worker.next_wake().now_or_never().is_none());
        assert!(workers.wake(APP, NewEvents::Any).is_none(), "the existing worker is woken");
        assert!(!worker.deregister(false), "a woken worker stays registered");
        assert!(worker.next_wake().now_or_never().is_some());
        assert!(worker.deregister(false));
        // a worker removes only its own entry
        let next = workers.wake(APP, NewEvents::Any).expect("an app without a worker gets an entry");
        drop(worker);
        assert!(workers.wake(APP, NewEvents::Any).is_none(), "the existing worker is woken");
        drop(next);
    }

    #[tokio::test]
    async fn a_panicked_worker_is_deregistered() {
        let workers = Workers::default();
        let worker = workers.wake(APP, NewEvents::Any).expect("an app without a worker gets an entry");
        let panicked = tokio::spawn(async move {
            assert_ne!(worker.app(), APP, "this assertion fails on purpose");
        });
        assert!(panicked.await.is_err());
        assert!(workers.wake(APP, NewEvents::Any).is_some(), "the next event starts a new worker");
    }
}
