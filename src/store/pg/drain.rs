//! Waiting for those who hold an advisory lock: the last step of an operation that changed what they rely on.

use sqlx::PgPool;

use super::class_of;
use crate::store::error::StoreError;
use crate::store::locks::{LockKey, sorted};

/// Most locks taken by one statement: the server's table of locks is shared by all.
const BATCH: usize = 64;

/// How often a drain is tried; each try waits for up to `lock_timeout`.
const TRIES: u32 = 3;

/// A transaction of its own: the locks are given back as soon as they were granted.
const DRAIN: &str = "SELECT pg_advisory_xact_lock(number) FROM unnest($1) AS number";

/// Waits until every transaction that held one of the locks has ended; who takes one later sees what was committed.
///
/// # Errors
/// Unavailable when a holder does not end in time. The change is committed all the same, and making it again changes
/// nothing.
pub(super) async fn drain(pool: &PgPool, keys: &[LockKey]) -> Result<(), StoreError> {
    for numbers in sorted(keys).chunks(BATCH) {
        let mut tried = 1;
        while let Err(error) = sqlx::query(DRAIN).bind(numbers).execute(pool).await {
            if tried == TRIES {
                tracing::warn!(%error, "failed to wait for writes that began before a change was committed");
                return Err(class_of(&error));
            }
            tried += 1;
        }
    }
    Ok(())
}
