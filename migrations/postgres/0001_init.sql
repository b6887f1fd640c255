-- The schema. Ids are 63-bit integers in order of time, times are microseconds since 1970, flags are 0 or 1, digests
-- are SHA-256. workspace_id is the company that a row belongs to (docs/architecture.md).
--
-- The same file is in migrations/sqlite with that engine's types. The order of a table's indexes decides between
-- plans of the same cost.

------------------------------------------------------------------------------------------------------------------------
-- Server
------------------------------------------------------------------------------------------------------------------------

-- Secrets shared by all nodes: the master key of cursors, file links and the like.
CREATE TABLE server_secrets (
  name  TEXT PRIMARY KEY,
  value BYTEA NOT NULL
);

-- Numbers that survive a restart: the clock offset of a sandbox, node numbers in use.
CREATE TABLE server_state (
  name  TEXT PRIMARY KEY,
  value BIGINT NOT NULL
);

-- Which programs work on the schema that a migration leaves: those that know migration `oldest_compatible`. Written
-- with each migration, from its header.
CREATE TABLE schema_compatibility (
  version           BIGINT PRIMARY KEY,
  oldest_compatible BIGINT NOT NULL
);

-- The process that runs a maintenance job, and the earliest time of the next run, by the database's clock.
CREATE TABLE job_leases (
  job     TEXT PRIMARY KEY,
  holder  BIGINT NOT NULL,
  until   BIGINT NOT NULL,
  next_at BIGINT NOT NULL
);

-- The latest sequence number of each log. Its row stays locked until the transaction that took the number commits, so
-- numbers become visible in order: a reader that has seen n has seen every number below n.
-- Few rows that are updated often: free space on their pages keeps updates out of the index (HOT).
CREATE TABLE log_heads (
  log   BIGINT NOT NULL, -- 1 tool calls of a company, 2 deliveries of an app
  owner BIGINT NOT NULL, -- the company or the app
  last  BIGINT NOT NULL,
  PRIMARY KEY (log, owner)
) WITH (fillfactor = 25, autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0.1);

------------------------------------------------------------------------------------------------------------------------
-- Companies
------------------------------------------------------------------------------------------------------------------------

-- Companies that use this deployment.
CREATE TABLE workspaces (
  id                BIGINT PRIMARY KEY,
  name              TEXT NOT NULL,
  domain            TEXT,
  ai_assistants     BIGINT NOT NULL,
  max_session_hours BIGINT, -- the longest life of an assistant's connection; null without a maximum
  created_at        BIGINT NOT NULL
);
-- Companies that end connections by age.
CREATE INDEX workspaces_with_session_limit ON workspaces (id) WHERE max_session_hours IS NOT NULL;

------------------------------------------------------------------------------------------------------------------------
-- Accounts
------------------------------------------------------------------------------------------------------------------------

-- A sign-in identity: one e-mail address, which is one person in each of several companies.
CREATE TABLE accounts (
  id                    BIGINT PRIMARY KEY,
  email_key             TEXT NOT NULL, -- trimmed, lower case
  password_hash         TEXT,          -- argon2id; null until one is set
  password_workspace_id BIGINT,        -- the only company that the password opens, because its admin set it; null
                                       -- when the operator did
  created_at            BIGINT NOT NULL
);
-- An address has one account. Sign-in.
CREATE UNIQUE INDEX accounts_by_email ON accounts (email_key);

-- Sessions of browsers.
CREATE TABLE sessions (
  token_hash BYTEA PRIMARY KEY, -- digest of the cookie
  account_id BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);
-- Sign-out everywhere, and the deletion of an account.
CREATE INDEX sessions_by_account ON sessions (account_id);
-- Deletion of expired sessions.
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

------------------------------------------------------------------------------------------------------------------------
-- People and bots
------------------------------------------------------------------------------------------------------------------------

-- People and bots of companies.
CREATE TABLE users (
  id                   BIGINT PRIMARY KEY,
  workspace_id         BIGINT NOT NULL,
  account_id           BIGINT,                    -- null for bots and removed people
  app_id               BIGINT,                    -- of a bot, else null
  name                 TEXT NOT NULL,
  display_name         TEXT,
  email                TEXT,                      -- as it was entered; null for bots and removed people
  email_key            TEXT,                      -- trimmed, lower case
  avatar_url           TEXT,
  title                TEXT,
  timezone             TEXT,                      -- IANA name
  state                BIGINT NOT NULL,           -- 0 active, 1 onboarding, 2 deactivated, 3 removed
  is_admin             BIGINT NOT NULL,
  is_external          BIGINT NOT NULL,           -- a guest
  is_bot               BIGINT NOT NULL,
  email_visible        BIGINT NOT NULL,
  guest_visible        BIGINT NOT NULL,           -- whether members see a guest
  sessions_valid_after BIGINT NOT NULL,           -- a forced sign-out: earlier sessions do not count for this person
  has_words            BIGINT NOT NULL DEFAULT 0, -- whether user_words has this person's words
  created_at           BIGINT NOT NULL
);
-- People and bots of a company, as an admin lists them.
CREATE INDEX users_by_workspace ON users (workspace_id, id);
-- GET /v1/users: neither bots nor guests that members do not see.
CREATE INDEX users_listed ON users (workspace_id, id)
  WHERE is_bot = 0 AND (is_external = 0 OR guest_visible = 1);
