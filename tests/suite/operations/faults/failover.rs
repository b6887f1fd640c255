//! Failovers of PostgreSQL: the primary fails, and a standby is promoted. The node's database URL names both hosts.

use crate::support::{
    Home,
    postgres::{Durability, Server},
    tcp_proxy::TcpProxy,
    until,
};

use super::Site;

/// A primary, a standby that follows the primary and confirms its commits, and a proxy in front of each of them.
struct Pair {
    primary: Server,
    standby: Server,
    proxies: [TcpProxy; 2],
}

impl Pair {
    async fn start() -> Option<Self> {
        let primary = Server::start(Durability::Full)?;
        primary.create("failing", None).await;
        let standby = primary.standby();
        // Every acknowledged commit is on the standby, so a failover loses nothing. The standby does not have this
        // setting, because its files were copied before. So after its promotion, its commits wait for no standby.
        primary.run("ALTER SYSTEM SET synchronous_standby_names = '*'".to_owned()).await;
        primary.run("SELECT pg_reload_conf()".to_owned()).await;
        let proxies =
            [TcpProxy::of_socket(primary.folder()).await, TcpProxy::of_socket(standby.folder()).await];
        Some(Self { primary, standby, proxies })
    }

    fn url(&self) -> String {
        let [first, second] = self.proxies.each_ref().map(|proxy| proxy.address);
        format!("postgres://postgres@{first},{second}/failing?target_session_attrs=read-write")
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_node_follows_a_failover() {
    let Some(pair) = Pair::start().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let site = Site::start(Home::on(folder.path(), pair.url())).await;
    let traffic = site.traffic(8);
    traffic.acknowledges(60).await;
    pair.primary.stop();
    until(async || site.ready().await.0 == 503).await;
    pair.standby.promote();
    site.recovers("failover").await;
    traffic.acknowledges(30).await;
    traffic.prove(&site).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failover_from_a_silent_host_is_followed() {
    let Some(pair) = Pair::start().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let site = Site::start(Home::on(folder.path(), pair.url())).await;
    let traffic = site.traffic(8);
    traffic.acknowledges(60).await;
    // Simulates a power failure of the first host: no connection is closed, and new connections get no response.
    pair.proxies[0].hang_new(true);
    pair.proxies[0].discard_open();
    pair.primary.stop();
    pair.standby.promote();
    site.recovers("lost-host").await;
    traffic.prove(&site).await;
    // processes that start now find the new primary as well
    let (code, _) = site.home.run(&["migrate"]);
    assert_eq!(code, Some(0), "`migrate` finds the new primary");
    let (_, report) = site.home.run(&["doctor", "--offline", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    let checks = report["checks"].as_array().unwrap();
    let store: Vec<_> = checks.iter().filter(|check| check["check"] == "store").collect();
    assert!(store.iter().all(|check| check["state"] == "ok"), "`doctor` finds the new primary: {store:?}");
    assert!(store.iter().any(|check| check["found"] == "the database can be written"), "{store:?}");
    let other = Site::start(Home::on(folder.path(), pair.url())).await;
    assert_eq!(other.send("from-another-process").await, 201);
}
