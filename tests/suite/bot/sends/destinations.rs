//! The people and conversations that a bot may send to (B-207 … B-225).

use serde_json::{Value, json};

use crate::support::*;

#[both_engines]
async fn only_active_and_onboarding_people_get_direct_messages(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let company = &fixture.company;
    for (state, refusal) in [
        // B-207, B-208: active and onboarding people; B-209, B-210: deactivated and removed people
        ("active", None),
        ("onboarding", None),
        ("deactivated", Some((409, "user_deactivated"))),
        ("removed", Some((409, "user_deactivated"))),
    ] {
        // One person is created in the state. If people in the state get no messages, a second person enters the state
        // after the bot has sent them a message.
        let mut people = vec![company.person_with(json!({"state": state})).await];
        if refusal.is_some() {
            let person = company.person().await;
            fixture.bot.send(&to_user(&person, "before")).await;
            company.set_state(&person, state).await;
            people.push(person);
        }
        for person in &people {
            match refusal {
                None => {
                    let sent = fixture.bot.send(&to_user(person, "hello")).await;
                    assert!(
                        text(&sent, "/id").starts_with("dmsg_"),
                        "the message is a direct message: {state}: {sent}"
                    );
                }
                Some((status, code)) => {
                    fixture.bot.cannot_send(&to_user(person, "hello"), status, code).await;
                }
            }
        }
    }
    // B-207: admins get direct messages
    fixture.bot.send(&to_user(&company.admin, "hello")).await;
    // a reactivated person
    let person = company.person().await;
    company.set_state(&person, "deactivated").await;
    fixture.bot.cannot_send(&to_user(&person, "hello"), 409, "user_deactivated").await;
    company.set_state(&person, "active").await;
    fixture.bot.send(&to_user(&person, "hello")).await;
}

#[both_engines]
async fn guests_get_no_direct_messages(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let company = &fixture.company;
    let visible = company.guest(true).await;
    let invisible = company.guest(false).await;
    // B-211: a guest whom members see
    fixture.bot.cannot_send(&to_user(&visible, "hello"), 403, "cannot_dm_user").await;
    // B-215, D-079: a guest whom members do not see
    fixture.bot.cannot_send(&to_user(&invisible, "hello"), 404, "user_not_found").await;
    // an employee gets a message, and then becomes a guest
    fixture.bot.send(&fixture.direct(json!({}))).await;
    company.update_user(&fixture.person, json!({"is_external": true, "guest_visible": true})).await;
    fixture.bot.cannot_send(&fixture.direct(json!({})), 403, "cannot_dm_user").await; // B-211: a guest
    company.update_user(&fixture.person, json!({"guest_visible": false})).await;
    // B-215: members no longer see the guest
    fixture.bot.cannot_send(&fixture.direct(json!({})), 404, "user_not_found").await;
    // the results are the same if the bot is in a group with the guests
    for guest in [&visible, &invisible] {
        company.add(&fixture.group, guest).await;
    }
    fixture.bot.cannot_send(&to_user(&visible, "hello"), 403, "cannot_dm_user").await;
    fixture.bot.cannot_send(&to_user(&invisible, "hello"), 404, "user_not_found").await;
}

#[both_engines]
async fn people_who_blocked_the_app_get_no_direct_messages(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let company = &fixture.company;
    let other_bot = company.bot(&server).await;
    company.block_app(&fixture.person, &fixture.bot).await;
    // B-212: the person blocks the app
    fixture.bot.cannot_send(&fixture.direct(json!({})), 403, "cannot_dm_user").await;
    assert!(company.direct_conversations().await.is_empty(), "a refused send leaves nothing behind (B-225)");
    // B-212: the block affects only this app, only this person, and only direct messages
    other_bot.send(&fixture.direct(json!({}))).await;
    fixture.bot.send(&to_user(&company.admin, "hello")).await;
    fixture.posted(json!({})).await;
    // D-082: the block survives a re-installation
    company.uninstall(&fixture.bot).await;
    let again = company.install(&fixture.bot.app, &ALL_SCOPES).await;
    again.cannot_send(&fixture.direct(json!({})), 403, "cannot_dm_user").await;
    company.unblock_app(&fixture.person, &fixture.bot).await;
    again.send(&fixture.direct(json!({}))).await; // B-212: the person has unblocked the app
    company.block_app(&fixture.person, &fixture.bot).await;
    // B-212: the person blocks the app again
    again.cannot_send(&fixture.direct(json!({})), 403, "cannot_dm_user").await;
}

