//! Sliding windows: limits that log the times at which requests were allowed.
//!
//! A time `t` counts while `now - t` is less than the length of the window minus its tolerance ([`Window::counted`]). A
//! request is allowed if the number of counted times is less than the limit. Rejected requests are not logged, so the
//! limit also bounds the memory of a key.
//!
//! If nodes share the limit, the times of requests that other nodes allowed count as well. The module
//! [`record`](super::record) describes how nodes exchange these times. It also describes the promise of a
//! `Retry-After`: after this time a request is allowed, even if the limit is reached.

use std::collections::VecDeque;
use std::time::Duration;

use super::counters::Window;
use super::record::{Others, Promise, Record};
use super::shards::{LimitState, Shard, Shards};
use super::{LimitDecision, LimitKey, LimitStatus, SKEW_MICROS, promised, span};
use crate::domain::time::Timestamp;

/// The longest window that nodes share, in microseconds. A key that is known only from the records of other nodes is
/// kept for this time, because records do not contain the length of the window.
const LONGEST_SHARED: i64 = 60_000_000;

/// The state of one key.
#[derive(Debug)]
struct WindowLog {
    /// How long a time counts, in microseconds.
    counted: i64,
    /// The times of the requests that this node allowed, in microseconds and non-decreasing order.
    passed: VecDeque<i64>,
    /// The records of the other nodes.
    others: Others,
    /// The newest promise that this node made to a rejected caller.
    promise: Option<Promise>,
}

impl WindowLog {
    fn new(counted: i64) -> Self {
        Self { counted, passed: VecDeque::new(), others: Others::default(), promise: None }
    }

    /// Returns the status before a request at `now`, and whether the request is allowed. Also corrects `counted`: if
    /// [`Windows::merge`] has created the log, `counted` is [`LONGEST_SHARED`].
    fn decide(&mut self, window: Window, is_shared: bool, now: i64) -> (LimitStatus, bool) {
        self.counted = window.counted;
        self.settle(now);
        let status = self.status(window, now);
        (status, status.remaining > 0 || (is_shared && self.has_open_promise(now)))
    }

    /// Removes the times that no longer count. Also removes times more than [`SKEW_MICROS`] in the future, because they
    /// show that the clock was set back.
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

    /// Returns the status of the window. To be called after [`WindowLog::settle`].
    fn status(&self, window: Window, now: i64) -> LimitStatus {
        let others: u64 = self.others.slots().map(|slot| u64::from(slot.count)).sum();
        let used = u32::try_from(others + self.passed.len() as u64).unwrap_or(u32::MAX);
        // `remaining` increases as soon as the oldest `leaving` requests no longer count. `leaving` is 1, or more if
        // all nodes together allowed more than `limit` requests.
        let leaving = used.saturating_sub(window.limit).saturating_add(1);
        status(window, used, self.oldest(leaving), now)
    }

    /// Returns the time of the `count`th oldest allowed request over all nodes; `count` is at least 1.
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

    /// Returns the time of the newest allowed request over all nodes.
    fn newest(&self) -> Option<i64> {
        self.passed.back().copied().max(self.others.newest())
    }

    /// Returns whether a rejection, on this or another node, had a `Retry-After` that has elapsed, and no request was
    /// allowed since that rejection.
    fn has_open_promise(&self, now: i64) -> bool {
        let newest = self.newest();
        let mut promises = self.promise.into_iter().chain(self.others.promises());
        promises.any(|promise| promise.pass_at <= now && promise.is_open(newest))
    }
}

impl LimitState for WindowLog {
    fn is_idle(&self, now: i64) -> bool {
        // idle if the newest time over all nodes no longer counts; also idle if the clock was set back so far that even
        // this node's oldest time is more than `SKEW_MICROS` in the future
        self.newest().is_none_or(|at| now - at >= self.counted)
            || self.passed.front().is_some_and(|at| *at - now > SKEW_MICROS)
    }
}

#[derive(Debug, Default)]
pub(super) struct Windows {
    shards: Shards<WindowLog>,
    /// Whether requests allowed here are published to other nodes.
    is_shared: bool,
}

impl Windows {
    pub(super) fn shared() -> Self {
        Self { is_shared: true, ..Self::default() }
    }

    pub(super) fn check(&self, window: Window, key: LimitKey, now: Timestamp) -> LimitDecision {
        let key = key.for_limit(window.tag);
        let mut shard = self.shards.lock(self.shards.index(&key));
        shard.sweep_if_due(now.0);
        let log = shard.states.entry(key).or_insert_with(|| WindowLog::new(window.counted));
        let (before, passes) = log.decide(window, self.is_shared, now.0);
        if passes {
            // requests are not always decided in the order of their times
            let index = log.passed.partition_point(|at| *at <= now.0);
            log.passed.insert(index, now.0);
        }
        let status = if passes { log.status(window, now.0) } else { before };
        if self.is_shared {
            note_outcome(&mut shard, key, &status, passes, now.0);
        }
        LimitDecision { status, wait: (!passes).then_some(status.reset_after) }
    }

    /// Returns what [`Windows::check`] would decide, without counting a request.
    pub(super) fn peek(&self, window: Window, key: LimitKey, now: Timestamp) -> LimitDecision {
        let key = key.for_limit(window.tag);
        let mut shard = self.shards.lock(self.shards.index(&key));
        let Some(log) = shard.states.get_mut(&key) else {
            return LimitDecision { status: status(window, 0, None, now.0), wait: None };
        };
        let (status, passes) = log.decide(window, self.is_shared, now.0);
        LimitDecision { status, wait: (!passes).then_some(status.reset_after) }
    }

    /// Unmarks up to `limit` changed keys. Returns each key with its record for other nodes.
    pub(super) fn publish(&self, limit: usize) -> Vec<(LimitKey, Record)> {
        self.shards.take_changed(limit, |log| Record::new(log.passed.iter().copied(), log.promise))
    }

    /// Marks a key as changed again, because the record that [`Windows::publish`] returned for it was not published.
    pub(super) fn mark_unpublished(&self, key: LimitKey) {
        self.shards.put_back_changed(key);
    }

    /// Counts the requests of a record of another node, in place of that node's previous record.
    pub(super) fn merge(&self, key: LimitKey, node: i64, record: Record, now: Timestamp) {
        let mut shard = self.shards.lock(self.shards.index(&key));
        shard.sweep_if_due(now.0);
        let log = shard.states.entry(key).or_insert_with(|| WindowLog::new(LONGEST_SHARED));
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

/// Marks a key as changed, so that its record is published: after an allowed request, and after a rejection that makes
/// a new promise. Stores the new promise in the log. While an earlier promise is open, a rejection makes none.
fn note_outcome(shard: &mut Shard<WindowLog>, key: LimitKey, status: &LimitStatus, passes: bool, now: i64) {
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

/// Returns the status of a window in which `used` requests were allowed. The field `reset_after` is the time until
/// `oldest` no longer counts.
pub(super) fn status(window: Window, used: u32, oldest: Option<i64>, now: i64) -> LimitStatus {
    let reset_after =
        oldest.map_or(Duration::ZERO, |oldest| span(oldest.saturating_add(window.counted) - now));
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
