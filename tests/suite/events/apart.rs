//! Isolation of deliveries (B-470, D-190): an app's server that does not respond delays no deliveries of other apps,
//! and a database error of one event delays no other events. Also timeouts of attempts while the database does not
//! respond, and lease renewals that the database rejects.

use std::time::Duration;

use serde_json::json;
use sqlx::{AssertSqlSafe, PgConnection};
use switchboard::store::{DatabaseUrl, Engine};

use crate::support::*;

/// Apps whose servers do not respond do not delay another app. The clock is not moved, so no attempt times out.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn apps_that_do_not_respond_delay_no_other_app() {
    let (dead, slow, good) = (Receiver::start().await, Receiver::start().await, Receiver::start().await);
    dead.always(Treatment::Hang(Vec::new()));
    slow.always(Treatment::Hang(b"HTTP/1.1 2".to_vec()));
    let server = Server::with(delivering(Engine::Sqlite, &[&dead, &slow, &good])).await.unwrap();
    let company = server.company().await;
    for receiver in [&dead, &slow, &good] {
        let app = server.app_at(&receiver.url()).await;
        company.install(&app, &ALL_SCOPES).await;
    }
    for _ in 0..50 {
        company.person().await;
    }
    assert_eq!(good.wait_for(50).await.len(), 50);
    assert_eq!((dead.hits().len(), slow.hits().len()), (4, 4));
}

/// Many apps have servers that never respond, and the server of one app responds. As soon as the many apps are
/// classified as unresponsive, they leave slots for the responsive app. The number of unresponsive apps does not
/// matter.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unresponsive_apps_leave_slots_to_others() {
    let (dead, good) = (Receiver::start().await, Receiver::start().await);
    dead.always(Treatment::Hang(Vec::new()));
    // the events of at most `event_apps` apps are delivered at the same time; three times as many apps are unresponsive
    let options = Options { event_apps: 4, ..delivering(Engine::Sqlite, &[&dead, &good]) };
    let server = Server::with(options).await.unwrap();
    let (company, other) = (server.company().await, server.company().await);
    let mut apps = Vec::new();
    for _ in 0..12 {
        let app = server.app_at(&dead.url()).await;
        company.install(&app, &ALL_SCOPES).await;
        apps.push(app);
    }
    let app = server.app_at(&good.url()).await;
    other.install(&app, &ALL_SCOPES).await;
    for _ in 0..4 {
        company.person().await;
    }
    // wait until an attempt of each unresponsive app has timed out
    until(|| async {
        server.clock.advance(Duration::from_secs(3));
        for app in &apps {
            if server.log_of(app, "state=failed").await.is_empty() {
                return false;
            }
        }
        true
    })
    .await;
    // causes more events than the unresponsive apps have slots; the attempts of these events do not time out, because
    // the clock is not moved
    for _ in 0..8 {
        company.person().await;
    }
    for n in 1..=20 {
        other.person().await;
        good.wait_for(n).await;
    }
    let (gate, treatment) = gate();
    good.always(treatment);
    for _ in 0..8 {
        other.person().await;
    }
    good.wait_for(24).await;
    gate.add_permits(8);
    good.wait_for(28).await;
    assert_eq!(good.most_open(), 4, "the responsive app gets all of its slots");
}

/// An attempt times out after three seconds, even while its worker waits for the database.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_attempt_times_out_while_the_worker_waits_for_the_database() {
    let Some(fixture) = EventsFixture::on(Engine::Postgres).await else { return };
    let (mut locker, mut outside) =
        (fixture.server.database.outside().await, fixture.server.database.outside().await);
    fixture.receiver.always(Treatment::Hang(Vec::new()));
    // The worker's query waits for the lock for at most 60 seconds, the `lock_timeout` of the test server. On a busy
    // machine the steps of the test may take longer, so the test makes up to five tries.
    for round in 1..=5 {
        fixture.company.person().await;
        fixture.receiver.wait_for(round).await;
        run(&mut locker, "BEGIN").await;
        run(&mut locker, "LOCK TABLE events IN ACCESS EXCLUSIVE MODE").await;
        // wait until the worker's query for further due events waits for the lock
        let begun = std::time::Instant::now();
        let waiting = loop {
            match waiting_worker(&mut outside).await {
                Some(waiting) => break waiting,
                None => assert!(begun.elapsed() < Duration::from_secs(60), "the worker must query events"),
            }
        };
        fixture.advance_clock(3);
        until(|| async { fixture.receiver.open() == 0 }).await;
        let is_waiting = waiting_worker(&mut outside).await == Some(waiting);
        run(&mut locker, "ROLLBACK").await;
        fixture.server.settle().await;
        assert_eq!(fixture.server.log_of(&fixture.bot.app, "state=failed").await[0]["error"], "timeout");
        if is_waiting {
            return;
        }
    }
    panic!("an attempt must time out while its worker waits for the database");
}

async fn run(connection: &mut PgConnection, sql: &'static str) {
    sqlx::query(sql).execute(connection).await.unwrap();
}

/// Returns the process id and the start time of a worker's query that waits for a lock.
async fn waiting_worker(outside: &mut PgConnection) -> Option<(i32, String)> {
    sqlx::query_as(
        "SELECT pid, query_start::text FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%FROM events%'
            AND query LIKE '%installation_id%'",
    )
    .fetch_optional(outside)
    .await
    .unwrap()
}

