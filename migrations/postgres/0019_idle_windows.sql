-- no-transaction
-- expand
-- oldest compatible: 0001
--
-- Each node deletes the rate limit windows of idle callers every minute, in the order of this index.
CREATE INDEX CONCURRENTLY IF NOT EXISTS rate_windows_idle ON rate_windows (idle_at);
