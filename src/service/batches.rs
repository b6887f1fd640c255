//! Batches of the maintenance jobs.

use super::World;
use crate::store::{Op, Result};

/// Maximum number of batches that a step of a job changes in one run of the job.
pub(in crate::service) const MAX_BATCHES: usize = 2_000;
/// Batch size for deleting rows by their age.
pub(in crate::service) const RETENTION_BATCH: i64 = 1_000;

impl World {
    /// Runs an operation repeatedly, each time in a transaction of its own. So a transaction holds locks, and occupies
    /// the writer of SQLite, for one batch only. The operation changes up to `batch` rows, and its result is the number
    /// of changed rows. Stops when the operation changes fewer than `batch` rows, or after [`MAX_BATCHES`] batches.
    ///
    /// # Errors
    /// Store errors.
    pub(in crate::service) async fn in_batches<O: Op<Out = u64>>(
        &self,
        batch: i64,
        op: impl Fn() -> O + Send + Sync,
    ) -> Result<()> {
        for _ in 0..MAX_BATCHES {
            if self.db.write(op()).await? < batch.unsigned_abs() {
                break;
            }
        }
        Ok(())
    }
}
