//! A read on any node includes every write whose response was sent before the read began. This holds however far the
//! replica lags.

use std::time::{Duration, Instant};

use serde_json::json;

use super::{Pair, Site, newest, reads_from_replica};
use crate::support::{ALL_SCOPES, App, text, to_conversation, until};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reads_at_another_node_see_acknowledged_writes() {
    let Some(pair) = Pair::start().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let site = Site::reading(pair.home(folder.path())).await;
    let second = site.home.start();
    let reader = site.bot_at(&second);
    reads_from_replica(&second, &reader, &site.group).await;
    for turn in 0..150 {
        site.sees_what_it_sends(&reader, &format!("turn {turn}")).await;
    }
    // the replica catches up, and answers reads again
    reads_from_replica(&second, &reader, &site.group).await;
    assert_eq!(second.metric("switchboard_replica_up", "").await, 1.0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_paused_replica_does_not_answer_reads_that_need_newer_writes() {
    let Some(pair) = Pair::start().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let site = Site::reading(pair.home(folder.path())).await;
    let second = site.home.start();
    let reader = site.bot_at(&second);
    reads_from_replica(&second, &reader, &site.group).await;

    pair.pause().await;
    for turn in 0..5 {
        site.sees_what_it_sends(&reader, &format!("paused {turn}")).await;
        site.sees_what_it_sends(&site.bot.api, &format!("paused here {turn}")).await;
    }
    let person = site.company.person().await;
    let people = reader.get("/v1/users?limit=1000").ok(200).await;
    let listed = people["users"].as_array().unwrap().iter().any(|user| user["id"] == person.as_str());
    assert!(listed, "a new person is listed at once");
    site.company.update_user(&person, json!({"name": "Renamed"})).await;
    assert_eq!(text(&reader.get(&format!("/v1/users/{person}")).ok(200).await, "/user/name"), "Renamed");
    let (_, behind) = site.reads_and_fallbacks(r#"reason="behind""#).await;
    assert!(behind >= 5.0, "the primary answers reads that need writes which the replica has not replayed");
    assert_eq!(site.ready().await, 200, "a lagging replica does not make the node unready");
    // the next check of the replica updates the metric
    until(async || site.process.metric("switchboard_replica_lag_bytes", "").await > 0.0).await;

    pair.resume().await;
    reads_from_replica(&second, &reader, &site.group).await;
    site.reads_from_replica().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn removed_rows_are_not_returned_while_the_replica_still_has_them() {
    let Some(pair) = Pair::start().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let site = Site::reading(pair.home(folder.path())).await;
    let private = site.company.conversation(json!({
        "type": "private_channel", "member_ids": [site.company.admin, site.bot.user_id],
    }));
    let private = private.await;
    let app = App::register(&site.operator, &ALL_SCOPES).await;
    let other = site.company.install(&app, &ALL_SCOPES).await;
    site.company.add(&private, &other.user_id).await;
    let sent = site.bot.send(&to_conversation(&private, "between us")).await;
    assert_eq!(newest(&other.api, &private).await, text(&sent, "/id"));
    reads_from_replica(&site.process, &other.api, &private).await;

    pair.pause().await;
    site.company.remove(&private, &other.user_id).await;
    let history = format!("/v1/conversations/{private}/messages");
    let refused = other.api.get(&history).send().await.status;
    assert!(
        [403, 404].contains(&refused),
        "a bot that was removed from a conversation cannot read its messages: {refused}"
    );
    site.bot.deleting(&text(&sent, "/id")).ok(200).await;
    let shown = site.bot.history(&private).await;
    assert!(shown.iter().all(|message| message["text"] != "between us"), "a deleted message is not shown");
    site.company.uninstall(&other).await;
    let answer = other.api.get("/v1/users").send().await;
    assert_eq!(answer.status, 401, "a revoked token is refused at once");
    pair.resume().await;
}

/// The reader is removed from the group during a read. The replica responds slowly. It does not replay the removal, so
/// it still has the membership.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_read_returns_nothing_after_a_removal_was_acknowledged() {
    let Some(pair) = Pair::start().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let site = Site::reading(pair.home(folder.path())).await;
    site.bot.send(&to_conversation(&site.group, "for members only")).await;
    site.reads_from_replica().await;

    let since = pair.standby.says("SELECT CAST(clock_timestamp() AS TEXT)").await;
    let statements = format!(
        "SELECT CAST(COUNT(*) AS TEXT) FROM pg_stat_activity WHERE datname = '{}' AND query_start > '{since}'
            AND query NOT LIKE '%pg_is_in_recovery%'",
        super::NAME
    );
    pair.proxy.delay(Duration::from_millis(100));
    let (api, path) = (site.bot.api.clone(), format!("/v1/conversations/{}/messages", site.group));
    let read = tokio::spawn(async move {
        let status = api.get(&path).send().await.status;
        (status, Instant::now())
    });
    // waits until the replica has received a statement of the read; the read may also end earlier, if the primary
    // answers it
    until(async || read.is_finished() || pair.standby.says(&statements).await != "0").await;
    pair.pause().await;
    site.company.remove(&site.group, &site.bot.user_id).await;
    let acknowledged = Instant::now();
    let (status, answered) = read.await.unwrap();
    println!("{status}, {:?} after the acknowledgement", answered.saturating_duration_since(acknowledged));
    assert!(
        answered < acknowledged || status == 403,
        "a read returns no messages after the removal of the reader was acknowledged: {status}"
    );
    pair.resume().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_primary_answers_reads_that_check_a_membership_if_the_replica_is_slow() {
    let Some(pair) = Pair::start().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let site = Site::reading(pair.home(folder.path())).await;
    pair.proxy.delay(Duration::from_millis(70));
    until(async || {
        assert_eq!(site.reads().await, 200, "reads still succeed");
        site.reads_and_fallbacks(r#"reason="late""#).await.1 > 0.0
    })
    .await;
    // the list of people checks no membership, so the server uses the replica's response even if it is slow
    let lists =
        async || site.process.metric("switchboard_replica_reads_total", r#"operation="list_people""#).await;
    let before = lists().await;
    until(async || {
        site.bot.api.get("/v1/users").ok(200).await;
        lists().await > before
    })
    .await;
}
