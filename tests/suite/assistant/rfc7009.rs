//! RFC 7009: token revocation.

use serde_json::json;

use crate::support::{Server, assistant::*, both_engines};

#[both_engines]
async fn either_token_revokes_the_connection(server: Server) {
    let (employee, client) =
        (server.employee().await, server.client_with("client_secret_basic", &[LOCAL]).await);
    for pick in [|t: &Tokens| t.access.clone(), |t: &Tokens| t.refresh.clone()] {
        let tokens = employee.connect(&server, &client).await;
        let reply = client.revoke(&pick(&tokens)).await;
        // revoking an access token or a refresh token succeeds, and revokes the connection
        reply.ok();
        assert_eq!(reply.bytes, b"{}", "a revocation returns an empty object (A-230)");
        // the revocation takes effect with the next request
        server.assert_revoked(&client, &tokens).await;
        employee.assert_revoked_for("client").await;
        // revoking a revoked token succeeds
        assert_eq!(client.revoke(&pick(&tokens)).await.ok(), json!({}));
    }
}

#[both_engines]
async fn spent_and_expired_tokens_revoke_the_connection(server: Server) {
    // a revocation with a spent or expired token succeeds, and revokes the connection (A-229, D-308)
    let (employee, client) = (server.employee().await, server.client().await);
    for pick in [|t: &Tokens| t.access.clone(), |t: &Tokens| t.refresh.clone()] {
        let first = employee.connect(&server, &client).await;
        let second = client.renewed(&first).await;
        client.revoke(&pick(&first)).await.ok();
        server.assert_revoked(&client, &second).await;
        employee.assert_revoked_for("client").await;
    }
    let tokens = employee.connect(&server, &client).await;
    server.advance(2 * HOUR).await;
    client.revoke(&tokens.access).await.ok();
    server.assert_revoked(&client, &tokens).await;
}

#[both_engines]
async fn tokens_of_others_are_not_revoked(server: Server) {
    let (employee, client, other) = (server.employee().await, server.client().await, server.client().await);
    let tokens = employee.connect(&server, &client).await;
    let bot = employee.company.bot(&server).await;
    let code = employee.approve(&server, &other, &[]).await;
    // for an unknown token or a token of another client, the response is 200 and nothing is revoked
    let random = format!("svc_mcp_at_test_{}", "A".repeat(49));
    for token in ["x", "\u{e9}", &random, &tokens.access, &tokens.refresh, &bot.token, &code] {
        assert_eq!(other.revoke(token).await.ok(), json!({}));
    }
    server.assert_active(&tokens).await;
    bot.api.get("/v1/auth/test").ok(200).await;
    other.exchange(&code).await.ok();
    client.renewed(&tokens).await;
}

#[both_engines]
async fn invalid_requests_are_rejected_and_hints_are_ignored(server: Server) {
    let (employee, client) =
        (server.employee().await, server.client_with("client_secret_post", &[LOCAL]).await);
    let tokens = employee.connect(&server, &client).await;
    // the client must authenticate as at `/token`
    client.revoke_with(&tokens.access, &[("client_secret", "wrong")]).await.refused(401, "invalid_client");
    client.revoke_with(&tokens.access, &[("client_secret", "")]).await.refused(401, "invalid_client");
    client.revoke_with(&tokens.access, &[("client_id", "x")]).await.refused(401, "invalid_client");
    // a revocation needs `token`
    client.revoke("").await.refused(400, "invalid_request");
    client
        .revoke_with(&tokens.access, &[("token", "a"), ("token", "b")])
        .await
        .refused(400, "invalid_request");
    server.assert_active(&tokens).await;
    // JSON and form bodies are accepted, and the hint is ignored
    for hint in ["access_token", "refresh_token", "x", ""] {
        let body = json!({
            "token": "x", "token_type_hint": hint, "client_id": client.id, "client_secret": client.secret,
        });
        assert_eq!(client.post("/revoke", "application/json", body.to_string(), None).await.ok(), json!({}));
        client.revoke_with("x", &[("token_type_hint", hint)]).await.ok();
    }
    client.revoke_with(&tokens.access, &[("token_type_hint", "refresh_token")]).await.ok();
    server.assert_revoked(&client, &tokens).await;
}
