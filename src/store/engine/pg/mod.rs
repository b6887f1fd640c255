//! The PostgreSQL engine. Operations use a connection pool. Each write is one transaction, and is retried if a retry is
//! safe.
//!
//! - `connector` opens sessions on one of several hosts. `pool` keeps sessions for reuse. `lease` is a session in use.
//!   `timeouts` has the timeouts.
//! - `operations` runs operations: their attempts, transactions and retries. `work` has the trait of operations that
//!   run on PostgreSQL. `connection` runs statements. `failure` classifies failures. `losses` tracks lost connections.
//!   `overdue` waits for the responses to COMMITs that timed out.
//! - `drain` waits for the holders of advisory locks. `write_queue` serializes the writes to a conversation before they
//!   take a connection.
//! - `long_session` is a session for migrations and transfers, whose statements have no timeout.
//! - `replica` runs reads on a standby that has replayed the log up to the position that the reads require. `watch`
//!   monitors the standby. `replica_shared` has what `replica` and `watch` both use. `replica_state` has the last known
//!   state of the standby.
//! - `node` reserves the node number. `fence` has the time until which the process may write.
//! - `limits` has the state of the rate limits that the nodes share. `exchange` sends signals to the other nodes and
//!   receives their signals.

mod connection;
mod connector;
mod drain;
mod exchange;
mod failure;
mod fence;
mod lease;
mod limits;
mod long_session;
mod losses;
mod node;
mod operations;
mod overdue;
mod pool;
mod replica;
mod replica_shared;
mod replica_state;
mod timeouts;
mod watch;
mod work;
mod write_queue;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use sqlx::{Column as _, Executor, SqlStr, Statement as _};

use self::connector::Connector;
use self::fence::Fence;
use self::lease::Lease;
use self::overdue::Overdue;
use self::pool::Pool;
use self::replica::Replica;
use self::timeouts::{PING, Timeouts, Workload};
use self::write_queue::WriteQueue;
use super::Availability;
use super::as_of;
use super::commit_notices::CommitNotices;
use super::error::{Error, Result, StoreError};
use super::stmt::Stmt;
use super::token_cache::TokenCache;
use super::url::PostgresUrl;

pub(in crate::store) use failure::{Cause, class_of};
pub use limits::LIMIT_STATEMENTS;
pub(in crate::store) use limits::SharedState;
pub(in crate::store) use long_session::LongSession;
pub use node::{Confirmed, NoNumber, NodeChoice, NodeNumber};
pub(in crate::store) use node::{LOCK_CLASS as NODE_LOCK_CLASS, VALIDITY as NODE_VALIDITY};
pub(in crate::store) use replica::ReplicaSettings;
pub(in crate::store) use timeouts::Route;
pub use watch::ReplicaReport;
pub(in crate::store) use watch::inspect as inspect_replica;
pub(in crate::store) use work::PostgresWork;

/// Timeout of a readiness check. Typical readiness probes have a similar timeout.
const CHECK: Duration = Duration::from_secs(3);

/// How long [`PgStore::close`] waits for running operations.
const CLOSE: Duration = Duration::from_secs(5);

/// Settings of this engine.
#[derive(Clone, Debug)]
pub(in crate::store) struct PgSettings {
    /// Servers, database, credentials.
    pub url: PostgresUrl,
    /// A URL that bypasses the pooler, if `url` leads through one.
    pub direct: Option<PostgresUrl>,
    /// Whether the pooler supports named prepared statements in transaction mode.
    pub pooler_prepares: bool,
    /// Maximum number of connections of the pool.
    pub connections: u32,
    /// How long an operation waits for a connection.
    pub wait: Duration,
    /// How long a statement waits for a lock.
    pub lock_timeout: Duration,
    /// How long a statement may run.
    pub statement_timeout: Duration,
    /// How long a statement of a slow read may run.
    pub scan_timeout: Duration,
    /// Standbys that may answer reads.
    pub replica: Option<ReplicaSettings>,
}

/// The open database. All clones use the same connections.
#[derive(Clone)]
pub(in crate::store) struct PgStore {
    pool: Pool,
    timeouts: Timeouts,
    overdue: Overdue,
    /// Opens sessions outside the pool, for features that do not work behind a pooler in transaction mode.
    direct: Connector,
    commit_notices: Arc<CommitNotices>,
    write_queue: Arc<WriteQueue>,
    /// How long a write waits in a queue of `write_queue`.
    wait: Duration,
    /// Whether the schema requires a newer version of Switchboard.
    outdated: Arc<AtomicBool>,
    fence: Arc<Fence>,
    replica: Option<Arc<Replica>>,
    owners: Arc<TokenCache>,
}

impl PgStore {
    /// Opens the database. Opens one connection at once, so that an unreachable server is reported by this call.
    pub(in crate::store) async fn open(
        settings: PgSettings,
        commit_notices: Arc<CommitNotices>,
    ) -> Result<Self> {
        let PgSettings { lock_timeout, statement_timeout, scan_timeout, .. } = settings;
        let route = match settings.direct {
            None => Route::Direct,
            Some(_) => Route::Pooler { prepared: settings.pooler_prepares },
        };
        let mut timeouts = Timeouts::new(lock_timeout, statement_timeout, scan_timeout, route);
        if settings.replica.is_some() {
            timeouts = timeouts.with_replica();
        }
        let connector = Connector::new(&settings.url, |host| timeouts.options(host));
        let direct = match &settings.direct {
            None => connector.clone(),
            Some(url) => {
                let direct = Timeouts::new(lock_timeout, statement_timeout, scan_timeout, Route::Direct);
                Connector::new(url, |host| direct.options(host))
            }
        };
        let pool = Pool::new(connector, settings.connections, settings.wait);
        drop(Lease::acquire(&pool, Workload::Read).await?);
        let bypass = (!timeouts.is_direct()).then_some(&direct);
        let overdue = Overdue::new(bypass, Arc::clone(&commit_notices));
        let wait = settings.wait;
        let replica = match settings.replica {
            Some(replica) => Some(Arc::new(Replica::open(replica, pool.clone(), timeouts.clone()).await?)),
            None => None,
        };
        let (write_queue, outdated, fence) = Default::default();
        let owners = Arc::new(TokenCache::new(as_of::LIFE));
        Ok(Self {
            pool,
            timeouts,
            overdue,
            direct,
            commit_notices,
            write_queue,
            wait,
            outdated,
            fence,
            replica,
            owners,
        })
    }

