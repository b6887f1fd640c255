-- no-transaction
-- expand
-- oldest compatible: 0001
--
-- Messages from before the columns for reading count as read: the number of the newest of them.
-- batched
INSERT INTO server_state (name, value)
SELECT 'read_since', id FROM messages WHERE id > 0 ORDER BY id DESC LIMIT 1
ON CONFLICT (name) DO NOTHING;
