//! Batched look-ups by key on PostgreSQL: concurrent callers share a round trip.
//!
//! The tokens of requests are looked up in the database, because another node may have revoked them. A bot token is not
//! looked up if the [`token_cache`](super::token_cache) has a valid entry for the token: such an entry expires before a
//! revocation is acknowledged.
//!
//! Up to [`WORKERS`] workers run the statements of one kind of look-up. While all of them are busy, the keys of further
//! callers are queued, and the next statement looks up as many as [`BATCH_SIZE`] of these keys. If a worker is free, a
//! single key is looked up at once, and does not wait for other keys. The statement of a key starts after the call of
//! [`Lookups::find`], so the statement sees everything that was committed before the call.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::oneshot;

use super::error::{Error, Result, StoreError};
use super::op::ReadOp;

/// Maximum number of concurrent statements for one kind of look-up. The number is small, so that concurrent callers
/// share statements.
const WORKERS: usize = 2;

/// Maximum number of keys of one statement.
const BATCH_SIZE: usize = 64;

/// How long a caller waits for the row. With the default timeouts, opening a connection and running one statement
/// together take less than this. So a caller normally gets the error of the step that has failed, and not this timeout.
const TIMEOUT: Duration = Duration::from_secs(20);

/// An operation that looks up several keys with one statement.
pub trait Lookup: ReadOp<Out = Vec<(Self::Key, Self::Row)>> {
    /// The key of a row.
    type Key: Copy + Eq + Hash + Send + Sync + 'static;
    /// The row that each caller receives.
    type Row: Clone + Send + 'static;

    /// Creates the operation that looks up `keys`, which are distinct.
    fn of(keys: Vec<Self::Key>) -> Self;
}

/// A database that runs look-ups.
pub(in crate::store) trait LookupStore: Clone + Send + Sync + 'static {
    /// Runs the operation of a look-up on the primary, and never on a replica.
    fn look_up<O: ReadOp>(&self, op: O) -> impl Future<Output = Result<O::Out>> + Send;
}

/// The waiting callers of one kind of look-up.
pub(in crate::store) struct Lookups<L: Lookup>(Arc<Mutex<WaitingLookups<L>>>);

type LookupReply<L> = oneshot::Sender<Result<Option<<L as Lookup>::Row>>>;

struct WaitingLookups<L: Lookup> {
    callers: HashMap<L::Key, Vec<LookupReply<L>>>,
    /// The keys of the callers in the order of their calls.
    order: VecDeque<L::Key>,
    workers: usize,
}

/// A worker, counted in [`WaitingLookups::workers`] until it is done or dropped.
struct LookupWorker<L: Lookup> {
    waiting: Arc<Mutex<WaitingLookups<L>>>,
    is_done: bool,
}

impl<L: Lookup> LookupWorker<L> {
    /// Takes the next keys with their callers. If there are no keys, marks the worker as done.
    fn take(&mut self) -> HashMap<L::Key, Vec<LookupReply<L>>> {
        let mut waiting = self.waiting.lock();
        let batch = waiting.take();
        if batch.is_empty() {
            // Decremented before the lock is released. A caller that queues a key later sees the lower number, and
            // starts another worker.
            waiting.workers -= 1;
            self.is_done = true;
        }
        batch
    }
}

impl<L: Lookup> Drop for LookupWorker<L> {
    fn drop(&mut self) {
        if !self.is_done {
            self.waiting.lock().workers -= 1;
        }
    }
}

impl<L: Lookup> Default for Lookups<L> {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(WaitingLookups {
            callers: HashMap::new(),
            order: VecDeque::new(),
            workers: 0,
        })))
    }
}

impl<L: Lookup> Lookups<L> {
    /// Returns the row of a key; `None` if there is no row.
    ///
    /// # Errors
    /// Errors of the store. [`StoreError::Unavailable`] also if the row has not arrived after [`TIMEOUT`], or if the
    /// worker was aborted.
    pub(in crate::store) async fn find(
        &self,
        store: &impl LookupStore,
        key: L::Key,
    ) -> Result<Option<L::Row>> {
        let (reply, answer) = oneshot::channel();
        if let Some(worker) = self.enqueue(key, reply) {
            tokio::spawn(work(worker, store.clone()));
        }
        let unavailable = |why: &'static str| Err(StoreError::unavailable(why).into());
        match tokio::time::timeout(TIMEOUT, answer).await {
            Ok(Ok(found)) => found,
            Ok(Err(_)) => unavailable("the look-up was aborted by a panic or by the shutdown"),
            Err(_) => unavailable("the database did not respond in time"),
        }
    }

    /// Queues a key. If fewer than [`WORKERS`] workers are running, returns a worker, which the caller must start.
    fn enqueue(&self, key: L::Key, reply: LookupReply<L>) -> Option<LookupWorker<L>> {
        let mut waiting = self.0.lock();
        let callers = waiting.callers.entry(key).or_default();
        callers.push(reply);
        if callers.len() == 1 {
            waiting.order.push_back(key);
        }
        if waiting.workers >= WORKERS {
            return None;
        }
        waiting.workers += 1;
        Some(LookupWorker { waiting: Arc::clone(&self.0), is_done: false })
    }
}

/// Runs look-ups until no caller waits.
async fn work<L: Lookup>(mut worker: LookupWorker<L>, store: impl LookupStore) {
    loop {
        let batch = worker.take();
        if batch.is_empty() {
            return;
        }
        let found = store.look_up(L::of(batch.keys().copied().collect())).await;
        answer::<L>(batch, found);
    }
}

impl<L: Lookup> WaitingLookups<L> {
    /// Takes up to [`BATCH_SIZE`] keys with their callers. Takes the keys that have waited longest.
    fn take(&mut self) -> HashMap<L::Key, Vec<LookupReply<L>>> {
        let keys = self.order.drain(..self.order.len().min(BATCH_SIZE));
        keys.filter_map(|key| self.callers.remove_entry(&key)).collect()
    }
}

fn answer<L: Lookup>(batch: HashMap<L::Key, Vec<LookupReply<L>>>, found: Result<Vec<(L::Key, L::Row)>>) {
    let found = found.map(|rows| rows.into_iter().collect::<HashMap<_, _>>());
    for (key, callers) in batch {
        for caller in callers {
            // a caller that was dropped needs no reply
            let _ = caller.send(match &found {
                Ok(rows) => Ok(rows.get(&key).cloned()),
                Err(Error::Store(failure)) => Err(failure.clone().into()),
                Err(Error::Refused(refusal)) => Err(Error::Refused(refusal.clone())),
            });
        }
    }
}
