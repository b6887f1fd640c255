//! The typed clients that the package `codegen` generates from `openapi/`. They are committed in `generated/`.
//!
//! This is a separate package, so it is compiled in parallel with the other dependencies of the server. Each client has
//! a feature of the same name. The command line needs the client of the admin API, and the contract tests need all
//! clients.

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
