//! Cursors of lists. A cursor contains the position after which the next page of a list begins, with a MAC.
//!
//! A cursor never expires and needs no storage (D-107). It is valid only for the list for which it was created. If the
//! endpoint, the caller, the conversation or a filter differs, the request fails with `invalid_cursor` instead of
//! restarting the list at its first page (D-105). The page size may differ (D-106).

use super::ids::ConversationId;
use super::seal::{self, ServerKey};

/// Identifies the list to which a cursor belongs. The text of the cursor does not contain the fields below, but its
/// MAC covers them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CursorScope<'a> {
    /// The name of the list, such as `users`, `admin.members` or `pages.drafts`.
    pub endpoint: &'a str,
    /// The id of the caller, such as an installation, an account or a user; 0 for the operator.
    pub owner: i64,
    /// The conversation whose messages or members are listed. `None` for a list of anything else, and for a list whose
    /// `filter` contains the conversation.
    pub conversation: Option<ConversationId>,
    /// Every other parameter that changes the contents of the list, as one text; empty if there is none.
    pub filter: &'a str,
}

/// Returns a cursor of 32 characters: the sealed position `last`, usually the id of the last item of a page.
#[must_use]
pub fn encode(key: &ServerKey, scope: &CursorScope<'_>, last: i64) -> String {
    with_bound(scope, |bound| seal::seal(key, bound, &last.to_be_bytes()))
}

/// Returns the position in a cursor that [`encode`] created with the same key and scope; `None` for any other text
/// (`invalid_cursor`).
#[must_use]
pub fn decode(key: &ServerKey, scope: &CursorScope<'_>, text: &str) -> Option<i64> {
    with_bound(scope, |bound| seal::open(key, bound, text)).map(i64::from_be_bytes)
}

/// Returns a cursor of 43 characters, for a list that is ordered by two numbers. The cursor contains the two numbers of
/// the last item of a page.
#[must_use]
pub fn encode_pair(key: &ServerKey, scope: &CursorScope<'_>, (first, second): (i64, i64)) -> String {
    let both = (i128::from(first) << 64) | i128::from(second.cast_unsigned());
    with_bound(scope, |bound| seal::seal(key, bound, &both.to_be_bytes()))
}

/// Returns the two numbers in a cursor that [`encode_pair`] created with the same key and scope; `None` for any other
/// text (`invalid_cursor`).
#[must_use]
pub fn decode_pair(key: &ServerKey, scope: &CursorScope<'_>, text: &str) -> Option<(i64, i64)> {
    let bytes: [u8; 16] = with_bound(scope, |bound| seal::open(key, bound, text))?;
    let (first, second) = bytes.split_first_chunk::<8>()?;
    Some((i64::from_be_bytes(*first), i64::from_be_bytes(second.try_into().ok()?)))
}

fn with_bound<T>(scope: &CursorScope<'_>, use_bound: impl FnOnce(&[&[u8]]) -> T) -> T {
    let conversation = scope.conversation.map(|id| id.0.to_be_bytes());
    use_bound(&[
        b"cursor.1",
        scope.endpoint.as_bytes(),
        &scope.owner.to_be_bytes(),
        conversation.as_ref().map_or(&[], |id| id),
        scope.filter.as_bytes(),
    ])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const KEY: ServerKey = [3; 32];

    fn scope() -> CursorScope<'static> {
        CursorScope { endpoint: "listUsers", owner: 5, conversation: None, filter: "" }
    }

    proptest! {
        #[test]
        fn positions_of_two_numbers_round_trip(first: i64, second: i64, owner: i64) {
            let scope = CursorScope { owner, ..scope() };
            let text = encode_pair(&KEY, &scope, (first, second));
            prop_assert_eq!(decode_pair(&KEY, &scope, &text), Some((first, second)));
            prop_assert_eq!(decode(&KEY, &scope, &text), None);
            let other = CursorScope { filter: "x", ..scope };
            prop_assert_eq!(decode_pair(&KEY, &other, &text), None);
        }

        #[test]
        fn cursors_round_trip(last: i64, owner: i64, conversation: Option<i64>, filter: String) {
            let conversation = conversation.map(ConversationId);
            let scope = CursorScope { owner, conversation, filter: &filter, ..scope() };
            let text = encode(&KEY, &scope, last);
            prop_assert_eq!(text.len(), 32);
            prop_assert!(text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_'));
            prop_assert_eq!(decode(&KEY, &scope, &text), Some(last));
        }
    }

    #[test]
    fn a_cursor_is_valid_for_its_own_list_only() {
        let text = encode(&KEY, &scope(), 9);
        for other in [
            CursorScope { endpoint: "listConversations", ..scope() },
            CursorScope { owner: 6, ..scope() },
            CursorScope { conversation: Some(ConversationId(0)), ..scope() },
            CursorScope { filter: "archived", ..scope() },
        ] {
            assert_eq!(decode(&KEY, &other, &text), None, "{other:?}");
        }
        assert_eq!(decode(&[4; 32], &scope(), &text), None);
        assert_eq!(decode(&KEY, &scope(), ""), None);
        assert_eq!(decode(&KEY, &scope(), &text), Some(9));
    }
}
