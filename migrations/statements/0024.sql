-- The statements of the last version whose newest migration is 0024. A test checks that they still work after later
-- migrations. Written by `just bless`.

-- accounts::INSERT
INSERT INTO accounts (id, password_hash, password_workspace_id, email_key, created_at) VALUES ($1, NULL, NULL, $2, $3) ON CONFLICT (email_key) DO NOTHING;

-- accounts::BY_EMAIL
SELECT id, password_hash, password_workspace_id FROM accounts WHERE email_key = $1;

-- accounts::BY_EMAIL_FOR_UPDATE on SQLite
SELECT id, password_hash, password_workspace_id FROM accounts WHERE email_key = $1;

-- accounts::BY_EMAIL_FOR_UPDATE on PostgreSQL
SELECT id, password_hash, password_workspace_id FROM accounts WHERE email_key = $1 FOR UPDATE;

-- accounts::BY_ID_FOR_UPDATE on SQLite
SELECT id, password_hash, password_workspace_id FROM accounts WHERE id = $1;

-- accounts::BY_ID_FOR_UPDATE on PostgreSQL
SELECT id, password_hash, password_workspace_id FROM accounts WHERE id = $1 FOR UPDATE;

-- accounts::SET_PASSWORD
UPDATE accounts SET password_hash = $2, password_workspace_id = $3 WHERE id = $1;

-- accounts::RESTRICT_PASSWORD
UPDATE accounts SET password_workspace_id = $2 WHERE id = $1;

-- accounts::SET_EMAIL
UPDATE accounts SET email_key = $2 WHERE id = $1;

-- accounts::DELETE
DELETE FROM accounts WHERE id = $1;

-- accounts::DELETE_PLACES
DELETE FROM sign_in_places WHERE account_id = $1;

-- accounts::MEMBERSHIPS
SELECT id AS user_id, workspace_id, state, is_admin, is_external, sessions_valid_after
        FROM users WHERE account_id = $1 ORDER BY id;

-- accounts::PEOPLE
SELECT u.id AS user_id, u.workspace_id, w.name AS company, u.name, u.email, u.timezone, u.state, u.is_admin,
            u.is_external, u.email_visible
        FROM users u JOIN workspaces w ON w.id = u.workspace_id WHERE u.account_id = $1 ORDER BY u.id;

-- accounts::OPENED
SELECT u.id AS user_id, u.workspace_id, u.state, u.is_admin, u.is_external, u.sessions_valid_after
        FROM users u JOIN accounts a ON a.id = u.account_id
        WHERE u.account_id = $1
            AND (a.password_workspace_id IS NULL OR a.password_workspace_id = u.workspace_id)
        ORDER BY u.id;

-- accounts::INSERT_SESSION
INSERT INTO sessions (account_id, created_at, expires_at, workspace_id, token_hash) VALUES ($1, $2, $3, NULL, $4);

-- accounts::SESSION
SELECT account_id, created_at, expires_at, workspace_id FROM sessions WHERE token_hash = $1;

-- accounts::CHOOSE_COMPANY
UPDATE sessions SET workspace_id = $2 WHERE token_hash = $1;

-- accounts::DELETE_SESSION
DELETE FROM sessions WHERE token_hash = $1;

-- accounts::DELETE_SESSIONS_OF
DELETE FROM sessions WHERE account_id = $1;

-- accounts::DELETE_OTHER_SESSIONS
DELETE FROM sessions WHERE account_id = $1 AND token_hash <> $2;

-- accounts::NEWEST_SESSION
SELECT MAX(created_at) FROM sessions WHERE account_id = $1;

-- accounts::DELETE_EXPIRED on SQLite
DELETE FROM sessions WHERE token_hash IN
            (SELECT token_hash FROM sessions WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2);

-- accounts::DELETE_EXPIRED on PostgreSQL
DELETE FROM sessions WHERE token_hash = ANY(ARRAY(
            SELECT token_hash FROM sessions WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED));

-- apps::INSERT
INSERT INTO apps (id, name, client_id, client_secret_hash, signing_secret, previous_signing_secret, signing_rotated_at, callback_url, redirect_uris, scopes, disabled_at, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

-- apps::UPDATE
UPDATE apps SET name = $2, client_secret_hash = $3, signing_secret = $4, previous_signing_secret = $5, signing_rotated_at = $6, callback_url = $7, redirect_uris = $8, scopes = $9, disabled_at = $10 WHERE id = $1;

-- apps::BY_ID
SELECT id, name, client_id, client_secret_hash, signing_secret, previous_signing_secret, signing_rotated_at, callback_url, redirect_uris, scopes, disabled_at, created_at FROM apps WHERE id = $1;

-- apps::BY_ID_FOR_UPDATE on SQLite
SELECT id, name, client_id, client_secret_hash, signing_secret, previous_signing_secret, signing_rotated_at, callback_url, redirect_uris, scopes, disabled_at, created_at FROM apps WHERE id = $1;

-- apps::BY_ID_FOR_UPDATE on PostgreSQL
SELECT id, name, client_id, client_secret_hash, signing_secret, previous_signing_secret, signing_rotated_at, callback_url, redirect_uris, scopes, disabled_at, created_at FROM apps WHERE id = $1 FOR UPDATE;

-- apps::BY_CLIENT_ID
SELECT id, name, client_id, client_secret_hash, signing_secret, previous_signing_secret, signing_rotated_at, callback_url, redirect_uris, scopes, disabled_at, created_at FROM apps WHERE client_id = $1;

-- apps::PAGE
SELECT id, name, client_id, client_secret_hash, signing_secret, previous_signing_secret, signing_rotated_at, callback_url, redirect_uris, scopes, disabled_at, created_at FROM apps WHERE id > $1 ORDER BY id LIMIT $2;

-- apps::INSERT_INSTALLATION
INSERT INTO installations (id, app_id, workspace_id, bot_user_id, scopes, connected, reason, installed_by, created_at, disconnected_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10);

-- apps::INSTALLATION
SELECT id, app_id, workspace_id, bot_user_id, scopes, connected, reason, installed_by, created_at, disconnected_at FROM installations WHERE id = $1;

-- apps::CONNECTED
SELECT id, app_id, workspace_id, bot_user_id, scopes, connected, reason, installed_by, created_at, disconnected_at FROM installations WHERE app_id = $1 AND workspace_id = $2 AND connected = 1;

-- apps::CONNECTED_OF_APP
SELECT id, app_id, workspace_id, bot_user_id, scopes, connected, reason, installed_by, created_at, disconnected_at FROM installations WHERE app_id = $1 AND connected = 1 ORDER BY id;

-- apps::CONNECTED_BOTS on SQLite
SELECT i.bot_user_id FROM json_each($1) j
            CROSS JOIN installations i ON i.bot_user_id = j.value AND i.connected = 1;

-- apps::CONNECTED_BOTS on PostgreSQL
SELECT j.id FROM unnest(CAST($1 AS BIGINT[])) AS j (id)
            CROSS JOIN LATERAL (SELECT id FROM installations
                WHERE bot_user_id = j.id AND connected = 1 LIMIT 1) AS i;

-- apps::INSTALLATIONS on SQLite
SELECT * FROM (SELECT * FROM (SELECT id, app_id, workspace_id, bot_user_id, scopes, connected, reason, installed_by, created_at, disconnected_at FROM installations WHERE workspace_id = $1 AND connected = 0 AND id > $2 ORDER BY id LIMIT $3) UNION ALL SELECT * FROM (SELECT id, app_id, workspace_id, bot_user_id, scopes, connected, reason, installed_by, created_at, disconnected_at FROM installations WHERE workspace_id = $1 AND connected = 1 AND id > $2 ORDER BY id LIMIT $3)) ORDER BY id LIMIT $3;

-- apps::INSTALLATIONS on PostgreSQL
SELECT * FROM (SELECT * FROM (SELECT id, app_id, workspace_id, bot_user_id, scopes, connected, reason, installed_by, created_at, disconnected_at FROM installations WHERE (workspace_id, connected, id) >= ($1, 0, $2)
                AND (workspace_id, connected, id) <= ($1, 0, 9223372036854775807) AND id <> $2
                ORDER BY workspace_id, connected, id LIMIT $3) AS disconnected UNION ALL SELECT * FROM (SELECT id, app_id, workspace_id, bot_user_id, scopes, connected, reason, installed_by, created_at, disconnected_at FROM installations WHERE (workspace_id, connected, id) >= ($1, 1, $2)
                AND (workspace_id, connected, id) <= ($1, 1, 9223372036854775807) AND id <> $2
                ORDER BY workspace_id, connected, id LIMIT $3) AS connected) AS found ORDER BY id LIMIT $3;

-- apps::INSTALLED on SQLite
SELECT i.id, i.app_id, i.bot_user_id, a.name, i.scopes, i.reason, u.name AS installed_by, i.created_at,
            i.disconnected_at FROM installations i CROSS JOIN apps a ON a.id = i.app_id LEFT JOIN users u ON u.id = i.installed_by WHERE i.workspace_id = $1 AND i.connected = 1 ORDER BY i.id DESC LIMIT $2;

-- apps::INSTALLED on PostgreSQL
SELECT i.id, i.app_id, i.bot_user_id, a.name, i.scopes, i.reason, u.name AS installed_by, i.created_at,
            i.disconnected_at FROM (SELECT * FROM installations WHERE (workspace_id, connected, id) >= ($1, 1, 0)
                AND (workspace_id, connected, id) <= ($1, 1, 9223372036854775807)
                ORDER BY workspace_id DESC, connected DESC, id DESC LIMIT $2) AS i
            CROSS JOIN LATERAL (SELECT name FROM apps WHERE id = i.app_id LIMIT 1) AS a
            LEFT JOIN LATERAL (SELECT name FROM users WHERE id = i.installed_by LIMIT 1) AS u ON TRUE ORDER BY i.id DESC;

-- apps::LATEST_UNINSTALLED on SQLite
SELECT i.id, i.app_id, i.bot_user_id, a.name, i.scopes, i.reason, u.name AS installed_by, i.created_at,
            i.disconnected_at FROM installations i CROSS JOIN apps a ON a.id = i.app_id LEFT JOIN users u ON u.id = i.installed_by WHERE i.workspace_id = $1 AND i.connected = 0
            ORDER BY i.disconnected_at DESC, i.id DESC LIMIT $2;

-- apps::LATEST_UNINSTALLED on PostgreSQL
SELECT i.id, i.app_id, i.bot_user_id, a.name, i.scopes, i.reason, u.name AS installed_by, i.created_at,
            i.disconnected_at FROM (SELECT * FROM installations WHERE (workspace_id, disconnected_at) <= ($1, 9223372036854775807) AND connected = 0
                ORDER BY workspace_id DESC, disconnected_at DESC, id DESC LIMIT $2) AS i
            CROSS JOIN LATERAL (SELECT name FROM apps WHERE id = i.app_id LIMIT 1) AS a
            LEFT JOIN LATERAL (SELECT name FROM users WHERE id = i.installed_by LIMIT 1) AS u ON TRUE WHERE i.workspace_id = $1 ORDER BY i.disconnected_at DESC, i.id DESC;

-- apps::SET_SCOPES
UPDATE installations SET scopes = $2 WHERE id = $1;

-- apps::DISCONNECT
UPDATE installations SET connected = 0, reason = $2, disconnected_at = $3
        WHERE id = $1 AND connected = 1;

-- apps::DISCONNECT_ALL
UPDATE installations SET connected = 0, reason = $2, disconnected_at = $3
        WHERE app_id = $1 AND connected = 1 RETURNING id;

-- apps::INSERT_CODE
INSERT INTO install_codes (app_id, workspace_id, approved_by, scopes, redirect_uri, challenge, expires_at, used_at, code_hash) VALUES ($1, $2, $3, $4, $5, $6, $7, NULL, $8);

-- apps::CODE
SELECT app_id, workspace_id, approved_by, scopes, redirect_uri, challenge, expires_at, used_at FROM install_codes WHERE code_hash = $1;

-- apps::USE_CODE
UPDATE install_codes SET used_at = $2 WHERE code_hash = $1 AND used_at IS NULL;

-- apps::DELETE_CODES on SQLite
DELETE FROM install_codes WHERE code_hash IN
            (SELECT code_hash FROM install_codes WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2);

-- apps::DELETE_CODES on PostgreSQL
DELETE FROM install_codes WHERE code_hash = ANY(ARRAY(
            SELECT code_hash FROM install_codes WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED));

-- apps::VOID_CODES
DELETE FROM install_codes WHERE app_id = $1 AND workspace_id = $2 AND used_at IS NULL;

-- apps::VOID_CODES_OF_APP
DELETE FROM install_codes WHERE app_id = $1 AND used_at IS NULL;

-- assistant_clients::INSERT
INSERT INTO assistant_clients (id, client_id, is_registered, client_name, redirect_uris, is_public, secret_hash, metadata, created_at, expires_at, connected_at, last_used_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, NULL, NULL);

-- assistant_clients::KEEP
INSERT INTO assistant_clients (id, client_id, is_registered, client_name, redirect_uris, is_public, secret_hash, metadata, created_at, expires_at, connected_at, last_used_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, NULL, NULL) ON CONFLICT (client_id) DO UPDATE SET client_name = excluded.client_name,
            redirect_uris = excluded.redirect_uris, is_public = excluded.is_public, expires_at = excluded.expires_at;

-- assistant_clients::BY_CLIENT_ID
SELECT id, client_id, is_registered, client_name, redirect_uris, is_public, secret_hash, metadata, created_at, expires_at, connected_at, last_used_at FROM assistant_clients WHERE client_id = $1;

-- assistant_clients::PAGE
SELECT id, client_id, is_registered, client_name, redirect_uris, is_public, secret_hash, metadata, created_at, expires_at, connected_at, last_used_at FROM assistant_clients WHERE id > $1 AND (connected_at IS NOT NULL OR expires_at > $2)
        ORDER BY id LIMIT $3;

-- assistant_clients::USED
UPDATE assistant_clients SET connected_at = COALESCE(connected_at, $2), last_used_at = $2
        WHERE client_id = $1 AND (connected_at IS NULL OR last_used_at <= $3);

-- assistant_clients::MOVE_BACK
UPDATE assistant_clients SET expires_at = expires_at - $2
        WHERE is_registered = 0 AND expires_at > $1;

-- assistant_clients::DELETE_UNUSED on SQLite
DELETE FROM assistant_clients WHERE id IN (SELECT id FROM assistant_clients
            WHERE connected_at IS NULL AND expires_at <= $1 AND (is_registered = 1 OR expires_at <= $2)
            ORDER BY expires_at LIMIT $3);

-- assistant_clients::DELETE_UNUSED on PostgreSQL
DELETE FROM assistant_clients WHERE id = ANY(ARRAY(SELECT id FROM assistant_clients
            WHERE connected_at IS NULL AND expires_at <= $1 AND (is_registered = 1 OR expires_at <= $2)
            ORDER BY expires_at LIMIT $3 FOR UPDATE));

-- authorizations::INSERT_REQUEST
INSERT INTO authorization_requests (browser, client_id, client_kind, display_name, unverified, client_host, redirect_uri, redirect_kind, redirect_host, redirect_key, block_key, resource, scopes, challenge, state, expires_at, request_hash) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17);

-- authorizations::REQUEST
SELECT browser, client_id, client_kind, display_name, unverified, client_host, redirect_uri, redirect_kind, redirect_host, redirect_key, block_key, resource, scopes, challenge, state, expires_at FROM authorization_requests WHERE request_hash = $1;

-- authorizations::DELETE_REQUEST
DELETE FROM authorization_requests WHERE request_hash = $1;

-- authorizations::DELETE_EXPIRED_REQUESTS on SQLite
DELETE FROM authorization_requests WHERE request_hash IN
            (SELECT request_hash FROM authorization_requests WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2);

-- authorizations::DELETE_EXPIRED_REQUESTS on PostgreSQL
DELETE FROM authorization_requests WHERE request_hash = ANY(ARRAY(
            SELECT request_hash FROM authorization_requests WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2
            FOR UPDATE SKIP LOCKED));

-- authorizations::INSERT_CODE
INSERT INTO authorization_codes (client_id, client_kind, display_name, redirect_uri, redirect_key, block_key, workspace_id, user_id, resource, scopes, challenge, expires_at, code_hash) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13);

-- authorizations::CODE
SELECT client_id, client_kind, display_name, redirect_uri, redirect_key, block_key, workspace_id, user_id, resource, scopes, challenge, expires_at FROM authorization_codes WHERE code_hash = $1;

-- authorizations::DELETE_CODE
DELETE FROM authorization_codes WHERE code_hash = $1;

-- authorizations::DELETE_CODES_OF_USER
DELETE FROM authorization_codes WHERE user_id = $1;

-- authorizations::DELETE_CODES_OF_COMPANY
DELETE FROM authorization_codes WHERE workspace_id = $1;

-- authorizations::DELETE_CODES_OF_KEY
DELETE FROM authorization_codes WHERE workspace_id = $1 AND block_key = $2;

-- authorizations::DELETE_EXPIRED_CODES on SQLite
DELETE FROM authorization_codes WHERE code_hash IN
            (SELECT code_hash FROM authorization_codes WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2);

-- authorizations::DELETE_EXPIRED_CODES on PostgreSQL
DELETE FROM authorization_codes WHERE code_hash = ANY(ARRAY(
            SELECT code_hash FROM authorization_codes WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2
            FOR UPDATE SKIP LOCKED));

-- bot_tokens::INSERT
INSERT INTO bot_tokens (token_hash, installation_id, scopes, created_at, workspace_id)
        VALUES ($1, $2, $3, $4, $5);

-- bot_tokens::OWNER
SELECT i.id AS installation_id, i.workspace_id, i.app_id, i.bot_user_id, t.scopes, i.connected
        FROM bot_tokens t JOIN installations i ON i.id = t.installation_id WHERE t.token_hash = $1;

-- bot_tokens::OWNERS on SQLite
SELECT i.id AS installation_id, i.workspace_id, i.app_id, i.bot_user_id, t.scopes, i.connected,
            t.token_hash, CASE $2 WHEN 1 THEN NULL END AS position
            FROM bot_tokens t JOIN installations i ON i.id = t.installation_id WHERE t.token_hash IN ($1);

-- bot_tokens::OWNERS on PostgreSQL
SELECT i.id AS installation_id, i.workspace_id, i.app_id, i.bot_user_id, t.scopes, i.connected,
            t.token_hash, (SELECT CASE CAST($2 AS BIGINT) WHEN 1 THEN (SELECT left(pg_walfile_name(l), 8) || ' ' || CAST(l AS TEXT) FROM (SELECT CASE
            WHEN pg_is_in_recovery() THEN NULL
            WHEN current_setting('synchronous_commit') = 'off' THEN pg_current_wal_insert_lsn()
            ELSE pg_current_wal_flush_lsn() END) AS p (l) WHERE l IS NOT NULL) END) AS position
            FROM unnest(CAST($1 AS BYTEA[])) AS j (hash)
            CROSS JOIN LATERAL (SELECT token_hash, installation_id, scopes FROM bot_tokens
                WHERE token_hash = j.hash LIMIT 1) AS t
            CROSS JOIN LATERAL (SELECT id, workspace_id, app_id, bot_user_id, connected FROM installations
                WHERE id = t.installation_id LIMIT 1) AS i;

-- bot_tokens::IS_CONNECTED
SELECT connected FROM installations WHERE id = $1;

-- button_presses::CLAIM
INSERT INTO button_presses (workspace_id, user_id, nonce_hash, fingerprint, created_at) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (user_id, nonce_hash) DO NOTHING;

-- button_presses::FINGERPRINT
SELECT fingerprint FROM button_presses WHERE user_id = $1 AND nonce_hash = $2;

-- button_presses::DELETE_OLD on SQLite
DELETE FROM button_presses WHERE (user_id, nonce_hash) IN
            (SELECT user_id, nonce_hash FROM button_presses WHERE created_at <= $1 ORDER BY created_at LIMIT $2);

-- button_presses::DELETE_OLD on PostgreSQL
DELETE FROM button_presses t USING (
                SELECT array_agg(user_id) AS users, array_agg(nonce_hash) AS hashes FROM (
                    SELECT user_id, nonce_hash FROM button_presses WHERE created_at <= $1 ORDER BY created_at LIMIT $2
                    FOR UPDATE) AS found) AS old
            CROSS JOIN LATERAL unnest(old.users, old.hashes) AS o(user_id, nonce_hash)
            WHERE t.user_id = o.user_id AND t.nonce_hash = o.nonce_hash;

-- client_blocks::INSERT
INSERT INTO client_blocks (id, key, display_name, created_at, workspace_id) VALUES ($1, $2, (SELECT c.display_name FROM connections c WHERE c.workspace_id = $4 AND c.block_key = $2
                ORDER BY c.id DESC LIMIT 1), $3, $4) ON CONFLICT (workspace_id, key) DO NOTHING;

-- client_blocks::DELETE
DELETE FROM client_blocks WHERE workspace_id = $1 AND key = $2;

-- client_blocks::PAGE on SQLite
SELECT id, key, display_name, created_at FROM client_blocks WHERE workspace_id = $1 AND id > $2 ORDER BY id LIMIT $3;

-- client_blocks::PAGE on PostgreSQL
SELECT id, key, display_name, created_at FROM (SELECT * FROM client_blocks
                WHERE (workspace_id, id) >= ($1, $2) AND id <> $2 ORDER BY workspace_id, id LIMIT $3) AS blocks
            WHERE workspace_id = $1 ORDER BY id;

-- connections::INSERT
INSERT INTO connections (id, workspace_id, user_id, client_id, client_kind, display_name, block_key, redirect_uri, resource, scopes, generation, refresh_until, created_at, refreshed_at, last_used_at, revoked_at, reason, slot, code_hash, has_tokens) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, NULL, NULL, NULL, NULL, $14, $15, 1);

-- connections::BY_ID
SELECT id, workspace_id, user_id, client_id, client_kind, display_name, block_key, redirect_uri, resource, scopes, generation, refresh_until, created_at, refreshed_at, last_used_at, revoked_at, reason FROM connections WHERE id = $1;

-- connections::BY_ID_FOR_UPDATE on SQLite
SELECT id, workspace_id, user_id, client_id, client_kind, display_name, block_key, redirect_uri, resource, scopes, generation, refresh_until, created_at, refreshed_at, last_used_at, revoked_at, reason FROM connections WHERE id = $1;

-- connections::BY_ID_FOR_UPDATE on PostgreSQL
SELECT id, workspace_id, user_id, client_id, client_kind, display_name, block_key, redirect_uri, resource, scopes, generation, refresh_until, created_at, refreshed_at, last_used_at, revoked_at, reason FROM connections WHERE id = $1 FOR UPDATE;

-- connections::BY_CODE
SELECT id, workspace_id, user_id, client_id, client_kind, display_name, block_key, redirect_uri, resource, scopes, generation, refresh_until, created_at, refreshed_at, last_used_at, revoked_at, reason FROM connections WHERE code_hash = $1;

-- connections::ROTATE
UPDATE connections SET generation = $2, refresh_until = $3, refreshed_at = $4
        WHERE id = $1 AND generation = $2 - 1 AND revoked_at IS NULL;

-- connections::REVOKE
UPDATE connections SET revoked_at = $1, reason = $2 WHERE id = $3 AND revoked_at IS NULL;

-- connections::REVOKE_COMPANY on SQLite
UPDATE connections SET revoked_at = $1, reason = $2 WHERE revoked_at IS NULL AND workspace_id = $3 RETURNING id;

-- connections::REVOKE_COMPANY on PostgreSQL
UPDATE connections SET revoked_at = $1, reason = $2 WHERE revoked_at IS NULL AND id = ANY(ARRAY(
                SELECT id FROM connections WHERE revoked_at IS NULL AND workspace_id = $3 ORDER BY id FOR UPDATE)) RETURNING id;

-- connections::REVOKE_KEY on SQLite
UPDATE connections SET revoked_at = $1, reason = $2 WHERE revoked_at IS NULL AND workspace_id = $3 AND block_key = $4 RETURNING id;

-- connections::REVOKE_KEY on PostgreSQL
UPDATE connections SET revoked_at = $1, reason = $2 WHERE revoked_at IS NULL AND id = ANY(ARRAY(
                SELECT id FROM connections WHERE revoked_at IS NULL AND workspace_id = $3 AND block_key = $4 ORDER BY id FOR UPDATE)) RETURNING id;

-- connections::REVOKE_OLDER on SQLite
UPDATE connections SET revoked_at = $1, reason = $2 WHERE revoked_at IS NULL AND workspace_id = $3 AND created_at <= $4 RETURNING id;

-- connections::REVOKE_OLDER on PostgreSQL
UPDATE connections SET revoked_at = $1, reason = $2 WHERE revoked_at IS NULL AND id = ANY(ARRAY(
                SELECT id FROM connections WHERE revoked_at IS NULL AND workspace_id = $3 AND created_at <= $4 ORDER BY id FOR UPDATE)) RETURNING id;

-- connections::REVOKE_USER on SQLite
UPDATE connections SET revoked_at = $1, reason = $2 WHERE revoked_at IS NULL AND user_id = $3 RETURNING id;

-- connections::REVOKE_USER on PostgreSQL
UPDATE connections SET revoked_at = $1, reason = $2 WHERE revoked_at IS NULL AND id = ANY(ARRAY(
                SELECT id FROM connections WHERE revoked_at IS NULL AND user_id = $3 ORDER BY id FOR UPDATE)) RETURNING id;

-- connections::REVOKE_SLOT on SQLite
UPDATE connections SET revoked_at = $1, reason = $2 WHERE revoked_at IS NULL AND user_id = $3 AND slot = $4 RETURNING id;

-- connections::REVOKE_SLOT on PostgreSQL
UPDATE connections SET revoked_at = $1, reason = $2 WHERE revoked_at IS NULL AND id = ANY(ARRAY(
                SELECT id FROM connections WHERE revoked_at IS NULL AND user_id = $3 AND slot = $4 ORDER BY id FOR UPDATE)) RETURNING id;

-- connections::REVOKE_EXPIRED on SQLite
UPDATE connections SET revoked_at = $1, reason = $2 WHERE revoked_at IS NULL AND id IN (SELECT id FROM connections
            WHERE revoked_at IS NULL AND refresh_until <= $1 ORDER BY refresh_until LIMIT $3) RETURNING id;

-- connections::REVOKE_EXPIRED on PostgreSQL
UPDATE connections SET revoked_at = $1, reason = $2 WHERE revoked_at IS NULL AND id = ANY(ARRAY(
                SELECT id FROM connections WHERE revoked_at IS NULL AND refresh_until <= $1 AND id = ANY(ARRAY(SELECT id FROM connections
            WHERE revoked_at IS NULL AND refresh_until <= $1 ORDER BY refresh_until LIMIT $3)) ORDER BY id FOR UPDATE)) RETURNING id;

-- connections::USED
UPDATE connections SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $2);

-- connections::INSERT_TOKENS
INSERT INTO connection_tokens (token_hash, connection_id, is_refresh, generation, scopes,
            expires_at, workspace_id)
        VALUES ($1, $2, 0, $3, $4, $5, $9), ($6, $2, 1, $3, $7, $8, $9);

-- connections::TOKEN
SELECT connection_id, is_refresh, generation, scopes, expires_at
        FROM connection_tokens WHERE token_hash = $1;

-- connections::STATUS
SELECT c.generation, c.refresh_until, c.created_at, c.revoked_at, u.state, u.is_external,
            w.ai_assistants,
            EXISTS (SELECT 1 FROM client_blocks b WHERE b.workspace_id = c.workspace_id AND b.key = c.block_key)
                AS is_blocked,
            w.max_session_hours
        FROM connections c
        JOIN users u ON u.id = c.user_id
        JOIN workspaces w ON w.id = c.workspace_id
        WHERE c.id = $1;

-- connections::FACTS
SELECT u.state, u.is_external, w.ai_assistants,
            EXISTS (SELECT 1 FROM client_blocks b WHERE b.workspace_id = w.id AND b.key = $2) AS is_blocked,
            w.max_session_hours
        FROM users u JOIN workspaces w ON w.id = u.workspace_id
        WHERE u.id = $1 AND u.is_bot = 0;

-- connections::ended::PURGE on SQLite
DELETE FROM connections WHERE id IN (
            SELECT id FROM connections WHERE revoked_at IS NOT NULL AND has_tokens = 0 AND revoked_at < $1
            ORDER BY revoked_at LIMIT $2);

-- connections::ended::PURGE on PostgreSQL
DELETE FROM connections WHERE id = ANY(ARRAY(
            SELECT id FROM connections WHERE revoked_at IS NOT NULL AND has_tokens = 0 AND revoked_at < $1
            ORDER BY revoked_at LIMIT $2 FOR UPDATE));

-- connections::lists::PAGE on SQLite
SELECT id, workspace_id, user_id, client_id, client_kind, display_name, block_key, redirect_uri, resource, scopes, generation, refresh_until, created_at, refreshed_at, last_used_at, revoked_at, reason FROM connections WHERE workspace_id = $1 AND id > $2 ORDER BY id LIMIT $3;

-- connections::lists::PAGE on PostgreSQL
SELECT id, workspace_id, user_id, client_id, client_kind, display_name, block_key, redirect_uri, resource, scopes, generation, refresh_until, created_at, refreshed_at, last_used_at, revoked_at, reason FROM connections WHERE (workspace_id, id) >= ($1, $2)
            AND (workspace_id, id) <= ($1, 9223372036854775807) AND id <> $2 ORDER BY workspace_id, id LIMIT $3;

-- connections::lists::PAGE_OF_USER on SQLite
SELECT id, workspace_id, user_id, client_id, client_kind, display_name, block_key, redirect_uri, resource, scopes, generation, refresh_until, created_at, refreshed_at, last_used_at, revoked_at, reason FROM connections WHERE user_id = $4 AND workspace_id = $1 AND id > $2 ORDER BY id LIMIT $3;

