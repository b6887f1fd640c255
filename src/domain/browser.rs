//! Identification of browsers, also before sign-in.

use super::token;

/// The id of a browser: the SHA-256 of the random text in a cookie that only this browser has.
///
/// The CSRF token of a form that is shown before sign-in is valid only for this browser (D-269). An authorization
/// request can be approved or denied only in the browser that started it (D-275).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BrowserId(pub [u8; 32]);

impl BrowserId {
    /// Returns the id of the browser that sent this cookie.
    #[must_use]
    pub fn of_cookie(text: &str) -> Self {
        Self(token::hash(text))
    }
}
