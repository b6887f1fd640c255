//! Exchanging an authorization code at `/token`.

use std::time::Duration;

use serde_json::json;

use crate::support::{Options, Server, assistant::*, both_engines, mcp::MODERN};

#[both_engines]
async fn a_code_becomes_tokens(server: Server) {
    let (employee, client) = (server.employee().await, server.client().await);
    let code = employee.approve(&server, &client, &[]).await;
    // `/token` accepts a form, and a valid code gets tokens
    let answer = client.exchange(&code).await.ok();
    let tokens = Tokens::of(&answer);
    // The response has exactly these members. The member `scope` has the granted scopes, and every
    // grant gets a refresh token.
    assert_eq!(
        answer,
        json!({
            "access_token": tokens.access, "token_type": "Bearer", "expires_in": 3600,
            "refresh_token": tokens.refresh, "scope": "service:read service:write",
        })
    );
    assert!(
        tokens.access.starts_with("svc_mcp_at_test_"),
        "an access token has the prefix of its environment (A-179)"
    );
    assert!(
        tokens.refresh.starts_with("svc_mcp_rt_test_"),
        "a refresh token has the prefix of its environment (A-180)"
    );
    assert!(
        !tokens.access.contains('.') && !tokens.refresh.contains('.'),
        "a token is not a JWT, which would contain periods (A-181)"
    );
    let who = server.mcp(&tokens.access, MODERN).tool("whoami", json!({})).await.result();
    let who = &who["structuredContent"];
    assert_eq!(
        who["user"]["id"],
        employee.id.as_str(),
        "the connection is for the employee who approved the client (A-007): {who}"
    );
    assert_eq!(
        who["workspace"]["id"],
        employee.company.id.as_str(),
        "the connection is for the chosen company (D-321): {who}"
    );
    let connections = employee.connections().await;
    assert_eq!(
        (connections.len(), &connections[0]["client_id"]),
        (1, &json!(client.id)),
        "the exchange creates a connection (A-232)"
    );
    assert_eq!(employee.state().await, ("active".to_owned(), json!(null)));
}

#[both_engines]
async fn a_json_body_is_accepted(server: Server) {
    let (employee, client) = (server.employee().await, server.client().await);
    let code = employee.approve(&server, &client, &[]).await;
    let mut body = json!({
        "grant_type": "authorization_code", "code": code, "code_verifier": VERIFIER,
        "redirect_uri": client.redirect_uri, "client_id": client.id, "unknown": {"a": [1]},
    });
    // a parameter that is not a string is refused (D-280)
    body["code_verifier"] = json!(1);
    client.post("/token", "application/json", body.to_string(), None).await.refused(400, "invalid_request");
    body["code_verifier"] = json!(VERIFIER);
    // `/token` accepts a JSON body
    client.post("/token", "application/json", body.to_string(), None).await.ok();
}

#[both_engines]
async fn bodies_that_cannot_be_read_are_rejected(server: Server) {
    let client = server.client().await;
    for (media_type, body) in [
        ("text/plain", "grant_type=authorization_code"),
        ("multipart/form-data; boundary=x", "--x--"),
        ("application/json", "{"),
        ("application/json", "[]"),
        ("application/json", "{\"grant_type\":\"a\",\"grant_type\":\"b\"}"),
        ("application/x-www-form-urlencoded", "grant_type=%FF"),
        // U+0000 in a parameter (D-025)
        ("application/x-www-form-urlencoded", "grant_type=%00"),
    ] {
        let reply = client.post("/token", media_type, body, None).await;
        let error = reply.json()["error"].clone();
        assert!(
            reply.status == 400 && error == "invalid_request",
            "an unsupported media type or an invalid body is refused (A-176): {media_type} {body}: {error}"
        );
    }
}

#[both_engines]
async fn missing_and_repeated_parameters_are_rejected(server: Server) {
    let (employee, client) = (server.employee().await, server.client().await);
    let code = employee.approve(&server, &client, &[]).await;
    // A missing parameter is refused. An empty parameter counts as missing, and a repeated parameter is refused
    //
    for name in ["grant_type", "code", "code_verifier", "redirect_uri"] {
        client.exchange_with(&code, &[(name, "")]).await.refused(400, "invalid_request");
        let mut form = client.exchange_form(&code, &[]);
        form.iter_mut().filter(|(n, _)| *n == name).for_each(|(_, v)| v.clear());
        client.post_form("/token", &form).await.refused(400, "invalid_request");
        let mut form = client.exchange_form(&code, &[]);
        form.push((name, "x".to_owned()));
        client.post_form("/token", &form).await.refused(400, "invalid_request");
    }
    for grant_type in ["password", "client_credentials", "Authorization_code", "implicit"] {
        // only `authorization_code` and `refresh_token` are grant types
        let reply = client.exchange_with(&code, &[("grant_type", grant_type)]).await;
        reply.refused(400, "unsupported_grant_type");
    }
    // the server authenticates the client before it checks the grant type (D-281)
    let more = [("grant_type", "password"), ("client_id", "x")];
    client.exchange_with(&code, &more).await.refused(401, "invalid_client");
    // the query is not read, and unknown parameters are ignored
    let form = client.exchange_form(&code, &[("code_verifier", "")]);
    client
        .post_form(&format!("/token?code_verifier={VERIFIER}"), &form)
        .await
        .refused(400, "invalid_request");
    client.exchange_with(&code, &[("unknown", "x")]).await.ok();
}

