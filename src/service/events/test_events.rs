//! Test events: in the sandbox, the operator can send an event of any type to an app although nothing has changed
//! (W-49). An event about a directory change or a click names an existing person, conversation or message.

use crate::service::{
    Stamp,
    bot::reading::Filter,
    callers::Operator,
    events::deliveries::{conflict, reachable},
    messages as posts,
    outbox::{self, DirectoryEventKind},
    people::visible_user::Viewer,
    refuse,
};
use crate::{
    domain::{
        blocks,
        conversation::ConversationKind,
        ids::{AppId, EventId, InstallationId},
        installation::DisconnectReason,
        people::UserState,
        refusal::Code,
        scopes::Scope,
    },
    store::{
        Op, ReadSql, Result, Sql,
        apps::{self, Installation},
        changes, conversation_lists,
        conversations::{self, Conversation},
        events::{self, EventListener},
        messages::{self, Message},
        users::{self, User},
    },
};

/// Maximum number of people, conversations or members that are read to find one that the event can name.
const MAX_SCANNED: i64 = 1000;

/// The type of a test event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestEvent {
    Uninstalled,
    Directory(DirectoryEventKind),
    Interaction,
}

impl Operator<'_> {
    /// Writes a test event for an installation of an app, and returns the id of the event (W-49). If `installation` is
    /// `None`, the event is for the newest connected installation of the app. For text that is not a valid id, `app` is
    /// `None` and `installation` is `Some(None)`.
    ///
    /// # Errors
    /// - `not_found` in production, and for an unknown app.
    /// - `conflict` if the app has no callback URL.
    /// - `not_found` if `installation` is unknown or disconnected, or belongs to another app.
    /// - `conflict` if `installation` is `None` and the app has no connected installation.
    /// - `conflict` for an event about a person if the installation lacks the scope `users:read`.
    /// - `conflict` if there is no person, conversation or message that the event could name.
    pub async fn send_test_event(
        self,
        app: Option<AppId>,
        installation: Option<Option<InstallationId>>,
        event: TestEvent,
    ) -> Result<EventId> {
        self.sandbox_only()?;
        let Some(app) = app else { return refuse(Code::NotFound) };
        self.caller().write(SendTestEvent { stamp: self.world().stamp(), app, installation, event }).await
    }
}

struct SendTestEvent {
    stamp: Stamp,
    app: AppId,
    /// See [`Operator::send_test_event`].
    installation: Option<Option<InstallationId>>,
    event: TestEvent,
}

impl Op for SendTestEvent {
    const NAME: &'static str = "send_test_event";
    type Out = EventId;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<EventId> {
        reachable(c, self.app).await?;
        let installation = self.installation(c).await?;
        let found = events::listeners_by_id(c, &[installation.id]).await?.pop();
        let Some((_, listener)) = found else { return refuse(Code::NotFound) };
        match self.event {
            TestEvent::Uninstalled => {
                let by = installation.installed_by;
                let reason =
                    if by.is_some() { DisconnectReason::Admin } else { DisconnectReason::AppDisabled };
                let reason = (reason.name(), by);
                outbox::app_uninstalled(c, &self.stamp, installation.workspace_id, listener, reason).await
            }
            TestEvent::Directory(kind) if kind.is_of_person() => {
                self.about_person(c, &installation, listener, kind).await
            }
            TestEvent::Directory(kind) => self.about_conversation(c, &installation, listener, kind).await,
            TestEvent::Interaction => self.about_message(c, &installation, listener).await,
        }
    }
}

impl SendTestEvent {
    async fn installation<C: ReadSql>(&self, c: &mut C) -> Result<Installation> {
        match self.installation {
            None => match apps::connected_of_app(c, self.app).await?.pop() {
                Some(newest) => Ok(newest),
                None => Err(conflict("the app is not installed in any company").into()),
            },
            Some(id) => {
                let found = match id {
                    Some(id) => apps::installation(c, id).await?,
                    None => None,
                };
                match found.filter(|found| found.app_id == self.app && found.connected) {
                    Some(found) => Ok(found),
                    None => refuse(Code::NotFound),
                }
            }
        }
    }

