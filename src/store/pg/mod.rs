//! The PostgreSQL engine: a pool, a transaction per write, and another try where that is safe.
//!
//! - `connector` opens sessions on one of several hosts, `pool` shares them out as leases, `bounds` has how long things may
//!   take.
//! - `connection` runs statements; `failure` and `losses` tell what a failure means for the operation and for the other
//!   connections; `overdue` waits for COMMITs that are not answered.
//! - `drain` waits for the holders of advisory locks, `turns` has writes wait for each other before they take a connection.
//! - `replica` answers reads on a standby that has replayed what they must see; `standing` has what is known of it, `watch`
//!   looks after it.
//! - `node` holds the node's number, `limits` the state of the rate limits that nodes share.

mod bounds;
mod connection;
mod connector;
mod drain;
mod failure;
mod lease;
mod limits;
mod losses;
mod node;
mod overdue;
mod pool;
mod replica;
mod standing;
mod turns;
mod watch;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use sqlx::{Executor, PgConnection, SqlStr};

use self::bounds::{Bounds, Kind, PING, tuned};
use self::connection::Pg;
use self::connector::Connector;
use self::failure::ConnectionHealth;
use self::overdue::Overdue;
use self::pool::Pool;
use self::replica::Replica;
use self::turns::Turns;
use super::Takes;
use super::error::{Error, Result, StoreError};
use super::locks::{LockKey, Locks};
use super::meters;
use super::op::Op;
use super::stmt::Stmt;
use super::url::PostgresUrl;
use super::woken::Woken;

pub(super) use bounds::Route;
pub(super) use failure::{Cause, class_of};
pub(super) use limits::SharedState;
pub use node::{Confirmed, NoNumber, NodeNumber, Wanted};
pub(super) use node::{LOCK_CLASS as NODE_LOCK_CLASS, VALIDITY as NODE_VALIDITY};
pub(super) use replica::ReplicaSettings;
pub use watch::ReplicaReport;
pub(super) use watch::inspect as inspect_replica;

/// Tries of one operation, the first included.
const TRIES: u32 = 6;

/// How long a readiness check may take: whoever asks gives up soon.
const CHECK: Duration = Duration::from_secs(3);

/// How long closing waits for operations that have begun.
const CLOSE: Duration = Duration::from_secs(5);

/// How this engine is set up.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    /// Servers, database, credentials.
    pub url: PostgresUrl,
    /// Past the pooler, where `url` leads through one.
    pub direct: Option<PostgresUrl>,
    /// Whether that pooler keeps named prepared statements apart.
    pub pooler_prepares: bool,
    /// Most connections of this process.
    pub connections: u32,
    /// How long to wait for a connection.
    pub wait: Duration,
    /// How long a statement waits for a lock.
    pub lock_timeout: Duration,
    /// How long a statement may take.
    pub statement_timeout: Duration,
    /// How long a statement of a long read may take.
    pub scan_timeout: Duration,
    /// Standbys that may answer reads.
    pub replica: Option<ReplicaSettings>,
}

/// The open database. Cloning shares it.
#[derive(Clone)]
pub(super) struct Store {
    pool: Pool,
    bounds: Bounds,
    overdue: Overdue,
    /// Sessions outside of the pool, for what a pooler in transaction mode breaks.
    direct: Connector,
    woken: Arc<Woken>,
    turns: Arc<Turns>,
    /// How long a write waits for its turn.
    wait: Duration,
    /// Whether the schema has moved past what this program works on.
    outdated: Arc<AtomicBool>,
    replica: Option<Arc<Replica>>,
}

impl Store {
    /// Connects, to learn at once whether it can.
    pub(super) async fn open(settings: Settings, woken: Arc<Woken>) -> Result<Self> {
        let Settings { lock_timeout, statement_timeout, scan_timeout, .. } = settings;
        let way = match settings.direct {
            None => Route::Direct,
            Some(_) => Route::Pooler { prepared: settings.pooler_prepares },
        };
        let mut bounds = Bounds::new(lock_timeout, statement_timeout, scan_timeout, way);
        if settings.replica.is_some() {
            bounds = bounds.with_replica();
        }
        let connector = Connector::new(&settings.url, |host| bounds.options(host));
        let direct = match &settings.direct {
            None => connector.clone(),
            Some(url) => {
                let direct = Bounds::new(lock_timeout, statement_timeout, scan_timeout, Route::Direct);
                Connector::new(url, |host| direct.options(host))
            }
        };
        let pool = Pool::new(connector, settings.connections, settings.wait);
        drop(pool.acquire(Kind::Read).await?);
        let overdue = Overdue::new(bounds.is_direct(), Arc::clone(&woken));
        let wait = settings.wait;
        let replica = match settings.replica {
            Some(replica) => Some(Arc::new(Replica::open(replica, pool.clone(), bounds.clone()).await?)),
            None => None,
        };
        let (turns, outdated) = Default::default();
        Ok(Self { pool, bounds, overdue, direct, woken, turns, wait, outdated, replica })
    }

