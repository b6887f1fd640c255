-- no-transaction
-- contract
-- oldest compatible: 0001
--
-- Channels of a group page by page, in the order in which they were created. The index replaces one with only the group.
CREATE INDEX CONCURRENTLY IF NOT EXISTS conversations_channels ON conversations (parent_id, id, deleted_at)
  WHERE parent_id IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS conversations_by_parent;
