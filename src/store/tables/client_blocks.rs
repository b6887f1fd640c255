//! The block keys of the assistant clients that a company has blocked.

use crate::domain::{ids::WorkspaceId, time::Timestamp};
use crate::store::{ReadSql, Result, Sql, args, statements, table};

table! {
    /// A block: assistant clients with this block key ([`keys`](crate::domain::assistant::keys)) cannot connect in the
    /// company.
    #[derive(Clone, Debug, PartialEq)]
    pub struct ClientBlock in client_blocks {
        /// The id of the block. The company's list is in the order of these ids.
        id: i64,
        /// The block key in its normalized form. A row from an earlier version of the server has the key as the admin
        /// entered it.
        key: String,
        /// The display name of a client with this key. It is copied from the company's newest connection of such a
        /// client when the key is blocked. `None` if there was no such connection.
        display_name: Option<String> =
            "(SELECT c.display_name FROM connections c WHERE c.workspace_id = $4 AND c.block_key = $2
                ORDER BY c.id DESC LIMIT 1)",
        /// When the key was blocked.
        created_at: Timestamp,
    }
    extra_columns { workspace_id: WorkspaceId }
}

statements! {
    // The display name is copied from a connection. It could not be read from a connection later, because connections
    // are purged, and a blocked client gets no new connection. The subquery that copies it uses `$2`, the key, and
    // `$4`, the company: `insert_args` returns id, key, time, company.
    INSERT: Command = client_blocks!(INSERT "ON CONFLICT (workspace_id, key) DO NOTHING");
    DELETE: Command = "DELETE FROM client_blocks WHERE workspace_id = $1 AND key = $2";
    // PostgreSQL: the inner query can also read blocks of the next companies, which the outer query removes. If the
    // inner query excluded these blocks, PostgreSQL would read all blocks of the company by the primary key and sort
    // them.
    PAGE: Query -> ClientBlock =
        sqlite client_blocks!(SELECT "WHERE workspace_id = $1 AND id > $2 ORDER BY id LIMIT $3")
        postgres concat!("SELECT ", client_blocks!(COLUMNS), " FROM (SELECT * FROM client_blocks
                WHERE (workspace_id, id) >= ($1, $2) AND id <> $2 ORDER BY workspace_id, id LIMIT $3) AS blocks
            WHERE workspace_id = $1 ORDER BY id");
}

/// Blocks a key. Does nothing if the key is already blocked. `id` is the id of the new block.
pub async fn insert<C: Sql>(
    c: &mut C,
    workspace: WorkspaceId,
    key: &str,
    id: i64,
    now: Timestamp,
) -> Result<()> {
    let block = ClientBlock { id, key: key.to_owned(), display_name: None, created_at: now };
    c.exec(&INSERT, &block.insert_args(workspace)).await?;
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
