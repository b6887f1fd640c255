//! Feeds of conversations. A conversation that is open in browser windows connected to this node has one feed. The task
//! of the feed reads new messages, edits and deletions, and sends them to all these windows.

use std::{
    sync::{Arc, OnceLock, Weak},
    time::Duration,
};

use bytes::Bytes;
use tokio::sync::{Notify, OnceCell, broadcast};

use super::{LiveWindows, audience::Audience, log_failure};
use crate::{
    domain::{
        conversation::ConversationKind,
        ids::{ConversationId, MessageId},
        live::Followed,
    },
    platform::shutdown::Stop,
    service::{
        World,
        web_client::message::{MessageReader, ShownMessage, UnfilteredMessage, unfiltered},
    },
    store::{
        ReadOp, ReadSql, Result,
        changes::{self, MessageChange},
        employee,
    },
};

/// Interval at which a feed reads even without a signal of a change, because signals can be lost. At this interval the
/// feed also checks again that the people of its windows may see the conversation ([`Audience::confirm_again`]),
/// because sessions can expire.
pub(super) const CHECK: Duration = Duration::from_secs(15);
/// Delay before a failed read is retried.
const RETRY_PAUSE: Duration = Duration::from_secs(1);
/// A batch has at most this many new messages, and at most this many edits and deletions together.
pub(super) const BATCH: i64 = 50;
/// Maximum number of changes that wait for a slow window. If more changes wait, the window reads them from the database
/// itself.
const BACKLOG: usize = 64;

/// A change in a conversation: a message was posted, edited or deleted.
#[derive(Debug)]
pub(super) struct Change {
    /// The position of a reader who has received this change and everything before it.
    pub(super) at: Followed,
    /// The message that was posted, edited or deleted.
    pub(super) message: MessageId,
    kind: ChangeKind,
    /// The rendered change. At index 0 it is without the quote of the message replied to, at index 1 with the quote.
    rendered: [OnceLock<Bytes>; 2],
}

#[derive(Debug)]
enum ChangeKind {
    Posted(UnfilteredMessage),
    Edited(UnfilteredMessage),
    /// The public id of the message.
    Deleted(String),
}

/// A change as a window shows it.
#[derive(Debug)]
pub enum ShownChange {
    Posted(ShownMessage),
    Edited(ShownMessage),
    /// The public id of the message.
    Deleted(String),
}

/// A change in the conversation that a window shows, and the person of the window.
#[derive(Clone, Debug)]
pub struct WindowChange {
    change: Arc<Change>,
    reader: MessageReader,
}

impl WindowChange {
    pub(super) const fn new(change: Arc<Change>, reader: MessageReader) -> Self {
        Self { change, reader }
    }

    /// Returns the rendered change. `render` gets the position after the change, and the change as the person of the
    /// window sees it.
    ///
    /// Windows that show the same content share the bytes: `render` is called for the first of them only. In shared
    /// bytes [`ShownMessage::is_own`] is `false`, even for the author: the script recognises the person's own messages
    /// by their sender. If the author is a guest hidden from members, the message has no sender. So the windows of this
    /// author do not share the bytes: `render` is called for each of them, with [`ShownMessage::is_own`] set.
    pub fn bytes(&self, render: impl FnOnce(Followed, ShownChange) -> Bytes) -> Bytes {
        let (change, reader) = (&*self.change, self.reader);
        let (message, shown): (_, fn(ShownMessage) -> ShownChange) = match &change.kind {
            ChangeKind::Posted(message) => (message, ShownChange::Posted),
            ChangeKind::Edited(message) => (message, ShownChange::Edited),
            ChangeKind::Deleted(id) => {
                return change.shared(false, || render(change.at, ShownChange::Deleted(id.clone())));
            }
        };
        if message.is_unnamed_and_by(reader) {
            return render(change.at, shown(message.clone().for_reader(reader)));
        }
        let with_quote = message.shows_quote(reader);
        change.shared(with_quote, || render(change.at, shown(message.for_windows(with_quote))))
    }
}

impl Change {
    fn new(at: Followed, message: MessageId, kind: ChangeKind) -> Arc<Self> {
        Arc::new(Self { at, message, kind, rendered: Default::default() })
    }

    /// Returns the rendered change. The change is rendered once for the windows that show the quote (`with_quote` is
    /// `true`), and once for the windows that do not show it.
    fn shared(&self, with_quote: bool, render: impl FnOnce() -> Bytes) -> Bytes {
        self.rendered[usize::from(with_quote)].get_or_init(render).clone()
    }

    /// Whether a window that has received everything up to `from` has received this change.
    pub(super) fn is_known(&self, from: Followed) -> bool {
        match self.kind {
            ChangeKind::Posted(_) => self.at.message <= from.message,
            ChangeKind::Edited(_) | ChangeKind::Deleted(_) => self.at.change <= from.change,
        }
    }
}

/// The feed of a conversation that has at least one open window.
#[derive(Debug)]
pub(super) struct ConversationFeed {
    pub(super) conversation: (ConversationKind, ConversationId),
    pub(super) audience: Audience,
    /// Notified when the task has to read, or has to end because the last window is closed.
    pub(super) wake: Notify,
    /// The position from which the task follows the conversation.
    start: OnceCell<Followed>,
    changes: broadcast::Sender<Arc<Change>>,
}

impl ConversationFeed {
    pub(super) fn new(conversation: (ConversationKind, ConversationId)) -> Self {
        Self {
            conversation,
            audience: Audience::new(Some(conversation.1)),
            wake: Notify::new(),
            start: OnceCell::new(),
            changes: broadcast::Sender::new(BACKLOG),
        }
    }

