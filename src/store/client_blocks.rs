//! Keys of assistant clients that companies keep out.

use super::{Result, Sql, args, row, statements};
use crate::domain::{ids::WorkspaceId, time::Timestamp};

/// A blocked key.
#[derive(Clone, Debug, PartialEq)]
pub struct ClientBlock {
    /// Its place in the company's list.
    pub id: i64,
    /// As it was given.
    pub key: String,
    /// The name its clients went by when it was blocked; none while the company never had such a client connected.
    pub display_name: Option<String>,
    /// When it was blocked.
    pub created_at: Timestamp,
}
row!(ClientBlock { id, key, display_name, created_at });

statements! {
    // the name now: no such client can be connected until the block is taken back
    INSERT = "INSERT INTO client_blocks (workspace_id, key, id, created_at, display_name)
        VALUES ($1, $2, $3, $4, (SELECT c.display_name FROM connections c
            WHERE c.workspace_id = $1 AND c.block_key = $2 ORDER BY c.id DESC LIMIT 1))
        ON CONFLICT (workspace_id, key) DO NOTHING";
    DELETE = "DELETE FROM client_blocks WHERE workspace_id = $1 AND key = $2";
    // with one end open: PostgreSQL would else read all of a company's by the key, and sort them
    PAGE =
        sqlite "SELECT id, key, display_name, created_at FROM client_blocks
            WHERE workspace_id = $1 AND id > $2 ORDER BY id LIMIT $3"
        postgres "SELECT id, key, display_name, created_at FROM (SELECT * FROM client_blocks
                WHERE (workspace_id, id) > ($1, $2) ORDER BY workspace_id, id LIMIT $3) AS blocks
            WHERE workspace_id = $1 ORDER BY id";
}

/// Blocks a key unless it is blocked already; `id` becomes its place in the list.
pub async fn insert<C: Sql>(
    c: &mut C,
    workspace: WorkspaceId,
    key: &str,
    id: i64,
    now: Timestamp,
) -> Result<()> {
    c.exec(&INSERT, args![workspace, key, id, now]).await?;
    Ok(())
}

/// Takes a block back.
pub async fn delete<C: Sql>(c: &mut C, workspace: WorkspaceId, key: &str) -> Result<()> {
    c.exec(&DELETE, args![workspace, key]).await?;
    Ok(())
}

/// A company's blocked keys after `after`, in the order they were blocked.
pub async fn page<C: Sql>(
    c: &mut C,
    workspace: WorkspaceId,
    after: i64,
    limit: i64,
) -> Result<Vec<ClientBlock>> {
    c.all(&PAGE, args![workspace, after, limit]).await
}
