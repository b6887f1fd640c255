//! Groups and channels as a bot sees them: the conversation object and `GET /v1/conversations/{id}` (B-104 … B-115,
//! B-270 … B-277). `conversation_list` tests `GET /v1/conversations`.

use serde_json::{Value, json};

use crate::support::{Bot, Company, Server, both_engines, to_user};

async fn read(bot: &Bot, id: &str) -> Value {
    bot.api.get(&format!("/v1/conversations/{id}")).ok(200).await["conversation"].clone()
}

async fn listed(bot: &Bot, id: &str) -> Value {
    let page = bot.api.get("/v1/conversations?include_archived=true&limit=1000").ok(200).await;
    let list = page["conversations"].as_array().expect("conversations").clone();
    list.into_iter().find(|c| c["id"] == id).unwrap_or_else(|| panic!("{id} is not listed"))
}

/// Returns a conversation. Asserts that the list and the single read return the same object.
async fn seen(bot: &Bot, id: &str) -> Value {
    let conversation = read(bot, id).await;
    assert_eq!(listed(bot, id).await, conversation);
    conversation
}

async fn archive(company: &Company, group: &str, archived: bool) {
    company.update_conversation(group, json!({"is_archived": archived})).await;
}

#[both_engines]
async fn a_conversation_has_the_documented_members(server: Server) {
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let group = company
        .conversation(json!({
            "kind": "group", "name": "Platform", "topic": "Servers and pipes", "type": "private_channel",
            "member_ids": [company.admin, bot.user_id],
        }))
        .await;
    let channel = company
        .conversation(json!({
            "kind": "channel", "parent_id": group, "name": "releases", "member_ids": [bot.user_id],
        }))
        .await;
    // B-104: the prefix of an id shows the kind of conversation
    assert!(group.starts_with("grp_") && channel.starts_with("chn_"));
    // the comment beside a member is the rule for its value
    assert_eq!(
        seen(&bot, &group).await,
        json!({
            "id": group,
            "name": "Platform", // a string (B-105)
            "type": "private_channel", // `channel` if every employee may join (B-106)
            "parent_id": null, // the group of a channel, null for a group (B-109)
            "is_private": true, // true exactly for `private_channel` (B-110)
            "is_archived": false, // a boolean (B-111)
            "is_member": true, // always true (B-112)
            "member_count": 1, // people with an active account, without bots (B-113)
            "topic": "Servers and pipes", // a string or null (B-115)
        })
    );
    assert_eq!(
        seen(&bot, &channel).await,
        json!({
            "id": channel,
            "name": "releases",
            "type": "private_channel", // the type of its group (B-107)
            "parent_id": group, // the group of a channel, null for a group (B-109)
            "is_private": true,
            "is_archived": false,
            "is_member": true,
            "member_count": 0,
            "topic": null, // a string or null (B-115)
        })
    );
    // B-270: the response has only `ok` and the conversation
    let answer = bot.api.get(&format!("/v1/conversations/{group}")).ok(200).await;
    let members: Vec<_> = answer.as_object().expect("an object").keys().map(String::as_str).collect();
    assert_eq!(members, ["conversation", "ok"]);
}

#[both_engines]
async fn a_channel_has_the_type_of_its_group_and_is_archived_with_it(server: Server) {
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let group = company.group(&[&bot.user_id]).await;
    let before = company.channel(&group, &[&bot.user_id]).await;
    for (kind, private) in [("channel", false), ("private_channel", true), ("channel", false)] {
        company.update_conversation(&group, json!({"type": kind})).await;
        let after = company.channel(&group, &[&bot.user_id]).await;
        for id in [&group, &before, &after] {
            let conversation = seen(&bot, id).await;
            assert_eq!(
                conversation["type"], kind,
                "a channel has the type of its group (B-106, B-107): {id}"
            );
            assert_eq!(
                conversation["is_private"], private,
                "only a private_channel is private (B-110): {id}"
            );
        }
    }
    let other = company.group(&[&bot.user_id]).await;
    for archived in [true, false, true] {
        archive(&company, &group, archived).await;
        for id in [&group, &before] {
            assert_eq!(
                seen(&bot, id).await["is_archived"],
                archived,
                "a channel is archived as long as its group is archived (B-108, B-271): {id}"
            );
        }
    }
    // another group is not affected
    assert_eq!(seen(&bot, &other).await["is_archived"], false);
}