-- connections::lists::PAGE_OF_USER on PostgreSQL
SELECT id, workspace_id, user_id, client_id, client_kind, display_name, block_key, redirect_uri, resource, scopes, generation, refresh_until, created_at, refreshed_at, last_used_at, revoked_at, reason FROM connections WHERE (user_id, id) >= ($4, $2) AND (user_id, id) <= ($4, 9223372036854775807)
            AND id <> $2 AND +workspace_id = $1 ORDER BY user_id, id LIMIT $3;

-- connections::lists::LIVING on SQLite
SELECT id, workspace_id, user_id, client_id, client_kind, display_name, block_key, redirect_uri, resource, scopes, generation, refresh_until, created_at, refreshed_at, last_used_at, revoked_at, reason FROM connections WHERE workspace_id + 0 = $1 AND id > $2 AND revoked_at IS NULL ORDER BY id LIMIT $3;

-- connections::lists::LIVING on PostgreSQL
SELECT id, workspace_id, user_id, client_id, client_kind, display_name, block_key, redirect_uri, resource, scopes, generation, refresh_until, created_at, refreshed_at, last_used_at, revoked_at, reason FROM connections WHERE (workspace_id + 0, id) >= ($1, $2)
            AND (workspace_id + 0, id) <= ($1, 9223372036854775807) AND id <> $2 AND revoked_at IS NULL
            ORDER BY workspace_id + 0, id LIMIT $3;

-- connections::lists::LIVING_OF_USER on SQLite
SELECT id, workspace_id, user_id, client_id, client_kind, display_name, block_key, redirect_uri, resource, scopes, generation, refresh_until, created_at, refreshed_at, last_used_at, revoked_at, reason FROM connections WHERE user_id = $4 AND workspace_id = $1 AND id > $2 AND revoked_at IS NULL
            ORDER BY id LIMIT $3;

-- connections::lists::LIVING_OF_USER on PostgreSQL
SELECT id, workspace_id, user_id, client_id, client_kind, display_name, block_key, redirect_uri, resource, scopes, generation, refresh_until, created_at, refreshed_at, last_used_at, revoked_at, reason FROM connections WHERE (user_id, id) >= ($4, $2) AND (user_id, id) <= ($4, 9223372036854775807)
            AND id <> $2 AND +workspace_id = $1 AND revoked_at IS NULL ORDER BY user_id, id LIMIT $3;

-- connections::lists::LATEST_ENDED on SQLite
SELECT id, workspace_id, user_id, client_id, client_kind, display_name, block_key, redirect_uri, resource, scopes, generation, refresh_until, created_at, refreshed_at, last_used_at, revoked_at, reason FROM connections WHERE workspace_id = $1 AND revoked_at IS NOT NULL
            ORDER BY revoked_at DESC, id DESC LIMIT $2;

-- connections::lists::LATEST_ENDED on PostgreSQL
SELECT * FROM (SELECT id, workspace_id, user_id, client_id, client_kind, display_name, block_key, redirect_uri, resource, scopes, generation, refresh_until, created_at, refreshed_at, last_used_at, revoked_at, reason FROM connections WHERE (workspace_id, revoked_at) <= ($1, 9223372036854775807)
            AND revoked_at IS NOT NULL ORDER BY workspace_id DESC, revoked_at DESC, id DESC LIMIT $2) AS ended WHERE workspace_id = $1 ORDER BY revoked_at DESC, id DESC;

-- connections::lists::LATEST_ENDED_OF_USER on SQLite
SELECT id, workspace_id, user_id, client_id, client_kind, display_name, block_key, redirect_uri, resource, scopes, generation, refresh_until, created_at, refreshed_at, last_used_at, revoked_at, reason FROM connections WHERE user_id = $1 AND revoked_at IS NOT NULL
            ORDER BY revoked_at DESC, id DESC LIMIT $2;

-- connections::lists::LATEST_ENDED_OF_USER on PostgreSQL
SELECT * FROM (SELECT id, workspace_id, user_id, client_id, client_kind, display_name, block_key, redirect_uri, resource, scopes, generation, refresh_until, created_at, refreshed_at, last_used_at, revoked_at, reason FROM connections WHERE (user_id, revoked_at) <= ($1, 9223372036854775807)
            AND revoked_at IS NOT NULL ORDER BY user_id DESC, revoked_at DESC, id DESC LIMIT $2) AS ended WHERE user_id = $1 ORDER BY revoked_at DESC, id DESC;

-- connections::outlived::OUTLIVED
SELECT c.id FROM workspaces w CROSS JOIN connections c
        WHERE c.workspace_id = w.id AND w.max_session_hours IS NOT NULL AND c.revoked_at IS NULL
            AND c.created_at <= $1 - w.max_session_hours * 3600000000
        LIMIT $2;

-- connections::outlived::REVOKE on SQLite
UPDATE connections SET revoked_at = $1, reason = $2
            WHERE revoked_at IS NULL AND id IN (SELECT value FROM json_each($3))
                AND created_at <= $1 - (SELECT max_session_hours FROM workspaces WHERE id = workspace_id) * 3600000000
            RETURNING id;

-- connections::outlived::REVOKE on PostgreSQL
UPDATE connections SET revoked_at = $1, reason = $2
            WHERE +revoked_at IS NULL AND id = ANY(ARRAY(
                SELECT id FROM connections WHERE id = ANY($3) ORDER BY id FOR UPDATE))
                AND created_at <= $1 - (SELECT max_session_hours FROM workspaces w WHERE w.id = workspace_id)
                    * 3600000000
            RETURNING id;

-- connections::presented::PRESENTED
SELECT t.connection_id, t.is_refresh, t.generation, t.scopes, t.expires_at, c.workspace_id,
                c.user_id, c.client_id, c.display_name, c.resource, c.generation AS current_generation, c.refresh_until, c.created_at,
                c.last_used_at, c.revoked_at, u.state, u.is_external, w.ai_assistants,
                (SELECT 1 FROM client_blocks b
                    WHERE b.workspace_id = c.workspace_id AND b.key = c.block_key LIMIT 1) IS NOT NULL AS is_blocked,
                w.max_session_hours FROM connection_tokens t
        JOIN connections c ON c.id = t.connection_id
        JOIN users u ON u.id = c.user_id
        JOIN workspaces w ON w.id = c.workspace_id
        WHERE t.token_hash = $1;

-- connections::presented::PRESENTED_MANY on SQLite
SELECT t.connection_id, t.is_refresh, t.generation, t.scopes, t.expires_at, c.workspace_id,
                c.user_id, c.client_id, c.display_name, c.resource, c.generation AS current_generation, c.refresh_until, c.created_at,
                c.last_used_at, c.revoked_at, u.state, u.is_external, w.ai_assistants,
                (SELECT 1 FROM client_blocks b
                    WHERE b.workspace_id = c.workspace_id AND b.key = c.block_key LIMIT 1) IS NOT NULL AS is_blocked,
                w.max_session_hours, t.token_hash FROM connection_tokens t
            JOIN connections c ON c.id = t.connection_id
            JOIN users u ON u.id = c.user_id
            JOIN workspaces w ON w.id = c.workspace_id
            WHERE t.token_hash IN ($1);

-- connections::presented::PRESENTED_MANY on PostgreSQL
SELECT t.connection_id, t.is_refresh, t.generation, t.scopes, t.expires_at, c.workspace_id,
                c.user_id, c.client_id, c.display_name, c.resource, c.generation AS current_generation, c.refresh_until, c.created_at,
                c.last_used_at, c.revoked_at, u.state, u.is_external, w.ai_assistants,
                (SELECT 1 FROM client_blocks b
                    WHERE b.workspace_id = c.workspace_id AND b.key = c.block_key LIMIT 1) IS NOT NULL AS is_blocked,
                w.max_session_hours, t.token_hash FROM unnest(CAST($1 AS BYTEA[])) AS j (hash)
            CROSS JOIN LATERAL (SELECT * FROM connection_tokens WHERE token_hash = j.hash LIMIT 1) AS t
            CROSS JOIN LATERAL (SELECT * FROM connections WHERE id = t.connection_id LIMIT 1) AS c
            CROSS JOIN LATERAL (SELECT state, is_external FROM users WHERE id = c.user_id LIMIT 1) AS u
            CROSS JOIN LATERAL (SELECT ai_assistants, max_session_hours FROM workspaces
                WHERE id = c.workspace_id LIMIT 1) AS w;

-- connections::refresh_overlaps::INSERT
INSERT INTO refresh_overlaps (token_hash, workspace_id, salt, expires_at) VALUES ($1, $2, $3, $4);

-- connections::refresh_overlaps::SALT
SELECT salt FROM refresh_overlaps WHERE token_hash = $1 AND expires_at > $2;

-- connections::refresh_overlaps::DELETE_EXPIRED on SQLite
DELETE FROM refresh_overlaps WHERE token_hash IN
            (SELECT token_hash FROM refresh_overlaps WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2);

-- connections::refresh_overlaps::DELETE_EXPIRED on PostgreSQL
DELETE FROM refresh_overlaps WHERE token_hash = ANY(ARRAY(
            SELECT token_hash FROM refresh_overlaps WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2));

-- connections::spent_tokens::TO_CLEAR
SELECT id FROM connections WHERE revoked_at IS NOT NULL AND has_tokens = 1 ORDER BY id LIMIT 1;

-- connections::spent_tokens::DELETE_TOKENS on SQLite
DELETE FROM connection_tokens WHERE token_hash IN
            (SELECT token_hash FROM connection_tokens WHERE connection_id = $1 LIMIT $2);

-- connections::spent_tokens::DELETE_TOKENS on PostgreSQL
DELETE FROM connection_tokens WHERE token_hash = ANY(ARRAY(
            SELECT token_hash FROM connection_tokens WHERE connection_id = $1 LIMIT $2));

-- connections::spent_tokens::WALK on SQLite
SELECT t.token_hash, t.expires_at, t.generation, c.generation AS current_generation
            FROM connection_tokens t CROSS JOIN connections c ON c.id = t.connection_id
            WHERE t.token_hash > $1 ORDER BY t.token_hash LIMIT $2;

-- connections::spent_tokens::WALK on PostgreSQL
SELECT t.token_hash, t.expires_at, t.generation, c.generation AS current_generation
            FROM (SELECT * FROM connection_tokens WHERE token_hash > $1 ORDER BY token_hash LIMIT $2) AS t
            CROSS JOIN LATERAL (SELECT generation FROM connections WHERE id = t.connection_id LIMIT 1) AS c
            ORDER BY t.token_hash;

-- connections::spent_tokens::FORGET
DELETE FROM connection_tokens
        WHERE token_hash > $1 AND token_hash <= $2 AND expires_at <= $3
            AND generation < (SELECT generation FROM connections WHERE id = connection_tokens.connection_id);

-- connections::spent_tokens::CLEARED
UPDATE connections SET has_tokens = 0 WHERE id = $1;

-- conversations::INSERT
INSERT INTO conversations (id, workspace_id, kind, parent_id, name, topic, is_private, announcement_only, archived_at, deleted_at, active_members, created_at, floor_id) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, NULL, NULL, 0, $9, 0);

-- conversations::UPDATE
UPDATE conversations SET name = $2, topic = $3, is_private = $4, announcement_only = $5, archived_at = $6 WHERE id = $1;

-- conversations::DELETE
UPDATE conversations SET deleted_at = $2
        WHERE (id = $1 OR parent_id = $1) AND deleted_at IS NULL;

-- conversations::BY_ID on SQLite
SELECT c.id, c.workspace_id, c.kind, c.parent_id, c.name, c.topic,
                COALESCE(p.is_private, c.is_private) AS is_private, c.announcement_only,
                CASE WHEN p.id IS NULL THEN c.archived_at ELSE p.archived_at END AS archived_at,
                c.deleted_at, c.active_members, c.created_at, c.floor_id
            FROM conversations c LEFT JOIN conversations p ON p.id = c.parent_id WHERE c.id = $1;

-- conversations::BY_ID on PostgreSQL
SELECT c.id, c.workspace_id, c.kind, c.parent_id, c.name, c.topic,
                COALESCE(p.is_private, c.is_private) AS is_private, c.announcement_only,
                CASE WHEN p.id IS NULL THEN c.archived_at ELSE p.archived_at END AS archived_at,
                c.deleted_at, c.active_members, c.created_at, c.floor_id
            FROM conversations c LEFT JOIN LATERAL (SELECT id, is_private, archived_at FROM conversations
                WHERE id = c.parent_id LIMIT 1) AS p ON TRUE WHERE c.id = $1;

-- conversations::BY_IDS on SQLite
SELECT c.id, c.workspace_id, c.kind, c.parent_id, c.name, c.topic,
                COALESCE(p.is_private, c.is_private) AS is_private, c.announcement_only,
                CASE WHEN p.id IS NULL THEN c.archived_at ELSE p.archived_at END AS archived_at,
                c.deleted_at, c.active_members, c.created_at, c.floor_id
            FROM conversations c LEFT JOIN conversations p ON p.id = c.parent_id WHERE c.id IN (SELECT value FROM json_each($1)) ORDER BY c.id;

-- conversations::BY_IDS on PostgreSQL
SELECT c.id, c.workspace_id, c.kind, c.parent_id, c.name, c.topic,
                COALESCE(p.is_private, c.is_private) AS is_private, c.announcement_only,
                CASE WHEN p.id IS NULL THEN c.archived_at ELSE p.archived_at END AS archived_at,
                c.deleted_at, c.active_members, c.created_at, c.floor_id
            FROM conversations c LEFT JOIN LATERAL (SELECT id, is_private, archived_at FROM conversations
                WHERE id = c.parent_id LIMIT 1) AS p ON TRUE WHERE c.id = ANY($1) ORDER BY c.id;

-- conversations::LOCK on SQLite
SELECT id FROM conversations WHERE id = $1;

-- conversations::LOCK on PostgreSQL
SELECT id FROM conversations
            WHERE id = $1 OR id = (SELECT parent_id FROM conversations WHERE id = $1) ORDER BY id FOR UPDATE;

-- conversations::LOCKED_BY
SELECT id, workspace_id, parent_id,
            CASE WHEN kind = 2 THEN (SELECT MIN(user_id) FROM members WHERE conversation_id = $1) END AS low_user_id,
            CASE WHEN kind = 2 THEN (SELECT MAX(user_id) FROM members WHERE conversation_id = $1) END AS high_user_id
        FROM conversations WHERE id = $1;

-- conversations::LOCKED_BY_OF_MANY on SQLite
SELECT c.id, c.workspace_id, c.parent_id,
                CASE WHEN c.kind = 2 THEN (SELECT MIN(user_id) FROM members WHERE conversation_id = c.id) END AS low_user_id,
                CASE WHEN c.kind = 2 THEN (SELECT MAX(user_id) FROM members WHERE conversation_id = c.id) END AS high_user_id
            FROM conversations c WHERE c.id IN (SELECT value FROM json_each($1));

-- conversations::LOCKED_BY_OF_MANY on PostgreSQL
SELECT c.id, c.workspace_id, c.parent_id,
                CASE WHEN c.kind = 2 THEN (SELECT MIN(user_id) FROM members WHERE conversation_id = c.id) END AS low_user_id,
                CASE WHEN c.kind = 2 THEN (SELECT MAX(user_id) FROM members WHERE conversation_id = c.id) END AS high_user_id
            FROM unnest(CAST($1 AS BIGINT[])) AS j (id)
            CROSS JOIN LATERAL (SELECT id, workspace_id, parent_id, kind FROM conversations WHERE id = j.id LIMIT 1) AS c;

-- conversations::KIND
SELECT kind FROM conversations WHERE id = $1;

-- conversations::CHANNELS_OF
SELECT id FROM conversations WHERE parent_id = $1 AND deleted_at IS NULL ORDER BY id;

-- conversations::CHANNELS_DELETED_WITH
SELECT id FROM conversations WHERE parent_id = $1 AND deleted_at = $2 ORDER BY id;

-- conversations::MEMBER
SELECT user_id, joined_at, left_at, visible_from, read_id FROM members
        WHERE conversation_id = $1 AND user_id = $2;

-- conversations::MARK_READ
UPDATE members SET read_id = $3
        WHERE conversation_id = $1 AND user_id = $2 AND left_at IS NULL AND read_id < $3;

-- conversations::MARK_READ_MANY on SQLite
UPDATE members SET read_id = j.up_to
            FROM (SELECT json_extract(value, '$[0]') AS conversation_id, json_extract(value, '$[1]') AS user_id,
                json_extract(value, '$[2]') AS up_to FROM json_each($1)) AS j
            WHERE members.conversation_id = j.conversation_id AND members.user_id = j.user_id
                AND members.left_at IS NULL AND members.read_id < j.up_to
            RETURNING user_id, conversation_id;

-- conversations::MARK_READ_MANY on PostgreSQL
WITH held AS MATERIALIZED (SELECT m.conversation_id, m.user_id, j.up_to
                FROM (SELECT CAST(value ->> 0 AS BIGINT) AS conversation_id, CAST(value ->> 1 AS BIGINT) AS user_id,
                    CAST(value ->> 2 AS BIGINT) AS up_to
                    FROM json_array_elements(CAST(CAST($1 AS TEXT) AS JSON)) AS value OFFSET 0) AS j
                CROSS JOIN LATERAL (SELECT conversation_id, user_id FROM members
                    WHERE conversation_id = j.conversation_id AND user_id = j.user_id
                        AND left_at IS NULL AND read_id < j.up_to LIMIT 1 FOR UPDATE) AS m)
            UPDATE members SET read_id = held.up_to FROM held
            WHERE members.conversation_id = held.conversation_id AND members.user_id = held.user_id
            RETURNING members.user_id, members.conversation_id;

-- conversations::FIND_ACCESS
SELECT c.workspace_id, c.kind, c.announcement_only, c.deleted_at IS NOT NULL AS is_deleted,
            CASE WHEN m.user_id IS NULL THEN NULL ELSE m.left_at IS NULL END AS is_member, m.visible_from,
            (SELECT 1 FROM users u WHERE u.workspace_id = c.workspace_id AND u.is_external = 1 AND u.guest_visible = 0
                LIMIT 1) IS NOT NULL AS hides_guests
        FROM conversations c LEFT JOIN members m ON m.conversation_id = c.id AND m.user_id = $2
        WHERE c.id = $1;

-- conversations::JOIN on SQLite
INSERT INTO members (conversation_id, user_id, joined_at, left_at, visible_from, is_direct, workspace_id)
            SELECT c.id, j.value, $3, NULL, $4, CASE WHEN c.kind = 2 THEN 1 ELSE 0 END, c.workspace_id
            FROM json_each($2) j CROSS JOIN conversations c WHERE c.id = $1
            ON CONFLICT (conversation_id, user_id)
            DO UPDATE SET joined_at = excluded.joined_at, left_at = NULL, visible_from = excluded.visible_from
            WHERE members.left_at IS NOT NULL RETURNING user_id;

-- conversations::JOIN on PostgreSQL
INSERT INTO members (conversation_id, user_id, joined_at, left_at, visible_from, is_direct, workspace_id)
            SELECT c.id, j.id, $3, NULL, $4, CASE WHEN c.kind = 2 THEN 1 ELSE 0 END, c.workspace_id
            FROM unnest(CAST($2 AS BIGINT[])) AS j (id) CROSS JOIN conversations c WHERE c.id = $1
            ON CONFLICT (conversation_id, user_id)
            DO UPDATE SET joined_at = excluded.joined_at, left_at = NULL, visible_from = excluded.visible_from
            WHERE members.left_at IS NOT NULL RETURNING user_id;

-- conversations::LEAVE on SQLite
UPDATE members SET left_at = $3
            WHERE user_id = $1 AND conversation_id IN (SELECT value FROM json_each($2)) AND left_at IS NULL
            RETURNING conversation_id;

-- conversations::LEAVE on PostgreSQL
WITH held AS MATERIALIZED (SELECT m.conversation_id, m.user_id
                FROM unnest(CAST($2 AS BIGINT[])) AS j (id)
                CROSS JOIN LATERAL (SELECT conversation_id, user_id FROM members
                    WHERE conversation_id = j.id AND user_id = $1 AND left_at IS NULL LIMIT 1 FOR UPDATE) AS m)
            UPDATE members SET left_at = $3 FROM held
            WHERE members.conversation_id = held.conversation_id AND members.user_id = held.user_id
            RETURNING members.conversation_id;

-- conversations::JOINED
UPDATE conversations SET active_members = active_members + $2,
            floor_id = CASE WHEN floor_id < $3 THEN $3 ELSE floor_id END
        WHERE id = $1;

-- conversations::ADD_ACTIVE on SQLite
UPDATE conversations SET active_members = active_members + $2
            WHERE id IN (SELECT value FROM json_each($1));

-- conversations::ADD_ACTIVE on PostgreSQL
WITH held AS MATERIALIZED (SELECT id FROM conversations WHERE id = ANY($1) ORDER BY id FOR UPDATE)
            UPDATE conversations SET active_members = active_members + $2
            WHERE id = ANY(ARRAY(SELECT id FROM held));

-- conversations::ADD_ACTIVE_EVERYWHERE on SQLite
UPDATE conversations SET active_members = active_members + $2
            WHERE id IN (SELECT conversation_id FROM members
                WHERE user_id = $1 AND left_at IS NULL AND is_direct = 0);

-- conversations::ADD_ACTIVE_EVERYWHERE on PostgreSQL
WITH held AS MATERIALIZED (SELECT id FROM conversations
                WHERE id = ANY(ARRAY(SELECT conversation_id FROM members
                    WHERE user_id = $1 AND left_at IS NULL AND is_direct = 0))
                ORDER BY id FOR UPDATE)
            UPDATE conversations SET active_members = active_members + $2
            WHERE id = ANY(ARRAY(SELECT id FROM held));

-- conversations::MEMBER_OF on SQLite
SELECT m.conversation_id FROM json_each($2) j
            CROSS JOIN members m ON m.conversation_id = j.value AND m.user_id = $1 AND m.left_at IS NULL;

-- conversations::MEMBER_OF on PostgreSQL
SELECT j.id FROM unnest(CAST($2 AS BIGINT[])) AS j (id)
            CROSS JOIN LATERAL (SELECT user_id FROM members
                WHERE conversation_id = j.id AND user_id = $1 AND left_at IS NULL LIMIT 1) AS m;

-- conversations::MEMBERS_AMONG on SQLite
SELECT m.user_id FROM json_each($2) j
            CROSS JOIN members m ON m.conversation_id = $1 AND m.user_id = j.value AND m.left_at IS NULL;

-- conversations::MEMBERS_AMONG on PostgreSQL
SELECT j.id FROM unnest(CAST($2 AS BIGINT[])) AS j (id)
            CROSS JOIN LATERAL (SELECT user_id FROM members
                WHERE conversation_id = $1 AND user_id = j.id AND left_at IS NULL LIMIT 1) AS m;

-- conversations::listed::OF_MEMBER on SQLite
SELECT c.id, c.kind, c.parent_id, c.name, c.topic, COALESCE(p.is_private, c.is_private) AS is_private,
                c.announcement_only,
                CASE WHEN p.id IS NULL THEN c.archived_at ELSE p.archived_at END IS NOT NULL AS is_archived,
                c.deleted_at IS NOT NULL AS is_deleted, m.visible_from, m.read_id, COALESCE((SELECT x.id FROM messages x
                WHERE x.conversation_id = m.conversation_id AND x.id >= m.visible_from ORDER BY x.id DESC LIMIT 1), 0) AS newest_id FROM members m INDEXED BY members_by_user
                CROSS JOIN conversations c ON c.id = m.conversation_id
                LEFT JOIN conversations p ON p.id = c.parent_id
            WHERE m.user_id = $1 AND m.conversation_id < $2 AND m.left_at IS NULL
            ORDER BY m.conversation_id DESC LIMIT $3;

-- conversations::listed::OF_MEMBER on PostgreSQL
SELECT c.id, c.kind, c.parent_id, c.name, c.topic, COALESCE(p.is_private, c.is_private) AS is_private,
                c.announcement_only,
                CASE WHEN p.id IS NULL THEN c.archived_at ELSE p.archived_at END IS NOT NULL AS is_archived,
                c.deleted_at IS NOT NULL AS is_deleted, m.visible_from, m.read_id, COALESCE((SELECT id FROM messages
                WHERE conversation_id = ANY(ARRAY[m.conversation_id]) AND id >= m.visible_from
                ORDER BY conversation_id DESC, id DESC LIMIT 1), 0) AS newest_id FROM (SELECT user_id, conversation_id, visible_from, read_id FROM members
                WHERE left_at IS NULL AND (user_id, conversation_id) <= ($1, $2)
                    AND (user_id, conversation_id) >= ($1, 0) AND conversation_id <> $2
                ORDER BY user_id DESC, conversation_id DESC LIMIT $3) AS m
                CROSS JOIN LATERAL (SELECT * FROM conversations WHERE id = m.conversation_id LIMIT 1) AS c
                LEFT JOIN LATERAL (SELECT id, is_private, archived_at FROM conversations
                    WHERE id = c.parent_id LIMIT 1) AS p ON TRUE
            ORDER BY m.user_id DESC, m.conversation_id DESC;

-- conversations::listed::WITH on SQLite
SELECT b.conversation_id, b.user_id, u.name, u.is_bot
            FROM json_each($1) j CROSS JOIN members b ON b.conversation_id = j.value
            JOIN users u ON u.id = b.user_id
            WHERE b.user_id <> $2 AND (u.is_external = 0 OR u.guest_visible = 1);

-- conversations::listed::WITH on PostgreSQL
SELECT j.id AS conversation_id, u.id AS user_id, u.name, u.is_bot
            FROM unnest(CAST($1 AS BIGINT[])) AS j (id)
            CROSS JOIN LATERAL (SELECT user_id FROM members WHERE conversation_id = j.id OFFSET 0) AS b
            CROSS JOIN LATERAL (SELECT id, name, is_bot FROM users
                WHERE id = b.user_id AND (is_external = 0 OR guest_visible = 1) LIMIT 1) AS u
            WHERE b.user_id <> $2;

-- conversations::listed::OPEN_GROUPS on SQLite
SELECT c.id, c.parent_id, c.name, c.topic, c.active_members,
                (SELECT 1 FROM members m WHERE m.conversation_id = c.id AND m.user_id = $2
                    AND m.left_at IS NULL LIMIT 1) IS NOT NULL AS is_member
            FROM conversations c INDEXED BY conversations_open
            WHERE c.workspace_id = $1 AND c.id < $3
                AND c.kind = 0 AND c.is_private = 0 AND c.archived_at IS NULL AND c.deleted_at IS NULL
            ORDER BY c.id DESC LIMIT $4;

-- conversations::listed::OPEN_GROUPS on PostgreSQL
SELECT c.id, c.parent_id, c.name, c.topic, c.active_members,
                (SELECT 1 FROM members m WHERE m.conversation_id = c.id AND m.user_id = $2
                    AND m.left_at IS NULL LIMIT 1) IS NOT NULL AS is_member
            FROM (SELECT * FROM conversations
                WHERE (workspace_id, id) <= ($1, $3) AND (workspace_id, id) >= ($1, 0) AND id <> $3
                    AND kind = 0 AND is_private = 0 AND archived_at IS NULL AND deleted_at IS NULL
                ORDER BY workspace_id DESC, id DESC LIMIT $4) AS c
            ORDER BY c.workspace_id DESC, c.id DESC;

-- conversations::listed::CHANNELS_OF on SQLite
SELECT c.id, c.parent_id, c.name, c.topic, c.active_members,
                (SELECT 1 FROM members m WHERE m.conversation_id = c.id AND m.user_id = $2
                    AND m.left_at IS NULL LIMIT 1) IS NOT NULL AS is_member
            FROM json_each($1) j CROSS JOIN conversations c ON c.id IN (SELECT k.id
                FROM conversations k INDEXED BY conversations_channels
                WHERE k.parent_id = j.value AND k.deleted_at IS NULL ORDER BY k.id LIMIT $3);

-- conversations::listed::CHANNELS_OF on PostgreSQL
SELECT c.id, c.parent_id, c.name, c.topic, c.active_members,
                (SELECT 1 FROM members m WHERE m.conversation_id = c.id AND m.user_id = $2
                    AND m.left_at IS NULL LIMIT 1) IS NOT NULL AS is_member
            FROM unnest(CAST($1 AS BIGINT[])) AS j (id)
            CROSS JOIN LATERAL (SELECT id FROM conversations
                WHERE (parent_id, id) >= (j.id, 0) AND (parent_id, id) <= (j.id, 9223372036854775807)
                    AND parent_id IS NOT NULL AND deleted_at IS NULL
                ORDER BY parent_id, id LIMIT $3) AS k
            CROSS JOIN LATERAL (SELECT * FROM conversations WHERE id = k.id LIMIT 1) AS c;

-- conversations::listed::CHANNELS_AFTER on SQLite
SELECT c.id, c.parent_id, c.name, c.topic, c.active_members,
                (SELECT 1 FROM members m WHERE m.conversation_id = c.id AND m.user_id = $2
                    AND m.left_at IS NULL LIMIT 1) IS NOT NULL AS is_member
            FROM conversations c INDEXED BY conversations_channels
            WHERE c.parent_id = $1 AND c.id > $3 AND c.deleted_at IS NULL ORDER BY c.id LIMIT $4;

