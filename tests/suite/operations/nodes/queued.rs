//! Many writes of one kind wait for the lock of a busy conversation. Together they occupy one database connection, so
//! they do not delay sends to other conversations.

use futures_util::future::{BoxFuture, join_all};
use serde_json::json;
use switchboard::{
    domain::ids::{ConversationId, WorkspaceId},
    store::LockKey,
};

use super::first;
use crate::support::*;

/// Number of writes of each kind. It is higher than the number of database connections that may write at the same time.
const WRITES: usize = 10;

type Write = BoxFuture<'static, u16>;

fn write(call: Call) -> Write {
    Box::pin(async move { call.send().await.status })
}

/// Returns the number of transactions that wait for an advisory lock.
async fn waiting(watching: &mut sqlx::PgConnection) -> i64 {
    let waiting = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
    sqlx::query_scalar(waiting).fetch_one(watching).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn writes_to_a_busy_conversation_do_not_delay_other_conversations() {
    let Some(server) = first().await else { return };
    let company = server.company().await;
    let (bot, person) = (company.bot(&server).await, company.person().await);
    let ann = server.assistant(&company, "Ann Example").await;
    let busy = company.group(&[&person, &bot.user_id, ann.id()]).await;
    let other = company.group(&[&person, &bot.user_id]).await;
    let path = format!("/admin/v1/conversations/{busy}");

    let of_people = join_all((0..WRITES).map(|_| company.post(&busy, &person, "to be changed"))).await;
    let mut of_bot = Vec::new();
    for _ in 0..WRITES {
        of_bot.push(text(&bot.send(&to_conversation(&busy, "to be changed")).await, "/id"));
    }
    let mut drafts = Vec::new();
    for _ in 0..WRITES {
        drafts.push(ann.drafts(json!({"conversation": busy, "text": "to be sent"})).await);
    }
    let newcomers = join_all((0..WRITES).map(|_| company.person())).await;
    let message = |id: &str| format!("/admin/v1/messages/{id}");
    let (one, operator) = (of_bot[0].clone(), &company.operator);
    let rounds: Vec<(&str, Vec<Write>)> = vec![
        (
            "posts",
            (0..WRITES)
                .map(|n| {
                    let body = json!({"user_id": person, "type": "text", "text": format!("post {n}")});
                    write(operator.post(&format!("{path}/messages")).json(&body))
                })
                .collect(),
        ),
        (
            "edits by people",
            of_people
                .iter()
                .map(|id| write(operator.patch(&message(id)).json(&json!({"text": "changed"}))))
                .collect(),
        ),
        (
            "edits by a bot",
            of_bot.iter().map(|id| write(bot.editing(id, &json!({"text": "changed"})))).collect(),
        ),
        (
            "clicks on one message",
            (0..WRITES)
                .map(|_| {
                    let click = json!({"user_id": person, "action_id": "approve", "value": "yes"});
                    write(operator.post(&format!("{}/interactions", message(&one))).json(&click))
                })
                .collect(),
        ),
        ("deletions by a bot", of_bot.iter().map(|id| write(bot.deleting(id))).collect()),
        ("deletions by people", of_people.iter().map(|id| write(operator.delete(&message(id)))).collect()),
        (
            "sends of drafts",
            drafts
                .into_iter()
                .map(|draft| {
                    let assistant = server.mcp(&ann.tokens.access, mcp::MODERN);
                    let send = json!({"draft_id": draft});
                    Box::pin(async move { assistant.tool("send_draft", send).await.status }) as Write
                })
                .collect(),
        ),
        (
            "new members",
            newcomers.iter().map(|id| write(operator.put(&format!("{path}/members/{id}")))).collect(),
        ),
    ];

    let workspace = WorkspaceId::parse(&company.id).unwrap();
    let lock = LockKey::conversation(workspace, ConversationId::parse(&busy).unwrap().1).number();
    let (mut outside, mut watching) = (server.database.outside().await, server.database.outside().await);
    for (what, writes) in rounds {
        let begin = format!("BEGIN; SELECT pg_advisory_xact_lock({lock})");
        sqlx::raw_sql(sqlx::AssertSqlSafe(begin)).execute(&mut outside).await.unwrap();
        let writes: Vec<_> = writes.into_iter().map(tokio::spawn).collect();
        until(async || waiting(&mut watching).await > 0).await;
        for _ in 0..5 {
            let sent = bot.send(&to_conversation(&other, "now")).await;
            assert_eq!(sent["conversation_id"], other.as_str(), "a send elsewhere does not wait: {what}");
        }
        assert_eq!(waiting(&mut watching).await, 1, "only one transaction waits for the lock: {what}");
        assert!(
            writes.iter().all(|write| !write.is_finished()),
            "no write finishes while the lock is held: {what}"
        );
        sqlx::raw_sql("COMMIT").execute(&mut outside).await.unwrap();
        for write in writes {
            let status = write.await.unwrap();
            assert!(
                (200..300).contains(&status),
                "every write succeeds after the lock is released: {what}: {status}"
            );
        }
    }
    let posted = company.messages(&busy).await;
    for start in ["post ", "to be sent"] {
        let is_of_round = |message: &&serde_json::Value| {
            message["text"].as_str().is_some_and(|text| text.starts_with(start))
        };
        assert_eq!(
            posted.iter().filter(is_of_round).count(),
            WRITES,
            "every post and every draft is sent once: {start}"
        );
    }
}
