//! Measures the server process and the database of one engine at regular intervals while the benchmark sends traffic.

use std::{
    collections::BTreeMap,
    sync::Arc,
    time::{Duration, Instant},
};

use super::{engine::Watched, process, site::Site};

/// The interval between samples of the process.
const EVERY: Duration = Duration::from_secs(5);
/// The database and the metrics are measured with every fourth sample of the process.
const DATABASE: u32 = 4;

/// What a series of samples measures.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Measure {
    /// A number about the process, the traffic or the whole database, or from the server's metrics.
    Figure(String),
    /// The number of rows of a table.
    Rows(String),
    /// The bytes of a table with its indexes.
    Bytes(String),
}

/// Pairs of time and value, in ascending order of time. The time is in seconds since the start of the traffic.
pub type Points = Vec<(f64, f64)>;
/// The samples by engine and measure.
pub type Samples = BTreeMap<(&'static str, Measure), Points>;

/// The name of the measure that counts answered requests. The tables of
/// [`Growth::History`](super::tables::Growth::History) grow with the traffic, so their growth is compared with this
/// measure.
pub const REQUESTS: &str = "requests";

pub async fn run(site: Arc<Site>, watched: Watched, begun: Instant) -> Samples {
    let mut samples = Samples::new();
    for turn in 0_u32.. {
        site.rest((EVERY * turn).saturating_sub(begun.elapsed())).await;
        if site.is_stopping() {
            break;
        }
        let at = begun.elapsed().as_secs_f64();
        let mut add = |measure: Measure, value: f64| {
            samples.entry((watched.engine, measure)).or_default().push((at, value));
        };
        for (name, value) in process::of(watched.process) {
            add(Measure::Figure(name.to_owned()), value);
        }
        add(Measure::Figure(REQUESTS.to_owned()), site.stats.served() as f64);
        if turn % DATABASE > 0 {
            continue;
        }
        let metrics = tokio::task::spawn_blocking(move || process::metrics(watched.metrics));
        for (name, value) in metrics.await.unwrap().unwrap_or_default() {
            add(Measure::Figure(name.to_owned()), value);
        }
        let contents = watched.database.contents().await;
        for (name, value) in contents.others {
            add(Measure::Figure(name.to_owned()), value);
        }
        for (table, value) in contents.rows {
            add(Measure::Rows(table), value);
        }
        for (table, value) in contents.bytes {
            add(Measure::Bytes(table), value);
        }
    }
    samples
}
