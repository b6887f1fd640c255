//! Conversations of a company: creating, listing, changing and deleting them. [`membership`] adds and removes members.
//! Bots read conversations through [`reading`](crate::service::bot::reading).

mod create;
mod member_list;
pub(in crate::service) mod membership;
pub(in crate::service) mod still_member;

pub(in crate::service) use create::direct_message;
pub use create::{KEY_USED, NewConversation};
pub use member_list::MemberView;

use super::{
    Stamp,
    callers::{Caller, CompanyAdmin, principal::CallerPrincipal},
    check_visible, invalid,
    outbox::{self, DirectoryEventKind},
    paging::{Page, PageRequest},
    refuse,
};
use crate::{
    domain::{
        conversation::ConversationKind,
        cursor::CursorScope,
        ids::{ConversationId, WorkspaceId},
        refusal::Code,
        time::Timestamp,
    },
    store::{
        Op, ReadOp, ReadSql, Result, Sql, conversation_lists,
        conversations::{self, Conversation},
        search, workspaces,
    },
};

/// A conversation id from a request: the kind that its prefix denotes, and the number. `None` for text that is not a
/// conversation id.
pub type NamedConversation = Option<(ConversationKind, ConversationId)>;

/// A conversation, with the fields that are shown to everybody who may see it.
#[derive(Clone, Debug, PartialEq)]
pub struct ConversationView {
    pub id: ConversationId,
    pub workspace_id: WorkspaceId,
    pub kind: ConversationKind,
    /// The group of a channel.
    pub parent_id: Option<ConversationId>,
    /// `None` for direct conversations.
    pub name: Option<String>,
    pub topic: Option<String>,
    pub is_private: bool,
    pub announcement_only: bool,
    pub is_archived: bool,
    pub is_deleted: bool,
    /// Number of members who are people in the state `active`.
    pub member_count: i64,
    pub created_at: Timestamp,
}

impl From<Conversation> for ConversationView {
    fn from(row: Conversation) -> Self {
        Self {
            id: row.id,
            workspace_id: row.workspace_id,
            kind: row.kind,
            parent_id: row.parent_id,
            name: row.name,
            topic: row.topic,
            is_private: row.is_private,
            announcement_only: row.announcement_only,
            is_archived: row.archived_at.is_some(),
            is_deleted: row.deleted_at.is_some(),
            member_count: row.active_members,
            created_at: row.created_at,
        }
    }
}

/// Changes to a conversation; `None` leaves a field unchanged.
#[derive(Clone, Debug, Default)]
pub struct ConversationChange {
    /// Groups and channels only.
    pub name: Option<String>,
    /// Groups and channels only. `Some(None)` clears the topic.
    pub topic: Option<Option<String>>,
    /// Groups only.
    pub is_private: Option<bool>,
    /// Groups and channels only: whether only admins may post.
    pub announcement_only: Option<bool>,
    /// Groups only.
    pub is_archived: Option<bool>,
}

impl CompanyAdmin<'_> {
    /// Lists all conversations of a company in order of creation, including deleted ones (W-16).
    ///
    /// # Errors
    /// `invalid_cursor`; `not_found` for an unknown company.
    pub async fn list_all_conversations(self, request: PageRequest<'_>) -> Result<Page<ConversationView>> {
        let workspace = self.company_id();
        let filter = workspace.encode();
        let scope = CursorScope {
            endpoint: "admin.conversations",
            owner: self.caller().cursor_owner(),
            conversation: None,
            filter: &filter,
        };
        let after = self.world().position(&scope, request.cursor, 0)?;
        let op = ListAllConversations { workspace, after, limit: i64::from(request.limit) + 1 };
        let found = self.world().db.read(op).await?;
        Ok(self.world().page(&scope, request.limit, found, |v| v.id.0).map(ConversationView::from))
    }
}

impl Caller {
    /// Changes a conversation (W-18). The apps of the bots in the conversation are notified of a new name and of the
    /// archiving of a group, and of no other change (D-177, D-178, D-180). They are not notified of changes of
    /// announcement-only conversations (D-166).
    ///
    /// # Errors
    /// - `invalid_request` for a name without visible characters.
    /// - `conversation_not_found`, also for a caller outside the company and for a deleted conversation.
    /// - `forbidden` for people who are not admins.
    /// - `invalid_request` for a field that conversations of this kind do not have.
    pub async fn change_conversation(
        &self,
        id: NamedConversation,
        change: ConversationChange,
    ) -> Result<ConversationView> {
        check_visible("name", change.name.as_deref())?;
        let op =
            ChangeConversation { stamp: self.world().stamp(), principal: self.to_principal(), id, change };
        Ok(self.write(op).await?.into())
    }

