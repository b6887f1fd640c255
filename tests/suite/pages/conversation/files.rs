//! Files of messages: how the form sends files, and how people open them.

use std::{sync::Arc, time::Duration};

use switchboard::{config::Config, store::Engine};

use super::*;

/// The beginning of a PNG file, followed by texts that nearly equal `\r\n--edge`, the delimiter of the form's parts.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n--edge\r\n--edg";

/// Follows the two redirects from a file's link to its download, and returns the content.
async fn content(server: &Server, browser: &mut Browser, path: &str) -> Vec<u8> {
    let link = browser.get(path).await.to().to_owned();
    let relative = |address: &str| address.strip_prefix(&server.base).expect("this server").to_owned();
    let download = server.api().get(&relative(&link)).send().await;
    let download = download.header("location").expect("a download").to_owned();
    server.api().get(&relative(&download)).send().await.bytes.to_vec()
}

#[both_engines]
async fn several_files_are_sent(server: Server) {
    let mut team = Team::new(&server).await;
    let path = team.path();
    let page = team.anns.get(&path).await;
    let large: Vec<u8> = (0..700_000_u32).map(|n| n.to_le_bytes()[n as usize % 3]).collect();
    let files: [FilePart<'_>; 3] = [
        ("cat %22Tom%22.png", "image/png", PNG),
        ("größe <b>.bin", "application/octet-stream", &large),
        ("empty.txt", "text/plain; charset=utf-8", b""),
    ];
    let sent = send_files(&mut team.anns, &page, "look\r\nhere", &files).await;
    assert_eq!(sent.see_other(), path);
    let message = team.company.messages(&team.group).await[0].clone();
    assert_eq!((&message["text"], &message["type"]), (&json!("look\nhere"), &json!("text")));
    let ids: Vec<String> =
        message["files"].as_array().unwrap().iter().map(|file| text(file, "/id")).collect();
    let shown = article(&team.bobs.get(&path).await, &text(&message, "/id"));
    for words in [
        "cat &#34;Tom&#34;.png</span>",
        "größe &#60;b&#62;.bin</span>",
        "700 kB",
        "empty.txt</span>",
        "0 bytes",
    ] {
        assert!(shown.contains(words), "{words} is not in {shown}");
    }
    for (id, (_, _, sent)) in ids.iter().zip(files) {
        let found = content(&server, &mut team.bobs, &format!("{path}/files/{id}")).await;
        assert!(found == sent, "{} bytes instead of {}", found.len(), sent.len());
    }
    // the same form, sent again, posts no second message
    assert_eq!(send_files(&mut team.anns, &page, "look\r\nhere", &files).await.see_other(), path);
    assert_eq!(team.company.messages(&team.group).await.len(), 1);
    let other = send_files(&mut team.anns, &page, "look\r\nhere", &files[..1]).await;
    assert_eq!(typed(other.is(409, "was sent before")), "look\nhere");
    assert_eq!(team.company.messages(&team.group).await.len(), 1);
}

