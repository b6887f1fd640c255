//! The test suite: one binary, so that it links once and shares one PostgreSQL server.

#![allow(
    clippy::all,
    clippy::pedantic,
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    clippy::allow_attributes_without_reason,
    reason = "a test stops by panicking"
)]

mod admin;
mod assistant;
mod bot;
mod console;
mod contract;
mod events;
mod house;
mod operations;
mod pages;
mod store;
mod support;
