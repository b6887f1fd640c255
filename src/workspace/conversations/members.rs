//! Who is in a conversation, as lists of the admin API: [`World::full_conversation`] begins the list, and
//! [`World::list_members`] goes on.

use super::{NamedConversation, named};
use crate::{
    domain::{
        cursor::CursorScope,
        ids::{ConversationId, UserId},
        refusal::Code,
    },
    store::{
        Op, Result, Sql,
        conversation_lists::{self, MemberDetail},
        conversations::{self, Conversation},
    },
    workspace::{
        World,
        principal::{Principal, Right},
        reading::{Page, PageRequest},
        refuse,
    },
};

/// Members that are shown with a conversation (W-17).
const SHOWN: u32 = 200;
/// Members read in one go for somebody who does not see all of them.
const BATCH: i64 = 500;

impl World {
    /// A conversation, deleted or not, with the first of its past and present members (W-17). The page's cursor is one of
    /// [`World::list_members`].
    ///
    /// # Errors
    /// `conversation_not_found`, also for strangers; `forbidden` for people who are no admins.
    pub async fn full_conversation(
        &self,
        who: &Principal,
        id: NamedConversation,
    ) -> Result<(Conversation, Page<MemberDetail>)> {
        let op = FindFullConversation { who: who.clone(), id };
        let (conversation, members) = self.db.read(op).await?;
        let page = self.page(&scope(who, id), SHOWN, members, |member| member.user_id.0);
        Ok((conversation, page))
    }

    /// The members of a conversation in order of their ids (W-47). The operator and admins see past members too, also of
    /// deleted conversations; a member sees the members of today, without guests whom members do not see (B-126). Those
    /// who are not shown are not counted and do not end a page: a cursor holds the id of somebody who is shown.
    ///
    /// # Errors
    /// `invalid_cursor`; `conversation_not_found`, also for strangers and people who never were members;
    /// `not_in_conversation` for people who left.
    pub async fn list_members(
        &self,
        who: &Principal,
        id: NamedConversation,
        request: PageRequest<'_>,
    ) -> Result<Page<MemberDetail>> {
        let scope = scope(who, id);
        let after = self.position(&scope, request.cursor, 0)?;
        let op = ListMembers { who: who.clone(), id, after, limit: i64::from(request.limit) + 1 };
        let members = self.db.read(op).await?;
        Ok(self.page(&scope, request.limit, members, |member| member.user_id.0))
    }
}

/// Whether a member of a conversation is shown another one.
fn sees(reader: UserId, member: &MemberDetail) -> bool {
    let is_hidden = member.is_external && !member.guest_visible;
    member.left_at.is_none() && (!is_hidden || member.user_id == reader)
}

fn scope(who: &Principal, id: NamedConversation) -> CursorScope<'static> {
    CursorScope {
        endpoint: "admin.members",
        owner: who.cursor_owner(),
        conversation: id.map(|(_, id)| id),
        filter: id.map_or("", |(kind, _)| kind.name()),
    }
}

struct FindFullConversation {
    who: Principal,
    id: NamedConversation,
}

impl Op for FindFullConversation {
    const NAME: &'static str = "find_full_conversation";
    const REPLICA: bool = true;
    type Out = (Conversation, Vec<MemberDetail>);

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Self::Out> {
        let mut conversation = named(c, self.id).await?;
        self.who.administer(conversation.workspace_id, Code::ConversationNotFound)?;
        conversation_lists::count_direct(c, std::slice::from_mut(&mut conversation)).await?;
        let members = conversation_lists::members(c, conversation.id, 0, i64::from(SHOWN) + 1).await?;
        Ok((conversation, members))
    }
}

struct ListMembers {
    who: Principal,
    id: NamedConversation,
    after: i64,
    limit: i64,
}

impl Op for ListMembers {
    const NAME: &'static str = "list_members";
    const REPLICA: bool = true;
    type Out = Vec<MemberDetail>;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Self::Out> {
        let conversation = named(c, self.id).await?;
        let Some(right) = self.who.right_in(conversation.workspace_id) else {
            return refuse(Code::ConversationNotFound);
        };
        let Right::Person(reader) = right else {
            return conversation_lists::members(c, conversation.id, self.after, self.limit).await;
        };
        let member = conversations::member(c, conversation.id, reader).await?;
        match member.filter(|_| conversation.deleted_at.is_none()) {
            None => refuse(Code::ConversationNotFound),
            Some(member) if member.left_at.is_some() => refuse(Code::NotInConversation),
            Some(_) => self.seen_by(c, conversation.id, reader).await,
        }
    }
}

impl ListMembers {
    /// Those whom a member of the conversation sees, as many as are asked for.
    async fn seen_by<C: Sql>(
        &self,
        c: &mut C,
        conversation: ConversationId,
        reader: UserId,
    ) -> Result<Vec<MemberDetail>> {
        let wanted = usize::try_from(self.limit).unwrap_or(usize::MAX);
        let (mut seen, mut after) = (Vec::new(), self.after);
        loop {
            let batch = conversation_lists::members(c, conversation, after, self.limit.max(BATCH)).await?;
            let is_last = i64::try_from(batch.len()).is_ok_and(|read| read < self.limit.max(BATCH));
            after = batch.last().map_or(after, |member| member.user_id.0);
            seen.extend(batch.into_iter().filter(|member| sees(reader, member)));
            if is_last || seen.len() >= wanted {
                seen.truncate(wanted);
                return Ok(seen);
            }
        }
    }
}
