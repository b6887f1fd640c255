-- Skewed data for the tests of query plans. One company and one conversation have most of the rows. The other companies
-- and conversations are many and small.
--
-- Company 1 is large. It has the people 1 to 100,000 and the bots 150,001 to 150,100. All people were members of group
-- 1, and one person in 20 has left it. Bot 150,001 has a direct conversation with each of the people. Company 2 has no
-- people and no conversations. Each other company has two people, two bots, and about five conversations (groups
-- and channels). One of these companies has 20,000 channels more, all in group 4002.

-- Returns an array of `number` ids: `first`, `first + step`, and so on.
CREATE FUNCTION ids(first BIGINT, step BIGINT, number BIGINT) RETURNS BIGINT[] LANGUAGE sql IMMUTABLE
AS 'SELECT array_agg(first + step * n) FROM generate_series(0, number - 1) n';

-- Returns read positions of 500 people in a conversation, as a JSON array.
CREATE FUNCTION marks(conversation BIGINT, up_to BIGINT) RETURNS TEXT LANGUAGE sql IMMUTABLE
AS 'SELECT CAST(json_agg(json_build_array(conversation, 100 * n, up_to)) AS TEXT) FROM generate_series(1, 500) n';

-- Returns the time of use `used_at` for each of 500 MCP sessions, as a JSON array.
CREATE FUNCTION uses(used_at BIGINT) RETURNS TEXT LANGUAGE sql IMMUTABLE
AS 'SELECT CAST(json_agg(json_build_array(encode(int8send(n), ''hex''), used_at)) AS TEXT) FROM generate_series(1, 500) n';

-- Returns the change of one message in each of 500 conversations, as a JSON array.
CREATE FUNCTION changes() RETURNS TEXT LANGUAGE sql IMMUTABLE
AS 'SELECT CAST(json_agg(json_build_array(n, n, 0)) AS TEXT) FROM generate_series(1, 500) n';

-- Returns one search word for each of 200 people, as a JSON array.
CREATE FUNCTION words() RETURNS TEXT LANGUAGE sql IMMUTABLE
AS 'SELECT CAST(json_agg(json_build_array(n, encode(convert_to(''person'' || n, ''UTF8''), ''hex''))) AS TEXT)
    FROM generate_series(1, 200) n';

-- Returns the bodies of 500 events, as a JSON array.
CREATE FUNCTION bodies() RETURNS TEXT LANGUAGE sql IMMUTABLE
AS 'SELECT CAST(json_agg(json_build_array(n * 8, ''body'')) AS TEXT) FROM generate_series(1, 500) n';

-- Returns the company of a conversation. The result is wrong for the channels of group 4002; their company is
-- `company(4002)`.
CREATE FUNCTION company(conversation BIGINT) RETURNS BIGINT LANGUAGE sql IMMUTABLE
AS 'SELECT CASE WHEN conversation <= 2002 OR conversation > 52000 THEN 1 ELSE 3 + conversation % 9998 END';

INSERT INTO workspaces (id, name, ai_assistants, max_session_hours, created_at)
SELECT i, 'Company ' || i, 1, CASE WHEN i % 100 = 0 THEN 24 END, i FROM generate_series(1, 10000) i;

INSERT INTO accounts (id, email_key, created_at)
SELECT i, 'person' || i || '@example.com', i FROM generate_series(1, 100000) i;

INSERT INTO sessions (token_hash, account_id, created_at, expires_at)
SELECT int8send(i), 1 + i % 100000, i, i + 1000 FROM generate_series(1, 150000) i;

INSERT INTO guesses (subject, failures, until, forgotten_at)
SELECT int8send(i), 1, i, i FROM generate_series(1, 100000) i;
INSERT INTO sign_in_places (account_id, place, used_at)
SELECT 1 + i % 100000, int8send(i), i FROM generate_series(1, 200000) i;

INSERT INTO users (id, workspace_id, account_id, app_id, name, email, email_key, state, is_admin, is_external, is_bot,
  email_visible, guest_visible, sessions_valid_after, created_at, has_words)
SELECT i, 1, i, NULL, 'Person ' || i, 'person' || i || '@example.com', 'person' || i || '@example.com',
  CASE WHEN i % 50 = 0 THEN 2 ELSE 0 END, 0, CASE WHEN i % 20 = 0 THEN 1 ELSE 0 END, 0, 1, CASE WHEN i % 40 = 0 THEN 0
  ELSE 1 END, 0, i, 1
