//! Shows the progress of a long command on standard error: as a bar on a terminal, and as lines elsewhere.

use std::fmt::Display;
use std::io::{self, IsTerminal as _, Write as _};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Number of steps between two updates of a bar.
const BAR_EVERY: u64 = 1_000;
/// Number of steps between two lines.
const LINE_EVERY: u64 = 100_000;

/// Reports the steps of a command. The command has one or more phases, one after the other.
pub struct Progress {
    bar: Option<ProgressBar>,
    what: String,
    unit: &'static str,
    total: u64,
    done: u64,
}

impl Default for Progress {
    /// Returns a [`Progress`] that shows a bar if standard error is a terminal, and prints lines if it is not.
    fn default() -> Self {
        let bar = io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr());
            let style = "{msg:32!} [{bar:30}] {human_pos}/{human_len} {prefix} {elapsed}";
            if let Ok(style) = ProgressStyle::with_template(style) {
                bar.set_style(style);
            }
            bar
        });
        Self { bar, what: String::new(), unit: "", total: 0, done: 0 }
    }
}

impl Progress {
    /// Begins the phase `what`, which has about `total` steps. `unit` is the name of the steps, such as `rows`.
    pub fn begin(&mut self, what: impl Display, total: u64, unit: &'static str) {
        (self.what, self.unit, self.total, self.done) = (what.to_string(), unit, total, 0);
        if let Some(bar) = &self.bar {
            bar.set_length(total);
            bar.set_position(0);
            bar.set_prefix(unit);
            bar.set_message(self.what.clone());
        }
    }

    /// Adds `steps` to the completed steps of the phase. Updates the bar every 1,000 steps, or on every call if the
    /// phase has fewer than 1,000 steps. Without a bar, prints a line every 100,000 steps.
    pub fn advance(&mut self, steps: u64) {
        let before = self.done;
        self.done += steps;
        match &self.bar {
            Some(bar) if before / BAR_EVERY != self.done / BAR_EVERY || self.total < BAR_EVERY => {
                bar.set_position(self.done);
            }
            None if before / LINE_EVERY != self.done / LINE_EVERY => {
                line(format_args!("{}: {} of about {} {}", self.what, self.done, self.total, self.unit));
            }
            Some(_) | None => {}
        }
    }

    /// Prints a line with the number of completed steps of the phase.
    pub fn end(&mut self) {
        let text = format!("{}: {} {}", self.what, self.done, self.unit);
        self.note(text);
    }

    /// Prints a line, above the bar if there is one.
    pub fn note(&self, text: impl Display) {
        match &self.bar {
            Some(bar) => bar.suspend(|| line(text)),
            None => line(text),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn line(text: impl Display) {
    // the error is ignored, because a command does not fail if its progress cannot be shown
    let _ = writeln!(io::stderr(), "{text}");
}
