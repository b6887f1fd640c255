-- Sessions of MCP clients that speak a version with a handshake. A session belongs to a connection, not to a token.
CREATE TABLE mcp_sessions (
  session_hash     BLOB PRIMARY KEY,          -- SHA-256 of the id
  connection_id    INTEGER NOT NULL,
  protocol_version TEXT NOT NULL,             -- as it was agreed on
  client_name      TEXT NOT NULL,             -- what the client called itself, cut
  client_version   TEXT NOT NULL,
  created_at       INTEGER NOT NULL,
  last_used_at     INTEGER NOT NULL           -- at most about a minute behind
) STRICT, WITHOUT ROWID;
CREATE INDEX mcp_sessions_by_connection ON mcp_sessions (connection_id);
CREATE INDEX mcp_sessions_by_use ON mcp_sessions (last_used_at);
