//! MCP sessions. Each MCP session belongs to a connection.

use serde_json::json;

use crate::domain::{
    ids::{ConnectionId, WorkspaceId},
    time::Timestamp,
};
use crate::platform::secrets::hex;
use crate::store::{Notice, ReadSql, Result, Sql, args, row, statements, table};

/// A stored MCP session.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct McpSession {
    pub connection_id: ConnectionId,
    /// The time of the last stored use. The session was perhaps used later, because nodes store uses with a delay.
    pub last_used_at: Timestamp,
    /// See [`NewMcpSession::url_elicitation`].
    pub url_elicitation: bool,
}
row!(McpSession { connection_id, last_used_at, url_elicitation });

table! {
    /// An MCP session to insert.
    #[derive(Clone, Debug)]
    pub struct NewMcpSession in mcp_sessions {
        workspace_id: WorkspaceId,
        connection_id: ConnectionId,
        /// The negotiated protocol version.
        protocol_version: String,
        client_name: String,
        client_version: String,
        /// Whether the client supports URL mode elicitation, which means that it opens URLs for its user.
        url_elicitation: bool,
    }
    extra_columns { session_hash: &'a [u8; 32], created_at: Timestamp, last_used_at: Timestamp }
}

statements! {
    INSERT: Command = mcp_sessions!(INSERT);
    FIND: Query -> McpSession = "SELECT connection_id, last_used_at, url_elicitation FROM mcp_sessions WHERE session_hash = $1";
    // on PostgreSQL, the rows are locked in the order of the list $1, which every node sorts in the same way, so that
    // two nodes cannot deadlock
    USED: Command =
        sqlite "UPDATE mcp_sessions SET last_used_at = j.used_at
            FROM (SELECT unhex(json_extract(value, '$[0]')) AS session_hash, json_extract(value, '$[1]') AS used_at
                FROM json_each($1)) AS j
            WHERE mcp_sessions.session_hash = j.session_hash AND mcp_sessions.last_used_at < j.used_at"
        postgres "WITH held AS MATERIALIZED (SELECT s.session_hash, j.used_at
                FROM (SELECT decode(value ->> 0, 'hex') AS session_hash, CAST(value ->> 1 AS BIGINT) AS used_at
                    FROM json_array_elements(CAST(CAST($1 AS TEXT) AS JSON)) AS value OFFSET 0) AS j
                CROSS JOIN LATERAL (SELECT session_hash FROM mcp_sessions
                    WHERE session_hash = j.session_hash AND last_used_at < j.used_at LIMIT 1 FOR UPDATE) AS s)
            UPDATE mcp_sessions SET last_used_at = held.used_at FROM held
            WHERE mcp_sessions.session_hash = held.session_hash";
    DELETE: Command = "DELETE FROM mcp_sessions WHERE session_hash = $1 AND connection_id = $2";
    // on PostgreSQL, a session is skipped if a concurrent transaction is storing a use of the session
    DELETE_IDLE: Command =
        sqlite "DELETE FROM mcp_sessions WHERE session_hash IN
            (SELECT session_hash FROM mcp_sessions WHERE last_used_at <= $1 ORDER BY last_used_at LIMIT $2)"
        postgres "DELETE FROM mcp_sessions WHERE session_hash = ANY(ARRAY(
            SELECT session_hash FROM mcp_sessions WHERE last_used_at <= $1 ORDER BY last_used_at LIMIT $2
            FOR UPDATE SKIP LOCKED))";
}

/// Inserts a session. `hash` is the SHA-256 of the session's id. The id itself is not stored.
pub async fn insert<C: Sql>(c: &mut C, hash: &[u8; 32], new: &NewMcpSession, now: Timestamp) -> Result<()> {
    c.exec(&INSERT, &new.insert_args(hash, now, now)).await?;
    Ok(())
}

/// Returns the session whose id has the SHA-256 `hash`, even if the session was not used for a long time.
pub async fn find<C: ReadSql>(c: &mut C, hash: &[u8; 32]) -> Result<Option<McpSession>> {
    c.opt(&FIND, args![hash]).await
}

/// Stores the times of the last uses of sessions. If a later time is already stored for a session, the stored time is
/// not changed. `uses` has at most one entry for each session: the SHA-256 of the session's id, and the time.
pub async fn used<C: Sql>(c: &mut C, uses: &[([u8; 32], Timestamp)]) -> Result<()> {
    let mut sorted = uses.to_vec();
    sorted.sort_unstable();
    let rows: Vec<_> = sorted.iter().map(|(hash, at)| json!([hex(hash), at.0])).collect();
    c.exec(&USED, args![&serde_json::Value::Array(rows).to_string()]).await?;
    Ok(())
}

/// Deletes a session of a connection. Returns whether the session existed. After the commit, the open streams of the
/// connection are notified, because they may belong to this session.
pub async fn delete<C: Sql>(c: &mut C, hash: &[u8; 32], connection: ConnectionId) -> Result<bool> {
    let was_deleted = c.exec(&DELETE, args![hash, connection]).await? == 1;
    if was_deleted {
        c.notify(Notice::Ended(connection));
    }
    Ok(was_deleted)
}

/// Deletes up to `limit` sessions that were last used at or before `until`. Returns the number of deleted sessions.
pub async fn delete_idle<C: Sql>(c: &mut C, until: Timestamp, limit: i64) -> Result<u64> {
    c.exec(&DELETE_IDLE, args![until, limit]).await
}