/// A failed renewal of a lease is retried after a pause of 250 ms.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failed_lease_renewal_is_retried_after_a_pause() {
    let Some(fixture) = EventsFixture::on(Engine::Postgres).await else { return };
    // an open attempt keeps the worker running
    let (gate, treatment) = gate();
    fixture.receiver.then([treatment]);
    fixture.company.person().await;
    fixture.receiver.wait_for(1).await;
    let mut outside = fixture.server.database.outside().await;
    // counts the failed renewals in a sequence, because sequences are not rolled back
    run(&mut outside, "CREATE SEQUENCE renewals").await;
    run(
        &mut outside,
        "CREATE FUNCTION no_renewal() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN PERFORM nextval('renewals'); RAISE EXCEPTION 'refused'; END $$",
    )
    .await;
    run(
        &mut outside,
        "CREATE TRIGGER no_renewal BEFORE UPDATE ON event_leases FOR EACH ROW EXECUTE FUNCTION no_renewal()",
    )
    .await;
    let mut failed = async || -> u32 {
        let count: i64 =
            sqlx::query_scalar("SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM renewals")
                .fetch_one(&mut outside)
                .await
                .unwrap();
        count.try_into().unwrap()
    };
    let mut wait_for = async |count: u32| {
        let begun = std::time::Instant::now();
        loop {
            let failed = failed().await;
            if failed >= count {
                return failed;
            }
            assert!(
                begun.elapsed() < Duration::from_secs(60),
                "a failed renewal is retried, but only {failed} of {count} renewals were attempted"
            );
        }
    };
    let first = wait_for(1).await;
    let begun = std::time::Instant::now();
    let count = wait_for(first + 4).await - first;
    // the first pause may have begun before `begun`, so it is not counted
    assert!(
        begun.elapsed() >= Duration::from_millis(250) * (count - 1),
        "a failed renewal is followed by a pause of 250 ms, but {count} renewals failed in {:?}",
        begun.elapsed()
    );
    // deliveries continue when the database accepts renewals again
    run(&mut fixture.server.database.outside().await, "DROP TRIGGER no_renewal ON event_leases").await;
    gate.add_permits(1);
    fixture.server.settle().await;
    assert_eq!(fixture.log().await[0]["state"], "delivered");
}

/// Creates the trigger `name`. The trigger makes the database reject each `statement` (such as `INSERT`) on the rows of
/// `table` for which `condition` is true. The server does not regard this error as an unavailable database. If it
/// did, it would store no results of any event, and start no attempts.
async fn refuse(server: &Server, name: &str, table: &str, statement: &str, condition: &str) {
    match &server.database.url {
        DatabaseUrl::Sqlite(file) => {
            let database = rusqlite::Connection::open(file).unwrap();
            database.busy_timeout(Duration::from_secs(60)).unwrap();
            database
                .execute_batch(&format!(
                    "CREATE TRIGGER {name} BEFORE {statement} ON {table} WHEN {condition}
                     BEGIN SELECT RAISE(ABORT, 'refused'); END"
                ))
                .unwrap();
        }
        DatabaseUrl::Postgres(_) => {
            let mut outside = server.database.outside().await;
            for sql in [
                format!(
                    "CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS
                     $$ BEGIN RAISE EXCEPTION 'refused'; END $$"
                ),
                format!(
                    "CREATE TRIGGER {name} BEFORE {statement} ON {table} FOR EACH ROW WHEN ({condition})
                     EXECUTE FUNCTION {name}()"
                ),
            ] {
                sqlx::query(AssertSqlSafe(sql)).execute(&mut outside).await.unwrap();
            }
        }
    }
}

#[both_engines]
async fn a_result_that_cannot_be_logged_delays_no_other_event(fixture: EventsFixture) {
    refuse(&fixture.server, "no_teapot", "delivery_attempts", "INSERT", "NEW.status = 418").await;
    let (gate, treatment) = gate();
    fixture.receiver.then([Treatment::status(418), treatment]);
    let event = fixture.event().await;
    // this event must be the first to arrive, because the receiver's responses are assigned in the order of arrival
    until(|| async { fixture.receiver.hits().iter().any(|hit| hit.id() == event) }).await;
    for _ in 0..10 {
        fixture.company.person().await;
    }
    gate.add_permits(1);
    fixture.server.settle().await;
    // The retry schedule of the event continues, although the entry of its first attempt is missing in the log. On a
    // busy machine other attempts may have timed out; they are retried now as well.
    fixture.advance(60).await;
    let log = fixture.server.log_of(&fixture.bot.app, "state=delivered").await;
    assert_eq!(log.len(), 11);
    let log = fixture.server.log_of(&fixture.bot.app, &format!("event_id={event}")).await;
    assert_eq!((log.len(), &log[0]["attempt"], &log[0]["state"]), (1, &json!(2), &json!("delivered")));
}

#[both_engines]
async fn a_result_that_cannot_be_written_delays_no_other_event(fixture: EventsFixture) {
    refuse(&fixture.server, "no_failure", "events", "UPDATE", "NEW.state = 0 AND NEW.attempts = 1").await;
    fixture.receiver.then([Treatment::status(500)]);
    let event = fixture.event().await;
    // this event must be the first to arrive, because the receiver's responses are assigned in the order of arrival
    until(|| async { fixture.receiver.hits().iter().any(|hit| hit.id() == event) }).await;
    for _ in 0..10 {
        fixture.company.person().await;
    }
    // the event stays due, so `settle`, which waits until no event is due, would wait until its timeout of 30 seconds
    let delivered = async |count: usize| {
        until(|| async { fixture.server.log_of(&fixture.bot.app, "state=delivered").await.len() == count })
            .await;
    };
    delivered(10).await;
    // the delivery of a later event does not cause another attempt of this event
    fixture.company.person().await;
    delivered(11).await;
    let hits = fixture.receiver.hits();
    assert_eq!(hits.iter().filter(|hit| hit.id() == event).count(), 1);
}
