//! Sends that come at the same time share a transaction on PostgreSQL, as they do with SQLite's one writer.
//!
//! While a transaction is under way the sends that come gather, and the next one takes them all: four round trips, and
//! one write to the disk, for up to [`MOST`] messages. It takes the locks that are free and writes the messages that
//! nothing stands against. Every other send is given back to its caller, who has it written by itself: it has to wait
//! for a lock, is to be refused, repeats another, or begins a conversation. So no send waits for a stranger's.

use std::{
    collections::{HashSet, VecDeque},
    sync::Arc,
    time::Duration,
};

use parking_lot::Mutex;
use tokio::sync::oneshot;

use super::{Destination, Place, Send, Sent};
use crate::{
    domain::ids::UserId,
    platform::clock::Clock,
    store::{
        Db, Engine, Error, LockKey, Locks, Op, Result, Sql, StoreError,
        keys::Hash,
        sends::{self, Asked, Found},
    },
};

/// Most sends of one transaction.
const MOST: usize = 64;

/// Most transactions under way at the same time. Few, so that sends gather.
const WORKERS: usize = 2;

/// How long a send waits for a transaction that takes it.
const PATIENCE: Duration = Duration::from_secs(5);

/// Where sends gather. Cloning shares it.
#[derive(Clone, Default)]
pub struct Together(Arc<Mutex<Waiting>>);

#[derive(Default)]
struct Waiting {
    /// In the order in which they came.
    sends: VecDeque<Waiter>,
    next_number: u64,
    /// What the transactions under way are about.
    busy: HashSet<Holds>,
    workers: usize,
}

struct Waiter {
    number: u64,
    send: Arc<Send>,
    reply: oneshot::Sender<Option<Result<Sent>>>,
}

/// What only one send at a time may be about: two of one conversation in different transactions would wait for each
/// other's locks, two of one key in the same would be one row twice.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Holds {
    Conversation(LockKey),
    KeyOfBot(UserId, Hash),
    KeyOfConversation(LockKey, Hash),
}

impl Together {
    /// Has a send written with others; `None` when it has to be written by itself.
    pub(super) async fn send(&self, db: &Db, clock: &Clock, send: &Arc<Send>) -> Option<Result<Sent>> {
        if db.engine() == Engine::Sqlite || send.locks().exclusive.is_empty() {
            return None;
        }
        let (reply, mut answer) = oneshot::channel();
        let (number, worker) = self.ask(Arc::clone(send), reply);
        if let Some(worker) = worker {
            tokio::spawn(work(worker, db.clone(), clock.clone()));
        }
        let answered = match tokio::time::timeout(PATIENCE, &mut answer).await {
            Ok(answered) => answered,
            Err(_) if self.leave(number) => {
                return Some(Err(StoreError::Unavailable("too many writes are waiting".into()).into()));
            }
            // a transaction has taken it, and says what became of it within its own deadlines
            Err(_) => answer.await,
        };
        let ended = || Some(Err(StoreError::Unavailable("the runtime is shutting down".into()).into()));
        answered.unwrap_or_else(|_| ended())
    }

    /// Puts a send where others gather; a worker to be started, if one more may be at work.
    fn ask(&self, send: Arc<Send>, reply: oneshot::Sender<Option<Result<Sent>>>) -> (u64, Option<Worker>) {
        let mut waiting = self.0.lock();
        let number = waiting.next_number;
        waiting.next_number += 1;
        waiting.sends.push_back(Waiter { number, send, reply });
        if waiting.workers == WORKERS {
            return (number, None);
        }
        waiting.workers += 1;
        (number, Some(Worker { together: self.clone(), is_done: false }))
    }

    /// Takes a send away; false when a transaction has taken it.
    fn leave(&self, number: u64) -> bool {
        let mut waiting = self.0.lock();
        let before = waiting.sends.len();
        waiting.sends.retain(|waiter| waiter.number != number);
        waiting.sends.len() < before
    }
}

impl Waiting {
    /// Sends that can be written together, those that have waited for longest.
    fn take(&mut self) -> Vec<Waiter> {
        let (mut taken, mut left) = (Vec::new(), VecDeque::new());
        // of one conversation many can go at once, but not in two transactions
        let elsewhere = self.busy.clone();
        while let Some(waiter) = self.sends.pop_front() {
            let [conversation, keys @ ..] = waiter.send.holds();
            if elsewhere.contains(&conversation) || keys.iter().any(|key| self.busy.contains(key)) {
                left.push_back(waiter);
                continue;
            }
            self.busy.extend([conversation].into_iter().chain(keys));
            taken.push(waiter);
            if taken.len() == MOST {
                break;
            }
        }
        left.append(&mut self.sends);
        self.sends = left;
        taken
    }
}

/// One at work: one less when it ends, however it ends.
struct Worker {
    together: Together,
    is_done: bool,
}

impl Worker {
    /// The next sends; none when the worker is done.
    fn take(&mut self) -> Vec<Waiter> {
        let mut waiting = self.together.0.lock();
        let taken = waiting.take();
        if taken.is_empty() {
            // before the lock is given back: a send that comes then starts another
            waiting.workers -= 1;
            self.is_done = true;
        }
        taken
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        if !self.is_done {
            self.together.0.lock().workers -= 1;
        }
    }
}

