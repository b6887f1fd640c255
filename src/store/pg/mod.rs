//! The PostgreSQL engine: a pool, a transaction per write, and another try where that is safe.

mod connection;
mod drain;
mod failure;
mod limits;
mod node;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use parking_lot::Mutex;
use sqlx::pool::PoolConnectionMetadata;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, Executor, PgConnection, PgPool, SqlSafeStr, SqlStr};

use super::Takes;
use super::error::{Error, Result, StoreError};
use super::meters;
use super::op::Op;
use super::stmt::Stmt;
use super::woken::Woken;
use connection::Pg;

pub(super) use failure::{Cause, class_of};
pub(super) use limits::SharedState;
pub(super) use node::LOCK_CLASS as NODE_LOCK_CLASS;
pub use node::{NoNumber, NodeNumber, Wanted};

/// Tries of one operation, the first included.
const TRIES: u32 = 6;

/// A connection idle for longer is pinged before use: firewalls drop quiet connections without a word.
const IDLE_BEFORE_PING: Duration = Duration::from_secs(30);

/// How this engine is set up.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    /// Server, database, credentials.
    pub connect: PgConnectOptions,
    /// Most connections of this process.
    pub connections: u32,
    /// How long to wait for a connection.
    pub wait: Duration,
    /// How long a statement waits for a lock.
    pub lock_timeout: Duration,
    /// How long a statement may take.
    pub statement_timeout: Duration,
}

/// How long a transaction may stand open without a statement. Ours never do: whoever meets it has lost the process or
/// the way to it, and its locks must not outlive that for long.
const IDLE_IN_TRANSACTION: Duration = Duration::from_secs(30);

/// The open database. Cloning shares it.
#[derive(Clone)]
pub(super) struct Store {
    pool: PgPool,
    last_loss: LastLoss,
    woken: Arc<Woken>,
}

/// When a connection was last found broken. Its siblings are likely broken too, so each is pinged before its next use.
#[derive(Clone, Default)]
struct LastLoss(Arc<Mutex<Option<Instant>>>);

impl LastLoss {
    fn record(&self) {
        *self.0.lock() = Some(Instant::now());
    }

    fn needs_ping(&self, connection: &PoolConnectionMetadata) -> bool {
        let unused_since_loss = || self.0.lock().is_some_and(|lost| connection.idle_for >= lost.elapsed());
        connection.idle_for > IDLE_BEFORE_PING || unused_since_loss()
    }
}

impl Store {
    /// Connects, to learn at once whether it can.
    pub(super) async fn open(settings: Settings, woken: Arc<Woken>) -> Result<Self> {
        let last_loss = LastLoss::default();
        let losses = last_loss.clone();
        let pool = PgPoolOptions::new()
            .max_connections(settings.connections.max(2))
            .acquire_timeout(settings.wait)
            .test_before_acquire(false)
            .before_acquire(move |connection, about| {
                let ping = losses.needs_ping(&about);
                Box::pin(async move {
                    if ping {
                        connection.ping().await?;
                    }
                    Ok(true)
                })
            })
            .connect_with(bounded(tuned(settings.connect), settings.lock_timeout, settings.statement_timeout))
            .await
            .map_err(|error| class_of(&error))?;
        Ok(Self { pool, last_loss, woken })
    }

    /// Runs the operation in a transaction and commits it.
    pub(super) async fn write<O: Op>(&self, op: O) -> Result<O::Out> {
        // In a task of its own: a caller that goes away neither cuts a commit in two nor leaves a connection half-read.
        let store = self.clone();
        let done = tokio::spawn(async move { store.tries(O::NAME, || store.try_write(&op)).await });
        done.await.unwrap_or_else(|_| Err(StoreError::unavailable("the runtime is shutting down").into()))
    }

    /// Runs the operation on one connection.
    pub(super) async fn read<O: Op>(&self, op: &O) -> Result<O::Out> {
        self.tries(O::NAME, || self.try_read(op)).await
    }

    async fn try_write<O: Op>(&self, op: &O) -> std::result::Result<Result<O::Out>, Cause> {
        let begin = begin(O::SNAPSHOT, op.locks().statement());
        let transaction = self.pool.begin_with(begin).await.map_err(|error| Cause::of(&error))?;
        let mut connection = Pg::writing(transaction);
        let result = run(op, &mut connection).await?;
        if result.is_ok() {
            let news = connection.take_news();
            connection.commit().await?;
            self.woken.add(&news);
            if let Err(failure) = drain::drain(&self.pool, &news.drained).await {
                return Ok(Err(failure.into()));
            }
        } else {
            connection.end().await;
        }
        Ok(result)
    }

    async fn try_read<O: Op>(&self, op: &O) -> std::result::Result<Result<O::Out>, Cause> {
        let mut connection = if O::SNAPSHOT {
            let begin = "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY";
            Pg::snapshot(self.pool.begin_with(begin).await.map_err(|error| Cause::of(&error))?)
        } else {
            Pg::reading(self.pool.acquire().await.map_err(|error| Cause::of(&error))?)
        };
        let result = run(op, &mut connection).await?;
        connection.end().await;
        Ok(result)
    }

