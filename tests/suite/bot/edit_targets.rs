//! Which messages a bot may edit, and in which conversations (B-239, B-240, B-242 … B-246, D-088 … D-091).

use serde_json::json;

use crate::support::*;

#[both_engines]
async fn a_bot_edits_only_its_own_undeleted_messages(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let company = &fixture.company;
    let edit = json!({"text": "edited"});
    let other_bot = company.bot(&server).await;
    company.add(&fixture.group, &other_bot.user_id).await;
    let theirs = text(&other_bot.send(&fixture.post(json!({"text": "theirs"}))).await, "/id");
    let a_persons = company.post(&fixture.group, &fixture.person, "a person's").await;
    let own = fixture.posted(json!({})).await;
    let direct = fixture.bot.send(&fixture.direct(json!({}))).await;
    let dm = text(&direct, "/conversation_id");
    let answer = company.post(&dm, &fixture.person, "an answer").await;
    let other_company = server.company().await;
    let second_bot = other_company.install(&fixture.bot.app, &ALL_SCOPES).await;
    let second_group = other_company.group(&[&second_bot.user_id]).await;
    let second_message = text(&second_bot.send(&to_conversation(&second_group, "second")).await, "/id");
    let notices = company.messages(&fixture.group).await;
    let notice = notices.iter().find(|m| m["type"] == "system").expect("a notice about an added member");
    let notice = text(notice, "/id");
    let deleted = fixture.posted(json!({})).await;
    fixture.bot.deleting(&deleted).ok(200).await;
    let erased = fixture.posted(json!({})).await;
    company.erase(&erased).await;

    let (wrong_kind, wrong_body) = (own.replace("gmsg_", "dmsg_"), &own[..own.len() - 1]);
    let (upper, direct_as_group) = (own.to_uppercase(), text(&direct, "/id").replace("dmsg_", "gmsg_"));
    let missing = [
        // B-239: not sent by the bot
        a_persons.as_str(),
        &answer,
        &theirs,
        &second_message,
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
        &fixture.group,
        &fixture.person,
        &dm,
        "gmsg_%20",
        "%20",
        // B-240: deleted by the bot
        &deleted,
        // B-245, D-098: deleted through the admin API
        &erased,
        // a notice: a message of the type `system`, without a sender
        &notice,
    ];
    for id in missing {
        let answer = fixture.bot.editing(id, &edit).send().await;
        assert_eq!(
            answer.status,
            404,
            "only a bot's own, undeleted message is edited (B-239, B-240): {id}: {}",
            answer.text()
        );
        answer.refused(404, "message_not_found");
    }
    assert_eq!(
        fixture.stored(&a_persons).await["text"],
        "a person's",
        "a bot edits its own messages only (B-239)"
    );
    assert_eq!(fixture.stored(&theirs).await["text"], "theirs", "a bot edits its own messages only (B-239)");
    assert_eq!(
        other_company.message(&second_group, &second_message).await["text"],
        "second",
        "a bot edits its own messages only (B-239)"
    );
    assert!(fixture.stored(&deleted).await["text"].is_null(), "a deleted message is not edited (B-240)");
    // D-088: the body is validated before the message is looked up
    fixture.bot.editing(NOTHING, &json!({"text": ""})).refused(400, "invalid_request").await;
}

