-- no-transaction
-- expand
-- oldest compatible: 0001
--
-- The page of apps shows the apps that were uninstalled last. With the id, because an app can be disabled for many
-- companies at the same time.
CREATE INDEX CONCURRENTLY IF NOT EXISTS installations_by_end ON installations (workspace_id, disconnected_at, id)
  WHERE connected = 0;
