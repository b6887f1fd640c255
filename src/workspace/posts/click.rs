//! Clicks on a bot's message: no block has buttons yet, so only the sandbox makes them (B-466).

use super::{NamedMessage, held};
use crate::{
    domain::{
        ids::{EventId, UserId},
        refusal::Code,
        scopes::Scope,
    },
    store::{
        Op, Result, Sql,
        conversations::Conversation,
        events::{self, Listener},
        messages::{self, Message},
        users::{self, User},
    },
    workspace::{
        Stamp, World,
        access::standing,
        edit::read_metadata,
        outbox::{self, Click},
        principal::Principal,
        refuse,
    },
};

/// A click about to be told.
#[derive(Clone, Debug)]
pub struct NewClick {
    /// The person who clicks; `None` for a text that is no user's id.
    pub user: Option<UserId>,
    /// The button.
    pub action_id: String,
    /// The button's value.
    pub value: Option<String>,
}

impl World {
    /// Tells the app whose bot sent a message that somebody clicked on it (W-26). An app without a callback URL is
    /// told nothing.
    ///
    /// # Errors
    /// `forbidden` unless the operator asks; `message_not_found` unless a bot sent it; `user_not_found` unless
    /// somebody of the company clicks whom the bot may know of (B-462).
    pub async fn click(&self, who: &Principal, id: NamedMessage, click: NewClick) -> Result<()> {
        who.operator()?;
        self.db.write(TellClick { at: self.stamp(), id, click }).await
    }
}

struct TellClick {
    at: Stamp,
    id: NamedMessage,
    click: NewClick,
}

impl Op for TellClick {
    const NAME: &'static str = "tell_click";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        let (message, conversation) = held(c, self.id).await?;
        let sender = match message.sender_id {
            Some(id) => users::by_id(c, id).await?,
            None => None,
        };
        let Some(bot) = sender.filter(|sender| sender.is_bot) else { return refuse(Code::MessageNotFound) };
        let user = match self.click.user {
            Some(id) => users::by_id(c, id).await?,
            None => None,
        };
        let same_company = |workspace| workspace == conversation.workspace_id;
        let Some(user) = user.filter(|user| same_company(user.workspace_id) && standing(user).is_listed())
        else {
            return refuse(Code::UserNotFound);
        };
        if let Some(listener) = events::listener_of(c, bot.id).await? {
            let NewClick { action_id, value, .. } = &self.click;
            tell(c, &self.at, listener, (&message, &conversation), &user, (action_id, value.as_deref()))
                .await?;
        }
        Ok(())
    }
}

/// Tells the app of a message's bot that a person clicked: which button, and its value.
pub(in crate::workspace) async fn tell<C: Sql>(
    c: &mut C,
    at: &Stamp,
    listener: Listener,
    (message, conversation): (&Message, &Conversation),
    user: &User,
    (action_id, value): (&str, Option<&str>),
) -> Result<EventId> {
    let shows_email = standing(user).shows_email(listener.scopes.contains(Scope::UsersReadEmail));
    let metadata = messages::extras(c, message.id).await?.metadata;
    let click = Click {
        action_id,
        value,
        user: user.id,
        email: user.email.as_deref().filter(|_| shows_email),
        message_id: message.id.encode(conversation.kind.is_dm()),
        conversation: (conversation.kind, conversation.id),
        metadata: metadata.as_deref().map(read_metadata).transpose()?,
    };
    outbox::interaction(c, at, conversation.workspace_id, listener, &click).await
}
