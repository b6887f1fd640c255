//! Editing messages of people, and deleting messages of any sender, for the admin API and the web client.

use super::{FullMessage, NamedMessage, erasure::erase, full_message, is_of, lock_message, may_write};
use crate::{
    domain::{message::check_text, refusal::Code, time::Timestamp},
    service::{
        Stamp,
        callers::{
            Caller,
            principal::{CallerPrincipal, Right},
        },
        refuse,
    },
    store::{
        Error, Op, Result, Sql,
        messages::{self, Edit},
        users,
    },
};

impl Caller {
    /// Replaces the text of a person's message, and stores the previous version (W-24). The conversation must still
    /// accept messages of the sender, even if the operator edits the message. The account state of the sender is not
    /// checked.
    ///
    /// # Errors
    /// - `invalid_request` for an invalid text.
    /// - `message_not_found`, also for a caller outside the company, and in a deleted conversation.
    /// - `forbidden` if the caller is neither the sender nor the operator. Also for every message of a bot and every
    ///   system message.
    /// - `not_in_conversation`, `not_allowed_in_conversation` or `conversation_archived` if the conversation accepts no
    ///   messages of the sender now.
    pub async fn edit_post(&self, id: NamedMessage, text: String) -> Result<FullMessage> {
        check_text(&text)?;
        self.write(EditPost { stamp: self.world().stamp(), principal: self.to_principal(), id, text }).await
    }

    /// Deletes a message of any sender, even in an archived or deleted conversation, and erases its content (W-25).
    ///
    /// # Errors
    /// - `message_not_found`, also for a caller outside the company, and for a message that is already deleted.
    /// - `forbidden` unless the caller is the operator, an admin of the company or the sender.
    pub async fn delete_any_message(&self, id: NamedMessage) -> Result<()> {
        let now = self.world().clock.now();
        let files_until = self.world().detached_files_until(now);
        self.write(DeleteAnyMessage { now, principal: self.to_principal(), id, files_until }).await
    }
}

struct EditPost {
    stamp: Stamp,
    principal: CallerPrincipal,
    id: NamedMessage,
    text: String,
}

impl Op for EditPost {
    const NAME: &'static str = "edit_post";
    type Out = FullMessage;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<FullMessage> {
        let (message, conversation) =
            lock_message(c, self.id, |message| self.principal.right_in(message.workspace_id).is_some())
                .await?;
        let Some(right) = self.principal.right_in(conversation.workspace_id) else {
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
            // unreachable: every sender was a member, and the row of a person's membership is never deleted
            Err(Error::Refused(refusal)) if refusal.code == Code::ConversationNotFound => {
                return refuse(Code::MessageNotFound);
            }
            other => other?,
        }
        let before = messages::extras(c, message.id).await?;
        let edit = Edit {
            message_id: message.id,
            edited_at: self.stamp.now,
            text: message.text.clone().unwrap_or_default(),
            blocks: before.blocks,
        };
        messages::insert_previous_version(c, message.workspace_id, &edit).await?;
        messages::edit(c, &message, &self.text, self.stamp.now).await?;
        full_message(c, &conversation, message.id).await
    }
}

struct DeleteAnyMessage {
    now: Timestamp,
    principal: CallerPrincipal,
    id: NamedMessage,
    files_until: Option<Timestamp>,
}

impl Op for DeleteAnyMessage {
    const NAME: &'static str = "delete_any_message";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        let (message, conversation) =
            lock_message(c, self.id, |message| self.principal.right_in(message.workspace_id).is_some())
                .await?;
        match self.principal.right_in(conversation.workspace_id) {
            None => refuse(Code::MessageNotFound),
            Some(Right::Person(caller)) if !is_of(&message, caller) => refuse(Code::Forbidden),
            Some(_) => erase(c, &message, self.now, self.files_until).await,
        }
    }
}
