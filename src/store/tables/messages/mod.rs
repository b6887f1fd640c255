//! Messages, the data that belongs to a message (blocks, metadata, edits, files), and what is kept of deleted messages.

pub mod bot_send;
pub mod bot_send_batch;
pub mod candidates;
pub mod changes;
pub mod employee;
pub mod search;

use crate::domain::{
    conversation::MessageType,
    ids::{ConversationId, FileId, MessageId, UserId, WorkspaceId},
    time::Timestamp,
};
use crate::store::{Engine, Notice, ReadSql, Result, Sql, args, files, named_args, row, statements, table};

table! {
    /// A message that is not deleted.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Message in messages {
        workspace_id: WorkspaceId,
        conversation_id: ConversationId,
        id: MessageId,
        /// `None` for a system message.
        sender_id: Option<UserId>,
        kind as type: MessageType,
        /// The text. Only a system message can have no text.
        text: Option<String>,
        /// The first message of the thread, even if it is deleted; `None` if this message is not a reply.
        thread_id: Option<MessageId>,
        file_count: i64,
        /// The display name of the assistant through which the message was sent; `None` if the message was sent without
        /// an assistant.
        via_label: Option<String>,
        /// The idempotency key as the sender sent it; `None` if the sender sent no key.
        client_key: Option<String>,
        edited_at: Option<Timestamp> = "NULL",
        created_at: Timestamp,
    }
}

/// A message on a page of history.
#[derive(Clone, Debug, PartialEq)]
pub struct HistoryMessage {
    pub id: MessageId,
    /// The sender, even if it is a guest hidden from members. `None` for a system message (B-125).
    pub sender_id: Option<UserId>,
    pub kind: MessageType,
    /// `None` for a system message, even if the row has a text (B-130).
    pub text: Option<String>,
    /// The first message of the thread. `None` if this message is not a reply, if the first message is deleted, or if
    /// the reader may not see the first message (B-124).
    pub thread_id: Option<MessageId>,
    pub file_count: i64,
    pub created_at: Timestamp,
}
row!(HistoryMessage { id, sender_id, kind as type, text, thread_id, file_count, created_at });

/// A message as the admin API shows it. Of a deleted message, only the id, the sender, the type, and the times of its
/// creation and deletion are set.
#[derive(Clone, Debug, PartialEq)]
pub struct AdminMessage {
    pub id: MessageId,
    pub sender_id: Option<UserId>,
    pub kind: MessageType,
    pub text: Option<String>,
    pub thread_id: Option<MessageId>,
    pub via_label: Option<String>,
    /// The idempotency key as the sender sent it: the `client_key` of a person, or the `Idempotency-Key` of a bot.
    pub client_key: Option<String>,
    pub edited_at: Option<Timestamp>,
    pub created_at: Timestamp,
    pub deleted_at: Option<Timestamp>,
    pub blocks: Option<String>,
    pub metadata: Option<String>,
}
row!(AdminMessage {
    id,
    sender_id,
    kind as type,
    text,
    thread_id,
    via_label,
    client_key,
    edited_at,
    created_at,
    deleted_at,
    blocks,
    metadata
});

/// The blocks and the metadata of a message, as JSON texts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Extras {
    pub blocks: Option<String>,
    pub metadata: Option<String>,
}
row!(Extras { blocks, metadata });

/// A *former version* of a message: the text and the blocks that an edit has replaced.
#[derive(Clone, Debug, PartialEq)]
pub struct Edit {
    pub message_id: MessageId,
    /// When the edit replaced this version.
    pub edited_at: Timestamp,
    pub text: String,
    pub blocks: Option<String>,
}
row!(Edit { message_id, edited_at, text, blocks });

/// Maximum number of former versions that are kept of a message: the original version and the newest former versions.
pub const KEPT_EDITS: i64 = 100;
/// Maximum number of former versions that one edit deletes. An edit deletes more than one version only if the message
/// has more than [`KEPT_EDITS`] former versions, from a time when the server had no such limit.
const DROP_BATCH: i64 = 100;

