//! How often a caller may ask (D-191 to D-196, D-371).
//!
//! Two instruments. A [`Window`] is a log of the requests that passed in the last minute: the limit passes in any window
//! of that length, one more is refused, and traffic that keeps to the limit never is. A [`Rate`] is a bucket that refills
//! steadily and allows bursts; several buckets are taken from together or not at all, so a send that one of them refuses
//! costs the others nothing. Refused requests leave no trace in either. Both tolerate the jitter of clients that pace
//! themselves by their own clocks.
//!
//! The state is kept in this process's memory, where decisions are made without waiting. Several nodes on one database
//! tell each other a few times a second what they let pass, so that together they soon allow what one
//! would. An [`ExactWindow`] is asked of the state that all nodes share, once per decision ([`SharedLimits`]); while that
//! is slow or gone, the node decides by what it saw itself. A request is never refused because of trouble with the shared
//! state (D-195).
//!
//! All times come from the caller, which reads them from [`crate::platform::clock::Clock`]. A clock that goes
//! back by more than [`SKEW`] makes the affected keys start afresh: the limits are guaranteed minimums, so
//! the error must be on the caller's side.

mod bucket;
mod exchange;
mod headers;
mod key;
mod record;
mod rows;
mod shards;
mod shared;
mod window;

use std::{sync::Arc, time::Duration};

