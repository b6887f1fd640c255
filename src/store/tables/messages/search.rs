//! The full-text index of messages, and the queue of messages that must be indexed. The index is an FTS5 table on
//! SQLite, and a `tsvector` with a GIN index on PostgreSQL. [`candidates`](crate::store::candidates) queries the index.
//!
//! [`messages`](crate::store::messages) queues new and edited messages in the transaction that writes them. System
//! messages and new messages without a text are not queued. A queued message is indexed later
//! (`docs/decisions/0005-message-search.md`). The index contains the words, the conversation and the sender of each
//! message. A search reads the current content of a message, and who may see the message, from the other tables.

use std::{collections::BTreeMap, fmt::Write as _};

use serde_json::{Value, json};

use crate::domain::{
    ids::{ConversationId, MessageId, UserId, WorkspaceId},
    search::words,
    time::Timestamp,
};
use crate::store::{Engine, ReadSql, Result, Sql, args, conversations, row, statements};

/// The highest position of a word in a `tsvector`. The index has later words of a message too, but no positions of
/// them.
const MAX_POSITION: usize = 16_383;
/// The maximum number of positions that are stored for one word: one less than PostgreSQL's maximum of 256 for a
/// lexeme.
const MAX_POSITIONS: usize = 255;
/// On PostgreSQL, the tag of a message whose `tsvector` lacks positions: the message has more than [`MAX_POSITION`]
/// words, or one word more than [`MAX_POSITIONS`] times. The index cannot decide whether a phrase occurs in such a
/// message. So a message with this tag is a candidate if it has the phrase's words, and the search then compares the
/// text of the message.
pub(in crate::store) const PARTIAL: &str = "partial";

/// The indexed fields of a message.
#[derive(Clone, Debug, PartialEq)]
pub struct Indexable {
    pub id: MessageId,
    pub conversation_id: ConversationId,
    pub sender_id: Option<UserId>,
    pub text: String,
}
row!(Indexable { id, conversation_id, sender_id, text });

