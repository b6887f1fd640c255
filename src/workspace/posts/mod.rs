//! Messages as the admin room deals with them: the full view of all of them, and posting, editing and deleting
//! those of people and of the system. What bots send is in [`send`](super::send) and [`edit`](super::edit).
//!
//! Called by the admin room.

mod change;
pub(in crate::workspace) mod click;
mod create;

pub use click::NewClick;
pub use create::{NewPost, Sender};
pub(in crate::workspace) use create::{Prepared, post_prepared};

use super::{
    World,
    conversations::{NamedConversation, named},
    principal::Principal,
    reading::{Page, PageRequest},
    refuse,
};
use crate::{
    domain::{
        conversation::ConversationKind,
        cursor::CursorScope,
        ids::{ConversationId, FileId, MessageId, UserId},
        refusal::Code,
    },
    store::{
        Op, Result, Sql, StoreError,
        conversations::{self, Conversation},
        messages::{self, Edit, Full, Message},
        users::User,
    },
};

/// Behind so many bytes of former versions a page ends; those of one message are fewer.
const MAX_EDIT_BYTES: usize = 4 << 20;

/// A message as a request names it: whether its prefix says direct message, and the number. `None` for any other
/// text.
pub type NamedMessage = Option<(bool, MessageId)>;

/// A message with everything stored about it.
#[derive(Clone, Debug, PartialEq)]
pub struct FullMessage {
    /// Where it stands.
    pub conversation: (ConversationKind, ConversationId),
    /// Without content once it is deleted.
    pub message: Full,
    /// In order.
    pub files: Vec<FileId>,
    /// What stood before each edit, oldest first.
    pub edits: Vec<Edit>,
}

impl World {
    /// Every message of a conversation with everything stored about it, newest first; deleted ones without
    /// content (W-23). A page ends early behind long histories of edits.
    ///
    /// # Errors
    /// `conversation_not_found`, also for strangers; `forbidden` for people who are no admins; `invalid_cursor`.
    pub async fn list_full_messages(
        &self,
        who: &Principal,
        id: NamedConversation,
        request: PageRequest<'_>,
    ) -> Result<Page<FullMessage>> {
        let scope = CursorScope {
            endpoint: "admin.messages",
            owner: who.cursor_owner(),
            conversation: id.map(|(_, id)| id),
            filter: "",
        };
        let before = MessageId(self.position(&scope, request.cursor, i64::MAX)?);
        let op = ListFullMessages { who: who.clone(), id, before, limit: i64::from(request.limit) + 1 };
        let (found, whole) = self.db.read(op).await?;
        let limit = request.limit.min(u32::try_from(whole).unwrap_or(u32::MAX));
        Ok(self.page(&scope, limit, found, |m| m.message.id.0))
    }
}

/// A page of full messages before an id, newest first, and how many of them are whole: from the message on whose
/// history of edits is too much for one page, the later ones have none, but there is always one.
async fn full_messages<C: Sql>(
    c: &mut C,
    conversation: &Conversation,
    before: MessageId,
    limit: i64,
) -> Result<(Vec<FullMessage>, usize)> {
    let page = messages::full_page(c, conversation.id, before, limit).await?;
    let named = (conversation.kind, conversation.id);
    let full = |message| FullMessage { conversation: named, message, files: Vec::new(), edits: Vec::new() };
    let mut items: Vec<_> = page.into_iter().map(full).collect();
    let (Some(newest), Some(oldest)) = (items.first(), items.last()) else { return Ok((items, 0)) };
    let (first, last) = (oldest.message.id, newest.message.id);
    for (message, file) in messages::files_between(c, conversation.id, first, last).await? {
        // newest first, so descending by id
        if let Ok(index) = items.binary_search_by(|m| message.cmp(&m.message.id)) {
            items[index].files.push(file);
        }
    }
    // a history of edits is looked up by message alone, so only where there is one
    let mut bytes = 0;
    for (at, item) in items.iter_mut().enumerate().filter(|(_, item)| item.message.edited_at.is_some()) {
        if bytes >= MAX_EDIT_BYTES {
            return Ok((items, at));
        }
        item.edits = messages::edits_of(c, item.message.id).await?;
        bytes += item.edits.iter().map(bytes_of).sum::<usize>();
    }
    let whole = items.len();
    Ok((items, whole))
}

/// What a version of a message takes of an answer.
fn bytes_of(edit: &Edit) -> usize {
    edit.text.len() + edit.blocks.as_ref().map_or(0, String::len)
}

/// One message that stands.
async fn full_message<C: Sql>(c: &mut C, conversation: &Conversation, id: MessageId) -> Result<FullMessage> {
    let (found, _) = full_messages(c, conversation, MessageId(id.0 + 1), 1).await?;
    match found.into_iter().next().filter(|m| m.message.id == id) {
        Some(message) => Ok(message),
        None => Err(StoreError::bug(format!("the message {} was just there", id.0)).into()),
    }
}

/// A standing message and its conversation, deleted or not, both locked until the transaction ends.
async fn held<C: Sql>(c: &mut C, id: NamedMessage) -> Result<(Message, Conversation)> {
    let Some((in_dm, id)) = id else { return refuse(Code::MessageNotFound) };
    let Some(message) = messages::by_id_for_update(c, id).await? else {
        return refuse(Code::MessageNotFound);
    };
    conversations::lock_for_write(c, message.conversation_id).await?;
    match conversations::by_id(c, message.conversation_id).await? {
        Some(conversation) if conversation.kind.is_dm() == in_dm => Ok((message, conversation)),
        _ => refuse(Code::MessageNotFound),
    }
}

/// Lets a person write to a conversation that is not deleted, in the order of a bot's checks (B-079).
///
/// # Errors
/// `conversation_not_found` for one who was never in, `not_in_conversation`, `not_allowed_in_conversation` unless
/// an admin writes where only announcements are, `conversation_archived`.
async fn may_write<C: Sql>(c: &mut C, conversation: &Conversation, person: &User) -> Result<()> {
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

/// Whose message it is; none for the system's.
fn is_of(message: &Message, user: UserId) -> bool {
    message.sender_id == Some(user)
}

struct ListFullMessages {
    who: Principal,
    id: NamedConversation,
    before: MessageId,
    limit: i64,
}

impl Op for ListFullMessages {
    const NAME: &'static str = "list_full_messages";
    const REPLICA: bool = true;
    /// And how many of them are whole.
    type Out = (Vec<FullMessage>, usize);

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Self::Out> {
        let conversation = named(c, self.id).await?;
        self.who.administer(conversation.workspace_id, Code::ConversationNotFound)?;
        full_messages(c, &conversation, self.before, self.limit).await
    }
}
