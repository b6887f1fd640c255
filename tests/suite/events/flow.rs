//! The order in which delivery attempts begin, and how many are open at the same time (B-470, D-184, D-190). A slot is
//! the permission for one open attempt.

use std::time::Duration;

use serde_json::json;

use crate::support::*;

#[both_engines]
async fn first_attempts_begin_in_order(fixture: EventsFixture) {
    // first attempts are made in the order of the events, even if attempts of earlier events fail (B-470, D-184)
    fixture.receiver.respond_with(|hit| Treatment::status(if hit.body.len() % 3 == 0 { 500 } else { 200 }));
    for n in 0..40 {
        fixture.company.person_with(json!({"name": "x".repeat(1 + n % 7)})).await;
    }
    fixture.server.settle().await;
    // the log is in the order in which the attempts began, newest first
    let log = fixture.log().await;
    let mut begun: Vec<_> = log
        .iter()
        .filter(|e| e["attempt"] == 1 && e["at"].is_string())
        .map(|e| text(e, "/event_id"))
        .collect();
    begun.reverse();
    assert_eq!(begun.len(), 40);
    assert!(begun.is_sorted(), "{begun:?}");
}

#[both_engines]
async fn an_installation_has_four_slots(fixture: EventsFixture) {
    // each change causes one event, and at most four events of an installation are sent at the same time (D-190)
    let (gate, treatment) = gate();
    fixture.receiver.always(treatment);
    for _ in 0..10 {
        fixture.company.person().await;
    }
    fixture.receiver.wait_for(4).await;
    // moving the clock makes the worker poll; a worker that ignored the limit would send a fifth event now
    for _ in 0..5 {
        fixture.server.clock.advance(Duration::from_millis(1));
        tokio::task::yield_now().await;
    }
    assert_eq!(fixture.receiver.hits().len(), 4);
    gate.add_permits(10);
    fixture.server.settle().await;
    assert_eq!((fixture.receiver.hits().len(), fixture.receiver.most_open()), (10, 4));
}

#[both_engines]
async fn a_slow_installation_has_four_slots_if_no_other_installation_needs_them(fixture: EventsFixture) {
    // an attempt without a response classifies the installation as slow
    fixture.receiver.always(Treatment::Close);
    fixture.event().await;
    fixture.server.settle().await;
    let before = fixture.receiver.hits().len();
    let (gate, treatment) = gate();
    fixture.receiver.always(treatment);
    for _ in 0..4 {
        fixture.company.person().await;
    }
    // four requests are open at the same time, so the installation uses all four slots, not only three quarters of them
    fixture.receiver.wait_for(before + 4).await;
    gate.add_permits(10);
    fixture.server.settle().await;
    assert_eq!(fixture.receiver.hits().len(), before + 4);
}

#[both_engines]
async fn retries_do_not_delay_first_attempts(fixture: EventsFixture) {
    // ten events wait for a retry, and the receiver does not respond to retries until the gate opens (B-470)
    fixture.receiver.always(Treatment::status(500));
    for _ in 0..10 {
        fixture.company.person().await;
    }
    fixture.server.settle().await;
    let (gate, treatment) = gate();
    fixture
        .receiver
        .respond_with(move |hit| if hit.attempt() > 1 { treatment.clone() } else { Treatment::status(200) });
    fixture.advance_clock(60);
    fixture.receiver.wait_for(12).await;
    for _ in 0..20 {
        fixture.company.person().await;
    }
    fixture.receiver.wait_for(32).await;
    let hits = fixture.receiver.hits();
    assert_eq!(
        numbers(&hits[10..]).iter().filter(|n| **n == 2).count(),
        2,
        "retries use two of the four slots"
    );
    gate.add_permits(100);
    fixture.server.settle().await;
    assert_eq!(fixture.receiver.hits().len(), 40);
}

#[both_engines]
async fn a_flood_of_new_events_does_not_starve_retries(fixture: EventsFixture) {
    fixture.receiver.then([Treatment::status(500)]);
    let event = fixture.event().await;
    fixture.server.settle().await;
    let (gate, treatment) = gate();
    fixture.receiver.always(treatment);
    for _ in 0..20 {
        fixture.company.person().await;
    }
    fixture.receiver.wait_for(5).await;
    fixture.advance_clock(60);
    // each attempt that ends releases a slot, and one of the next free slots is reserved for the due retry
    fixture.receiver.always(Treatment::status(200));
    gate.add_permits(100);
    fixture.server.settle().await;
    let hits = fixture.receiver.hits();
    let index = hits.iter().position(|hit| hit.id() == event && hit.attempt() == 2).unwrap();
    assert!(index < 10, "new events do not delay a due retry: it is request {index} of {}", hits.len());
}
