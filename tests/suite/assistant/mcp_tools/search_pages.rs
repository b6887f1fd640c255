//! Every match of a search is on exactly one page, even if messages are written while a client reads the pages, or if
//! edits are not indexed yet.

use std::collections::BTreeSet;

use serde_json::json;

use crate::support::{Server, both_engines, text};

#[both_engines]
async fn each_match_is_on_exactly_one_page(server: Server) {
    let company = server.company().await;
    let ann = server.assistant(&company, "Ann Example").await;
    let group = company.group(&[ann.id()]).await;
    // there are more matches than a search ranks at once, and some of them are not indexed yet
    let mut wanted = BTreeSet::new();
    for n in 0..130 {
        wanted.insert(company.post(&group, ann.id(), &format!("match number {n}")).await);
        if n == 70 {
            server.settle().await;
        }
    }
    for sort in ["relevance", "newest"] {
        let (mut seen, mut cursor, mut pages) = (Vec::new(), json!(null), 0);
        loop {
            let mut arguments = json!({"query": "match", "sort": sort, "limit": 40});
            if !cursor.is_null() {
                arguments["cursor"] = cursor;
            }
            let page = ann.ok("search_messages", arguments).await;
            seen.extend(page["messages"].as_array().unwrap().iter().map(|m| text(m, "/id")));
            pages += 1;
            if pages == 1 {
                company.post(&group, ann.id(), "a match that is newer than the search").await;
            }
            cursor = page["next_cursor"].clone();
            if cursor.is_null() {
                break;
            }
        }
        // the second search also finds the message that was written during the first search
        let expected = if sort == "relevance" { wanted.len() } else { wanted.len() + 1 };
        let distinct: BTreeSet<_> = seen.iter().cloned().collect();
        assert_eq!(
            (seen.len(), distinct.len()),
            (expected, expected),
            "each match is on exactly one page: {sort}"
        );
        if sort == "relevance" {
            assert_eq!(distinct, wanted);
        } else {
            assert!(seen.is_sorted_by(|one, other| one > other), "newest first");
        }
    }
}

#[both_engines]
async fn edited_matches_do_not_shift_the_pages(server: Server) {
    let company = server.company().await;
    let ann = server.assistant(&company, "Ann Example").await;
    let group = company.group(&[ann.id()]).await;
    let mut wanted = Vec::new();
    for n in 0..120 {
        wanted.push(company.post(&group, ann.id(), &format!("match number {n}")).await);
    }
    server.settle().await;
    // until the edits are indexed, the index still finds these messages by their former texts
    for edited in wanted.split_off(115) {
        let body = json!({"text": "something else"});
        company.operator.patch(&format!("/admin/v1/messages/{edited}")).json(&body).ok(200).await;
    }
    for sort in ["relevance", "newest"] {
        let (mut seen, mut cursor) = (Vec::new(), json!(null));
        loop {
            let mut arguments = json!({"query": "match", "sort": sort, "limit": 30});
            if !cursor.is_null() {
                arguments["cursor"] = cursor;
            }
            let page = ann.ok("search_messages", arguments).await;
            seen.extend(page["messages"].as_array().unwrap().iter().map(|m| text(m, "/id")));
            cursor = page["next_cursor"].clone();
            if cursor.is_null() {
                break;
            }
        }
        seen.sort();
        assert_eq!(seen, wanted, "{sort}: every match is returned once");
    }
}

#[both_engines]
async fn a_cursor_is_valid_for_its_search_only(server: Server) {
    let company = server.company().await;
    let ann = server.assistant(&company, "Ann Example").await;
    let ben = server.assistant(&company, "Ben Example").await;
    let group = company.group(&[ann.id(), ben.id()]).await;
    for n in 0..3 {
        company.post(&group, ann.id(), &format!("match {n}")).await;
    }
    let first = ann.ok("search_messages", json!({"query": "match", "limit": 1})).await;
    let cursor = text(&first, "/next_cursor");
    let again = json!({"query": "MATCH", "limit": 5, "cursor": cursor});
    assert_eq!(ann.found(again.clone()).await.len(), 2, "the letter case of the query may change");
    ben.fails("search_messages", again, "invalid_cursor").await;
    let swapped: Vec<_> = cursor.split('.').rev().collect();
    for (more, cursor) in [
        (json!({"query": "matches"}), cursor.clone()),
        (json!({"conversation": group}), cursor.clone()),
        (json!({"sort": "newest"}), cursor.clone()),
        (json!({}), swapped.join(".")),
        (json!({}), cursor.replace('.', "")),
        (json!({}), "nonsense".to_owned()),
    ] {
        let mut arguments = json!({"query": "match", "cursor": cursor});
        for (name, value) in more.as_object().unwrap() {
            arguments[name] = value.clone();
        }
        let said = ann.fails("search_messages", arguments, "invalid_cursor").await;
        assert!(said.contains("Start again"), "the error says what to do: {said}");
    }
}

#[both_engines]
async fn the_advice_for_a_search_without_matches_is_on_the_first_page_only(server: Server) {
    let company = server.company().await;
    let ann = server.assistant(&company, "Ann Example").await;
    let group = company.group(&[ann.id()]).await;
    let (older, _) = (
        company.post(&group, ann.id(), "match one").await,
        company.post(&group, ann.id(), "match two").await,
    );
    let (_, said) = ann.both("search_messages", json!({"query": "absent"})).await;
    assert!(said.contains("Try fewer or other words"), "{said}");
    let arguments = json!({"query": "match", "sort": "newest", "limit": 1});
    let cursor = ann.ok("search_messages", arguments).await["next_cursor"].clone();
    company.operator.delete(&format!("/admin/v1/messages/{older}")).ok(200).await;
    let arguments = json!({"query": "match", "sort": "newest", "limit": 1, "cursor": cursor});
    let (page, said) = ann.both("search_messages", arguments).await;
    assert_eq!(page["messages"], json!([]));
    assert!(said.contains("No more messages match.") && !said.contains("Try"), "{said}");
}
