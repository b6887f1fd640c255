//! Access to the sandbox console: its sessions, and the one-time link that `switchboard dev` prints.
//!
//! Sessions and links expire in real time. The console can move the server's clock, and this must not sign out the user
//! of the console.

use std::{collections::VecDeque, time::Duration};

use parking_lot::Mutex;

use super::rights::Operator;
use crate::{
    domain::{console_session, time::Timestamp},
    platform::secrets::{constant_time_eq, sha256},
    service::World,
};

/// Lifetime of a session.
pub const SESSION_LIFE: Duration = Duration::from_secs(12 * 60 * 60);
/// How long a link can be used.
const LINK_LIFE: Duration = Duration::from_secs(60 * 60);
/// Length of the token of a link in base-62 characters: 256 random bits.
const LINK_CHARS: usize = 43;
/// Maximum number of ended sessions that the process remembers and rejects. If more sessions end, the process forgets
/// the session that ended first, and accepts it again until it expires.
const MAX_ENDED: usize = 1000;

/// The unused link, if there is one, and the ended sessions of this process.
#[derive(Debug, Default)]
pub struct ConsoleAccess {
    link: Mutex<Option<ConsoleLink>>,
    ended: Mutex<VecDeque<[u8; 32]>>,
}

/// An unused link.
#[derive(Debug)]
struct ConsoleLink {
    /// SHA-256 of its token.
    hash: [u8; 32],
    expires_at: Timestamp,
}

impl ConsoleAccess {
    /// Consumes the link with this token. Returns whether the link existed and had not expired.
    fn use_link(&self, token: &str, now: Timestamp) -> bool {
        let mut link = self.link.lock();
        let hash = sha256(token);
        match link.take_if(|link| constant_time_eq(&link.hash, &hash)) {
            Some(link) => now < link.expires_at,
            None => false,
        }
    }

    fn end(&self, session: [u8; 32]) {
        let mut ended = self.ended.lock();
        ended.push_back(session);
        if ended.len() > MAX_ENDED {
            ended.pop_front();
        }
    }
}

impl World {
    /// Returns the token of a new one-time link and invalidates the previous link. No request calls this method:
    /// `switchboard dev` calls it once at the start, and prints the link.
    pub fn new_console_link(&self) -> String {
        let token = self.rng.base62(LINK_CHARS);
        let expires_at = self.real_now() + LINK_LIFE;
        *self.console_access.link.lock() = Some(ConsoleLink { hash: sha256(&token), expires_at });
        token
    }

    /// Ends a session, named by the SHA-256 of its text.
    pub fn end_console_session(&self, session: [u8; 32]) {
        self.console_access.end(session);
    }

    /// Consumes the link with this token. Returns whether the link existed and had not expired.
    pub(super) fn use_console_link(&self, token: &str) -> bool {
        self.console_access.use_link(token, self.real_now())
    }

    /// Returns whether the text is a session that was created for the configured operator key, has not expired and was
    /// not ended in this process.
    pub(super) fn is_console_session_valid(&self, session: &str) -> bool {
        let Some(operator) = self.settings.operator_key_sha256.as_ref() else { return false };
        console_session::is_valid(&self.keys.csrf, operator, session, self.real_now())
            && !self.console_access.ended.lock().contains(&sha256(session))
    }

    /// Returns the real time, without the offset of the test clock.
    fn real_now(&self) -> Timestamp {
        self.clock.without_offset()
    }
}

impl Operator<'_> {
    /// Returns the text of a new session of the console, which is valid for [`SESSION_LIFE`]; `None` without an
    /// operator key.
    #[must_use]
    pub fn begin_console_session(self) -> Option<String> {
        let world = self.world();
        let operator = world.settings.operator_key_sha256.as_ref()?;
        let expires_at = world.real_now() + SESSION_LIFE;
        Some(console_session::make(&world.keys.csrf, operator, expires_at, world.rng.bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::testing::world;

    fn access(token: &str, expires_at: i64) -> ConsoleAccess {
        let link = ConsoleLink { hash: sha256(token), expires_at: Timestamp(expires_at) };
        ConsoleAccess { link: Mutex::new(Some(link)), ..ConsoleAccess::default() }
    }

    #[test]
    fn a_link_works_once_and_only_until_it_expires() {
        let known = access("a", 100);
        assert!(!known.use_link("b", Timestamp(1)), "a wrong token does not consume the link");
        assert!(known.use_link("a", Timestamp(99)));
        assert!(!known.use_link("a", Timestamp(99)), "a used link is rejected");
        let known = access("a", 100);
        assert!(!known.use_link("a", Timestamp(100)), "an expired link is rejected");
        assert!(!known.use_link("a", Timestamp(1)), "the use of an expired link consumes the link");
    }

    #[tokio::test]
    async fn only_a_valid_session_or_link_authenticates_the_operator() {
        let world = world().await;
        let link = world.new_console_link();
        assert!(world.operator_by_console_link("another").is_none());
        let caller = world.operator_by_console_link(&link).expect("the link is valid");
        assert!(world.operator_by_console_link(&link).is_none(), "a link can be used once");
        let session = caller.operator().unwrap().begin_console_session().expect("there is an operator key");
        assert!(world.operator_by_console_session(&session).is_some());
        for wrong in ["", "another", &format!("{session}A")] {
            assert!(world.operator_by_console_session(wrong).is_none(), "{wrong}");
        }
        world.end_console_session(sha256(&session));
        assert!(world.operator_by_console_session(&session).is_none(), "an ended session is rejected");
    }
}
