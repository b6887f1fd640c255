//! Conversations (groups, channels and direct conversations), and their members.

pub mod listed;
pub mod lists;
mod locking;
pub mod pairs;
pub mod unread;

use std::collections::HashSet;

use serde_json::json;

pub use self::locking::{
    drain_channels, drain_deleted_channels, lock, lock_all_for_write, lock_direct, lock_for_write,
};
pub use self::pairs::{claim_pair, direct, directs, directs_with, release_pair};
use crate::domain::{
    conversation::ConversationKind,
    ids::{ConversationId, MessageId, UserId, WorkspaceId},
    time::Timestamp,
};
use crate::store::{
    LockKey, Notice, ReadSql, Result, Sql, args, named_args, row, statements, table,
    tables::users::visibility::hidden_guest,
};

table! {
    /// A conversation. For a channel that is read from the database, `is_private` and `archived_at` are those of its
    /// group (B-107, B-108).
    #[derive(Clone, Debug, PartialEq)]
    pub struct Conversation in conversations {
        key id: ConversationId,
        workspace_id: WorkspaceId,
        kind: ConversationKind,
        /// The group of a channel; `None` for other kinds.
        parent_id: Option<ConversationId>,
        /// The name; `None` for direct conversations.
        mut name: Option<String>,
        mut topic: Option<String>,
        mut is_private: bool,
        mut announcement_only: bool,
        mut archived_at: Option<Timestamp> = "NULL",
        deleted_at: Option<Timestamp> = "NULL",
        /// Number of members that are people whose account state is `active`. The column of a direct conversation is
        /// not updated after the conversation was created. So after a direct conversation was read,
        /// [`count_direct`](crate::store::conversation_lists::count_direct) sets this field.
        active_members: i64 = "0",
        created_at: Timestamp,
        /// The lowest id that a new message can get: the highest `visible_from` that a member ever had. So a new member
        /// sees all messages that are sent after the join, even messages from a node whose clock is behind.
        floor_id: MessageId = "0",
    }
}

/// The present or past membership of a user in a conversation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Member {
    pub user_id: UserId,
    /// When the user joined. If the user has joined several times, the last time.
    pub joined_at: Timestamp,
    /// When the user left; `None` if the user is a member.
    pub left_at: Option<Timestamp>,
    /// The member may not see messages with lower ids than this.
    pub visible_from: MessageId,
    /// The last message that the member has read; 0 if the member has read nothing.
    pub read_id: MessageId,
}
row!(Member { user_id, joined_at, left_at, visible_from, read_id });

/// The facts that decide which messages of a conversation a user may read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReadAccess {
    pub workspace_id: WorkspaceId,
    pub kind: ConversationKind,
    pub announcement_only: bool,
    pub is_deleted: bool,
    /// `true` for a present member, `false` for a past member; `None` if the user was never a member.
    pub is_member: Option<bool>,
    /// The user may not see messages with lower ids than this; `None` if the user was never a member.
    pub visible_from: Option<MessageId>,
    /// Whether the company has guests who are hidden from its members.
    pub hides_guests: bool,
}
row!(ReadAccess { workspace_id, kind, announcement_only, is_deleted, is_member, visible_from, hides_guests });

/// The facts that determine the lock keys of a conversation.
struct LockFacts {
    id: ConversationId,
    workspace_id: WorkspaceId,
    /// The group of a channel.
    parent_id: Option<ConversationId>,
    /// The two users of a direct conversation.
    low_user_id: Option<UserId>,
    high_user_id: Option<UserId>,
}
row!(LockFacts { id, workspace_id, parent_id, low_user_id, high_user_id });

/// Selects the columns of [`Conversation`] from `$from`, in which the conversations have the alias `c`. `$rest` is the
/// rest of the statement.
macro_rules! select {
    (@columns $from:literal, $parent:literal, $rest:literal) => {
        concat!(
            "SELECT c.id, c.workspace_id, c.kind, c.parent_id, c.name, c.topic,
                COALESCE(p.is_private, c.is_private) AS is_private, c.announcement_only,
                CASE WHEN p.id IS NULL THEN c.archived_at ELSE p.archived_at END AS archived_at,
                c.deleted_at, c.active_members, c.created_at, c.floor_id
            FROM ",
            $from,
            " LEFT JOIN ",
            $parent,
            " ",
            $rest
        )
    };
    (sqlite $from:literal, $rest:literal) => {
        select!(@columns $from, "conversations p ON p.id = c.parent_id", $rest)
    };
    (postgres $from:literal, $rest:literal) => {
        select!(
            @columns $from,
            "LATERAL (SELECT id, is_private, archived_at FROM conversations
                WHERE id = c.parent_id LIMIT 1) AS p ON TRUE",
            $rest
        )
    };
}

