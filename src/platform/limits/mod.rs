//! Rate limits (D-191 to D-196, D-371).
//!
//! There are two algorithms:
//!
//! - A [`Window`] is a sliding log of the times of allowed requests. A request counts for the length of the window
//!   minus a tolerance. While `limit` or more requests count, further requests are rejected. If several nodes
//!   exchange these times, there is one exception: a request is allowed if the `Retry-After` of a rejection has
//!   elapsed, and no request was allowed since that rejection.
//! - A [`Rate`] is a token bucket that refills steadily and allows bursts. If a request needs tokens of several
//!   buckets, it takes one from each or none at all.
//!
//! Neither algorithm counts rejected requests. Both tolerate the jitter of clients that pace themselves by their own
//! clocks.
//!
//! The state of windows and buckets is in this process's memory, so decisions do not wait. Several nodes on one
//! database exchange the times of allowed requests a few times a second ([`exchange`]). So all nodes together allow
//! about as many requests as a single node would. The difference is due to requests since the last exchange.
//!
//! For an [`ExactWindow`], requests are counted in the state that all nodes share, which is in PostgreSQL
//! ([`SharedLimits`]). If the nodes share no state, or while the shared state is slow or unavailable, the node decides
//! by its own state. A request is never rejected because the shared state fails (D-195).
//!
//! [`table`] is the table of all limits: their numbers, and the callers whose requests are counted together.
//!
//! A limit is a guarantee to the caller, so every inaccuracy must be in the caller's favour. For example, if the clock
//! was set back by more than a second, a bucket becomes full, and a window drops the times that are more than a second
//! in the future. Code that checks a limit reads the time from [`crate::platform::clock::Clock`] and passes it as an
//! argument.

mod bucket;
mod counters;
mod exchange;
mod headers;
mod key;
mod per;
mod record;
mod shards;
mod shared;
mod table;
mod window;

use std::{sync::Arc, time::Duration};

pub use counters::{ExactWindow, Rate, Window};
pub use headers::{policy_header, status_header};
pub use key::LimitKey;
pub use per::{
    EachOperation, Limit, LimitSubject, PerAccount, PerAddress, PerApp, PerClient, PerClientAtAddress,
    PerDestination, PerEmailAtAddress, PerEmployee, PerHost, PerHostAtAddress, PerInstallation, PerUrl,
    PerWideNetwork,
};
pub use shared::{
    ExchangeResult, Published, RecordBatch, RemoteRecord, SharedFailure, SharedKey, SharedLimits,
    StateFuture, WindowPosition,
};
pub use table::{
    ADMIN, ASSISTANT_OAUTH, AUTHORIZE, AssistantOauthLimits, BOT_OAUTH, BotOauthLimits, DOCUMENT_FETCHES,
    DocumentFetchLimits, FORMS, LARGE_BODY, LIST, MESSAGE_FILES, OperationLimits, PAGES, REFERENCE, REGISTER,
    SEND, SIGN_IN, SendLimits, limits_of, mcp,
};

use crate::{
    domain::time::Timestamp,
    platform::{clock::Clock, metrics::RATE_LIMITED},
};

/// If a time is more than this number of microseconds earlier than the previous one, the limits assume that the clock
/// was set back. Smaller steps backwards have three other causes:
///
/// - threads read the clock before they take the lock, so a request can have a slightly older time than the previous
///   request;
/// - a request that waited is counted at the earlier time of its arrival ([`counted_at`]);
/// - the clocks of nodes that share limits differ a little.
const SKEW_MICROS: i64 = 1_000_000;

/// The maximum age of the time at which a request is counted ([`counted_at`]). It is less than [`SKEW_MICROS`]. So the
/// limits do not take the time of a request that waited as a sign that the clock was set back.
const MAX_COUNTED_AGE: Duration = Duration::from_millis(500);

/// Returns the time at which a request is counted: the time of its arrival, but at most half a second before `now` and
/// never after `now`. So a client that paces itself is not rejected because one of its requests waited on the server,
/// for example for a connection to the database.
#[must_use]
pub fn counted_at(arrived: Timestamp, now: Timestamp) -> Timestamp {
    arrived.clamp(now - MAX_COUNTED_AGE, now)
}

