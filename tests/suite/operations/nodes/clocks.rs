//! All nodes share the test clock, whichever node moves it.

use serde_json::json;

use super::first;
use crate::support::*;

async fn offset(node: &Server) -> i64 {
    node.operator().get("/admin/v1/clock").ok(200).await["offset_seconds"].as_i64().unwrap()
}

async fn advance(node: &Server, seconds: u64) {
    node.operator().post("/admin/v1/clock").json(&json!({"advance_seconds": seconds})).ok(200).await;
}

async fn all_are_at(nodes: &[&Server], seconds: i64) {
    for node in nodes {
        until(|| async { offset(node).await == seconds }).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_node_follows_moves_of_the_clock() {
    let Some(here) = first().await else { return };
    let there = here.another_node().await;
    let nodes = [&here, &there];
    advance(&here, 90).await;
    assert_eq!(offset(&here).await, 90);
    all_are_at(&nodes, 90).await;
    advance(&there, 10).await;
    assert!(offset(&there).await >= 100);
    all_are_at(&nodes, 100).await;
    // simultaneous advances add up
    let moves = (0..20).map(|n| advance(nodes[n % 2], 5));
    futures_util::future::join_all(moves).await;
    all_are_at(&nodes, 200).await;
    // a node that starts later has the same time
    let late = here.another_node_at_start().await;
    all_are_at(&[&late], 200).await;
    let nodes = [&here, &there, &late];
    here.operator().post("/admin/v1/clock").json(&json!({"reset": true})).ok(200).await;
    all_are_at(&nodes, 0).await;
    // all nodes follow when the late node moves the clock
    advance(&late, 7).await;
    all_are_at(&nodes, 7).await;
}
