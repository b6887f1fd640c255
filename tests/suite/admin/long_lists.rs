//! Lists with many entries: the members of a conversation (W-17, W-47), the conversations of a bot (B-314), and the
//! connections of a company (W-38).

use serde_json::{Value, json};
use switchboard::{
    domain::ids::{ConversationId, UserId, WorkspaceId},
    store::DatabaseUrl,
};

use crate::{
    admin::sessions::{sign_in, with_password},
    support::*,
};

fn path(conversation: &str) -> String {
    format!("/admin/v1/conversations/{conversation}")
}

fn ids(members: &Value) -> Vec<String> {
    members.as_array().expect("members").iter().map(|member| text(member, "/user_id")).collect()
}

/// Reads the list of members page by page, from `cursor` to the end of the list. Returns the ids of all members that
/// were read.
async fn listed(api: &Api, conversation: &str, cursor: Option<&Value>, limit: u32) -> Vec<String> {
    let (mut all, mut cursor) = (Vec::new(), cursor.map(|cursor| cursor.as_str().unwrap().to_owned()));
    loop {
        let from = cursor.map_or_else(String::new, |cursor| format!("&cursor={cursor}"));
        let page = api.get(&format!("{}/members?limit={limit}{from}", path(conversation))).ok(200).await;
        let found = ids(&page["members"]);
        assert!(found.len() <= limit as usize, "a page has at most `limit` items (B-307, B-308)");
        all.extend(found);
        match page["next_cursor"].as_str() {
            Some(next) => cursor = Some(next.to_owned()),
            None => return all,
        }
    }
}

/// Inserts people with the ids 1 to `number` into a company and a group.
async fn crowd(server: &Server, company: &Company, group: &str, number: u32) {
    let workspace = WorkspaceId::parse(&company.id).unwrap().0;
    let group = ConversationId::parse(group).unwrap().1.0;
    for sql in [
        format!(
            "INSERT INTO users (id, workspace_id, name, state, is_admin, is_external, is_bot, email_visible, guest_visible,
                sessions_valid_after, created_at, has_words)
             WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {number})
             SELECT i, {workspace}, 'Somebody', 0, 0, 0, 0, 1, 1, 0, 0, 1 FROM n"
        ),
        format!(
            "INSERT INTO members (workspace_id, conversation_id, user_id, joined_at, visible_from)
             WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {number})
             SELECT {workspace}, {group}, i, 0, 0 FROM n"
        ),
    ] {
        server.database.execute(&sql).await;
    }
}

#[both_engines]
async fn the_list_of_members_continues_after_the_first_200(server: Server) {
    let company = server.company().await;
    let (ada, bob) = (company.person().await, company.person().await);
    let small = company.group(&[&ada]).await;
    let shown = company.operator.get(&path(&small)).ok(200).await["conversation"].clone();
    assert_eq!(ids(&shown["members"]), [ada.clone()]);
    assert_eq!(shown["members_cursor"], Value::Null, "a response with all members has no cursor (W-17)");

    let group = company.group(&[&ada, &bob]).await;
    company.remove(&group, &bob).await;
    crowd(&server, &company, &group, 250).await;
    let shown = company.operator.get(&path(&group)).ok(200).await["conversation"].clone();
    let first = ids(&shown["members"]);
    assert_eq!(first.len(), 200, "a conversation is returned with its first 200 members (W-17)");
    let all = listed(&company.operator, &group, None, 100).await;
    assert_eq!(all.len(), 252, "past members are listed too");
    assert!(
        all.is_sorted_by(|one, next| one < next) && all.contains(&ada) && all.contains(&bob),
        "each member is listed once, in the order of ids (W-47)"
    );
    let rest = listed(&company.operator, &group, Some(&shown["members_cursor"]), 1000).await;
    assert_eq!(
        [first, rest].concat(),
        all,
        "the cursor of the conversation (W-17) continues the list of members (W-47)"
    );
    let page = company.operator.get(&format!("{}/members?limit=1000", path(&group))).ok(200).await;
    let left = page["members"].as_array().unwrap().iter().find(|member| member["user_id"] == bob).unwrap();
    assert!(left["left_at"].is_string() && left["is_bot"] == false);

    let cursor = shown["members_cursor"].as_str().unwrap();
    let elsewhere = format!("{}/members?cursor={cursor}", path(&small));
    company.operator.get(&elsewhere).refused(400, "invalid_cursor").await;
    company.operator.get(&format!("{}/members?cursor=x", path(&group))).refused(400, "invalid_cursor").await;
}

