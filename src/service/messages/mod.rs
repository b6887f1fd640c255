//! Messages in the admin API and the web client: listing messages with all fields, posting as a person or the system,
//! editing, deleting, and clicks on buttons. Also posts the drafts of assistants. The messages of bots are sent in
//! [`send`](crate::service::bot::send), and edited in [`edit`](crate::service::bot::edit).

mod change;
pub(in crate::service) mod click;
mod create;
pub(in crate::service) mod erasure;
pub mod indexing;
mod prepared;

pub use click::NewClick;
pub use create::{KEY_USED, NewPost, SenderChoice};
pub(in crate::service) use prepared::{PreparedMessage, may_post, post_prepared};

use std::collections::BTreeMap;

use serde_json::Value;

use super::{
    callers::{Caller, principal::CallerPrincipal},
    conversations::{NamedConversation, named},
    paging::{Page, PageRequest},
    refuse,
};
use crate::{
    domain::{
        conversation::{ConversationKind, MessageType},
        cursor::CursorScope,
        ids::{ConversationId, FileId, MessageId, UserId},
        message::Metadata,
        refusal::Code,
        strict_json,
        time::Timestamp,
    },
    store::{
        Error, ReadOp, ReadSql, Result, Sql, StoreError, changes,
        conversations::{self, Conversation},
        messages::{self, AdminMessage, Edit, Message},
        users::User,
    },
};

/// When the previous versions on a page reach this size in bytes, the page ends before the next edited message.
const MAX_EDIT_BYTES: usize = 4 << 20;

/// A message id from a request: whether the id has the prefix of messages in direct conversations (`dmsg_`), and the
/// number of the id. `None` for text that is not a message id.
pub type NamedMessage = Option<(bool, MessageId)>;

/// A block of a message, as its JSON object.
pub type Block = BTreeMap<String, Value>;

/// A message with all stored fields. A deleted message has only its id, conversation, sender and type, and the times of
/// its creation and deletion.
#[derive(Clone, Debug, PartialEq)]
pub struct FullMessage {
    pub id: MessageId,
    pub conversation: (ConversationKind, ConversationId),
    /// `None` for system messages.
    pub sender_id: Option<UserId>,
    pub kind: MessageType,
    /// `None` for a deleted message, and for a system message without text.
    pub text: Option<String>,
    pub blocks: Option<Vec<Block>>,
    pub metadata: Option<Metadata>,
    pub thread_id: Option<MessageId>,
    /// In order of attachment.
    pub files: Vec<FileId>,
    /// The idempotency key of the sender.
    pub client_key: Option<String>,
    /// Label of the assistant through which the message was sent.
    pub via_label: Option<String>,
    /// At most [`messages::KEPT_EDITS`] previous versions, oldest first: the original version, then the newest of the
    /// previous versions.
    pub edits: Vec<PreviousVersion>,
    pub created_at: Timestamp,
    pub edited_at: Option<Timestamp>,
    pub deleted_at: Option<Timestamp>,
}

/// A previous version of an edited message.
#[derive(Clone, Debug, PartialEq)]
pub struct PreviousVersion {
    pub text: String,
    pub blocks: Option<Vec<Block>>,
    /// When the version was replaced.
    pub edited_at: Timestamp,
}

impl TryFrom<Edit> for PreviousVersion {
    type Error = Error;

    /// Converts a stored version.
    ///
    /// # Errors
    /// A store error if the stored blocks cannot be parsed.
    fn try_from(row: Edit) -> Result<Self> {
        Ok(Self { text: row.text, blocks: read_blocks(row.blocks.as_deref())?, edited_at: row.edited_at })
    }
}

