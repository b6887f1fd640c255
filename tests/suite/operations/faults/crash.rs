//! The database crashes and restarts while a bot sends. The node must then serve requests again, and every message for
//! which it responded with 201 must still be stored.

use crate::support::{
    Home,
    postgres::{Durability, Server},
};

use super::Site;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_node_outlives_crashes_of_the_database() {
    let Some(server) = Server::start(Durability::Full) else { return };
    server.create("crashing", None).await;
    let folder = tempfile::tempdir().unwrap();
    let site = Site::start(Home::on(folder.path(), server.url("crashing"))).await;
    let traffic = site.traffic(8);
    for round in 0..2 {
        traffic.acknowledges(30).await;
        server.crash();
        site.recovers(&format!("crash-{round}")).await;
    }
    traffic.prove(&site).await;
}
