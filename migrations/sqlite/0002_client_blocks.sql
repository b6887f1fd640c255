-- Keys of assistant clients that a company keeps out.
CREATE TABLE client_blocks (
  workspace_id INTEGER NOT NULL,
  key          TEXT NOT NULL,
  id           INTEGER NOT NULL,           -- order of the list
  created_at   INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, key)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX client_blocks_in_order ON client_blocks (workspace_id, id);
