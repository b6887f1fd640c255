-- The company whose admin set an account's password: until the operator sets one it opens that company only. Null when the
-- operator set it.
ALTER TABLE accounts ADD COLUMN password_workspace_id BIGINT;