-- conversations::listed::CHANNELS_AFTER on PostgreSQL
SELECT c.id, c.parent_id, c.name, c.topic, c.active_members,
                (SELECT 1 FROM members m WHERE m.conversation_id = c.id AND m.user_id = $2
                    AND m.left_at IS NULL LIMIT 1) IS NOT NULL AS is_member
            FROM (SELECT parent_id, id FROM conversations
                WHERE (parent_id, id) >= ((SELECT CAST($1 AS BIGINT)), $3)
                    AND (parent_id, id) <= ((SELECT CAST($1 AS BIGINT)), 9223372036854775807)
                    AND id <> $3 AND parent_id IS NOT NULL AND deleted_at IS NULL
                ORDER BY parent_id, id LIMIT $4) AS k
            CROSS JOIN LATERAL (SELECT * FROM conversations WHERE id = k.id LIMIT 1) AS c
            ORDER BY k.parent_id, k.id;

-- conversations::listed::SHARED on SQLite
SELECT j.value FROM json_each($1) j
            WHERE (SELECT 1 FROM members a CROSS JOIN members b ON b.conversation_id = a.conversation_id
                CROSS JOIN conversations c ON c.id = a.conversation_id
                WHERE a.user_id = $2 AND a.left_at IS NULL AND b.user_id = j.value AND b.left_at IS NULL
                    AND c.deleted_at IS NULL LIMIT 1)
                IS NOT NULL;

-- conversations::listed::SHARED on PostgreSQL
SELECT j.id FROM unnest(CAST($1 AS BIGINT[])) AS j (id)
            WHERE (SELECT 1 FROM (SELECT conversation_id FROM members
                    WHERE user_id = $2 AND left_at IS NULL OFFSET 0) AS a
                CROSS JOIN LATERAL (SELECT user_id FROM members
                    WHERE conversation_id = a.conversation_id AND user_id = j.id AND left_at IS NULL LIMIT 1) AS b
                CROSS JOIN LATERAL (SELECT id FROM conversations
                    WHERE id = a.conversation_id AND deleted_at IS NULL LIMIT 1) AS c
                LIMIT 1) IS NOT NULL;

-- conversations::lists::OF_COMPANY on SQLite
SELECT c.id, c.workspace_id, c.kind, c.parent_id, c.name, c.topic,
                COALESCE(p.is_private, c.is_private) AS is_private, c.announcement_only,
                CASE WHEN p.id IS NULL THEN c.archived_at ELSE p.archived_at END AS archived_at,
                c.deleted_at, c.active_members, c.created_at, c.floor_id
            FROM conversations c LEFT JOIN conversations p ON p.id = c.parent_id WHERE c.workspace_id = $1 AND c.id > $2 ORDER BY c.id LIMIT $3;

-- conversations::lists::OF_COMPANY on PostgreSQL
SELECT c.id, c.workspace_id, c.kind, c.parent_id, c.name, c.topic,
                COALESCE(p.is_private, c.is_private) AS is_private, c.announcement_only,
                CASE WHEN p.id IS NULL THEN c.archived_at ELSE p.archived_at END AS archived_at,
                c.deleted_at, c.active_members, c.created_at, c.floor_id
            FROM (SELECT * FROM conversations
                WHERE (workspace_id, id) >= ($1, $2) AND (workspace_id, id) <= ($1, 9223372036854775807)
                    AND id <> $2
                ORDER BY workspace_id, id LIMIT $3) AS c LEFT JOIN LATERAL (SELECT id, is_private, archived_at FROM conversations
                WHERE id = c.parent_id LIMIT 1) AS p ON TRUE ORDER BY c.workspace_id, c.id;

-- conversations::lists::GROUPS_AND_CHANNELS_OF_USER on SQLite
SELECT c.id, c.workspace_id, c.kind, c.parent_id, c.name, c.topic,
                COALESCE(p.is_private, c.is_private) AS is_private, c.announcement_only,
                CASE WHEN p.id IS NULL THEN c.archived_at ELSE p.archived_at END AS archived_at,
                c.deleted_at, c.active_members, c.created_at, c.floor_id
            FROM members m INDEXED BY members_of_places
                CROSS JOIN conversations c ON c.id = m.conversation_id LEFT JOIN conversations p ON p.id = c.parent_id WHERE m.user_id = $1 AND m.conversation_id > $2 AND m.left_at IS NULL AND m.is_direct = 0
            ORDER BY m.conversation_id LIMIT $3;

-- conversations::lists::GROUPS_AND_CHANNELS_OF_USER on PostgreSQL
SELECT c.id, c.workspace_id, c.kind, c.parent_id, c.name, c.topic,
                COALESCE(p.is_private, c.is_private) AS is_private, c.announcement_only,
                CASE WHEN p.id IS NULL THEN c.archived_at ELSE p.archived_at END AS archived_at,
                c.deleted_at, c.active_members, c.created_at, c.floor_id
            FROM (SELECT user_id, conversation_id FROM members
                WHERE left_at IS NULL AND is_direct = 0 AND (user_id, conversation_id) >= ($1, $2)
                    AND (user_id, conversation_id) <= ($1, 9223372036854775807) AND conversation_id <> $2
                ORDER BY user_id, conversation_id LIMIT $3) AS m
                CROSS JOIN LATERAL (SELECT * FROM conversations WHERE id = m.conversation_id LIMIT 1) AS c LEFT JOIN LATERAL (SELECT id, is_private, archived_at FROM conversations
                WHERE id = c.parent_id LIMIT 1) AS p ON TRUE ORDER BY m.user_id, m.conversation_id;

-- conversations::lists::OF_USER on SQLite
SELECT c.id, c.workspace_id, c.kind, c.parent_id, c.name, c.topic,
                COALESCE(p.is_private, c.is_private) AS is_private, c.announcement_only,
                CASE WHEN p.id IS NULL THEN c.archived_at ELSE p.archived_at END AS archived_at,
                c.deleted_at, c.active_members, c.created_at, c.floor_id
            FROM members m INDEXED BY members_by_user
                CROSS JOIN conversations c ON c.id = m.conversation_id LEFT JOIN conversations p ON p.id = c.parent_id WHERE m.user_id = $1 AND m.conversation_id > $2 AND m.left_at IS NULL
            ORDER BY m.conversation_id LIMIT $3;

-- conversations::lists::OF_USER on PostgreSQL
SELECT c.id, c.workspace_id, c.kind, c.parent_id, c.name, c.topic,
                COALESCE(p.is_private, c.is_private) AS is_private, c.announcement_only,
                CASE WHEN p.id IS NULL THEN c.archived_at ELSE p.archived_at END AS archived_at,
                c.deleted_at, c.active_members, c.created_at, c.floor_id
            FROM (SELECT user_id, conversation_id FROM members
                WHERE left_at IS NULL AND (user_id, conversation_id) >= ($1, $2)
                    AND (user_id, conversation_id) <= ($1, 9223372036854775807) AND conversation_id <> $2
                ORDER BY user_id, conversation_id LIMIT $3) AS m
                CROSS JOIN LATERAL (SELECT * FROM conversations WHERE id = m.conversation_id LIMIT 1) AS c LEFT JOIN LATERAL (SELECT id, is_private, archived_at FROM conversations
                WHERE id = c.parent_id LIMIT 1) AS p ON TRUE ORDER BY m.user_id, m.conversation_id;

-- conversations::lists::NAMES on SQLite
SELECT c.id, c.kind, c.name FROM conversations c
            WHERE c.workspace_id = $1 AND c.id IN (SELECT value FROM json_each($2))
                AND ($3 < 0 OR EXISTS (SELECT 1 FROM members m
                    WHERE m.conversation_id = c.id AND m.user_id = $3 AND m.left_at IS NULL));

-- conversations::lists::NAMES on PostgreSQL
SELECT c.id, c.kind, c.name FROM conversations c
            WHERE +c.workspace_id = $1 AND c.id = ANY($2)
                AND ($3 < 0 OR (SELECT m.user_id FROM members m
                    WHERE m.conversation_id = c.id AND m.user_id = $3 AND m.left_at IS NULL LIMIT 1) = $3);

-- conversations::lists::MEMBERS on SQLite
SELECT m.user_id, m.joined_at, m.left_at, m.visible_from, u.is_bot, u.is_external, u.guest_visible
            FROM members m CROSS JOIN users u ON u.id = m.user_id
            WHERE m.conversation_id = $1 AND m.user_id > $2 ORDER BY m.user_id LIMIT $3;

-- conversations::lists::MEMBERS on PostgreSQL
SELECT m.user_id, m.joined_at, m.left_at, m.visible_from, u.is_bot, u.is_external, u.guest_visible
            FROM (SELECT * FROM members WHERE (conversation_id, user_id) >= ($1, $2)
                    AND (conversation_id, user_id) <= ($1, 9223372036854775807) AND user_id <> $2
                ORDER BY conversation_id, user_id LIMIT $3) AS m
            CROSS JOIN LATERAL (SELECT is_bot, is_external, guest_visible FROM users
                WHERE id = m.user_id LIMIT 1) AS u
            ORDER BY m.conversation_id, m.user_id;

-- conversations::lists::FIRST_MEMBERS on SQLite
SELECT m.conversation_id, m.user_id, m.left_at IS NULL AS is_member, u.is_bot, u.is_external
            FROM json_each($1) j
            CROSS JOIN members m ON m.conversation_id = j.value AND m.user_id IN (SELECT k.user_id FROM members k
                WHERE k.conversation_id = j.value ORDER BY k.user_id LIMIT $2)
            CROSS JOIN users u ON u.id = m.user_id;

-- conversations::lists::FIRST_MEMBERS on PostgreSQL
SELECT m.conversation_id, m.user_id, m.left_at IS NULL AS is_member, u.is_bot, u.is_external
            FROM unnest(CAST($1 AS BIGINT[])) AS j (id)
            CROSS JOIN LATERAL (SELECT conversation_id, user_id, left_at FROM members
                WHERE (conversation_id, user_id) >= (j.id, 0) AND (conversation_id, user_id) <= (j.id, 9223372036854775807)
                ORDER BY conversation_id, user_id LIMIT $2) AS m
            CROSS JOIN LATERAL (SELECT is_bot, is_external FROM users WHERE id = m.user_id LIMIT 1) AS u;

-- conversations::lists::MEMBERSHIPS on SQLite
SELECT m.conversation_id, c.workspace_id, c.kind, c.deleted_at IS NOT NULL AS is_deleted,
                m.left_at IS NULL AS is_member, m.visible_from
            FROM json_each($2) j
            CROSS JOIN conversations c ON c.id = j.value
            CROSS JOIN members m ON m.conversation_id = c.id AND m.user_id = $1;

-- conversations::lists::MEMBERSHIPS on PostgreSQL
SELECT m.conversation_id, c.workspace_id, c.kind, c.deleted_at IS NOT NULL AS is_deleted,
                m.left_at IS NULL AS is_member, m.visible_from
            FROM unnest(CAST($2 AS BIGINT[])) AS j (id)
            CROSS JOIN LATERAL (SELECT workspace_id, kind, deleted_at FROM conversations
                WHERE id = j.id LIMIT 1) AS c
            CROSS JOIN LATERAL (SELECT conversation_id, left_at, visible_from FROM members
                WHERE conversation_id = j.id AND user_id = $1 LIMIT 1) AS m;

-- conversations::lists::ACTIVE_IN on SQLite
SELECT b.conversation_id, COUNT(*) FROM json_each($1) j
            CROSS JOIN members b ON b.conversation_id = j.value
            CROSS JOIN users u ON u.id = b.user_id
            WHERE b.left_at IS NULL AND u.is_bot = 0 AND u.state = 0 GROUP BY b.conversation_id;

-- conversations::lists::ACTIVE_IN on PostgreSQL
SELECT j.id, n.active FROM unnest(CAST($1 AS BIGINT[])) AS j (id)
            CROSS JOIN LATERAL (SELECT COUNT(*) AS active
                FROM (SELECT user_id FROM members WHERE conversation_id = j.id AND left_at IS NULL OFFSET 0) AS b
                CROSS JOIN LATERAL (SELECT id FROM users
                    WHERE id = b.user_id AND is_bot = 0 AND state = 0 LIMIT 1) AS u) AS n;

-- conversations::pairs::INSERT_PAIR
INSERT INTO direct_pairs (low_user_id, high_user_id, conversation_id, workspace_id)
        VALUES ($1, $2, $3, $4) ON CONFLICT (low_user_id, high_user_id) DO NOTHING;

-- conversations::pairs::DELETE_PAIR
DELETE FROM direct_pairs
        WHERE low_user_id = (SELECT MIN(user_id) FROM members WHERE conversation_id = $1)
            AND high_user_id = (SELECT MAX(user_id) FROM members WHERE conversation_id = $1)
            AND conversation_id = $1;

-- conversations::pairs::KEEP_PAIR
INSERT INTO former_pairs (low_user_id, high_user_id, conversation_id, workspace_id)
        SELECT MIN(user_id), MAX(user_id), $1, MIN(workspace_id) FROM members WHERE conversation_id = $1 HAVING COUNT(*) = 2
        ON CONFLICT (low_user_id, high_user_id, conversation_id) DO NOTHING;

-- conversations::pairs::ALL_OF_PAIR
SELECT conversation_id FROM direct_pairs WHERE low_user_id = $1 AND high_user_id = $2
        UNION ALL SELECT conversation_id FROM former_pairs WHERE low_user_id = $1 AND high_user_id = $2
        ORDER BY 1 DESC;

-- conversations::pairs::PAIRS on SQLite
SELECT j.value, p.conversation_id FROM json_each($2) j CROSS JOIN direct_pairs p
            ON p.low_user_id = MIN(j.value, $1) AND p.high_user_id = MAX(j.value, $1);

-- conversations::pairs::PAIRS on PostgreSQL
SELECT j.id, p.conversation_id FROM unnest(CAST($2 AS BIGINT[])) AS j (id)
            CROSS JOIN LATERAL (SELECT conversation_id FROM direct_pairs
                WHERE low_user_id = LEAST(j.id, $1) AND high_user_id = GREATEST(j.id, $1) LIMIT 1) AS p;

-- conversations::pairs::PAIR
SELECT conversation_id FROM direct_pairs WHERE low_user_id = $1 AND high_user_id = $2;

-- conversations::unread::COUNTS on SQLite
SELECT m.user_id, m.conversation_id, (SELECT COUNT(*) FROM (SELECT x.sender_id FROM messages x
                    WHERE x.conversation_id = m.conversation_id AND x.id >= MAX(m.read_id + 1, m.visible_from, 1 + json_extract($3, '$[' || j.key || ']'), 1 + COALESCE((SELECT MIN(value, COALESCE((SELECT
                        ((CAST(strftime('%s', installed_on) AS INTEGER) + 1) * 1000) << 21
                    FROM _sqlx_migrations WHERE version = 17), value))
                FROM server_state WHERE name = 'read_since'), 0))
                    ORDER BY x.id DESC LIMIT $4) AS newest
                WHERE newest.sender_id IS NOT m.user_id) AS number
            FROM json_each($1) j CROSS JOIN members m
                ON m.conversation_id = json_extract($2, '$[' || j.key || ']') AND m.user_id = j.value
            WHERE m.left_at IS NULL;

-- conversations::unread::COUNTS on PostgreSQL
SELECT j.user_id, j.conversation_id, (SELECT COUNT(*) FROM (SELECT sender_id FROM messages
                    WHERE (conversation_id, id) >= (j.conversation_id, m.first_id)
                        AND (conversation_id, id) <= (j.conversation_id, 9223372036854775807)
                    ORDER BY conversation_id DESC, id DESC LIMIT $4) AS newest
                WHERE newest.sender_id IS DISTINCT FROM j.user_id) AS number
            FROM unnest(CAST($1 AS BIGINT[]), CAST($2 AS BIGINT[]), CAST($3 AS BIGINT[])) AS j (user_id, conversation_id, mark)
            CROSS JOIN LATERAL (SELECT GREATEST(read_id + 1, visible_from, 1 + j.mark, 1 + COALESCE((SELECT LEAST(value, (SELECT
                        ((CAST(extract(epoch FROM installed_on) AS BIGINT) + 1) * 1000) << 21
                    FROM _sqlx_migrations WHERE version = 17))
                FROM server_state WHERE name = 'read_since'), 0)) AS first_id FROM members
                WHERE conversation_id = j.conversation_id AND user_id = j.user_id AND left_at IS NULL LIMIT 1) AS m;

-- conversations::unread::FIRSTS on SQLite
SELECT m.user_id, MAX(m.read_id + 1, m.visible_from, 0, 1 + COALESCE((SELECT MIN(value, COALESCE((SELECT
                        ((CAST(strftime('%s', installed_on) AS INTEGER) + 1) * 1000) << 21
                    FROM _sqlx_migrations WHERE version = 17), value))
                FROM server_state WHERE name = 'read_since'), 0)) FROM json_each($2) j CROSS JOIN members m
                ON m.conversation_id = $1 AND m.user_id = j.value
            WHERE m.left_at IS NULL;

-- conversations::unread::FIRSTS on PostgreSQL
SELECT j.user_id, m.first_id FROM unnest(CAST($2 AS BIGINT[])) AS j (user_id)
            CROSS JOIN LATERAL (SELECT GREATEST(read_id + 1, visible_from, 0, 1 + COALESCE((SELECT LEAST(value, (SELECT
                        ((CAST(extract(epoch FROM installed_on) AS BIGINT) + 1) * 1000) << 21
                    FROM _sqlx_migrations WHERE version = 17))
                FROM server_state WHERE name = 'read_since'), 0)) AS first_id FROM members
                WHERE conversation_id = $1 AND user_id = j.user_id AND left_at IS NULL LIMIT 1) AS m;

-- conversations::unread::NEWEST on SQLite
SELECT id, sender_id FROM messages WHERE conversation_id = $1 AND id >= $2 ORDER BY id DESC LIMIT $3;

-- conversations::unread::NEWEST on PostgreSQL
SELECT id, sender_id FROM messages
            WHERE (conversation_id, id) >= ($1, $2) AND (conversation_id, id) <= ($1, 9223372036854775807)
            ORDER BY conversation_id DESC, id DESC LIMIT $3;

-- diagnose::NOW on SQLite
SELECT CAST((julianday('now') - 2440587.5) * 86400000000.0 AS INTEGER);

-- diagnose::NOW on PostgreSQL
SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT);

-- diagnose::SETTINGS on SQLite
SELECT 'journal_mode', journal_mode FROM pragma_journal_mode
            UNION ALL SELECT 'synchronous', CAST(synchronous AS TEXT) FROM pragma_synchronous
            UNION ALL SELECT 'version', sqlite_version();

-- diagnose::SETTINGS on PostgreSQL
SELECT name, setting FROM pg_settings WHERE name IN
            ('fsync', 'full_page_writes', 'max_connections', 'reserved_connections', 'server_version_num',
             'superuser_reserved_connections', 'synchronous_commit', 'synchronous_standby_names')
            ORDER BY name;

-- diagnose::DELETE
DELETE FROM server_state WHERE name = $1;

-- drafts::INSERT
INSERT INTO drafts (id, workspace_id, owner_id, conversation_id, person_id, thread_id, text, created_at, updated_at, via_label, asked_at, elicited_at, discarded_at, sent_at, sent_to, sent_message) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, NULL, NULL, NULL, NULL);

-- drafts::UPDATE
UPDATE drafts SET conversation_id = $2, person_id = $3, thread_id = $4, text = $5, updated_at = $6, via_label = $7, asked_at = $8, elicited_at = $9 WHERE id = $1;

-- drafts::BY_ID
SELECT id, workspace_id, owner_id, conversation_id, person_id, thread_id, text, created_at, updated_at, via_label, asked_at, elicited_at, discarded_at, sent_at, sent_to, sent_message FROM drafts WHERE id = $1;

-- drafts::BY_ID_FOR_UPDATE on SQLite
SELECT id, workspace_id, owner_id, conversation_id, person_id, thread_id, text, created_at, updated_at, via_label, asked_at, elicited_at, discarded_at, sent_at, sent_to, sent_message FROM drafts WHERE id = $1;

-- drafts::BY_ID_FOR_UPDATE on PostgreSQL
SELECT id, workspace_id, owner_id, conversation_id, person_id, thread_id, text, created_at, updated_at, via_label, asked_at, elicited_at, discarded_at, sent_at, sent_to, sent_message FROM drafts WHERE id = $1 FOR UPDATE;

-- drafts::OPEN_PAGE on SQLite
SELECT id, workspace_id, owner_id, conversation_id, person_id, thread_id, text, created_at, updated_at, via_label, asked_at, elicited_at, discarded_at, sent_at, sent_to, sent_message FROM drafts WHERE owner_id = $1 AND id < $2 AND sent_at IS NULL ORDER BY id DESC LIMIT $3;

-- drafts::OPEN_PAGE on PostgreSQL
SELECT id, workspace_id, owner_id, conversation_id, person_id, thread_id, text, created_at, updated_at, via_label, asked_at, elicited_at, discarded_at, sent_at, sent_to, sent_message FROM drafts WHERE (owner_id, id) >= ($1, 0) AND (owner_id, id) <= ($1, $2) AND id <> $2 AND sent_at IS NULL
            ORDER BY owner_id DESC, id DESC LIMIT $3;

-- drafts::OPEN_COUNT on SQLite
SELECT COUNT(*) FROM (SELECT id FROM drafts WHERE owner_id = $1 AND sent_at IS NULL LIMIT $2) AS d;

-- drafts::OPEN_COUNT on PostgreSQL
SELECT COUNT(*) FROM (SELECT id FROM drafts WHERE (owner_id, id) >= ($1, 0)
                AND (owner_id, id) <= ($1, 9223372036854775807) AND sent_at IS NULL
            ORDER BY owner_id, id LIMIT $2) AS d;

-- drafts::SENT
UPDATE drafts SET sent_at = $2, sent_to = $3, sent_message = $4, via_label = $5, text = ''
        WHERE id = $1;

-- drafts::ASKED
UPDATE drafts SET asked_at = $2, elicited_at = $3 WHERE id = $1;

-- drafts::DISCARD
UPDATE drafts SET discarded_at = $2, sent_at = $2, text = '' WHERE id = $1;

-- drafts::DELETE
DELETE FROM drafts WHERE id = $1;

-- drafts::DELETE_OPEN_OF
DELETE FROM drafts WHERE owner_id = $1 AND sent_at IS NULL;

-- drafts::DELETE_SENT_OF
DELETE FROM drafts WHERE owner_id = $1 AND sent_at IS NOT NULL;

-- drafts::DELETE_SENT on SQLite
DELETE FROM drafts WHERE id IN
            (SELECT id FROM drafts WHERE sent_at <= $1 ORDER BY sent_at LIMIT $2);

-- drafts::DELETE_SENT on PostgreSQL
DELETE FROM drafts WHERE id = ANY(ARRAY(
            SELECT id FROM drafts WHERE sent_at <= $1 ORDER BY sent_at LIMIT $2 FOR UPDATE));

-- drafts::CLAIM_KEY
INSERT INTO draft_keys (owner_id, key_hash, fingerprint, draft_id, created_at, workspace_id)
        SELECT $1, $2, $3, $4, $5, $8 WHERE NOT EXISTS (
            SELECT 1 FROM draft_keys WHERE owner_id = $1 AND key_hash = $7 AND created_at > $6)
        ON CONFLICT (owner_id, key_hash) DO UPDATE SET fingerprint = excluded.fingerprint,
            draft_id = excluded.draft_id, created_at = excluded.created_at
        WHERE draft_keys.created_at <= $6;

-- drafts::USED_KEYS
SELECT fingerprint, draft_id FROM draft_keys
        WHERE owner_id = $1 AND key_hash IN ($2, $3) AND created_at > $4;

-- drafts::FORGET_KEYS on SQLite
DELETE FROM draft_keys WHERE (owner_id, key_hash) IN
            (SELECT owner_id, key_hash FROM draft_keys WHERE created_at <= $1 ORDER BY created_at LIMIT $2);

-- drafts::FORGET_KEYS on PostgreSQL
DELETE FROM draft_keys t USING (
                SELECT array_agg(owner_id) AS owners, array_agg(key_hash) AS hashes FROM (
                    SELECT owner_id, key_hash FROM draft_keys WHERE created_at <= $1 ORDER BY created_at LIMIT $2
                    FOR UPDATE) AS found) AS old
            CROSS JOIN LATERAL unnest(old.owners, old.hashes) AS o(owner_id, key_hash)
            WHERE t.owner_id = o.owner_id AND t.key_hash = o.key_hash;

-- events::INSERT
INSERT INTO events (id, app_id, installation_id, workspace_id, type, body, created_at, message_id, state, attempts, next_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0, 0, $9);

-- events::INSERT_ALL on SQLite
INSERT INTO events (id, app_id, installation_id, workspace_id, type, body, created_at, message_id, state, attempts, next_at) SELECT value->>'id', value->>'app_id', value->>'installation_id', value->>'workspace_id', value->>'type', value->>'body', value->>'created_at', value->>'message_id', 0, 0, value->>'next_at' FROM json_each($1);

-- events::INSERT_ALL on PostgreSQL
INSERT INTO events (id, app_id, installation_id, workspace_id, type, body, created_at, message_id, state, attempts, next_at) SELECT id, app_id, installation_id, workspace_id, type, body, created_at, message_id, 0, 0, next_at FROM json_populate_recordset(NULL::events, CAST(CAST($1 AS TEXT) AS JSON));

-- events::LISTENERS
SELECT i.id AS installation_id, i.app_id, i.scopes FROM installations i JOIN apps a ON a.id = i.app_id
        WHERE i.workspace_id = $1 AND i.connected = 1 AND a.callback_url IS NOT NULL ORDER BY i.id;

-- events::LISTENERS_IN on SQLite
SELECT i.id AS installation_id, i.app_id, i.scopes, w.value AS found_by
            FROM installations i JOIN apps a ON a.id = i.app_id CROSS JOIN json_each($2) AS w WHERE i.workspace_id = $1 AND i.connected = 1 AND a.callback_url IS NOT NULL
                AND (SELECT 1 FROM members m WHERE m.conversation_id = w.value AND m.user_id = i.bot_user_id
                    AND m.left_at IS NULL) = 1
            ORDER BY i.id;

-- events::LISTENERS_IN on PostgreSQL
SELECT i.id AS installation_id, i.app_id, i.scopes, w.value AS found_by
            FROM installations i JOIN apps a ON a.id = i.app_id CROSS JOIN unnest($2::bigint[]) AS w(value) WHERE i.workspace_id = $1 AND i.connected = 1 AND a.callback_url IS NOT NULL
                AND (SELECT 1 FROM members m WHERE m.conversation_id = w.value AND m.user_id = i.bot_user_id
                    AND m.left_at IS NULL) = 1
            ORDER BY i.id;

-- events::LISTENER_OF
SELECT i.id AS installation_id, i.app_id, i.scopes FROM installations i JOIN apps a ON a.id = i.app_id
        WHERE i.bot_user_id = $1 AND i.connected = 1 AND a.callback_url IS NOT NULL;

-- events::LISTENERS_OF on SQLite
SELECT i.id AS installation_id, i.app_id, i.scopes, i.bot_user_id AS found_by FROM json_each($1) j
            CROSS JOIN installations i ON i.bot_user_id = j.value AND i.connected = 1
            CROSS JOIN apps a ON a.id = i.app_id AND a.callback_url IS NOT NULL;

-- events::LISTENERS_OF on PostgreSQL
SELECT i.id AS installation_id, i.app_id, i.scopes, j.id AS found_by FROM unnest(CAST($1 AS BIGINT[])) AS j (id)
            CROSS JOIN LATERAL (SELECT id, app_id, scopes FROM installations
                WHERE bot_user_id = j.id AND connected = 1 LIMIT 1) AS i
            CROSS JOIN LATERAL (SELECT id FROM apps
                WHERE id = i.app_id AND callback_url IS NOT NULL LIMIT 1) AS a;

-- events::LISTENERS_BY_ID on SQLite
SELECT i.id AS installation_id, i.app_id, i.scopes, i.workspace_id AS found_by
            FROM installations i JOIN apps a ON a.id = i.app_id
            WHERE i.id IN (SELECT value FROM json_each($1)) AND a.callback_url IS NOT NULL ORDER BY i.id;

-- events::LISTENERS_BY_ID on PostgreSQL
SELECT i.id AS installation_id, i.app_id, i.scopes, i.workspace_id AS found_by
            FROM installations i JOIN apps a ON a.id = i.app_id
            WHERE i.id = ANY($1) AND a.callback_url IS NOT NULL ORDER BY i.id;

-- events::DROP_PENDING on SQLite
UPDATE events SET state = 3, drop_reason = 'disconnected', next_at = $4, log_seq = $5 WHERE state < 1 AND id IN (SELECT id FROM (SELECT id FROM events INDEXED BY events_first WHERE app_id = $1 AND state = 0 AND attempts = 0
                    AND installation_id IN (SELECT value FROM json_each($2)) AND type <> $3
                UNION ALL
                SELECT id FROM events INDEXED BY events_again WHERE app_id = $1 AND state = 0 AND attempts > 0
                    AND installation_id IN (SELECT value FROM json_each($2)) AND type <> $3
            ) AS pending LIMIT 1000);

-- events::DROP_PENDING on PostgreSQL
UPDATE events SET state = 3, drop_reason = 'disconnected', next_at = $4, log_seq = $5 WHERE state < 1 AND id = ANY(ARRAY(SELECT p.id
                FROM (SELECT CAST($1 AS BIGINT) AS app_id, id FROM unnest(CAST($2 AS BIGINT[])) AS i (id) OFFSET 0) AS j
                CROSS JOIN LATERAL ((SELECT id FROM events WHERE app_id = j.app_id AND installation_id = j.id AND state = 0 AND attempts = 0 AND type <> $3 ORDER BY next_at, id LIMIT 1000) UNION ALL (SELECT id FROM events WHERE app_id = j.app_id AND installation_id = j.id AND state = 0 AND attempts > 0 AND type <> $3 ORDER BY next_at, id LIMIT 1000)) AS p LIMIT 1000));

