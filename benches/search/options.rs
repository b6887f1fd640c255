//! The command line of the benchmark.

/// The options of a run.
pub struct Options {
    /// Number of messages in the database.
    pub messages: usize,
    /// Number of measured calls for each search and each read.
    pub calls: usize,
    /// The PostgreSQL server to use instead of SQLite: its URL, with a user who may create databases, or `start`, which
    /// starts a server for this run.
    pub postgres: Option<String>,
}

const USAGE: &str =
    "cargo bench --bench search -- [--quick] [--messages N] [--calls N] [--postgres URL|start]";

impl Options {
    pub fn read() -> Self {
        let mut options = Self { messages: 1_000_000, calls: 500, postgres: None };
        // `--quick` is read first, so that `--messages` and `--calls` take precedence at any position
        if std::env::args().any(|argument| argument == "--quick") {
            options.messages = 100_000;
            options.calls = 200;
        }
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            let mut value =
                || arguments.next().unwrap_or_else(|| usage(&format!("{argument} needs a value")));
            match argument.as_str() {
                "--messages" => options.messages = number(&value()),
                "--calls" => options.calls = number(&value()),
                "--postgres" => options.postgres = Some(value()),
                // `--quick` is read above; cargo passes `--bench`
                "--quick" | "--bench" => {}
                other => usage(&format!("{other} is unknown")),
            }
        }
        options
    }
}

fn number(text: &str) -> usize {
    text.parse()
        .ok()
        .filter(|n| *n > 0)
        .unwrap_or_else(|| usage(&format!("{text} is not a whole number above 0")))
}

fn usage(problem: &str) -> ! {
    eprintln!("{problem}\n\n{USAGE}");
    std::process::exit(2);
}
