//! Injects faults during the traffic, one after the other.

use std::time::{Duration, Instant};

use rand::{Rng, SeedableRng, rngs::StdRng, seq::SliceRandom};

use super::{Fleet, cluster::Cluster};

/// The time in which all nodes must become ready after the end of a fault.
const PATIENCE: Duration = Duration::from_secs(60);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A node is killed and started again.
    Kill,
    /// The primary crashes and is started again.
    PrimaryCrash,
    /// The standby is promoted, and a new standby is created.
    Failover,
    /// The connections between one node and the databases hang.
    DatabasePartition,
    /// The connections between the balancer and one node hang.
    NodePartition,
    /// The clock of one node is wrong.
    Clock,
    /// The standby is stopped and started again.
    Standby,
    /// The connections between one node and the databases are slow.
    Slow,
}

const ALL: [Kind; 8] = [
    Kind::Kill,
    Kind::Failover,
    Kind::DatabasePartition,
    Kind::Clock,
    Kind::PrimaryCrash,
    Kind::NodePartition,
    Kind::Standby,
    Kind::Slow,
];

/// A fault that was injected.
pub struct Fault {
    pub what: String,
    pub begun: Instant,
    /// When the fault ended.
    pub healed: Instant,
    /// When every node was ready again, or when [`PATIENCE`] had passed.
    pub ready: Instant,
    /// When the next fault began. For the last fault: the end of the pause that follows it.
    pub until: Instant,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Kill => "kill",
            Self::PrimaryCrash => "restart",
            Self::Failover => "failover",
            Self::DatabasePartition => "database-hole",
            Self::NodePartition => "node-hole",
            Self::Clock => "clock",
            Self::Standby => "standby",
            Self::Slow => "slow",
        }
    }

    /// Returns how long a fault of this kind lasts before it is ended. For a failover the result is zero, because a
    /// failover ends when the new standby runs.
    fn length(self, is_quick: bool) -> Duration {
        let seconds = match self {
            Self::Kill | Self::Slow => 3,
            Self::PrimaryCrash => 1,
            Self::Failover => 0,
            Self::DatabasePartition | Self::NodePartition | Self::Standby => 8,
            Self::Clock => 12,
        };
        Duration::from_secs(if is_quick { seconds.min(4) } else { seconds })
    }
}

/// With `--chaos`, injects faults until shortly before the end of the traffic, and returns them. With `--quick`,
/// injects each selected kind of fault at most once. Without `--quick`, injects each selected kind at least once if
/// there is enough time.
pub async fn run(fleet: &Fleet, cluster: &mut Cluster) -> Vec<Fault> {
    let options = &fleet.options;
    let mut faults: Vec<Fault> = Vec::new();
    if !options.chaos {
        return faults;
    }
    let begun = Instant::now();
    let mut rng = StdRng::seed_from_u64(options.seed ^ (0xC << 32));
    let mut kinds: Vec<Kind> = ALL.into_iter().filter(|kind| options.wants(kind.name())).collect();
    if options.is_quick && options.only.is_empty() {
        kinds = vec![Kind::Kill, Kind::Failover];
    } else if options.only.is_empty() {
        kinds.shuffle(&mut rng);
    }
    assert!(!kinds.is_empty(), "--only must match the name of a fault");
    // pauses between faults, to observe recoveries and latencies
    let rest = Duration::from_secs(if options.is_quick { 3 } else { 8 });
    let last =
        options.length.saturating_sub(if options.is_quick { Duration::from_secs(8) } else { rest * 4 });
    for (turn, kind) in kinds.iter().cycle().enumerate() {
        let is_time = begun.elapsed() < last && !(options.is_quick && turn >= kinds.len());
        if turn > 0 && !is_time {
            break;
        }
        tokio::time::sleep(rest).await;
        let now = Instant::now();
        if let Some(before) = faults.last_mut() {
            before.until = now;
        }
        let what = inject(*kind, fleet, cluster, &mut rng).await;
        let healed = Instant::now();
        wait_until_ready(fleet, cluster).await;
        let ready = Instant::now();
        eprintln!("{what}: ended after {:.1?}, ready {:.1?} later", healed - now, ready - healed);
        faults.push(Fault { what, begun: now, healed, ready, until: ready });
    }
    tokio::time::sleep(rest).await;
    if let Some(last) = faults.last_mut() {
        last.until = Instant::now();
    }
    faults
}

