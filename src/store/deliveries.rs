//! Events on their way: which are due, and what an attempt made of one. Called by the delivery of events.
//!
//! `next_at` of an event is when it is due while it is pending, and when it was finished afterwards.

use serde_json::{Value, json};

use super::{Result, Sql, args, log_heads, row, statements};
use crate::domain::{
    delivery::{DropReason, RETRIES},
    ids::{AppId, EventId, InstallationId, WorkspaceId},
    time::Timestamp,
};

/// An event that is due, with what its installation and its app are at this moment.
#[derive(Clone, Debug)]
pub struct Due {
    pub id: EventId,
    pub installation_id: InstallationId,
    pub kind: String,
    /// The exact bytes that are signed and sent.
    pub body: String,
    /// Finished attempts.
    pub attempts: i64,
    pub next_at: Timestamp,
    /// Whether the installation still stands.
    pub connected: bool,
    pub callback_url: Option<String>,
    pub signing_secret: String,
    pub previous_signing_secret: Option<String>,
    pub signing_rotated_at: Option<Timestamp>,
}
row!(Due {
    id,
    installation_id,
    kind,
    body,
    attempts,
    next_at,
    connected,
    callback_url,
    signing_secret,
    previous_signing_secret,
    signing_rotated_at
});

/// An app with events that are due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DueApp {
    pub app_id: AppId,
    /// Whether another process has the lease to deliver them.
    pub elsewhere: bool,
}
row!(DueApp { app_id, elsewhere });

/// Which events of an app: those never tried, or those tried before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Queue {
    First,
    Again,
}

/// How an attempt ended.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// New, in order of beginning.
    pub id: i64,
    pub event_id: EventId,
    /// Finished attempts before this one.
    pub before: i64,
    pub at: Timestamp,
    pub ended_at: Timestamp,
    pub delivered: bool,
    pub status: Option<i64>,
    pub error: Option<&'static str>,
    pub latency_ms: i64,
    /// The beginning of the answer's body, without U+0000.
    pub answer: Option<String>,
}

/// How far the due events of an installation have been read, and that more are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct After {
    pub installation_id: InstallationId,
    pub next_at: Timestamp,
    pub id: EventId,
}

/// `$of` says which installation and where to go on. SQLite, which keeps no statistics here, is told the `$index`.
macro_rules! due {
    ($which:literal, $index:literal, $from:literal, $of:literal) => {
        concat!(
            "SELECT d.id, d.installation_id, d.type, d.body, d.attempts, d.next_at, i.connected, a.callback_url,
                a.signing_secret, a.previous_signing_secret, a.signing_rotated_at
            FROM ",
            $from,
            "(SELECT e.id, e.installation_id, e.app_id, e.type, e.body, e.attempts, e.next_at FROM events e ",
            $index,
            " WHERE e.app_id = $1 AND e.state = 0 AND ",
            $which,
            " AND ",
            $of,
            " AND e.next_at <= $5 ORDER BY e.next_at, e.id LIMIT $6) d
            JOIN installations i ON i.id = d.installation_id
            JOIN apps a ON a.id = d.app_id
            ORDER BY d.installation_id, d.next_at, d.id"
        )
    };
}

macro_rules! due_of_one {
    ($which:literal, $index:literal) => {
        due!($which, $index, "", "e.installation_id = $2 AND (e.next_at, e.id) > ($3, $4)")
    };
}

macro_rules! due_of_many {
    ($which:literal) => {
        due!(
            $which,
            "",
            "unnest($2::bigint[], $3::bigint[], $4::bigint[]) AS w(installation_id, next_at, id)
            CROSS JOIN LATERAL ",
            "e.installation_id = w.installation_id AND (e.next_at, e.id) > (w.next_at, w.id)"
        )
    };
}

/// SQLite knows no LATERAL; its lists of ids may be correlated.
macro_rules! due_of_many_sqlite {
    ($which:literal, $index:literal) => {
        concat!(
            "SELECT d.id, d.installation_id, d.type, d.body, d.attempts, d.next_at, i.connected, a.callback_url,
                a.signing_secret, a.previous_signing_secret, a.signing_rotated_at
            FROM json_each($2) AS w
            JOIN events d ON d.id IN (SELECT e.id FROM events e ",
            $index,
            " WHERE e.app_id = $1 AND e.state = 0 AND ",
            $which,
            " AND e.installation_id = w.value AND (e.next_at, e.id)
                    > (json_extract($3, '$[' || w.key || ']'), json_extract($4, '$[' || w.key || ']'))
                AND e.next_at <= $5 ORDER BY e.next_at, e.id LIMIT $6)
            JOIN installations i ON i.id = d.installation_id
            JOIN apps a ON a.id = d.app_id
            ORDER BY d.installation_id, d.next_at, d.id"
        )
    };
}

