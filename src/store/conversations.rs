//! Groups, channels and direct-message conversations, and who is in them.

use super::{Engine, LockKey, Result, Sql, args, locks, row, search, statements};
use crate::domain::{
    conversation::ConversationKind,
    ids::{ConversationId, MessageId, UserId, WorkspaceId},
    time::Timestamp,
};

/// A conversation; a channel shows its group's privacy and archived state (B-107, B-108).
#[derive(Clone, Debug, PartialEq)]
pub struct Conversation {
    pub id: ConversationId,
    pub workspace_id: WorkspaceId,
    pub kind: ConversationKind,
    /// A channel's group.
    pub parent_id: Option<ConversationId>,
    /// Null for direct messages.
    pub name: Option<String>,
    pub topic: Option<String>,
    pub is_private: bool,
    pub announcement_only: bool,
    pub archived_at: Option<Timestamp>,
    pub deleted_at: Option<Timestamp>,
    /// People with an active account. Of a direct message, where it is not kept: as of when it was made, see
    /// [`count_direct`](super::conversation_lists::count_direct).
    pub active_members: i64,
    pub created_at: Timestamp,
    /// New messages have no id below it: the highest `visible_from` of its members.
    pub floor_id: MessageId,
}
row!(Conversation {
    id,
    workspace_id,
    kind,
    parent_id,
    name,
    topic,
    is_private,
    announcement_only,
    archived_at,
    deleted_at,
    active_members,
    created_at,
    floor_id
});

/// What one user is to a conversation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Member {
    pub user_id: UserId,
    /// The latest join.
    pub joined_at: Timestamp,
    /// Null while in.
    pub left_at: Option<Timestamp>,
    /// The lowest message id the member may see.
    pub visible_from: MessageId,
}
row!(Member { user_id, joined_at, left_at, visible_from });

/// What a member may read of a conversation, of any company and kind, with what decides it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    pub workspace_id: WorkspaceId,
    pub kind: ConversationKind,
    pub announcement_only: bool,
    pub is_deleted: bool,
    /// Whether the user is in it; `None` when it never was.
    pub is_member: Option<bool>,
    /// The lowest message id the user may see.
    pub visible_from: Option<MessageId>,
}
row!(Reach { workspace_id, kind, announcement_only, is_deleted, is_member, visible_from });

