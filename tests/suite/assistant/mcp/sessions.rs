//! MCP sessions: which requests need a session, to which connection a session belongs, and when a session ends
//! (A-282 … ); and which errors requests in a session get.

use std::time::Duration;

use reqwest::Method;
use serde_json::json;

use crate::support::{Server, assistant::*, both_engines, mcp::*};

const IDLE: Duration = Duration::from_secs(600);
const SECOND: Duration = Duration::from_secs(1);

#[both_engines]
async fn requests_of_versions_with_sessions_need_a_session(server: Server) {
    let token = server.connected_assistant().await.tokens.access;
    for version in LEGACY {
        let client = server.mcp(&token, version);
        // requests without a session id are rejected
        client.list_tools().await.error(400, -32600);
        client.post(&json!({"jsonrpc": "2.0", "method": "notifications/x"})).send().await.error(400, -32600);
        // GET and DELETE without a session id are rejected
        client.bare(Method::GET).send().await.error(400, -32600);
        client.bare(Method::DELETE).send().await.error(400, -32600);
        // a request that names its protocol version in `_meta` still needs a session id
        let mut message = client.message("tools/list", json!({}));
        message["params"]["_meta"] = json!({META_VERSION: version, META_CAPABILITIES: {}});
        client.post(&message).send().await.error(400, -32600);
        let session = client.clone().initialized().await;
        session.post(&message).send().await.result();
        let two_ids = session.request("ping", json!({})).also("mcp-session-id", "x").send().await;
        two_ids.error(400, -32600);
        // an empty session id counts as a missing session id
        let empty = Mcp { session: Some(String::new()), ..session.clone() };
        empty.list_tools().await.error(400, -32600);
        empty.bare(Method::GET).send().await.error(400, -32600);
        empty.bare(Method::DELETE).send().await.error(400, -32600);
        client.initialize(version).header("mcp-session-id", "").send().await.result();
    }
}

#[both_engines]
async fn unknown_sessions_are_rejected(server: Server) {
    let token = server.connected_assistant().await.tokens.access;
    let client = server.mcp_session(&token, NOVEMBER).await;
    let real = client.session.clone().unwrap();
    for id in ["x", "mcps_", "mcps_00000000000000000000000000000000", &real[..36], &real.to_uppercase()] {
        let other = Mcp { session: Some(id.to_owned()), ..client.clone() };
        // an unknown session id gets 404
        other.list_tools().await.error(404, -32001);
        other.bare(Method::GET).send().await.error(404, -32001);
        other.bare(Method::DELETE).send().await.error(404, -32001);
    }
    client.list_tools().await.result();
}

#[both_engines]
async fn a_session_belongs_to_a_connection(server: Server) {
    let assistant = server.connected_assistant().await;
    let client = server.mcp_session(&assistant.tokens.access, NOVEMBER).await;
    // neither another client of the employee nor another employee can use the session
    let web = server.client_with("none", &[WEB]).await;
    let other = assistant.employee.connect(&server, &web).await;
    let stranger = server.connected_assistant().await.tokens;
    for tokens in [&other, &stranger] {
        let thief = client.with(&tokens.access);
        thief.list_tools().await.error(404, -32001);
        thief.bare(Method::GET).send().await.error(404, -32001);
        thief.bare(Method::DELETE).send().await.error(404, -32001);
    }
    client.list_tools().await.result();
    // D-360: a session is valid at both endpoints
    client.clone().readonly().list_tools().await.result();
}

#[both_engines]
async fn delete_ends_a_session(server: Server) {
    let token = server.connected_assistant().await.tokens.access;
    for version in LEGACY {
        let (client, other) =
            (server.mcp_session(&token, version).await, server.mcp_session(&token, version).await);
        let mut open = [client.stream().await, other.stream().await];
        for stream in &mut open {
            assert!(stream.next().await.is_some());
        }
        let got = client.bare(Method::DELETE).send().await;
        assert_eq!((got.status, got.bytes.len()), (204, 0), "DELETE ends the session (A-286)");
        // a deleted session is unknown, also for another DELETE
        client.list_tools().await.error(404, -32001);
        client.bare(Method::GET).send().await.error(404, -32001);
        client.bare(Method::DELETE).send().await.error(404, -32001);
        other.list_tools().await.result();
        let [ended, mut goes_on] = open;
        // the event stream of the deleted session ends
        ended.ended().await;
        // an open stream gets a keep-alive comment every 15 seconds
        server.clock.advance(Duration::from_secs(15));
        assert!(goes_on.next().await.is_some(), "the stream of the other session stays open");
    }
}

#[both_engines]
async fn a_session_ends_after_ten_idle_minutes(server: Server) {
    for version in LEGACY {
        let token = server.connected_assistant().await.tokens.access;
        let client = server.mcp_session(&token, version).await;
        for _ in 0..3 {
            server.clock.advance(IDLE - SECOND);
            // a request after 9:59 succeeds, and restarts the timeout
            client.request("ping", json!({})).send().await.result();
        }
        server.clock.advance(IDLE + SECOND);
        // a session expires after ten idle minutes
        client.list_tools().await.error(404, -32001);
        client.list_tools().await.error(404, -32001); // a rejected request does not renew the session
        client.bare(Method::GET).send().await.error(404, -32001);
        client.bare(Method::DELETE).send().await.error(404, -32001);
    }
}

