//! Which files a bot may read, and what the responses contain (B-290 … B-297, B-389). `file_links` tests the links to
//! the contents of files.

use serde_json::{Value, json};

use crate::support::{Bot, BotFixture, Server, both_engines, encoded, to_user};

async fn read(bot: &Bot, conversation: &str, file: &str) -> Value {
    bot.api.get(&format!("/v1/conversations/{conversation}/files/{file}")).ok(200).await["file"].clone()
}

async fn missed(bot: &Bot, conversation: &str, file: &str) {
    let path = format!("/v1/conversations/{conversation}/files/{file}");
    bot.api.get(&path).refused(404, "file_not_found").await;
}

/// Posts a message with these files, and returns the id of the message.
async fn attach(fixture: &BotFixture, conversation: &str, files: &[&str]) -> String {
    fixture.company.post_with(conversation, &fixture.person, json!({"type": "file", "file_ids": files})).await
}

#[both_engines]
async fn a_file_has_the_documented_members(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let path = format!("/v1/conversations/{}/files/{}", fixture.group, fixture.file);
    let answer = fixture.bot.api.get(&path).ok(200).await;
    let members: Vec<_> = answer.as_object().expect("an object").keys().map(String::as_str).collect();
    assert_eq!(members, ["file", "ok"], "the response has these members (B-290)");
    let file = &answer["file"];
    let members: Vec<_> = file.as_object().expect("a file").keys().map(String::as_str).collect();
    assert_eq!(members, ["id", "mimetype", "name", "size", "url"], "a file has these members (B-290)");
    // B-290, B-291: the values are those of the upload
    assert!(fixture.file.starts_with("fil_"));
    assert_eq!(file["id"], fixture.file.as_str());
    assert_eq!(file["name"], "plan.txt");
    assert_eq!(file["mimetype"], "text/plain");
    assert_eq!(file["size"], 8);
    assert!(file["url"].as_str().is_some_and(|url| url.starts_with("http")), "the link is absolute: {file}");
    // a file in a channel
    let channel = fixture.company.channel(&fixture.group, &[&fixture.person, &fixture.bot.user_id]).await;
    attach(&fixture, &channel, &[&fixture.file]).await;
    assert_eq!(read(&fixture.bot, &channel, &fixture.file).await["id"], fixture.file.as_str());
}

#[both_engines]
async fn names_types_and_sizes_are_as_uploaded(server: Server) {
    // B-291: hostile names and any media type are returned unchanged
    let fixture = BotFixture::new(&server).await;
    for (name, mimetype, content) in [
        ("Bericht \"Q3\" – Größe.pdf", "application/pdf", vec![7; 100_000]),
        ("日本語.txt", "text/markdown", b"hello".to_vec()),
        ("no extension", "application/octet-stream", vec![0, 255, 10, 13]),
        ("../../etc/passwd", "image/png", b"\x89PNG".to_vec()),
        ("a;b=c&d=e+f%20g.txt", "application/vnd.api+json", b"{}".to_vec()),
        ("😀.gif", "image/gif", vec![1]),
    ] {
        let file = fixture.company.file(&fixture.person, &encoded(name), mimetype, &content).await;
        attach(&fixture, &fixture.group, &[&file]).await;
        let record = read(&fixture.bot, &fixture.group, &file).await;
        assert_eq!(record["name"], name);
        assert_eq!(record["mimetype"], mimetype);
        assert_eq!(record["size"], content.len());
    }
}

