//! Group commit on PostgreSQL: concurrent sends share a transaction. On SQLite the store's only writer thread already
//! commits several writes together.
//!
//! While all workers ([`WORKERS`]) are busy, arriving sends queue up, and the next transaction takes up to
//! [`MAX_SENDS`] of them. A shared transaction needs one disk write and four round trips, however many sends it takes.
//! If some of its sends are to groups or channels and others to people, it needs five round trips.
//!
//! A shared transaction of a worker does not wait for locks. It writes those sends whose locks are free. Other
//! transactions write the remaining sends, so that no send waits for the lock of another conversation:
//!
//! - For each conversation with sends whose locks are not free, one further transaction waits for the locks and writes
//!   these sends.
//! - A send gets a transaction of its own if it may be a replay or creates a conversation. A send whose destination or
//!   thread is rejected also gets one: if it is a replay, it gets its original response in spite of the rejection.
//! - If a shared transaction fails, each of its sends gets a transaction of its own, unless too little time is left
//!   ([`RETRY_WITHIN`]).
//!
//! While sends to a conversation are in progress, later sends to the same conversation stay in the queue. Their
//! transaction would not get the lock of the conversation.

mod batch;

use std::{
    collections::{HashMap, HashSet, VecDeque, hash_map::Entry},
    sync::Arc,
    time::Duration,
};

use parking_lot::Mutex;
use tokio::sync::oneshot;

use self::batch::{GroupedSendOutcome, SendBatch};
use super::{SendMessage, Sent};
use crate::{
    domain::ids::UserId,
    platform::clock::Clock,
    store::{Db, Engine, Error, LockKey, Result, StoreError, keys::Hash},
};

/// Maximum number of sends in one transaction.
const MAX_SENDS: usize = 64;

/// A transaction takes no further send when the texts, blocks and metadata of its sends have reached this size in
/// bytes. So small sends do not wait long for large ones.
const MAX_BYTES: usize = 256 * 1024;

/// Maximum number of workers. Each worker runs one shared transaction at a time and waits for no lock. The number is
/// low, so that sends queue up and share transactions.
const WORKERS: usize = 2;

/// Maximum time that a send stays in the queue.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(5);

/// The queue of sends. All clones of a `GroupCommit` share one queue.
#[derive(Clone, Default)]
pub struct GroupCommit(Arc<Mutex<SendQueue>>);

#[derive(Default)]
struct SendQueue {
    /// The queued sends, in order of arrival.
    sends: VecDeque<QueuedSend>,
    /// The number of the next send that arrives.
    next_number: u64,
    /// The resources of the sends in progress, each with the number of sends that use it.
    busy: HashMap<SendResource, usize>,
    /// The number of running workers.
    workers: usize,
}

type SendReply = oneshot::Sender<Result<Sent>>;

struct QueuedSend {
    number: u64,
    send: Arc<SendMessage>,
    /// Resources of the send, of which the first is the conversation.
    resources: [SendResource; 3],
    reply: SendReply,
}

/// A resource that a send in progress reserves.
///
/// - Only one transaction at a time may write to a conversation, because another transaction would not get the
///   conversation's lock. One transaction can have many sends to the conversation.
/// - Only one send at a time may use an idempotency key. Two sends with one key would insert the same row of
///   `send_keys` or `message_keys`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum SendResource {
    Conversation(LockKey),
    /// A bot and an idempotency key: the primary key of `send_keys`.
    KeyOfBot(UserId, Hash),
    /// A conversation and an idempotency key: the primary key of `message_keys`.
    KeyOfConversation(LockKey, Hash),
}

impl GroupCommit {
    /// Writes a send together with others. On SQLite, and for a send whose destination id is invalid, writes nothing
    /// and returns `None`.
    pub(super) async fn send(&self, db: &Db, clock: &Clock, send: &Arc<SendMessage>) -> Option<Result<Sent>> {
        if db.engine() == Engine::Sqlite || send.locks().exclusive.is_empty() {
            return None;
        }
        let (reply, mut answer) = oneshot::channel();
        let (number, worker) = self.enqueue(Arc::clone(send), reply);
        start(worker, db, clock);
        let answered = match tokio::time::timeout(QUEUE_TIMEOUT, &mut answer).await {
            Ok(answered) => answered,
            Err(_) if self.cancel(number) => {
                return Some(Err(StoreError::Unavailable("too many writes are waiting".into()).into()));
            }
            // a transaction has taken the send and reports the result within its own deadlines
            Err(_) => answer.await,
        };
        let aborted = "the write was aborted by a panic or by the shutdown";
        let ended = || Err(StoreError::Unavailable(aborted.into()).into());
        Some(answered.unwrap_or_else(|_| ended()))
    }