-- events::deliveries::DUE_FIRST on SQLite
SELECT d.id, d.installation_id, d.type, d.body, d.attempts, d.earlier, d.next_at, i.connected, a.callback_url,
                a.signing_secret, a.previous_signing_secret, a.signing_rotated_at
            FROM (SELECT e.id, e.installation_id, e.app_id, e.type, e.body, e.attempts,
                e.earlier, e.next_at FROM events e INDEXED BY events_first WHERE e.app_id = $1 AND e.state = 0 AND e.attempts = 0 AND e.installation_id = $2 AND (e.next_at, e.id) > ($3, $4) AND e.next_at <= $5 ORDER BY e.next_at, e.id LIMIT $6) d
            JOIN installations i ON i.id = d.installation_id
            JOIN apps a ON a.id = d.app_id
            ORDER BY d.installation_id, d.next_at, d.id;

-- events::deliveries::DUE_FIRST on PostgreSQL
SELECT d.id, d.installation_id, d.type, d.body, d.attempts, d.earlier, d.next_at, i.connected, a.callback_url,
                a.signing_secret, a.previous_signing_secret, a.signing_rotated_at
            FROM (SELECT e.id, e.installation_id, e.app_id, e.type, e.body, e.attempts,
                e.earlier, e.next_at FROM events e  WHERE e.app_id = $1 AND e.state = 0 AND e.attempts = 0 AND e.installation_id = $2 AND (e.next_at, e.id) > ($3, $4) AND e.next_at <= $5 ORDER BY e.next_at, e.id LIMIT $6) d
            JOIN installations i ON i.id = d.installation_id
            JOIN apps a ON a.id = d.app_id
            ORDER BY d.installation_id, d.next_at, d.id;

-- events::deliveries::DUE_AGAIN on SQLite
SELECT d.id, d.installation_id, d.type, d.body, d.attempts, d.earlier, d.next_at, i.connected, a.callback_url,
                a.signing_secret, a.previous_signing_secret, a.signing_rotated_at
            FROM (SELECT e.id, e.installation_id, e.app_id, e.type, e.body, e.attempts,
                e.earlier, e.next_at FROM events e INDEXED BY events_again WHERE e.app_id = $1 AND e.state = 0 AND e.attempts > 0 AND e.installation_id = $2 AND (e.next_at, e.id) > ($3, $4) AND e.next_at <= $5 ORDER BY e.next_at, e.id LIMIT $6) d
            JOIN installations i ON i.id = d.installation_id
            JOIN apps a ON a.id = d.app_id
            ORDER BY d.installation_id, d.next_at, d.id;

-- events::deliveries::DUE_AGAIN on PostgreSQL
SELECT d.id, d.installation_id, d.type, d.body, d.attempts, d.earlier, d.next_at, i.connected, a.callback_url,
                a.signing_secret, a.previous_signing_secret, a.signing_rotated_at
            FROM (SELECT e.id, e.installation_id, e.app_id, e.type, e.body, e.attempts,
                e.earlier, e.next_at FROM events e  WHERE e.app_id = $1 AND e.state = 0 AND e.attempts > 0 AND e.installation_id = $2 AND (e.next_at, e.id) > ($3, $4) AND e.next_at <= $5 ORDER BY e.next_at, e.id LIMIT $6) d
            JOIN installations i ON i.id = d.installation_id
            JOIN apps a ON a.id = d.app_id
            ORDER BY d.installation_id, d.next_at, d.id;

-- events::deliveries::DUE_FIRST_OF_MANY on SQLite
SELECT d.id, d.installation_id, d.type, d.body, d.attempts, d.earlier, d.next_at, i.connected, a.callback_url,
                a.signing_secret, a.previous_signing_secret, a.signing_rotated_at
            FROM json_each($2) AS w
            JOIN events d ON d.id IN (SELECT e.id FROM events e INDEXED BY events_first WHERE e.app_id = $1 AND e.state = 0 AND e.attempts = 0 AND e.installation_id = w.value AND (e.next_at, e.id)
                    > (json_extract($3, '$[' || w.key || ']'), json_extract($4, '$[' || w.key || ']'))
                AND e.next_at <= $5 ORDER BY e.next_at, e.id LIMIT $6)
            JOIN installations i ON i.id = d.installation_id
            JOIN apps a ON a.id = d.app_id
            ORDER BY d.installation_id, d.next_at, d.id;

-- events::deliveries::DUE_FIRST_OF_MANY on PostgreSQL
SELECT d.id, d.installation_id, d.type, d.body, d.attempts, d.earlier, d.next_at, i.connected, a.callback_url,
                a.signing_secret, a.previous_signing_secret, a.signing_rotated_at
            FROM unnest($2::bigint[], $3::bigint[], $4::bigint[]) AS w(installation_id, next_at, id)
            CROSS JOIN LATERAL (SELECT e.id, e.installation_id, e.app_id, e.type, e.body, e.attempts,
                e.earlier, e.next_at FROM events e  WHERE e.app_id = $1 AND e.state = 0 AND e.attempts = 0 AND e.installation_id = w.installation_id AND (e.next_at, e.id) > (w.next_at, w.id) AND e.next_at <= $5 ORDER BY e.next_at, e.id LIMIT $6) d
            JOIN installations i ON i.id = d.installation_id
            JOIN apps a ON a.id = d.app_id
            ORDER BY d.installation_id, d.next_at, d.id;

-- events::deliveries::DUE_AGAIN_OF_MANY on SQLite
SELECT d.id, d.installation_id, d.type, d.body, d.attempts, d.earlier, d.next_at, i.connected, a.callback_url,
                a.signing_secret, a.previous_signing_secret, a.signing_rotated_at
            FROM json_each($2) AS w
            JOIN events d ON d.id IN (SELECT e.id FROM events e INDEXED BY events_again WHERE e.app_id = $1 AND e.state = 0 AND e.attempts > 0 AND e.installation_id = w.value AND (e.next_at, e.id)
                    > (json_extract($3, '$[' || w.key || ']'), json_extract($4, '$[' || w.key || ']'))
                AND e.next_at <= $5 ORDER BY e.next_at, e.id LIMIT $6)
            JOIN installations i ON i.id = d.installation_id
            JOIN apps a ON a.id = d.app_id
            ORDER BY d.installation_id, d.next_at, d.id;

-- events::deliveries::DUE_AGAIN_OF_MANY on PostgreSQL
SELECT d.id, d.installation_id, d.type, d.body, d.attempts, d.earlier, d.next_at, i.connected, a.callback_url,
                a.signing_secret, a.previous_signing_secret, a.signing_rotated_at
            FROM unnest($2::bigint[], $3::bigint[], $4::bigint[]) AS w(installation_id, next_at, id)
            CROSS JOIN LATERAL (SELECT e.id, e.installation_id, e.app_id, e.type, e.body, e.attempts,
                e.earlier, e.next_at FROM events e  WHERE e.app_id = $1 AND e.state = 0 AND e.attempts > 0 AND e.installation_id = w.installation_id AND (e.next_at, e.id) > (w.next_at, w.id) AND e.next_at <= $5 ORDER BY e.next_at, e.id LIMIT $6) d
            JOIN installations i ON i.id = d.installation_id
            JOIN apps a ON a.id = d.app_id
            ORDER BY d.installation_id, d.next_at, d.id;

-- events::deliveries::INSTALLATIONS_FIRST on SQLite
WITH RECURSIVE steps(id, n) AS (
            SELECT (SELECT installation_id FROM events INDEXED BY events_first WHERE app_id = $1 AND state = 0 AND attempts = 0 AND installation_id > $2 ORDER BY installation_id, next_at, id LIMIT 1), 1
            UNION ALL
            SELECT (SELECT installation_id FROM events INDEXED BY events_first WHERE app_id = $1 AND state = 0 AND attempts = 0 AND installation_id > steps.id ORDER BY installation_id, next_at, id LIMIT 1), n + 1
            FROM steps WHERE steps.id IS NOT NULL AND n < $4
        )
        SELECT id, CASE WHEN (SELECT next_at FROM events INDEXED BY events_first WHERE app_id = $1 AND installation_id = steps.id AND state = 0 AND attempts = 0 ORDER BY next_at, id LIMIT 1) <= $3 THEN 1 ELSE 0 END
        FROM steps WHERE id IS NOT NULL ORDER BY id;

-- events::deliveries::INSTALLATIONS_FIRST on PostgreSQL
WITH RECURSIVE steps(id, n) AS (
            SELECT (SELECT installation_id FROM events  WHERE app_id = $1 AND state = 0 AND attempts = 0 AND installation_id > $2 ORDER BY installation_id, next_at, id LIMIT 1), 1
            UNION ALL
            SELECT (SELECT installation_id FROM events  WHERE app_id = $1 AND state = 0 AND attempts = 0 AND installation_id > steps.id ORDER BY installation_id, next_at, id LIMIT 1), n + 1
            FROM steps WHERE steps.id IS NOT NULL AND n < $4
        )
        SELECT id, CASE WHEN (SELECT next_at FROM events  WHERE app_id = $1 AND installation_id = steps.id AND state = 0 AND attempts = 0 ORDER BY next_at, id LIMIT 1) <= $3 THEN 1 ELSE 0 END
        FROM steps WHERE id IS NOT NULL ORDER BY id;

-- events::deliveries::INSTALLATIONS_AGAIN on SQLite
WITH RECURSIVE steps(id, n) AS (
            SELECT (SELECT installation_id FROM events INDEXED BY events_again WHERE app_id = $1 AND state = 0 AND attempts > 0 AND installation_id > $2 ORDER BY installation_id, next_at, id LIMIT 1), 1
            UNION ALL
            SELECT (SELECT installation_id FROM events INDEXED BY events_again WHERE app_id = $1 AND state = 0 AND attempts > 0 AND installation_id > steps.id ORDER BY installation_id, next_at, id LIMIT 1), n + 1
            FROM steps WHERE steps.id IS NOT NULL AND n < $4
        )
        SELECT id, CASE WHEN (SELECT next_at FROM events INDEXED BY events_again WHERE app_id = $1 AND installation_id = steps.id AND state = 0 AND attempts > 0 ORDER BY next_at, id LIMIT 1) <= $3 THEN 1 ELSE 0 END
        FROM steps WHERE id IS NOT NULL ORDER BY id;

-- events::deliveries::INSTALLATIONS_AGAIN on PostgreSQL
WITH RECURSIVE steps(id, n) AS (
            SELECT (SELECT installation_id FROM events  WHERE app_id = $1 AND state = 0 AND attempts > 0 AND installation_id > $2 ORDER BY installation_id, next_at, id LIMIT 1), 1
            UNION ALL
            SELECT (SELECT installation_id FROM events  WHERE app_id = $1 AND state = 0 AND attempts > 0 AND installation_id > steps.id ORDER BY installation_id, next_at, id LIMIT 1), n + 1
            FROM steps WHERE steps.id IS NOT NULL AND n < $4
        )
        SELECT id, CASE WHEN (SELECT next_at FROM events  WHERE app_id = $1 AND installation_id = steps.id AND state = 0 AND attempts > 0 ORDER BY next_at, id LIMIT 1) <= $3 THEN 1 ELSE 0 END
        FROM steps WHERE id IS NOT NULL ORDER BY id;

-- events::deliveries::DUE_APPS on SQLite
WITH RECURSIVE pending(id) AS (
            SELECT (SELECT app_id FROM events WHERE state = 0 ORDER BY app_id + 0, next_at, id LIMIT 1)
            UNION ALL
            SELECT (SELECT app_id FROM events WHERE state = 0 AND app_id + 0 > pending.id + 0
                ORDER BY app_id + 0, next_at, id LIMIT 1)
            FROM pending WHERE pending.id IS NOT NULL
        )
        SELECT id AS app_id, CASE WHEN EXISTS (
            SELECT 1 FROM event_leases l WHERE l.app_id = pending.id AND l.holder <> $2 AND l.until > CAST(unixepoch('subsec') * 1000000 AS INTEGER)) THEN 1 ELSE 0 END AS elsewhere
        FROM pending WHERE id IS NOT NULL AND
            (SELECT next_at FROM events WHERE state = 0 AND app_id + 0 = pending.id + 0
                ORDER BY next_at, id LIMIT 1) <= $1
        ORDER BY id;

-- events::deliveries::DUE_APPS on PostgreSQL
WITH RECURSIVE pending(id) AS (
            SELECT (SELECT app_id FROM events WHERE state = 0 ORDER BY app_id + 0, next_at, id LIMIT 1)
            UNION ALL
            SELECT (SELECT app_id FROM events WHERE state = 0 AND app_id + 0 > pending.id + 0
                ORDER BY app_id + 0, next_at, id LIMIT 1)
            FROM pending WHERE pending.id IS NOT NULL
        )
        SELECT id AS app_id, CASE WHEN EXISTS (
            SELECT 1 FROM event_leases l WHERE l.app_id = pending.id AND l.holder <> $2 AND l.until > CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)) THEN 1 ELSE 0 END AS elsewhere
        FROM pending WHERE id IS NOT NULL AND
            (SELECT next_at FROM events WHERE state = 0 AND app_id + 0 = pending.id + 0
                ORDER BY next_at, id LIMIT 1) <= $1
        ORDER BY id;

-- events::deliveries::RECORD on SQLite
UPDATE events AS e SET
            attempts = e.attempts + 1,
            state = CASE WHEN g.delivered = 1 THEN 1 WHEN e.state = 3 THEN 3
                WHEN CASE WHEN e.earlier = e.attempts THEN g.restarted_at ELSE g.retry_at END IS NULL THEN 2
                ELSE 0 END,
            drop_reason = CASE WHEN g.delivered = 1 THEN NULL ELSE e.drop_reason END,
            next_at = CASE WHEN g.delivered = 1 OR e.state = 3 THEN g.ended_at
                WHEN e.earlier = e.attempts THEN COALESCE(g.restarted_at, g.ended_at)
                ELSE COALESCE(g.retry_at, g.ended_at) END
        FROM (SELECT value->>0 AS event_id, value->>1 AS before, value->>2 AS delivered,
                value->>3 AS ended_at, value->>4 AS retry_at, value->>5 AS restarted_at FROM json_each($1)) AS g WHERE e.id = g.event_id AND e.attempts = g.before AND e.state IN (0, 3)
        RETURNING id, state, next_at, workspace_id;

-- events::deliveries::RECORD on PostgreSQL
UPDATE events AS e SET
            attempts = e.attempts + 1,
            state = CASE WHEN g.delivered = 1 THEN 1 WHEN e.state = 3 THEN 3
                WHEN CASE WHEN e.earlier = e.attempts THEN g.restarted_at ELSE g.retry_at END IS NULL THEN 2
                ELSE 0 END,
            drop_reason = CASE WHEN g.delivered = 1 THEN NULL ELSE e.drop_reason END,
            next_at = CASE WHEN g.delivered = 1 OR e.state = 3 THEN g.ended_at
                WHEN e.earlier = e.attempts THEN COALESCE(g.restarted_at, g.ended_at)
                ELSE COALESCE(g.retry_at, g.ended_at) END
        FROM (SELECT (v->>0)::bigint AS event_id, (v->>1)::bigint AS before,
                (v->>2)::bigint AS delivered, (v->>3)::bigint AS ended_at,
                (v->>4)::bigint AS retry_at, (v->>5)::bigint AS restarted_at
            FROM json_array_elements($1::text::json) AS v) AS g WHERE e.id = g.event_id AND e.attempts = g.before AND e.state IN (0, 3)
        RETURNING id, state, next_at, workspace_id;

-- events::deliveries::LOG on SQLite
INSERT INTO delivery_attempts (event_id, attempt, id, app_id, at, delivered, status, error, latency_ms, answer, next_attempt_at, workspace_id, log_seq) SELECT value->>'event_id', value->>'attempt', value->>'id', value->>'app_id', value->>'at', value->>'delivered', value->>'status', value->>'error', value->>'latency_ms', value->>'answer', value->>'next_attempt_at', value->>'workspace_id', value->>'log_seq' FROM json_each($1) WHERE true ON CONFLICT (event_id, attempt) DO NOTHING;

-- events::deliveries::LOG on PostgreSQL
INSERT INTO delivery_attempts (event_id, attempt, id, app_id, at, delivered, status, error, latency_ms, answer, next_attempt_at, workspace_id, log_seq) SELECT event_id, attempt, id, app_id, at, delivered, status, error, latency_ms, answer, next_attempt_at, workspace_id, log_seq FROM json_populate_recordset(NULL::delivery_attempts, CAST(CAST($1 AS TEXT) AS JSON)) ON CONFLICT (event_id, attempt) DO NOTHING;

-- events::deliveries::MOVE_BACK
UPDATE events SET next_at = next_at - $2 WHERE state = 0 AND next_at > $1;

-- events::deliveries::MOVE_BACK_LOGGED
UPDATE delivery_attempts SET next_attempt_at = next_attempt_at - $2
        WHERE next_attempt_at > $1
            AND (event_id, attempt) IN (SELECT id, attempts FROM events WHERE state = 0 AND attempts > 0);

-- events::deliveries::PENDING
SELECT COUNT(*) FROM (SELECT 1 FROM events WHERE state = 0 AND app_id + 0 > -1
        ORDER BY app_id + 0 LIMIT $1) AS pending;

-- events::delivery_log::PAGE
SELECT * FROM (
                SELECT d.id, d.event_id, e.type, e.workspace_id, e.installation_id, d.attempt,
                    CASE WHEN d.delivered = 1 THEN 1 ELSE 2 END AS state, d.status, d.error, d.latency_ms, d.answer,
                    d.at, d.next_attempt_at, e.created_at, d.log_seq
                FROM delivery_attempts d JOIN events e ON e.id = d.event_id
                WHERE d.app_id = $1 AND d.id < $2 AND 1 = 1 AND ($3 < 0 OR $3 = CASE WHEN d.delivered = 1 THEN 1 ELSE 2 END)
                    AND ($4 = '' OR e.type = $4) AND ($5 = 0 OR e.installation_id = $5)
                    AND d.at >= $6 AND d.at < $7 AND d.id >= $9
                ORDER BY d.id DESC LIMIT $8
            ) made
            UNION ALL
            SELECT * FROM (
                SELECT e.id, e.id AS event_id, e.type, e.workspace_id, e.installation_id, e.attempts + 1 AS attempt,
                    e.state, CAST(NULL AS BIGINT) AS status, e.drop_reason AS error,
                    CAST(NULL AS BIGINT) AS latency_ms, CAST(NULL AS TEXT) AS answer,
                    CAST(NULL AS BIGINT) AS at,
                    CASE WHEN e.state = 0 THEN e.next_at END AS next_attempt_at, e.created_at, e.log_seq
                FROM events e
                WHERE e.app_id = $1 AND e.id < $2 AND e.state IN (0, 3) AND 1 = 1 AND ($3 < 0 OR e.state = $3)
                    AND ($4 = '' OR e.type = $4) AND ($5 = 0 OR e.installation_id = $5)
                    AND e.created_at >= $6 AND e.created_at < $7 AND e.id >= $9
                ORDER BY e.id DESC LIMIT $8
            ) planned
            ORDER BY 1 DESC LIMIT $8;

-- events::delivery_log::SCAN_END
SELECT id, at FROM (
            SELECT * FROM (SELECT id, at FROM delivery_attempts WHERE app_id = $1 AND id < $2
                ORDER BY id DESC LIMIT 1 OFFSET $3) made
            UNION ALL
            SELECT * FROM (SELECT id, created_at AS at FROM events WHERE app_id = $1 AND id < $2 AND state IN (0, 3)
                ORDER BY id DESC LIMIT 1 OFFSET $3) planned
        ) AS reached ORDER BY id DESC LIMIT 1;

-- events::delivery_log::FOLLOW on SQLite
SELECT * FROM (
                SELECT d.id, d.event_id, e.type, e.workspace_id, e.installation_id, d.attempt,
                    CASE WHEN d.delivered = 1 THEN 1 ELSE 2 END AS state, d.status, d.error, d.latency_ms, d.answer,
                    d.at, d.next_attempt_at, e.created_at, d.log_seq
                FROM (SELECT * FROM (SELECT * FROM delivery_attempts WHERE app_id = $1 AND (log_seq, id) > ($2, $3)
                    ORDER BY log_seq, id LIMIT 1000) AS page ORDER BY log_seq, id LIMIT $4) d JOIN events e ON e.id = d.event_id
            ) made
            UNION ALL
            SELECT * FROM (
                SELECT e.id, e.id AS event_id, e.type, e.workspace_id, e.installation_id, e.attempts + 1 AS attempt,
                    e.state, CAST(NULL AS BIGINT) AS status, e.drop_reason AS error,
                    CAST(NULL AS BIGINT) AS latency_ms, CAST(NULL AS TEXT) AS answer, CAST(NULL AS BIGINT) AS at,
                    CAST(NULL AS BIGINT) AS next_attempt_at, e.created_at, e.log_seq
                FROM events e WHERE e.app_id = $1 AND e.state = 3 AND (e.log_seq, e.id) > ($2, $3)
                ORDER BY e.log_seq, e.id LIMIT 1000
            ) dropped
            ORDER BY 15, 1 LIMIT $4;

-- events::delivery_log::FOLLOW on PostgreSQL
SELECT * FROM (
                SELECT d.id, d.event_id, e.type, e.workspace_id, e.installation_id, d.attempt,
                    CASE WHEN d.delivered = 1 THEN 1 ELSE 2 END AS state, d.status, d.error, d.latency_ms, d.answer,
                    d.at, d.next_attempt_at, e.created_at, d.log_seq
                FROM (SELECT * FROM (SELECT * FROM delivery_attempts WHERE app_id = $1 AND (log_seq, id) > ($2, $3)
                    ORDER BY log_seq, id LIMIT 1000) AS page ORDER BY log_seq, id LIMIT $4) d CROSS JOIN LATERAL (SELECT * FROM events WHERE id = d.event_id LIMIT 1) e
            ) made
            UNION ALL
            SELECT * FROM (
                SELECT e.id, e.id AS event_id, e.type, e.workspace_id, e.installation_id, e.attempts + 1 AS attempt,
                    e.state, CAST(NULL AS BIGINT) AS status, e.drop_reason AS error,
                    CAST(NULL AS BIGINT) AS latency_ms, CAST(NULL AS TEXT) AS answer, CAST(NULL AS BIGINT) AS at,
                    CAST(NULL AS BIGINT) AS next_attempt_at, e.created_at, e.log_seq
                FROM events e WHERE e.app_id = $1 AND e.state = 3 AND (e.log_seq, e.id) > ($2, $3)
                ORDER BY e.log_seq, e.id LIMIT 1000
            ) dropped
            ORDER BY 15, 1 LIMIT $4;

-- events::delivery_log::INSPECT
SELECT e.id, e.installation_id, e.workspace_id, e.type, e.body, e.state, e.attempts, e.created_at, e.next_at,
                e.drop_reason, e.erased_at,
                (SELECT d.status FROM delivery_attempts d WHERE d.event_id = e.id ORDER BY d.attempt DESC LIMIT 1) AS status,
                (SELECT d.error FROM delivery_attempts d WHERE d.event_id = e.id ORDER BY d.attempt DESC LIMIT 1) AS error
            FROM events e WHERE e.app_id = $1 AND (e.created_at, e.id) < ($2, $3)
            ORDER BY e.created_at DESC, e.id DESC LIMIT $4;

-- events::delivery_log::INSPECT_ONE
SELECT e.id, e.installation_id, e.workspace_id, e.type, e.body, e.state, e.attempts, e.created_at, e.next_at,
                e.drop_reason, e.erased_at,
                (SELECT d.status FROM delivery_attempts d WHERE d.event_id = e.id ORDER BY d.attempt DESC LIMIT 1) AS status,
                (SELECT d.error FROM delivery_attempts d WHERE d.event_id = e.id ORDER BY d.attempt DESC LIMIT 1) AS error
            FROM events e WHERE e.id = $1 AND e.app_id = $2;

-- events::delivery_log::PAGE_OF_EVENT
SELECT * FROM (
                SELECT d.id, d.event_id, e.type, e.workspace_id, e.installation_id, d.attempt,
                    CASE WHEN d.delivered = 1 THEN 1 ELSE 2 END AS state, d.status, d.error, d.latency_ms, d.answer,
                    d.at, d.next_attempt_at, e.created_at, d.log_seq
                FROM delivery_attempts d JOIN events e ON e.id = d.event_id
                WHERE d.app_id = $1 AND d.id < $2 AND d.event_id = $10 AND ($3 < 0 OR $3 = CASE WHEN d.delivered = 1 THEN 1 ELSE 2 END)
                    AND ($4 = '' OR e.type = $4) AND ($5 = 0 OR e.installation_id = $5)
                    AND d.at >= $6 AND d.at < $7 AND d.id >= $9
                ORDER BY d.id DESC LIMIT $8
            ) made
            UNION ALL
            SELECT * FROM (
                SELECT e.id, e.id AS event_id, e.type, e.workspace_id, e.installation_id, e.attempts + 1 AS attempt,
                    e.state, CAST(NULL AS BIGINT) AS status, e.drop_reason AS error,
                    CAST(NULL AS BIGINT) AS latency_ms, CAST(NULL AS TEXT) AS answer,
                    CAST(NULL AS BIGINT) AS at,
                    CASE WHEN e.state = 0 THEN e.next_at END AS next_attempt_at, e.created_at, e.log_seq
                FROM events e
                WHERE e.app_id = $1 AND e.id < $2 AND e.state IN (0, 3) AND e.id = $10 AND ($3 < 0 OR e.state = $3)
                    AND ($4 = '' OR e.type = $4) AND ($5 = 0 OR e.installation_id = $5)
                    AND e.created_at >= $6 AND e.created_at < $7 AND e.id >= $9
                ORDER BY e.id DESC LIMIT $8
            ) planned
            ORDER BY 1 DESC LIMIT $8;

-- events::delivery_log::STORED on SQLite
SELECT e.id, e.app_id, e.installation_id, e.type, e.created_at, i.connected, e.erased_at FROM events e
            JOIN installations i ON i.id = e.installation_id WHERE e.id = $1;

-- events::delivery_log::STORED on PostgreSQL
SELECT e.id, e.app_id, e.installation_id, e.type, e.created_at, i.connected, e.erased_at FROM events e
            JOIN installations i ON i.id = e.installation_id WHERE e.id = $1 FOR UPDATE OF e;

-- events::delivery_log::STEP
SELECT created_at, id FROM events WHERE app_id = $1 AND 1 = 1 AND (created_at, id) > ($2, $3) AND created_at < $4 ORDER BY created_at, id LIMIT 1 OFFSET $5;

-- events::delivery_log::STEP_FAILED
SELECT created_at, id FROM events WHERE app_id = $1 AND state = 2 AND (created_at, id) > ($2, $3) AND created_at < $4 ORDER BY created_at, id LIMIT 1 OFFSET $5;

-- events::delivery_log::BETWEEN on SQLite
SELECT e.id, e.app_id, e.installation_id, e.type, e.created_at, i.connected, e.erased_at FROM events e
            JOIN installations i ON i.id = e.installation_id
            WHERE e.app_id = $1 AND (e.created_at, e.id) > ($2, $3) AND (e.created_at, e.id) <= ($4, $5) AND e.state <> 0 AND e.erased_at IS NULL AND ($6 = '' OR e.type = $6) AND (i.connected = 1 OR e.type = $7)
            ORDER BY e.created_at, e.id;

-- events::delivery_log::BETWEEN on PostgreSQL
SELECT e.id, e.app_id, e.installation_id, e.type, e.created_at, i.connected, e.erased_at FROM events e
            JOIN installations i ON i.id = e.installation_id
            WHERE e.app_id = $1 AND (e.created_at, e.id) > ($2, $3) AND (e.created_at, e.id) <= ($4, $5) AND e.state <> 0 AND e.erased_at IS NULL AND ($6 = '' OR e.type = $6) AND (i.connected = 1 OR e.type = $7)
            ORDER BY e.created_at, e.id FOR UPDATE OF e;

-- events::delivery_log::FAILED_BETWEEN on SQLite
SELECT e.id, e.app_id, e.installation_id, e.type, e.created_at, i.connected, e.erased_at FROM events e
            JOIN installations i ON i.id = e.installation_id
            WHERE e.app_id = $1 AND (e.created_at, e.id) > ($2, $3) AND (e.created_at, e.id) <= ($4, $5) AND e.state = 2 AND e.erased_at IS NULL AND ($6 = '' OR e.type = $6) AND (i.connected = 1 OR e.type = $7)
            ORDER BY e.created_at, e.id;

-- events::delivery_log::FAILED_BETWEEN on PostgreSQL
SELECT e.id, e.app_id, e.installation_id, e.type, e.created_at, i.connected, e.erased_at FROM events e
            JOIN installations i ON i.id = e.installation_id
            WHERE e.app_id = $1 AND (e.created_at, e.id) > ($2, $3) AND (e.created_at, e.id) <= ($4, $5) AND e.state = 2 AND e.erased_at IS NULL AND ($6 = '' OR e.type = $6) AND (i.connected = 1 OR e.type = $7)
            ORDER BY e.created_at, e.id FOR UPDATE OF e;

-- events::delivery_log::MAKE_PENDING on SQLite
UPDATE events SET state = 0, earlier = attempts, drop_reason = NULL, next_at = $2
            WHERE id IN (SELECT value FROM json_each($1));

-- events::delivery_log::MAKE_PENDING on PostgreSQL
UPDATE events SET state = 0, earlier = attempts, drop_reason = NULL, next_at = $2
            WHERE id = ANY($1);

-- events::delivery_log::FINISHED on SQLite
SELECT id FROM events WHERE state <> 0 AND next_at < $1 ORDER BY next_at LIMIT $2;

-- events::delivery_log::FINISHED on PostgreSQL
SELECT id FROM events WHERE state <> 0 AND next_at < $1 ORDER BY next_at LIMIT $2
            FOR UPDATE;