statements! {
    QUEUE: Command = "INSERT INTO search_queue (message_id, workspace_id) VALUES ($1, $2)";
    // if the message is already queued, the update locks its row, so that no other process dequeues the message before
    // this change is committed
    QUEUE_AGAIN: Command = "INSERT INTO search_queue (message_id, workspace_id) VALUES ($1, $2)
        ON CONFLICT (message_id) DO UPDATE SET message_id = excluded.message_id";
    UNQUEUE: Command = "DELETE FROM search_queue WHERE message_id = $1";
    REMOVE: Command = sqlite "DELETE FROM message_index WHERE rowid = $1"
        postgres "DELETE FROM message_index WHERE message_id = $1";
    PURGE: Command = "INSERT INTO search_purges (conversation_id, after_id, workspace_id)
        SELECT id, 0, workspace_id FROM conversations WHERE id = $1 OR parent_id = $1
        ON CONFLICT (conversation_id) DO NOTHING";
    TAKE: LockingQuery = sqlite "SELECT message_id FROM search_queue ORDER BY message_id DESC LIMIT $1"
        postgres "SELECT message_id FROM search_queue ORDER BY message_id DESC LIMIT $1 FOR UPDATE SKIP LOCKED";
    UNQUEUE_MANY: Command =
        sqlite "DELETE FROM search_queue WHERE message_id IN (SELECT value FROM json_each($1))"
        postgres "DELETE FROM search_queue WHERE message_id = ANY($1)";
    REMOVE_MANY: Command =
        sqlite "DELETE FROM message_index WHERE rowid IN (SELECT value FROM json_each($1))"
        postgres "DELETE FROM message_index WHERE message_id = ANY($1)";
    INDEXABLE: Query -> Indexable =
        sqlite "SELECT m.id, m.conversation_id, m.sender_id, m.text
            FROM json_each($1) j CROSS JOIN messages m ON m.id = j.value
            CROSS JOIN conversations v ON v.id = m.conversation_id
            WHERE m.type <> 3 AND m.text IS NOT NULL AND v.deleted_at IS NULL"
        postgres "SELECT m.id, m.conversation_id, m.sender_id, m.text
            FROM unnest(CAST($1 AS BIGINT[])) AS j (id)
            CROSS JOIN LATERAL (SELECT * FROM messages
                WHERE id = j.id AND type <> 3 AND text IS NOT NULL LIMIT 1) AS m
            CROSS JOIN LATERAL (SELECT id FROM conversations
                WHERE id = m.conversation_id AND deleted_at IS NULL LIMIT 1) AS v";
    ADD: Command =
        sqlite "INSERT INTO message_index (rowid, words, tags)
            SELECT json_extract(value, '$.id'), json_extract(value, '$.words'), json_extract(value, '$.tags')
            FROM json_each($1)"
        postgres "INSERT INTO message_index (message_id, words)
            SELECT CAST(d->>'id' AS BIGINT), CAST(d->>'words' AS TSVECTOR)
            FROM jsonb_array_elements(CAST(CAST($1 AS TEXT) AS JSONB)) d";
    WAITS: Query = "SELECT EXISTS (SELECT 1 FROM search_queue) OR EXISTS (SELECT 1 FROM search_purges)";
    NEXT_PURGE: LockingQuery = sqlite "SELECT conversation_id, after_id FROM search_purges ORDER BY conversation_id LIMIT 1"
        postgres "SELECT conversation_id, after_id FROM search_purges ORDER BY conversation_id LIMIT 1
            FOR UPDATE SKIP LOCKED";
    TO_PURGE: Query =
        sqlite "SELECT id FROM messages WHERE conversation_id = $1 AND id > $2 ORDER BY id LIMIT $3"
        postgres "SELECT id FROM messages
            WHERE (conversation_id, id) >= ($1, $2) AND (conversation_id, id) <= ($1, 9223372036854775807)
                AND id <> $2
            ORDER BY conversation_id, id LIMIT $3";
    PURGED_TO: Command = "UPDATE search_purges SET after_id = $2 WHERE conversation_id = $1";
    PURGED: Command = "DELETE FROM search_purges WHERE conversation_id = $1";
}

/// Queues a new message for indexing. Used on SQLite only: on PostgreSQL, the statement that inserts the message also
/// queues it.
pub(in crate::store) async fn queue<C: Sql>(c: &mut C, workspace: WorkspaceId, id: MessageId) -> Result<()> {
    c.exec(&QUEUE, args![id, workspace]).await?;
    Ok(())
}

/// Queues an edited message, so that it is indexed again.
pub(in crate::store) async fn queue_again<C: Sql>(
    c: &mut C,
    workspace: WorkspaceId,
    id: MessageId,
) -> Result<()> {
    c.exec(&QUEUE_AGAIN, args![id, workspace]).await?;
    Ok(())
}

/// Removes a deleted message from the queue and then from the index. If another process is indexing the message, the
/// deletion from the queue waits until that process has finished. So the process cannot add the message to the index
/// after the message was removed from the index.
pub(in crate::store) async fn remove<C: Sql>(c: &mut C, id: MessageId) -> Result<()> {
    c.exec(&UNQUEUE, args![id]).await?;
    c.exec(&REMOVE, args![id]).await?;
    Ok(())
}

/// Deletes a conversation. If the conversation is a group, also deletes the group's channels. From then on, searches
/// omit the messages of the deleted conversations. The messages are removed from the index later: the conversations are
/// queued for [`remove_deleted`].
pub async fn delete_conversation<C: Sql>(c: &mut C, id: ConversationId, now: Timestamp) -> Result<()> {
    conversations::delete(c, id, now).await?;
    c.exec(&PURGE, args![id]).await?;
    Ok(())
}

/// Returns whether a message is queued for indexing, or a deleted conversation is queued for the removal of its
/// messages from the index.
pub async fn is_pending<C: ReadSql>(c: &mut C) -> Result<bool> {
    c.one(&WAITS, args![]).await
}

