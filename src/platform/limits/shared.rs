//! What the place that nodes share their limits through must do, and how long a node waits for it.

use std::fmt::Debug;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::future::BoxFuture;
use parking_lot::Mutex;
use thiserror::Error;

use super::rows::ExactWindow;
use super::{Decision, Key, SKEW_MICROS, window};
use crate::domain::time::Timestamp;
use crate::platform::clock::Clock;
use crate::platform::metrics::RATE_LIMIT_FALLBACKS;

/// How long a node that met trouble with the shared state goes without it: waiting anew in every request would slow
/// all of them down.
pub(super) const REST: Duration = Duration::from_secs(1);

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

/// What a node let pass under one key; both parts are opaque to the state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Published {
    pub key: Vec<u8>,
    /// Replaces what the node published of the key before.
    pub record: Vec<u8>,
}

/// What a node publishes, and from where on it wants to know of others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Batch {
    /// The publishing process. A process that is started anew has another number.
    pub node: i64,
    /// The epoch that the records belong to.
    pub epoch: i64,
    /// By the state's own clock, in microseconds: only records published later are wanted.
    pub since: i64,
    /// In ascending order of keys, each of which is there once.
    pub rows: Vec<Published>,
}

/// What a node learns in return.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Learned {
    /// The state's own clock, in microseconds.
    pub now: i64,
    /// Grows with each reset. Records of other epochs do not count.
    pub epoch: i64,
    /// Records of other nodes in the order of their publication.
    pub rows: Vec<LearnedRow>,
    /// There are more records, published after the last of these.
    pub has_more: bool,
}

/// A record of another node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LearnedRow {
    pub node: i64,
    pub published: Published,
    /// By the state's own clock, in microseconds.
    pub published_at: i64,
}

/// The state of the limits as nodes share it. The store implements it. Calls may be dropped half-way.
pub trait SharedLimits: Debug + Send + Sync + 'static {
    /// Counts a request at `now` if fewer than `limit` passed in the `per` microseconds before it; a refused one
    /// leaves no trace.
    ///
    /// A time more than `skew` microseconds before the latest that a key has seen means that the clock was set back:
    /// the key starts afresh. One that is less before it counts as the latest.
    fn count(&self, key: SharedKey, limit: u32, per: i64, now: Timestamp, skew: i64) -> Answer<'_, Counted>;

    /// Where a request at `now` would stand in its window, without counting it; as far as it `passes`, nothing is said.
    fn standing(&self, key: SharedKey, per: i64, now: Timestamp, skew: i64) -> Answer<'_, Counted>;

    /// Publishes what a node let pass, and returns what others did.
    fn exchange(&self, batch: Batch) -> Answer<'_, Learned>;

    /// Forgets everything and begins another epoch, which it returns.
    fn reset(&self) -> Answer<'_, i64>;

    /// Forgets what makes no difference at `now` any more.
    fn forget_idle(&self, now: Timestamp) -> Answer<'_, ()>;
}

/// The shared state as the exact limits of this node reach it.
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
    pub(super) async fn check(
        &self,
        ExactWindow(window): ExactWindow,
        key: Key,
        now: Timestamp,
    ) -> Option<Decision> {
        let key = key.under(window.tag).to_bytes();
        let (limit, per) = (window.limit, window.counted());
        let counted = self.ask(|state| state.count(key, limit, per, now, SKEW_MICROS)).await?;
        let standing = window::standing(window, counted.used, counted.oldest, now.0);
        Some(Decision { standing, wait: (!counted.passes).then_some(standing.reset_after) })
    }

    /// What [`Shared::check`] would say, without counting.
    pub(super) async fn peek(
        &self,
        ExactWindow(window): ExactWindow,
        key: Key,
        now: Timestamp,
    ) -> Option<Decision> {
        let key = key.under(window.tag).to_bytes();
        let counted = self.ask(|state| state.standing(key, window.counted(), now, SKEW_MICROS)).await?;
        let standing = window::standing(window, counted.used, counted.oldest, now.0);
        Some(Decision { standing, wait: (standing.remaining == 0).then_some(standing.reset_after) })
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
                tracing::warn!(%failure, "failed to ask for a shared rate limit; deciding alone for a second");
            }
            Err(_) => {
                fallback("slow");
                tracing::warn!("the shared rate limits are slow; deciding alone for a second");
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

/// Counts a decision or an exchange that this node did without the shared state.
pub(super) fn fallback(reason: &'static str) {
    metrics::counter!(RATE_LIMIT_FALLBACKS, "reason" => reason).increment(1);
}

#[cfg(test)]
mod tests;
