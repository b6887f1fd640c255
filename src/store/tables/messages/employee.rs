//! Messages with their senders and files, as a person sees them in the web client, or an employee through an assistant.
//! Also the name of the other user of a direct conversation.
//!
//! Guests who are hidden from members are not disclosed (D-145). Their messages have no `sender_id`, and [`others`]
//! does not return these guests.

use crate::domain::{
    conversation::MessageType,
    ids::{ConversationId, FileId, MessageId, UserId},
    time::Timestamp,
};
use crate::store::{
    ReadSql, Result, args, row, statements,
    tables::users::visibility::{hidden_guest, visible_to_members},
};

/// A message with the fields of its sender. Except for `author_id`, the reader may see all fields.
#[derive(Clone, Debug, PartialEq)]
pub struct VisibleMessage {
    pub id: MessageId,
    pub conversation_id: ConversationId,
    /// `None` for a system message. Also `None` if the sender is a guest who is hidden from members.
    pub sender_id: Option<UserId>,
    /// The sender, even if the sender is a hidden guest. Only for comparisons, never shown. `None` for a system
    /// message.
    pub author_id: Option<UserId>,
    /// `None` if `sender_id` is `None`.
    pub sender_name: Option<String>,
    /// `None` for a system message.
    pub sender_is_bot: Option<bool>,
    pub kind: MessageType,
    /// `None` for a system message.
    pub text: Option<String>,
    /// The first message of the thread. `None` if this message is not a reply, if the first message is deleted, or if
    /// the reader may not see the first message. [`in_conversation`] does not check whether the reader may see the
    /// first message.
    pub thread_id: Option<MessageId>,
    pub file_count: i64,
    /// The name of the assistant through which the message was sent; `None` if it was sent without an assistant.
    pub via_label: Option<String>,
    pub edited_at: Option<Timestamp>,
    pub created_at: Timestamp,
}
row!(VisibleMessage {
    id,
    conversation_id,
    sender_id,
    author_id,
    sender_name,
    sender_is_bot,
    kind as type,
    text,
    thread_id,
    file_count,
    via_label,
    edited_at,
    created_at
});

/// A file attached to a message.
#[derive(Clone, Debug, PartialEq)]
pub struct AttachedFile {
    pub message_id: MessageId,
    pub id: FileId,
    pub name: String,
    pub mimetype: String,
    /// Size in bytes.
    pub size: i64,
}
row!(AttachedFile { message_id, id, name, mimetype, size });

/// The user of a direct conversation who is not the reader.
#[derive(Clone, Debug, PartialEq)]
pub struct OtherUser {
    pub conversation_id: ConversationId,
    pub user_id: UserId,
    pub name: String,
}
row!(OtherUser { conversation_id, user_id, name });

/// A range of messages of a conversation: the messages within a range of ids and within a range of times.
#[derive(Clone, Copy, Debug)]
pub struct HistoryRange {
    pub conversation: ConversationId,
    /// The lowest message id that the reader may see. If the first message of a thread has a lower id, `thread_id` is
    /// `None`.
    pub visible_from: MessageId,
    /// The lowest id, inclusive. It must be at least `visible_from`.
    pub from: MessageId,
    /// The highest id, exclusive.
    pub before: MessageId,
    /// The earliest time, inclusive.
    pub after_time: Timestamp,
    /// The latest time, exclusive.
    pub before_time: Timestamp,
}

/// Maximum number of messages that [`sees_file`] examines first, of those to which the file is attached. If it has
/// examined this number, and the reader may see none of the examined messages, it looks for the file in each of the
/// reader's conversations. The reader is probably in fewer conversations than the number of messages with the file.
const FEW_MESSAGES: i64 = 200;

macro_rules! messages {
    ($from:literal, $users:literal, $rest:literal) => {
        concat!(
            "SELECT m.id, m.conversation_id,
                CASE WHEN ",
            hidden_guest!("u."),
            " THEN NULL ELSE m.sender_id END AS sender_id,
                m.sender_id AS author_id,
                CASE WHEN ",
            hidden_guest!("u."),
            " THEN NULL ELSE u.name END AS sender_name,
                u.is_bot AS sender_is_bot, m.type, CASE WHEN m.type = 3 THEN NULL ELSE m.text END AS text,
                p.id AS thread_id, m.file_count,
                m.via_label, m.edited_at, m.created_at
            FROM ",
            $from,
            " LEFT JOIN ",
            $users,
            " ",
            $rest
        )
    };
    (sqlite $from:literal, $rest:literal) => {
        messages!($from, "users u ON u.id = m.sender_id", $rest)
    };
    (postgres $from:literal, $rest:literal) => {
        messages!(
            $from,
            "LATERAL (SELECT name, is_bot, is_external, guest_visible FROM users
                WHERE id = m.sender_id LIMIT 1) AS u ON TRUE",
            $rest
        )
    };
}

