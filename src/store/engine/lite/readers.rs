//! Runs reads on SQLite. A short operation, such as a look-up by a key, runs on the caller's thread, because it takes
//! less time than a switch to another thread (`docs/decisions/0001-inline-reads.md`). A long operation (a scan) runs on
//! tokio's pool of blocking threads.

use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::work::SqliteWork;
use super::{Lite, Role, SqliteSettings};
use crate::store::engine::error::{Result, StoreError};

/// A pool of read connections. A connection is opened when it is first needed. All clones share the connections.
#[derive(Clone)]
pub(super) struct ReadConnections(Arc<ReaderPool>);

struct ReaderPool {
    settings: SqliteSettings,
    /// Idle connections. The most recently used connection is the last in the list and is taken first. So few
    /// connections are used, and their caches stay warm.
    idle: Mutex<Vec<Lite>>,
    /// Each read holds one of these permits. Their number is the maximum number of connections.
    permits: Arc<Semaphore>,
    /// A scan also holds one of these permits. There are half as many as `permits`, so at least half of the connections
    /// are left to short operations.
    scans: Arc<Semaphore>,
}

impl ReadConnections {
    pub(super) fn new(settings: SqliteSettings) -> Self {
        let size = settings.readers.max(2);
        Self(Arc::new(ReaderPool {
            idle: Mutex::new(Vec::with_capacity(size)),
            permits: Arc::new(Semaphore::new(size)),
            scans: Arc::new(Semaphore::new(size / 2)),
            settings,
        }))
    }

    /// Runs a short operation on the calling thread.
    pub(super) async fn read(&self, work: &dyn SqliteWork) -> Result<()> {
        self.with(|connection| snapshot(connection, work)).await
    }

    /// Runs a long operation on tokio's pool of blocking threads.
    pub(super) async fn scan(&self, work: Arc<dyn SqliteWork>) -> Result<()> {
        let readers = self.clone();
        let permits = (self.0.permit(&self.0.scans).await?, self.0.permit(&self.0.permits).await?);
        let done = tokio::task::spawn_blocking(move || {
            let result = readers.0.with_connection(|connection| snapshot(connection, &*work));
            // dropped by this thread and not by the caller, so that the permits stay in use while the scan runs, even
            // if the caller is dropped
            drop(permits);
            result
        });
        let aborted = "the read was aborted by a panic or by the shutdown";
        done.await.unwrap_or_else(|_| Err(StoreError::unavailable(aborted).into()))
    }

    /// Runs `work` on the calling thread, with a connection of the pool.
    pub(super) async fn with<T>(&self, work: impl FnOnce(&mut Lite) -> Result<T>) -> Result<T> {
        let _permit = self.0.permit(&self.0.permits).await?;
        self.0.with_connection(work)
    }

    /// Closes the pool. Further reads fail. Idle connections are closed at once. A connection in use is closed when its
    /// operation ends.
    pub(super) fn close(&self) {
        self.0.scans.close();
        self.0.permits.close();
        self.0.idle.lock().clear();
    }
}

impl ReaderPool {
    async fn permit(&self, semaphore: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit> {
        if let Ok(permit) = semaphore.clone().try_acquire_owned() {
            return Ok(permit);
        }
        match timeout(self.settings.wait, semaphore.clone().acquire_owned()).await {
            Ok(Ok(permit)) => Ok(permit),
            Ok(Err(_)) => Err(StoreError::unavailable("the store is closed").into()),
            Err(_) => Err(StoreError::unavailable("no read connection became free in time").into()),
        }
    }

    fn with_connection<T>(&self, work: impl FnOnce(&mut Lite) -> Result<T>) -> Result<T> {
        // not part of the `match`, so that the mutex is unlocked before a connection is opened
        let idle = self.idle.lock().pop();
        let mut connection = match idle {
            Some(connection) => connection,
            None => Lite::open(&self.settings.path, Role::Reader, None)?,
        };
        let result = work(&mut connection);
        // if a statement failed as unavailable, the connection is possibly broken, so it is not reused
        let healthy =
            !connection.in_transaction() && !matches!(connection.failure(), Some(StoreError::Unavailable(_)));
        if healthy && !self.permits.is_closed() {
            self.idle.lock().push(connection);
        }
        result
    }
}

/// Runs an operation in a transaction, so that all of its statements see the same state of the database. An operation
/// that declares a single statement runs without a transaction.
fn snapshot(connection: &mut Lite, work: &dyn SqliteWork) -> Result<()> {
    let run = |connection: &mut Lite| work.run_on_sqlite(connection);
    if work.facts().single {
        return connection.run(work.facts(), run);
    }
    connection.command("BEGIN")?;
    let result = connection.run(work.facts(), run);
    if connection.in_transaction()
        && let Err(error) = connection.command("COMMIT")
    {
        // The result is valid, because the rows were already read. If the connection is still in a transaction,
        // `with_connection` does not reuse the connection.
        tracing::warn!(%error, operation = work.facts().name, "failed to end a read transaction");
    }
    result
}
