//! Read marks: a mark is the last message that a person has read in a conversation. The scripts of open windows send
//! marks, and the server writes them to the database some seconds later.

use serde_json::json;

use super::window::{Window, unread};
use crate::support::{assistant::PASSWORD, browser::Browser, *};

#[both_engines]
async fn a_read_mark_changes_the_unread_count_at_once_and_survives_a_shutdown(server: Server) {
    let company = server.company().await;
    let email = "reads@live.example";
    let ann = company.person_with(json!({"email": email, "password": PASSWORD})).await;
    let mut browser = server.signed_in(email, PASSWORD).await;
    let bob = company.person().await;
    let group = company.group(&[&ann, &bob]).await;
    let mut list = Window::open(&server, &browser, "/conversations/live", None).await;
    let first = company.post(&group, &bob, "first").await;
    company.post(&group, &bob, "second").await;
    while unread(&list.next("unread").await) != (group.clone(), 2) {}
    let page = browser.get("/conversations").await;
    page.shows("aria-label=\"2 unread\"");
    let csrf = page.csrf("/signout");
    let path = format!("/c/{group}/read");
    browser.headers.push("x-switchboard-script: 1".into());
    browser.post(&path, &[("csrf", &csrf), ("message_id", &first)]).await.see_other();
    browser.get("/conversations").await.shows("aria-label=\"1 unread\"");
    while unread(&list.next("unread").await) != (group.clone(), 1) {}
    browser.post(&path, &[("csrf", &csrf)]).await.see_other();
    while unread(&list.next("unread").await) != (group.clone(), 0) {}
    drop(list);
    let server = server.restarted().await;
    let mut browser = server.signed_in(email, PASSWORD).await;
    browser.get("/conversations").await.is(200, &group).hides("1 unread").hides("2 unread");
}

/// If a session ends before its mark is written, the mark is dropped.
#[both_engines]
async fn a_mark_is_written_for_each_browser_that_is_still_signed_in(server: Server) {
    let company = server.company().await;
    let email = "twice@live.example";
    let ann = company.person_with(json!({"email": email, "password": PASSWORD})).await;
    let bob = company.person().await;
    let [both, one] = [company.group(&[&ann, &bob]).await, company.group(&[&ann, &bob]).await];
    let mut sent = Vec::new();
    for group in [&both, &both, &one, &one] {
        sent.push((group, company.post(group, &bob, "hello").await));
    }
    let (mut left, mut stays) =
        (server.signed_in(email, PASSWORD).await, server.signed_in(email, PASSWORD).await);
    let mark = async |browser: &mut Browser, (group, message): &(&String, String)| {
        let csrf = browser.get("/settings/privacy").await.csrf("/signout");
        let mut script = browser.clone();
        script.headers.push("x-switchboard-script: 1".into());
        script
            .post(&format!("/c/{group}/read"), &[("csrf", &csrf), ("message_id", message)])
            .await
            .see_other();
    };
    // In the group `both`, both browsers mark the last message. In the group `one`, the browser that signs out marks
    // the last message, and the browser that stays signed in marks only the first message.
    for read in [1, 3] {
        mark(&mut left, &sent[read]).await;
    }
    for read in [1, 2] {
        mark(&mut stays, &sent[read]).await;
    }
    let page = left.get("/settings/privacy").await;
    left.submit_on(&page, "/signout", &[]).await.to();
    let server = server.restarted().await;
    let mut browser = server.signed_in(email, PASSWORD).await;
    let page = browser.get("/conversations").await;
    let unread = |group: &str| {
        let item = page.text.split(&format!("href=\"/c/{group}\"")).nth(1).expect("a list");
        let label =
            item.split("</a>").next().unwrap().split("aria-label=\"").find(|part| part.contains(" unread\""));
        label.map_or(0, |label| label.split(' ').next().unwrap().parse::<u32>().expect("a number"))
    };
    assert_eq!(
        (unread(&both), unread(&one)),
        (0, 1),
        "the marks of the browser that stays signed in are stored, and those of the other browser are dropped"
    );
}
