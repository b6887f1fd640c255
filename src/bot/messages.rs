//! Sending, editing and deleting messages.

use serde_json::Value;

use super::{Bot, auth::tell_sent};
use crate::{
    contract::{Nullable, Problem},
    domain::{
        blocks,
        ids::{ConversationId, MessageId, UserId},
        json::fingerprint,
        message::{self, Metadata},
        refusal::Refusal,
    },
    generated::bot::{
        CreateMessageError, CreateMessageRequest, CreateMessageSuccess, DeleteMessageError,
        DeleteMessageRequest, DeleteMessageSuccess, MessagesHandlers, UpdateMessageError,
        UpdateMessageRequest, UpdateMessageSuccess, types,
    },
    workspace::{
        access::BotCaller,
        edit::Change,
        send::{Destination, Draft, Sent},
    },
};

fn wire(sent: Sent) -> types::SentMessage {
    let in_dm = sent.kind.is_dm();
    types::SentMessage {
        id: sent.id.encode(in_dm),
        conversation_id: sent.conversation_id.encode(sent.kind),
        thread_id: Nullable(sent.thread_id.map(|id| id.encode(in_dm))),
        created_at: sent.created_at,
    }
}

fn destination(to: &types::Destination) -> Destination {
    match to.r#type {
        types::DestinationType::User => Destination::User(UserId::parse(&to.id)),
        types::DestinationType::Conversation => Destination::Conversation(ConversationId::parse(&to.id)),
    }
}

/// The blocks as JSON text; none when there are none to show (D-063).
fn blocks_text(blocks: Option<Vec<types::Block>>) -> Result<Option<String>, Refusal> {
    let blocks: Vec<Value> = blocks.unwrap_or_default().into_iter().map(|block| block.0).collect();
    blocks::check(&blocks)?;
    Ok((!blocks.is_empty()).then(|| Value::Array(blocks).to_string()))
}

/// The metadata of a checked body as they were sent: the generated types would spell numbers anew (D-028).
fn metadata(mut sent: Value) -> Option<Metadata> {
    match sent.get_mut("metadata").map(Value::take) {
        Some(Value::Object(metadata)) => Some(metadata),
        _ => None,
    }
}

impl MessagesHandlers for Bot {
    async fn create_message(
        &self,
        caller: BotCaller,
        request: CreateMessageRequest,
    ) -> Result<CreateMessageSuccess, Problem<CreateMessageError>> {
        let fingerprint = fingerprint(&request.sent);
        let metadata = metadata(request.sent);
        let body = request.body;
        if let Some(metadata) = &metadata {
            message::check_metadata(metadata)?;
        }
        let draft = Draft {
            key: request.idempotency_key,
            fingerprint,
            to: destination(&body.to),
            text: body.text,
            blocks: blocks_text(body.blocks)?,
            metadata: metadata.map(|metadata| Value::Object(metadata).to_string()),
            thread: body.thread_id.take().map(|id| MessageId::parse(&id)),
        };
        let outcome = self.world.send(caller, draft).await;
        tell_sent(self, &caller, outcome.limits);
        let sent = outcome.sent?;
        let replayed = sent.replayed.then(|| "true".to_owned());
        let answer = types::MessageResult { ok: types::True, message: wire(sent) };
        Ok(CreateMessageSuccess::Status201 { body: answer, idempotent_replayed: replayed })
    }

    async fn update_message(
        &self,
        caller: BotCaller,
        request: UpdateMessageRequest,
    ) -> Result<UpdateMessageSuccess, Problem<UpdateMessageError>> {
        let metadata = metadata(request.sent);
        let body = request.body;
        if let Some(metadata) = &metadata {
            message::check_metadata(metadata)?;
        }
        let change = Change { text: body.text, blocks: blocks_text(body.blocks)?, metadata };
        let sent = self.world.edit(caller, MessageId::parse(&request.id), change).await?;
        Ok(types::MessageResult { ok: types::True, message: wire(sent) }.into())
    }

    async fn delete_message(
        &self,
        caller: BotCaller,
        request: DeleteMessageRequest,
    ) -> Result<DeleteMessageSuccess, Problem<DeleteMessageError>> {
        self.world.delete(caller, MessageId::parse(&request.id)).await?;
        Ok(types::OkResult { ok: types::True }.into())
    }
}
