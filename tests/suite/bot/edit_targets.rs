//! Which messages a bot may edit, and where (B-239, B-240, B-242 … B-246, D-088 … D-091).

use serde_json::json;

use crate::support::*;

#[both_engines]
async fn a_bot_edits_only_its_own_undeleted_messages(server: Server) {
    let scene = Scene::new(&server).await;
    let company = &scene.company;
    let edit = json!({"text": "edited"});
    let other_bot = company.bot(&server).await;
    company.add(&scene.group, &other_bot.user_id).await;
    let theirs = text(&other_bot.send(&scene.post(json!({"text": "theirs"}))).await, "/id");
    let a_persons = company.post(&scene.group, &scene.person, "a person's").await;
    let own = scene.posted(json!({})).await;
    let direct = scene.bot.send(&scene.direct(json!({}))).await;
    let dm = text(&direct, "/conversation_id");
    let answer = company.post(&dm, &scene.person, "an answer").await;
    let other_company = server.company().await;
    let twin = other_company.install(&scene.bot.app, &ALL_SCOPES).await;
    let twin_group = other_company.group(&[&twin.user_id]).await;
    let twins = text(&twin.send(&to_conversation(&twin_group, "the twin's")).await, "/id");
    let notices = company.messages(&scene.group).await;
    let notice = notices.iter().find(|m| m["type"] == "system").expect("joining leaves a notice");
    let notice = text(notice, "/id");
    let deleted = scene.posted(json!({})).await;
    scene.bot.deleting(&deleted).ok(200).await;
    let erased = scene.posted(json!({})).await;
    company.erase(&erased).await;

    let (wrong_kind, wrong_body) = (own.replace("gmsg_", "dmsg_"), &own[..own.len() - 1]);
    let (upper, direct_as_group) = (own.to_uppercase(), text(&direct, "/id").replace("dmsg_", "gmsg_"));
    let missing = [
        // B-239: not sent by the bot
        a_persons.as_str(),
        &answer,
        &theirs,
        &twins,
        // B-239: unknown
        NOTHING,
        "dmsg_0000000000001",
        // B-239: malformed, or of another kind
        "x",
        "gmsg_",
        &own[5..],
        wrong_body,
        &upper,
        &wrong_kind,
        &direct_as_group,
        &scene.group,
        &scene.person,
        &dm,
        "gmsg_%20",
        "%20",
        // B-240: deleted by the bot
        &deleted,
        // B-245, D-098: deleted by an admin
        &erased,
        // a system notice
        &notice,
    ];
    for id in missing {
        let answer = scene.bot.editing(id, &edit).send().await;
        assert_eq!(
            answer.status,
            404,
            "only a bot's own, undeleted message is edited (B-239, B-240): {id}: {}",
            answer.text()
        );
        answer.refused(404, "message_not_found");
    }
    assert_eq!(
        scene.stored(&a_persons).await["text"],
        "a person's",
        "a bot edits its own messages only (B-239)"
    );
    assert_eq!(scene.stored(&theirs).await["text"], "theirs", "a bot edits its own messages only (B-239)");
    assert_eq!(
        other_company.message(&twin_group, &twins).await["text"],
        "the twin's",
        "a bot edits its own messages only (B-239)"
    );
    assert!(scene.stored(&deleted).await["text"].is_null(), "a deleted message is not edited (B-240)");
    // D-088: the body is validated before the message is looked up
    scene.bot.editing(NOTHING, &json!({"text": ""})).refused(400, "invalid_request").await;
}

