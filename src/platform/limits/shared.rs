//! Limits that several nodes keep together: what the place of their state must do, and how long a node waits for it.

use std::fmt::Debug;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::future::BoxFuture;
use parking_lot::Mutex;
use thiserror::Error;

use super::rows::{Rate, Window};
use super::{Decision, Key, SKEW_MICROS, Standing, Wait, bucket, span, window};
use crate::domain::time::Timestamp;
use crate::platform::clock::Clock;
use crate::platform::metrics::RATE_LIMIT_FALLBACKS;

/// How long a node that met trouble with the shared state goes without it: waiting anew in every request would slow
/// all of them down.
const REST: Duration = Duration::from_secs(1);

/// Why a node decides by itself: the labels of the metric.
const REASONS: [&str; 3] = ["slow", "failed", "resting"];

/// A caller on a route under a row of limits.
pub type SharedKey = [u8; 24];

/// Why the shared state gave no answer; for logs.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("the shared state of the rate limits: {0}")]
pub struct SharedFailure(pub String);

/// An answer of the shared state.
pub type Answer<'a, T> = BoxFuture<'a, Result<T, SharedFailure>>;

/// Where a request stands in its window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counted {
    /// Whether it was counted.
    pub passes: bool,
    /// How many in the window passed, with this one if it did.
    pub used: u32,
    /// When the first of them did, in microseconds; none when none did.
    pub oldest: Option<i64>,
}

/// One bucket to take a token from. Microseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Take {
    /// Whose.
    pub key: SharedKey,
    /// The time one token takes to come back.
    pub step: i64,
    /// The time an empty bucket takes to fill.
    pub depth: i64,
}

/// What became of taking from several buckets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TakenAll {
    /// How long until all of them would give, in microseconds; 0 or less when they did.
    pub wait: i64,
    /// When each is full again, in the order they were asked for, counted without what was taken now.
    pub full_ats: Vec<i64>,
}

/// The state of the limits as nodes share it. The store implements it.
///
/// A time more than `skew` microseconds before the latest that a key has seen means that the clock was set back: the
/// key starts afresh. One that is less before it counts as the latest. Calls may be dropped half-way.
pub trait SharedLimits: Debug + Send + Sync + 'static {
    /// Counts a request at `now` if fewer than `limit` passed in the `per` microseconds before it; a refused one
    /// leaves no trace.
    fn count(&self, key: SharedKey, limit: u32, per: i64, now: Timestamp, skew: i64) -> Answer<'_, Counted>;

    /// Where a request at `now` would stand in its window, without counting it; as far as it `passes`, nothing is said.
    fn standing(&self, key: SharedKey, per: i64, now: Timestamp, skew: i64) -> Answer<'_, Counted>;

    /// Takes one token from every bucket, or none from any.
    fn take(&self, takes: Vec<Take>, now: Timestamp, skew: i64) -> Answer<'_, TakenAll>;

    /// When each bucket is full again, in the order they are asked for, without taking anything.
    fn full_ats(&self, keys: Vec<SharedKey>, now: Timestamp, skew: i64) -> Answer<'_, Vec<i64>>;

    /// Puts back what was taken.
    fn give_back(&self, takes: Vec<Take>) -> Answer<'_, ()>;

    /// Forgets everything.
    fn reset(&self) -> Answer<'_, ()>;

    /// Forgets what makes no difference at `now` any more.
    fn forget_idle(&self, now: Timestamp) -> Answer<'_, ()>;
}

/// The shared state as this node reaches it.
#[derive(Debug)]
pub(super) struct Shared {
    state: Arc<dyn SharedLimits>,
    /// How long a request waits for it.
    patience: Duration,
    clock: Clock,
    /// Until when this node goes without it.
    resting: Mutex<Option<Instant>>,
}

impl Shared {
    pub(super) fn new(state: Arc<dyn SharedLimits>, patience: Duration, clock: Clock) -> Self {
        for reason in REASONS {
            metrics::counter!(RATE_LIMIT_FALLBACKS, "reason" => reason).increment(0);
        }
        Self { state, patience, clock, resting: Mutex::new(None) }
    }

