//! The handlers of the admin API for messages: list all messages of a conversation, post messages of people and of the
//! system, edit messages of people, delete any message, and click buttons in a sandbox.

use super::{Admin, DONE, value};
use crate::{
    api::same_variants,
    contract::{Nullable, OperationError},
    domain::{
        conversation::MessageType,
        ids::{ConversationId, FileId, MessageId, UserId},
        refusal::{Code, Refusal},
    },
    generated::admin::{
        CreateInteractionError, CreateInteractionRequest, CreateInteractionSuccess, CreateMessageError,
        CreateMessageRequest, CreateMessageSuccess, DeleteMessageError, DeleteMessageRequest,
        DeleteMessageSuccess, ListMessagesError, ListMessagesRequest, ListMessagesSuccess, MessagesHandlers,
        UpdateMessageError, UpdateMessageRequest, UpdateMessageSuccess, types,
    },
    service::{
        callers::{Caller, CallerKind},
        messages::{FullMessage, NewClick, NewPost, PreviousVersion, SenderChoice},
        paging::PageRequest,
    },
};
use poem_openapi::types::MaybeUndefined;

same_variants! {
    MessageType => types::MessageTypeValue {
        Text, Image, File, System, Audio, Video, Location, Contact, Call, Poll, Survey
    }
}

same_variants! {
    types::MessageType => MessageType {
        Text, Image, File, System, Audio, Video, Location, Contact, Call, Poll, Survey
    }
}

impl From<PreviousVersion> for types::MessageEdit {
    fn from(edit: PreviousVersion) -> Self {
        let PreviousVersion { text, blocks, edited_at } = edit;
        Self { text: Nullable(Some(text)), blocks: Nullable(blocks), edited_at }
    }
}

impl From<FullMessage> for types::Message {
    fn from(message: FullMessage) -> Self {
        let (kind, conversation) = message.conversation;
        let in_dm = kind.is_dm();
        Self {
            id: message.id.encode(in_dm),
            conversation_id: conversation.encode(kind),
            user_id: Nullable(message.sender_id.map(UserId::encode)),
            r#type: message.kind.into(),
            text: Nullable(message.text),
            blocks: Nullable(message.blocks),
            metadata: Nullable(message.metadata.map(|metadata| metadata.into_iter().collect())),
            thread_id: Nullable(message.thread_id.map(|id| id.encode(in_dm))),
            files: message.files.into_iter().map(|id| types::FileRef { id: id.encode() }).collect(),
            client_key: Nullable(message.client_key),
            via_label: Nullable(message.via_label),
            edits: message.edits.into_iter().map(Into::into).collect(),
            created_at: message.created_at,
            edited_at: Nullable(message.edited_at),
            deleted_at: Nullable(message.deleted_at),
        }
    }
}

fn result(message: FullMessage) -> types::MessageResult {
    types::MessageResult { ok: types::True, message: message.into() }
}

/// Determines the sender of a message from `user_id` in the body and, for the operator only, from the header
/// `X-Acting-User`.
///
/// # Errors
/// `invalid_request` if both name a sender, and the senders differ. A `user_id` of null names the system as the sender.
fn sender(
    caller_kind: CallerKind,
    user_id: MaybeUndefined<String>,
    acting_user: Option<String>,
) -> Result<SenderChoice, Refusal> {
    let acting_user = acting_user.filter(|_| caller_kind == CallerKind::Operator);
    match (user_id, acting_user) {
        (MaybeUndefined::Undefined, None) => Ok(SenderChoice::Default),
        (MaybeUndefined::Null, None) => Ok(SenderChoice::System),
        (MaybeUndefined::Undefined, Some(id)) | (MaybeUndefined::Value(id), None) => {
            Ok(SenderChoice::Person(UserId::parse(&id)))
        }
        (MaybeUndefined::Value(id), Some(acting)) if id == acting => {
            Ok(SenderChoice::Person(UserId::parse(&id)))
        }
        (MaybeUndefined::Null | MaybeUndefined::Value(_), Some(_)) => {
            Err(Refusal::because(Code::InvalidRequest, "user_id and X-Acting-User name different senders"))
        }
    }
}