    /// Subscribes to the changes that the task sends after this call.
    pub(super) fn changes(&self) -> broadcast::Receiver<Arc<Change>> {
        self.changes.subscribe()
    }

    /// Returns the position from which the task follows the conversation. This is the newest position at the time of
    /// the first call.
    ///
    /// # Errors
    /// Store errors.
    pub(super) async fn start(&self, world: &World) -> Result<Followed> {
        self.start.get_or_try_init(|| self.newest(world)).await.copied()
    }

    /// Returns the position after the newest message and the newest edit or deletion.
    ///
    /// # Errors
    /// Store errors.
    pub(super) async fn newest(&self, world: &World) -> Result<Followed> {
        world.db.read(FindNewest(self.conversation.1)).await
    }

    /// Follows the conversation until its last window is closed or the server shuts down.
    pub(super) async fn follow(self: Arc<Self>, world: Arc<World>, live: Weak<LiveWindows>, stop: Stop) {
        let mut from = None;
        let mut checked = world.clock.instant();
        loop {
            let rest = CHECK.saturating_sub(checked.elapsed());
            let is_check = tokio::select! {
                () = stop.draining() => return,
                () = self.wake.notified() => false,
                () = world.clock.pause(rest) => true,
            };
            let Some(live) = live.upgrade() else { return };
            if live.close_if_empty(&self) {
                return;
            }
            // the time is checked after a wake too, because in a busy conversation a wake always ends the pause early
            let is_check = is_check || checked.elapsed() >= CHECK;
            if is_check {
                checked = world.clock.instant();
            }
            if let Err(error) = Box::pin(self.deliver(&world, &mut from, is_check)).await {
                log_failure(&error, "failed to send the changes in a conversation to its windows");
                tokio::select! {
                    () = stop.draining() => return,
                    () = world.clock.pause(RETRY_PAUSE) => {}
                }
                self.wake.notify_one();
            }
        }
    }

    /// Confirms the windows ([`Audience::confirm`]), sends them the changes after `from`, and advances `from`. With
    /// `is_check`, confirms the windows again even if their last confirmation is current.
    async fn deliver(&self, world: &World, from: &mut Option<Followed>, is_check: bool) -> Result<()> {
        if is_check {
            self.audience.confirm_again(world).await?;
        } else {
            self.audience.confirm(world).await?;
        }
        let mut at = match *from {
            Some(at) => at,
            None => self.start(world).await?,
        };
        loop {
            let (news, is_end) = read_news(world, self.conversation, at).await?;
            for change in news.changes {
                // fails if there is no window
                let _ = self.changes.send(change);
            }
            at = news.end;
            *from = Some(at);
            if is_end {
                return Ok(());
            }
        }
    }
}

/// The changes in a conversation after a position.
pub(super) struct NewChanges {
    pub(super) changes: Vec<Arc<Change>>,
    /// The position after these changes.
    pub(super) end: Followed,
}

/// Reads a batch of the changes after `from`. Returns the batch, and whether it is the last batch.
pub(super) async fn read_news(
    world: &World,
    conversation: (ConversationKind, ConversationId),
    from: Followed,
) -> Result<(NewChanges, bool)> {
    let ChangeBatch { posted, edits_and_deletions, edited } =
        world.db.read(ReadNews { conversation, from }).await?;
    let is_full = |read: usize| i64::try_from(read).is_ok_and(|read| read >= BATCH);
    let is_end = !is_full(posted.len()) && !is_full(edits_and_deletions.len());
    let mut end = from;
    let mut changes = Vec::with_capacity(posted.len() + edits_and_deletions.len());
    for message in posted {
        end.message = message.id();
        changes.push(Change::new(end, message.id(), ChangeKind::Posted(message)));
    }
    let in_dm = conversation.0.is_dm();
    for change in edits_and_deletions {
        end.change = change.number;
        let kind = match edited.iter().find(|message| message.id() == change.message_id) {
            _ if change.is_deleted => ChangeKind::Deleted(change.message_id.encode(in_dm)),
            Some(message) => ChangeKind::Edited(message.clone()),
            // the message was deleted after the edit, and the deletion is another change
            None => continue,
        };
        changes.push(Change::new(end, change.message_id, kind));
    }
    Ok((NewChanges { changes, end }, is_end))
}

struct FindNewest(ConversationId);

crate::op! { ReadOp "find_newest_change", SINGLE: FindNewest -> Followed = |op, c| changes::newest(c, op.0) }

struct ReadNews {
    conversation: (ConversationKind, ConversationId),
    from: Followed,
}

struct ChangeBatch {
    posted: Vec<UnfilteredMessage>,
    edits_and_deletions: Vec<MessageChange>,
    /// The current versions of the edited messages.
    edited: Vec<UnfilteredMessage>,
}

impl ReadOp for ReadNews {
    const NAME: &'static str = "read_news";
    type Out = ChangeBatch;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<ChangeBatch> {
        let (_, id) = self.conversation;
        // the edits are read before the messages, so that each edited message is read with its new content
        let edits_and_deletions = changes::after(c, id, self.from.change, BATCH).await?;
        let posted = employee::newer(c, id, MessageId(0), self.from.message, BATCH).await?;
        let posted = unfiltered(c, self.conversation, posted).await?;
        let mut ids: Vec<MessageId> = edits_and_deletions
            .iter()
            .filter(|change| !change.is_deleted)
            .map(|change| change.message_id)
            .collect();
        ids.sort_unstable();
        ids.dedup();
        let edited = match ids.is_empty() {
            true => Vec::new(),
            false => employee::in_conversation(c, id, &ids).await?,
        };
        let edited = unfiltered(c, self.conversation, edited).await?;
        Ok(ChangeBatch { posted, edits_and_deletions, edited })
    }
}
