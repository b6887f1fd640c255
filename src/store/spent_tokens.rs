//! Tokens of connections that are good for nothing any more: found and cleared away by the clean-up.

use super::{Result, Sql, args, row, statements};
use crate::domain::{ids::ConnectionId, time::Timestamp};

statements! {
    TO_CLEAR = "SELECT id FROM connections WHERE revoked_at IS NOT NULL AND has_tokens = 1 ORDER BY id LIMIT 1";
    DELETE_TOKENS =
        sqlite "DELETE FROM connection_tokens WHERE token_hash IN
            (SELECT token_hash FROM connection_tokens WHERE connection_id = $1 LIMIT $2)"
        postgres "DELETE FROM connection_tokens WHERE token_hash = ANY(ARRAY(
            SELECT token_hash FROM connection_tokens WHERE connection_id = $1 LIMIT $2))";
    WALK =
        sqlite "SELECT t.token_hash, t.expires_at, t.generation, c.generation
            FROM connection_tokens t CROSS JOIN connections c ON c.id = t.connection_id
            WHERE t.token_hash > $1 ORDER BY t.token_hash LIMIT $2"
        postgres "SELECT t.token_hash, t.expires_at, t.generation, c.generation
            FROM (SELECT * FROM connection_tokens WHERE token_hash > $1 ORDER BY token_hash LIMIT $2) AS t
            CROSS JOIN LATERAL (SELECT generation FROM connections WHERE id = t.connection_id LIMIT 1) AS c
            ORDER BY t.token_hash";
    FORGET = "DELETE FROM connection_tokens
        WHERE token_hash > $1 AND token_hash <= $2 AND expires_at <= $3
            AND generation < (SELECT generation FROM connections WHERE id = connection_tokens.connection_id)";
    CLEARED = "UPDATE connections SET has_tokens = 0 WHERE id = $1";
}

/// One token as the clean-up's walk sees it.
#[derive(Clone, Debug)]
pub struct Walked {
    /// Its place in the walk.
    pub hash: Vec<u8>,
    /// The end of its life.
    pub expires_at: Timestamp,
    generation: i64,
    current_generation: i64,
}
row!(Walked { hash, expires_at, generation, current_generation });

impl Walked {
    /// Whether [`forget`] removes it.
    #[must_use]
    pub fn is_over(&self, now: Timestamp) -> bool {
        self.generation < self.current_generation && self.expires_at <= now
    }
}

/// A stretch of all tokens after one, for the clean-up's walk.
pub async fn walk<C: Sql>(c: &mut C, after: &[u8], limit: i64) -> Result<Vec<Walked>> {
    c.all(&WALK, args![after, limit]).await
}

/// Removes the spent tokens of a stretch, from behind `after` to `last`, that have expired.
pub async fn forget<C: Sql>(c: &mut C, after: &[u8], last: &[u8], now: Timestamp) -> Result<()> {
    c.exec(&FORGET, args![after, last, now]).await?;
    Ok(())
}

/// The oldest ended connection whose tokens are still stored.
pub async fn to_clear<C: Sql>(c: &mut C) -> Result<Option<ConnectionId>> {
    c.opt(&TO_CLEAR, args![]).await
}

/// Removes up to `limit` tokens of an ended connection: tokens that are not stored are refused like theirs.
pub async fn clear<C: Sql>(c: &mut C, id: ConnectionId, limit: u32) -> Result<()> {
    if c.exec(&DELETE_TOKENS, args![id, limit]).await? < u64::from(limit) {
        c.exec(&CLEARED, args![id]).await?;
    }
    Ok(())
}
