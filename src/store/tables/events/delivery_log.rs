//! The delivery log that operators read. Also the redelivery of events, and the deletion of old events.

use crate::domain::{
    delivery::DeliveryState,
    ids::{AppId, EventId, InstallationId, WorkspaceId},
    time::Timestamp,
};
use crate::store::{Notice, ReadSql, Result, Sql, args, row, statements};

/// An entry of the delivery log: a past attempt, the next attempt of a pending event, or a dropped event.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The id of the attempt; for an entry that is not a past attempt, the id of the event. [`page`] orders entries by
    /// this id.
    pub id: i64,
    pub event_id: EventId,
    /// The type of the event.
    pub kind: String,
    pub workspace_id: WorkspaceId,
    pub installation_id: InstallationId,
    /// Number of the attempt, counted from 1. For a pending or dropped event, one more than the number of finished
    /// attempts.
    pub attempt: i64,
    /// For a past attempt, `Delivered` or `Failed`. For any other entry, the state of the event.
    pub state: DeliveryState,
    /// The HTTP status of the response.
    pub status: Option<i64>,
    /// The error name of a failed attempt; for a dropped event, the reason.
    pub error: Option<String>,
    pub latency_ms: Option<i64>,
    /// The beginning of the response body.
    pub answer: Option<String>,
    /// When the attempt began; `None` for a pending or dropped event.
    pub at: Option<Timestamp>,
    /// For a past attempt, the time for which the next attempt was planned; `None` if no further attempt was planned.
    /// For a pending event, the time at which its next attempt is due. `None` for a dropped event.
    pub next_attempt_at: Option<Timestamp>,
    /// When the event was created.
    pub created_at: Timestamp,
    /// The sequence number of the transaction that wrote the attempt or dropped the event
    /// ([`log_heads`](crate::store::log_heads)). [`follow`] orders entries by this number and the id. For a pending
    /// event the number has no meaning.
    pub log_seq: i64,
}
row!(Entry {
    id,
    event_id,
    kind as type,
    workspace_id,
    installation_id,
    attempt,
    state,
    status,
    error,
    latency_ms,
    answer,
    at,
    next_attempt_at,
    created_at,
    log_seq
});

/// The filter for the entries of an app's log. `since` and `until` apply to the time at which an attempt began, or at
/// which a pending or dropped event was created.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LogFilter {
    pub state: Option<DeliveryState>,
    /// The type of the event.
    pub kind: Option<String>,
    pub installation_id: Option<InstallationId>,
    pub event_id: Option<EventId>,
    /// The start of the time range, inclusive.
    pub since: Option<Timestamp>,
    /// The end of the time range, exclusive.
    pub until: Option<Timestamp>,
}

/// The facts about an event that decide whether it can be redelivered.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredEvent {
    pub id: EventId,
    pub app_id: AppId,
    pub installation_id: InstallationId,
    /// The type of the event.
    pub kind: String,
    pub created_at: Timestamp,
    /// Whether the installation of the event is still connected.
    pub connected: bool,
    /// When the content of a deleted message was erased from the body; `None` if it was not erased.
    pub erased_at: Option<Timestamp>,
}
row!(StoredEvent { id, app_id, installation_id, kind as type, created_at, connected, erased_at });

/// An event with its body and the result of its latest attempt.
#[derive(Clone, Debug, PartialEq)]
pub struct InspectedEvent {
    pub id: EventId,
    pub installation_id: InstallationId,
    pub workspace_id: WorkspaceId,
    /// The type of the event.
    pub kind: String,
    pub body: String,
    pub state: DeliveryState,
    /// Number of finished attempts.
    pub attempts: i64,
    pub created_at: Timestamp,
    /// For a pending event, the time at which its next attempt is due. For any other event, the time at which the event
    /// was delivered, failed or dropped.
    pub next_at: Timestamp,
    pub drop_reason: Option<String>,
    /// When the content of a deleted message was erased from the body; `None` if it was not erased.
    pub erased_at: Option<Timestamp>,
    /// The HTTP status of the response to the latest attempt.
    pub status: Option<i64>,
    /// The error name of the latest attempt.
    pub error: Option<String>,
}
row!(InspectedEvent {
    id,
    installation_id,
    workspace_id,
    kind as type,
    body,
    state,
    attempts,
    created_at,
    next_at,
    drop_reason,
    erased_at,
    status,
    error
});

