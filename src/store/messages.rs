//! Messages that stand, what is kept of deleted ones, and what belongs to a message.

use super::{Engine, Result, Sql, args, row, search, statements, users};
use crate::domain::{
    conversation::MessageType,
    ids::{ConversationId, FileId, MessageId, UserId, WorkspaceId},
    time::Timestamp,
};

/// A message that stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    pub workspace_id: WorkspaceId,
    pub conversation_id: ConversationId,
    pub id: MessageId,
    /// Null for a system message.
    pub sender_id: Option<UserId>,
    pub kind: MessageType,
    /// Only a system message may have none.
    pub text: Option<String>,
    pub thread_id: Option<MessageId>,
    pub file_count: i64,
    /// The connection it was sent through.
    pub via_label: Option<String>,
    /// The sender's key for it, as given.
    pub client_key: Option<String>,
    pub edited_at: Option<Timestamp>,
    pub created_at: Timestamp,
}
row!(Message {
    workspace_id,
    conversation_id,
    id,
    sender_id,
    kind,
    text,
    thread_id,
    file_count,
    via_label,
    client_key,
    edited_at,
    created_at
});

/// One message on a page of history as one reader sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    pub id: MessageId,
    /// Null for a system message and for a guest whom members cannot see (B-125, B-126).
    pub sender_id: Option<UserId>,
    pub kind: MessageType,
    /// Null for a system message, whatever is stored (B-130).
    pub text: Option<String>,
    /// Null unless the reader may see that message (B-124).
    pub thread_id: Option<MessageId>,
    pub file_count: i64,
    pub created_at: Timestamp,
}
row!(Seen { id, sender_id, kind, text, thread_id, file_count, created_at });

/// A message as the admin sees it, standing or deleted.
#[derive(Clone, Debug, PartialEq)]
pub struct Full {
    pub id: MessageId,
    pub sender_id: Option<UserId>,
    pub kind: MessageType,
    pub text: Option<String>,
    pub thread_id: Option<MessageId>,
    pub via_label: Option<String>,
    /// Of a bot's message its idempotency key.
    pub client_key: Option<String>,
    pub edited_at: Option<Timestamp>,
    pub created_at: Timestamp,
    pub deleted_at: Option<Timestamp>,
    pub blocks: Option<String>,
    pub metadata: Option<String>,
}
row!(Full {
    id,
    sender_id,
    kind,
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

/// Blocks and metadata, as JSON text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Extras {
    pub blocks: Option<String>,
    pub metadata: Option<String>,
}
row!(Extras { blocks, metadata });

/// What stood before an edit.
#[derive(Clone, Debug, PartialEq)]
pub struct Edit {
    pub message_id: MessageId,
    pub edited_at: Timestamp,
    pub text: String,
    pub blocks: Option<String>,
}
row!(Edit { message_id, edited_at, text, blocks });

/// How many former versions of a message are kept: what was sent first, and the newest.
pub const KEPT_EDITS: i64 = 100;
/// Most versions that one edit drops; more than one only of messages from before the bound.
const DROPPED_AT_ONCE: i64 = 100;

macro_rules! columns {
    ($rest:literal) => {
        concat!(
            "SELECT workspace_id, conversation_id, id, sender_id, type, text, thread_id, file_count, via_label,
                client_key, edited_at, created_at FROM messages ",
            $rest
        )
    };
}

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
            ") AS standing
                UNION ALL
                SELECT * FROM (
                    SELECT id, sender_id, type, CAST(NULL AS TEXT) AS text, CAST(NULL AS BIGINT) AS thread_id,
                        CAST(NULL AS TEXT) AS via_label, CAST(NULL AS TEXT) AS client_key,
                        CAST(NULL AS BIGINT) AS edited_at, created_at, deleted_at
                    FROM deleted_messages WHERE ",
            $page,
            ") AS gone) AS found
                ORDER BY id DESC LIMIT $3) AS f
            LEFT JOIN ",
            $extras,
            " ORDER BY f.id DESC"
        )
    };
}

