//! Which connections of assistants came to an end, or lost a session: told to those who hold a stream open on them, by
//! each committed write of this process, so that a stream ends with what it stands on and not at its next look.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::watch;

use crate::domain::ids::ConnectionId;

/// Who is to be told. Holds only connections that somebody watches.
#[derive(Clone, Debug, Default)]
pub struct Endings {
    watched: Arc<Mutex<HashMap<ConnectionId, watch::Sender<()>>>>,
}

/// A wait for the end of one connection or of a session on it.
#[derive(Debug)]
pub struct Watching {
    connection: ConnectionId,
    news: Option<watch::Receiver<()>>,
    endings: Endings,
}

impl Endings {
    /// Watches a connection; none when `most` watch it already.
    #[must_use]
    pub fn watch(&self, connection: ConnectionId, most: usize) -> Option<Watching> {
        let mut watched = self.watched.lock();
        let sender = watched.entry(connection).or_insert_with(|| watch::Sender::new(()));
        let news = (sender.receiver_count() < most).then(|| sender.subscribe())?;
        drop(watched);
        Some(Watching { connection, news: Some(news), endings: self.clone() })
    }

    /// Tells those who watch these connections.
    pub(super) fn tell(&self, connections: &[ConnectionId]) {
        if connections.is_empty() {
            return;
        }
        let watched = self.watched.lock();
        for connection in connections {
            if let Some(sender) = watched.get(connection) {
                sender.send_replace(());
            }
        }
    }
}

impl Watching {
    /// Waits until something of the connection ended; what, the store tells.
    pub async fn ended(&mut self) {
        if let Some(news) = &mut self.news
            && news.changed().await.is_ok()
        {
            return;
        }
        // the sender stays as long as this watches
        std::future::pending::<()>().await;
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let mut watched = self.endings.watched.lock();
        // under the lock, so that nobody begins to watch between the count and the removal
        drop(self.news.take());
        if watched.get(&self.connection).is_some_and(|sender| sender.receiver_count() == 0) {
            watched.remove(&self.connection);
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn those_who_watch_are_told_and_then_forgotten() {
        let endings = Endings::default();
        let mut one = endings.watch(ConnectionId(1), 2).unwrap();
        let mut other = endings.watch(ConnectionId(2), 2).unwrap();
        assert!(one.ended().now_or_never().is_none());
        endings.tell(&[ConnectionId(1), ConnectionId(3)]);
        assert!(one.ended().now_or_never().is_some());
        assert!(one.ended().now_or_never().is_none(), "once");
        assert!(other.ended().now_or_never().is_none());
        drop((one, other));
        assert!(endings.watched.lock().is_empty());
    }

    #[tokio::test]
    async fn so_many_may_watch_a_connection() {
        let endings = Endings::default();
        let first = endings.watch(ConnectionId(1), 2);
        let second = endings.watch(ConnectionId(1), 2);
        assert!(first.is_some() && second.is_some());
        assert!(endings.watch(ConnectionId(1), 2).is_none());
        drop(first);
        assert!(endings.watch(ConnectionId(1), 2).is_some());
    }
}
