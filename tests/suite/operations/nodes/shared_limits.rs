//! Rate limits of several nodes on one PostgreSQL database (D-195). Each node decides locally, and the nodes exchange
//! their counts a few times a second. Together the nodes accept at least as many requests as one node would. They
//! accept more requests only until the next exchange. Limits that protect secrets are an exception: they are counted in
//! the database. A node that cannot reach the database decides by its own counts.

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};
use sqlx::{Connection, Executor, PgConnection};
use switchboard::store::Engine;

use crate::support::*;

/// A time after which each limit of these tests has its full quota again.
const REST: Duration = Duration::from_secs(60);

/// Starts two nodes with the limits of the contract.
async fn nodes() -> Option<[Server; 2]> {
    nodes_with_shared_wait(Options::default().shared_wait_ms).await
}

async fn nodes_with_shared_wait(shared_wait_ms: u32) -> Option<[Server; 2]> {
    let options = Options { engine: Engine::Postgres, limits: true, shared_wait_ms, ..Options::default() };
    let one = Server::with(options).await?;
    let two = one.another_node().await;
    Some([one, two])
}

/// Returns the same bot with a client for another node.
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

/// Exchanges the counts between the nodes. In one exchange a node publishes its own counts and reads those of the other
/// node. So the first node exchanges again after the second node has published. A node that gets requests also makes an
/// exchange by itself every 200 ms.
async fn share(nodes: &[Server; 2]) {
    for node in [&nodes[0], &nodes[1], &nodes[0]] {
        // on a busy machine the exchange may time out, so it is tried again
        until(async || node.running().world().limits.exchange().await.is_ok()).await;
    }
}

/// Sends all messages of `bodies` at once, through the nodes in alternation. Returns the number of accepted sends.
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

