//! Live lists of conversations: how many messages a person has not read, in each conversation that changes.
//!
//! One task counts for all windows of this process, in one statement for many people, and what changes within a moment is
//! counted once.

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    sync::Arc,
    time::Duration,
};

use parking_lot::Mutex;
use tokio::sync::{Notify, broadcast};

use super::{audience::Audience, feed::CHECK};
use crate::{
    domain::{
        conversation::ConversationKind,
        ids::{ConversationId, UserId},
    },
    op,
    store::{
        Result, Signal,
        unread::{self, UnreadOf},
        windows,
    },
    workspace::World,
};

/// How long changes are collected before they are counted.
const COLLECT: Duration = Duration::from_millis(100);
/// The pause after a failure.
const AGAIN: Duration = Duration::from_secs(1);
/// People and conversations that are counted with one statement.
const BATCH: usize = 500;
/// Conversations of a person that are followed: the latest ones.
const MAX_PLACES: i64 = 5_000;
/// Events that a window may be behind.
const BACKLOG: usize = 64;

/// What a list is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListNews {
    /// The number of messages that the person has not read.
    Unread { kind: ConversationKind, id: ConversationId, unread: i64 },
    /// The person has joined or left conversations: the list is to be read again.
    Moved,
    /// The name, the topic or the state of a conversation has changed, or it was deleted.
    Renamed { kind: ConversationKind, id: ConversationId },
}

/// The people with open lists.
#[derive(Debug)]
pub(super) struct Lists {
    pub(super) audience: Audience,
    index: Mutex<Index>,
    wake: Notify,
}

#[derive(Debug, Default)]
struct Index {
    people: HashMap<UserId, Reader>,
    /// Who has a conversation in the list.
    readers: HashMap<ConversationId, HashSet<UserId>>,
    /// What is to be counted, by conversation: its messages are read once for all of its people.
    pending: BTreeSet<(ConversationId, UserId)>,
    /// Whose conversations are to be read again.
    moved: HashSet<UserId>,
}

/// A person with open lists.
#[derive(Debug)]
struct Reader {
    windows: usize,
    /// Whether `places` were read.
    is_read: bool,
    places: HashMap<ConversationId, ConversationKind>,
    news: broadcast::Sender<ListNews>,
}

impl Default for Lists {
    fn default() -> Self {
        Self { audience: Audience::new(None), index: Mutex::default(), wake: Notify::new() }
    }
}

impl Lists {
    /// Adds a window of a person.
    pub(super) fn add(&self, user: UserId) -> broadcast::Receiver<ListNews> {
        let mut index = self.index.lock();
        let reader = index.people.entry(user).or_insert_with(|| Reader {
            windows: 0,
            is_read: false,
            places: HashMap::new(),
            news: broadcast::Sender::new(BACKLOG),
        });
        reader.windows += 1;
        reader.news.subscribe()
    }

    /// Reads the conversations of a person for the first window.
    ///
    /// # Errors
    /// Store errors.
    pub(super) async fn read_once(&self, world: &World, user: UserId) -> Result<()> {
        let is_read = self.index.lock().people.get(&user).is_some_and(|reader| reader.is_read);
        if is_read { Ok(()) } else { self.read_places(world, user).await.map(drop) }
    }

    /// Removes a window of a person.
    pub(super) fn close(&self, user: UserId) {
        let mut index = self.index.lock();
        let Some(reader) = index.people.get_mut(&user) else { return };
        reader.windows -= 1;
        if reader.windows == 0 {
            let _ = index.replace_places(user, HashMap::new());
            index.people.remove(&user);
        }
    }

    pub(super) fn pass(&self, signal: &Signal) {
        let mut guard = self.index.lock();
        let index = &mut *guard;
        for id in &signal.changed {
            for user in index.readers.get(id).into_iter().flatten() {
                index.pending.insert((*id, *user));
            }
        }
        let is_open = |user: &UserId| index.people.contains_key(user);
        let is_read = signal.read.iter().filter(|(user, _)| is_open(user));
        index.pending.extend(is_read.map(|(user, id)| (*id, *user)));
        index.moved.extend(signal.joined.iter().filter(|user| is_open(user)));
        if signal.lost {
            index.moved.extend(index.people.keys());
            for (user, reader) in &index.people {
                index.pending.extend(reader.places.keys().map(|id| (*id, *user)));
            }
        }
        for id in &signal.renamed {
            for reader in
                index.readers.get(id).into_iter().flatten().filter_map(|user| index.people.get(user))
            {
                if let Some(&kind) = reader.places.get(id) {
                    // fails without windows
                    let _ = reader.news.send(ListNews::Renamed { kind, id: *id });
                }
            }
        }
        let is_woken = !index.pending.is_empty() || !index.moved.is_empty();
        drop(guard);
        if is_woken {
            self.wake.notify_one();
        }
    }

