//! After a connection ends, its open streams are closed and every further request is rejected, with and without an MCP
//! session. `revoked.rs` tests requests that write during a revocation.

use reqwest::Method;
use serde_json::json;

use crate::support::{Server, both_engines, mcp::*};

/// Two MCP clients with the same access token, and an open stream. The first client has no MCP session. The second
/// client has one, to which the stream belongs.
struct Busy {
    clients: [Mcp; 2],
    stream: Stream,
}

impl Busy {
    async fn new(server: &Server, assistant: &ConnectedAssistant) -> Self {
        let modern = server.mcp(&assistant.tokens.access, MODERN);
        let session = server.mcp_session(&assistant.tokens.access, NOVEMBER).await;
        let mut stream = session.stream().await;
        assert!(stream.next().await.is_some(), "an open stream sends comments (A-307)");
        Self { clients: [modern, session], stream }
    }

    async fn assert_ended(self) {
        for client in &self.clients {
            client.list_tools().await.invalid_token();
            client.request("server/discover", json!({})).send().await.invalid_token();
        }
        for method in [Method::GET, Method::DELETE] {
            self.clients[1].bare(method).send().await.invalid_token();
        }
        // The clock has not moved, so the session has not expired. Only the end of the connection can have closed the
        // stream.
        self.stream.ended().await;
    }
}

#[both_engines]
async fn turning_assistants_off_ends_requests_and_streams(server: Server) {
    let assistant = server.connected_assistant().await;
    let busy = Busy::new(&server, &assistant).await;
    let company = &assistant.employee.company;
    company.operator.patch(&company.path("")).json(&json!({"ai_assistants": false})).ok(200).await;
    busy.assert_ended().await;
}

#[both_engines]
async fn a_block_ends_requests_and_streams(server: Server) {
    let assistant = server.connected_assistant().await;
    let busy = Busy::new(&server, &assistant).await;
    let company = &assistant.employee.company;
    let key = company.path("/client_blocks/local:calendar%20helper");
    assert_eq!(company.operator.put(&key).ok(200).await["revoked"], 1);
    busy.assert_ended().await;
}

#[both_engines]
async fn a_deactivation_ends_requests_and_streams(server: Server) {
    let assistant = server.connected_assistant().await;
    let busy = Busy::new(&server, &assistant).await;
    assistant.employee.company.set_state(&assistant.employee.id, "deactivated").await;
    busy.assert_ended().await;
}

#[both_engines]
async fn a_revocation_by_the_client_ends_requests_and_streams(server: Server) {
    let assistant = server.connected_assistant().await;
    let busy = Busy::new(&server, &assistant).await;
    assert_eq!(assistant.client.revoke(&assistant.tokens.refresh).await.status, 200);
    busy.assert_ended().await;
}

#[both_engines]
async fn a_reused_refresh_token_ends_requests_and_streams(server: Server) {
    let assistant = server.connected_assistant().await;
    let tokens = assistant.client.renewed(&assistant.tokens).await;
    let fresh = ConnectedAssistant { tokens, ..assistant };
    let busy = Busy::new(&server, &fresh).await;
    // the second use of a refresh token revokes the connection
    fresh.client.refresh(&fresh.tokens.refresh).await.ok();
    fresh.client.refresh(&fresh.tokens.refresh).await.refused(400, "invalid_grant");
    busy.assert_ended().await;
}

#[both_engines]
async fn a_revocation_by_an_admin_ends_requests_and_streams(server: Server) {
    let assistant = server.connected_assistant().await;
    let busy = Busy::new(&server, &assistant).await;
    let id = assistant.employee.connections().await[0]["id"].as_str().unwrap().to_owned();
    assistant.employee.company.operator.delete(&format!("/admin/v1/connections/{id}")).ok(200).await;
    busy.assert_ended().await;
}

#[both_engines]
async fn a_revocation_does_not_end_the_connection_of_another_employee(server: Server) {
    let (one, two) = (server.connected_assistant().await, server.connected_assistant().await);
    let mut kept = Busy::new(&server, &two).await;
    Busy::new(&server, &one).await.clients[0].list_tools().await.result();
    assert_eq!(one.client.revoke(&one.tokens.access).await.status, 200);
    for client in &kept.clients {
        client.list_tools().await.result();
    }
    // a stream sends a comment every 15 seconds, as long as it is open
    server.advance(std::time::Duration::from_secs(15)).await;
    assert!(kept.stream.next().await.is_some(), "the stream of the other employee stays open");
}