#[both_engines]
async fn the_idle_timeout_is_exact_after_the_last_use_is_stored(server: Server) {
    let assistant = server.connected_assistant().await;
    let token = &assistant.tokens.access;
    let (one, two) = (server.mcp_session(token, NOVEMBER).await, server.mcp_session(token, NOVEMBER).await);
    server.advance(Duration::from_secs(59)).await;
    one.list_tools().await.result();
    // `advance` also runs the maintenance job that stores the last use of `one`
    server.advance(IDLE - SECOND).await;
    one.list_tools().await.result();
    two.list_tools().await.error(404, -32001);
    server.advance(IDLE - Duration::from_micros(1)).await;
    one.list_tools().await.result();
    server.advance(IDLE).await;
    one.list_tools().await.error(404, -32001);
}

#[both_engines]
async fn notifications_and_responses_renew_a_session(server: Server) {
    let token = server.connected_assistant().await.tokens.access;
    let client = server.mcp_session(&token, NOVEMBER).await;
    for message in [
        json!({"jsonrpc": "2.0", "method": "notifications/x"}),
        json!({"jsonrpc": "2.0", "id": 1, "result": {}}),
    ] {
        server.clock.advance(IDLE - SECOND);
        client.post(&message).send().await.is(202);
    }
    server.clock.advance(IDLE - SECOND);
    client.list_tools().await.result();
}

#[both_engines]
async fn sessions_survive_a_restart(server: Server) {
    let token = server.connected_assistant().await.tokens.access;
    let client = server.mcp_session(&token, NOVEMBER).await;
    server.clock.advance(Duration::from_secs(300));
    client.list_tools().await.result();
    let server = server.restarted().await;
    let client = client.at(&server);
    // D-364: the idle timeout counts from the last use, which was before the restart
    server.clock.advance(IDLE - SECOND);
    client.list_tools().await.result();
    let server = server.killed().await;
    client.at(&server).list_tools().await.result();
}

#[both_engines]
async fn a_newer_connection_does_not_get_the_sessions_of_the_older(server: Server) {
    let assistant = server.connected_assistant().await;
    let client = server.mcp_session(&assistant.tokens.access, NOVEMBER).await;
    let mut stream = client.stream().await;
    assert!(stream.next().await.is_some());
    // when the same client connects again, the older connection is revoked, and the stream in its session ends
    let newer = assistant.employee.connect(&server, &assistant.client).await;
    client.list_tools().await.invalid_token();
    stream.ended().await;
    // A-284, D-360: the session ended with the older connection
    let client = client.with(&newer.access);
    client.list_tools().await.error(404, -32001);
    client.bare(Method::GET).send().await.error(404, -32001);
    client.bare(Method::DELETE).send().await.error(404, -32001);
    server.mcp_session(&newer.access, NOVEMBER).await.list_tools().await.result();
}

#[both_engines]
async fn json_rpc_errors_in_a_session_have_status_200(server: Server) {
    let token = server.connected_assistant().await.tokens.access;
    for version in LEGACY {
        let client = server.mcp_session(&token, version).await;
        // an unknown method gets 200 with an error
        for method in
            ["no/such/thing", "server/discover", "resources/list", "prompts/list", "logging/setLevel"]
        {
            client.request(method, json!({})).send().await.error(200, -32601);
        }
        client.tool("no_such_tool", json!({})).await.error(200, -32602);
        client.tool("whoami", json!({"x": 1})).await.error(200, -32602);
        for params in [json!({}), json!({"name": 1}), json!({"name": "whoami", "arguments": []})] {
            client.request("tools/call", params).send().await.error(200, -32602);
        }
        client.request("tools/list", json!({"cursor": "x"})).send().await.error(200, -32602);
        assert_eq!(client.request("ping", json!({})).send().await.result(), json!({}));
    }
}

#[both_engines]
async fn unsupported_version_headers_in_a_session_are_rejected(server: Server) {
    let token = server.connected_assistant().await.tokens.access;
    let client = server.mcp_session(&token, NOVEMBER).await;
    for version in ["2024-11-05", "2025-03-26", "nonsense", ""] {
        let name = "mcp-protocol-version";
        let notification = client.post(&json!({"jsonrpc": "2.0", "method": "notifications/x"}));
        let calls = [
            client.request("ping", json!({})),
            notification,
            client.bare(Method::GET),
            client.bare(Method::DELETE),
        ];
        for call in calls {
            let error = call.header(name, version).send().await.error(400, -32022);
            // the error message has these words
            assert!(error["message"].as_str().unwrap().contains("Unsupported protocol version"));
        }
    }
    client.list_tools().await.result();
}
