//! Tests with several nodes in one process that exchange their counts through an in-memory table. The submodule `exact`
//! compares the decisions of the nodes with those of an exact limit, which counts the allowed requests of all nodes.
//!
//! A *promise* is the `Retry-After` of a rejection: if no request was allowed since the rejection, the next request
//! after this time is allowed.

mod exact;

use std::collections::BTreeMap;

use parking_lot::Mutex;

use super::*;
use crate::platform::limits::record::CLOCKS_APART;
use crate::platform::limits::shared::{SharedKey, StateFuture, WindowPosition};
use crate::platform::limits::{LIST, REFERENCE, Rate, SEND, Window};

const SECOND: i64 = 1_000_000;

/// A substitute for the shared state in the database.
#[derive(Debug, Default)]
struct Table(Mutex<Rows>);

#[derive(Debug, Default)]
struct Rows {
    epoch: i64,
    /// The clock of the shared state in microseconds. Each exchange that succeeds advances the clock by one.
    ticks: i64,
    records: BTreeMap<(Vec<u8>, i64), (i64, RemoteRecord)>,
    is_unavailable: bool,
    /// Whether the next exchange reports that there are more records to read.
    has_more: bool,
    /// Whether the next exchange commits late: its records stay uncommitted until [`Rows::commit`].
    commits_late: bool,
    uncommitted: Vec<(i64, RemoteRecord)>,
    exchanges: usize,
}

impl Rows {
    fn insert(&mut self, epoch: i64, row: RemoteRecord) {
        self.records.insert((row.published.key.clone(), row.node), (epoch, row));
    }

    fn commit(&mut self) {
        for (epoch, row) in std::mem::take(&mut self.uncommitted) {
            self.insert(epoch, row);
        }
    }
}

impl SharedLimits for Table {
    fn count(&self, _: SharedKey, _: u32, _: i64, _: Timestamp, _: i64) -> StateFuture<'_, WindowPosition> {
        Box::pin(async { Err(SharedFailure("exact limits are not supported".to_owned())) })
    }

    fn position(&self, _: SharedKey, _: i64, _: Timestamp, _: i64) -> StateFuture<'_, WindowPosition> {
        Box::pin(async { Err(SharedFailure("exact limits are not supported".to_owned())) })
    }

    fn exchange(&self, batch: RecordBatch) -> StateFuture<'_, ExchangeResult> {
        let mut rows = self.0.lock();
        rows.exchanges += 1;
        if rows.is_unavailable {
            return Box::pin(async { Err(SharedFailure("the table is unavailable".to_owned())) });
        }
        rows.ticks += 1;
        let now = rows.ticks;
        assert!(
            batch.rows.is_sorted_by(|one, other| one.key < other.key),
            "the rows of a batch are in ascending order of their keys, and each key occurs once"
        );
        let commits_late = std::mem::take(&mut rows.commits_late);
        for published in batch.rows {
            let row = RemoteRecord { node: batch.node, published, published_at: now };
            if commits_late {
                rows.uncommitted.push((batch.epoch, row));
            } else {
                rows.insert(batch.epoch, row);
            }
        }
        let wanted = rows.records.values().filter(|(epoch, row)| {
            *epoch == rows.epoch && row.node != batch.node && row.published_at > batch.since
        });
        let exchanged = wanted.map(|(_, row)| row.clone()).collect();
        let has_more = std::mem::take(&mut rows.has_more);
        let exchanged = ExchangeResult { now, epoch: rows.epoch, rows: exchanged, has_more };
        Box::pin(async { Ok(exchanged) })
    }

    fn reset(&self) -> StateFuture<'_, i64> {
        let mut rows = self.0.lock();
        rows.epoch += 1;
        let epoch = rows.epoch;
        Box::pin(async move { Ok(epoch) })
    }

    fn purge_idle(&self, _: Timestamp) -> StateFuture<'_, ()> {
        Box::pin(async { Ok(()) })
    }
}

/// Nodes that share their limits through a table, and use the same clock.
struct Nodes {
    table: Arc<Table>,
    clock: Clock,
    limits: Vec<Limits>,
}

impl Nodes {
    fn new(count: i64) -> Self {
        let (table, clock) = (Arc::<Table>::default(), Clock::manual(Timestamp(0)));
        let node = |node| Limits::shared(table.clone(), node, Duration::from_secs(1), clock.clone());
        let limits: Vec<Limits> = (0..count).map(node).collect();
        let nodes = Self { table, clock, limits };
        (0..nodes.limits.len()).for_each(|node| nodes.exchange(node));
        nodes
    }

    fn exchange(&self, node: usize) {
        self.try_exchange(node).unwrap();
    }

    fn try_exchange(&self, node: usize) -> Result<(), SharedFailure> {
        wait_for(self.limits[node].exchange())
    }

