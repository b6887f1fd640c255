//! The tools for assistants ([`ToolId`]), and the audit records of their calls: the outcome of a call, and which names
//! and ids are stored.
//!
//! An audit record has only names and ids, never text that a user wrote. As a precaution against bugs in tools,
//! [`name`] replaces a text that is not formatted as a name, and [`targets`] omits texts that are not formatted as ids.

use std::collections::HashSet;

use super::{conversation::coded, grant::AccessScope, ids::BODY_LEN};

/// Maximum number of ids that are stored for one call: the ids of the objects that the call read or changed. Further
/// ids and malformed ids are only counted.
pub const MAX_TARGETS: usize = 20;
/// Maximum length of a tool name or error code in characters.
const MAX_NAME: usize = 64;
/// The name that replaces an invalid name.
const UNNAMED: &str = "unknown";

/// Declares the tools. The word `reads` or `writes` determines the scope that a connection needs for the tool.
macro_rules! tools {
    ($($item:ident = $name:literal $access:ident,)*) => {
        /// A tool for assistants (D-367, A-006).
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum ToolId { $($item,)* }

        impl ToolId {
            /// All tools, in the order of `tools/list`.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$item),*];

            /// Returns the public name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$item => $name,)* }
            }

            /// Returns the tool with this public name.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $($name => Some(Self::$item),)* _ => None }
            }

            /// Returns the scope that a connection needs for the tool.
            #[must_use]
            pub const fn needs(self) -> AccessScope {
                match self { $(Self::$item => tools!(@ $access),)* }
            }
        }
    };
    (@ reads) => { AccessScope::Read };
    (@ writes) => { AccessScope::Write };
}

tools! {
    WhoAmI = "whoami" reads,
    ListConversations = "list_conversations" reads,
    ReadMessages = "read_messages" reads,
    SearchMessages = "search_messages" reads,
    ListPeople = "list_people" reads,
    GetPerson = "get_person" reads,
    GetFile = "get_file" reads,
    ListDrafts = "list_drafts" reads,
    DraftMessage = "draft_message" writes,
    SendDraft = "send_draft" writes,
    DiscardDraft = "discard_draft" writes,
}

impl ToolId {
    /// Returns whether the tool only reads.
    #[must_use]
    pub fn is_read_only(self) -> bool {
        self.needs() == AccessScope::Read
    }
}

coded! {
    /// The outcome of a call, without the error code.
    ToolEnd {
        /// The call succeeded.
        Ok = 0 "ok",
        /// The call was rejected, for example because of a business rule or invalid arguments.
        Refused = 1 "refused",
        /// The call failed with a server error, or it has no result: the client disconnected or the tool panicked.
        Failed = 2 "failed",
    }
}

/// The outcome of a call, with the error code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolOutcome {
    /// The call succeeded.
    Ok,
    /// The call was rejected with this code.
    Refused(&'static str),
    /// The call failed or has no result, with this code.
    Failed(&'static str),
}

impl ToolOutcome {
    /// Returns the outcome without the code.
    #[must_use]
    pub const fn end(self) -> ToolEnd {
        match self {
            Self::Ok => ToolEnd::Ok,
            Self::Refused(_) => ToolEnd::Refused,
            Self::Failed(_) => ToolEnd::Failed,
        }
    }

    /// Returns the error code; `None` for a successful call.
    #[must_use]
    pub fn code(self) -> Option<&'static str> {
        match self {
            Self::Ok => None,
            Self::Refused(code) | Self::Failed(code) => Some(name(code)),
        }
    }
}

/// Returns whether the record of a call must be stored before the response is sent. This is necessary for every call
/// that may have changed something: the tool is not a read tool, and the call was not rejected.
#[must_use]
pub fn is_stored_before_response(tool: &str, outcome: ToolOutcome) -> bool {
    let reads_only = ToolId::from_name(tool).is_some_and(ToolId::is_read_only);
    !reads_only && !matches!(outcome, ToolOutcome::Refused(_))
}

/// Returns the stored form of a tool name or error code. Both are constants of the server, so a malformed text is a
/// bug. The stored form of a malformed text is `unknown`.
#[must_use]
pub fn name(text: &str) -> &str {
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"_-./".contains(&byte);
    if (1..=MAX_NAME).contains(&text.len()) && text.bytes().all(is_name) { text } else { UNNAMED }
}

/// Returns the distinct ids of `all` that are stored, in the order of `all`. Also returns the number of distinct texts
/// that are not stored: ids beyond [`MAX_TARGETS`] and malformed ids.
#[must_use]
pub fn targets<T: AsRef<str>>(all: &[T]) -> (Vec<&str>, usize) {
    let mut kept: Vec<&str> = Vec::with_capacity(all.len().min(MAX_TARGETS));
    let (mut seen, mut more) = (HashSet::new(), 0);
    for target in all.iter().map(AsRef::as_ref) {
        if !seen.insert(target) {
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

/// Returns whether a text has the format of an id: 1 to 8 lower-case letters, an underscore, and 13
/// lower-case letters or digits.
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
    fn invalid_names_are_not_stored() {
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
    fn only_ids_are_stored_up_to_the_maximum() {
        let ids: Vec<String> = (0..30).map(|n| UserId(n).encode()).collect();
        let (kept, more) = targets(&ids);
        assert_eq!((kept.len(), more), (20, 10));
        assert_eq!(kept, ids[..20]);
        // an id that occurs several times is stored once, and texts that are not ids are only counted
        let id = ids[0].as_str();
        let mixed = [id, "we meet at 8", id, "", "usr_", "usr_000000000000A", "Hello_0000000000000"];
        assert_eq!(targets(&mixed), (vec![id], 5));
        let repeated: Vec<&str> =
            ids[..21].iter().map(String::as_str).chain([ids[20].as_str(), "x", "x"]).collect();
        assert_eq!(targets(&repeated).1, 2, "an id that is not stored is counted once");
    }

    #[test]
    fn calls_that_may_change_something_are_stored_before_the_response() {
        for outcome in [ToolOutcome::Ok, ToolOutcome::Failed("cancelled")] {
            for tool in ToolId::ALL {
                assert_eq!(is_stored_before_response(tool.name(), outcome), !tool.is_read_only(), "{tool:?}");
            }
            assert!(is_stored_before_response("a_tool_of_the_future", outcome));
        }
        assert!(!is_stored_before_response("send_draft", ToolOutcome::Refused("rate_limited")));
    }
}