FROM generate_series(1, 100000) i;
INSERT INTO users (id, workspace_id, app_id, name, state, is_admin, is_external, is_bot, email_visible, guest_visible,
  sessions_valid_after, created_at, has_words)
SELECT 150000 + i, 1, i, 'Bot ' || i, 0, 0, 0, 1, 0, 1, 0, i, 1 FROM generate_series(1, 100) i;
INSERT INTO users (id, workspace_id, app_id, name, email, email_key, state, is_admin, is_external, is_bot, email_visible,
  guest_visible, sessions_valid_after, created_at, has_words)
SELECT 200000 + i, 1 + i / 4, CASE WHEN i % 4 >= 2 THEN i % 4 END, 'Somebody ' || i,
  CASE WHEN i % 4 < 2 THEN 'some' || i || '@example.com' END, CASE WHEN i % 4 < 2 THEN 'some' || i || '@example.com' END,
  0, CASE WHEN i % 4 = 0 THEN 1 ELSE 0 END, 0, CASE WHEN i % 4 >= 2 THEN 1 ELSE 0 END, 1, 1, 0, i, 1
FROM generate_series(8, 39999) i;

INSERT INTO user_words (user_id, word, workspace_id)
SELECT id, convert_to('person' || id, 'UTF8'), 1 FROM users WHERE id <= 100000
UNION ALL SELECT id, convert_to('team' || id % 1000, 'UTF8'), 1 FROM users WHERE id <= 100000
UNION ALL SELECT id, convert_to('some' || id, 'UTF8'), workspace_id FROM users WHERE id > 200000;

INSERT INTO apps (id, name, client_id, client_secret_hash, signing_secret, callback_url, redirect_uris, scopes, created_at)
SELECT i, 'App ' || i, 'client' || i, '\x00', 'whsec', 'https://app.example/', '[]', 0, i FROM generate_series(1, 5000) i;
UPDATE apps SET previous_signing_secret = 'whsec', signing_rotated_at = id;
INSERT INTO installations (id, app_id, workspace_id, bot_user_id, scopes, connected, installed_by, created_at)
SELECT i, i, 1, 150000 + i, 0, 1, 1, i FROM generate_series(1, 100) i;
INSERT INTO installations (id, app_id, workspace_id, bot_user_id, scopes, connected, created_at)
SELECT u.id, u.app_id, u.workspace_id, u.id, 0, CASE WHEN u.id % 16 = 2 THEN 0 ELSE 1 END, u.id
FROM users u WHERE u.id > 200000 AND u.is_bot = 1;
INSERT INTO bot_tokens (token_hash, workspace_id, installation_id, scopes, created_at)
SELECT int8send(id), workspace_id, id, 0, id FROM installations;
-- each app of company 1 also has ten disconnected installations
INSERT INTO installations (id, app_id, workspace_id, bot_user_id, scopes, connected, reason, created_at, disconnected_at)
SELECT 1000000 + i, 1 + i % 100, 1, 150000 + i % 100, 0, 0, 0, i, 100000 - i FROM generate_series(1, 1000) i;
INSERT INTO install_codes (code_hash, app_id, workspace_id, scopes, expires_at)
SELECT int8send(i), 1 + i % 100, 1 + i % 10000, 0, i FROM generate_series(1, 2000) i;
INSERT INTO app_blocks (workspace_id, user_id, app_id, created_at)
SELECT 1, i, 1 + i % 100, i FROM generate_series(1, 50000) i;

-- The groups and channels 1 to 2002 belong to company 1. Person 7 is a member of those from 1 to 302. Groups 1 and 2 have
-- the long histories: the messages of group 1 are inserted below, and those of group 2 in `newer.sql`.
INSERT INTO conversations (id, workspace_id, kind, parent_id, name, is_private, announcement_only, archived_at,
  active_members, created_at, floor_id)
SELECT i, company(i), CASE WHEN i % 10 = 5 AND i > 10 THEN 1 ELSE 0 END,
  CASE WHEN i % 10 = 5 AND i > 10 THEN i - 1 END, 'group ' || i, i % 2, 0, CASE WHEN i % 7 = 3 THEN 1 END, 3, i, 0
