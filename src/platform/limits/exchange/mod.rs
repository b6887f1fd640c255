//! The exchange of counts between nodes. A node decides a request by the counts in its memory. Afterwards the node
//! publishes to the other nodes which requests it allowed.
//!
//! A *key* ([`LimitKey`]) identifies a caller, a route and a limit. A [`Record`] has the requests that one node allowed
//! for one key. An exchange is one statement on the shared state ([`SharedLimits`]). The statement publishes the
//! records of the keys that changed since the last exchange, and returns the records that other nodes published in the
//! meantime. Exchanges run every [`INTERVAL`] while requests arrive, or while the last exchange left records
//! unpublished or unread. Requests never wait for an exchange.
//!
//! If a record could not be published, its key is marked as changed again. A node has no queue of unpublished records.
//! So even if the shared state is unavailable, the memory is bounded by the number of keys in use.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Mutex, Notify};

use super::bucket::Buckets;
use super::record::Record;
use super::shared::{
    BACKOFF, ExchangeResult, Published, RecordBatch, RemoteRecord, SharedFailure, SharedLimits, fallback,
};
use super::window::Windows;
use super::{LimitKey, Limits};
use crate::domain::time::Timestamp;
use crate::platform::clock::Clock;

/// How long a node collects allowed requests before it publishes them.
const INTERVAL: Duration = Duration::from_millis(200);

/// Timeout of an exchange, for a connection that hangs.
const TIMEOUT: Duration = Duration::from_secs(2);

/// The overlap of two successive exchanges, in microseconds of the shared state's clock: an exchange also reads the
/// records that were published up to this long before the previous exchange.
///
/// Without the overlap, a node would miss records: the publication time of a record is the start of the publishing
/// statement, but other nodes can read the record only after the commit. The overlap is longer than [`TIMEOUT`]. A
/// statement that takes longer than [`TIMEOUT`] counts as failed, and its records are published again. Reading a record
/// several times is harmless.
const OVERLAP: i64 = 2_500_000;

/// Maximum number of keys whose records one exchange publishes; the next exchange publishes the others.
const MAX_KEYS: usize = 5_000;

/// The kind of limit, [`WINDOW`] or [`BUCKET`]: the first byte of a published key.
const WINDOW: u8 = 0;
const BUCKET: u8 = 1;

/// The exchange state of this node.
#[derive(Debug)]
pub(super) struct CountExchange {
    state: Arc<dyn SharedLimits>,
    clock: Clock,
    node: i64,
    /// Notified when the counts of this node have possibly changed; triggers the next exchange.
    pub(super) decided: Notify,
    /// Locked during an exchange. If two exchanges ran concurrently, the exchange with the older records could finish
    /// last, and replace the newer records.
    progress: Mutex<ExchangeProgress>,
}

/// How far this node has read the records of other nodes.
#[derive(Clone, Copy, Debug)]
struct ExchangeProgress {
    /// The epoch of this node's counts. Each reset of the limits begins a new epoch. `None` until an exchange has read
    /// the epoch or this node has reset the limits. While it is `None`, an exchange publishes no records.
    epoch: Option<i64>,
    /// The next exchange reads the records that were published after this time, by the shared state's clock in
    /// microseconds.
    since: i64,
}

impl CountExchange {
    pub(super) fn new(state: Arc<dyn SharedLimits>, clock: Clock, node: i64) -> Self {
        let progress = Mutex::new(ExchangeProgress { epoch: None, since: 0 });
        Self { state, clock, node, decided: Notify::new(), progress }
    }

    pub(super) fn state(&self) -> &dyn SharedLimits {
        &*self.state
    }

    /// Runs one exchange: publishes the records of this node and reads those of other nodes. Returns whether the
    /// exchange reached its maximum size, so that more records are possibly left to publish or to read.
    async fn run(&self, windows: &Windows, buckets: &Buckets) -> Result<bool, SharedFailure> {
        let mut progress = self.progress.lock().await;
        let published = match progress.epoch {
            Some(_) => Changes::collect(windows, buckets, self.clock.now()),
            None => Changes::default(),
        };
        let batch = RecordBatch {
            node: self.node,
            epoch: progress.epoch.unwrap_or(0),
            since: progress.since,
            rows: published.rows(),
        };
        let is_full = batch.rows.len() >= MAX_KEYS;
        // at shutdown this future is dropped; dropping the guard marks the keys as changed again
        let guard = Unpublished { windows, buckets, changes: Some(published) };
        let exchanged = match tokio::time::timeout(TIMEOUT, self.state.exchange(batch)).await {
            Ok(exchanged) => exchanged.inspect_err(|_| fallback("failed"))?,
            Err(_) => {
                fallback("slow");
                return Err(SharedFailure("timed out".to_owned()));
            }
        };
        guard.published();
        let has_more = is_full || exchanged.has_more;
        *progress = self.merge_all(*progress, windows, buckets, exchanged);
        Ok(has_more)
    }

