-- no-transaction
-- expand
-- oldest compatible: 0001
--
-- A deletion finds the events with content of the message, finished ones apart from pending ones; the maintenance job finds
-- the deleted messages whose content is still in events.
CREATE INDEX CONCURRENTLY IF NOT EXISTS events_by_message ON events (message_id, state, id)
  WHERE message_id IS NOT NULL AND erased_at IS NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS deleted_messages_in_events ON deleted_messages (id) WHERE in_events = 1;
