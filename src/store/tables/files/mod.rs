//! Metadata of files. The content of a file is in the file storage; the file id is its key there.

pub mod usage;

use crate::domain::{
    ids::{ConversationId, FileId, MessageId, UserId, WorkspaceId},
    time::Timestamp,
};
use crate::store::{ReadSql, Result, Sql, args, statements, table};

table! {
    /// A file.
    #[derive(Clone, Debug, PartialEq)]
    pub struct File in files {
        id: FileId,
        workspace_id: WorkspaceId,
        /// The user who uploaded the file; `None` if the operator did.
        owner_id: Option<UserId>,
        /// The file name given at the upload.
        name: String,
        mimetype: String,
        /// Size in bytes.
        size: i64,
        created_at: Timestamp,
        deleted_at: Option<Timestamp> = "NULL",
    }
    extra_columns { purge_after = "NULL", counted = "1", unattached_until: Option<Timestamp> }
}

statements! {
    INSERT: Command = files!(INSERT);
    BY_ID: Query -> File = files!(SELECT "WHERE id = $1");
    DELETE: Command = "UPDATE files SET deleted_at = $2, purge_after = $3, unattached_until = NULL
        WHERE id = $1 AND deleted_at IS NULL";
    BY_IDS: Query -> File =
        sqlite files!(SELECT "WHERE id IN (SELECT value FROM json_each($1))")
        postgres files!(SELECT "WHERE id = ANY($1)");
    ATTACH: Command =
        sqlite "UPDATE files SET unattached_until = NULL
            WHERE id IN (SELECT value FROM json_each($1)) AND deleted_at IS NULL AND unattached_until IS NOT NULL"
        postgres "UPDATE files SET unattached_until = NULL
            WHERE id = ANY(ARRAY(SELECT id FROM files WHERE id = ANY($1) AND deleted_at IS NULL
                    AND unattached_until IS NOT NULL ORDER BY id FOR UPDATE))
                AND deleted_at IS NULL AND unattached_until IS NOT NULL";
    // Does not look for other messages with the files. DELETE_UNATTACHED does so when the time has passed. Two messages
    // with one file may be deleted at the same time, and each of the two transactions would still see the other
    // message.
    DETACH: Command =
        sqlite "UPDATE files SET unattached_until = $3
            WHERE id IN (SELECT file_id FROM message_files WHERE conversation_id = $1 AND message_id = $2)
                AND deleted_at IS NULL"
        postgres "UPDATE files SET unattached_until = $3
            WHERE id = ANY(ARRAY(SELECT id FROM files WHERE id = ANY(ARRAY(
                    SELECT file_id FROM message_files WHERE conversation_id = $1 AND message_id = $2))
                    AND deleted_at IS NULL ORDER BY id FOR UPDATE))
                AND deleted_at IS NULL";
    // The statement also looks for a message that has the file, for two reasons. Another message may have the file. And
    // if a server of an older version attaches a file, it does not clear `unattached_until`.
    DELETE_UNATTACHED: Command =
        sqlite "UPDATE files SET unattached_until = NULL,
                deleted_at = CASE WHEN deleted_at IS NULL
                    AND (SELECT 1 FROM message_files WHERE file_id = files.id LIMIT 1) IS NULL
                    THEN $1 ELSE deleted_at END,
                purge_after = CASE WHEN deleted_at IS NULL
                    AND (SELECT 1 FROM message_files WHERE file_id = files.id LIMIT 1) IS NULL
                    THEN $3 ELSE purge_after END
            WHERE id IN (SELECT id FROM files
                    WHERE unattached_until <= $1 ORDER BY unattached_until LIMIT $2)
                AND unattached_until <= $1"
        postgres "UPDATE files SET unattached_until = NULL,
                deleted_at = CASE WHEN deleted_at IS NULL
                    AND (SELECT 1 FROM message_files WHERE file_id = files.id LIMIT 1) IS NULL
                    THEN $1 ELSE deleted_at END,
                purge_after = CASE WHEN deleted_at IS NULL
                    AND (SELECT 1 FROM message_files WHERE file_id = files.id LIMIT 1) IS NULL
                    THEN $3 ELSE purge_after END
            WHERE id = ANY(ARRAY(SELECT id FROM files
                    WHERE unattached_until <= $1 ORDER BY unattached_until LIMIT $2 FOR UPDATE))
                AND unattached_until <= $1";
    TO_PURGE: Query = "SELECT id FROM files WHERE purge_after <= $1 ORDER BY purge_after LIMIT $2";
    PURGED: Command = "UPDATE files SET purge_after = NULL WHERE id = $1";
    PURGE_LATER: Command = "UPDATE files SET purge_after = $2 WHERE id = $1 AND purge_after IS NOT NULL";
    // only for the reset of the sandbox's clock
    LIMIT_PURGES: Command = "UPDATE files SET purge_after = $1 WHERE purge_after > $1";
    LIMIT_UNATTACHED: Command = "UPDATE files SET unattached_until = $1 WHERE unattached_until > $1";
    BEGIN_UPLOAD: Command = "INSERT INTO uploads (file_id, workspace_id, begun_at, parts, swept)
        VALUES ($1, $2, $3, NULL, 0)";
    NOTE_PARTS: Command = "UPDATE uploads SET parts = $2 WHERE file_id = $1";
    END_UPLOAD: Command = "DELETE FROM uploads WHERE file_id = $1 AND swept = 0";
    SWEEP: Command =
        sqlite "UPDATE uploads SET swept = 1 WHERE file_id IN
                (SELECT file_id FROM uploads WHERE begun_at <= $1 ORDER BY begun_at LIMIT $2)
            RETURNING file_id, parts"
        postgres "UPDATE uploads SET swept = 1 WHERE file_id = ANY(ARRAY(
                SELECT file_id FROM uploads WHERE begun_at <= $1 ORDER BY begun_at LIMIT $2))
            RETURNING file_id, parts";
    SWEPT: Command = "DELETE FROM uploads WHERE file_id = $1 AND swept = 1";
    SWEEP_LATER: Command = "UPDATE uploads SET begun_at = $2 WHERE file_id = $1 AND swept = 1";
}

