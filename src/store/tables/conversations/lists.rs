//! Lists of conversations and of their members, with keyset pagination.
//!
//! On PostgreSQL, a subquery first selects the rows of the page by the full key of an index. Subqueries with `LIMIT` or
//! `OFFSET 0` then look up the related rows one by one, because PostgreSQL does not flatten such a subquery into a
//! join. So no plan reads more than the page (`docs/decisions/0018-plans-that-read-one-page.md`).
//!
//! A statement of a page filters only by conditions of partial indexes. The caller applies all other filters. If the
//! statement applied them, it would have to read all the rows that they exclude, which can be very many.

use crate::domain::{
    conversation::ConversationKind,
    ids::{ConversationId, MessageId, UserId, WorkspaceId},
    time::Timestamp,
};
use crate::store::{
    ReadSql, Result, args,
    conversations::{Conversation, select},
    row, statements,
};

/// A member of a conversation, past or present.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MemberDetail {
    pub user_id: UserId,
    /// When the user joined. If the user has joined several times, the last time.
    pub joined_at: Timestamp,
    /// When the user left; `None` if the user is a member.
    pub left_at: Option<Timestamp>,
    /// The member may not see messages with lower ids than this.
    pub visible_from: MessageId,
    pub is_bot: bool,
    /// Whether the user is a guest.
    pub is_external: bool,
    /// For a guest, whether the company's members see the guest.
    pub guest_visible: bool,
}
row!(MemberDetail { user_id, joined_at, left_at, visible_from, is_bot, is_external, guest_visible });

/// A present or past member of a conversation, one of the members with the lowest user ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstMember {
    pub conversation_id: ConversationId,
    pub user_id: UserId,
    /// `false` if the user has left.
    pub is_member: bool,
    pub is_bot: bool,
    /// Whether the user is a guest.
    pub is_external: bool,
}
row!(FirstMember { conversation_id, user_id, is_member, is_bot, is_external });

/// The present or past membership of a user in a conversation, with the facts that decide whether the user sees the
/// conversation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConversationMembership {
    pub conversation_id: ConversationId,
    pub workspace_id: WorkspaceId,
    pub kind: ConversationKind,
    pub is_deleted: bool,
    /// `false` if the user has left.
    pub is_member: bool,
    /// The member may not see messages with lower ids than this.
    pub visible_from: MessageId,
}
row!(ConversationMembership { conversation_id, workspace_id, kind, is_deleted, is_member, visible_from });

/// The kind and the name of a conversation.
#[derive(Clone, Debug, PartialEq)]
pub struct ConversationName {
    pub id: ConversationId,
    pub kind: ConversationKind,
    pub name: Option<String>,
}
row!(ConversationName { id, kind, name });

