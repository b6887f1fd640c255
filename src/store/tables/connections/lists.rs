//! Lists of connections: the connections of a company or of a user, and the most recently revoked connections.

use crate::domain::ids::{UserId, WorkspaceId};
use crate::store::{
    ReadSql, Result, args,
    connections::{Connection, connections},
    statements,
};

/// The filter of a list of connections.
#[derive(Clone, Copy, Debug)]
pub struct ConnectionListFilter {
    pub workspace: WorkspaceId,
    /// If set, only connections of this user.
    pub user: Option<UserId>,
    /// If `true`, only connections that are not revoked.
    pub only_living: bool,
}

statements! {
    // PostgreSQL: the conditions compare all columns of the index as one row. With a condition on `id` alone, a plan
    // could scan the primary key and read the rows of other companies. In PAGE_OF_USER and LIVING_OF_USER, the
    // condition on `workspace_id` only filters: because of the unary plus, it matches no index.
    PAGE: Query -> Connection =
        sqlite connections!(SELECT "WHERE workspace_id = $1 AND id > $2 ORDER BY id LIMIT $3")
        postgres connections!(SELECT "WHERE (workspace_id, id) >= ($1, $2)
            AND (workspace_id, id) <= ($1, 9223372036854775807) AND id <> $2 ORDER BY workspace_id, id LIMIT $3");
    PAGE_OF_USER: Query -> Connection =
        sqlite connections!(SELECT "WHERE user_id = $4 AND workspace_id = $1 AND id > $2 ORDER BY id LIMIT $3")
        postgres connections!(SELECT "WHERE (user_id, id) >= ($4, $2) AND (user_id, id) <= ($4, 9223372036854775807)
            AND id <> $2 AND +workspace_id = $1 ORDER BY user_id, id LIMIT $3");
    // `workspace_id + 0` selects the expression index `connections_living`. Several other indexes begin with
    // `workspace_id`, and PostgreSQL estimates few rows for each of them. So with a plain `workspace_id` it could
    // choose an index with another order, and would then sort the rows.
    LIVING: Query -> Connection =
        sqlite connections!(SELECT "WHERE workspace_id + 0 = $1 AND id > $2 AND revoked_at IS NULL ORDER BY id LIMIT $3")
        postgres connections!(SELECT "WHERE (workspace_id + 0, id) >= ($1, $2)
            AND (workspace_id + 0, id) <= ($1, 9223372036854775807) AND id <> $2 AND revoked_at IS NULL
            ORDER BY workspace_id + 0, id LIMIT $3");
    LIVING_OF_USER: Query -> Connection =
        sqlite connections!(SELECT "WHERE user_id = $4 AND workspace_id = $1 AND id > $2 AND revoked_at IS NULL
            ORDER BY id LIMIT $3")
        postgres connections!(SELECT "WHERE (user_id, id) >= ($4, $2) AND (user_id, id) <= ($4, 9223372036854775807)
            AND id <> $2 AND +workspace_id = $1 AND revoked_at IS NULL ORDER BY user_id, id LIMIT $3");
    // PostgreSQL: the range has no lower bound. So PostgreSQL estimates many rows, and chooses the index that already
    // has the requested order. The inner query returns up to $2 rows, possibly with connections of other companies or
    // users. The outer query removes these connections.
    LATEST_ENDED: Query -> Connection =
        sqlite connections!(SELECT "WHERE workspace_id = $1 AND revoked_at IS NOT NULL
            ORDER BY revoked_at DESC, id DESC LIMIT $2")
        postgres concat!("SELECT * FROM (", connections!(SELECT "WHERE (workspace_id, revoked_at) <= ($1, 9223372036854775807)
            AND revoked_at IS NOT NULL ORDER BY workspace_id DESC, revoked_at DESC, id DESC LIMIT $2"),
            ") AS ended WHERE workspace_id = $1 ORDER BY revoked_at DESC, id DESC");
    LATEST_ENDED_OF_USER: Query -> Connection =
        sqlite connections!(SELECT "WHERE user_id = $1 AND revoked_at IS NOT NULL
            ORDER BY revoked_at DESC, id DESC LIMIT $2")
        postgres concat!("SELECT * FROM (", connections!(SELECT "WHERE (user_id, revoked_at) <= ($1, 9223372036854775807)
            AND revoked_at IS NOT NULL ORDER BY user_id DESC, revoked_at DESC, id DESC LIMIT $2"),
            ") AS ended WHERE user_id = $1 ORDER BY revoked_at DESC, id DESC");
}

/// Returns up to `limit` connections that match the filter and whose ids are above `after`, ordered by id. A connection
/// without `revoked_at` has possibly expired, because a maintenance job sets `revoked_at` some time after the expiry.
pub async fn page<C: ReadSql>(
    c: &mut C,
    filter: &ConnectionListFilter,
    after: i64,
    limit: i64,
) -> Result<Vec<Connection>> {
    let ConnectionListFilter { workspace, user, only_living } = *filter;
    match (only_living, user) {
        (true, None) => c.all(&LIVING, args![workspace, after, limit]).await,
        (true, Some(user)) => c.all(&LIVING_OF_USER, args![workspace, after, limit, user]).await,
        (false, None) => c.all(&PAGE, args![workspace, after, limit]).await,
        (false, Some(user)) => c.all(&PAGE_OF_USER, args![workspace, after, limit, user]).await,
    }
}

/// Returns the `limit` most recently revoked connections: of `user` if it is set, or else of the company `workspace`.
/// The connection that was revoked last is first.
pub async fn latest_ended<C: ReadSql>(
    c: &mut C,
    workspace: WorkspaceId,
    user: Option<UserId>,
    limit: i64,
) -> Result<Vec<Connection>> {
    match user {
        None => c.all(&LATEST_ENDED, args![workspace, limit]).await,
        Some(user) => c.all(&LATEST_ENDED_OF_USER, args![user, limit]).await,
    }
}
