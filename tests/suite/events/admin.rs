//! The delivery log and its retention (W-34), redelivery (W-48), test events (W-49), and deliveries when the clock is
//! moved (W-45).

use std::{sync::Arc, time::Duration};

use serde_json::{Value, json};
use switchboard::store::Engine;
use tokio::sync::Semaphore;

use crate::support::*;

fn ids(log: &[Value]) -> Vec<String> {
    log.iter().map(|entry| format!("{} {}", text(entry, "/event_id"), entry["attempt"])).collect()
}

impl EventsFixture {
    pub(crate) fn app_path(&self, rest: &str) -> String {
        format!("/admin/v1/apps/{}{rest}", self.bot.app.id)
    }

    async fn redeliver_all(&self, body: Value) -> i64 {
        let done = self.server.operator().post(&self.app_path("/redeliver")).json(&body).ok(202).await;
        done["redelivered"].as_i64().unwrap()
    }

    async fn test_event(&self, body: Value) -> String {
        let made = self.server.operator().post(&self.app_path("/test_events")).json(&body).ok(202).await;
        text(&made, "/event_id")
    }
}

#[both_engines]
async fn the_log_lists_attempts_by_filter_and_page(fixture: EventsFixture) {
    fixture.receiver.then([Treatment::Answer(500, b"out of order".to_vec())]);
    let first = fixture.event().await;
    fixture.server.settle().await;
    fixture.advance(10).await;
    let group = fixture.company.group(&[&fixture.company.admin, &fixture.bot.user_id]).await;
    fixture.server.settle().await;
    let installation = fixture.company.installation_of(&fixture.bot).await;
    let log = fixture.log().await;
    assert_eq!(log.len(), 3);
    let second = text(&log[0], "/event_id");
    // The newest entry is first. A planned attempt (here attempt 2 of the first event) is sorted by the time at which
    // its event was created.
    assert_eq!(ids(&log), [format!("{second} 1"), format!("{first} 1"), format!("{first} 2")]);
    let failed = &log[1];
    assert!(failed["latency_ms"].as_i64().unwrap() < 3000);
    let mut shown = failed.clone();
    shown["latency_ms"] = json!(0);
    assert_eq!(
        shown,
        json!({
            "event_id": first, "type": "directory.changed", "workspace_id": fixture.company.id,
            "installation_id": installation, "attempt": 1, "state": "failed", "status": 500, "error": "status",
            "latency_ms": 0, "answer": "out of order", "at": "2026-11-20T12:00:00.000Z",
            "next_attempt_at": "2026-11-20T12:01:00.000Z", "created_at": "2026-11-20T12:00:00.000Z",
        })
    );
    assert_eq!(
        log[2],
        json!({
            "event_id": first, "type": "directory.changed", "workspace_id": fixture.company.id,
            "installation_id": installation, "attempt": 2, "state": "pending", "status": null, "error": null,
            "latency_ms": null, "answer": null, "at": null,
            "next_attempt_at": "2026-11-20T12:01:00.000Z", "created_at": "2026-11-20T12:00:00.000Z",
        })
    );
    // filters
    let message = text(&fixture.bot.send(&to_conversation(&group, "hi")).await, "/id");
    let click = json!({"user_id": fixture.company.admin, "action_id": "a"});
    let path = format!("/admin/v1/messages/{message}/interactions");
    fixture.server.operator().post(&path).json(&click).ok(202).await;
    fixture.server.settle().await;
    let third = text(&fixture.log().await[0], "/event_id");
    for (query, expected) in [
        ("state=failed".to_owned(), vec![format!("{first} 1")]),
        ("state=delivered".to_owned(), vec![format!("{third} 1"), format!("{second} 1")]),
        ("state=pending".to_owned(), vec![format!("{first} 2")]),
        ("state=dropped".to_owned(), vec![]),
        ("type=interaction".to_owned(), vec![format!("{third} 1")]),
        (format!("event_id={first}"), vec![format!("{first} 1"), format!("{first} 2")]),
        (format!("event_id={first}&state=failed"), vec![format!("{first} 1")]),
        ("event_id=evt_0000000000001".to_owned(), vec![]),
        ("event_id=x".to_owned(), vec![]),
        ("installation_id=x".to_owned(), vec![]),
        ("since=2026-11-20T12:00:10Z".to_owned(), vec![format!("{third} 1"), format!("{second} 1")]),
        ("until=2026-11-20T12:00:10Z".to_owned(), vec![format!("{first} 1"), format!("{first} 2")]),
        (
            format!("installation_id={installation}&type=directory.changed&state=delivered"),
            vec![format!("{second} 1")],
        ),
    ] {
        assert_eq!(
            ids(&fixture.server.log_of(&fixture.bot.app, &query).await),
            expected,
            "the filter {query}"
        );
    }
    let operator = fixture.server.operator();
    for bad in ["state=x", "type=x", "since=yesterday", "until=1", "installation_id="] {
        operator.get(&fixture.app_path(&format!("/deliveries?{bad}"))).refused(400, "invalid_request").await;
    }
    // all pages together have each entry once
    let whole = ids(&fixture.log().await);
    let mut walked = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = operator.get(&fixture.app_path(&format!("/deliveries?limit=1{cursor}"))).ok(200).await;
        walked.extend(ids(page["deliveries"].as_array().unwrap()));
        let Some(next) = page["next_cursor"].as_str() else { break };
        cursor = format!("&cursor={next}");
    }
    assert_eq!(walked, whole);
    // a cursor is valid only for the filter with which it was returned
    let other = fixture.app_path(&format!("/deliveries?limit=1&state=failed{cursor}"));
    operator.get(&other).refused(400, "invalid_cursor").await;
}