macro_rules! full_page {
    ($page:literal, $extras:literal) => {
        concat!(
            "SELECT f.id, f.sender_id, f.type, f.text, f.thread_id, f.via_label,
                f.client_key, f.edited_at, f.created_at, f.deleted_at, e.blocks, e.metadata
            FROM (
                SELECT * FROM (SELECT * FROM (
                    SELECT id, sender_id, type, text, thread_id, via_label, client_key, edited_at,
                        created_at, CAST(NULL AS BIGINT) AS deleted_at
                    FROM messages WHERE ",
            $page,
            ") AS present
                UNION ALL
                SELECT * FROM (
                    SELECT id, sender_id, type, CAST(NULL AS TEXT) AS text, CAST(NULL AS BIGINT) AS thread_id,
                        CAST(NULL AS TEXT) AS via_label, CAST(NULL AS TEXT) AS client_key,
                        CAST(NULL AS BIGINT) AS edited_at, created_at, deleted_at
                    FROM deleted_messages WHERE ",
            $page,
            ") AS deleted) AS found
                ORDER BY id DESC LIMIT $3) AS f
            LEFT JOIN ",
            $extras,
            " ORDER BY f.id DESC"
        )
    };
}

// On PostgreSQL, a statement that selects a page follows three rules (docs/decisions/0018-plans-that-read-one-page.md):
//
// - A subselect selects the rows of the page, before other tables are joined.
// - The condition of the subselect fits only the index that begins with the conversation: it compares the whole key of
//   the index, or compares the conversation with an array of one id. With `conversation_id = $1`, the planner could
//   choose the index on `id` and scan past all other conversations. A scan by the whole key ends only at the end of
//   the conversation, even if the range of ids ends earlier. A scan by the array ends at the end of the range.
// - Each related row is looked up by a subquery with LIMIT 1. With a plain join, the planner could join and sort a
//   whole conversation, because it does not know the arguments when it makes a generic plan.
statements! {
    // On PostgreSQL, the statement also queues the message for indexing, which saves a round trip. It does not queue a
    // system message or a message without text. The arguments have the order of `insert_args`: company, conversation,
    // id, sender, type, text.
    INSERT: Command =
        sqlite messages!(INSERT)
        postgres concat!("WITH queued AS (INSERT INTO search_queue (message_id, workspace_id)
                SELECT CAST($3 AS BIGINT), CAST($1 AS BIGINT) WHERE CAST($5 AS BIGINT) <> 3 AND CAST($6 AS TEXT) <> '')
            ", messages!(INSERT));
    INSERT_EXTRAS: Command = "INSERT INTO message_extras (message_id, workspace_id, blocks, metadata)
        VALUES ($1, $2, $3, $4)
        ON CONFLICT (message_id) DO UPDATE SET blocks = excluded.blocks, metadata = excluded.metadata";
    DELETE_EXTRAS: Command = "DELETE FROM message_extras WHERE message_id = $1";
    EXTRAS: Query -> Extras = "SELECT blocks, metadata FROM message_extras WHERE message_id = $1";
    BY_ID: Query -> Message = messages!(SELECT "WHERE id = $1");
    IN_CONVERSATION: Query -> Message = messages!(SELECT "WHERE conversation_id = $1 AND id = $2");
    HISTORY: Query -> HistoryMessage =
        sqlite "SELECT m.id, m.sender_id, m.type, CASE WHEN m.type = 3 THEN NULL ELSE m.text END AS text,
            p.id AS thread_id,
            m.file_count, m.created_at
        FROM messages m
        LEFT JOIN messages p ON p.conversation_id = m.conversation_id AND p.id = m.thread_id AND p.id >= $2
        WHERE m.conversation_id = $1 AND m.id >= $2 AND m.id < $3
        ORDER BY m.id DESC LIMIT $4"
        postgres "SELECT m.id, m.sender_id, m.type, CASE WHEN m.type = 3 THEN NULL ELSE m.text END AS text,
            CASE WHEN m.thread_id >= $2 THEN (SELECT id FROM messages
                WHERE conversation_id = m.conversation_id AND id = m.thread_id LIMIT 1) END AS thread_id,
            m.file_count, m.created_at
        FROM (SELECT * FROM messages
            WHERE conversation_id = ANY(ARRAY[CAST($1 AS BIGINT)]) AND id >= $2 AND id < $3
            ORDER BY conversation_id DESC, id DESC LIMIT $4) AS m
        ORDER BY m.conversation_id DESC, m.id DESC";
    FILES_BETWEEN: Query = "SELECT message_id, file_id FROM message_files
        WHERE conversation_id = $1 AND message_id >= $2 AND message_id <= $3
        ORDER BY message_id, position";
    FULL_PAGE: Query -> AdminMessage =
        sqlite full_page!("conversation_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3",
            "message_extras e ON e.message_id = f.id")
        postgres full_page!("(conversation_id, id) >= ($1, 0) AND (conversation_id, id) <= ($1, $2) AND id <> $2
                ORDER BY conversation_id DESC, id DESC LIMIT $3",
            "LATERAL (SELECT blocks, metadata FROM message_extras WHERE message_id = f.id LIMIT 1) AS e ON TRUE");
    EDIT: Command = "UPDATE messages SET text = $3, edited_at = $4 WHERE conversation_id = $1 AND id = $2";
    INSERT_EDIT: Command = "INSERT INTO message_edits (message_id, edited_at, number, text, blocks, workspace_id)
        SELECT $1, $2, COALESCE(MAX(number), 0) + 1, $3, $4, $5 FROM message_edits WHERE message_id = $1";
    // deletes at most $3 former versions; if more must be deleted, the next edits of the message delete them
    DROP_EDITS: Command = "DELETE FROM message_edits WHERE message_id = $1 AND number IN (
            SELECT number FROM message_edits WHERE message_id = $1 AND number > 1
                AND number <= (SELECT MAX(number) FROM message_edits WHERE message_id = $1) - $2
            ORDER BY number LIMIT $3)";
    EDITS_OF: Query -> Edit = "SELECT message_id, edited_at, text, blocks FROM (
            SELECT * FROM (SELECT * FROM message_edits WHERE message_id = $1 AND number > 1
                ORDER BY number DESC LIMIT $2) AS newest
            UNION ALL SELECT * FROM message_edits WHERE message_id = $1 AND number = 1) AS kept
        ORDER BY number";
    DELETE: Command = "DELETE FROM messages WHERE conversation_id = $1 AND id = $2";
    DELETE_EDITS: Command = "DELETE FROM message_edits WHERE message_id = $1";
    DELETE_FILES: Command = "DELETE FROM message_files WHERE conversation_id = $1 AND message_id = $2";
    INSERT_DELETED: Command = "INSERT INTO deleted_messages (conversation_id, id, sender_id, type, created_at, deleted_at,
            workspace_id)
        VALUES ($1, $2, $3, $4, $5, $6, $7)";
    INSERT_FILE: Command = "INSERT INTO message_files (conversation_id, message_id, position, file_id, workspace_id)
        VALUES ($1, $2, $3, $4, $5)";
    // Uses the index `message_files_by_file`, because the conversation can have very many messages with other files. On
    // PostgreSQL, reads the first entry of the index at or after the lower bound, and then checks that it is in range. An
    // upper bound as a comparison of rows would end the scan only at the next file.
    CARRIES_FILE: Query =
        sqlite "SELECT message_id FROM message_files INDEXED BY message_files_by_file
            WHERE file_id = $1 AND conversation_id = $2 AND message_id >= $3 LIMIT 1"
        postgres "SELECT next.message_id FROM (SELECT file_id, conversation_id, message_id FROM message_files
                WHERE (file_id, conversation_id, message_id) >= ($1, $2, $3)
                ORDER BY file_id, conversation_id, message_id LIMIT 1) AS next
            WHERE next.file_id = $1 AND next.conversation_id = $2";
    FIRST_AFTER: Query =
        sqlite "SELECT COALESCE(MAX(id), -1) + 1 FROM (
                SELECT MAX(id) AS id FROM messages WHERE conversation_id = $1
                UNION ALL SELECT MAX(id) FROM deleted_messages WHERE conversation_id = $1) AS ids"
        postgres "SELECT COALESCE(MAX(id), -1) + 1 FROM (
                SELECT * FROM (SELECT id FROM messages
                    WHERE (conversation_id, id) >= ($1, 0) AND (conversation_id, id) <= ($1, 9223372036854775807)
                    ORDER BY conversation_id DESC, id DESC LIMIT 1) AS present
                UNION ALL
                SELECT * FROM (SELECT id FROM deleted_messages
                    WHERE (conversation_id, id) >= ($1, 0) AND (conversation_id, id) <= ($1, 9223372036854775807)
                    ORDER BY conversation_id DESC, id DESC LIMIT 1) AS deleted) AS ids";
    NEWEST_OF_BOT: Query -> Message = messages!(SELECT "WHERE sender_id = $1 AND conversation_id IN
        (SELECT m.conversation_id FROM members m JOIN conversations c ON c.id = m.conversation_id
            LEFT JOIN conversations p ON p.id = c.parent_id
            WHERE m.user_id = $1 AND m.left_at IS NULL AND c.deleted_at IS NULL
                AND CASE WHEN p.id IS NULL THEN c.archived_at ELSE p.archived_at END IS NULL)
        ORDER BY id DESC LIMIT 1");
    HIGHEST_ID: Query = "SELECT COALESCE(MAX(id), 0) FROM (
            SELECT MAX(id) AS id FROM messages UNION ALL SELECT MAX(id) FROM deleted_messages
            UNION ALL SELECT MAX(id) FROM users UNION ALL SELECT MAX(id) FROM conversations
            UNION ALL SELECT MAX(id) FROM files UNION ALL SELECT MAX(id) FROM events
            UNION ALL SELECT MAX(id) FROM apps UNION ALL SELECT MAX(id) FROM installations
            UNION ALL SELECT MAX(id) FROM workspaces UNION ALL SELECT MAX(id) FROM accounts
            UNION ALL SELECT MAX(id) FROM drafts UNION ALL SELECT MAX(file_id) FROM uploads
            UNION ALL SELECT MAX(id) FROM connections UNION ALL SELECT MAX(id) FROM assistant_clients) AS ids";
}

