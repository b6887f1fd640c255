//! The people with open lists, their conversations, and the scheduled counts of unread messages. An open list is a list
//! of conversations in an open browser window.

use std::collections::{BTreeSet, HashMap, HashSet};

use tokio::sync::broadcast;

use super::ListNews;
use crate::{
    domain::{
        conversation::ConversationKind,
        ids::{ConversationId, MessageId, UserId},
        live::Followed,
        time::Timestamp,
    },
    store::windows::FollowedConversation,
};

#[derive(Debug, Default)]
pub(super) struct Index {
    pub(super) people: HashMap<UserId, ListReader>,
    /// For each conversation, the people who have it in their lists.
    pub(super) readers: HashMap<ConversationId, ConversationReaders>,
    /// The scheduled counts, as pairs of a conversation and a person whose unread messages have to be counted. Ordered
    /// by conversation, so that one statement counts a conversation for many people.
    pub(super) pending: BTreeSet<(ConversationId, UserId)>,
    /// People whose conversations have to be read again.
    pub(super) to_reload: HashSet<UserId>,
    /// Whether signals of changed conversations have possibly been lost. If so, two comparisons are necessary for every
    /// conversation: [`Index::compare`] compares its newest message and change, and [`Index::compare_states`] its
    /// state.
    pub(super) is_stale: bool,
    /// The number of readings that have begun. A reading reads the conversations of one person from the database.
    readings: u64,
}

/// The people who have a conversation in their lists, and the stored values for the next comparisons.
#[derive(Debug, Default)]
pub(super) struct ConversationReaders {
    pub(super) users: HashSet<UserId>,
    /// The newest message and change of the conversation at the last comparison, or when the conversation was added;
    /// `None` if they were not read yet.
    newest: Option<Followed>,
    /// The state at the last comparison: a hash of the conversation's name, its topic, and flags such as whether it is
    /// archived (`state_of`). `None` if the hash was not read yet, or if a change was reported after the last
    /// comparison.
    state: Option<String>,
}

/// A person with open lists.
#[derive(Debug)]
pub(super) struct ListReader {
    /// Number of open windows of the person.
    pub(super) windows: usize,
    /// The number of the reading that returned `conversations`; 0 before the first reading.
    pub(super) reading: u64,
    pub(super) conversations: HashMap<ConversationId, FollowedEntry>,
    pub(super) news: broadcast::Sender<ListNews>,
}

/// A conversation in a list.
#[derive(Clone, Copy, Debug)]
pub(super) struct FollowedEntry {
    pub(super) kind: ConversationKind,
    pub(super) joined_at: Timestamp,
    /// The person's read position in the conversation, as returned by the reading [`ListReader::reading`].
    read_id: MessageId,
}

impl From<&FollowedConversation> for FollowedEntry {
    fn from(followed: &FollowedConversation) -> Self {
        Self { kind: followed.kind, joined_at: followed.joined_at, read_id: followed.read_id }
    }
}

impl Index {
    pub(super) fn send(&self, user: UserId, news: ListNews) {
        if let Some(reader) = self.people.get(&user) {
            // fails if there is no window
            let _ = reader.news.send(news);
        }
    }

    /// Returns the kind of a conversation in a person's list.
    pub(super) fn kind_of(&self, user: UserId, id: ConversationId) -> Option<ConversationKind> {
        let listed = self.people.get(&user)?.conversations.get(&id)?;
        Some(listed.kind)
    }

    /// Returns the conversations of a person, and whether the person has joined one of them at `since` or later.
    pub(super) fn conversations_of(&self, user: UserId, since: Timestamp) -> (Vec<ConversationId>, bool) {
        let Some(reader) = self.people.get(&user) else { return (Vec::new(), false) };
        let has_joined = reader.conversations.values().any(|listed| listed.joined_at >= since);
        (reader.conversations.keys().copied().collect(), has_joined)
    }

    /// Schedules a count of a changed conversation for all people who have it in their list.
    pub(super) fn add_changed(&mut self, id: ConversationId) {
        let users = self.readers.get(&id).into_iter().flat_map(|readers| &readers.users);
        self.pending.extend(users.map(|user| (id, *user)));
    }

    /// Stores the newest message and change of conversations. Schedules a count of a conversation if its newest message
    /// differs from the stored one, if its newest change has a higher number than the stored one, or if nothing was
    /// stored for the conversation.
    pub(super) fn compare(&mut self, newest: &[(ConversationId, Followed)]) {
        for (id, newest) in newest {
            let Some(readers) = self.readers.get_mut(id) else { continue };
            let before = readers.newest.replace(*newest);
            // the number of the newest change can also fall, because the rows of changes are deleted after a day
            let has_changed =
                |before: Followed| before.message != newest.message || before.change < newest.change;
            if before.is_none_or(has_changed) {
                self.add_changed(*id);
            }
        }
    }

    /// Stores the states of conversations, and reports the conversations whose state has changed since the last
    /// comparison. A change whose signal was received is not reported again.
    pub(super) fn compare_states(&mut self, states: Vec<(ConversationId, String)>) {
        for (id, state) in states {
            let Some(readers) = self.readers.get_mut(&id) else { continue };
            let has_changed = readers.state.as_ref().is_some_and(|before| *before != state);
            readers.state = Some(state);
            if has_changed {
                self.send_renamed(id);
            }
        }
    }

