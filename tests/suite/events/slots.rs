//! Delivery slots (D-190, `docs/decisions/0003-event-delivery.md`): an attempt uses one of the app's slots, and each
//! installation uses at most four of them. So a company with a backlog, or with attempts that time out, does not delay
//! the events of another company with the same app.

use std::{collections::HashSet, time::Duration};

use switchboard::store::Engine;

use crate::support::*;

/// Returns the behaviour of a receiver that does not respond to events of `companies`, and responds 200 to all other
/// events.
fn hanging(companies: &[&Company]) -> impl Fn(&ReceivedRequest) -> Treatment + Send + Sync + 'static {
    let ids: HashSet<String> = companies.iter().map(|company| company.id.clone()).collect();
    move |hit| match ids.contains(&text(&hit.json(), "/workspace_id")) {
        true => Treatment::Hang(Vec::new()),
        false => Treatment::status(200),
    }
}

/// Returns the number of requests with events of a company.
fn count_of(receiver: &Receiver, company: &Company) -> usize {
    let hits = receiver.hits();
    hits.iter().filter(|hit| text(&hit.json(), "/workspace_id") == company.id).count()
}

async fn started(engine: Engine) -> Option<(Server, Receiver, App)> {
    let receiver = Receiver::start().await;
    let server = Server::with(delivering(engine, &[&receiver])).await?;
    let app = server.app_at(&receiver.url()).await;
    Some((server, receiver, app))
}

