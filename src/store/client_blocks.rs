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
    /// When it was blocked.
    pub created_at: Timestamp,
}
row!(ClientBlock { id, key, created_at });

statements! {
    INSERT = "INSERT INTO client_blocks (workspace_id, key, id, created_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (workspace_id, key) DO NOTHING";
    DELETE = "DELETE FROM client_blocks WHERE workspace_id = $1 AND key = $2";
    PAGE = "SELECT id, key, created_at FROM client_blocks
        WHERE workspace_id = $1 AND id > $2 ORDER BY id LIMIT $3";
}

/// Blocks a key unless it is blocked already.
pub async fn insert<C: Sql>(c: &mut C, workspace: WorkspaceId, block: &ClientBlock) -> Result<()> {
    c.exec(&INSERT, args![workspace, &block.key, block.id, block.created_at]).await?;
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
