//! A synchronous standby that fails. COMMIT then waits for the standby without a time limit, but reads do not wait.

use std::time::{Duration, Instant};

use sqlx::{Connection, PgConnection};

use crate::support::{
    Home,
    pgbouncer::Pgbouncer,
    postgres::{Durability, Server},
    until,
};

use super::Site;

/// The tests fail if clients have more sessions than this on the tests' database. A node has fewer connections. If each
/// failed send left a session that waits in COMMIT, there would be far more sessions.
const MAX_BACKENDS: i64 = 24;

/// The time for which COMMITs wait for the standby in the test with a pooler. A session that waits in COMMIT does not
/// end when its client disconnects. If the node replaced each waiting connection after ten seconds, more than
/// [`MAX_BACKENDS`] sessions would wait in COMMIT at the end of this time.
const WITHOUT_STANDBY: Duration = Duration::from_secs(45);

/// Returns the number of sessions of clients on the database to which `outside` is connected, without the session of
/// `outside`.
async fn backends(outside: &mut PgConnection) -> i64 {
    let count = "SELECT COUNT(*) FROM pg_stat_activity
        WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()";
    sqlx::query_scalar(count).fetch_one(outside).await.unwrap()
}

/// Starts a primary and its standby. COMMIT does not wait for the standby before [`require_standby`] is called. Returns
/// `None` if PostgreSQL is not installed.
async fn with_standby() -> Option<(Server, Server)> {
    let primary = Server::start(Durability::Full)?;
    primary.create("waiting", None).await;
    let standby = primary.standby();
    Some((primary, standby))
}

/// Makes COMMIT wait for the standby.
async fn require_standby(primary: &Server) {
    primary.run("ALTER SYSTEM SET synchronous_standby_names = '*'".to_owned()).await;
    primary.run("SELECT pg_reload_conf()".to_owned()).await;
}

/// Stops the standby, and asserts that writes fail and that reads succeed.
async fn stop(standby: &Server, site: &Site) {
    standby.stop();
    until(async || site.ready().await.0 == 503).await;
    assert_eq!(site.ready().await.1["parts"]["store"], "cannot be written");
    let begun = Instant::now();
    assert_eq!(site.send("while-it-waits").await, 503);
    assert!(
        begun.elapsed() < Duration::from_secs(20),
        "a write fails within 20 seconds: {:?}",
        begun.elapsed()
    );
    for _ in 0..20 {
        let begun = Instant::now();
        site.assert_reads().await;
        assert!(begun.elapsed() < Duration::from_secs(3), "reads are not delayed: {:?}", begun.elapsed());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reads_go_on_while_commits_wait_for_a_standby() {
    let Some((primary, standby)) = with_standby().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let site = Site::start(Home::on(folder.path(), primary.url("waiting"))).await;
    require_standby(&primary).await;
    let traffic = site.traffic(16);
    traffic.acknowledges(50).await;

    stop(&standby, &site).await;
    // a connection that waits in COMMIT keeps its slot in the pool, so the number of such connections is limited
    let mut outside = PgConnection::connect(&primary.url("waiting")).await.unwrap();
    let open = backends(&mut outside).await;
    assert!(open <= MAX_BACKENDS, "at most {MAX_BACKENDS} sessions are open while commits wait: {open}");
    assert_eq!(site.ready().await.0, 503, "the node is not ready while commits wait");

    standby.start_again();
    site.recovers("standby").await;
    traffic.prove(&site).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reads_go_on_while_commits_wait_for_a_standby_behind_a_pooler() {
    let Some((primary, standby)) = with_standby().await else { return };
    let (folder, bouncing) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let Some(pooler) = Pgbouncer::start_with(&primary, bouncing.path(), 12).await else { return };
    let home = Home::on(folder.path(), format!("postgres://postgres@{}/waiting", pooler.address))
        .with("SWITCHBOARD_DATABASE_DIRECT_URL", primary.url("waiting"));
    let site = Site::start(home).await;
    require_standby(&primary).await;
    let traffic = site.traffic(16);
    traffic.acknowledges(50).await;

    stop(&standby, &site).await;
    let mut outside = PgConnection::connect(&primary.url("waiting")).await.unwrap();
    let begun = Instant::now();
    until(async || {
        site.assert_reads().await;
        let open = backends(&mut outside).await;
        assert!(open <= MAX_BACKENDS, "at most {MAX_BACKENDS} sessions are open while commits wait: {open}");
        begun.elapsed() > WITHOUT_STANDBY
    })
    .await;
    assert_eq!(site.ready().await.0, 503, "the node is not ready while commits wait");

    standby.start_again();
    site.recovers("standby").await;
    traffic.prove(&site).await;
}
