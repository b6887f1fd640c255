//! Refreshing tokens at `/token`.

use serde_json::json;

use crate::support::{Server, assistant::*, both_engines, mcp::MODERN};

#[both_engines]
async fn a_refresh_replaces_both_tokens(server: Server) {
    let (employee, client) = (server.employee().await, server.client().await);
    let first = employee.connect(&server, &client).await;
    // a refresh issues new tokens
    let second = client.renewed(&first).await;
    assert_ne!(first.access, second.access);
    assert_ne!(first.refresh, second.refresh);
    assert_eq!(
        second.scope, "service:read service:write",
        "without `scope` a refresh gets all scopes of the grant (A-198)"
    );
    // the earlier access token stops working at once
    server.assert_rejects(&first.access).await;
    server.assert_active(&second).await;
    assert_eq!(employee.connections().await.len(), 1, "a refresh keeps the connection");
    assert!(employee.connections().await[0]["refreshed_at"].is_string());
    // the first refresh token is spent, and its second use revokes the connection
    client.refresh(&first.refresh).await.refused(400, "invalid_grant");
    server.assert_revoked(&client, &second).await;
    employee.assert_revoked_for("refresh_reused").await;
}

#[both_engines]
async fn reuse_of_an_older_refresh_token_is_detected(server: Server) {
    let (employee, client) = (server.employee().await, server.client().await);
    let first = employee.connect(&server, &client).await;
    let mut current = first.clone();
    for _ in 0..3 {
        server.advance(DAY).await;
        current = client.renewed(&current).await;
    }
    // neither an invalid scope nor the age of the token hides the reuse (D-299)
    client.refresh_with(&first.refresh, &[("scope", "x")]).await.refused(400, "invalid_grant");
    server.assert_revoked(&client, &current).await;
    employee.assert_revoked_for("refresh_reused").await;
}

#[both_engines]
async fn a_narrower_scope_is_for_the_access_token_only(server: Server) {
    let (employee, client) = (server.employee().await, server.client().await);
    let tokens = employee.connect(&server, &client).await;
    let narrow = Tokens::of(&client.refresh_with(&tokens.refresh, &[("scope", "service:read")]).await.ok());
    assert_eq!(narrow.scope, "service:read", "a refresh may narrow the scope (A-199)");
    let colleague = employee.company.person().await;
    let writing = async |tokens: &Tokens| {
        let draft = json!({"person": colleague, "text": "hello"});
        server.mcp(&tokens.access, MODERN).tool("draft_message", draft).await
    };
    // the access token of a refresh with a narrower `scope` has that scope
    writing(&narrow).await.refused(403, "insufficient_scope");
    let wide = client.renewed(&narrow).await;
    assert_eq!(
        wide.scope, "service:read service:write",
        "a refresh with a narrower scope does not change the scope of the grant (A-199, D-297)"
    );
    writing(&wide).await.result();
    // a scope beyond the grant, or an invalid scope, is rejected; the rejection does not spend the token (D-298)
    let reader = employee.connect_with(&server, &client, &[("scope", "service:read")]).await;
    for scope in ["service:read service:write", "service:write", "x", " "] {
        client.refresh_with(&reader.refresh, &[("scope", scope)]).await.refused(400, "invalid_scope");
    }
    server.assert_active(&reader).await;
    assert_eq!(client.renewed(&reader).await.scope, "service:read");
}

#[both_engines]
async fn rejected_refreshes_do_not_spend_the_token(server: Server) {
    let (employee, client) =
        (server.employee().await, server.client_with("client_secret_post", &[LOCAL]).await);
    let tokens = employee.connect(&server, &client).await;
    let other = server.client().await;
    // a refresh token of another client is refused
    other.refresh(&tokens.refresh).await.refused(400, "invalid_grant");
    let wrong = [("client_secret", "wrong")];
    // a refresh that fails does not spend the token (D-298)
    client.refresh_with(&tokens.refresh, &wrong).await.refused(401, "invalid_client");
    let changed = crate::support::with_other_last_character(&tokens.refresh);
    for unknown in ["x", &changed, &tokens.access] {
        // an unknown refresh token is refused
        client.refresh(unknown).await.refused(400, "invalid_grant");
    }
    // an empty parameter counts as missing
    client.refresh("").await.refused(400, "invalid_request");
    server.assert_active(&tokens).await;
    let tokens = client.renewed(&tokens).await;
    // another client cannot revoke the connection by presenting a spent refresh token (D-301)
    let next = client.renewed(&tokens).await;
    other.refresh(&tokens.refresh).await.refused(400, "invalid_grant");
    server.assert_active(&next).await;
}

#[both_engines]
async fn a_refresh_token_is_valid_for_thirty_days(server: Server) {
    let (employee, client) = (server.employee().await, server.client().await);
    let first = employee.connect(&server, &client).await;
    server.advance(30 * DAY - HOUR).await;
    // a refresh token works for 30 days after it was issued
    let second = client.renewed(&first).await;
    server.advance(30 * DAY - HOUR).await;
    // each refresh begins another 30 days
    let third = client.renewed(&second).await;
    server.clock.advance(30 * DAY + seconds(1));
    // after 30 days a refresh token is refused, and its connection is revoked (D-302, A-246)
    client.refresh(&third.refresh).await.refused(400, "invalid_grant");
    employee.assert_revoked_for("refresh_expired").await;
}

#[both_engines]
async fn an_access_token_is_valid_for_an_hour(server: Server) {
    let (employee, client) = (server.employee().await, server.client().await);
    let tokens = employee.connect(&server, &client).await;
    server.advance(seconds(3599)).await;
    // an access token works for an hour
    server.assert_active(&tokens).await;
    server.advance(seconds(2)).await;
    server.assert_rejects(&tokens.access).await;
    let tokens = client.renewed(&tokens).await;
    server.assert_active(&tokens).await;
}
