//! Monitors the replica: whether it responds, whether it is a standby, and whether it follows the primary's timeline.
//!
//! Two positions of the write-ahead log can be compared only if they are on the same timeline. After a failover, the
//! new primary can lack records that a replica received from the old primary. Then the new primary and the replica have
//! different records at the same positions. So Switchboard writes a *mark* on each timeline of the primary: a row with
//! a random number. If a replica has this row, it follows the timeline.

use std::sync::Arc;
use std::time::Duration;

use sqlx::postgres::PgRow;
use sqlx::{PgConnection, Row};

use super::connector::Connector;
use super::failure::{Cause, class_of};
use super::lease::Lease;
use super::pool::{Pool, unavailable};
use super::replica_shared::{STATE, SharedReplica, mark};
use super::replica_state::Lineage;
use super::timeouts::{PING, Workload, tuned};
use crate::store::engine::error::{Result, StoreError};
use crate::store::engine::log_position::{LogPosition, parse_lsn};
use crate::store::engine::meters;
use crate::store::engine::position::log_position;
use crate::store::engine::url::{PostgresUrl, SessionAttributes};

/// The pause between two checks.
const EVERY: Duration = Duration::from_secs(1);

/// The pause between two checks of a replica that lacks the mark, or is in a backoff (defined in `replica_state`).
const SOON: Duration = Duration::from_millis(50);

/// The pause before a check that a read has requested.
const PAUSE: Duration = Duration::from_millis(20);

/// The timeout of a check's wait for a connection to the replica, and then again of the check's query of the replica.
/// Also the timeout of each query of [`inspect`].
const ANSWER: Duration = Duration::from_secs(2);

/// Number of consecutive checks that may find the replica without the mark. The next check without the mark reports the
/// replica as unusable.
const LACKING: u32 = 60;

/// Number of random bits of a mark.
const RANDOM_BITS: u32 = 16;

/// The prefix of a mark: the timeline, and 15 bits of the system identifier. The prefix contains the identifier because
/// a backup with the row can be restored on another cluster, whose timeline can have the same number. On a standby, the
/// prefix is NULL.
macro_rules! mark_prefix {
    () => {
        "(SELECT CASE WHEN NOT pg_is_in_recovery() THEN
            (CAST(CAST('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8) AS BIT(32)) AS BIGINT) << 31)
            | ((system_identifier & 32767) << 16) END FROM pg_control_system())"
    };
}

/// Queries the primary's log position, the mark if there is one, and the prefix that the mark must have.
const PRIMARY: &str = concat!("SELECT ", log_position!(), ", ", mark!(), ", ", mark_prefix!());

/// Writes a mark if the primary's timeline has no mark. Returns the mark. The commit does not wait for a flush of the
/// log.
const MARK: &str = concat!(
    "BEGIN; SET LOCAL synchronous_commit = off;
    INSERT INTO server_state (name, value) SELECT 'timeline', ",
    mark_prefix!(),
    " | CAST(random() * 65535 AS BIGINT)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value
        WHERE server_state.value >> 16 <> excluded.value >> 16;
    COMMIT; SELECT value FROM server_state WHERE name = 'timeline'"
);

/// Queries what identifies the database of a session: the OID of the database, and the system identifier of its
/// cluster. A standby has the same system identifier as its primary.
const IDENTITY: &str = "SELECT system_identifier, CAST(oid AS BIGINT)
    FROM pg_control_system(), pg_database WHERE datname = current_database()";

/// The relation of a replica to the primary.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReplicaReport {
    /// The replica belongs to another cluster, or the URL names another database.
    OtherDatabase,
    /// The replica is a standby of the primary's cluster. `lag_bytes` is the number of bytes of the primary's log that
    /// the standby has not replayed.
    Follows { lag_bytes: u64 },
}

/// Monitors the replica until the task is aborted. `pause` is the pause before the first check.
pub(super) async fn watch(shared: Arc<SharedReplica>, mut pause: Duration) {
    let mut lacking = 0_u32;
    loop {
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            () = shared.state.check_requested() => tokio::time::sleep(PAUSE).await,
        }
        pause = check(&shared, lacking).await;
        lacking = next_lacking_count(lacking, pause, shared.state.is_usable());
    }
}

