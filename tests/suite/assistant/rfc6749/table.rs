//! The errors and lifetimes that the contract lists, except those of the MCP endpoints.

use switchboard::service::oauth::consent::{ConsentDecision, Undecided};

use crate::support::{Server, assistant::*, authorize::*, both_engines, browser::Browser};

fn path(client: &Client, more: &[(&str, &str)]) -> String {
    format!("/authorize?{}", serde_urlencoded::to_string(client.authorization_query(more)).unwrap())
}

async fn request(server: &Server, client: &Client) -> String {
    server.begin_for(client, &[]).await.request()
}

#[both_engines]
async fn authorize_shows_a_page_or_redirects(server: Server) {
    let client = server.client_with("none", &[WEB]).await;
    let mut browser = server.browser();
    // a wrong client or redirect URI gets a page and no redirect
    for more in [[("client_id", "mcpc_unknown")], [("redirect_uri", "https://evil.example/")]] {
        let page = browser.get(&path(&client, &more)).await;
        page.is(400, "cannot be connected");
        assert_eq!(page.header("location"), None);
        assert!(page.header("content-type").unwrap().starts_with("text/html"));
    }
    // errors of other parameters are redirects (302)
    for (more, error) in [
        (("response_type", "token"), "unsupported_response_type"),
        (("response_type", ""), "invalid_request"),
        (("resource", "https://elsewhere.example/mcp"), "invalid_target"),
        (("scope", "x"), "invalid_scope"),
    ] {
        let to = browser.get(&path(&client, &[more])).await.to().to_owned();
        let outcome = Redirected::read(&to);
        assert!(to.starts_with(WEB), "the error goes to the redirect URI: {to}");
        assert_eq!((outcome.get("error"), outcome.get("state")), (Some(error), Some("a state")));
    }
    let employee = server.employee().await;
    let denied =
        employee.decide(&server, &request(&server, &client).await, ConsentDecision::Deny).await.unwrap();
    assert_eq!(denied.get("error"), Some("access_denied"));
}

#[both_engines]
async fn token_rejects_invalid_scopes_and_resources(server: Server) {
    let (employee, client) = (server.employee().await, server.client().await);
    let code = employee.approve(&server, &client, &[]).await;
    client.exchange_with(&code, &[("resource", "x")]).await.refused(400, "invalid_target");
    let tokens = Tokens::of(&client.exchange(&code).await.ok());
    client.refresh_with(&tokens.refresh, &[("scope", "x")]).await.refused(400, "invalid_scope");
    client.refresh_with(&tokens.refresh, &[("resource", "x")]).await.refused(400, "invalid_target");
    server.assert_active(&tokens).await;
}

#[both_engines]
async fn every_documented_cause_is_an_invalid_grant(server: Server) {
    // an unknown code
    let (employee, client) = (server.employee().await, server.client().await);
    let code = employee.approve(&server, &client, &[]).await;
    let unknown = crate::support::with_other_last_character(&code);
    for unknown in ["x", &unknown] {
        client.exchange(unknown).await.refused(400, "invalid_grant");
    }
    // an expired code
    let late = employee.approve(&server, &client, &[]).await;
    server.clock.advance(10 * MINUTE + seconds(1));
    client.exchange(&late).await.refused(400, "invalid_grant");
    // a code of another client
    let other = server.client().await;
    let code = employee.approve(&server, &client, &[]).await;
    other.exchange(&code).await.refused(400, "invalid_grant");
    // a used code
    client.exchange(&code).await.ok();
    client.exchange(&code).await.refused(400, "invalid_grant");
    // an unknown refresh token
    client.refresh("x").await.refused(400, "invalid_grant");
    // a refresh token of another client
    let first = employee.connect(&server, &client).await;
    other.refresh(&first.refresh).await.refused(400, "invalid_grant");
    // a spent refresh token
    let second = client.renewed(&first).await;
    client.refresh(&first.refresh).await.refused(400, "invalid_grant");
    // a refresh token of a revoked connection: the spent token above has revoked it
    client.refresh(&second.refresh).await.refused(400, "invalid_grant");
    // an expired refresh token
    let late = employee.connect(&server, &client).await;
    server.clock.advance(30 * DAY + seconds(1));
    client.refresh(&late.refresh).await.refused(400, "invalid_grant");
}

#[both_engines]
async fn lifetimes_are_as_documented(server: Server) {
    let (employee, client) = (server.employee().await, server.client().await);
    // an authorization request is valid for 10 minutes
    let approve = ConsentDecision::Approve(employee.workspace());
    let (in_time, late) = (request(&server, &client).await, request(&server, &client).await);
    server.advance(10 * MINUTE - seconds(1)).await;
    let outcome = employee.decide(&server, &in_time, approve).await.unwrap();
    server.advance(seconds(1)).await;
    assert_eq!(employee.decide(&server, &late, approve).await.unwrap_err(), Undecided::NoRequest);
    // a code is valid for 10 minutes from the approval: the code of `outcome` is exchanged after exactly 10 minutes,
    // and `late` is rejected after 10 minutes and one second
    let late = employee.approve(&server, &client, &[]).await;
    server.advance(10 * MINUTE - seconds(1)).await;
    let tokens = Tokens::of(&client.exchange(outcome.get("code").unwrap()).await.ok());
    server.advance(seconds(2)).await;
    client.exchange(&late).await.refused(400, "invalid_grant");
    // an access token is valid for 1 hour: it is accepted one second before its end, and rejected one second after it
    server.advance(HOUR - seconds(3)).await;
    server.assert_active(&tokens).await;
    server.advance(seconds(2)).await;
    server.assert_rejects(&tokens.access).await;
    // a refresh token is valid for 30 days
    server.advance(30 * DAY - HOUR - seconds(2)).await;
    let tokens = client.renewed(&tokens).await;
    server.advance(30 * DAY).await;
    client.refresh(&tokens.refresh).await.refused(400, "invalid_grant");
}

#[tokio::test]
async fn rate_limit_errors_have_the_format_of_their_endpoint() {
    let server = Server::limited().await;
    let client = server.client().await;
    for n in 0..21 {
        let (token, revoke) = (client.refresh("x").await, client.revoke("x").await);
        match n {
            0..20 => assert_eq!((token.status, revoke.status), (400, 200)),
            _ => [token, revoke].iter().for_each(|reply| reply.refused(429, "slow_down")),
        }
    }
    let api = server.api();
    // 19 requests, because the registration of `client` counts towards the limit of 20
    for _ in 1..20 {
        assert_eq!(api.post("/register").json(&serde_json::json!({})).send().await.status, 400);
    }
    let refused = api.post("/register").json(&serde_json::json!({})).denied(429, "slow_down").await;
    assert!(refused.header("retry-after").is_some());
    // if the limit of `/authorize` is exceeded, the response is plain text
    let mut browser: Browser = server.browser();
    for _ in 0..30 {
        assert_eq!(browser.get("/authorize").await.wire.status, 400);
    }
    let page = browser.get("/authorize").await;
    assert_eq!(page.wire.status, 429);
    assert!(page.header("content-type").unwrap().starts_with("text/plain"));
    assert!(page.header("retry-after").is_some());
}