#[both_engines]
async fn edits_need_the_right_to_post(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let company = &fixture.company;
    let bot_id = fixture.bot.user_id.as_str();
    let channel = company.channel(&fixture.group, &[bot_id]).await;
    let announcement = company.group(&[bot_id]).await;
    let in_group = fixture.posted(json!({})).await;
    let in_channel = text(&fixture.bot.send(&to_conversation(&channel, "hello")).await, "/id");
    let announced = text(&fixture.bot.send(&to_conversation(&announcement, "hello")).await, "/id");
    let edit = json!({"text": "edited"});

    company.archive(&fixture.group, true).await;
    for id in [&in_group, &in_channel] {
        // B-243, D-090: the group is archived
        fixture.bot.editing(id, &edit).refused(409, "conversation_archived").await;
    }
    company.archive(&fixture.group, false).await;
    fixture.bot.editing(&in_group, &edit).ok(200).await;

    company.update_conversation(&announcement, json!({"announcement_only": true})).await;
    // D-090: only admins may post
    fixture.bot.editing(&announced, &edit).refused(403, "not_allowed_in_conversation").await;

    company.remove(&channel, bot_id).await;
    // B-242, D-089: the bot was removed
    fixture.bot.editing(&in_channel, &edit).refused(403, "not_in_conversation").await;
    company.add(&channel, bot_id).await;
    // a bot that was added again may edit messages that it sent before its removal
    fixture.bot.editing(&in_channel, &edit).ok(200).await;
    company.remove(&fixture.group, bot_id).await;
    for id in [&in_group, &in_channel] {
        // B-242, D-120: a bot that leaves a group also leaves the group's channels
        fixture.bot.editing(id, &edit).refused(403, "not_in_conversation").await;
    }
    // D-083: the membership is checked before the archived state
    company.archive(&fixture.group, true).await;
    fixture.bot.editing(&in_group, &edit).refused(403, "not_in_conversation").await;

    for id in [&announcement, &fixture.group] {
        company.delete_conversation(id).await;
    }
    for id in [&announced, &in_group, &in_channel] {
        // B-243, D-099: the conversation is deleted
        fixture.bot.editing(id, &edit).refused(404, "message_not_found").await;
    }
}

#[both_engines]
async fn a_direct_message_stays_editable(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let company = &fixture.company;
    let sent = fixture.bot.send(&fixture.direct(json!({}))).await;
    let (dm, id) = (text(&sent, "/conversation_id"), text(&sent, "/id"));
    let edit = async |words: &str| {
        fixture.bot.editing(&id, &json!({"text": words})).ok(200).await;
        assert_eq!(company.message(&dm, &id).await["text"], words, "a direct message stays editable (B-244)");
    };
    company.block_app(&fixture.person, &fixture.bot).await;
    edit("after the block").await; // B-244, D-091: the person blocks the app
    company.set_state(&fixture.person, "deactivated").await;
    edit("after the deactivation").await; // B-244: the person is deactivated
    company.set_state(&fixture.person, "removed").await;
    edit("after the removal").await; // D-091: the person is removed
}

#[both_engines]
async fn an_edit_without_a_change_counts_as_an_edit(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let body = fixture.post(json!({"blocks": [{"type": "header", "text": "h"}], "metadata": {"a": 1}}));
    let id = text(&fixture.bot.sending("k", &body).ok(201).await, "/message/id");
    let equal = without(body.clone(), "to");
    fixture.bot.editing(&id, &equal).ok(200).await;
    fixture.bot.key_is_taken("k", &body).await; // B-246, D-094: after the edit, a repeated send is rejected
    assert_eq!(fixture.visible_messages().await.len(), 1, "the repeated send posts nothing (B-246)");
}

#[both_engines]
async fn a_refused_edit_changes_nothing(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let body = fixture.post(json!({}));
    let id = text(&fixture.bot.sending("k", &body).ok(201).await, "/message/id");
    fixture.bot.editing(&id, &json!({"text": ""})).refused(400, "invalid_request").await;
    fixture.company.archive(&fixture.group, true).await;
    fixture.bot.editing(&id, &json!({"text": "edited"})).refused(409, "conversation_archived").await;
    let stored = fixture.stored(&id).await;
    assert!(
        stored["edited_at"].is_null() && stored["text"] == "hello",
        "an edit that is refused changes nothing (B-235, B-243): {stored}"
    );
    // B-191: the message was not edited, so the repeated key returns the original response
    fixture.bot.sending("k", &body).ok(201).await;
}

#[both_engines]
async fn a_reinstalled_app_edits_its_earlier_messages(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let id = fixture.posted(json!({})).await;
    fixture.company.uninstall(&fixture.bot).await;
    fixture.bot.editing(&id, &json!({"text": "a"})).refused(401, "token_revoked").await;
    // D-038: a reinstalled app has the same bot user, who sent the message
    let again = fixture.company.install(&fixture.bot.app, &ALL_SCOPES).await;
    fixture.company.add(&fixture.group, &again.user_id).await;
    again.editing(&id, &json!({"text": "edited"})).ok(200).await;
}
