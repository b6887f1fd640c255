//! The test suite. It is one binary, so that the tests are linked once and share one PostgreSQL server.

#![allow(
    clippy::pedantic,
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    clippy::allow_attributes_without_reason,
    reason = "tests fail by panicking, print, and call functions that the server must not call"
)]
#![allow(
    clippy::cloned_ref_to_slice_refs,
    clippy::field_reassign_with_default,
    reason = "`[id.clone()]`, and one assignment for each changed setting, are easier to read"
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
