//! `DELETE /v1/messages/{id}` (B-247 … B-256, D-097 … D-100).

use serde_json::{Value, json};

use crate::support::*;

/// Asserts that the content of a deleted message is erased (B-251), and that the admin API still returns its id,
/// conversation, sender and times (D-100).
#[track_caller]
fn assert_erased(before: &Value, after: &Value) {
    for name in ["text", "blocks", "metadata", "client_key"] {
        assert!(after[name].is_null(), "a delete erases {name} (B-251): {after}");
    }
    assert_eq!(after["edits"], json!([]), "a delete erases the content (B-251): {after}");
    assert_eq!(after["files"], json!([]), "a delete erases the content (B-251): {after}");
    assert!(
        after["deleted_at"].is_string(),
        "a deleted message has the time of its deletion (D-100): {after}"
    );
    for name in ["id", "conversation_id", "user_id", "created_at"] {
        assert_eq!(after[name], before[name], "a deleted message keeps {name} (D-100)");
    }
}

#[both_engines]
async fn a_delete_erases_the_content_and_keeps_the_ids_and_times(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let extras = json!({"blocks": [{"type": "header", "text": "h"}], "metadata": {"a": "b"}});
    for edited in [false, true] {
        for body in [fixture.post(extras.clone()), fixture.direct(extras.clone())] {
            let sent = fixture.bot.send(&body).await;
            let (id, conversation) = (text(&sent, "/id"), text(&sent, "/conversation_id"));
            if edited {
                let edit = with(extras.clone(), json!({"text": "edited"}));
                fixture.bot.editing(&id, &edit).ok(200).await;
            }
            let before = fixture.company.message(&conversation, &id).await;
            assert_eq!(before["edits"].as_array().unwrap().len(), usize::from(edited));
            let answer = fixture.bot.deleting(&id).ok(200).await; // B-250: an edited message can be deleted too
            assert_eq!(answer, json!({"ok": true}), "a delete returns `ok: true` (B-247)");
            assert_erased(&before, &fixture.company.message(&conversation, &id).await);
            for _ in 0..2 {
                // B-248: each further delete gets 404
                fixture.bot.deleting(&id).refused(404, "message_not_found").await;
            }
        }
    }
}

#[both_engines]
async fn one_of_four_simultaneous_deletions_succeeds(server: Server) {
    let fixture = BotFixture::new(&server).await;
    for _ in 0..5 {
        let id = fixture.posted(json!({})).await;
        let deletions = (0..4).map(|_| fixture.bot.deleting(&id).send());
        let answers = futures_util::future::join_all(deletions).await;
        let mut statuses: Vec<_> = answers.iter().map(|a| a.status).collect();
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 404, 404, 404], "a message is deleted once (B-247, B-248)");
    }
}

#[both_engines]
async fn a_bot_deletes_only_its_own_messages(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let company = &fixture.company;
    let other_bot = company.bot(&server).await;
    company.add(&fixture.group, &other_bot.user_id).await;
    let theirs = text(&other_bot.send(&fixture.post(json!({}))).await, "/id");
    let a_persons = company.post(&fixture.group, &fixture.person, "a person's").await;
    let own = fixture.posted(json!({})).await;
    let direct = fixture.bot.send(&fixture.direct(json!({}))).await;
    let dm = text(&direct, "/conversation_id");
    let answer = company.post(&dm, &fixture.person, "an answer").await;
    let other_company = server.company().await;
    let second_bot = other_company.install(&fixture.bot.app, &ALL_SCOPES).await;
    let second_group = other_company.group(&[&second_bot.user_id]).await;
    let second_message = text(&second_bot.send(&to_conversation(&second_group, "hello")).await, "/id");
    let erased = fixture.posted(json!({})).await;
    company.erase(&erased).await;

    let (other_kind, upper) = (own.replace("gmsg_", "dmsg_"), own.to_uppercase());
    for id in [
        // B-249: not sent by the bot
        a_persons.as_str(),
        &answer,
        &theirs,
        &second_message,
        // B-249: unknown
        NOTHING,
        "dmsg_0000000000001",
        // B-249: malformed, or of another kind
        "x",
        "gmsg_",
        &own[5..],
        &upper,
        &other_kind,
        &fixture.group,
        // D-098: already deleted through the admin API
        &erased,
    ] {
        let answer = fixture.bot.deleting(id).send().await;
        assert_eq!(
            answer.status,
            404,
            "a bot deletes its own messages only (B-249): {id}: {}",
            answer.text()
        );
        answer.refused(404, "message_not_found");
    }
    for id in [&a_persons, &theirs, &own] {
        assert!(
            fixture.stored(id).await["deleted_at"].is_null(),
            "a refused delete deletes nothing (B-249): {id}"
        );
    }
    assert!(
        other_company.message(&second_group, &second_message).await["deleted_at"].is_null(),
        "a bot cannot delete messages of the app's other bots (B-249)"
    );
    assert!(
        company.message(&dm, &answer).await["deleted_at"].is_null(),
        "a bot cannot delete a person's direct message to it (B-249)"
    );
}

