//! The *candidates* of a search: messages that possibly match. [`scan`] and [`collect`] find candidates in the
//! full-text index, [`own`] in the conversations of the reader, and [`queued`] among the messages that are still queued
//! for indexing. [`seen`] returns the candidates that the reader may see.
//!
//! `service/employee/search` considers the costs of [`scan`], [`collect`] and [`own`], and decides which of them it
//! calls. [`search`](crate::store::search) maintains the index.

use std::fmt::Write as _;

use crate::domain::{
    ids::{ConversationId, MessageId, UserId},
    search::{QueryPart, SearchQuery},
    time::Timestamp,
};
use crate::store::{
    Engine, ReadSql, Result, args,
    search::{PARTIAL, of_conversation, of_sender},
    statements,
    tables::users::visibility::visible_to_members,
};

/// A query of the index.
#[derive(Clone, Debug)]
pub struct IndexQuery<'a> {
    pub query: &'a SearchQuery,
    /// If not empty, only messages of these conversations match.
    pub conversations: &'a [ConversationId],
    /// If not `None`, only messages of this sender match.
    pub sender: Option<UserId>,
    /// Only messages with this id or a higher id match.
    pub from: MessageId,
}

/// The conditions that [`seen`] checks: `reader` may see the message, and the message matches the other fields.
#[derive(Clone, Copy, Debug)]
pub struct VisibilityFilter {
    pub reader: UserId,
    /// If not `None`, only messages of this conversation match.
    pub conversation: Option<ConversationId>,
    /// If not `None`, only messages of this sender match. If the sender is a guest who is hidden from members, no
    /// message matches.
    pub sender: Option<UserId>,
    /// The earliest time of a message, inclusive.
    pub after: Timestamp,
    /// The latest time of a message, exclusive.
    pub before: Timestamp,
}

