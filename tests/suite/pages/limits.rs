//! The rate limits of the pages, with the numbers of `docs/limits.md`. Only the tests move the clock, so a limit
//! recovers only when a test advances the clock.

use std::{net::Ipv4Addr, time::Duration};

use serde_json::json;

use super::{
    colleague,
    conversation::{hidden, send_files},
};
use crate::support::{
    browser::{Browser, Page},
    *,
};

/// Number of forms that an address may post at once, and the number in each second after that.
const FORMS: (usize, usize) = (400, 20);
/// Number of requests that an account may send to the pages at once, and the number in each second after that.
const PAGES: (usize, usize) = (200, 20);

/// Number of links to files of messages that an account may open at once, and the number in each second after that.
const MESSAGE_FILES: (usize, usize) = (1000, 100);

/// Asserts that a request was rejected because of a limit that recovers within a second.
#[track_caller]
fn is_too_often(page: &Page) {
    page.is(429, "Too many requests");
    assert_eq!(page.header("retry-after"), Some("1"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn open_windows_do_not_use_up_the_limit_of_forms() {
    let server = Server::limited().await;
    let company = server.company().await;
    let mut people = Vec::new();
    for _ in 0..3 {
        people.push(colleague(&server, &company, json!({})).await);
    }
    let ids: Vec<&str> = people.iter().map(|(id, _)| id.as_str()).collect();
    let group = company.group(&ids).await;
    let sent = company.post(&group, ids[0], "to be read").await;
    // from the same address, a window of each person marks the message as read many times
    for (_, browser) in &mut people {
        let csrf = browser.get("/settings/privacy").await.csrf("/signout");
        for _ in 0..FORMS.0 / 3 + 20 {
            let fields = [("csrf", csrf.as_str()), ("message_id", &sent)];
            browser.post(&format!("/c/{group}/read"), &fields).await.see_other();
        }
    }
    let browser = &mut people[0].1;
    let page = browser.get(&format!("/c/{group}")).await;
    let form = format!("/c/{group}/messages");
    browser.submit_on(&page, &form, &[("text", "still possible")]).await.see_other();
}

/// Posts a text without a session, from the address that has posted too many forms. The server rejects this form
/// without reading the body. Asserts that the error page does not contain the text, and returns the page.
async fn post_without_session(stranger: &mut Browser, form: &str) -> Page {
    stranger.from = None;
    let page = stranger.post(form, &[("text", "too soon")]).await;
    page.hides("too soon");
    page
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_posts_a_limited_number_of_forms() {
    let server = Server::limited().await;
    let company = server.company().await;
    let (ann, mut browser) = colleague(&server, &company, json!({})).await;
    let group = company.group(&[&ann]).await;
    let page = browser.get(&format!("/c/{group}")).await;
    let mut stranger = server.browser();
    let mut posted = 0;
    let refused = loop {
        // without a session, the form `/read` counts as well
        let path = if posted % 2 == 0 { "/dm" } else { "/c/grp_0000000000001/read" };
        let page = stranger.post(path, &[]).await;
        if page.wire.status == 429 {
            break page;
        }
        assert!(page.to().starts_with("/signin"), "{}", page.to());
        posted += 1;
        assert!(posted <= FORMS.0, "an address posts at most {} forms at once", FORMS.0);
    };
    is_too_often(&refused);
    // the form with which the person signed in counts, too
    assert!(posted >= FORMS.0 - 5, "no form is rejected below the limit: {posted} forms");
    // the address may still request pages, and another address may still post forms
    stranger.get("/signin").await.is(200, "Sign in");
    stranger.from = Some(Ipv4Addr::new(127, 0, 0, 2));
    assert!(stranger.post("/dm", &[]).await.to().starts_with("/signin"));
    let form = format!("/c/{group}/messages");
    // for a signed-in person, the error page contains the text
    let refused = browser.submit_on(&page, &form, &[("text", "too soon")]).await;
    let by_multipart = send_files(&mut browser, &page, "too soon", &[("a.txt", "text/plain", b"a")]).await;
    for refused in [refused, by_multipart] {
        is_too_often(&refused);
        refused.is(429, "\ntoo soon</textarea>");
        assert_eq!(hidden(&refused, "client_key"), hidden(&page, "client_key"));
    }
    is_too_often(&post_without_session(&mut stranger, &form).await);
    server.advance(Duration::from_secs(1)).await;
    for _ in 0..FORMS.1 {
        browser.submit_on(&page, &form, &[("text", "again")]).await.see_other();
    }
    is_too_often(&browser.submit_on(&page, &form, &[("text", "again")]).await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_account_requests_a_limited_number_of_pages() {
    let server = Server::limited().await;
    let company = server.company().await;
    let (ann, mut browser) = colleague(&server, &company, json!({})).await;
    let (_, mut other) = colleague(&server, &company, json!({})).await;
    let group = company.group(&[&ann]).await;
    let page = browser.get(&format!("/c/{group}")).await;
    for _ in 1..PAGES.0 {
        browser.get("/settings/privacy").await.is(200, "Privacy");
    }
    is_too_often(&browser.get("/settings/privacy").await);
    // the limit of the account also applies to requests from another address
    browser.from = Some(Ipv4Addr::new(127, 0, 0, 2));
    is_too_often(&browser.get("/settings/privacy").await);
    // the error page contains the text
    let form = format!("/c/{group}/messages");
    let refused = browser.submit_on(&page, &form, &[("text", "too soon")]).await;
    is_too_often(&refused);
    refused.is(429, "\ntoo soon</textarea>");
    assert_eq!(hidden(&refused, "client_key"), hidden(&page, "client_key"));
    assert!(company.messages(&group).await.is_empty());
    other.get("/settings/privacy").await.is(200, "Privacy");
    server.advance(Duration::from_secs(1)).await;
    for _ in 0..PAGES.1 {
        browser.get("/settings/privacy").await.is(200, "Privacy");
    }
    is_too_often(&browser.get("/settings/privacy").await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn images_of_messages_do_not_use_up_the_limit_of_pages() {
    let server = Server::limited().await;
    let company = server.company().await;
    let (ann, mut browser) = colleague(&server, &company, json!({})).await;
    let group = company.group(&[&ann]).await;
    let file = company.file(&ann, "a.png", "image/png", b"a").await;
    company.post_with(&group, &ann, json!({"file_ids": [file]})).await;
    let path = format!("/c/{group}/files/{file}");
    browser.get(&format!("/c/{group}")).await.is(200, "<img ");
    for _ in 0..MESSAGE_FILES.0 {
        browser.get(&path).await.to();
    }
    is_too_often(&browser.get(&path).await);
    // the pages have a separate limit, against which only one request has counted so far
    for _ in 1..PAGES.0 {
        browser.get("/settings/privacy").await.is(200, "Privacy");
    }
    is_too_often(&browser.get("/settings/privacy").await);
    server.advance(Duration::from_secs(1)).await;
    for _ in 0..MESSAGE_FILES.1 {
        browser.get(&path).await.to();
    }
    is_too_often(&browser.get(&path).await);
    browser.get(&format!("/c/{group}")).await.is(200, "<img ");
}
