//! The exact sliding window: a log of the moments at which requests passed.
//!
//! A moment `t` counts while `now - t < per`, so the first request that may pass again is the one exactly
//! `per` after the oldest counted. Memory per key is bounded by the limit; refused requests are not logged.

use std::collections::VecDeque;
use std::time::Duration;

use super::rows::Window;
use super::shards::{Shards, State};
use super::{Decision, Key, SKEW_MICROS, Standing, span};
use crate::domain::time::Timestamp;

#[derive(Debug)]
struct Log {
    per: i64,
    /// Never falling.
    passed: VecDeque<i64>,
}

impl Log {
    /// Drops what has left the window, and what lies in the future because the clock was set back.
    fn settle(&mut self, now: i64) {
        while self.passed.back().is_some_and(|at| *at - now > SKEW_MICROS) {
            self.passed.pop_back();
        }
        while self.passed.front().is_some_and(|at| now - *at >= self.per) {
            self.passed.pop_front();
        }
    }
}

impl Log {
    /// What a settled log leaves of its window.
    fn standing(&self, window: Window, now: i64) -> Standing {
        let used = u32::try_from(self.passed.len()).unwrap_or(u32::MAX);
        standing(window, used, self.passed.front().copied(), now)
    }
}

impl State for Log {
    fn is_idle(&self, now: i64) -> bool {
        // looks at the ends only: a log whose newest moment counts stays
        self.passed.back().is_none_or(|at| now - *at >= self.per)
            || self.passed.front().is_some_and(|at| *at - now > SKEW_MICROS)
    }
}

#[derive(Debug, Default)]
pub(super) struct Windows {
    shards: Shards<Log>,
}

