//! Half-open connections: the other side has failed without closing them.

use crate::support::{Home, postgres, tcp_proxy::TcpProxy, until};

use super::Site;

/// A server process that connects to the database through a proxy, with the settings of `change`.
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
    // more requests than the pool has connections, so that every connection is in use
    let traffic = site.traffic(24);
    traffic.acknowledges(100).await;
    for round in 0..2 {
        proxy.swallow_open();
        site.recovers(&format!("swallowed-{round}")).await;
        traffic.acknowledges(50).await;
    }
    traffic.prove(&site).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_accepts_and_never_answers_is_reported_and_not_overloaded() {
    let folder = tempfile::tempdir().unwrap();
    let Some((_database, proxy, site)) = behind_proxy(folder.path(), |home, _| home).await else { return };
    let traffic = site.traffic(4);
    traffic.acknowledges(20).await;
    proxy.hang_new(true);
    proxy.swallow_open();
    // `ready` asserts that `/readyz` responds in time, whatever the database does
    until(async || site.ready().await.0 == 503).await;
    let alive = site.bot.http.get(format!("{}/healthz", site.process.base)).send().await.unwrap();
    assert_eq!(alive.status(), 200);
    assert_eq!(site.send("while-it-hangs").await, 503);
    proxy.hang_new(false);
    site.recovers("hung").await;
    traffic.prove(&site).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn half_open_connections_of_the_pool_alone_are_detected_by_timeouts() {
    let folder = tempfile::tempdir().unwrap();
    // the connection that holds the node number uses the direct URL: it bypasses the proxy, as it would bypass a pooler
    let change = |home: Home, database: &postgres::Database| {
        home.with("SWITCHBOARD_DATABASE_DIRECT_URL", database.url.clone())
            .with("SWITCHBOARD_DATABASE_STATEMENT_TIMEOUT_SECONDS", "4")
    };
    let Some((_database, proxy, site)) = behind_proxy(folder.path(), change).await else { return };
    let traffic = site.traffic(24);
    traffic.acknowledges(50).await;
    proxy.swallow_open();
    site.recovers("pool").await;
    traffic.prove(&site).await;
}