macro_rules! inspected {
    ($which:literal) => {
        concat!(
            "SELECT e.id, e.installation_id, e.workspace_id, e.type, e.body, e.state, e.attempts, e.created_at, e.next_at,
                e.drop_reason, e.erased_at,
                (SELECT d.status FROM delivery_attempts d WHERE d.event_id = e.id ORDER BY d.attempt DESC LIMIT 1) AS status,
                (SELECT d.error FROM delivery_attempts d WHERE d.event_id = e.id ORDER BY d.attempt DESC LIMIT 1) AS error
            FROM events e ",
            $which
        )
    };
}

/// Selects a page of the log. The log has two parts: attempts, and pending or dropped events. A page of each part is
/// selected with the part's own index. Then the two pages are merged. `$made` is an additional condition for attempts,
/// and `$next` for events.
macro_rules! entries {
    ($made:literal, $next:literal) => {
        concat!(
            "SELECT * FROM (
                SELECT d.id, d.event_id, e.type, e.workspace_id, e.installation_id, d.attempt,
                    CASE WHEN d.delivered = 1 THEN 1 ELSE 2 END AS state, d.status, d.error, d.latency_ms, d.answer,
                    d.at, d.next_attempt_at, e.created_at, d.log_seq
                FROM delivery_attempts d JOIN events e ON e.id = d.event_id
                WHERE d.app_id = $1 AND d.id < $2 AND ",
            $made,
            " AND ($3 < 0 OR $3 = CASE WHEN d.delivered = 1 THEN 1 ELSE 2 END)
                    AND ($4 = '' OR e.type = $4) AND ($5 = 0 OR e.installation_id = $5)
                    AND d.at >= $6 AND d.at < $7 AND d.id >= $9
                ORDER BY d.id DESC LIMIT $8
            ) made
            UNION ALL
            SELECT * FROM (
                SELECT e.id, e.id AS event_id, e.type, e.workspace_id, e.installation_id, e.attempts + 1 AS attempt,
                    e.state, CAST(NULL AS BIGINT) AS status, e.drop_reason AS error,
                    CAST(NULL AS BIGINT) AS latency_ms, CAST(NULL AS TEXT) AS answer,
                    CAST(NULL AS BIGINT) AS at,
                    CASE WHEN e.state = 0 THEN e.next_at END AS next_attempt_at, e.created_at, e.log_seq
                FROM events e
                WHERE e.app_id = $1 AND e.id < $2 AND e.state IN (0, 3) AND ",
            $next,
            " AND ($3 < 0 OR e.state = $3)
                    AND ($4 = '' OR e.type = $4) AND ($5 = 0 OR e.installation_id = $5)
                    AND e.created_at >= $6 AND e.created_at < $7 AND e.id >= $9
                ORDER BY e.id DESC LIMIT $8
            ) planned
            ORDER BY 1 DESC LIMIT $8"
        )
    };
}

/// Selects the position (creation time and id) of an event: skips `$5` events after the position (`$2`, `$3`), and
/// selects the event that follows. Only events that match the condition `$state` and were created before `$4` count.
/// `$state` is a literal, so that a partial index is used.
macro_rules! step {
    ($state:literal) => {
        concat!(
            "SELECT created_at, id FROM events WHERE app_id = $1 AND ",
            $state,
            " AND (created_at, id) > ($2, $3) AND created_at < $4 ORDER BY created_at, id LIMIT 1 OFFSET $5"
        )
    };
}

/// Selects the events that match the condition `$state` after the position (`$2`, `$3`) and up to the position (`$4`,
/// `$5`). If `$6` is not empty, selects only events of this type. Omits events whose content was erased, and events of
/// disconnected installations unless the type of the event is `$7`.
macro_rules! finished_between {
    ($state:literal, $lock:literal) => {
        concat!(
            "SELECT e.id, e.app_id, e.installation_id, e.type, e.created_at, i.connected, e.erased_at FROM events e
            JOIN installations i ON i.id = e.installation_id
            WHERE e.app_id = $1 AND (e.created_at, e.id) > ($2, $3) AND (e.created_at, e.id) <= ($4, $5) AND ",
            $state,
            " AND e.erased_at IS NULL AND ($6 = '' OR e.type = $6) AND (i.connected = 1 OR e.type = $7)
            ORDER BY e.created_at, e.id",
            $lock
        )
    };
}

