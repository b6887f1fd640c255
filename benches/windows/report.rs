//! Prints the results as Markdown tables.

use super::{database::BenchDatabase, fan_out, memory, opening, options::Options, support::data::CLIENTS};

pub fn print_head(options: &Options, database: &BenchDatabase) {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let engine = match database.postgres {
        Some(_) => "PostgreSQL, two nodes",
        None => "SQLite",
    };
    println!(
        "{engine}, {} messages, {cores} cores shared by server and clients, {} rounds with measurements of {:.1} s",
        options.messages,
        options.rounds,
        options.measure_time.as_secs_f64(),
    );
}

/// Prints rates, CPU time and latencies. `seen` has the measurements of the server, then those of the floor. The floor
/// is a bare broadcast of server-sent events, with whose rate the server's rate is compared.
pub fn print_fan_out(options: &Options, seen: &[fan_out::Seen]) {
    println!(
        "\n| {} windows of one conversation | messages × windows per second | rate ÷ rate of the bare broadcast | goal | met | CPU µs per message and window | p50 ms | p99 ms | max ms |",
        options.windows
    );
    println!("|-|-:|-:|-|-|-:|-:|-:|-:|");
    let floor = median(&seen[1].rates);
    for (number, server) in seen.iter().enumerate() {
        let times = median(&server.rates) / floor;
        let verdict = match number {
            0 => (format!("{times:.2}"), format!("≥ {}", fan_out::GOAL), met(times >= fan_out::GOAL)),
            _ => Default::default(),
        };
        let mut latencies = server.latencies.clone();
        latencies.sort_unstable();
        println!(
            "| {} | {:.0} | {} | {} | {} | {:.1} | {:.1} | {:.1} | {:.1} |",
            server.name,
            median(&server.rates),
            verdict.0,
            verdict.1,
            verdict.2,
            median(&server.costs),
            at(&latencies, 0.5),
            at(&latencies, 0.99),
            at(&latencies, 1.0),
        );
    }
}

pub fn print_opening(seen: &opening::Seen) {
    println!("\n| Opening a conversation | measured | goal | met |");
    println!("|-|-:|-:|-|");
    let rate = median(&seen.rates);
    let slow = at(&seen.alone, 0.99);
    println!(
        "| pages per second, {CLIENTS} connections | {rate:.0} | ≥ {} | {} |",
        opening::GOAL,
        met(rate >= opening::GOAL)
    );
    println!("| server CPU per page, µs | {:.0} | | |", median(&seen.costs));
    println!("| one at a time, longest conversation, p50 ms | {:.2} | | |", at(&seen.alone, 0.5));
    println!(
        "| one at a time, longest conversation, p99 ms | {slow:.2} | < {} | {} |",
        opening::GOAL_MS,
        met(slow < opening::GOAL_MS)
    );
    println!(
        "| largest page, bytes | {} | < {} | {} |",
        seen.bytes,
        opening::GOAL_BYTES,
        met(seen.bytes < opening::GOAL_BYTES)
    );
}

pub fn print_memory(seen: &memory::Seen) {
    println!("\n| Idle windows | MB before | MB with the windows | KB for each window | goal | met |");
    println!("|-|-:|-:|-:|-|-|");
    println!(
        "| {} | {:.1} | {:.1} | {:.1} | < {} | {} |",
        seen.open,
        seen.before,
        seen.after,
        seen.each(),
        memory::GOAL,
        met(seen.each() < memory::GOAL)
    );
}

fn met(is_met: bool) -> &'static str {
    if is_met { "yes" } else { "**no**" }
}

fn median(values: &[f64]) -> f64 {
    let mut values = values.to_vec();
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

/// Returns a percentile of sorted latencies in milliseconds, or 0 if there are none. `sorted` is in µs, `share` from 0
/// to 1.
fn at(sorted: &[u32], share: f64) -> f64 {
    let index = (sorted.len() as f64 * share) as usize;
    sorted.get(index.min(sorted.len().saturating_sub(1))).map_or(0.0, |micros| f64::from(*micros) / 1e3)
}
