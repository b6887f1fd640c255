//! The state of the rate limits that nodes share: two unlogged tables, one statement per decision.
//!
//! On a few connections of their own, without which a send, which holds a connection of the pool while it asks, could
//! wait for itself. Their statements are ended by the server soon after the node has stopped waiting for them.

use std::collections::BTreeMap;
use std::time::Duration;

use sqlx::PgPool;
use sqlx::postgres::PgPoolOptions;

use crate::domain::time::Timestamp;
use crate::platform::limits::{Answer, Counted, SharedFailure, SharedKey, SharedLimits, Take, TakenAll};

/// Most connections for asking.
const CONNECTIONS: u32 = 4;

/// When the server ends a statement that nobody waits for any more.
const STATEMENT_TIMEOUT: &str = "250";

/// How long a key that is whole again stays, so that a caller who comes back soon finds its row.
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

/// Takes from all buckets ($1 keys, $2 steps, $3 depths) at $4 or from none. The rows are locked first, in the order of
/// keys; without a row for every key nothing is taken and fewer rows come back.
const TAKE: &str = "WITH asked AS (
        SELECT * FROM unnest($1::BYTEA[], $2::BIGINT[], $3::BIGINT[]) AS a (key, step, depth)
    ), held AS MATERIALIZED (
        SELECT b.key, b.full_at, b.seen FROM rate_buckets b
        WHERE b.key = ANY ($1) ORDER BY b.key FOR UPDATE
    ), state AS MATERIALIZED (
        SELECT a.key, a.step, a.depth,
            CASE WHEN h.seen - $4 > $5 THEN $4 ELSE GREATEST(h.full_at, $4) END AS full_at
        FROM asked a JOIN held h ON h.key = a.key
    ), verdict AS MATERIALIZED (
        SELECT MAX(full_at + step - depth - $4) AS wait, COUNT(*) = cardinality($1) AS complete FROM state
    ), taken AS (
        UPDATE rate_buckets b SET full_at = s.full_at + s.step, seen = $4
        FROM state s, verdict v WHERE b.key = s.key AND v.complete AND v.wait <= 0
    )
    SELECT s.key, s.full_at, v.wait FROM state s, verdict v";

/// Rows for keys that have none; in their order, so that no two nodes wait for each other.
const BEGIN: &str = "INSERT INTO rate_buckets (key, full_at, seen)
    SELECT key, $2, $2 FROM unnest($1::BYTEA[]) AS a (key) ORDER BY key ON CONFLICT (key) DO NOTHING";

/// When the buckets of $1 that have a row are full again, at $2.
const FULL_ATS: &str = "SELECT key, CASE WHEN seen - $2 > $3 THEN $2 ELSE GREATEST(full_at, $2) END
    FROM rate_buckets WHERE key = ANY ($1)";

const GIVE_BACK: &str = "UPDATE rate_buckets SET full_at = full_at - $2 WHERE key = $1";

const RESET: [&str; 2] = ["DELETE FROM rate_windows", "DELETE FROM rate_buckets"];

const FORGET: [&str; 2] = [
    "DELETE FROM rate_windows WHERE idle_at < $1 OR idle_at > $2",
    "DELETE FROM rate_buckets WHERE GREATEST(full_at, seen) < $1 OR seen > $2",
];

/// The shared state on PostgreSQL.
#[derive(Debug)]
pub(in crate::store) struct SharedState {
    /// For asking.
    quick: PgPool,
    /// For what may take its time.
    pool: PgPool,
}

impl SharedState {
    /// Beside the store's own connections.
    pub(super) fn new(pool: PgPool) -> Self {
        let options = (*pool.connect_options()).clone().options([
            ("statement_timeout", STATEMENT_TIMEOUT),
            ("lock_timeout", STATEMENT_TIMEOUT),
            // the tables are unlogged: there is nothing to wait for
            ("synchronous_commit", "off"),
        ]);
        let quick = PgPoolOptions::new()
            .max_connections(CONNECTIONS)
            .acquire_timeout(Duration::from_secs(5))
            .test_before_acquire(false)
            .connect_lazy_with(options);
        Self { quick, pool }
    }

    async fn counted(
        &self,
        key: SharedKey,
        limit: u32,
        per: i64,
        now: Timestamp,
        skew: i64,
    ) -> Result<Counted, sqlx::Error> {
        let counted: Option<(i64, Option<i64>)> = sqlx::query_as(COUNT)
            .bind(key.to_vec())
            .bind(now.0)
            .bind(per)
            .bind(skew)
            .bind(i64::from(limit))
            .fetch_optional(&self.quick)
            .await?;
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
    ) -> Result<Counted, sqlx::Error> {
        let standing: Option<(i64, Option<i64>)> = sqlx::query_as(STANDING)
            .bind(key.to_vec())
            .bind(now.0)
            .bind(per)
            .bind(skew)
            .fetch_optional(&self.quick)
            .await?;
        let (used, oldest) = standing.unwrap_or_default();
        Ok(Counted { passes: true, used: as_count(used), oldest })
    }

