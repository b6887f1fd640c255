//! Which connections of assistants came to an end, or lost a session: told to those who hold a stream open on them, by
//! each committed write of this process, so that a stream ends with what it stands on and not at its next look. Also how
//! many a connection and a person may hold, so that nobody takes all that a process can hold open.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::watch;

use crate::domain::ids::{ConnectionId, UserId};

/// Who is to be told. Holds only connections that somebody watches.
#[derive(Clone, Debug, Default)]
pub struct Endings {
    watched: Arc<Mutex<Watched>>,
}

#[derive(Debug, Default)]
struct Watched {
    connections: HashMap<ConnectionId, watch::Sender<()>>,
    /// How many watch for each person, over all connections.
    people: HashMap<UserId, usize>,
}

/// How many may watch at a time.
#[derive(Clone, Copy, Debug)]
pub struct MostWatching {
    pub of_connection: usize,
    pub of_person: usize,
}

/// A wait for the end of one connection or of a session on it.
#[derive(Debug)]
pub struct Watching {
    connection: ConnectionId,
    person: UserId,
    news: Option<watch::Receiver<()>>,
    endings: Endings,
}

impl Endings {
    /// Watches a person's connection; none when it or the person is watched by as many as may.
    #[must_use]
    pub fn watch(&self, connection: ConnectionId, person: UserId, most: MostWatching) -> Option<Watching> {
        let mut watched = self.watched.lock();
        let of_connection = watched.connections.get(&connection).map_or(0, watch::Sender::receiver_count);
        let of_person = watched.people.get(&person).copied().unwrap_or(0);
        if of_connection >= most.of_connection || of_person >= most.of_person {
            return None;
        }
        watched.people.insert(person, of_person + 1);
        let sender = watched.connections.entry(connection).or_insert_with(|| watch::Sender::new(()));
        let news = Some(sender.subscribe());
        drop(watched);
        Some(Watching { connection, person, news, endings: self.clone() })
    }

    /// Tells those who watch these connections.
    pub(super) fn tell(&self, connections: &[ConnectionId]) {
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
        let is_last =
            watched.connections.get(&self.connection).is_some_and(|sender| sender.receiver_count() == 0);
        if is_last {
            watched.connections.remove(&self.connection);
        }
        if let Some(of_person) = watched.people.get_mut(&self.person) {
            *of_person -= 1;
            if *of_person == 0 {
                watched.people.remove(&self.person);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    const MOST: MostWatching = MostWatching { of_connection: 2, of_person: 3 };

    fn watch(endings: &Endings, connection: i64, person: i64) -> Option<Watching> {
        endings.watch(ConnectionId(connection), UserId(person), MOST)
    }

    fn is_empty(endings: &Endings) -> bool {
        let watched = endings.watched.lock();
        watched.connections.is_empty() && watched.people.is_empty()
    }

    #[tokio::test]
    async fn those_who_watch_are_told_and_then_forgotten() {
        let endings = Endings::default();
        let mut one = watch(&endings, 1, 9).unwrap();
        let mut other = watch(&endings, 2, 9).unwrap();
        assert!(one.ended().now_or_never().is_none());
        endings.tell(&[ConnectionId(1), ConnectionId(3)]);
        assert!(one.ended().now_or_never().is_some());
        assert!(one.ended().now_or_never().is_none(), "once");
        assert!(other.ended().now_or_never().is_none());
        drop((one, other));
        assert!(is_empty(&endings));
    }

    #[tokio::test]
    async fn so_many_may_watch_a_connection() {
        let endings = Endings::default();
        let first = watch(&endings, 1, 9);
        let second = watch(&endings, 1, 9);
        assert!(first.is_some() && second.is_some());
        assert!(watch(&endings, 1, 9).is_none());
        drop(first);
        assert!(watch(&endings, 1, 9).is_some());
    }

    #[tokio::test]
    async fn so_many_may_watch_for_a_person() {
        let endings = Endings::default();
        let held = [1, 1, 2].map(|connection| watch(&endings, connection, 9).unwrap());
        assert!(watch(&endings, 2, 9).is_none() && watch(&endings, 3, 9).is_none());
        assert!(watch(&endings, 3, 8).is_some(), "each person by themselves");
        drop(held);
        assert!(is_empty(&endings), "nothing is left of what was refused");
        assert!(watch(&endings, 3, 9).is_some());
    }
}