-- An address is one person of a company. Look-up by address.
CREATE UNIQUE INDEX users_by_email ON users (workspace_id, email_key) WHERE email_key IS NOT NULL;
-- Companies that an account opens.
CREATE INDEX users_by_account ON users (account_id) WHERE account_id IS NOT NULL;
-- An app has one bot in a company.
CREATE UNIQUE INDEX users_by_app ON users (workspace_id, app_id) WHERE app_id IS NOT NULL;
-- People whose words a job has still to write, because SQL cannot fold them.
CREATE INDEX users_without_words ON users (id) WHERE has_words = 0;

-- Search for people by prefix: the folded words of names and addresses, as bytes, which both engines order alike.
CREATE TABLE user_words (
  user_id      BIGINT NOT NULL,
  word         BYTEA NOT NULL,
  workspace_id BIGINT NOT NULL,
  PRIMARY KEY (user_id, word)
);
-- People of a company whose names or addresses begin with a prefix.
CREATE INDEX user_words_by_word ON user_words (workspace_id, word, user_id);

------------------------------------------------------------------------------------------------------------------------
-- Conversations
------------------------------------------------------------------------------------------------------------------------

-- Groups, their channels, and direct messages of two users.
CREATE TABLE conversations (
  id                BIGINT PRIMARY KEY,
  workspace_id      BIGINT NOT NULL,
  kind              BIGINT NOT NULL,           -- 0 group, 1 channel, 2 direct messages
  parent_id         BIGINT,                    -- the group of a channel
  name              TEXT,                      -- null for direct messages
  topic             TEXT,
  is_private        BIGINT NOT NULL,           -- of a group; a channel has its group's
  announcement_only BIGINT NOT NULL,
  archived_at       BIGINT,                    -- of a group; a channel has its group's
  deleted_at        BIGINT,
  active_members    BIGINT NOT NULL,           -- people with an active account; 0 for direct messages
  floor_id          BIGINT NOT NULL DEFAULT 0, -- lowest id of a new message: new members see what is sent
                                               -- after they join, also by a node whose clock is behind
  created_at        BIGINT NOT NULL
);
-- Conversations of a company, as an admin lists them.
CREATE INDEX conversations_by_workspace ON conversations (workspace_id, id);
-- Channels of a group.
CREATE INDEX conversations_by_parent ON conversations (parent_id) WHERE parent_id IS NOT NULL;

-- The one conversation of direct messages of two users.
CREATE TABLE direct_pairs (
  workspace_id    BIGINT NOT NULL,
  low_user_id     BIGINT NOT NULL, -- the lower of the two ids
  high_user_id    BIGINT NOT NULL,
  conversation_id BIGINT NOT NULL,
  PRIMARY KEY (low_user_id, high_user_id)
);

-- Deleted direct messages of two users: a key that was used there cannot be used again for the same person.
CREATE TABLE former_pairs (
  workspace_id    BIGINT NOT NULL,
  low_user_id     BIGINT NOT NULL, -- the lower of the two ids
  high_user_id    BIGINT NOT NULL,
  conversation_id BIGINT NOT NULL,
  PRIMARY KEY (low_user_id, high_user_id, conversation_id)
);

-- Present and former members.
CREATE TABLE members (
  workspace_id    BIGINT NOT NULL,
  conversation_id BIGINT NOT NULL,
  user_id         BIGINT NOT NULL,
  joined_at       BIGINT NOT NULL,           -- the latest time
  left_at         BIGINT,                    -- null for a present member
  visible_from    BIGINT NOT NULL,           -- lowest id of a message that the member may see
  is_direct       BIGINT NOT NULL DEFAULT 0, -- of direct messages, of which a bot may have 100,000
  PRIMARY KEY (conversation_id, user_id)
);
-- Conversations of a user.
CREATE INDEX members_by_user ON members (user_id, conversation_id) WHERE left_at IS NULL;
-- Groups and channels of a user, without reading past direct messages.
CREATE INDEX members_of_places ON members (user_id, conversation_id) WHERE left_at IS NULL AND is_direct = 0;

