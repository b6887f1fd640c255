//! The send limits with their real values (B-403 … B-410, B-416 … B-419, D-055, D-056, D-085, D-086).
//!
//! The clock changes only when a test moves it, so all sends between two moves are a burst. Besides the send limits, an
//! installation has a limit of 100 send requests a second (D-055). Only `responses_report_what_is_left_of_the_limits`
//! reaches this limit.

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};
use switchboard::domain::time::Timestamp;

use crate::support::*;

const SECOND: Duration = Duration::from_secs(1);
/// Longer than the time in which any token bucket of the send limits refills (D-192).
const REFILL_TIME: Duration = Duration::from_secs(60);

async fn limited() -> Server {
    Server::with(Options { limits: true, ..Options::default() }).await.expect("SQLite is always available")
}

/// Returns the bodies of `count` posts, each to a new group of which the bot is a member.
async fn messages_to_new_groups(company: &Company, bot: &Bot, count: usize) -> Vec<Value> {
    let mut all = Vec::new();
    for _ in 0..count {
        all.push(to_conversation(&company.group(&[&bot.user_id]).await, "hello"));
    }
    all
}

/// Sends all bodies concurrently, with the idempotency keys `{prefix}-0`, `{prefix}-1`, ….
async fn send_all<'a>(bot: &Bot, prefix: &str, bodies: impl IntoIterator<Item = &'a Value>) -> Vec<Answer> {
    let sends = bodies.into_iter().enumerate();
    join_all(sends.map(|(n, body)| bot.sending(&format!("{prefix}-{n}"), body).send())).await
}

#[track_caller]
fn assert_all_sent(answers: &[Answer], rule: &str) {
    for answer in answers {
        assert_eq!(answer.status, 201, "{rule}: {}", answer.text());
    }
}

/// Asserts that exactly `burst` sends passed, and that every other send was rejected with `rate_limited`. The sends
/// must have been made at one moment, with full token buckets.
#[track_caller]
fn assert_only_burst_sent(answers: Vec<Answer>, burst: usize, rule: &str) {
    let passed = answers.iter().filter(|a| a.status == 201).count();
    assert_eq!(passed, burst, "{rule}: {passed} of {} passed", answers.len());
    for answer in answers.into_iter().filter(|a| a.status != 201) {
        // B-419: the test client checks the error envelope, the request id and Retry-After of every response
        answer.refused(429, "rate_limited");
    }
}

fn wait(answer: &Answer) -> Duration {
    let reported = answer.header("retry-after").expect("a 429 has Retry-After (B-401)");
    assert!(
        reported.bytes().all(|digit| digit.is_ascii_digit()),
        "Retry-After is whole seconds (D-086): {reported}"
    );
    Duration::from_secs(reported.parse().expect("a number"))
}

#[tokio::test]
async fn an_installation_sends_in_bursts_of_20() {
    let server = limited().await;
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let bodies = messages_to_new_groups(&company, &bot, 60).await;
    assert_all_sent(&send_all(&bot, "burst", &bodies[..20]).await, "a burst of 20 sends passes (B-403)");
    server.advance(REFILL_TIME).await;
    assert_only_burst_sent(send_all(&bot, "beyond", &bodies).await, 20, "further sends are refused (B-405)");
    server.advance(REFILL_TIME).await;
    assert_all_sent(&send_all(&bot, "again", &bodies[40..]).await, "a burst of 20 sends passes (B-403)");
}

#[tokio::test]
async fn an_installation_sends_5_a_second_for_any_length_of_time() {
    let server = limited().await;
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let bodies = messages_to_new_groups(&company, &bot, 20).await;
    for second in 0..120 {
        let five = &bodies[(second % 4) * 5..][..5];
        assert_all_sent(&send_all(&bot, &format!("s{second}"), five).await, "5 a second pass (B-404)");
        server.advance(SECOND).await;
    }
    // the sustained rate is also accepted right after a burst (D-192)
    server.advance(REFILL_TIME).await;
    assert_all_sent(&send_all(&bot, "burst", &bodies).await, "a burst of 20 sends passes (B-403)");
    for second in 0..10 {
        server.advance(SECOND).await;
        let five = &bodies[(second % 4) * 5..][..5];
        assert_all_sent(&send_all(&bot, &format!("after{second}"), five).await, "5 a second pass (B-404)");
    }
}