#[both_engines]
async fn one_event_is_redelivered(fixture: EventsFixture) {
    fixture.receiver.always(Treatment::status(500));
    let event = fixture.event().await;
    for seconds in [0, 60, 300, 1800] {
        fixture.advance(seconds).await;
    }
    assert_eq!(fixture.receiver.hits().len(), 4);
    fixture.server.operator().redeliver(&fixture.bot.app, &event).await;
    // the whole retry schedule runs again, and the attempt numbers continue
    for (seconds, count) in [(0, 5), (60, 6), (300, 7), (1799, 7), (1, 8), (100_000, 8)] {
        fixture.advance(seconds).await;
        assert_eq!(fixture.receiver.hits().len(), count, "after {seconds} seconds more");
    }
    let hits = fixture.receiver.hits();
    let numbers: Vec<_> = hits.iter().map(ReceivedRequest::attempt).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5, 6, 7, 8]);
    assert!(hits.iter().all(|hit| hit.body == hits[0].body && hit.id() == event));
    // a delivered event can be redelivered as well
    fixture.receiver.always(Treatment::status(200));
    fixture.server.operator().redeliver(&fixture.bot.app, &event).await;
    fixture.server.settle().await;
    fixture.server.operator().redeliver(&fixture.bot.app, &event).await;
    fixture.server.settle().await;
    assert_eq!(fixture.receiver.hits().last().unwrap().attempt(), 10);
    let log = fixture.log().await;
    assert_eq!(log.len(), 10);
    assert_eq!(log[0]["state"], "delivered");
    // an event that waits for a retry is attempted immediately after a request to redeliver it
    fixture.receiver.then([Treatment::status(500)]);
    let waiting = fixture.event().await;
    fixture.server.settle().await;
    fixture.server.operator().redeliver(&fixture.bot.app, &waiting).await;
    fixture.server.settle().await;
    let last = fixture.receiver.hits().pop().unwrap();
    assert_eq!((last.id(), last.attempt()), (waiting, 2));
    let operator = fixture.server.operator();
    for (path, code) in [
        (fixture.app_path("/events/evt_0000000000001/redeliver"), "not_found"),
        (fixture.app_path("/events/x/redeliver"), "not_found"),
        (format!("/admin/v1/apps/app_0000000000001/events/{event}/redeliver"), "not_found"),
        (format!("/admin/v1/apps/x/events/{event}/redeliver"), "not_found"),
    ] {
        operator.post(&path).refused(404, code).await;
    }
    let other = fixture.server.app(&ALL_SCOPES).await;
    operator
        .post(&format!("/admin/v1/apps/{}/events/{event}/redeliver", other.id))
        .refused(404, "not_found")
        .await;
}

