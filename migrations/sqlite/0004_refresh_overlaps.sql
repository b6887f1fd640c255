-- expand
-- oldest compatible: 0001
--
-- With `assistant.refresh_overlap_seconds` a refresh token that was just spent gets the answer of its first use again.

-- Refresh tokens that were spent so short a time ago. The tokens that followed are not stored: they are derived again from
-- the spent token, which the database does not hold, and the salt.
CREATE TABLE refresh_overlaps (
  token_hash   BLOB PRIMARY KEY, -- digest of the spent token
  workspace_id INTEGER NOT NULL,
  salt         BLOB NOT NULL,
  expires_at   INTEGER NOT NULL
) STRICT;
-- Removal at the end of the overlap.
CREATE INDEX refresh_overlaps_by_expiry ON refresh_overlaps (expires_at);
