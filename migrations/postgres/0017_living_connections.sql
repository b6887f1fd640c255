-- The list of the connections that live, without walking those that ended.
CREATE INDEX connections_living ON connections (workspace_id, id) WHERE revoked_at IS NULL;
CREATE INDEX connections_living_of_user ON connections (user_id, id) WHERE revoked_at IS NULL;
