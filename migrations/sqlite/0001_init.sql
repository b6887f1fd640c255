-- The workspace and its apps. Ids are 63-bit time-ordered integers, times are microseconds since 1970,
-- flags are 0 or 1. The same file stands in migrations/postgres with that engine's types.

-- Keys shared by every node: cursors, file links.
CREATE TABLE server_secrets (
  name  TEXT PRIMARY KEY,
  value BLOB NOT NULL
) STRICT, WITHOUT ROWID;

-- Small numbers that outlive a restart: the sandbox clock's offset.
CREATE TABLE server_state (
  name  TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE workspaces (
  id                INTEGER PRIMARY KEY,
  name              TEXT NOT NULL,
  domain            TEXT,
  ai_assistants     INTEGER NOT NULL,
  max_session_hours INTEGER,
  created_at        INTEGER NOT NULL
) STRICT;

-- A sign-in identity: one e-mail address, one person in each of several companies.
CREATE TABLE accounts (
  id            INTEGER PRIMARY KEY,
  email_key     TEXT NOT NULL,             -- trimmed and lower-cased
  password_hash TEXT,                      -- argon2id; null until one is set
  created_at    INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX accounts_by_email ON accounts (email_key);

CREATE TABLE sessions (
  token_hash BLOB PRIMARY KEY,             -- SHA-256
  account_id INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_by_account ON sessions (account_id);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

-- People and bots.
CREATE TABLE users (
  id                   INTEGER PRIMARY KEY,
  workspace_id         INTEGER NOT NULL,
  account_id           INTEGER,            -- null for bots and removed people
  app_id               INTEGER,            -- the app of a bot, else null
  name                 TEXT NOT NULL,
  display_name         TEXT,
  email                TEXT,               -- as written; null for bots and removed people
  email_key            TEXT,               -- trimmed and lower-cased
  avatar_url           TEXT,
  title                TEXT,
  timezone             TEXT,
  state                INTEGER NOT NULL,   -- 0 active, 1 onboarding, 2 deactivated, 3 removed
  is_admin             INTEGER NOT NULL,
  is_external          INTEGER NOT NULL,
  is_bot               INTEGER NOT NULL,
  email_visible        INTEGER NOT NULL,
  guest_visible        INTEGER NOT NULL,   -- whether members see a guest
  sessions_valid_after INTEGER NOT NULL,   -- force log-out: older sessions no longer speak for this person
  created_at           INTEGER NOT NULL
) STRICT;
CREATE INDEX users_by_workspace ON users (workspace_id, id);
-- What GET /v1/users walks: no bots, no guests that members cannot see.
CREATE INDEX users_listed ON users (workspace_id, id)
  WHERE is_bot = 0 AND (is_external = 0 OR guest_visible = 1);
CREATE UNIQUE INDEX users_by_email ON users (workspace_id, email_key) WHERE email_key IS NOT NULL;
CREATE INDEX users_by_account ON users (account_id) WHERE account_id IS NOT NULL;
CREATE UNIQUE INDEX users_by_app ON users (workspace_id, app_id) WHERE app_id IS NOT NULL;

-- A person who wants no direct messages of an app.
CREATE TABLE app_blocks (
  user_id    INTEGER NOT NULL,
  app_id     INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, app_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE conversations (
  id                INTEGER PRIMARY KEY,
  workspace_id      INTEGER NOT NULL,
  kind              INTEGER NOT NULL,      -- 0 group, 1 channel, 2 direct messages
  parent_id         INTEGER,               -- a channel's group
  name              TEXT,                  -- null for direct messages
  topic             TEXT,
  is_private        INTEGER NOT NULL,      -- of a group; a channel has its group's
  announcement_only INTEGER NOT NULL,
  archived_at       INTEGER,               -- of a group; a channel has its group's
  deleted_at        INTEGER,
  active_members    INTEGER NOT NULL,      -- people with an active account, kept by every change
  created_at        INTEGER NOT NULL
) STRICT;
CREATE INDEX conversations_by_workspace ON conversations (workspace_id, id);
CREATE INDEX conversations_by_parent ON conversations (parent_id) WHERE parent_id IS NOT NULL;

-- The one direct-message conversation of two people, lower id first.
CREATE TABLE direct_pairs (
  low_user_id     INTEGER NOT NULL,
  high_user_id    INTEGER NOT NULL,
  conversation_id INTEGER NOT NULL,
  PRIMARY KEY (low_user_id, high_user_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE members (
  conversation_id INTEGER NOT NULL,
  user_id         INTEGER NOT NULL,
  joined_at       INTEGER NOT NULL,        -- the latest join
  left_at         INTEGER,                 -- null while in
  visible_from    INTEGER NOT NULL,        -- lowest message id the member may see
  PRIMARY KEY (conversation_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX members_by_user ON members (user_id, conversation_id);

-- Messages that stand. A page of history is one range of the primary key.
CREATE TABLE messages (
  conversation_id INTEGER NOT NULL,
  id              INTEGER NOT NULL,
  sender_id       INTEGER,                 -- null for a system message
  type            INTEGER NOT NULL,
  text            TEXT,                    -- null for a system message
  thread_id       INTEGER,
  file_count      INTEGER NOT NULL,
  via_label       TEXT,                    -- the connection it was sent through
  client_key      TEXT,                    -- as given; the hash that outlives it is in message_keys
  edited_at       INTEGER,
  created_at      INTEGER NOT NULL,
  PRIMARY KEY (conversation_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX messages_by_id ON messages (id);

-- What is left of a deleted message: enough for 404, for 422 and for the admin's list. Kept apart so
-- that deleted messages never slow a page of history.
CREATE TABLE deleted_messages (
  conversation_id INTEGER NOT NULL,
  id              INTEGER NOT NULL,
  sender_id       INTEGER,
  type            INTEGER NOT NULL,
  created_at      INTEGER NOT NULL,
  deleted_at      INTEGER NOT NULL,
  PRIMARY KEY (conversation_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX deleted_messages_by_id ON deleted_messages (id);

-- Blocks and metadata, off the page of history.
CREATE TABLE message_extras (
  message_id INTEGER PRIMARY KEY,
  blocks     TEXT,                         -- JSON
  metadata   TEXT                          -- JSON
) STRICT;

-- Edit history: what stood before each edit.
CREATE TABLE message_edits (
  message_id INTEGER NOT NULL,
  edited_at  INTEGER NOT NULL,
  number     INTEGER NOT NULL,             -- 1, 2, 3 … within the message
  text       TEXT NOT NULL,
  blocks     TEXT,
  PRIMARY KEY (message_id, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE message_files (
  conversation_id INTEGER NOT NULL,
  message_id      INTEGER NOT NULL,
  position        INTEGER NOT NULL,
  file_id         INTEGER NOT NULL,
  PRIMARY KEY (conversation_id, message_id, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX message_files_by_file ON message_files (file_id, conversation_id, message_id);

-- A client key is held once in a conversation, by whoever sent the message, for good.
CREATE TABLE message_keys (
  conversation_id INTEGER NOT NULL,
  key_hash        BLOB NOT NULL,           -- 16 bytes
  message_id      INTEGER NOT NULL,
  sender_id       INTEGER,
  fingerprint     BLOB,                    -- 16 bytes of the body; null for people's messages
  PRIMARY KEY (conversation_id, key_hash)
) STRICT, WITHOUT ROWID;

-- A bot's idempotency keys of the last 24 hours, whatever the destination.
CREATE TABLE send_keys (
  bot_id          INTEGER NOT NULL,
  key_hash        BLOB NOT NULL,           -- 16 bytes
  fingerprint     BLOB NOT NULL,           -- 16 bytes
  conversation_id INTEGER NOT NULL,
  message_id      INTEGER NOT NULL,
  created_at      INTEGER NOT NULL,
  PRIMARY KEY (bot_id, key_hash)
) STRICT, WITHOUT ROWID;

CREATE TABLE files (
  id           INTEGER PRIMARY KEY,
  workspace_id INTEGER NOT NULL,
  owner_id     INTEGER,
  name         TEXT NOT NULL,
  mimetype     TEXT NOT NULL,
  size         INTEGER NOT NULL,
  created_at   INTEGER NOT NULL,
  deleted_at   INTEGER,
  purge_after  INTEGER                     -- when the content may go: links issued before stay good until then
) STRICT;
CREATE INDEX files_to_purge ON files (purge_after) WHERE purge_after IS NOT NULL;

CREATE TABLE apps (
  id                      INTEGER PRIMARY KEY,
  name                    TEXT NOT NULL,
  client_id               TEXT NOT NULL,
  client_secret_hash      BLOB NOT NULL,   -- SHA-256
  signing_secret          TEXT NOT NULL,
  previous_signing_secret TEXT,
  signing_rotated_at      INTEGER,
  callback_url            TEXT,
  redirect_uris           TEXT NOT NULL,   -- JSON array
  scopes                  INTEGER NOT NULL,-- bit set
  disabled_at             INTEGER,
  created_at              INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX apps_by_client_id ON apps (client_id);

-- One row per time an app was connected to a company; at most one of a pair is connected.
CREATE TABLE installations (
  id              INTEGER PRIMARY KEY,
  app_id          INTEGER NOT NULL,
  workspace_id    INTEGER NOT NULL,
  bot_user_id     INTEGER NOT NULL,
  scopes          INTEGER NOT NULL,        -- union over its tokens
  connected       INTEGER NOT NULL,
  reason          INTEGER,                 -- of the disconnect: 0 admin, 1 app disabled, 2 revoked by the app
  installed_by    INTEGER,
  created_at      INTEGER NOT NULL,
  disconnected_at INTEGER
) STRICT;
CREATE INDEX installations_by_workspace ON installations (workspace_id, id);
CREATE INDEX installations_by_app ON installations (app_id, workspace_id);
CREATE INDEX installations_by_bot ON installations (bot_user_id) WHERE connected = 1;
CREATE UNIQUE INDEX installations_connected ON installations (app_id, workspace_id) WHERE connected = 1;

CREATE TABLE bot_tokens (
  token_hash      BLOB PRIMARY KEY,        -- SHA-256
  installation_id INTEGER NOT NULL,
  scopes          INTEGER NOT NULL,
  created_at      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE install_codes (
  code_hash    BLOB PRIMARY KEY,           -- SHA-256
  app_id       INTEGER NOT NULL,
  workspace_id INTEGER NOT NULL,
  approved_by  INTEGER,
  scopes       INTEGER NOT NULL,
  redirect_uri TEXT,
  challenge    TEXT,                       -- PKCE, S256
  expires_at   INTEGER NOT NULL,
  used_at      INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX install_codes_by_expiry ON install_codes (expires_at);

-- The outbox: written in the transaction of the change it tells of.
CREATE TABLE events (
  id              INTEGER PRIMARY KEY,
  app_id          INTEGER NOT NULL,
  installation_id INTEGER NOT NULL,
  workspace_id    INTEGER NOT NULL,
  type            TEXT NOT NULL,
  body            TEXT NOT NULL,           -- the exact bytes that are signed and sent
  created_at      INTEGER NOT NULL,
  state           INTEGER NOT NULL,        -- 0 pending, 1 delivered, 2 failed, 3 dropped
  attempts        INTEGER NOT NULL,        -- finished attempts
  claim           INTEGER NOT NULL,        -- fences a late holder: changes on every claim
  next_at         INTEGER NOT NULL         -- when due; while claimed, when the lease ends
) STRICT;
CREATE INDEX events_due ON events (next_at) WHERE state = 0;
CREATE INDEX events_by_app ON events (app_id, id);
CREATE INDEX events_pending_by_installation ON events (installation_id) WHERE state = 0;
