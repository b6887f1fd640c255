//! Prints the tables of the results.

use std::time::Duration;

use super::{
    CLIENTS,
    client::Window,
    options::Options,
    paths::{Against, Goal, HELLO, Subject},
    process::Seen,
};

pub struct Report {
    head: String,
    rows: Vec<Row>,
    pub processes: Vec<Seen>,
}

struct Row {
    name: &'static str,
    against: Against,
    goals: &'static [Goal],
    /// Requests per second, by window.
    rates: Vec<f64>,
    /// CPU time of the server per request in µs, by window.
    costs: Vec<f64>,
    /// CPU time of each PostgreSQL server per request in µs, by server and window.
    database_costs: Vec<Vec<f64>>,
    /// Latencies of all requests of all windows, in µs.
    latencies: Vec<u32>,
}

impl Row {
    /// Returns the CPU time per request in µs: the median of the server plus the median of each PostgreSQL server.
    fn whole_cost(&self) -> f64 {
        median(&self.costs) + self.database_costs.iter().map(|costs| median(costs)).sum::<f64>()
    }
}

impl Report {
    pub fn new(options: &Options, fsync: Duration) -> Self {
        let cores = std::thread::available_parallelism().map_or(0, usize::from);
        let (engine, clients) = match (&options.postgres, options.nodes) {
            (Some(_), 1) => ("PostgreSQL".to_owned(), "32 (pages: 8)".to_owned()),
            (Some(_), nodes) => (format!("PostgreSQL, {nodes} nodes"), "32 (pages: 8)".to_owned()),
            (None, _) => ("SQLite".to_owned(), CLIENTS.to_string()),
        };
        let engine = if options.replica { engine + " with a standby that is read" } else { engine };
        let head = format!(
            "{engine}, {clients} connections, {cores} cores shared by server and clients, {} windows of {:.1} s, \
             large: {} messages, fdatasync of 4 KiB: {:.2} ms",
            options.rounds,
            options.window.as_secs_f64(),
            options.large(),
            fsync.as_secs_f64() * 1e3,
        );
        Self { head, rows: Vec::new(), processes: Vec::new() }
    }

    pub fn add(&mut self, subject: &Subject, window: &Window) {
        let index = self.rows.iter().position(|row| row.name == subject.name).unwrap_or_else(|| {
            let Subject { name, against, goals, .. } = *subject;
            self.rows.push(Row {
                name,
                against,
                goals,
                rates: vec![],
                costs: vec![],
                database_costs: vec![],
                latencies: vec![],
            });
            self.rows.len() - 1
        });
        let row = &mut self.rows[index];
        let count = window.latencies.len().max(1) as f64;
        row.rates.push(count / window.seconds);
        row.costs.push(window.server_cpu.as_secs_f64() * 1e6 / count);
        row.database_costs.resize_with(window.database_cpu.len(), Vec::new);
        for (costs, used) in row.database_costs.iter_mut().zip(&window.database_cpu) {
            costs.push(used.as_secs_f64() * 1e6 / count);
        }
        row.latencies.extend_from_slice(&window.latencies);
    }

    fn median_of(&self, name: &str, of: impl Fn(&Row) -> &Vec<f64>) -> Option<f64> {
        self.rows.iter().find(|row| row.name == name).map(|row| median(of(row)))
    }

    pub fn print(mut self) {
        println!("\n{}\n", self.head);
        let databases = self.rows.first().map_or(0, |row| row.database_costs.len());
        let titles = &[" database CPU µs |", " standby CPU µs |"][..databases];
        println!(
            "| Path | per second | ratio | goal | met | p50 ms | p99 ms | server CPU µs |{}",
            titles.concat()
        );
        println!("|-|-:|-:|-|-|-:|-:|-:|{}", "-:|".repeat(databases));
        for row in &mut self.rows {
            row.latencies.sort_unstable();
        }
        let hello = self.median_of(HELLO, |row| &row.rates);
        for row in &self.rows {
            let (rate, cost) = (median(&row.rates), median(&row.costs));
            let ratio = match row.against {
                Against::Nothing => None,
                Against::Floor(floor) => self.median_of(floor, |r| &r.rates).map(|floor| rate / floor),
                Against::Cost(other) => self
                    .rows
                    .iter()
                    .find(|r| r.name == other)
                    .map(|other| row.whole_cost() / other.whole_cost()),
            };
            let met = row.goals.iter().map(|goal| match *goal {
                Goal::Ratio(least) => ratio.is_some_and(|ratio| ratio >= least),
                Goal::Cost(most) => ratio.is_some_and(|ratio| ratio <= most),
                Goal::Rate(least) => rate >= least,
                Goal::OfHello(least) => hello.is_some_and(|hello| rate / hello >= least),
            });
            let goals: Vec<String> = row
                .goals
                .iter()
                .map(|goal| match goal {
                    Goal::Ratio(least) => format!("≥ {least}"),
                    Goal::Cost(most) => format!("cost ≤ {most}×"),
                    Goal::Rate(least) => format!("≥ {least}/s"),
                    Goal::OfHello(least) => format!("≥ {least} of hello"),
                })
                .collect();
            let of_databases: String =
                row.database_costs.iter().map(|costs| format!(" {:.1} |", median(costs))).collect();
            println!(
                "| {} | {rate:.0} | {} | {} | {} | {:.2} | {:.2} | {cost:.1} |{of_databases}",
                row.name,
                ratio.map(|ratio| format!("{ratio:.2}")).unwrap_or_default(),
                goals.join(", "),
                met_text(met),
                at(&row.latencies, 0.5),
                at(&row.latencies, 0.99),
            );
        }
        self.print_processes();
    }

    fn print_processes(&self) {
        if self.processes.is_empty() {
            return;
        }
        println!(
            "\n| A process over a database with | first answer ms | goal | met | idle MB | goal | met | after work MB |"
        );
        println!("|-|-:|-|-|-:|-|-|-:|");
        for seen in &self.processes {
            let first = seen.first_answer.as_secs_f64() * 1e3;
            println!(
                "| {} messages | {first:.0} | < 100 | {} | {:.1} | < 30 | {} | {:.1} |",
                seen.messages,
                met_text([first < 100.0].into_iter()),
                seen.idle,
                met_text([seen.idle < 30.0].into_iter()),
                seen.after_work
            );
        }
    }
}

fn met_text(goals: impl Iterator<Item = bool>) -> &'static str {
    let goals: Vec<bool> = goals.collect();
    match goals.contains(&false) {
        _ if goals.is_empty() => "",
        true => "**no**",
        false => "yes",
    }
}

fn median(values: &[f64]) -> f64 {
    let mut values = values.to_vec();
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

/// Returns a quantile of latencies in milliseconds. `sorted` has the latencies in microseconds, in ascending order.
/// `share` is the quantile, from 0 to 1. Returns 0 if there are no latencies.
fn at(sorted: &[u32], share: f64) -> f64 {
    let index = (sorted.len() as f64 * share) as usize;
    sorted.get(index.min(sorted.len().saturating_sub(1))).map_or(0.0, |micros| f64::from(*micros) / 1e3)
}
