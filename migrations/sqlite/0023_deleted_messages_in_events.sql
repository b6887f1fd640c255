-- expand
-- oldest compatible: 0001
--
-- A maintenance job erases the content of deleted messages from events that were pending at the deletion.

-- 1 while events may still have content of the message.
ALTER TABLE deleted_messages ADD COLUMN in_events INTEGER NOT NULL DEFAULT 0;