impl FullMessage {
    /// Returns a message, with empty lists of files and previous versions.
    ///
    /// # Errors
    /// A store error if the stored blocks or metadata cannot be parsed.
    fn of(conversation: (ConversationKind, ConversationId), row: AdminMessage) -> Result<Self> {
        Ok(Self {
            id: row.id,
            conversation,
            sender_id: row.sender_id,
            kind: row.kind,
            text: row.text,
            blocks: read_blocks(row.blocks.as_deref())?,
            metadata: row.metadata.as_deref().map(read_metadata).transpose()?,
            thread_id: row.thread_id,
            files: Vec::new(),
            client_key: row.client_key,
            via_label: row.via_label,
            edits: Vec::new(),
            created_at: row.created_at,
            edited_at: row.edited_at,
            deleted_at: row.deleted_at,
        })
    }
}

/// Parses stored metadata. Numbers keep the notation in which they were sent (D-028).
///
/// # Errors
/// A store error if the text is not a JSON object.
pub(in crate::service) fn read_metadata(text: &str) -> std::result::Result<Metadata, StoreError> {
    match strict_json::read(text.as_bytes()) {
        Ok(Value::Object(metadata)) => Ok(metadata),
        Ok(_) => Err(StoreError::bug("stored metadata are not an object")),
        Err(problem) => Err(StoreError::bug(format!("stored metadata: {problem}"))),
    }
}

/// Parses stored blocks.
///
/// # Errors
/// A store error if the text is not a JSON array of objects.
pub(in crate::service) fn read_blocks(text: Option<&str>) -> Result<Option<Vec<Block>>> {
    let read = text.map(serde_json::from_str).transpose();
    read.map_err(|error| StoreError::bug(format!("stored blocks: {error}")).into())
}

impl Caller {
    /// Lists the messages of a conversation with all stored fields, newest first (W-23). Deleted messages are included,
    /// without their content. If the previous versions of edited messages are large, a page can have fewer messages
    /// than requested.
    ///
    /// # Errors
    /// - `invalid_cursor`.
    /// - `conversation_not_found`, also for a caller outside the company.
    /// - `forbidden` for people who are not admins.
    pub async fn list_full_messages(
        &self,
        id: NamedConversation,
        request: PageRequest<'_>,
    ) -> Result<Page<FullMessage>> {
        let scope = CursorScope {
            endpoint: "admin.messages",
            owner: self.cursor_owner(),
            conversation: id.map(|(_, id)| id),
            filter: "",
        };
        let before = MessageId(self.world().position(&scope, request.cursor, i64::MAX)?);
        let op = ListFullMessages {
            principal: self.to_principal(),
            id,
            before,
            limit: i64::from(request.limit) + 1,
        };
        let (found, whole) = self.world().db.read(op).await?;
        let limit = request.limit.min(u32::try_from(whole).unwrap_or(u32::MAX));
        Ok(self.world().page(&scope, limit, found, |m| m.id.0))
    }
}

/// Returns up to `limit` messages with ids below `before`, newest first, and the number of complete messages at the
/// beginning of this list.
///
/// A message is incomplete if its previous versions were not read. As soon as the previous versions that were read have
/// [`MAX_EDIT_BYTES`], the next edited message and all messages after it count as incomplete. If there are messages, at
/// least one is complete.
async fn full_messages<C: ReadSql>(
    c: &mut C,
    conversation: &Conversation,
    before: MessageId,
    limit: i64,
) -> Result<(Vec<FullMessage>, usize)> {
    let page = messages::full_page(c, conversation.id, before, limit).await?;
    let named = (conversation.kind, conversation.id);
    let full = |message| FullMessage::of(named, message);
    let mut items = page.into_iter().map(full).collect::<Result<Vec<_>>>()?;
    let (Some(newest), Some(oldest)) = (items.first(), items.last()) else { return Ok((items, 0)) };
    let (first, last) = (oldest.id, newest.id);
    for (message, file) in messages::files_between(c, conversation.id, first, last).await? {
        // `items` is sorted by id in descending order
        if let Ok(index) = items.binary_search_by(|m| message.cmp(&m.id)) {
            items[index].files.push(file);
        }
    }
    // one query for each edited message, because edits have only an index by message
    let mut bytes = 0;
    for (at, item) in items.iter_mut().enumerate().filter(|(_, item)| item.edited_at.is_some()) {
        if bytes >= MAX_EDIT_BYTES {
            return Ok((items, at));
        }
        let edits = messages::edits_of(c, item.id).await?;
        bytes += edits.iter().map(bytes_of).sum::<usize>();
        item.edits = edits.into_iter().map(PreviousVersion::try_from).collect::<Result<_>>()?;
    }
    let whole = items.len();
    Ok((items, whole))
}

