-- The audit: one row for each call of an assistant's tool. Who, with what, on what, how it ended; no text of anybody.
CREATE TABLE tool_calls (
  workspace_id  INTEGER NOT NULL,
  at            INTEGER NOT NULL,
  id            INTEGER NOT NULL,
  user_id       INTEGER NOT NULL,           -- the employee it acted for
  connection_id INTEGER NOT NULL,
  client_hash   INTEGER NOT NULL,           -- of client_id, which may be long: what the index holds
  client_id     TEXT NOT NULL,
  display_name  TEXT NOT NULL,              -- of the client, at the time
  tool          TEXT NOT NULL,
  outcome       INTEGER NOT NULL,           -- 0 ok, 1 refused, 2 failed
  error_code    TEXT,
  targets       TEXT NOT NULL,              -- ids, with spaces between
  more_targets  INTEGER NOT NULL,           -- how many more there were
  took          INTEGER NOT NULL,           -- microseconds
  PRIMARY KEY (workspace_id, at, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX tool_calls_by_user ON tool_calls (user_id, at, id);
CREATE INDEX tool_calls_by_client ON tool_calls (workspace_id, client_hash, at, id);
CREATE INDEX tool_calls_by_tool ON tool_calls (workspace_id, tool, at, id);
-- Few, and what is looked for first.
CREATE INDEX tool_calls_in_trouble ON tool_calls (workspace_id, outcome, at, id) WHERE outcome <> 0;
-- What the upkeep removes. An expression, so that no list takes it for its own: it would pass over all other companies.
CREATE INDEX tool_calls_by_age ON tool_calls ((at + 0));
