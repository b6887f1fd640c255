//! The outbox: events for apps, written in the transaction of the change they tell of.

use super::{Result, Sql, args, row, statements};
use crate::domain::{
    ids::{AppId, ConversationId, EventId, InstallationId, UserId, WorkspaceId},
    scopes::Scopes,
    time::Timestamp,
};

/// An event to be delivered to one installation's app.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    pub id: EventId,
    pub app_id: AppId,
    pub installation_id: InstallationId,
    pub workspace_id: WorkspaceId,
    pub kind: String,
    /// The exact bytes that are signed and sent.
    pub body: String,
    pub created_at: Timestamp,
}

/// Where the delivery of an event stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Delivery {
    pub event_id: EventId,
    pub kind: String,
    pub workspace_id: WorkspaceId,
    pub installation_id: InstallationId,
    /// 0 pending, 1 delivered, 2 failed, 3 dropped.
    pub state: i64,
    /// Finished attempts.
    pub attempts: i64,
    pub next_at: Timestamp,
    pub created_at: Timestamp,
}
row!(Delivery { event_id, kind, workspace_id, installation_id, state, attempts, next_at, created_at });

/// An installation that is told of changes: its app has a callback URL.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Listener {
    pub installation_id: InstallationId,
    pub app_id: AppId,
    pub scopes: Scopes,
}
row!(Listener { installation_id, app_id, scopes });

statements! {
    INSERT = "INSERT INTO events (id, app_id, installation_id, workspace_id, type, body, created_at, state,
            attempts, claim, next_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, 0, 0, 0, $7)";
    LISTENERS = "SELECT i.id, i.app_id, i.scopes FROM installations i JOIN apps a ON a.id = i.app_id
        WHERE i.workspace_id = $1 AND i.connected = 1 AND a.callback_url IS NOT NULL ORDER BY i.id";
    LISTENERS_IN = "SELECT i.id, i.app_id, i.scopes
        FROM members m
        JOIN installations i ON i.bot_user_id = m.user_id AND i.connected = 1
        JOIN apps a ON a.id = i.app_id AND a.callback_url IS NOT NULL
        WHERE m.conversation_id = $1 AND m.left_at IS NULL ORDER BY i.id";
    LISTENER_OF = "SELECT i.id, i.app_id, i.scopes FROM installations i JOIN apps a ON a.id = i.app_id
        WHERE i.bot_user_id = $1 AND i.connected = 1 AND a.callback_url IS NOT NULL";
    LISTENER = "SELECT i.id, i.app_id, i.scopes FROM installations i JOIN apps a ON a.id = i.app_id
        WHERE i.id = $1 AND a.callback_url IS NOT NULL";
    DROP_PENDING = "UPDATE events SET state = 3 WHERE installation_id = $1 AND state = 0 AND type <> $2";
    PAGE = "SELECT id, type, workspace_id, installation_id, state, attempts, next_at, created_at
        FROM events WHERE app_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3";
}

/// Writes an event, due at once.
pub async fn insert<C: Sql>(c: &mut C, e: &Event) -> Result<()> {
    c.exec(&INSERT, args![e.id, e.app_id, e.installation_id, e.workspace_id, &e.kind, &e.body, e.created_at])
        .await?;
    Ok(())
}

/// Who is told of changes in a company.
pub async fn listeners<C: Sql>(c: &mut C, w: WorkspaceId) -> Result<Vec<Listener>> {
    c.all(&LISTENERS, args![w]).await
}

/// Who of them has its bot in a conversation.
pub async fn listeners_in<C: Sql>(c: &mut C, conversation: ConversationId) -> Result<Vec<Listener>> {
    c.all(&LISTENERS_IN, args![conversation]).await
}

/// The connected installation of a bot, when its app is told of changes.
pub async fn listener_of<C: Sql>(c: &mut C, bot: UserId) -> Result<Option<Listener>> {
    c.opt(&LISTENER_OF, args![bot]).await
}

/// One installation, connected or not, when its app has a callback URL.
pub async fn listener<C: Sql>(c: &mut C, id: InstallationId) -> Result<Option<Listener>> {
    c.opt(&LISTENER, args![id]).await
}

/// After a disconnect only events of type `but` are still delivered (D-183).
pub async fn drop_pending<C: Sql>(c: &mut C, installation: InstallationId, but: &str) -> Result<()> {
    c.exec(&DROP_PENDING, args![installation, but]).await?;
    Ok(())
}

/// An app's events before `before`, newest first.
pub async fn page<C: Sql>(c: &mut C, app: AppId, before: i64, limit: i64) -> Result<Vec<Delivery>> {
    c.all(&PAGE, args![app, before, limit]).await
}
