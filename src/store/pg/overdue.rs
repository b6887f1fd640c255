//! COMMITs that were not answered in time, and are waited for beside the requests, which were told 503.
//!
//! A COMMIT waits without a bound for a synchronous standby that is gone. Its process on the server goes on waiting when
//! the client hangs up, so whoever dropped such connections and opened new ones would use up those of the server. So a
//! connection in COMMIT keeps its place in the pool as long as the server works on it: that bounds how many there are, and
//! reads go on with theirs. It is not cancelled either: a cancelled wait makes the transaction visible without the
//! standby, and a repeat of the send would be answered 201 for what a failover then loses.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use sqlx::{Connection, Row};

use super::bounds::{Kind, PING};
use super::lease::Lease;
use super::pool::Pool;
use crate::store::woken::{News, Woken};

/// How often the server is asked whether it still works on it.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// How often in a row the server may fail to answer that.
const MOST_UNKNOWN: u32 = 5;

/// How long to wait where the server cannot be asked, behind a pooler, which bounds the connections of the server by
/// itself.
const UNASKED: u32 = 5;

/// Whether a process of the server is in COMMIT.
const IS_COMMITTING: &str = "SELECT EXISTS (SELECT 1 FROM pg_stat_activity
    WHERE pid = $1 AND state = 'active' AND upper(query) = 'COMMIT')";

/// The COMMITs of one store that are overdue. Cloning shares the count.
#[derive(Clone)]
pub(super) struct Overdue {
    number: Arc<AtomicUsize>,
    can_ask: bool,
    woken: Arc<Woken>,
}

/// What the server reports of a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum CommitState {
    Committing,
    NotCommitting,
    Unknown,
}

impl Overdue {
    /// With whether the server can be asked about its processes, and where the operations of answered COMMITs report.
    pub(super) fn new(can_ask: bool, woken: Arc<Woken>) -> Self {
        Self { number: Arc::default(), can_ask, woken }
    }

    /// Whether there are any.
    pub(super) fn any(&self) -> bool {
        self.number.load(Ordering::Relaxed) > 0
    }

    /// Waits for the answer to a COMMIT for as long as the server works on it, and then reports for its operation.
    pub(super) fn wait_in_background(&self, lease: Lease, news: News) {
        let overdue = self.clone();
        let before = self.number.fetch_add(1, Ordering::Relaxed);
        if before == 0 {
            tracing::error!("COMMIT is not answered; a synchronous standby may be gone");
        }
        let counted = Counted(Arc::clone(&self.number));
        tokio::spawn(async move {
            if overdue.wait(lease).await {
                overdue.woken.add(&news);
            }
            drop(counted);
        });
    }

    /// Whether the transaction was committed.
    async fn wait(&self, mut lease: Lease) -> bool {
        let committed = self.answered(&mut lease).await;
        if committed {
            lease.set_in_transaction(false);
            // the whole answer was read, so the connection can be used again
            let _ = lease.ended(Ok(Ok(())));
        } else {
            lease.discard();
        }
        committed
    }

    /// Whether the COMMIT was answered without an error in the end.
    async fn answered(&self, lease: &mut Lease) -> bool {
        let (pool, epoch, process) = (lease.pool().clone(), lease.epoch(), lease.process());
        let Ok(connection) = lease.connection() else { return false };
        // its answer comes after that of COMMIT
        let mut answer = std::pin::pin!(connection.ping());
        let mut unknown = 0;
        loop {
            let state = tokio::select! {
                answered = &mut answer => return answered.is_ok(),
                state = self.look(&pool, process) => state,
            };
            match state {
                CommitState::Committing => unknown = 0,
                // the answer may still be on its way
                CommitState::NotCommitting => {
                    return matches!(tokio::time::timeout(PING, answer).await, Ok(Ok(())));
                }
                CommitState::Unknown => unknown += 1,
            }
            let most = if self.can_ask { MOST_UNKNOWN } else { UNASKED };
            if unknown >= most || pool.losses().has_lost(epoch) {
                return false;
            }
        }
    }

    async fn look(&self, pool: &Pool, process: i32) -> CommitState {
        tokio::time::sleep(LOOK_EVERY).await;
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
    let mut lease = pool.acquire_within(Kind::Read, PING).await.ok()?;
    let epoch = lease.epoch();
    let asked = sqlx::query(IS_COMMITTING).bind(process).fetch_one(lease.connection().ok()?);
    let done = pool.losses().watch(epoch, PING, asked).await;
    lease.ended(done).ok()?.try_get(0).ok()
}

/// One of the overdue.
struct Counted(Arc<AtomicUsize>);

impl Drop for Counted {
    fn drop(&mut self) {
        if self.0.fetch_sub(1, Ordering::Relaxed) == 1 {
            tracing::warn!("no COMMIT is overdue any more");
        }
    }
}
