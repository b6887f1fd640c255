//! Reading a conversation page by page, and marking messages as read.

use std::time::Duration;

use super::{
    message::{MessageReader, ShownMessage, unfiltered},
    open,
    recipients::{self, InactiveRecipient},
    state_of,
};
use crate::{
    domain::{
        ids::{ConversationId, MessageId, UserId},
        live::Followed,
        people::is_active_admin,
        refusal::Code,
        time::Timestamp,
    },
    service::{
        callers::{Person, ShownConversation},
        conversations::NamedConversation,
        employee::{
            Employee,
            access::{self, Heading},
        },
        messages::{NamedMessage, may_write},
        refuse,
    },
    store::{
        Error, ReadOp, ReadSql, Result, changes,
        conversations::{self, Conversation},
        employee::{self, HistoryRange, VisibleMessage},
        op, users,
    },
};

/// Number of messages on a page.
pub const PAGE_MESSAGES: usize = 50;
/// Maximum number of messages after the named message on a page of [`PageWindow::Around`].
const NEWER_THAN_TARGET: usize = 24;
/// How long a response waits until the messages of its page are marked as read. After this time the response is sent,
/// and the write continues.
const MARKING_WAIT: Duration = Duration::from_millis(250);

/// Which messages of a conversation a page shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageWindow {
    /// The newest messages.
    Newest,
    /// The newest messages that are older than this message. If no message is older, the oldest messages of the
    /// conversation. The named message can be a deleted message.
    Before(NamedMessage),
    /// The oldest messages that are newer than this message. If no message is newer, the newest messages of the
    /// conversation. The named message can be a deleted message.
    After(NamedMessage),
    /// This message, and the messages before and after it.
    Around(NamedMessage),
}

impl PageWindow {
    /// Returns the id of the message of [`Self::Around`]; `None` for every other window.
    #[must_use]
    pub fn named(self) -> Option<MessageId> {
        match self {
            Self::Around(named) => named.map(|(_, id)| id),
            Self::Newest | Self::Before(_) | Self::After(_) => None,
        }
    }
}

/// Why a member is not allowed to write to a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadOnly {
    /// Only admins may write.
    Announcements,
    /// Nobody may write.
    Archived,
}

/// What a reader may do with a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MessageRights {
    /// The reader sent the message, and may write to the conversation.
    pub may_edit: bool,
    /// The reader sent the message, or is an active admin.
    pub may_delete: bool,
}

/// A page of a conversation.
#[derive(Clone, Debug, PartialEq)]
pub struct ConversationPage {
    pub heading: Heading,
    /// Oldest first.
    pub messages: Vec<ShownMessage>,
    /// Whether there are older messages that the reader may see.
    pub has_earlier: bool,
    pub has_later: bool,
    /// The newest message and change when the page was read. The browser window receives every later message and
    /// change.
    pub position: Followed,
    /// A hash of the conversation's name, topic and flags: private, announcement-only, archived, deleted. If the hash
    /// has changed when the browser window opens its event stream, the window has missed a change.
    pub state: String,
    /// The lowest message id that the reader may see.
    pub visible_from: MessageId,
    /// The last message that the reader has read; 0 if the reader has read no message.
    pub read_up_to: MessageId,
    /// `None` if the reader may write.
    pub read_only: Option<ReadOnly>,
    /// What the reader may do with the message of [`PageWindow::Around`]; `None` for every other window.
    pub rights: Option<MessageRights>,
    /// Whether the conversation is a direct conversation with a bot.
    pub is_with_bot: bool,
    /// Why the other user of a direct conversation no longer receives messages. `None` if the user receives messages or
    /// is a guest hidden from the reader, and for groups and channels.
    pub inactive_recipient: Option<InactiveRecipient>,
}

