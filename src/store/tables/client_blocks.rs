//! The block keys of the assistant clients that a company has blocked.

use crate::domain::{ids::WorkspaceId, time::Timestamp};
use crate::store::{ReadSql, Result, Sql, args, row, statements};

/// A block: assistant clients with this block key ([`keys`](crate::domain::assistant::keys)) cannot connect in the
/// company.
#[derive(Clone, Debug, PartialEq)]
pub struct ClientBlock {
    /// The position of the block in the company's list.
    pub id: i64,
    /// The block key in its normalized form. Earlier versions of the server stored the key as the admin had entered it.
    pub key: String,
    /// The display name of a client with this key. It is copied from the company's newest connection of such a client
    /// when the key is blocked. `None` if there was no such connection.
    pub display_name: Option<String>,
    /// When the key was blocked.
    pub created_at: Timestamp,
}
row!(ClientBlock { id, key, display_name, created_at });

statements! {
    // The display name is copied from a connection. It could not be read from a connection later, because connections
    // are purged, and a blocked client gets no new connection.
    INSERT: Command = "INSERT INTO client_blocks (workspace_id, key, id, created_at, display_name)
        VALUES ($1, $2, $3, $4, (SELECT c.display_name FROM connections c
            WHERE c.workspace_id = $1 AND c.block_key = $2 ORDER BY c.id DESC LIMIT 1))
        ON CONFLICT (workspace_id, key) DO NOTHING";
    DELETE: Command = "DELETE FROM client_blocks WHERE workspace_id = $1 AND key = $2";
    // PostgreSQL: the inner query can also read blocks of the next companies, which the outer query removes. If the
    // inner query excluded these blocks, PostgreSQL would read all blocks of the company by the primary key and sort
    // them.
    PAGE: Query -> ClientBlock =
        sqlite "SELECT id, key, display_name, created_at FROM client_blocks
            WHERE workspace_id = $1 AND id > $2 ORDER BY id LIMIT $3"
        postgres "SELECT id, key, display_name, created_at FROM (SELECT * FROM client_blocks
                WHERE (workspace_id, id) >= ($1, $2) AND id <> $2 ORDER BY workspace_id, id LIMIT $3) AS blocks
            WHERE workspace_id = $1 ORDER BY id";
}

/// Blocks a key. Does nothing if the key is already blocked. `id` is the position of the block in the list.
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

/// Removes the block of a key.
pub async fn delete<C: Sql>(c: &mut C, workspace: WorkspaceId, key: &str) -> Result<()> {
    c.exec(&DELETE, args![workspace, key]).await?;
    Ok(())
}

/// Returns up to `limit` blocks of a company whose ids are above `after`, in the order in which the keys were blocked.
pub async fn page<C: ReadSql>(
    c: &mut C,
    workspace: WorkspaceId,
    after: i64,
    limit: i64,
) -> Result<Vec<ClientBlock>> {
    c.all(&PAGE, args![workspace, after, limit]).await
}
