//! What becomes of events when something ends: an installation, or the process (B-469, B-471, D-183, D-185).

use std::time::Duration;

use serde_json::{Value, json};
use switchboard::{domain::ids::AppId, store::event_leases::Claim};

use crate::{staged, support::*};

staged! {
    async fn what_is_pending_at_a_disconnect(stage: Stage) {
        // B-469, D-183
        stage.receiver.always(Act::status(500));
        let waiting = stage.event().await;
        stage.server.settle().await;
        stage.company.uninstall(&stage.bot).await;
        stage.server.settle().await;
        for seconds in [60, 300, 1800, 86_400] {
            stage.advance(seconds).await;
        }
        let hits = stage.receiver.hits();
        let kinds: Vec<_> = hits.iter().map(|hit| text(&hit.json(), "/type")).collect();
        assert_eq!(kinds[0], "directory.changed");
        assert_eq!(kinds[1..], ["app.uninstalled"; 4], "and four attempts to tell of the end");
        assert_eq!(numbers(&hits[1..]), [1, 2, 3, 4]);
        let log = stage.server.log_of(&stage.bot.app, "state=dropped").await;
        assert_eq!(log.len(), 1);
        assert_eq!((&log[0]["event_id"], &log[0]["error"]), (&json!(waiting), &json!("disconnected")));
    }

    async fn what_is_under_way_at_a_disconnect(stage: Stage) {
        let (gate, act) = gate();
        stage.receiver.then([act, Act::Hang(Vec::new())]);
        let answered = stage.event().await;
        stage.receiver.heard(1).await;
        let unanswered = stage.event().await;
        stage.receiver.heard(2).await;
        // more than there are places for
        stage.company.uninstall(&stage.bot).await;
        stage.receiver.heard(3).await;
        let of = async |event: &str| stage.server.log_of(&stage.bot.app, &format!("event_id={event}")).await;
        gate.add_permits(1);
        until(|| async { of(&answered).await[0]["state"] == "delivered" }).await;
        // or the moved clock would end this attempt too
        let told = async || stage.server.log_of(&stage.bot.app, "type=app.uninstalled").await;
        until(|| async { told().await[0]["state"] == "delivered" }).await;
        stage.pass(3);
        until(|| async { of(&unanswered).await[0]["state"] == "failed" }).await;
        stage.advance(60).await;
        stage.advance(300).await;
        // the answer counts; the failure is the last attempt
        assert_eq!(of(&answered).await[0]["state"], "delivered");
        let log = of(&unanswered).await;
        let states: Vec<_> = log.iter().map(|e| (e["attempt"].clone(), text(e, "/state"))).collect();
        assert_eq!(states, [(json!(1), "failed".to_owned()), (json!(2), "dropped".to_owned())]);
        assert_eq!(log[0]["next_attempt_at"], Value::Null);
        assert_eq!(stage.receiver.hits().len(), 3);
    }

    async fn restarts_in_each_state(stage: Stage) {
        // B-471, D-185
        let Stage { mut server, receiver, company, bot } = stage;
        let operator = |server: &Server| server.operator();
        let person = async |server: &Server| {
            let body = json!({"name": "P", "email": format!("{}@example.com", fresh_key())});
            operator(server).post(&company.path("/users")).json(&body).ok(201).await;
        };
        // delivered: never again
        person(&server).await;
        server.settle().await;
        server = server.restarted().await;
        server.settle().await;
        assert_eq!(receiver.hits().len(), 1);
        // between two attempts
        receiver.always(Act::status(500));
        person(&server).await;
        server.settle().await;
        server = server.restarted().await;
        server.advance(Duration::from_secs(59)).await;
        assert_eq!(receiver.hits().len(), 2);
        server.advance(Duration::from_secs(1)).await;
        assert_eq!(numbers(&receiver.hits()[1..]), [1, 2]);
        // killed between two attempts, and down while one becomes due
        server.clock.advance(Duration::from_secs(290));
        server = server.killed().await;
        server.clock.advance(Duration::from_secs(10));
        let hits = receiver.heard(4).await;
        assert_eq!(numbers(&hits[1..]), [1, 2, 3]);
        server.settle().await;
        // killed with an attempt under way: nobody knows what came of it, so it is made again under its number
        let (gate, act) = gate();
        receiver.always(act);
        server.clock.advance(Duration::from_secs(1800));
        receiver.heard(5).await;
        server = server.killed().await;
        receiver.always(Act::status(200));
        gate.add_permits(10);
        let hits = receiver.heard(6).await;
        assert_eq!(numbers(&hits[1..]), [1, 2, 3, 4, 4]);
        assert!(hits[1..].iter().all(|hit| hit.body == hits[1].body));
        server.settle().await;
        let log = server.log_of(&bot.app, "").await;
        assert_eq!(log[0]["state"], "delivered");
        // failed for good: never again
        receiver.always(Act::status(500));
        person(&server).await;
        for seconds in [0, 60, 300, 1800] {
            server.advance(Duration::from_secs(seconds)).await;
        }
        assert_eq!(receiver.hits().len(), 10);
        server = server.killed().await;
        server.advance(Duration::from_secs(100_000)).await;
        assert_eq!(receiver.hits().len(), 10);
    }

    async fn the_end_lets_open_attempts_finish(stage: Stage) {
        let Stage { server, receiver, company, bot } = stage;
        let (gate, act) = gate();
        receiver.then([act]);
        company.person().await;
        receiver.heard(1).await;
        server.running().drain();
        // the answer comes while the process is ending
        gate.add_permits(1);
        let server = server.restarted().await;
        let log = server.log_of(&bot.app, "").await;
        assert_eq!((log.len(), &log[0]["state"]), (1, &json!("delivered")));
        // the lease was given back: the next event waits for nobody's lease to run out
        let (app, world) = (AppId::parse(&bot.app.id).unwrap(), server.running().world());
        let claimed = world.db.write(Lease { app, holder: 1, micros: 0 }).await.unwrap();
        assert_eq!(claimed, Claim::Held);
        let body = json!({"name": "P", "email": "next@example.com"});
        server.operator().post(&company.path("/users")).json(&body).ok(201).await;
        receiver.heard(2).await;
    }
}
