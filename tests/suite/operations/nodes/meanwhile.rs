//! Tests of writes that wait for the locks of other transactions on PostgreSQL:
//!
//! - A write waits for a change in progress, for example until a group is archived. If the change forbids the write,
//!   the write is rejected and stores nothing.
//! - Deletions and demotions wait for writes in progress.
//! - Writes that wait for each other do not deadlock.
//! - A caller who may not write to a conversation does not wait for the conversation's lock.

use sqlx::{AssertSqlSafe, PgConnection};
use switchboard::{
    domain::ids::{AppId, ConversationId, UserId, WorkspaceId},
    store::{Engine, LockKey},
};

use super::first;
use crate::support::*;

pub(super) fn number(conversation: &str) -> i64 {
    ConversationId::parse(conversation).unwrap().1.0
}

pub(super) async fn run(outside: &mut PgConnection, sql: &str) {
    sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(outside).await.unwrap();
}

/// Returns the number of transactions that wait for a lock.
pub(super) async fn waiting(outside: &mut PgConnection) -> i64 {
    let waiting = "SELECT COUNT(*) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'";
    sqlx::query_scalar(waiting).fetch_one(outside).await.unwrap()
}

/// Returns the number of transactions that wait for an advisory lock.
async fn waiting_for(outside: &mut PgConnection, lock: i64) -> i64 {
    let waiting = "SELECT COUNT(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND (classid::bigint << 32 | objid::bigint) = $1";
    sqlx::query_scalar(waiting).bind(lock).fetch_one(outside).await.unwrap()
}

async fn is_waited_for(outside: &mut PgConnection) -> bool {
    waiting(outside).await > 0
}

/// Disables the detection of deadlocks in sessions that begin later. With the detection, PostgreSQL would abort one of
/// the deadlocked transactions and the server would retry it, so the test would succeed in spite of the deadlock.
pub(super) async fn without_deadlock_detection(server: &Server) {
    let patient = "DO $$ BEGIN
        EXECUTE format('ALTER DATABASE %I SET deadlock_timeout = ''1h''', current_database());
    END $$";
    run(&mut server.database.outside().await, patient).await;
}

