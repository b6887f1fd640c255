-- Beginnings of names and addresses: the folded words of each person, as bytes, which both engines compare alike.
CREATE TABLE user_words (
  user_id      BIGINT NOT NULL,
  word         BYTEA NOT NULL,
  workspace_id BIGINT NOT NULL,
  PRIMARY KEY (user_id, word)
);
CREATE INDEX user_words_by_word ON user_words (workspace_id, word, user_id);

-- Whose words are not there yet: everybody from before this migration. The process writes them, as folding is not SQL's.
ALTER TABLE users ADD COLUMN has_words BIGINT NOT NULL DEFAULT 0;
CREATE INDEX users_without_words ON users (id) WHERE has_words = 0;
