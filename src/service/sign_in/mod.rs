//! Signing in to the pages and the admin API: sessions, limits on password attempts, CSRF tokens, and the sign-in
//! without a password in the sandbox.

pub mod csrf;
pub mod guesses;
pub mod sandbox;
pub mod sessions;
