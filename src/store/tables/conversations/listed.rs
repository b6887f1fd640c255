//! The lists of conversations in the web client: the conversations of a person, and the groups and channels that a
//! person may join.
//!
//! On PostgreSQL, a subquery first selects the rows of the page by comparing all columns of an index. Further
//! subqueries then look up the related rows of each row. These subqueries have `LIMIT` or `OFFSET 0`, because
//! PostgreSQL does not turn a subquery with one of these clauses into a join. So no plan reads more than the page and
//! its related rows (`docs/decisions/0018-plans-that-read-one-page.md`).

use crate::domain::{
    conversation::ConversationKind,
    ids::{ConversationId, MessageId, UserId, WorkspaceId},
};
use crate::store::{ReadSql, Result, args, row, statements, tables::users::visibility::visible_to_members};

/// A conversation in a person's list.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedConversation {
    pub id: ConversationId,
    pub kind: ConversationKind,
    /// The group of a channel; `None` for other kinds.
    pub parent_id: Option<ConversationId>,
    /// The name; `None` for direct conversations.
    pub name: Option<String>,
    pub topic: Option<String>,
    /// Whether the conversation is private. A channel is private if its group is private.
    pub is_private: bool,
    pub announcement_only: bool,
    /// Whether the conversation is archived. A channel is archived if its group is archived.
    pub is_archived: bool,
    pub is_deleted: bool,
    /// Lower bound (inclusive) of the ids of the messages that are visible to the person.
    pub visible_from: MessageId,
    /// Id of the newest message that the person has read; 0 if the person has read nothing.
    pub read_id: MessageId,
    /// Id of the newest message that the person may see; 0 if there is no such message.
    pub newest_id: MessageId,
}
row!(ListedConversation {
    id,
    kind,
    parent_id,
    name,
    topic,
    is_private,
    announcement_only,
    is_archived,
    is_deleted,
    visible_from,
    read_id,
    newest_id
});

/// A direct conversation of the person who reads the list, and its other user.
#[derive(Clone, Debug, PartialEq)]
pub struct DirectWith {
    pub conversation_id: ConversationId,
    pub user_id: UserId,
    pub name: String,
    pub is_bot: bool,
}
row!(DirectWith { conversation_id, user_id, name, is_bot });

/// A group, or a channel of a group, in the list of conversations that a person may join.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenConversation {
    pub id: ConversationId,
    /// The group of a channel; `None` for a group.
    pub parent_id: Option<ConversationId>,
    pub name: String,
    pub topic: Option<String>,
    /// Number of members who are people in the account state `active`; bots are not counted.
    pub active_members: i64,
    /// Whether the person who reads the list is a member.
    pub is_member: bool,
}
row!(OpenConversation { id, parent_id, name, topic, active_members, is_member });

