//! Measures the memory that the server needs for each open window of the web client while no messages arrive. A window
//! is simulated by its stream of server-sent events.
//!
//! The result is the resident memory of the server process, without pages of files: SQLite maps the database file, and
//! the kernel can drop the file's pages at any time. The result includes neither the clients' sockets, which belong to
//! the benchmark's process, nor the kernel's memory for the server's sockets, which is not memory of a process.

use std::time::Duration;

use super::{
    database::BenchDatabase,
    options::Options,
    streams,
    support::client::{self},
};

pub const NAME: &str = "idle windows";
/// The goal: at most this resident memory per window, in KB (10^3 bytes), without pages of files.
pub const GOAL: f64 = 10.0;
/// Time for the server to release the memory of the connections that the clients have closed.
const REST: Duration = Duration::from_secs(2);
/// The time for which the windows are idle. The server sends an event every 15 seconds, so each window gets at least
/// two events.
const IDLE: Duration = Duration::from_secs(33);
const ALIVE: &[u8] = b"event: alive";

/// The measurements.
pub struct Seen {
    pub open: usize,
    /// Resident memory in MB (10^6 bytes), without pages of files. `before` was measured before the windows were
    /// opened, and `after` while they were open.
    pub before: f64,
    pub after: f64,
}

impl Seen {
    /// Returns the memory per window in KB.
    pub fn each(&self) -> f64 {
        (self.after - self.before) * 1e3 / self.open as f64
    }
}

/// Starts a server process, opens the windows, and measures the memory of the process. The first window of each person
/// shows the long conversation, of which everybody is a member. Each further window of the person shows the next
/// conversation of [`BenchDatabase::conversation_of`].
pub async fn measure(options: &Options, database: &BenchDatabase) -> Seen {
    let process = database.serve(options.idle).await;
    // Each person first opens a page. So `before` includes the memory that the process keeps for each person, and this
    // memory is not attributed to the windows.
    for (person, cookie) in database.cookies.iter().enumerate() {
        let conversation = database.conversation_of(person, 0);
        let page = format!("GET /c/{conversation} HTTP/1.1\r\nhost: bench\r\ncookie: {cookie}\r\n\r\n");
        client::once(process.address, page.into_bytes(), 200).await;
    }
    tokio::time::sleep(REST).await;
    let before = process.anonymous();
    let mut sockets = Vec::new();
    for window in 0..options.idle {
        let person = database.person(window);
        let conversation = match window / database.cookies.len() {
            0 => database.long(),
            nth => database.conversation_of(person, nth - 1),
        };
        let path = format!("/c/{conversation}/live");
        sockets.push(streams::open(process.address, &path, &database.cookies[person]).await.0);
    }
    eprintln!("{} windows are open; they stay idle for {} s", sockets.len(), IDLE.as_secs());
    tokio::time::sleep(IDLE).await;
    let after = process.anonymous();
    for socket in &sockets {
        let mut received = vec![0; 64 << 10];
        let read = socket.try_read(&mut received).expect("every open window has received an event");
        let received = &received[..read];
        assert!(
            received.windows(ALIVE.len()).any(|part| part == ALIVE),
            "an idle window receives `alive` events: {}",
            String::from_utf8_lossy(received)
        );
    }
    Seen { open: sockets.len(), before, after }
}
