//! The statements of event delivery. They select due events and store the results of attempts.
//!
//! The column `next_at` of a pending event is the time at which the event is due. For any other event, `next_at` is the
//! time at which the event was delivered, failed or dropped. If an event was dropped during an attempt, `next_at` is
//! the end of the attempt.

use serde_json::{Value, json};

use crate::domain::{
    delivery::{Attempt, EventQueue, ReadPosition},
    ids::{AppId, EventId, InstallationId, WorkspaceId},
    time::Timestamp,
};
use crate::store::{ReadSql, Result, Sql, args, log_heads, row, secrets::StoredSecret, statements, table};

/// A due event, with the current state of its installation and of its app.
#[derive(Clone, Debug)]
pub struct Due {
    pub id: EventId,
    pub installation_id: InstallationId,
    /// The type of the event.
    pub kind: String,
    /// The exact bytes that are signed and sent.
    pub body: String,
    /// Number of finished attempts.
    pub attempts: i64,
    /// Number of attempts that had finished when the latest redelivery was requested; 0 without a redelivery. A
    /// redelivery restarts the retry schedule.
    pub earlier: i64,
    /// When the next attempt is due.
    pub next_at: Timestamp,
    /// Whether the installation is still connected.
    pub connected: bool,
    /// The URL to which the event is sent; `None` if the app has no callback URL.
    pub callback_url: Option<String>,
    pub signing_secret: StoredSecret,
    pub previous_signing_secret: Option<StoredSecret>,
    pub signing_rotated_at: Option<Timestamp>,
}
row!(Due {
    id,
    installation_id,
    kind as type,
    body,
    attempts,
    earlier,
    next_at,
    connected,
    callback_url,
    signing_secret,
    previous_signing_secret,
    signing_rotated_at
});

/// An app with due events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DueApp {
    pub app_id: AppId,
    /// Whether another process has the lease of the app, and so delivers the app's events.
    pub elsewhere: bool,
}
row!(DueApp { app_id, elsewhere });

/// An event for which the result of an attempt was stored.
struct RecordedDelivery {
    id: EventId,
    state: i64,
    next_at: Timestamp,
    workspace_id: WorkspaceId,
}
row!(RecordedDelivery { id, state, next_at, workspace_id });

table! {
    /// The entry of an attempt, to be inserted into the delivery log.
    #[derive(Clone, Debug)]
    pub struct LoggedAttempt in delivery_attempts {
        event_id: EventId,
        /// Number of the attempt, counted from 1.
        attempt: i64,
        id: i64,
        app_id: AppId,
        at: Timestamp,
        delivered: bool,
        status: Option<i64>,
        error: Option<String>,
        latency_ms: i64,
        answer: Option<String>,
        next_attempt_at: Option<Timestamp>,
        workspace_id: WorkspaceId,
        log_seq: i64,
    }
}

/// Selects due events. `$queue` is the condition for the queue ([`EventQueue`]): first attempts or retries. `$start` is
/// the condition for an installation and its start position, after which events are read. If there are several start
/// positions, `$from` joins them. `$index` names the index for SQLite, which has no statistics by which it could choose
/// the index.
macro_rules! due {
    ($queue:literal, $index:literal, $from:literal, $start:literal) => {
        concat!(
            "SELECT d.id, d.installation_id, d.type, d.body, d.attempts, d.earlier, d.next_at, i.connected, a.callback_url,
                a.signing_secret, a.previous_signing_secret, a.signing_rotated_at
            FROM ",
            $from,
            "(SELECT e.id, e.installation_id, e.app_id, e.type, e.body, e.attempts,
                e.earlier, e.next_at FROM events e ",
            $index,
            " WHERE e.app_id = $1 AND e.state = 0 AND ",
            $queue,
            " AND ",
            $start,
            " AND e.next_at <= $5 ORDER BY e.next_at, e.id LIMIT $6) d
            JOIN installations i ON i.id = d.installation_id
            JOIN apps a ON a.id = d.app_id
            ORDER BY d.installation_id, d.next_at, d.id"
        )
    };
}

macro_rules! due_of_one {
    ($queue:literal, $index:literal) => {
        due!($queue, $index, "", "e.installation_id = $2 AND (e.next_at, e.id) > ($3, $4)")
    };
}

macro_rules! due_of_many {
    ($queue:literal) => {
        due!(
            $queue,
            "",
            "unnest($2::bigint[], $3::bigint[], $4::bigint[]) AS w(installation_id, next_at, id)
            CROSS JOIN LATERAL ",
            "e.installation_id = w.installation_id AND (e.next_at, e.id) > (w.next_at, w.id)"
        )
    };
}

