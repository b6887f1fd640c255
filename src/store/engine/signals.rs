//! Signals about committed changes, to the browser windows that this process serves and to other nodes. A signal
//! contains only ids, and its receiver reads the changes from the tables. So if a signal is lost, a window shows a
//! message late, but the message is not lost.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;
use tokio::sync::Notify;

use super::lock_key::LockKey;
use super::notices::Notices;
use crate::domain::ids::{ConversationId, UserId};

/// What has changed since the previous signal was taken.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signal {
    /// Conversations with new, edited or deleted messages or with deleted files, conversations that somebody left, and
    /// deleted conversations.
    pub changed: HashSet<ConversationId>,
    /// Conversations whose name, topic or state has changed, deleted conversations, and the channels of changed or
    /// deleted groups.
    pub renamed: HashSet<ConversationId>,
    /// Users who joined a conversation. The conversation is new in their list.
    pub joined: HashSet<UserId>,
    /// Pairs of a user and a conversation in which the user's read position has advanced.
    pub read: HashSet<(UserId, ConversationId)>,
    /// Lock keys of the subjects that revocations concern: for example a session or an account that was signed out, a
    /// deactivated person, a conversation that a user left, or a deleted conversation.
    pub revoked: HashSet<LockKey>,
    /// Whether signals of other nodes are possibly lost. If so, all windows must read everything again.
    pub lost: bool,
}

impl Signal {
    fn is_empty(&self) -> bool {
        self.changed.is_empty()
            && self.renamed.is_empty()
            && self.joined.is_empty()
            && self.read.is_empty()
            && self.revoked.is_empty()
            && !self.lost
    }

    /// Adds the contents of another signal.
    pub(in crate::store) fn merge(&mut self, other: Self) {
        self.changed.extend(other.changed);
        self.renamed.extend(other.renamed);
        self.joined.extend(other.joined);
        self.read.extend(other.read);
        self.revoked.extend(other.revoked);
        self.lost |= other.lost;
    }

    fn of(notices: &Notices) -> Self {
        Self {
            changed: notices.changed.iter().copied().collect(),
            renamed: notices.renamed.iter().copied().collect(),
            joined: notices.joined.iter().copied().collect(),
            read: notices.read.iter().copied().collect(),
            revoked: notices.drain_keys.iter().copied().filter(|key| key.is_subject()).collect(),
            lost: false,
        }
    }
}

/// Merges signals into one signal until the listening task takes it.
#[derive(Debug, Default)]
struct Inbox {
    /// Whether a task has called [`Inbox::next`]. Signals that arrive before the first call are dropped, so that they
    /// do not accumulate if no task ever listens.
    is_open: AtomicBool,
    pending: Mutex<Signal>,
    added: Notify,
}

impl Inbox {
    fn add(&self, signal: Signal) {
        if self.is_open.load(Ordering::Acquire) {
            self.pending.lock().merge(signal);
            self.added.notify_one();
        }
    }

    async fn next(&self) -> Signal {
        self.is_open.store(true, Ordering::Release);
        loop {
            let signal = std::mem::take(&mut *self.pending.lock());
            if !signal.is_empty() {
                return signal;
            }
            self.added.notified().await;
        }
    }
}

/// The signals to the windows of this process, and the signals to other nodes.
#[derive(Debug, Default)]
pub struct Signals {
    windows: Inbox,
    nodes: Inbox,
}

impl Signals {
    /// Adds the changes that an operation of this process committed, or possibly committed, to the signals for the
    /// windows and to the signals for other nodes.
    pub(in crate::store) fn committed(&self, notices: &Notices) {
        let signal = Signal::of(notices);
        if !signal.is_empty() {
            self.nodes.add(signal.clone());
            self.windows.add(signal);
        }
    }

    /// Puts back a signal that could not be sent to other nodes.
    pub(in crate::store) fn unsent(&self, signal: Signal) {
        if !signal.is_empty() {
            self.nodes.add(signal);
        }
    }

    /// Adds the changes that another node committed, to the signals for the windows only.
    pub(in crate::store) fn received(&self, signal: Signal) {
        self.windows.add(signal);
    }

    /// Waits for the next signal to the windows of this process. Only one task at a time may call this. Signals that
    /// arrive before the first call are dropped.
    pub async fn next(&self) -> Signal {
        self.windows.next().await
    }

    /// Waits for the next signal to other nodes. The rules of [`Signals::next`] apply.
    pub(in crate::store) async fn next_for_nodes(&self) -> Signal {
        self.nodes.next().await
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    fn changed(ids: &[i64]) -> Notices {
        Notices { changed: ids.iter().copied().map(ConversationId).collect(), ..Notices::default() }
    }

    #[tokio::test]
    async fn signals_are_merged_until_they_are_taken() {
        let signals = Signals::default();
        signals.committed(&changed(&[1]));
        assert!(signals.next().now_or_never().is_none(), "a signal from before the first call is dropped");
        signals.committed(&changed(&[2, 3]));
        signals.received(Signal { lost: true, ..Signal::default() });
        let left = LockKey::audience(ConversationId(3));
        let written = LockKey::pair(UserId(4), UserId(5));
        signals.committed(&Notices { drain_keys: vec![left, written], ..changed(&[3]) });
        let taken = signals.next().await;
        assert_eq!(taken.changed, HashSet::from([ConversationId(2), ConversationId(3)]));
        assert_eq!(taken.revoked, HashSet::from([left]), "only keys of subjects are signalled as revoked");
        assert!(taken.lost);
        assert!(signals.next().now_or_never().is_none());
    }

    #[tokio::test]
    async fn other_nodes_get_only_what_this_node_committed() {
        let signals = Signals::default();
        assert!(signals.next_for_nodes().now_or_never().is_none());
        signals.received(Signal { lost: true, ..Signal::default() });
        signals.committed(&Notices::default());
        assert!(signals.next_for_nodes().now_or_never().is_none(), "received signals are not forwarded");
        signals.committed(&changed(&[4]));
        assert_eq!(signals.next_for_nodes().await.changed, HashSet::from([ConversationId(4)]));
    }
}
