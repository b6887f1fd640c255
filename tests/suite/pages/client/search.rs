//! `/search`: which messages a person finds, how the page shows them, and how it rejects an invalid search.

use serde_json::json;

use crate::{pages::colleague, support::*};

#[both_engines]
async fn a_search_finds_only_messages_that_the_person_may_read(server: Server) {
    let (company, foreign) = (server.company().await, server.company().await);
    let (me, mut browser) = colleague(&server, &company, json!({})).await;
    let (bob, eve, stranger) = (
        company.person_with(json!({"name": "Bob Writer"})).await,
        company.person().await,
        foreign.person().await,
    );
    let (mine, theirs) = (company.group(&[&bob]).await, company.group(&[&bob]).await);
    let direct = company.direct(&bob, &eve).await;
    let foreign_group = foreign.group(&[&stranger]).await;
    let before = company.post(&mine, &bob, "needle before the join").await;
    company.add(&mine, &me).await;
    let seen = company.post(&mine, &bob, "a <b>Needle</b> in the hay").await;
    let unseen = [
        company.post(&theirs, &bob, "needle elsewhere").await,
        company.post(&direct, &bob, "needle between two").await,
        foreign.post(&foreign_group, &stranger, "needle abroad").await,
        before,
    ];
    let page = browser.get("/search?q=needle").await;
    page.shows(&format!("href=\"/c/{mine}/{seen}\""));
    page.shows("a &#60;b&#62;<mark>Needle</mark>&#60;/b&#62; in the hay").shows("Bob Writer");
    for id in &unseen {
        page.hides(id);
    }
    // a conversation of which the person is not a member gets the same error as an unknown conversation
    for id in [theirs.as_str(), &direct, &foreign_group, "grp_0000000000001", "x"] {
        let page = browser.get(&format!("/search?q=needle&in={id}")).await;
        page.is(404, "you are not a member of it").is(404, "value=\"needle\"").hides("<mark>");
    }
    company.remove(&mine, &me).await;
    browser.get("/search?q=needle").await.shows("No message matches").hides("<mark>");
}

#[both_engines]
async fn a_search_is_filtered_by_conversation_sender_and_day(server: Server) {
    let company = server.company().await;
    let (me, mut browser) = colleague(&server, &company, json!({"timezone": "Asia/Tokyo"})).await;
    let (bob, eve) = (company.person().await, company.person().await);
    let (one, other) = (company.group(&[&me, &bob, &eve]).await, company.group(&[&me, &bob, &eve]).await);
    let of_bob = company.post(&one, &bob, "needle of bob").await;
    let of_eve = company.post(&other, &eve, "needle of eve").await;
    let day = browser.get("/search?q=needle").await;
    let day = day.text.split("datetime=\"").nth(1).unwrap()[..10].to_owned();
    for (more, found) in [
        (format!("in={one}"), vec![&of_bob]),
        (format!("from={eve}"), vec![&of_eve]),
        (format!("in={one}&from={eve}"), vec![]),
        (format!("since={day}"), vec![&of_bob, &of_eve]),
        ("since=2999-01-01".to_owned(), vec![]),
        (String::new(), vec![&of_bob, &of_eve]),
    ] {
        let page = browser.get(&format!("/search?q=needle&{more}")).await;
        for id in [&of_bob, &of_eve] {
            assert_eq!(page.text.contains(id.as_str()), found.contains(&id), "{more}");
        }
    }
    // the error page shows the form again, with the typed values
    for (query, status, why) in [
        ("q=needle&since=yesterday", 422, "value=\"yesterday\""),
        ("q=needle&since=2026-02-30", 422, "year, month and day"),
        ("q=needle&from=bob", 404, "no such person"),
        ("q=%21%21", 422, "words to search for"),
        ("q=&from=bob", 422, "value=\"bob\""),
        ("q=needle&cursor=wrong", 400, "Search again"),
    ] {
        browser.get(&format!("/search?{query}")).await.is(status, why).is(status, "name=\"since\"");
    }
    browser.get(&format!("/search?q={}", "x".repeat(201))).await.is(422, "too long");
    browser.get("/search").await.shows("Search all messages that you may read").hides("role=\"alert\"");
}

#[both_engines]
async fn the_results_are_split_into_pages(server: Server) {
    let company = server.company().await;
    let (me, mut browser) = colleague(&server, &company, json!({})).await;
    let bob = company.person().await;
    let group = company.group(&[&me, &bob]).await;
    let mut all = Vec::new();
    for number in 0..25 {
        all.push(company.post(&group, &bob, &format!("needle {number}")).await);
    }
    let first = browser.get("/search?q=needle").await;
    let next = first.text.split("href=\"").find(|link| link.contains("cursor=")).expect("older results");
    let second = browser.get(&browser::unescape(next.split('"').next().unwrap())).await;
    for (at, id) in all.iter().enumerate() {
        assert_eq!(first.text.contains(id.as_str()), at >= 5, "{at}");
        assert_eq!(second.text.contains(id.as_str()), at < 5, "{at}");
    }
}

/// For a sender whom the guest may not see, the response is the same as for an id that does not exist. Otherwise a
/// guest could find out which ids exist.
#[both_engines]
async fn a_guest_can_filter_only_by_senders_whom_the_guest_may_see(server: Server) {
    let company = server.company().await;
    let (me, mut guest) = colleague(&server, &company, json!({"is_external": true})).await;
    let (bob, eve, bot) = (company.person().await, company.person().await, company.bot(&server).await);
    let group = company.group(&[&me, &bob]).await;
    let of_bob = company.post(&group, &bob, "needle of bob").await;
    for id in [eve.as_str(), &bot.user_id, "usr_0000000000001"] {
        guest.get(&format!("/search?q=needle&from={id}")).await.is(404, "no such person");
    }
    for id in [&bob, &me] {
        let page = guest.get(&format!("/search?q=needle&from={id}")).await;
        assert_eq!((page.wire.status, page.text.contains(of_bob.as_str())), (200, *id == bob), "{id}");
    }
}