#[tokio::test]
async fn a_destination_takes_bursts_of_5_and_1_a_second() {
    let server = limited().await;
    let fixture = BotFixture::new(&server).await;
    let channel = fixture.company.channel(&fixture.group, &[&fixture.bot.user_id]).await;
    let bodies = [fixture.direct(json!({})), fixture.post(json!({})), to_conversation(&channel, "hello")];
    // B-406, B-409: bursts to three destinations at one moment, among them a channel and its group
    for (n, body) in bodies.iter().enumerate() {
        assert_all_sent(
            &send_all(&fixture.bot, &format!("burst{n}"), [body; 5]).await,
            "each destination has a burst of 5 (B-406, B-409)",
        );
    }
    // B-407: the sustained rate is accepted right after the bursts, and for a long time
    for second in 0..90 {
        server.advance(SECOND).await;
        assert_all_sent(
            &send_all(&fixture.bot, &format!("s{second}"), &bodies).await,
            "1 send a second passes (B-407)",
        );
    }
    // B-408: sends beyond the burst are rejected
    for (n, body) in bodies.iter().enumerate() {
        server.advance(REFILL_TIME).await;
        assert_only_burst_sent(
            send_all(&fixture.bot, &format!("beyond{n}"), [body; 15]).await,
            5,
            "further sends are refused (B-408)",
        );
        // B-409: another destination still has its whole burst; only the installation's limit is shared
        let other = &bodies[(n + 1) % 3];
        assert_all_sent(
            &send_all(&fixture.bot, &format!("other{n}"), [other; 5]).await,
            "destinations share no limit (B-409)",
        );
    }
}

#[tokio::test]
async fn installations_share_nothing() {
    let server = limited().await;
    let app = server.app(&ALL_SCOPES).await;
    let (here, there) = (server.company().await, server.company().await);
    let (bot, second_bot) = (here.install(&app, &ALL_SCOPES).await, there.install(&app, &ALL_SCOPES).await);
    let of_other_app = here.bot(&server).await;
    let bodies = messages_to_new_groups(&here, &bot, 60).await;
    for body in &bodies[..20] {
        here.add(&text(body, "/to/id"), &of_other_app.user_id).await;
    }
    let theirs = messages_to_new_groups(&there, &second_bot, 20).await;
    assert_only_burst_sent(send_all(&bot, "mine", &bodies).await, 20, "further sends are refused (B-405)");
    assert_all_sent(
        &send_all(&second_bot, "second", &theirs).await,
        "the same app in another company has its own limit (B-410)",
    );
    assert_all_sent(
        &send_all(&of_other_app, "neighbour", &bodies[..20]).await,
        "another app in the same groups has its own limit (B-410)",
    );
    // each installation has a limit of its own for a destination
    let (one, two) = (&bodies[0], &theirs[0]);
    server.advance(REFILL_TIME).await;
    assert_only_burst_sent(send_all(&bot, "one", [one; 15]).await, 5, "further sends are refused (B-408)");
    // the keys differ, because a key of another app's message in the same group gets 422 (B-202)
    assert_all_sent(
        &send_all(&of_other_app, "other", [one; 5]).await,
        "installations share no limit (B-410)",
    );
    assert_all_sent(&send_all(&second_bot, "one", [two; 5]).await, "installations share no limit (B-410)");
}

#[tokio::test]
async fn a_replay_is_never_refused_by_the_send_limits_and_uses_up_none_of_them() {
    let server = limited().await;
    let fixture = BotFixture::new(&server).await;
    let body = fixture.post(json!({}));
    fixture.bot.sending("first", &body).ok(201).await;
    for _ in 0..50 {
        let repeated = fixture.bot.sending("first", &body).send().await;
        repeated.ok(201); // B-416: a replay is never rejected
        assert_eq!(repeated.header("idempotent-replayed"), Some("true"));
    }
    // B-416: after 1 send and 50 replays, 4 of the 5 sends are left
    assert_all_sent(
        &send_all(&fixture.bot, "rest", [&body; 4]).await,
        "a replay uses up no send limit (B-416)",
    );
    server.advance(REFILL_TIME).await;
    assert_only_burst_sent(
        send_all(&fixture.bot, "empty", [&body; 15]).await,
        5,
        "further sends are refused (B-408)",
    );
    // B-416: if the limit is used up, a replay still gets its response, and another body with the key still gets 422
    // (B-193)
    for _ in 0..10 {
        fixture.bot.sending("first", &body).ok(201).await;
        let other = fixture.post(json!({"text": "other"}));
        fixture.bot.key_is_taken("first", &other).await;
    }
}

