-- Which memberships are those of direct messages: a bot may have 100,000 of them, and lists of groups and channels pass
-- over none. A membership that a node of the version before writes in the meantime counts as one of a group, which the
-- lists look up.
ALTER TABLE members ADD COLUMN is_direct INTEGER NOT NULL DEFAULT 0;
UPDATE members SET is_direct = 1
  WHERE conversation_id IN (SELECT id FROM conversations WHERE kind = 2);

-- Only what a user is still in is ever listed or counted.
DROP INDEX members_by_user;
CREATE INDEX members_by_user ON members (user_id, conversation_id) WHERE left_at IS NULL;
CREATE INDEX members_of_places ON members (user_id, conversation_id) WHERE left_at IS NULL AND is_direct = 0;

-- Sent drafts of an employee who is removed; those that are open have an index already.
CREATE INDEX drafts_sent_of_owner ON drafts (owner_id) WHERE sent_at IS NOT NULL;

-- The installations of a company that stand, and those that ended, without passing over the others.
DROP INDEX installations_by_workspace;
CREATE INDEX installations_by_state ON installations (workspace_id, connected, id);

-- The standing connections of a company. An expression, so that a range of it has this index and no other: among several
-- indexes on the company a plan for unknown arguments takes one that it then has to sort.
DROP INDEX connections_living;
CREATE INDEX connections_living ON connections ((workspace_id + 0), id) WHERE revoked_at IS NULL;
