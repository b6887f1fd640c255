//! Prints the results of the benchmark as Markdown tables.

use super::{
    CLIENTS,
    client::Window,
    options::Options,
    paths::{Goal, Subject},
    rivals::{BARE, FASTMCP},
    streams::{self, Seen},
};

pub struct Report {
    head: String,
    rows: Vec<Row>,
}

struct Row {
    name: &'static str,
    is_compared: bool,
    goals: &'static [Goal],
    /// Requests per second, one value for each window.
    rates: Vec<f64>,
    /// CPU time of the servers per request in µs, one value for each window.
    costs: Vec<f64>,
    /// Latencies of all requests of all windows, in µs.
    latencies: Vec<u32>,
}

impl Report {
    pub fn new(options: &Options) -> Self {
        let cores = std::thread::available_parallelism().map_or(0, usize::from);
        let head = format!(
            "SQLite, {CLIENTS} connections, {cores} cores shared by server and clients, {} windows of {:.1} s",
            options.rounds,
            options.window.as_secs_f64(),
        );
        Self { head, rows: Vec::new() }
    }

    pub fn add(&mut self, subject: &Subject, window: &Window) {
        let index = self.rows.iter().position(|row| row.name == subject.name).unwrap_or_else(|| {
            let Subject { name, is_compared, goals, .. } = *subject;
            self.rows.push(Row { name, is_compared, goals, rates: vec![], costs: vec![], latencies: vec![] });
            self.rows.len() - 1
        });
        let row = &mut self.rows[index];
        let count = window.latencies.len().max(1) as f64;
        row.rates.push(count / window.seconds);
        row.costs.push(window.server_cpu.as_secs_f64() * 1e6 / count);
        row.latencies.extend_from_slice(&window.latencies);
    }

    /// Returns the throughput of a row as a multiple of the throughput of the server `other`. Returns `None` if
    /// `row.is_compared` is `false`, or if `other` was not measured.
    fn times(&self, row: &Row, other: &str) -> Option<f64> {
        let other = self.rows.iter().find(|known| known.name == other)?;
        row.is_compared.then(|| median(&row.rates) / median(&other.rates))
    }

    pub fn print(mut self) {
        for row in &mut self.rows {
            row.latencies.sort_unstable();
        }
        println!("{}", self.head);
        if !self.rows.is_empty() {
            self.print_rates();
        }
    }

    fn print_rates(&self) {
        println!(
            "\n| Path | per second | times {BARE} | times {FASTMCP} | goal | met | p50 ms | p99 ms | server CPU µs |"
        );
        println!("|-|-:|-:|-:|-|-|-:|-:|-:|");
        for row in &self.rows {
            let times = |other| self.times(row, other).map(|times| format!("{times:.2}")).unwrap_or_default();
            let goals: Vec<String> =
                row.goals.iter().map(|goal| format!("{} × {}", goal.times, goal.than)).collect();
            println!(
                "| {} | {:.0} | {} | {} | {} | {} | {:.2} | {:.2} | {:.1} |",
                row.name,
                median(&row.rates),
                times(BARE),
                times(FASTMCP),
                goals.join(", "),
                self.met(row),
                at(&row.latencies, 0.5),
                at(&row.latencies, 0.99),
                median(&row.costs),
            );
        }
    }

    /// Returns the text of the column `met`: whether the row meets its goals, then the servers that were not measured.
    /// Goals relative to these servers are ignored.
    fn met(&self, row: &Row) -> String {
        let reached = |goal: &Goal| self.times(row, goal.than).map(|times| times >= goal.times);
        let open: Vec<_> = row.goals.iter().filter(|goal| reached(goal).is_none()).map(|g| g.than).collect();
        let judged: Vec<bool> = row.goals.iter().filter_map(reached).collect();
        let mut text = match judged.contains(&false) {
            _ if judged.is_empty() => String::new(),
            true => "**no**".to_owned(),
            false => "yes".to_owned(),
        };
        if !open.is_empty() {
            text.push_str(&format!(" ({} not measured)", open.join(", ")));
        }
        text
    }
}

/// Prints the memory of idle streams.
pub fn print_streams(seen: &Seen) {
    println!(
        "\n| Idle streams | resident MB without streams | resident MB with streams | KB for each stream | goal | met |"
    );
    println!("|-|-:|-:|-:|-|-|");
    let met = match seen.each() < streams::GOAL {
        true if seen.open < seen.wanted => "yes, with fewer streams than requested",
        true => "yes",
        false => "**no**",
    };
    println!(
        "| {} | {:.1} | {:.1} | {:.1} | < {} | {met} |",
        seen.open,
        seen.before,
        seen.after,
        seen.each(),
        streams::GOAL
    );
}

fn median(values: &[f64]) -> f64 {
    let mut values = values.to_vec();
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

/// Returns the latency in milliseconds at a quantile of ascending latencies in microseconds. `share` is the quantile,
/// from 0 to 1. Returns 0 if there are no latencies.
fn at(sorted: &[u32], share: f64) -> f64 {
    let index = (sorted.len() as f64 * share) as usize;
    sorted.get(index.min(sorted.len().saturating_sub(1))).map_or(0.0, |micros| f64::from(*micros) / 1e3)
}