#[tokio::test]
async fn a_send_with_an_error_uses_up_none_of_the_send_limits() {
    let server = limited().await;
    let fixture = BotFixture::new(&server).await;
    let company = &fixture.company;
    let bodies = messages_to_new_groups(company, &fixture.bot, 14).await;
    let archived = company.group(&[&fixture.bot.user_id]).await;
    company.archive(&archived, true).await;
    fixture.bot.sending("taken", &fixture.post(json!({}))).ok(201).await;
    let taken = fixture.post(json!({"text": "other"}));
    // B-417, D-056: 72 refused sends use up neither the limit of the destination nor that of the installation
    for n in 0..8 {
        let key = |what: &str| format!("{what}-{n}");
        let refused = [
            fixture.bot.api.post("/v1/messages").json(&fixture.post(json!({}))).send().await,
            fixture.bot.sending("a b", &fixture.post(json!({}))).send().await,
            fixture.bot.sending(&key("text"), &fixture.post(json!({"text": ""}))).send().await,
            fixture.bot.sending(&key("blocks"), &fixture.post(json!({"blocks": [1]}))).send().await,
            fixture.bot.sending(&key("thread"), &fixture.post(json!({"thread_id": NOTHING}))).send().await,
            fixture.bot.sending(&key("group"), &to_conversation(NOWHERE, "hello")).send().await,
            fixture.bot.sending(&key("user"), &to_user(NOBODY, "hello")).send().await,
            fixture.bot.sending(&key("archived"), &to_conversation(&archived, "hello")).send().await,
            fixture.bot.sending("taken", &taken).send().await,
        ];
        let statuses = refused.map(|a| a.status);
        assert_eq!(
            statuses,
            [400, 400, 400, 400, 400, 404, 404, 409, 422],
            "each send is refused with its own error, and not with 429 (B-417)"
        );
    }
    // the first send, 4 more to the same group, 14 to other groups and 1 to the person are the burst of 20
    let group = fixture.post(json!({}));
    let direct = fixture.direct(json!({}));
    let rest = [&group; 4].into_iter().chain(&bodies).chain([&direct]);
    assert_all_sent(
        &send_all(&fixture.bot, "rest", rest).await,
        "a refused send uses up no send limit (B-417)",
    );
}

#[tokio::test]
async fn a_send_over_the_limit_of_the_destination_uses_up_no_send_limit_of_the_installation() {
    let server = limited().await;
    let fixture = BotFixture::new(&server).await;
    let bodies = messages_to_new_groups(&fixture.company, &fixture.bot, 15).await;
    let group = fixture.post(json!({}));
    assert_all_sent(&send_all(&fixture.bot, "five", [&group; 5]).await, "5 at once pass (B-406)");
    for over in send_all(&fixture.bot, "over", [&group; 30]).await {
        over.refused(429, "rate_limited"); // B-408: the destination refuses every send beyond its burst
    }
    assert_all_sent(
        &send_all(&fixture.bot, "rest", &bodies).await,
        "a refused send uses up no send limit of the installation (D-085, B-403)",
    );
}

#[tokio::test]
async fn a_rate_limited_send_posts_nothing_and_can_be_repeated() {
    let server = limited().await;
    let fixture = BotFixture::new(&server).await;
    for (n, body) in [fixture.post(json!({})), fixture.direct(json!({}))].iter().enumerate() {
        let answers = send_all(&fixture.bot, &format!("burst{n}"), [body; 15]).await;
        let first = answers.iter().find(|a| a.status == 201).expect("5 at once pass (B-406)").json();
        let conversation = text(&first, "/message/conversation_id");
        let sent = answers.iter().filter(|a| a.status == 201).count();
        let stored = fixture.company.sent_by(&fixture.bot, &conversation).await.len();
        assert_eq!(stored, sent, "a send that gets 429 posts nothing (B-418)");
        let (at, refused) = answers
            .iter()
            .enumerate()
            .find(|(_, a)| a.status == 429)
            .expect("further sends are refused (B-408)");
        assert_eq!(
            refused.json()["request_id"],
            refused.header("x-request-id").unwrap(),
            "header and body of a 429 have the same request id (B-419)"
        );
        server.advance(wait(refused)).await;
        let repeated = fixture.bot.sending(&format!("burst{n}-{at}"), body).send().await;
        repeated.ok(201); // B-418, B-401: accepted after the wait
        assert!(
            repeated.header("idempotent-replayed").is_none(),
            "the key of a refused send is not stored (B-418)"
        );
        assert_eq!(
            fixture.company.sent_by(&fixture.bot, &conversation).await.len(),
            sent + 1,
            "a rejected send that is repeated with its key posts one message (B-418)"
        );
        // B-418, B-203, D-052: a rejected send stores neither its key nor its body, so another body can have the key
        let (at, refused) = answers
            .iter()
            .enumerate()
            .rfind(|(_, a)| a.status == 429)
            .expect("further sends are refused (B-408)");
        server.advance(wait(refused)).await;
        let other = with(body.clone(), json!({"text": "changed in between"}));
        fixture.bot.sending(&format!("burst{n}-{at}"), &other).ok(201).await;
        server.advance(REFILL_TIME).await;
    }
}

