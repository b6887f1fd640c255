//! Revoked connections are kept as long as entries of the audit log (`audit_days`), and then deleted.

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
    company.operator.delete(&company.path(BLOCK)).ok(200).await;
    company.operator.put(&company.path(BLOCK)).ok(200).await;
    // `audit_days` is 90
    server.advance(DAY * 89).await;
    server.advance(Duration::ZERO).await;
    employee.assert_revoked_for("client_blocked").await;
    server.advance(DAY + Duration::from_secs(1)).await;
    assert!(employee.connections().await.is_empty());
    server.assert_revoked(&client, &first).await;
    // the name of a blocked key is stored with the block
    let blocks = company.operator.get(&company.path("/client_blocks")).ok(200).await;
    assert_eq!(blocks["client_blocks"][0]["display_name"], "Calendar Helper");
    company.operator.delete(&company.path(BLOCK)).ok(200).await;
    company.operator.put(&company.path(BLOCK)).ok(200).await;
    let blocks = company.operator.get(&company.path("/client_blocks")).ok(200).await;
    assert_eq!(
        blocks["client_blocks"][0]["display_name"],
        Value::Null,
        "the name is unknown when no connection of the client is stored"
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