    /// Counts again for a person who has read a conversation further.
    pub(super) fn pass_read(&self, user: UserId, id: ConversationId) {
        let mut index = self.index.lock();
        if index.people.contains_key(&user) {
            index.pending.insert((id, user));
            drop(index);
            self.wake.notify_one();
        }
    }

    /// Reads the conversations of a person, and returns whether they are others than before.
    async fn read_places(&self, world: &World, user: UserId) -> Result<bool> {
        let places = world.db.read(FindPlaces(user)).await?.into_iter().collect();
        Ok(self.index.lock().replace_places(user, places))
    }

    /// Counts what is pending, and sends it. What fails stays pending.
    async fn send(&self, world: &World) -> Result<()> {
        loop {
            let Some(user) = self.index.lock().moved.iter().next().copied() else { break };
            let has_moved = self.read_places(world, user).await?;
            let mut index = self.index.lock();
            index.moved.remove(&user);
            if has_moved {
                index.send(user, ListNews::Moved);
            }
        }
        // all that is pending now: what changes meanwhile is counted in the next round
        loop {
            let round: Vec<_> = std::mem::take(&mut self.index.lock().pending).into_iter().collect();
            if round.is_empty() {
                return Ok(());
            }
            for (at, some) in round.chunks(BATCH).enumerate() {
                if let Err(error) = self.count(world, some).await {
                    self.index.lock().pending.extend(&round[at * BATCH..]);
                    return Err(error);
                }
            }
        }
    }

    async fn count(&self, world: &World, pairs: &[(ConversationId, UserId)]) -> Result<()> {
        let wanted = pairs.iter().map(|(id, user)| world.live.marks.unread_of(*user, *id)).collect();
        let counted = world.db.read(CountUnread(wanted)).await?;
        let mut index = self.index.lock();
        let members: HashSet<_> = counted.iter().map(|(user, id, _)| (*id, *user)).collect();
        for (user, id, unread) in counted {
            if let Some(&kind) = index.people.get(&user).and_then(|reader| reader.places.get(&id)) {
                index.send(user, ListNews::Unread { kind, id, unread });
            }
        }
        for (id, user) in pairs.iter().filter(|pair| !members.contains(pair)) {
            index.remove_place(*user, *id);
            index.send(*user, ListNews::Moved);
        }
        Ok(())
    }
}

impl Index {
    fn send(&self, user: UserId, news: ListNews) {
        if let Some(reader) = self.people.get(&user) {
            // fails without windows
            let _ = reader.news.send(news);
        }
    }

    /// Returns whether they are others than before.
    fn replace_places(&mut self, user: UserId, places: HashMap<ConversationId, ConversationKind>) -> bool {
        let Some(reader) = self.people.get_mut(&user) else { return false };
        reader.is_read = true;
        let before = std::mem::replace(&mut reader.places, places);
        let added: Vec<ConversationId> =
            reader.places.keys().filter(|id| !before.contains_key(id)).copied().collect();
        let removed: Vec<ConversationId> =
            before.into_keys().filter(|id| !reader.places.contains_key(id)).collect();
        let has_moved = !added.is_empty() || !removed.is_empty();
        for id in added {
            self.readers.entry(id).or_default().insert(user);
        }
        for id in removed {
            self.forget(user, id);
        }
        has_moved
    }

    fn remove_place(&mut self, user: UserId, id: ConversationId) {
        if let Some(reader) = self.people.get_mut(&user) {
            reader.places.remove(&id);
        }
        self.forget(user, id);
    }

    fn forget(&mut self, user: UserId, id: ConversationId) {
        if let Some(users) = self.readers.get_mut(&id) {
            users.remove(&user);
            if users.is_empty() {
                self.readers.remove(&id);
            }
        }
    }
}

impl World {
    /// Counts unread messages for open lists, whenever something has changed.
    pub(super) async fn send_unread(self: Arc<Self>) {
        let lists = &self.live.lists;
        let mut checked = self.clock.instant();
        loop {
            let rest = CHECK.saturating_sub(checked.elapsed());
            let confirmed = tokio::select! {
                () = lists.wake.notified() => {
                    self.clock.pause(COLLECT).await;
                    Ok(())
                }
                () = self.clock.pause(rest) => {
                    checked = self.clock.instant();
                    lists.audience.confirm_again(&self).await
                }
            };
            let sent = lists.send(&self).await;
            if let Err(error) = confirmed.and(sent) {
                tracing::debug!(%error, "failed to count unread messages; trying again");
                self.clock.pause(AGAIN).await;
                lists.wake.notify_one();
            }
        }
    }
}

struct FindPlaces(UserId);

op! {
    ReadOp "find_places", SINGLE: FindPlaces -> Vec<(ConversationId, ConversationKind)> =
        |op, c| windows::places(c, op.0, MAX_PLACES)
}

struct CountUnread(Vec<UnreadOf>);

op! {
    ReadOp "count_unread", SINGLE: CountUnread -> Vec<(UserId, ConversationId, i64)> =
        |op, c| unread::counts(c, &op.0)
}