#[tokio::test]
async fn a_rate_limited_first_direct_message_creates_no_conversation() {
    let server = limited().await;
    let fixture = BotFixture::new(&server).await;
    let bodies = messages_to_new_groups(&fixture.company, &fixture.bot, 40).await;
    send_all(&fixture.bot, "all", &bodies).await;
    let answer = fixture.bot.sending("first", &fixture.direct(json!({}))).send().await;
    // 40 sends at one moment have used up the limit of the installation
    answer.refused(429, "rate_limited");
    assert!(
        fixture.company.direct_conversations().await.is_empty(),
        "a rejected direct message creates no direct conversation (B-225, B-418)"
    );
}

#[tokio::test]
async fn waiting_for_retry_after_always_suffices() {
    let server = limited().await;
    let fixture = BotFixture::new(&server).await;
    // B-401, B-418: a sender that waits for the seconds of Retry-After is rejected at most once per message
    for n in 0..30 {
        let key = format!("k{n}");
        let body = fixture.post(json!({"text": key}));
        let answer = fixture.bot.sending(&key, &body).send().await;
        if answer.status == 429 {
            server.advance(wait(&answer)).await;
            fixture.bot.sending(&key, &body).ok(201).await;
        }
    }
    assert_eq!(fixture.visible_messages().await.len(), 30, "every message is sent after the wait (B-418)");
}

/// Returns the header `RateLimit`, and checks the header `RateLimit-Policy`.
#[track_caller]
fn reported_limits(answer: &Answer) -> String {
    let policy = r#""send_requests";q=100;w=1, "send_installation";q=20;w=4, "send_destination";q=5;w=5"#;
    assert_eq!(answer.header("ratelimit-policy"), Some(policy), "a limited route reports its limit (D-196)");
    answer.header("ratelimit").expect("a limited route reports its limit (D-196)").to_owned()
}

