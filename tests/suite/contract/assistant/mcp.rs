//! Tests of the operations of the MCP endpoints: `sendMcpMessage`, `openMcpStream` and `endMcpSession` of `/mcp`, and
//! the same operations of `/mcp/readonly`. The generated client has no functions for them.

use serde_json::json;

use super::*;
use crate::{
    contract::documents::Operation,
    support::{
        mcp::{Call, MODERN, Mcp, NOVEMBER},
        *,
    },
};

/// Returns the client at the endpoint of an operation.
fn at(client: &Mcp, operation: &Operation) -> Mcp {
    if operation.path == "/mcp" { client.clone() } else { client.clone().readonly() }
}

/// Returns a valid request of an operation. A POST sends the message `tools/list`.
fn valid(client: &Mcp, operation: &Operation) -> Call {
    let client = at(client, operation);
    match operation.method.as_str() {
        "POST" => client.request("tools/list", json!({})),
        method => client.bare(method.parse().expect("a method")),
    }
}

#[both_engines]
async fn successes(server: Server) {
    let token = server.connected_assistant().await.tokens.access;
    let client = server.mcp_session(&token, NOVEMBER).await;
    let note = json!({"jsonrpc": "2.0", "method": "notifications/x"});
    answers!(
        200,
        [sendMcpMessage, sendReadonlyMcpMessage, openMcpStream, openReadonlyMcpStream],
        async |operation| valid(&client, operation)
    );
    answers!(202, [sendMcpMessage, sendReadonlyMcpMessage], async |operation| at(&client, operation)
        .post(&note));
    answers!(204, [endMcpSession, endReadonlyMcpSession], async |operation| valid(
        &server.mcp_session(&token, NOVEMBER).await,
        operation
    ));
}

#[both_engines]
async fn errors_of_the_caller(server: Server) {
    let employee = server.employee().await;
    let reader = server.connected_assistant_of(&employee, &[("scope", "service:read")]).await;
    let client = server.mcp_session(&reader.tokens.access, NOVEMBER).await;
    answers!(
        401,
        "unauthorized",
        [
            sendMcpMessage,
            openMcpStream,
            endMcpSession,
            sendReadonlyMcpMessage,
            openReadonlyMcpStream,
            endReadonlyMcpSession
        ],
        async |operation| valid(&client, operation).without("authorization")
    );
    answers!(
        401,
        "invalid_token",
        [
            sendMcpMessage,
            openMcpStream,
            endMcpSession,
            sendReadonlyMcpMessage,
            openReadonlyMcpStream,
            endReadonlyMcpSession
        ],
        async |operation| valid(&client.with("unknown"), operation)
    );
    // For a POST, the OpenAPI document has two errors with the status 403: `forbidden` and `insufficient_scope`. So the
    // assertions for POST name the error code.
    answers!(403, "forbidden", [sendMcpMessage, sendReadonlyMcpMessage], async |operation| valid(
        &client, operation
    )
    .header("origin", "http://evil.example"));
    answers!(
        403,
        [openMcpStream, endMcpSession, openReadonlyMcpStream, endReadonlyMcpSession],
        async |operation| valid(&client, operation).header("origin", "http://evil.example")
    );
    let send = json!({"name": "send_draft", "arguments": {}});
    answers!(403, "insufficient_scope", [sendMcpMessage, sendReadonlyMcpMessage], async |operation| at(
        &client, operation
    )
    .request("tools/call", send.clone()));
}

#[both_engines]
async fn errors_of_the_request(server: Server) {
    let token = server.connected_assistant().await.tokens.access;
    let client = server.mcp_session(&token, NOVEMBER).await;
    let unknown_session = Mcp { session: Some("mcps_x".to_owned()), ..client.clone() };
    answers!(
        400,
        [
            sendMcpMessage,
            openMcpStream,
            endMcpSession,
            sendReadonlyMcpMessage,
            openReadonlyMcpStream,
            endReadonlyMcpSession
        ],
        async |operation| valid(&client, operation).query("token=x")
    );
    answers!(
        404,
        [
            sendMcpMessage,
            openMcpStream,
            endMcpSession,
            sendReadonlyMcpMessage,
            openReadonlyMcpStream,
            endReadonlyMcpSession
        ],
        async |operation| valid(&unknown_session, operation)
    );
    // the version 2026-07-28 has no sessions, so it has neither GET nor DELETE
    answers!(
        405,
        [openMcpStream, endMcpSession, openReadonlyMcpStream, endReadonlyMcpSession],
        async |operation| valid(&server.mcp(&token, MODERN), operation)
    );
    answers!(
        406,
        [sendMcpMessage, openMcpStream, sendReadonlyMcpMessage, openReadonlyMcpStream],
        async |operation| valid(&client, operation).header("accept", "text/html")
    );
    answers!(
        413,
        [
            sendMcpMessage,
            openMcpStream,
            endMcpSession,
            sendReadonlyMcpMessage,
            openReadonlyMcpStream,
            endReadonlyMcpSession
        ],
        async |operation| valid(&client, operation).body(vec![b' '; 1_048_577])
    );
    answers!(415, [sendMcpMessage, sendReadonlyMcpMessage], async |operation| valid(&client, operation)
        .header("content-type", "text/plain"));
}

#[both_engines]
async fn limits(server: Server) {
    let limit = |config: &mut switchboard::config::Config| {
        config.limits.scale = 1;
        config.limits.mcp_requests_per_minute = 2;
    };
    let server = server.restarted_with(limit).await;
    let token = server.connected_assistant().await.tokens.access;
    // the session begins with two requests, which use up the limit
    let client = server.mcp_session(&token, NOVEMBER).await;
    answers!(
        429,
        [
            sendMcpMessage,
            openMcpStream,
            endMcpSession,
            sendReadonlyMcpMessage,
            openReadonlyMcpStream,
            endReadonlyMcpSession
        ],
        async |operation| valid(&client, operation)
    );
}
