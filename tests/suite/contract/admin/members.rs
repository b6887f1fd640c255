//! `listMembers`, `addMember`, `removeMember`.

use super::*;
use crate::support::*;

#[both_engines]
async fn list_members(server: Server) {
    let fixture = CallersFixture::new(&server).await;
    let (admin, person) = (fixture.admin, fixture.person);
    let group = fixture.company.group(&[&fixture.person_id, &fixture.admin_id]).await;
    let mut ids = [fixture.person_id.as_str(), &fixture.admin_id];
    ids.sort_unstable();
    let first = succeeds!(200, person.list_members(&group, None, Some(typed(1))));
    assert_eq!(
        (first.members.len(), first.members[0].user_id.as_str()),
        (1, ids[0]),
        "members are in the order of their user ids"
    );
    let cursor = typed(first.next_cursor.as_deref().expect("another page"));
    let second = succeeds!(200, person.list_members(&group, Some(&cursor), None));
    assert_eq!((second.members[0].user_id.as_str(), &second.next_cursor), (ids[1], &None));
    assert!(!second.members[0].is_bot && second.members[0].left_at.is_none());

    refused!(400, "invalid_cursor", person.list_members(&group, Some(&typed("unknown")), None));
    refused!(400, "token_in_query", person.list_members(&group, Some(&typed("svc_bot_test_")), None));
    refused!(404, "conversation_not_found", admin.list_members(NOWHERE, None, None));
    fixture.company.remove(&group, &fixture.person_id).await;
    refused!(403, "not_in_conversation", person.list_members(&group, None, None));
}

/// An admin who is demoted while the list is read gets 403. The test runs on PostgreSQL only, because it locks a table.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn list_members_rejects_a_former_admin() {
    let Some(server) = Server::postgres().await else { return };
    let fixture = CallersFixture::new(&server).await;
    let admin = fixture.admin;
    let group = fixture.company.group(&[&fixture.person_id]).await;
    let (mut holding, mut watching) = (server.database.outside().await, server.database.outside().await);
    sqlx::raw_sql("BEGIN; LOCK TABLE members IN ACCESS EXCLUSIVE MODE").execute(&mut holding).await.unwrap();
    let reading = async {
        refused!(403, "forbidden", admin.list_members(&group, None, None));
    };
    let demotion = async {
        until(async || {
            let waiting = "SELECT COUNT(*) FROM pg_locks WHERE NOT granted AND relation = 'members'::regclass
                    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
            sqlx::query_scalar::<_, i64>(waiting).fetch_one(&mut watching).await.unwrap() == 1
        })
        .await;
        fixture.company.update_user(&fixture.admin_id, serde_json::json!({"is_admin": false})).await;
        sqlx::raw_sql("COMMIT").execute(&mut holding).await.unwrap();
    };
    futures_util::join!(reading, demotion);
}

#[both_engines]
async fn add_member(server: Server) {
    let fixture = CallersFixture::new(&server).await;
    let admin = fixture.admin;
    let group = fixture.company.group(&[]).await;
    succeeds!(200, admin.add_member(&group, &fixture.person_id));
    let members = succeeds!(200, admin.list_members(&group, None, None));
    assert_eq!(members.members[0].user_id, fixture.person_id);
    let direct = fixture.company.direct(&fixture.person_id, &fixture.admin_id).await;
    refused!(409, "conflict", admin.add_member(&direct, &fixture.company.admin));
    refused!(404, "conversation_not_found", admin.add_member(NOWHERE, &fixture.person_id));
    refused!(404, "user_not_found", admin.add_member(&group, NOBODY));
}

#[both_engines]
async fn remove_member(server: Server) {
    let fixture = CallersFixture::new(&server).await;
    let admin = fixture.admin;
    let group = fixture.company.group(&[&fixture.person_id]).await;
    succeeds!(200, admin.remove_member(&group, &fixture.person_id));
    let members = succeeds!(200, admin.list_members(&group, None, None));
    assert!(members.members[0].left_at.is_some(), "`left_at` of a removed member is set: {members:?}");
    let direct = fixture.company.direct(&fixture.person_id, &fixture.admin_id).await;
    refused!(409, "conflict", admin.remove_member(&direct, &fixture.person_id));
    refused!(404, "conversation_not_found", admin.remove_member(NOWHERE, &fixture.person_id));
    refused!(404, "user_not_found", admin.remove_member(&group, NOBODY));
}

#[both_engines]
async fn callers(server: Server) {
    let callers = Callers::of_admins(server).await;
    refuses_callers!(callers, list_members(NOWHERE, None, None));
    refuses_callers!(callers, add_member(NOWHERE, NOBODY));
    refuses_callers!(callers, remove_member(NOWHERE, NOBODY));
}