#[both_engines]
async fn members_and_admins_may_list_members(server: Server) {
    let company = server.company().await;
    with_password(&company, "boss@example.com", true).await;
    let inside = with_password(&company, "inside@example.com", false).await;
    let outside = with_password(&company, "outside@example.com", false).await;
    let former = with_password(&company, "former@example.com", false).await;
    let (hidden, seen) = (company.guest(false).await, company.guest(true).await);
    let bot = company.bot(&server).await;
    let group = company.group(&[&inside, &former, &hidden, &seen, &bot.user_id]).await;
    company.remove(&group, &former).await;

    let everybody = listed(&company.operator, &group, None, 1000).await;
    assert_eq!(everybody.len(), 5, "the operator sees past members and hidden guests");
    let admin = sign_in(&company, "boss@example.com").await;
    assert_eq!(listed(&admin, &group, None, 1000).await, everybody, "an admin sees the same as the operator");
    let person = sign_in(&company, "inside@example.com").await;
    for limit in [1, 1000] {
        let found = listed(&person, &group, None, limit).await;
        let mut expected = [inside.clone(), seen.clone(), bot.user_id.clone()];
        expected.sort();
        assert_eq!(found, expected, "members see neither past members nor hidden guests (D-145)");
    }
    // an empty page, or a cursor after the last visible member, would reveal that a hidden person exists
    let mut cursor = String::new();
    for _ in 0..3 {
        let page = person.get(&format!("{}/members?limit=1{cursor}", path(&group))).ok(200).await;
        assert_eq!(page["members"].as_array().unwrap().len(), 1, "no page is empty");
        cursor = page["next_cursor"].as_str().map(|next| format!("&cursor={next}")).unwrap_or_default();
    }
    assert!(cursor.is_empty(), "the list ends with the last visible member");
    let path_of = |id: &str| format!("{}/members", path(id));
    let person_outside = sign_in(&company, "outside@example.com").await;
    person_outside.get(&path_of(&group)).refused(404, "conversation_not_found").await;
    let person_former = sign_in(&company, "former@example.com").await;
    person_former.get(&path_of(&group)).refused(403, "not_in_conversation").await;
    person.get(&path(&group)).refused(403, "forbidden").await;

    let direct = company.direct(&inside, &outside).await;
    assert_eq!(listed(&person_outside, &direct, None, 1000).await.len(), 2);
    let other = server.company().await;
    with_password(&other, "stranger@example.com", true).await;
    let stranger = sign_in(&other, "stranger@example.com").await;
    stranger.get(&path_of(&group)).refused(404, "conversation_not_found").await;
    for unknown in ["grp_0000000000001", "x", &group.replace("grp_", "chn_")] {
        company.operator.get(&path_of(unknown)).refused(404, "conversation_not_found").await;
    }

    company.delete_conversation(&group).await;
    assert_eq!(listed(&company.operator, &group, None, 1000).await, everybody);
    person.get(&path_of(&group)).refused(404, "conversation_not_found").await;
}

#[both_engines]
async fn deactivated_people_are_not_in_member_counts(server: Server) {
    let company = server.company().await;
    let (ada, bob) = (server.assistant(&company, "Ada Example").await, company.person().await);
    let direct = company.direct(ada.id(), &bob).await;
    let group = company.group(&[ada.id(), &bob]).await;
    let bot = company.bot(&server).await;
    bot.send(&to_user(&bob, "hello")).await;
    for (state, expected) in [(None, 2), (Some("deactivated"), 1), (Some("active"), 2)] {
        if let Some(state) = state {
            company.set_state(&bob, state).await;
        }
        for id in [&direct, &group] {
            let shown = company.operator.get(&path(id)).ok(200).await;
            assert_eq!(shown["conversation"]["member_count"], expected, "{id}, {state:?}");
        }
        let list = company.operator.get(&company.path("/conversations")).ok(200).await;
        let counts = |id: &str| {
            let all = list["conversations"].as_array().unwrap();
            all.iter().find(|v| v["id"] == id).map(|v| v["member_count"].clone())
        };
        assert_eq!(
            counts(&direct),
            Some(json!(expected)),
            "the list (W-16) and the conversation (W-17) have the same member count"
        );
        let of_bot = company.direct_conversations().await;
        let of_bot = of_bot.iter().find(|id| **id != direct).expect("the bot has a direct conversation");
        assert_eq!(counts(of_bot), Some(json!(expected - 1)), "a bot is not counted");
        let theirs = ada.ok("list_conversations", json!({"types": ["dm"]})).await;
        let theirs = theirs["conversations"].as_array().unwrap().iter().find(|v| v["id"] == direct).cloned();
        assert_eq!(theirs.unwrap()["member_count"], expected);
    }
}