-- events::delivery_log::FORGET_ATTEMPTS on SQLite
DELETE FROM delivery_attempts WHERE event_id IN (SELECT value FROM json_each($1));

-- events::delivery_log::FORGET_ATTEMPTS on PostgreSQL
DELETE FROM delivery_attempts WHERE event_id = ANY($1);

-- events::delivery_log::FORGET_EVENTS on SQLite
DELETE FROM events WHERE id IN (SELECT value FROM json_each($1)) AND state <> 0;

-- events::delivery_log::FORGET_EVENTS on PostgreSQL
DELETE FROM events WHERE id = ANY($1) AND state <> 0;

-- events::drops::DROP_DISCONNECTED on SQLite
UPDATE events SET state = 3, drop_reason = 'disconnected', next_at = $4, log_seq = $6
            WHERE state < 1 AND id IN (SELECT id FROM (
                SELECT id FROM events INDEXED BY events_first WHERE app_id = $1 AND installation_id = $2 AND state = 0 AND attempts = 0
                    AND type <> $3
                UNION ALL
                SELECT id FROM events INDEXED BY events_again WHERE app_id = $1 AND installation_id = $2 AND state = 0 AND attempts > 0
                    AND type <> $3
            ) AS pending LIMIT $5) AND EXISTS (SELECT 1 FROM installations WHERE id = $2 AND connected = 0);

-- events::drops::DROP_DISCONNECTED on PostgreSQL
UPDATE events SET state = 3, drop_reason = 'disconnected', next_at = $4, log_seq = $6
            WHERE state < 1 AND id = ANY(ARRAY(SELECT id FROM (
                SELECT id FROM events  WHERE app_id = $1 AND installation_id = $2 AND state = 0 AND attempts = 0
                    AND type <> $3
                UNION ALL
                SELECT id FROM events  WHERE app_id = $1 AND installation_id = $2 AND state = 0 AND attempts > 0
                    AND type <> $3
            ) AS pending LIMIT $5)) AND EXISTS (SELECT 1 FROM installations WHERE id = $2 AND connected = 0);

-- events::drops::DROP_UNREACHABLE on SQLite
UPDATE events SET state = 3, drop_reason = 'no_callback_url', next_at = $2, log_seq = $4
            WHERE state < 1 AND id IN (SELECT id FROM events WHERE app_id + 0 = $1 AND state = 0 ORDER BY next_at, id LIMIT $3) AND EXISTS (SELECT 1 FROM apps WHERE id = $1 AND callback_url IS NULL);

-- events::drops::DROP_UNREACHABLE on PostgreSQL
UPDATE events SET state = 3, drop_reason = 'no_callback_url', next_at = $2, log_seq = $4
            WHERE state < 1 AND id = ANY(ARRAY(SELECT id FROM events WHERE app_id + 0 = $1 AND state = 0 ORDER BY next_at, id LIMIT $3)) AND EXISTS (SELECT 1 FROM apps WHERE id = $1 AND callback_url IS NULL);

-- events::drops::DROP_EXPIRED on SQLite
UPDATE events SET state = 3, drop_reason = 'expired', next_at = $3, log_seq = $5
            WHERE state < 1 AND id IN (SELECT id FROM events WHERE app_id + 0 = $1 AND state = 0 AND next_at < $2 ORDER BY next_at, id LIMIT $4);

-- events::drops::DROP_EXPIRED on PostgreSQL
UPDATE events SET state = 3, drop_reason = 'expired', next_at = $3, log_seq = $5
            WHERE state < 1 AND id = ANY(ARRAY(SELECT id FROM events WHERE app_id + 0 = $1 AND state = 0 AND next_at < $2 ORDER BY next_at, id LIMIT $4));

-- events::erasure::OF_MESSAGE
SELECT id, state, body FROM events WHERE message_id = $1 AND erased_at IS NULL
        ORDER BY state DESC, id DESC LIMIT $2;

-- events::erasure::FINISHED_OF on SQLite
SELECT e.id, e.state, e.body FROM json_each($1) AS m
            CROSS JOIN events e ON e.message_id = m.value AND e.erased_at IS NULL AND e.state > 0 LIMIT $2;

-- events::erasure::FINISHED_OF on PostgreSQL
SELECT e.id, e.state, e.body FROM unnest($1::bigint[]) AS m (id)
            CROSS JOIN LATERAL (SELECT id, state, body FROM events
                WHERE message_id = m.id AND erased_at IS NULL AND state > 0
                ORDER BY state, id LIMIT 1000) AS e LIMIT $2;

-- events::erasure::ERASE on SQLite
UPDATE events AS e SET body = g.body, erased_at = $2
            FROM (SELECT value->>0 AS id, value->>1 AS body FROM json_each($1)) AS g
            WHERE e.id = g.id AND e.state > 0 AND e.erased_at IS NULL;

-- events::erasure::ERASE on PostgreSQL
UPDATE events AS e SET body = g.body, erased_at = $2
            FROM (SELECT (v->>0)::bigint AS id, v->>1 AS body FROM json_array_elements($1::text::json) AS v) AS g
            WHERE e.id = g.id AND e.state > 0 AND e.erased_at IS NULL;

-- events::erasure::MARK
UPDATE deleted_messages SET in_events = 1 WHERE conversation_id = $1 AND id = $2;

-- events::erasure::MARKED
SELECT id FROM deleted_messages WHERE in_events = 1 AND id > $1 ORDER BY id LIMIT $2;

-- events::erasure::CLEAR on SQLite
UPDATE deleted_messages SET in_events = 0 WHERE id IN (SELECT value FROM json_each($1)) AND (SELECT e.id FROM events e WHERE e.message_id = deleted_messages.id AND e.erased_at IS NULL
                ORDER BY e.state, e.id LIMIT 1) IS NULL;

-- events::erasure::CLEAR on PostgreSQL
UPDATE deleted_messages SET in_events = 0 WHERE id = ANY($1) AND (SELECT e.id FROM events e WHERE e.message_id = deleted_messages.id AND e.erased_at IS NULL
                ORDER BY e.state, e.id LIMIT 1) IS NULL;

-- events::leases::HOLDER
SELECT holder FROM event_leases WHERE app_id = $1;

-- events::leases::CLAIM on SQLite
INSERT INTO event_leases (app_id, holder, until) VALUES ($1, $2, CAST(unixepoch('subsec') * 1000000 AS INTEGER) + $3)
            ON CONFLICT (app_id) DO UPDATE SET holder = excluded.holder, until = excluded.until
            WHERE event_leases.holder = excluded.holder OR event_leases.until <= CAST(unixepoch('subsec') * 1000000 AS INTEGER) RETURNING until;

-- events::leases::CLAIM on PostgreSQL
INSERT INTO event_leases (app_id, holder, until) VALUES ($1, $2, CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT) + $3)
            ON CONFLICT (app_id) DO UPDATE SET holder = excluded.holder, until = excluded.until
            WHERE event_leases.holder = excluded.holder OR event_leases.until <= CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT) RETURNING until;

-- events::leases::RELEASE
DELETE FROM event_leases WHERE app_id = $1 AND holder = $2;

-- events::leases::CLEAR
DELETE FROM event_leases;

-- files::INSERT
INSERT INTO files (id, workspace_id, owner_id, name, mimetype, size, created_at, deleted_at, purge_after, counted, unattached_until) VALUES ($1, $2, $3, $4, $5, $6, $7, NULL, NULL, 1, $8);

-- files::BY_ID
SELECT id, workspace_id, owner_id, name, mimetype, size, created_at, deleted_at FROM files WHERE id = $1;

-- files::DELETE
UPDATE files SET deleted_at = $2, purge_after = $3, unattached_until = NULL
        WHERE id = $1 AND deleted_at IS NULL;

-- files::BY_IDS on SQLite
SELECT id, workspace_id, owner_id, name, mimetype, size, created_at, deleted_at FROM files WHERE id IN (SELECT value FROM json_each($1));

-- files::BY_IDS on PostgreSQL
SELECT id, workspace_id, owner_id, name, mimetype, size, created_at, deleted_at FROM files WHERE id = ANY($1);

-- files::ATTACH on SQLite
UPDATE files SET unattached_until = NULL
            WHERE id IN (SELECT value FROM json_each($1)) AND deleted_at IS NULL AND unattached_until IS NOT NULL;

-- files::ATTACH on PostgreSQL
UPDATE files SET unattached_until = NULL
            WHERE id = ANY(ARRAY(SELECT id FROM files WHERE id = ANY($1) AND deleted_at IS NULL
                    AND unattached_until IS NOT NULL ORDER BY id FOR UPDATE))
                AND deleted_at IS NULL AND unattached_until IS NOT NULL;

-- files::DETACH on SQLite
UPDATE files SET unattached_until = $3
            WHERE id IN (SELECT file_id FROM message_files WHERE conversation_id = $1 AND message_id = $2)
                AND deleted_at IS NULL;

-- files::DETACH on PostgreSQL
UPDATE files SET unattached_until = $3
            WHERE id = ANY(ARRAY(SELECT id FROM files WHERE id = ANY(ARRAY(
                    SELECT file_id FROM message_files WHERE conversation_id = $1 AND message_id = $2))
                    AND deleted_at IS NULL ORDER BY id FOR UPDATE))
                AND deleted_at IS NULL;

-- files::DELETE_UNATTACHED on SQLite
UPDATE files SET unattached_until = NULL,
                deleted_at = CASE WHEN deleted_at IS NULL
                    AND (SELECT 1 FROM message_files WHERE file_id = files.id LIMIT 1) IS NULL
                    THEN $1 ELSE deleted_at END,
                purge_after = CASE WHEN deleted_at IS NULL
                    AND (SELECT 1 FROM message_files WHERE file_id = files.id LIMIT 1) IS NULL
                    THEN $3 ELSE purge_after END
            WHERE id IN (SELECT id FROM files
                    WHERE unattached_until <= $1 ORDER BY unattached_until LIMIT $2)
                AND unattached_until <= $1;

-- files::DELETE_UNATTACHED on PostgreSQL
UPDATE files SET unattached_until = NULL,
                deleted_at = CASE WHEN deleted_at IS NULL
                    AND (SELECT 1 FROM message_files WHERE file_id = files.id LIMIT 1) IS NULL
                    THEN $1 ELSE deleted_at END,
                purge_after = CASE WHEN deleted_at IS NULL
                    AND (SELECT 1 FROM message_files WHERE file_id = files.id LIMIT 1) IS NULL
                    THEN $3 ELSE purge_after END
            WHERE id = ANY(ARRAY(SELECT id FROM files
                    WHERE unattached_until <= $1 ORDER BY unattached_until LIMIT $2 FOR UPDATE))
                AND unattached_until <= $1;

-- files::TO_PURGE
SELECT id FROM files WHERE purge_after <= $1 ORDER BY purge_after LIMIT $2;

-- files::PURGED
UPDATE files SET purge_after = NULL WHERE id = $1;

-- files::PURGE_LATER
UPDATE files SET purge_after = $2 WHERE id = $1 AND purge_after IS NOT NULL;

-- files::LIMIT_PURGES
UPDATE files SET purge_after = $1 WHERE purge_after > $1;

-- files::LIMIT_UNATTACHED
UPDATE files SET unattached_until = $1 WHERE unattached_until > $1;

-- files::BEGIN_UPLOAD
INSERT INTO uploads (file_id, workspace_id, begun_at, parts, swept) VALUES ($1, $2, $3, NULL, 0);

-- files::NOTE_PARTS
UPDATE uploads SET parts = $2 WHERE file_id = $1;

-- files::END_UPLOAD
DELETE FROM uploads WHERE file_id = $1 AND swept = 0;

-- files::SWEEP on SQLite
UPDATE uploads SET swept = 1 WHERE file_id IN
                (SELECT file_id FROM uploads WHERE begun_at <= $1 ORDER BY begun_at LIMIT $2)
            RETURNING file_id, parts;

-- files::SWEEP on PostgreSQL
UPDATE uploads SET swept = 1 WHERE file_id = ANY(ARRAY(
                SELECT file_id FROM uploads WHERE begun_at <= $1 ORDER BY begun_at LIMIT $2))
            RETURNING file_id, parts;

-- files::SWEPT
DELETE FROM uploads WHERE file_id = $1 AND swept = 1;

-- files::SWEEP_LATER
UPDATE uploads SET begun_at = $2 WHERE file_id = $1 AND swept = 1;

-- files::usage::ADD
INSERT INTO file_usage (workspace_id, owner_id, bytes) VALUES ($1, $2, $3)
        ON CONFLICT (workspace_id, owner_id) DO UPDATE SET bytes = file_usage.bytes + excluded.bytes RETURNING bytes;

-- files::usage::ADD_ALL on SQLite
INSERT INTO file_usage (workspace_id, owner_id, bytes)
            SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each($1) WHERE true
            ON CONFLICT (workspace_id, owner_id) DO UPDATE SET bytes = file_usage.bytes + excluded.bytes;

-- files::usage::ADD_ALL on PostgreSQL
INSERT INTO file_usage (workspace_id, owner_id, bytes)
            SELECT CAST(value ->> 0 AS BIGINT), CAST(value ->> 1 AS BIGINT), CAST(value ->> 2 AS BIGINT)
            FROM json_array_elements(CAST(CAST($1 AS TEXT) AS JSON)) AS value
            ON CONFLICT (workspace_id, owner_id) DO UPDATE SET bytes = file_usage.bytes + excluded.bytes;

-- files::usage::BYTES
SELECT bytes FROM file_usage WHERE workspace_id = $1 AND owner_id = $2;

-- files::usage::COUNT on SQLite
UPDATE files
            SET counted = CASE WHEN deleted_at IS NOT NULL AND purge_after IS NULL THEN 2 ELSE 1 END
            WHERE id IN (SELECT id FROM files INDEXED BY files_uncounted WHERE counted = 0 ORDER BY id LIMIT $1)
            RETURNING workspace_id, owner_id, CASE WHEN counted = 1 THEN size ELSE 0 END AS bytes;

-- files::usage::COUNT on PostgreSQL
UPDATE files
            SET counted = CASE WHEN deleted_at IS NOT NULL AND purge_after IS NULL THEN 2 ELSE 1 END
            WHERE id = ANY(ARRAY(SELECT id FROM files WHERE counted = 0 ORDER BY id LIMIT $1 FOR UPDATE))
                AND counted = 0
            RETURNING workspace_id, owner_id, CASE WHEN counted = 1 THEN size ELSE 0 END AS bytes;

-- files::usage::SUBTRACT_DELETED on SQLite
UPDATE files SET counted = 2
            WHERE id IN (SELECT id FROM files INDEXED BY files_to_uncount
                WHERE counted = 1 AND deleted_at IS NOT NULL AND purge_after IS NULL ORDER BY id LIMIT $1)
            RETURNING workspace_id, owner_id, -size AS bytes;

-- files::usage::SUBTRACT_DELETED on PostgreSQL
UPDATE files SET counted = 2
            WHERE id = ANY(ARRAY(SELECT id FROM files
                WHERE counted = 1 AND deleted_at IS NOT NULL AND purge_after IS NULL ORDER BY id LIMIT $1 FOR UPDATE))
            RETURNING workspace_id, owner_id, -size AS bytes;

-- guesses::HOLD
INSERT INTO guesses (subject, failures, until, forgotten_at) VALUES ($1, 0, 0, $2)
        ON CONFLICT (subject) DO UPDATE SET forgotten_at = excluded.forgotten_at RETURNING failures, until;

-- guesses::SET
UPDATE guesses SET failures = $2, until = $3, forgotten_at = $4 WHERE subject = $1;

-- guesses::CLEAR
DELETE FROM guesses WHERE subject = $1;

-- guesses::PURGE on SQLite
DELETE FROM guesses WHERE subject IN
            (SELECT subject FROM guesses WHERE forgotten_at <= $1 ORDER BY forgotten_at LIMIT $2);

-- guesses::PURGE on PostgreSQL
DELETE FROM guesses WHERE subject = ANY(ARRAY(
            SELECT subject FROM guesses WHERE forgotten_at <= $1 ORDER BY forgotten_at LIMIT $2
            FOR UPDATE SKIP LOCKED));

-- guesses::MOVE_BACK
UPDATE guesses SET until = CASE WHEN until > $1 THEN until - $2 ELSE until END,
            forgotten_at = forgotten_at - $2
        WHERE forgotten_at > $1;

-- guesses::KNOWN
SELECT place FROM sign_in_places WHERE account_id = $1 AND place IN ($2, $3);

-- guesses::STORE_KNOWN_LOCATION
INSERT INTO sign_in_places (account_id, place, used_at) VALUES ($1, $2, $3)
        ON CONFLICT (account_id, place) DO UPDATE SET used_at = excluded.used_at;

-- guesses::PURGE_KNOWN_LOCATIONS on SQLite
DELETE FROM sign_in_places WHERE (account_id, place) IN
            (SELECT account_id, place FROM sign_in_places WHERE used_at <= $1 ORDER BY used_at LIMIT $2);

-- guesses::PURGE_KNOWN_LOCATIONS on PostgreSQL
DELETE FROM sign_in_places t USING (
                SELECT array_agg(account_id) AS accounts, array_agg(place) AS places FROM (
                    SELECT account_id, place FROM sign_in_places WHERE used_at <= $1 ORDER BY used_at LIMIT $2
                    FOR UPDATE SKIP LOCKED) AS found) AS old
            CROSS JOIN LATERAL unnest(old.accounts, old.places) AS o(account_id, place)
            WHERE t.account_id = o.account_id AND t.place = o.place;

-- job_leases::CLAIM on SQLite
INSERT INTO job_leases (job, holder, until, next_at) VALUES ($1, $2, CAST(unixepoch('subsec') * 1000000 AS INTEGER) + $3, CAST(unixepoch('subsec') * 1000000 AS INTEGER) + $4)
            ON CONFLICT (job) DO UPDATE SET holder = excluded.holder, until = excluded.until, next_at = excluded.next_at
            WHERE (job_leases.until <= CAST(unixepoch('subsec') * 1000000 AS INTEGER) AND job_leases.next_at <= CAST(unixepoch('subsec') * 1000000 AS INTEGER)) OR job_leases.holder = excluded.holder
            RETURNING until;

-- job_leases::CLAIM on PostgreSQL
INSERT INTO job_leases (job, holder, until, next_at) VALUES ($1, $2, CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT) + $3, CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT) + $4)
            ON CONFLICT (job) DO UPDATE SET holder = excluded.holder, until = excluded.until, next_at = excluded.next_at
            WHERE (job_leases.until <= CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT) AND job_leases.next_at <= CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)) OR job_leases.holder = excluded.holder
            RETURNING until;

-- job_leases::CANCEL
UPDATE job_leases SET until = 0, next_at = 0 WHERE job = $1 AND holder = $2;

-- job_leases::RELEASE
UPDATE job_leases SET until = 0 WHERE job = $1 AND holder = $2;

-- keys::CLAIM_SEND
INSERT INTO send_keys (bot_id, key_hash, fingerprint, conversation_id, message_id, created_at,
            workspace_id)
        VALUES ($1, $2, $3, $4, $5, $6, $8)
        ON CONFLICT (bot_id, key_hash) DO UPDATE SET fingerprint = excluded.fingerprint,
            conversation_id = excluded.conversation_id, message_id = excluded.message_id,
            created_at = excluded.created_at
        WHERE send_keys.created_at <= $7;

-- keys::LIVE_SEND
SELECT fingerprint, conversation_id, message_id FROM send_keys
        WHERE bot_id = $1 AND key_hash = $2 AND created_at > $3;

-- keys::CLAIM_MESSAGE
INSERT INTO message_keys (conversation_id, key_hash, message_id, sender_id, fingerprint,
            workspace_id)
        VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (conversation_id, key_hash) DO NOTHING;

-- keys::OF_MESSAGE
SELECT message_id, sender_id, fingerprint FROM message_keys
        WHERE conversation_id = $1 AND key_hash = $2;

-- keys::WALK
SELECT bot_id, key_hash, created_at FROM send_keys
        WHERE (bot_id, key_hash) > ($1, $2) ORDER BY bot_id, key_hash LIMIT $3;

-- keys::PURGE
DELETE FROM send_keys
        WHERE (bot_id, key_hash) > ($1, $2) AND (bot_id, key_hash) <= ($3, $4) AND created_at <= $5;

-- keys::PURGE_OF_BOT
DELETE FROM send_keys
        WHERE bot_id = $1 AND key_hash > $2 AND key_hash <= $3 AND created_at <= $4;

-- locks::ACQUIRE on SQLite
SELECT value FROM json_each($1);

-- locks::ACQUIRE on PostgreSQL
SELECT pg_advisory_xact_lock(number) FROM unnest(CAST($1 AS BIGINT[])) AS number;

-- locks::SHARE on SQLite
SELECT $1;

-- locks::SHARE on PostgreSQL
SELECT pg_advisory_xact_lock_shared($1);

-- log_heads::NEXT on SQLite
INSERT INTO log_heads (log, owner, last) VALUES ($1, $2, CAST(unixepoch('subsec') * 1000000 AS INTEGER)) ON CONFLICT (log, owner) DO UPDATE SET last = MAX(log_heads.last + 1, excluded.last) RETURNING last;

-- log_heads::NEXT on PostgreSQL
INSERT INTO log_heads (log, owner, last) VALUES ($1, $2, CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)) ON CONFLICT (log, owner) DO UPDATE SET last = GREATEST(log_heads.last + 1, excluded.last) RETURNING last;

-- log_heads::NEXT_OF_MANY on SQLite
INSERT INTO log_heads (log, owner, last) SELECT $1, value, CAST(unixepoch('subsec') * 1000000 AS INTEGER) FROM json_each($2)
            WHERE true ORDER BY value ON CONFLICT (log, owner) DO UPDATE SET last = MAX(log_heads.last + 1, excluded.last) RETURNING owner, last;

-- log_heads::NEXT_OF_MANY on PostgreSQL
INSERT INTO log_heads (log, owner, last) SELECT $1, owner, CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)
            FROM unnest($2::bigint[]) AS o(owner) ORDER BY owner ON CONFLICT (log, owner) DO UPDATE SET last = GREATEST(log_heads.last + 1, excluded.last) RETURNING owner, last;

-- mcp_sessions::INSERT
INSERT INTO mcp_sessions (workspace_id, connection_id, protocol_version, client_name, client_version, url_elicitation, session_hash, created_at, last_used_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9);

-- mcp_sessions::FIND
SELECT connection_id, last_used_at, url_elicitation FROM mcp_sessions WHERE session_hash = $1;

-- mcp_sessions::USED on SQLite
UPDATE mcp_sessions SET last_used_at = j.used_at
            FROM (SELECT unhex(json_extract(value, '$[0]')) AS session_hash, json_extract(value, '$[1]') AS used_at
                FROM json_each($1)) AS j
            WHERE mcp_sessions.session_hash = j.session_hash AND mcp_sessions.last_used_at < j.used_at;

-- mcp_sessions::USED on PostgreSQL
WITH held AS MATERIALIZED (SELECT s.session_hash, j.used_at
                FROM (SELECT decode(value ->> 0, 'hex') AS session_hash, CAST(value ->> 1 AS BIGINT) AS used_at
                    FROM json_array_elements(CAST(CAST($1 AS TEXT) AS JSON)) AS value OFFSET 0) AS j
                CROSS JOIN LATERAL (SELECT session_hash FROM mcp_sessions
                    WHERE session_hash = j.session_hash AND last_used_at < j.used_at LIMIT 1 FOR UPDATE) AS s)
            UPDATE mcp_sessions SET last_used_at = held.used_at FROM held
            WHERE mcp_sessions.session_hash = held.session_hash;

-- mcp_sessions::DELETE
DELETE FROM mcp_sessions WHERE session_hash = $1 AND connection_id = $2;

-- mcp_sessions::DELETE_IDLE on SQLite
DELETE FROM mcp_sessions WHERE session_hash IN
            (SELECT session_hash FROM mcp_sessions WHERE last_used_at <= $1 ORDER BY last_used_at LIMIT $2);

-- mcp_sessions::DELETE_IDLE on PostgreSQL
DELETE FROM mcp_sessions WHERE session_hash = ANY(ARRAY(
            SELECT session_hash FROM mcp_sessions WHERE last_used_at <= $1 ORDER BY last_used_at LIMIT $2
            FOR UPDATE SKIP LOCKED));

-- messages::INSERT on SQLite
INSERT INTO messages (workspace_id, conversation_id, id, sender_id, type, text, thread_id, file_count, via_label, client_key, edited_at, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, NULL, $11);

-- messages::INSERT on PostgreSQL
WITH queued AS (INSERT INTO search_queue (message_id, workspace_id)
                SELECT CAST($3 AS BIGINT), CAST($1 AS BIGINT) WHERE CAST($5 AS BIGINT) <> 3 AND CAST($6 AS TEXT) <> '')
            INSERT INTO messages (workspace_id, conversation_id, id, sender_id, type, text, thread_id, file_count, via_label, client_key, edited_at, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, NULL, $11);

-- messages::INSERT_EXTRAS
INSERT INTO message_extras (message_id, workspace_id, blocks, metadata)
        VALUES ($1, $2, $3, $4)
        ON CONFLICT (message_id) DO UPDATE SET blocks = excluded.blocks, metadata = excluded.metadata;

-- messages::DELETE_EXTRAS
DELETE FROM message_extras WHERE message_id = $1;

-- messages::EXTRAS
SELECT blocks, metadata FROM message_extras WHERE message_id = $1;

-- messages::BY_ID
SELECT workspace_id, conversation_id, id, sender_id, type, text, thread_id, file_count, via_label, client_key, edited_at, created_at FROM messages WHERE id = $1;

-- messages::IN_CONVERSATION
SELECT workspace_id, conversation_id, id, sender_id, type, text, thread_id, file_count, via_label, client_key, edited_at, created_at FROM messages WHERE conversation_id = $1 AND id = $2;

-- messages::HISTORY on SQLite
SELECT m.id, m.sender_id, m.type, CASE WHEN m.type = 3 THEN NULL ELSE m.text END AS text,
            p.id AS thread_id,
            m.file_count, m.created_at
        FROM messages m
        LEFT JOIN messages p ON p.conversation_id = m.conversation_id AND p.id = m.thread_id AND p.id >= $2
        WHERE m.conversation_id = $1 AND m.id >= $2 AND m.id < $3
        ORDER BY m.id DESC LIMIT $4;

-- messages::HISTORY on PostgreSQL
SELECT m.id, m.sender_id, m.type, CASE WHEN m.type = 3 THEN NULL ELSE m.text END AS text,
            CASE WHEN m.thread_id >= $2 THEN (SELECT id FROM messages
                WHERE conversation_id = m.conversation_id AND id = m.thread_id LIMIT 1) END AS thread_id,
            m.file_count, m.created_at
        FROM (SELECT * FROM messages
            WHERE conversation_id = ANY(ARRAY[CAST($1 AS BIGINT)]) AND id >= $2 AND id < $3
            ORDER BY conversation_id DESC, id DESC LIMIT $4) AS m
        ORDER BY m.conversation_id DESC, m.id DESC;

-- messages::FILES_BETWEEN
SELECT message_id, file_id FROM message_files
        WHERE conversation_id = $1 AND message_id >= $2 AND message_id <= $3
        ORDER BY message_id, position;

-- messages::FULL_PAGE on SQLite
SELECT f.id, f.sender_id, f.type, f.text, f.thread_id, f.via_label,
                f.client_key, f.edited_at, f.created_at, f.deleted_at, e.blocks, e.metadata
            FROM (
                SELECT * FROM (SELECT * FROM (
                    SELECT id, sender_id, type, text, thread_id, via_label, client_key, edited_at,
                        created_at, CAST(NULL AS BIGINT) AS deleted_at
                    FROM messages WHERE conversation_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3) AS present
                UNION ALL
                SELECT * FROM (
                    SELECT id, sender_id, type, CAST(NULL AS TEXT) AS text, CAST(NULL AS BIGINT) AS thread_id,
                        CAST(NULL AS TEXT) AS via_label, CAST(NULL AS TEXT) AS client_key,
                        CAST(NULL AS BIGINT) AS edited_at, created_at, deleted_at
                    FROM deleted_messages WHERE conversation_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3) AS deleted) AS found
                ORDER BY id DESC LIMIT $3) AS f
            LEFT JOIN message_extras e ON e.message_id = f.id ORDER BY f.id DESC;

-- messages::FULL_PAGE on PostgreSQL
SELECT f.id, f.sender_id, f.type, f.text, f.thread_id, f.via_label,
                f.client_key, f.edited_at, f.created_at, f.deleted_at, e.blocks, e.metadata
            FROM (
                SELECT * FROM (SELECT * FROM (
                    SELECT id, sender_id, type, text, thread_id, via_label, client_key, edited_at,
                        created_at, CAST(NULL AS BIGINT) AS deleted_at
                    FROM messages WHERE (conversation_id, id) >= ($1, 0) AND (conversation_id, id) <= ($1, $2) AND id <> $2
                ORDER BY conversation_id DESC, id DESC LIMIT $3) AS present
                UNION ALL
                SELECT * FROM (
                    SELECT id, sender_id, type, CAST(NULL AS TEXT) AS text, CAST(NULL AS BIGINT) AS thread_id,
                        CAST(NULL AS TEXT) AS via_label, CAST(NULL AS TEXT) AS client_key,
                        CAST(NULL AS BIGINT) AS edited_at, created_at, deleted_at
                    FROM deleted_messages WHERE (conversation_id, id) >= ($1, 0) AND (conversation_id, id) <= ($1, $2) AND id <> $2
                ORDER BY conversation_id DESC, id DESC LIMIT $3) AS deleted) AS found
                ORDER BY id DESC LIMIT $3) AS f
            LEFT JOIN LATERAL (SELECT blocks, metadata FROM message_extras WHERE message_id = f.id LIMIT 1) AS e ON TRUE ORDER BY f.id DESC;

