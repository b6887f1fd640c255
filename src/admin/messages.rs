//! The full view of messages, and those of people and of the system.

use std::collections::BTreeMap;

use poem_openapi::types::MaybeUndefined;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Admin, DONE, page_request, value};
use crate::{
    contract::{Nullable, Problem},
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
    store::{Error, StoreError, messages::Edit},
    workspace::{
        edit::read_metadata,
        posts::{FullMessage, NewClick, NewPost, Sender},
        principal::Principal,
    },
};

fn wire_type(kind: MessageType) -> types::MessageType {
    match kind {
        MessageType::Text => types::MessageType::Text,
        MessageType::Image => types::MessageType::Image,
        MessageType::File => types::MessageType::File,
        MessageType::System => types::MessageType::System,
        MessageType::Audio => types::MessageType::Audio,
        MessageType::Video => types::MessageType::Video,
        MessageType::Location => types::MessageType::Location,
        MessageType::Contact => types::MessageType::Contact,
        MessageType::Call => types::MessageType::Call,
        MessageType::Poll => types::MessageType::Poll,
        MessageType::Survey => types::MessageType::Survey,
    }
}

fn read_type(kind: types::MessageType) -> MessageType {
    match kind {
        types::MessageType::Text => MessageType::Text,
        types::MessageType::Image => MessageType::Image,
        types::MessageType::File => MessageType::File,
        types::MessageType::System => MessageType::System,
        types::MessageType::Audio => MessageType::Audio,
        types::MessageType::Video => MessageType::Video,
        types::MessageType::Location => MessageType::Location,
        types::MessageType::Contact => MessageType::Contact,
        types::MessageType::Call => MessageType::Call,
        types::MessageType::Poll => MessageType::Poll,
        types::MessageType::Survey => MessageType::Survey,
    }
}

/// What was stored as JSON text.
fn stored<T: DeserializeOwned>(text: Option<String>) -> Result<Nullable<T>, Error> {
    let read = text.map(|text| serde_json::from_str(&text)).transpose();
    Ok(Nullable(read.map_err(|error| StoreError::bug(format!("stored blocks: {error}")))?))
}

fn stored_metadata(text: Option<&str>) -> Result<Nullable<BTreeMap<String, Value>>, Error> {
    let read = text.map(read_metadata).transpose()?;
    Ok(Nullable(read.map(|metadata| metadata.into_iter().collect())))
}

fn wire_edit(edit: Edit) -> Result<types::MessageEdit, Error> {
    let blocks = stored(edit.blocks)?;
    Ok(types::MessageEdit { text: Nullable(Some(edit.text)), blocks, edited_at: edit.edited_at })
}

fn wire(full: FullMessage) -> Result<types::Message, Error> {
    let FullMessage { conversation: (kind, conversation), message, files, edits } = full;
    let in_dm = kind.is_dm();
    Ok(types::Message {
        id: message.id.encode(in_dm),
        conversation_id: conversation.encode(kind),
        user_id: Nullable(message.sender_id.map(UserId::encode)),
        r#type: wire_type(message.kind),
        text: Nullable(message.text),
        blocks: stored(message.blocks)?,
        metadata: stored_metadata(message.metadata.as_deref())?,
        thread_id: Nullable(message.thread_id.map(|id| id.encode(in_dm))),
        files: files.into_iter().map(|id| types::FileRef { id: id.encode() }).collect(),
        client_key: Nullable(message.client_key),
        via_label: Nullable(message.via_label),
        edits: edits.into_iter().map(wire_edit).collect::<Result<_, _>>()?,
        created_at: message.created_at,
        edited_at: Nullable(message.edited_at),
        deleted_at: Nullable(message.deleted_at),
    })
}

fn result(full: FullMessage) -> Result<types::MessageResult, Error> {
    Ok(types::MessageResult { ok: types::True, message: wire(full)? })
}

/// Who is to be the sender, by the body and, for the operator, the header.
fn sender(
    who: &Principal,
    user_id: MaybeUndefined<String>,
    acting_user: Option<String>,
) -> Result<Sender, Refusal> {
    let acting_user = acting_user.filter(|_| matches!(who, Principal::Operator));
    match (user_id, acting_user) {
        (MaybeUndefined::Undefined, None) => Ok(Sender::Unsaid),
        (MaybeUndefined::Null, None) => Ok(Sender::System),
        (MaybeUndefined::Undefined, Some(id)) | (MaybeUndefined::Value(id), None) => {
            Ok(Sender::Person(UserId::parse(&id)))
        }
        (MaybeUndefined::Value(id), Some(acting)) if id == acting => Ok(Sender::Person(UserId::parse(&id))),
        (MaybeUndefined::Null | MaybeUndefined::Value(_), Some(_)) => {
            Err(Refusal::because(Code::InvalidRequest, "user_id and X-Acting-User name different senders"))
        }
    }
}