macro_rules! select {
    (@columns $from:literal, $parent:literal, $rest:literal) => {
        concat!(
            "SELECT c.id, c.workspace_id, c.kind, c.parent_id, c.name, c.topic,
                COALESCE(p.is_private, c.is_private), c.announcement_only,
                CASE WHEN p.id IS NULL THEN c.archived_at ELSE p.archived_at END,
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

pub(super) use select;

statements! {
    INSERT = "INSERT INTO conversations (id, workspace_id, kind, parent_id, name, topic, is_private,
            announcement_only, archived_at, deleted_at, active_members, created_at, floor_id)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, NULL, NULL, 0, $9, 0)";
    UPDATE = "UPDATE conversations SET name = $2, topic = $3, is_private = $4, announcement_only = $5,
            archived_at = $6 WHERE id = $1";
    DELETE = "UPDATE conversations SET deleted_at = $2
        WHERE (id = $1 OR parent_id = $1) AND deleted_at IS NULL";
    BY_ID = sqlite select!(sqlite "conversations c", "WHERE c.id = $1")
        postgres select!(postgres "conversations c", "WHERE c.id = $1");
    BY_IDS =
        sqlite select!(sqlite "conversations c", "WHERE c.id IN (SELECT value FROM json_each($1)) ORDER BY c.id")
        postgres select!(postgres "conversations c", "WHERE c.id = ANY($1) ORDER BY c.id");
    // a group before its channels, which are younger: whoever takes several takes them in the order of their ids
    LOCK = sqlite "SELECT id FROM conversations WHERE id = $1"
        postgres "SELECT id FROM conversations
            WHERE id = $1 OR id = (SELECT parent_id FROM conversations WHERE id = $1) ORDER BY id FOR UPDATE";
    // what never changes of a conversation, and names its lock: of direct messages their two users
    LOCKED_BY = "SELECT workspace_id, parent_id,
            CASE WHEN kind = 2 THEN (SELECT MIN(user_id) FROM members WHERE conversation_id = $1) END,
            CASE WHEN kind = 2 THEN (SELECT MAX(user_id) FROM members WHERE conversation_id = $1) END
        FROM conversations WHERE id = $1";
    KIND = "SELECT kind FROM conversations WHERE id = $1";
    CHANNELS_OF = "SELECT id FROM conversations WHERE parent_id = $1 AND deleted_at IS NULL ORDER BY id";
    CHANNELS_DELETED_WITH = "SELECT id FROM conversations WHERE parent_id = $1 AND deleted_at = $2 ORDER BY id";
    MEMBER = "SELECT user_id, joined_at, left_at, visible_from FROM members
        WHERE conversation_id = $1 AND user_id = $2";
    REACH = "SELECT c.workspace_id, c.kind, c.announcement_only, c.deleted_at IS NOT NULL,
            CASE WHEN m.user_id IS NULL THEN NULL ELSE m.left_at IS NULL END, m.visible_from
        FROM conversations c LEFT JOIN members m ON m.conversation_id = c.id AND m.user_id = $2
        WHERE c.id = $1";
    JOIN = "INSERT INTO members (conversation_id, user_id, joined_at, left_at, visible_from, is_direct, workspace_id)
        SELECT id, $2, $3, NULL, $4, CASE WHEN kind = 2 THEN 1 ELSE 0 END, workspace_id FROM conversations WHERE id = $1
        ON CONFLICT (conversation_id, user_id)
        DO UPDATE SET joined_at = excluded.joined_at, left_at = NULL, visible_from = excluded.visible_from
        WHERE members.left_at IS NOT NULL";
    LEAVE = "UPDATE members SET left_at = $3 WHERE conversation_id = $1 AND user_id = $2 AND left_at IS NULL";
    JOINED = "UPDATE conversations SET active_members = active_members + $2,
            floor_id = CASE WHEN floor_id < $3 THEN $3 ELSE floor_id END
        WHERE id = $1";
    ADD_ACTIVE = "UPDATE conversations SET active_members = active_members + $2 WHERE id = $1";
    // direct messages, of which one person may have very many, keep no count
    ADD_ACTIVE_EVERYWHERE =
        sqlite "UPDATE conversations SET active_members = active_members + $2
            WHERE id IN (SELECT conversation_id FROM members
                WHERE user_id = $1 AND left_at IS NULL AND is_direct = 0)"
        postgres "WITH held AS MATERIALIZED (SELECT id FROM conversations
                WHERE id = ANY(ARRAY(SELECT conversation_id FROM members
                    WHERE user_id = $1 AND left_at IS NULL AND is_direct = 0))
                ORDER BY id FOR UPDATE)
            UPDATE conversations SET active_members = active_members + $2
            WHERE id = ANY(ARRAY(SELECT id FROM held))";
    INSERT_PAIR = "INSERT INTO direct_pairs (low_user_id, high_user_id, conversation_id, workspace_id)
        VALUES ($1, $2, $3, $4) ON CONFLICT (low_user_id, high_user_id) DO NOTHING";
    // by the pair, which is the key: who was in direct messages stays in members
    DELETE_PAIR = "DELETE FROM direct_pairs
        WHERE low_user_id = (SELECT MIN(user_id) FROM members WHERE conversation_id = $1)
            AND high_user_id = (SELECT MAX(user_id) FROM members WHERE conversation_id = $1)
            AND conversation_id = $1";
    KEEP_PAIR = "INSERT INTO former_pairs (low_user_id, high_user_id, conversation_id, workspace_id)
        SELECT MIN(user_id), MAX(user_id), $1, MIN(workspace_id) FROM members WHERE conversation_id = $1 HAVING COUNT(*) = 2
        ON CONFLICT (low_user_id, high_user_id, conversation_id) DO NOTHING";
    ALL_OF_PAIR = "SELECT conversation_id FROM direct_pairs WHERE low_user_id = $1 AND high_user_id = $2
        UNION ALL SELECT conversation_id FROM former_pairs WHERE low_user_id = $1 AND high_user_id = $2
        ORDER BY 1 DESC";
    PAIR = "SELECT conversation_id FROM direct_pairs WHERE low_user_id = $1 AND high_user_id = $2";
}

