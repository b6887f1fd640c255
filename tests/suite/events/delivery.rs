//! Deliveries: the request, the signature, success and failure, the retry schedule (B-423, B-425 … B-440,
//! D-167 … D-172, D-186, D-187). Also the app's token after an uninstall (B-368, B-468).

use std::sync::Arc;

use serde_json::{Value, json};
use switchboard::store::Engine;
use tokio::sync::Semaphore;

use crate::support::*;

/// Returns the log entries of an event's attempts, oldest first, without the planned attempt.
fn attempts<'a>(log: &'a [Value], event: &str) -> Vec<&'a Value> {
    let made = |entry: &&Value| entry["event_id"] == event && entry["at"].is_string();
    let mut found: Vec<_> = log.iter().filter(made).collect();
    found.reverse();
    found
}

#[both_engines]
async fn an_event_is_one_signed_post(fixture: EventsFixture) {
    let person = fixture.company.person().await;
    let hit = fixture.receiver.wait_for(1).await.remove(0);
    // B-423: POST to the registered URL with its query
    assert_eq!((hit.method.as_str(), hit.path.as_str()), ("POST", "/events?key=secret"));
    // the body is JSON in UTF-8 (B-439), and the `User-Agent` names the service (D-167)
    assert_eq!(hit.header("content-type"), "application/json; charset=utf-8");
    assert_eq!(hit.header("user-agent"), "switchboard-events/1");
    // the number (B-430) and the time (B-431) of the attempt
    assert_eq!(hit.attempt(), 1);
    let now = fixture.server.clock.now();
    assert_eq!(hit.header("x-service-timestamp"), now.seconds().to_string());
    // B-432, B-433, B-436: the signature is one value of 64 hex digits, over the raw bytes
    let values = hit.signatures();
    assert_eq!(values.len(), 1);
    let digits = values[0].strip_prefix("v1=").expect("v1");
    assert!(digits.len() == 64 && digits.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b)));
    assert!(hit.verifies(&fixture.bot.app.signing_secret, now));
    let mut other = hit.clone();
    other.body.push(b' ');
    assert!(!other.verifies(&fixture.bot.app.signing_secret, now));
    // the members of an event (B-438)
    let event = hit.json();
    let members: Vec<_> = event.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(members, ["created_at", "data", "id", "type", "workspace_id"]);
    assert!(text(&event, "/id").starts_with("evt_"));
    assert_eq!(event["type"], "directory.changed");
    assert_eq!(event["workspace_id"], fixture.company.id.as_str());
    assert_eq!(event["created_at"], "2026-11-20T12:00:00.000Z");
    assert_eq!(event["data"], json!({"kind": "user.created", "id": person}));
    // different events have different ids (B-440)
    fixture.company.person().await;
    let hits = fixture.receiver.wait_for(2).await;
    assert_ne!(hits[0].id(), hits[1].id());
    // connections are reused
    for _ in 0..10 {
        fixture.company.person().await;
        fixture.server.settle().await;
    }
    assert_eq!(fixture.receiver.hits().len(), 12);
    assert!(
        fixture.receiver.connections() < 6,
        "12 events use fewer than 6 connections, not {}",
        fixture.receiver.connections()
    );
}

#[both_engines]
async fn four_attempts_with_waits_of_1_5_and_30_minutes(fixture: EventsFixture) {
    fixture.receiver.always(Treatment::Answer(503, b"later".to_vec()));
    let event = fixture.event().await;
    let sent = async |count: usize| {
        let hits = fixture.receiver.hits().len();
        assert_eq!(hits, count, "the number of attempts: {:#?}", fixture.log().await);
    };
    fixture.server.settle().await;
    sent(1).await;
    // B-428, D-168: each wait counts from the end of the previous attempt; a second before the wait ends, nothing is
    // sent yet
    for (count, wait) in [(2, 60), (3, 300), (4, 1800)] {
        fixture.advance(wait - 1).await;
        sent(count - 1).await;
        fixture.advance(1).await;
        sent(count).await;
    }
    fixture.advance(7 * 24 * 3600).await;
    sent(4).await;
    let hits = fixture.receiver.hits();
    let mut begun = Vec::new();
    for (index, hit) in hits.iter().enumerate() {
        // B-429, B-430, D-169: each attempt has the same event id and bytes, the next attempt number, and its own
        // timestamp
        assert_eq!(hit.id(), event);
        assert_eq!(hit.body, hits[0].body);
        assert_eq!(hit.attempt(), index as u32 + 1);
        let at: i64 = hit.header("x-service-timestamp").parse().unwrap();
        // seconds since 12:00:00, the start of the test
        begun.push(at - 1_795_176_000);
        let then = switchboard::domain::time::Timestamp::from_seconds(at + 299);
        assert!(hit.verifies(&fixture.bot.app.signing_secret, then));
    }
    assert_eq!(begun, [0, 60, 360, 2160]);
    let log = fixture.log().await;
    let made = attempts(&log, &event);
    assert_eq!(made.len(), 4);
    for (index, entry) in made.iter().enumerate() {
        assert_eq!(entry["attempt"], index + 1);
        assert_eq!((&entry["state"], &entry["status"]), (&json!("failed"), &json!(503)));
        assert_eq!((&entry["error"], &entry["answer"]), (&json!("status"), &json!("later")));
    }
    assert_eq!(made[0]["next_attempt_at"], "2026-11-20T12:01:00.000Z");
    assert_eq!(made[3]["next_attempt_at"], Value::Null);
    assert_eq!(log.len(), 4, "no further attempt is planned");
}

