//! `cargo bench --bench hostile`: latency of `/healthz` and of bots' sends while hostile clients try to keep thousands
//! of connections open.
//!
//! The server is a separate process: `switchboard serve` with its default limits, on SQLite with `synchronous = FULL`.
//! The hostile clients are tasks of this process. The measured clients have two threads: one for `/healthz`, one for
//! all bots. `docs/performance.md` has the results.

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
mod probe;
#[path = "../support/mod.rs"]
mod support;

use std::time::Duration;

use database::BenchDatabase;
use probe::Seen;
use support::crowd::Crowd;
use support::{data, data::CLIENTS};

/// Pause between the start of the hostile clients and the measurement. So the measurement does not include the start,
/// when all hostile clients connect at the same time.
const SETTLING: Duration = Duration::from_secs(5);

/// The goal for the slowest response while there are hostile connections, in milliseconds.
const GOAL: f64 = 100.0;

const USAGE: &str = "cargo bench --bench hostile -- [--connections N] [--seconds N]

--connections N  number of hostile connections at the same time (default 2,000)
--seconds N      duration of each measurement (default 15)";

struct Options {
    connections: usize,
    seconds: u64,
}

impl Options {
    fn read() -> Self {
        let mut options = Self { connections: 2_000, seconds: 15 };
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            let mut number = || -> u64 { words.next().and_then(|word| word.parse().ok()).expect(USAGE) };
            match word.as_str() {
                "--connections" => options.connections = number() as usize,
                "--seconds" => options.seconds = number(),
                // cargo passes `--bench`
                "--bench" => {}
                _ => panic!("{USAGE}"),
            }
        }
        options
    }
}

fn main() {
    let options = Options::read();
    let database = BenchDatabase::make();
    let mut process = database.serve();
    process.first_answer(b"GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
    let window = Duration::from_secs(options.seconds);
    println!(
        "| Hostile connections | open | reopened in {} s | `/healthz` ms p50 / p99 / max | send ms p50 / p99 / max | resident MB |",
        options.seconds
    );
    println!("|-|-|-|-|-|-|");
    let report = |name: &str, crowd: Option<&Crowd>, seen: &Seen| {
        let (held, reopened) = crowd.map_or((0, 0), |crowd| (crowd.held(), crowd.reopened()));
        println!(
            "| {name} | {held} | {reopened} | {} | {} | {:.0} |",
            seen.health,
            seen.send,
            process.resident()
        );
    };
    let mut slowest = 0_f64;
    report("none", None, &probe::measure(&database, process.address, window));
    for (name, addresses) in [("from 20 addresses", 20), ("from one address", 1)] {
        let crowd = Crowd::gather(process.address, options.connections, addresses, &database.employees);
        std::thread::sleep(SETTLING);
        crowd.count_from_here();
        let seen = probe::measure(&database, process.address, window);
        slowest = slowest.max(seen.health.at(1.0)).max(seen.send.at(1.0));
        report(&format!("{} {name}", options.connections), Some(&crowd), &seen);
    }
    report("none, afterwards", None, &probe::measure(&database, process.address, window));
    assert!(slowest < GOAL, "every response takes less than {GOAL} ms; the slowest took {slowest:.1} ms");
}