    async fn about_person<C: Sql>(
        &self,
        c: &mut C,
        installation: &Installation,
        to: EventListener,
        kind: DirectoryEventKind,
    ) -> Result<EventId> {
        if !to.scopes.contains(Scope::UsersRead) {
            return Err(conflict("the installation was not granted users:read").into());
        }
        let matches = |user: &User| match kind {
            DirectoryEventKind::UserDeactivated => {
                !matches!(user.state, UserState::Active | UserState::Onboarding)
            }
            _ => user.state == UserState::Active,
        };
        let people = users::listed_page(c, installation.workspace_id, 0, MAX_SCANNED).await?;
        let Some(person) = people.iter().find(|user| matches(user)).or(people.first()) else {
            return Err(conflict("the company has no person that the bot may see").into());
        };
        let id = person.id.encode();
        outbox::directory_changed(c, &self.stamp, installation.workspace_id, to, kind, &id).await
    }

    async fn about_conversation<C: Sql>(
        &self,
        c: &mut C,
        installation: &Installation,
        to: EventListener,
        kind: DirectoryEventKind,
    ) -> Result<EventId> {
        let any = Filter { public: true, private: true, archived: true };
        let conversations_of_bot =
            conversation_lists::groups_and_channels_of_user(c, installation.bot_user_id, 0, MAX_SCANNED)
                .await?;
        // the event about an archived conversation is sent for groups only (D-177)
        let must_be_group = kind == DirectoryEventKind::ConversationArchived;
        let matches = |conversation: &Conversation| {
            any.matches(conversation) && (!must_be_group || conversation.kind == ConversationKind::Group)
        };
        let Some(about) = conversations_of_bot.into_iter().find(matches) else {
            let why = "the bot is not a member of a group or channel that this event can name";
            return Err(conflict(why).into());
        };
        let id = about.id.encode(about.kind);
        outbox::directory_changed(c, &self.stamp, installation.workspace_id, to, kind, &id).await
    }

    async fn about_message<C: Sql>(
        &self,
        c: &mut C,
        installation: &Installation,
        to: EventListener,
    ) -> Result<EventId> {
        // `message_to_change` locks the conversation. Without the lock, a concurrent deletion of the message could miss
        // this event when it erases the message's content from events.
        let message = match messages::newest_of_bot(c, installation.bot_user_id).await? {
            Some(newest) => changes::message_to_change(c, newest.id, |_| true).await?,
            None => None,
        };
        let Some(message) = message else {
            return Err(conflict("the bot has sent no message that can be clicked").into());
        };
        // `newest_of_bot` has checked the conversation and the bot's membership, but both can have changed before the
        // lock was granted
        let conversation = conversations::by_id(c, message.conversation_id).await?;
        let is_open = |found: &Conversation| found.deleted_at.is_none() && found.archived_at.is_none();
        let member = conversations::member(c, message.conversation_id, installation.bot_user_id).await?;
        let conversation =
            conversation.filter(is_open).filter(|_| member.is_some_and(|member| member.left_at.is_none()));
        let person = person_who_may_press(c, &message).await?;
        let (Some(conversation), Some(person)) = (conversation, person) else {
            let why = "nobody can click a button of the bot's newest message: no active person sees the message, or \
                       its conversation was archived or deleted, or the bot has left the conversation";
            return Err(conflict(why).into());
        };
        let stored = messages::extras(c, message.id).await?;
        let blocks = posts::read_blocks(stored.blocks.as_deref())?.unwrap_or_default();
        let button = blocks::buttons(&blocks).next();
        let button = button.map_or(("test_button", Some("test")), |button| (button.action_id, button.value));
        let clicked = (&message, &conversation, stored.metadata.as_deref());
        posts::click::notify(c, &self.stamp, to, clicked, &person, button).await
    }
}

/// Returns an active or onboarding person who is visible to bots and may press the buttons of a message. Returns `None`
/// if there is no such person among the first [`MAX_SCANNED`] members of the message's conversation.
async fn person_who_may_press<C: ReadSql>(c: &mut C, message: &Message) -> Result<Option<User>> {
    let members = conversation_lists::members(c, message.conversation_id, 0, MAX_SCANNED).await?;
    let people = members.iter().filter(|member| !member.is_bot);
    let readers =
        people.filter(|member| posts::click::may_press(member.left_at, member.visible_from, message));
    let ids: Vec<_> = readers.map(|member| member.user_id).collect();
    let people = users::by_ids(c, &ids).await?;
    let viewer = Viewer::bot(message.workspace_id, false);
    let may_click = |user: &User| user.state.is_active() && viewer.sees(user);
    Ok(people.into_iter().filter(may_click).min_by_key(|user| user.id))
}