/// Inserts a message. Queues the message for the search index, unless it is a system message or has no text. The caller
/// must insert the message's files and extras separately.
pub async fn insert<C: Sql>(c: &mut C, m: &Message) -> Result<()> {
    c.notify(Notice::Changed(m.conversation_id));
    c.exec(&INSERT, &m.insert_args()).await?;
    if c.engine() == Engine::Sqlite
        && m.kind != MessageType::System
        && m.text.as_ref().is_some_and(|text| !text.is_empty())
    {
        search::queue(c, m.workspace_id, m.id).await?;
    }
    Ok(())
}

/// Inserts or replaces the blocks and the metadata of a message. If both are `None`, deletes the stored blocks and
/// metadata.
pub async fn put_extras<C: Sql>(c: &mut C, m: &Message, extras: &Extras) -> Result<()> {
    let Extras { blocks, metadata } = extras;
    if blocks.is_none() && metadata.is_none() {
        c.exec(&DELETE_EXTRAS, args![m.id]).await?;
    } else {
        c.exec(
            &INSERT_EXTRAS,
            named_args!(INSERT_EXTRAS {
                message_id: m.id,
                workspace_id: m.workspace_id,
                blocks: blocks.as_deref(),
                metadata: metadata.as_deref(),
            }),
        )
        .await?;
    }
    Ok(())
}

