//! Tokens of forms, of this server's key. Called by the pages, and by the admin room for callers with a cookie.

use super::World;
use crate::domain::csrf;

impl World {
    /// A fresh token for forms of `owner`: the hash of a session's token, or of a browser's cookie before the
    /// sign-in. With an empty `purpose` it is good for every form that names none, and for `X-CSRF-Token`.
    #[must_use]
    pub fn csrf_token(&self, owner: &[u8; 32], purpose: &str) -> String {
        csrf::make(&self.keys.csrf, owner, purpose, self.rng.bytes())
    }

    /// Whether a text is such a token of this owner and purpose.
    #[must_use]
    pub fn csrf_holds(&self, owner: &[u8; 32], purpose: &str, text: &str) -> bool {
        csrf::holds(&self.keys.csrf, owner, purpose, text)
    }
}