    /// Reports a change of a conversation's state to all people who have the conversation in their list. The next
    /// comparison does not report the same change again.
    pub(super) fn report_renamed(&mut self, id: ConversationId) {
        if let Some(readers) = self.readers.get_mut(&id) {
            readers.state = None;
            self.send_renamed(id);
        }
    }

    fn send_renamed(&self, id: ConversationId) {
        let users = self.readers.get(&id).into_iter().flat_map(|readers| &readers.users);
        for user in users {
            if let Some(kind) = self.kind_of(*user, id) {
                self.send(*user, ListNews::Renamed { kind, id });
            }
        }
    }

    /// Returns the ids of `conversations` whose newest message and change were not read yet.
    pub(super) fn unknown(&self, conversations: &[FollowedConversation]) -> Vec<ConversationId> {
        let is_known = |id| self.readers.get(&id).is_some_and(|readers| readers.newest.is_some());
        conversations.iter().map(|one| one.conversation_id).filter(|id| !is_known(*id)).collect()
    }

    /// Returns the conversations with scheduled counts.
    pub(super) fn pending_conversations(&self) -> Vec<ConversationId> {
        let mut conversations: Vec<_> = self.pending.iter().map(|(id, _)| *id).collect();
        conversations.dedup();
        conversations
    }

    /// Removes all scheduled counts, and returns those for people with open lists.
    pub(super) fn take_pending(&mut self) -> Vec<(ConversationId, UserId)> {
        let pending = std::mem::take(&mut self.pending).into_iter();
        pending.filter(|(_, user)| self.people.contains_key(user)).collect()
    }

    /// Returns the number of the next reading of a person's conversations.
    pub(super) fn next_read_number(&mut self) -> u64 {
        self.readings += 1;
        self.readings
    }

    /// Replaces the conversations of a person, unless a later reading has replaced them. Returns whether the person has
    /// joined or left conversations since the last reading. `newest` has the newest messages and changes of the
    /// conversations that are new in the index.
    ///
    /// If the person's read position in a conversation has advanced since the last reading, schedules a count of the
    /// conversation, because the signal of this advance was possibly lost.
    pub(super) fn replace_conversations(
        &mut self,
        user: UserId,
        reading: u64,
        conversations: &[FollowedConversation],
        newest: &[(ConversationId, Followed)],
    ) -> bool {
        let Some(reader) = self.people.get_mut(&user) else { return false };
        if reading <= reader.reading {
            return false;
        }
        reader.reading = reading;
        let conversations =
            conversations.iter().map(|one| (one.conversation_id, FollowedEntry::from(one))).collect();
        let before = std::mem::replace(&mut reader.conversations, conversations);
        let added: Vec<ConversationId> =
            reader.conversations.keys().filter(|id| !before.contains_key(id)).copied().collect();
        let has_read = |(id, listed): &(&ConversationId, &FollowedEntry)| {
            before.get(id).is_some_and(|before| before.read_id < listed.read_id)
        };
        let read = reader.conversations.iter().filter(has_read);
        self.pending.extend(read.map(|(id, _)| (*id, user)));
        let newest: HashMap<_, _> = newest.iter().copied().collect();
        let removed: Vec<ConversationId> =
            before.into_keys().filter(|id| !reader.conversations.contains_key(id)).collect();
        let has_moved = !added.is_empty() || !removed.is_empty();
        for id in added {
            let newest = newest.get(&id).copied();
            let readers = self
                .readers
                .entry(id)
                .or_insert_with(|| ConversationReaders { newest, ..ConversationReaders::default() });
            readers.users.insert(user);
        }
        for id in removed {
            self.forget(user, id);
        }
        has_moved
    }

    /// Removes a window of a person.
    pub(super) fn close(&mut self, user: UserId) {
        let Some(reader) = self.people.get_mut(&user) else { return };
        reader.windows -= 1;
        if reader.windows > 0 {
            return;
        }
        let reader = self.people.remove(&user);
        for id in reader.into_iter().flat_map(|reader| reader.conversations.into_keys()) {
            self.forget(user, id);
        }
        self.to_reload.remove(&user);
    }

    /// Removes a person from [`Index::to_reload`], and returns the person.
    pub(super) fn next_to_reload(&mut self) -> Option<UserId> {
        let user = *self.to_reload.iter().next()?;
        self.to_reload.take(&user)
    }

    /// If a list of the person is open, schedules another reading of the person's conversations.
    pub(super) fn schedule_reload(&mut self, user: UserId) {
        if self.people.contains_key(&user) {
            self.to_reload.insert(user);
        }
    }

    pub(super) fn remove_conversation(&mut self, user: UserId, id: ConversationId) {
        if let Some(reader) = self.people.get_mut(&user) {
            reader.conversations.remove(&id);
        }
        self.forget(user, id);
    }

    fn forget(&mut self, user: UserId, id: ConversationId) {
        self.pending.remove(&(id, user));
        if let Some(readers) = self.readers.get_mut(&id) {
            readers.users.remove(&user);
            if readers.users.is_empty() {
                self.readers.remove(&id);
            }
        }
    }
}
