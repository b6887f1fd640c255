//! The salts of recent refreshes. If `assistant.refresh_overlap_seconds` is not 0, a client that presents the spent
//! refresh token again within this time after a refresh gets the same new tokens. The server stores only hashes of
//! tokens. So it derives the new tokens again, from the spent token, the salt of the refresh and a key of the server
//! (`docs/decisions/0026-refreshes-that-overlap.md`).

use crate::domain::{connection_token::SALT_LEN, ids::WorkspaceId, time::Timestamp};
use crate::store::{ReadSql, Result, Sql, args, named_args, statements};

statements! {
    INSERT: Command = "INSERT INTO refresh_overlaps (token_hash, workspace_id, salt, expires_at) VALUES ($1, $2, $3, $4)";
    SALT: Query = "SELECT salt FROM refresh_overlaps WHERE token_hash = $1 AND expires_at > $2";
    DELETE_EXPIRED: Command =
        sqlite "DELETE FROM refresh_overlaps WHERE token_hash IN
            (SELECT token_hash FROM refresh_overlaps WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)"
        postgres "DELETE FROM refresh_overlaps WHERE token_hash = ANY(ARRAY(
            SELECT token_hash FROM refresh_overlaps WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2))";
}

/// Inserts the salt of a refresh. `spent` is the SHA-256 of the refresh token that the refresh has replaced.
pub async fn insert<C: Sql>(
    c: &mut C,
    spent: &[u8; 32],
    workspace: WorkspaceId,
    salt: &[u8; SALT_LEN],
    expires_at: Timestamp,
) -> Result<()> {
    c.exec(
        &INSERT,
        named_args!(INSERT {
            token_hash: spent,
            workspace_id: workspace,
            salt: salt,
            expires_at: expires_at
        }),
    )
    .await?;
    Ok(())
}

/// Returns the salt of the refresh that has replaced the refresh token with the SHA-256 `spent`; `None` if there is no
/// salt or the salt has expired.
pub async fn salt<C: ReadSql>(c: &mut C, spent: &[u8; 32], now: Timestamp) -> Result<Option<Vec<u8>>> {
    c.opt(&SALT, args![spent, now]).await
}

/// Deletes up to `limit` expired salts. Returns the number of deleted salts.
pub async fn delete_expired<C: Sql>(c: &mut C, now: Timestamp, limit: i64) -> Result<u64> {
    c.exec(&DELETE_EXPIRED, args![now, limit]).await
}
