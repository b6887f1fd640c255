-- expand
-- oldest compatible: 0001
--
-- What people and companies store is bounded, and files that nobody attaches are deleted.

-- Bytes of the files whose contents are stored, of a company (owner 0) and of each of its people.
CREATE TABLE file_usage (
  workspace_id BIGINT NOT NULL,
  owner_id     BIGINT NOT NULL,
  bytes        BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, owner_id)
);

-- Whether a file is in file_usage: 0 not yet, 1 yes, 2 not any more.
ALTER TABLE files ADD COLUMN counted BIGINT NOT NULL DEFAULT 0;
-- When a file is deleted unless a message carries it by then.
ALTER TABLE files ADD COLUMN unattached_until BIGINT;
