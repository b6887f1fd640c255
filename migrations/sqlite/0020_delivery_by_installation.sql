-- Delivery by installation, leases of maintenance jobs, and logs that can be followed.

-- Due events by time: which apps have any, and which events have waited too long. Replaces events_first and events_again
-- by app. An expression, so that no read of one installation goes by it, past the events of all others.
DROP INDEX events_first;
DROP INDEX events_again;
DROP INDEX events_pending_by_installation;
CREATE INDEX events_pending ON events ((app_id + 0), next_at, id) WHERE state = 0;
-- Due events of an installation, first attempts apart from repeated ones, so that neither waits for the other.
CREATE INDEX events_first ON events (app_id, installation_id, next_at, id) WHERE state = 0 AND attempts = 0;
CREATE INDEX events_again ON events (app_id, installation_id, next_at, id) WHERE state = 0 AND attempts > 0;

-- The latest number given in a log. Its row stays locked until the transaction that took the number is committed, so
-- numbers become visible in their order: a reader that has seen n has seen all below n.
CREATE TABLE log_heads (
  log   INTEGER NOT NULL,           -- 1 tool calls of a company, 2 deliveries of an app
  owner INTEGER NOT NULL,           -- the company or the app
  last  INTEGER NOT NULL,
  PRIMARY KEY (log, owner)
) STRICT, WITHOUT ROWID;
-- The number of the transaction that wrote a row, by log_heads. 0 for rows from before this migration.
ALTER TABLE tool_calls ADD COLUMN log_seq INTEGER NOT NULL DEFAULT 0;
ALTER TABLE delivery_attempts ADD COLUMN log_seq INTEGER NOT NULL DEFAULT 0;
-- Of a dropped event: the number of the transaction that dropped it.
ALTER TABLE events ADD COLUMN log_seq INTEGER NOT NULL DEFAULT 0;
CREATE INDEX tool_calls_in_log_order ON tool_calls (workspace_id, log_seq, id);
CREATE INDEX delivery_attempts_in_log_order ON delivery_attempts (app_id, log_seq, id);
CREATE INDEX events_dropped_in_log_order ON events (app_id, log_seq, id) WHERE state = 3;

-- Which process runs a maintenance job, and when the next run may begin. Times are the database's own.
CREATE TABLE job_leases (
  job     TEXT PRIMARY KEY,
  holder  INTEGER NOT NULL,
  until   INTEGER NOT NULL,
  next_at INTEGER NOT NULL
) STRICT;

-- Companies whose connections end after a number of hours.
CREATE INDEX workspaces_with_session_limit ON workspaces (id) WHERE max_session_hours IS NOT NULL;
