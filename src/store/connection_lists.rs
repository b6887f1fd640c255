//! Lists of connections: all of a company or person, and those that ended last.

use super::{
    Result, Sql, args,
    connections::{Connection, select},
    statements,
};
use crate::domain::ids::{UserId, WorkspaceId};

/// Which connections a list has.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    pub workspace: WorkspaceId,
    /// Of one person.
    pub user: Option<UserId>,
    /// Only those that are not revoked.
    pub only_living: bool,
}

statements! {
    // on PostgreSQL all of an index's columns are compared, so that no plan walks the primary key past other companies;
    // a plus keeps a condition from any index
    PAGE =
        sqlite select!("WHERE workspace_id = $1 AND id > $2 ORDER BY id LIMIT $3")
        postgres select!("WHERE (workspace_id, id) > ($1, $2)
            AND (workspace_id, id) <= ($1, 9223372036854775807) ORDER BY workspace_id, id LIMIT $3");
    PAGE_OF_USER =
        sqlite select!("WHERE user_id = $4 AND workspace_id = $1 AND id > $2 ORDER BY id LIMIT $3")
        postgres select!("WHERE (user_id, id) > ($4, $2) AND (user_id, id) <= ($4, 9223372036854775807)
            AND +workspace_id = $1 ORDER BY user_id, id LIMIT $3");
    // Of several indexes that begin with the company or the person PostgreSQL takes any and sorts, because it believes that
    // there are few rows under each. With one end open it believes that there are many, and takes the one that has the
    // order; what belongs to others is left out afterwards, at most a page.
    LIVING =
        sqlite select!("WHERE workspace_id + 0 = $1 AND id > $2 AND revoked_at IS NULL ORDER BY id LIMIT $3")
        postgres select!("WHERE (workspace_id + 0, id) > ($1, $2)
            AND (workspace_id + 0, id) <= ($1, 9223372036854775807) AND revoked_at IS NULL
            ORDER BY workspace_id + 0, id LIMIT $3");
    LIVING_OF_USER =
        sqlite select!("WHERE user_id = $4 AND workspace_id = $1 AND id > $2 AND revoked_at IS NULL
            ORDER BY id LIMIT $3")
        postgres select!("WHERE (user_id, id) > ($4, $2) AND (user_id, id) <= ($4, 9223372036854775807)
            AND +workspace_id = $1 AND revoked_at IS NULL ORDER BY user_id, id LIMIT $3");
    LATEST_ENDED =
        sqlite select!("WHERE workspace_id = $1 AND revoked_at IS NOT NULL
            ORDER BY revoked_at DESC, id DESC LIMIT $2")
        postgres concat!("SELECT * FROM (", select!("WHERE (workspace_id, revoked_at) <= ($1, 9223372036854775807)
            AND revoked_at IS NOT NULL ORDER BY workspace_id DESC, revoked_at DESC, id DESC LIMIT $2"),
            ") AS ended WHERE workspace_id = $1 ORDER BY revoked_at DESC, id DESC");
    LATEST_ENDED_OF_USER =
        sqlite select!("WHERE user_id = $1 AND revoked_at IS NOT NULL
            ORDER BY revoked_at DESC, id DESC LIMIT $2")
        postgres concat!("SELECT * FROM (", select!("WHERE (user_id, revoked_at) <= ($1, 9223372036854775807)
            AND revoked_at IS NOT NULL ORDER BY user_id DESC, revoked_at DESC, id DESC LIMIT $2"),
            ") AS ended WHERE user_id = $1 ORDER BY revoked_at DESC, id DESC");
}

/// Connections after `after` in order of creation. Of those that are not revoked some may have run out.
pub async fn page<C: Sql>(c: &mut C, wanted: &Wanted, after: i64, limit: i64) -> Result<Vec<Connection>> {
    let Wanted { workspace, user, only_living } = *wanted;
    match (only_living, user) {
        (true, None) => c.all(&LIVING, args![workspace, after, limit]).await,
        (true, Some(user)) => c.all(&LIVING_OF_USER, args![workspace, after, limit, user]).await,
        (false, None) => c.all(&PAGE, args![workspace, after, limit]).await,
        (false, Some(user)) => c.all(&PAGE_OF_USER, args![workspace, after, limit, user]).await,
    }
}

/// The connections of a company, or of one person of it, that ended last: the latest end first.
pub async fn latest_ended<C: Sql>(
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
