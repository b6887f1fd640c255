//! Buckets by the generic cell rate algorithm (GCRA): per key only the moment at which the bucket will be
//! full again.

use parking_lot::MutexGuard;

use super::rows::Rate;
use super::shards::{Shard, Shards, State};
use super::{Key, SKEW_MICROS, Standing, Wait, span};
use crate::domain::time::Timestamp;

#[derive(Clone, Copy, Debug)]
struct Bucket {
    /// When it is full again; not after `seen` if it already is.
    full_at: i64,
    /// The latest time it was used at, to notice a clock that was set back.
    seen: i64,
}

impl Bucket {
    /// When this bucket is full, as far as a request at `now` is concerned.
    fn full_at(self, now: i64) -> i64 {
        if self.clock_went_back(now) { now } else { self.full_at.max(now) }
    }

    fn clock_went_back(self, now: i64) -> bool {
        self.seen - now > SKEW_MICROS
    }
}

impl State for Bucket {
    fn is_idle(&self, now: i64) -> bool {
        self.full_at <= now || self.clock_went_back(now)
    }
}

#[derive(Debug, Default)]
pub(super) struct Buckets {
    shards: Shards<Bucket>,
}

/// The locks a call needs, in rising order, so that two calls never wait for each other.
struct Held<'a>(Vec<(usize, MutexGuard<'a, Shard<Bucket>>)>);

impl Held<'_> {
    fn shard(&mut self, index: usize) -> &mut Shard<Bucket> {
        let at = self.0.binary_search_by_key(&index, |(held, _)| *held).expect("all needed locks are held");
        &mut self.0[at].1
    }
}

impl Buckets {
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

        let mut wait = 0;
        let mut full_ats = Vec::with_capacity(takes.len());
        for (key, rate) in &takes {
            let bucket = held.shard(self.shards.index(key)).states.get(key);
            let full_at = bucket.map_or(now, |bucket| bucket.full_at(now));
            wait = wait.max(full_at + rate.step() - rate.depth() - now);
            full_ats.push(full_at);
        }
        if wait > 0 {
            let standings =
                takes.iter().zip(full_ats).map(|((_, rate), full_at)| standing(*rate, full_at, now));
            return Err(Wait { standings: standings.collect(), wait: span(wait) });
        }

        let mut standings = Vec::with_capacity(takes.len());
        for ((key, rate), full_at) in takes.iter().zip(full_ats) {
            let shard = held.shard(self.shards.index(key));
            let full_at = full_at + rate.step();
            shard.states.insert(*key, Bucket { full_at, seen: now });
            shard.tidy(now);
            standings.push(standing(*rate, full_at, now));
        }
        Ok(standings)
    }

    /// What [`Buckets::take_all`] would find, without taking anything.
    pub(super) fn peek_all(&self, takes: &[(Key, Rate)], scale: u32, now: Timestamp) -> Vec<Standing> {
        let standing_of = |(key, rate): &(Key, Rate)| {
            let key = key.under(rate.tag);
            let shard = self.shards.lock(self.shards.index(&key));
            let full_at = shard.states.get(&key).map_or(now.0, |bucket| bucket.full_at(now.0));
            standing(rate.scaled(scale), full_at, now.0)
        };
        takes.iter().map(standing_of).collect()
    }

    pub(super) fn give_back(&self, takes: &[(Key, Rate)], scale: u32) {
        for (key, rate) in takes {
            let key = key.under(rate.tag);
            // a bucket that is gone is full, and one fuller than full counts as full
            if let Some(bucket) = self.shards.lock(self.shards.index(&key)).states.get_mut(&key) {
                bucket.full_at -= rate.scaled(scale).step();
            }
        }
    }

    fn hold(&self, takes: &[(Key, Rate)]) -> Held<'_> {
        let mut indexes: Vec<usize> = takes.iter().map(|(key, _)| self.shards.index(key)).collect();
        indexes.sort_unstable();
        indexes.dedup();
        Held(indexes.into_iter().map(|index| (index, self.shards.lock(index))).collect())
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

