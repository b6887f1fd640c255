//! Companies.

use super::{LockKey, Result, Sql, args, locks, row, statements};
use crate::domain::{ids::WorkspaceId, time::Timestamp};

/// One company.
#[derive(Clone, Debug, PartialEq)]
pub struct Workspace {
    pub id: WorkspaceId,
    pub name: String,
    /// The company's e-mail domain.
    pub domain: Option<String>,
    /// Whether assistants may be connected.
    pub ai_assistants: bool,
    /// The longest an assistant's connection may live, in hours.
    pub max_session_hours: Option<i64>,
    pub created_at: Timestamp,
}
row!(Workspace { id, name, domain, ai_assistants, max_session_hours, created_at });

statements! {
    INSERT = "INSERT INTO workspaces (id, name, domain, ai_assistants, max_session_hours, created_at)
        VALUES ($1, $2, $3, $4, $5, $6)";
    UPDATE = "UPDATE workspaces SET name = $2, domain = $3, ai_assistants = $4, max_session_hours = $5
        WHERE id = $1";
    BY_ID = "SELECT id, name, domain, ai_assistants, max_session_hours, created_at
        FROM workspaces WHERE id = $1";
    BY_IDS =
        sqlite "SELECT id, name, domain, ai_assistants, max_session_hours, created_at
            FROM workspaces WHERE id IN (SELECT value FROM json_each($1)) ORDER BY id"
        postgres "SELECT id, name, domain, ai_assistants, max_session_hours, created_at
            FROM workspaces WHERE id = ANY($1) ORDER BY id";
    BY_ID_FOR_UPDATE = sqlite "SELECT id, name, domain, ai_assistants, max_session_hours, created_at
        FROM workspaces WHERE id = $1"
        postgres "SELECT id, name, domain, ai_assistants, max_session_hours, created_at
        FROM workspaces WHERE id = $1 FOR NO KEY UPDATE";
    PAGE = "SELECT id, name, domain, ai_assistants, max_session_hours, created_at
        FROM workspaces WHERE id > $1 ORDER BY id LIMIT $2";
}

/// Writes a new company.
pub async fn insert<C: Sql>(c: &mut C, w: &Workspace) -> Result<()> {
    c.exec(
        &INSERT,
        args![w.id, &w.name, w.domain.as_deref(), w.ai_assistants, w.max_session_hours, w.created_at],
    )
    .await?;
    Ok(())
}

/// Writes every field that may change.
pub async fn update<C: Sql>(c: &mut C, w: &Workspace) -> Result<()> {
    c.exec(&UPDATE, args![w.id, &w.name, w.domain.as_deref(), w.ai_assistants, w.max_session_hours]).await?;
    Ok(())
}

/// One company.
pub async fn by_id<C: Sql>(c: &mut C, id: WorkspaceId) -> Result<Option<Workspace>> {
    c.opt(&BY_ID, args![id]).await
}

/// Some companies in order of creation; unknown ids are left out.
pub async fn by_ids<C: Sql>(c: &mut C, ids: &[WorkspaceId]) -> Result<Vec<Workspace>> {
    c.all(&BY_IDS, args![ids]).await
}

/// One company, locked until the transaction ends: one change of its settings or its addresses at a time, and none while
/// somebody relies on them ([`rely_on`]).
pub async fn by_id_for_update<C: Sql>(c: &mut C, id: WorkspaceId) -> Result<Option<Workspace>> {
    locks::acquire(c, &[LockKey::workspace(id)]).await?;
    c.opt(&BY_ID_FOR_UPDATE, args![id]).await
}

/// Keeps a company's settings and blocked clients as they are until the transaction ends; others may do the same.
pub async fn rely_on<C: Sql>(c: &mut C, id: WorkspaceId) -> Result<()> {
    locks::share(c, LockKey::workspace(id)).await
}

/// Companies after `after` in order of creation, at most `limit`.
pub async fn page<C: Sql>(c: &mut C, after: i64, limit: i64) -> Result<Vec<Workspace>> {
    c.all(&PAGE, args![after, limit]).await
}
