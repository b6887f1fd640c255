-- Keys of assistant clients that a company keeps out.
CREATE TABLE client_blocks (
  workspace_id BIGINT NOT NULL,
  key          TEXT NOT NULL,
  id           BIGINT NOT NULL,           -- order of the list
  created_at   BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, key)
);
CREATE UNIQUE INDEX client_blocks_in_order ON client_blocks (workspace_id, id);
