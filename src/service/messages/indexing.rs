//! Updates the search index: adds new and changed messages, and removes messages of deleted conversations.
//!
//! A background task of every process calls [`World::index_some`] until nothing is pending, and again after a second.
//! [`World::run_due`], which runs every maintenance job once, calls [`World::index_messages`]. Pending messages are
//! rows of a table. So a crash loses none of them, and nodes share the work
//! (`docs/decisions/0005-message-search.md`).

use crate::service::World;
use crate::store::{Op, Result, Sql, op, search};

/// Maximum number of messages that one transaction indexes or removes. On SQLite, other writes wait for this
/// transaction.
const BATCH_SIZE: i64 = 200;
/// Maximum number of calls of [`World::index_some`] per call of [`World::index_messages`].
const MAX_BATCHES: usize = 50;

impl World {
    /// Indexes a batch of pending messages, and removes a batch of messages of a deleted conversation from the index.
    /// Returns `true` if this call did any work, because more work is then possibly pending. Returns `false` if nothing
    /// was pending, or if other processes are doing all pending work.
    ///
    /// # Errors
    /// Store errors; the next call continues.
    pub async fn index_some(&self) -> Result<bool> {
        // checked with a read first, because a write costs a commit even if nothing is pending
        if !self.db.read(IsPending).await? {
            return Ok(false);
        }
        let indexed = self.db.write(IndexMessages).await;
        // the error of the indexing is returned only after the removal, so that it does not prevent the removal
        let purged = self.db.write(RemoveDeleted).await?;
        Ok(indexed? > 0 || purged)
    }

    /// Calls [`World::index_some`] until the call returns `false`, but at most [`MAX_BATCHES`] times.
    ///
    /// # Errors
    /// Errors of [`World::index_some`].
    pub async fn index_messages(&self) -> Result<()> {
        for _ in 0..MAX_BATCHES {
            if !self.index_some().await? {
                break;
            }
        }
        Ok(())
    }
}

struct IsPending;

op! { ReadOp "look_for_unindexed", SINGLE: IsPending -> bool = |_, c| search::is_pending(c) }

struct IndexMessages;

op! { Op "index_messages": IndexMessages -> usize = |_, c| search::index_queued(c, BATCH_SIZE) }

struct RemoveDeleted;

impl Op for RemoveDeleted {
    const NAME: &'static str = "unindex_messages";
    /// Whether more messages possibly have to be removed.
    type Out = bool;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<bool> {
        Ok(search::remove_deleted(c, BATCH_SIZE).await?.is_some())
    }
}