    /// The decision of all nodes; `None` when this node must decide by itself.
    pub(super) async fn check(&self, window: Window, key: Key, now: Timestamp) -> Option<Decision> {
        let key = key.under(window.tag).to_bytes();
        let counted = self.ask(|state| state.count(key, window.limit, window.per, now, SKEW_MICROS)).await?;
        let standing = window::standing(window, counted.used, counted.oldest, now.0);
        Some(Decision { standing, wait: (!counted.passes).then_some(standing.reset_after) })
    }

    /// What [`Shared::check`] would say, without counting.
    pub(super) async fn peek(&self, window: Window, key: Key, now: Timestamp) -> Option<Decision> {
        let key = key.under(window.tag).to_bytes();
        let counted = self.ask(|state| state.standing(key, window.per, now, SKEW_MICROS)).await?;
        let standing = window::standing(window, counted.used, counted.oldest, now.0);
        Some(Decision { standing, wait: (standing.remaining == 0).then_some(standing.reset_after) })
    }

    /// What is left in some buckets, without taking anything.
    pub(super) async fn peek_all(&self, takes: &[(Key, Rate)], now: Timestamp) -> Option<Vec<Standing>> {
        let keys = || takes.iter().map(|(key, rate)| key.under(rate.tag).to_bytes()).collect();
        let full_ats = self.ask(|state| state.full_ats(keys(), now, SKEW_MICROS)).await?;
        let standings = takes.iter().zip(full_ats);
        Some(standings.map(|((_, rate), full_at)| bucket::standing(*rate, full_at, now.0)).collect())
    }

    /// The decision of all nodes; `None` when this node must decide by itself.
    pub(super) async fn take_all(
        &self,
        takes: &[(Key, Rate)],
        now: Timestamp,
    ) -> Option<Result<Vec<Standing>, Wait>> {
        let TakenAll { wait, full_ats } =
            self.ask(|state| state.take(asked(takes), now, SKEW_MICROS)).await?;
        let taken = wait <= 0;
        let standings = takes.iter().zip(full_ats).map(|((_, rate), full_at)| {
            bucket::standing(*rate, if taken { full_at + rate.step() } else { full_at }, now.0)
        });
        let standings = standings.collect();
        Some(if taken { Ok(standings) } else { Err(Wait { standings, wait: span(wait) }) })
    }

    /// Puts back what was taken; what cannot be put back in time is lost until the buckets fill again.
    pub(super) async fn give_back(&self, takes: &[(Key, Rate)]) {
        self.ask(|state| state.give_back(asked(takes))).await;
    }

    pub(super) async fn reset(&self) -> Result<(), SharedFailure> {
        self.state.reset().await
    }

    pub(super) async fn forget_idle(&self, now: Timestamp) -> Result<(), SharedFailure> {
        self.state.forget_idle(now).await
    }

    async fn ask<'a, T>(&'a self, work: impl FnOnce(&'a dyn SharedLimits) -> Answer<'a, T>) -> Option<T> {
        if self.is_resting() {
            fallback("resting");
            return None;
        }
        match tokio::time::timeout(self.patience, work(&*self.state)).await {
            Ok(Ok(answer)) => return Some(answer),
            Ok(Err(failure)) => {
                fallback("failed");
                tracing::warn!(%failure, "this node decides by itself");
            }
            Err(_) => {
                fallback("slow");
                tracing::warn!("the shared state of the rate limits is slow: this node decides by itself");
            }
        }
        *self.resting.lock() = Some(self.clock.instant() + REST);
        None
    }

    fn is_resting(&self) -> bool {
        let mut resting = self.resting.lock();
        if resting.is_some_and(|until| self.clock.instant() >= until) {
            *resting = None;
        }
        resting.is_some()
    }
}

fn asked(takes: &[(Key, Rate)]) -> Vec<Take> {
    let take = |(key, rate): &(Key, Rate)| Take {
        key: key.under(rate.tag).to_bytes(),
        step: rate.step(),
        depth: rate.depth(),
    };
    takes.iter().map(take).collect()
}

