-- Assistants that act for employees: requests that wait for a decision, codes, connections and their tokens.
-- Secrets are kept as SHA-256 only.

CREATE TABLE authorization_requests (
  request_hash  BYTEA PRIMARY KEY,
  browser       BYTEA NOT NULL,             -- SHA-256 of the cookie of the browser that asked
  client_id     TEXT NOT NULL,
  client_kind   BIGINT NOT NULL,           -- 0 registered, 1 metadata document
  display_name  TEXT NOT NULL,
  unverified    BIGINT NOT NULL,
  client_host   TEXT,                       -- of a metadata document's URL
  redirect_uri  TEXT NOT NULL,
  redirect_kind BIGINT NOT NULL,           -- 0 https, 1 loopback, 2 private-use scheme
  redirect_host TEXT NOT NULL,
  redirect_key  TEXT NOT NULL,              -- the redirect URI without a loopback port
  block_key     TEXT NOT NULL,
  resource      BIGINT NOT NULL,           -- 0 /mcp, 1 /mcp/readonly
  scopes        BIGINT NOT NULL,           -- bits
  challenge     TEXT NOT NULL,              -- PKCE, S256
  state         BYTEA,                      -- bytes, because it may hold any character
  expires_at    BIGINT NOT NULL
);
CREATE INDEX authorization_requests_by_expiry ON authorization_requests (expires_at);

-- Codes that nobody has exchanged; an exchanged one moves into its connection.
CREATE TABLE authorization_codes (
  code_hash    BYTEA PRIMARY KEY,
  client_id    TEXT NOT NULL,
  client_kind  BIGINT NOT NULL,
  display_name TEXT NOT NULL,
  redirect_uri TEXT NOT NULL,
  redirect_key TEXT NOT NULL,
  block_key    TEXT NOT NULL,
  workspace_id BIGINT NOT NULL,
  user_id      BIGINT NOT NULL,
  resource     BIGINT NOT NULL,
  scopes       BIGINT NOT NULL,
  challenge    TEXT NOT NULL,
  expires_at   BIGINT NOT NULL
);
CREATE INDEX authorization_codes_by_expiry ON authorization_codes (expires_at);
CREATE INDEX authorization_codes_by_workspace ON authorization_codes (workspace_id);
CREATE INDEX authorization_codes_by_user ON authorization_codes (user_id);

CREATE TABLE connections (
  id            BIGINT PRIMARY KEY,
  workspace_id  BIGINT NOT NULL,
  user_id       BIGINT NOT NULL,
  client_id     TEXT NOT NULL,
  client_kind   BIGINT NOT NULL,
  display_name  TEXT NOT NULL,
  block_key     TEXT NOT NULL,
  redirect_uri  TEXT NOT NULL,
  slot          BYTEA NOT NULL,             -- SHA-256 of client and redirect key: a newer connection replaces its like
  code_hash     BYTEA NOT NULL,             -- presented again, it ends the connection
  resource      BIGINT NOT NULL,
  scopes        BIGINT NOT NULL,
  generation    BIGINT NOT NULL,           -- tokens of an earlier one are spent
  refresh_until BIGINT NOT NULL,           -- ends unless it is refreshed before
  created_at    BIGINT NOT NULL,
  refreshed_at  BIGINT,
  last_used_at  BIGINT,                    -- at most a minute behind
  revoked_at    BIGINT,
  reason        BIGINT,
  has_tokens    BIGINT NOT NULL            -- 0 once the tokens of an ended connection were cleared away
);
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
  token_hash    BYTEA PRIMARY KEY,
  connection_id BIGINT NOT NULL,
  is_refresh    BIGINT NOT NULL,
  generation    BIGINT NOT NULL,           -- current while it is its connection's
  scopes        BIGINT NOT NULL,
  expires_at    BIGINT NOT NULL
);
CREATE INDEX connection_tokens_by_connection ON connection_tokens (connection_id);
