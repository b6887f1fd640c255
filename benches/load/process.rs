//! Measures `switchboard serve` as a process on an existing database: the time to its first response, and its memory.

use std::time::Duration;

use super::{
    CLIENTS,
    client::{self, Work},
    options::Options,
    server::{self, Storage},
    support::process::Process,
};

/// The measurements of one process.
pub struct Seen {
    /// Number of messages in the database.
    pub messages: usize,
    /// Time from the start of the process to its first response; the median of several starts.
    pub first_answer: Duration,
    /// Resident memory in MB (10^6 bytes), after the first response and a pause.
    pub idle: f64,
    /// Resident memory in MB, after token checks for [`Options::window`] and a pause.
    pub after_work: f64,
}

/// Starts the process several times, and measures the memory after the last start.
pub async fn measure(storage: &Storage, messages: usize, options: &Options) -> Seen {
    let request = client::get("/v1/auth/test", &storage.token);
    let mut times = Vec::new();
    let mut memory = (0.0, 0.0);
    let starts = if options.quick { 3 } else { 9 };
    for n in 0..starts {
        let scale = ("SWITCHBOARD_LIMITS_SCALE", server::LIMITS.to_string());
        let mut process = Process::serve(&storage.database, &storage.files, &[scale]);
        times.push(process.first_answer(&request));
        if n + 1 == starts {
            tokio::time::sleep(Duration::from_secs(2)).await;
            let idle = process.resident();
            let again = request.clone();
            let work = Work::Http {
                addresses: vec![process.address],
                expected: 200,
                request: std::sync::Arc::new(move |_, out| out.extend_from_slice(&again)),
            };
            client::measure(&work, CLIENTS, Duration::ZERO, options.window).await;
            tokio::time::sleep(Duration::from_secs(2)).await;
            memory = (idle, process.resident());
        }
    }
    times.sort_unstable();
    Seen { messages, first_answer: times[times.len() / 2], idle: memory.0, after_work: memory.1 }
}
