//! File metadata. The contents are in the blob store under the file id.

pub mod usage;

use crate::domain::{
    ids::{FileId, UserId, WorkspaceId},
    time::Timestamp,
};
use crate::store::{ReadSql, Result, Sql, args, statements, table};

table! {
    /// A file.
    #[derive(Clone, Debug, PartialEq)]
    pub struct File in files {
        id: FileId,
        workspace_id: WorkspaceId,
        /// The user who uploaded it; `None` for the operator.
        owner_id: Option<UserId>,
        /// The name given at the upload.
        name: String,
        mimetype: String,
        /// Size in bytes.
        size: i64,
        created_at: Timestamp,
        deleted_at: Option<Timestamp> = "NULL",
    }
    beside { purge_after = "NULL", counted = "1", unattached_until: Option<Timestamp> }
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
    // an older version attaches files without clearing `unattached_until`, so message attachments
    // are checked as well
    DELETE_UNATTACHED: Command =
        sqlite "UPDATE files SET unattached_until = NULL,
                deleted_at = CASE WHEN deleted_at IS NULL
                    AND (SELECT 1 FROM message_files WHERE file_id = files.id LIMIT 1) IS NULL
                    THEN $1 ELSE deleted_at END,
                purge_after = CASE WHEN deleted_at IS NULL
                    AND (SELECT 1 FROM message_files WHERE file_id = files.id LIMIT 1) IS NULL
                    THEN $1 ELSE purge_after END
            WHERE id IN (SELECT id FROM files
                    WHERE unattached_until <= $1 ORDER BY unattached_until LIMIT $2)
                AND unattached_until <= $1"
        postgres "UPDATE files SET unattached_until = NULL,
                deleted_at = CASE WHEN deleted_at IS NULL
                    AND (SELECT 1 FROM message_files WHERE file_id = files.id LIMIT 1) IS NULL
                    THEN $1 ELSE deleted_at END,
                purge_after = CASE WHEN deleted_at IS NULL
                    AND (SELECT 1 FROM message_files WHERE file_id = files.id LIMIT 1) IS NULL
                    THEN $1 ELSE purge_after END
            WHERE id = ANY(ARRAY(SELECT id FROM files
                    WHERE unattached_until <= $1 ORDER BY unattached_until LIMIT $2 FOR UPDATE))
                AND unattached_until <= $1";
    TO_PURGE: Query = "SELECT id FROM files WHERE purge_after <= $1 ORDER BY purge_after LIMIT $2";
    PURGED: Command = "UPDATE files SET purge_after = NULL WHERE id = $1";
    PURGE_LATER: Command = "UPDATE files SET purge_after = $2 WHERE id = $1 AND purge_after IS NOT NULL";
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

/// Inserts a file. It is deleted at `unattached_until` unless a message carries it by then. The
/// caller adds its size with [`file_usage::add`](crate::store::file_usage::add).
pub async fn insert<C: Sql>(c: &mut C, f: &File, unattached_until: Option<Timestamp>) -> Result<()> {
    c.exec(&INSERT, &f.insert_args(unattached_until)).await?;
    Ok(())
}

/// Marks files as attached, before the caller checks whether they may be. Until the transaction ends
/// they cannot be deleted as unattached, and a file already deleted for that reason is seen as
/// deleted.
pub async fn attach<C: Sql>(c: &mut C, ids: &[FileId]) -> Result<()> {
    c.exec(&ATTACH, args![ids]).await?;
    Ok(())
}

/// Returns files of any company, including deleted ones, unordered.
pub async fn by_ids<C: ReadSql>(c: &mut C, ids: &[FileId]) -> Result<Vec<File>> {
    c.all(&BY_IDS, args![ids]).await
}

/// Deletes unattached files whose `unattached_until` has passed; examines up to `limit` files and
/// returns how many.
pub async fn delete_unattached<C: Sql>(c: &mut C, now: Timestamp, limit: i64) -> Result<u64> {
    c.exec(&DELETE_UNATTACHED, args![now, limit]).await
}

/// Returns a file of any company, including deleted ones.
pub async fn by_id<C: ReadSql>(c: &mut C, id: FileId) -> Result<Option<File>> {
    c.opt(&BY_ID, args![id]).await
}

/// Deletes a file; its content may be purged after `purge_after` (D-136). Returns `false` if it was
/// already deleted.
pub async fn delete<C: Sql>(c: &mut C, id: FileId, now: Timestamp, purge_after: Timestamp) -> Result<bool> {
    Ok(c.exec(&DELETE, args![id, now, purge_after]).await? == 1)
}

/// Returns deleted files whose content is due for purging.
pub async fn to_purge<C: ReadSql>(c: &mut C, now: Timestamp, limit: i64) -> Result<Vec<FileId>> {
    Ok(c.all::<(FileId,)>(&TO_PURGE, args![now, limit]).await?.into_iter().map(|(id,)| id).collect())
}

/// Marks the content of a file as purged.
pub async fn purged<C: Sql>(c: &mut C, id: FileId) -> Result<()> {
    c.exec(&PURGED, args![id]).await?;
    Ok(())
}

/// Reschedules the purge of a file's content to `when`, after a failure, so that it does not block
/// the other files.
pub async fn purge_later<C: Sql>(c: &mut C, id: FileId, when: Timestamp) -> Result<()> {
    c.exec(&PURGE_LATER, args![id, when]).await?;
    Ok(())
}

/// Records that an upload has started.
pub async fn begin_upload<C: Sql>(
    c: &mut C,
    workspace: WorkspaceId,
    id: FileId,
    now: Timestamp,
) -> Result<()> {
    c.exec(&BEGIN_UPLOAD, args![id, workspace, now]).await?;
    Ok(())
}

/// Records the storage's id of a multipart upload.
pub async fn note_parts<C: Sql>(c: &mut C, id: FileId, parts: &str) -> Result<()> {
    c.exec(&NOTE_PARTS, args![id, parts]).await?;
    Ok(())
}

/// Ends an upload whose content became a file. Returns `false` if the clean-up has claimed it.
pub async fn end_upload<C: Sql>(c: &mut C, id: FileId) -> Result<bool> {
    Ok(c.exec(&END_UPLOAD, args![id]).await? == 1)
}

/// Claims up to `limit` uploads started at or before `until` for the clean-up and returns them with
/// their multipart ids. They can no longer become files.
pub async fn sweep<C: Sql>(c: &mut C, until: Timestamp, limit: i64) -> Result<Vec<(FileId, Option<String>)>> {
    c.exec_all(&SWEEP, args![until, limit]).await
}

/// Deletes the record of an upload whose leftovers were removed.
pub async fn swept<C: Sql>(c: &mut C, id: FileId) -> Result<()> {
    c.exec(&SWEPT, args![id]).await?;
    Ok(())
}

/// Returns an upload to the clean-up queue after its leftovers could not be removed, as if started
/// at `begun_at`.
pub async fn sweep_later<C: Sql>(c: &mut C, id: FileId, begun_at: Timestamp) -> Result<()> {
    c.exec(&SWEEP_LATER, args![id, begun_at]).await?;
    Ok(())
}
