//! The history of a conversation, as a bot reads it. B-122 … B-136, B-278 … B-289.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{Bot, BotFixture, Company, Server, both_engines, text, to_conversation, to_user};

/// Returns the messages except notices (messages of the type `system`), newest first.
async fn without_notices(bot: &Bot, conversation: &str) -> Vec<Value> {
    bot.history(conversation).await.into_iter().filter(|m| m["type"] != "system").collect()
}

async fn texts(bot: &Bot, conversation: &str) -> Vec<String> {
    without_notices(bot, conversation).await.iter().map(|m| text(m, "/text")).collect()
}

/// Returns one message of a conversation's history.
async fn find(bot: &Bot, conversation: &str, id: &str) -> Value {
    let history = bot.history(conversation).await;
    history.into_iter().find(|m| m["id"] == id).unwrap_or_else(|| panic!("{id} is not in the history"))
}

async fn delete_as_admin(company: &Company, message: &str) {
    company.operator.delete(&format!("/admin/v1/messages/{message}")).ok(200).await;
}

#[both_engines]
async fn a_message_has_the_documented_members(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let (company, bot, group) = (&fixture.company, &fixture.bot, &fixture.group);
    let id = company
        .post_with(group, &fixture.person, json!({"text": "see", "type": "file", "file_ids": [fixture.file]}))
        .await;
    let message = find(bot, group, &id).await;
    let members: Vec<_> = message.as_object().expect("a message").keys().map(String::as_str).collect();
    // B-122, B-133: exactly these members
    assert_eq!(
        members,
        ["conversation_id", "created_at", "files", "id", "text", "thread_id", "type", "user_id"]
    );
    assert!(id.starts_with("gmsg_"), "ids in the history have their prefixes (B-123)");
    assert_eq!(message["conversation_id"], group.as_str(), "ids in the history have their prefixes (B-123)");
    assert_eq!(message["thread_id"], Value::Null, "a message that is no reply has no thread (B-124)");
    assert_eq!(message["user_id"], fixture.person.as_str(), "history names the sender (B-125)");
    assert_eq!(message["type"], "file", "history shows the type (B-128)");
    assert_eq!(message["text"], "see", "history shows the text (B-131)");
    assert_eq!(message["files"], json!([{"id": fixture.file}]), "history lists the ids of files (B-132)");
    let created = text(&message, "/created_at");
    // D-019: UTC with exactly three decimals
    let form = regex::Regex::new(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$").expect("a pattern");
    assert!(form.is_match(&created), "times are RFC 3339 with milliseconds (B-121): {created}");
    // B-278: a page has exactly these members
    let page = bot.api.get(&format!("/v1/conversations/{group}/messages")).ok(200).await;
    let members: Vec<_> = page.as_object().expect("a page").keys().map(String::as_str).collect();
    assert_eq!(members, ["messages", "next_cursor", "ok"]);
    // B-280, B-123: a message in a channel
    let channel = company.channel(group, &[&fixture.person, &bot.user_id]).await;
    let id = company.post(&channel, &fixture.person, "in the channel").await;
    let message = find(bot, &channel, &id).await;
    assert!(channel.starts_with("chn_") && id.starts_with("gmsg_"));
    assert_eq!(message["conversation_id"], channel.as_str());
    assert_eq!(message["files"], json!([]), "a message without files has an empty list of files (B-132)");
    assert!(
        !texts(bot, group).await.contains(&"in the channel".to_owned()),
        "the history of a group has no messages of its channels"
    );
}

#[both_engines]
async fn messages_of_every_type_are_returned(server: Server) {
    // B-128: history has messages of every type
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let user = company.person().await;
    let group = company.group(&[&user, &bot.user_id]).await;
    let file = company.file(&user, "a.bin", "application/octet-stream", b"x").await;
    for kind in ["text", "image", "file", "audio", "video", "location", "contact", "call", "poll", "survey"] {
        for caption in [Some("a caption"), None] {
            if kind == "text" && caption.is_none() {
                continue;
            }
            let mut body = json!({"user_id": user, "type": kind});
            if let Some(caption) = caption {
                body["text"] = json!(caption);
            }
            if ["image", "file", "audio", "video"].contains(&kind) {
                body["file_ids"] = json!([file]);
            }
            let path = format!("/admin/v1/conversations/{group}/messages");
            let made = company.operator.post(&path).json(&body).ok(201).await;
            let message = find(&bot, &group, &text(&made, "/message/id")).await;
            assert_eq!(message["type"], kind);
            assert_eq!(message["user_id"], user.as_str(), "history names the sender (B-125)");
            assert_eq!(
                message["text"],
                caption.unwrap_or_default(),
                "a message without a caption has an empty text (B-131, D-127): {kind}"
            );
        }
    }
    let path = format!("/admin/v1/conversations/{group}/messages");
    for text in [json!("the group was polished"), json!(null)] {
        let mut body = json!({"user_id": null, "type": "system"});
        if !text.is_null() {
            body["text"] = text;
        }
        company.operator.post(&path).json(&body).ok(201).await;
        let notice = &bot.history(&group).await[0];
        // B-128, B-125, B-130: a notice has neither a sender nor a text
        assert_eq!(
            (&notice["type"], &notice["user_id"], &notice["text"]),
            (&json!("system"), &json!(null), &json!(null))
        );
        assert_eq!(notice["files"], json!([]));
    }
}

#[both_engines]
async fn joining_creates_a_notice(server: Server) {
    // B-129: the notice has the type `system`
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let group = company.group(&[&bot.user_id]).await;
    let before = bot.history(&group).await.len();
    company.add(&group, &company.admin).await;
    let history = bot.history(&group).await;
    assert_eq!(history.len(), before + 1);
    assert_eq!(
        (&history[0]["type"], &history[0]["user_id"], &history[0]["text"]),
        (&json!("system"), &json!(null), &json!(null))
    );
    // adding a member again changes nothing
    company.add(&group, &company.admin).await;
    assert_eq!(bot.history(&group).await.len(), before + 1);
}

#[both_engines]
async fn the_sender_is_named_unless_hidden(server: Server) {
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let other_bot = company.bot(&server).await;
    let person = company.person().await;
    let seen = company.guest(true).await;
    let unseen = company.guest(false).await;
    let group = company.group(&[&person, &seen, &unseen, &bot.user_id, &other_bot.user_id]).await;
    let sender = async |id: &str| find(&bot, &group, id).await["user_id"].clone();
    let theirs = company.post(&group, &person, "x").await;
    assert_eq!(sender(&theirs).await, person.as_str(), "history names the sender (B-125)");
    let of_seen = company.post(&group, &seen, "x").await;
    assert_eq!(sender(&of_seen).await, seen.as_str(), "history names a guest whom members see (B-134)");
    let of_unseen = company.post(&group, &unseen, "from somebody").await;
    let message = find(&bot, &group, &of_unseen).await;
    assert_eq!(message["user_id"], Value::Null, "history hides a guest the bot may not see (B-126)");
    assert_eq!(
        (&message["text"], &message["type"]),
        (&json!("from somebody"), &json!("text")),
        "history shows the messages of a hidden guest (B-126)"
    );
    // whether a guest is named depends on the guest's visibility at the time of the read
    company.update_user(&unseen, json!({"guest_visible": true})).await;
    company.update_user(&seen, json!({"guest_visible": false})).await;
    assert_eq!(sender(&of_unseen).await, unseen.as_str(), "history names a guest whom members see (B-134)");
    assert_eq!(sender(&of_seen).await, Value::Null, "history hides a guest the bot may not see (B-126)");
    // B-127, D-130: the history names bots as senders, although a bot cannot be read as a user
    let mine = bot.send(&to_conversation(&group, "mine")).await;
    assert_eq!(sender(&text(&mine, "/id")).await, bot.user_id.as_str());
    let other = other_bot.send(&to_conversation(&group, "other")).await;
    assert_eq!(sender(&text(&other, "/id")).await, other_bot.user_id.as_str());
    bot.api.get(&format!("/v1/users/{}", other_bot.user_id)).refused(404, "user_not_found").await;
    // D-131: the history names deactivated and removed people
    for state in ["deactivated", "removed"] {
        company.set_state(&person, state).await;
        assert_eq!(
            sender(&theirs).await,
            person.as_str(),
            "a deactivated or removed person is named (D-131): {state}"
        );
    }
}

#[both_engines]
async fn a_reply_names_only_a_readable_message(server: Server) {
    // B-124, B-135, D-128: `thread_id` is null if the bot cannot read the message that was replied to
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let user = company.person().await;
    let group = company.group(&[&user]).await;
    let before = company.post(&group, &user, "before the bot").await;
    company.add(&group, &bot.user_id).await;
    let after = company.post(&group, &user, "after the bot").await;
    let to_old = company.post_with(&group, &user, json!({"text": "to old", "thread_id": before})).await;
    let to_new = company.post_with(&group, &user, json!({"text": "to new", "thread_id": after})).await;
    let thread = async |id: &str| find(&bot, &group, id).await["thread_id"].clone();
    assert_eq!(thread(&to_old).await, Value::Null);
    assert_eq!(thread(&to_new).await, after.as_str());
    // D-074: the bot may reply to a message that it cannot read
    let mut body = to_conversation(&group, "mine to old");
    body["thread_id"] = json!(before);
    let mine = bot.send(&body).await;
    assert_eq!(mine["thread_id"], before.as_str());
    assert_eq!(thread(&text(&mine, "/id")).await, Value::Null);
    body["thread_id"] = json!(to_new);
    let nested = bot.send(&body).await;
    assert_eq!(thread(&text(&nested, "/id")).await, to_new.as_str());
    // the history is one flat list with all replies
    assert_eq!(
        texts(&bot, &group).await,
        ["mine to old", "mine to old", "to new", "to old", "after the bot"]
    );
    // B-255: in a reply to a deleted message, `thread_id` is null
    delete_as_admin(&company, &after).await;
    assert_eq!(thread(&to_new).await, Value::Null);
    assert_eq!(thread(&text(&nested, "/id")).await, to_new.as_str());
    // after the bot has left and rejoined, earlier messages are hidden
    company.remove(&group, &bot.user_id).await;
    company.add(&group, &bot.user_id).await;
    let late = company.post_with(&group, &user, json!({"text": "late", "thread_id": to_new})).await;
    assert_eq!(thread(&late).await, Value::Null);
}

#[both_engines]
async fn own_messages_have_no_blocks_and_no_metadata(server: Server) {
    // B-135, D-129: the history shows a bot's message in the same form as a person's message
    let fixture = BotFixture::new(&server).await;
    let mut body = to_conversation(&fixture.group, "with everything");
    body["blocks"] = json!([{"type": "header", "text": "unseen heading"}]);
    body["metadata"] = json!({"unseen": "metadata"});
    body["unfurl_links"] = json!(true);
    let sent = fixture.bot.send(&body).await;
    let shown = find(&fixture.bot, &fixture.group, &text(&sent, "/id")).await;
    assert_eq!(
        shown,
        json!({
            "id": sent["id"], "conversation_id": fixture.group, "thread_id": null,
            "user_id": fixture.bot.user_id, // B-127: the bot
            "type": "text", "text": "with everything", "files": [], "created_at": sent["created_at"],
        })
    );
    // B-133, B-179: blocks and metadata are not in the history
    let raw =
        fixture.bot.api.get(&format!("/v1/conversations/{}/messages", fixture.group)).send().await.text();
    assert!(!raw.contains("unseen"), "the history has no blocks or metadata (B-133): {raw}");
    // the history of the group has no direct messages
    fixture.bot.send(&to_user(&fixture.person, "between us")).await;
    assert!(!texts(&fixture.bot, &fixture.group).await.contains(&"between us".to_owned()));
}

#[both_engines]
async fn an_edit_changes_only_the_text(server: Server) {
    // B-136, D-095: id, time and position stay the same
    let fixture = BotFixture::new(&server).await;
    let sent = fixture.bot.send(&to_conversation(&fixture.group, "first")).await;
    let id = text(&sent, "/id");
    let before = find(&fixture.bot, &fixture.group, &id).await;
    fixture.company.post(&fixture.group, &fixture.person, "newer").await;
    server.advance(Duration::from_secs(3600)).await;
    for words in ["second", "third"] {
        fixture.bot.api.patch(&format!("/v1/messages/{id}")).json(&json!({"text": words})).ok(200).await;
        let mut expected = before.clone();
        expected["text"] = json!(words);
        // B-133: no trace of the edit
        assert_eq!(find(&fixture.bot, &fixture.group, &id).await, expected);
    }
    assert_eq!(texts(&fixture.bot, &fixture.group).await[..2], ["newer", "third"]);
    let theirs = fixture.company.post(&fixture.group, &fixture.person, "theirs").await;
    let edit = json!({"text": "theirs, edited"});
    fixture.company.operator.patch(&format!("/admin/v1/messages/{theirs}")).json(&edit).ok(200).await;
    assert_eq!(find(&fixture.bot, &fixture.group, &theirs).await["text"], "theirs, edited");
}

#[both_engines]
async fn the_newest_message_is_first(server: Server) {
    // B-279: the newest message is first; `pagination.rs` tests the order across pages
    let fixture = BotFixture::new(&server).await;
    let mut expected = Vec::new();
    for n in 0..6 {
        let words = format!("message {n}");
        if n % 2 == 0 {
            fixture.company.post(&fixture.group, &fixture.person, &words).await;
        } else {
            fixture.bot.send(&to_conversation(&fixture.group, &words)).await;
        }
        // the clock stands still at first, so several messages have the same time
        if n > 3 {
            server.advance(Duration::from_secs(1)).await;
        }
        expected.insert(0, words);
    }
    assert_eq!(texts(&fixture.bot, &fixture.group).await[..6], expected);
}

#[both_engines]
async fn messages_from_before_joining_are_not_returned(server: Server) {
    // B-281: the history begins when the bot joins
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let user = company.person().await;
    let group = company.group(&[&user]).await;
    let channel = company.channel(&group, &[&user]).await;
    company.post(&group, &user, "group before").await;
    company.post(&channel, &user, "channel before").await;
    company.add(&group, &bot.user_id).await;
    company.post(&group, &user, "group after").await;
    company.post(&channel, &user, "channel still before").await;
    // the group and the channel have separate join times
    company.add(&channel, &bot.user_id).await;
    company.post(&channel, &user, "channel after").await;
    assert_eq!(texts(&bot, &group).await, ["group after"]);
    assert_eq!(texts(&bot, &channel).await, ["channel after"]);
    // a bot that joins a channel also joins the channel's group, and sees the later messages of the group
    let other = company.bot(&server).await;
    company.add(&channel, &other.user_id).await;
    company.post(&group, &user, "group later").await;
    assert_eq!(texts(&other, &group).await, ["group later"]);
    assert_eq!(texts(&bot, &group).await, ["group later", "group after"]);
}

#[both_engines]
async fn only_messages_since_the_latest_joining_are_returned(server: Server) {
    // B-283, D-119: the history begins when the bot was last added
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let user = company.person().await;
    let group = company.group(&[&user, &bot.user_id]).await;
    company.post(&group, &user, "the first time").await;
    company.remove(&group, &bot.user_id).await;
    company.post(&group, &user, "while away").await;
    server.advance(Duration::from_secs(60)).await;
    company.add(&group, &bot.user_id).await;
    company.post(&group, &user, "the second time").await;
    assert_eq!(texts(&bot, &group).await, ["the second time"]);
    // adding a current member again is no new join
    company.add(&group, &bot.user_id).await;
    assert_eq!(texts(&bot, &group).await, ["the second time"]);
    // installing the app again is no new join either (D-038)
    company.uninstall(&bot).await;
    let again = company.install(&bot.app, &crate::support::ALL_SCOPES).await;
    assert_eq!(texts(&again, &group).await, ["the second time"]);
}

#[both_engines]
async fn deleted_messages_are_not_returned(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let theirs = fixture.company.post(&fixture.group, &fixture.person, "theirs").await;
    let mine = fixture.bot.send(&to_conversation(&fixture.group, "mine")).await;
    fixture.company.post(&fixture.group, &fixture.person, "stays").await;
    delete_as_admin(&fixture.company, &theirs).await;
    fixture.bot.api.delete(&format!("/v1/messages/{}", text(&mine, "/id"))).ok(200).await;
    let shown = texts(&fixture.bot, &fixture.group).await;
    assert_eq!(shown[0], "stays");
    assert!(
        !shown.iter().any(|t| t == "theirs" || t == "mine"),
        "deleted messages are not returned (B-282, B-254): {shown:?}"
    );
    fixture.company.add(&fixture.group, &fixture.company.admin).await;
    let before = fixture.bot.history(&fixture.group).await;
    let notice = before.iter().find(|m| m["type"] == "system").expect("joining creates a notice (B-129)");
    delete_as_admin(&fixture.company, &text(notice, "/id")).await;
    let after = fixture.bot.history(&fixture.group).await;
    assert_eq!(after.len(), before.len() - 1);
    assert!(!after.contains(notice), "a deleted notice is not returned (B-282): {after:?}");
}

#[both_engines]
async fn conversations_whose_history_cannot_be_read_are_refused(server: Server) {
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let elsewhere = server.company().await;
    let second_bot = elsewhere.install(&bot.app, &crate::support::ALL_SCOPES).await;
    let direct = bot.send(&to_user(&company.admin, "hello")).await;
    let joined = company.group(&[&bot.user_id]).await;
    let channel = company.channel(&joined, &[&bot.user_id]).await;
    let deleted = company.group(&[&bot.user_id]).await;
    company.delete_conversation(&deleted).await;
    let announcements = company.group(&[&bot.user_id]).await;
    company.update_conversation(&announcements, json!({"announcement_only": true})).await;
    for id in [
        // B-284: a direct conversation
        direct["conversation_id"].as_str().expect("a dm_"),
        // B-285: conversations that the bot was never in, that do not exist, that were deleted, or that belong to
        // another company
        &company.group(&[&company.admin]).await,
        &company.channel(&joined, &[&company.admin]).await,
        "grp_0000000000001",
        "x",
        "%ff",
        &elsewhere.group(&[&second_bot.user_id]).await,
        &deleted,
        &company.id,
        // B-287, D-116: an announcement-only conversation
        &announcements,
    ] {
        let path = format!("/v1/conversations/{id}/messages");
        bot.api.get(&path).refused(404, "conversation_not_found").await;
    }
    // B-286: the bot was removed from the conversation
    let path = format!("/v1/conversations/{channel}/messages");
    bot.api.get(&path).ok(200).await;
    company.remove(&channel, &bot.user_id).await;
    bot.api.get(&path).refused(403, "not_in_conversation").await;
    company.remove(&joined, &bot.user_id).await;
    bot.api.get(&format!("/v1/conversations/{joined}/messages")).refused(403, "not_in_conversation").await;
}

#[both_engines]
async fn archived_conversations_can_be_read(server: Server) {
    // B-288, D-118: the history of an archived conversation can be read
    let fixture = BotFixture::new(&server).await;
    let channel = fixture.company.channel(&fixture.group, &[&fixture.person, &fixture.bot.user_id]).await;
    fixture.company.post(&fixture.group, &fixture.person, "in the group").await;
    fixture.company.post(&channel, &fixture.person, "in the channel").await;
    fixture.company.update_conversation(&fixture.group, json!({"is_archived": true})).await;
    assert_eq!(texts(&fixture.bot, &fixture.group).await[0], "in the group");
    assert_eq!(texts(&fixture.bot, &channel).await, ["in the channel"]);
}
