//! The per-minute limits of lists, single reads, edits and deletes. B-397, B-401, B-402, B-410 … B-413, B-415, B-419,
//! D-005, D-191, D-192, D-194, D-196. `sends::limits` and `oauth_limits` test the other limits.

use std::time::Duration;

use reqwest::Method;
use serde_json::json;

use crate::support::{
    ALL_SCOPES, Api, BotFixture, LimitedServer, OPERATIONS, Operation, Server,
    api::{Answer, Call},
    both_engines,
};

/// Returns the guaranteed requests per minute of an operation; `None` if it has no limit per minute.
fn per_minute(operation: &Operation) -> Option<u32> {
    match (operation.method.as_str(), operation.path) {
        ("GET", "/v1/users" | "/v1/conversations" | "/v1/conversations/{conversation}/messages") => Some(20),
        ("GET", _) => Some(100),
        ("PATCH" | "DELETE", _) => Some(60),
        _ => None,
    }
}

fn limited_operations() -> impl Iterator<Item = (&'static Operation, u32)> {
    OPERATIONS.iter().filter_map(|o| per_minute(o).map(|minute| (o, minute)))
}

/// Returns a request of an operation. Edits and deletes name an unknown message, so they get 404 within the limit, and
/// no message has to be sent before.
fn call(fixture: &BotFixture, api: &Api, operation: &Operation) -> Call {
    let path = operation
        .path
        .replace("{message}", "gmsg_0000000000001")
        .replace("{conversation}", &fixture.group)
        .replace("{file}", &fixture.file)
        .replace("{user}", &fixture.person)
        .replace("{email}", &fixture.email);
    fixture.call_at(api, operation, &path)
}

#[track_caller]
fn assert_passes(answer: &Answer, name: &str) {
    // requests for the unknown message get 404
    let expected = if answer.name.contains("gmsg_0000000000001") { 404 } else { 200 };
    assert_eq!(
        answer.status,
        expected,
        "a request within the limit is not rejected (B-402): {name}: {}",
        answer.text()
    );
}

fn retry_after(answer: &Answer) -> u64 {
    answer
        .header("retry-after")
        .expect("a 429 has Retry-After (B-401)")
        .parse()
        .expect("Retry-After is whole seconds (B-401)")
}

/// Returns a parameter of the first item of a structured field such as `"list";q=20;w=60`.
fn parameter(answer: &Answer, header: &str, name: &str) -> u64 {
    let value = answer
        .header(header)
        .unwrap_or_else(|| panic!("a limited route reports its limit (D-196): {header}"));
    let item = value.split(',').next().expect("an item");
    assert!(item.trim_start().starts_with('"'), "the policy name is quoted (D-196): {header}: {value}");
    let found = item.split(';').skip(1).find_map(|p| p.trim().strip_prefix(name)?.strip_prefix('='));
    found.unwrap_or_else(|| panic!("D-196: no {name} in {header}: {value}")).parse().expect("a number")
}

#[tokio::test]
async fn each_operation_has_its_own_limit_per_minute() {
    let server = Server::limited().await;
    let fixture = BotFixture::new(&server).await;
    let of = |minute: u32| {
        limited_operations().filter(|(_, its)| *its == minute).map(|(o, _)| o.name()).collect::<Vec<_>>()
    };
    assert_eq!(
        [of(20).len(), of(100).len(), of(60).len()],
        [3, 5, 2],
        "three operations have the limit 20, five the limit 100, and two the limit 60 (B-411, B-412, B-413)"
    );
    // B-415: each operation uses up its limit before the next operation begins. If two operations shared a limit, the
    // later one would be rejected.
    for (operation, minute) in limited_operations() {
        let name = operation.name();
        for n in 0..minute {
            let answer = call(&fixture, &fixture.bot.api, operation).send().await;
            assert_passes(&answer, &format!("{name}: number {} (B-411, B-412, B-413)", n + 1));
        }
    }
    for (operation, minute) in limited_operations() {
        // D-192: the next request is rejected, with the error envelope, X-Request-Id and Retry-After (B-397, B-419)
        let answer = call(&fixture, &fixture.bot.api, operation).refused(429, "rate_limited").await;
        let wait = retry_after(&answer);
        assert!((1..=60).contains(&wait), "the wait is at most a minute: {}: {wait}", operation.name());
        assert_eq!(parameter(&answer, "ratelimit-policy", "q"), u64::from(minute), "{}", operation.name());
    }
    // B-401: a client that waits as long as Retry-After says is accepted
    let (first, _) = limited_operations().next().expect("one");
    let wait = retry_after(&call(&fixture, &fixture.bot.api, first).refused(429, "rate_limited").await);
    server.advance(Duration::from_secs(wait)).await;
    for (operation, _) in limited_operations() {
        assert_passes(&call(&fixture, &fixture.bot.api, operation).send().await, &operation.name());
    }
}

