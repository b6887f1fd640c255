//! `/people` and direct messages.

use serde_json::json;

use switchboard::{domain::ids::WorkspaceId, store::DatabaseUrl};

use crate::{
    pages::{colleague, conversation::link},
    support::*,
};

#[both_engines]
async fn people_are_found_only_by_what_the_reader_sees_of_them(server: Server) {
    let (company, foreign) = (server.company().await, server.company().await);
    let (_, mut browser) = colleague(&server, &company, json!({"name": "Reader"})).await;
    let person = |name: &str, more: serde_json::Value| {
        let mut fields = json!({"name": name});
        for (field, value) in more.as_object().unwrap() {
            fields[field] = value.clone();
        }
        fields
    };
    let bob = company
        .person_with(person("Bob Builder", json!({"title": "Mason", "email": "bb@people.example"})))
        .await;
    let shy = company
        .person_with(person("Shy Person", json!({"email": "secret@people.example", "email_visible": false})))
        .await;
    let hidden = company
        .person_with(person("Hidden Guest", json!({"is_external": true, "guest_visible": false})))
        .await;
    let guest = company.person_with(person("Visible Guest", json!({"is_external": true}))).await;
    let former = company.person_with(person("Former Colleague", json!({}))).await;
    company.set_state(&former, "deactivated").await;
    let stranger = foreign.person_with(person("Stranger", json!({}))).await;
    let page = browser.get("/people").await;
    for (id, is_listed) in
        [(&bob, true), (&shy, true), (&guest, true), (&hidden, false), (&former, false), (&stranger, false)]
    {
        let has_link = page.text.contains(&format!("/people/{id}"));
        assert_eq!(
            has_link, is_listed,
            "the page lists exactly the active people whom the reader sees: {id}"
        );
    }
    for (query, found) in [
        ("builder", vec![&bob]),
        ("bb%40people.example", vec![&bob]),
        ("secret", vec![]),
        ("secret%40people.example", vec![]),
        ("shy", vec![&shy]),
        ("former", vec![]),
        ("guest", vec![&guest]),
        ("stranger", vec![]),
        ("%20-%20", vec![]),
    ] {
        let page = browser.get(&format!("/people?q={query}")).await;
        for id in [&bob, &shy, &guest, &hidden, &former, &stranger] {
            let is_found = page.text.contains(&format!("/people/{id}"));
            assert_eq!(
                is_found,
                found.contains(&id),
                "a search finds exactly the active people whose visible data match: {query} {id}"
            );
        }
    }
    browser.get(&format!("/people?q={}", "x".repeat(201))).await.is(422, "too long").hides("matches");
    browser
        .get(&format!("/people/{bob}"))
        .await
        .shows("Bob Builder")
        .shows("Mason")
        .shows("bb@people.example");
    browser.get(&format!("/people/{shy}")).await.shows("Shy Person").hides("secret@people.example");
    for id in [hidden.as_str(), &stranger, "usr_0000000000001", "x"] {
        browser.get(&format!("/people/{id}")).await.is(404, "Nobody found");
    }
    browser.get(&format!("/people/{former}")).await.shows("Deactivated").hides("action=\"/dm\"");
}

#[both_engines]
async fn the_direct_conversation_with_a_person_is_created_once(server: Server) {
    let (company, foreign) = (server.company().await, server.company().await);
    let (me, mut browser) = colleague(&server, &company, json!({})).await;
    let (bob, former) = (company.person_with(json!({"name": "Bob"})).await, company.person().await);
    let stranger = foreign.person().await;
    company.set_state(&former, "deactivated").await;
    let path = format!("/people/{bob}");
    let page = browser.get(&path).await;
    let answer = browser.submit_on(&page, "/dm", &[]).await;
    let direct = answer.see_other().to_owned();
    assert!(direct.starts_with("/c/dm_"));
    assert_eq!(browser.submit_on(&page, "/dm", &[]).await.see_other(), direct);
    browser.get(&path).await.shows(&format!("href=\"{direct}\""));
    browser.get("/conversations").await.shows(&format!("href=\"{direct}\""));
    assert_eq!(company.direct_conversations().await.len(), 1);
    let token = page.csrf("/signout");
    for (id, status, why) in [
        (stranger.as_str(), 404, "Nobody found"),
        ("usr_0000000000001", 404, "Nobody found"),
        ("", 404, "Nobody found"),
        (&former, 409, "deactivated"),
        (&me, 422, "yourself"),
    ] {
        browser.post("/dm", &[("csrf", &token), ("user_id", id)]).await.is(status, why);
    }
    browser.post("/dm", &[("user_id", &bob)]).await.is(403, "Please try again");
}

#[both_engines]
async fn a_direct_conversation_with_an_app_begins_with_the_apps_message(server: Server) {
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let (me, mut browser) = colleague(&server, &company, json!({})).await;
    let path = format!("/people/{}", bot.user_id);
    let page = browser.get(&path).await;
    page.shows("<span class=\"mark app\">App</span>").hides("action=\"/dm\"");
    let fields = [("csrf", page.csrf("/signout")), ("user_id", bot.user_id.clone())];
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
    browser.post("/dm", &fields).await.is(409, "begin with the app");
    bot.send(&to_user(&me, "hello")).await;
    let page = browser.get("/conversations").await;
    page.shows("<span class=\"mark app\">App</span>");
    assert!(browser.post("/dm", &fields).await.see_other().starts_with("/c/dm_"));
    browser.get(&path).await.shows("Open direct messages");
}