/// Selects attempts and dropped events in the order in which they were written. A page of attempts and a page of
/// dropped events are selected, each with its own index, before other tables are joined. `$join` joins an attempt `d`
/// with its event. On PostgreSQL, a limit in `$join` prevents a merge join with all events.
///
/// A page has at most 1000 entries, so the literal limits never shorten a page. When PostgreSQL makes a generic plan,
/// it does not know the limit in the argument `$4`. The literal limits show that few rows are needed. Without them,
/// PostgreSQL would prefer to sort all rows.
macro_rules! follow {
    ($join:literal) => {
        concat!(
            "SELECT * FROM (
                SELECT d.id, d.event_id, e.type, e.workspace_id, e.installation_id, d.attempt,
                    CASE WHEN d.delivered = 1 THEN 1 ELSE 2 END AS state, d.status, d.error, d.latency_ms, d.answer,
                    d.at, d.next_attempt_at, e.created_at, d.log_seq
                FROM (SELECT * FROM (SELECT * FROM delivery_attempts WHERE app_id = $1 AND (log_seq, id) > ($2, $3)
                    ORDER BY log_seq, id LIMIT 1000) AS page ORDER BY log_seq, id LIMIT $4) d ",
            $join,
            "
            ) made
            UNION ALL
            SELECT * FROM (
                SELECT e.id, e.id AS event_id, e.type, e.workspace_id, e.installation_id, e.attempts + 1 AS attempt,
                    e.state, CAST(NULL AS BIGINT) AS status, e.drop_reason AS error,
                    CAST(NULL AS BIGINT) AS latency_ms, CAST(NULL AS TEXT) AS answer, CAST(NULL AS BIGINT) AS at,
                    CAST(NULL AS BIGINT) AS next_attempt_at, e.created_at, e.log_seq
                FROM events e WHERE e.app_id = $1 AND e.state = 3 AND (e.log_seq, e.id) > ($2, $3)
                ORDER BY e.log_seq, e.id LIMIT 1000
            ) dropped
            ORDER BY 15, 1 LIMIT $4"
        )
    };
}

