-- Search in messages: the full-text index, which is each engine's own, and what it has still to take in.

-- Messages to be put into the index, or to be put there anew: written in the transaction of the change.
CREATE TABLE search_queue (
  message_id BIGINT PRIMARY KEY
);
-- Everything that was written before there was an index.
INSERT INTO search_queue (message_id)
  SELECT id FROM messages WHERE type <> 3 AND text IS NOT NULL AND text <> '';

-- Deleted conversations whose messages have to leave the index, and how far that has come.
CREATE TABLE search_purges (
  conversation_id BIGINT PRIMARY KEY,
  after_id        BIGINT NOT NULL
);

-- The words of messages, split and folded by the server; words that begin with @ are tags and name conversation and
-- sender.
CREATE TABLE message_index (
  message_id BIGINT PRIMARY KEY,
  words      TSVECTOR NOT NULL
);
-- Written in the background, so that searches need not wade through a list of pending words.
CREATE INDEX message_index_words ON message_index USING gin (words) WITH (fastupdate = off);

-- A thread is read without walking its conversation.
CREATE INDEX messages_by_thread ON messages (conversation_id, thread_id, id) WHERE thread_id IS NOT NULL;
