//! The outbox: the table `events` with the events for apps. An event is inserted in the transaction of the change that
//! it reports. This module also finds the installations that receive events.

pub mod deliveries;
pub mod delivery_log;
pub mod drops;
pub mod erasure;
pub mod leases;

use serde_json::{Value, json};

use crate::domain::{
    ids::{AppId, ConversationId, EventId, InstallationId, MessageId, UserId, WorkspaceId},
    scopes::Scopes,
    time::Timestamp,
};
use crate::store::{Notice, ReadSql, Result, Sql, args, log_heads, row, statements};

/// An event to be delivered to the app of one installation.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    pub id: EventId,
    pub app_id: AppId,
    pub installation_id: InstallationId,
    pub workspace_id: WorkspaceId,
    /// The type of the event, such as `directory.changed`.
    pub kind: String,
    /// The exact bytes that are signed and sent.
    pub body: String,
    pub created_at: Timestamp,
    /// The message whose content is in the body; `None` if the body has no content of a message.
    pub message_id: Option<MessageId>,
}

/// A *listening* installation: its app has a callback URL, so the app can receive events. A listening installation can
/// be disconnected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EventListener {
    pub installation_id: InstallationId,
    pub app_id: AppId,
    pub scopes: Scopes,
}
row!(EventListener { installation_id, app_id, scopes });

/// Selects the connected and listening installations of a company, and for each of them the conversations of which its
/// bot is a member. Only the conversations in the list `$conversations` are considered. Returns one row for each pair
/// of an installation and a conversation.
///
/// The membership is checked by a scalar subquery. So no plan starts from the members of a conversation, of whom there
/// can be many.
macro_rules! listeners_in {
    ($conversations:literal) => {
        concat!(
            "SELECT w.value, i.id, i.app_id, i.scopes
            FROM installations i JOIN apps a ON a.id = i.app_id CROSS JOIN ",
            $conversations,
            " WHERE i.workspace_id = $1 AND i.connected = 1 AND a.callback_url IS NOT NULL
                AND (SELECT 1 FROM members m WHERE m.conversation_id = w.value AND m.user_id = i.bot_user_id
                    AND m.left_at IS NULL) = 1
            ORDER BY i.id"
        )
    };
}