    /// Queues a send and returns its number. If fewer than [`WORKERS`] workers run, also returns a worker to start.
    fn enqueue(&self, send: Arc<SendMessage>, reply: SendReply) -> (u64, Option<SendWorker>) {
        let resources = send.resources();
        let mut queue = self.0.lock();
        let number = queue.next_number;
        queue.next_number += 1;
        queue.sends.push_back(QueuedSend { number, send, resources, reply });
        (number, self.worker(&mut queue))
    }

    /// Returns a worker to start if sends are queued and fewer than [`WORKERS`] workers run.
    fn worker(&self, queue: &mut SendQueue) -> Option<SendWorker> {
        if queue.sends.is_empty() || queue.workers == WORKERS {
            return None;
        }
        queue.workers += 1;
        Some(SendWorker { group_commit: self.clone(), is_done: false })
    }

    /// Runs a write in a task of its own. Afterwards, starts a worker if sends are queued and fewer than [`WORKERS`]
    /// workers run. The queued sends may have waited for the resources that the write has released.
    fn in_background(&self, writing: impl Future<Output = ()> + Send + 'static, db: &Db, clock: &Clock) {
        let (group_commit, db, clock) = (self.clone(), db.clone(), clock.clone());
        tokio::spawn(async move {
            writing.await;
            let worker = group_commit.worker(&mut group_commit.0.lock());
            start(worker, &db, &clock);
        });
    }

    /// Removes a send from the queue. Returns `false` if a transaction has already taken the send.
    fn cancel(&self, number: u64) -> bool {
        let mut queue = self.0.lock();
        let before = queue.sends.len();
        queue.sends.retain(|queued| queued.number != number);
        queue.sends.len() < before
    }
}

impl SendQueue {
    /// Takes the sends that can be written together, oldest first.
    fn take(&mut self) -> Vec<QueuedSend> {
        let (mut taken, mut left) = (Vec::new(), VecDeque::new());
        // one transaction can take many sends to a conversation, but two transactions must not share a conversation
        let mut taken_conversations = HashSet::new();
        let mut bytes = 0;
        while let Some(queued) = self.sends.pop_front() {
            let [conversation, keys @ ..] = queued.resources;
            let is_in_other_transaction =
                self.busy.contains_key(&conversation) && !taken_conversations.contains(&conversation);
            if is_in_other_transaction || keys.iter().any(|key| self.busy.contains_key(key)) {
                left.push_back(queued);
                continue;
            }
            taken_conversations.insert(conversation);
            for resource in queued.resources {
                *self.busy.entry(resource).or_default() += 1;
            }
            bytes += queued.send.request.bytes();
            taken.push(queued);
            if taken.len() == MAX_SENDS || bytes >= MAX_BYTES {
                break;
            }
        }
        left.append(&mut self.sends);
        self.sends = left;
        taken
    }
}

/// A running worker. Dropping it, even in a panic, frees its slot.
struct SendWorker {
    group_commit: GroupCommit,
    is_done: bool,
}

impl SendWorker {
    /// Takes the next sends. If there are none, the worker is finished.
    fn take(&mut self) -> Vec<InProgress> {
        let mut queue = self.group_commit.0.lock();
        let taken = queue.take();
        if taken.is_empty() {
            // `workers` is reduced before the queue is unlocked, so that a send that arrives later starts a new worker
            queue.workers -= 1;
            self.is_done = true;
        }
        drop(queue);
        let in_progress = |queued: QueuedSend| InProgress {
            send: queued.send,
            reply: queued.reply,
            busy: Busy(self.group_commit.clone(), queued.resources),
        };
        taken.into_iter().map(in_progress).collect()
    }
}

impl Drop for SendWorker {
    fn drop(&mut self) {
        if !self.is_done {
            self.group_commit.0.lock().workers -= 1;
        }
    }
}

/// A send that was taken from the queue. Its resources are released when it is answered or dropped.
struct InProgress {
    send: Arc<SendMessage>,
    reply: SendReply,
    busy: Busy,
}

impl InProgress {
    /// Releases the resources of all these sends first, and then sends the replies.
    fn answer(answered: Vec<(Self, Result<Sent>)>) {
        let replies: Vec<_> = answered.into_iter().map(|(send, sent)| (send.reply, sent)).collect();
        for (reply, sent) in replies {
            // a caller that has disconnected needs no response
            let _ = reply.send(sent);
        }
    }
}

/// Resources of a send in progress, released on drop.
struct Busy(GroupCommit, [SendResource; 3]);