/// The rate limits of a process.
#[derive(Debug)]
pub struct Limits {
    windows: window::Windows,
    buckets: bucket::Buckets,
    /// This node's own state of the exact windows, used while `shared` gives no decision.
    exact: window::Windows,
    /// The exact windows of all nodes together; `None` if this node shares no limits.
    shared: Option<shared::SharedClient>,
    /// The exchange of the counts of `windows` and `buckets`; `None` if this node shares no limits.
    exchange: Option<exchange::CountExchange>,
    scale: u32,
}

/// The status of a limit for one caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimitStatus {
    /// The name shown in the response headers.
    pub name: &'static str,
    /// Number of requests that the window allows in the time `per`; for a bucket, its burst.
    pub limit: u32,
    /// Length of the window; for a bucket, the time that an empty bucket takes to fill.
    pub per: Duration,
    /// Number of further requests that would be allowed now.
    pub remaining: u32,
    /// Time until `remaining` increases; zero if `remaining` is at its maximum.
    pub reset_after: Duration,
}

/// The result of [`Limits::check`], [`Limits::peek`], [`Limits::check_exact`] or [`Limits::peek_exact`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimitDecision {
    /// The status of the limit.
    pub status: LimitStatus,
    /// `None` if the request is allowed; if it is rejected, the time until a request would be allowed.
    pub wait: Option<Duration>,
}

impl LimitDecision {
    /// Returns whether the request is allowed.
    #[must_use]
    pub fn allowed(&self) -> bool {
        self.wait.is_none()
    }

    /// Returns the `Retry-After` of a rejected request, in seconds (D-086).
    #[must_use]
    pub fn retry_after(&self) -> Option<u32> {
        self.wait.map(whole_seconds)
    }
}

/// A rejection of a request that was checked against one or more limits. If a bucket rejected the request
/// ([`Limits::take_all`]), no token was taken from any bucket. If a window rejected the request, the windows that were
/// checked before this window have counted the request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RateLimited {
    /// The status of each limit that was checked, in the order of the checks.
    pub statuses: Vec<LimitStatus>,
    /// Time until all limits that rejected the request would allow a request.
    pub wait: Duration,
}

impl RateLimited {
    /// Returns the `Retry-After`, in seconds (D-086).
    #[must_use]
    pub fn retry_after(&self) -> u32 {
        whole_seconds(self.wait)
    }
}

/// The tokens taken by [`Limits::take_all`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// The status of each bucket, in the order of [`Taken::takes`].
    pub statuses: Vec<LimitStatus>,
    takes: Vec<(LimitKey, Rate)>,
    at: Timestamp,
}

impl Taken {
    /// Returns whether the tokens were taken from these buckets.
    #[must_use]
    pub fn is_of(&self, takes: &[(LimitKey, Rate)]) -> bool {
        self.takes == takes
    }

    /// Returns the buckets from which tokens were taken.
    #[must_use]
    pub fn takes(&self) -> &[(LimitKey, Rate)] {
        &self.takes
    }
}

impl Limits {
    /// Creates limits in this process's memory. `scale` multiplies every limit, for load tests; 1 for the documented
    /// limits.
    #[must_use]
    pub fn in_memory(scale: u32) -> Self {
        Self {
            windows: window::Windows::default(),
            buckets: bucket::Buckets::default(),
            exact: window::Windows::default(),
            shared: None,
            exchange: None,
            scale: scale.max(1),
        }
    }

    /// Creates limits that several nodes share through `state`; `node` must be unique to this process.
    /// [`Limits::keep_exchanging`] must run, because it exchanges the counts between the nodes. If the shared state
    /// fails, or takes longer than `timeout` to decide an exact window, this node decides exact windows by its own
    /// state for the next second.
    #[must_use]
    pub fn shared(state: Arc<dyn SharedLimits>, node: i64, timeout: Duration, clock: Clock) -> Self {
        Self {
            windows: window::Windows::shared(),
            buckets: bucket::Buckets::shared(),
            exact: window::Windows::default(),
            shared: Some(shared::SharedClient::new(Arc::clone(&state), timeout, clock.clone())),
            exchange: Some(exchange::CountExchange::new(state, clock, node)),
            scale: 1,
        }
    }

    /// Counts a request of `key` against `window` if the window allows the request.
    pub fn check(&self, window: Window, key: LimitKey, now: Timestamp) -> LimitDecision {
        let decision = counted(self.windows.check(window.scaled(self.scale), key, now));
        self.note_decision();
        decision
    }

