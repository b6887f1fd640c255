//! A *press* is a click of a person, in the web client, on a button of a bot's message. For each press the bot's app
//! gets one event `interaction`, even if the browser submits the form of the press several times within a day (B-475).
//!
//! A member who sees a message may press its buttons, unless the member is a guest hidden from members. This also holds
//! in announcement-only conversations, although only admins may post there. In an archived conversation, presses are
//! rejected in the same way as messages.

use crate::{
    domain::{
        blocks,
        message::key_hash,
        refusal::{Code, Refusal},
    },
    service::{
        Stamp,
        callers::Person,
        conflict,
        conversations::NamedConversation,
        employee::Employee,
        invalid,
        messages::{
            NamedMessage,
            click::{self, bot_of, may_press},
            lock_message, read_blocks,
        },
        people::visible_user::Viewer,
        refuse,
    },
    store::{
        Op, ReadSql, Result, Sql,
        button_presses::{self, ButtonPress},
        conversations::Conversation,
        messages::{self, Message},
        users::{self, User},
    },
};

/// Maximum length of [`NewPress::nonce`], in bytes.
const MAX_NONCE: usize = 200;

const INVALID_NONCE: &str = "the field `press` is missing or longer than 200 bytes; go back to the conversation \
                             and press the button again";
const BUTTON_REMOVED: &str =
    "the app has changed this message, and the button is no longer there; nothing was sent";
const OTHER_BUTTON: &str =
    "this page was already used for another button; go back to the conversation and press the button again";
const HIDDEN_GUEST: &str = "guests whom members do not see cannot press buttons of apps; nothing was sent";

/// A press on a button.
#[derive(Clone, Debug)]
pub struct NewPress {
    pub action_id: String,
    /// The idempotency key of the press, which the server stores for a day. Each time the page is rendered, the form of
    /// the button gets a new nonce.
    pub nonce: String,
}

impl Person<'_> {
    /// Creates the event that reports the person's press to the app of the bot that sent the message. Returns `true` if
    /// the event was created. Returns `false` for a repeated press with the same nonce, for which no event is created.
    ///
    /// # Errors
    /// - `invalid_request` if the nonce is empty or longer than 200 bytes.
    /// - `conversation_not_found` for a person who is not a member.
    /// - `message_not_found` for text that is not a message id.
    /// - `conflict` for a nonce that was used for another button.
    /// - `message_not_found` for a message that was deleted or that the person does not see.
    /// - `conversation_archived`.
    /// - `conflict` for a button that the message does not have now.
    /// - `forbidden` for guests whom members do not see.
    /// - `conflict` if the app is disconnected, if it has no callback URL, or if the bot is not a member of the
    ///   conversation.
    pub async fn press(
        self,
        conversation: NamedConversation,
        message: NamedMessage,
        press: NewPress,
    ) -> Result<bool> {
        if press.nonce.is_empty() || press.nonce.len() > MAX_NONCE {
            return invalid(INVALID_NONCE);
        }
        let employee = self.into();
        let op = Press { stamp: self.world().stamp(), employee, conversation, message, new: press };
        self.caller().write(op).await
    }
}

struct Press {
    stamp: Stamp,
    employee: Employee,
    conversation: NamedConversation,
    message: NamedMessage,
    new: NewPress,
}

impl Op for Press {
    const NAME: &'static str = "press_button";
    /// Whether this is the first press with the nonce.
    type Out = bool;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<bool> {
        // checked before the nonce is claimed, so that only members can claim a nonce
        super::open(c, self.employee, self.conversation).await?;
        // The nonce is claimed before the button is looked up. A repeated press must succeed even if the app has
        // replaced the button after the first press.
        if !self.claim(c).await? {
            return Ok(false);
        }
        let (message, _) =
            lock_message(c, self.message, |message| message.workspace_id == self.employee.workspace_id)
                .await?;
        // checked again: while this operation waited for the lock, the person may have been removed from the
        // conversation, or the conversation archived
        let (conversation, member) = super::open(c, self.employee, self.conversation).await?;
        if message.conversation_id != conversation.id
            || !may_press(member.left_at, member.visible_from, &message)
        {
            return refuse(Code::MessageNotFound);
        }
        if conversation.archived_at.is_some() {
            return refuse(Code::ConversationArchived);
        }
        self.notify(c, &message, &conversation).await?;
        Ok(true)
    }
}

impl Press {
    /// Claims the nonce. Returns `false` if the nonce was used for this button before.
    ///
    /// # Errors
    /// `message_not_found` for text that is not a message id; `conflict` if the nonce was used for another button.
    async fn claim<C: Sql>(&self, c: &mut C) -> Result<bool> {
        let Some((_, message)) = self.message else { return refuse(Code::MessageNotFound) };
        let nonce = key_hash(&self.new.nonce);
        let fingerprint = key_hash(&format!("{}\0{}", message.0, self.new.action_id));
        let press = ButtonPress {
            workspace_id: self.employee.workspace_id,
            user_id: self.employee.user_id,
            nonce_hash: nonce.to_vec(),
            fingerprint: fingerprint.to_vec(),
            created_at: self.stamp.now,
        };
        if button_presses::claim(c, &press).await? {
            return Ok(true);
        }
        match button_presses::fingerprint(c, self.employee.user_id, &nonce).await? {
            Some(used) if used == fingerprint => Ok(false),
            _ => conflict(OTHER_BUTTON),
        }
    }

    async fn notify<C: Sql>(&self, c: &mut C, message: &Message, conversation: &Conversation) -> Result<()> {
        let Some(bot) = bot_of(c, message).await? else { return conflict(BUTTON_REMOVED) };
        let stored = messages::extras(c, message.id).await?;
        let blocks = read_blocks(stored.blocks.as_deref())?.unwrap_or_default();
        let action_id = self.new.action_id.as_str();
        let Some(button) = blocks::buttons(&blocks).find(|button| button.action_id == action_id) else {
            return conflict(BUTTON_REMOVED);
        };
        let person = self.person(c).await?;
        let listener = click::listener_in(c, conversation.id, bot.id).await?;
        let pressed = (message, conversation, stored.metadata.as_deref());
        click::notify(c, &self.stamp, listener, pressed, &person, (action_id, button.value)).await?;
        Ok(())
    }

    /// Returns the person who presses.
    ///
    /// # Errors
    /// `forbidden` for a guest hidden from members, because no app may get the id of such a guest (B-462).
    async fn person<C: ReadSql>(&self, c: &mut C) -> Result<User> {
        match users::by_id(c, self.employee.user_id).await? {
            Some(person) if Viewer::bot(self.employee.workspace_id, false).sees(&person) => Ok(person),
            Some(_) => Err(Refusal::because(Code::Forbidden, HIDDEN_GUEST).into()),
            None => refuse(Code::UserNotFound),
        }
    }
}