    async fn full_again(
        &self,
        keys: Vec<SharedKey>,
        now: Timestamp,
        skew: i64,
    ) -> Result<Vec<i64>, sqlx::Error> {
        let keys: Vec<Vec<u8>> = keys.iter().map(|key| key.to_vec()).collect();
        let found: Vec<(Vec<u8>, i64)> =
            sqlx::query_as(FULL_ATS).bind(&keys).bind(now.0).bind(skew).fetch_all(&self.quick).await?;
        let found: BTreeMap<Vec<u8>, i64> = found.into_iter().collect();
        // one without a row was not used
        Ok(keys.iter().map(|key| found.get(key).copied().unwrap_or(now.0)).collect())
    }

    async fn taken(&self, takes: Vec<Take>, now: Timestamp, skew: i64) -> Result<TakenAll, sqlx::Error> {
        let keys: Vec<Vec<u8>> = takes.iter().map(|take| take.key.to_vec()).collect();
        let steps: Vec<i64> = takes.iter().map(|take| take.step).collect();
        let depths: Vec<i64> = takes.iter().map(|take| take.depth).collect();
        loop {
            let found: Vec<(Vec<u8>, i64, i64)> = sqlx::query_as(TAKE)
                .bind(&keys)
                .bind(&steps)
                .bind(&depths)
                .bind(now.0)
                .bind(skew)
                .fetch_all(&self.quick)
                .await?;
            let wait = found.first().map_or(0, |(_, _, wait)| *wait);
            let full_ats: BTreeMap<Vec<u8>, i64> =
                found.into_iter().map(|(key, full_at, _)| (key, full_at)).collect();
            let in_order: Option<Vec<i64>> = keys.iter().map(|key| full_ats.get(key).copied()).collect();
            if let Some(full_ats) = in_order {
                return Ok(TakenAll { wait, full_ats });
            }
            sqlx::query(BEGIN).bind(&keys).bind(now.0).execute(&self.quick).await?;
        }
    }

    /// One bucket after the other: a statement over several could meet another's in the other order.
    async fn given_back(&self, takes: Vec<Take>) -> Result<(), sqlx::Error> {
        for take in takes {
            sqlx::query(GIVE_BACK).bind(take.key.to_vec()).bind(take.step).execute(&self.quick).await?;
        }
        Ok(())
    }
}

impl SharedLimits for SharedState {
    fn count(&self, key: SharedKey, limit: u32, per: i64, now: Timestamp, skew: i64) -> Answer<'_, Counted> {
        Box::pin(async move { self.counted(key, limit, per, now, skew).await.map_err(failed) })
    }

    fn standing(&self, key: SharedKey, per: i64, now: Timestamp, skew: i64) -> Answer<'_, Counted> {
        Box::pin(async move { self.standing_of(key, per, now, skew).await.map_err(failed) })
    }

    fn full_ats(&self, keys: Vec<SharedKey>, now: Timestamp, skew: i64) -> Answer<'_, Vec<i64>> {
        Box::pin(async move { self.full_again(keys, now, skew).await.map_err(failed) })
    }

    fn take(&self, takes: Vec<Take>, now: Timestamp, skew: i64) -> Answer<'_, TakenAll> {
        Box::pin(async move { self.taken(takes, now, skew).await.map_err(failed) })
    }

    fn give_back(&self, takes: Vec<Take>) -> Answer<'_, ()> {
        Box::pin(async move { self.given_back(takes).await.map_err(failed) })
    }

    fn reset(&self) -> Answer<'_, ()> {
        Box::pin(async move {
            for statement in RESET {
                sqlx::query(statement).execute(&self.pool).await.map_err(failed)?;
            }
            Ok(())
        })
    }

    fn forget_idle(&self, now: Timestamp) -> Answer<'_, ()> {
        Box::pin(async move {
            for statement in FORGET {
                let forget = sqlx::query(statement).bind(now.0 - KEPT_IDLE).bind(now.0 + FAR_AHEAD);
                forget.execute(&self.pool).await.map_err(failed)?;
            }
            Ok(())
        })
    }
}

fn as_count(number: i64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn failed(error: sqlx::Error) -> SharedFailure {
    SharedFailure(error.to_string())
}
