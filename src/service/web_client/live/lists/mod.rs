//! Live lists of conversations. If a conversation changes, the lists that contain it get its new number of unread
//! messages.
//!
//! One task counts unread messages for all browser windows that are connected to this node. The task uses one statement
//! for many people, and collects changes for [`COLLECT`] before it counts.

mod index;
#[cfg(test)]
mod tests;

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
    time::Duration,
};

use parking_lot::Mutex;
use tokio::sync::{Notify, broadcast};

use self::index::{Index, ListReader};
use super::{audience::Audience, feed::CHECK, log_failure};
use crate::{
    domain::{
        conversation::ConversationKind,
        ids::{ConversationId, MessageId, UserId},
        live::Followed,
        time::Timestamp,
    },
    op,
    platform::ids,
    service::{World, web_client::state_of},
    store::{
        ReadOp, ReadSql, Result, Signal, changes, conversations,
        unread::{self, UnreadOf},
        windows::{self, FollowedConversation},
    },
};

/// How long changes are collected before unread messages are counted.
const COLLECT: Duration = Duration::from_millis(100);
/// Delay before a failed count is retried.
const RETRY_PAUSE: Duration = Duration::from_secs(1);
/// Maximum number of counts in one statement. A count is for one person in one conversation.
const BATCH: usize = 500;
/// Maximum number of conversations in one statement. This applies to statements that read the newest message and change
/// of each conversation, and to statements that read the state of each conversation.
const NEWEST_BATCH: usize = 1_000;
/// Assumed maximum difference between the clocks of nodes, in microseconds.
const SKEW: i64 = 10_000_000;
/// Maximum number of conversations in a person's live list. If the person is in more conversations, the list has those
/// that were created last.
const MAX_CONVERSATIONS: i64 = 5_000;
/// Maximum number of [`ListNews`] that are queued for a slow window. If more are queued, the window gets
/// [`ListNews::Moved`] in their place.
const BACKLOG: usize = 64;

/// A change that is sent to the windows in which a person's list of conversations is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListNews {
    /// The number of the conversation's messages that the person has not read, at most [`unread::MAX_COUNTED`].
    Unread { kind: ConversationKind, id: ConversationId, unread: i64 },
    /// The person has joined or left conversations, or the window has missed changes. The window has to load the list
    /// again.
    Moved,
    /// The name, the topic or the state of a conversation has changed, or the conversation was deleted.
    Renamed { kind: ConversationKind, id: ConversationId },
}

/// The people with open lists. An open list is a list of conversations in an open browser window.
#[derive(Debug)]
pub(super) struct OpenLists {
    pub(super) audience: Audience,
    index: Mutex<Index>,
    wake: Notify,
}

impl Default for OpenLists {
    fn default() -> Self {
        Self { audience: Audience::new(None), index: Mutex::default(), wake: Notify::new() }
    }
}

impl OpenLists {
    /// Adds a window of a person, and returns the receiver of the window's [`ListNews`].
    pub(super) fn add(&self, user: UserId) -> broadcast::Receiver<ListNews> {
        let mut index = self.index.lock();
        let reader = index.people.entry(user).or_insert_with(|| ListReader {
            windows: 0,
            reading: 0,
            conversations: HashMap::new(),
            news: broadcast::Sender::new(BACKLOG),
        });
        reader.windows += 1;
        reader.news.subscribe()
    }

    /// Reads the conversations of a person, unless they were already read for another window of the person.
    ///
    /// # Errors
    /// Store errors.
    pub(super) async fn read_once(&self, world: &World, user: UserId) -> Result<()> {
        let is_read = self.index.lock().people.get(&user).is_some_and(|reader| reader.reading > 0);
        if is_read { Ok(()) } else { self.read_conversations(world, user).await.map(drop) }
    }

    /// Removes a window of a person.
    pub(super) fn close(&self, user: UserId) {
        self.index.lock().close(user);
    }

    pub(super) fn dispatch(&self, signal: &Signal) {
        let mut guard = self.index.lock();
        let index = &mut *guard;
        for id in &signal.changed {
            index.add_changed(*id);
        }
        let read = signal.read.iter().filter(|(user, _)| index.people.contains_key(user));
        index.pending.extend(read.map(|(user, id)| (*id, *user)));
        for user in &signal.joined {
            index.schedule_reload(*user);
        }
        if signal.lost {
            index.to_reload.extend(index.people.keys());
            index.is_stale = true;
        }
        for id in &signal.renamed {
            index.report_renamed(*id);
        }
        let has_work = !index.pending.is_empty() || !index.to_reload.is_empty() || index.is_stale;
        drop(guard);
        if has_work {
            self.wake.notify_one();
        }
    }

