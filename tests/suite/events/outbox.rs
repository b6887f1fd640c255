//! The outbox: one statement inserts all events of a change, one statement per table stores the results of a batch of
//! attempts, and pending events expire. Clients can follow the delivery log in the order in which it was written.

use std::time::Duration;

use serde_json::json;
use switchboard::{
    domain::{
        delivery::{Attempt, Retry},
        ids::{AppId, EventId},
        time::Timestamp,
    },
    store::{Engine, Op, Result, Sql, deliveries},
};

use crate::support::{
    server::START,
    statement_counts::{count_statements, counted},
    *,
};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// The number of statements does not depend on the number of installations that get the events.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_statement_inserts_all_events_of_a_change() {
    let Some(server) = Server::postgres().await else { return };
    let company = server.company().await;
    let mut bots = Vec::new();
    for n in 0..5 {
        let app = server.app_at(&format!("https://app{n}.example/events")).await;
        bots.push(company.install(&app, &ALL_SCOPES).await);
    }
    let mut outside = server.database.outside().await;
    count_statements(&mut outside, "INSERT", "events").await;
    company.person().await;
    assert_eq!(counted(&mut outside, "events").await, 1, "a new person: one statement inserts its events");
    for bot in &bots {
        assert_eq!(server.log_of(&bot.app, "").await.len(), 1);
    }
    let ids: Vec<&str> = bots.iter().map(|bot| bot.user_id.as_str()).collect();
    let group = company.group(&ids[..3]).await;
    assert_eq!(
        counted(&mut outside, "events").await,
        1,
        "a new group with three bots: one statement inserts its events"
    );
    let channel = company.channel(&group, &ids).await;
    assert_eq!(
        counted(&mut outside, "events").await,
        1,
        "a new channel with five bots, of which two join its group: one statement inserts its events"
    );
    let second = company.channel(&group, &ids[..4]).await;
    counted(&mut outside, "events").await;
    company.remove(&group, ids[4]).await;
    assert_eq!(
        counted(&mut outside, "events").await,
        1,
        "a bot removed from a group and its channel: one statement inserts its events"
    );
    company.add(&channel, ids[4]).await;
    assert_eq!(
        counted(&mut outside, "events").await,
        1,
        "a bot added to a channel and its group: one statement inserts its events"
    );
    company.add(&second, ids[4]).await;
    // One event is about the new person, and seven are about memberships. The bot was added to the group and to the
    // first channel, removed from both, and added to both again. Then it was added to the second channel.
    assert_eq!(server.log_of(&bots[4].app, "").await.len(), 8);
    counted(&mut outside, "events").await;
    company.delete_conversation(&group).await;
    assert_eq!(
        counted(&mut outside, "events").await,
        1,
        "a deleted group with two channels: one statement inserts its events"
    );
    // one event for the new person, three for memberships, and three for the deleted conversations
    assert_eq!(server.log_of(&bots[0].app, "").await.len(), 7);
    let app = server.app_at("https://everywhere.example/events").await;
    for _ in 0..3 {
        server.company().await.install(&app, &ALL_SCOPES).await;
    }
    counted(&mut outside, "events").await;
    let path = format!("/admin/v1/apps/{}", app.id);
    server.operator().patch(&path).json(&json!({"disabled": true})).ok(200).await;
    assert_eq!(
        counted(&mut outside, "events").await,
        1,
        "an app disabled in three companies: one statement inserts its events"
    );
    assert_eq!(server.log_of(&app, "").await.len(), 3);
}

struct RecordAll(AppId, Vec<Attempt>);

impl Op for RecordAll {
    const NAME: &'static str = "test_record_all";
    type Out = usize;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<usize> {
        deliveries::record(c, self.0, &self.1, false).await
    }
}

/// One statement updates the events, and one inserts the entries of the delivery log.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_statement_per_table_stores_the_results_of_a_batch() {
    let Some(server) = Server::postgres().await else { return };
    let company = server.company().await;
    let app = server.app_at("https://app.example/events").await;
    company.install(&app, &ALL_SCOPES).await;
    for _ in 0..20 {
        company.person().await;
    }
    let attempts: Vec<_> = server
        .log_of(&app, "")
        .await
        .iter()
        .zip(1..)
        .map(|(entry, id)| Attempt {
            id,
            event_id: EventId::parse(&text(entry, "/event_id")).unwrap(),
            before: 0,
            at: START,
            ended_at: START,
            retry: Retry::after(1, START),
            delivered: id % 2 == 0,
            status: Some(if id % 2 == 0 { 200 } else { 500 }),
            error: None,
            latency_ms: 1,
            response_body: Some("\"quoted\" \\ é \u{1f600}".to_owned()),
        })
        .collect();
    let mut outside = server.database.outside().await;
    count_statements(&mut outside, "UPDATE", "events").await;
    count_statements(&mut outside, "INSERT", "delivery_attempts").await;
    let record = RecordAll(AppId::parse(&app.id).unwrap(), attempts);
    assert_eq!(server.running().world().db.write(record).await.unwrap(), 20);
    let counts = (counted(&mut outside, "events").await, counted(&mut outside, "delivery_attempts").await);
    assert_eq!(counts, (1, 1), "one statement per table stores the results of 20 attempts");
    let log = server.log_of(&app, "state=delivered").await;
    assert_eq!(log.len(), 10);
    assert_eq!(log[0]["answer"], "\"quoted\" \\ é \u{1f600}");
    let failed = server.log_of(&app, "state=failed").await;
    let next = Timestamp::parse(&text(&failed[0], "/next_attempt_at")).unwrap();
    assert_eq!(next, START + Duration::from_secs(60), "the first retry is after a minute (B-428)");

    let path = format!("/admin/v1/apps/{}/redeliver", app.id);
    let finished = json!({"since": START.to_rfc3339(), "state": "all"});
    let done = server.operator().post(&path).json(&finished).ok(202).await;
    assert_eq!(done["redelivered"], 10, "delivered events are redelivered, pending ones are not");
    assert_eq!(counted(&mut outside, "events").await, 1, "a redelivery of ten events is one statement");
}

