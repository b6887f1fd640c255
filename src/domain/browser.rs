//! Identification of browsers, also before sign-in.

use super::token;

/// The id of a browser: the SHA-256 of the random text in a cookie that only this browser has.
///
/// Forms that are shown before sign-in are bound to the browser (D-269). Every authorization request is also bound to
/// the browser (D-275).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BrowserId(pub [u8; 32]);

impl BrowserId {
    /// Returns the id of the browser that sent this cookie.
    #[must_use]
    pub fn of_cookie(text: &str) -> Self {
        Self(token::hash(text))
    }
}