    /// Runs the operation in a transaction and commits it.
    pub(super) async fn write<O: Op>(&self, op: O) -> Result<O::Out> {
        // In a task of its own: a caller that goes away neither cuts a commit in two nor leaves a connection half-read.
        let store = self.clone();
        let done = tokio::spawn(async move {
            let turn = store.turns.wait(&op.locks(), store.wait).await?;
            let (out, drained) = store.tries(O::NAME, || store.try_write(&op)).await?;
            drop(turn);
            store.drain(&drained).await?;
            Ok(out)
        });
        done.await.unwrap_or_else(|_| Err(StoreError::unavailable("the runtime is shutting down").into()))
    }

    /// Runs the operation on one connection to the primary: what tokens stand for is never asked of a replica.
    pub(super) async fn look_up<O: Op>(&self, op: &O) -> Result<O::Out> {
        self.tries(O::NAME, || self.try_read(op, Kind::Read)).await
    }

    /// Runs the operation on one connection.
    pub(super) async fn read<O: Op>(&self, op: &O) -> Result<O::Out> {
        self.read_as(op, Kind::Read).await
    }

    /// Runs an operation that may take long on one of the connections that long reads may have.
    pub(super) async fn scan<O: Op>(&self, op: &O) -> Result<O::Out> {
        self.read_as(op, Kind::Scan).await
    }

    async fn read_as<O: Op>(&self, op: &O, kind: Kind) -> Result<O::Out> {
        if O::REPLICA
            && let Some(replica) = &self.replica
            && let Some(answered) = replica.read(self, op, kind).await
        {
            return answered;
        }
        self.tries(O::NAME, || self.try_read(op, kind)).await
    }

    /// One try of a write; its result, and the locks to be drained before it is answered.
    async fn try_write<O: Op>(&self, op: &O) -> std::result::Result<Result<(O::Out, Vec<LockKey>)>, Cause> {
        let lease = self.pool.acquire(Kind::Write).await?;
        let mut connection = Pg::begin(lease, &self.bounds, Kind::Write, O::SNAPSHOT, &op.locks()).await?;
        match self.run(op, &mut connection).await? {
            Ok(out) => {
                let news = connection.commit(&self.overdue).await?;
                self.woken.add(&news);
                Ok(Ok((out, news.drained)))
            }
            Err(error) => {
                connection.end().await;
                Ok(Err(error))
            }
        }
    }

    async fn try_read<O: Op>(&self, op: &O, kind: Kind) -> std::result::Result<Result<O::Out>, Cause> {
        let lease = self.pool.acquire(kind).await?;
        let mut connection = Pg::begin(lease, &self.bounds, kind, O::SNAPSHOT, &Locks::default()).await?;
        let result = self.run(op, &mut connection).await?;
        connection.end().await;
        Ok(result)
    }

    /// One try: the operation's result, or why nothing of it is stored.
    async fn run<O: Op>(&self, op: &O, connection: &mut Pg) -> std::result::Result<Result<O::Out>, Cause> {
        let result = std::panic::AssertUnwindSafe(op.run(connection)).catch_unwind().await;
        // Whatever the operation made of a failed statement: if the cause may pass, it gets another try.
        match (connection.take_failure().await, result) {
            (Some(Cause::Again { connection: ConnectionHealth::ReadOnly, why }), _) => {
                if self.pool.renew_read_only(connection.epoch()) {
                    connection.discard();
                    return Err(Cause::Again { connection: ConnectionHealth::ReadOnly, why });
                }
                // a new connection would lead to the same server: this one is as good for reads
                Err(Cause::Final(StoreError::unavailable(why)))
            }
            (Some(again @ Cause::Again { .. }), _) => Err(again),
            (_, Err(_)) => Ok(Err(StoreError::bug(format!("{} panicked", O::NAME)).into())),
            (Some(Cause::Final(failure @ StoreError::Unavailable(_))), _) => Err(Cause::Final(failure)),
            (Some(Cause::Final(_)), Ok(Ok(_))) => {
                Ok(Err(StoreError::bug(format!("{} went on after a failed statement", O::NAME)).into()))
            }
            (_, Ok(result)) => Ok(result),
        }
    }

