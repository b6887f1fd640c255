//! Tests of reads during which the caller loses access to data: the caller's credentials are revoked, the caller leaves
//! the conversation, the conversation is deleted, or a guest is hidden. One node may read while another node makes the
//! change. The response to the read contains no data that the caller may no longer see.
//!
//! Each test makes the queries of a request wait for a lock, makes the change, and releases the lock.

use std::time::Duration;

use serde_json::json;
use sqlx::PgConnection;
use switchboard::domain::ids::{FileId, UserId};

use super::{first, meanwhile::number};
use crate::{
    admin::sessions::{sign_in, with_password},
    pages::colleague,
    support::*,
};

/// Waits until the search index is complete.
async fn indexed(watching: &mut PgConnection) {
    until(async || {
        let queued: i64 =
            sqlx::query_scalar("SELECT COUNT(*) FROM search_queue").fetch_one(&mut *watching).await.unwrap();
        queued == 0
    })
    .await;
}

/// Locks the table `messages` as soon as the search index is complete. The indexing also reads this table, so an
/// earlier lock would block the indexing.
pub(super) async fn lock_messages(holding: &mut PgConnection, watching: &mut PgConnection) {
    indexed(watching).await;
    sqlx::raw_sql("BEGIN; LOCK TABLE messages IN ACCESS EXCLUSIVE MODE").execute(holding).await.unwrap();
}