#[both_engines]
async fn bots_and_other_companies_people_are_not_found(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let company = &fixture.company;
    let other_bot = company.bot(&server).await;
    let other_company = server.company().await;
    let stranger = other_company.person().await;
    let second_bot = other_company.install(&fixture.bot.app, &ALL_SCOPES).await;
    for id in [
        // B-213: an unknown and an invalid id
        NOBODY,
        "usr_zzzzzzzzzzzzz",
        // B-214, D-080: bots (the sender itself, another bot of the company, and a bot of another company)
        &fixture.bot.user_id,
        &other_bot.user_id,
        &second_bot.user_id,
        // B-214: a person of another company
        &stranger,
        &other_company.admin,
    ] {
        fixture.bot.cannot_send(&to_user(id, "hello"), 404, "user_not_found").await;
    }
    // the states of another company's people are not revealed
    other_company.set_state(&stranger, "deactivated").await;
    fixture.bot.cannot_send(&to_user(&stranger, "hello"), 404, "user_not_found").await; // B-214: 404, not 409
    assert!(company.direct_conversations().await.is_empty(), "a refused send leaves nothing behind (B-225)");
    assert!(
        other_company.direct_conversations().await.is_empty(),
        "a refused send leaves nothing behind (B-225)"
    );
}

#[both_engines]
async fn a_bot_posts_in_conversations_of_which_it_is_a_member(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let company = &fixture.company;
    let channel = company.channel(&fixture.group, &[&fixture.bot.user_id]).await;
    let open = json!({"type": "channel", "member_ids": [fixture.bot.user_id]});
    let open_group = company.conversation(open).await;
    let added_later = company.group(&[]).await;
    company.add(&added_later, &fixture.bot.user_id).await;
    for (id, prefix) in [
        // B-216: groups; B-217: a channel
        (&fixture.group, "grp_"),
        (&channel, "chn_"),
        (&open_group, "grp_"),
        (&added_later, "grp_"),
    ] {
        let sent = fixture.bot.send(&to_conversation(id, "hello")).await;
        assert!(id.starts_with(prefix), "{id}");
        assert_eq!(sent["conversation_id"], id.as_str(), "a bot posts where it is a member (B-216, B-217)");
        assert!(
            text(&sent, "/id").starts_with("gmsg_"),
            "a bot posts where it is a member (B-216, B-217): {sent}"
        );
        assert_eq!(
            fixture.bot.history(id).await[0]["id"],
            sent["id"],
            "a bot's own messages are in the history (B-135)"
        );
    }
}

#[both_engines]
async fn deleted_conversations_and_those_without_the_bot_are_not_found(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let company = &fixture.company;
    let bot_id = fixture.bot.user_id.as_str();
    let never = company.group(&[&fixture.person]).await;
    // a group that every employee may join, without the bot
    let open = company.conversation(json!({"type": "channel", "member_ids": [fixture.person]})).await;
    // a channel without the bot, in a group with the bot
    let channel = company.channel(&fixture.group, &[&fixture.person]).await;
    let deleted = company.group(&[bot_id]).await;
    company.delete_conversation(&deleted).await;
    let deleted_group = company.group(&[bot_id]).await;
    let channel_of_deleted = company.channel(&deleted_group, &[bot_id]).await;
    company.delete_conversation(&deleted_group).await;
    let elsewhere = server.company().await.group(&[]).await;
    let announcement =
        company.conversation(json!({"announcement_only": true, "member_ids": [fixture.person]})).await;
    let archived = company.group(&[&fixture.person]).await;
    company.archive(&archived, true).await;
    for id in [
        // B-218: the bot was never a member
        &never,
        &open,
        &channel,
        // B-219: no such conversation
        NOWHERE,
        "chn_0000000000001",
        // B-219: deleted
        &deleted,
        &deleted_group,
        &channel_of_deleted,
        // B-219: of another company
        &elsewhere,
        // D-083, D-084: the bot is not a member; membership is checked first, before announcement-only and archived
        &announcement,
        &archived,
    ] {
        fixture.bot.cannot_send(&to_conversation(id, "hello"), 404, "conversation_not_found").await;
    }
    // B-219: the bot is removed before the group is deleted
    let left_and_deleted = company.group(&[bot_id]).await;
    company.remove(&left_and_deleted, bot_id).await;
    company.delete_conversation(&left_and_deleted).await;
    fixture
        .bot
        .cannot_send(&to_conversation(&left_and_deleted, "hello"), 404, "conversation_not_found")
        .await;
}

