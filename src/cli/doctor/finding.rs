//! The findings of checks, and their output for people and programs.

use std::fmt::Write as _;

use serde_json::{Value, json};

/// The outcome of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CheckState {
    Ok,
    /// The check was not run.
    Skipped,
    /// The check did not fail, but the operator should look at the finding. For example, `serve` has not created the
    /// folder of files yet, or a file could not be checked.
    Warning,
    Failure,
}

impl CheckState {
    /// Returns the name of the state for programs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Skipped => "skipped",
            Self::Warning => "warning",
            Self::Failure => "failure",
        }
    }
}

/// The finding of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Stable name of the check.
    pub check: &'static str,
    pub state: CheckState,
    /// What was found, or why the check was skipped, in a few words or as a sentence. Never contains a secret.
    pub found: String,
    /// The environment variable of the setting that the finding concerns, `SWITCHBOARD_…`.
    pub setting: Option<String>,
    /// What the operator can do about the problem.
    pub remedy: Option<String>,
}

impl Finding {
    fn new(check: &'static str, state: CheckState, found: impl Into<String>) -> Self {
        Self { check, state, found: found.into(), setting: None, remedy: None }
    }

    pub fn ok(check: &'static str, found: impl Into<String>) -> Self {
        Self::new(check, CheckState::Ok, found)
    }

    pub fn skipped(check: &'static str, why: impl Into<String>) -> Self {
        Self::new(check, CheckState::Skipped, why)
    }

    pub fn warning(check: &'static str, found: impl Into<String>) -> Self {
        Self::new(check, CheckState::Warning, found)
    }

    pub fn failure(check: &'static str, found: impl Into<String>) -> Self {
        Self::new(check, CheckState::Failure, found)
    }

    /// Names the setting that the finding concerns.
    #[must_use]
    pub fn of(mut self, setting: impl Into<String>) -> Self {
        self.setting = Some(setting.into());
        self
    }

    /// Adds a remedy.
    #[must_use]
    pub fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = Some(remedy.into());
        self
    }

    #[must_use]
    pub fn is_failure(&self) -> bool {
        self.state == CheckState::Failure
    }

    fn document(&self) -> Value {
        json!({
            "check": self.check,
            "state": self.state.name(),
            "found": self.found,
            "setting": self.setting,
            "remedy": self.remedy,
        })
    }
}

/// All findings, in the order of the checks.
#[derive(Clone, Debug, Default)]
pub struct DoctorReport {
    pub findings: Vec<Finding>,
}

impl DoctorReport {
    #[must_use]
    pub fn of(findings: Vec<Finding>) -> Self {
        Self { findings }
    }

    pub fn add(&mut self, findings: impl IntoIterator<Item = Finding>) {
        self.findings.extend(findings);
    }

    fn count(&self, state: CheckState) -> usize {
        self.findings.iter().filter(|finding| finding.state == state).count()
    }

    /// Returns the number of failed checks.
    #[must_use]
    pub fn failures(&self) -> usize {
        self.count(CheckState::Failure)
    }

    /// Returns the document for programs: `ok`, `counts` by state, and `checks`.
    #[must_use]
    pub fn document(&self) -> Value {
        let states = [CheckState::Ok, CheckState::Skipped, CheckState::Warning, CheckState::Failure];
        let counts = states.map(|state| (state.name().to_owned(), self.count(state).into()));
        json!({
            "ok": self.failures() == 0,
            "counts": serde_json::Map::from_iter(counts),
            "checks": self.findings.iter().map(Finding::document).collect::<Vec<_>>(),
        })
    }

    /// Returns the text for people: a line per finding, and a summary at the end. Below the line of a finding whose
    /// state is not `ok`, its setting and its remedy have lines of their own.
    #[must_use]
    pub fn text(&self) -> String {
        let widest = self.findings.iter().map(|finding| finding.check.len()).max().unwrap_or(0);
        let mut text = String::new();
        for Finding { check, state, found, setting, remedy } in &self.findings {
            // writing to a String cannot fail
            let _ = writeln!(text, "{:<7}  {check:<widest$}  {found}", state.name());
            let details = [("setting", setting), ("remedy", remedy)];
            for (name, value) in details.into_iter().filter(|_| *state > CheckState::Ok) {
                if let Some(value) = value {
                    let _ = writeln!(text, "{:<7}  {:<widest$}  {name}: {value}", "", "");
                }
            }
        }
        let (failures, warnings) = (self.failures(), self.count(CheckState::Warning));
        let skipped = self.count(CheckState::Skipped);
        let _ = match (failures, warnings) {
            (0, 0) if skipped > 0 => writeln!(text, "\nNo check failed. Skipped: {skipped}."),
            (0, 0) => writeln!(text, "\nAll checks passed."),
            (0, _) => writeln!(text, "\nNo check failed. Warnings: {warnings}."),
            _ => writeln!(text, "\nFailures: {failures}. Warnings: {warnings}."),
        };
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_has_a_line_per_finding_with_the_remedy_below() {
        let report = DoctorReport::of(vec![
            Finding::ok("files", "fine").of("SWITCHBOARD_FILES_DIR"),
            Finding::failure("tls", "expired").of("SWITCHBOARD_BASE_URL").remedy("renew it"),
        ]);
        let text = report.text();
        assert!(text.starts_with("ok       files  fine\nfailure  tls    expired\n"), "{text}");
        assert!(text.contains("                setting: SWITCHBOARD_BASE_URL\n"), "{text}");
        assert!(text.contains("                remedy: renew it\n\nFailures: 1. Warnings: 0.\n"), "{text}");
        let document = report.document();
        assert_eq!((&document["ok"], &document["counts"]["failure"]), (&json!(false), &json!(1)));
        assert_eq!(document["checks"][1]["remedy"], "renew it");
        assert!(DoctorReport::default().text().contains("All checks passed"));
        let report = DoctorReport::of(vec![Finding::ok("files", "fine"), Finding::skipped("tls", "offline")]);
        assert!(report.text().ends_with("\nNo check failed. Skipped: 1.\n"), "{}", report.text());
    }
}
