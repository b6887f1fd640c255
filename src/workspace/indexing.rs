//! Keeping the search index up to date: messages that were written or changed are taken in, those of deleted
//! conversations are taken out.
//!
//! Called all the time by every process, and by the upkeep. What waits is a table, so nothing is missed whoever dies,
//! and several nodes share the work (`docs/decisions/0005-message-search.md`).

use super::World;
use crate::store::{Op, Result, Sql, search};

/// Messages in one transaction: on SQLite the writer is busy with them for a few milliseconds.
const AT_ONCE: i64 = 200;
/// Goes of one call, so that the upkeep comes to its other work.
const GOES: usize = 50;

impl World {
    /// Takes in some of what waits; whether there is more.
    ///
    /// # Errors
    /// Those of the store; what was not done is done by the next call.
    pub async fn index_some(&self) -> Result<bool> {
        // a look first: a write costs a commit, and mostly nothing waits
        if !self.db.read(Waits).await? {
            return Ok(false);
        }
        let taken = self.db.write(TakeIn).await;
        // what is gone leaves the index whatever became of what is new
        let purged = self.db.write(TakeOut).await?;
        Ok(taken? > 0 || purged)
    }

    /// Takes in what waits, up to a bound.
    ///
    /// # Errors
    /// Those of [`World::index_some`].
    pub async fn index_messages(&self) -> Result<()> {
        for _ in 0..GOES {
            if !self.index_some().await? {
                break;
            }
        }
        Ok(())
    }
}

struct Waits;

impl Op for Waits {
    const NAME: &'static str = "look_for_unindexed";
    const SINGLE: bool = true;
    type Out = bool;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<bool> {
        search::anything_waits(c).await
    }
}

struct TakeIn;

impl Op for TakeIn {
    const NAME: &'static str = "index_messages";
    type Out = usize;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<usize> {
        search::take_in(c, AT_ONCE).await
    }
}

struct TakeOut;

impl Op for TakeOut {
    const NAME: &'static str = "unindex_messages";
    /// Whether there may be more.
    type Out = bool;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<bool> {
        Ok(search::take_out(c, AT_ONCE).await?.is_some())
    }
}
