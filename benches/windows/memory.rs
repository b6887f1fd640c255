//! The memory of the server per open window in which nothing happens. The clients' sockets are in this process, and the
//! kernel's memory for the server's sockets is not resident memory, so neither counts.

use std::time::Duration;

use super::{
    options::Options,
    place::Place,
    streams,
    support::client::{self},
};

pub const NAME: &str = "idle windows";
/// The goal for the resident memory per window, in KB (10^3 bytes).
pub const GOAL: f64 = 10.0;
/// Long enough for the server to close idle connections and release their memory.
const REST: Duration = Duration::from_secs(2);
/// Every window gets an event every 15 seconds, so at least two in this time.
const IDLE: Duration = Duration::from_secs(33);
const ALIVE: &[u8] = b"event: alive";

/// The measurements.
pub struct Seen {
    pub open: usize,
    /// Resident memory before the windows and with them, in MB (10^6 bytes).
    pub before: f64,
    pub after: f64,
}

impl Seen {
    /// Returns the memory per window in KB.
    pub fn each(&self) -> f64 {
        (self.after - self.before) * 1e3 / self.open as f64
    }
}

/// Opens windows of everybody, on their own conversations and on the one that all are in, in a fresh process.
pub async fn measure(options: &Options, place: &Place) -> Seen {
    let process = place.serve(options.idle).await;
    // everybody's page once, so that what the process keeps for people is not counted as memory of their windows
    for (person, cookie) in place.cookies.iter().enumerate() {
        let conversation = place.conversation_of(person, 0);
        let page = format!("GET /c/{conversation} HTTP/1.1\r\nhost: bench\r\ncookie: {cookie}\r\n\r\n");
        client::once(process.address, page.into_bytes(), 200).await;
    }
    tokio::time::sleep(REST).await;
    let before = process.resident();
    let mut sockets = Vec::new();
    for window in 0..options.idle {
        let person = place.person(window);
        let conversation = match window / place.cookies.len() {
            0 => place.long(),
            nth => place.conversation_of(person, nth - 1),
        };
        let path = format!("/c/{conversation}/live");
        sockets.push(streams::open(process.address, &path, &place.cookies[person]).await.0);
    }
    eprintln!("{} windows are open; they rest for {} s", sockets.len(), IDLE.as_secs());
    tokio::time::sleep(IDLE).await;
    let after = process.resident();
    for socket in &sockets {
        let mut said = vec![0; 64 << 10];
        let read = socket.try_read(&mut said).expect("an open window has news");
        let said = &said[..read];
        assert!(said.windows(ALIVE.len()).any(|part| part == ALIVE), "{}", String::from_utf8_lossy(said));
    }
    Seen { open: sockets.len(), before, after }
}
