//! Tests of the operations `exchangeGrant` and `revokeConnection`.

use serde_json::{Value, json};

use super::*;
use crate::support::{
    assistant::{Client, *},
    *,
};

/// Returns the request body of a code exchange, with these members added or replaced.
fn exchange(registered: &Client, code: &str, members: Value) -> types::GrantRequest {
    let usual = json!({
        "grant_type": "authorization_code", "client_id": registered.id, "code": code,
        "code_verifier": VERIFIER, "redirect_uri": registered.redirect_uri,
    });
    typed(with(usual, members))
}

/// Returns the request body of a refresh, with these members added or replaced.
fn refresh(registered: &Client, token: &str, members: Value) -> types::GrantRequest {
    let usual = json!({"grant_type": "refresh_token", "client_id": registered.id, "refresh_token": token});
    typed(with(usual, members))
}

#[both_engines]
async fn exchange_grant(server: Server) {
    let (employee, registered) = (server.employee().await, server.client().await);
    let client: super::Client = server.typed();
    let code = employee.approve(&server, &registered, &[]).await;
    let made = succeeds!(200, client.exchange_grant(&exchange(&registered, &code, json!({}))));
    assert_eq!(made.token_type, types::AccessTokenType::Bearer);
    assert!(made.expires_in > 0 && made.scope.contains("service:read"), "{made:?}");
    server.assert_accepts(&made.access_token).await;
    let next = refresh(&registered, &made.refresh_token, json!({}));
    let next = succeeds!(200, client.exchange_grant_form(&next));
    assert_ne!(next.refresh_token, made.refresh_token);
    server.assert_accepts(&next.access_token).await;

    let current = next.refresh_token.as_str();
    refused!(400, "invalid_grant", client.exchange_grant(&exchange(&registered, "unknown", json!({}))));
    refused!(400, "invalid_grant", client.exchange_grant_form(&refresh(&registered, "unknown", json!({}))));
    let without_code = typed(json!({"grant_type": "authorization_code", "client_id": registered.id}));
    refused!(400, "invalid_request", client.exchange_grant(&without_code));
    refused!(
        400,
        "invalid_scope",
        client.exchange_grant(&refresh(&registered, current, json!({"scope": "x"})))
    );
    let other = refresh(&registered, current, json!({"resource": "https://other.example/mcp"}));
    refused!(400, "invalid_target", client.exchange_grant(&other));
    let password = typed(json!({"grant_type": "password", "client_id": registered.id}));
    refused!(400, "unsupported_grant_type", client.exchange_grant(&password));
    let stranger = refresh(&registered, current, json!({"client_id": "unknown"}));
    refused!(401, "invalid_client", client.exchange_grant(&stranger));
    let huge = exchange(&registered, &"x".repeat(1_048_577), json!({}));
    refused!(413, "request_too_large", client.exchange_grant(&huge));
    let renewal = refresh(&registered, current, json!({}));
    fails!(500, "server_error", client.exchange_grant(&renewal), server, "connection_tokens");
    succeeds!(200, client.exchange_grant(&renewal));
}

#[both_engines]
async fn revoke_connection(server: Server) {
    let (employee, registered) = (server.employee().await, server.client().await);
    let client: super::Client = server.typed();
    let revoke = |token: &str| -> types::RevocationRequest {
        typed(json!({"token": token, "client_id": registered.id}))
    };
    let tokens = employee.connect(&server, &registered).await;
    fails!(
        500,
        "server_error",
        client.revoke_connection(&revoke(&tokens.access)),
        server,
        "connection_tokens"
    );
    server.assert_accepts(&tokens.access).await;
    succeeds!(200, client.revoke_connection(&revoke(&tokens.access)));
    server.assert_revoked(&registered, &tokens).await;
    let tokens = employee.connect(&server, &registered).await;
    succeeds!(200, client.revoke_connection_form(&revoke(&tokens.refresh)));
    server.assert_revoked(&registered, &tokens).await;

    refused!(400, "invalid_request", client.revoke_connection(&revoke("")));
    let stranger = typed(json!({"token": tokens.access, "client_id": "unknown"}));
    refused!(401, "invalid_client", client.revoke_connection(&stranger));
    refused!(413, "request_too_large", client.revoke_connection(&revoke(&"x".repeat(1_048_577))));
}

#[both_engines]
async fn limits(server: Server) {
    let server = server.restarted_with(|config| config.limits.scale = 1).await;
    let registered = server.client().await;
    let client: super::Client = server.typed();
    limited!(429, "slow_down", client.exchange_grant(&exchange(&registered, "unknown", json!({}))));
    let revoke = typed(json!({"token": "unknown", "client_id": registered.id}));
    limited!(429, "slow_down", client.revoke_connection(&revoke));
}
