//! Conversations and their members through the admin API (W-15 … W-21).

use serde_json::{Value, json};

use crate::{
    admin::sessions::{sign_in, with_password},
    support::*,
};

async fn read(company: &Company, id: &str) -> Value {
    company.operator.get(&format!("/admin/v1/conversations/{id}")).ok(200).await["conversation"].clone()
}

/// Returns the ids of the current members.
async fn members(company: &Company, id: &str) -> Vec<String> {
    let conversation = read(company, id).await;
    let members = conversation["members"].as_array().unwrap().clone();
    members.iter().filter(|m| m["left_at"].is_null()).map(|m| text(m, "/user_id")).collect()
}

/// Returns the number of directory events in an app's delivery log.
async fn directory_events(company: &Company, app: &App) -> usize {
    let path = format!("/admin/v1/apps/{}/deliveries?limit=1000", app.id);
    let page = company.operator.get(&path).ok(200).await;
    page["deliveries"].as_array().unwrap().iter().filter(|d| d["type"] == "directory.changed").count()
}

#[both_engines]
async fn a_channel_has_the_type_of_its_group_and_its_members_belong_to_the_group(server: Server) {
    let company = server.company().await;
    let (ada, bob) = (company.person().await, company.person().await);
    let body = json!({"kind": "group", "name": "all", "topic": "everything", "member_ids": [ada, bob, ada]});
    let made = company.operator.post(&company.path("/conversations")).json(&body).ok(201).await;
    let group = text(&made, "/conversation/id");
    assert!(group.starts_with("grp_"));
    let mut expected = json!({
        "id": group, "kind": "group", "workspace_id": company.id, "parent_id": null, "name": "all",
        "type": "channel", "topic": "everything", "announcement_only": false, "is_archived": false,
        "is_deleted": false, "member_count": 2,
    });
    expected["created_at"] = made["conversation"]["created_at"].clone();
    assert_eq!(made["conversation"], expected);

    let cleo = company.person().await;
    let channel = company.channel(&group, &[&cleo]).await;
    assert!(channel.starts_with("chn_"));
    assert_eq!(members(&company, &group).await, [ada.clone(), bob.clone(), cleo.clone()]);
    assert_eq!(members(&company, &channel).await, [cleo.clone()]);
    assert_eq!(company.messages(&group).await, Vec::<Value>::new());

    // a channel has the type and the archive state of its group
    company.update_conversation(&group, json!({"type": "private_channel", "is_archived": true})).await;
    let after = read(&company, &channel).await;
    assert_eq!(after["type"], "private_channel");
    assert_eq!(after["is_archived"], true);
    assert_eq!(after["parent_id"], group);
    company.update_conversation(&group, json!({"is_archived": false})).await;

    // a person added to a channel joins its group, and a person removed from a group leaves its channels
    let dan = company.person().await;
    company.add(&channel, &dan).await;
    company.add(&channel, &dan).await;
    assert_eq!(members(&company, &group).await.len(), 4);
    assert_eq!(read(&company, &channel).await["member_count"], 2);
    for id in [&group, &channel] {
        let notices = company.messages(id).await;
        assert_eq!(notices.len(), 1, "only the first request to add a person posts a notice");
        assert_eq!(notices[0]["type"], "system");
        assert_eq!(notices[0]["user_id"], Value::Null);
        assert_eq!(notices[0]["text"], Value::Null);
    }
    company.remove(&group, &dan).await;
    company.remove(&group, &dan).await;
    assert_eq!(members(&company, &channel).await, [cleo.clone()]);
    company.add(&group, &dan).await;
    let in_channel = members(&company, &channel).await;
    assert_eq!(in_channel, [cleo], "a person who joins the group again does not join its channels");
}

