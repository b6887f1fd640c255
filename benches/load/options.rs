//! The command line of the benchmark. `main.rs` describes paths, floors and windows.

use std::path::PathBuf;
use std::time::Duration;

/// What is measured, and for how long.
pub struct Options {
    /// Number of windows in which each path is measured.
    pub rounds: usize,
    pub window: Duration,
    pub warm_up: Duration,
    /// Whether the run is short: the large database has fewer messages, and there are fewer and shorter windows.
    pub quick: bool,
    /// Number of messages in the large database; `None` for the default of [`Options::large`].
    pub messages: Option<usize>,
    /// The values of `--only`. A path is selected if its name contains one of the values. If the list is empty, all
    /// paths are selected.
    pub only: Vec<String>,
    /// PostgreSQL instead of SQLite: the URL of a user who may create databases, or `start` for a private server.
    pub postgres: Option<String>,
    /// Number of servers on each database. The load generator distributes its connections over these servers.
    pub nodes: usize,
    /// Whether the servers use a standby for the reads that it may answer.
    pub replica: bool,
    /// The folder in which the databases are created; `None` for the system's temporary folder.
    pub dir: Option<PathBuf>,
}

const USAGE: &str =
    "cargo bench --bench load -- [--quick] [--only NAME]… [--rounds N] [--seconds N] [--messages N]
    [--dir FOLDER] [--postgres URL|start] [--nodes N] [--replica]

Defaults are in parentheses.

--quick         other defaults: 3 windows of 0.7 s for each path, 200,000 messages in the large database
--only NAME     measure only the paths whose name contains NAME, and the floors and paths with which these are
                compared. The option may be repeated. If no NAME contains `large`, there is no large database
--messages N    messages in the large database (2,000,000; on PostgreSQL 10,000,000)
--seconds N     length of one window in seconds (2)
--rounds N      number of windows of each path (5)
--dir FOLDER    where the databases are created (the system's temporary folder)
--postgres URL  measure PostgreSQL instead of SQLite: URL names a user who may create databases; `start` starts a
                private server
--nodes N       with --postgres: number of servers on each database (1); the servers share the connections
--replica       with --postgres start: the servers also read from a standby";

impl Options {
    pub fn read() -> Self {
        let mut options = Self {
            rounds: 5,
            window: Duration::from_secs(2),
            warm_up: Duration::from_millis(300),
            quick: false,
            messages: None,
            only: Vec::new(),
            postgres: None,
            nodes: 1,
            replica: false,
            dir: None,
        };
        // `--quick` is read first, so that the other options take precedence at any position
        if std::env::args().any(|argument| argument == "--quick") {
            options.quick = true;
            options.rounds = 3;
            options.window = Duration::from_millis(700);
        }
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            let mut value =
                || arguments.next().unwrap_or_else(|| usage(&format!("{argument} needs a value")));
            match argument.as_str() {
                "--messages" => options.messages = Some(count(&value())),
                "--only" => options.only.push(value()),
                "--rounds" => options.rounds = count(&value()),
                "--seconds" => options.window = Duration::from_secs_f64(number(&value())),
                "--postgres" => options.postgres = Some(value()),
                "--nodes" => options.nodes = count(&value()),
                "--replica" => options.replica = true,
                "--dir" => options.dir = Some(value().into()),
                // `--quick` is read above; cargo passes `--bench`
                "--quick" | "--bench" => {}
                other => usage(&format!("{other} is unknown")),
            }
        }
        if options.nodes > 1 && options.postgres.is_none() {
            usage("--nodes above 1 needs --postgres: only one process can use a SQLite database");
        }
        if options.replica && options.postgres.as_deref() != Some("start") {
            usage("--replica needs --postgres start");
        }
        options
    }

    /// Returns the number of messages in the large database.
    pub fn large(&self) -> usize {
        match (self.messages, self.quick, &self.postgres) {
            (Some(messages), ..) => messages,
            (None, true, _) => 200_000,
            (None, false, Some(_)) => 10_000_000,
            (None, false, None) => 2_000_000,
        }
    }

    /// Returns whether a path with this name is selected.
    pub fn wants(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| name.contains(only))
    }

    /// Returns whether the large database is needed: if there is no `--only`, or if one of the values contains `large`.
    pub fn wants_large(&self) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| only.contains("large"))
    }
}

fn number(text: &str) -> f64 {
    text.parse()
        .ok()
        .filter(|n| *n > 0.0)
        .unwrap_or_else(|| usage(&format!("{text} is not a number above 0")))
}

fn count(text: &str) -> usize {
    text.parse()
        .ok()
        .filter(|n| *n > 0)
        .unwrap_or_else(|| usage(&format!("{text} is not a whole number above 0")))
}

fn usage(problem: &str) -> ! {
    eprintln!("{problem}\n\n{USAGE}");
    std::process::exit(2);
}
