//! Rate limit state that the nodes share, in unlogged tables.
//!
//! An exact limit needs one statement per request that it allows, and two per request that it rejects. All other limits
//! together need one statement per exchange.
//!
//! This module has two small connection pools of its own, which bypass a pooler such as pgbouncer. It does not use the
//! store's pool, because a request that holds a connection of the store may need a limit decision. Also, an exchange
//! must not wait behind requests. PostgreSQL cancels the statement of a decision soon after the node has stopped
//! waiting for it.
//!
//! Each statement is a transaction of its own. It is not retried, because a statement whose response was lost may have
//! counted the request. If a request were counted twice, the exact limit could reject a request that it allows.

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

/// Sizes of the two pools: for decisions, and for slower statements. A pool reserves at least one
/// connection for reads. These pools run no reads, so each has one connection more than it can use.
const CONNECTIONS: (u32, u32) = (4 + 1, 1 + 1);

/// How long a statement waits for a connection.
const WAIT: Duration = Duration::from_secs(5);

/// The server's `statement_timeout` and `lock_timeout` of a decision exceed `limits.shared_wait_ms` by this time. After
/// `limits.shared_wait_ms` the node stops waiting for the decision.
const SERVER_MARGIN: Duration = Duration::from_millis(200);

/// The client's timeout of a decision exceeds the server's timeouts by this time. The client's timeout ends a statement
/// if the server no longer responds.
const CLIENT_MARGIN: Duration = Duration::from_millis(750);

/// How long the rows of an idle key are kept, in microseconds. If the caller soon sends requests again, these update
/// the existing row.
const KEPT_IDLE: i64 = 600_000_000;

/// In microseconds. If an `idle_at` is further in the future than this, it was recorded by a clock that was later set
/// back, and the row is deleted. The constant exceeds the longest window, an hour, by more than the difference between
/// the clocks of two nodes. So no row that still counts is deleted.
const FAR_AHEAD: i64 = 7_200_000_000;

/// Selects the times that count at time $2: within the window of $3 microseconds before it, and at
/// most $4 microseconds after it. Later times were recorded before a clock was set back.
macro_rules! live {
    () => {
        "ARRAY(SELECT t FROM unnest(w.passed) AS t WHERE t > $2 - $3 AND t <= $2 + $4 ORDER BY t)"
    };
}

/// Counts a request of key $1 against a limit of $5 requests. Returns the number of counted requests and the time of
/// the oldest. Returns no row if the window is full. The statement locks the row of the key, so that two nodes cannot
/// both take the last slot.
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

/// Reads the number of counted requests of key $1 and the time of the oldest.
const POSITION: &str = concat!(
    "SELECT cardinality(live.passed)::BIGINT, live.passed[1]
    FROM rate_windows AS w, LATERAL (SELECT ",
    live!(),
    " AS passed) AS live WHERE w.key = $1"
);

/// Maximum number of records that one exchange reads. If there are more, the next exchange continues with the
/// publication time of the last record, and returns records of that time again. All records that a node publishes in
/// one exchange have the same time. So this maximum must exceed their number. Otherwise a node would read the same
/// records forever.
const MAX_READ: i64 = 20_000;

/// Maximum age of the records that an exchange reads, in microseconds. Older records no longer count. The limit bounds
/// the first exchange of a process, and the first one after a database outage.
const COUNTS: i64 = 65_000_000;

/// Publishes records (keys $3, records $4) of node $1 in epoch $2. Returns up to $7 records of the current
/// epoch that other nodes published after time $5 and at most $6 microseconds ago.
///
/// No two nodes wait for each other: a row is written only by the node to which it belongs, and the purge skips locked
/// rows.
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

/// Starts a new epoch, which resets the counts of all nodes: each node reads the epoch in its next exchange.
const RESET: &str = "INSERT INTO rate_epoch AS r (id, epoch) VALUES (1, 2)
    ON CONFLICT (id) DO UPDATE SET epoch = r.epoch + 1 RETURNING epoch";

const RESET_WINDOWS: &str = "DELETE FROM rate_windows";

/// Maximum number of rows that one statement deletes. The statements contain the number as a literal. So a generic plan
/// expects few rows, and takes these from the index on their time.
const MAX_FORGOTTEN: u64 = 1_000;

/// Deletes windows that became idle before $1.
const FORGET_WINDOWS: &str = "DELETE FROM rate_windows WHERE key = ANY(ARRAY(
        SELECT key FROM rate_windows WHERE idle_at < $1
        ORDER BY idle_at LIMIT 1000 FOR UPDATE SKIP LOCKED))";

/// Deletes windows that become idle only after $1.
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

/// Every statement, with its name, for the test that limits the rows that statements read.
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

/// A row of [`EXCHANGE`]: the database's time, the epoch, and the key, node, record and publication
/// time of a record. The last four are NULL if there is no record.
type Exchanged = (i64, i64, Option<Vec<u8>>, Option<i64>, Option<Vec<u8>>, Option<i64>);

/// The shared state on PostgreSQL.
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

/// A pool and the timeout of its statements.
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
                // after a failover: the next statement connects to the new primary
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
    /// Creates the pools without opening a connection. `wait` is how long the node waits for a decision, and `limit`
    /// the timeout of slower statements.
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
            // Between the two statements the window may have been reset. Then the next request is allowed.
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
            .bind(COUNTS)
            .bind(MAX_READ);
        // uses the slow pool: an exchange may write thousands of rows and exceed the timeout of decisions
        let found: Vec<Exchanged> = run_bounded!(self.slow, |on| exchange.fetch_all(on))?;
        let Some(&(now, epoch, ..)) = found.first() else {
            return Err(SharedFailure("an exchange returned no row".to_owned()));
        };
        let row = |(_, _, key, node, record, published_at): Exchanged| {
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
        for (forget, time) in forgets {
            loop {
                let forget = sqlx::query(forget).bind(time);
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
        // the tables are unlogged, so a commit need not wait for the WAL
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
