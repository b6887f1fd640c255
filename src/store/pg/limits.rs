//! The state of the rate limits that nodes share: unlogged tables, one statement per decision of an exact limit, and one
//! per exchange of everything else.
//!
//! On two small pools of their own, past a pooler: a request that holds one of the store's connections may ask for a limit,
//! and an exchange must not wait behind requests. Statements of decisions are ended by the server soon after the node has
//! stopped waiting for them.
//!
//! A statement commits by itself and is tried once: one whose answer was lost may have counted, and counting it again
//! would refuse a request that an exact limit lets pass.

use std::fmt;
use std::time::Duration;

use sqlx::PgConnection;
use sqlx::postgres::PgConnectOptions;

use super::bounds::Kind;
use super::connector::Connector;
use super::failure::{Cause, ConnectionHealth};
use super::pool::Pool;
use crate::domain::time::Timestamp;
use crate::platform::limits::{
    Answer, Batch, Counted, Learned, LearnedRow, Published, SharedFailure, SharedKey, SharedLimits,
};

/// Connections of the two pools: for decisions, and for what may take its time. One of each is kept back for reads, of
/// which there are none.
const CONNECTIONS: (u32, u32) = (4 + 1, 1 + 1);

/// How long to wait for a connection.
const WAIT: Duration = Duration::from_secs(5);

/// When the server ends a decision that nobody waits for any more, in milliseconds.
const STATEMENT_TIMEOUT: &str = "250";

/// Our own deadline of a decision, which ends what the server cannot.
const DECISION: Duration = Duration::from_secs(1);

/// How long a key that is whole again stays, in microseconds, so that a caller who comes back soon finds its row.
const KEPT_IDLE: i64 = 600_000_000;

/// A time further ahead than this was noted by a clock that was set back since.
const FAR_AHEAD: i64 = 3_600_000_000;

/// The moments that count at $2: not out of the window of $3, and not of a clock that was set back, by more than $4.
macro_rules! live {
    () => {
        "ARRAY(SELECT t FROM unnest(w.passed) AS t WHERE t > $2 - $3 AND t <= $2 + $4 ORDER BY t)"
    };
}