// On PostgreSQL a page is cut in a subselect before anything is joined to it, by comparing the whole key of the index,
// and what is joined is looked up for each row (LATERAL with LIMIT 1). Otherwise the planner, which does not know the
// arguments of a generic plan, joins and sorts a whole conversation; and with a condition on one column it may walk
// another index past all other conversations (docs/decisions/0018-plans-that-read-one-page.md).
statements! {
    // on PostgreSQL one round trip also queues what can be searched for
    INSERT =
        sqlite "INSERT INTO messages (conversation_id, id, sender_id, type, text, thread_id, file_count,
                via_label, client_key, edited_at, created_at, workspace_id)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, NULL, $10, $11)"
        postgres "WITH queued AS (INSERT INTO search_queue (message_id, workspace_id)
                SELECT CAST($2 AS BIGINT), CAST($11 AS BIGINT) WHERE CAST($4 AS BIGINT) <> 3 AND CAST($5 AS TEXT) <> '')
            INSERT INTO messages (conversation_id, id, sender_id, type, text, thread_id, file_count,
                via_label, client_key, edited_at, created_at, workspace_id)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, NULL, $10, $11)";
    INSERT_EXTRAS = "INSERT INTO message_extras (message_id, workspace_id, blocks, metadata)
        VALUES ($1, $2, $3, $4)
        ON CONFLICT (message_id) DO UPDATE SET blocks = excluded.blocks, metadata = excluded.metadata";
    DELETE_EXTRAS = "DELETE FROM message_extras WHERE message_id = $1";
    EXTRAS = "SELECT blocks, metadata FROM message_extras WHERE message_id = $1";
    BY_ID = columns!("WHERE id = $1");
    BY_ID_FOR_UPDATE = sqlite columns!("WHERE id = $1") postgres columns!("WHERE id = $1 FOR UPDATE");
    IN_CONVERSATION = columns!("WHERE conversation_id = $1 AND id = $2");
    // few people write many messages: on SQLite, where a statement costs no round trip, each is looked at once and apart
    HISTORY =
        sqlite "SELECT m.id, m.sender_id, m.type, CASE WHEN m.type = 3 THEN NULL ELSE m.text END, p.id,
            m.file_count, m.created_at
        FROM messages m
        LEFT JOIN messages p ON p.conversation_id = m.conversation_id AND p.id = m.thread_id AND p.id >= $2
        WHERE m.conversation_id = $1 AND m.id >= $2 AND m.id < $3
        ORDER BY m.id DESC LIMIT $4"
        postgres "SELECT m.id,
            CASE WHEN u.is_external = 1 AND u.guest_visible = 0 THEN NULL ELSE m.sender_id END,
            m.type, CASE WHEN m.type = 3 THEN NULL ELSE m.text END, p.id, m.file_count, m.created_at
        FROM (SELECT * FROM messages
            WHERE (conversation_id, id) >= ($1, $2) AND (conversation_id, id) < ($1, $3)
            ORDER BY conversation_id DESC, id DESC LIMIT $4) AS m
        LEFT JOIN LATERAL (SELECT is_external, guest_visible FROM users
            WHERE id = m.sender_id LIMIT 1) AS u ON TRUE
        LEFT JOIN LATERAL (SELECT id FROM messages
            WHERE conversation_id = m.conversation_id AND id = m.thread_id AND id >= $2 LIMIT 1) AS p ON TRUE
        ORDER BY m.conversation_id DESC, m.id DESC";
    FILES_BETWEEN = "SELECT message_id, file_id FROM message_files
        WHERE conversation_id = $1 AND message_id >= $2 AND message_id <= $3
        ORDER BY message_id, position";
    FULL_PAGE =
        sqlite full_page!("conversation_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3",
            "message_extras e ON e.message_id = f.id")
        postgres full_page!("(conversation_id, id) >= ($1, 0) AND (conversation_id, id) < ($1, $2)
                ORDER BY conversation_id DESC, id DESC LIMIT $3",
            "LATERAL (SELECT blocks, metadata FROM message_extras WHERE message_id = f.id LIMIT 1) AS e ON TRUE");
    EDIT = "UPDATE messages SET text = $3, edited_at = $4 WHERE conversation_id = $1 AND id = $2";
    INSERT_EDIT = "INSERT INTO message_edits (message_id, edited_at, number, text, blocks, workspace_id)
        SELECT $1, $2, COALESCE(MAX(number), 0) + 1, $3, $4, $5 FROM message_edits WHERE message_id = $1";
    // what stood before there was a bound goes little by little
    DROP_EDITS = "DELETE FROM message_edits WHERE message_id = $1 AND number IN (
            SELECT number FROM message_edits WHERE message_id = $1 AND number > 1
                AND number <= (SELECT MAX(number) FROM message_edits WHERE message_id = $1) - $2
            ORDER BY number LIMIT $3)";
    EDITS_OF = "SELECT message_id, edited_at, text, blocks FROM (
            SELECT * FROM (SELECT * FROM message_edits WHERE message_id = $1 AND number > 1
                ORDER BY number DESC LIMIT $2) AS newest
            UNION ALL SELECT * FROM message_edits WHERE message_id = $1 AND number = 1) AS kept
        ORDER BY number";
    DELETE = "DELETE FROM messages WHERE conversation_id = $1 AND id = $2";
    DELETE_EDITS = "DELETE FROM message_edits WHERE message_id = $1";
    DELETE_FILES = "DELETE FROM message_files WHERE conversation_id = $1 AND message_id = $2";
    INSERT_DELETED = "INSERT INTO deleted_messages (conversation_id, id, sender_id, type, created_at, deleted_at,
            workspace_id)
        VALUES ($1, $2, $3, $4, $5, $6, $7)";
    INSERT_FILE = "INSERT INTO message_files (conversation_id, message_id, position, file_id, workspace_id)
        VALUES ($1, $2, $3, $4, $5)";
    // by the index on files: the conversation may have very many of others
    CARRIES_FILE =
        sqlite "SELECT message_id FROM message_files INDEXED BY message_files_by_file
            WHERE file_id = $1 AND conversation_id = $2 AND message_id >= $3 LIMIT 1"
        postgres "SELECT message_id FROM message_files
            WHERE (file_id, conversation_id, message_id) >= ($1, $2, $3)
                AND (file_id, conversation_id, message_id) <= ($1, $2, 9223372036854775807)
            ORDER BY file_id, conversation_id, message_id LIMIT 1";
    FIRST_AFTER =
        sqlite "SELECT COALESCE(MAX(id), -1) + 1 FROM (
                SELECT MAX(id) AS id FROM messages WHERE conversation_id = $1
                UNION ALL SELECT MAX(id) FROM deleted_messages WHERE conversation_id = $1) AS ids"
        postgres "SELECT COALESCE(MAX(id), -1) + 1 FROM (
                SELECT * FROM (SELECT id FROM messages
                    WHERE (conversation_id, id) >= ($1, 0) AND (conversation_id, id) <= ($1, 9223372036854775807)
                    ORDER BY conversation_id DESC, id DESC LIMIT 1) AS standing
                UNION ALL
                SELECT * FROM (SELECT id FROM deleted_messages
                    WHERE (conversation_id, id) >= ($1, 0) AND (conversation_id, id) <= ($1, 9223372036854775807)
                    ORDER BY conversation_id DESC, id DESC LIMIT 1) AS gone) AS ids";
    DELETED = "SELECT conversation_id, sender_id FROM deleted_messages WHERE id = $1";
    NEWEST_OF_BOT = columns!("WHERE sender_id = $1 AND conversation_id IN
        (SELECT conversation_id FROM members WHERE user_id = $1 AND left_at IS NULL) ORDER BY id DESC LIMIT 1");
    HIGHEST_ID = "SELECT COALESCE(MAX(id), 0) FROM (
            SELECT MAX(id) AS id FROM messages UNION ALL SELECT MAX(id) FROM deleted_messages
            UNION ALL SELECT MAX(id) FROM users UNION ALL SELECT MAX(id) FROM conversations
            UNION ALL SELECT MAX(id) FROM files UNION ALL SELECT MAX(id) FROM events
            UNION ALL SELECT MAX(id) FROM apps UNION ALL SELECT MAX(id) FROM installations
            UNION ALL SELECT MAX(id) FROM workspaces UNION ALL SELECT MAX(id) FROM accounts
            UNION ALL SELECT MAX(id) FROM drafts UNION ALL SELECT MAX(file_id) FROM uploads
            UNION ALL SELECT MAX(id) FROM connections UNION ALL SELECT MAX(id) FROM assistant_clients) AS ids";
}

