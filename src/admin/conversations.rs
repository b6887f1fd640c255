//! Handlers for groups, channels and direct conversations, and for their members.

use super::{Admin, DONE, change, parse_workspace, value};
use crate::{
    contract::{Nullable, OperationError},
    domain::{
        conversation::ConversationKind,
        ids::{ConversationId, UserId},
    },
    generated::admin::{
        AddMemberError, AddMemberRequest, AddMemberSuccess, ConversationsHandlers, CreateConversationError,
        CreateConversationRequest, CreateConversationSuccess, DeleteConversationError,
        DeleteConversationRequest, DeleteConversationSuccess, GetConversationError, GetConversationRequest,
        GetConversationSuccess, ListConversationsError, ListConversationsRequest, ListConversationsSuccess,
        ListMembersError, ListMembersRequest, ListMembersSuccess, RemoveMemberError, RemoveMemberRequest,
        RemoveMemberSuccess, UpdateConversationError, UpdateConversationRequest, UpdateConversationSuccess,
        types,
    },
    service::{
        callers::Caller,
        conversations::{ConversationChange, ConversationView, MemberView, NewConversation},
        paging::{Page, PageRequest},
    },
};

impl From<ConversationView> for types::Conversation {
    fn from(conversation: ConversationView) -> Self {
        let kind = match conversation.kind {
            ConversationKind::Group => types::ConversationKind::Group,
            ConversationKind::Channel => types::ConversationKind::Channel,
            ConversationKind::Dm => types::ConversationKind::Dm,
        };
        let r#type = match (conversation.kind, conversation.is_private) {
            (ConversationKind::Dm, _) => None,
            (_, true) => Some(types::ConversationType::PrivateChannel),
            (_, false) => Some(types::ConversationType::Channel),
        };
        Self {
            id: conversation.id.encode(conversation.kind),
            kind,
            workspace_id: conversation.workspace_id.encode(),
            parent_id: Nullable(conversation.parent_id.map(|id| id.encode(ConversationKind::Group))),
            name: Nullable(conversation.name),
            r#type: Nullable(r#type),
            topic: Nullable(conversation.topic),
            announcement_only: conversation.announcement_only,
            is_archived: conversation.is_archived,
            is_deleted: conversation.is_deleted,
            member_count: conversation.member_count,
            created_at: conversation.created_at,
        }
    }
}

fn result(conversation: ConversationView) -> types::ConversationResult {
    types::ConversationResult { ok: types::True, conversation: conversation.into() }
}

impl From<MemberView> for types::Member {
    fn from(member: MemberView) -> Self {
        Self {
            user_id: member.user_id.encode(),
            joined_at: member.joined_at,
            left_at: Nullable(member.left_at),
            is_bot: member.is_bot,
        }
    }
}

fn detail(conversation: ConversationView, members: Page<MemberView>) -> types::ConversationDetail {
    let plain = types::Conversation::from(conversation);
    types::ConversationDetail {
        id: plain.id,
        kind: plain.kind,
        workspace_id: plain.workspace_id,
        parent_id: plain.parent_id,
        name: plain.name,
        r#type: plain.r#type,
        topic: plain.topic,
        announcement_only: plain.announcement_only,
        is_archived: plain.is_archived,
        is_deleted: plain.is_deleted,
        member_count: plain.member_count,
        created_at: plain.created_at,
        members: members.items.into_iter().map(Into::into).collect(),
        members_cursor: Nullable(members.next_cursor),
    }
}

fn is_private(kind: types::ConversationType) -> bool {
    kind == types::ConversationType::PrivateChannel
}

fn read_create(body: types::ConversationCreate) -> NewConversation {
    let kind = match body.kind {
        types::ConversationKind::Group => ConversationKind::Group,
        types::ConversationKind::Channel => ConversationKind::Channel,
        types::ConversationKind::Dm => ConversationKind::Dm,
    };
    NewConversation {
        kind,
        parent: body.parent_id.map(|id| ConversationId::parse(&id)),
        name: body.name,
        topic: value(body.topic),
        is_private: body.r#type.map(is_private),
        announcement_only: body.announcement_only,
        members: body.member_ids.unwrap_or_default().iter().map(|id| UserId::parse(id)).collect(),
    }
}