    /// Schedules a count for a person whose read position in a conversation has advanced.
    pub(super) fn schedule_count(&self, user: UserId, id: ConversationId) {
        let mut index = self.index.lock();
        if index.people.contains_key(&user) {
            index.pending.insert((id, user));
            drop(index);
            self.wake.notify_one();
        }
    }

    /// Reads the conversations of a person, and returns whether the person has joined or left conversations since the
    /// last reading.
    async fn read_conversations(&self, world: &World, user: UserId) -> Result<bool> {
        let reading = self.index.lock().next_read_number();
        let conversations = world.db.read(FindFollowed(user)).await?;
        let unknown = self.index.lock().unknown(&conversations);
        // Signals of conversations that are not in the index yet are ignored. So the newest messages and changes are
        // read before the conversations are added to the index. If a conversation changes between this read and its
        // addition, the next comparison detects the change.
        let newest = newest_of(world, &unknown).await?;
        Ok(self.index.lock().replace_conversations(user, reading, &conversations, &newest))
    }

    /// Schedules a count of those of `conversations` that have changed since their last count.
    async fn compare(&self, world: &World, conversations: &[ConversationId]) -> Result<()> {
        let newest = newest_of(world, conversations).await?;
        self.index.lock().compare(&newest);
        Ok(())
    }

    /// If signals have possibly been lost, finds what has changed in the conversations of all open lists. Schedules a
    /// count of each conversation with a new message or change. Sends [`ListNews::Renamed`] for each conversation whose
    /// name, topic or state has changed, and for each deleted conversation.
    async fn compare_all(&self, world: &World) -> Result<()> {
        let all: Vec<ConversationId> = {
            let mut index = self.index.lock();
            match std::mem::take(&mut index.is_stale) {
                true => index.readers.keys().copied().collect(),
                false => return Ok(()),
            }
        };
        let compared = self.compare_with_states(world, &all).await;
        if compared.is_err() {
            self.index.lock().is_stale = true;
        }
        compared
    }

    async fn compare_with_states(&self, world: &World, conversations: &[ConversationId]) -> Result<()> {
        self.compare(world, conversations).await?;
        for some in conversations.chunks(NEWEST_BATCH) {
            let states = world.db.read(FindStates(some.to_vec())).await?;
            self.index.lock().compare_states(states);
        }
        Ok(())
    }

    /// Schedules the counts that a window has missed while it was disconnected. `made` is the time at which the server
    /// sent the last event to the window ([`LivePosition::at`](crate::domain::live::LivePosition::at)).
    ///
    /// The window has possibly missed changes since `made` minus [`SKEW`]. If a conversation of the person's list has
    /// changed since then, schedules a count of the conversation. If the person has joined a conversation since then,
    /// sends [`ListNews::Moved`].
    ///
    /// # Errors
    /// Store errors.
    pub(super) async fn catch_up(&self, world: &World, user: UserId, made: Timestamp) -> Result<()> {
        let since = Timestamp(made.0.saturating_sub(SKEW));
        let first = MessageId(ids::first_at(since));
        let (conversations, has_joined) = self.index.lock().conversations_of(user, since);
        let newest = newest_of(world, &conversations).await?;
        let has_changed = |at: &Followed| at.message >= first || at.change >= since.0;
        let changed = newest.into_iter().filter(|(_, at)| has_changed(at));
        self.index.lock().pending.extend(changed.map(|(id, _)| (id, user)));
        if has_joined {
            self.index.lock().send(user, ListNews::Moved);
        }
        self.wake.notify_one();
        Ok(())
    }

    /// Calls `read` for each person whose conversations have to be read again. Sends the person [`ListNews::Moved`] if
    /// `read` returns `true`. A person for whom `read` fails stays scheduled.
    async fn send_moved<R: Future<Output = Result<bool>>>(&self, read: impl Fn(UserId) -> R) -> Result<()> {
        loop {
            // `next_to_reload` removes the person from the schedule before the read. If the person joins another
            // conversation during the read, the signal schedules another read.
            let Some(user) = self.index.lock().next_to_reload() else { return Ok(()) };
            match read(user).await {
                Ok(true) => self.index.lock().send(user, ListNews::Moved),
                Ok(false) => {}
                Err(error) => {
                    self.index.lock().schedule_reload(user);
                    return Err(error);
                }
            }
        }
    }

