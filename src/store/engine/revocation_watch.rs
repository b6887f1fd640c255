//! Notifies the open response streams of an assistant's connection when a commit of this process ends the connection,
//! or deletes one of its MCP sessions at a client's request. Without the notification, a stream would notice the end
//! only at its next periodic check. The module also limits the number of open streams per connection and per user.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::watch;

use crate::domain::ids::{ConnectionId, UserId};

/// The registered watchers: one [`RevocationWatch`] for each open stream.
#[derive(Clone, Debug, Default)]
pub struct RevocationWatchers {
    watched: Arc<Mutex<Watched>>,
}

#[derive(Debug, Default)]
struct Watched {
    connections: HashMap<ConnectionId, watch::Sender<()>>,
    /// Number of watchers of each user, over all of the user's connections.
    users: HashMap<UserId, usize>,
}

/// Maximum numbers of concurrent watchers.
#[derive(Clone, Copy, Debug)]
pub struct WatchLimits {
    /// Maximum number of watchers of one connection.
    pub of_connection: usize,
    /// Maximum number of watchers of one user, over all of the user's connections.
    pub of_user: usize,
}

/// A watcher, which is notified when its connection or one of the connection's MCP sessions ends.
#[derive(Debug)]
pub struct RevocationWatch {
    connection: ConnectionId,
    user: UserId,
    changed: Option<watch::Receiver<()>>,
    revocation_watchers: RevocationWatchers,
}

impl RevocationWatchers {
    /// Registers a watcher of a user's connection. Returns `None` if a limit is reached.
    #[must_use]
    pub fn watch(
        &self,
        connection: ConnectionId,
        user: UserId,
        limits: WatchLimits,
    ) -> Option<RevocationWatch> {
        let mut watched = self.watched.lock();
        let of_connection = watched.connections.get(&connection).map_or(0, watch::Sender::receiver_count);
        let of_user = watched.users.get(&user).copied().unwrap_or(0);
        if of_connection >= limits.of_connection || of_user >= limits.of_user {
            return None;
        }
        watched.users.insert(user, of_user + 1);
        let sender = watched.connections.entry(connection).or_insert_with(|| watch::Sender::new(()));
        let changed = Some(sender.subscribe());
        drop(watched);
        Some(RevocationWatch { connection, user, changed, revocation_watchers: self.clone() })
    }

    /// Notifies the watchers of these connections.
    pub(in crate::store) fn notify(&self, connections: &[ConnectionId]) {
        if connections.is_empty() {
            return;
        }
        let watched = self.watched.lock();
        for connection in connections {
            if let Some(sender) = watched.connections.get(connection) {
                sender.send_replace(());
            }
        }
    }
}

impl RevocationWatch {
    /// Waits until the connection or one of its MCP sessions ends. The caller must then read whether the connection and
    /// the MCP session of the stream still exist.
    pub async fn ended(&mut self) {
        if let Some(changed) = &mut self.changed
            && changed.changed().await.is_ok()
        {
            return;
        }
        // not reached, because the sender exists as long as this watcher
        std::future::pending::<()>().await;
    }
}

impl Drop for RevocationWatch {
    fn drop(&mut self) {
        let mut watched = self.revocation_watchers.watched.lock();
        // The receiver is dropped before the receivers are counted, so that the count does not include it. The lock is
        // held, so that no watcher is added between the count and the removal.
        drop(self.changed.take());
        let is_last =
            watched.connections.get(&self.connection).is_some_and(|sender| sender.receiver_count() == 0);
        if is_last {
            watched.connections.remove(&self.connection);
        }
        if let Some(of_user) = watched.users.get_mut(&self.user) {
            *of_user -= 1;
            if *of_user == 0 {
                watched.users.remove(&self.user);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    const MAX: WatchLimits = WatchLimits { of_connection: 2, of_user: 3 };

    fn watch(
        revocation_watchers: &RevocationWatchers,
        connection: i64,
        user: i64,
    ) -> Option<RevocationWatch> {
        revocation_watchers.watch(ConnectionId(connection), UserId(user), MAX)
    }

    fn is_empty(revocation_watchers: &RevocationWatchers) -> bool {
        let watched = revocation_watchers.watched.lock();
        watched.connections.is_empty() && watched.users.is_empty()
    }

    #[tokio::test]
    async fn watchers_are_notified_once_per_commit_and_removed_on_drop() {
        let revocation_watchers = RevocationWatchers::default();
        let mut one = watch(&revocation_watchers, 1, 9).unwrap();
        let mut other = watch(&revocation_watchers, 2, 9).unwrap();
        assert!(one.ended().now_or_never().is_none());
        revocation_watchers.notify(&[ConnectionId(1), ConnectionId(3)]);
        assert!(one.ended().now_or_never().is_some());
        assert!(one.ended().now_or_never().is_none(), "one commit notifies once");
        assert!(other.ended().now_or_never().is_none());
        drop((one, other));
        assert!(is_empty(&revocation_watchers));
    }

    #[tokio::test]
    async fn watchers_of_a_connection_are_limited() {
        let revocation_watchers = RevocationWatchers::default();
        let first = watch(&revocation_watchers, 1, 9);
        let second = watch(&revocation_watchers, 1, 9);
        assert!(first.is_some() && second.is_some());
        assert!(watch(&revocation_watchers, 1, 9).is_none());
        drop(first);
        assert!(watch(&revocation_watchers, 1, 9).is_some());
    }

    #[tokio::test]
    async fn watchers_of_a_user_are_limited() {
        let revocation_watchers = RevocationWatchers::default();
        let held = [1, 1, 2].map(|connection| watch(&revocation_watchers, connection, 9).unwrap());
        assert!(watch(&revocation_watchers, 2, 9).is_none() && watch(&revocation_watchers, 3, 9).is_none());
        assert!(watch(&revocation_watchers, 3, 8).is_some(), "the limit is per user");
        drop(held);
        assert!(is_empty(&revocation_watchers), "a rejected watcher leaves no entry");
        assert!(watch(&revocation_watchers, 3, 9).is_some());
    }
}