fn read_update(body: types::ConversationUpdate) -> ConversationChange {
    ConversationChange {
        name: body.name,
        topic: change(body.topic),
        is_private: body.r#type.map(is_private),
        announcement_only: body.announcement_only,
        is_archived: body.is_archived,
    }
}

impl ConversationsHandlers for Admin {
    async fn create_conversation(
        &self,
        caller: Caller,
        request: CreateConversationRequest,
    ) -> Result<CreateConversationSuccess, OperationError<CreateConversationError>> {
        let workspace = parse_workspace(&request.workspace_id)?;
        let new = read_create(request.body);
        Ok(result(caller.in_company(workspace)?.create_conversation(new).await?).into())
    }

    async fn list_conversations(
        &self,
        caller: Caller,
        request: ListConversationsRequest,
    ) -> Result<ListConversationsSuccess, OperationError<ListConversationsError>> {
        let workspace = parse_workspace(&request.workspace_id)?;
        let page = PageRequest { limit: request.limit, cursor: request.cursor.as_deref() };
        let page = caller.admin_of(workspace)?.list_all_conversations(page).await?;
        Ok(ListConversationsSuccess::Status200(types::ConversationPage {
            ok: types::True,
            conversations: page.items.into_iter().map(Into::into).collect(),
            next_cursor: Nullable(page.next_cursor),
        }))
    }

    async fn get_conversation(
        &self,
        caller: Caller,
        request: GetConversationRequest,
    ) -> Result<GetConversationSuccess, OperationError<GetConversationError>> {
        let id = ConversationId::parse(&request.conversation_id);
        let (conversation, members) = caller.full_conversation(id).await?;
        let conversation = detail(conversation, members);
        Ok(types::ConversationDetailResult { ok: types::True, conversation }.into())
    }

    async fn update_conversation(
        &self,
        caller: Caller,
        request: UpdateConversationRequest,
    ) -> Result<UpdateConversationSuccess, OperationError<UpdateConversationError>> {
        let id = ConversationId::parse(&request.conversation_id);
        let change = read_update(request.body);
        Ok(result(caller.change_conversation(id, change).await?).into())
    }

    async fn delete_conversation(
        &self,
        caller: Caller,
        request: DeleteConversationRequest,
    ) -> Result<DeleteConversationSuccess, OperationError<DeleteConversationError>> {
        caller.delete_conversation(ConversationId::parse(&request.conversation_id)).await?;
        Ok(DONE.into())
    }

    async fn list_members(
        &self,
        caller: Caller,
        request: ListMembersRequest,
    ) -> Result<ListMembersSuccess, OperationError<ListMembersError>> {
        let id = ConversationId::parse(&request.conversation_id);
        let page = PageRequest { limit: request.limit, cursor: request.cursor.as_deref() };
        let page = caller.list_members(id, page).await?;
        Ok(ListMembersSuccess::Status200(types::MemberPage {
            ok: types::True,
            members: page.items.into_iter().map(Into::into).collect(),
            next_cursor: Nullable(page.next_cursor),
        }))
    }

    async fn add_member(
        &self,
        caller: Caller,
        request: AddMemberRequest,
    ) -> Result<AddMemberSuccess, OperationError<AddMemberError>> {
        let id = ConversationId::parse(&request.conversation_id);
        caller.add_member(id, UserId::parse(&request.user_id)).await?;
        Ok(DONE.into())
    }

    async fn remove_member(
        &self,
        caller: Caller,
        request: RemoveMemberRequest,
    ) -> Result<RemoveMemberSuccess, OperationError<RemoveMemberError>> {
        let id = ConversationId::parse(&request.conversation_id);
        caller.remove_member(id, UserId::parse(&request.user_id)).await?;
        Ok(DONE.into())
    }
}
