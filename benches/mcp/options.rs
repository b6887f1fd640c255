//! The command line of the benchmark.

use std::path::PathBuf;
use std::time::Duration;

/// Maximum number of streams. The benchmark's database has 1,000 employees. Each of them has one connection, which may
/// have 16 open streams.
const MAX_STREAMS: usize = 1_000 * 16;

/// What is measured, and for how long.
pub struct Options {
    /// Number of windows (periods of measurement) of each path, that is, of each kind of request.
    pub rounds: usize,
    /// Length of a window.
    pub window: Duration,
    pub warm_up: Duration,
    /// Number of open streams.
    pub streams: usize,
    /// Parts of the names of the measurements to make. If there are none, all measurements are made.
    pub only: Vec<String>,
    /// The folder in which the database is created; `None` for the system's temporary folder.
    pub dir: Option<PathBuf>,
}

const USAGE: &str =
    "cargo bench --bench mcp -- [--quick] [--only NAME]… [--rounds N] [--seconds N] [--streams N] [--dir FOLDER]

--quick        3 windows of 0.7 s, 2,000 streams
--only NAME    make only the measurements whose name contains NAME (whoami, read_messages, session, streams),
               and measure the servers with which they are compared
--rounds N     number of windows (periods of measurement) of each kind of request (5)
--seconds N    length of one window (2)
--streams N    streams that are open at the same time (10,000)
--dir FOLDER   where the database is created (the system's temporary folder)";

impl Options {
    pub fn read() -> Self {
        let mut options = Self {
            rounds: 5,
            window: Duration::from_secs(2),
            warm_up: Duration::from_millis(300),
            streams: 10_000,
            only: Vec::new(),
            dir: None,
        };
        // `--quick` is read first, so that the other options take precedence at any position
        if std::env::args().any(|argument| argument == "--quick") {
            options.rounds = 3;
            options.window = Duration::from_millis(700);
            options.streams = 2_000;
        }
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            let mut value =
                || arguments.next().unwrap_or_else(|| usage(&format!("{argument} needs a value")));
            match argument.as_str() {
                "--only" => options.only.push(value()),
                "--rounds" => options.rounds = count(&value()),
                "--seconds" => options.window = Duration::from_secs_f64(number(&value())),
                "--streams" => options.streams = count(&value()),
                "--dir" => options.dir = Some(value().into()),
                // `--quick` is read above; cargo passes `--bench`
                "--quick" | "--bench" => {}
                other => usage(&format!("{other} is unknown")),
            }
        }
        if options.streams > MAX_STREAMS {
            usage(&format!(
                "--streams is at most {}: the benchmark has 1,000 assistants, and each may have 16 open streams",
                MAX_STREAMS
            ));
        }
        options
    }

    /// Returns whether the measurement with this name is selected.
    pub fn wants(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| name.contains(only))
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