#[tokio::test]
async fn responses_report_what_is_left_of_the_limits() {
    // D-196: of each limit, `r` requests are left, and more are available in `t` seconds
    let server = limited().await;
    let fixture = BotFixture::new(&server).await;
    let (group, send) =
        (fixture.post(json!({})), |key: &str, body: &Value| fixture.bot.sending(key, body).send());
    let first = send("k1", &group).await;
    first.ok(201);
    let after_one = r#""send_requests";r=99;t=1, "send_installation";r=19;t=1, "send_destination";r=4;t=1"#;
    assert_eq!(reported_limits(&first), after_one);
    // the responses to replays do not report the limit of a destination, and neither do the responses to sends that are
    // rejected before the send limits are checked
    for (key, body, status, left) in [
        ("k1", group.clone(), 201, 98),
        ("k1", with(group.clone(), json!({"text": "other"})), 422, 97),
        ("k2", with(group.clone(), json!({"text": ""})), 400, 96),
        ("k3", to_conversation(NOWHERE, "hello"), 404, 95),
        ("k4", with(group.clone(), json!({"thread_id": NOTHING})), 400, 94),
    ] {
        let answer = send(key, &body).await;
        assert_eq!(answer.status, status, "{}", answer.text());
        let left = format!(r#""send_requests";r={left};t=1, "send_installation";r=19;t=1"#);
        assert_eq!(reported_limits(&answer), left, "{body}");
    }
    for n in 0..4 {
        send(&format!("burst{n}"), &group).await.ok(201);
    }
    // the destination's limit is exceeded
    let over = send("over", &group).await.refused(429, "rate_limited");
    let left = r#""send_requests";r=89;t=1, "send_installation";r=15;t=1, "send_destination";r=0;t=1"#;
    assert_eq!((reported_limits(&over).as_str(), over.header("retry-after")), (left, Some("1")));
    // the installation's limit is exceeded, by a send to a new destination
    let bodies = messages_to_new_groups(&fixture.company, &fixture.bot, 16).await;
    assert_all_sent(
        &send_all(&fixture.bot, "rest", &bodies[..15]).await,
        "a burst of 20 sends passes (B-403)",
    );
    let over = send("over", &bodies[15]).await.refused(429, "rate_limited");
    let left = r#""send_requests";r=73;t=1, "send_installation";r=0;t=1, "send_destination";r=5;t=0"#;
    assert_eq!((reported_limits(&over).as_str(), over.header("retry-after")), (left, Some("1")));
    // the limit on requests is exceeded (D-055)
    for _ in 0..73 {
        send("k1", &group).await.ok(201);
    }
    let over = send("k1", &group).await.refused(429, "rate_limited");
    let left = r#""send_requests";r=0;t=1, "send_installation";r=0;t=1"#;
    assert_eq!((reported_limits(&over).as_str(), over.header("retry-after")), (left, Some("1")));
}

#[both_engines]
async fn a_client_that_paces_itself_is_never_refused(LimitedServer(server): LimitedServer) {
    // B-403, B-404: a burst and then the sustained rate; each request arrives up to 150 ms late
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let bodies = messages_to_new_groups(&company, &bot, 20).await;
    for (pattern, late) in [("alternating", alternating as Late), ("random", random as Late)] {
        server.advance(REFILL_TIME).await;
        let begun = server.clock.now();
        let mut arrivals: Vec<(Duration, usize)> = (0..320_usize)
            // 20 sends at once, and then 5 sends a second for a minute
            .map(|n| (Duration::from_millis(200) * n.saturating_sub(19) as u32 + late(n), n))
            .collect();
        arrivals.sort_unstable();
        for (at, n) in arrivals {
            set_clock(&server, begun, at);
            let answer = bot.sending(&format!("{pattern}-{n}"), &bodies[n % 20]).send().await;
            assert_eq!(
                answer.status,
                201,
                "sends at the sustained rate pass (B-404): {pattern}, send {n} at {at:?}: {}",
                answer.text()
            );
        }
    }
}

#[both_engines]
async fn sends_clearly_beyond_the_sustained_rate_are_refused(LimitedServer(server): LimitedServer) {
    // B-405: 7 sends a second, in turn to 21 destinations
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let bodies = messages_to_new_groups(&company, &bot, 21).await;
    let begun = server.clock.now();
    let mut passed = 0;
    for n in 0..140 {
        set_clock(&server, begun, Duration::from_millis(1_000) * n / 7);
        let answer = bot.sending(&format!("k{n}"), &bodies[n as usize % 21]).send().await;
        match answer.status {
            201 => passed += 1,
            _ => drop(answer.refused(429, "rate_limited")),
        }
    }
    // the burst has 20 sends, and tokens for 99 more are refilled in the 19.86 s until the last send; the tolerance for
    // jitter, 175 ms, allows one more
    assert!((119..=120).contains(&passed), "119 or 120 sends pass (B-404, B-405), not {passed}");
}

#[both_engines]
async fn a_burst_is_not_larger_than_documented(LimitedServer(server): LimitedServer) {
    // the token for one more send is refilled 200 ms after the burst; because of the tolerance for jitter, the send is
    // accepted up to 175 ms earlier
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let bodies = messages_to_new_groups(&company, &bot, 21).await;
    assert_all_sent(&send_all(&bot, "burst", &bodies[..20]).await, "a burst of 20 sends passes (B-403)");
    let refused = bot.sending("beyond", &bodies[20]).send().await.refused(429, "rate_limited");
    assert_eq!(wait(&refused), SECOND, "Retry-After is rounded up to a whole second (B-401, D-086)");
    server.advance(Duration::from_millis(24)).await;
    bot.sending("beyond", &bodies[20]).refused(429, "rate_limited").await;
    server.advance(Duration::from_millis(1)).await;
    bot.sending("beyond", &bodies[20]).ok(201).await;
}

/// A function that returns the delay with which the nth request arrives.
type Late = fn(usize) -> Duration;

fn alternating(n: usize) -> Duration {
    Duration::from_millis(if n.is_multiple_of(2) { 0 } else { 150 })
}

/// Returns a pseudo-random delay between 0 and 150 ms, the same in every run.
fn random(n: usize) -> Duration {
    let mixed = (n as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    Duration::from_micros((mixed >> 33) % 150_001)
}

/// Moves the clock to the time `at` after `begun`. Callers pass ascending times.
fn set_clock(server: &Server, begun: Timestamp, at: Duration) {
    let at = i64::try_from(at.as_micros()).unwrap();
    server.clock.shift(begun.0 + at - server.clock.now().0);
}
