//! The table of message changes. Open browser windows of the web client show the changes that this table contains. A
//! change is an edit of a message, the deletion of a message, or the deletion of an attached file. A maintenance job
//! deletes changes that are older than a day.
//!
//! Within a conversation, changes have numbers in the order of their commits, and messages have ids in the order of
//! their commits. So a reader of a conversation remembers only two numbers ([`Followed`]): the last message id and the
//! last change number that the reader has read. The reader then reads the messages with higher ids, and the changes
//! with higher numbers.

use std::collections::HashMap;

use serde_json::{Value, json};

use crate::domain::{
    ids::{ConversationId, FileId, MessageId, WorkspaceId},
    live::Followed,
    time::Timestamp,
};
use crate::store::{
    Engine, Notice, ReadSql, Result, Sql, args, conversations,
    messages::{self, Message},
    named_args, row, statements,
};

/// An edit or a deletion of a message, or the deletion of a file of the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MessageChange {
    /// The time of the change in microseconds, or the conversation's previous number plus 1 if that is higher. The
    /// changes of a conversation become visible in ascending order of their numbers.
    pub number: i64,
    pub message_id: MessageId,
    /// Whether the change is the deletion of the message.
    pub is_deleted: bool,
}
row!(MessageChange { number, message_id, is_deleted });

row!(Followed { message, change });

/// A row of [`NEWEST_OF`].
struct FollowedIn {
    followed: Followed,
    conversation_id: ConversationId,
}
row!(FollowedIn { ..followed: Followed, conversation_id });