#[both_engines]
async fn redelivery_requires_a_connected_installation_and_a_callback_url(fixture: EventsFixture) {
    fixture.receiver.always(Treatment::status(500));
    let event = fixture.event().await;
    fixture.server.settle().await;
    fixture.company.uninstall(&fixture.bot).await;
    fixture.server.settle().await;
    let operator = fixture.server.operator();
    let path = fixture.app_path(&format!("/events/{event}/redeliver"));
    operator.post(&path).refused(409, "conflict").await;
    let since = json!({"since": "2026-11-20T00:00:00Z", "state": "all"});
    assert_eq!(
        fixture.redeliver_all(since.clone()).await,
        0,
        "neither pending events nor events of a disconnected installation are redelivered"
    );
    // the exception: `app.uninstalled` is redelivered although its installation is disconnected
    let uninstalled =
        text(&fixture.server.log_of(&fixture.bot.app, "type=app.uninstalled").await[0], "/event_id");
    for seconds in [60, 300, 1800] {
        fixture.advance(seconds).await;
    }
    let before = fixture.receiver.hits().len();
    operator.redeliver(&fixture.bot.app, &uninstalled).await;
    fixture.server.settle().await;
    assert_eq!(fixture.receiver.hits().len(), before + 1);
    assert_eq!(fixture.receiver.hits().last().unwrap().attempt(), 5);
    // without a callback URL, the app gets no redeliveries and no test events
    fixture.set_app(json!({"callback_url": null})).await;
    operator
        .post(&fixture.app_path(&format!("/events/{uninstalled}/redeliver")))
        .refused(409, "conflict")
        .await;
    operator.post(&fixture.app_path("/redeliver")).json(&since).refused(409, "conflict").await;
    operator
        .post(&fixture.app_path("/test_events"))
        .json(&json!({"type": "app.uninstalled"}))
        .refused(409, "conflict")
        .await;
}

#[both_engines]
async fn the_events_of_a_time_range_are_redelivered(fixture: EventsFixture) {
    fixture.receiver.always(Treatment::status(500));
    let early = fixture.event().await;
    for seconds in [0, 60, 300, 1800] {
        fixture.advance(seconds).await;
    }
    // the clock shows 12:36 now
    let late = fixture.event().await;
    for seconds in [0, 60, 300, 1800] {
        fixture.advance(seconds).await;
    }
    fixture.receiver.always(Treatment::status(200));
    let delivered = fixture.event().await;
    fixture.server.settle().await;
    let received = fixture.receiver.hits().len();
    assert_eq!(received, 9);
    let from = "2026-11-20T12:36:00Z";
    let mut expected = 9;
    for (body, events) in [
        (json!({"since": from, "type": "interaction"}), vec![]),
        (json!({"since": "2026-11-20T12:00:00Z", "until": "2026-11-20T12:00:00Z"}), vec![]),
        (json!({"since": from}), vec![&late]),
        // the late event was delivered by the previous redelivery
        (json!({"since": from, "state": "failed"}), vec![]),
        (json!({"since": "2026-11-20T12:00:00Z", "until": from, "state": "all"}), vec![&early]),
        (json!({"since": from, "state": "all", "type": "directory.changed"}), vec![&late, &delivered]),
    ] {
        assert_eq!(fixture.redeliver_all(body.clone()).await, events.len() as i64, "the number for {body}");
        fixture.server.settle().await;
        let hits = fixture.receiver.hits();
        let mut again: Vec<_> = hits[expected..].iter().map(ReceivedRequest::id).collect();
        again.sort();
        assert_eq!(again.iter().collect::<Vec<_>>(), events, "the redelivered events for {body}");
        expected += events.len();
    }
    let operator = fixture.server.operator();
    for bad in [json!({}), json!({"since": "x"}), json!({"since": from, "state": "delivered"})] {
        operator.post(&fixture.app_path("/redeliver")).json(&bad).refused(400, "invalid_request").await;
    }
}