    /// Tries again after failures that left nothing behind and may pass. No try begins after the time in which one
    /// statement must have been answered.
    async fn tries<T, F>(&self, op: &'static str, mut attempt: impl FnMut() -> F + Send) -> Result<T>
    where
        F: Future<Output = std::result::Result<Result<T>, Cause>> + Send,
    {
        if self.outdated.load(Ordering::Relaxed) {
            let why = "the schema of the database needs a newer version of the server";
            return Err(StoreError::unavailable(why).into());
        }
        let end = Instant::now() + self.bounds.statement(Kind::Write);
        let mut tried = 1;
        loop {
            match attempt().await {
                Ok(result) => return result,
                Err(Cause::Final(failure)) => return Err(failure.into()),
                Err(Cause::Again { connection, why }) => {
                    if connection == ConnectionHealth::Lost {
                        self.pool.losses().record();
                    }
                    if tried == TRIES || Instant::now() >= end {
                        return Err(
                            StoreError::unavailable(format!("given up after {tried} tries: {why}")).into()
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

    /// Refuses every operation from now on, or none any more.
    pub(super) fn set_outdated(&self, outdated: bool) {
        self.outdated.store(outdated, Ordering::Relaxed);
    }

    /// Connections died without a word, as another that led the same way did. Drops those that are idle.
    pub(super) fn suspect_connections(&self) {
        // behind a pooler the others lead another way
        if self.bounds.is_direct() {
            tracing::warn!("connections to the database were lost without a word; opening new ones");
            self.pool.renew();
        }
    }

    /// Sessions outside of the pool lead to the host that the number's connection found.
    pub(super) fn follow(&self, number: &NodeNumber) {
        self.direct.follow(number.connector());
    }

    /// Whether the server answers, and what it takes: one that was made a standby, or set to only read, says so, and so
    /// does one whose COMMITs are not answered.
    pub(super) async fn ping(&self) -> Result<Takes> {
        let late = || StoreError::unavailable("the database did not answer in time");
        let asking = async {
            loop {
                let (only_reads, epoch) = self.only_reads().await?;
                // after a failover the connection may lead to the standby that was the primary
                if !only_reads || !self.pool.renew_read_only(epoch) {
                    return Ok::<_, Error>(only_reads);
                }
            }
        };
        let only_reads = tokio::time::timeout(CHECK, asking).await.map_err(|_| late())??;
        Ok(if only_reads || self.overdue.any() { Takes::ReadsOnly } else { Takes::ReadsAndWrites })
    }

    async fn only_reads(&self) -> Result<(bool, u64)> {
        let mut lease = self.pool.acquire_within(Kind::Read, CHECK).await?;
        let epoch = lease.epoch();
        let asked = sqlx::raw_sql("SHOW transaction_read_only").fetch_one(lease.connection()?);
        let done = self.pool.losses().watch(epoch, 2 * PING, asked).await;
        let row = lease.ended(done).map_err(|ended| ended.cause())?;
        let only_reads: String = sqlx::Row::try_get(&row, 0).map_err(|error| class_of(&error))?;
        Ok((only_reads == "on", epoch))
    }

    /// Prepares a statement without running it.
    pub(super) async fn prepare(&self, stmt: &'static Stmt) -> Result<()> {
        stmt.params()?;
        let mut lease = self.pool.acquire(Kind::Read).await?;
        let prepared = lease.connection()?.prepare(SqlStr::from_static(stmt.postgres)).await;
        match lease.ended(Ok(prepared)) {
            Ok(_) => Ok(()),
            Err(ended) => Err(StoreError::bug(format!("{}: {ended:?}", stmt.name)).into()),
        }
    }

    /// What the nodes share of the rate limits, on connections past a pooler.
    pub(super) fn shared_state(&self) -> SharedState {
        SharedState::new(&self.direct, self.bounds.statement(Kind::Write))
    }

    /// Waits a while for operations that have begun, and closes all connections.
    pub(super) async fn close(&self) {
        if let Some(replica) = &self.replica {
            replica.close().await;
        }
        self.pool.close(CLOSE).await;
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

/// A single connection outside of any pool, without bounds: migrations may take long.
///
/// # Errors
/// Unavailable when no host of the URL answers in time, or none is of the wanted kind.
pub(super) async fn connect(url: &PostgresUrl) -> std::result::Result<PgConnection, StoreError> {
    let hosts = u32::try_from(url.hosts().len()).unwrap_or(u32::MAX);
    let within = url.connect_timeout().saturating_mul(hosts);
    let session = Connector::new(url, tuned).connect(within).await.map_err(|none| none.failure)?;
    Ok(session.connection)
}

impl From<Cause> for Error {
    fn from(cause: Cause) -> Self {
        match cause {
            Cause::Final(failure) => failure.into(),
            Cause::Again { why, .. } => StoreError::unavailable(why).into(),
        }
    }
}
