-- Indexes of events, and what PostgreSQL is told of their upkeep.

-- What a redelivery of failed events walks; one of all events walks events_by_app.
CREATE INDEX events_failed ON events (app_id, created_at, id) WHERE state = 2;
