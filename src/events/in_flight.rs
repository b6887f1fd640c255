//! Events in flight. An event is in flight from the start of its attempt until the result of the attempt is stored, or
//! until the result is discarded because the store rejected it too often. Queries still return an event in flight as
//! due, so a worker must leave it out.
//!
//! An attempt can also end without a result. If the event was not sent, it is in flight until the attempt ends. If the
//! attempt panicked, the event stays in flight for about a second more, so that other events are attempted first.
//!
//! At shutdown, the number of events in flight of all apps shows whether deliveries are interrupted.

use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use crate::domain::ids::{EventId, InstallationId};

/// Number of events in flight of all apps. Clones share the number.
#[derive(Clone, Debug, Default)]
pub(super) struct InFlightEventCounter(Arc<AtomicUsize>);

impl InFlightEventCounter {
    pub(super) fn count(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

/// The events in flight of one app. Dropping the value removes them from the number for all apps.
#[derive(Debug)]
pub(super) struct InFlightEvents {
    events: HashMap<EventId, InstallationId>,
    /// Number of events in flight per installation.
    per_installation: HashMap<InstallationId, usize>,
    all: InFlightEventCounter,
}

impl InFlightEvents {
    pub(super) fn new(all: InFlightEventCounter) -> Self {
        Self { events: HashMap::new(), per_installation: HashMap::new(), all }
    }

    pub(super) fn insert(&mut self, event: EventId, installation: InstallationId) {
        if self.events.insert(event, installation).is_none() {
            *self.per_installation.entry(installation).or_default() += 1;
            self.all.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Removes an event and returns its installation. Returns `None` if the event is not in flight.
    pub(super) fn remove(&mut self, event: EventId) -> Option<InstallationId> {
        let installation = self.events.remove(&event)?;
        self.all.0.fetch_sub(1, Ordering::Relaxed);
        if let Some(count) = self.per_installation.get_mut(&installation) {
            *count -= 1;
            if *count == 0 {
                self.per_installation.remove(&installation);
            }
        }
        Some(installation)
    }

    pub(super) fn contains(&self, event: EventId) -> bool {
        self.events.contains_key(&event)
    }

    /// Returns how many events of an installation are in flight.
    pub(super) fn of(&self, installation: InstallationId) -> usize {
        self.per_installation.get(&installation).copied().unwrap_or_default()
    }
}

impl Drop for InFlightEvents {
    fn drop(&mut self) {
        self.all.0.fetch_sub(self.events.len(), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_event_is_counted_once() {
        let all = InFlightEventCounter::default();
        let (mut one, mut other) = (InFlightEvents::new(all.clone()), InFlightEvents::new(all.clone()));
        let (a, b) = (InstallationId(1), InstallationId(2));
        one.insert(EventId(1), a);
        one.insert(EventId(1), a);
        one.insert(EventId(2), b);
        other.insert(EventId(3), a);
        assert_eq!((all.count(), one.of(a), one.of(b)), (3, 1, 1));
        one.remove(EventId(1));
        one.remove(EventId(1));
        assert!(!one.contains(EventId(1)) && one.contains(EventId(2)));
        assert_eq!((all.count(), one.of(a)), (2, 0));
        drop(one);
        assert_eq!(all.count(), 1);
    }
}
