-- What several nodes on one database need to agree on.

-- New messages have no id below it: who joins sees what is written after, also by a node whose clock is behind.
ALTER TABLE conversations ADD COLUMN floor_id BIGINT NOT NULL DEFAULT 0;
UPDATE conversations SET floor_id = COALESCE(
  (SELECT MAX(visible_from) FROM members WHERE members.conversation_id = conversations.id), 0);

-- The rate limits, shared by all nodes; a single process on SQLite keeps them in memory. Unlogged: a crash of the
-- database makes every limit whole again, which is to the callers' good. Roomy pages, so that updates stay on theirs.

-- The moments at which requests of one caller on one route passed, oldest first.
CREATE UNLOGGED TABLE rate_windows (
  key     BYTEA PRIMARY KEY,               -- 24 bytes
  passed  BIGINT[] NOT NULL,
  idle_at BIGINT NOT NULL                  -- when the newest has left the window
) WITH (fillfactor = 50);

-- Buckets: when each is full again.
CREATE UNLOGGED TABLE rate_buckets (
  key     BYTEA PRIMARY KEY,               -- 24 bytes
  full_at BIGINT NOT NULL,
  seen    BIGINT NOT NULL                  -- the latest use, to notice a clock that was set back
) WITH (fillfactor = 50);
