//! How often a caller may ask (D-191 to D-196, D-371).
//!
//! Two instruments. A [`Window`] is an exact log of the requests that passed in the last minute: the limit
//! passes in any window of that length, one more is refused, and traffic that keeps to the limit never is. A
//! [`Rate`] is a bucket that refills steadily and allows bursts; several buckets are taken from together or
//! not at all, so a send that one of them refuses costs the others nothing. Refused requests leave no trace
//! in either.
//!
//! The state is kept in this process's memory, or, by several nodes on one database, together ([`SharedLimits`]), so
//! that a limit is the same through whichever of them the requests come. What passes by the shared state is noted in
//! memory as well: while the shared state is slow or gone, the node decides by what it saw itself, and never refuses
//! a request for that reason alone (D-195).
//!
//! All times come from the caller, which reads them from [`crate::platform::clock::Clock`]. A clock that goes
//! back by more than [`SKEW`] makes the affected keys start afresh: the limits are guaranteed minimums, so
//! the error must be on the caller's side.

mod bucket;
mod headers;
mod key;
mod rows;
mod shards;
mod shared;
mod window;

use std::{sync::Arc, time::Duration};

pub use headers::{policy_header, standing_header};
pub use key::Key;
pub use rows::{
    AUTHORIZE, CLIENT, CLIENT_ADDRESS, DOCUMENT, DOCUMENT_HOST, EDIT, LIST, OAUTH, OAUTH_FAILURES, REGISTER,
    Rate, SEND_DESTINATION, SEND_INSTALLATION, SEND_REQUESTS, SIGN_IN_ACCOUNT, SIGN_IN_ACCOUNT_ANYWHERE,
    SIGN_IN_ADDRESS, SINGLE, TOKEN, Window, mcp,
};
pub use shared::{Answer, Counted, SharedFailure, SharedKey, SharedLimits, Take, TakenAll};

use crate::{
    domain::time::Timestamp,
    platform::{clock::Clock, metrics::RATE_LIMITED},
};

/// How far back the time may go without being taken for a changed clock: threads read the clock before they
/// get the lock, so a request may arrive with a slightly older time than the one before it, and the clocks of nodes
/// that share the limits differ a little.
pub const SKEW: Duration = Duration::from_secs(1);

/// [`SKEW`] in the unit of [`Timestamp`].
const SKEW_MICROS: i64 = 1_000_000;

/// The limits of one process.
#[derive(Debug)]
pub struct Limits {
    windows: window::Windows,
    buckets: bucket::Buckets,
    /// None when this process is alone.
    shared: Option<shared::Shared>,
    scale: u32,
}

/// What is left of one limit after a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The row's name, as shown in the headers.
    pub name: &'static str,
    /// Requests allowed per `per`; for a bucket its burst.
    pub limit: u32,
    /// The window's length; for a bucket the time an empty one takes to fill.
    pub per: Duration,
    /// Requests that would pass right now.
    pub remaining: u32,
    /// When `remaining` grows by one; zero when nothing was used.
    pub reset_after: Duration,
}

/// The answer of [`Limits::check`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// What is left.
    pub standing: Standing,
    /// `None`: the request passes. Otherwise how long until one would.
    pub wait: Option<Duration>,
}

impl Decision {
    /// Whether the request passes.
    #[must_use]
    pub fn allowed(&self) -> bool {
        self.wait.is_none()
    }

    /// The `Retry-After` of a refused request, in seconds (D-086).
    #[must_use]
    pub fn retry_after(&self) -> Option<u32> {
        self.wait.map(whole_seconds)
    }
}

/// [`Limits::take_all`] refused: at least one bucket is empty, and nothing was taken from any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    /// The buckets in the order they were asked for.
    pub standings: Vec<Standing>,
    /// How long until all of them would give.
    pub wait: Duration,
}