#[both_engines]
async fn member_count_is_the_number_of_members_with_an_active_account(server: Server) {
    // B-113, B-114: people with the state `active` count, guests too; bots and people with another state do not
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let other_bot = company.bot(&server).await;
    let active = company.person().await;
    let guest = company.guest(true).await;
    let onboarding = company.person_with(json!({"state": "onboarding"})).await;
    let deactivated = company.person().await;
    let removed = company.person().await;
    let members = [&*bot.user_id, &other_bot.user_id, &active, &guest, &onboarding, &deactivated, &removed];
    let group = company.group(&members).await;
    let channel = company.channel(&group, &members).await;
    company.channel(&group, &[&company.admin]).await; // makes the admin a member of the group (D-121)
    let counts = async || {
        (seen(&bot, &group).await["member_count"].clone(), seen(&bot, &channel).await["member_count"].clone())
    };
    let count = |group: i32, channel: i32| (json!(group), json!(channel));
    assert_eq!(counts().await, count(5, 4));
    company.set_state(&deactivated, "deactivated").await;
    assert_eq!(counts().await, count(4, 3));
    company.set_state(&removed, "removed").await;
    assert_eq!(counts().await, count(3, 2));
    company.set_state(&onboarding, "active").await;
    assert_eq!(counts().await, count(4, 3));
    company.set_state(&deactivated, "active").await;
    assert_eq!(counts().await, count(5, 4));
    company.remove(&channel, &guest).await;
    assert_eq!(counts().await, count(5, 3));
    // D-120: a person who leaves the group leaves the group's channels
    company.remove(&group, &active).await;
    assert_eq!(counts().await, count(4, 2));
    company.add(&group, &active).await;
    assert_eq!(counts().await, count(5, 2));
    // adding a person who is already a member does not count the person twice
    company.add(&group, &active).await;
    assert_eq!(counts().await, count(5, 2));
    company.remove(&group, &other_bot.user_id).await;
    assert_eq!(counts().await, count(5, 2));
}

#[both_engines]
async fn changed_names_and_topics_are_returned(server: Server) {
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let group = company.group(&[&bot.user_id]).await;
    let channel = company.channel(&group, &[&bot.user_id]).await;
    for id in [&group, &channel] {
        assert_eq!(
            seen(&bot, id).await["topic"],
            Value::Null,
            "a group or channel without a topic has `topic: null` (B-115)"
        );
        company.update_conversation(id, json!({"name": "New name", "topic": "New topic"})).await;
        let conversation = seen(&bot, id).await;
        assert_eq!(
            (&conversation["name"], &conversation["topic"]),
            (&json!("New name"), &json!("New topic"))
        );
        company.update_conversation(id, json!({"topic": null})).await;
        assert_eq!(
            seen(&bot, id).await["topic"],
            Value::Null,
            "a group or channel without a topic has `topic: null` (B-115)"
        );
    }
}

#[both_engines]
async fn direct_conversations_and_those_that_the_bot_was_never_in_are_not_found(server: Server) {
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let elsewhere = server.company().await;
    let their_bot = elsewhere.install(&bot.app, &crate::support::ALL_SCOPES).await;
    let group = company.group(&[&company.admin]).await;
    let joined = company.group(&[&bot.user_id]).await;
    let body = joined.strip_prefix("grp_").expect("grp_").to_owned();
    let direct = bot.send(&to_user(&company.admin, "hello")).await;
    for id in [
        // B-272: conversations without the bot
        group.as_str(),
        &company.channel(&group, &[&company.admin]).await,
        // the bot is a member of this channel's group, and not of the channel
        &company.channel(&joined, &[&company.admin]).await,
        // B-273: a conversation of another company; the app is installed there too, and its bot there is a member
        &elsewhere.group(&[&their_bot.user_id]).await,
        // B-277: direct conversations
        direct["conversation_id"].as_str().expect("a dm_"),
        "dm_0000000000001",
        // malformed ids, and ids of no conversation
        "grp_0000000000001",
        "chn_0000000000001",
        "grp_",
        "x",
        "%ff",
        "grp_%00",
        &format!("chn_{body}"),
        &format!("dm_{body}"),
        &joined.to_uppercase(),
        &format!("{joined}0"),
        &company.id,
    ] {
        bot.api.get(&format!("/v1/conversations/{id}")).refused(404, "conversation_not_found").await;
    }
}

