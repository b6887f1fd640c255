//! `switchboard serve` as a process of its own over an existing database: how soon it answers, and how much memory it takes.

use std::time::Duration;

use super::{
    CLIENTS,
    child::Process,
    client::{self, Work},
    options::Options,
    server::{self, Place},
};

/// What was seen of one process.
pub struct Seen {
    pub messages: usize,
    /// From its start to its first answer; the median of several starts.
    pub first_answer: Duration,
    /// Resident memory after the first answer and a rest, in MB (10^6 bytes).
    pub idle: f64,
    /// The same after some seconds of token checks.
    pub after_work: f64,
}

/// Starts the process several times.
pub async fn measure(place: &Place, messages: usize, options: &Options) -> Seen {
    let request = client::get("/v1/auth/test", &place.token);
    let mut times = Vec::new();
    let mut memory = (0.0, 0.0);
    let starts = if options.quick { 3 } else { 9 };
    for n in 0..starts {
        let scale = ("SWITCHBOARD_LIMITS_SCALE", server::LIMITS.to_string());
        let mut process = Process::serve(&place.database, &place.files, &[scale]);
        times.push(process.first_answer(&request));
        if n + 1 == starts {
            tokio::time::sleep(Duration::from_secs(2)).await;
            let idle = process.resident();
            let again = request.clone();
            let work = Work::Http {
                address: process.address,
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
