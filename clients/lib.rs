//! The typed clients that the package `codegen` generates from `openapi/`. They are committed in `generated/`.
//!
//! A package of its own, which is compiled beside the other dependencies of the server. Each client is behind a feature
//! of its name: the command line needs the client of the admin API, the contract tests need all clients.

#[cfg(feature = "admin")]
pub mod admin;

/// The client of the assistant server's OAuth endpoints.
#[cfg(feature = "assistant")]
#[rustfmt::skip]
#[allow(
    clippy::all,
    clippy::pedantic,
    clippy::allow_attributes_without_reason,
    clippy::unwrap_used,
    unused_qualifications,
    reason = "generated"
)]
#[path = "../generated/assistant_client.rs"]
pub mod assistant;

/// The client of the bot API.
#[cfg(feature = "bot")]
#[rustfmt::skip]
#[allow(
    clippy::all,
    clippy::pedantic,
    clippy::allow_attributes_without_reason,
    clippy::unwrap_used,
    unused_qualifications,
    reason = "generated"
)]
#[path = "../generated/bot_client.rs"]
pub mod bot;
