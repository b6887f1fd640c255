//! The replica stops, hangs, cancels reads or is promoted. Every read still succeeds. The node reads from the replica
//! again when the replica responds again and is still a standby.

use std::sync::atomic::{AtomicBool, Ordering};

use super::{Pair, Site};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reads_continue_without_the_replica_and_return_to_it() {
    let Some(pair) = Pair::start().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let site = Site::reading(pair.home(folder.path())).await;

    pair.standby.stop();
    site.reads_from_primary().await;
    site.sees_what_it_sends(&site.bot.api, "without a replica").await;
    assert_eq!(site.ready().await, 200, "the node is ready without the replica");
    pair.standby.start_again();
    site.reads_from_replica().await;

    // the host of the replica fails: open connections get no more bytes, and new connections get no response
    pair.proxy.hang_new(true);
    pair.proxy.discard_open();
    site.reads_from_primary().await;
    site.sees_what_it_sends(&site.bot.api, "a silent replica").await;
    pair.proxy.hang_new(false);
    site.reads_from_replica().await;

    // the open connections to the replica are closed
    pair.proxy.cut_open();
    for _ in 0..20 {
        assert_eq!(site.reads().await, 200);
    }
    site.reads_from_replica().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reads_that_the_replica_cancels_are_answered_by_the_primary() {
    let Some(pair) = Pair::start().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let site = Site::reading(pair.home(folder.path())).await;
    let stop = AtomicBool::new(false);
    let disturbing = async {
        while !stop.load(Ordering::Relaxed) {
            for how in ["pg_cancel_backend", "pg_terminate_backend"] {
                let others = "WHERE application_name = 'switchboard'";
                pair.standby.run(format!("SELECT {how}(pid) FROM pg_stat_activity {others}")).await;
            }
        }
    };
    let reading = async {
        for _ in 0..300 {
            assert_eq!(site.reads().await, 200);
        }
        stop.store(true, Ordering::Relaxed);
    };
    tokio::join!(disturbing, reading);
    site.reads_from_replica().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_promoted_replica_is_not_read() {
    let Some(pair) = Pair::start().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let site = Site::reading(pair.home(folder.path())).await;
    pair.standby.promote();
    site.sees_what_it_sends(&site.bot.api, "after the promotion").await;
    site.reads_from_primary().await;
    site.sees_what_it_sends(&site.bot.api, "after the node has stopped reading from the promoted replica")
        .await;
    assert_eq!(site.ready().await, 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_starts_without_its_replica() {
    let Some(pair) = Pair::start().await else { return };
    let folder = tempfile::tempdir().unwrap();
    pair.standby.stop();
    let site = Site::start(pair.home(folder.path())).await;
    assert_eq!(site.reads().await, 200);
    let (by_replica, unavailable) = site.reads_and_fallbacks(r#"reason="unavailable""#).await;
    assert_eq!(by_replica, 0.0);
    assert!(unavailable >= 1.0);
    pair.standby.start_again();
    site.reads_from_replica().await;
    assert_eq!(site.process.metric("switchboard_replica_up", "").await, 1.0);
}
