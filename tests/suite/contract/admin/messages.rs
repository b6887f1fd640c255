//! Tests of the operations `listMessages`, `adminCreateMessage`, `adminUpdateMessage`, `adminDeleteMessage` and
//! `createInteraction`.

use serde_json::json;

use super::*;
use crate::support::*;

/// Returns the body of a text message.
fn hello() -> types::MessageCreate {
    typed(json!({"type": "text", "text": "hello"}))
}

#[both_engines]
async fn list_messages(server: Server) {
    let fixture = CallersFixture::new(&server).await;
    let (company, admin, person_id) = (&fixture.company, fixture.admin, fixture.person_id.as_str());
    let group = company.group(&[person_id]).await;
    let first = company.post(&group, person_id, "first").await;
    let second = company.post_with(&group, person_id, json!({"text": "second", "thread_id": first})).await;
    let page = succeeds!(200, admin.list_messages(&group, None, Some(typed(1))));
    let newest = &page.messages[0];
    assert_eq!(
        (&newest.id, newest.text.as_deref()),
        (&second, Some("second")),
        "the newest message is first"
    );
    assert_eq!((newest.user_id.as_deref(), newest.thread_id.as_ref()), (Some(person_id), Some(&first)));
    let cursor = typed(page.next_cursor.as_deref().expect("another page"));
    let rest = succeeds!(200, admin.list_messages(&group, Some(&cursor), None));
    assert_eq!((&rest.messages[0].id, &rest.next_cursor), (&first, &None));

    refused!(404, "conversation_not_found", admin.list_messages(NOWHERE, None, None));
    refused!(400, "invalid_cursor", admin.list_messages(&group, Some(&typed("unknown")), None));
    refused!(400, "token_in_query", admin.list_messages(&group, Some(&typed("svc_bot_test_")), None));
}

#[both_engines]
async fn create_message(server: Server) {
    let fixture = CallersFixture::new(&server).await;
    let (company, operator, person) = (&fixture.company, fixture.operator, fixture.person);
    let group = company.group(&[&fixture.person_id]).await;
    let keyed = typed(json!({"type": "text", "text": "hello", "client_key": "key-1"}));
    let made = succeeds!(201, person.create_message(&group, None, &keyed));
    let message = &made.message;
    assert_eq!((&message.conversation_id, message.text.as_deref()), (&group, Some("hello")));
    assert_eq!(
        (message.user_id.as_ref(), message.client_key.as_deref()),
        (Some(&fixture.person_id), Some("key-1"))
    );
    let file = company.file(&fixture.person_id, "plan.txt", "text/plain", b"the plan").await;
    let with_file = typed(json!({"type": "file", "file_ids": [file]}));
    let acting = typed(fixture.person_id.as_str());
    let made = succeeds!(201, operator.create_message(&group, Some(&acting), &with_file));
    assert_eq!((made.message.type_.as_str(), &made.message.files[0].id), ("file", &file));

    refused!(400, "invalid_request", person.create_message(&group, None, &typed(json!({"type": "text"}))));
    refused!(
        409,
        "conflict",
        person.create_message(
            &group,
            None,
            &typed(json!({
                "type": "text", "text": "another", "client_key": "key-1",
            }))
        )
    );
    let for_another = typed(json!({"type": "text", "text": "x", "user_id": fixture.admin_id}));
    refused!(403, "forbidden", person.create_message(&group, None, &for_another));
    refused!(404, "conversation_not_found", person.create_message(NOWHERE, None, &hello()));
    refused!(404, "user_not_found", operator.create_message(&group, Some(&typed(NOBODY)), &hello()));
    let no_file = typed(json!({"type": "file", "file_ids": [NO_FILE]}));
    refused!(404, "file_not_found", person.create_message(&group, None, &no_file));
    let huge = typed(json!({"type": "file", "file_ids": vec![NO_FILE; 60_000]}));
    refused!(413, "payload_too_large", person.create_message(&group, None, &huge));
}

#[both_engines]
async fn create_message_follows_the_rules_of_the_conversation(server: Server) {
    let fixture = CallersFixture::new(&server).await;
    let (company, operator, person) = (&fixture.company, fixture.operator, fixture.person);
    let group = company.group(&[&fixture.person_id]).await;
    company.update_conversation(&group, json!({"announcement_only": true})).await;
    refused!(403, "not_allowed_in_conversation", person.create_message(&group, None, &hello()));
    company.update_conversation(&group, json!({"announcement_only": false, "is_archived": true})).await;
    refused!(409, "conversation_archived", person.create_message(&group, None, &hello()));
    company.archive(&group, false).await;
    company.remove(&group, &fixture.person_id).await;
    refused!(403, "not_in_conversation", person.create_message(&group, None, &hello()));
    company.add(&group, &fixture.person_id).await;
    company.set_state(&fixture.person_id, "deactivated").await;
    let acting = typed(fixture.person_id.as_str());
    refused!(409, "user_deactivated", operator.create_message(&group, Some(&acting), &hello()));
}