------------------------------------------------------------------------------------------------------------------------
-- Messages
------------------------------------------------------------------------------------------------------------------------

-- Messages that are not deleted. A page of history is one range of the primary key.
CREATE TABLE messages (
  workspace_id    BIGINT NOT NULL,
  conversation_id BIGINT NOT NULL,
  id              BIGINT NOT NULL,
  sender_id       BIGINT,          -- null for a system message
  type            BIGINT NOT NULL, -- MessageType in src/domain/conversation.rs
  text            TEXT,            -- null for a system message
  thread_id       BIGINT,
  file_count      BIGINT NOT NULL,
  via_label       TEXT,            -- the client that an assistant's message was sent through
  client_key      TEXT,            -- as it was sent; message_keys has the digest, which outlives the message
  edited_at       BIGINT,
  created_at      BIGINT NOT NULL,
  PRIMARY KEY (conversation_id, id)
);
-- A message by its id alone.
CREATE UNIQUE INDEX messages_by_id ON messages (id);
-- Replies of a thread.
CREATE INDEX messages_by_thread ON messages (conversation_id, thread_id, id) WHERE thread_id IS NOT NULL;

-- Blocks and metadata, which a page of history does not read.
CREATE TABLE message_extras (
  message_id   BIGINT PRIMARY KEY,
  workspace_id BIGINT NOT NULL,
  blocks       TEXT, -- JSON
  metadata     TEXT  -- JSON
);

-- Versions that an edit replaced.
CREATE TABLE message_edits (
  workspace_id BIGINT NOT NULL,
  message_id   BIGINT NOT NULL,
  edited_at    BIGINT NOT NULL,
  number       BIGINT NOT NULL, -- 1, 2, 3 … of the message
  text         TEXT NOT NULL,
  blocks       TEXT,
  PRIMARY KEY (message_id, number)
);

-- Files of a message, in order.
CREATE TABLE message_files (
  workspace_id    BIGINT NOT NULL,
  conversation_id BIGINT NOT NULL,
  message_id      BIGINT NOT NULL,
  position        BIGINT NOT NULL,
  file_id         BIGINT NOT NULL,
  PRIMARY KEY (conversation_id, message_id, position)
);
-- Messages that carry a file.
CREATE INDEX message_files_by_file ON message_files (file_id, conversation_id, message_id);

-- What is kept of a deleted message, for 404, 422 and the admin's list; apart from messages, so that deleted ones never
-- slow a page of history.
CREATE TABLE deleted_messages (
  workspace_id    BIGINT NOT NULL,
  conversation_id BIGINT NOT NULL,
  id              BIGINT NOT NULL,
  sender_id       BIGINT,
  type            BIGINT NOT NULL,
  created_at      BIGINT NOT NULL,
  deleted_at      BIGINT NOT NULL,
  PRIMARY KEY (conversation_id, id)
);
-- A deleted message by its id alone.
CREATE UNIQUE INDEX deleted_messages_by_id ON deleted_messages (id);

------------------------------------------------------------------------------------------------------------------------
-- Idempotency keys
------------------------------------------------------------------------------------------------------------------------

-- Client keys of a conversation, kept for good: each is used once, by one sender.
CREATE TABLE message_keys (
  workspace_id    BIGINT NOT NULL,
  conversation_id BIGINT NOT NULL,
  key_hash        BYTEA NOT NULL, -- first 16 bytes of the digest
  message_id      BIGINT NOT NULL,
  sender_id       BIGINT,
  fingerprint     BYTEA,          -- 16 bytes of the body's digest; null for messages of people
  PRIMARY KEY (conversation_id, key_hash)
);

-- Idempotency keys of a bot in the last 24 hours, whatever the destination.
CREATE TABLE send_keys (
  workspace_id    BIGINT NOT NULL,
  bot_id          BIGINT NOT NULL,
  key_hash        BYTEA NOT NULL, -- first 16 bytes of the digest
  fingerprint     BYTEA NOT NULL, -- 16 bytes of the body's digest
  conversation_id BIGINT NOT NULL,
  message_id      BIGINT NOT NULL,
  created_at      BIGINT NOT NULL,
  PRIMARY KEY (bot_id, key_hash)
);

------------------------------------------------------------------------------------------------------------------------
-- Search in messages
------------------------------------------------------------------------------------------------------------------------

-- Messages that are not in the full-text index yet, or were edited: written in the transaction of the change.
CREATE TABLE search_queue (
  message_id   BIGINT PRIMARY KEY,
  workspace_id BIGINT NOT NULL
);

