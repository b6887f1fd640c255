//! Events on their way: which are due, and what an attempt made of one. Called by the delivery of events.
//!
//! `next_at` of an event is when it is due while it is pending, and when it was finished afterwards.

use super::{Result, Sql, args, row, statements};
use crate::domain::{
    delivery::RETRIES,
    ids::{AppId, EventId, InstallationId},
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

macro_rules! due {
    ($which:literal) => {
        concat!(
            "SELECT e.id, e.installation_id, e.type, e.body, e.attempts, e.next_at, i.connected, a.callback_url,
                a.signing_secret, a.previous_signing_secret, a.signing_rotated_at
            FROM events e
            JOIN installations i ON i.id = e.installation_id
            JOIN apps a ON a.id = e.app_id
            WHERE e.app_id = $1 AND e.state = 0 AND ",
            $which,
            " AND (e.next_at, e.id) > ($2, $3) AND e.next_at <= $4
            ORDER BY e.next_at, e.id LIMIT $5"
        )
    };
}

/// The apps in one of the two partial indexes, stepping from app to app: the cost is by app and not by event.
macro_rules! apps_of {
    ($name:literal, $which:literal) => {
        concat!(
            $name,
            "(id) AS (
            SELECT (SELECT app_id FROM events WHERE state = 0 AND ",
            $which,
            " ORDER BY app_id, next_at, id LIMIT 1)
            UNION ALL
            SELECT (SELECT app_id FROM events WHERE state = 0 AND ",
            $which,
            " AND app_id > ",
            $name,
            ".id ORDER BY app_id, next_at, id LIMIT 1)
            FROM ",
            $name,
            " WHERE ",
            $name,
            ".id IS NOT NULL
        )"
        )
    };
}

macro_rules! due_apps {
    ($now:literal) => {
        concat!(
            "WITH RECURSIVE ",
            apps_of!("firsts", "attempts = 0"),
            ", ",
            apps_of!("agains", "attempts > 0"),
            ", found(id) AS (
            SELECT id FROM firsts WHERE id IS NOT NULL AND
                (SELECT next_at FROM events WHERE state = 0 AND attempts = 0 AND app_id = firsts.id
                    ORDER BY app_id, next_at, id LIMIT 1) <= $1
            UNION
            SELECT id FROM agains WHERE id IS NOT NULL AND
                (SELECT next_at FROM events WHERE state = 0 AND attempts > 0 AND app_id = agains.id
                    ORDER BY app_id, next_at, id LIMIT 1) <= $1
            )
            SELECT id, CASE WHEN EXISTS (
                SELECT 1 FROM event_leases l WHERE l.app_id = found.id AND l.holder <> $2 AND l.until > ",
            $now,
            ") THEN 1 ELSE 0 END FROM found ORDER BY id"
        )
    };
}

// Lists of ids to be changed: on PostgreSQL as an array, or it might rather read the whole table than look for each; and
// `state < 1` is `state = 0` that no partial index can be used for, or it might rather read all that is pending.
macro_rules! give_up_ended {
    ($in:literal, $end:literal) => {
        concat!(
            "UPDATE events SET state = 3, drop_reason = 'disconnected', next_at = $3 WHERE state < 1 AND id ",
            $in,
            " id FROM events WHERE installation_id = $1 AND state = 0 AND type <> $2 LIMIT $4",
            $end,
            " AND EXISTS (SELECT 1 FROM installations WHERE id = $1 AND connected = 0)"
        )
    };
}

/// By the two indexes of what is due, for there is none of all that is pending of an app.
macro_rules! give_up_unreachable {
    ($in:literal, $end:literal) => {
        concat!(
            "UPDATE events SET state = 3, drop_reason = 'no_callback_url', next_at = $2 WHERE state < 1 AND id ",
            $in,
            " id FROM (SELECT id FROM events WHERE app_id = $1 AND state = 0 AND attempts = 0
                    ORDER BY next_at, id LIMIT $3) never
                UNION ALL
                SELECT id FROM (SELECT id FROM events WHERE app_id = $1 AND state = 0 AND attempts > 0
                    ORDER BY next_at, id LIMIT $3) before",
            $end,
            " AND EXISTS (SELECT 1 FROM apps WHERE id = $1 AND callback_url IS NULL)"
        )
    };
}

statements! {
    DUE_FIRST = due!("e.attempts = 0");
    DUE_AGAIN = due!("e.attempts > 0");
    DUE_APPS =
        sqlite due_apps!("CAST(unixepoch('subsec') * 1000000 AS INTEGER)")
        postgres due_apps!("CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)");
    // while the attempt was under way the event may have been dropped (then only a success changes that) or
    // been made to begin its schedule anew (then `earlier` has grown)
    RECORD = "UPDATE events SET
            attempts = attempts + 1,
            state = CASE WHEN $3 = 1 THEN 1 WHEN state = 3 THEN 3 WHEN attempts + 1 - earlier > $4 THEN 2 ELSE 0 END,
            drop_reason = CASE WHEN $3 = 1 THEN NULL ELSE drop_reason END,
            next_at = CASE
                WHEN $3 = 1 OR state = 3 OR attempts + 1 - earlier > $4 THEN CAST($5 AS BIGINT)
                WHEN attempts + 1 - earlier = 1 THEN CAST($6 AS BIGINT)
                WHEN attempts + 1 - earlier = 2 THEN CAST($7 AS BIGINT)
                ELSE CAST($8 AS BIGINT) END
        WHERE id = $1 AND attempts = $2 AND state IN (0, 3)
        RETURNING state, next_at";
    LOG = "INSERT INTO delivery_attempts (event_id, attempt, id, app_id, at, delivered, status, error,
            latency_ms, answer, next_attempt_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
        ON CONFLICT (event_id, attempt) DO NOTHING";
    GIVE_UP_ENDED =
        sqlite give_up_ended!("IN (SELECT", ")")
        postgres give_up_ended!("= ANY(ARRAY(SELECT", "))");
    GIVE_UP_UNREACHABLE =
        sqlite give_up_unreachable!("IN (SELECT", ")")
        postgres give_up_unreachable!("= ANY(ARRAY(SELECT", "))");
}

/// Events of an app due by `now`, in order, after a position.
pub async fn due<C: Sql>(
    c: &mut C,
    app: AppId,
    queue: Queue,
    after: (Timestamp, EventId),
    now: Timestamp,
    limit: i64,
) -> Result<Vec<Due>> {
    let statement = match queue {
        Queue::First => &DUE_FIRST,
        Queue::Again => &DUE_AGAIN,
    };
    c.all(statement, args![app, after.0, after.1, now, limit]).await
}

/// Every app with events due by `now`, as a holder of leases sees it.
pub async fn due_apps<C: Sql>(c: &mut C, now: Timestamp, holder: i64) -> Result<Vec<DueApp>> {
    c.all(&DUE_APPS, args![now, holder]).await
}

/// Writes how an attempt ended: where its event stands now, and the line in the log. False when the event has moved
/// on without this attempt, because another process took it over; then nothing is written.
pub async fn record<C: Sql>(c: &mut C, app: AppId, a: &Attempt) -> Result<bool> {
    let Some((state, next_at)) = move_on(c, a).await? else { return Ok(false) };
    let next = (state == 0).then_some(next_at);
    let number = a.before + 1;
    let (status, error, answer) = (a.status, a.error, a.answer.as_deref());
    let line =
        args![a.event_id, number, a.id, app, a.at, a.delivered, status, error, a.latency_ms, answer, next];
    c.exec(&LOG, line).await?;
    Ok(true)
}

/// The same without a line in the log, for one that the log cannot take.
pub async fn record_bare<C: Sql>(c: &mut C, a: &Attempt) -> Result<bool> {
    Ok(move_on(c, a).await?.is_some())
}

/// Where an event stands after an attempt, and since or until when.
async fn move_on<C: Sql>(c: &mut C, a: &Attempt) -> Result<Option<(i64, Timestamp)>> {
    let retries = i64::try_from(RETRIES.len()).unwrap_or(i64::MAX);
    let at = |index: usize| a.ended_at + RETRIES[index];
    c.opt(&RECORD, args![a.event_id, a.before, a.delivered, retries, a.ended_at, at(0), at(1), at(2)]).await
}

/// Gives pending events of an installation that has ended up, but those of type `but`, so many at most; how many that
/// were.
pub async fn give_up_ended<C: Sql>(
    c: &mut C,
    installation: InstallationId,
    but: &str,
    now: Timestamp,
    limit: i64,
) -> Result<u64> {
    c.exec(&GIVE_UP_ENDED, args![installation, but, now, limit]).await
}

/// Gives pending events of an app without a callback URL up, so many at most of those never tried and of the others;
/// how many that were.
pub async fn give_up_unreachable<C: Sql>(c: &mut C, app: AppId, now: Timestamp, limit: i64) -> Result<u64> {
    c.exec(&GIVE_UP_UNREACHABLE, args![app, now, limit]).await
}
