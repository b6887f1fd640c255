//! How often a caller may ask (D-191 to D-196, D-371).
//!
//! Two instruments. A [`Window`] is an exact log of the requests that passed in the last minute: the limit
//! passes in any window of that length, one more is refused, and traffic that keeps to the limit never is. A
//! [`Rate`] is a bucket that refills steadily and allows bursts; several buckets are taken from together or
//! not at all, so a send that one of them refuses costs the others nothing. Refused requests leave no trace
//! in either.
//!
//! All times come from the caller, which reads them from [`crate::platform::clock::Clock`]. A clock that goes
//! back by more than [`SKEW`] makes the affected keys start afresh: the limits are guaranteed minimums, so
//! the error must be on the caller's side.

mod bucket;
mod headers;
mod key;
mod rows;
mod shards;
mod window;

use std::time::Duration;

pub use headers::{policy_header, standing_header};
pub use key::Key;
pub use rows::{
    AUTHORIZE, CLIENT, DOCUMENT, DOCUMENT_HOST, EDIT, LIST, OAUTH, OAUTH_FAILURES, REGISTER, Rate,
    SEND_DESTINATION, SEND_INSTALLATION, SEND_REQUESTS, SIGN_IN_ACCOUNT, SIGN_IN_ADDRESS, SINGLE, TOKEN,
    Window,
};

use crate::domain::time::Timestamp;

/// How far back the time may go without being taken for a changed clock: threads read the clock before they
/// get the lock, so a request may arrive with a slightly older time than the one before it.
pub const SKEW: Duration = Duration::from_secs(1);

/// [`SKEW`] in the unit of [`Timestamp`].
const SKEW_MICROS: i64 = 1_000_000;

/// The limits of one process.
#[derive(Debug)]
pub struct Limits {
    backend: Backend,
    scale: u32,
}

/// Where the state of the limits is kept. Nodes that share a store will share it there.
#[derive(Debug)]
enum Backend {
    Memory { windows: window::Windows, buckets: bucket::Buckets },
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
    /// When `remaining` grows (window) or is whole again (bucket).
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

impl Limits {
    /// Limits kept in this process's memory. `scale` multiplies every limit, for load tests; 1 is the
    /// contract.
    #[must_use]
    pub fn in_memory(scale: u32) -> Self {
        let backend =
            Backend::Memory { windows: window::Windows::default(), buckets: bucket::Buckets::default() };
        Self { backend, scale: scale.max(1) }
    }

    /// Counts one request of `key` against `window` if it passes.
    pub fn check(&self, window: Window, key: Key, now: Timestamp) -> Decision {
        let Backend::Memory { windows, .. } = &self.backend;
        windows.check(window.scaled(self.scale), key, now)
    }

    /// Takes one token from every bucket, or none from any. The keys must differ from each other.
    ///
    /// # Errors
    /// [`Wait`] if a bucket is empty.
    pub fn take_all(&self, takes: &[(Key, Rate)], now: Timestamp) -> Result<Vec<Standing>, Wait> {
        let Backend::Memory { buckets, .. } = &self.backend;
        buckets.take_all(takes, self.scale, now)
    }

    /// Puts back what [`Limits::take_all`] took, when the request turned out to be free: a replay, a refused
    /// send.
    pub fn give_back(&self, takes: &[(Key, Rate)]) {
        let Backend::Memory { buckets, .. } = &self.backend;
        buckets.give_back(takes, self.scale);
    }

    /// Forgets the keys that are whole again, and returns how many. Also happens by itself, a little with
    /// every request.
    pub fn evict(&self, now: Timestamp) -> usize {
        let Backend::Memory { windows, buckets } = &self.backend;
        windows.evict(now) + buckets.evict(now)
    }

    /// Makes every limit whole again.
    pub fn reset(&self) {
        let Backend::Memory { windows, buckets } = &self.backend;
        windows.reset();
        buckets.reset();
    }

    /// How many keys are remembered, for the metrics.
    #[must_use]
    pub fn len(&self) -> usize {
        let Backend::Memory { windows, buckets } = &self.backend;
        windows.len() + buckets.len()
    }

    /// Whether nothing is remembered.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Rounds up to whole seconds, at least one: waiting that long is always enough.
fn whole_seconds(wait: Duration) -> u32 {
    let seconds = wait.as_secs().saturating_add(u64::from(wait.subsec_nanos() > 0));
    u32::try_from(seconds.max(1)).unwrap_or(u32::MAX)
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

    #[test]
    fn a_reset_makes_everything_whole() {
        let limits = Limits::in_memory(1);
        let (key, now) = (Key::id("x", 1), Timestamp(0));
        while limits.check(LIST, key, now).allowed() {}
        while limits.take_all(&[(key, SEND_DESTINATION)], now).is_ok() {}
        assert_eq!(limits.len(), 2);
        limits.reset();
        assert!(limits.is_empty());
        assert!(limits.check(LIST, key, now).allowed());
        assert!(limits.take_all(&[(key, SEND_DESTINATION)], now).is_ok());
    }

    #[test]
    fn the_scale_multiplies_every_limit() {
        let limits = Limits::in_memory(10);
        let (key, now) = (Key::id("x", 1), Timestamp(0));
        assert_eq!((0..300).filter(|_| limits.check(LIST, key, now).allowed()).count(), 200);
        let send = [(key, SEND_INSTALLATION)];
        assert_eq!((0..300).filter(|_| limits.take_all(&send, now).is_ok()).count(), 200);
        let later = Timestamp(1_000_000);
        assert_eq!((0..300).filter(|_| limits.take_all(&send, later).is_ok()).count(), 50);
    }
}