-- Deleted conversations whose messages have still to leave the index.
CREATE TABLE search_purges (
  conversation_id BIGINT PRIMARY KEY,
  workspace_id    BIGINT NOT NULL,
  after_id        BIGINT NOT NULL -- the last message that was removed
);

-- The full-text index. The server splits and folds the words of messages; words that begin with @ are tags, which name
-- conversation and sender.
CREATE TABLE message_index (
  message_id BIGINT PRIMARY KEY,
  words      TSVECTOR NOT NULL
);
-- Entries gather on the index's list and are sorted in together, which takes a third of the time of one after the other.
-- Searches read the list, so it is short (in KB).
CREATE INDEX message_index_words ON message_index USING gin (words)
  WITH (fastupdate = on, gin_pending_list_limit = 256);

------------------------------------------------------------------------------------------------------------------------
-- Files
------------------------------------------------------------------------------------------------------------------------

-- Files that are stored completely. Contents are in the file folder or the bucket.
CREATE TABLE files (
  id           BIGINT PRIMARY KEY,
  workspace_id BIGINT NOT NULL,
  owner_id     BIGINT,
  name         TEXT NOT NULL,
  mimetype     TEXT NOT NULL,
  size         BIGINT NOT NULL,
  created_at   BIGINT NOT NULL,
  deleted_at   BIGINT,
  purge_after  BIGINT -- when the content may be deleted: links issued before are good until then
);
-- Deletion of contents.
CREATE INDEX files_to_purge ON files (purge_after) WHERE purge_after IS NOT NULL;

-- Contents that are being received. Rows that a stopped process leaves behind name what has to be removed.
CREATE TABLE uploads (
  file_id      BIGINT PRIMARY KEY,
  workspace_id BIGINT NOT NULL,
  begun_at     BIGINT NOT NULL,
  parts        TEXT,           -- id of the bucket's multipart upload
  swept        BIGINT NOT NULL -- 1: being removed, cannot become a file any more
);
-- Removal of abandoned uploads.
CREATE INDEX uploads_by_age ON uploads (begun_at);

------------------------------------------------------------------------------------------------------------------------
-- Apps
------------------------------------------------------------------------------------------------------------------------

-- Apps that act through the bot API.
CREATE TABLE apps (
  id                      BIGINT PRIMARY KEY,
  name                    TEXT NOT NULL,
  client_id               TEXT NOT NULL,
  client_secret_hash      BYTEA NOT NULL,  -- digest
  signing_secret          TEXT NOT NULL,
  previous_signing_secret TEXT,
  signing_rotated_at      BIGINT,
  callback_url            TEXT,
  redirect_uris           TEXT NOT NULL,   -- JSON array
  scopes                  BIGINT NOT NULL, -- bit set
  disabled_at             BIGINT,
  created_at              BIGINT NOT NULL
);
-- Authentication of an app.
CREATE UNIQUE INDEX apps_by_client_id ON apps (client_id);

-- One row each time that an app is connected to a company.
CREATE TABLE installations (
  id              BIGINT PRIMARY KEY,
  app_id          BIGINT NOT NULL,
  workspace_id    BIGINT NOT NULL,
  bot_user_id     BIGINT NOT NULL,
  scopes          BIGINT NOT NULL, -- union of its tokens' scopes
  connected       BIGINT NOT NULL,
  reason          BIGINT,          -- of the disconnection: 0 admin, 1 app disabled, 2 revoked by the app
  installed_by    BIGINT,
  created_at      BIGINT NOT NULL,
  disconnected_at BIGINT
);
-- Companies of an app.
CREATE INDEX installations_by_app ON installations (app_id, workspace_id);
-- The installation of a bot.
CREATE INDEX installations_by_bot ON installations (bot_user_id) WHERE connected = 1;
-- An app is connected to a company at most once.
CREATE UNIQUE INDEX installations_connected ON installations (app_id, workspace_id) WHERE connected = 1;
-- Connected installations of a company, and disconnected ones, without reading past the others.
CREATE INDEX installations_by_state ON installations (workspace_id, connected, id);

-- Tokens of installations.
CREATE TABLE bot_tokens (
  token_hash      BYTEA PRIMARY KEY, -- digest
  workspace_id    BIGINT NOT NULL,
  installation_id BIGINT NOT NULL,
  scopes          BIGINT NOT NULL,
  created_at      BIGINT NOT NULL
);

-- Codes that an app exchanges for a token.
CREATE TABLE install_codes (
  code_hash    BYTEA PRIMARY KEY, -- digest
  app_id       BIGINT NOT NULL,
  workspace_id BIGINT NOT NULL,
  approved_by  BIGINT,
  scopes       BIGINT NOT NULL,
  redirect_uri TEXT,
  challenge    TEXT,              -- PKCE, S256
  expires_at   BIGINT NOT NULL,
  used_at      BIGINT
);
-- Deletion of expired codes.
CREATE INDEX install_codes_by_expiry ON install_codes (expires_at);

