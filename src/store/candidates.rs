//! Candidates of a search: what the index names, what waits for it, and what the messages themselves say of both.
//!
//! Called by the search of an employee (`workspace/employee/search`), which chooses what is affordable. The index is
//! kept by [`search`](super::search).

use std::fmt::Write as _;

use super::{
    Engine, Result, Sql, args,
    search::{of_conversation, of_sender},
    statements,
};
use crate::domain::{
    ids::{ConversationId, MessageId, UserId},
    search::{Part, Query},
    time::Timestamp,
};

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
    // In the order that is written here, and one conversation after the other, whatever the planner thinks of a range.
    OWN =
        sqlite "SELECT m.id FROM members b CROSS JOIN messages m ON m.conversation_id = b.conversation_id
              AND m.id >= max(b.visible_from, $2) AND m.id < $3
            WHERE b.user_id = $1 AND b.left_at IS NULL LIMIT $4"
        postgres "SELECT m.id FROM members b CROSS JOIN LATERAL (SELECT id FROM messages
                WHERE (conversation_id, id) >= (b.conversation_id, GREATEST(b.visible_from, $2))
                    AND (conversation_id, id) < (b.conversation_id, $3)
                ORDER BY conversation_id DESC, id DESC LIMIT $4) AS m
            WHERE b.user_id = $1 AND b.left_at IS NULL LIMIT $4";
    // SQLite's index cannot be asked about many messages by id, so there all of them are taken
    WITH_WORDS =
        sqlite "SELECT value FROM json_each($1) WHERE $2 <> '' ORDER BY value DESC"
        postgres "SELECT message_id FROM message_index
            WHERE message_id = ANY($1) AND words @@ CAST(CAST($2 AS TEXT) AS TSQUERY) ORDER BY message_id DESC";
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
        postgres "SELECT m.id FROM unnest(CAST($1 AS BIGINT[])) AS j (id)
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
                OR (m.sender_id = $6 AND (u.is_external = 0 OR u.guest_visible = 1)))
            ORDER BY m.id DESC LIMIT $7";
    TEXTS =
        sqlite "SELECT m.id, m.text FROM json_each($1) j CROSS JOIN messages m ON m.id = j.value
            WHERE m.text IS NOT NULL"
        postgres "SELECT id, text FROM messages WHERE id = ANY($1) AND text IS NOT NULL";
    // deleted ones too, of which nothing is shown: to leave them out would walk past them
    OPEN_TO =
        sqlite "SELECT conversation_id FROM members WHERE user_id = $1 AND left_at IS NULL LIMIT $2"
        postgres "SELECT conversation_id FROM members WHERE left_at IS NULL
                AND (user_id, conversation_id) >= ($1, 0)
                AND (user_id, conversation_id) <= ($1, 9223372036854775807)
            ORDER BY user_id, conversation_id LIMIT $2";
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

/// The messages from one id up to but not including another that stand where a person is in, in any order; none when
/// there are more than `most`. Who may see them is still to be asked.
pub async fn own<C: Sql>(
    c: &mut C,
    reader: UserId,
    (from, before): (MessageId, MessageId),
    most: usize,
) -> Result<Option<Vec<MessageId>>> {
    let limit = i64::try_from(most).unwrap_or(i64::MAX).saturating_add(1);
    let own: Vec<MessageId> = c.all(&OWN, args![reader, from, before, limit]).await?;
    Ok((own.len() <= most).then_some(own))
}

/// Of some messages those that may have the words of a query, newest first: on PostgreSQL those of which the index says
/// so, on SQLite all.
pub async fn with_words<C: Sql>(c: &mut C, ids: &[MessageId], query: &Query) -> Result<Vec<MessageId>> {
    let wanted = Wanted { query, conversations: &[], sender: None, from: MessageId(0) };
    let expression = expression(c.engine(), &wanted);
    c.all(&WITH_WORDS, args![ids, &expression]).await
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

/// The conversations that a person is in, deleted ones too, at most so many.
pub async fn open_to<C: Sql>(c: &mut C, reader: UserId, limit: i64) -> Result<Vec<ConversationId>> {
    c.all(&OPEN_TO, args![reader, limit]).await
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
