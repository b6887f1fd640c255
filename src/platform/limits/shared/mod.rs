//! The interface of the limit state that nodes share, and the client with which a node queries it.

use std::fmt::Debug;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::future::BoxFuture;
use parking_lot::Mutex;
use thiserror::Error;

use super::counters::ExactWindow;
use super::{LimitDecision, LimitKey, SKEW_MICROS, window};
use crate::domain::time::Timestamp;
use crate::platform::clock::Clock;
use crate::platform::metrics::RATE_LIMIT_FALLBACKS;

/// How long a node does not use the shared state after a failure. Without this pause, every request would wait until
/// the timeout.
pub(super) const BACKOFF: Duration = Duration::from_secs(1);

/// The reasons for which a node decides locally, as labels of the metric. A node that waits for the end of [`BACKOFF`]
/// has the reason `resting`.
const REASONS: [&str; 3] = ["slow", "failed", "resting"];

/// The key of a caller on a route under a limit.
pub type SharedKey = [u8; 24];

/// Why the shared state failed; for logs.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("the shared state of the rate limits: {0}")]
pub struct SharedFailure(pub String);

/// A response of the shared state.
pub type StateFuture<'a, T> = BoxFuture<'a, Result<T, SharedFailure>>;

/// The position of a request in its window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WindowPosition {
    /// Whether the request was counted.
    pub passes: bool,
    /// Number of counted requests in the window, including this one if it was counted.
    pub used: u32,
    /// When the oldest of the counted requests was counted, in microseconds; `None` if there is none.
    pub oldest: Option<i64>,
}

/// The requests that a node allowed for one key. The shared state does not interpret the two fields.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Published {
    pub key: Vec<u8>,
    /// The record. It replaces the earlier record of the node for this key.
    pub record: Vec<u8>,
}

/// A request to exchange records: publishes records of a node, and reads the records of other nodes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordBatch {
    /// The number of the publishing process. A restarted process has another number.
    pub node: i64,
    /// The epoch of the records.
    pub epoch: i64,
    /// A time by the state's clock, in microseconds. Only records that were published later are returned.
    pub since: i64,
    /// In ascending order of distinct keys.
    pub rows: Vec<Published>,
}

/// The result of an exchange.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExchangeResult {
    /// The state's clock, in microseconds.
    pub now: i64,
    /// Increases with each reset. Records of other epochs do not count.
    pub epoch: i64,
    /// Records of other nodes in the order of their publication.
    pub rows: Vec<RemoteRecord>,
    /// Whether there are possibly more records than those in `rows`. The remaining records were published at the time
    /// of the last row or later.
    pub has_more: bool,
}

/// A record of another node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RemoteRecord {
    pub node: i64,
    pub published: Published,
    /// By the state's clock, in microseconds.
    pub published_at: i64,
}

/// The limit state shared by nodes, implemented by the store. The caller may drop the future of any call.
pub trait SharedLimits: Debug + Send + Sync + 'static {
    /// Counts a request at `now` if fewer than `limit` requests were allowed in the `per` microseconds before `now`. A
    /// rejected request is not counted.
    ///
    /// Times of a key that are at most `skew` microseconds after `now` count as well. Later times do not count, because
    /// they show that the clock was set back. The next counted request removes these times.
    fn count(
        &self,
        key: SharedKey,
        limit: u32,
        per: i64,
        now: Timestamp,
        skew: i64,
    ) -> StateFuture<'_, WindowPosition>;

    /// Returns the position of a request at `now` in its window, without counting the request. The field `passes` of
    /// the result has no meaning.
    fn position(
        &self,
        key: SharedKey,
        per: i64,
        now: Timestamp,
        skew: i64,
    ) -> StateFuture<'_, WindowPosition>;

    /// Publishes the requests that a node allowed, and returns the records of other nodes.
    fn exchange(&self, batch: RecordBatch) -> StateFuture<'_, ExchangeResult>;

    /// Deletes all counts, starts a new epoch and returns the epoch.
    fn reset(&self) -> StateFuture<'_, i64>;

    /// Deletes the counts and records that can no longer affect a decision at `now`.
    fn purge_idle(&self, now: Timestamp) -> StateFuture<'_, ()>;
}

/// This node's access to the shared state, for exact limits.
#[derive(Debug)]
pub(super) struct SharedClient {
    state: Arc<dyn SharedLimits>,
    /// How long a request waits for the shared state.
    timeout: Duration,
    clock: Clock,
    /// The end of the [`BACKOFF`] after a failure; `None` while this node uses the shared state.
    backoff_until: Mutex<Option<Instant>>,
}

impl SharedClient {
    pub(super) fn new(state: Arc<dyn SharedLimits>, timeout: Duration, clock: Clock) -> Self {
        for reason in REASONS {
            metrics::counter!(RATE_LIMIT_FALLBACKS, "reason" => reason).increment(0);
        }
        Self { state, timeout, clock, backoff_until: Mutex::new(None) }
    }

    /// Counts a request in the shared state if the requests of all nodes together are below the limit. Returns the
    /// decision; `None` if this node must decide locally.
    pub(super) async fn check(
        &self,
        ExactWindow(window): ExactWindow,
        key: LimitKey,
        now: Timestamp,
    ) -> Option<LimitDecision> {
        let key = key.for_limit(window.tag).to_bytes();
        let (limit, per) = (window.limit, window.counted);
        let counted = self.query_state(|state| state.count(key, limit, per, now, SKEW_MICROS)).await?;
        let status = window::status(window, counted.used, counted.oldest, now.0);
        Some(LimitDecision { status, wait: (!counted.passes).then_some(status.reset_after) })
    }

    /// Returns what [`SharedClient::check`] would decide, without counting.
    pub(super) async fn peek(
        &self,
        ExactWindow(window): ExactWindow,
        key: LimitKey,
        now: Timestamp,
    ) -> Option<LimitDecision> {
        let key = key.for_limit(window.tag).to_bytes();
        let counted = self.query_state(|state| state.position(key, window.counted, now, SKEW_MICROS)).await?;
        let status = window::status(window, counted.used, counted.oldest, now.0);
        Some(LimitDecision { status, wait: (status.remaining == 0).then_some(status.reset_after) })
    }

    async fn query_state<'a, T>(
        &'a self,
        work: impl FnOnce(&'a dyn SharedLimits) -> StateFuture<'a, T>,
    ) -> Option<T> {
        if self.is_backing_off() {
            fallback("resting");
            return None;
        }
        match tokio::time::timeout(self.timeout, work(&*self.state)).await {
            Ok(Ok(answer)) => return Some(answer),
            Ok(Err(failure)) => {
                fallback("failed");
                tracing::warn!(%failure, "failed to query a shared rate limit; deciding locally for a second");
            }
            Err(_) => {
                fallback("slow");
                tracing::warn!("timed out querying a shared rate limit; deciding locally for a second");
            }
        }
        *self.backoff_until.lock() = Some(self.clock.instant() + BACKOFF);
        None
    }

    fn is_backing_off(&self) -> bool {
        let mut backoff_until = self.backoff_until.lock();
        if backoff_until.is_some_and(|until| self.clock.instant() >= until) {
            *backoff_until = None;
        }
        backoff_until.is_some()
    }
}

/// Increments the metric of decisions that were made without the shared state, and of failed exchanges.
pub(super) fn fallback(reason: &'static str) {
    metrics::counter!(RATE_LIMIT_FALLBACKS, "reason" => reason).increment(1);
}

#[cfg(test)]
mod tests;
