//! Posting, editing and deleting messages with forms.

use super::*;
use crate::support::assistant::PASSWORD;

/// Reads the texts of the group's messages through the admin API, and returns them oldest first, without system
/// messages. Returns `deleted` in place of the text of a deleted message.
async fn texts(team: &Team) -> Vec<String> {
    let mut messages = team.company.messages(&team.group).await;
    messages.reverse();
    let shown = messages.iter().filter(|message| message["type"] != "system");
    shown.map(|message| message["text"].as_str().unwrap_or("deleted").to_owned()).collect()
}

#[both_engines]
async fn a_message_is_posted(server: Server) {
    let mut team = Team::new(&server).await;
    let (path, form) = (team.path(), format!("{}/messages", team.path()));
    let page = team.anns.get(&path).await;
    let posted = team.anns.submit_on(&page, &form, &[("text", "one\r\ntwo ")]).await;
    assert_eq!(posted.see_other(), path);
    assert_eq!(
        texts(&team).await,
        ["one\ntwo "],
        "browsers send line breaks as CRLF, and the server stores LF"
    );
    let shown = team.anns.get(&path).await;
    shown.shows("<div class=\"text\" dir=\"auto\">one\ntwo </div>");
    // browsers send the form of the page as multipart/form-data, with an empty part if no file is chosen
    let page = team.bobs.get(&path).await;
    assert_eq!(send_files(&mut team.bobs, &page, "three", &[]).await.see_other(), path);
    let empty_field = ("", "application/octet-stream", &b""[..]);
    let page = team.bobs.get(&path).await;
    assert_eq!(send_files(&mut team.bobs, &page, "four", &[empty_field]).await.see_other(), path);
    assert_eq!(texts(&team).await, ["one\ntwo ", "three", "four"]);
    let message = team.company.messages(&team.group).await[0].clone();
    assert_eq!((&message["user_id"], &message["type"]), (&json!(team.bob), &json!("text")));
}

#[both_engines]
async fn a_repeated_form_posts_once(server: Server) {
    let mut team = Team::new(&server).await;
    let (path, form) = (team.path(), format!("{}/messages", team.path()));
    let page = team.anns.get(&path).await;
    for _ in 0..2 {
        team.anns.submit_on(&page, &form, &[("text", "once")]).await.see_other();
    }
    assert_eq!(texts(&team).await, ["once"]);
    // the idempotency key of a sent message is refused for another text; the error page has a new key
    let other = team.anns.submit_on(&page, &form, &[("text", "twice")]).await;
    other.is(409, "was sent before").is(409, "role=\"alert\"");
    assert_eq!(typed(&other), "twice");
    assert_ne!(hidden(&other, "client_key"), hidden(&page, "client_key"));
    team.anns.submit_on(&other, &form, &[("text", "twice")]).await.see_other();
    // a form that is sent again after an edit or a deletion posts nothing, and does not restore the message
    let id = text(&team.company.messages(&team.group).await[1], "/id");
    team.company
        .operator
        .patch(&format!("/admin/v1/messages/{id}"))
        .json(&json!({"text": "new"}))
        .ok(200)
        .await;
    team.anns.submit_on(&page, &form, &[("text", "once")]).await.see_other();
    assert_eq!(texts(&team).await, ["new", "twice"]);
    team.company.erase(&id).await;
    team.anns.submit_on(&page, &form, &[("text", "once")]).await.is(409, "was sent before");
    // without a key, each form posts a message; the key of another person is refused
    for _ in 0..2 {
        team.anns.submit_on(&page, &form, &[("text", "more"), ("client_key", "")]).await.see_other();
    }
    let key = hidden(&other, "client_key").unwrap();
    let bobs = team.bobs.get(&path).await;
    team.bobs
        .submit_on(&bobs, &form, &[("text", "twice"), ("client_key", &key)])
        .await
        .is(409, "was sent before");
    let long = "k".repeat(256);
    for wrong in [long.as_str(), "a b"] {
        let refused = team.bobs.submit_on(&bobs, &form, &[("text", "x"), ("client_key", wrong)]).await;
        refused.is(422, "visible ASCII");
    }
    assert_eq!(texts(&team).await, ["deleted", "twice", "more", "more"]);
}