impl Windows {
    pub(super) fn check(&self, window: Window, key: Key, now: Timestamp) -> Decision {
        let key = key.under(window.tag);
        let mut shard = self.shards.lock(self.shards.index(&key));
        shard.tidy(now.0);
        let fresh = || Log { per: window.per, passed: VecDeque::new() };
        let log = shard.states.entry(key).or_insert_with(fresh);
        log.settle(now.0);

        let passes = log.passed.len() < window.limit as usize;
        if passes {
            // a request that read the clock just before its predecessor counts as simultaneous with it
            let at = log.passed.back().map_or(now.0, |last| now.0.max(*last));
            log.passed.push_back(at);
        }
        let standing = log.standing(window, now.0);
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

/// What is left of a window in which `used` requests passed, the first of them at `oldest`.
pub(super) fn standing(window: Window, used: u32, oldest: Option<i64>, now: i64) -> Standing {
    let reset_after = oldest.map_or(Duration::ZERO, |oldest| span(oldest.saturating_add(window.per) - now));
    Standing {
        name: window.name,
        limit: window.limit,
        per: span(window.per),
        remaining: window.limit.saturating_sub(used),
        reset_after,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TWENTY: Window = Window::new("twenty", 20, 60);
    const SECOND: i64 = 1_000_000;

    fn key() -> Key {
        Key::id("route", 7)
    }

    #[test]
    fn twenty_pass_and_the_next_waits_for_the_first_to_leave() {
        let windows = Windows::default();
        let start = 1_767_225_600 * SECOND;
        for n in 0..20 {
            let decision = windows.check(TWENTY, key(), Timestamp(start + i64::from(n)));
            assert!(decision.allowed());
            assert_eq!(decision.standing.remaining, 19 - n);
            assert_eq!(decision.retry_after(), None);
        }
        let refused = windows.check(TWENTY, key(), Timestamp(start + 20));
        assert_eq!(
            (refused.allowed(), refused.retry_after(), refused.standing.remaining),
            (false, Some(60), 0)
        );
        assert!(!windows.check(TWENTY, key(), Timestamp(start + 60 * SECOND - 1)).allowed());
        assert!(windows.check(TWENTY, key(), Timestamp(start + 60 * SECOND)).allowed());
        assert!(!windows.check(TWENTY, key(), Timestamp(start + 60 * SECOND)).allowed());
        assert!(windows.check(TWENTY, key(), Timestamp(start + 60 * SECOND + 1)).allowed());
    }

    #[test]
    fn traffic_at_the_limit_is_never_refused() {
        let windows = Windows::default();
        for n in 0..1_000 {
            assert!(windows.check(TWENTY, key(), Timestamp(n * 3 * SECOND)).allowed(), "request {n}");
        }
    }

    #[test]
    fn keys_do_not_share() {
        let windows = Windows::default();
        let now = Timestamp(0);
        while windows.check(TWENTY, key(), now).allowed() {}
        assert!(windows.check(TWENTY, Key::id("route", 8), now).allowed());
        assert!(windows.check(TWENTY, Key::id("other", 7), now).allowed());
        assert!(windows.check(Window::new("other", 20, 60), key(), now).allowed());
    }

    #[test]
    fn a_clock_set_back_locks_nobody_out() {
        let windows = Windows::default();
        let late = Timestamp(3_600 * SECOND);
        while windows.check(TWENTY, key(), late).allowed() {}
        for n in 0..20 {
            assert!(windows.check(TWENTY, key(), Timestamp(n)).allowed());
        }
        assert!(!windows.check(TWENTY, key(), Timestamp(20)).allowed());
    }

    #[test]
    fn requests_that_overtake_each_other_are_all_counted() {
        let windows = Windows::default();
        let passed = (0..40).filter(|n| windows.check(TWENTY, key(), Timestamp(100 - n)).allowed());
        assert_eq!(passed.count(), 20);
    }

    #[test]
    fn idle_keys_are_forgotten() {
        let windows = Windows::default();
        for id in 0..1_000 {
            let _ = windows.check(TWENTY, Key::id("route", id), Timestamp(id));
        }
        assert_eq!(windows.evict(Timestamp(60 * SECOND - 1)), 0);
        assert_eq!(windows.evict(Timestamp(60 * SECOND)), 1);
        assert_eq!(windows.evict(Timestamp(120 * SECOND)), 999);
        assert_eq!(windows.len(), 0);
    }

    #[test]
    fn a_stream_of_new_keys_does_not_pile_up() {
        let windows = Windows::default();
        for id in 0..400_000 {
            // ten thousand requests per second, each from a new caller that never returns; a short window
            // keeps few alive
            let _ = windows.check(
                Window { per: SECOND / 10, ..TWENTY },
                Key::id("route", id),
                Timestamp(id * 100),
            );
        }
        assert!(windows.len() < 64 * 2 * 1_024 + 2_000, "{}", windows.len());
    }

    #[test]
    fn a_peek_tells_what_a_check_would_and_counts_nothing() {
        let (windows, window) = (Windows::default(), Window::new("peek", 2, 60));
        for used in 0..2 {
            for _ in 0..5 {
                let seen = windows.peek(window, key(), Timestamp(used));
                assert!(seen.allowed());
                assert_eq!(i64::from(seen.standing.remaining), 2 - used);
            }
            assert!(windows.check(window, key(), Timestamp(used)).allowed());
        }
        let refused = windows.check(window, key(), Timestamp(5 * SECOND));
        assert_eq!(windows.peek(window, key(), Timestamp(5 * SECOND)), refused);
        assert_eq!(refused.wait, Some(span(55 * SECOND)));
        assert!(windows.peek(window, key(), Timestamp(60 * SECOND)).allowed());
        // a key nobody used is not remembered for being looked at
        assert!(windows.peek(window, Key::id("other", 7), Timestamp(0)).allowed());
        assert_eq!(windows.len(), 1);
    }

    proptest! {
        /// Against the naive model: a list of everything that passed, counted anew each time.
        #[test]
        fn decisions_equal_the_naive_model(
            limit in 1_u32..8,
            steps in proptest::collection::vec(0_i64..40 * SECOND, 1..120),
        ) {
            let (windows, window) = (Windows::default(), Window::new("model", limit, 60));
            let mut passed: Vec<i64> = Vec::new();
            let mut now = 0;
            for step in steps {
                now += step;
                let counted: Vec<i64> = passed.iter().copied().filter(|at| now - at < 60 * SECOND).collect();
                let decision = windows.check(window, key(), Timestamp(now));
                prop_assert_eq!(decision.allowed(), counted.len() < limit as usize);
                if decision.allowed() {
                    passed.push(now);
                    prop_assert_eq!(decision.standing.remaining as usize, limit as usize - counted.len() - 1);
                } else {
                    let retry = i64::from(decision.retry_after().unwrap());
                    prop_assert!((1..=60).contains(&retry));
                    prop_assert_eq!(span(counted[0] + 60 * SECOND - now), decision.wait.unwrap());
                    // waiting as told makes the next one pass
                    now += retry * SECOND;
                    prop_assert!(windows.check(window, key(), Timestamp(now)).allowed());
                    passed.push(now);
                }
            }
        }
    }
}
