//! Messages of people and system messages through the admin API (W-22 … W-26). Only the admin API returns the *full
//! view* of a message, with its edits, its `client_key` (the idempotency key) and the time of its deletion.

use serde_json::{Value, json};

use crate::{
    admin::sessions::{sign_in, with_password},
    support::*,
};

const KINDS: [&str; 10] =
    ["text", "image", "file", "audio", "video", "location", "contact", "call", "poll", "survey"];

fn messages(conversation: &str) -> String {
    format!("/admin/v1/conversations/{conversation}/messages")
}

fn message(id: &str) -> String {
    format!("/admin/v1/messages/{id}")
}

#[both_engines]
async fn every_type_of_message_is_accepted(server: Server) {
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let ada = company.person().await;
    let group = company.group(&[&ada, &bot.user_id]).await;
    for kind in KINDS {
        company.post_with(&group, &ada, json!({"type": kind, "text": "caption"})).await;
    }
    let body = json!({"user_id": null, "type": "system", "text": "Ada is here"});
    let notice = company.operator.post(&messages(&group)).json(&body).ok(201).await["message"].clone();
    assert_eq!(notice["user_id"], Value::Null);
    assert_eq!(notice["text"], "Ada is here");
    let body = json!({"user_id": ada, "type": "image"});
    let bare = company.operator.post(&messages(&group)).json(&body).ok(201).await["message"].clone();
    let id = text(&bare, "/id");
    assert_eq!(
        bare,
        json!({
            "id": id, "conversation_id": group, "user_id": ada, "type": "image", "text": "", "blocks": null,
            "metadata": null, "thread_id": null, "files": [], "client_key": null, "via_label": null,
            "edits": [], "created_at": bare["created_at"], "edited_at": null, "deleted_at": null,
        })
    );
    let history = bot.history(&group).await;
    assert_eq!(history[0]["text"], "", "a message without a caption has an empty text (B-131)");
    assert_eq!(history[1]["text"], Value::Null, "bots see no text of a system message (B-130)");
    assert_eq!(history[1]["type"], "system");
    for (seen, kind) in history[2..].iter().rev().zip(KINDS) {
        assert_eq!(seen["type"], kind);
    }
}

#[both_engines]
async fn only_a_text_message_without_files_needs_a_text(server: Server) {
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let ada = company.person().await;
    let group = company.group(&[&ada, &bot.user_id]).await;
    let post = async |body: Value| company.operator.post(&messages(&group)).json(&body).send().await;
    for kind in KINDS {
        let body = json!({"user_id": ada, "type": kind, "text": ""});
        if kind == "text" {
            post(body).await.refused(400, "invalid_request");
        } else {
            let sent = post(body).await.ok(201);
            assert_eq!(sent["message"]["text"], "", "the text may be empty (W-22, D-127): {kind}");
        }
    }
    let notice = post(json!({"type": "system", "text": ""})).await.ok(201);
    assert_eq!(
        notice["message"]["text"],
        Value::Null,
        "the empty text of a system message is returned as null"
    );
    for kind in ["text", "file"] {
        let file = company.file(&ada, "a.txt", "text/plain", b"a").await;
        let body = json!({"user_id": ada, "type": kind, "file_ids": [file], "client_key": kind});
        let bare = post(body.clone()).await.ok(201);
        assert_eq!(bare["message"]["text"], "", "a message with files needs no text: {kind}");
        let mut same = body;
        same["text"] = json!("");
        assert_eq!(post(same).await.ok(201), bare, "an empty text is the same as a missing text: {kind}");
    }
    for missing in
        [json!({"user_id": ada, "type": "text"}), json!({"user_id": ada, "type": "text", "file_ids": []})]
    {
        post(missing).await.refused(400, "invalid_request");
    }
    assert_eq!(bot.history(&group).await[0]["text"], "");
}