#[both_engines]
async fn invalid_conversations_are_refused(server: Server) {
    let company = server.company().await;
    let other = server.company().await;
    let (ada, bob) = (company.person().await, company.person().await);
    let stranger = other.person().await;
    let deactivated = company.person_with(json!({"state": "deactivated"})).await;
    let group = company.group(&[]).await;
    let channel = company.channel(&group, &[]).await;
    let bot = company.bot(&server).await;
    let archived = company.group(&[]).await;
    company.update_conversation(&archived, json!({"is_archived": true})).await;
    let path = company.path("/conversations");
    for (body, status, code) in [
        (json!({"kind": "group"}), 400, "invalid_request"),
        (json!({"kind": "group", "name": "x", "parent_id": group}), 400, "invalid_request"),
        (json!({"kind": "channel", "name": "x"}), 400, "invalid_request"),
        (
            json!({"kind": "channel", "name": "x", "parent_id": group, "type": "channel"}),
            400,
            "invalid_request",
        ),
        (json!({"kind": "channel", "name": "x", "parent_id": channel}), 404, "conversation_not_found"),
        (json!({"kind": "channel", "name": "x", "parent_id": "x"}), 404, "conversation_not_found"),
        (json!({"kind": "channel", "name": "x", "parent_id": archived}), 409, "conflict"),
        (json!({"kind": "group", "name": "x", "member_ids": ["x"]}), 404, "user_not_found"),
        (json!({"kind": "group", "name": "x", "member_ids": [stranger]}), 404, "user_not_found"),
        (json!({"kind": "group", "name": "x", "member_ids": [deactivated]}), 409, "conflict"),
        (json!({"kind": "dm", "member_ids": [ada]}), 400, "invalid_request"),
        (json!({"kind": "dm", "member_ids": [ada, ada]}), 400, "invalid_request"),
        (json!({"kind": "dm", "member_ids": [ada, bot.user_id]}), 400, "invalid_request"),
        (json!({"kind": "dm", "name": "x", "member_ids": [ada, bob]}), 400, "invalid_request"),
        (json!({"kind": "dm", "announcement_only": false, "member_ids": [ada, bob]}), 400, "invalid_request"),
        (json!({"kind": "dm", "member_ids": [ada, deactivated]}), 409, "conflict"),
    ] {
        company.operator.post(&path).json(&body).refused(status, code).await;
    }
    let unknown = format!("/admin/v1/workspaces/{}/conversations", "cmp_0000000000001");
    let body = json!({"kind": "group", "name": "x"});
    company.operator.post(&unknown).json(&body).refused(404, "not_found").await;

    let patch = async |id: &str, members: Value| {
        company.operator.patch(&format!("/admin/v1/conversations/{id}")).json(&members).send().await
    };
    patch(&channel, json!({"type": "channel"})).await.refused(400, "invalid_request");
    patch(&channel, json!({"is_archived": true})).await.refused(400, "invalid_request");
    let dm =
        company.operator.post(&path).json(&json!({"kind": "dm", "member_ids": [ada, bob]})).ok(201).await;
    let dm = text(&dm, "/conversation/id");
    for members in [json!({"name": "x"}), json!({"topic": null}), json!({"is_archived": false})] {
        patch(&dm, members).await.refused(400, "invalid_request");
    }
    for method in [reqwest::Method::PUT, reqwest::Method::DELETE] {
        let call = |id: &str, user: &str| {
            company.operator.call(method.clone(), &format!("/admin/v1/conversations/{id}/members/{user}"))
        };
        call(&dm, &ada).refused(409, "conflict").await;
        call(&group, &stranger).refused(404, "user_not_found").await;
        call(&group, "x").refused(404, "user_not_found").await;
        call("x", &ada).refused(404, "conversation_not_found").await;
    }
    let put =
        |id: &str, user: &str| company.operator.put(&format!("/admin/v1/conversations/{id}/members/{user}"));
    put(&group, &deactivated).refused(409, "conflict").await;
    put(&archived, &ada).refused(409, "conflict").await;
}

