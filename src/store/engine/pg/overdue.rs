//! Handles COMMITs that timed out. The HTTP request gets 503, and a background task waits for the database server's
//! response to the COMMIT. In this file, "the server" is the database server.
//!
//! If a synchronous standby is unreachable, a COMMIT waits for the standby indefinitely. The server process of the
//! connection continues to wait even if Switchboard disconnects. If this module closed such connections and opened new
//! ones, the server would run out of connections. So a connection keeps its slot in the pool as long as the server
//! works on the COMMIT. This limits the number of such connections. Reads continue on the slots that are reserved for
//! reads.
//!
//! The COMMIT is not cancelled. If it were cancelled, its transaction would become visible although the standby does
//! not have it. If an API client then repeated its send with the same idempotency key, the API client would get 201 for
//! a message that a failover can lose.
//!
//! A pooler in transaction mode does not show which server process runs a COMMIT. If Switchboard disconnects during a
//! COMMIT, the pooler closes its own connection to the server and opens another connection, but the server process
//! continues to wait. So a connection to a pooler keeps its slot as long as any server process of this database has
//! waited for the standby for more than 4 seconds. A session that bypasses the pooler queries whether there is such a
//! process.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use sqlx::postgres::PgArguments;
use sqlx::query::Query;
use sqlx::{Connection, Postgres, Row};

use super::connector::Connector;
use super::lease::Lease;
use super::pool::Pool;
use super::timeouts::{PING, Workload};
use crate::store::engine::commit_notices::CommitNotices;
use crate::store::engine::notices::Notices;

/// Interval between the checks whether the server still works on a COMMIT.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// After this number of consecutive checks with [`CommitState::Unknown`], the task stops waiting for the response.
const MAX_UNKNOWN: u32 = 5;

/// Queries whether the server process $1 is in COMMIT.
const IS_COMMITTING: &str = "SELECT EXISTS (SELECT 1 FROM pg_stat_activity
    WHERE pid = $1 AND state = 'active' AND upper(query) = 'COMMIT')";

/// Queries whether a transaction of this database has waited for a synchronous standby for more than 4 seconds. That
/// time is a little less than the timeout of a COMMIT (5 seconds). So every overdue COMMIT that waits for a standby has
/// waited for more than 4 seconds.
const WAITS_FOR_STANDBY: &str = "SELECT EXISTS (SELECT 1 FROM pg_stat_activity
    WHERE datname = current_database() AND state = 'active' AND wait_event = 'SyncRep'
        AND query_start < clock_timestamp() - INTERVAL '4 seconds')";

/// The size of the pool of sessions that bypass the pooler. A pool of two sessions reserves one of them for writes.
/// This pool runs only reads, so it uses only the other session.
const SESSIONS: u32 = 2;

/// The overdue COMMITs of one store. All clones have the same count.
#[derive(Clone)]
pub(super) struct Overdue {
    /// Number of overdue COMMITs.
    count: Arc<AtomicUsize>,
    /// Sessions that bypass the pooler; `None` if the store's connections do not lead through a pooler.
    direct: Option<Pool>,
    commit_notices: Arc<CommitNotices>,
}

/// What the server reports about a process that received a COMMIT.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum CommitState {
    /// The process is in COMMIT. Behind a pooler: some process of this database waits for a standby.
    Committing,
    /// The process is not in COMMIT. Never reported behind a pooler.
    NotCommitting,
    /// The query failed. Behind a pooler, also if no process of this database waits for a standby.
    Unknown,
}

impl Overdue {
    /// Creates the state of a store without overdue COMMITs. If the store's connections lead through a pooler, `direct`
    /// opens sessions that bypass the pooler. If an overdue COMMIT succeeds, the operation's notifications are
    /// published to `commit_notices`.
    pub(super) fn new(direct: Option<&Connector>, commit_notices: Arc<CommitNotices>) -> Self {
        let direct = direct.map(|connector| Pool::new(connector.clone(), SESSIONS, PING));
        Self { count: Arc::default(), direct, commit_notices }
    }

    /// Closes the sessions that bypass the pooler.
    pub(super) async fn close(&self) {
        if let Some(pool) = &self.direct {
            pool.close(PING).await;
        }
    }

    /// Returns whether any COMMIT is overdue.
    pub(super) fn any(&self) -> bool {
        self.count.load(Ordering::Relaxed) > 0
    }