FROM generate_series(1, 52000) i;
INSERT INTO conversations (id, workspace_id, kind, is_private, announcement_only, active_members, created_at, floor_id)
SELECT 1000000 + i, 1, 2, 1, 0, 1, i, 0 FROM generate_series(1, 100000) i;
INSERT INTO conversations (id, workspace_id, kind, parent_id, name, is_private, announcement_only, active_members, created_at,
  floor_id)
SELECT 3000000 + i, company(4002), 1, 4002, 'channel ' || i, 0, 0, 3, i, 0 FROM generate_series(1, 20000) i;
INSERT INTO direct_pairs (workspace_id, low_user_id, high_user_id, conversation_id)
SELECT 1, i, 150001, 1000000 + i FROM generate_series(1, 100000) i;
INSERT INTO former_pairs (workspace_id, low_user_id, high_user_id, conversation_id)
SELECT 1, i, 150002, 2000000 + i FROM generate_series(1, 20000) i;

INSERT INTO members (workspace_id, conversation_id, user_id, joined_at, left_at, visible_from, is_direct)
SELECT company(m.id), m.* FROM (
SELECT 1 AS id, i, i, CASE WHEN i % 20 = 3 THEN i END, 0, 0 FROM generate_series(1, 100000) i
UNION ALL SELECT 1, 150000 + i, i, NULL, 0, 0 FROM generate_series(1, 20) i
UNION ALL SELECT 2, i, i, NULL, 0, 0 FROM generate_series(1, 1000) i
UNION ALL SELECT 3 + i % 51998, 200000 + 8 + i % 39992, i, NULL, 0, 0 FROM generate_series(0, 149999) i
UNION ALL SELECT i, 7, i, NULL, 0, 0 FROM generate_series(2, 302) i WHERE i > 2
UNION ALL SELECT i, 150001, i, NULL, 0, 0 FROM generate_series(3, 302) i
UNION ALL SELECT 1000000 + i, i, i, NULL, 0, 1 FROM generate_series(1, 100000) i
UNION ALL SELECT 1000000 + i, 150001, i, NULL, 0, 1 FROM generate_series(1, 100000) i) AS m;

-- The messages of group 1 are older than all other messages. Each group and channel from 3 to 52000 has two messages,
-- and each direct conversation has one.
INSERT INTO messages (workspace_id, conversation_id, id, sender_id, type, text, thread_id, file_count, created_at)
SELECT 1, 1, i, 1 + i % 100000, CASE WHEN i % 100 = 0 THEN 3 ELSE 0 END, 'old', CASE WHEN i % 50 = 1 AND i > 1000 THEN 1000
  END, CASE WHEN i % 50 = 2 THEN 1 ELSE 0 END, i FROM generate_series(1, 1000000) i;
INSERT INTO messages (workspace_id, conversation_id, id, sender_id, type, text, file_count, created_at)
SELECT company(3 + i % 51998), 3 + i % 51998, 2000000 + i, 200008 + i % 39992, 0, 'other', 0, 2000000 + i FROM generate_series(0, 103995) i;
INSERT INTO messages (workspace_id, conversation_id, id, sender_id, type, text, file_count, created_at)
SELECT 1, 1000000 + i, 3000000 + i, 150001, 0, 'direct', 0, 3000000 + i FROM generate_series(1, 100000) i;
INSERT INTO deleted_messages (workspace_id, conversation_id, id, sender_id, type, created_at, deleted_at, in_events)
SELECT company(CASE WHEN i % 2 = 0 THEN 1 ELSE 3 + i % 51998 END), CASE WHEN i % 2 = 0 THEN 1 ELSE 3 + i % 51998 END,
  3500000 + i, 1, 0, i, i, CASE WHEN i % 50 = 2 THEN 1 ELSE 0 END FROM generate_series(1, 50000) i;
INSERT INTO message_extras (message_id, workspace_id, blocks) SELECT i * 10, 1, '[]' FROM generate_series(1, 50000) i;
INSERT INTO message_edits (workspace_id, message_id, edited_at, number, text)
SELECT 1, 1 + i / 100, i, 1 + i % 100, 'before' FROM generate_series(0, 29999) i;

