//! Group commit on PostgreSQL: concurrent sends share a transaction, as they do on SQLite through its single
//! writer.
//!
//! While a transaction runs, arriving sends queue up, and the next transaction takes them all: four round
//! trips and one disk write for up to [`MAX_SENDS`] messages. It takes only free locks and writes the messages
//! without conflicts. Every other send is returned to its caller, which writes it alone: it has to wait for a
//! lock, is rejected, is a replay, or creates a conversation. So no send waits for a lock of another one.

use std::{
    collections::{HashSet, VecDeque},
    sync::Arc,
    time::Duration,
};

use parking_lot::Mutex;
use tokio::sync::oneshot;

use super::{Destination, OpenDestination, Send, Sent};
use crate::{
    domain::ids::UserId,
    platform::clock::Clock,
    store::{
        Db, Engine, Error, LockKey, Locks, Op, Result, Sql, StoreError,
        keys::Hash,
        sends::{self, SendFacts, SendLookup},
    },
};

/// Maximum number of sends in one transaction.
const MAX_SENDS: usize = 64;

/// Maximum size of a transaction, in bytes of texts, blocks and metadata, so that small sends do not wait
/// long for large ones.
const MAX_BYTES: usize = 256 * 1024;

/// Maximum number of concurrent transactions. Low, so that sends queue up and share them.
const WORKERS: usize = 2;

/// Timeout for a queued send.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(5);

/// The queue of sends. Clones share it.
#[derive(Clone, Default)]
pub struct GroupCommit(Arc<Mutex<Waiting>>);

#[derive(Default)]
struct Waiting {
    /// In order of arrival.
    sends: VecDeque<Waiter>,
    next_number: u64,
    /// Resources of the running transactions.
    busy: HashSet<Resource>,
    workers: usize,
}

struct Waiter {
    number: u64,
    send: Arc<Send>,
    /// Its resources; the conversation first.
    resources: [Resource; 3],
    reply: oneshot::Sender<Option<Result<Sent>>>,
}

/// A resource used by one transaction at a time: transactions with the same conversation would wait for each
/// other's locks, and sends with the same key would insert one row twice.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Resource {
    Conversation(LockKey),
    KeyOfBot(UserId, Hash),
    KeyOfConversation(LockKey, Hash),
}

impl GroupCommit {
    /// Writes a send together with others; `None` if it has to be written alone.
    pub(super) async fn send(&self, db: &Db, clock: &Clock, send: &Arc<Send>) -> Option<Result<Sent>> {
        if db.engine() == Engine::Sqlite || send.locks().exclusive.is_empty() {
            return None;
        }
        let (reply, mut answer) = oneshot::channel();
        let (number, worker) = self.enqueue(Arc::clone(send), reply);
        if let Some(worker) = worker {
            tokio::spawn(work(worker, db.clone(), clock.clone()));
        }
        let answered = match tokio::time::timeout(QUEUE_TIMEOUT, &mut answer).await {
            Ok(answered) => answered,
            Err(_) if self.cancel(number) => {
                return Some(Err(StoreError::Unavailable("too many writes are waiting".into()).into()));
            }
            // a transaction has taken it and reports the result within its own deadlines
            Err(_) => answer.await,
        };
        let ended = || Some(Err(StoreError::Unavailable("the runtime is shutting down".into()).into()));
        answered.unwrap_or_else(|_| ended())
    }

    /// Queues a send and returns its number, with a worker to start if fewer than the maximum run.
    fn enqueue(
        &self,
        send: Arc<Send>,
        reply: oneshot::Sender<Option<Result<Sent>>>,
    ) -> (u64, Option<Worker>) {
        let resources = send.resources();
        let mut waiting = self.0.lock();
        let number = waiting.next_number;
        waiting.next_number += 1;
        waiting.sends.push_back(Waiter { number, send, resources, reply });
        if waiting.workers == WORKERS {
            return (number, None);
        }
        waiting.workers += 1;
        (number, Some(Worker { group_commit: self.clone(), is_done: false }))
    }

    /// Removes a send from the queue; `false` if a transaction has taken it.
    fn cancel(&self, number: u64) -> bool {
        let mut waiting = self.0.lock();
        let before = waiting.sends.len();
        waiting.sends.retain(|waiter| waiter.number != number);
        waiting.sends.len() < before
    }
}

