//! RFC 8414: authorization server metadata.

use serde_json::json;

use super::rfc9728::server_with_mcp_url;
use crate::support::*;

const PATH: &str = "/.well-known/oauth-authorization-server";

#[tokio::test]
async fn the_metadata_has_exactly_the_required_members() {
    let server = server_with_mcp_url().await;
    let answer = server.api().get(PATH).send().await;
    let url = |path: &str| format!("https://mcp.example.com{path}");
    // the response is a JSON document with exactly these members. The comment at a member names its requirement.
    assert_eq!(
        answer.ok(200),
        json!({
            "issuer": url(""), // the URL of the assistant server
            "authorization_endpoint": url("/authorize"), // the page that begins an authorization
            "token_endpoint": url("/token"), // exchanges codes and refresh tokens
            "registration_endpoint": url("/register"), // dynamic registration of clients
            "revocation_endpoint": url("/revoke"), // revokes tokens
            "response_types_supported": ["code"], // authorization codes only
            // codes and refresh tokens only
            "grant_types_supported": ["authorization_code", "refresh_token"],
            "code_challenge_methods_supported": ["S256"], // PKCE with SHA-256 only
            // public clients, and secrets in the header or the body
            "token_endpoint_auth_methods_supported": ["none", "client_secret_basic", "client_secret_post"],
            // the same methods as for tokens
            "revocation_endpoint_auth_methods_supported": ["none", "client_secret_basic", "client_secret_post"],
            // no scope for offline access
            "scopes_supported": ["service:read", "service:write"],
            // a client id can be the URL of a metadata document
            "client_id_metadata_document_supported": true,
            // redirects have the parameter `iss`
            "authorization_response_iss_parameter_supported": true,
            "service_documentation": url("/docs"), // a URL for developers
        })
    );
    assert_eq!(
        answer.header("cache-control"),
        Some("public, max-age=300"),
        "the metadata may be cached for 5 minutes (D-200)"
    );
}

/// Clients compare this issuer, as a string, with the issuer that the metadata of the resource names (RFC 8414 §3.3,
/// RFC 9728).
#[tokio::test]
async fn the_metadata_of_the_resource_names_the_same_issuer() {
    let server = Server::sqlite().await;
    let issuer = text(&server.api().get(PATH).ok(200).await, "/issuer");
    // A-022, D-197: the configured address without a trailing slash
    assert_eq!(issuer, server.base);
    let resource = server.api().get("/.well-known/oauth-protected-resource").ok(200).await;
    assert_eq!(resource["authorization_servers"], json!([issuer]));
}

#[tokio::test]
async fn other_metadata_is_not_found() {
    let server = Server::sqlite().await;
    // the authorization server has no other metadata
    for path in [
        "/.well-known/openid-configuration",
        "/.well-known/openid-configuration/mcp",
        "/.well-known/oauth-authorization-server/mcp",
        "/.well-known/oauth-authorization-server/",
        "/.well-known/jwks.json",
        "/.well-known/",
    ] {
        let answer = server.api().get(path).denied(404, "not_found").await;
        assert_eq!(
            answer.header("access-control-allow-origin"),
            Some("*"),
            "scripts of other sites can read the 404"
        );
    }
}