statements! {
    OF_COMPANY: Query -> Conversation =
        sqlite select!(sqlite "conversations c", "WHERE c.workspace_id = $1 AND c.id > $2 ORDER BY c.id LIMIT $3")
        postgres select!(postgres "(SELECT * FROM conversations
                WHERE (workspace_id, id) >= ($1, $2) AND (workspace_id, id) <= ($1, 9223372036854775807)
                    AND id <> $2
                ORDER BY workspace_id, id LIMIT $3) AS c",
            "ORDER BY c.workspace_id, c.id");
    GROUPS_AND_CHANNELS_OF_USER: Query -> Conversation =
        sqlite select!(sqlite "members m INDEXED BY members_of_places
                CROSS JOIN conversations c ON c.id = m.conversation_id",
            "WHERE m.user_id = $1 AND m.conversation_id > $2 AND m.left_at IS NULL AND m.is_direct = 0
            ORDER BY m.conversation_id LIMIT $3")
        postgres select!(postgres "(SELECT user_id, conversation_id FROM members
                WHERE left_at IS NULL AND is_direct = 0 AND (user_id, conversation_id) >= ($1, $2)
                    AND (user_id, conversation_id) <= ($1, 9223372036854775807) AND conversation_id <> $2
                ORDER BY user_id, conversation_id LIMIT $3) AS m
                CROSS JOIN LATERAL (SELECT * FROM conversations WHERE id = m.conversation_id LIMIT 1) AS c",
            "ORDER BY m.user_id, m.conversation_id");
    OF_USER: Query -> Conversation =
        sqlite select!(sqlite "members m INDEXED BY members_by_user
                CROSS JOIN conversations c ON c.id = m.conversation_id",
            "WHERE m.user_id = $1 AND m.conversation_id > $2 AND m.left_at IS NULL
            ORDER BY m.conversation_id LIMIT $3")
        postgres select!(postgres "(SELECT user_id, conversation_id FROM members
                WHERE left_at IS NULL AND (user_id, conversation_id) >= ($1, $2)
                    AND (user_id, conversation_id) <= ($1, 9223372036854775807) AND conversation_id <> $2
                ORDER BY user_id, conversation_id LIMIT $3) AS m
                CROSS JOIN LATERAL (SELECT * FROM conversations WHERE id = m.conversation_id LIMIT 1) AS c",
            "ORDER BY m.user_id, m.conversation_id");
    // Omits conversations of which the user $3 is not a member, unless $3 is negative. Because of the unary plus,
    // PostgreSQL uses no index on `workspace_id`, with which it would scan all conversations of the company.
    NAMES: Query -> ConversationName =
        sqlite "SELECT c.id, c.kind, c.name FROM conversations c
            WHERE c.workspace_id = $1 AND c.id IN (SELECT value FROM json_each($2))
                AND ($3 < 0 OR EXISTS (SELECT 1 FROM members m
                    WHERE m.conversation_id = c.id AND m.user_id = $3 AND m.left_at IS NULL))"
        postgres "SELECT c.id, c.kind, c.name FROM conversations c
            WHERE +c.workspace_id = $1 AND c.id = ANY($2)
                AND ($3 < 0 OR (SELECT m.user_id FROM members m
                    WHERE m.conversation_id = c.id AND m.user_id = $3 AND m.left_at IS NULL LIMIT 1) = $3)";
    MEMBERS: Query -> MemberDetail =
        sqlite "SELECT m.user_id, m.joined_at, m.left_at, m.visible_from, u.is_bot, u.is_external, u.guest_visible
            FROM members m CROSS JOIN users u ON u.id = m.user_id
            WHERE m.conversation_id = $1 AND m.user_id > $2 ORDER BY m.user_id LIMIT $3"
        postgres "SELECT m.user_id, m.joined_at, m.left_at, m.visible_from, u.is_bot, u.is_external, u.guest_visible
            FROM (SELECT * FROM members WHERE (conversation_id, user_id) >= ($1, $2)
                    AND (conversation_id, user_id) <= ($1, 9223372036854775807) AND user_id <> $2
                ORDER BY conversation_id, user_id LIMIT $3) AS m
            CROSS JOIN LATERAL (SELECT is_bot, is_external, guest_visible FROM users
                WHERE id = m.user_id LIMIT 1) AS u
            ORDER BY m.conversation_id, m.user_id";
    FIRST_MEMBERS: Query -> FirstMember =
        sqlite "SELECT m.conversation_id, m.user_id, m.left_at IS NULL AS is_member, u.is_bot, u.is_external
            FROM json_each($1) j
            CROSS JOIN members m ON m.conversation_id = j.value AND m.user_id IN (SELECT k.user_id FROM members k
                WHERE k.conversation_id = j.value ORDER BY k.user_id LIMIT $2)
            CROSS JOIN users u ON u.id = m.user_id"
        postgres "SELECT m.conversation_id, m.user_id, m.left_at IS NULL AS is_member, u.is_bot, u.is_external
            FROM unnest(CAST($1 AS BIGINT[])) AS j (id)
            CROSS JOIN LATERAL (SELECT conversation_id, user_id, left_at FROM members
                WHERE (conversation_id, user_id) >= (j.id, 0) AND (conversation_id, user_id) <= (j.id, 9223372036854775807)
                ORDER BY conversation_id, user_id LIMIT $2) AS m
            CROSS JOIN LATERAL (SELECT is_bot, is_external FROM users WHERE id = m.user_id LIMIT 1) AS u";
    MEMBERSHIPS: Query -> ConversationMembership =
        sqlite "SELECT m.conversation_id, c.workspace_id, c.kind, c.deleted_at IS NOT NULL AS is_deleted,
                m.left_at IS NULL AS is_member, m.visible_from
            FROM json_each($2) j
            CROSS JOIN conversations c ON c.id = j.value
            CROSS JOIN members m ON m.conversation_id = c.id AND m.user_id = $1"
        postgres "SELECT m.conversation_id, c.workspace_id, c.kind, c.deleted_at IS NOT NULL AS is_deleted,
                m.left_at IS NULL AS is_member, m.visible_from
            FROM unnest(CAST($2 AS BIGINT[])) AS j (id)
            CROSS JOIN LATERAL (SELECT workspace_id, kind, deleted_at FROM conversations
                WHERE id = j.id LIMIT 1) AS c
            CROSS JOIN LATERAL (SELECT conversation_id, left_at, visible_from FROM members
                WHERE conversation_id = j.id AND user_id = $1 LIMIT 1) AS m";
    ACTIVE_IN: Query =
        sqlite "SELECT b.conversation_id, COUNT(*) FROM json_each($1) j
            CROSS JOIN members b ON b.conversation_id = j.value
            CROSS JOIN users u ON u.id = b.user_id
            WHERE b.left_at IS NULL AND u.is_bot = 0 AND u.state = 0 GROUP BY b.conversation_id"
        postgres "SELECT j.id, n.active FROM unnest(CAST($1 AS BIGINT[])) AS j (id)
            CROSS JOIN LATERAL (SELECT COUNT(*) AS active
                FROM (SELECT user_id FROM members WHERE conversation_id = j.id AND left_at IS NULL OFFSET 0) AS b
                CROSS JOIN LATERAL (SELECT id FROM users
                    WHERE id = b.user_id AND is_bot = 0 AND state = 0 LIMIT 1) AS u) AS n";
}

