//! Token buckets by the generic cell rate algorithm (GCRA). The state of a key is `full_at`, the time at which its
//! bucket is full again.
//!
//! A bucket refills one token per `step` of time. Taking a token at `t` sets `full_at` to `max(full_at, t) + step`. A
//! request passes if a token is available, or becomes available within the tolerance.
//!
//! If the tokens were taken at the times `t1 ≤ … ≤ tn`, `full_at` is the maximum of `ti + (n - i + 1) * step` over all
//! `i`; `n - i + 1` is the number of tokens from `ti` on. So `full_at` depends only on the set of times, and not on the
//! order in which they become known. It never decreases if a time is added or moved later.
//!
//! So nodes can exchange the times of taken tokens in batches. A shared bucket keeps at least the times of the last
//! [`SHARED_FOR`], of this node and of other nodes. It combines older times into one value, [`BucketLog::base`]. When
//! another node publishes further times, the bucket recomputes `full_at` from `base` and the kept times in ascending
//! order.
//!
//! The bucket knows a subset of the requests that all nodes allowed, each with its actual time or an earlier time. So
//! the bucket is never stricter than an exact bucket over all allowed requests, no matter when it learns of a request.

use std::collections::VecDeque;

use parking_lot::MutexGuard;

use super::counters::Rate;
use super::record::{Others, Promise, Record};
use super::shards::{LimitState, Shard, Shards};
use super::table::LONGEST_FILL;
use super::{LimitKey, LimitStatus, RateLimited, SKEW_MICROS, count_rejection, promised, span};
use crate::domain::time::Timestamp;

/// Maximum age, in microseconds, of the times of taken tokens that a node publishes to other nodes. It is much longer
/// than the interval between two exchanges, so normally every taken token is published.
const SHARED_FOR: i64 = 5_000_000;

/// How long a bucket whose `full_at` must be recomputed is kept after its last token was taken, in microseconds: as
/// long as the slowest of all buckets takes to fill. If all nodes together took more tokens from a bucket than its
/// burst, the bucket can be removed before it is full. Such an early removal is in the caller's favour.
const REMEMBERED: i64 = LONGEST_FILL;

/// A time before all others: the initial value of [`BucketLog::base`] and [`BucketLog::folded_to`].
const NEVER: i64 = i64::MIN / 2;

/// The times from which the `full_at` of a shared bucket is computed.
#[derive(Debug)]
struct BucketLog {
    /// `full_at` computed from the times up to `folded_to`. These times are no longer kept one by one.
    base: i64,
    folded_to: i64,
    /// The times of the tokens taken on this node that `base` does not include, in ascending order.
    own: VecDeque<i64>,
    others: Others,
    /// Whether `full_at` must be recomputed.
    is_stale: bool,
    /// The time of the latest token that `base` includes.
    last_folded: Option<i64>,
    promise: Option<Promise>,
    /// [`Rate::step`] of the bucket. Before the first request on this node, the step in the record of another node.
    step: i64,
}

impl BucketLog {
    fn new(step: i64) -> Self {
        Self {
            base: NEVER,
            folded_to: NEVER,
            own: VecDeque::new(),
            others: Others::default(),
            is_stale: false,
            last_folded: None,
            promise: None,
            step,
        }
    }

    /// Counts the record of another node, in place of that node's previous record. The new record does not have the
    /// times that are too old for an exchange. So [`BucketLog::fold`] first moves such times of the previous record
    /// into `base`.
    fn merge(&mut self, node: i64, record: Record, now: i64) {
        if self.others.slots().any(|slot| slot.at <= now - SHARED_FOR) {
            self.fold(now);
        }
        self.others.replace(node, record, self.folded_to, now.saturating_add(SKEW_MICROS));
        self.is_stale = true;
    }