/// Selects the columns of [`ListedConversation`] from `$from`. `$newest` is a subquery for the id of the newest message
/// that is visible to the person.
macro_rules! listed {
    ($newest:literal, $from:literal) => {
        concat!(
            "SELECT c.id, c.kind, c.parent_id, c.name, c.topic, COALESCE(p.is_private, c.is_private) AS is_private,
                c.announcement_only,
                CASE WHEN p.id IS NULL THEN c.archived_at ELSE p.archived_at END IS NOT NULL AS is_archived,
                c.deleted_at IS NOT NULL AS is_deleted, m.visible_from, m.read_id, COALESCE((",
            $newest,
            "), 0) AS newest_id FROM ",
            $from
        )
    };
}

statements! {
    OF_MEMBER: Query -> ListedConversation =
        sqlite listed!("SELECT x.id FROM messages x
                WHERE x.conversation_id = m.conversation_id AND x.id >= m.visible_from ORDER BY x.id DESC LIMIT 1",
            "members m INDEXED BY members_by_user
                CROSS JOIN conversations c ON c.id = m.conversation_id
                LEFT JOIN conversations p ON p.id = c.parent_id
            WHERE m.user_id = $1 AND m.conversation_id < $2 AND m.left_at IS NULL
            ORDER BY m.conversation_id DESC LIMIT $3")
        postgres listed!("SELECT id FROM messages
                WHERE conversation_id = ANY(ARRAY[m.conversation_id]) AND id >= m.visible_from
                ORDER BY conversation_id DESC, id DESC LIMIT 1",
            "(SELECT user_id, conversation_id, visible_from, read_id FROM members
                WHERE left_at IS NULL AND (user_id, conversation_id) <= ($1, $2)
                    AND (user_id, conversation_id) >= ($1, 0) AND conversation_id <> $2
                ORDER BY user_id DESC, conversation_id DESC LIMIT $3) AS m
                CROSS JOIN LATERAL (SELECT * FROM conversations WHERE id = m.conversation_id LIMIT 1) AS c
                LEFT JOIN LATERAL (SELECT id, is_private, archived_at FROM conversations
                    WHERE id = c.parent_id LIMIT 1) AS p ON TRUE
            ORDER BY m.user_id DESC, m.conversation_id DESC");
    WITH: Query -> DirectWith =
        sqlite concat!("SELECT b.conversation_id, b.user_id, u.name, u.is_bot
            FROM json_each($1) j CROSS JOIN members b ON b.conversation_id = j.value
            JOIN users u ON u.id = b.user_id
            WHERE b.user_id <> $2 AND ", visible_to_members!("u."))
        postgres concat!("SELECT j.id AS conversation_id, u.id AS user_id, u.name, u.is_bot
            FROM unnest(CAST($1 AS BIGINT[])) AS j (id)
            CROSS JOIN LATERAL (SELECT user_id FROM members WHERE conversation_id = j.id OFFSET 0) AS b
            CROSS JOIN LATERAL (SELECT id, name, is_bot FROM users
                WHERE id = b.user_id AND ", visible_to_members!(""), " LIMIT 1) AS u
            WHERE b.user_id <> $2");
    OPEN_GROUPS: Query -> OpenConversation =
        sqlite "SELECT c.id, c.parent_id, c.name, c.topic, c.active_members,
                (SELECT 1 FROM members m WHERE m.conversation_id = c.id AND m.user_id = $2
                    AND m.left_at IS NULL LIMIT 1) IS NOT NULL AS is_member
            FROM conversations c INDEXED BY conversations_open
            WHERE c.workspace_id = $1 AND c.id < $3
                AND c.kind = 0 AND c.is_private = 0 AND c.archived_at IS NULL AND c.deleted_at IS NULL
            ORDER BY c.id DESC LIMIT $4"
        postgres "SELECT c.id, c.parent_id, c.name, c.topic, c.active_members,
                (SELECT 1 FROM members m WHERE m.conversation_id = c.id AND m.user_id = $2
                    AND m.left_at IS NULL LIMIT 1) IS NOT NULL AS is_member
            FROM (SELECT * FROM conversations
                WHERE (workspace_id, id) <= ($1, $3) AND (workspace_id, id) >= ($1, 0) AND id <> $3
                    AND kind = 0 AND is_private = 0 AND archived_at IS NULL AND deleted_at IS NULL
                ORDER BY workspace_id DESC, id DESC LIMIT $4) AS c
            ORDER BY c.workspace_id DESC, c.id DESC";
    CHANNELS_OF: Query -> OpenConversation =
        sqlite "SELECT c.id, c.parent_id, c.name, c.topic, c.active_members,
                (SELECT 1 FROM members m WHERE m.conversation_id = c.id AND m.user_id = $2
                    AND m.left_at IS NULL LIMIT 1) IS NOT NULL AS is_member
            FROM json_each($1) j CROSS JOIN conversations c ON c.id IN (SELECT k.id
                FROM conversations k INDEXED BY conversations_channels
                WHERE k.parent_id = j.value AND k.deleted_at IS NULL ORDER BY k.id LIMIT $3)"
        postgres "SELECT c.id, c.parent_id, c.name, c.topic, c.active_members,
                (SELECT 1 FROM members m WHERE m.conversation_id = c.id AND m.user_id = $2
                    AND m.left_at IS NULL LIMIT 1) IS NOT NULL AS is_member
            FROM unnest(CAST($1 AS BIGINT[])) AS j (id)
            CROSS JOIN LATERAL (SELECT id FROM conversations
                WHERE (parent_id, id) >= (j.id, 0) AND (parent_id, id) <= (j.id, 9223372036854775807)
                    AND parent_id IS NOT NULL AND deleted_at IS NULL
                ORDER BY parent_id, id LIMIT $3) AS k
            CROSS JOIN LATERAL (SELECT * FROM conversations WHERE id = k.id LIMIT 1) AS c";
    // PostgreSQL: if most conversations have no parent, the planner would estimate too few channels of the group for a
    // plain `$1`. It would then choose a plan that reads and sorts all channels of the group. For `(SELECT CAST($1 AS
    // BIGINT))`, the planner uses its default estimate, and the plan reads only the page.
    CHANNELS_AFTER: Query -> OpenConversation =
        sqlite "SELECT c.id, c.parent_id, c.name, c.topic, c.active_members,
                (SELECT 1 FROM members m WHERE m.conversation_id = c.id AND m.user_id = $2
                    AND m.left_at IS NULL LIMIT 1) IS NOT NULL AS is_member
            FROM conversations c INDEXED BY conversations_channels
            WHERE c.parent_id = $1 AND c.id > $3 AND c.deleted_at IS NULL ORDER BY c.id LIMIT $4"
        postgres "SELECT c.id, c.parent_id, c.name, c.topic, c.active_members,
                (SELECT 1 FROM members m WHERE m.conversation_id = c.id AND m.user_id = $2
                    AND m.left_at IS NULL LIMIT 1) IS NOT NULL AS is_member
            FROM (SELECT parent_id, id FROM conversations
                WHERE (parent_id, id) >= ((SELECT CAST($1 AS BIGINT)), $3)
                    AND (parent_id, id) <= ((SELECT CAST($1 AS BIGINT)), 9223372036854775807)
                    AND id <> $3 AND parent_id IS NOT NULL AND deleted_at IS NULL
                ORDER BY parent_id, id LIMIT $4) AS k
            CROSS JOIN LATERAL (SELECT * FROM conversations WHERE id = k.id LIMIT 1) AS c
            ORDER BY k.parent_id, k.id";
    SHARED: Query =
        sqlite "SELECT j.value FROM json_each($1) j
            WHERE (SELECT 1 FROM members a CROSS JOIN members b ON b.conversation_id = a.conversation_id
                CROSS JOIN conversations c ON c.id = a.conversation_id
                WHERE a.user_id = $2 AND a.left_at IS NULL AND b.user_id = j.value AND b.left_at IS NULL
                    AND c.deleted_at IS NULL LIMIT 1)
                IS NOT NULL"
        postgres "SELECT j.id FROM unnest(CAST($1 AS BIGINT[])) AS j (id)
            WHERE (SELECT 1 FROM (SELECT conversation_id FROM members
                    WHERE user_id = $2 AND left_at IS NULL OFFSET 0) AS a
                CROSS JOIN LATERAL (SELECT user_id FROM members
                    WHERE conversation_id = a.conversation_id AND user_id = j.id AND left_at IS NULL LIMIT 1) AS b
                CROSS JOIN LATERAL (SELECT id FROM conversations
                    WHERE id = a.conversation_id AND deleted_at IS NULL LIMIT 1) AS c
                LIMIT 1) IS NOT NULL";
}

/// Returns up to `limit` conversations of which a person is a member and whose ids are below `before`, the newest
/// conversation (with the highest id) first. Includes archived and deleted conversations.
pub async fn of_member<C: ReadSql>(
    c: &mut C,
    user: UserId,
    before: ConversationId,
    limit: i64,
) -> Result<Vec<ListedConversation>> {
    c.all(&OF_MEMBER, args![user, before, limit]).await
}

/// Returns, for each direct conversation in `conversations`, the user who is not `reader`. Omits guests who are hidden
/// from the company's members.
pub async fn direct_partners<C: ReadSql>(
    c: &mut C,
    reader: UserId,
    conversations: &[ConversationId],
) -> Result<Vec<DirectWith>> {
    c.all(&WITH, args![conversations, reader]).await
}

/// Returns up to `limit` groups of a company whose ids are below `before`, the newest group (with the highest id)
/// first. Omits private, archived and deleted groups.
pub async fn open_groups<C: ReadSql>(
    c: &mut C,
    company: WorkspaceId,
    reader: UserId,
    before: ConversationId,
    limit: i64,
) -> Result<Vec<OpenConversation>> {
    c.all(&OPEN_GROUPS, args![company, reader, before, limit]).await
}

/// Returns the oldest `limit` channels of each group in `groups`, in no particular order. Omits deleted channels.
pub async fn channels_of<C: ReadSql>(
    c: &mut C,
    reader: UserId,
    groups: &[ConversationId],
    limit: i64,
) -> Result<Vec<OpenConversation>> {
    c.all(&CHANNELS_OF, args![groups, reader, limit]).await
}

/// Returns up to `limit` channels of a group whose ids are above `after`, the oldest channel (with the lowest id)
/// first. Omits deleted channels.
pub async fn channels_after<C: ReadSql>(
    c: &mut C,
    reader: UserId,
    group: ConversationId,
    after: ConversationId,
    limit: i64,
) -> Result<Vec<OpenConversation>> {
    c.all(&CHANNELS_AFTER, args![group, reader, after, limit]).await
}

/// Returns those of `users` who share a conversation with `reader`: both are members now. Deleted conversations do not
/// count.
pub async fn in_conversation_with<C: ReadSql>(
    c: &mut C,
    reader: UserId,
    users: &[UserId],
) -> Result<Vec<UserId>> {
    c.all(&SHARED, args![users, reader]).await
}
