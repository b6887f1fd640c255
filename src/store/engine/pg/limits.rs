//! The state of rate limits that the nodes share on PostgreSQL. The counts are stored in unlogged tables. Writes to
//! these tables are cheap, and a crash of PostgreSQL empties the tables.
//!
//! Some limits are exact. For each request to which an exact limit applies, the database makes a *decision*: the
//! database checks whether the limit is reached, and if not, counts the request. The table `rate_windows` has a row for
//! each key, the key's *window*, with the times of the counted requests. A decision needs one statement if the request
//! is allowed, and two statements if the request is rejected.
//!
//! For all other limits, each node counts requests in memory. Nodes exchange *records* of their counts a few times a
//! second, through the table `rate_records`. An exchange needs one statement for all of these limits together.
//!
//! This module has two small connection pools of its own, which bypass a pooler such as PgBouncer. It does not use the
//! store's pool, for two reasons. First, a request that holds a connection of the store can need a decision. If such
//! requests held all connections of the store, their decisions could not get a connection. Second, an exchange must not
//! wait behind requests.
//!
//! If a node stops waiting for a decision, PostgreSQL cancels the statement of the decision soon after.
//!
//! Each statement is a transaction of its own. No statement is retried. When the response of a statement is lost, the
//! statement may already have counted the request, and a retry would count the request twice. Then an exact limit could
//! reject a request that is within the limit.

use std::fmt;
use std::time::Duration;

use sqlx::PgConnection;
use sqlx::postgres::PgConnectOptions;

use super::connector::Connector;
use super::failure::{Cause, ConnectionHealth};
use super::lease::Lease;
use super::pool::Pool;
use super::timeouts::Workload;
use crate::domain::time::Timestamp;
use crate::platform::limits::{
    ExchangeResult, Published, RecordBatch, RemoteRecord, SharedFailure, SharedKey, SharedLimits,
    StateFuture, WindowPosition,
};

/// Sizes of the two pools: for decisions, and for slower statements. A pool reserves at least one connection for
/// [`Workload::Read`], but all statements of this module run as [`Workload::Write`]. So each size is one more than the
/// number of connections that are used.
const CONNECTIONS: (u32, u32) = (4 + 1, 1 + 1);

/// How long a statement waits for a connection.
const WAIT: Duration = Duration::from_secs(5);

/// How much longer PostgreSQL's `statement_timeout` and `lock_timeout` of a decision are than `limits.shared_wait_ms`,
/// after which the node stops waiting for the decision.
const SERVER_MARGIN: Duration = Duration::from_millis(200);

/// How much longer the client's timeout of a decision is than PostgreSQL's timeouts. The client's timeout applies if
/// PostgreSQL no longer responds.
const CLIENT_MARGIN: Duration = Duration::from_millis(750);

/// How long, in microseconds, a window is kept after its last request has stopped counting, and a record after its
/// publication. If the key is used again within this time, the existing row is updated.
const KEPT_IDLE: i64 = 600_000_000;

/// How far, in microseconds, the `idle_at` of a window may be in the future. `idle_at` is the time at which the last
/// request of the window stops counting. A window with a later `idle_at` is deleted, because it was written by a clock
/// that was set back afterwards. `FAR_AHEAD` exceeds the longest period of a limit (an hour) by far more than the
/// difference between the clocks of two nodes. So no window that still counts is deleted.
const FAR_AHEAD: i64 = 7_200_000_000;

/// Selects the times of requests that count at the time $2: those less than $3 microseconds before $2, and those at
/// most $4 microseconds after $2. Later times were recorded before a clock was set back.
macro_rules! live {
    () => {
        "ARRAY(SELECT t FROM unnest(w.passed) AS t WHERE t > $2 - $3 AND t <= $2 + $4 ORDER BY t)"
    };
}

