//! Rows by key on PostgreSQL, where every look costs a round trip: callers who wait at the same time share one.
//!
//! What a token stands for is asked of the database for every request, because another node may have revoked it. While
//! a statement is on its way the keys of further callers gather, and the next statement asks for all of them. Nobody
//! waits for others to come: with a worker free, a single key goes off at once. A statement begins after its callers
//! asked, so it sees everything that was committed before.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::oneshot;

use super::error::{Error, Result, StoreError};
use super::op::Op;
use super::pg;

/// Most statements of one kind on their way at the same time. Few, so that keys gather.
const WORKERS: usize = 2;

/// Most keys of one statement.
const KEYS: usize = 64;

/// How long a caller waits: longer than a statement and a connection may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// An operation that looks for many keys with one statement.
pub trait Lookup: Op<Out = Vec<(Self::Key, Self::Row)>> {
    /// What a row is found by.
    type Key: Copy + Eq + Hash + Send + Sync + 'static;
    /// What each caller gets.
    type Row: Clone + Send + 'static;

    /// The operation for these keys, each of which occurs once.
    fn of(keys: Vec<Self::Key>) -> Self;
}

/// The callers of one kind of look-up.
pub(super) struct Lookups<L: Lookup>(Arc<Mutex<Waiting<L>>>);

type Reply<L> = oneshot::Sender<Result<Option<<L as Lookup>::Row>>>;

struct Waiting<L: Lookup> {
    callers: HashMap<L::Key, Vec<Reply<L>>>,
    /// The keys of the callers, the one that has waited for longest first.
    order: VecDeque<L::Key>,
    workers: usize,
}

/// A worker: one less when it ends, however it ends.
struct Worker<L: Lookup> {
    waiting: Arc<Mutex<Waiting<L>>>,
    is_done: bool,
}

impl<L: Lookup> Worker<L> {
    /// The next keys with their callers; none when the worker is done.
    fn take(&mut self) -> HashMap<L::Key, Vec<Reply<L>>> {
        let mut waiting = self.waiting.lock();
        let batch = waiting.take();
        if batch.is_empty() {
            // before the lock is given back: a caller that comes then starts another
            waiting.workers -= 1;
            self.is_done = true;
        }
        batch
    }
}

impl<L: Lookup> Drop for Worker<L> {
    fn drop(&mut self) {
        if !self.is_done {
            self.waiting.lock().workers -= 1;
        }
    }
}

impl<L: Lookup> Default for Lookups<L> {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Waiting { callers: HashMap::new(), order: VecDeque::new(), workers: 0 })))
    }
}

impl<L: Lookup> Lookups<L> {
    /// The row of a key, if there is one.
    ///
    /// # Errors
    /// Those of the store.
    pub(super) async fn find(&self, store: &pg::Store, key: L::Key) -> Result<Option<L::Row>> {
        let (reply, answer) = oneshot::channel();
        if let Some(worker) = self.ask(key, reply) {
            tokio::spawn(work(worker, store.clone()));
        }
        let unavailable = |why: &'static str| Err(StoreError::unavailable(why).into());
        match tokio::time::timeout(PATIENCE, answer).await {
            Ok(Ok(found)) => found,
            Ok(Err(_)) => unavailable("the runtime is shutting down"),
            Err(_) => unavailable("the database did not answer in time"),
        }
    }

    /// Has a key looked for; a worker to be started, if one more may be at work.
    fn ask(&self, key: L::Key, reply: Reply<L>) -> Option<Worker<L>> {
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
        Some(Worker { waiting: Arc::clone(&self.0), is_done: false })
    }
}

/// Asks for what is waited for, until nobody waits.
async fn work<L: Lookup>(mut worker: Worker<L>, store: pg::Store) {
    loop {
        let batch = worker.take();
        if batch.is_empty() {
            return;
        }
        let found = store.look_up(&L::of(batch.keys().copied().collect())).await;
        answer::<L>(batch, found);
    }
}

impl<L: Lookup> Waiting<L> {
    /// Up to [`KEYS`] keys with their callers, those that have waited for longest.
    fn take(&mut self) -> HashMap<L::Key, Vec<Reply<L>>> {
        let keys = self.order.drain(..self.order.len().min(KEYS));
        keys.filter_map(|key| self.callers.remove_entry(&key)).collect()
    }
}

fn answer<L: Lookup>(batch: HashMap<L::Key, Vec<Reply<L>>>, found: Result<Vec<(L::Key, L::Row)>>) {
    let found = found.map(|rows| rows.into_iter().collect::<HashMap<_, _>>());
    for (key, callers) in batch {
        for caller in callers {
            // a caller that went away needs no answer
            let _ = caller.send(match &found {
                Ok(rows) => Ok(rows.get(&key).cloned()),
                Err(Error::Store(failure)) => Err(failure.clone().into()),
                Err(Error::Refused(refusal)) => Err(Error::Refused(refusal.clone())),
            });
        }
    }
}