#[both_engines]
async fn posting_requires_membership_and_permission(server: Server) {
    let company = server.company().await;
    let (ada, bob) = (company.person().await, company.person().await);
    let bot = company.bot(&server).await;
    let stranger = server.company().await.person().await;
    let group = company.group(&[&ada, &bob, &company.admin]).await;
    let post = async |to: &str, body: Value| company.operator.post(&messages(to)).json(&body).send().await;
    let hello = |user: &str| json!({"user_id": user, "type": "text", "text": "hello"});
    post(&group, json!({"user_id": ada, "type": "text"})).await.refused(400, "invalid_request");
    post(&group, json!({"user_id": ada, "type": "system"})).await.refused(400, "invalid_request");
    post(&group, json!({"type": "text", "text": "x"})).await.refused(400, "invalid_request");
    post(&group, hello("x")).await.refused(404, "user_not_found");
    post(&group, hello(&stranger)).await.refused(404, "user_not_found");
    post(&group, hello(&bot.user_id)).await.refused(404, "user_not_found");
    post(&group, hello(&company.person().await)).await.refused(404, "conversation_not_found");
    post("x", hello(&ada)).await.refused(404, "conversation_not_found");
    let as_ada = |body: Value| {
        company.operator.post(&messages(&group)).header("x-acting-user", &ada).json(&body).send()
    };
    assert_eq!(as_ada(json!({"type": "text", "text": "x"})).await.ok(201)["message"]["user_id"], ada);
    as_ada(hello(&bob)).await.refused(400, "invalid_request");
    as_ada(json!({"user_id": null, "type": "system"})).await.refused(400, "invalid_request");

    company.remove(&group, &bob).await;
    post(&group, hello(&bob)).await.refused(403, "not_in_conversation");
    company.update_conversation(&group, json!({"announcement_only": true})).await;
    post(&group, hello(&ada)).await.refused(403, "not_allowed_in_conversation");
    post(&group, hello(&company.admin)).await.ok(201);
    post(&group, json!({"type": "system"})).await.ok(201);
    company.update_conversation(&group, json!({"announcement_only": false, "is_archived": true})).await;
    post(&group, hello(&ada)).await.refused(409, "conversation_archived");
    post(&group, json!({"type": "system"})).await.refused(409, "conversation_archived");
    company.update_conversation(&group, json!({"is_archived": false})).await;
    company.set_state(&ada, "deactivated").await;
    post(&group, hello(&ada)).await.refused(409, "user_deactivated");
}

#[both_engines]
async fn threads_files_and_client_keys_are_validated(server: Server) {
    let company = server.company().await;
    let (ada, bob) = (company.person().await, company.person().await);
    let bot = company.bot(&server).await;
    let group = company.group(&[&ada, &bob, &bot.user_id]).await;
    let other = company.group(&[&ada]).await;
    let first = company.post(&group, &ada, "first").await;
    let elsewhere = company.post(&other, &ada, "elsewhere").await;
    let reply = company.post_with(&group, &bob, json!({"thread_id": first})).await;
    assert_eq!(company.messages(&group).await[0]["thread_id"], first);
    let post = async |members: Value| {
        let mut body = json!({"user_id": ada, "type": "text", "text": "hello"});
        for (name, value) in members.as_object().unwrap() {
            body[name] = value.clone();
        }
        company.operator.post(&messages(&group)).json(&body).send().await
    };
    post(json!({"thread_id": elsewhere})).await.refused(400, "invalid_request");
    post(json!({"thread_id": "x"})).await.refused(400, "invalid_request");
    company.operator.delete(&message(&first)).ok(200).await;
    post(json!({"thread_id": first})).await.refused(400, "invalid_request");
    post(json!({"thread_id": null})).await.ok(201);
    assert_eq!(company.messages(&group).await[1]["id"], reply);

    let (one, two) = (
        company.file(&ada, "a", "text/plain", b"a").await,
        company.file(&bob, "b", "text/plain", b"b").await,
    );
    let sent = post(json!({"type": "file", "file_ids": [two, one, two]})).await.ok(201);
    assert_eq!(sent["message"]["files"], json!([{"id": two}, {"id": one}]));
    post(json!({"file_ids": ["x"]})).await.refused(404, "file_not_found");
    company.operator.delete(&format!("/admin/v1/files/{one}")).ok(200).await;
    post(json!({"file_ids": [one]})).await.refused(404, "file_not_found");

    let sent = post(json!({"client_key": "k"})).await.ok(201);
    assert_eq!(sent["message"]["client_key"], "k");
    assert_eq!(post(json!({"client_key": "k"})).await.ok(201), sent);
    post(json!({"client_key": "k", "text": "other"})).await.refused(409, "conflict");
    post(json!({"client_key": "k", "user_id": bob})).await.refused(409, "conflict");
    post(json!({"client_key": "k", "user_id": null, "type": "system"})).await.refused(409, "conflict");
    company
        .operator
        .patch(&message(sent["message"]["id"].as_str().unwrap()))
        .json(&json!({"text": "new"}))
        .ok(200)
        .await;
    assert_eq!(post(json!({"client_key": "k"})).await.ok(201)["message"]["text"], "new");
    company.operator.delete(&message(sent["message"]["id"].as_str().unwrap())).ok(200).await;
    post(json!({"client_key": "k"})).await.refused(409, "conflict");
    // Two messages of a conversation cannot have the same key, even if one is from a person and the other from a bot
    // (D-050). The full view shows the keys of people's and of bots' messages (W-23).
    bot.api
        .post("/v1/messages")
        .key("k")
        .json(&to_conversation(&group, "x"))
        .refused(422, "idempotency_key_reused")
        .await;
    bot.api.post("/v1/messages").key("b").json(&to_conversation(&group, "x")).ok(201).await;
    post(json!({"client_key": "b"})).await.refused(409, "conflict");
    let sent = company.messages(&group).await[0].clone();
    assert_eq!(sent["client_key"], "b");
    bot.api.patch(&format!("/v1/messages/{}", text(&sent, "/id"))).json(&json!({"text": "y"})).ok(200).await;
    assert_eq!(company.messages(&group).await[0]["client_key"], "b");
    bot.api.delete(&format!("/v1/messages/{}", text(&sent, "/id"))).ok(200).await;
    assert_eq!(company.messages(&group).await[0]["client_key"], Value::Null);
    let notice = json!({"user_id": null, "type": "system", "client_key": "s"});
    let first = company.operator.post(&messages(&group)).json(&notice).ok(201).await;
    assert_eq!(company.operator.post(&messages(&group)).json(&notice).ok(201).await, first);
}

