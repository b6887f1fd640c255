//! Erases the content of deleted messages from events (B-251). The body of an `interaction` event has content of the
//! message whose button was clicked.
//!
//! Pending events keep this content until they are delivered, have failed or are dropped. If events still have content
//! of a deleted message, the message is *marked* in `deleted_messages.in_events`, so that the maintenance job erases
//! the content later.

use serde_json::{Value, json};

use crate::domain::{
    delivery::DeliveryState,
    ids::{EventId, MessageId},
    time::Timestamp,
};
use crate::store::{ReadSql, Result, Sql, args, messages::Message, row, statements};

/// An event whose body has content of a message.
#[derive(Clone, Debug, PartialEq)]
pub struct EventBody {
    pub id: EventId,
    pub state: DeliveryState,
    pub body: String,
}
row!(EventBody { id, state, body });

// `$among` is the condition for the ids of the messages. Because of `ORDER BY … LIMIT` in the subquery, PostgreSQL
// looks up the events of each message in the index `events_by_message`. Without this clause, PostgreSQL might join or
// scan all events (decision 18).
macro_rules! clear {
    ($among:literal) => {
        concat!(
            "UPDATE deleted_messages SET in_events = 0 WHERE id ",
            $among,
            " AND (SELECT e.id FROM events e WHERE e.message_id = deleted_messages.id AND e.erased_at IS NULL
                ORDER BY e.state, e.id LIMIT 1) IS NULL"
        )
    };
}

statements! {
    // Only events that are not pending are erased, so these come first: pending events have the lowest state, 0.
    OF_MESSAGE: Query -> EventBody = "SELECT id, state, body FROM events WHERE message_id = $1 AND erased_at IS NULL
        ORDER BY state DESC, id DESC LIMIT $2";
    // Because of the inner limit, PostgreSQL does not join all events. The inner limit is higher than every `$2`, so it
    // does not change the result.
    FINISHED_OF: Query -> EventBody =
        sqlite "SELECT e.id, e.state, e.body FROM json_each($1) AS m
            CROSS JOIN events e ON e.message_id = m.value AND e.erased_at IS NULL AND e.state > 0 LIMIT $2"
        postgres "SELECT e.id, e.state, e.body FROM unnest($1::bigint[]) AS m (id)
            CROSS JOIN LATERAL (SELECT id, state, body FROM events
                WHERE message_id = m.id AND erased_at IS NULL AND state > 0
                ORDER BY state, id LIMIT 1000) AS e LIMIT $2";
    // does not change an event that a redelivery has made pending again since the event was read
    ERASE: Command =
        sqlite "UPDATE events AS e SET body = g.body, erased_at = $2
            FROM (SELECT value->>0 AS id, value->>1 AS body FROM json_each($1)) AS g
            WHERE e.id = g.id AND e.state > 0 AND e.erased_at IS NULL"
        postgres "UPDATE events AS e SET body = g.body, erased_at = $2
            FROM (SELECT (v->>0)::bigint AS id, v->>1 AS body FROM json_array_elements($1::text::json) AS v) AS g
            WHERE e.id = g.id AND e.state > 0 AND e.erased_at IS NULL";
    MARK: Command = "UPDATE deleted_messages SET in_events = 1 WHERE conversation_id = $1 AND id = $2";
    MARKED: Query = "SELECT id FROM deleted_messages WHERE in_events = 1 AND id > $1 ORDER BY id LIMIT $2";
    CLEAR: Command =
        sqlite clear!("IN (SELECT value FROM json_each($1))")
        postgres clear!("= ANY($1)");
}

/// Returns up to `limit` events whose bodies have content of a message. Pending events are last.
pub async fn of_message<C: ReadSql>(c: &mut C, message: MessageId, limit: i64) -> Result<Vec<EventBody>> {
    c.all(&OF_MESSAGE, args![message, limit]).await
}

/// Returns up to `limit` events whose bodies have content of one of `messages`. Omits pending events.
pub async fn finished_of<C: ReadSql>(
    c: &mut C,
    messages: &[MessageId],
    limit: i64,
) -> Result<Vec<EventBody>> {
    c.all(&FINISHED_OF, args![messages, limit]).await
}

/// Replaces the bodies of events by the given bodies, which no longer have content of a message. Does not change
/// pending events. Returns the number of changed events.
pub async fn erase<C: Sql>(c: &mut C, erased: &[(EventId, String)], now: Timestamp) -> Result<u64> {
    if erased.is_empty() {
        return Ok(0);
    }
    let rows: Vec<Value> = erased.iter().map(|(id, body)| json!([id.0, body])).collect();
    c.exec(&ERASE, args![&Value::Array(rows).to_string(), now]).await
}

/// Marks a deleted message, because events still have its content.
pub async fn mark<C: Sql>(c: &mut C, message: &Message) -> Result<()> {
    c.exec(&MARK, args![message.conversation_id, message.id]).await?;
    Ok(())
}

/// Returns up to `limit` marked messages whose ids are above `after`, ordered by id.
pub async fn marked<C: ReadSql>(c: &mut C, after: MessageId, limit: i64) -> Result<Vec<MessageId>> {
    c.all(&MARKED, args![after, limit]).await
}

/// Removes the marks of those messages whose content was erased from all events.
pub async fn clear<C: Sql>(c: &mut C, messages: &[MessageId]) -> Result<()> {
    c.exec(&CLEAR, args![messages]).await?;
    Ok(())
}