#[both_engines]
async fn only_files_of_readable_messages_are_found(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let (company, bot, group) = (&fixture.company, &fixture.bot, &fixture.group);
    let upload = async || company.file(&fixture.person, "x.txt", "text/plain", b"x").await;
    // B-292: a message from before the bot joined
    let late = company.group(&[&fixture.person]).await;
    let old = upload().await;
    attach(&fixture, &late, &[&old]).await;
    company.add(&late, &bot.user_id).await;
    missed(bot, &late, &old).await;
    // B-293: a deleted message
    let of_deleted_message = upload().await;
    let message = attach(&fixture, group, &[&of_deleted_message]).await;
    read(bot, group, &of_deleted_message).await;
    company.operator.delete(&format!("/admin/v1/messages/{message}")).ok(200).await;
    missed(bot, group, &of_deleted_message).await;
    // B-294: a deleted file
    let deleted = upload().await;
    attach(&fixture, group, &[&deleted]).await;
    read(bot, group, &deleted).await;
    company.operator.delete(&format!("/admin/v1/files/{deleted}")).ok(200).await;
    missed(bot, group, &deleted).await;
    // B-389: an unattached file
    missed(bot, group, &upload().await).await;
    // B-295: a file that is attached only in other conversations: in another group of the bot, in a group without the
    // bot, and in a channel of the requested group
    let elsewhere = upload().await;
    let other = company.group(&[&fixture.person, &bot.user_id]).await;
    let stranger = company.group(&[&fixture.person]).await;
    let channel = company.channel(group, &[&fixture.person, &bot.user_id]).await;
    for conversation in [&other, &stranger, &channel] {
        attach(&fixture, conversation, &[&elsewhere]).await;
        missed(bot, group, &elsewhere).await;
    }
    // B-295: unknown and malformed ids
    let body = fixture.file.strip_prefix("fil_").expect("fil_").to_owned();
    for id in [
        "fil_0000000000001",
        "fil_",
        "x",
        "%ff",
        "fil_%00",
        &body,
        &format!("usr_{body}"),
        &fixture.file.to_uppercase(),
        &format!("{}0", fixture.file),
    ] {
        missed(bot, group, id).await;
    }
    // another company's file
    let theirs = BotFixture::new(&server).await;
    missed(bot, group, &theirs.file).await;
}

#[both_engines]
async fn a_file_is_found_while_a_readable_message_has_it(server: Server) {
    // B-297: a file can be read as long as the bot can read one of its messages
    let fixture = BotFixture::new(&server).await;
    let (company, bot, group) = (&fixture.company, &fixture.bot, &fixture.group);
    let file = company.file(&fixture.person, "x.txt", "text/plain", b"x").await;
    let first = attach(&fixture, group, &[&file]).await;
    let second = attach(&fixture, group, &[&fixture.file, &file]).await;
    read(bot, group, &file).await;
    company.operator.delete(&format!("/admin/v1/messages/{first}")).ok(200).await;
    read(bot, group, &file).await;
    company.operator.delete(&format!("/admin/v1/messages/{second}")).ok(200).await;
    missed(bot, group, &file).await;
    // the file was attached before the bot joined, and is then attached again
    let late = company.group(&[&fixture.person]).await;
    attach(&fixture, &late, &[&file]).await;
    company.add(&late, &bot.user_id).await;
    missed(bot, &late, &file).await;
    attach(&fixture, &late, &[&file]).await;
    read(bot, &late, &file).await;
    // B-283: a bot that was removed and added again no longer sees the messages with the file
    company.remove(&late, &bot.user_id).await;
    company.add(&late, &bot.user_id).await;
    missed(bot, &late, &file).await;
}

#[both_engines]
async fn errors_of_the_conversation_precede_errors_of_the_file(server: Server) {
    // B-296, D-133: errors of the conversation precede `file_not_found`
    let fixture = BotFixture::new(&server).await;
    let (company, bot) = (&fixture.company, &fixture.bot);
    let never = company.group(&[&fixture.person]).await;
    attach(&fixture, &never, &[&fixture.file]).await;
    let direct = bot.send(&to_user(&fixture.person, "hello")).await;
    let announcements = company.group(&[&fixture.person, &bot.user_id]).await;
    attach(&fixture, &announcements, &[&fixture.file]).await;
    company.update_conversation(&announcements, json!({"announcement_only": true})).await;
    let deleted = company.group(&[&fixture.person, &bot.user_id]).await;
    attach(&fixture, &deleted, &[&fixture.file]).await;
    company.delete_conversation(&deleted).await;
    let removed = company.group(&[&fixture.person, &bot.user_id]).await;
    attach(&fixture, &removed, &[&fixture.file]).await;
    company.remove(&removed, &bot.user_id).await;
    let dm = direct["conversation_id"].as_str().expect("a dm_");
    for file in [fixture.file.as_str(), "fil_0000000000001", "x"] {
        for conversation in [never.as_str(), dm, &announcements, &deleted, "grp_0000000000001", "x"] {
            let path = format!("/v1/conversations/{conversation}/files/{file}");
            bot.api.get(&path).refused(404, "conversation_not_found").await;
        }
        let path = format!("/v1/conversations/{removed}/files/{file}");
        bot.api.get(&path).refused(403, "not_in_conversation").await;
    }
    // an archived conversation is readable (D-118)
    company.update_conversation(&fixture.group, json!({"is_archived": true})).await;
    read(bot, &fixture.group, &fixture.file).await;
}
