//! Finds and revokes connections that have reached the maximum age that their company allows (`max_session_hours`). For
//! a maintenance job, which handles all companies.

use crate::domain::{grant::EndReason, ids::ConnectionId, time::Timestamp};
use crate::store::{Notice, ReadSql, Result, Sql, args, statements};

statements! {
    // Searches the index `connections_by_age` once for each company with a maximum age. With JOIN instead of CROSS
    // JOIN, SQLite would read all connections that are not revoked. An hour has 3,600,000,000 microseconds.
    OUTLIVED: Query = "SELECT c.id FROM workspaces w CROSS JOIN connections c
        WHERE c.workspace_id = w.id AND w.max_session_hours IS NOT NULL AND c.revoked_at IS NULL
            AND c.created_at <= $1 - w.max_session_hours * 3600000000
        LIMIT $2";
    // The age is checked again, because the company may have raised its maximum since the connections were found. On
    // PostgreSQL, rows are locked in the order of their ids. All revocations use this order, so that two revocations
    // cannot deadlock. The unary plus keeps PostgreSQL from also scanning an index of all connections that are not
    // revoked.
    REVOKE: Command =
        sqlite "UPDATE connections SET revoked_at = $1, reason = $2
            WHERE revoked_at IS NULL AND id IN (SELECT value FROM json_each($3))
                AND created_at <= $1 - (SELECT max_session_hours FROM workspaces WHERE id = workspace_id) * 3600000000
            RETURNING id"
        postgres "UPDATE connections SET revoked_at = $1, reason = $2
            WHERE +revoked_at IS NULL AND id = ANY(ARRAY(
                SELECT id FROM connections WHERE id = ANY($3) ORDER BY id FOR UPDATE))
                AND created_at <= $1 - (SELECT max_session_hours FROM workspaces w WHERE w.id = workspace_id)
                    * 3600000000
            RETURNING id";
}

/// Returns up to `limit` connections that have reached the maximum age that their company allows, in no particular
/// order.
pub async fn outlived<C: ReadSql>(c: &mut C, now: Timestamp, limit: i64) -> Result<Vec<ConnectionId>> {
    c.all(&OUTLIVED, args![now, limit]).await
}

/// Revokes those of `connections` that are not revoked and whose age is still at least the maximum that their company
/// allows. Returns the ids of the revoked connections.
pub async fn revoke<C: Sql>(
    c: &mut C,
    connections: &[ConnectionId],
    reason: EndReason,
    now: Timestamp,
) -> Result<Vec<ConnectionId>> {
    let ended: Vec<ConnectionId> = c.exec_all(&REVOKE, args![now, reason, connections]).await?;
    for id in &ended {
        c.notify(Notice::Ended(*id));
    }
    Ok(ended)
}