/// Counts a request of the key $1 at the time $2 against a limit of $5 requests. Returns the number of counted requests
/// and the time of the oldest counted request. If the limit is reached, counts nothing and returns no row. The
/// statement locks the row of the key, so that two nodes cannot both count the last request that the limit allows.
const COUNT: &str = concat!(
    "INSERT INTO rate_windows AS w (key, passed, idle_at) VALUES ($1, ARRAY[$2::BIGINT], $2 + $3)
    ON CONFLICT (key) DO UPDATE SET (passed, idle_at) = (
        SELECT ARRAY(SELECT t FROM unnest(live.passed || $2) AS t ORDER BY t),
            GREATEST($2, live.passed[cardinality(live.passed)]) + $3
        FROM (SELECT ",
    live!(),
    " AS passed) AS live)
    WHERE cardinality(",
    live!(),
    ") < $5
    RETURNING cardinality(w.passed)::BIGINT, w.passed[1]"
);

/// Reads the number of counted requests of the key $1, and the time of the oldest counted request.
const POSITION: &str = concat!(
    "SELECT cardinality(live.passed)::BIGINT, live.passed[1]
    FROM rate_windows AS w, LATERAL (SELECT ",
    live!(),
    " AS passed) AS live WHERE w.key = $1"
);

/// Maximum number of records that one exchange reads. If there are more records, the next exchange continues at the
/// publication time of the last record that was read, and reads the records of that time again. All records that a node
/// publishes in one exchange have the same publication time. So this maximum must exceed the number of records that one
/// exchange publishes (at most 5,000). With a smaller maximum, a node could read the same records for ever.
const MAX_READ: i64 = 20_000;

/// Maximum age of the records that an exchange reads, in microseconds. Older records no longer count, because a limit
/// that is not exact counts a request for at most a minute. Without this maximum, a new process would read all records,
/// and a node without exchanges for some time would read all records of this time.
const MAX_RECORD_AGE: i64 = 65_000_000;

/// Publishes records of the node $1 in the epoch $2. $3 has the keys of the records, and $4 the records. Returns the
/// database's time, the current epoch, and up to $7 records that other nodes have published in the current epoch.
/// Returned records were published after the time $5 and less than $6 microseconds ago.
///
/// Exchanges of several nodes do not wait for each other, because a node writes only its own rows. The purge skips rows
/// that an exchange has locked.
const EXCHANGE: &str = "WITH state AS MATERIALIZED (
        SELECT COALESCE((SELECT epoch FROM rate_epoch WHERE id = 1), 1) AS epoch,
            (EXTRACT(EPOCH FROM statement_timestamp()) * 1000000)::BIGINT AS now
    ), published AS (
        INSERT INTO rate_records AS r (key, node, epoch, record, published_at)
        SELECT a.key, $1, $2, a.record, state.now
        FROM state, unnest($3::BYTEA[], $4::BYTEA[]) AS a (key, record)
        ON CONFLICT (key, node) DO UPDATE SET
            epoch = EXCLUDED.epoch, record = EXCLUDED.record, published_at = EXCLUDED.published_at
    )
    SELECT state.now, state.epoch, r.key, r.node, r.record, r.published_at
    FROM state LEFT JOIN LATERAL (
        SELECT key, node, record, published_at FROM rate_records
        WHERE published_at > GREATEST($5, state.now - $6) AND node <> $1 AND epoch = state.epoch
        ORDER BY published_at LIMIT $7
    ) AS r ON TRUE
    ORDER BY r.published_at";

/// Starts a new epoch. Each node reads the epoch in its next exchange, and then resets its counts.
const RESET: &str = "INSERT INTO rate_epoch AS r (id, epoch) VALUES (1, 2)
    ON CONFLICT (id) DO UPDATE SET epoch = r.epoch + 1 RETURNING epoch";

const RESET_WINDOWS: &str = "DELETE FROM rate_windows";

/// Maximum number of rows that each of the following statements deletes. The statements contain this number as a
/// literal, because the planner knows a literal even when it makes a generic plan. So the planner expects few rows, and
/// chooses the index on the time of the rows.
const MAX_FORGOTTEN: u64 = 1_000;

/// Deletes windows whose `idle_at` is before $1.
const FORGET_WINDOWS: &str = "DELETE FROM rate_windows WHERE key = ANY(ARRAY(
        SELECT key FROM rate_windows WHERE idle_at < $1
        ORDER BY idle_at LIMIT 1000 FOR UPDATE SKIP LOCKED))";

/// Deletes windows whose `idle_at` is after $1.
const FORGET_FUTURE_WINDOWS: &str = "DELETE FROM rate_windows WHERE key = ANY(ARRAY(
        SELECT key FROM rate_windows WHERE idle_at > $1
        ORDER BY idle_at DESC LIMIT 1000 FOR UPDATE SKIP LOCKED))";

