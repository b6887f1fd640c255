-- Indexes and rows for work that grew with everything there ever was.

-- The name that a blocked key's clients went by is kept with the block; it is looked up when the key is blocked.
CREATE INDEX connections_of_key ON connections (workspace_id, block_key, id);
ALTER TABLE client_blocks ADD COLUMN display_name TEXT;
UPDATE client_blocks SET display_name = (
  SELECT c.display_name FROM connections c
  WHERE c.workspace_id = client_blocks.workspace_id AND c.block_key = client_blocks.key
  ORDER BY c.id DESC LIMIT 1);

-- Ended connections whose tokens are cleared away, which go after a while.
CREATE INDEX connections_ended ON connections (revoked_at) WHERE revoked_at IS NOT NULL AND has_tokens = 0;

-- Only clients that connected nobody are ever looked for by their time.
DROP INDEX assistant_clients_by_expiry;
CREATE INDEX assistant_clients_unused ON assistant_clients (expires_at) WHERE connected_at IS NULL;

-- Direct messages of two people that were deleted: what was sent there is not sent again to the same person.
CREATE TABLE former_pairs (
  low_user_id     BIGINT NOT NULL,
  high_user_id    BIGINT NOT NULL,
  conversation_id BIGINT NOT NULL,
  PRIMARY KEY (low_user_id, high_user_id, conversation_id)
);
INSERT INTO former_pairs (low_user_id, high_user_id, conversation_id)
  SELECT MIN(m.user_id), MAX(m.user_id), c.id
  FROM conversations c JOIN members m ON m.conversation_id = c.id
  WHERE c.kind = 2 AND c.deleted_at IS NOT NULL
  GROUP BY c.id HAVING COUNT(*) = 2;
