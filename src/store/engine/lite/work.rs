//! Operations with erased types that run on SQLite.

use futures_util::FutureExt;

use super::connection::Lite;
use crate::store::engine::error::{Result, StoreError};
use crate::store::engine::op::Op;
use crate::store::engine::work::{Pending, Work};

/// An operation that runs on a connection to SQLite.
pub(in crate::store) trait SqliteWork: Work {
    /// Runs the operation and stores its result in `self`. Blocks until the operation has ended.
    fn run_on_sqlite(&self, connection: &mut Lite) -> Result<()>;
}

impl<O: Op> SqliteWork for Pending<O> {
    fn run_on_sqlite(&self, connection: &mut Lite) -> Result<()> {
        match self.run(connection).now_or_never() {
            Some(result) => result,
            None => {
                Err(StoreError::bug(format!("{} awaited something other than the store", O::NAME)).into())
            }
        }
    }
}
