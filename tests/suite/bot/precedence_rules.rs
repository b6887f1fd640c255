//! Which error is returned if several apply to a request. The module `precedence` tests every pair of steps in the
//! order of checks (D-001). This module tests the order of the errors within a step, for example of errors in different
//! members of a body. It also tests the rules about two particular errors: B-064 … B-067, B-069, B-070, B-074 … B-082,
//! B-084.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{
    Api, Bot, BotFixture, Company, Server, both_engines, fresh_key, to_conversation, to_user,
};

#[tokio::test]
async fn a_revoked_token_precedes_a_missing_scope() {
    // B-066: a revoked token that lacks the scope gets 401
    let server = Server::sqlite().await;
    let fixture = BotFixture::with(&server, &[]).await;
    fixture.bot.api.get("/v1/users").refused(403, "missing_scope").await;
    fixture.company.uninstall(&fixture.bot).await;
    fixture.bot.api.get("/v1/users").refused(401, "token_revoked").await;
    fixture.bot.api.post("/v1/messages").refused(401, "token_revoked").await;
}

#[tokio::test]
async fn the_first_failed_check_determines_the_error() {
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    let weak = fixture.company.install(&fixture.bot.app, &[]).await;
    let large = || vec![b' '; 1_048_577];
    for path in ["/v1/messages".to_owned(), format!("/v1/messages/{}", fixture.message().await)] {
        let method = if path == "/v1/messages" { Method::POST } else { Method::PATCH };
        let call = |api: &Api| api.call(method.clone(), &path).key(&fresh_key());
        let json = |api: &Api| call(api).header("content-type", "application/json");
        let text = |api: &Api| call(api).header("content-type", "text/plain");
        // B-065: a missing token precedes errors of the media type, `Accept` and the size
        text(&server.api()).body("x").refused(401, "not_authed").await;
        json(&server.api()).header("accept", "text/html").body(large()).refused(401, "not_authed").await;
        // B-067: a missing scope precedes errors of the body
        for body in ["{", "[]", "{}", "{\"text\":5}"] {
            json(&weak.api).body(body).refused(403, "missing_scope").await;
            json(&fixture.bot.api).body(body).refused(400, "invalid_request").await;
        }
        // B-069: `Accept` precedes the media type
        text(&fixture.bot.api).header("accept", "text/html").body("x").refused(406, "not_acceptable").await;
        text(&fixture.bot.api).body("x").refused(415, "unsupported_media_type").await;
        // B-070: the media type precedes the size
        text(&fixture.bot.api).body(large()).refused(415, "unsupported_media_type").await;
        json(&fixture.bot.api).body(large()).refused(413, "payload_too_large").await;
    }
}

/// Sends a message, with `members` in place of the valid members of these names. Returns the status and the error code
/// of the response.
async fn post(fixture: &BotFixture, members: Value) -> (u16, String) {
    let mut body = to_conversation(&fixture.group, "x");
    for (name, value) in members.as_object().expect("members") {
        body[name] = value.clone();
    }
    let answer = fixture.bot.api.post("/v1/messages").key(&fresh_key()).json(&body).send().await;
    let code = answer.json()["error"]["code"].as_str().unwrap_or_default().to_owned();
    (answer.status, code)
}

#[tokio::test]
async fn errors_of_other_members_precede_errors_of_blocks() {
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    let bad = json!([{"type": "unheard of"}]);
    let refused = |code: &str| (400, code.to_owned());
    assert_eq!(post(&fixture, json!({"blocks": bad})).await, refused("invalid_blocks"));
    // B-074, D-065: an error in any other member precedes an invalid block
    for (name, value) in [
        ("text", json!("")),
        ("text", json!("x".repeat(4001))),
        ("to", json!({"type": "group", "id": "x"})),
        ("to", json!(null)),
        ("metadata", json!([])),
        ("metadata", json!({"a": "x".repeat(4096)})),
        ("thread_id", json!(5)),
        ("unfurl_links", json!("yes")),
    ] {
        let mut members = json!({"blocks": bad});
        members[name] = value;
        assert_eq!(post(&fixture, members).await, refused("invalid_request"), "{name} precedes blocks");
    }
    // B-075: the total size is checked first, then the number of blocks, then each block
    let large = json!({"type": "section", "text": "x".repeat(500)});
    let small = json!({"type": "section", "text": "x"});
    let with_invalid_last =
        |block: &Value, n: usize| json!([vec![block.clone(); n], vec![bad[0].clone()]].concat());
    assert_eq!(post(&fixture, json!({"blocks": vec![large.clone(); 51]})).await, refused("invalid_request"));
    assert_eq!(
        post(&fixture, json!({"blocks": with_invalid_last(&large, 50)})).await,
        refused("invalid_request")
    );
    assert_eq!(
        post(&fixture, json!({"blocks": with_invalid_last(&large, 40)})).await,
        refused("invalid_request")
    );
    assert_eq!(post(&fixture, json!({"blocks": vec![small.clone(); 51]})).await, refused("invalid_blocks"));
    assert_eq!(
        post(&fixture, json!({"blocks": with_invalid_last(&small, 50)})).await,
        refused("invalid_blocks")
    );
    assert_eq!(
        post(&fixture, json!({"blocks": with_invalid_last(&small, 49)})).await,
        refused("invalid_blocks")
    );
    assert_eq!(post(&fixture, json!({"blocks": vec![small; 50]})).await.0, 201);
}

