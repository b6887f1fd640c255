//! The routes and types that `build.rs` generates from `openapi/`. They are committed in `generated/`. The API clients
//! are a separate package in `clients/`.

#[rustfmt::skip]
#[path = "../generated/bot_server.rs"]
pub mod bot;

#[rustfmt::skip]
#[path = "../generated/admin_server.rs"]
pub mod admin;

#[rustfmt::skip]
#[path = "../generated/assistant_server.rs"]
pub mod assistant;
