//! Clicks on the buttons of bots' messages. This module creates the event that notifies the app of a click. It also
//! handles clicks that the operator of a sandbox reports on behalf of a person (W-26).
//! [`press`](crate::service::web_client::press) handles the clicks of people in the web client.

use super::{Block, NamedMessage, lock_message, read_blocks, read_metadata};
use crate::{
    domain::{
        blocks::{self, Button},
        ids::{ConversationId, EventId, MessageId, UserId},
        refusal::Code,
        scopes::Scope,
        time::Timestamp,
    },
    service::{
        Stamp,
        callers::Operator,
        conflict, invalid,
        outbox::{self, Click},
        people::visible_user::Viewer,
        refuse,
    },
    store::{
        Op, ReadSql, Result, Sql,
        conversations::{self, Conversation},
        events::{self, EventListener},
        messages::{self, Message},
        users::{self, User},
    },
};

const DEACTIVATED: &str = "the person is not active, and so cannot press buttons; nothing was sent";
const UNSEEN: &str =
    "the person is not a member of the conversation, or joined it after the message; nothing was sent";
const ARCHIVED: &str = "the conversation is archived, so its buttons cannot be pressed; nothing was sent";
const APP_SILENT: &str = "the app that sent this message is disconnected, left the conversation or has no callback URL; \
                          nothing was sent";

/// A click that the operator reports.
#[derive(Clone, Debug)]
pub struct NewClick {
    /// The person who clicks; `None` for text that is not a user id.
    pub user: Option<UserId>,
    /// The `action_id` of the button.
    pub action_id: String,
    /// The value to send to the app. `None` sends the value that the button has in the message.
    pub value: Option<String>,
}

impl Operator<'_> {
    /// Reports a click on a button of a bot's message to the bot's app (W-26).
    ///
    /// # Errors
    /// - `not_found` in production.
    /// - `message_not_found`, also if no bot sent the message or if its conversation was deleted.
    /// - `user_not_found` unless the user belongs to the company and is visible to the bot (B-462).
    /// - `conflict` if the person is not active, if the person [may not press](may_press) the message's buttons, or if
    ///   the conversation is archived.
    /// - `invalid_request` if the message has buttons, but none with this `action_id`.
    /// - Errors of [`listener_in`].
    pub async fn click(self, id: NamedMessage, click: NewClick) -> Result<()> {
        self.sandbox_only()?;
        self.caller().write(ReportClick { stamp: self.world().stamp(), id, click }).await
    }
}

struct ReportClick {
    stamp: Stamp,
    id: NamedMessage,
    click: NewClick,
}

impl Op for ReportClick {
    const NAME: &'static str = "report_click";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        let (message, conversation) = lock_message(c, self.id, |_| true).await?;
        // checked here, because a deleted conversation keeps its messages and members
        if conversation.deleted_at.is_some() {
            return refuse(Code::MessageNotFound);
        }
        let Some(bot) = bot_of(c, &message).await? else { return refuse(Code::MessageNotFound) };
        let user = match self.click.user {
            Some(id) => users::by_id(c, id).await?,
            None => None,
        };
        let viewer = Viewer::bot(conversation.workspace_id, false);
        let Some(user) = user.filter(|user| viewer.sees(user)) else { return refuse(Code::UserNotFound) };
        if !user.state.is_active() {
            return conflict(DEACTIVATED);
        }
        let member = conversations::member(c, conversation.id, user.id).await?;
        if !member.is_some_and(|member| may_press(member.left_at, member.visible_from, &message)) {
            return conflict(UNSEEN);
        }
        if conversation.archived_at.is_some() {
            return conflict(ARCHIVED);
        }
        let stored = messages::extras(c, message.id).await?;
        let blocks = read_blocks(stored.blocks.as_deref())?.unwrap_or_default();
        let NewClick { action_id, value, .. } = &self.click;
        let value = match find_button(&blocks, action_id)? {
            Some(button) => value.as_deref().or(button.value),
            None => value.as_deref(),
        };
        let listener = listener_in(c, conversation.id, bot.id).await?;
        let clicked = (&message, &conversation, stored.metadata.as_deref());
        notify(c, &self.stamp, listener, clicked, &user, (action_id, value)).await?;
        Ok(())
    }
}

/// Returns whether a person may press the buttons of a message, according to the person's membership of the
/// conversation. The person must be a current member (`left_at` is `None`) and see the message (B-475).
pub(in crate::service) fn may_press(
    left_at: Option<Timestamp>,
    visible_from: MessageId,
    message: &Message,
) -> bool {
    left_at.is_none() && message.id >= visible_from
}

/// Returns the installation to notify of clicks on the messages of a bot in a conversation (B-476).
///
/// # Errors
/// `conflict` if the bot is not a member of the conversation, if its app is disconnected, or if the app has no callback
/// URL.
pub(in crate::service) async fn listener_in<C: ReadSql>(
    c: &mut C,
    conversation: ConversationId,
    bot: UserId,
) -> Result<EventListener> {
    let member = conversations::member(c, conversation, bot).await?;
    let listener = match member.is_some_and(|member| member.left_at.is_none()) {
        true => events::listener_of(c, bot).await?,
        false => None,
    };
    match listener {
        Some(listener) => Ok(listener),
        None => conflict(APP_SILENT),
    }
}

/// Returns the bot that sent a message; `None` for messages of people and system messages.
pub(in crate::service) async fn bot_of<C: ReadSql>(c: &mut C, message: &Message) -> Result<Option<User>> {
    let sender = match message.sender_id {
        Some(id) => users::by_id(c, id).await?,
        None => None,
    };
    Ok(sender.filter(|sender| sender.is_bot))
}

/// Returns the button with this `action_id`. Returns `None` if the message has no buttons, because in a sandbox the
/// operator can report clicks on such a message, too.
///
/// # Errors
/// `invalid_request` if the message has buttons, but none with this `action_id`.
fn find_button<'a>(blocks: &'a [Block], action_id: &str) -> Result<Option<Button<'a>>> {
    let mut buttons = blocks::buttons(blocks).peekable();
    if buttons.peek().is_none() {
        return Ok(None);
    }
    match buttons.find(|button| button.action_id == action_id) {
        Some(button) => Ok(Some(button)),
        None => invalid("the message has no button with this action_id"),
    }
}

/// Creates the event about a person's click on a button of a bot's message. The event contains the `action_id` of the
/// button, `value`, and `metadata`, which is the stored metadata of the message. `listener` is the installation that
/// gets the event.
pub(in crate::service) async fn notify<C: Sql>(
    c: &mut C,
    stamp: &Stamp,
    listener: EventListener,
    (message, conversation, metadata): (&Message, &Conversation, Option<&str>),
    user: &User,
    (action_id, value): (&str, Option<&str>),
) -> Result<EventId> {
    let reads_email = listener.scopes.contains(Scope::UsersReadEmail);
    let shown = Viewer::bot(conversation.workspace_id, reads_email).view(user.clone());
    let click = Click {
        action_id,
        value,
        user: user.id,
        email: shown.email.as_deref(),
        message: message.id,
        conversation: (conversation.kind, conversation.id),
        metadata: metadata.map(read_metadata).transpose()?,
    };
    outbox::interaction(c, stamp, conversation.workspace_id, listener, &click).await
}
