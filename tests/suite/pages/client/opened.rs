//! The conversation where the start page leads.

use serde_json::json;

use crate::{pages::colleague, support::*};

/// Two groups of a person, of which the second has the newer message, and the browser in which the person has read both.
async fn two_groups(server: &Server) -> (Company, String, browser::Browser, [String; 2]) {
    let company = server.company().await;
    let (me, mut browser) = colleague(server, &company, json!({})).await;
    let bob = company.person().await;
    let groups = [company.group(&[&me, &bob]).await, company.group(&[&me, &bob]).await];
    for group in &groups {
        company.post(group, &bob, "hello").await;
        browser.get(&format!("/c/{group}")).await.shows("hello");
    }
    (company, me, browser, groups)
}

#[both_engines]
async fn the_start_page_leads_to_the_conversation_opened_last(server: Server) {
    let (company, me, mut browser, [older, newer]) = two_groups(&server).await;
    assert_eq!(browser.get("/").await.to(), format!("/c/{newer}"));
    // nothing in it is new, so nothing is marked as read
    let page = browser.get(&format!("/c/{older}")).await;
    assert!(page.header("set-cookie").is_some_and(|cookie| cookie.contains("HttpOnly; SameSite=Lax")));
    assert_eq!(browser.get(&format!("/c/{older}")).await.header("set-cookie"), None, "it is set once");
    assert_eq!(browser.get("/").await.to(), format!("/c/{older}"));
    // a permalink is of its conversation; what the script reads was not opened
    let message = text(&company.messages(&newer).await[0], "/id");
    browser.get(&format!("/c/{newer}/{message}")).await.shows("hello");
    let mut script = browser.clone();
    script.headers.push("x-switchboard-script: 1".into());
    script.get(&format!("/c/{older}")).await.shows("hello");
    assert_eq!(script.get("/").await.to(), format!("/c/{newer}"));
    // one that was archived or left is not shown; it was read last of those that were opened here
    browser.get(&format!("/c/{older}")).await;
    company.archive(&older, true).await;
    assert_eq!(browser.get("/").await.to(), format!("/c/{newer}"));
    company.archive(&older, false).await;
    assert_eq!(browser.get("/").await.to(), format!("/c/{older}"));
    company.remove(&older, &me).await;
    assert_eq!(browser.get("/").await.to(), format!("/c/{newer}"));
    company.delete_conversation(&newer).await;
    browser.get("/").await.shows("Hello");
}

#[both_engines]
async fn the_conversation_opened_last_is_of_the_person_and_the_browser(server: Server) {
    let (company, me, mut browser, [older, newer]) = two_groups(&server).await;
    browser.get(&format!("/c/{older}")).await;
    let mut other = browser.clone();
    other.cookies.remove("opened");
    assert_eq!(other.get("/").await.to(), format!("/c/{newer}"), "another browser of the person");
    // a colleague who is in both signs in, in the same browser
    let (bob, mut bobs) = colleague(&server, &company, json!({})).await;
    for group in [&older, &newer] {
        company.add(group, &bob).await;
        bobs.get(&format!("/c/{group}")).await;
    }
    bobs.cookies.insert("opened".into(), browser.cookies["opened"].clone());
    assert_eq!(bobs.get("/").await.to(), format!("/c/{newer}"));
    // a forged one has no effect
    let foreign = server.company().await;
    let stranger = foreign.person().await;
    let theirs = foreign.group(&[&stranger]).await;
    for forged in [format!("{me}.{theirs}"), format!("{me}.grp_0000000000001"), me.clone(), "x.y".into()] {
        other.cookies.insert("opened".into(), forged);
        assert_eq!(other.get("/").await.to(), format!("/c/{newer}"));
    }
    let page = browser.get("/start").await;
    assert_eq!(browser.submit_on(&page, "/signout", &[]).await.to(), "/signin");
    assert_eq!(browser.cookies.get("opened"), None, "signing out deletes it");
}
