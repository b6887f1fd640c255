//! Several nodes on one database. A session can begin at any node. Every node accepts the session, stores when the
//! session was last used, and rejects requests after the session or its connection has ended.

use std::time::Duration;

use reqwest::Method;

use sqlx::Row as _;
use switchboard::service::maintenance::Job;

use crate::support::{
    Server,
    mcp::*,
    statement_counts::{count_statements, counted},
    until,
};

const IDLE: Duration = Duration::from_secs(600);
const SECOND: Duration = Duration::from_secs(1);
const COMMENT_INTERVAL: Duration = Duration::from_secs(15);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_node_accepts_a_session() {
    let Some(one) = Server::postgres().await else { return };
    let two = one.another_node_with_same_clock().await;
    let assistant = one.connected_assistant().await;
    let here = one.mcp_session(&assistant.tokens.access, NOVEMBER).await;
    let there = here.at(&two);
    there.list_tools().await.result();
    // a request to one node keeps the session active on the other node, because each node stores the last uses of
    // sessions in the database every minute
    for _ in 0..3 {
        there.list_tools().await.result();
        one.advance(Duration::from_secs(60)).await;
        two.settle().await;
        one.advance(IDLE - Duration::from_secs(61)).await;
        here.list_tools().await.result();
        one.settle().await;
    }
    one.advance(IDLE + SECOND).await;
    for client in [&here, &there] {
        client.list_tools().await.error(404, -32001);
    }
    let again = one.mcp_session(&assistant.tokens.access, JUNE).await;
    assert_eq!(again.at(&two).bare(Method::DELETE).send().await.status, 204);
    again.list_tools().await.error(404, -32001);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_node_stores_the_last_uses_of_sessions_that_it_has_in_memory() {
    let Some(one) = Server::postgres().await else { return };
    let two = one.another_node_with_same_clock().await;
    let assistant = one.connected_assistant().await;
    let here = one.mcp_session(&assistant.tokens.access, NOVEMBER).await;
    let there = here.at(&two);
    // The job that deletes idle sessions also stores the last uses. The test claims the lease of this job, so neither
    // node runs the job.
    one.database.execute("DELETE FROM job_leases").await;
    assert!(one.running().world().claim_job(Job::McpSessions, 1).await.unwrap());
    one.clock.advance(60 * SECOND);
    for client in [&here, &there] {
        client.list_tools().await.result();
        let used = one.clock.now().0;
        let mut database = one.database.outside().await;
        until(async || {
            // each move of the clock runs the job `McpSessionUses` on both nodes
            one.clock.advance(Duration::from_micros(1));
            let row = sqlx::query("SELECT last_used_at FROM mcp_sessions").fetch_one(&mut database).await;
            row.unwrap().get::<i64, _>(0) == used
        })
        .await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_keeps_sessions_with_streams_at_other_nodes() {
    let Some(one) = Server::postgres().await else { return };
    let two = one.another_node_with_same_clock().await;
    let assistant = one.connected_assistant().await;
    let session = one.mcp_session(&assistant.tokens.access, NOVEMBER).await;
    let mut stream = session.at(&two).stream().await;
    assert!(stream.next().await.is_some());
    // `advance` moves the clock, and then runs all jobs of the first node
    one.advance(Duration::from_secs(60 * 60)).await;
    let tokens = assistant.client.renewed(&assistant.tokens).await;
    let session = session.with(&tokens.access);
    session.at(&two).list_tools().await.result();
    session.list_tools().await.result();
    assert!(stream.next().await.is_some(), "the stream stays open (D-361)");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_stores_the_last_uses_of_all_sessions_with_one_statement() {
    let Some(server) = Server::postgres().await else { return };
    let assistant = server.connected_assistant().await;
    let mut sessions = Vec::new();
    for _ in 0..5 {
        sessions.push(server.mcp_session(&assistant.tokens.access, NOVEMBER).await);
    }
    // Each session was last used by its `notifications/initialized`. Moving the clock starts the jobs, which store
    // these uses. The following requests are later uses, which are not stored yet.
    server.clock.advance(SECOND);
    for session in &sessions {
        session.list_tools().await.result();
    }
    let used = server.clock.now().0;
    let mut database = server.database.outside().await;
    // another node has stored a later use of one session
    let later = "UPDATE mcp_sessions SET last_used_at = $1
        WHERE session_hash = (SELECT session_hash FROM mcp_sessions ORDER BY session_hash LIMIT 1)";
    sqlx::query(later).bind(used + 1).execute(&mut database).await.unwrap();
    count_statements(&mut database, "UPDATE", "mcp_sessions").await;
    server.running().world().store_session_uses().await.unwrap();
    let updates = counted(&mut database, "mcp_sessions").await;
    assert_eq!(updates, 1, "one UPDATE stores the last uses of all sessions");
    let stored = "SELECT last_used_at FROM mcp_sessions ORDER BY last_used_at";
    let stored: Vec<i64> = sqlx::query_scalar(stored).fetch_all(&mut database).await.unwrap();
    assert_eq!(stored, [used, used, used, used, used + 1], "a later use that another node stored is kept");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_node_rejects_an_ended_session() {
    let Some(one) = Server::postgres().await else { return };
    let two = one.another_node_with_same_clock().await;
    let assistant = one.connected_assistant().await;
    let session = one.mcp_session(&assistant.tokens.access, NOVEMBER).await;
    let (mut stream, mut deleted) = (session.stream().await, session.at(&two).stream().await);
    assert!(stream.next().await.is_some() && deleted.next().await.is_some());
    // After a DELETE at the second node, both nodes reject requests. The second node ends its stream immediately, the
    // first node when its next SSE comment is due.
    assert_eq!(session.at(&two).bare(Method::DELETE).send().await.status, 204);
    for node in [&one, &two] {
        session.at(node).list_tools().await.error(404, -32001);
    }
    deleted.ended().await;
    one.advance(COMMENT_INTERVAL).await;
    stream.ended().await;

    let session = one.mcp_session(&assistant.tokens.access, NOVEMBER).await;
    let mut stream = session.stream().await;
    assert!(stream.next().await.is_some());
    assert_eq!(assistant.client.at(&two).revoke(&assistant.tokens.access).await.status, 200);
    for client in [session.clone(), one.mcp(&assistant.tokens.access, MODERN)] {
        client.list_tools().await.invalid_token();
    }
    one.advance(COMMENT_INTERVAL).await;
    stream.ended().await;
}