impl Person<'_> {
    /// Returns a page of a conversation.
    ///
    /// # Errors
    /// - `conversation_not_found` unless the person is a member.
    /// - `message_not_found` if `window` has text that is not an id of a message of this kind of conversation.
    /// - `message_not_found` for [`PageWindow::Around`] unless the person sees the message in this conversation.
    pub async fn read_conversation(
        self,
        id: NamedConversation,
        window: PageWindow,
    ) -> Result<ConversationPage> {
        let mut page = self.world().db.read(ReadConversation { employee: self.into(), id, window }).await?;
        let conversation = page.heading.conversation.id;
        page.read_up_to = self.world().read_up_to(self.user_id(), conversation, page.read_up_to);
        Ok(page)
    }

    /// Returns the conversation of a page. Immediately before the page is sent, the caller must check again that the
    /// person sees this conversation.
    #[must_use]
    pub fn shown(self, page: &ConversationPage) -> ShownConversation {
        let conversation = &page.heading.conversation;
        ShownConversation {
            employee: self.into(),
            id: Some((conversation.kind, conversation.id)),
            visible_from: page.visible_from,
        }
    }

    /// Marks the messages of a page as read, if the page ends with the newest message or was opened with
    /// [`PageWindow::After`]. If the messages are already marked as read, writes nothing. A failed write is only
    /// logged. If the write takes longer than 250 milliseconds, it continues in the background.
    pub async fn finish_reading(self, page: &ConversationPage, window: PageWindow) {
        let Some(last) = page.messages.last().map(|message| message.id) else { return };
        let is_after = matches!(window, PageWindow::After(_));
        if (page.has_later && !is_after) || last <= page.read_up_to {
            return;
        }
        let (caller, user, conversation) =
            (self.caller().clone(), self.user_id(), page.heading.conversation.id);
        let marking = async move {
            if let Err(error) = caller.write(MarkRead { user, conversation, up_to: last }).await {
                tracing::debug!(%error, "failed to mark a conversation as read; the next page tries again");
            }
        };
        // waits for the write, so that the list of conversations on the same page does not count these messages as
        // unread
        let _ = tokio::time::timeout(MARKING_WAIT, tokio::spawn(marking)).await;
    }

    /// Marks a conversation as read up to the message `up_to`, which can be a deleted message. Without `up_to`, or if
    /// `up_to` is newer than the newest message, marks the conversation as read up to the newest message. The read
    /// position never moves back. If the message is already marked as read, writes nothing.
    ///
    /// # Errors
    /// - `conversation_not_found` unless the person is a member.
    /// - `message_not_found` if `up_to` is text that is not an id of a message of this kind of conversation.
    /// - Errors of `Caller::write`.
    pub async fn mark_as_read(self, id: NamedConversation, up_to: Option<NamedMessage>) -> Result<()> {
        match self.world().db.read(FindUnread { employee: self.into(), id, up_to }).await? {
            Some((conversation, up_to)) => self.mark(conversation, up_to).await,
            None => Ok(()),
        }
    }

    /// Does the same as [`Person::mark_as_read`], but returns before the read position is written. The position is
    /// written within seconds, with one statement for many people. Used by open browser windows: many windows can show
    /// the same new message, and a write for each of them would be expensive.
    ///
    /// # Errors
    /// - `forbidden` for a caller without a session.
    /// - `conversation_not_found` unless the person is a member.
    /// - `message_not_found` if `up_to` is text that is not an id of a message of this kind of conversation.
    pub async fn mark_as_read_soon(self, id: NamedConversation, up_to: Option<NamedMessage>) -> Result<()> {
        let by = self.window_session(MessageId(0))?;
        if let Some((conversation, up_to)) =
            self.world().db.read(FindUnread { employee: self.into(), id, up_to }).await?
        {
            self.world().mark_soon(by, conversation, up_to);
        }
        Ok(())
    }

    async fn mark(self, conversation: ConversationId, up_to: MessageId) -> Result<()> {
        self.caller().write(MarkRead { user: self.user_id(), conversation, up_to }).await
    }
}

struct ReadConversation {
    employee: Employee,
    id: NamedConversation,
    window: PageWindow,
}

