//! The shutdown of a process whose database does not respond.

use std::time::{Duration, Instant};

use super::{Site, half_open::behind_proxy};
use crate::support::{Api, Home, postgres, until};

/// The setting `drain_seconds`: the time for which a shutdown waits for requests in progress.
const DRAIN: u64 = 3;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sigterm_ends_a_process_whose_connections_hang() {
    let folder = tempfile::tempdir().unwrap();
    let change =
        |home: Home, _: &postgres::Database| home.with("SWITCHBOARD_DRAIN_SECONDS", DRAIN.to_string());
    let Some((_database, proxy, site)) = behind_proxy(folder.path(), change).await else { return };
    let traffic = site.traffic(24);
    traffic.acknowledges(50).await;
    proxy.hang_new(true);
    proxy.discard_open();
    // some requests run a query that hangs, and other requests wait for a connection of the pool
    let before = Instant::now();
    until(async || site.ready().await.0 == 503).await;
    println!("not ready after {:?}", before.elapsed());
    let Site { process, .. } = site;
    let begun = Instant::now();
    // the process ends at most three seconds after `drain_seconds` (`docs/operations.md`)
    let code = process.terminated_within(Duration::from_secs(DRAIN + 3));
    println!("ended after {:?}", begun.elapsed());
    assert_eq!(code, Some(0), "the process exits with success");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sigterm_ends_a_process_whose_sqlite_database_is_locked() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::start(Home::sqlite(folder.path()).with("SWITCHBOARD_DRAIN_SECONDS", "1")).await;
    let traffic = site.traffic(24);
    traffic.acknowledges(50).await;
    let other = rusqlite::Connection::open(folder.path().join("data.db")).unwrap();
    other.busy_timeout(Duration::from_secs(30)).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    // The first commit fails after it has waited five seconds for the lock. Then the server is not ready, and the next
    // commit waits for the lock during the shutdown.
    until(async || site.ready().await.0 == 503).await;
    let Site { home, process, bot, group, .. } = site;
    let begun = Instant::now();
    // five seconds: one for `drain_seconds`, three more that `docs/operations.md` allows, and one of tolerance
    let code = process.terminated_within(Duration::from_secs(5));
    println!("ended after {:?}", begun.elapsed());
    traffic.stop();
    assert_eq!(code, Some(0), "the process exits with success");
    other.execute_batch("ROLLBACK").unwrap();

    let process = home.start();
    let operator = home.operator(&process);
    let bot = Api { base: process.base.clone(), ..bot };
    traffic.prove(&Site { home, process, bot, operator, group }).await;
}
