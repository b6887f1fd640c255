//! Retention of ended connections; called by a maintenance job.

use crate::domain::time::Timestamp;
use crate::store::{Result, Sql, args, statements};

statements! {
    // waits for a concurrent run on the same rows, then finds the rows after them: a run ends when
    // nothing is left
    FORGET: Command =
        sqlite "DELETE FROM connections WHERE id IN (
            SELECT id FROM connections WHERE revoked_at IS NOT NULL AND has_tokens = 0 AND revoked_at < $1
            ORDER BY revoked_at LIMIT $2)"
        postgres "DELETE FROM connections WHERE id = ANY(ARRAY(
            SELECT id FROM connections WHERE revoked_at IS NOT NULL AND has_tokens = 0 AND revoked_at < $1
            ORDER BY revoked_at LIMIT $2 FOR UPDATE))";
}

/// Deletes up to `limit` connections that ended before `cutoff` and have no tokens left, oldest
/// first. Returns the number deleted.
pub async fn purge<C: Sql>(c: &mut C, cutoff: Timestamp, limit: i64) -> Result<u64> {
    c.exec(&FORGET, args![cutoff, limit]).await
}
