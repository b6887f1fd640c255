//! The full-text index of messages: FTS5 on SQLite, a `tsvector` with GIN on PostgreSQL; what has still to be taken
//! in, and looking for messages in both.
//!
//! Messages are written here by [`messages`](super::messages) as they change, in the same transaction; the index takes
//! them in later (`docs/decisions/0005-message-search.md`). It knows words, conversations and senders. Who may see a
//! message and what it says now is asked of the message itself.

use std::{collections::BTreeMap, fmt::Write as _};

use serde_json::{Value, json};

use super::{Engine, Result, Sql, args, row, statements};
use crate::domain::{
    ids::{ConversationId, MessageId, UserId},
    search::{Part, Query, words},
    time::Timestamp,
};

/// The highest place that a `tsvector` holds.
const LAST_PLACE: usize = 16_383;
/// The most places of one word in a `tsvector`.
const PLACES: usize = 255;

/// What the index takes in of a message.
#[derive(Clone, Debug, PartialEq)]
pub struct Indexable {
    pub id: MessageId,
    pub conversation_id: ConversationId,
    pub sender_id: Option<UserId>,
    pub text: String,
}
row!(Indexable { id, conversation_id, sender_id, text });

/// Which messages the index is asked for.
#[derive(Clone, Debug)]
pub struct Wanted<'a> {
    pub query: &'a Query,
    /// Only of these conversations, if not empty.
    pub conversations: &'a [ConversationId],
    pub sender: Option<UserId>,
    /// From this id on.
    pub from: MessageId,
}

/// What of the messages found may be shown.
#[derive(Clone, Copy, Debug)]
pub struct Sight {
    pub reader: UserId,
    pub conversation: Option<ConversationId>,
    pub sender: Option<UserId>,
    pub after: Timestamp,
    pub before: Timestamp,
}

