//! Calls of an assistant's tools as the audit keeps them: how one ended, and what of it may be kept.
//!
//! What is kept are names and ids, never a text that somebody wrote: whatever does not look like one of those stays
//! out, so that a mistake of a caller cannot put a message's text into the audit.

use super::{conversation::coded, ids::BODY_LEN};

/// Most ids of a call that are kept; of more only the number is.
pub const MAX_TARGETS: usize = 20;
/// Most characters of a tool's name and of an error's code.
const MAX_NAME: usize = 64;
/// Stands for a name that is none.
const UNNAMED: &str = "unknown";

/// The tools that read (D-367).
pub const READ_TOOLS: [&str; 8] = [
    "whoami",
    "list_conversations",
    "read_messages",
    "search_messages",
    "list_people",
    "get_person",
    "get_file",
    "list_drafts",
];
/// The tools that write (D-367).
pub const WRITE_TOOLS: [&str; 3] = ["draft_message", "send_draft", "discard_draft"];

coded! {
    /// How a call ended.
    ToolEnd {
        /// It did what it was asked to.
        Ok = 0 "ok",
        /// The rules said no.
        Refused = 1 "refused",
        /// The server could not.
        Failed = 2 "failed",
    }
}

/// How a call ended, with the error's code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolOutcome {
    /// It did what it was asked to.
    Ok,
    /// The rules said no, and the assistant was told this code.
    Refused(&'static str),
    /// The server could not, and the assistant was told this code.
    Failed(&'static str),
}

impl ToolOutcome {
    /// Without the code.
    #[must_use]
    pub const fn end(self) -> ToolEnd {
        match self {
            Self::Ok => ToolEnd::Ok,
            Self::Refused(_) => ToolEnd::Refused,
            Self::Failed(_) => ToolEnd::Failed,
        }
    }

    /// The code; none of a call that did what it was asked to.
    #[must_use]
    pub fn code(self) -> Option<&'static str> {
        match self {
            Self::Ok => None,
            Self::Refused(code) | Self::Failed(code) => Some(name(code)),
        }
    }
}

/// Whether a call of this tool is kept before it is answered: all that may have changed something.
#[must_use]
pub fn is_kept_first(tool: &str, outcome: ToolOutcome) -> bool {
    !READ_TOOLS.contains(&tool) && !matches!(outcome, ToolOutcome::Refused(_))
}

/// A tool's name or a code as it is kept: what a client made up may be no name at all.
#[must_use]
pub fn name(text: &str) -> &str {
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"_-./".contains(&byte);
    if (1..=MAX_NAME).contains(&text.len()) && text.bytes().all(is_name) { text } else { UNNAMED }
}

/// The ids that are kept, each once and in order, and how many more there were.
#[must_use]
pub fn targets<T: AsRef<str>>(all: &[T]) -> (Vec<&str>, usize) {
    let mut kept: Vec<&str> = Vec::with_capacity(all.len().min(MAX_TARGETS));
    let mut more = 0;
    for target in all.iter().map(AsRef::as_ref) {
        if kept.contains(&target) {
            continue;
        }
        if kept.len() < MAX_TARGETS && is_id(target) {
            kept.push(target);
        } else {
            more += 1;
        }
    }
    (kept, more)
}

/// Whether a text is built like our ids: letters, an underscore, 13 characters.
fn is_id(text: &str) -> bool {
    text.split_once('_').is_some_and(|(prefix, body)| {
        (1..=8).contains(&prefix.len())
            && prefix.bytes().all(|byte| byte.is_ascii_lowercase())
            && body.len() == BODY_LEN
            && body.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::ids::UserId;

    #[test]
    fn what_is_no_name_is_not_kept() {
        for good in ["send_draft", "a", &"x".repeat(64)] {
            assert_eq!(name(good), good);
        }
        for bad in ["", "hello there", "päng", "a\nb", &"x".repeat(65), "see you at 8"] {
            assert_eq!(name(bad), UNNAMED, "{bad}");
        }
        assert_eq!(ToolOutcome::Refused("we meet at 8").code(), Some(UNNAMED));
        assert_eq!(ToolOutcome::Refused("not_found").code(), Some("not_found"));
        assert_eq!(ToolOutcome::Ok.code(), None);
    }

    #[test]
    fn only_ids_are_kept_and_only_so_many() {
        let ids: Vec<String> = (0..30).map(|n| UserId(n).encode()).collect();
        let (kept, more) = targets(&ids);
        assert_eq!((kept.len(), more), (20, 10));
        assert_eq!(kept, ids[..20]);
        // the same one is one, and a text is no target
        let id = ids[0].as_str();
        let mixed = [id, "we meet at 8", id, "", "usr_", "usr_000000000000A", "Hello_0000000000000"];
        assert_eq!(targets(&mixed), (vec![id], 5));
    }

    #[test]
    fn what_may_have_changed_something_is_kept_first() {
        for outcome in [ToolOutcome::Ok, ToolOutcome::Failed("cancelled")] {
            assert!(WRITE_TOOLS.into_iter().all(|tool| is_kept_first(tool, outcome)));
            assert!(!READ_TOOLS.into_iter().any(|tool| is_kept_first(tool, outcome)));
            assert!(is_kept_first("a_tool_of_the_future", outcome));
        }
        assert!(!is_kept_first("send_draft", ToolOutcome::Refused("rate_limited")));
    }
}
