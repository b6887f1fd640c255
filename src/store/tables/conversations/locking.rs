//! Locks of conversations. An operation takes them before it changes a conversation or writes a message to it. The
//! `drain_…` functions make the response to a change of a group wait for earlier writes to the group's channels.

use super::LockFacts;
use super::{CHANNELS_DELETED_WITH, Conversation, LOCK, LOCKED_BY, LOCKED_BY_OF_MANY, channels_of};
use crate::domain::ids::{ConversationId, UserId, WorkspaceId};
use crate::store::{Engine, LockKey, Notice, ReadSql, Result, Sql, args, locks};

/// Returns the lock keys of a conversation: its own key and, for a channel, the key of its group. `None` if the
/// conversation does not exist.
async fn locks_of<C: ReadSql>(c: &mut C, id: ConversationId) -> Result<Option<(LockKey, Option<LockKey>)>> {
    let facts: Option<LockFacts> = c.opt(&LOCKED_BY, args![id]).await?;
    Ok(facts.map(|facts| {
        let group = facts.parent_id.map(|group| LockKey::conversation(facts.workspace_id, group));
        (facts.own_lock(), group)
    }))
}

impl LockFacts {
    /// Returns the conversation's own lock key.
    const fn own_lock(&self) -> LockKey {
        match (self.low_user_id, self.high_user_id) {
            (Some(low), Some(high)) => LockKey::pair(low, high),
            _ => LockKey::conversation(self.workspace_id, self.id),
        }
    }
}

/// Locks a conversation for a change until the transaction ends. If it is a channel, also locks its group. So changes
/// of the locked conversations, changes of their members, and writes of messages to them run one after another. To be
/// called before the conversation is read. On SQLite nothing is locked, because there is a single writer.
pub async fn lock<C: Sql>(c: &mut C, id: ConversationId) -> Result<()> {
    if c.engine() == Engine::Postgres
        && let Some((own, group)) = locks_of(c, id).await?
    {
        let keys: Vec<LockKey> = group.into_iter().chain([own]).collect();
        locks::acquire(c, &keys).await?;
    }
    c.lock(&LOCK, args![id]).await
}

/// Locks a conversation for the write of a message until the transaction ends. So the conversation's messages get their
/// ids one after another, and changes of the conversation or of its members wait for the write. The group of a channel
/// is not locked, so that writes to the group's channels do not wait for each other. Changes of the group call
/// [`drain_channels`] instead. To be called before the conversation is read. On SQLite nothing is locked, because there
/// is a single writer.
pub async fn lock_for_write<C: Sql>(c: &mut C, id: ConversationId) -> Result<()> {
    if c.engine() == Engine::Postgres
        && let Some((own, _)) = locks_of(c, id).await?
    {
        locks::acquire(c, &[own]).await?;
    }
    Ok(())
}

/// Does the same as [`lock_for_write`] for several conversations, but the operation keeps its database connection while
/// it waits for the locks.
pub async fn lock_all_for_write<C: Sql>(c: &mut C, ids: &[ConversationId]) -> Result<()> {
    let facts: Vec<LockFacts> = c.all(&LOCKED_BY_OF_MANY, args![ids]).await?;
    let keys: Vec<LockKey> = facts.iter().map(LockFacts::own_lock).collect();
    locks::acquire_unqueued(c, &keys).await
}

/// Locks the direct conversation of two users until the transaction ends, even if the conversation does not exist yet.
pub async fn lock_direct<C: Sql>(c: &mut C, one: UserId, other: UserId) -> Result<()> {
    locks::acquire(c, &[LockKey::pair(one, other)]).await
}

/// Delays the operation's response until all writes to the group's channels have ended that began before the
/// operation's commit. These writes have possibly read the former state or the former members of the group.
pub async fn drain_channels<C: Sql>(c: &mut C, workspace: WorkspaceId, group: ConversationId) -> Result<()> {
    if c.engine() == Engine::Postgres {
        for channel in channels_of(c, group).await? {
            c.notify(Notice::Drain(LockKey::conversation(workspace, channel)));
        }
    }
    Ok(())
}

/// Delays the operation's response until all writes to the channels of a deleted group have ended. The channels were
/// deleted together with the group. An operation calls this function if the group that it was to delete is already
/// deleted: the earlier deletion is possibly still waiting for these writes.
pub async fn drain_deleted_channels<C: Sql>(c: &mut C, group: &Conversation) -> Result<()> {
    if c.engine() == Engine::Postgres {
        for (channel,) in
            c.all::<(ConversationId,)>(&CHANNELS_DELETED_WITH, args![group.id, group.deleted_at]).await?
        {
            c.notify(Notice::Drain(LockKey::conversation(group.workspace_id, channel)));
        }
    }
    Ok(())
}
