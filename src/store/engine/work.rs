//! Operations with erased types.
//!
//! The code for connections, transactions, retries and queues handles each operation as a `dyn` [`Work`]. So this code
//! is compiled once, and not once for each operation. Only the `run` method of an operation is compiled for each
//! operation and for each engine.

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use parking_lot::Mutex;

use super::error::{Result, StoreError};
use super::lite::connection::Lite;
use super::lock_key::Locks;
use super::log_position::QueriedPosition;
use super::op::{Facts, Op, ReadOp};
use super::pg::connection::Pg;

/// An operation with an erased type. It stores its own result.
pub(in crate::store) trait Work: Send + Sync {
    fn facts(&self) -> Facts;

    /// Returns [`ReadOp::position`]; `None` for a write.
    fn position(&self) -> Option<QueriedPosition>;

    /// Returns [`Op::locks`].
    fn locks(&self) -> Locks;

    /// Runs the operation and stores its result. Blocks until the operation has ended.
    fn run_on_sqlite(&self, connection: &mut Lite) -> Result<()>;

    /// Runs the operation and stores its result.
    fn run_on_postgres<'a>(&'a self, connection: &'a mut Pg) -> BoxFuture<'a, Result<()>>;
}

/// An operation and the result of its last successful run.
pub(in crate::store) struct Pending<O: Op> {
    op: O,
    facts: Facts,
    position: Option<QueriedPosition>,
    out: Mutex<Option<O::Out>>,
}

impl<O: Op> Pending<O> {
    /// Creates the work of an operation that runs as a write.
    pub(in crate::store) const fn write(op: O) -> Self {
        let facts = Facts {
            name: O::NAME,
            snapshot: O::SNAPSHOT,
            single: false,
            replica: false,
            checks_membership: false,
        };
        Self { op, facts, position: None, out: Mutex::new(None) }
    }

    /// Takes the result, after a run returned `Ok`.
    pub(in crate::store) fn take(&self) -> Result<O::Out> {
        let out = self.out.lock().take();
        out.ok_or_else(|| StoreError::bug(format!("{} was never run", O::NAME)).into())
    }
}

impl<O: ReadOp> Pending<O> {
    /// Creates the work of an operation that runs as a read.
    pub(in crate::store) fn read(op: O) -> Self {
        let facts = Facts {
            name: <O as ReadOp>::NAME,
            snapshot: <O as ReadOp>::SNAPSHOT,
            single: O::SINGLE,
            replica: O::REPLICA,
            checks_membership: O::CHECKS_MEMBERSHIP,
        };
        let position = op.position();
        Self { op, facts, position, out: Mutex::new(None) }
    }
}

impl<O: Op> Work for Pending<O> {
    fn facts(&self) -> Facts {
        self.facts
    }

    fn position(&self) -> Option<QueriedPosition> {
        self.position
    }

    fn locks(&self) -> Locks {
        self.op.locks()
    }

    fn run_on_sqlite(&self, connection: &mut Lite) -> Result<()> {
        match self.op.run(connection).now_or_never() {
            Some(result) => result.map(|out| *self.out.lock() = Some(out)),
            None => {
                Err(StoreError::bug(format!("{} waited for something else than the store", O::NAME)).into())
            }
        }
    }

    fn run_on_postgres<'a>(&'a self, connection: &'a mut Pg) -> BoxFuture<'a, Result<()>> {
        let run = self.op.run(connection);
        Box::pin(async move { run.await.map(|out| *self.out.lock() = Some(out)) })
    }
}
