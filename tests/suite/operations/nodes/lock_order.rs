//! Operations that need several locks take them in one order. PostgreSQL does not detect deadlocks in these tests, so that
//! operations that wait for each other make a test fail.

use serde_json::json;
use switchboard::{
    domain::ids::{ConversationId, FileId, MessageId, UserId, WorkspaceId},
    store::{LockKey, Op, Result, Sql, conversations},
};

use super::{
    first,
    meanwhile::{number, run, waiting, without_deadlock_detection},
};
use crate::support::*;

/// Creates a group, and a channel of it whose lock key is lower than that of the group although its id is higher. Returns
/// both ids and the lock key of the group.
async fn channel_before_its_group(company: &Company, people: &[&str]) -> (String, String, i64) {
    let workspace = WorkspaceId::parse(&company.id).unwrap();
    let key = |id: &str| LockKey::conversation(workspace, ConversationId(number(id)));
    // whether the later id has the lower key depends on the millisecond of each id
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
async fn a_deletion_of_a_file_and_a_change_of_a_channel_do_not_block_each_other() {
    let Some(first) = first().await else { return };
    without_deadlock_detection(&first).await;
    let server = first.twin().await;
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

/// A post holds the lock of its conversation and waits for the row of a file; the file's deletion waits for the lock of the
/// conversation, in which an earlier message has the file.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deletion_of_a_file_and_a_post_of_it_do_not_block_each_other() {
    let Some(first) = first().await else { return };
    without_deadlock_detection(&first).await;
    let server = first.twin().await;
    let company = server.company().await;
    let person = company.person().await;
    let group = company.group(&[&person]).await;
    let file = company.file(&person, "plan.txt", "text/plain", b"the plan").await;
    company.post_with(&group, &person, json!({"type": "file", "file_ids": [file]})).await;
    let row = FileId::parse(&file).unwrap().0;
    let (mut outside, mut watching) = (server.database.outside().await, server.database.outside().await);
    // an earlier version leaves the row like this, because it does not clear `unattached_until` when it posts a file
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

/// Marks messages as read in a group and its channel in one transaction, as the server does for marks of several people.
struct MarkRead([(ConversationId, UserId, MessageId); 2]);

impl Op for MarkRead {
    const NAME: &'static str = "mark_read_in_a_test";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        conversations::mark_read_many(c, &self.0).await
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_removal_of_a_member_and_marks_do_not_block_each_other() {
    let Some(first) = first().await else { return };
    without_deadlock_detection(&first).await;
    let server = first.twin().await;
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