statements! {
    QUEUE = "INSERT INTO search_queue (message_id) VALUES ($1)";
    // an update locks the row, so that no other process takes it before this change is committed
    QUEUE_AGAIN = "INSERT INTO search_queue (message_id) VALUES ($1)
        ON CONFLICT (message_id) DO UPDATE SET message_id = excluded.message_id";
    UNQUEUE = "DELETE FROM search_queue WHERE message_id = $1";
    REMOVE = sqlite "DELETE FROM message_index WHERE rowid = $1"
        postgres "DELETE FROM message_index WHERE message_id = $1";
    PURGE = "INSERT INTO search_purges (conversation_id, after_id)
        SELECT id, 0 FROM conversations WHERE id = $1 OR parent_id = $1
        ON CONFLICT (conversation_id) DO NOTHING";
    TAKE = sqlite "SELECT message_id FROM search_queue ORDER BY message_id DESC LIMIT $1"
        postgres "SELECT message_id FROM search_queue ORDER BY message_id DESC LIMIT $1 FOR UPDATE SKIP LOCKED";
    UNQUEUE_MANY =
        sqlite "DELETE FROM search_queue WHERE message_id IN (SELECT value FROM json_each($1))"
        postgres "DELETE FROM search_queue WHERE message_id = ANY($1)";
    REMOVE_MANY =
        sqlite "DELETE FROM message_index WHERE rowid IN (SELECT value FROM json_each($1))"
        postgres "DELETE FROM message_index WHERE message_id = ANY($1)";
    INDEXABLE =
        sqlite "SELECT m.id, m.conversation_id, m.sender_id, m.text
            FROM json_each($1) j CROSS JOIN messages m ON m.id = j.value
            CROSS JOIN conversations v ON v.id = m.conversation_id
            WHERE m.type <> 3 AND m.text IS NOT NULL AND v.deleted_at IS NULL"
        postgres "SELECT m.id, m.conversation_id, m.sender_id, m.text
            FROM messages m JOIN conversations v ON v.id = m.conversation_id
            WHERE m.id = ANY($1) AND m.type <> 3 AND m.text IS NOT NULL AND v.deleted_at IS NULL";
    ADD =
        sqlite "INSERT INTO message_index (rowid, words, tags)
            SELECT json_extract(value, '$.id'), json_extract(value, '$.words'), json_extract(value, '$.tags')
            FROM json_each($1)"
        postgres "INSERT INTO message_index (message_id, words)
            SELECT CAST(d->>'id' AS BIGINT), CAST(d->>'words' AS TSVECTOR)
            FROM jsonb_array_elements(CAST(CAST($1 AS TEXT) AS JSONB)) d";
    WAITS = "SELECT EXISTS (SELECT 1 FROM search_queue) OR EXISTS (SELECT 1 FROM search_purges)";
    NEXT_PURGE = sqlite "SELECT conversation_id, after_id FROM search_purges ORDER BY conversation_id LIMIT 1"
        postgres "SELECT conversation_id, after_id FROM search_purges ORDER BY conversation_id LIMIT 1
            FOR UPDATE SKIP LOCKED";
    TO_PURGE = "SELECT id FROM messages WHERE conversation_id = $1 AND id > $2 ORDER BY id LIMIT $3";
    PURGED_TO = "UPDATE search_purges SET after_id = $2 WHERE conversation_id = $1";
    PURGED = "DELETE FROM search_purges WHERE conversation_id = $1";
    QUEUED = "SELECT message_id FROM search_queue WHERE message_id < $1 AND message_id >= $2
        ORDER BY message_id DESC LIMIT $3";
    // The index of PostgreSQL knows no order, so it would collect half of all messages for a word that half of them
    // have. There the newest messages are compared one by one, without tags, which are slow to compare.
    WALK =
        sqlite "SELECT rowid FROM message_index WHERE message_index MATCH $1 AND rowid < $2 AND rowid >= $3
            ORDER BY rowid DESC LIMIT $4"
        postgres "SELECT message_id FROM (
                SELECT message_id, words FROM message_index WHERE message_id < $2 AND message_id >= $3
                ORDER BY message_id DESC LIMIT 6000) AS newest
            WHERE words @@ CAST(CAST($1 AS TEXT) AS TSQUERY) ORDER BY message_id DESC LIMIT $4";
    // the last of those that PostgreSQL compared
    EDGE = sqlite "SELECT rowid FROM message_index WHERE rowid < $1 AND rowid >= $2
            ORDER BY rowid DESC LIMIT 1 OFFSET 5999"
        postgres "SELECT message_id FROM message_index WHERE message_id < $1 AND message_id >= $2
            ORDER BY message_id DESC LIMIT 1 OFFSET 5999";
    // kept apart from the order, so that the plan is the index's
    COLLECT =
        sqlite "SELECT rowid FROM message_index WHERE message_index MATCH $1 AND rowid < $2 AND rowid >= $3
            ORDER BY rowid DESC LIMIT $4"
        postgres "WITH hits AS MATERIALIZED (
                SELECT message_id FROM message_index WHERE words @@ CAST(CAST($1 AS TEXT) AS TSQUERY))
            SELECT message_id FROM hits WHERE message_id < $2 AND message_id >= $3
            ORDER BY message_id DESC LIMIT $4";
    SEEN =
        sqlite "SELECT m.id FROM json_each($1) j CROSS JOIN messages m ON m.id = j.value
            CROSS JOIN members b ON b.conversation_id = m.conversation_id AND b.user_id = $2
            CROSS JOIN conversations v ON v.id = m.conversation_id
            LEFT JOIN users u ON u.id = m.sender_id
            WHERE b.left_at IS NULL AND m.id >= b.visible_from AND v.deleted_at IS NULL AND m.type <> 3
              AND m.created_at >= $3 AND m.created_at < $4
              AND ($5 IS NULL OR m.conversation_id = $5)
              AND ($6 IS NULL OR (m.sender_id = $6 AND (u.is_external = 0 OR u.guest_visible = 1)))
            ORDER BY m.id DESC LIMIT $7"
        postgres "SELECT m.id FROM messages m
            JOIN members b ON b.conversation_id = m.conversation_id AND b.user_id = $2
            JOIN conversations v ON v.id = m.conversation_id
            LEFT JOIN users u ON u.id = m.sender_id
            WHERE m.id = ANY($1) AND b.left_at IS NULL AND m.id >= b.visible_from AND v.deleted_at IS NULL
              AND m.type <> 3 AND m.created_at >= $3 AND m.created_at < $4
              AND (CAST($5 AS BIGINT) IS NULL OR m.conversation_id = $5)
              AND (CAST($6 AS BIGINT) IS NULL
                OR (m.sender_id = $6 AND (u.is_external = 0 OR u.guest_visible = 1)))
            ORDER BY m.id DESC LIMIT $7";
    TEXTS =
        sqlite "SELECT m.id, m.text FROM json_each($1) j CROSS JOIN messages m ON m.id = j.value
            WHERE m.text IS NOT NULL"
        postgres "SELECT id, text FROM messages WHERE id = ANY($1) AND text IS NOT NULL";
    OPEN_TO = "SELECT b.conversation_id FROM members b JOIN conversations v ON v.id = b.conversation_id
        WHERE b.user_id = $1 AND b.left_at IS NULL AND v.deleted_at IS NULL LIMIT $2";
}