#[both_engines]
async fn test_events_are_sent_and_change_nothing(fixture: EventsFixture) {
    let operator = fixture.server.operator();
    let refused = async |body: Value, status: u16, code: &str| {
        operator.post(&fixture.app_path("/test_events")).json(&body).refused(status, code).await;
    };
    // these test events have to name a message or a conversation, and the company has neither yet
    refused(json!({"type": "interaction"}), 409, "conflict").await;
    refused(json!({"type": "directory.changed", "kind": "conversation.renamed"}), 409, "conflict").await;
    let person = fixture.company.admin.clone();
    let group = fixture.company.group(&[&person, &fixture.bot.user_id]).await;
    let message = text(&fixture.bot.send(&to_conversation(&group, "hi")).await, "/id");
    fixture.server.settle().await;
    let mut received = fixture.receiver.hits().len();
    let mut made = async |body: Value| -> Value {
        let id = fixture.test_event(body).await;
        fixture.server.settle().await;
        let hits = fixture.receiver.hits();
        received += 1;
        assert_eq!(hits.len(), received);
        let hit = hits.last().unwrap();
        assert_eq!(hit.id(), id);
        assert!(hit.verifies(&fixture.bot.app.signing_secret, fixture.server.clock.now()));
        hit.json()
    };
    let event = made(json!({"type": "app.uninstalled"})).await;
    assert_eq!(event["data"], json!({"removed_by": {"id": person}, "reason": "admin"}));
    // the test event changed nothing: the installation is still connected
    fixture.bot.api.get("/v1/auth/test").ok(200).await;
    assert_eq!(made(json!({"type": "directory.changed"})).await["data"]["kind"], "user.updated");
    for kind in ["user.created", "user.updated", "user.deactivated"] {
        let event = made(json!({"type": "directory.changed", "kind": kind})).await;
        assert_eq!(event["data"], json!({"kind": kind, "id": person}));
        assert_eq!(event["workspace_id"], fixture.company.id.as_str());
    }
    for kind in [
        "conversation.created",
        "conversation.renamed",
        "conversation.archived",
        "conversation.deleted",
        "app.removed_from_conversation",
    ] {
        let event = made(json!({"type": "directory.changed", "kind": kind})).await;
        assert_eq!(event["data"], json!({"kind": kind, "id": group}));
    }
    let event = made(json!({"type": "interaction"})).await;
    assert_eq!(event["data"]["user"]["id"], person.as_str());
    assert_eq!(event["data"]["message"], json!({"id": message, "conversation_id": group, "metadata": null}));
    let installation = fixture.company.installation_of(&fixture.bot).await;
    made(json!({"type": "app.uninstalled", "installation_id": installation})).await;
    refused(json!({"type": "app.uninstalled", "installation_id": "x"}), 404, "not_found").await;
    refused(json!({"type": "app.uninstalled", "kind": "user.created"}), 400, "invalid_request").await;
    refused(json!({"type": "x"}), 400, "invalid_request").await;
    fixture.company.uninstall(&fixture.bot).await;
    refused(json!({"type": "app.uninstalled"}), 409, "conflict").await;
    refused(json!({"type": "app.uninstalled", "installation_id": installation}), 404, "not_found").await;
}

#[both_engines]
async fn a_test_event_of_a_click_names_a_member_of_the_conversation(fixture: EventsFixture) {
    // The bot's newest message is in a direct conversation. The company's admin, who is its first person, is not a
    // member of this conversation.
    let person = fixture.company.person().await;
    let message = text(&fixture.bot.send(&to_user(&person, "hi")).await, "/id");
    let id = fixture.test_event(json!({"type": "interaction"})).await;
    fixture.server.settle().await;
    let hits = fixture.receiver.hits();
    let hit = hits.iter().find(|hit| hit.id() == id).expect("the event is delivered");
    let data = hit.json()["data"].take();
    assert_eq!((&data["user"]["id"], &data["message"]["id"]), (&json!(person), &json!(message)));
    fixture.company.set_state(&person, "deactivated").await;
    let call = fixture.server.operator().post(&fixture.app_path("/test_events"));
    call.json(&json!({"type": "interaction"})).refused(409, "conflict").await;
}

