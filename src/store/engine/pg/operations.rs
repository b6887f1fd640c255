//! Runs operations in transactions, and retries failed attempts.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use futures_util::FutureExt;

use super::PgStore;
use super::connection::Pg;
use super::failure::{Cause, ConnectionHealth};
use super::lease::Lease;
use super::timeouts::Workload;
use super::work::PostgresWork;
use super::write_queue::Queued;
use crate::store::engine::as_of;
use crate::store::engine::error::{Error, Result, StoreError};
use crate::store::engine::lock_key::{LockKey, Locks};
use crate::store::engine::lookups::LookupStore;
use crate::store::engine::meters;
use crate::store::engine::op::{Facts, ReadOp};
use crate::store::engine::work::Pending;

/// Maximum number of attempts of an operation, including the first.
const MAX_ATTEMPTS: u32 = 6;

/// The result of an attempt of a write, if the attempt did not fail.
pub(super) enum WriteAttempt {
    /// The write was committed. The list contains locks that other writes can have held at the commit. Before the
    /// caller responds, it must wait until these writes have ended ([`PgStore::drain_revoked`]).
    Committed(Vec<LockKey>),
    /// Nothing was written, because other writes of this process are in the queue of this lock.
    MustWait(LockKey),
}

impl LookupStore for PgStore {
    async fn look_up<O: ReadOp>(&self, op: O) -> Result<O::Out> {
        let pending = Pending::read(op);
        self.tries(O::NAME, || self.try_read(&pending, Workload::Read)).await?;
        pending.take()
    }
}

impl PgStore {
    /// Runs the operation in a transaction and commits it.
    pub(in crate::store) async fn write(&self, work: Arc<dyn PostgresWork>) -> Result<()> {
        // Runs in a task of its own, which continues if the caller is dropped. So a COMMIT is not interrupted, and no
        // connection is left with a response of which only a part was read.
        let store = self.clone();
        let done = tokio::spawn(async move {
            let drained = store.write_queued(&*work).await?;
            store.drain_revoked(&drained).await
        });
        let aborted = "the write was aborted by a panic or by the shutdown";
        done.await.unwrap_or_else(|_| Err(StoreError::unavailable(aborted).into()))
    }

    /// Waits in the queue of the operation's exclusive lock, and then runs and commits the operation. Returns the locks
    /// that the caller must pass to [`PgStore::drain_revoked`].
    async fn write_queued(&self, work: &dyn PostgresWork) -> Result<Vec<LockKey>> {
        let mut slot = self.write_queue.wait_for_declared(&work.locks(), self.wait).await?;
        loop {
            let has_waited = slot.is_some();
            match self.tries(work.facts().name, || self.try_write(work, has_waited)).await? {
                WriteAttempt::Committed(drained) => return Ok(drained),
                WriteAttempt::MustWait(lock) => slot = Some(self.write_queue.wait(lock, self.wait).await?),
            }
        }
    }

    /// Runs a read-only operation. If the operation may run on a replica, and the replica is up to date, the operation
    /// runs on the replica.
    pub(in crate::store) async fn read(&self, work: &dyn PostgresWork) -> Result<()> {
        self.read_as(work, Workload::Read).await
    }

    /// Does the same as [`PgStore::read`], for an operation that can be slow. Slow reads can use only a part of the
    /// pool's connections.
    pub(in crate::store) async fn scan(&self, work: &dyn PostgresWork) -> Result<()> {
        self.read_as(work, Workload::Scan).await
    }

    async fn read_as(&self, work: &dyn PostgresWork, kind: Workload) -> Result<()> {
        self.check_schema()?;
        let Facts { name, replica: may_ask_replica, .. } = work.facts();
        if may_ask_replica
            && let Some(replica) = &self.replica
            && let Some(answered) = replica.read(self, work, kind).await
        {
            return answered;
        }
        self.tries(name, || self.try_read(work, kind)).await
    }

    /// Runs a read-only operation under its locks, and then holds the locks for the time [`as_of::HANDOVER`]. If a
    /// response relies on the result, the caller must send the response within this time.
    pub(in crate::store) async fn hold(&self, work: &dyn PostgresWork) -> Result<()> {
        let held = self.tries(work.facts().name, || self.try_hold(work)).await?;
        tokio::spawn(async move {
            tokio::time::sleep(as_of::HANDOVER).await;
            held.end().await;
        });
        Ok(())
    }

    /// Makes one attempt of [`PgStore::hold`]. Returns the connection with the open transaction, which holds the locks.
    async fn try_hold(&self, work: &dyn PostgresWork) -> std::result::Result<Result<Pg>, Cause> {
        let lease = Lease::acquire(&self.pool, Workload::Write).await?;
        let mut connection = Pg::begin(lease, &self.timeouts, Workload::Write, false, &work.locks()).await?;
        match self.run(work, &mut connection).await? {
            Ok(()) => Ok(Ok(connection)),
            Err(error) => {
                connection.end().await;
                Ok(Err(error))
            }
        }
    }

