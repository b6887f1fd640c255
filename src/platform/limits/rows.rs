//! The limits by name. Where the contract names a number it is that number; the others bound abuse.
//!
//! A limit counts requests by the time at which they arrive. A client that paces itself by its own clock cannot know
//! how long each of its requests travels, so every limit is [`TOLERANCE`] more generous than its numbers: a moment
//! leaves a [`Window`] that much early, and a [`Rate`] gives a token that much early.
//!
//! Rows are of two kinds. A [`Window`] or [`Rate`] is decided by the node alone, and nodes share what they let pass in
//! batches. An [`ExactWindow`] protects secrets or other parties: on PostgreSQL each decision is one statement, so that
//! several nodes count as exactly as one.

use std::time::Duration;

use super::key::tag;

/// How much earlier than its numbers say a limit lets a request pass, in microseconds: 150 ms for the difference between
/// the travel times of two requests, and 25 ms for the clocks and threads of a node. Less than the 200 ms between two
/// sends of an installation, so that a burst does not grow.
pub(super) const TOLERANCE: i64 = 175_000;

/// So many requests in any span of so many seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Shown to the caller in the headers; part of every key.
    pub name: &'static str,
    pub(super) tag: u64,
    pub(super) limit: u32,
    /// Microseconds.
    pub(super) per: i64,
}

impl Window {
    /// `limit` requests in any `seconds` seconds.
    #[must_use]
    pub const fn new(name: &'static str, limit: u32, seconds: u32) -> Self {
        Self { name, tag: tag(name), limit, per: seconds as i64 * 1_000_000 }
    }

    pub(super) const fn scaled(self, scale: u32) -> Self {
        Self { limit: self.limit.saturating_mul(scale), ..self }
    }

    /// How long a request counts, in microseconds: [`TOLERANCE`] less than the window, or seven eighths of a short one.
    pub(super) const fn counted(self) -> i64 {
        let eighth = self.per / 8;
        self.per - if TOLERANCE < eighth { TOLERANCE } else { eighth }
    }
}

/// A window whose requests all nodes count one by one, together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExactWindow(pub(super) Window);

impl ExactWindow {
    /// `limit` requests in any `seconds` seconds.
    #[must_use]
    pub const fn new(name: &'static str, limit: u32, seconds: u32) -> Self {
        Self(Window::new(name, limit, seconds))
    }
}

/// A bucket of `burst` tokens that refills at `per_second` tokens each second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// Shown to the caller in the headers; part of every key.
    pub name: &'static str,
    pub(super) tag: u64,
    pub(super) burst: u32,
    per_second: u32,
}

impl Rate {
    /// `per_second` sustained, `burst` at once; both at least 1.
    #[must_use]
    pub const fn new(name: &'static str, per_second: u32, burst: u32) -> Self {
        assert!(per_second > 0 && burst > 0, "a bucket that never gives is not a limit");
        Self { name, tag: tag(name), burst, per_second }
    }

    pub(super) const fn scaled(self, scale: u32) -> Self {
        let (burst, per_second) = (self.burst.saturating_mul(scale), self.per_second.saturating_mul(scale));
        Self { burst, per_second, ..self }
    }

    /// Microseconds per token, rounded down in the caller's favour.
    pub(super) const fn step(self) -> i64 {
        let step = 1_000_000 / self.per_second as i64;
        if step == 0 { 1 } else { step }
    }

    /// Microseconds an empty bucket takes to fill.
    pub(super) const fn depth(self) -> i64 {
        self.step() * self.burst as i64
    }

    /// How much early a token is given, in microseconds: [`TOLERANCE`], but less than a step, so that a burst has as many
    /// requests as it says.
    pub(super) const fn tolerance(self) -> i64 {
        let most = self.step() * 7 / 8;
        if TOLERANCE < most { TOLERANCE } else { most }
    }

    pub(super) fn per(self) -> Duration {
        super::span(self.depth())
    }
}

