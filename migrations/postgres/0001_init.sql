-- The workspace and its apps. Ids are 63-bit time-ordered integers, times are microseconds since 1970,
-- flags are 0 or 1. The same file stands in migrations/sqlite with that engine's types.

-- Keys shared by every node: cursors, file links.
CREATE TABLE server_secrets (
  name  TEXT PRIMARY KEY,
  value BYTEA NOT NULL
);

-- Small numbers that outlive a restart: the sandbox clock's offset.
CREATE TABLE server_state (
  name  TEXT PRIMARY KEY,
  value BIGINT NOT NULL
);

CREATE TABLE workspaces (
  id                BIGINT PRIMARY KEY,
  name              TEXT NOT NULL,
  domain            TEXT,
  ai_assistants     BIGINT NOT NULL,
  max_session_hours BIGINT,
  created_at        BIGINT NOT NULL
);

-- A sign-in identity: one e-mail address, one person in each of several companies.
CREATE TABLE accounts (
  id            BIGINT PRIMARY KEY,
  email_key     TEXT NOT NULL,             -- trimmed and lower-cased
  password_hash TEXT,                      -- argon2id; null until one is set
  created_at    BIGINT NOT NULL
);
CREATE UNIQUE INDEX accounts_by_email ON accounts (email_key);

CREATE TABLE sessions (
  token_hash BYTEA PRIMARY KEY,             -- SHA-256
  account_id BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);
CREATE INDEX sessions_by_account ON sessions (account_id);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

-- People and bots.
CREATE TABLE users (
  id                   BIGINT PRIMARY KEY,
  workspace_id         BIGINT NOT NULL,
  account_id           BIGINT,            -- null for bots and removed people
  app_id               BIGINT,            -- the app of a bot, else null
  name                 TEXT NOT NULL,
  display_name         TEXT,
  email                TEXT,               -- as written; null for bots and removed people
  email_key            TEXT,               -- trimmed and lower-cased
  avatar_url           TEXT,
  title                TEXT,
  timezone             TEXT,
  state                BIGINT NOT NULL,   -- 0 active, 1 onboarding, 2 deactivated, 3 removed
  is_admin             BIGINT NOT NULL,
  is_external          BIGINT NOT NULL,
  is_bot               BIGINT NOT NULL,
  email_visible        BIGINT NOT NULL,
  guest_visible        BIGINT NOT NULL,   -- whether members see a guest
  sessions_valid_after BIGINT NOT NULL,   -- force log-out: older sessions no longer speak for this person
  created_at           BIGINT NOT NULL
);
CREATE INDEX users_by_workspace ON users (workspace_id, id);
-- What GET /v1/users walks: no bots, no guests that members cannot see.
CREATE INDEX users_listed ON users (workspace_id, id)
  WHERE is_bot = 0 AND (is_external = 0 OR guest_visible = 1);
CREATE UNIQUE INDEX users_by_email ON users (workspace_id, email_key) WHERE email_key IS NOT NULL;
CREATE INDEX users_by_account ON users (account_id) WHERE account_id IS NOT NULL;
CREATE UNIQUE INDEX users_by_app ON users (workspace_id, app_id) WHERE app_id IS NOT NULL;

-- A person who wants no direct messages of an app.
CREATE TABLE app_blocks (
  user_id    BIGINT NOT NULL,
  app_id     BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (user_id, app_id)
);

CREATE TABLE conversations (
  id                BIGINT PRIMARY KEY,
  workspace_id      BIGINT NOT NULL,
  kind              BIGINT NOT NULL,      -- 0 group, 1 channel, 2 direct messages
  parent_id         BIGINT,               -- a channel's group
  name              TEXT,                  -- null for direct messages
  topic             TEXT,
  is_private        BIGINT NOT NULL,      -- of a group; a channel has its group's
  announcement_only BIGINT NOT NULL,
  archived_at       BIGINT,               -- of a group; a channel has its group's
  deleted_at        BIGINT,
  active_members    BIGINT NOT NULL,      -- people with an active account, kept by every change
  created_at        BIGINT NOT NULL
);
CREATE INDEX conversations_by_workspace ON conversations (workspace_id, id);
CREATE INDEX conversations_by_parent ON conversations (parent_id) WHERE parent_id IS NOT NULL;

