//! The test clock and the rate limits through the admin API (W-44 … W-46).

use serde_json::{Value, json};
use switchboard::store::Engine;

use crate::support::*;

#[both_engines]
async fn the_clock_is_moved_and_put_back(server: Server) {
    let operator = server.operator();
    let read = async || operator.get("/admin/v1/clock").ok(200).await;
    let start = read().await;
    assert_eq!(start, json!({"ok": true, "now": "2026-11-20T12:00:00.000Z", "offset_seconds": 0}));
    let post = async |body: Value| operator.post("/admin/v1/clock").json(&body).send().await;
    let moved = post(json!({"advance_seconds": 90})).await.ok(200);
    assert_eq!(moved, json!({"ok": true, "now": "2026-11-20T12:01:30.000Z", "offset_seconds": 90}));
    post(json!({"advance_seconds": 10})).await.ok(200);
    assert_eq!(read().await["offset_seconds"], 100);
    for body in [
        json!({}),
        json!({"advance_seconds": 1, "reset": true}),
        json!({"reset": false}),
        json!({"advance_seconds": 0}),
        json!({"advance_seconds": 315_360_001}),
    ] {
        post(body).await.refused(400, "invalid_request");
    }
    assert_eq!(post(json!({"reset": true})).await.ok(200), start);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_operator_resets_rate_limits() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let options = Options { engine, limits: true, ..Options::default() };
        let Some(server) = Server::with(options).await else { continue };
        let scene = Scene::new(&server).await;
        for _ in 0..20 {
            scene.bot.api.get("/v1/users").ok(200).await;
        }
        scene.bot.api.get("/v1/users").refused(429, "rate_limited").await;
        // tests of clients rely on this operation (W-46)
        server.operator().post("/admin/v1/rate_limits/reset").ok(200).await;
        scene.bot.api.get("/v1/users").ok(200).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn production_has_no_sandbox() {
    let options = Options { production: true, ..Options::default() };
    let server = Server::with(options).await.expect("SQLite is always available");
    let operator = server.operator();
    operator.get("/admin/v1/clock").refused(404, "not_found").await;
    operator.post("/admin/v1/clock").json(&json!({"reset": true})).refused(404, "not_found").await;
    operator.post("/admin/v1/rate_limits/reset").refused(404, "not_found").await;
    let click = operator.post("/admin/v1/messages/gmsg_0000000000001/interactions");
    click.json(&json!({"user_id": "x", "action_id": "x"})).refused(404, "not_found").await;
}
