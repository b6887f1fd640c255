//! How events flow: order, places, apps that do not hinder each other, ends and restarts, several processes (B-469 …
//! B-471, D-183 … D-190).

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use serde_json::{Value, json};
use switchboard::{
    domain::{
        ids::{AppId, EventId},
        time::Timestamp,
        token::{self, Kind},
    },
    store::{
        Engine, Op, Result, Sql,
        deliveries::{self, Attempt},
        event_leases::{self, Claim},
    },
};
use tokio::sync::Semaphore;

use crate::{
    staged,
    support::{receiver::authority_pem, *},
};

/// Nobody is let through until permits are added.
fn gate() -> (Arc<Semaphore>, Act) {
    let gate = Arc::new(Semaphore::new(0));
    (Arc::clone(&gate), Act::Gate(gate))
}

fn numbers(hits: &[Hit]) -> Vec<u32> {
    hits.iter().map(Hit::attempt).collect()
}

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

    async fn only_one_result_of_an_attempt_counts(stage: Stage) {
        // what keeps a process that was thought dead from undoing what another did after it
        let (_gate, act) = gate();
        stage.receiver.always(act);
        let event = stage.event().await;
        stage.receiver.heard(1).await;
        let world = stage.server.running().world();
        let record = |before: i64, id: i64, status: i64| Record {
            app: AppId::parse(&stage.bot.app.id).unwrap(),
            attempt: Attempt {
                id, event_id: EventId::parse(&event).unwrap(), before, at: Timestamp(0), ended_at: world.clock.now(),
                delivered: status == 200, status: Some(status), error: None, latency_ms: 1, answer: None,
            },
        };
        assert!(world.db.write(record(0, 1, 500)).await.unwrap());
        assert!(!world.db.write(record(0, 2, 200)).await.unwrap(), "the first attempt has a result");
        let log = stage.log().await;
        assert_eq!((log.len(), text(&log[0], "/state")), (2, "pending".to_owned()));
        assert!(world.db.write(record(1, 3, 200)).await.unwrap());
        assert!(!world.db.write(record(2, 4, 500)).await.unwrap(), "it was delivered");
    }

    async fn one_holder_at_a_time(stage: Stage) {
        let world = stage.server.running().world();
        let claim = async |holder: i64, micros: i64| {
            world.db.write(Lease { app: AppId(7), holder, micros }).await.unwrap()
        };
        assert_eq!(claim(1, 3_600_000_000).await, Claim::Held);
        assert_eq!(claim(2, 3_600_000_000).await, Claim::Refused);
        // a renewal for no time at all lets it run out
        assert_eq!(claim(1, 0).await, Claim::Held);
        assert_eq!(claim(2, 3_600_000_000).await, Claim::TakenOver);
        assert_eq!(claim(1, 3_600_000_000).await, Claim::Refused);
    }
}

struct Record {
    app: AppId,
    attempt: Attempt,
}

impl Op for Record {
    const NAME: &'static str = "test_record";
    type Out = bool;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<bool> {
        deliveries::record(c, self.app, &self.attempt).await
    }
}

struct Lease {
    app: AppId,
    holder: i64,
    micros: i64,
}

impl Op for Lease {
    const NAME: &'static str = "test_lease";
    type Out = Claim;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Claim> {
        event_leases::claim(c, self.app, self.holder, self.micros).await
    }
}

/// An app whose server is dead takes nothing from another: no moved clock helps the other one here.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn dead_and_slow_apps_delay_nobody() {
    let (dead, slow, good) = (Receiver::start().await, Receiver::start().await, Receiver::start().await);
    dead.always(Act::Hang(Vec::new()));
    slow.always(Act::Hang(b"HTTP/1.1 2".to_vec()));
    let server = Server::with(delivering(Engine::Sqlite, &[&dead, &slow, &good])).await.unwrap();
    let company = server.company().await;
    for receiver in [&dead, &slow, &good] {
        let app = server.app_at(&receiver.url()).await;
        company.install(&app, &ALL_SCOPES).await;
    }
    for _ in 0..50 {
        company.person().await;
    }
    assert_eq!(good.heard(50).await.len(), 50);
    assert_eq!((dead.hits().len(), slow.hits().len()), (4, 4));
}