    /// Returns the token cache; `None` if replicas answer reads. With replicas, every look-up of a token queries the
    /// primary, because the query also returns the log position up to which a replica must have replayed the log.
    pub(in crate::store) fn owners(&self) -> Option<&TokenCache> {
        self.replica.is_none().then_some(&self.owners)
    }

    fn check_schema(&self) -> Result<()> {
        if self.outdated.load(Ordering::Relaxed) {
            let why = "the database schema requires a newer version of Switchboard";
            return Err(StoreError::unavailable(why).into());
        }
        Ok(())
    }

    /// Rejects every operation from now on if `outdated` is `true`. Accepts operations again if it is `false`.
    pub(in crate::store) fn set_outdated(&self, outdated: bool) {
        self.outdated.store(outdated, Ordering::Relaxed);
    }

    /// Allows writes until `end`. Rejects every write after `end`.
    pub(in crate::store) fn write_until(&self, end: Instant) {
        self.fence.allow_writes_until(end);
    }

    /// Closes the pool's idle connections and shortens the timeout of running statements. To be called after a
    /// connection outside the pool was lost without an error. Has no effect if the pool's connections lead through a
    /// pooler.
    pub(in crate::store) fn suspect_connections(&self) {
        // connections through a pooler take another route through the network, so they are not suspect
        if self.timeouts.is_direct() {
            tracing::warn!("connections to the database were lost silently; opening new ones");
            self.pool.renew();
        }
    }

    /// Makes new connections outside the pool first try the host on which this process has reserved its node number.
    pub(in crate::store) fn follow(&self, number: &NodeNumber) {
        self.direct.follow(number.connector());
    }

    /// Checks whether the server responds, and whether it accepts reads and writes. A demoted or read-only server
    /// accepts only reads. While the response to a COMMIT is overdue, the server counts as accepting only reads.
    pub(in crate::store) async fn ping(&self) -> Result<Availability> {
        let late = || StoreError::unavailable("the database did not respond in time");
        let asking = async {
            loop {
                let (only_reads, epoch) = self.only_reads().await?;
                // after a failover, the connection can lead to the former primary, which is now a standby; so a new
                // connection is tried
                if !only_reads || !self.pool.renew_read_only(epoch) {
                    return Ok::<_, Error>(only_reads);
                }
            }
        };
        let only_reads = tokio::time::timeout(CHECK, asking).await.map_err(|_| late())??;
        Ok(if only_reads || self.overdue.any() {
            Availability::ReadsOnly
        } else {
            Availability::ReadsAndWrites
        })
    }

    async fn only_reads(&self) -> Result<(bool, u64)> {
        let mut lease = Lease::acquire_within(&self.pool, Workload::Read, CHECK).await?;
        let epoch = lease.epoch();
        let asked = sqlx::raw_sql("SHOW transaction_read_only").fetch_one(lease.connection()?);
        let done = self.pool.losses().watch(epoch, 2 * PING, asked).await;
        let row = lease.ended(done).map_err(|ended| ended.cause())?;
        let only_reads: String = sqlx::Row::try_get(&row, 0).map_err(|error| class_of(&error))?;
        Ok((only_reads == "on", epoch))
    }

    /// Prepares a statement without running it. Returns the names of its columns.
    pub(in crate::store) async fn prepare(&self, stmt: &'static Stmt) -> Result<Vec<String>> {
        stmt.params()?;
        let mut lease = Lease::acquire(&self.pool, Workload::Read).await?;
        let prepared = lease.connection()?.prepare(SqlStr::from_static(stmt.postgres)).await;
        match lease.ended(Ok(prepared)) {
            Ok(statement) => Ok(statement.columns().iter().map(|column| column.name().to_owned()).collect()),
            Err(ended) => Err(StoreError::bug(format!("{}: {ended:?}", stmt.name)).into()),
        }
    }

    /// Returns the state of the rate limits that the nodes share. The state uses connections that bypass a pooler.
    /// `wait` is how long a caller waits for the database to count a request.
    pub(in crate::store) fn shared_state(&self, wait: Duration) -> SharedState {
        SharedState::new(&self.direct, wait, self.timeouts.statement(Workload::Write))
    }

    /// Waits up to [`CLOSE`] for running operations on the replica, and then up to [`CLOSE`] for those on the primary.
    /// Closes all connections that are not in use.
    ///
    /// # Errors
    /// Unavailable if an operation on the primary is still running.
    pub(in crate::store) async fn close(&self) -> Result<()> {
        if let Some(replica) = &self.replica {
            replica.close().await;
        }
        let is_unused = self.pool.close(CLOSE).await;
        self.overdue.close().await;
        match is_unused {
            true => Ok(()),
            false => Err(StoreError::unavailable("connections were still in use").into()),
        }
    }
}

impl From<Cause> for Error {
    fn from(cause: Cause) -> Self {
        match cause {
            Cause::Final(failure) => failure.into(),
            Cause::Retry { why, .. } => StoreError::unavailable(why).into(),
        }
    }
}
