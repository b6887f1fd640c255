//! Each node has a unique node number. The node reserves the number with an advisory lock, and confirms the number
//! about every second. A node whose last confirmation has expired creates no ids and writes nothing.

use std::time::{Duration, Instant};

use serde_json::json;
use sqlx::{AssertSqlSafe, PgConnection};
use switchboard::{
    app::StartError,
    domain::ids::WorkspaceId,
    platform::clock::Clock,
    store::{Op, Result, Sql, server},
};

use super::first;
use crate::support::{wait::GUARD, *};

/// The first key of the advisory locks of node numbers. In `pg_locks` it is the `classid`.
const CLASS: i64 = 0x7377_6264;

/// Returns every node number in use, with the process id of the PostgreSQL backend that holds the number's lock.
async fn holders(outside: &mut PgConnection) -> Vec<(i32, u8)> {
    let held: Vec<(i32, i64)> = sqlx::query_as(
        "SELECT pid, objid::bigint FROM pg_locks WHERE locktype = 'advisory' AND granted AND classid::bigint = $1
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) ORDER BY objid",
    )
    .bind(CLASS)
    .fetch_all(outside)
    .await
    .unwrap();
    held.into_iter().map(|(pid, number)| (pid, u8::try_from(number).unwrap())).collect()
}

async fn run(outside: &mut PgConnection, sql: String) {
    sqlx::query(AssertSqlSafe(sql)).execute(outside).await.unwrap();
}

/// Locks every free node number, so that no node can reserve it.
async fn take_all(outside: &mut PgConnection) {
    run(
        outside,
        format!("SELECT pg_try_advisory_lock({CLASS}, number) FROM generate_series(0, 31) AS number"),
    )
    .await;
}

async fn release_all(outside: &mut PgConnection) {
    run(outside, "SELECT pg_advisory_unlock_all()".into()).await;
}

/// Creates a company, and returns its id.
async fn newest_id(server: &Server) -> i64 {
    WorkspaceId::parse(&server.company().await.id).unwrap().0
}

/// Returns the node number in a new id.
async fn number_in_ids(server: &Server) -> u8 {
    ((newest_id(server).await >> 16) & 31) as u8
}

/// Takes the lock of a node number from the node whose PostgreSQL backend has the process id `holder`. The connection
/// `thief` waits for the lock, and gets the lock when `holder` is terminated. Returns `thief`, which holds the lock.
async fn steal(outside: &mut PgConnection, mut thief: PgConnection, holder: i32, number: u8) -> PgConnection {
    let stealing = tokio::spawn(async move {
        run(&mut thief, format!("SELECT pg_advisory_lock({CLASS}, {number})")).await;
        thief
    });
    until(async || is_waited_for(outside, number).await).await;
    run(outside, format!("SELECT pg_terminate_backend({holder})")).await;
    tokio::time::timeout(GUARD, stealing).await.expect("the lock is released").unwrap()
}

/// Returns whether a session waits for the lock of a node number.
async fn is_waited_for(outside: &mut PgConnection, number: u8) -> bool {
    sqlx::query_scalar(
        "SELECT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
         AND classid::bigint = $1 AND objid::bigint = $2
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))",
    )
    .bind(CLASS)
    .bind(i64::from(number))
    .fetch_one(outside)
    .await
    .unwrap()
}