// On PostgreSQL the rows of a page are selected before other tables are joined, for the reasons given in
// `store/tables/messages/mod.rs`. The conditions on `created_at` exclude few rows, because the caller derives the range
// of ids from the same times.
statements! {
    HISTORY: Query -> VisibleMessage =
        sqlite messages!(sqlite "messages m", "LEFT JOIN messages p
                ON p.conversation_id = m.conversation_id AND p.id = m.thread_id AND p.id >= $2
            WHERE m.conversation_id = $1 AND m.id >= $3 AND m.id < $4 AND m.created_at >= $5 AND m.created_at < $6
            ORDER BY m.id DESC LIMIT $7")
        postgres messages!(postgres "(SELECT * FROM messages
                WHERE conversation_id = ANY(ARRAY[CAST($1 AS BIGINT)]) AND id >= $3 AND id < $4
                    AND created_at >= $5 AND created_at < $6
                ORDER BY conversation_id DESC, id DESC LIMIT $7) AS m",
            "LEFT JOIN LATERAL (SELECT id FROM messages
                WHERE conversation_id = m.conversation_id AND id = m.thread_id AND id >= $2 LIMIT 1) AS p ON TRUE
            ORDER BY m.conversation_id DESC, m.id DESC");
    NEWER: Query -> VisibleMessage =
        sqlite messages!(sqlite "messages m", "LEFT JOIN messages p
                ON p.conversation_id = m.conversation_id AND p.id = m.thread_id AND p.id >= $2
            WHERE m.conversation_id = $1 AND m.id > $3
            ORDER BY m.id LIMIT $4")
        postgres messages!(postgres "(SELECT * FROM messages
                WHERE (conversation_id, id) >= ($1, $3)
                    AND (conversation_id, id) <= ($1, 9223372036854775807) AND id <> $3
                ORDER BY conversation_id, id LIMIT $4) AS m",
            "LEFT JOIN LATERAL (SELECT id FROM messages
                WHERE conversation_id = m.conversation_id AND id = m.thread_id AND id >= $2 LIMIT 1) AS p ON TRUE
            ORDER BY m.conversation_id, m.id");
    IN_CONVERSATION: Query -> VisibleMessage =
        sqlite messages!(sqlite "json_each($2) j CROSS JOIN messages m ON m.conversation_id = $1 AND m.id = j.value",
            "LEFT JOIN messages p ON p.conversation_id = m.conversation_id AND p.id = m.thread_id")
        postgres messages!(postgres "unnest(CAST($2 AS BIGINT[])) AS j (id)
            CROSS JOIN LATERAL (SELECT * FROM messages WHERE conversation_id = $1 AND id = j.id LIMIT 1) AS m",
            "LEFT JOIN LATERAL (SELECT id FROM messages
                WHERE conversation_id = m.conversation_id AND id = m.thread_id LIMIT 1) AS p ON TRUE");
    BLOCKS_OF: Query =
        sqlite "SELECT e.message_id, e.blocks FROM json_each($1) j CROSS JOIN message_extras e ON e.message_id = j.value
            WHERE e.blocks IS NOT NULL"
        postgres "SELECT j.id, e.blocks FROM unnest(CAST($1 AS BIGINT[])) AS j (id)
            CROSS JOIN LATERAL (SELECT blocks FROM message_extras
                WHERE message_id = j.id AND blocks IS NOT NULL LIMIT 1) AS e";
    NOTICE_TEXTS: Query =
        sqlite "SELECT m.id, m.text FROM json_each($1) j CROSS JOIN messages m ON m.id = j.value
            WHERE m.type = 3 AND m.text IS NOT NULL"
        postgres "SELECT j.id, m.text FROM unnest(CAST($1 AS BIGINT[])) AS j (id)
            CROSS JOIN LATERAL (SELECT text FROM messages
                WHERE id = j.id AND type = 3 AND text IS NOT NULL LIMIT 1) AS m";
    // The second part of UNION ALL adds the first message of the thread to its replies. This message has the lowest id,
    // so it is the last message of the last page.
    THREAD: Query -> VisibleMessage =
        sqlite messages!(sqlite "(
                SELECT * FROM (
                    SELECT * FROM messages WHERE conversation_id = $1 AND thread_id = $8 AND id >= $3 AND id < $4
                        AND created_at >= $5 AND created_at < $6
                    ORDER BY id DESC LIMIT $7) AS replies
                UNION ALL
                SELECT * FROM messages WHERE conversation_id = $1 AND id = $8 AND id >= $3 AND id < $4
                    AND created_at >= $5 AND created_at < $6) AS m",
            "LEFT JOIN messages p ON p.conversation_id = m.conversation_id AND p.id = m.thread_id AND p.id >= $2
            ORDER BY m.id DESC LIMIT $7")
        postgres messages!(postgres "(SELECT * FROM (
                SELECT * FROM (
                    SELECT * FROM messages WHERE conversation_id = ANY(ARRAY[CAST($1 AS BIGINT)])
                        AND thread_id = $8 AND id >= $3 AND id < $4 AND created_at >= $5 AND created_at < $6
                    ORDER BY conversation_id DESC, id DESC LIMIT $7) AS replies
                UNION ALL
                SELECT * FROM messages WHERE conversation_id = $1 AND id = $8 AND id >= $3 AND id < $4
                    AND created_at >= $5 AND created_at < $6) AS found
                ORDER BY id DESC LIMIT $7) AS m",
            "LEFT JOIN LATERAL (SELECT id FROM messages
                WHERE conversation_id = m.conversation_id AND id = m.thread_id AND id >= $2 LIMIT 1) AS p ON TRUE
            ORDER BY m.id DESC");
    BY_IDS: Query -> VisibleMessage =
        sqlite messages!(sqlite "json_each($1) j CROSS JOIN messages m ON m.id = j.value",
            "JOIN members b ON b.conversation_id = m.conversation_id AND b.user_id = $2
            LEFT JOIN messages p ON p.conversation_id = m.conversation_id AND p.id = m.thread_id
                AND p.id >= b.visible_from
            WHERE b.left_at IS NULL AND m.id >= b.visible_from")
        postgres messages!(postgres "unnest(CAST($1 AS BIGINT[])) AS j (id)
            CROSS JOIN LATERAL (SELECT * FROM messages WHERE id = j.id LIMIT 1) AS m
            CROSS JOIN LATERAL (SELECT visible_from FROM members
                WHERE conversation_id = m.conversation_id AND user_id = $2 AND left_at IS NULL LIMIT 1) AS b",
            "LEFT JOIN LATERAL (SELECT id FROM messages
                WHERE conversation_id = m.conversation_id AND id = m.thread_id AND id >= b.visible_from
                LIMIT 1) AS p ON TRUE
            WHERE m.id >= b.visible_from");
    FILES_OF: Query -> AttachedFile =
        sqlite "SELECT a.message_id, f.id, f.name, f.mimetype, f.size
            FROM json_each($1) j CROSS JOIN messages m ON m.id = j.value
            JOIN message_files a ON a.conversation_id = m.conversation_id AND a.message_id = m.id
            JOIN files f ON f.id = a.file_id
            WHERE f.deleted_at IS NULL ORDER BY a.message_id, a.position"
        postgres "SELECT a.message_id, f.id, f.name, f.mimetype, f.size
            FROM unnest(CAST($1 AS BIGINT[])) AS j (id)
            CROSS JOIN LATERAL (SELECT conversation_id, id FROM messages WHERE id = j.id LIMIT 1) AS m
            CROSS JOIN LATERAL (SELECT message_id, position, file_id FROM message_files
                WHERE conversation_id = m.conversation_id AND message_id = m.id OFFSET 0) AS a
            CROSS JOIN LATERAL (SELECT id, name, mimetype, size FROM files
                WHERE id = a.file_id AND deleted_at IS NULL LIMIT 1) AS f
            ORDER BY a.message_id, a.position";
    OTHERS: Query -> OtherUser =
        sqlite concat!("SELECT b.conversation_id, b.user_id, u.name
            FROM json_each($1) j CROSS JOIN members b ON b.conversation_id = j.value
            JOIN users u ON u.id = b.user_id
            WHERE b.user_id <> $2 AND ", visible_to_members!("u."))
        postgres concat!("SELECT j.id AS conversation_id, u.id AS user_id, u.name
            FROM unnest(CAST($1 AS BIGINT[])) AS j (id)
            CROSS JOIN LATERAL (SELECT user_id FROM members WHERE conversation_id = j.id OFFSET 0) AS b
            CROSS JOIN LATERAL (SELECT id, name FROM users
                WHERE id = b.user_id AND ", visible_to_members!(""), " LIMIT 1) AS u
            WHERE b.user_id <> $2");
    LATEST: Query =
        sqlite "SELECT b.conversation_id, (SELECT m.created_at FROM messages m
                WHERE m.conversation_id = b.conversation_id AND m.id >= b.visible_from
                ORDER BY m.id DESC LIMIT 1)
            FROM json_each($1) j CROSS JOIN members b ON b.conversation_id = j.value AND b.user_id = $2"
        postgres "SELECT j.id, (SELECT m.created_at FROM messages m
                WHERE m.conversation_id = ANY(ARRAY[j.id]) AND m.id >= b.visible_from
                ORDER BY m.conversation_id DESC, m.id DESC LIMIT 1)
            FROM unnest(CAST($1 AS BIGINT[])) AS j (id)
            CROSS JOIN LATERAL (SELECT visible_from FROM members
                WHERE conversation_id = j.id AND user_id = $2 LIMIT 1) AS b";
    // examines up to $3 messages that have the file; returns their number, and whether the reader may see one of them
    FILE_SEEN_AMONG: Query =
        sqlite "SELECT COUNT(*), COALESCE(MAX(CASE WHEN b.left_at IS NULL AND v.deleted_at IS NULL
                AND a.message_id >= b.visible_from THEN 1 ELSE 0 END), 0)
            FROM (SELECT conversation_id, message_id FROM message_files WHERE file_id = $1 LIMIT $3) AS a
            LEFT JOIN members b ON b.conversation_id = a.conversation_id AND b.user_id = $2
            LEFT JOIN conversations v ON v.id = a.conversation_id"
        postgres "SELECT COUNT(*), CAST(COALESCE(MAX(CASE WHEN a.message_id >= b.visible_from
                AND v.id IS NOT NULL THEN 1 ELSE 0 END), 0) AS BIGINT)
            FROM (SELECT conversation_id, message_id FROM message_files
                WHERE (file_id, conversation_id, message_id) >= ($1, 0, 0)
                    AND (file_id, conversation_id) <= ($1, 9223372036854775807)
                ORDER BY file_id, conversation_id, message_id LIMIT $3) AS a
            LEFT JOIN LATERAL (SELECT visible_from FROM members
                WHERE conversation_id = a.conversation_id AND user_id = $2 AND left_at IS NULL LIMIT 1) AS b ON TRUE
            LEFT JOIN LATERAL (SELECT id FROM conversations
                WHERE id = a.conversation_id AND deleted_at IS NULL LIMIT 1) AS v ON TRUE";
    // on PostgreSQL, reads one entry of the index for each conversation, as `messages::CARRIES_FILE` does
    FILE_SEEN_IN: Query =
        sqlite "SELECT b.conversation_id FROM members b
            CROSS JOIN conversations v ON v.id = b.conversation_id
            CROSS JOIN message_files a INDEXED BY message_files_by_file ON a.file_id = $1
                AND a.conversation_id = b.conversation_id AND a.message_id >= b.visible_from
            WHERE b.user_id = $2 AND b.left_at IS NULL AND v.deleted_at IS NULL LIMIT 1"
        postgres "SELECT b.conversation_id
            FROM (SELECT conversation_id, visible_from FROM members
                WHERE user_id = $2 AND left_at IS NULL OFFSET 0) AS b
            CROSS JOIN LATERAL (SELECT file_id, conversation_id FROM message_files
                WHERE (file_id, conversation_id, message_id) >= ($1, b.conversation_id, b.visible_from)
                ORDER BY file_id, conversation_id, message_id LIMIT 1) AS next
            CROSS JOIN LATERAL (SELECT id FROM conversations
                WHERE id = b.conversation_id AND deleted_at IS NULL LIMIT 1) AS v
            WHERE next.file_id = $1 AND next.conversation_id = b.conversation_id
            LIMIT 1";
}