/// Installations with pending events after `$2`, stepping from one to the next: the cost is by installation and not by
/// event, and at most `$4` steps.
macro_rules! installations {
    ($which:literal, $index:literal) => {
        concat!(
            "WITH RECURSIVE steps(id, n) AS (
            SELECT (SELECT installation_id FROM events ",
            $index,
            " WHERE app_id = $1 AND state = 0 AND ",
            $which,
            " AND installation_id > $2 ORDER BY installation_id, next_at, id LIMIT 1), 1
            UNION ALL
            SELECT (SELECT installation_id FROM events ",
            $index,
            " WHERE app_id = $1 AND state = 0 AND ",
            $which,
            " AND installation_id > steps.id ORDER BY installation_id, next_at, id LIMIT 1), n + 1
            FROM steps WHERE steps.id IS NOT NULL AND n < $4
        )
        SELECT id, CASE WHEN (SELECT next_at FROM events ",
            $index,
            " WHERE app_id = $1 AND installation_id = steps.id AND state = 0 AND ",
            $which,
            " ORDER BY next_at, id LIMIT 1) <= $3 THEN 1 ELSE 0 END
        FROM steps WHERE id IS NOT NULL ORDER BY id"
        )
    };
}

/// The apps with pending events, stepping from app to app: the cost is by app and not by event. It goes by events_pending,
/// an index of the expression `app_id + 0`; SQLite uses that only for a comparison with what has no affinity, hence
/// `pending.id + 0`.
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
        SELECT id, CASE WHEN EXISTS (
            SELECT 1 FROM event_leases l WHERE l.app_id = pending.id AND l.holder <> $2 AND l.until > ",
            $now,
            ") THEN 1 ELSE 0 END
        FROM pending WHERE id IS NOT NULL AND
            (SELECT next_at FROM events WHERE state = 0 AND app_id + 0 = pending.id + 0
                ORDER BY next_at, id LIMIT 1) <= $1
        ORDER BY id"
        )
    };
}

// Lists of ids to be changed: on PostgreSQL an array, because a subselect may be planned as a scan of the whole table.
// `state < 1` is `state = 0` in a form that matches no partial index, so that the outer condition is only a filter.
macro_rules! drop_disconnected {
    ($in:literal, $end:literal, $first:literal, $again:literal) => {
        concat!(
            "UPDATE events SET state = 3, drop_reason = 'disconnected', next_at = $4, log_seq = $6
            WHERE state < 1 AND id ",
            $in,
            " id FROM (
                SELECT id FROM events ",
            $first,
            " WHERE app_id = $1 AND installation_id = $2 AND state = 0 AND attempts = 0
                    AND type <> $3
                UNION ALL
                SELECT id FROM events ",
            $again,
            " WHERE app_id = $1 AND installation_id = $2 AND state = 0 AND attempts > 0
                    AND type <> $3
            ) AS pending LIMIT $5",
            $end,
            " AND EXISTS (SELECT 1 FROM installations WHERE id = $2 AND connected = 0)"
        )
    };
}

macro_rules! drop_unreachable {
    ($in:literal, $end:literal) => {
        concat!(
            "UPDATE events SET state = 3, drop_reason = 'no_callback_url', next_at = $2, log_seq = $4
            WHERE state < 1 AND id ",
            $in,
            " id FROM events WHERE app_id + 0 = $1 AND state = 0 ORDER BY next_at, id LIMIT $3",
            $end,
            " AND EXISTS (SELECT 1 FROM apps WHERE id = $1 AND callback_url IS NULL)"
        )
    };
}

macro_rules! drop_expired {
    ($in:literal, $end:literal) => {
        concat!(
            "UPDATE events SET state = 3, drop_reason = 'expired', next_at = $3, log_seq = $5
            WHERE state < 1 AND id ",
            $in,
            " id FROM events WHERE app_id + 0 = $1 AND state = 0 AND next_at < $2 ORDER BY next_at, id LIMIT $4",
            $end
        )
    };
}

// While an attempt was under way, its event may have been dropped (then only a success changes that) or been made to
// begin its schedule anew (then `earlier` has grown).
macro_rules! record {
    ($given:literal) => {
        concat!(
            "UPDATE events AS e SET
            attempts = e.attempts + 1,
            state = CASE WHEN g.delivered = 1 THEN 1 WHEN e.state = 3 THEN 3
                WHEN e.attempts + 1 - e.earlier > $2 THEN 2 ELSE 0 END,
            drop_reason = CASE WHEN g.delivered = 1 THEN NULL ELSE e.drop_reason END,
            next_at = CASE
                WHEN g.delivered = 1 OR e.state = 3 OR e.attempts + 1 - e.earlier > $2 THEN g.ended_at
                WHEN e.attempts + 1 - e.earlier = 1 THEN g.ended_at + CAST($3 AS BIGINT)
                WHEN e.attempts + 1 - e.earlier = 2 THEN g.ended_at + CAST($4 AS BIGINT)
                ELSE g.ended_at + CAST($5 AS BIGINT) END
        FROM ",
            $given,
            " AS g WHERE e.id = g.event_id AND e.attempts = g.before AND e.state IN (0, 3)
        RETURNING id, state, next_at, workspace_id"
        )
    };
}

