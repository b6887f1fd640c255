//! The test suite. It is one binary, so that the tests are linked once and share one PostgreSQL server.

#![allow(
    clippy::pedantic,
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    clippy::allow_attributes_without_reason,
    reason = "a test stops by panicking"
)]
#![allow(
    clippy::cloned_ref_to_slice_refs,
    clippy::field_reassign_with_default,
    reason = "`[id.clone()]` is the expected list, and a configuration reads best as one line for each setting"
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
