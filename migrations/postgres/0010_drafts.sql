-- Messages that an employee's assistants prepared, and the keys under which assistants repeat a call.

CREATE TABLE drafts (
  id              BIGINT PRIMARY KEY,
  workspace_id    BIGINT NOT NULL,
  owner_id        BIGINT NOT NULL,        -- every connection of the employee sees them
  conversation_id BIGINT,                 -- where it goes: a conversation,
  person_id       BIGINT,                 -- or a person with whom there may be none yet
  thread_id       BIGINT,
  text            TEXT NOT NULL,
  created_at      BIGINT NOT NULL,
  updated_at      BIGINT NOT NULL,
  sent_at         BIGINT,
  sent_to         BIGINT,                 -- the conversation and the message it became
  sent_message    BIGINT
);
CREATE INDEX drafts_open ON drafts (owner_id, id) WHERE sent_at IS NULL;
CREATE INDEX drafts_sent ON drafts (sent_at) WHERE sent_at IS NOT NULL;

CREATE TABLE draft_keys (
  owner_id    BIGINT NOT NULL,
  key_hash    BYTEA NOT NULL,               -- 16 bytes
  fingerprint BYTEA NOT NULL,               -- 16 bytes of the tool and its arguments
  draft_id    BIGINT NOT NULL,
  created_at  BIGINT NOT NULL,
  PRIMARY KEY (owner_id, key_hash)
);
CREATE INDEX draft_keys_by_age ON draft_keys (created_at);
