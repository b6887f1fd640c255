//! Measures how fast the page of a conversation is opened. The page shows the newest messages.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{
    database::BenchDatabase,
    options::Options,
    support::{
        client::{self, Work},
        cpu,
        data::CLIENTS,
    },
};

pub const NAME: &str = "opening";
/// The goal for [`Seen::rates`], in pages per second.
pub const GOAL: f64 = 3_000.0;
/// The goal for the 99th percentile of [`Seen::alone`], in ms.
pub const GOAL_MS: f64 = 100.0;
/// The goal for the size of a page, in bytes.
pub const GOAL_BYTES: usize = 100_000;

/// The measurements.
pub struct Seen {
    /// Pages per second on all [`CLIENTS`] connections together; one value for each round.
    pub rates: Vec<f64>,
    /// CPU time of the server per page in µs; one value for each round.
    pub costs: Vec<f64>,
    /// Latencies of pages of the longest conversation on a single connection, in µs, sorted.
    pub alone: Vec<u32>,
    /// The size of the largest page in bytes, among every twentieth page of the first measurement and one page of the
    /// longest conversation.
    pub bytes: usize,
}

/// Makes two measurements in each round, one after the other. The first measurement opens two conversations of each
/// person on [`CLIENTS`] concurrent connections. The second opens the longest conversation on a single connection.
pub async fn measure(options: &Options, database: &BenchDatabase) -> Seen {
    let process = database.serve(CLIENTS).await;
    cpu::watch(&process);
    let everywhere: Vec<Vec<u8>> = (0..database.cookies.len())
        .flat_map(|person| [(person, 0), (person, 1)])
        .map(|(person, nth)| get(&database.conversation_of(person, nth), &database.cookies[person]))
        .collect();
    let longest: Vec<Vec<u8>> = database.cookies.iter().map(|cookie| get(&database.long(), cookie)).collect();
    let mut bytes = 0;
    for request in everywhere.iter().step_by(20).chain(&longest[..1]) {
        bytes = bytes.max(client::once(process.address, request.clone(), 200).await.len());
    }
    let work = |requests: Vec<Vec<u8>>| {
        let next = AtomicUsize::new(0);
        let request = move |_, out: &mut Vec<u8>| {
            let number = next.fetch_add(1, Ordering::Relaxed) % requests.len();
            out.extend_from_slice(&requests[number]);
        };
        Work::Http { addresses: vec![process.address], expected: 200, request: Arc::new(request) }
    };
    let (everywhere, longest) = (work(everywhere), work(longest));
    let mut seen = Seen { rates: Vec::new(), costs: Vec::new(), alone: Vec::new(), bytes };
    for round in 1..=options.rounds {
        let window = client::measure(&everywhere, CLIENTS, options.warm_up, options.measure_time).await;
        let count = window.latencies.len().max(1) as f64;
        seen.rates.push(count / window.seconds);
        seen.costs.push(window.server_cpu.as_secs_f64() * 1e6 / count);
        seen.alone
            .extend(client::measure(&longest, 1, options.warm_up, options.measure_time).await.latencies);
        eprintln!("{NAME}: round {round} of {}", options.rounds);
    }
    seen.alone.sort_unstable();
    seen
}

fn get(conversation: &str, cookie: &str) -> Vec<u8> {
    format!("GET /c/{conversation} HTTP/1.1\r\nhost: bench\r\naccept: text/html\r\ncookie: {cookie}\r\n\r\n")
        .into_bytes()
}
