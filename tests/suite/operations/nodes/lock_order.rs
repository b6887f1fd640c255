//! Operations that need several locks take them in one order. Most of these tests switch off PostgreSQL's detection of
//! deadlocks. Without it, operations that deadlock wait until they time out, so the test fails.

use std::time::Duration;

use serde_json::json;
use sqlx::AssertSqlSafe;
use switchboard::{
    domain::ids::{ConversationId, FileId, MessageId, UserId, WorkspaceId},
    store::{LockKey, Op, Result, Sql, conversations},
};

use super::{
    first,
    meanwhile::{number, run, waiting, without_deadlock_detection},
};
use crate::support::*;

/// Creates a group and a channel in the group. The channel has a higher id than the group, and a lower lock key.
/// Returns both ids and the lock key of the group.
async fn channel_before_its_group(company: &Company, people: &[&str]) -> (String, String, i64) {
    let workspace = WorkspaceId::parse(&company.id).unwrap();
    let key = |id: &str| LockKey::conversation(workspace, ConversationId(number(id)));
    // the lock key is computed from the id; a later id has a lower key only for some pairs of ids
    for _ in 0..16 {
        let group = company.group(people).await;
        for _ in 0..16 {
            let channel = company.channel(&group, people).await;
            if key(&channel) < key(&group) {
                let lock = key(&group).number();
                return (group, channel, lock);
            }
        }
    }
    panic!("no channel's lock comes before that of its group");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deletion_of_a_file_and_a_change_of_a_channel_do_not_deadlock() {
    let Some(first) = first().await else { return };
    without_deadlock_detection(&first).await;
    let server = first.another_node().await;
    let company = server.company().await;
    let person = company.person().await;
    let (group, channel, group_lock) = channel_before_its_group(&company, &[&person]).await;
    let file = company.file(&person, "plan.txt", "text/plain", b"the plan").await;
    for conversation in [&group, &channel] {
        let body = json!({"type": "file", "file_ids": [file]});
        company.post_with(conversation, &person, body).await;
    }
    let (mut outside, mut watching) = (server.database.outside().await, server.database.outside().await);
    run(&mut outside, &format!("BEGIN; SELECT pg_advisory_xact_lock({group_lock})")).await;
    let deleting = tokio::spawn(company.operator.delete(&format!("/admin/v1/files/{file}")).send());
    until(async || waiting(&mut watching).await == 1).await;
    let renamed = company.operator.patch(&format!("/admin/v1/conversations/{channel}"));
    let renaming = tokio::spawn(renamed.json(&json!({"name": "renamed"})).send());
    until(async || waiting(&mut watching).await == 2).await;
    run(&mut outside, "COMMIT").await;
    deleting.await.unwrap().ok(200);
    renaming.await.unwrap().ok(200);
}

/// A post locks its conversation and then the row of the file. The file's deletion must use the same order: it also
/// locks the conversation, because an earlier message there has the file. If the deletion locked the row first, each of
/// the two operations could wait for the lock that the other one holds.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deletion_of_a_file_and_a_post_of_it_do_not_deadlock() {
    let Some(first) = first().await else { return };
    without_deadlock_detection(&first).await;
    let server = first.another_node().await;
    let company = server.company().await;
    let person = company.person().await;
    let group = company.group(&[&person]).await;
    let file = company.file(&person, "plan.txt", "text/plain", b"the plan").await;
    company.post_with(&group, &person, json!({"type": "file", "file_ids": [file]})).await;
    let row = FileId::parse(&file).unwrap().0;
    let (mut outside, mut watching) = (server.database.outside().await, server.database.outside().await);
    // A post locks the row of a file only if `unattached_until` is set. Earlier versions did not clear this column when
    // they posted a file. So the column can be set although a message has the file, as in this test.
    run(&mut outside, &format!("UPDATE files SET unattached_until = 9000000000000000 WHERE id = {row}"))
        .await;
    run(&mut outside, &format!("BEGIN; SELECT id FROM files WHERE id = {row} FOR UPDATE")).await;
    let deleting = tokio::spawn(company.operator.delete(&format!("/admin/v1/files/{file}")).send());
    until(async || waiting(&mut watching).await == 1).await;
    let path = format!("/admin/v1/conversations/{group}/messages");
    let body = json!({"user_id": person, "type": "file", "file_ids": [file]});
    let posting = tokio::spawn(company.operator.post(&path).json(&body).send());
    until(async || waiting(&mut watching).await == 2).await;
    run(&mut outside, "COMMIT").await;
    deleting.await.unwrap().ok(200);
    posting.await.unwrap().refused(404, "file_not_found");
}

/// Marks messages as read in a group and its channel in one transaction, as the server does for the marks of several
/// people.
struct MarkRead([(ConversationId, UserId, MessageId); 2]);

