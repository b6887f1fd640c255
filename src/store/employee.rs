//! What an employee sees: messages with their senders and files, and the other side of direct messages.
//!
//! Guests whom members do not see are nobody here (B-126).

use super::{Result, Sql, args, row, statements};
use crate::domain::{
    conversation::MessageType,
    ids::{ConversationId, FileId, MessageId, UserId},
    time::Timestamp,
};

/// A message with what is shown of its sender.
#[derive(Clone, Debug, PartialEq)]
pub struct Sight {
    pub id: MessageId,
    pub conversation_id: ConversationId,
    /// Null for a system message and for a guest whom members cannot see.
    pub sender_id: Option<UserId>,
    pub sender_name: Option<String>,
    pub sender_is_bot: Option<bool>,
    pub kind: MessageType,
    /// Null for a system message.
    pub text: Option<String>,
    /// Null unless the reader may see that message.
    pub thread_id: Option<MessageId>,
    pub file_count: i64,
    /// The assistant it was sent through.
    pub via_label: Option<String>,
    pub edited_at: Option<Timestamp>,
    pub created_at: Timestamp,
}
row!(Sight {
    id,
    conversation_id,
    sender_id,
    sender_name,
    sender_is_bot,
    kind,
    text,
    thread_id,
    file_count,
    via_label,
    edited_at,
    created_at
});

/// A file of a message.
#[derive(Clone, Debug, PartialEq)]
pub struct Attached {
    pub message_id: MessageId,
    pub id: FileId,
    pub name: String,
    pub mimetype: String,
    /// Bytes.
    pub size: i64,
}
row!(Attached { message_id, id, name, mimetype, size });

/// Which messages of a conversation are read.
#[derive(Clone, Copy, Debug)]
pub struct Stretch {
    pub conversation: ConversationId,
    /// The lowest id that may be seen.
    pub visible_from: MessageId,
    /// From this id on, up to but not including `before`.
    pub from: MessageId,
    pub before: MessageId,
    pub after_time: Timestamp,
    pub before_time: Timestamp,
}

/// Of a file that more messages carry, the reader's conversations are asked for it, which are fewer than all messages.
const FEW_MESSAGES: i64 = 200;

macro_rules! sights {
    ($from:literal, $users:literal, $rest:literal) => {
        concat!(
            "SELECT m.id, m.conversation_id,
                CASE WHEN u.is_external = 1 AND u.guest_visible = 0 THEN NULL ELSE m.sender_id END,
                CASE WHEN u.is_external = 1 AND u.guest_visible = 0 THEN NULL ELSE u.name END,
                u.is_bot, m.type, CASE WHEN m.type = 3 THEN NULL ELSE m.text END, p.id, m.file_count,
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
        sights!($from, "users u ON u.id = m.sender_id", $rest)
    };
    (postgres $from:literal, $rest:literal) => {
        sights!(
            $from,
            "LATERAL (SELECT name, is_bot, is_external, guest_visible FROM users
                WHERE id = m.sender_id LIMIT 1) AS u ON TRUE",
            $rest
        )
    };
}

