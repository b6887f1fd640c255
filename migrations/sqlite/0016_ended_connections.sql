-- What the pages list as lately ended, of a company and of a person: by when it ended, however old the connection was.
-- With the id, because one decision of an admin can end many in the same moment.

CREATE INDEX connections_by_end ON connections (workspace_id, revoked_at, id) WHERE revoked_at IS NOT NULL;
CREATE INDEX connections_of_user_by_end ON connections (user_id, revoked_at, id) WHERE revoked_at IS NOT NULL;
