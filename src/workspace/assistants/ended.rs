//! Ended connections are kept as long as the audit of their calls, and then forgotten. Called by the upkeep.

use crate::{
    domain::time::Timestamp,
    store::{Op, Result, Sql, ended_connections},
    workspace::World,
};

/// How many are removed in one transaction.
const AT_ONCE: i64 = 500;
/// How many transactions a run makes at most.
const GOES: usize = 200;

impl World {
    /// Removes the connections that ended before all that the audit still shows, once their tokens are cleared away.
    pub(in crate::workspace) async fn forget_ended_connections(&self, now: Timestamp) -> Result<()> {
        let cutoff = now - self.settings.audit_life;
        for _ in 0..GOES {
            let removed = self.db.write(Forget(cutoff)).await?;
            if i64::try_from(removed).is_ok_and(|removed| removed < AT_ONCE) {
                break;
            }
        }
        Ok(())
    }
}

struct Forget(Timestamp);

impl Op for Forget {
    const NAME: &'static str = "forget_ended_connections";
    type Out = u64;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<u64> {
        ended_connections::forget(c, self.0, AT_ONCE).await
    }
}