/// Returns the blocks and the metadata of a message.
pub async fn extras<C: ReadSql>(c: &mut C, id: MessageId) -> Result<Extras> {
    Ok(c.opt(&EXTRAS, args![id]).await?.unwrap_or_default())
}

/// Returns a message; `None` if there is no such message, or if it is deleted.
pub async fn by_id<C: ReadSql>(c: &mut C, id: MessageId) -> Result<Option<Message>> {
    c.opt(&BY_ID, args![id]).await
}

/// Returns a message of a conversation. `None` if there is no such message, if it is deleted, or if it belongs to
/// another conversation.
pub async fn in_conversation<C: ReadSql>(
    c: &mut C,
    conversation: ConversationId,
    id: MessageId,
) -> Result<Option<Message>> {
    c.opt(&IN_CONVERSATION, args![conversation, id]).await
}

/// Returns a page of history: up to `limit` messages with ids from `from` (inclusive) to `before` (exclusive). The
/// newest message is first. The senders can be guests hidden from members.
pub async fn history<C: ReadSql>(
    c: &mut C,
    conversation: ConversationId,
    from: MessageId,
    before: MessageId,
    limit: i64,
) -> Result<Vec<HistoryMessage>> {
    c.all(&HISTORY, args![conversation, from, before, limit]).await
}

/// Returns the files of the messages from `first` to `last` (both inclusive), ordered by message and position.
pub async fn files_between<C: ReadSql>(
    c: &mut C,
    conversation: ConversationId,
    first: MessageId,
    last: MessageId,
) -> Result<Vec<(MessageId, FileId)>> {
    c.all(&FILES_BETWEEN, args![conversation, first, last]).await
}

/// Returns up to `limit` messages of a conversation with ids below `before`, as the admin API shows them. The newest
/// message is first. Includes deleted messages.
pub async fn full_page<C: ReadSql>(
    c: &mut C,
    conversation: ConversationId,
    before: MessageId,
    limit: i64,
) -> Result<Vec<AdminMessage>> {
    c.all(&FULL_PAGE, args![conversation, before, limit]).await
}

/// Replaces the text of a message, records the change, and queues the message for the search index again. Before this
/// call, the caller must have locked the conversation and stored the previous version with [`insert_previous_version`].
pub async fn edit<C: Sql>(c: &mut C, m: &Message, text: &str, now: Timestamp) -> Result<()> {
    c.exec(&EDIT, args![m.conversation_id, m.id, text, now]).await?;
    changes::insert(c, m, false, now).await?;
    search::queue_again(c, m.workspace_id, m.id).await
}

