//! The fixtures of the suite: a server on a real socket with a real database, a clock that only tests move, and a
//! company.

pub mod api;
pub mod assistant;
pub mod authorize;
pub mod bot_fixture;
pub mod browser;
pub mod bucket;
pub mod committed;
pub mod company;
pub mod console;
pub mod database;
pub mod engines;
pub mod events;
pub mod home;
pub mod identity;
pub mod listening;
pub mod mcp;
pub mod names;
pub mod oauth;
pub mod operations;
pub mod pgbouncer;
pub mod postgres;
pub mod process;
pub mod proxy;
pub mod receiver;
pub mod server;
pub mod statement_counts;
pub mod tcp_proxy;
pub mod tools;
pub mod wait;
pub mod wire;
pub mod words;

pub use api::{Answer, Api, Call};
pub use bot_fixture::BotFixture;
pub use bucket::Bucket;
pub use company::*;
pub use engines::LimitedServer;
pub use events::*;
pub use home::Home;
pub use operations::*;
pub use process::Process;
pub use receiver::{Identity, ReceivedRequest, Receiver, Treatment};
pub use server::{Options, Server};
pub use switchboard_test_macros::both_engines;
pub use wait::{becomes_true, until};
pub use words::*;

/// Returns the text with its last character changed.
pub fn with_other_last_character(text: &str) -> String {
    let (begin, last) = text.split_at(text.len() - 1);
    format!("{begin}{}", if last == "0" { '1' } else { '0' })
}