pub(in crate::store) use select;

/// Adds users to a conversation, in the order of a list. `$list` is the SQL of the list, and `$user` is the SQL of a
/// user's id in the list. Returns the users who were not members before.
macro_rules! join {
    ($list:literal, $user:literal) => {
        concat!(
            "INSERT INTO members (conversation_id, user_id, joined_at, left_at, visible_from, is_direct, workspace_id)
            SELECT c.id, ",
            $user,
            ", $3, NULL, $4, CASE WHEN c.kind = 2 THEN 1 ELSE 0 END, c.workspace_id
            FROM ",
            $list,
            " CROSS JOIN conversations c WHERE c.id = $1
            ON CONFLICT (conversation_id, user_id)
            DO UPDATE SET joined_at = excluded.joined_at, left_at = NULL, visible_from = excluded.visible_from
            WHERE members.left_at IS NOT NULL RETURNING user_id"
        )
    };
}

statements! {
    INSERT: Command = conversations!(INSERT);
    UPDATE: Command = conversations!(UPDATE);
    DELETE: Command = "UPDATE conversations SET deleted_at = $2
        WHERE (id = $1 OR parent_id = $1) AND deleted_at IS NULL";
    BY_ID: Query -> Conversation = sqlite select!(sqlite "conversations c", "WHERE c.id = $1")
        postgres select!(postgres "conversations c", "WHERE c.id = $1");
    BY_IDS: Query -> Conversation =
        sqlite select!(sqlite "conversations c", "WHERE c.id IN (SELECT value FROM json_each($1)) ORDER BY c.id")
        postgres select!(postgres "conversations c", "WHERE c.id = ANY($1) ORDER BY c.id");
    // Conversations are always locked in the order of their ids, which prevents deadlocks. A group has a lower id than
    // its channels, so the group is locked first.
    LOCK: LockingQuery = sqlite "SELECT id FROM conversations WHERE id = $1"
        postgres "SELECT id FROM conversations
            WHERE id = $1 OR id = (SELECT parent_id FROM conversations WHERE id = $1) ORDER BY id FOR UPDATE";
    // The selected facts never change, so an operation can read them before it has locked the conversation.
    LOCKED_BY: Query -> LockFacts = "SELECT id, workspace_id, parent_id,
            CASE WHEN kind = 2 THEN (SELECT MIN(user_id) FROM members WHERE conversation_id = $1) END AS low_user_id,
            CASE WHEN kind = 2 THEN (SELECT MAX(user_id) FROM members WHERE conversation_id = $1) END AS high_user_id
        FROM conversations WHERE id = $1";
    LOCKED_BY_OF_MANY: Query -> LockFacts =
        sqlite "SELECT c.id, c.workspace_id, c.parent_id,
                CASE WHEN c.kind = 2 THEN (SELECT MIN(user_id) FROM members WHERE conversation_id = c.id) END AS low_user_id,
                CASE WHEN c.kind = 2 THEN (SELECT MAX(user_id) FROM members WHERE conversation_id = c.id) END AS high_user_id
            FROM conversations c WHERE c.id IN (SELECT value FROM json_each($1))"
        postgres "SELECT c.id, c.workspace_id, c.parent_id,
                CASE WHEN c.kind = 2 THEN (SELECT MIN(user_id) FROM members WHERE conversation_id = c.id) END AS low_user_id,
                CASE WHEN c.kind = 2 THEN (SELECT MAX(user_id) FROM members WHERE conversation_id = c.id) END AS high_user_id
            FROM unnest(CAST($1 AS BIGINT[])) AS j (id)
            CROSS JOIN LATERAL (SELECT id, workspace_id, parent_id, kind FROM conversations WHERE id = j.id LIMIT 1) AS c";
    KIND: Query = "SELECT kind FROM conversations WHERE id = $1";
    CHANNELS_OF: Query = "SELECT id FROM conversations WHERE parent_id = $1 AND deleted_at IS NULL ORDER BY id";
    CHANNELS_DELETED_WITH: Query = "SELECT id FROM conversations WHERE parent_id = $1 AND deleted_at = $2 ORDER BY id";
    MEMBER: Query -> Member = "SELECT user_id, joined_at, left_at, visible_from, read_id FROM members
        WHERE conversation_id = $1 AND user_id = $2";
    MARK_READ: Command = "UPDATE members SET read_id = $3
        WHERE conversation_id = $1 AND user_id = $2 AND left_at IS NULL AND read_id < $3";
    // The list in $1 is sorted by conversation and user. So all nodes lock the rows in the same order, which prevents
    // deadlocks.
    MARK_READ_MANY: Command =
        sqlite "UPDATE members SET read_id = j.up_to
            FROM (SELECT json_extract(value, '$[0]') AS conversation_id, json_extract(value, '$[1]') AS user_id,
                json_extract(value, '$[2]') AS up_to FROM json_each($1)) AS j
            WHERE members.conversation_id = j.conversation_id AND members.user_id = j.user_id
                AND members.left_at IS NULL AND members.read_id < j.up_to
            RETURNING user_id, conversation_id"
        postgres "WITH held AS MATERIALIZED (SELECT m.conversation_id, m.user_id, j.up_to
                FROM (SELECT CAST(value ->> 0 AS BIGINT) AS conversation_id, CAST(value ->> 1 AS BIGINT) AS user_id,
                    CAST(value ->> 2 AS BIGINT) AS up_to
                    FROM json_array_elements(CAST(CAST($1 AS TEXT) AS JSON)) AS value OFFSET 0) AS j
                CROSS JOIN LATERAL (SELECT conversation_id, user_id FROM members
                    WHERE conversation_id = j.conversation_id AND user_id = j.user_id
                        AND left_at IS NULL AND read_id < j.up_to LIMIT 1 FOR UPDATE) AS m)
            UPDATE members SET read_id = held.up_to FROM held
            WHERE members.conversation_id = held.conversation_id AND members.user_id = held.user_id
            RETURNING members.user_id, members.conversation_id";
    FIND_ACCESS: Query -> ReadAccess =
        concat!("SELECT c.workspace_id, c.kind, c.announcement_only, c.deleted_at IS NOT NULL AS is_deleted,
            CASE WHEN m.user_id IS NULL THEN NULL ELSE m.left_at IS NULL END AS is_member, m.visible_from,
            (SELECT 1 FROM users u WHERE u.workspace_id = c.workspace_id AND ", hidden_guest!("u."), "
                LIMIT 1) IS NOT NULL AS hides_guests
        FROM conversations c LEFT JOIN members m ON m.conversation_id = c.id AND m.user_id = $2
        WHERE c.id = $1");
    JOIN: Command =
        sqlite join!("json_each($2) j", "j.value")
        postgres join!("unnest(CAST($2 AS BIGINT[])) AS j (id)", "j.id");
    LEAVE: Command =
        sqlite "UPDATE members SET left_at = $3
            WHERE user_id = $1 AND conversation_id IN (SELECT value FROM json_each($2)) AND left_at IS NULL
            RETURNING conversation_id"
        postgres "WITH held AS MATERIALIZED (SELECT m.conversation_id, m.user_id
                FROM unnest(CAST($2 AS BIGINT[])) AS j (id)
                CROSS JOIN LATERAL (SELECT conversation_id, user_id FROM members
                    WHERE conversation_id = j.id AND user_id = $1 AND left_at IS NULL LIMIT 1 FOR UPDATE) AS m)
            UPDATE members SET left_at = $3 FROM held
            WHERE members.conversation_id = held.conversation_id AND members.user_id = held.user_id
            RETURNING members.conversation_id";
    JOINED: Command = "UPDATE conversations SET active_members = active_members + $2,
            floor_id = CASE WHEN floor_id < $3 THEN $3 ELSE floor_id END
        WHERE id = $1";
    ADD_ACTIVE: Command =
        sqlite "UPDATE conversations SET active_members = active_members + $2
            WHERE id IN (SELECT value FROM json_each($1))"
        postgres "WITH held AS MATERIALIZED (SELECT id FROM conversations WHERE id = ANY($1) ORDER BY id FOR UPDATE)
            UPDATE conversations SET active_members = active_members + $2
            WHERE id = ANY(ARRAY(SELECT id FROM held))";
    // omits direct conversations, because a user can have very many of them (see `Conversation::active_members`)
    ADD_ACTIVE_EVERYWHERE: Command =
        sqlite "UPDATE conversations SET active_members = active_members + $2
            WHERE id IN (SELECT conversation_id FROM members
                WHERE user_id = $1 AND left_at IS NULL AND is_direct = 0)"
        postgres "WITH held AS MATERIALIZED (SELECT id FROM conversations
                WHERE id = ANY(ARRAY(SELECT conversation_id FROM members
                    WHERE user_id = $1 AND left_at IS NULL AND is_direct = 0))
                ORDER BY id FOR UPDATE)
            UPDATE conversations SET active_members = active_members + $2
            WHERE id = ANY(ARRAY(SELECT id FROM held))";
    MEMBER_OF: Query =
        sqlite "SELECT m.conversation_id FROM json_each($2) j
            CROSS JOIN members m ON m.conversation_id = j.value AND m.user_id = $1 AND m.left_at IS NULL"
        postgres "SELECT j.id FROM unnest(CAST($2 AS BIGINT[])) AS j (id)
            CROSS JOIN LATERAL (SELECT user_id FROM members
                WHERE conversation_id = j.id AND user_id = $1 AND left_at IS NULL LIMIT 1) AS m";
    MEMBERS_AMONG: Query =
        sqlite "SELECT m.user_id FROM json_each($2) j
            CROSS JOIN members m ON m.conversation_id = $1 AND m.user_id = j.value AND m.left_at IS NULL"
        postgres "SELECT j.id FROM unnest(CAST($2 AS BIGINT[])) AS j (id)
            CROSS JOIN LATERAL (SELECT user_id FROM members
                WHERE conversation_id = $1 AND user_id = j.id AND left_at IS NULL LIMIT 1) AS m";
}