    /// Deletes a conversation (W-19). A group is deleted together with its channels. The apps of the bots in each
    /// deleted group or channel are notified (D-179), except for announcement-only conversations (D-166).
    ///
    /// # Errors
    /// - `conversation_not_found`, also for a caller outside the company and for a conversation that is already
    ///   deleted.
    /// - `forbidden` for people who are not admins.
    pub async fn delete_conversation(&self, id: NamedConversation) -> Result<()> {
        match self
            .write(DeleteConversation { stamp: self.world().stamp(), principal: self.to_principal(), id })
            .await?
        {
            Deleted::Now => Ok(()),
            Deleted::Before => refuse(Code::ConversationNotFound),
        }
    }
}

/// Returns the conversation that a request names, of any company, even if it is deleted.
///
/// # Errors
/// `conversation_not_found` if no conversation has this kind and number.
pub(super) async fn named<C: ReadSql>(c: &mut C, id: NamedConversation) -> Result<Conversation> {
    let Some((kind, id)) = id else { return refuse(Code::ConversationNotFound) };
    match conversations::by_id(c, id).await? {
        Some(conversation) if conversation.kind == kind => Ok(conversation),
        _ => refuse(Code::ConversationNotFound),
    }
}

/// Locks and returns a conversation of a company that the caller administers.
///
/// # Errors
/// `conversation_not_found`, also for a deleted conversation; `forbidden`.
pub(super) async fn lock_existing<C: Sql>(
    c: &mut C,
    principal: &CallerPrincipal,
    id: NamedConversation,
) -> Result<Conversation> {
    let conversation = lock_any(c, principal, id).await?;
    if conversation.deleted_at.is_some() {
        return refuse(Code::ConversationNotFound);
    }
    Ok(conversation)
}

/// Does the same as [`lock_existing`], and also accepts a deleted conversation.
async fn lock_any<C: Sql>(
    c: &mut C,
    principal: &CallerPrincipal,
    id: NamedConversation,
) -> Result<Conversation> {
    let conversation = administered(c, principal, id).await?;
    conversations::lock(c, conversation.id).await?;
    // read again, because the conversation can have changed before the lock was granted
    named(c, id).await
}

/// Returns a conversation of a company that the caller administers, without locking it. Call this before the
/// conversation is locked, so that a caller who does not administer the company locks nothing and cannot delay others.
///
/// # Errors
/// `conversation_not_found`, `forbidden`.
pub(super) async fn administered<C: ReadSql>(
    c: &mut C,
    principal: &CallerPrincipal,
    id: NamedConversation,
) -> Result<Conversation> {
    let conversation = named(c, id).await?;
    principal.administer(conversation.workspace_id, Code::ConversationNotFound)?;
    Ok(conversation)
}

struct ListAllConversations {
    workspace: WorkspaceId,
    after: i64,
    limit: i64,
}

impl ReadOp for ListAllConversations {
    const NAME: &'static str = "list_all_conversations";
    const REPLICA: bool = true;
    type Out = Vec<Conversation>;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Self::Out> {
        if workspaces::by_id(c, self.workspace).await?.is_none() {
            return refuse(Code::NotFound);
        }
        let mut page = conversation_lists::of_company(c, self.workspace, self.after, self.limit).await?;
        conversation_lists::count_direct(c, &mut page).await?;
        Ok(page)
    }
}

struct ChangeConversation {
    stamp: Stamp,
    principal: CallerPrincipal,
    id: NamedConversation,
    change: ConversationChange,
}

impl ChangeConversation {
    /// Rejects a change of fields that conversations of this kind do not have.
    fn check_fields(&self, kind: ConversationKind) -> Result<()> {
        let ConversationChange { name, topic, is_private, announcement_only, is_archived } = &self.change;
        let changes_group_field = is_private.is_some() || is_archived.is_some();
        match kind {
            ConversationKind::Channel if changes_group_field => {
                invalid("type and is_archived can be changed on the channel's group only")
            }
            ConversationKind::Dm
                if changes_group_field
                    || name.is_some()
                    || topic.is_some()
                    || announcement_only.is_some() =>
            {
                invalid("a direct message cannot be changed")
            }
            ConversationKind::Group | ConversationKind::Channel | ConversationKind::Dm => Ok(()),
        }
    }
}

