//! The rate limits of `/oauth/token` and `/oauth/revoke`, with the values of the contract (B-414, D-160). Most other
//! tests run with higher limits.

use std::{net::Ipv4Addr, time::Duration};

use serde_json::{Value, json};

use crate::support::*;

const MINUTE: Duration = Duration::from_secs(60);

async fn limited() -> Server {
    Server::with(Options { limits: true, ..Options::default() }).await.expect("SQLite is always available")
}

/// Sends `count` requests one after the other, and returns their statuses.
async fn statuses(api: &Api, path: &str, body: &Value, count: usize) -> Vec<u16> {
    let mut all = Vec::new();
    for _ in 0..count {
        let answer = api.post(path).json(body).send().await;
        if answer.status == 429 {
            assert_eq!(
                answer.json()["error"]["code"],
                "rate_limited",
                "a 429 has the error envelope (B-419)"
            );
        }
        all.push(answer.status);
    }
    all
}

fn grant(app: &App) -> Value {
    app.body(json!({"grant_type": "authorization_code", "code": "unknown"}))
}

fn revocation(app: &App) -> Value {
    app.body(json!({"token": "unknown"}))
}

#[tokio::test]
async fn an_app_has_20_requests_a_minute_at_each_endpoint() {
    let server = limited().await;
    for (path, body, status) in
        [("/oauth/token", grant as fn(&App) -> Value, 400), ("/oauth/revoke", revocation, 200)]
    {
        let (app, other) = (server.app(&ALL_SCOPES).await, server.app(&ALL_SCOPES).await);
        assert_eq!(
            statuses(&server.api(), path, &body(&app), 20).await,
            [status; 20],
            "an app has 20 requests a minute at each OAuth endpoint (B-414): {path}"
        );
        let beyond = statuses(&server.api(), path, &body(&app), 60).await;
        assert!(beyond.contains(&429), "some of the requests beyond 20 a minute are refused (B-414): {path}");
        assert_eq!(
            statuses(&server.api(), path, &body(&other), 20).await,
            [status; 20],
            "another app has its own limit (B-414): {path}"
        );
        server.advance(MINUTE).await;
        assert_eq!(
            statuses(&server.api(), path, &body(&app), 20).await,
            [status; 20],
            "after a minute the app has 20 requests again (B-414): {path}"
        );
    }
}

#[tokio::test]
async fn steady_requests_within_the_limit_are_never_refused() {
    let server = limited().await;
    let app = server.app(&ALL_SCOPES).await;
    // one request every three seconds, alternating between the two endpoints
    for n in 0..60 {
        let (path, body, status) = if n % 2 == 0 {
            ("/oauth/token", grant(&app), 400)
        } else {
            ("/oauth/revoke", revocation(&app), 200)
        };
        assert_eq!(
            statuses(&server.api(), path, &body, 1).await,
            [status],
            "a request within the limit is not refused (B-402, B-414)"
        );
        server.advance(Duration::from_secs(3)).await;
    }
}

#[tokio::test]
async fn a_rate_limited_exchange_does_not_use_up_its_code() {
    let server = limited().await;
    let company = server.company().await;
    let app = server.app(&ALL_SCOPES).await;
    let code = company.install_code(&app, &ALL_SCOPES).await;
    statuses(&server.api(), "/oauth/token", &grant(&app), 60).await;
    let body = app.body(json!({"grant_type": "authorization_code", "code": code}));
    let answer = server.api().post("/oauth/token").json(&body).send().await.refused(429, "rate_limited");
    let wait: u64 = answer.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=60).contains(&wait), "the wait is at most a minute (B-401): {wait}");
    server.advance(Duration::from_secs(wait)).await;
    server.api().post("/oauth/token").json(&body).ok(200).await; // B-401: accepted after the wait
}

/// The address of an attacker; the app itself is at 127.0.0.1.
const ELSEWHERE: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);

