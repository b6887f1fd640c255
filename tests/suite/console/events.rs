//! The console's pages of events: attempts, redelivery, simulated failures, and the verification of a request.

use std::time::Duration;

use serde_json::json;

use crate::support::{browser::Browser, *};

/// Submits the console's form that simulates failures of an app's next delivery attempts, with these fields.
async fn simulate_failures(console: &mut Browser, app: &str, fields: &[(&str, &str)]) {
    let page = console.get(&format!("/console/events?app={app}")).await;
    let fields: Vec<_> =
        [("action", "fail"), ("app", app)].into_iter().chain(fields.iter().copied()).collect();
    let done = console.submit_on(&page, "/console/events", &fields).await;
    assert_eq!(done.to(), format!("/console/events?app={app}&done=failing"));
}

fn event_path(app: &str, event: &str) -> String {
    format!("/console/events/{event}?app={app}")
}

#[both_engines]
async fn an_event_is_shown_with_its_attempts_and_redelivered(fixture: EventsFixture) {
    let app = fixture.bot.app.id.clone();
    let mut console = fixture.server.console().await;
    console.get(&format!("/console/events?app={app}")).await.shows("No events yet");
    fixture.receiver.then([Treatment::status(500)]);
    let event = fixture.event().await;
    fixture.server.settle().await;
    let hits = fixture.receiver.hits();
    assert_eq!(hits.len(), 1);

    let list = console.get(&format!("/console/events?app={app}")).await;
    list.shows("directory.changed").shows(&event).shows("to be retried").shows(">500<").shows("in 1 min");
    let detail = console.get(&event_path(&app, &event)).await;
    detail.shows(hits[0].header("x-service-signature")).shows(hits[0].header("x-service-timestamp"));
    let body = String::from_utf8(hits[0].body.clone()).unwrap();
    assert!(browser::unescape(&detail.text).contains(&body), "the body is shown as it was sent");

    // a move of the clock makes the retry due; the app now responds with 200
    fixture.advance(60).await;
    let detail = console.get(&event_path(&app, &event)).await;
    detail.shows("Attempt 2").shows("delivered").shows("Attempt 1");
    let redelivered = console.submit_on(&detail, &format!("/console/events/{event}"), &[]).await;
    assert_eq!(redelivered.to(), format!("/console/events/{event}?app={app}&done=redelivered"));
    fixture.server.settle().await;
    console.get(&event_path(&app, &event)).await.shows("Attempt 3");
    assert_eq!(numbers(&fixture.receiver.hits()), [1, 2, 3]);
    console.get(&event_path(&app, "evt_0000000000001")).await.is(404, "Page not found");
    console.get("/console/events?app=app_0000000000001").await.is(404, "Page not found");
}

#[both_engines]
async fn an_event_of_a_deleted_message_is_shown_without_its_content(fixture: EventsFixture) {
    let app = fixture.bot.app.id.clone();
    let mut console = fixture.server.console().await;
    let person = fixture.company.person().await;
    let group = fixture.company.group(&[&person, &fixture.bot.user_id]).await;
    let mut message = to_conversation(&group, "click me");
    message["metadata"] = json!({"build": "in-confidence"});
    let message = text(&fixture.bot.send(&message).await, "/id");
    let click = json!({"user_id": person, "action_id": "approve", "value": "in-confidence"});
    let path = format!("/admin/v1/messages/{message}/interactions");
    fixture.server.operator().post(&path).json(&click).ok(202).await;
    fixture.server.settle().await;
    let hits = fixture.receiver.hits();
    let hit = hits.iter().find(|hit| hit.json()["type"] == "interaction").expect("the click is delivered");
    let signature = hit.header("x-service-signature");
    let detail = console.get(&event_path(&app, &hit.id())).await;
    detail.shows("in-confidence").shows(signature).shows("Redeliver now");

    fixture.bot.deleting(&message).ok(200).await;
    let detail = console.get(&event_path(&app, &hit.id())).await;
    detail.shows("Attempt 1").shows("The message was deleted").hides("in-confidence");
    // the stored body lacks the erased content, so its signature would differ from the signature that was sent
    detail.hides(signature).hides("x-service-signature").hides("Redeliver now");
    let sent = String::from_utf8(hit.body.clone()).unwrap();
    let page = console.get(&format!("/console/verify?app={app}")).await;
    let verified = console.submit_on(&page, "/console/verify", &[("body", &sent)]).await;
    verified.shows("the message of this event was deleted").hides("the first difference");
}