async fn a_backlog_delays_no_other_company(engine: Engine) {
    let Some((server, receiver, app)) = started(engine).await else { return };
    let (busy, other) = (server.company().await, server.company().await);
    for company in [&busy, &other] {
        company.install(&app, &ALL_SCOPES).await;
    }
    receiver.respond_with(hanging(&[&busy]));
    for _ in 0..30 {
        busy.person().await;
    }
    receiver.wait_for(4).await;
    // the clock is not moved, so no attempt of `busy` times out
    for n in 1..=10 {
        other.person().await;
        until(async || count_of(&receiver, &other) == n).await;
    }
    assert_eq!(count_of(&receiver, &busy), 4, "an installation uses at most four slots");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backlog_delays_no_other_company_on_sqlite() {
    a_backlog_delays_no_other_company(Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backlog_delays_no_other_company_on_postgres() {
    a_backlog_delays_no_other_company(Engine::Postgres).await;
}

/// Tests that `count` companies whose attempts time out do not delay another company. The server classifies the
/// installations of these companies as slow. From then on they leave a quarter of the app's slots to other companies.
async fn some_companies_hang(count: usize) {
    let (server, receiver, app) = started(Engine::Sqlite).await.expect("SQLite is always available");
    let mut slow = Vec::new();
    for _ in 0..count {
        let company = server.company().await;
        company.install(&app, &ALL_SCOPES).await;
        slow.push(company);
    }
    let other = server.company().await;
    other.install(&app, &ALL_SCOPES).await;
    let all: Vec<_> = slow.iter().collect();
    receiver.respond_with(hanging(&all));
    for company in &slow {
        for _ in 0..8 {
            company.person().await;
        }
    }
    receiver.wait_for(32).await;
    assert_eq!(receiver.open(), 32, "installations that are not slow yet use all slots of the app");
    // wait until an attempt of each company has timed out
    until(|| async {
        server.clock.advance(Duration::from_secs(3));
        let failed = server.log_of(&app, "state=failed").await;
        let known: HashSet<_> = failed.iter().map(|entry| text(entry, "/workspace_id")).collect();
        slow.iter().all(|company| known.contains(&company.id))
    })
    .await;
    // lets the attempts time out that began before their installation was classified as slow
    server.clock.advance(Duration::from_secs(3));
    // causes further events of these companies; their attempts do not time out, because the clock is not moved
    for company in &slow {
        company.person().await;
    }
    for n in 1..=10 {
        other.person().await;
        until(async || count_of(&receiver, &other) == n).await;
    }
    assert!(receiver.most_open() <= 32, "an app has 32 slots, but {} were used", receiver.most_open());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hanging_companies_leave_slots_to_others() {
    some_companies_hang(12).await;
}

/// Tests 70 companies whose attempts time out: more companies than the app's worker serves at the same time.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_hanging_companies_leave_slots_to_others() {
    some_companies_hang(70).await;
}

/// The pool of slots that all apps share is exhausted. Even then, companies whose attempts time out leave a quarter of
/// the app's slots to other companies.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hanging_companies_leave_slots_to_others_if_the_shared_pool_is_exhausted() {
    let receiver = Receiver::start().await;
    // The shared pool has eight slots, and each app has four of its own. So the app has 12 slots at first, and 10 while
    // it is unresponsive, because it may then use only six of the pool.
    let options = Options { event_apps: 4, ..delivering(Engine::Sqlite, &[&receiver]) };
    let server = Server::with(options).await.expect("SQLite is always available");
    let app = server.app_at(&receiver.url()).await;
    let mut slow = Vec::new();
    for _ in 0..6 {
        let company = server.company().await;
        company.install(&app, &ALL_SCOPES).await;
        slow.push(company);
    }
    let other = server.company().await;
    other.install(&app, &ALL_SCOPES).await;
    let all: Vec<_> = slow.iter().collect();
    receiver.respond_with(hanging(&all));
    for company in &slow {
        for _ in 0..8 {
            company.person().await;
        }
    }
    receiver.wait_for(12).await;
    // wait until an attempt of each company has timed out
    until(|| async {
        server.clock.advance(Duration::from_secs(3));
        let failed = server.log_of(&app, "state=failed").await;
        let known: HashSet<_> = failed.iter().map(|entry| text(entry, "/workspace_id")).collect();
        slow.iter().all(|company| known.contains(&company.id))
    })
    .await;
    // lets the attempts time out that began before their installation was classified as slow
    server.clock.advance(Duration::from_secs(3));
    // causes more events than the app has slots; the attempts do not time out, because the clock is not moved
    for company in &slow {
        for _ in 0..4 {
            company.person().await;
        }
    }
    for n in 1..=10 {
        other.person().await;
        until(async || count_of(&receiver, &other) == n).await;
    }
}

/// There are more companies than can have slots at the same time, and each company has a long backlog. Deliveries
/// alternate between the companies, so no company waits until the backlogs of the others are delivered.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_companies_with_backlogs_are_served_in_turns() {
    const COMPANIES: usize = 70;
    const EVENTS: usize = 41;
    let (server, receiver, app) = started(Engine::Sqlite).await.expect("SQLite is always available");
    let (gate, treatment) = gate();
    receiver.always(treatment);
    for _ in 0..COMPANIES {
        let company = server.company().await;
        company.install(&app, &ALL_SCOPES).await;
        company.person().await;
    }
    let copies = format!(
        "INSERT INTO events (id, app_id, installation_id, workspace_id, type, body, created_at, state, attempts,
            next_at)
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {EVENTS} - 1)
         SELECT 1000 * ROW_NUMBER() OVER (ORDER BY e.id) + i, app_id, installation_id, workspace_id, type, body,
            created_at + i, 0, 0, next_at + i
         FROM events e, n"
    );
    server.database.execute(&copies).await;
    gate.add_permits(COMPANIES * EVENTS * 10);
    server.settle().await;
    let mut counts = std::collections::HashMap::<String, usize>::new();
    for hit in receiver.hits() {
        if counts.len() < COMPANIES {
            *counts.entry(text(&hit.json(), "/workspace_id")).or_default() += 1;
        }
    }
    // the counts are those at the time when the last company had its first attempt
    assert_eq!(counts.len(), COMPANIES);
    let most = counts.values().max().unwrap();
    assert!(
        *most < EVENTS,
        "no company has all its attempts before every company has one: {most} of {EVENTS}"
    );
}

/// A search for retries examines a limited number of installations. Here far more installations wait for later retries.
/// The installation with the highest id still gets its retry when the retry is due.
#[both_engines]
async fn a_retry_is_made_beside_thousands_of_installations_with_later_retries(fixture: EventsFixture) {
    fixture.receiver.then([Treatment::status(500)]);
    let event = fixture.event().await;
    fixture.server.settle().await;
    let others =
        "INSERT INTO events (id, app_id, installation_id, workspace_id, type, body, created_at, state,
            attempts, next_at)
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000)
        SELECT i, e.app_id, i, e.workspace_id, e.type, e.body, e.created_at, 0, 1, e.next_at + 86400000000
        FROM events e, n";
    fixture.server.database.execute(others).await;
    fixture.advance_clock(60);
    let hits = fixture.receiver.wait_for(2).await;
    assert_eq!((hits[1].id(), hits[1].attempt()), (event, 2), "the first retry is after a minute (B-428)");
}
