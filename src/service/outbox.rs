//! Writes events for apps, in the transaction of the change that they report (D-185). One statement writes the events
//! for all installations to which a change is reported. The workers in `crate::events` deliver the events.
//!
//! Events are written only for installations whose app has a callback URL ([`EventListener`]).

use std::collections::HashMap;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::service::Stamp;
use crate::{
    domain::{
        conversation::ConversationKind,
        ids::{AppId, ConversationId, EventId, InstallationId, MessageId, UserId, WorkspaceId},
        people::UserVisibility,
        scopes::Scope,
        time::Timestamp,
    },
    store::{
        Result, Sql,
        conversations::Conversation,
        events::{self, Event, EventListener},
    },
};

/// The type of the event that reports the disconnect of an installation. After the disconnect, no other event of the
/// installation is sent (D-183).
pub const APP_UNINSTALLED: &str = "app.uninstalled";
const DIRECTORY_CHANGED: &str = "directory.changed";
const INTERACTION: &str = "interaction";

/// The kind of a change that an event `directory.changed` reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DirectoryEventKind {
    UserCreated,
    UserUpdated,
    UserDeactivated,
    /// The bot was added to the conversation.
    ConversationCreated,
    ConversationRenamed,
    ConversationArchived,
    ConversationDeleted,
    /// The bot was removed from the conversation.
    AppRemoved,
}

impl DirectoryEventKind {
    /// Returns whether the change concerns a person. Every other change concerns a conversation.
    #[must_use]
    pub const fn is_of_person(self) -> bool {
        match self {
            Self::UserCreated | Self::UserUpdated | Self::UserDeactivated => true,
            Self::ConversationCreated
            | Self::ConversationRenamed
            | Self::ConversationArchived
            | Self::ConversationDeleted
            | Self::AppRemoved => false,
        }
    }

    /// Returns the name of the kind in the event.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::UserCreated => "user.created",
            Self::UserUpdated => "user.updated",
            Self::UserDeactivated => "user.deactivated",
            Self::ConversationCreated => "conversation.created",
            Self::ConversationRenamed => "conversation.renamed",
            Self::ConversationArchived => "conversation.archived",
            Self::ConversationDeleted => "conversation.deleted",
            Self::AppRemoved => "app.removed_from_conversation",
        }
    }
}

#[derive(Serialize)]
struct EventEnvelope<'a, D: Serialize> {
    id: String,
    r#type: &'a str,
    workspace_id: String,
    created_at: Timestamp,
    data: &'a D,
}

#[derive(Serialize)]
struct DirectoryChanged<'a> {
    kind: &'a str,
    id: &'a str,
}

#[derive(Serialize)]
struct Uninstalled<'a> {
    removed_by: Option<RemovedBy>,
    reason: &'a str,
}

impl<'a> Uninstalled<'a> {
    fn new((reason, removed_by): (&'a str, Option<UserId>)) -> Self {
        Self { removed_by: removed_by.map(|id| RemovedBy { id }), reason }
    }
}

#[derive(Serialize)]
struct RemovedBy {
    id: UserId,
}

/// Whether the body of an event contains metadata or a button value of a message. If the message is deleted, this
/// content is erased from the stored body (B-251, `service/messages/erasure.rs`).
#[derive(Clone, Copy)]
enum EventContent {
    NoMessage,
    OfMessage(MessageId),
}

/// Collects the events about one change, so that one statement inserts them, whatever their number.
struct Outbox<'a> {
    stamp: &'a Stamp,
    events: Vec<Event>,
}

impl<'a> Outbox<'a> {
    const fn new(stamp: &'a Stamp) -> Self {
        Self { stamp, events: Vec::new() }
    }

    /// Adds an event for one installation and returns the id of the event.
    fn add<D: Serialize>(
        &mut self,
        workspace: WorkspaceId,
        to: EventListener,
        kind: &str,
        data: &D,
        content: EventContent,
    ) -> Result<EventId> {
        let id = self.stamp.event()?;
        let body = EventEnvelope {
            id: id.encode(),
            r#type: kind,
            workspace_id: workspace.encode(),
            created_at: self.stamp.now,
            data,
        };
        self.events.push(Event {
            id,
            app_id: to.app_id,
            installation_id: to.installation_id,
            workspace_id: workspace,
            kind: kind.to_owned(),
            body: serde_json::to_string(&body).expect("an event consists of plain values, so it serializes"),
            created_at: self.stamp.now,
            message_id: match content {
                EventContent::NoMessage => None,
                EventContent::OfMessage(message) => Some(message),
            },
        });
        Ok(id)
    }

    async fn write<C: Sql>(self, c: &mut C) -> Result<()> {
        events::insert(c, &self.events).await
    }
}

