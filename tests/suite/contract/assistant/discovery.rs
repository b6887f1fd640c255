//! `getAuthorizationServer`, `getProtectedResource`, `getMcpResource`, `getReadonlyResource`.

use serde_json::json;

use super::*;
use crate::support::*;

#[both_engines]
async fn get_authorization_server(server: Server) {
    let client: Client = server.typed();
    let found = succeeds!(200, client.get_authorization_server());
    assert_eq!(found.issuer, server.base);
    assert_eq!(found.token_endpoint, format!("{}/token", server.base));
    assert_eq!(json!(found.response_types_supported), json!(["code"]));
    assert_eq!(json!(found.grant_types_supported), json!(["authorization_code", "refresh_token"]));
}

#[both_engines]
async fn get_mcp_resource(server: Server) {
    let client: Client = server.typed();
    let found = succeeds!(200, client.get_mcp_resource());
    assert_eq!(found.resource, format!("{}/mcp", server.base));
    assert_eq!(found.authorization_servers, [server.base.as_str()]);
}

#[both_engines]
async fn get_protected_resource(server: Server) {
    let client: Client = server.typed();
    let found = succeeds!(200, client.get_protected_resource()).into_inner();
    let mcp = succeeds!(200, client.get_mcp_resource()).into_inner();
    assert_eq!(found, mcp, "the well-known address without a path has the metadata of /mcp");
}

#[both_engines]
async fn get_readonly_resource(server: Server) {
    let client: Client = server.typed();
    let found = succeeds!(200, client.get_readonly_resource());
    assert_eq!(found.resource, format!("{}/mcp/readonly", server.base));
    let scopes = &found.scopes_supported;
    assert_eq!(scopes.len(), 1, "`/mcp/readonly` supports one scope only: {scopes:?}");
}
