-- expand
-- oldest compatible: 0001
--
-- Guessing at passwords is slowed down over days and restarts, and a place where an account was signed in to before is
-- known: strangers who guess keep nobody out there.

-- Failed attempts, by a digest of an account and a place, or of an account alone for those of all strangers.
CREATE TABLE guesses (
  subject      BLOB PRIMARY KEY,
  failures     INTEGER NOT NULL, -- in a row; 0 for those of strangers
  until        INTEGER NOT NULL, -- of a place: closed until then; of strangers: when the last stops counting
  forgotten_at INTEGER NOT NULL
) STRICT;
-- Removal of what makes no difference any more.
CREATE INDEX guesses_by_end ON guesses (forgotten_at);

-- Places from which accounts were signed in to: digests of networks and browsers.
CREATE TABLE sign_in_places (
  account_id INTEGER NOT NULL,
  place      BLOB NOT NULL,
  used_at    INTEGER NOT NULL,
  PRIMARY KEY (account_id, place)
) STRICT;
-- Removal of places that were not used for long.
CREATE INDEX sign_in_places_by_use ON sign_in_places (used_at);