/// Writes an event for one installation. The event has no content of a message. Returns the id of the event.
async fn write_one<C: Sql, D: Serialize + Sync>(
    c: &mut C,
    stamp: &Stamp,
    workspace: WorkspaceId,
    to: EventListener,
    kind: &str,
    data: &D,
) -> Result<EventId> {
    let mut outbox = Outbox::new(stamp);
    let id = outbox.add(workspace, to, kind, data, EventContent::NoMessage)?;
    outbox.write(c).await?;
    Ok(id)
}

/// Reports a change of a person to the installations of the company that have the scope `users:read` (B-459) and that
/// `is_recipient` selects. The caller must check that the company's members could see the person before the change, or
/// can see the person after it (B-462).
pub(in crate::service) async fn person<C: Sql>(
    c: &mut C,
    stamp: &Stamp,
    workspace: WorkspaceId,
    kind: DirectoryEventKind,
    user: UserId,
    is_recipient: impl Fn(&EventListener) -> bool + Send,
) -> Result<()> {
    let data = DirectoryChanged { kind: kind.name(), id: &user.encode() };
    let mut outbox = Outbox::new(stamp);
    for listener in events::listeners(c, workspace).await? {
        if listener.scopes.contains(Scope::UsersRead) && is_recipient(&listener) {
            outbox.add(workspace, listener, DIRECTORY_CHANGED, &data, EventContent::NoMessage)?;
        }
    }
    outbox.write(c).await
}

/// The argument `is_recipient` of [`person`] that selects every installation.
#[must_use]
pub(in crate::service) fn everyone(_: &EventListener) -> bool {
    true
}

/// Returns whether a change of an e-mail address is reported to an installation: its bot must see the old or the new
/// address (D-174).
#[must_use]
pub(in crate::service) fn email_was_or_is_visible(
    before: UserVisibility,
    after: UserVisibility,
    listener: &EventListener,
) -> bool {
    let reads_email = listener.scopes.contains(Scope::UsersReadEmail);
    before.shows_email(reads_email) || after.shows_email(reads_email)
}

/// Reports a change of conversations of one company to the apps of all bots in these conversations. The events are in
/// the order of `about`. Changes of announcement-only conversations (D-166) and of direct conversations are not
/// reported.
pub(in crate::service) async fn conversations<C: Sql>(
    c: &mut C,
    stamp: &Stamp,
    kind: DirectoryEventKind,
    about: &[&Conversation],
) -> Result<()> {
    let about: Vec<_> = about.iter().filter(|conversation| is_reported(conversation)).collect();
    let Some(first) = about.first() else { return Ok(()) };
    let ids: Vec<_> = about.iter().map(|conversation| conversation.id).collect();
    let listeners = events::listeners_in(c, first.workspace_id, &ids).await?;
    let mut outbox = Outbox::new(stamp);
    for conversation in about {
        let id = conversation.id.encode(conversation.kind);
        let data = DirectoryChanged { kind: kind.name(), id: &id };
        for (_, listener) in listeners.iter().filter(|(joined, _)| *joined == conversation.id) {
            outbox.add(
                conversation.workspace_id,
                *listener,
                DIRECTORY_CHANGED,
                &data,
                EventContent::NoMessage,
            )?;
        }
    }
    outbox.write(c).await
}

fn is_reported(about: &Conversation) -> bool {
    !about.announcement_only && about.kind != ConversationKind::Dm
}

/// Notifies apps that their bots were added to conversations or removed from them. The events are in the order of
/// `moves`. Changes in announcement-only conversations (D-166) and in direct conversations are not reported.
pub(in crate::service) async fn bots_moved<C: Sql>(
    c: &mut C,
    stamp: &Stamp,
    kind: DirectoryEventKind,
    moves: &[(&Conversation, UserId)],
) -> Result<()> {
    let moves: Vec<_> = moves.iter().filter(|(about, _)| is_reported(about)).collect();
    let mut bots: Vec<UserId> = moves.iter().map(|(_, bot)| *bot).collect();
    bots.sort_unstable();
    bots.dedup();
    if bots.is_empty() {
        return Ok(());
    }
    let listeners: HashMap<UserId, EventListener> =
        events::listeners_of(c, &bots).await?.into_iter().collect();
    let mut outbox = Outbox::new(stamp);
    for (about, bot) in moves {
        if let Some(listener) = listeners.get(bot) {
            let id = about.id.encode(about.kind);
            let data = DirectoryChanged { kind: kind.name(), id: &id };
            outbox.add(about.workspace_id, *listener, DIRECTORY_CHANGED, &data, EventContent::NoMessage)?;
        }
    }
    outbox.write(c).await
}

