//! The sliding window: a log of the moments at which requests passed.
//!
//! A moment `t` counts while `now - t` is less than the window's length without its tolerance, so the first request that
//! may pass again is the one exactly that long after the oldest counted. Memory per key is bounded by the limit; refused
//! requests are not logged.
//!
//! What other nodes let pass counts as well. Each moment counts by itself, so it makes no difference in which order, how
//! late or how often it is learned of; and a request is refused only if the limit was used up by requests that passed.

use std::collections::VecDeque;
use std::time::Duration;

use super::record::{Others, Promise, Record};
use super::rows::Window;
use super::shards::{Shard, Shards, State};
use super::{Decision, Key, SKEW_MICROS, Standing, promised, span};
use crate::domain::time::Timestamp;

/// The longest window that nodes share, in microseconds. How long moments of a key count is not known before the key is
/// used on this node.
const LONGEST_SHARED: i64 = 60_000_000;

#[derive(Debug)]
struct Log {
    /// How long a moment counts.
    counted: i64,
    /// Never falling.
    passed: VecDeque<i64>,
    others: Others,
    promise: Option<Promise>,
}

impl Log {
    fn new(counted: i64) -> Self {
        Self { counted, passed: VecDeque::new(), others: Others::default(), promise: None }
    }

    /// Drops what has left the window, and what lies in the future because the clock was set back.
    fn settle(&mut self, now: i64) {
        while self.passed.back().is_some_and(|at| *at - now > SKEW_MICROS) {
            self.passed.pop_back();
        }
        while self.passed.front().is_some_and(|at| now - *at >= self.counted) {
            self.passed.pop_front();
        }
        let counted = self.counted;
        self.others.retain(|at| now - at < counted && at - now <= SKEW_MICROS);
    }

    /// What a settled log leaves of its window.
    fn standing(&self, window: Window, now: i64) -> Standing {
        let others: u64 = self.others.slots().map(|slot| u64::from(slot.count)).sum();
        let used = u32::try_from(others + self.passed.len() as u64).unwrap_or(u32::MAX);
        // one place is free again when all but one less than the limit have left
        let leaving = used.saturating_sub(window.limit).max(1);
        standing(window, used, self.oldest(leaving), now)
    }

    /// The moment at which the `count`th of those that passed did.
    fn oldest(&self, count: u32) -> Option<i64> {
        if self.others.slots().next().is_none() {
            return self.passed.get(count as usize - 1).copied();
        }
        let mut all: Vec<(i64, u32)> = self.passed.iter().map(|at| (*at, 1)).collect();
        all.extend(self.others.slots().map(|slot| (slot.at, slot.count)));
        all.sort_unstable();
        let mut left = count;
        all.into_iter().find_map(|(at, count)| {
            left = left.saturating_sub(count);
            (left == 0).then_some(at)
        })
    }

    fn newest(&self) -> Option<i64> {
        self.passed.back().copied().max(self.others.newest())
    }

    /// Whether a refused caller was told that a request passes by now, and none has since.
    fn owes_a_pass(&self, now: i64) -> bool {
        let newest = self.newest();
        let mut promises = self.promise.into_iter().chain(self.others.promises());
        promises.any(|promise| promise.pass_at <= now && promise.is_open(newest))
    }
}

impl State for Log {
    fn is_idle(&self, now: i64) -> bool {
        // looks at the ends only: a log whose newest moment counts stays
        self.newest().is_none_or(|at| now - at >= self.counted)
            || self.passed.front().is_some_and(|at| *at - now > SKEW_MICROS)
    }
}

#[derive(Debug, Default)]
pub(super) struct Windows {
    shards: Shards<Log>,
    /// What passes here is published to other nodes.
    is_shared: bool,
}

impl Windows {
    pub(super) fn shared() -> Self {
        Self { is_shared: true, ..Self::default() }
    }

    pub(super) fn check(&self, window: Window, key: Key, now: Timestamp) -> Decision {
        let key = key.under(window.tag);
        let mut shard = self.shards.lock(self.shards.index(&key));
        shard.tidy(now.0);
        let log = shard.states.entry(key).or_insert_with(|| Log::new(window.counted()));
        log.counted = window.counted();
        log.settle(now.0);

        let before = log.standing(window, now.0);
        let passes = before.remaining > 0 || (self.is_shared && log.owes_a_pass(now.0));
        if passes {
            // a request that read the clock just before its predecessor counts as simultaneous with it
            let at = log.passed.back().map_or(now.0, |last| now.0.max(*last));
            log.passed.push_back(at);
        }
        let standing = if passes { log.standing(window, now.0) } else { before };
        if self.is_shared {
            note_outcome(&mut shard, key, &standing, passes, now.0);
        }
        Decision { standing, wait: (!passes).then_some(standing.reset_after) }
    }

    /// What [`Windows::check`] would decide, without counting a request.
    pub(super) fn peek(&self, window: Window, key: Key, now: Timestamp) -> Decision {
        let key = key.under(window.tag);
        let mut shard = self.shards.lock(self.shards.index(&key));
        let standing = match shard.states.get_mut(&key) {
            Some(log) => {
                log.settle(now.0);
                log.standing(window, now.0)
            }
            None => standing(window, 0, None, now.0),
        };
        Decision { standing, wait: (standing.remaining == 0).then_some(standing.reset_after) }
    }

    /// Takes up to `limit` keys that changed since the last call, each with what other nodes are to know of it.
    pub(super) fn publish(&self, limit: usize) -> Vec<(Key, Record)> {
        self.shards.take_changed(limit, |log| Record::new(log.passed.iter().copied(), log.promise))
    }

    /// Takes back a key of [`Windows::publish`] that was not published.
    pub(super) fn unpublish(&self, key: Key) {
        self.shards.put_back_changed(key);
    }

    /// Counts what another node let pass.
    pub(super) fn merge(&self, key: Key, node: i64, record: Record, now: Timestamp) {
        let mut shard = self.shards.lock(self.shards.index(&key));
        shard.tidy(now.0);
        let log = shard.states.entry(key).or_insert_with(|| Log::new(LONGEST_SHARED));
        log.others.replace(
            node,
            record,
            now.0.saturating_sub(log.counted),
            now.0.saturating_add(SKEW_MICROS),
        );
    }

    pub(super) fn evict(&self, now: Timestamp) -> usize {
        self.shards.evict(now.0)
    }

    pub(super) fn reset(&self) {
        self.shards.reset();
    }

    pub(super) fn len(&self) -> usize {
        self.shards.len()
    }
}

/// Has other nodes told of a request that passed, or of what a refused one was promised.
fn note_outcome(shard: &mut Shard<Log>, key: Key, standing: &Standing, passes: bool, now: i64) {
    let Some(log) = shard.states.get_mut(&key) else { return };
    let newest = log.newest();
    if !passes && log.promise.is_some_and(|promise| promise.is_open(newest)) {
        return;
    }
    if !passes {
        log.promise = Some(promised(standing.reset_after, now));
    }
    shard.mark_changed(key);
}

/// What is left of a window in which `used` requests passed; one more may when `oldest` has left it.
pub(super) fn standing(window: Window, used: u32, oldest: Option<i64>, now: i64) -> Standing {
    let reset_after =
        oldest.map_or(Duration::ZERO, |oldest| span(oldest.saturating_add(window.counted()) - now));
    Standing {
        name: window.name,
        limit: window.limit,
        per: span(window.per),
        remaining: window.limit.saturating_sub(used),
        reset_after,
    }
}

#[cfg(test)]
mod tests;