async fn readiness(server: &Server) -> u16 {
    server.api().http.get(format!("{}/readyz", server.base)).send().await.unwrap().status().as_u16()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn running_nodes_have_different_numbers() {
    let Some(one) = first().await else { return };
    let mut outside = one.database.outside().await;
    // 33 nodes start and stop one after the other. There are only 32 numbers, so released numbers are used again. No
    // node gets the number of `one`, which keeps running.
    let number = number_in_ids(&one).await;
    for _ in 0..33 {
        let other = one.another_node().await;
        let held: Vec<u8> = holders(&mut outside).await.into_iter().map(|(_, number)| number).collect();
        assert_eq!(held.len(), 2, "{held:?}");
        let theirs = number_in_ids(&other).await;
        assert!(theirs != number && held.contains(&theirs) && held.contains(&number), "{held:?}");
        other.stop().await;
        assert_eq!(holders(&mut outside).await.len(), 1, "a node that stops releases its number");
    }
    assert_eq!(number_in_ids(&one).await, number);
    assert_eq!(readiness(&one).await, 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_free_number_a_node_does_not_start() {
    let Some(one) = first().await else { return };
    let mut outside = one.database.outside().await;
    take_all(&mut outside).await;
    let refused = one.another_node_with(Clock::manual(one.clock.now()), |_| {}).await.err();
    let Some(StartError::Node(why)) = refused else { panic!("a node started without a free number") };
    assert!(why.to_string().starts_with("all node numbers are taken"), "{why}");
    release_all(&mut outside).await;
    // a node does not start if another node has its configured number
    let number = number_in_ids(&one).await;
    let refused = one
        .another_node_with(Clock::manual(one.clock.now()), |config| config.node = Some(number))
        .await
        .err();
    let Some(StartError::Node(why)) = refused else {
        panic!("a node started with the number of another node")
    };
    assert!(why.to_string().starts_with(&format!("node number {number} is taken")), "{why}");
    let free = (number + 5) % 32;
    let other = one
        .another_node_with(Clock::manual(one.clock.now()), |config| config.node = Some(free))
        .await
        .unwrap();
    assert_eq!(number_in_ids(&other).await, free);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_start_that_fails_reserves_no_number() {
    let Some(one) = first().await else { return };
    let number = (number_in_ids(&one).await + 5) % 32;
    let occupied = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let refused = one
        .another_node_with(Clock::manual(one.clock.now()), |config| {
            config.node = Some(number);
            config.metrics.listen = Some(occupied.local_addr().unwrap());
        })
        .await
        .err();
    assert!(
        matches!(refused, Some(StartError::Listen(..))),
        "a node does not start if the address of its metrics is in use"
    );
    let reserved: Option<i64> =
        sqlx::query_scalar("SELECT value FROM server_state WHERE name = $1 AND value <> 0")
            .bind(format!("node_{number}"))
            .fetch_optional(&mut one.database.outside().await)
            .await
            .unwrap();
    assert_eq!(reserved, None, "no confirmation is stored, so the next start with this number need not wait");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_loses_the_lock_of_its_number_takes_a_number_again() {
    let Some(one) = first().await else { return };
    let mut outside = one.database.outside().await;
    let [(before, number)] = holders(&mut outside).await[..] else { panic!("one node") };
    run(&mut outside, format!("SELECT pg_terminate_backend({before})")).await;
    until(async || {
        // Until the node has a lock again, it creates ids with its old number. This is safe, because no other node may
        // use the number before the last confirmation expires.
        assert_eq!(number_in_ids(&one).await, number);
        holders(&mut outside).await.iter().any(|(after, _)| *after != before)
    })
    .await;
    let held: Vec<u8> = holders(&mut outside).await.into_iter().map(|(_, number)| number).collect();
    assert_eq!(held, [number], "the node takes the same number again if it is free");
    assert_eq!(readiness(&one).await, 200);

    // the test locks the number as another node would, so this node takes another number
    let thief = one.database.outside().await;
    let [(before, _)] = holders(&mut outside).await[..] else { panic!("one node") };
    let _thief = steal(&mut outside, thief, before, number).await;
    until(async || holders(&mut outside).await.len() == 2).await;
    until(async || number_in_ids(&one).await != number).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_without_a_number_rejects_writes_but_serves_reads_and_replays() {
    let Some(one) = first().await else { return };
    let fixture = BotFixture::new(&one).await;
    let sent = fixture.bot.sending("before", &fixture.post(json!({}))).ok(201).await;
    // This send goes through another node, which then stops. So `one` does not have the key in its cache.
    let other = one.another_node().await;
    let elsewhere =
        Bot { api: Api { base: other.base.clone(), ..fixture.bot.api.clone() }, ..fixture.bot.clone() };
    let elsewhere = elsewhere.sending("elsewhere", &fixture.post(json!({}))).ok(201).await;
    other.stop().await;
    let (mut outside, mut thief) = (one.database.outside().await, one.database.outside().await);
    let [(pid, number)] = holders(&mut outside).await[..] else { panic!("one node") };
    take_all(&mut thief).await;
    let mut thief = steal(&mut outside, thief, pid, number).await;

    until(async || readiness(&one).await == 503).await;
    let refused = fixture.bot.sending("within", &fixture.post(json!({}))).refused(503, "server_error").await;
    assert!(refused.header("retry-after").is_some());
    // Writes that need no new ids are rejected, too. The reason is that the connections of a node without a number may
    // lead to the old primary after a failover, and writes to the old primary would be lost.
    let message = text(&sent, "/message/id");
    let edit = fixture.bot.api.patch(&format!("/v1/messages/{message}"));
    edit.json(&json!({"text": "changed"})).refused(503, "server_error").await;
    let operator = &fixture.company.operator;
    let change = operator.patch(&format!("/admin/v1/users/{}", fixture.person));
    change.json(&json!({"title": "Changed"})).refused(503, "server_error").await;
    operator.delete(&format!("/admin/v1/messages/{message}")).refused(503, "server_error").await;
    // the node still serves reads and replays
    assert_eq!(fixture.bot.history(&fixture.group).await[1]["id"], sent["message"]["id"]);
    for (key, first) in [("before", &sent), ("elsewhere", &elsewhere)] {
        let repeat = fixture.bot.sending(key, &fixture.post(json!({}))).ok(201).await;
        assert_eq!(repeat["message"], first["message"], "{key}");
    }
    fixture
        .bot
        .sending("elsewhere", &fixture.post(json!({"text": "other"})))
        .refused(422, "idempotency_key_reused")
        .await;

    release_all(&mut thief).await;
    until(async || readiness(&one).await == 200).await;
    fixture.bot.sending("within", &fixture.post(json!({}))).ok(201).await;
    assert_eq!(fixture.visible_messages().await.len(), 3, "a rejected send is not written");
    fixture.bot.api.patch(&format!("/v1/messages/{message}")).json(&json!({"text": "changed"})).ok(200).await;
}

/// Returns the state of the part `node` in `/readyz`.
async fn node_state(server: &Server) -> String {
    let answer = server.api().http.get(format!("{}/readyz", server.base)).send().await.unwrap();
    text(&answer.json().await.unwrap(), "/parts/node")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_does_not_use_a_new_number_before_it_has_read_the_highest_id() {
    let Some(one) = first().await else { return };
    let (mut outside, mut locking) = (one.database.outside().await, one.database.outside().await);
    let [(pid, number)] = holders(&mut outside).await[..] else { panic!("one node") };
    // `uploads` is one of the tables from which a node reads the highest id after it has taken another number
    run(&mut locking, "BEGIN".into()).await;
    run(&mut locking, "LOCK TABLE uploads IN ACCESS EXCLUSIVE MODE".into()).await;
    let thief = one.database.outside().await;
    let _thief = steal(&mut outside, thief, pid, number).await;
    until(async || holders(&mut outside).await.len() == 2).await;
    // The node confirms its new number, but does not use it before it has read the highest id. So the node stops
    // writing when the last confirmation of the old number expires.
    until(async || node_state(&one).await == "no number of its own").await;
    let company = json!({"name": "A company", "domain": "example.com"});
    one.operator().post("/admin/v1/workspaces").json(&company).refused(503, "server_error").await;

    run(&mut locking, "ROLLBACK".into()).await;
    until(async || node_state(&one).await == "ok").await;
    assert_ne!(number_in_ids(&one).await, number);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn new_ids_are_greater_than_the_ids_of_the_previous_holder_of_the_number() {
    let Some(one) = first().await else { return };
    let ahead = Clock::manual(one.clock.now() + Duration::from_secs(3600));
    let other = one.another_node_with(ahead, |_| {}).await.unwrap();
    let (theirs, latest) = (number_in_ids(&other).await, newest_id(&other).await);
    other.stop().await;
    let (mut outside, mut thief) = (one.database.outside().await, one.database.outside().await);
    let [(pid, number)] = holders(&mut outside).await[..] else { panic!("one node") };
    take_all(&mut thief).await;
    run(&mut thief, format!("SELECT pg_advisory_unlock({CLASS}, {theirs})")).await;
    let _thief = steal(&mut outside, thief, pid, number).await;
    until(async || number_in_ids(&one).await == theirs).await;
    assert!(
        newest_id(&one).await > latest,
        "new ids are greater than the ids of the previous holder, even if the clock of that holder was ahead"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unused_node_number_is_preferred() {
    let Some(one) = first().await else { return };
    let mut outside = one.database.outside().await;
    let taken = number_in_ids(&one).await;
    let unused = (taken + 9) % 32;
    // makes it look as if nodes that crashed had recently used all numbers except `taken` and `unused`
    run(
        &mut outside,
        format!(
            "INSERT INTO server_state (name, value)
             SELECT 'node_' || number, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint
             FROM generate_series(0, 31) AS number WHERE number NOT IN ({taken}, {unused})
             ON CONFLICT (name) DO UPDATE SET value = excluded.value"
        ),
    )
    .await;
    let other = one.another_node().await;
    assert_eq!(number_in_ids(&other).await, unused);
    let held: Vec<u8> = holders(&mut outside).await.into_iter().map(|(_, number)| number).collect();
    assert_eq!(held.len(), 2, "the new node holds only the lock of its own number: {held:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_waits_for_a_number_that_may_be_in_use() {
    let Some(one) = first().await else { return };
    let mut outside = one.database.outside().await;
    let free = (number_in_ids(&one).await + 9) % 32;
    // A node that has locked a number may have to wait before it uses the number. During the wait, its session is idle
    // for longer than this timeout of the database, so the node must override the timeout.
    let timeout = "DO $$ BEGIN
        EXECUTE format('ALTER DATABASE %I SET idle_session_timeout = ''1s''', current_database()); END $$";
    run(&mut outside, timeout.to_owned()).await;
    // inserts the row of a node that confirmed its number recently, then lost the lock, and has not noticed the loss
    run(
        &mut outside,
        format!(
            "INSERT INTO server_state (name, value)
             VALUES ('node_{free}', (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)"
        ),
    )
    .await;
    let begun = Instant::now();
    let other = one
        .another_node_with(Clock::manual(one.clock.now()), |config| config.node = Some(free))
        .await
        .unwrap();
    assert!(
        begun.elapsed() >= Duration::from_secs(5),
        "a node waits at least 5 s for a number that may be in use, but started after {:?}",
        begun.elapsed()
    );
    other.stop().await;
    // a node that stops removes its confirmation, so the next node does not wait for the number
    let confirmed: i64 = sqlx::query_scalar("SELECT value FROM server_state WHERE name = $1")
        .bind(format!("node_{free}"))
        .fetch_one(&mut outside)
        .await
        .unwrap();
    assert_eq!(confirmed, 0);
    let begun = Instant::now();
    let other = one
        .another_node_with(Clock::manual(one.clock.now()), |config| config.node = Some(free))
        .await
        .unwrap();
    assert!(
        begun.elapsed() < Duration::from_secs(5),
        "a node does not wait for a released number, but started after {:?}",
        begun.elapsed()
    );
    assert_eq!(number_in_ids(&other).await, free);
}

/// A write that waits for the test: the test has inserted the same row in a transaction that is still open.
struct Late;

impl Op for Late {
    const NAME: &'static str = "late_in_a_test";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        server::set_state(c, "late", 1).await
    }
}

/// A node that stops releases its number only if no write is in progress. If the node released the number earlier,
/// another node could use the number, or `switchboard move` could copy the database, while the node still writes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_stops_does_not_release_its_number_during_a_write() {
    let Some(one) = first().await else { return };
    let other = one
        .another_node_with(Clock::manual(one.clock.now()), |config| config.drain_seconds = 1)
        .await
        .unwrap();
    let number = number_in_ids(&other).await;
    let (mut outside, mut watching) = (one.database.outside().await, one.database.outside().await);
    run(&mut outside, "BEGIN".into()).await;
    run(&mut outside, "INSERT INTO server_state (name, value) VALUES ('late', 0)".into()).await;
    let db = other.running().world().db.clone();
    let writing = tokio::spawn(async move { db.write(Late).await });
    let waits = "SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'";
    until(async || sqlx::query_scalar::<_, i64>(waits).fetch_one(&mut watching).await.unwrap() == 1).await;
    other.stop().await;
    let confirmed: i64 = sqlx::query_scalar("SELECT value FROM server_state WHERE name = $1")
        .bind(format!("node_{number}"))
        .fetch_one(&mut watching)
        .await
        .unwrap();
    assert_ne!(confirmed, 0, "the number is not released while a write is in progress");
    run(&mut outside, "ROLLBACK".into()).await;
    assert!(writing.await.unwrap().is_err(), "nothing is written after the node has stopped");
    let late: i64 = sqlx::query_scalar("SELECT count(*) FROM server_state WHERE name = 'late'")
        .fetch_one(&mut watching)
        .await
        .unwrap();
    assert_eq!(late, 0);
}
