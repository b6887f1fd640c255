-- Indexes of events, and what PostgreSQL is told of their upkeep.

-- What a redelivery of failed events walks; one of all events walks events_by_app.
CREATE INDEX events_failed ON events (app_id, created_at, id) WHERE state = 2;

-- Each result of an attempt takes its event out of an index of what is due and leaves a dead entry there, in front of what
-- is due next. Those must go long before a fifth of the table is dead, and although they are few beside all its rows,
-- which a vacuum otherwise takes for a reason to leave the indexes alone.
ALTER TABLE events SET (
  fillfactor = 90,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.02,
  vacuum_index_cleanup = on
);
-- A few rows that are written again every five seconds: with room on their pages no index is touched.
ALTER TABLE event_leases SET (
  fillfactor = 25,
  autovacuum_vacuum_threshold = 200,
  autovacuum_vacuum_scale_factor = 0.1
);
