//! The command line of the benchmark.

use std::{path::PathBuf, time::Duration};

/// What a run does.
#[derive(Clone, Debug)]
pub struct Options {
    /// The duration of the traffic.
    pub length: Duration,
    pub is_quick: bool,
    pub chaos: bool,
    /// With `chaos`, only faults whose name contains one of these texts are injected. If the list is empty, all kinds
    /// of faults are injected, or two kinds if the run is quick.
    pub only: Vec<String>,
    pub seed: u64,
    pub dir: Option<PathBuf>,
    /// Number of bots that stay within the guaranteed limits.
    pub bots: usize,
    /// Number of employees with an assistant.
    pub assistants: usize,
    /// Maximum steps per second of [`all_bots`](Self::all_bots) and all assistants together. Most steps make one
    /// request.
    pub rate: Option<f64>,
    /// The receiver of events responds with 500 to the first attempt of about one in `failing` events. If `failing` is
    /// 0, the receiver responds with 500 to no attempt.
    pub failing: u64,
}

const USAGE: &str = "\
cargo bench --bench fleet -- [--minutes N | --quick] [--chaos] [--only FAULT]… [--seed N] [--bots N] [--assistants N]
                             [--rate N] [--dir FOLDER]

Defaults are in parentheses.

--minutes N      the duration of the traffic (10)
--quick          20 seconds, 10 bots and 3 assistants; with --chaos two kinds of faults, unless --only is given
--chaos          injects faults: kill, restart, failover, database-hole, node-hole, clock, standby, slow
--only FAULT     with --chaos: injects only faults whose names contain the text FAULT
--seed N         seed of the random numbers (from the clock)
--bots N         number of bots that stay within the guaranteed limits (40)
--assistants N   number of employees with an assistant (20)
--rate N         approximate maximum of requests per second, of all bots and assistants together (no maximum)
--dir FOLDER     where files and logs of the nodes are created (the system's temporary folder)";

impl Options {
    pub fn read() -> Self {
        let mut options = Self::usual();
        let (mut minutes, mut bots, mut assistants) = (None, None, None);
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            let mut value =
                || arguments.next().unwrap_or_else(|| usage(&format!("{argument} needs a value")));
            match argument.as_str() {
                "--quick" => options.is_quick = true,
                "--chaos" => options.chaos = true,
                "--minutes" => minutes = Some(number(&value())),
                "--only" => options.only.push(value()),
                "--seed" => options.seed = number(&value()) as u64,
                "--bots" => bots = Some(count(&value())),
                "--assistants" => assistants = Some(count(&value())),
                "--rate" => options.rate = Some(number(&value())),
                "--dir" => options.dir = Some(value().into()),
                // cargo passes `--bench`
                "--bench" => {}
                other => usage(&format!("{other} is unknown")),
            }
        }
        if options.is_quick {
            (options.length, options.bots, options.assistants) = (Duration::from_secs(20), 10, 3);
        }
        options.length = minutes.map_or(options.length, |minutes| Duration::from_secs_f64(minutes * 60.0));
        // a failed event is attempted again after a minute, so in short runs the receiver fails no attempts
        options.failing = if options.length >= Duration::from_secs(150) { 200 } else { 0 };
        options.bots = bots.unwrap_or(options.bots);
        options.assistants = assistants.unwrap_or(options.assistants);
        options
    }

    fn usual() -> Self {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
        Self {
            length: Duration::from_secs(600),
            is_quick: false,
            chaos: false,
            only: Vec::new(),
            seed: now.as_secs() % 1_000_000,
            dir: None,
            bots: 40,
            assistants: 20,
            rate: None,
            failing: 0,
        }
    }

    /// Returns whether a fault is selected.
    pub fn wants(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| name.contains(only.as_str()))
    }

    /// Returns the number of bots whose apps are uninstalled and installed again.
    fn expendable_bots(&self) -> usize {
        (self.bots / 8).max(1)
    }

    /// Returns the number of bots that write: the bots within the limits, one bot that exceeds them, and the expendable
    /// bots.
    pub fn all_bots(&self) -> usize {
        self.bots + 1 + self.expendable_bots()
    }

    /// Returns the average time from the start of one step of a bot or assistant to the start of the next step. With
    /// this time, all bots and assistants together make `rate` steps per second. The time is zero if there is no
    /// `rate`.
    pub fn pace(&self) -> Duration {
        let actors = (self.all_bots() + self.assistants) as f64;
        self.rate.map_or(Duration::ZERO, |rate| Duration::from_secs_f64(actors / rate))
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
