-- Messages that an employee's assistants prepared, and the keys under which assistants repeat a call.

CREATE TABLE drafts (
  id              INTEGER PRIMARY KEY,
  workspace_id    INTEGER NOT NULL,
  owner_id        INTEGER NOT NULL,        -- every connection of the employee sees them
  conversation_id INTEGER,                 -- where it goes: a conversation,
  person_id       INTEGER,                 -- or a person with whom there may be none yet
  thread_id       INTEGER,
  text            TEXT NOT NULL,
  created_at      INTEGER NOT NULL,
  updated_at      INTEGER NOT NULL,
  sent_at         INTEGER,
  sent_to         INTEGER,                 -- the conversation and the message it became
  sent_message    INTEGER
) STRICT;
CREATE INDEX drafts_open ON drafts (owner_id, id) WHERE sent_at IS NULL;
CREATE INDEX drafts_sent ON drafts (sent_at) WHERE sent_at IS NOT NULL;

CREATE TABLE draft_keys (
  owner_id    INTEGER NOT NULL,
  key_hash    BLOB NOT NULL,               -- 16 bytes
  fingerprint BLOB NOT NULL,               -- 16 bytes of the tool and its arguments
  draft_id    INTEGER NOT NULL,
  created_at  INTEGER NOT NULL,
  PRIMARY KEY (owner_id, key_hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX draft_keys_by_age ON draft_keys (created_at);
