//! What operators see of the store: the metrics that begin `switchboard_store_`. Refusals are not failures.

use std::time::Duration;

use metrics::{counter, gauge, histogram};

use super::error::{Error, Result};
use crate::platform::metrics::{
    REPLICA_FALLBACKS, REPLICA_LAG, REPLICA_READS, REPLICA_UP, REPLICA_WAIT, STORE_BATCH, STORE_ERRORS,
    STORE_QUEUE, STORE_RETRIES, STORE_SECONDS,
};

/// From when on an operation is worth a line in the log.
const SLOW: Duration = Duration::from_secs(1);

pub(super) fn operation<T>(op: &'static str, kind: &'static str, took: Duration, result: &Result<T>) {
    histogram!(STORE_SECONDS, "operation" => op, "kind" => kind).record(took);
    if let Err(Error::Store(failure)) = result {
        counter!(STORE_ERRORS, "operation" => op, "class" => failure.class()).increment(1);
    }
    if took >= SLOW && kind != "scan" {
        tracing::warn!(operation = op, kind, milliseconds = took.as_millis(), "slow store operation");
    }
}

pub(super) fn again(op: &'static str) {
    counter!(STORE_RETRIES, "operation" => op).increment(1);
}

/// A replica answered a read.
pub(super) fn replica_read(op: &'static str) {
    counter!(REPLICA_READS, "operation" => op).increment(1);
}

/// The primary answered a read that a replica could have.
pub(super) fn replica_fallback(reason: &'static str) {
    counter!(REPLICA_FALLBACKS, "reason" => reason).increment(1);
}

/// How long a read waited for the replica to replay what it must see.
pub(super) fn replica_wait(took: Duration) {
    histogram!(REPLICA_WAIT).record(took);
}

/// Whether reads go to the replica.
pub(super) fn replica_up(up: bool) {
    gauge!(REPLICA_UP).set(if up { 1.0 } else { 0.0 });
}

/// How many bytes of the log the replica has not replayed.
pub(super) fn replica_lag(bytes: u64) {
    #[expect(clippy::cast_precision_loss, reason = "nobody reads it to the byte")]
    gauge!(REPLICA_LAG).set(bytes as f64);
}

pub(super) fn batch(size: usize, waiting: usize) {
    #[expect(clippy::cast_precision_loss, reason = "both are bounded by the queue's capacity")]
    {
        histogram!(STORE_BATCH).record(size as f64);
        gauge!(STORE_QUEUE).set(waiting as f64);
    }
}