/// Returns up to `limit` conversations of a company whose ids are above `after`, ordered by id. Includes deleted
/// conversations.
pub async fn of_company<C: ReadSql>(
    c: &mut C,
    workspace: WorkspaceId,
    after: i64,
    limit: i64,
) -> Result<Vec<Conversation>> {
    c.all(&OF_COMPANY, args![workspace, after, limit]).await
}

/// Returns up to `limit` groups and channels of which a user is a member and whose ids are above `after`, ordered by
/// id. Includes archived and deleted groups and channels.
pub async fn groups_and_channels_of_user<C: ReadSql>(
    c: &mut C,
    user: UserId,
    after: i64,
    limit: i64,
) -> Result<Vec<Conversation>> {
    c.all(&GROUPS_AND_CHANNELS_OF_USER, args![user, after, limit]).await
}

/// Returns up to `limit` conversations of which a user is a member and whose ids are above `after`, ordered by id.
/// Includes direct, archived and deleted conversations.
pub async fn of_user<C: ReadSql>(
    c: &mut C,
    user: UserId,
    after: i64,
    limit: i64,
) -> Result<Vec<Conversation>> {
    c.all(&OF_USER, args![user, after, limit]).await
}

/// Returns the kind and the name of each conversation in `ids` that belongs to a company. Includes deleted
/// conversations. If `member` is set, omits conversations of which this user is not a member.
pub async fn names<C: ReadSql>(
    c: &mut C,
    workspace: WorkspaceId,
    ids: &[ConversationId],
    member: Option<UserId>,
) -> Result<Vec<ConversationName>> {
    c.all(&NAMES, args![workspace, ids, member.map_or(-1, |id| id.0)]).await
}

/// Returns up to `limit` present and past members of a conversation whose user ids are above `after`, ordered by user
/// id.
pub async fn members<C: ReadSql>(
    c: &mut C,
    id: ConversationId,
    after: i64,
    limit: i64,
) -> Result<Vec<MemberDetail>> {
    c.all(&MEMBERS, args![id, after, limit]).await
}

/// Returns the present and past memberships of a user in `conversations`, in no particular order.
pub async fn memberships<C: ReadSql>(
    c: &mut C,
    user: UserId,
    conversations: &[ConversationId],
) -> Result<Vec<ConversationMembership>> {
    c.all(&MEMBERSHIPS, args![user, conversations]).await
}

/// For each conversation in `conversations`, returns up to `limit` members: those with the lowest user ids. Includes
/// users who have left. The rows are in no particular order.
pub async fn first_members<C: ReadSql>(
    c: &mut C,
    conversations: &[ConversationId],
    limit: i64,
) -> Result<Vec<FirstMember>> {
    c.all(&FIRST_MEMBERS, args![conversations, limit]).await
}

/// Counts the active members of each direct conversation in `conversations`, and sets its `active_members`. The column
/// `active_members` of a direct conversation is not updated after the conversation was created. A user can have very
/// many direct conversations, and each change of the user's account state would have to update all these rows.
pub async fn count_direct<C: ReadSql>(c: &mut C, conversations: &mut [Conversation]) -> Result<()> {
    let direct: Vec<_> =
        conversations.iter().filter(|v| v.kind == ConversationKind::Dm).map(|v| v.id).collect();
    if direct.is_empty() {
        return Ok(());
    }
    let mut counts: Vec<(ConversationId, i64)> = c.all(&ACTIVE_IN, args![&direct]).await?;
    counts.sort_unstable();
    for conversation in conversations.iter_mut().filter(|v| v.kind == ConversationKind::Dm) {
        let counted = counts.binary_search_by_key(&conversation.id, |(id, _)| *id);
        conversation.active_members = counted.map_or(0, |index| counts[index].1);
    }
    Ok(())
}
