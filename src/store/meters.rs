//! What operators see of the store: the metrics that begin `switchboard_store_`. Refusals are not failures.

use std::time::Duration;

use metrics::{counter, gauge, histogram};

use super::error::{Error, Result};
use crate::platform::metrics::{STORE_BATCH, STORE_ERRORS, STORE_QUEUE, STORE_RETRIES, STORE_SECONDS};

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

pub(super) fn batch(size: usize, waiting: usize) {
    #[expect(clippy::cast_precision_loss, reason = "both are bounded by the queue's capacity")]
    {
        histogram!(STORE_BATCH).record(size as f64);
        gauge!(STORE_QUEUE).set(waiting as f64);
    }
}
