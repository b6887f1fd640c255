//! Type-erased operations ([`Op`], [`ReadOp`]).
//!
//! The code for connections, transactions, retries and queues handles each operation as a trait object. So this code is
//! compiled once, and not once for each operation. Only the `run` method of an operation is compiled for each operation
//! and for each engine: [`lite`](super::lite) and [`pg`](super::pg) extend the trait [`Work`] with a method that runs
//! the operation on a connection of the engine.

use parking_lot::Mutex;

use super::error::{Result, StoreError};
use super::lock_key::Locks;
use super::log_position::QueriedPosition;
use super::op::{Facts, Op, ReadOp, Sql};

/// A type-erased operation. It stores its own result, which [`Pending::take`] returns.
pub(in crate::store) trait Work: Send + Sync {
    /// Returns the constants of the operation.
    fn facts(&self) -> Facts;

    /// Returns [`ReadOp::position`]; `None` if the operation runs as a write.
    fn position(&self) -> Option<QueriedPosition>;

    /// Returns [`Op::locks`].
    fn locks(&self) -> Locks;
}

/// An operation and the result of its last successful run.
pub(in crate::store) struct Pending<O: Op> {
    op: O,
    facts: Facts,
    position: Option<QueriedPosition>,
    out: Mutex<Option<O::Out>>,
}

impl<O: Op> Pending<O> {
    /// Wraps an operation that runs as a write.
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

    /// Runs the operation and stores its result.
    pub(in crate::store) async fn run<C: Sql>(&self, connection: &mut C) -> Result<()> {
        self.op.run(connection).await.map(|out| *self.out.lock() = Some(out))
    }

    /// Returns the stored result and removes it. Must be called once, after a run returned `Ok`.
    pub(in crate::store) fn take(&self) -> Result<O::Out> {
        let out = self.out.lock().take();
        out.ok_or_else(|| StoreError::bug(format!("{} has no result to take", O::NAME)).into())
    }
}

impl<O: ReadOp> Pending<O> {
    /// Wraps an operation that runs as a read.
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
}
