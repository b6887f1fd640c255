//! What a command has to say, for people and for programs, and how it gets to standard output.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Value, json};

use super::{
    failure::{Failure, Result},
    table::{self, Column},
};

/// What a successful command says.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// For programs (`--json`): one document, the members of which are those of the admin API.
    document: Value,
    /// For people.
    text: String,
}

impl Answer {
    /// The document, and sentences of one's own.
    pub fn new(document: impl Serialize, text: impl Into<String>) -> Self {
        let mut text = text.into();
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        Self { document: value(document), text }
    }

    /// The document, and the details of the thing under `member`.
    pub fn details(document: impl Serialize, member: &str) -> Self {
        let document = value(document);
        let text = table::details(&document[member]);
        Self { document, text }
    }

    /// A list, and its items under `member` as a table.
    pub fn list(document: Value, member: &str, columns: &[Column]) -> Self {
        let items = document[member].as_array().map_or(&[][..], Vec::as_slice);
        let mut text = table::table(items, columns);
        if document["next_cursor"].is_string() {
            text.push_str("There are more: raise --limit, or leave it out.\n");
        }
        Self { document, text }
    }

    /// For an operation that answers nothing but success.
    pub fn done(text: impl Into<String>) -> Self {
        Self::new(json!({"ok": true}), text)
    }

    /// A text that is what was asked for, the same for people and, quoted, for programs.
    pub fn verbatim(document: Value, text: String) -> Self {
        Self { document, text }
    }

    /// The document.
    #[must_use]
    pub fn document(&self) -> &Value {
        &self.document
    }

    /// Adds sentences for people.
    #[must_use]
    pub fn and(mut self, text: &str) -> Self {
        self.text.push_str(text);
        self
    }

    /// Writes the answer.
    ///
    /// # Errors
    /// When standard output takes no more; that the reader has gone is none.
    pub fn print(&self, json: bool) -> Result<()> {
        let mut out = io::stdout().lock();
        let written = if json {
            serde_json::to_writer_pretty(&mut out, &self.document)
                .map_err(io::Error::from)
                .and_then(|()| out.write_all(b"\n"))
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

/// Any answer of the API as a JSON value.
pub fn value(document: impl Serialize) -> Value {
    serde_json::to_value(document).expect("answers are structs and lists with text keys")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_says_the_same_twice() {
        let document = json!({"ok": true, "workspace": {"id": "cmp_1", "name": "N"}});
        let answer = Answer::details(&document, "workspace");
        assert_eq!((answer.document(), answer.text.as_str()), (&document, "id    cmp_1\nname  N\n"));
    }

    #[test]
    fn a_cut_list_says_so() {
        let list = |cursor: Value| {
            let document = json!({"ok": true, "users": [{"id": "usr_1"}], "next_cursor": cursor});
            Answer::list(document, "users", &[("ID", "id")]).text
        };
        assert_eq!(list(Value::Null), "ID\nusr_1\n");
        assert!(list(json!("c")).contains("--limit"));
    }
}