statements! {
    INSERT: Command =
        sqlite "INSERT INTO message_changes (conversation_id, number, message_id, is_deleted, workspace_id)
            SELECT $1, CASE WHEN last < $4 THEN $4 ELSE last + 1 END, $2, $3, $5
            FROM (SELECT COALESCE(MAX(number), 0) AS last FROM message_changes WHERE conversation_id = $1)"
        postgres "INSERT INTO message_changes (conversation_id, number, message_id, is_deleted, workspace_id)
            SELECT $1, GREATEST(last + 1, $4), $2, $3, $5
            FROM (SELECT COALESCE((SELECT number FROM message_changes
                WHERE (conversation_id, number) >= ($1, 0) AND (conversation_id, number) <= ($1, 9223372036854775807)
                ORDER BY conversation_id DESC, number DESC LIMIT 1), 0) AS last) AS newest";
    // $1 is a JSON list with an array for each change: the conversation, the message, and how many changes of this
    // conversation are earlier in the list
    INSERT_ALL: Command =
        sqlite "INSERT INTO message_changes (conversation_id, number, message_id, is_deleted, workspace_id)
            SELECT conversation_id, CASE WHEN last < $2 THEN $2 ELSE last + 1 END + earlier, message_id, 0, $3
            FROM (SELECT json_extract(value, '$[0]') AS conversation_id, json_extract(value, '$[1]') AS message_id,
                json_extract(value, '$[2]') AS earlier,
                (SELECT COALESCE(MAX(number), 0) FROM message_changes
                    WHERE conversation_id = json_extract(value, '$[0]')) AS last
                FROM json_each($1)) AS j"
        postgres "INSERT INTO message_changes (conversation_id, number, message_id, is_deleted, workspace_id)
            SELECT j.conversation_id, GREATEST(newest.last + 1, $2) + j.earlier, j.message_id, 0, $3
            FROM (SELECT CAST(value ->> 0 AS BIGINT) AS conversation_id, CAST(value ->> 1 AS BIGINT) AS message_id,
                CAST(value ->> 2 AS BIGINT) AS earlier
                FROM json_array_elements(CAST(CAST($1 AS TEXT) AS JSON)) AS value OFFSET 0) AS j
            CROSS JOIN LATERAL (SELECT COALESCE((SELECT number FROM message_changes
                WHERE (conversation_id, number) >= (j.conversation_id, 0)
                    AND (conversation_id, number) <= (j.conversation_id, 9223372036854775807)
                ORDER BY conversation_id DESC, number DESC LIMIT 1), 0) AS last) AS newest";
    AFTER: Query -> MessageChange =
        sqlite "SELECT number, message_id, is_deleted FROM message_changes
            WHERE conversation_id = $1 AND number > $2 ORDER BY number LIMIT $3"
        postgres "SELECT number, message_id, is_deleted FROM message_changes
            WHERE (conversation_id, number) >= ($1, $2) AND (conversation_id, number) <= ($1, 9223372036854775807)
                AND number <> $2
            ORDER BY conversation_id, number LIMIT $3";
    NEWEST: Query -> Followed =
        sqlite "SELECT COALESCE((SELECT MAX(id) FROM messages WHERE conversation_id = $1), 0) AS message,
            COALESCE((SELECT MAX(number) FROM message_changes WHERE conversation_id = $1), 0) AS change"
        postgres "SELECT COALESCE((SELECT id FROM messages
                WHERE (conversation_id, id) >= ($1, 0) AND (conversation_id, id) <= ($1, 9223372036854775807)
                ORDER BY conversation_id DESC, id DESC LIMIT 1), 0) AS message,
            COALESCE((SELECT number FROM message_changes
                WHERE (conversation_id, number) >= ($1, 0) AND (conversation_id, number) <= ($1, 9223372036854775807)
                ORDER BY conversation_id DESC, number DESC LIMIT 1), 0) AS change";
    NEWEST_OF: Query -> FollowedIn =
        sqlite "SELECT COALESCE((SELECT MAX(id) FROM messages WHERE conversation_id = j.value), 0) AS message,
            COALESCE((SELECT MAX(number) FROM message_changes WHERE conversation_id = j.value), 0) AS change,
            j.value AS conversation_id
            FROM json_each($1) j"
        postgres "SELECT COALESCE((SELECT id FROM messages
                WHERE (conversation_id, id) >= (j.id, 0) AND (conversation_id, id) <= (j.id, 9223372036854775807)
                ORDER BY conversation_id DESC, id DESC LIMIT 1), 0) AS message,
            COALESCE((SELECT number FROM message_changes
                WHERE (conversation_id, number) >= (j.id, 0) AND (conversation_id, number) <= (j.id, 9223372036854775807)
                ORDER BY conversation_id DESC, number DESC LIMIT 1), 0) AS change, j.id AS conversation_id
            FROM unnest(CAST($1 AS BIGINT[])) AS j (id)";
    CARRIERS: Query = "SELECT conversation_id, message_id FROM message_files
        WHERE file_id = $1 ORDER BY conversation_id, message_id LIMIT $2";
    // on PostgreSQL, deletes by primary key and with arrays, for the reasons given at `tool_calls::DELETE_EXPIRED`
    DELETE_OLD: Command =
        sqlite "DELETE FROM message_changes WHERE (conversation_id, number) IN
            (SELECT conversation_id, number FROM message_changes WHERE number <= $1 ORDER BY number LIMIT $2)"
        postgres "DELETE FROM message_changes t USING (
                SELECT array_agg(conversation_id) AS conversations, array_agg(number) AS numbers FROM (
                    SELECT conversation_id, number FROM message_changes WHERE number <= $1 ORDER BY number LIMIT $2
                    FOR UPDATE) AS found) AS old
            CROSS JOIN LATERAL unnest(old.conversations, old.numbers) AS o(conversation_id, number)
            WHERE t.conversation_id = o.conversation_id AND t.number = o.number";
}

/// Returns a message that the caller wants to change. On PostgreSQL, locks the message's conversation until the
/// transaction ends. Returns `None` and locks nothing if the message does not exist, if it is deleted, or if `may_lock`
/// returns `false`. Also returns `None` if the message was deleted before the lock was granted.
pub async fn message_to_change<C: Sql>(
    c: &mut C,
    id: MessageId,
    may_lock: impl Fn(&Message) -> bool + Send,
) -> Result<Option<Message>> {
    let found = messages::by_id(c, id).await?;
    let Some(message) = found.filter(|message| may_lock(message)) else { return Ok(None) };
    match c.engine() {
        Engine::Sqlite => Ok(Some(message)),
        Engine::Postgres => {
            conversations::lock_for_write(c, message.conversation_id).await?;
            // read again, because the message may have changed before the lock was granted
            messages::by_id(c, id).await
        }
    }
}

