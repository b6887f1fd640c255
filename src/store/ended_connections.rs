//! Connections that ended, long enough ago to be forgotten: found and removed by the clean-up.

use super::{Result, Sql, args, statements};
use crate::domain::time::Timestamp;

statements! {
    // waits for another run at the same rows, and then finds those behind them: a run ends when nothing is left
    FORGET =
        sqlite "DELETE FROM connections WHERE id IN (
            SELECT id FROM connections WHERE revoked_at IS NOT NULL AND has_tokens = 0 AND revoked_at < $1
            ORDER BY revoked_at LIMIT $2)"
        postgres "DELETE FROM connections WHERE id = ANY(ARRAY(
            SELECT id FROM connections WHERE revoked_at IS NOT NULL AND has_tokens = 0 AND revoked_at < $1
            ORDER BY revoked_at LIMIT $2 FOR UPDATE))";
}

/// Removes connections that ended before `cutoff` and have no tokens left, oldest first and so many at most; how many
/// there were.
pub async fn forget<C: Sql>(c: &mut C, cutoff: Timestamp, limit: i64) -> Result<u64> {
    c.exec(&FORGET, args![cutoff, limit]).await
}
