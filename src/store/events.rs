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
            attempts, next_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, 0, 0, $7)";
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
    // on PostgreSQL a list of ids is an array, or it might rather read the whole table than look for each; and `state < 1`
    // keeps it from reading all that is pending
    DROP_PENDING =
        sqlite "UPDATE events SET state = 3, drop_reason = 'disconnected', next_at = $3
            WHERE state < 1 AND id IN (SELECT id FROM events
                WHERE installation_id = $1 AND state = 0 AND type <> $2 LIMIT 1000)"
        postgres "UPDATE events SET state = 3, drop_reason = 'disconnected', next_at = $3
            WHERE state < 1 AND id = ANY(ARRAY(SELECT id FROM events
                WHERE installation_id = $1 AND state = 0 AND type <> $2 LIMIT 1000))";
}

/// Writes an event, due at once; delivery hears of it when it is committed.
pub async fn insert<C: Sql>(c: &mut C, e: &Event) -> Result<()> {
    c.exec(&INSERT, args![e.id, e.app_id, e.installation_id, e.workspace_id, &e.kind, &e.body, e.created_at])
        .await?;
    c.due(e.app_id);
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

/// After a disconnect only events of type `but` are still delivered (D-183). Up to a thousand are dropped here, so that a
/// backlog never keeps an installation from ending; delivery drops the others when their turn comes.
pub async fn drop_pending<C: Sql>(
    c: &mut C,
    installation: InstallationId,
    but: &str,
    now: Timestamp,
) -> Result<()> {
    c.exec(&DROP_PENDING, args![installation, but, now]).await?;
    Ok(())
}
