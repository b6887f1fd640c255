//! The kinds of limits: [`Window`], [`ExactWindow`] and [`Rate`]. [`table`](super::table) declares the limits.
//!
//! For a [`Window`] or a [`Rate`], each node decides alone, and the nodes exchange the times of allowed requests in
//! batches. These limits have a tolerance of up to [`TOLERANCE`]: a [`Window`] stops counting a request earlier than
//! its length says, and a [`Rate`] grants a token earlier than its rate says. The reason is that a client that paces
//! itself by its own clock cannot know the travel time of each request.
//!
//! An [`ExactWindow`] protects secrets or third parties. On PostgreSQL the database decides, so that several nodes
//! together count exactly. While PostgreSQL is slow or fails, each node decides alone. At the OAuth endpoints of apps,
//! an exact window has a tolerance, because apps pace their requests (B-414). All other exact windows have no
//! tolerance, as A-328 requires for the OAuth endpoints of assistants and for fetches of metadata documents.

use std::time::Duration;

use super::key::tag;

/// How much earlier a [`Window`] or [`Rate`] allows a request than its numbers say, in microseconds. It is the sum of
/// 150 ms for the difference of the travel times of two requests, and 25 ms for the inaccuracy of a node's clocks and
/// threads. It is less than the 200 ms in which the bucket of an installation's sends refills one token. So a burst
/// does not grow.
pub(super) const TOLERANCE: i64 = 175_000;

/// A maximum number of requests in any time span of a given length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Shown in the response headers. Its hash, `tag`, is part of every key under which requests are counted.
    pub name: &'static str,
    pub(super) tag: u64,
    pub(super) limit: u32,
    /// Length of the window in microseconds.
    pub(super) per: i64,
    /// How long a request counts, in microseconds: `per` minus the tolerance of the window.
    pub(super) counted: i64,
}

impl Window {
    /// Creates a window of `limit` requests in any `seconds` seconds. A request counts for `seconds` minus
    /// [`TOLERANCE`]. If [`TOLERANCE`] is more than an eighth of the window, a request counts for seven eighths of the
    /// window.
    #[must_use]
    pub const fn new(name: &'static str, limit: u32, seconds: u32) -> Self {
        let per = seconds as i64 * 1_000_000;
        let tolerance = if TOLERANCE < per / 8 { TOLERANCE } else { per / 8 };
        Self { name, tag: tag(name), limit, per, counted: per - tolerance }
    }

    pub(super) const fn scaled(self, scale: u32) -> Self {
        Self { limit: self.limit.saturating_mul(scale), ..self }
    }
}

/// A window whose requests are counted together over all nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExactWindow(pub(super) Window);

impl ExactWindow {
    /// Creates a window of exactly `limit` requests in any `seconds` seconds.
    #[must_use]
    pub const fn new(name: &'static str, limit: u32, seconds: u32) -> Self {
        let window = Window::new(name, limit, seconds);
        Self(Window { counted: window.per, ..window })
    }

    /// Creates a window with the tolerance of a [`Window`], for clients that pace themselves (B-414).
    #[must_use]
    pub const fn with_tolerance(name: &'static str, limit: u32, seconds: u32) -> Self {
        Self(Window::new(name, limit, seconds))
    }
}

/// A bucket of `burst` tokens that refills at `per_second` tokens per second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// Shown in the response headers. Its hash, `tag`, is part of every key under which requests are counted.
    pub name: &'static str,
    pub(super) tag: u64,
    pub(super) burst: u32,
    per_second: u32,
}

impl Rate {
    /// Creates a rate of `per_second` requests per second, with a burst of `burst` requests.
    ///
    /// # Panics
    /// If one of the numbers is 0; in a `const` this is a compile error.
    #[must_use]
    pub const fn new(name: &'static str, per_second: u32, burst: u32) -> Self {
        assert!(per_second > 0 && burst > 0, "rate and burst must be positive");
        Self { name, tag: tag(name), burst, per_second }
    }

    pub(super) const fn scaled(self, scale: u32) -> Self {
        let (burst, per_second) = (self.burst.saturating_mul(scale), self.per_second.saturating_mul(scale));
        Self { burst, per_second, ..self }
    }

    /// Returns the microseconds after which one token is refilled, rounded down in the caller's favour.
    pub(super) const fn step(self) -> i64 {
        let step = 1_000_000 / self.per_second as i64;
        if step == 0 { 1 } else { step }
    }

    /// Returns the microseconds that an empty bucket takes to fill.
    pub(super) const fn depth(self) -> i64 {
        self.step() * self.burst as i64
    }

    /// Returns how early a token is granted, in microseconds: [`TOLERANCE`], but at most seven eighths of a step. A
    /// tolerance of a whole step would allow one request more than the burst.
    pub(super) const fn tolerance(self) -> i64 {
        let most = self.step() * 7 / 8;
        if TOLERANCE < most { TOLERANCE } else { most }
    }

    pub(super) fn per(self) -> Duration {
        super::span(self.depth())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::limits::{BOT_OAUTH, LIST, REGISTER, SEND, mcp};

    #[test]
    fn the_tolerance_covers_the_jitter_and_adds_nothing_to_a_burst() {
        for rate in [SEND.installation.counter, SEND.destination.counter] {
            assert_eq!(rate.tolerance(), TOLERANCE, "{}", rate.name);
        }
        let [installation, destination, requests] =
            [SEND.installation.counter, SEND.destination.counter, SEND.requests.counter];
        for rate in [installation, destination, requests, installation.scaled(1_000)] {
            assert!(rate.tolerance() < rate.step(), "{}", rate.name);
        }
        for window in [LIST.counter(), mcp(120).counter] {
            assert_eq!(window.per - window.counted, TOLERANCE, "{}", window.name);
        }
        let ExactWindow(window) = BOT_OAUTH.app.counter();
        assert_eq!(window.per - window.counted, TOLERANCE, "the limit of an app has the tolerance (B-414)");
        let ExactWindow(window) = REGISTER.counter();
        assert_eq!(window.counted, window.per, "the limit of /register has no tolerance (A-328)");
        assert!(
            (150_001..200_000).contains(&TOLERANCE),
            "the tolerance covers 150 ms of jitter and allows no 21st send in a burst of 20"
        );
    }

    #[test]
    fn a_step_is_at_least_a_microsecond_under_any_scale() {
        assert_eq!(SEND.requests.counter.scaled(u32::MAX).step(), 1);
        assert_eq!(SEND.installation.counter.step(), 200_000);
        assert_eq!(SEND.installation.counter.per(), Duration::from_secs(4));
    }
}
