//! The sessions of the console, and the one-time link that `switchboard dev` prints.
//!
//! Sessions and links expire in real time. The console can move the server's clock, and this must not sign out the user
//! of the console.

use std::{collections::VecDeque, time::Duration};

use parking_lot::Mutex;
use poem::http::{HeaderMap, HeaderValue};

use crate::{
    api::cookies,
    domain::{console_session, time::Timestamp},
    platform::secrets::{constant_time_eq, sha256},
    service::World,
};

/// Lifetime of a session.
const SESSION_LIFE: Duration = Duration::from_secs(12 * 60 * 60);
/// How long a link can be used.
pub const LINK_LIFE: Duration = Duration::from_secs(60 * 60);
/// Length of the token of a link in base-62 characters: 256 random bits.
const LINK_CHARS: usize = 43;
/// Maximum number of ended sessions that the process remembers and rejects. If more sessions end, the process forgets
/// the session that ended first, and accepts it again until it expires.
const MAX_ENDED: usize = 1000;

/// Name of the cookie with the session.
const COOKIE: &str = "console";

/// Links and ended sessions of this process.
#[derive(Debug, Default)]
pub(super) struct ConsoleAccess {
    link: Mutex<Option<Link>>,
    ended: Mutex<VecDeque<[u8; 32]>>,
}

/// An unused link.
#[derive(Debug)]
struct Link {
    /// SHA-256 of its token.
    hash: [u8; 32],
    expires_at: Timestamp,
}

impl ConsoleAccess {
    /// Returns the token of a new link and invalidates the previous link.
    pub(super) fn new_link(&self, world: &World) -> String {
        let token = world.rng.base62(LINK_CHARS);
        *self.link.lock() = Some(Link { hash: sha256(&token), expires_at: real_now(world) + LINK_LIFE });
        token
    }

    /// Consumes the link with this token. Returns whether the link existed and had not expired.
    pub(super) fn use_link(&self, token: &str, now: Timestamp) -> bool {
        let mut link = self.link.lock();
        let hash = sha256(token);
        match link.take_if(|link| constant_time_eq(&link.hash, &hash)) {
            Some(link) => now < link.expires_at,
            None => false,
        }
    }

    /// Returns the hash of the request's session; `None` if the request has no valid session.
    pub(super) fn session(&self, world: &World, headers: &HeaderMap) -> Option<[u8; 32]> {
        let operator = world.settings.operator_key_sha256.as_ref()?;
        let text = cookies::single(headers, COOKIE)?;
        let hash = sha256(text);
        let is_valid = console_session::is_valid(&world.keys.csrf, operator, text, real_now(world))
            && !self.ended.lock().contains(&hash);
        is_valid.then_some(hash)
    }

    /// Returns the cookie of a new session; `None` without an operator key.
    pub(super) fn new_session(world: &World) -> Option<HeaderValue> {
        let operator = world.settings.operator_key_sha256.as_ref()?;
        let expires_at = real_now(world) + SESSION_LIFE;
        let text = console_session::make(&world.keys.csrf, operator, expires_at, world.rng.bytes());
        cookie(world, &text, SESSION_LIFE)
    }

    /// Ends a session and returns the header that deletes its cookie.
    pub(super) fn end(&self, world: &World, session: [u8; 32]) -> Option<HeaderValue> {
        let mut ended = self.ended.lock();
        ended.push_back(session);
        if ended.len() > MAX_ENDED {
            ended.pop_front();
        }
        cookie(world, "", Duration::ZERO)
    }
}

/// Returns the real time, without the offset of the test clock.
pub(super) fn real_now(world: &World) -> Timestamp {
    world.clock.now() - world.clock.offset()
}

fn cookie(world: &World, value: &str, life: Duration) -> Option<HeaderValue> {
    let secure = if world.settings.base_url.starts_with("https://") { "; Secure" } else { "" };
    let life = life.as_secs();
    HeaderValue::from_str(&format!(
        "{COOKIE}={value}; Path=/console; HttpOnly; SameSite=Strict{secure}; Max-Age={life}"
    ))
    .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(token: &str, expires_at: i64) -> ConsoleAccess {
        let link = Link { hash: sha256(token), expires_at: Timestamp(expires_at) };
        ConsoleAccess { link: Mutex::new(Some(link)), ..ConsoleAccess::default() }
    }

    #[test]
    fn a_link_works_once_and_until_it_expires() {
        let known = access("a", 100);
        assert!(!known.use_link("b", Timestamp(1)), "a wrong token leaves the link as it is");
        assert!(known.use_link("a", Timestamp(99)));
        assert!(!known.use_link("a", Timestamp(99)), "used");
        let known = access("a", 100);
        assert!(!known.use_link("a", Timestamp(100)), "expired");
        assert!(!known.use_link("a", Timestamp(1)), "a link that was used too late is used up");
    }
}
