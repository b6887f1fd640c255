//! Reading on SQLite: the operation runs on the caller's own thread, because a look-up takes less time than handing
//! it to another thread (`docs/decisions/0001-inline-reads.md`).

use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::{Lite, Role, Settings};
use crate::store::error::{Result, StoreError};
use crate::store::op::Op;

/// Connections that only read, opened when first needed. Cloning shares them.
#[derive(Clone)]
pub(super) struct Readers(Arc<Pool>);

struct Pool {
    settings: Settings,
    /// The most recently used last, so that few connections stay warm rather than many lukewarm.
    idle: Mutex<Vec<Lite>>,
    permits: Arc<Semaphore>,
    /// Long reads get half of the permits, so that look-ups never queue behind them.
    scans: Arc<Semaphore>,
}

impl Readers {
    pub(super) fn new(settings: Settings) -> Self {
        let most = settings.readers.max(2);
        Self(Arc::new(Pool {
            idle: Mutex::new(Vec::with_capacity(most)),
            permits: Arc::new(Semaphore::new(most)),
            scans: Arc::new(Semaphore::new(most / 2)),
            settings,
        }))
    }

    /// Runs a short operation here and now.
    pub(super) async fn read<O: Op>(&self, op: &O) -> Result<O::Out> {
        self.with(|connection| snapshot(connection, op)).await
    }

    /// Runs a long operation on a thread for blocking work.
    pub(super) async fn scan<O: Op>(&self, op: O) -> Result<O::Out> {
        let readers = self.clone();
        let permits = (self.0.permit(&self.0.scans).await?, self.0.permit(&self.0.permits).await?);
        let done = tokio::task::spawn_blocking(move || {
            let result = readers.0.lend(|connection| snapshot(connection, &op));
            drop(permits); // held by the thread: a caller that goes away does not make room for another scan
            result
        });
        done.await.unwrap_or_else(|_| Err(StoreError::unavailable("the runtime is shutting down").into()))
    }

    /// Lends a connection to `work` on this thread.
    pub(super) async fn with<T>(&self, work: impl FnOnce(&mut Lite) -> Result<T>) -> Result<T> {
        let _permit = self.0.permit(&self.0.permits).await?;
        self.0.lend(work)
    }

    /// Closes idle connections; the others close when they come back.
    pub(super) fn close(&self) {
        self.0.scans.close();
        self.0.permits.close();
        self.0.idle.lock().clear();
    }
}

impl Pool {
    async fn permit(&self, semaphore: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit> {
        if let Ok(permit) = semaphore.clone().try_acquire_owned() {
            return Ok(permit);
        }
        match timeout(self.settings.wait, semaphore.clone().acquire_owned()).await {
            Ok(Ok(permit)) => Ok(permit),
            Ok(Err(_)) => Err(StoreError::unavailable("the store is closed").into()),
            Err(_) => Err(StoreError::unavailable("no connection for reading became free").into()),
        }
    }

    fn lend<T>(&self, work: impl FnOnce(&mut Lite) -> Result<T>) -> Result<T> {
        // a statement of its own, so that the lock is free again while a connection is opened
        let idle = self.idle.lock().pop();
        let mut connection = match idle {
            Some(connection) => connection,
            None => Lite::open(&self.settings.path, Role::Reader, None)?,
        };
        let result = work(&mut connection);
        // What broke inside SQLite may stay broken on this connection; opening another costs a millisecond.
        let healthy =
            !connection.in_transaction() && !matches!(connection.failure(), Some(StoreError::Unavailable(_)));
        if healthy && !self.permits.is_closed() {
            self.idle.lock().push(connection);
        }
        result
    }
}

/// Runs an operation so that all its statements see one state.
fn snapshot<O: Op>(connection: &mut Lite, op: &O) -> Result<O::Out> {
    if O::SINGLE {
        return connection.run(op);
    }
    connection.command("BEGIN")?;
    let result = connection.run(op);
    if connection.in_transaction()
        && let Err(error) = connection.command("COMMIT")
    {
        // The answer stands: it was read. The caller throws away a connection that is still in a transaction.
        tracing::warn!(%error, operation = O::NAME, "could not end a read");
    }
    result
}