impl MessagesHandlers for Admin {
    async fn create_message(
        &self,
        caller: Caller,
        request: CreateMessageRequest,
    ) -> Result<CreateMessageSuccess, OperationError<CreateMessageError>> {
        let body = request.body;
        let new = NewPost {
            sender: sender(caller.kind(), body.user_id, request.x_acting_user)?,
            kind: body.r#type.into(),
            text: body.text,
            files: body.file_ids.unwrap_or_default().iter().map(|id| FileId::parse(id)).collect(),
            thread: value(body.thread_id).map(|id| MessageId::parse(&id)),
            client_key: body.client_key,
        };
        let id = ConversationId::parse(&request.conversation_id);
        Ok(result(caller.post(id, new).await?).into())
    }

    async fn list_messages(
        &self,
        caller: Caller,
        request: ListMessagesRequest,
    ) -> Result<ListMessagesSuccess, OperationError<ListMessagesError>> {
        let id = ConversationId::parse(&request.conversation_id);
        let page = PageRequest { limit: request.limit, cursor: request.cursor.as_deref() };
        let page = caller.list_full_messages(id, page).await?;
        Ok(ListMessagesSuccess::Status200(types::MessagePage {
            ok: types::True,
            messages: page.items.into_iter().map(Into::into).collect(),
            next_cursor: Nullable(page.next_cursor),
        }))
    }

    async fn update_message(
        &self,
        caller: Caller,
        request: UpdateMessageRequest,
    ) -> Result<UpdateMessageSuccess, OperationError<UpdateMessageError>> {
        let id = MessageId::parse(&request.message_id);
        Ok(result(caller.edit_post(id, request.body.text).await?).into())
    }

    async fn delete_message(
        &self,
        caller: Caller,
        request: DeleteMessageRequest,
    ) -> Result<DeleteMessageSuccess, OperationError<DeleteMessageError>> {
        caller.delete_any_message(MessageId::parse(&request.message_id)).await?;
        Ok(DONE.into())
    }

    async fn create_interaction(
        &self,
        caller: Caller,
        request: CreateInteractionRequest,
    ) -> Result<CreateInteractionSuccess, OperationError<CreateInteractionError>> {
        let types::InteractionCreate { user_id, action_id, value } = request.body;
        let click = NewClick { user: UserId::parse(&user_id), action_id, value };
        caller.operator()?.click(MessageId::parse(&request.message_id), click).await?;
        Ok(DONE.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_operator_names_the_sender_in_the_body_or_the_header() {
        let (one, other) = (UserId(1).encode(), UserId(2).encode());
        let asked = |user_id: MaybeUndefined<&str>, acting: Option<&str>| {
            let user_id = match user_id {
                MaybeUndefined::Undefined => MaybeUndefined::Undefined,
                MaybeUndefined::Null => MaybeUndefined::Null,
                MaybeUndefined::Value(id) => MaybeUndefined::Value(id.to_owned()),
            };
            sender(CallerKind::Operator, user_id, acting.map(str::to_owned)).map_err(|refusal| refusal.code)
        };
        let (one, other) = (one.as_str(), other.as_str());
        assert_eq!(asked(MaybeUndefined::Undefined, None), Ok(SenderChoice::Default));
        assert_eq!(asked(MaybeUndefined::Null, None), Ok(SenderChoice::System));
        assert_eq!(asked(MaybeUndefined::Undefined, Some(one)), Ok(SenderChoice::Person(Some(UserId(1)))));
        assert_eq!(asked(MaybeUndefined::Value(one), None), Ok(SenderChoice::Person(Some(UserId(1)))));
        assert_eq!(asked(MaybeUndefined::Value(one), Some(one)), Ok(SenderChoice::Person(Some(UserId(1)))));
        assert_eq!(asked(MaybeUndefined::Value("x"), None), Ok(SenderChoice::Person(None)));
        assert_eq!(asked(MaybeUndefined::Value(one), Some(other)), Err(Code::InvalidRequest));
        assert_eq!(asked(MaybeUndefined::Null, Some(one)), Err(Code::InvalidRequest));
    }

    #[test]
    fn the_header_is_ignored_unless_the_operator_sends_it() {
        for caller_kind in [CallerKind::Admin, CallerKind::Person] {
            let asked = sender(caller_kind, MaybeUndefined::Undefined, Some(UserId(1).encode()));
            assert_eq!(asked, Ok(SenderChoice::Default));
        }
    }
}
