//! Regular expressions in the OpenAPI documents (`pattern`). A pattern is compiled at its first use, so that the
//! process starts faster.

use std::borrow::Cow;
use std::sync::OnceLock;

use regex::Regex;

/// A regular expression of a document.
#[derive(Debug)]
pub struct Pattern {
    source: Cow<'static, str>,
    compiled: OnceLock<Regex>,
}

impl Pattern {
    /// Creates a pattern from a constant of the generated code.
    #[must_use]
    pub const fn new(source: &'static str) -> Self {
        Self { source: Cow::Borrowed(source), compiled: OnceLock::new() }
    }

    /// Creates a pattern from a document that is parsed at run time.
    pub(super) fn read(source: &str) -> Self {
        Self { source: Cow::Owned(source.to_owned()), compiled: OnceLock::new() }
    }

    /// Returns the pattern as written in the document.
    pub(super) fn source(&self) -> &str {
        &self.source
    }

    /// Returns whether a text matches.
    ///
    /// # Panics
    /// If the pattern is invalid. A test compiles all patterns of the documents.
    pub(super) fn is_match(&self, text: &str) -> bool {
        self.compiled
            .get_or_init(|| Regex::new(&self.source).expect("a pattern of the document compiles"))
            .is_match(text)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn patterns(of: &Value, found: &mut Vec<String>) {
        match of {
            Value::Object(members) => {
                for (name, member) in members {
                    match member {
                        Value::String(pattern) if name == "pattern" => found.push(pattern.clone()),
                        other => patterns(other, found),
                    }
                }
            }
            Value::Array(items) => items.iter().for_each(|item| patterns(item, found)),
            _ => {}
        }
    }

    #[test]
    fn every_pattern_of_the_documents_compiles() {
        for document in [
            include_str!("../../generated/bot.json"),
            include_str!("../../generated/assistant.json"),
            include_str!("../../generated/admin.json"),
        ] {
            let mut found = Vec::new();
            patterns(&serde_json::from_str(document).unwrap(), &mut found);
            assert!(!found.is_empty());
            for source in found {
                // `is_match` compiles the pattern, and panics if the pattern is invalid
                let _ = Pattern::read(&source).is_match("x");
            }
        }
    }
}