    /// Returns what [`Limits::check`] would decide, without counting.
    #[must_use]
    pub fn peek(&self, window: Window, key: LimitKey, now: Timestamp) -> LimitDecision {
        self.windows.peek(window.scaled(self.scale), key, now)
    }

    /// Counts a request of `key` against `window` if the window allows the request. The requests of all nodes together
    /// are counted.
    pub async fn check_exact(&self, window: ExactWindow, key: LimitKey, now: Timestamp) -> LimitDecision {
        counted(self.decide_exact(window, key, now).await)
    }

    /// Counts a request of `key` against `window` if the window allows the request. This method is for a request that
    /// the caller allows even if the limit is used up. So unlike [`Limits::check_exact`], it never counts a rejection
    /// in the metrics.
    pub async fn note_exact(&self, window: ExactWindow, key: LimitKey, now: Timestamp) {
        let _ = self.decide_exact(window, key, now).await;
    }

    async fn decide_exact(&self, window: ExactWindow, key: LimitKey, now: Timestamp) -> LimitDecision {
        let shared = match &self.shared {
            Some(shared) => shared.check(window, key, now).await,
            None => None,
        };
        let own = window.0.scaled(self.scale);
        match shared {
            Some(refused) if !refused.allowed() => refused,
            Some(passed) => {
                let _ = self.exact.check(own, key, now);
                passed
            }
            None => self.exact.check(own, key, now),
        }
    }

    /// Returns what [`Limits::check_exact`] would decide, without counting the request. This method is for code that
    /// does not know yet whether the request has to be counted. It can allow all of several concurrent requests,
    /// although [`Limits::check_exact`] would allow only some of them. The metrics count a rejection.
    pub async fn peek_exact(&self, window: ExactWindow, key: LimitKey, now: Timestamp) -> LimitDecision {
        let shared = match &self.shared {
            Some(shared) => shared.peek(window, key, now).await,
            None => None,
        };
        counted(shared.unwrap_or_else(|| self.exact.peek(window.0.scaled(self.scale), key, now)))
    }

    /// Returns the status of each bucket, in the order of `takes`, without taking tokens.
    #[must_use]
    pub fn peek_all(&self, takes: &[(LimitKey, Rate)], now: Timestamp) -> Vec<LimitStatus> {
        self.buckets.peek_all(takes, self.scale, now)
    }

    /// Returns the status that a full bucket of each rate has, for [`policy_header`].
    #[must_use]
    pub fn full(&self, rates: &[Rate]) -> Vec<LimitStatus> {
        rates.iter().map(|rate| bucket::full(rate.scaled(self.scale))).collect()
    }

    /// Takes one token from every bucket, or none. The pairs of key and rate must be distinct.
    ///
    /// # Errors
    /// [`RateLimited`] if a bucket has no token.
    pub fn take_all(&self, takes: &[(LimitKey, Rate)], now: Timestamp) -> Result<Taken, RateLimited> {
        let taken = self.buckets.take_all(takes, self.scale, now);
        self.note_decision();
        Ok(Taken { statuses: taken?, takes: takes.to_vec(), at: now })
    }

    /// Puts tokens back into their buckets, for a request that turns out to cost none, such as a replay or a rejected
    /// send.
    pub fn return_tokens(&self, taken: &Taken) {
        self.buckets.return_tokens(&taken.takes, self.scale, taken.at);
        self.note_decision();
    }

    /// Triggers an exchange with the other nodes.
    fn note_decision(&self) {
        if let Some(exchange) = &self.exchange {
            exchange.decided.notify_one();
        }
    }

    /// Deletes idle keys, whose counts can no longer affect a decision, in memory and in the shared state. Requests
    /// also delete idle keys gradually, but only in memory.
    ///
    /// # Errors
    /// Errors of the shared state.
    pub async fn purge_idle(&self, now: Timestamp) -> Result<(), SharedFailure> {
        self.windows.evict(now);
        self.buckets.evict(now);
        self.exact.evict(now);
        match &self.exchange {
            Some(exchange) => exchange.state().purge_idle(now).await,
            None => Ok(()),
        }
    }

    /// Resets every limit. Other nodes reset their windows and buckets with their next exchange. The other nodes keep
    /// their own state of the exact windows, but use it only while the shared state is slow or unavailable.
    ///
    /// # Errors
    /// Errors of the shared state.
    pub async fn reset(&self) -> Result<(), SharedFailure> {
        if let Some(exchange) = &self.exchange {
            exchange.reset(&self.windows, &self.buckets).await?;
        } else {
            self.windows.reset();
            self.buckets.reset();
        }
        self.exact.reset();
        Ok(())
    }

