//! The event stream that a GET opens in an MCP session. `ends.rs` tests that a stream ends when
//! its connection is revoked.

use std::time::Duration;

use reqwest::Method;
use serde_json::json;

use crate::support::{Server, assistant::*, both_engines, mcp::*, wait::until};

/// An MCP session that is not used for this time expires.
const IDLE: Duration = Duration::from_secs(600);
const SECOND: Duration = Duration::from_secs(1);
const COMMENT_INTERVAL: Duration = Duration::from_secs(15);

#[both_engines]
async fn a_get_opens_an_event_stream_that_has_only_comments(server: Server) {
    let token = server.connected_assistant().await.tokens.access;
    for version in LEGACY {
        let client = server.mcp_session(&token, version).await;
        let mut stream = client.stream().await;
        let headers = stream.0.headers().clone();
        assert_eq!(stream.0.status(), 200);
        assert_eq!(headers["content-type"], "text/event-stream");
        assert_eq!(headers["cache-control"], "no-store");
        assert_eq!(headers["x-accel-buffering"], "no");
        for _ in 0..3 {
            let said = stream.next().await.expect("the stream continues");
            assert!(
                said.lines().all(|line| line.is_empty() || line.starts_with(':')),
                "a stream has only comments, which clients ignore (D-357): {said:?}"
            );
            server.advance(COMMENT_INTERVAL).await;
        }
        // a GET whose `Accept` does not allow an event stream is refused
        for accept in ["application/json", "text/html", "text/event-stream;q=0"] {
            let got = client.bare(Method::GET).header("accept", accept).send().await;
            got.refused(406, "not_acceptable");
        }
        for accept in ["text/event-stream", "application/json, text/event-stream", "text/*"] {
            let response = client.bare(Method::GET).header("accept", accept).response().await;
            assert_eq!(response.status(), 200, "a GET that accepts an event stream succeeds: {accept}");
        }
    }
}

#[both_engines]
async fn an_open_stream_counts_as_use_of_its_session(server: Server) {
    let token = server.connected_assistant().await.tokens.access;
    let client = server.mcp_session(&token, NOVEMBER).await;
    let mut stream = client.stream().await;
    // the client sends no request for 25 minutes, but the open stream counts as use, so the session does not expire
    // (D-361)
    for _ in 0..5 {
        assert!(stream.next().await.is_some());
        server.advance(Duration::from_secs(300)).await;
    }
    assert!(stream.next().await.is_some());
    client.list_tools().await.result();
    drop(stream);
    // The next request follows the request above within ten minutes. So the session has not expired, no matter when the
    // server notices that the client has closed the stream.
    server.advance(IDLE - SECOND).await;
    client.list_tools().await.result();
}

#[both_engines]
async fn an_open_stream_keeps_its_session_however_far_the_clock_moves(server: Server) {
    let assistant = server.connected_assistant().await;
    let client = server.mcp_session(&assistant.tokens.access, NOVEMBER).await;
    let mut stream = client.stream().await;
    assert!(stream.next().await.is_some());
    let mut tokens = assistant.tokens.clone();
    // Both moves of the clock are longer than the time after which an unused session expires (D-361). The second move
    // is also longer than the time after which the row of an unused session is deleted.
    for by in [IDLE + SECOND, HOUR] {
        server.advance(by).await;
        // access tokens expire after an hour
        tokens = assistant.client.renewed(&tokens).await;
        client.with(&tokens.access).list_tools().await.result();
        assert!(stream.next().await.is_some(), "the stream stays open");
    }
    drop(stream);
    // The session counts as used until the server notices that the client has closed the stream. After that, a move of
    // the clock makes the session expire.
    until(async || {
        server.clock.advance(IDLE + SECOND);
        tokens = assistant.client.renewed(&tokens).await;
        client.with(&tokens.access).list_tools().await.status == 404
    })
    .await;
}

