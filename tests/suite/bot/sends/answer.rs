//! The response to a send: the message as the bot sees it (B-116 … B-121, B-225, B-226).

use regex::Regex;
use serde_json::json;

use crate::support::*;

#[both_engines]
async fn a_send_returns_201_with_four_members_of_the_message(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let channel = fixture.company.channel(&fixture.group, &[&fixture.bot.user_id]).await;
    let moment = Regex::new(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$").unwrap();
    for (to, body, message_prefix) in [
        // B-216: a group
        (fixture.group.clone(), fixture.post(json!({})), "gmsg_"),
        // B-217: a channel
        (channel.clone(), to_conversation(&channel, "hello"), "gmsg_"),
        // B-207: a person
        ("dm_".into(), fixture.direct(json!({})), "dmsg_"),
    ] {
        let answer = fixture.bot.sending(&format!("to:{to}"), &body).ok(201).await;
        assert_eq!(members(&answer), ["message", "ok"], "the response has these members only (B-137)");
        let message = &answer["message"];
        assert_eq!(
            members(message),
            ["conversation_id", "created_at", "id", "thread_id"],
            "a sent message has these members only (B-116)"
        );
        assert!(
            text(message, "/id").starts_with(message_prefix),
            "the message id has the prefix of its kind (B-117): {message}"
        );
        assert!(
            text(message, "/conversation_id").starts_with(&to),
            "the conversation id is that of the destination (B-118): {message}"
        );
        assert!(
            message["thread_id"].is_null(),
            "the thread_id of a message that is not a reply is null (B-120, B-180): {message}"
        );
        assert!(
            moment.is_match(&text(message, "/created_at")),
            "times are RFC 3339 with milliseconds (B-121, D-019): {message}"
        );
    }
}

#[both_engines]
async fn a_reply_names_the_message_it_replies_to(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let first = fixture.posted(json!({})).await;
    let reply = fixture.bot.send(&fixture.post(json!({"thread_id": first}))).await;
    assert_eq!(reply["thread_id"], first.as_str(), "a reply names the message it replies to (B-120)");
}

#[both_engines]
async fn created_at_is_the_time_of_the_server_clock(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let before = fixture.bot.send(&fixture.post(json!({}))).await;
    server.advance(std::time::Duration::from_secs(1)).await;
    let after = fixture.bot.send(&fixture.post(json!({}))).await;
    // times have a fixed width and are in UTC (B-121), so they can be compared as text
    assert!(
        text(&before, "/created_at") < text(&after, "/created_at"),
        "a message that is sent later has a later created_at: {before} {after}"
    );
    let history = fixture.bot.history(&fixture.group).await;
    assert_eq!(
        history[0]["created_at"], after["created_at"],
        "a message has the same created_at in every response (B-121)"
    );
    assert_eq!(history[0]["id"], after["id"]);
}

#[both_engines]
async fn a_person_has_one_direct_conversation_with_a_bot(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let other_person = fixture.company.person().await;
    let other_bot = fixture.company.bot(&server).await;
    let first = fixture.bot.send(&fixture.direct(json!({}))).await;
    let second = fixture.bot.send(&fixture.direct(json!({"text": "again"}))).await;
    assert_eq!(
        first["conversation_id"], second["conversation_id"],
        "a bot has one direct conversation with each person (B-119)"
    );
    assert_ne!(first["id"], second["id"]);
    let elsewhere = fixture.bot.send(&to_user(&other_person, "hello")).await;
    assert_ne!(
        first["conversation_id"], elsewhere["conversation_id"],
        "the direct conversations of a bot with two people differ (B-119)"
    );
    let theirs = other_bot.send(&fixture.direct(json!({}))).await;
    assert_ne!(
        first["conversation_id"], theirs["conversation_id"],
        "the direct conversations of a person with two bots differ (B-119)"
    );

    fixture.company.uninstall(&fixture.bot).await;
    let again = fixture.company.install(&fixture.bot.app, &ALL_SCOPES).await;
    let third = again.send(&fixture.direct(json!({"text": "back"}))).await;
    assert_eq!(
        first["conversation_id"], third["conversation_id"],
        "a new installation of the app keeps the direct conversation (B-119, D-081)"
    );
}

#[both_engines]
async fn simultaneous_first_messages_share_the_direct_conversation(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let sends = (0..20).map(|n| {
        let body = fixture.direct(json!({"text": format!("first {n}")}));
        fixture.bot.sending(&format!("first-{n}"), &body).send()
    });
    let answers = futures_util::future::join_all(sends).await;
    let conversations: std::collections::BTreeSet<_> =
        answers.iter().map(|a| text(&a.ok(201), "/message/conversation_id")).collect();
    assert_eq!(
        conversations.len(),
        1,
        "a bot has one direct conversation with each person (B-119): {conversations:?}"
    );
    let dm = conversations.first().unwrap();
    assert_eq!(fixture.company.sent_by(&fixture.bot, dm).await.len(), 20);
    assert_eq!(
        fixture.company.direct_conversations().await,
        std::slice::from_ref(dm),
        "a bot has one direct conversation with each person (B-119)"
    );
}

#[both_engines]
async fn only_documented_statuses_are_returned(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let company = &fixture.company;
    let archived = company.group(&[&fixture.bot.user_id]).await;
    company.archive(&archived, true).await;
    let reader = company.bot_with(&server, &["users:read"]).await;
    let good = fixture.post(json!({}));
    let post = |bot: &Bot| bot.api.post("/v1/messages");
    let huge = with(good.clone(), json!({"more": "x".repeat(1 << 20)}));
    fixture.bot.sending("taken", &good).ok(201).await;
    // B-226 also lists 429, which `limits.rs` in this folder tests, and 500, which no request is known to cause
    for (call, status) in [
        (post(&fixture.bot).key("status").json(&good), 201),
        (post(&fixture.bot).json(&good), 400),
        (server.api().post("/v1/messages").key("k").json(&good), 401),
        (post(&reader).key("k").json(&good), 403),
        (post(&fixture.bot).key("k").json(&to_user(NOBODY, "hello")), 404),
        (post(&fixture.bot).key("k").json(&good).header("accept", "text/html"), 406),
        (post(&fixture.bot).key("k").json(&to_conversation(&archived, "hello")), 409),
        (post(&fixture.bot).key("k").json(&huge), 413),
        (post(&fixture.bot).key("k").header("content-type", "text/plain").body(good.to_string()), 415),
        (post(&fixture.bot).key("taken").json(&fixture.post(json!({"text": "other"}))), 422),
        (fixture.bot.api.put("/v1/messages").json(&good), 405),
        (fixture.bot.api.post("/v1/message").key("k").json(&good), 404),
    ] {
        let answer = call.send().await;
        assert_eq!(
            answer.status,
            status,
            "the request gets the documented status (B-226): {}",
            answer.text()
        );
    }
    // B-226, B-147: every malformed body gets 400
    let twice = r#"{"text":"a","text":"b"}"#;
    for body in ["", "\u{0}", r#"{"to":{}}"#, "[[[[", r#"{"to":1e999}"#, r#""\ud800""#, "nul", twice] {
        fixture.bot.sending_text("odd", body).refused(400, "invalid_request").await;
    }
    assert_eq!(fixture.visible_messages().await.len(), 2, "only the two sends with 201 are stored (B-225)");
}