    /// Counts the requests that other nodes published. Returns the new progress.
    fn merge_all(
        &self,
        progress: ExchangeProgress,
        windows: &Windows,
        buckets: &Buckets,
        exchanged: ExchangeResult,
    ) -> ExchangeProgress {
        if progress.epoch.is_some_and(|epoch| epoch != exchanged.epoch) {
            windows.reset();
            buckets.reset();
        }
        let since = match exchanged.rows.last().filter(|_| exchanged.has_more) {
            // All records that a node publishes in one exchange have the same publication time. This exchange has
            // possibly read only some of the records that have the publication time of its last record. So the next
            // exchange reads all records of that time again. It also gets to later records, because an exchange reads
            // more records than a node publishes in one exchange (`MAX_READ` in `store/engine/pg/limits.rs`).
            Some(last) => last.published_at - 1,
            None => exchanged.now - OVERLAP,
        };
        let now = self.clock.now();
        for row in exchanged.rows {
            merge(windows, buckets, row, now);
        }
        ExchangeProgress { epoch: Some(exchanged.epoch), since }
    }

    /// Begins a new epoch, so that records of earlier epochs no longer count, and resets the counts of this node. The
    /// node's epoch and its counts change while no exchange runs. Otherwise an exchange could publish the old counts in
    /// the new epoch.
    ///
    /// # Errors
    /// Errors of the shared state.
    pub(super) async fn reset(&self, windows: &Windows, buckets: &Buckets) -> Result<(), SharedFailure> {
        let epoch = self.state.reset().await?;
        let mut progress = self.progress.lock().await;
        // a concurrent reset can have set a later epoch
        progress.epoch = progress.epoch.max(Some(epoch));
        windows.reset();
        buckets.reset();
        Ok(())
    }
}

/// Counts the requests of a record. Ignores a malformed record and a record of an unknown version.
fn merge(windows: &Windows, buckets: &Buckets, row: RemoteRecord, now: Timestamp) {
    let RemoteRecord { node, published: Published { key, record }, .. } = row;
    let Some((kind, key)) = key.split_first() else { return };
    let (Some(key), Some(record)) = (LimitKey::from_bytes(key), Record::decode(&record)) else { return };
    match *kind {
        WINDOW => windows.merge(key, node, record, now),
        BUCKET => buckets.merge(key, node, record, now),
        _ => {}
    }
}

/// Records of changed keys.
#[derive(Default)]
struct Changes {
    windows: Vec<(LimitKey, Record)>,
    buckets: Vec<(LimitKey, Record)>,
}

impl Changes {
    fn collect(windows: &Windows, buckets: &Buckets, now: Timestamp) -> Self {
        let windows = windows.publish(MAX_KEYS);
        let buckets = buckets.publish(MAX_KEYS - windows.len(), now);
        Self { windows, buckets }
    }

    fn rows(&self) -> Vec<Published> {
        let row = |kind: u8, (key, record): &(LimitKey, Record)| Published {
            key: [&[kind][..], &key.to_bytes()].concat(),
            record: record.encode(),
        };
        let mut rows: Vec<Published> = self.windows.iter().map(|change| row(WINDOW, change)).collect();
        rows.extend(self.buckets.iter().map(|change| row(BUCKET, change)));
        rows.sort_unstable_by(|one, other| one.key.cmp(&other.key));
        rows
    }
}

/// Marks the keys as changed again when this value is dropped, unless [`Unpublished::published`] was called. If the
/// exchange failed or its future was dropped, the records were possibly not published.
struct Unpublished<'a> {
    windows: &'a Windows,
    buckets: &'a Buckets,
    changes: Option<Changes>,
}

impl Unpublished<'_> {
    fn published(mut self) {
        self.changes = None;
    }
}

impl Drop for Unpublished<'_> {
    fn drop(&mut self) {
        if let Some(Changes { windows, buckets }) = self.changes.take() {
            for (key, _) in windows {
                self.windows.mark_unpublished(key);
            }
            for (key, _) in buckets {
                self.buckets.mark_unpublished(key);
            }
        }
    }
}

impl Limits {
    /// Runs one exchange immediately. Does nothing if this node shares no limits. Only tests call this method; a server
    /// process runs [`Limits::keep_exchanging`].
    ///
    /// # Errors
    /// Errors of the shared state. Unpublished records are published by the next exchange.
    pub async fn exchange(&self) -> Result<(), SharedFailure> {
        match &self.exchange {
            Some(exchange) => exchange.run(&self.windows, &self.buckets).await.map(drop),
            None => Ok(()),
        }
    }

    /// Exchanges records with other nodes until the future is dropped. The first exchange runs immediately, so that a
    /// new process has the current counts. Later exchanges run shortly after a decision, and are repeated until no
    /// records are left to publish or to read. After a failed exchange, retries every second.
    pub async fn keep_exchanging(&self) {
        let Some(exchange) = &self.exchange else { return };
        let mut is_failing = false;
        loop {
            let exchanged = exchange.run(&self.windows, &self.buckets).await;
            match &exchanged {
                Err(failure) if !is_failing => {
                    tracing::warn!(%failure, "failed to share rate limits with other nodes; deciding locally");
                }
                Ok(_) if is_failing => tracing::info!("sharing rate limits with other nodes again"),
                _ => {}
            }
            is_failing = exchanged.is_err();
            let pause = match exchanged {
                Err(_) => BACKOFF,
                Ok(true) => INTERVAL,
                Ok(false) => {
                    exchange.decided.notified().await;
                    INTERVAL
                }
            };
            exchange.clock.pause(pause).await;
        }
    }
}

#[cfg(test)]
mod tests;