/// Writes a test event `directory.changed` for one installation. `id` is the id of a person or a conversation, which
/// has not really changed. The caller must check that the app may see this person or conversation.
pub(in crate::service) async fn directory_changed<C: Sql>(
    c: &mut C,
    stamp: &Stamp,
    workspace: WorkspaceId,
    to: EventListener,
    kind: DirectoryEventKind,
    id: &str,
) -> Result<EventId> {
    write_one(c, stamp, workspace, to, DIRECTORY_CHANGED, &DirectoryChanged { kind: kind.name(), id }).await
}

/// Drops pending events of an app's disconnected installations, up to the limit of [`events::drop_pending`]. Then
/// writes one event [`APP_UNINSTALLED`] for each installation (B-364…B-366).
///
/// `reason` has the reason of the disconnect, and the person who disconnected the installations. The person is `None`
/// if the operator disconnected them or disabled the app. If the app disconnected itself, `reason` is `None`, and the
/// app is not notified.
pub(in crate::service) async fn uninstalled<C: Sql>(
    c: &mut C,
    stamp: &Stamp,
    app: AppId,
    installations: &[InstallationId],
    reason: Option<(&str, Option<UserId>)>,
) -> Result<()> {
    if installations.is_empty() {
        return Ok(());
    }
    events::drop_pending(c, app, installations, APP_UNINSTALLED, stamp.now).await?;
    let Some(reason) = reason else { return Ok(()) };
    let mut outbox = Outbox::new(stamp);
    for (workspace, listener) in events::listeners_by_id(c, installations).await? {
        outbox.add(
            workspace,
            listener,
            APP_UNINSTALLED,
            &Uninstalled::new(reason),
            EventContent::NoMessage,
        )?;
    }
    outbox.write(c).await
}

/// Writes a test event [`APP_UNINSTALLED`] for one installation. The installation stays connected, so its pending
/// events are not dropped.
pub(in crate::service) async fn app_uninstalled<C: Sql>(
    c: &mut C,
    stamp: &Stamp,
    workspace: WorkspaceId,
    to: EventListener,
    reason: (&str, Option<UserId>),
) -> Result<EventId> {
    write_one(c, stamp, workspace, to, APP_UNINSTALLED, &Uninstalled::new(reason)).await
}

// The event is serialized directly from structs, because a conversion of the event to a `serde_json::Value` would
// change the notation of the numbers in `metadata` (D-028).
#[derive(Serialize)]
struct Clicked<'a> {
    action_id: &'a str,
    value: Option<&'a str>,
    user: Clicker<'a>,
    message: ClickedMessage<'a>,
}

#[derive(Serialize)]
struct Clicker<'a> {
    id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    email: Option<&'a str>,
}

#[derive(Serialize)]
struct ClickedMessage<'a> {
    id: &'a str,
    conversation_id: String,
    metadata: Option<&'a Map<String, Value>>,
}

/// A click on a button of a bot's message (B-465).
pub struct Click<'a> {
    pub action_id: &'a str,
    pub value: Option<&'a str>,
    pub user: UserId,
    /// The e-mail address of the person who clicked. `None` if the bot may not see the address.
    pub email: Option<&'a str>,
    pub message: MessageId,
    pub conversation: (ConversationKind, ConversationId),
    pub metadata: Option<Map<String, Value>>,
}

/// Notifies a bot's app of a click.
pub(in crate::service) async fn interaction<C: Sql>(
    c: &mut C,
    stamp: &Stamp,
    workspace: WorkspaceId,
    to: EventListener,
    click: &Click<'_>,
) -> Result<EventId> {
    let (kind, id) = click.conversation;
    let data = Clicked {
        action_id: click.action_id,
        value: click.value,
        user: Clicker { id: click.user.encode(), email: click.email },
        message: ClickedMessage {
            id: &click.message.encode(kind.is_dm()),
            conversation_id: id.encode(kind),
            metadata: click.metadata.as_ref(),
        },
    };
    let mut outbox = Outbox::new(stamp);
    let event = outbox.add(workspace, to, INTERACTION, &data, EventContent::OfMessage(click.message))?;
    outbox.write(c).await?;
    Ok(event)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::strict_json;

    #[test]
    fn numbers_in_metadata_keep_their_notation() {
        let Ok(Value::Object(metadata)) = strict_json::read(br#"{"a":-0,"b":1E5}"#) else {
            panic!("expected an object")
        };
        let message =
            ClickedMessage { id: "gmsg_1", conversation_id: "grp_1".to_owned(), metadata: Some(&metadata) };
        assert_eq!(
            serde_json::to_string(&message).expect("JSON"),
            r#"{"id":"gmsg_1","conversation_id":"grp_1","metadata":{"a":-0,"b":1E5}}"#,
            "numbers in metadata are sent as written (D-028)"
        );
    }
}
