-- no-transaction
-- expand
-- oldest compatible: 0001
--
-- Guests whom members do not see, so that a page of history looks at its senders only in companies that have any.
CREATE INDEX CONCURRENTLY IF NOT EXISTS users_hidden ON users (workspace_id)
    WHERE is_external = 1 AND guest_visible = 0;