#[both_engines]
async fn a_removed_bot_cannot_post_until_it_rejoins(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let company = &fixture.company;
    let bot_id = fixture.bot.user_id.as_str();
    let channel = company.channel(&fixture.group, &[bot_id]).await;
    company.remove(&channel, bot_id).await;
    // B-220: the bot was removed from the channel
    fixture.bot.cannot_send(&to_conversation(&channel, "hello"), 403, "not_in_conversation").await;
    fixture.posted(json!({})).await; // the bot is still a member of the group
    company.add(&channel, bot_id).await;
    fixture.bot.send(&to_conversation(&channel, "hello")).await; // B-224: the bot is a member again

    company.remove(&fixture.group, bot_id).await;
    // B-220, D-120: a bot that leaves the group leaves the group's channels
    for id in [&fixture.group, &channel] {
        fixture.bot.cannot_send(&to_conversation(id, "hello"), 403, "not_in_conversation").await;
    }
    company.add(&fixture.group, bot_id).await;
    fixture.posted(json!({})).await; // B-224: the bot is a member again
    // D-120: a bot that joins the group again is not a member of the group's channels
    fixture.bot.cannot_send(&to_conversation(&channel, "hello"), 403, "not_in_conversation").await;

    // D-083: whether the bot was removed is checked before announcement-only and archived
    let announcing = json!({"announcement_only": true, "member_ids": [bot_id]});
    let announcement = company.conversation(announcing).await;
    let archived = company.group(&[bot_id]).await;
    for id in [&announcement, &archived] {
        company.remove(id, bot_id).await;
    }
    company.archive(&archived, true).await;
    for id in [&announcement, &archived] {
        fixture.bot.cannot_send(&to_conversation(id, "hello"), 403, "not_in_conversation").await;
    }
}

#[both_engines]
async fn bots_cannot_post_in_announcement_only_conversations(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let company = &fixture.company;
    let bot_id = fixture.bot.user_id.as_str();
    let group = company.conversation(json!({"announcement_only": true, "member_ids": [bot_id]})).await;
    let channel = company.channel(&fixture.group, &[bot_id]).await;
    fixture.bot.send(&to_conversation(&channel, "hello")).await;
    company.update_conversation(&channel, json!({"announcement_only": true})).await;
    for id in [&group, &channel] {
        // B-221: only admins may post
        fixture.bot.cannot_send(&to_conversation(id, "hello"), 403, "not_allowed_in_conversation").await;
    }
    // D-083: announcement-only is checked before archived
    company.archive(&group, true).await;
    fixture.bot.cannot_send(&to_conversation(&group, "hello"), 403, "not_allowed_in_conversation").await;
    company.update_conversation(&channel, json!({"announcement_only": false})).await;
    fixture.bot.send(&to_conversation(&channel, "hello")).await;
}

#[both_engines]
async fn bots_cannot_post_in_archived_groups_and_their_channels(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let company = &fixture.company;
    let channel = company.channel(&fixture.group, &[&fixture.bot.user_id]).await;
    let other = company.group(&[&fixture.bot.user_id]).await;
    company.archive(&fixture.group, true).await;
    for id in [&fixture.group, &channel] {
        // B-222, B-223: nobody can post in an archived group and its channels
        fixture.bot.cannot_send(&to_conversation(id, "hello"), 409, "conversation_archived").await;
    }
    fixture.bot.send(&to_conversation(&other, "hello")).await;
    company.archive(&fixture.group, false).await;
    for id in [&fixture.group, &channel] {
        fixture.bot.send(&to_conversation(id, "hello")).await; // B-222, B-223: no longer archived
    }
}

#[both_engines]
async fn a_refused_send_stores_nothing(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let company = &fixture.company;
    let blocker = company.person().await;
    company.block_app(&blocker, &fixture.bot).await;
    let leaver = company.person().await;
    company.set_state(&leaver, "deactivated").await;
    let guest = company.guest(true).await;
    let archived = company.group(&[&fixture.bot.user_id]).await;
    company.archive(&archived, true).await;
    let refused: Vec<(Value, u16)> = vec![
        (to_user(&blocker, "hello"), 403),
        (to_user(&leaver, "hello"), 409),
        (to_user(&guest, "hello"), 403),
        (to_user(NOBODY, "hello"), 404),
        (to_conversation(&archived, "hello"), 409),
        (with(fixture.direct(json!({})), json!({"thread_id": NOTHING})), 400),
        (with(fixture.direct(json!({})), json!({"text": ""})), 400),
    ];
    for (n, (body, status)) in refused.iter().enumerate() {
        let answer = fixture.bot.sending(&format!("k{n}"), body).send().await;
        assert_eq!(answer.status, *status, "the send is refused: {body}: {}", answer.text());
    }
    assert!(company.direct_conversations().await.is_empty(), "a refused send leaves nothing behind (B-225)");
    assert!(
        company.sent_by(&fixture.bot, &archived).await.is_empty(),
        "a refused send leaves nothing behind (B-225)"
    );
    // B-225: the bot can use the keys of the refused sends for other messages
    for n in 0..refused.len() {
        let body = fixture.post(json!({"text": format!("free {n}")}));
        fixture.bot.sending(&format!("k{n}"), &body).ok(201).await;
    }
    // B-225: the send to the archived group did not store its key `k4`, so a person can use this key in the group
    company.archive(&archived, false).await;
    company.add(&archived, &fixture.person).await;
    company.post_with(&archived, &fixture.person, json!({"client_key": "k4"})).await;
}
