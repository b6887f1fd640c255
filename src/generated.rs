//! The code generated from `openapi/` by `build.rs`, as it is committed in `generated/`.

#[rustfmt::skip]
#[path = "../generated/bot_server.rs"]
pub mod bot;

#[rustfmt::skip]
#[path = "../generated/admin_server.rs"]
pub mod admin;

#[rustfmt::skip]
#[path = "../generated/assistant_server.rs"]
pub mod assistant;

#[rustfmt::skip]
#[path = "../generated/admin_client.rs"]
#[allow(
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    clippy::allow_attributes_without_reason,
    clippy::unwrap_used,
    missing_docs,
    unreachable_pub,
    unused_qualifications,
    reason = "generated"
)]
pub mod admin_client;

/// Typed clients of our own interfaces; the bot API's is only for tests, which include it by path.
pub mod clients {
    pub use super::admin_client as admin;
}
