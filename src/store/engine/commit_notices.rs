//! Notifications of committed writes of this process: which apps have events to deliver, so that
//! delivery starts at the commit and not at the next poll, which connections ended
//! ([`RevocationWatchers`]), and what open browser windows must read again ([`Signals`]).

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;
use tokio::sync::Notify;

use super::locks::LockKey;
use super::revocation_watch::RevocationWatchers;
use super::signals::Signals;
use crate::domain::delivery::NewEvents;
use crate::domain::ids::{AppId, ConnectionId, ConversationId, InstallationId, UserId};
use crate::platform::metrics::EVENTS_QUEUED;

/// A change by an operation that other parts of the process wait for or rely on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notice {
    /// An installation of an app has one more event to deliver. Published to
    /// [`Db::commit_notices`](crate::store::Db::commit_notices).
    NewEvent(AppId, InstallationId),
    /// A connection, or a session of it, ended. Published to
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
    /// The operation changes a fact on which other operations rely while they hold this lock in shared
    /// mode. After its commit, it responds only when all of them have released the lock. See
    /// [`locks`](super::locks).
    Drain(LockKey),
}

/// The notifications of an operation, published when it commits.
#[derive(Debug, Default)]
pub struct Notices {
    /// App and installation of every new event.
    pub due: Vec<(AppId, InstallationId)>,
    /// Connections that ended, or lost a session.
    pub ended: Vec<ConnectionId>,
    /// Locks of the subjects that the operation revoked. On PostgreSQL they are drained before the
    /// operation responds.
    pub drained: Vec<LockKey>,
    /// Conversations with new, edited or deleted messages.
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
            Notice::Ended(connection) => self.ended.push(connection),
            Notice::Drain(key) => self.drained.push(key),
            Notice::Changed(conversation) => self.changed.push(conversation),
            Notice::Renamed(conversation) => self.renamed.push(conversation),
            Notice::Joined(user) => self.joined.push(user),
            Notice::Read(user, conversation) => self.read.push((user, conversation)),
        }
    }

    /// Returns whether the operation revoked something.
    pub(in crate::store) fn has_revoked(&self) -> bool {
        self.drained.iter().any(|key| key.is_subject())
    }

    /// Removes all notifications, because the operation is run again.
    pub(in crate::store) fn clear(&mut self) {
        *self = Self::default();
    }
}

/// Publishes the notifications of committed operations.
#[derive(Debug, Default)]
pub struct CommitNotices {
    /// The apps with new events, for a single listener. Each app has one entry, which bounds the size if
    /// nobody listens.
    apps: Mutex<HashMap<AppId, NewEvents>>,
    added: Notify,
    revocation_watchers: RevocationWatchers,
    revocations: AtomicU64,
    signals: Signals,
}

impl CommitNotices {
    /// Returns the watchers of connections.
    pub(in crate::store) fn revocation_watchers(&self) -> &RevocationWatchers {
        &self.revocation_watchers
    }

    /// Returns the signals for open windows.
    pub(in crate::store) fn signals(&self) -> &Signals {
        &self.signals
    }

    /// Returns the number of operations of this process that revoked something.
    pub(in crate::store) fn revocations(&self) -> u64 {
        self.revocations.load(Ordering::Acquire)
    }

    /// Publishes the notifications of a committed operation. Must be called before the operation
    /// responds.
    pub(in crate::store) fn add(&self, notices: &Notices) {
        let Notices { due, ended, .. } = notices;
        if notices.has_revoked() {
            self.revocations.fetch_add(1, Ordering::AcqRel);
        }
        self.signals.committed(notices);
        self.revocation_watchers.notify(ended);
        if !due.is_empty() {
            metrics::counter!(EVENTS_QUEUED).increment(due.len() as u64);
            let mut apps = self.apps.lock();
            for &(app, installation) in due {
                apps.entry(app).or_default().add(installation);
            }
            drop(apps);
            self.added.notify_one();
        }
    }

    /// Signals the changes of an operation that may have been committed, because its COMMIT got no
    /// response. If it was not committed, windows read their data once without need.
    pub(in crate::store) fn add_unconfirmed(&self, notices: &Notices) {
        self.signals.committed(notices);
    }

    /// Waits until apps have new events, and takes all of these apps. Supports one listener at a time.
    pub async fn next(&self) -> HashMap<AppId, NewEvents> {
        loop {
            let apps = std::mem::take(&mut *self.apps.lock());
            if !apps.is_empty() {
                return apps;
            }
            self.added.notified().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn each_app_is_reported_once_with_its_installations() {
        let commit_notices = CommitNotices::default();
        assert!(commit_notices.next().now_or_never().is_none());
        let due = |events: &[(i64, i64)]| Notices {
            due: events.iter().map(|&(app, id)| (AppId(app), InstallationId(id))).collect(),
            ..Notices::default()
        };
        commit_notices.add(&due(&[(1, 10), (2, 20)]));
        commit_notices.add(&due(&[(1, 11)]));
        commit_notices.add(&due(&[]));
        let of = |ids: &[i64]| NewEvents::Of(ids.iter().copied().map(InstallationId).collect());
        assert_eq!(
            commit_notices.next().await,
            HashMap::from([(AppId(1), of(&[10, 11])), (AppId(2), of(&[20]))])
        );
        assert!(commit_notices.next().now_or_never().is_none());
    }
}
