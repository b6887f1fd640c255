//! New row ids: 63-bit, time-ordered, strictly increasing within a process.
//!
//! Layout, from the high end: milliseconds since the Unix epoch (42 bits, enough until the year 2109), then
//! 21 low bits. With one node the low bits count from 0 in each millisecond; with several, 5 of them hold the
//! node's number and 16 count. A millisecond that runs out of numbers borrows from the next, and a clock that
//! goes back is waited out by counting on, so an id never repeats and never sorts before an earlier one.

use std::sync::atomic::{AtomicI64, Ordering};

use crate::platform::clock::Clock;

/// Bits below the milliseconds.
const LOW_BITS: u32 = 21;
/// Bits of the counter when the low bits also hold a node number.
const NODE_COUNTER_BITS: u32 = 16;
/// The largest node number.
pub const MAX_NODE: u8 = 31;

/// Makes ids. One per process: two of them on one store could give the same id.
#[derive(Debug)]
pub struct IdGen {
    clock: Clock,
    node: Option<u8>,
    /// The last id without its node number: milliseconds and counter.
    last: AtomicI64,
}

impl IdGen {
    /// For a store that this process alone writes to.
    #[must_use]
    pub fn new(clock: Clock) -> Self {
        Self { clock, node: None, last: AtomicI64::new(0) }
    }

    /// For a store that several processes write to, each with its own `node` number, 0 to [`MAX_NODE`].
    /// `None` if the number is larger.
    #[must_use]
    pub fn with_node(clock: Clock, node: u8) -> Option<Self> {
        (node <= MAX_NODE).then(|| Self { clock, node: Some(node), last: AtomicI64::new(0) })
    }

    /// Makes every later id larger than `max_id`, the largest id already stored. Called at start, because the
    /// clock may have gone back while the process was down.
    pub fn seed(&self, max_id: i64) {
        let floor = match self.node {
            None => max_id,
            // the id may be of a higher node, so the rest of its millisecond is given up
            Some(_) => ((max_id >> LOW_BITS) << NODE_COUNTER_BITS) | ((1 << NODE_COUNTER_BITS) - 1),
        };
        self.last.fetch_max(floor, Ordering::Relaxed);
    }

    /// A new id, larger than every id this generator has given.
    #[must_use]
    pub fn next(&self) -> i64 {
        let counter_bits = if self.node.is_some() { NODE_COUNTER_BITS } else { LOW_BITS };
        let start = (self.clock.now().0.max(0) / 1_000) << counter_bits;
        let mut last = self.last.load(Ordering::Relaxed);
        let tick = loop {
            let tick = start.max(last + 1);
            match self.last.compare_exchange_weak(last, tick, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => break tick,
                Err(changed) => last = changed,
            }
        };
        match self.node {
            None => tick,
            Some(node) => {
                let counter = tick & ((1 << NODE_COUNTER_BITS) - 1);
                ((tick >> NODE_COUNTER_BITS) << LOW_BITS) | (i64::from(node) << NODE_COUNTER_BITS) | counter
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::time::Duration;

    use proptest::prelude::*;

    use super::*;
    use crate::domain::time::Timestamp;

    /// 2026-01-01T00:00:00Z in milliseconds.
    const START_MS: i64 = 1_767_225_600_000;

    fn clock() -> Clock {
        Clock::manual(Timestamp(START_MS * 1_000))
    }

    #[test]
    fn ids_hold_the_millisecond_and_count_from_zero() {
        let clock = clock();
        let ids = IdGen::new(clock.clone());
        assert_eq!([ids.next(), ids.next()], [START_MS << 21, (START_MS << 21) + 1]);
        clock.advance(Duration::from_millis(1));
        assert_eq!(ids.next(), (START_MS + 1) << 21);
    }

    #[test]
    fn a_node_number_stands_between_time_and_counter() {
        let ids = IdGen::with_node(clock(), 31).unwrap();
        assert_eq!(ids.next(), (START_MS << 21) | (31 << 16));
        assert_eq!(ids.next(), (START_MS << 21) | (31 << 16) | 1);
        assert!(IdGen::with_node(clock(), 32).is_none());
    }

    #[test]
    fn a_full_millisecond_borrows_from_the_next() {
        let ids = IdGen::with_node(clock(), 3).unwrap();
        let all: Vec<i64> = (0..=65_536).map(|_| ids.next()).collect();
        assert!(all.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!(all[65_535] >> 21, START_MS);
        assert_eq!(all[65_536], ((START_MS + 1) << 21) | (3 << 16));
    }

    #[test]
    fn a_stored_id_of_any_node_raises_the_floor() {
        let stored = ((START_MS + 5_000) << 21) | (31 << 16) | 7;
        for ids in [IdGen::new(clock()), IdGen::with_node(clock(), 0).unwrap()] {
            ids.seed(stored);
            ids.seed(0);
            assert!(ids.next() > stored);
        }
    }

    #[test]
    fn threads_never_share_an_id() {
        let ids = IdGen::with_node(Clock::system(), 1).unwrap();
        let seen: Vec<Vec<i64>> = std::thread::scope(|scope| {
            let threads: Vec<_> =
                (0..4).map(|_| scope.spawn(|| (0..10_000).map(|_| ids.next()).collect())).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(seen.iter().all(|run| run.is_sorted()));
        assert_eq!(seen.concat().into_iter().collect::<HashSet<_>>().len(), 40_000);
    }

    proptest! {
        #[test]
        fn ids_increase_whatever_the_clock_does(
            node in proptest::option::of(0..=MAX_NODE),
            moves in proptest::collection::vec((any::<bool>(), 0..5_000_u64), 1..200),
        ) {
            let clock = clock();
            let ids = match node {
                None => IdGen::new(clock.clone()),
                Some(node) => IdGen::with_node(clock.clone(), node).unwrap(),
            };
            let mut last = 0;
            for (back, micros) in moves {
                if back { clock.reset() } else { clock.advance(Duration::from_micros(micros)) }
                let id = ids.next();
                prop_assert!(id > last);
                if let Some(node) = node { prop_assert_eq!((id >> 16) & 31, i64::from(node)); }
                last = id;
            }
        }
    }
}
