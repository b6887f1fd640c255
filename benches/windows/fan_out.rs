//! Measures how fast messages of bots arrive in all open browser windows of a conversation, compared with the *floor*:
//! a server that only broadcasts events ([`floor`]).

use std::cell::Cell;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use tokio::task::LocalSet;

use super::{
    database::BenchDatabase,
    floor,
    options::Options,
    streams::{self, Arrivals},
    support::{client::Connection, cpu, process::Process},
};

pub const NAME: &str = "fan-out";
/// The goal: Switchboard's median rate divided by the floor's median rate must be at least this.
pub const GOAL: f64 = 0.5;
/// Number of concurrent senders while the rate is measured. Each sender has one message in flight.
const SENDERS: usize = 16;
/// Messages per second while latencies are measured.
const PACE: usize = 20;

/// The measurements of one server.
pub struct Seen {
    pub name: &'static str,
    /// Arrivals of messages per second, in all windows together; one value for each round. A message that arrives in
    /// ten windows counts ten times.
    pub rates: Vec<f64>,
    /// CPU time of the server per arrival in µs; one value for each round.
    pub costs: Vec<f64>,
    /// Times in µs from the beginning of a send to the arrival in each window, at [`PACE`] messages per second.
    pub latencies: Vec<u32>,
}

/// A server with open streams.
struct Subject {
    seen: Seen,
    arrivals: Rc<Arrivals>,
    /// The processes of the server.
    processes: Vec<Process>,
    /// Builds the request that sends a message, from the index of the sender and the number of the message.
    request: Box<dyn Fn(usize, u64) -> Vec<u8>>,
}

/// Measures Switchboard and the floor alternately.
pub async fn measure(options: &Options, database: &BenchDatabase) -> Vec<Seen> {
    LocalSet::new()
        .run_until(async {
            let switchboard = start_switchboard(options, database).await;
            // measures how many bytes a window receives for a message, including the event for the list of
            // conversations; the floor sends the same number
            switchboard.turn(Duration::from_secs(1), None).await;
            let event_bytes = switchboard.arrivals.bytes.get() / switchboard.arrivals.count.get();
            let mut subjects = [switchboard, start_floor(options, event_bytes as usize).await];
            for round in 1..=options.rounds {
                for subject in &mut subjects {
                    subject.turn(options.warm_up, None).await;
                    let (rate, cost) = subject.turn(options.measure_time, None).await;
                    subject.seen.rates.push(rate);
                    subject.seen.costs.push(cost);
                    let pace = Duration::from_secs(1) / PACE as u32;
                    subject.turn(options.measure_time, Some(pace)).await;
                    let latencies = subject.arrivals.latencies.take();
                    subject.seen.latencies.extend(latencies);
                }
                eprintln!("{NAME}: round {round} of {}", options.rounds);
            }
            subjects.into_iter().map(|subject| subject.seen).collect()
        })
        .await
}

async fn start_switchboard(options: &Options, database: &BenchDatabase) -> Subject {
    let mut processes = vec![database.serve(options.windows).await];
    if database.postgres.is_some() {
        processes.push(database.serve(options.windows).await);
    }
    let path = format!("/c/{}/live", database.long());
    let arrivals = Rc::new(Arrivals::default());
    for window in 0..options.windows {
        let node = &processes[window % processes.len()];
        let (socket, _) =
            streams::open(node.address, &path, &database.cookies[database.person(window)]).await;
        streams::follow(socket, &arrivals);
    }
    let (tokens, to) = (database.data.tokens.clone(), database.long());
    let request = move |sender: usize, number: u64| {
        let body = format!(
            r#"{{"to":{{"type":"conversation","id":"{to}"}},"text":"{} {}"}}"#,
            super::data::TEXT,
            streams::numbered_text(number)
        );
        format!(
            "POST /v1/messages HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer {}\r\naccept: application/json\r\n\
             idempotency-key: windows-{number}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            tokens[sender],
            body.len()
        )
        .into_bytes()
    };
    Subject { seen: Seen::new("Switchboard"), arrivals, processes, request: Box::new(request) }
}

async fn start_floor(options: &Options, event_bytes: usize) -> Subject {
    let process = floor::start(event_bytes);
    let arrivals = Rc::new(Arrivals::default());
    for _ in 0..options.windows {
        let (socket, _) = streams::open(process.address, "/live", "none=0").await;
        streams::follow(socket, &arrivals);
    }
    let request = |_, number: u64| {
        let body = number.to_string();
        format!(
            "POST /send HTTP/1.1\r\nhost: bench\r\ncontent-type: text/plain\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        )
        .into_bytes()
    };
    Subject {
        seen: Seen::new("bare broadcast"),
        arrivals,
        processes: vec![process],
        request: Box::new(request),
    }
}

impl Seen {
    fn new(name: &'static str) -> Self {
        Self { name, rates: Vec::new(), costs: Vec::new(), latencies: Vec::new() }
    }
}

impl Subject {
    /// Sends messages for the given time. Without `pace`, each sender sends its next message when its previous message
    /// has arrived in every window. With `pace`, one sender sends a message at this interval. Returns the number of
    /// arrivals per second, in all windows together, and the server's CPU time per arrival in µs.
    async fn turn(&self, time: Duration, pace: Option<Duration>) -> (f64, f64) {
        let has_ended = Cell::new(false);
        self.arrivals.reset();
        let (begun, busy) = (Instant::now(), self.cpu());
        let sending = async {
            match pace {
                Some(pace) => self.paced(pace, &has_ended).await,
                None => drop(join_all((0..SENDERS).map(|sender| self.send(sender, &has_ended))).await),
            }
        };
        let measuring = async {
            tokio::time::sleep(time).await;
            has_ended.set(true);
            let (count, seconds) = (self.arrivals.count.get() as f64, begun.elapsed().as_secs_f64());
            (count / seconds, (self.cpu() - busy) as f64 / 1e3 / count)
        };
        tokio::join!(measuring, sending).0
    }

    fn address(&self, sender: usize) -> SocketAddr {
        self.processes[sender % self.processes.len()].address
    }

    async fn send(&self, sender: usize, has_ended: &Cell<bool>) {
        let mut connection = Connection::open(self.address(sender)).await;
        while !has_ended.get() {
            let (number, arrived) = self.arrivals.depart();
            connection.out = (self.request)(sender, number);
            connection.exchange(201).await;
            arrived.await.unwrap();
        }
    }

    async fn paced(&self, pace: Duration, has_ended: &Cell<bool>) {
        let mut connection = Connection::open(self.address(0)).await;
        let mut ticks = tokio::time::interval(pace);
        let mut last = None;
        while !has_ended.get() {
            ticks.tick().await;
            let (number, arrived) = self.arrivals.depart();
            connection.out = (self.request)(0, number);
            connection.exchange(201).await;
            last = Some(arrived);
        }
        if let Some(arrived) = last {
            arrived.await.unwrap();
        }
    }

    fn cpu(&self) -> u64 {
        self.processes.iter().map(cpu::process_nanos).sum()
    }
}