    /// Starts a task that waits for the response to a COMMIT, as long as the server works on the COMMIT. If the COMMIT
    /// succeeds, the task publishes the operation's notifications. If it fails or its outcome remains unknown, the task
    /// calls [`Overdue::unconfirmed`].
    pub(super) fn wait_in_background(&self, lease: Lease, notices: Notices) {
        let overdue = self.clone();
        let before = self.count.fetch_add(1, Ordering::Relaxed);
        if before == 0 {
            tracing::error!("COMMIT timed out; a synchronous standby may be unreachable");
        }
        let counted = CountedCommit(Arc::clone(&self.count));
        tokio::spawn(async move {
            match overdue.wait(lease).await {
                true => overdue.commit_notices.add(&notices),
                false => overdue.unconfirmed(&notices),
            }
            drop(counted);
        });
    }

    /// Publishes only those notifications of an operation that let browser windows read their data again. They are
    /// harmless if nothing was written. To be called if the operation's COMMIT is not known to have succeeded.
    pub(super) fn unconfirmed(&self, notices: &Notices) {
        self.commit_notices.add_unconfirmed(notices);
    }

    /// Waits for the response to COMMIT, and returns whether the COMMIT is known to have succeeded. If so, the
    /// connection goes back to the pool. If not, the connection is closed.
    async fn wait(&self, mut lease: Lease) -> bool {
        let committed = self.answered(&mut lease).await;
        if committed {
            lease.set_in_transaction(false);
            // the response was read completely, so the connection can be reused
            let _ = lease.ended(Ok(Ok(())));
        } else {
            lease.discard();
        }
        committed
    }

    /// Waits for the response to COMMIT. Returns whether the COMMIT succeeded; also `false` if its outcome remains
    /// unknown.
    async fn answered(&self, lease: &mut Lease) -> bool {
        let (pool, epoch, process) = (lease.pool().clone(), lease.epoch(), lease.process());
        let Ok(connection) = lease.connection() else { return false };
        // the connection receives the response to this ping after the response to COMMIT
        let mut answer = std::pin::pin!(connection.ping());
        let mut unknown = 0;
        loop {
            let state = tokio::select! {
                answered = &mut answer => return answered.is_ok(),
                state = self.commit_state(&pool, process) => state,
            };
            match state {
                CommitState::Committing => unknown = 0,
                // the COMMIT has ended, but its response can still be on its way
                CommitState::NotCommitting => {
                    return matches!(tokio::time::timeout(PING, answer).await, Ok(Ok(())));
                }
                CommitState::Unknown => unknown += 1,
            }
            if unknown >= MAX_UNKNOWN || pool.losses().has_lost(epoch) {
                return false;
            }
        }
    }

    /// Waits for [`CHECK_INTERVAL`] and then queries the state of a server process.
    async fn commit_state(&self, pool: &Pool, process: i32) -> CommitState {
        tokio::time::sleep(CHECK_INTERVAL).await;
        match &self.direct {
            None => match answer_of(pool, sqlx::query(IS_COMMITTING).bind(process)).await {
                Some(true) => CommitState::Committing,
                Some(false) => CommitState::NotCommitting,
                None => CommitState::Unknown,
            },
            Some(direct) => match answer_of(direct, sqlx::query(WAITS_FOR_STANDBY)).await {
                Some(true) => CommitState::Committing,
                // the process possibly works on the COMMIT without waiting for a standby
                Some(false) | None => CommitState::Unknown,
            },
        }
    }
}

/// Runs a query that selects one boolean, and returns the boolean; `None` if the query failed.
async fn answer_of(pool: &Pool, query: Query<'_, Postgres, PgArguments>) -> Option<bool> {
    let mut lease = Lease::acquire_within(pool, Workload::Read, PING).await.ok()?;
    let epoch = lease.epoch();
    let asked = query.fetch_one(lease.connection().ok()?);
    let done = pool.losses().watch(epoch, PING, asked).await;
    lease.ended(done).ok()?.try_get(0).ok()
}

/// Counts one overdue COMMIT until this value is dropped.
struct CountedCommit(Arc<AtomicUsize>);

impl Drop for CountedCommit {
    fn drop(&mut self) {
        if self.0.fetch_sub(1, Ordering::Relaxed) == 1 {
            tracing::warn!("no COMMIT is overdue any more");
        }
    }
}
