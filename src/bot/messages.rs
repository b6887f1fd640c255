//! Handlers for sending, editing and deleting messages.

use std::time::Duration;

use serde_json::Value;

use super::{BotApi, auth::report_sent};
use crate::{
    contract::{Nullable, OperationError, answer},
    domain::{
        blocks,
        ids::{ConversationId, MessageId, UserId},
        json_fingerprint::fingerprint,
        message::{self, Metadata},
        refusal::Refusal,
    },
    generated::bot::{
        CreateMessageError, CreateMessageRequest, CreateMessageSuccess, DeleteMessageError,
        DeleteMessageRequest, DeleteMessageSuccess, MessagesHandlers, UpdateMessageError,
        UpdateMessageRequest, UpdateMessageSuccess, types,
    },
    platform::clock::Clock,
    service::{
        bot::access::Bot,
        bot::edit::MessageEdit,
        bot::send::{BotMessageRequest, Destination, Sent},
    },
};

/// Maximum duration of a send after its body was read.
const SEND_DEADLINE: Duration = Duration::from_secs(30);
/// `Retry-After` in seconds for a send that exceeded the deadline.
const RETRY_AFTER: u32 = 5;

impl From<Sent> for types::SentMessage {
    fn from(sent: Sent) -> Self {
        let in_dm = sent.kind.is_dm();
        Self {
            id: sent.id.encode(in_dm),
            conversation_id: sent.conversation_id.encode(sent.kind),
            thread_id: Nullable(sent.thread_id.map(|id| id.encode(in_dm))),
            created_at: sent.created_at,
        }
    }
}

fn destination(to: &types::Destination) -> Destination {
    match to.r#type {
        types::DestinationType::User => Destination::User(UserId::parse(&to.id)),
        types::DestinationType::Conversation => Destination::Conversation(ConversationId::parse(&to.id)),
    }
}

/// Checks the blocks, and returns them as JSON text; `None` if there are no blocks (D-063).
fn blocks_text(blocks: Option<Vec<types::Block>>) -> Result<Option<String>, Refusal> {
    let mut blocks: Vec<Value> = blocks.unwrap_or_default().into_iter().map(|block| block.0).collect();
    blocks::check(&mut blocks)?;
    Ok((!blocks.is_empty()).then(|| Value::Array(blocks).to_string()))
}

/// Returns the metadata exactly as the client sent it. `sent` is the whole, validated body as JSON. The generated types
/// would change the notation of numbers, so the metadata is not read from them (D-028).
fn metadata(mut sent: Value) -> Option<Metadata> {
    match sent.get_mut("metadata").map(Value::take) {
        Some(Value::Object(metadata)) => Some(metadata),
        _ => None,
    }
}

/// Returns the outcome of a send if the send takes at most `deadline`. Each wait of a send (for a slot, a connection, a
/// lock, a statement, a retry) has its own timeout, and `deadline` limits their sum. A send whose write operation
/// has started completes even after the deadline. A later request with the same idempotency key then gets the response
/// of the completed send.
///
/// # Errors
/// `server_error` with `Retry-After` after the deadline.
async fn in_time<T>(
    clock: &Clock,
    deadline: Duration,
    sending: impl Future<Output = T>,
) -> Result<T, Refusal> {
    tokio::select! {
        biased;
        outcome = sending => Ok(outcome),
        () = clock.sleep_until_real(clock.instant() + deadline) => {
            let message =
                "the message could not be stored in time; repeat the request with the same idempotency key";
            Err(Refusal::busy(message, RETRY_AFTER))
        }
    }
}

impl MessagesHandlers for BotApi {
    async fn create_message(
        &self,
        bot: Bot,
        request: CreateMessageRequest,
    ) -> Result<CreateMessageSuccess, OperationError<CreateMessageError>> {
        let fingerprint = fingerprint(&request.sent);
        let metadata = metadata(request.sent);
        let body = request.body;
        if let Some(metadata) = &metadata {
            message::check_metadata(metadata)?;
        }
        let message_request = BotMessageRequest {
            key: request.idempotency_key,
            fingerprint,
            to: destination(&body.to),
            text: body.text,
            blocks: blocks_text(body.blocks)?,
            metadata: metadata.map(|metadata| Value::Object(metadata).to_string()),
            thread: body.thread_id.take().map(|id| MessageId::parse(&id)),
        };
        let outcome = in_time(&self.world.clock, SEND_DEADLINE, bot.send(message_request)).await?;
        report_sent(self, bot.caller(), outcome.limits);
        let sent = outcome.sent?;
        if !sent.replayed {
            answer::reports_write();
        }
        let replayed = sent.replayed.then(|| "true".to_owned());
        let answer = types::MessageResult { ok: types::True, message: sent.into() };
        Ok(CreateMessageSuccess::Status201 { body: answer, idempotent_replayed: replayed })
    }

    async fn update_message(
        &self,
        bot: Bot,
        request: UpdateMessageRequest,
    ) -> Result<UpdateMessageSuccess, OperationError<UpdateMessageError>> {
        let metadata = metadata(request.sent);
        let body = request.body;
        if let Some(metadata) = &metadata {
            message::check_metadata(metadata)?;
        }
        let change = MessageEdit { text: body.text, blocks: blocks_text(body.blocks)?, metadata };
        let sent = bot.edit(MessageId::parse(&request.id), change).await?;
        Ok(types::MessageResult { ok: types::True, message: sent.into() }.into())
    }

    async fn delete_message(
        &self,
        bot: Bot,
        request: DeleteMessageRequest,
    ) -> Result<DeleteMessageSuccess, OperationError<DeleteMessageError>> {
        bot.delete(MessageId::parse(&request.id)).await?;
        Ok(types::OkResult { ok: types::True }.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::refusal::Code;

    #[tokio::test]
    async fn a_send_that_exceeds_the_deadline_gets_a_503_with_retry_after() {
        let clock = Clock::system();
        let refusal = in_time(&clock, Duration::ZERO, std::future::pending::<()>()).await.unwrap_err();
        assert_eq!((refusal.code, refusal.retry_after), (Code::ServerError, Some(RETRY_AFTER)));
        assert_eq!(refusal.status(), 503);
        let ready = in_time(&clock, Duration::ZERO, std::future::ready(7)).await;
        assert_eq!(ready.unwrap(), 7, "an outcome that is ready is returned, even after the deadline");
    }
}