#[both_engines]
async fn deleted_conversations_are_not_found(server: Server) {
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let group = company.group(&[&bot.user_id]).await;
    let channel = company.channel(&group, &[&bot.user_id]).await;
    let other = company.channel(&group, &[&bot.user_id]).await;
    company.delete_conversation(&channel).await;
    let read = async |id: &str, status: u16| {
        let answer = bot.api.get(&format!("/v1/conversations/{id}")).send().await;
        assert_eq!(
            answer.status,
            status,
            "a conversation is found exactly until it is deleted (B-274): {id}: {}",
            answer.text()
        );
        if status != 200 {
            answer.refused(404, "conversation_not_found");
        }
    };
    read(&channel, 404).await;
    read(&other, 200).await;
    read(&group, 200).await;
    // deleting a group deletes its channels
    company.delete_conversation(&group).await;
    read(&group, 404).await;
    read(&other, 404).await;
    // a deleted conversation is not found, even if the bot was removed from it before the deletion
    let group = company.group(&[&bot.user_id]).await;
    company.remove(&group, &bot.user_id).await;
    company.delete_conversation(&group).await;
    read(&group, 404).await;
}

#[both_engines]
async fn announcement_only_conversations_are_not_found(server: Server) {
    // B-275, D-117: a bot cannot read an announcement-only conversation, even as a member
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let group = company.group(&[&bot.user_id]).await;
    let channel = company.channel(&group, &[&bot.user_id]).await;
    for id in [&channel, &group] {
        let path = format!("/v1/conversations/{id}");
        bot.api.get(&path).ok(200).await;
        company.update_conversation(id, json!({"announcement_only": true})).await;
        bot.api.get(&path).refused(404, "conversation_not_found").await;
        company.update_conversation(id, json!({"announcement_only": false})).await;
        bot.api.get(&path).ok(200).await;
    }
    company.update_conversation(&channel, json!({"announcement_only": true})).await;
    // the response is the same if the group is archived, or if the bot is not a member any more
    archive(&company, &group, true).await;
    bot.api.get(&format!("/v1/conversations/{channel}")).refused(404, "conversation_not_found").await;
    archive(&company, &group, false).await;
    company.remove(&channel, &bot.user_id).await;
    bot.api.get(&format!("/v1/conversations/{channel}")).refused(404, "conversation_not_found").await;
}

#[both_engines]
async fn conversations_that_the_bot_was_removed_from_are_refused(server: Server) {
    // B-276: the response is 403, and not 404 as for a conversation that the bot was never in
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let group = company.group(&[&bot.user_id]).await;
    let channel = company.channel(&group, &[&bot.user_id]).await;
    let second = company.channel(&group, &[&bot.user_id]).await;
    let refused = async |id: &str| {
        bot.api.get(&format!("/v1/conversations/{id}")).refused(403, "not_in_conversation").await;
    };
    company.remove(&channel, &bot.user_id).await;
    refused(&channel).await;
    read(&bot, &group).await;
    // D-120: a bot that leaves a group leaves the group's channels
    company.remove(&group, &bot.user_id).await;
    refused(&group).await;
    refused(&second).await;
    archive(&company, &group, true).await;
    refused(&group).await;
    archive(&company, &group, false).await;
    // a bot that joins the group again does not become a member of its channels
    company.add(&group, &bot.user_id).await;
    read(&bot, &group).await;
    refused(&channel).await;
    refused(&second).await;
    // D-121: a bot that joins a channel joins the channel's group
    company.remove(&group, &bot.user_id).await;
    company.add(&second, &bot.user_id).await;
    read(&bot, &second).await;
    read(&bot, &group).await;
}

#[both_engines]
async fn archived_conversations_can_be_read(server: Server) {
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let group = company.group(&[&bot.user_id]).await;
    let channel = company.channel(&group, &[&bot.user_id]).await;
    archive(&company, &group, true).await;
    for id in [&group, &channel] {
        assert_eq!(
            read(&bot, id).await["is_archived"],
            true,
            "an archived conversation can be read (B-271): {id}"
        );
    }
}

#[both_engines]
async fn the_bot_of_a_reinstalled_app_is_still_a_member_of_its_conversations(server: Server) {
    // D-038: a reinstalled app has the same bot user
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let group = company.group(&[&bot.user_id]).await;
    company.uninstall(&bot).await;
    let again = company.install(&bot.app, &crate::support::ALL_SCOPES).await;
    assert_eq!(read(&again, &group).await["is_member"], true);
}
