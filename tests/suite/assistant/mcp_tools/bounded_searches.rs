//! A search by name reads a bounded number of rows for each page. The next page continues where the previous page
//! ended.

use serde_json::{Value, json};
use switchboard::domain::ids::{UserId, WorkspaceId};

use crate::support::{Server, both_engines, tools::*};

/// Returns the number of matches on each page.
async fn matches_per_page(assistant: &Assistant, tool: &str, list: &str, arguments: Value) -> Vec<usize> {
    let (mut arguments, mut counts) = (arguments, Vec::new());
    loop {
        let page = assistant.ok(tool, arguments.clone()).await;
        counts.push(page[list].as_array().unwrap().len());
        if page["next_cursor"].is_null() {
            return counts;
        }
        arguments["cursor"] = page["next_cursor"].clone();
    }
}

#[both_engines]
async fn a_search_for_people_reads_a_bounded_number_of_rows(server: Server) {
    let company = server.company().await;
    let ann = server.assistant(&company, "Ann Example").await;
    let workspace = WorkspaceId::parse(&company.id).unwrap().0;
    // a page reads at most 20,000 people, so the first page does not reach number 30,000
    server.database.execute(&format!(
        "INSERT INTO users (id, workspace_id, name, state, is_admin, is_external, is_bot, email_visible, guest_visible,
            sessions_valid_after, created_at, has_words)
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 45000)
         SELECT i, {workspace}, CASE WHEN i = 30000 THEN 'Zed Middle' ELSE 'Common Name' END,
            0, 0, 0, 0, 1, 1, 0, 0, 1 FROM n"
    )).await;
    company.person_with(json!({"name": "Zed Last"})).await;
    assert_eq!(matches_per_page(&ann, "list_people", "users", json!({"name": "zed"})).await, [0, 1, 1]);
    let (_, said) = ann.both("list_people", json!({"name": "zed"})).await;
    assert!(said.contains("There is more") && !said.contains("Try another spelling"), "{said}");
    // the bound does not shorten a page of frequent matches
    let page = ann.ok("list_people", json!({"name": "common", "limit": 50})).await;
    assert_eq!(page["users"].as_array().unwrap().len(), 50);
}

#[both_engines]
async fn a_search_for_conversations_reads_a_bounded_number_of_rows(server: Server) {
    let company = server.company().await;
    let ann = server.assistant(&company, "Ann Example").await;
    let workspace = WorkspaceId::parse(&company.id).unwrap().0;
    let person = UserId::parse(ann.id()).unwrap().0;
    // a page reads at most 5,000 conversations, so the first page does not reach number 7,000
    for sql in [
        format!(
            "INSERT INTO conversations (id, workspace_id, kind, name, is_private, announcement_only, active_members,
                created_at, floor_id)
             WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12000)
             SELECT i, {workspace}, 0, CASE WHEN i = 7000 THEN 'Zed middle' ELSE 'Common name' END, 0, 0, 1, 0, 0 FROM n"
        ),
        format!(
            "INSERT INTO members (workspace_id, conversation_id, user_id, joined_at, visible_from)
             WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12000)
             SELECT {workspace}, i, {person}, 0, 0 FROM n"
        ),
    ] {
        server.database.execute(&sql).await;
    }
    let last =
        company.conversation(json!({"kind": "group", "name": "Zed last", "member_ids": [ann.id()]})).await;
    let found = matches_per_page(&ann, "list_conversations", "conversations", json!({"name": "zed"})).await;
    assert_eq!(
        found,
        [0, 1, 1],
        "each page continues where the previous page ended; the last match is {last}"
    );
    let (_, said) = ann.both("list_conversations", json!({"name": "zed"})).await;
    assert!(said.contains("There is more") && !said.contains("Try other words"), "{said}");
    let page = ann.ok("list_conversations", json!({"name": "common", "limit": 50})).await;
    assert_eq!(page["conversations"].as_array().unwrap().len(), 50);
}