/// Indexes up to `limit` queued messages, the newest first. Returns the number of messages that were removed from the
/// queue. On PostgreSQL, omits messages whose rows in the queue are locked by another process.
pub async fn index_queued<C: Sql>(c: &mut C, limit: i64) -> Result<usize> {
    let taken: Vec<MessageId> = c.lock_all(&TAKE, args![limit]).await?;
    if taken.is_empty() {
        return Ok(0);
    }
    // The messages are read after the rows of the queue were locked. So a concurrent change of one of the messages
    // waits for this transaction, and then queues the message again.
    let mut found: Vec<Indexable> = c.all(&INDEXABLE, args![&taken]).await?;
    // sorted by id, because FTS5 flushes its pending data whenever an id is lower than the previous one
    found.sort_unstable_by_key(|message| message.id);
    c.exec(&REMOVE_MANY, args![&taken]).await?;
    if !found.is_empty() {
        let documents: Vec<_> = found.iter().map(|message| document(c.engine(), message)).collect();
        let documents = Value::Array(documents).to_string();
        c.exec(&ADD, args![&documents]).await?;
    }
    c.exec(&UNQUEUE_MANY, args![&taken]).await?;
    Ok(taken.len())
}

/// Removes up to `limit` messages of a queued deleted conversation from the queue of messages and from the index.
/// Returns the number of these messages. If no messages of the conversation are left, removes the conversation from the
/// queue of deleted conversations and returns 0. Returns `None` if this queue is empty. On PostgreSQL, also returns
/// `None` if other processes have locked every conversation in it.
pub async fn remove_deleted<C: Sql>(c: &mut C, limit: i64) -> Result<Option<usize>> {
    let Some((conversation, after)) = c.lock_opt::<(ConversationId, MessageId)>(&NEXT_PURGE, args![]).await?
    else {
        return Ok(None);
    };
    let messages: Vec<MessageId> = c.all(&TO_PURGE, args![conversation, after, limit]).await?;
    match messages.last() {
        None => c.exec(&PURGED, args![conversation]).await?,
        Some(&last) => {
            c.exec(&UNQUEUE_MANY, args![&messages]).await?;
            c.exec(&REMOVE_MANY, args![&messages]).await?;
            c.exec(&PURGED_TO, args![conversation, last]).await?
        }
    };
    Ok(Some(messages.len()))
}

/// Encodes a message as an element of the list that [`ADD`] takes. A word contains no ASCII characters except letters
/// and digits, so no character needs to be escaped.
fn document(engine: Engine, message: &Indexable) -> Value {
    let words = words(&message.text);
    let tags = [Some(of_conversation(message.conversation_id)), message.sender_id.map(of_sender)];
    let tags = tags.into_iter().flatten();
    match engine {
        Engine::Sqlite => {
            let tags: Vec<_> = tags.collect();
            json!({"id": message.id.0, "words": words.join(" "), "tags": tags.join(" ")})
        }
        Engine::Postgres => {
            let mut positions: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
            let mut is_partial = false;
            for (position, word) in (1..).zip(&words) {
                let positions = positions.entry(word).or_default();
                if position <= MAX_POSITION && positions.len() < MAX_POSITIONS {
                    positions.push(position);
                } else {
                    is_partial = true;
                }
            }
            let mut vector = String::new();
            for (word, positions) in positions {
                let positions: Vec<_> = positions.iter().map(usize::to_string).collect();
                let separator = if positions.is_empty() { "" } else { ":" };
                let _ = write!(vector, "'{word}'{separator}{} ", positions.join(","));
            }
            for tag in tags {
                let _ = write!(vector, "'@{tag}' ");
            }
            if is_partial {
                let _ = write!(vector, "'@{PARTIAL}' ");
            }
            json!({"id": message.id.0, "words": vector})
        }
    }
}

/// Returns the tag that the messages of a conversation have in the index.
pub(in crate::store) fn of_conversation(id: ConversationId) -> String {
    format!("c{:x}", id.0)
}

/// Returns the tag that the messages of a sender have in the index.
pub(in crate::store) fn of_sender(id: UserId) -> String {
    format!("u{:x}", id.0)
}
