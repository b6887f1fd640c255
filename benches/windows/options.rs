//! The command line of the benchmark.

use std::path::PathBuf;
use std::time::Duration;

/// Maximum number of open windows. The benchmark's company has 1,000 people, and the server allows each person 64 open
/// windows.
const MAX_WINDOWS: usize = 1_000 * 64;

/// What is measured, and for how long.
pub struct Options {
    /// Number of rounds of the measurements `fan-out` and `opening`. Each round of `fan-out` measures the server, and
    /// for comparison a bare broadcast (`floor.rs`).
    pub rounds: usize,
    /// Length of one measurement. A round has several measurements.
    pub measure_time: Duration,
    pub warm_up: Duration,
    /// Number of messages in the database.
    pub messages: usize,
    /// Number of open windows to which each message is sent.
    pub windows: usize,
    /// Number of open windows whose memory is measured.
    pub idle: usize,
    /// The values of `--only`. If there are any, only the measurements are made whose names contain one of them.
    only: Vec<String>,
    /// The URL of a PostgreSQL server, or `start` to start one for the benchmark; `None` for SQLite.
    pub postgres: Option<String>,
    /// The folder in which the database is created; `None` for the system's temporary folder.
    pub dir: Option<PathBuf>,
}

const USAGE: &str =
    "cargo bench --bench windows -- [--quick] [--postgres URL|start] [--only NAME]… [--messages N]
    [--windows N] [--idle N] [--rounds N] [--seconds N] [--dir FOLDER]

Defaults are in parentheses.

--quick          3 rounds with measurements of 1 s, 10,000 messages, 1,000 idle windows
--postgres       measure on the PostgreSQL server at URL, or start a server (`start`). On PostgreSQL, fan-out
                 uses two nodes
--only NAME      make only the measurements whose names contain NAME; the names are: fan-out, opening, idle windows
--messages N     messages in the database (1,000,000). The longest conversation has 40 % of them; if N is above
                 1,000,000, it has 100,000 messages
--windows N      open windows, each of which receives every message in fan-out (500)
--idle N         open windows whose memory is measured (5,000)
--seconds N      length of one measurement (3); --rounds N: rounds of fan-out and opening (5)
--dir FOLDER     where the database is created (the system's temporary folder)";

impl Options {
    pub fn read() -> Self {
        let mut options = Self {
            rounds: 5,
            measure_time: Duration::from_secs(3),
            warm_up: Duration::from_millis(500),
            messages: 1_000_000,
            windows: 500,
            idle: 5_000,
            only: Vec::new(),
            postgres: None,
            dir: None,
        };
        // `--quick` is read first, so that the other options take precedence at any position
        if std::env::args().any(|argument| argument == "--quick") {
            options.rounds = 3;
            options.measure_time = Duration::from_secs(1);
            options.messages = 10_000;
            options.idle = 1_000;
        }
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            let mut value =
                || arguments.next().unwrap_or_else(|| usage(&format!("{argument} needs a value")));
            match argument.as_str() {
                "--postgres" => options.postgres = Some(value()),
                "--only" => options.only.push(value()),
                "--messages" => options.messages = count(&value()),
                "--windows" => options.windows = count(&value()),
                "--idle" => options.idle = count(&value()),
                "--rounds" => options.rounds = count(&value()),
                "--seconds" => options.measure_time = Duration::from_secs(count(&value()) as u64),
                "--dir" => options.dir = Some(value().into()),
                // `--quick` is read above; cargo passes `--bench`
                "--quick" | "--bench" => {}
                other => usage(&format!("{other} is unknown")),
            }
        }
        if options.windows.max(options.idle) > MAX_WINDOWS {
            usage(&format!(
                "together, the people of the benchmark may have at most {} windows open",
                MAX_WINDOWS
            ));
        }
        options
    }

    /// Returns whether a measurement is selected.
    pub fn wants(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| name.contains(only))
    }
}

fn count(text: &str) -> usize {
    let number = text.parse().ok().filter(|n| *n > 0);
    number.unwrap_or_else(|| usage(&format!("{text} is not a whole number above 0")))
}

fn usage(problem: &str) -> ! {
    eprintln!("{problem}\n\n{USAGE}");
    std::process::exit(2);
}