#[both_engines]
async fn update_message(server: Server) {
    let fixture = CallersFixture::new(&server).await;
    let (company, person) = (&fixture.company, fixture.person);
    let group = company.group(&[&fixture.person_id, &fixture.admin_id]).await;
    let own = company.post(&group, &fixture.person_id, "before").await;
    let edit = typed(json!({"text": "after"}));
    let edited = succeeds!(200, person.update_message(&own, &edit));
    assert_eq!((&edited.message.id, edited.message.text.as_deref()), (&own, Some("after")));
    assert_eq!(edited.message.edits[0].text.as_deref(), Some("before"), "the response has the former text");

    let other = company.post(&group, &fixture.admin_id, "another's").await;
    refused!(403, "forbidden", person.update_message(&other, &edit));
    refused!(404, "message_not_found", person.update_message(NOTHING, &edit));
    refused!(400, "invalid_request", person.update_message(&own, &typed(json!({"text": "\0"}))));
    company.update_conversation(&group, json!({"announcement_only": true})).await;
    refused!(403, "not_allowed_in_conversation", person.update_message(&own, &edit));
    company.update_conversation(&group, json!({"announcement_only": false, "is_archived": true})).await;
    refused!(409, "conversation_archived", person.update_message(&own, &edit));
    company.archive(&group, false).await;
    company.remove(&group, &fixture.person_id).await;
    refused!(403, "not_in_conversation", person.update_message(&own, &edit));
}

#[both_engines]
async fn delete_message(server: Server) {
    let fixture = CallersFixture::new(&server).await;
    let (company, admin, person) = (&fixture.company, fixture.admin, fixture.person);
    let group = company.group(&[&fixture.person_id, &fixture.admin_id]).await;
    let own = company.post(&group, &fixture.person_id, "own").await;
    let other = company.post(&group, &fixture.admin_id, "another's").await;
    succeeds!(200, person.delete_message(&own));
    let listed = succeeds!(200, admin.list_messages(&group, None, None));
    let deleted = listed
        .messages
        .iter()
        .find(|message| message.id == own)
        .expect("the deleted message stays in the list");
    assert!(deleted.deleted_at.is_some() && deleted.text.is_none(), "{deleted:?}");
    refused!(404, "message_not_found", person.delete_message(&own));
    refused!(403, "forbidden", person.delete_message(&other));
}

#[both_engines]
async fn create_interaction(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let message = fixture.message().await;
    let operator = Client::of(&server.operator());
    let click = |user: &str| -> types::InteractionCreate {
        typed(json!({"user_id": user, "action_id": "approve", "value": "42"}))
    };
    succeeds!(202, operator.create_interaction(&message, &click(&fixture.person)));
    let log = server.log_of(&fixture.bot.app, "type=interaction").await;
    assert_eq!(log.len(), 1, "a click creates one event for the app: {log:?}");
    refused!(404, "message_not_found", operator.create_interaction(NOTHING, &click(&fixture.person)));
    refused!(404, "user_not_found", operator.create_interaction(&message, &click(NOBODY)));
    fixture.company.remove(&fixture.group, &fixture.bot.user_id).await;
    refused!(409, "conflict", operator.create_interaction(&message, &click(&fixture.person)));
    fixture.company.add(&fixture.group, &fixture.bot.user_id).await;
    let nul = typed(json!({"user_id": fixture.person, "action_id": "\0"}));
    refused!(400, "invalid_request", operator.create_interaction(&message, &nul));
    let huge = click(&"x".repeat(1_048_577));
    refused!(413, "payload_too_large", operator.create_interaction(&message, &huge));
    let server = in_production(server).await;
    let operator = Client::of(&server.operator());
    refused!(404, "not_found", operator.create_interaction(&message, &click(&fixture.person)));
}

#[both_engines]
async fn callers(server: Server) {
    let callers = Callers::of_admins(server).await;
    let click = || typed(json!({"user_id": NOBODY, "action_id": "approve"}));
    refuses_callers!(callers, list_messages(NOWHERE, None, None));
    refuses_callers!(callers, create_message(NOWHERE, None, &hello()));
    refuses_callers!(callers, update_message(NOTHING, &typed(json!({"text": "x"}))));
    refuses_callers!(callers, delete_message(NOTHING));
    refuses_callers!(callers, create_interaction(NOTHING, &click()));
}
