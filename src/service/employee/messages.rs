//! Messages visible to an employee.

use std::collections::HashMap;

use super::{
    Assistant, Employee,
    access::{self, ConversationRef, Heading, Span},
};
use crate::{
    domain::{
        conversation::MessageType,
        cursor::CursorScope,
        ids::{ConversationId, FileId, MessageId, UserId},
        refusal::Code,
        time::Timestamp,
    },
    service::{
        conversations::still_member::still_member,
        messages::NamedMessage,
        paging::{Page, PageRequest},
        refuse, view,
    },
    store::{
        ReadOp, ReadSql, Result,
        employee::{self, AttachedFile, HistoryRange, VisibleMessage},
    },
};

/// A message with its files.
#[derive(Clone, Debug, PartialEq)]
pub struct MessageWithFiles {
    pub id: MessageId,
    pub conversation_id: ConversationId,
    /// `None` for system messages, and if the sender is a guest who is hidden from the company's members.
    pub sender_id: Option<UserId>,
    /// The sender, even if the sender is a hidden guest. For comparisons only, never shown.
    pub(in crate::service) author_id: Option<UserId>,
    pub sender_name: Option<String>,
    pub sender_is_bot: Option<bool>,
    pub kind: MessageType,
    pub text: Option<String>,
    pub thread_id: Option<MessageId>,
    pub files: Vec<AttachedFileView>,
    /// Name of the assistant through which the message was sent; `None` if it was sent without an assistant.
    pub via_label: Option<String>,
    pub edited_at: Option<Timestamp>,
    pub created_at: Timestamp,
}

impl MessageWithFiles {
    fn new(row: VisibleMessage, files: Vec<AttachedFileView>) -> Self {
        Self {
            id: row.id,
            conversation_id: row.conversation_id,
            sender_id: row.sender_id,
            author_id: row.author_id,
            sender_name: row.sender_name,
            sender_is_bot: row.sender_is_bot,
            kind: row.kind,
            text: row.text,
            thread_id: row.thread_id,
            files,
            via_label: row.via_label,
            edited_at: row.edited_at,
            created_at: row.created_at,
        }
    }
}

view! {
    /// A file of a message.
    AttachedFileView of AttachedFile {
        id: FileId,
        name: String,
        mimetype: String,
        /// In bytes.
        size: i64,
    }
}

/// Which messages of a conversation to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadRequest {
    pub conversation: ConversationRef,
    /// The first message of a thread. If present, only this message and its replies are read. `Some(None)` stands for
    /// text that is not a message id.
    pub thread: Option<NamedMessage>,
    pub span: Span,
}

impl Assistant<'_> {
    /// Returns a page of the messages of a conversation or of one of its threads, newest first. Also returns the
    /// heading of the conversation.
    ///
    /// # Errors
    /// - `invalid_cursor` if `request.cursor` is not a cursor that this employee got for the same `reading`.
    /// - Errors of [`access::open_conversation`].
    /// - `message_not_found` if the text for `thread` is not a message id.
    /// - `message_not_found` if the employee sees neither the message `thread` in the conversation nor a reply to it
    ///   within the span.
    pub async fn read_messages(
        self,
        reading: ReadRequest,
        request: PageRequest<'_>,
    ) -> Result<(Heading, Page<MessageWithFiles>)> {
        let employee = self.employee();
        let filter_key = format!("{reading:?}");
        let scope = CursorScope {
            endpoint: "mcp.messages",
            owner: employee.user_id.0,
            conversation: None,
            filter: &filter_key,
        };
        let before = MessageId(self.world.position(&scope, request.cursor, i64::MAX)?);
        let op = Read { employee, reading, before, limit: i64::from(request.limit) + 1 };
        let (heading, found) = self.world.db.read(op).await?;
        Ok((heading, self.world.page(&scope, request.limit, found, |shown| shown.id.0)))
    }
}

/// Returns the messages with their files, in the given order.
///
/// # Errors
/// Store errors.
pub(in crate::service) async fn with_files<C: ReadSql>(
    c: &mut C,
    messages: Vec<VisibleMessage>,
) -> Result<Vec<MessageWithFiles>> {
    let has_files = |message: &&VisibleMessage| message.file_count > 0;
    let ids: Vec<MessageId> = messages.iter().filter(has_files).map(|message| message.id).collect();
    let mut files: HashMap<MessageId, Vec<AttachedFileView>> = HashMap::new();
    if !ids.is_empty() {
        for file in employee::files_of(c, &ids).await? {
            files.entry(file.message_id).or_default().push(file.into());
        }
    }
    let shown = |message: VisibleMessage| {
        let files = files.remove(&message.id).unwrap_or_default();
        MessageWithFiles::new(message, files)
    };
    Ok(messages.into_iter().map(shown).collect())
}

struct Read {
    employee: Employee,
    reading: ReadRequest,
    before: MessageId,
    limit: i64,
}

impl ReadOp for Read {
    const NAME: &'static str = "read_employee_messages";
    const REPLICA: bool = true;
    const CHECKS_MEMBERSHIP: bool = true;
    type Out = (Heading, Vec<MessageWithFiles>);

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Self::Out> {
        let ReadRequest { conversation, thread, span } = &self.reading;
        let (conversation, member) = access::open_conversation(c, self.employee, conversation).await?;
        let (from, before) = span.ids();
        let (after_time, before_time) = span.times();
        let range = HistoryRange {
            conversation: conversation.id,
            visible_from: member.visible_from,
            from: from.max(member.visible_from),
            before: before.min(self.before),
            after_time,
            before_time,
        };
        let messages = match thread {
            None => employee::history(c, &range, self.limit).await?,
            Some(Some((in_dm, id))) if *in_dm == conversation.kind.is_dm() => {
                let messages = employee::thread(c, &range, *id, self.limit).await?;
                let is_visible = employee::by_ids(c, self.employee.user_id, &[*id])
                    .await?
                    .iter()
                    .any(|message| message.conversation_id == conversation.id);
                // if the employee sees only replies, this is no error: the first message of the thread can be deleted
                if messages.is_empty() && !is_visible {
                    return refuse(Code::MessageNotFound);
                }
                messages
            }
            Some(_) => return refuse(Code::MessageNotFound),
        };
        let shown = with_files(c, messages).await?;
        let id = conversation.id;
        let heading = access::headings(c, self.employee, vec![conversation]).await?.pop();
        // the membership is checked after the heading was read, so that a former member does not get the time of the
        // newest message, which is in the heading
        still_member(c, self.employee.user_id, id, &member).await?;
        match heading {
            Some(heading) => Ok((heading, shown)),
            None => refuse(Code::ConversationNotFound),
        }
    }
}
