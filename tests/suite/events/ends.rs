//! Pending events and open attempts when an installation is disconnected or the process stops (B-469, B-471, D-183,
//! D-185).

use std::time::Duration;

use serde_json::{Value, json};
use switchboard::domain::{delivery::LeaseClaim, ids::AppId};

use crate::support::*;

#[both_engines]
async fn a_disconnect_drops_pending_events_and_sends_app_uninstalled(fixture: EventsFixture) {
    // after a disconnect only `app.uninstalled` is sent; it is retried like every other event (B-469, D-183)
    fixture.receiver.always(Treatment::status(500));
    let waiting = fixture.event().await;
    fixture.server.settle().await;
    fixture.company.uninstall(&fixture.bot).await;
    fixture.server.settle().await;
    for seconds in [60, 300, 1800, 86_400] {
        fixture.advance(seconds).await;
    }
    let hits = fixture.receiver.hits();
    let kinds: Vec<_> = hits.iter().map(|hit| text(&hit.json(), "/type")).collect();
    assert_eq!(kinds[0], "directory.changed");
    assert_eq!(kinds[1..], ["app.uninstalled"; 4], "`app.uninstalled` is attempted four times");
    assert_eq!(numbers(&hits[1..]), [1, 2, 3, 4]);
    let log = fixture.server.log_of(&fixture.bot.app, "state=dropped").await;
    assert_eq!(log.len(), 1);
    assert_eq!((&log[0]["event_id"], &log[0]["error"]), (&json!(waiting), &json!("disconnected")));
}

#[both_engines]
async fn attempts_in_progress_at_a_disconnect_are_finished_and_not_retried(fixture: EventsFixture) {
    let (gate, treatment) = gate();
    fixture.receiver.then([treatment, Treatment::Hang(Vec::new())]);
    let answered = fixture.event().await;
    fixture.receiver.wait_for(1).await;
    let unanswered = fixture.event().await;
    fixture.receiver.wait_for(2).await;
    // two of the installation's four attempt slots are free for `app.uninstalled`
    fixture.company.uninstall(&fixture.bot).await;
    fixture.receiver.wait_for(3).await;
    let of = async |event: &str| fixture.server.log_of(&fixture.bot.app, &format!("event_id={event}")).await;
    gate.add_permits(1);
    until(|| async { of(&answered).await[0]["state"] == "delivered" }).await;
    // wait for the attempt of `app.uninstalled`, because moving the clock would let it time out
    let reported = async || fixture.server.log_of(&fixture.bot.app, "type=app.uninstalled").await;
    until(|| async { reported().await[0]["state"] == "delivered" }).await;
    fixture.advance_clock(3);
    until(|| async { of(&unanswered).await[0]["state"] == "failed" }).await;
    fixture.advance(60).await;
    fixture.advance(300).await;
    // the success is stored, and the failed attempt is not retried
    assert_eq!(of(&answered).await[0]["state"], "delivered");
    let log = of(&unanswered).await;
    let states: Vec<_> = log.iter().map(|e| (e["attempt"].clone(), text(e, "/state"))).collect();
    assert_eq!(states, [(json!(1), "failed".to_owned()), (json!(2), "dropped".to_owned())]);
    assert_eq!(log[0]["next_attempt_at"], Value::Null);
    assert_eq!(fixture.receiver.hits().len(), 3);
}

#[both_engines]
async fn a_restart_continues_the_retry_schedule(fixture: EventsFixture) {
    // pending events survive a restart (B-471), because they are written with their change (D-185)
    let EventsFixture { mut server, receiver, company, bot } = fixture;
    let operator = |server: &Server| server.operator();
    let person = async |server: &Server| {
        let body = json!({"name": "P", "email": format!("{}@example.com", fresh_key())});
        operator(server).post(&company.path("/users")).json(&body).ok(201).await;
    };
    // a delivered event is not sent again after a restart
    person(&server).await;
    server.settle().await;
    server = server.restarted().await;
    server.settle().await;
    assert_eq!(receiver.hits().len(), 1);
    // after a restart between two attempts, the second attempt is made when it is due
    receiver.always(Treatment::status(500));
    person(&server).await;
    server.settle().await;
    server = server.restarted().await;
    server.advance(Duration::from_secs(59)).await;
    assert_eq!(receiver.hits().len(), 2);
    server.advance(Duration::from_secs(1)).await;
    assert_eq!(numbers(&receiver.hits()[1..]), [1, 2]);
    // the process is killed between the second and the third attempt, and the third attempt becomes due after the
    // restart
    server.clock.advance(Duration::from_secs(290));
    server = server.killed().await;
    server.clock.advance(Duration::from_secs(10));
    let hits = receiver.wait_for(4).await;
    assert_eq!(numbers(&hits[1..]), [1, 2, 3]);
    server.settle().await;
    // The process is killed during an attempt, so the result of the attempt is unknown. After the restart the attempt
    // is made again with the same number.
    let (gate, treatment) = gate();
    receiver.always(treatment);
    server.clock.advance(Duration::from_secs(1800));
    receiver.wait_for(5).await;
    server = server.killed().await;
    receiver.always(Treatment::status(200));
    gate.add_permits(10);
    let hits = receiver.wait_for(6).await;
    assert_eq!(numbers(&hits[1..]), [1, 2, 3, 4, 4]);
    assert!(hits[1..].iter().all(|hit| hit.body == hits[1].body));
    server.settle().await;
    let log = server.log_of(&bot.app, "").await;
    assert_eq!(log[0]["state"], "delivered");
    // an event whose last attempt failed is not sent after a restart
    receiver.always(Treatment::status(500));
    person(&server).await;
    for seconds in [0, 60, 300, 1800] {
        server.advance(Duration::from_secs(seconds)).await;
    }
    assert_eq!(receiver.hits().len(), 10);
    server = server.killed().await;
    server.advance(Duration::from_secs(100_000)).await;
    assert_eq!(receiver.hits().len(), 10);
}

#[both_engines]
async fn a_shutdown_lets_open_attempts_finish(fixture: EventsFixture) {
    let EventsFixture { server, receiver, company, bot } = fixture;
    let (gate, treatment) = gate();
    receiver.then([treatment]);
    company.person().await;
    receiver.wait_for(1).await;
    server.running().drain();
    // the response arrives while the process shuts down
    gate.add_permits(1);
    let server = server.restarted().await;
    let log = server.log_of(&bot.app, "").await;
    assert_eq!((log.len(), &log[0]["state"]), (1, &json!("delivered")));
    // the shutdown released the lease, so the next event does not wait until the lease expires
    let (app, world) = (AppId::parse(&bot.app.id).unwrap(), server.running().world());
    let claimed = world.db.write(Lease { app, holder: 1, micros: 0 }).await.unwrap();
    assert_eq!(claimed, LeaseClaim::Held);
    let body = json!({"name": "P", "email": "next@example.com"});
    server.operator().post(&company.path("/users")).json(&body).ok(201).await;
    receiver.wait_for(2).await;
}