#[both_engines]
async fn a_file_keeps_its_name(server: Server) {
    let mut team = Team::new(&server).await;
    let path = team.path();
    // browsers do not escape a backslash in a file name
    for (sent, name) in [
        (r"a\b.txt", r"a\b.txt"),
        (r"\\a\b\", r"\\a\b\"),
        (r"%22a%22\", "\"a\"\\"),
        ("a; filename=b; name=c", "a; filename=b; name=c"),
        ("a%0D%0Ab", "a  b"),
    ] {
        let page = team.anns.get(&path).await;
        let answer = send_files(&mut team.anns, &page, sent, &[(sent, "text/plain", b"x")]).await;
        assert_eq!(answer.see_other(), path, "{sent}");
        let message = team.company.messages(&team.group).await[0].clone();
        let id = text(&message, "/files/0/id");
        let shown = article(&team.bobs.get(&path).await, &text(&message, "/id"));
        assert!(unescape(&shown).contains(&format!("{name}</span>")), "{name:?} is not in {shown}");
        assert_eq!(content(&server, &mut team.bobs, &format!("{path}/files/{id}")).await, b"x");
    }
}

#[both_engines]
async fn files_need_no_text(server: Server) {
    let mut team = Team::new(&server).await;
    for (files, kind) in [
        (vec![("a.png", "image/png", PNG)], "image"),
        (vec![("a.png", "image/png", PNG), ("b.txt", "text/plain", b"b")], "file"),
    ] {
        let page = team.anns.get(&team.path()).await;
        send_files(&mut team.anns, &page, "", &files).await.see_other();
        let message = team.company.messages(&team.group).await[0].clone();
        assert_eq!((&message["type"], &message["text"]), (&json!(kind), &json!("")));
        assert_eq!(message["files"].as_array().unwrap().len(), files.len());
    }
}

/// If the page showed the name with the character U+202E, `gpj.exe` would look like `exe.jpg` (CWE-451).
#[both_engines]
async fn a_character_that_reverses_the_direction_of_text_is_replaced_in_the_shown_name(server: Server) {
    let mut team = Team::new(&server).await;
    let path = team.path();
    let bot = team.company.bot(&server).await;
    team.company.add(&team.group, &bot.user_id).await;
    let name = "holiday\u{202e}gpj.exe";
    let page = team.anns.get(&path).await;
    send_files(&mut team.anns, &page, "", &[(name, "text/plain", b"a")]).await.see_other();
    let message = team.company.messages(&team.group).await[0].clone();
    let file = format!("/v1/conversations/{}/files/{}", team.group, text(&message, "/files/0/id"));
    let found = bot.api.get(&file).ok(200).await;
    assert_eq!(found["file"]["name"], name, "a file has the name with which it was uploaded (B-291)");
    let shown = article(&team.bobs.get(&path).await, &text(&message, "/id"));
    assert!(shown.contains("dir=\"auto\">holiday_gpj.exe</span>"), "{shown}");
}

/// The API returns the name with which the file was uploaded (B-291). Pages show `file` instead of the name, so that
/// people have a text to click.
#[both_engines]
async fn a_name_without_a_visible_character_is_shown_as_file(server: Server) {
    let mut team = Team::new(&server).await;
    let path = team.path();
    let bot = team.company.bot(&server).await;
    team.company.add(&team.group, &bot.user_id).await;
    for name in ["\u{200b}", "\u{3164}\u{2800}"] {
        let page = team.anns.get(&path).await;
        send_files(&mut team.anns, &page, "", &[(name, "text/plain", b"a")]).await.see_other();
        let message = team.company.messages(&team.group).await[0].clone();
        let file = format!("/v1/conversations/{}/files/{}", team.group, text(&message, "/files/0/id"));
        let found = bot.api.get(&file).ok(200).await;
        assert_eq!(found["file"]["name"], name, "a file has the name with which it was uploaded (B-291)");
        let shown = article(&team.bobs.get(&path).await, &text(&message, "/id"));
        assert!(shown.contains("dir=\"auto\">file</span>"), "{shown}");
    }
}

#[both_engines]
async fn a_message_with_a_rejected_file_is_not_posted(engine: Engine) -> Option<()> {
    let configure = |config: &mut Config| config.files.quota_mib_per_person = 1;
    let options = Options { engine, configure: Some(Arc::new(configure)), ..Options::default() };
    let server = Server::with(options).await?;
    let mut team = Team::new(&server).await;
    let page = team.anns.get(&team.path()).await;
    let large = vec![b'x'; 600 << 10];
    let files: [FilePart<'_>; 3] =
        [("one.bin", "a/b", &large), ("client_key.bin", "a/b", &large), ("three.bin", "a/b", b"small")];
    let refused = send_files(&mut team.anns, &page, "all of them", &files).await;
    refused.is(409, "The file “client_key.bin” was not sent:").is(409, "quota of 1 MiB");
    assert_eq!(typed(&refused), "all of them");
    // The error page has the idempotency key (`client_key`) of the form, although the error text also contains
    // `client_key`, in the name of the file.
    assert_eq!(hidden(&refused, "client_key"), hidden(&page, "client_key"));
    assert_eq!(team.company.messages(&team.group).await.len(), 0);
    // The first file was stored before the second file was rejected. The rejection deletes the first file. Its content
    // is purged two hours later, and then no longer counts against the quota.
    server.advance(Duration::from_secs(2 * 60 * 60)).await;
    let path = format!("/admin/v1/users/{}", team.ann);
    let usage = team.company.operator.get(&path).ok(200).await;
    assert_eq!(usage["file_usage"]["bytes"], 0);
    send_files(&mut team.anns, &refused, "one of them", &files[..1]).await.see_other();
    assert_eq!(team.company.messages(&team.group).await.len(), 1);
    Some(())
}

/// A browser does not show a response that arrives before the browser has sent the whole form. So the script checks the
/// limits before it sends the files.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_composer_has_the_limits_of_files_and_the_error_texts() {
    let server = Server::sqlite().await;
    let mut team = Team::new(&server).await;
    let page = team.anns.get(&team.path()).await;
    let too_many = "A message can have at most 200 files; send them in several messages.";
    for (name, value) in [
        ("max-files", "200"),
        ("max-file-bytes", "104857600"),
        ("max-bytes", "1073741824"),
        ("max-seconds", "600"),
        ("too-many", too_many),
        ("too-large", "The file “{name}” was not sent: it is larger than 100 MiB."),
        ("too-large-together", "The files of a message can have at most 1 GiB together."),
        ("too-slow", "Sending took longer than 10 minutes, which is the limit."),
    ] {
        page.shows(&format!("data-{name}=\"{value}"));
    }
    // If a form bypasses the script, the server gives the same reason: 422 for a message with more than 200 files, 413
    // for a form with more than 220 parts.
    for number in [201, 220] {
        let files: Vec<FilePart<'_>> = vec![("a.txt", "text/plain", &b"a"[..]); number];
        let refused = send_files(&mut team.anns, &page, "many", &files).await;
        let status = if number == 201 { 422 } else { 413 };
        refused.is(status, &format!(">{too_many}</p>")).is(status, "\nmany</textarea>");
    }
    assert_eq!(team.company.messages(&team.group).await.len(), 0);
}

#[both_engines]
async fn malformed_forms_post_nothing(server: Server) {
    let mut team = Team::new(&server).await;
    let form = format!("{}/messages", team.path());
    let page = team.anns.get(&team.path()).await;
    let csrf = hidden(&page, "csrf").unwrap();
    let fields = [("csrf", csrf.as_str()), ("text", "hello")];
    let whole = multipart(&fields, &[("a.txt", "text/plain", b"content")]);
    for end in [0, 20, whole.len() / 2, whole.len() - 14, whole.len() - 30] {
        post_multipart(&mut team.anns, &form, &whole[..end]).await.is(400, "cut off or is malformed");
    }
    let twice = multipart(&[fields[0], fields[1], fields[1]], &[]);
    post_multipart(&mut team.anns, &form, &twice).await.is(400, "more than once");
    let mut wrong = multipart(&fields, &[]);
    let at = wrong.windows(5).position(|window| window == b"hello").unwrap();
    wrong[at] = 0xff;
    post_multipart(&mut team.anns, &form, &wrong).await.is(400, "not UTF-8");
    let nul = multipart(&[fields[0], ("text", "a\0b")], &[]);
    post_multipart(&mut team.anns, &form, &nul).await.is(422, "U+0000");
    let long = "n".repeat(256);
    let whole_file: FilePart<'_> = ("a.txt", "text/plain", b"content");
    for (name, why) in
        [("a\0b", "control character"), ("a\u{1}b", "control character"), (&long, "was not sent")]
    {
        let named = multipart(&fields, &[whole_file, (name, "text/plain", b"x"), whole_file]);
        let refused = post_multipart(&mut team.anns, &form, &named).await;
        assert!((400..500).contains(&refused.wire.status), "{name}: {}", refused.text);
        refused.is(refused.wire.status, why);
        assert_eq!(typed(&refused), "hello", "the text is kept: {name}");
    }
    let without_csrf = multipart(&fields[1..], &[("a\u{1}b", "text/plain", b"x")]);
    post_multipart(&mut team.anns, &form, &without_csrf).await.is(403, "Please try again");
    for media_type in ["multipart/form-data", "multipart/mixed; boundary=edge", "text/plain"] {
        let headers = [format!("content-type: {media_type}")];
        team.anns.send("POST", &form, &headers, &whole).await.is(415, "not a form");
    }
    assert_eq!(team.company.messages(&team.group).await.len(), 0);
    // unknown fields are ignored, and the text may follow the files
    let mut mixed = multipart(&[fields[0], ("unknown", "x")], &[("a.txt", "text/plain", b"a")]);
    mixed.truncate(mixed.len() - "--edge--\r\n".len());
    mixed.extend(multipart(&[fields[1]], &[]));
    post_multipart(&mut team.anns, &form, &mixed).await.see_other();
    let message = team.company.messages(&team.group).await[0].clone();
    assert_eq!((&message["text"], message["files"].as_array().unwrap().len()), (&json!("hello"), 1));
}

#[both_engines]
async fn only_people_who_see_a_message_open_its_files(server: Server) {
    let mut team = Team::new(&server).await;
    let company = &team.company;
    let file = company.file(&team.ann, "a.txt", "text/plain", b"secret").await;
    let message = company.post_with(&team.group, &team.ann, json!({"file_ids": [file]})).await;
    let other = company.group(&[&team.ann, &team.bob]).await;
    let path = format!("{}/files/{file}", team.path());
    assert_eq!(content(&server, &mut team.bobs, &path).await, b"secret");
    assert!(server.browser().get(&path).await.to().starts_with("/signin"));
    team.bobs.get(&format!("/c/{other}/files/{file}")).await.is(404, "Page not found");
    for unknown in ["x", "fil_0000000000001", &message] {
        team.bobs.get(&format!("{}/files/{unknown}", team.path())).await.is(404, "Page not found");
    }
    let unattached = company.file(&team.bob, "b.txt", "text/plain", b"b").await;
    team.bobs.get(&format!("{}/files/{unattached}", team.path())).await.is(404, "Page not found");
    // a new member does not see earlier messages
    let (new, mut news) = colleague(&server, company, json!({})).await;
    company.add(&team.group, &new).await;
    news.get(&path).await.is(404, "Page not found");
    company.post_with(&team.group, &team.ann, json!({"file_ids": [file]})).await;
    news.get(&path).await.to();
    company.remove(&team.group, &new).await;
    news.get(&path).await.is(404, "Page not found");
    company.operator.delete(&format!("/admin/v1/files/{file}")).ok(200).await;
    team.bobs.get(&path).await.is(404, "Page not found");
}

#[both_engines]
async fn a_form_that_would_keep_the_parser_busy_is_rejected(server: Server) {
    let mut team = Team::new(&server).await;
    let form = format!("{}/messages", team.path());
    let page = team.anns.get(&team.path()).await;
    let csrf = hidden(&page, "csrf").unwrap();
    let endless = "x".repeat(1 << 20);
    let no_boundary = endless.as_bytes();
    let no_end_of_headers =
        format!("--edge\r\ncontent-disposition: form-data; name=\"text\"\r\nx-filler: {endless}");
    let padding = format!("--edge{}", " ".repeat(1 << 20));
    for body in [no_boundary, no_end_of_headers.as_bytes()] {
        post_multipart(&mut team.anns, &form, body).await.is(413, "That did not work");
    }
    post_multipart(&mut team.anns, &form, padding.as_bytes()).await.is(413, "That did not work");
    let many: Vec<(String, &str)> = (0..220).map(|number| (format!("unknown{number}"), "")).collect();
    let mut fields = vec![("csrf", csrf.as_str())];
    fields.extend(many.iter().map(|(name, value)| (name.as_str(), *value)));
    post_multipart(&mut team.anns, &form, &multipart(&fields, &[])).await.is(413, "Too many files");
    let longer = format!("{endless}x");
    let fields = [("csrf", csrf.as_str()), ("thread_id", &longer), ("text", "hello")];
    let refused = post_multipart(&mut team.anns, &form, &multipart(&fields, &[])).await;
    refused.is(413, "A field of the form is too long.").hides("The message is too long");
    assert_eq!(team.company.messages(&team.group).await.len(), 0);
    // parts that the server skips may be long
    let long = [("csrf", csrf.as_str()), ("unknown", &endless), ("text", "hello")];
    post_multipart(&mut team.anns, &form, &multipart(&long, &[("", "a/b", endless.as_bytes())]))
        .await
        .see_other();
    assert_eq!(team.company.messages(&team.group).await[0]["text"], "hello");
}

#[both_engines]
async fn a_message_shows_a_limited_number_of_images(server: Server) {
    let mut team = Team::new(&server).await;
    let page = team.anns.get(&team.path()).await;
    let files: Vec<FilePart<'_>> = vec![("a.png", "image/png", PNG); 14];
    send_files(&mut team.anns, &page, "many", &files).await.see_other();
    let message = text(&team.company.messages(&team.group).await[0], "/id");
    let shown = article(&team.bobs.get(&team.path()).await, &message);
    assert_eq!(shown.matches("<img ").count(), 12, "{shown}");
    assert_eq!(shown.matches("a.png</span>").count(), 14, "images after the twelfth are shown as files");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_rejection_of_too_many_simultaneous_forms_keeps_the_typed_text() {
    let server = Server::sqlite().await;
    let mut team = Team::new(&server).await;
    let form = format!("{}/messages", team.path());
    let page = team.anns.get(&team.path()).await;
    let cookie = format!("cookie: session={}", team.anns.session().unwrap());
    let body = multipart(&[("csrf", "x"), ("text", "never sent")], &[]);
    let headers = ["content-type: multipart/form-data; boundary=edge", &*cookie];
    let mut open = Vec::new();
    // 8 is the maximum number of forms that an account may send at the same time
    for _ in 0..8 {
        open.push(wire::asked(&server.base, &format!("POST {form}"), &headers, &body).await);
    }
    let large = vec![b'x'; 300 << 10];
    let mut refused = Vec::new();
    for content in [&b"a"[..], large.as_slice()] {
        let page = send_files(&mut team.anns, &page, "one too many", &[("a.bin", "a/b", content)]).await;
        page.is(429, "Too many requests").is(429, "\none too many</textarea>");
        refused.push(page);
    }
    for request in open {
        assert_eq!(request.end().await.status, 403);
    }
    team.anns.submit_on(&refused[1], &form, &[("text", "one too many")]).await.see_other();
}
