//! Identification of a browser before sign-in.

use super::token;

/// A browser, identified by the SHA-256 of the random text in its cookie: only the browser has the
/// cookie.
///
/// What a user started before signing in (a form, an authorization request) is bound to it (D-269,
/// D-275).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BrowserId(pub [u8; 32]);

impl BrowserId {
    /// Returns the id of the browser that sent this cookie.
    #[must_use]
    pub fn of_cookie(text: &str) -> Self {
        Self(token::hash(text))
    }
}
