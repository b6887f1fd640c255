-- expand
-- oldest compatible: 0001
--
-- What people have read.

-- The last message that a member has read.
ALTER TABLE members ADD COLUMN read_id BIGINT NOT NULL DEFAULT 0;
