//! Sessions of MCP clients.

use super::{Result, Sql, args, row, statements};
use crate::domain::{
    ids::{ConnectionId, WorkspaceId},
    time::Timestamp,
};

/// A session as it is stored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Session {
    pub connection_id: ConnectionId,
    /// May be behind, by what its node did not store yet.
    pub last_used_at: Timestamp,
}
row!(Session { connection_id, last_used_at });

/// A session to be written.
#[derive(Clone, Debug)]
pub struct NewSession {
    pub workspace_id: WorkspaceId,
    pub connection_id: ConnectionId,
    /// As it was agreed on.
    pub protocol_version: String,
    pub client_name: String,
    pub client_version: String,
}

statements! {
    INSERT = "INSERT INTO mcp_sessions (session_hash, connection_id, protocol_version, client_name, client_version,
            created_at, last_used_at, workspace_id)
        VALUES ($1, $2, $3, $4, $5, $6, $6, $7)";
    FIND = "SELECT connection_id, last_used_at FROM mcp_sessions WHERE session_hash = $1";
    USED = "UPDATE mcp_sessions SET last_used_at = $2 WHERE session_hash = $1 AND last_used_at < $2";
    DELETE = "DELETE FROM mcp_sessions WHERE session_hash = $1 AND connection_id = $2";
    MOVE = "UPDATE mcp_sessions SET connection_id = $2 WHERE connection_id = $1";
    DELETE_IDLE =
        sqlite "DELETE FROM mcp_sessions WHERE session_hash IN
            (SELECT session_hash FROM mcp_sessions WHERE last_used_at <= $1 ORDER BY last_used_at LIMIT $2)"
        postgres "DELETE FROM mcp_sessions WHERE session_hash = ANY(ARRAY(
            SELECT session_hash FROM mcp_sessions WHERE last_used_at <= $1 ORDER BY last_used_at LIMIT $2))";
}

/// Writes a new session under the SHA-256 of its id.
pub async fn insert<C: Sql>(c: &mut C, hash: &[u8; 32], new: &NewSession, now: Timestamp) -> Result<()> {
    let NewSession { workspace_id, connection_id, protocol_version, client_name, client_version } = new;
    let args = args![hash, *connection_id, protocol_version, client_name, client_version, now, *workspace_id];
    c.exec(&INSERT, args).await?;
    Ok(())
}

/// The session of an id, whatever its age.
pub async fn find<C: Sql>(c: &mut C, hash: &[u8; 32]) -> Result<Option<Session>> {
    c.opt(&FIND, args![hash]).await
}

/// Notes a use, unless a later one is noted.
pub async fn used<C: Sql>(c: &mut C, hash: &[u8; 32], at: Timestamp) -> Result<()> {
    c.exec(&USED, args![hash, at]).await?;
    Ok(())
}

/// Ends a session of a connection; tells whether there was one.
pub async fn delete<C: Sql>(c: &mut C, hash: &[u8; 32], connection: ConnectionId) -> Result<bool> {
    let is_ended = c.exec(&DELETE, args![hash, connection]).await? == 1;
    if is_ended {
        c.ended(connection);
    }
    Ok(is_ended)
}

/// Gives the sessions of a connection to the one that took its place.
pub async fn move_all<C: Sql>(c: &mut C, from: ConnectionId, to: ConnectionId) -> Result<()> {
    c.exec(&MOVE, args![from, to]).await?;
    Ok(())
}

/// Forgets up to `limit` sessions that were last used by a moment; tells how many.
pub async fn delete_idle<C: Sql>(c: &mut C, by: Timestamp, limit: i64) -> Result<u64> {
    c.exec(&DELETE_IDLE, args![by, limit]).await
}
