//! Tests of the operations `getClock`, `updateClock` and `resetRateLimits`.

use serde_json::json;

use super::*;
use crate::support::*;

#[both_engines]
async fn get_clock(server: Server) {
    let operator = Client::of(&server.operator());
    let found = succeeds!(200, operator.get_clock());
    assert_eq!((found.now.as_str(), found.offset_seconds), ("2026-11-20T12:00:00.000Z", 0));
    let server = in_production(server).await;
    let operator = Client::of(&server.operator());
    refused!(404, "not_found", operator.get_clock());
}

#[both_engines]
async fn update_clock(server: Server) {
    let operator = Client::of(&server.operator());
    let moved = succeeds!(200, operator.update_clock(&typed(json!({"advance_seconds": 90}))));
    assert_eq!((moved.now.as_str(), moved.offset_seconds), ("2026-11-20T12:01:30.000Z", 90));
    let back = succeeds!(200, operator.update_clock(&typed(json!({"reset": true}))));
    assert_eq!(back.offset_seconds, 0);
    refused!(400, "invalid_request", operator.update_clock(&typed(json!({}))));
    let server = in_production(server).await;
    let operator = Client::of(&server.operator());
    refused!(404, "not_found", operator.update_clock(&typed(json!({"reset": true}))));
}

#[both_engines]
async fn reset_rate_limits(server: Server) {
    let server = server.restarted_with(|config| config.limits.scale = 1).await;
    let fixture = BotFixture::new(&server).await;
    for _ in 0..20 {
        fixture.bot.api.get("/v1/users").ok(200).await;
    }
    fixture.bot.api.get("/v1/users").refused(429, "rate_limited").await;
    let operator = Client::of(&server.operator());
    succeeds!(200, operator.reset_rate_limits());
    fixture.bot.api.get("/v1/users").ok(200).await;
    let server = in_production(server).await;
    let operator = Client::of(&server.operator());
    refused!(404, "not_found", operator.reset_rate_limits());
}

#[both_engines]
async fn callers(server: Server) {
    let callers = Callers::of_admins(server).await;
    refuses_callers!(callers, get_clock());
    refuses_callers!(callers, update_clock(&typed(json!({"reset": true}))));
    refuses_callers!(callers, reset_rate_limits());
}
