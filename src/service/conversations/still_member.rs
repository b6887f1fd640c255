//! The second check of a membership, which is made at the end of a read.

use crate::{
    domain::{
        ids::{ConversationId, UserId},
        refusal::Code,
    },
    service::refuse,
    store::{Engine, ReadSql, Result, conversation_lists, conversations::Member},
};

/// Checks again, after messages or members were read, that the reader may see what was read: the conversation is not
/// deleted, and the reader is still a member. On SQLite a whole read sees one state of the database, so this does
/// nothing.
///
/// On PostgreSQL each statement of a read sees its own state, so the reader may have left before one of the messages
/// was sent. The check costs one round trip. A snapshot of the whole read would cost two.
///
/// # Errors
/// - `conversation_not_found` if the conversation was deleted in the meantime.
/// - `not_in_conversation` if the reader has left in the meantime, even if the reader has joined again.
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
