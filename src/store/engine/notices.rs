//! Notifications of an operation's changes, for other parts of the process.
//! [`CommitNotices`](super::commit_notices) publishes them when the operation commits.

use super::lock_key::LockKey;
use crate::domain::ids::{AppId, ConnectionId, ConversationId, InstallationId, UserId};

/// A change of which an operation notifies other parts of the process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notice {
    /// An installation of an app has one more event to deliver. Published to
    /// [`Db::commit_notices`](crate::store::Db::commit_notices).
    NewEvent(AppId, InstallationId),
    /// Pending events of disconnected installations were dropped. Counted in the metrics.
    DroppedEvents(u64),
    /// A connection, or an MCP session of it, ended. Published to
    /// [`Db::revocation_watchers`](crate::store::Db::revocation_watchers).
    Ended(ConnectionId),
    /// A message of a conversation was posted, edited or deleted, or somebody left the conversation.
    /// Published to [`Db::signals`](crate::store::Db::signals).
    Changed(ConversationId),
    /// The name, the topic or the state of a conversation has changed, or the conversation was deleted.
    /// Published to [`Db::signals`](crate::store::Db::signals).
    Renamed(ConversationId),
    /// A user joined a conversation, which now appears in the user's list. Published to
    /// [`Db::signals`](crate::store::Db::signals).
    Joined(UserId),
    /// A user's read position in a conversation has advanced. Published to
    /// [`Db::signals`](crate::store::Db::signals).
    Read(UserId, ConversationId),
    /// The operation changes a fact on which other operations rely while they hold this lock in shared mode. On
    /// PostgreSQL the operation responds only after those that held the lock at the commit have released it. See
    /// [`locks`](super::locks).
    Drain(LockKey),
}

/// The notifications of an operation, published when it commits.
#[derive(Debug, Default)]
pub struct Notices {
    /// App and installation of every new event.
    pub due: Vec<(AppId, InstallationId)>,
    /// Number of dropped events of disconnected installations.
    pub dropped: u64,
    /// Connections that ended, or of which an MCP session ended.
    pub ended: Vec<ConnectionId>,
    /// The keys of [`Notice::Drain`]. If there are keys of subjects, the operation revoked something. On PostgreSQL the
    /// operation responds only after the earlier holders of these locks have released them.
    pub drain_keys: Vec<LockKey>,
    /// Conversations with new, edited or deleted messages, and those that somebody left.
    pub changed: Vec<ConversationId>,
    /// Conversations with another name, topic or state, and deleted ones.
    pub renamed: Vec<ConversationId>,
    /// Users with a new conversation.
    pub joined: Vec<UserId>,
    /// Users and conversations in which the user's read position has advanced.
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

    /// Removes the notifications of the previous operation or attempt.
    pub(in crate::store) fn clear(&mut self) {
        *self = Self::default();
    }
}
