//! Live updates of open browser windows. A *window* is a page of the web client that receives live updates.
//!
//! Each commit on any node signals which conversations have changed ([`Signals`](crate::store::Signals)). A
//! conversation with open windows has a [`feed`]. The task of the feed reads each new message, edit and deletion once,
//! and sends it to all windows of the conversation. A window that reconnects reads the messages, edits and deletions
//! that it has missed.
//! [`lists`] updates lists of conversations. [`marks`] stores how far people have read conversations.
//!
//! Before a feed sends a message, an edit or a deletion, [`audience`] confirms that the people of the windows may still
//! see the conversation. One confirmation covers many windows. [`revoked`] closes the windows of people who have lost a
//! right.

mod audience;
mod feed;
mod lists;
mod marks;
mod revoked;
mod window;

use std::{
    collections::HashMap,
    sync::{Arc, OnceLock, Weak},
};

use parking_lot::Mutex;

use self::{feed::ConversationFeed, lists::OpenLists, marks::PendingReadMarks, revoked::Revoked};
pub use self::{
    feed::{ShownChange, WindowChange},
    lists::ListNews,
    window::{LiveWindow, News},
};
use crate::{
    domain::{
        conversation::ConversationKind,
        ids::{ConversationId, UserId},
    },
    platform::shutdown::Stop,
    service::World,
    store::{Error, LockKey, Signal, StoreError},
};

/// Maximum number of windows that a person can have open at the same time on one node.
const MAX_WINDOWS: usize = 64;

/// The open windows of this process.
#[derive(Debug, Default)]
pub struct LiveWindows {
    feeds: Mutex<HashMap<ConversationId, Arc<ConversationFeed>>>,
    lists: OpenLists,
    revoked: Revoked,
    marks: PendingReadMarks,
    /// Number of windows per person.
    persons: Mutex<HashMap<UserId, usize>>,
    stop: OnceLock<Stop>,
}

/// Logs a failure of work that is retried. If the store is unavailable, logs at `debug`, because the failure is
/// temporary. Logs any other error at `warn`, because it is a bug of the server and will happen again.
fn log_failure(error: &Error, what: &'static str) {
    match error {
        Error::Store(StoreError::Unavailable(_)) => tracing::debug!(%error, "{what}; retrying"),
        _ => tracing::warn!(%error, "{what}; retrying"),
    }
}

impl World {
    /// Runs the live updates of this process until shutdown: exchanges signals with other nodes, passes signals to the
    /// windows, counts unread messages, closes the windows of people who have lost a right, and writes read marks.
    /// Before this call, no window can be opened.
    pub async fn run_live(self: Arc<Self>, stop: Stop) {
        // fails only if `run_live` is called twice
        let _ = self.live.stop.set(stop.clone());
        let process = u64::from_le_bytes(self.rng.bytes());
        let signals = async {
            loop {
                let signal = self.db.signals().next().await;
                self.live.dispatch(&signal);
            }
        };
        let exchange = async {
            self.db.exchange_signals(process).await;
            std::future::pending::<()>().await;
        };
        tokio::select! {
            () = stop.draining() => {}
            () = signals => {}
            () = exchange => {}
            () = Arc::clone(&self).send_unread() => {}
            () = self.close_revoked() => {}
            () = self.write_marks() => {}
        }
    }
}

impl LiveWindows {
    fn dispatch(&self, signal: &Signal) {
        let feeds = self.feeds.lock();
        if signal.lost {
            feeds.values().for_each(|feed| feed.wake.notify_one());
            self.revoked.add(self.lists.audience.batches());
        } else {
            for id in &signal.changed {
                if let Some(feed) = feeds.get(id) {
                    feed.wake.notify_one();
                }
            }
        }
        if !signal.revoked.is_empty() {
            let has_left = |feed: &&Arc<ConversationFeed>| {
                signal.revoked.contains(&LockKey::audience(feed.conversation.1))
            };
            for feed in feeds.values().filter(has_left) {
                self.revoked.add(feed.audience.batches());
            }
            // Each window follows the list of conversations, also if it shows a conversation. So the audience of the
            // lists contains all windows of the revoked sessions, accounts and people.
            self.revoked.add(self.lists.audience.batches_of(&signal.revoked));
        }
        drop(feeds);
        self.lists.dispatch(signal);
    }

    /// Calls `join` with the feed of a conversation. If the conversation has no feed, opens one first. The lock of the
    /// feeds is held during `join`, so that the feed is not closed before the window has joined it.
    fn enter<T>(
        self: &Arc<Self>,
        world: &Arc<World>,
        stop: &Stop,
        conversation: (ConversationKind, ConversationId),
        join: impl FnOnce(&Arc<ConversationFeed>) -> T,
    ) -> T {
        let mut feeds = self.feeds.lock();
        let feed = feeds.entry(conversation.1).or_insert_with(|| {
            let feed = Arc::new(ConversationFeed::new(conversation));
            let live: Weak<Self> = Arc::downgrade(self);
            tokio::spawn(Arc::clone(&feed).follow(Arc::clone(world), live, stop.clone()));
            feed
        });
        join(feed)
    }

    /// Removes a feed if it has no windows, and returns whether it was removed.
    fn close_if_empty(&self, feed: &ConversationFeed) -> bool {
        let mut feeds = self.feeds.lock();
        let is_empty = feed.audience.is_empty();
        if is_empty {
            feeds.remove(&feed.conversation.1);
        }
        is_empty
    }

    /// Counts a new window of a person and returns `true`. If the person already has [`MAX_WINDOWS`], returns `false`
    /// and does not count the window.
    fn admit(&self, user: UserId) -> bool {
        let mut persons = self.persons.lock();
        let windows = persons.entry(user).or_insert(0);
        let is_admitted = *windows < MAX_WINDOWS;
        *windows += usize::from(is_admitted);
        is_admitted
    }

    fn dismiss(&self, user: UserId) {
        let mut persons = self.persons.lock();
        if let Some(windows) = persons.get_mut(&user) {
            *windows -= 1;
            if *windows == 0 {
                persons.remove(&user);
            }
        }
    }
}
