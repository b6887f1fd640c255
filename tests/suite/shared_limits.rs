//! Rate limits of several nodes on one PostgreSQL database (D-195): the same through any of them as through one; and a
//! node that cannot reach what is shared decides by itself.

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};
use sqlx::{Connection, Executor, PgConnection};
use switchboard::store::Engine;

use crate::support::*;

/// Long enough for every limit to be whole again.
const REST: Duration = Duration::from_secs(60);

/// Two nodes with the limits of the contract.
async fn nodes() -> Option<[Server; 2]> {
    nodes_waiting(Options::default().shared_wait_ms).await
}

async fn nodes_waiting(shared_wait_ms: u32) -> Option<[Server; 2]> {
    let options = Options { engine: Engine::Postgres, limits: true, shared_wait_ms, ..Options::default() };
    let one = Server::with(options).await?;
    let two = one.twin().await;
    Some([one, two])
}

/// The same bot through another node.
fn through(node: &Server, bot: &Bot) -> Bot {
    Bot { api: Api { base: node.base.clone(), ..bot.api.clone() }, ..bot.clone() }
}

fn advance(nodes: &[Server; 2], by: Duration) {
    for node in nodes {
        node.clock.advance(by);
    }
}

async fn list(bot: &Bot) -> Answer {
    bot.api.get("/v1/users").send().await
}

/// Sends everything at once, in turn through the nodes; how many passed.
async fn send_all(nodes: &[Server; 2], bot: &Bot, words: &str, bodies: &[Value]) -> usize {
    let sends = bodies.iter().enumerate().map(|(n, body)| {
        let call = through(&nodes[n % 2], bot).sending(&format!("{words}-{n}"), body);
        call.send()
    });
    let answers = join_all(sends).await;
    for answer in &answers {
        assert!([201, 429].contains(&answer.status), "{}", answer.text());
    }
    answers.iter().filter(|answer| answer.status == 201).count()
}

