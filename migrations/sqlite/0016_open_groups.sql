-- expand
-- oldest compatible: 0001
--
-- Groups that everyone in their company may join, so that a list of them does not read past direct messages.
CREATE INDEX IF NOT EXISTS conversations_open ON conversations (workspace_id, id)
    WHERE kind = 0 AND is_private = 0 AND archived_at IS NULL AND deleted_at IS NULL;