/// Writes a new message, to be found by its words; its files and extras are written apart.
pub async fn insert<C: Sql>(c: &mut C, m: &Message) -> Result<()> {
    c.exec(
        &INSERT,
        args![
            m.conversation_id,
            m.id,
            m.sender_id,
            m.kind,
            m.text.as_deref(),
            m.thread_id,
            m.file_count,
            m.via_label.as_deref(),
            m.client_key.as_deref(),
            m.created_at,
            m.workspace_id
        ],
    )
    .await?;
    if c.engine() == Engine::Sqlite
        && m.kind != MessageType::System
        && m.text.as_ref().is_some_and(|text| !text.is_empty())
    {
        search::queue(c, m.workspace_id, m.id).await?;
    }
    Ok(())
}

/// Writes what a message carries besides text; nothing is kept when both are null.
pub async fn put_extras<C: Sql>(c: &mut C, m: &Message, extras: &Extras) -> Result<()> {
    let Extras { blocks, metadata } = extras;
    if blocks.is_none() && metadata.is_none() {
        c.exec(&DELETE_EXTRAS, args![m.id]).await?;
    } else {
        c.exec(&INSERT_EXTRAS, args![m.id, m.workspace_id, blocks.as_deref(), metadata.as_deref()]).await?;
    }
    Ok(())
}

