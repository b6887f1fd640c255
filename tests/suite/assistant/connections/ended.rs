//! A revoked connection is deleted when `audit_days` have passed since the revocation. Entries of the audit log are
//! deleted after the same time.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{Server, both_engines};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);
const BLOCK: &str = "/client_blocks/local:calendar%20helper";

#[both_engines]
async fn a_revoked_connection_is_deleted_after_90_days(server: Server) {
    let (employee, client) = (server.employee().await, server.client().await);
    let company = &employee.company;
    let first = employee.connect(&server, &client).await;
    company.operator.put(&company.path(BLOCK)).ok(200).await;
    employee.assert_revoked_for("client_blocked").await;
    // a new block, created after the client's only connection was revoked, gets its name from the revoked connection
    company.operator.delete(&company.path(BLOCK)).ok(200).await;
    company.operator.put(&company.path(BLOCK)).ok(200).await;
    // `audit_days` is 90, so the jobs, which `advance` and `settle` run, do not delete the connection yet
    server.advance(DAY * 89).await;
    server.settle().await;
    employee.assert_revoked_for("client_blocked").await;
    server.advance(DAY + Duration::from_secs(1)).await;
    assert!(employee.connections().await.is_empty());
    server.assert_revoked(&client, &first).await;
    // the name was stored with the block, so it outlives the connection
    let blocks = company.operator.get(&company.path("/client_blocks")).ok(200).await;
    assert_eq!(blocks["client_blocks"][0]["display_name"], "Calendar Helper");
    company.operator.delete(&company.path(BLOCK)).ok(200).await;
    company.operator.put(&company.path(BLOCK)).ok(200).await;
    let blocks = company.operator.get(&company.path("/client_blocks")).ok(200).await;
    assert_eq!(
        blocks["client_blocks"][0]["display_name"],
        Value::Null,
        "a new block has no name if no connection of the client is stored"
    );
}

#[both_engines]
async fn active_and_recently_revoked_connections_are_kept(server: Server) {
    let (employee, client) = (server.employee().await, server.client().await);
    let mut tokens = employee.connect(&server, &client).await;
    // a connection that is refreshed every two weeks does not expire
    for _ in 0..10 {
        server.advance(DAY * 14).await;
        tokens = client.renewed(&tokens).await;
    }
    assert_eq!(employee.state().await, ("active".to_owned(), json!(null)));
    client.revoke(&tokens.refresh).await.ok();
    server.advance(DAY * 89).await;
    employee.assert_revoked_for("client").await;
    server.advance(DAY * 2).await;
    assert!(employee.connections().await.is_empty());
}