#[both_engines]
async fn a_replay_does_not_check_the_destination(server: Server) {
    // B-076, D-051: a replay returns the original response without a check of the destination
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let names = [
        "removed",
        "archived",
        "announcement",
        "deleted",
        "deactivated",
        "removed person",
        "guest",
        "blocked",
    ];
    let mut sent = Vec::new();
    for name in names {
        let key = fresh_key();
        let (destination, body) = if ["deactivated", "removed person", "guest", "blocked"].contains(&name) {
            let user = company.person().await;
            let body = to_user(&user, name);
            (user, body)
        } else {
            let group = company.group(&[&bot.user_id]).await;
            let body = to_conversation(&group, name);
            (group, body)
        };
        let original = bot.api.post("/v1/messages").key(&key).json(&body).ok(201).await;
        match name {
            "removed" => company.remove(&destination, &bot.user_id).await,
            "archived" => company.update_conversation(&destination, json!({"is_archived": true})).await,
            "announcement" => {
                company.update_conversation(&destination, json!({"announcement_only": true})).await
            }
            "deleted" => company.delete_conversation(&destination).await,
            "deactivated" => company.set_state(&destination, "deactivated").await,
            "removed person" => company.set_state(&destination, "removed").await,
            "guest" => company.update_user(&destination, json!({"is_external": true})).await,
            _ => block(&company, &destination, &bot).await,
        }
        sent.push((name, key, body, original));
    }
    for (name, key, body, original) in sent {
        let again = bot.api.post("/v1/messages").key(&key).json(&body).ok(201).await;
        assert_eq!(again, original, "a replay does not check the destination (B-076): {body}");
        // B-077: another body with the same key gets the error of the key, not the error of the destination
        let mut other = body.clone();
        other["text"] = json!("different");
        bot.api.post("/v1/messages").key(&key).json(&other).refused(422, "idempotency_key_reused").await;
        // with an unused key, the same body gets the error of the destination
        let (status, code) = match name {
            "removed" => (403, "not_in_conversation"),
            "archived" => (409, "conversation_archived"),
            "announcement" => (403, "not_allowed_in_conversation"),
            "deleted" => (404, "conversation_not_found"),
            "deactivated" | "removed person" => (409, "user_deactivated"),
            _ => (403, "cannot_dm_user"),
        };
        bot.api.post("/v1/messages").key(&fresh_key()).json(&body).refused(status, code).await;
    }
}

async fn block(company: &Company, user: &str, bot: &Bot) {
    company.operator.put(&format!("/admin/v1/users/{user}/app_blocks/{}", bot.app.id)).ok(200).await;
}

#[both_engines]
async fn the_first_error_of_a_conversation_is_returned(server: Server) {
    // B-079, D-083, D-084: of several errors of a conversation, the first in this order is returned: the conversation
    // is unknown or the bot never was a member, the bot was removed, the conversation is announcement-only, the
    // conversation is archived
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let other = company.bot(&server).await;
    let expect = async |id: &str, status: u16, code: &str| {
        // B-078: an invalid thread does not change the error
        let mut body = to_conversation(id, "x");
        bot.cannot_send(&body, status, code).await;
        body["thread_id"] = json!("gmsg_0000000000001");
        bot.cannot_send(&body, status, code).await;
    };
    let group = company.group(&[&bot.user_id]).await;
    company.update_conversation(&group, json!({"is_archived": true})).await;
    expect(&group, 409, "conversation_archived").await;
    company.update_conversation(&group, json!({"announcement_only": true})).await;
    expect(&group, 403, "not_allowed_in_conversation").await;
    company.remove(&group, &bot.user_id).await;
    expect(&group, 403, "not_in_conversation").await;
    company.delete_conversation(&group).await;
    expect(&group, 404, "conversation_not_found").await;
    // the bot never was a member
    let group = company.group(&[&other.user_id]).await;
    company.update_conversation(&group, json!({"is_archived": true, "announcement_only": true})).await;
    expect(&group, 404, "conversation_not_found").await;
    // a channel has its group's archived state and its own announcement flag
    let group = company.group(&[]).await;
    let channel = company.channel(&group, &[&bot.user_id]).await;
    company.update_conversation(&group, json!({"is_archived": true})).await;
    expect(&channel, 409, "conversation_archived").await;
    company.update_conversation(&channel, json!({"announcement_only": true})).await;
    expect(&channel, 403, "not_allowed_in_conversation").await;
    company.remove(&channel, &bot.user_id).await;
    expect(&channel, 403, "not_in_conversation").await;
}