/// Injects a fault, ends it, and returns its description.
async fn inject(kind: Kind, fleet: &Fleet, cluster: &mut Cluster, rng: &mut StdRng) -> String {
    let length = kind.length(fleet.options.is_quick);
    let number = rng.random_range(0..cluster.nodes.len());
    let name = cluster.nodes[number].name;
    match kind {
        Kind::Kill => {
            cluster.nodes[number].kill();
            tokio::time::sleep(length).await;
            cluster.nodes[number].start().await;
            format!("kill -9 of node {name}, started again after {length:?}")
        }
        Kind::PrimaryCrash => {
            let primary = cluster.primary().clone();
            tokio::task::spawn_blocking(move || primary.stop()).await.unwrap();
            tokio::time::sleep(length).await;
            let primary = cluster.primary().clone();
            tokio::task::spawn_blocking(move || primary.start_again()).await.unwrap();
            cluster.recount();
            format!("crash of the primary, started again after {length:?}")
        }
        Kind::Failover => {
            cluster.fail_over().await;
            let promoted = Instant::now();
            cluster.rebuild_standby().await;
            format!("failover, and a new standby after {:.1?}", promoted.elapsed())
        }
        Kind::DatabasePartition => {
            let hole = |hangs| {
                for proxy in &cluster.nodes[number].databases {
                    proxy.hang_new(hangs);
                    proxy.discard_open();
                }
            };
            hole(true);
            tokio::time::sleep(length).await;
            hole(false);
            format!("black hole of {length:?} between node {name} and the databases")
        }
        Kind::NodePartition => {
            let front = &cluster.nodes[number].front;
            front.hang_new(true);
            front.discard_open();
            tokio::time::sleep(length).await;
            front.hang_new(false);
            front.discard_open();
            format!("black hole of {length:?} between the balancer and node {name}")
        }
        Kind::Clock => {
            let clock = cluster.nodes[number].clock.clone();
            for seconds in [3_600, -7_200] {
                clock.set(seconds);
                tokio::time::sleep(length / 2).await;
            }
            clock.set(0);
            format!("clock of node {name} an hour ahead and then two hours behind, for {:?} each", length / 2)
        }
        Kind::Standby => {
            let standby = cluster.standby().clone();
            tokio::task::spawn_blocking(move || standby.stop()).await.unwrap();
            tokio::time::sleep(length).await;
            let standby = cluster.standby().clone();
            tokio::task::spawn_blocking(move || standby.start_again()).await.unwrap();
            cluster.recount();
            format!("no synchronous standby for {length:?}")
        }
        Kind::Slow => {
            let late = |by| cluster.nodes[number].databases.iter().for_each(|proxy| proxy.delay(by));
            late(Duration::from_millis(40));
            tokio::time::sleep(length).await;
            late(Duration::ZERO);
            format!("delay of 40 ms between node {name} and the databases, for {length:?}")
        }
    }
}

/// Waits until every node reports that it is ready. If a node is still not ready after [`PATIENCE`], records a
/// violation and returns.
async fn wait_until_ready(fleet: &Fleet, cluster: &Cluster) {
    let begun = Instant::now();
    let client = reqwest::Client::builder().no_proxy().pool_max_idle_per_host(0);
    let client = client.timeout(Duration::from_secs(6)).build().unwrap();
    for node in &cluster.nodes {
        loop {
            let asked = client.get(format!("http://{}/readyz", node.front.address)).send().await;
            if asked.is_ok_and(|answer| answer.status().as_u16() == 200) {
                break;
            }
            if begun.elapsed() > PATIENCE {
                let what = format!("node {} is not ready {PATIENCE:?} after a fault", node.name);
                fleet.ledger.violation(super::ledger::Rule::Answers, what);
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}
