//! Connections to the database that are cut during COMMIT, that are cut at another time, or that are slow.

use std::time::Duration;

use crate::support::until;

use super::half_open::behind_proxy;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_cut_in_commit_loses_nothing_and_duplicates_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let Some((_database, proxy, site)) = behind_proxy(folder.path(), |home, _| home).await else { return };
    let traffic = site.traffic(6);
    traffic.acknowledges(20).await;
    // the connection is cut after PostgreSQL has received COMMIT, so PostgreSQL commits and its response is lost
    proxy.cut_after(Some(b"COMMIT"));
    until(async || proxy.cut_connections() >= 30).await;
    proxy.cut_after(None);
    site.recovers("cut-in-COMMIT").await;
    traffic.prove(&site).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slow_connections_and_cuts_outside_of_commits_cause_no_error() {
    let folder = tempfile::tempdir().unwrap();
    let Some((_database, proxy, site)) = behind_proxy(folder.path(), |home, _| home).await else { return };
    assert_eq!(site.send("before").await, 201);
    // Permissions count as current for 120 ms after they were looked up. The delay applies in each direction, so with
    // 80 ms a round trip takes 160 ms. A read then looks the permissions up again before it responds.
    for delay in [40, 80] {
        proxy.delay(Duration::from_millis(delay));
        for turn in 0..3 {
            assert_eq!(site.send(&format!("slow-{delay}-{turn}")).await, 201);
            assert_eq!(site.read().await, 200, "a read succeeds with a delay of {delay} ms, turn {turn}");
        }
    }
    // all open connections are cut together, none of them during COMMIT; no request fails
    proxy.delay(Duration::ZERO);
    for turn in 0..5 {
        proxy.cut_open();
        assert_eq!(site.send(&format!("cut-{turn}")).await, 201);
        assert_eq!(site.read().await, 200);
    }
}
