//! Advisory locks. On PostgreSQL, operations use them to wait for each other without writing to a row.
//!
//! Many operations rely on facts that other operations change. For example, an operation that sends a message relies on
//! two facts: the installation is connected, and the recipient's account is active. The installation and the recipient
//! are the *subjects* of these facts, and each subject has a lock. The sending operation takes both locks in *shared*
//! mode before it reads the facts, and holds the locks until its commit.
//!
//! An operation that changes a fact *drains* the subject's lock after its commit. To drain a lock is to wait until
//! every transaction that held the lock at the commit has ended. Only then is the change acknowledged. So after the
//! acknowledgement, nothing is written that relies on the old fact.
//!
//! The alternative would be shared locks of the rows (`FOR SHARE`), which have two disadvantages. Each shared lock of a
//! row writes to the row, and costs a multixact for each set of holders. And an operation that needs an exclusive lock
//! of a row can starve if new shared locks are taken all the time. The queue of an advisory lock is fair.
//!
//! The lock of a conversation is taken in *exclusive* mode. A message gets its id while its operation holds this lock.
//! So the messages of a conversation become visible in ascending order of their ids, on every node.
//!
//! All these locks end with the transaction, because a pooler in transaction mode does not support session-level
//! advisory locks. SQLite has one writer and needs no locks.

use super::error::Result;
use super::lock_key::{LockKey, sorted};
use super::op::{Engine, Sql};
use crate::{args, statements};

statements! {
    // the locks are taken in the order of the list, because a scan of a set-returning function keeps its order
    ACQUIRE: LockingQuery = sqlite "SELECT value FROM json_each($1)"
        postgres "SELECT pg_advisory_xact_lock(number) FROM unnest(CAST($1 AS BIGINT[])) AS number";
    SHARE: LockingQuery = sqlite "SELECT $1" postgres "SELECT pg_advisory_xact_lock_shared($1)";
}

/// Takes exclusive locks, which are held until the transaction ends. Facts that the operation read before this call may
/// have changed during the wait, so the operation must read them again. On SQLite, does nothing.
///
/// If other writes of this process already hold or wait for one of the locks, the operation is rolled back, and is run
/// again after those writes. So the operation does not occupy a connection while it waits.
pub async fn acquire<C: Sql>(c: &mut C, keys: &[LockKey]) -> Result<()> {
    c.enter_queue(keys)?;
    acquire_unqueued(c, keys).await
}

/// Takes exclusive locks as [`acquire`] does, but the operation keeps its connection while it waits for the locks.
pub(in crate::store) async fn acquire_unqueued<C: Sql>(c: &mut C, keys: &[LockKey]) -> Result<()> {
    if c.engine() == Engine::Postgres {
        c.lock(&ACQUIRE, args![&sorted(keys)]).await?;
    }
    Ok(())
}

/// Takes a shared lock, which is held until the transaction ends. Facts that the operation read before this call may
/// have changed during the wait, so the operation must read them again. On SQLite, does nothing.
pub async fn share<C: Sql>(c: &mut C, key: LockKey) -> Result<()> {
    if c.engine() == Engine::Postgres {
        c.lock(&SHARE, args![key.number()]).await?;
    }
    Ok(())
}
