//! Searching messages by words: the same results on both engines, before and after a message is indexed.

use serde_json::json;

use crate::support::{Company, Server, both_engines, tools::Assistant};

/// The texts of the messages.
const TEXTS: &[&str] = &[
    "The nightly BUILD of the main branch is green again.",
    "Build of the night? Red. See https://ci.example.com/run/42",
    "Überprüfung der Größe: naïve façade, ŁÓDŹ",
    "東京タワーに行きました",
    "Launch 🚀 tomorrow, deployment notes follow",
    "don't panic: O'Neil's user_name = 'x'; DROP TABLE messages; --",
    "한국어 문서를 보냈습니다",
    "deploy, deployed, deploying",
];

/// The queries, each with the positions in [`TEXTS`] of the messages that it finds.
const QUERIES: &[(&str, &[usize])] = &[
    // a message must have all words of the query, in any letter case and order
    ("build", &[0, 1]),
    ("BUILD green", &[0]),
    ("green build", &[0]),
    ("build purple", &[]),
    ("buil", &[]),
    // a phrase in quotation marks must occur in this order
    ("\"the main branch\"", &[0]),
    ("\"branch main\"", &[]),
    ("\"main branch\" again", &[0]),
    ("\"main branch", &[0]),
    // accents and strokes of letters are ignored
    ("uberprufung", &[2]),
    ("Größe", &[2]),
    ("grosse FACADE", &[2]),
    ("lodz", &[2]),
    // ideographs and kana are matched character by character, Hangul word by word
    ("東京", &[3]),
    ("京東", &[]),
    ("タワー", &[3]),
    ("한국어", &[6]),
    ("문서*", &[]),
    ("문서를", &[6]),
    // an emoji is a word
    ("🚀", &[4]),
    ("launch 🚀", &[4]),
    ("🎉", &[]),
    // a prefix needs at least three characters and a `*`
    ("deploy", &[7]),
    ("deploy*", &[4, 7]),
    ("deploym*", &[4]),
    ("de*", &[]),
    // the query syntax of the database engines is not interpreted
    ("don't", &[5]),
    ("ci.example.com", &[1]),
    ("ci.example.org", &[]),
    ("AND", &[]),
    ("build OR green", &[]),
    ("build AND", &[]),
    ("NOT build", &[]),
    ("(build", &[0, 1]),
    ("build)", &[0, 1]),
    ("words:build", &[]),
    ("^build", &[0, 1]),
    ("build'", &[0, 1]),
    ("'build' & !green", &[0]),
    ("build:*", &[0, 1]),
    ("\\build\\", &[0, 1]),
    ("user_name", &[5]),
    ("\"x'; drop table\"", &[5]),
    ("-green +build", &[0]),
    ("{tags} build", &[]),
];

/// Asserts that every query finds exactly its messages.
async fn assert_queries(ann: &Assistant, when: &str) {
    for (query, expected) in QUERIES {
        let mut found = ann.found(json!({"query": query})).await;
        let mut wanted: Vec<_> = expected.iter().map(|n| TEXTS[*n].to_owned()).collect();
        found.sort();
        wanted.sort();
        assert_eq!(found, wanted, "the query finds exactly its messages: {query}, {when}");
    }
}

async fn fixture(server: &Server) -> (Company, Assistant, String, String) {
    let company = server.company().await;
    let ann = server.assistant(&company, "Ann Example").await;
    let ben = company.person_with(json!({"name": "Ben", "email": "ben@example.com"})).await;
    let group = company.conversation(json!({"name": "Builds", "member_ids": [ann.id(), ben]})).await;
    (company, ann, ben, group)
}

#[both_engines]
async fn every_query_finds_the_same_before_and_after_indexing(server: Server) {
    let (company, ann, ben, group) = fixture(&server).await;
    for text in TEXTS {
        company.post(&group, &ben, text).await;
    }
    assert_queries(&ann, "before indexing").await;
    server.settle().await;
    assert_queries(&ann, "after indexing").await;
    for nothing in ["\"\"", "...", "* * *"] {
        let said = ann.fails("search_messages", json!({"query": nothing}), "invalid_request").await;
        assert!(said.contains("must contain 1 to 16 words"), "a query without a word is refused: {said}");
    }
}