/// Waits until `number` statements wait for a lock of the table `table`.
pub(super) async fn wait_for_blocked_statements(watching: &mut PgConnection, table: &str, number: i64) {
    // databases that were copied from one template have the same ids of tables, so the query compares the database, too
    let blocked = "SELECT COUNT(*) FROM pg_locks WHERE NOT granted AND relation = $1::regclass
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
    until(async || {
        let waiting: i64 = sqlx::query_scalar(blocked).bind(table).fetch_one(&mut *watching).await.unwrap();
        waiting == number
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_read_in_progress_is_rejected_after_a_revocation() {
    let Some(here) = first().await else { return };
    let there = here.another_node().await;
    let company = here.company().await;
    let ada = with_password(&company, "ada@reads.example", true).await;
    let bot = company.bot(&here).await;
    let ann = here.assistant(&company, "Ann Example").await;
    let group = company.group(&[&ada, ann.id(), &bot.user_id]).await;
    company.post(&group, &ada, "for members only").await;
    let session = sign_in(&company, "ada@reads.example").await;
    let (mut holding, mut watching) = (here.database.outside().await, here.database.outside().await);
    let assistant = here.mcp(&ann.tokens.access, mcp::MODERN);
    // this first request of the connection writes `last_used_at`, so that the request below only reads
    assistant.list_tools().await;

    lock_messages(&mut holding, &mut watching).await;
    let as_bot = tokio::spawn(bot.api.get(&format!("/v1/conversations/{group}/messages")).send());
    let as_admin = tokio::spawn(session.get(&format!("/admin/v1/conversations/{group}/messages")).send());
    let asked = json!({"conversation": group});
    let as_assistant = tokio::spawn(async move { assistant.tool("read_messages", asked).await });
    wait_for_blocked_statements(&mut watching, "messages", 3).await;

    let operator = Api { base: there.base.clone(), ..company.operator.clone() };
    let elsewhere = Company { operator, ..company.clone() };
    elsewhere.uninstall(&bot).await;
    elsewhere.set_state(&ada, "deactivated").await;
    elsewhere.set_state(ann.id(), "deactivated").await;
    sqlx::raw_sql("COMMIT").execute(&mut holding).await.unwrap();
    as_bot.await.unwrap().refused(401, "token_revoked");
    as_admin.await.unwrap().refused(401, "invalid_auth");
    as_assistant.await.unwrap().invalid_token();
}

/// A read has checked the membership and has not yet read the messages. At this moment the reader leaves the
/// conversation, and a message with a file is sent. In the second round the reader leaves, joins again, and then the
/// message is sent. In both rounds the read is rejected.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_read_in_progress_returns_no_message_from_after_the_reader_left() {
    let Some(here) = first().await else { return };
    let company = here.company().await;
    let bot = company.bot(&here).await;
    let ann = here.assistant(&company, "Ann Example").await;
    let person = company.person().await;
    let group = company.group(&[&person, ann.id(), &bot.user_id]).await;
    company.post(&group, &person, "for members only").await;
    let file = company.file(&person, "a.txt", "text/plain", b"a").await;
    let (mut holding, mut watching) = (here.database.outside().await, here.database.outside().await);
    let assistant = here.mcp(&ann.tokens.access, mcp::MODERN);
    // this first request of the connection writes `last_used_at`, so that the request below only reads
    assistant.list_tools().await;

    let history = format!("/v1/conversations/{group}/messages");
    for rejoins in [false, true] {
        lock_messages(&mut holding, &mut watching).await;
        let lock = "LOCK TABLE message_files IN ACCESS EXCLUSIVE MODE";
        sqlx::raw_sql(lock).execute(&mut holding).await.unwrap();
        let of_bot = tokio::spawn(bot.api.get(&history).send());
        let of_file = tokio::spawn(bot.api.get(&format!("/v1/conversations/{group}/files/{file}")).send());
        let (asking, asked) = (assistant.clone(), json!({"conversation": group}));
        let of_assistant = tokio::spawn(async move { asking.tool("read_messages", asked).await });
        wait_for_blocked_statements(&mut watching, "messages", 2).await;
        wait_for_blocked_statements(&mut watching, "message_files", 1).await;
        let members = [bot.user_id.as_str(), ann.id()].map(|user| UserId::parse(user).unwrap().0.to_string());
        let (members, group) = (members.join(", "), number(&group));
        let left_at = if rejoins { "NULL, visible_from = visible_from + 1000" } else { "1" };
        let change = format!(
            "UPDATE members SET left_at = {left_at} WHERE conversation_id = {group} AND user_id IN ({members});
             INSERT INTO messages (conversation_id, id, sender_id, type, text, file_count, created_at, workspace_id)
                SELECT conversation_id, id + 1, sender_id, 0, 'after they left', 1, created_at, workspace_id
                FROM messages WHERE conversation_id = {group} ORDER BY id DESC LIMIT 1;
             INSERT INTO message_files (workspace_id, conversation_id, message_id, position, file_id)
                SELECT workspace_id, conversation_id, id, 0, {file} FROM messages
                WHERE conversation_id = {group} ORDER BY id DESC LIMIT 1;
             COMMIT",
            file = FileId::parse(&file).unwrap().0
        );
        sqlx::raw_sql(sqlx::AssertSqlSafe(change)).execute(&mut holding).await.unwrap();
        of_bot.await.unwrap().refused(403, "not_in_conversation");
        of_file.await.unwrap().refused(403, "not_in_conversation");
        let result = of_assistant.await.unwrap().result();
        let said = text(&result, "/content/0/text");
        assert!(
            said.starts_with("not_in_conversation: "),
            "a read during which the reader left returns no messages (D-370): {said}"
        );
        let back = format!(
            "UPDATE members SET left_at = NULL WHERE conversation_id = {group} AND user_id IN ({members})"
        );
        sqlx::raw_sql(sqlx::AssertSqlSafe(back)).execute(&mut holding).await.unwrap();
    }
}

/// A read has found that the company hides no guests, and has not yet read the messages. At this moment a guest is
/// hidden.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_read_in_progress_names_no_guest_who_was_hidden_meanwhile() {
    let Some(here) = first().await else { return };
    let company = here.company().await;
    let bot = company.bot(&here).await;
    let guest = company.guest(true).await;
    let group = company.group(&[&guest, &bot.user_id]).await;
    company.post(&group, &guest, "from somebody").await;
    let (mut holding, mut watching) = (here.database.outside().await, here.database.outside().await);

    lock_messages(&mut holding, &mut watching).await;
    let history = tokio::spawn(bot.api.get(&format!("/v1/conversations/{group}/messages")).send());
    wait_for_blocked_statements(&mut watching, "messages", 1).await;
    company.update_user(&guest, json!({"guest_visible": false})).await;
    sqlx::raw_sql("COMMIT").execute(&mut holding).await.unwrap();
    let page = history.await.unwrap().ok(200);
    let message = &page["messages"][0];
    assert_eq!(message["text"], "from somebody", "history shows the messages of a hidden guest (B-126)");
    assert_eq!(message["user_id"], json!(null), "history hides a guest the bot may not see (B-126)");
}

/// A read has checked the membership and has not yet read the messages. At this moment the conversation is deleted.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_read_in_progress_returns_no_message_of_a_deleted_conversation() {
    let Some(here) = first().await else { return };
    let company = here.company().await;
    let bot = company.bot(&here).await;
    let ann = here.assistant(&company, "Ann Example").await;
    let group = company.group(&[ann.id(), &bot.user_id]).await;
    company.post(&group, ann.id(), "for members only").await;
    let (mut holding, mut watching) = (here.database.outside().await, here.database.outside().await);
    let assistant = here.mcp(&ann.tokens.access, mcp::MODERN);
    // this first request of the connection writes `last_used_at`, so that the request below only reads
    assistant.list_tools().await;

    lock_messages(&mut holding, &mut watching).await;
    let of_bot = tokio::spawn(bot.api.get(&format!("/v1/conversations/{group}/messages")).send());
    let asked = json!({"conversation": group});
    let of_assistant = tokio::spawn(async move { assistant.tool("read_messages", asked).await });
    wait_for_blocked_statements(&mut watching, "messages", 2).await;
    let change = format!("UPDATE conversations SET deleted_at = 1 WHERE id = {}; COMMIT", number(&group));
    sqlx::raw_sql(sqlx::AssertSqlSafe(change)).execute(&mut holding).await.unwrap();
    of_bot.await.unwrap().refused(404, "conversation_not_found");
    let result = of_assistant.await.unwrap().result();
    let said = text(&result, "/content/0/text");
    assert!(
        said.starts_with("conversation_not_found: "),
        "nobody sees the messages of a deleted conversation (D-370): {said}"
    );
}

