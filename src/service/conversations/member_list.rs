//! Members of a conversation for the admin API. [`Caller::full_conversation`] returns a conversation with the first
//! page of its members, and [`Caller::list_members`] returns any page of the members.

use super::{ConversationView, NamedConversation, named, still_member::still_member};
use crate::{
    domain::{
        cursor::CursorScope,
        ids::{ConversationId, UserId},
        refusal::Code,
        time::Timestamp,
    },
    service::{
        callers::{
            Caller,
            principal::{CallerPrincipal, Right},
        },
        paging::{Page, PageRequest},
        people::visible_user::Viewer,
        refuse, view,
    },
    store::{
        ReadOp, ReadSql, Result,
        conversation_lists::{self, MemberDetail},
        conversations::{self, Conversation},
    },
};

/// Maximum number of members that are returned together with their conversation (W-17).
const MAX_SHOWN: u32 = 200;
/// Minimum number of members that a statement reads for a caller who does not see all members. The statement also reads
/// the members whom the caller does not see, so a small page could otherwise need many statements.
const BATCH: i64 = 500;

view! {
    /// A past or present member of a conversation.
    MemberView of MemberDetail {
        user_id: UserId,
        joined_at: Timestamp,
        left_at: Option<Timestamp>,
        is_bot: bool,
    }
}

impl Caller {
    /// Returns a conversation with the first page of its past and present members (W-17), even if the conversation is
    /// deleted. [`Caller::list_members`] accepts the cursor of the page.
    ///
    /// # Errors
    /// - `conversation_not_found`, also for a caller outside the company.
    /// - `forbidden` for people who are not admins.
    pub async fn full_conversation(
        &self,
        id: NamedConversation,
    ) -> Result<(ConversationView, Page<MemberView>)> {
        let op = FindFullConversation { principal: self.to_principal(), id };
        let (conversation, members) = self.world().db.read(op).await?;
        let page = self.world().page(&scope(self, id), MAX_SHOWN, members, |member| member.user_id.0);
        Ok((conversation.into(), page.map(MemberView::from)))
    }

    /// Lists the members of a conversation in order of their ids (W-47). The operator and admins also see past members,
    /// and members of deleted conversations. Other people see only present members, without hidden guests (D-145). But
    /// a hidden guest who reads the list sees their own entry. Members whom the caller does not see do not count
    /// towards the page size, and no cursor contains their ids.
    ///
    /// # Errors
    /// - `invalid_cursor`.
    /// - `conversation_not_found`, also for a caller outside the company. People who are not admins also get this error
    ///   if they were never members, or if the conversation is deleted.
    /// - `not_in_conversation` for people who are not admins and have left the conversation.
    pub async fn list_members(
        &self,
        id: NamedConversation,
        request: PageRequest<'_>,
    ) -> Result<Page<MemberView>> {
        let scope = scope(self, id);
        let after = self.world().position(&scope, request.cursor, 0)?;
        let op =
            ListMembers { principal: self.to_principal(), id, after, limit: i64::from(request.limit) + 1 };
        let members = self.world().db.read(op).await?;
        Ok(self.world().page(&scope, request.limit, members, |member| member.user_id.0).map(MemberView::from))
    }
}

fn scope(caller: &Caller, id: NamedConversation) -> CursorScope<'static> {
    CursorScope {
        endpoint: "admin.members",
        owner: caller.cursor_owner(),
        conversation: id.map(|(_, id)| id),
        filter: id.map_or("", |(kind, _)| kind.name()),
    }
}

struct FindFullConversation {
    principal: CallerPrincipal,
    id: NamedConversation,
}

impl ReadOp for FindFullConversation {
    const NAME: &'static str = "find_full_conversation";
    const REPLICA: bool = true;
    type Out = (Conversation, Vec<MemberDetail>);

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Self::Out> {
        let mut conversation = named(c, self.id).await?;
        self.principal.administer(conversation.workspace_id, Code::ConversationNotFound)?;
        conversation_lists::count_direct(c, std::slice::from_mut(&mut conversation)).await?;
        let members = conversation_lists::members(c, conversation.id, 0, i64::from(MAX_SHOWN) + 1).await?;
        Ok((conversation, members))
    }
}

struct ListMembers {
    principal: CallerPrincipal,
    id: NamedConversation,
    after: i64,
    limit: i64,
}

impl ReadOp for ListMembers {
    const NAME: &'static str = "list_members";
    const REPLICA: bool = true;
    const CHECKS_MEMBERSHIP: bool = true;
    type Out = Vec<MemberDetail>;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Self::Out> {
        let conversation = named(c, self.id).await?;
        let Some(right) = self.principal.right_in(conversation.workspace_id) else {
            return refuse(Code::ConversationNotFound);
        };
        let Right::Person(reader) = right else {
            return conversation_lists::members(c, conversation.id, self.after, self.limit).await;
        };
        let member = conversations::member(c, conversation.id, reader).await?;
        match member.filter(|_| conversation.deleted_at.is_none()) {
            None => refuse(Code::ConversationNotFound),
            Some(member) if member.left_at.is_some() => refuse(Code::NotInConversation),
            Some(member) => {
                let viewer = Viewer::person(conversation.workspace_id, reader);
                let visible = self.visible_to(c, conversation.id, viewer).await?;
                still_member(c, reader, conversation.id, &member).await?;
                Ok(visible)
            }
        }
    }
}

impl ListMembers {
    /// Returns up to `limit` present members that are visible to `viewer`.
    async fn visible_to<C: ReadSql>(
        &self,
        c: &mut C,
        conversation: ConversationId,
        viewer: Viewer,
    ) -> Result<Vec<MemberDetail>> {
        let limit = usize::try_from(self.limit).unwrap_or(usize::MAX);
        let (mut visible, mut after) = (Vec::new(), self.after);
        loop {
            let batch = conversation_lists::members(c, conversation, after, self.limit.max(BATCH)).await?;
            let is_last = i64::try_from(batch.len()).is_ok_and(|read| read < self.limit.max(BATCH));
            after = batch.last().map_or(after, |member| member.user_id.0);
            visible.extend(
                batch.into_iter().filter(|member| member.left_at.is_none() && viewer.sees_member(member)),
            );
            if is_last || visible.len() >= limit {
                visible.truncate(limit);
                return Ok(visible);
            }
        }
    }
}