/// Inserts a conversation without members.
pub async fn insert<C: Sql>(c: &mut C, v: &Conversation) -> Result<()> {
    c.exec(&INSERT, &v.insert_args()).await?;
    Ok(())
}

/// Updates those columns of a conversation that are declared `mut`. Publishes the change for the conversation. If the
/// conversation is a group, also publishes the change for its channels, because they have the group's privacy and
/// archived state, and because browser windows that show a channel also show the group's name.
pub async fn update<C: Sql>(c: &mut C, v: &Conversation) -> Result<()> {
    c.exec(&UPDATE, &v.update_args()).await?;
    for channel in channels_of(c, v.id).await? {
        c.notify(Notice::Renamed(channel));
    }
    c.notify(Notice::Renamed(v.id));
    Ok(())
}

/// Marks a conversation as deleted. If it is a group, also marks its channels as deleted. To be called only by
/// [`search::delete_conversation`](crate::store::search::delete_conversation), which also removes the messages from
/// searches.
pub(in crate::store) async fn delete<C: Sql>(c: &mut C, id: ConversationId, now: Timestamp) -> Result<()> {
    // the deletion of each channel is published too, because browser windows follow each channel separately
    for deleted in channels_of(c, id).await?.into_iter().chain([id]) {
        narrow_audience(c, deleted);
        c.notify(Notice::Renamed(deleted));
    }
    c.exec(&DELETE, args![id, now]).await?;
    Ok(())
}