#[both_engines]
async fn a_replay_returns_a_message_that_could_no_longer_be_posted(server: Server) {
    let company = server.company().await;
    let ada = with_password(&company, "replays@example.com", false).await;
    let session = sign_in(&company, "replays@example.com").await;
    let group = company.group(&[&ada, &company.admin]).await;
    let file = company.file(&ada, "a", "text/plain", b"a").await;
    let first = company.post(&group, &company.admin, "first").await;
    let body = |extra: Value| {
        let mut body = json!({"type": "text", "text": "hello"});
        body.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        body
    };
    let with_file = body(json!({"client_key": "file", "file_ids": [file]}));
    let with_thread = body(json!({"client_key": "thread", "thread_id": first}));
    let plain = body(json!({"client_key": "plain"}));
    let mut sent = Vec::new();
    for body in [&with_file, &with_thread, &plain] {
        sent.push(session.post(&messages(&group)).json(body).ok(201).await);
    }
    company.operator.delete(&format!("/admin/v1/files/{file}")).ok(200).await;
    company.operator.delete(&message(&first)).ok(200).await;
    let replays = async || {
        for (body, sent) in [&with_file, &with_thread, &plain].into_iter().zip(&sent) {
            assert_eq!(session.post(&messages(&group)).json(body).ok(201).await, *sent);
        }
    };
    replays().await;
    let refused = async |body: Value, status: u16, code: &str| {
        session.post(&messages(&group)).json(&body).refused(status, code).await;
    };
    // a request that is not a replay, because its key is new or its body differs, is validated like a new message
    refused(body(json!({"client_key": "plain", "file_ids": [file]})), 404, "file_not_found").await;
    refused(body(json!({"client_key": "new", "file_ids": [file]})), 404, "file_not_found").await;
    refused(body(json!({"client_key": "new", "thread_id": first})), 400, "invalid_request").await;
    company.archive(&group, true).await;
    replays().await;
    refused(body(json!({"client_key": "new"})), 409, "conversation_archived").await;
    refused(body(json!({"client_key": "plain", "text": "other"})), 409, "conversation_archived").await;
    refused(body(json!({})), 409, "conversation_archived").await;
    company.archive(&group, false).await;
    company.update_conversation(&group, json!({"announcement_only": true})).await;
    replays().await;
    refused(body(json!({"client_key": "new"})), 403, "not_allowed_in_conversation").await;
    company.update_conversation(&group, json!({"announcement_only": false})).await;
    // A former member gets no replay. The operator, who posts for that person, gets the replay even after the person
    // has left the group or was deactivated.
    company.remove(&group, &ada).await;
    refused(plain.clone(), 403, "not_in_conversation").await;
    let by_operator = body(json!({"client_key": "plain", "user_id": ada}));
    let post = || company.operator.post(&messages(&group)).json(&by_operator);
    assert_eq!(post().ok(201).await, sent[2]);
    company.add(&group, &ada).await;
    company.set_state(&ada, "deactivated").await;
    assert_eq!(post().ok(201).await, sent[2]);
    company.delete_conversation(&group).await;
    post().refused(404, "conversation_not_found").await;
}

