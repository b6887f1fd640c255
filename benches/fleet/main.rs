//! `cargo bench --bench fleet`: a simulated company uses two nodes on PostgreSQL through a balancer. Faults can be
//! injected. At the end the benchmark verifies that no acknowledged message was lost, that no message was duplicated or
//! reordered, and that no request succeeded after the access that it needs was revoked.
//!
//! Nodes are processes of `switchboard serve`; PostgreSQL is a primary with a synchronous standby. The balancer and
//! the proxies in front of nodes and databases are tasks of this process. `docs/performance.md`, section "A company
//! under faults", describes the traffic and the verification.

#![allow(
    clippy::pedantic,
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    clippy::allow_attributes_without_reason,
    reason = "a measurement stops by panicking"
)]

mod admins;
mod assistants;
mod balancer;
mod bots;
mod chaos;
mod clock;
mod cluster;
mod company;
mod cpu;
mod events;
mod followers;
mod ledger;
mod limits;
mod node;
mod oauth;
mod options;
mod proof;
mod report;
#[path = "../support/mod.rs"]
mod support;
mod tool_calls;

use std::{
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

use cluster::Cluster;
use company::Company;
use events::Receiver;
use http::Http;
use ledger::Ledger;
use options::Options;
use stats::Stats;
use support::{http, stats};
use tokio::task::JoinSet;

/// The state that all actors share. An actor is a task that acts as a bot, a person, an assistant or an admin.
pub struct Fleet {
    pub options: Options,
    pub http: Http,
    pub ledger: Ledger,
    pub receiver: Receiver,
    pub company: Company,
    /// Set when actors must not start new work.
    pub stopping: AtomicBool,
}

impl Fleet {
    pub fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }
}

fn main() -> ExitCode {
    switchboard::platform::tls::install_provider();
    let options = Options::read();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let passed = runtime.block_on(run(options));
    runtime.shutdown_background();
    if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

async fn run(options: Options) -> bool {
    let begun = Instant::now();
    let receiver = Receiver::start(options.failing).await;
    let mut cluster = Cluster::start(&options, receiver.address).await;
    let stats = Arc::new(Stats::default());
    let http = Http::new(cluster.balancer.address, Arc::clone(&stats), cluster.operator_key.clone());
    let ledger = Ledger::default();
    let company = Company::create(&options, &http, &receiver, &ledger).await;
    eprintln!(
        "started two nodes and created a company of {} in {:.1} s",
        company.summary(),
        begun.elapsed().as_secs_f64()
    );
    let fleet =
        Arc::new(Fleet { options, http, ledger, receiver, company, stopping: AtomicBool::new(false) });

    stats.begin();
    let processors = cpu::Sampler::start(cluster.processes());
    let mut actors = actors(&fleet, cluster.addresses());
    let traffic = Instant::now();
    let faults = chaos::run(&fleet, &mut cluster).await;
    tokio::time::sleep(fleet.options.length.saturating_sub(traffic.elapsed())).await;
    let lasted = stats.end();
    fleet.stopping.store(true, Ordering::Relaxed);
    while let Some(ended) = actors.join_next().await {
        ended.expect("no actor panics");
    }
    let used = processors.stop().await;
    let proofs = proof::all(&fleet, &cluster).await;
    report::print(&fleet, &stats, lasted, &used, &faults, &proofs);
    eprintln!("seed {}, {:.0} s in all", fleet.options.seed, begun.elapsed().as_secs_f64());
    let passed = proofs.iter().all(|proof| proof.violations.is_empty());
    if !passed {
        eprintln!("the logs of the nodes are in {}", cluster.keep().display());
    }
    passed
}

/// Starts every actor.
fn actors(fleet: &Arc<Fleet>, nodes: Vec<std::net::SocketAddr>) -> JoinSet<()> {
    let mut actors = JoinSet::new();
    for number in 0..fleet.company.bots.len() {
        actors.spawn(bots::run(Arc::clone(fleet), number));
    }
    for number in 0..fleet.company.followers.len() {
        actors.spawn(followers::run(Arc::clone(fleet), number));
    }
    actors.spawn(followers::watch(Arc::clone(fleet)));
    for number in 0..fleet.company.assistants.len() {
        actors.spawn(assistants::run(Arc::clone(fleet), number));
    }
    actors.spawn(admins::people(Arc::clone(fleet)));
    actors.spawn(admins::conversations(Arc::clone(fleet)));
    actors.spawn(admins::access(Arc::clone(fleet), nodes));
    actors
}
