//! The synchronous standby has failed: COMMIT waits for the standby without a bound, and reads do not wait.

use std::time::{Duration, Instant};

use sqlx::{Connection, PgConnection};

use crate::support::{
    Home,
    postgres::{Durability, Server},
    until,
};

use super::Site;

/// A bound on the connections of a node: more than its pool and its other connections have, and far fewer than if each
/// rejected send left a connection that waits in COMMIT.
const MOST_BACKENDS: i64 = 24;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reads_go_on_while_commits_wait_for_a_standby() {
    let Some(primary) = Server::start(Durability::Full) else { return };
    primary.create("waiting", None).await;
    let standby = primary.standby();
    let folder = tempfile::tempdir().unwrap();
    let site = Site::start(Home::on(folder.path(), primary.url("waiting"))).await;
    primary.run("ALTER SYSTEM SET synchronous_standby_names = '*'".to_owned()).await;
    primary.run("SELECT pg_reload_conf()".to_owned()).await;
    let traffic = site.traffic(16);
    traffic.acknowledges(50).await;

    standby.stop();
    until(async || site.ready().await.0 == 503).await;
    assert_eq!(site.ready().await.1["parts"]["store"], "cannot be written");
    let begun = Instant::now();
    assert_eq!(site.send("while-it-waits").await, 503);
    assert!(
        begun.elapsed() < Duration::from_secs(20),
        "a write fails before its deadline: {:?}",
        begun.elapsed()
    );
    for _ in 0..20 {
        let begun = Instant::now();
        assert_eq!(site.read().await, 200, "reads still succeed");
        assert!(begun.elapsed() < Duration::from_secs(3), "reads are not delayed: {:?}", begun.elapsed());
    }
    // connections that wait in COMMIT are not replaced without a bound
    let mut outside = PgConnection::connect(&primary.url("waiting")).await.unwrap();
    let count = "SELECT COUNT(*) FROM pg_stat_activity WHERE application_name = 'switchboard'";
    let backends: i64 = sqlx::query_scalar(count).fetch_one(&mut outside).await.unwrap();
    assert!(backends <= MOST_BACKENDS, "connections that wait in COMMIT are bounded: {backends} are open");
    assert_eq!(site.ready().await.0, 503, "the node is not ready while commits wait");

    standby.start_again();
    site.recovers("standby").await;
    traffic.prove(&site).await;
}