#[both_engines]
async fn deliveries_fail_with_a_status_and_recover(fixture: EventsFixture) {
    let app = fixture.bot.app.id.clone();
    let mut console = fixture.server.console().await;
    simulate_failures(&mut console, &app, &[("count", "2"), ("failure", "status"), ("status", "503")]).await;
    let list = console.get(&format!("/console/events?app={app}")).await;
    list.shows("The next 2 delivery attempts will be answered with 503, without calling the app.");
    let event = fixture.event().await;
    fixture.server.settle().await;
    fixture.advance(60).await;
    assert_eq!(fixture.receiver.hits().len(), 0, "the app is not called");
    console.get(&format!("/console/events?app={app}")).await.ok().hides("will be answered with 503");
    fixture.advance(300).await;
    assert_eq!(numbers(&fixture.receiver.hits()), [3], "the third attempt reaches the app");
    let detail = console.get(&event_path(&app, &event)).await;
    assert_eq!(detail.text.matches(">503<").count(), 2, "both failures are shown: {}", detail.text);
    detail.shows("made to fail in the sandbox console").shows("delivered");
}

#[both_engines]
async fn a_cut_connection_delivers_the_event_and_loses_the_response(fixture: EventsFixture) {
    let app = fixture.bot.app.id.clone();
    let mut console = fixture.server.console().await;
    simulate_failures(&mut console, &app, &[("count", "1"), ("failure", "cut")]).await;
    let event = fixture.event().await;
    fixture.server.settle().await;
    assert_eq!(numbers(&fixture.receiver.hits()), [1], "the app gets the event");
    console.get(&event_path(&app, &event)).await.shows(">closed<").shows("to be retried");
    fixture.advance(60).await;
    assert_eq!(numbers(&fixture.receiver.hits()), [1, 2], "the app gets the event again");
    console.get(&event_path(&app, &event)).await.shows("delivered");
}