/// Stores the version that an edit replaces. If the message then has more than [`KEPT_EDITS`] former versions, deletes
/// the oldest of them, except the original version, which is always kept.
pub async fn insert_previous_version<C: Sql>(c: &mut C, workspace: WorkspaceId, e: &Edit) -> Result<()> {
    c.exec(
        &INSERT_EDIT,
        named_args!(INSERT_EDIT {
            message_id: e.message_id,
            edited_at: e.edited_at,
            text: &e.text,
            blocks: e.blocks.as_deref(),
            workspace_id: workspace,
        }),
    )
    .await?;
    c.exec(&DROP_EDITS, args![e.message_id, KEPT_EDITS - 1, DROP_BATCH]).await?;
    Ok(())
}

/// Returns the edit history of a message: at most [`KEPT_EDITS`] former versions. The oldest version is first.
pub async fn edits_of<C: ReadSql>(c: &mut C, id: MessageId) -> Result<Vec<Edit>> {
    c.all(&EDITS_OF, args![id, KEPT_EDITS - 1]).await
}

/// Deletes a message and its content (B-251). Keeps the id, conversation, sender and type of the message, and the times
/// of its creation and deletion, so that later requests for the message get the right 404 or 422 response (D-100). The
/// caller must erase the message's content from the stored events.
///
/// A maintenance job deletes the message's files after `files_until`, unless other messages have the files. If
/// `files_until` is `None`, all files are kept. Returns `false` if the message was already deleted. The caller must
/// have locked the conversation.
pub async fn delete<C: Sql>(
    c: &mut C,
    m: &Message,
    now: Timestamp,
    files_until: Option<Timestamp>,
) -> Result<bool> {
    if c.exec(&DELETE, args![m.conversation_id, m.id]).await? == 0 {
        return Ok(false);
    }
    search::remove(c, m.id).await?;
    c.exec(&DELETE_EXTRAS, args![m.id]).await?;
    if m.edited_at.is_some() {
        c.exec(&DELETE_EDITS, args![m.id]).await?;
    }
    if m.file_count > 0 {
        if let Some(until) = files_until {
            files::detach(c, m.conversation_id, m.id, until).await?;
        }
        c.exec(&DELETE_FILES, args![m.conversation_id, m.id]).await?;
    }
    c.exec(
        &INSERT_DELETED,
        named_args!(INSERT_DELETED {
            conversation_id: m.conversation_id,
            id: m.id,
            sender_id: m.sender_id,
            type: m.kind,
            created_at: m.created_at,
            deleted_at: now,
            workspace_id: m.workspace_id,
        }),
    )
    .await?;
    changes::insert(c, m, true, now).await?;
    Ok(true)
}

/// Attaches a file to a message. `position` is counted from 0.
pub async fn attach<C: Sql>(c: &mut C, m: &Message, position: i64, file: FileId) -> Result<()> {
    c.exec(
        &INSERT_FILE,
        named_args!(INSERT_FILE {
            conversation_id: m.conversation_id,
            message_id: m.id,
            position: position,
            file_id: file,
            workspace_id: m.workspace_id,
        }),
    )
    .await?;
    Ok(())
}

/// Returns whether a file is attached to a message of a conversation. Considers only messages whose id is at least
/// `from`.
pub async fn carries_file<C: ReadSql>(
    c: &mut C,
    conversation: ConversationId,
    from: MessageId,
    file: FileId,
) -> Result<bool> {
    Ok(c.opt::<(MessageId,)>(&CARRIES_FILE, args![file, conversation, from]).await?.is_some())
}

/// Returns the lowest message id that a user may see if the user joins the conversation now. It is the highest id of
/// all messages of the conversation, including deleted messages, plus 1.
pub async fn first_after<C: ReadSql>(c: &mut C, conversation: ConversationId) -> Result<MessageId> {
    Ok(c.one::<(MessageId,)>(&FIRST_AFTER, args![conversation]).await?.0)
}

/// Returns the newest message of a bot in the conversations of which the bot is a member. Deleted conversations,
/// archived groups and their channels do not count. Only for the sandbox, because no index finds messages by their
/// sender.
pub async fn newest_of_bot<C: ReadSql>(c: &mut C, bot: UserId) -> Result<Option<Message>> {
    c.opt(&NEWEST_OF_BOT, args![bot]).await
}

/// Returns the highest stored id, with which the id generator is seeded. Does not consider the ids of tool calls,
/// client blocks and delivery attempts.
pub async fn highest_id<C: ReadSql>(c: &mut C) -> Result<i64> {
    Ok(c.one::<(i64,)>(&HIGHEST_ID, args![]).await?.0)
}