-- The one direct-message conversation of two people, lower id first.
CREATE TABLE direct_pairs (
  low_user_id     BIGINT NOT NULL,
  high_user_id    BIGINT NOT NULL,
  conversation_id BIGINT NOT NULL,
  PRIMARY KEY (low_user_id, high_user_id)
);

CREATE TABLE members (
  conversation_id BIGINT NOT NULL,
  user_id         BIGINT NOT NULL,
  joined_at       BIGINT NOT NULL,        -- the latest join
  left_at         BIGINT,                 -- null while in
  visible_from    BIGINT NOT NULL,        -- lowest message id the member may see
  PRIMARY KEY (conversation_id, user_id)
);
CREATE INDEX members_by_user ON members (user_id, conversation_id);

-- Messages that stand. A page of history is one range of the primary key.
CREATE TABLE messages (
  conversation_id BIGINT NOT NULL,
  id              BIGINT NOT NULL,
  sender_id       BIGINT,                 -- null for a system message
  type            BIGINT NOT NULL,
  text            TEXT,                    -- null for a system message
  thread_id       BIGINT,
  file_count      BIGINT NOT NULL,
  via_label       TEXT,                    -- the connection it was sent through
  client_key      TEXT,                    -- as given; the hash that outlives it is in message_keys
  edited_at       BIGINT,
  created_at      BIGINT NOT NULL,
  PRIMARY KEY (conversation_id, id)
);
CREATE UNIQUE INDEX messages_by_id ON messages (id);

-- What is left of a deleted message: enough for 404, for 422 and for the admin's list. Kept apart so
-- that deleted messages never slow a page of history.
CREATE TABLE deleted_messages (
  conversation_id BIGINT NOT NULL,
  id              BIGINT NOT NULL,
  sender_id       BIGINT,
  type            BIGINT NOT NULL,
  created_at      BIGINT NOT NULL,
  deleted_at      BIGINT NOT NULL,
  PRIMARY KEY (conversation_id, id)
);
CREATE UNIQUE INDEX deleted_messages_by_id ON deleted_messages (id);

-- Blocks and metadata, off the page of history.
CREATE TABLE message_extras (
  message_id BIGINT PRIMARY KEY,
  blocks     TEXT,                         -- JSON
  metadata   TEXT                          -- JSON
);

-- Edit history: what stood before each edit.
CREATE TABLE message_edits (
  message_id BIGINT NOT NULL,
  edited_at  BIGINT NOT NULL,
  number     BIGINT NOT NULL,             -- 1, 2, 3 … within the message
  text       TEXT NOT NULL,
  blocks     TEXT,
  PRIMARY KEY (message_id, number)
);

CREATE TABLE message_files (
  conversation_id BIGINT NOT NULL,
  message_id      BIGINT NOT NULL,
  position        BIGINT NOT NULL,
  file_id         BIGINT NOT NULL,
  PRIMARY KEY (conversation_id, message_id, position)
);
CREATE INDEX message_files_by_file ON message_files (file_id, conversation_id, message_id);

-- A client key is held once in a conversation, by whoever sent the message, for good.
CREATE TABLE message_keys (
  conversation_id BIGINT NOT NULL,
  key_hash        BYTEA NOT NULL,           -- 16 bytes
  message_id      BIGINT NOT NULL,
  sender_id       BIGINT,
  fingerprint     BYTEA,                    -- 16 bytes of the body; null for people's messages
  PRIMARY KEY (conversation_id, key_hash)
);

-- A bot's idempotency keys of the last 24 hours, whatever the destination.
CREATE TABLE send_keys (
  bot_id          BIGINT NOT NULL,
  key_hash        BYTEA NOT NULL,           -- 16 bytes
  fingerprint     BYTEA NOT NULL,           -- 16 bytes
  conversation_id BIGINT NOT NULL,
  message_id      BIGINT NOT NULL,
  created_at      BIGINT NOT NULL,
  PRIMARY KEY (bot_id, key_hash)
);