#[both_engines]
async fn a_success_ends_the_schedule(fixture: EventsFixture) {
    fixture.receiver.then([Treatment::status(500), Treatment::status(204)]);
    let event = fixture.event().await;
    fixture.server.settle().await;
    // the log lists the planned attempt
    let log = fixture.server.log_of(&fixture.bot.app, "state=pending").await;
    assert_eq!(log.len(), 1);
    assert_eq!(
        (&log[0]["attempt"], &log[0]["next_attempt_at"]),
        (&json!(2), &json!("2026-11-20T12:01:00.000Z"))
    );
    fixture.advance(60).await;
    fixture.advance(100_000).await;
    let hits = fixture.receiver.hits();
    assert_eq!(hits.iter().map(ReceivedRequest::attempt).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(hits[1].id(), event);
    let log = fixture.log().await;
    assert_eq!(log.iter().map(|entry| &entry["state"]).collect::<Vec<_>>(), ["delivered", "failed"]);
    assert_eq!(log[0]["error"], Value::Null);
}

#[both_engines]
async fn a_replaced_secret_signs_for_exactly_24_hours(fixture: EventsFixture) {
    let first = fixture.bot.app.signing_secret.clone();
    let second = fixture.rotate().await;
    let expect_signatures = async |count: usize, secrets: &[&str]| {
        fixture.company.person().await;
        let hit = fixture.receiver.wait_for(count).await.remove(count - 1);
        // wait until the response is read, before the caller moves the clock
        fixture.server.settle().await;
        let now = fixture.server.clock.now();
        assert_eq!(hit.signatures().len(), secrets.len(), "the number of signatures of request {count}");
        for (value, secret) in hit.signatures().iter().zip(secrets) {
            let timestamp = hit.header("x-service-timestamp").parse().unwrap();
            assert_eq!(*value, switchboard::domain::signature::sign(secret, timestamp, &hit.body));
            assert!(hit.verifies(secret, now));
        }
    };
    // B-434, D-172: for 24 hours after a rotation, events have two signatures: with the new secret, then with the
    // replaced secret
    expect_signatures(1, &[&second, &first]).await;
    fixture.advance(24 * 3600 - 1).await;
    expect_signatures(2, &[&second, &first]).await;
    // B-435: after these 24 hours, events are signed with the new secret only
    fixture.advance(1).await;
    expect_signatures(3, &[&second]).await;
    // B-437: after further rotations events are signed with the two newest secrets, never with three
    let third = fixture.rotate().await;
    expect_signatures(4, &[&third, &second]).await;
    fixture.advance(3600).await;
    let fourth = fixture.rotate().await;
    expect_signatures(5, &[&fourth, &third]).await;
    // `third` was introduced 24 hours ago, but replaced only 23 hours ago, so it is still used
    fixture.advance(23 * 3600).await;
    expect_signatures(6, &[&fourth, &third]).await;
    fixture.advance(3600).await;
    expect_signatures(7, &[&fourth]).await;
}

#[both_engines]
async fn a_retry_uses_the_apps_current_url_and_secrets(fixture: EventsFixture) {
    // an attempt uses the callback URL that the app has when the attempt begins (D-187)
    let other = Receiver::start().await;
    fixture.receiver.always(Treatment::status(500));
    let event = fixture.event().await;
    fixture.receiver.wait_for(1).await;
    fixture.server.settle().await;
    let secret = fixture.rotate().await;
    // the operator has not exempted the private address of `other`, so the server rejects it as a callback URL
    let path = format!("/admin/v1/apps/{}", fixture.bot.app.id);
    let change = fixture.server.operator().patch(&path).json(&json!({"callback_url": other.url()}));
    change.refused(400, "invalid_request").await;
    fixture.receiver.always(Treatment::status(200));
    let moved = format!("https://{}/v2", fixture.receiver.address);
    fixture.set_app(json!({"callback_url": moved})).await;
    fixture.advance(60).await;
    let hit = fixture.receiver.wait_for(2).await.remove(1);
    assert_eq!((hit.path.as_str(), hit.attempt(), hit.id()), ("/v2", 2, event));
    assert_eq!(hit.signatures().len(), 2);
    assert!(hit.verifies(&secret, fixture.server.clock.now()));
    assert!(other.hits().is_empty());
}

#[both_engines]
async fn without_a_url_nothing_is_sent(fixture: EventsFixture) {
    // without a callback URL, pending events are dropped, and the log has the reason
    fixture.receiver.always(Treatment::status(500));
    let event = fixture.event().await;
    fixture.server.settle().await;
    fixture.set_app(json!({"callback_url": null})).await;
    fixture.company.person().await;
    fixture.advance(60).await;
    assert_eq!(fixture.receiver.hits().len(), 1);
    let log = fixture.log().await;
    assert_eq!(log.len(), 2, "for an app without a callback URL no events are created (D-186): {log:?}");
    assert_eq!((&log[1]["event_id"], &log[1]["state"]), (&json!(event), &json!("dropped")));
    assert_eq!((&log[1]["error"], &log[1]["attempt"]), (&json!("no_callback_url"), &json!(2)));
    assert_eq!(log[1]["next_attempt_at"], Value::Null);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_2xx_is_a_success() {
    let fixture = EventsFixture::sqlite().await;
    // every 2xx is a success (B-426)
    let good = [200, 201, 202, 204, 226, 299];
    // redirects (B-425) and all other statuses (B-427) are failures
    let bad = [300, 304, 400, 401, 403, 404, 408, 410, 418, 429, 451, 499, 500, 501, 502, 503, 504, 599];
    let mut received = 0;
    for status in good.into_iter().chain(bad) {
        fixture.receiver.then([Treatment::status(status)]);
        let event = fixture.event().await;
        received += 1;
        fixture.receiver.wait_for(received).await;
        fixture.server.settle().await;
        let log = fixture.server.log_of(&fixture.bot.app, &format!("event_id={event}")).await;
        let is_good = good.contains(&status);
        let last = &log[0];
        assert_eq!(
            last["state"],
            if is_good { "delivered" } else { "failed" },
            "only a 2xx is a success: {status}"
        );
        assert_eq!(
            (&last["status"], &last["attempt"]),
            (&json!(status), &json!(1)),
            "the log has the attempt's status and number"
        );
        assert_eq!(log.len(), if is_good { 1 } else { 2 }, "{status}: only a failure has a next attempt");
    }
    fixture.advance(60).await;
    assert_eq!(fixture.receiver.hits().len(), good.len() + 2 * bad.len());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn redirects_are_not_followed() {
    // redirects are not followed (B-425)
    let fixture = EventsFixture::sqlite().await;
    let target = Receiver::start().await;
    let here = fixture.receiver.url();
    for (index, status) in [301, 302, 303, 307, 308].into_iter().enumerate() {
        for (turn, to) in [target.url(), here.replace("/events", "/elsewhere")].into_iter().enumerate() {
            fixture.receiver.then([Treatment::Redirect(status, to)]);
            let event = fixture.event().await;
            fixture.receiver.wait_for(2 * index + turn + 1).await;
            fixture.server.settle().await;
            let log =
                fixture.server.log_of(&fixture.bot.app, &format!("event_id={event}&state=failed")).await;
            assert_eq!((log.len(), &log[0]["status"]), (1, &json!(status)));
        }
    }
    assert_eq!(fixture.receiver.hits().len(), 10);
    assert!(fixture.receiver.hits().iter().all(|hit| hit.path.starts_with("/events")));
    assert_eq!((target.connections(), target.hits().len()), (0, 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_attempt_without_a_response_in_three_seconds_fails() {
    // within 3 seconds, the connection must be made and the response's head received (B-422, B-427, D-170)
    let fixture = EventsFixture::sqlite().await;
    let hang = |bytes: &[u8]| Treatment::Hang(bytes.to_vec());
    let mut count = 0;
    for (treatment, waits, error, status) in [
        (Treatment::Close, false, json!("closed"), Value::Null),
        (Treatment::Garbage, false, json!("protocol"), Value::Null),
        // no bytes, a part of the status line, and an incomplete head
        (hang(b""), true, json!("timeout"), Value::Null),
        (hang(b"HTTP/1.1 20"), true, json!("timeout"), Value::Null),
        (hang(b"HTTP/1.1 200 OK\r\ncontent-le"), true, json!("timeout"), Value::Null),
    ] {
        fixture.receiver.then([treatment]);
        let event = fixture.event().await;
        count += 1;
        fixture.receiver.wait_for(count).await;
        let path = format!("event_id={event}&state=failed");
        if waits {
            fixture.server.clock.advance(std::time::Duration::from_millis(2_999));
            assert!(fixture.server.log_of(&fixture.bot.app, &path).await.is_empty());
            fixture.server.clock.advance(std::time::Duration::from_millis(1));
        }
        fixture.server.settle().await;
        let log = fixture.server.log_of(&fixture.bot.app, &path).await;
        assert_eq!((&log[0]["error"], &log[0]["status"]), (&error, &status));
        assert_eq!(log[0]["answer"], Value::Null);
        // D-168: the wait before the next attempt counts from the end of the failed attempt
        let next = switchboard::domain::time::Timestamp::parse(&text(&log[0], "/next_attempt_at")).unwrap();
        assert_eq!(next, fixture.server.clock.now() + std::time::Duration::from_secs(60));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_body_does_not_turn_a_success_into_a_failure() {
    // D-170: the response's status decides whether an attempt succeeds; at most 64 KB of the body are read, for at most
    // a second
    let fixture = EventsFixture::sqlite().await;
    fixture.receiver.always(Treatment::Hang(b"HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nslow".to_vec()));
    fixture.company.person().await;
    fixture.receiver.wait_for(1).await;
    // The test moves the clock until the wait for the body ends. If the clock moves by three seconds before the
    // response's head arrives, this attempt times out, and a later attempt delivers the event.
    until(|| async {
        fixture.server.clock.advance(std::time::Duration::from_millis(100));
        !fixture.server.log_of(&fixture.bot.app, "state=delivered").await.is_empty()
    })
    .await;
    let log = fixture.log().await;
    assert_eq!((&log[0]["status"], &log[0]["answer"]), (&json!(200), &json!("slow")));
    // from here on, the test does not move the clock, so an attempt that waits for unsent bytes would never end
    let mut large = b"HTTP/1.1 200 OK\r\ncontent-length: 10485760\r\n\r\n".to_vec();
    large.resize(large.len() + 64 * 1024 + 1, b'x');
    fixture.receiver.always(Treatment::Hang(large));
    let event = fixture.event().await;
    let of_event = format!("event_id={event}&state=delivered");
    until(|| async { !fixture.server.log_of(&fixture.bot.app, &of_event).await.is_empty() }).await;
    let log = fixture.server.log_of(&fixture.bot.app, &of_event).await;
    assert_eq!(log[0]["answer"].as_str().unwrap().len(), 1024);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_token_is_revoked_before_app_uninstalled_is_sent() {
    // B-368: a request with the token is rejected while the app handles `app.uninstalled`
    let fixture = EventsFixture::sqlite().await;
    let gate = Arc::new(Semaphore::new(0));
    fixture.receiver.then([Treatment::Gate(Arc::clone(&gate))]);
    fixture.company.uninstall(&fixture.bot).await;
    let hit = fixture.receiver.wait_for(1).await.remove(0);
    assert_eq!(hit.json()["type"], "app.uninstalled");
    fixture.bot.api.get("/v1/auth/test").refused(401, "token_revoked").await;
    gate.add_permits(1);
    fixture.server.settle().await;
    assert_eq!(fixture.log().await[0]["state"], "delivered");
}

/// When `app.uninstalled` is sent, every node rejects the token (B-368), even a node that looked up the token
/// immediately before the disconnect.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_node_accepts_the_token_when_app_uninstalled_is_sent() {
    let Some(fixture) = EventsFixture::on(Engine::Postgres).await else { return };
    let other = fixture.server.another_node_with_same_clock().await;
    let elsewhere = Api { base: other.base.clone(), ..fixture.bot.api.clone() };
    let gate = Arc::new(Semaphore::new(0));
    fixture.receiver.then([Treatment::Gate(Arc::clone(&gate))]);
    // these requests keep the token in the cache of the other node
    let check = elsewhere.clone();
    let busy = tokio::spawn(async move { while check.get("/v1/auth/test").send().await.status == 200 {} });
    let in_callback = async {
        let hit = fixture.receiver.wait_for(1).await.remove(0);
        assert_eq!(hit.json()["type"], "app.uninstalled");
        elsewhere.get("/v1/auth/test").refused(401, "token_revoked").await;
    };
    tokio::join!(fixture.company.uninstall(&fixture.bot), in_callback);
    gate.add_permits(1);
    busy.await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_app_that_polls_notices_the_uninstall() {
    // an app may also poll `GET /v1/auth/test` (B-468)
    let fixture = EventsFixture::on(Engine::Sqlite).await.unwrap();
    fixture.bot.api.get("/v1/auth/test").ok(200).await;
    fixture.company.uninstall(&fixture.bot).await;
    fixture.bot.api.get("/v1/auth/test").refused(401, "token_revoked").await;
    assert_eq!(fixture.receiver.wait_for(1).await[0].json()["type"], "app.uninstalled");
}