pub use headers::{policy_header, standing_header};
pub use key::Key;
pub use rows::{
    AUTHORIZE, CLIENT, CLIENT_ADDRESS, DOCUMENT, DOCUMENT_HOST, EDIT, ExactWindow, LIST, OAUTH,
    OAUTH_FAILURES, REGISTER, Rate, SEND_DESTINATION, SEND_INSTALLATION, SEND_REQUESTS, SIGN_IN_ACCOUNT,
    SIGN_IN_ACCOUNT_ANYWHERE, SIGN_IN_ADDRESS, SINGLE, TOKEN, Window, mcp,
};
pub use shared::{
    Answer, Batch, Counted, Learned, LearnedRow, Published, SharedFailure, SharedKey, SharedLimits,
};

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
    /// What this node saw of the exact windows.
    exact: window::Windows,
    /// None when this process is alone, as is `exchange`.
    shared: Option<shared::Shared>,
    exchange: Option<exchange::Exchange>,
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
    at: Timestamp,
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
            exact: window::Windows::default(),
            shared: None,
            exchange: None,
            scale: scale.max(1),
        }
    }

    /// Limits that several nodes keep together through `state`, as which `node` is this process and no other.
    /// [`Limits::keep_exchanging`] must run for the nodes to know of each other. An exact decision that waits for the
    /// state longer than `patience` is made by what this node saw itself, and so are those of the second after it.
    #[must_use]
    pub fn shared(state: Arc<dyn SharedLimits>, node: i64, patience: Duration, clock: Clock) -> Self {
        Self {
            windows: window::Windows::shared(),
            buckets: bucket::Buckets::shared(),
            exact: window::Windows::default(),
            shared: Some(shared::Shared::new(Arc::clone(&state), patience, clock.clone())),
            exchange: Some(exchange::Exchange::new(state, clock, node)),
            scale: 1,
        }
    }

    /// Counts one request of `key` against `window` if it passes.
    pub fn check(&self, window: Window, key: Key, now: Timestamp) -> Decision {
        let decision = counted(self.windows.check(window.scaled(self.scale), key, now));
        self.note_decision();
        decision
    }

    /// Counts one request of `key` against `window` if it passes on all nodes together.
    pub async fn check_exact(&self, window: ExactWindow, key: Key, now: Timestamp) -> Decision {
        let shared = match &self.shared {
            Some(shared) => shared.check(window, key, now).await,
            None => None,
        };
        let own = window.0.scaled(self.scale);
        counted(match shared {
            Some(refused) if !refused.allowed() => refused,
            Some(passed) => {
                let _ = self.exact.check(own, key, now);
                passed
            }
            None => self.exact.check(own, key, now),
        })
    }

    /// What [`Limits::check_exact`] would decide, without counting anything: for work that is to be refused before it is
    /// known whether it counts. Requests at the same time may all be let through.
    pub async fn peek_exact(&self, window: ExactWindow, key: Key, now: Timestamp) -> Decision {
        let shared = match &self.shared {
            Some(shared) => shared.peek(window, key, now).await,
            None => None,
        };
        counted(shared.unwrap_or_else(|| self.exact.peek(window.0.scaled(self.scale), key, now)))
    }

    /// What is left in some buckets, in their order; nothing is taken.
    #[must_use]
    pub fn peek_all(&self, takes: &[(Key, Rate)], now: Timestamp) -> Vec<Standing> {
        self.buckets.peek_all(takes, self.scale, now)
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
    pub fn take_all(&self, takes: &[(Key, Rate)], now: Timestamp) -> Result<Taken, Wait> {
        let taken = self.buckets.take_all(takes, self.scale, now);
        self.note_decision();
        match taken {
            Ok(standings) => Ok(Taken { standings, takes: takes.to_vec(), at: now }),
            Err(wait) => {
                wait.standings.iter().filter(|standing| standing.remaining == 0).for_each(count_refusal);
                Err(wait)
            }
        }
    }

    /// Puts back what was taken, when the request turned out to be free: a replay, a refused send.
    pub fn give_back(&self, taken: &Taken) {
        self.buckets.give_back(&taken.takes, self.scale, taken.at);
        self.note_decision();
    }

    /// Has the other nodes told of a decision, and asked for theirs.
    fn note_decision(&self) {
        if let Some(exchange) = &self.exchange {
            exchange.decided.notify_one();
        }
    }

    /// Forgets the keys that are whole again. In memory that also happens by itself, a little with every request.
    ///
    /// # Errors
    /// The shared state's.
    pub async fn forget_idle(&self, now: Timestamp) -> Result<(), SharedFailure> {
        self.windows.evict(now);
        self.buckets.evict(now);
        self.exact.evict(now);
        match &self.exchange {
            Some(exchange) => exchange.state().forget_idle(now).await,
            None => Ok(()),
        }
    }

    /// Makes every limit whole again, for all nodes: for the others from their next exchange on.
    ///
    /// # Errors
    /// The shared state's.
    pub async fn reset(&self) -> Result<(), SharedFailure> {
        if let Some(exchange) = &self.exchange {
            exchange.begin_epoch(exchange.state().reset().await?).await;
        }
        self.windows.reset();
        self.buckets.reset();
        self.exact.reset();
        Ok(())
    }

    /// How many keys this process remembers, for the metrics.
    #[must_use]
    pub fn len(&self) -> usize {
        self.windows.len() + self.buckets.len() + self.exact.len()
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

/// What a caller is promised who was refused at `now` and has to wait.
fn promised(wait: Duration, now: i64) -> record::Promise {
    let wait = i64::from(whole_seconds(wait)).saturating_mul(1_000_000);
    record::Promise { refused_at: now, pass_at: now.saturating_add(wait) }
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

    fn passing(limits: &Limits, key: Key, now: Timestamp) -> usize {
        (0..300).filter(|_| limits.check(LIST, key, now).allowed()).count()
    }

    fn sends(limits: &Limits, key: Key, rate: Rate, now: Timestamp) -> usize {
        (0..300).filter(|_| limits.take_all(&[(key, rate)], now).is_ok()).count()
    }

    #[tokio::test]
    async fn a_reset_makes_everything_whole() {
        let limits = Limits::in_memory(1);
        let (key, now) = (Key::id("x", 1), Timestamp(0));
        assert_eq!(passing(&limits, key, now), 20);
        assert_eq!(sends(&limits, key, SEND_DESTINATION, now), 5);
        while limits.check_exact(OAUTH, key, now).await.allowed() {}
        assert_eq!(limits.len(), 3);
        limits.reset().await.unwrap();
        assert!(limits.is_empty());
        assert!(limits.check(LIST, key, now).allowed());
        assert!(limits.check_exact(OAUTH, key, now).await.allowed());
        assert!(limits.take_all(&[(key, SEND_DESTINATION)], now).is_ok());
    }

    #[test]
    fn the_scale_multiplies_every_limit() {
        let limits = Limits::in_memory(10);
        let (key, now) = (Key::id("x", 1), Timestamp(0));
        assert_eq!(passing(&limits, key, now), 200);
        assert_eq!(sends(&limits, key, SEND_INSTALLATION, now), 200);
        assert_eq!(sends(&limits, key, SEND_INSTALLATION, Timestamp(1_000_000)), 50);
    }
}