#[both_engines]
async fn two_people_have_one_direct_conversation(server: Server) {
    let company = server.company().await;
    let (ada, bob) = (company.person().await, company.person().await);
    let path = company.path("/conversations");
    let make = async |ids: [&str; 2]| {
        let body = json!({"kind": "dm", "member_ids": ids});
        company.operator.post(&path).json(&body).ok(201).await["conversation"].clone()
    };
    let made = make([&ada, &bob]).await;
    assert_eq!(made["type"], Value::Null);
    assert_eq!(made["name"], Value::Null);
    assert_eq!(made["member_count"], 2);
    assert_eq!(make([&bob, &ada]).await, made);
    // if two people already have a direct conversation, the server returns it unchanged, even if one of them was
    // deactivated
    company.set_state(&bob, "deactivated").await;
    assert_eq!(make([&bob, &ada]).await["id"], made["id"]);
    company.set_state(&bob, "active").await;
    company.delete_conversation(made["id"].as_str().unwrap()).await;
    assert_ne!(make([&ada, &bob]).await["id"], made["id"]);
}

#[both_engines]
async fn deleted_conversations_are_shown_and_cannot_be_changed(server: Server) {
    let company = server.company().await;
    let ada = company.person().await;
    let group = company.group(&[&ada]).await;
    let channel = company.channel(&group, &[]).await;
    company.delete_conversation(&group).await;
    for id in [&group, &channel] {
        assert_eq!(read(&company, id).await["is_deleted"], true);
        let path = format!("/admin/v1/conversations/{id}");
        company.operator.delete(&path).refused(404, "conversation_not_found").await;
        company
            .operator
            .patch(&path)
            .json(&json!({"name": "x"}))
            .refused(404, "conversation_not_found")
            .await;
        company.operator.put(&format!("{path}/members/{ada}")).refused(404, "conversation_not_found").await;
        let post = company.operator.post(&format!("{path}/messages")).json(&json!({"type": "system"}));
        post.refused(404, "conversation_not_found").await;
    }
    let list = company.operator.get(&company.path("/conversations?limit=1")).ok(200).await;
    assert_eq!(list["conversations"][0]["id"], group);
    let cursor = text(&list, "/next_cursor");
    let list = company.operator.get(&company.path(&format!("/conversations?cursor={cursor}"))).ok(200).await;
    assert_eq!(list["conversations"][0]["id"], channel);
    assert_eq!(list["next_cursor"], Value::Null);
}

#[both_engines]
async fn bots_are_notified_of_changes_to_their_conversations(server: Server) {
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let group = company.group(&[&bot.user_id]).await;
    assert_eq!(directory_events(&company, &bot.app).await, 1); // the new group
    let channel = company.channel(&group, &[&bot.user_id]).await;
    assert_eq!(directory_events(&company, &bot.app).await, 2);
    company.update_conversation(&group, json!({"topic": "x", "type": "private_channel"})).await;
    let name = read(&company, &group).await["name"].clone();
    company.update_conversation(&group, json!({"name": name})).await;
    // a new topic, a new type and an unchanged name cause no event
    assert_eq!(directory_events(&company, &bot.app).await, 2);
    company.update_conversation(&group, json!({"name": "other"})).await;
    assert_eq!(directory_events(&company, &bot.app).await, 3);
    company.update_conversation(&group, json!({"is_archived": true})).await;
    company.update_conversation(&group, json!({"is_archived": true})).await;
    company.update_conversation(&group, json!({"is_archived": false})).await;
    // only the first of these requests causes an event
    assert_eq!(directory_events(&company, &bot.app).await, 4);
    company.remove(&group, &bot.user_id).await;
    assert_eq!(directory_events(&company, &bot.app).await, 6); // one event for the group, one for its channel
    company.add(&channel, &bot.user_id).await;
    assert_eq!(directory_events(&company, &bot.app).await, 8); // one event for the channel, one for its group
    // the bot's history of the group begins with the notice that the bot joined
    assert_eq!(bot.history(&group).await.len(), 1);
    // no event is about an announcement-only conversation (B-463)
    company.update_conversation(&channel, json!({"announcement_only": true, "name": "quiet"})).await;
    assert_eq!(directory_events(&company, &bot.app).await, 8);
    company.update_conversation(&channel, json!({"announcement_only": false})).await;
    company.delete_conversation(&group).await;
    assert_eq!(directory_events(&company, &bot.app).await, 10);
}

