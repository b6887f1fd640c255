//! `cargo bench --bench windows` makes three measurements of the web client: how fast messages reach many open windows
//! (`fan_out`), how fast conversations are opened (`opening`), and how much memory an open window needs (`memory`).
//!
//! This process is the load generator. The servers are processes of their own: `switchboard serve`, on durable SQLite
//! or on PostgreSQL, and for `fan_out` also the floor (`floor`). The floor is a bare broadcast of server-sent events
//! with which the server is compared. It sends the same number of bytes to the same number of streams, but stores
//! nothing and checks no permissions. Machines differ and are noisy. So `fan_out` measures the server and the floor
//! alternately, in short periods, and its result is the ratio of the medians of their rates. `docs/performance.md`
//! describes the measurements and their reasons.

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

// the program `switchboard` uses the same allocator
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
