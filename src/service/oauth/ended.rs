//! The maintenance job that deletes revoked connections. A revoked connection is kept until all its tool calls have
//! expired from the audit.

use crate::{
    domain::time::Timestamp,
    service::World,
    store::{Result, ended_connections, op},
};

/// Maximum number of connections deleted in one transaction.
const BATCH_SIZE: i64 = 500;
/// Maximum number of batches per run.
const MAX_BATCHES: usize = 200;

impl World {
    /// Deletes connections that have no stored tokens and were revoked longer ago than the retention of the audit
    /// (`ServiceSettings::audit_life`). Deletes at most [`MAX_BATCHES`] batches.
    pub(in crate::service) async fn purge_ended_connections(&self, now: Timestamp) -> Result<()> {
        let cutoff = now - self.settings.audit_life;
        for _ in 0..MAX_BATCHES {
            let removed = self.db.write(DeleteEnded(cutoff)).await?;
            if i64::try_from(removed).is_ok_and(|removed| removed < BATCH_SIZE) {
                break;
            }
        }
        Ok(())
    }
}

struct DeleteEnded(Timestamp);

op! {
    Op "purge_ended_connections": DeleteEnded -> u64 = |op, c| ended_connections::purge(c, op.0, BATCH_SIZE)
}
