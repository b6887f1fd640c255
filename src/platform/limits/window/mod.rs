//! The sliding window: a log of the times at which requests were allowed.
//!
//! A time `t` counts while `now - t` is less than the window's length minus its tolerance, so a
//! request is allowed again exactly that long after the oldest counted one. Memory per key is
//! bounded by the limit; rejected requests are not logged.
//!
//! Requests allowed by other nodes count as well. Each time counts separately, so it does not
//! matter in which order, how late or how often it is learned; and a request is rejected only if
//! allowed requests used up the limit.

use std::collections::VecDeque;
use std::time::Duration;

use super::counters::Window;
use super::record::{Others, Promise, Record};
use super::shards::{Shard, Shards, State};
use super::{Decision, Key, LimitStatus, SKEW_MICROS, promised, span};
use crate::domain::time::Timestamp;

/// The longest window that nodes share, in microseconds. How long times of a key count is unknown
/// until the key is used on this node.
const LONGEST_SHARED: i64 = 60_000_000;

#[derive(Debug)]
struct Log {
    /// How long a time counts.
    counted: i64,
    /// In non-decreasing order.
    passed: VecDeque<i64>,
    others: Others,
    promise: Option<Promise>,
}

impl Log {
    fn new(counted: i64) -> Self {
        Self { counted, passed: VecDeque::new(), others: Others::default(), promise: None }
    }

    /// Removes times that have left the window, and future times, which result from a clock that
    /// was set back.
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

    /// Returns the status of the window after [`Log::settle`].
    fn status(&self, window: Window, now: i64) -> LimitStatus {
        let others: u64 = self.others.slots().map(|slot| u64::from(slot.count)).sum();
        let used = u32::try_from(others + self.passed.len() as u64).unwrap_or(u32::MAX);
        // a request is allowed again when all but `limit - 1` have left
        let leaving = used.saturating_sub(window.limit).max(1);
        status(window, used, self.oldest(leaving), now)
    }

    /// Returns the time of the `count`th newest of the allowed requests.
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

    /// Returns whether a rejected caller was promised that a request passes by now, and none has
    /// passed since.
    fn has_open_promise(&self, now: i64) -> bool {
        let newest = self.newest();
        let mut promises = self.promise.into_iter().chain(self.others.promises());
        promises.any(|promise| promise.pass_at <= now && promise.is_open(newest))
    }
}

impl State for Log {
    fn is_idle(&self, now: i64) -> bool {
        // looks at the ends only: a log whose newest time counts is kept
        self.newest().is_none_or(|at| now - at >= self.counted)
            || self.passed.front().is_some_and(|at| *at - now > SKEW_MICROS)
    }
}

#[derive(Debug, Default)]
pub(super) struct Windows {
    shards: Shards<Log>,
    /// Whether requests allowed here are published to other nodes.
    is_shared: bool,
}

impl Windows {
    pub(super) fn shared() -> Self {
        Self { is_shared: true, ..Self::default() }
    }

    pub(super) fn check(&self, window: Window, key: Key, now: Timestamp) -> Decision {
        let key = key.under(window.tag);
        let mut shard = self.shards.lock(self.shards.index(&key));
        shard.sweep_if_due(now.0);
        let log = shard.states.entry(key).or_insert_with(|| Log::new(window.counted()));
        log.counted = window.counted();
        log.settle(now.0);

        let before = log.status(window, now.0);
        let passes = before.remaining > 0 || (self.is_shared && log.has_open_promise(now.0));
        if passes {
            // a request that read the clock just before its predecessor counts as simultaneous
            let at = log.passed.back().map_or(now.0, |last| now.0.max(*last));
            log.passed.push_back(at);
        }
        let status = if passes { log.status(window, now.0) } else { before };
        if self.is_shared {
            note_outcome(&mut shard, key, &status, passes, now.0);
        }
        Decision { status, wait: (!passes).then_some(status.reset_after) }
    }

    /// Returns what [`Windows::check`] would decide, without counting a request.
    pub(super) fn peek(&self, window: Window, key: Key, now: Timestamp) -> Decision {
        let key = key.under(window.tag);
        let mut shard = self.shards.lock(self.shards.index(&key));
        let status = match shard.states.get_mut(&key) {
            Some(log) => {
                log.settle(now.0);
                log.status(window, now.0)
            }
            None => status(window, 0, None, now.0),
        };
        Decision { status, wait: (status.remaining == 0).then_some(status.reset_after) }
    }

    /// Removes up to `limit` changed keys and returns each with what other nodes must know.
    pub(super) fn publish(&self, limit: usize) -> Vec<(Key, Record)> {
        self.shards.take_changed(limit, |log| Record::new(log.passed.iter().copied(), log.promise))
    }

    /// Marks a key of [`Windows::publish`] as changed again.
    pub(super) fn unpublish(&self, key: Key) {
        self.shards.put_back_changed(key);
    }

    /// Counts requests allowed by another node.
    pub(super) fn merge(&self, key: Key, node: i64, record: Record, now: Timestamp) {
        let mut shard = self.shards.lock(self.shards.index(&key));
        shard.sweep_if_due(now.0);
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

/// Marks a key as changed after an allowed request, or a promise to a rejected one.
fn note_outcome(shard: &mut Shard<Log>, key: Key, status: &LimitStatus, passes: bool, now: i64) {
    let Some(log) = shard.states.get_mut(&key) else { return };
    let newest = log.newest();
    if !passes && log.promise.is_some_and(|promise| promise.is_open(newest)) {
        return;
    }
    if !passes {
        log.promise = Some(promised(status.reset_after, now));
    }
    shard.mark_changed(key);
}

/// Returns the status of a window with `used` requests; one more is allowed when `oldest` has left
/// it.
pub(super) fn status(window: Window, used: u32, oldest: Option<i64>, now: i64) -> LimitStatus {
    let reset_after =
        oldest.map_or(Duration::ZERO, |oldest| span(oldest.saturating_add(window.counted()) - now));
    LimitStatus {
        name: window.name,
        limit: window.limit,
        per: span(window.per),
        remaining: window.limit.saturating_sub(used),
        reset_after,
    }
}

#[cfg(test)]
mod tests;