impl Op for ChangeConversation {
    const NAME: &'static str = "change_conversation";
    type Out = Conversation;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Conversation> {
        let before = lock_existing(c, &self.principal, self.id).await?;
        self.check_fields(before.kind)?;
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
            Some(true) => after.archived_at.or(Some(self.stamp.now)),
            Some(false) => None,
            None => after.archived_at,
        };
        // Writes to the channels of a group rely on the group's state. The response waits until the writes that began
        // before the commit have ended. It waits even if this request changes nothing: an earlier request may have made
        // the same change, and may still be waiting for these writes.
        conversations::drain_channels(c, after.workspace_id, after.id).await?;
        if after == before {
            conversation_lists::count_direct(c, std::slice::from_mut(&mut after)).await?;
            return Ok(after);
        }
        conversations::update(c, &after).await?;
        if after.name != before.name {
            outbox::conversations(c, &self.stamp, DirectoryEventKind::ConversationRenamed, &[&after]).await?;
        }
        if before.archived_at.is_none() && after.archived_at.is_some() {
            outbox::conversations(c, &self.stamp, DirectoryEventKind::ConversationArchived, &[&after])
                .await?;
        }
        Ok(after)
    }
}

/// Result of a request to delete a conversation.
enum Deleted {
    Now,
    /// An earlier request deleted the conversation. If that request is still waiting for writes in progress, this
    /// request must wait for them too. The store waits only after a commit, and an error would roll the transaction
    /// back. So the operation returns this value instead of an error.
    Before,
}

struct DeleteConversation {
    stamp: Stamp,
    principal: CallerPrincipal,
    id: NamedConversation,
}

impl Op for DeleteConversation {
    const NAME: &'static str = "delete_conversation";
    type Out = Deleted;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Deleted> {
        let conversation = lock_any(c, &self.principal, self.id).await?;
        if conversation.deleted_at.is_some() {
            conversations::drain_deleted_channels(c, &conversation).await?;
            return Ok(Deleted::Before);
        }
        if conversation.kind == ConversationKind::Dm {
            // the next message between the two users creates a new conversation
            conversations::release_pair(c, conversation.id).await?;
        }
        let mut deleted = Vec::new();
        if conversation.kind == ConversationKind::Group {
            conversations::drain_channels(c, conversation.workspace_id, conversation.id).await?;
            let channels = conversations::channels_of(c, conversation.id).await?;
            deleted = conversations::by_ids(c, &channels).await?;
        }
        let all: Vec<_> = deleted.iter().chain([&conversation]).collect();
        outbox::conversations(c, &self.stamp, DirectoryEventKind::ConversationDeleted, &all).await?;
        search::delete_conversation(c, conversation.id, self.stamp.now).await?;
        Ok(Deleted::Now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::testing::{Recorded, world};

    #[tokio::test]
    async fn deleting_a_group_with_five_channels_takes_as_many_statements_as_with_one() {
        let world = world().await;
        let team = world.team(1, 1).await;
        let mut statements = Vec::new();
        for number in [1, 5] {
            let group = world.conversation(team.company, None, &team.bots).await;
            let mut expected = Vec::new();
            for _ in 0..number {
                let channel = world.conversation(team.company, Some(group), &team.bots).await;
                expected.push(("conversation.deleted".to_owned(), channel.encode(ConversationKind::Channel)));
            }
            expected.push(("conversation.deleted".to_owned(), group.encode(ConversationKind::Group)));
            let before = world.changes_for(&team.bots[0]).await.len();
            let delete = DeleteConversation {
                stamp: world.stamp(),
                principal: CallerPrincipal::Operator,
                id: Some((ConversationKind::Group, group)),
            };
            let (names, _) = world.db.write(Recorded(delete)).await.unwrap();
            statements.push(names.len());
            assert_eq!(world.changes_for(&team.bots[0]).await[before..], expected);
        }
        assert_eq!(statements[1], statements[0]);
    }
}