    /// Returns the number of keys in this process's memory, for the metrics.
    #[must_use]
    pub fn len(&self) -> usize {
        self.windows.len() + self.buckets.len() + self.exact.len()
    }

    /// Returns whether no keys are in memory.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Counts a rejection in the metrics.
fn counted(decision: LimitDecision) -> LimitDecision {
    if !decision.allowed() {
        count_rejection(decision.status.name);
    }
    decision
}

fn count_rejection(limit: &'static str) {
    metrics::counter!(RATE_LIMITED, "limit" => limit).increment(1);
}

/// Rounds up to whole seconds, at least one, so that a caller who waits for so many seconds waits long enough.
fn whole_seconds(wait: Duration) -> u32 {
    rounded_up(wait).max(1)
}

fn rounded_up(time: Duration) -> u32 {
    let seconds = time.as_secs().saturating_add(u64::from(time.subsec_nanos() > 0));
    u32::try_from(seconds).unwrap_or(u32::MAX)
}

/// Returns the promise that a `Retry-After` makes to a caller who was rejected at `now`: a request passes after `wait`,
/// rounded up to whole seconds.
fn promised(wait: Duration, now: i64) -> record::Promise {
    let wait = i64::from(whole_seconds(wait)).saturating_mul(1_000_000);
    record::Promise { rejected_at: now, pass_at: now.saturating_add(wait) }
}

/// Converts a time span to a duration; zero if negative.
fn span(micros: i64) -> Duration {
    Duration::from_micros(u64::try_from(micros).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_are_rounded_up_to_at_least_a_second() {
        for (wait, seconds) in [(0, 1), (1, 1), (1_000_000, 1), (1_000_001, 2), (59_999_999, 60)] {
            assert_eq!(whole_seconds(Duration::from_micros(wait)), seconds);
        }
        assert_eq!(whole_seconds(Duration::MAX), u32::MAX);
    }

    #[test]
    fn a_request_is_counted_at_its_arrival_but_at_most_half_a_second_ago() {
        let now = Timestamp(10_000_000);
        for (arrived, counted) in [
            (10_000_000, 10_000_000),
            (9_600_000, 9_600_000),
            (9_500_000, 9_500_000),
            (1_000_000, 9_500_000),
            // the clock was set back
            (11_000_000, 10_000_000),
        ] {
            assert_eq!(counted_at(Timestamp(arrived), now), Timestamp(counted));
        }
    }

    fn passing(limits: &Limits, key: LimitKey, now: Timestamp) -> usize {
        (0..300).filter(|_| limits.check(LIST.counter(), key, now).allowed()).count()
    }

    fn sends(limits: &Limits, key: LimitKey, rate: Rate, now: Timestamp) -> usize {
        (0..300).filter(|_| limits.take_all(&[(key, rate)], now).is_ok()).count()
    }

    #[tokio::test]
    async fn a_reset_restores_every_limit() {
        let limits = Limits::in_memory(1);
        let (key, now) = (LimitKey::id("x", 1), Timestamp(0));
        assert_eq!(passing(&limits, key, now), 20);
        assert_eq!(sends(&limits, key, SEND.destination.counter, now), 5);
        while limits.check_exact(BOT_OAUTH.app.counter(), key, now).await.allowed() {}
        assert_eq!(limits.len(), 3);
        limits.reset().await.unwrap();
        assert!(limits.is_empty());
        assert!(limits.check(LIST.counter(), key, now).allowed());
        assert!(limits.check_exact(BOT_OAUTH.app.counter(), key, now).await.allowed());
        assert!(limits.take_all(&[(key, SEND.destination.counter)], now).is_ok());
    }

    #[test]
    fn the_scale_multiplies_windows_and_rates() {
        let limits = Limits::in_memory(10);
        let (key, now) = (LimitKey::id("x", 1), Timestamp(0));
        assert_eq!(passing(&limits, key, now), 200);
        assert_eq!(sends(&limits, key, SEND.installation.counter, now), 200);
        assert_eq!(sends(&limits, key, SEND.installation.counter, Timestamp(1_000_000)), 50);
    }
}