/// Counts a request; no row when the window is full. A key's row is locked meanwhile, so that no two nodes count one
/// place twice. Times that overtook each other count as the later one.
const COUNT: &str = concat!(
    "INSERT INTO rate_windows AS w (key, passed, idle_at) VALUES ($1, ARRAY[$2::BIGINT], $2 + $3)
    ON CONFLICT (key) DO UPDATE SET (passed, idle_at) = (
        SELECT live.passed || GREATEST($2, live.passed[cardinality(live.passed)]),
            GREATEST($2, live.passed[cardinality(live.passed)]) + $3
        FROM (SELECT ",
    live!(),
    " AS passed) AS live)
    WHERE cardinality(",
    live!(),
    ") < $5
    RETURNING cardinality(w.passed)::BIGINT, w.passed[1]"
);

/// How many count, and the first of them.
const STANDING: &str = concat!(
    "SELECT cardinality(live.passed)::BIGINT, live.passed[1]
    FROM rate_windows AS w, LATERAL (SELECT ",
    live!(),
    " AS passed) AS live WHERE w.key = $1"
);

/// Most records that one exchange reads: more than one node publishes at once.
const MOST_READ: i64 = 20_000;

/// How far back an exchange reads, in microseconds: what was published earlier counts for nothing any more. Bounds the
/// first one of a process, and the one after the database was away.
const COUNTS: i64 = 65_000_000;

/// Publishes records ($3 keys, $4 records) of node $1 in epoch $2, and returns those that others published after $5.
///
/// A row is written by its own node only, and the clean-up skips locked rows, so no two nodes wait for each other.
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

/// Ends the counts of all nodes, which learn of it by their next exchange.
const RESET: &str = "INSERT INTO rate_epoch AS r (id, epoch) VALUES (1, 2)
    ON CONFLICT (id) DO UPDATE SET epoch = r.epoch + 1 RETURNING epoch";

const RESET_WINDOWS: &str = "DELETE FROM rate_windows";

const FORGET_WINDOWS: &str = "DELETE FROM rate_windows WHERE idle_at < $1 OR idle_at > $2";

/// Most records that one statement removes.
const MOST_FORGOTTEN: i64 = 5_000;

/// Removes up to $2 records that were published more than $1 microseconds ago.
const FORGET_RECORDS: &str = "DELETE FROM rate_records AS r USING (
        SELECT key, node FROM rate_records
        WHERE published_at < (EXTRACT(EPOCH FROM statement_timestamp()) * 1000000)::BIGINT - $1
        ORDER BY published_at LIMIT $2 FOR UPDATE SKIP LOCKED
    ) AS old WHERE r.key = old.key AND r.node = old.node";

/// A row of [`EXCHANGE`]: the time, the epoch, and a record if there is one.
type Exchanged = (i64, i64, Option<Vec<u8>>, Option<i64>, Option<Vec<u8>>, Option<i64>);

/// The shared state on PostgreSQL.
pub(in crate::store) struct SharedState {
    /// For decisions.
    quick: Bounded,
    /// For what may take its time.
    slow: Bounded,
}

impl fmt::Debug for SharedState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedState").finish_non_exhaustive()
    }
}

/// A pool and how long a statement on it may take.
struct Bounded {
    pool: Pool,
    limit: Duration,
}

/// Runs one statement on a connection of a [`Bounded`].
macro_rules! ask {
    ($bounded:expr, |$connection:ident| $work:expr) => {{
        let Bounded { pool, limit } = &$bounded;
        let mut lease = pool.acquire(Kind::Write).await.map_err(failed)?;
        let epoch = lease.epoch();
        let $connection: &mut PgConnection = lease.connection().map_err(failed)?;
        let done = pool.losses().watch(epoch, *limit, $work).await;
        let answered = lease.ended(done).map_err(|ended| ended.cause());
        if let Err(Cause::Again { connection, .. }) = &answered {
            match connection {
                ConnectionHealth::Sound => {}
                ConnectionHealth::Lost => pool.losses().record(),
                // after a failover: the next statement goes to the new primary
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
    /// Opens no connection yet. `limit` is the deadline of what may take its time.
    pub(super) fn new(connector: &Connector, limit: Duration) -> Self {
        let bounded = |connector, size, limit| Bounded { pool: Pool::new(connector, size, WAIT), limit };
        Self {
            quick: bounded(connector.adapted(decision_options), CONNECTIONS.0, DECISION),
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
    ) -> Result<Counted, SharedFailure> {
        let count = sqlx::query_as(COUNT).bind(key.to_vec()).bind(now.0).bind(per).bind(skew);
        let count = count.bind(i64::from(limit));
        let counted: Option<(i64, Option<i64>)> = ask!(self.quick, |on| count.fetch_optional(on))?;
        match counted {
            Some((used, oldest)) => Ok(Counted { passes: true, used: as_count(used), oldest }),
            // between the two statements the window may have been reset; then the next request passes
            None => Ok(Counted { passes: false, ..self.standing_of(key, per, now, skew).await? }),
        }
    }

    async fn standing_of(
        &self,
        key: SharedKey,
        per: i64,
        now: Timestamp,
        skew: i64,
    ) -> Result<Counted, SharedFailure> {
        let standing = sqlx::query_as(STANDING).bind(key.to_vec()).bind(now.0).bind(per).bind(skew);
        let standing: Option<(i64, Option<i64>)> = ask!(self.quick, |on| standing.fetch_optional(on))?;
        let (used, oldest) = standing.unwrap_or_default();
        Ok(Counted { passes: true, used: as_count(used), oldest })
    }

    async fn exchanged(&self, batch: Batch) -> Result<Learned, SharedFailure> {
        let (keys, records): (Vec<Vec<u8>>, Vec<Vec<u8>>) =
            batch.rows.into_iter().map(|Published { key, record }| (key, record)).unzip();
        let exchange = sqlx::query_as(EXCHANGE)
            .bind(batch.node)
            .bind(batch.epoch)
            .bind(keys)
            .bind(records)
            .bind(batch.since)
            .bind(COUNTS)
            .bind(MOST_READ);
        // it may write thousands of rows, which the bounds of decisions would cut off
        let found: Vec<Exchanged> = ask!(self.slow, |on| exchange.fetch_all(on))?;
        let Some(&(now, epoch, ..)) = found.first() else {
            return Err(SharedFailure("an exchange returned no row".to_owned()));
        };
        let row = |(_, _, key, node, record, published_at): Exchanged| {
            let published = Published { key: key?, record: record? };
            Some(LearnedRow { node: node?, published, published_at: published_at? })
        };
        let rows: Vec<LearnedRow> = found.into_iter().filter_map(row).collect();
        let has_more = i64::try_from(rows.len()).is_ok_and(|read| read >= MOST_READ);
        Ok(Learned { now, epoch, rows, has_more })
    }

    async fn forgotten(&self, now: Timestamp) -> Result<(), SharedFailure> {
        let windows = sqlx::query(FORGET_WINDOWS).bind(now.0 - KEPT_IDLE).bind(now.0 + FAR_AHEAD);
        ask!(self.slow, |on| windows.execute(on))?;
        loop {
            let records = sqlx::query(FORGET_RECORDS).bind(KEPT_IDLE).bind(MOST_FORGOTTEN);
            let removed = ask!(self.slow, |on| records.execute(on))?.rows_affected();
            if i64::try_from(removed).is_ok_and(|removed| removed < MOST_FORGOTTEN) {
                return Ok(());
            }
        }
    }
}

impl SharedLimits for SharedState {
    fn count(&self, key: SharedKey, limit: u32, per: i64, now: Timestamp, skew: i64) -> Answer<'_, Counted> {
        Box::pin(self.counted(key, limit, per, now, skew))
    }

    fn standing(&self, key: SharedKey, per: i64, now: Timestamp, skew: i64) -> Answer<'_, Counted> {
        Box::pin(self.standing_of(key, per, now, skew))
    }

    fn exchange(&self, batch: Batch) -> Answer<'_, Learned> {
        Box::pin(self.exchanged(batch))
    }

    fn reset(&self) -> Answer<'_, i64> {
        Box::pin(async move {
            ask!(self.slow, |on| sqlx::query(RESET_WINDOWS).execute(on))?;
            ask!(self.slow, |on| sqlx::query_scalar(RESET).fetch_one(on))
        })
    }

    fn forget_idle(&self, now: Timestamp) -> Answer<'_, ()> {
        Box::pin(self.forgotten(now))
    }
}

fn decision_options(options: PgConnectOptions) -> PgConnectOptions {
    options.options([
        ("statement_timeout", STATEMENT_TIMEOUT),
        ("lock_timeout", STATEMENT_TIMEOUT),
        // the tables are unlogged: there is nothing to wait for
        ("synchronous_commit", "off"),
    ])
}

fn as_count(number: i64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn failed(cause: Cause) -> SharedFailure {
    SharedFailure(match cause {
        Cause::Again { why, .. } => why,
        Cause::Final(failure) => failure.to_string(),
    })
}