/// Deletes records that were published more than $1 microseconds ago.
const FORGET_RECORDS: &str = "DELETE FROM rate_records AS r USING (
        SELECT array_agg(key) AS keys, array_agg(node) AS nodes FROM (
            SELECT key, node FROM rate_records
            WHERE published_at < (EXTRACT(EPOCH FROM statement_timestamp()) * 1000000)::BIGINT - $1
            ORDER BY published_at LIMIT 1000 FOR UPDATE SKIP LOCKED) AS page) AS old
    CROSS JOIN LATERAL unnest(old.keys, old.nodes) AS o (key, node)
    WHERE r.key = o.key AND r.node = o.node";

/// Every statement of this module with its name. A test checks how many rows each statement reads.
pub const LIMIT_STATEMENTS: [(&str, &str); 8] = [
    ("limits::COUNT", COUNT),
    ("limits::POSITION", POSITION),
    ("limits::EXCHANGE", EXCHANGE),
    ("limits::RESET", RESET),
    ("limits::RESET_WINDOWS", RESET_WINDOWS),
    ("limits::FORGET_WINDOWS", FORGET_WINDOWS),
    ("limits::FORGET_FUTURE_WINDOWS", FORGET_FUTURE_WINDOWS),
    ("limits::FORGET_RECORDS", FORGET_RECORDS),
];

/// A row of [`EXCHANGE`]: the database's time, the current epoch, then the key, the node, the record and its
/// publication time. If no record was found, the last four are NULL.
type ExchangedRow = (i64, i64, Option<Vec<u8>>, Option<i64>, Option<Vec<u8>>, Option<i64>);

/// The state of rate limits that the nodes share on PostgreSQL.
pub(in crate::store) struct SharedState {
    /// For decisions.
    quick: Bounded,
    /// For slower statements.
    slow: Bounded,
}

impl fmt::Debug for SharedState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedState").finish_non_exhaustive()
    }
}

/// A pool, and the client's timeout of the statements that run on its connections.
struct Bounded {
    pool: Pool,
    limit: Duration,
}

/// Runs one statement on a connection of a [`Bounded`].
macro_rules! run_bounded {
    ($bounded:expr, |$connection:ident| $work:expr) => {{
        let Bounded { pool, limit } = &$bounded;
        let mut lease = Lease::acquire(pool, Workload::Write).await.map_err(failed)?;
        let epoch = lease.epoch();
        let $connection: &mut PgConnection = lease.connection().map_err(failed)?;
        let done = pool.losses().watch(epoch, *limit, $work).await;
        let answered = lease.ended(done).map_err(|ended| ended.cause());
        if let Err(Cause::Retry { connection, .. }) = &answered {
            match connection {
                ConnectionHealth::Sound => {}
                ConnectionHealth::Lost => pool.losses().record(),
                // after a failover, the next statement opens a connection to the new primary
                ConnectionHealth::ReadOnly => {
                    if pool.renew_read_only(epoch) {
                        lease.discard();
                    }
                }
            }
        }
        answered.map_err(failed)
    }};
}

impl SharedState {
    /// Creates the pools without opening a connection. `wait` is how long the node waits for a decision. `limit` is the
    /// client's timeout of slower statements.
    pub(super) fn new(connector: &Connector, wait: Duration, limit: Duration) -> Self {
        let bounded = |connector, size, limit| Bounded { pool: Pool::new(connector, size, WAIT), limit };
        let timeout = wait + SERVER_MARGIN;
        let decisions = connector.with_options(|options| decision_options(options, timeout));
        Self {
            quick: bounded(decisions, CONNECTIONS.0, timeout + CLIENT_MARGIN),
            slow: bounded(connector.clone(), CONNECTIONS.1, limit),
        }
    }

    async fn counted(
        &self,
        key: SharedKey,
        limit: u32,
        per: i64,
        now: Timestamp,
        skew: i64,
    ) -> Result<WindowPosition, SharedFailure> {
        let count = sqlx::query_as(COUNT).bind(key.to_vec()).bind(now.0).bind(per).bind(skew);
        let count = count.bind(i64::from(limit));
        let counted: Option<(i64, Option<i64>)> = run_bounded!(self.quick, |on| count.fetch_optional(on))?;
        match counted {
            Some((used, oldest)) => Ok(WindowPosition { passes: true, used: as_count(used), oldest }),
            // A reset can delete the window between the two statements. This request is rejected nevertheless, and the
            // next request is allowed.
            None => Ok(WindowPosition { passes: false, ..self.position_of(key, per, now, skew).await? }),
        }
    }

