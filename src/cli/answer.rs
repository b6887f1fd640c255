//! Output of a command, for people and for programs.

use std::{
    fmt::Write as _,
    io::{self, Write},
};

use serde::Serialize;
use serde_json::{Value, json};

use super::{
    failure::{Failure, Result},
    table::{self, Column},
};

/// The output of a successful command.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The output for programs (`--json`).
    document: Value,
    /// The output for people.
    text: String,
}

impl Answer {
    /// Creates output from a document and a text. Appends a missing line break to the text.
    pub fn new(document: impl Serialize, text: impl Into<String>) -> Self {
        let mut text = text.into();
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        Self { document: value(document), text }
    }

    /// Creates output from a document. The text lists the fields of the document's object `member`.
    pub fn details(document: impl Serialize, member: &str) -> Self {
        let document = value(document);
        let text = table::details(&document[member]);
        Self { document, text }
    }

    /// Creates output from a page of a list. The text is a table of the document's array `member`.
    pub fn list(document: Value, member: &str, columns: &[Column]) -> Self {
        let items = document[member].as_array().map_or(&[][..], Vec::as_slice);
        let mut text = table::table(items, columns);
        if document["next_cursor"].is_string() {
            text.push_str("The list is incomplete: raise or omit --limit.\n");
        }
        Self { document, text }
    }

    /// Creates output for an operation without a result.
    pub fn done(text: impl Into<String>) -> Self {
        Self::new(json!({"ok": true}), text)
    }

    /// Creates output from a document and a text. The text is printed without changes.
    pub fn verbatim(document: Value, text: String) -> Self {
        Self { document, text }
    }

    /// Returns the document.
    #[must_use]
    pub fn document(&self) -> &Value {
        &self.document
    }

    /// Prints the output.
    ///
    /// # Errors
    /// If writing to standard output fails. A closed pipe is not an error.
    pub fn print(&self, json: bool) -> Result<()> {
        let mut out = io::stdout().lock();
        let written = if json {
            writeln!(out, "{}", escaped(format!("{:#}", self.document)))
        } else {
            out.write_all(self.text.as_bytes())
        };
        match written.and_then(|()| out.flush()) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(Failure::Local(format!("cannot write to standard output: {error}")))
            }
            _ => Ok(()),
        }
    }
}

/// Escapes U+007F to U+009F in a JSON text. JSON allows these control characters unescaped, but some terminals execute
/// them.
#[must_use]
pub fn escaped(json: String) -> String {
    let is_control = |c: char| ('\u{7f}'..='\u{9f}').contains(&c);
    if !json.contains(is_control) {
        return json;
    }
    let mut text = String::with_capacity(json.len());
    for c in json.chars() {
        if is_control(c) {
            let _ = write!(text, "\\u{:04x}", u32::from(c));
        } else {
            text.push(c);
        }
    }
    text
}

/// Converts a response of the API to JSON.
///
/// # Panics
/// If a map has keys that are not text. No response of the API has such a map.
pub fn value(document: impl Serialize) -> Value {
    serde_json::to_value(document).expect("the keys of every map are text")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_details_lists_the_fields_of_the_document() {
        let document = json!({"ok": true, "workspace": {"id": "cmp_1", "name": "N"}});
        let answer = Answer::details(&document, "workspace");
        assert_eq!((answer.document(), answer.text.as_str()), (&document, "id    cmp_1\nname  N\n"));
    }

    #[test]
    fn control_characters_that_json_allows_are_escaped() {
        let document = json!({"a\u{9b}": "\u{7f}\u{1b} \u{a0}é"});
        let text = escaped(document.to_string());
        assert!(!text.contains(char::is_control), "{text:?}");
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), document);
    }

    #[test]
    fn the_text_of_a_truncated_list_advises_to_raise_the_limit() {
        let list = |cursor: Value| {
            let document = json!({"ok": true, "users": [{"id": "usr_1"}], "next_cursor": cursor});
            Answer::list(document, "users", &[("ID", "id")]).text
        };
        assert_eq!(list(Value::Null), "ID\nusr_1\n");
        assert!(list(json!("c")).contains("--limit"));
    }
}