/// The same statement as `due_of_many`, for SQLite. SQLite has no `LATERAL`, but it supports a correlated subquery in
/// `IN`.
macro_rules! due_of_many_sqlite {
    ($queue:literal, $index:literal) => {
        concat!(
            "SELECT d.id, d.installation_id, d.type, d.body, d.attempts, d.earlier, d.next_at, i.connected, a.callback_url,
                a.signing_secret, a.previous_signing_secret, a.signing_rotated_at
            FROM json_each($2) AS w
            JOIN events d ON d.id IN (SELECT e.id FROM events e ",
            $index,
            " WHERE e.app_id = $1 AND e.state = 0 AND ",
            $queue,
            " AND e.installation_id = w.value AND (e.next_at, e.id)
                    > (json_extract($3, '$[' || w.key || ']'), json_extract($4, '$[' || w.key || ']'))
                AND e.next_at <= $5 ORDER BY e.next_at, e.id LIMIT $6)
            JOIN installations i ON i.id = d.installation_id
            JOIN apps a ON a.id = d.app_id
            ORDER BY d.installation_id, d.next_at, d.id"
        )
    };
}

/// Selects up to `$4` installations whose ids are greater than `$2` and that have pending events in a queue. Also
/// selects for each installation whether one of its events in the queue is due at `$3`. `$queue` is the condition for
/// the queue. The recursive query steps from one installation to the next in the index. So the cost of the query
/// depends on the number of installations, and not on the number of events.
macro_rules! installations {
    ($queue:literal, $index:literal) => {
        concat!(
            "WITH RECURSIVE steps(id, n) AS (
            SELECT (SELECT installation_id FROM events ",
            $index,
            " WHERE app_id = $1 AND state = 0 AND ",
            $queue,
            " AND installation_id > $2 ORDER BY installation_id, next_at, id LIMIT 1), 1
            UNION ALL
            SELECT (SELECT installation_id FROM events ",
            $index,
            " WHERE app_id = $1 AND state = 0 AND ",
            $queue,
            " AND installation_id > steps.id ORDER BY installation_id, next_at, id LIMIT 1), n + 1
            FROM steps WHERE steps.id IS NOT NULL AND n < $4
        )
        SELECT id, CASE WHEN (SELECT next_at FROM events ",
            $index,
            " WHERE app_id = $1 AND installation_id = steps.id AND state = 0 AND ",
            $queue,
            " ORDER BY next_at, id LIMIT 1) <= $3 THEN 1 ELSE 0 END
        FROM steps WHERE id IS NOT NULL ORDER BY id"
        )
    };
}

/// Selects the apps with due events. The recursive query steps from one app to the next in the index. So the cost of
/// the query depends on the number of apps, and not on the number of events.
///
/// The index is `events_pending`, on the expression `app_id + 0`. SQLite uses this index only if the other operand of
/// the comparison has no type affinity. A column has one, so the query compares with `pending.id + 0`.
macro_rules! due_apps {
    ($now:literal) => {
        concat!(
            "WITH RECURSIVE pending(id) AS (
            SELECT (SELECT app_id FROM events WHERE state = 0 ORDER BY app_id + 0, next_at, id LIMIT 1)
            UNION ALL
            SELECT (SELECT app_id FROM events WHERE state = 0 AND app_id + 0 > pending.id + 0
                ORDER BY app_id + 0, next_at, id LIMIT 1)
            FROM pending WHERE pending.id IS NOT NULL
        )
        SELECT id AS app_id, CASE WHEN EXISTS (
            SELECT 1 FROM event_leases l WHERE l.app_id = pending.id AND l.holder <> $2 AND l.until > ",
            $now,
            ") THEN 1 ELSE 0 END AS elsewhere
        FROM pending WHERE id IS NOT NULL AND
            (SELECT next_at FROM events WHERE state = 0 AND app_id + 0 = pending.id + 0
                ORDER BY next_at, id LIMIT 1) <= $1
        ORDER BY id"
        )
    };
}

// Stores the results of attempts. `$given` is the SQL of the results.
//
// An event can be dropped or redelivered during an attempt. If the event was dropped and the attempt fails, the event
// remains dropped. If the event was redelivered, `earlier = attempts`, and the attempt counts as the first attempt of
// the new retry schedule.
macro_rules! record {
    ($given:literal) => {
        concat!(
            "UPDATE events AS e SET
            attempts = e.attempts + 1,
            state = CASE WHEN g.delivered = 1 THEN 1 WHEN e.state = 3 THEN 3
                WHEN CASE WHEN e.earlier = e.attempts THEN g.restarted_at ELSE g.retry_at END IS NULL THEN 2
                ELSE 0 END,
            drop_reason = CASE WHEN g.delivered = 1 THEN NULL ELSE e.drop_reason END,
            next_at = CASE WHEN g.delivered = 1 OR e.state = 3 THEN g.ended_at
                WHEN e.earlier = e.attempts THEN COALESCE(g.restarted_at, g.ended_at)
                ELSE COALESCE(g.retry_at, g.ended_at) END
        FROM ",
            $given,
            " AS g WHERE e.id = g.event_id AND e.attempts = g.before AND e.state IN (0, 3)
        RETURNING id, state, next_at, workspace_id"
        )
    };
}

statements! {
    DUE_FIRST: Query -> Due =
        sqlite due_of_one!("e.attempts = 0", "INDEXED BY events_first")
        postgres due_of_one!("e.attempts = 0", "");
    DUE_AGAIN: Query -> Due =
        sqlite due_of_one!("e.attempts > 0", "INDEXED BY events_again")
        postgres due_of_one!("e.attempts > 0", "");
    DUE_FIRST_OF_MANY: Query -> Due =
        sqlite due_of_many_sqlite!("e.attempts = 0", "INDEXED BY events_first")
        postgres due_of_many!("e.attempts = 0");
    DUE_AGAIN_OF_MANY: Query -> Due =
        sqlite due_of_many_sqlite!("e.attempts > 0", "INDEXED BY events_again")
        postgres due_of_many!("e.attempts > 0");
    INSTALLATIONS_FIRST: Query =
        sqlite installations!("attempts = 0", "INDEXED BY events_first")
        postgres installations!("attempts = 0", "");
    INSTALLATIONS_AGAIN: Query =
        sqlite installations!("attempts > 0", "INDEXED BY events_again")
        postgres installations!("attempts > 0", "");
    DUE_APPS: Query -> DueApp =
        sqlite due_apps!("CAST(unixepoch('subsec') * 1000000 AS INTEGER)")
        postgres due_apps!("CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)");
    // RECORD gets all results of a batch as one JSON argument, and LOG gets all their log entries as one JSON argument.
    // So the number of round trips does not depend on the number of results.
    RECORD: Command -> RecordedDelivery =
        sqlite record!("(SELECT value->>0 AS event_id, value->>1 AS before, value->>2 AS delivered,
                value->>3 AS ended_at, value->>4 AS retry_at, value->>5 AS restarted_at FROM json_each($1))")
        postgres record!("(SELECT (v->>0)::bigint AS event_id, (v->>1)::bigint AS before,
                (v->>2)::bigint AS delivered, (v->>3)::bigint AS ended_at,
                (v->>4)::bigint AS retry_at, (v->>5)::bigint AS restarted_at
            FROM json_array_elements($1::text::json) AS v)");
    LOG: Command =
        sqlite delivery_attempts!(INSERT_ALL sqlite "WHERE true ON CONFLICT (event_id, attempt) DO NOTHING")
        postgres delivery_attempts!(INSERT_ALL postgres "ON CONFLICT (event_id, attempt) DO NOTHING");
    // MOVE_BACK and MOVE_BACK_LOGGED are used only when the sandbox's clock is reset. MOVE_BACK_LOGGED changes the
    // delivery log, which shows when the next attempt is due.
    MOVE_BACK: Command = "UPDATE events SET next_at = next_at - $2 WHERE state = 0 AND next_at > $1";
    MOVE_BACK_LOGGED: Command = "UPDATE delivery_attempts SET next_attempt_at = next_attempt_at - $2
        WHERE next_attempt_at > $1
            AND (event_id, attempt) IN (SELECT id, attempts FROM events WHERE state = 0 AND attempts > 0)";
    // Only the index `events_pending` has this range and order, so the plan uses this index. A scan of the table would
    // read many events that are no longer pending.
    PENDING: Query = "SELECT COUNT(*) FROM (SELECT 1 FROM events WHERE state = 0 AND app_id + 0 > -1
        ORDER BY app_id + 0 LIMIT $1) AS pending";
}

/// Returns events that are due at `now` from one queue of an app, ordered by installation, due time and id. `after` has
/// one start position for each installation whose events are read. Returns up to `limit` events after each start
/// position.
pub async fn due<C: ReadSql>(
    c: &mut C,
    app: AppId,
    queue: EventQueue,
    after: &[ReadPosition],
    now: Timestamp,
    limit: i64,
) -> Result<Vec<Due>> {
    if let [start] = after {
        let statement = match queue {
            EventQueue::FirstAttempts => &DUE_FIRST,
            EventQueue::Retries => &DUE_AGAIN,
        };
        return c
            .all(statement, args![app, start.installation_id, start.next_at, start.id, now, limit])
            .await;
    }
    let statement = match queue {
        EventQueue::FirstAttempts => &DUE_FIRST_OF_MANY,
        EventQueue::Retries => &DUE_AGAIN_OF_MANY,
    };
    let installations: Vec<_> = after.iter().map(|start| start.installation_id).collect();
    let times: Vec<_> = after.iter().map(|start| start.next_at).collect();
    let ids: Vec<_> = after.iter().map(|start| start.id).collect();
    c.all(statement, args![app, &installations, &times, &ids, now, limit]).await
}

/// Returns up to `limit` installations of an app whose ids are greater than `after` and that have pending events in
/// `queue`, ordered by id. The boolean beside each installation is `true` if one of its events in `queue` is due at
/// `now`.
pub async fn installations<C: ReadSql>(
    c: &mut C,
    app: AppId,
    queue: EventQueue,
    after: InstallationId,
    now: Timestamp,
    limit: i64,
) -> Result<Vec<(InstallationId, bool)>> {
    let statement = match queue {
        EventQueue::FirstAttempts => &INSTALLATIONS_FIRST,
        EventQueue::Retries => &INSTALLATIONS_AGAIN,
    };
    c.all(statement, args![app, after, now, limit]).await
}

/// Returns every app with events that are due at `now`. [`DueApp::elsewhere`] is `true` if a process other than
/// `holder` has the lease of the app.
pub async fn due_apps<C: ReadSql>(c: &mut C, now: Timestamp, holder: i64) -> Result<Vec<DueApp>> {
    c.all(&DUE_APPS, args![now, holder]).await
}

/// Stores the results of delivery attempts of an app: the new states of the events, and, unless `bare` is `true`, the
/// entries of the delivery log. Returns the number of stored results.
///
/// A result is stored only if the event is pending or dropped, and no other process has stored an attempt with the same
/// number.
pub async fn record<C: Sql>(c: &mut C, app: AppId, attempts: &[Attempt], bare: bool) -> Result<usize> {
    // Locks the app's row in `log_heads`, and only then the rows of events. All writers of the log take their locks in
    // this order, so that they cannot deadlock.
    let seq = log_heads::next_delivery(c, app).await?;
    let rows: Vec<Value> = attempts
        .iter()
        .map(|attempt| {
            let [retry_at, restarted_at] =
                [attempt.retry.at, attempt.retry.at_if_restarted].map(|at| at.map(|at| at.0));
            json!([
                attempt.event_id.0,
                attempt.before,
                i64::from(attempt.delivered),
                attempt.ended_at.0,
                retry_at,
                restarted_at
            ])
        })
        .collect();
    let given = Value::Array(rows).to_string();
    let stored: Vec<RecordedDelivery> = c.exec_all(&RECORD, args![&given]).await?;
    if bare || stored.is_empty() {
        return Ok(stored.len());
    }
    let entries: Vec<LoggedAttempt> = attempts
        .iter()
        .filter_map(|attempt| {
            let event = stored.iter().find(|event| event.id == attempt.event_id)?;
            Some(LoggedAttempt {
                event_id: attempt.event_id,
                attempt: attempt.before + 1,
                id: attempt.id,
                app_id: app,
                at: attempt.at,
                delivered: attempt.delivered,
                status: attempt.status,
                error: attempt.error.map(str::to_owned),
                latency_ms: attempt.latency_ms,
                answer: attempt.response_body.clone(),
                next_attempt_at: (event.state == 0).then_some(event.next_at),
                workspace_id: event.workspace_id,
                log_seq: seq,
            })
        })
        .collect();
    let rows = LoggedAttempt::insert_all_arg(entries.iter().map(LoggedAttempt::insert_args))?;
    c.exec(&LOG, args![&rows]).await?;
    Ok(stored.len())
}

/// Returns the number of pending events of all apps, but at most `limit`.
pub async fn pending<C: ReadSql>(c: &mut C, limit: i64) -> Result<i64> {
    c.one(&PENDING, args![limit]).await
}

/// Moves the due times of pending events back by `micros` microseconds, also in the delivery log. Omits due times at or
/// before `now`. For the reset of the sandbox's clock, which was ahead of the real time `now` by `micros`.
pub async fn move_back<C: Sql>(c: &mut C, now: Timestamp, micros: i64) -> Result<()> {
    c.exec(&MOVE_BACK, args![now, micros]).await?;
    c.exec(&MOVE_BACK_LOGGED, args![now, micros]).await?;
    Ok(())
}