    /// Exchanges until every node has received the records of every other node.
    fn exchange_all(&self) {
        for _ in 0..2 {
            (0..self.limits.len()).for_each(|node| self.exchange(node));
        }
    }

    fn set(&self, now: i64) {
        self.clock.shift(now - self.clock.now().0);
    }

    fn list(&self, node: usize) -> bool {
        self.limits[node].check(LIST.counter(), KEY, self.clock.now()).allowed()
    }

    fn send(&self, node: usize, rate: Rate) -> bool {
        self.limits[node].take_all(&[(KEY, rate)], self.clock.now()).is_ok()
    }

    fn sends(&self, node: usize, rate: Rate) -> usize {
        (0..300).filter(|_| self.send(node, rate)).count()
    }
}

thread_local! {
    static RUNTIME: tokio::runtime::Runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
}

fn wait_for<T>(work: impl Future<Output = T>) -> T {
    RUNTIME.with(|runtime| runtime.block_on(work))
}

const KEY: LimitKey = LimitKey::id("route", 7);

#[test]
fn requests_allowed_by_one_node_count_on_the_others() {
    let nodes = Nodes::new(3);
    assert_eq!((0..30).filter(|_| nodes.list(0)).count(), 20);
    assert_eq!(nodes.sends(0, SEND.installation.counter), 20);
    nodes.exchange(0);
    nodes.exchange(2);
    assert!(!nodes.list(2));
    // Node 2 counts the requests of node 0 as 100 ms older than they are, and grants a token up to 175 ms early. A token
    // is refilled every 200 ms, so node 2 may allow one request.
    assert!(nodes.sends(2, SEND.installation.counter) <= 1);
    // after a minute, the requests that node 0 allowed no longer count on node 2
    nodes.set(60 * SECOND);
    assert!(nodes.list(2));
    assert_eq!(nodes.sends(2, SEND.installation.counter), 20);
}

#[test]
fn returned_tokens_count_on_no_node() {
    let nodes = Nodes::new(2);
    for published_before in [false, true] {
        let taken: Vec<_> = (0..5)
            .map(|_| nodes.limits[0].take_all(&[(KEY, SEND.destination.counter)], nodes.clock.now()).unwrap())
            .collect();
        if published_before {
            nodes.exchange_all();
        }
        for taken in &taken {
            nodes.limits[0].return_tokens(taken);
        }
        nodes.exchange_all();
        assert_eq!(
            nodes.limits[0].peek_all(&[(KEY, SEND.destination.counter)], nodes.clock.now())[0].remaining,
            5
        );
        assert_eq!(
            nodes.limits[1].peek_all(&[(KEY, SEND.destination.counter)], nodes.clock.now())[0].remaining,
            5
        );
    }
}

#[test]
fn a_new_process_starts_with_the_shared_state() {
    let mut nodes = Nodes::new(1);
    while nodes.list(0) {}
    nodes.exchange(0);
    let fresh = Limits::shared(nodes.table.clone(), 9, Duration::from_secs(1), nodes.clock.clone());
    nodes.limits.push(fresh);
    nodes.exchange(1);
    assert!(!nodes.list(1));
}

#[test]
fn an_outage_of_the_shared_state_neither_accumulates_nor_loses_records() {
    let nodes = Nodes::new(2);
    nodes.table.0.lock().is_unavailable = true;
    for round in 0..100 {
        nodes.set(round * SECOND);
        for id in 0..100 {
            let key = LimitKey::id("route", round * 100 + id);
            assert!(nodes.limits[0].check(LIST.counter(), key, nodes.clock.now()).allowed());
        }
        assert!(nodes.try_exchange(0).is_err());
        wait_for(nodes.limits[0].purge_idle(nodes.clock.now())).unwrap();
    }
    let kept = nodes.limits[0].len();
    assert!(kept <= 61 * 100, "during an outage only the keys of the last minute are kept: {kept}");
    while nodes.list(0) {}
    nodes.table.0.lock().is_unavailable = false;
    nodes.exchange_all();
    assert!(!nodes.list(1), "unpublished records are published after the outage");
}

#[test]
fn a_reset_applies_to_all_nodes() {
    let nodes = Nodes::new(2);
    while nodes.list(0) {}
    nodes.exchange_all();
    assert!(!nodes.list(1));
    wait_for(nodes.limits[1].reset()).unwrap();
    assert!(nodes.list(1));
    // node 0 learns of the reset in its next exchange
    nodes.exchange_all();
    assert!(nodes.list(0));
    nodes.exchange_all();
    let allowed = (0..30).filter(|_| nodes.list(1)).count();
    assert_eq!(
        allowed, 18,
        "18 of 20 requests remain: each of the two nodes has allowed one since the reset"
    );
}

