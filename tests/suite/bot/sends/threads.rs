//! Replies: which messages `thread_id` may name (B-180 … B-187).

use serde_json::{Value, json};

use crate::support::*;

#[both_engines]
async fn any_message_of_the_destination_may_be_replied_to(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let company = &fixture.company;
    let absent = fixture.bot.send(&fixture.post(json!({}))).await;
    assert!(absent["thread_id"].is_null(), "without thread_id a message is no reply (B-180)");
    let null = fixture.bot.send(&fixture.post(json!({"thread_id": null}))).await;
    assert!(null["thread_id"].is_null(), "with thread_id null a message is no reply (B-180)");

    company.add(&fixture.group, &company.person().await).await;
    let all = company.messages(&fixture.group).await;
    let notice = all.iter().find(|m| m["type"] == "system").expect("a join creates a notice (B-129)");
    let picture = company.post_with(&fixture.group, &fixture.person, json!({"type": "image"})).await;
    let own = text(&absent, "/id");
    let reply = fixture.posted(json!({"thread_id": own})).await;
    let edited = fixture.posted(json!({})).await;
    fixture.bot.editing(&edited, &json!({"text": "edited"})).ok(200).await;
    for id in [
        own,                                                               // B-181: the bot's own message
        company.post(&fixture.group, &fixture.person, "a question").await, // B-181: a person's message
        text(notice, "/id"),                                               // D-076: a system message
        picture,
        reply,
        edited,
    ] {
        let sent = fixture.bot.send(&fixture.post(json!({"thread_id": id}))).await;
        assert_eq!(sent["thread_id"], id.as_str(), "a reply has the thread_id it was sent with (B-181)");
        assert_eq!(
            fixture.stored(&text(&sent, "/id")).await["thread_id"],
            id.as_str(),
            "a reply has the thread_id it was sent with (B-181)"
        );
    }
}

#[both_engines]
async fn a_message_from_before_the_bot_joined_may_be_replied_to(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let group = fixture.company.group(&[&fixture.person]).await;
    let old = fixture.company.post(&group, &fixture.person, "before").await;
    fixture.company.add(&group, &fixture.bot.user_id).await;
    let body = with(to_conversation(&group, "after"), json!({"thread_id": old}));
    assert_eq!(
        fixture.bot.send(&body).await["thread_id"],
        old.as_str(),
        "a bot may reply to a message from before it joined (B-186, D-074)"
    );
    assert!(
        fixture.bot.history(&group).await[0]["thread_id"].is_null(),
        "in history a reply to a message that the bot cannot read has `thread_id` null (B-124, D-074)"
    );
}

#[both_engines]
async fn a_thread_id_that_names_no_message_of_the_destination_is_refused(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let (company, bot) = (&fixture.company, &fixture.bot);
    let other = company.group(&[&bot.user_id, &fixture.person]).await;
    let channel = company.channel(&fixture.group, &[&bot.user_id, &fixture.person]).await;
    let foreign_group = company.group(&[&fixture.person]).await;
    let here = fixture.posted(json!({})).await;
    let there = text(&bot.send(&to_conversation(&other, "there")).await, "/id");
    let in_channel = text(&bot.send(&to_conversation(&channel, "in the channel")).await, "/id");
    let direct = text(&bot.send(&fixture.direct(json!({}))).await, "/id");
    let foreign = company.post(&foreign_group, &fixture.person, "not for bots").await;
    let deleted = fixture.posted(json!({})).await;
    bot.deleting(&deleted).ok(200).await;
    let erased = company.post(&fixture.group, &fixture.person, "erased").await;
    company.erase(&erased).await;

    let mut cases: Vec<(&str, Value)> = vec![
        (&fixture.group, json!(there)),      // B-182: in another group
        (&fixture.group, json!(direct)),     // B-182: in a direct conversation
        (&fixture.group, json!(foreign)),    // B-182: in a group without the bot
        (&fixture.group, json!(in_channel)), // B-187: in a channel of the group
        (&channel, json!(here)),             // B-187: in the group of the channel
        (&fixture.group, json!(deleted)),    // B-184, D-073: deleted by the bot
        (&fixture.group, json!(erased)),     // B-184: deleted through the admin API
        (&fixture.group, json!(NOTHING)),    // B-183: unknown
    ];
    // B-183: empty, malformed, with a wrong prefix, or of a wrong type
    let as_direct = here.replace("gmsg_", "dmsg_");
    for bad in ["", " ", "x", "gmsg_", &fixture.group, &fixture.person, &as_direct, &here[5..]] {
        cases.push((&fixture.group, json!(bad)));
    }
    for bad in [json!(1), json!(true), json!([here]), json!({"id": here})] {
        cases.push((&fixture.group, bad));
    }
    for (conversation, thread) in cases {
        let body = with(to_conversation(conversation, "reply"), json!({"thread_id": thread}));
        bot.malformed(&body).await;
    }
    assert_eq!(fixture.visible_messages().await.len(), 1, "a refused send leaves nothing behind (B-225)");
}

#[both_engines]
async fn a_message_of_a_direct_conversation_may_be_replied_to(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let (company, bot) = (&fixture.company, &fixture.bot);
    let first = bot.send(&fixture.direct(json!({}))).await;
    let dm = text(&first, "/conversation_id");
    let answer = company.post(&dm, &fixture.person, "a person's own message").await;
    for id in [text(&first, "/id"), answer.clone()] {
        let sent = bot.send(&fixture.direct(json!({"thread_id": id}))).await;
        assert_eq!(sent["thread_id"], id.as_str(), "a direct message may be a reply (B-185, B-120)");
        assert!(id.starts_with("dmsg_"), "a direct message's id begins with dmsg_ (B-117): {id}");
    }

    let in_group = fixture.posted(json!({})).await;
    let other_person = company.person().await;
    let elsewhere = text(&bot.send(&to_user(&other_person, "hello")).await, "/id");
    company.erase(&answer).await;
    let as_group = text(&first, "/id").replace("dmsg_", "gmsg_");
    // refused (B-185): messages of other conversations, a deleted message, and unknown ids
    for bad in [&in_group, &elsewhere, &answer, &as_group, "dmsg_0000000000001"] {
        bot.malformed(&fixture.direct(json!({"thread_id": bad}))).await;
    }
    // The first message to a person cannot be a reply: every existing message is in another conversation (B-182). The
    // refused send does not create the direct conversation (B-225).
    let stranger = company.person().await;
    let before = company.direct_conversations().await;
    let body = with(to_user(&stranger, "hello"), json!({"thread_id": text(&first, "/id")}));
    bot.malformed(&body).await;
    assert_eq!(company.direct_conversations().await, before, "a refused send leaves nothing behind (B-225)");
}