/// Lists, per installation and route: 20 per minute (B-411).
pub const LIST: Window = Window::new("list", 20, 60);
/// Single reads, per installation and route: 100 per minute (B-412).
pub const SINGLE: Window = Window::new("single", 100, 60);
/// Changing and deleting messages, per installation and route: 60 per minute (B-413).
pub const EDIT: Window = Window::new("edit", 60, 60);
/// The token and revocation endpoints of the bot API, per app and route: 20 per minute (B-414, D-191).
pub const OAUTH: ExactWindow = ExactWindow::new("oauth", 20, 60);
/// Failed client authentication, per client id and address (D-160): a stranger cannot lock an app out.
pub const OAUTH_FAILURES: ExactWindow = ExactWindow::new("oauth_failures", 20, 60);
/// Registrations of assistant clients, per address: 20 per hour.
pub const REGISTER: ExactWindow = ExactWindow::new("register", 20, 3600);
/// The assistant server's token and revocation endpoints, per address and route: 60 per minute (A-322, D-372).
pub const TOKEN: ExactWindow = ExactWindow::new("token", 60, 60);
/// The same, per client id and route, of requests that proved to be the client's: 20 per minute.
pub const CLIENT: ExactWindow = ExactWindow::new("client", 20, 60);
/// The same, per client id, address and route, of all requests: a stranger uses up nobody else's.
pub const CLIENT_ADDRESS: ExactWindow = ExactWindow::new("client_address", 20, 60);
/// Fetches of one metadata document: 5 in 10 minutes.
pub const DOCUMENT: ExactWindow = ExactWindow::new("document", 5, 600);
/// Fetches of metadata documents of one host: 60 in 10 minutes, so that a query does not make a new count (D-214).
pub const DOCUMENT_HOST: ExactWindow = ExactWindow::new("document_host", 60, 600);
/// Authorization requests, per address: 30 per minute.
pub const AUTHORIZE: ExactWindow = ExactWindow::new("authorize", 30, 60);
/// Requests to the MCP endpoints, per employee: as many a minute as configured (D-365).
#[must_use]
pub const fn mcp(per_minute: u32) -> Window {
    Window::new("mcp", per_minute, 60)
}
/// Attempts to sign in to one account from one address.
pub const SIGN_IN_ACCOUNT: ExactWindow = ExactWindow::new("sign_in_account", 10, 60);
/// Attempts to sign in to one account from everywhere: more than a stranger makes from a few addresses, who must not keep
/// its owner out, and few enough that guesses from very many lead nowhere.
pub const SIGN_IN_ACCOUNT_ANYWHERE: ExactWindow = ExactWindow::new("sign_in_account_anywhere", 100, 60);
/// Attempts to sign in from one address, to any account.
pub const SIGN_IN_ADDRESS: ExactWindow = ExactWindow::new("sign_in_address", 60, 60);
/// Message sends per installation (5 per second, bursts of 20).
pub const SEND_INSTALLATION: Rate = Rate::new("send_installation", 5, 20);
/// Message sends per destination (1 per second, bursts of 5; D-193).
pub const SEND_DESTINATION: Rate = Rate::new("send_destination", 1, 5);
/// Send requests of any outcome per installation: bounds the replays and refusals that take no token.
pub const SEND_REQUESTS: Rate = Rate::new("send_requests", 100, 100);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_rows_share_a_tag() {
        let exact = [
            OAUTH,
            OAUTH_FAILURES,
            REGISTER,
            AUTHORIZE,
            TOKEN,
            CLIENT,
            CLIENT_ADDRESS,
            DOCUMENT,
            DOCUMENT_HOST,
            SIGN_IN_ACCOUNT,
            SIGN_IN_ACCOUNT_ANYWHERE,
            SIGN_IN_ADDRESS,
        ]
        .map(|row| row.0.tag);
        let windows = [LIST, SINGLE, EDIT, mcp(120)].map(|row| row.tag);
        let rates = [SEND_INSTALLATION, SEND_DESTINATION, SEND_REQUESTS].map(|row| row.tag);
        let mut tags: Vec<u64> = exact.into_iter().chain(windows).chain(rates).collect();
        let all = tags.len();
        tags.sort_unstable();
        tags.dedup();
        assert_eq!(tags.len(), all);
    }

    #[test]
    fn the_tolerance_covers_the_jitter_and_adds_nothing_to_a_burst() {
        for rate in [SEND_INSTALLATION, SEND_DESTINATION] {
            assert_eq!(rate.tolerance(), TOLERANCE, "{}", rate.name);
        }
        for rate in [SEND_INSTALLATION, SEND_DESTINATION, SEND_REQUESTS, SEND_INSTALLATION.scaled(1_000)] {
            assert!(rate.tolerance() < rate.step(), "{}", rate.name);
        }
        for window in [LIST, SINGLE, EDIT, mcp(120), OAUTH.0, REGISTER.0] {
            assert_eq!(window.per - window.counted(), TOLERANCE, "{}", window.name);
        }
        assert!((150_001..200_000).contains(&TOLERANCE), "150 ms of jitter, and no 21st send at once");
    }

    #[test]
    fn a_huge_scale_still_gives_a_step() {
        assert_eq!(SEND_REQUESTS.scaled(u32::MAX).step(), 1);
        assert_eq!(SEND_INSTALLATION.step(), 200_000);
        assert_eq!(SEND_INSTALLATION.per(), Duration::from_secs(4));
    }
}