#[test]
fn a_promised_wait_is_sufficient_whatever_other_nodes_allowed() {
    let nodes = Nodes::new(4);
    let counts: Vec<usize> = (0..4).map(|node| nodes.sends(node, SEND.destination.counter)).collect();
    assert_eq!(counts, [5; 4], "before an exchange each node allows a full burst");
    let refused =
        nodes.limits[3].take_all(&[(KEY, SEND.destination.counter)], nodes.clock.now()).unwrap_err();
    nodes.exchange_all();
    assert_eq!(refused.retry_after(), 1);
    nodes.set(SECOND - CLOCKS_APART - 1);
    assert!(!nodes.send(3, SEND.destination.counter));
    // the promised second has elapsed; every node must allow the next request, for example node 2
    nodes.set(SECOND);
    assert!(nodes.send(2, SEND.destination.counter));
    nodes.exchange_all();
    assert_eq!((0..4).filter(|node| nodes.send(*node, SEND.destination.counter)).count(), 0);
    // all nodes together allowed 21 requests, so the bucket is full again after at most 21 s
    nodes.set(15 * SECOND);
    nodes.exchange_all();
    nodes.set(30 * SECOND);
    assert_eq!(nodes.sends(1, SEND.destination.counter), 5);
}

#[test]
fn a_promised_wait_is_sufficient_for_a_window_too() {
    let nodes = Nodes::new(2);
    assert_eq!((0..19).filter(|_| nodes.list(0)).count(), 19);
    nodes.set(30 * SECOND);
    assert!(nodes.list(0));
    assert_eq!((0..20).filter(|_| nodes.list(1)).count(), 20);
    let refused = nodes.limits[0].check(LIST.counter(), KEY, nodes.clock.now());
    assert_eq!(refused.retry_after(), Some(30));
    nodes.exchange_all();
    nodes.set(60 * SECOND);
    assert!(nodes.list(0), "a promise is kept, even if 21 requests that were made at 30 s still count");
    nodes.exchange_all();
    assert!(!nodes.list(0) && !nodes.list(1));
}

#[test]
fn a_node_keeps_the_promise_of_another_node() {
    let (nodes, rate) = (Nodes::new(3), SEND.destination.counter);
    // nodes 1 and 2 reject nothing, so they know of a promise only from node 0
    for node in 0..3 {
        assert_eq!((0..5).filter(|_| nodes.send(node, rate)).count(), 5);
    }
    let refused = nodes.limits[0].take_all(&[(KEY, rate)], nodes.clock.now()).unwrap_err();
    assert_eq!(refused.retry_after(), 1);
    nodes.exchange_all();
    nodes.set(SECOND);
    assert!(nodes.send(1, rate), "a promise is kept, even if 15 tokens were taken");
    assert!(!nodes.send(1, rate), "a promise is for one request");
    nodes.exchange_all();
    assert!(!nodes.send(2, rate), "node 1 has already allowed the promised request");
}

#[test]
fn a_node_keeps_the_promise_of_another_node_for_a_window_too() {
    let nodes = Nodes::new(3);
    assert_eq!((0..19).filter(|_| nodes.list(0)).count(), 19);
    nodes.set(30 * SECOND);
    assert!(nodes.list(0));
    assert_eq!((0..20).filter(|_| nodes.list(1)).count(), 20);
    let refused = nodes.limits[0].check(LIST.counter(), KEY, nodes.clock.now());
    assert_eq!(refused.retry_after(), Some(30));
    nodes.exchange_all();
    nodes.set(60 * SECOND);
    assert!(nodes.list(2), "a promise is kept, even if 21 requests still count");
    assert!(!nodes.list(2), "a promise is for one request");
    nodes.exchange_all();
    assert!(!nodes.list(1), "node 2 has already allowed the promised request");
}

#[test]
fn a_record_that_is_committed_late_is_read() {
    let nodes = Nodes::new(2);
    let advance = |by: Duration| nodes.table.0.lock().ticks += i64::try_from(by.as_micros()).unwrap();
    advance(Duration::from_secs(60));
    (0..2).for_each(|node| nodes.exchange(node));
    while nodes.list(0) {}
    nodes.table.0.lock().commits_late = true;
    nodes.exchange(0);
    advance(TIMEOUT);
    nodes.exchange(1);
    assert!(nodes.list(1), "node 1 does not count a record that is not committed");
    nodes.table.0.lock().commit();
    nodes.exchange(1);
    assert!(!nodes.list(1), "an exchange that ends within its timeout publishes its records to every node");
}