/// Returns up to `limit` messages of a range. The newest message is first.
pub async fn history<C: ReadSql>(c: &mut C, range: &HistoryRange, limit: i64) -> Result<Vec<VisibleMessage>> {
    let HistoryRange { conversation, visible_from, from, before, after_time, before_time } = *range;
    c.all(&HISTORY, args![conversation, visible_from, from, before, after_time, before_time, limit]).await
}

/// Returns up to `limit` messages of a conversation whose ids are above `after` and not below `visible_from`. The
/// oldest message is first.
pub async fn newer<C: ReadSql>(
    c: &mut C,
    conversation: ConversationId,
    visible_from: MessageId,
    after: MessageId,
    limit: i64,
) -> Result<Vec<VisibleMessage>> {
    // The higher of the two lower bounds is computed here. If the statement had both bounds, PostgreSQL would begin its
    // scan at one of them, and read and discard all rows up to the other bound.
    let after = after.max(MessageId(visible_from.0 - 1));
    c.all(&NEWER, args![conversation, visible_from, after, limit]).await
}

/// Returns the messages in `ids` that are in a conversation, in no particular order. Does not check who may see the
/// messages.
pub async fn in_conversation<C: ReadSql>(
    c: &mut C,
    conversation: ConversationId,
    ids: &[MessageId],
) -> Result<Vec<VisibleMessage>> {
    c.all(&IN_CONVERSATION, args![conversation, ids]).await
}

