-- expand
-- oldest compatible: 0001
--
-- People of several companies choose one.

-- The company that a person of several companies has chosen on the pages.
ALTER TABLE sessions ADD COLUMN workspace_id INTEGER;
