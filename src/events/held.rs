//! The events of one app that are under way: with an open attempt, or a result that is not written. In the table they look
//! as if they were due. All apps' together are counted, so that the end of the process can tell whether it cuts any off.

use std::{
    collections::HashSet,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use crate::domain::ids::EventId;

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
    events: HashSet<EventId>,
    all: UnderWay,
}

impl Held {
    pub(super) fn new(all: UnderWay) -> Self {
        Self { events: HashSet::new(), all }
    }

    pub(super) fn insert(&mut self, event: EventId) {
        if self.events.insert(event) {
            self.all.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    pub(super) fn remove(&mut self, event: EventId) {
        if self.events.remove(&event) {
            self.all.0.fetch_sub(1, Ordering::Relaxed);
        }
    }

    pub(super) fn contains(&self, event: EventId) -> bool {
        self.events.contains(&event)
    }

    pub(super) fn len(&self) -> usize {
        self.events.len()
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
        one.insert(EventId(1));
        one.insert(EventId(1));
        one.insert(EventId(2));
        other.insert(EventId(3));
        assert_eq!((all.count(), one.len()), (3, 2));
        one.remove(EventId(1));
        one.remove(EventId(1));
        assert!(!one.contains(EventId(1)) && one.contains(EventId(2)));
        assert_eq!(all.count(), 2);
        drop(one);
        assert_eq!(all.count(), 1);
    }
}
