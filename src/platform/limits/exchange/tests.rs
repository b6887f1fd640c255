//! Several nodes in one process over a table in memory, against an exact limit over everything that passed.

use std::collections::BTreeMap;

use parking_lot::Mutex;
use proptest::prelude::*;

use super::*;
use crate::platform::limits::record::CLOCKS_APART;
use crate::platform::limits::shared::{Answer, Counted, SharedKey};
use crate::platform::limits::{LIST, Rate, SEND_DESTINATION, SEND_INSTALLATION, Window};

const SECOND: i64 = 1_000_000;

/// What the database does.
#[derive(Debug, Default)]
struct Table(Mutex<Rows>);

#[derive(Debug, Default)]
struct Rows {
    epoch: i64,
    /// How often something was asked: the state's clock.
    ticks: i64,
    records: BTreeMap<(Vec<u8>, i64), (i64, LearnedRow)>,
    is_away: bool,
    exchanges: usize,
}

impl SharedLimits for Table {
    fn count(&self, _: SharedKey, _: u32, _: i64, _: Timestamp, _: i64) -> Answer<'_, Counted> {
        Box::pin(async { Err(SharedFailure("no exact limits here".to_owned())) })
    }

    fn standing(&self, _: SharedKey, _: i64, _: Timestamp, _: i64) -> Answer<'_, Counted> {
        Box::pin(async { Err(SharedFailure("no exact limits here".to_owned())) })
    }

    fn exchange(&self, batch: Batch) -> Answer<'_, Learned> {
        let mut rows = self.0.lock();
        rows.exchanges += 1;
        if rows.is_away {
            return Box::pin(async { Err(SharedFailure("it is gone".to_owned())) });
        }
        rows.ticks += 1;
        let now = rows.ticks;
        assert!(batch.rows.is_sorted_by(|one, other| one.key < other.key), "one lock order");
        for published in batch.rows {
            let row = LearnedRow { node: batch.node, published, published_at: now };
            rows.records.insert((row.published.key.clone(), row.node), (batch.epoch, row));
        }
        let wanted = rows.records.values().filter(|(epoch, row)| {
            *epoch == rows.epoch && row.node != batch.node && row.published_at > batch.since
        });
        let learned = wanted.map(|(_, row)| row.clone()).collect();
        let learned = Learned { now, epoch: rows.epoch, rows: learned, has_more: false };
        Box::pin(async { Ok(learned) })
    }

    fn reset(&self) -> Answer<'_, i64> {
        let mut rows = self.0.lock();
        rows.epoch += 1;
        let epoch = rows.epoch;
        Box::pin(async move { Ok(epoch) })
    }

    fn forget_idle(&self, _: Timestamp) -> Answer<'_, ()> {
        Box::pin(async { Ok(()) })
    }
}

