//! Rate limits of an employee's assistants (A-309, D-365).

use std::sync::Arc;

use reqwest::Method;
use serde_json::json;
use switchboard::store::Engine;

use crate::support::{Options, Server, assistant::*, mcp::*};

#[tokio::test]
async fn an_employee_has_120_requests_a_minute() {
    let server = Server::limited().await;
    let assistant = server.connected_assistant().await;
    let modern = server.mcp(&assistant.tokens.access, MODERN);
    let session = server.mcp_session(&assistant.tokens.access, NOVEMBER).await; // sends two requests
    for n in 0..118 {
        assert_eq!(modern.list_tools().await.status, 200, "an employee has 120 requests a minute: {n}");
    }
    // the limit applies to every protocol version, HTTP method and kind of message
    let notification = json!({"jsonrpc": "2.0", "method": "notifications/x"});
    for call in [
        modern.request("tools/list", json!({})),
        modern.request("no/such/thing", json!({})),
        session.request("ping", json!({})),
        session.post(&notification),
        session.initialize(NOVEMBER),
        session.bare(Method::GET),
        session.bare(Method::DELETE),
    ] {
        let got = call.send().await;
        let wait: u64 = got.refused(429, "rate_limited").header("retry-after").unwrap().parse().unwrap();
        assert!((1..=60).contains(&wait), "`Retry-After` is 1 to 60 seconds: {wait}");
    }
    // the employee's assistants share one limit, and a colleague has a separate limit
    let web = server.client_with("none", &[WEB]).await;
    let other = assistant.employee.connect(&server, &web).await;
    server.mcp(&other.access, MODERN).list_tools().await.refused(429, "rate_limited");
    let colleague = server.employee_of(&assistant.employee.company).await;
    let theirs = colleague.connect(&server, &assistant.client).await;
    server.mcp(&theirs.access, MODERN).list_tools().await.result();
    // requests that are rejected before the limit is checked are not counted
    for _ in 0..130 {
        server.mcp(&theirs.access, MODERN).request("x", json!({})).body("{").send().await.error(400, -32700);
    }
    server.mcp(&theirs.access, MODERN).list_tools().await.result();
    server.clock.advance(MINUTE);
    modern.list_tools().await.result();
    session.list_tools().await.result();
}

#[tokio::test]
async fn the_limit_can_be_configured() {
    let configure = Arc::new(|config: &mut switchboard::config::Config| {
        config.limits.mcp_requests_per_minute = 3;
    });
    let options =
        Options { engine: Engine::Sqlite, limits: true, configure: Some(configure), ..Options::default() };
    let server = Server::with(options).await.unwrap();
    let token = server.connected_assistant().await.tokens.access;
    for _ in 0..3 {
        server.mcp(&token, MODERN).list_tools().await.result();
    }
    server.mcp(&token, MODERN).list_tools().await.refused(429, "rate_limited");
}
