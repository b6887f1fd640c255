//! `cargo bench --bench soak`: an hour of mixed traffic, some of it hostile, against `switchboard serve`. SQLite and
//! PostgreSQL are tested at the same time. During the traffic, memory, descriptors, threads, tables and other resources
//! are measured. The benchmark fails if a measure grows more than its rule allows, or if a server panics.
//!
//! The traffic has a steady rate far below the capacity of the servers. Their test clocks are advanced several times a
//! minute, so that an hour spans years and every retention period passes many times. `docs/performance.md`, section
//! "Soak", has the traffic, the rule of each measure, and the result.

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
mod bots;
mod calendar;
mod company;
mod conversations;
mod database;
mod engine;
mod files;
mod hostile;
mod mcp;
mod minutes;
mod options;
mod output;
mod process;
mod receiver;
mod sampler;
mod site;
#[path = "../support/mod.rs"]
mod support;
mod svg;
mod tables;
mod verdict;
mod visitors;
mod wire;

use std::{process::ExitCode, sync::Arc, sync::atomic::Ordering, time::Instant};

use engine::Engine;
use options::Options;
use sampler::Samples;
use site::Site;
use support::{browser, crowd, http, oauth, stats};
use tokio::task::JoinSet;

fn main() -> ExitCode {
    switchboard::platform::tls::install_provider();
    let options = Options::read();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let passed = runtime.block_on(run(&options));
    runtime.shutdown_background();
    if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

async fn run(options: &Options) -> bool {
    let mut engines = Vec::new();
    for name in &options.engines {
        engines.push(Engine::start(name, options).await);
    }
    let mut sites = Vec::new();
    for engine in &engines {
        sites.push(Site::create(engine, options).await);
        // if a table has no rule, this panics now and not after the traffic
        for table in engine.watched().database.contents().await.rows.keys() {
            tables::growth(table);
        }
    }
    eprintln!(
        "{} for {:.0} minutes; logs and results in {}",
        options.engines.join(" and "),
        options.length.as_secs_f64() / 60.0,
        options.folder.display()
    );
    let begun = Instant::now();
    let mut sampling = JoinSet::new();
    let mut actors = JoinSet::new();
    let mut crowds = Vec::new();
    for (engine, site) in engines.iter().zip(&sites) {
        site.stats.begin();
        sampling.spawn(sampler::run(Arc::clone(site), engine.watched(), begun));
        start_actors(site, &mut actors);
        crowds.push(hostile::crowd(site));
    }
    tokio::time::sleep(options.length).await;
    for site in &sites {
        site.stopping.store(true, Ordering::Relaxed);
    }
    let mut samples = Samples::default();
    while let Some(of_engine) = sampling.join_next().await {
        samples.extend(of_engine.expect("no sampler panics"));
    }
    while let Some(ended) = actors.join_next().await {
        ended.expect("no actor panics");
    }
    // each crowd has a runtime of its own, which cannot be dropped inside another runtime
    tokio::task::spawn_blocking(move || drop(crowds)).await.unwrap();
    let lasted = begun.elapsed();
    for site in &sites {
        site.stats.end();
    }
    let verdicts = verdict::evaluate(&samples, options.warm_up);
    output::write(options, &samples, &sites, &verdicts, lasted);
    let panics: Vec<String> = engines.iter().flat_map(Engine::panics).collect();
    for line in &panics {
        println!("panicked: {line}");
    }
    panics.is_empty() && verdicts.iter().all(|verdict| verdict.passed)
}

fn start_actors(site: &Arc<Site>, actors: &mut JoinSet<()>) {
    for number in 0..site.company.bots.len() {
        actors.spawn(bots::run(Arc::clone(site), number));
    }
    for number in 0..site.company.employees.len() {
        actors.spawn(assistants::run(Arc::clone(site), number));
    }
    for number in 0..visitors::COUNT {
        actors.spawn(visitors::run(Arc::clone(site), number));
    }
    for number in 0..files::COUNT {
        actors.spawn(files::run(Arc::clone(site), number));
    }
    actors.spawn(admins::people(Arc::clone(site)));
    actors.spawn(admins::apps(Arc::clone(site)));
    actors.spawn(admins::reading(Arc::clone(site)));
    actors.spawn(conversations::run(Arc::clone(site)));
    for number in 0..hostile::COUNT {
        actors.spawn(hostile::run(Arc::clone(site), number));
    }
    actors.spawn(calendar::run(Arc::clone(site)));
}