-- messages::EDIT
UPDATE messages SET text = $3, edited_at = $4 WHERE conversation_id = $1 AND id = $2;

-- messages::INSERT_EDIT
INSERT INTO message_edits (message_id, edited_at, number, text, blocks, workspace_id)
        SELECT $1, $2, COALESCE(MAX(number), 0) + 1, $3, $4, $5 FROM message_edits WHERE message_id = $1;

-- messages::DROP_EDITS
DELETE FROM message_edits WHERE message_id = $1 AND number IN (
            SELECT number FROM message_edits WHERE message_id = $1 AND number > 1
                AND number <= (SELECT MAX(number) FROM message_edits WHERE message_id = $1) - $2
            ORDER BY number LIMIT $3);

-- messages::EDITS_OF
SELECT message_id, edited_at, text, blocks FROM (
            SELECT * FROM (SELECT * FROM message_edits WHERE message_id = $1 AND number > 1
                ORDER BY number DESC LIMIT $2) AS newest
            UNION ALL SELECT * FROM message_edits WHERE message_id = $1 AND number = 1) AS kept
        ORDER BY number;

-- messages::DELETE
DELETE FROM messages WHERE conversation_id = $1 AND id = $2;

-- messages::DELETE_EDITS
DELETE FROM message_edits WHERE message_id = $1;

-- messages::DELETE_FILES
DELETE FROM message_files WHERE conversation_id = $1 AND message_id = $2;

-- messages::INSERT_DELETED
INSERT INTO deleted_messages (conversation_id, id, sender_id, type, created_at, deleted_at,
            workspace_id)
        VALUES ($1, $2, $3, $4, $5, $6, $7);

-- messages::INSERT_FILE
INSERT INTO message_files (conversation_id, message_id, position, file_id, workspace_id)
        VALUES ($1, $2, $3, $4, $5);

-- messages::CARRIES_FILE on SQLite
SELECT message_id FROM message_files INDEXED BY message_files_by_file
            WHERE file_id = $1 AND conversation_id = $2 AND message_id >= $3 LIMIT 1;

-- messages::CARRIES_FILE on PostgreSQL
SELECT next.message_id FROM (SELECT file_id, conversation_id, message_id FROM message_files
                WHERE (file_id, conversation_id, message_id) >= ($1, $2, $3)
                ORDER BY file_id, conversation_id, message_id LIMIT 1) AS next
            WHERE next.file_id = $1 AND next.conversation_id = $2;

-- messages::FIRST_AFTER on SQLite
SELECT COALESCE(MAX(id), -1) + 1 FROM (
                SELECT MAX(id) AS id FROM messages WHERE conversation_id = $1
                UNION ALL SELECT MAX(id) FROM deleted_messages WHERE conversation_id = $1) AS ids;

-- messages::FIRST_AFTER on PostgreSQL
SELECT COALESCE(MAX(id), -1) + 1 FROM (
                SELECT * FROM (SELECT id FROM messages
                    WHERE (conversation_id, id) >= ($1, 0) AND (conversation_id, id) <= ($1, 9223372036854775807)
                    ORDER BY conversation_id DESC, id DESC LIMIT 1) AS present
                UNION ALL
                SELECT * FROM (SELECT id FROM deleted_messages
                    WHERE (conversation_id, id) >= ($1, 0) AND (conversation_id, id) <= ($1, 9223372036854775807)
                    ORDER BY conversation_id DESC, id DESC LIMIT 1) AS deleted) AS ids;

-- messages::NEWEST_OF_BOT
SELECT workspace_id, conversation_id, id, sender_id, type, text, thread_id, file_count, via_label, client_key, edited_at, created_at FROM messages WHERE sender_id = $1 AND conversation_id IN
        (SELECT m.conversation_id FROM members m JOIN conversations c ON c.id = m.conversation_id
            LEFT JOIN conversations p ON p.id = c.parent_id
            WHERE m.user_id = $1 AND m.left_at IS NULL AND c.deleted_at IS NULL
                AND CASE WHEN p.id IS NULL THEN c.archived_at ELSE p.archived_at END IS NULL)
        ORDER BY id DESC LIMIT 1;

-- messages::HIGHEST_ID
SELECT COALESCE(MAX(id), 0) FROM (
            SELECT MAX(id) AS id FROM messages UNION ALL SELECT MAX(id) FROM deleted_messages
            UNION ALL SELECT MAX(id) FROM users UNION ALL SELECT MAX(id) FROM conversations
            UNION ALL SELECT MAX(id) FROM files UNION ALL SELECT MAX(id) FROM events
            UNION ALL SELECT MAX(id) FROM apps UNION ALL SELECT MAX(id) FROM installations
            UNION ALL SELECT MAX(id) FROM workspaces UNION ALL SELECT MAX(id) FROM accounts
            UNION ALL SELECT MAX(id) FROM drafts UNION ALL SELECT MAX(file_id) FROM uploads
            UNION ALL SELECT MAX(id) FROM connections UNION ALL SELECT MAX(id) FROM assistant_clients) AS ids;

-- messages::bot_send::CHANNEL on SQLite
SELECT i.connected, c.kind, c.workspace_id, c.deleted_at IS NOT NULL AS is_deleted,
                COALESCE(c.announcement_only, 0) AS announcement_only,
                CASE WHEN p.id IS NULL THEN c.archived_at ELSE p.archived_at END IS NOT NULL AS is_archived,
                CASE WHEN m.user_id IS NULL THEN NULL ELSE m.left_at IS NULL END AS is_member, COALESCE(c.floor_id, 0) AS floor, EXISTS (SELECT 1 FROM messages t WHERE t.conversation_id = c.id AND t.id = $3) AS has_thread
            FROM installations i
            LEFT JOIN conversations c ON c.id = $2
            LEFT JOIN conversations p ON p.id = c.parent_id
            LEFT JOIN members m ON m.conversation_id = c.id AND m.user_id = i.bot_user_id
            WHERE i.id = $1;

-- messages::bot_send::CHANNEL on PostgreSQL
SELECT i.connected, c.kind, c.workspace_id, c.deleted_at IS NOT NULL AS is_deleted,
                COALESCE(c.announcement_only, 0) AS announcement_only,
                CASE WHEN p.id IS NULL THEN c.archived_at ELSE p.archived_at END IS NOT NULL AS is_archived,
                CASE WHEN m.user_id IS NULL THEN NULL ELSE m.left_at IS NULL END AS is_member, COALESCE(GREATEST(c.floor_id, 1 + GREATEST(
            (SELECT h.id FROM messages h WHERE h.conversation_id = c.id ORDER BY h.id DESC LIMIT 1),
            (SELECT h.id FROM deleted_messages h WHERE h.conversation_id = c.id ORDER BY h.id DESC LIMIT 1))), 0) AS floor, EXISTS (SELECT 1 FROM messages t WHERE t.conversation_id = c.id AND t.id = $3) AS has_thread
            FROM installations i
            LEFT JOIN conversations c ON c.id = $2
            LEFT JOIN conversations p ON p.id = c.parent_id
            LEFT JOIN members m ON m.conversation_id = c.id AND m.user_id = i.bot_user_id
            WHERE i.id = $1;

-- messages::bot_send::ADDRESSEE on SQLite
SELECT i.connected, u.workspace_id, u.state, COALESCE(u.is_bot, 0) AS is_bot,
                COALESCE(u.is_external, 0) AS is_external, COALESCE(u.guest_visible, 0) AS guest_visible,
                COALESCE(u.email_visible, 0) AS email_visible,
                EXISTS (SELECT 1 FROM app_blocks b WHERE b.user_id = u.id AND b.app_id = i.app_id) AS has_blocked,
                d.conversation_id, 0 AS floor, EXISTS (SELECT 1 FROM messages t WHERE t.conversation_id = d.conversation_id AND t.id = $5) AS has_thread, EXISTS (SELECT 1 FROM former_pairs f WHERE f.low_user_id = $3 AND f.high_user_id = $4) AS has_former
            FROM installations i
            LEFT JOIN users u ON u.id = $2
            LEFT JOIN direct_pairs d ON d.low_user_id = $3 AND d.high_user_id = $4
            WHERE i.id = $1;

-- messages::bot_send::ADDRESSEE on PostgreSQL
SELECT i.connected, u.workspace_id, u.state, COALESCE(u.is_bot, 0) AS is_bot,
                COALESCE(u.is_external, 0) AS is_external, COALESCE(u.guest_visible, 0) AS guest_visible,
                COALESCE(u.email_visible, 0) AS email_visible,
                EXISTS (SELECT 1 FROM app_blocks b WHERE b.user_id = u.id AND b.app_id = i.app_id) AS has_blocked,
                d.conversation_id, COALESCE(1 + GREATEST(
            (SELECT h.id FROM messages h WHERE h.conversation_id = d.conversation_id ORDER BY h.id DESC LIMIT 1),
            (SELECT h.id FROM deleted_messages h WHERE h.conversation_id = d.conversation_id
                ORDER BY h.id DESC LIMIT 1)), 0) AS floor, EXISTS (SELECT 1 FROM messages t WHERE t.conversation_id = d.conversation_id AND t.id = $5) AS has_thread, EXISTS (SELECT 1 FROM former_pairs f WHERE f.low_user_id = $3 AND f.high_user_id = $4) AS has_former
            FROM installations i
            LEFT JOIN users u ON u.id = $2
            LEFT JOIN direct_pairs d ON d.low_user_id = $3 AND d.high_user_id = $4
            WHERE i.id = $1;

-- messages::bot_send::STORE on SQLite
SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13;

-- messages::bot_send::STORE on PostgreSQL
WITH claimed AS (
                INSERT INTO send_keys (bot_id, key_hash, fingerprint, conversation_id, message_id, created_at,
                    workspace_id)
                VALUES ($3, $6, $7, $1, $2, $9, $13)
                ON CONFLICT (bot_id, key_hash) DO UPDATE SET fingerprint = excluded.fingerprint,
                    conversation_id = excluded.conversation_id, message_id = excluded.message_id,
                    created_at = excluded.created_at
                WHERE send_keys.created_at <= $10
                RETURNING 1
            ), held AS (
                INSERT INTO message_keys (conversation_id, key_hash, message_id, sender_id, fingerprint,
                    workspace_id)
                SELECT $1, $6, $2, $3, $7, $13 WHERE EXISTS (SELECT 1 FROM claimed)
                ON CONFLICT (conversation_id, key_hash) DO NOTHING
                RETURNING 1
            ), stored AS (
                INSERT INTO messages (conversation_id, id, sender_id, type, text, thread_id, file_count, via_label,
                    client_key, edited_at, created_at, workspace_id)
                SELECT $1, $2, $3, 0, CAST($4 AS TEXT), CAST($5 AS BIGINT), 0, NULL, CAST($8 AS TEXT), NULL, $9, $13
                WHERE EXISTS (SELECT 1 FROM held)
                RETURNING id
            ), queued AS (
                INSERT INTO search_queue (message_id, workspace_id) SELECT id, $13 FROM stored
            ), extended AS (
                INSERT INTO message_extras (message_id, workspace_id, blocks, metadata)
                SELECT id, $13, CAST($11 AS TEXT), CAST($12 AS TEXT) FROM stored
                WHERE CAST($11 AS TEXT) IS NOT NULL OR CAST($12 AS TEXT) IS NOT NULL
            )
            SELECT EXISTS (SELECT 1 FROM claimed), EXISTS (SELECT 1 FROM held);

-- messages::bot_send_batch::CHANNELS on SQLite
SELECT $1, $2, $3, $4, $5, $6;

-- messages::bot_send_batch::CHANNELS on PostgreSQL
SELECT f.*, (SELECT 1 FROM send_keys k
                    WHERE k.bot_id = j.bot AND k.key_hash = j.key_hash AND k.created_at > j.cutoff LIMIT 1) IS NULL
                AND (SELECT 1 FROM message_keys h
                    WHERE h.conversation_id = j.destination AND h.key_hash = j.key_hash LIMIT 1) IS NULL AS key_is_free, j.place
            FROM unnest(CAST($1 AS BIGINT[]), CAST($2 AS BIGINT[]), CAST($3 AS BIGINT[]), CAST($4 AS BIGINT[]),
                CAST($5 AS BYTEA[]), CAST($6 AS BIGINT[])) WITH ORDINALITY AS j(installation, bot, destination, thread, key_hash, cutoff, place)
            CROSS JOIN LATERAL (SELECT i.connected, c.kind, c.workspace_id, c.deleted_at IS NOT NULL AS is_deleted,
                COALESCE(c.announcement_only, 0) AS announcement_only,
                CASE WHEN p.id IS NULL THEN c.archived_at ELSE p.archived_at END IS NOT NULL AS is_archived,
                CASE WHEN m.user_id IS NULL THEN NULL ELSE m.left_at IS NULL END AS is_member, COALESCE(GREATEST(c.floor_id, 1 + GREATEST(
            (SELECT h.id FROM messages h WHERE h.conversation_id = c.id ORDER BY h.id DESC LIMIT 1),
            (SELECT h.id FROM deleted_messages h WHERE h.conversation_id = c.id ORDER BY h.id DESC LIMIT 1))), 0) AS floor, EXISTS (SELECT 1 FROM messages t WHERE t.conversation_id = c.id AND t.id = j.thread) AS has_thread
            FROM installations i
            LEFT JOIN conversations c ON c.id = j.destination
            LEFT JOIN conversations p ON p.id = c.parent_id
            LEFT JOIN members m ON m.conversation_id = c.id AND m.user_id = i.bot_user_id
            WHERE i.id = j.installation LIMIT 1) AS f;

-- messages::bot_send_batch::ADDRESSEES on SQLite
SELECT $1, $2, $3, $4, $5, $6, $7, $8;

-- messages::bot_send_batch::ADDRESSEES on PostgreSQL
SELECT f.*, (SELECT 1 FROM send_keys k
                    WHERE k.bot_id = j.bot AND k.key_hash = j.key_hash AND k.created_at > j.cutoff LIMIT 1) IS NULL
                AND (SELECT 1 FROM message_keys h
                    WHERE h.conversation_id = f.conversation_id AND h.key_hash = j.key_hash LIMIT 1) IS NULL AS key_is_free, j.place
            FROM unnest(CAST($1 AS BIGINT[]), CAST($2 AS BIGINT[]), CAST($3 AS BIGINT[]), CAST($4 AS BIGINT[]),
                CAST($5 AS BYTEA[]), CAST($6 AS BIGINT[]), CAST($7 AS BIGINT[]), CAST($8 AS BIGINT[])) WITH ORDINALITY AS j(installation, bot, destination, thread, key_hash, cutoff, low, high, place)
            CROSS JOIN LATERAL (SELECT i.connected, u.workspace_id, u.state, COALESCE(u.is_bot, 0) AS is_bot,
                COALESCE(u.is_external, 0) AS is_external, COALESCE(u.guest_visible, 0) AS guest_visible,
                COALESCE(u.email_visible, 0) AS email_visible,
                EXISTS (SELECT 1 FROM app_blocks b WHERE b.user_id = u.id AND b.app_id = i.app_id) AS has_blocked,
                d.conversation_id, COALESCE(1 + GREATEST(
            (SELECT h.id FROM messages h WHERE h.conversation_id = d.conversation_id ORDER BY h.id DESC LIMIT 1),
            (SELECT h.id FROM deleted_messages h WHERE h.conversation_id = d.conversation_id
                ORDER BY h.id DESC LIMIT 1)), 0) AS floor, EXISTS (SELECT 1 FROM messages t WHERE t.conversation_id = d.conversation_id AND t.id = j.thread) AS has_thread, EXISTS (SELECT 1 FROM former_pairs f WHERE f.low_user_id = j.low AND f.high_user_id = j.high) AS has_former
            FROM installations i
            LEFT JOIN users u ON u.id = j.destination
            LEFT JOIN direct_pairs d ON d.low_user_id = j.low AND d.high_user_id = j.high
            WHERE i.id = j.installation LIMIT 1) AS f;

-- messages::bot_send_batch::STORE on SQLite
SELECT $1;

-- messages::bot_send_batch::STORE on PostgreSQL
WITH given AS MATERIALIZED (
                SELECT * FROM json_to_recordset(CAST(CAST($1 AS TEXT) AS JSON)) AS g(workspace BIGINT, bot BIGINT, key_hash BYTEA,
                    fingerprint BYTEA, conversation BIGINT, message BIGINT, now BIGINT, cutoff BIGINT, text TEXT,
                    thread BIGINT, key TEXT, blocks TEXT, metadata TEXT)
            ), claimed AS (
                INSERT INTO send_keys AS s (bot_id, key_hash, fingerprint, conversation_id, message_id, created_at,
                    workspace_id)
                SELECT bot, key_hash, fingerprint, conversation, message, now, workspace FROM given
                ON CONFLICT (bot_id, key_hash) DO UPDATE SET fingerprint = excluded.fingerprint,
                    conversation_id = excluded.conversation_id, message_id = excluded.message_id,
                    created_at = excluded.created_at
                WHERE s.created_at <= (SELECT min(cutoff) FROM given)
                RETURNING message_id
            ), held AS (
                INSERT INTO message_keys (conversation_id, key_hash, message_id, sender_id, fingerprint,
                    workspace_id)
                SELECT conversation, key_hash, message, bot, fingerprint, workspace FROM given
                WHERE message IN (SELECT message_id FROM claimed)
                ON CONFLICT (conversation_id, key_hash) DO NOTHING
                RETURNING message_id
            ), stored AS (
                INSERT INTO messages (conversation_id, id, sender_id, type, text, thread_id, file_count, via_label,
                    client_key, edited_at, created_at, workspace_id)
                SELECT conversation, message, bot, 0, text, thread, 0, NULL, key, NULL, now, workspace FROM given
                WHERE message IN (SELECT message_id FROM held)
                RETURNING id, workspace_id
            ), queued AS (
                INSERT INTO search_queue (message_id, workspace_id) SELECT id, workspace_id FROM stored
            ), extended AS (
                INSERT INTO message_extras (message_id, workspace_id, blocks, metadata)
                SELECT message, workspace, blocks, metadata FROM given
                WHERE message IN (SELECT id FROM stored) AND (blocks IS NOT NULL OR metadata IS NOT NULL)
            )
            SELECT c.message_id, c.message_id IN (SELECT id FROM stored) FROM claimed c;

-- messages::candidates::QUEUED
SELECT message_id FROM search_queue WHERE message_id < $1 AND message_id >= $2
        ORDER BY message_id DESC LIMIT $3;

-- messages::candidates::WALK on SQLite
SELECT rowid FROM message_index WHERE message_index MATCH $1 AND rowid < $2 AND rowid >= $3
            ORDER BY rowid DESC LIMIT $4;

-- messages::candidates::WALK on PostgreSQL
SELECT message_id FROM (
                SELECT message_id, words FROM message_index WHERE message_id < $2 AND message_id >= $3
                ORDER BY message_id DESC LIMIT 6000) AS newest
            WHERE words @@ CAST(CAST($1 AS TEXT) AS TSQUERY) ORDER BY message_id DESC LIMIT $4;

-- messages::candidates::EDGE on SQLite
SELECT rowid FROM message_index WHERE rowid < $1 AND rowid >= $2
            ORDER BY rowid DESC LIMIT 1 OFFSET 5999;

-- messages::candidates::EDGE on PostgreSQL
SELECT message_id FROM message_index WHERE message_id < $1 AND message_id >= $2
            ORDER BY message_id DESC LIMIT 1 OFFSET 5999;

-- messages::candidates::COLLECT on SQLite
SELECT rowid FROM message_index WHERE message_index MATCH $1 AND rowid < $2 AND rowid >= $3
            ORDER BY rowid DESC LIMIT $4;

-- messages::candidates::COLLECT on PostgreSQL
WITH hits AS MATERIALIZED (
                SELECT message_id FROM message_index WHERE words @@ CAST(CAST($1 AS TEXT) AS TSQUERY))
            SELECT message_id FROM hits WHERE message_id < $2 AND message_id >= $3
            ORDER BY message_id DESC LIMIT $4;

-- messages::candidates::OWN on SQLite
SELECT m.id FROM members b CROSS JOIN messages m ON m.conversation_id = b.conversation_id
              AND m.id >= max(b.visible_from, $2) AND m.id < $3
            WHERE b.user_id = $1 AND b.left_at IS NULL LIMIT $4;

-- messages::candidates::OWN on PostgreSQL
SELECT m.id FROM members b CROSS JOIN LATERAL (SELECT id FROM messages
                WHERE conversation_id = ANY(ARRAY[b.conversation_id]) AND id >= GREATEST(b.visible_from, $2) AND id < $3
                ORDER BY conversation_id DESC, id DESC LIMIT $4) AS m
            WHERE b.user_id = $1 AND b.left_at IS NULL LIMIT $4;

-- messages::candidates::WITH_WORDS on SQLite
SELECT value FROM json_each($1) WHERE $2 <> '' ORDER BY value DESC;

-- messages::candidates::WITH_WORDS on PostgreSQL
SELECT message_id FROM message_index
            WHERE message_id = ANY($1) AND words @@ CAST(CAST($2 AS TEXT) AS TSQUERY) ORDER BY message_id DESC;

-- messages::candidates::SEEN on SQLite
SELECT m.id FROM json_each($1) j CROSS JOIN messages m ON m.id = j.value
            CROSS JOIN members b ON b.conversation_id = m.conversation_id AND b.user_id = $2
            CROSS JOIN conversations v ON v.id = m.conversation_id
            LEFT JOIN users u ON u.id = m.sender_id
            WHERE b.left_at IS NULL AND m.id >= b.visible_from AND v.deleted_at IS NULL AND m.type <> 3
              AND m.created_at >= $3 AND m.created_at < $4
              AND ($5 IS NULL OR m.conversation_id = $5)
              AND ($6 IS NULL OR (m.sender_id = $6 AND (u.is_external = 0 OR u.guest_visible = 1)))
            ORDER BY m.id DESC LIMIT $7;

-- messages::candidates::SEEN on PostgreSQL
SELECT m.id FROM unnest(CAST($1 AS BIGINT[])) AS j (id)
            CROSS JOIN LATERAL (SELECT * FROM messages
                WHERE id = j.id AND type <> 3 AND created_at >= $3 AND created_at < $4 LIMIT 1) AS m
            CROSS JOIN LATERAL (SELECT visible_from FROM members
                WHERE conversation_id = m.conversation_id AND user_id = $2 AND left_at IS NULL LIMIT 1) AS b
            CROSS JOIN LATERAL (SELECT id FROM conversations
                WHERE id = m.conversation_id AND deleted_at IS NULL LIMIT 1) AS v
            LEFT JOIN LATERAL (SELECT is_external, guest_visible FROM users
                WHERE id = m.sender_id LIMIT 1) AS u ON TRUE
            WHERE m.id >= b.visible_from
              AND (CAST($5 AS BIGINT) IS NULL OR m.conversation_id = $5)
              AND (CAST($6 AS BIGINT) IS NULL
                OR (m.sender_id = $6 AND (u.is_external = 0 OR u.guest_visible = 1)))
            ORDER BY m.id DESC LIMIT $7;

-- messages::candidates::TEXTS on SQLite
SELECT m.id, m.text FROM json_each($1) j CROSS JOIN messages m ON m.id = j.value
            WHERE m.text IS NOT NULL;

-- messages::candidates::TEXTS on PostgreSQL
SELECT id, text FROM messages WHERE id = ANY($1) AND text IS NOT NULL;

-- messages::candidates::OPEN_TO on SQLite
SELECT conversation_id FROM members WHERE user_id = $1 AND left_at IS NULL LIMIT $2;

-- messages::candidates::OPEN_TO on PostgreSQL
SELECT conversation_id FROM members WHERE left_at IS NULL
                AND (user_id, conversation_id) >= ($1, 0)
                AND (user_id, conversation_id) <= ($1, 9223372036854775807)
            ORDER BY user_id, conversation_id LIMIT $2;

-- messages::changes::INSERT on SQLite
INSERT INTO message_changes (conversation_id, number, message_id, is_deleted, workspace_id)
            SELECT $1, CASE WHEN last < $4 THEN $4 ELSE last + 1 END, $2, $3, $5
            FROM (SELECT COALESCE(MAX(number), 0) AS last FROM message_changes WHERE conversation_id = $1);

-- messages::changes::INSERT on PostgreSQL
INSERT INTO message_changes (conversation_id, number, message_id, is_deleted, workspace_id)
            SELECT $1, GREATEST(last + 1, $4), $2, $3, $5
            FROM (SELECT COALESCE((SELECT number FROM message_changes
                WHERE (conversation_id, number) >= ($1, 0) AND (conversation_id, number) <= ($1, 9223372036854775807)
                ORDER BY conversation_id DESC, number DESC LIMIT 1), 0) AS last) AS newest;

-- messages::changes::INSERT_ALL on SQLite
INSERT INTO message_changes (conversation_id, number, message_id, is_deleted, workspace_id)
            SELECT conversation_id, CASE WHEN last < $2 THEN $2 ELSE last + 1 END + earlier, message_id, 0, $3
            FROM (SELECT json_extract(value, '$[0]') AS conversation_id, json_extract(value, '$[1]') AS message_id,
                json_extract(value, '$[2]') AS earlier,
                (SELECT COALESCE(MAX(number), 0) FROM message_changes
                    WHERE conversation_id = json_extract(value, '$[0]')) AS last
                FROM json_each($1)) AS j;

-- messages::changes::INSERT_ALL on PostgreSQL
INSERT INTO message_changes (conversation_id, number, message_id, is_deleted, workspace_id)
            SELECT j.conversation_id, GREATEST(newest.last + 1, $2) + j.earlier, j.message_id, 0, $3
            FROM (SELECT CAST(value ->> 0 AS BIGINT) AS conversation_id, CAST(value ->> 1 AS BIGINT) AS message_id,
                CAST(value ->> 2 AS BIGINT) AS earlier
                FROM json_array_elements(CAST(CAST($1 AS TEXT) AS JSON)) AS value OFFSET 0) AS j
            CROSS JOIN LATERAL (SELECT COALESCE((SELECT number FROM message_changes
                WHERE (conversation_id, number) >= (j.conversation_id, 0)
                    AND (conversation_id, number) <= (j.conversation_id, 9223372036854775807)
                ORDER BY conversation_id DESC, number DESC LIMIT 1), 0) AS last) AS newest;

-- messages::changes::AFTER on SQLite
SELECT number, message_id, is_deleted FROM message_changes
            WHERE conversation_id = $1 AND number > $2 ORDER BY number LIMIT $3;

-- messages::changes::AFTER on PostgreSQL
SELECT number, message_id, is_deleted FROM message_changes
            WHERE (conversation_id, number) >= ($1, $2) AND (conversation_id, number) <= ($1, 9223372036854775807)
                AND number <> $2
            ORDER BY conversation_id, number LIMIT $3;

-- messages::changes::NEWEST on SQLite
SELECT COALESCE((SELECT MAX(id) FROM messages WHERE conversation_id = $1), 0) AS message,
            COALESCE((SELECT MAX(number) FROM message_changes WHERE conversation_id = $1), 0) AS change;

-- messages::changes::NEWEST on PostgreSQL
SELECT COALESCE((SELECT id FROM messages
                WHERE (conversation_id, id) >= ($1, 0) AND (conversation_id, id) <= ($1, 9223372036854775807)
                ORDER BY conversation_id DESC, id DESC LIMIT 1), 0) AS message,
            COALESCE((SELECT number FROM message_changes
                WHERE (conversation_id, number) >= ($1, 0) AND (conversation_id, number) <= ($1, 9223372036854775807)
                ORDER BY conversation_id DESC, number DESC LIMIT 1), 0) AS change;

-- messages::changes::NEWEST_OF on SQLite
SELECT COALESCE((SELECT MAX(id) FROM messages WHERE conversation_id = j.value), 0) AS message,
            COALESCE((SELECT MAX(number) FROM message_changes WHERE conversation_id = j.value), 0) AS change,
            j.value AS conversation_id
            FROM json_each($1) j;

-- messages::changes::NEWEST_OF on PostgreSQL
SELECT COALESCE((SELECT id FROM messages
                WHERE (conversation_id, id) >= (j.id, 0) AND (conversation_id, id) <= (j.id, 9223372036854775807)
                ORDER BY conversation_id DESC, id DESC LIMIT 1), 0) AS message,
            COALESCE((SELECT number FROM message_changes
                WHERE (conversation_id, number) >= (j.id, 0) AND (conversation_id, number) <= (j.id, 9223372036854775807)
                ORDER BY conversation_id DESC, number DESC LIMIT 1), 0) AS change, j.id AS conversation_id
            FROM unnest(CAST($1 AS BIGINT[])) AS j (id);

-- messages::changes::CARRIERS
SELECT conversation_id, message_id FROM message_files
        WHERE file_id = $1 ORDER BY conversation_id, message_id LIMIT $2;

-- messages::changes::DELETE_OLD on SQLite
DELETE FROM message_changes WHERE (conversation_id, number) IN
            (SELECT conversation_id, number FROM message_changes WHERE number <= $1 ORDER BY number LIMIT $2);

-- messages::changes::DELETE_OLD on PostgreSQL
DELETE FROM message_changes t USING (
                SELECT array_agg(conversation_id) AS conversations, array_agg(number) AS numbers FROM (
                    SELECT conversation_id, number FROM message_changes WHERE number <= $1 ORDER BY number LIMIT $2
                    FOR UPDATE) AS found) AS old
            CROSS JOIN LATERAL unnest(old.conversations, old.numbers) AS o(conversation_id, number)
            WHERE t.conversation_id = o.conversation_id AND t.number = o.number;