/// What a message carries besides text.
pub async fn extras<C: Sql>(c: &mut C, id: MessageId) -> Result<Extras> {
    Ok(c.opt(&EXTRAS, args![id]).await?.unwrap_or_default())
}

/// One standing message of any conversation.
pub async fn by_id<C: Sql>(c: &mut C, id: MessageId) -> Result<Option<Message>> {
    c.opt(&BY_ID, args![id]).await
}

/// The same, held until the transaction ends.
pub async fn by_id_for_update<C: Sql>(c: &mut C, id: MessageId) -> Result<Option<Message>> {
    c.opt(&BY_ID_FOR_UPDATE, args![id]).await
}

/// A standing message of one conversation.
pub async fn in_conversation<C: Sql>(
    c: &mut C,
    conversation: ConversationId,
    id: MessageId,
) -> Result<Option<Message>> {
    c.opt(&IN_CONVERSATION, args![conversation, id]).await
}

/// A page of history, newest first: ids from `from` up to but not including `before`.
pub async fn history<C: Sql>(
    c: &mut C,
    conversation: ConversationId,
    from: MessageId,
    before: MessageId,
    limit: i64,
) -> Result<Vec<Seen>> {
    let mut seen: Vec<Seen> = c.all(&HISTORY, args![conversation, from, before, limit]).await?;
    if c.engine() == Engine::Sqlite {
        let mut senders: Vec<UserId> = seen.iter().filter_map(|message| message.sender_id).collect();
        senders.sort_unstable();
        senders.dedup();
        let unseen = users::unseen_among(c, &senders).await?;
        if !unseen.is_empty() {
            for message in &mut seen {
                message.sender_id = message.sender_id.filter(|sender| !unseen.contains(sender));
            }
        }
    }
    Ok(seen)
}

/// The files of the messages from `first` to `last`, in order.
pub async fn files_between<C: Sql>(
    c: &mut C,
    conversation: ConversationId,
    first: MessageId,
    last: MessageId,
) -> Result<Vec<(MessageId, FileId)>> {
    c.all(&FILES_BETWEEN, args![conversation, first, last]).await
}