#[tokio::test]
async fn the_window_slides() {
    // D-192: each request leaves the window a minute after it was allowed. B-401, B-402: requests within the limit are
    // accepted, and so are requests after the `Retry-After`.
    let server = Server::limited().await;
    let fixture = BotFixture::new(&server).await;
    for (operation, minute) in limited_operations() {
        let name = operation.name();
        let request = async || call(&fixture, &fixture.bot.api, operation).send().await;
        // half of the requests now, the other half 30 seconds later
        for _ in 0..minute / 2 {
            assert_passes(&request().await, &name);
        }
        server.advance(Duration::from_secs(30)).await;
        for _ in 0..minute / 2 {
            assert_passes(&request().await, &name);
        }
        let answer = request().await.refused(429, "rate_limited");
        let wait = retry_after(&answer);
        assert!((1..=30).contains(&wait), "the first request leaves the window within 30 s: {name}: {wait}");
        // `Retry-After` is rounded up to whole seconds, so 1,001 ms before its end a request is still rejected
        server.advance(Duration::from_secs(wait) - Duration::from_millis(1_001)).await;
        request().await.refused(429, "rate_limited");
        server.advance(Duration::from_millis(1_001)).await;
        // only the requests of the first half have left the window
        for _ in 0..minute / 2 {
            assert_passes(&request().await, &name);
        }
        request().await.refused(429, "rate_limited");
        server.advance(Duration::from_secs(120)).await;
    }
}

#[tokio::test]
async fn steady_traffic_within_the_limit_is_never_refused() {
    // B-402: traffic within the limit is never rejected
    let server = Server::limited().await;
    let fixture = BotFixture::new(&server).await;
    let (list, _) = limited_operations().find(|(o, _)| o.path == "/v1/users").expect("the list");
    for n in 0..100 {
        assert_passes(&call(&fixture, &fixture.bot.api, list).send().await, &format!("number {n}"));
        server.advance(Duration::from_secs(3)).await;
    }
    // five times, the client sends all requests of a minute at once
    server.advance(Duration::from_secs(60)).await;
    for minute in 0..5 {
        for n in 0..20 {
            assert_passes(
                &call(&fixture, &fixture.bot.api, list).send().await,
                &format!("number {n} of minute {minute}"),
            );
        }
        server.advance(Duration::from_secs(60)).await;
    }
}

#[tokio::test]
async fn refused_requests_do_not_prolong_the_wait() {
    // B-401: a client that continues to send is accepted as soon as the first Retry-After has passed
    let server = Server::limited().await;
    let fixture = BotFixture::new(&server).await;
    let (list, minute) = limited_operations().find(|(o, _)| o.path == "/v1/conversations").expect("the list");
    for _ in 0..minute {
        call(&fixture, &fixture.bot.api, list).ok(200).await;
    }
    let wait = retry_after(&call(&fixture, &fixture.bot.api, list).refused(429, "rate_limited").await);
    for _ in 0..wait {
        call(&fixture, &fixture.bot.api, list).refused(429, "rate_limited").await;
        server.advance(Duration::from_secs(1)).await;
    }
    call(&fixture, &fixture.bot.api, list).ok(200).await;
}

#[tokio::test]
async fn limits_belong_to_an_installation() {
    // B-415, B-410: one app in two companies has two limits, and two apps in one company have two limits
    let server = Server::limited().await;
    let fixture = BotFixture::new(&server).await;
    let company = &fixture.company;
    let elsewhere = server.company().await.install(&fixture.bot.app, &ALL_SCOPES).await;
    let neighbour = company.bot(&server).await;
    let second_bot = company.install(&fixture.bot.app, &ALL_SCOPES).await;
    for n in 0..20 {
        // two tokens of one installation share its limit
        let bot = if n % 2 == 0 { &fixture.bot } else { &second_bot };
        bot.api.get("/v1/users").ok(200).await;
    }
    for bot in [&fixture.bot, &second_bot] {
        bot.api.get("/v1/users").refused(429, "rate_limited").await;
    }
    for bot in [&elsewhere, &neighbour] {
        for _ in 0..20 {
            bot.api.get("/v1/users").ok(200).await;
        }
        bot.api.get("/v1/users").refused(429, "rate_limited").await;
    }
}

