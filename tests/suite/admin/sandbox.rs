//! The test clock and the rate limits through the admin API (W-44 … W-46).

use serde_json::{Value, json};
use switchboard::store::Engine;

use crate::{
    admin::sessions::{sign_in, with_password},
    support::*,
};

const TEN_DAYS: u64 = 10 * 24 * 60 * 60;

async fn move_clock(server: &Server, body: Value) {
    server.operator().post("/admin/v1/clock").json(&body).ok(200).await;
}

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

#[both_engines]
async fn a_retry_keeps_its_delay_when_the_clock_is_reset(fixture: EventsFixture) {
    move_clock(&fixture.server, json!({"advance_seconds": TEN_DAYS})).await;
    fixture.receiver.then([Treatment::status(500)]);
    fixture.event().await;
    fixture.server.settle().await;
    move_clock(&fixture.server, json!({"reset": true})).await;
    assert_eq!(numbers(&fixture.receiver.hits()), [1], "the retry is not yet due");
    let log = fixture.log().await;
    let next = log.iter().find_map(|entry| entry["next_attempt_at"].as_str());
    assert_eq!(next, Some("2026-11-20T12:01:00.000Z"), "the log shows when the retry is due");
    move_clock(&fixture.server, json!({"advance_seconds": 60})).await;
    assert_eq!(numbers(&fixture.receiver.hits()), [1, 2], "the retry is sent a minute after the reset");
}

#[both_engines]
async fn a_reset_of_the_clock_does_not_prolong_the_delay_after_wrong_passwords(server: Server) {
    let company = server.company().await;
    let email = "ada@reset.example";
    with_password(&company, email, false).await;
    move_clock(&server, json!({"advance_seconds": TEN_DAYS})).await;
    let wrong = json!({"email": email, "password": "difference engine"});
    let attempt = || company.operator.anonymous().post("/admin/v1/sessions").json(&wrong);
    for _ in 0..10 {
        attempt().header("x-forwarded-for", "192.0.2.1").refused(401, "invalid_auth").await;
    }
    move_clock(&server, json!({"reset": true})).await;
    attempt().header("x-forwarded-for", "192.0.2.1").refused(429, "rate_limited").await;
    move_clock(&server, json!({"advance_seconds": 60})).await;
    // `sign_in` uses the same client address, so the delay would apply to it
    sign_in(&company, email).await;
}

#[both_engines]
async fn files_are_deleted_on_time_after_a_reset_of_the_clock(server: Server) {
    let company = server.company().await;
    let ada = company.person().await;
    move_clock(&server, json!({"advance_seconds": TEN_DAYS})).await;
    let deleted = company.file(&ada, "deleted.txt", "text/plain", b"deleted").await;
    let unattached = company.file(&ada, "unattached.txt", "text/plain", b"unattached").await;
    company.operator.delete(&format!("/admin/v1/files/{deleted}")).ok(200).await;
    move_clock(&server, json!({"reset": true})).await;
    let world = server.running().world();
    let hour = 60 * 60;
    move_clock(&server, json!({"advance_seconds": 2 * hour - 1})).await;
    assert!(
        world.blobs.get(&deleted, None).await.is_ok(),
        "a deleted file's content is kept for two hours (D-136)"
    );
    move_clock(&server, json!({"advance_seconds": 1})).await;
    assert!(world.blobs.get(&deleted, None).await.is_err());
    assert!(world.blobs.get(&unattached, None).await.is_ok());
    move_clock(&server, json!({"advance_seconds": 22 * hour})).await;
    move_clock(&server, json!({"advance_seconds": 2 * hour - 1})).await;
    assert!(
        world.blobs.get(&unattached, None).await.is_ok(),
        "the content of an unattached file is kept for two hours after the file is deleted (D-136)"
    );
    move_clock(&server, json!({"advance_seconds": 1})).await;
    assert!(
        world.blobs.get(&unattached, None).await.is_err(),
        "an unattached file is deleted after a day, and its content two hours later"
    );
}

#[both_engines]
async fn the_operator_resets_rate_limits(engine: Engine) -> Option<()> {
    let options = Options { engine, limits: true, ..Options::default() };
    let server = Server::with(options).await?;
    let fixture = BotFixture::new(&server).await;
    for _ in 0..20 {
        fixture.bot.api.get("/v1/users").ok(200).await;
    }
    fixture.bot.api.get("/v1/users").refused(429, "rate_limited").await;
    // the reset applies to the next request (W-46)
    server.operator().post("/admin/v1/rate_limits/reset").ok(200).await;
    fixture.bot.api.get("/v1/users").ok(200).await;
    Some(())
}

#[both_engines]
async fn the_operator_resets_the_counts_of_failed_sign_ins(server: Server) {
    let company = server.company().await;
    let email = "ada@limits.example";
    with_password(&company, email, false).await;
    let wrong = json!({"email": email, "password": "difference engine"});
    for _ in 0..10 {
        server.api().post("/admin/v1/sessions").json(&wrong).refused(401, "invalid_auth").await;
    }
    let right = json!({"email": email, "password": "analytical engine"});
    server.api().post("/admin/v1/sessions").json(&right).refused(429, "rate_limited").await;
    server.operator().post("/admin/v1/rate_limits/reset").ok(200).await;
    server.api().post("/admin/v1/sessions").json(&right).ok(201).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn production_has_no_sandbox_tools() {
    let options = Options { production: true, ..Options::default() };
    let server = Server::with(options).await.expect("SQLite is always available");
    let operator = server.operator();
    operator.get("/admin/v1/clock").refused(404, "not_found").await;
    operator.post("/admin/v1/clock").json(&json!({"reset": true})).refused(404, "not_found").await;
    operator.post("/admin/v1/rate_limits/reset").refused(404, "not_found").await;
    let click = operator.post("/admin/v1/messages/gmsg_0000000000001/interactions");
    click.json(&json!({"user_id": "x", "action_id": "x"})).refused(404, "not_found").await;
}