/// Returns the blocks of the messages in `ids`, as JSON texts. Omits messages without blocks.
pub async fn blocks_of<C: ReadSql>(c: &mut C, ids: &[MessageId]) -> Result<Vec<(MessageId, String)>> {
    c.all(&BLOCKS_OF, args![ids]).await
}

/// Returns the texts of those messages in `ids` that are system messages. Omits system messages without a text.
pub async fn notice_texts<C: ReadSql>(c: &mut C, ids: &[MessageId]) -> Result<Vec<(MessageId, String)>> {
    c.all(&NOTICE_TEXTS, args![ids]).await
}

/// Returns up to `limit` messages of a thread in a range: the replies and the first message of the thread. The newest
/// message is first.
pub async fn thread<C: ReadSql>(
    c: &mut C,
    range: &HistoryRange,
    thread: MessageId,
    limit: i64,
) -> Result<Vec<VisibleMessage>> {
    let HistoryRange { conversation, visible_from, from, before, after_time, before_time } = *range;
    c.all(&THREAD, args![conversation, visible_from, from, before, after_time, before_time, limit, thread])
        .await
}

/// Returns the messages in `ids` that the reader may see, in no particular order. The caller must check that the
/// conversations of the messages are not deleted: the rows of messages and members outlive the deletion of a
/// conversation.
pub async fn by_ids<C: ReadSql>(c: &mut C, reader: UserId, ids: &[MessageId]) -> Result<Vec<VisibleMessage>> {
    c.all(&BY_IDS, args![ids, reader]).await
}