#[tokio::test]
async fn requests_of_a_route_share_a_limit_whatever_their_parameters() {
    // D-191, D-194: each route has one limit, which counts the requests for all conversations, people and queries
    let server = Server::limited().await;
    let fixture = BotFixture::new(&server).await;
    let (company, api) = (&fixture.company, &fixture.bot.api);
    let other = company.group(&[&fixture.bot.user_id]).await;
    let path = |id: &str| format!("/v1/conversations/{id}/messages");
    for n in 0..20 {
        api.get(&path(if n % 2 == 0 { &fixture.group } else { &other })).ok(200).await;
    }
    for id in [&fixture.group, &other] {
        api.get(&path(id)).refused(429, "rate_limited").await;
        api.get(&format!("{}?limit=1", path(id))).refused(429, "rate_limited").await;
    }
    for n in 0..100 {
        let id = if n % 2 == 0 { &fixture.person } else { &company.admin };
        api.get(&format!("/v1/users/{id}")).ok(200).await;
    }
    api.get(&format!("/v1/users/{}", fixture.person)).refused(429, "rate_limited").await;
    // the look-up by e-mail address is another operation and has its own limit
    api.get("/v1/users/lookup?email=anna@example.com").ok(200).await;
}

#[tokio::test]
async fn edits_of_one_message_are_limited() {
    // B-413: these edits change a message; the edits of the other tests in this file name an unknown message
    let server = Server::limited().await;
    let fixture = BotFixture::new(&server).await;
    let path = format!("/v1/messages/{}", fixture.message().await);
    for n in 0..60 {
        fixture.bot.api.patch(&path).json(&json!({"text": format!("edit {n}")})).ok(200).await;
    }
    let call = || fixture.bot.api.patch(&path).json(&json!({"text": "one too many"}));
    let wait = retry_after(&call().refused(429, "rate_limited").await);
    assert!(fixture.texts().await.contains(&"edit 59".to_owned()));
    server.advance(Duration::from_secs(wait)).await;
    call().ok(200).await;
}

#[tokio::test]
async fn head_counts_as_get() {
    // D-005: HEAD and GET of an operation share a limit
    let server = Server::limited().await;
    let fixture = BotFixture::new(&server).await;
    let api = &fixture.bot.api;
    for n in 0..20 {
        let method = if n % 2 == 0 { Method::GET } else { Method::HEAD };
        assert_eq!(api.call(method, "/v1/users").send().await.status, 200);
    }
    api.get("/v1/users").refused(429, "rate_limited").await;
    let head = api.call(Method::HEAD, "/v1/users").send().await;
    assert_eq!(head.status, 429);
    assert!(head.header("retry-after").is_some());
}

#[tokio::test]
async fn responses_report_the_remaining_quota() {
    // D-196: `RateLimit-Policy` has the limit, and `RateLimit` the remaining quota
    let server = Server::limited().await;
    let fixture = BotFixture::new(&server).await;
    for (operation, minute) in limited_operations() {
        let mut left = Vec::new();
        for _ in 0..3 {
            let answer = call(&fixture, &fixture.bot.api, operation).send().await;
            assert_passes(&answer, &operation.name());
            assert_eq!(
                parameter(&answer, "ratelimit-policy", "q"),
                u64::from(minute),
                "{}",
                operation.name()
            );
            assert_eq!(parameter(&answer, "ratelimit-policy", "w"), 60, "{}", operation.name());
            assert!(parameter(&answer, "ratelimit", "t") <= 60, "{}", operation.name());
            left.push(parameter(&answer, "ratelimit", "r"));
            assert_eq!(answer.header("retry-after"), None, "{}", operation.name());
        }
        let minute = u64::from(minute);
        assert_eq!(left, [minute - 1, minute - 2, minute - 3], "{}", operation.name());
    }
    // requests with errors count too, and their responses report the remaining quota
    for n in 0..17 {
        fixture.bot.api.get("/v1/users?limit=0").refused(400, "invalid_request").await;
        let answer = fixture.bot.api.get("/v1/conversations?limit=0").refused(400, "invalid_request").await;
        assert_eq!(parameter(&answer, "ratelimit", "r"), 16 - n);
    }
    let answer = fixture.bot.api.get("/v1/users").refused(429, "rate_limited").await;
    assert_eq!(parameter(&answer, "ratelimit", "r"), 0);
    assert!(parameter(&answer, "ratelimit", "t") >= 1);
    // sends have other limits, and report them too
    let operation = &OPERATIONS[0];
    let answer = fixture.call(&fixture.bot.api, operation).await.send().await;
    answer.ok(201);
    assert!(
        answer.header("ratelimit-policy").is_some() && answer.header("ratelimit").is_some(),
        "a limited route reports its limit (D-196)"
    );
}

