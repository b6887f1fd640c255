//! COMMITs that timed out. The HTTP request gets 503. The server's response to the COMMIT is awaited in the background.
//!
//! While a synchronous standby is unreachable, a COMMIT waits for it indefinitely. The server process keeps waiting
//! even if the client disconnects. So closing such connections and opening new ones would exhaust the server's
//! connections. Therefore a connection in COMMIT keeps its slot in the pool while the server works on the COMMIT. This
//! limits the number of such connections, and reads continue on the slots reserved for them.
//!
//! The COMMIT is not cancelled, because cancelling it would make the transaction visible without the standby. Then a
//! send that is repeated with the same idempotency key would get 201 for a message that a failover loses.
//!
//! A pooler in transaction mode does not reveal which server process runs a COMMIT. When a client
//! disconnects during its COMMIT, the pooler closes its connection to the server and opens another one,
//! and the server process keeps waiting. So a connection to a pooler keeps its slot while any server process of this
//! database has waited for the standby for more than 4 seconds. A session that bypasses the pooler queries this.

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

/// Interval between checks whether the server is still committing.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// Number of consecutive checks with [`CommitState::Unknown`] after which the response is no longer awaited.
const MAX_UNKNOWN: u32 = 5;

/// Queries whether the server process $1 is in COMMIT.
const IS_COMMITTING: &str = "SELECT EXISTS (SELECT 1 FROM pg_stat_activity
    WHERE pid = $1 AND state = 'active' AND upper(query) = 'COMMIT')";

/// Queries whether a transaction of this database waits for a synchronous standby, and has waited for almost as long as
/// a COMMIT may take.
const WAITS_FOR_STANDBY: &str = "SELECT EXISTS (SELECT 1 FROM pg_stat_activity
    WHERE datname = current_database() AND state = 'active' AND wait_event = 'SyncRep'
        AND query_start < clock_timestamp() - INTERVAL '4 seconds')";

/// The size of the pool of sessions that bypass the pooler. One of them is reserved for writes, but this pool runs no
/// writes.
const SESSIONS: u32 = 2;

/// The overdue COMMITs of one store. Clones share the count.
#[derive(Clone)]
pub(super) struct Overdue {
    number: Arc<AtomicUsize>,
    /// Sessions that bypass the pooler, if the store's connections lead through one.
    direct: Option<Pool>,
    commit_notices: Arc<CommitNotices>,
}

/// What the server reports about a process that received a COMMIT. `Unknown` if the query failed. Behind a pooler also
/// `Unknown` if no process waits for a standby.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum CommitState {
    Committing,
    NotCommitting,
    Unknown,
}

impl Overdue {
    /// Creates the state without overdue COMMITs. `direct` opens sessions that bypass the pooler, if the store's
    /// connections lead through one. If the COMMIT of an operation succeeds late, its notifications are published to
    /// `commit_notices`.
    pub(super) fn new(direct: Option<&Connector>, commit_notices: Arc<CommitNotices>) -> Self {
        let direct = direct.map(|connector| Pool::new(connector.clone(), SESSIONS, PING));
        Self { number: Arc::default(), direct, commit_notices }
    }

    /// Closes the sessions that bypass the pooler.
    pub(super) async fn close(&self) {
        if let Some(pool) = &self.direct {
            pool.close(PING).await;
        }
    }

    /// Returns whether any COMMIT is overdue.
    pub(super) fn any(&self) -> bool {
        self.number.load(Ordering::Relaxed) > 0
    }

    /// Waits in a new task for the response to a COMMIT, while the server works on it. If the COMMIT succeeds,
    /// publishes the operation's notifications. Otherwise publishes only its signals.
    pub(super) fn wait_in_background(&self, lease: Lease, notices: Notices) {
        let overdue = self.clone();
        let before = self.number.fetch_add(1, Ordering::Relaxed);
        if before == 0 {
            tracing::error!("COMMIT timed out; a synchronous standby may be unreachable");
        }
        let counted = Counted(Arc::clone(&self.number));
        tokio::spawn(async move {
            match overdue.wait(lease).await {
                true => overdue.commit_notices.add(&notices),
                false => overdue.unconfirmed(&notices),
            }
            drop(counted);
        });
    }

    /// Publishes the signals of an operation whose COMMIT may or may not have succeeded.
    pub(super) fn unconfirmed(&self, notices: &Notices) {
        self.commit_notices.add_unconfirmed(notices);
    }

    /// Waits for the response, then returns the connection to the pool or closes it. Returns whether
    /// the transaction is known to be committed.
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

    /// Waits for the response. Returns whether the COMMIT succeeded; `false` if that remains unknown.
    async fn answered(&self, lease: &mut Lease) -> bool {
        let (pool, epoch, process) = (lease.pool().clone(), lease.epoch(), lease.process());
        let Ok(connection) = lease.connection() else { return false };
        // the response to the ping follows the response to COMMIT
        let mut answer = std::pin::pin!(connection.ping());
        let mut unknown = 0;
        loop {
            let state = tokio::select! {
                answered = &mut answer => return answered.is_ok(),
                state = self.commit_state(&pool, process) => state,
            };
            match state {
                CommitState::Committing => unknown = 0,
                // the response to COMMIT may still be in transit
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
                // the process may work on the COMMIT without waiting for a standby
                Some(false) | None => CommitState::Unknown,
            },
        }
    }
}

/// Returns the answer to a query for one boolean; `None` if it failed.
async fn answer_of(pool: &Pool, query: Query<'_, Postgres, PgArguments>) -> Option<bool> {
    let mut lease = Lease::acquire_within(pool, Workload::Read, PING).await.ok()?;
    let epoch = lease.epoch();
    let asked = query.fetch_one(lease.connection().ok()?);
    let done = pool.losses().watch(epoch, PING, asked).await;
    lease.ended(done).ok()?.try_get(0).ok()
}

/// Counts an overdue COMMIT while this value exists.
struct Counted(Arc<AtomicUsize>);

impl Drop for Counted {
    fn drop(&mut self) {
        if self.0.fetch_sub(1, Ordering::Relaxed) == 1 {
            tracing::warn!("no COMMIT is overdue any more");
        }
    }
}
