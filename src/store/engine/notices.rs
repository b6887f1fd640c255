//! Notifications by which an operation reports its changes to other parts of the process.
//! [`CommitNotices`](super::commit_notices) publishes the notifications when the operation commits.

use super::lock_key::LockKey;
use crate::domain::ids::{AppId, ConnectionId, ConversationId, InstallationId, UserId};

/// A change that an operation reports to other parts of the process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notice {
    /// An event of an installation must be delivered: it is new, or its redelivery was requested. Published to
    /// [`Db::commit_notices`](crate::store::Db::commit_notices).
    NewEvent(AppId, InstallationId),
    /// Pending events were dropped, because their installations were disconnected. The value is the number of these
    /// events, which the metrics count.
    DroppedEvents(u64),
    /// An assistant's connection was revoked, or one of the connection's MCP sessions was deleted. Published to
    /// [`Db::revocation_watchers`](crate::store::Db::revocation_watchers).
    Ended(ConnectionId),
    /// A message of a conversation was posted, edited or deleted, or a file of a message was deleted. Also used if
    /// somebody left the conversation, and if the conversation was deleted. Published to
    /// [`Db::signals`](crate::store::Db::signals).
    Changed(ConversationId),
    /// A property of a conversation has changed, such as its name, or the conversation was deleted. If the conversation
    /// is a group, there is also such a notification for each of its channels. Published to
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
    /// The app and the installation of each event that must be delivered.
    pub due: Vec<(AppId, InstallationId)>,
    /// Number of events that were dropped because their installations were disconnected.
    pub dropped: u64,
    /// Assistants' connections that were revoked, and connections with an MCP session that was deleted.
    pub ended: Vec<ConnectionId>,
    /// The keys of [`Notice::Drain`]. If one of them is the [key of a subject](LockKey::is_subject), the operation
    /// revoked something.
    pub drain_keys: Vec<LockKey>,
    /// Conversations with new, edited or deleted messages or with deleted files, conversations that somebody left, and
    /// deleted conversations.
    pub changed: Vec<ConversationId>,
    /// Conversations of which a property has changed, deleted conversations, and the channels of changed or deleted
    /// groups.
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

    /// Removes all notifications, before another operation or another attempt of this operation uses this value.
    pub(in crate::store) fn clear(&mut self) {
        *self = Self::default();
    }
}