impl MessagesHandlers for Admin {
    async fn create_message(
        &self,
        caller: Principal,
        request: CreateMessageRequest,
    ) -> Result<CreateMessageSuccess, Problem<CreateMessageError>> {
        let body = request.body;
        let new = NewPost {
            sender: sender(&caller, body.user_id, request.x_acting_user)?,
            kind: read_type(body.r#type),
            text: body.text,
            files: body.file_ids.unwrap_or_default().iter().map(|id| FileId::parse(id)).collect(),
            thread: value(body.thread_id).map(|id| MessageId::parse(&id)),
            client_key: body.client_key,
        };
        let id = ConversationId::parse(&request.conversation_id);
        Ok(result(self.world.post(&caller, id, new).await?)?.into())
    }

    async fn list_messages(
        &self,
        caller: Principal,
        request: ListMessagesRequest,
    ) -> Result<ListMessagesSuccess, Problem<ListMessagesError>> {
        let id = ConversationId::parse(&request.conversation_id);
        let page = page_request(request.limit, request.cursor.as_ref());
        let page = self.world.list_full_messages(&caller, id, page).await?;
        Ok(ListMessagesSuccess::Status200(types::MessagePage {
            ok: types::True,
            messages: page.items.into_iter().map(wire).collect::<Result<_, _>>()?,
            next_cursor: Nullable(page.next_cursor),
        }))
    }

    async fn update_message(
        &self,
        caller: Principal,
        request: UpdateMessageRequest,
    ) -> Result<UpdateMessageSuccess, Problem<UpdateMessageError>> {
        let id = MessageId::parse(&request.message_id);
        Ok(result(self.world.edit_post(&caller, id, request.body.text).await?)?.into())
    }

    async fn delete_message(
        &self,
        caller: Principal,
        request: DeleteMessageRequest,
    ) -> Result<DeleteMessageSuccess, Problem<DeleteMessageError>> {
        self.world.delete_any_message(&caller, MessageId::parse(&request.message_id)).await?;
        Ok(DONE.into())
    }

    async fn create_interaction(
        &self,
        caller: Principal,
        request: CreateInteractionRequest,
    ) -> Result<CreateInteractionSuccess, Problem<CreateInteractionError>> {
        let types::InteractionCreate { user_id, action_id, value } = request.body;
        let click = NewClick { user: UserId::parse(&user_id), action_id, value };
        self.world.click(&caller, MessageId::parse(&request.message_id), click).await?;
        Ok(DONE.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::ids::AccountId;

    #[test]
    fn the_operator_names_a_sender_in_one_of_two_places() {
        let (one, other) = (UserId(1).encode(), UserId(2).encode());
        let asked = |user_id: MaybeUndefined<&str>, acting: Option<&str>| {
            let user_id = match user_id {
                MaybeUndefined::Undefined => MaybeUndefined::Undefined,
                MaybeUndefined::Null => MaybeUndefined::Null,
                MaybeUndefined::Value(id) => MaybeUndefined::Value(id.to_owned()),
            };
            sender(&Principal::Operator, user_id, acting.map(str::to_owned)).map_err(|refusal| refusal.code)
        };
        let (one, other) = (one.as_str(), other.as_str());
        assert_eq!(asked(MaybeUndefined::Undefined, None), Ok(Sender::Unsaid));
        assert_eq!(asked(MaybeUndefined::Null, None), Ok(Sender::System));
        assert_eq!(asked(MaybeUndefined::Undefined, Some(one)), Ok(Sender::Person(Some(UserId(1)))));
        assert_eq!(asked(MaybeUndefined::Value(one), None), Ok(Sender::Person(Some(UserId(1)))));
        assert_eq!(asked(MaybeUndefined::Value(one), Some(one)), Ok(Sender::Person(Some(UserId(1)))));
        assert_eq!(asked(MaybeUndefined::Value("x"), None), Ok(Sender::Person(None)));
        assert_eq!(asked(MaybeUndefined::Value(one), Some(other)), Err(Code::InvalidRequest));
        assert_eq!(asked(MaybeUndefined::Null, Some(one)), Err(Code::InvalidRequest));
    }

    #[test]
    fn a_session_s_header_is_not_looked_at() {
        let who = Principal::Account { account_id: AccountId(1), session: [0; 32], persons: Vec::new() };
        let asked = sender(&who, MaybeUndefined::Undefined, Some(UserId(1).encode()));
        assert_eq!(asked, Ok(Sender::Unsaid));
    }
}
