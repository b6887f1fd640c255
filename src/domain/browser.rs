//! A browser, known before anybody signs in with it.

use super::token;

/// A browser, by the SHA-256 of the random text in its cookie: only who holds the cookie can show it again.
///
/// What somebody began before signing in (a form, an authorization request) is tied to it (D-269, D-275).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BrowserId(pub [u8; 32]);

impl BrowserId {
    /// The browser that showed this cookie.
    #[must_use]
    pub fn of_cookie(text: &str) -> Self {
        Self(token::hash(text))
    }
}