statements! {
    PAGE: Query -> Entry = entries!("1 = 1", "1 = 1");
    // Selects entry number $3 + 1 of each part of the log (attempts, events), counted from the newest entry with an id
    // below $2. Returns the entry with the higher id.
    SCAN_END: Query = "SELECT id, at FROM (
            SELECT * FROM (SELECT id, at FROM delivery_attempts WHERE app_id = $1 AND id < $2
                ORDER BY id DESC LIMIT 1 OFFSET $3) made
            UNION ALL
            SELECT * FROM (SELECT id, created_at AS at FROM events WHERE app_id = $1 AND id < $2 AND state IN (0, 3)
                ORDER BY id DESC LIMIT 1 OFFSET $3) planned
        ) AS reached ORDER BY id DESC LIMIT 1";
    FOLLOW: Query -> Entry =
        sqlite follow!("JOIN events e ON e.id = d.event_id")
        postgres follow!("CROSS JOIN LATERAL (SELECT * FROM events WHERE id = d.event_id LIMIT 1) e");
    INSPECT: Query -> InspectedEvent = inspected!("WHERE e.app_id = $1 AND (e.created_at, e.id) < ($2, $3)
            ORDER BY e.created_at DESC, e.id DESC LIMIT $4");
    INSPECT_ONE: Query -> InspectedEvent = inspected!("WHERE e.id = $1 AND e.app_id = $2");
    PAGE_OF_EVENT: Query -> Entry = entries!("d.event_id = $10", "e.id = $10");
    STORED: LockingQuery -> StoredEvent =
        sqlite "SELECT e.id, e.app_id, e.installation_id, e.type, e.created_at, i.connected, e.erased_at FROM events e
            JOIN installations i ON i.id = e.installation_id WHERE e.id = $1"
        postgres "SELECT e.id, e.app_id, e.installation_id, e.type, e.created_at, i.connected, e.erased_at FROM events e
            JOIN installations i ON i.id = e.installation_id WHERE e.id = $1 FOR UPDATE OF e";
    STEP: Query = step!("1 = 1");
    STEP_FAILED: Query = step!("state = 2");
    BETWEEN: LockingQuery -> StoredEvent =
        sqlite finished_between!("e.state <> 0", "")
        postgres finished_between!("e.state <> 0", " FOR UPDATE OF e");
    FAILED_BETWEEN: LockingQuery -> StoredEvent =
        sqlite finished_between!("e.state = 2", "")
        postgres finished_between!("e.state = 2", " FOR UPDATE OF e");
    MAKE_PENDING: Command =
        sqlite "UPDATE events SET state = 0, earlier = attempts, drop_reason = NULL, next_at = $2
            WHERE id IN (SELECT value FROM json_each($1))"
        postgres "UPDATE events SET state = 0, earlier = attempts, drop_reason = NULL, next_at = $2
            WHERE id = ANY($1)";
    // On PostgreSQL, this statement does not skip locked rows. If another run of the maintenance job has locked the
    // same rows, this statement waits until the other transaction has ended. If the other transaction has deleted the
    // rows, this statement selects the rows that follow. So if it selects fewer rows than its limit, no more rows are
    // left.
    FINISHED: LockingQuery =
        sqlite "SELECT id FROM events WHERE state <> 0 AND next_at < $1 ORDER BY next_at LIMIT $2"
        postgres "SELECT id FROM events WHERE state <> 0 AND next_at < $1 ORDER BY next_at LIMIT $2
            FOR UPDATE";
    FORGET_ATTEMPTS: Command =
        sqlite "DELETE FROM delivery_attempts WHERE event_id IN (SELECT value FROM json_each($1))"
        postgres "DELETE FROM delivery_attempts WHERE event_id = ANY($1)";
    FORGET_EVENTS: Command =
        sqlite "DELETE FROM events WHERE id IN (SELECT value FROM json_each($1)) AND state <> 0"
        postgres "DELETE FROM events WHERE id = ANY($1) AND state <> 0";
}

/// Returns the id and the time of the entry at which the scan of one page must end. The scan begins with the newest
/// entry whose id is below `before`.
///
/// The log has two parts: attempts, and pending or dropped events. In each part, the scan may reach entry number
/// `entries`, counted from the newest entry whose id is below `before`. Returns the newer of these two entries. If only
/// one part has so many entries, returns the entry of this part. If neither part has so many, returns `None`.
pub async fn scan_end<C: ReadSql>(
    c: &mut C,
    app: AppId,
    before: i64,
    entries: i64,
) -> Result<Option<(i64, Timestamp)>> {
    c.opt(&SCAN_END, args![app, before, entries - 1]).await
}

/// Returns up to `limit` entries of an app's log that match the filter, with ids from `from` (inclusive) to `before`
/// (exclusive). The newest entry is first.
pub async fn page<C: ReadSql>(
    c: &mut C,
    app: AppId,
    filter: &LogFilter,
    (from, before): (i64, i64),
    limit: i64,
) -> Result<Vec<Entry>> {
    let state = filter.state.map_or(-1, DeliveryState::code);
    let kind = filter.kind.as_deref().unwrap_or_default();
    let installation = filter.installation_id.map_or(0, |id| id.0);
    let since = filter.since.unwrap_or(Timestamp(i64::MIN));
    let until = filter.until.unwrap_or(Timestamp(i64::MAX));
    match filter.event_id {
        None => c.all(&PAGE, args![app, before, state, kind, installation, since, until, limit, from]).await,
        Some(event) => {
            let args = args![app, before, state, kind, installation, since, until, limit, from, event];
            c.all(&PAGE_OF_EVENT, args).await
        }
    }
}

