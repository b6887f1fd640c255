//! Tokens at the MCP endpoints: challenges, the resource for which a token is valid, and the check of the token of
//! every request (A-256 … ).

use reqwest::Method;
use serde_json::json;

use crate::support::{BotFixture, Server, assistant::HOUR, both_engines, mcp::*};

fn challenge(server: &Server, resource: &str, scope: &str) -> String {
    let metadata = format!("{}/.well-known/oauth-protected-resource{resource}", server.base);
    format!("resource_metadata=\"{metadata}\", scope=\"{scope}\"")
}

#[both_engines]
async fn a_request_without_a_token_gets_a_challenge(server: Server) {
    let full = server.mcp("", MODERN);
    let readonly = full.clone().readonly();
    let challenges = [
        // the challenge names the scopes of `/mcp`
        (full, challenge(&server, "/mcp", "service:read service:write")),
        // the challenge names the scopes of `/mcp/readonly`
        (readonly, challenge(&server, "/mcp/readonly", "service:read")),
    ];
    for (client, parameters) in challenges {
        // the rules apply to every method
        for method in [Method::POST, Method::GET, Method::DELETE] {
            let got = client.call(method.clone()).without("authorization").send().await;
            // a 401 has a JSON body (D-325)
            got.refused(401, "unauthorized");
            assert_eq!(
                got.header("www-authenticate"),
                Some(&*format!("Bearer {parameters}")),
                "without a token the challenge has no `error` (A-258): {method}"
            );
        }
        // the metadata is at the URL of the challenge
        let url = parameters.split('"').nth(1).unwrap();
        let metadata: serde_json::Value = client.http.get(url).send().await.unwrap().json().await.unwrap();
        assert_eq!(metadata["resource"], client.url);
    }
}

#[both_engines]
async fn an_invalid_token_gets_a_challenge(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let assistant = server.connected_assistant().await;
    let other = assistant.client.renewed(&assistant.tokens).await;
    for (what, token) in [
        ("nonsense", "nonsense"),
        ("spent", &*assistant.tokens.access),
        ("a refresh token", &*other.refresh),
        ("a bot token (A-004)", &*fixture.bot.token),
    ] {
        for method in [Method::POST, Method::GET, Method::DELETE] {
            let got = server.mcp(token, MODERN).call(method).send().await;
            got.invalid_token();
            let parameters = challenge(&server, "/mcp", "service:read service:write");
            let expected = format!("Bearer error=\"invalid_token\", {parameters}");
            assert_eq!(
                got.header("www-authenticate"),
                Some(&*expected),
                "the challenge has the error invalid_token (A-259): {what}"
            );
        }
    }
    for authorization in ["Basic YTpi", "Bearer", "Bearer  ", &other.access] {
        let call = server.mcp("", MODERN).call(Method::POST).header("authorization", authorization);
        call.send().await.invalid_token();
    }
    let twice = server.mcp(&other.access, MODERN).request("tools/list", json!({}));
    twice.also("authorization", format!("Bearer {}", other.access)).send().await.invalid_token();
    server.mcp(&other.access, MODERN).list_tools().await.result();
    // the bot API refuses tokens of the assistant API
    server.api().bearer(&other.access).get("/v1/auth/test").refused(401, "invalid_auth").await;
    // an access token expires after an hour
    server.advance(HOUR).await;
    server.mcp(&other.access, MODERN).list_tools().await.invalid_token();
}

#[both_engines]
async fn a_token_of_the_read_only_endpoint_is_not_valid_at_mcp(server: Server) {
    let full = server.connected_assistant().await.tokens.access;
    let readonly_url = format!("{}/mcp/readonly", server.base);
    let readonly = server.connected_assistant_with(&[("resource", &readonly_url)]).await.tokens.access;
    for version in [MODERN, NOVEMBER, JUNE] {
        server.mcp(&full, version).initialized().await.list_tools().await.result();
        // a token for `/mcp` works at `/mcp/readonly` too
        server.mcp(&full, version).readonly().initialized().await.list_tools().await.result();
        server.mcp(&readonly, version).readonly().initialized().await.list_tools().await.result();
        let got = server.mcp(&readonly, version).list_tools().await;
        // a token for `/mcp/readonly` is not valid at `/mcp`
        assert!(got.invalid_token().header("www-authenticate").unwrap().contains("service:write"));
    }
}

#[both_engines]
async fn tokens_in_the_query_are_rejected(server: Server) {
    let assistant = server.connected_assistant().await;
    let client = server.mcp_session(&assistant.tokens.access, NOVEMBER).await;
    for query in [
        "access_token=x",
        "token=x",
        "a=1&access_token=x",
        "ACCESS_TOKEN=x",
        &format!("x={}", assistant.tokens.access),
        "x=svc_bot_test_1",
    ] {
        let request = client.request("tools/list", json!({})).query(query);
        // a token in the query is refused, even if the header `Authorization` has a valid token (A-270, D-331)
        request.clone().send().await.refused(400, "invalid_request");
        for method in [Method::GET, Method::DELETE] {
            client.bare(method).query(query).send().await.refused(400, "invalid_request");
        }
        let bare = request.without("authorization").send().await;
        bare.refused(400, "invalid_request");
    }
    // parameters without a token are ignored
    for query in ["", "access_token=", "token", "x=1"] {
        client.request("tools/list", json!({})).query(query).send().await.result();
    }
}

#[both_engines]
async fn the_token_of_every_request_is_checked(server: Server) {
    let assistant = server.connected_assistant().await;
    let modern = server.mcp(&assistant.tokens.access, MODERN);
    let session = server.mcp_session(&assistant.tokens.access, NOVEMBER).await;
    for client in [&modern, &session] {
        client.list_tools().await.result();
    }
    // a request in a session needs a token as well
    session.request("ping", json!({})).without("authorization").send().await.refused(401, "unauthorized");
    // a session survives a refresh, and its requests need the new token
    let tokens = assistant.client.renewed(&assistant.tokens).await;
    for client in [&modern, &session] {
        client.list_tools().await.invalid_token();
        client.with(&tokens.access).list_tools().await.result();
    }
    // a revocation takes effect with the next request
    assert_eq!(assistant.client.revoke(&tokens.access).await.status, 200);
    for client in [&modern, &session] {
        // a request in a session of a revoked connection gets 401, not 404
        client.with(&tokens.access).list_tools().await.invalid_token();
    }
}
