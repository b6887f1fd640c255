//! Records the metrics whose names begin with `switchboard_store_` or `switchboard_replica_`.

use std::time::Duration;

use metrics::{counter, gauge, histogram};

use super::error::{Error, Result};
use crate::platform::metrics::{
    REPLICA_FALLBACKS, REPLICA_LAG, REPLICA_READS, REPLICA_UP, REPLICA_WAIT, STORE_BATCH, STORE_ERRORS,
    STORE_QUEUE, STORE_RETRIES, STORE_SECONDS,
};

/// An operation that takes at least this long is logged as slow.
const SLOW: Duration = Duration::from_secs(1);

/// Records the duration of an operation, and counts the operation if the store failed. A rejection by a business rule
/// is not a failure of the store. Logs a slow operation, unless it is a scan, because scans are expected to be slow.
pub(in crate::store) fn operation(op: &'static str, kind: &'static str, took: Duration, result: &Result<()>) {
    histogram!(STORE_SECONDS, "operation" => op, "kind" => kind).record(took);
    if let Err(Error::Store(failure)) = result {
        counter!(STORE_ERRORS, "operation" => op, "class" => failure.class()).increment(1);
    }
    if took >= SLOW && kind != "scan" {
        tracing::warn!(operation = op, kind, milliseconds = took.as_millis(), "slow store operation");
    }
}

/// Counts a retry of an operation.
pub(in crate::store) fn retried(op: &'static str) {
    counter!(STORE_RETRIES, "operation" => op).increment(1);
}

/// Counts a read that a replica answered.
pub(in crate::store) fn replica_read(op: &'static str) {
    counter!(REPLICA_READS, "operation" => op).increment(1);
}

/// Counts a read that the primary answered, although a replica was allowed to answer it.
pub(in crate::store) fn replica_fallback(reason: &'static str) {
    counter!(REPLICA_FALLBACKS, "reason" => reason).increment(1);
}

/// Records how long a read waited for the replica to replay the write-ahead log.
pub(in crate::store) fn replica_wait(took: Duration) {
    histogram!(REPLICA_WAIT).record(took);
}

/// Records whether reads go to the replica.
pub(in crate::store) fn replica_up(up: bool) {
    gauge!(REPLICA_UP).set(if up { 1.0 } else { 0.0 });
}

/// Records how many bytes of the write-ahead log the replica has not replayed.
pub(in crate::store) fn replica_lag(bytes: u64) {
    #[expect(
        clippy::cast_precision_loss,
        reason = "a metric in bytes does not need exact values above 2^53"
    )]
    gauge!(REPLICA_LAG).set(bytes as f64);
}

/// Records the number of writes that the SQLite writer commits together, and the number of writes in its queue.
pub(in crate::store) fn batch(size: usize, waiting: usize) {
    #[expect(clippy::cast_precision_loss, reason = "both are bounded by settings, far below 2^53")]
    {
        histogram!(STORE_BATCH).record(size as f64);
        gauge!(STORE_QUEUE).set(waiting as f64);
    }
}
