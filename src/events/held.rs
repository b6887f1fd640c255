//! The events of one app that are under way: with an open attempt, or a result that is not written. In the table they look
//! as if they were due. All apps' together are counted, so that the end of the process can tell whether it cuts any off.

use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use crate::domain::ids::{EventId, InstallationId};

/// How many events of all apps are under way. Cloning shares it.
#[derive(Clone, Debug, Default)]
pub(super) struct UnderWay(Arc<AtomicUsize>);

impl UnderWay {
    pub(super) fn count(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

/// Those of one app. They are counted until this is dropped.
#[derive(Debug)]
pub(super) struct Held {
    events: HashMap<EventId, InstallationId>,
    /// How many of an installation.
    of: HashMap<InstallationId, usize>,
    all: UnderWay,
}

impl Held {
    pub(super) fn new(all: UnderWay) -> Self {
        Self { events: HashMap::new(), of: HashMap::new(), all }
    }

    pub(super) fn insert(&mut self, event: EventId, installation: InstallationId) {
        if self.events.insert(event, installation).is_none() {
            *self.of.entry(installation).or_default() += 1;
            self.all.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    pub(super) fn remove(&mut self, event: EventId) {
        let Some(installation) = self.events.remove(&event) else { return };
        self.all.0.fetch_sub(1, Ordering::Relaxed);
        if let Some(count) = self.of.get_mut(&installation) {
            *count -= 1;
            if *count == 0 {
                self.of.remove(&installation);
            }
        }
    }

    pub(super) fn contains(&self, event: EventId) -> bool {
        self.events.contains_key(&event)
    }

    /// How many events of an installation are held.
    pub(super) fn of(&self, installation: InstallationId) -> usize {
        self.of.get(&installation).copied().unwrap_or_default()
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.all.0.fetch_sub(self.events.len(), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_are_counted_once() {
        let all = UnderWay::default();
        let (mut one, mut other) = (Held::new(all.clone()), Held::new(all.clone()));
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