/// Nodes that share limits, whose clocks show the same.
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

    /// Every node learns of every other.
    fn exchange_all(&self) {
        for _ in 0..2 {
            (0..self.limits.len()).for_each(|node| self.exchange(node));
        }
    }

    fn set(&self, now: i64) {
        self.clock.shift(now - self.clock.now().0);
    }

    fn list(&self, node: usize) -> bool {
        self.limits[node].check(LIST, KEY, self.clock.now()).allowed()
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

const KEY: Key = Key::id("route", 7);

#[test]
fn what_one_node_let_pass_counts_on_the_others() {
    let nodes = Nodes::new(3);
    assert_eq!((0..30).filter(|_| nodes.list(0)).count(), 20);
    assert_eq!(nodes.sends(0, SEND_INSTALLATION), 20);
    nodes.exchange(0);
    nodes.exchange(2);
    assert!(!nodes.list(2));
    // clocks may be apart by 100 ms, in which half a token comes back, beside the tolerance
    assert!(nodes.sends(2, SEND_INSTALLATION) <= 1);
    // and when it leaves the window, for all of them
    nodes.set(60 * SECOND);
    assert!(nodes.list(2));
    assert_eq!(nodes.sends(2, SEND_INSTALLATION), 20);
}

#[test]
fn what_was_given_back_counts_nowhere() {
    let nodes = Nodes::new(2);
    for told_before in [false, true] {
        let taken: Vec<_> = (0..5)
            .map(|_| nodes.limits[0].take_all(&[(KEY, SEND_DESTINATION)], nodes.clock.now()).unwrap())
            .collect();
        if told_before {
            nodes.exchange_all();
        }
        for taken in &taken {
            nodes.limits[0].give_back(taken);
        }
        nodes.exchange_all();
        assert_eq!(nodes.limits[0].peek_all(&[(KEY, SEND_DESTINATION)], nodes.clock.now())[0].remaining, 5);
        assert_eq!(nodes.limits[1].peek_all(&[(KEY, SEND_DESTINATION)], nodes.clock.now())[0].remaining, 5);
    }
}

#[test]
fn a_new_process_begins_with_what_is_shared() {
    let mut nodes = Nodes::new(1);
    while nodes.list(0) {}
    nodes.exchange(0);
    let fresh = Limits::shared(nodes.table.clone(), 9, Duration::from_secs(1), nodes.clock.clone());
    nodes.limits.push(fresh);
    nodes.exchange(1);
    assert!(!nodes.list(1));
}

#[test]
fn while_the_state_is_away_nothing_piles_up_and_nothing_is_lost() {
    let nodes = Nodes::new(2);
    nodes.table.0.lock().is_away = true;
    for round in 0..100 {
        nodes.set(round * SECOND);
        for id in 0..100 {
            let key = Key::id("route", round * 100 + id);
            assert!(nodes.limits[0].check(LIST, key, nodes.clock.now()).allowed());
        }
        assert!(nodes.try_exchange(0).is_err());
        wait_for(nodes.limits[0].forget_idle(nodes.clock.now())).unwrap();
    }
    assert!(nodes.limits[0].len() <= 61 * 100, "{}", nodes.limits[0].len());
    while nodes.list(0) {}
    nodes.table.0.lock().is_away = false;
    nodes.exchange_all();
    assert!(!nodes.list(1), "what could not be told before is told now");
}

#[test]
fn a_reset_counts_for_all_nodes() {
    let nodes = Nodes::new(2);
    while nodes.list(0) {}
    nodes.exchange_all();
    assert!(!nodes.list(1));
    wait_for(nodes.limits[1].reset()).unwrap();
    assert!(nodes.list(1));
    // the other one tells once more what it knew before it learns of the reset
    nodes.exchange_all();
    assert!(nodes.list(0));
    nodes.exchange_all();
    assert_eq!((0..30).filter(|_| nodes.list(1)).count(), 18);
}

#[test]
fn a_promised_wait_is_enough_whatever_others_let_pass() {
    let nodes = Nodes::new(4);
    let counts: Vec<usize> = (0..4).map(|node| nodes.sends(node, SEND_DESTINATION)).collect();
    assert_eq!(counts, [5; 4], "nobody knew of the others");
    let refused = nodes.limits[3].take_all(&[(KEY, SEND_DESTINATION)], nodes.clock.now()).unwrap_err();
    nodes.exchange_all();
    assert_eq!(refused.retry_after(), 1);
    nodes.set(SECOND - CLOCKS_APART - 1);
    assert!(!nodes.send(3, SEND_DESTINATION));
    // also on a node that was only told of the promise, and then it is kept
    nodes.set(SECOND);
    assert!(nodes.send(2, SEND_DESTINATION));
    nodes.exchange_all();
    assert_eq!((0..4).filter(|node| nodes.send(*node, SEND_DESTINATION)).count(), 0);
    // the others had 15 more than the bucket holds: they come off what follows
    nodes.set(15 * SECOND);
    nodes.exchange_all();
    nodes.set(30 * SECOND);
    assert_eq!(nodes.sends(1, SEND_DESTINATION), 5);
}

#[test]
fn a_promised_wait_is_enough_for_a_window_too() {
    let nodes = Nodes::new(2);
    assert_eq!((0..19).filter(|_| nodes.list(0)).count(), 19);
    nodes.set(30 * SECOND);
    assert!(nodes.list(0));
    assert_eq!((0..20).filter(|_| nodes.list(1)).count(), 20);
    let refused = nodes.limits[0].check(LIST, KEY, nodes.clock.now());
    assert_eq!(refused.retry_after(), Some(30));
    nodes.exchange_all();
    nodes.set(60 * SECOND);
    assert!(nodes.list(0), "21 passed half a minute ago, which the refusal did not know");
    nodes.exchange_all();
    assert!(!nodes.list(0) && !nodes.list(1));
}

#[test]
fn an_idle_node_asks_nothing() {
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
        // a moved clock ends the pause
        assert!(futures_util::poll!(&mut running).is_pending());
        nodes.clock.advance(Duration::from_secs(1));
        assert!(futures_util::poll!(&mut running).is_pending());
        assert_eq!(exchanges(), before + 1);
    });
}

/// Something that happens at one of three nodes.
#[derive(Clone, Debug)]
enum Event {
    /// A request, so long after the event before.
    Request {
        after: i64,
        node: usize,
    },
    /// One whose work turns out to be free.
    Free {
        after: i64,
        node: usize,
    },
    Exchange {
        node: usize,
    },
}

fn events(longest: i64) -> impl Strategy<Value = Vec<Event>> {
    let event = prop_oneof![
        6 => (0..longest, 0_usize..3).prop_map(|(after, node)| Event::Request { after, node }),
        1 => (0..longest, 0_usize..3).prop_map(|(after, node)| Event::Free { after, node }),
        3 => (0_usize..3).prop_map(|node| Event::Exchange { node }),
    ];
    proptest::collection::vec(event, 1..250)
}

/// When a bucket is full again of which all these were taken, by the definition.
fn full_at(passed: &[i64], step: i64) -> i64 {
    let mut sorted = passed.to_vec();
    sorted.sort_unstable();
    sorted.iter().fold(i64::MIN / 2, |full_at, at| full_at.max(*at) + step)
}