/// Inserts a file. After `unattached_until` a maintenance job deletes the file unless it is attached to a message. The
/// caller must add the size of the file with [`file_usage::add`](crate::store::file_usage::add).
pub async fn insert<C: Sql>(c: &mut C, f: &File, unattached_until: Option<Timestamp>) -> Result<()> {
    c.exec(&INSERT, &f.insert_args(unattached_until)).await?;
    Ok(())
}

/// Marks files as attached. The caller must check afterwards, in the same transaction, whether the files exist and may
/// be attached. Until the transaction ends, no job deletes the files as unattached. If a file was already deleted, the
/// caller reads it as deleted.
pub async fn attach<C: Sql>(c: &mut C, ids: &[FileId]) -> Result<()> {
    c.exec(&ATTACH, args![ids]).await?;
    Ok(())
}

/// Marks the files of a message as unattached before the message is deleted. After `until`, a maintenance job deletes
/// those files that no other message has by then. The caller must have locked the conversation.
pub async fn detach<C: Sql>(
    c: &mut C,
    conversation: ConversationId,
    message: MessageId,
    until: Timestamp,
) -> Result<()> {
    c.exec(&DETACH, args![conversation, message, until]).await?;
    Ok(())
}

/// Returns the files with these ids, of any company and including deleted files, unordered.
pub async fn by_ids<C: ReadSql>(c: &mut C, ids: &[FileId]) -> Result<Vec<File>> {
    c.all(&BY_IDS, args![ids]).await
}

/// Deletes unattached files whose `unattached_until` has passed. Their contents may be purged after `purge_after`
/// (D-136). Examines up to `limit` files and returns the number of examined files. This number includes attached and
/// already deleted files.
pub async fn delete_unattached<C: Sql>(
    c: &mut C,
    now: Timestamp,
    limit: i64,
    purge_after: Timestamp,
) -> Result<u64> {
    c.exec(&DELETE_UNATTACHED, args![now, limit, purge_after]).await
}