    async fn position_of(
        &self,
        key: SharedKey,
        per: i64,
        now: Timestamp,
        skew: i64,
    ) -> Result<WindowPosition, SharedFailure> {
        let position = sqlx::query_as(POSITION).bind(key.to_vec()).bind(now.0).bind(per).bind(skew);
        let position: Option<(i64, Option<i64>)> =
            run_bounded!(self.quick, |on| position.fetch_optional(on))?;
        let (used, oldest) = position.unwrap_or_default();
        Ok(WindowPosition { passes: true, used: as_count(used), oldest })
    }

    async fn exchanged(&self, batch: RecordBatch) -> Result<ExchangeResult, SharedFailure> {
        let (keys, records): (Vec<Vec<u8>>, Vec<Vec<u8>>) =
            batch.rows.into_iter().map(|Published { key, record }| (key, record)).unzip();
        let exchange = sqlx::query_as(EXCHANGE)
            .bind(batch.node)
            .bind(batch.epoch)
            .bind(keys)
            .bind(records)
            .bind(batch.since)
            .bind(MAX_RECORD_AGE)
            .bind(MAX_READ);
        // uses the pool for slower statements, because an exchange can write thousands of rows and exceed the timeout
        // of decisions
        let found: Vec<ExchangedRow> = run_bounded!(self.slow, |on| exchange.fetch_all(on))?;
        let Some(&(now, epoch, ..)) = found.first() else {
            return Err(SharedFailure("an exchange returned no row".to_owned()));
        };
        let row = |(_, _, key, node, record, published_at): ExchangedRow| {
            let published = Published { key: key?, record: record? };
            Some(RemoteRecord { node: node?, published, published_at: published_at? })
        };
        let rows: Vec<RemoteRecord> = found.into_iter().filter_map(row).collect();
        let has_more = i64::try_from(rows.len()).is_ok_and(|read| read >= MAX_READ);
        Ok(ExchangeResult { now, epoch, rows, has_more })
    }

    async fn purged(&self, now: Timestamp) -> Result<(), SharedFailure> {
        let forgets = [
            (FORGET_WINDOWS, now.0 - KEPT_IDLE),
            (FORGET_FUTURE_WINDOWS, now.0 + FAR_AHEAD),
            (FORGET_RECORDS, KEPT_IDLE),
        ];
        for (forget, argument) in forgets {
            loop {
                let forget = sqlx::query(forget).bind(argument);
                if run_bounded!(self.slow, |on| forget.execute(on))?.rows_affected() < MAX_FORGOTTEN {
                    break;
                }
            }
        }
        Ok(())
    }
}

impl SharedLimits for SharedState {
    fn count(
        &self,
        key: SharedKey,
        limit: u32,
        per: i64,
        now: Timestamp,
        skew: i64,
    ) -> StateFuture<'_, WindowPosition> {
        Box::pin(self.counted(key, limit, per, now, skew))
    }

    fn position(
        &self,
        key: SharedKey,
        per: i64,
        now: Timestamp,
        skew: i64,
    ) -> StateFuture<'_, WindowPosition> {
        Box::pin(self.position_of(key, per, now, skew))
    }

    fn exchange(&self, batch: RecordBatch) -> StateFuture<'_, ExchangeResult> {
        Box::pin(self.exchanged(batch))
    }

    fn reset(&self) -> StateFuture<'_, i64> {
        Box::pin(async move {
            run_bounded!(self.slow, |on| sqlx::query(RESET_WINDOWS).execute(on))?;
            run_bounded!(self.slow, |on| sqlx::query_scalar(RESET).fetch_one(on))
        })
    }

    fn purge_idle(&self, now: Timestamp) -> StateFuture<'_, ()> {
        Box::pin(self.purged(now))
    }
}

fn decision_options(options: PgConnectOptions, timeout: Duration) -> PgConnectOptions {
    let millis = timeout.as_millis().to_string();
    options.options([
        ("statement_timeout", millis.as_str()),
        ("lock_timeout", millis.as_str()),
        // the tables are unlogged, so a commit need not wait until the write-ahead log is flushed
        ("synchronous_commit", "off"),
    ])
}

fn as_count(number: i64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn failed(cause: Cause) -> SharedFailure {
    SharedFailure(match cause {
        Cause::Retry { why, .. } => why,
        Cause::Final(failure) => failure.to_string(),
    })
}
