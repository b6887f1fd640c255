//! `/conversations/new` creates groups, and channels of groups, under the rules of the admin API (W-15).

use std::collections::BTreeSet;

use futures_util::future::join_all;
use serde_json::json;

use crate::{
    pages::colleague,
    support::{assistant::PASSWORD, browser::Page, *},
};

const PATH: &str = "/conversations/new";

/// Returns the id of the conversation that a form has created.
fn created(page: &Page) -> String {
    page.see_other().strip_prefix("/c/").unwrap().to_owned()
}

async fn read(company: &Company, id: &str) -> serde_json::Value {
    company.operator.get(&format!("/admin/v1/conversations/{id}")).ok(200).await["conversation"].clone()
}

#[both_engines]
async fn groups_and_channels_are_created(server: Server) {
    let company = server.company().await;
    let (me, mut browser) = colleague(&server, &company, json!({})).await;
    let (bob, eve) = (
        company.person_with(json!({"name": "Bob Found"})).await,
        company.person_with(json!({"name": "Eve"})).await,
    );
    browser.get(PATH).await.shows("Bob Found").shows(&format!("value=\"{bob}\""));
    let fields = [
        ("kind", "group"),
        ("name", " Night shift "),
        ("topic", "Who is awake"),
        ("type", "private_channel"),
        ("member_ids", &bob),
        ("member_ids", &eve),
    ];
    let group = created(&browser.submit(PATH, &fields).await);
    let made = read(&company, &group).await;
    assert_eq!((&made["name"], &made["topic"]), (&json!("Night shift"), &json!("Who is awake")));
    assert_eq!((&made["type"], &made["member_count"]), (&json!("private_channel"), &json!(3)));
    // one field may name several people, separated by commas
    let both = format!("{me}, {bob}");
    let fields =
        [("kind", "channel"), ("name", "Coffee"), ("parent_id", &group), ("member_ids", both.as_str())];
    browser.get(&format!("{PATH}?parent_id={group}")).await.shows(&format!("value=\"{group}\" selected"));
    let page = browser.get(&format!("{PATH}?kind=channel")).await;
    let channel = created(&browser.submit_on(&page, PATH, &fields).await);
    let made = read(&company, &channel).await;
    assert_eq!((&made["parent_id"], &made["member_count"]), (&json!(group), &json!(2)));
}