/// A request for the list of members has checked the membership and has not yet read the members. At this moment the
/// reader leaves and somebody joins. The statement of the check and the later statement of the list both read
/// `members`, so a lock of this table would already block the check. Instead, the test makes `members` a view whose
/// rows wait for an advisory lock.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_list_of_members_in_progress_is_rejected_after_the_reader_left() {
    let Some(here) = first().await else { return };
    let company = here.company().await;
    let ada = with_password(&company, "ada@members.example", false).await;
    let (stays, joins) = (company.person().await, company.person().await);
    let group = company.group(&[&ada, &stays]).await;
    let session = sign_in(&company, "ada@members.example").await;
    let list = session.get(&format!("/admin/v1/conversations/{group}/members"));
    assert_eq!(list.ok(200).await["members"].as_array().unwrap().len(), 2);
    let (mut one, mut two) = (here.database.outside().await, here.database.outside().await);
    let mut watching = here.database.outside().await;
    let view = "ALTER TABLE members RENAME TO stored_members;
        CREATE FUNCTION waits() RETURNS BOOLEAN LANGUAGE sql VOLATILE
            AS 'SELECT pg_advisory_xact_lock_shared(7) IS NOT NULL';
        CREATE VIEW members AS SELECT * FROM stored_members WHERE waits();
        SELECT pg_advisory_lock(7)";
    sqlx::raw_sql(view).execute(&mut one).await.unwrap();
    let waiters = async |watching: &mut PgConnection, number: i64| {
        let sql = "SELECT COUNT(*) FROM pg_locks WHERE NOT granted AND locktype = 'advisory' AND objid = 7
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
        until(async || sqlx::query_scalar::<_, i64>(sql).fetch_one(&mut *watching).await.unwrap() == number)
            .await;
    };
    let listed = tokio::spawn(session.get(&format!("/admin/v1/conversations/{group}/members")).send());
    waiters(&mut watching, 1).await;
    // this exclusive lock is requested before the statement of the list begins, so it is granted between the statements
    let between = tokio::spawn(async move {
        sqlx::raw_sql("SELECT pg_advisory_lock(7)").execute(&mut two).await.unwrap();
        two
    });
    waiters(&mut watching, 2).await;
    sqlx::raw_sql("SELECT pg_advisory_unlock(7)").execute(&mut one).await.unwrap();
    let mut two = between.await.unwrap();
    let change = format!(
        "UPDATE stored_members SET left_at = 1 WHERE user_id = {};
         INSERT INTO stored_members SELECT (jsonb_populate_record(m, jsonb_build_object('user_id', {}))).*
            FROM stored_members AS m WHERE user_id = {}",
        UserId::parse(&ada).unwrap().0,
        UserId::parse(&joins).unwrap().0,
        UserId::parse(&stays).unwrap().0
    );
    sqlx::raw_sql(sqlx::AssertSqlSafe(change)).execute(&mut two).await.unwrap();
    sqlx::raw_sql("SELECT pg_advisory_unlock(7)").execute(&mut two).await.unwrap();
    listed.await.unwrap().refused(403, "not_in_conversation");
}

