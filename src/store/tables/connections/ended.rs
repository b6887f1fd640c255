//! Purge of revoked connections after their retention. A maintenance job calls it.

use crate::domain::time::Timestamp;
use crate::store::{Result, Sql, args, statements};

statements! {
    // `FOR UPDATE` waits for a concurrent purge of the same rows, skips the rows that it deleted, and locks the next
    // ones. Otherwise the second purge would delete less than `limit`, and its caller would conclude that no rows are
    // left.
    PURGE: Command =
        sqlite "DELETE FROM connections WHERE id IN (
            SELECT id FROM connections WHERE revoked_at IS NOT NULL AND has_tokens = 0 AND revoked_at < $1
            ORDER BY revoked_at LIMIT $2)"
        postgres "DELETE FROM connections WHERE id = ANY(ARRAY(
            SELECT id FROM connections WHERE revoked_at IS NOT NULL AND has_tokens = 0 AND revoked_at < $1
            ORDER BY revoked_at LIMIT $2 FOR UPDATE))";
}

/// Deletes up to `limit` connections that were revoked before `cutoff` and whose tokens are deleted, in the order of
/// their revocation. Returns the number of deleted connections.
pub async fn purge<C: Sql>(c: &mut C, cutoff: Timestamp, limit: i64) -> Result<u64> {
    c.exec(&PURGE, args![cutoff, limit]).await
}
