//! A map split over many locks, that forgets idle keys by itself.

use std::collections::hash_map::RandomState;
use std::collections::{HashMap, HashSet};
use std::hash::BuildHasher;

use parking_lot::{Mutex, MutexGuard};

use super::Key;

const SHARDS: usize = 64;
/// A shard is swept after this many uses, or as many as the last sweep left keys if that is more: constant
/// work per use.
const USES_BETWEEN_SWEEPS: usize = 1024;

/// What is remembered of a key.
pub(super) trait State {
    /// Whether forgetting it changes nothing, at the time `now` in microseconds.
    fn is_idle(&self, now: i64) -> bool;
}

/// The keys of one lock.
#[derive(Debug)]
pub(super) struct Shard<S> {
    pub(super) states: HashMap<Key, S>,
    /// Keys whose state other nodes do not know yet; no more than there are states, however long they cannot be told.
    changed: HashSet<Key>,
    uses_to_sweep: usize,
}

impl<S: State> Shard<S> {
    /// To be called once per use.
    pub(super) fn tidy(&mut self, now: i64) {
        self.uses_to_sweep = self.uses_to_sweep.saturating_sub(1);
        if self.uses_to_sweep == 0 {
            self.sweep(now);
        }
    }

    /// Notes that other nodes are to be told of a key.
    pub(super) fn mark_changed(&mut self, key: Key) {
        self.changed.insert(key);
    }

    fn sweep(&mut self, now: i64) -> usize {
        let before = self.states.len();
        self.states.retain(|_, state| !state.is_idle(now));
        self.changed.retain(|key| self.states.contains_key(key));
        if self.states.capacity() > 4 * self.states.len().max(16) {
            self.states.shrink_to_fit();
        }
        // counted from here, not from what the shard holds later: new keys alone would always outrun that
        self.uses_to_sweep = USES_BETWEEN_SWEEPS.max(self.states.len());
        before - self.states.len()
    }
}

/// All locks.
#[derive(Debug)]
pub(super) struct Shards<S> {
    shards: Vec<Mutex<Shard<S>>>,
    /// Chosen at random, so that nobody can aim their keys at one lock.
    hasher: RandomState,
}

impl<S> Default for Shards<S> {
    fn default() -> Self {
        let shard = || {
            Mutex::new(Shard {
                states: HashMap::new(),
                changed: HashSet::new(),
                uses_to_sweep: USES_BETWEEN_SWEEPS,
            })
        };
        Self { shards: (0..SHARDS).map(|_| shard()).collect(), hasher: RandomState::new() }
    }
}

impl<S: State> Shards<S> {
    /// Which lock a key is under.
    #[expect(clippy::cast_possible_truncation, reason = "the remainder is below 64")]
    pub(super) fn index(&self, key: &Key) -> usize {
        (self.hasher.hash_one(key) % SHARDS as u64) as usize
    }

    /// Takes one lock. Whoever takes several must take them in rising order.
    pub(super) fn lock(&self, index: usize) -> MutexGuard<'_, Shard<S>> {
        self.shards[index].lock()
    }

    pub(super) fn evict(&self, now: i64) -> usize {
        self.shards.iter().map(|shard| shard.lock().sweep(now)).sum()
    }

    pub(super) fn reset(&self) {
        for shard in &self.shards {
            let mut shard = shard.lock();
            shard.states = HashMap::new();
            shard.changed = HashSet::new();
        }
    }

    /// Takes up to `limit` changed keys, each with what `describe` makes of its state.
    pub(super) fn take_changed<T>(&self, limit: usize, describe: impl Fn(&S) -> T) -> Vec<(Key, T)> {
        let mut taken = Vec::new();
        for shard in &self.shards {
            let mut shard = shard.lock();
            let room = limit - taken.len();
            let keys: Vec<Key> = shard.changed.iter().take(room).copied().collect();
            for key in keys {
                shard.changed.remove(&key);
                taken.extend(shard.states.get(&key).map(|state| (key, describe(state))));
            }
        }
        taken
    }

    /// Puts back a key of [`Shards::take_changed`] that nobody was told of.
    pub(super) fn put_back_changed(&self, key: Key) {
        let mut shard = self.lock(self.index(&key));
        if shard.states.contains_key(&key) {
            shard.mark_changed(key);
        }
    }

    pub(super) fn len(&self) -> usize {
        self.shards.iter().map(|shard| shard.lock().states.len()).sum()
    }
}