    /// Tries again after failures that left nothing behind and may pass.
    async fn tries<T, F>(&self, op: &'static str, mut attempt: impl FnMut() -> F + Send) -> Result<T>
    where
        F: Future<Output = std::result::Result<Result<T>, Cause>> + Send,
    {
        let mut tried = 1;
        loop {
            match attempt().await {
                Ok(result) => return result,
                Err(Cause::Final(failure)) => return Err(failure.into()),
                Err(Cause::Again { lost_connection, why }) => {
                    if lost_connection {
                        self.last_loss.record();
                    }
                    if tried == TRIES {
                        return Err(
                            StoreError::unavailable(format!("given up after {TRIES} tries: {why}")).into()
                        );
                    }
                    meters::again(op);
                    tracing::debug!(op, why, tried, "trying a store operation again");
                    tokio::time::sleep(pause(tried)).await;
                    tried += 1;
                }
            }
        }
    }

    /// Whether the server answers, and what it takes: one that was made a standby, or set to only read, says so.
    pub(super) async fn ping(&self) -> Result<Takes> {
        let mut connection = self.pool.acquire().await.map_err(|error| class_of(&error))?;
        let asked = sqlx::query_as("SHOW transaction_read_only").fetch_one(&mut *connection).await;
        let (only_reads,): (String,) = asked.map_err(|error| class_of(&error))?;
        Ok(if only_reads == "on" { Takes::ReadsOnly } else { Takes::ReadsAndWrites })
    }

    /// Prepares a statement without running it.
    pub(super) async fn prepare(&self, stmt: &'static Stmt) -> Result<()> {
        stmt.params()?;
        let mut connection = self.pool.acquire().await.map_err(|error| class_of(&error))?;
        match (&mut *connection).prepare(SqlStr::from_static(stmt.postgres)).await {
            Ok(_) => Ok(()),
            Err(error) => Err(StoreError::bug(format!("{}: {error}", stmt.name)).into()),
        }
    }

    /// The rate limits' shared state, on connections of its own: a send holds one of the pool's when it asks.
    pub(super) fn shared_state(&self) -> SharedState {
        SharedState::new(self.pool.clone())
    }

    /// Waits for running operations and closes. Later operations fail as unavailable.
    pub(super) async fn close(&self) {
        self.pool.close().await;
    }
}

/// What begins a write: with its locks in the same round trip, when it takes any.
fn begin(is_snapshot: bool, locks: Option<String>) -> SqlStr {
    match (is_snapshot, locks) {
        (true, _) => SqlStr::from_static("BEGIN ISOLATION LEVEL SERIALIZABLE"),
        (false, None) => SqlStr::from_static("BEGIN"),
        // numbers only
        (false, Some(locks)) => AssertSqlSafe(format!("BEGIN; {locks}")).into_sql_str(),
    }
}

/// Runs the operation once on a connection; `Err` if another try may help.
async fn run<O: Op>(op: &O, connection: &mut Pg) -> std::result::Result<Result<O::Out>, Cause> {
    let result = std::panic::AssertUnwindSafe(op.run(connection)).catch_unwind().await;
    // Whatever the operation made of a failed statement: if the cause may pass, it gets another try.
    match (connection.take_failure().await, result) {
        (Some(again @ Cause::Again { .. }), _) => Err(again),
        (_, Err(_)) => Ok(Err(StoreError::bug(format!("{} panicked", O::NAME)).into())),
        (Some(Cause::Final(_)), Ok(Ok(_))) => {
            Ok(Err(StoreError::bug(format!("{} went on after a failed statement", O::NAME)).into()))
        }
        (_, Ok(result)) => Ok(result),
    }
}

/// The pause after the `tried`th try: 2 to 4, 4 to 8, 8 to 16, … milliseconds, no two alike, so that operations that
/// collided do not collide again.
fn pause(tried: u32) -> Duration {
    static TURN: AtomicU64 = AtomicU64::new(0);
    // Multiples of the golden ratio spread evenly over the range.
    let spread = TURN.fetch_add(1, Ordering::Relaxed).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
    let half = 1_000_000u64 << tried.min(10);
    Duration::from_nanos(half + ((half * spread) >> 32))
}

fn tuned(connect: PgConnectOptions) -> PgConnectOptions {
    connect.application_name("switchboard").statement_cache_capacity(512).disable_statement_logging()
}

/// With what bounds a statement: the server ends it, so that no lock or connection is held for ever.
fn bounded(connect: PgConnectOptions, lock: Duration, statement: Duration) -> PgConnectOptions {
    connect.options([
        ("lock_timeout", lock.as_millis().to_string()),
        ("statement_timeout", statement.as_millis().to_string()),
        ("idle_in_transaction_session_timeout", IDLE_IN_TRANSACTION.as_millis().to_string()),
        // a search that is thought dear would be compiled for 30 to 200 milliseconds, and then run in 20
        ("jit", "off".to_owned()),
    ])
}

/// A single connection outside of any pool, without bounds: migrations may take long.
pub(super) async fn connect(options: &PgConnectOptions) -> std::result::Result<PgConnection, sqlx::Error> {
    tuned(options.clone()).connect().await
}

impl From<Cause> for Error {
    fn from(cause: Cause) -> Self {
        match cause {
            Cause::Final(failure) => failure.into(),
            Cause::Again { why, .. } => StoreError::unavailable(why).into(),
        }
    }
}
