//! The metadata of files (the table `files`), and the uploads in progress (the table `uploads`). The contents of files
//! are in the file storage, where the key of a content is the id of its file.

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
        /// The person who uploaded the file, or for whom the operator uploaded it; `None` if the operator uploaded the
        /// file for nobody.
        owner_id: Option<UserId>,
        /// The file name that was given with the upload.
        name: String,
        mimetype: String,
        /// Size in bytes.
        size: i64,
        created_at: Timestamp,
        deleted_at: Option<Timestamp> = "NULL",
    }
    // `purge_after`: when the content of a deleted file may be purged; NULL after the purge. `counted`: see `usage.rs`.
    // `unattached_until`: see `insert`.
    extra_columns { purge_after = "NULL", counted = "1", unattached_until: Option<Timestamp> }
}

table! {
    /// An upload whose file is not inserted yet.
    #[derive(Clone, Copy, Debug)]
    pub struct StartedUpload in uploads {
        file_id: FileId,
        workspace_id: WorkspaceId,
        begun_at: Timestamp,
    }
    // `parts`: see `note_parts`. `swept`: 1 after `sweep` has claimed the upload.
    extra_columns { parts = "NULL", swept = "0" }
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
    // This statement does not check whether other messages have the files. Such a check could be wrong: if two messages
    // with the same file are deleted at the same time, each of the two transactions still sees the other message.
    // DELETE_UNATTACHED makes the check, when the time `unattached_until` has passed.
    DETACH: Command =
        sqlite "UPDATE files SET unattached_until = $3
            WHERE id IN (SELECT file_id FROM message_files WHERE conversation_id = $1 AND message_id = $2)
                AND deleted_at IS NULL"
        postgres "UPDATE files SET unattached_until = $3
            WHERE id = ANY(ARRAY(SELECT id FROM files WHERE id = ANY(ARRAY(
                    SELECT file_id FROM message_files WHERE conversation_id = $1 AND message_id = $2))
                    AND deleted_at IS NULL ORDER BY id FOR UPDATE))
                AND deleted_at IS NULL";
    // The statement deletes a file only if no message has the file. A message can have a file with an
    // `unattached_until`, for two reasons. If one of several messages with a file is deleted, the file gets an
    // `unattached_until`. And a server of an older version attaches a file without clearing `unattached_until`.
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
    // LIMIT_PURGES and LIMIT_UNATTACHED are used only when the sandbox's clock is reset
    LIMIT_PURGES: Command = "UPDATE files SET purge_after = $1 WHERE purge_after > $1";
    LIMIT_UNATTACHED: Command = "UPDATE files SET unattached_until = $1 WHERE unattached_until > $1";
    BEGIN_UPLOAD: Command = uploads!(INSERT);
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

/// Inserts a file. If the file is not attached to a message at the time `unattached_until`, a maintenance job deletes
/// the file. If `unattached_until` is `None`, the file is kept. The caller must add the size of the file with
/// [`file_usage::add`](crate::store::file_usage::add).
pub async fn insert<C: Sql>(c: &mut C, f: &File, unattached_until: Option<Timestamp>) -> Result<()> {
    c.exec(&INSERT, &f.insert_args(unattached_until)).await?;
    Ok(())
}

/// Marks files as attached. After this call, the caller must check in the same transaction that the files exist, are
/// not deleted and may be attached. Until the transaction ends, no maintenance job deletes the files as unattached.
pub async fn attach<C: Sql>(c: &mut C, ids: &[FileId]) -> Result<()> {
    c.exec(&ATTACH, args![ids]).await?;
    Ok(())
}

/// Marks the files of a message as unattached. After the time `until`, a maintenance job deletes those files that are
/// not attached to any message. The caller must have locked the conversation, and must delete the message's rows in
/// `message_files` after this call.
pub async fn detach<C: Sql>(
    c: &mut C,
    conversation: ConversationId,
    message: MessageId,
    until: Timestamp,
) -> Result<()> {
    c.exec(&DETACH, args![conversation, message, until]).await?;
    Ok(())
}

/// Returns the files in `ids`, of any company, in no particular order. Includes deleted files.
pub async fn by_ids<C: ReadSql>(c: &mut C, ids: &[FileId]) -> Result<Vec<File>> {
    c.all(&BY_IDS, args![ids]).await
}

/// Marks unattached files as deleted if their `unattached_until` has passed. Their contents may be purged after
/// `purge_after` (D-136). Examines up to `limit` files, and returns the number of examined files. These include
/// attached files and files that are already deleted.
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

/// Records that the content of a file was purged.
pub async fn purged<C: Sql>(c: &mut C, id: FileId) -> Result<()> {
    c.exec(&PURGED, args![id]).await?;
    Ok(())
}

/// Postpones the purge of a file's content to the time `when`. To be called if the purge has failed, so that the file
/// does not delay the purge of other files.
pub async fn purge_later<C: Sql>(c: &mut C, id: FileId, when: Timestamp) -> Result<()> {
    c.exec(&PURGE_LATER, args![id, when]).await?;
    Ok(())
}

/// Moves every purge that is planned for a time after `purge_after` to `purge_after`. Moves every deletion of an
/// unattached file that is planned for a time after `unattached_until` to `unattached_until`. To be called when the
/// sandbox's clock was ahead and is reset.
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

/// Records that the upload of the content of the file `id` has started. The file itself is inserted when the upload
/// ends.
pub async fn begin_upload<C: Sql>(
    c: &mut C,
    workspace: WorkspaceId,
    id: FileId,
    now: Timestamp,
) -> Result<()> {
    let upload = StartedUpload { file_id: id, workspace_id: workspace, begun_at: now };
    c.exec(&BEGIN_UPLOAD, &upload.insert_args()).await?;
    Ok(())
}

/// Records the id that the file storage has given to the multipart upload of the file `id`.
pub async fn note_parts<C: Sql>(c: &mut C, id: FileId, parts: &str) -> Result<()> {
    c.exec(&NOTE_PARTS, args![id, parts]).await?;
    Ok(())
}

/// Deletes the record of an upload. To be called in the transaction that inserts the file. Returns `false` if [`sweep`]
/// has already claimed the upload; then the file must not be inserted.
pub async fn end_upload<C: Sql>(c: &mut C, id: FileId) -> Result<bool> {
    Ok(c.exec(&END_UPLOAD, args![id]).await? == 1)
}

/// Claims abandoned uploads, whose content is to be deleted: up to `limit` uploads that started at or before `until`.
/// Returns the ids of their files, each with the id of the multipart upload, if there is one. The content of a claimed
/// upload can no longer become a file.
pub async fn sweep<C: Sql>(c: &mut C, until: Timestamp, limit: i64) -> Result<Vec<(FileId, Option<String>)>> {
    c.exec_all(&SWEEP, args![until, limit]).await
}

/// Deletes the record of a claimed upload. To be called after the content, the temporary file and the parts of the
/// upload were deleted from the file storage.
pub async fn swept<C: Sql>(c: &mut C, id: FileId) -> Result<()> {
    c.exec(&SWEPT, args![id]).await?;
    Ok(())
}

/// Postpones the deletion of a claimed upload whose content could not be deleted. Replaces the start time of the upload
/// by `begun_at`. So [`sweep`] returns the upload again as soon as its argument `until` is at or after `begun_at`.
pub async fn sweep_later<C: Sql>(c: &mut C, id: FileId, begun_at: Timestamp) -> Result<()> {
    c.exec(&SWEEP_LATER, args![id, begun_at]).await?;
    Ok(())
}