/// A guest must not learn which people and bots exist. So the id of a person or bot whom the guest does not see gets
/// the same error as an unknown id.
#[both_engines]
async fn a_guest_creates_conversations_with_visible_people_only(server: Server) {
    let company = server.company().await;
    let me = with_password(&company, "guest@example.com", false).await;
    company.update_user(&me, json!({"is_external": true})).await;
    let session = sign_in(&company, "guest@example.com").await;
    let (known, unseen) = (company.person().await, company.person().await);
    let bot = company.bot(&server).await;
    let group = company.group(&[&me, &known]).await;
    let path = company.path("/conversations");
    let bodies = |id: &str| {
        [
            json!({"kind": "dm", "member_ids": [id]}),
            json!({"kind": "group", "name": "ours", "member_ids": [known, id]}),
            json!({"kind": "channel", "name": "ours", "parent_id": group, "member_ids": [id]}),
        ]
    };
    let before = company.operator.get(&path).ok(200).await;
    let unknown = "usr_0000000000001";
    for id in [unknown, &unseen, &bot.user_id] {
        for body in bodies(id) {
            let answer = session.post(&path).json(&body).refused(404, "user_not_found").await;
            let same = session.post(&path).json(&bodies(unknown)[0]).refused(404, "user_not_found").await;
            assert_eq!(
                answer.json()["error"],
                same.json()["error"],
                "the id of an invisible person or bot gets the same error as an unknown id: {body}"
            );
        }
    }
    assert_eq!(company.operator.get(&path).ok(200).await["conversations"], before["conversations"]);
    for body in bodies(&known) {
        session.post(&path).json(&body).ok(201).await;
    }
}

#[both_engines]
async fn people_create_conversations(server: Server) {
    let company = server.company().await;
    let person = with_password(&company, "maker@example.com", false).await;
    let session = sign_in(&company, "maker@example.com").await;
    let (ada, bob) = (company.person().await, company.person().await);
    let hidden = company.guest(false).await;
    let path = company.path("/conversations");
    let made = session
        .post(&path)
        .json(&json!({"kind": "group", "name": "mine", "member_ids": [ada]}))
        .ok(201)
        .await;
    let group = text(&made, "/conversation/id");
    assert_eq!(made["conversation"]["member_count"], 2);
    assert!(members(&company, &group).await.contains(&person));
    let made = session.post(&path).json(&json!({"kind": "dm", "member_ids": [bob]})).ok(201).await;
    assert_eq!(members(&company, made["conversation"]["id"].as_str().unwrap()).await.len(), 2);
    session
        .post(&path)
        .json(&json!({"kind": "dm", "member_ids": [hidden]}))
        .refused(404, "user_not_found")
        .await;
    session
        .post(&path)
        .json(&json!({"kind": "dm", "member_ids": [person]}))
        .refused(400, "invalid_request")
        .await;

    // only members of a private group may create channels in the group, and only with members of the group
    let private = company.conversation(json!({"type": "private_channel", "member_ids": [ada]})).await;
    let channel = |group: &str, ids: Value| json!({"kind": "channel", "name": "x", "parent_id": group, "member_ids": ids});
    session.post(&path).json(&channel(&private, json!([]))).refused(403, "forbidden").await;
    company.add(&private, &person).await;
    session.post(&path).json(&channel(&private, json!([ada]))).ok(201).await;
    session.post(&path).json(&channel(&private, json!([bob]))).refused(403, "forbidden").await;
    // in an open group, every employee may create channels with any employees of the company; bots and guests can be
    // added only if they are already members of the group
    let bot = company.bot(&server).await;
    let open = company.group(&[]).await;
    session.post(&path).json(&channel(&open, json!([bob]))).ok(201).await;
    session.post(&path).json(&channel(&open, json!([bot.user_id]))).refused(403, "forbidden").await;

    // people who are not admins cannot list, read or delete conversations
    session.get(&path).refused(403, "forbidden").await;
    session.get(&format!("/admin/v1/conversations/{group}")).refused(403, "forbidden").await;
    session.delete(&format!("/admin/v1/conversations/{group}")).refused(403, "forbidden").await;
    let other = server.company().await;
    session
        .post(&other.path("/conversations"))
        .json(&json!({"kind": "group", "name": "x"}))
        .refused(404, "not_found")
        .await;
}
