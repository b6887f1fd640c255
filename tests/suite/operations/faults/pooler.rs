//! Nodes that connect to PostgreSQL through Debian's pgbouncer in transaction mode. In this mode, each transaction of a
//! connection may run in a different session of the database server.

use std::collections::BTreeSet;

use futures_util::future::join_all;
use sqlx::{Connection, PgConnection};

use crate::support::{Home, pgbouncer, pgbouncer::Pgbouncer, postgres};

use super::Site;

async fn through_pooler(prepared: bool) {
    let Some(database) = postgres::empty_database().await.filter(|_| postgres::is_private()) else { return };
    let folder = tempfile::tempdir().unwrap();
    let pooler_folder = tempfile::tempdir().unwrap();
    let Some(pooler) = Pgbouncer::start(&database.server, pooler_folder.path()).await else { return };
    if prepared && !pgbouncer::keeps_statements() {
        eprintln!("this version of pgbouncer does not support prepared statements: skipped");
        return;
    }
    let name = database.name();
    let home = Home::on(folder.path(), format!("postgres://postgres@{}/{name}", pooler.address))
        .with("SWITCHBOARD_DATABASE_DIRECT_URL", database.url.clone())
        .with("SWITCHBOARD_DATABASE_POOLER_PREPARED_STATEMENTS", prepared.to_string());
    // each process connects directly, without the pooler, when it migrates and when it takes its node number
    let site = Site::start(home).await;
    let second = site.home.start();
    let traffic = site.traffic(16);
    traffic.acknowledges(60).await;
    // many concurrent reads with different statements share the few sessions of the pooler
    let reads = join_all((0..40).map(|_| site.read())).await;
    assert!(reads.iter().all(|status| *status == 200), "{reads:?}");
    let found = join_all((0..8).map(|_| people(&site))).await;
    assert!(found.iter().all(|status| *status == 200), "{found:?}");
    // several sends with the same idempotency key, through both nodes, create one message
    let other =
        site.home.api(&second, site.bot.authorization.as_ref().unwrap().strip_prefix("Bearer ").unwrap());
    let same = (0..20).map(|turn| {
        let bot = if turn % 2 == 0 { &site.bot } else { &other };
        super::post(bot, &site.group, "the-same-key")
    });
    let ids: BTreeSet<_> = join_all(same)
        .await
        .into_iter()
        .map(|answer| {
            let (status, body) = answer.unwrap();
            assert_eq!(status, 201, "{body}");
            body["message"]["id"].to_string()
        })
        .collect();
    assert_eq!(ids.len(), 1, "sends with one idempotency key create one message");
    assert_eq!(site.ready().await.0, 200);
    traffic.prove(&site).await;

    // each node holds the lock of its number in a session that bypasses the pooler
    let mut outside = PgConnection::connect(&database.url).await.unwrap();
    let held = "SELECT COUNT(*) FROM pg_locks WHERE locktype = 'advisory' AND granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
    let held: i64 = sqlx::query_scalar(held).fetch_one(&mut outside).await.unwrap();
    assert_eq!(held, 2, "each of the two nodes holds the lock of one number");
}

async fn people(site: &Site) -> u16 {
    let path = format!("{}/v1/users", site.bot.base);
    let request = site.bot.http.get(path).header("authorization", site.bot.authorization.as_ref().unwrap());
    request.send().await.unwrap().status().as_u16()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_work_through_a_pooler_in_transaction_mode() {
    through_pooler(false).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_work_through_a_pooler_that_keeps_prepared_statements() {
    through_pooler(true).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pooler_without_a_direct_url_is_refused_at_the_start() {
    let Some(database) = postgres::database().await.filter(|_| postgres::is_private()) else { return };
    let folder = tempfile::tempdir().unwrap();
    let pooler_folder = tempfile::tempdir().unwrap();
    let Some(pooler) = Pgbouncer::start(&database.server, pooler_folder.path()).await else { return };
    let url = format!("postgres://postgres@{}/{}", pooler.address, database.name());
    let said = Home::on(folder.path(), url).spawn().refused();
    assert!(said.contains("unsupported startup parameter"), "{said}");
}
