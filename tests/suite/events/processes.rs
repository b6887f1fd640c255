//! Delivery of events by several processes, which run concurrently or one after the other. No event is ever lost. If no
//! process dies, each event is sent once (B-471, D-185).

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use serde_json::{Value, json};
use switchboard::{
    domain::{
        delivery::{Attempt, LeaseClaim, Retry},
        ids::{AppId, EventId},
        time::Timestamp,
        token::{self, TokenKind},
    },
    store::Engine,
};

use crate::support::{receiver::authority_pem, server::START, *};

#[both_engines]
async fn only_one_result_of_an_attempt_counts(fixture: EventsFixture) {
    // a process whose lease has expired must not overwrite the result that another process stored
    let (_gate, treatment) = gate();
    fixture.receiver.always(treatment);
    let event = fixture.event().await;
    fixture.receiver.wait_for(1).await;
    let world = fixture.server.running().world();
    let record = |before: i64, id: i64, status: i64| Record {
        app: AppId::parse(&fixture.bot.app.id).unwrap(),
        attempt: Attempt {
            id,
            event_id: EventId::parse(&event).unwrap(),
            before,
            at: Timestamp(0),
            ended_at: world.clock.now(),
            retry: Retry::after(before + 1, world.clock.now()),
            delivered: status == 200,
            status: Some(status),
            error: None,
            latency_ms: 1,
            response_body: None,
        },
    };
    assert!(world.db.write(record(0, 1, 500)).await.unwrap());
    assert!(!world.db.write(record(0, 2, 200)).await.unwrap(), "an attempt has only one result");
    // the log has the planned second attempt and the stored first attempt
    let log = fixture.log().await;
    assert_eq!((log.len(), text(&log[0], "/state")), (2, "pending".to_owned()));
    assert!(world.db.write(record(1, 3, 200)).await.unwrap());
    assert!(!world.db.write(record(2, 4, 500)).await.unwrap(), "a delivered event takes no further result");
}

#[both_engines]
async fn a_redelivery_during_an_attempt_restarts_the_schedule(fixture: EventsFixture) {
    let (_gate, treatment) = gate();
    fixture.receiver.always(treatment);
    let event = fixture.event().await;
    fixture.receiver.wait_for(1).await;
    let world = fixture.server.running().world();
    // the redelivery is requested during the third attempt
    for before in 0..3 {
        if before == 2 {
            fixture.server.operator().redeliver(&fixture.bot.app, &event).await;
        }
        let attempt = Attempt {
            id: before + 1,
            event_id: EventId::parse(&event).unwrap(),
            before,
            at: Timestamp(0),
            ended_at: START,
            retry: Retry::after(before + 1, START),
            delivered: false,
            status: Some(500),
            error: None,
            latency_ms: 1,
            response_body: None,
        };
        let app = AppId::parse(&fixture.bot.app.id).unwrap();
        assert!(world.db.write(Record { app, attempt }).await.unwrap());
    }
    let failed = fixture.server.log_of(&fixture.bot.app, "state=failed").await;
    let retries: Vec<_> = failed.iter().rev().map(|entry| text(entry, "/next_attempt_at")).collect();
    let after = |minutes: u64| (START + Duration::from_secs(minutes * 60)).to_rfc3339();
    assert_eq!(
        retries,
        [after(1), after(5), after(1)],
        "the retry after the redelivery has the first delay of the schedule (W-48)"
    );
}

#[both_engines]
async fn a_lease_has_one_holder_at_a_time(fixture: EventsFixture) {
    let world = fixture.server.running().world();
    let claim = async |holder: i64, micros: i64| {
        world.db.write(Lease { app: AppId(7), holder, micros }).await.unwrap()
    };
    assert_eq!(claim(1, 3_600_000_000).await, LeaseClaim::Held);
    assert_eq!(claim(2, 3_600_000_000).await, LeaseClaim::Refused);
    // a renewal with a duration of zero lets the lease expire
    assert_eq!(claim(1, 0).await, LeaseClaim::Held);
    assert_eq!(claim(2, 3_600_000_000).await, LeaseClaim::TakenOver);
    assert_eq!(claim(1, 3_600_000_000).await, LeaseClaim::Refused);
}

