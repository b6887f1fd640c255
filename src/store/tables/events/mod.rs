//! The outbox: the table `events` with the events for apps. An event is inserted in the transaction of the change that
//! it reports. This module also finds the installations that receive events.

pub mod deliveries;
pub mod delivery_log;
pub mod drops;
pub mod erasure;
pub mod leases;

use crate::domain::{
    ids::{AppId, ConversationId, EventId, InstallationId, MessageId, UserId, WorkspaceId},
    scopes::Scopes,
    time::Timestamp,
};
use crate::store::{Notice, ReadSql, Result, Sql, args, log_heads, row, statements, table};

table! {
    /// An event to be delivered to the app of one installation.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Event in events {
        id: EventId,
        app_id: AppId,
        installation_id: InstallationId,
        workspace_id: WorkspaceId,
        /// The type of the event, such as `directory.changed`.
        kind as type: String,
        /// The exact bytes that are signed and sent.
        body: String,
        created_at: Timestamp,
        /// The message whose content is in the body; `None` if the body has no content of a message.
        message_id: Option<MessageId>,
    }
    extra_columns { state = "0", attempts = "0", next_at: Timestamp }
}

/// A *listening* installation: its app has a callback URL, so the app can receive events. A disconnected installation
/// is also listening if its app has a callback URL.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EventListener {
    pub installation_id: InstallationId,
    pub app_id: AppId,
    pub scopes: Scopes,
}
row!(EventListener { installation_id, app_id, scopes });

/// A listening installation, and the id by which a statement found the installation.
struct FoundListener {
    listener: EventListener,
    /// Depending on the statement: the id of the company, of the bot, or of a conversation with the bot.
    found_by: i64,
}
row!(FoundListener { ..listener: EventListener, found_by });

/// Selects the connected and listening installations of a company, and for each of them the conversations of which its
/// bot is a member. Only the conversations in the list `$conversations` are considered. Returns one row for each pair
/// of an installation and a conversation.
///
/// The membership is checked by a scalar subquery. So no plan starts from the members of a conversation, of whom there
/// can be many.
macro_rules! listeners_in {
    ($conversations:literal) => {
        concat!(
            "SELECT i.id AS installation_id, i.app_id, i.scopes, w.value AS found_by
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
    INSERT: Command = events!(INSERT);
    // all rows are one JSON argument, so that any number of rows needs only one round trip
    INSERT_ALL: Command =
        sqlite events!(INSERT_ALL sqlite "")
        postgres events!(INSERT_ALL postgres "");
    LISTENERS: Query -> EventListener = "SELECT i.id AS installation_id, i.app_id, i.scopes FROM installations i JOIN apps a ON a.id = i.app_id
        WHERE i.workspace_id = $1 AND i.connected = 1 AND a.callback_url IS NOT NULL ORDER BY i.id";
    LISTENERS_IN: Query -> FoundListener =
        sqlite listeners_in!("json_each($2) AS w")
        postgres listeners_in!("unnest($2::bigint[]) AS w(value)");
    LISTENER_OF: Query -> EventListener = "SELECT i.id AS installation_id, i.app_id, i.scopes FROM installations i JOIN apps a ON a.id = i.app_id
        WHERE i.bot_user_id = $1 AND i.connected = 1 AND a.callback_url IS NOT NULL";
    // on PostgreSQL, one index look-up for each bot, because a plan with a join could read all of the many
    // installations and apps
    LISTENERS_OF: Query -> FoundListener =
        sqlite "SELECT i.id AS installation_id, i.app_id, i.scopes, i.bot_user_id AS found_by FROM json_each($1) j
            CROSS JOIN installations i ON i.bot_user_id = j.value AND i.connected = 1
            CROSS JOIN apps a ON a.id = i.app_id AND a.callback_url IS NOT NULL"
        postgres "SELECT i.id AS installation_id, i.app_id, i.scopes, j.id AS found_by FROM unnest(CAST($1 AS BIGINT[])) AS j (id)
            CROSS JOIN LATERAL (SELECT id, app_id, scopes FROM installations
                WHERE bot_user_id = j.id AND connected = 1 LIMIT 1) AS i
            CROSS JOIN LATERAL (SELECT id FROM apps
                WHERE id = i.app_id AND callback_url IS NOT NULL LIMIT 1) AS a";
    LISTENERS_BY_ID: Query -> FoundListener =
        sqlite "SELECT i.id AS installation_id, i.app_id, i.scopes, i.workspace_id AS found_by
            FROM installations i JOIN apps a ON a.id = i.app_id
            WHERE i.id IN (SELECT value FROM json_each($1)) AND a.callback_url IS NOT NULL ORDER BY i.id"
        postgres "SELECT i.id AS installation_id, i.app_id, i.scopes, i.workspace_id AS found_by
            FROM installations i JOIN apps a ON a.id = i.app_id
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
        [event] => {
            c.exec(&INSERT, &event.insert_args(event.created_at)).await?;
        }
        several => {
            let rows =
                Event::insert_all_arg(several.iter().map(|event| event.insert_args(event.created_at)))?;
            c.exec(&INSERT_ALL, args![&rows]).await?;
        }
    }
    for event in events {
        c.notify(Notice::NewEvent(event.app_id, event.installation_id));
    }
    Ok(())
}

/// Returns the connected and listening installations of a company.
pub async fn listeners<C: ReadSql>(c: &mut C, w: WorkspaceId) -> Result<Vec<EventListener>> {
    c.all(&LISTENERS, args![w]).await
}

/// Returns the conversation and the installation for each membership of a bot in one of `conversations`. Considers only
/// the bots of the company's connected and listening installations.
pub async fn listeners_in<C: ReadSql>(
    c: &mut C,
    w: WorkspaceId,
    conversations: &[ConversationId],
) -> Result<Vec<(ConversationId, EventListener)>> {
    let found: Vec<FoundListener> = c.all(&LISTENERS_IN, args![w, conversations]).await?;
    Ok(found.into_iter().map(|found| (ConversationId(found.found_by), found.listener)).collect())
}

/// Returns the connected installation of a bot. `None` if the bot has no connected installation, or if the
/// installation's app has no callback URL.
pub async fn listener_of<C: ReadSql>(c: &mut C, bot: UserId) -> Result<Option<EventListener>> {
    c.opt(&LISTENER_OF, args![bot]).await
}

/// Returns the connected and listening installations of the bots in `bots`, each with its bot. Omits a bot whose
/// installation is disconnected or not listening.
pub async fn listeners_of<C: ReadSql>(c: &mut C, bots: &[UserId]) -> Result<Vec<(UserId, EventListener)>> {
    let found: Vec<FoundListener> = c.all(&LISTENERS_OF, args![bots]).await?;
    Ok(found.into_iter().map(|found| (UserId(found.found_by), found.listener)).collect())
}

/// Returns the installations in `ids` that are listening, with their companies. Includes disconnected installations.
pub async fn listeners_by_id<C: ReadSql>(
    c: &mut C,
    ids: &[InstallationId],
) -> Result<Vec<(WorkspaceId, EventListener)>> {
    let found: Vec<FoundListener> = c.all(&LISTENERS_BY_ID, args![ids]).await?;
    Ok(found.into_iter().map(|found| (WorkspaceId(found.found_by), found.listener)).collect())
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
