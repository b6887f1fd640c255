//! Lists of connections: all of a company or person, and those that ended last.

use super::{
    Result, Sql, args,
    connections::{Connection, select},
    statements,
};
use crate::domain::{
    ids::{UserId, WorkspaceId},
    time::Timestamp,
};

/// Which connections a list has.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    pub workspace: WorkspaceId,
    /// Of one person.
    pub user: Option<UserId>,
    /// Only those that live, or only those that ended.
    pub active: Option<bool>,
    /// Such that a connection lives if it was created later and can still be refreshed.
    pub latest_ended: Timestamp,
    pub now: Timestamp,
}

statements! {
    PAGE = select!("WHERE workspace_id = $1 AND id > $2
        AND ($4 = 0 OR revoked_at IS NOT NULL OR refresh_until <= $5 OR created_at <= $6)
        ORDER BY id LIMIT $3");
    PAGE_OF_USER = select!("WHERE user_id = $7 AND workspace_id = $1 AND id > $2
        AND ($4 = 0 OR revoked_at IS NOT NULL OR refresh_until <= $5 OR created_at <= $6)
        ORDER BY id LIMIT $3");
    LIVING = select!("WHERE workspace_id = $1 AND id > $2 AND revoked_at IS NULL
        AND refresh_until > $4 AND created_at > $5
        ORDER BY id LIMIT $3");
    LIVING_OF_USER = select!("WHERE user_id = $6 AND workspace_id = $1 AND id > $2 AND revoked_at IS NULL
        AND refresh_until > $4 AND created_at > $5
        ORDER BY id LIMIT $3");
    LATEST_ENDED = select!("WHERE workspace_id = $1 AND revoked_at IS NOT NULL
        ORDER BY revoked_at DESC, id DESC LIMIT $2");
    LATEST_ENDED_OF_USER = select!("WHERE user_id = $1 AND revoked_at IS NOT NULL
        ORDER BY revoked_at DESC, id DESC LIMIT $2");
}

/// Connections after `after` in order of creation.
pub async fn page<C: Sql>(c: &mut C, wanted: &Wanted, after: i64, limit: i64) -> Result<Vec<Connection>> {
    let Wanted { workspace, user, active, latest_ended, now } = *wanted;
    if active == Some(true) {
        return match user {
            None => c.all(&LIVING, args![workspace, after, limit, now, latest_ended]).await,
            Some(user) => {
                c.all(&LIVING_OF_USER, args![workspace, after, limit, now, latest_ended, user]).await
            }
        };
    }
    let only_ended = active == Some(false);
    match user {
        None => c.all(&PAGE, args![workspace, after, limit, only_ended, now, latest_ended]).await,
        Some(user) => {
            c.all(&PAGE_OF_USER, args![workspace, after, limit, only_ended, now, latest_ended, user]).await
        }
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
