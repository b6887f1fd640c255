//! The deletion of connection tokens that can no longer be used: the tokens of revoked connections, and spent tokens
//! that have expired. A token is spent if a refresh has replaced it. A refresh increments the generation of the
//! connection, so the generation of a spent token is lower than that of its connection.

use crate::domain::{ids::ConnectionId, time::Timestamp};
use crate::store::{ReadSql, Result, Sql, args, row, statements};

statements! {
    TO_CLEAR: Query = "SELECT id FROM connections WHERE revoked_at IS NOT NULL AND has_tokens = 1 ORDER BY id LIMIT 1";
    DELETE_TOKENS: Command =
        sqlite "DELETE FROM connection_tokens WHERE token_hash IN
            (SELECT token_hash FROM connection_tokens WHERE connection_id = $1 LIMIT $2)"
        postgres "DELETE FROM connection_tokens WHERE token_hash = ANY(ARRAY(
            SELECT token_hash FROM connection_tokens WHERE connection_id = $1 LIMIT $2))";
    WALK: Query -> ExpiringToken =
        sqlite "SELECT t.token_hash, t.expires_at, t.generation, c.generation AS current_generation
            FROM connection_tokens t CROSS JOIN connections c ON c.id = t.connection_id
            WHERE t.token_hash > $1 ORDER BY t.token_hash LIMIT $2"
        postgres "SELECT t.token_hash, t.expires_at, t.generation, c.generation AS current_generation
            FROM (SELECT * FROM connection_tokens WHERE token_hash > $1 ORDER BY token_hash LIMIT $2) AS t
            CROSS JOIN LATERAL (SELECT generation FROM connections WHERE id = t.connection_id LIMIT 1) AS c
            ORDER BY t.token_hash";
    FORGET: Command = "DELETE FROM connection_tokens
        WHERE token_hash > $1 AND token_hash <= $2 AND expires_at <= $3
            AND generation < (SELECT generation FROM connections WHERE id = connection_tokens.connection_id)";
    CLEARED: Command = "UPDATE connections SET has_tokens = 0 WHERE id = $1";
}

/// A token with the facts that decide whether [`purge`] deletes it.
#[derive(Clone, Debug)]
pub struct ExpiringToken {
    /// The SHA-256 of the token. The hash of the last returned token is the argument `after` of the next call of
    /// [`walk`].
    pub hash: Vec<u8>,
    /// When the token expires.
    pub expires_at: Timestamp,
    generation: i64,
    current_generation: i64,
}
row!(ExpiringToken { hash as token_hash, expires_at, generation, current_generation });

impl ExpiringToken {
    /// Returns whether the token is spent and has expired, so that [`purge`] deletes the token.
    #[must_use]
    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.generation < self.current_generation && self.expires_at <= now
    }
}

/// Returns up to `limit` tokens with hashes above `after`, ordered by hash. Includes the tokens of all connections.
pub async fn walk<C: ReadSql>(c: &mut C, after: &[u8], limit: i64) -> Result<Vec<ExpiringToken>> {
    c.all(&WALK, args![after, limit]).await
}

/// Deletes the tokens with hashes above `after` and up to `last` (inclusive) that are spent and have expired.
pub async fn purge<C: Sql>(c: &mut C, after: &[u8], last: &[u8], now: Timestamp) -> Result<()> {
    c.exec(&FORGET, args![after, last, now]).await?;
    Ok(())
}

/// Returns the revoked connection with the lowest id that still has stored tokens.
pub async fn to_clear<C: ReadSql>(c: &mut C) -> Result<Option<ConnectionId>> {
    c.opt(&TO_CLEAR, args![]).await
}

/// Deletes up to `limit` tokens of a revoked connection. If the connection had fewer than `limit` tokens, records in
/// its row (`has_tokens`) that no tokens are left. The deletion changes no response: a client that presents one of
/// these tokens gets the same response before and after.
pub async fn clear<C: Sql>(c: &mut C, id: ConnectionId, limit: u32) -> Result<()> {
    if c.exec(&DELETE_TOKENS, args![id, limit]).await? < u64::from(limit) {
        c.exec(&CLEARED, args![id]).await?;
    }
    Ok(())
}
