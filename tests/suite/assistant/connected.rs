//! A registered client that has had a connection is not deleted. Codes are exchanged, and tokens refreshed and revoked,
//! without another fetch of the client's metadata document. The bot API and the admin API refuse tokens of the
//! assistant API. The database has client secrets only as hashes.

use std::time::Duration;

use serde_json::json;
use switchboard::store::{DatabaseUrl, Engine};

use super::asking::client_of;
use crate::support::{oauth::*, receiver::Treatment, *};

const DAY: Duration = Duration::from_secs(86_400);

#[both_engines]
async fn a_client_that_has_had_a_connection_is_kept(server: Server) {
    let (employee, client, unused) = (server.employee().await, server.client().await, server.client().await);
    let tokens = employee.connect(&server, &client).await;
    let revoked = client.revoke(&tokens.access).await;
    revoked.ok();
    // a client that has had a connection is kept, even after the connection was revoked (D-234)
    server.advance(DAY * 100).await;
    let list = server.operator().get("/admin/v1/assistant_clients").ok(200).await;
    let list = list["assistant_clients"].as_array().unwrap();
    let ids: Vec<_> = list.iter().map(|listed| listed["client_id"].as_str().unwrap()).collect();
    assert_eq!(ids, [client.id.as_str()]);
    assert_eq!(list[0]["last_used_at"], "2026-11-20T12:00:00.000Z");
    employee.connect(&server, &client).await;
    // a client that never had a connection is deleted after 30 days
    unused.revoke("x").await.refused(401, "invalid_client");
}

#[both_engines]
async fn other_apis_refuse_tokens_of_the_assistant_api(server: Server) {
    let (employee, client) = (server.employee().await, server.client().await);
    let tokens = employee.connect(&server, &client).await;
    // the bot API refuses tokens of the assistant API; the admin API refuses them too
    for token in [&tokens.access, &tokens.refresh] {
        server.api().bearer(token).get("/v1/auth/test").refused(401, "invalid_auth").await;
        server.api().bearer(token).get("/admin/v1/workspaces").refused(401, "invalid_auth").await;
    }
}

#[both_engines]
async fn a_document_is_fetched_for_an_authorization_only(engine: Engine) -> Option<()> {
    let host = ClientHost::start().await;
    let server = host.server(engine, false).await?;
    let employee = server.employee().await;
    let client = client_of(&server, &host, CALLBACK);
    let code = employee.approve(&server, &client, &[]).await;
    assert_eq!(host.request_count(), 1);
    // exchanges, refreshes and MCP requests work while the client's host is down, and send no request to it
    host.receiver.always(Treatment::Close);
    let tokens = assistant::Tokens::of(&client.exchange(&code).await.ok());
    server.advance(DAY).await;
    let tokens = client.renewed(&tokens).await;
    server.assert_active(&tokens).await;
    assert_eq!(host.request_count(), 1);
    // a changed document does not affect existing connections
    host.publish(json!({"redirect_uris": ["https://other.example/callback"]}), &[]);
    let tokens = client.renewed(&tokens).await;
    server.assert_active(&tokens).await;
    let list = server.operator().get("/admin/v1/assistant_clients").ok(200).await;
    assert_eq!(list["assistant_clients"][0]["last_used_at"], "2026-11-21T12:00:00.000Z");
    client.revoke(&tokens.access).await.ok();
    assert_eq!(host.request_count(), 1);
    Some(())
}

#[tokio::test]
async fn secrets_are_kept_as_hashes() {
    let server = Server::sqlite().await;
    let made = server.register(json!({"token_endpoint_auth_method": null})).await;
    let DatabaseUrl::Sqlite(path) = &server.database.url else { panic!("SQLite") };
    let mut stored = std::fs::read(path).unwrap();
    stored.extend(std::fs::read(path.with_extension("db-wal")).unwrap());
    let holds = |text: &str| stored.windows(text.len()).any(|bytes| bytes == text.as_bytes());
    // client secrets are stored as hashes only
    assert!(holds(&made.client_id) && !holds(&made.client_secret.unwrap()));
}
