//! `createConversation`, `adminListConversations`, `adminGetConversation`, `updateConversation`, `deleteConversation`.

use serde_json::json;

use super::*;
use crate::support::*;

#[both_engines]
async fn create_conversation(server: Server) {
    let fixture = CallersFixture::new(&server).await;
    let (company, person, id) = (&fixture.company, fixture.person, fixture.company.id.as_str());
    let body = typed(
        json!({"kind": "group", "name": "Launch", "topic": "Friday", "member_ids": [fixture.admin_id]}),
    );
    let made = succeeds!(201, person.create_conversation(id, &body));
    let group = &made.conversation;
    assert_eq!((group.kind, group.name.as_deref()), (types::ConversationKind::Group, Some("Launch")));
    assert_eq!(
        (group.topic.as_deref(), group.member_count),
        (Some("Friday"), 2),
        "the members are the given person and the caller"
    );
    let channel = typed(json!({"kind": "channel", "name": "news", "parent_id": group.id}));
    let channel = succeeds!(201, person.create_conversation(id, &channel));
    assert_eq!(channel.conversation.parent_id.as_ref(), Some(&group.id));
    let direct = typed(json!({"kind": "dm", "member_ids": [fixture.admin_id]}));
    let direct = succeeds!(201, person.create_conversation(id, &direct));
    assert_eq!((direct.conversation.kind, &direct.conversation.name), (types::ConversationKind::Dm, &None));

    refused!(400, "invalid_request", person.create_conversation(id, &typed(json!({"kind": "group"}))));
    refused!(404, "not_found", person.create_conversation(NO_COMPANY, &body));
    let orphan = typed(json!({"kind": "channel", "name": "x", "parent_id": NOWHERE}));
    refused!(404, "conversation_not_found", person.create_conversation(id, &orphan));
    let nobody = typed(json!({"kind": "group", "name": "x", "member_ids": [NOBODY]}));
    refused!(404, "user_not_found", person.create_conversation(id, &nobody));
    let deactivated = company.person_with(json!({"state": "deactivated"})).await;
    let new = typed(json!({"kind": "group", "name": "x", "member_ids": [deactivated]}));
    refused!(409, "conflict", person.create_conversation(id, &new));
    let private = company.conversation(json!({"type": "private_channel"})).await;
    let inside = typed(json!({"kind": "channel", "name": "x", "parent_id": private}));
    refused!(403, "forbidden", person.create_conversation(id, &inside));
    let ids = vec![NOBODY; 60_000];
    let huge = typed(json!({"kind": "group", "name": "x", "member_ids": ids}));
    refused!(413, "payload_too_large", person.create_conversation(id, &huge));
}

#[both_engines]
async fn list_conversations(server: Server) {
    let fixture = CallersFixture::new(&server).await;
    let (company, admin, id) = (&fixture.company, fixture.admin, fixture.company.id.as_str());
    let [one, other] = [company.group(&[]).await, company.group(&[]).await];
    let first = succeeds!(200, admin.list_conversations(id, None, Some(typed(1))));
    assert_eq!((first.conversations.len(), &first.conversations[0].id), (1, &one), "oldest first");
    let cursor = typed(first.next_cursor.as_deref().expect("another page"));
    let second = succeeds!(200, admin.list_conversations(id, Some(&cursor), None));
    assert_eq!((&second.conversations[0].id, &second.next_cursor), (&other, &None));

    refused!(404, "not_found", admin.list_conversations(NO_COMPANY, None, None));
    refused!(400, "invalid_cursor", admin.list_conversations(id, Some(&typed("unknown")), None));
    refused!(400, "token_in_query", admin.list_conversations(id, Some(&typed("svc_bot_test_")), None));
}

#[both_engines]
async fn get_conversation(server: Server) {
    let fixture = CallersFixture::new(&server).await;
    let admin = fixture.admin;
    let group = fixture.company.group(&[&fixture.person_id]).await;
    let found = succeeds!(200, admin.get_conversation(&group));
    let conversation = &found.conversation;
    assert_eq!((&conversation.id, conversation.member_count), (&group, 1));
    assert_eq!(
        (&conversation.members[0].user_id, &conversation.members[0].left_at),
        (&fixture.person_id, &None)
    );
    assert_eq!(conversation.members_cursor, None);
    refused!(404, "conversation_not_found", admin.get_conversation(NOWHERE));
}

#[both_engines]
async fn update_conversation(server: Server) {
    let fixture = CallersFixture::new(&server).await;
    let admin = fixture.admin;
    let group = fixture.company.group(&[]).await;
    let change = typed(json!({"name": "Renamed", "type": "private_channel", "announcement_only": true}));
    let changed = succeeds!(200, admin.update_conversation(&group, &change));
    let conversation = &changed.conversation;
    assert_eq!(conversation.name.as_deref(), Some("Renamed"));
    assert_eq!(conversation.type_, Some(types::ConversationType::PrivateChannel));
    assert!(conversation.announcement_only && !conversation.is_archived);
    let direct = fixture.company.direct(&fixture.person_id, &fixture.admin_id).await;
    refused!(400, "invalid_request", admin.update_conversation(&direct, &change));
    refused!(404, "conversation_not_found", admin.update_conversation(NOWHERE, &change));
}

#[both_engines]
async fn delete_conversation(server: Server) {
    let fixture = CallersFixture::new(&server).await;
    let admin = fixture.admin;
    let group = fixture.company.group(&[]).await;
    succeeds!(200, admin.delete_conversation(&group));
    assert!(
        succeeds!(200, admin.get_conversation(&group)).conversation.is_deleted,
        "a deleted conversation can still be read"
    );
    refused!(404, "conversation_not_found", admin.delete_conversation(&group));
}

#[both_engines]
async fn callers(server: Server) {
    let callers = Callers::of_admins(server).await;
    refuses_callers!(callers, create_conversation(NO_COMPANY, &typed(json!({"kind": "group", "name": "x"}))));
    refuses_callers!(callers, list_conversations(NO_COMPANY, None, None));
    refuses_callers!(callers, get_conversation(NOWHERE));
    refuses_callers!(callers, update_conversation(NOWHERE, &typed(json!({}))));
    refuses_callers!(callers, delete_conversation(NOWHERE));
}