#[both_engines]
async fn messages_can_be_deleted_whatever_the_state_of_the_conversation(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let company = &fixture.company;
    let bot_id = fixture.bot.user_id.as_str();
    let mut conversations = Vec::new();
    for _ in 0..5 {
        conversations.push(company.group(&[bot_id]).await);
    }
    conversations.push(company.channel(&conversations[1], &[bot_id]).await);
    let mut messages = Vec::new();
    for conversation in &conversations {
        messages.push(text(&fixture.bot.send(&to_conversation(conversation, "hello")).await, "/id"));
    }
    company.remove(&conversations[0], bot_id).await; // B-252: the bot was removed
    company.archive(&conversations[1], true).await; // B-253: archived, with its channel
    company.update_conversation(&conversations[2], json!({"announcement_only": true})).await; // B-253: only admins post
    company.delete_conversation(&conversations[3]).await; // D-099: the conversation is deleted
    company.remove(&conversations[4], bot_id).await;
    company.archive(&conversations[4], true).await; // B-252 and B-253 together
    for (conversation, id) in conversations.iter().zip(&messages) {
        fixture.bot.deleting(id).ok(200).await;
        let stored = company.message(conversation, id).await;
        assert!(
            stored["text"].is_null() && stored["deleted_at"].is_string(),
            "a delete erases the content (B-251): {stored}"
        );
        fixture.bot.deleting(id).refused(404, "message_not_found").await;
    }
    // a direct message can be deleted, whatever the state of the person, and even if the person has blocked the app
    for state in ["deactivated", "removed"] {
        let person = company.person().await;
        let id = text(&fixture.bot.send(&to_user(&person, "hello")).await, "/id");
        company.block_app(&person, &fixture.bot).await;
        company.set_state(&person, state).await;
        fixture.bot.deleting(&id).ok(200).await;
    }
}

#[both_engines]
async fn a_deleted_message_leaves_the_history_immediately(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let first = fixture.posted(json!({"text": "first"})).await;
    let question = fixture.posted(json!({"text": "question"})).await;
    let reply = fixture.posted(json!({"text": "reply", "thread_id": question})).await;
    let answer = fixture.company.post_with(
        &fixture.group,
        &fixture.person,
        json!({"text": "answer", "thread_id": question}),
    );
    let answer = answer.await;
    let ids_and_threads = |history: &[Value]| -> Vec<(String, Value)> {
        let text_messages = history.iter().filter(|m| m["type"] == "text");
        text_messages.map(|m| (text(m, "/id"), m["thread_id"].clone())).collect()
    };
    let before = ids_and_threads(&fixture.bot.history(&fixture.group).await);
    assert_eq!(
        before,
        [
            (answer.clone(), json!(question)),
            (reply.clone(), json!(question)),
            (question.clone(), json!(null)),
            (first.clone(), json!(null)),
        ]
    );
    fixture.bot.deleting(&question).ok(200).await;
    let after = ids_and_threads(&fixture.bot.history(&fixture.group).await);
    let expected = [answer, reply, first].map(|id| (id, json!(null)));
    assert_eq!(
        after, expected,
        "the message is not in the history, and replies to it have `thread_id: null` (B-254, B-255)"
    );
}

#[both_engines]
async fn a_body_is_ignored(server: Server) {
    let fixture = BotFixture::new(&server).await;
    for (media_type, body) in [
        (None, "no type"),
        (Some("text/plain"), "x"),
        (Some("application/json"), "{not json"),
        (Some("application/json"), "[]"),
        (Some("application/x-www-form-urlencoded"), "a=b"),
        (Some("multipart/form-data; boundary=x"), "--x--"),
        (Some("application/json; charset=utf-16"), "{}"),
    ] {
        let id = fixture.posted(json!({})).await;
        let mut call = fixture.bot.deleting(&id).body(body);
        if let Some(media_type) = media_type {
            call = call.header("content-type", media_type);
        }
        call.ok(200).await;
        assert!(
            fixture.stored(&id).await["deleted_at"].is_string(),
            "the body of a delete is ignored (B-256, D-015)"
        );
    }
    // a body that exceeds the limit is refused (D-015)
    let id = fixture.posted(json!({})).await;
    let huge = "x".repeat((1 << 20) + 1);
    fixture.bot.deleting(&id).body(huge).refused(413, "payload_too_large").await;
    assert!(fixture.stored(&id).await["deleted_at"].is_null(), "a refused delete has no effect (D-015)");
}
