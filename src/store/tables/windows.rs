//! Statements for open browser windows of the web client. An open window receives changes live, but only if its person
//! is still signed in and may still see what the window shows. The statements check this, and select the conversations
//! in a person's list.

use std::collections::HashSet;

use serde_json::json;

use crate::domain::{
    conversation::ConversationKind,
    ids::{AccountId, ConversationId, MessageId, UserId},
    time::Timestamp,
};
use crate::platform::secrets::hex;
use crate::store::{LockKey, ReadSql, Result, args, row, statements};

/// The session and the person of a browser window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WindowSession {
    /// The SHA-256 of the session's token.
    pub session: [u8; 32],
    pub account: AccountId,
    pub user: UserId,
    /// The lowest message id that the person could see in the conversation when the window was opened. If the
    /// membership now has a different `visible_from`, the person has left and joined again in the meantime. Not used
    /// for windows that show a list of conversations.
    pub visible_from: MessageId,
}

impl WindowSession {
    /// Returns whether `revoked` contains the lock key of the session, the account or the person. The lock keys in
    /// `revoked` stand for everything that has lost a right.
    #[must_use]
    pub fn is_one_of(&self, revoked: &HashSet<LockKey>) -> bool {
        let own = [LockKey::session(&self.session), LockKey::account(self.account), LockKey::user(self.user)];
        own.iter().any(|key| revoked.contains(key))
    }
}

/// A conversation in a person's list of conversations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FollowedConversation {
    pub conversation_id: ConversationId,
    pub kind: ConversationKind,
    /// When the person last joined the conversation.
    pub joined_at: Timestamp,
    /// The newest message that the person has read; 0 if the person has read no message.
    pub read_id: MessageId,
}
row!(FollowedConversation { conversation_id, kind, joined_at, read_id });

// Selects the indexes of those elements of the JSON list $1 whose people are signed in. Each element is an array of the
// session's hash, the user's id and `visible_from`. A person is signed in if these conditions are met:
//
// - The session has not expired, and belongs to the person's account.
// - The person is active or onboarding, and has not been logged out since the session was created.
// - The account's password is valid in the person's company. If `password_workspace_id` is set, the password is valid
//   only in that company.
macro_rules! present {
    (sqlite $rest:literal) => {
        concat!(
            "SELECT j.key FROM json_each($1) j
            CROSS JOIN sessions s ON s.token_hash = unhex(json_extract(j.value, '$[0]')) AND s.expires_at > $2
            CROSS JOIN users u ON u.id = json_extract(j.value, '$[1]') AND u.account_id = s.account_id
                AND u.state IN (0, 1) AND u.sessions_valid_after < s.created_at
            CROSS JOIN accounts a ON a.id = s.account_id
                AND (a.password_workspace_id IS NULL OR a.password_workspace_id = u.workspace_id)",
            $rest
        )
    };
    (postgres $rest:literal) => {
        concat!(
            "SELECT j.place - 1 FROM json_array_elements(CAST(CAST($1 AS TEXT) AS JSON)) WITH ORDINALITY AS j (window_of, place)
            CROSS JOIN LATERAL (SELECT account_id, created_at FROM sessions
                WHERE token_hash = decode(j.window_of ->> 0, 'hex') AND expires_at > $2 LIMIT 1) AS s
            CROSS JOIN LATERAL (SELECT id, workspace_id FROM users
                WHERE id = CAST(j.window_of ->> 1 AS BIGINT) AND account_id = s.account_id
                    AND state IN (0, 1) AND sessions_valid_after < s.created_at LIMIT 1) AS u
            CROSS JOIN LATERAL (SELECT id FROM accounts
                WHERE id = s.account_id
                    AND (password_workspace_id IS NULL OR password_workspace_id = u.workspace_id) LIMIT 1) AS a",
            $rest
        )
    };
}

statements! {
    SIGNED_IN: Query = sqlite present!(sqlite "") postgres present!(postgres "");
    FOLLOWED: Query -> FollowedConversation =
        sqlite "SELECT m.conversation_id, v.kind, m.joined_at, m.read_id
            FROM (SELECT conversation_id, joined_at, read_id FROM members INDEXED BY members_by_user
                WHERE user_id = $1 AND left_at IS NULL ORDER BY conversation_id DESC LIMIT $2) AS m
            CROSS JOIN conversations v ON v.id = m.conversation_id AND v.deleted_at IS NULL"
        postgres "SELECT m.conversation_id, v.kind, m.joined_at, m.read_id
            FROM (SELECT user_id, conversation_id, joined_at, read_id FROM members
                WHERE left_at IS NULL AND (user_id, conversation_id) >= ($1, 0)
                    AND (user_id, conversation_id) <= ($1, 9223372036854775807)
                ORDER BY user_id DESC, conversation_id DESC LIMIT $2) AS m
            CROSS JOIN LATERAL (SELECT kind FROM conversations
                WHERE id = m.conversation_id AND deleted_at IS NULL LIMIT 1) AS v
            ORDER BY m.user_id DESC, m.conversation_id DESC";
    IN_CONVERSATION: Query =
        sqlite present!(sqlite "
            CROSS JOIN conversations v ON v.id = $3 AND v.deleted_at IS NULL
            CROSS JOIN members m ON m.conversation_id = v.id AND m.user_id = u.id AND m.left_at IS NULL
                AND m.visible_from = json_extract(j.value, '$[2]')")
        postgres present!(postgres "
            CROSS JOIN LATERAL (SELECT id FROM conversations WHERE id = $3 AND deleted_at IS NULL LIMIT 1) AS v
            CROSS JOIN LATERAL (SELECT user_id FROM members
                WHERE conversation_id = v.id AND user_id = u.id AND left_at IS NULL
                    AND visible_from = CAST(j.window_of ->> 2 AS BIGINT) LIMIT 1) AS m");
}

/// Reads the `limit` most recently created conversations of a person, and returns those that are not deleted. So the
/// person possibly has more conversations even if fewer than `limit` are returned.
pub async fn followed_conversations<C: ReadSql>(
    c: &mut C,
    user: UserId,
    limit: i64,
) -> Result<Vec<FollowedConversation>> {
    c.all(&FOLLOWED, args![user, limit]).await
}

/// Returns the indexes of those window sessions whose people are still signed in. If `conversation` is not `None`, the
/// people must also be members of the conversation. People who have left and joined again since the window was opened
/// do not count as members ([`WindowSession::visible_from`]).
pub async fn present<C: ReadSql>(
    c: &mut C,
    window_sessions: &[WindowSession],
    conversation: Option<ConversationId>,
    now: Timestamp,
) -> Result<Vec<usize>> {
    let rows: Vec<_> = window_sessions
        .iter()
        .map(|window| json!([hex(&window.session), window.user.0, window.visible_from.0]))
        .collect();
    let rows = serde_json::Value::Array(rows).to_string();
    let found: Vec<(i64,)> = match conversation {
        None => c.all(&SIGNED_IN, args![&rows, now]).await?,
        Some(id) => c.all(&IN_CONVERSATION, args![&rows, now, id]).await?,
    };
    Ok(found.into_iter().filter_map(|(index,)| usize::try_from(index).ok()).collect())
}
