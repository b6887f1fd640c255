//! Companies, which APIs and code call workspaces.

use crate::domain::{assistant::sending::AssistantSends, ids::WorkspaceId, time::Timestamp};
use crate::store::{LockKey, ReadSql, Result, Sql, args, locks, statements, table};

table! {
    /// A company.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Workspace in workspaces {
        key id: WorkspaceId,
        mut name: String,
        /// The company's e-mail domain.
        mut domain: Option<String>,
        /// Whether assistants may be connected.
        mut ai_assistants: bool,
        /// The maximum age of an assistant's connection, in hours; `None` if there is no maximum.
        mut max_session_hours: Option<i64>,
        /// Who sends the drafts of assistants: the assistant, or the employee, who confirms each draft on a page.
        mut assistant_sends: AssistantSends,
        created_at: Timestamp,
    }
}

statements! {
    INSERT: Command = workspaces!(INSERT);
    UPDATE: Command = workspaces!(UPDATE);
    BY_ID: Query -> Workspace = workspaces!(SELECT "WHERE id = $1");
    BY_ID_FOR_UPDATE: LockingQuery -> Workspace = sqlite workspaces!(SELECT "WHERE id = $1")
        postgres workspaces!(SELECT "WHERE id = $1 FOR NO KEY UPDATE");
    PAGE: Query -> Workspace = workspaces!(SELECT "WHERE id > $1 ORDER BY id LIMIT $2");
}

/// Inserts a company.
pub async fn insert<C: Sql>(c: &mut C, w: &Workspace) -> Result<()> {
    c.exec(&INSERT, &w.insert_args()).await?;
    Ok(())
}

/// Updates the columns of a company that are declared `mut`.
pub async fn update<C: Sql>(c: &mut C, w: &Workspace) -> Result<()> {
    c.exec(&UPDATE, &w.update_args()).await?;
    Ok(())
}

/// Returns a company; `None` for an unknown id.
pub async fn by_id<C: ReadSql>(c: &mut C, id: WorkspaceId) -> Result<Option<Workspace>> {
    c.opt(&BY_ID, args![id]).await
}

/// Returns a company, and locks it exclusively until the transaction ends. The lock serializes changes of the company's
/// settings, of its blocked clients, and of its people's e-mail addresses. On PostgreSQL, this call waits for the
/// transactions that hold the lock in shared mode ([`lock_shared`]), because they rely on the settings and the blocked
/// clients.
pub async fn by_id_for_update<C: Sql>(c: &mut C, id: WorkspaceId) -> Result<Option<Workspace>> {
    locks::acquire(c, &[LockKey::workspace(id)]).await?;
    c.lock_opt(&BY_ID_FOR_UPDATE, args![id]).await
}

/// Takes the company's lock in shared mode. The company's settings and blocked clients cannot change until the
/// transaction ends.
pub async fn lock_shared<C: Sql>(c: &mut C, id: WorkspaceId) -> Result<()> {
    locks::share(c, LockKey::workspace(id)).await
}

/// Returns up to `limit` companies whose ids are above `after`, ordered by id.
pub async fn page<C: ReadSql>(c: &mut C, after: i64, limit: i64) -> Result<Vec<Workspace>> {
    c.all(&PAGE, args![after, limit]).await
}