/// Two processes on one database send each event once, whichever process inserted the event. If a process dies, another
/// process sends the pending events.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_processes_send_each_event_once_and_another_process_replaces_a_dead_one() {
    let Some(fixture) = EventsFixture::on(Engine::Postgres).await else { return };
    let other = fixture.server.another_node_with_same_clock().await;
    let make = async |server: &Server| {
        let body = json!({"name": "P", "email": format!("{}@example.com", fresh_key())});
        server.operator().post(&fixture.company.path("/users")).json(&body).ok(201).await;
    };
    for _ in 0..50 {
        make(&fixture.server).await;
        make(&other).await;
    }
    fixture.receiver.wait_for(100).await;
    fixture.server.settle().await;
    other.settle().await;
    let count = |hits: &[ReceivedRequest]| {
        let mut ids = BTreeMap::<String, usize>::new();
        for hit in hits {
            *ids.entry(hit.id()).or_default() += 1;
        }
        ids
    };
    let hits = fixture.receiver.hits();
    assert_eq!((hits.len(), count(&hits).len()), (100, 100), "each event is sent once");
    // the process that holds the lease dies during an attempt; after the lease has expired, another process takes over
    let (gate, treatment) = gate();
    fixture.receiver.always(treatment);
    let EventsFixture { server, receiver, bot, .. } = &fixture;
    server.running().stop();
    make(&other).await;
    receiver.wait_for(101).await;
    let survivor = other.another_node_with_same_clock().await;
    other.kill().await;
    receiver.always(Treatment::status(200));
    gate.add_permits(10);
    let hits = receiver.wait_for(102).await;
    assert_eq!(
        (hits[100].id(), hits[100].attempt()),
        (hits[101].id(), hits[101].attempt()),
        "an attempt whose result was lost is repeated (D-185)"
    );
    until(|| async { survivor.log_of(&bot.app, "").await[0]["state"] == "delivered" }).await;
    assert_eq!(receiver.hits().len(), 102);
}

/// The program is killed with `kill -9` several times while changes are made. Every event of an acknowledged change is
/// delivered. `DURABILITY_ROUNDS` sets how often the program is killed; the default is 5.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn kill_9_loses_no_event() {
    let rounds: usize = std::env::var("DURABILITY_ROUNDS").map_or(5, |text| text.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let operator_key = token::mint(TokenKind::Operator, &[9; 32]);
    let receiver = Receiver::start().await;
    let authority = folder.path().join("authority.pem");
    std::fs::write(&authority, authority_pem()).unwrap();
    let address = receiver.address.to_string();
    let settings = [
        ("SWITCHBOARD_ENVIRONMENT", "dev"),
        ("SWITCHBOARD_TEST_CLOCK", "1"),
        ("SWITCHBOARD_LIMITS_SCALE", "1000000"),
        ("SWITCHBOARD_EXTRA_CA_FILE", authority.to_str().unwrap()),
        ("SWITCHBOARD_ALLOW_PRIVATE_HOSTS", address.as_str()),
    ];
    let mut process = Process::start(folder.path(), &operator_key, &settings);
    let company = Company::create(process.api(&operator_key)).await;
    let app = App::register_at(&company.operator, &ALL_SCOPES, &receiver.url()).await;
    company.install(&app, &ALL_SCOPES).await;
    let mut made = Vec::new();
    for round in 0..rounds {
        let operator = process.api(&operator_key);
        let people: Vec<_> = (0..4)
            .map(|writer| {
                let (operator, path) = (operator.clone(), company.path("/users"));
                tokio::spawn(async move {
                    let mut made = Vec::new();
                    for n in 0.. {
                        let email = format!("p{round}-{writer}-{n}@example.com");
                        let body = json!({"name": "P", "email": email}).to_string();
                        let request = operator.http.post(format!("{}{path}", operator.base)).body(body);
                        let request = request
                            .header("content-type", "application/json")
                            .header("authorization", operator.authorization.as_deref().unwrap());
                        let Ok(response) = request.send().await else { break };
                        if response.status() != 201 {
                            break;
                        }
                        let Ok(bytes) = response.bytes().await else { break };
                        let answer: Value = serde_json::from_slice(&bytes).unwrap();
                        made.push(text(&answer, "/user/id"));
                    }
                    made
                })
            })
            .collect();
        // kills the process while the writers are adding people
        let before = receiver.hits().len();
        receiver.wait_for(before + 30).await;
        process.kill();
        for writer in people {
            made.extend(writer.await.unwrap());
        }
        process = Process::start(folder.path(), &operator_key, &settings);
    }
    delivered(&process.api(&operator_key), &app, || async {
        let received: BTreeSet<String> =
            receiver.hits().iter().map(|hit| text(&hit.json(), "/data/id")).collect();
        made.iter().all(|person| received.contains(person))
    })
    .await;
    assert!(made.len() >= 10 * rounds);
    process.kill();
}
