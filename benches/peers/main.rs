//! `cargo bench --bench peers` measures how many codes Switchboard exchanges and how many tokens it refreshes per
//! second. It compares the rates with those of npm's `oidc-provider` on the same machine. `docs/performance.md`
//! describes the measurements.

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

mod grants;
mod ours;
#[path = "../support/mod.rs"]
mod support;
mod theirs;

use std::time::Duration;

use grants::Seen;
use support::{client, data, data::CLIENTS};

/// The minimum ratio of Switchboard's rate to that of `oidc-provider`, for pairs of an exchange and a refresh.
const GOAL: f64 = 1.5;

fn main() {
    let quick = std::env::args().any(|argument| argument == "--quick");
    let (rounds, requests) = if quick { (3, 1_280) } else { (7, 6_400) };
    let serving =
        tokio::runtime::Builder::new_multi_thread().thread_name("server").enable_all().build().unwrap();
    let ours = serving.block_on(ours::Server::start());
    let theirs = theirs::Provider::start();
    if theirs.is_none() {
        println!(
            "oidc-provider needs node and npm, which are not both installed: only Switchboard is measured.\n"
        );
    }
    let client = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let (mut of_ours, mut of_theirs) = (Vec::new(), Vec::new());
    for round in 0..=rounds {
        let codes = serving.block_on(ours.codes(requests));
        let seen = client.block_on(grants::measure(ours.peer(), codes));
        let other = theirs.as_ref().map(|theirs| {
            client.block_on(async { grants::measure(theirs.peer(), theirs.codes(requests).await).await })
        });
        // the first round is a warm-up
        if round > 0 {
            of_ours.push(seen);
            of_theirs.extend(other);
            eprintln!("round {round} of {rounds}");
        }
    }
    report(&of_ours, &of_theirs, requests);
    ours.stop();
    serving.shutdown_timeout(Duration::from_secs(5));
}

fn report(ours: &[Seen], theirs: &[Seen], requests: usize) {
    println!("{} rounds of {requests} requests of each kind, {CLIENTS} connections\n", ours.len());
    println!("| Per second | Switchboard | oidc-provider | Ratio | Goal |\n|-|-|-|-|-|");
    type Rate = fn(&Seen) -> f64;
    let rows: [(&str, Rate, Option<f64>); 3] = [
        ("code exchanges", |seen| seen.exchanges, None),
        ("refreshes", |seen| seen.refreshes, None),
        (
            "pairs of an exchange and a refresh",
            |seen| 1.0 / (1.0 / seen.exchanges + 1.0 / seen.refreshes),
            Some(GOAL),
        ),
    ];
    for (name, of, goal) in rows {
        let own = median(ours, of);
        if theirs.is_empty() {
            println!(
                "| {name} | {own:.0} | – | – | {} |",
                goal.map_or(String::new(), |goal| format!("{goal}"))
            );
            continue;
        }
        let other = median(theirs, of);
        let ratio = own / other;
        let verdict = goal.map_or(String::new(), |goal| {
            format!("{goal}: {}", if ratio >= goal { "met" } else { "missed" })
        });
        println!("| {name} | {own:.0} | {other:.0} | {ratio:.2} | {verdict} |");
    }
}

fn median(seen: &[Seen], of: fn(&Seen) -> f64) -> f64 {
    let mut values: Vec<f64> = seen.iter().map(of).collect();
    values.sort_unstable_by(f64::total_cmp);
    values[values.len() / 2]
}
