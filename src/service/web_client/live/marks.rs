//! Read marks, which open windows of the web client make. A mark is the last message that a person has read in a
//! conversation.
//!
//! Each window that shows a new message marks the message as read. Marks are collected for [`EVERY`] and written for
//! many people with one statement. So a message in a conversation with many open windows needs few writes. When this
//! node counts unread messages, it also uses the marks that are not written yet. A process that is killed loses these
//! marks.

use std::{
    collections::{HashMap, HashSet, hash_map::Entry},
    time::Duration,
};

use parking_lot::Mutex;
use tokio::sync::Notify;

use super::log_failure;
use crate::{
    domain::{
        ids::{ConversationId, MessageId, UserId},
        time::Timestamp,
    },
    op,
    service::World,
    store::{
        Result, Sql, conversations,
        unread::UnreadOf,
        windows::{self, WindowSession},
    },
};

/// How long marks are collected before they are written.
const EVERY: Duration = Duration::from_secs(2);
/// Maximum number of marks that are written in one transaction.
const BATCH: usize = 500;
/// How long a shutdown waits for the remaining marks. Measured in real time, because tests can move the clock of the
/// server.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(2);

/// Marks that are not written yet: the newest mark of each session in each conversation. Marks are kept per session,
/// because the mark of a session that has ended in the meantime must not be written.
#[derive(Debug, Default)]
pub(super) struct PendingReadMarks {
    waiting: Mutex<HashMap<(UserId, ConversationId), Vec<ReadMark>>>,
    added: Notify,
}

/// A mark, and the session that made it.
#[derive(Clone, Copy, Debug)]
struct ReadMark {
    by: WindowSession,
    conversation: ConversationId,
    up_to: MessageId,
}

impl PendingReadMarks {
    fn add(&self, mark: ReadMark) {
        let mut waiting = self.waiting.lock();
        let marks = waiting.entry((mark.by.user, mark.conversation)).or_default();
        match marks.iter_mut().find(|latest| latest.by.session == mark.by.session) {
            Some(latest) if latest.up_to < mark.up_to => *latest = mark,
            Some(_) => {}
            None => marks.push(mark),
        }
        drop(waiting);
        self.added.notify_one();
    }

    /// Returns the last message of a person's unwritten marks in a conversation; `None` if there is no such mark.
    pub(super) fn of(&self, user: UserId, conversation: ConversationId) -> Option<MessageId> {
        self.waiting.lock().get(&(user, conversation)).and_then(|marks| latest(marks))
    }

    /// Returns the parameters for counting the unread messages of a person in a conversation.
    pub(super) fn unread_of(&self, user: UserId, conversation: ConversationId) -> UnreadOf {
        UnreadOf { user, conversation, mark: self.of(user, conversation).unwrap_or(MessageId(0)) }
    }

    fn batch(&self) -> Vec<ReadMark> {
        self.waiting.lock().values().flatten().take(BATCH).copied().collect()
    }

    /// Removes marks that were written. If the session of a mark has a newer mark, the newer mark stays.
    fn written(&self, marks: &[ReadMark]) {
        let mut waiting = self.waiting.lock();
        for mark in marks {
            if let Entry::Occupied(mut entry) = waiting.entry((mark.by.user, mark.conversation)) {
                let is_written =
                    |latest: &ReadMark| latest.by.session == mark.by.session && latest.up_to == mark.up_to;
                entry.get_mut().retain(|latest| !is_written(latest));
                if entry.get().is_empty() {
                    entry.remove();
                }
            }
        }
    }
}

/// Returns the last message of the marks.
fn latest(marks: &[ReadMark]) -> Option<MessageId> {
    marks.iter().map(|mark| mark.up_to).max()
}

impl World {
    /// Returns the last message that a person has read in a conversation: the stored message `written`, or the message
    /// of a later mark that is not written yet.
    pub(in crate::service::web_client) fn read_up_to(
        &self,
        user: UserId,
        conversation: ConversationId,
        written: MessageId,
    ) -> MessageId {
        self.live.marks.of(user, conversation).unwrap_or(written).max(written)
    }

