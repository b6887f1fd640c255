//! Concurrent requests, on one node and on two nodes with one database: single-use values are used once, and a revoked
//! connection stays revoked (D-294, D-300, D-314).

use futures_util::future::{join, join_all};
use serde_json::json;

use crate::support::{Server, assistant::*, both_engines, mcp::MODERN};

/// Returns the tokens of the successful responses. All other responses must be `invalid_grant`.
fn winners(replies: Vec<Reply>) -> Vec<Tokens> {
    let mut won = Vec::new();
    for reply in replies {
        if reply.status == 200 {
            won.push(Tokens::of(&reply.ok()));
        } else {
            reply.refused(400, "invalid_grant");
        }
    }
    won
}

async fn exchanges(servers: &[&Server]) {
    let server = servers[0];
    let (employee, client) = (server.employee().await, server.client().await);
    for _ in 0..5 {
        let code = employee.approve(server, &client, &[]).await;
        let at: Vec<_> = servers.iter().map(|server| client.at(server)).collect();
        let replies = join_all((0..20).map(|n| at[n % at.len()].exchange(&code))).await;
        let won = winners(replies);
        assert_eq!(won.len(), 1, "exactly one of twenty exchanges succeeds");
        // the other exchanges are replays, which revoke the connection (D-294)
        for server in servers {
            server.assert_rejects(&won[0].access).await;
        }
        employee.assert_revoked_for("code_reused").await;
    }
    assert_eq!(employee.connections().await.len(), 5);
}

async fn refreshes(servers: &[&Server]) {
    let server = servers[0];
    let (employee, client) = (server.employee().await, server.client().await);
    for _ in 0..5 {
        let tokens = employee.connect(server, &client).await;
        let at: Vec<_> = servers.iter().map(|server| client.at(server)).collect();
        let replies = join_all((0..20).map(|n| at[n % at.len()].refresh(&tokens.refresh))).await;
        let won = winners(replies);
        assert_eq!(won.len(), 1, "exactly one of twenty refreshes succeeds (A-204)");
        for server in servers {
            // a second refresh with the same token revokes the connection
            server.assert_rejects(&won[0].access).await;
            server.assert_revoked(&client.at(server), &won[0]).await;
        }
        employee.assert_revoked_for("refresh_reused").await;
    }
}

/// One client exchanges ten codes of one employee at once. Each exchange creates a connection, and revokes the
/// connection that the previous exchange created (D-314). So exactly one connection stays active.
async fn replacements(servers: &[&Server]) {
    let server = servers[0];
    let (employee, client) = (server.employee().await, server.client().await);
    let mut codes = Vec::new();
    for _ in 0..10 {
        codes.push(employee.approve(server, &client, &[]).await);
    }
    let at: Vec<_> = servers.iter().map(|server| client.at(server)).collect();
    let replies = join_all(codes.iter().enumerate().map(|(n, code)| at[n % at.len()].exchange(code))).await;
    let mut accepted = 0;
    for tokens in winners(replies) {
        accepted += usize::from(server.mcp(&tokens.access, MODERN).list_tools().await.status == 200);
    }
    assert_eq!(accepted, 1);
    let active = employee.connections().await.iter().filter(|c| c["state"] == "active").count();
    assert_eq!((active, employee.connections().await.len()), (1, 10));
}

/// Exchanges codes and refreshes tokens while the operator turns the company's assistants off and on. All these codes
/// and tokens were issued before assistants were turned off, so none of their connections may stay active.
async fn while_assistants_are_toggled(servers: &[&Server]) {
    let server = servers[0];
    let company = server.company().await;
    let client = server.client().await;
    for _ in 0..3 {
        let (mut codes, mut tokens, mut people) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..4 {
            let employee = server.employee_of(&company).await;
            codes.push(employee.approve(server, &client, &[]).await);
            let web = server.client_with("none", &[WEB]).await;
            tokens.push((web.clone(), employee.connect(server, &web).await));
            people.push(employee);
        }
        let at: Vec<_> = servers.iter().map(|server| client.at(server)).collect();
        let exchanging = join_all(codes.iter().enumerate().map(|(n, code)| at[n % at.len()].exchange(code)));
        let refreshing = join_all(tokens.iter().enumerate().map(|(n, (web, tokens))| {
            let web = web.at(servers[n % servers.len()]);
            async move { web.refresh(&tokens.refresh).await }
        }));
        let path = company.path("");
        let switching = async {
            for is_on in [false, true] {
                company.operator.patch(&path).json(&json!({"ai_assistants": is_on})).ok(200).await;
            }
        };
        let (exchanged, (refreshed, ())) = join(exchanging, join(refreshing, switching)).await;
        winners(exchanged);
        winners(refreshed);
        for employee in people {
            for connection in employee.connections().await {
                assert_eq!(connection["state"], "revoked", "a revoked connection stays revoked (A-251)");
            }
        }
    }
}

#[both_engines]
async fn one_of_twenty_exchanges_of_a_code_succeeds(server: Server) {
    exchanges(&[&server]).await;
}

#[both_engines]
async fn one_of_twenty_refreshes_with_a_token_succeeds(server: Server) {
    refreshes(&[&server]).await;
}

#[both_engines]
async fn concurrent_codes_of_a_client_leave_one_active_connection(server: Server) {
    replacements(&[&server]).await;
}

#[both_engines]
async fn turning_assistants_off_revokes_concurrent_connections(server: Server) {
    while_assistants_are_toggled(&[&server]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_nodes_on_one_database_use_single_use_values_once() {
    let Some(server) = Server::postgres().await else { return };
    let other_node = server.another_node_with_same_clock().await;
    let both = [&server, &other_node];
    exchanges(&both).await;
    refreshes(&both).await;
    replacements(&both).await;
    while_assistants_are_toggled(&both).await;
    // after a revocation at one node, the other node rejects the next request
    let (employee, client) = (server.employee().await, server.client().await);
    let tokens = employee.connect(&server, &client).await;
    other_node.assert_active(&tokens).await;
    client.at(&other_node).revoke(&tokens.access).await.ok();
    server.assert_revoked(&client, &tokens).await;
}