/// A page as the admin sees it, newest first, deleted messages included.
pub async fn full_page<C: Sql>(
    c: &mut C,
    conversation: ConversationId,
    before: MessageId,
    limit: i64,
) -> Result<Vec<Full>> {
    c.all(&FULL_PAGE, args![conversation, before, limit]).await
}

/// Replaces the text, after what stood before was kept with [`keep_edit`].
pub async fn edit<C: Sql>(c: &mut C, m: &Message, text: &str, now: Timestamp) -> Result<()> {
    c.exec(&EDIT, args![m.conversation_id, m.id, text, now]).await?;
    search::queue_again(c, m.workspace_id, m.id).await
}

/// Keeps what an edit replaces. Of more than [`KEPT_EDITS`] versions the first and the newest stay.
pub async fn keep_edit<C: Sql>(c: &mut C, workspace: WorkspaceId, e: &Edit) -> Result<()> {
    let args = args![e.message_id, e.edited_at, &e.text, e.blocks.as_deref(), workspace];
    c.exec(&INSERT_EDIT, args).await?;
    c.exec(&DROP_EDITS, args![e.message_id, KEPT_EDITS - 1, DROPPED_AT_ONCE]).await?;
    Ok(())
}

/// The edit history of a message, oldest first: at most [`KEPT_EDITS`].
pub async fn edits_of<C: Sql>(c: &mut C, id: MessageId) -> Result<Vec<Edit>> {
    c.all(&EDITS_OF, args![id, KEPT_EDITS - 1]).await
}

/// Erases a message but for what 404 and 422 need (B-251, D-100). False when it was gone already.
pub async fn delete<C: Sql>(c: &mut C, m: &Message, now: Timestamp) -> Result<bool> {
    if c.exec(&DELETE, args![m.conversation_id, m.id]).await? == 0 {
        return Ok(false);
    }
    search::forget(c, m.id).await?;
    c.exec(&DELETE_EXTRAS, args![m.id]).await?;
    if m.edited_at.is_some() {
        c.exec(&DELETE_EDITS, args![m.id]).await?;
    }
    if m.file_count > 0 {
        c.exec(&DELETE_FILES, args![m.conversation_id, m.id]).await?;
    }
    let args = args![m.conversation_id, m.id, m.sender_id, m.kind, m.created_at, now, m.workspace_id];
    c.exec(&INSERT_DELETED, args).await?;
    Ok(true)
}

/// Attaches a file at a place, counted from 0.
pub async fn attach<C: Sql>(c: &mut C, m: &Message, position: i64, file: FileId) -> Result<()> {
    c.exec(&INSERT_FILE, args![m.conversation_id, m.id, position, file, m.workspace_id]).await?;
    Ok(())
}

/// Whether a standing message from `from` on carries a file in a conversation.
pub async fn carries_file<C: Sql>(
    c: &mut C,
    conversation: ConversationId,
    from: MessageId,
    file: FileId,
) -> Result<bool> {
    Ok(c.opt::<(MessageId,)>(&CARRIES_FILE, args![file, conversation, from]).await?.is_some())
}

/// The lowest id that comes after every message so far: what one who joins now may see from.
pub async fn first_after<C: Sql>(c: &mut C, conversation: ConversationId) -> Result<MessageId> {
    Ok(c.one::<(MessageId,)>(&FIRST_AFTER, args![conversation]).await?.0)
}

/// Conversation and sender of a deleted message.
pub async fn deleted<C: Sql>(c: &mut C, id: MessageId) -> Result<Option<(ConversationId, Option<UserId>)>> {
    c.opt(&DELETED, args![id]).await
}

/// The newest message of a bot in a conversation it is in. Searches them all, so only for a sandbox.
pub async fn newest_of_bot<C: Sql>(c: &mut C, bot: UserId) -> Result<Option<Message>> {
    c.opt(&NEWEST_OF_BOT, args![bot]).await
}

/// The highest id ever given out, for the id generator to go on from.
pub async fn highest_id<C: Sql>(c: &mut C) -> Result<i64> {
    Ok(c.one::<(i64,)>(&HIGHEST_ID, args![]).await?.0)
}
