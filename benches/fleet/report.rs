//! Prints the results of a run as Markdown tables.

use std::{collections::BTreeMap, time::Duration};

use super::{
    Fleet,
    chaos::Fault,
    cpu::Used,
    proof::Proof,
    stats::{End, Stats},
};

/// Maximum number of violations that are printed for each proof.
const MAX_PRINTED: usize = 10;

pub fn print(
    fleet: &Fleet,
    stats: &Stats,
    lasted: Duration,
    used: &Used,
    faults: &[Fault],
    proofs: &[Proof],
) {
    let served = stats.served();
    let seconds = lasted.as_secs_f64();
    let cores = |used: f64| used / seconds;
    let busy = cores(used.nodes + used.databases);
    println!(
        "\n{}, for {seconds:.0} s, two nodes, a primary and a synchronous standby, on {} cores{}:\n",
        fleet.company.summary(),
        std::thread::available_parallelism().map_or(0, usize::from),
        if cfg!(debug_assertions) { ", unoptimized build" } else { "" },
    );
    println!("| | |\n|-|-:|");
    println!("| requests per second | {:.0} |", served as f64 / seconds);
    println!(
        "| requests per second for each core that nodes and PostgreSQL use | {:.0} |",
        served as f64 / seconds / busy.max(0.001)
    );
    println!("| cores: nodes | {:.2} |", cores(used.nodes));
    println!("| cores: PostgreSQL | {:.2} |", cores(used.databases));
    println!("| cores: clients, balancer, proxies, receivers | {:.2} |", cores(used.bench));
    print_operations(stats);
    print_ends(stats);
    print_faults(stats, faults);
    print_proofs(proofs);
}

fn print_operations(stats: &Stats) {
    println!("\n| Operation | succeeded | p50 ms | p99 ms | max ms | refused | failed |");
    println!("|-|-:|-:|-:|-:|-:|-:|");
    stats.each(|name, operation| {
        let sum = |is: fn(&End) -> bool| -> u64 {
            operation.ends.iter().filter(|(end, _)| is(end)).map(|(_, count)| count).sum()
        };
        println!(
            "| {name} | {} | {:.1} | {:.1} | {:.1} | {} | {} |",
            operation.latencies.len(),
            at(&operation.latencies, 0.5),
            at(&operation.latencies, 0.99),
            at(&operation.latencies, 1.0),
            sum(|end| matches!(end, End::Refused(_))),
            sum(|end| !end.is_available()),
        );
    });
}

/// Prints how many requests were refused or failed, by error code.
fn print_ends(stats: &Stats) {
    let mut all = BTreeMap::<String, u64>::new();
    stats.each(|_, operation| {
        for (end, count) in &operation.ends {
            let name = match end {
                End::Ok => continue,
                End::Refused(code) => format!("refused: {code}"),
                End::Failed(code) => format!("failed: {code}"),
                End::NoResponse(why) => format!("failed: {why}"),
            };
            *all.entry(name).or_default() += count;
        }
    });
    println!("\n| Refused or failed | requests |\n|-|-:|");
    for (name, count) in all {
        println!("| {name} | {count} |");
    }
}

fn print_faults(stats: &Stats, faults: &[Fault]) {
    if faults.is_empty() {
        return;
    }
    println!(
        "\n| Fault | failed requests | s from the fault's start until fewer than 5 % of requests failed | s from the \
         fault's end until fewer than 5 % of requests failed | s of the longest successful request | s from the \
         fault's end until all nodes were ready |"
    );
    println!("|-|-:|-:|-:|-:|-:|");
    for fault in faults {
        let outage = stats.outage(fault.begun, fault.until);
        let lasted = fault.healed - fault.begun;
        println!(
            "| {} | {} | {:.1} | {:.1} | {:.1} | {:.1} |",
            fault.what,
            outage.failed,
            outage.until.as_secs_f64(),
            outage.until.saturating_sub(lasted).as_secs_f64(),
            outage.longest.as_secs_f64(),
            (fault.ready - fault.healed).as_secs_f64(),
        );
    }
}

fn print_proofs(proofs: &[Proof]) {
    println!("\n| Proof | violations | tested with |\n|-|-:|-|");
    for proof in proofs {
        let count = proof.violations.len();
        let found = if count == 0 { "0".to_owned() } else { format!("**{count}**") };
        println!("| {} | {found} | {} |", proof.name, proof.tried);
    }
    for proof in proofs.iter().filter(|proof| !proof.violations.is_empty()) {
        println!("\n{}:\n", proof.name);
        for violation in proof.violations.iter().take(MAX_PRINTED) {
            println!("- {violation}");
        }
    }
}

/// Returns the latency in milliseconds at a quantile of ascending latencies in microseconds. `share` is the quantile,
/// from 0 to 1. Returns 0 if there are no latencies.
fn at(sorted: &[u32], share: f64) -> f64 {
    let index = (sorted.len() as f64 * share) as usize;
    sorted.get(index.min(sorted.len().saturating_sub(1))).map_or(0.0, |micros| f64::from(*micros) / 1e3)
}
