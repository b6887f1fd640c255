//! A second check of the reader's membership, at the end of a read of messages or members.

use crate::{
    domain::{
        ids::{ConversationId, UserId},
        refusal::Code,
    },
    service::refuse,
    store::{Engine, ReadSql, Result, conversation_lists, conversations::Member},
};

/// Checks that the reader may still see the messages or members that a read has found. `before` is the membership from
/// the beginning of the read.
///
/// On PostgreSQL each statement of a read sees the state of the database at its own start. So a message that was read
/// can be newer than the reader's removal from the conversation. The check costs one round trip. A snapshot of the
/// whole read would cost two. On SQLite a whole read sees one state of the database, so this function does nothing.
///
/// # Errors
/// - `conversation_not_found` if the conversation was deleted in the meantime.
/// - `not_in_conversation` if the reader has left in the meantime. Also if the reader has left and joined again: the
///   reader then sees only messages from after the second join, which are fewer than `before` allows.
pub(in crate::service) async fn still_member<C: ReadSql>(
    c: &mut C,
    reader: UserId,
    conversation: ConversationId,
    before: &Member,
) -> Result<()> {
    if c.engine() == Engine::Sqlite {
        return Ok(());
    }
    let found = conversation_lists::memberships(c, reader, &[conversation]).await?;
    match found.first() {
        Some(now) if now.is_deleted => refuse(Code::ConversationNotFound),
        Some(now) if now.is_member && now.visible_from <= before.visible_from => Ok(()),
        _ => refuse(Code::NotInConversation),
    }
}