/// Returns the number of consecutive checks that have found the replica without the mark. `lacking` is the number
/// before the last check, `pause` is the result of the last check, and `is_usable` is whether reads may use the replica
/// after it.
///
/// The result [`SOON`] means that the mark is missing, or that a usable replica is in a backoff. Only a missing mark is
/// counted. As soon as `lacking` is [`LACKING`], a check that finds no mark returns [`EVERY`], as other failed checks
/// do. So from then on, every check that leaves the replica unusable is counted.
fn next_lacking_count(lacking: u32, pause: Duration, is_usable: bool) -> u32 {
    let lacks = !is_usable && (pause == SOON || lacking >= LACKING);
    if lacks { lacking.saturating_add(1) } else { 0 }
}

/// Checks the replica, records its state and returns the pause until the next check. `lacking` is the number of
/// previous consecutive checks that found the replica without the mark.
pub(super) async fn check(shared: &SharedReplica, lacking: u32) -> Duration {
    // The replica is queried before the primary. So if the replica follows the primary, its position cannot be ahead of
    // the primary's position, which is queried later.
    let state = match shared.query_any(ANSWER).await {
        Ok(state) => state,
        Err(cause) => {
            let why = why(cause);
            // closes the idle connections, and shortens the timeout of statements on the connections in use
            shared.pool.renew();
            shared.state.exclude(&why);
            return EVERY;
        }
    };
    let (position, lineage) = match ask_primary(&shared.primary).await {
        Ok(found) => found,
        Err(cause) => {
            match cause {
                Cause::Final(StoreError::Bug(what)) => shared.state.exclude(&format!("the primary: {what}")),
                // Reads must not use the replica: the primary can come back on the same timeline without its last
                // records, and the replica can have these records.
                _ => {
                    tracing::debug!(?cause, "failed to ask the primary for its position");
                    shared.state.await_mark();
                }
            }
            return EVERY;
        }
    };
    let Some(replayed) = state.replayed.filter(|_| state.in_recovery) else {
        shared.pool.renew();
        shared.state.exclude("it is no longer a standby");
        return EVERY;
    };
    if replayed > position.lsn {
        shared.state.exclude("it is ahead of the primary");
        return EVERY;
    }
    meters::replica_lag(position.lsn - replayed);
    if state.mark != Some(lineage.mark) {
        if lacking < LACKING {
            shared.state.await_mark();
            return SOON;
        }
        shared.state.exclude("it lags far behind, or follows another server than the primary");
        return EVERY;
    }
    shared.state.admit_reads(lineage);
    shared.state.note_replayed(replayed, std::time::Instant::now());
    if shared.state.is_backing_off() { SOON } else { EVERY }
}

/// Returns the position of the primary's log and the mark of its timeline. If the mark is missing, writes a mark.
async fn ask_primary(primary: &Pool) -> std::result::Result<(LogPosition, Lineage), Cause> {
    let mut lease = Lease::acquire_within(primary, Workload::Read, PING).await?;
    let epoch = lease.epoch();
    let asked = sqlx::raw_sql(PRIMARY).fetch_one(lease.connection()?);
    let done = primary.losses().watch(epoch, PING, asked).await;
    let row = lease.ended(done).map_err(|ended| ended.cause())?;
    let read = || {
        let position: Option<String> = row.try_get(0)?;
        let (mark, prefix): (Option<i64>, Option<i64>) = (row.try_get(1)?, row.try_get(2)?);
        Ok::<_, sqlx::Error>((position, mark, prefix))
    };
    let (position, mark, prefix) = read().map_err(|error| Cause::Final(class_of(&error)))?;
    let (Some(position), Some(prefix)) = (position.as_deref().and_then(LogPosition::parse), prefix) else {
        return Err(unavailable("the primary is a standby"));
    };
    let timeline = position.timeline;
    let is_of_timeline = |mark: &i64| mark >> RANDOM_BITS == prefix >> RANDOM_BITS;
    if let Some(mark) = mark.filter(is_of_timeline) {
        return Ok((position, Lineage { timeline, mark }));
    }
    lease.set_in_transaction(true);
    let marked = sqlx::raw_sql(MARK).fetch_all(lease.connection()?);
    let done = primary.losses().watch(epoch, PING, marked).await;
    let rows = lease.ended(done).map_err(|ended| ended.cause())?;
    lease.set_in_transaction(false);
    let mark = rows.last().and_then(|row| row.try_get::<i64, _>(0).ok()).filter(is_of_timeline);
    match mark {
        Some(mark) => Ok((position, Lineage { timeline, mark })),
        None => Err(unavailable("the primary's timeline changed")),
    }
}