impl Wait {
    /// The `Retry-After`, in seconds (D-086).
    #[must_use]
    pub fn retry_after(&self) -> u32 {
        whole_seconds(self.wait)
    }
}

/// What [`Limits::take_all`] took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// The buckets in the order they were asked for.
    pub standings: Vec<Standing>,
    takes: Vec<(Key, Rate)>,
    /// From the shared state as well.
    is_shared: bool,
}

impl Taken {
    /// Whether it was taken from these.
    #[must_use]
    pub fn is_of(&self, takes: &[(Key, Rate)]) -> bool {
        self.takes == takes
    }

    /// What it was taken from.
    #[must_use]
    pub fn takes(&self) -> &[(Key, Rate)] {
        &self.takes
    }
}

impl Limits {
    /// Limits kept in this process's memory. `scale` multiplies every limit, for load tests; 1 is the
    /// contract.
    #[must_use]
    pub fn in_memory(scale: u32) -> Self {
        Self {
            windows: window::Windows::default(),
            buckets: bucket::Buckets::default(),
            shared: None,
            scale: scale.max(1),
        }
    }

    /// Limits that several nodes keep together in `state`. One that waits for it longer than `patience` decides by
    /// what it saw itself, and does not ask again for a second of `clock`.
    #[must_use]
    pub fn shared(state: Arc<dyn SharedLimits>, patience: Duration, clock: Clock) -> Self {
        Self { shared: Some(shared::Shared::new(state, patience, clock)), ..Self::in_memory(1) }
    }

    /// Counts one request of `key` against `window` if it passes.
    pub async fn check(&self, window: Window, key: Key, now: Timestamp) -> Decision {
        let shared = match &self.shared {
            Some(shared) => shared.check(window, key, now).await,
            None => None,
        };
        counted(match shared {
            Some(refused) if !refused.allowed() => refused,
            Some(passed) => {
                let _ = self.windows.check(window, key, now);
                passed
            }
            None => self.windows.check(window.scaled(self.scale), key, now),
        })
    }

    /// What [`Limits::check`] would decide, without counting anything: for work that is to be refused before it is
    /// known whether it counts. Requests at the same time may all be let through.
    pub async fn peek(&self, window: Window, key: Key, now: Timestamp) -> Decision {
        let shared = match &self.shared {
            Some(shared) => shared.peek(window, key, now).await,
            None => None,
        };
        counted(shared.unwrap_or_else(|| self.windows.peek(window.scaled(self.scale), key, now)))
    }

    /// What is left in some buckets, in their order; nothing is taken.
    pub async fn peek_all(&self, takes: &[(Key, Rate)], now: Timestamp) -> Vec<Standing> {
        let shared = match &self.shared {
            Some(shared) => shared.peek_all(takes, now).await,
            None => None,
        };
        shared.unwrap_or_else(|| self.buckets.peek_all(takes, self.scale, now))
    }

    /// Buckets nobody has taken from: what is allowed, for [`policy_header`].
    #[must_use]
    pub fn full(&self, rates: &[Rate]) -> Vec<Standing> {
        rates.iter().map(|rate| bucket::full(rate.scaled(self.scale))).collect()
    }

    /// Takes one token from every bucket, or none from any. The keys must differ from each other.
    ///
    /// # Errors
    /// [`Wait`] if a bucket is empty.
    pub async fn take_all(&self, takes: &[(Key, Rate)], now: Timestamp) -> Result<Taken, Wait> {
        let shared = match &self.shared {
            Some(shared) => shared.take_all(takes, now).await,
            None => None,
        };
        let is_shared = shared.is_some();
        let taken = match shared {
            Some(taken) => taken.inspect(|_| drop(self.buckets.take_all(takes, self.scale, now))),
            None => self.buckets.take_all(takes, self.scale, now),
        };
        match taken {
            Ok(standings) => Ok(Taken { standings, takes: takes.to_vec(), is_shared }),
            Err(wait) => {
                wait.standings.iter().filter(|standing| standing.remaining == 0).for_each(count_refusal);
                Err(wait)
            }
        }
    }