    /// Makes one attempt of a write. `has_waited` is `true` if the write has already waited in the queue of a lock.
    pub(super) async fn try_write(
        &self,
        work: &dyn PostgresWork,
        has_waited: bool,
    ) -> std::result::Result<Result<WriteAttempt>, Cause> {
        self.fence.check().map_err(Cause::Final)?;
        let lease = Lease::acquire(&self.pool, Workload::Write).await?;
        let snapshot = work.facts().snapshot;
        let mut connection =
            Pg::begin(lease, &self.timeouts, Workload::Write, snapshot, &work.locks()).await?;
        connection.queue_in(Queued::new(Arc::clone(&self.write_queue), has_waited));
        let result = self.run(work, &mut connection).await?;
        if let Some(lock) = connection.awaited_lock() {
            connection.end().await;
            return Ok(Ok(WriteAttempt::MustWait(lock)));
        }
        match result {
            Ok(()) => {
                // checked again: during the attempt, the confirmation of the node number can have expired, or a
                // migration can have made this version of Switchboard incompatible
                let may_commit = self.fence.check().map_err(Error::from).and_then(|()| self.check_schema());
                if let Err(refused) = may_commit {
                    connection.end().await;
                    return Ok(Err(refused));
                }
                let changing = connection.changes_owners().then(|| self.owners.change());
                let notices = connection.commit(&self.overdue).await?;
                drop(changing);
                self.commit_notices.add(&notices);
                Ok(Ok(WriteAttempt::Committed(notices.drain_keys)))
            }
            Err(error) => {
                connection.end().await;
                Ok(Err(error))
            }
        }
    }

    async fn try_read(
        &self,
        work: &dyn PostgresWork,
        kind: Workload,
    ) -> std::result::Result<Result<()>, Cause> {
        let lease = Lease::acquire(&self.pool, kind).await?;
        let snapshot = work.facts().snapshot;
        let mut connection = Pg::begin(lease, &self.timeouts, kind, snapshot, &Locks::default()).await?;
        let result = self.run(work, &mut connection).await?;
        connection.end().await;
        Ok(result)
    }

    /// Runs the operation once on a connection and returns the operation's result. After a failed statement, returns a
    /// [`Cause`] instead if a retry can succeed or if the store is unavailable. Then nothing is stored.
    pub(super) async fn run(
        &self,
        work: &dyn PostgresWork,
        connection: &mut Pg,
    ) -> std::result::Result<Result<()>, Cause> {
        let name = work.facts().name;
        let result = std::panic::AssertUnwindSafe(work.run_on_postgres(connection)).catch_unwind().await;
        // If a statement failed and a retry can succeed, the operation's own result is ignored, because the operation
        // has possibly handled the failure of the statement.
        match (connection.take_failure().await, result) {
            (Some(Cause::Retry { connection: ConnectionHealth::ReadOnly, why }), _) => {
                if self.pool.renew_read_only(connection.epoch()) {
                    connection.discard();
                    return Err(Cause::Retry { connection: ConnectionHealth::ReadOnly, why });
                }
                // a new connection would lead to the same read-only server, so this connection is kept for reads
                Err(Cause::Final(StoreError::unavailable(why)))
            }
            (Some(retry @ Cause::Retry { .. }), _) => Err(retry),
            (_, Err(_)) => Ok(Err(StoreError::bug(format!("{name} panicked")).into())),
            (Some(Cause::Final(failure @ StoreError::Unavailable(_))), _) => Err(Cause::Final(failure)),
            (Some(Cause::Final(_)), Ok(Ok(()))) => {
                Ok(Err(StoreError::bug(format!("{name} continued after a failed statement")).into()))
            }
            (_, Ok(result)) => Ok(connection.check_single(work.facts()).and(result)),
        }
    }

    /// Makes up to [`MAX_ATTEMPTS`] attempts. A failed attempt is retried only if its cause is [`Cause::Retry`]. No
    /// attempt is retried if more than `Timeouts::statement(Write)` has passed since the first attempt began.
    pub(super) async fn tries<T, F>(
        &self,
        op: &'static str,
        mut attempt: impl FnMut() -> F + Send,
    ) -> Result<T>
    where
        F: Future<Output = std::result::Result<Result<T>, Cause>> + Send,
    {
        let end = Instant::now() + self.timeouts.statement(Workload::Write);
        let mut tried = 1;
        loop {
            self.check_schema()?;
            match attempt().await {
                Ok(result) => return result,
                Err(Cause::Final(failure)) => return Err(failure.into()),
                Err(Cause::Retry { connection, why }) => {
                    if connection == ConnectionHealth::Lost {
                        self.pool.losses().record();
                    }
                    if tried == MAX_ATTEMPTS || Instant::now() >= end {
                        return Err(
                            StoreError::unavailable(format!("failed after {tried} attempts: {why}")).into()
                        );
                    }
                    meters::retried(op);
                    tracing::debug!(op, why, tried, "retrying a store operation");
                    tokio::time::sleep(pause(tried)).await;
                    tried += 1;
                }
            }
        }
    }
}

/// Returns the pause after attempt `tried`: 2 to 4 ms after attempt 1, 4 to 8 ms after attempt 2, and so on. The pause
/// has jitter, so that operations that have collided are unlikely to collide again.
fn pause(tried: u32) -> Duration {
    static TURN: AtomicU64 = AtomicU64::new(0);
    // The fractional parts of multiples of the golden ratio are spread evenly.
    let spread = TURN.fetch_add(1, Ordering::Relaxed).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
    let half = 1_000_000u64 << tried.min(10);
    Duration::from_nanos(half + ((half * spread) >> 32))
}
