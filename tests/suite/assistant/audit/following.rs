//! A reader that follows the audit log by cursor gets every entry, even if several nodes write.

use std::time::{Duration, Instant};

use serde_json::Value;
use sqlx::AssertSqlSafe;
use switchboard::{domain::tool_calls::ToolOutcome, store::Engine};

use super::AuditedAssistant;
use crate::support::{assistant::DAY, *};

/// Returns the entries after the cursor, or all entries if the cursor is `None`. Sets the cursor to the end of the log.
async fn follow(
    server: &Server,
    assistant: &AuditedAssistant,
    cursor: &mut Option<String>,
    limit: usize,
) -> Vec<Value> {
    let mut calls = Vec::new();
    loop {
        let mut path = assistant.path(&format!("?order=ingested&limit={limit}"));
        if let Some(cursor) = cursor {
            path = format!("{path}&cursor={cursor}");
        }
        let page = server.operator().get(&path).ok(200).await;
        *cursor = Some(text(&page, "/next_cursor"));
        let found = page["tool_calls"].as_array().unwrap();
        calls.extend(found.iter().cloned());
        if found.len() < limit {
            return calls;
        }
    }
}

fn ids(calls: &[Value]) -> Vec<String> {
    calls.iter().map(|call| text(call, "/id")).collect()
}

#[both_engines]
async fn a_reader_continues_where_it_stopped(server: Server) {
    let assistant = AuditedAssistant::new(&server).await;
    let mut cursor = None;
    assert!(follow(&server, &assistant, &mut cursor, 2).await.is_empty());
    server.clock.advance(Duration::from_secs(60));
    for _ in 0..5 {
        assistant.record_call(&server, "send_draft", ToolOutcome::Ok).await;
    }
    let first = follow(&server, &assistant, &mut cursor, 2).await;
    // an entry is read even if its time is earlier than the times of the entries before it
    server.clock.reset();
    assistant.record_read(&server).await;
    let second = follow(&server, &assistant, &mut cursor, 2).await;
    assert_eq!((first.len(), second.len()), (5, 1));
    let mut followed = ids(&first);
    followed.extend(ids(&second));
    let mut listed = ids(&assistant.listed("").await);
    // the list is sorted by time, newest first; the entry with the earliest time was stored last
    let earliest = listed.pop().expect("entries");
    listed.reverse();
    listed.push(earliest);
    assert_eq!(followed, listed, "a reader gets entries in the order in which they were stored");
    assert!(follow(&server, &assistant, &mut cursor, 2).await.is_empty());
}

#[both_engines]
async fn expired_entries_that_are_not_deleted_yet_are_skipped(server: Server) {
    let assistant = AuditedAssistant::new(&server).await;
    for _ in 0..1_200 {
        assistant.record_read(&server).await;
    }
    // this request for the list stores the queued entries, so they precede all later entries in the log
    assert_eq!(assistant.listed("?limit=1").await.len(), 1);
    // the test moves only the clock, so no maintenance job deletes the entries
    server.clock.advance(91 * DAY);
    let mut cursor = None;
    assert!(
        follow(&server, &assistant, &mut cursor, 10).await.is_empty(),
        "expired entries are not returned"
    );
    for _ in 0..3 {
        assistant.record_call(&server, "send_draft", ToolOutcome::Ok).await;
    }
    assert_eq!(follow(&server, &assistant, &mut cursor, 2).await.len(), 3);
    let mut from_the_start = None;
    assert_eq!(
        follow(&server, &assistant, &mut from_the_start, 2).await.len(),
        3,
        "even if expired entries were skipped, \
         a page has fewer entries than its limit only at the end of the log"
    );
}

#[both_engines]
async fn following_rejects_employees_filters_and_invalid_cursors(server: Server) {
    let assistant = AuditedAssistant::new(&server).await;
    let path = assistant.path("?order=ingested");
    server.operator().get(&path).ok(200).await;
    assistant.employee.session(&server).await.get(&path).refused(403, "forbidden").await;
    server.operator().get(&format!("{path}&tool=read_messages")).refused(400, "invalid_request").await;
    server.operator().get(&format!("{path}&cursor=x")).refused(400, "invalid_cursor").await;
    // a cursor of a list with another `order` is rejected
    for _ in 0..3 {
        assistant.record_call(&server, "send_draft", ToolOutcome::Ok).await;
    }
    let newest = server.operator().get(&assistant.path("?order=newest&limit=1")).ok(200).await;
    let cursor = text(&newest, "/next_cursor");
    server.operator().get(&format!("{path}&cursor={cursor}")).refused(400, "invalid_cursor").await;
    assert_eq!(newest["tool_calls"].as_array().unwrap().len(), 1);
    server.operator().get(&assistant.path("?order=oldest")).refused(400, "invalid_request").await;
}