/// On PostgreSQL, the index has at most 255 positions of one word in a message, and no position above 16,383. A phrase
/// must be found even if the index does not have its positions.
#[both_engines]
async fn phrases_are_found_at_every_position(server: Server) {
    let (company, ann, ben, group) = fixture(&server).await;
    let repeating = format!("{}wombat", "again ".repeat(300));
    // each of the 3,000 characters is normalized to six kana, and each kana is a word
    let long = format!("{}emu quoll", "\u{3316}".repeat(3_000));
    for text in [&repeating, &long] {
        company.post(&group, &ben, text).await;
    }
    for when in ["before indexing", "after indexing"] {
        for (query, expected) in [
            ("wombat", Some(&repeating)),
            ("\"again wombat\"", Some(&repeating)),
            ("\"wombat again\"", None),
            ("emu", Some(&long)),
            ("\"emu quoll\"", Some(&long)),
            ("\"quoll emu\"", None),
        ] {
            let found = ann.found(json!({"query": query})).await;
            assert_eq!(found.len(), usize::from(expected.is_some()), "{query}, {when}");
            assert!(found.iter().eq(expected), "{query}, {when}");
        }
        server.settle().await;
    }
}

#[both_engines]
async fn filters_narrow_what_is_found(server: Server) {
    let (company, ann, ben, group) = fixture(&server).await;
    let other = company.group(&[ann.id(), &ben]).await;
    company.post(&group, &ben, "status one").await;
    company.post(&other, ann.id(), "status two").await;
    server.advance(std::time::Duration::from_secs(3 * 60 * 60)).await;
    let ann = server.assistant_of(&ann.employee).await;
    let middle = server.clock.now().to_rfc3339();
    company.post(&group, ann.id(), "status three").await;
    for indexed in [false, true] {
        for (more, expected) in [
            (json!({}), &["status three", "status two", "status one"][..]),
            (json!({"conversation": group}), &["status three", "status one"]),
            (json!({"from": ben}), &["status one"]),
            (json!({"from": "ben@example.com", "conversation": other}), &[]),
            (json!({"from": ann.id()}), &["status three", "status two"]),
            (json!({"after": middle}), &["status three"]),
            (json!({"before": middle}), &["status two", "status one"]),
            (json!({"before": middle, "conversation": other, "from": ann.id()}), &["status two"]),
            (json!({"after": middle, "before": middle}), &[]),
        ] {
            let mut arguments = json!({"query": "status", "sort": "newest"});
            for (name, value) in more.as_object().unwrap() {
                arguments[name] = value.clone();
            }
            assert_eq!(ann.found(arguments.clone()).await, expected, "{arguments}, indexed: {indexed}");
        }
        server.settle().await;
    }
    let nowhere = json!({"query": "status", "conversation": "grp_nothing"});
    ann.fails("search_messages", nowhere, "conversation_not_found").await;
    let nobody = json!({"query": "status", "from": "nobody@example.com"});
    ann.fails("search_messages", nobody, "user_not_found").await;
}

#[both_engines]
async fn better_matches_come_first(server: Server) {
    let (company, ann, ben, group) = fixture(&server).await;
    let best = "release notes";
    let good = "notes for the next release";
    let long = format!("release and notes {}", "and so on ".repeat(100));
    for text in [best, good, &long] {
        company.post(&group, &ben, text).await;
    }
    let expected = [best.to_owned(), good.to_owned(), long];
    assert_eq!(ann.found(json!({"query": "release notes"})).await, expected);
    server.settle().await;
    assert_eq!(ann.found(json!({"query": "release notes"})).await, expected);
    let (_, said) = ann.both("search_messages", json!({"query": "release notes"})).await;
    assert!(
        said.contains("in #Builds (grp_") && said.contains("\n> release notes\n"),
        "the text of the result quotes the messages and names their conversation: {said}"
    );
    let (_, said) = ann.both("search_messages", json!({"query": "release purple"})).await;
    assert!(said.contains("Try fewer"), "an empty result has advice: {said}");
}