    /// Moves the times that are too old for an exchange into `base`. Returns `full_at`, computed from all times.
    fn fold(&mut self, now: i64) -> i64 {
        let step = self.step;
        let mut times: Vec<(i64, i64)> = self.own.iter().map(|at| (*at, 1)).collect();
        times.extend(self.others.slots().map(|slot| (slot.at, i64::from(slot.count))));
        times.sort_unstable();
        let until = now - SHARED_FOR;
        let older = times.partition_point(|(at, _)| *at <= until);
        let add = |full_at: i64, (at, count): &(i64, i64)| full_at.max(*at) + count * step;
        self.base = times[..older].iter().fold(self.base, add);
        self.folded_to = self.folded_to.max(until);
        self.last_folded = self.last_folded.max(times[..older].last().map(|(at, _)| *at));
        self.own.retain(|at| *at > until);
        self.others.retain(|at| at > until);
        self.is_stale = false;
        times[older..].iter().fold(self.base, add)
    }

    fn needs_fold(&self, now: i64) -> bool {
        self.is_stale || self.own.front().is_some_and(|at| now - at > 2 * SHARED_FOR)
    }

    fn newest(&self) -> Option<i64> {
        self.own.back().copied().max(self.others.newest()).max(self.last_folded)
    }

    /// Returns whether a rejection, on this or another node, had a `Retry-After` that has elapsed at `now`, and no
    /// request has passed since that rejection.
    fn has_open_promise(&self, now: i64) -> bool {
        let newest = self.newest();
        let mut promises = self.promise.into_iter().chain(self.others.promises());
        promises.any(|promise| promise.pass_at <= now && promise.is_open(newest))
    }

    /// Removes a taken token. If `base` includes the time of the token, subtracts one step from `base`, because a token
    /// delays the time at which the bucket is full by at most one step.
    fn return_token(&mut self, at: i64) {
        match self.own.iter().rposition(|own| *own == at) {
            Some(index) => drop(self.own.remove(index)),
            None => self.base = self.base.saturating_sub(self.step),
        }
        self.is_stale = true;
    }
}

#[derive(Debug)]
struct TokenBucket {
    /// The time at which the bucket is full again, in microseconds; in the past if the bucket is full.
    full_at: i64,
    /// When the last token was taken or the last record was merged, to detect a clock that was set back.
    seen: i64,
    /// `None` if this node shares no limits.
    log: Option<Box<BucketLog>>,
}

impl TokenBucket {
    fn new(now: i64, step: i64, is_shared: bool) -> Self {
        Self { full_at: now, seen: now, log: is_shared.then(|| Box::new(BucketLog::new(step))) }
    }

    /// Returns the time at which this bucket is full again; `now` if it is full at `now`.
    fn full_at(&mut self, rate: Rate, now: i64) -> i64 {
        if self.clock_went_back(now) {
            *self = Self::new(now, rate.step(), self.log.is_some());
        }
        if let Some(log) = &mut self.log {
            // another version of Switchboard can have published another step
            log.step = rate.step();
            if log.needs_fold(now) {
                self.full_at = log.fold(now);
            }
        }
        self.full_at.max(now)
    }

    fn clock_went_back(&self, now: i64) -> bool {
        self.seen - now > SKEW_MICROS
    }

    fn has_open_promise(&self, now: i64) -> bool {
        self.log.as_ref().is_some_and(|log| log.has_open_promise(now))
    }

    fn take(&mut self, full_at: i64, now: i64) {
        (self.full_at, self.seen) = (full_at, now);
        if let Some(log) = &mut self.log {
            // requests can be decided in a different order from their arrival
            let index = log.own.partition_point(|at| *at <= now);
            log.own.insert(index, now);
        }
    }

    fn return_token(&mut self, at: i64, step: i64) {
        // the burst does not grow if `full_at` becomes earlier than now, because the method `full_at` returns at least
        // now
        self.full_at -= step;
        if let Some(log) = &mut self.log {
            log.return_token(at);
        }
    }

    /// Stores the promise that a `Retry-After` makes to a rejected caller, unless an earlier promise is still open.
    /// Returns whether the promise was stored and so must be published to other nodes.
    fn promise(&mut self, promise: Promise) -> bool {
        let Some(log) = &mut self.log else { return false };
        let newest = log.newest();
        if log.promise.is_some_and(|earlier| earlier.is_open(newest)) {
            return false;
        }
        log.promise = Some(promise);
        true
    }

