//! The trait of the sources from which a transfer (a copy of a whole database) gets the rows of a table.

use super::Result;
use super::value::Value;

/// Supplies the rows that a transfer writes to a table, in primary key order.
#[allow(async_fn_in_trait, reason = "awaited only by commands, on one thread")]
pub trait RowSource {
    /// Passes every row to the function `row`. Stops at the first error of `row`.
    ///
    /// # Errors
    /// Errors of `row`, and errors of reading the rows.
    async fn each(&mut self, row: impl AsyncFnMut(&[Value<'_>]) -> Result<()>) -> Result<()>;
}