// On PostgreSQL pages are cut before anything is joined to them, and joined rows are looked up one by one: see
// `messages`. Times only narrow what the ids already bound.
statements! {
    HISTORY =
        sqlite sights!(sqlite "messages m", "LEFT JOIN messages p
                ON p.conversation_id = m.conversation_id AND p.id = m.thread_id AND p.id >= $2
            WHERE m.conversation_id = $1 AND m.id >= $3 AND m.id < $4 AND m.created_at >= $5 AND m.created_at < $6
            ORDER BY m.id DESC LIMIT $7")
        postgres sights!(postgres "(SELECT * FROM messages
                WHERE (conversation_id, id) >= ($1, $3) AND (conversation_id, id) < ($1, $4)
                    AND created_at >= $5 AND created_at < $6
                ORDER BY conversation_id DESC, id DESC LIMIT $7) AS m",
            "LEFT JOIN LATERAL (SELECT id FROM messages
                WHERE conversation_id = m.conversation_id AND id = m.thread_id AND id >= $2 LIMIT 1) AS p ON TRUE
            ORDER BY m.conversation_id DESC, m.id DESC");
    // the message itself is the last of its thread's pages
    THREAD =
        sqlite sights!(sqlite "(
                SELECT * FROM (
                    SELECT * FROM messages WHERE conversation_id = $1 AND thread_id = $8 AND id >= $3 AND id < $4
                        AND created_at >= $5 AND created_at < $6
                    ORDER BY id DESC LIMIT $7) AS replies
                UNION ALL
                SELECT * FROM messages WHERE conversation_id = $1 AND id = $8 AND id >= $3 AND id < $4
                    AND created_at >= $5 AND created_at < $6) AS m",
            "LEFT JOIN messages p ON p.conversation_id = m.conversation_id AND p.id = m.thread_id AND p.id >= $2
            ORDER BY m.id DESC LIMIT $7")
        postgres sights!(postgres "(SELECT * FROM (
                SELECT * FROM (
                    SELECT * FROM messages WHERE thread_id IS NOT NULL
                        AND (conversation_id, thread_id, id) >= ($1, $8, $3)
                        AND (conversation_id, thread_id, id) < ($1, $8, $4)
                        AND created_at >= $5 AND created_at < $6
                    ORDER BY conversation_id DESC, thread_id DESC, id DESC LIMIT $7) AS replies
                UNION ALL
                SELECT * FROM messages WHERE conversation_id = $1 AND id = $8 AND id >= $3 AND id < $4
                    AND created_at >= $5 AND created_at < $6) AS found
                ORDER BY id DESC LIMIT $7) AS m",
            "LEFT JOIN LATERAL (SELECT id FROM messages
                WHERE conversation_id = m.conversation_id AND id = m.thread_id AND id >= $2 LIMIT 1) AS p ON TRUE
            ORDER BY m.id DESC");
    BY_IDS =
        sqlite sights!(sqlite "json_each($1) j CROSS JOIN messages m ON m.id = j.value",
            "JOIN members b ON b.conversation_id = m.conversation_id AND b.user_id = $2
            LEFT JOIN messages p ON p.conversation_id = m.conversation_id AND p.id = m.thread_id
                AND p.id >= b.visible_from
            WHERE b.left_at IS NULL AND m.id >= b.visible_from")
        postgres sights!(postgres "unnest(CAST($1 AS BIGINT[])) AS j (id)
            CROSS JOIN LATERAL (SELECT * FROM messages WHERE id = j.id LIMIT 1) AS m
            CROSS JOIN LATERAL (SELECT visible_from FROM members
                WHERE conversation_id = m.conversation_id AND user_id = $2 AND left_at IS NULL LIMIT 1) AS b",
            "LEFT JOIN LATERAL (SELECT id FROM messages
                WHERE conversation_id = m.conversation_id AND id = m.thread_id AND id >= b.visible_from
                LIMIT 1) AS p ON TRUE
            WHERE m.id >= b.visible_from");
    FILES_OF =
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
    OTHERS =
        sqlite "SELECT b.conversation_id, b.user_id, u.name
            FROM json_each($1) j CROSS JOIN members b ON b.conversation_id = j.value
            JOIN users u ON u.id = b.user_id
            WHERE b.user_id <> $2 AND (u.is_external = 0 OR u.guest_visible = 1)"
        postgres "SELECT j.id, u.id, u.name
            FROM unnest(CAST($1 AS BIGINT[])) AS j (id)
            CROSS JOIN LATERAL (SELECT user_id FROM members WHERE conversation_id = j.id OFFSET 0) AS b
            CROSS JOIN LATERAL (SELECT id, name FROM users
                WHERE id = b.user_id AND (is_external = 0 OR guest_visible = 1) LIMIT 1) AS u
            WHERE b.user_id <> $2";
    LATEST =
        sqlite "SELECT b.conversation_id, (SELECT m.created_at FROM messages m
                WHERE m.conversation_id = b.conversation_id AND m.id >= b.visible_from
                ORDER BY m.id DESC LIMIT 1)
            FROM json_each($1) j CROSS JOIN members b ON b.conversation_id = j.value AND b.user_id = $2"
        postgres "SELECT j.id, (SELECT m.created_at FROM messages m
                WHERE (m.conversation_id, m.id) >= (j.id, b.visible_from)
                    AND (m.conversation_id, m.id) <= (j.id, 9223372036854775807)
                ORDER BY m.conversation_id DESC, m.id DESC LIMIT 1)
            FROM unnest(CAST($1 AS BIGINT[])) AS j (id)
            CROSS JOIN LATERAL (SELECT visible_from FROM members
                WHERE conversation_id = j.id AND user_id = $2 LIMIT 1) AS b";
    // how many of a file's messages were looked at, and whether one of them is seen
    FILE_SEEN_AMONG =
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
    FILE_SEEN_IN =
        sqlite "SELECT b.conversation_id FROM members b
            CROSS JOIN conversations v ON v.id = b.conversation_id
            CROSS JOIN message_files a INDEXED BY message_files_by_file ON a.file_id = $1
                AND a.conversation_id = b.conversation_id AND a.message_id >= b.visible_from
            WHERE b.user_id = $2 AND b.left_at IS NULL AND v.deleted_at IS NULL LIMIT 1"
        postgres "SELECT b.conversation_id
            FROM (SELECT conversation_id, visible_from FROM members
                WHERE user_id = $2 AND left_at IS NULL OFFSET 0) AS b
            CROSS JOIN LATERAL (SELECT message_id FROM message_files
                WHERE (file_id, conversation_id, message_id) >= ($1, b.conversation_id, b.visible_from)
                    AND (file_id, conversation_id, message_id) <= ($1, b.conversation_id, 9223372036854775807)
                ORDER BY file_id, conversation_id, message_id LIMIT 1) AS a
            CROSS JOIN LATERAL (SELECT id FROM conversations
                WHERE id = b.conversation_id AND deleted_at IS NULL LIMIT 1) AS v
            LIMIT 1";
}

