-- A second long history: a million messages of group 2. They are newer than all messages that data.sql inserts.
INSERT INTO messages (workspace_id, conversation_id, id, sender_id, type, text, thread_id, file_count, created_at)
SELECT 1, 2, 4000000 + i, 1 + i % 100000, CASE WHEN i % 100 = 0 THEN 3 ELSE 0 END, 'new', CASE WHEN i % 50 = 1 AND i > 1000
  THEN 4001000 END, 0, 4000000 + i FROM generate_series(1, 1000000) i;
ANALYZE messages;
