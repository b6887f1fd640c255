//! Waiting for those who hold an advisory lock: the last step of an operation that changed what they rely on.

use super::Store;
use crate::store::error::{Error, Result};
use crate::store::locks::{self, LockKey};
use crate::store::op::{Op, Sql};

/// Most locks taken by one statement: the server's table of locks is shared by all.
const BATCH: usize = 64;

/// How often a drain is tried; each try waits for up to `lock_timeout`.
const TRIES: u32 = 3;

/// Takes locks and gives them back with its commit.
struct Drain(Vec<LockKey>);

impl Op for Drain {
    const NAME: &'static str = "drain_locks";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        locks::acquire(c, &self.0).await
    }
}

impl Store {
    /// Waits until every transaction that held one of the locks has ended; who takes one later sees what was committed.
    ///
    /// # Errors
    /// Unavailable when a holder does not end in time. The change is committed all the same, and making it again changes
    /// nothing.
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
        let mut tried = 1;
        loop {
            match self.tries(Drain::NAME, || self.try_write(&drain)).await {
                Ok(_) => return Ok(()),
                Err(error @ Error::Store(_)) if tried == TRIES => {
                    tracing::warn!(%error, "failed to wait for writes that began before a change was committed");
                    return Err(error);
                }
                Err(Error::Store(_)) => tried += 1,
                Err(refused @ Error::Refused(_)) => return Err(refused),
            }
        }
    }
}