impl ReadOp for ReadConversation {
    const NAME: &'static str = "read_conversation";
    type Out = ConversationPage;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<ConversationPage> {
        let (conversation, member) = open(c, self.employee, self.id).await?;
        let Some(reader) = users::by_id(c, self.employee.user_id).await? else {
            return refuse(Code::ConversationNotFound);
        };
        let read_only = match may_write(c, &conversation, &reader).await {
            Ok(()) => None,
            // checked first, because nobody can write in an archived conversation, even if it is announcement-only
            Err(Error::Refused(_)) if conversation.archived_at.is_some() => Some(ReadOnly::Archived),
            Err(Error::Refused(_)) => Some(ReadOnly::Announcements),
            Err(error) => return Err(error),
        };
        // Read before the messages, so that the browser window does not miss a change between the two reads. The
        // window receives such a change even if the page already shows the change.
        let position = changes::newest(c, conversation.id).await?;
        let history = History { conversation: &conversation, visible_from: member.visible_from };
        let HistoryRows { rows, has_earlier, has_later } = history.read(c, self.window).await?;
        let messages = unfiltered(c, (conversation.kind, conversation.id), rows).await?;
        let viewer = MessageReader { person: reader.id, visible_from: member.visible_from };
        let messages: Vec<_> = messages.into_iter().map(|message| message.for_reader(viewer)).collect();
        let named = self.window.named();
        let rights = messages.iter().find(|message| Some(message.id) == named).map(|message| MessageRights {
            may_edit: message.is_own && read_only.is_none(),
            may_delete: message.is_own || is_active_admin(reader.is_admin, reader.state),
        });
        let state = state_of(&conversation);
        let Some(heading) = access::headings(c, self.employee, vec![conversation]).await?.pop() else {
            return refuse(Code::ConversationNotFound);
        };
        let other = match heading.with {
            Some((id, _)) => users::by_id(c, id).await?,
            None => None,
        };
        let inactive = recipients::inactive(c, other.as_slice()).await?;
        Ok(ConversationPage {
            heading,
            messages,
            has_earlier,
            has_later,
            position,
            state,
            visible_from: member.visible_from,
            read_up_to: member.read_id,
            read_only,
            rights,
            is_with_bot: other.is_some_and(|other| other.is_bot),
            inactive_recipient: inactive.into_values().next(),
        })
    }
}

/// The messages of a conversation that a member may see.
struct History<'a> {
    conversation: &'a Conversation,
    visible_from: MessageId,
}

/// The messages of a page, oldest first.
struct HistoryRows {
    rows: Vec<VisibleMessage>,
    has_earlier: bool,
    has_later: bool,
}

