//! A node reads from a replica only if the replica has replayed the write-ahead log up to the primary's position. After
//! a failover, a replica may have replayed more of the old primary's log than the new primary has. Its position on the
//! old timeline cannot be compared with a position on the new timeline. So nodes must not read from this replica.

use super::{NAME, Site, home};
use crate::support::{
    postgres::{Durability, Server},
    until,
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_replica_of_the_old_primary_is_not_read() {
    let Some(primary) = Server::start(Durability::Full) else { return };
    primary.create(NAME, None).await;
    let (next, replica) = (primary.standby(), primary.standby());
    let hosts = [&primary, &next].map(|server| server.folder().display().to_string()).join(",");
    let url = format!("postgres://postgres@localhost/{NAME}?host={hosts}&target_session_attrs=read-write");
    let folder = tempfile::tempdir().unwrap();
    let site = Site::reading(home(folder.path(), url, replica.url(NAME))).await;

    // the standby that will be promoted stops receiving the write-ahead log, and the replica continues to receive it
    next.run("ALTER SYSTEM SET primary_conninfo = ''".to_owned()).await;
    next.run("SELECT pg_reload_conf()".to_owned()).await;
    until(async || next.says("SELECT CAST(COUNT(*) AS TEXT) FROM pg_stat_wal_receiver").await == "0").await;
    for turn in 0..100 {
        site.sees_what_it_sends(&site.bot.api, &format!("lost {turn}")).await;
    }
    site.reads_from_replica().await;
    primary.stop();
    next.promote();
    until(async || {
        let body = crate::support::to_conversation(&site.group, "probe");
        site.bot.sending("after-the-failover", &body).send().await.status == 201
    })
    .await;
    // On the new timeline each of the following sends has a lower position than the replica has reached on the old
    // timeline. If the timelines were ignored, the replica would seem to have replayed the sends.
    let reached = replica.says("SELECT CAST(pg_last_wal_replay_lsn() AS TEXT)").await;
    for turn in 0..10 {
        site.sees_what_it_sends(&site.bot.api, &format!("after {turn}")).await;
    }
    let passed = format!("SELECT CAST(pg_current_wal_lsn() < '{reached}' AS TEXT)");
    assert_eq!(
        next.says(&passed).await,
        "true",
        "the new primary's position is still below the position that the replica has reached"
    );
    let page = site.bot.history(&site.group).await;
    assert!(page.iter().all(|message| !message["text"].as_str().unwrap().starts_with("lost")));
}