// A-007, D-370: a search sees exactly what the employee sees, and nothing of another company
#[both_engines]
async fn nothing_is_found_that_the_employee_does_not_see(server: Server) {
    let (company, ann, ben, group) = fixture(&server).await;
    let private = company.conversation(json!({"type": "private_channel", "member_ids": [ben]})).await;
    company.post(&private, &ben, "secret in a group of others").await;
    let left = company.group(&[ann.id(), &ben]).await;
    company.post(&left, &ben, "secret where she was").await;
    company.remove(&left, ann.id()).await;
    let joined = company.group(&[&ben]).await;
    company.post(&joined, &ben, "secret from before she came").await;
    company.add(&joined, ann.id()).await;
    let cleo = company.person().await;
    let theirs = company.direct(&ben, &cleo).await;
    company.post(&theirs, &ben, "secret between others").await;
    let foreign = server.company().await;
    let elsewhere = foreign.group(&[&foreign.admin]).await;
    foreign.post(&elsewhere, &foreign.admin, "secret of another company").await;
    let own = company.direct(ann.id(), &ben).await;
    company.post(&own, &ben, "secret between us").await;
    company.post(&joined, &ben, "secret after she came").await;
    let archived = company.group(&[ann.id(), &ben]).await;
    company.post(&archived, &ben, "secret in the archive").await;
    company.archive(&archived, true).await;
    let seen = ["secret in the archive", "secret after she came", "secret between us"];
    for _ in 0..2 {
        assert_eq!(ann.found(json!({"query": "secret", "sort": "newest"})).await, seen);
        assert_eq!(ann.found(json!({"query": "sec*", "sort": "newest"})).await, seen);
        for (from, expected) in [(&ben, &seen[..]), (&cleo, &[])] {
            let found = ann.found(json!({"query": "secret", "from": from, "sort": "newest"})).await;
            assert_eq!(found, expected, "exactly the visible messages are found");
        }
        server.settle().await;
    }
    // In `from`, a hidden guest is treated like an unknown person. A search without `from` still finds the guest's
    // messages.
    let guest = company.guest(true).await;
    company.add(&group, &guest).await;
    company.post(&group, &guest, "a guest's words").await;
    assert_eq!(ann.found(json!({"query": "guest's", "from": guest})).await.len(), 1);
    company.update_user(&guest, json!({"guest_visible": false})).await;
    ann.fails("search_messages", json!({"query": "guest's", "from": guest}), "user_not_found").await;
    assert_eq!(ann.found(json!({"query": "guest's"})).await.len(), 1);
}

#[both_engines]
async fn a_search_finds_exactly_the_readable_matches(server: Server) {
    let (company, ann, ben, group) = fixture(&server).await;
    let words = ["alpha", "beta", "gamma", "delta"];
    let mut seed = 7u64;
    let mut next = move |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    let others = company.group(&[&ben]).await;
    let joined = company.group(&[&ben]).await;
    let conversations = [group, others, joined];
    let mut written = Vec::new();
    for step in 0..60 {
        let text: Vec<_> = (0..3).map(|_| words[next(4)]).collect();
        let id = company.post(&conversations[next(3)], &ben, &text.join(" ")).await;
        written.push(id);
        match step {
            20 => company.add(&conversations[2], ann.id()).await,
            30 => server.settle().await,
            40 => company.erase(&written[next(40)]).await,
            _ => {}
        }
    }
    let mut readable = ann.reads(&conversations[0]).await;
    readable.extend(ann.reads(&conversations[2]).await);
    for query in ["alpha", "beta gamma", "\"delta alpha\"", "gam*"] {
        let page = ann.ok("search_messages", json!({"query": query, "limit": 50})).await;
        let found = page["messages"].as_array().unwrap();
        assert!(!found.is_empty(), "the query finds a message: {query}");
        for message in found {
            assert!(
                readable.iter().any(|id| message["id"] == id.as_str()),
                "a found message can be read: {query}: {message}"
            );
        }
    }
    // for the query `alpha`, every readable match is found
    let page = ann.ok("search_messages", json!({"query": "alpha", "limit": 50})).await;
    let mut with_alpha = 0;
    for conversation in [&conversations[0], &conversations[2]] {
        let read = ann.ok("read_messages", json!({"conversation": conversation, "limit": 200})).await;
        let has = |m: &&serde_json::Value| m["text"].as_str().is_some_and(|text| text.contains("alpha"));
        with_alpha += read["messages"].as_array().unwrap().iter().filter(has).count();
    }
    assert_eq!(page["messages"].as_array().unwrap().len(), with_alpha);
}
