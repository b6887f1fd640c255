-- expand
-- oldest compatible: 0001
--
-- From this version on signing secrets and the master key may be encrypted. The texts keep their columns; a database in
-- which they are encrypted demands a program that knows this migration (src/store/secrets.rs).
--
-- Superseded signing secrets, which are erased a day after they were replaced.
CREATE INDEX IF NOT EXISTS apps_with_superseded_secret ON apps (signing_rotated_at)
  WHERE previous_signing_secret IS NOT NULL;
