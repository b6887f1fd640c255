//! RFC 8707: resource indicators.

use super::rfc9728::server_with_mcp_url;
use crate::support::{Server, assistant::*, authorize::AuthorizeAnswer, both_engines, mcp::MODERN};

#[both_engines]
async fn authorize_accepts_only_resources_of_this_server(server: Server) {
    let (employee, client) = (server.employee().await, server.client().await);
    let base = server.base.clone();
    let upper = base.replace("http://", "HTTP://");
    // a token for `/mcp` is accepted at both endpoints; a token for `/mcp/readonly` is accepted only at `/mcp/readonly`
    for (resource, expected) in [
        // without `resource`, the resource is `/mcp`
        (String::new(), 200),
        (format!("{base}/mcp"), 200),
        (format!("{base}/mcp/readonly"), 401),
        // the scheme is compared in lower case (D-259)
        (format!("{upper}/mcp"), 200),
    ] {
        let tokens = employee.connect_with(&server, &client, &[("resource", &resource)]).await;
        let full = server.mcp(&tokens.access, MODERN);
        assert_eq!(
            full.list_tools().await.status,
            expected,
            "the token is for the requested resource, by default for /mcp (A-150): {resource}"
        );
        // each of these tokens works at `/mcp/readonly`
        full.readonly().list_tools().await.result();
    }
    let slash = format!("{base}/mcp/");
    let fragment = format!("{base}/mcp#x");
    let query = format!("{base}/mcp?x");
    // apart from the case of scheme and host, a resource must be exactly the URL of an endpoint
    for resource in [&*base, &slash, &fragment, &query, "https://evil.example/mcp", "/mcp", "mcp", "x"] {
        let outcome = refused(&server, &client, &[("resource", resource)]).await;
        assert_eq!(outcome, "invalid_target", "any other resource is refused (A-151): {resource}");
    }
    // a repeated resource is refused, even if both values are valid
    let good = format!("{base}/mcp");
    let repeated = [("resource", &*good), ("resource", &*good)];
    assert_eq!(refused(&server, &client, &repeated).await, "invalid_target");
    let redirected = server.begin_for(&client, &repeated).await.redirected();
    assert_eq!(
        redirected.get("error_description"),
        Some("resource appears more than once"),
        "the description names the repeated parameter"
    );
}

#[tokio::test]
async fn the_host_of_a_resource_is_compared_in_lower_case() {
    let server = server_with_mcp_url().await;
    let client = server.client().await;
    // scheme and host are compared in lower case (D-259)
    for resource in
        ["https://mcp.example.com/mcp", "https://MCP.Example.COM/mcp", "HTTPS://mcp.example.com/mcp"]
    {
        let begun = server.begin_for(&client, &[("resource", resource)]).await;
        assert!(matches!(begun, AuthorizeAnswer::Consent { .. }), "{resource}: {begun:?}");
    }
    // the rest must be equal
    for resource in ["https://mcp.example.com/MCP", "https://other.example.com/mcp"] {
        let outcome = refused(&server, &client, &[("resource", resource)]).await;
        assert_eq!(outcome, "invalid_target", "{resource}");
    }
}

#[both_engines]
async fn exchange_and_refresh_accept_only_the_resource_of_the_grant(server: Server) {
    let (employee, client) = (server.employee().await, server.client().await);
    let (full, readonly) = (format!("{}/mcp", server.base), format!("{}/mcp/readonly", server.base));
    for (own, other) in [(&full, &readonly), (&readonly, &full)] {
        let code = employee.approve(&server, &client, &[("resource", own)]).await;
        // another resource is refused, and the code can still be used
        for wrong in [other, &server.base, &"x".to_owned()] {
            client.exchange_with(&code, &[("resource", wrong)]).await.refused(400, "invalid_target");
        }
        let tokens = Tokens::of(&client.exchange_with(&code, &[("resource", own)]).await.ok());
        for wrong in [other, &server.base, &"x".to_owned()] {
            let reply = client.refresh_with(&tokens.refresh, &[("resource", wrong)]).await;
            // a refresh for another resource is refused
            reply.refused(400, "invalid_target");
        }
        server.assert_active(&tokens).await;
        Tokens::of(&client.refresh_with(&tokens.refresh, &[("resource", own)]).await.ok());
    }
}

async fn refused(server: &Server, client: &Client, more: &[(&str, &str)]) -> String {
    server.begin_for(client, more).await.redirected().get("error").expect("an error").to_owned()
}
