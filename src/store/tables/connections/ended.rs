//! The purge of revoked connections after their retention, for a maintenance job.

use crate::domain::time::Timestamp;
use crate::store::{Result, Sql, args, statements};

statements! {
    // If another purge is deleting the same rows, `FOR UPDATE` waits until that purge has ended, omits the deleted
    // rows, and locks the next rows in their place. Without `FOR UPDATE`, the purge that waits would delete fewer rows
    // than `limit`, and its caller would conclude that no rows are left.
    PURGE: Command =
        sqlite "DELETE FROM connections WHERE id IN (
            SELECT id FROM connections WHERE revoked_at IS NOT NULL AND has_tokens = 0 AND revoked_at < $1
            ORDER BY revoked_at LIMIT $2)"
        postgres "DELETE FROM connections WHERE id = ANY(ARRAY(
            SELECT id FROM connections WHERE revoked_at IS NOT NULL AND has_tokens = 0 AND revoked_at < $1
            ORDER BY revoked_at LIMIT $2 FOR UPDATE))";
}

/// Deletes up to `limit` connections that were revoked before `cutoff` and have no stored tokens any more. Deletes the
/// connections in the order of their revocation. Returns the number of deleted connections.
pub async fn purge<C: Sql>(c: &mut C, cutoff: Timestamp, limit: i64) -> Result<u64> {
    c.exec(&PURGE, args![cutoff, limit]).await
}