statements! {
    DUE_FIRST =
        sqlite due_of_one!("e.attempts = 0", "INDEXED BY events_first")
        postgres due_of_one!("e.attempts = 0", "");
    DUE_AGAIN =
        sqlite due_of_one!("e.attempts > 0", "INDEXED BY events_again")
        postgres due_of_one!("e.attempts > 0", "");
    DUE_FIRST_OF_MANY =
        sqlite due_of_many_sqlite!("e.attempts = 0", "INDEXED BY events_first")
        postgres due_of_many!("e.attempts = 0");
    DUE_AGAIN_OF_MANY =
        sqlite due_of_many_sqlite!("e.attempts > 0", "INDEXED BY events_again")
        postgres due_of_many!("e.attempts > 0");
    INSTALLATIONS_FIRST =
        sqlite installations!("attempts = 0", "INDEXED BY events_first")
        postgres installations!("attempts = 0", "");
    INSTALLATIONS_AGAIN =
        sqlite installations!("attempts > 0", "INDEXED BY events_again")
        postgres installations!("attempts > 0", "");
    DUE_APPS =
        sqlite due_apps!("CAST(unixepoch('subsec') * 1000000 AS INTEGER)")
        postgres due_apps!("CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)");
    // all results of a batch in one text: two round trips, however many there are
    RECORD =
        sqlite record!("(SELECT value->>0 AS event_id, value->>1 AS before, value->>2 AS delivered,
                value->>3 AS ended_at FROM json_each($1))")
        postgres record!("(SELECT (v->>0)::bigint AS event_id, (v->>1)::bigint AS before,
                (v->>2)::bigint AS delivered, (v->>3)::bigint AS ended_at
            FROM json_array_elements($1::text::json) AS v)");
    LOG =
        sqlite "INSERT INTO delivery_attempts (event_id, attempt, id, app_id, at, delivered, status, error,
                latency_ms, answer, next_attempt_at, workspace_id, log_seq)
            SELECT value->>0, value->>1, value->>2, $2, value->>3, value->>4, value->>5, value->>6, value->>7,
                value->>8, value->>9, value->>10, $3
            FROM json_each($1) WHERE true ON CONFLICT (event_id, attempt) DO NOTHING"
        postgres "INSERT INTO delivery_attempts (event_id, attempt, id, app_id, at, delivered, status, error,
                latency_ms, answer, next_attempt_at, workspace_id, log_seq)
            SELECT (v->>0)::bigint, (v->>1)::bigint, (v->>2)::bigint, $2::bigint, (v->>3)::bigint,
                (v->>4)::bigint, (v->>5)::bigint, v->>6, (v->>7)::bigint, v->>8, (v->>9)::bigint,
                (v->>10)::bigint, $3::bigint
            FROM json_array_elements($1::text::json) AS v ON CONFLICT (event_id, attempt) DO NOTHING";
    DROP_DISCONNECTED =
        sqlite drop_disconnected!("IN (SELECT", ")", "INDEXED BY events_first", "INDEXED BY events_again")
        postgres drop_disconnected!("= ANY(ARRAY(SELECT", "))", "", "");
    DROP_UNREACHABLE =
        sqlite drop_unreachable!("IN (SELECT", ")")
        postgres drop_unreachable!("= ANY(ARRAY(SELECT", "))");
    DROP_EXPIRED =
        sqlite drop_expired!("IN (SELECT", ")")
        postgres drop_expired!("= ANY(ARRAY(SELECT", "))");
    // a range and an order that only the index of pending events has, whose table is mostly of finished ones
    PENDING = "SELECT COUNT(*) FROM (SELECT 1 FROM events WHERE state = 0 AND app_id + 0 > -1
        ORDER BY app_id + 0 LIMIT $1) AS pending";
}