#[both_engines]
async fn a_test_event_of_a_click_names_a_message_that_can_be_clicked(fixture: EventsFixture) {
    let clicked = async || {
        let id = fixture.test_event(json!({"type": "interaction"})).await;
        fixture.server.settle().await;
        let hits = fixture.receiver.hits();
        let hit = hits.iter().find(|hit| hit.id() == id).expect("the event is delivered");
        let data = hit.json()["data"].take();
        (text(&data, "/message/id"), text(&data, "/user/id"))
    };
    let admin = fixture.company.admin.clone();
    let group = async |person: &str| {
        let group = fixture.company.group(&[person, &fixture.bot.user_id]).await;
        let message = text(&fixture.bot.send(&to_conversation(&group, "hi")).await, "/id");
        (group, message)
    };
    let (_, older) = group(&admin).await;
    let (archived, _) = group(&admin).await;
    let channel = fixture.company.channel(&archived, &[&admin, &fixture.bot.user_id]).await;
    fixture.bot.send(&to_conversation(&channel, "hi")).await;
    fixture.company.archive(&archived, true).await;
    // nobody may click in an archived group and its channels (B-475, B-108)
    assert_eq!(clicked().await, (older, admin));
    let newcomer = fixture.company.person_with(json!({"state": "onboarding"})).await;
    let (_, newest) = group(&newcomer).await;
    assert_eq!(clicked().await, (newest, newcomer));
}

#[both_engines]
async fn moving_the_clock_waits_for_due_deliveries(fixture: EventsFixture) {
    // the response to a move of the clock waits for the deliveries that became due (W-45)
    fixture.receiver.always(Treatment::status(500));
    let event = fixture.event().await;
    fixture.server.settle().await;
    let advance = async |seconds: u64| {
        let body = json!({"advance_seconds": seconds});
        fixture.server.operator().post("/admin/v1/clock").json(&body).ok(200).await;
        fixture.server.log_of(&fixture.bot.app, &format!("event_id={event}&state=failed")).await.len()
    };
    // each due attempt is in the log when the response arrives
    assert_eq!(advance(59).await, 1);
    assert_eq!(advance(1).await, 2);
    assert_eq!(advance(300).await, 3);
    assert_eq!(advance(1800).await, 4);
}

