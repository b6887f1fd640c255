//! Files: what is known of them; their contents are in the blob store under the id.

use super::{Result, Sql, args, row, statements};
use crate::domain::{
    ids::{FileId, UserId, WorkspaceId},
    time::Timestamp,
};

/// One file.
#[derive(Clone, Debug, PartialEq)]
pub struct File {
    pub id: FileId,
    pub workspace_id: WorkspaceId,
    /// Who uploaded it; null when the operator did.
    pub owner_id: Option<UserId>,
    /// As uploaded.
    pub name: String,
    pub mimetype: String,
    /// Bytes.
    pub size: i64,
    pub created_at: Timestamp,
    pub deleted_at: Option<Timestamp>,
}
row!(File { id, workspace_id, owner_id, name, mimetype, size, created_at, deleted_at });

statements! {
    INSERT = "INSERT INTO files (id, workspace_id, owner_id, name, mimetype, size, created_at, deleted_at,
            purge_after)
        VALUES ($1, $2, $3, $4, $5, $6, $7, NULL, NULL)";
    BY_ID = "SELECT id, workspace_id, owner_id, name, mimetype, size, created_at, deleted_at
        FROM files WHERE id = $1";
    DELETE = "UPDATE files SET deleted_at = $2, purge_after = $3 WHERE id = $1 AND deleted_at IS NULL";
    TO_PURGE = "SELECT id FROM files WHERE purge_after <= $1 ORDER BY purge_after LIMIT $2";
    PURGED = "UPDATE files SET purge_after = NULL WHERE id = $1";
    PURGE_LATER = "UPDATE files SET purge_after = $2 WHERE id = $1 AND purge_after IS NOT NULL";
    BEGIN_UPLOAD = "INSERT INTO uploads (file_id, workspace_id, begun_at, parts, swept)
        VALUES ($1, $2, $3, NULL, 0)";
    NOTE_PARTS = "UPDATE uploads SET parts = $2 WHERE file_id = $1";
    END_UPLOAD = "DELETE FROM uploads WHERE file_id = $1 AND swept = 0";
    SWEEP =
        sqlite "UPDATE uploads SET swept = 1 WHERE file_id IN
                (SELECT file_id FROM uploads WHERE begun_at <= $1 ORDER BY begun_at LIMIT $2)
            RETURNING file_id, parts"
        postgres "UPDATE uploads SET swept = 1 WHERE file_id = ANY(ARRAY(
                SELECT file_id FROM uploads WHERE begun_at <= $1 ORDER BY begun_at LIMIT $2))
            RETURNING file_id, parts";
    SWEPT = "DELETE FROM uploads WHERE file_id = $1 AND swept = 1";
    SWEEP_LATER = "UPDATE uploads SET begun_at = $2 WHERE file_id = $1 AND swept = 1";
}

/// Writes a new file.
pub async fn insert<C: Sql>(c: &mut C, f: &File) -> Result<()> {
    c.exec(&INSERT, args![f.id, f.workspace_id, f.owner_id, &f.name, &f.mimetype, f.size, f.created_at])
        .await?;
    Ok(())
}

/// One file of any company, deleted ones too.
pub async fn by_id<C: Sql>(c: &mut C, id: FileId) -> Result<Option<File>> {
    c.opt(&BY_ID, args![id]).await
}

/// Deletes a file; its content may go after `purge_after` (D-136). False when it was deleted already.
pub async fn delete<C: Sql>(c: &mut C, id: FileId, now: Timestamp, purge_after: Timestamp) -> Result<bool> {
    Ok(c.exec(&DELETE, args![id, now, purge_after]).await? == 1)
}

/// Deleted files whose content may go.
pub async fn to_purge<C: Sql>(c: &mut C, now: Timestamp, limit: i64) -> Result<Vec<FileId>> {
    Ok(c.all::<(FileId,)>(&TO_PURGE, args![now, limit]).await?.into_iter().map(|(id,)| id).collect())
}

/// The content of a file is gone.
pub async fn purged<C: Sql>(c: &mut C, id: FileId) -> Result<()> {
    c.exec(&PURGED, args![id]).await?;
    Ok(())
}

/// The content of a file could not be deleted and is tried again at `when`, behind all that is due before.
pub async fn purge_later<C: Sql>(c: &mut C, id: FileId, when: Timestamp) -> Result<()> {
    c.exec(&PURGE_LATER, args![id, when]).await?;
    Ok(())
}

/// Notes that the content of a file is being taken in.
pub async fn begin_upload<C: Sql>(
    c: &mut C,
    workspace: WorkspaceId,
    id: FileId,
    now: Timestamp,
) -> Result<()> {
    c.exec(&BEGIN_UPLOAD, args![id, workspace, now]).await?;
    Ok(())
}

/// Notes under which name the storage keeps its parts.
pub async fn note_parts<C: Sql>(c: &mut C, id: FileId, parts: &str) -> Result<()> {
    c.exec(&NOTE_PARTS, args![id, parts]).await?;
    Ok(())
}

/// The content became a file. False when the sweep has it.
pub async fn end_upload<C: Sql>(c: &mut C, id: FileId) -> Result<bool> {
    Ok(c.exec(&END_UPLOAD, args![id]).await? == 1)
}

/// Takes uploads that were begun up to `until` for the sweep, with the names of their parts: they cannot become files
/// any more.
pub async fn sweep<C: Sql>(c: &mut C, until: Timestamp, limit: i64) -> Result<Vec<(FileId, Option<String>)>> {
    c.all(&SWEEP, args![until, limit]).await
}

/// What an upload left is gone.
pub async fn swept<C: Sql>(c: &mut C, id: FileId) -> Result<()> {
    c.exec(&SWEPT, args![id]).await?;
    Ok(())
}

/// What an upload left could not be removed: the sweep takes it again as one begun at `begun_at`.
pub async fn sweep_later<C: Sql>(c: &mut C, id: FileId, begun_at: Timestamp) -> Result<()> {
    c.exec(&SWEEP_LATER, args![id, begun_at]).await?;
    Ok(())
}