#[test]
fn a_bucket_with_an_open_promise_is_not_counted_as_the_rejecting_limit() {
    let nodes = Nodes::new(2);
    let (destination, reference) = (SEND.destination.counter, REFERENCE.counter);
    for node in 0..2 {
        assert_eq!(nodes.sends(node, destination), 5);
    }
    nodes.exchange_all();
    nodes.set(SECOND);
    assert_eq!(nodes.sends(0, reference), 60);
    let recorder = metrics_exporter_prometheus::PrometheusBuilder::new().build_recorder();
    metrics::with_local_recorder(&recorder, || {
        let both = [(KEY, destination), (KEY, reference)];
        let refused = nodes.limits[0].take_all(&both, nodes.clock.now()).unwrap_err();
        let remaining: Vec<u32> = refused.statuses.iter().map(|status| status.remaining).collect();
        assert_eq!(remaining, [0, 0]);
    });
    let text = recorder.handle().render();
    assert!(text.contains(r#"{limit="reference"} 1"#), "{text}");
    let reason = "the bucket of the destination has an open promise, so it does not reject the request";
    assert!(!text.contains("send_destination"), "{reason}:\n{text}");
    assert!(nodes.send(0, destination), "a rejection by another limit does not use up the promise");
}

#[test]
fn an_idle_node_does_not_exchange() {
    let nodes = Nodes::new(1);
    let exchanges = || nodes.table.0.lock().exchanges;
    wait_for(async {
        let limits = &nodes.limits[0];
        let running = limits.keep_exchanging();
        tokio::pin!(running);
        assert!(futures_util::poll!(&mut running).is_pending());
        let before = exchanges();
        nodes.clock.advance(Duration::from_secs(3600));
        assert!(futures_util::poll!(&mut running).is_pending());
        assert_eq!(exchanges(), before);
        assert!(nodes.list(0));
        // the allowed request causes an exchange after a pause, which ends when the clock moves
        assert!(futures_util::poll!(&mut running).is_pending());
        nodes.clock.advance(Duration::from_secs(1));
        assert!(futures_util::poll!(&mut running).is_pending());
        assert_eq!(exchanges(), before + 1);
    });
}

#[test]
fn a_node_without_further_requests_publishes_and_reads_all_remaining_records() {
    let nodes = Nodes::new(1);
    let exchanges = || nodes.table.0.lock().exchanges;
    wait_for(async {
        let limits = &nodes.limits[0];
        let running = limits.keep_exchanging();
        tokio::pin!(running);
        assert!(futures_util::poll!(&mut running).is_pending());
        // Publishing the keys needs three exchanges. Two exchanges would run in any case: the first decision triggers
        // one exchange, and the later decisions together trigger another.
        let keys = 3 * i64::try_from(MAX_KEYS).unwrap() - 1;
        for id in 0..keys {
            assert!(limits.check(LIST.counter(), LimitKey::id("route", id), nodes.clock.now()).allowed());
        }
        for _ in 0..10 {
            assert!(futures_util::poll!(&mut running).is_pending());
            nodes.clock.advance(INTERVAL);
        }
        let published = i64::try_from(nodes.table.0.lock().records.len()).unwrap();
        assert_eq!(published, keys, "all keys are published, without further requests");

        let before = exchanges();
        nodes.table.0.lock().has_more = true;
        assert!(nodes.list(0));
        for _ in 0..10 {
            assert!(futures_util::poll!(&mut running).is_pending());
            nodes.clock.advance(INTERVAL);
        }
        assert_eq!(exchanges(), before + 2, "the node exchanges again while there are more records to read");
    });
}

#[test]
fn a_deep_bucket_is_remembered_until_it_is_full() {
    let nodes = Nodes::new(2);
    let deepest = REFERENCE.counter;
    let burst = usize::try_from(deepest.burst).unwrap();
    assert_eq!(nodes.sends(0, deepest), burst);
    nodes.exchange_all();
    for seconds in [15, 29] {
        nodes.set(seconds * SECOND);
        wait_for(nodes.limits[1].purge_idle(nodes.clock.now())).unwrap();
    }
    nodes.set(30 * SECOND);
    let again = nodes.sends(1, deepest);
    assert!((29..=31).contains(&again), "half of the bucket has filled, but the other node grants {again}");
    nodes.exchange_all();
    nodes.set(200 * SECOND);
    for limits in &nodes.limits {
        wait_for(limits.purge_idle(nodes.clock.now())).unwrap();
        assert_eq!(limits.len(), 0, "a full bucket is removed");
    }
}

#[test]
fn a_later_record_does_not_discard_the_tokens_of_an_earlier_record() {
    let nodes = Nodes::new(2);
    let deepest = REFERENCE.counter;
    assert_eq!(nodes.sends(0, deepest), 60);
    nodes.exchange_all();
    // The next record of node 0 has only the times of the last seconds. Node 1 has had no request for the key, and
    // must keep the times of the earlier record.
    nodes.set(10 * SECOND);
    assert!(nodes.send(0, deepest));
    nodes.exchange_all();
    let granted = nodes.sends(1, deepest);
    assert!((8..=10).contains(&granted), "61 tokens were taken and 10 refilled, but node 1 grants {granted}");
}
