//! Conversations as their company administers them: making, changing and deleting them. Who is in them is in
//! [`membership`](super::membership); what bots read of them in [`reading`](super::reading).
//!
//! Called by the admin room.

mod create;
mod members;

pub use create::NewConversation;
pub(in crate::workspace) use create::direct_message;

use super::{
    Stamp, World, invalid,
    outbox::{self, Kind},
    principal::Principal,
    reading::{Page, PageRequest},
    refuse,
};
use crate::{
    domain::{
        conversation::ConversationKind,
        cursor::CursorScope,
        ids::{ConversationId, WorkspaceId},
        refusal::Code,
    },
    store::{
        Op, Result, Sql, conversation_lists,
        conversations::{self, Conversation},
        workspaces,
    },
};

/// A conversation as a request names it: the kind its prefix says, and the number. `None` for any other text.
pub type NamedConversation = Option<(ConversationKind, ConversationId)>;

/// What changes in a conversation; `None` leaves it as it is.
#[derive(Clone, Debug, Default)]
pub struct ConversationChange {
    /// Of a group or channel.
    pub name: Option<String>,
    /// An inner `None` clears it.
    pub topic: Option<Option<String>>,
    /// Groups only.
    pub is_private: Option<bool>,
    /// Whether only admins may post.
    pub announcement_only: Option<bool>,
    /// Groups only.
    pub is_archived: Option<bool>,
}

impl World {
    /// Every conversation of a company in order of creation, deleted ones too (W-16).
    ///
    /// # Errors
    /// `not_found` for strangers and an unknown company, `forbidden` for its people who are no admins,
    /// `invalid_cursor`.
    pub async fn list_all_conversations(
        &self,
        who: &Principal,
        workspace: WorkspaceId,
        request: PageRequest<'_>,
    ) -> Result<Page<Conversation>> {
        who.administer(workspace, Code::NotFound)?;
        let filter = workspace.encode();
        let scope = CursorScope {
            endpoint: "admin.conversations",
            owner: who.cursor_owner(),
            conversation: None,
            filter: &filter,
        };
        let after = self.position(&scope, request.cursor, 0)?;
        let op = ListAllConversations { workspace, after, limit: i64::from(request.limit) + 1 };
        let found = self.db.read(op).await?;
        Ok(self.page(&scope, request.limit, found, |v| v.id.0))
    }

    /// Changes a conversation (W-18). Bots in it hear of a new name and of a group's archiving, of nothing else
    /// (D-177, D-178, D-180).
    ///
    /// # Errors
    /// `conversation_not_found`, also for strangers and once it is deleted; `forbidden` for people who are no
    /// admins; `invalid_request` for a member its kind does not have.
    pub async fn change_conversation(
        &self,
        who: &Principal,
        id: NamedConversation,
        change: ConversationChange,
    ) -> Result<Conversation> {
        self.db.write(ChangeConversation { at: self.stamp(), who: who.clone(), id, change }).await
    }

    /// Deletes a conversation, with a group its channels (W-19). Every bot in one of them is told (D-179).
    ///
    /// # Errors
    /// `conversation_not_found`, also for strangers and when it is deleted already; `forbidden` for people who
    /// are no admins.
    pub async fn delete_conversation(&self, who: &Principal, id: NamedConversation) -> Result<()> {
        match self.db.write(DeleteConversation { at: self.stamp(), who: who.clone(), id }).await? {
            Deleted::Now => Ok(()),
            Deleted::Before => refuse(Code::ConversationNotFound),
        }
    }
}

/// A conversation that a request names, of any company, deleted ones too.
///
/// # Errors
/// `conversation_not_found` when there is none of that kind and number.
pub(super) async fn named<C: Sql>(c: &mut C, id: NamedConversation) -> Result<Conversation> {
    let Some((kind, id)) = id else { return refuse(Code::ConversationNotFound) };
    match conversations::by_id(c, id).await? {
        Some(conversation) if conversation.kind == kind => Ok(conversation),
        _ => refuse(Code::ConversationNotFound),
    }
}

/// The same for an operator or an admin about to change it: not deleted, and held until the transaction ends.
pub(super) async fn held<C: Sql>(c: &mut C, who: &Principal, id: NamedConversation) -> Result<Conversation> {
    let conversation = held_or_deleted(c, who, id).await?;
    if conversation.deleted_at.is_some() {
        return refuse(Code::ConversationNotFound);
    }
    Ok(conversation)
}

async fn held_or_deleted<C: Sql>(c: &mut C, who: &Principal, id: NamedConversation) -> Result<Conversation> {
    let conversation = administered(c, who, id).await?;
    conversations::lock(c, conversation.id).await?;
    // as it is under the lock
    named(c, id).await
}

