//! RFC 9728: protected resource metadata.

use std::sync::Arc;

use serde_json::json;
use switchboard::config::BaseUrl;

use crate::support::*;

const MCP_URL: &str = "https://mcp.example.com";

/// Starts a server whose public MCP address (`mcp_url`) differs from the address that it listens on.
pub async fn server_with_mcp_url() -> Server {
    let configure = Arc::new(|config: &mut switchboard::config::Config| {
        config.mcp_url = Some(BaseUrl::parse(MCP_URL).unwrap());
    });
    let options = Options { configure: Some(configure), ..Options::default() };
    Server::with(options).await.expect("a server on SQLite starts")
}

#[tokio::test]
async fn the_documents_have_every_field() {
    let server = server_with_mcp_url().await;
    let docs = format!("{MCP_URL}/docs");
    // the numbers beside a member are its requirements
    let whole = json!({
        "resource": format!("{MCP_URL}/mcp"), // the endpoint with all tools
        "authorization_servers": [MCP_URL], // one server issues all tokens
        "scopes_supported": ["service:read", "service:write"], // all scopes
        "bearer_methods_supported": ["header"], // tokens in the header only
        "resource_name": "Switchboard", // a name for people
        "resource_documentation": docs,
    });
    // both paths return the metadata of `/mcp`
    for path in ["/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource"] {
        let answer = server.api().get(path).send().await;
        assert_eq!(answer.ok(200), whole, "the metadata is that of /mcp (A-012, A-020): {path}");
        assert_eq!(
            answer.header("cache-control"),
            Some("public, max-age=300"),
            "the metadata may be cached for 5 minutes (D-200)"
        );
    }
    // the metadata of `/mcp/readonly` differs in two members
    let readonly = server.api().get("/.well-known/oauth-protected-resource/mcp/readonly").ok(200).await;
    let mut expected = whole.clone();
    expected["resource"] = json!(format!("{MCP_URL}/mcp/readonly"));
    expected["scopes_supported"] = json!(["service:read"]);
    assert_eq!(readonly, expected);
}

#[tokio::test]
async fn the_documentation_url_can_be_opened() {
    let server = Server::sqlite().await;
    let found = server.api().get("/.well-known/oauth-protected-resource/mcp").ok(200).await;
    let url = text(&found, "/resource_documentation");
    let path = url.strip_prefix(&server.base).expect("the documentation is on this server");
    assert_eq!(
        reqwest::get(&url).await.unwrap().status(),
        200,
        "the documentation can be opened (A-018): {path}"
    );
}

#[tokio::test]
async fn urls_come_from_the_configuration() {
    let server = server_with_mcp_url().await;
    let path = "/.well-known/oauth-protected-resource/mcp";
    let plain = server.api().get(path).ok(200).await;
    let server_path = "/.well-known/oauth-authorization-server";
    let plain_server = server.api().get(server_path).ok(200).await;
    // A-038, D-201: headers of the request do not change the URLs
    for (name, value) in [
        ("host", "evil.example"),
        ("x-forwarded-host", "evil.example"),
        ("x-forwarded-proto", "http"),
        ("x-forwarded-port", "81"),
        ("forwarded", "host=evil.example;proto=http"),
        ("x-original-host", "evil.example"),
    ] {
        let call = server.api().get(path).header(name, value);
        assert_eq!(call.ok(200).await, plain, "the header has no effect (A-038): {name}");
        let call = server.api().get(server_path).header(name, value);
        assert_eq!(call.ok(200).await, plain_server, "the header has no effect (A-038): {name}");
    }
    // D-202: query parameters are ignored
    assert_eq!(server.api().get(&format!("{path}?resource=https://evil.example&x=1")).ok(200).await, plain);
}

#[tokio::test]
async fn other_resources_are_not_found() {
    let server = Server::sqlite().await;
    for path in [
        "/.well-known/oauth-protected-resource/",
        "/.well-known/oauth-protected-resource/mcp/",
        "/.well-known/oauth-protected-resource/mcp/other",
        "/.well-known/oauth-protected-resource/v1",
        "/.well-known/OAuth-protected-resource",
    ] {
        server.api().get(path).denied(404, "not_found").await;
    }
}

#[tokio::test]
async fn only_get_head_and_options_are_allowed() {
    let server = Server::sqlite().await;
    let path = "/.well-known/oauth-protected-resource/mcp";
    // other methods get 405 with `Allow`
    for method in [reqwest::Method::POST, reqwest::Method::PUT, reqwest::Method::DELETE] {
        let answer = server.api().call(method, path).send().await.denied(405, "invalid_request");
        assert_eq!(answer.header("allow"), Some("GET, HEAD, OPTIONS"));
    }
    let head = server.api().call(reqwest::Method::HEAD, path).send().await;
    assert_eq!((head.status, head.bytes.len()), (200, 0));
}