/// Returns up to `limit` attempts and dropped events of an app, in the order in which they were written. Begins after
/// the position `after` (`log_seq` and id).
pub async fn follow<C: ReadSql>(c: &mut C, app: AppId, after: (i64, i64), limit: i64) -> Result<Vec<Entry>> {
    c.all(&FOLLOW, args![app, after.0, after.1, limit]).await
}

/// Returns up to `limit` events of an app with their bodies, the newest event first. Begins with the newest event
/// before the position `before` (creation time and id).
pub async fn inspect<C: ReadSql>(
    c: &mut C,
    app: AppId,
    before: (Timestamp, EventId),
    limit: i64,
) -> Result<Vec<InspectedEvent>> {
    c.all(&INSPECT, args![app, before.0, before.1, limit]).await
}

/// Returns an event of an app with its body.
pub async fn inspect_one<C: ReadSql>(c: &mut C, app: AppId, id: EventId) -> Result<Option<InspectedEvent>> {
    c.opt(&INSPECT_ONE, args![id, app]).await
}

/// Returns an event and locks its row until the transaction ends.
pub async fn stored<C: Sql>(c: &mut C, id: EventId) -> Result<Option<StoredEvent>> {
    c.lock_opt(&STORED, args![id]).await
}

/// The conditions for the events of an app that are redelivered.
#[derive(Clone, Debug, PartialEq)]
pub struct LogSpan {
    /// The end of the time range, exclusive.
    pub until: Timestamp,
    /// Whether delivered and dropped events are included. Failed events are always included.
    pub all: bool,
    /// If set, only events of this type are included.
    pub kind: Option<String>,
    /// The type of events that are sent even if the installation is disconnected.
    pub lasting: &'static str,
}

/// Returns the events that `span` selects, in the order of their creation, and locks their rows. Begins after the
/// position `after` (creation time and id). Examines the next `visited` failed events; with [`LogSpan::all`], the next
/// `visited` events of any state.
///
/// Omits pending events. Also omits events that must no longer be sent: events whose content was erased, and events of
/// disconnected installations unless their type is [`LogSpan::lasting`]. Also returns the position after which the next
/// call must continue; `None` if there are no more events.
pub async fn finished_between<C: Sql>(
    c: &mut C,
    app: AppId,
    span: &LogSpan,
    after: (Timestamp, EventId),
    visited: i64,
) -> Result<(Vec<StoredEvent>, Option<(Timestamp, EventId)>)> {
    let kind = span.kind.as_deref().unwrap_or_default();
    let (step, between) = if span.all { (&STEP, &BETWEEN) } else { (&STEP_FAILED, &FAILED_BETWEEN) };
    let reached: Option<(Timestamp, EventId)> =
        c.opt(step, args![app, after.0, after.1, span.until, visited - 1]).await?;
    // ids are positive, so every event that was created at `until` is after this position
    let last = reached.unwrap_or((span.until, EventId(-1)));
    let args = args![app, after.0, after.1, last.0, last.1, kind, span.lasting];
    Ok((c.lock_all(between, args).await?, reached))
}

/// Makes events pending again. Their next attempts are due at `now`, and their retry schedules restart. The caller must
/// have locked the rows of the events.
pub async fn make_pending<C: Sql>(c: &mut C, events: &[StoredEvent], now: Timestamp) -> Result<()> {
    if events.is_empty() {
        return Ok(());
    }
    let ids: Vec<EventId> = events.iter().map(|event| event.id).collect();
    c.exec(&MAKE_PENDING, args![&ids, now]).await?;
    for event in events {
        c.notify(Notice::NewEvent(event.app_id, event.installation_id));
    }
    Ok(())
}

/// Deletes up to `limit` events that were delivered, failed or dropped before `cutoff`, and their attempts. Returns the
/// number of deleted events.
pub async fn purge<C: Sql>(c: &mut C, cutoff: Timestamp, limit: i64) -> Result<u64> {
    let found: Vec<EventId> = c.lock_all(&FINISHED, args![cutoff, limit]).await?;
    if !found.is_empty() {
        c.exec(&FORGET_ATTEMPTS, args![&found]).await?;
        c.exec(&FORGET_EVENTS, args![&found]).await?;
    }
    Ok(found.len() as u64)
}