    /// Returns the record that other nodes need at `now`.
    fn record(&self, now: i64) -> Record {
        let Some(log) = &self.log else { return Record::default() };
        let times = log.own.iter().copied().filter(|at| now - at < SHARED_FOR);
        Record { step: u32::try_from(log.step).unwrap_or(0), ..Record::new(times, log.promise) }
    }
}

impl LimitState for TokenBucket {
    fn is_idle(&self, now: i64) -> bool {
        let counts = match &self.log {
            Some(log) if log.is_stale => log.newest().is_some_and(|at| now - at < REMEMBERED),
            _ => self.full_at > now,
        };
        !counts || self.clock_went_back(now)
    }
}

#[derive(Debug, Default)]
pub(super) struct Buckets {
    shards: Shards<TokenBucket>,
    /// Whether tokens taken here are published to other nodes.
    is_shared: bool,
}

/// The shards that a call has locked. They are locked in the order of their indexes, so that two calls cannot deadlock.
struct LockedShards<'a>(Vec<(usize, MutexGuard<'a, Shard<TokenBucket>>)>);

impl LockedShards<'_> {
    fn shard(&mut self, index: usize) -> &mut Shard<TokenBucket> {
        let at = self.0.binary_search_by_key(&index, |(held, _)| *held).expect("all needed locks are taken");
        &mut self.0[at].1
    }
}

/// A bucket from which a token is requested.
struct BucketRequest {
    key: LimitKey,
    shard: usize,
    rate: Rate,
    /// When the bucket is full again if this request takes no token.
    full_at: i64,
    /// Microseconds that the request must wait for a token of this bucket; 0 or less if it need not wait.
    wait: i64,
}

impl Buckets {
    pub(super) fn shared() -> Self {
        Self { is_shared: true, ..Self::default() }
    }

    pub(super) fn take_all(
        &self,
        takes: &[(LimitKey, Rate)],
        scale: u32,
        now: Timestamp,
    ) -> Result<Vec<LimitStatus>, RateLimited> {
        let now = now.0;
        let takes: Vec<(LimitKey, Rate)> =
            takes.iter().map(|(key, rate)| (key.for_limit(rate.tag), rate.scaled(scale))).collect();
        let mut held = self.lock_shards(&takes);
        let requested: Vec<BucketRequest> =
            takes.iter().map(|take| self.query(&mut held, *take, now)).collect();
        let wait = requested.iter().map(|it| it.wait).max().unwrap_or(0);
        if wait > 0 {
            return Err(reject(&mut held, &requested, wait, now));
        }
        let take = |BucketRequest { key, shard, rate, full_at, .. }: &BucketRequest| {
            let shard = held.shard(*shard);
            let full_at = full_at + rate.step();
            let fresh = || TokenBucket::new(now, rate.step(), self.is_shared);
            shard.states.entry(*key).or_insert_with(fresh).take(full_at, now);
            if self.is_shared {
                shard.mark_changed(*key);
            }
            shard.sweep_if_due(now);
            status(*rate, full_at, now)
        };
        Ok(requested.iter().map(take).collect())
    }

    /// Determines how long a request must wait for a token of a bucket, without taking the token.
    fn query(&self, held: &mut LockedShards<'_>, (key, rate): (LimitKey, Rate), now: i64) -> BucketRequest {
        let index = self.shards.index(&key);
        let bucket = held.shard(index).states.get_mut(&key);
        let mut requested = BucketRequest { key, shard: index, rate, full_at: now, wait: 0 };
        if let Some(bucket) = bucket {
            requested.full_at = bucket.full_at(rate, now);
            requested.wait = requested.full_at + rate.step() - rate.depth() - rate.tolerance() - now;
            if requested.wait > 0 && bucket.has_open_promise(now) {
                requested.wait = 0;
            }
        }
        requested
    }

    /// Returns the status of each bucket as [`Buckets::take_all`] would see it, without taking tokens.
    pub(super) fn peek_all(
        &self,
        takes: &[(LimitKey, Rate)],
        scale: u32,
        now: Timestamp,
    ) -> Vec<LimitStatus> {
        let status_of = |(key, rate): &(LimitKey, Rate)| {
            let (key, rate) = (key.for_limit(rate.tag), rate.scaled(scale));
            let mut shard = self.shards.lock(self.shards.index(&key));
            let full_at = shard.states.get_mut(&key).map_or(now.0, |bucket| bucket.full_at(rate, now.0));
            status(rate, full_at, now.0)
        };
        takes.iter().map(status_of).collect()
    }