#[both_engines]
async fn people_edit_and_delete_their_own_messages(server: Server) {
    let company = server.company().await;
    let ada = with_password(&company, "editor@example.com", false).await;
    let session = sign_in(&company, "editor@example.com").await;
    let bob = company.person().await;
    let bot = company.bot(&server).await;
    let group = company.group(&[&ada, &bob, &bot.user_id]).await;
    let own = session.post(&messages(&group)).json(&json!({"type": "text", "text": "one"})).ok(201).await;
    assert_eq!(own["message"]["user_id"], ada);
    for user_id in [json!(bob), Value::Null] {
        let body = json!({"user_id": user_id, "type": "text", "text": "x"});
        session.post(&messages(&group)).json(&body).refused(403, "forbidden").await;
    }
    let own = text(&own, "/message/id");
    session.patch(&message(&own)).json(&json!({"text": "two"})).ok(200).await;
    let edited =
        company.operator.patch(&message(&own)).json(&json!({"text": "three"})).ok(200).await["message"]
            .clone();
    assert_eq!(edited["text"], "three");
    assert_eq!(edited["edits"][0]["text"], "one");
    assert_eq!(edited["edits"][1]["text"], "two");
    assert_eq!(edited["edited_at"], edited["edits"][1]["edited_at"]);

    let of_bob = company.post(&group, &bob, "bob's").await;
    let of_bot = text(&bot.send(&to_conversation(&group, "bot's")).await, "/id");
    let notice = company.operator.post(&messages(&group)).json(&json!({"type": "system"})).ok(201).await;
    let notice = text(&notice, "/message/id");
    let body = json!({"text": "x"});
    session.patch(&message(&of_bob)).json(&body).refused(403, "forbidden").await;
    session.delete(&message(&of_bob)).refused(403, "forbidden").await;
    for id in [&of_bot, &notice] {
        company.operator.patch(&message(id)).json(&body).refused(403, "forbidden").await;
    }
    company
        .operator
        .patch(&message(&of_bob.replace("gmsg_", "dmsg_")))
        .json(&body)
        .refused(404, "message_not_found")
        .await;
    company.update_conversation(&group, json!({"is_archived": true})).await;
    session.patch(&message(&own)).json(&body).refused(409, "conversation_archived").await;
    company.operator.delete(&message(&of_bot)).ok(200).await;
    bot.api.delete(&format!("/v1/messages/{of_bot}")).refused(404, "message_not_found").await;
    company.delete_conversation(&group).await;
    session.patch(&message(&own)).json(&body).refused(404, "message_not_found").await;
    session.delete(&message(&own)).ok(200).await;
    session.delete(&message(&own)).refused(404, "message_not_found").await;

    let list = company.messages(&group).await;
    let deleted = list.iter().find(|m| m["id"] == own).unwrap();
    assert_eq!(deleted["text"], Value::Null);
    assert_eq!(deleted["edits"], json!([]));
    assert!(deleted["deleted_at"].is_string());
    assert_eq!(deleted["user_id"], ada);
    let page = company.operator.get(&format!("{}?limit=1", messages(&group))).ok(200).await;
    assert_eq!(page["messages"][0], list[0]);
    let cursor = text(&page, "/next_cursor");
    let page = company.operator.get(&format!("{}?cursor={cursor}", messages(&group))).ok(200).await;
    assert_eq!(page["messages"].as_array().unwrap()[..], list[1..]);
}

#[both_engines]
async fn the_full_view_has_the_metadata_and_the_edits_of_a_bots_message(server: Server) {
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let group = company.group(&[&bot.user_id]).await;
    let mut body = to_conversation(&group, "hello");
    body["blocks"] = json!([{"type": "section", "text": "a"}]);
    body["metadata"] = json!({"b": 1, "a": {"c": [1.50]}});
    let id = text(&bot.send(&body).await, "/id");
    bot.api.patch(&format!("/v1/messages/{id}")).json(&json!({"text": "bye"})).ok(200).await;
    let full = company.messages(&group).await[0].clone();
    assert_eq!(full["blocks"], Value::Null);
    assert_eq!(full["metadata"], body["metadata"]);
    assert_eq!(full["edits"][0]["blocks"], body["blocks"]);
    assert_eq!(full["edits"][0]["text"], "hello");
}

#[both_engines]
async fn a_click_creates_an_event_for_the_app(server: Server) {
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let ada = company.person().await;
    let group = company.group(&[&ada, &bot.user_id]).await;
    let id = text(&bot.send(&to_conversation(&group, "click me")).await, "/id");
    let of_ada = company.post(&group, &ada, "not me").await;
    let click = async |id: &str, user: &str| {
        let body = json!({"user_id": user, "action_id": "a", "value": "v"});
        company.operator.post(&format!("{}/interactions", message(id))).json(&body).send().await
    };
    click(&id, &ada).await.ok(202);
    click(&of_ada, &ada).await.refused(404, "message_not_found");
    click(&id, "x").await.refused(404, "user_not_found");
    click(&id, &company.guest(false).await).await.refused(404, "user_not_found");
    let page = company.operator.get(&format!("/admin/v1/apps/{}/deliveries", bot.app.id)).ok(200).await;
    let first = page["deliveries"][0].clone();
    assert_eq!(first["type"], "interaction");
    assert_eq!(first["state"], "pending");
    assert_eq!(first["attempt"], 1);
    assert_eq!(first["workspace_id"], company.id);
    assert!(first["next_attempt_at"].is_string());
}