impl Drop for Busy {
    fn drop(&mut self) {
        let mut queue = self.0.0.lock();
        for resource in &self.1 {
            if let Entry::Occupied(mut sends) = queue.busy.entry(*resource) {
                *sends.get_mut() -= 1;
                if *sends.get() == 0 {
                    sends.remove();
                }
            }
        }
    }
}

fn start(worker: Option<SendWorker>, db: &Db, clock: &Clock) {
    if let Some(worker) = worker {
        tokio::spawn(work(worker, db.clone(), clock.clone()));
    }
}

/// Writes queued sends until no queued send can be taken. The sends that remain in the queue need resources of sends in
/// progress, and are taken when those have ended. If a worker wrote the sends in progress, that worker takes the
/// remaining sends. If the sends in progress were written in the background, a new worker takes the remaining sends, or
/// one of the running workers if [`WORKERS`] already run ([`GroupCommit::in_background`]).
async fn work(mut worker: SendWorker, db: Db, clock: Clock) {
    loop {
        let taken = worker.take();
        if taken.is_empty() {
            return;
        }
        write(taken, SendBatch::if_free, &db, &clock).await;
    }
}

/// If a shared transaction fails within this time because the database is unavailable, each of its sends is written
/// alone. If the transaction took longer, all its sends fail, because too little time is left.
///
/// After a failure with another cause, each send is written alone, however long the transaction took. If the commit
/// succeeded in spite of the error, the idempotency keys prevent duplicates.
const RETRY_WITHIN: Duration = Duration::from_secs(1);

/// Writes sends in one transaction and answers them. Sends that the transaction cannot write are written in the
/// background.
async fn write(
    taken: Vec<InProgress>,
    batch: fn(Vec<Arc<SendMessage>>) -> SendBatch,
    db: &Db,
    clock: &Clock,
) {
    let begun = clock.instant();
    let sends = taken.iter().map(|taken| Arc::clone(&taken.send)).collect();
    let outcomes = match db.write(batch(sends)).await {
        Ok(outcomes) => outcomes,
        Err(error) => {
            if let Error::Store(failure) = &error {
                tracing::warn!(%failure, sends = taken.len(), "failed to write sends in a shared transaction");
            }
            let is_late = begun.elapsed() > RETRY_WITHIN;
            let of = |_: &InProgress| match &error {
                Error::Store(failure @ StoreError::Unavailable(_)) if is_late => {
                    GroupedSendOutcome::Answered(Err(failure.clone().into()))
                }
                // One of the sends may have caused the failure. If each send is written alone, only this send fails
                // again.
                _ => GroupedSendOutcome::Alone,
            };
            taken.iter().map(of).collect()
        }
    };
    let (mut answered, mut locked) = (Vec::new(), HashMap::<_, Vec<_>>::new());
    for (send, outcome) in taken.into_iter().zip(outcomes) {
        match outcome {
            GroupedSendOutcome::Answered(sent) => answered.push((send, sent)),
            GroupedSendOutcome::Locked => locked.entry(send.busy.1[0]).or_default().push(send),
            GroupedSendOutcome::Alone => write_alone(send, db, clock),
        }
    }
    for sends in locked.into_values() {
        write_when_free(sends, db, clock);
    }
    InProgress::answer(answered);
}

/// Writes sends to one conversation in a transaction that waits for the conversation's lock.
fn write_when_free(sends: Vec<InProgress>, db: &Db, clock: &Clock) {
    let Some(group_commit) = sends.first().map(|send| send.busy.0.clone()) else { return };
    let (own_db, own_clock) = (db.clone(), clock.clone());
    let writing = async move { write(sends, SendBatch::when_free, &own_db, &own_clock).await };
    group_commit.in_background(writing, db, clock);
}

/// Writes a send in a transaction of its own.
fn write_alone(send: InProgress, db: &Db, clock: &Clock) {
    let (group_commit, own_db) = (send.busy.0.clone(), db.clone());
    let writing = async move {
        // If the caller has disconnected, the send is skipped. The caller can repeat it with the same key.
        if !send.reply.is_closed() {
            let sent = own_db.write(Arc::clone(&send.send)).await;
            InProgress::answer(vec![(send, sent)]);
        }
    };
    group_commit.in_background(writing, db, clock);
}

impl SendMessage {
    /// Returns the resources of the send, of which the first is the conversation.
    fn resources(&self) -> [SendResource; 3] {
        let (bot, key) = (self.replay.bot, self.replay.key_hash);
        let conversation = self.locks().exclusive.first().copied().unwrap_or(LockKey::user(bot));
        [
            SendResource::Conversation(conversation),
            SendResource::KeyOfBot(bot, key),
            SendResource::KeyOfConversation(conversation, key),
        ]
    }
}
