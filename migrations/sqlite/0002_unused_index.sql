-- contract
-- oldest compatible: 0001
--
-- No statement uses this index: companies of an app are found by installations_connected.
DROP INDEX IF EXISTS installations_by_app;