/// Two processes on one database: each event is sent once, whichever made it, and what one leaves behind the other
/// finishes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_processes() {
    let Some(stage) = Stage::on(Engine::Postgres).await else { return };
    let other = stage.server.alongside().await;
    let make = async |server: &Server| {
        let body = json!({"name": "P", "email": format!("{}@example.com", fresh_key())});
        server.operator().post(&stage.company.path("/users")).json(&body).ok(201).await;
    };
    for _ in 0..50 {
        make(&stage.server).await;
        make(&other).await;
    }
    stage.receiver.heard(100).await;
    stage.server.settle().await;
    other.settle().await;
    let count = |hits: &[Hit]| {
        let mut ids = BTreeMap::<String, usize>::new();
        for hit in hits {
            *ids.entry(hit.id()).or_default() += 1;
        }
        ids
    };
    let hits = stage.receiver.hits();
    assert_eq!((hits.len(), count(&hits).len()), (100, 100), "once each");
    // one of them dies with an attempt under way; the lease is its, so it must run out first
    let (gate, act) = gate();
    stage.receiver.always(act);
    let Stage { server, receiver, bot, .. } = &stage;
    server.running().stop();
    make(&other).await;
    receiver.heard(101).await;
    let survivor = other.alongside().await;
    other.kill().await;
    receiver.always(Act::status(200));
    gate.add_permits(10);
    let hits = receiver.heard(102).await;
    assert_eq!((hits[100].id(), hits[100].attempt()), (hits[101].id(), hits[101].attempt()));
    until(|| async { survivor.log_of(&bot.app, "").await[0]["state"] == "delivered" }).await;
    assert_eq!(receiver.hits().len(), 102);
}

/// `kill -9` of the real program again and again while events are made: every event of an acknowledged change
/// arrives.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn kill_9_loses_no_event() {
    let rounds: usize = std::env::var("DURABILITY_ROUNDS").map_or(5, |text| text.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let operator_key = token::mint(Kind::Operator, &[9; 32]);
    let receiver = Receiver::start().await;
    let authority = folder.path().join("authority.pem");
    std::fs::write(&authority, authority_pem()).unwrap();
    let place = receiver.address.to_string();
    let settings = [
        ("SWITCHBOARD_ENVIRONMENT", "dev"),
        ("SWITCHBOARD_TEST_CLOCK", "1"),
        ("SWITCHBOARD_LIMITS_SCALE", "1000000"),
        ("SWITCHBOARD_EXTRA_CA_FILE", authority.to_str().unwrap()),
        ("SWITCHBOARD_ALLOW_PRIVATE_HOSTS", place.as_str()),
    ];
    let mut process = Process::start(folder.path(), &operator_key, &settings);
    let company = Company::create(process.api(&operator_key)).await;
    let app = App::register_at(&company.operator, &ALL_SCOPES, &receiver.url()).await;
    company.install(&app, &ALL_SCOPES).await;
    let mut made = Vec::new();
    for round in 0..rounds {
        let operator = process.api(&operator_key);
        let people: Vec<_> = (0..4)
            .map(|lane| {
                let (operator, path) = (operator.clone(), company.path("/users"));
                tokio::spawn(async move {
                    let mut made = Vec::new();
                    for n in 0.. {
                        let email = format!("p{round}-{lane}-{n}@example.com");
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
        // in the middle of it all
        let before = receiver.hits().len();
        receiver.heard(before + 30).await;
        process.kill();
        for lane in people {
            made.extend(lane.await.unwrap());
        }
        process = Process::start(folder.path(), &operator_key, &settings);
    }
    delivered(&process.api(&operator_key), &app, || async {
        let heard: std::collections::BTreeSet<String> =
            receiver.hits().iter().map(|hit| text(&hit.json(), "/data/id")).collect();
        made.iter().all(|person| heard.contains(person))
    })
    .await;
    assert!(made.len() >= 10 * rounds);
    process.kill();
}
