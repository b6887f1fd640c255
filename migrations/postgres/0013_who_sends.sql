-- expand
-- oldest compatible: 0001
--
-- A company decides who sends what assistants write.

-- Who sends what assistants draft: 0 the assistant, 1 the person, who confirms it on a page.
ALTER TABLE workspaces ADD COLUMN assistant_sends BIGINT NOT NULL DEFAULT 0;
