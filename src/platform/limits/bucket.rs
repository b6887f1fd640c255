//! Buckets by the generic cell rate algorithm (GCRA): per key the moment at which the bucket will be full again.
//!
//! A token taken at `t` makes it `max(full_at, t) + step`; a request passes if it finds a token, or if there will be one
//! within the tolerance. Over a set of moments in ascending order that is the maximum, over every moment, of the moment
//! plus one step for it and each later one. So `full_at` is a function of the set alone, and grows with each moment added
//! and with each moment moved later.
//!
//! That is what lets nodes share buckets in batches. A bucket of several nodes keeps the moments of the last
//! [`SHARED_FOR`], its own and those of others, and computes `full_at` anew in their order when it learns of more. What it
//! knows is a part of what all nodes let pass, and no moment is later than it was; so it is never fuller of takes than an
//! exact bucket over everything that passed, in whatever order and however late it learns of it.

use std::collections::VecDeque;

use parking_lot::MutexGuard;

use super::record::{Others, Promise, Record};
use super::rows::Rate;
use super::shards::{Shard, Shards, State};
use super::{Key, SKEW_MICROS, Standing, Wait, promised, span};
use crate::domain::time::Timestamp;

/// How long a moment can be told to, and learned of from, other nodes, in microseconds: far longer than an exchange
/// takes. Moments that are learned of later do not count.
const SHARED_FOR: i64 = 5_000_000;

/// How long a bucket that only other nodes use is remembered, in microseconds: as long as the deepest takes to fill.
const REMEMBERED: i64 = 2 * SHARED_FOR;

/// Before all moments.
const NEVER: i64 = i64::MIN / 2;

/// What a bucket that nodes share knows of the moments behind its `full_at`.
#[derive(Debug)]
struct Log {
    /// `full_at` by the moments up to `folded_to` alone.
    base: i64,
    folded_to: i64,
    /// Takes on this node since, or a little longer.
    own: VecDeque<i64>,
    others: Others,
    /// `full_at` is to be computed anew.
    is_stale: bool,
    /// The last moment that was folded.
    last_folded: Option<i64>,
    promise: Option<Promise>,
}

impl Log {
    fn new() -> Self {
        Self {
            base: NEVER,
            folded_to: NEVER,
            own: VecDeque::new(),
            others: Others::default(),
            is_stale: false,
            last_folded: None,
            promise: None,
        }
    }

    /// When a bucket with these moments is full again.
    fn fold(&mut self, step: i64, now: i64) -> i64 {
        let mut moments: Vec<(i64, i64)> = self.own.iter().map(|at| (*at, 1)).collect();
        moments.extend(self.others.slots().map(|slot| (slot.at, i64::from(slot.count))));
        moments.sort_unstable();
        let until = now - SHARED_FOR;
        let older = moments.partition_point(|(at, _)| *at <= until);
        let add = |full_at: i64, (at, count): &(i64, i64)| full_at.max(*at) + count * step;
        self.base = moments[..older].iter().fold(self.base, add);
        self.folded_to = self.folded_to.max(until);
        self.last_folded = self.last_folded.max(moments[..older].last().map(|(at, _)| *at));
        self.own.retain(|at| *at > until);
        self.others.retain(|at| at > until);
        self.is_stale = false;
        moments[older..].iter().fold(self.base, add)
    }

    fn needs_fold(&self, now: i64) -> bool {
        self.is_stale || self.own.front().is_some_and(|at| now - at > 2 * SHARED_FOR)
    }

    fn newest(&self) -> Option<i64> {
        self.own.back().copied().max(self.others.newest()).max(self.last_folded)
    }

    /// Whether a refused caller was told that a request passes by now, and none has since.
    fn owes_a_pass(&self, now: i64) -> bool {
        let newest = self.newest();
        let mut promises = self.promise.into_iter().chain(self.others.promises());
        promises.any(|promise| promise.pass_at <= now && promise.is_open(newest))
    }

    /// Forgets a take. One that is no longer known by itself is taken off the whole, which is at most what it added.
    fn give_back(&mut self, at: i64, step: i64) {
        match self.own.iter().rposition(|own| *own == at) {
            Some(index) => drop(self.own.remove(index)),
            None => self.base = self.base.saturating_sub(step),
        }
        self.is_stale = true;
    }
}

