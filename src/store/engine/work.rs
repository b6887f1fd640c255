//! Operations without their types.
//!
//! Connections, transactions, tries and queues treat all operations alike. They see an operation as a [`Work`], so that
//! they are compiled once instead of once for each operation; only what an operation itself does is compiled for its type
//! and each engine. Without this the retries and transactions of 200 operations were 3 MB of the program.

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use parking_lot::Mutex;

use super::error::{Result, StoreError};
use super::lite::Lite;
use super::locks::Locks;
use super::op::{Op, ReadOp};
use super::pg::Pg;
use super::position::LogPosition;

/// The constants of an operation's [`Op`] or [`ReadOp`].
#[derive(Clone, Copy, Debug)]
pub(in crate::store) struct Facts {
    pub name: &'static str,
    pub snapshot: bool,
    pub single: bool,
    pub replica: bool,
}

/// An operation whose result is kept beside it.
pub(in crate::store) trait Work: Send + Sync {
    fn facts(&self) -> Facts;

    /// As [`ReadOp::position`].
    fn position(&self) -> Option<LogPosition>;

    /// As [`Op::locks`].
    fn locks(&self) -> Locks;

    /// Runs the operation to its end and keeps its result.
    fn run_on_sqlite(&self, connection: &mut Lite) -> Result<()>;

    /// Runs the operation and keeps its result.
    fn run_on_postgres<'a>(&'a self, connection: &'a mut Pg) -> BoxFuture<'a, Result<()>>;
}

/// An operation and the result of its last successful run.
pub(in crate::store) struct Pending<O: Op> {
    op: O,
    facts: Facts,
    position: Option<LogPosition>,
    out: Mutex<Option<O::Out>>,
}

impl<O: Op> Pending<O> {
    /// For an operation that is run by a write.
    pub(in crate::store) const fn write(op: O) -> Self {
        let facts = Facts { name: O::NAME, snapshot: O::SNAPSHOT, single: false, replica: false };
        Self { op, facts, position: None, out: Mutex::new(None) }
    }

    /// Takes the result, after a run returned `Ok`.
    pub(in crate::store) fn take(&self) -> Result<O::Out> {
        let out = self.out.lock().take();
        out.ok_or_else(|| StoreError::bug(format!("{} was never run", O::NAME)).into())
    }
}

impl<O: ReadOp> Pending<O> {
    /// For an operation that is run by a read.
    pub(in crate::store) fn read(op: O) -> Self {
        let name = <O as ReadOp>::NAME;
        let facts = Facts { name, snapshot: <O as ReadOp>::SNAPSHOT, single: O::SINGLE, replica: O::REPLICA };
        let position = op.position();
        Self { op, facts, position, out: Mutex::new(None) }
    }
}

impl<O: Op> Work for Pending<O> {
    fn facts(&self) -> Facts {
        self.facts
    }

    fn position(&self) -> Option<LogPosition> {
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