#[tokio::test]
async fn rejections_before_the_count_report_the_remaining_quota() {
    // D-196: every response to an authenticated request of a limited route reports the limit, even if the request was
    // rejected before it was counted
    let server = Server::limited().await;
    let fixture = BotFixture::new(&server).await;
    let (bot, without_scope) = (&fixture.bot, fixture.company.bot_with(&server, &["users:read.email"]).await);
    let left =
        |answer: &Answer| (parameter(answer, "ratelimit-policy", "q"), parameter(answer, "ratelimit", "r"));
    for _ in 0..2 {
        let wrong = bot.api.get("/v1/users").header("accept", "text/html");
        let wrong = wrong.refused(406, "not_acceptable").await;
        assert_eq!(left(&wrong), (20, 20), "a request with a wrong `Accept` is not counted");
        let forbidden = without_scope.api.get("/v1/users").refused(403, "missing_scope").await;
        assert_eq!(left(&forbidden), (20, 20), "a request without the scope is not counted");
    }
    bot.api.get("/v1/users").ok(200).await;
    let wrong = bot.api.get("/v1/users").header("accept", "text/html");
    let wrong = wrong.refused(406, "not_acceptable").await;
    assert_eq!(left(&wrong), (20, 19), "only the request with the status 200 is counted");

    let post = || bot.api.post("/v1/messages").key("k");
    let media = post().header("content-type", "text/plain").body(b"hello".to_vec());
    let large = post().header("content-type", "application/json").body(vec![b' '; (1 << 20) + 1]);
    for (call, status, code) in [(media, 415, "unsupported_media_type"), (large, 413, "payload_too_large")] {
        let answer = call.refused(status, code).await;
        assert_eq!(
            answer.header("ratelimit"),
            Some(r#""send_requests";r=100;t=0, "send_installation";r=20;t=0"#),
            "a rejection before the count reports the full limits of sends: {code}"
        );
    }
    // limits are counted for each installation, so a response to an unauthenticated request reports none
    let answer = server.api().get("/v1/users").refused(401, "not_authed").await;
    assert_eq!(answer.header("ratelimit"), None);
}

#[both_engines]
async fn a_client_that_paces_itself_is_never_refused(LimitedServer(server): LimitedServer) {
    // B-402: the client sends 20 requests a minute by its own clock, and each request arrives up to 150 ms late
    let fixture = BotFixture::new(&server).await;
    let begun = server.clock.now();
    for n in 0..100_u64 {
        // the worst case: a request arrives late, and the request a minute later arrives on time
        let late = if (n / 20).is_multiple_of(2) { 150 } else { 0 };
        let at = Duration::from_millis(n * 3_000 + late);
        server.clock.shift(begun.0 + i64::try_from(at.as_micros()).unwrap() - server.clock.now().0);
        let answer = fixture.bot.api.get("/v1/users").send().await;
        assert_passes(&answer, &format!("number {n}"));
    }
    // at twice the rate, half of the requests are rejected
    let mut passed = 0;
    for _ in 0..40 {
        passed += usize::from(fixture.bot.api.get("/v1/users").send().await.status == 200);
        server.clock.advance(Duration::from_millis(1_500));
    }
    assert!((19..=21).contains(&passed), "at twice the rate half of 40 requests pass (B-411): {passed}");
}
