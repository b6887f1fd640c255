//! CSRF tokens of forms. Called by the pages, and by the admin API for callers with a session cookie.

use crate::domain::csrf;
use crate::service::World;

impl World {
    /// Returns a new token for the forms of `owner`. `owner` is the hash of a session token. Before sign-in, it is the
    /// hash of a browser's cookie. A token with an empty `purpose` is valid for every form without a purpose, and for
    /// `X-CSRF-Token`.
    #[must_use]
    pub fn csrf_token(&self, owner: &[u8; 32], purpose: &str) -> String {
        csrf::make(&self.keys.csrf, owner, purpose, self.rng.bytes())
    }

    /// Whether a text is a valid token of this owner and purpose.
    #[must_use]
    pub fn is_csrf_token_valid(&self, owner: &[u8; 32], purpose: &str, text: &str) -> bool {
        csrf::is_valid(&self.keys.csrf, owner, purpose, text)
    }
}