#[both_engines]
async fn edits_need_the_right_to_post(server: Server) {
    let scene = Scene::new(&server).await;
    let company = &scene.company;
    let bot_id = scene.bot.user_id.as_str();
    let channel = company.channel(&scene.group, &[bot_id]).await;
    let announcement = company.group(&[bot_id]).await;
    let in_group = scene.posted(json!({})).await;
    let in_channel = text(&scene.bot.send(&to_conversation(&channel, "hello")).await, "/id");
    let announced = text(&scene.bot.send(&to_conversation(&announcement, "hello")).await, "/id");
    let edit = json!({"text": "edited"});

    company.archive(&scene.group, true).await;
    for id in [&in_group, &in_channel] {
        // B-243, D-090: the group is archived
        scene.bot.editing(id, &edit).refused(409, "conversation_archived").await;
    }
    company.archive(&scene.group, false).await;
    scene.bot.editing(&in_group, &edit).ok(200).await;

    company.update_conversation(&announcement, json!({"announcement_only": true})).await;
    // D-090: only admins may post
    scene.bot.editing(&announced, &edit).refused(403, "not_allowed_in_conversation").await;

    company.remove(&channel, bot_id).await;
    // B-242, D-089: the bot was removed
    scene.bot.editing(&in_channel, &edit).refused(403, "not_in_conversation").await;
    company.add(&channel, bot_id).await;
    scene.bot.editing(&in_channel, &edit).ok(200).await; // although the message is older than the new membership
    company.remove(&scene.group, bot_id).await;
    for id in [&in_group, &in_channel] {
        // B-242, D-120: leaving the group leaves its channels
        scene.bot.editing(id, &edit).refused(403, "not_in_conversation").await;
    }
    // D-083: the membership is checked before the archived state
    company.archive(&scene.group, true).await;
    scene.bot.editing(&in_group, &edit).refused(403, "not_in_conversation").await;

    for id in [&announcement, &scene.group] {
        company.delete_conversation(id).await;
    }
    for id in [&announced, &in_group, &in_channel] {
        // B-243, D-099: the conversation is deleted
        scene.bot.editing(id, &edit).refused(404, "message_not_found").await;
    }
}

#[both_engines]
async fn a_direct_message_stays_editable(server: Server) {
    let scene = Scene::new(&server).await;
    let company = &scene.company;
    let sent = scene.bot.send(&scene.direct(json!({}))).await;
    let (dm, id) = (text(&sent, "/conversation_id"), text(&sent, "/id"));
    let edit = async |words: &str| {
        scene.bot.editing(&id, &json!({"text": words})).ok(200).await;
        assert_eq!(company.message(&dm, &id).await["text"], words, "a direct message stays editable (B-244)");
    };
    company.block_app(&scene.person, &scene.bot).await;
    edit("after the block").await; // B-244, D-091: the person blocks the app
    company.set_state(&scene.person, "deactivated").await;
    edit("after the deactivation").await; // B-244: the person is deactivated
    company.set_state(&scene.person, "removed").await;
    edit("after the removal").await; // B-244: the person is removed
}

#[both_engines]
async fn an_edit_without_a_change_counts_as_an_edit(server: Server) {
    let scene = Scene::new(&server).await;
    let body = scene.post(json!({"blocks": [{"type": "header", "text": "h"}], "metadata": {"a": 1}}));
    let id = text(&scene.bot.sending("k", &body).ok(201).await, "/message/id");
    let equal = without(body.clone(), "to");
    scene.bot.editing(&id, &equal).ok(200).await;
    scene.bot.key_is_taken("k", &body).await; // B-246, D-094: no replay after an edit
    assert_eq!(scene.visible_messages().await.len(), 1, "the repeated send posts nothing (B-246)");
}

#[both_engines]
async fn a_refused_edit_changes_nothing(server: Server) {
    let scene = Scene::new(&server).await;
    let body = scene.post(json!({}));
    let id = text(&scene.bot.sending("k", &body).ok(201).await, "/message/id");
    scene.bot.editing(&id, &json!({"text": ""})).refused(400, "invalid_request").await;
    scene.company.archive(&scene.group, true).await;
    scene.bot.editing(&id, &json!({"text": "edited"})).refused(409, "conversation_archived").await;
    let stored = scene.stored(&id).await;
    assert!(
        stored["edited_at"].is_null() && stored["text"] == "hello",
        "an archived group takes no edits (B-243): {stored}"
    );
    // B-191: the message was not edited, so the repeated key returns the original response
    scene.bot.sending("k", &body).ok(201).await;
}

#[both_engines]
async fn a_reinstalled_app_edits_what_it_sent_before(server: Server) {
    let scene = Scene::new(&server).await;
    let id = scene.posted(json!({})).await;
    scene.company.uninstall(&scene.bot).await;
    scene.bot.editing(&id, &json!({"text": "a"})).refused(401, "token_revoked").await;
    // D-038: a reinstalled app has the same bot user, who sent the message
    let again = scene.company.install(&scene.bot.app, &ALL_SCOPES).await;
    scene.company.add(&scene.group, &again.user_id).await;
    again.editing(&id, &json!({"text": "edited"})).ok(200).await;
}
