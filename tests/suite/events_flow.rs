//! In which order events flow, and how many at a time (B-470, D-184, D-190).

use serde_json::json;

use crate::{staged, support::*};

staged! {
    async fn first_attempts_begin_in_order(stage: Stage) {
        // B-470, D-184
        stage.receiver.by(|hit| Act::status(if hit.body.len() % 3 == 0 { 500 } else { 200 }));
        for n in 0..40 {
            stage.company.person_with(json!({"name": "x".repeat(1 + n % 7)})).await;
        }
        stage.server.settle().await;
        // attempts have ids in the order they were begun, and the log is in their order
        let log = stage.log().await;
        let mut begun: Vec<_> =
            log.iter().filter(|e| e["attempt"] == 1 && e["at"].is_string()).map(|e| text(e, "/event_id")).collect();
        begun.reverse();
        assert_eq!(begun.len(), 40);
        assert!(begun.is_sorted(), "{begun:?}");
    }

    async fn four_places(stage: Stage) {
        // D-190
        let (gate, act) = gate();
        stage.receiver.always(act);
        for _ in 0..10 {
            stage.company.person().await;
        }
        stage.receiver.heard(4).await;
        // a fifth would come with the tick of the lane, which a moved clock brings about
        for _ in 0..5 {
            stage.pass(0);
            tokio::task::yield_now().await;
        }
        assert_eq!(stage.receiver.hits().len(), 4);
        gate.add_permits(10);
        stage.server.settle().await;
        assert_eq!((stage.receiver.hits().len(), stage.receiver.most_open()), (10, 4));
    }

    async fn retries_never_stand_before_first_attempts(stage: Stage) {
        // B-470: ten wait to be repeated, and the receiver does not let repeated ones go
        stage.receiver.always(Act::status(500));
        for _ in 0..10 {
            stage.company.person().await;
        }
        stage.server.settle().await;
        let (gate, act) = gate();
        stage.receiver.by(move |hit| if hit.attempt() > 1 { act.clone() } else { Act::status(200) });
        stage.pass(60);
        stage.receiver.heard(12).await;
        for _ in 0..20 {
            stage.company.person().await;
        }
        stage.receiver.heard(32).await;
        let hits = stage.receiver.hits();
        assert_eq!(numbers(&hits[10..]).iter().filter(|n| **n == 2).count(), 2, "two of four places");
        gate.add_permits(100);
        stage.server.settle().await;
        assert_eq!(stage.receiver.hits().len(), 40);
    }

    async fn a_flood_of_new_events_does_not_starve_retries(stage: Stage) {
        stage.receiver.then([Act::status(500)]);
        let event = stage.event().await;
        stage.server.settle().await;
        let (gate, act) = gate();
        stage.receiver.always(act);
        for _ in 0..20 {
            stage.company.person().await;
        }
        stage.receiver.heard(5).await;
        stage.pass(60);
        // each answer makes a place; the next one is for what has become due
        stage.receiver.always(Act::status(200));
        gate.add_permits(100);
        stage.server.settle().await;
        let hits = stage.receiver.hits();
        let place = hits.iter().position(|hit| hit.id() == event && hit.attempt() == 2).unwrap();
        assert!(place < 20, "the repeated one came as number {place} of {}", hits.len());
    }
}
