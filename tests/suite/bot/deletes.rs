//! `DELETE /v1/messages/{id}` (B-247 … B-256, D-097 … D-100).

use serde_json::{Value, json};

use crate::support::*;

/// Asserts that the content of a deleted message is erased (B-251), and that the admin still sees its record (D-100).
#[track_caller]
fn assert_erased(before: &Value, after: &Value) {
    for name in ["text", "blocks", "metadata", "client_key"] {
        assert!(after[name].is_null(), "a delete erases {name} (B-251): {after}");
    }
    assert_eq!(after["edits"], json!([]), "a delete erases the content (B-251): {after}");
    assert_eq!(after["files"], json!([]), "a delete erases the content (B-251): {after}");
    assert!(after["deleted_at"].is_string(), "a deleted message keeps its record (D-100): {after}");
    for name in ["id", "conversation_id", "user_id", "created_at"] {
        assert_eq!(after[name], before[name], "a deleted message keeps its record (D-100)");
    }
}

#[both_engines]
async fn everything_is_erased(server: Server) {
    let scene = Scene::new(&server).await;
    let extras = json!({"blocks": [{"type": "header", "text": "h"}], "metadata": {"a": "b"}});
    for edited in [false, true] {
        for body in [scene.post(extras.clone()), scene.direct(extras.clone())] {
            let sent = scene.bot.send(&body).await;
            let (id, conversation) = (text(&sent, "/id"), text(&sent, "/conversation_id"));
            if edited {
                let edit = with(extras.clone(), json!({"text": "edited"}));
                scene.bot.editing(&id, &edit).ok(200).await;
            }
            let before = scene.company.message(&conversation, &id).await;
            assert_eq!(before["edits"].as_array().unwrap().len(), usize::from(edited));
            let answer = scene.bot.deleting(&id).ok(200).await; // B-247; B-250: also an edited message
            assert_eq!(answer, json!({"ok": true}), "a delete returns `ok: true` (B-247)");
            // B-251: the content is erased
            assert_erased(&before, &scene.company.message(&conversation, &id).await);
            for _ in 0..2 {
                // B-248: a second delete gets 404
                scene.bot.deleting(&id).refused(404, "message_not_found").await;
            }
        }
    }
}

#[both_engines]
async fn one_of_four_simultaneous_deletions_succeeds(server: Server) {
    let scene = Scene::new(&server).await;
    for _ in 0..5 {
        let id = scene.posted(json!({})).await;
        let deletions = (0..4).map(|_| scene.bot.deleting(&id).send());
        let answers = futures_util::future::join_all(deletions).await;
        let mut statuses: Vec<_> = answers.iter().map(|a| a.status).collect();
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 404, 404, 404], "a message is deleted once (B-247, B-248)");
    }
}

#[both_engines]
async fn a_bot_deletes_only_its_own_messages(server: Server) {
    let scene = Scene::new(&server).await;
    let company = &scene.company;
    let other_bot = company.bot(&server).await;
    company.add(&scene.group, &other_bot.user_id).await;
    let theirs = text(&other_bot.send(&scene.post(json!({}))).await, "/id");
    let a_persons = company.post(&scene.group, &scene.person, "a person's").await;
    let own = scene.posted(json!({})).await;
    let direct = scene.bot.send(&scene.direct(json!({}))).await;
    let dm = text(&direct, "/conversation_id");
    let answer = company.post(&dm, &scene.person, "an answer").await;
    let other_company = server.company().await;
    let twin = other_company.install(&scene.bot.app, &ALL_SCOPES).await;
    let twin_group = other_company.group(&[&twin.user_id]).await;
    let twins = text(&twin.send(&to_conversation(&twin_group, "hello")).await, "/id");
    let erased = scene.posted(json!({})).await;
    company.erase(&erased).await;

    let (wrong_kind, upper) = (own.replace("gmsg_", "dmsg_"), own.to_uppercase());
    for id in [
        // B-249: not sent by the bot
        a_persons.as_str(),
        &answer,
        &theirs,
        &twins,
        // B-249: unknown
        NOTHING,
        "dmsg_0000000000001",
        // B-249: malformed, or of another kind
        "x",
        "gmsg_",
        &own[5..],
        &upper,
        &wrong_kind,
        &scene.group,
        // D-098: already deleted by an admin
        &erased,
    ] {
        let answer = scene.bot.deleting(id).send().await;
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
            scene.stored(id).await["deleted_at"].is_null(),
            "a bot deletes its own messages only (B-249)"
        );
    }
    assert!(
        other_company.message(&twin_group, &twins).await["deleted_at"].is_null(),
        "a bot deletes its own messages only (B-249)"
    );
    assert!(
        company.message(&dm, &answer).await["deleted_at"].is_null(),
        "a bot deletes its own messages only (B-249)"
    );
}