#[both_engines]
async fn a_form_posts_once_despite_a_lost_response_and_a_refusal(server: Server) {
    let mut team = Team::new(&server).await;
    let (path, form) = (team.path(), format!("{}/messages", team.path()));
    let page = team.anns.get(&path).await;
    // the browser does not receive the response to this form, and the next form with the same key is refused
    team.anns.submit_on(&page, &form, &[("text", "once")]).await.see_other();
    let refused = team.anns.submit_on(&page, &form, &[("text", " ")]).await;
    refused.is(422, "role=\"alert\"");
    assert_eq!(
        hidden(&refused, "client_key"),
        hidden(&page, "client_key"),
        "a form refused for its text keeps the key"
    );
    team.anns.submit_on(&refused, &form, &[("text", "once")]).await.see_other();
    assert_eq!(texts(&team).await, ["once"]);
    // the page of a refused form does not contain an invalid key
    let refused = team.anns.submit_on(&page, &form, &[("text", "x"), ("client_key", "a b")]).await;
    refused.is(422, "visible ASCII");
    team.anns.submit_on(&refused, &form, &[("text", "x")]).await.see_other();
    assert_eq!(texts(&team).await, ["once", "x"]);
}

#[both_engines]
async fn a_repeated_form_gets_the_original_response_after_an_archival_or_a_deletion(server: Server) {
    let mut team = Team::new(&server).await;
    let (path, form) = (team.path(), format!("{}/messages", team.path()));
    let first = team.company.post(&team.group, &team.bob, "first").await;
    let reply = team.anns.get(&format!("{path}/{first}")).await;
    team.anns.submit_on(&reply, &form, &[("text", "reply")]).await.see_other();
    let page = team.anns.get(&path).await;
    team.anns.submit_on(&page, &form, &[("text", "plain")]).await.see_other();
    let upload = team.anns.get(&path).await;
    let files: [FilePart<'_>; 1] = [("a.txt", "text/plain", b"a")];
    send_files(&mut team.anns, &upload, "file", &files).await.see_other();
    let sent = texts(&team).await;
    team.company.erase(&first).await;
    let file = text(&team.company.messages(&team.group).await[0], "/files/0/id");
    team.company.operator.delete(&format!("/admin/v1/files/{file}")).ok(200).await;
    assert_eq!(send_files(&mut team.anns, &upload, "file", &files).await.see_other(), path);
    assert_eq!(team.anns.submit_on(&reply, &form, &[("text", "reply")]).await.see_other(), path);
    team.company.archive(&team.group, true).await;
    for (page, text) in [(&reply, "reply"), (&page, "plain")] {
        assert_eq!(team.anns.submit_on(page, &form, &[("text", text)]).await.see_other(), path);
    }
    assert_eq!(send_files(&mut team.anns, &upload, "file", &files).await.see_other(), path);
    // a form with the same key but another text or other files is checked like a new message, and rejected
    team.anns.submit_on(&page, &form, &[("text", "other")]).await.is(409, "This group is archived");
    let other: [FilePart<'_>; 1] = [("a.txt", "text/plain", b"other")];
    send_files(&mut team.anns, &upload, "file", &other).await.is(409, "This group is archived");
    team.company.archive(&team.group, false).await;
    team.company.remove(&team.group, &team.ann).await;
    team.anns.submit_on(&page, &form, &[("text", "plain")]).await.is(404, "Page not found");
    assert_eq!(texts(&team).await[1..], sent[1..], "nothing was posted again");
}

#[both_engines]
async fn a_refused_text_is_kept(server: Server) {
    let mut team = Team::new(&server).await;
    let (path, form) = (team.path(), format!("{}/messages", team.path()));
    team.company.post(&team.group, &team.bob, "earlier").await;
    let long = format!("</textarea><b>\n{}", "é".repeat(4_000));
    let page = team.anns.get(&path).await;
    let refused = team.anns.submit_on(&page, &form, &[("text", &long)]).await;
    refused.is(422, "The message has 4015 characters. It can have at most 4000.").is(422, "earlier");
    assert_eq!(typed(&refused), long);
    let huge = "x".repeat(300_000);
    let refused = send_files(&mut team.anns, &page, &huge, &[]).await;
    refused.is(422, "300000 characters");
    assert_eq!(typed(&refused), huge);
    for empty in ["", " \r\n\t"] {
        let page = team.anns.get(&path).await;
        team.anns
            .submit_on(&page, &form, &[("text", empty)])
            .await
            .is(422, "Write a message, or choose a file.");
    }
    let exactly = "é".repeat(4_000);
    team.anns.submit_on(&refused, &form, &[("text", &exactly)]).await.see_other();
    assert_eq!(texts(&team).await, ["earlier".to_owned(), exactly]);
}

#[both_engines]
async fn replies_belong_to_their_thread(server: Server) {
    let mut team = Team::new(&server).await;
    let (path, form) = (team.path(), format!("{}/messages", team.path()));
    let question = team.company.post(&team.group, &team.bob, "when?").await;
    let page = team.anns.get(&format!("{path}/{question}")).await;
    page.shows("Reply to <bdi>Bob Reader</bdi>");
    assert_eq!(hidden(&page, "thread_id").as_ref(), Some(&question));
    assert_eq!(hidden(&team.anns.get(&path).await, "thread_id"), None);
    assert_eq!(team.anns.submit_on(&page, &form, &[("text", "now")]).await.see_other(), path);
    assert_eq!(team.company.messages(&team.group).await[0]["thread_id"], question);
    // while the message to which a form replies exists, the refused form stays a reply
    let page = team.anns.get(&format!("{path}/{question}")).await;
    let refused = team.anns.submit_on(&page, &form, &[("text", "")]).await;
    assert_eq!(hidden(refused.is(422, "Write a message"), "thread_id").as_ref(), Some(&question));
    team.company.erase(&question).await;
    let refused = team.anns.submit_on(&page, &form, &[("text", "too late")]).await;
    refused.is(422, "The message that you reply to was deleted.").is(422, "now");
    assert_eq!((hidden(&refused, "thread_id"), typed(&refused)), (None, "too late".to_owned()));
    // a thread id is refused if the person does not see the message in this conversation, or if it is not the id of a
    // message in a group
    let elsewhere = team.company.group(&[&team.ann]).await;
    let foreign = team.company.post(&elsewhere, &team.ann, "x").await;
    let (new, mut news) = colleague(&server, &team.company, json!({})).await;
    let older = team.company.post(&team.group, &team.bob, "before you").await;
    team.company.add(&team.group, &new).await;
    for thread in [&foreign, &older, "x", &older.replace("gmsg", "dmsg")] {
        let page = news.get(&path).await;
        let refused = news.submit_on(&page, &form, &[("text", "hm"), ("thread_id", thread)]).await;
        refused.is(422, "was deleted").hides("before you");
        assert_eq!(typed(&refused), "hm");
    }
}

#[both_engines]
async fn own_messages_are_edited(server: Server) {
    let mut team = Team::new(&server).await;
    let (boss, mut admin) = colleague(&server, &team.company, json!({"is_admin": true})).await;
    team.company.add(&team.group, &boss).await;
    let own = team.company.post(&team.group, &team.ann, "frist").await;
    let page_path = format!("{}/{own}", team.path());
    let form = format!("{page_path}/edit");
    let page = team.anns.get(&page_path).await;
    page.shows("aria-label=\"Edited message\"").shows("\nfrist</textarea>").shows("Delete message");
    team.anns.submit_on(&page, &form, &[("text", "frist")]).await.see_other();
    assert!(
        !article(&team.anns.get(&page_path).await, &own).contains("edited"),
        "a form with the same text edits nothing"
    );
    assert_eq!(team.anns.submit_on(&page, &form, &[("text", "fi\r\nrst")]).await.see_other(), page_path);
    let edited = article(&team.bobs.get(&team.path()).await, &own);
    assert!(edited.contains("fi\nrst") && edited.contains(">edited</span>"), "{edited}");
    for (wrong, why) in
        [("", "must have a text"), ("  ", "must have a text"), (&*"x".repeat(4_001), "4001 characters")]
    {
        let refused = team.anns.submit_on(&page, &form, &[("text", wrong)]).await;
        refused.is(422, why).is(422, &format!("\n{wrong}</textarea>")).is(422, "<details open>");
    }
    // nobody else may edit the message, not even an admin
    for browser in [&mut team.bobs, &mut admin] {
        let page = browser.get(&page_path).await;
        page.shows("highlighted").hides("Edited message");
        let csrf = hidden(&page, "csrf").unwrap();
        browser.post(&form, &[("csrf", &csrf), ("text", "mine now")]).await.is(403, "only your own");
    }
    team.company.archive(&team.group, true).await;
    team.anns.get(&page_path).await.ok().hides("Edited message").shows("Delete message");
    let refused = team.anns.submit_on(&page, &form, &[("text", "late")]).await;
    refused.is(409, "This group is archived").is(409, "\nlate</textarea>");
    team.company.archive(&team.group, false).await;
    team.company.update_conversation(&team.group, json!({"announcement_only": true})).await;
    team.anns.submit_on(&page, &form, &[("text", "late")]).await.is(403, "Only admins can write here");
    assert_eq!(texts(&team).await, ["fi\nrst"]);
}

#[both_engines]
async fn messages_are_deleted(server: Server) {
    let mut team = Team::new(&server).await;
    let (boss, mut admin) = colleague(&server, &team.company, json!({"is_admin": true})).await;
    team.company.add(&team.group, &boss).await;
    let (one, two) = (
        team.company.post(&team.group, &team.ann, "one").await,
        team.company.post(&team.group, &team.ann, "two").await,
    );
    let (path, form) = (team.path(), format!("{}/{one}/delete", team.path()));
    let page = team.bobs.get(&format!("{path}/{one}")).await;
    page.hides("Delete message");
    let csrf = hidden(&page, "csrf").unwrap();
    team.bobs.post(&form, &[("csrf", &csrf)]).await.is(403, "only your own");
    let page = team.anns.get(&format!("{path}/{one}")).await;
    assert_eq!(team.anns.submit_on(&page, &form, &[]).await.see_other(), path);
    team.anns.submit_on(&page, &form, &[]).await.is(404, "Message not found");
    let edit = format!("{path}/{one}/edit");
    team.anns.submit_on(&page, &edit, &[("text", "back")]).await.is(404, "Message not found");
    let page = admin.get(&format!("{path}/{two}")).await;
    admin.submit_on(&page, &format!("{path}/{two}/delete"), &[]).await.see_other();
    assert_eq!(texts(&team).await, ["deleted", "deleted"]);
    team.bobs.get(&path).await.ok().hides(">one<").hides(">two<");
}

/// Returns two values of the form that an error page shows again: the hidden field `name`, and the text.
#[track_caller]
fn kept(page: &Page, path: &str, name: &str) -> (Option<String>, String) {
    let hidden = page.form(path).hidden.into_iter().find(|(found, _)| found == name);
    let (_, rest) = page.text.split_once("<textarea ").expect("a text");
    let (_, rest) = rest.split_once(">\n").expect("a text");
    (hidden.map(|(_, value)| value), unescape(rest.split("</textarea>").next().unwrap()))
}

/// The form has an invalid CSRF token, like a form that was opened before the last sign-in.
#[both_engines]
async fn a_stale_form_keeps_the_text(server: Server) {
    let mut team = Team::new(&server).await;
    let (path, form) = (team.path(), format!("{}/messages", team.path()));
    let question = team.company.post(&team.group, &team.bob, "when?").await;
    let page = team.anns.get(&format!("{path}/{question}")).await;
    let key = hidden(&page, "client_key").unwrap();
    let thread = question.as_str();
    let fields = [("csrf", "x"), ("client_key", &*key), ("thread_id", thread), ("text", "at <b>\r\nnine")];
    let file: FilePart<'_> = ("a.txt", "text/plain", b"a");
    let refused = [
        team.anns.post(&form, &fields).await,
        post_multipart(&mut team.anns, &form, &multipart(&fields, &[])).await,
        post_multipart(&mut team.anns, &form, &multipart(&fields, &[file])).await,
    ];
    for refused in &refused {
        refused.is(403, "Nothing was changed").is(403, &format!("href=\"{path}\">Open the page again"));
        assert_eq!(kept(refused, &form, "client_key"), (Some(key.clone()), "at <b>\nnine".to_owned()));
        let text = [("text", "at <b>\r\nnine")];
        assert_eq!(team.anns.submit_on(refused, &form, &text).await.see_other(), path);
    }
    let posted = &team.company.messages(&team.group).await;
    assert_eq!(
        (posted.len(), &posted[0]["thread_id"]),
        (2, &json!(question)),
        "three forms with one idempotency key post one reply"
    );
    // the script keeps the text of its forms, so the error page need not contain the text
    team.anns.headers.push("x-switchboard-script: 1".to_owned());
    team.anns.post(&form, &fields).await.is(403, "Nothing was changed").hides("nine");
    team.anns.headers.clear();
    let own = team.company.post(&team.group, &team.ann, "frist").await;
    let form = format!("{path}/{own}/edit");
    let refused = team.anns.post(&form, &[("csrf", "x"), ("text", "first")]).await;
    refused.is(403, &format!("href=\"{path}/{own}\">Open the page again"));
    assert_eq!(kept(&refused, &form, "client_key"), (None, "first".to_owned()));
    team.anns.submit_on(&refused, &form, &[("text", "first")]).await.see_other();
    assert_eq!(team.company.messages(&team.group).await[0]["text"], "first");
    // the error page of an edit that is not allowed does not contain the text
    let forbidden = format!("{path}/{question}/edit");
    team.anns.submit_on(&refused, &form, &[("text", "first")]).await.see_other();
    let csrf = refused.csrf(&form);
    let page = team.anns.post(&forbidden, &[("csrf", &csrf), ("text", "mine")]).await;
    page.is(403, "only your own").hides("<textarea");
}

#[both_engines]
async fn a_form_sent_after_a_sign_out_keeps_the_text(server: Server) {
    let team = Team::new(&server).await;
    let email = "returns@writing.example";
    let me = team.company.person_with(json!({"email": email, "password": PASSWORD})).await;
    let mut browser = server.signed_in(email, PASSWORD).await;
    team.company.add(&team.group, &me).await;
    let (path, form) = (team.path(), format!("{}/messages", team.path()));
    let question = team.company.post(&team.group, &team.bob, "when?").await;
    let page = browser.get(&format!("{path}/{question}")).await;
    let key = hidden(&page, "client_key").unwrap();
    let own = team.company.post(&team.group, &me, "frist").await;
    browser.clone().submit_on(&page, "/signout", &[]).await.to();
    let text = [("text", "at <b>\r\nnine")];
    let file: FilePart<'_> = ("a.txt", "text/plain", b"a");
    let large = vec![b'x'; 300 << 10];
    let files = [("b.bin", "a/b", large.as_slice()), file, ("c.bin", "a/b", large.as_slice())];
    let refused = [
        browser.submit_on(&page, &form, &text).await,
        send_files(&mut browser, &page, "at <b>\r\nnine", &[]).await,
        send_files(&mut browser, &page, "at <b>\r\nnine", &[file]).await,
        send_files(&mut browser, &page, "at <b>\r\nnine", &files).await,
    ];
    for refused in &refused {
        refused.is(401, "Sign in to send this").is(401, "Files have to be chosen again");
        let next = link(refused, "Sign in").expect("a link");
        assert_eq!(next, format!("/signin?{}", serde_urlencoded::to_string([("next", &path)]).unwrap()));
        assert_eq!(kept(refused, &form, "client_key"), (Some(key.clone()), "at <b>\nnine".to_owned()));
        assert_eq!(kept(refused, &form, "thread_id").0.as_ref(), Some(&question));
    }
    let edit = format!("{path}/{own}/edit");
    let edited = browser.post(&edit, &[("csrf", "x"), ("text", "first")]).await;
    assert_eq!(kept(edited.is(401, "Sign in to send this"), &edit, "csrf").1, "first");
    // the largest form with a valid text: each of these characters takes 12 bytes in a URL-encoded form
    let longest = "\u{1f980}".repeat(4_000);
    let edited = browser.post(&edit, &[("csrf", "x"), ("text", &longest)]).await;
    assert_eq!(kept(edited.is(401, "Sign in to send this"), &edit, "csrf").1, longest);
    for posted in [
        browser.submit_on(&page, &form, &[("text", &longest)]).await,
        send_files(&mut browser, &page, &longest, &[]).await,
        send_files(&mut browser, &page, &longest, &files).await,
    ] {
        let again = kept(posted.is(401, "Sign in to send this"), &form, "client_key");
        assert_eq!(again, (Some(key.clone()), longest.clone()));
    }
    // without a session, a form with an empty text, or with a text of more than 64 KiB, only redirects to sign-in
    for text in ["".to_owned(), "x".repeat(70_000)] {
        assert!(browser.submit_on(&page, &form, &[("text", &text)]).await.to().starts_with("/signin?next="));
        for files in [&[][..], &files] {
            assert!(send_files(&mut browser, &page, &text, files).await.to().starts_with("/signin?next="));
        }
    }
    // After the sign-in, each form is rejected once, and the error page has a CSRF token of the new session. Together
    // the forms post one message.
    assert_eq!(browser.sign_in(email, PASSWORD, &path).await.to(), path);
    for refused in &refused {
        let stale = browser.submit_on(refused, &form, &text).await;
        assert_eq!(kept(stale.is(403, "Please try again"), &form, "client_key").0.as_ref(), Some(&key));
        browser.submit_on(&stale, &form, &text).await.see_other();
    }
    assert_eq!(texts(&team).await, ["when?", "frist", "at <b>\nnine"]);
}

#[both_engines]
async fn a_form_whose_session_cannot_be_read_keeps_the_text(server: Server) {
    let mut team = Team::new(&server).await;
    let form = format!("{}/messages", team.path());
    let page = team.anns.get(&team.path()).await;
    let rename = async |from: &str, to: &str| {
        server.database.execute(&format!("ALTER TABLE {from} RENAME TO {to}")).await;
    };
    rename("sessions", "away").await;
    let failed = [
        team.anns.submit_on(&page, &form, &[("text", "once")]).await,
        send_files(&mut team.anns, &page, "once", &[]).await,
    ];
    for failed in &failed {
        let key = hidden(&page, "client_key");
        assert_eq!(
            kept(failed.is(500, "Something went wrong"), &form, "client_key"),
            (key, "once".to_owned())
        );
    }
    rename("away", "sessions").await;
    for failed in &failed {
        team.anns.submit_on(failed, &form, &[("text", "once")]).await.see_other();
    }
    assert_eq!(texts(&team).await, ["once"]);
}

#[both_engines]
async fn a_form_that_the_server_fails_to_process_keeps_the_text(server: Server) {
    let mut team = Team::new(&server).await;
    let (path, form) = (team.path(), format!("{}/messages", team.path()));
    let page = team.anns.get(&path).await;
    let key = hidden(&page, "client_key");
    let rename = async |from: &str, to: &str| {
        server.database.execute(&format!("ALTER TABLE {from} RENAME TO {to}")).await;
    };
    rename("message_keys", "away").await;
    let file: FilePart<'_> = ("a.txt", "text/plain", b"a");
    let failed = [
        team.anns.submit_on(&page, &form, &[("text", "once")]).await,
        send_files(&mut team.anns, &page, "once", &[]).await,
        send_files(&mut team.anns, &page, "once", &[file]).await,
    ];
    for failed in &failed {
        failed.is(500, "Something went wrong").is(500, "Files have to be chosen again");
        assert_eq!(kept(failed, &form, "client_key"), (key.clone(), "once".to_owned()));
    }
    rename("away", "message_keys").await;
    for failed in &failed {
        team.anns.submit_on(failed, &form, &[("text", "once")]).await.see_other();
    }
    assert_eq!(texts(&team).await, ["once"]);
    let id = text(&team.company.messages(&team.group).await[0], "/id");
    let form = format!("{path}/{id}/edit");
    let page = team.anns.get(&format!("{path}/{id}")).await;
    rename("message_edits", "away").await;
    let failed = team.anns.submit_on(&page, &form, &[("text", "changed")]).await;
    assert_eq!(
        kept(failed.is(500, "Something went wrong"), &form, "client_key"),
        (None, "changed".to_owned())
    );
    rename("away", "message_edits").await;
    team.anns.submit_on(&failed, &form, &[("text", "changed")]).await.see_other();
    assert_eq!(texts(&team).await, ["changed"]);
}

#[both_engines]
async fn the_beginning_of_an_enormous_text_is_kept(server: Server) {
    let mut team = Team::new(&server).await;
    let form = format!("{}/messages", team.path());
    let page = team.anns.get(&team.path()).await;
    // the page keeps at most 1 MiB, and this limit is in the middle of a character
    let enormous = format!("x{}", "é".repeat(1 << 19));
    let refused = send_files(&mut team.anns, &page, &enormous, &[]).await;
    refused.is(413, "at most 4000 characters").is(413, "Only its beginning");
    let (key, kept) = kept(&refused, &form, "client_key");
    assert_eq!(key, hidden(&page, "client_key"));
    assert_eq!((kept.len(), enormous.starts_with(&kept)), ((1 << 20) - 1, true));
    team.anns.submit_on(&refused, &form, &[("text", "short")]).await.see_other();
    assert_eq!(texts(&team).await, ["short"]);
}