/// Returns events of an app due by `now`, in order for each installation: at most `limit` after each position.
pub async fn due<C: Sql>(
    c: &mut C,
    app: AppId,
    queue: Queue,
    after: &[After],
    now: Timestamp,
    limit: i64,
) -> Result<Vec<Due>> {
    if let [one] = after {
        let statement = match queue {
            Queue::First => &DUE_FIRST,
            Queue::Again => &DUE_AGAIN,
        };
        return c.all(statement, args![app, one.installation_id, one.next_at, one.id, now, limit]).await;
    }
    let statement = match queue {
        Queue::First => &DUE_FIRST_OF_MANY,
        Queue::Again => &DUE_AGAIN_OF_MANY,
    };
    let installations: Vec<_> = after.iter().map(|after| after.installation_id).collect();
    let times: Vec<_> = after.iter().map(|after| after.next_at).collect();
    let ids: Vec<_> = after.iter().map(|after| after.id).collect();
    c.all(statement, args![app, &installations, &times, &ids, now, limit]).await
}

/// Returns the next installations of an app with pending events after one, at most `limit`, and whether each has an event
/// that is due by `now`.
pub async fn installations<C: Sql>(
    c: &mut C,
    app: AppId,
    queue: Queue,
    after: InstallationId,
    now: Timestamp,
    limit: i64,
) -> Result<Vec<(InstallationId, bool)>> {
    let statement = match queue {
        Queue::First => &INSTALLATIONS_FIRST,
        Queue::Again => &INSTALLATIONS_AGAIN,
    };
    c.all(statement, args![app, after, now, limit]).await
}

/// Returns every app with events due by `now`, as a holder of leases sees it.
pub async fn due_apps<C: Sql>(c: &mut C, now: Timestamp, holder: i64) -> Result<Vec<DueApp>> {
    c.all(&DUE_APPS, args![now, holder]).await
}

/// Writes how attempts of an app ended: the new state of their events and, unless `bare`, a line each in the log. Returns
/// how many counted: an event that another process took over and moved on stays as it is.
pub async fn record<C: Sql>(c: &mut C, app: AppId, attempts: &[Attempt], bare: bool) -> Result<usize> {
    // before any row of an event is locked, like all writers of the log
    let seq = log_heads::next_delivery(c, app).await?;
    let retries = i64::try_from(RETRIES.len()).unwrap_or(i64::MAX);
    let micros = |index: usize| i64::try_from(RETRIES[index].as_micros()).unwrap_or(i64::MAX);
    let rows: Vec<Value> = attempts
        .iter()
        .map(|a| json!([a.event_id.0, a.before, i64::from(a.delivered), a.ended_at.0]))
        .collect();
    let given = Value::Array(rows).to_string();
    let args = args![&given, retries, micros(0), micros(1), micros(2)];
    let moved: Vec<(EventId, i64, Timestamp, WorkspaceId)> = c.all(&RECORD, args).await?;
    if bare || moved.is_empty() {
        return Ok(moved.len());
    }
    let lines: Vec<Value> = attempts
        .iter()
        .filter_map(|a| {
            let (_, state, next_at, workspace) = moved.iter().find(|(id, ..)| *id == a.event_id)?;
            let next = (*state == 0).then_some(next_at.0);
            Some(json!([
                a.event_id.0,
                a.before + 1,
                a.id,
                a.at.0,
                i64::from(a.delivered),
                a.status,
                a.error,
                a.latency_ms,
                a.answer,
                next,
                workspace.0
            ]))
        })
        .collect();
    c.exec(&LOG, args![&Value::Array(lines).to_string(), app, seq]).await?;
    Ok(moved.len())
}

/// Which pending events are dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dropped {
    /// Those of a disconnected installation.
    Disconnected(InstallationId),
    /// All of an app without a callback URL.
    Unreachable,
    /// Those that were due before this moment.
    Expired(Timestamp),
}

impl Dropped {
    /// The reason as the log names it.
    #[must_use]
    pub const fn reason(self) -> DropReason {
        match self {
            Self::Disconnected(_) => DropReason::Disconnected,
            Self::Unreachable => DropReason::NoCallbackUrl,
            Self::Expired(_) => DropReason::Expired,
        }
    }
}

/// Drops up to `limit` pending events of an app, of a disconnected installation not those of type `except`; returns how
/// many.
pub async fn drop_pending<C: Sql>(
    c: &mut C,
    app: AppId,
    which: Dropped,
    except: &str,
    now: Timestamp,
    limit: i64,
) -> Result<u64> {
    let seq = log_heads::next_delivery(c, app).await?;
    match which {
        Dropped::Disconnected(installation) => {
            c.exec(&DROP_DISCONNECTED, args![app, installation, except, now, limit, seq]).await
        }
        Dropped::Unreachable => c.exec(&DROP_UNREACHABLE, args![app, now, limit, seq]).await,
        Dropped::Expired(before) => c.exec(&DROP_EXPIRED, args![app, before, now, limit, seq]).await,
    }
}

/// Counts pending events, at most up to `most`.
pub async fn pending<C: Sql>(c: &mut C, most: i64) -> Result<i64> {
    c.one(&PENDING, args![most]).await
}
