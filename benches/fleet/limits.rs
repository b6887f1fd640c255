//! A model of the rate limits that the server guarantees to a client. It shows whether a 429 violates the guarantee.
//!
//! The server counts a request at an unknown moment between its start and its end. The model counts the request at its
//! end, and checks a new request at its start. So between two requests, the model never sees more time than the server.
//! If the model allows a request, the server's limits must allow it too, and a 429 violates the guarantee. The model
//! also counts requests that got no response, because the server may have counted them.
//!
//! The server counts each operation of the bot API separately. The model counts all lists together, all reads of a
//! single object together, and edits together with deletions. So the model allows less than the server.

use std::{
    collections::{HashMap, VecDeque},
    time::{Duration, Instant},
};

const MINUTE: Duration = Duration::from_secs(60);

/// A token bucket with a rate per second and a burst.
#[derive(Clone, Debug)]
struct Bucket {
    /// The time in which the bucket regains capacity for one request.
    step: Duration,
    burst: u32,
    /// When the whole burst is available again.
    full_at: Instant,
}

impl Bucket {
    fn new(per_second: u32, burst: u32) -> Self {
        Self { step: Duration::from_secs(1) / per_second, burst, full_at: Instant::now() }
    }

    fn allows(&self, begun: Instant) -> bool {
        self.full_at.saturating_duration_since(begun) <= self.step * (self.burst - 1)
    }

    fn spend(&mut self, ended: Instant) {
        self.full_at = self.full_at.max(ended) + self.step;
    }
}

/// A sliding window: a maximum number of requests within any 60 seconds.
#[derive(Clone, Debug)]
struct Window {
    limit: usize,
    ends: VecDeque<Instant>,
}

impl Window {
    fn new(limit: usize) -> Self {
        Self { limit, ends: VecDeque::new() }
    }

    fn allows(&self, begun: Instant) -> bool {
        self.ends.iter().rev().take_while(|end| **end + MINUTE > begun).count() < self.limit
    }

    fn spend(&mut self, ended: Instant) {
        self.ends.push_back(ended);
        if self.ends.len() > self.limit {
            self.ends.pop_front();
        }
    }
}

/// The limits against which a request counts.
#[derive(Clone, Copy, Debug)]
pub enum Cost<'a> {
    /// A send to this destination. It counts against the limit of all sends, and against that of the destination.
    Send(&'a str),
    List,
    Single,
    Edit,
    Mcp,
}

/// The guaranteed limits of one installation, or of one employee. `mcp` is the limit of an employee; the other fields
/// are the limits of an installation.
#[derive(Clone, Debug)]
pub struct Limits {
    sends: Bucket,
    destinations: HashMap<String, Bucket>,
    lists: Window,
    singles: Window,
    edits: Window,
    mcp: Window,
}

impl Limits {
    pub fn new() -> Self {
        Self {
            sends: Bucket::new(5, 20),
            destinations: HashMap::new(),
            lists: Window::new(20),
            singles: Window::new(100),
            edits: Window::new(60),
            mcp: Window::new(120),
        }
    }

    /// Returns whether the limits guarantee that a request that starts at `begun` is accepted.
    pub fn allows(&self, cost: Cost<'_>, begun: Instant) -> bool {
        match cost {
            Cost::Send(to) => {
                self.sends.allows(begun)
                    && self.destinations.get(to).is_none_or(|bucket| bucket.allows(begun))
            }
            Cost::List => self.lists.allows(begun),
            Cost::Single => self.singles.allows(begun),
            Cost::Edit => self.edits.allows(begun),
            Cost::Mcp => self.mcp.allows(begun),
        }
    }

    /// Counts a request that ended at `ended` and was not rejected by a limit.
    pub fn spend(&mut self, cost: Cost<'_>, ended: Instant) {
        match cost {
            Cost::Send(to) => {
                self.sends.spend(ended);
                let bucket = self.destinations.entry(to.to_owned()).or_insert_with(|| Bucket::new(1, 5));
                bucket.spend(ended);
            }
            Cost::List => self.lists.spend(ended),
            Cost::Single => self.singles.spend(ended),
            Cost::Edit => self.edits.spend(ended),
            Cost::Mcp => self.mcp.spend(ended),
        }
    }
}