#[both_engines]
async fn guests_find_only_people_with_whom_they_have_a_conversation(server: Server) {
    let company = server.company().await;
    let (me, mut browser) = colleague(&server, &company, json!({"is_external": true})).await;
    let (bob, eve) = (company.person().await, company.person().await);
    let group = company.group(&[&me, &bob]).await;
    let page = browser.get("/people").await;
    page.shows(&format!("/people/{bob}")).hides(&format!("/people/{eve}"));
    browser.get(&format!("/people/{eve}")).await.is(404, "Nobody found");
    let token = page.csrf("/signout");
    browser.post("/dm", &[("csrf", &token), ("user_id", &eve)]).await.is(404, "Nobody found");
    browser.post("/dm", &[("csrf", &token), ("user_id", &bob)]).await.see_other();
    company.remove(&group, &bob).await;
    // the direct conversation still exists, so the guest still sees the other person
    browser.get(&format!("/people/{bob}")).await.shows("Open direct messages");
    // the guest can create a group only with people whom the guest sees
    let new = "/conversations/new";
    for (id, is_seen) in [(&eve, false), (&bob, true)] {
        let fields = [("kind", "group"), ("name", "Ours"), ("type", "private_channel"), ("member_ids", id)];
        let answer = browser.submit(new, &fields).await;
        if is_seen {
            answer.see_other();
        } else {
            answer.is(404, "do not see them");
        }
    }
}

#[both_engines]
async fn a_guest_finds_a_person_listed_after_thousands_whom_the_guest_does_not_see(server: Server) {
    let company = server.company().await;
    let (me, mut browser) = colleague(&server, &company, json!({"is_external": true})).await;
    let bob = company.person_with(json!({"name": "Bob Behind"})).await;
    company.group(&[&me, &bob]).await;
    // a page examines at most 5,000 people
    let workspace = WorkspaceId::parse(&company.id).unwrap().0;
    let crowd = format!(
        "INSERT INTO users (id, workspace_id, name, state, is_admin, is_external, is_bot, email_visible, guest_visible,
            sessions_valid_after, created_at, has_words)
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000)
         SELECT i, {workspace}, 'Somebody', 0, 0, 0, 0, 1, 1, 0, 0, 1 FROM n"
    );
    server.database.execute(&crowd).await;
    let page = browser.get("/people").await;
    page.shows("among the people that were looked at so far").hides("There is nobody to show.");
    let more = link(&page, "Look at more people").expect("a link");
    browser.get(&more).await.shows(&format!("/people/{bob}"));
    let page = browser.get("/conversations/new").await;
    page.shows("Find people by their name or e-mail address.").hides("There is nobody to add.");
    let token = page.csrf("/signout");
    let find = [("csrf", token.as_str()), ("kind", "group"), ("decision", "find"), ("find", "behind")];
    browser.post("/conversations/new", &find).await.shows("Bob Behind");
    // Thousands of people match this search, and the guest sees none of them. The search examines only some of them.
    // The word is "somebody", as bytes in hexadecimal.
    let word = match &server.database.url {
        DatabaseUrl::Sqlite(_) => "X'736f6d65626f6479'",
        DatabaseUrl::Postgres(_) => "decode('736f6d65626f6479', 'hex')",
    };
    let words = format!(
        "INSERT INTO user_words (user_id, word, workspace_id)
         SELECT id, {word}, workspace_id FROM users WHERE name = 'Somebody'"
    );
    server.database.execute(&words).await;
    let find = [("csrf", token.as_str()), ("kind", "group"), ("decision", "find"), ("find", "somebody")];
    browser
        .post("/conversations/new", &find)
        .await
        .shows("The search examined only some of the people, and none of them matches.")
        .hides("Find people by their name")
        // the script fills this list with the people whose boxes are checked
        .shows("<ul class=\"picks\">");
}

#[both_engines]
async fn a_guest_does_not_see_the_members_of_a_deleted_conversation(server: Server) {
    let company = server.company().await;
    let (me, mut browser) = colleague(&server, &company, json!({"is_external": true})).await;
    let bob = company.person().await;
    let group = company.group(&[&me, &bob]).await;
    browser.get(&format!("/people/{bob}")).await.shows("action=\"/dm\"");
    company.operator.delete(&format!("/admin/v1/conversations/{group}")).ok(200).await;
    browser.get(&format!("/people/{bob}")).await.is(404, "Nobody found");
    browser.get("/people").await.ok().hides(&format!("/people/{bob}"));
}

#[both_engines]
async fn a_hidden_guest_is_not_even_in_their_own_list_of_people(server: Server) {
    let company = server.company().await;
    let hidden = json!({"name": "Hidden Guest", "is_external": true, "guest_visible": false});
    let (me, mut browser) = colleague(&server, &company, hidden).await;
    for query in ["", "?q=hidden"] {
        let page = browser.get(&format!("/people{query}")).await;
        page.is(200, "<h1>People</h1>").hides(&format!("href=\"/people/{me}\" dir"));
    }
    browser.get(&format!("/people/{me}")).await.shows("Hidden Guest");
}