-- People who refuse direct messages of an app.
CREATE TABLE app_blocks (
  workspace_id BIGINT NOT NULL,
  user_id      BIGINT NOT NULL,
  app_id       BIGINT NOT NULL,
  created_at   BIGINT NOT NULL,
  PRIMARY KEY (user_id, app_id)
);

------------------------------------------------------------------------------------------------------------------------
-- Events
------------------------------------------------------------------------------------------------------------------------

-- The outbox: rows are written in the transaction of the change that they report.
--
-- The result of an attempt leaves a dead entry in the indexes of due events, in front of the events that are due next.
-- Autovacuum removes these entries long before a fifth of the table is dead, and does not skip the indexes although the
-- dead rows are few.
CREATE TABLE events (
  id              BIGINT PRIMARY KEY,
  app_id          BIGINT NOT NULL,
  installation_id BIGINT NOT NULL,
  workspace_id    BIGINT NOT NULL,
  type            TEXT NOT NULL,
  body            TEXT NOT NULL,             -- the exact bytes that are signed and sent
  created_at      BIGINT NOT NULL,
  state           BIGINT NOT NULL,           -- 0 pending, 1 delivered, 2 failed, 3 dropped
  attempts        BIGINT NOT NULL,           -- finished attempts
  earlier         BIGINT NOT NULL DEFAULT 0, -- attempts before the latest redelivery, which restarts the schedule
  next_at         BIGINT NOT NULL,           -- when a pending event is due; when any other was finished
  drop_reason     TEXT,
  log_seq         BIGINT NOT NULL DEFAULT 0  -- of a dropped event: the number of its transaction in log_heads
) WITH (
  fillfactor = 90,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.02,
  vacuum_index_cleanup = on
);
-- Events of the delivery log that have no attempt.
CREATE INDEX events_unsent ON events (app_id, id) WHERE state IN (0, 3);
-- Redelivery of a range of time.
CREATE INDEX events_by_app ON events (app_id, created_at, id);
-- Retention.
CREATE INDEX events_finished ON events (next_at) WHERE state <> 0;
-- Redelivery of the failed events of a range of time.
CREATE INDEX events_failed ON events (app_id, created_at, id) WHERE state = 2;
-- Apps that have due events, and events that have waited too long. An expression, so that no statement about one
-- installation uses this index and reads past the events of all others.
CREATE INDEX events_pending ON events ((app_id + 0), next_at, id) WHERE state = 0;
-- Due events of an installation, first attempts apart from retries, so that neither waits for the other.
CREATE INDEX events_first ON events (app_id, installation_id, next_at, id) WHERE state = 0 AND attempts = 0;
CREATE INDEX events_again ON events (app_id, installation_id, next_at, id) WHERE state = 0 AND attempts > 0;
-- Dropped events of the delivery log, for readers that follow it.
CREATE INDEX events_dropped_in_log_order ON events (app_id, log_seq, id) WHERE state = 3;

-- The delivery log: every attempt to deliver an event, deleted with the event.
CREATE TABLE delivery_attempts (
  event_id        BIGINT NOT NULL,
  attempt         BIGINT NOT NULL,
  id              BIGINT NOT NULL,
  app_id          BIGINT NOT NULL,
  workspace_id    BIGINT NOT NULL,
  at              BIGINT NOT NULL,
  delivered       BIGINT NOT NULL,
  status          BIGINT,                    -- HTTP
  error           TEXT,
  latency_ms      BIGINT NOT NULL,
  answer          TEXT,                      -- the beginning of the response body
  next_attempt_at BIGINT,
  log_seq         BIGINT NOT NULL DEFAULT 0, -- the number of its transaction in log_heads
  PRIMARY KEY (event_id, attempt)
);
-- The log of an app: newest first, and in log order for readers that follow it.
CREATE INDEX delivery_attempts_by_app ON delivery_attempts (app_id, id);
CREATE INDEX delivery_attempts_in_log_order ON delivery_attempts (app_id, log_seq, id);

-- The process that delivers the events of an app, so that no two nodes deliver one event. By the database's clock.
-- Few rows that are updated every five seconds; the storage parameters are those of log_heads.
CREATE TABLE event_leases (
  app_id BIGINT PRIMARY KEY,
  holder BIGINT NOT NULL,
  until  BIGINT NOT NULL
) WITH (fillfactor = 25, autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0.1);

------------------------------------------------------------------------------------------------------------------------
-- Assistant clients
------------------------------------------------------------------------------------------------------------------------

