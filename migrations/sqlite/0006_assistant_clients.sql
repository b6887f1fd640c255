-- Clients of the assistant connection server: those that registered, and those known by their metadata document,
-- which is kept as long as it may be.
CREATE TABLE assistant_clients (
  id            INTEGER PRIMARY KEY,      -- order of the list
  client_id     TEXT NOT NULL,            -- mcpc_…, or the document's URL
  is_registered INTEGER NOT NULL,
  client_name   TEXT,                     -- null when a document has none that may be shown
  redirect_uris TEXT NOT NULL,            -- a JSON array
  is_public     INTEGER NOT NULL,
  secret_hash   BLOB,                     -- SHA-256; null for public clients and documents
  metadata      TEXT,                     -- what else was registered, as JSON
  created_at    INTEGER NOT NULL,         -- registered, or first seen
  expires_at    INTEGER NOT NULL,         -- a document is read again then; who has connected nobody is deleted then
  connected_at  INTEGER,                  -- first connection of anybody
  last_used_at  INTEGER
) STRICT;
CREATE UNIQUE INDEX assistant_clients_by_client_id ON assistant_clients (client_id);
CREATE INDEX assistant_clients_by_expiry ON assistant_clients (expires_at);
