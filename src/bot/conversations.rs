//! Handlers for the bot's groups and channels, and for their history.

use super::BotApi;
use crate::{
    contract::{Nullable, OperationError},
    domain::{
        conversation::{ConversationKind, MessageType, type_name},
        ids::{ConversationId, UserId},
    },
    generated::bot::{
        ConversationsHandlers, GetConversationError, GetConversationRequest, GetConversationSuccess,
        ListConversationMessagesError, ListConversationMessagesRequest, ListConversationMessagesSuccess,
        ListConversationsError, ListConversationsRequest, ListConversationsSuccess, types,
    },
    service::{
        bot::access::Bot,
        bot::reading::{Filter, HistoryItem},
        conversations::ConversationView,
        paging::PageRequest,
    },
};

impl From<ConversationView> for types::Conversation {
    fn from(conversation: ConversationView) -> Self {
        let r#type = match conversation.is_private {
            true => types::ConversationType::PrivateChannel,
            false => types::ConversationType::Channel,
        };
        Self {
            id: conversation.id.encode(conversation.kind),
            name: conversation.name.unwrap_or_default(),
            r#type,
            parent_id: Nullable(conversation.parent_id.map(|id| id.encode(ConversationKind::Group))),
            is_private: conversation.is_private,
            is_archived: conversation.is_archived,
            is_member: true,
            member_count: conversation.member_count,
            topic: Nullable(conversation.topic),
        }
    }
}

/// Parses `types`, a list separated by commas. Unknown types are ignored. If `types` contains no known type, the filter
/// matches both types (B-265 … B-267).
fn filter(types: Option<&str>, archived: bool) -> Filter {
    let named = |name: &str| types.is_some_and(|types| types.split(',').any(|t| t.trim() == name));
    let (public, private) = (named(type_name(false)), named(type_name(true)));
    let both = !public && !private;
    Filter { public: public || both, private: private || both, archived }
}

fn message_type(kind: MessageType) -> types::MessageType {
    match kind {
        MessageType::Text => types::MessageType::Text,
        MessageType::Image => types::MessageType::Image,
        MessageType::File => types::MessageType::File,
        MessageType::System => types::MessageType::System,
        MessageType::Audio => types::MessageType::Audio,
        MessageType::Video => types::MessageType::Video,
        MessageType::Location => types::MessageType::Location,
        MessageType::Contact => types::MessageType::Contact,
        MessageType::Call => types::MessageType::Call,
        MessageType::Poll => types::MessageType::Poll,
        MessageType::Survey => types::MessageType::Survey,
    }
}

fn history_message(item: HistoryItem, conversation_id: &str) -> types::HistoryMessage {
    types::HistoryMessage {
        id: item.id.encode(false),
        conversation_id: conversation_id.to_owned(),
        thread_id: Nullable(item.thread_id.map(|id| id.encode(false))),
        user_id: Nullable(item.sender_id.map(UserId::encode)),
        r#type: message_type(item.kind),
        text: Nullable(item.text),
        files: item.files.into_iter().map(|id| types::FileRef { id: id.encode() }).collect(),
        created_at: item.created_at,
    }
}

impl ConversationsHandlers for BotApi {
    async fn list_conversations(
        &self,
        bot: Bot,
        request: ListConversationsRequest,
    ) -> Result<ListConversationsSuccess, OperationError<ListConversationsError>> {
        let archived = request.include_archived.unwrap_or(false);
        let filter = filter(request.types.as_deref(), archived);
        let page = PageRequest { limit: request.limit, cursor: request.cursor.as_deref() };
        let page = bot.list_conversations(filter, page).await?;
        Ok(types::ConversationPage {
            ok: types::True,
            conversations: page.items.into_iter().map(Into::into).collect(),
            next_cursor: Nullable(page.next_cursor),
        }
        .into())
    }

    async fn get_conversation(
        &self,
        bot: Bot,
        request: GetConversationRequest,
    ) -> Result<GetConversationSuccess, OperationError<GetConversationError>> {
        let conversation = bot.conversation(ConversationId::parse(&request.id)).await?;
        Ok(types::ConversationResult { ok: types::True, conversation: conversation.into() }.into())
    }

    async fn list_conversation_messages(
        &self,
        bot: Bot,
        request: ListConversationMessagesRequest,
    ) -> Result<ListConversationMessagesSuccess, OperationError<ListConversationMessagesError>> {
        let page = PageRequest { limit: request.limit, cursor: request.cursor.as_deref() };
        let page = bot.history(ConversationId::parse(&request.conversation_id), page).await?;
        let id = &request.conversation_id;
        Ok(types::HistoryPage {
            ok: types::True,
            messages: page.items.into_iter().map(|item| history_message(item, id)).collect(),
            next_cursor: Nullable(page.next_cursor),
        }
        .into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_types_are_ignored() {
        let both = Filter { public: true, private: true, archived: false };
        for types in [None, Some(""), Some("group"), Some("channel,private_channel"), Some("Channel")] {
            // no known type (B-265), or both known types (B-267)
            assert_eq!(filter(types, false), both, "{types:?}");
        }
        let public = Filter { private: false, ..both };
        // `channel` selects public conversations (B-264)
        assert_eq!(filter(Some("channel"), false), public);
        // unknown types beside a known one are ignored (B-266)
        assert_eq!(filter(Some("group,channel"), false), public);
        assert_eq!(filter(Some("private_channel"), false), Filter { public: false, ..both });
    }
}