/// Returns the size of a previous version in bytes.
fn bytes_of(edit: &Edit) -> usize {
    edit.text.len() + edit.blocks.as_ref().map_or(0, String::len)
}

/// Returns one existing message.
async fn full_message<C: ReadSql>(
    c: &mut C,
    conversation: &Conversation,
    id: MessageId,
) -> Result<FullMessage> {
    let (found, _) = full_messages(c, conversation, MessageId(id.0 + 1), 1).await?;
    match found.into_iter().next().filter(|m| m.id == id) {
        Some(message) => Ok(message),
        None => Err(StoreError::bug(format!("the message {} does not exist", id.0)).into()),
    }
}

/// Returns a message that is not deleted, and its conversation. On PostgreSQL, locks the conversation until the
/// transaction ends. The lock serializes changes of the messages in the conversation. SQLite needs no lock, because it
/// has one writer.
///
/// `may_lock` gets the message and decides whether the conversation is locked. So a caller who names a message of
/// another company cannot delay the writers of that company.
///
/// # Errors
/// `message_not_found`, also if `may_lock` returns `false`.
pub(in crate::service) async fn lock_message<C: Sql>(
    c: &mut C,
    id: NamedMessage,
    may_lock: impl Fn(&Message) -> bool + Send,
) -> Result<(Message, Conversation)> {
    let Some((in_dm, id)) = id else { return refuse(Code::MessageNotFound) };
    let Some(message) = changes::message_to_change(c, id, may_lock).await? else {
        return refuse(Code::MessageNotFound);
    };
    match conversations::by_id(c, message.conversation_id).await? {
        Some(conversation) if conversation.kind.is_dm() == in_dm => Ok((message, conversation)),
        _ => refuse(Code::MessageNotFound),
    }
}

/// Checks whether a person may write to a conversation. The checks have the same order as for bots (B-079). Does not
/// check whether the conversation is deleted.
///
/// # Errors
/// - `conversation_not_found` for a person who never was a member.
/// - `not_in_conversation`.
/// - `not_allowed_in_conversation` in an announcement-only conversation, unless the person is an admin.
/// - `conversation_archived`.
pub(in crate::service) async fn may_write<C: ReadSql>(
    c: &mut C,
    conversation: &Conversation,
    person: &User,
) -> Result<()> {
    match conversations::member(c, conversation.id, person.id).await? {
        None => refuse(Code::ConversationNotFound),
        Some(member) if member.left_at.is_some() => refuse(Code::NotInConversation),
        Some(_) if conversation.announcement_only && !person.is_admin => {
            refuse(Code::NotAllowedInConversation)
        }
        Some(_) if conversation.archived_at.is_some() => refuse(Code::ConversationArchived),
        Some(_) => Ok(()),
    }
}

/// Whether a person sent a message; `false` for system messages.
fn is_of(message: &Message, user: UserId) -> bool {
    message.sender_id == Some(user)
}

struct ListFullMessages {
    principal: CallerPrincipal,
    id: NamedConversation,
    before: MessageId,
    limit: i64,
}

impl ReadOp for ListFullMessages {
    const NAME: &'static str = "list_full_messages";
    const REPLICA: bool = true;
    /// The messages, and how many of them are complete.
    type Out = (Vec<FullMessage>, usize);

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Self::Out> {
        let conversation = named(c, self.id).await?;
        self.principal.administer(conversation.workspace_id, Code::ConversationNotFound)?;
        full_messages(c, &conversation, self.before, self.limit).await
    }
}
