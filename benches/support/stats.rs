//! Counts and latencies of every operation, and the times at which requests failed.

use std::{
    collections::BTreeMap,
    sync::Mutex,
    time::{Duration, Instant},
};

/// Length of the spans of time by which requests are grouped. The end of a request determines its span.
pub const BUCKET: Duration = Duration::from_millis(250);

/// How a request ended.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum End {
    Ok,
    /// 4xx, with the error code.
    Refused(String),
    /// 5xx. The text is the error code of a 503, and the status and the error code of any other 5xx.
    Failed(String),
    /// There was no response; the text names the error.
    NoResponse(&'static str),
}

impl End {
    /// Returns whether the service worked: it sent a response other than 5xx.
    pub fn is_available(&self) -> bool {
        matches!(self, Self::Ok | Self::Refused(_))
    }
}

/// Counts and latencies of one operation.
#[derive(Default)]
pub struct Operation {
    /// Latencies of the successful requests, in µs.
    pub latencies: Vec<u32>,
    pub ends: BTreeMap<End, u64>,
}

/// Requests that ended in the same quarter of a second.
#[derive(Clone, Copy, Default)]
struct Bucket {
    all: u32,
    failed: u32,
    /// The latency of the slowest successful request.
    longest: Duration,
}

/// The effect of a fault on the requests.
#[derive(Clone, Copy, Debug, Default)]
pub struct Outage {
    pub failed: u32,
    /// The time from the start of the fault to the end of the last bucket in which at least 5 % of the requests failed.
    pub until: Duration,
    /// The latency of the slowest successful request.
    pub longest: Duration,
}

#[derive(Default)]
struct Inner {
    operations: BTreeMap<&'static str, Operation>,
    begun: Option<Instant>,
    ended: Option<Instant>,
    /// The buckets, by their number. The bucket 0 begins at `begun`.
    buckets: BTreeMap<u64, Bucket>,
    /// Number of the 5xx responses that no injected fault explains, by operation and code. A fault explains a 503 that
    /// has the code `server_error` or has no JSON body. Responses after the counted period are included.
    unexpected: BTreeMap<String, u64>,
}

#[derive(Default)]
pub struct Stats(Mutex<Inner>);

impl Stats {
    /// Resets the counts and starts to count.
    pub fn begin(&self) {
        *self.0.lock().unwrap() = Inner { begun: Some(Instant::now()), ..Inner::default() };
    }

    /// Stops counting and returns the counted duration.
    pub fn end(&self) -> Duration {
        let mut inner = self.0.lock().unwrap();
        let now = Instant::now();
        inner.ended = Some(now);
        inner.begun.map_or(Duration::ZERO, |begun| now - begun)
    }

    pub fn record(&self, operation: &'static str, begun: Instant, ended: Instant, end: End) {
        let mut inner = self.0.lock().unwrap();
        if let End::Failed(code) = &end
            && code != "server_error"
        {
            *inner.unexpected.entry(format!("{operation}: {code}")).or_default() += 1;
        }
        let Some(start) = inner.begun.filter(|start| begun >= *start) else { return };
        if inner.ended.is_some_and(|end| begun >= end) {
            return;
        }
        let number = ((ended - start).as_millis() / BUCKET.as_millis()) as u64;
        let bucket = inner.buckets.entry(number).or_default();
        bucket.all += 1;
        if end == End::Ok {
            bucket.longest = bucket.longest.max(ended - begun);
        }
        if !end.is_available() {
            bucket.failed += 1;
        }
        let operation = inner.operations.entry(operation).or_default();
        if end == End::Ok {
            operation.latencies.push((ended - begun).as_micros() as u32);
        }
        *operation.ends.entry(end).or_default() += 1;
    }

    /// Returns the number of 5xx responses that no injected fault explains, by operation and code.
    pub fn unexpected(&self) -> Vec<(String, u64)> {
        self.0.lock().unwrap().unexpected.iter().map(|(what, count)| (what.clone(), *count)).collect()
    }

    /// Summarizes the requests that ended from `from` to `until`, rounded to whole buckets. `from` is the start of an
    /// injected fault.
    pub fn outage(&self, from: Instant, until: Instant) -> Outage {
        let inner = self.0.lock().unwrap();
        let Some(start) = inner.begun else { return Outage::default() };
        let number = |at: Instant| ((at - start).as_millis() / BUCKET.as_millis()) as u64;
        let mut outage = Outage::default();
        for (number, bucket) in inner.buckets.range(number(from)..=number(until)) {
            outage.failed += bucket.failed;
            outage.longest = outage.longest.max(bucket.longest);
            if bucket.failed * 20 >= bucket.all && bucket.failed > 0 {
                let end = start + BUCKET * (*number as u32 + 1);
                outage.until = end.saturating_duration_since(from);
            }
        }
        outage
    }

    /// Calls a function with every operation. The latencies of an operation are sorted.
    pub fn each(&self, mut see: impl FnMut(&'static str, &Operation)) {
        let mut inner = self.0.lock().unwrap();
        for (name, operation) in &mut inner.operations {
            operation.latencies.sort_unstable();
            see(name, operation);
        }
    }

    /// Returns the number of requests that got a response other than 5xx.
    pub fn served(&self) -> u64 {
        let inner = self.0.lock().unwrap();
        let ends = inner.operations.values().flat_map(|operation| &operation.ends);
        ends.filter(|(end, _)| end.is_available()).map(|(_, count)| count).sum()
    }
}
