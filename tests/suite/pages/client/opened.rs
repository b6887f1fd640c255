//! The start page redirects to the conversation that the person opened last in this browser. There may be no such
//! conversation, it may be archived, or the person may have been removed from it. In these cases, the start page
//! redirects to the conversation that has the newest of all messages that the person has read.

use serde_json::json;

use crate::{pages::colleague, support::*};

/// Creates two groups of a person, and a browser in which the person has read both. The second group has the newer
/// message.
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
    // the older group has no new messages, so only the cookie records that the person has opened this group again
    let page = browser.get(&format!("/c/{older}")).await;
    assert!(page.header("set-cookie").is_some_and(|cookie| cookie.contains("HttpOnly; SameSite=Lax")));
    let again = browser.get(&format!("/c/{older}")).await;
    assert_eq!(again.header("set-cookie"), None, "opening the same conversation again sets no cookie");
    assert_eq!(browser.get("/").await.to(), format!("/c/{older}"));
    // opening the permalink of a message counts as opening the conversation, but a request of the page's script does
    // not
    let message = text(&company.messages(&newer).await[0], "/id");
    browser.get(&format!("/c/{newer}/{message}")).await.shows("hello");
    let mut script = browser.clone();
    script.headers.push("x-switchboard-script: 1".into());
    script.get(&format!("/c/{older}")).await.shows("hello");
    assert_eq!(script.get("/").await.to(), format!("/c/{newer}"));
    // if the conversation opened last is archived, or the person was removed from it, the start page redirects to the
    // other conversation
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
async fn the_conversation_opened_last_is_remembered_for_one_person_in_one_browser(server: Server) {
    let (company, me, mut browser, [older, newer]) = two_groups(&server).await;
    browser.get(&format!("/c/{older}")).await;
    let mut other = browser.clone();
    other.cookies.remove("opened");
    let to = format!("/c/{newer}");
    assert_eq!(other.get("/").await.to(), to, "without the cookie, the newest read message decides");
    // A colleague, who is a member of both groups, signs in to the same browser. The cookie of the first person is
    // ignored.
    let (bob, mut bobs) = colleague(&server, &company, json!({})).await;
    for group in [&older, &newer] {
        company.add(group, &bob).await;
        bobs.get(&format!("/c/{group}")).await;
    }
    bobs.cookies.insert("opened".into(), browser.cookies["opened"].clone());
    assert_eq!(bobs.get("/").await.to(), format!("/c/{newer}"));
    // a forged cookie is ignored
    let foreign = server.company().await;
    let stranger = foreign.person().await;
    let theirs = foreign.group(&[&stranger]).await;
    for forged in [format!("{me}.{theirs}"), format!("{me}.grp_0000000000001"), me.clone(), "x.y".into()] {
        other.cookies.insert("opened".into(), forged);
        assert_eq!(other.get("/").await.to(), format!("/c/{newer}"));
    }
    let page = browser.get("/start").await;
    assert_eq!(browser.submit_on(&page, "/signout", &[]).await.to(), "/signin");
    assert_eq!(browser.cookies.get("opened"), None, "signing out deletes the cookie");
}

#[both_engines]
async fn the_start_page_uses_read_positions_that_are_not_stored_yet(server: Server) {
    let (company, _, mut browser, [older, newer]) = two_groups(&server).await;
    browser.cookies.remove("opened");
    assert_eq!(browser.get("/").await.to(), format!("/c/{newer}"));
    let bob = company.person().await;
    company.add(&older, &bob).await;
    company.post(&older, &bob, "newest").await;
    // the script of an open window of the older group reports the message as read; the server stores this later
    let csrf = browser.get("/conversations").await.csrf("/signout");
    browser.headers.push("x-switchboard-script: 1".into());
    browser.post(&format!("/c/{older}/read"), &[("csrf", &csrf)]).await.see_other();
    browser.cookies.remove("opened");
    assert_eq!(browser.get("/").await.to(), format!("/c/{older}"));
}