/// What a transaction is about, until it is over.
struct Busy<'a>(&'a Together, Vec<Holds>);

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        let mut waiting = self.0.0.lock();
        for held in &self.1 {
            waiting.busy.remove(held);
        }
    }
}

/// Writes what waits, until nothing does, or nothing but what the other workers will find when they are done.
async fn work(mut worker: Worker, db: Db, clock: Clock) {
    loop {
        let taken = worker.take();
        if taken.is_empty() {
            return;
        }
        let (sends, replies): (Vec<_>, Vec<_>) =
            taken.into_iter().map(|waiter| (waiter.send, waiter.reply)).unzip();
        let begun = clock.instant();
        let busy = Busy(&worker.together, sends.iter().flat_map(|send| send.holds()).collect());
        let outcomes = db.write(Batch { sends }).await;
        drop(busy);
        answer(replies, outcomes, begun.elapsed());
    }
}

/// How soon a failure leaves time to write the sends by themselves. Their keys keep one that was written after all from being
/// written twice.
const SOON: Duration = Duration::from_secs(1);

fn answer(
    replies: Vec<oneshot::Sender<Option<Result<Sent>>>>,
    outcomes: Result<Vec<Option<Result<Sent>>>>,
    took: Duration,
) {
    if let Err(Error::Store(failure)) = &outcomes {
        tracing::warn!(%failure, sends = replies.len(), "sends could not be written together");
    }
    let mut outcomes = outcomes.map(Vec::into_iter);
    for reply in replies {
        // a caller that went away needs no answer
        let _ = reply.send(match &mut outcomes {
            Ok(outcomes) => outcomes.next().flatten(),
            Err(Error::Store(failure @ StoreError::Unavailable(_))) if took > SOON => {
                Some(Err(failure.clone().into()))
            }
            // one of them spoils the transaction: alone, only that one fails
            Err(_) => None,
        });
    }
}

impl Send {
    /// What no other transaction may be about meanwhile: the conversation first.
    fn holds(&self) -> [Holds; 3] {
        let (bot, key) = (self.replay.bot, self.replay.key_hash);
        let conversation = self.locks().exclusive.first().copied().unwrap_or(LockKey::user(bot));
        [
            Holds::Conversation(conversation),
            Holds::KeyOfBot(bot, key),
            Holds::KeyOfConversation(conversation, key),
        ]
    }

    fn asked<To>(&self, to: To, in_dm: bool) -> Asked<To> {
        Asked {
            installation: self.bot.installation_id,
            bot: self.bot.user_id,
            to,
            thread: self.wanted_thread(in_dm),
            key_hash: self.replay.key_hash,
            cutoff: self.replay.cutoff,
        }
    }
}

/// Sends of one transaction. What it answers for each: the message, or why there is none; `None` when it has to be
/// written by itself.
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
        let mut about = Vec::new();
        for (index, place) in self.places(c).await? {
            let send = &self.sends[index];
            let Some(conversation) = place.conversation else { continue };
            // the key is free, so this is no repeat: what is refused here is refused (B-416, B-417)
            if let Err(refused) = send.budget.take(&send.bot, conversation).await {
                outcomes[index] = Some(Err(refused));
                continue;
            }
            let message = match send.message(&place, conversation) {
                Ok(message) => message,
                Err(none) => {
                    outcomes[index] = Some(Err(none));
                    continue;
                }
            };
            about.push((index, Sent::new(&message, place.kind)));
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
            for (index, sent) in about {
                if stored.contains(&sent.id) {
                    outcomes[index] = Some(Ok(sent));
                } else {
                    // its key was used elsewhere at the same time: nobody waits for what it does not need
                    self.sends[index].budget.give_back().await;
                }
            }
        }
        Ok(outcomes)
    }
}

impl Batch {
    /// Where those sends go that nothing stands against, in the order of the sends.
    async fn places<C: Sql>(&self, c: &mut C) -> Result<Vec<(usize, Place)>> {
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
        let mut places = Vec::new();
        if !channels.is_empty() {
            let asked: Vec<_> = channels.iter().map(|(_, _, asked)| *asked).collect();
            for Found { place, key_is_free, facts } in sends::channels(c, &asked).await? {
                let Some(&(index, (kind, id), _)) = channels.get(place) else { continue };
                places.push((index, key_is_free, self.sends[index].in_channel(kind, id, Some(facts))));
            }
        }
        if !people.is_empty() {
            let asked: Vec<_> = people.iter().map(|(_, asked)| *asked).collect();
            for Found { place, key_is_free, facts } in sends::addressees(c, &asked).await? {
                let Some(&(index, _)) = people.get(place) else { continue };
                places.push((index, key_is_free, self.sends[index].direct(Some(facts))));
            }
        }
        let mut open: Vec<(usize, Place)> = places
            .into_iter()
            .filter_map(|(index, key_is_free, place)| Some((index, place.ok().filter(|_| key_is_free)?)))
            .filter(|(index, place)| place.has_thread || self.sends[*index].draft.thread.is_none())
            .collect();
        open.sort_unstable_by_key(|(index, _)| *index);
        Ok(open)
    }
}