#[both_engines]
async fn a_page_examines_a_bounded_number_of_conversations(server: Server) {
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let workspace = WorkspaceId::parse(&company.id).unwrap().0;
    let user = UserId::parse(&bot.user_id).unwrap().0;
    // The bot is in 6,000 archived groups (ids 1 to 6,000), which the list leaves out. A page ends after about 5,000
    // examined groups, so the first page is empty. The bot also has 6,000 direct conversations (ids 10,001 to 16,000).
    // The list never contains direct conversations (B-259). If a page examined them nevertheless, the second page would
    // not be the last one.
    for (first, kind, archived, direct) in [(0, 0, "1", 0), (10_000, 2, "NULL", 1)] {
        for sql in [
            format!(
                "INSERT INTO conversations (id, workspace_id, kind, name, is_private, announcement_only,
                    archived_at, active_members, created_at, floor_id)
                 WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000)
                 SELECT {first} + i, {workspace}, {kind}, 'Old', 1, 0, {archived}, 1, 0, 0 FROM n"
            ),
            format!(
                "INSERT INTO members (workspace_id, conversation_id, user_id, joined_at, visible_from, is_direct)
                 WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000)
                 SELECT {workspace}, {first} + i, {user}, 0, 0, {direct} FROM n"
            ),
        ] {
            server.database.execute(&sql).await;
        }
    }
    let group = company.group(&[&bot.user_id]).await;
    let page = bot.api.get("/v1/conversations?limit=100").ok(200).await;
    assert_eq!(
        page["conversations"],
        json!([]),
        "a page ends after about 5,000 examined conversations (B-314)"
    );
    let cursor = page["next_cursor"].as_str().expect("a page that is not the last has a cursor (B-314)");
    let page = bot.api.get(&format!("/v1/conversations?limit=100&cursor={cursor}")).ok(200).await;
    let found: Vec<_> = page["conversations"].as_array().unwrap().iter().map(|v| text(v, "/id")).collect();
    assert_eq!(
        (found, &page["next_cursor"]),
        (vec![group], &Value::Null),
        "the pages contain each item once (B-315)"
    );
    // with archived conversations included, the first page is full
    let page = bot.api.get("/v1/conversations?limit=100&include_archived=true").ok(200).await;
    assert_eq!(page["conversations"].as_array().unwrap().len(), 100);
    assert!(page["next_cursor"].is_string());
}

#[both_engines]
async fn a_page_examines_a_bounded_number_of_connections(server: Server) {
    let company = server.company().await;
    let workspace = WorkspaceId::parse(&company.id).unwrap().0;
    let bytes = match server.database.url {
        DatabaseUrl::Sqlite(_) => "CAST(i AS BLOB)",
        DatabaseUrl::Postgres(_) => "int8send(i)",
    };
    // Connection 6,000 is revoked, connection 5,999 has expired, and all others are active. The list is in the order of
    // ids, and a page ends after about 5,000 examined connections. So the first page of the revoked connections is
    // empty.
    server.database.execute(&format!(
        "INSERT INTO connections (id, workspace_id, user_id, client_id, client_kind, display_name, block_key,
            redirect_uri, slot, code_hash, resource, scopes, generation, refresh_until, created_at, revoked_at,
            reason, has_tokens)
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000)
         SELECT i, {workspace}, i, 'client', 0, 'Client', 'key', 'https://client.example/', {bytes}, {bytes}, 0, 1, 1,
            CASE WHEN i = 5999 THEN 1 ELSE 4000000000000000 END, 0, CASE WHEN i = 6000 THEN 1 END,
            CASE WHEN i = 6000 THEN 0 END, 0 FROM n"
    )).await;
    let path = company.path("/connections");
    let page = company.operator.get(&format!("{path}?state=revoked&limit=100")).ok(200).await;
    assert_eq!(page["connections"], json!([]), "a page ends after about 5,000 examined connections");
    let cursor = page["next_cursor"].as_str().expect("a page that is not the last has a cursor");
    let page = company.operator.get(&format!("{path}?state=revoked&limit=100&cursor={cursor}")).ok(200).await;
    assert_eq!(
        page["connections"].as_array().unwrap().len(),
        2,
        "revoked and expired connections are listed as revoked (W-38)"
    );
    assert_eq!(page["next_cursor"], Value::Null);
    let (mut active, mut query) = (0, String::new());
    loop {
        let page = company.operator.get(&format!("{path}?state=active&limit=1000{query}")).ok(200).await;
        active += page["connections"].as_array().unwrap().len();
        let Some(cursor) = page["next_cursor"].as_str() else { break };
        query = format!("&cursor={cursor}");
    }
    assert_eq!(active, 5_998, "neither a revoked nor an expired connection is listed as active (W-38)");
}