/// Returns a conversation of any company and kind, even if it is deleted.
pub async fn by_id<C: ReadSql>(c: &mut C, id: ConversationId) -> Result<Option<Conversation>> {
    c.opt(&BY_ID, args![id]).await
}

/// Returns several conversations of any company and kind, ordered by id. Includes deleted conversations.
pub async fn by_ids<C: ReadSql>(c: &mut C, ids: &[ConversationId]) -> Result<Vec<Conversation>> {
    c.all(&BY_IDS, args![ids]).await
}

/// Returns the kind of a conversation, which must exist.
pub async fn kind<C: ReadSql>(c: &mut C, id: ConversationId) -> Result<ConversationKind> {
    Ok(c.one::<(ConversationKind,)>(&KIND, args![id]).await?.0)
}

/// Returns the ids of a group's channels, ordered by id. Omits deleted channels.
pub async fn channels_of<C: ReadSql>(c: &mut C, group: ConversationId) -> Result<Vec<ConversationId>> {
    Ok(c.all::<(ConversationId,)>(&CHANNELS_OF, args![group]).await?.into_iter().map(|(id,)| id).collect())
}

/// Returns the membership of a user; `None` if the user was never a member.
pub async fn member<C: ReadSql>(c: &mut C, id: ConversationId, user: UserId) -> Result<Option<Member>> {
    c.opt(&MEMBER, args![id, user]).await
}

/// Returns those of `users` who are members of a conversation.
pub async fn members_among<C: ReadSql>(
    c: &mut C,
    id: ConversationId,
    users: &[UserId],
) -> Result<Vec<UserId>> {
    c.all(&MEMBERS_AMONG, args![id, users]).await
}

/// Marks the messages of a conversation up to and including `up_to` as read by a member. Does nothing if the member has
/// already read up to `up_to` or further. Also does nothing if the user is not a member.
pub async fn mark_read<C: Sql>(c: &mut C, id: ConversationId, user: UserId, up_to: MessageId) -> Result<()> {
    if c.exec(&MARK_READ, args![id, user, up_to]).await? > 0 {
        c.notify(Notice::Read(user, id));
    }
    Ok(())
}