#[both_engines]
async fn messages_are_deleted_in_every_conversation(server: Server) {
    let scene = Scene::new(&server).await;
    let company = &scene.company;
    let bot_id = scene.bot.user_id.as_str();
    let mut places = Vec::new();
    for _ in 0..5 {
        places.push(company.group(&[bot_id]).await);
    }
    places.push(company.channel(&places[1], &[bot_id]).await);
    let mut messages = Vec::new();
    for place in &places {
        messages.push(text(&scene.bot.send(&to_conversation(place, "hello")).await, "/id"));
    }
    company.remove(&places[0], bot_id).await; // B-252: the bot was removed
    company.archive(&places[1], true).await; // B-253: archived, with its channel
    company.update_conversation(&places[2], json!({"announcement_only": true})).await; // B-253: admins only
    company.delete_conversation(&places[3]).await; // D-099: the conversation is deleted
    company.remove(&places[4], bot_id).await;
    company.archive(&places[4], true).await; // B-252 and B-253 together
    for (place, id) in places.iter().zip(&messages) {
        scene.bot.deleting(id).ok(200).await;
        let stored = company.message(place, id).await;
        assert!(
            stored["text"].is_null() && stored["deleted_at"].is_string(),
            "a delete erases the content (B-251): {stored}"
        );
        scene.bot.deleting(id).refused(404, "message_not_found").await;
    }
    // direct messages, whatever the person's state, and although the person has blocked the app
    for state in ["deactivated", "removed"] {
        let person = company.person().await;
        let id = text(&scene.bot.send(&to_user(&person, "hello")).await, "/id");
        company.block_app(&person, &scene.bot).await;
        company.set_state(&person, state).await;
        scene.bot.deleting(&id).ok(200).await;
    }
}

#[both_engines]
async fn a_deleted_message_leaves_the_history_immediately(server: Server) {
    let scene = Scene::new(&server).await;
    let first = scene.posted(json!({"text": "first"})).await;
    let question = scene.posted(json!({"text": "question"})).await;
    let reply = scene.posted(json!({"text": "reply", "thread_id": question})).await;
    let answer = scene.company.post_with(
        &scene.group,
        &scene.person,
        json!({"text": "answer", "thread_id": question}),
    );
    let answer = answer.await;
    let seen = |history: &[Value]| -> Vec<(String, Value)> {
        let own = history.iter().filter(|m| m["type"] == "text");
        own.map(|m| (text(m, "/id"), m["thread_id"].clone())).collect()
    };
    let before = seen(&scene.bot.history(&scene.group).await);
    assert_eq!(
        before,
        [
            (answer.clone(), json!(question)),
            (reply.clone(), json!(question)),
            (question.clone(), json!(null)),
            (first.clone(), json!(null)),
        ]
    );
    scene.bot.deleting(&question).ok(200).await;
    let after = seen(&scene.bot.history(&scene.group).await);
    // B-254: the message is not in the history; B-255: its replies have no thread
    let expected = [answer, reply, first].map(|id| (id, json!(null)));
    assert_eq!(after, expected, "history shows neither message nor thread (B-254, B-255)");
}

#[both_engines]
async fn a_body_is_ignored(server: Server) {
    let scene = Scene::new(&server).await;
    for (media_type, body) in [
        (None, "no type"),
        (Some("text/plain"), "x"),
        (Some("application/json"), "{not json"),
        (Some("application/json"), "[]"),
        (Some("application/x-www-form-urlencoded"), "a=b"),
        (Some("multipart/form-data; boundary=x"), "--x--"),
        (Some("application/json; charset=utf-16"), "{}"),
    ] {
        let id = scene.posted(json!({})).await;
        let mut call = scene.bot.deleting(&id).body(body);
        if let Some(media_type) = media_type {
            call = call.header("content-type", media_type);
        }
        call.ok(200).await; // B-256, D-015: the body is ignored
        assert!(scene.stored(&id).await["deleted_at"].is_string(), "the body of a delete is ignored (B-256)");
    }
    // a body that exceeds the limit is refused (D-015)
    let id = scene.posted(json!({})).await;
    let huge = "x".repeat((1 << 20) + 1);
    scene.bot.deleting(&id).body(huge).refused(413, "payload_too_large").await;
    assert!(scene.stored(&id).await["deleted_at"].is_null(), "a refused delete has no effect (D-015)");
}
