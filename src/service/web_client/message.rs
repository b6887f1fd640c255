//! Messages as the web client shows them: with their blocks, their files, and a quote of the message to which they
//! reply.
//!
//! All members see the same fields of a message, with one exception. A member who joined after the quoted message was
//! posted does not see the quote. Therefore [`ShownMessage::quote`] takes the lowest message id that the reader may
//! see.

use std::collections::HashMap;

use crate::{
    domain::{
        conversation::{ConversationKind, MessageType},
        ids::{ConversationId, MessageId, UserId},
        time::Timestamp,
    },
    service::{
        employee::messages::{AttachedFileView, MessageWithFiles, with_files},
        messages::{Block, read_blocks},
    },
    store::{
        ReadSql, Result,
        employee::{self, VisibleMessage},
    },
};

/// Maximum length of a quoted text, in characters.
const QUOTED_CHARS: usize = 200;

/// A message.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownMessage {
    pub id: MessageId,
    pub conversation: (ConversationKind, ConversationId),
    /// `None` for a system message, and if the sender is a guest hidden from members.
    pub sender: Option<Sender>,
    /// The sender, even if the sender is a guest hidden from members. Used by [`ShownMessage::is_by`].
    author: Option<UserId>,
    pub kind: MessageType,
    /// `None` for a system message without text, such as the system message about a new member. People see the texts of
    /// system messages, because the operator writes them for people. Bots and assistants do not see these texts
    /// (B-130).
    pub text: Option<String>,
    /// In order, including blocks of unknown types.
    pub blocks: Vec<Block>,
    /// In order of attachment.
    pub files: Vec<AttachedFileView>,
    quote: Option<Quote>,
    /// Label of the assistant through which the message was sent.
    pub via_label: Option<String>,
    pub edited_at: Option<Timestamp>,
    pub created_at: Timestamp,
}

/// Who sent a message.
#[derive(Clone, Debug, PartialEq)]
pub struct Sender {
    pub id: UserId,
    pub name: String,
    pub is_bot: bool,
}

/// The message to which another message replies.
#[derive(Clone, Debug, PartialEq)]
pub struct Quote {
    pub id: MessageId,
    pub kind: MessageType,
    /// As in [`ShownMessage::sender`].
    pub sender: Option<Sender>,
    /// Label of the assistant through which the message was sent.
    pub via_label: Option<String>,
    /// The first 200 characters of the text, also of a system message; empty for a message without text.
    pub text: String,
}

impl ShownMessage {
    /// Returns the message to which this message replies, for a member who sees messages from `visible_from` on.
    #[must_use]
    pub fn quote(&self, visible_from: MessageId) -> Option<&Quote> {
        self.quote.as_ref().filter(|quote| quote.id >= visible_from)
    }

    /// Whether `person` sent the message. The result is also right for a guest hidden from members.
    #[must_use]
    pub fn is_by(&self, person: UserId) -> bool {
        self.author == Some(person)
    }

    /// Returns the public id of the message.
    #[must_use]
    pub fn public_id(&self) -> String {
        self.id.encode(self.conversation.0.is_dm())
    }

    fn new(
        kind: ConversationKind,
        message: MessageWithFiles,
        blocks: Vec<Block>,
        quote: Option<Quote>,
    ) -> Self {
        let sender = sender(message.sender_id, message.sender_name, message.sender_is_bot);
        Self {
            id: message.id,
            conversation: (kind, message.conversation_id),
            sender,
            author: message.author_id,
            kind: message.kind,
            text: message.text,
            blocks,
            files: message.files,
            quote,
            via_label: message.via_label,
            edited_at: message.edited_at,
            created_at: message.created_at,
        }
    }
}

fn sender(id: Option<UserId>, name: Option<String>, is_bot: Option<bool>) -> Option<Sender> {
    Some(Sender { id: id?, name: name?, is_bot: is_bot? })
}

/// Returns the messages as they are shown, in the same order. The caller must have checked that the reader may see
/// these messages.
pub(super) async fn shown<C: ReadSql>(
    c: &mut C,
    (kind, conversation): (ConversationKind, ConversationId),
    rows: Vec<VisibleMessage>,
) -> Result<Vec<ShownMessage>> {
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<MessageId> = rows.iter().map(|row| row.id).collect();
    let mut quotes = quotes(c, conversation, &rows).await?;
    let mut blocks = HashMap::new();
    for (id, text) in employee::blocks_of(c, &ids).await? {
        blocks.insert(id, read_blocks(Some(&text))?.unwrap_or_default());
    }
    let mut texts = notice_texts(c, &rows).await?;
    let messages = with_files(c, rows).await?;
    let to_shown = |mut message: MessageWithFiles| {
        message.text = message.text.or_else(|| texts.remove(&message.id));
        let blocks = blocks.remove(&message.id).unwrap_or_default();
        let quote = message.thread_id.and_then(|id| quotes.get_mut(&id).cloned());
        ShownMessage::new(kind, message, blocks, quote)
    };
    Ok(messages.into_iter().map(to_shown).collect())
}

/// Returns the texts of the system messages among the given messages, by id.
async fn notice_texts<C: ReadSql>(c: &mut C, rows: &[VisibleMessage]) -> Result<HashMap<MessageId, String>> {
    let notices: Vec<MessageId> =
        rows.iter().filter(|row| row.kind == MessageType::System).map(|row| row.id).collect();
    match notices.is_empty() {
        true => Ok(HashMap::new()),
        false => Ok(employee::notice_texts(c, &notices).await?.into_iter().collect()),
    }
}

/// Returns the messages to which the given messages reply, by id.
async fn quotes<C: ReadSql>(
    c: &mut C,
    conversation: ConversationId,
    rows: &[VisibleMessage],
) -> Result<HashMap<MessageId, Quote>> {
    let mut parents: Vec<MessageId> = rows.iter().filter_map(|row| row.thread_id).collect();
    parents.sort_unstable();
    parents.dedup();
    if parents.is_empty() {
        return Ok(HashMap::new());
    }
    let found = employee::in_conversation(c, conversation, &parents).await?;
    let mut texts = notice_texts(c, &found).await?;
    let quote = |row: VisibleMessage| {
        let text = row.text.or_else(|| texts.remove(&row.id)).unwrap_or_default();
        let text = text.chars().take(QUOTED_CHARS).collect();
        let sender = sender(row.sender_id, row.sender_name, row.sender_is_bot);
        (row.id, Quote { id: row.id, kind: row.kind, sender, via_label: row.via_label, text })
    };
    Ok(found.into_iter().map(quote).collect())
}
