//! The start page, and the choice of a company.

use serde_json::json;

use crate::{
    pages::{
        colleague,
        conversation::{multipart, post_multipart},
    },
    support::{assistant::PASSWORD, *},
};

#[both_engines]
async fn people_of_several_companies_choose_one(server: Server) {
    let (one, two, other) = (server.company().await, server.company().await, server.company().await);
    let email = "several@choosing.example";
    let first = one.person_with(json!({"email": email, "password": PASSWORD})).await;
    let second = two.person_with(json!({"email": email})).await;
    let (here, there) = (one.group(&[&first]).await, two.group(&[&second]).await);
    let mut browser = server.signed_in(email, PASSWORD).await;
    let page = browser.get("/").await;
    page.shows(&format!("value=\"{}\"", one.id)).shows(&format!("value=\"{}\"", two.id));
    for path in ["/conversations", "/people", "/search", "/start", "/conversations/new"] {
        assert_eq!(browser.get(path).await.to(), "/");
    }
    for (company, shown, hidden) in [(&one, &here, &there), (&two, &there, &here), (&one, &here, &there)] {
        let answer = browser.submit_on(&page, "/company", &[("workspace_id", &company.id)]).await;
        assert_eq!(answer.see_other(), "/");
        browser.get("/conversations").await.shows(shown).hides(hidden);
    }
    // the choice belongs to the session
    let mut elsewhere = server.signed_in(email, PASSWORD).await;
    assert_eq!(elsewhere.get("/conversations").await.to(), "/");
    for wrong in [other.id.as_str(), "cmp_0000000000001", ""] {
        browser.submit_on(&page, "/company", &[("workspace_id", wrong)]).await.is(404, "Page not found");
    }
    browser.post("/company", &[("workspace_id", &two.id)]).await.is(403, "Please try again");
    browser.get("/conversations").await.shows(&here);
    // with one company left there is nothing to choose
    one.set_state(&first, "deactivated").await;
    browser.get("/conversations").await.shows(&there).hides(&here);
}

/// The script cannot distinguish a redirect from success, so a redirect would lose the message.
#[both_engines]
async fn a_script_without_a_chosen_company_is_refused(server: Server) {
    let (one, two) = (server.company().await, server.company().await);
    let email = "scripted@choosing.example";
    let me = one.person_with(json!({"email": email, "password": PASSWORD})).await;
    two.person_with(json!({"email": email})).await;
    let group = one.group(&[&me]).await;
    let mut browser = server.signed_in(email, PASSWORD).await;
    let page = browser.get("/").await;
    let csrf = page.csrf("/company");
    browser.headers.push("x-switchboard-script: 1".into());
    for path in ["/start", "/conversations", "/conversations/live", &format!("/c/{group}")] {
        browser.get(path).await.is(409, "you have not chosen a company");
    }
    let fields = [("csrf", csrf.as_str()), ("text", "lost?")];
    let (form, upload) =
        (format!("/c/{group}/messages"), multipart(&fields, &[("a.txt", "text/plain", b"a")]));
    browser.post(&form, &fields).await.is(409, "Nothing was changed").hides("lost?");
    post_multipart(&mut browser, &form, &upload).await.is(409, "Nothing was changed");
    browser.post(&format!("/c/{group}/read"), &fields).await.is(409, "Nothing was changed");
    browser.post("/company", &[("csrf", &csrf), ("workspace_id", &one.id)]).await.see_other();
    browser.post(&form, &fields).await.see_other();
    post_multipart(&mut browser, &form, &upload).await.see_other();
    assert_eq!(one.messages(&group).await.len(), 2);
}

#[both_engines]
async fn the_start_page_leads_to_what_people_do_first(server: Server) {
    let company = server.company().await;
    let (me, mut browser) = colleague(&server, &company, json!({"name": "Ada"})).await;
    let page = browser.get("/").await;
    page.shows("Hello, Ada").shows("You are in no conversation yet");
    for path in ["/people", "/conversations/new", "/conversations?show=open", "/settings/privacy"] {
        page.shows(&format!("href=\"{path}\""));
    }
    let group = company.group(&[&me]).await;
    browser.get("/").await.shows("Choose a conversation").shows(&format!("href=\"/c/{group}\""));
    browser.get("/start").await.shows("Hello, Ada");
    let (_, mut guest) = colleague(&server, &company, json!({"is_external": true})).await;
    guest.get("/").await.shows("Write to somebody").hides("show=open");
    let mut nobody = server.browser();
    for path in ["/start", "/conversations", "/people", "/search", "/people/usr_0000000000001"] {
        let page = nobody.get(path).await;
        assert!(page.to().starts_with("/signin?next="), "{path}");
    }
}

#[both_engines]
async fn a_deactivated_person_is_signed_out(server: Server) {
    let company = server.company().await;
    let (me, mut browser) = colleague(&server, &company, json!({})).await;
    browser.get("/conversations").await.shows("Conversations");
    company.set_state(&me, "deactivated").await;
    assert_eq!(browser.get("/conversations").await.to(), "/signin?next=%2Fconversations");
}
