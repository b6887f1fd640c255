//! Messages as the web client shows them: with their blocks, their files, and a quote of the message to which they
//! reply.
//!
//! All members see the same content of a message, with one exception: a member who joined after the quoted message was
//! posted does not see the quote. A message is read as an [`UnfilteredMessage`], which does not leave the service
//! layer. [`UnfilteredMessage::for_reader`] returns what one reader sees of it.

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

/// A message as one reader sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownMessage {
    pub id: MessageId,
    pub conversation: (ConversationKind, ConversationId),
    /// `None` for a system message, and if the sender is a guest hidden from members.
    pub sender: Option<Sender>,
    /// Whether the reader sent the message, even if the message has no `sender` because the reader is a guest hidden
    /// from members.
    pub is_own: bool,
    pub kind: MessageType,
    /// `None` for a system message without text, such as the system message about a new member. The text of any other
    /// system message was written by the operator, for people. Bots and assistants do not see it (B-130).
    pub text: Option<String>,
    /// In order, including blocks of unknown types.
    pub blocks: Vec<Block>,
    /// In order of attachment.
    pub files: Vec<AttachedFileView>,
    /// The message to which this message replies. `None` if this message is not a reply, if the quoted message was
    /// deleted, or if the reader joined after the quoted message was posted.
    pub quote: Option<Quote>,
    /// Label of the assistant through which the message was sent.
    pub via_label: Option<String>,
    pub edited_at: Option<Timestamp>,
    pub created_at: Timestamp,
}

/// A reader of messages.
#[derive(Clone, Copy, Debug)]
pub(super) struct MessageReader {
    pub(super) person: UserId,
    /// The lowest message id that the reader may see.
    pub(super) visible_from: MessageId,
}

/// A message before it is known who reads it.
#[derive(Clone, Debug)]
pub(super) struct UnfilteredMessage {
    /// The message for a reader who did not send it and who sees the quote.
    message: ShownMessage,
    /// The sender, even if the sender is a guest hidden from members.
    author: Option<UserId>,
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
    /// Returns the public id of the message.
    #[must_use]
    pub fn public_id(&self) -> String {
        self.id.encode(self.conversation.0.is_dm())
    }
}

impl UnfilteredMessage {
    fn new(
        kind: ConversationKind,
        message: MessageWithFiles,
        blocks: Vec<Block>,
        quote: Option<Quote>,
    ) -> Self {
        let sender = sender(message.sender_id, message.sender_name, message.sender_is_bot);
        let shown = ShownMessage {
            id: message.id,
            conversation: (kind, message.conversation_id),
            sender,
            is_own: false,
            kind: message.kind,
            text: message.text,
            blocks,
            files: message.files,
            quote,
            via_label: message.via_label,
            edited_at: message.edited_at,
            created_at: message.created_at,
        };
        Self { message: shown, author: message.author_id }
    }

    pub(super) const fn id(&self) -> MessageId {
        self.message.id
    }

    /// Returns what a reader sees of the message. The reader must be allowed to see the message itself.
    pub(super) fn for_reader(self, reader: MessageReader) -> ShownMessage {
        let is_own = self.author == Some(reader.person);
        let has_quote = self.shows_quote(reader);
        let quote = self.message.quote.filter(|_| has_quote);
        ShownMessage { is_own, quote, ..self.message }
    }

    /// Returns the message for a rendering that several windows share, with or without the quote. Because the rendering
    /// is shared, [`ShownMessage::is_own`] is `false` even for the author.
    pub(super) fn for_windows(&self, with_quote: bool) -> ShownMessage {
        let mut shown = self.message.clone();
        shown.quote = shown.quote.filter(|_| with_quote);
        shown
    }

    /// Whether the message has a quote that the reader sees.
    pub(super) fn shows_quote(&self, reader: MessageReader) -> bool {
        self.message.quote.as_ref().is_some_and(|quote| quote.id >= reader.visible_from)
    }

    /// Whether the message is the reader's own but has no sender, because the reader is a guest hidden from members.
    pub(super) fn is_unnamed_and_by(&self, reader: MessageReader) -> bool {
        self.message.sender.is_none() && self.author == Some(reader.person)
    }
}

fn sender(id: Option<UserId>, name: Option<String>, is_bot: Option<bool>) -> Option<Sender> {
    Some(Sender { id: id?, name: name?, is_bot: is_bot? })
}

/// Returns the messages of `rows` with their blocks, files and quotes, in the order of `rows`.
pub(super) async fn unfiltered<C: ReadSql>(
    c: &mut C,
    (kind, conversation): (ConversationKind, ConversationId),
    rows: Vec<VisibleMessage>,
) -> Result<Vec<UnfilteredMessage>> {
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
        UnfilteredMessage::new(kind, message, blocks, quote)
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

/// Returns the quotes of the messages to which the given messages reply, by the id of the quoted message.
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

#[cfg(test)]
mod tests {
    use super::*;

    const AUTHOR: UserId = UserId(7);
    const QUOTED: MessageId = MessageId(10);

    fn message(sender: Option<Sender>) -> UnfilteredMessage {
        let quote = Quote {
            id: QUOTED,
            kind: MessageType::Text,
            sender: None,
            via_label: None,
            text: "earlier".to_owned(),
        };
        let message = ShownMessage {
            id: MessageId(20),
            conversation: (ConversationKind::Group, ConversationId(1)),
            sender,
            is_own: false,
            kind: MessageType::Text,
            text: Some("later".to_owned()),
            blocks: Vec::new(),
            files: Vec::new(),
            quote: Some(quote),
            via_label: None,
            edited_at: None,
            created_at: Timestamp(0),
        };
        UnfilteredMessage { message, author: Some(AUTHOR) }
    }

    const fn reader(person: i64, visible_from: i64) -> MessageReader {
        MessageReader { person: UserId(person), visible_from: MessageId(visible_from) }
    }

    #[test]
    fn a_reader_who_joined_after_the_quoted_message_gets_no_quote() {
        for (visible_from, has_quote) in [(0, true), (QUOTED.0, true), (QUOTED.0 + 1, false)] {
            let (message, reader) = (message(None), reader(1, visible_from));
            assert_eq!(message.shows_quote(reader), has_quote);
            assert_eq!(message.for_windows(has_quote).quote.is_some(), has_quote);
            assert_eq!(message.for_reader(reader).quote.is_some(), has_quote);
        }
    }

    #[test]
    fn only_messages_of_hidden_guests_are_rendered_separately_for_their_author() {
        let named = Some(Sender { id: AUTHOR, name: "Ada".to_owned(), is_bot: false });
        for (sender, person, is_separate) in [(None, 7, true), (None, 1, false), (named, 7, false)] {
            let (message, reader) = (message(sender), reader(person, 0));
            assert_eq!(message.is_unnamed_and_by(reader), is_separate);
            assert!(!message.for_windows(true).is_own, "in a shared rendering, no message is marked as own");
            assert_eq!(message.for_reader(reader).is_own, person == AUTHOR.0);
        }
    }
}
