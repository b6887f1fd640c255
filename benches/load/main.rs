//! `cargo bench --bench load`: the throughput of the most frequent requests over HTTP.
//!
//! Each of these requests is called a path. Over a database with few messages ("small"), each path is compared with a
//! floor. Over a database with many messages ("large"), each path except `MCP whoami` is compared with the same path
//! over the small database.
//!
//! A floor is a program that does only the minimum that any server of this kind must do. Floor A returns JSON behind a
//! bearer check. Floor B commits the message and the idempotency key of a send. Floors S and P, only on PostgreSQL,
//! run one query per request. Machines differ and are noisy, so floors and paths are measured in the same run, in short
//! alternating windows, and the result is the ratio of their medians.
//!
//! This process runs the server, on a runtime like that of `switchboard serve`, and a minimal load generator. The time
//! of a start and the memory are measured on `switchboard serve` in a process of its own (`process`).
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

// the same allocator as that of the program `switchboard`
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

mod bulk;
mod floor_axum;
mod floor_json;
mod floor_rows;
mod floor_select;
#[path = "../mcp/requests.rs"]
#[allow(dead_code, reason = "this benchmark uses only some of the helpers of the benchmark `mcp`")]
mod mcp_requests;
mod options;
mod paths;
mod process;
mod report;
mod server;
#[path = "../support/mod.rs"]
mod support;

use std::time::Duration;

use options::Options;
use paths::{Against, Subject};
use report::Report;
use server::Storage;
use support::{client, connections, cpu, data, data::CLIENTS};

/// Number of messages in the small database.
const SMALL: usize = 10_000;

fn main() {
    let options = Options::read();
    // the load generator has a thread of its own, so that its CPU time can be separated from the server's
    let client = std::thread::Builder::new().name(cpu::CLIENT_THREAD.into()).spawn(move || {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(run(&options));
    });
    client.unwrap().join().unwrap();
}

async fn run(options: &Options) {
    let servers = server::Servers::new(options);
    let mut report = Report::new(options, servers.fsync());
    let large = options.large();

    let small = servers.start("small", SMALL).await;
    let large = if options.wants_large() { Some(servers.start("large", large).await) } else { None };
    if large.is_none() {
        let skipped: Vec<&str> = paths::LARGE.into_iter().filter(|name| options.wants(name)).collect();
        if !skipped.is_empty() {
            eprintln!("not measured, because no --only contains `large`: {}", skipped.join("; "));
        }
    }
    let subjects = paths::all(&servers, &small, large.as_ref()).await;
    let subjects = wanted(subjects, options);

    for round in 1..=options.rounds {
        for subject in &subjects {
            let window =
                client::measure(&subject.work, subject.clients, options.warm_up, options.window).await;
            report.add(subject, &window);
        }
        eprintln!("round {round} of {}", options.rounds);
    }
    for ready in [Some(&small), large.as_ref()].into_iter().flatten() {
        servers.settle(ready).await;
    }
    let storages: Vec<(Storage, usize)> =
        [Some(small), large].into_iter().flatten().map(server::Ready::close).collect();
    if options.wants("start") && options.postgres.is_none() {
        // gives the servers time to close their files
        tokio::time::sleep(Duration::from_millis(500)).await;
        for (storage, messages) in &storages {
            report.processes.push(process::measure(storage, *messages, options).await);
        }
    }
    report.print();
    servers.end();
}

/// Returns the selected subjects, and the subjects with which the selected ones are compared. On PostgreSQL also
/// returns [`paths::HELLO`].
fn wanted(subjects: Vec<Subject>, options: &Options) -> Vec<Subject> {
    let asked: Vec<&str> = subjects.iter().map(|s| s.name).filter(|name| options.wants(name)).collect();
    let compared: Vec<&str> = subjects
        .iter()
        .filter(|s| asked.contains(&s.name))
        .filter_map(|s| match s.against {
            Against::Nothing => None,
            Against::Floor(other) | Against::Cost(other) => Some(other),
        })
        .chain(options.postgres.is_some().then_some(paths::HELLO))
        .collect();
    subjects.into_iter().filter(|s| asked.contains(&s.name) || compared.contains(&s.name)).collect()
}