/// Returns the file with this id, of any company, even if it is deleted.
pub async fn by_id<C: ReadSql>(c: &mut C, id: FileId) -> Result<Option<File>> {
    c.opt(&BY_ID, args![id]).await
}

/// Marks a file as deleted. Its content may be purged after `purge_after` (D-136). Returns `false` if the file was
/// already deleted.
pub async fn delete<C: Sql>(c: &mut C, id: FileId, now: Timestamp, purge_after: Timestamp) -> Result<bool> {
    Ok(c.exec(&DELETE, args![id, now, purge_after]).await? == 1)
}

/// Returns up to `limit` deleted files whose content may be purged at `now`, in the order of `purge_after`.
pub async fn to_purge<C: ReadSql>(c: &mut C, now: Timestamp, limit: i64) -> Result<Vec<FileId>> {
    Ok(c.all::<(FileId,)>(&TO_PURGE, args![now, limit]).await?.into_iter().map(|(id,)| id).collect())
}

/// Marks the content of a file as purged.
pub async fn purged<C: Sql>(c: &mut C, id: FileId) -> Result<()> {
    c.exec(&PURGED, args![id]).await?;
    Ok(())
}

/// Reschedules the purge of a file's content to `when`, after the purge has failed. So the file does not delay the
/// purge of other files.
pub async fn purge_later<C: Sql>(c: &mut C, id: FileId, when: Timestamp) -> Result<()> {
    c.exec(&PURGE_LATER, args![id, when]).await?;
    Ok(())
}

/// Moves purges that are later than `purge_after`, and deletions of unattached files that are later than
/// `unattached_until`, to these times. For the sandbox, whose clock was ahead.
pub async fn limit_deletions<C: Sql>(
    c: &mut C,
    purge_after: Timestamp,
    unattached_until: Option<Timestamp>,
) -> Result<()> {
    c.exec(&LIMIT_PURGES, args![purge_after]).await?;
    if let Some(until) = unattached_until {
        c.exec(&LIMIT_UNATTACHED, args![until]).await?;
    }
    Ok(())
}

/// Records that the upload of a content for the future file `id` has started.
pub async fn begin_upload<C: Sql>(
    c: &mut C,
    workspace: WorkspaceId,
    id: FileId,
    now: Timestamp,
) -> Result<()> {
    c.exec(&BEGIN_UPLOAD, args![id, workspace, now]).await?;
    Ok(())
}

/// Records the id that the file storage gave to the multipart upload of this file.
pub async fn note_parts<C: Sql>(c: &mut C, id: FileId, parts: &str) -> Result<()> {
    c.exec(&NOTE_PARTS, args![id, parts]).await?;
    Ok(())
}

/// Deletes the record of an upload whose content becomes a file. Returns `false` if the clean-up has claimed the
/// upload.
pub async fn end_upload<C: Sql>(c: &mut C, id: FileId) -> Result<bool> {
    Ok(c.exec(&END_UPLOAD, args![id]).await? == 1)
}

/// Claims up to `limit` uploads that started at or before `until` for the clean-up, and returns them with the ids of
/// their multipart uploads. A claimed upload can no longer become a file.
pub async fn sweep<C: Sql>(c: &mut C, until: Timestamp, limit: i64) -> Result<Vec<(FileId, Option<String>)>> {
    c.exec_all(&SWEEP, args![until, limit]).await
}

/// Deletes the record of a claimed upload after its leftovers (content, temporary file, parts) were deleted from the
/// file storage.
pub async fn swept<C: Sql>(c: &mut C, id: FileId) -> Result<()> {
    c.exec(&SWEPT, args![id]).await?;
    Ok(())
}

/// Reschedules the clean-up of a claimed upload whose leftovers could not be deleted. Replaces its start time by
/// `begun_at`, so that [`sweep`] returns it again once `until` reaches `begun_at`.
pub async fn sweep_later<C: Sql>(c: &mut C, id: FileId, begun_at: Timestamp) -> Result<()> {
    c.exec(&SWEEP_LATER, args![id, begun_at]).await?;
    Ok(())
}