#[both_engines]
async fn the_first_error_of_a_person_is_returned(server: Server) {
    // B-080, D-078, D-079: of several errors of a person, the first in this order is returned: the person is unknown or
    // invisible to the bot, is a guest, is deactivated or removed, has blocked the app
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let expect = async |id: &str, status: u16, code: &str| {
        let mut body = to_user(id, "x");
        bot.cannot_send(&body, status, code).await;
        body["thread_id"] = json!("dmsg_0000000000001");
        bot.cannot_send(&body, status, code).await;
    };
    let user = company.person().await;
    block(&company, &user, &bot).await;
    expect(&user, 403, "cannot_dm_user").await;
    company.set_state(&user, "deactivated").await;
    expect(&user, 409, "user_deactivated").await;
    company.update_user(&user, json!({"is_external": true, "guest_visible": true})).await;
    expect(&user, 403, "cannot_dm_user").await;
    company.update_user(&user, json!({"guest_visible": false})).await;
    expect(&user, 404, "user_not_found").await;
    // a removed person who blocked the app
    let user = company.person().await;
    block(&company, &user, &bot).await;
    company.set_state(&user, "removed").await;
    expect(&user, 409, "user_deactivated").await;
    // a person of another company is not found, whatever their state
    let elsewhere = server.company().await;
    let stranger = elsewhere.person().await;
    block(&elsewhere, &stranger, &bot).await;
    elsewhere.set_state(&stranger, "deactivated").await;
    expect(&stranger, 404, "user_not_found").await;
    expect("usr_0000000000001", 404, "user_not_found").await;
}

#[both_engines]
async fn an_invalid_thread_is_reported_for_a_valid_destination(server: Server) {
    // B-064: the thread is checked after the destination; the module `precedence` tests that the thread is checked
    // before the send limits
    let fixture = BotFixture::new(&server).await;
    let mut body = to_conversation(&fixture.group, "x");
    body["thread_id"] = json!("gmsg_0000000000001");
    fixture.bot.cannot_send(&body, 400, "invalid_request").await;
    let mut body = to_user(&fixture.person, "x");
    body["thread_id"] = json!("dmsg_0000000000001");
    fixture.bot.cannot_send(&body, 400, "invalid_request").await;
}

#[both_engines]
async fn an_edit_is_validated_before_the_message_is_read(server: Server) {
    // B-084, D-088: the error of the body precedes every error of the message and of the conversation
    let fixture = BotFixture::new(&server).await;
    let bad = json!({"text": ""});
    let edit = async |id: &str, status: u16, code: &str| {
        let path = format!("/v1/messages/{id}");
        fixture.bot.api.patch(&path).json(&bad).refused(400, "invalid_request").await;
        fixture.bot.api.patch(&path).json(&json!({"text": "x"})).refused(status, code).await;
    };
    edit("gmsg_0000000000001", 404, "message_not_found").await;
    let theirs = fixture.company.post(&fixture.group, &fixture.person, "theirs").await;
    edit(&theirs, 404, "message_not_found").await;
    let deleted = fixture.message().await;
    fixture.bot.api.delete(&format!("/v1/messages/{deleted}")).ok(200).await;
    edit(&deleted, 404, "message_not_found").await;
    let mine = fixture.message().await;
    fixture.company.update_conversation(&fixture.group, json!({"is_archived": true})).await;
    edit(&mine, 409, "conversation_archived").await;
    fixture.company.update_conversation(&fixture.group, json!({"announcement_only": true})).await;
    edit(&mine, 403, "not_allowed_in_conversation").await;
    fixture.company.remove(&fixture.group, &fixture.bot.user_id).await;
    edit(&mine, 403, "not_in_conversation").await;
    // 404 precedes the errors of the conversation's state
    edit(&deleted, 404, "message_not_found").await;
    edit(&theirs, 404, "message_not_found").await;
}

#[both_engines]
async fn a_query_is_validated_before_anything_is_looked_up(server: Server) {
    // B-081, B-082, D-102, D-103: the query is validated before the look-up, and `limit` before `cursor`
    let fixture = BotFixture::new(&server).await;
    let never = fixture.company.group(&[]).await;
    let removed = fixture.company.group(&[&fixture.bot.user_id]).await;
    fixture.company.remove(&removed, &fixture.bot.user_id).await;
    for id in ["grp_0000000000001", "dm_0000000000001", "x", &never, &removed] {
        let path = format!("/v1/conversations/{id}/messages");
        let get = |query: &str| fixture.bot.api.get(&format!("{path}?{query}"));
        get("limit=0").refused(400, "invalid_request").await;
        get("cursor=x").refused(400, "invalid_cursor").await;
        get("limit=x&cursor=x").refused(400, "invalid_request").await;
        get("cursor=x&limit=x").refused(400, "invalid_request").await;
    }
    for path in ["/v1/users", "/v1/conversations"] {
        fixture.bot.api.get(&format!("{path}?cursor=x&limit=0")).refused(400, "invalid_request").await;
    }
    fixture
        .bot
        .api
        .get("/v1/conversations?include_archived=x&cursor=x")
        .refused(400, "invalid_request")
        .await;
}
