//! The interface of the *shared state*, and the client with which a node queries the shared state.
//!
//! The shared state is the state of the rate limits that all nodes use together. It counts the requests under exact
//! limits ([`ExactWindow`]). For all other limits, each node counts requests in memory, and the nodes exchange their
//! counts through the shared state ([`SharedLimits::exchange`]).

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

/// The pause of a node after a failure or a timeout of the shared state. The queries for exact limits and the exchanges
/// pause independently of each other. Without the pause, every request under an exact limit would wait until the
/// timeout.
pub(super) const BACKOFF: Duration = Duration::from_secs(1);

/// Why a node decided without the shared state, or why an exchange failed: the values of the label `reason` of
/// [`RATE_LIMIT_FALLBACKS`]. The shared state did not respond in time (`slow`), returned an error (`failed`), or was
/// not queried because of [`BACKOFF`] (`resting`).
const REASONS: [&str; 3] = ["slow", "failed", "resting"];

/// The bytes of a [`LimitKey`] that identifies one caller, one route and one limit.
pub type SharedKey = [u8; 24];

/// Why a call of the shared state failed, as a text for logs.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("the shared state of the rate limits: {0}")]
pub struct SharedFailure(pub String);

/// The future of a call of the shared state.
pub type StateFuture<'a, T> = BoxFuture<'a, Result<T, SharedFailure>>;

/// The state of a key's window at the time of a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WindowPosition {
    /// Whether the request was allowed and counted.
    pub passes: bool,
    /// Number of counted requests in the window, including this request if it was counted.
    pub used: u32,
    /// Time of the oldest counted request, in microseconds; `None` if no request is counted.
    pub oldest: Option<i64>,
}

/// A record with its key. A *record* has the requests that one node allowed for one key. The shared state stores records
/// and keys as bytes, and does not interpret them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Published {
    pub key: Vec<u8>,
    /// Replaces the earlier record of the same node for the same key.
    pub record: Vec<u8>,
}

/// A request to exchange records: publishes records of a node, and reads the records of other nodes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordBatch {
    /// The number of the process that publishes. A restarted process has another number.
    pub node: i64,
    /// The epoch ([`ExchangeResult::epoch`]) in which the node has counted the requests of the records.
    pub epoch: i64,
    /// A time by the shared state's clock, in microseconds. Only records that were published later are returned.
    pub since: i64,
    /// The records to publish, in ascending order of their keys. No key occurs twice.
    pub rows: Vec<Published>,
}

/// The result of an exchange.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExchangeResult {
    /// The time of the shared state's clock, in microseconds.
    pub now: i64,
    /// The number of the current epoch. Each reset of the limits starts a new epoch with a higher number. Records of
    /// earlier epochs do not count.
    pub epoch: i64,
    /// Records of other nodes in the order of their publication.
    pub rows: Vec<RemoteRecord>,
    /// Whether `rows` possibly lacks records. The missing records were published at the same time as the last record
    /// in `rows`, or later.
    pub has_more: bool,
}

/// A record of another node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RemoteRecord {
    pub node: i64,
    pub published: Published,
    /// Time of the publication by the shared state's clock, in microseconds.
    pub published_at: i64,
}

/// The shared state. The store implements this trait. The caller may drop the future of any call.
pub trait SharedLimits: Debug + Send + Sync + 'static {
    /// Counts a request at `now` if fewer than `limit` requests were allowed in the `per` microseconds before `now`. A
    /// rejected request is not counted.
    ///
    /// Requests that were counted at most `skew` microseconds after `now` count as well. Requests with a later time do
    /// not count, because their time shows that the clock was set back. They are deleted when the next request of the
    /// key is counted.
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

    /// Publishes records of one node, and returns records of other nodes.
    fn exchange(&self, batch: RecordBatch) -> StateFuture<'_, ExchangeResult>;

    /// Deletes the counts of exact limits and starts a new epoch. Returns the number of the new epoch.
    fn reset(&self) -> StateFuture<'_, i64>;

    /// Deletes counts and records that can no longer affect a decision at `now`. May keep some of them until a later
    /// call.
    fn purge_idle(&self, now: Timestamp) -> StateFuture<'_, ()>;
}

/// The client of the shared state for exact limits.
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
    /// decision; `None` if the shared state gave no decision, so that this node must decide alone.
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

    /// Returns what [`SharedClient::check`] would decide, with the status before the request. Does not count the
    /// request.
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

/// Counts, in the metric [`RATE_LIMIT_FALLBACKS`], a decision without the shared state or a failed exchange.
pub(super) fn fallback(reason: &'static str) {
    metrics::counter!(RATE_LIMIT_FALLBACKS, "reason" => reason).increment(1);
}

#[cfg(test)]
mod tests;