/// A bucket nobody has taken from.
pub(super) fn full(rate: Rate) -> Standing {
    standing(rate, 0, 0)
}

/// What is left of a bucket that is full at `full_at`.
pub(super) fn standing(rate: Rate, full_at: i64, now: i64) -> Standing {
    let filled = (now + rate.depth() - full_at).max(0);
    let remaining = filled / rate.step();
    // a full bucket has nothing to wait for
    let next = if full_at <= now { 0 } else { rate.step() - filled % rate.step() };
    Standing {
        name: rate.name,
        limit: rate.burst,
        per: rate.per(),
        remaining: u32::try_from(remaining).unwrap_or(u32::MAX),
        reset_after: span(next),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::prelude::*;

    use super::*;
    use crate::platform::limits::{SEND_DESTINATION, SEND_INSTALLATION};

    const SECOND: i64 = 1_000_000;

    fn take(buckets: &Buckets, takes: &[(Key, Rate)], now: i64) -> Result<Vec<Standing>, Wait> {
        buckets.take_all(takes, 1, Timestamp(now))
    }

    fn installation() -> (Key, Rate) {
        (Key::id("send", 1), SEND_INSTALLATION)
    }

    fn destination(id: i64) -> (Key, Rate) {
        (Key::id("send", id), SEND_DESTINATION)
    }

    #[test]
    fn a_burst_passes_and_then_the_sustained_rate() {
        let buckets = Buckets::default();
        for n in 0..20 {
            let standings = take(&buckets, &[installation()], 0).unwrap();
            assert_eq!((standings[0].remaining, standings[0].limit), (19 - n, 20));
        }
        let refused = take(&buckets, &[installation()], 0).unwrap_err();
        assert_eq!((refused.wait, refused.retry_after()), (span(200_000), 1));
        assert_eq!((refused.standings[0].remaining, refused.standings[0].reset_after), (0, span(200_000)));
        assert_eq!(buckets.peek_all(&[installation()], 1, Timestamp(0)), refused.standings);
        assert!(take(&buckets, &[installation()], 199_999).is_err());
        assert!(take(&buckets, &[installation()], 200_000).is_ok());
        assert!(take(&buckets, &[installation()], 200_000).is_err());
        for n in 2..200 {
            assert!(take(&buckets, &[installation()], n * 200_000).is_ok(), "send {n}");
        }
    }

    #[test]
    fn a_refusal_by_one_bucket_costs_the_others_nothing() {
        let buckets = Buckets::default();
        for _ in 0..5 {
            assert!(take(&buckets, &[installation(), destination(1)], 0).is_ok());
        }
        for _ in 0..100 {
            let refused = take(&buckets, &[installation(), destination(1)], 0).unwrap_err();
            assert_eq!(refused.wait, span(SECOND));
            assert_eq!(refused.standings.iter().map(|left| left.remaining).collect::<Vec<_>>(), [15, 0]);
        }
        let others = (0..100).filter(|n| take(&buckets, &[installation(), destination(2 + n)], 0).is_ok());
        assert_eq!(others.count(), 15);
    }

    #[test]
    fn a_peek_takes_nothing_and_tells_when_the_next_token_comes() {
        let buckets = Buckets::default();
        let peek = |now| buckets.peek_all(&[destination(1)], 1, Timestamp(now))[0];
        for _ in 0..10 {
            assert_eq!((peek(0).remaining, peek(0).reset_after), (5, Duration::ZERO));
        }
        for left in [4, 3] {
            take(&buckets, &[destination(1)], 0).unwrap();
            assert_eq!((peek(0).remaining, peek(0).reset_after), (left, span(SECOND)));
        }
        assert_eq!((peek(SECOND / 4).remaining, peek(SECOND / 4).reset_after), (3, span(SECOND * 3 / 4)));
        assert_eq!((peek(SECOND).remaining, peek(SECOND).reset_after), (4, span(SECOND)));
        assert_eq!((peek(2 * SECOND).remaining, peek(2 * SECOND).reset_after), (5, Duration::ZERO));
    }

    #[test]
    fn what_is_given_back_can_be_taken_again() {
        let buckets = Buckets::default();
        let takes = [installation(), destination(1)];
        for _ in 0..1_000 {
            assert!(take(&buckets, &takes, 0).is_ok());
            buckets.give_back(&takes, 1);
        }
        // giving back more than was taken does not make the burst larger
        buckets.give_back(&takes, 1);
        assert_eq!((0..100).filter(|_| take(&buckets, &takes, 0).is_ok()).count(), 5);
    }

    #[test]
    fn a_clock_set_back_locks_nobody_out() {
        let buckets = Buckets::default();
        while take(&buckets, &[destination(1)], 3_600 * SECOND).is_ok() {}
        assert_eq!((0..100).filter(|_| take(&buckets, &[destination(1)], 0).is_ok()).count(), 5);
        // a jump smaller than the bucket's depth is noticed too
        while take(&buckets, &[destination(2)], 10 * SECOND).is_ok() {}
        assert_eq!((0..100).filter(|_| take(&buckets, &[destination(2)], 8 * SECOND).is_ok()).count(), 5);
    }

    #[test]
    fn idle_keys_are_forgotten() {
        let buckets = Buckets::default();
        for id in 0..1_000 {
            take(&buckets, &[destination(id)], 0).unwrap();
        }
        assert_eq!((buckets.evict(Timestamp(SECOND - 1)), buckets.len()), (0, 1_000));
        assert_eq!((buckets.evict(Timestamp(SECOND)), buckets.len()), (1_000, 0));
        for id in 0..400_000 {
            take(&buckets, &[destination(id)], id * 1_000).unwrap();
        }
        assert!(buckets.len() < 64 * 2 * 1_024 + 2_000, "{}", buckets.len());
    }

    #[test]
    fn threads_together_get_exactly_the_burst() {
        let buckets = Buckets::default();
        let passed: usize = std::thread::scope(|scope| {
            let work = |thread: i64| {
                let buckets = &buckets;
                move || {
                    // each thread names the keys in another order: the locks must not mind
                    let mut takes = vec![installation(), destination(100), destination(200 + thread)];
                    takes.rotate_left(usize::try_from(thread).unwrap() % 3);
                    (0..2_000).filter(|_| take(buckets, &takes, 0).is_ok()).count()
                }
            };
            let threads: Vec<_> = (0..4).map(|thread| scope.spawn(work(thread))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).sum()
        });
        assert_eq!(passed, 5);
    }

    proptest! {
        /// Against the naive model: a count of tokens in millionths, refilled at each step.
        #[test]
        fn decisions_equal_a_refilled_count(
            per_second in 1_u32..=5, burst in 1_u32..10,
            steps in proptest::collection::vec(0_i64..2 * SECOND, 1..150),
        ) {
            // rates that divide a second, so that both sides compute exactly
            let per_second = if per_second == 3 { 4 } else { per_second };
            let rate = Rate::new("model", per_second, burst);
            let buckets = Buckets::default();
            let key = Key::id("send", 1);
            let whole = i64::from(burst) * SECOND;
            let (mut tokens, mut now) = (whole, 0);
            for step in steps {
                now += step;
                tokens = whole.min(tokens + step * i64::from(per_second));
                let taken = take(&buckets, &[(key, rate)], now);
                prop_assert_eq!(taken.is_ok(), tokens >= SECOND);
                match taken {
                    Ok(standings) => {
                        tokens -= SECOND;
                        prop_assert_eq!(i64::from(standings[0].remaining), tokens / SECOND);
                    }
                    Err(refused) => {
                        let seconds = i64::from(refused.retry_after()) * SECOND;
                        now += seconds;
                        prop_assert!(take(&buckets, &[(key, rate)], now).is_ok());
                        tokens = whole.min(tokens + seconds * i64::from(per_second)) - SECOND;
                    }
                }
            }
        }
    }
}