#[both_engines]
async fn events_that_are_due_for_three_days_expire(server: Server) {
    let company = server.company().await;
    let app = server.app_at("https://app.example/events").await;
    company.install(&app, &ALL_SCOPES).await;
    for _ in 0..3 {
        company.person().await;
    }
    server.advance(3 * DAY).await;
    assert_eq!(
        server.log_of(&app, "state=pending").await.len(),
        3,
        "events do not expire before three days have passed"
    );
    company.person().await;
    server.advance(Duration::from_secs(1)).await;
    let dropped = server.log_of(&app, "state=dropped").await;
    assert_eq!(dropped.len(), 3);
    assert!(dropped.iter().all(|entry| entry["error"] == "expired"));
    assert_eq!(server.log_of(&app, "state=pending").await.len(), 1, "the newer event is still pending");
    // a redelivery makes the event due now, so the event expires three days after the redelivery
    server.operator().redeliver(&app, &text(&dropped[0], "/event_id")).await;
    server.advance(2 * DAY).await;
    assert_eq!(server.log_of(&app, "state=pending").await.len(), 2);
}

#[both_engines]
async fn a_backlog_of_more_events_than_a_batch_expires(server: Server) {
    let company = server.company().await;
    let app = server.app_at("https://app.example/events").await;
    let bot = company.install(&app, &ALL_SCOPES).await;
    company.person().await;
    // 2,501 events; one transaction drops at most 1,000 expired events
    let copies =
        "INSERT INTO events (id, app_id, installation_id, workspace_id, type, body, created_at, state,
            attempts, next_at)
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
        SELECT e.id + i, e.app_id, e.installation_id, e.workspace_id, e.type, e.body, e.created_at, 0, i % 2,
            e.next_at
        FROM events e, n";
    server.database.execute(copies).await;
    server.advance(3 * DAY + Duration::from_secs(1)).await;
    assert_eq!(server.log_of(&bot.app, "state=pending").await.len(), 0);
    assert_eq!(
        server.log_of(&bot.app, "state=dropped").await.len(),
        1000,
        "a page has 1,000 of the 2,501 expired events"
    );
}

#[both_engines]
async fn the_delivery_log_can_be_followed(server: Server) {
    let company = server.company().await;
    let app = server.app_at("https://app.example/events").await;
    let bot = company.install(&app, &ALL_SCOPES).await;
    let path = format!("/admin/v1/apps/{}/deliveries?order=ingested", app.id);
    let follow = async |cursor: Option<String>| {
        let cursor = cursor.map_or(String::new(), |cursor| format!("&cursor={cursor}"));
        let page = server.operator().get(&format!("{path}{cursor}&limit=2")).ok(200).await;
        let states: Vec<_> =
            page["deliveries"].as_array().unwrap().iter().map(|entry| text(entry, "/state")).collect();
        (states, text(&page, "/next_cursor"))
    };
    let (none, begin) = follow(None).await;
    assert!(none.is_empty());
    for _ in 0..3 {
        company.person().await;
    }
    assert!(follow(Some(begin.clone())).await.0.is_empty(), "the log has no attempt yet");
    let world = server.running().world();
    let app_id = AppId::parse(&app.id).unwrap();
    let events: Vec<_> = server.log_of(&app, "").await.iter().map(|entry| text(entry, "/event_id")).collect();
    // the result of the attempt with the higher id is stored first
    for (id, event) in [(200, &events[0]), (100, &events[1])] {
        let attempt = Attempt {
            id,
            event_id: EventId::parse(event).unwrap(),
            before: 0,
            at: START,
            ended_at: START,
            retry: Retry::after(1, START),
            delivered: id == 200,
            status: Some(200),
            error: None,
            latency_ms: 1,
            response_body: None,
        };
        assert!(world.db.write(Record { app: app_id, attempt }).await.unwrap());
    }
    company.uninstall(&bot).await;
    let (first, cursor) = follow(Some(begin)).await;
    assert_eq!(first, ["delivered", "failed"]);
    // the uninstall drops the event without an attempt and the event that waits for its second attempt
    let (second, cursor) = follow(Some(cursor)).await;
    assert_eq!(second, ["dropped", "dropped"]);
    let (end, cursor) = follow(Some(cursor)).await;
    assert!(end.is_empty());
    assert!(
        follow(Some(cursor)).await.0.is_empty(),
        "a cursor at the end of the log returns no entry that was already returned"
    );
    let filtered = format!("{path}&state=failed");
    server.operator().get(&filtered).refused(400, "invalid_request").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_expiry_of_pending_events_is_configured() {
    let configure = std::sync::Arc::new(|config: &mut switchboard::config::Config| {
        config.events.pending_days = 1;
    });
    let options = Options { engine: Engine::Sqlite, configure: Some(configure), ..Options::default() };
    let server = Server::with(options).await.unwrap();
    let company = server.company().await;
    let app = server.app_at("https://app.example/events").await;
    company.install(&app, &ALL_SCOPES).await;
    company.person().await;
    server.advance(DAY + Duration::from_secs(1)).await;
    assert_eq!(server.log_of(&app, "state=dropped").await.len(), 1);
}