/// Fails if the URL of the replica leads to another database than the URL of the primary. Also fails if the replica
/// responds, but no connection to the primary can be opened. Does not fail if the replica is unreachable, or if the two
/// databases cannot be compared. Then later checks decide whether the replica is used.
pub(super) async fn reject_other_database(
    replica: &Connector,
    within: Duration,
    primary: &Pool,
) -> Result<()> {
    let session = match replica.connect(within).await {
        Ok(session) => session,
        Err(none) => {
            tracing::warn!(error = %none.failure, "the read replica does not respond");
            return Ok(());
        }
    };
    let mut connection = session.connection;
    let asked = tokio::time::timeout(PING, sqlx::raw_sql(IDENTITY).fetch_one(&mut connection)).await;
    let mut lease = Lease::acquire(primary, Workload::Read).await?;
    let epoch = lease.epoch();
    let done =
        primary.losses().watch(epoch, PING, sqlx::raw_sql(IDENTITY).fetch_one(lease.connection()?)).await;
    let (Ok(Ok(theirs)), Ok(ours)) = (asked, lease.ended(done)) else {
        tracing::warn!("failed to compare the system identifiers of the primary and the read replica");
        return Ok(());
    };
    if identity(&theirs) == identity(&ours) {
        return Ok(());
    }
    Err(StoreError::unavailable(
        "database.replica_url leads to another database than database.url: it must name standbys of the same \
         PostgreSQL cluster, and the same database",
    )
    .into())
}

/// Checks a replica once, without an open store.
///
/// # Errors
/// - Unavailable if the primary does not respond.
/// - Unavailable if no server of the replica's URL responds, or none matches the `target_session_attrs` of the URL.
/// - Unavailable if the lag is unknown: the primary's URL leads to a standby, or the replica reports no position.
pub(in crate::store) async fn inspect(
    primary: &PostgresUrl,
    replica: &PostgresUrl,
) -> std::result::Result<ReplicaReport, StoreError> {
    let failed = |error: sqlx::Error| class_of(&error);
    let mut ours = open(primary).await?;
    let mut theirs = open(&replica.with_attributes(SessionAttributes::Any)).await?;
    let one = query(&mut ours, IDENTITY).await?;
    let other = query(&mut theirs, IDENTITY).await?;
    if identity(&one) != identity(&other) {
        return Ok(ReplicaReport::OtherDatabase);
    }
    let mut standby = open(replica).await?;
    let row = query(&mut ours, PRIMARY).await?;
    let position: Option<String> = row.try_get(0).map_err(failed)?;
    let row = query(&mut standby, STATE).await?;
    let replayed: Option<String> = row.try_get(1).map_err(failed)?;
    let Some(position) = position.as_deref().and_then(LogPosition::parse) else {
        return Err(StoreError::unavailable("the server of the primary's URL is a standby"));
    };
    let Some(replayed) = replayed.as_deref().and_then(parse_lsn) else {
        return Err(StoreError::unavailable("the server reports no replayed position of the log"));
    };
    Ok(ReplicaReport::Follows { lag_bytes: position.lsn.saturating_sub(replayed) })
}

/// Opens a connection that belongs to no pool. The connection can lead through a pooler such as PgBouncer, because it
/// sends no startup parameter that a pooler would reject.
async fn open(url: &PostgresUrl) -> std::result::Result<PgConnection, StoreError> {
    let connector = Connector::new(url, |host| tuned(host).extra_float_digits(None));
    let opened = connector.connect(url.connect_timeout()).await;
    Ok(opened.map_err(|none| none.failure)?.connection)
}

/// Runs a query and returns its row. If the server does not respond within [`ANSWER`], returns an error.
async fn query(connection: &mut PgConnection, sql: &'static str) -> std::result::Result<PgRow, StoreError> {
    match tokio::time::timeout(ANSWER, sqlx::raw_sql(sql).fetch_one(connection)).await {
        Ok(row) => row.map_err(|error| class_of(&error)),
        Err(_) => Err(StoreError::unavailable("the server does not respond to a query")),
    }
}

fn identity(row: &PgRow) -> (Option<i64>, Option<i64>) {
    (row.try_get(0).ok(), row.try_get(1).ok())
}

fn why(cause: Cause) -> String {
    match cause {
        Cause::Retry { why, .. } => why,
        Cause::Final(failure) => failure.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_checks_that_find_no_mark_are_counted() {
        assert_eq!(next_lacking_count(5, SOON, true), 0, "a usable replica in a backoff has the mark");
        assert_eq!(next_lacking_count(5, SOON, false), 6);
        assert_eq!(next_lacking_count(5, EVERY, false), 0, "the replica was excluded for another reason");
        assert_eq!(
            next_lacking_count(LACKING, EVERY, false),
            LACKING + 1,
            "the replica remains reported as unusable"
        );
        assert_eq!(next_lacking_count(LACKING, EVERY, true), 0);
    }
}
