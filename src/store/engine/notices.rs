//! Notifications by which an operation reports its changes to other parts of the process.
//! [`CommitNotices`](super::commit_notices) publishes the notifications when the operation commits.

use super::lock_key::LockKey;
use crate::domain::ids::{AppId, ConnectionId, ConversationId, InstallationId, UserId};

/// A change that an operation reports to other parts of the process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notice {
    /// An event of an installation was inserted and must be delivered. Published to
    /// [`Db::commit_notices`](crate::store::Db::commit_notices).
    NewEvent(AppId, InstallationId),
    /// This number of pending events was dropped, because their installations were disconnected. Counted in the
    /// metrics.
    DroppedEvents(u64),
    /// An assistant's connection ended, or one of its MCP sessions ended. Published to
    /// [`Db::revocation_watchers`](crate::store::Db::revocation_watchers).
    Ended(ConnectionId),
    /// A message of a conversation was posted, edited or deleted, or somebody left the conversation. Published to
    /// [`Db::signals`](crate::store::Db::signals).
    Changed(ConversationId),
    /// The name, the topic or the state of a conversation has changed, or the conversation was deleted. Published to
    /// [`Db::signals`](crate::store::Db::signals).
    Renamed(ConversationId),
    /// A user joined a conversation, which now appears in the user's list. Published to
    /// [`Db::signals`](crate::store::Db::signals).
    Joined(UserId),
    /// A user's read position in a conversation has advanced. Published to [`Db::signals`](crate::store::Db::signals).
    Read(UserId, ConversationId),
    /// The operation changes a fact on which other operations rely while they hold this lock. On PostgreSQL, the
    /// operation's result is returned only after every transaction that held the lock at the commit has ended. The
    /// module [`locks`](super::locks) describes the rules.
    Drain(LockKey),
}

/// The notifications of one operation. They are published when the operation commits.
#[derive(Debug, Default)]
pub struct Notices {
    /// The app and the installation of each new event.
    pub due: Vec<(AppId, InstallationId)>,
    /// Number of events that were dropped because their installations were disconnected.
    pub dropped: u64,
    /// Assistants' connections that ended, and connections with an MCP session that ended.
    pub ended: Vec<ConnectionId>,
    /// The keys of [`Notice::Drain`]. If one of them is the [key of a subject](LockKey::is_subject), the operation
    /// revoked something.
    pub drain_keys: Vec<LockKey>,
    /// Conversations with new, edited or deleted messages, and conversations that somebody left.
    pub changed: Vec<ConversationId>,
    /// Conversations whose name, topic or state has changed, and deleted conversations.
    pub renamed: Vec<ConversationId>,
    /// Users who joined a conversation.
    pub joined: Vec<UserId>,
    /// Pairs of a user and a conversation in which the user's read position has advanced.
    pub read: Vec<(UserId, ConversationId)>,
}

impl Notices {
    /// Adds a notification.
    pub(in crate::store) fn add(&mut self, notice: Notice) {
        match notice {
            Notice::NewEvent(app, installation) => self.due.push((app, installation)),
            Notice::DroppedEvents(count) => self.dropped += count,
            Notice::Ended(connection) => self.ended.push(connection),
            Notice::Drain(key) => self.drain_keys.push(key),
            Notice::Changed(conversation) => self.changed.push(conversation),
            Notice::Renamed(conversation) => self.renamed.push(conversation),
            Notice::Joined(user) => self.joined.push(user),
            Notice::Read(user, conversation) => self.read.push((user, conversation)),
        }
    }

    /// Returns whether the operation revoked something.
    pub(in crate::store) fn has_revoked(&self) -> bool {
        self.drain_keys.iter().any(|key| key.is_subject())
    }

    /// Removes all notifications, before the next operation or the next attempt of this operation.
    pub(in crate::store) fn clear(&mut self) {
        *self = Self::default();
    }
}
