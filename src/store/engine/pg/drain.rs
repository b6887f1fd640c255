//! Drains advisory locks. To drain a lock is to wait, after a commit, until every transaction that held the lock at the
//! commit has ended. An operation drains a lock if it has changed a fact on which the holders of the lock rely, for
//! example that an installation is connected. The change is acknowledged only after the wait ([`locks`]).

use super::PgStore;
use crate::store::engine::as_of;
use crate::store::engine::error::{Error, Result};
use crate::store::engine::lock_key::LockKey;
use crate::store::engine::locks;
use crate::store::engine::op::{Op, Sql};
use crate::store::engine::work::Pending;

/// Maximum number of locks taken by one statement. The number is small, because all clients of the database server
/// share its lock table.
const BATCH: usize = 64;

/// Maximum number of calls of [`PgStore::tries`] that take the locks of a batch. In each call, `lock_timeout` limits
/// the wait for each lock.
const MAX_CALLS: u32 = 3;

/// An operation that takes exclusive locks. Its commit releases them.
struct Drain(Vec<LockKey>);

impl Op for Drain {
    const NAME: &'static str = "drain_locks";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        locks::acquire_unqueued(c, &self.0).await
    }
}

impl PgStore {
    /// Waits until a committed revocation is effective for every request. After the wait, every write that held one of
    /// the locks at the commit has ended. The wait takes at least [`as_of::FINAL`], so no node still uses permissions
    /// that it read before the commit.
    ///
    /// If none of the keys is the key of a subject ([`LockKey`]), the committed operation has revoked nothing. Then
    /// this method does the same as [`PgStore::drain`].
    ///
    /// # Errors
    /// The errors of [`PgStore::drain`].
    pub(super) async fn drain_revoked(&self, keys: &[LockKey]) -> Result<()> {
        if !keys.iter().any(|key| key.is_subject()) {
            return self.drain(keys).await;
        }
        let (drained, ()) = tokio::join!(self.drain(keys), tokio::time::sleep(as_of::FINAL));
        drained
    }

    /// Waits until every transaction that holds one of the locks has ended. A transaction that takes one of the locks
    /// later sees the committed changes.
    ///
    /// # Errors
    /// Unavailable if the locks cannot be taken, for example because the transaction of a holder does not end in time.
    /// The changes that were committed before this call remain committed.
    pub(super) async fn drain(&self, keys: &[LockKey]) -> Result<()> {
        let mut keys = keys.to_vec();
        keys.sort_unstable();
        keys.dedup();
        for batch in keys.chunks(BATCH) {
            self.drain_batch(Drain(batch.to_vec())).await?;
        }
        Ok(())
    }

    async fn drain_batch(&self, drain: Drain) -> Result<()> {
        let drain = Pending::write(drain);
        let mut calls = 1;
        loop {
            match self.tries(Drain::NAME, || self.try_write(&drain, false)).await {
                Ok(_) => return Ok(()),
                Err(error @ Error::Store(_)) if calls == MAX_CALLS => {
                    tracing::warn!(%error, "failed to wait for writes that began before a change was committed");
                    return Err(error);
                }
                Err(Error::Store(_)) => calls += 1,
                Err(refused @ Error::Refused(_)) => return Err(refused),
            }
        }
    }
}