/// A new message is to be taken in. On PostgreSQL the statement that writes it does this.
pub(super) async fn queue<C: Sql>(c: &mut C, id: MessageId) -> Result<()> {
    c.exec(&QUEUE, args![id]).await?;
    Ok(())
}

/// A message changed and is to be taken in again.
pub(super) async fn queue_again<C: Sql>(c: &mut C, id: MessageId) -> Result<()> {
    c.exec(&QUEUE_AGAIN, args![id]).await?;
    Ok(())
}

/// A message is gone. First from the queue: that waits for a process that is taking the message in.
pub(super) async fn forget<C: Sql>(c: &mut C, id: MessageId) -> Result<()> {
    c.exec(&UNQUEUE, args![id]).await?;
    c.exec(&REMOVE, args![id]).await?;
    Ok(())
}

/// A conversation and, of a group, its channels are gone: their messages leave the index in the background.
pub(super) async fn purge<C: Sql>(c: &mut C, id: ConversationId) -> Result<()> {
    c.exec(&PURGE, args![id]).await?;
    Ok(())
}

/// Whether there is anything to take in or out.
pub async fn anything_waits<C: Sql>(c: &mut C) -> Result<bool> {
    c.one(&WAITS, args![]).await
}

/// Takes in the newest messages that wait, up to `limit`; how many waited. On PostgreSQL those that another process is
/// taking in or changing are left out.
pub async fn take_in<C: Sql>(c: &mut C, limit: i64) -> Result<usize> {
    let taken: Vec<MessageId> = c.all(&TAKE, args![limit]).await?;
    if taken.is_empty() {
        return Ok(0);
    }
    // read after the rows of the queue are held: whoever changes a message from now on waits, and queues it again
    let mut found: Vec<Indexable> = c.all(&INDEXABLE, args![&taken]).await?;
    // the full-text index writes out what it holds whenever an id is lower than the one before
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

/// Takes some messages of a deleted conversation out of the index; how many. None when nothing is to be taken out.
pub async fn take_out<C: Sql>(c: &mut C, limit: i64) -> Result<Option<usize>> {
    let Some((conversation, after)) = c.opt::<(ConversationId, MessageId)>(&NEXT_PURGE, args![]).await?
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

/// Messages that wait to be taken in, from `from` up to but not including `before`, newest first.
pub async fn queued<C: Sql>(
    c: &mut C,
    from: MessageId,
    before: MessageId,
    limit: i64,
) -> Result<Vec<MessageId>> {
    c.all(&QUEUED, args![before, from, limit]).await
}

/// Candidates of the index, newest first.
#[derive(Clone, Debug, PartialEq)]
pub struct Walked {
    pub ids: Vec<MessageId>,
    /// Down to which id, itself included, all are named; none when there are no more.
    pub reached: Option<MessageId>,
}

/// Walks from an id, not included, towards older messages, and names up to `limit` that have what is wanted. On
/// PostgreSQL it comes no further than 6,000 messages, and names those that have the words, whoever's they are.
pub async fn walk<C: Sql>(c: &mut C, wanted: &Wanted<'_>, before: MessageId, limit: i64) -> Result<Walked> {
    let expression = match c.engine() {
        Engine::Sqlite => expression(Engine::Sqlite, wanted),
        Engine::Postgres => {
            let words = Wanted { conversations: &[], sender: None, ..wanted.clone() };
            expression(Engine::Postgres, &words)
        }
    };
    let ids: Vec<MessageId> = c.all(&WALK, args![&expression, before, wanted.from, limit]).await?;
    let reached = if i64::try_from(ids.len()).is_ok_and(|found| found >= limit) {
        ids.last().copied()
    } else if c.engine() == Engine::Postgres {
        c.opt(&EDGE, args![before, wanted.from]).await?
    } else {
        None
    };
    Ok(Walked { ids, reached })
}

/// Asks the index for all that have what is wanted, and names the newest of them before an id. On PostgreSQL the time is
/// by the number of all of them.
pub async fn collect<C: Sql>(
    c: &mut C,
    wanted: &Wanted<'_>,
    before: MessageId,
    limit: i64,
) -> Result<Walked> {
    let expression = expression(c.engine(), wanted);
    let ids: Vec<MessageId> = c.all(&COLLECT, args![&expression, before, wanted.from, limit]).await?;
    let is_all = i64::try_from(ids.len()).is_ok_and(|found| found < limit);
    let reached = ids.last().copied().filter(|_| !is_all);
    Ok(Walked { ids, reached })
}

/// Those of some messages that may be shown, newest first.
pub async fn seen<C: Sql>(c: &mut C, ids: &[MessageId], sight: &Sight, limit: i64) -> Result<Vec<MessageId>> {
    let Sight { reader, conversation, sender, after, before } = *sight;
    c.all(&SEEN, args![ids, reader, after, before, conversation, sender, limit]).await
}

/// What some messages say.
pub async fn texts<C: Sql>(c: &mut C, ids: &[MessageId]) -> Result<Vec<(MessageId, String)>> {
    c.all(&TEXTS, args![ids]).await
}

/// The conversations that a person is in, at most so many.
pub async fn open_to<C: Sql>(c: &mut C, reader: UserId, limit: i64) -> Result<Vec<ConversationId>> {
    c.all(&OPEN_TO, args![reader, limit]).await
}

/// A message as an element of [`ADD`]'s list. Words have letters, digits and symbols beyond ASCII only, so nothing in
/// them needs escaping.
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
            let mut places: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
            for (place, word) in (1..=LAST_PLACE).zip(&words) {
                let places = places.entry(word).or_default();
                if places.len() < PLACES {
                    places.push(place);
                }
            }
            let mut vector = String::new();
            for (word, places) in places {
                let places: Vec<_> = places.iter().map(usize::to_string).collect();
                let _ = write!(vector, "'{word}':{} ", places.join(","));
            }
            for tag in tags {
                let _ = write!(vector, "'@{tag}' ");
            }
            json!({"id": message.id.0, "words": vector})
        }
    }
}