    /// Puts back what was taken, when the request turned out to be free: a replay, a refused send.
    pub async fn give_back(&self, taken: &Taken) {
        self.buckets.give_back(&taken.takes, self.scale);
        if let Some(shared) = self.shared.as_ref().filter(|_| taken.is_shared) {
            shared.give_back(&taken.takes).await;
        }
    }

    /// Forgets the keys that are whole again. In memory that also happens by itself, a little with every request.
    ///
    /// # Errors
    /// The shared state's.
    pub async fn forget_idle(&self, now: Timestamp) -> Result<(), SharedFailure> {
        self.windows.evict(now);
        self.buckets.evict(now);
        match &self.shared {
            Some(shared) => shared.forget_idle(now).await,
            None => Ok(()),
        }
    }

    /// Makes every limit whole again, for all nodes.
    ///
    /// # Errors
    /// The shared state's.
    pub async fn reset(&self) -> Result<(), SharedFailure> {
        self.windows.reset();
        self.buckets.reset();
        match &self.shared {
            Some(shared) => shared.reset().await,
            None => Ok(()),
        }
    }

    /// How many keys this process remembers, for the metrics.
    #[must_use]
    pub fn len(&self) -> usize {
        self.windows.len() + self.buckets.len()
    }

    /// Whether nothing is remembered.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

fn counted(decision: Decision) -> Decision {
    if !decision.allowed() {
        count_refusal(&decision.standing);
    }
    decision
}

fn count_refusal(by: &Standing) {
    metrics::counter!(RATE_LIMITED, "limit" => by.name).increment(1);
}

/// Rounds up to whole seconds, at least one: waiting that long is always enough.
fn whole_seconds(wait: Duration) -> u32 {
    rounded_up(wait).max(1)
}

fn rounded_up(time: Duration) -> u32 {
    let seconds = time.as_secs().saturating_add(u64::from(time.subsec_nanos() > 0));
    u32::try_from(seconds).unwrap_or(u32::MAX)
}

/// A span of the clock as a duration; a negative one is none.
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

    /// Whether a request passes now.
    async fn passes(limits: &Limits, key: Key, now: Timestamp) -> bool {
        limits.check(LIST, key, now).await.allowed()
    }

    async fn passing(limits: &Limits, key: Key, now: Timestamp) -> usize {
        let mut passed = 0;
        for _ in 0..300 {
            passed += usize::from(passes(limits, key, now).await);
        }
        passed
    }

    async fn sends(limits: &Limits, key: Key, rate: Rate, now: Timestamp) -> usize {
        let mut passed = 0;
        for _ in 0..300 {
            passed += usize::from(limits.take_all(&[(key, rate)], now).await.is_ok());
        }
        passed
    }

    #[tokio::test]
    async fn a_reset_makes_everything_whole() {
        let limits = Limits::in_memory(1);
        let (key, now) = (Key::id("x", 1), Timestamp(0));
        assert_eq!(passing(&limits, key, now).await, 20);
        assert_eq!(sends(&limits, key, SEND_DESTINATION, now).await, 5);
        assert_eq!(limits.len(), 2);
        limits.reset().await.unwrap();
        assert!(limits.is_empty());
        assert!(passes(&limits, key, now).await);
        assert!(limits.take_all(&[(key, SEND_DESTINATION)], now).await.is_ok());
    }

    #[tokio::test]
    async fn the_scale_multiplies_every_limit() {
        let limits = Limits::in_memory(10);
        let (key, now) = (Key::id("x", 1), Timestamp(0));
        assert_eq!(passing(&limits, key, now).await, 200);
        assert_eq!(sends(&limits, key, SEND_INSTALLATION, now).await, 200);
        assert_eq!(sends(&limits, key, SEND_INSTALLATION, Timestamp(1_000_000)).await, 50);
    }
}
