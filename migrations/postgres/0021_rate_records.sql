-- Rate limits are decided by each node and shared in batches; only windows that protect secrets are counted row by row, in
-- rate_windows. Unlogged, as what is lost makes limits whole again.

-- What one node let pass under one key, all that still counts of it: the node replaces its own row and no other's.
CREATE UNLOGGED TABLE rate_records (
  key          BYTEA NOT NULL,             -- 25 bytes: the kind of limit, the route and the caller
  node         BIGINT NOT NULL,            -- a running process
  epoch        BIGINT NOT NULL,            -- of rate_epoch; records of another one do not count
  record       BYTEA NOT NULL,
  published_at BIGINT NOT NULL,            -- by the database's clock
  PRIMARY KEY (key, node)
) WITH (autovacuum_vacuum_scale_factor = 0.2, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX rate_records_published ON rate_records (published_at);

-- Grows when an operator resets the limits of a sandbox.
CREATE TABLE rate_epoch (
  id    SMALLINT PRIMARY KEY CHECK (id = 1),
  epoch BIGINT NOT NULL
);
INSERT INTO rate_epoch (id, epoch) VALUES (1, 1);

-- Nodes of the version before decide by themselves without it.
DROP TABLE rate_buckets;
