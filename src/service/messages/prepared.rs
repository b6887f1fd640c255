//! Posting drafts that assistants have prepared for an employee.

use super::{create::next_id, may_write};
use crate::{
    domain::{
        conversation::MessageType,
        ids::{ConversationId, MessageId, UserId},
        message::check_text,
        refusal::Code,
    },
    service::{Stamp, invalid, refuse},
    store::{
        ReadSql, Result, Sql,
        conversations::{self, Conversation},
        employee,
        messages::{self, Message},
        users,
    },
};

/// Reason for rejecting a draft whose sender does not see the message to which the draft replies. A reply to a deleted
/// message is rejected with the same text. So a person who left and joined again cannot find out that an earlier
/// message was deleted.
const THREAD_NOT_VISIBLE: &str = "the message that this draft replies to was deleted or is no longer visible: prepare a new draft without thread_id, or discard this one";

/// A draft to post as a person.
#[derive(Clone, Copy, Debug)]
pub(in crate::service) struct PreparedMessage<'a> {
    pub sender: UserId,
    pub text: &'a str,
    pub thread_id: Option<MessageId>,
    /// Label of the message. If an assistant sends the draft, this is the label of the assistant's connection.
    /// If the employee sends the draft on the page, this is the label of the assistant that wrote the draft.
    pub via_label: &'a str,
}

/// Posts a draft by the rules of [`Caller::post`](crate::service::callers::Caller::post). Returns the message and its
/// conversation.
///
/// # Errors
/// - Errors that [`Caller::post`](crate::service::callers::Caller::post) returns for a person's message without files
///   and without an idempotency key.
/// - `invalid_request` for a reply to a message that the sender does not see.
pub(in crate::service) async fn post_prepared<C: Sql>(
    c: &mut C,
    stamp: &Stamp,
    conversation: ConversationId,
    prepared: &PreparedMessage<'_>,
) -> Result<(Message, Conversation)> {
    conversations::lock_for_write(c, conversation).await?;
    let conversation = may_post(c, conversation, prepared).await?;
    let message = Message {
        workspace_id: conversation.workspace_id,
        conversation_id: conversation.id,
        id: next_id(c, stamp, &conversation).await?,
        sender_id: Some(prepared.sender),
        kind: MessageType::Text,
        text: Some(prepared.text.to_owned()),
        thread_id: prepared.thread_id,
        file_count: 0,
        via_label: Some(prepared.via_label.to_owned()),
        client_key: None,
        edited_at: None,
        created_at: stamp.now,
    };
    messages::insert(c, &message).await?;
    Ok((message, conversation))
}

/// Checks whether [`post_prepared`] would accept a draft, without posting it. Returns the draft's conversation.
///
/// # Errors
/// Errors of [`post_prepared`].
pub(in crate::service) async fn may_post<C: ReadSql>(
    c: &mut C,
    conversation: ConversationId,
    prepared: &PreparedMessage<'_>,
) -> Result<Conversation> {
    check_text(prepared.text)?;
    let found = conversations::by_id(c, conversation).await?;
    let Some(conversation) = found.filter(|conversation| conversation.deleted_at.is_none()) else {
        return refuse(Code::ConversationNotFound);
    };
    let Some(sender) = users::by_id(c, prepared.sender).await? else { return refuse(Code::UserNotFound) };
    may_write(c, &conversation, &sender).await?;
    if !sender.state.is_active() {
        return refuse(Code::UserDeactivated);
    }
    if let Some(id) = prepared.thread_id {
        // if the sender has left the conversation and joined again after the draft was created, the sender no longer
        // sees the message to which the draft replies
        let visible = employee::by_ids(c, prepared.sender, &[id]).await?;
        if !visible.iter().any(|message| message.conversation_id == conversation.id) {
            return invalid(THREAD_NOT_VISIBLE);
        }
    }
    Ok(conversation)
}