#[derive(Debug)]
struct Bucket {
    /// When it is full again; not after `seen` if it already is.
    full_at: i64,
    /// The latest time it was used at, to notice a clock that was set back.
    seen: i64,
    /// None where this node is alone.
    log: Option<Box<Log>>,
}

impl Bucket {
    fn new(now: i64, is_shared: bool) -> Self {
        Self { full_at: now, seen: now, log: is_shared.then(|| Box::new(Log::new())) }
    }

    /// When this bucket is full, as far as a request at `now` is concerned.
    fn full_at(&mut self, rate: Rate, now: i64) -> i64 {
        if self.clock_went_back(now) {
            *self = Self::new(now, self.log.is_some());
        }
        if let Some(log) = self.log.as_mut().filter(|log| log.needs_fold(now)) {
            self.full_at = log.fold(rate.step(), now);
        }
        self.full_at.max(now)
    }

    fn clock_went_back(&self, now: i64) -> bool {
        self.seen - now > SKEW_MICROS
    }

    fn owes_a_pass(&self, now: i64) -> bool {
        self.log.as_ref().is_some_and(|log| log.owes_a_pass(now))
    }

    fn take(&mut self, full_at: i64, now: i64) {
        (self.full_at, self.seen) = (full_at, now);
        if let Some(log) = &mut self.log {
            log.own.push_back(now);
        }
    }

    fn give_back(&mut self, at: i64, step: i64) {
        // one fuller than full counts as full
        self.full_at -= step;
        if let Some(log) = &mut self.log {
            log.give_back(at, step);
        }
    }

    /// Keeps what a refused caller is told; whether other nodes are to be told of it.
    fn promise(&mut self, promise: Promise) -> bool {
        let Some(log) = &mut self.log else { return false };
        let newest = log.newest();
        if log.promise.is_some_and(|earlier| earlier.is_open(newest)) {
            return false;
        }
        log.promise = Some(promise);
        true
    }

    /// What other nodes are to know at `now`.
    fn record(&self, now: i64) -> Record {
        let Some(log) = &self.log else { return Record::default() };
        Record::new(log.own.iter().copied().filter(|at| now - at < SHARED_FOR), log.promise)
    }
}

impl State for Bucket {
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
    shards: Shards<Bucket>,
    /// What is taken here is published to other nodes.
    is_shared: bool,
}

/// The locks a call needs, in rising order, so that two calls never wait for each other.
struct Held<'a>(Vec<(usize, MutexGuard<'a, Shard<Bucket>>)>);

impl Held<'_> {
    fn shard(&mut self, index: usize) -> &mut Shard<Bucket> {
        let at = self.0.binary_search_by_key(&index, |(held, _)| *held).expect("all needed locks are held");
        &mut self.0[at].1
    }
}

/// A bucket that is asked for a token.
struct Asked {
    key: Key,
    shard: usize,
    rate: Rate,
    /// Before the token is taken.
    full_at: i64,
    /// How long until it would give one; 0 or less if it does.
    wait: i64,
}

impl Buckets {
    pub(super) fn shared() -> Self {
        Self { is_shared: true, ..Self::default() }
    }

    pub(super) fn take_all(
        &self,
        takes: &[(Key, Rate)],
        scale: u32,
        now: Timestamp,
    ) -> Result<Vec<Standing>, Wait> {
        let now = now.0;
        let takes: Vec<(Key, Rate)> =
            takes.iter().map(|(key, rate)| (key.under(rate.tag), rate.scaled(scale))).collect();
        let mut held = self.hold(&takes);
        let asked: Vec<Asked> = takes.iter().map(|take| self.ask(&mut held, *take, now)).collect();
        let wait = asked.iter().map(|it| it.wait).max().unwrap_or(0);
        if wait > 0 {
            return Err(refuse(&mut held, &asked, wait, now));
        }
        let take = |Asked { key, shard, rate, full_at, .. }: &Asked| {
            let shard = held.shard(*shard);
            let full_at = full_at + rate.step();
            let fresh = || Bucket::new(now, self.is_shared);
            shard.states.entry(*key).or_insert_with(fresh).take(full_at, now);
            if self.is_shared {
                shard.mark_changed(*key);
            }
            shard.tidy(now);
            standing(*rate, full_at, now)
        };
        Ok(asked.iter().map(take).collect())
    }