impl History<'_> {
    async fn read<C: ReadSql>(&self, c: &mut C, window: PageWindow) -> Result<HistoryRows> {
        match window {
            PageWindow::Newest => self.newest(c).await,
            PageWindow::Before(id) => self.before(c, message_in(self.conversation, id)?).await,
            PageWindow::After(id) => self.after(c, message_in(self.conversation, id)?).await,
            PageWindow::Around(id) => self.around(c, message_in(self.conversation, id)?).await,
        }
    }

    async fn newest<C: ReadSql>(&self, c: &mut C) -> Result<HistoryRows> {
        let (rows, has_earlier) = self.older(c, MessageId(i64::MAX), PAGE_MESSAGES).await?;
        Ok(HistoryRows { rows, has_earlier, has_later: false })
    }

    async fn before<C: ReadSql>(&self, c: &mut C, id: MessageId) -> Result<HistoryRows> {
        let (rows, has_earlier) = self.older(c, id, PAGE_MESSAGES).await?;
        let Some(last) = rows.last().map(|row| row.id) else {
            let (rows, has_later) = self.newer(c, MessageId(0), PAGE_MESSAGES).await?;
            return Ok(HistoryRows { rows, has_earlier: false, has_later });
        };
        let (_, has_later) = self.newer(c, last, 0).await?;
        Ok(HistoryRows { rows, has_earlier, has_later })
    }

    async fn after<C: ReadSql>(&self, c: &mut C, id: MessageId) -> Result<HistoryRows> {
        let (rows, has_later) = self.newer(c, id, PAGE_MESSAGES).await?;
        let Some(first) = rows.first().map(|row| row.id) else { return self.newest(c).await };
        let (_, has_earlier) = self.older(c, first, 0).await?;
        Ok(HistoryRows { rows, has_earlier, has_later })
    }

    async fn around<C: ReadSql>(&self, c: &mut C, id: MessageId) -> Result<HistoryRows> {
        let following = MessageId(id.0.saturating_add(1));
        let (mut rows, has_earlier) = self.older(c, following, PAGE_MESSAGES - NEWER_THAN_TARGET).await?;
        if rows.last().is_none_or(|row| row.id != id) {
            return refuse(Code::MessageNotFound);
        }
        let (newer, has_later) = self.newer(c, id, NEWER_THAN_TARGET).await?;
        rows.extend(newer);
        Ok(HistoryRows { rows, has_earlier, has_later })
    }

    /// Returns the newest messages before an id, oldest first, and whether there are even older messages.
    async fn older<C: ReadSql>(
        &self,
        c: &mut C,
        before: MessageId,
        limit: usize,
    ) -> Result<(Vec<VisibleMessage>, bool)> {
        let range = HistoryRange {
            conversation: self.conversation.id,
            visible_from: self.visible_from,
            from: self.visible_from,
            before,
            after_time: Timestamp(i64::MIN),
            before_time: Timestamp(i64::MAX),
        };
        let (mut rows, has_more) = cut(employee::history(c, &range, one_more(limit)).await?, limit);
        rows.reverse();
        Ok((rows, has_more))
    }

    /// Returns the oldest messages after an id, oldest first, and whether there are even newer messages.
    async fn newer<C: ReadSql>(
        &self,
        c: &mut C,
        after: MessageId,
        limit: usize,
    ) -> Result<(Vec<VisibleMessage>, bool)> {
        let (conversation, visible_from) = (self.conversation.id, self.visible_from);
        let rows = employee::newer(c, conversation, visible_from, after, one_more(limit)).await?;
        Ok(cut(rows, limit))
    }
}

/// Returns the id of a message that a request names. Does not check that the message exists.
///
/// # Errors
/// `message_not_found` for text that is not a message id, and if the prefix of the id does not fit this kind of
/// conversation.
fn message_in(conversation: &Conversation, named: NamedMessage) -> Result<MessageId> {
    match named {
        Some((in_dm, id)) if in_dm == conversation.kind.is_dm() => Ok(id),
        _ => refuse(Code::MessageNotFound),
    }
}

fn one_more(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX).saturating_add(1)
}

fn cut(mut rows: Vec<VisibleMessage>, limit: usize) -> (Vec<VisibleMessage>, bool) {
    let has_more = rows.len() > limit;
    rows.truncate(limit);
    (rows, has_more)
}

struct FindUnread {
    employee: Employee,
    id: NamedConversation,
    up_to: Option<NamedMessage>,
}

impl ReadOp for FindUnread {
    const NAME: &'static str = "find_unread";
    /// The conversation, and the message up to which the conversation has to be marked as read. `None` if this message
    /// is already marked as read.
    type Out = Option<(ConversationId, MessageId)>;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Self::Out> {
        let (conversation, member) = open(c, self.employee, self.id).await?;
        // the position is limited to the newest message, so that messages that are sent later stay unread
        let newest = changes::newest(c, conversation.id).await?.message;
        let up_to = match self.up_to {
            Some(named) => message_in(&conversation, named)?.min(newest),
            None => newest,
        };
        Ok((up_to > member.read_id).then_some((conversation.id, up_to)))
    }
}

struct MarkRead {
    user: UserId,
    conversation: ConversationId,
    up_to: MessageId,
}

op! {
    Op "mark_read": MarkRead -> () = |op, c| conversations::mark_read(c, op.conversation, op.user, op.up_to)
}
