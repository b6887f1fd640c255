-- expand
-- oldest compatible: 0001
--
-- People read and answer in the browser.

-- Edits and deletions of messages in the last day: what open windows follow, and windows that reconnect catch up with.
CREATE TABLE message_changes (
  workspace_id    BIGINT NOT NULL,
  conversation_id BIGINT NOT NULL,
  number          BIGINT NOT NULL, -- the time, or one more than the last of the conversation, whichever is later
  message_id      BIGINT NOT NULL,
  is_deleted      BIGINT NOT NULL, -- 1 for a deletion, 0 for an edit
  PRIMARY KEY (conversation_id, number)
);
-- Deletion of old changes.
CREATE INDEX message_changes_by_age ON message_changes (number);

-- Clicks on buttons in the last day: a form that is sent again presses once.
CREATE TABLE button_presses (
  workspace_id BIGINT NOT NULL,
  user_id      BIGINT NOT NULL,
  nonce_hash   BYTEA NOT NULL, -- first 16 bytes of the digest
  fingerprint  BYTEA NOT NULL, -- 16 bytes of the digest of message and button
  created_at   BIGINT NOT NULL,
  PRIMARY KEY (user_id, nonce_hash)
);
-- Deletion of old clicks.
CREATE INDEX button_presses_by_age ON button_presses (created_at);
