//! People, files, and the tool `whoami`, which returns the employee.

use std::sync::Arc;

use serde_json::{Value, json};
use switchboard::store::Engine;

use crate::support::{Bucket, Options, Server, both_engines, mcp, text, until};

fn names(page: &Value) -> Vec<String> {
    page["users"].as_array().unwrap().iter().map(|user| text(user, "/name")).collect()
}

#[both_engines]
async fn an_assistant_knows_whom_it_acts_for(server: Server) {
    let company = server.company().await;
    let ann = server.assistant(&company, "Ann Example").await;
    company.update_user(ann.id(), json!({"email_visible": false})).await;
    let (me, said) = ann.both("whoami", json!({})).await;
    assert_eq!((&me["user"]["id"], &me["workspace"]["id"]), (&json!(ann.id()), &json!(company.id)));
    assert_eq!(
        me["user"]["email"],
        ann.employee.email.as_str(),
        "employees see their own address, even if it is hidden from others"
    );
    assert_eq!(me["connection"]["label"], "Calendar Helper");
    assert_eq!(me["connection"]["scopes"], json!(["service:read", "service:write"]));
    assert!(
        said.contains("Ann Example") && said.contains("Calendar Helper"),
        "the text names the employee and the client: {said}"
    );
}

// no tool returns people of another company
#[both_engines]
async fn people_are_returned_as_members_see_them(server: Server) {
    let company = server.company().await;
    let ann = server.assistant(&company, "Ann Example").await;
    let ben = company
        .person_with(json!({"name": "Ben Müller", "title": "Engineer", "email": "ben@example.com"}))
        .await;
    let shy = company
        .person_with(json!({"name": "Shy One", "email": "shy@example.com", "email_visible": false}))
        .await;
    let inactive_person = company.person_with(json!({"name": "Inactive One"})).await;
    company.set_state(&inactive_person, "deactivated").await;
    let hidden = company.guest(false).await;
    let bot = company.bot(&server).await;
    let other = server.company().await;
    let stranger = other.person_with(json!({"name": "Stranger", "email": "stranger@example.com"})).await;

    let all = ann.ok("list_people", json!({})).await;
    assert_eq!(names(&all), ["Ada Admin", "Ann Example", "Ben Müller", "Shy One"]);
    assert!(all["users"][3].get("email").is_none());
    let inactive = ann.ok("list_people", json!({"include_inactive": true, "name": "one"})).await;
    assert_eq!(names(&inactive), ["Shy One", "Inactive One"]);
    assert_eq!(inactive["users"][1]["is_active"], false);
    for name in ["muller", "engin", "ben@example"] {
        assert_eq!(
            names(&ann.ok("list_people", json!({"name": name})).await),
            ["Ben Müller"],
            "a person is found by prefixes of words of the name, title and address: {name}"
        );
    }
    assert!(
        names(&ann.ok("list_people", json!({"name": "shy@"})).await).len() == 1,
        "`shy@` matches the word `shy` of the name"
    );
    // a hidden e-mail address is not searched
    assert!(names(&ann.ok("list_people", json!({"name": "shy example"})).await).is_empty());
    // a `name` that is empty or has no word is rejected
    for tool in ["list_people", "list_conversations"] {
        let said = ann.invalid(tool, json!({"name": ""})).await;
        assert_eq!(said, "`name` must be a text of 1 to 100 characters");
        for nothing in [" ", "...", "*"] {
            let said = ann.fails(tool, json!({"name": nothing}), "invalid_request").await;
            assert!(said.contains("must contain a word"), "a name without a word is refused: {said}");
        }
    }
    let first = ann.ok("list_people", json!({"limit": 3})).await;
    let rest = ann.ok("list_people", json!({"limit": 3, "cursor": first["next_cursor"]})).await;
    assert_eq!(names(&rest), ["Shy One"]);

    for person in [ben.as_str(), "Ben@Example.com"] {
        let (found, said) = ann.both("get_person", json!({"person": person})).await;
        assert_eq!((&found["user"]["id"], &found["user"]["title"]), (&json!(ben), &json!("Engineer")));
        assert!(
            said.contains("Ben Müller") && said.contains("ben@example.com"),
            "the text has the name and the address: {said}"
        );
    }
    assert!(ann.ok("get_person", json!({"person": shy})).await["user"].get("email").is_none());
    assert_eq!(ann.ok("get_person", json!({"person": bot.user_id})).await["user"]["is_bot"], true);
    for nobody in ["shy@example.com", &hidden, &stranger, "stranger@example.com", "usr_nobody"] {
        ann.fails("get_person", json!({"person": nobody}), "user_not_found").await;
    }
}