/// Drops pending events: sets their state to 3. Events without an attempt and events to be retried are selected
/// separately, because they are in separate partial indexes.
// On PostgreSQL the app and the installation are columns of the subquery `j`. The planner does not know the values of
// these columns, so it uses its default estimates. With these estimates, no plan reads the pending events of other
// apps.
macro_rules! drop_pending {
    (sqlite) => {
        concat!(
            drop_pending!("IN (SELECT id FROM ("),
            "SELECT id FROM events INDEXED BY events_first WHERE app_id = $1 AND state = 0 AND attempts = 0
                    AND installation_id IN (SELECT value FROM json_each($2)) AND type <> $3
                UNION ALL
                SELECT id FROM events INDEXED BY events_again WHERE app_id = $1 AND state = 0 AND attempts > 0
                    AND installation_id IN (SELECT value FROM json_each($2)) AND type <> $3
            ) AS pending LIMIT 1000)"
        )
    };
    (postgres) => {
        concat!(
            drop_pending!("= ANY(ARRAY(SELECT p.id
                FROM (SELECT CAST($1 AS BIGINT) AS app_id, id FROM unnest(CAST($2 AS BIGINT[])) AS i (id) OFFSET 0) AS j
                CROSS JOIN LATERAL ("),
            drop_pending!(postgres "attempts = 0"),
            " UNION ALL ",
            drop_pending!(postgres "attempts > 0"),
            ") AS p LIMIT 1000))"
        )
    };
    (postgres $attempts:literal) => {
        concat!(
            "(SELECT id FROM events WHERE app_id = j.app_id AND installation_id = j.id AND state = 0 AND ",
            $attempts,
            " AND type <> $3 ORDER BY next_at, id LIMIT 1000)"
        )
    };
    ($among:literal) => {
        concat!(
            "UPDATE events SET state = 3, drop_reason = 'disconnected', next_at = $4, log_seq = $5 WHERE state < 1 AND id ",
            $among
        )
    };
}

statements! {
    INSERT: Command = "INSERT INTO events (id, app_id, installation_id, workspace_id, type, body, created_at, state,
            attempts, next_at, message_id)
        VALUES ($1, $2, $3, $4, $5, $6, $7, 0, 0, $7, $8)";
    // all rows are one JSON argument, so that any number of rows needs only one round trip
    INSERT_ALL: Command =
        sqlite "INSERT INTO events (id, app_id, installation_id, workspace_id, type, body, created_at, state,
                attempts, next_at, message_id)
            SELECT value->>0, value->>1, value->>2, value->>3, value->>4, value->>5, value->>6, 0, 0, value->>6,
                value->>7
            FROM json_each($1)"
        postgres "INSERT INTO events (id, app_id, installation_id, workspace_id, type, body, created_at, state,
                attempts, next_at, message_id)
            SELECT (v->>0)::bigint, (v->>1)::bigint, (v->>2)::bigint, (v->>3)::bigint, v->>4, v->>5,
                (v->>6)::bigint, 0, 0, (v->>6)::bigint, (v->>7)::bigint
            FROM json_array_elements($1::text::json) AS v";
    LISTENERS: Query -> EventListener = "SELECT i.id AS installation_id, i.app_id, i.scopes FROM installations i JOIN apps a ON a.id = i.app_id
        WHERE i.workspace_id = $1 AND i.connected = 1 AND a.callback_url IS NOT NULL ORDER BY i.id";
    LISTENERS_IN: Query =
        sqlite listeners_in!("json_each($2) AS w")
        postgres listeners_in!("unnest($2::bigint[]) AS w(value)");
    LISTENER_OF: Query -> EventListener = "SELECT i.id AS installation_id, i.app_id, i.scopes FROM installations i JOIN apps a ON a.id = i.app_id
        WHERE i.bot_user_id = $1 AND i.connected = 1 AND a.callback_url IS NOT NULL";
    // on PostgreSQL, one index look-up for each bot, because a plan with a join could read all of the many
    // installations and apps
    LISTENERS_OF: Query =
        sqlite "SELECT i.bot_user_id, i.id, i.app_id, i.scopes FROM json_each($1) j
            CROSS JOIN installations i ON i.bot_user_id = j.value AND i.connected = 1
            CROSS JOIN apps a ON a.id = i.app_id AND a.callback_url IS NOT NULL"
        postgres "SELECT j.id, i.id, i.app_id, i.scopes FROM unnest(CAST($1 AS BIGINT[])) AS j (id)
            CROSS JOIN LATERAL (SELECT id, app_id, scopes FROM installations
                WHERE bot_user_id = j.id AND connected = 1 LIMIT 1) AS i
            CROSS JOIN LATERAL (SELECT id FROM apps
                WHERE id = i.app_id AND callback_url IS NOT NULL LIMIT 1) AS a";
    LISTENERS_BY_ID: Query =
        sqlite "SELECT i.workspace_id, i.id, i.app_id, i.scopes FROM installations i JOIN apps a ON a.id = i.app_id
            WHERE i.id IN (SELECT value FROM json_each($1)) AND a.callback_url IS NOT NULL ORDER BY i.id"
        postgres "SELECT i.workspace_id, i.id, i.app_id, i.scopes FROM installations i JOIN apps a ON a.id = i.app_id
            WHERE i.id = ANY($1) AND a.callback_url IS NOT NULL ORDER BY i.id";
    // On PostgreSQL the list of ids is an array, because PostgreSQL could plan `IN (SELECT …)` as a scan of the whole
    // table. `state < 1` means the same as `state = 0`, but matches no partial index. So the planner uses this
    // condition only to filter the rows that are found by id.
    DROP_PENDING: Command =
        sqlite drop_pending!(sqlite)
        postgres drop_pending!(postgres);
}