INSERT INTO message_changes (workspace_id, conversation_id, number, message_id, is_deleted)
SELECT 1, CASE WHEN i % 4 = 0 THEN 1000000 + i % 50000 ELSE 1 END, i, i, i % 2 FROM generate_series(1, 400000) i;
INSERT INTO button_presses (workspace_id, user_id, nonce_hash, fingerprint, created_at)
SELECT 1, 1 + i % 100000, int8send(i), int8send(1), i FROM generate_series(1, 200000) i;
INSERT INTO files (id, workspace_id, owner_id, name, mimetype, size, created_at, deleted_at, purge_after, counted,
  unattached_until)
SELECT i, 1, i, 'file', 'text/plain', 1, i, CASE WHEN i % 10 = 0 THEN i END, CASE WHEN i % 20 = 10 THEN i END,
  1 - i % 2, CASE WHEN i % 5 = 1 THEN i END
FROM generate_series(1, 50000) i;
-- file 1 is attached to every second message that has a file
INSERT INTO message_files (workspace_id, conversation_id, message_id, position, file_id)
SELECT 1, 1, i, 0, CASE WHEN i % 100 = 2 THEN 1 ELSE i / 20 END FROM generate_series(2, 1000000, 50) i;
-- file 60000 is attached to 10,000 messages of conversation 3,020,000; no other conversation has a higher id
INSERT INTO message_files (workspace_id, conversation_id, message_id, position, file_id)
SELECT company(4002), 3020000, 9000000 + i, 0, 60000 FROM generate_series(1, 10000) i;
INSERT INTO uploads (file_id, workspace_id, begun_at, swept)
SELECT 900000 + i, 1, i, 0 FROM generate_series(1, 10000) i;

INSERT INTO send_keys (workspace_id, bot_id, key_hash, fingerprint, conversation_id, message_id, created_at)
SELECT 1, 150001, int8send(i), '\x00', 1000000 + i, 3000000 + i, i FROM generate_series(1, 100000) i;
INSERT INTO message_keys (workspace_id, conversation_id, key_hash, message_id)
SELECT 1, 1, int8send(i), i FROM generate_series(1, 100000) i;

INSERT INTO drafts (id, workspace_id, owner_id, text, created_at, updated_at, sent_at)
SELECT i, 1, CASE WHEN i % 10 = 0 THEN 5 ELSE 1 + i % 100000 END, 'draft', i, i, CASE WHEN i % 3 > 0 THEN i END
FROM generate_series(1, 300000) i;
INSERT INTO draft_keys (workspace_id, owner_id, key_hash, fingerprint, draft_id, created_at)
SELECT 1, 1 + i % 100000, int8send(i), '\x00', i, i FROM generate_series(1, 50000) i;

-- nine of ten connections are revoked; person 9 has 1,001 connections, all of them revoked
INSERT INTO connections (id, workspace_id, user_id, client_id, client_kind, display_name, block_key, redirect_uri, slot,
  code_hash, resource, scopes, generation, refresh_until, created_at, revoked_at, has_tokens)
SELECT i, CASE WHEN i % 2 = 0 THEN 1 ELSE 3 + i % 9998 END, CASE WHEN i % 100 = 2 THEN 9 ELSE 1 + i % 100000 END,
  'client' || i % 100, 0, 'Client', 'key' || i % 100, 'https://client.example/', int8send(i), int8send(i), 0, 1, 1,
  i + 100000, i, CASE WHEN i % 10 > 0 THEN i END, CASE WHEN i % 100 = 1 THEN 1 WHEN i % 10 > 0 THEN 0 ELSE 1 END
FROM generate_series(1, 100000) i;
INSERT INTO connection_tokens (token_hash, workspace_id, connection_id, is_refresh, generation, scopes, expires_at)
SELECT int8send(i), c.workspace_id, c.id, i % 2, 1, 1, i
FROM generate_series(1, 150000) i JOIN connections c ON c.id = CASE WHEN i % 10 = 0 THEN 10 ELSE 1 + i / 2 END;
INSERT INTO refresh_overlaps (token_hash, workspace_id, salt, expires_at)
SELECT int8send(i), 1 + i % 10000, int8send(i), i FROM generate_series(1, 100000) i;
INSERT INTO mcp_sessions (session_hash, workspace_id, connection_id, protocol_version, client_name, client_version,
  created_at, last_used_at)
