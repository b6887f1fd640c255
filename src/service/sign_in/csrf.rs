//! CSRF tokens of the pages' forms. The admin API also requires such a token in a request that changes something, if
//! the request is authenticated by a session cookie.

use crate::domain::csrf;
use crate::service::World;

impl World {
    /// Returns a new token for the forms of `owner`. `owner` is the hash of a session's token. Before sign-in, `owner`
    /// is the hash of a browser's cookie. A token with a `purpose` is valid only for the form with this purpose. A
    /// token with an empty `purpose` is valid for all forms without a purpose, and for the header `X-CSRF-Token`.
    #[must_use]
    pub fn csrf_token(&self, owner: &[u8; 32], purpose: &str) -> String {
        csrf::make(&self.keys.csrf, owner, purpose, self.rng.bytes())
    }

    /// Returns whether a text is a valid token of this owner and purpose.
    #[must_use]
    pub fn is_csrf_token_valid(&self, owner: &[u8; 32], purpose: &str, text: &str) -> bool {
        csrf::is_valid(&self.keys.csrf, owner, purpose, text)
    }
}