    /// Runs the scheduled readings, comparisons and counts once, and sends the results. Work that fails stays
    /// scheduled. Counts that are scheduled while this call counts are left for the next call. The caller collects
    /// changes for [`COLLECT`] before the next call.
    async fn send(&self, world: &World) -> Result<()> {
        self.send_moved(|user| self.read_conversations(world, user)).await?;
        self.compare_all(world).await?;
        let conversations = self.index.lock().pending_conversations();
        if conversations.is_empty() {
            return Ok(());
        }
        // The comparison stores the newest message and change of each conversation before the count. So the next
        // comparison detects a change during the count, even if the signal of this change is lost.
        self.compare(world, &conversations).await?;
        let round = self.index.lock().take_pending();
        for (at, some) in round.chunks(BATCH).enumerate() {
            if let Err(error) = self.count(world, some).await {
                self.index.lock().pending.extend(&round[at * BATCH..]);
                return Err(error);
            }
        }
        if !self.index.lock().pending.is_empty() {
            self.wake.notify_one();
        }
        Ok(())
    }

    async fn count(&self, world: &World, pairs: &[(ConversationId, UserId)]) -> Result<()> {
        let wanted = pairs.iter().map(|(id, user)| world.live.marks.unread_of(*user, *id)).collect();
        let counted = world.db.read(CountUnread(wanted)).await?;
        let mut index = self.index.lock();
        let members: HashSet<_> = counted.iter().map(|(user, id, _)| (*id, *user)).collect();
        for (user, id, unread) in counted {
            if let Some(kind) = index.kind_of(user, id) {
                index.send(user, ListNews::Unread { kind, id, unread });
            }
        }
        for (id, user) in pairs.iter().filter(|pair| !members.contains(pair)) {
            index.remove_conversation(*user, *id);
            index.send(*user, ListNews::Moved);
        }
        Ok(())
    }
}

impl World {
    /// Counts unread messages for open lists after each change. Never returns.
    pub(super) async fn send_unread(self: Arc<Self>) {
        let lists = &self.live.lists;
        let mut checked = self.clock.instant();
        loop {
            let rest = CHECK.saturating_sub(checked.elapsed());
            let is_check = tokio::select! {
                () = lists.wake.notified() => {
                    self.clock.pause(COLLECT).await;
                    // If conversations change constantly, `notified` always returns before the pause of the other
                    // branch ends. So this branch also has to find out whether a check is due.
                    checked.elapsed() >= CHECK
                }
                () = self.clock.pause(rest) => true,
            };
            if is_check {
                checked = self.clock.instant();
                // signals have possibly been lost
                lists.index.lock().is_stale = true;
            }
            // Confirms that the people with open lists are still signed in (`audience.rs`). A failed confirmation is
            // repeated when the loop runs again after `RETRY_PAUSE`.
            let is_due = is_check || lists.audience.is_overdue();
            let confirmed = if is_due { lists.audience.confirm_again(&self).await } else { Ok(()) };
            let sent = lists.send(&self).await;
            if let Err(error) = confirmed.and(sent) {
                log_failure(&error, "failed to confirm windows or to count unread messages");
                self.clock.pause(RETRY_PAUSE).await;
                lists.wake.notify_one();
            }
        }
    }
}

struct FindFollowed(UserId);

op! {
    ReadOp "find_followed_conversations", SINGLE: FindFollowed -> Vec<FollowedConversation> =
        |op, c| windows::followed_conversations(c, op.0, MAX_CONVERSATIONS)
}

/// Returns the newest message and the newest change of each conversation.
async fn newest_of(
    world: &World,
    conversations: &[ConversationId],
) -> Result<Vec<(ConversationId, Followed)>> {
    let mut newest = Vec::with_capacity(conversations.len());
    for some in conversations.chunks(NEWEST_BATCH) {
        newest.extend(world.db.read(FindNewestOf(some.to_vec())).await?);
    }
    Ok(newest)
}

struct FindNewestOf(Vec<ConversationId>);

op! {
    ReadOp "find_newest_changes", SINGLE: FindNewestOf -> Vec<(ConversationId, Followed)> =
        |op, c| changes::newest_of(c, &op.0)
}

/// Reads a hash of each conversation. The hash changes with the name, the topic and the state, and when the
/// conversation is deleted.
pub(super) struct FindStates(pub(super) Vec<ConversationId>);

impl ReadOp for FindStates {
    const NAME: &'static str = "find_conversation_states";
    const SINGLE: bool = true;
    type Out = Vec<(ConversationId, String)>;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Self::Out> {
        let found = conversations::by_ids(c, &self.0).await?;
        Ok(found.iter().map(|conversation| (conversation.id, state_of(conversation))).collect())
    }
}

struct CountUnread(Vec<UnreadOf>);

op! {
    ReadOp "count_unread": CountUnread -> Vec<(UserId, ConversationId, i64)> =
        |op, c| unread::counts(c, &op.0)
}