statements! {
    QUEUED: Query = "SELECT message_id FROM search_queue WHERE message_id < $1 AND message_id >= $2
        ORDER BY message_id DESC LIMIT $3";
    // PostgreSQL's GIN index has no order. For a common word the index would return very many messages, which would
    // then have to be sorted. So on PostgreSQL the query reads the newest messages and compares each one with the words
    // of the query. The column `words` also has tags for the conversation and the sender of a message, but [`scan`]
    // does not use them, because a match with these tags is slow.
    WALK: Query =
        sqlite "SELECT rowid FROM message_index WHERE message_index MATCH $1 AND rowid < $2 AND rowid >= $3
            ORDER BY rowid DESC LIMIT $4"
        postgres "SELECT message_id FROM (
                SELECT message_id, words FROM message_index WHERE message_id < $2 AND message_id >= $3
                ORDER BY message_id DESC LIMIT 6000) AS newest
            WHERE words @@ CAST(CAST($1 AS TEXT) AS TSQUERY) ORDER BY message_id DESC LIMIT $4";
    // Used on PostgreSQL only. Selects the lowest of the 6,000 ids that WALK examines. Selects nothing if WALK examines
    // fewer ids.
    EDGE: Query = sqlite "SELECT rowid FROM message_index WHERE rowid < $1 AND rowid >= $2
            ORDER BY rowid DESC LIMIT 1 OFFSET 5999"
        postgres "SELECT message_id FROM message_index WHERE message_id < $1 AND message_id >= $2
            ORDER BY message_id DESC LIMIT 1 OFFSET 5999";
    // on PostgreSQL, all matches are materialized before they are ordered, so that the plan uses the full-text index
    COLLECT: Query =
        sqlite "SELECT rowid FROM message_index WHERE message_index MATCH $1 AND rowid < $2 AND rowid >= $3
            ORDER BY rowid DESC LIMIT $4"
        postgres "WITH hits AS MATERIALIZED (
                SELECT message_id FROM message_index WHERE words @@ CAST(CAST($1 AS TEXT) AS TSQUERY))
            SELECT message_id FROM hits WHERE message_id < $2 AND message_id >= $3
            ORDER BY message_id DESC LIMIT $4";
    // CROSS JOIN on SQLite, and LATERAL with LIMIT on PostgreSQL, fix the order of the join. So the reader's
    // conversations are read one after another, whatever the planner estimates for the range of ids.
    OWN: Query =
        sqlite "SELECT m.id FROM members b CROSS JOIN messages m ON m.conversation_id = b.conversation_id
              AND m.id >= max(b.visible_from, $2) AND m.id < $3
            WHERE b.user_id = $1 AND b.left_at IS NULL LIMIT $4"
        postgres "SELECT m.id FROM members b CROSS JOIN LATERAL (SELECT id FROM messages
                WHERE conversation_id = ANY(ARRAY[b.conversation_id]) AND id >= GREATEST(b.visible_from, $2) AND id < $3
                ORDER BY conversation_id DESC, id DESC LIMIT $4) AS m
            WHERE b.user_id = $1 AND b.left_at IS NULL LIMIT $4";
    // on SQLite all ids are returned, because SQLite's full-text index cannot be filtered by a list of ids
    WITH_WORDS: Query =
        sqlite "SELECT value FROM json_each($1) WHERE $2 <> '' ORDER BY value DESC"
        postgres "SELECT message_id FROM message_index
            WHERE message_id = ANY($1) AND words @@ CAST(CAST($2 AS TEXT) AS TSQUERY) ORDER BY message_id DESC";
    SEEN: Query =
        sqlite concat!("SELECT m.id FROM json_each($1) j CROSS JOIN messages m ON m.id = j.value
            CROSS JOIN members b ON b.conversation_id = m.conversation_id AND b.user_id = $2
            CROSS JOIN conversations v ON v.id = m.conversation_id
            LEFT JOIN users u ON u.id = m.sender_id
            WHERE b.left_at IS NULL AND m.id >= b.visible_from AND v.deleted_at IS NULL AND m.type <> 3
              AND m.created_at >= $3 AND m.created_at < $4
              AND ($5 IS NULL OR m.conversation_id = $5)
              AND ($6 IS NULL OR (m.sender_id = $6 AND ", visible_to_members!("u."), "))
            ORDER BY m.id DESC LIMIT $7")
        postgres concat!("SELECT m.id FROM unnest(CAST($1 AS BIGINT[])) AS j (id)
            CROSS JOIN LATERAL (SELECT * FROM messages
                WHERE id = j.id AND type <> 3 AND created_at >= $3 AND created_at < $4 LIMIT 1) AS m
            CROSS JOIN LATERAL (SELECT visible_from FROM members
                WHERE conversation_id = m.conversation_id AND user_id = $2 AND left_at IS NULL LIMIT 1) AS b
            CROSS JOIN LATERAL (SELECT id FROM conversations
                WHERE id = m.conversation_id AND deleted_at IS NULL LIMIT 1) AS v
            LEFT JOIN LATERAL (SELECT is_external, guest_visible FROM users
                WHERE id = m.sender_id LIMIT 1) AS u ON TRUE
            WHERE m.id >= b.visible_from
              AND (CAST($5 AS BIGINT) IS NULL OR m.conversation_id = $5)
              AND (CAST($6 AS BIGINT) IS NULL
                OR (m.sender_id = $6 AND ", visible_to_members!("u."), "))
            ORDER BY m.id DESC LIMIT $7");
    TEXTS: Query =
        sqlite "SELECT m.id, m.text FROM json_each($1) j CROSS JOIN messages m ON m.id = j.value
            WHERE m.text IS NOT NULL"
        postgres "SELECT id, text FROM messages WHERE id = ANY($1) AND text IS NOT NULL";
    // Includes deleted conversations, because a scan that omits them could read any number of rows. [`seen`] omits
    // their messages.
    OPEN_TO: Query =
        sqlite "SELECT conversation_id FROM members WHERE user_id = $1 AND left_at IS NULL LIMIT $2"
        postgres "SELECT conversation_id FROM members WHERE left_at IS NULL
                AND (user_id, conversation_id) >= ($1, 0)
                AND (user_id, conversation_id) <= ($1, 9223372036854775807)
            ORDER BY user_id, conversation_id LIMIT $2";
}

/// Returns up to `limit` messages that are queued for indexing and have ids from `from` (inclusive) to `before`
/// (exclusive). The newest message is first.
pub async fn queued<C: ReadSql>(
    c: &mut C,
    from: MessageId,
    before: MessageId,
    limit: i64,
) -> Result<Vec<MessageId>> {
    c.all(&QUEUED, args![before, from, limit]).await
}

/// Candidates from the index.
#[derive(Clone, Debug, PartialEq)]
pub struct IndexScan {
    /// The newest message is first.
    pub ids: Vec<MessageId>,
    /// The lowest id (inclusive) down to which `ids` has all candidates. `None` if `ids` has all candidates of the
    /// whole range.
    pub reached: Option<MessageId>,
}

/// Scans the index from `before` (exclusive) to older messages. Returns up to `limit` candidates. On PostgreSQL, scans
/// at most 6,000 messages, and ignores [`IndexQuery::conversations`] and [`IndexQuery::sender`].
pub async fn scan<C: ReadSql>(
    c: &mut C,
    index_query: &IndexQuery<'_>,
    before: MessageId,
    limit: i64,
) -> Result<IndexScan> {
    let expression = match c.engine() {
        Engine::Sqlite => expression(Engine::Sqlite, index_query),
        Engine::Postgres => {
            let words = IndexQuery { conversations: &[], sender: None, ..index_query.clone() };
            expression(Engine::Postgres, &words)
        }
    };
    let ids: Vec<MessageId> = c.all(&WALK, args![&expression, before, index_query.from, limit]).await?;
    let reached = if i64::try_from(ids.len()).is_ok_and(|found| found >= limit) {
        ids.last().copied()
    } else if c.engine() == Engine::Postgres {
        c.opt(&EDGE, args![before, index_query.from]).await?
    } else {
        None
    };
    Ok(IndexScan { ids, reached })
}

/// Returns the newest matches of the index with ids below `before`, up to `limit`. On PostgreSQL the cost depends on
/// the number of all matches, because all matches are collected before they are ordered.
pub async fn collect<C: ReadSql>(
    c: &mut C,
    index_query: &IndexQuery<'_>,
    before: MessageId,
    limit: i64,
) -> Result<IndexScan> {
    let expression = expression(c.engine(), index_query);
    let ids: Vec<MessageId> = c.all(&COLLECT, args![&expression, before, index_query.from, limit]).await?;
    let is_all = i64::try_from(ids.len()).is_ok_and(|found| found < limit);
    let reached = ids.last().copied().filter(|_| !is_all);
    Ok(IndexScan { ids, reached })
}

/// Returns the messages of all conversations of which the reader is a member, with ids from `from` (inclusive) to
/// `before` (exclusive), in no particular order. `None` if there are more than `max` messages. The caller must still
/// check with [`seen`] which messages the reader may see.
pub async fn own<C: ReadSql>(
    c: &mut C,
    reader: UserId,
    (from, before): (MessageId, MessageId),
    max: usize,
) -> Result<Option<Vec<MessageId>>> {
    let limit = i64::try_from(max).unwrap_or(i64::MAX).saturating_add(1);
    let own: Vec<MessageId> = c.all(&OWN, args![reader, from, before, limit]).await?;
    Ok((own.len() <= max).then_some(own))
}

/// Returns the messages in `ids` that possibly match the words of the query. The newest message is first. On
/// PostgreSQL, these are the messages that the index matches. On SQLite, these are all messages in `ids`.
pub async fn with_words<C: ReadSql>(
    c: &mut C,
    ids: &[MessageId],
    query: &SearchQuery,
) -> Result<Vec<MessageId>> {
    let index_query = IndexQuery { query, conversations: &[], sender: None, from: MessageId(0) };
    let expression = expression(c.engine(), &index_query);
    c.all(&WITH_WORDS, args![ids, &expression]).await
}

/// Returns the messages in `ids` that the reader may see and that match the filter, up to `limit`. The newest message
/// is first.
pub async fn seen<C: ReadSql>(
    c: &mut C,
    ids: &[MessageId],
    filter: &VisibilityFilter,
    limit: i64,
) -> Result<Vec<MessageId>> {
    let VisibilityFilter { reader, conversation, sender, after, before } = *filter;
    c.all(&SEEN, args![ids, reader, after, before, conversation, sender, limit]).await
}

/// Returns the texts of the messages in `ids`. Omits messages without a text.
pub async fn texts<C: ReadSql>(c: &mut C, ids: &[MessageId]) -> Result<Vec<(MessageId, String)>> {
    c.all(&TEXTS, args![ids]).await
}

/// Returns up to `limit` conversations of which the reader is a member. Includes deleted conversations.
pub async fn open_to<C: ReadSql>(c: &mut C, reader: UserId, limit: i64) -> Result<Vec<ConversationId>> {
    c.all(&OPEN_TO, args![reader, limit]).await
}

/// Translates a query into the engine's full-text syntax: that of FTS5 on SQLite, and a `tsquery` on PostgreSQL.
#[must_use]
pub fn expression(engine: Engine, index_query: &IndexQuery<'_>) -> String {
    let parts: Vec<_> = index_query.query.parts.iter().map(|part| translated(engine, part)).collect();
    let conversations: Vec<_> = index_query.conversations.iter().map(|id| of_conversation(*id)).collect();
    let sender = index_query.sender.map(of_sender);
    match engine {
        Engine::Sqlite => {
            let mut text = format!("{{words}} : ({})", parts.join(" AND "));
            let any: Vec<_> = conversations.iter().map(|tag| format!("\"{tag}\"")).collect();
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
            let any: Vec<_> = conversations.iter().map(|tag| format!("'@{tag}'")).collect();
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

fn translated(engine: Engine, part: &QueryPart) -> String {
    match (engine, part) {
        (Engine::Sqlite, QueryPart::Word(word)) => format!("\"{word}\""),
        (Engine::Sqlite, QueryPart::Prefix(word)) => format!("\"{word}\" *"),
        (Engine::Sqlite, QueryPart::Phrase(words)) => format!("\"{}\"", words.join(" ")),
        (Engine::Postgres, QueryPart::Word(word)) => format!("'{word}'"),
        (Engine::Postgres, QueryPart::Prefix(word)) => format!("'{word}':*"),
        (Engine::Postgres, QueryPart::Phrase(words)) => {
            // the index cannot find phrases in a message with the tag `PARTIAL`, so such a message is a candidate if it
            // has all words of the phrase
            let words: Vec<_> = words.iter().map(|word| format!("'{word}'")).collect();
            format!("({} | {} & '@{PARTIAL}')", words.join(" <-> "), words.join(" & "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_are_translated_into_the_syntax_of_each_engine() {
        let query = SearchQuery::parse("Green \"the build\" dep*").unwrap();
        let conversations = [ConversationId(10), ConversationId(11)];
        let index_query = IndexQuery {
            query: &query,
            conversations: &conversations,
            sender: Some(UserId(12)),
            from: MessageId(0),
        };
        assert_eq!(
            expression(Engine::Sqlite, &index_query),
            r#"{words} : ("green" AND "the build" AND "dep" *) AND {tags} : ("ca" OR "cb") AND {tags} : ("uc")"#
        );
        assert_eq!(
            expression(Engine::Postgres, &index_query),
            "'green' & ('the' <-> 'build' | 'the' & 'build' & '@partial') & 'dep':* & ('@ca' | '@cb') & '@uc'"
        );
    }
}
