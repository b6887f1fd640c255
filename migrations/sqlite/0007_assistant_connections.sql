-- Assistants that act for employees: requests that wait for a decision, codes, connections and their tokens.
-- Secrets are kept as SHA-256 only.

CREATE TABLE authorization_requests (
  request_hash  BLOB PRIMARY KEY,
  browser       BLOB NOT NULL,             -- SHA-256 of the cookie of the browser that asked
  client_id     TEXT NOT NULL,
  client_kind   INTEGER NOT NULL,           -- 0 registered, 1 metadata document
  display_name  TEXT NOT NULL,
  unverified    INTEGER NOT NULL,
  client_host   TEXT,                       -- of a metadata document's URL
  redirect_uri  TEXT NOT NULL,
  redirect_kind INTEGER NOT NULL,           -- 0 https, 1 loopback, 2 private-use scheme
  redirect_host TEXT NOT NULL,
  redirect_key  TEXT NOT NULL,              -- the redirect URI without a loopback port
  block_key     TEXT NOT NULL,
  resource      INTEGER NOT NULL,           -- 0 /mcp, 1 /mcp/readonly
  scopes        INTEGER NOT NULL,           -- bits
  challenge     TEXT NOT NULL,              -- PKCE, S256
  state         BLOB,                      -- bytes, because it may hold any character
  expires_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX authorization_requests_by_expiry ON authorization_requests (expires_at);

-- Codes that nobody has exchanged; an exchanged one moves into its connection.
CREATE TABLE authorization_codes (
  code_hash    BLOB PRIMARY KEY,
  client_id    TEXT NOT NULL,
  client_kind  INTEGER NOT NULL,
  display_name TEXT NOT NULL,
  redirect_uri TEXT NOT NULL,
  redirect_key TEXT NOT NULL,
  block_key    TEXT NOT NULL,
  workspace_id INTEGER NOT NULL,
  user_id      INTEGER NOT NULL,
  resource     INTEGER NOT NULL,
  scopes       INTEGER NOT NULL,
  challenge    TEXT NOT NULL,
  expires_at   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX authorization_codes_by_expiry ON authorization_codes (expires_at);
CREATE INDEX authorization_codes_by_workspace ON authorization_codes (workspace_id);
CREATE INDEX authorization_codes_by_user ON authorization_codes (user_id);

CREATE TABLE connections (
  id            INTEGER PRIMARY KEY,
  workspace_id  INTEGER NOT NULL,
  user_id       INTEGER NOT NULL,
  client_id     TEXT NOT NULL,
  client_kind   INTEGER NOT NULL,
  display_name  TEXT NOT NULL,
  block_key     TEXT NOT NULL,
  redirect_uri  TEXT NOT NULL,
  slot          BLOB NOT NULL,             -- SHA-256 of client and redirect key: a newer connection replaces its like
  code_hash     BLOB NOT NULL,             -- presented again, it ends the connection
  resource      INTEGER NOT NULL,
  scopes        INTEGER NOT NULL,
  generation    INTEGER NOT NULL,           -- tokens of an earlier one are spent
  refresh_until INTEGER NOT NULL,           -- ends unless it is refreshed before
  created_at    INTEGER NOT NULL,
  refreshed_at  INTEGER,
  last_used_at  INTEGER,                    -- at most a minute behind
  revoked_at    INTEGER,
  reason        INTEGER,
  has_tokens    INTEGER NOT NULL            -- 0 once the tokens of an ended connection were cleared away
) STRICT;
CREATE UNIQUE INDEX connections_by_code ON connections (code_hash);
CREATE INDEX connections_by_workspace ON connections (workspace_id, id);
CREATE INDEX connections_by_user ON connections (user_id, id);
CREATE UNIQUE INDEX connections_in_slots ON connections (user_id, slot) WHERE revoked_at IS NULL;
CREATE INDEX connections_by_key ON connections (workspace_id, block_key) WHERE revoked_at IS NULL;
CREATE INDEX connections_by_age ON connections (workspace_id, created_at) WHERE revoked_at IS NULL;
CREATE INDEX connections_by_refresh ON connections (refresh_until) WHERE revoked_at IS NULL;
CREATE INDEX connections_to_clear ON connections (id) WHERE revoked_at IS NOT NULL AND has_tokens = 1;

-- Every token of a connection that lives, spent and expired ones too: presented again they are still its tokens.
CREATE TABLE connection_tokens (
  token_hash    BLOB PRIMARY KEY,
  connection_id INTEGER NOT NULL,
  is_refresh    INTEGER NOT NULL,
  generation    INTEGER NOT NULL,           -- current while it is its connection's
  scopes        INTEGER NOT NULL,
  expires_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX connection_tokens_by_connection ON connection_tokens (connection_id);
