//! On PostgreSQL, concurrent sends share transactions. A send that waits for a lock delays no sends to other
//! conversations.

use futures_util::future::join_all;
use serde_json::json;
use switchboard::{
    domain::ids::{ConversationId, UserId, WorkspaceId},
    store::{Engine, LockKey},
};

use super::first;
use crate::support::*;

/// Takes an advisory lock in a transaction of the test, which lasts until the returned connection is dropped.
async fn hold(server: &Server, key: LockKey) -> sqlx::PgConnection {
    let mut outside = server.database.outside().await;
    let lock = format!("BEGIN; SELECT pg_advisory_xact_lock({})", key.number());
    sqlx::raw_sql(sqlx::AssertSqlSafe(lock)).execute(&mut outside).await.unwrap();
    outside
}

fn conversation(company: &Company, id: &str) -> LockKey {
    let workspace = WorkspaceId::parse(&company.id).unwrap();
    LockKey::conversation(workspace, ConversationId::parse(id).unwrap().1)
}

/// Returns the number of messages with an idempotency key, and the number of transactions that wrote these messages.
async fn written(server: &Server) -> (i64, i64) {
    let counts = "SELECT count(*), count(DISTINCT xmin::text) FROM messages WHERE client_key IS NOT NULL";
    sqlx::query_as(counts).fetch_one(&mut server.database.outside().await).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_sends_share_transactions() {
    let Some(server) = first().await else { return };
    let company = server.company().await;
    let person = company.person().await;
    let bots = join_all((0..8).map(|_| company.bot(&server))).await;
    let everybody: Vec<&str> = bots.iter().map(|bot| bot.user_id.as_str()).chain([person.as_str()]).collect();
    let groups = join_all((0..4).map(|_| company.group(&everybody))).await;
    // each bot sends to the person and to the groups; for their first two sends all bots use the same two keys:
    // `report-0` (to a group) and `report-1` (to the person)
    let sends = bots.iter().enumerate().flat_map(|(n, bot)| {
        let (groups, person) = (&groups, &person);
        (0..8).map(move |turn| {
            let body = match turn % 2 {
                0 => to_conversation(&groups[(n + turn / 2) % 4], &format!("{n} {turn}")),
                _ => to_user(person, &format!("{n} {turn}")),
            };
            let key = if turn < 2 { format!("report-{turn}") } else { format!("together-{n}-{turn}") };
            async move { bot.sending(&key, &body).send().await }
        })
    });
    let answers = join_all(sends).await;
    for answer in &answers {
        assert!(matches!(answer.status, 201 | 422), "{} {}", answer.status, answer.text());
    }
    let sent = answers.iter().filter(|answer| answer.status == 201).count();
    // Two bots use `report-0` in each of the 4 groups, and the later send is refused, because a key is unique within a
    // conversation (B-202). `report-1` is never refused, because each bot has its own direct conversation.
    assert_eq!(sent, 60);
    let (messages, transactions) = written(&server).await;
    assert_eq!(usize::try_from(messages).unwrap(), sent);
    assert!(
        transactions < messages,
        "concurrent sends share transactions: {messages} messages in {transactions}"
    );

    // A send that creates a direct conversation has a transaction of its own. Now these conversations exist, so sends
    // to the person share transactions, too.
    let sends = bots.iter().flat_map(|bot| {
        let person = &person;
        (0..4).map(move |n| {
            let body = to_user(person, "again");
            async move { bot.sending(&format!("direct-{n}"), &body).send().await.ok(201) }
        })
    });
    join_all(sends).await;
    let (all_messages, all_transactions) = written(&server).await;
    assert_eq!(all_messages, messages + 32);
    let used = all_transactions - transactions;
    assert!(used < 32, "concurrent sends share transactions: 32 messages in {used}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_send_that_waits_for_a_lock_delays_no_send_to_another_conversation() {
    let Some(server) = first().await else { return };
    let company = server.company().await;
    let (bot, person) = (company.bot(&server).await, company.person().await);
    let other = company.bot(&server).await;
    let held = company.group(&[&person, &bot.user_id]).await;
    let open = company.group(&[&person, &other.user_id]).await;
    let of_pair = LockKey::pair(UserId::parse(&bot.user_id).unwrap(), UserId::parse(&person).unwrap());
    let holders = [hold(&server, conversation(&company, &held)).await, hold(&server, of_pair).await];

    let waiting: Vec<_> = (0..3)
        .flat_map(|n| {
            [
                (to_conversation(&held, "later"), format!("held-{n}")),
                (to_user(&person, "later"), format!("pair-{n}")),
            ]
        })
        .map(|(body, key)| tokio::spawn(bot.sending(&key, &body).send()))
        .collect();
    let mut watching = server.database.outside().await;
    let waits = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
    // for each of the two locks one transaction waits; the remaining sends to the two conversations are queued
    until(async || sqlx::query_scalar::<_, i64>(waits).fetch_one(&mut watching).await.unwrap() == 2).await;
    for n in 0..5 {
        other.sending(&format!("open-{n}"), &to_conversation(&open, "now")).send().await.ok(201);
    }
    assert!(
        waiting.iter().all(|send| !send.is_finished()),
        "a send to a locked conversation waits until the lock is released"
    );
    drop(holders);
    for send in waiting {
        send.await.unwrap().ok(201);
    }
    assert_eq!(written(&server).await.0, 11);
}

/// Sends some messages to another conversation, one after the other, and waits for the responses. By then, the sends
/// that the test began before have reached the server's queue.
async fn send_elsewhere(other: &Bot, person: &str) {
    for _ in 0..5 {
        other.send(&to_user(person, "elsewhere")).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sends_that_wait_for_the_same_conversation_share_transactions() {
    let Some(server) = first().await else { return };
    let company = server.company().await;
    let bots = join_all((0..8).map(|_| company.bot(&server))).await;
    let (other, person) = (company.bot(&server).await, company.person().await);
    let group = company.group(&bots.iter().map(|bot| bot.user_id.as_str()).collect::<Vec<_>>()).await;
    let holder = hold(&server, conversation(&company, &group)).await;
    let body = to_conversation(&group, "later");
    let sending = |bot: &Bot| {
        let key = |n: i32| format!("later-{}-{n}", bot.user_id);
        (0..4).map(|n| bot.sending(&key(n), &body)).collect::<Vec<_>>()
    };
    let sends: Vec<_> = bots.iter().flat_map(sending).map(|send| tokio::spawn(send.send())).collect();
    send_elsewhere(&other, &person).await;
    let (before, transactions) = written(&server).await;
    drop(holder);
    for send in sends {
        send.await.unwrap().ok(201);
    }
    let (after, in_all) = written(&server).await;
    assert_eq!(after - before, 32);
    assert!(
        in_all - transactions < 8,
        "waiting sends share transactions: 32 messages in {}",
        in_all - transactions
    );
}

/// The first direct message from a bot to a person creates their conversation, and is written in a transaction of its
/// own. To delay this transaction, the test itself inserts the row of the conversation, and later rolls back the
/// insert.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sends_that_wait_for_a_send_written_alone_share_transactions() {
    let Some(server) = first().await else { return };
    let company = server.company().await;
    let (bot, person) = (company.bot(&server).await, company.person().await);
    let other = company.bot(&server).await;
    let mut pair = [&bot.user_id, &person].map(|user| UserId::parse(user).unwrap().0);
    pair.sort_unstable();
    let workspace = WorkspaceId::parse(&company.id).unwrap().0;
    let mut outside = server.database.outside().await;
    let creating = format!(
        "BEGIN; INSERT INTO direct_pairs (low_user_id, high_user_id, conversation_id, workspace_id)
            VALUES ({}, {}, 1, {workspace})",
        pair[0], pair[1]
    );
    sqlx::raw_sql(sqlx::AssertSqlSafe(creating)).execute(&mut outside).await.unwrap();
    let first = tokio::spawn(bot.sending("first", &to_user(&person, "first")).send());
    let mut watching = server.database.outside().await;
    let waits = "SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'";
    until(async || sqlx::query_scalar::<_, i64>(waits).fetch_one(&mut watching).await.unwrap() == 1).await;
    let next = (0..16).map(|n| bot.sending(&format!("next-{n}"), &to_user(&person, "next")));
    let sends: Vec<_> = next.map(|send| tokio::spawn(send.send())).collect();
    send_elsewhere(&other, &person).await;
    let (before, transactions) = written(&server).await;
    sqlx::raw_sql("ROLLBACK").execute(&mut outside).await.unwrap();
    first.await.unwrap().ok(201);
    for send in sends {
        send.await.unwrap().ok(201);
    }
    let (after, in_all) = written(&server).await;
    assert_eq!(after - before, 17);
    assert!(
        in_all - transactions < 6,
        "waiting sends share transactions: 17 messages in {}",
        in_all - transactions
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_concurrent_sends_only_those_over_the_rate_limit_are_refused() {
    let on_postgres = Options { engine: Engine::Postgres, limits: true, ..Options::default() };
    let Some(server) = Server::with(on_postgres).await else { return };
    let company = server.company().await;
    let (bot, person) = (company.bot(&server).await, company.person().await);
    let group = company.group(&[&person, &bot.user_id]).await;
    let sends = (0..12).map(|n| bot.sending(&format!("many-{n}"), &to_conversation(&group, "again")).send());
    let answers = join_all(sends).await;
    let sent = answers.iter().filter(|answer| answer.status == 201).count();
    assert_eq!((sent, answers.iter().filter(|answer| answer.status == 429).count()), (5, 7));
    assert_eq!(written(&server).await.0, 5);
    // a replay does not count against the rate limit
    for (n, answer) in answers.iter().enumerate().filter(|(_, answer)| answer.status == 201) {
        let again = bot.sending(&format!("many-{n}"), &to_conversation(&group, "again")).send().await;
        assert_eq!(again.ok(201)["message"]["id"], answer.json()["message"]["id"]);
    }
}

/// A node finds an idempotency key that another node stored, even if the replay arrives together with other sends and
/// the direct conversation of the original send was deleted.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_node_finds_the_key_of_a_deleted_direct_conversation() {
    let Some(here) = first().await else { return };
    let fixture = BotFixture::new(&here).await;
    let original = fixture.bot.sending("k", &fixture.direct(json!({}))).send().await;
    fixture.company.delete_conversation(&text(&original.ok(201), "/message/conversation_id")).await;
    let present =
        text(&fixture.bot.send(&fixture.direct(json!({"text": "later"}))).await, "/conversation_id");
    here.advance(PAST_A_DAY).await;

    let there = here.another_node().await;
    let bot = Bot { api: Api { base: there.base.clone(), ..fixture.bot.api.clone() }, ..fixture.bot.clone() };
    let others = (0..8).map(|n| bot.sending(&format!("new-{n}"), &fixture.post(json!({}))).send());
    let (repeat, others) =
        tokio::join!(bot.sending("k", &fixture.direct(json!({}))).send(), join_all(others));
    assert_eq!(
        (repeat.status, &repeat.bytes),
        (201, &original.bytes),
        "a replay to the person returns the original bytes, in spite of the deleted conversation (B-196)"
    );
    assert!(others.iter().all(|other| other.status == 201), "the concurrent sends are stored");
    let messages = fixture.company.sent_by(&fixture.bot, &present).await;
    assert_eq!(messages.len(), 1, "a replay sends nothing (B-196)");
}
