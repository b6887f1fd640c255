//! Connections that died without a word: the other side is gone and no packet says so.

use crate::support::{Home, postgres, tcp_proxy::TcpProxy, until};

use super::Site;

/// A server process whose way to the database leads through a proxy.
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
async fn connections_that_died_without_a_word_are_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let Some((_database, proxy, site)) = behind_proxy(folder.path(), |home, _| home).await else { return };
    // more than there are connections, so that every one of them is in use
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
async fn a_database_that_accepts_and_never_answers_is_told_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let Some((_database, proxy, site)) = behind_proxy(folder.path(), |home, _| home).await else { return };
    let traffic = site.traffic(4);
    traffic.acknowledges(20).await;
    proxy.hang_new(true);
    proxy.swallow_open();
    // asserts within that it is answered in time
    until(async || site.ready().await.0 == 503).await;
    let alive = site.bot.http.get(format!("{}/healthz", site.process.base)).send().await.unwrap();
    assert_eq!(alive.status(), 200);
    assert_eq!(site.send("while-it-hangs").await, 503);
    proxy.hang_new(false);
    site.recovers("hung").await;
    traffic.prove(&site).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_of_the_pool_alone_are_found_by_their_deadlines() {
    let folder = tempfile::tempdir().unwrap();
    // the number's connection goes another way and notices nothing, as beside a pooler
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
