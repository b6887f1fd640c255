//! Contract tests of `createMessage`, `updateMessage` and `deleteMessage`.

use serde_json::json;

use super::*;
use crate::support::*;

#[both_engines]
async fn create_message(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let bot = Client::of(&fixture.bot.api);
    let blocks = json!([
        {"type": "header", "text": "Build 42"},
        {"type": "section", "text": "All tests passed."},
        {"type": "fields", "fields": [{"label": "Branch", "value": "main"}]},
        {"type": "context", "text": "A push to main"},
    ]);
    let members = json!({"text": "Build 42 is green.", "metadata": {"build": 42}, "blocks": blocks});
    let body: types::MessageCreate = typed(fixture.post(members));
    let used = key();
    let sent = succeeds!(201, bot.create_message(&used, &body));
    assert_eq!((&sent.message.conversation_id, &sent.message.thread_id), (&fixture.group, &None));
    let stored = fixture.stored(&sent.message.id).await;
    assert_eq!(stored["text"], "Build 42 is green.");
    assert_eq!(stored["blocks"], blocks, "blocks are stored as they were sent");
    assert_eq!(stored["metadata"], json!({"build": 42}));
    assert_eq!(stored["created_at"], sent.message.created_at.as_str());

    let again = succeeds!(201, bot.create_message(&used, &body));
    assert_eq!(again.message, sent.message, "a repeated key returns the original message");
    assert_eq!(again.headers()["idempotent-replayed"], "true");
    let other = typed(fixture.post(json!({"text": "another text"})));
    refused!(422, "idempotency_key_reused", bot.create_message(&used, &other));

    let reply = typed(fixture.post(json!({"thread_id": sent.message.id})));
    let reply = succeeds!(201, bot.create_message(&key(), &reply));
    assert_eq!(reply.message.thread_id.as_ref(), Some(&sent.message.id));
    let direct = succeeds!(201, bot.create_message(&key(), &typed(fixture.direct(json!({})))));
    assert!(direct.message.id.starts_with("dmsg_"), "a send to a person is a direct message: {direct:?}");
}

#[both_engines]
async fn create_message_rejects_bad_requests(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let bot = Client::of(&fixture.bot.api);
    let large = typed(fixture.post(json!({"metadata": metadata_of(4097)})));
    refused!(400, "invalid_request", bot.create_message(&key(), &large));
    let blocks = vec![json!({"type": "section", "text": "x"}); 51];
    let many = typed(fixture.post(json!({"blocks": blocks})));
    refused!(400, "invalid_blocks", bot.create_message(&key(), &many));
    let huge = typed(fixture.post(json!({"metadata": metadata_of(1_048_577)})));
    refused!(413, "payload_too_large", bot.create_message(&key(), &huge));
}

#[both_engines]
async fn create_message_rejects_unknown_and_forbidden_destinations(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let (company, group) = (&fixture.company, &fixture.group);
    let bot = Client::of(&fixture.bot.api);
    refused!(404, "user_not_found", bot.create_message(&key(), &typed(to_user(NOBODY, "x"))));
    let guest = typed(to_user(&company.guest(true).await, "x"));
    refused!(403, "cannot_dm_user", bot.create_message(&key(), &guest));
    company.set_state(&fixture.person, "deactivated").await;
    refused!(409, "user_deactivated", bot.create_message(&key(), &typed(fixture.direct(json!({})))));

    let nowhere = typed(to_conversation(NOWHERE, "x"));
    refused!(404, "conversation_not_found", bot.create_message(&key(), &nowhere));
    let post = typed(fixture.post(json!({})));
    company.archive(group, true).await;
    refused!(409, "conversation_archived", bot.create_message(&key(), &post));
    company.archive(group, false).await;
    company.update_conversation(group, json!({"announcement_only": true})).await;
    refused!(403, "not_allowed_in_conversation", bot.create_message(&key(), &post));
    company.remove(group, &fixture.bot.user_id).await;
    refused!(403, "not_in_conversation", bot.create_message(&key(), &post));
}

#[both_engines]
async fn update_message(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let (company, group) = (&fixture.company, &fixture.group);
    let bot = Client::of(&fixture.bot.api);
    let id = fixture.posted(json!({"metadata": {"build": 42}})).await;
    let before = fixture.stored(&id).await;
    let blocks = json!([{"type": "context", "text": "new"}]);
    let edit = typed(json!({"text": "edited", "metadata": {"state": "done"}, "blocks": blocks}));
    let edited = succeeds!(200, bot.update_message(&id, &edit));
    assert_eq!((&edited.message.id, &edited.message.conversation_id), (&id, group));
    assert_eq!(edited.message.created_at, text(&before, "/created_at"), "an edit keeps the time of creation");
    let stored = fixture.stored(&id).await;
    assert_eq!(stored["text"], "edited");
    assert_eq!(stored["metadata"], json!({"build": 42, "state": "done"}), "metadata is merged");
    assert_eq!(stored["blocks"], blocks);

    refused!(404, "message_not_found", bot.update_message(NOTHING, &edit));
    let large = typed(json!({"text": "x", "metadata": metadata_of(4097)}));
    refused!(400, "invalid_request", bot.update_message(&id, &large));
    let blocks = vec![json!({"type": "section", "text": "x"}); 51];
    refused!(400, "invalid_blocks", bot.update_message(&id, &typed(json!({"text": "x", "blocks": blocks}))));
    let huge = typed(json!({"text": "x", "metadata": metadata_of(1_048_577)}));
    refused!(413, "payload_too_large", bot.update_message(&id, &huge));
    company.archive(group, true).await;
    refused!(409, "conversation_archived", bot.update_message(&id, &edit));
    company.archive(group, false).await;
    company.update_conversation(group, json!({"announcement_only": true})).await;
    refused!(403, "not_allowed_in_conversation", bot.update_message(&id, &edit));
    company.remove(group, &fixture.bot.user_id).await;
    refused!(403, "not_in_conversation", bot.update_message(&id, &edit));
}

#[both_engines]
async fn delete_message(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let bot = Client::of(&fixture.bot.api);
    let id = fixture.posted(json!({})).await;
    succeeds!(200, bot.delete_message(&id));
    let stored = fixture.stored(&id).await;
    assert!(!stored["deleted_at"].is_null(), "a deleted message has the time of its deletion");
    refused!(404, "message_not_found", bot.delete_message(&id));
}

#[both_engines]
async fn callers(server: Server) {
    let callers = Callers::of_bots(server).await;
    refuses_callers!(callers, create_message(&key(), &typed(to_conversation(NOWHERE, "x"))));
    refuses_callers!(callers, update_message(NOTHING, &typed(json!({"text": "x"}))));
    refuses_callers!(callers, delete_message(NOTHING));
}
