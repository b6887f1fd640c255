//! A request for a message's file gets no redirect to the file if the caller's rights are revoked during the request
//! (decision 30).

use serde_json::json;

use super::{first, revoked_reads::wait_for_blocked_statements};
use crate::pages::colleague;

/// Four members of a group request the same file. The test locks the table `message_files`, and waits until the queries
/// of the four requests wait for the lock. Then one person signs out, one is deactivated, and one is removed from the
/// group. After that the test unlocks the table.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_link_to_a_file_is_not_sent_after_a_revocation() {
    let Some(here) = first().await else { return };
    let company = here.company().await;
    let mut people = Vec::new();
    for _ in 0..4 {
        people.push(colleague(&here, &company, json!({})).await);
    }
    let members: Vec<&str> = people.iter().map(|(id, _)| id.as_str()).collect();
    let group = company.group(&members).await;
    let file = company.file(members[0], "a.txt", "text/plain", b"for members only").await;
    company.post_with(&group, members[0], json!({"file_ids": [file]})).await;
    let path = format!("/c/{group}/files/{file}");
    let (mut holding, mut watching) = (here.database.outside().await, here.database.outside().await);

    sqlx::raw_sql("BEGIN; LOCK TABLE message_files IN ACCESS EXCLUSIVE MODE")
        .execute(&mut holding)
        .await
        .unwrap();
    let mut requests = Vec::new();
    for (_, browser) in &people {
        let (mut browser, path) = (browser.clone(), path.clone());
        requests.push(tokio::spawn(async move { browser.get(&path).await }));
    }
    wait_for_blocked_statements(&mut watching, "message_files", 4).await;
    let [_, (signs_out, browser), (is_deactivated, _), (is_removed, _)] = &people[..] else {
        panic!("four people")
    };
    let mut browser = browser.clone();
    let csrf = browser.get("/settings/privacy").await.csrf("/signout");
    let signed_out = browser.post("/signout", &[("csrf", &csrf)]).await;
    assert_eq!(signed_out.to(), "/signin", "a sign-out leads to the sign-in page: {signs_out}");
    company.set_state(is_deactivated, "deactivated").await;
    company.remove(&group, is_removed).await;
    sqlx::raw_sql("COMMIT").execute(&mut holding).await.unwrap();

    let mut pages = Vec::new();
    for request in requests {
        pages.push(request.await.unwrap());
    }
    let link = pages[0].to();
    assert!(link.contains("/files/"), "the person whose rights were not revoked gets the link: {link}");
    for page in &pages[1..3] {
        assert!(
            page.to().starts_with("/signin?next="),
            "a signed-out or deactivated person must sign in: {}",
            page.to()
        );
    }
    assert_eq!(pages[3].header("location"), None, "a removed member gets no link");
    pages[3].is(404, "Page not found");
}
