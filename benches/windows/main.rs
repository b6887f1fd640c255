//! `cargo bench --bench windows` measures the web client: messages that reach many open windows, conversations that are
//! opened, and the memory of windows.
//!
//! Every server is a process of its own: `switchboard serve`, on durable SQLite or on PostgreSQL, and the floor, a bare
//! broadcast of server-sent events (`floor`). The floor sends the same number of bytes to as many streams, but stores
//! nothing and checks no permissions. This process is the load generator. Machines differ and are noisy, so the two
//! servers of the first measurement alternate in short periods, and its result is the ratio of the medians.
//! `docs/performance.md` describes the measurements and their reasons.

#![allow(
    clippy::pedantic,
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    clippy::allow_attributes_without_reason,
    reason = "a measurement stops by panicking"
)]

mod database;
mod fan_out;
mod floor;
mod memory;
mod opening;
mod options;
mod report;
mod streams;
#[path = "../support/mod.rs"]
mod support;

// the same allocator as that of the program `switchboard`
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

use database::BenchDatabase;
use options::Options;
use support::data;

fn main() {
    if std::env::args().any(|argument| argument == floor::ARGUMENT) {
        return floor::serve();
    }
    let options = Options::read();
    let database = BenchDatabase::make(&options);
    let client = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    client.block_on(run(&options, &database));
}

async fn run(options: &Options, database: &BenchDatabase) {
    report::print_head(options, database);
    if options.wants(fan_out::NAME) {
        let seen = fan_out::measure(options, database).await;
        report::print_fan_out(options, &seen);
    }
    if options.wants(opening::NAME) {
        report::print_opening(&opening::measure(options, database).await);
    }
    if options.wants(memory::NAME) {
        report::print_memory(&memory::measure(options, database).await);
    }
}
