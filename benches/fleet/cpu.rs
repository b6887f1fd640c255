//! CPU time of the nodes, of PostgreSQL, and of this process (clients, balancer, proxies and receiver).

use std::{
    collections::HashMap,
    fs,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

/// Ticks per second in `/proc`: 100 on all usual Linux machines.
const TICKS_PER_SECOND: f64 = 100.0;

/// The process ids of the nodes and of PostgreSQL's postmasters, whose CPU time is counted. The CPU time of the child
/// processes of a postmaster is counted too.
#[derive(Clone, Default)]
pub struct Processes(Arc<Mutex<Inner>>);

#[derive(Default)]
struct Inner {
    nodes: Vec<u32>,
    databases: Vec<u32>,
}

impl Processes {
    pub fn add(&self, node: u32) {
        self.0.lock().unwrap().nodes.push(node);
    }

    pub fn add_database(&self, postmaster: u32) {
        self.0.lock().unwrap().databases.push(postmaster);
    }
}

/// The CPU time from the start to the stop of a [`Sampler`], in seconds.
#[derive(Clone, Copy, Debug, Default)]
pub struct Used {
    pub nodes: f64,
    pub databases: f64,
    /// This process.
    pub bench: f64,
}

/// Samples the CPU times once a second. So if a process is killed, at most its last second is missing.
pub struct Sampler {
    stop: Arc<AtomicBool>,
    task: tokio::task::JoinHandle<Used>,
}

impl Sampler {
    pub fn start(processes: Processes) -> Self {
        let stop = Arc::<AtomicBool>::default();
        let stopping = Arc::clone(&stop);
        let task = tokio::spawn(async move {
            let first = sample(&processes);
            let mut last: HashMap<u32, (Kind, u64)> = first.clone();
            let mut used = HashMap::<Kind, u64>::new();
            loop {
                let is_last = stopping.load(Ordering::Relaxed);
                for (id, (kind, ticks)) in sample(&processes) {
                    let before = last.insert(id, (kind, ticks)).map_or(0, |(_, ticks)| ticks);
                    *used.entry(kind).or_default() += ticks.saturating_sub(before);
                }
                if is_last {
                    let seconds = |kind| used.get(&kind).copied().unwrap_or(0) as f64 / TICKS_PER_SECOND;
                    return Used {
                        nodes: seconds(Kind::Node),
                        databases: seconds(Kind::Database),
                        bench: seconds(Kind::Bench),
                    };
                }
                for _ in 0..10 {
                    if !stopping.load(Ordering::Relaxed) {
                        tokio::time::sleep(Duration::from_millis(100)).await;
                    }
                }
            }
        });
        Self { stop, task }
    }

    pub async fn stop(self) -> Used {
        self.stop.store(true, Ordering::Relaxed);
        self.task.await.unwrap()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Node,
    Database,
    Bench,
}

/// Returns the ticks of CPU time of every counted process and of this process.
fn sample(processes: &Processes) -> HashMap<u32, (Kind, u64)> {
    let inner = processes.0.lock().unwrap();
    let ids =
        fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let own = std::process::id();
    let mut found = HashMap::new();
    for id in ids {
        let Some((parent, ticks)) = stat(id) else { continue };
        let kind = match id {
            _ if id == own => Kind::Bench,
            _ if inner.nodes.contains(&id) => Kind::Node,
            _ if inner.databases.contains(&id) || inner.databases.contains(&parent) => Kind::Database,
            _ => continue,
        };
        found.insert(id, (kind, ticks));
    }
    found
}

/// Returns the parent of a process, and the sum of `utime` and `stime` of proc(5) in ticks. The second value in the
/// file is the name of the process in parentheses. The name may contain any characters, so the other values are read
/// after the last `)`.
fn stat(id: u32) -> Option<(u32, u64)> {
    let text = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    let (_, rest) = text.rsplit_once(')')?;
    let values: Vec<&str> = rest.split_whitespace().collect();
    let ticks = values.get(11)?.parse::<u64>().ok()? + values.get(12)?.parse::<u64>().ok()?;
    Some((values.get(1)?.parse().ok()?, ticks))
}
