//! Tests that call the bot API through its generated client.

mod auth;
mod conversations;
mod files;
mod messages;
mod oauth;
mod users;

use super::{
    callers::Callers,
    clients::{
        Typed,
        bot::{Client, types},
        typed,
    },
    fails, limited, refused, refuses_callers, succeeds,
};

/// Returns an idempotency key that was never used.
fn key() -> types::CreateMessageIdempotencyKey {
    typed(crate::support::fresh_key())
}
