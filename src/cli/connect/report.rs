//! The report of `switchboard connect`: a line of text for each completed step, or with `--json` one JSON document at
//! the end.

use std::io::{self, Write as _};

use serde_json::{Map, Value, json};

use crate::cli::failure::{Failure, Result};

/// The report of one run: the completed steps and the warnings.
pub struct ConnectReport {
    json: bool,
    steps: Vec<Value>,
    warnings: Vec<String>,
    /// Further fields of the JSON document, such as `mcp` and `tools`.
    members: Map<String, Value>,
    /// The current step. Warnings and the failure contain its name.
    at: &'static str,
}

impl ConnectReport {
    #[must_use]
    pub fn new(json: bool) -> Self {
        Self { json, steps: Vec::new(), warnings: Vec::new(), members: Map::new(), at: "arguments" }
    }

    /// Sets the current step.
    pub fn at(&mut self, step: &'static str) {
        self.at = step;
    }

    /// Records that the current step is completed, with a sentence for people (`said`) and details for programs.
    /// Without `--json`, prints the sentence. Neither the sentence nor the details may contain secrets.
    ///
    /// # Errors
    /// If writing to standard output fails. A closed pipe is not an error.
    pub fn done(&mut self, said: &str, details: Value) -> Result<()> {
        let mut step = json!({"step": self.at, "said": said});
        if let (Some(step), Value::Object(details)) = (step.as_object_mut(), details) {
            step.extend(details);
        }
        self.steps.push(step);
        self.print(&format!("{:<14} {said}\n", self.at))
    }

    /// Without `--json`, prints a note about the current step. The JSON document does not contain notes.
    ///
    /// # Errors
    /// Errors of [`ConnectReport::done`].
    pub fn note(&self, text: &str) -> Result<()> {
        let indented: Vec<_> = text.lines().map(|line| format!("{:<14} {line}\n", "")).collect();
        self.print(&indented.concat())
    }

    /// Adds a warning about the current step. Without `--json`, prints the warning. A warning does not end the run.
    ///
    /// # Errors
    /// Errors of [`ConnectReport::done`].
    pub fn warn(&mut self, text: &str) -> Result<()> {
        self.warnings.push(format!("{}: {text}", self.at));
        self.print(&format!("{:<14} warning: {text}\n", self.at))
    }

    /// Sets a field of the JSON document.
    pub fn set(&mut self, member: &str, value: Value) {
        self.members.insert(member.to_owned(), value);
    }

    /// Prints a prompt immediately: on standard output, or with `--json` on standard error.
    ///
    /// # Errors
    /// Errors of [`ConnectReport::done`].
    pub fn prompt(&self, text: &str) -> Result<()> {
        if self.json {
            // if standard error is closed, nobody can read the prompt
            let _ = writeln!(io::stderr(), "{text}");
            return Ok(());
        }
        self.print(&format!("\n{text}\n\n"))
    }

    /// Prints whether the run failed, or with `--json` the JSON document. `failure` is why the run failed.
    ///
    /// # Errors
    /// Errors of [`ConnectReport::done`].
    pub fn end(&self, failure: Option<&Failure>) -> Result<()> {
        if !self.json {
            return match failure {
                // the caller prints the message of `failure` on standard error
                Some(_) => self.print(&format!("{:<14} failed\n", self.at)),
                None => self.print("\nAll steps succeeded.\n"),
            };
        }
        let mut document = json!({"ok": failure.is_none(), "steps": self.steps, "warnings": self.warnings});
        if let Some(members) = document.as_object_mut() {
            members.extend(self.members.clone());
            if let Some(failure) = failure {
                members.insert("failed".to_owned(), json!({"step": self.at, "message": failure.to_string()}));
            }
        }
        write(&format!("{document:#}\n"))
    }

    fn print(&self, text: &str) -> Result<()> {
        if self.json { Ok(()) } else { write(text) }
    }
}

fn write(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::Local(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}