/// Records an edit or the deletion of a message. The caller must have locked the conversation, so that changes become
/// visible in the order of their numbers.
pub(super) async fn insert<C: Sql>(c: &mut C, m: &Message, is_deleted: bool, now: Timestamp) -> Result<()> {
    c.notify(Notice::Changed(m.conversation_id));
    c.exec(
        &INSERT,
        named_args!(INSERT {
            conversation_id: m.conversation_id,
            message_id: m.id,
            is_deleted: is_deleted,
            now: now,
            workspace_id: m.workspace_id,
        }),
    )
    .await?;
    Ok(())
}

/// Returns up to `limit` messages to which a file is attached. On PostgreSQL, locks their conversations until the
/// transaction ends. Call this function before the file is deleted. A transaction that posts a message locks the
/// conversation before the files too, so the two transactions cannot deadlock.
pub async fn lock_carriers<C: Sql>(
    c: &mut C,
    file: FileId,
    limit: i64,
) -> Result<Vec<(ConversationId, MessageId)>> {
    let carriers: Vec<(ConversationId, MessageId)> = c.all(&CARRIERS, args![file, limit]).await?;
    if carriers.is_empty() || c.engine() == Engine::Sqlite {
        return Ok(carriers);
    }
    let mut locked: Vec<ConversationId> =
        carriers.into_iter().map(|(conversation, _)| conversation).collect();
    locked.dedup();
    conversations::lock_all_for_write(c, &locked).await?;
    // read again, because messages may have been deleted before the locks were granted
    let mut carriers: Vec<(ConversationId, MessageId)> = c.all(&CARRIERS, args![file, limit]).await?;
    carriers.retain(|(conversation, _)| locked.contains(conversation));
    Ok(carriers)
}

/// Records the deletion of a file as a change of each message in `carriers`. So open browser windows show these
/// messages without the file. The caller must have locked the conversations with [`lock_carriers`].
pub async fn file_deleted<C: Sql>(
    c: &mut C,
    workspace: WorkspaceId,
    carriers: Vec<(ConversationId, MessageId)>,
    now: Timestamp,
) -> Result<()> {
    if carriers.is_empty() {
        return Ok(());
    }
    let mut counts: HashMap<ConversationId, i64> = HashMap::new();
    let mut rows = Vec::with_capacity(carriers.len());
    for (conversation, message) in carriers {
        c.notify(Notice::Changed(conversation));
        let earlier = counts.entry(conversation).or_default();
        rows.push(json!([conversation.0, message.0, *earlier]));
        *earlier += 1;
    }
    let rows = Value::Array(rows).to_string();
    c.exec(&INSERT_ALL, named_args!(INSERT_ALL { rows: &rows, now: now, workspace_id: workspace })).await?;
    Ok(())
}

/// Returns up to `limit` changes of a conversation whose numbers are above `number`, ordered by number.
pub async fn after<C: ReadSql>(
    c: &mut C,
    conversation: ConversationId,
    number: i64,
    limit: i64,
) -> Result<Vec<MessageChange>> {
    c.all(&AFTER, args![conversation, number, limit]).await
}

/// Returns the id of the newest message and the number of the newest change of a conversation. The id is 0 if there is
/// no message, and the number is 0 if there is no change.
pub async fn newest<C: ReadSql>(c: &mut C, conversation: ConversationId) -> Result<Followed> {
    c.one(&NEWEST, args![conversation]).await
}

/// Returns the same as [`newest`] for each conversation in `conversations`.
pub async fn newest_of<C: ReadSql>(
    c: &mut C,
    conversations: &[ConversationId],
) -> Result<Vec<(ConversationId, Followed)>> {
    let rows: Vec<FollowedIn> = c.all(&NEWEST_OF, args![conversations]).await?;
    Ok(rows.into_iter().map(|row| (row.conversation_id, row.followed)).collect())
}

/// Deletes up to `limit` changes whose numbers are at most `until`, the lowest numbers first. Returns the count of
/// deleted changes.
pub async fn delete_old<C: Sql>(c: &mut C, until: Timestamp, limit: i64) -> Result<u64> {
    c.exec(&DELETE_OLD, args![until, limit]).await
}
