//! Two processes that use one database.

use std::collections::BTreeSet;

use futures_util::future::join_all;
use sqlx::{Connection, PgConnection};

use crate::support::{postgres, *};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_processes_can_start_simultaneously_on_an_empty_database() {
    let Some(database) = postgres::empty_database().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let home = Home::on(folder.path(), database.url.clone());
    let starting = [home.spawn(), home.spawn()];
    let nodes = starting.map(|node| node.listening());

    // each process serves requests, and sees what the other process has written
    let company = Company::create(home.operator(&nodes[0])).await;
    let other = Company { operator: home.operator(&nodes[1]), ..company.clone() };
    let person = other.person().await;
    let answer = home.operator(&nodes[0]).get(&company.path("/users?limit=1000")).ok(200).await;
    assert!(answer["users"].as_array().unwrap().iter().any(|user| user["id"] == person.as_str()));

    let files =
        std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/migrations/postgres")).unwrap().count();
    let mut outside = PgConnection::connect(&database.url).await.unwrap();
    let (applied, versions): (i64, i64) =
        sqlx::query_as("SELECT COUNT(*), COUNT(DISTINCT version) FROM _sqlx_migrations WHERE success")
            .fetch_one(&mut outside)
            .await
            .unwrap();
    assert_eq!((applied, versions), (files as i64, files as i64), "each migration was applied once");
    let (keys,): (i64,) = sqlx::query_as("SELECT COUNT(*) FROM server_secrets WHERE name = 'master'")
        .fetch_one(&mut outside)
        .await
        .unwrap();
    assert_eq!(keys, 1, "the two processes together create one master key");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fifty_sends_with_one_key_through_two_processes_store_one_message() {
    let Some(database) = postgres::database().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let home = Home::on(folder.path(), database.url.clone());
    let nodes = [home.start(), home.start()];
    let operator = home.operator(&nodes[0]);
    let company = Company::create(operator.clone()).await;
    let app = App::register(&operator, &ALL_SCOPES).await;
    let bot = company.install(&app, &ALL_SCOPES).await;
    let person = company.person().await;
    let group = company.group(&[&bot.user_id]).await;
    for (key, body) in [("group", to_conversation(&group, "hello")), ("direct", to_user(&person, "hello"))] {
        let sends = (0..50)
            .map(|n| home.api(&nodes[n % 2], &bot.token).post("/v1/messages").key(key).json(&body).send());
        let answers = join_all(sends).await;
        let bodies: BTreeSet<_> = answers
            .iter()
            .map(|answer| {
                assert_eq!(
                    answer.status,
                    201,
                    "simultaneous requests with one key and body all get 201 (B-204): {}",
                    answer.text()
                );
                answer.bytes.clone()
            })
            .collect();
        assert_eq!(bodies.len(), 1, "a repeated key returns the original bytes (B-191)");
        let originals = answers.iter().filter(|a| a.header("idempotent-replayed").is_none()).count();
        assert_eq!(originals, 1, "exactly one response is not marked as a replay (B-206)");
        let conversation = text(&answers[0].json(), "/message/conversation_id");
        let stored = company.sent_by(&bot, &conversation).await;
        assert_eq!(stored.len(), 1, "exactly one message exists (B-204)");
        assert_eq!(
            stored[0]["id"],
            answers[0].json()["message"]["id"],
            "the responses have the id of the stored message (B-204)"
        );
    }
}

/// Several bots send to one group through two processes, which compete for the lock of the group. While earlier sends
/// to the group are in progress, further sends queue up, and later share a transaction. So there must be fewer than
/// half as many transactions as sends.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sends_to_one_group_through_two_processes_share_transactions() {
    let Some(database) = postgres::database().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let home =
        Home::on(folder.path(), database.url.clone()).with("SWITCHBOARD_METRICS_LISTEN", "127.0.0.1:0");
    let nodes = [home.start(), home.start()];
    let operator = home.operator(&nodes[0]);
    let company = Company::create(operator.clone()).await;
    let mut bots = Vec::new();
    for _ in 0..12 {
        let app = App::register(&operator, &ALL_SCOPES).await;
        bots.push(company.install(&app, &ALL_SCOPES).await);
    }
    let group = company.group(&bots.iter().map(|bot| bot.user_id.as_str()).collect::<Vec<_>>()).await;
    let body = to_conversation(&group, "hello");
    let sends = (0..4 * bots.len()).map(|n| {
        let (bot, key) = (&bots[n % bots.len()], format!("hello-{n}"));
        home.api(&nodes[n % 2], &bot.token).post("/v1/messages").key(&key).json(&body).send()
    });
    for answer in join_all(sends).await {
        answer.ok(201);
    }
    let mut transactions = 0.0;
    for node in &nodes {
        for operation in ["send_message", "send_messages"] {
            let label = format!("operation=\"{operation}\"");
            transactions += node.metric("switchboard_store_seconds_count", &label).await;
        }
    }
    let sent = 4.0 * bots.len() as f64;
    assert!(
        transactions < sent / 2.0,
        "there are fewer than half as many transactions as sends: {transactions} for {sent} sends"
    );
}