/// The clock is moved only after the open attempts have ended, so no attempt times out because of the move. The wait
/// before a retry counts from the end of the failed attempt (D-168), which is before the move. If the move makes the
/// retry due, the response to the move waits for the retry (W-45).
#[both_engines]
async fn moving_the_clock_waits_for_open_attempts(fixture: EventsFixture) {
    let operator = fixture.server.operator();
    let offset = async || operator.get("/admin/v1/clock").ok(200).await["offset_seconds"].clone();
    for (response, states) in [(200, &["delivered"][..]), (500, &["delivered", "failed"])] {
        let before = offset().await;
        let gate = Arc::new(Semaphore::new(0));
        let bytes = format!("HTTP/1.1 {response} Status\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
        fixture.receiver.then([Treatment::Late(Arc::clone(&gate), bytes.into_bytes())]);
        let count = fixture.receiver.hits().len();
        let event = fixture.event().await;
        fixture.receiver.wait_for(count + 1).await;
        let body = json!({"advance_seconds": 60});
        let moving = operator.post("/admin/v1/clock").json(&body).ok(200);
        let responding = async {
            for _ in 0..20 {
                assert_eq!(offset().await, before, "the clock is not moved while an attempt is open");
            }
            gate.add_permits(1);
        };
        tokio::join!(moving, responding);
        let log = fixture.server.log_of(&fixture.bot.app, &format!("event_id={event}")).await;
        let found: Vec<_> = log.iter().map(|entry| &entry["state"]).collect();
        assert_eq!(found, states, "the response is stored, and a failed attempt is retried: {log:?}");
    }
}

/// A move of the clock by 30 days makes a retry due. The retry is attempted before its event can expire.
#[both_engines]
async fn moving_the_clock_by_days_attempts_a_retry(fixture: EventsFixture) {
    fixture.receiver.then([Treatment::status(500)]);
    let event = fixture.event().await;
    fixture.server.settle().await;
    let body = json!({"advance_seconds": 30 * 24 * 3600});
    fixture.server.operator().post("/admin/v1/clock").json(&body).ok(200).await;
    let log = fixture.server.log_of(&fixture.bot.app, &format!("event_id={event}")).await;
    let states: Vec<_> = log.iter().map(|entry| &entry["state"]).collect();
    assert_eq!(states, ["delivered", "failed"], "the second attempt is made: {log:?}");
}

#[both_engines]
async fn the_delivery_log_is_kept_for_two_weeks(fixture: EventsFixture) {
    let old = fixture.event().await;
    fixture.server.settle().await;
    fixture.receiver.then([Treatment::status(500)]);
    fixture.advance(3600).await;
    let waiting = fixture.event().await;
    fixture.server.settle().await;
    // The retry is made now. `advance_clock` below does not wait for due retries, so the event could expire before its
    // retry.
    fixture.advance(300).await;
    fixture.advance_clock(14 * 24 * 3600 - 3600 - 300);
    fixture.server.settle().await;
    assert_eq!(
        fixture.log().await.len(),
        3,
        "log entries are kept for two weeks after the last attempt of their event: {old} {waiting}"
    );
    fixture.advance(1).await;
    let made = [format!("{waiting} 2"), format!("{waiting} 1")];
    until(async || ids(&fixture.log().await) == made).await;
    fixture.advance(14 * 24 * 3600 + 1).await;
    assert!(fixture.log().await.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_the_operator_may_redeliver_and_production_has_no_test_events() {
    let server = Server::sqlite().await;
    let company = server.company().await;
    let app = server.app(&ALL_SCOPES).await;
    let body = json!({"email": "ada@example.com", "password": "correct horse battery"});
    company
        .person_with(json!({"name": "Ada", "email": "ada@example.com", "password": "correct horse battery", "is_admin": true}))
        .await;
    let session = server.api().post("/admin/v1/sessions").json(&body).ok(201).await;
    let ada = server.api().bearer(&text(&session, "/session_token"));
    let base = format!("/admin/v1/apps/{}", app.id);
    ada.get(&format!("{base}/deliveries")).refused(403, "forbidden").await;
    ada.post(&format!("{base}/events/evt_0000000000001/redeliver")).refused(403, "forbidden").await;
    let since = json!({"since": "2026-11-20T00:00:00Z"});
    ada.post(&format!("{base}/redeliver")).json(&since).refused(403, "forbidden").await;
    ada.post(&format!("{base}/test_events"))
        .json(&json!({"type": "interaction"}))
        .refused(403, "forbidden")
        .await;
    let production = Server::production().await;
    let path = "/admin/v1/apps/app_0000000000001/test_events";
    let call = production.operator().post(path).json(&json!({"type": "interaction"}));
    call.refused(404, "not_found").await;
}

/// More events than fit into one batch are redelivered. Every event is attempted again, and the attempt numbers
/// continue.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_events_are_redelivered_in_batches() {
    let fixture = EventsFixture::on(Engine::Sqlite).await.unwrap();
    for _ in 0..1100 {
        fixture.test_event(json!({"type": "app.uninstalled"})).await;
    }
    fixture.server.settle().await;
    assert_eq!(fixture.receiver.hits().len(), 1100);
    assert_eq!(fixture.redeliver_all(json!({"since": "2026-11-20T00:00:00Z", "state": "all"})).await, 1100);
    fixture.server.advance(Duration::ZERO).await;
    let hits = fixture.receiver.hits();
    assert_eq!(hits.len(), 2200);
    assert!(hits[1100..].iter().all(|hit| hit.attempt() == 2));
    assert!(fixture.receiver.most_open() <= 4, "an installation has at most 4 open attempts (D-190)");
}