-- OAuth clients: registered ones, and those known by their metadata document, which is cached here.
CREATE TABLE assistant_clients (
  id            BIGINT PRIMARY KEY, -- order of the list
  client_id     TEXT NOT NULL,      -- mcpc_…, or the document's URL
  is_registered BIGINT NOT NULL,
  client_name   TEXT,               -- null when a document has none that may be shown
  redirect_uris TEXT NOT NULL,      -- JSON array
  is_public     BIGINT NOT NULL,
  secret_hash   BYTEA,              -- digest; null for public clients and documents
  metadata      TEXT,               -- what else was registered, as JSON
  created_at    BIGINT NOT NULL,    -- registered, or first seen
  expires_at    BIGINT NOT NULL,    -- when a document is read again, and a client without connections is deleted
  connected_at  BIGINT,             -- first connection
  last_used_at  BIGINT
);
-- A client of a request.
CREATE UNIQUE INDEX assistant_clients_by_client_id ON assistant_clients (client_id);
-- Deletion of expired clients that never completed a connection.
CREATE INDEX assistant_clients_unused ON assistant_clients (expires_at) WHERE connected_at IS NULL;

-- Clients that a company blocks, by key.
CREATE TABLE client_blocks (
  workspace_id BIGINT NOT NULL,
  key          TEXT NOT NULL,
  id           BIGINT NOT NULL, -- order of the list
  display_name TEXT,            -- of the newest connection with this key when it was blocked
  created_at   BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, key)
);
-- The list of a company.
CREATE UNIQUE INDEX client_blocks_in_order ON client_blocks (workspace_id, id);

------------------------------------------------------------------------------------------------------------------------
-- Authorization of assistants
------------------------------------------------------------------------------------------------------------------------

-- Authorization requests that wait for a decision. The company is not known yet.
CREATE TABLE authorization_requests (
  request_hash  BYTEA PRIMARY KEY, -- digest
  browser       BYTEA NOT NULL,    -- digest of the cookie of the browser that made the request
  client_id     TEXT NOT NULL,
  client_kind   BIGINT NOT NULL,   -- 0 registered, 1 metadata document
  display_name  TEXT NOT NULL,
  unverified    BIGINT NOT NULL,
  client_host   TEXT,              -- of a metadata document's URL
  redirect_uri  TEXT NOT NULL,
  redirect_kind BIGINT NOT NULL,   -- 0 https, 1 loopback, 2 private-use scheme
  redirect_host TEXT NOT NULL,
  redirect_key  TEXT NOT NULL,     -- the redirect URI without a loopback port
  block_key     TEXT NOT NULL,     -- what client_blocks names
  resource      BIGINT NOT NULL,   -- 0 /mcp, 1 /mcp/readonly
  scopes        BIGINT NOT NULL,   -- bit set
  challenge     TEXT NOT NULL,     -- PKCE, S256
  state         BYTEA,             -- bytes, because any character is allowed
  expires_at    BIGINT NOT NULL
);
-- Deletion of expired requests.
CREATE INDEX authorization_requests_by_expiry ON authorization_requests (expires_at);