/// Inserts events with one statement. The events are due at once. After the commit, the event delivery is notified.
pub async fn insert<C: Sql>(c: &mut C, events: &[Event]) -> Result<()> {
    match events {
        [] => {}
        [e] => {
            let args = args![
                e.id,
                e.app_id,
                e.installation_id,
                e.workspace_id,
                &e.kind,
                &e.body,
                e.created_at,
                e.message_id
            ];
            c.exec(&INSERT, args).await?;
        }
        several => {
            let rows: Vec<Value> = several.iter().map(row_of).collect();
            c.exec(&INSERT_ALL, args![&Value::Array(rows).to_string()]).await?;
        }
    }
    for event in events {
        c.notify(Notice::NewEvent(event.app_id, event.installation_id));
    }
    Ok(())
}

fn row_of(e: &Event) -> Value {
    let message = e.message_id.map(|id| id.0);
    json!([
        e.id.0,
        e.app_id.0,
        e.installation_id.0,
        e.workspace_id.0,
        e.kind,
        e.body,
        e.created_at.0,
        message
    ])
}

/// Returns the connected and listening installations of a company.
pub async fn listeners<C: ReadSql>(c: &mut C, w: WorkspaceId) -> Result<Vec<EventListener>> {
    c.all(&LISTENERS, args![w]).await
}

/// Returns the connected and listening installations of a company whose bots are members of conversations in
/// `conversations`. Each installation is returned with a conversation of its bot. If the bot is a member of several of
/// the conversations, its installation is returned once for each conversation.
pub async fn listeners_in<C: ReadSql>(
    c: &mut C,
    w: WorkspaceId,
    conversations: &[ConversationId],
) -> Result<Vec<(ConversationId, EventListener)>> {
    let found: Vec<(ConversationId, InstallationId, AppId, Scopes)> =
        c.all(&LISTENERS_IN, args![w, conversations]).await?;
    let listener =
        |(id, installation_id, app_id, scopes)| (id, EventListener { installation_id, app_id, scopes });
    Ok(found.into_iter().map(listener).collect())
}

/// Returns the connected installation of a bot. `None` if the bot has no connected installation, or if the
/// installation's app has no callback URL.
pub async fn listener_of<C: ReadSql>(c: &mut C, bot: UserId) -> Result<Option<EventListener>> {
    c.opt(&LISTENER_OF, args![bot]).await
}

/// Returns the connected and listening installations of the bots in `bots`, each with its bot. Omits a bot without such
/// an installation.
pub async fn listeners_of<C: ReadSql>(c: &mut C, bots: &[UserId]) -> Result<Vec<(UserId, EventListener)>> {
    let found: Vec<(UserId, InstallationId, AppId, Scopes)> = c.all(&LISTENERS_OF, args![bots]).await?;
    let listener =
        |(bot, installation_id, app_id, scopes)| (bot, EventListener { installation_id, app_id, scopes });
    Ok(found.into_iter().map(listener).collect())
}

/// Returns the installations in `ids` that are listening, with their companies. Includes disconnected installations.
pub async fn listeners_by_id<C: ReadSql>(
    c: &mut C,
    ids: &[InstallationId],
) -> Result<Vec<(WorkspaceId, EventListener)>> {
    let found: Vec<(WorkspaceId, InstallationId, AppId, Scopes)> =
        c.all(&LISTENERS_BY_ID, args![ids]).await?;
    let listener =
        |(id, installation_id, app_id, scopes)| (id, EventListener { installation_id, app_id, scopes });
    Ok(found.into_iter().map(listener).collect())
}

/// Drops up to 1,000 pending events of an app's installations in `installations`, except events of type `except`
/// (D-183). The caller must have disconnected the installations. After the commit, the dropped events are counted in
/// the metrics.
///
/// Because of the limit, a disconnect is fast even if many events are pending. The event delivery drops the remaining
/// events when it reads them.
pub async fn drop_pending<C: Sql>(
    c: &mut C,
    app: AppId,
    installations: &[InstallationId],
    except: &str,
    now: Timestamp,
) -> Result<()> {
    let seq = log_heads::next_delivery(c, app).await?;
    let dropped = c.exec(&DROP_PENDING, args![app, installations, except, now, seq]).await?;
    c.notify(Notice::DroppedEvents(dropped));
    Ok(())
}
