//! A map from the keys of rate limits to their states. The map is divided into shards with a lock each, and removes
//! idle keys by itself.

use std::collections::hash_map::RandomState;
use std::collections::{HashMap, HashSet};
use std::hash::BuildHasher;

use parking_lot::{Mutex, MutexGuard};

use super::LimitKey;

const SHARDS: usize = 64;
/// A sweep removes the idle keys of a shard. The next sweep is due after this number of uses of the shard. If the sweep
/// left more keys than this, the next one is due after as many uses as keys were left. So sweeping takes constant
/// amortized work per use. [`Shards::evict`] sweeps every shard, even if no sweep is due.
const USES_BETWEEN_SWEEPS: usize = 1024;

/// The state of a key.
pub(super) trait LimitState {
    /// Returns whether the state can be deleted without changing any decision that is made at `now` or later. `now` is
    /// in microseconds.
    fn is_idle(&self, now: i64) -> bool;
}

/// The keys that one lock protects.
#[derive(Debug)]
pub(super) struct Shard<S> {
    pub(super) states: HashMap<LimitKey, S>,
    /// Keys whose state changed since it was last published to other nodes. Has at most as many keys as `states`.
    changed: HashSet<LimitKey>,
    uses_to_sweep: usize,
}

impl<S: LimitState> Shard<S> {
    /// Sweeps the shard if a sweep is due. Every use that can add a key must call this method once.
    pub(super) fn sweep_if_due(&mut self, now: i64) {
        self.uses_to_sweep = self.uses_to_sweep.saturating_sub(1);
        if self.uses_to_sweep == 0 {
            self.sweep(now);
        }
    }

    /// Marks a key as changed, so that its state is published to other nodes.
    pub(super) fn mark_changed(&mut self, key: LimitKey) {
        self.changed.insert(key);
    }

    fn sweep(&mut self, now: i64) -> usize {
        let before = self.states.len();
        self.states.retain(|_, state| !state.is_idle(now));
        self.changed.retain(|key| self.states.contains_key(key));
        if self.states.capacity() > 4 * self.states.len().max(16) {
            self.states.shrink_to_fit();
        }
        // the number of uses is computed once per sweep; if it depended on the current number of keys, a stream of new
        // keys would postpone every sweep
        self.uses_to_sweep = USES_BETWEEN_SWEEPS.max(self.states.len());
        before - self.states.len()
    }
}

/// All shards.
#[derive(Debug)]
pub(super) struct Shards<S> {
    shards: Vec<Mutex<Shard<S>>>,
    /// Seeded at random, so that an attacker cannot choose keys that share a lock.
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

impl<S: LimitState> Shards<S> {
    /// Returns the index of a key's shard.
    #[expect(clippy::cast_possible_truncation, reason = "the remainder is below 64")]
    pub(super) fn index(&self, key: &LimitKey) -> usize {
        (self.hasher.hash_one(key) % SHARDS as u64) as usize
    }

    /// Takes the lock of a shard. A caller that takes several locks must take them in ascending order of `index`.
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

    /// Unmarks up to `limit` changed keys. Returns each key with the result of `describe` for its state.
    pub(super) fn take_changed<T>(&self, limit: usize, describe: impl Fn(&S) -> T) -> Vec<(LimitKey, T)> {
        let mut taken = Vec::new();
        for shard in &self.shards {
            let mut shard = shard.lock();
            let remaining = limit - taken.len();
            let keys: Vec<LimitKey> = shard.changed.iter().take(remaining).copied().collect();
            for key in keys {
                shard.changed.remove(&key);
                taken.extend(shard.states.get(&key).map(|state| (key, describe(state))));
            }
        }
        taken
    }

    /// Marks a key as changed again, after [`Shards::take_changed`] has returned it.
    pub(super) fn put_back_changed(&self, key: LimitKey) {
        let mut shard = self.lock(self.index(&key));
        if shard.states.contains_key(&key) {
            shard.mark_changed(key);
        }
    }

    pub(super) fn len(&self) -> usize {
        self.shards.iter().map(|shard| shard.lock().states.len()).sum()
    }
}
