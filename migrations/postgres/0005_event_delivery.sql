-- Delivery of events: where an event stands, who delivers an app's events, and every attempt made.

-- A lease of the app, not a number on the row, keeps two nodes from delivering one event.
ALTER TABLE events DROP COLUMN claim;
-- Attempts made before the latest redelivery: the schedule of retries counts from here.
ALTER TABLE events ADD COLUMN earlier BIGINT NOT NULL DEFAULT 0;
-- Why a dropped event was.
ALTER TABLE events ADD COLUMN drop_reason TEXT;

-- From now on next_at is when a pending event is due, and when any other was finished.
DROP INDEX events_due;
DROP INDEX events_by_app;
-- What is due, first attempts apart from all others so that these never stand before them.
CREATE INDEX events_first ON events (app_id, next_at, id) WHERE state = 0 AND attempts = 0;
CREATE INDEX events_again ON events (app_id, next_at, id) WHERE state = 0 AND attempts > 0;
-- What the log shows beside the attempts.
CREATE INDEX events_unsent ON events (app_id, id) WHERE state IN (0, 3);
-- What a redelivery of a span of time walks.
CREATE INDEX events_by_app ON events (app_id, created_at, id);
-- What the upkeep removes.
CREATE INDEX events_finished ON events (next_at) WHERE state <> 0;

-- Who delivers the events of an app. The time is the database's own, which no test moves.
CREATE TABLE event_leases (
  app_id BIGINT PRIMARY KEY,
  holder BIGINT NOT NULL,
  until  BIGINT NOT NULL
);

-- The log: every attempt to deliver an event, removed with the event.
CREATE TABLE delivery_attempts (
  event_id        BIGINT NOT NULL,
  attempt         BIGINT NOT NULL,
  id              BIGINT NOT NULL,
  app_id          BIGINT NOT NULL,
  at              BIGINT NOT NULL,
  delivered       BIGINT NOT NULL,
  status          BIGINT,
  error           TEXT,
  latency_ms      BIGINT NOT NULL,
  answer          TEXT,
  next_attempt_at BIGINT,
  PRIMARY KEY (event_id, attempt)
);
CREATE INDEX delivery_attempts_by_app ON delivery_attempts (app_id, id);
