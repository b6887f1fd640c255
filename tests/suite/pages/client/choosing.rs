//! The start page, and the choice of a company.

use serde_json::json;

use crate::{
    pages::colleague,
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
