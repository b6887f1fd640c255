-- no-transaction
-- contract
-- oldest compatible: 0001
--
-- No statement uses this index: sessions end with their connection without being looked up by it.
DROP INDEX CONCURRENTLY IF EXISTS mcp_sessions_by_connection;