/// After the server has looked up the permissions of a caller, it may rely on them for 120 ms. Here every look-up takes
/// longer, because the connection to the database is slow. So before the response is sent, the server looks up the
/// caller again, in a transaction that holds the caller's advisory locks.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_read_in_progress_is_rejected_after_a_revocation() {
    let Some(near) = first().await else { return };
    let Some((proxy, url)) = near.database.proxied().await else { return };
    let far = near.another_node_with(near.clock.clone(), |config| config.database.url = url).await.unwrap();
    let company = near.company().await;
    let operator = Api { base: far.base.clone(), ..company.operator.clone() };
    let from_far = Company { operator, ..company.clone() };
    let ada = with_password(&company, "ada@far.example", true).await;
    let eve = with_password(&company, "eve@far.example", true).await;
    let (revoked, stays) = (company.bot(&far).await, company.bot(&far).await);
    let (ann, sue) = (far.assistant(&company, "Ann").await, far.assistant(&company, "Sue").await);
    let members = [&ada, &eve, ann.id(), sue.id(), &revoked.user_id, &stays.user_id];
    let group = company.group(&members).await;
    company.post(&group, &ada, "for members only").await;
    let sessions = [sign_in(&from_far, "ada@far.example").await, sign_in(&from_far, "eve@far.example").await];
    let assistants = [far.mcp(&ann.tokens.access, mcp::MODERN), far.mcp(&sue.tokens.access, mcp::MODERN)];
    for assistant in &assistants {
        // this first request of the connection writes `last_used_at`, so that the request below only reads
        assistant.list_tools().await;
    }
    let (mut holding, mut watching) = (near.database.outside().await, near.database.outside().await);
    proxy.delay(Duration::from_millis(80));

    lock_messages(&mut holding, &mut watching).await;
    let path = format!("/v1/conversations/{group}/messages");
    let as_bots = [&revoked, &stays]
        .map(|bot| tokio::spawn(Api { base: far.base.clone(), ..bot.api.clone() }.get(&path).send()));
    let path = format!("/admin/v1/conversations/{group}/messages");
    let as_admins = sessions.map(|session| tokio::spawn(session.get(&path).send()));
    let as_assistants = assistants.map(|assistant| {
        let asked = json!({"conversation": group});
        tokio::spawn(async move { assistant.tool("read_messages", asked).await })
    });
    wait_for_blocked_statements(&mut watching, "messages", 6).await;
    company.uninstall(&revoked).await;
    company.set_state(&ada, "deactivated").await;
    company.set_state(ann.id(), "deactivated").await;
    sqlx::raw_sql("COMMIT").execute(&mut holding).await.unwrap();

    let [revoked, stays] = as_bots;
    revoked.await.unwrap().refused(401, "token_revoked");
    assert_eq!(
        stays.await.unwrap().status,
        200,
        "a caller who was not revoked gets the response, however slow the database is"
    );
    let [revoked, stays] = as_admins;
    revoked.await.unwrap().refused(401, "invalid_auth");
    assert_eq!(stays.await.unwrap().status, 200);
    let [revoked, stays] = as_assistants;
    revoked.await.unwrap().invalid_token();
    stays.await.unwrap().result();
}