/// Creates `count` groups that have the bot as a member. Returns the body of a message to each of the groups.
async fn messages_to_new_groups(company: &Company, bot: &Bot, count: usize) -> Vec<Value> {
    let mut all = Vec::new();
    for _ in 0..count {
        all.push(to_conversation(&company.group(&[&bot.user_id]).await, "hello"));
    }
    all
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_nodes_share_one_window() {
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
        assert_eq!(
            answer.header("ratelimit"),
            Some(&*left),
            "a rate-limited route reports its quota (D-196)"
        );
    }
    share(&nodes).await;
    // B-411: both nodes refuse the 21st request
    for bot in [&there, &here] {
        let refused = list(bot).await.refused(429, "rate_limited");
        assert_eq!(refused.header("retry-after"), Some("45"), "a 429 has Retry-After (B-401)");
        assert_eq!(
            refused.header("ratelimit"),
            Some("\"list\";r=0;t=45"),
            "a rate-limited route reports its quota (D-196)"
        );
    }
    // requests to another route, or of another bot, count in windows of their own
    there.api.get("/v1/conversations").ok(200).await;
    list(&through(&nodes[1], &company.bot(&nodes[0]).await)).await.ok(200);
    // B-401: A request after `Retry-After` is accepted. The window slides, so it no longer contains the ten oldest
    // requests.
    advance(&nodes, Duration::from_secs(45));
    for n in 0..10 {
        list(if n % 2 == 0 { &here } else { &there }).await.ok(200);
    }
    share(&nodes).await;
    for bot in [&there, &here] {
        list(bot).await.refused(429, "rate_limited");
    }
    // requests through both nodes at once: at least the guaranteed rate is accepted, and at most twice this rate
    advance(&nodes, REST);
    let answers = join_all((0..60).map(|n| list(if n % 2 == 0 { &here } else { &there }))).await;
    let passed = answers.iter().filter(|answer| answer.status == 200).count();
    assert!(
        (20..=40).contains(&passed),
        "two nodes accept 20 to 40 list requests a minute (B-411): {passed}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sends_are_counted_for_all_nodes() {
    let Some(nodes) = nodes().await else { return };
    let company = nodes[0].company().await;
    let bot = company.bot(&nodes[0]).await;
    let many = messages_to_new_groups(&company, &bot, 31).await;
    let [here, there] = [&nodes[0], &nodes[1]].map(|node| through(node, &bot));
    for (n, body) in many[..20].iter().enumerate() {
        here.sending(&format!("burst-{n}"), body).ok(201).await; // a burst of 20 sends is accepted (B-403)
    }
    share(&nodes).await;
    here.sending("over", &many[20]).refused(429, "rate_limited").await;
    // the clocks of nodes may differ, so a node counts the requests of other nodes as if they were 100 ms older; the
    // second node may therefore accept one send above the limit
    let mut passed = 0;
    for n in 0..5 {
        passed += usize::from(there.sending(&format!("over-{n}"), &many[20 + n]).send().await.status == 201);
    }
    assert!(passed <= 1, "the second node accepts at most one send above the limit (B-405): {passed}");
    // the second node returns `Retry-After`, too
    let refused = there.sending("more", &many[25]).refused(429, "rate_limited").await;
    assert_eq!(refused.header("retry-after"), Some("1"), "a 429 has Retry-After (B-401)");
    share(&nodes).await;
    advance(&nodes, Duration::from_secs(1));
    there.sending("more", &many[25]).ok(201).await; // a send after `Retry-After` is accepted (B-401)
    // a replay uses no quota, even through the second node (B-416); a rejected send uses none either (B-417)
    advance(&nodes, REST);
    here.sending("first", &many[0]).ok(201).await;
    for n in 0..10 {
        let repeat = there.sending("first", &many[0]).send().await;
        repeat.ok(201);
        assert_eq!(repeat.header("idempotent-replayed"), Some("true"));
        let thread = with(many[0].clone(), json!({"thread_id": NOTHING}));
        here.sending(&format!("thread-{n}"), &thread).refused(400, "invalid_request").await;
        there.key_is_taken("first", &with(many[0].clone(), json!({"text": "other"}))).await;
    }
    share(&nodes).await;
    let left = send_all(&nodes, &bot, "left", &vec![many[0].clone(); 4]).await;
    assert_eq!(left, 4, "replays and refused sends use no quota (B-416, B-417)");
}

/// Sends at the interval `every` for 20 seconds of the test clock, through the nodes in alternation. The nodes exchange
/// their counts every 200 ms of the test clock. Returns the number of accepted sends.
async fn pace(nodes: &[Server; 2], bot: &Bot, bodies: &[Value], words: &str, every: Duration) -> usize {
    let (mut passed, mut since) = (0, Duration::ZERO);
    for n in 0..(Duration::from_secs(20).as_micros() / every.as_micros()) as usize {
        let call = through(&nodes[n % 2], bot).sending(&format!("{words}-{n}"), &bodies[n % bodies.len()]);
        passed += usize::from(call.send().await.status == 201);
        advance(nodes, every);
        since += every;
        if since >= Duration::from_millis(200) {
            share(nodes).await;
            since = Duration::ZERO;
        }
    }
    passed
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_alternates_nodes_gets_the_limit_of_one_node() {
    let Some(nodes) = nodes().await else { return };
    let company = nodes[0].company().await;
    let bot = company.bot(&nodes[0]).await;
    let bodies = messages_to_new_groups(&company, &bot, 40).await;
    // B-404: after the burst is used up, 5 sends a second are always accepted
    for (n, body) in bodies[..20].iter().enumerate() {
        through(&nodes[0], &bot).sending(&format!("burst-{n}"), body).ok(201).await;
    }
    share(&nodes).await;
    advance(&nodes, Duration::from_millis(200));
    let passed = pace(&nodes, &bot, &bodies, "paced", Duration::from_millis(200)).await;
    assert_eq!(passed, 100, "5 sends a second are all accepted (B-404)");
    // B-405: The bot sends 10 messages a second. One node would accept the burst of 20 messages, and then 5 messages a
    // second. Two nodes may accept a few more messages before they exchange their counts.
    advance(&nodes, REST);
    let passed = pace(&nodes, &bot, &bodies, "twice", Duration::from_millis(100)).await;
    assert!(
        (119..=126).contains(&passed),
        "of 200 sends, one node accepts 120, and two nodes accept 119 to 126 (B-405): {passed}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_exchange_their_counts_automatically() {
    let Some(nodes) = nodes().await else { return };
    let fixture = BotFixture::new(&nodes[0]).await;
    let [here, there] = [&nodes[0], &nodes[1]].map(|node| through(node, &fixture.bot));
    let bodies = messages_to_new_groups(&fixture.company, &fixture.bot, 20).await;
    for (n, body) in bodies.iter().enumerate() {
        here.sending(&format!("burst-{n}"), body).ok(201).await;
    }
    // A replay uses no quota, and its response has the remaining quota. Each request also triggers an exchange, in
    // which the node reads the counts of the other node. The remaining quota then falls, because of the 20 sends.
    until(async || {
        let repeat = there.sending("burst-0", &bodies[0]).send().await;
        repeat.ok(201);
        let reported =
            repeat.header("ratelimit").expect("a rate-limited route reports its quota (D-196)").to_owned();
        // the pause between two exchanges ends when the clock is advanced
        advance(&nodes, Duration::from_millis(10));
        let (_, left) = reported
            .split_once("\"send_installation\";r=")
            .expect("a rate-limited route reports its quota (D-196)");
        let (left, _) = left.split_once(';').expect("a rate-limited route reports its quota (D-196)");
        left.parse::<u32>().expect("a number") <= 10
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn limits_that_protect_secrets_are_exact_across_nodes() {
    let Some(nodes) = nodes().await else { return };
    let app = nodes[0].app(&ALL_SCOPES).await;
    let body = app.body(json!({"grant_type": "authorization_code", "code": "unknown"}));
    let calls = (0..60).map(|n| nodes[n % 2].api().post("/oauth/token").json(&body).send());
    let answers = join_all(calls).await;
    let passed = answers.iter().filter(|answer| answer.status == 400).count();
    assert_eq!(passed, 20, "20 OAuth requests a minute pass per app (B-414)");
    assert!(answers.iter().all(|answer| [400, 429].contains(&answer.status)));
}

/// A request enters and leaves the window by its time of arrival, even if requests that arrived later were counted
/// first (decision 16).
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_leave_the_window_in_order_of_arrival() {
    let Some(nodes) = nodes().await else { return };
    let app = nodes[0].app(&ALL_SCOPES).await;
    let body = app.body(json!({"grant_type": "authorization_code", "code": "unknown"}));
    let exchange = |node: &Server| node.api().post("/oauth/token").json(&body);
    // the clock of the second node is ahead, so the request that is counted first has a later time than all others
    nodes[1].clock.advance(Duration::from_millis(400));
    exchange(&nodes[1]).refused(400, "invalid_grant").await;
    for _ in 1..20 {
        exchange(&nodes[0]).refused(400, "invalid_grant").await;
    }
    exchange(&nodes[0]).refused(429, "rate_limited").await;
    nodes[0].clock.advance(REST);
    // a minute after the other 19 requests, another request is within the limit (B-414)
    exchange(&nodes[0]).refused(400, "invalid_grant").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reset_is_for_all_nodes() {
    let Some(nodes) = nodes().await else { return };
    let fixture = BotFixture::new(&nodes[0]).await;
    let [here, there] = [&nodes[0], &nodes[1]].map(|node| through(node, &fixture.bot));
    let body = fixture.post(json!({}));
    while list(&here).await.status == 200 {}
    for n in 0..5 {
        here.sending(&format!("all-{n}"), &body).ok(201).await;
    }
    share(&nodes).await;
    list(&there).await.refused(429, "rate_limited");
    nodes[1].operator().post("/admin/v1/rate_limits/reset").ok(200).await;
    // the limits are reset at once on the node that handled the request, and on the other node after the next exchange
    list(&there).await.ok(200);
    there.sending("again", &body).ok(201).await;
    share(&nodes).await;
    share(&nodes).await;
    list(&here).await.ok(200);
    here.sending("again-here", &body).ok(201).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_node_begins_with_the_shared_counts() {
    let Some(nodes) = nodes().await else { return };
    let fixture = BotFixture::new(&nodes[0]).await;
    while list(&fixture.bot).await.status == 200 {}
    share(&nodes).await;
    let fresh = nodes[0].another_node().await;
    fresh.running().world().limits.exchange().await.unwrap();
    list(&through(&fresh, &fixture.bot)).await.refused(429, "rate_limited");
}

async fn rows(outside: &mut PgConnection) -> (i64, i64) {
    sqlx::query_as("SELECT (SELECT COUNT(*) FROM rate_windows), (SELECT COUNT(*) FROM rate_records)")
        .fetch_one(outside)
        .await
        .unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn idle_rows_are_deleted() {
    let Some(nodes) = nodes().await else { return };
    let fixture = BotFixture::new(&nodes[0]).await;
    list(&fixture.bot).await.ok(200);
    fixture.bot.send(&fixture.post(json!({}))).await;
    let app = nodes[0].app(&ALL_SCOPES).await;
    nodes[0].api().post("/oauth/revoke").json(&app.body(json!({"token": "unknown"}))).ok(200).await;
    share(&nodes).await;
    let mut outside = nodes[0].database.outside().await;
    let before = rows(&mut outside).await;
    assert!(before.0 >= 1 && before.1 >= 4, "{before:?}");
    nodes[0].advance(Duration::from_secs(5 * 60)).await;
    assert_eq!(rows(&mut outside).await, before, "the rows of a client that was active recently are kept");
    // the database's clock measures the age of `rate_records`, and a test cannot move that clock
    let older = "UPDATE rate_records SET published_at = published_at - 11 * 60 * 1000000";
    outside.execute(older).await.unwrap();
    nodes[0].advance(Duration::from_secs(10 * 60)).await;
    assert_eq!(rows(&mut outside).await, (0, 0));
}

/// The column `rate_windows.idle_at` is at most an hour (the longest window) after the last request, by the clock of
/// the node that counted the request. This clock may be slightly ahead of the clock of the node that deletes idle rows.
/// If `idle_at` is more than two hours in the future, the counting node's clock was wrong and has been set back. The
/// deleting node then deletes the row.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_window_counted_by_a_clock_that_is_slightly_ahead_is_kept() {
    let Some(nodes) = nodes().await else { return };
    let now = nodes[0].clock.now();
    let mut outside = nodes[0].database.outside().await;
    let (live, set_back) = (vec![1_u8; 24], vec![2_u8; 24]);
    for (key, seconds) in [(&live, 3_600 + 2 * 60), (&set_back, 3 * 3_600)] {
        sqlx::query("INSERT INTO rate_windows (key, passed, idle_at) VALUES ($1, ARRAY[$2::BIGINT], $3)")
            .bind(key)
            .bind(now.0)
            .bind(now.0 + seconds * 1_000_000_i64)
            .execute(&mut outside)
            .await
            .unwrap();
    }
    nodes[0].running().world().limits.purge_idle(now).await.unwrap();
    let kept: Vec<Vec<u8>> = sqlx::query_scalar("SELECT key FROM rate_windows WHERE key IN ($1, $2)")
        .bind(&live)
        .bind(&set_back)
        .fetch_all(&mut outside)
        .await
        .unwrap();
    assert_eq!(kept, [live], "only the row of a clock that was set back is deleted");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn setting_the_clock_back_blocks_no_client() {
    let Some(nodes) = nodes().await else { return };
    let fixture = BotFixture::new(&nodes[0]).await;
    advance(&nodes, Duration::from_secs(30 * 24 * 60 * 60));
    while list(&fixture.bot).await.status == 200 {}
    share(&nodes).await;
    for node in &nodes {
        node.clock.reset();
    }
    share(&nodes).await;
    for node in &nodes {
        list(&through(node, &fixture.bot)).await.ok(200);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_the_shared_state_is_locked_or_unreachable_a_node_decides_by_itself() {
    let Some(nodes) = nodes_with_shared_wait(100).await else { return };
    let fixture = BotFixture::new(&nodes[0]).await;
    let app = nodes[0].app(&ALL_SCOPES).await;
    let oauth_body = app.body(json!({"grant_type": "authorization_code", "code": "unknown"}));
    let bodies = messages_to_new_groups(&fixture.company, &fixture.bot, 20).await;
    let [here, there] = [&nodes[0], &nodes[1]].map(|node| through(node, &fixture.bot));
    let mut outside = nodes[0].database.outside().await;

    let mut lock = outside.begin().await.unwrap();
    lock.execute("LOCK TABLE rate_windows, rate_records IN ACCESS EXCLUSIVE MODE").await.unwrap();
    // Requests within the limits are not refused and do not wait long. Each node enforces the limits by its own counts.
    let begun = std::time::Instant::now();
    for (n, body) in bodies.iter().enumerate() {
        list(&here).await.ok(200);
        here.sending(&format!("locked-{n}"), body).ok(201).await;
        assert_eq!(nodes[0].api().post("/oauth/token").json(&oauth_body).send().await.status, 400);
    }
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    list(&here).await.refused(429, "rate_limited");
    here.sending("over", &bodies[0]).refused(429, "rate_limited").await;
    nodes[0].api().post("/oauth/token").json(&oauth_body).refused(429, "rate_limited").await;
    list(&there).await.ok(200);
    lock.rollback().await.unwrap();
    // after the tables are unlocked, the node publishes the counts of the requests that it accepted during the lock
    until(async || {
        let exchanged = nodes[0].running().world().limits.exchange().await;
        exchanged.is_ok() && nodes[1].running().world().limits.exchange().await.is_ok()
    })
    .await;
    list(&there).await.refused(429, "rate_limited");

    advance(&nodes, REST);
    outside.execute("ALTER TABLE rate_records RENAME TO away").await.unwrap();
    for _ in 0..20 {
        list(&here).await.ok(200);
    }
    list(&here).await.refused(429, "rate_limited");
    outside.execute("ALTER TABLE away RENAME TO rate_records").await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_shuts_down_while_the_shared_state_is_locked() {
    let Some([one, two]) = nodes().await else { return };
    let fixture = BotFixture::new(&one).await;
    let mut outside = one.database.outside().await;
    let mut lock = outside.begin().await.unwrap();
    lock.execute("LOCK TABLE rate_windows, rate_records IN ACCESS EXCLUSIVE MODE").await.unwrap();
    list(&through(&two, &fixture.bot)).await.ok(200);
    let begun = std::time::Instant::now();
    two.stop().await;
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    lock.rollback().await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn local_counts_apply_when_the_shared_state_is_lost() {
    let Some(nodes) = nodes_with_shared_wait(1_000).await else { return };
    let app = nodes[0].app(&ALL_SCOPES).await;
    let body = app.body(json!({"grant_type": "authorization_code", "code": "unknown"}));
    let request = || nodes[0].api().post("/oauth/token").json(&body).send();
    for _ in 0..15 {
        assert_eq!(request().await.status, 400);
    }
    let mut outside = nodes[0].database.outside().await;
    outside.execute("ALTER TABLE rate_windows RENAME TO away").await.unwrap();
    let answers = join_all((0..20).map(|_| request())).await;
    let passed = answers.iter().filter(|answer| answer.status == 400).count();
    assert_eq!(passed, 5, "with the 15 earlier requests, the node accepts 20 requests a minute (B-414)");
}
