//! A message keeps at most 100 former versions: the first version and the newest 99. Admins can read the former texts
//! (D-096).

use serde_json::{Value, json};

use crate::support::*;

/// Returns the texts of a message's former versions, oldest first.
fn former(message: &Value) -> Vec<String> {
    message["edits"].as_array().unwrap().iter().map(|edit| text(edit, "/text")).collect()
}

/// Returns "v0" and the texts of the versions from `from` up to, but not including, `end`.
fn versions(from: usize, end: usize) -> Vec<String> {
    std::iter::once(0).chain(from..end).map(|n| format!("v{n}")).collect()
}

/// Inserts the former versions number 2 to `count` of an edited message, as an earlier release without the limit stored
/// them. The text of version number n is `v{n - 1}`, padded with spaces to `length` characters.
async fn fill(server: &Server, message: &str, count: u32, length: u32) {
    let id = switchboard::domain::ids::MessageId::parse(message).unwrap().1.0;
    server
        .database
        .execute(&format!(
            "INSERT INTO message_edits (workspace_id, message_id, edited_at, number, text, blocks)
             WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < {count})
             SELECT (SELECT workspace_id FROM messages WHERE id = {id}), {id}, 1, i, substr('v' || (i - 1) || '{}', 1, {length}), NULL FROM n",
            " ".repeat(length as usize)
        ))
        .await;
}

#[both_engines]
async fn the_first_version_and_the_newest_99_are_kept(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let sent = fixture.posted(json!({"text": "v0"})).await;
    for n in 1..=130 {
        fixture.bot.editing(&sent, &json!({"text": format!("v{n}")})).ok(200).await;
        if n == 100 {
            assert_eq!(
                former(&fixture.stored(&sent).await),
                versions(1, 100),
                "if a message has 100 former versions, all of them are kept"
            );
        }
    }
    let stored = fixture.stored(&sent).await;
    assert_eq!(stored["text"], "v130");
    assert_eq!(
        former(&stored),
        versions(31, 130),
        "the first version and the newest 99 former versions are kept"
    );
    // the same limit applies to a message of a person
    let key = json!({"text": "v0", "client_key": "k"});
    let posted = fixture.company.post_with(&fixture.group, &fixture.person, key.clone()).await;
    let path = format!("/admin/v1/messages/{posted}");
    for n in 1..=105 {
        let body = json!({"text": format!("v{n}")});
        let answer = fixture.company.operator.patch(&path).json(&body).ok(200).await;
        if n == 105 {
            assert_eq!(former(&answer["message"]), versions(6, 105));
        }
    }
    // a replay is compared with the first version of the message, so that version must still be stored
    assert_eq!(fixture.company.post_with(&fixture.group, &fixture.person, key).await, posted);
}

#[both_engines]
async fn versions_beyond_the_limit_are_deleted_in_batches(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let sent = fixture.posted(json!({"text": "v0"})).await;
    fixture.bot.editing(&sent, &json!({"text": "v350"})).ok(200).await;
    fill(&server, &sent, 350, 5).await;
    let trimmed = async || {
        let texts = former(&fixture.stored(&sent).await);
        texts.iter().map(|text| text.trim().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(trimmed().await, versions(251, 350), "of 350 stored former versions, 100 are shown");
    for n in 351..=354 {
        fixture.bot.editing(&sent, &json!({"text": format!("v{n}")})).ok(200).await;
        assert_eq!(trimmed().await, versions(n - 99, n));
    }
    let count = match &server.database.url {
        switchboard::store::DatabaseUrl::Sqlite(path) => {
            let database = rusqlite::Connection::open(path).unwrap();
            database.query_row("SELECT COUNT(*) FROM message_edits", [], |row| row.get(0)).unwrap()
        }
        switchboard::store::DatabaseUrl::Postgres(_) => {
            let query = sqlx::query_scalar::<_, i64>("SELECT COUNT(*) FROM message_edits");
            query.fetch_one(&mut server.database.outside().await).await.unwrap()
        }
    };
    assert_eq!(count, 100, "after four more edits, only 100 former versions are stored");
}

#[both_engines]
async fn a_page_contains_fewer_messages_if_their_histories_are_long(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let mut ids = Vec::new();
    for _ in 0..7 {
        let id = fixture.posted(json!({"text": "v0"})).await;
        fixture.bot.editing(&id, &json!({"text": "now"})).ok(200).await;
        fill(&server, &id, 100, 16_000).await;
        ids.push(id);
        ids.push(fixture.posted(json!({"text": "never edited"})).await);
    }
    ids.reverse();
    let path = format!("/admin/v1/conversations/{}/messages?limit=1000", fixture.group);
    let (mut ids_of_pages, mut long_of_pages, mut cursor) = (Vec::new(), Vec::new(), String::new());
    loop {
        let answer = fixture.company.operator.get(&format!("{path}{cursor}")).send().await;
        assert!(answer.bytes.len() < 8 << 20, "a page has less than 8 MiB: {} bytes", answer.bytes.len());
        let page = answer.ok(200);
        let mut long = 0;
        for message in page["messages"].as_array().unwrap() {
            let id = text(message, "/id");
            if ids.contains(&id) {
                let edits = message["edits"].as_array().unwrap().len();
                assert_eq!(edits, if message["text"] == "now" { 100 } else { 0 });
                long += usize::from(edits > 0);
                ids_of_pages.push(id);
            }
        }
        long_of_pages.push(long);
        let Some(next) = page["next_cursor"].as_str() else { break };
        cursor = format!("&cursor={next}");
    }
    assert_eq!(ids_of_pages, ids);
    // three histories of 1.6 MB have more than 4 MiB
    assert_eq!(long_of_pages, [3, 3, 1], "a page has no more long histories after 4 MiB");
}