fn of_conversation(id: ConversationId) -> String {
    format!("c{:x}", id.0)
}

fn of_sender(id: UserId) -> String {
    format!("u{:x}", id.0)
}

/// What is wanted in the engine's own language.
fn expression(engine: Engine, wanted: &Wanted<'_>) -> String {
    let parts: Vec<_> = wanted.query.parts.iter().map(|part| spelled(engine, part)).collect();
    let places: Vec<_> = wanted.conversations.iter().map(|id| of_conversation(*id)).collect();
    let sender = wanted.sender.map(of_sender);
    match engine {
        Engine::Sqlite => {
            let mut text = format!("{{words}} : ({})", parts.join(" AND "));
            let any: Vec<_> = places.iter().map(|tag| format!("\"{tag}\"")).collect();
            if !any.is_empty() {
                let _ = write!(text, " AND {{tags}} : ({})", any.join(" OR "));
            }
            if let Some(sender) = sender {
                let _ = write!(text, " AND {{tags}} : (\"{sender}\")");
            }
            text
        }
        Engine::Postgres => {
            let mut text = parts.join(" & ");
            let any: Vec<_> = places.iter().map(|tag| format!("'@{tag}'")).collect();
            if !any.is_empty() {
                let _ = write!(text, " & ({})", any.join(" | "));
            }
            if let Some(sender) = sender {
                let _ = write!(text, " & '@{sender}'");
            }
            text
        }
    }
}

fn spelled(engine: Engine, part: &Part) -> String {
    match (engine, part) {
        (Engine::Sqlite, Part::Word(word)) => format!("\"{word}\""),
        (Engine::Sqlite, Part::Prefix(word)) => format!("\"{word}\" *"),
        (Engine::Sqlite, Part::Phrase(words)) => format!("\"{}\"", words.join(" ")),
        (Engine::Postgres, Part::Word(word)) => format!("'{word}'"),
        (Engine::Postgres, Part::Prefix(word)) => format!("'{word}':*"),
        (Engine::Postgres, Part::Phrase(words)) => {
            let words: Vec<_> = words.iter().map(|word| format!("'{word}'")).collect();
            format!("({})", words.join(" <-> "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_in_the_engines_languages() {
        let query = Query::parse("Green \"the build\" dep*").unwrap();
        let conversations = [ConversationId(10), ConversationId(11)];
        let wanted = Wanted {
            query: &query,
            conversations: &conversations,
            sender: Some(UserId(12)),
            from: MessageId(0),
        };
        assert_eq!(
            expression(Engine::Sqlite, &wanted),
            r#"{words} : ("green" AND "the build" AND "dep" *) AND {tags} : ("ca" OR "cb") AND {tags} : ("uc")"#
        );
        assert_eq!(
            expression(Engine::Postgres, &wanted),
            "'green' & ('the' <-> 'build') & 'dep':* & ('@ca' | '@cb') & '@uc'"
        );
    }
}
