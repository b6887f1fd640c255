//! The paths whose CORS headers allow every origin (D-200, D-311, D-312). `mcp/browsers.rs` tests the CORS headers
//! of the MCP endpoints, which allow only certain origins.

use reqwest::Method;
use serde_json::json;

use crate::support::*;

/// Paths that scripts of any origin may request, with their methods.
const OPEN: [(&str, &str); 7] = [
    ("/.well-known/oauth-protected-resource", "GET"),
    ("/.well-known/oauth-protected-resource/mcp", "GET"),
    ("/.well-known/oauth-protected-resource/mcp/readonly", "GET"),
    ("/.well-known/oauth-authorization-server", "GET"),
    ("/register", "POST"),
    ("/token", "POST"),
    ("/revoke", "POST"),
];

#[tokio::test]
async fn preflights_are_allowed() {
    let server = Server::sqlite().await;
    for (path, method) in OPEN {
        let call = server.api().call(Method::OPTIONS, path).header("origin", "https://tool.example");
        let call = call.header("access-control-request-method", method);
        let answer = call.header("access-control-request-headers", "authorization,content-type").send().await;
        assert_eq!(
            (answer.status, answer.bytes.len()),
            (204, 0),
            "a preflight gets 204 without a body (A-009, D-366): {path}"
        );
        let methods = answer.header("access-control-allow-methods").unwrap();
        assert!(
            methods.split(", ").any(|allowed| allowed == method),
            "a preflight allows the method: {path}: {methods}"
        );
        let headers = answer.header("access-control-allow-headers").unwrap().to_ascii_lowercase();
        for needed in ["authorization", "content-type", "mcp-protocol-version"] {
            assert!(
                headers.split(", ").any(|allowed| allowed == needed),
                "a preflight allows the header {needed}: {path}: {headers}"
            );
        }
    }
}

#[tokio::test]
async fn error_responses_have_cors_headers() {
    let server = Server::sqlite().await;
    // `Api` checks `Access-Control-Allow-Origin: *` in every response of these endpoints
    server.api().post("/token").form(&[("grant_type", "x")]).denied(401, "invalid_client").await;
    server.api().post("/register").json(&json!([])).denied(400, "invalid_request").await;
    server.api().get("/token").denied(405, "invalid_request").await;
    server.api().call(Method::OPTIONS, "/.well-known/nothing").denied(404, "not_found").await;
}

#[tokio::test]
async fn other_paths_have_no_cors_headers() {
    let server = Server::sqlite().await;
    for path in ["/v1/auth/test", "/oauth/token", "/admin/v1/workspaces", "/docs", "/authorize"] {
        for method in [Method::OPTIONS, Method::GET] {
            let url = format!("{}{path}", server.base);
            let request =
                reqwest::Client::new().request(method, url).header("origin", "https://tool.example");
            let answer = request.send().await.unwrap();
            assert!(
                answer.headers().get("access-control-allow-origin").is_none(),
                "the path has no CORS headers: {path}"
            );
        }
    }
}
