//! The options of the command line.

use std::{path::PathBuf, time::Duration};

/// The options of a run.
#[derive(Clone, Debug)]
pub struct Options {
    pub length: Duration,
    /// The warm-up at the beginning, whose samples are ignored.
    pub warm_up: Duration,
    pub engines: Vec<String>,
    pub seed: u64,
    /// Approximate number of requests per second on each engine.
    pub rate: f64,
    /// Where logs, samples and graphs are written.
    pub folder: PathBuf,
}

const USAGE: &str = "\
cargo bench --bench soak -- [--minutes N] [--engine sqlite|postgres] [--rate N] [--seed N] [--folder FOLDER]

--minutes N      duration (60), at least 7; the first ten minutes, or the first half if N is below 20, are not evaluated
--engine NAME    only this engine
--rate N         approximate number of requests per second on each engine (150)
--seed N         seed of the actors' choices (from the clock)
--folder FOLDER  where logs, samples and graphs are written (target/soak)";

/// The warm-up. A run that is shorter than twice this time has a warm-up of half its length.
const WARM_UP: Duration = Duration::from_secs(600);
/// The minimum duration. In shorter runs fewer than three whole minutes can follow the warm-up, and growth is measured
/// between whole minutes.
const MIN_LENGTH: Duration = Duration::from_secs(420);

impl Options {
    pub fn read() -> Self {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
        let mut options = Self {
            length: Duration::from_secs(3600),
            warm_up: Duration::ZERO,
            engines: Vec::new(),
            seed: now.as_secs() % 1_000_000,
            rate: 150.0,
            folder: PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("target/soak"),
        };
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            let mut value =
                || arguments.next().unwrap_or_else(|| usage(&format!("{argument} needs a value")));
            match argument.as_str() {
                "--minutes" => options.length = Duration::from_secs_f64(number(&value()) * 60.0),
                "--engine" => options.engines.push(value()),
                "--rate" => options.rate = number(&value()),
                "--seed" => options.seed = number(&value()) as u64,
                "--folder" => options.folder = value().into(),
                // cargo passes `--bench`
                "--bench" => {}
                other => usage(&format!("{other} is unknown")),
            }
        }
        if options.length < MIN_LENGTH {
            usage("--minutes must be at least 7");
        }
        if options.engines.is_empty() {
            options.engines = vec!["sqlite".to_owned(), "postgres".to_owned()];
        }
        options.warm_up = WARM_UP.min(options.length / 2);
        options
    }
}

impl Options {
    /// Returns the length in days of the large move, which advances the server's test clock once in each
    /// [`PERIOD`](super::calendar::PERIOD). If a period takes a minute, 500 days pass during the warm-up. If the
    /// requests that advance the clock are slow, and a period takes two minutes, 250 days pass. Both numbers exceed the
    /// longest retention period, 180 days. So the oldest rows of every table have already expired when the evaluation
    /// begins.
    pub fn days_a_period(&self) -> u64 {
        (500.0 * 60.0 / self.warm_up.as_secs_f64()).ceil() as u64
    }
}

fn number(text: &str) -> f64 {
    text.parse()
        .ok()
        .filter(|n| *n > 0.0)
        .unwrap_or_else(|| usage(&format!("{text} is not a number above 0")))
}

fn usage(problem: &str) -> ! {
    eprintln!("{problem}\n\n{USAGE}");
    std::process::exit(2);
}