impl Waiting {
    /// Takes the sends that can be written together, oldest first.
    fn take(&mut self) -> Vec<Waiter> {
        let (mut taken, mut left) = (Vec::new(), VecDeque::new());
        // one transaction can take many sends of a conversation, but two must not share a conversation
        let mut taken_conversations = HashSet::new();
        let mut bytes = 0;
        while let Some(waiter) = self.sends.pop_front() {
            let [conversation, keys @ ..] = waiter.resources;
            let is_elsewhere =
                self.busy.contains(&conversation) && !taken_conversations.contains(&conversation);
            if is_elsewhere || keys.iter().any(|key| self.busy.contains(key)) {
                left.push_back(waiter);
                continue;
            }
            taken_conversations.insert(conversation);
            self.busy.extend(waiter.resources);
            bytes += waiter.send.draft.bytes();
            taken.push(waiter);
            if taken.len() == MAX_SENDS || bytes >= MAX_BYTES {
                break;
            }
        }
        left.append(&mut self.sends);
        self.sends = left;
        taken
    }
}

/// A running worker. Its drop, even by a panic, frees its slot.
struct Worker {
    group_commit: GroupCommit,
    is_done: bool,
}

impl Worker {
    /// Takes the next sends; none if the worker is finished.
    fn take(&mut self) -> Vec<Waiter> {
        let mut waiting = self.group_commit.0.lock();
        let taken = waiting.take();
        if taken.is_empty() {
            // under the lock, so that a send that arrives later starts another worker
            waiting.workers -= 1;
            self.is_done = true;
        }
        taken
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        if !self.is_done {
            self.group_commit.0.lock().workers -= 1;
        }
    }
}

/// Resources of a running transaction, released when it ends.
struct Busy<'a>(&'a GroupCommit, Vec<Resource>);

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        let mut waiting = self.0.0.lock();
        for resource in &self.1 {
            waiting.busy.remove(resource);
        }
    }
}

/// Writes queued sends until none is left that the other workers will not take.
async fn work(mut worker: Worker, db: Db, clock: Clock) {
    loop {
        let taken = worker.take();
        if taken.is_empty() {
            return;
        }
        let begun = clock.instant();
        let busy = Busy(&worker.group_commit, taken.iter().flat_map(|waiter| waiter.resources).collect());
        let (sends, replies): (Vec<_>, Vec<_>) =
            taken.into_iter().map(|waiter| (waiter.send, waiter.reply)).unzip();
        let outcomes = db.write(Batch { sends }).await;
        drop(busy);
        answer(replies, outcomes, begun.elapsed());
    }
}

/// A transaction that fails within this time leaves time to write its sends alone. Their keys prevent
/// duplicates if the commit succeeded after all.
const RETRY_WITHIN: Duration = Duration::from_secs(1);

fn answer(
    replies: Vec<oneshot::Sender<Option<Result<Sent>>>>,
    outcomes: Result<Vec<Option<Result<Sent>>>>,
    took: Duration,
) {
    if let Err(Error::Store(failure)) = &outcomes {
        tracing::warn!(%failure, sends = replies.len(), "failed to write sends in a shared transaction");
    }
    let mut outcomes = outcomes.map(Vec::into_iter);
    for reply in replies {
        // a caller that has disconnected needs no response
        let _ = reply.send(match &mut outcomes {
            Ok(outcomes) => outcomes.next().flatten(),
            Err(Error::Store(failure @ StoreError::Unavailable(_))) if took > RETRY_WITHIN => {
                Some(Err(failure.clone().into()))
            }
            // one send made the transaction fail: written alone, only that one fails
            Err(_) => None,
        });
    }
}

impl Send {
    /// Returns the resources of the send; the conversation first.
    fn resources(&self) -> [Resource; 3] {
        let (bot, key) = (self.replay.bot, self.replay.key_hash);
        let conversation = self.locks().exclusive.first().copied().unwrap_or(LockKey::user(bot));
        [
            Resource::Conversation(conversation),
            Resource::KeyOfBot(bot, key),
            Resource::KeyOfConversation(conversation, key),
        ]
    }