#[both_engines]
async fn only_files_that_the_employee_sees_are_returned(server: Server) {
    let company = server.company().await;
    let ann = server.assistant(&company, "Ann Example").await;
    let ben = company.person().await;
    let group = company.group(&[ann.id(), &ben]).await;
    let theirs = company.group(&[&ben]).await;
    let file = |name: &'static str, kind: &'static str, content: Vec<u8>| {
        let (company, ben) = (company.clone(), ben.clone());
        async move { company.file(&ben, name, kind, &content).await }
    };
    let plan = file("plan.txt", "text/plain", b"one\ntwo".to_vec()).await;
    let json_file = file("data.json", "application/json", b"{}".to_vec()).await;
    let picture = file("p.png", "image/png", vec![1; 20]).await;
    let broken = file("b.txt", "text/plain", vec![0xff, 0xfe]).await;
    let large = file("l.txt", "text/plain", vec![b'x'; 100 * 1024 + 1]).await;
    let secret = file("s.txt", "text/plain", b"s".to_vec()).await;
    let unattached = file("unattached.txt", "text/plain", b"s".to_vec()).await;
    let carried = json!({"type": "file", "file_ids": [plan, json_file, picture, broken, large]});
    let message = company.post_with(&group, &ben, carried).await;
    company.post_with(&theirs, &ben, json!({"type": "file", "file_ids": [secret]})).await;

    let (got, said) = ann.both("get_file", json!({"file_id": plan})).await;
    assert_eq!((&got["content"], &got["url"]), (&json!("one\ntwo"), &json!(null)));
    assert_eq!((&got["file"]["name"], &got["file"]["size"]), (&json!("plan.txt"), &json!(7)));
    assert!(said.ends_with("\n> one\n> two\n"), "the text quotes the content: {said}");
    assert_eq!(ann.ok("get_file", json!({"file_id": json_file})).await["content"], "{}");
    for link in [&picture, &broken, &large] {
        let got = ann.ok("get_file", json!({"file_id": link})).await;
        assert!(
            got["content"].is_null() && got["url_expires_at"].is_string(),
            "a file that is not UTF-8 text of at most 100 KiB gets a link: {got}"
        );
        let url = text(&got, "/url");
        let path = url.strip_prefix(&server.base).expect("a link of this server");
        assert_eq!(server.api().get(path).send().await.status, 302);
    }
    for other in [&secret, &unattached, "fil_nothing"] {
        ann.fails("get_file", json!({"file_id": other}), "file_not_found").await;
    }
    let own = company.file(ann.id(), "own.txt", "text/plain", b"mine").await;
    assert_eq!(ann.ok("get_file", json!({"file_id": own})).await["content"], "mine");

    // a deleted file is not found, and neither is a file whose message was deleted
    company.operator.delete(&format!("/admin/v1/files/{plan}")).ok(200).await;
    ann.fails("get_file", json!({"file_id": plan}), "file_not_found").await;
    company.erase(&message).await;
    ann.fails("get_file", json!({"file_id": picture}), "file_not_found").await;
}

/// Reading the content of a file from a bucket can take long. If the employee leaves the conversation during the read,
/// the content is not returned.
#[both_engines]
async fn a_file_is_not_returned_to_an_employee_who_left_while_its_content_was_read(
    engine: Engine,
) -> Option<()> {
    let bucket = Arc::new(Bucket::start().await);
    let configured = Arc::clone(&bucket);
    let configure = Some(Arc::new(move |config: &mut _| configured.configure(config)) as _);
    let server = Server::with(Options { engine, configure, ..Options::default() }).await?;
    let company = server.company().await;
    let ann = server.assistant(&company, "Ann Example").await;
    let person = company.person().await;
    let group = company.group(&[&person, ann.id()]).await;
    let file = company.file(&person, "plan.txt", "text/plain", b"for members only").await;
    company.post_with(&group, &person, json!({"type": "file", "file_ids": [file]})).await;
    let client = server.mcp(&ann.tokens.access, mcp::MODERN);
    let asked = json!({"file_id": file});
    let found = client.tool("get_file", asked.clone()).await.result();
    assert_eq!(found["structuredContent"]["content"], "for members only");

    let reads = bucket.reads();
    let held = bucket.hold().await;
    let reading = tokio::spawn(async move { client.tool("get_file", asked).await });
    until(async || bucket.reads() > reads).await;
    company.remove(&group, ann.id()).await;
    drop(held);
    let result = reading.await.unwrap().result();
    let said = text(&result, "/content/0/text");
    assert!(
        said.starts_with("file_not_found"),
        "the membership is checked after the content was read: {said}"
    );
    Some(())
}

#[both_engines]
async fn a_list_without_a_match_advises_to_try_other_words(server: Server) {
    let ann = server.assistant(&server.company().await, "Ann Example").await;
    for (tool, advice) in [("list_people", "Try another spelling"), ("list_conversations", "Try other words")]
    {
        let (_, said) = ann.both(tool, json!({"name": "nobody"})).await;
        assert!(said.contains(advice), "{said}");
    }
    let (_, said) = ann.both("list_conversations", json!({})).await;
    assert!(
        !said.contains("Try other words"),
        "a list without `name` has no advice about other words: {said}"
    );
}