/// Posts to this many new groups with the bot in them.
async fn posts(company: &Company, bot: &Bot, count: usize) -> Vec<Value> {
    let mut all = Vec::new();
    for _ in 0..count {
        all.push(to_conversation(&company.group(&[&bot.user_id]).await, "hello"));
    }
    all
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_window_is_one_for_all_nodes() {
    let Some(nodes) = nodes().await else { return };
    let company = nodes[0].company().await;
    let bot = company.bot(&nodes[0]).await;
    let [here, there] = [&nodes[0], &nodes[1]].map(|node| through(node, &bot));
    for n in 0..20 {
        if n == 10 {
            advance(&nodes, Duration::from_secs(15));
        }
        let answer = list(&here).await;
        answer.ok(200);
        let left = format!("\"list\";r={};t={}", 19 - n, if n < 10 { 60 } else { 45 });
        assert_eq!(answer.header("ratelimit"), Some(&*left), "D-196");
    }
    // B-411: the 21st, wherever it comes
    for bot in [&there, &here] {
        let refused = list(bot).await.refused(429, "rate_limited");
        assert_eq!(refused.header("retry-after"), Some("45"), "B-401");
        assert_eq!(refused.header("ratelimit"), Some("\"list\";r=0;t=45"), "D-196");
    }
    // another route, another bot
    there.api.get("/v1/conversations").ok(200).await;
    list(&through(&nodes[1], &company.bot(&nodes[0]).await)).await.ok(200);
    // B-401: waiting as told is enough, and the window slides: ten, not twenty
    advance(&nodes, Duration::from_secs(45));
    for n in 0..11 {
        let answer = list(if n % 2 == 0 { &here } else { &there }).await;
        assert_eq!(answer.status, if n < 10 { 200 } else { 429 }, "request {n}");
    }
    // all at once through both: exactly as many as through one
    advance(&nodes, REST);
    let answers = join_all((0..40).map(|n| list(if n % 2 == 0 { &here } else { &there }))).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 20, "B-411");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sends_are_counted_for_all_nodes() {
    let Some(nodes) = nodes().await else { return };
    let company = nodes[0].company().await;
    let bot = company.bot(&nodes[0]).await;
    let many = posts(&company, &bot, 40).await;
    assert_eq!(send_all(&nodes, &bot, "burst", &many).await, 20, "B-403, B-405");
    advance(&nodes, Duration::from_secs(1));
    assert_eq!(send_all(&nodes, &bot, "second", &many[..20]).await, 5, "B-404");
    // D-085: all or nothing: what one destination refuses costs the installation nothing
    advance(&nodes, REST);
    let one = vec![many[0].clone(); 12];
    assert_eq!(send_all(&nodes, &bot, "one", &one).await, 5, "B-406, B-408");
    assert_eq!(send_all(&nodes, &bot, "rest", &many[1..31]).await, 15, "D-085");
    // the answer says how long, whichever node gives it
    for node in &nodes {
        let bot = through(node, &bot);
        let refused = bot.sending("more", &many[0]).refused(429, "rate_limited").await;
        assert_eq!(refused.header("retry-after"), Some("1"), "B-401");
    }
    // B-416: a repeat through the other node takes nothing, refused sends neither (B-417)
    advance(&nodes, REST);
    let [here, there] = [&nodes[0], &nodes[1]].map(|node| through(node, &bot));
    here.sending("first", &many[0]).ok(201).await;
    for n in 0..10 {
        let repeat = there.sending("first", &many[0]).send().await;
        repeat.ok(201);
        assert_eq!(repeat.header("idempotent-replayed"), Some("true"));
        let thread = with(many[0].clone(), json!({"thread_id": NOTHING}));
        here.sending(&format!("thread-{n}"), &thread).refused(400, "invalid_request").await;
        there.key_is_taken("first", &with(many[0].clone(), json!({"text": "other"}))).await;
    }
    assert_eq!(send_all(&nodes, &bot, "left", &vec![many[0].clone(); 10]).await, 4, "B-416, B-417");
    assert_eq!(send_all(&nodes, &bot, "others", &many[1..31]).await, 15, "B-416, B-417");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reset_is_for_all_nodes() {
    let Some(nodes) = nodes().await else { return };
    let scene = Scene::new(&nodes[0]).await;
    let [here, there] = [&nodes[0], &nodes[1]].map(|node| through(node, &scene.bot));
    let body = scene.post(json!({}));
    while list(&here).await.status == 200 {}
    assert_eq!(send_all(&nodes, &scene.bot, "all", &vec![body.clone(); 6]).await, 5);
    list(&there).await.refused(429, "rate_limited");
    nodes[1].operator().post("/admin/v1/rate_limits/reset").ok(200).await;
    list(&here).await.ok(200);
    assert_eq!(send_all(&nodes, &scene.bot, "again", &vec![body; 6]).await, 5);
    list(&there).await.ok(200);
}

async fn rows(outside: &mut PgConnection) -> (i64, i64) {
    sqlx::query_as("SELECT (SELECT COUNT(*) FROM rate_windows), (SELECT COUNT(*) FROM rate_buckets)")
        .fetch_one(outside)
        .await
        .unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn idle_rows_are_cleared_away() {
    let Some(nodes) = nodes().await else { return };
    let scene = Scene::new(&nodes[0]).await;
    list(&scene.bot).await.ok(200);
    scene.bot.send(&scene.post(json!({}))).await;
    let mut outside = nodes[0].database.outside().await;
    let before = rows(&mut outside).await;
    assert!(before.0 >= 1 && before.1 >= 3, "{before:?}");
    nodes[0].advance(Duration::from_secs(5 * 60)).await;
    assert_eq!(rows(&mut outside).await, before, "who comes back soon finds its row");
    nodes[0].advance(Duration::from_secs(10 * 60)).await;
    assert_eq!(rows(&mut outside).await, (0, 0));
    // a clock that was set back leaves rows of a time to come, which count for nothing and go too
    advance(&nodes, Duration::from_secs(30 * 24 * 60 * 60));
    while list(&scene.bot).await.status == 200 {}
    for node in &nodes {
        node.clock.reset();
    }
    list(&scene.bot).await.ok(200);
    nodes[0].running().world().run_due(nodes[0].clock.now()).await.unwrap();
    let ahead: (i64,) = sqlx::query_as("SELECT COUNT(*) FROM rate_buckets WHERE seen > $1")
        .bind(nodes[0].clock.now().0)
        .fetch_one(&mut outside)
        .await
        .unwrap();
    assert_eq!(ahead.0, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_the_shared_state_is_locked_or_gone_a_node_decides_by_itself() {
    let Some(nodes) = nodes_waiting(100).await else { return };
    let scene = Scene::new(&nodes[0]).await;
    let bodies = posts(&scene.company, &scene.bot, 20).await;
    let [here, there] = [&nodes[0], &nodes[1]].map(|node| through(node, &scene.bot));
    let mut outside = nodes[0].database.outside().await;

    let mut lock = outside.begin().await.unwrap();
    lock.execute("LOCK TABLE rate_windows, rate_buckets IN ACCESS EXCLUSIVE MODE").await.unwrap();
    // nothing within the limits is refused, nothing waits for long, and a node's own memory still bounds
    let begun = std::time::Instant::now();
    for n in 0..20 {
        list(&here).await.ok(200);
        here.sending(&format!("locked-{n}"), &bodies[n]).ok(201).await;
    }
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    list(&here).await.refused(429, "rate_limited");
    here.sending("over", &bodies[0]).refused(429, "rate_limited").await;
    list(&there).await.ok(200);
    lock.rollback().await.unwrap();

    advance(&nodes, REST);
    outside.execute("ALTER TABLE rate_windows RENAME TO away").await.unwrap();
    for _ in 0..20 {
        list(&here).await.ok(200);
    }
    list(&here).await.refused(429, "rate_limited");
    outside.execute("ALTER TABLE away RENAME TO rate_windows").await.unwrap();

    // and when it is back it is shared again, a second later
    advance(&nodes, REST);
    until(async || {
        nodes[0].operator().post("/admin/v1/rate_limits/reset").ok(200).await;
        let passed = join_all((0..40).map(|n| list(if n % 2 == 0 { &here } else { &there }))).await;
        passed.iter().filter(|answer| answer.status == 200).count() == 20
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_node_saw_counts_when_the_shared_state_goes() {
    let Some(nodes) = nodes_waiting(1_000).await else { return };
    let company = nodes[0].company().await;
    let bot = company.bot(&nodes[0]).await;
    for _ in 0..15 {
        list(&bot).await.ok(200);
    }
    let mut outside = nodes[0].database.outside().await;
    outside.execute("ALTER TABLE rate_windows RENAME TO away").await.unwrap();
    let passed = join_all((0..20).map(|_| list(&bot))).await;
    assert_eq!(passed.iter().filter(|answer| answer.status == 200).count(), 5);
}