CREATE TABLE files (
  id           BIGINT PRIMARY KEY,
  workspace_id BIGINT NOT NULL,
  owner_id     BIGINT,
  name         TEXT NOT NULL,
  mimetype     TEXT NOT NULL,
  size         BIGINT NOT NULL,
  created_at   BIGINT NOT NULL,
  deleted_at   BIGINT,
  purge_after  BIGINT                     -- when the content may go: links issued before stay good until then
);
CREATE INDEX files_to_purge ON files (purge_after) WHERE purge_after IS NOT NULL;

CREATE TABLE apps (
  id                      BIGINT PRIMARY KEY,
  name                    TEXT NOT NULL,
  client_id               TEXT NOT NULL,
  client_secret_hash      BYTEA NOT NULL,   -- SHA-256
  signing_secret          TEXT NOT NULL,
  previous_signing_secret TEXT,
  signing_rotated_at      BIGINT,
  callback_url            TEXT,
  redirect_uris           TEXT NOT NULL,   -- JSON array
  scopes                  BIGINT NOT NULL,-- bit set
  disabled_at             BIGINT,
  created_at              BIGINT NOT NULL
);
CREATE UNIQUE INDEX apps_by_client_id ON apps (client_id);

-- One row per time an app was connected to a company; at most one of a pair is connected.
CREATE TABLE installations (
  id              BIGINT PRIMARY KEY,
  app_id          BIGINT NOT NULL,
  workspace_id    BIGINT NOT NULL,
  bot_user_id     BIGINT NOT NULL,
  scopes          BIGINT NOT NULL,        -- union over its tokens
  connected       BIGINT NOT NULL,
  reason          BIGINT,                 -- of the disconnect: 0 admin, 1 app disabled, 2 revoked by the app
  installed_by    BIGINT,
  created_at      BIGINT NOT NULL,
  disconnected_at BIGINT
);
CREATE INDEX installations_by_workspace ON installations (workspace_id, id);
CREATE INDEX installations_by_app ON installations (app_id, workspace_id);
CREATE INDEX installations_by_bot ON installations (bot_user_id) WHERE connected = 1;
CREATE UNIQUE INDEX installations_connected ON installations (app_id, workspace_id) WHERE connected = 1;

CREATE TABLE bot_tokens (
  token_hash      BYTEA PRIMARY KEY,        -- SHA-256
  installation_id BIGINT NOT NULL,
  scopes          BIGINT NOT NULL,
  created_at      BIGINT NOT NULL
);

CREATE TABLE install_codes (
  code_hash    BYTEA PRIMARY KEY,           -- SHA-256
  app_id       BIGINT NOT NULL,
  workspace_id BIGINT NOT NULL,
  approved_by  BIGINT,
  scopes       BIGINT NOT NULL,
  redirect_uri TEXT,
  challenge    TEXT,                       -- PKCE, S256
  expires_at   BIGINT NOT NULL,
  used_at      BIGINT
);
CREATE INDEX install_codes_by_expiry ON install_codes (expires_at);

-- The outbox: written in the transaction of the change it tells of.
CREATE TABLE events (
  id              BIGINT PRIMARY KEY,
  app_id          BIGINT NOT NULL,
  installation_id BIGINT NOT NULL,
  workspace_id    BIGINT NOT NULL,
  type            TEXT NOT NULL,
  body            TEXT NOT NULL,           -- the exact bytes that are signed and sent
  created_at      BIGINT NOT NULL,
  state           BIGINT NOT NULL,        -- 0 pending, 1 delivered, 2 failed, 3 dropped
  attempts        BIGINT NOT NULL,        -- finished attempts
  claim           BIGINT NOT NULL,        -- fences a late holder: changes on every claim
  next_at         BIGINT NOT NULL         -- when due; while claimed, when the lease ends
);
CREATE INDEX events_due ON events (next_at) WHERE state = 0;
CREATE INDEX events_by_app ON events (app_id, id);
CREATE INDEX events_pending_by_installation ON events (installation_id) WHERE state = 0;
