-- What several nodes on one database need to agree on.

-- New messages have no id below it: who joins sees what is written after, also by a node whose clock is behind.
ALTER TABLE conversations ADD COLUMN floor_id INTEGER NOT NULL DEFAULT 0;
UPDATE conversations SET floor_id = COALESCE(
  (SELECT MAX(visible_from) FROM members WHERE members.conversation_id = conversations.id), 0);