/// One account may belong to a person in each of several companies. A new password that is set in one of the companies
/// revokes the account's sessions in all of them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_read_is_rejected_after_a_new_password_in_another_company() {
    let Some(here) = first().await else { return };
    let (company, other) = (here.company().await, here.company().await);
    let ada = with_password(&company, "ada@both.example", true).await;
    let group = company.group(&[&ada]).await;
    let session = sign_in(&company, "ada@both.example").await;
    let (mut holding, mut watching) = (here.database.outside().await, here.database.outside().await);
    lock_messages(&mut holding, &mut watching).await;
    let reading = tokio::spawn(session.get(&format!("/admin/v1/conversations/{group}/messages")).send());
    wait_for_blocked_statements(&mut watching, "messages", 1).await;
    let person = json!({"name": "Ada", "email": "ada@both.example", "password": "difference engine"});
    other.operator.post(&other.path("/users")).json(&person).ok(201).await;
    sqlx::raw_sql("COMMIT").execute(&mut holding).await.unwrap();
    reading.await.unwrap().refused(401, "invalid_auth");
}

/// A call of `draft_message` with a used idempotency key writes only its audit row. Its response contains the draft, so
/// the server checks the caller again before it responds, as for a read. A call with a new key has written a draft, so
/// the server responds without this check.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_repeated_draft_is_rejected_after_a_revocation() {
    let Some(here) = first().await else { return };
    let company = here.company().await;
    let (ann, bob) = (here.assistant(&company, "Ann").await, here.assistant(&company, "Bob").await);
    let group = company.group(&[ann.id(), bob.id()]).await;
    let (mut holding, mut watching) = (here.database.outside().await, here.database.outside().await);
    let clients = [&ann, &bob].map(|one| here.mcp(&one.tokens.access, mcp::MODERN));
    let call = |key: &str| json!({"conversation": group, "text": "for the group", "idempotency_key": key});
    for client in &clients {
        client.tool("draft_message", call("used")).await.is(200);
    }
    // The transactions that insert the audit rows wait for this lock. The draft of the new key is committed before they
    // begin to wait.
    sqlx::raw_sql("BEGIN; LOCK TABLE log_heads IN ACCESS EXCLUSIVE MODE")
        .execute(&mut holding)
        .await
        .unwrap();
    let [anns, bobs] = clients;
    let (used, fresh) = (call("used"), call("fresh"));
    let repeated = tokio::spawn(async move { anns.tool("draft_message", used).await });
    let new = tokio::spawn(async move { bobs.tool("draft_message", fresh).await });
    wait_for_blocked_statements(&mut watching, "log_heads", 2).await;
    company.set_state(ann.id(), "deactivated").await;
    company.set_state(bob.id(), "deactivated").await;
    sqlx::raw_sql("COMMIT").execute(&mut holding).await.unwrap();
    repeated.await.unwrap().invalid_token();
    new.await.unwrap().is(200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_search_in_progress_redirects_to_itself_after_the_reader_left_a_conversation() {
    let Some(here) = first().await else { return };
    let company = here.company().await;
    let (stays, of_stays) = colleague(&here, &company, json!({})).await;
    let (leaves, of_leaves) = colleague(&here, &company, json!({})).await;
    let group = company.group(&[&stays, &leaves]).await;
    // the search also reads the files of the message, so the lock of `message_files` below delays the search
    let file = company.file(&stays, "a.txt", "text/plain", b"a").await;
    let message = json!({"text": "for members only", "file_ids": [file]});
    company.post_with(&group, &stays, message).await;
    let (mut holding, mut watching) = (here.database.outside().await, here.database.outside().await);
    indexed(&mut watching).await;

    let lock = "BEGIN; LOCK TABLE message_files IN ACCESS EXCLUSIVE MODE";
    sqlx::raw_sql(lock).execute(&mut holding).await.unwrap();
    let path = "/search?q=members";
    let searches =
        [of_stays, of_leaves.clone()].map(|mut browser| tokio::spawn(async move { browser.get(path).await }));
    wait_for_blocked_statements(&mut watching, "message_files", 2).await;
    company.remove(&group, &leaves).await;
    sqlx::raw_sql("COMMIT").execute(&mut holding).await.unwrap();

    let [stayed, left] = searches;
    stayed.await.unwrap().is(200, "for <mark>members</mark> only");
    let left = left.await.unwrap();
    assert_eq!(left.to(), path, "the page redirects to the same search: {}", left.text);
    of_leaves.clone().get(path).await.is(200, "No message matches");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_assistants_search_in_progress_returns_nothing_after_the_employee_left_the_conversation() {
    let Some(here) = first().await else { return };
    let company = here.company().await;
    let (ann, bob) = (here.assistant(&company, "Ann").await, here.assistant(&company, "Bob").await);
    let group = company.group(&[ann.id(), bob.id()]).await;
    // the search also reads the files of the message, so the lock of `message_files` below delays the search
    let file = company.file(ann.id(), "a.txt", "text/plain", b"a").await;
    let message = json!({"text": "for members only", "file_ids": [file]});
    company.post_with(&group, ann.id(), message).await;
    let (mut holding, mut watching) = (here.database.outside().await, here.database.outside().await);
    let clients = [&ann, &bob].map(|one| here.mcp(&one.tokens.access, mcp::MODERN));
    for client in &clients {
        // this first request of the connection writes `last_used_at`, so that the request below only reads
        client.list_tools().await;
    }
    indexed(&mut watching).await;

    let lock = "BEGIN; LOCK TABLE message_files IN ACCESS EXCLUSIVE MODE";
    sqlx::raw_sql(lock).execute(&mut holding).await.unwrap();
    let asked = json!({"query": "members"});
    let searches = clients.clone().map(|client| {
        let asked = asked.clone();
        tokio::spawn(async move { client.tool("search_messages", asked).await })
    });
    wait_for_blocked_statements(&mut watching, "message_files", 2).await;
    company.remove(&group, bob.id()).await;
    sqlx::raw_sql("COMMIT").execute(&mut holding).await.unwrap();

    let [stayed, left] = searches;
    let found = stayed.await.unwrap().result();
    assert_eq!(found["structuredContent"]["messages"][0]["text"], "for members only");
    let found = left.await.unwrap().result();
    let said = text(&found, "/content/0/text");
    assert!(
        found["isError"] == true
            && said.starts_with("server_error: the conversations of the employee changed"),
        "an employee who left the conversation finds none of its messages (D-370): {said}"
    );
    let path = company.path(&format!("/tool_calls?user_id={}", bob.id()));
    let calls = company.operator.get(&path).ok(200).await;
    let recorded = &calls["tool_calls"][0];
    assert_eq!((&recorded["tool"], &recorded["outcome"]), (&json!("search_messages"), &json!("ok")));
    assert_ne!(recorded["targets"], json!([]), "the audit has the ids that the tool read");
    let again = clients[1].tool("search_messages", asked).await.result();
    assert_eq!(again["structuredContent"]["messages"], json!([]));
}