/// Writes a new conversation without members.
pub async fn insert<C: Sql>(c: &mut C, v: &Conversation) -> Result<()> {
    c.exec(
        &INSERT,
        args![
            v.id,
            v.workspace_id,
            v.kind,
            v.parent_id,
            v.name.as_deref(),
            v.topic.as_deref(),
            v.is_private,
            v.announcement_only,
            v.created_at
        ],
    )
    .await?;
    Ok(())
}

/// Writes every field that may change; privacy and archived state are those of a group.
pub async fn update<C: Sql>(c: &mut C, v: &Conversation) -> Result<()> {
    c.exec(
        &UPDATE,
        args![v.id, v.name.as_deref(), v.topic.as_deref(), v.is_private, v.announcement_only, v.archived_at],
    )
    .await?;
    Ok(())
}

/// Deletes a conversation, and with a group its channels; their messages are found no more.
pub async fn delete<C: Sql>(c: &mut C, id: ConversationId, now: Timestamp) -> Result<()> {
    c.exec(&DELETE, args![id, now]).await?;
    search::purge(c, id).await
}

/// One conversation of any company and kind, deleted ones too.
pub async fn by_id<C: Sql>(c: &mut C, id: ConversationId) -> Result<Option<Conversation>> {
    c.opt(&BY_ID, args![id]).await
}

/// Several of any company and kind, deleted ones too.
pub async fn by_ids<C: Sql>(c: &mut C, ids: &[ConversationId]) -> Result<Vec<Conversation>> {
    c.all(&BY_IDS, args![ids]).await
}

/// What kind of conversation one is that exists.
pub async fn kind<C: Sql>(c: &mut C, id: ConversationId) -> Result<ConversationKind> {
    Ok(c.one::<(ConversationKind,)>(&KIND, args![id]).await?.0)
}

/// The locks of a conversation: its own, and of a channel its group's. None of a conversation that does not exist.
async fn locks_of<C: Sql>(c: &mut C, id: ConversationId) -> Result<Option<(LockKey, Option<LockKey>)>> {
    type Facts = (WorkspaceId, Option<ConversationId>, Option<UserId>, Option<UserId>);
    let facts: Option<Facts> = c.opt(&LOCKED_BY, args![id]).await?;
    Ok(facts.map(|(workspace, parent, low, high)| {
        let own = match (low, high) {
            (Some(low), Some(high)) => LockKey::pair(low, high),
            _ => LockKey::conversation(workspace, id),
        };
        (own, parent.map(|group| LockKey::conversation(workspace, group)))
    }))
}

/// Locks a conversation, and a channel's group, until the transaction ends: changes of them and of who is in them, and
/// what is written to the conversation, come one after another. To be called before it is read.
pub async fn lock<C: Sql>(c: &mut C, id: ConversationId) -> Result<()> {
    if c.engine() == Engine::Postgres
        && let Some((own, group)) = locks_of(c, id).await?
    {
        let keys: Vec<LockKey> = group.into_iter().chain([own]).collect();
        locks::acquire(c, &keys).await?;
    }
    c.opt::<(ConversationId,)>(&LOCK, args![id]).await?;
    Ok(())
}

/// Locks a conversation for what is about to be written to it, until the transaction ends: its messages get their ids
/// one after another, and whoever changes it, or who is in it, waits. To be called before it is read. On SQLite nothing
/// else is written meanwhile.
pub async fn lock_for_write<C: Sql>(c: &mut C, id: ConversationId) -> Result<()> {
    if c.engine() == Engine::Postgres
        && let Some((own, _)) = locks_of(c, id).await?
    {
        locks::acquire(c, &[own]).await?;
    }
    Ok(())
}

/// Locks the direct messages of two users, whether they have any or not.
pub async fn lock_direct<C: Sql>(c: &mut C, one: UserId, other: UserId) -> Result<()> {
    locks::acquire(c, &[LockKey::pair(one, other)]).await
}

/// Has the operation answered only after every write to the standing channels of a group that began before its commit:
/// they go by the group's state and members.
pub async fn drain_channels<C: Sql>(c: &mut C, workspace: WorkspaceId, group: ConversationId) -> Result<()> {
    if c.engine() == Engine::Postgres {
        for channel in channels_of(c, group).await? {
            c.drain(LockKey::conversation(workspace, channel));
        }
    }
    Ok(())
}