/// A page of a conversation, newest first.
pub async fn history<C: Sql>(c: &mut C, stretch: &Stretch, limit: i64) -> Result<Vec<Sight>> {
    let Stretch { conversation, visible_from, from, before, after_time, before_time } = *stretch;
    c.all(&HISTORY, args![conversation, visible_from, from, before, after_time, before_time, limit]).await
}

/// A page of a thread, newest first: replies, and the message they reply to.
pub async fn thread<C: Sql>(
    c: &mut C,
    stretch: &Stretch,
    thread: MessageId,
    limit: i64,
) -> Result<Vec<Sight>> {
    let Stretch { conversation, visible_from, from, before, after_time, before_time } = *stretch;
    c.all(&THREAD, args![conversation, visible_from, from, before, after_time, before_time, limit, thread])
        .await
}

/// Those of some messages that a person sees, in no order.
pub async fn by_ids<C: Sql>(c: &mut C, reader: UserId, ids: &[MessageId]) -> Result<Vec<Sight>> {
    c.all(&BY_IDS, args![ids, reader]).await
}

/// The files of some messages that were not deleted, in order.
pub async fn files_of<C: Sql>(c: &mut C, ids: &[MessageId]) -> Result<Vec<Attached>> {
    c.all(&FILES_OF, args![ids]).await
}

/// Who else is in some direct messages.
pub async fn others<C: Sql>(
    c: &mut C,
    reader: UserId,
    conversations: &[ConversationId],
) -> Result<Vec<(ConversationId, UserId, String)>> {
    c.all(&OTHERS, args![conversations, reader]).await
}

/// When the newest message that a person sees in each of some conversations was written.
pub async fn latest<C: Sql>(
    c: &mut C,
    reader: UserId,
    conversations: &[ConversationId],
) -> Result<Vec<(ConversationId, Option<Timestamp>)>> {
    c.all(&LATEST, args![conversations, reader]).await
}

/// Whether a person sees a message that carries the file.
pub async fn sees_file<C: Sql>(c: &mut C, reader: UserId, file: FileId) -> Result<bool> {
    let (looked_at, is_seen): (i64, bool) =
        c.one(&FILE_SEEN_AMONG, args![file, reader, FEW_MESSAGES]).await?;
    if is_seen || looked_at < FEW_MESSAGES {
        return Ok(is_seen);
    }
    Ok(c.opt::<(ConversationId,)>(&FILE_SEEN_IN, args![file, reader]).await?.is_some())
}
