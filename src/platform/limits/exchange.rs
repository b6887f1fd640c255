//! The exchange of what nodes let pass: a node decides by what it knows, and tells the others afterwards.
//!
//! An exchange is one statement: it publishes the records of the keys that changed since the last, and returns those that
//! other nodes published meanwhile. There is one every [`EVERY`] while requests come, and none while none do. Requests
//! never wait for it. A record that could not be published stays marked as changed, so nothing piles up while the shared
//! state is away: memory is that of the keys in use.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Mutex, Notify};

use super::bucket::Buckets;
use super::record::Record;
use super::shared::{Batch, Learned, LearnedRow, Published, REST, SharedFailure, SharedLimits, fallback};
use super::window::Windows;
use super::{Key, Limits};
use crate::domain::time::Timestamp;
use crate::platform::clock::Clock;

/// How long a node collects what it lets pass.
const EVERY: Duration = Duration::from_millis(200);

/// How long an exchange may take. Real time: it bounds how long a hanging connection is waited for.
const PATIENCE: Duration = Duration::from_secs(2);

/// How far back each exchange looks again, in microseconds of the state's clock: longer than a record takes from its
/// time of publication until others see it. Reading a record twice does no harm.
const OVERLAP: i64 = 500_000;

/// Most keys in one exchange; the others follow in the next.
const MOST_KEYS: usize = 5_000;

/// What a key belongs to: the first byte of its published form.
const WINDOW: u8 = 0;
const BUCKET: u8 = 1;

/// What this node exchanges with others.
#[derive(Debug)]
pub(super) struct Exchange {
    state: Arc<dyn SharedLimits>,
    clock: Clock,
    node: i64,
    /// Something was decided since the last exchange.
    pub(super) decided: Notify,
    /// Held during an exchange: of two at once, the one with older records could end last.
    progress: Mutex<Progress>,
}

/// How far this node has learned of others.
#[derive(Clone, Copy, Debug)]
struct Progress {
    /// None before the first exchange, which publishes nothing.
    epoch: Option<i64>,
    since: i64,
}

impl Exchange {
    pub(super) fn new(state: Arc<dyn SharedLimits>, clock: Clock, node: i64) -> Self {
        let progress = Mutex::new(Progress { epoch: None, since: 0 });
        Self { state, clock, node, decided: Notify::new(), progress }
    }

    pub(super) fn state(&self) -> &dyn SharedLimits {
        &*self.state
    }

    /// Publishes and learns once.
    async fn run(&self, windows: &Windows, buckets: &Buckets) -> Result<(), SharedFailure> {
        let mut progress = self.progress.lock().await;
        let published = match progress.epoch {
            Some(_) => Changes::collect(windows, buckets, self.clock.now()),
            None => Changes::default(),
        };
        let batch = Batch {
            node: self.node,
            epoch: progress.epoch.unwrap_or(0),
            since: progress.since,
            rows: published.rows(),
        };
        // dropped with this call when the process ends
        let guard = Unpublished { windows, buckets, changes: Some(published) };
        let learned = match tokio::time::timeout(PATIENCE, self.state.exchange(batch)).await {
            Ok(learned) => learned.inspect_err(|_| fallback("failed"))?,
            Err(_) => {
                fallback("slow");
                return Err(SharedFailure("no answer in time".to_owned()));
            }
        };
        guard.published();
        *progress = self.learn(*progress, windows, buckets, learned);
        Ok(())
    }

    /// Counts what others published; how far this node has learned then.
    fn learn(&self, progress: Progress, windows: &Windows, buckets: &Buckets, learned: Learned) -> Progress {
        if progress.epoch.is_some_and(|epoch| epoch != learned.epoch) {
            windows.reset();
            buckets.reset();
        }
        let since = match learned.rows.last().filter(|_| learned.has_more) {
            // records of one exchange have one time, and fewer are published at once than are read
            Some(last) => last.published_at - 1,
            None => learned.now - OVERLAP,
        };
        let now = self.clock.now();
        for row in learned.rows {
            merge(windows, buckets, row, now);
        }
        Progress { epoch: Some(learned.epoch), since }
    }

    /// What was counted before does not any more.
    pub(super) async fn begin_epoch(&self, epoch: i64) {
        self.progress.lock().await.epoch = Some(epoch);
    }
}

/// Counts a record; one that this version cannot read is left out, which is to the callers' good.
fn merge(windows: &Windows, buckets: &Buckets, row: LearnedRow, now: Timestamp) {
    let LearnedRow { node, published: Published { key, record }, .. } = row;
    let Some((kind, key)) = key.split_first() else { return };
    let (Some(key), Some(record)) = (Key::from_bytes(key), Record::decode(&record)) else { return };
    match *kind {
        WINDOW => windows.merge(key, node, record, now),
        BUCKET => buckets.merge(key, node, record, now),
        _ => {}
    }
}

/// Records of keys that changed.
#[derive(Default)]
struct Changes {
    windows: Vec<(Key, Record)>,
    buckets: Vec<(Key, Record)>,
}

impl Changes {
    fn collect(windows: &Windows, buckets: &Buckets, now: Timestamp) -> Self {
        let windows = windows.publish(MOST_KEYS);
        let buckets = buckets.publish(MOST_KEYS - windows.len(), now);
        Self { windows, buckets }
    }

    fn rows(&self) -> Vec<Published> {
        let row = |kind: u8, (key, record): &(Key, Record)| Published {
            key: [&[kind][..], &key.to_bytes()].concat(),
            record: record.encode(),
        };
        let mut rows: Vec<Published> = self.windows.iter().map(|change| row(WINDOW, change)).collect();
        rows.extend(self.buckets.iter().map(|change| row(BUCKET, change)));
        rows.sort_unstable_by(|one, other| one.key.cmp(&other.key));
        rows
    }
}

/// Marks keys as changed again unless they were published, also where the exchange is given up half-way.
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
                self.windows.unpublish(key);
            }
            for (key, _) in buckets {
                self.buckets.unpublish(key);
            }
        }
    }
}

impl Limits {
    /// Tells other nodes what passed on this one since the last exchange, and learns what passed on them; does nothing
    /// where this node is alone. [`Limits::keep_exchanging`] calls it.
    ///
    /// # Errors
    /// The shared state's. What was to be told is told by the next exchange.
    pub async fn exchange(&self) -> Result<(), SharedFailure> {
        match &self.exchange {
            Some(exchange) => exchange.run(&self.windows, &self.buckets).await,
            None => Ok(()),
        }
    }

    /// Exchanges with other nodes for as long as it is polled: at once, so that a new process knows what passed, and then
    /// a little after each decision. While the shared state is away it tries again every second.
    pub async fn keep_exchanging(&self) {
        let Some(exchange) = &self.exchange else { return };
        let mut is_away = false;
        loop {
            let failed = self.exchange().await.err();
            match &failed {
                Some(failure) if !is_away => {
                    tracing::warn!(%failure, "failed to share rate limits with other nodes; this node decides alone");
                }
                None if is_away => tracing::info!("rate limits are shared with other nodes again"),
                _ => {}
            }
            is_away = failed.is_some();
            if is_away {
                exchange.clock.pause(REST).await;
            } else {
                exchange.decided.notified().await;
                exchange.clock.pause(EVERY).await;
            }
        }
    }
}

#[cfg(test)]
mod tests;