/// Has the operation answered only after every write to the channels that were deleted with a group: it repeats a deletion
/// whose answer may have been lost before its own drain.
pub async fn drain_deleted_channels<C: Sql>(c: &mut C, group: &Conversation) -> Result<()> {
    if c.engine() == Engine::Postgres {
        for (channel,) in
            c.all::<(ConversationId,)>(&CHANNELS_DELETED_WITH, args![group.id, group.deleted_at]).await?
        {
            c.drain(LockKey::conversation(group.workspace_id, channel));
        }
    }
    Ok(())
}

/// The standing channels of a group.
pub async fn channels_of<C: Sql>(c: &mut C, group: ConversationId) -> Result<Vec<ConversationId>> {
    Ok(c.all::<(ConversationId,)>(&CHANNELS_OF, args![group]).await?.into_iter().map(|(id,)| id).collect())
}

/// What a user is to a conversation; `None` when never a member.
pub async fn member<C: Sql>(c: &mut C, id: ConversationId, user: UserId) -> Result<Option<Member>> {
    c.opt(&MEMBER, args![id, user]).await
}

/// What a user may read of a conversation; `None` when there is none.
pub async fn reach<C: Sql>(c: &mut C, id: ConversationId, user: UserId) -> Result<Option<Reach>> {
    c.opt(&REACH, args![id, user]).await
}

/// Lets a user in; `counts` says that it is a person with an active account. False when in already. The conversation
/// exists.
pub async fn join<C: Sql>(
    c: &mut C,
    id: ConversationId,
    user: UserId,
    counts: bool,
    now: Timestamp,
    visible_from: MessageId,
) -> Result<bool> {
    let joined = c.exec(&JOIN, args![id, user, now, visible_from]).await? == 1;
    if joined {
        c.exec(&JOINED, args![id, counts, visible_from]).await?;
    }
    Ok(joined)
}

/// Lets a user out. False when not in.
pub async fn leave<C: Sql>(
    c: &mut C,
    id: ConversationId,
    user: UserId,
    counts: bool,
    now: Timestamp,
) -> Result<bool> {
    let left = c.exec(&LEAVE, args![id, user, now]).await? == 1;
    if left && counts {
        c.exec(&ADD_ACTIVE, args![id, -1]).await?;
    }
    Ok(left)
}

/// Counts a person whose account became active (`+1`) or stopped being so (`-1`), in every group and channel they are in.
pub async fn count_everywhere<C: Sql>(c: &mut C, user: UserId, difference: i64) -> Result<()> {
    c.exec(&ADD_ACTIVE_EVERYWHERE, args![user, difference]).await?;
    Ok(())
}

/// The direct-message conversation of two users.
pub async fn direct<C: Sql>(c: &mut C, one: UserId, other: UserId) -> Result<Option<ConversationId>> {
    let (low, high) = (one.min(other), one.max(other));
    Ok(c.opt::<(ConversationId,)>(&PAIR, args![low, high]).await?.map(|(id,)| id))
}

/// Claims the pair of two users for a conversation about to be written; false when another has it.
pub async fn claim_pair<C: Sql>(
    c: &mut C,
    workspace: WorkspaceId,
    (one, other): (UserId, UserId),
    id: ConversationId,
) -> Result<bool> {
    let (low, high) = (one.min(other), one.max(other));
    Ok(c.exec(&INSERT_PAIR, args![low, high, id, workspace]).await? == 1)
}

/// The direct-message conversations that two users have and had, newest first.
pub async fn directs<C: Sql>(c: &mut C, one: UserId, other: UserId) -> Result<Vec<ConversationId>> {
    c.all(&ALL_OF_PAIR, args![one.min(other), one.max(other)]).await
}

/// Frees the pair of a direct-message conversation that was deleted, for a new one; it stays known as theirs.
pub async fn release_pair<C: Sql>(c: &mut C, id: ConversationId) -> Result<()> {
    c.exec(&KEEP_PAIR, args![id]).await?;
    c.exec(&DELETE_PAIR, args![id]).await?;
    Ok(())
}
