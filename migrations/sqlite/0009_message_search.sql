-- Search in messages: the full-text index, which is each engine's own, and what it has still to take in.

-- Messages to be put into the index, or to be put there anew: written in the transaction of the change.
CREATE TABLE search_queue (
  message_id INTEGER PRIMARY KEY
) STRICT;
-- Everything that was written before there was an index.
INSERT INTO search_queue (message_id)
  SELECT id FROM messages WHERE type <> 3 AND text IS NOT NULL AND text <> '';

-- Deleted conversations whose messages have to leave the index, and how far that has come.
CREATE TABLE search_purges (
  conversation_id INTEGER PRIMARY KEY,
  after_id        INTEGER NOT NULL
) STRICT;

-- The words of messages, split and folded by the server; the tags name conversation and sender.
CREATE VIRTUAL TABLE message_index USING fts5 (
  words, tags, content = '', contentless_delete = 1, tokenize = 'ascii'
);

-- A thread is read without walking its conversation.
CREATE INDEX messages_by_thread ON messages (conversation_id, thread_id, id) WHERE thread_id IS NOT NULL;
