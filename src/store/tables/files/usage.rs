//! The total bytes of stored files of each company and of each user. An upload adds the size of its file to the totals.
//! A maintenance job subtracts the sizes of files whose contents were deleted. It also adds the sizes of files that
//! earlier versions of the server stored without counting them.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::domain::ids::{UserId, WorkspaceId};
use crate::store::{ReadSql, Result, Sql, args, named_args, row, statements};

/// A file, and the number of bytes that the caller must add to the totals of its company and its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountedFile {
    pub workspace_id: WorkspaceId,
    /// See [`File::owner_id`](crate::store::files::File::owner_id).
    pub owner_id: Option<UserId>,
    /// Negative for a file whose contents were deleted. 0 if the contents were deleted before the file was ever
    /// counted.
    pub bytes: i64,
}
row!(CountedFile { workspace_id, owner_id, bytes });

statements! {
    ADD: Command = "INSERT INTO file_usage (workspace_id, owner_id, bytes) VALUES ($1, $2, $3)
        ON CONFLICT (workspace_id, owner_id) DO UPDATE SET bytes = file_usage.bytes + excluded.bytes RETURNING bytes";
    // the rows are locked in the order of the list $1
    ADD_ALL: Command =
        sqlite "INSERT INTO file_usage (workspace_id, owner_id, bytes)
            SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each($1) WHERE true
            ON CONFLICT (workspace_id, owner_id) DO UPDATE SET bytes = file_usage.bytes + excluded.bytes"
        postgres "INSERT INTO file_usage (workspace_id, owner_id, bytes)
            SELECT CAST(value ->> 0 AS BIGINT), CAST(value ->> 1 AS BIGINT), CAST(value ->> 2 AS BIGINT)
            FROM json_array_elements(CAST(CAST($1 AS TEXT) AS JSON)) AS value
            ON CONFLICT (workspace_id, owner_id) DO UPDATE SET bytes = file_usage.bytes + excluded.bytes";
    BYTES: Query = "SELECT bytes FROM file_usage WHERE workspace_id = $1 AND owner_id = $2";
    // values of `files.counted`: 0 = not counted yet; 1 = counted; 2 = the contents were deleted, and the size was
    // subtracted or was never counted
    COUNT: Command -> CountedFile =
        sqlite "UPDATE files
            SET counted = CASE WHEN deleted_at IS NOT NULL AND purge_after IS NULL THEN 2 ELSE 1 END
            WHERE id IN (SELECT id FROM files INDEXED BY files_uncounted WHERE counted = 0 ORDER BY id LIMIT $1)
            RETURNING workspace_id, owner_id, CASE WHEN counted = 1 THEN size ELSE 0 END AS bytes"
        postgres "UPDATE files
            SET counted = CASE WHEN deleted_at IS NOT NULL AND purge_after IS NULL THEN 2 ELSE 1 END
            WHERE id = ANY(ARRAY(SELECT id FROM files WHERE counted = 0 ORDER BY id LIMIT $1 FOR UPDATE))
                AND counted = 0
            RETURNING workspace_id, owner_id, CASE WHEN counted = 1 THEN size ELSE 0 END AS bytes";
    SUBTRACT_DELETED: Command -> CountedFile =
        sqlite "UPDATE files SET counted = 2
            WHERE id IN (SELECT id FROM files INDEXED BY files_to_uncount
                WHERE counted = 1 AND deleted_at IS NOT NULL AND purge_after IS NULL ORDER BY id LIMIT $1)
            RETURNING workspace_id, owner_id, -size AS bytes"
        postgres "UPDATE files SET counted = 2
            WHERE id = ANY(ARRAY(SELECT id FROM files
                WHERE counted = 1 AND deleted_at IS NOT NULL AND purge_after IS NULL ORDER BY id LIMIT $1 FOR UPDATE))
            RETURNING workspace_id, owner_id, -size AS bytes";
}

/// The owner id of the row that has the total of the company.
const COMPANY: UserId = UserId(0);

/// Adds bytes to the total of the user `owner`. If `owner` is `None`, adds them to the total of the company. Returns
/// the new total. The row is locked until the transaction ends, which serializes concurrent uploads. The caller must
/// call this function first for the company and then for the user. So all transactions take the locks in the same
/// order.
pub async fn add<C: Sql>(
    c: &mut C,
    workspace: WorkspaceId,
    owner: Option<UserId>,
    bytes: i64,
) -> Result<i64> {
    c.exec_one(
        &ADD,
        named_args!(ADD { workspace_id: workspace, owner_id: owner.unwrap_or(COMPANY), bytes: bytes }),
    )
    .await
}

/// Adds the bytes of files to the totals of their companies and owners. Locks the rows in the order in which uploads
/// lock them: the row of a company before the rows of its users.
pub async fn add_all<C: Sql>(c: &mut C, files: &[CountedFile]) -> Result<()> {
    let mut sums = BTreeMap::new();
    for CountedFile { workspace_id, owner_id, bytes } in files {
        *sums.entry((*workspace_id, COMPANY)).or_insert(0) += bytes;
        if let Some(owner) = owner_id {
            *sums.entry((*workspace_id, *owner)).or_insert(0) += bytes;
        }
    }
    if sums.is_empty() {
        return Ok(());
    }
    let rows: Vec<_> =
        sums.into_iter().map(|((workspace, owner), bytes)| json!([workspace.0, owner.0, bytes])).collect();
    c.exec(&ADD_ALL, args![&Value::Array(rows).to_string()]).await?;
    Ok(())
}

/// Returns the total bytes of the user `owner`. If `owner` is `None`, returns the total bytes of the company.
pub async fn bytes<C: ReadSql>(c: &mut C, workspace: WorkspaceId, owner: Option<UserId>) -> Result<i64> {
    let found: Option<i64> = c.opt(&BYTES, args![workspace, owner.unwrap_or(COMPANY)]).await?;
    Ok(found.unwrap_or(0))
}

/// Finds up to `limit` files that were never counted, marks them as counted, and returns them. The caller must add
/// their sizes to the totals. If the contents of a file are already deleted, the file is marked as subtracted, and is
/// returned with 0 bytes.
pub async fn mark_counted<C: Sql>(c: &mut C, limit: i64) -> Result<Vec<CountedFile>> {
    c.exec_all(&COUNT, args![limit]).await
}

/// Finds up to `limit` counted files whose contents were deleted, marks them as subtracted, and returns them with
/// negative sizes. The caller must add these negative sizes to the totals.
pub async fn mark_subtracted<C: Sql>(c: &mut C, limit: i64) -> Result<Vec<CountedFile>> {
    c.exec_all(&SUBTRACT_DELETED, args![limit]).await
}
