//! The queue for password hashing threads: bounded, and fair between clients.
//!
//! The queue uses start-time fair queueing: requests are served round by round. A source is an account or a network.
//! Each waiting or running request of a source delays the next request of this source by one round. So a source that
//! sends many requests mostly delays its own requests. A request of another source waits only for requests of the same
//! or earlier rounds.
//!
//! If the queue is full and the latest waiting request is of a later round than a new request, the new request replaces
//! it. The replaced request is rejected.

use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::oneshot;

use crate::platform::client_ip::{network, wide_network};

/// Number of requests of one IPv6 /48 that delay a new request from this /48 by one round. A /48 can belong to one
/// customer or to thousands, and must not monopolize the queue in either case.
const WIDE_SHARE: u64 = 4;

/// Who requested the hashing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Requester {
    /// A caller who is identified only by address.
    Unknown(IpAddr),
    /// A caller who signs in with a browser or an address from which somebody signed in to the same account before.
    /// Requests of such a caller are served one round earlier than those of an unknown caller.
    Known(IpAddr),
    /// A caller with a session (the id of the account), or the operator (0). Requests of such a caller are served one
    /// round earlier than those of an unknown caller.
    Account(i64),
}

/// The account or network whose requests are counted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct RequestSource {
    /// `true` and the account id, or `false` and the network as a number.
    own: (bool, u128),
    /// The IPv6 /48 as a number; `None` for an account and for IPv4.
    wide: Option<u128>,
}

impl Requester {
    fn source(self) -> RequestSource {
        let address = match self {
            Self::Account(id) => return RequestSource { own: (true, id.cast_unsigned().into()), wide: None },
            Self::Unknown(address) | Self::Known(address) => network(address),
        };
        match address {
            IpAddr::V4(v4) => RequestSource { own: (false, v4.to_ipv6_mapped().to_bits()), wide: None },
            IpAddr::V6(v6) => RequestSource {
                own: (false, v6.to_bits()),
                wide: wide_network(address).map(Ipv6Addr::to_bits),
            },
        }
    }

    /// Returns by how many rounds a request of this kind of requester is delayed, in addition to the delay by other
    /// requests of its source.
    const fn delay_rounds(self) -> u64 {
        match self {
            Self::Unknown(_) => 1,
            Self::Known(_) | Self::Account(_) => 0,
        }
    }
}

/// The queue is full of requests of the same or earlier rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

/// The queue of a process. Cheap to clone.
#[derive(Clone, Debug)]
pub struct PasswordQueue(Arc<Mutex<PasswordQueueState>>);

#[derive(Debug)]
struct PasswordQueueState {
    threads: usize,
    capacity: usize,
    running: Vec<RequestSource>,
    waiting: Vec<WaitingRequest>,
    /// The latest round of a request that left the queue for a thread.
    round: u64,
    /// Number of requests that found no free thread. It orders the requests of one round.
    arrived: u64,
}

#[derive(Debug)]
struct WaitingRequest {
    source: RequestSource,
    /// The round, and the order of arrival within the round.
    rank: (u64, u64),
    reply: oneshot::Sender<Result<HashingSlot, Full>>,
}

/// A slot on a hashing thread, released on drop.
#[derive(Debug)]
pub struct HashingSlot {
    queue: PasswordQueue,
    source: RequestSource,
}

impl PasswordQueue {
    /// Creates a queue for this many threads (at least 1) and at most `capacity` waiting requests.
    #[must_use]
    pub fn new(threads: usize, capacity: usize) -> Self {
        Self(Arc::new(Mutex::new(PasswordQueueState {
            threads: threads.max(1),
            capacity,
            running: Vec::new(),
            waiting: Vec::new(),
            round: 0,
            arrived: 0,
        })))
    }

    /// Waits for a hashing thread. If the future is dropped, the request leaves the queue.
    ///
    /// # Errors
    /// - [`Full`] immediately, if the queue is full of requests of the same or earlier rounds.
    /// - [`Full`] while the request waits, if the queue is full and a new request of an earlier round replaces it.
    pub async fn acquire(&self, requester: Requester) -> Result<HashingSlot, Full> {
        let (reply, answer) = oneshot::channel();
        {
            let source = requester.source();
            let mut state = self.0.lock();
            if state.running.len() < state.threads {
                state.running.push(source);
                return Ok(HashingSlot { queue: self.clone(), source });
            }
            state.enter(requester, reply)?;
        }
        answer.await.unwrap_or(Err(Full))
    }

    /// Returns the number of waiting requests.
    #[cfg(test)]
    pub fn waiting(&self) -> usize {
        self.0.lock().waiting.len()
    }
}

impl PasswordQueueState {
    fn enter(
        &mut self,
        requester: Requester,
        reply: oneshot::Sender<Result<HashingSlot, Full>>,
    ) -> Result<(), Full> {
        self.waiting.retain(|waiting| !waiting.reply.is_closed());
        let source = requester.source();
        self.arrived += 1;
        let rank = (self.round + self.delay(source) + requester.delay_rounds(), self.arrived);
        if self.waiting.len() >= self.capacity {
            let last = self.waiting.iter().enumerate().max_by_key(|(_, waiting)| waiting.rank);
            let Some((last, _)) = last.filter(|(_, waiting)| waiting.rank.0 > rank.0) else {
                return Err(Full);
            };
            // if the caller has dropped its future, nobody needs the reply
            let _ = self.waiting.swap_remove(last).reply.send(Err(Full));
        }
        self.waiting.push(WaitingRequest { source, rank, reply });
        Ok(())
    }

    /// Returns by how many rounds other requests of this source delay a new request.
    fn delay(&self, source: RequestSource) -> u64 {
        let here = || self.running.iter().chain(self.waiting.iter().map(|waiting| &waiting.source));
        let own = here().filter(|other| other.own == source.own).count() as u64;
        let wide = here().filter(|other| other.wide.is_some() && other.wide == source.wide).count() as u64;
        own.max(wide / WIDE_SHARE)
    }

    /// Removes the next request from the queue and counts it as running.
    fn next(&mut self) -> Option<WaitingRequest> {
        self.waiting.retain(|waiting| !waiting.reply.is_closed());
        let next = (0..self.waiting.len()).min_by_key(|index| self.waiting[*index].rank)?;
        let next = self.waiting.swap_remove(next);
        self.round = self.round.max(next.rank.0);
        self.running.push(next.source);
        Some(next)
    }
}

impl Drop for HashingSlot {
    fn drop(&mut self) {
        let next = {
            let mut state = self.queue.0.lock();
            if let Some(index) = state.running.iter().position(|source| *source == self.source) {
                state.running.swap_remove(index);
            }
            state.next()
        };
        // The reply is sent only after the lock was released. If the receiver was dropped, the slot is dropped here,
        // and the drop takes the lock.
        if let Some(next) = next {
            let slot = Self { queue: self.queue.clone(), source: next.source };
            drop(next.reply.send(Ok(slot)));
        }
    }
}

#[cfg(test)]
mod tests;