-- Authorization codes that are not exchanged yet; the exchange moves a code into its connection.
CREATE TABLE authorization_codes (
  code_hash    BYTEA PRIMARY KEY, -- digest
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
-- Deletion of expired codes.
CREATE INDEX authorization_codes_by_expiry ON authorization_codes (expires_at);
-- Revocation of a company's and of a person's codes.
CREATE INDEX authorization_codes_by_workspace ON authorization_codes (workspace_id);
CREATE INDEX authorization_codes_by_user ON authorization_codes (user_id);

------------------------------------------------------------------------------------------------------------------------
-- Connections of assistants
------------------------------------------------------------------------------------------------------------------------

-- A connection: a client's right to act for an employee.
CREATE TABLE connections (
  id            BIGINT PRIMARY KEY,
  workspace_id  BIGINT NOT NULL,
  user_id       BIGINT NOT NULL,
  client_id     TEXT NOT NULL,
  client_kind   BIGINT NOT NULL,
  display_name  TEXT NOT NULL,
  block_key     TEXT NOT NULL,
  redirect_uri  TEXT NOT NULL,
  slot          BYTEA NOT NULL,  -- digest of client and redirect key; a newer connection replaces this one
  code_hash     BYTEA NOT NULL,  -- digest of the authorization code, which revokes the connection when presented again
  resource      BIGINT NOT NULL,
  scopes        BIGINT NOT NULL,
  generation    BIGINT NOT NULL, -- tokens of an earlier one are spent
  refresh_until BIGINT NOT NULL, -- the connection expires then unless it is refreshed
  created_at    BIGINT NOT NULL,
  refreshed_at  BIGINT,
  last_used_at  BIGINT,          -- up to a minute behind
  revoked_at    BIGINT,
  reason        BIGINT,          -- EndReason in src/domain/grant.rs
  has_tokens    BIGINT NOT NULL  -- 0 once the tokens of a revoked connection are deleted
);
-- A code that is presented again.
CREATE UNIQUE INDEX connections_by_code ON connections (code_hash);
-- Lists: all connections of a company, and of a person.
CREATE INDEX connections_by_workspace ON connections (workspace_id, id);
CREATE INDEX connections_by_user ON connections (user_id, id);
-- A person has one connection for a client and redirect key.
CREATE UNIQUE INDEX connections_in_slots ON connections (user_id, slot) WHERE revoked_at IS NULL;
-- Revocation of a blocked client's connections.
CREATE INDEX connections_by_key ON connections (workspace_id, block_key) WHERE revoked_at IS NULL;
-- Expiry: by a company's maximum age, and without a refresh.
CREATE INDEX connections_by_age ON connections (workspace_id, created_at) WHERE revoked_at IS NULL;
CREATE INDEX connections_by_refresh ON connections (refresh_until) WHERE revoked_at IS NULL;
-- Deletion of a revoked connection's tokens.
CREATE INDEX connections_to_clear ON connections (id) WHERE revoked_at IS NOT NULL AND has_tokens = 1;
-- The name of a blocked client.
CREATE INDEX connections_of_key ON connections (workspace_id, block_key, id);
-- Retention, after the tokens are deleted.
CREATE INDEX connections_ended ON connections (revoked_at) WHERE revoked_at IS NOT NULL AND has_tokens = 0;
-- Lists: those revoked most recently. With the id, because one decision of an admin can revoke many at the same time.
CREATE INDEX connections_by_end ON connections (workspace_id, revoked_at, id) WHERE revoked_at IS NOT NULL;
CREATE INDEX connections_of_user_by_end ON connections (user_id, revoked_at, id) WHERE revoked_at IS NOT NULL;
-- Lists: those that are not revoked. An expression, because among several indexes on the company a plan for unknown
-- arguments takes one whose rows it then has to sort.
CREATE INDEX connections_living_of_user ON connections (user_id, id) WHERE revoked_at IS NULL;
CREATE INDEX connections_living ON connections ((workspace_id + 0), id) WHERE revoked_at IS NULL;

-- Tokens of connections, spent and expired ones too: a spent refresh token that is presented again revokes the
-- connection.
CREATE TABLE connection_tokens (
  token_hash    BYTEA PRIMARY KEY, -- digest
  workspace_id  BIGINT NOT NULL,
  connection_id BIGINT NOT NULL,
  is_refresh    BIGINT NOT NULL,
  generation    BIGINT NOT NULL,   -- current when it is the connection's
  scopes        BIGINT NOT NULL,
  expires_at    BIGINT NOT NULL
);
-- Deletion with the connection.
CREATE INDEX connection_tokens_by_connection ON connection_tokens (connection_id);

-- Sessions of MCP clients whose protocol version has a handshake. A session belongs to a connection, not to a token.
CREATE TABLE mcp_sessions (
  session_hash     BYTEA PRIMARY KEY, -- digest of the id
  workspace_id     BIGINT NOT NULL,
  connection_id    BIGINT NOT NULL,
  protocol_version TEXT NOT NULL,     -- as negotiated
  client_name      TEXT NOT NULL,     -- as the client sent it, truncated
  client_version   TEXT NOT NULL,
  created_at       BIGINT NOT NULL,
  last_used_at     BIGINT NOT NULL    -- up to about a minute behind
);
-- Sessions that end, or move, with their connection.
CREATE INDEX mcp_sessions_by_connection ON mcp_sessions (connection_id);
-- Deletion of idle sessions.
CREATE INDEX mcp_sessions_by_use ON mcp_sessions (last_used_at);

------------------------------------------------------------------------------------------------------------------------
-- Drafts
------------------------------------------------------------------------------------------------------------------------

-- Messages that an employee's assistants prepared.
CREATE TABLE drafts (
  id              BIGINT PRIMARY KEY,
  workspace_id    BIGINT NOT NULL,
  owner_id        BIGINT NOT NULL, -- the employee; all connections of the employee see the draft
  conversation_id BIGINT,          -- the destination: a conversation,
  person_id       BIGINT,          -- or a person, who may have no conversation with the employee yet
  thread_id       BIGINT,
  text            TEXT NOT NULL,
  created_at      BIGINT NOT NULL,
  updated_at      BIGINT NOT NULL,
  sent_at         BIGINT,
  sent_to         BIGINT,          -- the conversation
  sent_message    BIGINT           -- and the id of the message that was sent
);
-- Open drafts of an employee.
CREATE INDEX drafts_open ON drafts (owner_id, id) WHERE sent_at IS NULL;
-- Sent drafts: their retention, and their deletion with the employee.
CREATE INDEX drafts_sent ON drafts (sent_at) WHERE sent_at IS NOT NULL;
CREATE INDEX drafts_sent_of_owner ON drafts (owner_id) WHERE sent_at IS NOT NULL;

-- Idempotency keys of the tools that write drafts.
CREATE TABLE draft_keys (
  workspace_id BIGINT NOT NULL,
  owner_id     BIGINT NOT NULL,
  key_hash     BYTEA NOT NULL, -- first 16 bytes of the digest
  fingerprint  BYTEA NOT NULL, -- 16 bytes of the digest of the tool and its arguments
  draft_id     BIGINT NOT NULL,
  created_at   BIGINT NOT NULL,
  PRIMARY KEY (owner_id, key_hash)
);
-- Retention.
CREATE INDEX draft_keys_by_age ON draft_keys (created_at);

------------------------------------------------------------------------------------------------------------------------
-- Audit
------------------------------------------------------------------------------------------------------------------------

-- One row for each call of an assistant's tool: by whom, with what, on what, with which outcome. No text of messages.
CREATE TABLE tool_calls (
  workspace_id  BIGINT NOT NULL,
  at            BIGINT NOT NULL,
  id            BIGINT NOT NULL,
  user_id       BIGINT NOT NULL,           -- the employee for whom the assistant acted
  connection_id BIGINT NOT NULL,
  client_hash   BIGINT NOT NULL,           -- of client_id, which may be too long for an index
  client_id     TEXT NOT NULL,
  display_name  TEXT NOT NULL,             -- of the client, at the time
  tool          TEXT NOT NULL,
  outcome       BIGINT NOT NULL,           -- 0 ok, 1 refused, 2 failed
  error_code    TEXT,
  targets       TEXT NOT NULL,             -- ids, separated by spaces
  more_targets  BIGINT NOT NULL,           -- number of ids that were left out
  took          BIGINT NOT NULL,           -- microseconds
  log_seq       BIGINT NOT NULL DEFAULT 0, -- the number of its transaction in log_heads
  PRIMARY KEY (workspace_id, at, id)
);
-- Filters of the list.
CREATE INDEX tool_calls_by_user ON tool_calls (user_id, at, id);
CREATE INDEX tool_calls_by_client ON tool_calls (workspace_id, client_hash, at, id);
CREATE INDEX tool_calls_by_tool ON tool_calls (workspace_id, tool, at, id);
CREATE INDEX tool_calls_in_trouble ON tool_calls (workspace_id, outcome, at, id) WHERE outcome <> 0;
-- Retention. An expression, so that no list uses this index and reads past the calls of all other companies.
CREATE INDEX tool_calls_by_age ON tool_calls ((at + 0));
-- The list in log order, for readers that follow it.
CREATE INDEX tool_calls_in_log_order ON tool_calls (workspace_id, log_seq, id);

------------------------------------------------------------------------------------------------------------------------
-- Rate limits
------------------------------------------------------------------------------------------------------------------------

-- Each node decides by itself and shares its records in batches; windows that protect secrets are counted row by row.
-- Unlogged: a crash of the database resets the limits. SQLite's single process has all of this in memory.

-- The times at which requests of one caller to one route were let through, oldest first.
CREATE UNLOGGED TABLE rate_windows (
  key     BYTEA PRIMARY KEY, -- 24 bytes
  passed  BIGINT[] NOT NULL,
  idle_at BIGINT NOT NULL    -- when the newest has left the window
) WITH (fillfactor = 50);

-- What one node let through under one key. A node replaces its own rows only.
CREATE UNLOGGED TABLE rate_records (
  key          BYTEA NOT NULL,  -- 25 bytes: the kind of limit, the route and the caller
  node         BIGINT NOT NULL, -- a running process
  epoch        BIGINT NOT NULL, -- of rate_epoch; records of another epoch do not count
  record       BYTEA NOT NULL,
  published_at BIGINT NOT NULL, -- by the database's clock
  PRIMARY KEY (key, node)
) WITH (autovacuum_vacuum_scale_factor = 0.2, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
-- Records that were published since a node read them last, and their deletion.
CREATE INDEX rate_records_published ON rate_records (published_at);

-- Grows when the operator resets the limits of a sandbox.
CREATE TABLE rate_epoch (
  id    SMALLINT PRIMARY KEY CHECK (id = 1),
  epoch BIGINT NOT NULL
);
INSERT INTO rate_epoch (id, epoch) VALUES (1, 1);