/// Begins a transaction with the SQL of `change`, starts `write`, and commits the transaction as soon as the write
/// waits for a lock. Returns the result of the write. Panics if the write ends before the commit.
async fn meanwhile<T: Send + 'static>(
    server: &Server,
    change: &str,
    write: impl Future<Output = T> + Send + 'static,
) -> T {
    let (mut changing, mut watching) = (server.database.outside().await, server.database.outside().await);
    run(&mut changing, &format!("BEGIN; {change}")).await;
    let mut writing = tokio::spawn(write);
    let waits = until(async || is_waited_for(&mut watching).await);
    tokio::select! {
        () = waits => {}
        answer = &mut writing => {
            answer.unwrap();
            panic!("the write ended without waiting for the change ({change})");
        }
    }
    run(&mut changing, "COMMIT").await;
    writing.await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_write_that_waited_for_a_change_is_rejected_if_the_change_forbids_it() {
    let Some(server) = first().await else { return };
    let company = server.company().await;
    let (bot, person) = (company.bot(&server).await, company.person().await);
    let bot_number = UserId::parse(&bot.user_id).unwrap().0;
    let workspace = WorkspaceId::parse(&company.id).unwrap();
    let lock_of =
        |conversation: &str| LockKey::conversation(workspace, ConversationId(number(conversation))).number();
    for (change, status, code) in [
        ("UPDATE conversations SET archived_at = 1 WHERE id = {group}", 409, "conversation_archived"),
        (
            "UPDATE conversations SET deleted_at = 1 WHERE id IN ({group}, {channel})",
            404,
            "conversation_not_found",
        ),
        (
            "UPDATE members SET left_at = 1 WHERE user_id = {bot} AND conversation_id IN ({group}, {channel})",
            403,
            "not_in_conversation",
        ),
    ] {
        for what in ["group", "channel", "edit", "post"] {
            let group = company.group(&[&person, &bot.user_id]).await;
            let channel = company.channel(&group, &[&person, &bot.user_id]).await;
            let message = bot.send(&to_conversation(&group, "to be edited")).await;
            let (of_group, of_channel) = (lock_of(&group), lock_of(&channel));
            let locks =
                format!("SELECT pg_advisory_xact_lock({of_group}), pg_advisory_xact_lock({of_channel});");
            let change = format!("{locks} {change}")
                .replace("{group}", &number(&group).to_string())
                .replace("{channel}", &number(&channel).to_string())
                .replace("{bot}", &bot_number.to_string());
            let (write, code) = match what {
                "group" => (bot.sending("meanwhile-group", &to_conversation(&group, "late")), code),
                "channel" => (bot.sending("meanwhile-channel", &to_conversation(&channel, "late")), code),
                "edit" => {
                    let path = format!("/v1/messages/{}", text(&message, "/id"));
                    let write = bot.api.patch(&path).json(&serde_json::json!({"text": "late"}));
                    (write, if status == 404 { "message_not_found" } else { code })
                }
                // the change removes only the bot, so it does not affect a person's post
                _ if status == 403 => continue,
                _ => {
                    let path = format!("/admin/v1/conversations/{group}/messages");
                    let body = serde_json::json!({"user_id": person, "type": "text", "text": "late"});
                    (company.operator.post(&path).json(&body), code)
                }
            };
            let answer = meanwhile(&server, &change, write.send()).await;
            answer.refused(status, code);
            let texts: Vec<String> = sqlx::query_scalar("SELECT text FROM messages WHERE text = 'late'")
                .fetch_all(&mut server.database.outside().await)
                .await
                .unwrap();
            assert!(texts.is_empty(), "a rejected write stores nothing: {what}: {change}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_press_that_waited_for_a_change_is_rejected_if_the_change_forbids_it() {
    let Some(server) = first().await else { return };
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let (person, browser) = crate::pages::colleague(&server, &company, serde_json::json!({})).await;
    let workspace = WorkspaceId::parse(&company.id).unwrap();
    for (change, status, words) in [
        ("UPDATE conversations SET archived_at = 1 WHERE id = {group}", 409, "archived"),
        (
            "UPDATE members SET left_at = 1 WHERE user_id = {person} AND conversation_id = {group}",
            404,
            "Page not found",
        ),
    ] {
        let group = company.group(&[&person, &bot.user_id]).await;
        let mut body = to_conversation(&group, "Release?");
        body["blocks"] = serde_json::json!([
            {"type": "actions", "items": [{"action_id": "approve", "text": "Approve"}]},
        ]);
        let path = format!("/c/{group}/{}/actions", text(&bot.send(&body).await, "/id"));
        let lock = LockKey::conversation(workspace, ConversationId(number(&group))).number();
        let change = format!("SELECT pg_advisory_xact_lock({lock}); {change}")
            .replace("{group}", &number(&group).to_string())
            .replace("{person}", &UserId::parse(&person).unwrap().0.to_string());
        let mut browser = browser.clone();
        let press = async move {
            let csrf = browser.get("/drafts").await.csrf("/signout");
            browser.post(&path, &[("csrf", &csrf), ("action_id", "approve"), ("press", "n")]).await
        };
        meanwhile(&server, &change, press).await.is(status, words);
        let presses: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM button_presses")
            .fetch_one(&mut server.database.outside().await)
            .await
            .unwrap();
        assert_eq!(presses, 0, "a rejected press is not recorded: {change}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_test_event_that_waited_for_a_change_is_rejected_if_the_change_forbids_it() {
    let Some(fixture) = EventsFixture::on(Engine::Postgres).await else { return };
    let (company, bot, person) = (&fixture.company, &fixture.bot, fixture.company.person().await);
    let workspace = WorkspaceId::parse(&company.id).unwrap();
    for change in [
        "UPDATE conversations SET archived_at = 1 WHERE id = {group}",
        "UPDATE conversations SET deleted_at = 1 WHERE id = {group}",
        "UPDATE members SET left_at = 1 WHERE user_id = {bot} AND conversation_id = {group}",
    ] {
        let group = company.group(&[&person, &bot.user_id]).await;
        bot.send(&to_conversation(&group, "Release?")).await;
        let lock = LockKey::conversation(workspace, ConversationId(number(&group))).number();
        let change = format!("SELECT pg_advisory_xact_lock({lock}); {change}")
            .replace("{group}", &number(&group).to_string())
            .replace("{bot}", &UserId::parse(&bot.user_id).unwrap().0.to_string());
        let path = format!("/admin/v1/apps/{}/test_events", bot.app.id);
        let write = fixture.server.operator().post(&path).json(&serde_json::json!({"type": "interaction"}));
        meanwhile(&fixture.server, &change, write.send()).await.refused(409, "conflict");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_send_that_waited_for_the_deletion_of_its_direct_conversation_creates_a_new_one() {
    let Some(server) = first().await else { return };
    let company = server.company().await;
    let (bot, person) = (company.bot(&server).await, company.person().await);
    let before = text(&bot.send(&to_user(&person, "before")).await, "/conversation_id");
    let id = number(&before);
    let pair = [&bot.user_id, &person].map(|user| UserId::parse(user).unwrap());
    let lock = LockKey::pair(pair[0], pair[1]).number();
    let change = format!(
        "SELECT pg_advisory_xact_lock({lock});
         INSERT INTO former_pairs (workspace_id, low_user_id, high_user_id, conversation_id)
            SELECT workspace_id, low_user_id, high_user_id, conversation_id FROM direct_pairs WHERE conversation_id = {id};
         DELETE FROM direct_pairs WHERE conversation_id = {id};
         UPDATE conversations SET deleted_at = 1 WHERE id = {id}"
    );
    let write = bot.sending("anew", &to_user(&person, "after")).send();
    let answer = meanwhile(&server, &change, write).await;
    let after = text(&answer.ok(201)["message"], "/conversation_id");
    assert_ne!(after, before, "a deleted direct conversation gets no new message");
    assert_eq!(bot.send(&to_user(&person, "next")).await["conversation_id"], after);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sends_and_changes_of_members_and_account_states_do_not_deadlock() {
    let Some(first) = first().await else { return };
    without_deadlock_detection(&first).await;
    let server = first.another_node().await;
    let company = server.company().await;
    let (bot, other) = (company.bot(&server).await, company.bot(&server).await);
    let people = [company.person().await, company.person().await];
    let group = company.group(&[&people[0], &bot.user_id, &other.user_id]).await;
    let channel = company.channel(&group, &[&people[0], &bot.user_id]).await;
    // Four loops run concurrently: one sends to the group and the channel, two change members of the group and the
    // channel, and one changes a person's account state.
    let sends = async {
        for n in 0..60 {
            let to = if n % 2 == 0 { &group } else { &channel };
            bot.send(&to_conversation(to, "on and on")).await;
        }
    };
    let in_channel = async {
        for _ in 0..30 {
            company.add(&channel, &people[1]).await;
            company.remove(&channel, &other.user_id).await;
        }
    };
    let in_group = async {
        for _ in 0..30 {
            company.remove(&group, &people[1]).await;
            company.add(&channel, &other.user_id).await;
        }
    };
    let states = async {
        for _ in 0..30 {
            company.set_state(&people[0], "deactivated").await;
            company.set_state(&people[0], "active").await;
        }
    };
    tokio::join!(sends, in_channel, in_group, states);
}

/// The deletion of a group waits for a write in progress to the group's channel. During this wait, a second deletion of
/// the group is requested, and waits for the write too.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_repeated_deletion_waits_for_writes_in_progress() {
    let Some(server) = first().await else { return };
    let company = server.company().await;
    let person = company.person().await;
    let group = company.group(&[&person]).await;
    let channel = company.channel(&group, &[&person]).await;
    let (mut writing, mut watching) = (server.database.outside().await, server.database.outside().await);
    let workspace = WorkspaceId::parse(&company.id).unwrap();
    // takes the lock that a write to the channel holds until its commit
    let lock = LockKey::conversation(workspace, ConversationId(number(&channel))).number();
    run(&mut writing, &format!("BEGIN; SELECT pg_advisory_xact_lock({lock})")).await;
    let delete = || company.operator.delete(&format!("/admin/v1/conversations/{group}"));
    let mut requests = Vec::new();
    for under_way in 1..=2 {
        let mut request = tokio::spawn(delete().send());
        let waits = until(async || waiting_for(&mut watching, lock).await == under_way);
        tokio::select! {
            () = waits => {}
            answer = &mut request => panic!("answered before the write ended: {}", answer.unwrap().status),
        }
        requests.push(request);
    }
    run(&mut writing, "COMMIT").await;
    let mut answers = Vec::new();
    for request in requests {
        answers.push(request.await.unwrap());
    }
    answers.remove(0).ok(200);
    answers.remove(0).refused(404, "conversation_not_found");
    delete().refused(404, "conversation_not_found").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sending_a_draft_and_removing_its_sender_do_not_deadlock() {
    let Some(first) = first().await else { return };
    without_deadlock_detection(&first).await;
    let server = first.another_node().await;
    let company = server.company().await;
    // The recipient has a lower id than the sender, so the server locks the recipient's row first.
    let to = company.person().await;
    let ann = server.assistant(&company, "Ann Example").await;
    let draft = ann.drafts(serde_json::json!({"person": to, "text": "on its way"})).await;
    let (mut changing, mut watching) = (server.database.outside().await, server.database.outside().await);
    let to = UserId::parse(&to).unwrap().0;
    run(&mut changing, &format!("BEGIN; SELECT id FROM users WHERE id = {to} FOR UPDATE")).await;
    let sending = tokio::spawn({
        let assistant = server.mcp(&ann.tokens.access, mcp::MODERN);
        async move { assistant.tool("send_draft", serde_json::json!({"draft_id": draft})).await }
    });
    until(async || waiting(&mut watching).await == 1).await;
    let removing = tokio::spawn({
        let (company, ann) = (company.clone(), ann.id().to_owned());
        async move { company.set_state(&ann, "removed").await }
    });
    until(async || waiting(&mut watching).await == 2).await;
    run(&mut changing, "COMMIT").await;
    removing.await.unwrap();
    let sent = sending.await.unwrap();
    assert!(
        matches!(sent.status, 200 | 401),
        "the draft is sent, or its sender is removed first: {}",
        sent.status
    );
    let left: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM drafts").fetch_one(&mut watching).await.unwrap();
    assert_eq!(left, 0, "the drafts of a removed person are deleted");
}

/// The operator uninstalls an app in the name of an admin, and `app.uninstalled` names this admin. If the admin is
/// demoted during the uninstall, the demotion waits for the uninstall.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_demotion_waits_for_an_uninstall_in_the_name_of_the_admin() {
    let Some(server) = first().await else { return };
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let path = format!("/admin/v1/installations/{}", company.installation_of(&bot).await);
    let app = AppId::parse(&bot.app.id).unwrap().0;
    let (mut holding, mut watching) = (server.database.outside().await, server.database.outside().await);
    run(&mut holding, &format!("BEGIN; SELECT id FROM apps WHERE id = {app} FOR UPDATE")).await;
    let uninstall = company.operator.delete(&path).header("x-acting-user", &company.admin);
    let uninstalling = tokio::spawn(uninstall.send());
    until(async || waiting(&mut watching).await == 1).await;
    let demote = company.operator.patch(&format!("/admin/v1/users/{}", company.admin));
    let mut demoting = tokio::spawn(demote.json(&serde_json::json!({"is_admin": false})).send());
    let waits = until(async || waiting(&mut watching).await == 2);
    tokio::select! {
        () = waits => {}
        answer = &mut demoting => panic!("answered before the uninstall ended: {}", answer.unwrap().status),
    }
    run(&mut holding, "COMMIT").await;
    uninstalling.await.unwrap().ok(200);
    demoting.await.unwrap().ok(200);
}

/// A caller who may not write to a conversation is rejected, and the request does not take the conversation's lock. So
/// strangers cannot delay the writes of members. There is one exception: the first rejected send of a bot may take the
/// lock.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rejected_writers_take_no_lock_of_the_conversation() {
    let Some(server) = first().await else { return };
    let (company, other) = (server.company().await, server.company().await);
    let (bot, person) = (company.bot(&server).await, company.person().await);
    let stranger = server.employee_of(&other).await.session(&server).await;
    let group = company.group(&[&person]).await;
    let message = company.post(&group, &person, "of the company").await;
    let body = to_conversation(&group, "let me in");
    // after this rejection, the server checks the bot's rights before it takes the lock
    bot.sending("first", &body).refused(404, "conversation_not_found").await;
    let (mut writing, mut watching) = (server.database.outside().await, server.database.outside().await);
    let workspace = WorkspaceId::parse(&company.id).unwrap();
    let lock = LockKey::conversation(workspace, ConversationId(number(&group))).number();
    let held = format!(
        "BEGIN; SELECT pg_advisory_xact_lock({lock}); SELECT id FROM conversations WHERE id = {} FOR UPDATE",
        number(&group)
    );
    run(&mut writing, &held).await;
    bot.sending("second", &body).refused(404, "conversation_not_found").await;
    let path = format!("/admin/v1/conversations/{group}");
    let message = format!("/admin/v1/messages/{message}");
    let changes = [
        stranger.patch(&message).json(&serde_json::json!({"text": "late"})),
        stranger.delete(&message),
        stranger.post(&format!("{path}/messages")).json(&serde_json::json!({"type": "text", "text": "late"})),
        stranger.patch(&path).json(&serde_json::json!({"name": "late"})),
        stranger.put(&format!("{path}/members/{person}")),
        stranger.delete(&path),
    ];
    for change in changes {
        let answer = change.send().await;
        assert!(matches!(answer.status, 403 | 404), "{} {}", answer.status, answer.text());
    }
    run(&mut writing, "COMMIT").await;
    // when the bot is a member, its sends take the lock again
    company.add(&group, &bot.user_id).await;
    run(&mut writing, &held).await;
    let sending = tokio::spawn(bot.sending("third", &body).send());
    until(async || is_waited_for(&mut watching).await).await;
    run(&mut writing, "COMMIT").await;
    sending.await.unwrap().ok(201);
}
