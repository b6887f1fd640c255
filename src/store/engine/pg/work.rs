//! Runs operations with erased types ([`work`](crate::store::engine::work)) on PostgreSQL.

use futures_util::future::BoxFuture;

use super::connection::Pg;
use crate::store::engine::error::Result;
use crate::store::engine::op::Op;
use crate::store::engine::work::{Pending, Work};

/// An operation that runs on a connection to PostgreSQL.
pub(in crate::store) trait PostgresWork: Work {
    /// Runs the operation and stores its result, which [`Pending::take`] returns.
    fn run_on_postgres<'a>(&'a self, connection: &'a mut Pg) -> BoxFuture<'a, Result<()>>;
}

impl<O: Op> PostgresWork for Pending<O> {
    fn run_on_postgres<'a>(&'a self, connection: &'a mut Pg) -> BoxFuture<'a, Result<()>> {
        Box::pin(self.run(connection))
    }
}