proptest! {
    /// A refusal means that an exact limit over everything that passed on all nodes refuses too, whenever and in
    /// whatever order the nodes learned of it.
    #[test]
    fn no_node_is_stricter_than_an_exact_bucket(events in events(SECOND / 2)) {
        let (nodes, rate) = (Nodes::new(3), SEND_INSTALLATION);
        let (mut passed, mut now) = (Vec::new(), 0);
        for event in events {
            match event {
                Event::Exchange { node } => nodes.exchange(node),
                Event::Request { after, node } | Event::Free { after, node } => {
                    now += after;
                    nodes.set(now);
                    match nodes.limits[node].take_all(&[(KEY, rate)], Timestamp(now)) {
                        Ok(taken) if matches!(event, Event::Free { .. }) => nodes.limits[node].give_back(&taken),
                        Ok(_) => passed.push(now),
                        Err(refused) => {
                            let exact = full_at(&passed, rate.step()).max(now);
                            let wait = exact + rate.step() - rate.depth() - rate.tolerance() - now;
                            prop_assert!(wait > 0, "refused with {:?} at {now}, exact {wait}", refused.wait);
                        }
                    }
                }
            }
        }
    }

    /// The same of a window.
    #[test]
    fn no_node_is_stricter_than_an_exact_window(events in events(6 * SECOND)) {
        let (nodes, window) = (Nodes::new(3), LIST);
        let (mut passed, mut now): (Vec<i64>, i64) = (Vec::new(), 0);
        for event in events {
            match event {
                Event::Exchange { node } => nodes.exchange(node),
                Event::Request { after, node } | Event::Free { after, node } => {
                    now += after;
                    nodes.set(now);
                    if nodes.list(node) {
                        passed.push(now);
                    } else {
                        let used = passed.iter().filter(|at| now - **at < window.counted()).count();
                        prop_assert!(used >= window.limit as usize, "{used} passed");
                    }
                }
            }
        }
    }
}

proptest! {
    // each case is some 1,200 requests
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// A client that paces itself exactly is never refused, with up to 150 ms between what its clock and the nodes' say,
    /// through whichever node and whatever the nodes know.
    #[test]
    fn a_client_that_paces_itself_is_never_refused(
        jitter in proptest::collection::vec((0_i64..=150_000, 0_usize..3, any::<bool>()), 400),
    ) {
        for (rate, step) in [(SEND_INSTALLATION, 200_000), (SEND_DESTINATION, SECOND)] {
            let nodes = Nodes::new(3);
            let mut arrivals: Vec<(i64, usize, bool)> = Vec::new();
            for (n, (late, node, exchanges)) in (0_i64..).zip(&jitter) {
                let burst = i64::from(rate.burst) - 1;
                arrivals.push(((n - burst).max(0) * step + late, *node, *exchanges));
            }
            arrivals.sort_unstable();
            for (at, node, exchanges) in arrivals {
                nodes.set(at);
                prop_assert!(nodes.send(node, rate), "{} at {at}", rate.name);
                if exchanges {
                    nodes.exchange(node);
                }
            }
        }
        paced_lists(LIST, &jitter)?;
    }
}

proptest! {
    /// One node through which everything goes is exactly as strict as one that shares nothing.
    #[test]
    fn sharing_makes_a_lonely_node_no_different(
        steps in proptest::collection::vec((0_i64..SECOND, any::<bool>()), 1..300),
    ) {
        let (nodes, alone) = (Nodes::new(1), Limits::in_memory(1));
        let mut now = 0;
        for (step, exchanges) in steps {
            now += step / 2;
            nodes.set(now);
            let takes = [(KEY, SEND_INSTALLATION), (Key::id("other", 1), SEND_DESTINATION)];
            let (shared, own) = (nodes.limits[0].take_all(&takes, Timestamp(now)), alone.take_all(&takes, Timestamp(now)));
            match (&shared, &own) {
                (Ok(shared), Ok(own)) => prop_assert_eq!(&shared.standings, &own.standings),
                (shared, own) => prop_assert_eq!(shared.as_ref().err(), own.as_ref().err()),
            }
            prop_assert_eq!(
                nodes.limits[0].check(LIST, KEY, Timestamp(now)),
                alone.check(LIST, KEY, Timestamp(now))
            );
            if exchanges {
                nodes.exchange(0);
            }
        }
    }
}

fn paced_lists(window: Window, jitter: &[(i64, usize, bool)]) -> Result<(), TestCaseError> {
    let nodes = Nodes::new(3);
    for (n, (late, node, exchanges)) in (0_i64..).zip(jitter) {
        // 20 a minute
        let at = n * 3 * SECOND + late;
        nodes.set(at);
        let decision = nodes.limits[*node].check(window, KEY, Timestamp(at));
        prop_assert!(decision.allowed(), "request {n} at {at}");
        if *exchanges {
            nodes.exchange(*node);
        }
    }
    Ok(())
}
