//! What operators see of the store.
//!
//! - `store_op_seconds{op, kind}`: how long operations took, waiting included; `kind` is read, scan or write.
//! - `store_errors_total{class}`: failures by [`StoreError::class`](super::StoreError::class); refusals are not failures.
//! - `store_batch_size`: operations per commit (SQLite).
//! - `store_queue_depth`: writes waiting for the writer (SQLite).

use std::time::Duration;

use metrics::{counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram};

use super::error::{Error, Result};

/// From when on an operation is worth a line in the log.
const SLOW: Duration = Duration::from_secs(1);

pub(super) fn describe() {
    describe_histogram!(
        "store_op_seconds",
        metrics::Unit::Seconds,
        "Time of store operations, waiting included"
    );
    describe_counter!("store_errors_total", "Store operations that failed, by class");
    describe_histogram!("store_batch_size", metrics::Unit::Count, "Write operations per commit (SQLite)");
    describe_gauge!("store_queue_depth", "Write operations waiting for the writer (SQLite)");
}

pub(super) fn operation<T>(op: &'static str, kind: &'static str, took: Duration, result: &Result<T>) {
    histogram!("store_op_seconds", "op" => op, "kind" => kind).record(took);
    if let Err(Error::Store(failure)) = result {
        counter!("store_errors_total", "class" => failure.class()).increment(1);
    }
    if took >= SLOW && kind != "scan" {
        tracing::warn!(operation = op, kind, milliseconds = took.as_millis(), "slow store operation");
    }
}

pub(super) fn batch(size: usize, waiting: usize) {
    #[expect(clippy::cast_precision_loss, reason = "both are bounded by the queue's capacity")]
    {
        histogram!("store_batch_size").record(size as f64);
        gauge!("store_queue_depth").set(waiting as f64);
    }
}
