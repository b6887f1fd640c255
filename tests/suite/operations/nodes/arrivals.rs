//! A request counts against its rate limit at the time of its arrival, even if the look-up of its credentials waits for
//! the database (decision 16). So a client that paces its requests is not rejected (B-402).

use std::{sync::Arc, time::Duration};

use serde_json::json;
use switchboard::{config::Config, store::Engine};

use super::revoked_reads::wait_for_blocked_statements;
use crate::support::*;

/// How far the test moves the clock while the look-up of the first request waits. This time is longer than the
/// tolerance of the limits. So if the first request counted from the end of the look-up, the last request of the test
/// would be rejected.
const DELAY: Duration = Duration::from_millis(400);
const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_secs(60);

fn limited() -> Options {
    Options { engine: Engine::Postgres, limits: true, ..Options::default() }
}

/// Sends a request, and moves the clock by [`DELAY`] while a query of the request waits for a lock on `table`.
async fn delayed<T: Send + 'static>(
    server: &Server,
    table: &str,
    request: impl Future<Output = T> + Send + 'static,
) -> T {
    let (mut holding, mut watching) = (server.database.outside().await, server.database.outside().await);
    let lock = format!("BEGIN; LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE");
    sqlx::raw_sql(sqlx::AssertSqlSafe(lock)).execute(&mut holding).await.unwrap();
    let request = tokio::spawn(request);
    wait_for_blocked_statements(&mut watching, table, 1).await;
    server.clock.advance(DELAY);
    sqlx::raw_sql("COMMIT").execute(&mut holding).await.unwrap();
    request.await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_read_counts_from_its_arrival() {
    let Some(server) = Server::with(limited()).await else { return };
    let fixture = BotFixture::new(&server).await;
    let list = || fixture.bot.api.get("/v1/users");
    delayed(&server, "bot_tokens", list().send()).await.ok(200);
    for _ in 1..20 {
        list().ok(200).await;
    }
    list().refused(429, "rate_limited").await;
    server.clock.advance(MINUTE - DELAY);
    // a minute after the first of the 20 requests arrived, another request is accepted (B-411)
    list().ok(200).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_send_counts_from_its_arrival() {
    let Some(server) = Server::with(limited()).await else { return };
    let fixture = BotFixture::new(&server).await;
    let body = fixture.post(json!({}));
    delayed(&server, "bot_tokens", fixture.bot.sending("first", &body).send()).await.ok(201);
    for n in 1..5 {
        fixture.bot.sending(&format!("burst-{n}"), &body).ok(201).await;
    }
    server.clock.advance(SECOND - DELAY);
    // a second after the first send arrived, another message to the destination is accepted (B-407)
    fixture.bot.sending("next", &body).ok(201).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_request_counts_from_its_arrival() {
    let Some(server) = Server::with(limited()).await else { return };
    let app = server.app(&ALL_SCOPES).await;
    let body = app.body(json!({"grant_type": "authorization_code", "code": "unknown"}));
    let exchange = || server.api().post("/oauth/token").json(&body);
    delayed(&server, "apps", exchange().send()).await.refused(400, "invalid_grant");
    for _ in 1..20 {
        exchange().refused(400, "invalid_grant").await;
    }
    exchange().refused(429, "rate_limited").await;
    server.clock.advance(MINUTE - DELAY);
    // a minute after the first of the 20 requests arrived, another request is within the limit (B-414)
    exchange().refused(400, "invalid_grant").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_of_an_assistant_counts_from_its_arrival() {
    let configure = Arc::new(|config: &mut Config| config.limits.mcp_requests_per_minute = 2);
    let options = Options { configure: Some(configure), ..limited() };
    let Some(server) = Server::with(options).await else { return };
    let assistant = server.mcp(&server.connected_assistant().await.tokens.access, mcp::MODERN);
    let first = assistant.clone();
    delayed(&server, "connections", async move { first.list_tools().await }).await.result();
    assistant.list_tools().await.result();
    assistant.list_tools().await.refused(429, "rate_limited");
    server.clock.advance(MINUTE - DELAY);
    // a minute after the first of the two requests arrived, another request is accepted (D-365)
    assistant.list_tools().await.result();
}