    /// Puts the tokens that were taken at `at` back into their buckets.
    pub(super) fn return_tokens(&self, takes: &[(LimitKey, Rate)], scale: u32, at: Timestamp) {
        for (key, rate) in takes {
            let key = key.for_limit(rate.tag);
            let mut shard = self.shards.lock(self.shards.index(&key));
            // a bucket without an entry is full
            if let Some(bucket) = shard.states.get_mut(&key) {
                bucket.return_token(at.0, rate.scaled(scale).step());
                if self.is_shared {
                    shard.mark_changed(key);
                }
            }
        }
    }

    fn lock_shards(&self, takes: &[(LimitKey, Rate)]) -> LockedShards<'_> {
        let mut indexes: Vec<usize> = takes.iter().map(|(key, _)| self.shards.index(key)).collect();
        indexes.sort_unstable();
        indexes.dedup();
        LockedShards(indexes.into_iter().map(|index| (index, self.shards.lock(index))).collect())
    }

    /// Unmarks up to `limit` changed keys and returns each with its record for other nodes.
    pub(super) fn publish(&self, limit: usize, now: Timestamp) -> Vec<(LimitKey, Record)> {
        self.shards.take_changed(limit, |bucket| bucket.record(now.0))
    }

    /// Marks a key as changed again, because the record that [`Buckets::publish`] returned for it was not published.
    pub(super) fn mark_unpublished(&self, key: LimitKey) {
        self.shards.put_back_changed(key);
    }

    /// Counts the requests that another node allowed. `record` replaces the earlier record of that node.
    pub(super) fn merge(&self, key: LimitKey, node: i64, record: Record, now: Timestamp) {
        let mut shard = self.shards.lock(self.shards.index(&key));
        shard.sweep_if_due(now.0);
        let step = i64::from(record.step);
        let bucket = shard.states.entry(key).or_insert_with(|| TokenBucket::new(now.0, step, true));
        // a bucket that only merges records must also notice that the clock was set back
        if bucket.clock_went_back(now.0) {
            *bucket = TokenBucket::new(now.0, step, true);
        }
        bucket.seen = bucket.seen.max(now.0);
        if let Some(log) = &mut bucket.log {
            log.merge(node, record, now.0);
        }
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

/// Returns the rejection, without taking tokens. Each rejecting bucket stores the promise that the `Retry-After` makes,
/// and is counted in the metrics.
fn reject(held: &mut LockedShards<'_>, requested: &[BucketRequest], wait: i64, now: i64) -> RateLimited {
    for BucketRequest { key, shard, .. } in requested.iter().filter(|it| it.wait > 0) {
        let shard = held.shard(*shard);
        let promise = promised(span(wait), now);
        if shard.states.get_mut(key).is_some_and(|bucket| bucket.promise(promise)) {
            shard.mark_changed(*key);
        }
    }
    let rejecting = requested.iter().filter(|it| it.wait > 0);
    rejecting.for_each(|it| count_rejection(it.rate.name));
    let statuses = requested.iter().map(|it| status(it.rate, it.full_at, now)).collect();
    RateLimited { statuses, wait: span(wait) }
}

/// Returns the status of a bucket from which no token was taken.
pub(super) fn full(rate: Rate) -> LimitStatus {
    status(rate, 0, 0)
}

/// Returns the status of a bucket that is full at `full_at`.
pub(super) fn status(rate: Rate, full_at: i64, now: i64) -> LimitStatus {
    let filled = now + rate.depth() + rate.tolerance() - full_at;
    let remaining = u32::try_from(filled / rate.step()).unwrap_or(0).min(rate.burst);
    // a full bucket has no reset time
    let next = if remaining == rate.burst { 0 } else { rate.step() * (i64::from(remaining) + 1) - filled };
    LimitStatus { name: rate.name, limit: rate.burst, per: rate.per(), remaining, reset_after: span(next) }
}

#[cfg(test)]
mod tests;