SELECT int8send(i), c.workspace_id, c.id, '2025-06-18', 'client', '1', i, i
FROM generate_series(1, 150000) i JOIN connections c ON c.id = CASE WHEN i % 10 = 0 THEN 10 ELSE 1 + i / 2 END;
INSERT INTO client_blocks (workspace_id, key, id, created_at)
SELECT CASE WHEN i % 2 = 0 THEN 1 ELSE 1 + i % 10000 END, 'key' || i, i, i FROM generate_series(1, 20000) i;
INSERT INTO assistant_clients (id, client_id, is_registered, redirect_uris, is_public, created_at, expires_at,
  connected_at)
SELECT i, 'client' || i, 1, '[]', 1, i, i, CASE WHEN i % 2 = 0 THEN i END FROM generate_series(1, 20000) i;
INSERT INTO authorization_codes (code_hash, client_id, client_kind, display_name, redirect_uri, redirect_key, block_key,
  workspace_id, user_id, resource, scopes, challenge, expires_at)
SELECT int8send(i), 'client', 0, 'Client', 'https://client.example/', 'key', 'key' || i % 100, 1 + i % 10000, i, 0, 1, '',
  i FROM generate_series(1, 10000) i;
INSERT INTO authorization_requests (request_hash, browser, client_id, client_kind, display_name, unverified,
  redirect_uri, redirect_kind, redirect_host, redirect_key, block_key, resource, scopes, challenge, expires_at)
SELECT int8send(i), '\x00', 'client', 0, 'Client', 0, 'https://client.example/', 0, 'client.example', 'key', 'key', 0, 1,
  '', i FROM generate_series(1, 10000) i;

INSERT INTO tool_calls (workspace_id, at, id, user_id, connection_id, client_hash, client_id, display_name, tool, outcome,
  targets, more_targets, took)
SELECT CASE WHEN i % 10 = 0 THEN 3 + i % 9998 ELSE 1 END, i, i, 1 + i % 1000, 1 + i % 1000, i % 20, 'client' || i % 20,
  'Client', 'tool' || i % 15, CASE WHEN i % 1000 = 1 THEN 1 ELSE 0 END, '', 0, 1 FROM generate_series(1, 100000) i;

-- every eighth event and event 4 are about the deleted message 3,500,002
INSERT INTO events (id, app_id, installation_id, workspace_id, type, body, created_at, state, attempts, next_at, message_id)
SELECT i, 1 + i % 20, 1 + i % 20, 1, 'directory.changed', 'body', i,
  CASE WHEN i > 90000 THEN 0 WHEN i % 83 = 0 THEN 2 WHEN i % 13 = 0 THEN 3 ELSE 1 END,
  CASE WHEN i > 90000 THEN i % 2 ELSE 1 END, i,
  CASE WHEN i % 8 = 0 THEN 3500002 WHEN i % 8 = 4 THEN 3500000 + i / 2 END FROM generate_series(1, 100000) i;
INSERT INTO delivery_attempts (event_id, attempt, id, app_id, workspace_id, at, delivered, latency_ms)
SELECT i, 1, i, 1 + i % 20, 1, i, 1, 1 FROM generate_series(1, 90000) i;

INSERT INTO rate_windows (key, passed, idle_at)
SELECT int8send(i), ARRAY[i], i FROM generate_series(1, 200000) i;
INSERT INTO rate_records (key, node, epoch, record, published_at)
SELECT int8send(i), 1 + i / 2 % 4, 1, int8send(i), CAST(EXTRACT(EPOCH FROM now()) * 1000000 AS BIGINT)
  + CASE WHEN i % 2 = 0 THEN 1 ELSE -1 END * (3600000000 + 1000 * i / 4) FROM generate_series(1, 200000) i;

INSERT INTO search_queue (message_id, workspace_id) SELECT id, workspace_id FROM messages WHERE id > 3000000;
INSERT INTO message_index (message_id, words)
SELECT i, CAST('''common'':1 ''word' || i % 1000 || ''':2 ''@c' || to_hex(1) || '''' AS TSVECTOR)
FROM generate_series(900001, 1000000) i;
INSERT INTO search_purges (conversation_id, workspace_id, after_id)
SELECT 3 + i, company(3 + i), 0 FROM generate_series(1, 1000) i;

ANALYZE;
