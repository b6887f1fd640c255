//! `listConversations`, `getConversation`, `listConversationMessages`.

use serde_json::json;

use super::*;
use crate::support::*;

#[both_engines]
async fn list_conversations(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let channel = fixture.company.channel(&fixture.group, &[&fixture.bot.user_id]).await;
    let bot = Client::of(&fixture.bot.api);
    let first = succeeds!(200, bot.list_conversations(None, None, Some(typed(1)), None));
    assert_eq!(first.conversations.len(), 1, "a page has at most `limit` conversations");
    assert_eq!(first.conversations[0].id, fixture.group, "the oldest conversation is listed first");
    let cursor = typed(first.next_cursor.as_deref().expect("another page"));
    let second = succeeds!(200, bot.list_conversations(Some(&cursor), None, Some(typed(1)), None));
    assert_eq!(second.conversations[0].id, channel);
    assert_eq!(second.conversations[0].parent_id.as_ref(), Some(&fixture.group));
    assert_eq!(second.next_cursor, None);

    fixture.company.archive(&fixture.group, true).await;
    let listed = succeeds!(200, bot.list_conversations(None, None, None, None));
    assert_eq!(listed.conversations, [], "archived groups are not listed by default");
    let all = succeeds!(200, bot.list_conversations(None, Some(true), None, None));
    assert!(all.conversations.len() == 2 && all.conversations.iter().all(|found| found.is_archived));
    let kind = all.conversations[0].type_;
    let other = match kind {
        types::ConversationType::Channel => "private_channel",
        types::ConversationType::PrivateChannel => "channel",
    };
    let none = succeeds!(200, bot.list_conversations(None, Some(true), None, Some(other)));
    assert_eq!(none.conversations, [], "the filter `{other}` excludes conversations of the type `{kind}`");

    refused!(400, "invalid_request", bot.list_conversations(None, None, None, Some("\0")));
    refused!(400, "invalid_cursor", bot.list_conversations(Some(&typed("unknown")), None, None, None));
    refused!(400, "token_in_query", bot.list_conversations(None, None, None, Some(&fixture.bot.token)));
}

#[both_engines]
async fn get_conversation(server: Server) {
    let fixture = BotFixture::new(&server).await;
    fixture.company.update_conversation(&fixture.group, json!({"name": "Launch", "topic": "Friday"})).await;
    let bot = Client::of(&fixture.bot.api);
    let found = succeeds!(200, bot.get_conversation(&fixture.group));
    let expected: types::Conversation = typed(json!({
        "id": fixture.group, "name": "Launch", "topic": "Friday", "type": found.conversation.type_,
        "parent_id": null, "is_private": found.conversation.is_private, "is_archived": false,
        "is_member": true, "member_count": 1,
    }));
    assert_eq!(found.conversation, expected, "`member_count` does not include the bot");
    refused!(404, "conversation_not_found", bot.get_conversation(NOWHERE));
    fixture.company.remove(&fixture.group, &fixture.bot.user_id).await;
    refused!(403, "not_in_conversation", bot.get_conversation(&fixture.group));
}

#[both_engines]
async fn list_conversation_messages(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let group = fixture.group.as_str();
    let question = fixture.company.post(group, &fixture.person, "Is it green?").await;
    let answer = fixture.posted(json!({"text": "It is.", "thread_id": question})).await;
    let bot = Client::of(&fixture.bot.api);
    let first = succeeds!(200, bot.list_conversation_messages(group, None, Some(typed(2))));
    let newest = &first.messages[0];
    assert_eq!(
        (&newest.id, newest.text.as_deref()),
        (&answer, Some("It is.")),
        "the newest message is listed first"
    );
    assert_eq!((&newest.user_id, &newest.thread_id), (&Some(fixture.bot.user_id.clone()), &Some(question)));
    assert_eq!(first.messages[1].user_id.as_ref(), Some(&fixture.person));
    let cursor = typed(first.next_cursor.as_deref().expect("another page"));
    let second = succeeds!(200, bot.list_conversation_messages(group, Some(&cursor), None));
    let with_file = second.messages.iter().find(|message| message.type_.as_str() == "file");
    assert_eq!(with_file.expect("the message with a file").files[0].id, fixture.file);

    refused!(400, "invalid_cursor", bot.list_conversation_messages(group, Some(&typed("unknown")), None));
    let token = typed(fixture.bot.token.as_str());
    refused!(400, "token_in_query", bot.list_conversation_messages(group, Some(&token), None));
    refused!(404, "conversation_not_found", bot.list_conversation_messages(NOWHERE, None, None));
    fixture.company.remove(group, &fixture.bot.user_id).await;
    refused!(403, "not_in_conversation", bot.list_conversation_messages(group, None, None));
}

#[both_engines]
async fn callers(server: Server) {
    let callers = Callers::of_bots(server).await;
    refuses_callers!(callers, list_conversations(None, None, None, None));
    refuses_callers!(callers, get_conversation(NOWHERE));
    refuses_callers!(callers, list_conversation_messages(NOWHERE, None, None));
}