/// A failover to an asynchronous standby, or a restore, returns the log to an earlier state, so the latest entries are
/// lost. A reader that has read lost entries still gets every entry that is written afterwards.
#[both_engines]
async fn a_reader_of_lost_entries_misses_no_later_entry(server: Server) {
    let assistant = AuditedAssistant::new(&server).await;
    let mut cursor = None;
    for lost in [
        "DELETE FROM tool_calls; DELETE FROM log_heads WHERE log = 1",
        "DELETE FROM tool_calls WHERE log_seq > (SELECT MIN(log_seq) FROM tool_calls);
         UPDATE log_heads SET last = (SELECT MAX(log_seq) FROM tool_calls) WHERE log = 1",
    ] {
        for _ in 0..4 {
            assistant.record_call(&server, "send_draft", ToolOutcome::Ok).await;
        }
        assert_eq!(follow(&server, &assistant, &mut cursor, 10).await.len(), 4);
        server.database.execute(lost).await;
        // The number of a new entry (`log_seq`) is at least the time of the database's clock. So the number exceeds the
        // lost numbers if the clock has advanced. The test waits, because SQLite's clock has a resolution of 1 ms.
        let begun = Instant::now();
        until(async || begun.elapsed() > Duration::from_millis(10)).await;
        for _ in 0..2 {
            assistant.record_call(&server, "send_draft", ToolOutcome::Ok).await;
        }
        let later = follow(&server, &assistant, &mut cursor, 10).await;
        assert_eq!(later.len(), 2, "a reader gets each entry that is written after a failover");
    }
}

/// Entries become visible in the order of their numbers (`log_seq`). A transaction takes its number only after the
/// transaction with the previous number has ended.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn entries_become_visible_in_the_order_of_their_numbers() {
    let Some(server) = Server::postgres().await else { return };
    let assistant = AuditedAssistant::new(&server).await;
    assistant.record_call(&server, "send_draft", ToolOutcome::Ok).await;
    let mut cursor = None;
    follow(&server, &assistant, &mut cursor, 10).await;
    // this transaction simulates another node: it takes a number, and does not commit yet
    let mut slow = server.database.outside().await;
    sqlx::raw_sql("BEGIN").execute(&mut slow).await.unwrap();
    let insert = "WITH head AS (UPDATE log_heads SET last = last + 1 WHERE log = 1 RETURNING owner, last)
        INSERT INTO tool_calls (workspace_id, at, id, user_id, connection_id, client_hash, client_id, display_name,
            tool, outcome, targets, more_targets, took, log_seq)
        SELECT workspace_id, at, id - 1, user_id, connection_id, client_hash, client_id, display_name, 'slow', outcome,
            targets, more_targets, took, head.last
        FROM tool_calls t JOIN head ON head.owner = t.workspace_id";
    sqlx::raw_sql(AssertSqlSafe(insert.to_owned())).execute(&mut slow).await.unwrap();
    let late = async {
        assistant.record_call(&server, "send_draft", ToolOutcome::Ok).await;
    };
    let watch = async {
        // wait until `late` waits for the lock that the open transaction holds
        let mut outside = server.database.outside().await;
        until(async || {
            let waiting = "SELECT COUNT(*) FROM pg_stat_activity
                WHERE datname = current_database() AND wait_event_type = 'Lock'";
            sqlx::query_scalar::<_, i64>(waiting).fetch_one(&mut outside).await.unwrap() > 0
        })
        .await;
        let before = follow(&server, &assistant, &mut cursor, 10).await;
        assert!(
            before.is_empty(),
            "an entry is not visible before the entry with the previous number: {before:?}"
        );
        sqlx::raw_sql("COMMIT").execute(&mut slow).await.unwrap();
    };
    tokio::join!(late, watch);
    let tools: Vec<_> =
        follow(&server, &assistant, &mut cursor, 10).await.iter().map(|call| text(call, "/tool")).collect();
    assert_eq!(tools, ["slow", "send_draft"]);
}

/// Two nodes record calls concurrently, while a reader follows the audit log through both nodes.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_reader_gets_every_call_of_two_nodes() {
    const CALLS: usize = 60;
    const WRITERS: usize = 4;
    let Some(server) = Server::with(Options { engine: Engine::Postgres, ..Options::default() }).await else {
        return;
    };
    let other = server.another_node_with_same_clock().await;
    let assistant = AuditedAssistant::new(&server).await;
    let write = async |node: &Server, tool: &str| {
        for _ in 0..CALLS {
            assistant.record_call(node, tool, ToolOutcome::Ok).await;
        }
    };
    let mut followed = Vec::new();
    let following = async {
        let (mut cursor, mut turn) = (None, 0);
        until(async || {
            let node = [&server, &other][turn % 2];
            turn += 1;
            followed.extend(ids(&follow(node, &assistant, &mut cursor, 7).await));
            followed.len() >= CALLS * WRITERS
        })
        .await;
    };
    tokio::join!(
        write(&server, "send_draft"),
        write(&other, "send_draft"),
        write(&server, "read_messages"),
        write(&other, "read_messages"),
        following
    );
    let mut unique = followed.clone();
    unique.sort();
    unique.dedup();
    assert_eq!(
        (followed.len(), unique.len()),
        (CALLS * WRITERS, CALLS * WRITERS),
        "every entry is read exactly once"
    );
}
