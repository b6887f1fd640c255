//! COMMITs that timed out: their requests got 503, and their responses are awaited in the background.
//!
//! While a synchronous standby is unreachable, a COMMIT waits for it indefinitely. The server process
//! keeps waiting even if the client disconnects, so closing such connections and opening new ones
//! would exhaust the server's connections. Therefore a connection in COMMIT keeps its slot in the
//! pool while the server works on the COMMIT: this limits the number of such connections, and reads
//! continue on the slots reserved for them. The COMMIT is not cancelled either: that would make the
//! transaction visible without the standby, and a send repeated with the same idempotency key would
//! get 201 for a message that a failover then loses.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use sqlx::{Connection, Row};

use super::lease::Lease;
use super::pool::Pool;
use super::timeouts::{PING, Workload};
use crate::store::engine::commit_notices::CommitNotices;
use crate::store::engine::notices::Notices;

/// Interval between checks whether the server is still committing.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// Number of consecutive failed checks after which the response is no longer awaited.
const MOST_UNKNOWN: u32 = 5;

/// Number of intervals for which the response is awaited if the server cannot be queried. That is the
/// case behind a pooler, which limits the server's connections itself.
const MAX_UNKNOWN_WITHOUT_QUERY: u32 = 5;

/// Queries whether the server process $1 is in COMMIT.
const IS_COMMITTING: &str = "SELECT EXISTS (SELECT 1 FROM pg_stat_activity
    WHERE pid = $1 AND state = 'active' AND upper(query) = 'COMMIT')";

/// The overdue COMMITs of one store. Clones share the count.
#[derive(Clone)]
pub(super) struct Overdue {
    number: Arc<AtomicUsize>,
    can_ask: bool,
    commit_notices: Arc<CommitNotices>,
}

/// What the server reports about a process that received a COMMIT. `Unknown` if the query failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum CommitState {
    Committing,
    NotCommitting,
    Unknown,
}

impl Overdue {
    /// Creates the state without overdue COMMITs. `can_ask` says whether the server's processes can be
    /// queried. Notifications of operations whose COMMIT succeeds late are published to
    /// `commit_notices`.
    pub(super) fn new(can_ask: bool, commit_notices: Arc<CommitNotices>) -> Self {
        Self { number: Arc::default(), can_ask, commit_notices }
    }

    /// Returns whether any COMMIT is overdue.
    pub(super) fn any(&self) -> bool {
        self.number.load(Ordering::Relaxed) > 0
    }

    /// Waits in a new task for the response to a COMMIT, while the server works on it. Publishes the
    /// operation's notifications if the COMMIT succeeds.
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

    /// Publishes the notifications of an operation of which it is unknown whether its COMMIT succeeded.
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
            let most = if self.can_ask { MOST_UNKNOWN } else { MAX_UNKNOWN_WITHOUT_QUERY };
            if unknown >= most || pool.losses().has_lost(epoch) {
                return false;
            }
        }
    }

    /// Waits for [`CHECK_INTERVAL`] and then queries the state of a server process.
    async fn commit_state(&self, pool: &Pool, process: i32) -> CommitState {
        tokio::time::sleep(CHECK_INTERVAL).await;
        if !self.can_ask {
            return CommitState::Unknown;
        }
        match is_committing(pool, process).await {
            Some(true) => CommitState::Committing,
            Some(false) => CommitState::NotCommitting,
            None => CommitState::Unknown,
        }
    }
}

async fn is_committing(pool: &Pool, process: i32) -> Option<bool> {
    let mut lease = pool.acquire_within(Workload::Read, PING).await.ok()?;
    let epoch = lease.epoch();
    let asked = sqlx::query(IS_COMMITTING).bind(process).fetch_one(lease.connection().ok()?);
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