    /// Looks whether a bucket gives a token.
    fn ask(&self, held: &mut Held<'_>, (key, rate): (Key, Rate), now: i64) -> Asked {
        let index = self.shards.index(&key);
        let bucket = held.shard(index).states.get_mut(&key);
        let mut asked = Asked { key, shard: index, rate, full_at: now, wait: 0 };
        if let Some(bucket) = bucket {
            asked.full_at = bucket.full_at(rate, now);
            asked.wait = asked.full_at + rate.step() - rate.depth() - rate.tolerance() - now;
            if asked.wait > 0 && bucket.owes_a_pass(now) {
                asked.wait = 0;
            }
        }
        asked
    }

    /// What [`Buckets::take_all`] would find, without taking anything.
    pub(super) fn peek_all(&self, takes: &[(Key, Rate)], scale: u32, now: Timestamp) -> Vec<Standing> {
        let standing_of = |(key, rate): &(Key, Rate)| {
            let (key, rate) = (key.under(rate.tag), rate.scaled(scale));
            let mut shard = self.shards.lock(self.shards.index(&key));
            let full_at = shard.states.get_mut(&key).map_or(now.0, |bucket| bucket.full_at(rate, now.0));
            standing(rate, full_at, now.0)
        };
        takes.iter().map(standing_of).collect()
    }

    /// Puts back what was taken at `at`.
    pub(super) fn give_back(&self, takes: &[(Key, Rate)], scale: u32, at: Timestamp) {
        for (key, rate) in takes {
            let key = key.under(rate.tag);
            let mut shard = self.shards.lock(self.shards.index(&key));
            // a bucket that is gone is full
            if let Some(bucket) = shard.states.get_mut(&key) {
                bucket.give_back(at.0, rate.scaled(scale).step());
                if self.is_shared {
                    shard.mark_changed(key);
                }
            }
        }
    }

    fn hold(&self, takes: &[(Key, Rate)]) -> Held<'_> {
        let mut indexes: Vec<usize> = takes.iter().map(|(key, _)| self.shards.index(key)).collect();
        indexes.sort_unstable();
        indexes.dedup();
        Held(indexes.into_iter().map(|index| (index, self.shards.lock(index))).collect())
    }

    /// Takes up to `limit` keys that changed since the last call, each with what other nodes are to know of it.
    pub(super) fn publish(&self, limit: usize, now: Timestamp) -> Vec<(Key, Record)> {
        self.shards.take_changed(limit, |bucket| bucket.record(now.0))
    }

    /// Takes back a key of [`Buckets::publish`] that was not published.
    pub(super) fn unpublish(&self, key: Key) {
        self.shards.put_back_changed(key);
    }

    /// Counts what another node let pass.
    pub(super) fn merge(&self, key: Key, node: i64, record: Record, now: Timestamp) {
        let mut shard = self.shards.lock(self.shards.index(&key));
        shard.tidy(now.0);
        let bucket = shard.states.entry(key).or_insert_with(|| Bucket::new(now.0, true));
        if let Some(log) = &mut bucket.log {
            log.others.replace(node, record, log.folded_to, now.0.saturating_add(SKEW_MICROS));
            log.is_stale = true;
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

/// Takes nothing; the buckets that refused keep what the caller is told.
fn refuse(held: &mut Held<'_>, asked: &[Asked], wait: i64, now: i64) -> Wait {
    for Asked { key, shard, .. } in asked.iter().filter(|it| it.wait > 0) {
        let shard = held.shard(*shard);
        let promise = promised(span(wait), now);
        if shard.states.get_mut(key).is_some_and(|bucket| bucket.promise(promise)) {
            shard.mark_changed(*key);
        }
    }
    let standings = asked.iter().map(|it| standing(it.rate, it.full_at, now)).collect();
    Wait { standings, wait: span(wait) }
}

/// A bucket nobody has taken from.
pub(super) fn full(rate: Rate) -> Standing {
    standing(rate, 0, 0)
}

/// What is left of a bucket that is full at `full_at`.
pub(super) fn standing(rate: Rate, full_at: i64, now: i64) -> Standing {
    let filled = now + rate.depth() + rate.tolerance() - full_at;
    let remaining = u32::try_from(filled / rate.step()).unwrap_or(0).min(rate.burst);
    // a bucket that gives a whole burst has nothing to wait for
    let next = if remaining == rate.burst { 0 } else { rate.step() * (i64::from(remaining) + 1) - filled };
    Standing { name: rate.name, limit: rate.burst, per: rate.per(), remaining, reset_after: span(next) }
}

#[cfg(test)]
mod tests;