-- messages::employee::HISTORY on SQLite
SELECT m.id, m.conversation_id,
                CASE WHEN u.is_external = 1 AND u.guest_visible = 0 THEN NULL ELSE m.sender_id END AS sender_id,
                m.sender_id AS author_id,
                CASE WHEN u.is_external = 1 AND u.guest_visible = 0 THEN NULL ELSE u.name END AS sender_name,
                u.is_bot AS sender_is_bot, m.type, CASE WHEN m.type = 3 THEN NULL ELSE m.text END AS text,
                p.id AS thread_id, m.file_count,
                m.via_label, m.edited_at, m.created_at
            FROM messages m LEFT JOIN users u ON u.id = m.sender_id LEFT JOIN messages p
                ON p.conversation_id = m.conversation_id AND p.id = m.thread_id AND p.id >= $2
            WHERE m.conversation_id = $1 AND m.id >= $3 AND m.id < $4 AND m.created_at >= $5 AND m.created_at < $6
            ORDER BY m.id DESC LIMIT $7;

-- messages::employee::HISTORY on PostgreSQL
SELECT m.id, m.conversation_id,
                CASE WHEN u.is_external = 1 AND u.guest_visible = 0 THEN NULL ELSE m.sender_id END AS sender_id,
                m.sender_id AS author_id,
                CASE WHEN u.is_external = 1 AND u.guest_visible = 0 THEN NULL ELSE u.name END AS sender_name,
                u.is_bot AS sender_is_bot, m.type, CASE WHEN m.type = 3 THEN NULL ELSE m.text END AS text,
                p.id AS thread_id, m.file_count,
                m.via_label, m.edited_at, m.created_at
            FROM (SELECT * FROM messages
                WHERE conversation_id = ANY(ARRAY[CAST($1 AS BIGINT)]) AND id >= $3 AND id < $4
                    AND created_at >= $5 AND created_at < $6
                ORDER BY conversation_id DESC, id DESC LIMIT $7) AS m LEFT JOIN LATERAL (SELECT name, is_bot, is_external, guest_visible FROM users
                WHERE id = m.sender_id LIMIT 1) AS u ON TRUE LEFT JOIN LATERAL (SELECT id FROM messages
                WHERE conversation_id = m.conversation_id AND id = m.thread_id AND id >= $2 LIMIT 1) AS p ON TRUE
            ORDER BY m.conversation_id DESC, m.id DESC;

-- messages::employee::NEWER on SQLite
SELECT m.id, m.conversation_id,
                CASE WHEN u.is_external = 1 AND u.guest_visible = 0 THEN NULL ELSE m.sender_id END AS sender_id,
                m.sender_id AS author_id,
                CASE WHEN u.is_external = 1 AND u.guest_visible = 0 THEN NULL ELSE u.name END AS sender_name,
                u.is_bot AS sender_is_bot, m.type, CASE WHEN m.type = 3 THEN NULL ELSE m.text END AS text,
                p.id AS thread_id, m.file_count,
                m.via_label, m.edited_at, m.created_at
            FROM messages m LEFT JOIN users u ON u.id = m.sender_id LEFT JOIN messages p
                ON p.conversation_id = m.conversation_id AND p.id = m.thread_id AND p.id >= $2
            WHERE m.conversation_id = $1 AND m.id > $3
            ORDER BY m.id LIMIT $4;

-- messages::employee::NEWER on PostgreSQL
SELECT m.id, m.conversation_id,
                CASE WHEN u.is_external = 1 AND u.guest_visible = 0 THEN NULL ELSE m.sender_id END AS sender_id,
                m.sender_id AS author_id,
                CASE WHEN u.is_external = 1 AND u.guest_visible = 0 THEN NULL ELSE u.name END AS sender_name,
                u.is_bot AS sender_is_bot, m.type, CASE WHEN m.type = 3 THEN NULL ELSE m.text END AS text,
                p.id AS thread_id, m.file_count,
                m.via_label, m.edited_at, m.created_at
            FROM (SELECT * FROM messages
                WHERE (conversation_id, id) >= ($1, $3)
                    AND (conversation_id, id) <= ($1, 9223372036854775807) AND id <> $3
                ORDER BY conversation_id, id LIMIT $4) AS m LEFT JOIN LATERAL (SELECT name, is_bot, is_external, guest_visible FROM users
                WHERE id = m.sender_id LIMIT 1) AS u ON TRUE LEFT JOIN LATERAL (SELECT id FROM messages
                WHERE conversation_id = m.conversation_id AND id = m.thread_id AND id >= $2 LIMIT 1) AS p ON TRUE
            ORDER BY m.conversation_id, m.id;

-- messages::employee::IN_CONVERSATION on SQLite
SELECT m.id, m.conversation_id,
                CASE WHEN u.is_external = 1 AND u.guest_visible = 0 THEN NULL ELSE m.sender_id END AS sender_id,
                m.sender_id AS author_id,
                CASE WHEN u.is_external = 1 AND u.guest_visible = 0 THEN NULL ELSE u.name END AS sender_name,
                u.is_bot AS sender_is_bot, m.type, CASE WHEN m.type = 3 THEN NULL ELSE m.text END AS text,
                p.id AS thread_id, m.file_count,
                m.via_label, m.edited_at, m.created_at
            FROM json_each($2) j CROSS JOIN messages m ON m.conversation_id = $1 AND m.id = j.value LEFT JOIN users u ON u.id = m.sender_id LEFT JOIN messages p ON p.conversation_id = m.conversation_id AND p.id = m.thread_id;

-- messages::employee::IN_CONVERSATION on PostgreSQL
SELECT m.id, m.conversation_id,
                CASE WHEN u.is_external = 1 AND u.guest_visible = 0 THEN NULL ELSE m.sender_id END AS sender_id,
                m.sender_id AS author_id,
                CASE WHEN u.is_external = 1 AND u.guest_visible = 0 THEN NULL ELSE u.name END AS sender_name,
                u.is_bot AS sender_is_bot, m.type, CASE WHEN m.type = 3 THEN NULL ELSE m.text END AS text,
                p.id AS thread_id, m.file_count,
                m.via_label, m.edited_at, m.created_at
            FROM unnest(CAST($2 AS BIGINT[])) AS j (id)
            CROSS JOIN LATERAL (SELECT * FROM messages WHERE conversation_id = $1 AND id = j.id LIMIT 1) AS m LEFT JOIN LATERAL (SELECT name, is_bot, is_external, guest_visible FROM users
                WHERE id = m.sender_id LIMIT 1) AS u ON TRUE LEFT JOIN LATERAL (SELECT id FROM messages
                WHERE conversation_id = m.conversation_id AND id = m.thread_id LIMIT 1) AS p ON TRUE;

-- messages::employee::BLOCKS_OF on SQLite
SELECT e.message_id, e.blocks FROM json_each($1) j CROSS JOIN message_extras e ON e.message_id = j.value
            WHERE e.blocks IS NOT NULL;

-- messages::employee::BLOCKS_OF on PostgreSQL
SELECT j.id, e.blocks FROM unnest(CAST($1 AS BIGINT[])) AS j (id)
            CROSS JOIN LATERAL (SELECT blocks FROM message_extras
                WHERE message_id = j.id AND blocks IS NOT NULL LIMIT 1) AS e;

-- messages::employee::NOTICE_TEXTS on SQLite
SELECT m.id, m.text FROM json_each($1) j CROSS JOIN messages m ON m.id = j.value
            WHERE m.type = 3 AND m.text IS NOT NULL;

-- messages::employee::NOTICE_TEXTS on PostgreSQL
SELECT j.id, m.text FROM unnest(CAST($1 AS BIGINT[])) AS j (id)
            CROSS JOIN LATERAL (SELECT text FROM messages
                WHERE id = j.id AND type = 3 AND text IS NOT NULL LIMIT 1) AS m;

-- messages::employee::THREAD on SQLite
SELECT m.id, m.conversation_id,
                CASE WHEN u.is_external = 1 AND u.guest_visible = 0 THEN NULL ELSE m.sender_id END AS sender_id,
                m.sender_id AS author_id,
                CASE WHEN u.is_external = 1 AND u.guest_visible = 0 THEN NULL ELSE u.name END AS sender_name,
                u.is_bot AS sender_is_bot, m.type, CASE WHEN m.type = 3 THEN NULL ELSE m.text END AS text,
                p.id AS thread_id, m.file_count,
                m.via_label, m.edited_at, m.created_at
            FROM (
                SELECT * FROM (
                    SELECT * FROM messages WHERE conversation_id = $1 AND thread_id = $8 AND id >= $3 AND id < $4
                        AND created_at >= $5 AND created_at < $6
                    ORDER BY id DESC LIMIT $7) AS replies
                UNION ALL
                SELECT * FROM messages WHERE conversation_id = $1 AND id = $8 AND id >= $3 AND id < $4
                    AND created_at >= $5 AND created_at < $6) AS m LEFT JOIN users u ON u.id = m.sender_id LEFT JOIN messages p ON p.conversation_id = m.conversation_id AND p.id = m.thread_id AND p.id >= $2
            ORDER BY m.id DESC LIMIT $7;

-- messages::employee::THREAD on PostgreSQL
SELECT m.id, m.conversation_id,
                CASE WHEN u.is_external = 1 AND u.guest_visible = 0 THEN NULL ELSE m.sender_id END AS sender_id,
                m.sender_id AS author_id,
                CASE WHEN u.is_external = 1 AND u.guest_visible = 0 THEN NULL ELSE u.name END AS sender_name,
                u.is_bot AS sender_is_bot, m.type, CASE WHEN m.type = 3 THEN NULL ELSE m.text END AS text,
                p.id AS thread_id, m.file_count,
                m.via_label, m.edited_at, m.created_at
            FROM (SELECT * FROM (
                SELECT * FROM (
                    SELECT * FROM messages WHERE conversation_id = ANY(ARRAY[CAST($1 AS BIGINT)])
                        AND thread_id = $8 AND id >= $3 AND id < $4 AND created_at >= $5 AND created_at < $6
                    ORDER BY conversation_id DESC, id DESC LIMIT $7) AS replies
                UNION ALL
                SELECT * FROM messages WHERE conversation_id = $1 AND id = $8 AND id >= $3 AND id < $4
                    AND created_at >= $5 AND created_at < $6) AS found
                ORDER BY id DESC LIMIT $7) AS m LEFT JOIN LATERAL (SELECT name, is_bot, is_external, guest_visible FROM users
                WHERE id = m.sender_id LIMIT 1) AS u ON TRUE LEFT JOIN LATERAL (SELECT id FROM messages
                WHERE conversation_id = m.conversation_id AND id = m.thread_id AND id >= $2 LIMIT 1) AS p ON TRUE
            ORDER BY m.id DESC;

-- messages::employee::BY_IDS on SQLite
SELECT m.id, m.conversation_id,
                CASE WHEN u.is_external = 1 AND u.guest_visible = 0 THEN NULL ELSE m.sender_id END AS sender_id,
                m.sender_id AS author_id,
                CASE WHEN u.is_external = 1 AND u.guest_visible = 0 THEN NULL ELSE u.name END AS sender_name,
                u.is_bot AS sender_is_bot, m.type, CASE WHEN m.type = 3 THEN NULL ELSE m.text END AS text,
                p.id AS thread_id, m.file_count,
                m.via_label, m.edited_at, m.created_at
            FROM json_each($1) j CROSS JOIN messages m ON m.id = j.value LEFT JOIN users u ON u.id = m.sender_id JOIN members b ON b.conversation_id = m.conversation_id AND b.user_id = $2
            LEFT JOIN messages p ON p.conversation_id = m.conversation_id AND p.id = m.thread_id
                AND p.id >= b.visible_from
            WHERE b.left_at IS NULL AND m.id >= b.visible_from;

-- messages::employee::BY_IDS on PostgreSQL
SELECT m.id, m.conversation_id,
                CASE WHEN u.is_external = 1 AND u.guest_visible = 0 THEN NULL ELSE m.sender_id END AS sender_id,
                m.sender_id AS author_id,
                CASE WHEN u.is_external = 1 AND u.guest_visible = 0 THEN NULL ELSE u.name END AS sender_name,
                u.is_bot AS sender_is_bot, m.type, CASE WHEN m.type = 3 THEN NULL ELSE m.text END AS text,
                p.id AS thread_id, m.file_count,
                m.via_label, m.edited_at, m.created_at
            FROM unnest(CAST($1 AS BIGINT[])) AS j (id)
            CROSS JOIN LATERAL (SELECT * FROM messages WHERE id = j.id LIMIT 1) AS m
            CROSS JOIN LATERAL (SELECT visible_from FROM members
                WHERE conversation_id = m.conversation_id AND user_id = $2 AND left_at IS NULL LIMIT 1) AS b LEFT JOIN LATERAL (SELECT name, is_bot, is_external, guest_visible FROM users
                WHERE id = m.sender_id LIMIT 1) AS u ON TRUE LEFT JOIN LATERAL (SELECT id FROM messages
                WHERE conversation_id = m.conversation_id AND id = m.thread_id AND id >= b.visible_from
                LIMIT 1) AS p ON TRUE
            WHERE m.id >= b.visible_from;

-- messages::employee::FILES_OF on SQLite
SELECT a.message_id, f.id, f.name, f.mimetype, f.size
            FROM json_each($1) j CROSS JOIN messages m ON m.id = j.value
            JOIN message_files a ON a.conversation_id = m.conversation_id AND a.message_id = m.id
            JOIN files f ON f.id = a.file_id
            WHERE f.deleted_at IS NULL ORDER BY a.message_id, a.position;

-- messages::employee::FILES_OF on PostgreSQL
SELECT a.message_id, f.id, f.name, f.mimetype, f.size
            FROM unnest(CAST($1 AS BIGINT[])) AS j (id)
            CROSS JOIN LATERAL (SELECT conversation_id, id FROM messages WHERE id = j.id LIMIT 1) AS m
            CROSS JOIN LATERAL (SELECT message_id, position, file_id FROM message_files
                WHERE conversation_id = m.conversation_id AND message_id = m.id OFFSET 0) AS a
            CROSS JOIN LATERAL (SELECT id, name, mimetype, size FROM files
                WHERE id = a.file_id AND deleted_at IS NULL LIMIT 1) AS f
            ORDER BY a.message_id, a.position;

-- messages::employee::OTHERS on SQLite
SELECT b.conversation_id, b.user_id, u.name
            FROM json_each($1) j CROSS JOIN members b ON b.conversation_id = j.value
            JOIN users u ON u.id = b.user_id
            WHERE b.user_id <> $2 AND (u.is_external = 0 OR u.guest_visible = 1);

-- messages::employee::OTHERS on PostgreSQL
SELECT j.id AS conversation_id, u.id AS user_id, u.name
            FROM unnest(CAST($1 AS BIGINT[])) AS j (id)
            CROSS JOIN LATERAL (SELECT user_id FROM members WHERE conversation_id = j.id OFFSET 0) AS b
            CROSS JOIN LATERAL (SELECT id, name FROM users
                WHERE id = b.user_id AND (is_external = 0 OR guest_visible = 1) LIMIT 1) AS u
            WHERE b.user_id <> $2;

-- messages::employee::LATEST on SQLite
SELECT b.conversation_id, (SELECT m.created_at FROM messages m
                WHERE m.conversation_id = b.conversation_id AND m.id >= b.visible_from
                ORDER BY m.id DESC LIMIT 1)
            FROM json_each($1) j CROSS JOIN members b ON b.conversation_id = j.value AND b.user_id = $2;

-- messages::employee::LATEST on PostgreSQL
SELECT j.id, (SELECT m.created_at FROM messages m
                WHERE m.conversation_id = ANY(ARRAY[j.id]) AND m.id >= b.visible_from
                ORDER BY m.conversation_id DESC, m.id DESC LIMIT 1)
            FROM unnest(CAST($1 AS BIGINT[])) AS j (id)
            CROSS JOIN LATERAL (SELECT visible_from FROM members
                WHERE conversation_id = j.id AND user_id = $2 LIMIT 1) AS b;

-- messages::employee::FILE_SEEN_AMONG on SQLite
SELECT COUNT(*), COALESCE(MAX(CASE WHEN b.left_at IS NULL AND v.deleted_at IS NULL
                AND a.message_id >= b.visible_from THEN 1 ELSE 0 END), 0)
            FROM (SELECT conversation_id, message_id FROM message_files WHERE file_id = $1 LIMIT $3) AS a
            LEFT JOIN members b ON b.conversation_id = a.conversation_id AND b.user_id = $2
            LEFT JOIN conversations v ON v.id = a.conversation_id;

-- messages::employee::FILE_SEEN_AMONG on PostgreSQL
SELECT COUNT(*), CAST(COALESCE(MAX(CASE WHEN a.message_id >= b.visible_from
                AND v.id IS NOT NULL THEN 1 ELSE 0 END), 0) AS BIGINT)
            FROM (SELECT conversation_id, message_id FROM message_files
                WHERE (file_id, conversation_id, message_id) >= ($1, 0, 0)
                    AND (file_id, conversation_id) <= ($1, 9223372036854775807)
                ORDER BY file_id, conversation_id, message_id LIMIT $3) AS a
            LEFT JOIN LATERAL (SELECT visible_from FROM members
                WHERE conversation_id = a.conversation_id AND user_id = $2 AND left_at IS NULL LIMIT 1) AS b ON TRUE
            LEFT JOIN LATERAL (SELECT id FROM conversations
                WHERE id = a.conversation_id AND deleted_at IS NULL LIMIT 1) AS v ON TRUE;

-- messages::employee::FILE_SEEN_IN on SQLite
SELECT b.conversation_id FROM members b
            CROSS JOIN conversations v ON v.id = b.conversation_id
            CROSS JOIN message_files a INDEXED BY message_files_by_file ON a.file_id = $1
                AND a.conversation_id = b.conversation_id AND a.message_id >= b.visible_from
            WHERE b.user_id = $2 AND b.left_at IS NULL AND v.deleted_at IS NULL LIMIT 1;

-- messages::employee::FILE_SEEN_IN on PostgreSQL
SELECT b.conversation_id
            FROM (SELECT conversation_id, visible_from FROM members
                WHERE user_id = $2 AND left_at IS NULL OFFSET 0) AS b
            CROSS JOIN LATERAL (SELECT file_id, conversation_id FROM message_files
                WHERE (file_id, conversation_id, message_id) >= ($1, b.conversation_id, b.visible_from)
                ORDER BY file_id, conversation_id, message_id LIMIT 1) AS next
            CROSS JOIN LATERAL (SELECT id FROM conversations
                WHERE id = b.conversation_id AND deleted_at IS NULL LIMIT 1) AS v
            WHERE next.file_id = $1 AND next.conversation_id = b.conversation_id
            LIMIT 1;

-- messages::search::QUEUE
INSERT INTO search_queue (message_id, workspace_id) VALUES ($1, $2);

-- messages::search::QUEUE_AGAIN
INSERT INTO search_queue (message_id, workspace_id) VALUES ($1, $2)
        ON CONFLICT (message_id) DO UPDATE SET message_id = excluded.message_id;

-- messages::search::UNQUEUE
DELETE FROM search_queue WHERE message_id = $1;

-- messages::search::REMOVE on SQLite
DELETE FROM message_index WHERE rowid = $1;

-- messages::search::REMOVE on PostgreSQL
DELETE FROM message_index WHERE message_id = $1;

-- messages::search::PURGE
INSERT INTO search_purges (conversation_id, after_id, workspace_id)
        SELECT id, 0, workspace_id FROM conversations WHERE id = $1 OR parent_id = $1
        ON CONFLICT (conversation_id) DO NOTHING;

-- messages::search::TAKE on SQLite
SELECT message_id FROM search_queue ORDER BY message_id DESC LIMIT $1;

-- messages::search::TAKE on PostgreSQL
SELECT message_id FROM search_queue ORDER BY message_id DESC LIMIT $1 FOR UPDATE SKIP LOCKED;

-- messages::search::UNQUEUE_MANY on SQLite
DELETE FROM search_queue WHERE message_id IN (SELECT value FROM json_each($1));

-- messages::search::UNQUEUE_MANY on PostgreSQL
DELETE FROM search_queue WHERE message_id = ANY($1);

-- messages::search::REMOVE_MANY on SQLite
DELETE FROM message_index WHERE rowid IN (SELECT value FROM json_each($1));

-- messages::search::REMOVE_MANY on PostgreSQL
DELETE FROM message_index WHERE message_id = ANY($1);

-- messages::search::INDEXABLE on SQLite
SELECT m.id, m.conversation_id, m.sender_id, m.text
            FROM json_each($1) j CROSS JOIN messages m ON m.id = j.value
            CROSS JOIN conversations v ON v.id = m.conversation_id
            WHERE m.type <> 3 AND m.text IS NOT NULL AND v.deleted_at IS NULL;

-- messages::search::INDEXABLE on PostgreSQL
SELECT m.id, m.conversation_id, m.sender_id, m.text
            FROM unnest(CAST($1 AS BIGINT[])) AS j (id)
            CROSS JOIN LATERAL (SELECT * FROM messages
                WHERE id = j.id AND type <> 3 AND text IS NOT NULL LIMIT 1) AS m
            CROSS JOIN LATERAL (SELECT id FROM conversations
                WHERE id = m.conversation_id AND deleted_at IS NULL LIMIT 1) AS v;

-- messages::search::ADD on SQLite
INSERT INTO message_index (rowid, words, tags)
            SELECT json_extract(value, '$.id'), json_extract(value, '$.words'), json_extract(value, '$.tags')
            FROM json_each($1);

-- messages::search::ADD on PostgreSQL
INSERT INTO message_index (message_id, words)
            SELECT CAST(d->>'id' AS BIGINT), CAST(d->>'words' AS TSVECTOR)
            FROM jsonb_array_elements(CAST(CAST($1 AS TEXT) AS JSONB)) d;

-- messages::search::WAITS
SELECT EXISTS (SELECT 1 FROM search_queue) OR EXISTS (SELECT 1 FROM search_purges);

-- messages::search::NEXT_PURGE on SQLite
SELECT conversation_id, after_id FROM search_purges ORDER BY conversation_id LIMIT 1;

-- messages::search::NEXT_PURGE on PostgreSQL
SELECT conversation_id, after_id FROM search_purges ORDER BY conversation_id LIMIT 1
            FOR UPDATE SKIP LOCKED;

-- messages::search::TO_PURGE on SQLite
SELECT id FROM messages WHERE conversation_id = $1 AND id > $2 ORDER BY id LIMIT $3;

-- messages::search::TO_PURGE on PostgreSQL
SELECT id FROM messages
            WHERE (conversation_id, id) >= ($1, $2) AND (conversation_id, id) <= ($1, 9223372036854775807)
                AND id <> $2
            ORDER BY conversation_id, id LIMIT $3;

-- messages::search::PURGED_TO
UPDATE search_purges SET after_id = $2 WHERE conversation_id = $1;

-- messages::search::PURGED
DELETE FROM search_purges WHERE conversation_id = $1;

-- position::POSITION on SQLite
SELECT NULL;

-- position::POSITION on PostgreSQL
SELECT (SELECT left(pg_walfile_name(l), 8) || ' ' || CAST(l AS TEXT) FROM (SELECT CASE
            WHEN pg_is_in_recovery() THEN NULL
            WHEN current_setting('synchronous_commit') = 'off' THEN pg_current_wal_insert_lsn()
            ELSE pg_current_wal_flush_lsn() END) AS p (l) WHERE l IS NOT NULL);

-- secrets::KEYS_FOR_UPDATE on SQLite
SELECT value FROM server_secrets WHERE name = $1;

-- secrets::KEYS_FOR_UPDATE on PostgreSQL
SELECT value FROM server_secrets WHERE name = $1 FOR UPDATE;

-- secrets::SET_OLDEST_COMPATIBLE
UPDATE schema_compatibility SET oldest_compatible = $2 WHERE version = $1 AND oldest_compatible <> $2;

-- secrets::ERASE_SUPERSEDED on SQLite
UPDATE apps SET previous_signing_secret = NULL
            WHERE id IN (SELECT id FROM apps WHERE previous_signing_secret IS NOT NULL AND signing_rotated_at <= $1
                ORDER BY signing_rotated_at LIMIT $2);

-- secrets::ERASE_SUPERSEDED on PostgreSQL
UPDATE apps SET previous_signing_secret = NULL
            WHERE id = ANY(ARRAY(SELECT id FROM apps WHERE previous_signing_secret IS NOT NULL
                AND signing_rotated_at <= $1 ORDER BY signing_rotated_at LIMIT $2 FOR UPDATE SKIP LOCKED));

-- secrets::rotate::APPS on SQLite
SELECT id, signing_secret, previous_signing_secret FROM apps WHERE id > $1 ORDER BY id LIMIT $2;

-- secrets::rotate::APPS on PostgreSQL
SELECT id, signing_secret, previous_signing_secret FROM apps WHERE id > $1 ORDER BY id LIMIT $2
            FOR UPDATE;

-- secrets::rotate::SET_SECRETS
UPDATE apps SET signing_secret = $2, previous_signing_secret = $3 WHERE id = $1;

-- server::SECRET
SELECT value FROM server_secrets WHERE name = $1;

-- server::INSERT_SECRET
INSERT INTO server_secrets (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING;

-- server::STATE
SELECT value FROM server_state WHERE name = $1;

-- server::COUNT
INSERT INTO server_state (name, value) VALUES ($1, 1)
        ON CONFLICT (name) DO UPDATE SET value = server_state.value + 1 RETURNING value;

-- server::ADD_STATE
INSERT INTO server_state (name, value) VALUES ($1, $2)
        ON CONFLICT (name) DO UPDATE SET value =
            CASE WHEN server_state.value > 9223372036854775807 - excluded.value THEN 9223372036854775807
            ELSE server_state.value + excluded.value END
        RETURNING value;

-- server::SET_STATE
INSERT INTO server_state (name, value) VALUES ($1, $2)
        ON CONFLICT (name) DO UPDATE SET value = excluded.value;

-- server::SET_SECRET
INSERT INTO server_secrets (name, value) VALUES ($1, $2)
        ON CONFLICT (name) DO UPDATE SET value = excluded.value;

-- server::FORGET_SECRET
DELETE FROM server_secrets WHERE name = $1;

-- server::FORGET_STATE
DELETE FROM server_state WHERE name = $1;

-- tool_calls::INSERT
INSERT INTO tool_calls (id, workspace_id, user_id, connection_id, client_id, display_name, tool, outcome, error_code, targets, more_targets, took, at, log_seq, client_hash) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) ON CONFLICT (workspace_id, at, id) DO NOTHING;

-- tool_calls::INSERT_ALL on SQLite
SELECT $1;

-- tool_calls::INSERT_ALL on PostgreSQL
INSERT INTO tool_calls (id, workspace_id, user_id, connection_id, client_id, display_name, tool, outcome, error_code, targets, more_targets, took, at, log_seq, client_hash) SELECT id, workspace_id, user_id, connection_id, client_id, display_name, tool, outcome, error_code, targets, more_targets, took, at, log_seq, client_hash FROM json_populate_recordset(NULL::tool_calls, CAST(CAST($1 AS TEXT) AS JSON)) ON CONFLICT (workspace_id, at, id) DO NOTHING;

-- tool_calls::PAGE on SQLite
SELECT id, workspace_id, user_id, connection_id, client_id, display_name, tool, outcome, error_code, targets, more_targets, took, at, log_seq FROM tool_calls  WHERE workspace_id = $1 AND (at, id) < ($2, $3) AND at >= $4 AND ($6 < 0 OR user_id = $6)
                AND ($8 = '' OR (client_hash = $7 AND client_id = $8)) AND ($9 < 0 OR connection_id = $9)
                AND ($10 = '' OR tool = $10) AND ($11 < 0 OR outcome = $11)
            ORDER BY at DESC, id DESC LIMIT $5;

-- tool_calls::PAGE on PostgreSQL
SELECT id, workspace_id, user_id, connection_id, client_id, display_name, tool, outcome, error_code, targets, more_targets, took, at, log_seq FROM (SELECT * FROM tool_calls WHERE workspace_id = $1 AND (at, id) <= ($2, $3) AND at >= $4
                AND CASE WHEN at = $2 AND id = $3 THEN FALSE
                    WHEN workspace_id <> $1 THEN FALSE
                    WHEN $6 >= 0 AND user_id <> $6 THEN FALSE
                    WHEN $8 <> '' AND (client_hash <> $7 OR client_id <> $8) THEN FALSE
                    WHEN $9 >= 0 AND connection_id <> $9 THEN FALSE
                    WHEN $10 <> '' AND tool <> $10 THEN FALSE
                    WHEN $11 >= 0 AND outcome <> $11 THEN FALSE
                    ELSE TRUE END
                ORDER BY at DESC, id DESC LIMIT 201
            ) AS page ORDER BY at DESC, id DESC LIMIT $5;

-- tool_calls::PAGE_OF_USER on SQLite
SELECT id, workspace_id, user_id, connection_id, client_id, display_name, tool, outcome, error_code, targets, more_targets, took, at, log_seq FROM tool_calls INDEXED BY tool_calls_by_user WHERE user_id = $6 AND +workspace_id = $1 AND (at, id) < ($2, $3) AND at >= $4 AND ($6 < 0 OR user_id = $6)
                AND ($8 = '' OR (client_hash = $7 AND client_id = $8)) AND ($9 < 0 OR connection_id = $9)
                AND ($10 = '' OR tool = $10) AND ($11 < 0 OR outcome = $11)
            ORDER BY at DESC, id DESC LIMIT $5;

