//! What is told: each step as it is taken, for people; one document at the end, for programs.

use std::io::{self, Write as _};

use serde_json::{Map, Value, json};

use crate::cli::failure::{Failure, Result};

/// The steps so far.
pub struct Story {
    json: bool,
    steps: Vec<Value>,
    warnings: Vec<String>,
    /// Members of the document besides the steps.
    more: Map<String, Value>,
    /// The step being taken, for what went wrong in it.
    at: &'static str,
}

impl Story {
    #[must_use]
    pub fn new(json: bool) -> Self {
        Self { json, steps: Vec::new(), warnings: Vec::new(), more: Map::new(), at: "arguments" }
    }

    /// What is being done now.
    pub fn at(&mut self, step: &'static str) {
        self.at = step;
    }

    /// The step was taken: what came of it in a sentence, and its details for programs. No secret.
    ///
    /// # Errors
    /// When standard output takes no more.
    pub fn done(&mut self, said: &str, details: Value) -> Result<()> {
        let mut step = json!({"step": self.at, "said": said});
        if let (Some(step), Value::Object(details)) = (step.as_object_mut(), details) {
            step.extend(details);
        }
        self.steps.push(step);
        self.print(&format!("{:<14} {said}\n", self.at))
    }

    /// More about the step, for people.
    ///
    /// # Errors
    /// As [`Story::done`].
    pub fn note(&self, text: &str) -> Result<()> {
        let indented: Vec<_> = text.lines().map(|line| format!("{:<14} {line}\n", "")).collect();
        self.print(&indented.concat())
    }

    /// Something that a lenient client gets along with.
    ///
    /// # Errors
    /// As [`Story::done`].
    pub fn warn(&mut self, text: &str) -> Result<()> {
        self.warnings.push(format!("{}: {text}", self.at));
        self.print(&format!("{:<14} warning: {text}\n", self.at))
    }

    /// A member of the document.
    pub fn tell(&mut self, member: &str, value: Value) {
        self.more.insert(member.to_owned(), value);
    }

    /// What a person must see at once, whatever the form of the answer.
    ///
    /// # Errors
    /// As [`Story::done`].
    pub fn ask(&self, text: &str) -> Result<()> {
        if self.json {
            // when standard error is closed there is nobody to ask
            let _ = writeln!(io::stderr(), "{text}");
            return Ok(());
        }
        self.print(&format!("\n{text}\n\n"))
    }

    /// Ends the story, with what went wrong.
    ///
    /// # Errors
    /// As [`Story::done`].
    pub fn end(&self, failure: Option<&Failure>) -> Result<()> {
        if !self.json {
            return match failure {
                // what failed is told on standard error
                Some(_) => self.print(&format!("{:<14} failed\n", self.at)),
                None => self.print("\nEverything works.\n"),
            };
        }
        let mut document = json!({"ok": failure.is_none(), "steps": self.steps, "warnings": self.warnings});
        if let Some(members) = document.as_object_mut() {
            members.extend(self.more.clone());
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
