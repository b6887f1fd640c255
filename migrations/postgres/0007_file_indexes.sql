-- no-transaction
-- expand
-- oldest compatible: 0001
--
-- The maintenance jobs find files that are to be counted, not to be counted any more, or to be deleted.
CREATE INDEX CONCURRENTLY IF NOT EXISTS files_uncounted ON files (id) WHERE counted = 0;
CREATE INDEX CONCURRENTLY IF NOT EXISTS files_to_uncount ON files (id)
  WHERE counted = 1 AND deleted_at IS NOT NULL AND purge_after IS NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS files_unattached ON files (unattached_until) WHERE unattached_until IS NOT NULL;
