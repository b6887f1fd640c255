//! Advisory locks: how operations on PostgreSQL wait for each other without writing to a row.
//!
//! The sending of a message relies on facts that other operations change: the installation is connected, the
//! recipient's account is active. The sending operation takes the lock of each subject in *shared* mode before it reads
//! the facts, and holds the lock until its commit. An operation that changes a fact *drains* the lock after its commit:
//! it waits until every transaction that may have read the old fact has ended. So nothing that relies on the old fact
//! is written after the change was acknowledged.
//!
//! With advisory locks, no row that many requests read is locked. Shared row locks write to the row and cost a
//! multixact for each set of holders. Also, a stream of shared lockers can starve an exclusive one. The queue of an
//! advisory lock is fair.
//!
//! The lock of a conversation is *exclusive*. Message ids are assigned while it is held, so that the ids within a
//! conversation become visible in ascending order on every node.
//!
//! Locks end with the transaction, as transaction-mode poolers require. SQLite has one writer and
//! needs none.

use super::error::Result;
use super::lock_key::{LockKey, sorted};
use super::op::{Engine, Sql};
use crate::{args, statements};

statements! {
    // takes the locks in the order of the list: a scan of a set-returning function keeps this order
    ACQUIRE: LockingQuery = sqlite "SELECT value FROM json_each($1)"
        postgres "SELECT pg_advisory_xact_lock(number) FROM unnest(CAST($1 AS BIGINT[])) AS number";
    SHARE: LockingQuery = sqlite "SELECT $1" postgres "SELECT pg_advisory_xact_lock_shared($1)";
}

/// Takes exclusive locks until the transaction ends. Facts that were read before must be read again. If other writes of
/// this process wait for one of the locks, the operation is rolled back, and run again after those writes. So it does
/// not occupy a connection while it waits. On SQLite, does nothing.
pub async fn acquire<C: Sql>(c: &mut C, keys: &[LockKey]) -> Result<()> {
    c.enter_queue(keys)?;
    acquire_unqueued(c, keys).await
}

/// Takes exclusive locks like [`acquire`], but keeps its connection while it waits for them.
pub(in crate::store) async fn acquire_unqueued<C: Sql>(c: &mut C, keys: &[LockKey]) -> Result<()> {
    if c.engine() == Engine::Postgres {
        c.lock(&ACQUIRE, args![&sorted(keys)]).await?;
    }
    Ok(())
}

/// Takes a shared lock until the transaction ends. Facts that were read before must be read again. On SQLite, does
/// nothing.
pub async fn share<C: Sql>(c: &mut C, key: LockKey) -> Result<()> {
    if c.engine() == Engine::Postgres {
        c.lock(&SHARE, args![key.number()]).await?;
    }
    Ok(())
}
