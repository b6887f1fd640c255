//! Signing in to the pages and the admin API: sessions, limits on guesses, and CSRF tokens.

pub mod csrf;
pub mod guesses;
pub mod sandbox;
pub mod sessions;
