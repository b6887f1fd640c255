//! Half-open connections: the other side has failed and has not closed them.

use std::time::Instant;

use crate::support::{Api, Home, postgres, tcp_proxy::TcpProxy, text, until};

use super::{RECOVERY, Site};

/// Starts a server process that connects to the database through a proxy. `change` adds settings. Returns `None` if the
/// tests have not started a PostgreSQL server of their own.
pub(super) async fn behind_proxy(
    folder: &std::path::Path,
    change: impl FnOnce(Home, &postgres::Database) -> Home,
) -> Option<(postgres::Database, TcpProxy, Site)> {
    let database = postgres::database().await.filter(|_| postgres::is_private())?;
    let proxy = TcpProxy::of_socket(database.server.folder()).await;
    let url = format!("postgres://postgres@{}/{}", proxy.address, database.name());
    let site = Site::start(change(Home::on(folder, url), &database)).await;
    Some((database, proxy, site))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn half_open_connections_are_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let Some((_database, proxy, site)) = behind_proxy(folder.path(), |home, _| home).await else { return };
    // there are more concurrent sends than the pool has connections, so connections are in use when they become
    // half-open
    let traffic = site.traffic(24);
    traffic.acknowledges(100).await;
    for round in 0..2 {
        proxy.discard_open();
        site.recovers(&format!("swallowed-{round}")).await;
        traffic.acknowledges(50).await;
    }
    traffic.prove(&site).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_accepts_connections_and_never_answers_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let Some((_database, proxy, site)) = behind_proxy(folder.path(), |home, _| home).await else { return };
    let traffic = site.traffic(4);
    traffic.acknowledges(20).await;
    proxy.hang_new(true);
    proxy.discard_open();
    // `ready` also asserts that `/readyz` responds in time, even if the database does not respond
    until(async || site.ready().await.0 == 503).await;
    let alive = site.bot.http.get(format!("{}/healthz", site.process.base)).send().await.unwrap();
    assert_eq!(alive.status(), 200);
    assert_eq!(site.send("while-it-hangs").await, 503);
    proxy.hang_new(false);
    site.recovers("hung").await;
    traffic.prove(&site).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn silently_lost_connections_are_reported_even_if_the_next_connection_fails() {
    let folder = tempfile::tempdir().unwrap();
    let Some(database) = postgres::database().await.filter(|_| postgres::is_private()) else { return };
    let proxy = TcpProxy::of_socket(database.server.folder()).await;
    let url = format!("postgres://postgres@{}/{}", proxy.address, database.name());
    let process = Home::on(folder.path(), url).spawn().keeping_log().listening();
    let ready = async || {
        let response = reqwest::get(format!("{}/readyz", process.base)).await.unwrap();
        (response.status().as_u16(), response.text().await.unwrap())
    };
    until(async || ready().await.0 == 200).await;
    proxy.hang_new(true);
    proxy.discard_open();
    // the node number expires after several confirmations have failed
    until(async || ready().await.1.contains("no number of its own")).await;
    proxy.hang_new(false);
    until(async || ready().await.0 == 200).await;
    let log = process.terminated_log();
    assert!(log.contains("failed to confirm the node number"), "{log}");
    assert!(log.contains("were lost silently"), "the log reports that connections were lost silently: {log}");
}

/// Requests a long read, which has a longer timeout than other statements. Returns the status of the response, or 0 if
/// there was no response.
async fn long_read(operator: &Api, path: &str) -> u16 {
    let request = operator
        .http
        .get(format!("{}{path}", operator.base))
        .header("authorization", operator.authorization.as_ref().unwrap());
    request.send().await.map_or(0, |answer| answer.status().as_u16())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn timeouts_detect_half_open_connections_if_only_the_pool_has_them() {
    let folder = tempfile::tempdir().unwrap();
    // The connection that holds the node number uses the direct URL. So it bypasses the proxy, as it would bypass a
    // pooler.
    let change = |home: Home, database: &postgres::Database| {
        home.with("SWITCHBOARD_DATABASE_DIRECT_URL", database.url.clone())
    };
    let Some((_database, proxy, site)) = behind_proxy(folder.path(), change).await else { return };
    let companies = site.operator.get("/admin/v1/workspaces").ok(200).await;
    let path = format!("/admin/v1/workspaces/{}/tool_calls", text(&companies, "/workspaces/0/id"));
    let traffic = site.traffic(24);
    // starts more long reads than may run at the same time
    let mut long_reads = tokio::task::JoinSet::new();
    for _ in 0..12 {
        let (operator, path) = (site.operator.clone(), path.clone());
        long_reads.spawn(async move {
            loop {
                long_read(&operator, &path).await;
            }
        });
    }
    traffic.acknowledges(50).await;
    proxy.discard_open();
    let begun = Instant::now();
    site.recovers("pool").await;
    long_reads.abort_all();
    until(async || long_read(&site.operator, &path).await == 200).await;
    let took = begun.elapsed();
    println!("long reads: recovered after {took:?}");
    assert!(took < RECOVERY, "long reads must recover within {RECOVERY:?}, and took {took:?}");
    traffic.prove(&site).await;
}