#[both_engines]
async fn a_refused_form_says_why_and_keeps_what_was_typed(server: Server) {
    let (company, foreign) = (server.company().await, server.company().await);
    let (_, mut browser) = colleague(&server, &company, json!({})).await;
    let (bob, former) = (company.person_with(json!({"name": "Bob"})).await, company.person().await);
    let stranger = foreign.person().await;
    company.set_state(&former, "deactivated").await;
    let open = company.group(&[&bob]).await;
    let private = company.conversation(json!({"type": "private_channel", "member_ids": [bob]})).await;
    let archived = company.group(&[&bob]).await;
    company.archive(&archived, true).await;
    let long = "x".repeat(201);
    let group = |extra: &[(&'static str, &str)]| -> Vec<(&'static str, String)> {
        let fixed = [("kind", "group"), ("name", "Kept name"), ("topic", "Kept topic"), ("type", "channel")];
        let mut all: Vec<(&'static str, String)> =
            fixed.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
        all.retain(|(name, _)| !extra.iter().any(|(other, _)| other == name));
        all.extend(extra.iter().map(|(name, value)| (*name, (*value).to_owned())));
        all
    };
    let channel = |parent: &str| -> Vec<(&'static str, String)> {
        [("kind", "channel"), ("name", "Kept name"), ("topic", "Kept topic"), ("parent_id", parent)]
            .map(|(name, value)| (name, value.to_owned()))
            .into()
    };
    for (fields, status, why) in [
        (group(&[("name", "")]), 422, "Type a name"),
        (group(&[("name", "\u{200b}")]), 400, "visible"),
        (group(&[("name", &long)]), 422, "The name is too long"),
        (group(&[("topic", &"y".repeat(1_001))]), 422, "The topic is too long"),
        (group(&[("type", "secret")]), 422, "Choose who may join"),
        (group(&[("kind", "dm")]), 422, "a group or a channel"),
        (group(&[("kind", "")]), 422, "a group or a channel"),
        (group(&[("parent_id", &open)]), 422, "Only a channel belongs to a group"),
        (group(&[("member_ids", &stranger)]), 404, "do not see them"),
        (group(&[("member_ids", "nobody")]), 404, "do not see them"),
        (group(&[("member_ids", &former)]), 409, "deactivated or removed"),
        (channel(""), 422, "Choose the group"),
        (channel("grp_0000000000001"), 404, "no such group"),
        (channel(&private), 403, "in a group that you are in"),
        (channel(&archived), 409, "archived"),
    ] {
        let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let page = browser.submit(PATH, &fields).await;
        page.is(status, why).is(status, "role=\"alert\"");
        for (name, value) in &fields {
            if ["name", "topic"].contains(name) && !value.is_empty() {
                page.is(status, &format!("value=\"{value}\""));
            }
        }
    }
    let made = company.operator.get(&company.path("/conversations")).ok(200).await;
    assert_eq!(made["conversations"].as_array().unwrap().len(), 3, "a refused form creates nothing");
}

#[both_engines]
async fn a_form_that_is_sent_again_creates_one_conversation(server: Server) {
    let company = server.company().await;
    let (_, mut browser) = colleague(&server, &company, json!({})).await;
    let fields = [("name", "Once"), ("type", "channel")];
    let page = browser.get(PATH).await;
    let group = created(&browser.submit_on(&page, PATH, &fields).await);
    assert_eq!(created(&browser.submit_on(&page, PATH, &fields).await), group);
    // the same idempotency key with another name is refused; the response shows the form again, with a new key
    let other = [("name", "Another"), ("type", "channel")];
    let refused = browser.submit_on(&page, PATH, &other).await;
    refused.is(409, "has created a conversation already").is(409, "value=\"Another\"");
    let second = created(&browser.submit_on(&refused, PATH, &other).await);
    assert_ne!(second, group);
    // a form with an invalid field creates nothing; the response shows the form again, with the same key
    let page = browser.get(PATH).await;
    let refused = browser.submit_on(&page, PATH, &[("name", ""), ("type", "channel")]).await;
    let key = |page: &Page| page.form(PATH).hidden.into_iter().find(|(name, _)| name == "client_key");
    assert_eq!(key(refused.is(422, "Type a name")), key(&page));
    // the same form is submitted ten times at once, as by several clicks
    let clicks = (0..10).map(|_| {
        let (mut browser, refused) = (browser.clone(), refused.clone());
        tokio::spawn(async move { browser.submit_on(&refused, PATH, &fields).await })
    });
    let made: BTreeSet<String> =
        join_all(clicks).await.iter().map(|page| created(page.as_ref().unwrap())).collect();
    assert_eq!(made.len(), 1, "{made:?}");
    // if the conversation is deleted, the same form does not create it again
    company.delete_conversation(&group).await;
    let page = browser.get(PATH).await;
    let third = created(&browser.submit_on(&page, PATH, &fields).await);
    company.delete_conversation(&third).await;
    browser.submit_on(&page, PATH, &fields).await.is(409, "has created a conversation already");
    // if the form has no idempotency key, each submission creates a conversation
    let page = browser.get(PATH).await;
    let all: Vec<_> = fields.into_iter().chain([("client_key", "")]).collect();
    let fourth = created(&browser.submit_on(&page, PATH, &all).await);
    assert_ne!(created(&browser.submit_on(&page, PATH, &all).await), fourth);
}

#[both_engines]
async fn a_search_for_people_keeps_the_fields_of_the_form(server: Server) {
    let company = server.company().await;
    let (_, mut browser) = colleague(&server, &company, json!({})).await;
    let (bob, eve) = (
        company.person_with(json!({"name": "Bob Chosen"})).await,
        company.person_with(json!({"name": "Eve Sought"})).await,
    );
    let fields = [
        ("name", "Kept name"),
        ("type", "private_channel"),
        ("member_ids", bob.as_str()),
        ("find", "sou"),
        ("decision", "find"),
    ];
    let page = browser.submit(PATH, &fields).await;
    page.shows("value=\"Kept name\"").shows("Eve Sought").hides("role=\"alert\"");
    page.shows(&format!("value=\"{bob}\" checked")).shows(&format!("value=\"{eve}\">"));
    page.shows("value=\"private_channel\" checked");
    // "Find" without a search text shows everybody again
    let fields = [("name", "Kept name"), ("type", "channel"), ("find", ""), ("decision", "find")];
    let page = browser.submit(PATH, &fields).await;
    page.is(200, "value=\"Kept name\"").shows("Eve Sought").shows("Bob Chosen").hides("role=\"alert\"");
    let long = "x".repeat(201);
    let fields = [("name", "Kept name"), ("type", "channel"), ("find", long.as_str()), ("decision", "find")];
    let page = browser.submit(PATH, &fields).await;
    page.is(422, "The search text is too long.").is(422, "value=\"Kept name\"");
    // Enter in a field presses the first button. If the search field has a text, this button searches; if not, it
    // creates the conversation.
    let buttons: Vec<&str> = page.text.split("name=\"decision\" value=\"").skip(1).collect();
    assert!(buttons[0].starts_with("enter\""), "{}", buttons[0]);
    let fields = [("name", "Kept name"), ("type", "channel"), ("find", "sou"), ("decision", "enter")];
    browser.submit(PATH, &fields).await.is(200, "Eve Sought").hides("Bob Chosen");
    let fields = [("name", "Made"), ("type", "channel"), ("find", ""), ("decision", "enter")];
    created(&browser.submit(PATH, &fields).await);
}

/// To update the page, the script loads the address in `data-page`. If the script reloaded the response to a form
/// instead, it would submit the form again.
#[both_engines]
async fn the_answer_to_a_form_has_the_address_of_the_page_of_the_form(server: Server) {
    let company = server.company().await;
    let (_, mut browser) = colleague(&server, &company, json!({})).await;
    for path in [PATH.to_owned(), format!("{PATH}?kind=channel")] {
        let page = browser.get(&path).await;
        page.hides(" data-page=");
        let page = browser.submit_on(&page, PATH, &[("name", "Kept"), ("decision", "find")]).await;
        page.is(200, &format!(" data-page=\"{path}\"")).shows("value=\"Kept\"");
    }
}

#[both_engines]
async fn a_form_that_was_shown_for_another_company_creates_nothing(server: Server) {
    let (one, two) = (server.company().await, server.company().await);
    let email = "several@creating.example";
    one.person_with(json!({"email": email, "password": PASSWORD})).await;
    two.person_with(json!({"email": email})).await;
    let mut browser = server.signed_in(email, PASSWORD).await;
    let start = browser.get("/").await;
    browser.submit_on(&start, "/company", &[("workspace_id", &one.id)]).await.see_other();
    let opened = browser.get(PATH).await;
    browser.submit_on(&start, "/company", &[("workspace_id", &two.id)]).await.see_other();
    let fields = [("name", "Kept name"), ("topic", "Kept topic"), ("type", "private_channel")];
    for extra in [&[][..], &[("find", "a"), ("decision", "find")]] {
        let refused = browser.submit_on(&opened, PATH, &[&fields[..], extra].concat()).await;
        refused.is(409, "for another company").is(409, "Kept name").is(409, "Kept topic");
        refused.is(409, "value=\"private_channel\" checked");
    }
    for company in [&one, &two] {
        let made = company.operator.get(&company.path("/conversations")).ok(200).await;
        assert_eq!(made["conversations"], json!([]), "a refused form creates nothing");
    }
    let refused = browser.submit_on(&opened, PATH, &fields).await;
    let group = created(&browser.submit_on(&refused, PATH, &fields).await);
    assert_eq!(read(&two, &group).await["workspace_id"], json!(two.id));
    // a form without the field `workspace_id` creates the group in the company that was chosen for the session
    let csrf = opened.csrf(PATH);
    let fields = [("kind", "group"), ("name", "Scripted"), ("type", "channel"), ("csrf", csrf.as_str())];
    let group = created(&browser.post(PATH, &fields).await);
    assert_eq!(read(&two, &group).await["workspace_id"], json!(two.id));
}

/// A person chooses the group of a new channel from a list of up to 200 groups of the person and 200 open groups. The
/// list also has the group that the address or the refused form names, even if it is not one of these.
#[both_engines]
async fn the_form_keeps_a_chosen_group_that_is_not_among_the_listed_groups(server: Server) {
    let company = server.company().await;
    let (me, mut browser) = colleague(&server, &company, json!({})).await;
    let mut groups = Vec::new();
    for _ in 0..201 {
        groups.push(company.group(&[&me]).await);
    }
    let page = browser.get(PATH).await;
    page.hides("name=\"parent_id\"");
    for group in [&groups[0], &groups[200]] {
        let page = browser.get(&format!("{PATH}?parent_id={group}")).await;
        page.shows(&format!("<option value=\"{group}\" selected>"));
    }
    let fields = [("kind", "channel"), ("name", ""), ("parent_id", groups[0].as_str())];
    let page = browser.submit(&format!("{PATH}?kind=channel"), &fields).await;
    page.is(422, &format!("<option value=\"{}\" selected>", groups[0]));
}