impl Op for MarkRead {
    const NAME: &'static str = "mark_read_in_a_test";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        conversations::mark_read_many(c, &self.0).await
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_removal_of_a_member_and_read_marks_do_not_deadlock() {
    let Some(first) = first().await else { return };
    without_deadlock_detection(&first).await;
    let server = first.another_node().await;
    let company = server.company().await;
    let person = company.person().await;
    let group = company.group(&[&person]).await;
    let channel = company.channel(&group, &[&person]).await;
    let member = UserId::parse(&person).unwrap();
    let mut marks = Vec::new();
    for conversation in [&group, &channel] {
        let message = company.post(conversation, &person, "read").await;
        let message = MessageId::parse(&message).unwrap().1;
        marks.push((ConversationId(number(conversation)), member, message));
    }
    let marks = MarkRead([marks[0], marks[1]]);
    let (mut outside, mut watching) = (server.database.outside().await, server.database.outside().await);
    let held = format!(
        "BEGIN; SELECT user_id FROM members WHERE conversation_id = {} AND user_id = {} FOR UPDATE",
        number(&group),
        member.0
    );
    run(&mut outside, &held).await;
    let db = server.running().world().db.clone();
    let marking = tokio::spawn(async move { db.write(marks).await });
    until(async || waiting(&mut watching).await == 1).await;
    let path = format!("/admin/v1/conversations/{group}/members/{person}");
    let removing = tokio::spawn(company.operator.delete(&path).send());
    until(async || waiting(&mut watching).await == 2).await;
    run(&mut outside, "COMMIT").await;
    marking.await.unwrap().unwrap();
    removing.await.unwrap().ok(200);
}

/// One expired row in each table for which two things are true: a job deletes its rows in the order of their age, and
/// requests lock its rows in another order.
const EXPIRED: &str = r"
    INSERT INTO sessions (token_hash, account_id, created_at, expires_at) VALUES ('\x01', 1, 0, 0);
    INSERT INTO install_codes (code_hash, app_id, workspace_id, scopes, expires_at) VALUES ('\x01', 1, 1, 0, 0);
    INSERT INTO authorization_requests (request_hash, browser, client_id, client_kind, display_name, unverified,
            redirect_uri, redirect_kind, redirect_host, redirect_key, block_key, resource, scopes, challenge, expires_at)
        VALUES ('\x01', '\x01', 'c', 0, 'c', 0, 'u', 0, 'h', 'k', 'k', 0, 0, 'c', 0);
    INSERT INTO authorization_codes (code_hash, client_id, client_kind, display_name, redirect_uri, redirect_key,
            block_key, workspace_id, user_id, resource, scopes, challenge, expires_at)
        VALUES ('\x01', 'c', 0, 'c', 'u', 'k', 'k', 1, 1, 0, 0, 'c', 0);
    INSERT INTO mcp_sessions (session_hash, workspace_id, connection_id, protocol_version, client_name, client_version,
            created_at, last_used_at)
        VALUES ('\x01', 1, 1, 'v', 'c', '1', 0, 0);
    INSERT INTO guesses (subject, failures, until, forgotten_at) VALUES ('\x01', 0, 0, 0);
    INSERT INTO sign_in_places (account_id, place, used_at) VALUES (1, '\x01', 0)";

/// The tables of [`EXPIRED`], each with a condition that selects the expired row.
const TABLES: [(&str, &str); 7] = [
    ("sessions", "token_hash = '\\x01'"),
    ("install_codes", "code_hash = '\\x01'"),
    ("authorization_requests", "request_hash = '\\x01'"),
    ("authorization_codes", "code_hash = '\\x01'"),
    ("mcp_sessions", "session_hash = '\\x01'"),
    ("guesses", "subject = '\\x01'"),
    ("sign_in_places", "place = '\\x01'"),
];

/// A job locks many rows in the order of their age, and a request can lock several of these rows in another order. If
/// the job waited for a locked row while it holds other rows, the job and the request could deadlock. So the job skips
/// locked rows.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn jobs_leave_locked_rows_to_their_next_run() {
    let Some(server) = first().await else { return };
    let (mut outside, mut reading) = (server.database.outside().await, server.database.outside().await);
    run(&mut outside, EXPIRED).await;
    run(&mut outside, "BEGIN").await;
    for (table, rows) in TABLES {
        run(&mut outside, &format!("SELECT FROM {table} WHERE {rows} FOR UPDATE")).await;
    }
    let world = server.running().world();
    let jobs = tokio::time::timeout(Duration::from_secs(30), world.run_due(server.clock.now()));
    jobs.await.expect("no job waits for a locked row").unwrap();
    let mut left = async || {
        let mut left = Vec::new();
        for (table, rows) in TABLES {
            let count = format!("SELECT COUNT(*) FROM {table} WHERE {rows}");
            let count: i64 = sqlx::query_scalar(AssertSqlSafe(count)).fetch_one(&mut reading).await.unwrap();
            left.extend((count > 0).then_some(table));
        }
        left
    };
    assert_eq!(left().await, TABLES.map(|(table, _)| table), "every locked row is left");
    run(&mut outside, "COMMIT").await;
    world.run_due(server.clock.now()).await.unwrap();
    assert_eq!(left().await, [""; 0], "the next run deletes them");
}