/// Returns the files of the messages in `ids`, ordered by message and position. Omits deleted files.
pub async fn files_of<C: ReadSql>(c: &mut C, ids: &[MessageId]) -> Result<Vec<AttachedFile>> {
    c.all(&FILES_OF, args![ids]).await
}

/// Returns for each of the direct conversations in `conversations` the id and the name of the user who is not `reader`.
/// Omits a conversation if this user is a guest who is hidden from members.
pub async fn others<C: ReadSql>(
    c: &mut C,
    reader: UserId,
    conversations: &[ConversationId],
) -> Result<Vec<OtherUser>> {
    c.all(&OTHERS, args![conversations, reader]).await
}

/// Returns for each of the conversations in `conversations` the time of the newest message that the reader may see;
/// `None` if the reader may see no message. Omits conversations of which the reader was never a member. The caller must
/// check that the reader is still a member: a conversation that the reader has left is not omitted.
pub async fn latest<C: ReadSql>(
    c: &mut C,
    reader: UserId,
    conversations: &[ConversationId],
) -> Result<Vec<(ConversationId, Option<Timestamp>)>> {
    c.all(&LATEST, args![conversations, reader]).await
}

/// Returns whether the reader may see a message to which the file is attached.
pub async fn sees_file<C: ReadSql>(c: &mut C, reader: UserId, file: FileId) -> Result<bool> {
    let (examined, is_seen): (i64, bool) = c.one(&FILE_SEEN_AMONG, args![file, reader, FEW_MESSAGES]).await?;
    if is_seen || examined < FEW_MESSAGES {
        return Ok(is_seen);
    }
    Ok(c.opt::<(ConversationId,)>(&FILE_SEEN_IN, args![file, reader]).await?.is_some())
}
