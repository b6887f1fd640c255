//! The search page of the web client: full-text search of the messages that a person may read.

use crate::{
    domain::{
        conversation::ConversationKind,
        ids::{ConversationId, MessageId, UserId},
        search::SearchQuery,
        time::Timestamp,
    },
    service::{
        callers::{Person, ShownConversation},
        conversations::NamedConversation,
        employee::{
            ConversationRef, PersonRef,
            access::{Heading, Span},
            messages::MessageWithFiles,
            search::{Order, Search, SearchResults, find_messages},
        },
    },
    store::Result,
};

/// A search request of a person.
#[derive(Clone, Debug)]
pub struct MessageSearch {
    pub query: SearchQuery,
    /// Find only messages of this conversation. `Some(None)` for text that is not a conversation id; the search then
    /// fails with `conversation_not_found`.
    pub conversation: Option<NamedConversation>,
    /// Find only messages from this person or bot. `Some(None)` for text that is not a user id; the search then fails
    /// with `user_not_found`.
    pub sender: Option<Option<UserId>>,
    /// Find only messages sent at this time or later.
    pub since: Option<Timestamp>,
}

/// A message that a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundMessage {
    pub id: MessageId,
    pub conversation: (ConversationKind, ConversationId),
    /// Name of the group or channel; `None` for direct messages.
    pub conversation_name: Option<String>,
    /// Name of the other user of a direct conversation. `None` if the user is a guest hidden from members, and for
    /// groups and channels.
    pub with: Option<String>,
    /// Id and name of the sender. `None` for system messages, and if the sender is a guest hidden from members.
    pub sender: Option<(UserId, String)>,
    /// Whether the sender is a bot.
    pub is_bot: bool,
    /// Label of the assistant through which the message was sent.
    pub via_label: Option<String>,
    pub text: String,
    pub created_at: Timestamp,
}

/// A page of search results, newest first.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundMessages {
    pub items: Vec<FoundMessage>,
    /// `None` on the last page.
    pub next_cursor: Option<String>,
    /// Whether some messages were not searched, because too many messages are not indexed yet.
    pub is_incomplete: bool,
}

impl Person<'_> {
    /// Returns a page of the messages that match `search` and that the person may read.
    ///
    /// # Errors
    /// - `invalid_cursor`.
    /// - `conversation_not_found` and `not_in_conversation` for a conversation whose messages the person may not read.
    /// - `user_not_found` for a sender whom the person does not see.
    pub async fn search(
        self,
        search: MessageSearch,
        limit: usize,
        cursor: Option<String>,
    ) -> Result<FoundMessages> {
        let search = Search {
            query: search.query,
            conversation: search.conversation.map(ConversationRef::Conversation),
            sender: search.sender.map(PersonRef::Id),
            span: Span { after: search.since, before: None },
            order: Order::Newest,
            limit,
            cursor,
        };
        let found = find_messages(self.world(), self.into(), "web.search", search).await?;
        let SearchResults { items, headings, next_cursor, is_incomplete } = found;
        let shown = |message: MessageWithFiles| {
            let heading = headings.get(&message.conversation_id);
            FoundMessage::new(message, heading)
        };
        Ok(FoundMessages { items: items.into_iter().filter_map(shown).collect(), next_cursor, is_incomplete })
    }

    /// Returns the conversations of found messages. Immediately before the response is sent, the caller must check
    /// again that the person sees these messages.
    #[must_use]
    pub fn shown_in_search(self, found: &FoundMessages) -> Vec<ShownConversation> {
        let messages = found.items.iter().map(|message| (message.conversation, message.id));
        ShownConversation::of_messages(self.into(), messages)
    }
}

impl FoundMessage {
    fn new(message: MessageWithFiles, heading: Option<&Heading>) -> Option<Self> {
        let heading = heading?;
        Some(Self {
            id: message.id,
            conversation: (heading.conversation.kind, message.conversation_id),
            conversation_name: heading.conversation.name.clone(),
            with: heading.with.as_ref().map(|(_, name)| name.clone()),
            sender: message.sender_id.zip(message.sender_name),
            is_bot: message.sender_is_bot.unwrap_or_default(),
            via_label: message.via_label,
            text: message.text.unwrap_or_default(),
            created_at: message.created_at,
        })
    }
}
