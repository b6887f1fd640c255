//! Groups, channels, direct messages, and who is in them.

use super::{Admin, DONE, change, page_request, parse_workspace, value};
use crate::{
    contract::{Nullable, Problem},
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
    store::{conversation_lists::MemberDetail, conversations::Conversation},
    workspace::{
        conversations::{ConversationChange, NewConversation},
        principal::Principal,
        reading::Page,
    },
};

fn wire(conversation: Conversation) -> types::Conversation {
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
    types::Conversation {
        id: conversation.id.encode(conversation.kind),
        kind,
        workspace_id: conversation.workspace_id.encode(),
        parent_id: Nullable(conversation.parent_id.map(|id| id.encode(ConversationKind::Group))),
        name: Nullable(conversation.name),
        r#type: Nullable(r#type),
        topic: Nullable(conversation.topic),
        announcement_only: conversation.announcement_only,
        is_archived: conversation.archived_at.is_some(),
        is_deleted: conversation.deleted_at.is_some(),
        member_count: conversation.active_members,
        created_at: conversation.created_at,
    }
}

fn result(conversation: Conversation) -> types::ConversationResult {
    types::ConversationResult { ok: types::True, conversation: wire(conversation) }
}

fn wire_member(member: MemberDetail) -> types::Member {
    types::Member {
        user_id: member.user_id.encode(),
        joined_at: member.joined_at,
        left_at: Nullable(member.left_at),
        is_bot: member.is_bot,
    }
}

fn detail(conversation: Conversation, members: Page<MemberDetail>) -> types::ConversationDetail {
    let plain = wire(conversation);
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
        members: members.items.into_iter().map(wire_member).collect(),
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
        caller: Principal,
        request: CreateConversationRequest,
    ) -> Result<CreateConversationSuccess, Problem<CreateConversationError>> {
        let workspace = parse_workspace(&request.workspace_id)?;
        let new = read_create(request.body);
        Ok(result(self.world.create_conversation(&caller, workspace, new).await?).into())
    }

    async fn list_conversations(
        &self,
        caller: Principal,
        request: ListConversationsRequest,
    ) -> Result<ListConversationsSuccess, Problem<ListConversationsError>> {
        let workspace = parse_workspace(&request.workspace_id)?;
        let page = page_request(request.limit, request.cursor.as_ref());
        let page = self.world.list_all_conversations(&caller, workspace, page).await?;
        Ok(ListConversationsSuccess::Status200(types::ConversationPage {
            ok: types::True,
            conversations: page.items.into_iter().map(wire).collect(),
            next_cursor: Nullable(page.next_cursor),
        }))
    }

    async fn get_conversation(
        &self,
        caller: Principal,
        request: GetConversationRequest,
    ) -> Result<GetConversationSuccess, Problem<GetConversationError>> {
        let id = ConversationId::parse(&request.conversation_id);
        let (conversation, members) = self.world.full_conversation(&caller, id).await?;
        let conversation = detail(conversation, members);
        Ok(types::ConversationDetailResult { ok: types::True, conversation }.into())
    }

    async fn update_conversation(
        &self,
        caller: Principal,
        request: UpdateConversationRequest,
    ) -> Result<UpdateConversationSuccess, Problem<UpdateConversationError>> {
        let id = ConversationId::parse(&request.conversation_id);
        let change = read_update(request.body);
        Ok(result(self.world.change_conversation(&caller, id, change).await?).into())
    }

    async fn delete_conversation(
        &self,
        caller: Principal,
        request: DeleteConversationRequest,
    ) -> Result<DeleteConversationSuccess, Problem<DeleteConversationError>> {
        self.world.delete_conversation(&caller, ConversationId::parse(&request.conversation_id)).await?;
        Ok(DONE.into())
    }

    async fn list_members(
        &self,
        caller: Principal,
        request: ListMembersRequest,
    ) -> Result<ListMembersSuccess, Problem<ListMembersError>> {
        let id = ConversationId::parse(&request.conversation_id);
        let page = page_request(request.limit, request.cursor.as_ref());
        let page = self.world.list_members(&caller, id, page).await?;
        Ok(ListMembersSuccess::Status200(types::MemberPage {
            ok: types::True,
            members: page.items.into_iter().map(wire_member).collect(),
            next_cursor: Nullable(page.next_cursor),
        }))
    }

    async fn add_member(
        &self,
        caller: Principal,
        request: AddMemberRequest,
    ) -> Result<AddMemberSuccess, Problem<AddMemberError>> {
        let id = ConversationId::parse(&request.conversation_id);
        self.world.add_member(&caller, id, UserId::parse(&request.user_id)).await?;
        Ok(DONE.into())
    }

    async fn remove_member(
        &self,
        caller: Principal,
        request: RemoveMemberRequest,
    ) -> Result<RemoveMemberSuccess, Problem<RemoveMemberError>> {
        let id = ConversationId::parse(&request.conversation_id);
        self.world.remove_member(&caller, id, UserId::parse(&request.user_id)).await?;
        Ok(DONE.into())
    }
}
