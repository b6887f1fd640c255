//! Editing what a person posted, and deleting any message.

use super::{FullMessage, NamedMessage, full_message, held, is_of, may_write};
use crate::{
    domain::{message::check_text, refusal::Code},
    store::{
        Error, Op, Result, Sql,
        messages::{self, Edit},
        users,
    },
    workspace::{
        Stamp, World,
        edit::erase,
        principal::{Principal, Right},
        refuse,
    },
};

impl World {
    /// Replaces the text of a person's message and keeps what stood before (W-24). The rules of posting hold for
    /// its sender.
    ///
    /// # Errors
    /// `message_not_found`, also for strangers and in a deleted conversation; `forbidden` unless the sender or the
    /// operator asks, and for messages of bots and of the system; `not_in_conversation`,
    /// `not_allowed_in_conversation`, `conversation_archived`; `invalid_request` for the text.
    pub async fn edit_post(&self, who: &Principal, id: NamedMessage, text: String) -> Result<FullMessage> {
        check_text(&text)?;
        self.db.write(EditPost { at: self.stamp(), who: who.clone(), id, text }).await
    }

    /// Erases any message, wherever it stands (W-25).
    ///
    /// # Errors
    /// `message_not_found`, also for strangers and when it is deleted already; `forbidden` unless the operator, an
    /// admin of the company or the sender asks.
    pub async fn delete_any_message(&self, who: &Principal, id: NamedMessage) -> Result<()> {
        self.db.write(DeleteAnyMessage { at: self.stamp(), who: who.clone(), id }).await
    }
}

struct EditPost {
    at: Stamp,
    who: Principal,
    id: NamedMessage,
    text: String,
}

impl Op for EditPost {
    const NAME: &'static str = "edit_post";
    type Out = FullMessage;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<FullMessage> {
        let (message, conversation) = held(c, self.id).await?;
        let Some(right) = self.who.right_in(conversation.workspace_id) else {
            return refuse(Code::MessageNotFound);
        };
        if conversation.deleted_at.is_some() {
            return refuse(Code::MessageNotFound);
        }
        if right.person().is_some_and(|caller| !is_of(&message, caller)) {
            return refuse(Code::Forbidden);
        }
        let sender = match message.sender_id {
            Some(id) => users::by_id(c, id).await?,
            None => None,
        };
        let Some(sender) = sender.filter(|sender| !sender.is_bot) else { return refuse(Code::Forbidden) };
        match may_write(c, &conversation, &sender).await {
            // people's rows of direct messages and groups stay for good, so this cannot be
            Err(Error::Refused(refusal)) if refusal.code == Code::ConversationNotFound => {
                return refuse(Code::MessageNotFound);
            }
            other => other?,
        }
        let before = messages::extras(c, message.id).await?;
        let edit = Edit {
            message_id: message.id,
            edited_at: self.at.now,
            text: message.text.clone().unwrap_or_default(),
            blocks: before.blocks,
        };
        messages::keep_edit(c, message.workspace_id, &edit).await?;
        messages::edit(c, &message, &self.text, self.at.now).await?;
        full_message(c, &conversation, message.id).await
    }
}

struct DeleteAnyMessage {
    at: Stamp,
    who: Principal,
    id: NamedMessage,
}

impl Op for DeleteAnyMessage {
    const NAME: &'static str = "delete_any_message";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        let (message, conversation) = held(c, self.id).await?;
        match self.who.right_in(conversation.workspace_id) {
            None => refuse(Code::MessageNotFound),
            Some(Right::Person(caller)) if !is_of(&message, caller) => refuse(Code::Forbidden),
            Some(_) => erase(c, &self.at, &message).await,
        }
    }
}