    /// Returns the marks of a person that are not written yet: the last message read in each conversation.
    pub(in crate::service::web_client) fn marks_of(
        &self,
        user: UserId,
    ) -> HashMap<ConversationId, MessageId> {
        let waiting = self.live.marks.waiting.lock();
        let own = waiting.iter().filter(|((reader, _), _)| *reader == user);
        own.filter_map(|((_, conversation), marks)| Some((*conversation, latest(marks)?))).collect()
    }

    /// Marks a conversation as read by a person up to a message. The mark is written within seconds.
    pub(in crate::service::web_client) fn mark_soon(
        &self,
        by: WindowSession,
        conversation: ConversationId,
        up_to: MessageId,
    ) {
        self.live.marks.add(ReadMark { by, conversation, up_to });
        // counts the unread messages again for the person's windows on this node
        self.live.lists.schedule_count(by.user, conversation);
    }

    /// Waits for a mark, collects further marks for [`EVERY`], writes them, and starts again. Never returns.
    pub(super) async fn write_marks(&self) {
        let marks = &self.live.marks;
        loop {
            marks.added.notified().await;
            self.clock.pause(EVERY).await;
            if let Err(error) = self.flush_marks().await {
                log_failure(&error, "failed to mark conversations as read");
                marks.added.notify_one();
            }
        }
    }

    /// Writes the remaining marks at a shutdown.
    pub async fn finish_marks(&self) {
        let flushed = match tokio::time::timeout(SHUTDOWN_TIMEOUT, self.flush_marks()).await {
            Ok(flushed) => flushed.map_err(|error| error.to_string()),
            Err(_) => Err("the store does not answer".to_owned()),
        };
        if let Err(why) = flushed {
            let lost = self.live.marks.waiting.lock().len();
            tracing::warn!(lost, why, "failed to write the remaining read marks at shutdown");
        }
    }

    async fn flush_marks(&self) -> Result<()> {
        loop {
            let batch = self.live.marks.batch();
            if batch.is_empty() {
                return Ok(());
            }
            self.db.write(WriteMarks { marks: batch.clone(), now: self.trusted_now()? }).await?;
            self.live.marks.written(&batch);
        }
    }
}

struct WriteMarks {
    marks: Vec<ReadMark>,
    now: Timestamp,
}

op! { Op "write_read_marks": WriteMarks -> () = |op, c| write(c, &op.marks, op.now) }

/// Writes the latest mark of each person in each conversation. Ignores marks whose session is no longer valid.
async fn write<C: Sql>(c: &mut C, marks: &[ReadMark], now: Timestamp) -> Result<()> {
    let by: Vec<WindowSession> = marks.iter().map(|mark| mark.by).collect();
    let present: HashSet<usize> = windows::present(c, &by, None, now).await?.into_iter().collect();
    let mut latest = HashMap::new();
    for (_, mark) in marks.iter().enumerate().filter(|(at, _)| present.contains(at)) {
        let up_to = latest.entry((mark.conversation, mark.by.user)).or_insert(mark.up_to);
        *up_to = mark.up_to.max(*up_to);
    }
    let marks: Vec<_> =
        latest.into_iter().map(|((conversation, user), up_to)| (conversation, user, up_to)).collect();
    match marks.is_empty() {
        true => Ok(()),
        false => conversations::mark_read_many(c, &marks).await,
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;
    use crate::{domain::ids::AccountId, service::testing};

    #[tokio::test]
    async fn a_moved_clock_does_not_end_the_writes_of_a_shutdown() {
        let world = testing::world().await;
        let by = WindowSession {
            session: [1; 32],
            account: AccountId(1),
            user: UserId(2),
            visible_from: MessageId(0),
        };
        let held = world.hold_writes().await;
        world.mark_soon(by, ConversationId(3), MessageId(4));
        let mut finishing = std::pin::pin!(world.finish_marks());
        assert!(finishing.as_mut().now_or_never().is_none());
        world.clock.advance(SHUTDOWN_TIMEOUT);
        assert!(finishing.as_mut().now_or_never().is_none(), "the timeout is measured in real time");
        drop(held);
        finishing.await;
        assert_eq!(world.live.marks.of(by.user, ConversationId(3)), None, "no mark waits any longer");
    }
}
