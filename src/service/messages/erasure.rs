//! Deletes messages and erases their content, also from events (B-251). The body of an `interaction` has such content:
//! the metadata of the message, and the value of the clicked button.
//!
//! Every attempt of an event has the same body (B-429). So a pending event keeps its content until it is delivered, has
//! failed or is dropped. An event whose content was erased is not redelivered
//! (`docs/decisions/0043-events-of-deleted-messages.md`).

use serde_json::Value;

use crate::{
    domain::{
        delivery::DeliveryState,
        ids::{EventId, MessageId},
        refusal::Code,
        time::Timestamp,
    },
    service::{World, batches::MAX_BATCHES, refuse},
    store::{
        Op, Result, Sql, StoreError,
        event_erasure::{self, EventBody},
        messages::{self, Message},
    },
};

/// Maximum number of events from which the deletion of a message erases the content. A message can have thousands of
/// events, one for each click, and the deletion holds the lock of the conversation while it changes events. The
/// maintenance job erases the content from the remaining events.
const MAX_ERASED_BY_DELETION: usize = 100;
/// Maximum number of messages in a batch of the maintenance job.
const MESSAGE_BATCH: usize = 100;
/// Maximum number of events in a batch of the maintenance job.
const EVENT_BATCH: usize = 500;

/// Deletes a message and erases its content, also from events. Keeps the hash of the message's idempotency key, so that
/// a send that reuses the key is rejected with `idempotency_key_reused` (D-100).
///
/// Files of the message that no other message has are deleted after `files_until`
/// ([`detached_files_until`](crate::service::World::detached_files_until)). They are kept if `files_until` is `None`.
///
/// # Errors
/// `message_not_found` if another request deleted the message first.
pub(in crate::service) async fn erase<C: Sql>(
    c: &mut C,
    message: &Message,
    now: Timestamp,
    files_until: Option<Timestamp>,
) -> Result<()> {
    if !messages::delete(c, message, now, files_until).await? {
        return refuse(Code::MessageNotFound);
    }
    erase_from_events(c, message, now).await
}

/// Erases the content of a deleted message from up to [`MAX_ERASED_BY_DELETION`] events that were delivered, failed or
/// dropped. If further events have the content, marks the message for the maintenance job, which erases the content
/// from these events. The caller must have locked the conversation, so that no new event with the content is written in
/// the meantime.
async fn erase_from_events<C: Sql>(c: &mut C, message: &Message, now: Timestamp) -> Result<()> {
    let found = event_erasure::of_message(c, message.id, as_limit(MAX_ERASED_BY_DELETION + 1)).await?;
    let finished = found.iter().filter(|event| event.state != DeliveryState::Pending);
    let erased = erase_bodies(c, finished.take(MAX_ERASED_BY_DELETION), now).await?;
    if erased < found.len() as u64 {
        event_erasure::mark(c, message).await?;
    }
    Ok(())
}

impl World {
    /// Erases the content of deleted messages from events that were delivered, failed or dropped. The maintenance job
    /// calls this for the events that [`erase_from_events`] left unchanged: events that were pending, and events beyond
    /// [`MAX_ERASED_BY_DELETION`].
    pub(in crate::service) async fn erase_event_content(&self, now: Timestamp) -> Result<()> {
        let mut after = Some(MessageId(0));
        for _ in 0..MAX_BATCHES {
            let Some(position) = after else { break };
            after = self.db.write(EraseContent { after: position, now }).await?;
        }
        Ok(())
    }
}

/// Erases the content of up to [`MESSAGE_BATCH`] marked messages with ids above `after` from up to [`EVENT_BATCH`]
/// events.
struct EraseContent {
    after: MessageId,
    now: Timestamp,
}

impl Op for EraseContent {
    const NAME: &'static str = "erase_event_content";
    /// The id after which the next batch begins; `None` at the end.
    type Out = Option<MessageId>;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Self::Out> {
        let messages = event_erasure::marked(c, self.after, as_limit(MESSAGE_BATCH)).await?;
        let Some(last) = messages.last().copied() else { return Ok(None) };
        let events = event_erasure::finished_of(c, &messages, as_limit(EVENT_BATCH)).await?;
        erase_bodies(c, &events, self.now).await?;
        if events.len() == EVENT_BATCH {
            return Ok(Some(self.after));
        }
        event_erasure::clear(c, &messages).await?;
        Ok((messages.len() == MESSAGE_BATCH).then_some(last))
    }
}

fn as_limit(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// Erases the content from events, and returns the number of changed events. An event that a redelivery has made
/// pending again is not changed.
async fn erase_bodies<C: Sql>(
    c: &mut C,
    events: impl IntoIterator<Item = &EventBody> + Send,
    now: Timestamp,
) -> Result<u64> {
    let erased = events.into_iter().map(|event| Ok((event.id, without_content(&event.body)?)));
    let erased: Vec<(EventId, String)> = erased.collect::<std::result::Result<_, StoreError>>()?;
    event_erasure::erase(c, &erased, now).await
}

/// Returns the body of an `interaction` without the content of the message. The members with content are set to null
/// and not removed, so the body still has all documented members.
fn without_content(body: &str) -> std::result::Result<String, StoreError> {
    let mut body: Value = serde_json::from_str(body)
        .map_err(|error| StoreError::bug(format!("failed to parse the body of an event: {error}")))?;
    for pointer in ["/data/value", "/data/message/metadata"] {
        if let Some(content) = body.pointer_mut(pointer) {
            *content = Value::Null;
        }
    }
    Ok(body.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_value_and_the_metadata_are_erased() {
        let body = |value: &str, metadata: &str| {
            format!(
                r#"{{"created_at":"2026-11-16T10:15:12.640Z","data":{{"action_id":"a","message":{{"conversation_id":"grp_1","id":"gmsg_1","metadata":{metadata}}},"user":{{"id":"usr_1"}},"value":{value}}},"id":"evt_1","type":"interaction","workspace_id":"cmp_1"}}"#
            )
        };
        let erased = without_content(&body("\"secret\"", r#"{"value":1}"#)).unwrap();
        assert_eq!(erased, body("null", "null"));
    }
}
