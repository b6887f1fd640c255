//! Editing and deleting messages of a bot.

use serde_json::Value;

use crate::service::{
    Stamp,
    bot::access::{Bot, BotCaller},
    bot::send::Sent,
    messages::{erasure::erase, read_metadata},
    refuse,
};
use crate::{
    domain::{
        ids::MessageId,
        message::{self, Metadata},
        refusal::Code,
        time::Timestamp,
    },
    store::{
        Op, Result, Sql, changes,
        conversations::{self, Conversation},
        messages::{self, Edit, Extras, Message},
    },
};

/// The new content of a message. The handler has validated the size and the structure of the content.
#[derive(Clone, Debug)]
pub struct MessageEdit {
    pub text: String,
    /// JSON text; `None` removes the old blocks (B-231).
    pub blocks: Option<String>,
    /// Merged into the stored metadata (B-232); `None` leaves the metadata unchanged.
    pub metadata: Option<Metadata>,
}

impl Bot {
    /// Edits a message of the bot. `id` is `None` for text that is not a message id. The first value of `id` is whether
    /// the id has the prefix of direct conversations (`dmsg_`).
    ///
    /// # Errors
    /// In this order:
    ///
    /// - `message_not_found` for text that is not a message id.
    /// - `Unavailable` while this node's clock is too far from the database's clock
    ///   ([`World::trusted_now`](crate::service::World::trusted_now)).
    /// - `token_revoked`.
    /// - `message_not_found`, also for a deleted message, for a message of another sender, and for a message in a
    ///   deleted conversation.
    /// - `not_in_conversation`, `not_allowed_in_conversation`, `conversation_archived`.
    /// - `invalid_request` if the metadata exceeds 4096 bytes after the merge.
    pub async fn edit(&self, id: Option<(bool, MessageId)>, change: MessageEdit) -> Result<Sent> {
        let Some((in_dm, id)) = id else { return refuse(Code::MessageNotFound) };
        let (bot, stamp) = (self.caller, self.world.trusted_stamp()?);
        self.world.write_for(bot, EditMessage { stamp, bot, in_dm, id, change }).await
    }

    /// Deletes a message of the bot and erases its content. Works even if the conversation is archived,
    /// announcement-only or deleted, and even if the bot was removed from the conversation (B-252, B-253, D-099).
    /// [`Bot::edit`] describes `id`.
    ///
    /// # Errors
    /// In this order:
    ///
    /// - `message_not_found` for text that is not a message id.
    /// - `Unavailable` while this node's clock is too far from the database's clock
    ///   ([`World::trusted_now`](crate::service::World::trusted_now)).
    /// - `token_revoked`.
    /// - `message_not_found`, also for a deleted message and for a message of another sender.
    pub async fn delete(&self, id: Option<(bool, MessageId)>) -> Result<()> {
        let Some((in_dm, id)) = id else { return refuse(Code::MessageNotFound) };
        let (bot, stamp) = (self.caller, self.world.trusted_stamp()?);
        let files_until = self.world.detached_files_until(stamp.now);
        self.world.write_for(bot, DeleteMessage { stamp, bot, in_dm, id, files_until }).await
    }
}

/// Returns a message that the bot sent, and its conversation. On PostgreSQL, locks the conversation.
async fn own_message<C: Sql>(
    c: &mut C,
    bot: &BotCaller,
    in_dm: bool,
    id: MessageId,
) -> Result<(Message, Conversation)> {
    let found = changes::message_to_change(c, id, |message| message.sender_id == Some(bot.user_id)).await?;
    let Some(message) = found else { return refuse(Code::MessageNotFound) };
    match conversations::by_id(c, message.conversation_id).await? {
        Some(conversation) if conversation.kind.is_dm() == in_dm => Ok((message, conversation)),
        _ => refuse(Code::MessageNotFound),
    }
}

struct EditMessage {
    stamp: Stamp,
    bot: BotCaller,
    in_dm: bool,
    id: MessageId,
    change: MessageEdit,
}

impl Op for EditMessage {
    const NAME: &'static str = "edit_message";
    type Out = Sent;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Sent> {
        let (message, conversation) = own_message(c, &self.bot, self.in_dm, self.id).await?;
        if conversation.deleted_at.is_some() {
            // the bot can delete the message, but not edit it (D-099)
            return refuse(Code::MessageNotFound);
        }
        // a bot cannot leave a direct conversation, so its membership is not checked there (D-091)
        if !self.in_dm {
            match conversations::member(c, conversation.id, self.bot.user_id).await? {
                Some(member) if member.left_at.is_none() => {}
                _ => return refuse(Code::NotInConversation),
            }
            if conversation.announcement_only {
                return refuse(Code::NotAllowedInConversation);
            }
            if conversation.archived_at.is_some() {
                return refuse(Code::ConversationArchived);
            }
        }
        let before = messages::extras(c, self.id).await?;
        let metadata = match &self.change.metadata {
            None => before.metadata.clone(),
            Some(given) => {
                let stored = before.metadata.as_deref().map(read_metadata).transpose()?;
                let merged = message::merge_metadata(stored.as_ref(), given)?;
                (!merged.is_empty()).then(|| Value::Object(merged).to_string())
            }
        };
        let edit = Edit {
            message_id: self.id,
            edited_at: self.stamp.now,
            text: message.text.clone().unwrap_or_default(),
            blocks: before.blocks,
        };
        messages::insert_previous_version(c, message.workspace_id, &edit).await?;
        messages::edit(c, &message, &self.change.text, self.stamp.now).await?;
        messages::put_extras(c, &message, &Extras { blocks: self.change.blocks.clone(), metadata }).await?;
        Ok(Sent {
            id: self.id,
            conversation_id: conversation.id,
            kind: conversation.kind,
            thread_id: message.thread_id,
            created_at: message.created_at,
            replayed: false,
        })
    }
}

struct DeleteMessage {
    stamp: Stamp,
    bot: BotCaller,
    in_dm: bool,
    id: MessageId,
    files_until: Option<Timestamp>,
}

impl Op for DeleteMessage {
    const NAME: &'static str = "delete_message";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        let (message, _) = own_message(c, &self.bot, self.in_dm, self.id).await?;
        erase(c, &message, self.stamp.now, self.files_until).await
    }
}