-- tool_calls::PAGE_OF_USER on PostgreSQL
SELECT id, workspace_id, user_id, connection_id, client_id, display_name, tool, outcome, error_code, targets, more_targets, took, at, log_seq FROM (SELECT * FROM tool_calls WHERE user_id = $6 AND (at, id) <= ($2, $3) AND at >= $4
                AND CASE WHEN at = $2 AND id = $3 THEN FALSE
                    WHEN workspace_id <> $1 THEN FALSE
                    WHEN $6 >= 0 AND user_id <> $6 THEN FALSE
                    WHEN $8 <> '' AND (client_hash <> $7 OR client_id <> $8) THEN FALSE
                    WHEN $9 >= 0 AND connection_id <> $9 THEN FALSE
                    WHEN $10 <> '' AND tool <> $10 THEN FALSE
                    WHEN $11 >= 0 AND outcome <> $11 THEN FALSE
                    ELSE TRUE END
                ORDER BY at DESC, id DESC LIMIT 201
            ) AS page ORDER BY at DESC, id DESC LIMIT $5;

-- tool_calls::PAGE_OF_CLIENT on SQLite
SELECT id, workspace_id, user_id, connection_id, client_id, display_name, tool, outcome, error_code, targets, more_targets, took, at, log_seq FROM tool_calls INDEXED BY tool_calls_by_client WHERE workspace_id = $1 AND client_hash = $7 AND (at, id) < ($2, $3) AND at >= $4 AND ($6 < 0 OR user_id = $6)
                AND ($8 = '' OR (client_hash = $7 AND client_id = $8)) AND ($9 < 0 OR connection_id = $9)
                AND ($10 = '' OR tool = $10) AND ($11 < 0 OR outcome = $11)
            ORDER BY at DESC, id DESC LIMIT $5;

-- tool_calls::PAGE_OF_CLIENT on PostgreSQL
SELECT id, workspace_id, user_id, connection_id, client_id, display_name, tool, outcome, error_code, targets, more_targets, took, at, log_seq FROM (SELECT * FROM tool_calls WHERE workspace_id = $1 AND client_hash = $7 AND (at, id) <= ($2, $3) AND at >= $4
                AND CASE WHEN at = $2 AND id = $3 THEN FALSE
                    WHEN workspace_id <> $1 THEN FALSE
                    WHEN $6 >= 0 AND user_id <> $6 THEN FALSE
                    WHEN $8 <> '' AND (client_hash <> $7 OR client_id <> $8) THEN FALSE
                    WHEN $9 >= 0 AND connection_id <> $9 THEN FALSE
                    WHEN $10 <> '' AND tool <> $10 THEN FALSE
                    WHEN $11 >= 0 AND outcome <> $11 THEN FALSE
                    ELSE TRUE END
                ORDER BY at DESC, id DESC LIMIT 201
            ) AS page ORDER BY at DESC, id DESC LIMIT $5;

-- tool_calls::PAGE_OF_TOOL on SQLite
SELECT id, workspace_id, user_id, connection_id, client_id, display_name, tool, outcome, error_code, targets, more_targets, took, at, log_seq FROM tool_calls INDEXED BY tool_calls_by_tool WHERE workspace_id = $1 AND tool = $10 AND (at, id) < ($2, $3) AND at >= $4 AND ($6 < 0 OR user_id = $6)
                AND ($8 = '' OR (client_hash = $7 AND client_id = $8)) AND ($9 < 0 OR connection_id = $9)
                AND ($10 = '' OR tool = $10) AND ($11 < 0 OR outcome = $11)
            ORDER BY at DESC, id DESC LIMIT $5;

-- tool_calls::PAGE_OF_TOOL on PostgreSQL
SELECT id, workspace_id, user_id, connection_id, client_id, display_name, tool, outcome, error_code, targets, more_targets, took, at, log_seq FROM (SELECT * FROM tool_calls WHERE workspace_id = $1 AND tool = $10 AND (at, id) <= ($2, $3) AND at >= $4
                AND CASE WHEN at = $2 AND id = $3 THEN FALSE
                    WHEN workspace_id <> $1 THEN FALSE
                    WHEN $6 >= 0 AND user_id <> $6 THEN FALSE
                    WHEN $8 <> '' AND (client_hash <> $7 OR client_id <> $8) THEN FALSE
                    WHEN $9 >= 0 AND connection_id <> $9 THEN FALSE
                    WHEN $10 <> '' AND tool <> $10 THEN FALSE
                    WHEN $11 >= 0 AND outcome <> $11 THEN FALSE
                    ELSE TRUE END
                ORDER BY at DESC, id DESC LIMIT 201
            ) AS page ORDER BY at DESC, id DESC LIMIT $5;

-- tool_calls::PAGE_BY_OUTCOME on SQLite
SELECT id, workspace_id, user_id, connection_id, client_id, display_name, tool, outcome, error_code, targets, more_targets, took, at, log_seq FROM tool_calls INDEXED BY tool_calls_in_trouble WHERE workspace_id = $1 AND outcome <> 0 AND outcome = $11 AND (at, id) < ($2, $3) AND at >= $4 AND ($6 < 0 OR user_id = $6)
                AND ($8 = '' OR (client_hash = $7 AND client_id = $8)) AND ($9 < 0 OR connection_id = $9)
                AND ($10 = '' OR tool = $10) AND ($11 < 0 OR outcome = $11)
            ORDER BY at DESC, id DESC LIMIT $5;

-- tool_calls::PAGE_BY_OUTCOME on PostgreSQL
SELECT id, workspace_id, user_id, connection_id, client_id, display_name, tool, outcome, error_code, targets, more_targets, took, at, log_seq FROM (SELECT * FROM tool_calls WHERE workspace_id = $1 AND outcome <> 0 AND outcome = $11 AND (at, id) <= ($2, $3) AND at >= $4
                AND CASE WHEN at = $2 AND id = $3 THEN FALSE
                    WHEN workspace_id <> $1 THEN FALSE
                    WHEN $6 >= 0 AND user_id <> $6 THEN FALSE
                    WHEN $8 <> '' AND (client_hash <> $7 OR client_id <> $8) THEN FALSE
                    WHEN $9 >= 0 AND connection_id <> $9 THEN FALSE
                    WHEN $10 <> '' AND tool <> $10 THEN FALSE
                    WHEN $11 >= 0 AND outcome <> $11 THEN FALSE
                    ELSE TRUE END
                ORDER BY at DESC, id DESC LIMIT 201
            ) AS page ORDER BY at DESC, id DESC LIMIT $5;

-- tool_calls::CLIENTS
WITH RECURSIVE seen (client_hash, n) AS (
            SELECT MIN(client_hash), 1 FROM tool_calls WHERE workspace_id = $1
            UNION ALL
            SELECT (SELECT MIN(t.client_hash) FROM tool_calls t
                    WHERE t.workspace_id = $1 AND t.client_hash > seen.client_hash), n + 1
            FROM seen WHERE client_hash IS NOT NULL AND n < $2
        )
        SELECT (SELECT l.client_id FROM tool_calls l WHERE l.workspace_id = $1
                AND l.client_hash = seen.client_hash ORDER BY l.at DESC, l.id DESC LIMIT 1),
            (SELECT l.display_name FROM tool_calls l WHERE l.workspace_id = $1
                AND l.client_hash = seen.client_hash ORDER BY l.at DESC, l.id DESC LIMIT 1)
        FROM seen WHERE client_hash IS NOT NULL;

-- tool_calls::CLIENTS_OF_USER
SELECT client_id, display_name FROM connections
        WHERE user_id = (SELECT id FROM users WHERE id = $1 AND workspace_id = $3) ORDER BY id DESC LIMIT $2;

-- tool_calls::FOLLOW
SELECT * FROM (SELECT id, workspace_id, user_id, connection_id, client_id, display_name, tool, outcome, error_code, targets, more_targets, took, at, log_seq FROM tool_calls WHERE workspace_id = $1 AND (log_seq, id) > ($2, $3) ORDER BY log_seq, id LIMIT 1000) AS page ORDER BY log_seq, id LIMIT $4;

-- tool_calls::DELETE_EXPIRED on SQLite
DELETE FROM tool_calls WHERE (workspace_id, at, id) IN (
            SELECT workspace_id, at, id FROM tool_calls WHERE at + 0 < $1 ORDER BY at + 0 LIMIT $2);

-- tool_calls::DELETE_EXPIRED on PostgreSQL
DELETE FROM tool_calls t USING (
                SELECT array_agg(workspace_id) AS companies, array_agg(at) AS times, array_agg(id) AS ids FROM (
                    SELECT workspace_id, at, id FROM (
                        SELECT workspace_id, at, id FROM tool_calls WHERE at + 0 < $1 ORDER BY at + 0 LIMIT 1000
                        FOR UPDATE) AS page LIMIT $2) AS found) AS old
            CROSS JOIN LATERAL unnest(old.companies, old.times, old.ids) AS o(workspace_id, at, id)
            WHERE t.workspace_id = o.workspace_id AND t.at = o.at AND t.id = o.id;

-- transfer::tables::FILL_SEARCH_QUEUE
INSERT INTO search_queue (message_id, workspace_id)
        SELECT id, workspace_id FROM messages WHERE type <> 3 AND text IS NOT NULL AND text <> ''
        ON CONFLICT (message_id) DO NOTHING;

-- users::INSERT
INSERT INTO users (id, workspace_id, account_id, app_id, name, display_name, email, avatar_url, title, timezone, state, is_admin, is_external, is_bot, email_visible, guest_visible, created_at, email_key, sessions_valid_after, has_words) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, 0, 1);

-- users::UPDATE
UPDATE users SET account_id = $2, name = $3, display_name = $4, email = $5, avatar_url = $6, title = $7, timezone = $8, state = $9, is_admin = $10, is_external = $11, email_visible = $12, guest_visible = $13, email_key = $14, has_words = 1 WHERE id = $1;

-- users::BY_ID
SELECT id, workspace_id, account_id, app_id, name, display_name, email, avatar_url, title, timezone, state, is_admin, is_external, is_bot, email_visible, guest_visible, created_at FROM users WHERE id = $1;

-- users::WITH_WORKSPACE
SELECT w.id AS workspace_id, w.name AS workspace_name, w.domain, u.id, u.name
        FROM users u JOIN workspaces w ON w.id = u.workspace_id WHERE u.id = $1;

-- users::WITH_WORKSPACES on SQLite
SELECT w.id AS workspace_id, w.name AS workspace_name, w.domain, u.id, u.name
            FROM users u JOIN workspaces w ON w.id = u.workspace_id WHERE u.id IN (SELECT value FROM json_each($1));

-- users::WITH_WORKSPACES on PostgreSQL
SELECT w.id AS workspace_id, w.name AS workspace_name, w.domain, u.id, u.name FROM unnest(CAST($1 AS BIGINT[])) AS j (id)
            CROSS JOIN LATERAL (SELECT id, name, workspace_id FROM users WHERE id = j.id LIMIT 1) AS u
            CROSS JOIN LATERAL (SELECT id, name, domain FROM workspaces WHERE id = u.workspace_id LIMIT 1) AS w;

-- users::PROFILE
SELECT id, workspace_id, account_id, app_id, name, display_name, email, avatar_url, title, timezone, state, is_admin, is_external, is_bot, email_visible, guest_visible, created_at, (SELECT w.name FROM workspaces w WHERE w.id = users.workspace_id) AS company_name,
                (SELECT w.domain FROM workspaces w WHERE w.id = users.workspace_id) AS company_domain
            FROM users WHERE id = $1;

-- users::PROFILES on SQLite
SELECT id, workspace_id, account_id, app_id, name, display_name, email, avatar_url, title, timezone, state, is_admin, is_external, is_bot, email_visible, guest_visible, created_at, (SELECT w.name FROM workspaces w WHERE w.id = users.workspace_id) AS company_name,
                (SELECT w.domain FROM workspaces w WHERE w.id = users.workspace_id) AS company_domain
            FROM users WHERE id IN (SELECT value FROM json_each($1));

-- users::PROFILES on PostgreSQL
SELECT id, workspace_id, account_id, app_id, name, display_name, email, avatar_url, title, timezone, state, is_admin, is_external, is_bot, email_visible, guest_visible, created_at, (SELECT w.name FROM workspaces w WHERE w.id = users.workspace_id) AS company_name,
                (SELECT w.domain FROM workspaces w WHERE w.id = users.workspace_id) AS company_domain
            FROM users WHERE id = ANY($1);

-- users::BY_ID_FOR_UPDATE on SQLite
SELECT id, workspace_id, account_id, app_id, name, display_name, email, avatar_url, title, timezone, state, is_admin, is_external, is_bot, email_visible, guest_visible, created_at FROM users WHERE id = $1;

-- users::BY_ID_FOR_UPDATE on PostgreSQL
SELECT id, workspace_id, account_id, app_id, name, display_name, email, avatar_url, title, timezone, state, is_admin, is_external, is_bot, email_visible, guest_visible, created_at FROM users WHERE id = $1 FOR UPDATE;

-- users::BY_IDS on SQLite
SELECT id, workspace_id, account_id, app_id, name, display_name, email, avatar_url, title, timezone, state, is_admin, is_external, is_bot, email_visible, guest_visible, created_at FROM users WHERE id IN (SELECT value FROM json_each($1)) ORDER BY id;

-- users::BY_IDS on PostgreSQL
SELECT id, workspace_id, account_id, app_id, name, display_name, email, avatar_url, title, timezone, state, is_admin, is_external, is_bot, email_visible, guest_visible, created_at FROM users WHERE id = ANY($1) ORDER BY id;

-- users::BY_IDS_FOR_UPDATE on SQLite
SELECT id, workspace_id, account_id, app_id, name, display_name, email, avatar_url, title, timezone, state, is_admin, is_external, is_bot, email_visible, guest_visible, created_at FROM users WHERE id IN (SELECT value FROM json_each($1)) ORDER BY id;

-- users::BY_IDS_FOR_UPDATE on PostgreSQL
SELECT id, workspace_id, account_id, app_id, name, display_name, email, avatar_url, title, timezone, state, is_admin, is_external, is_bot, email_visible, guest_visible, created_at FROM users WHERE id = ANY($1) ORDER BY id FOR UPDATE;

-- users::HIDDEN_GUESTS_AMONG on SQLite
SELECT id FROM users WHERE id IN (SELECT value FROM json_each($1))
            AND is_external = 1 AND guest_visible = 0;

-- users::HIDDEN_GUESTS_AMONG on PostgreSQL
SELECT u.id FROM unnest(CAST($1 AS BIGINT[])) AS j (id)
            CROSS JOIN LATERAL (SELECT id, is_external, guest_visible FROM users WHERE id = j.id LIMIT 1) AS u
            WHERE u.is_external = 1 AND u.guest_visible = 0;

-- users::NAMES on SQLite
SELECT id, name FROM users WHERE workspace_id = $1
            AND id IN (SELECT value FROM json_each($2)) ORDER BY id;

-- users::NAMES on PostgreSQL
SELECT id, name FROM users WHERE +workspace_id = $1 AND id = ANY($2) ORDER BY id;

-- users::BY_EMAIL
SELECT id, workspace_id, account_id, app_id, name, display_name, email, avatar_url, title, timezone, state, is_admin, is_external, is_bot, email_visible, guest_visible, created_at FROM users WHERE workspace_id = $1 AND email_key = $2;

-- users::BOT_OF_APP
SELECT id, workspace_id, account_id, app_id, name, display_name, email, avatar_url, title, timezone, state, is_admin, is_external, is_bot, email_visible, guest_visible, created_at FROM users WHERE workspace_id = $1 AND app_id = $2;

-- users::LISTED_PAGE on SQLite
SELECT id, workspace_id, account_id, app_id, name, display_name, email, avatar_url, title, timezone, state, is_admin, is_external, is_bot, email_visible, guest_visible, created_at FROM users WHERE workspace_id = $1 AND id > $2 AND is_bot = 0
            AND (is_external = 0 OR guest_visible = 1) ORDER BY id LIMIT $3;

-- users::LISTED_PAGE on PostgreSQL
SELECT id, workspace_id, account_id, app_id, name, display_name, email, avatar_url, title, timezone, state, is_admin, is_external, is_bot, email_visible, guest_visible, created_at FROM users WHERE (workspace_id, id) >= ($1, $2)
            AND (workspace_id, id) <= ($1, 9223372036854775807) AND id <> $2
            AND is_bot = 0 AND (is_external = 0 OR guest_visible = 1) ORDER BY workspace_id, id LIMIT $3;

-- users::PAGE on SQLite
SELECT id, workspace_id, account_id, app_id, name, display_name, email, avatar_url, title, timezone, state, is_admin, is_external, is_bot, email_visible, guest_visible, created_at FROM users WHERE workspace_id = $1 AND id > $2 ORDER BY id LIMIT $3;

-- users::PAGE on PostgreSQL
SELECT id, workspace_id, account_id, app_id, name, display_name, email, avatar_url, title, timezone, state, is_admin, is_external, is_bot, email_visible, guest_visible, created_at FROM users WHERE (workspace_id, id) >= ($1, $2)
            AND (workspace_id, id) <= ($1, 9223372036854775807) AND id <> $2 ORDER BY workspace_id, id LIMIT $3;

-- users::RENAME on SQLite
UPDATE users SET name = $2, has_words = 1 WHERE id IN (SELECT value FROM json_each($1));

-- users::RENAME on PostgreSQL
UPDATE users SET name = $2, has_words = 1 WHERE id = ANY($1);

-- users::LOG_OUT
UPDATE users SET sessions_valid_after = $2 WHERE id = $1;

-- users::INSERT_BLOCK
INSERT INTO app_blocks (user_id, app_id, created_at, workspace_id) VALUES ($1, $2, $3, $4)
        ON CONFLICT (user_id, app_id) DO NOTHING;

-- users::DELETE_BLOCK
DELETE FROM app_blocks WHERE user_id = $1 AND app_id = $2;

-- users::DELETE_BLOCKS
DELETE FROM app_blocks WHERE user_id = $1;

-- users::APP_CHOICES on SQLite
SELECT a.id AS app_id, a.name, b.created_at AS blocked_at
            FROM apps a LEFT JOIN app_blocks b ON b.app_id = a.id AND b.user_id = $1
            WHERE a.id IN (SELECT app_id FROM app_blocks WHERE user_id = $1
                UNION SELECT app_id FROM installations WHERE workspace_id = $2 AND connected = 1)
            ORDER BY a.name, a.id;

-- users::APP_CHOICES on PostgreSQL
SELECT a.id AS app_id, a.name, b.created_at AS blocked_at
            FROM (SELECT app_id FROM app_blocks WHERE user_id = $1
                UNION SELECT app_id FROM installations WHERE workspace_id = $2 AND connected = 1) AS wanted
            CROSS JOIN LATERAL (SELECT id, name FROM apps WHERE id = wanted.app_id LIMIT 1) AS a
            LEFT JOIN LATERAL (SELECT created_at FROM app_blocks
                WHERE user_id = $1 AND app_id = wanted.app_id LIMIT 1) AS b ON TRUE
            ORDER BY a.name, a.id;

-- users::words::OF_USERS on SQLite
SELECT user_id, word FROM user_words WHERE user_id IN (SELECT value FROM json_each($1));

-- users::words::OF_USERS on PostgreSQL
SELECT user_id, word FROM user_words WHERE user_id = ANY($1);

-- users::words::INSERT on SQLite
INSERT INTO user_words (user_id, word, workspace_id)
            SELECT json_extract(value, '$[0]'), unhex(json_extract(value, '$[1]')), json_extract(value, '$[2]')
            FROM json_each($1) WHERE true ON CONFLICT (user_id, word) DO NOTHING;

-- users::words::INSERT on PostgreSQL
INSERT INTO user_words (user_id, word, workspace_id)
            SELECT CAST(value ->> 0 AS BIGINT), decode(value ->> 1, 'hex'), CAST(value ->> 2 AS BIGINT)
            FROM json_array_elements(CAST(CAST($1 AS TEXT) AS JSON)) AS value
            ON CONFLICT (user_id, word) DO NOTHING;

-- users::words::DELETE on SQLite
DELETE FROM user_words WHERE (user_id, word) IN
            (SELECT json_extract(value, '$[0]'), unhex(json_extract(value, '$[1]')) FROM json_each($1));

-- users::words::DELETE on PostgreSQL
DELETE FROM user_words w
            USING (SELECT CAST(value ->> 0 AS BIGINT) AS user_id, decode(value ->> 1, 'hex') AS word
                FROM json_array_elements(CAST(CAST($1 AS TEXT) AS JSON)) AS value OFFSET 0) AS j
            WHERE w.user_id = j.user_id AND w.word = j.word;

-- users::words::COUNT
SELECT COUNT(*) FROM (SELECT user_id FROM user_words
        WHERE workspace_id = $1 AND word >= $2 AND word < $3 LIMIT $4) AS found;

-- users::words::PAGE
WITH found AS MATERIALIZED (
            SELECT user_id FROM user_words
            WHERE workspace_id = $1 AND word >= $2 AND word < $3 AND user_id > $4
        )
        SELECT DISTINCT w.user_id FROM found w
        WHERE ($6 < 2 OR (SELECT 1 FROM user_words o
                WHERE o.user_id = w.user_id AND o.word >= $7 AND o.word < $8 LIMIT 1) = 1)
            AND ($6 < 3 OR (SELECT 1 FROM user_words o
                WHERE o.user_id = w.user_id AND o.word >= $9 AND o.word < $10 LIMIT 1) = 1)
            AND ($6 < 4 OR (SELECT 1 FROM user_words o
                WHERE o.user_id = w.user_id AND o.word >= $11 AND o.word < $12 LIMIT 1) = 1)
        ORDER BY w.user_id LIMIT $5;

-- users::words::WALK on SQLite
SELECT w.id FROM users w WHERE w.workspace_id = $1 AND w.id > $4 AND ($6 < 1 OR (SELECT 1 FROM user_words o
                WHERE o.user_id = w.id AND o.word >= $2 AND o.word < $3 LIMIT 1) = 1)
            AND ($6 < 2 OR (SELECT 1 FROM user_words o
                WHERE o.user_id = w.id AND o.word >= $7 AND o.word < $8 LIMIT 1) = 1)
            AND ($6 < 3 OR (SELECT 1 FROM user_words o
                WHERE o.user_id = w.id AND o.word >= $9 AND o.word < $10 LIMIT 1) = 1)
            AND ($6 < 4 OR (SELECT 1 FROM user_words o
                WHERE o.user_id = w.id AND o.word >= $11 AND o.word < $12 LIMIT 1) = 1)
            ORDER BY w.workspace_id, w.id LIMIT $5;

-- users::words::WALK on PostgreSQL
SELECT w.id FROM users w WHERE (w.workspace_id, w.id) >= ($1, $4) AND (w.workspace_id, w.id) <= ($1, 9223372036854775807)
            AND w.id <> $4 AND ($6 < 1 OR (SELECT 1 FROM user_words o
                WHERE o.user_id = w.id AND o.word >= $2 AND o.word < $3 LIMIT 1) = 1)
            AND ($6 < 2 OR (SELECT 1 FROM user_words o
                WHERE o.user_id = w.id AND o.word >= $7 AND o.word < $8 LIMIT 1) = 1)
            AND ($6 < 3 OR (SELECT 1 FROM user_words o
                WHERE o.user_id = w.id AND o.word >= $9 AND o.word < $10 LIMIT 1) = 1)
            AND ($6 < 4 OR (SELECT 1 FROM user_words o
                WHERE o.user_id = w.id AND o.word >= $11 AND o.word < $12 LIMIT 1) = 1)
            ORDER BY w.workspace_id, w.id LIMIT $5;

-- users::words::WITHOUT on SQLite
SELECT id, workspace_id, name, display_name, email FROM users WHERE has_words = 0
            ORDER BY id LIMIT $1;

-- users::words::WITHOUT on PostgreSQL
SELECT id, workspace_id, name, display_name, email FROM users WHERE has_words = 0
            ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED;

-- users::words::HAS_USERS_WITHOUT_WORDS
SELECT EXISTS (SELECT 1 FROM users WHERE has_words = 0);

-- users::words::DONE on SQLite
UPDATE users SET has_words = 1 WHERE id IN (SELECT value FROM json_each($1));

-- users::words::DONE on PostgreSQL
UPDATE users SET has_words = 1 WHERE id = ANY($1);

-- windows::SIGNED_IN on SQLite
SELECT j.key FROM json_each($1) j
            CROSS JOIN sessions s ON s.token_hash = unhex(json_extract(j.value, '$[0]')) AND s.expires_at > $2
            CROSS JOIN users u ON u.id = json_extract(j.value, '$[1]') AND u.account_id = s.account_id
                AND u.state IN (0, 1) AND u.sessions_valid_after < s.created_at
            CROSS JOIN accounts a ON a.id = s.account_id
                AND (a.password_workspace_id IS NULL OR a.password_workspace_id = u.workspace_id);

-- windows::SIGNED_IN on PostgreSQL
SELECT j.place - 1 FROM json_array_elements(CAST(CAST($1 AS TEXT) AS JSON)) WITH ORDINALITY AS j (window_of, place)
            CROSS JOIN LATERAL (SELECT account_id, created_at FROM sessions
                WHERE token_hash = decode(j.window_of ->> 0, 'hex') AND expires_at > $2 LIMIT 1) AS s
            CROSS JOIN LATERAL (SELECT id, workspace_id FROM users
                WHERE id = CAST(j.window_of ->> 1 AS BIGINT) AND account_id = s.account_id
                    AND state IN (0, 1) AND sessions_valid_after < s.created_at LIMIT 1) AS u
            CROSS JOIN LATERAL (SELECT id FROM accounts
                WHERE id = s.account_id
                    AND (password_workspace_id IS NULL OR password_workspace_id = u.workspace_id) LIMIT 1) AS a;

-- windows::FOLLOWED on SQLite
SELECT m.conversation_id, v.kind, m.joined_at, m.read_id
            FROM (SELECT conversation_id, joined_at, read_id FROM members INDEXED BY members_by_user
                WHERE user_id = $1 AND left_at IS NULL ORDER BY conversation_id DESC LIMIT $2) AS m
            CROSS JOIN conversations v ON v.id = m.conversation_id AND v.deleted_at IS NULL;

-- windows::FOLLOWED on PostgreSQL
SELECT m.conversation_id, v.kind, m.joined_at, m.read_id
            FROM (SELECT user_id, conversation_id, joined_at, read_id FROM members
                WHERE left_at IS NULL AND (user_id, conversation_id) >= ($1, 0)
                    AND (user_id, conversation_id) <= ($1, 9223372036854775807)
                ORDER BY user_id DESC, conversation_id DESC LIMIT $2) AS m
            CROSS JOIN LATERAL (SELECT kind FROM conversations
                WHERE id = m.conversation_id AND deleted_at IS NULL LIMIT 1) AS v
            ORDER BY m.user_id DESC, m.conversation_id DESC;

-- windows::IN_CONVERSATION on SQLite
SELECT j.key FROM json_each($1) j
            CROSS JOIN sessions s ON s.token_hash = unhex(json_extract(j.value, '$[0]')) AND s.expires_at > $2
            CROSS JOIN users u ON u.id = json_extract(j.value, '$[1]') AND u.account_id = s.account_id
                AND u.state IN (0, 1) AND u.sessions_valid_after < s.created_at
            CROSS JOIN accounts a ON a.id = s.account_id
                AND (a.password_workspace_id IS NULL OR a.password_workspace_id = u.workspace_id)
            CROSS JOIN conversations v ON v.id = $3 AND v.deleted_at IS NULL
            CROSS JOIN members m ON m.conversation_id = v.id AND m.user_id = u.id AND m.left_at IS NULL
                AND m.visible_from = json_extract(j.value, '$[2]');

-- windows::IN_CONVERSATION on PostgreSQL
SELECT j.place - 1 FROM json_array_elements(CAST(CAST($1 AS TEXT) AS JSON)) WITH ORDINALITY AS j (window_of, place)
            CROSS JOIN LATERAL (SELECT account_id, created_at FROM sessions
                WHERE token_hash = decode(j.window_of ->> 0, 'hex') AND expires_at > $2 LIMIT 1) AS s
            CROSS JOIN LATERAL (SELECT id, workspace_id FROM users
                WHERE id = CAST(j.window_of ->> 1 AS BIGINT) AND account_id = s.account_id
                    AND state IN (0, 1) AND sessions_valid_after < s.created_at LIMIT 1) AS u
            CROSS JOIN LATERAL (SELECT id FROM accounts
                WHERE id = s.account_id
                    AND (password_workspace_id IS NULL OR password_workspace_id = u.workspace_id) LIMIT 1) AS a
            CROSS JOIN LATERAL (SELECT id FROM conversations WHERE id = $3 AND deleted_at IS NULL LIMIT 1) AS v
            CROSS JOIN LATERAL (SELECT user_id FROM members
                WHERE conversation_id = v.id AND user_id = u.id AND left_at IS NULL
                    AND visible_from = CAST(j.window_of ->> 2 AS BIGINT) LIMIT 1) AS m;

-- workspaces::INSERT
INSERT INTO workspaces (id, name, domain, ai_assistants, max_session_hours, assistant_sends, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7);

-- workspaces::UPDATE
UPDATE workspaces SET name = $2, domain = $3, ai_assistants = $4, max_session_hours = $5, assistant_sends = $6 WHERE id = $1;

-- workspaces::BY_ID
SELECT id, name, domain, ai_assistants, max_session_hours, assistant_sends, created_at FROM workspaces WHERE id = $1;

-- workspaces::BY_ID_FOR_UPDATE on SQLite
SELECT id, name, domain, ai_assistants, max_session_hours, assistant_sends, created_at FROM workspaces WHERE id = $1;

-- workspaces::BY_ID_FOR_UPDATE on PostgreSQL
SELECT id, name, domain, ai_assistants, max_session_hours, assistant_sends, created_at FROM workspaces WHERE id = $1 FOR NO KEY UPDATE;

-- workspaces::PAGE
SELECT id, name, domain, ai_assistants, max_session_hours, assistant_sends, created_at FROM workspaces WHERE id > $1 ORDER BY id LIMIT $2;