/// A conversation of a company that the caller administers, not held: whoever does not administer it gets no lock, and
/// holds up nobody who does.
///
/// # Errors
/// `conversation_not_found`, `forbidden`.
pub(super) async fn administered<C: Sql>(
    c: &mut C,
    who: &Principal,
    id: NamedConversation,
) -> Result<Conversation> {
    let conversation = named(c, id).await?;
    who.administer(conversation.workspace_id, Code::ConversationNotFound)?;
    Ok(conversation)
}

struct ListAllConversations {
    workspace: WorkspaceId,
    after: i64,
    limit: i64,
}

impl Op for ListAllConversations {
    const NAME: &'static str = "list_all_conversations";
    const REPLICA: bool = true;
    type Out = Vec<Conversation>;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Self::Out> {
        if workspaces::by_id(c, self.workspace).await?.is_none() {
            return refuse(Code::NotFound);
        }
        let mut page = conversation_lists::of_company(c, self.workspace, self.after, self.limit).await?;
        conversation_lists::count_direct(c, &mut page).await?;
        Ok(page)
    }
}

struct ChangeConversation {
    at: Stamp,
    who: Principal,
    id: NamedConversation,
    change: ConversationChange,
}

impl ChangeConversation {
    /// Refuses what the kind does not have.
    fn check(&self, kind: ConversationKind) -> Result<()> {
        let ConversationChange { name, topic, is_private, announcement_only, is_archived } = &self.change;
        let of_group = is_private.is_some() || is_archived.is_some();
        match kind {
            ConversationKind::Channel if of_group => invalid("type and is_archived are those of the group"),
            ConversationKind::Dm
                if of_group || name.is_some() || topic.is_some() || announcement_only.is_some() =>
            {
                invalid("a direct message has nothing to change")
            }
            ConversationKind::Group | ConversationKind::Channel | ConversationKind::Dm => Ok(()),
        }
    }
}

impl Op for ChangeConversation {
    const NAME: &'static str = "change_conversation";
    type Out = Conversation;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Conversation> {
        let before = held(c, &self.who, self.id).await?;
        self.check(before.kind)?;
        let mut after = before.clone();
        let ConversationChange { name, topic, is_private, announcement_only, is_archived } =
            self.change.clone();
        if name.is_some() {
            after.name = name;
        }
        after.topic = topic.unwrap_or(after.topic);
        after.is_private = is_private.unwrap_or(after.is_private);
        after.announcement_only = announcement_only.unwrap_or(after.announcement_only);
        after.archived_at = match is_archived {
            Some(true) => after.archived_at.or(Some(self.at.now)),
            Some(false) => None,
            None => after.archived_at,
        };
        // also when nothing changes: an earlier request may have made the change and not have been answered
        conversations::drain_channels(c, after.workspace_id, after.id).await?;
        if after == before {
            conversation_lists::count_direct(c, std::slice::from_mut(&mut after)).await?;
            return Ok(after);
        }
        conversations::update(c, &after).await?;
        if after.name != before.name {
            outbox::conversations(c, &self.at, Kind::ConversationRenamed, &[&after]).await?;
        }
        if before.archived_at.is_none() && after.archived_at.is_some() {
            outbox::conversations(c, &self.at, Kind::ConversationArchived, &[&after]).await?;
        }
        Ok(after)
    }
}

/// How a deletion ended.
enum Deleted {
    Now,
    /// By an earlier request. That is an outcome and not an error, so that it is answered after the writes that the earlier
    /// request had to wait for.
    Before,
}

struct DeleteConversation {
    at: Stamp,
    who: Principal,
    id: NamedConversation,
}

impl Op for DeleteConversation {
    const NAME: &'static str = "delete_conversation";
    type Out = Deleted;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Deleted> {
        let conversation = held_or_deleted(c, &self.who, self.id).await?;
        if conversation.deleted_at.is_some() {
            conversations::drain_deleted_channels(c, &conversation).await?;
            return Ok(Deleted::Before);
        }
        if conversation.kind == ConversationKind::Dm {
            // the next message between the two begins a new one
            conversations::release_pair(c, conversation.id).await?;
        }
        let mut deleted = Vec::new();
        if conversation.kind == ConversationKind::Group {
            conversations::drain_channels(c, conversation.workspace_id, conversation.id).await?;
            for channel in conversations::channels_of(c, conversation.id).await? {
                deleted.push(named(c, Some((ConversationKind::Channel, channel))).await?);
            }
        }
        let all: Vec<_> = deleted.iter().chain([&conversation]).collect();
        outbox::conversations(c, &self.at, Kind::ConversationDeleted, &all).await?;
        conversations::delete(c, conversation.id, self.at.now).await?;
        Ok(Deleted::Now)
    }
}