#[tokio::test]
async fn a_stranger_cannot_lock_an_app_out() {
    let server = limited().await;
    let company = server.company().await;
    let (app, other) = (server.app(&ALL_SCOPES).await, server.app(&ALL_SCOPES).await);
    let wrong = with(grant(&app), json!({"client_secret": "guessed"}));
    let failures = statuses(&server.api_from(ELSEWHERE), "/oauth/token", &wrong, 100).await;
    assert_eq!(failures[..20], [401; 20], "a wrong secret is refused (B-354)");
    assert_eq!(failures[20..], [429; 80], "after 20 wrong secrets in a minute, requests get 429 (D-160)");
    // D-160: the failures use up neither the limit of this app nor the limit of another app
    let code = company.install_code(&app, &ALL_SCOPES).await;
    let body = app.body(json!({"grant_type": "authorization_code", "code": code}));
    server.api().post("/oauth/token").json(&body).ok(200).await;
    assert_eq!(
        statuses(&server.api(), "/oauth/token", &grant(&app), 19).await,
        [400; 19],
        "failures do not count against an app's limit (D-160, B-414)"
    );
    let there = server.api_from(ELSEWHERE);
    assert_eq!(
        statuses(&there, "/oauth/token", &grant(&other), 20).await,
        [400; 20],
        "failures with the client id of one app do not limit another app at the same address (D-160)"
    );
    assert_eq!(
        statuses(&there, "/oauth/revoke", &revocation(&app), 20).await,
        [200; 20],
        "failures at one route do not limit the other route (D-191)"
    );
}

#[tokio::test]
async fn after_too_many_guesses_a_correct_secret_is_rejected_too() {
    let server = limited().await;
    let company = server.company().await;
    let app = server.app(&ALL_SCOPES).await;
    let code = company.install_code(&app, &ALL_SCOPES).await;
    let wrong = with(grant(&app), json!({"client_secret": "guessed"}));
    let right = app.body(json!({"grant_type": "authorization_code", "code": code}));
    assert_eq!(
        statuses(&server.api(), "/oauth/token", &wrong, 20).await,
        [401; 20],
        "a wrong secret is refused (B-354)"
    );
    // D-160: the limit of failures is checked before the secret, so even the correct secret gets 429
    for _ in 0..50 {
        let refused =
            server.api().post("/oauth/token").json(&right).send().await.refused(429, "rate_limited");
        assert_eq!(
            refused.header("ratelimit"),
            Some(r#""oauth_failures";r=0;t=60"#),
            "a 429 reports the limit that was exceeded (D-196)"
        );
        assert_eq!(
            refused.header("retry-after"),
            Some("60"),
            "rejected requests do not prolong the wait (B-401)"
        );
    }
    server.advance(MINUTE).await;
    server.api().post("/oauth/token").json(&right).ok(200).await; // B-401: accepted after the wait
}

#[tokio::test]
async fn authenticated_requests_count_for_the_app_and_not_as_failures() {
    let server = limited().await;
    let app = server.app(&ALL_SCOPES).await;
    let wrong = with(grant(&app), json!({"client_secret": "guessed"}));
    // 20 failures a minute are allowed
    assert_eq!(
        statuses(&server.api(), "/oauth/token", &wrong, 19).await,
        [401; 19],
        "a wrong secret is refused (B-354)"
    );
    assert_eq!(
        statuses(&server.api(), "/oauth/token", &grant(&app), 20).await,
        [400; 20],
        "authenticated requests do not count as failures (D-160, B-414)"
    );
    assert_eq!(
        statuses(&server.api(), "/oauth/token", &wrong, 2).await,
        [401, 429],
        "authenticated requests do not count as failures: the 20th failure gets 401, and the 21st 429 (D-160)"
    );
}

#[both_engines]
async fn an_app_that_paces_itself_is_never_refused(LimitedServer(server): LimitedServer) {
    // B-414: the app sends 20 requests a minute by its own clock, and a request can arrive 150 ms late
    let app = server.app(&ALL_SCOPES).await;
    let mut so_far = Duration::ZERO;
    for n in 0..60_u64 {
        // The worst case: the requests of one minute arrive late, and those of the next minute arrive on time. So 21
        // requests arrive within a minute.
        let late = if (n / 20).is_multiple_of(2) { 150 } else { 0 };
        let at = Duration::from_millis(n * 3_000 + late);
        server.clock.advance(at - so_far);
        so_far = at;
        assert_eq!(statuses(&server.api(), "/oauth/token", &grant(&app), 1).await, [400], "request {n}");
    }
}