#[both_engines]
async fn a_delay_of_three_seconds_is_too_late(fixture: EventsFixture) {
    let app = fixture.bot.app.id.clone();
    let mut console = fixture.server.console().await;
    for (seconds, is_late) in [("2", false), ("3", true), ("60", true)] {
        let before = fixture.receiver.hits().len();
        simulate_failures(&mut console, &app, &[("count", "1"), ("failure", "delay"), ("seconds", seconds)])
            .await;
        let event = fixture.event().await;
        until(async || fixture.receiver.hits().len() > before).await;
        let detail = console.get(&event_path(&app, &event)).await;
        detail.shows("No attempts yet");
        // on the server's clock an attempt takes no time until the test moves the clock
        fixture.server.advance(Duration::from_secs(if is_late { 3 } else { 2 })).await;
        let detail = console.get(&event_path(&app, &event)).await;
        match is_late {
            true => detail.shows(">timeout<").shows("to be retried"),
            false => detail.shows("delivered"),
        };
        fixture.advance(60).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn simulated_failures_are_validated_and_can_be_stopped() {
    let fixture = EventsFixture::sqlite().await;
    let app = fixture.bot.app.id.clone();
    let mut console = fixture.server.console().await;
    let path = format!("/console/events?app={app}");
    let page = console.get(&path).await;
    let good =
        [("action", "fail"), ("app", app.as_str()), ("count", "1"), ("failure", "status"), ("status", "503")];
    for (name, value) in [
        ("count", "0"),
        ("count", "101"),
        ("count", "x"),
        ("status", "200"),
        ("status", "600"),
        ("failure", "other"),
        ("action", "x"),
    ] {
        let mut fields = good;
        fields.iter_mut().filter(|(known, _)| *known == name).for_each(|field| field.1 = value);
        console.submit_on(&page, "/console/events", &fields).await.is(400, "That did not work");
    }
    let mut fields = good;
    fields[1].1 = "app_0000000000001";
    console.submit_on(&page, "/console/events", &fields).await.is(404, "Page not found");
    console.get(&path).await.ok().hides("The next delivery");
    simulate_failures(&mut console, &app, &[("count", "5"), ("failure", "cut")]).await;
    console.submit_on(&page, "/console/events", &[("action", "stop"), ("app", &app)]).await;
    console.get(&path).await.ok().hides("will call the app");
    fixture.event().await;
    fixture.server.settle().await;
    assert_eq!(fixture.log().await[0]["state"], "delivered");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_result_of_each_check_of_a_pasted_request_is_shown() {
    let fixture = EventsFixture::sqlite().await;
    let app = fixture.bot.app.id.clone();
    let mut console = fixture.server.console().await;
    fixture.event().await;
    fixture.server.settle().await;
    let hit = fixture.receiver.hits().remove(0);
    let (timestamp, signature) = (hit.header("x-service-timestamp"), hit.header("x-service-signature"));
    let body = String::from_utf8(hit.body.clone()).unwrap();
    let headers = format!("X-Service-Timestamp: {timestamp}\r\nX-Service-Signature: {signature}");
    let secret = &fixture.bot.app.signing_secret;
    let page = console.get(&format!("/console/verify?app={app}")).await;
    let mut verify = async |headers: &str, body: &str, secret: &str| {
        let fields = [("app", app.as_str()), ("headers", headers), ("body", body), ("secret", secret)];
        console.submit_on(&page, "/console/verify", &fields).await
    };
    let good = verify(&headers, &body, secret).await;
    good.shows("This request is authentic").hides("status-failed");
    let spaced = body.replacen(':', ": ", 1);
    let other = fixture.server.app(&ALL_SCOPES).await.signing_secret;
    for (headers, body, secret, why) in [
        ("x: y", body.as_str(), "", "the pasted headers do not contain it"),
        (&headers.replace(timestamp, "soon"), &body, "", "it is not Unix time in whole seconds"),
        (
            &headers.replace("v1=", "v9="),
            &body,
            "",
            "none of its values is v1= followed by 64 lower-case hex digits",
        ),
        (&headers, &spaced, "", "It is the same JSON, written differently"),
        (
            &headers,
            &format!("{body}\r\n"),
            "",
            "it matches without the spaces and line breaks around the body",
        ),
        (&headers, "[]", "", "it is not a JSON object"),
        (&headers, "[]", &other, "events are signed with another secret"),
    ] {
        verify(headers, body, secret).await.shows("This request must be rejected").shows(why);
    }
    for (secret, why) in [
        (other.as_str(), "events are signed with another secret"),
        (&secret[6..], "a signing secret begins with whsec_"),
    ] {
        let verified = verify(&headers, &body, secret).await;
        verified.shows("This request is authentic, but your app rejects it").shows(why);
    }
    fixture.advance_clock(301);
    verify(&headers, &body, secret).await.shows("This request must be rejected").shows("5 min 1 s old");
    fixture.rotate().await;
    verify(&headers, &body, secret).await.shows("with the secret before the latest rotation");
}

#[both_engines]
async fn a_failure_of_the_database_is_not_reported_as_an_unknown_event(fixture: EventsFixture) {
    let app = fixture.bot.app.id.clone();
    let mut console = fixture.server.console().await;
    fixture.event().await;
    fixture.server.settle().await;
    let body = String::from_utf8(fixture.receiver.hits().remove(0).body).unwrap();
    let page = console.get(&format!("/console/verify?app={app}")).await;
    let fields = [("app", app.as_str()), ("headers", "x: y"), ("body", body.as_str()), ("secret", "")];
    let database = &fixture.server.database;
    database.execute("ALTER TABLE events RENAME TO events_away").await;
    let failed = console.submit_on(&page, "/console/verify", &fields).await;
    database.execute("ALTER TABLE events_away RENAME TO events").await;
    failed.is(500, "Something went wrong").hides("no such event");
    console.submit_on(&page, "/console/verify", &fields).await.is(200, "This request must be rejected");
}
