//! Events that tell of nothing that happened, so that a developer sees each type arrive. Only the sandbox makes them
//! (W-49); what they name is real.

use super::{
    Stamp, World,
    deliveries::{conflict, reachable},
    outbox::{self, Kind},
    posts,
    principal::Principal,
    reading::Filter,
    refuse,
};
use crate::{
    domain::{
        conversation::ConversationKind,
        ids::{AppId, EventId, InstallationId},
        people::UserState,
        refusal::Code,
        scopes::Scope,
    },
    store::{
        Op, Result, Sql,
        apps::{self, Installation, Reason},
        conversation_lists,
        conversations::{self, Conversation},
        events::{self, Listener},
        messages,
        users::{self, User},
    },
};

/// How many people or conversations are looked at for one that suits.
const LOOKED_AT: i64 = 1000;

/// What a test event tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestEvent {
    Uninstalled,
    Directory(Kind),
    Interaction,
}

impl World {
    /// Sends a test event to an app, in the company of an installation of it: the given one, or the newest (W-49).
    ///
    /// # Errors
    /// `forbidden` unless the operator asks; `not_found` for the app or the installation; `conflict` when there is
    /// nothing to tell of or nowhere to send it.
    pub async fn send_test_event(
        &self,
        who: &Principal,
        app: Option<AppId>,
        installation: Option<Option<InstallationId>>,
        event: TestEvent,
    ) -> Result<EventId> {
        who.operator()?;
        let Some(app) = app else { return refuse(Code::NotFound) };
        self.db.write(SendTestEvent { at: self.stamp(), app, installation, event }).await
    }
}

struct SendTestEvent {
    at: Stamp,
    app: AppId,
    /// An inner `None` is a text that is no id.
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
                let reason = if by.is_some() { Reason::Admin } else { Reason::AppDisabled };
                let told = (reason.name(), by);
                outbox::app_uninstalled(c, &self.at, installation.workspace_id, listener, told).await
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
    async fn installation<C: Sql>(&self, c: &mut C) -> Result<Installation> {
        match self.installation {
            None => match apps::connected_of_app(c, self.app).await?.pop() {
                Some(newest) => Ok(newest),
                None => Err(conflict("the app is installed in no company").into()),
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
        to: Listener,
        kind: Kind,
    ) -> Result<EventId> {
        if !to.scopes.contains(Scope::UsersRead) {
            return Err(conflict("the installation was not granted users:read").into());
        }
        let wanted = |user: &User| match kind {
            Kind::UserDeactivated => !matches!(user.state, UserState::Active | UserState::Onboarding),
            _ => user.state == UserState::Active,
        };
        let people = users::listed_page(c, installation.workspace_id, 0, LOOKED_AT).await?;
        let Some(person) = people.iter().find(|user| wanted(user)).or(people.first()) else {
            return Err(conflict("the company has nobody the bot may see").into());
        };
        let id = person.id.encode();
        outbox::directory_changed(c, &self.at, installation.workspace_id, to, kind, &id).await
    }

    async fn about_conversation<C: Sql>(
        &self,
        c: &mut C,
        installation: &Installation,
        to: Listener,
        kind: Kind,
    ) -> Result<EventId> {
        let all = Filter { public: true, private: true, archived: true };
        let theirs = conversation_lists::places_of_user(c, installation.bot_user_id, 0, LOOKED_AT).await?;
        // only groups are archived
        let suits = |kind_of: ConversationKind| {
            kind != Kind::ConversationArchived || kind_of == ConversationKind::Group
        };
        let suits = |conversation: &Conversation| all.admits(conversation) && suits(conversation.kind);
        let Some(about) = theirs.into_iter().find(suits) else {
            return Err(conflict("the bot is in no conversation of that kind").into());
        };
        let id = about.id.encode(about.kind);
        outbox::directory_changed(c, &self.at, installation.workspace_id, to, kind, &id).await
    }

    async fn about_message<C: Sql>(
        &self,
        c: &mut C,
        installation: &Installation,
        to: Listener,
    ) -> Result<EventId> {
        let Some(message) = messages::newest_of_bot(c, installation.bot_user_id).await? else {
            return Err(conflict("the bot has sent no message").into());
        };
        let conversation = conversations::by_id(c, message.conversation_id).await?;
        let people = users::listed_page(c, installation.workspace_id, 0, LOOKED_AT).await?;
        let person = people.iter().find(|user| user.state == UserState::Active);
        let (Some(conversation), Some(person)) = (conversation, person) else {
            return Err(conflict("the company has nobody who could click").into());
        };
        let button = ("test_button", Some("test"));
        posts::click::tell(c, &self.at, to, (&message, &conversation), person, button).await
    }
}
