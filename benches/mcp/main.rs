//! `cargo bench --bench mcp`: throughput of assistants' requests, compared with other MCP servers on the same machine,
//! and the memory of Switchboard's open event streams.
//!
//! Every server is a separate process: `switchboard serve` on durable SQLite; a minimal server on rmcp (the Rust SDK of
//! MCP, which Switchboard uses too); and a server on FastMCP, a Python package. This process is the load generator. The
//! speed of a machine varies during a run, so the servers are measured alternately in short windows. Machines differ,
//! so the result is the ratio of the servers' median throughputs. `docs/performance.md` describes the measurements and
//! their reasons.

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
mod options;
mod paths;
mod report;
mod requests;
mod rivals;
mod sessions;
mod streams;
#[path = "../support/mod.rs"]
mod support;

use database::BenchDatabase;
use options::Options;
use report::Report;
use support::{client, connections, cpu, data, data::CLIENTS};

fn main() {
    let options = Options::read();
    let database = BenchDatabase::make(&options);
    let client = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    client.block_on(run(&options, &database));
}

async fn run(options: &Options, database: &BenchDatabase) {
    let mut report = Report::new(options);
    if paths::NAMES.iter().any(|name| options.wants(name)) {
        alternate(options, database, &mut report).await;
    }
    report.print();
    if options.wants(streams::NAME) {
        report::print_streams(&streams::measure(database, options.streams).await);
    }
}

/// Measures the throughput of each subject in short windows. A subject is a kind of request to Switchboard (a *path*),
/// or one of the other servers. Each round has one window for each subject.
async fn alternate(options: &Options, database: &BenchDatabase, report: &mut Report) {
    let mut ours = database.serve(CLIENTS);
    cpu::watch(&ours);
    let mut subjects = paths::ours(database, &mut ours).await;
    subjects.retain(|subject| options.wants(subject.name));
    let mut rivals = Vec::new();
    if subjects.iter().any(|subject| subject.is_compared) {
        rivals.extend([(rivals::BARE, Some(rivals::bare())), (rivals::FASTMCP, rivals::fastmcp())]);
    }
    for (name, process) in &mut rivals {
        if let Some(process) = process {
            cpu::watch(process);
            subjects.push(paths::rival(name, process).await);
        }
    }
    for round in 1..=options.rounds {
        for subject in &subjects {
            let window = client::measure(&subject.work, CLIENTS, options.warm_up, options.window).await;
            report.add(subject, &window);
        }
        eprintln!("round {round} of {}", options.rounds);
    }
}