#[both_engines]
async fn a_stream_ends_when_its_connection_reaches_the_maximum_lifetime(server: Server) {
    let assistant = server.connected_assistant().await;
    let company = &assistant.employee.company;
    company.operator.patch(&company.path("")).json(&json!({"max_session_hours": 1})).ok(200).await;
    let client = server.mcp_session(&assistant.tokens.access, NOVEMBER).await;
    let mut stream = client.stream().await;
    for _ in 0..7 {
        assert!(stream.next().await.is_some());
        server.clock.advance(Duration::from_secs(500));
    }
    // with this move, 3,700 seconds have passed in total: more than the company's maximum lifetime of one hour
    server.clock.advance(Duration::from_secs(200));
    stream.ended().await;
    client.list_tools().await.invalid_token();
}

#[both_engines]
async fn a_stream_survives_a_refresh(server: Server) {
    let assistant = server.connected_assistant().await;
    let client = server.mcp_session(&assistant.tokens.access, NOVEMBER).await;
    let mut stream = client.stream().await;
    assert!(stream.next().await.is_some());
    let tokens = assistant.client.renewed(&assistant.tokens).await;
    server.advance(COMMENT_INTERVAL).await;
    assert!(stream.next().await.is_some(), "the stream of a session survives a refresh (A-289)");
    client.with(&tokens.access).list_tools().await.result();
}

#[both_engines]
async fn a_stream_ends_with_the_process(server: Server) {
    let token = server.connected_assistant().await.tokens.access;
    let client = server.mcp_session(&token, NOVEMBER).await;
    let mut stream = client.stream().await;
    assert!(stream.next().await.is_some());
    // a graceful shutdown ends open streams, and does not wait until their clients close them
    let (server, ()) = tokio::join!(server.restarted(), stream.ended());
    client.at(&server).list_tools().await.result();
}

#[both_engines]
async fn streams_of_a_connection_are_limited(server: Server) {
    let assistant = server.connected_assistant().await;
    let client = server.mcp_session(&assistant.tokens.access, NOVEMBER).await;
    let mut open = Vec::new();
    for _ in 0..16 {
        let stream = client.stream().await;
        assert_eq!(stream.0.status(), 200);
        open.push(stream);
    }
    let got = client.bare(Method::GET).send().await;
    assert_eq!(got.refused(429, "rate_limited").header("retry-after"), Some("15"));
    client.list_tools().await.result();
    // each connection has a limit of its own
    let web = server.client_with("none", &[WEB]).await;
    let other = assistant.employee.connect(&server, &web).await;
    let mut stream = server.mcp_session(&other.access, NOVEMBER).await.stream().await;
    assert!(stream.next().await.is_some());
}

#[both_engines]
async fn streams_of_an_employee_are_limited(server: Server) {
    let employee = server.employee().await;
    let mut open = Vec::new();
    for _ in 0..4 {
        let assistant = server.connected_assistant_of(&employee, &[]).await;
        let client = server.mcp_session(&assistant.tokens.access, NOVEMBER).await;
        for _ in 0..16 {
            let stream = client.stream().await;
            assert_eq!(stream.0.status(), 200);
            open.push(stream);
        }
    }
    let assistant = server.connected_assistant_of(&employee, &[]).await;
    let client = server.mcp_session(&assistant.tokens.access, NOVEMBER).await;
    let got = client.bare(Method::GET).send().await;
    assert_eq!(got.refused(429, "rate_limited").header("retry-after"), Some("15"));
    client.list_tools().await.result();
    // another employee of the same company has a limit of their own
    let other = server.employee_of(&employee.company).await;
    let other = server.connected_assistant_of(&other, &[]).await;
    let mut stream = server.mcp_session(&other.tokens.access, NOVEMBER).await.stream().await;
    assert!(stream.next().await.is_some());
    // closed streams no longer count
    drop(open);
    until(|| async { client.bare(Method::GET).response().await.status() == 200 }).await;
}