/// Does the same as [`mark_read`] for several conversations and members, with one statement.
pub async fn mark_read_many<C: Sql>(c: &mut C, marks: &[(ConversationId, UserId, MessageId)]) -> Result<()> {
    let mut sorted: Vec<_> = marks.iter().map(|(id, user, up_to)| (id.0, user.0, up_to.0)).collect();
    sorted.sort_unstable();
    let rows: Vec<_> = sorted.into_iter().map(|(id, user, up_to)| json!([id, user, up_to])).collect();
    let rows = serde_json::Value::Array(rows).to_string();
    let marked: Vec<(UserId, ConversationId)> = c.exec_all(&MARK_READ_MANY, args![&rows]).await?;
    for (user, id) in marked {
        c.notify(Notice::Read(user, id));
    }
    Ok(())
}

/// Returns the facts that decide which messages of a conversation a user may read; `None` if the conversation does not
/// exist.
pub async fn find_access<C: ReadSql>(
    c: &mut C,
    id: ConversationId,
    user: UserId,
) -> Result<Option<ReadAccess>> {
    c.opt(&FIND_ACCESS, args![id, user]).await
}

/// Adds users to an existing conversation. The boolean beside each user is `true` if
/// [`active_members`](Conversation::active_members) counts the user. Returns the users who were not members before,
/// ordered by id.
pub async fn join<C: Sql>(
    c: &mut C,
    id: ConversationId,
    users: &[(UserId, bool)],
    now: Timestamp,
    visible_from: MessageId,
) -> Result<Vec<UserId>> {
    // Sorted, because the rows are locked in the order of the list. `mark_read_many` locks rows in the same order, so
    // the two functions cannot deadlock.
    let mut ids: Vec<UserId> = users.iter().map(|(user, _)| *user).collect();
    ids.sort_unstable();
    let joined: Vec<UserId> = c
        .exec_all(
            &JOIN,
            named_args!(JOIN {
                conversation_id: id,
                users: &ids,
                joined_at: now,
                visible_from: visible_from
            }),
        )
        .await?;
    if joined.is_empty() {
        return Ok(joined);
    }
    for user in &joined {
        c.notify(Notice::Joined(*user));
    }
    let joined: HashSet<UserId> = joined.into_iter().collect();
    let active = users.iter().filter(|(user, is_active)| *is_active && joined.contains(user)).count();
    c.exec(&JOINED, args![id, i64::try_from(active).unwrap_or(i64::MAX), visible_from]).await?;
    Ok(ids.into_iter().filter(|user| joined.contains(user)).collect())
}

/// Publishes that users have lost access to a conversation. The operation responds only after every transaction has
/// ended that held the conversation's [audience lock](LockKey::audience). So after the operation's response, no
/// response with contents of the conversation is sent to these users.
fn narrow_audience<C: Sql>(c: &mut C, id: ConversationId) {
    c.notify(Notice::Changed(id));
    c.notify(Notice::Drain(LockKey::audience(id)));
}

/// Removes a user from conversations. `is_active` is `true` if [`active_members`](Conversation::active_members) counts
/// the user. Returns the conversations of which the user was a member.
pub async fn leave<C: Sql>(
    c: &mut C,
    user: UserId,
    ids: &[ConversationId],
    is_active: bool,
    now: Timestamp,
) -> Result<Vec<ConversationId>> {
    // Sorted, because every operation that changes several memberships, such as `mark_read_many`, locks their rows in
    // this order. So the operations cannot deadlock.
    let mut ids = ids.to_vec();
    ids.sort_unstable();
    let left: Vec<ConversationId> = c.exec_all(&LEAVE, args![user, &ids, now]).await?;
    for id in &left {
        narrow_audience(c, *id);
    }
    if is_active && !left.is_empty() {
        c.exec(&ADD_ACTIVE, args![&left, -1]).await?;
    }
    Ok(left)
}

/// Changes the number of active members of every group and channel of which a person is a member. `difference` is 1 if
/// the person's account state has become `active`, and −1 if it is no longer `active`.
pub async fn count_everywhere<C: Sql>(c: &mut C, user: UserId, difference: i64) -> Result<()> {
    c.exec(&ADD_ACTIVE_EVERYWHERE, args![user, difference]).await?;
    Ok(())
}

/// Returns those of `conversations` of which a user is a member.
pub async fn member_of<C: ReadSql>(
    c: &mut C,
    user: UserId,
    conversations: &[ConversationId],
) -> Result<Vec<ConversationId>> {
    c.all(&MEMBER_OF, args![user, conversations]).await
}