#[both_engines]
async fn wrong_codes_are_rejected(server: Server) {
    let (employee, client) = (server.employee().await, server.client().await);
    let code = employee.approve(&server, &client, &[]).await;
    let changed = crate::support::with_other_last_character(&code);
    for unknown in ["x", &changed, &format!("{code} "), "\u{e9}"] {
        // an unknown code is refused
        client.exchange(unknown).await.refused(400, "invalid_grant");
    }
    // the redirect URI must be that of the authorization request, including the port
    for uri in ["http://127.0.0.1:53683/callback", "http://127.0.0.1/callback", "x"] {
        client.exchange_with(&code, &[("redirect_uri", uri)]).await.refused(400, "invalid_grant");
    }
    // a code of another client is refused, before and after the code is exchanged
    let other = server.client().await;
    other.exchange(&code).await.refused(400, "invalid_grant");
    // the wrong redirect URIs have not used up the code
    let tokens = Tokens::of(&client.exchange(&code).await.ok());
    other.exchange(&code).await.refused(400, "invalid_grant");
    // another client cannot revoke a connection by presenting the connection's code (D-291)
    server.assert_active(&tokens).await;
}

#[both_engines]
async fn a_code_is_valid_for_ten_minutes(server: Server) {
    let (employee, client) = (server.employee().await, server.client().await);
    let (early, late) =
        (employee.approve(&server, &client, &[]).await, employee.approve(&server, &client, &[]).await);
    // a code can be exchanged for 10 minutes; afterwards it is refused
    server.advance(seconds(600)).await;
    client.exchange(&early).await.ok();
    server.clock.advance(Duration::from_micros(1));
    client.exchange(&late).await.refused(400, "invalid_grant");
    server.advance(DAY).await;
    client.exchange(&late).await.refused(400, "invalid_grant");
}

#[both_engines]
async fn a_reused_code_revokes_its_connection(server: Server) {
    let (employee, client) = (server.employee().await, server.client().await);
    let code = employee.approve(&server, &client, &[]).await;
    let tokens = Tokens::of(&client.exchange(&code).await.ok());
    // a used code is refused, and its reuse revokes the connection
    client.exchange(&code).await.refused(400, "invalid_grant");
    server.assert_revoked(&client, &tokens).await;
    employee.assert_revoked_for("code_reused").await;
    // the reuse revokes the connection even after the code has expired and the tokens were refreshed (D-292), and even
    // with a wrong verifier (D-293)
    let code = employee.approve(&server, &client, &[]).await;
    let tokens = Tokens::of(&client.exchange(&code).await.ok());
    server.advance(HOUR).await;
    let tokens = client.renewed(&tokens).await;
    client.exchange_with(&code, &[("code_verifier", &"x".repeat(43))]).await.refused(400, "invalid_grant");
    server.assert_revoked(&client, &tokens).await;
    employee.assert_revoked_for("code_reused").await;
    // after the revocation, a further replay of the code does not affect a newer connection
    let newer = employee.connect(&server, &client).await;
    client.exchange(&code).await.refused(400, "invalid_grant");
    server.assert_active(&newer).await;
}

#[both_engines]
async fn a_code_is_refused_after_a_change_that_forbids_the_connection(server: Server) {
    // A code is refused if a change since the approval forbids the connection. Most of these changes make the
    // code invalid for ever, even if they are reverted.
    let client = server.client().await;
    let employee = server.employee().await;
    let company = &employee.company;
    let operator = &company.operator;
    let workspace = company.path("");
    // assistants were turned off, and on again
    let code = employee.approve(&server, &client, &[]).await;
    operator.patch(&workspace).json(&json!({"ai_assistants": false})).ok(200).await;
    client.exchange(&code).await.refused(400, "invalid_grant");
    operator.patch(&workspace).json(&json!({"ai_assistants": true})).ok(200).await;
    client.exchange(&code).await.refused(400, "invalid_grant");
    // the client was blocked, and unblocked again
    let code = employee.approve(&server, &client, &[]).await;
    let block = company.path("/client_blocks/local:calendar%20helper");
    operator.put(&block).ok(200).await;
    client.exchange(&code).await.refused(400, "invalid_grant");
    operator.delete(&block).ok(200).await;
    client.exchange(&code).await.refused(400, "invalid_grant");
    // the operator logged the employee out
    let code = employee.approve(&server, &client, &[]).await;
    operator.post(&format!("/admin/v1/users/{}/logout", employee.id)).ok(200).await;
    client.exchange(&code).await.refused(400, "invalid_grant");
    server.clock.advance(seconds(1));
    // the employee became a guest: after this change was reverted, the code is valid again
    let code = employee.approve(&server, &client, &[]).await;
    company.update_user(&employee.id, json!({"is_external": true})).await;
    client.exchange(&code).await.refused(400, "invalid_grant");
    company.update_user(&employee.id, json!({"is_external": false})).await;
    client.exchange(&code).await.ok();
    // the employee was deactivated, and activated again
    let code = employee.approve(&server, &client, &[]).await;
    company.set_state(&employee.id, "deactivated").await;
    client.exchange(&code).await.refused(400, "invalid_grant");
    company.set_state(&employee.id, "active").await;
    client.exchange(&code).await.refused(400, "invalid_grant");
}

#[tokio::test]
async fn production_tokens_are_live() {
    // tokens of a production server have the prefixes of production
    let server = Server::with(Options { production: true, ..Options::default() }).await.unwrap();
    let (employee, client) = (server.employee().await, server.client().await);
    let tokens = employee.connect(&server, &client).await;
    assert!(tokens.access.starts_with("svc_mcp_at_live_") && tokens.refresh.starts_with("svc_mcp_rt_live_"));
    server.assert_active(&tokens).await;
}