    fn asked<To>(&self, to: To, in_dm: bool) -> SendLookup<To> {
        SendLookup {
            installation: self.bot.installation_id,
            bot: self.bot.user_id,
            to,
            thread: self.thread(in_dm),
            key_hash: self.replay.key_hash,
            cutoff: self.replay.cutoff,
        }
    }
}

/// Sends of one transaction. Its result has for each the message or the error; `None` if the send has to be
/// written alone.
struct Batch {
    sends: Vec<Arc<Send>>,
}

impl Op for Batch {
    const NAME: &'static str = "send_messages";
    type Out = Vec<Option<Result<Sent>>>;

    fn locks(&self) -> Locks {
        Locks::if_free(self.sends.iter().map(Op::locks))
    }

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Self::Out> {
        let mut outcomes: Self::Out = self.sends.iter().map(|_| None).collect();
        let mut written = Vec::new();
        let mut responses = Vec::new();
        for (index, place) in self.destinations(c).await? {
            let send = &self.sends[index];
            let Some(conversation) = place.conversation else { continue };
            // the key is free, so this is no replay, and a rejection is final (B-416, B-417)
            if let Err(refused) = send.budget.take(&send.bot, conversation).await {
                outcomes[index] = Some(Err(refused));
                continue;
            }
            let message = match send.message(&place, conversation) {
                Ok(message) => message,
                Err(error) => {
                    outcomes[index] = Some(Err(error));
                    continue;
                }
            };
            responses.push((index, Sent::new(&message, place.kind)));
            written.push(sends::Send {
                claim: send.claim(&message),
                fingerprint: send.draft.fingerprint,
                cutoff: send.replay.cutoff,
                message,
                extras: send.extras(),
            });
        }
        if !written.is_empty() {
            let stored: HashSet<_> = sends::store(c, &written).await?.into_iter().collect();
            for (index, sent) in responses {
                if stored.contains(&sent.id) {
                    outcomes[index] = Some(Ok(sent));
                } else {
                    // the key was used concurrently; return the token now, before the send is written alone
                    self.sends[index].budget.give_back().await;
                }
            }
        }
        Ok(outcomes)
    }
}

impl Batch {
    /// Returns the accepted destinations of the sends, in the order of the sends.
    async fn destinations<C: Sql>(&self, c: &mut C) -> Result<Vec<(usize, OpenDestination)>> {
        let (mut channels, mut people) = (Vec::new(), Vec::new());
        for (index, send) in self.sends.iter().enumerate() {
            let locks = send.locks();
            if !locks.shared.iter().chain(&locks.exclusive).all(|key| c.holds(*key)) {
                continue;
            }
            match send.draft.to {
                Destination::Conversation(Some((kind, id))) => {
                    channels.push((index, (kind, id), send.asked(id, false)));
                }
                Destination::User(Some(id)) => people.push((index, send.asked(id, true))),
                Destination::Conversation(None) | Destination::User(None) => {}
            }
        }
        let mut destinations = Vec::new();
        if !channels.is_empty() {
            let asked: Vec<_> = channels.iter().map(|(_, _, asked)| *asked).collect();
            for SendFacts { index: place, key_is_free, facts } in sends::channels(c, &asked).await? {
                let Some(&(index, (kind, id), _)) = channels.get(place) else { continue };
                destinations.push((index, key_is_free, self.sends[index].in_channel(kind, id, Some(facts))));
            }
        }
        if !people.is_empty() {
            let asked: Vec<_> = people.iter().map(|(_, asked)| *asked).collect();
            for SendFacts { index: place, key_is_free, facts } in sends::addressees(c, &asked).await? {
                let Some(&(index, _)) = people.get(place) else { continue };
                destinations.push((index, key_is_free, self.sends[index].direct(Some(facts))));
            }
        }
        let mut open: Vec<(usize, OpenDestination)> = destinations
            .into_iter()
            .filter_map(|(index, key_is_free, place)| Some((index, place.ok().filter(|_| key_is_free)?)))
            .filter(|(index, place)| place.has_thread || self.sends[*index].draft.thread.is_none())
            .collect();
        open.sort_unstable_by_key(|(index, _)| *index);
        Ok(open)
    }
}