fn fallback(reason: &'static str) {
    metrics::counter!(RATE_LIMIT_FALLBACKS, "reason" => reason).increment(1);
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use metrics_exporter_prometheus::PrometheusBuilder;

    use super::*;
    use crate::platform::limits::{LIST, Limits, SEND_DESTINATION};

    /// How a state answers.
    #[derive(Clone, Copy, Debug)]
    enum Mood {
        Well,
        Silent,
        Broken,
    }

    /// A state whose window has one place left for ever, and whose buckets are always full.
    #[derive(Debug)]
    struct Moody {
        mood: Mutex<Mood>,
        asked: AtomicU32,
    }

    impl Moody {
        fn answer<T: Send + 'static>(&self, well: T) -> Answer<'_, T> {
            self.asked.fetch_add(1, Ordering::Relaxed);
            match *self.mood.lock() {
                Mood::Well => Box::pin(async { Ok(well) }),
                Mood::Silent => Box::pin(std::future::pending()),
                Mood::Broken => Box::pin(async { Err(SharedFailure("it is gone".to_owned())) }),
            }
        }
    }

    impl SharedLimits for Moody {
        fn count(&self, _: SharedKey, limit: u32, _: i64, now: Timestamp, _: i64) -> Answer<'_, Counted> {
            self.answer(Counted { passes: true, used: limit, oldest: Some(now.0) })
        }

        fn standing(&self, _: SharedKey, _: i64, _: Timestamp, _: i64) -> Answer<'_, Counted> {
            self.answer(Counted { passes: true, used: 0, oldest: None })
        }

        fn full_ats(&self, keys: Vec<SharedKey>, now: Timestamp, _: i64) -> Answer<'_, Vec<i64>> {
            self.answer(vec![now.0; keys.len()])
        }

        fn take(&self, takes: Vec<Take>, now: Timestamp, _: i64) -> Answer<'_, TakenAll> {
            self.answer(TakenAll { wait: 0, full_ats: vec![now.0; takes.len()] })
        }

        fn give_back(&self, _: Vec<Take>) -> Answer<'_, ()> {
            self.answer(())
        }

        fn reset(&self) -> Answer<'_, ()> {
            self.answer(())
        }

        fn forget_idle(&self, _: Timestamp) -> Answer<'_, ()> {
            self.answer(())
        }
    }

    async fn passed(limits: &Limits, key: Key) -> usize {
        let mut passed = 0;
        for _ in 0..30 {
            passed += usize::from(limits.check(LIST, key, Timestamp(0)).await.allowed());
        }
        passed
    }

    async fn trouble_is_bridged(mood: Mood) {
        let state = Arc::new(Moody { mood: Mutex::new(Mood::Well), asked: AtomicU32::new(0) });
        let limits = Limits::shared(state.clone(), Duration::from_millis(20), Clock::system());
        let key = Key::id("x", 1);
        for _ in 0..15 {
            assert_eq!(
                limits.check(LIST, key, Timestamp(0)).await.standing.remaining,
                0,
                "as the state says"
            );
        }
        *state.mood.lock() = mood;
        let before = state.asked.load(Ordering::Relaxed);
        // what passed by the state counts here too, and the trouble is met once
        assert_eq!(passed(&limits, key).await, 5);
        assert_eq!(passed(&limits, Key::id("x", 2)).await, 20);
        let taken = limits.take_all(&[(key, SEND_DESTINATION)], Timestamp(0)).await.unwrap();
        assert_eq!(taken.standings[0].remaining, 4);
        limits.give_back(&taken).await;
        assert_eq!(state.asked.load(Ordering::Relaxed), before + 1);
        // after the rest it is asked again
        *state.mood.lock() = Mood::Well;
        let begun = Clock::system().instant();
        while !limits.check(LIST, key, Timestamp(0)).await.allowed() {
            assert!(begun.elapsed() < Duration::from_secs(20), "the state is not asked again");
            tokio::task::yield_now().await;
        }
        assert!(begun.elapsed() >= REST / 2);
    }

    #[test]
    fn a_node_decides_by_itself_while_the_state_is_slow_or_gone() {
        let recorder = PrometheusBuilder::new().build_recorder();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        metrics::with_local_recorder(&recorder, || {
            for mood in [Mood::Silent, Mood::Broken] {
                runtime.block_on(trouble_is_bridged(mood));
            }
        });
        let text = recorder.handle().render();
        for line in [r#"{reason="slow"} 1"#, r#"{reason="failed"} 1"#, r#"{reason="resting"}"#] {
            assert!(text.contains(&format!("{RATE_LIMIT_FALLBACKS}{line}")), "{line} is missing in\n{text}");
        }
    }
}
